/* SPDX-License-Identifier: Apache-2.0 */
/* Approximate functions (PTX ISA, "Floating-Point Instructions"): computed in double and rounded once to f32, far inside PTX's
 * stated errors; infinities, NaN, zeros and subnormal numbers as PTX's tables say, which C's functions do. */
#include <math.h>

#include "cmodel/workload/rf_simt_lanes.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define FUNCTION(name, ...)                                                                                                      \
    static void name##_f32(const rf_kinst *inst, rf_simt_lanes *x) {                                                             \
        const uint32_t keep = rf_keep(inst);                                                                                     \
        const bool sat = inst->flags & RF_F_SAT;                                                                                 \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const double a = rf_get_f32(x, 0, l, keep);                                                                          \
            rf_put_f32(x, l, (float)(__VA_ARGS__), keep, sat);                                                                   \
        }                                                                                                                        \
    }

FUNCTION(rcp, 1.0 / a)
FUNCTION(sqrt, sqrt(a))
FUNCTION(rsqrt, 1.0 / sqrt(a))
FUNCTION(sin, sin(a))
FUNCTION(cos, cos(a))
FUNCTION(lg2, log2(a))
FUNCTION(ex2, exp2(a))
FUNCTION(tanh, tanh(a))
FUNCTION(div_full, a / (double)rf_get_f32(x, 1, l, keep))

/* div.approx is a times the reciprocal of b, and that is 0 where b is beyond 2^126: the result is 0, or NaN for an infinite a. */
static double divide(double a, double b) { return fabs(b) > 0x1p126 ? a * copysign(0.0, b) : a / b; }
FUNCTION(div, divide(a, (double)rf_get_f32(x, 1, l, keep)))

static void rsqrt_f64(const rf_kinst *inst, rf_simt_lanes *x) {
    (void)inst;
    for (uint32_t l = 0; l < RF_LANES; l++) {
        const double r = 1.0 / sqrt(rf_get_f64(x, 0, l));
        rf_put_u64(x, l, r != r ? RF_NAN_F64 : rf_bits_f64(r));
    }
}

/* The gross f64 forms: only the high word is read and written; subnormal numbers are zeros of their sign. */
static uint64_t high_word(uint64_t bits) {
    const uint64_t exponent = UINT64_C(0x7ff0000000000000), sign = UINT64_C(0x8000000000000000);
    return bits & ((bits & exponent) == 0 ? sign : UINT64_C(0xffffffff00000000));
}

#define GROSS(name, ...)                                                                                                         \
    static void name##_gross(const rf_kinst *inst, rf_simt_lanes *x) {                                                           \
        (void)inst;                                                                                                              \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const uint64_t bits = rf_get_u64(x, 0, l);                                                                           \
            const double a = rf_as_f64(high_word(bits)), r = __VA_ARGS__;                                                        \
            rf_put_u64(x, l, rf_as_f64(bits) != rf_as_f64(bits) || r != r ? RF_NAN_F64 : high_word(rf_bits_f64(r)));             \
        }                                                                                                                        \
    }
GROSS(rcp, 1.0 / a)
GROSS(rsqrt, 1.0 / sqrt(a))

static rf_simt_fn *single(const rf_kinst *inst) {
    if (inst->flags & ~(RF_F_APPROX | RF_F_FULL | RF_F_FTZ | RF_F_SAT)) return NULL;
    switch (inst->op) {
    case RF_K_DIV:
        return inst->flags & RF_F_FULL ? div_full_f32 : div_f32;
    case RF_K_RCP:
        return rcp_f32;
    case RF_K_SQRT:
        return sqrt_f32;
    case RF_K_RSQRT:
        return rsqrt_f32;
    case RF_K_SIN:
        return sin_f32;
    case RF_K_COS:
        return cos_f32;
    case RF_K_LG2:
        return lg2_f32;
    case RF_K_EX2:
        return ex2_f32;
    case RF_K_TANH:
        return tanh_f32;
    default:
        return NULL;
    }
}

rf_simt_fn *rf_simt_approximate(const rf_kinst *inst) {
    if (!(inst->flags & (RF_F_APPROX | RF_F_FULL)) || inst->round != RF_R_NONE) return NULL;
    if (inst->type == RF_T_F32) return single(inst);
    if (inst->type != RF_T_F64 || inst->flags & ~(RF_F_APPROX | RF_F_FTZ)) return NULL;
    if (inst->op == RF_K_RSQRT) return inst->flags & RF_F_FTZ ? rsqrt_gross : rsqrt_f64;
    return inst->op == RF_K_RCP && inst->flags & RF_F_FTZ ? rcp_gross : NULL;
}
