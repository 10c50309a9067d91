/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/base/text.h"

static const ls_unit *const none[] = {NULL};
const ls_unit *const *ls_units = none;
const ls_unit *const *ls_own_units = none;

/* Before main: tests and judges look at the units, too. */
__attribute__((constructor)) static void take_linked(void) {
    if (ls_linked_units != NULL) ls_units = ls_own_units = ls_linked_units;
}

void ls_units_put(const ls_unit *const *own) {
    size_t count = 0, linked = 0;
    while (own[count] != NULL) count++;
    while (ls_units[linked] != NULL) linked++;
    const ls_unit **all = ls_alloc(count + linked + 1, sizeof *all);
    memcpy(all, own, count * sizeof *all);
    memcpy(all + count, ls_units, linked * sizeof *all);
    ls_units = all;
    ls_own_units = own;
}

const ls_unit *ls_unit_find(const char *name) {
    for (const ls_unit *const *u = ls_units; *u != NULL; u++)
        if (strcmp((*u)->name, name) == 0) return *u;
    return NULL;
}

static void set_value(const ls_param *param, void *cfg, uint32_t value) {
    memcpy((char *)cfg + param->offset, &value, sizeof value);
}

uint32_t ls_config_get(const ls_param *param, const void *cfg) {
    uint32_t value;
    memcpy(&value, (const char *)cfg + param->offset, sizeof value);
    return value;
}

void *ls_config_new(const ls_unit *unit) {
    void *cfg = ls_zeroed(unit->cfg_size);
    for (size_t i = 0; i < unit->param_count; i++) set_value(&unit->params[i], cfg, unit->params[i].def);
    return cfg;
}

int ls_config_set(const ls_unit *unit, void *cfg, const char *text, char *error, size_t size) {
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        (void)snprintf(error, size, "parameter \"%s\": expected NAME=VALUE", text);
        return -1;
    }
    for (size_t i = 0; i < unit->param_count; i++) {
        const ls_param *p = &unit->params[i];
        if (strlen(p->name) != (size_t)(equals - text) || strncmp(p->name, text, strlen(p->name)) != 0) continue;
        uint64_t value;
        if (!ls_whole_number(equals + 1, false, &value) || value < p->min || value > p->max) {
            (void)snprintf(error, size, "parameter %s of %s: \"%s\" is not a number from %u to %u", p->name, unit->name,
                           equals + 1, p->min, p->max);
            return -1;
        }
        set_value(p, cfg, (uint32_t)value);
        return 0;
    }
    char *name = ls_format("%.*s", (int)(equals - text), text);
    ls_nearest near = {.word = name};
    for (size_t i = 0; i < unit->param_count; i++) ls_nearest_try(&near, unit->params[i].name);
    int n = near.name == NULL
                ? snprintf(error, size, "%s has no parameter %s; it has", unit->name, name)
                : snprintf(error, size, "%s has no parameter %s: did you mean %s? It has", unit->name, name, near.name);
    for (size_t i = 0; i < unit->param_count && n > 0 && (size_t)n < size; i++)
        n += snprintf(error + n, size - (size_t)n, "%s %s", i != 0 ? "," : "", unit->params[i].name);
    free(name);
    return -1;
}

/* Whether a word of the set before `at` sets the parameter that `word` does. */
static bool set_before(const char *set, size_t at, const char *word) {
    const size_t name = strcspn(word, "=") + 1;
    for (const char *p = set + strspn(set, " "); p < set + at; p += strspn(p, " ")) {
        if (strncmp(p, word, name) == 0) return true;
        p += strcspn(p, " ");
    }
    return false;
}

int ls_config_set_all(const ls_unit *unit, void *cfg, const char *set, char *error, size_t size) {
    char *copy = ls_copy(set), *rest = copy;
    int status = 0;
    for (char *word; status == 0 && (word = strtok_r(rest, " ", &rest)) != NULL;) {
        status = ls_config_set(unit, cfg, word, error, size);
        if (status != 0 || !set_before(set, (size_t)(word - copy), word)) continue;
        (void)snprintf(error, size, "parameter %.*s is there twice", (int)strcspn(word, "="), word);
        status = -1;
    }
    free(copy);
    return status;
}

char *ls_config_difference(const ls_unit *unit, const void *cfg, const void *from) {
    ls_text text = {0};
    for (size_t i = 0; i < unit->param_count; i++) {
        const ls_param *p = &unit->params[i];
        const uint32_t value = ls_config_get(p, cfg);
        if (value != ls_config_get(p, from)) ls_text_add(&text, "%s%s=%u", text.size > 0 ? " " : "", p->name, value);
    }
    return ls_text_take(&text);
}

char *ls_config_text(const ls_unit *unit, const void *cfg) {
    void *defaults = ls_config_new(unit);
    char *text = ls_config_difference(unit, cfg, defaults);
    free(defaults);
    return text;
}

