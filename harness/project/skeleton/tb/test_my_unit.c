/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of my_unit: another model, slow and plain, best written by somebody who has not seen the first one. It remembers how
 * often it counted since the last clear. */
#include "model/my_unit.h"

#include "harness/core/unit.h"
#include "tb/common/judge/judge.h"

static void run(uint32_t w, uint64_t seed) {
    const uint64_t top = (UINT64_C(1) << w) - 1;
    uint64_t counted = 0;
    my_unit m;
    my_unit_out out;
    judge j;
    ls_rng rng;
    assert_int_equal(my_unit_init(&m, &(my_unit_cfg){w}), 0);
    judge_begin(&j, seed, "my_unit W=%" PRIu32, w);
    ls_rng_seed(&rng, seed);
    for (; j.cycle < 20000; j.cycle++) {
        const my_unit_in in = {ls_rng_chance(&rng, 200), ls_rng_chance(&rng, w > 6 ? 0 : 8)};
        const uint64_t expected = counted < top ? counted : top;
        my_unit_comb(&m, &in, &out);
        judge_equal(&j, "count", 0, out.count, expected);
        judge_equal(&j, "full", 0, out.full, expected == top);
        my_unit_clock(&m, &in);
        counted = in.clr ? 0 : counted + in.inc;
    }
    judge_passes(&j);
}

static void random_inputs_of_every_size(void **state) {
    (void)state;
    for (uint32_t w = 1; w <= 8; w++) run(w, w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_inputs_of_every_size)};
    return cmocka_run_group_tests_name("judge of my_unit", tests, NULL, NULL);
}
