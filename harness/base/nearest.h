/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the known name that is nearest to a wrong one. */
#ifndef LS_NEAREST_H
#define LS_NEAREST_H

#include <stddef.h>

typedef struct ls_nearest {
    const char *word; /* what was written */
    const char *name; /* the nearest of those tried; NULL: none is near */
    size_t changes;
} ls_nearest;

/* Letters to change, add, leave out or swap with their neighbour until `a` is `b`; case does not matter. */
size_t ls_changes(const char *a, const char *b);

/* Takes `name` when it is nearer than those before it, and near at all: at most 2 changes, and at most one for three letters; or
 * one is the beginning of the other, which has three letters at least or lacks one alone. */
void ls_nearest_try(ls_nearest *nearest, const char *name);

/* The nearest of a list that ends with NULL, or NULL. */
const char *ls_nearest_of(const char *word, const char *const *names);

#endif
