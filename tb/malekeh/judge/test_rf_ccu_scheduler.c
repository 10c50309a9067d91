/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_ccu_scheduler: the slow model stamps each warp with the time of its launch, makes a list of the "warps having data
 * in the CCUs" and one of "the rest" [Malekeh 5], and searches the earliest stamp in the first list that is not empty. */
#include "cmodel/malekeh/rf_ccu_scheduler_parts.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_ccu_scheduler_unit;

typedef struct slow_scheduler {
    uint32_t warps;
    uint64_t now, launched[64]; /* time of the latest launch, time of each warp's launch; all different */
} slow_scheduler;

/* clang-format off */
#define SEEN(X) \
    X(NOBODY, "no warp is ready") \
    X(HELD_ONLY, "all ready warps have data, the oldest is chosen") \
    X(HELD_OVER_OLDER, "a warp with data goes before an older one without") \
    X(HELD_OLDEST, "of several with data the oldest, which is not the lowest") \
    X(REST_ONLY, "no ready warp has data") \
    X(REST_OLDEST, "of several without data the oldest, which is not the lowest") \
    X(HELD_NOT_READY, "a warp with data is not ready, one without is chosen") \
    X(STAYS, "the same warp in the next cycle") \
    X(STAYS_NOT, "the same warp is ready and an older one is chosen: no greedy memory") \
    X(LAUNCH, "one launch") \
    X(LAUNCH_SEVERAL, "several launches in one cycle") \
    X(LAUNCH_ALL, "launch of every warp in one cycle") \
    X(LAUNCH_OF_CHOSEN, "launch of the warp that is chosen in the same cycle") \
    X(LAUNCH_OF_YOUNGEST, "launch of the youngest warp") \
    X(LAUNCH_OF_OLDEST, "launch of the oldest warp") \
    X(ONE_WARP, "a single warp is chosen") \
    X(RESET, "reset while the order is not the one after reset")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_scheduler *s) {
    for (uint32_t w = 0; w < s->warps; w++) s->launched[w] = w;
    s->now = s->warps;
}

/* The warp of the list that was launched first; `warps` when the list is empty. */
static uint32_t oldest(const slow_scheduler *s, const bool *listed) {
    uint32_t best = s->warps;
    for (uint32_t w = 0; w < s->warps; w++)
        if (listed[w] && (best == s->warps || s->launched[w] < s->launched[best])) best = w;
    return best;
}

/* The chosen warp; `warps` when none is ready. */
static uint32_t slow_comb(const slow_scheduler *s, const rf_ccu_scheduler_in *in) {
    bool data[64] = {false}, rest[64] = {false};
    for (uint32_t w = 0; w < s->warps; w++) {
        data[w] = judge_bit(in->ready, w) && judge_bit(in->held, w);
        rest[w] = judge_bit(in->ready, w) && !judge_bit(in->held, w);
    }
    const uint32_t first = oldest(s, data);
    return first < s->warps ? first : oldest(s, rest);
}

static void slow_clock(slow_scheduler *s, const rf_ccu_scheduler_in *in) {
    for (uint32_t w = 0; w < s->warps; w++)
        if (judge_bit(in->launch, w)) s->launched[w] = s->now++;
}

static void compare_out(judge *j, const slow_scheduler *s, const rf_ccu_scheduler_out *out, uint32_t chosen) {
    judge_equal(j, "valid", 0, out->valid, chosen < s->warps);
    judge_equal(j, "warp", 0, out->warp, chosen < s->warps ? chosen : 0);
    judge_equal(j, "onehot", 0, out->onehot, chosen < s->warps ? UINT64_C(1) << chosen : 0);
}

static void compare_state(judge *j, const slow_scheduler *s, const rf_ccu_scheduler *m) {
    for (uint32_t w = 0; w < s->warps; w++) {
        bool older[64] = {false};
        for (uint32_t other = 0; other < s->warps; other++) older[other] = s->launched[other] < s->launched[w];
        judge_equal(j, "older_q", w, m->older_q[w], judge_pack(older, s->warps));
    }
}

static void start(judge *j, uint64_t seed, rf_ccu_scheduler *m, slow_scheduler *s, uint32_t warps) {
    const rf_ccu_scheduler_cfg cfg = {warps};
    judge_begin(j, seed, "rf_ccu_scheduler warps=%" PRIu32, warps);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_ccu_scheduler_init(m, &cfg), 0);
    assert_int_equal(m->cfg.warps, warps);
    s->warps = warps;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. Returns the chosen warp. */
