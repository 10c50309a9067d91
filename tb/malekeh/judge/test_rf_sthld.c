/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_sthld: the slow model looks its edges up in a list, and the walk along the curves of [Malekeh Fig. 3b and 5] is
 * judged by where it goes. The drawing of the state machine is lost: the list is the header's reconstruction, the walk is what
 * the text of section 7 says. The hit ratio of Fig. 3a, which only rises with STHLD, is no input of the machine: it sees IPC
 * alone. */
#include "cmodel/malekeh/rf_sthld.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_sthld_unit;

typedef struct slow_sthld {
    rf_sthld_cfg cfg;
    uint32_t state, sthld;
    uint32_t cycle, now, before; /* cycles and instructions of this interval, instructions of the one before */
} slow_sthld;

/* clang-format off */
#define SEEN(X) \
    X(START, "1 to 2") X(CLIMB_S, "2 S") X(CLIMB_L, "2 L") X(SPECULATE_S, "3 S") X(SPECULATE_L, "3 L") X(BACK_ZERO, "4 at 0") \
    X(BACK, "4 to 5") X(PROBE_S, "5 S") X(PROBE_L, "5 L") X(REST_S, "6 S") X(REST_L, "6 L") \
    X(TOP, "STHLD is stopped at 255") X(BOTTOM, "STHLD is stopped at 0") X(REACHES_0, "a decrease ends in 0 by itself") \
    X(EDGE_S, "the largest change that is S") X(EDGE_L, "the smallest change that is L") \
    X(RISE, "L upwards") X(FALL, "L downwards") X(SILENCE, "two intervals without instructions") \
    X(FROM_SILENCE, "instructions after an interval without") X(INTO_SILENCE, "no instructions after an interval with some") \
    X(TOO_MANY, "more instructions in a cycle than issues") X(LAST_CYCLE, "instructions in the last cycle of an interval") \
    X(RESET, "reset in the middle of an interval")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* The edges, in the order of the events above; the first that fits is taken. */
typedef struct slow_edge {
    uint32_t from;
    char on; /* S, L, * either, 0 either when STHLD is 0 */
    uint32_t to;
    char sign;    /* of the delta, 0 for none */
    size_t delta; /* member of the configuration */
} slow_edge;

#define DELTA(member) offsetof(rf_sthld_cfg, member)
static const slow_edge edges[] = {
    {1, '*', 2, '+', DELTA(climb)},     {2, 'S', 2, '+', DELTA(climb)},
    {2, 'L', 3, '+', DELTA(speculate)}, {3, 'S', 2, '+', DELTA(climb)},
    {3, 'L', 4, '-', DELTA(back)},      {4, '0', 6, 0, 0},
    {4, '*', 5, '+', DELTA(probe)},     {5, 'S', 6, 0, 0},
    {5, 'L', 4, '-', DELTA(undo)},      {6, 'S', 6, 0, 0},
    {6, 'L', 3, '+', DELTA(speculate)},
};

static void slow_reset(slow_sthld *s) {
    s->state = 1;
    s->sthld = s->cfg.first;
    s->cycle = s->now = s->before = 0;
}

static bool is_large(const rf_sthld_cfg *cfg, uint64_t before, uint64_t now) {
    const uint64_t change = now > before ? now - before : before - now;
    return before == 0 ? now != 0 : change * 256 > cfg->large * before;
}

/* Ends an interval; the answer is the edge taken. */
static uint32_t slow_edge_of(slow_sthld *s, bool large) {
    uint32_t k = 0, delta = 0;
    while (edges[k].from != s->state || (edges[k].on == '0' && s->sthld != 0) || (edges[k].on == 'S' && large) ||
           (edges[k].on == 'L' && !large))
        k++;
    if (edges[k].sign != 0) memcpy(&delta, (const char *)&s->cfg + edges[k].delta, sizeof delta);
    for (uint32_t i = 0; i < delta; i++) { /* one by one, until there is no further */
        if (edges[k].sign == '+' && s->sthld < 255) s->sthld++;
        if (edges[k].sign == '-' && s->sthld > 0) s->sthld--;
    }
    s->state = edges[k].to;
    return k;
}

