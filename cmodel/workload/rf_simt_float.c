/* SPDX-License-Identifier: Apache-2.0 */
/* IEEE 754 arithmetic of f32 and f64 (PTX ISA, "Floating-Point Instructions"), each in the rounding mode that holds.
 *
 * Directed rounding is the host's: the machine sets the mode with fesetround, calls one of these functions through its pointer,
 * and sets the mode back. Operands come from memory and results go to memory that fesetround, an unknown function, might touch,
 * so no compiler can move the arithmetic out of the bracket, and there are no constants to fold. Nothing here may depend on the
 * mode in another way: no conversions, no sums of three. */
#include <math.h>

#include "cmodel/workload/rf_simt_lanes.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc contracts nothing under -std=c11 */
#endif

#define SINGLE(name, sources, ...)                                                                                               \
    static void name##_f32(const rf_kinst *inst, rf_simt_lanes *x) {                                                             \
        const uint32_t keep = rf_keep(inst);                                                                                     \
        const bool sat = inst->flags & RF_F_SAT;                                                                                 \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const float a = rf_get_f32(x, 0, l, keep), b = sources > 1 ? rf_get_f32(x, 1, l, keep) : 0.0f;                       \
            const float c = sources > 2 ? rf_get_f32(x, 2, l, keep) : 0.0f;                                                      \
            (void)b, (void)c;                                                                                                    \
            rf_put_f32(x, l, __VA_ARGS__, keep, sat);                                                                            \
        }                                                                                                                        \
    }

/* A double's NaN result: the first NaN among the sources, made quiet, so that every compiler's code agrees; else the default. */
static uint64_t nan_f64(uint64_t a, uint64_t b) {
    const uint64_t infinity = UINT64_C(0x7ff0000000000000), quiet = UINT64_C(0x0008000000000000);
    if (a << 1 > infinity << 1) return a | quiet;
    if (b << 1 > infinity << 1) return b | quiet;
    return RF_NAN_F64;
}

#define DOUBLE(name, sources, payload, ...)                                                                                      \
    static void name##_f64(const rf_kinst *inst, rf_simt_lanes *x) {                                                             \
        (void)inst;                                                                                                              \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const uint64_t first = rf_get_u64(x, 0, l), second = sources > 1 ? rf_get_u64(x, 1, l) : first;                      \
            const double a = rf_as_f64(first), b = rf_as_f64(second), c = sources > 2 ? rf_get_f64(x, 2, l) : 0.0;               \
            const double r = __VA_ARGS__;                                                                                        \
            (void)b, (void)c;                                                                                                    \
            rf_put_u64(x, l, r != r ? payload ? nan_f64(first, second) : RF_NAN_F64 : rf_bits_f64(r));                           \
        }                                                                                                                        \
    }

SINGLE(add, 2, a + b)
SINGLE(sub, 2, a - b)
SINGLE(mul, 2, a *b)
SINGLE(fma, 3, fmaf(a, b, c))
SINGLE(div, 2, a / b)
SINGLE(rcp, 1, 1.0f / a)
SINGLE(sqrt, 1, sqrtf(a))
DOUBLE(add, 2, true, a + b)
DOUBLE(sub, 2, true, a - b)
DOUBLE(mul, 2, true, a *b)
DOUBLE(fma, 3, false, fma(a, b, c))
DOUBLE(div, 2, true, a / b)
DOUBLE(rcp, 1, true, 1.0 / a)
DOUBLE(sqrt, 1, true, sqrt(a))

/* Least and greatest: a NaN gives way to a number unless NaN wins; -0 is below +0. `above` says that a is. */
#define BIT_F32(v) ((int32_t)rf_bits_f32(v) < 0)
#define EXTREME_F32(above, first)                                                                                                \
    (a != a ? (inst->flags & RF_F_NAN ? a : b) : b != b ? (inst->flags & RF_F_NAN ? b : a) : (above) == first ? a : b)
