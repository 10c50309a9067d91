/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's RTL as an and-inverter graph, read by Yosys: outputs and next states of any input and any state. */
#ifndef LS_RTL_GRAPH_H
#define LS_RTL_GRAPH_H

#include "harness/netlist/aig.h"
#include "harness/proof/boxes.h"

typedef struct ls_rtl_request {
    const ls_unit *unit;
    const void *cfg;
    const char *const *rtl; /* files in place of ours; NULL: ours */
    size_t rtl_count;
    const char *const *cut; /* units inside that their models stand for (boxes.h) */
    size_t cut_count;
    const char *folder; /* for temporary files */
    unsigned timeout_ms;
} ls_rtl_request;

typedef struct ls_rtl_graph {
    ls_aig aig;
    uint32_t reset; /* its variable; 0: there is none */
    bool reset_high;
    uint32_t *latch; /* of each leaf of the slices: the literal of `aig` that is its register; 0: it is no flip-flop there */
    uint32_t *leaf;  /* of each variable that is an input or latch: the literal of a leaf, or of an input behind them */
    char *hash;      /* of the sources */
    ls_boxes boxes;
    uint32_t unbound; /* flip-flops that are in no field, like the variables of loops, and nets that nothing drives: inputs behind
                         the leaves */
} ls_rtl_graph;

/* NULL, or an error to free. Either way ls_rtl_graph_free. */
char *ls_rtl_graph_make(ls_rtl_graph *graph, const ls_rtl_request *request, const ls_slices *slices);
void ls_rtl_graph_free(ls_rtl_graph *graph);

/* What it makes of the leaves of a maker, while reset is on or off. `state`: the literals of the registers that it begins with, by
 * leaf, behind a cycle of reset; NULL: the leaves. NULL, or an error to free; either way ls_rtl_map_free. */
typedef struct ls_rtl_map {
    uint32_t *variable; /* of each of its variables the literal (ls_aig_became) */
    uint32_t *next;     /* of each leaf that is a register of a box: what it becomes */
    uint32_t *claim;    /* of each instance of a box: what the proof of its unit supposes of the state */
} ls_rtl_map;
char *ls_rtl_graph_put(const ls_rtl_graph *graph, ls_aig_maker *maker, bool reset, const uint32_t *state, ls_rtl_map *map);
void ls_rtl_map_free(ls_rtl_map *map);

/* The name of what that input behind the leaves stands for, to be freed. */
char *ls_rtl_graph_unbound(const ls_rtl_graph *graph, uint32_t input);

/* Of the map of ls_rtl_graph_put: a bit of an output, or what a bit of the state is after the cycle. false: the RTL has no such
 * bit. */
bool ls_rtl_graph_output(const ls_rtl_graph *graph, const ls_rtl_map *map, const ls_field *field, uint32_t bit,
                         uint32_t *literal);
bool ls_rtl_graph_next(const ls_rtl_graph *graph, const ls_rtl_map *map, uint32_t leaf, uint32_t *literal);

#endif
