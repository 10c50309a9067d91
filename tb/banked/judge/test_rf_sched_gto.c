/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_sched_gto: the slow model stamps each warp with the time of its launch and searches the earliest stamp
 * ([bank stealing IV-B]: its order is "Wa, Wa, Wb, Wb, ..."). */
#include "cmodel/banked/rf_sched_gto_parts.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_sched_gto_unit;

typedef struct slow_gto {
    uint32_t warps;
    uint64_t now, launched[64]; /* time of the latest launch, time of each warp's launch; all different */
    bool greedy;                /* a warp has issued and not been launched anew since */
    uint32_t last;              /* the warp that issued last; kept when greedy ends */
} slow_gto;

/* clang-format off */
#define SEEN(X) \
    X(NOBODY, "no warp is ready") \
    X(GREEDY, "the last one again") \
    X(GREEDY_OVER_OLDER, "the last one again although an older one is ready") \
    X(OLDEST, "the oldest, the last one not being ready") \
    X(OLDEST_NOT_LOWEST, "the oldest is not the lowest index") \
    X(NOT_TAKEN, "chosen but not taken") \
    X(TAKE_OF_NOTHING, "take without a choice") \
    X(LAUNCH, "one launch") \
    X(LAUNCH_SEVERAL, "several launches in one cycle") \
    X(LAUNCH_ALL, "launch of every warp in one cycle") \
    X(LAUNCH_OF_LAST, "launch of the warp that issued last") \
    X(LAUNCH_OF_TAKEN, "launch of the warp that is taken in the same cycle") \
    X(LAUNCH_AND_OTHER_TAKEN, "launch of the last warp while another is taken") \
    X(STAYS_AFTER_IDLE, "the last one is remembered over a cycle without a ready warp") \
    X(ONE_WARP, "a single warp is chosen") \
    X(OTHER, "the other half has a ready warp") \
    X(NO_OTHER, "the other half has no ready warp") \
    X(OTHER_LOW, "the chosen warp is in the upper half") \
    X(OTHER_OLDER, "the other finalist is older than the greedy one") \
    X(OTHER_NOT_LOWEST, "the other finalist is not the lowest ready warp of its half") \
    X(OTHER_UNEVEN, "the only ready warp of an upper half that is smaller") \
    X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_gto *s) {
    for (uint32_t w = 0; w < s->warps; w++) s->launched[w] = w;
    s->now = s->warps;
    s->greedy = false;
    s->last = 0;
}

static uint32_t oldest(const slow_gto *s, uint64_t ready) {
    uint32_t best = s->warps;
    for (uint32_t w = 0; w < s->warps; w++)
        if (judge_bit(ready, w) && (best == s->warps || s->launched[w] < s->launched[best])) best = w;
    return best;
}

/* The chosen warp; `warps` when none is ready. */
static uint32_t slow_comb(const slow_gto *s, const rf_sched_gto_in *in) {
    if (s->greedy && judge_bit(in->ready, s->last)) return s->last;
    return oldest(s, in->ready);
}

/* True when the warp is in the upper half of the selection tree, whose leaves are the least power of two that holds all warps. */
static bool is_upper(const slow_gto *s, uint32_t warp) {
    uint32_t leaves = 1;
    while (leaves < s->warps) leaves *= 2;
    return 2 * warp >= leaves;
}

/* The best ready warp of the half without the chosen one ([bank stealing IV-B-2]: "at one stage above the bottom level of the
 * tree, there are two warps"); `warps` when there is none. */
static uint32_t slow_other(const slow_gto *s, const rf_sched_gto_in *in, uint32_t chosen) {
    bool half[64] = {false};
    if (chosen == s->warps || s->warps == 1) return s->warps;
    for (uint32_t w = 0; w < s->warps; w++) half[w] = judge_bit(in->ready, w) && is_upper(s, w) != is_upper(s, chosen);
    return oldest(s, judge_pack(half, s->warps));
}

