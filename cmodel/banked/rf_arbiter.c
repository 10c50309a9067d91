/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_arbiter_parts.h"

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
    uint32_t rd_banks, wr_banks; /* banks that are asked for */
    uint64_t rd[RF_BANKS_MAX];   /* per bank: the readers that ask */
    uint8_t wr[RF_BANKS_MAX];    /* per bank: the writers that ask */
} requests;

static inline void sort_by_bank(const rf_arbiter *m, const rf_arbiter_in *in, requests *q) {
    const uint32_t banks = m->cfg.banks;
    q->rd_banks = q->wr_banks = 0;
    memset(q->rd, 0, banks * sizeof q->rd[0]);
    memset(q->wr, 0, sizeof q->wr);
    for (uint32_t left = in->wr_valid; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left), b = in->wr_bank[w];
        if (b >= banks) continue;
        q->wr[b] |= (uint8_t)(1u << w);
        q->wr_banks |= 1u << b;
    }
    for (uint64_t left = in->rd_valid; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), b = in->rd_bank[r];
        if (b >= banks) continue;
        q->rd[b] |= UINT64_C(1) << r;
        q->rd_banks |= 1u << b;
    }
}

void rf_arbiter_comb(const rf_arbiter *m, const rf_arbiter_in *in, rf_arbiter_out *out) {
    requests q;
    sort_by_bank(m, in, &q);
    *out = (rf_arbiter_out){.bank_we = q.wr_banks, .bank_re = m->cfg.ports == 1 ? q.rd_banks & ~q.wr_banks : q.rd_banks};
    for (uint32_t left = out->bank_we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), w = rf_lowest(rf_rr_pick(q.wr[b], m->wr_rr[b].mask_q));
        out->wr_grant |= (uint8_t)(1u << w);
        out->bank_waddr[b] = in->wr_row[w];
        out->bank_wsel[b] = (uint8_t)w;
    }
    for (uint32_t left = out->bank_re; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), r = rf_readers_pick(q.rd[b], m->rd_rr[b].mask_q, m->cfg.slots);
        out->rd_grant |= UINT64_C(1) << r;
        out->bank_raddr[b] = in->rd_row[r];
    }
}

void rf_arbiter_clock(rf_arbiter *m, const rf_arbiter_in *in) {
    rf_arbiter_out out;
    rf_arbiter_step(m, in, &out);
}

void rf_arbiter_step(rf_arbiter *m, const rf_arbiter_in *in, rf_arbiter_out *out) {
    rf_arbiter_comb(m, in, out);
    rf_arbiter_move(m, in, out);
}
