/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_steal_scheduler. */
#include "cmodel/steal/rf_steal_scheduler.h"

#include "harness/core/unit.h"

/* A small machine around the unit: warps that get ready and wait, and a host that is greedy or takes turns, with a selection tree
 * of two halves. */
typedef struct rf_steal_scheduler_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t wake;    /* a waiting warp gets ready */
    uint32_t sleep;   /* a warp that issues must wait afterwards */
    uint32_t lose;    /* any ready warp waits again */
    uint32_t take;    /* there is a collector */
    uint32_t steal;   /* the candidate's operand gets its bank */
    uint32_t special; /* the cycle is one of the special ones */
    bool greedy;      /* the host prefers the warp that issued last, else the next in turn */
    uint64_t ready;
    uint64_t issued; /* the warp that issued in the cycle before, one hot or 0 */
    uint32_t last;   /* the warp that the host issued last */
} rf_steal_scheduler_stim;

static void stim_init(rf_steal_scheduler_stim *s, const rf_steal_scheduler *m, uint64_t seed) {
    static const uint32_t densities[] = {2, 16, 64, 128, 256};
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->wake = densities[ls_rng_below(&s->rng, 5)];
    s->sleep = densities[ls_rng_below(&s->rng, 5)];
    s->lose = densities[ls_rng_below(&s->rng, 3)];
    s->take = 96 + ls_rng_below(&s->rng, 161);
    s->steal = 24 + ls_rng_below(&s->rng, 208);
    s->special = 16 + ls_rng_below(&s->rng, 48);
    s->greedy = ls_rng_chance(&s->rng, 128);
    s->ready = 0;
    s->issued = 0;
    s->last = 0;
}

/* The best of `ready`, one hot or 0: the last warp of the host or, when it takes turns, the next after it. */
static uint64_t best(const rf_steal_scheduler_stim *s, uint64_t ready) {
    const uint64_t last = UINT64_C(1) << s->last;
    if (s->greedy) return (ready & last) != 0 ? last : ready & (~ready + 1);
    const uint64_t above = ready & ~(last | (last - 1));
    return above != 0 ? above & (~above + 1) : ready & (~ready + 1);
}

/* The two finalists, and the one that the host selects. */
static void host(const rf_steal_scheduler_stim *s, uint32_t warps, rf_steal_scheduler_in *in) {
    const uint64_t low = rf_mask64((warps + 1) / 2);
    const uint64_t winner = best(s, in->ready);
    in->current = winner;
    in->other = best(s, in->ready & ((winner & low) != 0 ? ~low : low));
}

/* Some vector: nothing, one warp, the candidate, several warps. */
static uint64_t draw(rf_steal_scheduler_stim *s, const rf_steal_scheduler *m) {
    const uint32_t kind = ls_rng_below(&s->rng, 8);
    if (kind == 0) return 0;
    if (kind < 4) return UINT64_C(1) << ls_rng_below(&s->rng, m->cfg.warps);
    if (kind == 4) return m->candidate_q;
    if (kind == 5) return ls_rng_bits(&s->rng, m->cfg.warps, 32);
    return ls_rng_value(&s->rng, m->cfg.warps);
}

/* Cycles that no host makes: anything in any input, or some of them against the traffic. */
static void special(rf_steal_scheduler_stim *s, const rf_steal_scheduler *m, rf_steal_scheduler_in *in) {
    const uint32_t kind = ls_rng_below(&s->rng, 8);
    if (kind == 0) in->ready = 0;
    if (kind == 1) in->ready ^= m->candidate_q;
    if (kind == 2) in->ready = rf_mask64(m->cfg.warps);
    if (kind == 3 || kind > 5) in->current = draw(s, m);
    if (kind == 4 || kind > 5) in->other = draw(s, m);
    if (kind == 5) in->current = in->other = 0;
    if (kind == 7) in->ready = draw(s, m);
    in->take = ls_rng_chance(&s->rng, 160);
    in->steal = ls_rng_chance(&s->rng, 160);
}

static void stim(rf_steal_scheduler_stim *s, const rf_steal_scheduler *m, rf_steal_scheduler_in *in) {
    const uint32_t warps = m->cfg.warps;
    if (ls_rng_chance(&s->rng, s->sleep)) s->ready &= ~s->issued;
    s->ready = (s->ready & ~ls_rng_bits(&s->rng, warps, s->lose)) | (ls_rng_bits(&s->rng, warps, s->wake) & ~s->issued);
    in->ready = s->ready;
    host(s, warps, in);
    /* The candidate gets its bank only when it is ready and has a collector. */
    const bool collector = ls_rng_chance(&s->rng, s->take);
    in->steal = ls_rng_chance(&s->rng, s->steal) & collector & ((m->candidate_q & in->ready) != 0);
    in->take = collector & ((in->current != 0) | in->steal);
    if (ls_rng_chance(&s->rng, s->special)) special(s, m, in);
}

