/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of rf_cerf_stage on its own registers: private to rf_cerf_stage.c and to the system that holds one, so that an
 * operand is copied where a register takes it, nowhere else.
 *
 * rf_cerf_stage_control and rf_cerf_stage_deliver, from the registers and the inputs of rf_banked; then, once the memory has
 * answered, the edge: rf_cerf_stage_fill for each operand that comes, rf_cerf_stage_move. */
#ifndef RF_CERF_STAGE_PARTS_H
#define RF_CERF_STAGE_PARTS_H

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/cerf/rf_cerf_stage.h"
#include "cmodel/cerf/rf_miss_ocu_parts.h"
#include "cmodel/cerf/rf_reindex_parts.h"

/* What it asks of the memory, beside the wires; the heads' data where it is. */
typedef struct rf_cerf_stage_asks {
    uint64_t rd_valid;
    uint32_t wr_valid;
    uint16_t wr_number[RF_EXPORTS_MAX];
    uint32_t wr_mask[RF_EXPORTS_MAX];
    const rf_vec *wr_data[RF_EXPORTS_MAX];
} rf_cerf_stage_asks;

/* Registers have numbers here; where they lie is the memory's. */
static inline rf_reindex_cfg rf_cerf_stage_names(const rf_cerf_stage_cfg *cfg) {
    return (rf_reindex_cfg){.warps = cfg->warps, .regs = cfg->regs, .banks = 1, .sets = 1, .line_w = 25, .prefix = 0};
}

/* ---- control ---- */

/* D-unread: those of `last` whose register no other collector has yet to read (`unread`). */
static inline uint64_t rf_cerf_stage_deaths(const rf_cerf_stage *m, const uint16_t *number, uint64_t last, uint64_t unread) {
    const uint32_t slots = m->cfg.slots;
    uint64_t dies = last;
    for (uint64_t left = last; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), own = r / slots * slots;
        for (uint64_t others = unread & ~(rf_mask64(slots) << own); others != 0; others &= others - 1)
            if (number[rf_lowest(others)] == number[r]) dies &= ~(UINT64_C(1) << r);
    }
    return dies;
}

/* What the collectors say. Returns the warps whose heads' destinations, valid or not, have yet to be read (D-war). */
static inline uint64_t rf_cerf_stage_collectors(const rf_cerf_stage *m, const rf_stage_in *in, rf_cerf_stage_wires *wires,
                                                uint8_t *port, rf_cerf_stage_asks *asks) {
    const uint32_t slots = m->cfg.slots;
    uint64_t overtakes = 0, unread = 0;
    wires->busy = wires->collected = 0;
    wires->rd_last = 0;
    asks->rd_valid = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_miss_ocu *u = &m->ocu[c];
        const uint32_t open = rf_miss_ocu_unread(u), base = c * slots;
        port[c] = u->port_q;
        wires->busy |= (uint16_t)(u->busy_q << c);
        wires->collected |= (uint16_t)(rf_miss_ocu_ready(u) << c);
        for (uint32_t s = 0; s < slots; s++) wires->number[base + s] = u->number_q[s];
        if (open == 0) continue;
        const uint32_t ask = rf_miss_ocu_asks(u);
        unread |= (uint64_t)open << base;
        asks->rd_valid |= (uint64_t)ask << base;
        wires->rd_last |= (uint64_t)rf_miss_ocu_last(u, ask) << base;
        for (uint32_t left = open; left != 0; left &= left - 1) {
            const uint32_t w = u->carried_q.warp;
            const bool hit = rf_scoreboard_overtakes(&m->units.scoreboard, in->ib_dst[w], u->src_q[rf_lowest(left)]);
            overtakes |= (uint64_t)hit << w;
        }
    }
    wires->rd_dead = rf_cerf_stage_deaths(m, wires->number, wires->rd_last, unread);
    return overtakes;
}

static inline void rf_cerf_stage_issue(const rf_cerf_stage *m, const rf_stage_in *in, uint64_t overtakes,
                                       rf_cerf_stage_wires *wires, rf_stage_out *out) {
    const rf_cerf_stage_cfg *cfg = &m->cfg;
    uint8_t warp[RF_ISSUES_MAX];
    wires->hazard = rf_stage_hazards(&m->units, in, overtakes);
    wires->ready = in->ib_valid & ~wires->hazard;
    wires->chosen = 0;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        const uint64_t ready = rf_stage_group(&m->units.cfg, wires->ready, g);
        wires->chosen |= (uint8_t)((ready != 0) << g);
        warp[g] = (uint8_t)(rf_stage_choose(&m->units, g, ready) * cfg->issues + g);
    }
    const rf_ocu_alloc_in alloc = {.busy = wires->busy, .req = wires->chosen};
    rf_ocu_alloc_comb(&m->units.alloc, &alloc, &wires->alloc);
    out->issue_valid = wires->alloc.grant;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++)
        out->issue_warp[g] = (out->issue_valid >> g & 1) != 0 ? warp[g] : 0;
}

