/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle has three parts: `control` decides (every wire but the 1024-bit ones), `deliver` copies operands to the execution
 * ports, `edge` moves the state. Lane data is copied only where a register takes it: the crossbars, the collectors and the banks
 * are worked here on their own registers, with the units' rules, instead of through 16 KB of port structs. */
#include "cmodel/banked/rf_banked.h"

#include <string.h>

static const rf_vec zero_vec;

static uint32_t rows_per_warp(const rf_banked_cfg *cfg) { return rf_map_rows_per_warp(cfg->regs, cfg->banks); }

const char *rf_banked_check(const rf_banked_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX || cfg->warps % cfg->issues != 0)
        return "WARPS must be 1 to 64, a multiple of ISSUES";
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->warps * rows_per_warp(cfg) > RF_BANK_ROWS_MAX)
        return "WARPS x ceil(REGS / BANKS), the rows of a bank, must be at most 1024";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->ports < 1 || cfg->ports > 2) return "PORTS must be 1 or 2";
    if (cfg->sched > 1) return "SCHED must be 0 or 1";
    if (cfg->wbdepth < 1 || cfg->wbdepth > RF_WBQ_DEPTH_MAX) return "WBDEPTH must be 1 to 16";
    return NULL;
}

int rf_banked_init(rf_banked *m, const rf_banked_cfg *cfg) {
    if (rf_banked_check(cfg) != NULL) return RF_E_CONFIG;
    const uint32_t rows = cfg->warps * rows_per_warp(cfg);
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) {
        bad |= rf_sched_gto_init(&m->gto[g], &(rf_sched_gto_cfg){.warps = cfg->warps / cfg->issues});
        bad |= rf_sched_lrr_init(&m->lrr[g], &(rf_sched_lrr_cfg){.warps = cfg->warps / cfg->issues});
    }
    bad |= rf_scoreboard_init(&m->scoreboard, &(rf_scoreboard_cfg){.warps = cfg->warps,
                                                                   .regs = cfg->regs,
                                                                   .slots = cfg->slots,
                                                                   .readers = cfg->collectors * cfg->slots,
                                                                   .issues = cfg->issues,
                                                                   .writers = cfg->exports});
    bad |= rf_ocu_alloc_init(&m->alloc, &(rf_ocu_alloc_cfg){.collectors = cfg->collectors, .issues = cfg->issues});
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++)
        bad |= rf_ocu_init(&m->ocu[c], &(rf_ocu_cfg){.slots = cfg->slots,
                                                     .lanes = cfg->lanes,
                                                     .warps = cfg->warps,
                                                     .regs = cfg->regs,
                                                     .banks = cfg->banks,
                                                     .rows = rows,
                                                     .exports = cfg->exports});
    bad |= rf_arbiter_init(&m->arbiter, &(rf_arbiter_cfg){.banks = cfg->banks,
                                                          .collectors = cfg->collectors,
                                                          .slots = cfg->slots,
                                                          .writers = cfg->exports,
                                                          .rows = rows,
                                                          .ports = cfg->ports});
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++)
        bad |= rf_bank_init(&m->bank[b], &(rf_bank_cfg){.rows = rows, .lanes = cfg->lanes, .ports = cfg->ports});
    bad |= rf_dispatch_init(&m->dispatch, &(rf_dispatch_cfg){.collectors = cfg->collectors, .exports = cfg->exports});
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++)
        bad |= rf_wbq_init(&m->wbq[e], &(rf_wbq_cfg){.depth = cfg->wbdepth,
                                                     .lanes = cfg->lanes,
                                                     .warps = cfg->warps,
                                                     .regs = cfg->regs,
                                                     .banks = cfg->banks,
                                                     .rows = rows});
    return bad;
}

