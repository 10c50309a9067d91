/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of harness/core/plan.c: every way of comparing at once, and how Verilator stores a signal. Include it behind
 * cmocka.h. */
#ifndef DIFFERS_H
#define DIFFERS_H

#include "harness/core/plan.h"
#include "harness/core/plan_code.h"

/* What every way of comparing says: step by step, as machine code, and, in some calls (code pages are slow to make), as machine
 * code with vectors of half the length. */
static bool differs(const ls_plan *plan, const void *model) {
    static uint32_t calls;
    const bool differ = ls_differs_interpreted(plan, model) != 0;
    assert_int_equal(ls_differs(plan, model) != 0, differ);
    if (calls++ % 11 == 0) {
        ls_plan half = *plan;
        half.code = NULL;
        ls_plan_compile(&half, 32);
        assert_int_equal(ls_differs(&half, model) != 0, differ);
        ls_plan_code_free(&half);
    }
#ifdef __x86_64__
    const bool able = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    assert_int_equal(plan->code != NULL, able && plan->compared_bits > 0);
#endif
    return differ;
}

/* Verilator's storage: 1, 2, 4, 8 bytes, or whole 32-bit words. */
static uint32_t storage(uint32_t bits) {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : (bits + 31) / 32 * 4;
}

#endif
