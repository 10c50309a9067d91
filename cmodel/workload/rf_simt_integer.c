/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic of 16, 32 and 64 bits (PTX ISA, "Integer Arithmetic Instructions", "Extended-Precision ..."). */
#include "cmodel/workload/rf_simt_lanes.h"

rf_simt_tag rf_simt_tag_of(uint8_t type) {
    switch (type) {
    case RF_T_B16:
    case RF_T_U16:
        return RF_TAG_u16;
    case RF_T_S16:
        return RF_TAG_s16;
    case RF_T_B32:
    case RF_T_U32:
        return RF_TAG_u32;
    case RF_T_S32:
        return RF_TAG_s32;
    case RF_T_B64:
    case RF_T_U64:
        return RF_TAG_u64;
    case RF_T_S64:
        return RF_TAG_s64;
    default:
        return RF_TAGS;
    }
}

/* A function for one type, with the sources as a, b, c of type T; U wraps, W holds a product. */
#define OPERATION(name, tag, sources, put, ...)                                                                                  \
    static void name##_##tag(const rf_kinst *inst, rf_simt_lanes *x) {                                                           \
        typedef RF_C_##tag T;                                                                                                    \
        typedef RF_U_##tag U;                                                                                                    \
        typedef RF_W_##tag W;                                                                                                    \
        enum { BITS = 8 * sizeof(T), SIGNED = (T)-1 < 1 };                                                                       \
        (void)inst, (void)sizeof(U), (void)sizeof(W), (void)BITS, (void)SIGNED;                                                  \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const T a = rf_get_##tag(x, 0, l), b = sources > 1 ? rf_get_##tag(x, 1, l) : (T)0;                                   \
            const T c = sources > 2 ? rf_get_##tag(x, 2, l) : (T)0;                                                              \
            (void)b, (void)c;                                                                                                    \
            rf_put_##put(x, l, (RF_C_##put)(__VA_ARGS__));                                                                       \
        }                                                                                                                        \
    }

