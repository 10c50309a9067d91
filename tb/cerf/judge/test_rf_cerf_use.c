/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of how a program's uses of registers and lines are counted (tb/cerf/env/rf_cerf_use.h), without a machine: the cases of
 * docs/units/rf_cerf.md ("Counters") by hand, and random streams that notice each word of it that is broken. In the machine's own
 * runs test_rf_cerf.c compares the same. */
#include "tb/cerf/judge/cerf_use.h"

#define WARPS 7u
#define REGS 12u
#define SLOTS 3u
#define ISSUES 2u

static slow_use uses;
static rf_cerf_in in;
static rf_cerf_out out;
static uint32_t goes[RF_ISSUES_MAX];

static void begin(void) {
    use_start(&uses, WARPS, REGS, SLOTS, ISSUES);
    memset(&in, 0, sizeof in);
    for (uint32_t g = 0; g < ISSUES; g++) goes[g] = NONE;
}

/* A cycle with what issues and what is accepted, in both. */
static void cycle(uint64_t warps, bool accepted) {
    memset(&out, 0, sizeof out);
    for (uint32_t g = 0; g < ISSUES; g++) {
        if (goes[g] == NONE) continue;
        out.issue_valid |= (uint8_t)(1u << g);
        out.issue_warp[g] = (uint8_t)goes[g];
    }
    out.mem_accept = accepted;
    rf_cerf_use_cycle(&uses.model, &in, &out, warps);
    use_cycle(&uses, &in, goes, accepted, warps);
    for (uint32_t g = 0; g < ISSUES; g++) goes[g] = NONE;
    in.launch = 0, in.mem_valid = 0;
}

/* --- random streams ----------------------------------------------------------------------------------------------------------
 */

/* What is used every so many cycles: register 6 + i of warp 0, which never ends, and line 900 + i. */
static const uint32_t period[] = {99, 100, 101, 999, 1000, 1001};
#define PERIODS (sizeof period / sizeof *period)
#define RANDOM_REGS (REGS - (uint32_t)PERIODS)

static void draw_instruction(ls_rng *rng, uint32_t w) {
    const uint64_t bit = UINT64_C(1) << w;
    in.ib_mask[w] = ls_rng_chance(rng, 32) ? 0 : 1 + ls_rng_below(rng, 15);
    in.ib_dst_valid = ls_rng_chance(rng, 160) ? in.ib_dst_valid | bit : in.ib_dst_valid & ~bit;
    in.ib_dst[w] = (uint8_t)ls_rng_below(rng, RANDOM_REGS);
    in.ib_src_valid[w] = (uint8_t)ls_rng_bits(rng, SLOTS, 144);
    in.ib_last[w] = (uint8_t)ls_rng_bits(rng, SLOTS, 80);
    for (uint32_t k = 0; k < SLOTS; k++) in.ib_src[w * SLOTS + k] = (uint8_t)ls_rng_below(rng, RANDOM_REGS);
}

/* Whether it reads something. */
static bool periodic_instruction(uint64_t now) {
    uint32_t k = 0;
    in.ib_mask[0] = 1, in.ib_dst_valid &= ~UINT64_C(1), in.ib_last[0] = 0, in.ib_src_valid[0] = 0;
    for (uint32_t i = 0; i < PERIODS && k < SLOTS; i++) {
        if (now % period[i] != 0) continue;
        in.ib_src[k] = (uint8_t)(RANDOM_REGS + i);
        in.ib_src_valid[0] |= (uint8_t)(1u << k++);
    }
    return k != 0;
}

static bool draw_access(ls_rng *rng, uint64_t now, uint32_t busy) {
    in.mem_valid = ls_rng_chance(rng, busy);
    in.mem_op = (uint8_t)(RF_CACHE_LOAD + ls_rng_below(rng, 3));
    in.mem_line = ls_rng_below(rng, 1 + ls_rng_below(rng, 90));
    bool accepted = in.mem_valid && ls_rng_chance(rng, 160);
    for (uint32_t i = 0; i < PERIODS; i++)
        if (now % period[i] == 0) in.mem_valid = accepted = true, in.mem_op = RF_CACHE_LOAD, in.mem_line = 900 + i;
    return accepted;
}

static uint64_t draw_warps(ls_rng *rng, uint64_t warps) {
    for (uint32_t w = 1; w < WARPS; w++) {
        const uint64_t bit = UINT64_C(1) << w;
        if (ls_rng_chance(rng, (warps & bit) != 0 ? 1 : 12)) in.launch |= bit, warps |= bit;
        else if (ls_rng_chance(rng, 2)) warps &= ~bit;
    }
    return warps;
}

