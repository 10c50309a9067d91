/* SPDX-License-Identifier: Apache-2.0 */
/* Issue of rf_wir: which heads must wait, whom the schedulers choose, and what the rename registers take. */
#ifndef RF_WIR_ISSUE_H
#define RF_WIR_ISSUE_H

#include "cmodel/wir/rf_wir_parts.h"

/* Warps whose valid head waits for a result: rf_scoreboard's rule for heads with an active lane. Only valid heads are looked at,
 * which mostly are few; the scoreboard itself looks at all. */
RF_WIR_PART uint64_t rf_wir_pending(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in) {
    const uint32_t slots = cfg->slots;
    uint64_t hazard = 0;
    for (uint64_t left = in->ib_valid; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left), dst = in->ib_dst[w];
        const uint64_t *pending = m->stage.scoreboard.pending_q[w].w, valid = in->ib_src_valid[w];
        const uint8_t *src = &in->ib_src[w * slots];
        uint64_t hit = in->ib_dst_valid >> w & pending[dst >> 6] >> (dst & 63);
        for (uint32_t s = 0; s < slots; s++) hit |= valid >> s & pending[src[s] >> 6] >> (src[s] & 63);
        hazard |= (hit & (uint64_t)(in->ib_mask[w] != 0)) << w;
    }
    return hazard;
}

/* Warps whose valid head writes what a collector has still to read. */
RF_WIR_PART uint64_t rf_wir_unread(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, uint32_t busy) {
    uint64_t hazard = 0;
    for (; busy != 0; busy &= busy - 1) {
        const rf_ocu *u = &m->stage.ocu[rf_lowest(busy)];
        const uint32_t w = u->warp_q;
        uint32_t left = rf_stage_unread(u);
        if (left == 0 || in->ib_mask[w] == 0 || in->ib_dst[w] >= cfg->regs) continue;
        for (; left != 0; left &= left - 1) hazard |= (uint64_t)(u->src_q[rf_lowest(left)] == in->ib_dst[w]) << w;
    }
    return hazard & in->ib_valid & in->ib_dst_valid;
}

/* Warp `warp`, if its valid head must wait for this instruction of it in rename, reuse or pending queue. */
RF_WIR_PART uint64_t rf_wir_overtakes(const rf_wir_in *in, uint32_t warp, uint32_t src_valid, const uint8_t *src, bool load) {
    if ((in->ib_valid >> warp & 1) == 0 || in->ib_mask[warp] == 0) return 0;
    bool hit = load && (in->ib_store >> warp & 1) != 0;
    if ((in->ib_dst_valid >> warp & 1) != 0)
        for (uint32_t left = src_valid; left != 0; left &= left - 1) hit |= src[rf_lowest(left)] == in->ib_dst[warp];
    return (uint64_t)hit << warp;
}

/* Warps whose valid head must wait for an instruction of theirs there. */
RF_WIR_PART uint64_t rf_wir_front_hazards(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_wires *x) {
    const uint32_t slots = cfg->slots;
    uint64_t hazard = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_front_out *f = &x->front[g];
        const rf_pending_queue *q = &m->lane[g].queue;
        if (f->rn_valid) hazard |= rf_wir_overtakes(in, f->rn_warp, f->rn_src_valid, f->rn_src, f->rn_load);
        if (f->ru_valid) hazard |= rf_wir_overtakes(in, f->ru_warp, f->ru_src_valid, f->ru_src, f->ru_load);
        for (uint32_t p = 0, at = q->rd_ptr_q; p < q->level_q; p++) {
            const bool load = q->space_q[at] >= RF_SPACE_SHARED;
            hazard |= rf_wir_overtakes(in, q->warp_q[at], q->src_valid_q[at], &q->src_q[at * slots], load);
            at = at + 1 == cfg->queue ? 0 : at + 1;
        }
    }
    return hazard;
}

/* Warps that release mappings, or will after this cycle. */
RF_WIR_PART uint64_t rf_wir_releasing(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in) {
    uint64_t warps = in->launch | in->exit;
    for (uint32_t g = 0; g < cfg->issues; g++)
        for (uint64_t left = m->lane[g].rename.walking_q; left != 0; left &= left - 1)
            warps |= UINT64_C(1) << (rf_lowest(left) * cfg->issues + g);
    return warps;
}

/* The head of warp w into group g's rename register. */
RF_WIR_PART void rf_wir_take_head(const rf_wir_cfg *cfg, const rf_wir_in *in, uint32_t w, rf_wir_front_in *f) {
    const uint32_t slots = cfg->slots;
    const bool active = in->ib_mask[w] != 0;
    f->issue_valid = 1;
    f->issue_warp = (uint8_t)w;
    f->issue_tag = in->ib_tag[w];
    f->issue_port = in->ib_port[w];
    f->issue_mask = in->ib_mask[w];
    f->issue_dst_valid = active && (in->ib_dst_valid >> w & 1) != 0;
    f->issue_dst = in->ib_dst[w];
    f->issue_src_valid = active ? in->ib_src_valid[w] : 0;
    f->issue_reuse = cfg->reuse != 0 && (in->ib_reuse >> w & 1) != 0;
    f->issue_op = in->ib_op[w];
    for (uint32_t s = 0; s < slots; s++) {
        f->issue_src[s] = in->ib_src[w * slots + s];
        f->issue_imm[s] = in->ib_imm[w * slots + s];
    }
    f->issue_space = in->ib_space[w];
    f->issue_store = active && (in->ib_store >> w & 1) != 0;
    f->issue_store_shared = in->ib_store_shared >> w & 1;
}

/* The schedulers' choice; what they choose issues when its group's rename register takes it. */
RF_WIR_PART void rf_wir_issue(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_out *out) {
    rf_wir_wires *x = &out->wires;
    x->waits = rf_wir_pending(m, cfg, in) | rf_wir_unread(m, cfg, in, x->busy);
    x->overtakes = rf_wir_front_hazards(m, cfg, in, x);
    x->hazard = x->waits | x->overtakes;
    x->ready = in->ib_valid & ~x->hazard;
    if (cfg->reuse != 0) x->ready &= ~rf_wir_releasing(m, cfg, in);
    x->chosen = out->issue_valid = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint64_t ready = rf_wir_of_group(m, cfg, x->ready, g);
        out->issue_warp[g] = 0;
        if (ready == 0) continue;
        x->chosen |= (uint8_t)(1u << g);
        if (!x->front[g].ready) continue;
        const uint32_t w = rf_stage_choose(&m->stage, g, ready) * cfg->issues + g;
        out->issue_valid |= (uint8_t)(1u << g);
        out->issue_warp[g] = (uint8_t)w;
        rf_wir_take_head(cfg, in, w, &x->front_in[g]);
    }
}

#endif
