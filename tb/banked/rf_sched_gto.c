/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_sched_gto. */
#include "cmodel/banked/rf_sched_gto.h"
#include "cmodel/banked/rf_sched_tree.h"

#include "harness/core/unit.h"

typedef struct rf_sched_gto_stim {
    ls_rng rng;
    uint32_t density; /* of ready, in 256ths */
    uint32_t hold;    /* probability that ready stays as it was, in 256ths */
    uint32_t take;    /* probability, in 256ths */
    uint32_t launch;  /* probability that any warp starts, in 256ths */
    uint64_t ready;
} rf_sched_gto_stim;

static void stim_init(rf_sched_gto_stim *s, const rf_sched_gto *m, uint64_t seed) {
    static const uint32_t densities[] = {8, 64, 128, 224, 250};
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->density = densities[ls_rng_below(&s->rng, 5)];
    s->hold = ls_rng_below(&s->rng, 160);
    s->take = 80 + ls_rng_below(&s->rng, 144);
    s->launch = 24 + ls_rng_below(&s->rng, 64);
    s->ready = 0;
}

/* Mostly one warp, often the one that issued last; now and then several or all. */
static uint64_t draw_launch(rf_sched_gto_stim *s, const rf_sched_gto *m) {
    const uint32_t kind = ls_rng_below(&s->rng, 16);
    if (kind == 0) return rf_mask64(m->cfg.warps);
    if (kind == 1) return ls_rng_value(&s->rng, m->cfg.warps);
    if (kind < 4) return ls_rng_bits(&s->rng, m->cfg.warps, 64);
    if (kind < 10) return UINT64_C(1) << m->last_q;
    return UINT64_C(1) << ls_rng_below(&s->rng, m->cfg.warps);
}

static void stim(rf_sched_gto_stim *s, const rf_sched_gto *m, rf_sched_gto_in *in) {
    /* A ready vector in which the last warp is flipped gives greedy and oldest the same warps to choose from. */
    if (ls_rng_chance(&s->rng, 24)) s->ready = ls_rng_value(&s->rng, m->cfg.warps);
    else if (ls_rng_chance(&s->rng, 32)) s->ready ^= UINT64_C(1) << m->last_q;
    else if (!ls_rng_chance(&s->rng, s->hold)) s->ready = ls_rng_bits(&s->rng, m->cfg.warps, s->density);
    in->ready = s->ready;
    in->launch = ls_rng_chance(&s->rng, s->launch) ? draw_launch(s, m) : 0;
    in->take = ls_rng_chance(&s->rng, s->take);
}

static const char *const bin_names[] = {"idle",
                                        "all ready",
                                        "the last warp goes on",
                                        "the last warp goes on although an older one is ready",
                                        "the last warp is not ready: the oldest",
                                        "nobody issued last: the oldest",
                                        "the oldest has a higher index than a younger ready one",
                                        "chosen but not taken",
                                        "take without a ready warp",
                                        "one warp starts",
                                        "several warps start",
                                        "all warps start",
                                        "the last warp is replaced",
                                        "the last warp is replaced while another issues",
                                        "the warp that issues is replaced",
                                        "the other is in the lower half",
                                        "the other is in the upper half",
                                        "two ready warps, but no other",
                                        "the other is not the lowest of its half",
                                        "the other is older than the last warp, which goes on",
                                        NULL};

static uint64_t bins(const rf_sched_gto *m, const rf_sched_gto_in *in, const rf_sched_gto_out *out) {
    const uint64_t all = rf_mask64(m->cfg.warps);
    const uint64_t last = m->last_valid_q ? UINT64_C(1) << m->last_q : 0;
    const bool greedy = (in->ready & last) != 0;
    const bool issue = out->valid && in->take;
    const uint64_t low = rf_sched_tree_low(m->cfg.warps);
    const uint64_t rivals = in->ready & ((out->onehot & low) != 0 ? ~low : low);
    return (uint64_t)(in->ready == 0) << 0 | (uint64_t)(in->ready == all) << 1 | (uint64_t)greedy << 2 |
           (uint64_t)(greedy && (m->older_q[m->last_q] & in->ready) != 0) << 3 |
           (uint64_t)(out->valid && last != 0 && !greedy) << 4 | (uint64_t)(out->valid && last == 0) << 5 |
           (uint64_t)(out->valid && !greedy && rf_lowest(in->ready) != out->warp) << 6 |
           (uint64_t)(out->valid && !in->take) << 7 | (uint64_t)(in->take && !out->valid) << 8 |
           (uint64_t)(in->launch != 0 && (in->launch & (in->launch - 1)) == 0) << 9 |
           (uint64_t)((in->launch & (in->launch - 1)) != 0) << 10 | (uint64_t)(in->launch == all) << 11 |
           (uint64_t)((in->launch & last) != 0 && !issue) << 12 | (uint64_t)((in->launch & last) != 0 && issue && !greedy) << 13 |
           (uint64_t)(issue && (in->launch & out->onehot) != 0) << 14 | (uint64_t)((out->other & low) != 0) << 15 |
           (uint64_t)((out->other & ~low) != 0) << 16 | (uint64_t)((in->ready & (in->ready - 1)) != 0 && out->other == 0) << 17 |
           (uint64_t)(out->other != 0 && (rivals & (out->other - 1)) != 0) << 18 |
           (uint64_t)(greedy && (m->older_q[m->last_q] & out->other) != 0) << 19;
}

