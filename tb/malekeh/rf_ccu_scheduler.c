/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_ccu_scheduler. */
#include "cmodel/malekeh/rf_ccu_scheduler_parts.h"

#include "harness/core/unit.h"

#define CCUS 8u /* so many warps hold data at a time, at most */

typedef struct rf_ccu_scheduler_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t wake;    /* a warp that waits gets ready */
    uint32_t stall;   /* the warp that was chosen waits afterwards */
    uint32_t lose;    /* a ready warp stops being ready: a collector or a hazard */
    uint32_t evict;   /* a chosen warp without data takes another's collector */
    uint32_t launch;  /* any warp starts */
    uint32_t special; /* the cycle is one of the special ones */
    uint32_t youngest;
    uint64_t ready;
    uint64_t ccu[CCUS]; /* the warp in each collector, one hot, 0: none */
    rf_ccu_scheduler_out out;
} rf_ccu_scheduler_stim;

static void stim_init(rf_ccu_scheduler_stim *s, const rf_ccu_scheduler *m, uint64_t seed) {
    static const uint32_t wakes[] = {4, 16, 64, 200};
    *s = (rf_ccu_scheduler_stim){.youngest = m->cfg.warps - 1};
    ls_rng_seed(&s->rng, seed);
    s->wake = wakes[ls_rng_below(&s->rng, 4)];
    s->stall = ls_rng_below(&s->rng, 256);
    s->lose = ls_rng_below(&s->rng, 48);
    s->evict = 16 + ls_rng_below(&s->rng, 192);
    s->launch = 8 + ls_rng_below(&s->rng, 48);
    s->special = 16 + ls_rng_below(&s->rng, 32);
}

/* Mostly one warp, often the chosen one; now and then several or all. */
static uint64_t draw_launch(rf_ccu_scheduler_stim *s, const rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in) {
    const uint32_t kind = ls_rng_below(&s->rng, 16);
    if (kind == 0) return rf_mask64(m->cfg.warps);
    if (kind == 1) return ls_rng_value(&s->rng, m->cfg.warps);
    if (kind < 4) return ls_rng_bits(&s->rng, m->cfg.warps, 64);
    if (kind < 8) return UINT64_C(1) << rf_ccu_scheduler_choose(m, in->ready, in->held);
    return UINT64_C(1) << ls_rng_below(&s->rng, m->cfg.warps);
}

/* Cycles that traffic may never reach by itself. */
static void special(rf_ccu_scheduler_stim *s, uint32_t warps, rf_ccu_scheduler_in *in) {
    switch (ls_rng_below(&s->rng, 6)) {
    case 0:
        in->ready = 0;
        break;
    case 1:
        in->ready = rf_mask64(warps);
        break;
    case 2:
        in->held = 0;
        break;
    case 3: /* the youngest before all others */
        in->ready |= UINT64_C(1) << s->youngest;
        in->held = UINT64_C(1) << s->youngest;
        break;
    case 4:
        in->held = in->ready;
        break;
    default:
        in->ready = ls_rng_value(&s->rng, warps);
        in->held = ls_rng_value(&s->rng, warps);
    }
}

static void stim(rf_ccu_scheduler_stim *s, const rf_ccu_scheduler *m, rf_ccu_scheduler_in *in) {
    const uint32_t warps = m->cfg.warps;
    /* What the last choice did: the warp takes a collector (it keeps one that it has), and waits for its next instruction. */
    uint64_t held = 0;
    for (uint32_t c = 0; c < CCUS; c++) held |= s->ccu[c];
    if ((s->out.onehot & ~held) != 0 && ls_rng_chance(&s->rng, s->evict)) s->ccu[ls_rng_below(&s->rng, CCUS)] = s->out.onehot;
    if (ls_rng_chance(&s->rng, s->stall)) s->ready &= ~s->out.onehot;
    s->ready &= ~ls_rng_bits(&s->rng, warps, s->lose);
    s->ready |= ls_rng_bits(&s->rng, warps, s->wake);
    in->held = 0;
    for (uint32_t c = 0; c < CCUS; c++) in->held |= s->ccu[c];
    in->ready = s->ready;
    if (ls_rng_chance(&s->rng, s->special)) special(s, warps, in);
    in->launch = ls_rng_chance(&s->rng, s->launch) ? draw_launch(s, m, in) : 0;
    if (in->launch == 0) return;
    s->youngest = 63 - (uint32_t)__builtin_clzll(in->launch);
    /* A new warp has no data, and is not ready at once; at times nobody has told the collectors. */
    if (ls_rng_chance(&s->rng, 224))
        for (uint32_t c = 0; c < CCUS; c++) s->ccu[c] &= ~in->launch;
    s->ready &= ~in->launch;
}

static void observe(rf_ccu_scheduler_stim *s, const rf_ccu_scheduler_in *in, const rf_ccu_scheduler_out *out) {
    (void)in;
    s->out = *out;
}

static const char *const bin_names[] = {"idle",
                                        "all ready",
                                        "nobody has data",
                                        "every ready warp has data",
                                        "a warp with data comes before one without",
                                        "a warp with data comes before an older one without",
                                        "warps with data, but none of them is ready",
                                        "an older warp with data is not ready",
                                        "with data: the oldest has a higher index than a younger one",
                                        "without data: the oldest has a higher index than a younger one",
                                        "the youngest of all is chosen before an older one",
                                        "the highest index is chosen",
                                        "one warp starts",
                                        "several warps start",
                                        "all warps start",
                                        "the chosen warp is replaced",
                                        "a warp with data is replaced",
                                        NULL};

