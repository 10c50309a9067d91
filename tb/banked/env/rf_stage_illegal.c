/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_illegal.h"

#include <string.h>

#include "tb/banked/env/rf_stage_carried.h"

#define RECENT RF_STAGE_ILLEGAL_RECENT

void rf_stage_illegal_init(rf_stage_illegal *l, const rf_stage_cfg *cfg, uint64_t seed) {
    static const uint32_t shares[] = {4, 32, 128, 256}, astray[] = {4, 32};
    memset(l, 0, sizeof *l);
    ls_rng_seed(&l->rng, ls_seed_derive(seed, "illegal"));
    const uint32_t kind = ls_rng_below(&l->rng, 8);
    l->from = kind == 0 ? 0 : kind < 4 ? UINT64_C(16) << ls_rng_below(&l->rng, 10) : UINT64_MAX;
    l->cfg = *cfg;
    l->show = shares[1 + ls_rng_below(&l->rng, 3)];
    l->change = ls_rng_chance(&l->rng, 128) ? 0 : shares[ls_rng_below(&l->rng, 2)];
    l->partial = shares[ls_rng_below(&l->rng, 4)];
    l->outside = ls_rng_chance(&l->rng, 128) ? 1 : 16;
    l->astray = astray[ls_rng_below(&l->rng, 2)];
    l->accept = shares[1 + ls_rng_below(&l->rng, 3)];
    l->offer = shares[1 + ls_rng_below(&l->rng, 3)];
    l->launch = shares[ls_rng_below(&l->rng, 3)];
    l->range = 1 + ls_rng_below(&l->rng, cfg->regs);
}

bool rf_stage_illegal_now(rf_stage_illegal *l) {
    l->on = l->cycle++ >= l->from;
    return l->on;
}

/* One of `n`, or seldom any value of the port. */
static uint8_t draw_index(rf_stage_illegal *l, uint32_t n) {
    if (ls_rng_below(&l->rng, 1024) < l->outside) return (uint8_t)ls_rng_value(&l->rng, rf_index_bits(n));
    return (uint8_t)ls_rng_below(&l->rng, n);
}

static uint8_t draw_register(rf_stage_illegal *l) {
    return ls_rng_chance(&l->rng, 16) ? draw_index(l, l->cfg.regs) : (uint8_t)ls_rng_below(&l->rng, l->range);
}

/* All lanes, or any of them: none, too. */
static uint32_t draw_mask(rf_stage_illegal *l) {
    const uint32_t lanes = l->cfg.lanes;
    return (uint32_t)(ls_rng_chance(&l->rng, l->partial) ? ls_rng_value(&l->rng, lanes) : rf_mask64(lanes));
}

static void draw_head(rf_stage_illegal *l, uint32_t w, rf_stage_in *in) {
    const uint64_t bit = UINT64_C(1) << w;
    const uint32_t slots = l->cfg.slots;
    rf_stage_drive_carried(&in->heads, w, (uint16_t)ls_rng_value(&l->rng, 16));
    const uint32_t beyond = (1u << rf_index_bits(l->cfg.exports)) - l->cfg.exports;
    in->ib_port[w] = (uint8_t)ls_rng_below(&l->rng, l->cfg.exports);
    if (beyond != 0 && ls_rng_chance(&l->rng, l->astray))
        in->ib_port[w] = (uint8_t)(l->cfg.exports + ls_rng_below(&l->rng, beyond));
    in->ib_mask[w] = draw_mask(l);
    in->ib_dst_valid = ls_rng_chance(&l->rng, 128) ? in->ib_dst_valid | bit : in->ib_dst_valid & ~bit;
    in->ib_dst[w] = draw_register(l);
    in->ib_src_valid[w] = (uint8_t)ls_rng_value(&l->rng, slots);
    for (uint32_t s = 0; s < slots; s++)
        in->ib_src[w * slots + s] = l->apart ? (uint8_t)ls_rng_below(&l->rng, l->range) : draw_register(l);
}

