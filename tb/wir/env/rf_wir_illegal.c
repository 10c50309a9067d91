/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_wir_illegal.h"

#define EXECUTING RF_WIR_ILLEGAL_EXECUTING

/* Loads from scratchpad stay in the reuse buffer until their block starts. */
static void scratchpad(rf_wir_illegal *l) {
    l->space = RF_SPACE_SHARED;
    l->memory = l->reuse = l->simple = 192;
    l->store = 1;
    l->event[RF_WIR_ILLEGAL_START] = 16;
    l->event[RF_WIR_ILLEGAL_BARRIER] = l->event[RF_WIR_ILLEGAL_FENCE] = 8;
    l->event[RF_WIR_ILLEGAL_FLUSH] = 0;
}

void rf_wir_illegal_init(rf_wir_illegal *l, const rf_stage_cfg *stage, const rf_wir_cfg *cfg, const rf_vec *value,
                         uint32_t values, uint64_t seed) {
    static const uint32_t shares[] = {1, 8, 64, 192}, rates[] = {4, 16, 48, 128, 1024};
    *l = (rf_wir_illegal){.cfg = *cfg, .value = value, .values = values};
    rf_stage_illegal_init(&l->stage, stage, seed);
    ls_rng *rng = &l->stage.rng;
    l->stage.launch = 0; /* one of the events */
    if (ls_rng_chance(rng, 160)) l->stage.range = 1 + ls_rng_below(rng, cfg->regs < 4 ? cfg->regs : 4);
    l->reuse = ls_rng_chance(rng, 192) ? 240 : 64;
    l->memory = shares[ls_rng_below(rng, 4)];
    l->space = ls_rng_below(rng, 4);
    l->store = shares[ls_rng_below(rng, 3)];
    l->simple = shares[ls_rng_below(rng, 4)];
    l->functions = 1 + ls_rng_below(rng, 4);
    l->constants = 1 + ls_rng_below(rng, 4);
    l->astray = shares[ls_rng_below(rng, 3)];
    l->garbled = shares[ls_rng_below(rng, 3)];
    l->twice = shares[ls_rng_below(rng, 2)];
    l->lost = shares[ls_rng_below(rng, 2)];
    l->leak = ls_rng_chance(rng, cfg->pregs > 255 ? 128 : 80) ? 240 : 0; /* of many registers it takes long */
    for (uint32_t k = 0; k < RF_WIR_ILLEGAL_EVENTS; k++) l->event[k] = rates[ls_rng_below(rng, 4)];
    l->event[RF_WIR_ILLEGAL_FLUSH] /= 8; /* one empties the reuse buffer */
    if (ls_rng_chance(rng, 64)) scratchpad(l);
    if (ls_rng_chance(rng, 32)) l->event[ls_rng_below(rng, RF_WIR_ILLEGAL_EVENTS)] = rates[4];
}

/* ---- heads ---- */

static void draw_bit(ls_rng *rng, uint64_t *bits, uint64_t bit, uint32_t p) {
    *bits = ls_rng_chance(rng, p) ? *bits | bit : *bits & ~bit;
}

/* Of `bits` bits: any value seldom, else one below `few`. */
static uint32_t draw_small(ls_rng *rng, uint32_t bits, uint32_t few) {
    return (uint32_t)(ls_rng_chance(rng, 4) ? ls_rng_value(rng, bits) : ls_rng_below(rng, few) & rf_mask64(bits));
}

static void draw_head(rf_wir_illegal *l, uint32_t w, rf_wir_in *in) {
    ls_rng *rng = &l->stage.rng;
    const uint32_t slots = l->cfg.slots, pregs = rf_index_bits(l->cfg.pregs);
    const uint64_t bit = UINT64_C(1) << w;
    const bool memory = ls_rng_chance(rng, l->memory);
    draw_bit(rng, &in->ib_reuse, bit, l->reuse);
    draw_bit(rng, &in->ib_store, bit, memory ? l->store : 0);
    draw_bit(rng, &in->ib_store_shared, bit, 128);
    in->ib_space[w] = RF_SPACE_NONE;
    if (memory) in->ib_space[w] = (uint8_t)(ls_rng_chance(rng, 128) ? l->space : ls_rng_below(rng, 4));
    if (memory && ls_rng_chance(rng, 32)) in->block[w] = (uint8_t)ls_rng_value(rng, rf_index_bits(l->cfg.blocks));
    in->ib_op[w] = (uint8_t)draw_small(rng, 8 - slots, l->functions);
    for (uint32_t i = 0; i < slots; i++)
        in->ib_imm[w * slots + i] = (uint16_t)draw_small(rng, pregs, ls_rng_chance(rng, 128) ? l->constants : 1);
    if (ls_rng_chance(rng, 4)) in->ib_dst[w] = (uint8_t)ls_rng_value(rng, rf_index_bits(l->cfg.regs));
    if (ls_rng_chance(rng, 4)) in->ib_src[w * slots] = (uint8_t)ls_rng_value(rng, rf_index_bits(l->cfg.regs));
    if (!ls_rng_chance(rng, l->simple)) return;
    in->ib_dst_valid |= bit;
    in->ib_src_valid[w] &= (uint8_t)(1u << ls_rng_below(rng, slots));
}

/* ---- results ---- */

/* A bit of ex_info, any of them, or what is written in place. */
static void garble(rf_wir_illegal *l, uint32_t e, rf_wir_in *in) {
    ls_rng *rng = &l->stage.rng;
    const uint32_t info = rf_wir_info_bits(&l->cfg), kind = ls_rng_below(rng, 4);
    in->res_info[e] ^= kind < 2 ? UINT64_C(1) << ls_rng_below(rng, info) : ls_rng_value(rng, info);
    if (kind == 3) in->res_info[e] |= (ls_rng_value(rng, rf_index_bits(l->cfg.pregs)) << 2) | 3;
    if (kind == 3) in->res_mask[e] &= (uint32_t)ls_rng_u64(rng);
}