static uint64_t bins(const rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in, const rf_ccu_scheduler_out *out) {
    const uint64_t all = rf_mask64(m->cfg.warps), first = in->ready & in->held, rest = in->ready & ~in->held;
    const uint64_t older = m->older_q[out->warp];
    const bool with = first != 0, without = !with && out->valid;
    return (uint64_t)(in->ready == 0) << 0 | (uint64_t)(in->ready == all) << 1 | (uint64_t)(out->valid && in->held == 0) << 2 |
           (uint64_t)(with && rest == 0) << 3 | (uint64_t)(with && rest != 0) << 4 |
           (uint64_t)(with && (rest & older) != 0) << 5 | (uint64_t)(without && in->held != 0) << 6 |
           (uint64_t)(out->valid && (in->held & ~in->ready & older) != 0) << 7 |
           (uint64_t)(with && rf_lowest(first) != out->warp) << 8 |
           (uint64_t)(without && rf_lowest(in->ready) != out->warp) << 9 |
           (uint64_t)(out->valid && (older | out->onehot) == all && out->onehot != in->ready) << 10 |
           (uint64_t)((out->onehot & (all ^ all >> 1)) != 0) << 11 |
           (uint64_t)(in->launch != 0 && (in->launch & (in->launch - 1)) == 0) << 12 |
           (uint64_t)((in->launch & (in->launch - 1)) != 0) << 13 | (uint64_t)(in->launch == all) << 14 |
           (uint64_t)((in->launch & out->onehot) != 0) << 15 | (uint64_t)((in->launch & in->held) != 0) << 16;
}

static void unreachable(const rf_ccu_scheduler_cfg *cfg, ls_unreachable *to) {
    static const uint8_t of_two[] = {4, 5, 6, 7, 8, 9, 10, 13};
    for (size_t i = 0; i < sizeof of_two; i++) ls_unreachable_if(to, cfg->warps == 1, of_two[i], "one warp");
}

static const ls_fault faults[] = {
    {"data in a collector counts for nothing", NULL, "(first != '0) ? first : ready_i", "ready_i", "warp", "WARPS=8"},
    {"only warps with data are chosen", NULL, "(first != '0) ? first : ready_i", "first", "onehot", "WARPS=1"},
    {"warps without data come first", NULL, "first = ready_i & held_i", "first = ready_i & ~held_i", "warp", "WARPS=8"},
    {"a warp with data need not be ready", NULL, "first = ready_i & held_i", "first = held_i & {WARPS{ready_i != '0}}", "warp",
     "WARPS=8"},
    {"any warp with data makes the others wait", NULL, "(first != '0) ? first", "(held_i != '0) ? first", "warp", "WARPS=8"},
    {"lowest index instead of oldest", NULL, "(older_q[w] & among) == '0", "(~({WARPS{1'b1}} << w) & among) == '0", "warp",
     "WARPS=8"},
    {"oldest of all ready instead of oldest of its class", NULL, "(older_q[w] & among) == '0", "(older_q[w] & ready_i) == '0",
     "onehot", "WARPS=8"},
    {"the oldest need not be ready", NULL, "among[w] && (older_q[w]", "(older_q[w]", "onehot", "WARPS=1"},
    {"valid only for a warp with data", NULL, "valid_o = ready_i != '0", "valid_o = first != '0", "valid", "WARPS=3"},
    {"the index of the first of its class", NULL, "(onehot_o & COLUMN)", "(among & (~among + 1'b1) & COLUMN)", "warp", "WARPS=8"},
    {"the index without its low bit", NULL, "(onehot_o & COLUMN) != '0", "(b != 0) && (onehot_o & COLUMN) != '0", "warp",
     "WARPS=3"},
    {"a new warp keeps its age", NULL, "launch_i[w] ? ~launch_i | ~({WARPS{1'b1}} << w) : older_q[w] & ~launch_i",
     "older_q[w] & ~launch_i", "older_q", "WARPS=3"},
    {"the others stay younger than a new warp", NULL, ": older_q[w] & ~launch_i", ": older_q[w]", "older_q", "WARPS=3"},
    {"of several new warps the lower index is not older", NULL, "~launch_i | ~({WARPS{1'b1}} << w)", "~launch_i", "older_q",
     "WARPS=3"},
    {"a warp is older than itself", NULL, "~launch_i | ~({WARPS{1'b1}} << w)", "~launch_i | ~({WARPS{1'b1}} << (w + 1))",
     "older_q", "WARPS=1"},
    {"reset: a higher index is older", NULL, "older_q[w] <= ~({WARPS{1'b1}} << w);", "older_q[w] <= {WARPS{1'b1}} << (w + 1);",
     "older_q", "WARPS=3"},
    {"a launch beats reset", NULL, "if (!rst_ni) begin\n      for", "if (!rst_ni && launch_i == '0) begin\n      for", "older_q",
     "WARPS=8"},
    {"a new warp with data keeps its age", NULL, "older_q[w] <= launch_i[w] ?", "older_q[w] <= (launch_i[w] && !held_i[w]) ?",
     "older_q", "WARPS=8"},
    {0},
};

static const char *const sets[] = {"", "WARPS=1", "WARPS=3", "WARPS=8", "WARPS=33", "WARPS=64", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_ccu_scheduler
#define LS_GROUP "malekeh"
#define LS_BRIEF "issue scheduler of Malekeh: warps with data in a collector first, the oldest of them"
#define LS_FIELDS "tb/malekeh/rf_ccu_scheduler.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
