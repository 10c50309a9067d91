/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_sthld. */
#include "cmodel/malekeh/rf_sthld.h"

#include "harness/core/unit.h"
#include "tb/malekeh/env/rf_sthld_warp.h"

#define STATES (7u * 256u) /* state_q << 8 | sthld_q */

/* What the program does for some intervals. */
typedef enum phase { STEADY, RESTLESS, MIXED, CURVE, PHASES, WALK } phase;

/* Instructions are handed out so that an interval ends with a total that was chosen at its beginning: same as before, a small or
 * large change, both sides of the border between them, or what a curve of IPC over STHLD has. A walk goes, by
 * small and large changes, the shortest way to a state, a STHLD and a change that were drawn: chance alone comes to few of them.
 */
typedef struct rf_sthld_stim {
    ls_rng rng;
    uint32_t bursts; /* probability that a cycle issues as much or as little as it may, in 256ths */
    uint32_t stray;  /* probability of any value of its bits: the total misses */
    uint32_t most;   /* instructions of a cycle */
    phase phase;
    uint32_t left;         /* intervals of the phase to come */
    uint32_t small;        /* MIXED: probability of a small change, in 256ths */
    uint32_t level;        /* CURVE: instructions of an interval where it is flat, ... */
    uint32_t knee;         /* ... up to this STHLD, ... */
    uint32_t slope;        /* ... and so many less for each step beyond it */
    uint32_t total;        /* of this interval */
    uint8_t large[STATES]; /* WALK: whether a change is large, the last one first */
} rf_sthld_stim;