static bool same(const char *a, const char *b) {
    if (a == NULL) a = "";
    if (b == NULL) b = "";
    return a[0] == b[0] && strcmp(a, b) == 0; /* asked thousands of times at each start */
}

static int check_lines(const ls_unit *unit, char *error, size_t size) {
    for (const ls_line *l = unit->lines; l != NULL && l->of != NULL; l++)
        for (const ls_line *before = unit->lines; before < l; before++) {
            if (!same(before->of, l->of)) continue;
            (void)snprintf(error, size, "%s:%u: %s stands in line %u already", unit->list, l->number, l->of, before->number);
            return -1;
        }
    for (size_t i = 0; i < unit->param_count; i++)
        for (size_t k = 0; k < i; k++) {
            if (unit->params[k].offset != unit->params[i].offset) continue;
            (void)snprintf(error, size, "%s: parameters %s and %s are of one member", unit->list, unit->params[k].name,
                           unit->params[i].name);
            return -1;
        }
    return 0;
}

static int check_bins(const ls_unit *unit, char *error, size_t size) {
    for (const char *const *b = unit->bin_names; *b != NULL; b++)
        for (const char *const *before = unit->bin_names; before < b; before++) {
            if (!same(*before, *b)) continue;
            (void)snprintf(error, size, "%s: two bins are called \"%s\"", unit->name, *b);
            return -1;
        }
    return 0;
}

/* Equal sets would be run twice, and counted as two. */
static int check_sets(const ls_unit *unit, char *error, size_t size) {
    size_t count = 0;
    int status = 0;
    while (unit->sets[count] != NULL) count++;
    void **cfgs = ls_alloc(count + 1, sizeof *cfgs);
    for (size_t i = 0; i < count; i++) {
        char why[256];
        cfgs[i] = ls_config_new(unit);
        if (status == 0 && ls_config_set_all(unit, cfgs[i], unit->sets[i], why, sizeof why) != 0) {
            (void)snprintf(error, size, "%s: parameter set \"%s\": %s", unit->name, unit->sets[i], why);
            status = -1;
        }
        for (size_t k = 0; k < i && status == 0; k++) {
            if (memcmp(cfgs[k], cfgs[i], unit->cfg_size) != 0) continue;
            (void)snprintf(error, size, "%s: parameter sets \"%s\" and \"%s\" are the same", unit->name, unit->sets[k],
                           unit->sets[i]);
            status = -1;
        }
    }
    for (size_t i = 0; i < count; i++) free(cfgs[i]);
    free(cfgs);
    return status;
}

static int check_faults(const ls_unit *unit, char *error, size_t size) {
    for (const ls_fault *f = unit->faults; f->what != NULL; f++)
        for (const ls_fault *b = unit->faults; b < f; b++) {
            const bool change =
                same(b->file, f->file) && same(b->from, f->from) && same(b->to, f->to) && same(b->params, f->params);
            if (!change && !same(b->what, f->what)) continue;
            if (change)
                (void)snprintf(error, size, "%s: faults \"%s\" and \"%s\" make the same change", unit->name, b->what, f->what);
            else (void)snprintf(error, size, "%s: two faults are called \"%s\"", unit->name, f->what);
            return -1;
        }
    return 0;
}

int ls_unit_check(const ls_unit *unit, char *error, size_t size) {
    return check_lines(unit, error, size) != 0 || check_bins(unit, error, size) != 0 || check_sets(unit, error, size) != 0 ||
                   check_faults(unit, error, size) != 0
               ? -1
               : 0;
}

int ls_config_sets(const char *path, const ls_unit *unit, ls_args *sets, ls_args *options) {
    ls_text text = {0};
    const int status = ls_text_read(&text, path);
    char *rest = text.data;
    for (char *line; status == 0 && rest != NULL && (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        ls_text of[2] = {{0}, {0}}; /* parameters, options */
        char *word = strtok_r(line, " ", &line);
        if (word == NULL || strcmp(word, unit->name) != 0) continue;
        while ((word = strtok_r(line, " ", &line)) != NULL) {
            ls_text *t = &of[strchr(word, '=') == NULL || strncmp(word, "--", 2) == 0];
            ls_text_add(t, "%s%s", t->size > 0 ? " " : "", word);
        }
        ls_args_add(sets, "%s", of[0].size > 0 ? of[0].data : "");
        ls_args_add(options, "%s", of[1].size > 0 ? of[1].data : "");
        free(ls_text_take(&of[0]));
        free(ls_text_take(&of[1]));
    }
    free(text.data);
    return status;
}

const ls_unit *ls_unit_of_file(const char *file) {
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    char *stem = ls_format("%.*s", (int)strcspn(name, "."), name);
    const ls_unit *unit = ls_unit_find(stem);
    free(stem);
    return unit;
}
