/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_ocu.h"

#include <string.h>

const char *rf_ocu_check(const rf_ocu_cfg *cfg) {
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->rows < 1 || cfg->rows > 1024) return "ROWS must be 1 to 1024";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    return NULL;
}

int rf_ocu_init(rf_ocu *m, const rf_ocu_cfg *cfg) {
    if (rf_ocu_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_ocu_reset(m);
    return 0;
}

void rf_ocu_reset(rf_ocu *m) { *m = (rf_ocu){.cfg = m->cfg}; }

static uint32_t unread(const rf_ocu *m) { return m->src_valid_q & ~((uint32_t)m->fill_q | m->ready_q); }

static bool ready(const rf_ocu *m) { return m->busy_q && (m->src_valid_q & ~(uint32_t)m->ready_q) == 0; }

/* Slots that name the same register as slot `s`, itself included. */
static uint32_t same(const rf_ocu *m, uint32_t s) {
    uint32_t slots = 0;
    for (uint32_t i = 0; i < RF_SLOTS_MAX; i++) slots |= (uint32_t)(m->src_q[i] == m->src_q[s]) << i;
    return slots;
}

/* D-dup: of the unread slots that name one register, the lowest asks. All pairs are compared, without a branch on contents. */
static uint32_t asks(const rf_ocu *m) {
    const uint32_t open = unread(m);
    uint32_t slots = open;
    for (uint32_t s = 1; s < m->cfg.slots; s++) {
        uint32_t again = 0;
        for (uint32_t i = 0; i < s; i++) again |= open >> i & (uint32_t)(m->src_q[i] == m->src_q[s]);
        slots &= ~(again << s);
    }
    return slots;
}

/* The outputs; `asking` is asks(m). */
static inline void answer(const rf_ocu *m, uint32_t asking, rf_ocu_out *out) {
    out->busy = m->busy_q;
    out->ready = ready(m);
    out->rd_valid = (uint8_t)asking;
    memcpy(out->rd_bank, m->bank_q, sizeof out->rd_bank);
    memcpy(out->rd_row, m->row_q, sizeof out->rd_row);
    out->unread = (uint8_t)unread(m);
    memcpy(out->src, m->src_q, sizeof out->src);
    out->fill_valid = m->fill_q;
    out->warp = m->warp_q;
    out->tag = m->tag_q;
    out->port = m->port_q;
    out->mask = m->mask_q;
    out->dst_valid = m->dst_valid_q;
    out->dst = m->dst_q;
    for (uint32_t s = 0; s < m->cfg.slots; s++) out->data[s] = m->data_q[s];
}

/* The edge; `asking` is asks(m), of interest only when something is granted. */
static inline void advance(rf_ocu *m, const rf_ocu_in *in, uint32_t asking) {
    if (!m->busy_q) {
        if (!in->alloc) return;
        m->busy_q = 1;
        m->warp_q = in->alloc_warp;
        m->tag_q = in->alloc_tag;
        m->port_q = in->alloc_port;
        m->mask_q = in->alloc_mask;
        m->dst_valid_q = in->alloc_dst_valid;
        m->dst_q = in->alloc_dst;
        m->src_valid_q = in->alloc_src_valid;
        memcpy(m->src_q, in->alloc_src, m->cfg.slots * sizeof m->src_q[0]);
        memcpy(m->bank_q, in->alloc_bank, m->cfg.slots * sizeof m->bank_q[0]);
        memcpy(m->row_q, in->alloc_row, m->cfg.slots * sizeof m->row_q[0]);
        return;
    }
    if (ready(m)) {
        if (!in->dispatch) return;
        m->busy_q = 0;
        m->src_valid_q = 0;
        m->ready_q = 0;
        return;
    }
    uint32_t fill = 0;
    for (uint32_t granted = in->rd_grant & asking; granted != 0; granted &= granted - 1) fill |= same(m, rf_lowest(granted));
    fill &= unread(m);
    for (uint32_t left = m->fill_q; left != 0; left &= left - 1) m->data_q[rf_lowest(left)] = in->fill_data[rf_lowest(left)];
    m->ready_q |= m->fill_q;
    m->fill_q = (uint8_t)fill;
}
void rf_ocu_comb(const rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out) {
    (void)in;
    answer(m, asks(m), out);
}

void rf_ocu_clock(rf_ocu *m, const rf_ocu_in *in) { advance(m, in, in->rd_grant != 0 ? asks(m) : 0); }

void rf_ocu_step(rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out) {
    const uint32_t asking = asks(m);
    answer(m, asking, out);
    advance(m, in, asking);
}