void rf_banked_reset(rf_banked *m) {
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) {
        rf_sched_gto_reset(&m->gto[g]);
        rf_sched_lrr_reset(&m->lrr[g]);
    }
    rf_scoreboard_reset(&m->scoreboard);
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) rf_ocu_reset(&m->ocu[c]);
    rf_arbiter_reset(&m->arbiter);
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) rf_bank_reset(&m->bank[b]);
    rf_dispatch_reset(&m->dispatch);
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) rf_wbq_reset(&m->wbq[e]);
}

/* Row of a register, cut to the width that the RTL has for rows (only registers or warps out of range are affected). */
static inline uint16_t map_row(const rf_banked_cfg *cfg, uint32_t warp, uint32_t reg) {
    const uint32_t per_warp = rows_per_warp(cfg);
    const uint32_t rows = cfg->warps * per_warp;
    const uint32_t row = rf_map_row(warp, reg, cfg->banks, per_warp);
    return (uint16_t)(row < rows ? row : row & (uint32_t)rf_mask64(rf_index_bits(rows)));
}

static inline uint32_t unread(const rf_ocu *u) { return (uint32_t)(u->src_valid_q & ~(u->fill_q | u->ready_q)); }

/* Slots that ask for their bank: of unread slots that name one register, the lowest. */
static inline uint32_t asks(const rf_ocu *u, uint32_t open) {
    uint32_t asking = open;
    for (uint32_t left = open & (open - 1); left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left);
        for (uint32_t low = open & ((1u << s) - 1); low != 0; low &= low - 1)
            if (u->src_q[rf_lowest(low)] == u->src_q[s]) asking &= ~(1u << s);
    }
    return asking;
}

static inline uint64_t pending(const rf_bits256 *set, uint32_t reg, bool one_word) {
    return set->w[one_word ? 0 : reg >> 6] >> (reg & 63) & 1;
}

/* RAW and WAW: warps of which a head register is pending. */
static inline uint64_t pending_hazards(const rf_banked *m, const rf_banked_in *in, uint32_t slots, bool one_word) {
    uint64_t hazard = 0;
    for (uint64_t left = in->ib_valid; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        const rf_bits256 *set = &m->scoreboard.pending_q[w];
        uint64_t wait = (in->ib_dst_valid >> w & 1) & pending(set, in->ib_dst[w], one_word);
        for (uint32_t s = 0; s < slots; s++)
            wait |= (uint64_t)(in->ib_src_valid[w] >> s & 1) & pending(set, in->ib_src[w * slots + s], one_word);
        hazard |= (wait & (in->ib_mask[w] != 0)) << w;
    }
    return hazard;
}

/* Warps whose valid head instruction must wait; heads with mask 0 touch no register. */
static uint64_t hazards(const rf_banked *m, const rf_banked_in *in) {
    /* Three slots and at most 64 registers are the rule: the compiler unrolls that case. */
    const bool usual = m->cfg.slots == 3 && m->cfg.regs <= 64;
    uint64_t hazard = usual ? pending_hazards(m, in, 3, true) : pending_hazards(m, in, m->cfg.slots, false);
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        const uint32_t w = u->warp_q;
        if (in->ib_mask[w] == 0 || in->ib_dst[w] >= m->cfg.regs) continue;
        for (uint32_t left = unread(u); left != 0; left &= left - 1)
            hazard |= (in->ib_valid & in->ib_dst_valid & (uint64_t)(u->src_q[rf_lowest(left)] == in->ib_dst[w]) << w);
    }
    return hazard;
}

/* The bits of `warps` that belong to issue group g, packed. */
static inline uint64_t group_bits(const rf_banked_cfg *cfg, uint64_t warps, uint32_t g) {
    if (cfg->issues == 1) return warps;
    uint64_t bits = 0;
    for (uint32_t i = 0, w = g; w < cfg->warps; i++, w += cfg->issues) bits |= (warps >> w & 1) << i;
    return bits;
}

