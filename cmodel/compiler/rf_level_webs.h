/* SPDX-License-Identifier: Apache-2.0 */
/* Register instances of a kernel: what rf_level_alloc.c places above the main register file (MRF). Internal to it.
 *
 * A region is what a value may be kept in: a strand, or a strand's part of one basic block. Inside, control flows forward only,
 * in the order of the instructions. An instance is either a web: the definitions in the region that reach a common read, with all
 * reads that only they reach; or a group: reads of one value that lies in the MRF, the first of which is passed and executed by
 * every lane that comes to the others. */
#ifndef RF_LEVEL_WEBS_H
#define RF_LEVEL_WEBS_H

#include "cmodel/compiler/rf_level_alloc.h"

#define RF_LEVEL_NONE UINT32_MAX

/* One register in one instruction, read or written. */
typedef struct rf_level_event {
    uint32_t inst;
    uint32_t node;     /* the value */
    uint16_t operands; /* bit i: source or destination i of rf_kinst_words */
    bool write;
} rf_level_event;

/* A region's instructions of one block. */
typedef struct rf_level_seg {
    uint32_t first, end; /* instructions first .. end-1 */
    uint32_t block, region;
    uint32_t next[2];         /* segments of the region that may follow: later ones, or RF_LEVEL_NONE */
    uint32_t idom;            /* the segment that dominates it, itself if none */
    uint32_t number, numbers; /* in the tree of dominators: its own, and how many it and those below it have */
} rf_level_seg;

typedef struct rf_level_instance {
    uint32_t reg;
    uint32_t event, count; /* its events, in the order of the program, an instruction's read first */
    bool group;            /* the first event is the read that keeps */
} rf_level_instance;

/* A value of a register: what it is at the region's entry (nodes 0 .. nreg-1), written by an instruction, or one of several. */
typedef struct rf_level_node {
    uint32_t edge;   /* the values that it is one of: first of a list; RF_LEVEL_NONE: none */
    uint32_t parent; /* union-find: the web */
    uint32_t reg;
    uint32_t merge; /* the segment at whose start it is made of several; else RF_LEVEL_NONE */
    bool outside;   /* it may be what was there at the region's entry */
    bool mrf;       /* a read needs it in the MRF, or what follows the region does */
    bool joined;    /* all that it may be is one web */
} rf_level_node;

typedef struct rf_level_edge {
    uint32_t node, next;
} rf_level_edge;

typedef struct rf_level_webs {
    const rf_kernel *kernel;
    const rf_strands *strands;
    const rf_liveness *live;
    rf_level_seg *seg; /* in the order of the program */
    uint32_t nseg;
    uint32_t *seg_of;     /* ninst */
    uint64_t *live_after; /* nseg sets: behind a segment */
    uint32_t *order;      /* nseg: a region's segments one behind the other, rising */
    uint32_t *start;      /* nregion + 1: where a region begins in `order` */
    uint32_t nregion;

    /* Of one region: rf_level_webs_find. */
    rf_level_instance *instance;
    uint32_t ninstance;
    rf_level_event *event; /* of all instances, up to event_capacity in any region */
    size_t event_capacity;
    rf_level_node *node;

    /* To work in. */
    uint32_t nnode, node_capacity, nedge, edge_capacity;
    rf_level_edge *edge;
    rf_level_event *found; /* the region's, in the order of the program */
    uint32_t nfound;
    uint32_t *row;    /* a value for every register, a row for each segment of the region */
    uint32_t *place;  /* nseg: which row */
    uint32_t *bucket; /* per node */
    uint32_t *stack;  /* per node */
} rf_level_webs;

/* All regions; `branches`: they are strands. 0, or -1: no memory. */
int rf_level_webs_open(rf_level_webs *webs, const rf_strands *strands, const rf_liveness *live, bool branches);
/* The instances of one region. 0, or -1: no memory. */
int rf_level_webs_find(rf_level_webs *webs, uint32_t region);
void rf_level_webs_close(rf_level_webs *webs);

#endif
