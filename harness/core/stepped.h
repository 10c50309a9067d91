/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a model's `step` is its `comb`, then its `clock`: a cycle that takes these is walked by the other on a copy. */
#ifndef LS_STEPPED_H
#define LS_STEPPED_H

#include "harness/core/pair.h"

typedef struct ls_stepped {
    void *model, *out;
} ls_stepped;

/* Copies the model before its cycle. `s` begins as {0}. */
void ls_stepped_before(ls_stepped *s, const ls_pair *pair);
/* After the cycle, with its inputs: the first field of the list in which the copy, stepped, differs, or NULL. */
const ls_field *ls_stepped_after(ls_stepped *s, const ls_pair *pair);
void ls_stepped_free(ls_stepped *s);

#endif
