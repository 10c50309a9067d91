/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_arbiter_steal_parts.h"

#include <string.h>

const char *rf_arbiter_steal_check(const rf_arbiter_steal_cfg *cfg) {
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->writers < 1 || cfg->writers > RF_EXPORTS_MAX) return "WRITERS must be 1 to 8";
    if (cfg->rows < 1 || cfg->rows > 1024) return "ROWS must be 1 to 1024";
    if (cfg->yield > 1) return "YIELD must be 0 or 1";
    return NULL;
}

int rf_arbiter_steal_init(rf_arbiter_steal *m, const rf_arbiter_steal_cfg *cfg) {
    if (rf_arbiter_steal_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) {
        m->rd_rr[b].cfg.n = cfg->collectors;
        m->wr_rr[b].cfg.n = cfg->writers;
    }
    m->ret_rr.cfg.n = cfg->banks;
    rf_arbiter_steal_reset(m);
    return 0;
}

void rf_arbiter_steal_reset(rf_arbiter_steal *m) {
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) {
        rf_rr_reset(&m->rd_rr[b]);
        rf_rr_reset(&m->wr_rr[b]);
    }
    rf_rr_reset(&m->ret_rr);
    m->place_q = 0;
    m->ret_valid_q = 0;
    m->ret_from_q = 0;
    m->ret_bus_q = 0;
    m->ret_bank_q = 0;
    m->ret_row_q = 0;
}

/* The requests of a cycle by bank; `rd`, `sr` and `wr` hold 0 for a bank that nobody asks for. */
typedef struct requests {
    uint32_t named;                        /* banks of valid requests, also of those that may not ask */
    uint32_t rd_banks, sr_banks, wr_banks; /* banks that are asked for */
    uint64_t rd[RF_BANKS_MAX];             /* per bank: the readers that ask */
    uint32_t sr[RF_BANKS_MAX];             /* per bank: the stealers that ask */
    uint8_t wr[RF_BANKS_MAX];              /* per bank: the writers that ask */
} requests;

static inline void sort_by_bank(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, requests *q) {
    const uint32_t banks = m->cfg.banks, bus_taken = m->ret_valid_q ? 1u << m->ret_bus_q : 0;
    const uint32_t wr_ready = ~(in->wr_blocked | bus_taken);
    q->named = q->rd_banks = q->sr_banks = q->wr_banks = 0;
    memset(q->rd, 0, banks * sizeof q->rd[0]);
    memset(q->sr, 0, banks * sizeof q->sr[0]);
    memset(q->wr, 0, sizeof q->wr);
    for (uint32_t left = in->wr_valid; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left), b = in->wr_bank[w];
        if (b >= banks) continue;
        q->named |= 1u << b;
        if ((wr_ready >> w & 1) == 0) continue;
        q->wr[b] |= (uint8_t)(1u << w);
        q->wr_banks |= 1u << b;
    }
    for (uint32_t left = in->sr_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), b = in->sr_bank[s];
        if (b >= banks) continue;
        q->named |= 1u << b;
        if ((in->sr_blocked >> s & 1) != 0) continue;
        q->sr[b] |= 1u << s;
        q->sr_banks |= 1u << b;
    }
    for (uint64_t left = in->rd_valid; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), b = in->rd_bank[r];
        if (b >= banks) continue;
        q->named |= 1u << b;
        if ((in->rd_blocked >> r & 1) != 0) continue;
        q->rd[b] |= UINT64_C(1) << r;
        q->rd_banks |= 1u << b;
    }
    if (m->cfg.yield != 0) q->sr_banks &= ~q->wr_banks;
}

/* Return: what comes back is written to its Rdest. */
static inline void put_back(const rf_arbiter_steal *m, rf_arbiter_steal_out *out) {
    if (!m->ret_valid_q) return;
    out->ret_valid = 1;
    out->ret_from = m->ret_from_q;
    out->ret_bus = m->ret_bus_q;
    if (m->ret_bank_q >= m->cfg.banks) return;
    out->bank_we |= 1u << m->ret_bank_q;
    out->bank_waddr[m->ret_bank_q] = m->ret_row_q;
    out->bank_wsel[m->ret_bank_q] = m->ret_bus_q;
}