static void issue(const rf_banked *m, const rf_banked_in *in, rf_banked_out *out) {
    const rf_banked_cfg *cfg = &m->cfg;
    rf_banked_wires *wires = &out->wires;
    wires->hazard = hazards(m, in);
    wires->ready = in->ib_valid & ~wires->hazard;
    wires->chosen = 0;
    uint8_t warp[RF_ISSUES_MAX];
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        const uint64_t ready = group_bits(cfg, wires->ready, g);
        uint32_t local;
        if (cfg->sched == 0) {
            rf_sched_gto_out choice;
            rf_sched_gto_comb(&m->gto[g], &(rf_sched_gto_in){.ready = ready}, &choice);
            local = choice.warp;
        } else {
            rf_sched_lrr_out choice;
            rf_sched_lrr_comb(&m->lrr[g], &(rf_sched_lrr_in){.ready = ready}, &choice);
            local = choice.warp;
        }
        wires->chosen |= (uint8_t)((ready != 0) << g);
        warp[g] = (uint8_t)(local * cfg->issues + g);
    }
    rf_ocu_alloc_comb(&m->alloc, &(rf_ocu_alloc_in){.busy = wires->busy, .req = wires->chosen}, &wires->alloc);
    out->issue_valid = wires->alloc.grant;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++)
        out->issue_warp[g] = (out->issue_valid >> g & 1) != 0 ? warp[g] : 0;
}

static void control(const rf_banked *m, const rf_banked_in *in, rf_banked_out *out) {
    const rf_banked_cfg *cfg = &m->cfg;
    rf_banked_wires *wires = &out->wires;
    rf_dispatch_in dispatch_in;

    wires->busy = wires->collected = 0;
    wires->arbiter_in.rd_valid = 0;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        const uint32_t open = unread(u);
        dispatch_in.port[c] = u->port_q;
        wires->busy |= (uint16_t)(u->busy_q << c);
        wires->collected |= (uint16_t)((u->busy_q && (u->src_valid_q & ~u->ready_q) == 0) << c);
        if (open == 0) continue;
        const uint32_t asking = asks(u, open), base = c * cfg->slots;
        wires->arbiter_in.rd_valid |= (uint64_t)asking << base;
        for (uint32_t s = 0; s < cfg->slots; s++) {
            wires->arbiter_in.rd_bank[base + s] = u->bank_q[s];
            wires->arbiter_in.rd_row[base + s] = u->row_q[s];
        }
    }

    issue(m, in, out);

    wires->arbiter_in.wr_valid = out->res_ready = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_wbq *q = &m->wbq[e];
        const uint32_t head = q->ctrl.rd_ptr_q;
        wires->arbiter_in.wr_valid |= (uint8_t)((q->ctrl.level_q != 0) << e);
        wires->arbiter_in.wr_bank[e] = q->bank_q[head];
        wires->arbiter_in.wr_row[e] = q->row_q[head];
        out->res_ready |= (uint8_t)((q->ctrl.level_q < cfg->wbdepth) << e);
    }
    rf_arbiter_comb(&m->arbiter, &wires->arbiter_in, &wires->arbiter);

    dispatch_in.ready = wires->collected;
    dispatch_in.ex_ready = in->ex_ready;
    rf_dispatch_comb(&m->dispatch, &dispatch_in, &wires->dispatch);
    out->ex_valid = wires->dispatch.ex_valid;
    out->ex_dst_valid = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_ocu *u = &m->ocu[wires->dispatch.ex_sel[e]];
        const bool valid = (out->ex_valid >> e & 1) != 0;
        out->ex_warp[e] = valid ? u->warp_q : 0;
        out->ex_tag[e] = valid ? u->tag_q : 0;
        out->ex_mask[e] = valid ? u->mask_q : 0;
        out->ex_dst_valid |= (uint8_t)((valid && u->dst_valid_q) << e);
        out->ex_dst[e] = valid ? u->dst_q : 0;
    }
}

