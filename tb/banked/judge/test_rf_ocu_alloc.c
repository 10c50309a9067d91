/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_ocu_alloc: the slow model lists the free collectors and hands them out from the front, request by request. */
#include "cmodel/banked/rf_ocu_alloc.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_ocu_alloc_unit;

typedef struct slow_out {
    bool grant[4], alloc[16];
    uint32_t sel[4], which[16];
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(NO_REQUEST, "no request") \
    X(ALL_GRANTED, "several requests, all granted") \
    X(SOME_REFUSED, "one granted, one refused") \
    X(NONE_FREE, "a request and no free collector") \
    X(FIRST_SILENT, "request 0 is silent, a later one granted") \
    X(BUSY_BETWEEN, "a busy collector between two that are taken") \
    X(TOP_TAKEN, "the highest collector is taken")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static slow_out slow_comb(const rf_ocu_alloc_cfg *cfg, const rf_ocu_alloc_in *in) {
    slow_out out;
    uint32_t list[16], length = 0, used = 0;
    memset(&out, 0, sizeof out);
    for (uint32_t c = 0; c < cfg->collectors; c++)
        if (!judge_bit(in->busy, c)) list[length++] = c;
    for (uint32_t i = 0; i < cfg->issues; i++) {
        if (!judge_bit(in->req, i) || used == length) continue;
        out.grant[i] = true;
        out.sel[i] = list[used];
        out.alloc[list[used]] = true;
        out.which[list[used]] = i;
        used++;
    }
    return out;
}

static void compare_out(judge *j, const rf_ocu_alloc_cfg *cfg, const rf_ocu_alloc_out *out, const slow_out *expected) {
    judge_equal(j, "grant", 0, out->grant, judge_pack(expected->grant, cfg->issues));
    for (uint32_t i = 0; i < cfg->issues; i++) judge_equal(j, "sel", i, out->sel[i], expected->sel[i]);
    judge_equal(j, "alloc", 0, out->alloc, judge_pack(expected->alloc, cfg->collectors));
    for (uint32_t c = 0; c < cfg->collectors; c++) judge_equal(j, "which", c, out->which[c], expected->which[c]);
}

static void count(const rf_ocu_alloc_cfg *cfg, const rf_ocu_alloc_in *in, const slow_out *out, uint64_t *seen) {
    uint32_t granted = 0, asked = 0, taken[16], takes = 0;
    for (uint32_t i = 0; i < cfg->issues; i++) {
        granted += out->grant[i];
        asked += judge_bit(in->req, i);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++)
        if (out->alloc[c]) taken[takes++] = c;
    seen[NO_REQUEST] += asked == 0;
    seen[ALL_GRANTED] += asked > 1 && granted == asked;
    seen[SOME_REFUSED] += granted > 0 && granted < asked;
    seen[NONE_FREE] += asked > 0 && granted == 0;
    seen[FIRST_SILENT] += granted > 0 && !judge_bit(in->req, 0);
    for (uint32_t k = 1; k < takes; k++) seen[BUSY_BETWEEN] += taken[k] > taken[k - 1] + 1;
    seen[TOP_TAKEN] += cfg->collectors > 1 && out->alloc[cfg->collectors - 1];
}

/* One cycle, everything compared; neither comb nor clock may change the model. */
static void step(judge *j, rf_ocu_alloc *m, const rf_ocu_alloc_in *in, uint64_t *seen) {
    const slow_out expected = slow_comb(&m->cfg, in);
    const rf_ocu_alloc before = *m;
    rf_ocu_alloc_out out;
    memset(&out, 0xa5, sizeof out);
    rf_ocu_alloc_comb(m, in, &out);
    compare_out(j, &m->cfg, &out, &expected);
    JUDGE_CLOCK(rf_ocu_alloc, m, in);
    assert_memory_equal(&before, m, sizeof before);
    count(&m->cfg, in, &expected, seen);
    j->cycle++;
}

static void start(judge *j, uint64_t seed, rf_ocu_alloc *m, uint32_t collectors, uint32_t issues) {
    const rf_ocu_alloc_cfg cfg = {collectors, issues};
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_ocu_alloc_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    judge_begin(j, seed, "rf_ocu_alloc collectors=%" PRIu32 " issues=%" PRIu32, collectors, issues);
}

/* Every busy x every request: all sizes to 8 collectors, and 15 and 16 with two issues. */
static void every_input(void **state) {
    uint64_t seen[EVENTS] = {0};
    rf_ocu_alloc m;
    judge j;
    (void)state;
    for (uint32_t collectors = 1; collectors <= 16; collectors++)
        for (uint32_t issues = 1; issues <= 4; issues++) {
            if (collectors > 8 && !(collectors >= 15 && issues == 2)) continue;
            start(&j, 0, &m, collectors, issues);
            for (uint64_t busy = 0; busy <= ls_mask(collectors); busy++)
                for (uint64_t req = 0; req <= ls_mask(issues); req++)
                    step(&j, &m, &(rf_ocu_alloc_in){(uint16_t)busy, (uint8_t)req}, seen);
            judge_passes(&j);
        }
    judge_saw_all(event_names, seen, EVENTS);
}

static void random_inputs_of_the_large_sizes(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    rf_ocu_alloc m;
    judge j;
    ls_rng rng;
    (void)state;
    for (uint32_t collectors = 9; collectors <= 16; collectors++)
        for (uint32_t issues = 1; issues <= 4; issues++) {
            const uint64_t seed = ls_seed_derive(collectors * 8 + issues, "judge rf_ocu_alloc");
            ls_rng_seed(&rng, seed);
            start(&j, seed, &m, collectors, issues);
            while (j.cycle < 7000) {
                const uint64_t busy = ls_rng_chance(&rng, 32) ? ls_rng_value(&rng, collectors)
                                                              : ls_rng_bits(&rng, collectors, ls_rng_below(&rng, 257));
                step(&j, &m, &(rf_ocu_alloc_in){(uint16_t)busy, (uint8_t)ls_rng_below(&rng, 1u << issues)}, seen);
            }
            judge_passes(&j);
            cycles += j.cycle;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* [bank stealing II-B]: "If running out of collectors, the instruction waits until a collector becomes available." */
static void an_instruction_waits_for_a_free_collector(void **state) {
    rf_ocu_alloc m;
    rf_ocu_alloc_out out;
    judge j;
    (void)state;
    start(&j, 0, &m, 3, 2);
    rf_ocu_alloc_comb(&m, &(rf_ocu_alloc_in){.busy = 7, .req = 3}, &out);
    assert_int_equal(out.grant, 0);
    assert_int_equal(out.alloc, 0);
    rf_ocu_alloc_comb(&m, &(rf_ocu_alloc_in){.busy = 5, .req = 3}, &out);
    assert_int_equal(out.grant, 1);
    assert_int_equal(out.sel[0], 1);
    assert_int_equal(out.alloc, 2);
    assert_int_equal(out.which[1], 0);
    rf_ocu_alloc_comb(&m, &(rf_ocu_alloc_in){.busy = 2, .req = 3}, &out);
    assert_int_equal(out.grant, 3);
    assert_int_equal(out.sel[0], 0);
    assert_int_equal(out.sel[1], 2);
    assert_int_equal(out.alloc, 5);
    assert_int_equal(out.which[2], 1);
    rf_ocu_alloc_comb(&m, &(rf_ocu_alloc_in){.busy = 1, .req = 2}, &out);
    assert_int_equal(out.grant, 2);
    assert_int_equal(out.sel[0], 0);
    assert_int_equal(out.sel[1], 1);
}

static void reset_has_nothing_to_do(void **state) {
    rf_ocu_alloc m, before;
    judge j;
    (void)state;
    start(&j, 0, &m, 5, 3);
    before = m;
    rf_ocu_alloc_reset(&m);
    assert_memory_equal(&before, &m, sizeof m);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_ocu_alloc_cfg good[] = {{8, 1}, {1, 1}, {16, 4}};
    (void)state;
    JUDGE_RANGES(rf_ocu_alloc, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_ocu_alloc_in in = {.busy = 0x09, .req = 5};
    rf_ocu_alloc m;
    rf_ocu_alloc_out out;
    judge j;
    (void)state;
    start(&j, 0, &m, 5, 3);
    rf_ocu_alloc_comb(&m, &in, &out);
    const slow_out expected = slow_comb(&m.cfg, &in);
    compare_out(&j, &m.cfg, &out, &expected);
    judge_passes(&j);
    JUDGE_FLIPS(&j, rf_ocu_alloc, LS_OUT, &m, &out, compare_out(&j, &m.cfg, &out, &expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input),
        cmocka_unit_test(random_inputs_of_the_large_sizes),
        cmocka_unit_test(an_instruction_waits_for_a_free_collector),
        cmocka_unit_test(reset_has_nothing_to_do),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_ocu_alloc", tests, NULL, NULL);
}