/* Recall: forced, or else voluntary. `out` has the return. */
static inline void recall(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const requests *q,
                          rf_arbiter_steal_out *out) {
    const bool idle_bus = in->wr_valid != rf_mask64(m->cfg.writers);
    const uint32_t linked = in->linked & ~out->bank_we, forced = linked & in->force;
    const uint32_t from = forced != 0 ? forced : idle_bus ? linked & ~q->named : 0;
    if (from == 0) return;
    out->recall = (uint32_t)rf_rr_pick(from, m->ret_rr.mask_q);
    out->bank_re |= out->recall;
    out->bank_raddr[rf_lowest(out->recall)] = in->rfree_row[rf_lowest(out->recall)];
}

static inline void write(rf_arbiter_steal_out *out, uint32_t w, uint32_t bank, uint16_t row) {
    out->wr_grant |= (uint8_t)(1u << w);
    out->bank_we |= 1u << bank;
    out->bank_waddr[bank] = row;
    out->bank_wsel[bank] = (uint8_t)w;
}

/* Writes; `busy`: banks with a return or a recall. Returns the banks that forced writes take from reads and steals. */
static inline uint32_t writes(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const requests *q, uint32_t busy,
                              rf_arbiter_steal_out *out) {
    const uint32_t contested = q->rd_banks | q->sr_banks | busy;
    uint32_t contenders = 0, places = in->usable & ~(q->named | busy), place_mask = m->place_q, taken = 0;
    for (uint32_t left = q->wr_banks; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), w = rf_lowest(rf_rr_pick(q->wr[b], m->wr_rr[b].mask_q));
        if ((contested >> b & 1) != 0) contenders |= 1u << w;
        else write(out, w, b, in->wr_row[w]);
    }
    for (uint32_t left = contenders; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left), b = in->wr_bank[w];
        if ((in->wr_full >> w & 1) != 0 && places != 0) {
            const uint32_t place = (uint32_t)rf_rr_pick(places, place_mask);
            place_mask = (uint32_t)rf_rr_next(place, m->cfg.banks);
            places &= ~place;
            out->link |= place;
            out->wr_stolen |= (uint8_t)(1u << w);
            write(out, w, rf_lowest(place), in->rfree_row[rf_lowest(place)]);
        } else if ((busy >> b & 1) == 0) {
            taken |= 1u << b;
            out->wr_forced |= (uint8_t)(1u << w);
            write(out, w, b, in->wr_row[w]);
        }
    }
    return taken;
}

/* Reads, then steals; `blocked`: banks that neither may have. */
static inline void reads(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const requests *q, uint32_t blocked,
                         rf_arbiter_steal_out *out) {
    const uint32_t rd_banks = q->rd_banks & ~blocked, sr_banks = q->sr_banks & ~(q->rd_banks | blocked);
    for (uint32_t left = rd_banks; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), r = rf_readers_pick(q->rd[b], m->rd_rr[b].mask_q, m->cfg.slots);
        out->rd_grant |= UINT64_C(1) << r;
        out->bank_raddr[b] = in->rd_row[r];
    }
    for (uint32_t left = sr_banks; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), s = rf_lowest(q->sr[b]);
        out->sr_grant |= 1u << s;
        out->bank_raddr[b] = in->sr_row[s];
    }
    out->bank_re |= rd_banks | sr_banks;
}

void rf_arbiter_steal_comb(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, rf_arbiter_steal_out *out) {
    requests q;
    sort_by_bank(m, in, &q);
    *out = (rf_arbiter_steal_out){0};
    put_back(m, out);
    recall(m, in, &q, out);
    const uint32_t busy = out->bank_we | out->recall;
    reads(m, in, &q, busy | writes(m, in, &q, busy, out), out);
}

void rf_arbiter_steal_clock(rf_arbiter_steal *m, const rf_arbiter_steal_in *in) {
    rf_arbiter_steal_out out;
    rf_arbiter_steal_step(m, in, &out);
}

void rf_arbiter_steal_step(rf_arbiter_steal *m, const rf_arbiter_steal_in *in, rf_arbiter_steal_out *out) {
    rf_arbiter_steal_comb(m, in, out);
    rf_arbiter_steal_move(m, in, out);
}
