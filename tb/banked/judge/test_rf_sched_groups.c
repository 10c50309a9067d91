/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_sched_groups: the slow model remembers the index of the warp that issued last and walks through the fetch groups
 * from its group on, and through each group from the warp after it on ([bank stealing VI-B-1], "two-level"; Narasiman et al.,
 * MICRO 2011: the groups reach a long wait one after the other). */
#include "cmodel/banked/rf_sched_groups.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_sched_groups_unit;

typedef struct slow_groups {
    uint32_t warps, fetch;
    bool issued;   /* some warp has issued since reset */
    uint32_t last; /* the warp that issued last */
} slow_groups;

/* clang-format off */
#define SEEN(X) \
    X(NOBODY, "no warp is ready") \
    X(NEXT_INSIDE, "the next warp of the group") \
    X(SKIPPED, "warps of the group that are not ready lose their turn") \
    X(WRAPPED_INSIDE, "wrapped around inside the group") \
    X(STAYS, "the group is kept although a warp above it is ready") \
    X(SAME_AGAIN, "the same warp again, with others ready in other groups") \
    X(NEXT_GROUP, "the next group") \
    X(SKIPPED_GROUP, "a group without a ready warp is left out") \
    X(WRAPPED_GROUP, "wrapped around to a lower group") \
    X(LOWEST_OF_NEW, "a new group starts with its lowest ready warp, not its lowest warp") \
    X(BACK_IN, "a lower group starts with its lowest ready warp") \
    X(SMALL_LAST, "chosen in a last group that is smaller") \
    X(ONE_GROUP, "one group of several warps") \
    X(GROUPS_OF_ONE, "groups of one warp") \
    X(FETCH_ABOVE, "a fetch group larger than the number of warps") \
    X(NOT_TAKEN, "chosen but not taken") \
    X(TAKE_OF_NOTHING, "take without a choice") \
    X(LAUNCH_OF_LAST, "launch of the warp that issued last") \
    X(LAUNCH_WHILE_TAKEN, "launch of the warp that is taken") \
    X(ONE_WARP, "a single warp is chosen") \
    X(TOP_TAKEN, "the highest warp is taken") \
    X(FIRST_AFTER_RESET, "the first choice after reset is not in group 0") \
    X(OTHER, "the other half has a ready warp") \
    X(NO_OTHER, "the other half has no ready warp") \
    X(OTHER_LOW, "the chosen warp is in the upper half") \
    X(OTHER_SAME_GROUP, "both finalists are of one group") \
    X(OTHER_NOT_LOWEST, "the other finalist is not the lowest ready warp of its half") \
    X(OTHER_FROM_LAST, "the other finalist is the next warp of the current group") \
    X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_groups *s) {
    s->issued = false;
    s->last = 0;
}

static uint32_t group_of(const slow_groups *s, uint32_t warp) { return warp / s->fetch; }

static uint32_t groups_of(const slow_groups *s) { return group_of(s, s->warps - 1) + 1; }

/* The best of the warps; `warps` when there is none. */
static uint32_t best(const slow_groups *s, const bool *ready) {
    const uint32_t groups = groups_of(s);
    for (uint32_t step = 0; step < groups; step++) {
        const uint32_t group = (group_of(s, s->last) + step) % groups;
        for (uint32_t w = 0; w < s->warps; w++)
            if (group_of(s, w) == group && ready[w] && s->issued && w > s->last) return w;
        for (uint32_t w = 0; w < s->warps; w++)
            if (group_of(s, w) == group && ready[w]) return w;
    }
    return s->warps;
}

/* The chosen warp; `warps` when none is ready. */
static uint32_t slow_comb(const slow_groups *s, const rf_sched_groups_in *in) {
    bool ready[64] = {false};
    for (uint32_t w = 0; w < s->warps; w++) ready[w] = judge_bit(in->ready, w);
    return best(s, ready);
}

/* True when the warp is in the upper half of the selection tree, whose leaves are the least power of two that holds all warps. */
static bool is_upper(const slow_groups *s, uint32_t warp) {
    uint32_t leaves = 1;
    while (leaves < s->warps) leaves *= 2;
    return 2 * warp >= leaves;
}

/* The best ready warp of the half without the chosen one ([bank stealing IV-B-2]: "at one stage above the bottom level of the
 * tree, there are two warps"); `warps` when there is none. */
static uint32_t slow_other(const slow_groups *s, const rf_sched_groups_in *in, uint32_t chosen) {
    bool half[64] = {false};
    if (chosen == s->warps || s->warps == 1) return s->warps;
    for (uint32_t w = 0; w < s->warps; w++) half[w] = judge_bit(in->ready, w) && is_upper(s, w) != is_upper(s, chosen);
    return best(s, half);
}

