/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/coverage/coverage_waivers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/coverage/coverage_points.h"

static const char *const kinds[LS_POINT_KINDS] = {"line", "toggle", "model-line", "model-branch"};

/* The next word of a line, ended; `*line` goes behind it. "" at the end. */
static char *next_word(char **line) {
    char *word = *line + strspn(*line, " \t");
    char *end = word + strcspn(word, " \t");
    *line = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return word;
}

/* One line that is no comment. NULL, or what is wrong (to be freed). */
static char *read_waiver(ls_waivers *waivers, char *line, size_t number) {
    ls_waiver w = {.kind = LS_POINT_KINDS, .line = number};
    const char *unit = next_word(&line), *kind = next_word(&line), *file = next_word(&line);
    char *name = line + strspn(line, " \t"), *dashes = NULL;
    for (char *at = name; (at = strstr(at, " -- ")) != NULL; at++) dashes = at; /* the last: a line of code may have some */
    const char *reason = dashes != NULL ? dashes + 4 + strspn(dashes + 4, " \t") : "";
    if (dashes != NULL) *dashes = '\0';
    for (int k = 0; k < LS_POINT_KINDS; k++)
        if (strcmp(kind, kinds[k]) == 0) w.kind = (ls_point_kind)k;
    w.unit = ls_unit_find(unit);
    if (w.unit == NULL) return ls_format("no unit \"%s\"", unit);
    if (w.kind == LS_POINT_KINDS) return ls_format("kind \"%s\": expected line, toggle, model-line or model-branch", kind);
    if (file[0] == '\0' || dashes == NULL || name[0] == '\0' || reason[0] == '\0')
        return ls_copy("expected UNIT KIND FILE NAME -- REASON");
    for (size_t n = strlen(name); n > 0 && (name[n - 1] == ' ' || name[n - 1] == '\t'); n--) name[n - 1] = '\0';
    for (size_t i = 0; i < waivers->count; i++) {
        const ls_waiver *o = &waivers->list[i];
        if (o->unit == w.unit && o->kind == w.kind && strcmp(o->file, file) == 0 && strcmp(o->name, name) == 0)
            return ls_format("the point is waived in line %zu already", o->line);
    }
    w.file = ls_copy(file);
    w.name = ls_copy(name);
    w.reason = ls_copy(reason);
    waivers->list = ls_grow(waivers->list, waivers->count, sizeof *waivers->list);
    waivers->list[waivers->count++] = w;
    return NULL;
}

int ls_waivers_read(ls_waivers *waivers, const char *path, char *error, size_t size) {
    ls_text text = {0};
    *waivers = (ls_waivers){0};
    const int status = ls_text_read(&text, path);
    if (status == -ENOENT) return 0;
    if (status != 0) {
        (void)snprintf(error, size, "%s: %s", path, strerror(-status));
        return -1;
    }
    ls_text_put(&text, "", 1);
    char *wrong = NULL;
    size_t number = 0;
    for (char *at = text.data; *at != '\0' && wrong == NULL;) {
        char *stop = at + strcspn(at, "\n");
        const bool more = *stop != '\0';
        *stop = '\0';
        number++;
        const size_t blanks = strspn(at, " \t\r");
        if (at[blanks] != '\0' && at[blanks] != '#') wrong = read_waiver(waivers, at, number);
        at = more ? stop + 1 : stop;
    }
    free(ls_text_take(&text));
    if (wrong == NULL) return 0;
    (void)snprintf(error, size, "%s:%zu: %s", path, number, wrong);
    free(wrong);
    ls_waivers_free(waivers);
    return -1;
}

void ls_waivers_free(ls_waivers *waivers) {
    for (size_t i = 0; i < waivers->count; i++) {
        free(waivers->list[i].file);
        free(waivers->list[i].name);
        free(waivers->list[i].reason);
    }
    free(waivers->list);
    *waivers = (ls_waivers){0};
}

/* Whether `text` is as `pattern` says, in which * is any text and nothing else is special ("[" stands in most names). */
static bool matches(const char *pattern, const char *text) {
    const char *star = NULL, *from = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

const ls_waiver *ls_waivers_find(ls_waivers *waivers, const ls_unit *unit, const ls_point *point, const char *name) {
    const ls_waiver *found = NULL;
    for (size_t i = 0; i < waivers->count; i++) {
        ls_waiver *w = &waivers->list[i];
        if (w->unit != unit || w->kind != point->kind || strcmp(w->file, point->file) != 0) continue;
        if (point->kind == LS_POINT_TOGGLE ? !matches(w->name, name) : strcmp(w->name, name) != 0) continue;
        if (point->count != 0) w->covered++;
        else w->uncovered++;
        if (found == NULL) found = w;
    }
    return found;
}