/* The heads of the write-back queues. */
static inline void rf_cerf_stage_results(const rf_cerf_stage *m, rf_cerf_stage_asks *asks, rf_stage_out *out) {
    const rf_reindex_cfg names = rf_cerf_stage_names(&m->cfg);
    out->res_ready = 0;
    asks->wr_valid = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->units.wbq[e];
        const uint32_t head = rf_wbq_head(q);
        const bool valid = rf_wbq_asks(q);
        out->res_ready |= (uint8_t)(rf_wbq_ready(q) << e);
        asks->wr_valid |= (uint32_t)valid << e;
        asks->wr_number[e] = valid ? rf_reindex_number(&names, q->warp_q[head], q->reg_q[head]) : 0;
        asks->wr_mask[e] = q->mask_q[head];
        asks->wr_data[e] = &q->data_q[head];
    }
}

/* Everything but 1024-bit wires. */
static inline void rf_cerf_stage_control(const rf_cerf_stage *m, const rf_stage_in *in, rf_cerf_stage_wires *wires,
                                         rf_cerf_stage_asks *asks, rf_stage_out *out) {
    rf_dispatch_in dispatch;
    const uint64_t overtakes = rf_cerf_stage_collectors(m, in, wires, dispatch.port, asks);
    rf_cerf_stage_issue(m, in, overtakes, wires, out);
    rf_cerf_stage_results(m, asks, out);
    dispatch.ready = wires->collected;
    dispatch.ex_ready = in->ex_ready;
    rf_dispatch_comb(&m->units.dispatch, &dispatch, &wires->dispatch);
    out->ex_valid = wires->dispatch.ex_valid;
    for (uint32_t e = 0; e < m->cfg.exports; e++) rf_stage_show(&out->offers, e, &m->ocu[wires->dispatch.ex_sel[e]].carried_q);
}

/* The operands of what is offered. */
static inline void rf_cerf_stage_deliver(const rf_cerf_stage *m, const rf_dispatch_out *dispatch, rf_vec *ex_data) {
    const uint32_t slots = m->cfg.slots;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        rf_vec *data = &ex_data[e * slots];
        if ((dispatch->ex_valid >> e & 1) != 0) memcpy(data, m->ocu[dispatch->ex_sel[e]].data_q, slots * sizeof *data);
        else memset(data, 0, slots * sizeof *data);
    }
}

/* ---- edge ---- */

/* The operand of a reader comes; it counts if the reader waits for it. */
static inline void rf_cerf_stage_fill(rf_cerf_stage *m, uint32_t reader, const rf_vec *data) {
    rf_miss_ocu *u = &m->ocu[reader / m->cfg.slots];
    const uint32_t slot = reader % m->cfg.slots;
    if ((rf_miss_ocu_awaited(u) >> slot & 1) != 0) rf_miss_ocu_fill(u, slot, data);
}

static inline void rf_cerf_stage_move_collectors(rf_cerf_stage *m, const rf_stage_in *in, const uint8_t *ib_last,
                                                 const rf_cerf_stage_wires *wires, const rf_stage_out *out, uint64_t rd_accept) {
    const rf_cerf_stage_cfg *cfg = &m->cfg;
    const rf_reindex_cfg names = rf_cerf_stage_names(cfg);
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        rf_miss_ocu_accept(&m->ocu[c], (uint32_t)(rd_accept >> (c * cfg->slots) & rf_mask64(cfg->slots)));
        if ((wires->dispatch.grant >> c & 1) != 0) rf_miss_ocu_dispatch(&m->ocu[c]);
    }
    for (uint32_t left = wires->alloc.alloc; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left), w = out->issue_warp[wires->alloc.which[c]];
        rf_stage_instr inst = rf_stage_head_at(&in->heads, w, cfg->slots);
        uint16_t number[RF_SLOTS_MAX];
        inst.dst_valid = rf_stage_writes(in, w);
        inst.src_valid = (uint16_t)rf_stage_sources(in, w);
        for (uint32_t s = 0; s < cfg->slots; s++) number[s] = rf_reindex_number(&names, w, inst.src[s]);
        rf_miss_ocu_take(&m->ocu[c], &inst, number, cfg->liveness ? ib_last[w] : 0);
    }
}

/* The requests in rd_accept and the heads in wr_accept, of those that ask, are taken. */
static inline void rf_cerf_stage_move(rf_cerf_stage *m, const rf_stage_in *in, const uint8_t *ib_last,
                                      const rf_cerf_stage_wires *wires, const rf_stage_out *out, uint64_t rd_accept,
                                      uint32_t wr_accept) {
    rf_stage_clock_scoreboard(&m->units, in, out, (uint8_t)wr_accept);
    rf_stage_clock_schedulers(&m->units, in, wires->ready, out->issue_valid);
    rf_dispatch_move(&m->units.dispatch, &wires->dispatch, in->ex_ready);
    rf_cerf_stage_move_collectors(m, in, ib_last, wires, out, rd_accept);
    for (uint32_t left = in->res_valid | wr_accept; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        const rf_wbq_result result = {.data = &in->res_data[e],
                                      .mask = in->res_mask[e],
                                      .row = 0,
                                      .warp = in->res_warp[e],
                                      .reg = in->res_dst[e],
                                      .note = 0,
                                      .bank = 0};
        rf_wbq_move(&m->units.wbq[e], (in->res_valid >> e & 1) != 0 ? &result : NULL, (wr_accept >> e & 1) != 0);
    }
}

#endif