static void slow_clock(slow_groups *s, const rf_sched_groups_in *in) {
    const uint32_t chosen = slow_comb(s, in);
    if (!in->take || chosen == s->warps) return;
    s->issued = true;
    s->last = chosen;
}

static void compare_out(judge *j, const slow_groups *s, const rf_sched_groups_out *out, uint32_t chosen, uint32_t other) {
    judge_equal(j, "valid", 0, out->valid, chosen < s->warps);
    judge_equal(j, "warp", 0, out->warp, chosen < s->warps ? chosen : 0);
    judge_equal(j, "onehot", 0, out->onehot, chosen < s->warps ? UINT64_C(1) << chosen : 0);
    judge_equal(j, "other", 0, out->other, other < s->warps ? UINT64_C(1) << other : 0);
}

static void compare_state(judge *j, const slow_groups *s, const rf_sched_groups *m) {
    judge_equal(j, "group_q", 0, m->group_q, group_of(s, s->last));
    judge_equal(j, "mask_q", 0, m->mask_q, s->issued ? judge_above(s->last, s->warps) : 0);
}

static void start(judge *j, uint64_t seed, rf_sched_groups *m, slow_groups *s, uint32_t warps, uint32_t fetch) {
    const rf_sched_groups_cfg cfg = {.warps = warps, .fetch = fetch};
    judge_begin(j, seed, "rf_sched_groups warps=%" PRIu32 " fetch=%" PRIu32, warps, fetch);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_sched_groups_init(m, &cfg), 0);
    assert_int_equal(m->cfg.warps, warps);
    assert_int_equal(m->cfg.fetch, fetch);
    s->warps = warps;
    s->fetch = fetch;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage and must leave the model alone.
 * Returns the chosen warp. */
static uint32_t step(judge *j, rf_sched_groups *m, slow_groups *s, const rf_sched_groups_in *in) {
    const uint32_t chosen = slow_comb(s, in), other = slow_other(s, in, chosen);
    rf_sched_groups before;
    rf_sched_groups_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_sched_groups_comb(m, in, &out);
    compare_out(j, s, &out, chosen, other);
    memset(&out, 0x5a, sizeof out);
    rf_sched_groups_comb(m, in, &out);
    compare_out(j, s, &out, chosen, other);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_sched_groups, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
    return chosen;
}

static void count_other(const slow_groups *s, const rf_sched_groups_in *in, uint32_t chosen, uint64_t *seen) {
    const uint32_t other = slow_other(s, in, chosen);
    seen[NO_OTHER] += other == s->warps && s->warps > 1;
    if (other == s->warps) return;
    seen[OTHER]++;
    seen[OTHER_LOW] += is_upper(s, chosen);
    seen[OTHER_SAME_GROUP] += group_of(s, other) == group_of(s, chosen) && groups_of(s) > 1;
    seen[OTHER_FROM_LAST] += s->issued && group_of(s, other) == group_of(s, s->last) && other > s->last && other > chosen;
    for (uint32_t w = 0; w < other; w++)
        seen[OTHER_NOT_LOWEST] += judge_bit(in->ready, w) && is_upper(s, w) == is_upper(s, other);
}

static void count(const slow_groups *s, const rf_sched_groups_in *in, uint64_t *seen) {
    const uint32_t chosen = slow_comb(s, in), last = s->last, current = group_of(s, last), groups = groups_of(s);
    uint32_t above = 0, inside = 0, elsewhere = 0, skipped = 0;
    seen[NOBODY] += chosen == s->warps;
    seen[TAKE_OF_NOTHING] += chosen == s->warps && in->take;
    if (chosen == s->warps) return;
    const uint32_t group = group_of(s, chosen), steps = (group + groups - current) % groups;
    for (uint32_t w = 0; w < s->warps; w++) {
        const bool ready = judge_bit(in->ready, w);
        above += ready && group_of(s, w) > group;
        elsewhere += ready && group_of(s, w) != group;
        inside += ready && group_of(s, w) == group;
        skipped += !ready && group_of(s, w) == group && w < chosen;
    }
    const bool same = s->issued && group == current;
    seen[NEXT_INSIDE] += same && chosen == last + 1 && inside > 1;
    seen[SKIPPED] += same && chosen > last + 1;
    seen[WRAPPED_INSIDE] += same && chosen < last;
    seen[STAYS] += same && groups > 1 && s->fetch > 1 && above > 0 && chosen != last;
    seen[SAME_AGAIN] += same && chosen == last && s->fetch > 1 && elsewhere > 0;
    seen[NEXT_GROUP] += s->issued && groups > 2 && steps == 1;
    seen[SKIPPED_GROUP] += s->issued && steps > 1;
    seen[WRAPPED_GROUP] += s->issued && group < current && groups > 2;
    seen[LOWEST_OF_NEW] += s->issued && group > current && skipped > 0 && inside > 1;
    seen[BACK_IN] += s->issued && group < current && inside > 1;
    seen[SMALL_LAST] += groups > 1 && group == groups - 1 && s->warps % s->fetch != 0;
    seen[ONE_GROUP] += s->issued && groups == 1 && s->warps > 1 && inside > 1;
    seen[GROUPS_OF_ONE] += s->issued && s->fetch == 1 && s->warps > 1 && elsewhere > 0;
    seen[FETCH_ABOVE] += s->issued && s->fetch > s->warps && inside > 1;
    seen[NOT_TAKEN] += !in->take;
    seen[LAUNCH_OF_LAST] += s->issued && judge_bit(in->launch, last);
    seen[LAUNCH_WHILE_TAKEN] += in->take && judge_bit(in->launch, chosen);
    seen[ONE_WARP] += s->warps == 1;
    seen[TOP_TAKEN] += in->take && s->warps > 1 && chosen == s->warps - 1;
    seen[FIRST_AFTER_RESET] += !s->issued && group > 0;
    count_other(s, in, chosen, seen);
}