static uint32_t step(judge *j, rf_ccu_scheduler *m, slow_scheduler *s, const rf_ccu_scheduler_in *in) {
    const uint32_t chosen = slow_comb(s, in);
    rf_ccu_scheduler before;
    rf_ccu_scheduler_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_ccu_scheduler_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out, chosen);
    judge_equal(j, "choose", 0, rf_ccu_scheduler_choose(m, in->ready, in->held), chosen < s->warps ? chosen : 0);
    JUDGE_CLOCK(rf_ccu_scheduler, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
    return chosen;
}

/* The number of warps launched before this one. */
static uint32_t rank_of(const slow_scheduler *s, uint32_t warp) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < s->warps; w++) n += s->launched[w] < s->launched[warp];
    return n;
}

/* `last` is the warp chosen in the cycle before, `warps` when there was none. */
static void count(const slow_scheduler *s, const rf_ccu_scheduler_in *in, uint32_t last, uint64_t *seen) {
    const uint32_t warps = s->warps, chosen = slow_comb(s, in);
    const bool any = chosen < warps, with_data = any && judge_bit(in->held, chosen);
    uint32_t launches = 0, ready_data = 0, ready_rest = 0, idle_data = 0;
    bool passes_older = false, over_lower = false;
    for (uint32_t w = 0; w < warps; w++) {
        const bool ready = judge_bit(in->ready, w), held = judge_bit(in->held, w);
        launches += judge_bit(in->launch, w);
        ready_data += ready && held;
        ready_rest += ready && !held;
        idle_data += !ready && held;
        passes_older |= with_data && ready && !held && s->launched[w] < s->launched[chosen];
        over_lower |= any && ready && held == with_data && w < chosen;
        seen[LAUNCH_OF_YOUNGEST] += warps > 1 && judge_bit(in->launch, w) && rank_of(s, w) == warps - 1;
        seen[LAUNCH_OF_OLDEST] += warps > 1 && judge_bit(in->launch, w) && rank_of(s, w) == 0;
    }
    seen[NOBODY] += !any;
    seen[HELD_ONLY] += ready_data > 1 && ready_rest == 0;
    seen[HELD_OVER_OLDER] += passes_older;
    seen[HELD_OLDEST] += with_data && over_lower;
    seen[REST_ONLY] += ready_data == 0 && ready_rest > 0;
    seen[REST_OLDEST] += any && !with_data && over_lower;
    seen[HELD_NOT_READY] += any && !with_data && idle_data > 0;
    seen[STAYS] += any && warps > 1 && chosen == last;
    seen[STAYS_NOT] += any && chosen != last && last < warps && judge_bit(in->ready, last) &&
                       judge_bit(in->held, last) == judge_bit(in->held, chosen);
    seen[LAUNCH] += launches == 1;
    seen[LAUNCH_SEVERAL] += launches > 1;
    seen[LAUNCH_ALL] += warps > 1 && launches == warps;
    seen[LAUNCH_OF_CHOSEN] += any && judge_bit(in->launch, chosen);
    seen[ONE_WARP] += any && warps == 1;
}

