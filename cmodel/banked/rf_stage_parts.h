/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of what every operand stage shares, on the units' own registers: private to the system models. A system's cycle has
 * three parts: its control decides (every wire but the 1024-bit ones), rf_stage_deliver copies operands to the execution ports,
 * its edge moves the state. Lane data is copied only where a register takes it: crossbars, collectors and banks are worked here
 * with the units' rules, instead of through 16 KB of port structs. */
#ifndef RF_STAGE_PARTS_H
#define RF_STAGE_PARTS_H

#include "cmodel/banked/rf_banked.h"

#include <string.h>

/* ---- registers ---- */

static inline uint32_t rf_stage_rows_per_warp(const rf_banked_cfg *cfg) { return rf_map_rows_per_warp(cfg->regs, cfg->banks); }

/* Row of a register, cut to the width that the RTL has for rows (only registers or warps out of range are affected). */
static inline uint16_t rf_stage_row(const rf_banked_cfg *cfg, uint32_t warp, uint32_t reg) {
    const uint32_t per_warp = rf_stage_rows_per_warp(cfg);
    const uint32_t rows = cfg->warps * per_warp;
    const uint32_t row = rf_map_row(warp, reg, cfg->banks, per_warp);
    return (uint16_t)(row < rows ? row : row & (uint32_t)rf_mask64(rf_index_bits(rows)));
}

/* ---- control ---- */

/* Sources that have not been granted. */
static inline uint32_t rf_stage_unread(const rf_ocu *u) { return (uint32_t)(u->src_valid_q & ~(u->fill_q | u->ready_q)); }

/* Slots that ask for their bank: of unread slots that name one register, the lowest. */
static inline uint32_t rf_stage_asks(const rf_ocu *u, uint32_t open) {
    uint32_t asking = open;
    for (uint32_t left = open & (open - 1); left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left);
        for (uint32_t low = open & ((1u << s) - 1); low != 0; low &= low - 1)
            if (u->src_q[rf_lowest(low)] == u->src_q[s]) asking &= ~(1u << s);
    }
    return asking;
}

/* Warps whose head has an active lane; others touch no register. */
static inline uint64_t rf_stage_active(const rf_banked *m, const rf_stage_in *in) {
    uint64_t warps = 0;
    for (uint64_t w = 0; w < m->cfg.warps; w++) warps |= (uint64_t)(in->ib_mask[w] != 0) << w;
    return warps;
}

/* Warps whose valid head instruction must wait. */
static inline uint64_t rf_stage_hazards(const rf_banked *m, const rf_stage_in *in) {
    uint64_t hazard = rf_scoreboard_pending(&m->scoreboard, in->ib_dst_valid, in->ib_dst, in->ib_src_valid, in->ib_src);
    hazard &= in->ib_valid & rf_stage_active(m, in);
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        const uint32_t w = u->warp_q;
        if (in->ib_mask[w] == 0 || in->ib_dst[w] >= m->cfg.regs) continue;
        for (uint32_t left = rf_stage_unread(u); left != 0; left &= left - 1)
            hazard |= (in->ib_valid & in->ib_dst_valid & (uint64_t)(u->src_q[rf_lowest(left)] == in->ib_dst[w]) << w);
    }
    return hazard;
}

/* Every `issues`th of the `count` bits of `warps`, from bit g on, packed. */
static inline uint64_t rf_stage_every(uint64_t warps, uint32_t count, uint32_t issues, uint32_t g) {
    if (issues == 1) return warps;
    uint64_t bits = 0;
    for (uint32_t i = 0, w = g; w < count; i++, w += issues) bits |= (warps >> w & 1) << i;
    return bits;
}

/* The bits of `warps` that belong to issue group g, packed. */
static inline uint64_t rf_stage_group(const rf_banked_cfg *cfg, uint64_t warps, uint32_t g) {
    return rf_stage_every(warps, cfg->warps, cfg->issues, g);
}

/* The warp that a group's scheduler chooses among `ready` (not 0), counted in the group: the scheduler that SCHED names. */
static inline uint32_t rf_stage_pick(uint32_t sched, const rf_sched_gto *gto, const rf_sched_lrr *lrr,
                                     const rf_sched_groups *groups, uint64_t ready) {
    if (sched == 0) return rf_sched_gto_choose(gto, ready);
    if (sched == 1) return rf_sched_lrr_choose(lrr, ready);
    return rf_sched_groups_choose(groups, ready);
}