static void slow_clock(slow_gto *s, const rf_sched_gto_in *in) {
    const uint32_t chosen = slow_comb(s, in);
    for (uint32_t w = 0; w < s->warps; w++) {
        if (!judge_bit(in->launch, w)) continue;
        s->launched[w] = s->now++;
        if (s->last == w) s->greedy = false;
    }
    if (!in->take || chosen == s->warps) return;
    s->greedy = true;
    s->last = chosen;
}

static void compare_out(judge *j, const slow_gto *s, const rf_sched_gto_out *out, uint32_t chosen, uint32_t other) {
    judge_equal(j, "valid", 0, out->valid, chosen < s->warps);
    judge_equal(j, "warp", 0, out->warp, chosen < s->warps ? chosen : 0);
    judge_equal(j, "onehot", 0, out->onehot, chosen < s->warps ? UINT64_C(1) << chosen : 0);
    judge_equal(j, "other", 0, out->other, other < s->warps ? UINT64_C(1) << other : 0);
}

static void compare_state(judge *j, const slow_gto *s, const rf_sched_gto *m) {
    judge_equal(j, "last_valid_q", 0, m->last_valid_q, s->greedy);
    judge_equal(j, "last_q", 0, m->last_q, s->last);
    for (uint32_t w = 0; w < s->warps; w++) {
        bool older[64] = {false};
        for (uint32_t other = 0; other < s->warps; other++) older[other] = s->launched[other] < s->launched[w];
        judge_equal(j, "older_q", w, m->older_q[w], judge_pack(older, s->warps));
    }
}

static void start(judge *j, uint64_t seed, rf_sched_gto *m, slow_gto *s, uint32_t warps) {
    const rf_sched_gto_cfg cfg = {warps};
    judge_begin(j, seed, "rf_sched_gto warps=%" PRIu32, warps);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_sched_gto_init(m, &cfg), 0);
    assert_int_equal(m->cfg.warps, warps);
    s->warps = warps;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. Returns the chosen warp. */
static uint32_t step(judge *j, rf_sched_gto *m, slow_gto *s, const rf_sched_gto_in *in) {
    const uint32_t chosen = slow_comb(s, in);
    rf_sched_gto before;
    rf_sched_gto_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_sched_gto_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out, chosen, slow_other(s, in, chosen));
    judge_equal(j, "choose", 0, rf_sched_gto_choose(m, in->ready), chosen < s->warps ? chosen : 0);
    judge_equal(j, "oldest", 0, rf_sched_age_oldest(m->older_q, in->ready),
                chosen < s->warps ? UINT64_C(1) << oldest(s, in->ready) : 0);
    JUDGE_CLOCK(rf_sched_gto, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
    return chosen;
}

static void count(const slow_gto *s, const rf_sched_gto_in *in, bool was_idle, uint64_t *seen) {
    const uint32_t warps = s->warps, chosen = slow_comb(s, in);
    const bool any = chosen < warps, again = any && s->greedy && chosen == s->last;
    const uint32_t other = slow_other(s, in, chosen);
    const bool both = other < warps;
    uint32_t launches = 0, lowest = 0;
    for (uint32_t w = 0; w < warps; w++) launches += judge_bit(in->launch, w);
    while (any && !judge_bit(in->ready, lowest)) lowest++;
    seen[NOBODY] += !any;
    seen[GREEDY] += again;
    seen[GREEDY_OVER_OLDER] += again && oldest(s, in->ready) != chosen;
    seen[OLDEST] += any && s->greedy && !again;
    seen[OLDEST_NOT_LOWEST] += any && !again && chosen != lowest;
    seen[NOT_TAKEN] += any && !in->take;
    seen[TAKE_OF_NOTHING] += !any && in->take;
    seen[LAUNCH] += launches == 1;
    seen[LAUNCH_SEVERAL] += launches > 1;
    seen[LAUNCH_ALL] += warps > 1 && launches == warps;
    seen[LAUNCH_OF_LAST] += s->greedy && judge_bit(in->launch, s->last);
    seen[LAUNCH_OF_TAKEN] += any && in->take && judge_bit(in->launch, chosen);
    seen[LAUNCH_AND_OTHER_TAKEN] += any && in->take && s->greedy && chosen != s->last && judge_bit(in->launch, s->last);
    seen[STAYS_AFTER_IDLE] += again && was_idle;
    seen[ONE_WARP] += any && warps == 1;
    seen[OTHER] += both;
    seen[NO_OTHER] += any && !both && warps > 1;
    seen[OTHER_LOW] += both && is_upper(s, chosen);
    seen[OTHER_OLDER] += both && again && s->launched[other] < s->launched[chosen];
    for (uint32_t w = 0; w < other && both; w++)
        seen[OTHER_NOT_LOWEST] += judge_bit(in->ready, w) && is_upper(s, w) == is_upper(s, other);
    seen[OTHER_UNEVEN] += both && (warps == 3 || warps == 5 || warps == 33) && other == warps - 1;
}

