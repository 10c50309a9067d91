/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_sched_groups. */
#include "cmodel/banked/rf_sched_groups.h"
#include "cmodel/banked/rf_sched_tree.h"

#include "harness/core/unit.h"

typedef struct rf_sched_groups_stim {
    ls_rng rng;
    uint32_t density; /* of ready, in 256ths */
    uint32_t hold;    /* probability that ready stays as it was, in 256ths */
    uint32_t wake;    /* density of the warps that become ready again, in 256ths; 0: every cycle draws all warps */
    uint32_t take;    /* probability, in 256ths */
    uint32_t launch;  /* probability that any warp starts, in 256ths */
    uint64_t ready;
} rf_sched_groups_stim;

static void stim_init(rf_sched_groups_stim *s, const rf_sched_groups *m, uint64_t seed) {
    static const uint32_t densities[] = {8, 64, 128, 224, 250};
    static const uint32_t wakes[] = {0, 0, 2, 8, 32};
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->density = densities[ls_rng_below(&s->rng, 5)];
    s->hold = ls_rng_below(&s->rng, 160);
    s->wake = wakes[ls_rng_below(&s->rng, 5)];
    s->take = 80 + ls_rng_below(&s->rng, 144);
    s->launch = 24 + ls_rng_below(&s->rng, 64);
    s->ready = 0;
}

/* The warp that issued last, one hot: mask_q is those above it. After reset the highest. */
static uint64_t last_warp(const rf_sched_groups *m) {
    const uint64_t above = m->mask_q;
    return ((above >> 1) | (UINT64_C(1) << (m->cfg.warps - 1))) & ~above;
}

/* The warps of fetch group g. */
static uint64_t group_warps(const rf_sched_groups_cfg *cfg, uint32_t g) {
    return rf_mask64(cfg->fetch) << (g * cfg->fetch) & rf_mask64(cfg->warps);
}

static uint32_t group_count(const rf_sched_groups_cfg *cfg) { return (cfg->warps + cfg->fetch - 1) / cfg->fetch; }

/* Few groups at a time: what a vector over all warps seldom gives when there are many. */
static uint64_t draw_groups(rf_sched_groups_stim *s, const rf_sched_groups *m) {
    const uint32_t kind = ls_rng_below(&s->rng, 4);
    const uint64_t some = ls_rng_bits(&s->rng, m->cfg.warps, 128);
    const uint64_t current = group_warps(&m->cfg, m->group_q);
    if (kind == 0) return some & current;
    if (kind == 1) return some & ~current;
    if (kind == 2) return group_warps(&m->cfg, ls_rng_below(&s->rng, group_count(&m->cfg)));
    return last_warp(m);
}

static void stim(rf_sched_groups_stim *s, const rf_sched_groups *m, rf_sched_groups_in *in) {
    const uint32_t warps = m->cfg.warps;
    if (ls_rng_chance(&s->rng, 24)) s->ready = ls_rng_value(&s->rng, warps);
    else if (ls_rng_chance(&s->rng, 32)) s->ready = draw_groups(s, m);
    else if (s->wake != 0) /* a ready warp stays so until it issues, and comes back later */
        s->ready = (s->ready & ~last_warp(m)) | ls_rng_bits(&s->rng, warps, s->wake);
    else if (!ls_rng_chance(&s->rng, s->hold)) s->ready = ls_rng_bits(&s->rng, warps, s->density);
    in->ready = s->ready;
    in->launch = ls_rng_chance(&s->rng, s->launch) ? ls_rng_value(&s->rng, warps) : 0;
    in->take = ls_rng_chance(&s->rng, s->take);
}

static const char *const bin_names[] = {"idle",
                                        "all ready",
                                        "on in the group, above the last warp",
                                        "round in the group",
                                        "a warp of the group loses its turn",
                                        "another group waits",
                                        "on to a later group",
                                        "round to an earlier group",
                                        "a group is passed over",
                                        "the smaller last group",
                                        "the last warp again, alone",
                                        "chosen but not taken",
                                        "take without a ready warp",
                                        "the chosen warp is replaced",
                                        "all warps start",
                                        "the other is in the lower half",
                                        "the other is in the upper half",
                                        "two ready warps, but no other",
                                        "the other is of the chosen warp's group",
                                        "the other is not the lowest of its half",
                                        NULL};

