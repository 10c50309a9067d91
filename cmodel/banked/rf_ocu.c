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

/* D-dup: of the unread slots that name one register, the lowest asks. All pairs are compared, without a branch on contents. */
static inline uint32_t asks(const rf_ocu *m, uint32_t slots) {
    const uint32_t open = unread(m);
    uint32_t asking = open;
    for (uint32_t s = 1; s < slots; s++) {
        uint32_t again = 0;
        for (uint32_t i = 0; i < s; i++) again |= open >> i & (uint32_t)(m->src_q[i] == m->src_q[s]);
        asking &= ~(again << s);
    }
    return asking;
}

/* Slots that the grants for `granted` serve: each of these, and the unread ones above it that name its register. */
static inline uint32_t served(const rf_ocu *m, uint32_t granted, uint32_t slots) {
    uint32_t fill = granted;
    for (uint32_t s = 1; s < slots; s++)
        for (uint32_t i = 0; i < s; i++) fill |= (granted >> i & (uint32_t)(m->src_q[i] == m->src_q[s])) << s;
    return fill & unread(m);
}

/* The outputs; `asking` is what asks gives. */
static inline void answer(const rf_ocu *m, uint32_t asking, rf_ocu_out *out, uint32_t slots) {
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
    for (uint32_t s = 0; s < slots; s++) out->data[s] = m->data_q[s];
}

/* The edge; `fill` is what served gives. */
static inline void advance(rf_ocu *m, const rf_ocu_in *in, uint32_t fill, uint32_t slots) {
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
        m->fill_q = in->alloc_fill & in->alloc_src_valid;
        memcpy(m->src_q, in->alloc_src, sizeof m->src_q); /* whole: what stands above `slots` is looked at by nobody */
        memcpy(m->bank_q, in->alloc_bank, sizeof m->bank_q);
        memcpy(m->row_q, in->alloc_row, sizeof m->row_q);
        return;
    }
    if (ready(m)) {
        if (!in->dispatch) return;
        m->busy_q = 0;
        m->src_valid_q = 0;
        m->ready_q = 0;
        return;
    }
    /* Which slots are filled is random: a slot that is not takes its own value again, rather than a branch. */
    for (uint32_t s = 0; s < slots; s++) {
        const rf_vec *const from = (m->fill_q >> s & 1) != 0 ? &in->fill_data[s] : &m->data_q[s];
        m->data_q[s] = *from;
    }
    m->ready_q |= m->fill_q;
    m->fill_q = (uint8_t)fill;
}

void rf_ocu_comb(const rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out) {
    (void)in;
    answer(m, asks(m, m->cfg.slots), out, m->cfg.slots);
}

void rf_ocu_clock(rf_ocu *m, const rf_ocu_in *in) {
    const uint32_t slots = m->cfg.slots;
    advance(m, in, served(m, in->rd_grant & asks(m, slots), slots), slots);
}

static inline void step(rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out, uint32_t slots) {
    const uint32_t asking = asks(m, slots), fill = served(m, in->rd_grant & asking, slots);
    answer(m, asking, out, slots);
    advance(m, in, fill, slots);
}

/* Three slots are the rule: the compiler unrolls that case. */
void rf_ocu_step(rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out) {
    if (m->cfg.slots == 3) step(m, in, out, 3);
    else step(m, in, out, m->cfg.slots);
}
