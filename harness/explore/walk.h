/* SPDX-License-Identifier: Apache-2.0 */
/* A walk through all transitions that were explored: cases whose replay on the RTL takes every input in every state at least
 * once. Each case begins with a reset. */
#ifndef LS_EXPLORE_WALK_H
#define LS_EXPLORE_WALK_H

#include "harness/core/case.h"
#include "harness/explore/explore.h"

typedef struct ls_explore_walk {
    const ls_explored *e;
    const ls_unit *unit;
    const void *cfg;
    uint32_t *first_edge, *edge_to, *edge_by;    /* of each state its other states, once each, and an input that leads there */
    uint8_t *taken;                              /* a bit for each transition */
    uint32_t *left;                              /* of each state: inputs that were not taken in it */
    uint32_t *queue, *from, *from_input, *stamp; /* of a search for the nearest state with one */
    uint32_t searches;
    size_t first; /* no state below has one */
    uint64_t to_take;
} ls_explore_walk;

/* The exploration must have its edges and be complete. */
void ls_explore_walk_begin(ls_explore_walk *walk, const ls_explored *e, const ls_unit *unit, const void *cfg);
/* The next case, of at most about `cycles` cycles; false when every transition has been taken. */
bool ls_explore_walk_next(ls_explore_walk *walk, size_t cycles, ls_case *c);
void ls_explore_walk_free(ls_explore_walk *walk);

#endif
