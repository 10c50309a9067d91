/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_sched_lrr: the slow model remembers the index of the warp that issued last and walks from the next one
 * ([hierarchy 3]: "we select a new ready active warp from the active warp pool each cycle using a rotating priority"). */
#include "cmodel/banked/rf_sched_lrr_parts.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_sched_lrr_unit;

typedef struct slow_lrr {
    uint32_t warps;
    uint32_t last; /* the warp that issued last; warps - 1 after reset */
} slow_lrr;

/* clang-format off */
#define SEEN(X) \
    X(NOBODY, "no warp is ready") \
    X(NEXT, "the next warp") \
    X(SKIPPED, "warps that are not ready lose their turn") \
    X(WRAPPED, "wrapped around") \
    X(SAME_AGAIN, "the same warp again") \
    X(NOT_TAKEN, "chosen but not taken") \
    X(TAKE_OF_NOTHING, "take without a choice") \
    X(LAUNCH_OF_LAST, "launch of the warp that issued last") \
    X(LAUNCH_WHILE_TAKEN, "launch of the warp that is taken") \
    X(ONE_WARP, "a single warp is chosen") \
    X(OTHER, "the other half has a ready warp") \
    X(NO_OTHER, "the other half has no ready warp") \
    X(OTHER_LOW, "the chosen warp is in the upper half") \
    X(OTHER_WRAPPED, "the other finalist comes only after the walk has wrapped, the chosen one before") \
    X(OTHER_UNEVEN, "the only warp of an upper half that is smaller") \
    X(TOP_TAKEN, "the highest warp is taken") \
    X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_lrr *s) { s->last = s->warps - 1; }

/* The chosen warp; `warps` when none is ready. */
static uint32_t slow_comb(const slow_lrr *s, const rf_sched_lrr_in *in) {
    bool ready[64] = {false};
    for (uint32_t w = 0; w < s->warps; w++) ready[w] = judge_bit(in->ready, w);
    return judge_walk(s->last, ready, s->warps);
}

/* True when the warp is in the upper half of the selection tree, whose leaves are the least power of two that holds all warps. */
static bool is_upper(const slow_lrr *s, uint32_t warp) {
    uint32_t leaves = 1;
    while (leaves < s->warps) leaves *= 2;
    return 2 * warp >= leaves;
}

/* The best ready warp of the half without the chosen one ([bank stealing IV-B-2]: "at one stage above the bottom level of the
 * tree, there are two warps"); `warps` when there is none. */
static uint32_t slow_other(const slow_lrr *s, const rf_sched_lrr_in *in, uint32_t chosen) {
    bool half[64] = {false};
    if (chosen == s->warps || s->warps == 1) return s->warps;
    for (uint32_t w = 0; w < s->warps; w++) half[w] = judge_bit(in->ready, w) && is_upper(s, w) != is_upper(s, chosen);
    return judge_walk(s->last, half, s->warps);
}

static void slow_clock(slow_lrr *s, const rf_sched_lrr_in *in) {
    const uint32_t chosen = slow_comb(s, in);
    if (in->take && chosen < s->warps) s->last = chosen;
}

static void compare_out(judge *j, const slow_lrr *s, const rf_sched_lrr_out *out, uint32_t chosen, uint32_t other) {
    judge_equal(j, "valid", 0, out->valid, chosen < s->warps);
    judge_equal(j, "warp", 0, out->warp, chosen < s->warps ? chosen : 0);
    judge_equal(j, "onehot", 0, out->onehot, chosen < s->warps ? UINT64_C(1) << chosen : 0);
    judge_equal(j, "other", 0, out->other, other < s->warps ? UINT64_C(1) << other : 0);
}

static void compare_state(judge *j, const slow_lrr *s, const rf_sched_lrr *m) {
    judge_equal(j, "u_rr.mask_q", 0, m->rr.mask_q, judge_above(s->last, s->warps));
}

static void start(judge *j, uint64_t seed, rf_sched_lrr *m, slow_lrr *s, uint32_t warps) {
    const rf_sched_lrr_cfg cfg = {warps};
    judge_begin(j, seed, "rf_sched_lrr warps=%" PRIu32, warps);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_sched_lrr_init(m, &cfg), 0);
    assert_int_equal(m->cfg.warps, warps);
    assert_int_equal(m->rr.cfg.n, warps);
    s->warps = warps;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. Returns the chosen warp. */
