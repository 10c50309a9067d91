/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/folder.h"
#include "harness/base/nearest.h"
#include "harness/base/root.h"
#include "harness/core/config.h"

#define ENDING ".machine"
#define BLANKS " \t\r"
#define LICENCE "SPDX-"

/* ---- settings ---- */

const ls_setting *ls_settings_find(const ls_settings *s, const char *name) {
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->list[i].name, name) == 0) return &s->list[i];
    return NULL;
}

static void free_setting(const ls_setting *s) {
    free(s->name);
    free(s->value);
    free(s->place);
}

void ls_settings_put(ls_settings *s, const char *name, const char *value, const char *place) {
    const ls_setting now = {ls_copy(name), ls_copy(value), ls_copy(place)};
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->list[i].name, name) != 0) continue;
        free_setting(&s->list[i]);
        s->list[i] = now;
        return;
    }
    s->list = ls_grow(s->list, s->count, sizeof *s->list);
    s->list[s->count++] = now;
}

static void free_settings(ls_settings *s) {
    for (size_t i = 0; i < s->count; i++) free_setting(&s->list[i]);
    free(s->list);
    *s = (ls_settings){0};
}

void ls_machine_free(ls_machine *m) {
    free_settings(&m->params);
    free_settings(&m->surroundings);
}

/* ---- those that are shipped ---- */

/* A word without blanks around it, cut out of its line. */
static char *trim(char *word) {
    word += strspn(word, BLANKS);
    for (size_t n = strlen(word); n > 0 && strchr(BLANKS, word[n - 1]) != NULL; n--) word[n - 1] = '\0';
    return word;
}

static char *shipped_folder(void) { return ls_format("%s/tb/machines", ls_root()); }

void ls_machine_names(ls_args *names) {
    ls_args files = {0};
    char *folder = shipped_folder();
    ls_folder_names(folder, &files);
    for (size_t i = 0; i < files.count; i++) {
        const size_t all = strlen(files.list[i]), end = strlen(ENDING);
        if (all > end && strcmp(files.list[i] + all - end, ENDING) == 0)
            ls_args_add(names, "%.*s", (int)(all - end), files.list[i]);
    }
    ls_args_free(&files);
    free(folder);
}

char *ls_machine_path(const char *name) {
    if (strpbrk(name, "/.") != NULL) return ls_copy(name);
    char *folder = shipped_folder(), *path = ls_format("%s/%s" ENDING, folder, name);
    free(folder);
    return path;
}