#define EVERY_TYPE(name, sources, ...)                                                                                           \
    OPERATION(name, u16, sources, u16, __VA_ARGS__)                                                                              \
    OPERATION(name, s16, sources, s16, __VA_ARGS__)                                                                              \
    OPERATION(name, u32, sources, u32, __VA_ARGS__)                                                                              \
    OPERATION(name, s32, sources, s32, __VA_ARGS__)                                                                              \
    OPERATION(name, u64, sources, u64, __VA_ARGS__)                                                                              \
    OPERATION(name, s64, sources, s64, __VA_ARGS__)                                                                              \
    static rf_simt_fn *const name[RF_TAGS] = {name##_u16, name##_s16, name##_u32, name##_s32, name##_u64, name##_s64};

EVERY_TYPE(add, 2, (U)a + (U)b)
EVERY_TYPE(sub, 2, (U)a - (U)b)
EVERY_TYPE(mul_lo, 2, (U)a *(U)b)
EVERY_TYPE(mul_hi, 2, (W)a *(W)b >> BITS)
EVERY_TYPE(mad_lo, 3, (U)a *(U)b + (U)c)
EVERY_TYPE(mad_hi, 3, (U)((W)a *(W)b >> BITS) + (U)c)
EVERY_TYPE(sad, 3, (U)c + (a < b ? (U)b - (U)a : (U)a - (U)b))
/* By 0: all bits 1; the least number by -1 wraps. Neither reaches C's division. */
EVERY_TYPE(div, 2, b == 0 ? (U)0 - 1 : SIGNED && b == (T)-1 ? (U)0 - (U)a : (U)(a / b))
EVERY_TYPE(rem, 2, b == 0 ? (U)a : SIGNED && b == (T)-1 ? (U)0 : (U)(a % b))
EVERY_TYPE(absolute, 1, SIGNED &&a < 1 ? (U)0 - (U)a : (U)a)
EVERY_TYPE(neg, 1, (U)0 - (U)a)
EVERY_TYPE(min, 2, a < b ? a : b)
EVERY_TYPE(max, 2, a > b ? a : b)

OPERATION(mul_wide, u16, 2, u32, (W)a *(W)b)
OPERATION(mul_wide, s16, 2, s32, (W)a *(W)b)
OPERATION(mul_wide, u32, 2, u64, (W)a *(W)b)
OPERATION(mul_wide, s32, 2, s64, (W)a *(W)b)
static rf_simt_fn *const mul_wide[RF_TAGS] = {mul_wide_u16, mul_wide_s16, mul_wide_u32, mul_wide_s32, NULL, NULL};

/* The addend is as wide as the product, which wraps. */
OPERATION(mad_wide, u16, 2, u32, (W)a *(W)b + rf_get_u32(x, 2, l))
OPERATION(mad_wide, s16, 2, u32, (uint32_t)((W)a *(W)b) + rf_get_u32(x, 2, l))
OPERATION(mad_wide, u32, 2, u64, (W)a *(W)b + rf_get_u64(x, 2, l))
OPERATION(mad_wide, s32, 2, u64, (uint64_t)((W)a *(W)b) + rf_get_u64(x, 2, l))
static rf_simt_fn *const mad_wide[RF_TAGS] = {mad_wide_u16, mad_wide_s16, mad_wide_u32, mad_wide_s32, NULL, NULL};

static int64_t clamp_s32(int64_t v) { return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v; }

OPERATION(add_sat, s32, 2, s32, clamp_s32((W)a + b))
OPERATION(sub_sat, s32, 2, s32, clamp_s32((W)a - b))
OPERATION(mad_hi_sat, s32, 3, s32, clamp_s32(((W)a * b >> 32) + c))

/* 24-bit factors: the 48-bit product's low 32 bits, or bits 47 .. 16. */
static uint64_t product24_u(uint32_t a, uint32_t b) { return (uint64_t)(a & 0xffffff) * (b & 0xffffff); }
static int64_t product24_s(int32_t a, int32_t b) {
    return (int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8);
}
OPERATION(mul24_lo, u32, 2, u32, product24_u(a, b))
OPERATION(mul24_lo, s32, 2, s32, product24_s(a, b))
OPERATION(mul24_hi, u32, 2, u32, product24_u(a, b) >> 16)
OPERATION(mul24_hi, s32, 2, s32, product24_s(a, b) >> 16)
OPERATION(mad24_lo, u32, 3, u32, (U)product24_u(a, b) + c)
OPERATION(mad24_lo, s32, 3, s32, (U)product24_s(a, b) + (U)c)
OPERATION(mad24_hi, u32, 3, u32, (U)(product24_u(a, b) >> 16) + c)
OPERATION(mad24_hi, s32, 3, s32, (U)(product24_s(a, b) >> 16) + (U)c)
OPERATION(mad24_hi_sat, s32, 3, s32, clamp_s32((product24_s(a, b) >> 16) + c))

/* Sums and differences with a carry or borrow in and out; `sum` has one bit more than T in W. */
#define CARRYING(name, tag, ...)                                                                                                 \
    static void name##_##tag(const rf_kinst *inst, rf_simt_lanes *x) {                                                           \
        typedef RF_C_##tag T;                                                                                                    \
        typedef RF_W_##tag W;                                                                                                    \
        enum { BITS = 8 * sizeof(T) };                                                                                           \
        const uint32_t in = inst->op == RF_K_ADDC || inst->op == RF_K_SUBC || inst->op == RF_K_MADC ? x->carry : 0;              \
        const bool high = inst->part == RF_PART_HI;                                                                              \
        uint32_t carry = 0;                                                                                                      \
        (void)high;                                                                                                              \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const T a = rf_get_##tag(x, 0, l), b = rf_get_##tag(x, 1, l);                                                        \
            const W sum = __VA_ARGS__;                                                                                           \
            rf_put_##tag(x, l, (T)sum);                                                                                          \
            carry |= (uint32_t)(sum >> BITS & 1) << l;                                                                           \
        }                                                                                                                        \
        x->carry = carry;                                                                                                        \
    }

