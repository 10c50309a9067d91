/* SPDX-License-Identifier: Apache-2.0 */
/* The clock edge of rf_wir: every register moves by what the wires of the cycle say. A unit of which nothing is asked is left
 * alone. */
#ifndef RF_WIR_EDGE_H
#define RF_WIR_EDGE_H

#include "cmodel/banked/rf_arbiter_parts.h"
#include "cmodel/wir/rf_wir_parts.h"

/* ---- as in rf_banked ---- */

/* The crossbar fills collectors from the banks' old read data: before anything reads. One that is not busy waits for nothing. */
RF_WIR_PART void rf_wir_fill(rf_wir *m, uint32_t busy) {
    for (; busy != 0; busy &= busy - 1) {
        rf_ocu *u = &m->collect.ocu[rf_lowest(busy)];
        for (uint32_t left = u->fill_q; left != 0; left &= left - 1) {
            const uint32_t s = rf_lowest(left);
            rf_ocu_fill(u, s, &m->bank[u->bank_q[s]].rdata_q);
        }
    }
}

RF_WIR_PART void rf_wir_clock_collectors(rf_wir *m, const rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_collect_cfg *of = &m->collect.cfg;
    for (uint32_t left = x->busy; left != 0; left &= left - 1)
        rf_wir_move_collector(&m->collect, of, rf_lowest(left), x->arbiter.rd_grant, x->dispatch.grant);
    for (uint32_t left = x->alloc.alloc; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left), g = x->alloc.which[c];
        const rf_wir_laned *lane = &x->front[g].lane;
        const uint32_t old = rf_wir_back_of(&lane->renamed, cfg->pregs);
        const bool leader = cfg->reuse != 0 && (x->reuse.reserved >> g & 1) != 0;
        rf_wir_load(&m->collect, of, c, lane, cfg->reuse == 0 ? 0 : rf_wir_info(cfg->pregs, old, leader, x->reuse.index[g]));
    }
}

RF_WIR_PART void rf_wir_clock_scoreboard(rf_wir *m, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_wires *x = &out->wires;
    rf_scoreboard_in edge;
    edge.set = 0;
    edge.clr = (uint8_t)(x->retired | (uint32_t)out->reused << cfg->exports);
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        edge.set |= (uint8_t)((uint32_t)x->front_in[g].issue.dst_valid << g);
        edge.set_warp[g] = x->front_in[g].issue.warp;
        edge.set_reg[g] = x->front_in[g].issue.dst;
    }
    memcpy(edge.clr_warp, x->retire_warp, cfg->exports);
    memcpy(edge.clr_reg, x->retire_dst, cfg->exports);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        edge.clr_warp[cfg->exports + g] = x->front[g].lane.warp;
        edge.clr_reg[cfg->exports + g] = x->front[g].lane.dst;
    }
    if ((edge.set | edge.clr) != 0) rf_scoreboard_clock(&m->issue.scoreboard, &edge);
}

/* ---- banks ---- */

/* The banks that were granted read, then write. */
RF_WIR_PART void rf_wir_move_rows(rf_wir *m, const rf_wir_heads *heads, const rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_retire_cfg *of = &m->retire.cfg;
    rf_stage_read(m->bank, x->arbiter.bank_re, x->arbiter.bank_raddr);
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t n = rf_lowest(left), preg = x->retire_preg[n];
        uint32_t mask;
        const rf_vec *data = rf_wir_written(&m->retire, of, heads, &x->retire, n, &mask);
        rf_bank_write(&m->bank[rf_wir_preg_bank(cfg->banks, preg)], rf_wir_preg_row(cfg->banks, preg), mask, data);
    }
}

/* ---- what only reuse has, but for the reuse buffer (rf_wir_decide) ---- */

/* Verifiers and what allocation holds but for queues and pipes; before the banks move. */
RF_WIR_PART void rf_wir_clock_registers(rf_wir *m, const rf_wir_heads *heads, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_results_cfg *results = &m->results.cfg;
    const rf_wir_retire_cfg *retire = &m->retire.cfg;
    const rf_vec *rdata[RF_ISSUES_MAX];
    uint32_t give = 0;
    rf_wir_show_read(m, x, rdata);
    for (uint32_t left = x->gave; left != 0; left &= left - 1)
        give |= 1u << (rf_lowest(left) * cfg->verifiers + x->give[rf_lowest(left)]);
    rf_wir_clock_tables(&m->results, results, &x->results, x->check_fill, x->check_reg, rdata, rf_wir_shares(retire, &x->retire));
    rf_wir_clock_retire(&m->retire, retire, heads, rdata, give, x->free_in.pop, x->free.reg, &x->retire);
}

RF_WIR_PART void rf_wir_edge(rf_wir *m, const rf_wir_in *in, const rf_wir_heads *heads, rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_results_cfg *results = &m->results.cfg;
    const rf_wir_retire_cfg *retire = &m->retire.cfg;
    const rf_wir_lane_cfg *lane = &m->lane[0].cfg;
    const rf_wir_issue_cfg *issue = &m->issue.cfg;
    const rf_wir_offer offer = {in->res_valid, in->res_warp, in->res_dst, in->res_mask, in->res_data, in->res_info};
    rf_wir_wires *x = &out->wires;
    rf_wir_clock_scoreboard(m, out);
    rf_wir_clock_schedulers(&m->issue, issue, x->ready, in->launch, out->issue_valid, out->issue_warp);
    rf_arbiter_move(&m->arbiter, &x->arbiter_in, &x->arbiter);
    rf_dispatch_move(&m->collect.dispatch, &x->dispatch, in->ex_ready);
    rf_wir_fill(m, x->busy);
    if (cfg->reuse != 0) rf_wir_clock_registers(m, heads, x);
    rf_wir_move_rows(m, heads, x);
    rf_wir_clock_collectors(m, x);
    if (cfg->reuse != 0) rf_wir_clock_reuse(&m->reuse, in->block, &x->lookups);
    rf_wir_clock_ports(&m->results, results, &x->results, rf_wir_pops(retire, &x->retire), &offer);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_lane_wires wires = rf_wir_lane_of(x, g);
        rf_wir_clock_lane(&m->lane[g], lane, &wires);
    }
}

#endif
