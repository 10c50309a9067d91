/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/coverage/coverage_points.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/core/config.h"

static const char *const kind_names[LS_POINT_KINDS] = {"line", "toggle", "model line", "model branch"};

const char *ls_point_kind_name(ls_point_kind kind) { return kind_names[kind]; }

void ls_points_add(ls_points *points, const ls_point *point) {
    if (points->count == points->room) {
        points->room = points->room * 2 + 64;
        points->list = ls_resize(points->list, points->room * sizeof *points->list);
    }
    ls_point *p = &points->list[points->count++];
    *p = *point;
    p->file = ls_copy(point->file);
    p->what = ls_copy(point->what);
    p->text = ls_copy(point->text);
}

static void release(ls_point *p) {
    free(p->file);
    free(p->what);
    free(p->text);
}

void ls_points_free(ls_points *points) {
    for (size_t i = 0; i < points->count; i++) release(&points->list[i]);
    free(points->list);
    *points = (ls_points){0};
}

static int order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* The order of source lines; of what ls_points_settle sorts by, the first part. */
static int compare_lines(const void *left, const void *right) {
    const ls_point *a = left, *b = right;
    int c = order(a->kind, b->kind);
    if (c == 0) c = strcmp(a->file, b->file);
    return c != 0 ? c : order(a->line, b->line);
}

static int compare(const void *left, const void *right) {
    const ls_point *a = left, *b = right;
    int c = compare_lines(a, b);
    if (c == 0) c = order(a->column, b->column);
    if (c == 0) c = strcmp(a->what, b->what);
    return c != 0 ? c : order(a->index, b->index);
}

void ls_points_settle(ls_points *points) {
    if (points->count == 0) return;
    qsort(points->list, points->count, sizeof *points->list, compare);
    size_t kept = 1;
    for (size_t i = 1; i < points->count; i++) {
        ls_point *last = &points->list[kept - 1], *p = &points->list[i];
        if (compare(last, p) == 0) {
            last->count += p->count;
            release(p);
        } else {
            points->list[kept++] = *p;
        }
    }
    points->count = kept;
}

const ls_point *ls_points_clash(const ls_points *points, const ls_points *others, const ls_point **of) {
    for (size_t i = 0; i < others->count && points->count > 0; i++) {
        const ls_point *p = &others->list[i];
        if (p->kind == LS_POINT_TOGGLE) continue; /* has no text */
        *of = bsearch(p, points->list, points->count, sizeof *points->list, compare_lines);
        if (*of != NULL && strcmp((*of)->text, p->text) != 0) return p;
    }
    return NULL;
}

/* A line without the blanks around it, and single ones inside. */
static char *tidy(const char *line, size_t size) {
    ls_text text = {0};
    bool blank = false;
    for (size_t i = 0; i < size; i++) {
        if (strchr(" \t\r", line[i]) != NULL) {
            blank = text.size > 0;
            continue;
        }
        if (blank) ls_text_put(&text, " ", 1);
        blank = false;
        ls_text_put(&text, &line[i], 1);
    }
    return ls_text_take(&text);
}

void ls_points_take_text(ls_points *points, const char *root) {
    ls_text source = {0};
    const char *file = "";
    for (size_t i = 0; i < points->count; i++) { /* settled: file by file */
        ls_point *p = &points->list[i];
        if (p->kind == LS_POINT_TOGGLE || p->text[0] != '\0') continue;
        if (strcmp(file, p->file) != 0) {
            char *path = p->file[0] == '/' ? ls_copy(p->file) : ls_format("%s/%s", root, p->file);
            free(ls_text_take(&source));
            (void)ls_text_read(&source, path); /* without it there is no text */
            file = p->file;
            free(path);
        }
        const char *at = source.data, *end = source.data + source.size;
        for (uint32_t line = 1; line < p->line && at != NULL && at < end; line++) {
            const char *next = memchr(at, '\n', (size_t)(end - at));
            at = next != NULL ? next + 1 : end;
        }
        if (at == NULL || at >= end) continue;
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        free(p->text);
        p->text = tidy(at, (size_t)((stop != NULL ? stop : end) - at));
    }
    free(ls_text_take(&source));
}

/* The file: tab-separated lines
 *     lockstep-coverage 1 UNIT
 *     KIND FILE LINE COLUMN WHAT INDEX COUNT TEXT     (INDEX "-": none)
 *     toggle FILE LINE COLUMN WHAT FIRST BITS         (BITS: 0 or 1 for every bit from FIRST on)
 *     end N
 * with N the number of lines between the first and the last. */