static uint32_t step(judge *j, rf_sched_lrr *m, slow_lrr *s, const rf_sched_lrr_in *in) {
    const uint32_t chosen = slow_comb(s, in);
    rf_sched_lrr before;
    rf_sched_lrr_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_sched_lrr_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out, chosen, slow_other(s, in, chosen));
    judge_equal(j, "choose", 0, rf_sched_lrr_choose(m, in->ready), chosen < s->warps ? chosen : 0);
    JUDGE_CLOCK(rf_sched_lrr, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
    return chosen;
}

static void count(const slow_lrr *s, const rf_sched_lrr_in *in, uint64_t *seen) {
    const uint32_t chosen = slow_comb(s, in);
    const bool any = chosen < s->warps;
    const uint32_t other = slow_other(s, in, chosen);
    const bool both = other < s->warps;
    seen[NOBODY] += !any;
    seen[NEXT] += any && chosen == s->last + 1;
    seen[SKIPPED] += any && chosen > s->last + 1;
    seen[WRAPPED] += any && chosen < s->last;
    seen[SAME_AGAIN] += any && chosen == s->last && s->warps > 1;
    seen[NOT_TAKEN] += any && !in->take;
    seen[TAKE_OF_NOTHING] += !any && in->take;
    seen[LAUNCH_OF_LAST] += judge_bit(in->launch, s->last);
    seen[LAUNCH_WHILE_TAKEN] += any && in->take && judge_bit(in->launch, chosen);
    seen[ONE_WARP] += any && s->warps == 1;
    seen[OTHER] += both;
    seen[NO_OTHER] += any && !both && s->warps > 1;
    seen[OTHER_LOW] += both && is_upper(s, chosen);
    seen[OTHER_WRAPPED] += both && chosen > s->last && other <= s->last;
    seen[OTHER_UNEVEN] += both && (s->warps == 3 || s->warps == 5 || s->warps == 33) && other == s->warps - 1;
    seen[TOP_TAKEN] += any && in->take && s->warps > 1 && chosen == s->warps - 1;
}

/* Random cycles; a warp that is ready and stays so is passed over by at most warps - 1 others. */
static void run(uint32_t warps, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_sched_lrr m;
    slow_lrr s;
    judge j;
    ls_rng rng;
    rf_sched_lrr_in in = {0, 0, 0};
    uint32_t p_ready = 0, p_take = 0, p_hold = 0, passed_over[64] = {0};
    start(&j, seed, &m, &s, warps);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_ready = ls_rng_below(&rng, 257);
            p_take = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
            p_hold = ls_rng_below(&rng, 200);
        }
        if (!ls_rng_chance(&rng, p_hold))
            in.ready = ls_rng_chance(&rng, 32) ? ls_rng_value(&rng, warps) : ls_rng_bits(&rng, warps, p_ready);
        in.launch = ls_rng_chance(&rng, 64) ? ls_rng_value(&rng, warps) : 0;
        in.take = ls_rng_chance(&rng, p_take);
        count(&s, &in, seen);
        const uint32_t chosen = step(&j, &m, &s, &in);
        for (uint32_t w = 0; w < warps; w++) {
            if (!judge_bit(in.ready, w) || w == chosen) passed_over[w] = 0;
            else if (in.take) passed_over[w]++;
            assert_in_range(passed_over[w], 0, warps - 1);
        }
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.last != warps - 1;
            rf_sched_lrr_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            memset(passed_over, 0, sizeof passed_over);
        }
    }
    judge_passes(&j);
}

static void random_warps(void **state) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 24, 32, 33, 48, 63, 64};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run(sizes[i], ls_seed_derive(i, "judge rf_sched_lrr"), 20000, seen);
        cycles += 20000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* All pointers x all ready sets x take, for 1 to 8 warps. */
static void every_pointer_and_input_of_small_sizes(void **state) {
    judge j;
    (void)state;
    for (uint32_t warps = 1; warps <= 8; warps++) {
        rf_sched_lrr m;
        slow_lrr s;
        start(&j, 0, &m, &s, warps);
        for (uint32_t last = 0; last < warps; last++)
            for (uint64_t ready = 0; ready <= ls_mask(warps); ready++)
                for (uint8_t take = 0; take <= 1; take++) {
                    step(&j, &m, &s, &(rf_sched_lrr_in){UINT64_C(1) << last, 0, 1});
                    step(&j, &m, &s, &(rf_sched_lrr_in){ready, ls_mask(warps) ^ ready, take});
                }
        judge_passes(&j);
    }
}