static uint64_t bins(const rf_sched_groups *m, const rf_sched_groups_in *in, const rf_sched_groups_out *out) {
    const rf_sched_groups_cfg *cfg = &m->cfg;
    const uint64_t all = rf_mask64(cfg->warps), low = rf_sched_tree_low(cfg->warps);
    const uint32_t count = group_count(cfg), group = out->warp / cfg->fetch;
    const uint64_t current = group_warps(cfg, m->group_q), chosen = group_warps(cfg, group);
    const uint64_t below = out->onehot - 1; /* all warps when none is chosen */
    const bool here = (out->onehot & current) != 0, above = (out->onehot & m->mask_q) != 0;
    const uint64_t rivals = in->ready & ((out->onehot & low) != 0 ? ~low : low);
    return (uint64_t)(in->ready == 0) << 0 | (uint64_t)(in->ready == all) << 1 | (uint64_t)(here && above) << 2 |
           (uint64_t)(here && !above) << 3 | (uint64_t)(here && above && (in->ready & current & below) != 0) << 4 |
           (uint64_t)(here && (in->ready & ~current) != 0) << 5 | (uint64_t)(out->valid && group > m->group_q) << 6 |
           (uint64_t)(out->valid && group < m->group_q) << 7 |
           (uint64_t)(out->valid && !here && group != (m->group_q + 1u) % count) << 8 |
           (uint64_t)(cfg->warps % cfg->fetch != 0 && out->valid && group == count - 1) << 9 |
           (uint64_t)(in->ready == last_warp(m)) << 10 | (uint64_t)(out->valid && !in->take) << 11 |
           (uint64_t)(in->take && !out->valid) << 12 | (uint64_t)((in->launch & out->onehot) != 0 && in->take) << 13 |
           (uint64_t)(in->launch == all) << 14 | (uint64_t)((out->other & low) != 0) << 15 |
           (uint64_t)((out->other & ~low) != 0) << 16 | (uint64_t)((in->ready & (in->ready - 1)) != 0 && out->other == 0) << 17 |
           (uint64_t)((out->other & chosen) != 0) << 18 | (uint64_t)(out->other != 0 && (rivals & (out->other - 1)) != 0) << 19;
}

static void unreachable(const rf_sched_groups_cfg *cfg, ls_unreachable *to) {
    const uint32_t half = (uint32_t)__builtin_popcountll(rf_sched_tree_low(cfg->warps)), count = group_count(cfg);
    ls_unreachable_if(to, cfg->fetch == 1 || cfg->warps == 1, 2, "a fetch group has one warp");
    ls_unreachable_if(to, cfg->fetch == 1 || cfg->warps == 1, 4, "a fetch group has one warp");
    ls_unreachable_if(to, count == 1, 5, "one fetch group");
    ls_unreachable_if(to, count == 1, 6, "one fetch group");
    ls_unreachable_if(to, count == 1, 7, "one fetch group");
    ls_unreachable_if(to, count < 3, 8, "no group lies between two others");
    ls_unreachable_if(to, cfg->warps % cfg->fetch == 0, 9, "all groups have as many warps");
    ls_unreachable_if(to, cfg->warps == 1, 15, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 16, "one warp");
    ls_unreachable_if(to, cfg->warps < 3, 17, "each half has one warp at most");
    const bool whole = half % cfg->fetch == 0 || half == cfg->warps;
    ls_unreachable_if(to, whole, 18, "no fetch group lies in both halves");
    ls_unreachable_if(to, whole, 19, "no fetch group lies in both halves");
    ls_unreachable_if(to, half < cfg->fetch, 19, "the fetch group of both halves is the lowest");
}