static void run(uint32_t warps, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_ccu_scheduler m;
    slow_scheduler s;
    judge j;
    ls_rng rng;
    rf_ccu_scheduler_in in = {0, 0, 0};
    uint32_t p_ready = 0, p_held = 0, p_launch = 0, hold = 0, last = warps;
    start(&j, seed, &m, &s, warps);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_ready = ls_rng_below(&rng, 257);
            p_held = ls_rng_chance(&rng, 64) ? 0 : ls_rng_below(&rng, 257);
            p_launch = ls_rng_chance(&rng, 64) ? 0 : ls_rng_below(&rng, 64);
            hold = ls_rng_below(&rng, 240);
        }
        if (!ls_rng_chance(&rng, hold))
            in.ready = ls_rng_chance(&rng, 32) ? ls_rng_value(&rng, warps) : ls_rng_bits(&rng, warps, p_ready);
        if (!ls_rng_chance(&rng, hold))
            in.held = ls_rng_chance(&rng, 32) ? ls_rng_value(&rng, warps) : ls_rng_bits(&rng, warps, p_held);
        if (ls_rng_chance(&rng, 8)) in.ready = 0;
        in.launch = 0;
        if (ls_rng_chance(&rng, p_launch)) in.launch = ls_rng_value(&rng, warps);
        if (ls_rng_chance(&rng, p_launch) && last < warps) in.launch |= UINT64_C(1) << last;
        if (ls_rng_chance(&rng, p_launch)) in.launch |= UINT64_C(1) << ls_rng_below(&rng, warps);
        count(&s, &in, last, seen);
        last = step(&j, &m, &s, &in);
        if (ls_rng_below(&rng, 512) != 0) continue;
        for (uint32_t w = 1; w < warps; w++)
            if (s.launched[w] < s.launched[w - 1]) seen[RESET]++;
        rf_ccu_scheduler_reset(&m);
        slow_reset(&s);
        compare_state(&j, &s, &m);
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
        run(sets[i].warps, ls_seed_derive(i, "judge rf_ccu_scheduler"), sets[i].cycles, seen);
        total += sets[i].cycles;
    }
    assert_true(total >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* All orders that two launches reach, then all ready x held sets, for 1 to 4 warps. */
static void every_input_of_small_sizes(void **state) {
    judge j;
    (void)state;
    for (uint32_t warps = 1; warps <= 4; warps++) {
        const uint32_t sets = 1u << warps;
        rf_ccu_scheduler m;
        slow_scheduler s;
        start(&j, 0, &m, &s, warps);
        for (uint32_t order = 0; order < sets * sets * sets; order++) {
            rf_ccu_scheduler_reset(&m);
            slow_reset(&s);
            for (uint32_t rest = order, i = 0; i < 3; i++, rest /= sets)
                step(&j, &m, &s, &(rf_ccu_scheduler_in){0, 0, rest % sets});
            for (uint32_t code = 0; code < sets * sets && (warps < 4 || order % 8 == 5); code++)
                step(&j, &m, &s, &(rf_ccu_scheduler_in){code % sets, code / sets, 0});
        }
        judge_passes(&j);
    }
}

/* Data first, then age, no memory of what was chosen before. */
static void data_then_oldest(void **state) {
    rf_ccu_scheduler m;
    slow_scheduler s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 5);
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0, 0x03}), 0); /* 0 and 1 anew: 2 3 4 0 1 by age */
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0, 0}), 2);
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0x13, 0}), 4);
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0x03, 0}), 0); /* launched together: the lower is the older */
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0x02, 0}), 1); /* the youngest of all, but it has data */
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1d, 0x02, 0}), 2); /* not ready: data is of no use */
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0x1f, 0}), 2);
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1b, 0x18, 0}), 3);
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0x18, 0x08}), 3); /* a launch counts from the next cycle on */
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x1f, 0x18, 0}), 4);
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0x0b, 0, 0}), 0);
    assert_int_equal(step(&j, &m, &s, &(rf_ccu_scheduler_in){0, 0x1f, 0}), 5);
    assert_int_equal(m.older_q[3], 0x17);
    judge_passes(&j);
}

static void after_reset_lower_is_older(void **state) {
    rf_ccu_scheduler m;
    slow_scheduler s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 4);
    step(&j, &m, &s, &(rf_ccu_scheduler_in){0x8, 0x8, 0x7});
    assert_int_equal(m.older_q[0], 0x8);
    rf_ccu_scheduler_reset(&m);
    assert_int_equal(m.cfg.warps, 4);
    for (uint32_t w = 0; w < 4; w++) assert_int_equal(m.older_q[w], (1u << w) - 1);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_ccu_scheduler_cfg good[] = {{1}, {2}, {5}, {33}, {64}};
    (void)state;
    JUDGE_RANGES(rf_ccu_scheduler, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_ccu_scheduler_in in = {0x0000800000000420, 0x0000800000000020, 0x20};
    rf_ccu_scheduler m;
    slow_scheduler s;
    judge j;
    rf_ccu_scheduler_out out;
    (void)state;
    start(&j, 0, &m, &s, 48);
    step(&j, &m, &s, &in);
    judge_passes(&j);
    rf_ccu_scheduler_comb(&m, &in, &out);
    assert_int_equal(slow_comb(&s, &in), 47); /* 5 is the youngest now, and 10 has no data */
    JUDGE_FLIPS(&j, rf_ccu_scheduler, LS_OUT, &m, &out, compare_out(&j, &s, &out, 47));
    JUDGE_FLIPS(&j, rf_ccu_scheduler, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_warps),
        cmocka_unit_test(every_input_of_small_sizes),
        cmocka_unit_test(data_then_oldest),
        cmocka_unit_test(after_reset_lower_is_older),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_ccu_scheduler", tests, NULL, NULL);
}
