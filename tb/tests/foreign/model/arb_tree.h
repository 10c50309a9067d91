/* SPDX-License-Identifier: Apache-2.0 */
/* The model of arb_tree: what its RTL does, cycle by cycle and bit by bit. */
#ifndef ARB_TREE_H
#define ARB_TREE_H

#include <stdint.h>

/* The RTL's parameters. */
typedef struct arb_tree_cfg {
    uint32_t levels; /* 3 to 3 */
} arb_tree_cfg;

/* The ports. */
typedef struct arb_tree_in {
    uint8_t requests; /* requests: 8 bits */
    uint8_t accept;   /* accept: 1 bit */
} arb_tree_in;

typedef struct arb_tree_out {
    uint8_t any;    /* any: 1 bit */
    uint8_t winner; /* winner: 3 bits */
} arb_tree_out;

/* The registers. */
typedef struct arb_tree {
    arb_tree_cfg cfg;
    uint8_t node_1_n_turn; /* node[1].n.turn: 1 bit */
    uint8_t node_2_n_turn; /* node[2].n.turn: 1 bit */
    uint8_t node_3_n_turn; /* node[3].n.turn: 1 bit */
    uint8_t node_4_n_turn; /* node[4].n.turn: 1 bit */
    uint8_t node_5_n_turn; /* node[5].n.turn: 1 bit */
    uint8_t node_6_n_turn; /* node[6].n.turn: 1 bit */
    uint8_t node_7_n_turn; /* node[7].n.turn: 1 bit */
} arb_tree;

/* NULL, or the parameter that is out of range and its range. */
const char *arb_tree_check(const arb_tree_cfg *cfg);
/* Takes `cfg` and resets: 0, or -1 for what check refuses. */
int arb_tree_init(arb_tree *m, const arb_tree_cfg *cfg);
void arb_tree_reset(arb_tree *m);
/* The outputs of this cycle. */
void arb_tree_comb(const arb_tree *m, const arb_tree_in *in, arb_tree_out *out);
/* The rising edge of the clock. */
void arb_tree_clock(arb_tree *m, const arb_tree_in *in);

#endif
