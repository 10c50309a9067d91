/* SPDX-License-Identifier: Apache-2.0 */
/* Small changes of C sources: one operator, constant, condition or statement at a time. Not in comments, strings, preprocessor
 * lines and declarations (but in their initial values), nor in functions that check or set up a configuration (named …_check,
 * …_init). */
#ifndef LS_MUTANTS_SOURCE_H
#define LS_MUTANTS_SOURCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ls_change {
    size_t from, to; /* bytes of the source that ... */
    char *text;      /* ... become this */
    unsigned line, column;
    size_t file; /* for a caller with several sources; 0 at first */
    char *what;  /* in words: "< becomes <=" */
} ls_change;

/* All changes of `source`, in its order; ls_changes_free. */
size_t ls_changes_find(const char *source, ls_change **list);
void ls_changes_free(ls_change *list, size_t count);

/* Keeps `keep` of the changes, drawn by the seed, in the source's order; frees the others. Returns how many there are then. */
size_t ls_changes_draw(ls_change *list, size_t count, size_t keep, uint64_t seed);

/* The source with the change made; free() it. */
char *ls_change_apply(const char *source, const ls_change *change);

#endif