static void count(const slow_sthld *old, const slow_sthld *s, uint32_t edge, uint64_t *seen) {
    const uint64_t before = old->before, now = s->before, change = now > before ? now - before : before - now;
    uint32_t delta = 0;
    if (edges[edge].sign != 0) memcpy(&delta, (const char *)&s->cfg + edges[edge].delta, sizeof delta);
    seen[edge]++;
    seen[TOP] += edges[edge].sign == '+' && s->sthld - old->sthld < delta;
    seen[BOTTOM] += edges[edge].sign == '-' && old->sthld - s->sthld < delta;
    seen[REACHES_0] += edges[edge].sign == '-' && s->sthld == 0 && old->sthld == delta && delta > 0;
    seen[EDGE_S] += change > 0 && change * 256 <= old->cfg.large * before && (change + 1) * 256 > old->cfg.large * before;
    seen[EDGE_L] += change > 0 && change * 256 > old->cfg.large * before && (change - 1) * 256 <= old->cfg.large * before;
    seen[RISE] += before > 0 && now > before && is_large(&old->cfg, before, now);
    seen[FALL] += now > 0 && now < before && is_large(&old->cfg, before, now);
    seen[SILENCE] += before == 0 && now == 0;
    seen[FROM_SILENCE] += before == 0 && now > 0;
    seen[INTO_SILENCE] += before > 0 && now == 0;
}

/* The edge of the clock; `seen` may be NULL. */
static void slow_clock(slow_sthld *s, const rf_sthld_in *in, uint64_t *seen) {
    const slow_sthld old = *s;
    s->cycle++;
    s->now += in->issued;
    if (seen != NULL) seen[TOO_MANY] += in->issued > s->cfg.issues;
    if (s->cycle < s->cfg.interval) return;
    const uint32_t edge = slow_edge_of(s, is_large(&s->cfg, s->before, s->now));
    s->before = s->now;
    s->cycle = s->now = 0;
    if (seen == NULL) return;
    seen[LAST_CYCLE] += in->issued > 0;
    count(&old, s, edge, seen);
}

static void compare_out(judge *j, const slow_sthld *s, const rf_sthld_out *out) {
    judge_equal(j, "sthld", 0, out->sthld, s->sthld);
}

static void compare_state(judge *j, const slow_sthld *s, const rf_sthld *m) {
    judge_equal(j, "state_q", 0, m->state_q, s->state);
    judge_equal(j, "sthld_q", 0, m->sthld_q, s->sthld);
    judge_equal(j, "cycle_q", 0, m->cycle_q, s->cycle);
    judge_equal(j, "count_q", 0, m->count_q, s->now);
    judge_equal(j, "prev_q", 0, m->prev_q, s->before);
}

static void start(judge *j, uint64_t seed, rf_sthld *m, slow_sthld *s, const rf_sthld_cfg *cfg) {
    judge_begin(j, seed,
                "rf_sthld issues=%" PRIu32 " interval=%" PRIu32 " large=%" PRIu32 " first=%" PRIu32 " climb=%" PRIu32
                " speculate=%" PRIu32 " back=%" PRIu32 " probe=%" PRIu32 " undo=%" PRIu32,
                cfg->issues, cfg->interval, cfg->large, cfg->first, cfg->climb, cfg->speculate, cfg->back, cfg->probe, cfg->undo);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_sthld_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb leaves the model alone. */
static void step(judge *j, rf_sthld *m, slow_sthld *s, const rf_sthld_in *in, uint64_t *seen) {
    rf_sthld before;
    rf_sthld_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_sthld_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_sthld, m, in);
    slow_clock(s, in, seen);
    compare_state(j, s, m);
    j->cycle++;
}