static void run(uint32_t warps, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_sched_gto m;
    slow_gto s;
    judge j;
    ls_rng rng;
    rf_sched_gto_in in = {0, 0, 0};
    uint32_t p_ready = 0, p_take = 0, p_launch = 0;
    bool idle = false;
    start(&j, seed, &m, &s, warps);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_ready = ls_rng_below(&rng, 257);
            p_take = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
            p_launch = ls_rng_chance(&rng, 64) ? 0 : ls_rng_below(&rng, 64);
        }
        in.ready = ls_rng_chance(&rng, 32) ? ls_rng_value(&rng, warps) : ls_rng_bits(&rng, warps, p_ready);
        if (ls_rng_chance(&rng, 16)) in.ready = 0;
        in.take = ls_rng_chance(&rng, p_take);
        in.launch = 0;
        if (ls_rng_chance(&rng, p_launch)) in.launch = ls_rng_value(&rng, warps);
        if (ls_rng_chance(&rng, p_launch / 4)) in.launch |= UINT64_C(1) << s.last;
        if (ls_rng_chance(&rng, p_launch)) in.launch |= UINT64_C(1) << ls_rng_below(&rng, warps);
        count(&s, &in, idle, seen);
        idle = step(&j, &m, &s, &in) == warps;
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.greedy;
            rf_sched_gto_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_warps(void **state) {
    static const struct {
        uint32_t warps;
        uint64_t cycles;
    } sets[] = {{1, 20000}, {2, 40000}, {3, 40000}, {5, 40000}, {8, 40000}, {16, 10000},
                {24, 5000}, {32, 6000}, {33, 5000}, {48, 4000}, {63, 2000}, {64, 3000}};
    uint64_t seen[EVENTS] = {0}, total = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(sets[i].warps, ls_seed_derive(i, "judge rf_sched_gto"), sets[i].cycles, seen);
        total += sets[i].cycles;
    }
    assert_true(total >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* All ready sets x all launch sets x take, from every state that three cycles of a small scheduler reach. */
static void every_input_of_small_sizes(void **state) {
    judge j;
    (void)state;
    for (uint32_t warps = 1; warps <= 3; warps++) {
        const uint32_t codes = 1u << (2 * warps + 1);
        rf_sched_gto m[4];
        slow_gto s[4];
        start(&j, 0, &m[0], &s[0], warps);
        const uint32_t walks = warps == 3 ? codes * codes : codes * codes * codes;
        for (uint32_t walk = 0; walk < walks; walk++) {
            uint32_t rest = walk;
            for (uint32_t d = 0; d < 3; d++, rest /= codes) {
                const uint32_t code = rest % codes;
                m[d + 1] = m[d], s[d + 1] = s[d];
                step(&j, &m[d + 1], &s[d + 1],
                     &(rf_sched_gto_in){code & ls_mask(warps), (code >> warps) & ls_mask(warps), (uint8_t)(code >> (2 * warps))});
            }
        }
        judge_passes(&j);
    }
}

/* Greedy until the warp is not ready, then the oldest, not the lowest. */
static void greedy_then_oldest(void **state) {
    rf_sched_gto m;
    slow_gto s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 5);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x1f, 0x03, 0}), 0); /* 0 and 1 are launched anew: 2 3 4 0 1 by age */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x1b, 0, 1}), 3);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x1f, 0, 1}), 3); /* greedy: 2 is older */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x13, 0, 0}), 4); /* oldest, but not taken */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x0b, 0, 1}), 3); /* so 3 is still the last */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x03, 0, 1}), 0); /* launched together: the lower index is the older */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0, 0, 1}), 5);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x1f, 0, 1}), 0);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x1e, 0x01, 0}), 2); /* a new warp in slot 0 is not the last one */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x03, 0, 1}), 1);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x02, 0x02, 1}),
                     1); /* launch acts before take: 1 is the last, and the youngest */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x1f, 0, 0}), 1);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_gto_in){0x1d, 0, 0}), 2);
    assert_int_equal(m.older_q[1], 0x1d);
    judge_passes(&j);
}

