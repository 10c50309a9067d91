/* SPDX-License-Identifier: Apache-2.0 */
/* Which bits of a unit belong to a lane, and what a graph becomes when all bits of lanes but one are taken away. */
#ifndef LS_LANES_H
#define LS_LANES_H

#include "harness/netlist/aig.h"
#include "harness/proof/slices.h"

typedef struct ls_lanes {
    uint32_t count;  /* of lanes: LANES */
    uint32_t **lane; /* of each field, of each bit of an element: the lane that it belongs to; `count`: to none */
    uint32_t **zero; /* and the bit of lane 0 in its place */
    uint32_t fields;
} ls_lanes;

/* A field, or a member of a record, that is LANES times as wide as it is with LANES=1 has one share for each lane, lane 0 lowest; one
 * that is as wide belongs to no lane. NULL; or an error to free: there is no LANES, or less than two, or a field is neither. Either
 * way ls_lanes_free. */
char *ls_lanes_make(ls_lanes *lanes, const ls_unit *unit, const void *cfg, const ls_slices *slices);
void ls_lanes_free(ls_lanes *lanes);

/* The literals of the maker's variables when lane 0's leaves are those of `lane`, and those of all other lanes 0; with `lane` =
 * count, those of all lanes. To be freed. The gates go into the same maker. */
uint32_t *ls_lanes_put(const ls_lanes *lanes, const ls_slices *slices, ls_aig_maker *maker, uint32_t lane);

#endif
