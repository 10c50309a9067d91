/* SPDX-License-Identifier: Apache-2.0 */
/* Issue in rf_wir's cycle: which heads must wait, whom the schedulers choose, and what the rename registers take. */
#ifndef RF_WIR_READY_H
#define RF_WIR_READY_H

#include "cmodel/wir/rf_wir_parts.h"

/* Warps whose valid head writes what a collector has still to read. */
RF_WIR_PART uint64_t rf_wir_unread(const rf_wir *m, const rf_wir_buffers *ib, uint32_t busy) {
    uint64_t hazard = 0;
    for (; busy != 0; busy &= busy - 1) {
        const rf_ocu *u = &m->collect.ocu[rf_lowest(busy)];
        hazard |= rf_wir_unread_by(ib, &m->issue.scoreboard, u->carried_q.warp, rf_ocu_unread(u), u->src_q);
    }
    return hazard;
}

/* Warps whose valid head must wait for an instruction of theirs in rename, reuse or pending queue. */
RF_WIR_PART uint64_t rf_wir_front_hazards(const rf_wir *m, const rf_wir_buffers *ib, const rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    uint64_t hazard = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_front_out *f = &x->front[g];
        const rf_pending_queue *q = &m->lane[g].queue;
        if (f->rn_valid) hazard |= rf_wir_overtakes(ib, &f->rn);
        if (f->ru_valid) hazard |= rf_wir_overtakes(ib, &f->ru);
        for (uint32_t p = 0; p < q->level_q; p++) {
            const rf_wir_reads reads = rf_pending_queue_at(q, p);
            hazard |= rf_wir_overtakes(ib, &reads);
        }
    }
    return hazard;
}

/* Warps that release mappings, or will after this cycle. */
RF_WIR_PART uint64_t rf_wir_releasing(const rf_wir *m, const rf_wir_in *in) {
    const rf_wir_cfg *cfg = &m->cfg;
    uint64_t warps = in->launch | in->exit;
    for (uint32_t g = 0; g < cfg->issues; g++) warps |= rf_wir_to_warps(cfg->issues, m->lane[g].rename.walking_q, g);
    return warps;
}

/* The schedulers' choice; what they choose issues when its group's rename register takes it. */
RF_WIR_PART void rf_wir_ready(const rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_issue_cfg *of = &m->issue.cfg;
    const rf_wir_buffers ib = RF_WIR_BUFFERS(in);
    rf_wir_wires *x = &out->wires;
    x->waits = rf_wir_pending(&m->issue.scoreboard, &ib) | rf_wir_unread(m, &ib, x->busy);
    x->overtakes = rf_wir_front_hazards(m, &ib, x);
    x->hazard = x->waits | x->overtakes;
    x->ready = in->ib_valid & ~x->hazard;
    if (cfg->reuse != 0) x->ready &= ~rf_wir_releasing(m, in);
    x->chosen = out->issue_valid = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint64_t ready = rf_stage_every(x->ready, cfg->warps, cfg->issues, g);
        rf_wir_front_in *f = &x->front_in[g];
        out->issue_warp[g] = 0;
        if (ready == 0) continue;
        x->chosen |= (uint8_t)(1u << g);
        if (!x->front[g].ready) continue;
        rf_wir_take_head(&ib, cfg->slots, rf_wir_choose(&m->issue, of, g, ready), &f->issue);
        f->issue_valid = 1;
        if (cfg->reuse == 0) f->issue.reuse = 0;
        out->issue_valid |= (uint8_t)(1u << g);
        out->issue_warp[g] = f->issue.warp;
    }
}

#endif