static const rf_sthld_cfg sets[] = {
    /* issues, interval, large, first, climb, speculate, back, probe, undo */
    {2, 16, 26, 0, 4, 8, 12, 4, 8},      {4, 100, 26, 3, 5, 10, 15, 5, 10}, {1, 2, 128, 0, 1, 1, 2, 1, 2},
    {3, 7, 1, 255, 200, 100, 150, 1, 3}, {4, 33, 255, 10, 0, 0, 0, 0, 0},   {2, 5, 64, 128, 255, 255, 255, 255, 255},
    {1, 64, 10, 7, 16, 32, 48, 16, 32},  {3, 24, 40, 0, 3, 9, 12, 2, 4},
};

/* Intervals of many kinds: as the one before, a little or much more or less, none, all that the port can carry, along a curve. */
static uint32_t some_density(ls_rng *rng, const slow_sthld *s, uint32_t density, uint32_t knee) {
    switch (ls_rng_below(rng, 8)) {
    case 0:
        return ls_rng_below(rng, 257);
    case 1:
        return 0;
    case 2:
        return 256;
    case 3:
        return density / 2;
    case 4:
        return s->sthld <= knee ? 220 : 220 / (1 + (s->sthld - knee) / 4);
    default:
        return density;
    }
}

/* Of `n` instructions in `cycles` cycles, evenly spread, those of cycle `t`. */
static uint8_t spread(uint32_t t, uint32_t n, uint32_t cycles) { return (uint8_t)((t + 1) * n / cycles - t * n / cycles); }

