/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds an operand stage in the judges' random runs: warps with instructions, execution ports of random latency. */
#ifndef RF_JUDGE_WORLD_H
#define RF_JUDGE_WORLD_H

#include "tb/banked/env/rf_stage_carried.h"
#include "tb/banked/judge/judge_stage.h"

typedef struct flight {
    uint32_t warp, reg, mask, port;
} flight;

/* Begins all 0 but `in`, the seeded generator and `lawful`: no result but those
 * owed, no warp or register out of range. */
typedef struct world {
    ls_rng rng;
    rf_stage_in *in;
    uint64_t fetched; /* by warp: the head is new in this cycle */
    flight owed[1024];
    uint32_t owes, names, p_fetch, p_change, p_ready, p_result, p_source, p_launch;
    flight offer[8]; /* the result that each port shows, if `owed_offer` */
    bool owed_offer[8], lawful, left[16], waited[64];
} world;

static inline void draw_mix(world *x, const rf_banked_cfg *cfg) {
    x->names = ls_rng_chance(&x->rng, 96) ? cfg->regs : 1 + ls_rng_below(&x->rng, cfg->regs < 8 ? cfg->regs : 8);
    x->p_fetch = 16 + ls_rng_below(&x->rng, 241);
    x->p_change = ls_rng_chance(&x->rng, 64) ? 16 : 0;
    x->p_ready = 24 + ls_rng_below(&x->rng, 233);
    x->p_result = 16 + ls_rng_below(&x->rng, 241);
    x->p_source = ls_rng_below(&x->rng, 257);
    x->p_launch = ls_rng_chance(&x->rng, 128) ? 0 : ls_rng_below(&x->rng, 24);
}

static inline uint8_t draw_register(world *x, const rf_banked_cfg *cfg) {
    if (!x->lawful && ls_rng_chance(&x->rng, 8)) return (uint8_t)ls_rng_below(&x->rng, judge_codes(cfg->regs));
    const uint32_t reg = ls_rng_below(&x->rng, x->names);
    return (uint8_t)(ls_rng_chance(&x->rng, 32) ? cfg->regs - 1 - reg : reg);
}

static inline void fetch(world *x, const rf_banked_cfg *cfg, uint32_t w) {
    rf_stage_in *in = x->in;
    const uint64_t bit = UINT64_C(1) << w;
    in->ib_valid |= bit;
    x->fetched |= bit;
    rf_stage_drive_carried(&in->heads, w, (uint16_t)ls_rng_value(&x->rng, 16));
    in->ib_port[w] = (uint8_t)ls_rng_below(&x->rng, cfg->exports);
    in->ib_mask[w] = ls_rng_chance(&x->rng, 96) ? (uint32_t)ls_mask(cfg->lanes) : (uint32_t)ls_rng_value(&x->rng, cfg->lanes);
    in->ib_dst_valid = ls_rng_chance(&x->rng, 192) ? in->ib_dst_valid | bit : in->ib_dst_valid & ~bit;
    in->ib_dst[w] = draw_register(x, cfg);
    in->ib_src_valid[w] = (uint8_t)ls_rng_bits(&x->rng, cfg->slots, x->p_source);
    for (uint32_t k = 0; k < cfg->slots; k++) in->ib_src[w * cfg->slots + k] = draw_register(x, cfg);
}

/* A result that port e owes, at random; one that was refused may give way to another. */
static inline void return_result(world *x, const rf_banked_cfg *cfg, uint32_t e) {
    rf_stage_in *in = x->in;
    if (judge_bit(in->res_valid, e) && !ls_rng_chance(&x->rng, 64)) return;
    if (judge_bit(in->res_valid, e) && x->owed_offer[e]) x->owed[x->owes++] = x->offer[e];
    in->res_valid &= (uint8_t) ~(1u << e);
    x->owed_offer[e] = false;
    if (!ls_rng_chance(&x->rng, x->p_result)) return;
    for (uint32_t tries = 0; tries < 8 && x->owes > 0; tries++) {
        const uint32_t i = ls_rng_below(&x->rng, x->owes);
        if (x->owed[i].port != e) continue;
        x->offer[e] = x->owed[i];
        x->owed[i] = x->owed[--x->owes];
        x->owed_offer[e] = true;
        break;
    }
    if (!x->owed_offer[e]) {
        if (x->lawful) return;
        x->offer[e].warp = ls_rng_below(&x->rng, judge_codes(cfg->warps));
        x->offer[e].reg = draw_register(x, cfg);
        x->offer[e].mask = (uint32_t)ls_rng_value(&x->rng, cfg->lanes);
    }
    in->res_valid |= (uint8_t)(1u << e);
    in->res_warp[e] = (uint8_t)x->offer[e].warp;
    in->res_dst[e] = (uint8_t)x->offer[e].reg;
    in->res_mask[e] = x->offer[e].mask;
    ls_rng_lanes(&x->rng, in->res_data[e].lane, cfg->lanes);
}

