/* SPDX-License-Identifier: Apache-2.0 */
/* Each price of 002 Table V by itself, per warp register of 32 lanes (eight accesses of 128 bits), and their sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/energy/rf_energy.h"

static void each_price(void **state) {
    (void)state;
    const struct {
        rf_energy_counts counts;
        double picojoules;
    } rows[] = {{{.bank_reads = 1}, 64},
                {{.bank_writes = 1}, 88},
                {{.collector_reads = 10}, 56},
                {{.collector_writes = 1}, 16},
                {{.crossbar = 10}, 608},
                {{0}, 0},
                {{1, 1, 10, 1, 10}, 64 + 88 + 56 + 16 + 608}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_float_equal((float)rf_energy(&rows[i].counts, 32), (float)rows[i].picojoules, 1e-3);
}

static void by_lanes(void **state) {
    (void)state;
    const rf_energy_counts counts = {3, 5, 7, 11, 13};
    const double one = rf_energy(&counts, 4);
    for (uint32_t lanes = 1; lanes <= 32; lanes++)
        assert_float_equal((float)rf_energy(&counts, lanes), (float)(one * lanes / 4), 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_price), cmocka_unit_test(by_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
