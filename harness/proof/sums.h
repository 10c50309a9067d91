/* SPDX-License-Identifier: Apache-2.0 */
/* Exclusive ors of many literals (sums, modulo 2) in one shape: those of the same literals, added up in another order, become the
 * same gate. */
#ifndef LS_SUMS_H
#define LS_SUMS_H

#include "harness/netlist/aig.h"

typedef struct ls_sums {
    uint32_t *first; /* of each variable: where its literals begin in the list, their number first; 0: it is no such sum */
    uint32_t *list, room;
} ls_sums;

/* `used`, of each variable: something other than a gate of the maker speaks of it. Of sums that only sums use there is no need. */
void ls_sums_find(ls_sums *sums, const ls_aig_maker *maker, const bool *used);
void ls_sums_free(ls_sums *sums);

/* The sum that `variable` is, of what its literals became in another graph. */
uint32_t ls_sums_put(const ls_sums *sums, uint32_t variable, const uint32_t *map, ls_aig_maker *graph);

#endif
