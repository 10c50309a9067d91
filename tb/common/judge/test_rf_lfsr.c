/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_lfsr: the slow model keeps 16 bits in an array and does what the header's polynomial says, exponent by exponent.
 * The bits that fall out must also obey the polynomial as a recurrence, and the period is counted, not believed. */
#include "cmodel/common/rf_lfsr.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_lfsr_unit;

#define PERIOD 65535u

typedef struct slow_lfsr {
    uint32_t seed;
    bool bit[16]; /* bit i is the coefficient of x^i */
} slow_lfsr;

/* clang-format off */
#define SEEN(X) \
    X(STEP, "a step") \
    X(HOLD, "no step") X(ONE_OUT, "a 1 is shifted out") X(ZERO_OUT, "a 0 is shifted out") X(VALUE_1, "value 1") \
        X(VALUE_TOP, "value 0xffff") X(SEED_AGAIN, "the seed comes round again") X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_lfsr *s) {
    for (uint32_t i = 0; i < 16; i++) s->bit[i] = judge_bit(s->seed, i);
}

/* Divides by x modulo x^16 + x^14 + x^13 + x^11 + 1: when the lowest coefficient is 1, the polynomial is added first. */
static void slow_clock(slow_lfsr *s, const rf_lfsr_in *in) {
    static const uint32_t exponents[] = {16, 14, 13, 11, 0};
    bool sum[17] = {false};
    if (!in->step) return;
    for (uint32_t i = 0; i < 16; i++) sum[i] = s->bit[i];
    if (s->bit[0])
        for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) sum[exponents[i]] = !sum[exponents[i]];
    assert_false(sum[0]);
    for (uint32_t i = 0; i < 16; i++) s->bit[i] = sum[i + 1];
}

static void compare_out(judge *j, const slow_lfsr *s, const rf_lfsr_out *out) {
    judge_equal(j, "value", 0, out->value, judge_pack(s->bit, 16));
}

static void compare_state(judge *j, const slow_lfsr *s, const rf_lfsr *m) {
    judge_equal(j, "value_q", 0, m->value_q, judge_pack(s->bit, 16));
}

static void start(judge *j, uint64_t seed, rf_lfsr *m, slow_lfsr *s, uint32_t value) {
    const rf_lfsr_cfg cfg = {value};
    judge_begin(j, seed, "rf_lfsr seed=%" PRIu32, value);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_lfsr_init(m, &cfg), 0);
    assert_int_equal(m->cfg.seed, value);
    s->seed = value;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_lfsr *m, slow_lfsr *s, const rf_lfsr_in *in) {
    rf_lfsr before;
    rf_lfsr_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_lfsr_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_lfsr, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    if (in->step) judge_equal(j, "rf_lfsr_next", 0, rf_lfsr_next(before.value_q), judge_pack(s->bit, 16));
    j->cycle++;
}