static void deliver(const rf_banked *m, rf_banked_out *out) {
    const uint32_t slots = m->cfg.slots;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        rf_vec *data = &out->ex_data[e * slots];
        if ((out->ex_valid >> e & 1) != 0) memcpy(data, m->ocu[out->wires.dispatch.ex_sel[e]].data_q, slots * sizeof *data);
        else memset(data, 0, slots * sizeof *data);
    }
}

/* The crossbar fills collectors from the banks' old read data; then the banks are read, then written (with two ports a read
 * returns the old row). */
static void move_data(rf_banked *m, const rf_banked_wires *wires) {
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        rf_ocu *u = &m->ocu[c];
        for (uint32_t left = u->fill_q; left != 0; left &= left - 1) {
            const uint32_t s = rf_lowest(left);
            u->data_q[s] = m->bank[u->bank_q[s]].rdata_q;
        }
    }
    for (uint32_t left = wires->arbiter.bank_re; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), row = wires->arbiter.bank_raddr[b];
        rf_bank *bank = &m->bank[b];
        bank->rdata_q = row < bank->cfg.rows ? bank->mem_q[row] : zero_vec;
    }
    for (uint32_t left = wires->arbiter.wr_grant; left != 0; left &= left - 1) {
        const rf_wbq *q = &m->wbq[rf_lowest(left)];
        const uint32_t head = q->ctrl.rd_ptr_q, row = q->row_q[head], mask = q->mask_q[head];
        rf_bank *bank = &m->bank[q->bank_q[head]];
        if (row >= bank->cfg.rows) continue;
        uint32_t *to = bank->mem_q[row].lane;
        const uint32_t *from = q->data_q[head].lane;
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
            const uint32_t keep = (mask >> l & 1) - 1;
            to[l] = (from[l] & ~keep) | (to[l] & keep);
        }
    }
}

static void clock_scoreboard(rf_banked *m, const rf_banked_in *in, const rf_banked_out *out) {
    rf_scoreboard_in edge;
    edge.set = 0;
    edge.clr = out->wires.arbiter.wr_grant;
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

static void clock_schedulers(rf_banked *m, const rf_banked_in *in, const rf_banked_out *out) {
    const rf_banked_cfg *cfg = &m->cfg;
    if (in->launch == 0 && out->issue_valid == 0) return;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint64_t ready = group_bits(cfg, out->wires.ready, g), launch = group_bits(cfg, in->launch, g);
        const uint8_t take = out->issue_valid >> g & 1;
        if (cfg->sched == 0) rf_sched_gto_clock(&m->gto[g], &(rf_sched_gto_in){.ready = ready, .launch = launch, .take = take});
        else rf_sched_lrr_clock(&m->lrr[g], &(rf_sched_lrr_in){.ready = ready, .launch = launch, .take = take});
    }
}

static void load(const rf_banked_cfg *cfg, const rf_banked_in *in, uint32_t w, rf_ocu *u) {
    const bool active = in->ib_mask[w] != 0;
    u->busy_q = 1;
    u->warp_q = (uint8_t)w;
    u->tag_q = in->ib_tag[w];
    u->port_q = in->ib_port[w];
    u->mask_q = in->ib_mask[w];
    u->dst_valid_q = active && (in->ib_dst_valid >> w & 1) != 0;
    u->dst_q = in->ib_dst[w];
    u->src_valid_q = active ? in->ib_src_valid[w] : 0;
    for (uint32_t s = 0; s < cfg->slots; s++) {
        const uint8_t reg = in->ib_src[w * cfg->slots + s];
        u->src_q[s] = reg;
        u->bank_q[s] = (uint8_t)rf_map_bank(w, reg, cfg->banks);
        u->row_q[s] = map_row(cfg, w, reg);
    }
}

