/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_arbiter.h"

#include "cmodel/banked/rf_readers.h"

#include <string.h>

const char *rf_arbiter_check(const rf_arbiter_cfg *cfg) {
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->writers < 1 || cfg->writers > RF_EXPORTS_MAX) return "WRITERS must be 1 to 8";
    if (cfg->rows < 1 || cfg->rows > 1024) return "ROWS must be 1 to 1024";
    if (cfg->ports < 1 || cfg->ports > 2) return "PORTS must be 1 or 2";
    return NULL;
}

int rf_arbiter_init(rf_arbiter *m, const rf_arbiter_cfg *cfg) {
    if (rf_arbiter_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) {
        m->rd_rr[b].cfg.n = cfg->collectors;
        m->wr_rr[b].cfg.n = cfg->writers;
    }
    rf_arbiter_reset(m);
    return 0;
}

void rf_arbiter_reset(rf_arbiter *m) {
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) {
        rf_rr_reset(&m->rd_rr[b]);
        rf_rr_reset(&m->wr_rr[b]);
    }
}

/* The requests of a cycle by bank; `rd` and `wr` hold 0 for a bank that nobody asks for. */
typedef struct requests {
    uint32_t rd_banks, wr_banks; /* banks that serve a read, a write */
    uint64_t rd[RF_BANKS_MAX];   /* per bank: the readers that ask */
    uint8_t wr[RF_BANKS_MAX];    /* per bank: the writers that ask */
} requests;

static inline void sort_by_bank(const rf_arbiter *m, const rf_arbiter_in *in, requests *q) {
    const uint32_t banks = m->cfg.banks;
    uint32_t rd_banks = 0, wr_banks = 0;
    memset(q->rd, 0, banks * sizeof q->rd[0]);
    memset(q->wr, 0, sizeof q->wr);
    for (uint32_t set = in->wr_valid; set != 0; set &= set - 1) {
        const uint32_t b = in->wr_bank[rf_lowest(set)];
        if (b >= banks) continue;
        q->wr[b] = (uint8_t)(q->wr[b] | (set & (~set + 1)));
        wr_banks |= UINT32_C(1) << b;
    }
    for (uint64_t set = in->rd_valid; set != 0; set &= set - 1) {
        const uint32_t b = in->rd_bank[rf_lowest(set)];
        if (b >= banks) continue;
        q->rd[b] |= set & (~set + 1);
        rd_banks |= UINT32_C(1) << b;
    }
    q->wr_banks = wr_banks;
    q->rd_banks = m->cfg.ports == 1 ? rd_banks & ~wr_banks : rd_banks;
}

/* One cycle: the outputs into `out`, the pointers after the edge into `next`; either may be NULL. */
static inline void cycle(const rf_arbiter *m, const rf_arbiter_in *in, rf_arbiter_out *out, rf_arbiter *next) {
    const uint32_t slots = m->cfg.slots;
    requests q;
    sort_by_bank(m, in, &q);
    if (out != NULL) {
        memset(out->bank_raddr, 0, sizeof out->bank_raddr);
        memset(out->bank_waddr, 0, sizeof out->bank_waddr);
        memset(out->bank_wsel, 0, sizeof out->bank_wsel);
    }
    uint64_t rd_grant = 0, wr_grant = 0;
    for (uint32_t set = q.wr_banks; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        const uint64_t grant = rf_rr_pick(q.wr[b], m->wr_rr[b].mask_q);
        if (next != NULL) next->wr_rr[b].mask_q = rf_rr_next(grant, m->cfg.writers);
        if (out == NULL) continue;
        const uint32_t writer = rf_lowest(grant);
        wr_grant |= grant;
        out->bank_waddr[b] = in->wr_row[writer];
        out->bank_wsel[b] = (uint8_t)writer;
    }
    for (uint32_t set = q.rd_banks; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        const uint64_t grant = rf_readers_pick(q.rd[b], m->rd_rr[b].mask_q, slots);
        const uint32_t reader = rf_lowest(grant);
        if (next != NULL)
            next->rd_rr[b].mask_q = rf_rr_next(UINT64_C(1) << rf_readers_collector(reader, slots), m->cfg.collectors);
        if (out == NULL) continue;
        rd_grant |= grant;
        out->bank_raddr[b] = in->rd_row[reader];
    }
    if (out == NULL) return;
    out->rd_grant = rd_grant;
    out->wr_grant = (uint8_t)wr_grant;
    out->bank_we = q.wr_banks;
    out->bank_re = q.rd_banks;
}

void rf_arbiter_comb(const rf_arbiter *m, const rf_arbiter_in *in, rf_arbiter_out *out) { cycle(m, in, out, NULL); }

void rf_arbiter_clock(rf_arbiter *m, const rf_arbiter_in *in) { cycle(m, in, NULL, m); }

void rf_arbiter_step(rf_arbiter *m, const rf_arbiter_in *in, rf_arbiter_out *out) { cycle(m, in, out, m); }
