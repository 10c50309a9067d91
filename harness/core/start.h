/* SPDX-License-Identifier: Apache-2.0 */
/* Start states: what registers and memories hold before the first cycle that follows on a case's reset, whether a run reaches it
 * or not. In the model's layout; what else its struct has stays as the reset left it. */
#ifndef LS_START_H
#define LS_START_H

#include "harness/core/unit.h"

typedef struct ls_start {
    uint8_t *model; /* values, in a struct of the model; NULL: there is no start state */
    uint8_t *given; /* per byte of it, not 0: it is of an element that is given */
} ls_start;

void ls_start_open(ls_start *start, const ls_unit *unit);
void ls_start_copy(ls_start *to, const ls_start *from, const ls_unit *unit);
void ls_start_free(ls_start *start);

/* Gives an element, from a struct of the model. `field` is of a part (ls_part_of), like the next. */
void ls_start_give(ls_start *start, const ls_field *field, uint32_t index, const void *model);
static inline bool ls_start_gives(const ls_start *start, const ls_field *field, uint32_t index) {
    return start->model != NULL && start->given[field->offset + (size_t)index * field->size] != 0;
}
/* How many elements are given. */
size_t ls_start_count(const ls_start *start, const ls_fields *fields);

/* Puts what is given into a model. */
void ls_start_put(const ls_start *start, const ls_unit *unit, void *model);

/* Where a model's struct changes in 2,000 cycles of its stimulus, though no field names it, or -1. Such a model remembers more
 * than its registers: they alone are no state of it. Elements beyond those that a field has at these parameters are nobody's;
 * those of inputs are 0 in these cycles. */
int64_t ls_start_hidden(const ls_unit *unit, const void *cfg);

#endif