static void run(const rf_sthld_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    const uint32_t bits = rf_index_bits(cfg->issues + 1);
    rf_sthld m;
    slow_sthld s;
    judge j;
    ls_rng rng;
    uint32_t density = 128, knee = 40, calm = 0;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (s.cycle == 0) {
            if (ls_rng_chance(&rng, 16)) knee = ls_rng_below(&rng, 256);
            if (ls_rng_chance(&rng, 24)) calm = ls_rng_chance(&rng, 128) ? 0 : 256; /* 256: the same number in every interval */
            if (!ls_rng_chance(&rng, calm) || ls_rng_chance(&rng, 32)) density = some_density(&rng, &s, density, knee);
        }
        rf_sthld_in in = {0};
        if (density == 256) in.issued = (uint8_t)ls_mask(bits);
        else if (calm != 0) in.issued = spread(s.cycle, density * cfg->issues, 256);
        else in.issued = (uint8_t)ls_rng_bits(&rng, bits, density);
        if (density != 0 && ls_rng_chance(&rng, 2)) in.issued ^= 1; /* one more or less: changes at the edge of L */
        step(&j, &m, &s, &in, seen);
        if (ls_rng_below(&rng, 3000) == 0) {
            seen[RESET] += s.cycle > 0;
            rf_sthld_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void intervals_of_every_kind(void **state) {
    const size_t n = sizeof sets / sizeof *sets;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_sthld"), 60000, seen);
        cycles += 60000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* The last cycle of an interval of two, from every state, with every number of instructions, at both ends of STHLD. */
static void every_edge_with_every_change(void **state) {
    static const uint8_t values[] = {0, 1, 3, 4, 5, 12, 100, 247, 250, 251, 254, 255};
    static const uint32_t larges[] = {1, 37, 128, 255};
    rf_sthld m;
    slow_sthld s;
    judge j;
    (void)state;
    for (uint32_t k = 0; k < sizeof larges / sizeof *larges; k++) {
        const rf_sthld_cfg cfg = {4, 2, larges[k], 9, 4, 8, 12, 5, 3};
        start(&j, 0, &m, &s, &cfg);
        for (uint32_t from = 1; from <= 6; from++)
            for (uint32_t v = 0; v < sizeof values; v++)
                for (uint32_t n = 0; n < 15 * 8 * 8; n++) {
                    m.state_q = (uint8_t)(s.state = from);
                    m.sthld_q = values[v];
                    s.sthld = values[v];
                    m.cycle_q = (uint16_t)(s.cycle = 1);
                    m.count_q = s.now = n / 8 % 8;
                    m.prev_q = s.before = n / 64;
                    step(&j, &m, &s, &(rf_sthld_in){(uint8_t)(n % 8)}, NULL);
                }
        judge_passes(&j);
    }
}

/* The longest interval with the most instructions that the port can carry; then one less is no large change. */
static void the_longest_interval(void **state) {
    const rf_sthld_cfg cfg = {4, 65535, 1, 0, 1, 2, 3, 1, 2};
    rf_sthld m;
    (void)state;
    assert_int_equal(rf_sthld_init(&m, &cfg), 0);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t t = 0; t < 65535; t++) {
            assert_int_equal(m.cycle_q, t);
            assert_int_equal(m.count_q, t * 7);
            rf_sthld_clock(&m, &(rf_sthld_in){(uint8_t)(round == 2 && t == 65534 ? 6 : 7)});
        }
        assert_int_equal(m.prev_q, 65535 * 7 - (round == 2));
        assert_int_equal(m.state_q, 2);
        assert_int_equal(m.sthld_q, round + 1);
    }
}

/* --- the walk of section 7 --- */

#define INTERVAL 512u
#define LARGE 13u /* 5.1 % */
#define STEPS 400u

/* IPC over STHLD as in Fig. 3b: flat up to the knee, then it falls by `fall` thousandths of the flat value with each cycle. */
typedef struct curve {
    uint32_t flat, knee, fall; /* flat: instructions in an interval */
} curve;

typedef struct walk {
    rf_sthld m;
    curve on;
    uint32_t steps;
    struct {
        uint32_t state, sthld, instructions;
    } at[STEPS]; /* each interval: what it began with, and what it issued */
} walk;

static uint32_t value_of(const curve *c, uint32_t sthld) {
    const uint64_t lost = sthld <= c->knee ? 0 : (uint64_t)(sthld - c->knee) * c->fall;
    return lost >= 1000 ? 0 : (uint32_t)(c->flat * (1000 - lost) / 1000);
}

static bool differs_largely(uint32_t before, uint32_t now) { return is_large(&(rf_sthld_cfg){.large = LARGE}, before, now); }

/* Fails the test unless `good`, after the whole walk in words. */
static void demand(const walk *w, bool good, const char *what) {
    if (good) return;
    print_error("climb %" PRIu32 ", speculate %" PRIu32 ", back %" PRIu32 ", probe %" PRIu32 ", undo %" PRIu32
                "; curve flat %" PRIu32 " to %" PRIu32 ", then -%" PRIu32 "/1000\n",
                w->m.cfg.climb, w->m.cfg.speculate, w->m.cfg.back, w->m.cfg.probe, w->m.cfg.undo, w->on.flat, w->on.knee,
                w->on.fall);
    for (uint32_t i = 0; i < w->steps; i++)
        print_error("  interval %3" PRIu32 ": state %" PRIu32 ", sthld %3" PRIu32 ", %" PRIu32 " instructions\n", i,
                    w->at[i].state, w->at[i].sthld, w->at[i].instructions);
    print_error("  now state %u, sthld %u\n", w->m.state_q, w->m.sthld_q);
    fail_msg("%s", what);
}

static void set_out(walk *w, const rf_sthld_cfg *cfg, curve on) {
    assert_int_equal(rf_sthld_init(&w->m, cfg), 0);
    w->on = on;
    w->steps = 0;
}

/* One interval: each cycle issues what the curve gives at its STHLD; the curve changes to `late` after `at` cycles. */
static void go_through(walk *w, const curve *late, uint32_t at) {
    const uint32_t first = w->m.sthld_q;
    uint32_t issued = 0;
    if (w->steps == STEPS) {
        memmove(&w->at[0], &w->at[STEPS / 2], STEPS / 2 * sizeof w->at[0]);
        w->steps = STEPS / 2;
    }
    w->at[w->steps].state = w->m.state_q;
    w->at[w->steps].sthld = first;
    for (uint32_t t = 0; t < INTERVAL; t++) {
        rf_sthld_in in = {0};
        rf_sthld_out out;
        if (t == at) w->on = *late;
        rf_sthld_comb(&w->m, &in, &out);
        if (out.sthld != first) demand(w, false, "STHLD changes within an interval");
        const uint32_t n = value_of(&w->on, out.sthld);
        in.issued = spread(t, n, INTERVAL);
        issued += in.issued;
        rf_sthld_clock(&w->m, &in);
    }
    w->at[w->steps++].instructions = issued;
}

static void go_on(walk *w) { go_through(w, NULL, INTERVAL); }

/* Walks until it rests, `most` intervals at most. */
static void until_rest(walk *w, uint32_t most) {
    for (uint32_t i = 0; i < most && w->m.state_q != 6; i++) go_on(w);
    demand(w, w->m.state_q == 6, "does not come to rest");
}

/* At rest, and nothing changes: no step for many intervals. */
static void stays(walk *w) {
    const uint32_t sthld = w->m.sthld_q;
    for (uint32_t i = 0; i < 12; i++) {
        go_on(w);
        demand(w, w->m.state_q == 6 && w->m.sthld_q == sthld, "does not stay at rest while nothing changes");
    }
}

/* On the flat side as far as the machine can see: what it loses there against the flat region is no large change. */
static bool is_flat(const walk *w) { return !differs_largely(w->on.flat, value_of(&w->on, w->m.sthld_q)); }

static bool is_within(const walk *w, uint32_t distance) {
    return w->m.sthld_q + distance >= w->on.knee && w->m.sthld_q <= w->on.knee + distance;
}

/* Deltas with the curves that they must follow: a step of CLIMB (of PROBE, if smaller) beyond the knee is a large change. */
static const struct {
    uint32_t climb, speculate, back, probe, undo, falls[4];
} deltas[] = {
    {4, 8, 12, 4, 8, {13, 18, 35, 103}}, /* the defaults */
    {4, 4, 8, 4, 8, {13, 20, 50, 80}},   {4, 16, 20, 4, 8, {13, 26, 52, 110}}, {8, 16, 24, 8, 16, {7, 13, 18, 40}},
    {3, 9, 12, 3, 6, {17, 26, 52, 103}}, {4, 16, 20, 2, 6, {26, 40, 60, 103}}, {4, 4, 8, 2, 4, {26, 35, 55, 103}},
};
#define N_DELTAS (sizeof deltas / sizeof *deltas)

static rf_sthld_cfg cfg_of(size_t k, uint32_t first) {
    return (rf_sthld_cfg){
        4, INTERVAL, LARGE, first, deltas[k].climb, deltas[k].speculate, deltas[k].back, deltas[k].probe, deltas[k].undo};
}

/* "After four intervals with a small change in IPC, a large change is detected"; "takes a speculative move by increasing STHLD
 * ... and moves to state 3"; "after realizing that this speculative step is detrimental, the scheme decreases STHLD and after
 * some additional steps, it converges"; "remains in state 6 until a large IPC change is detected" (Fig. 5a and b). */
static void walks_to_the_knee_and_rests(void **state) {
    walk w;
    (void)state;
    for (size_t k = 0; k < N_DELTAS; k++)
        for (uint32_t f = 0; f < 4; f++)
            for (uint32_t knee = 5 * deltas[k].climb; knee <= 150; knee++) {
                const rf_sthld_cfg cfg = cfg_of(k, knee % 3);
                uint32_t small = 0;
                set_out(&w, &cfg, (curve){1200, knee, deltas[k].falls[f]});
                demand(&w, w.m.state_q == 1 && w.m.sthld_q == cfg.first, "does not start in state 1 with FIRST");
                go_on(&w);
                demand(&w, w.m.state_q == 2 && w.m.sthld_q == cfg.first + cfg.climb, "does not begin to climb");
                do {
                    const uint32_t from = w.m.sthld_q;
                    go_on(&w);
                    if (w.m.state_q != 2) break;
                    small++;
                    demand(&w, w.m.sthld_q == from + cfg.climb, "does not climb on in the flat region");
                } while (w.steps < 100);
                const uint32_t last = w.steps - 1, top = w.at[last].sthld;
                demand(&w, small >= 4, "less than four small changes before the large one");
                demand(&w, top > knee && top <= knee + 2 * cfg.climb, "the large change is not that of the knee");
                demand(&w, differs_largely(w.at[last - 1].instructions, w.at[last].instructions),
                       "a small change is taken for L");
                demand(&w, w.m.state_q == 3 && w.m.sthld_q == top + cfg.speculate, "no speculative move to state 3");
                go_on(&w);
                demand(&w, w.m.state_q == 4 && w.m.sthld_q < top, "the harmful move is not undone");
                until_rest(&w, 8);
                demand(&w, is_flat(&w), "rests in the steep region");
                demand(&w, is_within(&w, cfg.probe + cfg.climb), "rests far from the knee");
                stays(&w);
            }
}

/* A knee so low that no wait pays: rests in 0 or at it, and tries again when something changes. */
static void a_knee_near_zero(void **state) {
    walk w;
    (void)state;
    for (size_t k = 0; k < N_DELTAS; k++)
        for (uint32_t f = 0; f < 4; f++)
            for (uint32_t knee = 0; knee < 5 * deltas[k].climb; knee++) {
                const rf_sthld_cfg cfg = cfg_of(k, 0);
                set_out(&w, &cfg, (curve){1200, knee, deltas[k].falls[f]});
                until_rest(&w, 24);
                demand(&w, is_flat(&w) && is_within(&w, cfg.undo + cfg.climb), "does not rest near a low knee");
                stays(&w);
                w.on = (curve){1800, 60, deltas[k].falls[f]};
                go_on(&w);
                demand(&w, w.m.state_q == 3, "a large change is not seen at rest");
                until_rest(&w, 40);
                demand(&w, is_flat(&w) && is_within(&w, cfg.probe + cfg.climb), "does not climb from a low knee");
            }
}

/* "In case of moving to the curve with a narrower flat region, the current STHLD will be in a steep region and the adaptive
 * algorithm will reduce it to reach the STHLD corresponding to the knee point" (Fig. 5c): from above, step by step. */
static void follows_to_a_narrower_flat_region(void **state) {
    walk w, rest;
    uint64_t seen = 0, unseen = 0;
    (void)state;
    for (size_t k = 0; k < N_DELTAS; k++)
        for (uint32_t f = 0; f < 4; f++) {
            const rf_sthld_cfg cfg = cfg_of(k, 0);
            const uint32_t fall = deltas[k].falls[f], wide = 90 + f;
            set_out(&rest, &cfg, (curve){1200, wide, fall});
            until_rest(&rest, 60);
            for (uint32_t knee = 0; knee < rest.m.sthld_q; knee++) {
                const uint32_t from = rest.m.sthld_q;
                uint32_t probed = 255;
                w = rest;
                w.on.knee = knee;
                if (value_of(&w.on, from + cfg.speculate) == 0) continue; /* S and L are blind where IPC falls no further */
                const uint32_t begin = w.steps;
                go_on(&w);
                if (!differs_largely(w.at[begin - 1].instructions, w.at[begin].instructions)) {
                    demand(&w, w.m.state_q == 6 && w.m.sthld_q == from, "a small change ends the rest");
                    unseen++;
                    continue;
                }
                seen++;
                demand(&w, w.m.state_q == 3 && w.m.sthld_q == from + cfg.speculate, "no speculative move to state 3");
                until_rest(&w, 100);
                for (uint32_t i = begin + 1; i < w.steps; i++) {
                    if (w.at[i].state != 5) continue;
                    demand(&w, w.at[i].sthld < probed, "does not come down step by step");
                    probed = w.at[i].sthld;
                }
                demand(&w, is_flat(&w), "rests in the steep region");
                demand(&w, is_within(&w, knee < cfg.undo ? cfg.undo : cfg.climb), "rests far from the narrower knee");
                stays(&w);
            }
        }
    assert_true(seen > 100 && unseen > 20);
}

/* "In the case of moving to the curve with a long flat region, ... the adaptive algorithm will increase the STHLD to approach the
 * point leading to the knee point" (Fig. 5d). */
static void follows_to_a_wider_flat_region(void **state) {
    walk w, rest;
    uint64_t bets = 0, lost = 0;
    (void)state;
    for (size_t k = 0; k < N_DELTAS; k++)
        for (uint32_t f = 0; f < 4; f++) {
            const rf_sthld_cfg cfg = cfg_of(k, 0);
            set_out(&rest, &cfg, (curve){1200, 30 + f, deltas[k].falls[f]});
            until_rest(&rest, 60);
            for (uint32_t knee = 31 + f; knee < 200; knee++) {
                const uint32_t from = rest.m.sthld_q;
                w = rest;
                w.on.flat = 1800;
                w.on.knee = knee;
                go_on(&w);
                demand(&w, w.m.state_q == 3 && w.m.sthld_q == from + cfg.speculate, "no speculative move to state 3");
                go_on(&w);
                if (from + cfg.speculate <= knee) { /* the bet was right */
                    bets++;
                    demand(&w, w.m.state_q == 2 && w.m.sthld_q == from + cfg.speculate + cfg.climb, "does not climb on");
                    until_rest(&w, 100);
                    demand(&w, is_within(&w, cfg.probe + cfg.climb), "rests far from the wider knee");
                } else { /* little wider than before: it may stay where it was */
                    lost++;
                    until_rest(&w, 100);
                    demand(&w, w.m.sthld_q + cfg.climb >= from, "rests lower although the flat region is wider");
                }
                demand(&w, is_flat(&w), "rests in the steep region");
                stays(&w);
            }
        }
    assert_true(bets > 1000 && lost > 50);
}

/* Phases that differ in IPC only (Fig. 5b): each costs a bet, none moves the rest away from the knee. */
static void phases_of_one_curve_do_not_wear_the_rest_away(void **state) {
    walk w;
    (void)state;
    for (size_t k = 0; k < N_DELTAS; k++)
        for (uint32_t knee = 40; knee < 60; knee++) {
            const rf_sthld_cfg cfg = cfg_of(k, 0);
            set_out(&w, &cfg, (curve){1200, knee, deltas[k].falls[1]});
            until_rest(&w, 60);
            const uint32_t first = w.m.sthld_q;
            for (uint32_t phase = 0; phase < 20; phase++) {
                w.on.flat = phase % 2 == 0 ? 1800 : 1200;
                go_on(&w);
                demand(&w, w.m.state_q == 3, "a large change is not seen at rest");
                until_rest(&w, 60);
                demand(&w, is_flat(&w), "rests in the steep region");
                if (cfg.probe == cfg.climb) demand(&w, w.m.sthld_q == first, "rests elsewhere after a phase of the same curve");
                demand(&w, is_within(&w, cfg.speculate + cfg.climb), "rests far from the knee after a phase of the same curve");
            }
        }
}

/* Phases do not wait for the end of an interval: the mixed one makes a second change, and still it ends in the flat region. */
static void a_phase_that_begins_within_an_interval(void **state) {
    static const curve phases[] = {{1200, 30, 26}, {1800, 70, 26}, {1800, 40, 26},
                                   {1200, 80, 26}, {1200, 45, 26}, {1200, 60, 26}};
    const rf_sthld_cfg cfg = cfg_of(0, 0);
    walk w;
    (void)state;
    for (uint32_t at = 1; at < INTERVAL; at += 7) {
        set_out(&w, &cfg, (curve){1200, 60, 26});
        until_rest(&w, 60);
        for (uint32_t i = 0; i < sizeof phases / sizeof *phases; i++) {
            go_through(&w, &phases[i], at);
            for (uint32_t t = 0; t < 40; t++) go_on(&w);
            demand(&w, w.m.state_q == 6 && is_flat(&w), "does not rest in the flat region");
        }
    }
}

/* IPC that trembles by less than LARGE disturbs nothing, neither the climb nor the rest. */
static void small_noise_disturbs_nothing(void **state) {
    walk w;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 7);
    for (uint32_t knee = 30; knee < 90; knee++) {
        const rf_sthld_cfg cfg = cfg_of(0, 0);
        set_out(&w, &cfg, (curve){1200, knee, 150}); /* one cycle beyond the knee is large, whatever the noise */
        for (uint32_t i = 0; i < 60; i++) {
            w.on.flat = 1180 + ls_rng_below(&rng, 41);
            go_on(&w);
        }
        demand(&w, w.m.state_q == 6 && w.m.sthld_q <= knee && is_within(&w, cfg.probe + cfg.climb), "does not rest at the knee");
        const uint32_t rest = w.m.sthld_q;
        for (uint32_t i = 0; i < 60; i++) {
            w.on.flat = 1180 + ls_rng_below(&rng, 41);
            go_on(&w);
            demand(&w, w.m.state_q == 6 && w.m.sthld_q == rest, "small noise ends the rest");
        }
    }
}

