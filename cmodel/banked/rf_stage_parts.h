/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of what every operand stage shares, on the units' own registers: private to the system models. A system's cycle has
 * three parts: its control decides (every wire but the 1024-bit ones), rf_stage_deliver copies operands to the execution ports,
 * its edge moves the state. Lane data is copied only where a register takes it: collectors, queues and banks are worked here by
 * the rules in their rf_x_parts.h, instead of through 16 KB of port structs. */
#ifndef RF_STAGE_PARTS_H
#define RF_STAGE_PARTS_H

#include "cmodel/banked/rf_arbiter_parts.h"
#include "cmodel/banked/rf_bank_parts.h"
#include "cmodel/banked/rf_banked.h"
#include "cmodel/banked/rf_dispatch_parts.h"
#include "cmodel/banked/rf_ocu_parts.h"
#include "cmodel/banked/rf_sched_groups_parts.h"
#include "cmodel/banked/rf_sched_gto_parts.h"
#include "cmodel/banked/rf_sched_lrr_parts.h"
#include "cmodel/banked/rf_scoreboard_parts.h"
#include "cmodel/banked/rf_wbq_parts.h"

/* ---- names ---- */

static inline uint32_t rf_stage_rows_per_warp(const rf_banked_cfg *cfg) { return rf_map_rows_per_warp(cfg->regs, cfg->banks); }

/* Row of a register, as the RTL's ports have it. */
static inline uint16_t rf_stage_row(const rf_banked_cfg *cfg, uint32_t warp, uint32_t reg) {
    return rf_map_row_port(warp, reg, cfg->banks, rf_stage_rows_per_warp(cfg), cfg->warps);
}