static void observe(rf_steal_scheduler_stim *s, const rf_steal_scheduler_in *in, const rf_steal_scheduler_out *out) {
    s->issued = (uint64_t)in->take << out->warp;
    if (out->host_take) s->last = rf_lowest(in->current);
}

enum {
    NONE_READY,
    NO_CANDIDATE,
    NOT_READY,
    NO_STEAL,
    AHEAD,
    AHEAD_ALONE,
    IN_TURN,
    CURRENT_ISSUES,
    CURRENT_WAITS,
    NOBODY_TAKEN,
    STEAL_NO_CANDIDATE,
    STEAL_NOT_READY,
    STEAL_NO_TAKE,
    TURN_GONE,
    NEXT_NONE,
    NEXT_SAME,
    HIGHEST_AHEAD,
    LOWEST_AHEAD,
    SEVERAL_CURRENT,
    SEVERAL_OTHER,
    SEVERAL_CANDIDATES,
    SOME_CANDIDATES_READY,
    SHARED
};

static const char *const bin_names[] = {"no warp is ready",
                                        "there is no candidate",
                                        "the candidate is not ready",
                                        "a candidate that is not read ahead",
                                        "the candidate issues ahead of current",
                                        "the candidate issues while the host has nobody",
                                        "the candidate is current and issues",
                                        "current issues",
                                        "current has no collector",
                                        "take without a warp",
                                        "steal without a candidate",
                                        "steal of a candidate that is not ready",
                                        "steal without take",
                                        "the candidate that issues is current: other is next",
                                        "nobody is the next candidate",
                                        "the candidate stays for another cycle",
                                        "the highest warp issues ahead",
                                        "warp 0 issues ahead",
                                        "several bits in current",
                                        "several bits in other",
                                        "several bits in the candidate",
                                        "some bits of the candidate are ready",
                                        "several bits: current is the candidate in some",
                                        NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static bool several(uint64_t x) { return (x & (x - 1)) != 0; }

static uint64_t bins(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in, const rf_steal_scheduler_out *out) {
    const uint64_t candidate = m->candidate_q & in->ready, highest = UINT64_C(1) << (m->cfg.warps - 1);
    const uint64_t next = in->steal && candidate != 0 && (candidate & in->current) == 0 ? in->current : in->other;
    const bool read = in->steal && candidate != 0, shared = (candidate & in->current) != 0;
    const bool ahead = read && in->take && !shared && in->current != 0;
    uint64_t hit = bin(in->ready == 0, NONE_READY) | bin(m->candidate_q == 0, NO_CANDIDATE);
    hit |= bin(m->candidate_q != 0 && candidate == 0, NOT_READY) | bin(out->candidate_valid && !in->steal, NO_STEAL);
    hit |= bin(ahead, AHEAD) | bin(read && in->take && in->current == 0, AHEAD_ALONE);
    hit |= bin(read && shared && out->host_take, IN_TURN) | bin(!read && out->host_take, CURRENT_ISSUES);
    hit |= bin(in->current != 0 && !in->take, CURRENT_WAITS) | bin(in->take && !read && in->current == 0, NOBODY_TAKEN);
    hit |= bin(in->steal && m->candidate_q == 0, STEAL_NO_CANDIDATE);
    hit |= bin(in->steal && m->candidate_q != 0 && candidate == 0, STEAL_NOT_READY) | bin(read && !in->take, STEAL_NO_TAKE);
    hit |= bin(read && shared && in->other != in->current, TURN_GONE) | bin(next == 0, NEXT_NONE);
    hit |= bin(next != 0 && next == m->candidate_q, NEXT_SAME);
    hit |= bin(ahead && candidate == highest, HIGHEST_AHEAD) | bin(ahead && candidate == 1, LOWEST_AHEAD);
    hit |= bin(several(in->current), SEVERAL_CURRENT) | bin(several(in->other), SEVERAL_OTHER);
    hit |= bin(several(candidate), SEVERAL_CANDIDATES);
    hit |= bin(candidate != 0 && candidate != m->candidate_q, SOME_CANDIDATES_READY);
    hit |= bin(read && shared && candidate != in->current, SHARED);
    return hit;
}

static void unreachable(const rf_steal_scheduler_cfg *cfg, ls_unreachable *to) {
    const bool one = cfg->warps == 1;
    ls_unreachable_if(to, one, AHEAD, "one warp: the candidate is current");
    ls_unreachable_if(to, one, HIGHEST_AHEAD, "one warp: the candidate is current");
    ls_unreachable_if(to, one, LOWEST_AHEAD, "one warp: the candidate is current");
    ls_unreachable_if(to, one, SEVERAL_CURRENT, "one warp: one bit");
    ls_unreachable_if(to, one, SEVERAL_OTHER, "one warp: one bit");
    ls_unreachable_if(to, one, SEVERAL_CANDIDATES, "one warp: one bit");
    ls_unreachable_if(to, one, SOME_CANDIDATES_READY, "one warp: one bit");
    ls_unreachable_if(to, one, SHARED, "one warp: one bit");
}

static const ls_fault faults[] = {
    {"the candidate counts although it is not ready", NULL, "candidate_q & ready_i", "candidate_q", "candidate_valid", NULL},
    {"the candidate counts only while it is read", NULL, "candidate_valid_o = candidate != '0",
     "candidate_valid_o = candidate != '0 && steal_i", "candidate_valid", NULL},
    {"the candidate's index is that of one not ready", NULL, "(candidate & COLUMN)", "(candidate_q & COLUMN)", "candidate", NULL},
    {"the candidate's index is inverted", NULL, "(candidate & COLUMN) != '0", "(candidate & COLUMN) == '0", "candidate", NULL},
    {"steal without a candidate is heeded", NULL, "steal_i && candidate_valid_o", "steal_i", "host_take", "WARPS=1"},
    {"steal is heeded with take only", NULL, "steal_i && candidate_valid_o", "steal_i && candidate_valid_o && take_i", "warp",
     NULL},
    {"m1 always selects current", NULL, "steals ? candidate_o : current", "current", "warp", NULL},
    {"m1 selects the candidate whenever there is one", NULL, "steals ? candidate_o", "candidate_valid_o ? candidate_o", "warp",
     NULL},
    {"m1 prefers current", NULL, "steals ? candidate_o", "steals && current_i == '0 ? candidate_o", "warp", NULL},
    {"current's index without its low bit", NULL, "(current_i & COLUMN) != '0", "(b != 0) && (current_i & COLUMN) != '0", "warp",
     "WARPS=3"},
    {"m2 always selects other", NULL, "(steals && !same) ? current_i : other_i", "other_i", "candidate_q", NULL},
    {"m2 selects current although it is the one that issues", NULL, "(steals && !same) ? current_i", "steals ? current_i",
     "candidate_q", NULL},
    {"m2 waits for take", NULL, "(steals && !same) ?", "(steals && !same && take_i) ?", "candidate_q", NULL},
    {"m2 selects current when the candidate does not issue", NULL, "(steals && !same) ? current_i : other_i",
     "(!steals && !same) ? current_i : other_i", "candidate_q", NULL},
    {"the candidate is the warp that issued ahead", NULL, "(steals && !same) ? current_i", "(steals && !same) ? candidate",
     "candidate_q", NULL},
    {"the candidate is kept while nothing issues", NULL, "candidate_q <= candidate_d;",
     "candidate_q <= take_i ? candidate_d : candidate_q;", "candidate_q", NULL},
    {"the candidate is kept while there is no next one", NULL, "candidate_q <= candidate_d;",
     "candidate_q <= (candidate_d != '0) ? candidate_d : candidate_q;", "candidate_q", NULL},
    {"the host is told of every issue", NULL, "steals ? same : current_i != '0", "steals || current_i != '0", "host_take", NULL},
    {"the host is not told when its choice issues as candidate", NULL, "steals ? same : current_i != '0",
     "!steals && current_i != '0", "host_take", NULL},
    {"the host is told of an issue of nobody", NULL, "steals ? same : current_i != '0", "!steals || same", "host_take", NULL},
    {"the host is told although nothing issues", NULL, "take_i && (steals", "(steals", "host_take", NULL},
    {"only equal vectors are one warp", NULL, "(candidate & current_i) != '0", "candidate == current_i && candidate_valid_o",
     "host_take", NULL},
    {"reset leaves the candidate", NULL, "candidate_q <= '0;", "candidate_q <= candidate_q;", "candidate_q", NULL},
    {0},
};

static const char *const sets[] = {"", "WARPS=1", "WARPS=2", "WARPS=3", "WARPS=16", "WARPS=33", "WARPS=48", "WARPS=64", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_steal_scheduler
#define LS_GROUP "steal"
#define LS_BRIEF "read stealing: the candidate warp, and its issue ahead of its turn"
#define LS_FIELDS "tb/steal/rf_steal_scheduler.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
