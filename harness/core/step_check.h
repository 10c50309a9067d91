/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a model's `step` is its `comb`, then its `clock`: a cycle that takes these is walked by the other on a copy. */
#ifndef LS_STEP_CHECK_H
#define LS_STEP_CHECK_H

#include "harness/core/pair.h"

typedef struct ls_step_check {
    void *model, *out;
    ls_bytes *runs; /* of bytes that are copied: a struct has megabytes, most of them nobody's */
    size_t run_count;
} ls_step_check;

/* Copies the model before its cycle. `s` begins as {0}. */
void ls_step_check_before(ls_step_check *s, const ls_pair *pair);
/* After the cycle, with its inputs: the first field of the list in which the copy, stepped, differs, or NULL. */
const ls_field *ls_step_check_after(ls_step_check *s, const ls_pair *pair);
void ls_step_check_free(ls_step_check *s);

#endif
