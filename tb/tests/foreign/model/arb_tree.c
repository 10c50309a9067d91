/* SPDX-License-Identifier: Apache-2.0 */
#include "model/arb_tree.h"

#include <stddef.h>
#include <string.h>

const char *arb_tree_check(const arb_tree_cfg *cfg) {
    if (cfg->levels < 3 || cfg->levels > 3) return "LEVELS must be 3 to 3";
    return NULL;
}

int arb_tree_init(arb_tree *m, const arb_tree_cfg *cfg) {
    if (arb_tree_check(cfg) != NULL) return -1;
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    arb_tree_reset(m);
    return 0;
}

void arb_tree_reset(arb_tree *m) {
    m->node_1_n_turn = 0;
    m->node_2_n_turn = 0;
    m->node_3_n_turn = 0;
    m->node_4_n_turn = 0;
    m->node_5_n_turn = 0;
    m->node_6_n_turn = 0;
    m->node_7_n_turn = 0;
}

/* Whose turn it is at node `i` of the heap, 1 the root. */
static uint8_t *turn(arb_tree *m, uint32_t i) {
    uint8_t *const all[] = {&m->node_1_n_turn, &m->node_2_n_turn, &m->node_3_n_turn, &m->node_4_n_turn,
                            &m->node_5_n_turn, &m->node_6_n_turn, &m->node_7_n_turn};
    return all[i - 1];
}

/* Whether somebody below node `i` asks; leaves are 8 to 15. */
static int asks(const arb_tree_in *in, uint32_t i) {
    return i >= 8 ? in->requests >> (i - 8) & 1 : asks(in, 2 * i) || asks(in, 2 * i + 1);
}

static int goes_right(const arb_tree *m, const arb_tree_in *in, uint32_t i) {
    arb_tree copy = *m;
    return asks(in, 2 * i + 1) && (*turn(&copy, i) || !asks(in, 2 * i));
}

void arb_tree_comb(const arb_tree *m, const arb_tree_in *in, arb_tree_out *out) {
    uint32_t i = 1;
    while (i < 8) i = 2 * i + (uint32_t)goes_right(m, in, i);
    out->any = (uint8_t)asks(in, 1);
    out->winner = out->any ? (uint8_t)(i - 8) : 0;
}

void arb_tree_clock(arb_tree *m, const arb_tree_in *in) {
    const arb_tree now = *m;
    for (uint32_t i = 1, right; i < 8 && in->accept && asks(in, 1); i = 2 * i + right) {
        right = (uint32_t)goes_right(&now, in, i);
        *turn(m, i) = !right;
    }
}