/* What differs is in `j`. */
static void stream(judge *j, uint64_t seed, uint64_t cycles) {
    uint64_t warps = ls_mask(WARPS);
    uint32_t busy = 0;
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    judge_begin(j, seed, "uses");
    begin();
    for (uint64_t now = 0; now < cycles; now++) {
        if (now % 512 == 0) busy = ls_rng_chance(&rng, 64) ? 0 : ls_rng_below(&rng, 1 + ls_rng_below(&rng, 200));
        warps = draw_warps(&rng, warps);
        for (uint32_t g = 0; g < ISSUES; g++) {
            const uint32_t w = g + ISSUES * ls_rng_below(&rng, (WARPS - g + ISSUES - 1) / ISSUES);
            if (w == 0 || !judge_bit(warps, w) || !ls_rng_chance(&rng, busy)) continue;
            draw_instruction(&rng, w);
            goes[g] = w;
        }
        if (periodic_instruction(now)) goes[0] = 0;
        cycle(warps, draw_access(&rng, now, busy));
    }
    compare_uses(j, &uses, USE_FIGURES);
    use_end(&uses);
}

static void random_streams(void **state) {
    static uint64_t seen[USE_EVENTS];
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        judge j;
        stream(&j, seed, 400 * seed * seed);
        judge_passes(&j);
        judge_add_counts(uses.of);
        for (uint32_t i = 0; i < USE_EVENTS; i++) seen[i] += uses.seen[i];
    }
    judge_saw_all(use_event_names, seen, USE_EVENTS);
}

static void a_count_that_breaks_a_word_is_noticed(void **state) {
    uint32_t missed = 0;
    (void)state;
    for (use_slip = NO_USE_SLIP + 1; use_slip < USE_SLIP_COUNT; use_slip++) {
        judge j;
        stream(&j, 7, 6000);
        if (j.differing == 0) print_error("nobody sees that %s\n", use_slip_names[use_slip]);
        missed += j.differing == 0;
    }
    use_slip = NO_USE_SLIP;
    assert_int_equal(missed, 0);
}

static void a_figure_that_is_told_wrong_is_noticed(void **state) {
    judge j;
    (void)state;
    begin();
    for (uint32_t i = 0; i < 20; i++) cycle(ls_mask(i % WARPS), false);
    for (uint32_t wrong = 0; wrong < USE_FIGURES; wrong++) {
        judge_begin(&j, 0, "tampered");
        const use_check check = compare_uses(&j, &uses, wrong);
        judge_caught(&j, check.name[wrong], 0, 0);
    }
    use_end(&uses);
}

/* --- by hand -----------------------------------------------------------------------------------------------------------------
 */

/* What rf_cerf_use_report must tell. */
typedef struct told {
    const char *name;
    double value;
} told;

typedef struct hand {
    const told *expected;
    uint32_t n, found;
} hand;

static void hand_reported(void *ctx, const char *name, double value) {
    hand *h = ctx;
    for (uint32_t i = 0; i < h->n; i++) {
        if (strcmp(name, h->expected[i].name) != 0) continue;
        h->found++;
        if (fabs(value - h->expected[i].value) > 1e-9) fail_msg("%s is %.12g, not %.12g", name, value, h->expected[i].value);
    }
}

static void must_tell(const told *expected, uint32_t n) {
    hand h = {expected, n, 0};
    judge j;
    rf_cerf_use_report(&uses.model, hand_reported, &h);
    assert_int_equal(h.found, n);
    judge_begin(&j, 0, "by hand"); /* the slow count says the same */
    compare_uses(&j, &uses, USE_FIGURES);
    judge_passes(&j);
    use_end(&uses);
}
#define MUST_TELL(...)                                                                                                           \
    do {                                                                                                                         \
        const told expected[] = {__VA_ARGS__};                                                                                   \
        must_tell(expected, sizeof expected / sizeof *expected);                                                                 \
    } while (0)

#define NO_REG 255u

/* Warp w issues dst <- first, second; `last`: bits of the two. */
static void put_issue(uint32_t w, uint32_t dst, uint32_t first, uint32_t second, uint32_t last) {
    const uint64_t bit = UINT64_C(1) << w;
    in.ib_mask[w] = 1;
    in.ib_dst_valid = dst != NO_REG ? in.ib_dst_valid | bit : in.ib_dst_valid & ~bit;
    in.ib_dst[w] = (uint8_t)(dst != NO_REG ? dst : 0);
    in.ib_src_valid[w] = (uint8_t)((first != NO_REG) | (second != NO_REG) << 1);
    in.ib_src[w * SLOTS] = (uint8_t)(first != NO_REG ? first : 0);
    in.ib_src[w * SLOTS + 1] = (uint8_t)(second != NO_REG ? second : 0);
    in.ib_last[w] = (uint8_t)last;
    goes[w % ISSUES] = w;
}

static void access_line(uint32_t op, uint32_t line) { in.mem_valid = 1, in.mem_op = (uint8_t)op, in.mem_line = line; }

