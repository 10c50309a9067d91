/* SPDX-License-Identifier: Apache-2.0 */
/* A failing case made small: fewer cycles, fewer inputs, less of its start state, as long as the same field still differs first.
 */
#ifndef LS_SHRINK_H
#define LS_SHRINK_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/core/field.h"
#include "harness/core/run.h"

typedef struct ls_shrink_report {
    size_t cycles_before, cycles_after;
    size_t inputs_before, inputs_after; /* input elements that are not 0, summed over all cycles */
    size_t state_before, state_after;   /* elements of the start state */
    size_t trials;
    bool passes;             /* the case does not fail, or in another field than it says */
    bool minimal;            /* no single cycle, no single input and nothing of the start state can be taken away */
    char field[LS_NAME_MAX]; /* the one that the case fails in */
    char message[512];       /* on failure */
} ls_shrink_report;

/* Shrinks the case at `from` into `to`, on the DUT `so_path`, which lacks what `masks` say (NULL: nothing). Delta debugging
 * (Zeller and Hildebrandt, IEEE TSE 28(2), 2002) over the cycles, the inputs and the start state. 0; -1 with a message when the
 * case does not fail or cannot be read or written. */
int ls_shrink(const char *from, const char *to, const char *so_path, bool ports_only, const ls_masks *masks,
              ls_shrink_report *report);

#endif