static void clock_collectors(rf_banked *m, const rf_banked_in *in, const rf_banked_out *out) {
    const rf_banked_cfg *cfg = &m->cfg;
    const rf_banked_wires *wires = &out->wires;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        rf_ocu *u = &m->ocu[c];
        const uint32_t granted = (uint32_t)(wires->arbiter.rd_grant >> (c * cfg->slots) & rf_mask64(cfg->slots));
        uint32_t fill = granted;
        if (granted != 0) {
            for (uint32_t left = unread(u) & ~granted; left != 0; left &= left - 1) {
                const uint32_t s = rf_lowest(left);
                for (uint32_t low = granted & ((1u << s) - 1); low != 0; low &= low - 1)
                    if (u->src_q[rf_lowest(low)] == u->src_q[s]) fill |= 1u << s;
            }
        }
        u->ready_q |= u->fill_q;
        u->fill_q = (uint8_t)fill;
        if ((wires->dispatch.grant >> c & 1) != 0) u->busy_q = u->src_valid_q = u->ready_q = 0;
        if ((wires->alloc.alloc >> c & 1) != 0) load(cfg, in, out->issue_warp[wires->alloc.which[c]], u);
    }
}

static void clock_queues(rf_banked *m, const rf_banked_in *in, const rf_banked_out *out) {
    const rf_banked_cfg *cfg = &m->cfg;
    const uint32_t write = in->res_valid & out->res_ready;
    for (uint32_t left = write | out->wires.arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        rf_wbq *q = &m->wbq[e];
        if ((write >> e & 1) != 0) {
            const uint32_t at = q->ctrl.wr_ptr_q, w = in->res_warp[e], reg = in->res_dst[e];
            q->warp_q[at] = (uint8_t)w;
            q->reg_q[at] = (uint8_t)reg;
            q->bank_q[at] = (uint8_t)rf_map_bank(w, reg, cfg->banks);
            q->row_q[at] = map_row(cfg, w, reg);
            q->mask_q[at] = in->res_mask[e];
            q->data_q[at] = in->res_data[e];
        }
        rf_fifo_ctrl_clock(&q->ctrl, &(rf_fifo_ctrl_in){.push = write >> e & 1, .pop = out->wires.arbiter.wr_grant >> e & 1});
    }
}

/* The pointers of all round-robin arbiters that granted; what was granted is known, so nothing is picked again. */
static void clock_arbiters(rf_banked *m, const rf_banked_in *in, const rf_banked_wires *wires) {
    const rf_banked_cfg *cfg = &m->cfg;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const uint32_t base = c * cfg->slots;
        for (uint64_t left = wires->arbiter.rd_grant >> base & rf_mask64(cfg->slots); left != 0; left &= left - 1)
            m->arbiter.rd_rr[wires->arbiter_in.rd_bank[base + rf_lowest(left)]].mask_q =
                rf_rr_next(UINT64_C(1) << c, cfg->collectors);
    }
    for (uint32_t left = wires->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        m->arbiter.wr_rr[wires->arbiter_in.wr_bank[e]].mask_q = rf_rr_next(UINT64_C(1) << e, cfg->exports);
    }
    for (uint32_t left = wires->dispatch.ex_valid & in->ex_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        m->dispatch.rr[e].mask_q = rf_rr_next(UINT64_C(1) << wires->dispatch.ex_sel[e], cfg->collectors);
    }
}

static void edge(rf_banked *m, const rf_banked_in *in, const rf_banked_out *out) {
    clock_scoreboard(m, in, out);
    clock_schedulers(m, in, out);
    clock_arbiters(m, in, &out->wires);
    move_data(m, &out->wires);
    clock_collectors(m, in, out);
    clock_queues(m, in, out);
}

void rf_banked_comb(const rf_banked *m, const rf_banked_in *in, rf_banked_out *out) {
    control(m, in, out);
    deliver(m, out);
}

void rf_banked_clock(rf_banked *m, const rf_banked_in *in) {
    rf_banked_out out;
    control(m, in, &out);
    edge(m, in, &out);
}

void rf_banked_step(rf_banked *m, const rf_banked_in *in, rf_banked_out *out) {
    control(m, in, out);
    deliver(m, out);
    edge(m, in, out);
}