static void stim_init(rf_sthld_stim *s, const rf_sthld *m, uint64_t seed) {
    *s = (rf_sthld_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->bursts = ls_rng_below(&s->rng, 257);
    s->stray = ls_rng_chance(&s->rng, 64) ? ls_rng_below(&s->rng, 16) : 1;
    s->most = ls_rng_chance(&s->rng, 128) ? rf_sthld_any(&m->cfg) : m->cfg.issues;
}

/* What the edge adds to STHLD. */
static int32_t delta(const rf_sthld_cfg *cfg, uint32_t state, uint32_t sthld, bool large) {
    switch (state) {
    case 1:
        return (int32_t)cfg->climb;
    case 2:
        return (int32_t)(large ? cfg->speculate : cfg->climb);
    case 3:
        return large ? -(int32_t)cfg->back : (int32_t)cfg->climb;
    case 4:
        return sthld == 0 ? 0 : (int32_t)cfg->probe;
    case 5:
        return large ? -(int32_t)cfg->undo : 0;
    default:
        return large ? (int32_t)cfg->speculate : 0;
    }
}

/* Where a small or a large change leads. */
static uint32_t edge(const rf_sthld_cfg *cfg, uint32_t at, bool large) {
    static const uint8_t next[][2] = {{0, 0}, {2, 2}, {2, 3}, {2, 4}, {5, 5}, {6, 4}, {6, 3}};
    const uint32_t state = at >> 8, sthld = at & 255;
    const int32_t sum = (int32_t)sthld + delta(cfg, state, sthld, large);
    return (state == 4 && sthld == 0 ? 6u : next[state][large]) << 8 | (uint32_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

/* The changes of the shortest walk from `start` to `goal` and of that change there, the last one first. Their number; 0: there is
 * no way. */
static uint32_t find_walk(const rf_sthld_cfg *cfg, uint32_t start, uint32_t goal, bool last, uint8_t *large) {
    uint16_t open[STATES], from[STATES];
    uint8_t by[STATES];
    bool seen[STATES] = {false};
    uint32_t count = 0, length = 0;
    open[count++] = (uint16_t)start;
    seen[start] = true;
    for (uint32_t i = 0; i < count && !seen[goal]; i++)
        for (uint32_t l = 0; l < 2; l++) {
            const uint32_t to = edge(cfg, open[i], l != 0);
            if (seen[to]) continue;
            seen[to] = true;
            from[to] = open[i];
            by[to] = (uint8_t)l;
            open[count++] = (uint16_t)to;
        }
    if (!seen[goal]) return 0;
    large[length++] = last;
    for (uint32_t at = goal; at != start; at = from[at]) large[length++] = by[at];
    return length;
}

/* A walk to any state that there is a way to, half of the time to one whose sum is at an end of STHLD or one beyond it. */
static uint32_t draw_walk(rf_sthld_stim *s, const rf_sthld *m) {
    static const int32_t ends[] = {-1, 0, 255, 256};
    const bool at_end = ls_rng_chance(&s->rng, 128);
    uint32_t length = 0;
    for (uint32_t tries = 0; tries < 64 && length == 0; tries++) {
        const uint32_t state = 2 + ls_rng_below(&s->rng, 5), any = ls_rng_below(&s->rng, 256);
        const bool large = ls_rng_chance(&s->rng, 128);
        const int32_t sthld = at_end ? ends[any & 3] - delta(&m->cfg, state, 255, large) : (int32_t)any;
        if (sthld < 0 || sthld > 255) continue;
        length = find_walk(&m->cfg, (uint32_t)m->state_q << 8 | m->sthld_q, state << 8 | (uint32_t)sthld, large, s->large);
    }
    return length;
}

static void next_phase(rf_sthld_stim *s, const rf_sthld *m) {
    const rf_sthld_cfg *cfg = &m->cfg;
    const uint32_t full = cfg->interval * cfg->issues;
    s->phase = (phase)ls_rng_below(&s->rng, PHASES);
    s->left = 4u << ls_rng_below(&s->rng, 6);
    const uint32_t length = ls_rng_chance(&s->rng, 96) ? draw_walk(s, m) : 0;
    if (length > 0) {
        s->phase = WALK;
        s->left = length;
    }
    s->small = 64 + ls_rng_below(&s->rng, 128);
    s->level = full / 2 + ls_rng_below(&s->rng, full / 2 + 1);
    s->knee = ls_rng_chance(&s->rng, 64) ? 0 : ls_rng_below(&s->rng, 256);
    s->slope = 1 + s->level * cfg->large / 256 * ls_rng_below(&s->rng, 8) / 4;
}

static uint32_t on_curve(const rf_sthld_stim *s, uint32_t sthld) {
    const uint32_t loss = sthld > s->knee ? (sthld - s->knee) * s->slope : 0;
    return loss < s->level ? s->level - loss : 0;
}

/* Of the totals that are a multiple of it, a change can be exactly at the border. */
static uint32_t border_step(const rf_sthld_cfg *cfg) {
    uint32_t step = 256;
    while (step > 1 && (cfg->large * (step / 2)) % 256 == 0) step /= 2;
    return step;
}

/* Of the first interval. Resets are few: nothing, which is no change, as often as something. */
static uint32_t draw_first(rf_sthld_stim *s, const rf_sthld *m, uint32_t full) {
    const uint32_t kind = ls_rng_below(&s->rng, 8);
    if (kind < 4) return 0;
    if (kind == 4) return full;
    if (kind == 5) return 1;
    return kind == 6 ? 1 + ls_rng_below(&s->rng, m->cfg.interval * s->most) : on_curve(s, m->sthld_q);
}

static uint32_t draw_change(rf_sthld_stim *s, const rf_sthld *m) {
    const uint32_t before = m->prev_q, border = before * m->cfg.large / 256, full = m->cfg.interval * m->cfg.issues;
    uint32_t change = border;
    if (s->left == 0) next_phase(s, m);
    s->left--;
    if (m->state_q == 1) return draw_first(s, m, full);
    if (s->phase == CURVE) return on_curve(s, m->sthld_q);
    if (s->phase == WALK) {
        change = s->large[s->left] != 0 ? border + 1 : ls_rng_below(&s->rng, border + 1);
        return before < full / 2 ? before + change : before - change;
    }
    if (s->phase == STEADY || (s->phase == MIXED && ls_rng_chance(&s->rng, s->small))) {
        const uint32_t kind = ls_rng_below(&s->rng, 8);
        if (kind < 6) change = kind == 0 && border != 0 ? 1 : ls_rng_below(&s->rng, border + 1);
    } else {
        switch (ls_rng_below(&s->rng, 8)) {
        case 0:
            return s->phase == MIXED ? 0 : before == 0;
        case 1:
            return ls_rng_chance(&s->rng, 64) ? full : ls_rng_below(&s->rng, m->cfg.interval * s->most + 1);
        case 2:
            change = before / 2 + 1;
            break;
        case 3:
            change = border + 1 + ls_rng_below(&s->rng, border + 1);
            break;
        default:
            change = border + 1;
            break;
        }
    }
    if (ls_rng_chance(&s->rng, 128)) return before < change ? 0 : before - change;
    return before + change;
}

/* Now and then a multiple of the step, and from one of these exactly to the border or one beyond it. */
static uint32_t draw_total(rf_sthld_stim *s, const rf_sthld *m) {
    const uint32_t step = border_step(&m->cfg), before = m->prev_q, border = before / step * (step * m->cfg.large / 256);
    const uint32_t total = draw_change(s, m);
    if (s->phase != RESTLESS && s->phase != MIXED) return total;
    if (before % step == 0 && before != 0 && ls_rng_chance(&s->rng, 128)) {
        const uint32_t change = border + ls_rng_chance(&s->rng, 64);
        return ls_rng_chance(&s->rng, 128) ? before - change : before + change;
    }
    return ls_rng_chance(&s->rng, 64) ? total / step * step : total;
}

static void stim(rf_sthld_stim *s, const rf_sthld *m, rf_sthld_in *in) {
    const rf_sthld_cfg *cfg = &m->cfg;
    const uint32_t bits = rf_index_bits(cfg->issues + 1), later = cfg->interval - 1 - m->cycle_q;
    if (m->cycle_q == 0) {
        const uint32_t total = draw_total(s, m), full = cfg->interval * s->most;
        s->total = total < full ? total : full;
    }
    const uint32_t open = m->count_q < s->total ? s->total - m->count_q : 0; /* still to be issued */
    const uint32_t top = open < s->most ? open : s->most, now = open > later * s->most ? open - later * s->most : 0;
    const uint32_t least = now < top ? now : top;       /* more does not fit, when stray ones or a reset have upset the count */
    const bool kept = m->state_q == 1 && s->total <= 1; /* a stray one would undo it */
    if (!kept && ls_rng_chance(&s->rng, s->stray)) in->issued = (uint8_t)ls_rng_value(&s->rng, bits);
    else if (ls_rng_chance(&s->rng, s->bursts)) in->issued = (uint8_t)(ls_rng_chance(&s->rng, 128) ? top : least);
    else in->issued = (uint8_t)(least + ls_rng_below(&s->rng, top - least + 1));
}

static uint64_t leap(rf_sthld_stim *s, const rf_sthld *m) { return rf_sthld_leap(&s->rng, m, 24, s->total, s->most); }
static bool warp(rf_sthld *m, uint64_t to) { return rf_sthld_warp(m, to); }

static const char *const bin_names[] = {"start, small: climb",
                                        "start, large: climb",
                                        "climb, small: climb on",
                                        "climb, large: speculate",
                                        "speculate, small: climb on",
                                        "speculate, large: back",
                                        "back, small: probe",
                                        "back, large: probe",
                                        "back at STHLD 0: rest",
                                        "probe, small: rest",
                                        "probe, large: back",
                                        "rest, small: rest",
                                        "rest, large: speculate",
                                        "STHLD held at 255",
                                        "STHLD held at 0",
                                        "largest small change",
                                        "smallest large change",
                                        "large change upwards",
                                        "large change downwards",
                                        "no change",
                                        "interval without an instruction",
                                        "first instructions after an interval without",
                                        "nothing issued in two intervals",
                                        "as much as can be issued",
                                        "instructions in the last cycle",
                                        "instructions in the first cycle",
                                        "no instruction in a cycle",
                                        "more instructions in a cycle than can be issued",
                                        "back at a STHLD below PROBE, not at 0",
                                        "rest at STHLD 255",
                                        "small change of one instruction",
                                        "as much as can be issued in the first interval",
                                        "one instruction in the first interval",
                                        "change at the border",
                                        "a bet exceeds 255 by one",
                                        "a climb exceeds 255 by one",
                                        "STHLD reaches 255 without a clamp",
                                        NULL};

enum {
    START_S,
    START_L,
    CLIMB_S,
    CLIMB_L,
    SPECULATE_S,
    SPECULATE_L,
    BACK_S,
    BACK_L,
    BACK_0,
    PROBE_S,
    PROBE_L,
    REST_S,
    REST_L,
    TOP,
    BOTTOM,
    JUST_SMALL,
    JUST_LARGE,
    UPWARDS,
    DOWNWARDS,
    SAME,
    SILENT,
    AWAKE,
    STILL,
    FULL,
    LAST_CYCLE,
    FIRST_CYCLE,
    NONE,
    TOO_MANY,
    BACK_LOW,
    REST_TOP,
    ONE,
    START_FULL,
    START_ONE,
    AT_BORDER,
    BET_256,
    CLIMB_256,
    TO_255
};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

/* Of state, STHLD and change alone. */
static uint64_t edge_bins(const rf_sthld_cfg *cfg, uint32_t state, uint32_t from, bool large) {
    static const uint8_t edges[][2] = {{0, 0},           {START_S, START_L}, {CLIMB_S, CLIMB_L}, {SPECULATE_S, SPECULATE_L},
                                       {BACK_S, BACK_L}, {PROBE_S, PROBE_L}, {REST_S, REST_L}};
    const int32_t to = (int32_t)from + delta(cfg, state, from, large);
    return bin(true, state == 4 && from == 0 ? BACK_0 : edges[state][large]) | bin(to > 255, TOP) |
           bin(to == 256, large ? BET_256 : CLIMB_256) | bin(to == 255 && from != 255, TO_255) | bin(to < 0, BOTTOM) |
           bin(state == 4 && from != 0 && from < cfg->probe, BACK_LOW) | bin(state == 6 && from == 255, REST_TOP);
}

/* Of the last cycle of an interval. */
static uint64_t end_bins(const rf_sthld *m, const rf_sthld_in *in) {
    const rf_sthld_cfg *cfg = &m->cfg;
    const uint32_t now = m->count_q + in->issued, before = m->prev_q, change = now > before ? now - before : before - now;
    const uint32_t border = cfg->large * before, state = m->state_q;
    const bool large = change * 256 > border;
    return edge_bins(cfg, state, m->sthld_q, large) | bin(change == 1 && !large, ONE) |
           bin(change != 0 && change * 256 == border && state != 1 && state != 4, AT_BORDER) |
           bin(state == 1 && now == cfg->interval * cfg->issues, START_FULL) | bin(state == 1 && now == 1, START_ONE) |
           bin(change != 0 && !large && (change + 1) * 256 > border, JUST_SMALL) |
           bin(large && before != 0 && (change - 1) * 256 <= border, JUST_LARGE) | bin(large && now > before, UPWARDS) |
           bin(large && now < before, DOWNWARDS) | bin(change == 0 && now != 0, SAME) | bin(now == 0 && before != 0, SILENT) |
           bin(now != 0 && before == 0 && state != 1, AWAKE) | bin(now == 0 && before == 0 && state != 1, STILL) |
           bin(now >= cfg->interval * cfg->issues, FULL);
}

static uint64_t bins(const rf_sthld *m, const rf_sthld_in *in, const rf_sthld_out *out) {
    const rf_sthld_cfg *cfg = &m->cfg;
    const bool last = m->cycle_q == cfg->interval - 1;
    (void)out;
    uint64_t hit = bin(last && in->issued != 0, LAST_CYCLE) | bin(m->cycle_q == 0 && in->issued != 0, FIRST_CYCLE) |
                   bin(in->issued == 0, NONE) | bin(in->issued > cfg->issues, TOO_MANY);
    if (last) hit |= end_bins(m, in);
    return hit;
}

#define SMALL "INTERVAL=16 LARGE=64"
/* Totals that need all bits, and a walk that rests at 255. */
#define WIDE "INTERVAL=9 ISSUES=4 LARGE=255 FIRST=200 CLIMB=60 SPECULATE=3 BACK=2 PROBE=7 UNDO=1"

/* The bins of all walks from FIRST: a small or a large change may come at any time. */
static uint64_t walks(const rf_sthld_cfg *cfg) {
    bool seen[STATES] = {false};
    uint16_t open[STATES];
    uint32_t count = 0;
    uint64_t hit = 0;
    open[count++] = (uint16_t)(1u << 8 | cfg->first);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t large = 0; large < 2; large++) {
            const uint32_t to = edge(cfg, open[i], large != 0);
            hit |= edge_bins(cfg, open[i] >> 8, open[i] & 255, large != 0);
            if (!seen[to]) open[count++] = (uint16_t)to;
            seen[to] = true;
        }
    return hit;
}

static void unreachable(const rf_sthld_cfg *cfg, ls_unreachable *to) {
    static const uint8_t walked[] = {BACK_S, BACK_L, BACK_0,   PROBE_S,  PROBE_L, REST_S,    REST_L,
                                     TOP,    BOTTOM, BACK_LOW, REST_TOP, BET_256, CLIMB_256, TO_255};
    const uint64_t there = walks(cfg);
    for (size_t i = 0; i < sizeof walked; i++)
        ls_unreachable_if(to, (there >> walked[i] & 1) == 0, walked[i], "no walk from FIRST comes there");
    ls_unreachable_if(to, cfg->issues == rf_sthld_any(cfg), TOO_MANY, "the port can say no more");
    ls_unreachable_if(to, cfg->interval * rf_sthld_any(cfg) * cfg->large < 256, JUST_SMALL, "no change but none is small");
    ls_unreachable_if(to, border_step(cfg) > cfg->interval * rf_sthld_any(cfg), AT_BORDER, "no change is exactly at the border");
    ls_unreachable_if(to, cfg->interval * rf_sthld_any(cfg) * cfg->large < 256, ONE, "no change but none is small");
}

static const ls_fault faults[] = {
    {"an interval is one cycle too short", NULL, "CYCLE_W'(INTERVAL - 1)", "CYCLE_W'(INTERVAL - 2)", "state_q", SMALL},
    {"instructions of the last cycle lost", NULL, "prev_q  <= now;", "prev_q  <= count_q;", "prev_q", SMALL},
    {"the count goes on over an interval's end", NULL, "cycle_q <= '0;\n      count_q <= '0;\n      prev_q  <= now;",
     "cycle_q <= '0;\n      count_q <= now;\n      prev_q  <= now;", "count_q", SMALL},
    {"more than ISSUES instructions are cut", NULL, "COUNT_W'(issued_i)", "COUNT_W'((issued_i > 2) ? 2 : issued_i)", "count_q",
     SMALL},
    {"a fall counts as no change", NULL, "now - prev_q : prev_q - now", "now - prev_q : '0", "state_q", SMALL},
    {"the border is large", NULL, "{difference, 8'b0} > ", "{difference, 8'b0} >= ", "state_q", NULL},
    {"a bet that exceeds 255 by one wraps", NULL,
     "sum[8] ? 8'd255 : ", "(state_d == ST_SPECULATE ? 32'(sthld_q) > 256 - SPECULATE : sum[8]) ? 8'd255 : ", "sthld_q", NULL},
    {"change compared with this interval, not with the one before", NULL, "(COUNT_W+8)'(prev_q)", "(COUNT_W+8)'(now)", "state_q",
     SMALL},
    {"climbs on over the knee", NULL, "= {ST_SPECULATE, 10'(SPECULATE)};\n      {ST_SPECULATE, S}",
     "= {ST_CLIMB, 10'(CLIMB)};\n      {ST_SPECULATE, S}", "state_q", SMALL},
    {"the bet is not taken back", NULL, "{ST_BACK, 10'(-BACK)}", "{ST_BACK, 10'd0}", "sthld_q", SMALL " FIRST=99"},
    {"probing downwards", NULL, "10'(PROBE)", "-10'(PROBE)", "sthld_q", SMALL " FIRST=99"},
    {"probes at 0 for ever", NULL, "(sthld_q == 8'd0) ? {ST_REST, 10'd0} : ", "", "state_q", SMALL},
    {"steep below the knee: rests there", NULL, "{ST_BACK, 10'(-UNDO)}", "{ST_REST, 10'(-UNDO)}", "state_q", SMALL},
    {"back below PROBE rests as if at 0", NULL, "(sthld_q == 8'd0) ? {ST_REST", "(sthld_q < 8'(PROBE)) ? {ST_REST", "state_q",
     NULL},
    {"undone from below UNDO: to PROBE, not to 0", NULL, "sum[9] ? 8'd0", "sum[9] ? ((state_q == ST_PROBE) ? 8'(PROBE) : 8'd0)",
     "sthld_q", NULL},
    {"a full first interval is no start", NULL, "{ST_START, S}, {ST_START, L}: {state_d, delta} = {ST_CLIMB, 10'(CLIMB)};",
     "{ST_START, S}, {ST_START, L}: {state_d, delta} = {(now == COUNT_W'(INTERVAL * ISSUES)) ? ST_SPECULATE : ST_CLIMB, "
     "10'(CLIMB)};",
     "state_q", NULL},
    {"a bet that brought one instruction more was wrong", NULL, "{ST_SPECULATE, S}:            {state_d, delta} = {ST_CLIMB",
     "{ST_SPECULATE, S}:            {state_d, delta} = (now == prev_q + 1'b1) ? {ST_BACK, 10'(-BACK)} : {ST_CLIMB", "state_q",
     NULL},
    {"rests at 255 for ever", NULL, "{ST_REST, L}:                 {state_d, delta} = {ST_SPECULATE",
     "{ST_REST, L}:                 {state_d, delta} = (sthld_q == 8'd255) ? {ST_REST, 10'd0} : {ST_SPECULATE", "state_q", WIDE},
    {"the top bit of the border is lost", NULL, "(COUNT_W+8)'(prev_q) * (COUNT_W+8)'(LARGE)",
     "{1'b0, (COUNT_W+7)'((COUNT_W+7)'(prev_q) * (COUNT_W+7)'(LARGE))}", "state_q", WIDE},
    {"the top bit of a change is lost", NULL, "{difference, 8'b0} > ", "{1'b0, difference[COUNT_W-2:0], 8'b0} > ", "state_q",
     WIDE},
    {"never wakes up", NULL, "{ST_REST, L}:                 {state_d, delta} = {ST_SPECULATE, 10'(SPECULATE)}",
     "{ST_REST, L}:                 {state_d, delta} = {ST_REST, 10'd0}", "state_q", SMALL},
    {"below 0 is 255", NULL, "sum[9] ? 8'd0 : sum[8]", "(sum[9] || sum[8])", "sthld_q", SMALL " BACK=9"},
    {"above 255 wraps around", NULL, "sum[8] ? 8'd255 : ", "", "sthld_q", SMALL " FIRST=250"},
    {"STHLD starts at 0", NULL, "sthld_q <= 8'(FIRST)", "sthld_q <= 8'(FIRST & 0)", "sthld_q", SMALL " FIRST=255"},
    {"the interval before is not reset", NULL, "      prev_q  <= '0;\n", "", "prev_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "INTERVAL=16 LARGE=64",
                                   "INTERVAL=2 ISSUES=1 LARGE=128 CLIMB=32 SPECULATE=64 BACK=96 PROBE=16 UNDO=48",
                                   "INTERVAL=9 ISSUES=3 LARGE=255 FIRST=255 CLIMB=8 SPECULATE=255 BACK=240 PROBE=1 UNDO=9",
                                   "INTERVAL=13 ISSUES=4 FIRST=40 CLIMB=9 SPECULATE=18 BACK=27 PROBE=9 UNDO=18",
                                   "INTERVAL=40 LARGE=26 FIRST=4 CLIMB=16 SPECULATE=16 BACK=32 PROBE=8 UNDO=16",
                                   WIDE,
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_sthld
#define LS_GROUP "malekeh"
#define LS_BRIEF "adaptive STHLD: walks to the knee of IPC over STHLD"
#define LS_FIELDS "tb/malekeh/rf_sthld.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_WARP
#include "harness/core/unit_define.h"