static const ls_fault faults[] = {
    {"the turn in the group is not heeded", NULL, "((ready_i & turn) != '0) ? ready_i & turn : ", "", "warp", NULL},
    {"round-robin over all groups", NULL, "mask_q & from & ~(from << FETCH)", "mask_q", "warp", NULL},
    {"the turn goes on into the next group", NULL, "mask_q & from & ~(from << FETCH)", "mask_q & from", "warp",
     "WARPS=8 FETCH=3"},
    {"always from group 0", NULL, "(ready_from != '0) ? ready_from : ready_i", "ready_i", "warp", NULL},
    {"no way round to an earlier group", NULL, "(ready_from != '0) ? ready_from : ready_i", "ready_from", "warp", NULL},
    {"a group is a warp too small", NULL, "7'(group_q) * 7'(FETCH)", "7'(group_q) * 7'(FETCH - 1)", "warp", NULL},
    {"group size rounded up to a power of two", NULL, "7'(group_q) * 7'(FETCH)", "7'(group_q) << $clog2(FETCH)", "warp",
     "WARPS=24 FETCH=5"},
    {"the group does not move", NULL, "group_d = issue ? group : group_q", "group_d = group_q", "group_q", NULL},
    {"the group moves although not taken", NULL, "group_d = issue ?", "group_d = valid_o ?", "group_q", NULL},
    {"the group is forgotten when none is ready", NULL, "group_d = issue ?", "group_d = take_i ?", "group_q", NULL},
    {"the group goes on by one", NULL,
     "group_d = issue ? group :", "group_d = issue && group != group_q ? group_q + 1'b1 :", "group_q", NULL},
    {"the turn does not move", NULL, "mask_d  = issue ?", "mask_d  = issue && group != group_q ?", "mask_q", NULL},
    {"the turn moves although not taken", NULL, "mask_d  = issue ?", "mask_d  = valid_o ?", "mask_q", NULL},
    {"the last warp keeps its turn", NULL, "~(onehot_o | (onehot_o - 1'b1))", "~(onehot_o - 1'b1)", "mask_q", NULL},
    {"a launch gives the turn away", NULL, "(onehot_o - 1'b1)) : mask_q", "(onehot_o - 1'b1)) : mask_q & ~launch_i", "mask_q",
     NULL},
    {"a new warp is not chosen", NULL, "assign ready_from = ready_i & from;\n  assign pool       = ((ready_i & turn) != '0)",
     "assign ready_from = ready_i & from & ~launch_i;\n  assign pool       = ((ready_i & turn) != '0)", "warp", NULL},
    {"valid only when taken", NULL, "valid_o    = ready_i != '0", "valid_o    = ready_i != '0 && take_i", "valid", NULL},
    {"the other is in the chosen warp's half", NULL, "!= '0) ? ~LOW : LOW", "!= '0) ? LOW : ~LOW", "other", NULL},
    {"the other is of all warps not chosen", NULL, "ready_i & (((onehot_o & LOW) != '0) ? ~LOW : LOW)", "ready_i & ~onehot_o",
     "other", NULL},
    {"the halves are parted in the middle", NULL, "1 << (WARP_W - 1) : 0", "WARPS / 2 : 0", "other", "WARPS=24"},
    {"the halves are parted between fetch groups", NULL, "1 << (WARP_W - 1) : 0", "(1 << (WARP_W - 1)) / FETCH * FETCH : 0",
     "other", "WARPS=24 FETCH=5"},
    {"the other is the lowest of its half", NULL, "(rivals_from != '0) ? rivals_from : rivals", "rivals", "other",
     "WARPS=24 FETCH=5"},
    {"the other is only of this group and above", NULL, "(rivals_from != '0) ? rivals_from : rivals", "rivals_from", "other",
     NULL},
    {"reset leaves the group", NULL, "group_q <= '0;", "", "group_q", NULL},
    {0},
};

static const char *const sets[] = {"",
                                   "WARPS=1 FETCH=1",
                                   "WARPS=1 FETCH=64",
                                   "WARPS=2 FETCH=1",
                                   "WARPS=3 FETCH=2",
                                   "WARPS=8 FETCH=3",
                                   "WARPS=10 FETCH=1",
                                   "WARPS=24 FETCH=5",
                                   "WARPS=24 FETCH=24",
                                   "WARPS=33 FETCH=8",
                                   "WARPS=48 FETCH=7",
                                   "WARPS=64 FETCH=1",
                                   "WARPS=64 FETCH=8",
                                   "WARPS=64 FETCH=63",
                                   "WARPS=64 FETCH=64",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_sched_groups
#define LS_GROUP "banked"
#define LS_BRIEF "warp scheduler, two-level round-robin over fetch groups"
#define LS_FIELDS "tb/banked/rf_sched_groups.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
