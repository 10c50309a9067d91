/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_arbiter_steal.h"

#include "cmodel/banked/rf_readers.h"

#include <string.h>

const char *rf_arbiter_steal_check(const rf_arbiter_steal_cfg *cfg) {
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->writers < 1 || cfg->writers > RF_EXPORTS_MAX) return "WRITERS must be 1 to 8";
    if (cfg->rows < 1 || cfg->rows > 1024) return "ROWS must be 1 to 1024";
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

static inline void sort_by_bank(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, uint32_t bus_taken, requests *q) {
    const uint32_t banks = m->cfg.banks;
    const uint64_t rd_ready = ~in->rd_blocked;
    const uint32_t sr_ready = ~in->sr_blocked, wr_ready = ~(in->wr_blocked | bus_taken);
    uint32_t named = 0, rd_banks = 0, sr_banks = 0, wr_banks = 0;
    memset(q->rd, 0, banks * sizeof q->rd[0]);
    memset(q->sr, 0, banks * sizeof q->sr[0]);
    memset(q->wr, 0, sizeof q->wr);
    for (uint32_t set = in->wr_valid; set != 0; set &= set - 1) {
        const uint32_t w = rf_lowest(set), b = in->wr_bank[w];
        if (b >= banks) continue;
        const uint32_t ready = wr_ready >> w & 1;
        q->wr[b] = (uint8_t)(q->wr[b] | ready << w);
        wr_banks |= ready << b;
        named |= UINT32_C(1) << b;
    }
    for (uint32_t set = in->sr_valid; set != 0; set &= set - 1) {
        const uint32_t s = rf_lowest(set), b = in->sr_bank[s];
        if (b >= banks) continue;
        const uint32_t ready = sr_ready >> s & 1;
        q->sr[b] |= ready << s;
        sr_banks |= ready << b;
        named |= UINT32_C(1) << b;
    }
    for (uint64_t set = in->rd_valid; set != 0; set &= set - 1) {
        const uint32_t r = rf_lowest(set), b = in->rd_bank[r];
        if (b >= banks) continue;
        const uint64_t ready = rd_ready >> r & 1;
        q->rd[b] |= ready << r;
        rd_banks |= (uint32_t)ready << b;
        named |= UINT32_C(1) << b;
    }
    q->named = named;
    q->rd_banks = rd_banks;
    q->sr_banks = sr_banks;
    q->wr_banks = wr_banks;
}

/* The bank, one hot, whose Rfree is read for its write-back, or 0; `linked` without the bank that a return writes. */
static inline uint32_t pick_recall(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, uint32_t linked, uint32_t named) {
    const bool idle_bus = in->wr_valid != rf_mask64(m->cfg.writers);
    uint32_t from = linked & in->force;
    if (from == 0 && idle_bus) from = linked & ~named;
    return (uint32_t)rf_rr_pick(from, m->ret_rr.mask_q);
}

/* What comes back in the next cycle. */
static inline void keep_recall(rf_arbiter_steal *next, const rf_arbiter_steal_in *in, uint32_t recall) {
    next->ret_valid_q = recall != 0;
    if (recall == 0) return;
    const uint32_t b = rf_lowest(recall), idle = ~(uint32_t)in->wr_valid & (uint32_t)rf_mask64(next->cfg.writers);
    next->ret_rr.mask_q = rf_rr_next(recall, next->cfg.banks);
    next->ret_from_q = (uint8_t)b;
    next->ret_bus_q = (uint8_t)(idle != 0 ? rf_lowest(idle) : 0);
    next->ret_bank_q = in->dest_bank[b];
    next->ret_row_q = in->dest_row[b];
}

