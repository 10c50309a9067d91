/* SPDX-License-Identifier: Apache-2.0 */
/* The value function: fixed results, what it depends on and what not, and that operands cannot hide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_value.h"

static rf_vec result_of(const rf_inst *inst, uint64_t warp, uint32_t dst, const rf_vec *operand, uint32_t nsrc, uint32_t lanes) {
    rf_vec result;
    memset(&result, 0xee, sizeof result);
    rf_value_result(inst, warp, dst, operand, nsrc, lanes, &result);
    return result;
}

static bool lane_differs(rf_vec a, rf_vec b, uint32_t lane) { return a.lane[lane] != b.lane[lane]; }

/* Lanes in which two vectors differ, as bits. */
static uint32_t differing(rf_vec a, rf_vec b) {
    uint32_t mask = 0;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) mask |= (uint32_t)lane_differs(a, b, l) << l;
    return mask;
}

static void test_operands(void **state) {
    (void)state;
    const rf_inst inst = {.pc = 0x40, .opcode = rf_fnv1a("FFMA", 4)};
    rf_vec operand[RF_INST_SRC_MAX];
    for (uint32_t s = 0; s < RF_INST_SRC_MAX; s++) rf_value_initial(3, s, &operand[s]);
    for (uint32_t nsrc = 1; nsrc <= RF_INST_SRC_MAX; nsrc++) {
        const rf_vec base = result_of(&inst, 3, 0, operand, nsrc, 32);
        assert_int_equal(differing(base, result_of(&inst, 4, 0, operand, nsrc, 32)), 0); /* no warp: operands carry it */
        for (uint32_t s = 0; s < nsrc; s++)
            for (uint32_t bit = 0; bit < 1024; bit++) { /* every operand bit matters, in its lane and nowhere else */
                operand[s].lane[bit / 32] ^= UINT32_C(1) << bit % 32;
                assert_int_equal(differing(base, result_of(&inst, 3, 0, operand, nsrc, 32)), UINT32_C(1) << bit / 32);
                operand[s].lane[bit / 32] ^= UINT32_C(1) << bit % 32;
            }
        if (nsrc < 2) continue;
        rf_vec swapped[RF_INST_SRC_MAX];
        memcpy(swapped, operand, sizeof swapped);
        swapped[0] = operand[1];
        swapped[1] = operand[0];
        assert_int_equal(differing(base, result_of(&inst, 3, 0, swapped, nsrc, 32)), UINT32_MAX); /* order matters */
    }
}

static void test_identity(void **state) {
    (void)state;
    const rf_inst inst = {.pc = 0x40, .opcode = rf_fnv1a("S2R", 3), .immediate = 5};
    const rf_vec base = result_of(&inst, 1, 0, NULL, 0, 32);
    rf_inst other = inst;
    for (uint32_t l = 1; l < 32; l++) assert_int_not_equal(base.lane[l], base.lane[0]);
    assert_int_equal(differing(base, result_of(&inst, 1, 0, NULL, 0, 32)), 0);
    assert_int_equal(differing(base, result_of(&inst, 2, 0, NULL, 0, 32)), UINT32_MAX);
    assert_int_equal(differing(base, result_of(&inst, 1, 1, NULL, 0, 32)), UINT32_MAX);
    other.pc += 16;
    assert_int_equal(differing(base, result_of(&other, 1, 0, NULL, 0, 32)), UINT32_MAX);
    other = inst;
    other.opcode = rf_fnv1a("CS2R", 4);
    assert_int_equal(differing(base, result_of(&other, 1, 0, NULL, 0, 32)), UINT32_MAX);
    other = inst;
    other.immediate = INT64_MIN;
    assert_int_equal(differing(base, result_of(&other, 1, 0, NULL, 0, 32)), UINT32_MAX);
}