/* The even bits, packed. */
static inline uint64_t rf_stage_even_bits(uint64_t x) {
    x &= UINT64_C(0x5555555555555555);
    x = (x | x >> 1) & UINT64_C(0x3333333333333333);
    x = (x | x >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (x | x >> 16) & UINT64_C(0x00000000ffffffff);
}

/* Every `issues`th bit of `warps`, of which only the first `count` may be set, from bit g on, packed: what the loop says. */
static inline uint64_t rf_stage_every(uint64_t warps, uint32_t count, uint32_t issues, uint32_t g) {
    if (warps == 0 || issues == 1) return warps;
    if (issues == 2) return rf_stage_even_bits(warps >> g);
    if (issues == 4) return rf_stage_even_bits(rf_stage_even_bits(warps >> g));
    uint64_t bits = 0;
    for (uint32_t i = 0, w = g; w < count; i++, w += issues) bits |= (warps >> w & 1) << i;
    return bits;
}

/* The bits of `warps` that belong to issue group g, packed. */
static inline uint64_t rf_stage_group(const rf_banked_cfg *cfg, uint64_t warps, uint32_t g) {
    return rf_stage_every(warps, cfg->warps, cfg->issues, g);
}

/* ---- heads ---- */

/* D-mask: an instruction without an active lane has no sources and no destination. */
static inline uint32_t rf_stage_sources(const rf_stage_in *in, uint32_t w) {
    return in->ib_mask[w] != 0 ? in->ib_src_valid[w] : 0;
}
static inline bool rf_stage_writes(const rf_stage_in *in, uint32_t w) {
    return in->ib_mask[w] != 0 && (in->ib_dst_valid >> w & 1) != 0;
}

/* The places of the sources of an instruction. */
typedef struct rf_stage_places {
    uint8_t bank[RF_SLOTS_MAX];
    uint16_t row[RF_SLOTS_MAX];
} rf_stage_places;

/* The head of warp w as a collector takes it, and the places of its sources. */
static inline rf_stage_instr rf_stage_head_of(const rf_banked_cfg *cfg, const rf_stage_in *in, uint32_t w,
                                              rf_stage_places *places) {
    rf_stage_instr inst = rf_stage_head_at(&in->heads, w, cfg->slots);
    inst.dst_valid = rf_stage_writes(in, w);
    inst.src_valid = (uint16_t)rf_stage_sources(in, w);
    for (uint32_t s = 0; s < cfg->slots; s++) {
        places->bank[s] = (uint8_t)rf_map_bank(w, inst.src[s], cfg->banks);
        places->row[s] = rf_stage_row(cfg, w, inst.src[s]);
    }
    return inst;
}

/* ---- control ---- */

/* Those of `warps` whose head has an active lane: without one nothing is read or written (D-mask). */
static inline uint64_t rf_stage_active(uint64_t warps, const uint32_t *mask) {
    uint64_t active = warps;
    for (uint64_t left = warps; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        active &= ~((uint64_t)(mask[w] == 0) << w);
    }
    return active;
}

/* Warps whose valid head instruction must wait; `overtakes`: its destination, if it has one, has yet to be read (D-war). */
static inline uint64_t rf_stage_hazards(const rf_banked *m, const rf_stage_in *in, uint64_t overtakes) {
    const uint64_t pending = rf_scoreboard_pending(&m->scoreboard, in->ib_dst_valid, in->ib_dst, in->ib_src_valid, in->ib_src);
    return rf_stage_active((pending | (overtakes & in->ib_dst_valid)) & in->ib_valid, in->ib_mask);
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

/* The finalist that the scheduler of group g does not choose, one hot, 0 when there is none; `chosen`, one hot, is the other. */
static inline uint64_t rf_stage_other(const rf_banked *m, uint32_t g, uint64_t ready, uint64_t chosen) {
    if (m->cfg.sched == 0) return rf_sched_gto_other(&m->gto[g], ready, chosen);
    if (m->cfg.sched == 1) return rf_sched_lrr_other(&m->lrr[g], ready, chosen);
    return rf_sched_groups_other(&m->groups[g], ready, chosen);
}

/* What the collectors say: who is busy, who has collected everything, for which port, and the readers' requests. Returns the
 * warps whose heads' destinations, valid or not, have yet to be read (D-war). */
static inline uint64_t rf_stage_collectors(const rf_banked *m, const rf_stage_in *in, uint16_t *busy, uint16_t *collected,
                                           uint8_t *port, uint64_t *rd_valid, uint8_t *rd_bank, uint16_t *rd_row) {
    const uint32_t slots = m->cfg.slots;
    uint32_t in_use = 0, complete = 0;
    uint64_t asks = 0, overtakes = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        const uint32_t open = rf_ocu_unread(u), base = c * slots;
        port[c] = u->port_q;
        in_use |= (uint32_t)u->busy_q << c;
        complete |= (uint32_t)rf_ocu_ready(u) << c;
        if (open == 0) continue;
        asks |= (uint64_t)rf_ocu_asks(u) << base;
        for (uint32_t s = 0; s < slots; s++) {
            rd_bank[base + s] = u->bank_q[s];
            rd_row[base + s] = u->row_q[s];
        }
        for (uint32_t left = open; left != 0; left &= left - 1) {
            const uint32_t w = u->carried_q.warp;
            const bool hit = rf_scoreboard_overtakes(&m->scoreboard, in->ib_dst[w], u->src_q[rf_lowest(left)]);
            overtakes |= (uint64_t)hit << w;
        }
    }
    *busy = (uint16_t)in_use;
    *collected = (uint16_t)complete;
    *rd_valid = asks;
    return overtakes;
}

/* What the write-back queues say: their heads' requests, and who accepts a result. */
static inline void rf_stage_queues(const rf_banked *m, uint8_t *wr_valid, uint8_t *wr_bank, uint16_t *wr_row,
                                   uint8_t *res_ready) {
    uint32_t asks = 0, room = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->wbq[e];
        asks |= (uint32_t)rf_wbq_asks(q) << e;
        wr_bank[e] = q->bank_q[rf_wbq_head(q)];
        wr_row[e] = q->row_q[rf_wbq_head(q)];
        room |= (uint32_t)rf_wbq_ready(q) << e;
    }
    *wr_valid = (uint8_t)asks;
    *res_ready = (uint8_t)room;
}

/* Complete collectors to execution ports: everything but the operands. */
static inline void rf_stage_offer(const rf_dispatch *m, const rf_ocu *ocu, uint32_t exports, const rf_dispatch_in *in,
                                  rf_dispatch_out *dispatch, rf_stage_out *out) {
    rf_dispatch_comb(m, in, dispatch);
    out->ex_valid = dispatch->ex_valid;
    for (uint32_t e = 0; e < exports; e++) rf_stage_show(&out->offers, e, &ocu[dispatch->ex_sel[e]].carried_q);
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
            rf_ocu_fill(u, s, &m->bank[u->bank_q[s]].rdata_q);
        }
    }
}

