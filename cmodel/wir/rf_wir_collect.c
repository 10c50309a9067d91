/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_collect.h"

#include "cmodel/wir/rf_wir_collect_parts.h"

const char *rf_wir_collect_check(const rf_wir_collect_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->collectors < 1 || cfg->collectors >= RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 15";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX || (cfg->banks & (cfg->banks - 1)) != 0)
        return "BANKS must be a power of two from 1 to 32";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX || cfg->pregs % cfg->banks != 0)
        return "PREGS must be 2 to 1024, a multiple of BANKS";
    if (cfg->infow < 1 || cfg->infow > 32) return "INFOW must be 1 to 32";
    return NULL;
}

int rf_wir_collect_init(rf_wir_collect *m, const rf_wir_collect_cfg *cfg) {
    if (rf_wir_collect_check(cfg) != NULL) return RF_E_CONFIG;
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++)
        bad |= rf_ocu_init(&m->ocu[c], &(rf_ocu_cfg){.slots = cfg->slots,
                                                     .lanes = cfg->lanes,
                                                     .warps = cfg->warps,
                                                     .regs = cfg->regs,
                                                     .banks = cfg->banks,
                                                     .rows = cfg->pregs / cfg->banks,
                                                     .exports = cfg->exports});
    bad |= rf_ocu_alloc_init(&m->alloc, &(rf_ocu_alloc_cfg){.collectors = cfg->collectors, .issues = cfg->issues});
    bad |= rf_dispatch_init(&m->dispatch, &(rf_dispatch_cfg){.collectors = cfg->collectors, .exports = cfg->exports});
    memset(m->zero_q, 0, sizeof m->zero_q);
    memset(m->info_q, 0, sizeof m->info_q);
    return bad;
}

/* Only what the configuration has: the rest stays as init left it. */
void rf_wir_collect_reset(rf_wir_collect *m) {
    for (uint32_t c = 0; c < m->cfg.collectors; c++) rf_ocu_reset(&m->ocu[c]);
    rf_dispatch_reset(&m->dispatch);
    memset(m->zero_q, 0, sizeof m->zero_q);
    memset(m->info_q, 0, sizeof m->info_q);
}

/* What a cycle decides: the collectors' requests, who gets a collector, what is offered but for the operands. */
typedef struct cycle {
    rf_wir_collected now;
    rf_ocu_alloc_out alloc;
    rf_dispatch_out dispatch;
    uint8_t bank[RF_READERS_MAX];
    uint16_t row[RF_READERS_MAX];
} cycle;

static void decide(const rf_wir_collect *m, const rf_wir_collect_in *in, cycle *c) {
    rf_dispatch_in offer = {.ex_ready = in->ex_ready};
    c->now = rf_wir_collectors(m, &m->cfg, offer.port, c->bank, c->row);
    rf_ocu_alloc_comb(&m->alloc, &(rf_ocu_alloc_in){.busy = (uint16_t)c->now.busy, .req = in->req}, &c->alloc);
    offer.ready = (uint16_t)c->now.collected;
    rf_dispatch_comb(&m->dispatch, &offer, &c->dispatch);
}

/* What the readers say: also those of collectors that are not busy. */
static void show_readers(const rf_wir_collect *m, rf_wir_collect_out *out) {
    const uint32_t slots = m->cfg.slots;
    out->unread = out->fill_valid = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        out->unread |= (uint64_t)rf_ocu_unread(u) << (c * slots);
        out->fill_valid |= (uint64_t)u->fill_q << (c * slots);
        for (uint32_t s = 0; s < slots; s++) {
            const uint32_t r = c * slots + s;
            out->reader_warp[r] = (uint8_t)u->carried_q.warp;
            out->reader_reg[r] = u->src_q[s];
            out->rd_bank[r] = u->bank_q[s];
            out->rd_row[r] = u->row_q[s];
        }
    }
}

static void drive_outputs(const rf_wir_collect *m, const cycle *c, rf_wir_collect_out *out) {
    rf_wir_deliver(m, &m->cfg, &c->dispatch, out->ex_data);
    out->grant = c->alloc.grant;
    out->rd_valid = c->now.asks;
    show_readers(m, out);
    out->ex_valid = c->dispatch.ex_valid;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const uint32_t from = c->dispatch.ex_sel[e];
        rf_stage_show(&out->offers, e, &m->ocu[from].carried_q);
        out->ex_info[e] = (out->ex_valid >> e & 1) != 0 ? m->info_q[from] : 0;
    }
}

static void edge(rf_wir_collect *m, const rf_wir_collect_in *in, const cycle *c) {
    const uint32_t slots = m->cfg.slots;
    const uint64_t granted = in->rd_grant & c->now.asks;
    for (uint32_t left = c->now.busy; left != 0; left &= left - 1) {
        const uint32_t i = rf_lowest(left);
        rf_ocu *u = &m->ocu[i];
        for (uint32_t fill = u->fill_q; fill != 0; fill &= fill - 1)
            rf_ocu_fill(u, rf_lowest(fill), &in->fill_data[i * slots + rf_lowest(fill)]);
        rf_wir_move_collector(m, &m->cfg, i, granted, c->dispatch.grant);
    }
    for (uint32_t left = c->alloc.alloc; left != 0; left &= left - 1) {
        const uint32_t i = rf_lowest(left), g = c->alloc.which[i];
        rf_wir_load(m, &m->cfg, i, &in->lane[g], in->lane_info[g]);
    }
    rf_dispatch_move(&m->dispatch, &c->dispatch, in->ex_ready);
}

void rf_wir_collect_comb(const rf_wir_collect *m, const rf_wir_collect_in *in, rf_wir_collect_out *out) {
    cycle c;
    decide(m, in, &c);
    drive_outputs(m, &c, out);
}

void rf_wir_collect_clock(rf_wir_collect *m, const rf_wir_collect_in *in) {
    cycle c;
    decide(m, in, &c);
    edge(m, in, &c);
}

void rf_wir_collect_step(rf_wir_collect *m, const rf_wir_collect_in *in, rf_wir_collect_out *out) {
    cycle c;
    decide(m, in, &c);
    drive_outputs(m, &c, out);
    edge(m, in, &c);
}
