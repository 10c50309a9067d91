/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/synth/synth_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

#define BLANKS " \t\r"

int ls_table_wrong(const ls_table *t, const ls_table_row *row, size_t field, const char *what, char *error, size_t size) {
    (void)snprintf(error, size, "%s:%u: %s: %s", t->path, row->line, t->fields[field], what);
    return -1;
}

/* Cuts the line into the row's words. 0, or -1 and a message. */
static int cut(const ls_table *t, ls_table_row *row, char *line, char *error, size_t size) {
    for (size_t i = 0; i < t->field_count; i++) {
        const bool last = i + 1 == t->field_count;
        line += strspn(line, BLANKS);
        size_t n = last ? strlen(line) : strcspn(line, BLANKS);
        for (; last && n > 0 && strchr(BLANKS, line[n - 1]) != NULL; n--) {
        }
        row->word[i] = ls_format("%.*s", (int)n, line);
        if (n == 0 && !last) return ls_table_wrong(t, row, i, "missing", error, size);
        line += n;
    }
    return 0;
}

int ls_table_read(const char *path, const char *const *fields, ls_table *t, char *error, size_t size) {
    *t = (ls_table){.path = ls_copy(path), .fields = fields};
    while (fields[t->field_count] != NULL) t->field_count++;
    ls_text text = {0};
    int status = ls_text_read(&text, path);
    if (status != 0) (void)snprintf(error, size, "%s: %s", path, strerror(-status));
    ls_text_put(&text, "", 0);
    unsigned number = 0;
    for (char *line = text.data, *next; status == 0 && line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        number++;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, BLANKS)] == '\0') continue;
        t->rows = ls_grow(t->rows, t->count, sizeof *t->rows);
        ls_table_row *row = &t->rows[t->count++];
        *row = (ls_table_row){.line = number};
        status = cut(t, row, line, error, size);
    }
    free(ls_text_take(&text));
    if (status == 0) return 0;
    ls_table_free(t);
    return -1;
}

void ls_table_free(ls_table *t) {
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0; k < t->field_count; k++) free(t->rows[i].word[k]);
    free(t->rows);
    free(t->path);
    *t = (ls_table){0};
}

int ls_table_number(const ls_table *t, const ls_table_row *row, size_t field, double min, double max, double *number, char *error,
                    size_t size) {
    char *end, what[160];
    const char *word = row->word[field];
    *number = strtod(word, &end);
    if (end != word && *end == '\0' && isfinite(*number) && *number >= min && *number <= max) return 0;
    (void)snprintf(what, sizeof what, "\"%.60s\"; expected a number from %g to %g", word, min, max);
    return ls_table_wrong(t, row, field, what, error, size);
}