/* Without a knee there is nothing to rest at: STHLD climbs to its end and stays there. */
static void a_curve_without_a_knee(void **state) {
    const rf_sthld_cfg cfg = cfg_of(0, 0);
    walk w;
    (void)state;
    set_out(&w, &cfg, (curve){1200, 300, 100});
    for (uint32_t i = 0; i < 100; i++) go_on(&w);
    demand(&w, w.m.state_q == 2 && w.m.sthld_q == 255, "does not climb to the end");
}

static void reset_starts_again(void **state) {
    rf_sthld m, fresh;
    (void)state;
    memset(&m, 0xa5, sizeof m);
    assert_int_equal(rf_sthld_init(&m, &sets[1]), 0);
    memcpy(&fresh, &m, sizeof m);
    assert_int_equal(m.state_q, 1);
    assert_int_equal(m.sthld_q, 3);
    for (uint32_t t = 0; t < 250; t++) rf_sthld_clock(&m, &(rf_sthld_in){3});
    assert_int_equal(m.state_q, 2);
    assert_int_equal(m.cycle_q, 50);
    assert_int_equal(m.count_q, 150);
    assert_int_equal(m.prev_q, 300);
    rf_sthld_reset(&m);
    assert_memory_equal(&m, &fresh, sizeof m);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_sthld_cfg ends[] = {{1, 2, 1, 0, 0, 0, 0, 0, 0}, {4, 65535, 255, 255, 255, 255, 255, 255, 255}};
    (void)state;
    JUDGE_RANGES(rf_sthld, ends);
    JUDGE_RANGES(rf_sthld, sets);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    rf_sthld m;
    rf_sthld_out out;
    slow_sthld s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, &sets[1]);
    for (uint32_t t = 0; t < 333; t++) step(&j, &m, &s, &(rf_sthld_in){(uint8_t)(t % 5)}, NULL);
    judge_passes(&j);
    rf_sthld_comb(&m, &(rf_sthld_in){0}, &out);
    JUDGE_FLIPS(&j, rf_sthld, LS_OUT, &m, &out, compare_out(&j, &s, &out));
    JUDGE_FLIPS(&j, rf_sthld, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_every_kind),
        cmocka_unit_test(every_edge_with_every_change),
        cmocka_unit_test(the_longest_interval),
        cmocka_unit_test(walks_to_the_knee_and_rests),
        cmocka_unit_test(a_knee_near_zero),
        cmocka_unit_test(follows_to_a_narrower_flat_region),
        cmocka_unit_test(follows_to_a_wider_flat_region),
        cmocka_unit_test(phases_of_one_curve_do_not_wear_the_rest_away),
        cmocka_unit_test(a_phase_that_begins_within_an_interval),
        cmocka_unit_test(small_noise_disturbs_nothing),
        cmocka_unit_test(a_curve_without_a_knee),
        cmocka_unit_test(reset_starts_again),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_sthld", tests, NULL, NULL);
}