/* [bank stealing Fig. 7]: the tree of 5 warps has 8 leaves, its halves are 0 to 3 and 4; greed decides the bottom, age what
 * stands beside. */
static void the_other_finalist(void **state) {
    static const struct {
        rf_sched_gto_in in;
        uint64_t chosen, other;
    } steps[] = {
        {{0x1f, 0x03, 0}, 1u << 0, 1u << 4}, /* from here on 2 3 4 0 1 by age */
        {{0x1f, 0, 0}, 1u << 2, 1u << 4},
        {{0x0f, 0, 0}, 1u << 2, 0},
        {{0x13, 0, 1}, 1u << 4, 1u << 0}, /* of 0 and 1 the older */
        {{0x1f, 0, 1}, 1u << 4, 1u << 2}, /* greedy, and the oldest of all beside it */
        {{0x10, 0, 1}, 1u << 4, 0},
        {{0x1a, 0, 0}, 1u << 4, 1u << 3},
        {{0x0a, 0, 1}, 1u << 3, 0},
        {{0x1e, 0x04, 0}, 1u << 3, 1u << 4},
        {{0, 0, 1}, 0, 0},
        {{0x16, 0x08, 0}, 1u << 4, 1u << 1}, /* 2 is younger than 1 now */
    };
    rf_sched_gto m;
    slow_gto s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 5);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        rf_sched_gto_out out;
        rf_sched_gto_comb(&m, &steps[i].in, &out);
        assert_int_equal(out.onehot, steps[i].chosen);
        assert_int_equal(out.other, steps[i].other);
        step(&j, &m, &s, &steps[i].in);
    }
    judge_passes(&j);
}

static void after_reset_lower_is_older(void **state) {
    rf_sched_gto m;
    slow_gto s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 4);
    step(&j, &m, &s, &(rf_sched_gto_in){0x8, 0x7, 1});
    assert_int_equal(m.last_q, 3);
    rf_sched_gto_reset(&m);
    assert_int_equal(m.cfg.warps, 4);
    assert_int_equal(m.last_valid_q, 0);
    assert_int_equal(m.last_q, 0);
    for (uint32_t w = 0; w < 4; w++) assert_int_equal(m.older_q[w], (1u << w) - 1);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_sched_gto_cfg good[] = {{1}, {2}, {33}, {64}};
    (void)state;
    JUDGE_RANGES(rf_sched_gto, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_sched_gto_in in = {0x0000800000000420, 0x20, 1};
    rf_sched_gto m;
    slow_gto s;
    judge j;
    rf_sched_gto_out out;
    (void)state;
    start(&j, 0, &m, &s, 48);
    step(&j, &m, &s, &in);
    judge_passes(&j);
    rf_sched_gto_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_sched_gto, LS_OUT, &m, &out, compare_out(&j, &s, &out, 5, 47));
    JUDGE_FLIPS(&j, rf_sched_gto, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_warps),
        cmocka_unit_test(every_input_of_small_sizes),
        cmocka_unit_test(greedy_then_oldest),
        cmocka_unit_test(the_other_finalist),
        cmocka_unit_test(after_reset_lower_is_older),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_sched_gto", tests, NULL, NULL);
}