static void draw_result(rf_wir_illegal *l, uint32_t e, rf_wir_in *in) {
    ls_rng *rng = &l->stage.rng;
    const uint32_t info = rf_wir_info_bits(&l->cfg);
    const bool leaks = ls_rng_chance(rng, l->leak);
    const rf_wir_illegal_result *r = l->count != 0 ? &l->executing[ls_rng_below(rng, l->count)] : NULL;
    if (!leaks && ls_rng_chance(rng, 192)) in->res_data[e] = l->value[ls_rng_below(rng, l->values)];
    in->res_info[e] = r == NULL || ls_rng_chance(rng, 128) ? ls_rng_value(rng, info) : r->info;
    if (r != NULL && !ls_rng_chance(rng, l->astray)) {
        in->res_warp[e] = r->warp;
        in->res_dst[e] = r->dst;
        if (ls_rng_chance(rng, 224)) in->res_mask[e] = r->mask;
        in->res_info[e] = r->info;
        if (ls_rng_chance(rng, l->garbled)) garble(l, e, in);
    }
    if (ls_rng_chance(rng, l->cfg.lanes == 1 ? 64 : 8)) in->res_mask[e] = 0; /* one lane has no other partial results */
    if (ls_rng_chance(rng, 12)) in->res_warp[e] = (uint8_t)ls_rng_value(rng, rf_index_bits(l->cfg.warps));
    if (ls_rng_chance(rng, 4)) in->res_dst[e] = (uint8_t)ls_rng_value(rng, rf_index_bits(l->cfg.regs));
    if (leaks) in->res_info[e] &= ~UINT64_C(3);
    if (l->cfg.reuse == 0) in->res_info[e] = ls_rng_value(rng, info); /* counts for nothing */
}

static void forget(rf_wir_illegal *l, uint32_t warp, uint32_t dst) {
    for (uint32_t k = 0; k < l->count; k++) {
        if (l->executing[k].warp != warp || l->executing[k].dst != dst) continue;
        l->executing[k] = l->executing[--l->count];
        return;
    }
}

/* ---- what happens ---- */

static bool happens(rf_wir_illegal *l, uint32_t kind) { return ls_rng_below(&l->stage.rng, 4096) < l->event[kind]; }

/* One of `n`, or any of them. */
static uint64_t some(rf_wir_illegal *l, uint32_t kind, uint32_t n) {
    if (!happens(l, kind)) return 0;
    return ls_rng_chance(&l->stage.rng, 192) ? UINT64_C(1) << ls_rng_below(&l->stage.rng, n) : ls_rng_value(&l->stage.rng, n);
}

static void draw_events(rf_wir_illegal *l, rf_wir_in *in) {
    const rf_wir_cfg *cfg = &l->cfg;
    in->launch = some(l, RF_WIR_ILLEGAL_LAUNCH, cfg->warps);
    in->exit = some(l, RF_WIR_ILLEGAL_EXIT, cfg->warps);
    in->start = (uint16_t)some(l, RF_WIR_ILLEGAL_START, cfg->blocks);
    in->flush = happens(l, RF_WIR_ILLEGAL_FLUSH);
    in->bar = (uint16_t)some(l, RF_WIR_ILLEGAL_BARRIER, cfg->blocks);
    in->fence = some(l, RF_WIR_ILLEGAL_FENCE, cfg->warps);
    const uint64_t moved = some(l, RF_WIR_ILLEGAL_BLOCK, cfg->warps);
    for (uint64_t left = moved; left != 0; left &= left - 1)
        in->block[rf_lowest(left)] = (uint8_t)ls_rng_value(&l->stage.rng, rf_index_bits(cfg->blocks));
    if (happens(l, RF_WIR_ILLEGAL_LIMIT)) in->limit = (uint16_t)ls_rng_value(&l->stage.rng, rf_index_bits(cfg->pregs + 1));
}

/* ---- a cycle ---- */

void rf_wir_illegal_inputs(rf_wir_illegal *l, rf_wir_in *in) {
    rf_stage_illegal_inputs(&l->stage, &in->stage);
    for (uint64_t left = l->stage.fresh; left != 0; left &= left - 1) draw_head(l, rf_lowest(left), in);
    for (uint32_t left = l->stage.drawn; left != 0; left &= left - 1) draw_result(l, rf_lowest(left), in);
    draw_events(l, in);
}

void rf_wir_illegal_observe(rf_wir_illegal *l, const rf_wir_in *in, const rf_wir_out *out) {
    ls_rng *rng = &l->stage.rng;
    if (l->stage.from == UINT64_MAX) return;
    rf_stage_illegal_observe(&l->stage, &in->stage, &out->stage);
    for (uint32_t left = in->res_valid & out->res_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        if (!l->stage.on || !ls_rng_chance(rng, l->twice)) forget(l, in->res_warp[e], in->res_dst[e]);
    }
    for (uint32_t left = out->ex_valid & in->ex_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        const bool none = (out->ex_dst_valid >> e & 1) == 0;
        if (l->stage.on ? ls_rng_chance(rng, none ? 256 - l->twice : l->lost) : none) continue;
        const uint32_t k = l->count < EXECUTING ? l->count++ : ls_rng_below(rng, EXECUTING);
        l->executing[k] = (rf_wir_illegal_result){out->ex_warp[e], out->ex_dst[e], out->ex_mask[e], out->ex_info[e]};
    }
}
