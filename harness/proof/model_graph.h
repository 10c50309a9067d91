/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's C model as an and-inverter graph: the sources that are linked, compiled by clang, executed symbolically. */
#ifndef LS_MODEL_GRAPH_H
#define LS_MODEL_GRAPH_H

#include "harness/proof/execute.h"
#include "harness/proof/slices.h"

/* What the model makes of any input and any state, bit by bit of its structs: the literals of all bits of each slice's bytes, of
 * which the field has the low ones; the others must be 0. */
typedef struct ls_model_answer {
    const ls_value **value; /* of each slice; NULL: of an input */
} ls_model_answer;

/* A byte of the model's struct that is in no field: its literals before a call and after it. */
typedef struct ls_hidden {
    size_t offset;
    uint32_t before[8], after[8];
    uint32_t lost; /* it has no value then */
    bool reset;    /* after reset; else after a cycle */
} ls_hidden;

typedef struct ls_model_graph {
    ls_execution run;
    ls_ir ir;
    ls_model_answer cycle, step;                         /* comb, then clock; step, NULL values: the unit has none */
    ls_model_answer reset;                               /* reset, and what comb says after it */
    uint32_t invariant, invariant_next, invariant_reset; /* what the field list says of the state, after a cycle, after reset */
    uint32_t invariants;                                 /* so many lines */
    ls_misuse *early;                                    /* what C gives no meaning to in a reset from any state */
    size_t early_count;
    ls_hidden *hidden; /* bytes of the model that are in no field and may have changed */
    size_t hidden_count;
    char *hash; /* of the sources */
    size_t sources;
} ls_model_graph;

/* Makes it; the leaves of `slices` are inputs 1 .. of `maker`. `folder` is for temporary files. NULL, or an error to free. Either
 * way ls_model_graph_free. */
char *ls_model_graph_make(ls_model_graph *graph, const ls_unit *unit, const void *cfg, const ls_slices *slices,
                          ls_aig_maker *maker, const char *folder);
void ls_model_graph_free(ls_model_graph *graph);

#endif