/* The banks in `bank_re` read: before anything writes (with two ports a read returns the old row). */
static inline void rf_stage_read(rf_bank *banks, uint32_t bank_re, const uint16_t *bank_raddr) {
    for (uint32_t left = bank_re; left != 0; left &= left - 1) rf_bank_read(&banks[rf_lowest(left)], bank_raddr[rf_lowest(left)]);
}

/* With rf_arbiter: the banks that were granted read, then write the heads of the queues that were granted. */
static inline void rf_stage_move_rows(rf_banked *m, const rf_arbiter_out *arbiter) {
    rf_stage_read(m->bank, arbiter->bank_re, arbiter->bank_raddr);
    for (uint32_t left = arbiter->wr_grant; left != 0; left &= left - 1) {
        const rf_wbq *q = &m->wbq[rf_lowest(left)];
        const uint32_t head = rf_wbq_head(q);
        rf_bank_write(&m->bank[q->bank_q[head]], q->row_q[head], q->mask_q[head], &q->data_q[head]);
    }
}

/* Issues set pending registers, the writes in `wr_grant` clear them. */
static inline void rf_stage_clock_scoreboard(rf_banked *m, const rf_stage_in *in, const rf_stage_out *out, uint8_t wr_grant) {
    rf_scoreboard_in edge;
    edge.set = 0;
    edge.clr = wr_grant;
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left), w = out->issue_warp[g];
        edge.set |= (uint8_t)(rf_stage_writes(in, w) << g);
        edge.set_warp[g] = (uint8_t)w;
        edge.set_reg[g] = in->ib_dst[w];
    }
    for (uint32_t left = edge.clr; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        edge.clr_warp[e] = m->wbq[e].warp_q[rf_wbq_head(&m->wbq[e])];
        edge.clr_reg[e] = m->wbq[e].reg_q[rf_wbq_head(&m->wbq[e])];
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

/* A collector: slots that are granted, and dispatch. */
static inline void rf_stage_move_collector(rf_ocu *u, uint32_t granted, bool dispatched) {
    rf_ocu_move(u, rf_ocu_served(u, granted));
    if (dispatched) rf_ocu_dispatch(u);
}

/* The collectors: grants, dispatch, allocation. `ahead`, issues x slots bits, is what was read ahead for the instructions that
 * issue. */
static inline void rf_stage_clock_collectors(rf_banked *m, const rf_stage_in *in, const rf_stage_out *out, uint64_t rd_grant,
                                             uint32_t dispatched, const rf_ocu_alloc_out *alloc, uint32_t ahead) {
    const rf_banked_cfg *cfg = &m->cfg;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const uint32_t granted = (uint32_t)(rd_grant >> (c * cfg->slots) & rf_mask64(cfg->slots));
        rf_stage_move_collector(&m->ocu[c], granted, (dispatched >> c & 1) != 0);
    }
    for (uint32_t left = alloc->alloc; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left), g = alloc->which[c];
        rf_stage_places places;
        const rf_stage_instr inst = rf_stage_head_of(cfg, in, out->issue_warp[g], &places);
        rf_ocu_take(&m->ocu[c], &inst, places.bank, places.row, ahead >> (g * cfg->slots));
    }
}

/* The write-back queues: results accepted, each with its note (NULL: 0); heads written. */
static inline void rf_stage_clock_queues(rf_banked *m, const rf_stage_in *in, const uint8_t *note, uint32_t wr_grant) {
    const rf_banked_cfg *cfg = &m->cfg;
    for (uint32_t left = in->res_valid | wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), w = in->res_warp[e], reg = in->res_dst[e];
        const rf_wbq_result result = {.data = &in->res_data[e],
                                      .mask = in->res_mask[e],
                                      .row = rf_stage_row(cfg, w, reg),
                                      .warp = (uint8_t)w,
                                      .reg = (uint8_t)reg,
                                      .note = (uint8_t)(note != NULL ? note[e] : 0),
                                      .bank = (uint8_t)rf_map_bank(w, reg, cfg->banks)};
        rf_wbq_move(&m->wbq[e], (in->res_valid >> e & 1) != 0 ? &result : NULL, (wr_grant >> e & 1) != 0);
    }
}

#endif