static void unreachable(const rf_sched_gto_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->warps == 1, 3, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 4, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 6, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 10, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 13, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 15, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 16, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, 19, "one warp");
    ls_unreachable_if(to, cfg->warps < 3, 17, "each half has one warp at most");
    ls_unreachable_if(to, cfg->warps < 3, 18, "each half has one warp at most");
}

static const ls_fault faults[] = {
    {"not greedy", NULL, "greedy = ready_i & last", "greedy = '0", "warp", NULL},
    {"greedy although the last warp is not ready", NULL, "greedy = ready_i & last", "greedy = last & {WARPS{valid_o}}", "warp",
     NULL},
    {"lowest index instead of oldest", NULL, "(older_q[w] & ready_i) == '0", "(~({WARPS{1'b1}} << w) & ready_i) == '0", "warp",
     NULL},
    {"oldest of all instead of oldest ready", NULL, "(older_q[w] & ready_i) == '0", "older_q[w] == '0", "warp", NULL},
    {"the index is that of the oldest", NULL, "(onehot_o & COLUMN)", "(oldest & COLUMN)", "warp", NULL},
    {"the other is in the chosen warp's half", NULL, "!= '0) ? ~LOW : LOW", "!= '0) ? LOW : ~LOW", "other", NULL},
    {"the other is in the half without the oldest, greedy or not", NULL, "((onehot_o & LOW) != '0)", "((oldest & LOW) != '0)",
     "other", NULL},
    {"the other is the lowest of its half", NULL, "(older_q[w] & ready_i & SAME_HALF)",
     "(~({WARPS{1'b1}} << w) & ready_i & SAME_HALF)", "other", NULL},
    {"the other must be the oldest of all", NULL, "older_q[w] & ready_i & SAME_HALF", "older_q[w] & ready_i", "other", NULL},
    {"the other need not be ready", NULL, "finalists[w] = ready_i[w] && ", "finalists[w] = ", "other", NULL},
    {"the halves are parted in the middle", NULL, "1 << (WARP_W - 1) : 0", "WARPS / 2 : 0", "other", "WARPS=24"},
    {"valid only when taken", NULL, "valid_o  = ready_i != '0", "valid_o  = ready_i != '0 && take_i", "valid", NULL},
    {"a warp counts as issued although not taken", NULL, "last_valid_d = issue ||", "last_valid_d = valid_o ||", "last_valid_q",
     NULL},
    {"the last warp changes although not taken", NULL, "issue ? warp_o : last_q", "valid_o ? warp_o : last_q", "last_q", NULL},
    {"the last warp is forgotten when none is ready", NULL, "issue ? warp_o : last_q", "take_i ? warp_o : last_q", "last_q",
     NULL},
    {"last warp is not remembered", NULL, "issue ? warp_o : last_q", "last_q", "last_q", NULL},
    {"launch of the last warp does not end its turn", NULL, "(last_valid_q && (launch_i & last) == '0)", "last_valid_q",
     "last_valid_q", NULL},
    {"launch acts after take", NULL, "issue || (last_valid_q && (launch_i & last) == '0)",
     "(issue || last_valid_q) && (launch_i & (issue ? onehot_o : last)) == '0", "last_valid_q", NULL},
    {"a new warp keeps its age", NULL, "launch_i[w] ? ~launch_i | ~({WARPS{1'b1}} << w) : older_q[w] & ~launch_i",
     "older_q[w] & ~launch_i", "older_q", NULL},
    {"the others stay younger than a new warp", NULL, ": older_q[w] & ~launch_i", ": older_q[w]", "older_q", NULL},
    {"of several new warps the lower index is not older", NULL, "~launch_i | ~({WARPS{1'b1}} << w)", "~launch_i", "older_q",
     NULL},
    {"a warp is older than itself", NULL, "~launch_i | ~({WARPS{1'b1}} << w)", "~launch_i | ~({WARPS{1'b1}} << (w + 1))",
     "older_q", NULL},
    {"reset: a higher index is older", NULL, "older_q[w] <= ~({WARPS{1'b1}} << w);", "older_q[w] <= {WARPS{1'b1}} << (w + 1);",
     "older_q", NULL},
    {"reset leaves last_q", NULL, "last_q       <= '0;", "", "last_q", NULL},
    {"a launch beats reset", NULL, "if (!rst_ni) begin\n      for", "if (!rst_ni && launch_i == '0) begin\n      for", "older_q",
     NULL},
    {0},
};

static const char *const sets[] = {"", "WARPS=1", "WARPS=3", "WARPS=8", "WARPS=24", "WARPS=33", "WARPS=48", "WARPS=64", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_sched_gto
#define LS_GROUP "banked"
#define LS_BRIEF "warp scheduler, greedy then oldest"
#define LS_FIELDS "tb/banked/rf_sched_gto.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
