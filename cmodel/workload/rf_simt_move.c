/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, packing, selection, and addresses between spaces. */
#include "cmodel/workload/rf_simt_lanes.h"

static void copy_word(const rf_kinst *inst, rf_simt_lanes *x) {
    (void)inst;
    memcpy(x->out[0], x->src[0], sizeof x->out[0]);
}

static void copy_pair(const rf_kinst *inst, rf_simt_lanes *x) {
    (void)inst;
    memcpy(x->out[0], x->src[0], sizeof x->out[0]);
    memcpy(x->out[1], x->src[1], sizeof x->out[1]);
}

static void copy_predicate(const rf_kinst *inst, rf_simt_lanes *x) {
    (void)inst;
    x->pred_out[0] = x->pred[0];
}

/* Bits of one of the narrow registers. */
static uint32_t narrow_bits(const rf_kinst *inst) { return rf_ktype_bits(inst->type) / inst->vector; }

static void pack(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint32_t bits = narrow_bits(inst), cut = (uint32_t)((UINT64_C(1) << bits) - 1);
    for (uint32_t l = 0; l < RF_LANES; l++) {
        uint64_t wide = 0;
        for (uint32_t i = 0; i < inst->vector; i++) wide |= (uint64_t)(rf_get_u32(x, i, l) & cut) << (i * bits);
        rf_put_u64(x, l, wide);
    }
}

static void unpack(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint32_t bits = narrow_bits(inst), cut = (uint32_t)((UINT64_C(1) << bits) - 1);
    for (uint32_t i = 0; i < inst->vector; i++)
        for (uint32_t l = 0; l < RF_LANES; l++) x->out[2 * i][l] = (uint32_t)(rf_get_u64(x, 0, l) >> (i * bits)) & cut;
}

static void select_pair(const rf_kinst *inst, rf_simt_lanes *x, uint32_t first) {
    const uint32_t words = rf_ktype_bits(inst->type) == 64 ? 2 : 1;
    for (uint32_t w = 0; w < words; w++)
        for (uint32_t l = 0; l < RF_LANES; l++) x->out[w][l] = first >> l & 1 ? x->src[w][l] : x->src[2 + w][l];
}

static void selp(const rf_kinst *inst, rf_simt_lanes *x) { select_pair(inst, x, x->pred[2]); }

static void slct_s32(const rf_kinst *inst, rf_simt_lanes *x) {
    uint32_t first = 0;
    for (uint32_t l = 0; l < RF_LANES; l++) first |= (uint32_t)(rf_get_s32(x, 2, l) >= 0) << l;
    select_pair(inst, x, first);
}

/* -0 counts as zero, so does a flushed subnormal number; NaN takes the second. */
static void slct_f32(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint32_t keep = rf_keep(inst);
    uint32_t first = 0;
    for (uint32_t l = 0; l < RF_LANES; l++) first |= (uint32_t)(rf_get_f32(x, 2, l, keep) >= 0.0f) << l;
    select_pair(inst, x, first);
}

/* Where a space lies in generic addresses: the shared and local windows; global and constant memory are where they are. */
static uint64_t window(const rf_kinst *inst) {
    const bool narrow = rf_ktype_bits(inst->type) == 32;
    if (inst->space == RF_S_SHARED) return narrow ? RF_SHARED_WINDOW_32 : RF_SHARED_WINDOW;
    if (inst->space == RF_S_LOCAL) return narrow ? RF_LOCAL_WINDOW_32 : RF_LOCAL_WINDOW;
    return 0;
}

static void cvta(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint64_t base = window(inst), add = inst->flags & RF_F_TO ? UINT64_C(0) - base : base;
    for (uint32_t l = 0; l < RF_LANES; l++) rf_put_u64(x, l, rf_get_u64(x, 0, l) + add);
}

static bool moves(uint8_t type) { return type >= RF_T_B16 && type <= RF_T_F64 && type != RF_T_U8 && type != RF_T_S8; }

static bool packs(const rf_kinst *inst) {
    const uint32_t bits = rf_ktype_bits(inst->type);
    return (inst->vector == 2 || inst->vector == 4) && bits % inst->vector == 0 && bits / inst->vector >= 8;
}

static bool has_window(uint8_t space) {
    return space == RF_S_GLOBAL || space == RF_S_SHARED || space == RF_S_LOCAL || space == RF_S_CONST;
}

rf_simt_fn *rf_simt_move(const rf_kinst *inst) {
    const uint32_t bits = rf_ktype_bits(inst->type);
    switch (inst->op) {
    case RF_K_MOV:
        if (inst->type == RF_T_PRED) return copy_predicate;
        return !moves(inst->type) ? NULL : bits == 64 ? copy_pair : copy_word;
    case RF_K_PACK:
        return packs(inst) ? pack : NULL;
    case RF_K_UNPACK:
        return packs(inst) ? unpack : NULL;
    case RF_K_SELP:
        return moves(inst->type) ? selp : NULL;
    case RF_K_SLCT:
        if (!moves(inst->type)) return NULL;
        return inst->src_type == RF_T_S32 ? slct_s32 : inst->src_type == RF_T_F32 ? slct_f32 : NULL;
    case RF_K_CVTA:
        return has_window(inst->space) && (bits == 32 || bits == 64) ? cvta : NULL;
    default:
        return NULL;
    }
}