#define ABOVE_F32 (a > b || (a == b && !BIT_F32(a)))
SINGLE(min, 2, EXTREME_F32(ABOVE_F32, false))
SINGLE(max, 2, EXTREME_F32(ABOVE_F32, true))
#define ABOVE_F64 (a > b || (a == b && first >> 63 == 0))
DOUBLE(min, 2, false, a != a ? b : b != b ? a : ABOVE_F64 ? b : a)
DOUBLE(max, 2, false, a != a ? b : b != b ? a : ABOVE_F64 ? a : b)

/* On the bits alone: a NaN keeps its payload. */
#define BITWISE(name, ...)                                                                                                       \
    static void name##_f32(const rf_kinst *inst, rf_simt_lanes *x) {                                                             \
        const uint32_t keep = rf_keep(inst), sign = UINT32_C(0x80000000);                                                        \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const uint32_t a = rf_flush(rf_get_u32(x, 0, l), keep);                                                              \
            rf_put_u32(x, l, __VA_ARGS__);                                                                                       \
        }                                                                                                                        \
    }                                                                                                                            \
    static void name##_f64(const rf_kinst *inst, rf_simt_lanes *x) {                                                             \
        const uint64_t sign = UINT64_C(0x8000000000000000);                                                                      \
        (void)inst;                                                                                                              \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const uint64_t a = rf_get_u64(x, 0, l);                                                                              \
            rf_put_u64(x, l, __VA_ARGS__);                                                                                       \
        }                                                                                                                        \
    }
BITWISE(absolute, a & ~sign)
BITWISE(neg, a ^ sign)

static void copysign_f32(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint32_t sign = UINT32_C(0x80000000);
    (void)inst;
    for (uint32_t l = 0; l < RF_LANES; l++) rf_put_u32(x, l, (rf_get_u32(x, 0, l) & sign) | (rf_get_u32(x, 1, l) & ~sign));
}

static void copysign_f64(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint64_t sign = UINT64_C(0x8000000000000000);
    (void)inst;
    for (uint32_t l = 0; l < RF_LANES; l++) rf_put_u64(x, l, (rf_get_u64(x, 0, l) & sign) | (rf_get_u64(x, 1, l) & ~sign));
}

/* Every modifier is one that the operation knows. */
static bool modifiers(const rf_kinst *inst, bool single, bool rounds) {
    uint32_t known = single ? RF_F_FTZ : 0;
    if (single && rounds) known |= RF_F_SAT;
    if (single && (inst->op == RF_K_MIN || inst->op == RF_K_MAX)) known |= RF_F_NAN;
    return (inst->flags & ~known) == 0 && (rounds ? inst->round <= RF_R_RP : inst->round == RF_R_NONE);
}

rf_simt_fn *rf_simt_float(const rf_kinst *inst) {
    static const struct {
        uint8_t op;
        bool rounds;
        rf_simt_fn *single, *twice;
    } table[] = {
        {RF_K_ADD, true, add_f32, add_f64},
        {RF_K_SUB, true, sub_f32, sub_f64},
        {RF_K_MUL, true, mul_f32, mul_f64},
        {RF_K_MAD, true, fma_f32, fma_f64}, /* since sm_20 the product is not rounded */
        {RF_K_FMA, true, fma_f32, fma_f64},
        {RF_K_DIV, true, div_f32, div_f64},
        {RF_K_RCP, true, rcp_f32, rcp_f64},
        {RF_K_SQRT, true, sqrt_f32, sqrt_f64},
        {RF_K_MIN, false, min_f32, min_f64},
        {RF_K_MAX, false, max_f32, max_f64},
        {RF_K_ABS, false, absolute_f32, absolute_f64},
        {RF_K_NEG, false, neg_f32, neg_f64},
        {RF_K_COPYSIGN, false, copysign_f32, copysign_f64},
    };
    if (inst->type != RF_T_F32 && inst->type != RF_T_F64) return NULL;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].op != inst->op) continue;
        const bool single = inst->type == RF_T_F32;
        return !modifiers(inst, single, table[i].rounds) ? NULL : single ? table[i].single : table[i].twice;
    }
    return NULL;
}