static void random_steps_from_several_seeds(void **state) {
    static const uint32_t seeds[] = {1, 2, 0xace1, 0x8000, 0xb400, 0xffff};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        rf_lfsr m;
        slow_lfsr s;
        judge j;
        ls_rng rng;
        uint32_t density = 128;
        const uint64_t seed = ls_seed_derive(i, "judge rf_lfsr");
        start(&j, seed, &m, &s, seeds[i]);
        ls_rng_seed(&rng, seed);
        while (j.cycle < 40000) {
            if (j.cycle % 1024 == 0) density = ls_rng_below(&rng, 257);
            const rf_lfsr_in in = {ls_rng_chance(&rng, density)};
            const uint64_t value = judge_pack(s.bit, 16);
            seen[STEP] += in.step;
            seen[HOLD] += !in.step;
            seen[ONE_OUT] += in.step && s.bit[0];
            seen[ZERO_OUT] += in.step && !s.bit[0];
            seen[VALUE_1] += value == 1;
            seen[VALUE_TOP] += value == 0xffff;
            step(&j, &m, &s, &in);
            if (ls_rng_below(&rng, 8192) != 0) continue;
            rf_lfsr_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
        judge_passes(&j);
        cycles += j.cycle;
    }
    /* And once round without a pause. */
    rf_lfsr m;
    slow_lfsr s;
    judge j;
    const rf_lfsr_in on = {1};
    start(&j, 0, &m, &s, 0xace1);
    for (uint32_t i = 0; i < PERIOD; i++) step(&j, &m, &s, &on);
    seen[SEED_AGAIN] += m.value_q == 0xace1;
    judge_passes(&j);
    assert_true(cycles + j.cycle >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* From 1 every value but 0 comes once, and after 65535 steps, not before, 1 again. */
static void the_period_is_65535_and_visits_every_value_but_0(void **state) {
    static bool visited[65536];
    const rf_lfsr_cfg cfg = {1};
    const rf_lfsr_in on = {1};
    rf_lfsr m;
    rf_lfsr_out out;
    (void)state;
    memset(visited, 0, sizeof visited);
    assert_int_equal(rf_lfsr_init(&m, &cfg), 0);
    for (uint32_t i = 0; i < PERIOD; i++) {
        rf_lfsr_step(&m, &on, &out);
        if (visited[out.value]) fail_msg("value %#x came again after %" PRIu32 " steps", (unsigned)out.value, i);
        visited[out.value] = true;
    }
    assert_int_equal(m.value_q, 1);
    assert_false(visited[0]);
    for (uint32_t v = 1; v <= PERIOD; v++)
        if (!visited[v]) fail_msg("value %#x never came", (unsigned)v);
}

/* Multiplied by x^-16, the polynomial says of the bits that fall out: b(n+16) = b(n) + b(n+2) + b(n+3) + b(n+5). */
static void the_bits_shifted_out_obey_the_polynomial(void **state) {
    static bool bit[PERIOD + 16];
    const rf_lfsr_cfg cfg = {0xbeef};
    const rf_lfsr_in on = {1};
    rf_lfsr m;
    rf_lfsr_out out;
    uint32_t ones = 0;
    (void)state;
    assert_int_equal(rf_lfsr_init(&m, &cfg), 0);
    for (uint32_t n = 0; n < PERIOD + 16; n++) {
        rf_lfsr_step(&m, &on, &out);
        bit[n] = (out.value & 1) != 0;
        if (n < PERIOD) ones += bit[n];
        if (n < 16) continue;
        if (bit[n] != (bit[n - 16] ^ bit[n - 14] ^ bit[n - 13] ^ bit[n - 11])) fail_msg("bit %" PRIu32 " is wrong", n);
    }
    assert_int_equal(ones, 32768);
}

/* The next value of every value, 0 too, against long division by the polynomial. */
static void one_step_of_every_value(void **state) {
    const rf_lfsr_in on = {1};
    judge j;
    (void)state;
    judge_begin(&j, 0, "rf_lfsr, every value");
    for (uint32_t v = 0; v <= PERIOD; v++) {
        slow_lfsr s = {.seed = v};
        slow_reset(&s);
        slow_clock(&s, &on);
        judge_equal(&j, "rf_lfsr_next", v, rf_lfsr_next((uint16_t)v), judge_pack(s.bit, 16));
    }
    judge_passes(&j);
}

static void reset_gives_the_seed_again(void **state) {
    const rf_lfsr_cfg cfg = {0x1234};
    const rf_lfsr_in on = {1};
    rf_lfsr m;
    (void)state;
    assert_int_equal(rf_lfsr_init(&m, &cfg), 0);
    assert_int_equal(m.value_q, 0x1234);
    rf_lfsr_clock(&m, &on);
    assert_int_equal(m.value_q, 0x091a);
    rf_lfsr_clock(&m, &on);
    rf_lfsr_clock(&m, &on); /* 0x091a is even, 0x048d odd: 0x0246 ^ 0xb400 */
    assert_int_equal(m.value_q, 0xb646);
    rf_lfsr_reset(&m);
    assert_int_equal(m.value_q, 0x1234);
    assert_int_equal(m.cfg.seed, 0x1234);
}

static void a_seed_out_of_range_is_refused_by_name(void **state) {
    static const rf_lfsr_cfg good[] = {{1}, {65535}};
    (void)state;
    JUDGE_RANGES(rf_lfsr, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_lfsr_in on = {1};
    rf_lfsr m;
    slow_lfsr s;
    judge j;
    rf_lfsr_out out;
    (void)state;
    start(&j, 0, &m, &s, 0x5a5a);
    for (uint32_t i = 0; i < 5; i++) step(&j, &m, &s, &on);
    judge_passes(&j);
    rf_lfsr_comb(&m, &on, &out);
    JUDGE_FLIPS(&j, rf_lfsr, LS_OUT, &m, &out, compare_out(&j, &s, &out));
    JUDGE_FLIPS(&j, rf_lfsr, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_steps_from_several_seeds),
        cmocka_unit_test(the_period_is_65535_and_visits_every_value_but_0),
        cmocka_unit_test(the_bits_shifted_out_obey_the_polynomial),
        cmocka_unit_test(one_step_of_every_value),
        cmocka_unit_test(reset_gives_the_seed_again),
        cmocka_unit_test(a_seed_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_lfsr", tests, NULL, NULL);
}