char *ls_machine_title(const char *name) {
    ls_text text = {0};
    char *path = ls_machine_path(name), *title = NULL;
    (void)ls_text_read(&text, path);
    char *all = ls_text_take(&text), *rest = all;
    for (char *line; title == NULL && (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        const char *said = trim(line + strspn(line, "#" BLANKS));
        if (line[0] == '#' && *said != '\0' && strncmp(said, LICENCE, strlen(LICENCE)) != 0) title = ls_copy(said);
    }
    free(all);
    free(path);
    return title != NULL ? title : ls_copy("");
}

/* ---- the reader ---- */

typedef struct reader {
    const char *path;
    unsigned line; /* 0: before the first */
    ls_machine *machine;
    char *error;
    size_t size;
} reader;

static int fail(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(const reader *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    ls_error_at(r->error, r->size, r->path, r->line, format, args);
    va_end(args);
    return -1;
}

/* The file cannot be read: which ones there are. */
static int missing(const reader *r, const char *name, const char *why) {
    ls_args names = {0};
    ls_text all = {0};
    const bool by_name = strpbrk(name, "/.") == NULL;
    ls_nearest near = {.word = name};
    ls_machine_names(&names);
    for (size_t i = 0; i < names.count; i++) {
        ls_text_add(&all, "%s%s", i != 0 ? ", " : "", names.list[i]);
        if (by_name) ls_nearest_try(&near, names.list[i]);
    }
    char *list = ls_text_take(&all);
    const char *shipped = names.count > 0 ? list : "none";
    if (near.name != NULL)
        (void)snprintf(r->error, r->size, "no machine %s: did you mean %s? Shipped: %s", name, near.name, shipped);
    else if (by_name) (void)snprintf(r->error, r->size, "no machine %s; shipped: %s", name, shipped);
    else (void)fail(r, "%s; shipped machines, by name alone: %s", why, shipped);
    free(list);
    ls_args_free(&names);
    return -1;
}

/* Whether a key is a parameter's: NAME or SYSTEM.NAME. `*name`: where NAME begins. */
static bool is_param(const char *key, const char **name) {
    const char *dot = strrchr(key, '.');
    *name = dot != NULL ? dot + 1 : key;
    return **name >= 'A' && **name <= 'Z';
}

/* A parameter of one system alone is checked whichever system is asked for. */
static int check_scoped(const reader *r, const char *key, const char *name, const char *value) {
    char error[768], *system = ls_format("%.*s", (int)(name - 1 - key), key), *set = ls_format("%s=%s", name, value);
    const ls_unit *unit = ls_unit_find(system);
    int status = 0;
    if (unit == NULL || unit->surround == NULL) {
        status = fail(r, "%s: %s is no system", key, system);
    } else {
        void *cfg = ls_config_new(unit);
        if (ls_config_set(unit, cfg, set, error, sizeof error) != 0) status = fail(r, "%s", error);
        free(cfg);
    }
    free(system);
    free(set);
    return status;
}

static int read_line(const reader *r, char *line) {
    line[strcspn(line, "#")] = '\0';
    char *equals = strchr(line, '=');
    if (*trim(line) == '\0') return 0;
    if (equals == NULL) return fail(r, "%s: expected KEY = VALUE", trim(line));
    *equals = '\0';
    const char *key = trim(line), *value = trim(equals + 1), *name;
    const size_t letters = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    if (*key == '\0' || key[letters] != '\0') return fail(r, "\"%s\" is no key: letters, digits, _ and .", key);
    if (*value == '\0') return fail(r, "%s: no value", key);
    const bool param = is_param(key, &name);
    ls_settings *to = param ? &r->machine->params : &r->machine->surroundings;
    const ls_setting *before = ls_settings_find(to, key);
    if (before != NULL) return fail(r, "%s is there twice, before at %s", key, before->place);
    if (param && name != key && check_scoped(r, key, name, value) != 0) return -1;
    char *place = ls_format("%s:%u", r->path, r->line);
    ls_settings_put(to, key, value, place);
    free(place);
    return 0;
}

static int read_lines(reader *r, ls_text *text) {
    char *all = ls_text_take(text), *next = all;
    int status = 0;
    while (next != NULL && status == 0) {
        char *line = next, *end = strchr(line, '\n');
        r->line++;
        next = end != NULL ? end + 1 : NULL;
        if (end != NULL) *end = '\0';
        status = read_line(r, line);
    }
    free(all);
    return status;
}

int ls_machine_read(ls_machine *m, const char *name, char *error, size_t size) {
    struct stat is;
    ls_text text = {0};
    char *path = ls_machine_path(name);
    reader r = {.path = path, .machine = m, .error = error, .size = size};
    int status = -1;
    *m = (ls_machine){0};
    if (stat(path, &is) != 0) {
        status = missing(&r, name, strerror(errno));
    } else if (!S_ISREG(is.st_mode)) {
        status = missing(&r, name, "not a regular file");
    } else {
        const int failed = ls_text_read(&text, path);
        if (failed != 0) status = fail(&r, "%s", strerror(-failed));
        else if (text.size > 0 && strlen(text.data) != text.size) status = fail(&r, "a NUL is in it: no text");
        else status = read_lines(&r, &text);
    }
    free(ls_text_take(&text));
    free(path);
    if (status != 0) ls_machine_free(m);
    return status;
}

/* ---- a system's parameters ---- */

/* The machine has this parameter for this system alone: what it has for all need not be in its range. */
static bool has_own(const ls_machine *m, const ls_unit *unit, const char *name) {
    const size_t system = strlen(unit->name);
    for (size_t i = 0; i < m->params.count; i++) {
        const char *of = m->params.list[i].name;
        if (strncmp(of, unit->name, system) == 0 && of[system] == '.' && strcmp(of + system + 1, name) == 0) return true;
    }
    return false;
}

int ls_machine_configure(const ls_machine *m, const ls_unit *unit, void *cfg, char *error, size_t size) {
    const size_t system = strlen(unit->name);
    for (int scoped = 0; scoped < 2; scoped++)
        for (size_t i = 0; i < m->params.count; i++) {
            const ls_setting *s = &m->params.list[i];
            const char *name;
            (void)is_param(s->name, &name);
            if ((name != s->name) != (scoped != 0)) continue;
            if (scoped == 0 && has_own(m, unit, name)) continue;
            if (scoped != 0 && (strncmp(s->name, unit->name, system) != 0 || s->name[system] != '.')) continue;
            char *set = ls_format("%s=%s", name, s->value), why[768];
            const int status = ls_config_set(unit, cfg, set, why, sizeof why);
            free(set);
            if (status == 0) continue;
            (void)snprintf(error, size, "%s: %s", s->place, why);
            return -1;
        }
    return 0;
}
