/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of my_unit: another model, slow and plain, best written by somebody who has not seen the first one. It remembers how
 * often it counted since the last clear. */
#include "model/my_unit.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit my_unit_unit;

static const my_unit_cfg sizes[] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};

static void compare_out(judge *j, const my_unit_out *model, const my_unit_out *expected) {
    judge_equal(j, "count", 0, model->count, expected->count);
    judge_equal(j, "full", 0, model->full, expected->full);
}

static void compare_state(judge *j, const my_unit *model, const my_unit *expected) {
    judge_equal(j, "count_q", 0, model->count_q, expected->count_q);
}

static void run(const my_unit_cfg *cfg) {
    const uint64_t top = (UINT64_C(1) << cfg->w) - 1;
    uint64_t counted = 0;
    my_unit m;
    my_unit_out out;
    judge j;
    ls_rng rng;
    assert_int_equal(my_unit_init(&m, cfg), 0);
    judge_begin(&j, cfg->w, "my_unit W=%" PRIu32, cfg->w);
    ls_rng_seed(&rng, cfg->w);
    for (; j.cycle < 20000; j.cycle++) {
        const my_unit_in in = {ls_rng_chance(&rng, 200), ls_rng_chance(&rng, cfg->w > 6 ? 0 : 8)};
        const my_unit_out expected = {(uint8_t)(counted < top ? counted : top), counted >= top};
        my_unit_comb(&m, &in, &out);
        compare_out(&j, &out, &expected);
        my_unit_clock(&m, &in);
        counted = in.clr ? 0 : counted + in.inc;
        compare_state(&j, &m, &(my_unit){.count_q = (uint8_t)(counted < top ? counted : top)});
    }
    judge_passes(&j);
}

static void random_inputs_of_every_size(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) run(&sizes[i]);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(my_unit, sizes);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const my_unit_in in = {0};
    my_unit m, same;
    my_unit_out out, same_out;
    judge j;
    (void)state;
    assert_int_equal(my_unit_init(&m, &sizes[3]), 0);
    my_unit_comb(&m, &in, &out);
    same = m;
    same_out = out;
    JUDGE_FLIPS(&j, my_unit, LS_OUT, &m, &out, compare_out(&j, &out, &same_out));
    JUDGE_FLIPS(&j, my_unit, LS_STATE, &m, &m, compare_state(&j, &m, &same));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs_of_every_size),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of my_unit", tests, NULL, NULL);
}
