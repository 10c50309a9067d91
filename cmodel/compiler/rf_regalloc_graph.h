/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of rf_regalloc.c: one round's interference graph, and the steps that work on it. Nothing for other callers. */
#ifndef RF_REGALLOC_GRAPH_H
#define RF_REGALLOC_GRAPH_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_RA_MEMORY_COST 4.0 /* of a load or store of local memory, in ALU instructions (choice) */

/* Flags of a variable that are kept from round to round. */
#define RF_RA_TEMPORARY 1u /* made for one instruction: never put into memory again */
#define RF_RA_WHOLE 2u     /* no read behind a guarded write of it needs what was there before */

/* A variable and all that were coalesced into it. Widths: 0 a predicate, 1 a word, 2 an aligned pair. */
typedef struct rf_ra_node {
    uint8_t width;
    uint32_t alias;     /* another variable that stands for this one, or itself */
    uint32_t first;     /* its first instruction, in the order of the list */
    bool fixed;         /* a life in memory would win nothing */
    double cost;        /* of a life in memory */
    double remake_cost; /* of making its value anew at each read, by repeating instruction `remake` (RF_KNONE: cannot be) */
    uint32_t remake;
    uint32_t squeeze;    /* places that its neighbours in the graph can take from it at most */
    uint32_t *neighbour; /* those whose alias is not themselves are no more */
    uint32_t neighbours, room;
    uint32_t color; /* register, or RF_KNONE */
} rf_ra_node;

typedef struct rf_ra_move {
    uint32_t to, from;
    double weight;
} rf_ra_move;

typedef struct rf_ra_graph {
    const rf_kernel *kernel;
    uint32_t limit[2];    /* predicates, registers */
    const double *weight; /* per block: how often it runs, estimated */
    uint32_t power;       /* what goes to memory is what costs least by its degree to this power */
    uint32_t nodes;       /* = kernel->nvar */
    rf_ra_node *node;
    uint64_t *matrix; /* lower triangle: bit a * (a - 1) / 2 + b, b < a */
    rf_ra_move *move; /* copies of registers, by falling weight */
    uint32_t moves;
    uint32_t short_of; /* after coloring, 0 or 1: the file that cannot do; RF_KNONE: none */
} rf_ra_graph;

static inline uint32_t rf_ra_find(const rf_ra_graph *graph, uint32_t v) {
    while (graph->node[v].alias != v) v = graph->node[v].alias;
    return v;
}

/* Places that a node can have: registers, or aligned pairs of them. */
static inline uint32_t rf_ra_places(const rf_ra_graph *graph, const rf_ra_node *node) {
    return node->width == 0 ? graph->limit[0] : graph->limit[1] / node->width;
}

/* How many of `node`'s places one neighbour can take. */
static inline uint32_t rf_ra_squeeze(const rf_ra_node *node, const rf_ra_node *neighbour) {
    return node->width == 1 ? neighbour->width : 1;
}

/* How often each block runs by a static estimate, ten times for each loop around it: into weight[nblock]. */
bool rf_ra_weights(const rf_kernel *kernel, double *weight);

/* Nodes, edges, costs and moves of the kernel's variables; flags[nvar]. False: no memory. Its user frees the graph in any case.
 */
bool rf_ra_build(rf_ra_graph *graph, const uint8_t *flags);
void rf_ra_free(rf_ra_graph *graph);

/* Merges what moves connect, where that cannot cost a colour. False: no memory. */
bool rf_ra_coalesce(rf_ra_graph *graph);

/* Gives each node a register, or RF_KNONE to those that must go to memory: *spilled of them. False: no memory. */
bool rf_ra_color(rf_ra_graph *graph, uint32_t *spilled);

/* Puts the nodes without a register into memory, or makes their values anew before each use: rewrites the kernel, whose variables
 * grow with *flags. False: no memory. */
bool rf_ra_spill(rf_kernel *kernel, const rf_ra_graph *graph, uint8_t **flags);

/* Whether an instruction copies one variable to another of the same width, and which. */
bool rf_ra_is_move(const rf_kinst *inst, uint32_t *to, uint32_t *from);

#ifdef __cplusplus
}
#endif
#endif