static void draw_result(rf_stage_illegal *l, uint32_t e, rf_stage_in *in) {
    const uint32_t k = ls_rng_below(&l->rng, RECENT);
    const bool any = k >= l->recent || ls_rng_chance(&l->rng, 32);
    in->res_warp[e] = any ? draw_index(l, l->cfg.warps) : l->warp[k];
    in->res_dst[e] = any ? draw_register(l) : l->dst[k];
    in->res_mask[e] = draw_mask(l);
    ls_rng_lanes(&l->rng, in->res_data[e].lane, l->cfg.lanes);
}

void rf_stage_illegal_inputs(rf_stage_illegal *l, rf_stage_in *in) {
    const uint32_t exports = l->cfg.exports;
    const uint64_t warps = rf_mask64(l->cfg.warps);
    const uint64_t gone = l->cycle == l->from + 1 ? warps : ls_rng_bits(&l->rng, l->cfg.warps, l->change) | l->issued;
    l->fresh = ls_rng_bits(&l->rng, l->cfg.warps, l->show) & (gone | ~in->ib_valid) & warps;
    for (uint64_t left = l->fresh; left != 0; left &= left - 1) draw_head(l, rf_lowest(left), in);
    in->ib_valid = (in->ib_valid & ~gone) | l->fresh;
    in->launch = ls_rng_chance(&l->rng, l->launch) ? ls_rng_value(&l->rng, l->cfg.warps) : 0;
    in->ex_ready = (uint8_t)ls_rng_bits(&l->rng, exports, l->accept);
    /* What is refused stays, or is given up; what is taken may be offered again. */
    const uint32_t again = (uint32_t)ls_rng_bits(&l->rng, exports, 16), offer = (uint32_t)ls_rng_bits(&l->rng, exports, l->offer);
    const uint32_t stays = again ^ (in->res_valid & ~(uint32_t)l->given);
    l->drawn = (uint8_t)(offer & ~stays);
    for (uint32_t left = l->drawn; left != 0; left &= left - 1) draw_result(l, rf_lowest(left), in);
    in->res_valid = (uint8_t)(stays | offer);
}

void rf_stage_illegal_observe(rf_stage_illegal *l, const rf_stage_in *in, const rf_stage_out *out) {
    l->given = in->res_valid & out->res_ready;
    l->issued = 0;
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t w = out->issue_warp[rf_lowest(left)];
        l->issued |= UINT64_C(1) << w;
        if ((in->ib_dst_valid >> w & 1) == 0) continue;
        const uint32_t k = l->recent < RECENT ? l->recent++ : ls_rng_below(&l->rng, RECENT);
        l->warp[k] = (uint8_t)w;
        l->dst[k] = in->ib_dst[w];
    }
}

uint32_t rf_stage_illegal_touched(ls_touch *list, uint32_t n, uint32_t rows) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (list[i].row < rows) list[kept++] = list[i];
    return kept;
}

#define BIN_NUMBER(name, text) name,
enum { RF_STAGE_ILLEGAL_BINS(BIN_NUMBER) };

uint64_t rf_stage_illegal_bins(const rf_scoreboard *board, uint32_t exports, const rf_stage_in *in, const rf_stage_out *out) {
    uint64_t hit = 0, issued = 0;
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t w = out->issue_warp[rf_lowest(left)];
        issued |= UINT64_C(1) << w;
        hit |= (uint64_t)(in->ib_port[w] >= exports) << NO_PORT;
    }
    for (uint32_t left = in->res_valid & out->res_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), w = in->res_warp[e], reg = in->res_dst[e];
        const bool pending = w >= board->cfg.warps || (board->pending_q[w].w[reg >> 6] >> (reg & 63) & 1) != 0;
        hit |= (uint64_t)!pending << NOT_WAITED_FOR;
        hit |= (uint64_t)(in->res_mask[e] == 0) << NO_LANE;
    }
    for (uint64_t left = in->launch & ~issued; left != 0; left &= left - 1)
        for (uint32_t k = 0; k < RF_REGS_MAX / 64; k++)
            hit |= (uint64_t)(board->pending_q[rf_lowest(left)].w[k] != 0) << LAUNCH_PENDING;
    return hit;
}