CARRYING(add_carry, u32, (W)a + b + (in >> l & 1))
CARRYING(add_carry, u64, (W)a + b + (in >> l & 1))
CARRYING(sub_carry, u32, (W)a - b - (in >> l & 1))
CARRYING(sub_carry, u64, (W)a - b - (in >> l & 1))
#define UNSIGNED_HALF(T, W) (high ? (T)((W)a * b >> BITS) : (T)(a * b))
CARRYING(mad_carry, u32, (W)UNSIGNED_HALF(T, W) + rf_get_u32(x, 2, l) + (in >> l & 1))
CARRYING(mad_carry, u64, (W)UNSIGNED_HALF(T, W) + rf_get_u64(x, 2, l) + (in >> l & 1))
/* Signed factors differ in the product's high half only. */
#define SIGNED_HALF(T, S, W) (high ? (T)((W)(S)a * (S)b >> BITS) : (T)(a * b))
CARRYING(mad_carry_signed, u32, (W)SIGNED_HALF(T, int32_t, int64_t) + rf_get_u32(x, 2, l) + (in >> l & 1))
CARRYING(mad_carry_signed, u64, (W)SIGNED_HALF(T, int64_t, __int128) + rf_get_u64(x, 2, l) + (in >> l & 1))

static rf_simt_fn *carrying(const rf_kinst *inst, rf_simt_tag tag) {
    const bool wide = tag == RF_TAG_u64 || tag == RF_TAG_s64, is_signed = tag == RF_TAG_s32 || tag == RF_TAG_s64;
    if (tag < RF_TAG_u32 || inst->flags & RF_F_SAT) return NULL;
    switch (inst->op) {
    case RF_K_ADD:
    case RF_K_ADDC:
        return wide ? add_carry_u64 : add_carry_u32;
    case RF_K_SUB:
    case RF_K_SUBC:
        return wide ? sub_carry_u64 : sub_carry_u32;
    case RF_K_MAD:
    case RF_K_MADC:
        if (inst->part == RF_PART_WIDE) return NULL;
        if (is_signed) return wide ? mad_carry_signed_u64 : mad_carry_signed_u32;
        return wide ? mad_carry_u64 : mad_carry_u32;
    default:
        return NULL;
    }
}

static rf_simt_fn *saturating(const rf_kinst *inst, rf_simt_tag tag) {
    if (tag != RF_TAG_s32) return NULL;
    switch (inst->op) {
    case RF_K_ADD:
        return add_sat_s32;
    case RF_K_SUB:
        return sub_sat_s32;
    case RF_K_MAD:
        return inst->part == RF_PART_HI ? mad_hi_sat_s32 : NULL;
    case RF_K_MAD24:
        return inst->part == RF_PART_HI ? mad24_hi_sat_s32 : NULL;
    default:
        return NULL;
    }
}

rf_simt_fn *rf_simt_integer(const rf_kinst *inst) {
    const rf_simt_tag tag = rf_simt_tag_of(inst->type);
    const bool high = inst->part == RF_PART_HI;
    if (tag == RF_TAGS) return NULL;
    if (inst->flags & RF_F_CC || inst->op == RF_K_ADDC || inst->op == RF_K_SUBC || inst->op == RF_K_MADC)
        return carrying(inst, tag);
    if (inst->flags & RF_F_SAT) return saturating(inst, tag);
    switch (inst->op) {
    case RF_K_ADD:
        return add[tag];
    case RF_K_SUB:
        return sub[tag];
    case RF_K_MUL:
        return inst->part == RF_PART_WIDE ? mul_wide[tag] : high ? mul_hi[tag] : mul_lo[tag];
    case RF_K_MAD:
        return inst->part == RF_PART_WIDE ? mad_wide[tag] : high ? mad_hi[tag] : mad_lo[tag];
    case RF_K_MUL24:
        if (tag == RF_TAG_u32) return high ? mul24_hi_u32 : mul24_lo_u32;
        return tag != RF_TAG_s32 ? NULL : high ? mul24_hi_s32 : mul24_lo_s32;
    case RF_K_MAD24:
        if (tag == RF_TAG_u32) return high ? mad24_hi_u32 : mad24_lo_u32;
        return tag != RF_TAG_s32 ? NULL : high ? mad24_hi_s32 : mad24_lo_s32;
    case RF_K_SAD:
        return sad[tag];
    case RF_K_DIV:
        return div[tag];
    case RF_K_REM:
        return rem[tag];
    case RF_K_ABS:
        return absolute[tag];
    case RF_K_NEG:
        return neg[tag];
    case RF_K_MIN:
        return min[tag];
    case RF_K_MAX:
        return max[tag];
    default:
        return NULL;
    }
}