static void in_turn_without_those_that_are_not_ready(void **state) {
    static const uint32_t order[] = {0, 1, 3, 4, 0, 1, 3, 4};
    rf_sched_lrr m;
    slow_lrr s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 5);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(step(&j, &m, &s, &(rf_sched_lrr_in){0x1b, 0x1f, 0}), order[i]); /* not taken: the turn is kept */
        assert_int_equal(step(&j, &m, &s, &(rf_sched_lrr_in){0, 0, 1}), 5);              /* nobody: too */
        assert_int_equal(step(&j, &m, &s, &(rf_sched_lrr_in){0x1b, 0x1f, 1}), order[i]); /* a launch has no effect */
    }
    assert_int_equal(step(&j, &m, &s, &(rf_sched_lrr_in){0x10, 0, 1}), 4); /* the last one again, when alone */
    assert_int_equal(step(&j, &m, &s, &(rf_sched_lrr_in){0x04, 0, 1}), 2);
    assert_int_equal(m.rr.mask_q, 0x18);
    judge_passes(&j);
}

/* [bank stealing Fig. 7]: the tree of 5 warps has 8 leaves, so its halves are 0 to 3 and 4; the turn decides in each. */
static void the_other_finalist(void **state) {
    static const struct {
        rf_sched_lrr_in in;
        uint64_t chosen, other;
    } steps[] = {
        {{0x1f, 0, 1}, 1u << 0, 1u << 4}, {{0x1f, 0, 1}, 1u << 1, 1u << 4},
        {{0x0f, 0, 0}, 1u << 2, 0},       {{0x11, 0, 0}, 1u << 4, 1u << 0},
        {{0x1b, 0, 1}, 1u << 3, 1u << 4}, {{0x1a, 0, 1}, 1u << 4, 1u << 1},
        {{0x1c, 0, 1}, 1u << 2, 1u << 4}, {{0x15, 0, 0}, 1u << 4, 1u << 0},
        {{0x10, 0, 1}, 1u << 4, 0},       {{0, 0, 1}, 0, 0},
        {{0x12, 0, 1}, 1u << 1, 1u << 4}, {{0x13, 0, 0}, 1u << 4, 1u << 0},
    };
    rf_sched_lrr m;
    slow_lrr s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 5);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        rf_sched_lrr_out out;
        rf_sched_lrr_comb(&m, &steps[i].in, &out);
        assert_int_equal(out.onehot, steps[i].chosen);
        assert_int_equal(out.other, steps[i].other);
        step(&j, &m, &s, &steps[i].in);
    }
    judge_passes(&j);
}

static void reset_puts_warp_0_first(void **state) {
    rf_sched_lrr m;
    slow_lrr s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 33);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_lrr_in){UINT64_C(1) << 31, 0, 1}), 31);
    assert_int_equal(m.rr.mask_q, UINT64_C(1) << 32);
    rf_sched_lrr_reset(&m);
    slow_reset(&s);
    assert_int_equal(m.rr.mask_q, 0);
    assert_int_equal(m.cfg.warps, 33);
    assert_int_equal(m.rr.cfg.n, 33);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_lrr_in){ls_mask(33), 0, 1}), 0);
    judge_passes(&j);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_sched_lrr_cfg good[] = {{1}, {2}, {33}, {64}};
    (void)state;
    JUDGE_RANGES(rf_sched_lrr, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_sched_lrr_in in = {UINT64_C(0x8000000000000421), 0, 1};
    rf_sched_lrr m;
    slow_lrr s;
    judge j;
    rf_sched_lrr_out out;
    (void)state;
    start(&j, 0, &m, &s, 64);
    assert_int_equal(step(&j, &m, &s, &in), 0);
    assert_int_equal(step(&j, &m, &s, &in), 5);
    judge_passes(&j);
    rf_sched_lrr_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_sched_lrr, LS_OUT, &m, &out, compare_out(&j, &s, &out, 10, 63));
    JUDGE_FLIPS(&j, rf_sched_lrr, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_warps),
        cmocka_unit_test(every_pointer_and_input_of_small_sizes),
        cmocka_unit_test(in_turn_without_those_that_are_not_ready),
        cmocka_unit_test(the_other_finalist),
        cmocka_unit_test(reset_puts_warp_0_first),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_sched_lrr", tests, NULL, NULL);
}