static void test_loads(void **state) {
    (void)state;
    uint64_t address[32];
    rf_vec operand[2];
    for (uint32_t l = 0; l < 32; l++) address[l] = UINT64_C(0x7f0000001000) + 4 * l;
    rf_inst inst = {.load = true, .address = address, .width = 16};
    memset(operand, 0x5a, sizeof operand);
    const rf_vec base = result_of(&inst, 1, 0, operand, 2, 32), second = result_of(&inst, 1, 1, operand, 2, 32);
    for (uint32_t l = 0; l < 31; l++) assert_int_equal(second.lane[l], base.lane[l + 1]); /* consecutive words of one memory */
    operand[1].lane[7] ^= 1;
    inst.pc = 99;
    assert_int_equal(differing(base, result_of(&inst, 2, 0, operand, 2, 32)), 0);
    address[9] ^= UINT64_C(1) << 60;
    assert_int_equal(differing(base, result_of(&inst, 1, 0, operand, 2, 32)), UINT32_C(1) << 9);
    address[9] ^= UINT64_C(1) << 60;
    for (inst.width = 1; inst.width < 4; inst.width++)
        for (uint32_t l = 0; l < 32; l++)
            assert_int_equal(result_of(&inst, 1, 0, operand, 2, 32).lane[l],
                             base.lane[l] & ((UINT32_C(1) << 8 * inst.width) - 1));
    inst.address = NULL; /* a constant load: no addresses in the trace */
    assert_int_equal(differing(result_of(&inst, 1, 0, NULL, 0, 32), result_of(&inst, 2, 0, NULL, 0, 32)), UINT32_MAX);
}

static void test_lanes(void **state) {
    (void)state;
    uint64_t address[32] = {0};
    rf_vec operand;
    rf_value_initial(0, 0, &operand);
    const rf_inst alu = {.opcode = 1}, load = {.load = true, .address = address, .width = 4};
    for (uint32_t lanes = 0; lanes <= 32; lanes++) {
        const rf_vec r[3] = {result_of(&alu, 0, 0, &operand, 1, lanes), result_of(&alu, 0, 0, NULL, 0, lanes),
                             result_of(&load, 0, 0, &operand, 1, lanes)};
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t l = 0; l < 32; l++) assert_int_equal(r[i].lane[l] == 0, l >= lanes);
    }
}

/* Fixed for ever: records and case files of different versions must agree. */
static void test_golden(void **state) {
    (void)state;
    rf_vec v;
    uint64_t address[32] = {UINT64_C(0x7f8412345678)};
    rf_value_initial(0, 0, &v);
    assert_int_equal(v.lane[0], UINT32_C(0xa040dbe3));
    rf_value_initial(UINT64_C(0x123456789a), 254, &v);
    assert_int_equal(v.lane[31], UINT32_C(0x5c49f294));
    const rf_inst alu = {.pc = 0x40, .opcode = rf_fnv1a("FFMA", 4), .immediate = -1};
    assert_int_equal(result_of(&alu, 0, 0, &v, 1, 32).lane[31], UINT32_C(0xb89eb00a));
    const rf_inst load = {.load = true, .address = address, .width = 4};
    assert_int_equal(result_of(&load, 0, 0, &v, 1, 32).lane[0], UINT32_C(0x48dcd694));
}

/* Initial values of all warps and registers of a machine hardly collide: 64 x 256 x 32 values, about 32 pairs expected by chance.
 */
static void test_initial(void **state) {
    (void)state;
    static uint8_t seen[UINT32_C(1) << 29];
    uint32_t repeated = 0;
    for (uint32_t w = 0; w < RF_WARPS_MAX; w++)
        for (uint32_t r = 0; r < RF_REGS_MAX; r++) {
            rf_vec v;
            rf_value_initial(w, r, &v);
            for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
                repeated += seen[v.lane[l] >> 3] >> (v.lane[l] & 7) & 1;
                seen[v.lane[l] >> 3] |= (uint8_t)(1u << (v.lane[l] & 7));
            }
        }
    assert_true(repeated < 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands), cmocka_unit_test(test_identity), cmocka_unit_test(test_loads),
        cmocka_unit_test(test_lanes),    cmocka_unit_test(test_golden),   cmocka_unit_test(test_initial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
