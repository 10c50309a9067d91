/* SPDX-License-Identifier: Apache-2.0 */
/* The banks of rf_wir in its control: which collectors, verify-reads and results ask for them, and so which results retire. */
#ifndef RF_WIR_BANKS_H
#define RF_WIR_BANKS_H

#include "cmodel/wir/rf_wir_parts.h"

/* Verify-reads ask as collector COLLECTORS + g, slot 0; group g (reuse 0: queue) writes as writer g. */
RF_WIR_PART void rf_wir_ask_banks(const rf_wir_cfg *cfg, const rf_wir_heads *heads, rf_wir_wires *x) {
    rf_arbiter_in *ask = &x->arbiter_in;
    for (uint32_t left = x->asks_read; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left), reader = (cfg->collectors + g) * cfg->slots, cand = heads->cand[x->read_port[g]];
        ask->rd_valid |= UINT64_C(1) << reader;
        ask->rd_bank[reader] = (uint8_t)rf_wir_preg_bank(cfg->banks, cand);
        ask->rd_row[reader] = (uint16_t)rf_wir_preg_row(cfg->banks, cand);
    }
    ask->wr_valid = x->asks_write;
    for (uint32_t left = x->asks_write; left != 0; left &= left - 1) {
        const uint32_t n = rf_lowest(left);
        ask->wr_bank[n] = (uint8_t)rf_wir_preg_bank(cfg->banks, x->retire_preg[n]);
        ask->wr_row[n] = (uint16_t)rf_wir_preg_row(cfg->banks, x->retire_preg[n]);
    }
}

/* Who asks the banks, what they get, and so what retires. */
RF_WIR_PART void rf_wir_banks(const rf_wir *m, rf_wir_wires *x, const rf_wir_heads *heads, uint8_t *collector_port) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_retire_cfg *of = &m->retire.cfg;
    const rf_wir_collect_cfg *collect = &m->collect.cfg;
    rf_arbiter_in *ask = &x->arbiter_in;
    const rf_wir_collected now = rf_wir_collectors(&m->collect, collect, collector_port, ask->rd_bank, ask->rd_row);
    const rf_vec *rdata[RF_ISSUES_MAX];
    uint32_t hits = 0, walks = 0, reads = 0;
    x->busy = (uint16_t)now.busy;
    x->collected = (uint16_t)now.collected;
    ask->rd_valid = now.asks;
    if (cfg->reuse == 0) {
        rf_wir_ask_plain(heads, &x->retire);
    } else {
        for (uint32_t g = 0; g < cfg->issues; g++) {
            hits |= (uint32_t)x->front[g].want_port << g;
            walks |= (uint32_t)x->rename[g].walk_valid << g;
        }
        rf_wir_checks(&m->retire, of, &x->retire);
        rf_wir_show_read(m, x, rdata);
        rf_wir_ask(&m->retire, of, heads, rdata, hits, walks, &x->retire);
        for (uint32_t g = 0; g < cfg->issues; g++) {
            x->front_in[g].port = x->port_grant[g] >> RF_WIR_PORT_REUSE & 1;
            x->rename_in[g].walk = x->port_grant[g] >> RF_WIR_PORT_WALK & 1;
        }
    }
    rf_wir_ask_banks(cfg, heads, x);
    rf_arbiter_comb(&m->arbiter, ask, &x->arbiter);
    for (uint32_t g = 0; g < cfg->issues; g++)
        reads |= (uint32_t)(x->arbiter.rd_grant >> ((cfg->collectors + g) * cfg->slots) & 1) << g;
    rf_wir_granted(&x->retire, reads, x->arbiter.wr_grant);
}

#endif
