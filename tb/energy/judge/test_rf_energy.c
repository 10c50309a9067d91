/* SPDX-License-Identifier: Apache-2.0 */
/* Each price of [hierarchy Table V] by itself, per warp register of 32 lanes (eight accesses of 128 bits), and their sum; each of
 * [WIR Table III], and CACTI's banks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/energy/rf_energy.h"

static const rf_energy_wires plain = RF_ENERGY_WIRES_INIT;

static void each_price(void **state) {
    (void)state;
    const struct {
        rf_energy_counts counts;
        double picojoules;
    } rows[] = {{{.bank_reads = 1}, 64},
                {{.bank_writes = 1}, 88},
                {{.collector_reads = 10}, 56},
                {{.collector_writes = 1}, 16},
                {{.bank_collector = 10}, 608},
                {{.result_bank = 10}, 608},
                {{.result_ccu = 10}, 608},
                {{0}, 0},
                {{1, 1, 10, 1, 10, 20, 30}, 64 + 88 + 56 + 16 + 6 * 608}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_float_equal((float)rf_energy(&rows[i].counts, &plain, 32), (float)rows[i].picojoules, 1e-3);
}

static void by_lanes(void **state) {
    (void)state;
    const rf_energy_counts counts = {3, 5, 7, 11, 13, 17, 19};
    const double one = rf_energy(&counts, &plain, 4);
    for (uint32_t lanes = 1; lanes <= 32; lanes++)
        assert_float_equal((float)rf_energy(&counts, &plain, lanes), (float)(one * lanes / 4), 1e-3);
}

/* Each way by its own length; a register file cache of [hierarchy Table V] 0.2 mm away has 5 times less, one beside the units
 * ("L0", 0.05 mm) 20 times less. */
static void each_way_by_its_length(void **state) {
    (void)state;
    const struct {
        rf_energy_wires wires;
        double picojoules; /* of 1, 2 and 4 registers of 32 lanes */
    } rows[] = {{RF_ENERGY_WIRES_INIT, 7 * 60.8},
                {{1, 1, 0.2}, 3 * 60.8 + 4 * 60.8 / 5},
                {{1, 1, 0.05}, 3 * 60.8 + 4 * 60.8 / 20},
                {{0.5, 0, 0}, 30.4},
                {{0, 3, 0}, 2 * 182.4},
                {{0, 0, 100}, 4 * 6080},
                {{0, 0, 0}, 0}};
    const rf_energy_counts counts = {.bank_collector = 1, .result_bank = 2, .result_ccu = 4};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_float_equal((float)rf_energy(&counts, &rows[i].wires, 32), (float)rows[i].picojoules, 1e-2);
}

/* In hundredths of a picojoule. */
static long hundredths(double picojoules) { return (long)(picojoules * 100 + 0.5); }

static void each_price_of_reuse(void **state) {
    (void)state;
    const struct {
        rf_energy_wir_counts counts;
        long banks, added;
    } rows[] = {{{.bank_reads = 1}, 4208, 0},
                {{.bank_writes = 1}, 11128, 0},
                {{.rename = 1}, 0, 350},
                {{.reuse_buffer = 1}, 0, 471},
                {{.hashes = 1}, 0, 485},
                {{.vsb = 1}, 0, 496},
                {{.pool = 1}, 0, 135},
                {{.references = 1}, 0, 32},
                {{.verify_cache = 1}, 0, 293},
                {{0}, 0, 0},
                {{10, 1, 2, 3, 4, 5, 6, 7, 8}, 42080 + 11128, 700 + 1413 + 1940 + 2480 + 810 + 224 + 2344}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(hundredths(rf_energy_wir_banks(&rows[i].counts, 32)), rows[i].banks);
        assert_int_equal(hundredths(rf_energy_wir_banks(&rows[i].counts, 16)), rows[i].banks / 2);
        assert_int_equal(hundredths(rf_energy_wir_added(&rows[i].counts)), rows[i].added);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_price), cmocka_unit_test(by_lanes),
                                       cmocka_unit_test(each_way_by_its_length), cmocka_unit_test(each_price_of_reuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