/* The warp of group g, counted in the group, that its scheduler chooses among `ready` (of the group, not 0). */
static inline uint32_t rf_stage_choose(const rf_banked *m, uint32_t g, uint64_t ready) {
    return rf_stage_pick(m->cfg.sched, &m->gto[g], &m->lrr[g], &m->groups[g], ready);
}

/* What the collectors say: who is busy, who has collected everything, for which port, and the readers' requests. */
static inline void rf_stage_collectors(const rf_banked *m, uint16_t *busy, uint16_t *collected, uint8_t *port, uint64_t *rd_valid,
                                       uint8_t *rd_bank, uint16_t *rd_row) {
    const uint32_t slots = m->cfg.slots;
    uint32_t in_use = 0, complete = 0;
    uint64_t asks = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        const uint32_t open = rf_stage_unread(u);
        port[c] = u->port_q;
        in_use |= (uint32_t)u->busy_q << c;
        complete |= (uint32_t)(u->busy_q && (u->src_valid_q & ~u->ready_q) == 0) << c;
        if (open == 0) continue;
        const uint32_t base = c * slots;
        asks |= (uint64_t)rf_stage_asks(u, open) << base;
        for (uint32_t s = 0; s < slots; s++) {
            rd_bank[base + s] = u->bank_q[s];
            rd_row[base + s] = u->row_q[s];
        }
    }
    *busy = (uint16_t)in_use;
    *collected = (uint16_t)complete;
    *rd_valid = asks;
}

/* What the write-back queues say: their heads' requests, and who accepts a result. */
static inline void rf_stage_queues(const rf_banked *m, uint8_t *wr_valid, uint8_t *wr_bank, uint16_t *wr_row,
                                   uint8_t *res_ready) {
    uint32_t asks = 0, room = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->wbq[e];
        const uint32_t head = q->ctrl.rd_ptr_q;
        asks |= (uint32_t)(q->ctrl.level_q != 0) << e;
        wr_bank[e] = q->bank_q[head];
        wr_row[e] = q->row_q[head];
        room |= (uint32_t)(q->ctrl.level_q < m->cfg.wbdepth) << e;
    }
    *wr_valid = (uint8_t)asks;
    *res_ready = (uint8_t)room;
}

/* Complete collectors to execution ports: everything but the operands. */
static inline void rf_stage_offer(const rf_dispatch *m, const rf_ocu *ocu, uint32_t exports, const rf_dispatch_in *in,
                                  rf_dispatch_out *dispatch, rf_stage_out *out) {
    rf_dispatch_comb(m, in, dispatch);
    out->ex_valid = dispatch->ex_valid;
    out->ex_dst_valid = 0;
    for (uint32_t e = 0; e < exports; e++) {
        const rf_ocu *u = &ocu[dispatch->ex_sel[e]];
        const bool valid = (out->ex_valid >> e & 1) != 0;
        out->ex_warp[e] = valid ? u->warp_q : 0;
        out->ex_tag[e] = valid ? u->tag_q : 0;
        out->ex_mask[e] = valid ? u->mask_q : 0;
        out->ex_dst_valid |= (uint8_t)((valid && u->dst_valid_q) << e);
        out->ex_dst[e] = valid ? u->dst_q : 0;
    }
}

/* The operands of what is offered, element port * slots + slot. */
static inline void rf_stage_deliver(const rf_ocu *ocu, uint32_t exports, uint32_t slots, const rf_dispatch_out *dispatch,
                                    rf_vec *ex_data) {
    for (uint32_t e = 0; e < exports; e++) {
        rf_vec *data = &ex_data[e * slots];
        if ((dispatch->ex_valid >> e & 1) != 0) memcpy(data, ocu[dispatch->ex_sel[e]].data_q, slots * sizeof *data);
        else memset(data, 0, slots * sizeof *data);
    }
}

/* ---- edge ---- */

/* The crossbar fills collectors from the banks' old read data: before anything reads. */
static inline void rf_stage_fill(rf_banked *m) {
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        rf_ocu *u = &m->ocu[c];
        for (uint32_t left = u->fill_q; left != 0; left &= left - 1) {
            const uint32_t s = rf_lowest(left);
            u->data_q[s] = m->bank[u->bank_q[s]].rdata_q;
        }
    }
}

/* The banks in `bank_re` read: before anything writes (with two ports a read returns the old row). */
static inline void rf_stage_read(rf_bank *banks, uint32_t bank_re, const uint16_t *bank_raddr) {
    for (uint32_t left = bank_re; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), row = bank_raddr[b];
        rf_bank *bank = &banks[b];
        if (row < bank->cfg.rows) bank->rdata_q = bank->mem_q[row];
        else memset(&bank->rdata_q, 0, sizeof bank->rdata_q);
    }
}

