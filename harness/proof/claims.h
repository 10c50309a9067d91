/* SPDX-License-Identifier: Apache-2.0 */
/* What the invariants say of single leaves, and which of them speak of nothing but what a question depends on. */
#ifndef LS_CLAIMS_H
#define LS_CLAIMS_H

#include "harness/netlist/aig.h"

/* Of each leaf the literal that it is where `holds` is true: of a leaf that stands for itself, or a constant. To be freed. */
uint32_t *ls_claims_leaves(const ls_aig_maker *maker, uint32_t holds);

/* A member of the "and" that the invariant is, and the leaves that it depends on, in no order but that the first is the largest. */
typedef struct ls_claim {
    uint32_t literal, leaves, *leaf;
} ls_claim;

/* Those that depend on few, by their first leaf. */
typedef struct ls_claims {
    ls_claim *list;
    size_t count;
    uint32_t *mark, marked, marks; /* variables that a search saw have its number */
} ls_claims;

void ls_claims_find(ls_claims *claims, const ls_aig_maker *maker, uint32_t holds);
void ls_claims_free(ls_claims *claims);

/* The "and" of the claims that depend on no leaf on which `literal`, of the same maker, does not; 1 when it depends on many. */
uint32_t ls_claims_near(ls_claims *claims, ls_aig_maker *maker, uint32_t literal);

#endif
