/* SPDX-License-Identifier: Apache-2.0 */
/* Known issues: buckets of failures that somebody answers for (format: docs/regression.md). */
#ifndef LS_KNOWN_H
#define LS_KNOWN_H

#include <stddef.h>

typedef struct ls_known {
    size_t line;
    /* As in the table bucket: `unit` is "" for none. `date` is "2030-01-31". */
    char *unit, *field, *kind, *owner, *date, *reason;
} ls_known;

typedef struct ls_known_list {
    ls_known *list;
    size_t count;
} ls_known_list;

/* Reads the file; one that is missing is empty. 0, or -1 and a message "file:line: field: what was expected" with nothing to
 * free. */
int ls_known_read(ls_known_list *known, const char *path, char *error, size_t size);
void ls_known_free(ls_known_list *known);

/* The bucket's field of a field, fault or cell: one word, without indices and brackets, "-" for NULL and "". To be freed. */
char *ls_bucket_field(const char *field);

#endif