/* Random cycles; a warp that is ready and stays so is passed over by at most fetch - 1 others while its own group is the current
 * one, since the group goes round. */
static void run(uint32_t warps, uint32_t fetch, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_sched_groups m;
    slow_groups s;
    judge j;
    ls_rng rng;
    rf_sched_groups_in in = {0, 0, 0};
    uint32_t p_ready = 0, p_take = 0, p_hold = 0, p_drain = 0, passed_over[64] = {0};
    start(&j, seed, &m, &s, warps, fetch);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_ready = ls_rng_below(&rng, 257);
            p_take = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
            p_hold = ls_rng_below(&rng, 200);
            p_drain = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 257);
        }
        if (!ls_rng_chance(&rng, p_hold))
            in.ready = ls_rng_chance(&rng, 32) ? ls_rng_value(&rng, warps) : ls_rng_bits(&rng, warps, p_ready);
        for (uint32_t w = 0; w < warps; w++) /* a group that waits as a whole */
            if (group_of(&s, w) == group_of(&s, s.last) && ls_rng_chance(&rng, p_drain)) in.ready &= ~(UINT64_C(1) << w);
        in.launch = ls_rng_chance(&rng, 64) ? ls_rng_value(&rng, warps) : 0;
        in.take = ls_rng_chance(&rng, p_take);
        count(&s, &in, seen);
        const uint32_t chosen = step(&j, &m, &s, &in);
        for (uint32_t w = 0; w < warps; w++) {
            if (!judge_bit(in.ready, w) || w == chosen || group_of(&s, w) != group_of(&s, s.last)) passed_over[w] = 0;
            else if (in.take) passed_over[w]++;
            assert_in_range(passed_over[w], 0, fetch - 1);
        }
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.issued;
            rf_sched_groups_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            memset(passed_over, 0, sizeof passed_over);
        }
    }
    judge_passes(&j);
}

