/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_sched_lrr. */
#include "cmodel/banked/rf_sched_lrr.h"
#include "cmodel/banked/rf_sched_tree.h"

#include "harness/core/unit.h"

typedef struct rf_sched_lrr_stim {
    ls_rng rng;
    uint32_t density; /* of ready, in 256ths */
    uint32_t hold;    /* probability that ready stays as it was, in 256ths */
    uint32_t take;    /* probability, in 256ths */
    uint32_t launch;  /* probability that any warp starts, in 256ths */
    uint64_t ready;
} rf_sched_lrr_stim;

static void stim_init(rf_sched_lrr_stim *s, const rf_sched_lrr *m, uint64_t seed) {
    static const uint32_t densities[] = {8, 64, 128, 224, 250};
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->density = densities[ls_rng_below(&s->rng, 5)];
    s->hold = ls_rng_below(&s->rng, 160);
    s->take = 80 + ls_rng_below(&s->rng, 144);
    s->launch = 24 + ls_rng_below(&s->rng, 64);
    s->ready = 0;
}

/* The warp that issued last, one hot: the pointer is a mask of those above it. After reset the highest. */
static uint64_t last_warp(const rf_sched_lrr *m) {
    const uint64_t above = m->rr.mask_q;
    return ((above >> 1) | (UINT64_C(1) << (m->cfg.warps - 1))) & ~above;
}

static void stim(rf_sched_lrr_stim *s, const rf_sched_lrr *m, rf_sched_lrr_in *in) {
    const uint32_t warps = m->cfg.warps;
    if (ls_rng_chance(&s->rng, 24)) s->ready = ls_rng_chance(&s->rng, 64) ? last_warp(m) : ls_rng_value(&s->rng, warps);
    else if (!ls_rng_chance(&s->rng, s->hold)) s->ready = ls_rng_bits(&s->rng, warps, s->density);
    in->ready = s->ready;
    in->launch = ls_rng_chance(&s->rng, s->launch) ? ls_rng_value(&s->rng, warps) : 0;
    in->take = ls_rng_chance(&s->rng, s->take);
}

static const char *const bin_names[] = {"idle",
                                        "all ready",
                                        "a warp above the last one",
                                        "a warp loses its turn",
                                        "wrapped around",
                                        "the last warp again, alone",
                                        "chosen but not taken",
                                        "take without a ready warp",
                                        "the chosen warp is replaced",
                                        "all warps start",
                                        "the other is in the lower half",
                                        "the other is in the upper half",
                                        "two ready warps, but no other",
                                        "the other comes after a wrap, the chosen warp before it",
                                        NULL};

static uint64_t bins(const rf_sched_lrr *m, const rf_sched_lrr_in *in, const rf_sched_lrr_out *out) {
    const uint64_t all = rf_mask64(m->cfg.warps);
    const uint64_t above = m->rr.mask_q;
    const bool inside = (in->ready & above) != 0;
    const uint64_t low = rf_sched_tree_low(m->cfg.warps);
    return (uint64_t)(in->ready == 0) << 0 | (uint64_t)(in->ready == all) << 1 | (uint64_t)(out->valid && inside) << 2 |
           (uint64_t)(inside && (above & (out->onehot - 1)) != 0) << 3 | (uint64_t)(out->valid && !inside) << 4 |
           (uint64_t)(in->ready == last_warp(m)) << 5 | (uint64_t)(out->valid && !in->take) << 6 |
           (uint64_t)(in->take && !out->valid) << 7 | (uint64_t)((in->launch & out->onehot) != 0 && in->take) << 8 |
           (uint64_t)(in->launch == all) << 9 | (uint64_t)((out->other & low) != 0) << 10 |
           (uint64_t)((out->other & ~low) != 0) << 11 | (uint64_t)((in->ready & (in->ready - 1)) != 0 && out->other == 0) << 12 |
           (uint64_t)(inside && (out->other & ~above) != 0) << 13;
}

#define RR "rtl/common/rf_rr.sv"

static void unreachable(const rf_sched_lrr_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->warps == 1, 2, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 3, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 10, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 11, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 13, "one warp");
    ls_unreachable_if(to, cfg->warps < 3, 12, "each half has one warp at most");
}

static const ls_fault faults[] = {
    {"the turn does not move", RR, "(take_i && valid_o) ? ~(grant_o | (grant_o - 1'b1)) : mask_q", "mask_q", "u_rr.mask_q", NULL},
    {"the turn moves when no warp is chosen", RR, "(take_i && valid_o)", "(take_i)", "u_rr.mask_q", NULL},
    {"the last warp keeps its turn", RR, "~(grant_o | (grant_o - 1'b1))", "~(grant_o - 1'b1)", "u_rr.mask_q", NULL},
    {"fixed priority", RR, "(above != '0) ? above : req_i", "req_i", "warp", NULL},
    {"the turn moves although not taken", NULL, ".take_i  (take_i)", ".take_i  (1'b1)", "u_rr.mask_q", NULL},
    {"a new warp is not chosen", NULL, ".req_i   (ready_i)", ".req_i   (ready_i & ~launch_i)", "valid", "WARPS=1"},
    {"only new warps are chosen", NULL, ".req_i   (ready_i)", ".req_i   (launch_i)", "valid", "WARPS=1"},
    {"the highest index bit is stuck at 0", NULL, "(onehot_o & COLUMN) != '0", "b + 1 < WARP_W && (onehot_o & COLUMN) != '0",
     "warp", NULL},
    {"warp 0 is named 1", NULL, "NUMBERS[b*64 +: WARPS]", "NUMBERS[b*64 +: WARPS] | WARPS'(b == 0)", "warp", NULL},
    {"valid although none is ready", NULL, ".valid_o (valid_o)\n  );", ".valid_o ()\n  );\n  assign valid_o = 1'b1;", "valid",
     NULL},
    {"the other is in the chosen warp's half", NULL, "!= '0) ? ~LOW : LOW", "!= '0) ? LOW : ~LOW", "other", NULL},
    {"the other is of all warps not chosen", NULL, "ready_i & (((onehot_o & LOW) != '0) ? ~LOW : LOW)", "ready_i & ~onehot_o",
     "other", NULL},
    {"all of the other half", NULL, "`RF_LOWEST(rivals)", "rivals", "other", NULL},
    {"the other need not be ready", NULL, "rivals  = ready_i &", "rivals  = {WARPS{valid_o}} &", "other", NULL},
    {"the halves are parted in the middle", NULL, "1 << (WARP_W - 1) : 0", "WARPS / 2 : 0", "other", "WARPS=24"},
    {0},
};

static const char *const sets[] = {"", "WARPS=1", "WARPS=3", "WARPS=8", "WARPS=24", "WARPS=33", "WARPS=48", "WARPS=64", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", RR, NULL};

#define LS_UNIT rf_sched_lrr
#define LS_GROUP "banked"
#define LS_BRIEF "warp scheduler, loose round-robin"
#define LS_FIELDS "tb/banked/rf_sched_lrr.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
