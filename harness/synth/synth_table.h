/* SPDX-License-Identifier: Apache-2.0 */
/* Text files of one row a line, words between blanks, "#" to the line's end a comment: those of synth_scripts/. */
#ifndef LS_SYNTH_TABLE_H
#define LS_SYNTH_TABLE_H

#include <stddef.h>

#define LS_TABLE_FIELDS_MAX 12u

typedef struct ls_table_row {
    unsigned line;
    char *word[LS_TABLE_FIELDS_MAX];
} ls_table_row;

typedef struct ls_table {
    char *path;
    const char *const *fields; /* their names, for messages; ends with NULL */
    size_t field_count;
    ls_table_row *rows;
    size_t count;
} ls_table;

/* Reads the file: each row has a word for each of `fields`, and the last field is the rest of the line ("" when nothing is left).
 * 0; or -1 and "FILE:LINE: FIELD: what is wrong" in `error`. */
int ls_table_read(const char *path, const char *const *fields, ls_table *table, char *error, size_t size);
void ls_table_free(ls_table *table);

/* The number in a field, `min` to `max`. 0; or -1 and a message as above. */
int ls_table_number(const ls_table *table, const ls_table_row *row, size_t field, double min, double max, double *number,
                    char *error, size_t size);

/* Writes "FILE:LINE: FIELD: " and what is wrong with that row's field; returns -1. */
int ls_table_wrong(const ls_table *table, const ls_table_row *row, size_t field, const char *what, char *error, size_t size);

#endif