/* One cycle: the outputs into `out`, the registers after the edge into `next`; either may be NULL. */
static inline void cycle(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, rf_arbiter_steal_out *out,
                         rf_arbiter_steal *next) {
    const uint32_t slots = m->cfg.slots, banks = m->cfg.banks, writers = m->cfg.writers;
    const uint32_t ret_valid = m->ret_valid_q;
    const uint32_t ret_bank = ret_valid << m->ret_bank_q & (uint32_t)rf_mask64(banks);
    requests q;
    sort_by_bank(m, in, ret_valid << m->ret_bus_q, &q);
    const uint32_t recall = in->linked == 0 ? 0 : pick_recall(m, in, in->linked & ~ret_bank, q.named);
    const uint32_t busy = ret_bank | recall;
    if (out != NULL) {
        memset(out->bank_raddr, 0, sizeof out->bank_raddr);
        memset(out->bank_waddr, 0, sizeof out->bank_waddr);
        memset(out->bank_wsel, 0, sizeof out->bank_wsel);
        if (ret_bank != 0) {
            out->bank_waddr[m->ret_bank_q] = m->ret_row_q;
            out->bank_wsel[m->ret_bank_q] = m->ret_bus_q;
        }
        if (recall != 0) out->bank_raddr[rf_lowest(recall)] = in->rfree_row[rf_lowest(recall)];
        out->ret_valid = (uint8_t)ret_valid;
        out->ret_from = (uint8_t)(m->ret_from_q * ret_valid);
        out->ret_bus = (uint8_t)(m->ret_bus_q * ret_valid);
    }

    /* Normal writes; the chosen writers of the other banks contend. */
    const uint32_t contested = q.wr_banks & (q.rd_banks | q.sr_banks | busy);
    uint32_t wr_grant = 0, contenders = 0, we = q.wr_banks & ~contested;
    for (uint32_t set = q.wr_banks; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        const uint32_t grant = (uint32_t)rf_rr_pick(q.wr[b], m->wr_rr[b].mask_q);
        if ((contested >> b & 1) != 0) {
            contenders |= grant;
            continue;
        }
        if (next != NULL) next->wr_rr[b].mask_q = rf_rr_next(grant, writers);
        if (out == NULL) continue;
        const uint32_t w = rf_lowest(grant);
        wr_grant |= grant;
        out->bank_waddr[b] = in->wr_row[w];
        out->bank_wsel[b] = (uint8_t)w;
    }

    /* Stealing writes and forced ones. */
    uint32_t places = in->usable & ~(q.named | busy), place_mask = m->place_q, link = 0, stolen = 0, forced = 0, taken = 0;
    for (uint32_t set = contenders; set != 0; set &= set - 1) {
        const uint32_t w = rf_lowest(set), b = in->wr_bank[w], bit = set & (~set + 1);
        uint32_t to = b;
        uint16_t row = in->wr_row[w];
        if ((in->wr_full & bit) != 0 && places != 0) {
            const uint32_t place = (uint32_t)rf_rr_pick(places, place_mask);
            place_mask = (uint32_t)rf_rr_next(place, banks);
            places &= ~place;
            link |= place;
            stolen |= bit;
            to = rf_lowest(place);
            row = in->rfree_row[to];
        } else {
            if ((busy >> b & 1) != 0) continue;
            taken |= UINT32_C(1) << b;
            forced |= bit;
        }
        if (next != NULL) next->wr_rr[b].mask_q = rf_rr_next(bit, writers);
        if (out == NULL) continue;
        out->bank_waddr[to] = row;
        out->bank_wsel[to] = (uint8_t)w;
    }
    we |= ret_bank | link | taken;

    const uint32_t blocked = busy | taken;
    const uint32_t rd_banks = q.rd_banks & ~blocked, sr_banks = q.sr_banks & ~(q.rd_banks | blocked);
    uint64_t rd_grant = 0;
    for (uint32_t set = rd_banks; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        const uint64_t grant = rf_readers_pick(q.rd[b], m->rd_rr[b].mask_q, slots);
        const uint32_t reader = rf_lowest(grant);
        if (next != NULL)
            next->rd_rr[b].mask_q = rf_rr_next(UINT64_C(1) << rf_readers_collector(reader, slots), m->cfg.collectors);
        if (out == NULL) continue;
        rd_grant |= grant;
        out->bank_raddr[b] = in->rd_row[reader];
    }
    if (out != NULL) {
        uint32_t sr_grant = 0;
        for (uint32_t set = sr_banks; set != 0; set &= set - 1) {
            const uint32_t b = rf_lowest(set), s = rf_lowest(q.sr[b]);
            sr_grant |= UINT32_C(1) << s;
            out->bank_raddr[b] = in->sr_row[s];
        }
        out->rd_grant = rd_grant;
        out->sr_grant = sr_grant;
        out->wr_grant = (uint8_t)(wr_grant | stolen | forced);
        out->wr_stolen = (uint8_t)stolen;
        out->wr_forced = (uint8_t)forced;
        out->bank_re = rd_banks | sr_banks | recall;
        out->bank_we = we;
        out->link = link;
        out->recall = recall;
    }
    if (next == NULL) return;
    next->place_q = place_mask;
    keep_recall(next, in, recall);
}

void rf_arbiter_steal_comb(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, rf_arbiter_steal_out *out) {
    cycle(m, in, out, NULL);
}

void rf_arbiter_steal_clock(rf_arbiter_steal *m, const rf_arbiter_steal_in *in) { cycle(m, in, NULL, m); }

void rf_arbiter_steal_step(rf_arbiter_steal *m, const rf_arbiter_steal_in *in, rf_arbiter_steal_out *out) {
    cycle(m, in, out, m);
}