static inline void stimulate(world *x, const rf_banked_cfg *cfg) {
    x->fetched = 0;
    for (uint32_t w = 0; w < cfg->warps; w++)
        if (ls_rng_chance(&x->rng, judge_bit(x->in->ib_valid, w) ? x->p_change : x->p_fetch)) fetch(x, cfg, w);
    for (uint32_t e = 0; e < cfg->exports; e++) return_result(x, cfg, e);
    x->in->ex_ready = x->owes > 1000 ? 0 : (uint8_t)ls_rng_bits(&x->rng, cfg->exports, x->p_ready);
    x->in->launch = ls_rng_chance(&x->rng, x->p_launch) ? ls_rng_value(&x->rng, cfg->warps) : 0;
}

/* After a cycle: issued instructions are gone, dispatched ones owe their result, accepted results are gone. */
static inline void take_note(world *x, const rf_banked_cfg *cfg, const slow_cycle *now, const rf_stage_out *out) {
    for (uint32_t g = 0; g < cfg->issues; g++)
        if (now->goes[g] != NONE) x->in->ib_valid &= ~(UINT64_C(1) << now->goes[g]);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if (judge_bit(x->in->ex_ready, e) && now->offered[e] != NONE && judge_bit(out->ex_dst_valid, e))
            x->owed[x->owes++] = (flight){out->ex_warp[e], out->ex_dst[e], out->ex_mask[e], e};
        if (judge_bit(out->res_ready, e)) x->in->res_valid &= (uint8_t) ~(1u << e);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) x->left[c] = now->leaves[c];
    for (uint32_t w = 0; w < cfg->warps; w++)
        x->waited[w] = judge_bit(x->in->ib_valid, w) && (now->raw[w] || now->waw[w]) && !now->war[w];
}

/* A reset: what is owed is forgotten, the heads stay. */
static inline void forget(world *x) {
    x->owes = 0;
    x->in->res_valid = 0;
    memset(x->owed_offer, 0, sizeof x->owed_offer);
    memset(x->left, 0, sizeof x->left);
    memset(x->waited, 0, sizeof x->waited);
}

/* Puts an instruction at the head of warp w: all lanes, destination and slot 0 if below 256. */
static inline void put_head(const rf_banked_cfg *cfg, rf_stage_in *in, uint32_t w, uint32_t port, uint32_t dst, uint32_t src) {
    in->ib_valid |= UINT64_C(1) << w;
    in->ib_mask[w] = (uint32_t)ls_mask(cfg->lanes);
    in->ib_port[w] = (uint8_t)port;
    in->ib_tag[w] = (uint16_t)(100 * w + dst);
    in->ib_dst_valid &= ~(UINT64_C(1) << w);
    in->ib_dst_valid |= (uint64_t)(dst < 256) << w;
    in->ib_dst[w] = (uint8_t)(dst % cfg->regs);
    in->ib_src_valid[w] = src < 256;
    in->ib_src[w * cfg->slots] = (uint8_t)(src % cfg->regs);
}

/* Shows on port e a result for every lane: lane i is value + i. */
static inline void give_result(const rf_banked_cfg *cfg, rf_stage_in *in, uint32_t e, uint32_t w, uint32_t reg, uint32_t value) {
    in->res_valid |= (uint8_t)(1u << e);
    in->res_warp[e] = (uint8_t)w;
    in->res_dst[e] = (uint8_t)reg;
    in->res_mask[e] = (uint32_t)ls_mask(cfg->lanes);
    for (uint32_t lane = 0; lane < cfg->lanes; lane++) in->res_data[e].lane[lane] = value + lane;
}

#endif
