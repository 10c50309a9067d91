/* SPDX-License-Identifier: Apache-2.0 */
/* The graph on numbers: 64 states and inputs at a time, and whether it says what the compiled model does. */
#ifndef LS_SIMULATE_H
#define LS_SIMULATE_H

#include "harness/proof/model_graph.h"
#include "harness/proof/proof.h"

/* Values of all variables from those of the inputs: values[0] is set, values[1 .. inputs] are given. */
void ls_simulate(const ls_aig_maker *maker, uint64_t *values);
static inline uint64_t ls_simulated(const uint64_t *values, uint32_t literal) {
    return values[literal >> 1] ^ (0 - (uint64_t)(literal & 1u));
}

/* The structs in which the leaves (bytes 0 or 1, by variable) are; to be freed. The model is aligned as its type demands. */
void *ls_simulate_model(const ls_unit *unit, const void *cfg, const ls_slices *slices, const uint8_t *leaf);
void *ls_simulate_input(const ls_unit *unit, const ls_slices *slices, const uint8_t *leaf);

/* Whether the compiled model, with these leaves, shows what the graph says is not so. What the RTL does, and what C gives no
 * meaning to, is not for the model to show: true. */
bool ls_simulate_confirms(const ls_unit *unit, const void *cfg, const ls_slices *slices, const uint8_t *leaf, ls_proof_kind kind,
                          bool reset);

/* Which claim of the field list does not hold behind a cycle, or after reset, with these leaves; NULL: all do. */
const char *ls_simulate_claim(const ls_unit *unit, const void *cfg, const ls_slices *slices, const uint8_t *leaf, bool reset);

/* Compares the graph with the compiled model on `trials` states and inputs: a third of the states are drawn, a third have few
 * ones, and a third are those of runs from reset on. Those for which C has no meaning are passed over. NULL, or a text to free:
 * what differs. *compared: how many. */
char *ls_simulate_check(const ls_unit *unit, const void *cfg, const ls_slices *slices, const ls_aig_maker *maker,
                        ls_model_graph *graph, unsigned trials, uint64_t *compared);

#endif