/* A bank writes the lanes in `mask`. */
static inline void rf_stage_write(rf_bank *bank, uint32_t row, uint32_t mask, const rf_vec *data) {
    if (row >= bank->cfg.rows) return;
    uint32_t *to = bank->mem_q[row].lane;
    const uint32_t *from = data->lane;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        const uint32_t keep = (mask >> l & 1) - 1;
        to[l] = (from[l] & ~keep) | (to[l] & keep);
    }
}

/* With rf_arbiter: the banks that were granted read, then write the heads of the queues that were granted. */
static inline void rf_stage_move_rows(rf_banked *m, const rf_arbiter_out *arbiter) {
    rf_stage_read(m->bank, arbiter->bank_re, arbiter->bank_raddr);
    for (uint32_t left = arbiter->wr_grant; left != 0; left &= left - 1) {
        const rf_wbq *q = &m->wbq[rf_lowest(left)];
        const uint32_t head = q->ctrl.rd_ptr_q;
        rf_stage_write(&m->bank[q->bank_q[head]], q->row_q[head], q->mask_q[head], &q->data_q[head]);
    }
}

/* The pointers of the banks' round-robin arbiters that granted; what was granted is known, so nothing is picked again. */
static inline void rf_stage_clock_arbiter(rf_banked *m, const rf_arbiter_in *ask, const rf_arbiter_out *arbiter) {
    const rf_arbiter_cfg *cfg = &m->arbiter.cfg;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const uint32_t base = c * cfg->slots;
        for (uint64_t left = arbiter->rd_grant >> base & rf_mask64(cfg->slots); left != 0; left &= left - 1)
            m->arbiter.rd_rr[ask->rd_bank[base + rf_lowest(left)]].mask_q = rf_rr_next(UINT64_C(1) << c, cfg->collectors);
    }
    for (uint32_t left = arbiter->wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        m->arbiter.wr_rr[ask->wr_bank[e]].mask_q = rf_rr_next(UINT64_C(1) << e, cfg->writers);
    }
}

/* Issues set pending registers, the writes in `wr_grant` clear them. */
static inline void rf_stage_clock_scoreboard(rf_banked *m, const rf_stage_in *in, const rf_stage_out *out, uint8_t wr_grant) {
    rf_scoreboard_in edge;
    edge.set = 0;
    edge.clr = wr_grant;
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left), w = out->issue_warp[g];
        edge.set |= (uint8_t)(((in->ib_dst_valid >> w & 1) != 0 && in->ib_mask[w] != 0) << g);
        edge.set_warp[g] = (uint8_t)w;
        edge.set_reg[g] = in->ib_dst[w];
    }
    for (uint32_t left = edge.clr; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        edge.clr_warp[e] = m->wbq[e].warp_q[m->wbq[e].ctrl.rd_ptr_q];
        edge.clr_reg[e] = m->wbq[e].reg_q[m->wbq[e].ctrl.rd_ptr_q];
    }
    if ((edge.set | edge.clr) != 0) rf_scoreboard_clock(&m->scoreboard, &edge);
}

/* The scheduler of a group that SCHED names; `take`: its own choice issues. */
static inline void rf_stage_clock_scheduler(uint32_t sched, rf_sched_gto *gto, rf_sched_lrr *lrr, rf_sched_groups *groups,
                                            uint64_t ready, uint64_t launch, uint8_t take) {
    if (sched == 0) {
        const rf_sched_gto_in edge = {ready, launch, take};
        rf_sched_gto_clock(gto, &edge);
    } else if (sched == 1) {
        const rf_sched_lrr_in edge = {ready, launch, take};
        rf_sched_lrr_clock(lrr, &edge);
    } else {
        const rf_sched_groups_in edge = {ready, launch, take};
        rf_sched_groups_clock(groups, &edge);
    }
}

/* The schedulers; `taken`: groups whose own choice issues. */
static inline void rf_stage_clock_schedulers(rf_banked *m, const rf_stage_in *in, uint64_t ready, uint32_t taken) {
    const rf_banked_cfg *cfg = &m->cfg;
    if (in->launch == 0 && taken == 0) return;
    for (uint32_t g = 0; g < cfg->issues; g++)
        rf_stage_clock_scheduler(cfg->sched, &m->gto[g], &m->lrr[g], &m->groups[g], rf_stage_group(cfg, ready, g),
                                 rf_stage_group(cfg, in->launch, g), taken >> g & 1);
}

