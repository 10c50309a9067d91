/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_banked.h"

#include "cmodel/banked/rf_stage_parts.h"

const char *rf_banked_check(const rf_banked_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX || cfg->warps % cfg->issues != 0)
        return "WARPS must be 1 to 64, a multiple of ISSUES";
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->warps * rf_stage_rows_per_warp(cfg) > RF_BANK_ROWS_MAX)
        return "WARPS x ceil(REGS / BANKS), the rows of a bank, must be at most 1024";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->ports < 1 || cfg->ports > 2) return "PORTS must be 1 or 2";
    if (cfg->sched > 2) return "SCHED must be 0 to 2";
    if (cfg->fetch < 1 || cfg->fetch > RF_WARPS_MAX) return "FETCH must be 1 to 64";
    if (cfg->wbdepth < 1 || cfg->wbdepth > RF_WBQ_DEPTH_MAX) return "WBDEPTH must be 1 to 16";
    if (cfg->serial > 1) return "SERIAL must be 0 or 1";
    return NULL;
}

int rf_banked_init(rf_banked *m, const rf_banked_cfg *cfg) {
    if (rf_banked_check(cfg) != NULL) return RF_E_CONFIG;
    const uint32_t rows = cfg->warps * rf_stage_rows_per_warp(cfg);
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) {
        bad |= rf_sched_gto_init(&m->gto[g], &(rf_sched_gto_cfg){.warps = cfg->warps / cfg->issues});
        bad |= rf_sched_lrr_init(&m->lrr[g], &(rf_sched_lrr_cfg){.warps = cfg->warps / cfg->issues});
        bad |=
            rf_sched_groups_init(&m->groups[g], &(rf_sched_groups_cfg){.warps = cfg->warps / cfg->issues, .fetch = cfg->fetch});
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
                                                     .exports = cfg->exports,
                                                     .serial = cfg->serial});
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
                                                     .rows = rows,
                                                     .note = 1});
    return bad;
}

void rf_banked_reset(rf_banked *m) {
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) {
        rf_sched_gto_reset(&m->gto[g]);
        rf_sched_lrr_reset(&m->lrr[g]);
        rf_sched_groups_reset(&m->groups[g]);
    }
    rf_scoreboard_reset(&m->scoreboard);
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) rf_ocu_reset(&m->ocu[c]);
    rf_arbiter_reset(&m->arbiter);
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) rf_bank_reset(&m->bank[b]);
    rf_dispatch_reset(&m->dispatch);
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) rf_wbq_reset(&m->wbq[e]);
}

static inline void issue(const rf_banked *m, const rf_banked_in *in, uint64_t overtakes, rf_banked_out *out) {
    const rf_banked_cfg *cfg = &m->cfg;
    rf_banked_wires *wires = &out->wires;
    uint8_t warp[RF_ISSUES_MAX];
    wires->hazard = rf_stage_hazards(m, &in->stage, overtakes);
    wires->ready = in->ib_valid & ~wires->hazard;
    wires->chosen = 0;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        const uint64_t ready = rf_stage_group(cfg, wires->ready, g);
        wires->chosen |= (uint8_t)((ready != 0) << g);
        warp[g] = (uint8_t)(rf_stage_choose(m, g, ready) * cfg->issues + g);
    }
    rf_ocu_alloc_comb(&m->alloc, &(rf_ocu_alloc_in){.busy = wires->busy, .req = wires->chosen}, &wires->alloc);
    out->issue_valid = wires->alloc.grant;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++)
        out->issue_warp[g] = (out->issue_valid >> g & 1) != 0 ? warp[g] : 0;
}

static void control(const rf_banked *m, const rf_banked_in *in, rf_banked_out *out) {
    rf_banked_wires *wires = &out->wires;
    rf_arbiter_in *ask = &wires->arbiter_in;
    rf_dispatch_in dispatch_in;
    const uint64_t overtakes = rf_stage_collectors(m, &in->stage, &wires->busy, &wires->collected, dispatch_in.port,
                                                   &ask->rd_valid, ask->rd_bank, ask->rd_row);
    issue(m, in, overtakes, out);
    rf_stage_queues(m, &ask->wr_valid, ask->wr_bank, ask->wr_row, &out->res_ready);
    rf_arbiter_comb(&m->arbiter, ask, &wires->arbiter);
    dispatch_in.ready = wires->collected;
    dispatch_in.ex_ready = in->ex_ready;
    rf_stage_offer(&m->dispatch, m->ocu, m->cfg.exports, &dispatch_in, &wires->dispatch, &out->stage);
}

static void edge(rf_banked *m, const rf_banked_in *in, const rf_banked_out *out) {
    const rf_banked_wires *wires = &out->wires;
    rf_stage_clock_scoreboard(m, &in->stage, &out->stage, wires->arbiter.wr_grant);
    rf_stage_clock_schedulers(m, &in->stage, wires->ready, out->issue_valid);
    rf_arbiter_move(&m->arbiter, &wires->arbiter_in, &wires->arbiter);
    rf_dispatch_move(&m->dispatch, &wires->dispatch, in->ex_ready);
    rf_stage_fill(m);
    rf_stage_move_rows(m, &wires->arbiter);
    rf_stage_clock_collectors(m, &in->stage, &out->stage, wires->arbiter.rd_grant, wires->dispatch.grant, &wires->alloc, 0);
    rf_stage_clock_queues(m, &in->stage, NULL, wires->arbiter.wr_grant);
}

void rf_banked_comb(const rf_banked *m, const rf_banked_in *in, rf_banked_out *out) {
    control(m, in, out);
    rf_stage_deliver(m->ocu, m->cfg.exports, m->cfg.slots, &out->wires.dispatch, out->ex_data);
}

void rf_banked_clock(rf_banked *m, const rf_banked_in *in) {
    rf_banked_out out;
    control(m, in, &out);
    edge(m, in, &out);
}

void rf_banked_step(rf_banked *m, const rf_banked_in *in, rf_banked_out *out) {
    control(m, in, out);
    rf_stage_deliver(m->ocu, m->cfg.exports, m->cfg.slots, &out->wires.dispatch, out->ex_data);
    edge(m, in, out);
}