/* Ten cycles: live are 1, 2, 2, 1, 1, 1, 0, 1, 0, 0 registers. */
static void a_register_lives_from_a_write_to_its_last_read(void **state) {
    (void)state;
    begin();
    put_issue(3, 1, NO_REG, NO_REG, 0); /* R1 <- */
    cycle(8, false);
    put_issue(3, 2, 1, NO_REG, 0); /* R2 <- R1: it was used */
    cycle(8, false);
    put_issue(3, 2, 1, NO_REG, 0); /* again */
    cycle(8, false);
    put_issue(3, NO_REG, 1, 1, 2); /* R1 twice, once for the last time */
    cycle(8, false);
    put_issue(3, 2, 2, NO_REG, 1); /* R2 <- R2: another value */
    cycle(8, false);
    put_issue(3, 5, 2, NO_REG, 1);
    in.ib_mask[3] = 0; /* nothing */
    cycle(8, false);
    put_issue(3, NO_REG, 2, NO_REG, 1);
    cycle(8, false);
    put_issue(3, 4, 5, NO_REG, 0); /* R5 was never used */
    cycle(8, false);
    cycle(0, false); /* the warp has ended */
    in.launch = 8;
    put_issue(3, NO_REG, 4, NO_REG, 0); /* the next one has not used it */
    cycle(8, false);
    MUST_TELL({"warps_mean", 0.9}, {"live_registers_mean", 0.9}, {"register_reuses", 5}, {"register_reuses_100", 5},
              {"register_reuses_1000", 5}, {"lines_used", 0});
}

/* A warp is launched over another one. Four cycles: 2, 3, 1, 2 live registers. */
static void a_launch_begins_anew(void **state) {
    (void)state;
    begin();
    put_issue(0, 1, NO_REG, NO_REG, 0);
    put_issue(1, 1, NO_REG, NO_REG, 0);
    cycle(3, false);
    put_issue(0, 2, NO_REG, NO_REG, 0);
    cycle(3, false);
    in.launch = 1;
    cycle(3, false);
    put_issue(0, 3, 1, 2, 0);
    put_issue(1, NO_REG, 1, NO_REG, 0);
    cycle(3, false);
    MUST_TELL({"warps_mean", 2}, {"live_registers_mean", 2}, {"register_reuses", 1});
}

/* Line 5 is used five times, 6 four times, 7 once; an atomic and what is not accepted are no uses. */
static void a_line_is_used_by_loads_and_stores(void **state) {
    (void)state;
    begin();
    for (uint32_t i = 0; i < 5; i++) {
        access_line(i % 2 == 0 ? RF_CACHE_LOAD : RF_CACHE_STORE, 5);
        cycle(0, true);
        access_line(i % 2 == 0 ? RF_CACHE_LOAD : RF_CACHE_STORE, 6);
        cycle(0, i != 4);
    }
    access_line(RF_CACHE_STORE, 7);
    cycle(0, true);
    access_line(RF_CACHE_ATOMIC, 8);
    cycle(0, true);
    access_line(RF_CACHE_ATOMIC, 5);
    cycle(0, true);
    MUST_TELL({"line_reuses", 7}, {"line_reuses_100", 7}, {"line_reuses_1000", 7}, {"lines_used", 3}, {"lines_used_often", 1});
}

/* Used in a cycle, and again so many later. */
static void within_so_many_cycles(void **state) {
    static const uint32_t cycles[] = {1, 99, 100, 101, 999, 1000, 1001};
    (void)state;
    for (uint32_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        begin();
        for (uint32_t now = 0; now <= cycles[i]; now++) {
            const bool uses_it = now == 0 || now == cycles[i];
            if (uses_it) put_issue(2, NO_REG, 3, NO_REG, 0), access_line(RF_CACHE_LOAD, 9);
            cycle(4, uses_it);
        }
        MUST_TELL({"register_reuses", 1}, {"register_reuses_100", cycles[i] <= 100}, {"register_reuses_1000", cycles[i] <= 1000},
                  {"line_reuses", 1}, {"line_reuses_100", cycles[i] <= 100}, {"line_reuses_1000", cycles[i] <= 1000});
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams),
        cmocka_unit_test(a_count_that_breaks_a_word_is_noticed),
        cmocka_unit_test(a_figure_that_is_told_wrong_is_noticed),
        cmocka_unit_test(a_register_lives_from_a_write_to_its_last_read),
        cmocka_unit_test(a_launch_begins_anew),
        cmocka_unit_test(a_line_is_used_by_loads_and_stores),
        cmocka_unit_test(within_so_many_cycles),
    };
    return cmocka_run_group_tests_name("judge of the uses that rf_cerf counts", tests, NULL, NULL);
}
