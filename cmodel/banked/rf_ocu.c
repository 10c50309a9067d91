/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_ocu_parts.h"

const char *rf_ocu_check(const rf_ocu_cfg *cfg) {
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->rows < 1 || cfg->rows > 1024) return "ROWS must be 1 to 1024";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->serial > 1) return "SERIAL must be 0 or 1";
    return NULL;
}

int rf_ocu_init(rf_ocu *m, const rf_ocu_cfg *cfg) {
    if (rf_ocu_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_ocu_reset(m);
    return 0;
}

void rf_ocu_reset(rf_ocu *m) { *m = (rf_ocu){.cfg = m->cfg}; }

void rf_ocu_comb(const rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out) {
    (void)in;
    out->busy = m->busy_q;
    out->ready = rf_ocu_ready(m);
    out->rd_valid = (uint8_t)rf_ocu_asks(m);
    memcpy(out->rd_bank, m->bank_q, sizeof out->rd_bank);
    memcpy(out->rd_row, m->row_q, sizeof out->rd_row);
    out->unread = (uint8_t)rf_ocu_unread(m);
    memcpy(out->src, m->src_q, sizeof out->src);
    out->fill_valid = m->fill_q;
    out->warp = (uint8_t)m->carried_q.warp;
    out->port = m->port_q;
    out->carried = m->carried_q;
    for (uint32_t s = 0; s < m->cfg.slots; s++) out->data[s] = m->data_q[s];
}

/* The edge; `asking` is rf_ocu_asks. */
static inline void advance(rf_ocu *m, const rf_ocu_in *in, uint32_t asking) {
    const bool ready = rf_ocu_ready(m), take = in->alloc && !m->busy_q;
    const uint32_t served = rf_ocu_served(m, in->rd_grant & asking);
    for (uint32_t left = m->fill_q; left != 0; left &= left - 1) rf_ocu_fill(m, rf_lowest(left), &in->fill_data[rf_lowest(left)]);
    rf_ocu_move(m, served);
    if (take) rf_ocu_take(m, &in->alloc_inst, in->alloc_bank, in->alloc_row, in->alloc_fill);
    if (ready && in->dispatch) rf_ocu_dispatch(m);
}

void rf_ocu_clock(rf_ocu *m, const rf_ocu_in *in) { advance(m, in, rf_ocu_asks(m)); }

void rf_ocu_step(rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out) {
    rf_ocu_comb(m, in, out);
    advance(m, in, out->rd_valid);
}