static void random_warps(void **state) {
    static const uint32_t sizes[][2] = {{1, 1},  {1, 64}, {2, 1},   {2, 2},  {3, 2},   {5, 2},   {5, 3},   {8, 4},
                                        {8, 8},  {12, 5}, {16, 4},  {24, 8}, {24, 7},  {32, 8},  {33, 16}, {33, 64},
                                        {48, 8}, {48, 1}, {63, 31}, {64, 8}, {64, 33}, {64, 64}, {64, 1}};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run(sizes[i][0], sizes[i][1], ls_seed_derive(i, "judge rf_sched_groups"), 10000, seen);
        cycles += 10000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* All pointers x all ready sets x take, for 1 to 7 warps in groups of 1 to 8. */
static void every_pointer_and_input_of_small_sizes(void **state) {
    judge j;
    (void)state;
    for (uint32_t warps = 1; warps <= 7; warps++)
        for (uint32_t fetch = 1; fetch <= warps + 1; fetch++) {
            rf_sched_groups m;
            slow_groups s;
            start(&j, 0, &m, &s, warps, fetch);
            for (uint64_t ready = 0; ready <= ls_mask(warps); ready++) {
                rf_sched_groups_reset(&m);
                slow_reset(&s);
                step(&j, &m, &s, &(rf_sched_groups_in){ready, 0, 1}); /* before any warp has issued */
                for (uint32_t last = 0; last < warps; last++)
                    for (uint8_t take = 0; take <= 1; take++) {
                        step(&j, &m, &s, &(rf_sched_groups_in){UINT64_C(1) << last, 0, 1});
                        step(&j, &m, &s, &(rf_sched_groups_in){ready, ls_mask(warps) ^ ready, take});
                    }
            }
            judge_passes(&j);
        }
}

/* Ten warps in groups of 4: 0 to 3, 4 to 7, 8 and 9; the tree's halves are 0 to 7 and 8 to 15. */
static void group_by_group(void **state) {
    static const struct {
        uint64_t ready;
        uint8_t take;
        uint32_t chosen, other; /* 10: nobody */
    } steps[] = {
        {0x3ff, 1, 0, 8}, {0x3ff, 1, 1, 8},   {0x3ff, 1, 2, 8},  {0x3ff, 1, 3, 8},
        {0x3ff, 1, 0, 8},                                       /* round in the group: its warps stay ready */
        {0x3fc, 0, 2, 8}, {0x3fc, 1, 2, 8},                     /* not taken: once more */
        {0x3f8, 1, 3, 8}, {0x3f0, 1, 4, 8},   {0x3ff, 1, 5, 8}, /* group 0 waits, 1 is current, even when 0 is ready again */
        {0x30f, 1, 8, 0}, {0x3ff, 1, 9, 0}, /* beside group 2 the lower half by the same order: groups 2, 0, 1 */
        {0x1ff, 1, 8, 0}, {0x000, 1, 10, 10}, {0x0c0, 1, 6, 10}, {0x00f, 1, 0, 10}, /* no group 2: wrapped around */
    };
    rf_sched_groups m;
    slow_groups s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 10, 4);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const rf_sched_groups_in in = {steps[i].ready, 0x3ff, steps[i].take}; /* a launch has no effect */
        rf_sched_groups_out out;
        rf_sched_groups_comb(&m, &in, &out);
        assert_int_equal(out.onehot, steps[i].chosen == 10 ? 0 : UINT64_C(1) << steps[i].chosen);
        assert_int_equal(out.other, steps[i].other == 10 ? 0 : UINT64_C(1) << steps[i].other);
        step(&j, &m, &s, &in);
    }
    judge_passes(&j);
    assert_int_equal(m.group_q, 0);
    assert_int_equal(m.mask_q, 0x3fe);
}

/* Groups of one warp, and one group of all: loose round-robin, but that a warp alone in its group goes on while it is ready. */
static void the_two_extremes(void **state) {
    rf_sched_groups m;
    slow_groups s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 6, 6);
    for (uint32_t i = 0; i < 12; i++) assert_int_equal(step(&j, &m, &s, &(rf_sched_groups_in){0x3f, 0, 1}), i % 6);
    judge_passes(&j);
    start(&j, 0, &m, &s, 6, 1);
    for (uint32_t i = 0; i < 12; i++) assert_int_equal(step(&j, &m, &s, &(rf_sched_groups_in){0x3f, 0, 1}), 0);
    for (uint32_t i = 1; i < 12; i++)
        assert_int_equal(step(&j, &m, &s, &(rf_sched_groups_in){0x3f ^ 1u << (i - 1) % 6, 0, 1}), i % 6);
    judge_passes(&j);
}

static void reset_puts_group_0_first(void **state) {
    rf_sched_groups m;
    slow_groups s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 33, 4);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_groups_in){UINT64_C(1) << 31, 0, 1}), 31);
    assert_int_equal(m.group_q, 7);
    assert_int_equal(m.mask_q, UINT64_C(1) << 32);
    rf_sched_groups_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    assert_int_equal(m.cfg.warps, 33);
    assert_int_equal(m.cfg.fetch, 4);
    assert_int_equal(step(&j, &m, &s, &(rf_sched_groups_in){ls_mask(33), 0, 1}), 0);
    judge_passes(&j);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_sched_groups_cfg good[] = {{48, 8}, {1, 1}, {1, 64}, {64, 1}, {64, 64}, {33, 7}};
    (void)state;
    JUDGE_RANGES(rf_sched_groups, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_sched_groups_in in = {UINT64_C(0x8000000000000421), 0, 1};
    rf_sched_groups m;
    slow_groups s;
    judge j;
    rf_sched_groups_out out;
    (void)state;
    start(&j, 0, &m, &s, 64, 8);
    assert_int_equal(step(&j, &m, &s, &in), 0);
    assert_int_equal(step(&j, &m, &s, &in), 5);
    judge_passes(&j);
    rf_sched_groups_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_sched_groups, LS_OUT, &m, &out, compare_out(&j, &s, &out, 0, 63));
    JUDGE_FLIPS(&j, rf_sched_groups, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_warps),
        cmocka_unit_test(every_pointer_and_input_of_small_sizes),
        cmocka_unit_test(group_by_group),
        cmocka_unit_test(the_two_extremes),
        cmocka_unit_test(reset_puts_group_0_first),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_sched_groups", tests, NULL, NULL);
}