int ls_points_write(const ls_points *points, const ls_unit *unit, const char *path, char *error, size_t size) {
    ls_text text = {0};
    size_t lines = 0;
    ls_text_add(&text, "lockstep-coverage 1\t%s\n", unit->name);
    for (size_t i = 0; i < points->count; lines++) {
        const ls_point *p = &points->list[i];
        ls_text_add(&text, "%s\t%s\t%u\t%u\t%s\t", kind_names[p->kind], p->file, p->line, p->column, p->what);
        if (p->index == LS_POINT_WHOLE) ls_text_add(&text, "-\t");
        else ls_text_add(&text, "%u\t", p->index);
        if (p->kind != LS_POINT_TOGGLE) {
            ls_text_add(&text, "%" PRIu64 "\t%s\n", p->count, p->text);
            i++;
            continue;
        }
        size_t n = 0; /* bits of the same signal that follow one another */
        do {
            ls_text_put(&text, p[n].count != 0 ? "1" : "0", 1);
            n++;
        } while (i + n < points->count && p->index != LS_POINT_WHOLE && p[n].kind == p->kind && p[n].index == p->index + n &&
                 p[n].line == p->line && p[n].column == p->column && strcmp(p[n].what, p->what) == 0 &&
                 strcmp(p[n].file, p->file) == 0);
        ls_text_add(&text, "\n");
        i += n;
    }
    ls_text_add(&text, "end\t%zu\n", lines);
    const int status = ls_text_write(&text, path);
    free(ls_text_take(&text));
    if (status == 0) return 0;
    (void)snprintf(error, size, "%s: %s", path, strerror(-status));
    return -1;
}

/* Cuts `line` at its tabs into at most `most` columns, the last one with whatever follows. Returns how many. */
static size_t cut(char *line, char **columns, size_t most) {
    size_t n = 0;
    for (char *at = line; at != NULL && n < most; n++) {
        columns[n] = at;
        at = n + 1 < most ? strchr(at, '\t') : NULL;
        if (at != NULL) *at++ = '\0';
    }
    return n;
}

static bool number(const char *text, uint64_t most, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *value <= most;
}

/* One line's points. NULL, or what is wrong. */
static const char *take_line(ls_points *points, char *line) {
    char *c[8];
    uint64_t at, column, index = LS_POINT_WHOLE, count = 0;
    const size_t columns = cut(line, c, 8);
    ls_point p = {.kind = LS_POINT_KINDS, .text = (char *)(uintptr_t) ""};
    for (int k = 0; k < LS_POINT_KINDS; k++)
        if (strcmp(c[0], kind_names[k]) == 0) p.kind = (ls_point_kind)k;
    if (p.kind == LS_POINT_KINDS) return "no kind of coverage point";
    if (columns != (p.kind == LS_POINT_TOGGLE ? 7u : 8u)) return "wrong number of columns";
    if (!number(c[2], UINT32_MAX, &at) || !number(c[3], UINT32_MAX, &column)) return "the place is no number";
    if (strcmp(c[5], "-") != 0 && !number(c[5], UINT32_MAX - 1, &index)) return "the index is no number";
    p.file = c[1];
    p.line = (uint32_t)at;
    p.column = (uint32_t)column;
    p.what = c[4];
    p.index = (uint32_t)index;
    if (p.kind != LS_POINT_TOGGLE) {
        if (!number(c[6], UINT64_MAX, &count)) return "the count is no number";
        p.count = count;
        p.text = c[7];
        ls_points_add(points, &p);
        return NULL;
    }
    if (c[6][0] == '\0' || strspn(c[6], "01") != strlen(c[6]) || (p.index == LS_POINT_WHOLE && c[6][1] != '\0'))
        return "the bits are not 0 and 1";
    for (const char *bit = c[6]; *bit != '\0'; bit++, p.index++) {
        p.count = *bit == '1';
        ls_points_add(points, &p);
    }
    return NULL;
}

int ls_points_read(ls_points *points, const ls_unit **unit, const char *path, char *error, size_t size) {
    static const char head[] = "lockstep-coverage 1\t";
    ls_text text = {0};
    const int status = ls_text_read(&text, path);
    if (status != 0) {
        (void)snprintf(error, size, "%s: %s", path, strerror(-status));
        return -1;
    }
    ls_text_put(&text, "", 1);
    size_t line = 1, last = 0;
    const char *wrong = NULL;
    bool ended = false;
    *unit = NULL;
    for (char *at = text.data; wrong == NULL && !ended; line++) {
        char *stop = strchr(at, '\n');
        last = line;
        if (stop == NULL) {
            wrong = "the file is cut off";
            break;
        }
        *stop = '\0';
        if (line == 1) {
            if (strncmp(at, head, sizeof head - 1) != 0)
                wrong = "this is no coverage of a run (`lockstep run UNIT --coverage FILE`)";
            else if ((*unit = ls_unit_find(at + sizeof head - 1)) == NULL) wrong = "there is no such unit";
        } else if (strncmp(at, "end\t", 4) == 0) {
            uint64_t lines;
            ended = true;
            if (!number(at + 4, UINT64_MAX, &lines) || lines != line - 2 || stop[1] != '\0')
                wrong = "the number of lines is another";
        } else {
            wrong = take_line(points, at);
        }
        at = stop + 1;
    }
    free(ls_text_take(&text));
    if (wrong == NULL) return 0;
    (void)snprintf(error, size, "%s:%zu: %s", path, last, wrong);
    return -1;
}