/* A collector takes the head of warp w; `ahead`: slots that their bank is reading in this cycle. */
static inline void rf_stage_load(const rf_banked_cfg *cfg, const rf_stage_in *in, uint32_t w, uint32_t ahead, rf_ocu *u) {
    const bool active = in->ib_mask[w] != 0;
    u->busy_q = 1;
    u->warp_q = (uint8_t)w;
    u->tag_q = in->ib_tag[w];
    u->port_q = in->ib_port[w];
    u->mask_q = in->ib_mask[w];
    u->dst_valid_q = active && (in->ib_dst_valid >> w & 1) != 0;
    u->dst_q = in->ib_dst[w];
    u->src_valid_q = active ? in->ib_src_valid[w] : 0;
    u->fill_q = (uint8_t)(ahead & u->src_valid_q);
    for (uint32_t s = 0; s < cfg->slots; s++) {
        const uint8_t reg = in->ib_src[w * cfg->slots + s];
        u->src_q[s] = reg;
        u->bank_q[s] = (uint8_t)rf_map_bank(w, reg, cfg->banks);
        u->row_q[s] = rf_stage_row(cfg, w, reg);
    }
}

/* A collector: slots that are granted, and dispatch. */
static inline void rf_stage_move_collector(rf_ocu *u, uint32_t granted, bool dispatched) {
    uint32_t fill = granted;
    if (granted != 0) {
        for (uint32_t left = rf_stage_unread(u) & ~granted; left != 0; left &= left - 1) {
            const uint32_t s = rf_lowest(left);
            for (uint32_t low = granted & ((1u << s) - 1); low != 0; low &= low - 1)
                if (u->src_q[rf_lowest(low)] == u->src_q[s]) fill |= 1u << s;
        }
    }
    u->ready_q |= u->fill_q;
    u->fill_q = (uint8_t)fill;
    if (dispatched) u->busy_q = u->src_valid_q = u->ready_q = 0;
}

/* The collectors: grants, dispatch, allocation. `ahead`, issues x slots bits, is what was read ahead for the instructions that
 * issue. */
static inline void rf_stage_clock_collectors(rf_banked *m, const rf_stage_in *in, const rf_stage_out *out, uint64_t rd_grant,
                                             uint32_t dispatched, const rf_ocu_alloc_out *alloc, uint32_t ahead) {
    const rf_banked_cfg *cfg = &m->cfg;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        rf_ocu *u = &m->ocu[c];
        const uint32_t granted = (uint32_t)(rd_grant >> (c * cfg->slots) & rf_mask64(cfg->slots));
        rf_stage_move_collector(u, granted, (dispatched >> c & 1) != 0);
        if ((alloc->alloc >> c & 1) != 0) {
            const uint32_t g = alloc->which[c];
            rf_stage_load(cfg, in, out->issue_warp[g], ahead >> (g * cfg->slots), u);
        }
    }
}

/* The write-back queues: results accepted, heads written. */
static inline void rf_stage_clock_queues(rf_banked *m, const rf_stage_in *in, const rf_stage_out *out, uint32_t wr_grant) {
    const rf_banked_cfg *cfg = &m->cfg;
    const uint32_t write = in->res_valid & out->res_ready;
    for (uint32_t left = write | wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        rf_wbq *q = &m->wbq[e];
        if ((write >> e & 1) != 0) {
            const uint32_t at = q->ctrl.wr_ptr_q, w = in->res_warp[e], reg = in->res_dst[e];
            q->warp_q[at] = (uint8_t)w;
            q->reg_q[at] = (uint8_t)reg;
            q->bank_q[at] = (uint8_t)rf_map_bank(w, reg, cfg->banks);
            q->row_q[at] = rf_stage_row(cfg, w, reg);
            q->mask_q[at] = in->res_mask[e];
            q->data_q[at] = in->res_data[e];
        }
        const rf_fifo_ctrl_in edge = {(uint8_t)(write >> e & 1), (uint8_t)(wr_grant >> e & 1)};
        rf_fifo_ctrl_clock(&q->ctrl, &edge);
    }
}

/* The pointers of the dispatch: what was granted is known, so nothing is picked again. */
static inline void rf_stage_clock_dispatch(rf_dispatch *m, const rf_dispatch_out *dispatch, uint32_t ex_ready) {
    for (uint32_t left = dispatch->ex_valid & ex_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        m->rr[e].mask_q = rf_rr_next(UINT64_C(1) << dispatch->ex_sel[e], m->cfg.collectors);
    }
}

#endif
