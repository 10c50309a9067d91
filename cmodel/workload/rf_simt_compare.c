/* SPDX-License-Identifier: Apache-2.0 */
/* SET, SETP and TESTP (PTX ISA, "Comparison and Selection Instructions"). */
#include "cmodel/workload/rf_simt_lanes.h"

/* How a lane's two sources relate; neither of the three: unordered. One bit a lane. */
typedef struct relation {
    uint32_t less, equal, greater;
} relation;

#define RELATE(tag, T, get)                                                                                                      \
    static void relate_##tag(const rf_simt_lanes *x, uint32_t keep, relation *r) {                                               \
        uint32_t less = 0, equal = 0, greater = 0;                                                                               \
        (void)keep;                                                                                                              \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const T a = get(x, 0, l), b = get(x, 1, l);                                                                          \
            less |= (uint32_t)(a < b) << l;                                                                                      \
            equal |= (uint32_t)(a == b) << l;                                                                                    \
            greater |= (uint32_t)(a > b) << l;                                                                                   \
        }                                                                                                                        \
        *r = (relation){less, equal, greater};                                                                                   \
    }
#define GET_FLUSHED(x, i, l) rf_get_f32(x, i, l, keep)
RELATE(u16, uint16_t, rf_get_u16)
RELATE(s16, int16_t, rf_get_s16)
RELATE(u32, uint32_t, rf_get_u32)
RELATE(s32, int32_t, rf_get_s32)
RELATE(u64, uint64_t, rf_get_u64)
RELATE(s64, int64_t, rf_get_s64)
RELATE(f32, float, GET_FLUSHED)
RELATE(f64, double, rf_get_f64)

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

/* The relations that make a comparison true. */
static const uint8_t truths[] = {
    [RF_C_EQ] = EQUAL,
    [RF_C_NE] = LESS | GREATER,
    [RF_C_LT] = LESS,
    [RF_C_LE] = LESS | EQUAL,
    [RF_C_GT] = GREATER,
    [RF_C_GE] = GREATER | EQUAL,
    [RF_C_LO] = LESS,
    [RF_C_LS] = LESS | EQUAL,
    [RF_C_HI] = GREATER,
    [RF_C_HS] = GREATER | EQUAL,
    [RF_C_EQU] = EQUAL | UNORDERED,
    [RF_C_NEU] = LESS | GREATER | UNORDERED,
    [RF_C_LTU] = LESS | UNORDERED,
    [RF_C_LEU] = LESS | EQUAL | UNORDERED,
    [RF_C_GTU] = GREATER | UNORDERED,
    [RF_C_GEU] = GREATER | EQUAL | UNORDERED,
    [RF_C_NUM] = LESS | EQUAL | GREATER,
    [RF_C_NAN] = UNORDERED,
};

static bool names_unsigned(uint8_t cmp) { return cmp >= RF_C_LO && cmp <= RF_C_HS; }

/* Lanes whose comparison is true. */
static uint32_t compare(const rf_kinst *inst, const rf_simt_lanes *x) {
    relation r;
    if (inst->src_type == RF_T_F32) {
        relate_f32(x, rf_keep(inst), &r);
    } else if (inst->src_type == RF_T_F64) {
        relate_f64(x, 0, &r);
    } else {
        static void (*const relate[RF_TAGS])(const rf_simt_lanes *, uint32_t, relation *) = {relate_u16, relate_s16, relate_u32,
                                                                                             relate_s32, relate_u64, relate_s64};
        const uint32_t tag = rf_simt_tag_of(inst->src_type);
        relate[names_unsigned(inst->cmp) ? tag & ~1u : tag](x, 0, &r); /* u16, u32, u64 have even places */
    }
    const uint8_t truth = truths[inst->cmp];
    return (truth & LESS ? r.less : 0) | (truth & EQUAL ? r.equal : 0) | (truth & GREATER ? r.greater : 0) |
           (truth & UNORDERED ? ~(r.less | r.equal | r.greater) : 0);
}

static uint32_t combine(const rf_kinst *inst, uint32_t result, uint32_t with) {
    switch (inst->boolean) {
    case RF_B_AND:
        return result & with;
    case RF_B_OR:
        return result | with;
    case RF_B_XOR:
        return result ^ with;
    default:
        return result;
    }
}

/* The second destination has the comparison, not the combination, negated. */
static void setp(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint32_t result = compare(inst, x);
    x->pred_out[0] = combine(inst, result, x->pred[2]);
    x->pred_out[1] = combine(inst, ~result, x->pred[2]);
}

static void set(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint32_t result = combine(inst, compare(inst, x), x->pred[2]);
    const uint32_t truth = inst->type == RF_T_F32 ? UINT32_C(0x3f800000) : UINT32_MAX;
    for (uint32_t l = 0; l < RF_LANES; l++) rf_put_u32(x, l, result >> l & 1 ? truth : 0);
}

/* Classes by the bits without the sign: `least` is the smallest normal number, `infinite` infinity. Zeros count as normal. */
static bool property(uint8_t mode, uint64_t magnitude, uint64_t least, uint64_t infinite) {
    switch (mode) {
    case RF_M_FINITE:
        return magnitude < infinite;
    case RF_M_INFINITE:
        return magnitude == infinite;
    case RF_M_NUMBER:
        return magnitude <= infinite;
    case RF_M_NOTANUMBER:
        return magnitude > infinite;
    case RF_M_NORMAL:
        return magnitude == 0 || (magnitude >= least && magnitude < infinite);
    default:
        return magnitude > 0 && magnitude < least;
    }
}

static void testp(const rf_kinst *inst, rf_simt_lanes *x) {
    const bool single = inst->src_type == RF_T_F32;
    uint32_t result = 0;
    for (uint32_t l = 0; l < RF_LANES; l++) {
        const bool holds = single ? property(inst->mode, rf_get_u32(x, 0, l) & 0x7fffffff, 0x00800000, 0x7f800000)
                                  : property(inst->mode, rf_get_u64(x, 0, l) & UINT64_C(0x7fffffffffffffff),
                                             UINT64_C(0x0010000000000000), UINT64_C(0x7ff0000000000000));
        result |= (uint32_t)holds << l;
    }
    x->pred_out[0] = result;
}

/* Whether the type compared has this comparison. */
static bool comparable(const rf_kinst *inst) {
    if (inst->src_type == RF_T_F32 || inst->src_type == RF_T_F64) return inst->cmp <= RF_C_NAN && !names_unsigned(inst->cmp);
    return rf_simt_tag_of(inst->src_type) != RF_TAGS && inst->cmp <= RF_C_HS;
}

rf_simt_fn *rf_simt_compare(const rf_kinst *inst) {
    switch (inst->op) {
    case RF_K_SETP:
        return comparable(inst) ? setp : NULL;
    case RF_K_SET:
        if (inst->type != RF_T_U32 && inst->type != RF_T_S32 && inst->type != RF_T_F32) return NULL;
        return comparable(inst) ? set : NULL;
    case RF_K_TESTP:
        if (inst->src_type != RF_T_F32 && inst->src_type != RF_T_F64) return NULL;
        return inst->mode >= RF_M_FINITE && inst->mode <= RF_M_SUBNORMAL ? testp : NULL;
    default:
        return NULL;
    }
}
