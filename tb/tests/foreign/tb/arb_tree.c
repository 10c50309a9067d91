/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of arb_tree. */
#include "model/arb_tree.h"

#include "cmodel/common/rf_types.h"
#include "harness/core/unit.h"

typedef struct arb_tree_stim {
    ls_rng rng;
    uint32_t accept; /* how often it is 1, in 256ths */
} arb_tree_stim;

/* Now and then, with a reset: another mix. */
static void stim_init(arb_tree_stim *s, const arb_tree *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->accept = 8 + ls_rng_below(&s->rng, 241);
}

/* Once a cycle: the inputs. It may read the model, never the RTL. */
static void stim(arb_tree_stim *s, const arb_tree *m, arb_tree_in *in) {
    const arb_tree_cfg *cfg = &m->cfg;
    (void)cfg;
    (void)s;
    (void)in;
    in->requests = (uint8_t)ls_rng_value(&s->rng, 8);
    in->accept = ls_rng_chance(&s->rng, s->accept);
}

static const char *const bin_names[] = {"nobody asks", "one asks", "all ask", "first wins", "last wins", "not accepted", NULL};

static uint64_t bins(const arb_tree *m, const arb_tree_in *in, const arb_tree_out *out) {
    (void)m;
    const uint32_t r = in->requests;
    return (uint64_t)!out->any << 0 | (uint64_t)(out->any && (r & (r - 1)) == 0) << 1 | (uint64_t)(r == 255) << 2 |
           (uint64_t)(out->any && out->winner == 0) << 3 | (uint64_t)(out->winner == 7) << 4 |
           (uint64_t)(out->any && !in->accept) << 5;
}

static const ls_fault faults[] = {
    {"never turns", NULL, "turn <= ~choose_right", "turn <= turn", "node_1_n_turn", NULL},
    {"turns when not taken", NULL, "taken & request", "request", "node_3_n_turn", NULL},
    {"left always first", NULL, "(turn | ~left)", "(~left)", "winner", NULL},
    {0},
};

/* Parameter sets to run at; "" has the defaults. */
static const char *const sets[] = {"", NULL};
static const char *const rtl[] = {NULL}; /* files that the unit's own needs before it: packages */

#define LS_UNIT arb_tree
#define LS_BRIEF "arb_tree"
#define LS_FIELDS "tb/arb_tree.fields"
#include "harness/core/unit_define.h"
