/* SPDX-License-Identifier: Apache-2.0 */
/* Cracking: D-crack's rule for every count of sources, destinations and slots, judged register by register. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cmodel/workload/rf_crack.h"

/* An instruction without sources and destinations, whose registers in both lists differ from each other. */
static rf_inst numbered(void) {
    rf_inst inst = {0};
    for (uint8_t i = 0; i < RF_INST_SRC_MAX; i++) inst.src[i] = (uint8_t)(100 + i);
    for (uint8_t i = 0; i < RF_INST_DST_MAX; i++) inst.dst[i] = (uint8_t)(200 + i);
    return inst;
}

static void test_all(void **state) {
    (void)state;
    rf_inst inst = numbered();
    for (uint32_t slots = 1; slots <= RF_SLOTS_MAX; slots++)
        for (inst.nsrc = 0; inst.nsrc <= RF_INST_SRC_MAX; inst.nsrc++)
            for (inst.ndst = 0; inst.ndst <= RF_INST_DST_MAX; inst.ndst++) {
                /* where each register must be, one at a time */
                uint8_t source_uop[RF_INST_SRC_MAX], last_source = 0;
                for (uint8_t s = 0, fill = 0; s < inst.nsrc; s++) {
                    if (fill == slots) last_source++, fill = 0;
                    source_uop[s] = last_source;
                    fill++;
                }
                const uint32_t count = last_source + (inst.ndst > 1 ? inst.ndst : 1u);
                uint32_t s = 0, d = 0;
                assert_int_equal(rf_crack_count(&inst, slots), count);
                assert_true(count <= RF_UOPS_MAX);
                for (uint32_t i = 0; i < count; i++) {
                    rf_uop uop;
                    memset(&uop, 0xff, sizeof uop);
                    rf_crack(&inst, slots, i, &uop);
                    assert_int_equal(uop.index, i);
                    assert_int_equal(uop.count, count);
                    assert_int_equal(uop.first, i == 0);
                    assert_int_equal(uop.last, i == count - 1);
                    for (uint32_t k = 0; k < uop.nsrc; k++, s++) {
                        assert_int_equal(source_uop[s], i);
                        assert_int_equal(uop.src[k], 100 + s);
                    }
                    assert_int_equal(uop.src_index, uop.nsrc != 0 ? s - uop.nsrc : 0);
                    for (uint32_t k = uop.nsrc; k < RF_SLOTS_MAX; k++) assert_int_equal(uop.src[k], 0);
                    assert_int_equal(uop.has_dst, inst.ndst > 0 && i >= last_source);
                    if (!uop.has_dst) continue;
                    assert_int_equal(uop.dst, 200 + d);
                    assert_int_equal(uop.dst_index, d++);
                }
                assert_int_equal(s, inst.nsrc);
                assert_int_equal(d, inst.ndst);
            }
}

/* Word by word: the same uops with all sources each. */
static void test_words(void **state) {
    (void)state;
    rf_inst inst = numbered();
    for (uint32_t slots = 1; slots <= RF_SLOTS_MAX; slots++)
        for (inst.nsrc = 0; inst.nsrc <= RF_INST_SRC_MAX; inst.nsrc++)
            for (inst.ndst = 0; inst.ndst <= RF_INST_DST_MAX; inst.ndst++) {
                assert_int_equal(rf_crack_fits(&inst, slots), inst.nsrc <= slots);
                const uint32_t count = inst.ndst > 1 ? inst.ndst : 1;
                for (uint32_t i = 0; i < count && inst.nsrc <= slots; i++) {
                    rf_uop uop;
                    memset(&uop, 0xff, sizeof uop);
                    rf_crack_word(&inst, slots, i, &uop);
                    assert_int_equal(uop.index, i);
                    assert_int_equal(uop.count, count);
                    assert_int_equal(uop.first, i == 0);
                    assert_int_equal(uop.last, i == count - 1);
                    assert_int_equal(uop.src_index, 0);
                    assert_int_equal(uop.nsrc, inst.nsrc);
                    for (uint32_t k = 0; k < RF_SLOTS_MAX; k++) assert_int_equal(uop.src[k], k < inst.nsrc ? 100 + k : 0);
                    assert_int_equal(uop.has_dst, inst.ndst > 0);
                    assert_int_equal(uop.dst_index, i);
                    if (uop.has_dst) assert_int_equal(uop.dst, 200 + i);
                }
            }
}

/* A later uop would read what an earlier one wrote: of all destinations only the last may be a source. */
static void test_overlaps(void **state) {
    (void)state;
    for (uint32_t ndst = 1; ndst <= 4; ndst++)
        for (uint32_t d = 0; d < ndst; d++)
            for (uint32_t s = 0; s < 3; s++) {
                rf_inst inst = {.nsrc = 3, .src = {10, 11, 12}, .ndst = (uint8_t)ndst, .dst = {20, 21, 22, 23}};
                inst.dst[d] = inst.src[s];
                assert_int_equal(rf_crack_fits(&inst, 3), d == ndst - 1);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_words), cmocka_unit_test(test_overlaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
