/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/project/project.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/nearest.h"
#include "harness/core/config.h"

#define BLANKS " \t\r"

/* ---- lockstep.project: lines KEY = WORD..., each key at most once ---- */

static const struct key {
    const char *name;
    size_t to; /* its ls_args in ls_project */
    const char *standard;
    enum { FOLDERS, FILES, WORDS } of;
} keys[] = {
    {"rtl", offsetof(ls_project, rtl), "rtl", FOLDERS},          {"models", offsetof(ls_project, models), "model", FOLDERS},
    {"benches", offsetof(ls_project, benches), "tb", FOLDERS},   {"sources", offsetof(ls_project, sources), NULL, FILES},
    {"includes", offsetof(ls_project, includes), NULL, FOLDERS}, {"cflags", offsetof(ls_project, cflags), "-O2", WORDS}};

enum { KEYS = sizeof keys / sizeof *keys };

static ls_args *words_of(ls_project *project, const struct key *key) { return (ls_args *)(void *)((char *)project + key->to); }

/* A folder or file that the project names is there, below its root. */
static bool is_there(const ls_project *project, const struct key *key, const char *word) {
    struct stat is;
    char *path = ls_format("%s/%s", project->root, word);
    const bool there = stat(path, &is) == 0 && (key->of == FOLDERS ? S_ISDIR(is.st_mode) : S_ISREG(is.st_mode));
    free(path);
    return there;
}

static const char *wrong_word(const ls_project *project, const struct key *key, const char *word) {
    if (key->of == WORDS) return NULL;
    const size_t n = strlen(word);
    if (word[0] == '/' || strstr(word, "..") != NULL) return "expected a path below the project's folder";
    if (!is_there(project, key, word)) return key->of == FOLDERS ? "there is no such folder" : "there is no such file";
    if (key->of == FILES && (n < 3 || strcmp(word + n - 2, ".c") != 0)) return "expected a C file, NAME.c";
    return NULL;
}

/* The words of a key. 0, or -1 and what is wrong. */
static int take_words(ls_project *project, const struct key *key, char *words, char *error, size_t size) {
    ls_args *to = words_of(project, key);
    for (char *rest = words, *word; (word = strtok_r(rest, BLANKS, &rest)) != NULL;) {
        const char *wrong = wrong_word(project, key, word);
        if (wrong != NULL) {
            (void)snprintf(error, size, "%s: \"%s\": %s", key->name, word, wrong);
            return -1;
        }
        ls_args_add(to, "%s", word);
    }
    return 0;
}

/* One line, which is cut up; `seen`: the keys before it. 0, or -1 and what is wrong. */
static int take_line(ls_project *project, char *line, bool *seen, char *error, size_t size) {
    line[strcspn(line, "#")] = '\0';
    if (line[strspn(line, BLANKS)] == '\0') return 0;
    char *words = line, *name = strsep(&words, "=");
    name += strspn(name, BLANKS);
    name[strcspn(name, BLANKS)] = '\0';
    if (words == NULL) {
        (void)snprintf(error, size, "expected KEY = WORD...");
        return -1;
    }
    ls_nearest near = {.word = name};
    for (size_t i = 0; i < KEYS; i++) {
        ls_nearest_try(&near, keys[i].name);
        if (strcmp(name, keys[i].name) != 0) continue;
        if (!seen[i]) {
            seen[i] = true;
            return take_words(project, &keys[i], words, error, size);
        }
        (void)snprintf(error, size, "%s: the key stands there already", name);
        return -1;
    }
    if (near.name != NULL) (void)snprintf(error, size, "no key %s: did you mean %s?", name, near.name);
    else (void)snprintf(error, size, "no key %s: expected rtl, models, benches, sources, includes or cflags", name);
    return -1;
}

/* Reads the file. 0, or -1 and a message. */
static int read_file(ls_project *project, const char *path, char *error, size_t size) {
    ls_text text = {0};
    bool seen[KEYS] = {false};
    int status = ls_text_read(&text, path);
    if (status != 0) {
        (void)snprintf(error, size, "%s: %s", path, strerror(-status));
        return -1;
    }
    char *all = ls_text_take(&text), *rest = all, why[512];
    for (unsigned number = 1; rest != NULL && status == 0; number++) {
        status = take_line(project, strsep(&rest, "\n"), seen, why, sizeof why);
        if (status != 0) (void)snprintf(error, size, "%s:%u: %s", path, number, why);
    }
    free(all);
    for (size_t i = 0; i < KEYS && status == 0; i++)
        if (!seen[i] && keys[i].standard != NULL) ls_args_add(words_of(project, &keys[i]), "%s", keys[i].standard);
    return status;
}

/* ---- where it is ---- */

/* The folder from that one upwards that has the file, or NULL; to be freed. */
static char *search(const char *from) {
    char folder[PATH_MAX];
    if (realpath(from, folder) == NULL) return NULL;
    for (;;) {
        char *file = ls_format("%s/" LS_PROJECT_FILE, folder), *slash = strrchr(folder, '/');
        const bool there = access(file, F_OK) == 0;
        free(file);
        if (there) return ls_copy(folder);
        if (slash == NULL || slash == folder) return NULL; /* none is looked for in the root of all */
        *slash = '\0';
    }
}

/* Whose models are found by chance, in a folder above, are not run: they must be this user's. */
static bool is_anothers(const char *folder) {
    struct stat is;
    char *file = ls_format("%s/" LS_PROJECT_FILE, folder);
    const bool other = stat(file, &is) == 0 && is.st_uid != geteuid() && is.st_uid != 0;
    free(file);
    return other;
}

int ls_project_find(ls_project *project, const char *file, char *error, size_t size) {
    const char *env = getenv("LOCKSTEP_PROJECT");
    char real[PATH_MAX];
    *project = (ls_project){0};
    char *found = env != NULL && env[0] != '\0' ? ls_copy(env) : search(".");
    if (found == NULL && file != NULL) {
        char *folder = ls_folder_of(file);
        found = search(folder);
        free(folder);
    }
    if (found == NULL) return 1;
    if (env == NULL && is_anothers(found)) {
        (void)snprintf(error, size,
                       "%s/" LS_PROJECT_FILE
                       " belongs to another user, whose models would run as you: LOCKSTEP_PROJECT=%s allows it",
                       found, found);
        free(found);
        return -1;
    }
    if (realpath(found, real) == NULL) {
        (void)snprintf(error, size, "LOCKSTEP_PROJECT: %s: %s", found, strerror(errno));
        free(found);
        return -1;
    }
    free(found);
    project->root = ls_copy(real);
    project->name = ls_copy(strrchr(real, '/') + 1);
    char *path = ls_format("%s/" LS_PROJECT_FILE, real);
    const int status = read_file(project, path, error, size);
    free(path);
    return status;
}

void ls_project_free(ls_project *project) {
    for (size_t i = 0; i < KEYS; i++) ls_args_free(words_of(project, &keys[i]));
    free(project->root);
    free(project->name);
    *project = (ls_project){0};
}
