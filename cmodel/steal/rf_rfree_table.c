/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_rfree_table.h"

#include <string.h>

const char *rf_rfree_table_check(const rf_rfree_table_cfg *cfg) {
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->per_warp < 1 || cfg->per_warp > 256) return "PER_WARP must be 1 to 256";
    if (cfg->warps * cfg->per_warp > 1024) return "WARPS x PER_WARP must be at most 1024";
    if (cfg->readers < 1 || cfg->readers > RF_READERS_MAX) return "READERS must be 1 to 64";
    if (cfg->stealers < 1 || cfg->stealers > RF_STEALERS_MAX) return "STEALERS must be 1 to 32";
    if (cfg->writers < 1 || cfg->writers > RF_EXPORTS_MAX) return "WRITERS must be 1 to 8";
    if (cfg->drops < 1 || cfg->drops > RF_ISSUES_MAX) return "DROPS must be 1 to 4";
    if (cfg->names < 1 || cfg->names > RF_NAMES_MAX) return "NAMES must be 1 to 16";
    return NULL;
}

int rf_rfree_table_init(rf_rfree_table *m, const rf_rfree_table_cfg *cfg) {
    if (rf_rfree_table_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_rfree_table_reset(m);
    return 0;
}

void rf_rfree_table_reset(rf_rfree_table *m) {
    m->f_q = 0;
    m->m_q = 0;
    memset(m->rfree_q, 0, sizeof m->rfree_q);
    memset(m->dest_bank_q, 0, sizeof m->dest_bank_q);
    memset(m->dest_row_q, 0, sizeof m->dest_row_q);
}

/* The banks whose free register's warp starts in this cycle. */
static inline uint32_t taken_by_launch(const rf_rfree_table *m, uint64_t launch) {
    uint32_t taken = 0;
    if (launch == 0) return 0;
    for (uint32_t set = m->f_q; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set), w = m->rfree_q[b] / m->cfg.per_warp;
        if (w < RF_WARPS_MAX && (launch >> w & 1) != 0) taken |= 1u << b;
    }
    return taken;
}

/* The accesses among `valid` to the register `of_row` of `of_bank`. */
static inline uint64_t accesses_of(uint32_t of_bank, uint32_t of_row, uint64_t valid, const uint8_t *bank, const uint16_t *row) {
    uint64_t hit = 0;
    for (uint64_t set = valid; set != 0; set &= set - 1) {
        const uint32_t i = rf_lowest(set);
        hit |= (uint64_t)((bank[i] == of_bank) & (row[i] == of_row)) << i;
    }
    return hit;
}

/* What waits for the linked registers. Returns the banks whose Rfree is a linked Rdest. */
static inline uint32_t dependences(const rf_rfree_table *m, const rf_rfree_table_in *in, rf_rfree_table_out *out) {
    uint32_t awaited = 0;
    out->force = m->m_q & ~m->f_q;
    for (uint32_t set = m->m_q; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set), bank = m->dest_bank_q[b], row = m->dest_row_q[b];
        const uint64_t rd = accesses_of(bank, row, in->rd_valid, in->rd_bank, in->rd_row);
        const uint64_t wr = accesses_of(bank, row, in->wr_valid, in->wr_bank, in->wr_row) |
                            accesses_of(b, m->rfree_q[b], in->wr_valid, in->wr_bank, in->wr_row);
        out->rd_blocked |= rd;
        out->wr_blocked |= (uint8_t)wr;
        out->sr_blocked |= (uint32_t)accesses_of(bank, row, in->sr_valid, in->sr_bank, in->sr_row);
        if ((rd | wr) != 0) out->force |= 1u << b;
        if (m->rfree_q[bank] == row) awaited |= 1u << bank; /* a bank that does not exist has a row too, and no f */
    }
    return awaited;
}

static inline void outputs(const rf_rfree_table *m, const rf_rfree_table_in *in, uint32_t launched, rf_rfree_table_out *out) {
    out->rd_blocked = 0;
    out->sr_blocked = 0;
    out->wr_blocked = 0;
    out->usable = m->f_q & ~m->m_q & ~launched & ~dependences(m, in, out);
    out->linked = m->m_q;
    memcpy(out->rfree_row, m->rfree_q, sizeof out->rfree_row);
    memcpy(out->dest_bank, m->dest_bank_q, sizeof out->dest_bank);
    memcpy(out->dest_row, m->dest_row_q, sizeof out->dest_row);
}

static inline void edge(rf_rfree_table *m, const rf_rfree_table_in *in, uint32_t launched) {
    const uint32_t banks = m->cfg.banks, linked = (m->m_q & ~in->clear) | in->link;
    uint32_t f = m->f_q & ~launched;
    m->m_q = linked;
    for (uint32_t set = in->link; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        m->dest_bank_q[b] = in->link_bank[b];
        m->dest_row_q[b] = in->link_row[b];
    }
    for (uint32_t set = in->drop_valid; set != 0; set &= set - 1) {
        const uint32_t d = rf_lowest(set), b = in->drop_bank[d]; /* one that does not exist has no f */
        if (m->rfree_q[b] == in->drop_row[d]) f &= ~(1u << b);
    }
    for (uint32_t set = in->name_valid; set != 0; set &= set - 1) {
        const uint32_t n = rf_lowest(set), b = in->name_bank[n];
        if (b >= banks || (linked >> b & 1) != 0) continue;
        m->rfree_q[b] = in->name_row[n];
        f |= UINT32_C(1) << b;
    }
    m->f_q = f;
}

void rf_rfree_table_comb(const rf_rfree_table *m, const rf_rfree_table_in *in, rf_rfree_table_out *out) {
    outputs(m, in, taken_by_launch(m, in->launch), out);
}

void rf_rfree_table_clock(rf_rfree_table *m, const rf_rfree_table_in *in) { edge(m, in, taken_by_launch(m, in->launch)); }

void rf_rfree_table_step(rf_rfree_table *m, const rf_rfree_table_in *in, rf_rfree_table_out *out) {
    const uint32_t launched = taken_by_launch(m, in->launch);
    outputs(m, in, launched, out);
    edge(m, in, launched);
}
