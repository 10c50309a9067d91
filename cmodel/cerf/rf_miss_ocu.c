/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_miss_ocu_parts.h"

const char *rf_miss_ocu_check(const rf_miss_ocu_cfg *cfg) {
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    return NULL;
}

int rf_miss_ocu_init(rf_miss_ocu *m, const rf_miss_ocu_cfg *cfg) {
    if (rf_miss_ocu_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_miss_ocu_reset(m);
    return 0;
}

void rf_miss_ocu_reset(rf_miss_ocu *m) { *m = (rf_miss_ocu){.cfg = m->cfg}; }

void rf_miss_ocu_comb(const rf_miss_ocu *m, const rf_miss_ocu_in *in, rf_miss_ocu_out *out) {
    const uint32_t asking = rf_miss_ocu_asks(m);
    (void)in;
    out->busy = m->busy_q;
    out->ready = rf_miss_ocu_ready(m);
    out->rd_valid = (uint8_t)asking;
    memcpy(out->rd_number, m->number_q, sizeof out->rd_number);
    out->rd_last = (uint8_t)rf_miss_ocu_last(m, asking);
    out->unread = (uint8_t)rf_miss_ocu_unread(m);
    memcpy(out->src, m->src_q, sizeof out->src);
    out->warp = (uint8_t)m->carried_q.warp;
    out->port = m->port_q;
    out->carried = m->carried_q;
    for (uint32_t s = 0; s < m->cfg.slots; s++) out->data[s] = m->data_q[s];
}

/* The edge; `asking` is rf_miss_ocu_asks. */
static inline void advance(rf_miss_ocu *m, const rf_miss_ocu_in *in, uint32_t asking) {
    const bool ready = rf_miss_ocu_ready(m), take = in->alloc && !m->busy_q;
    const uint32_t comes = in->fill == 0 ? 0 : in->fill & rf_miss_ocu_awaited(m);
    for (uint32_t left = comes; left != 0; left &= left - 1)
        rf_miss_ocu_fill(m, rf_lowest(left), &in->fill_data[rf_lowest(left)]);
    rf_miss_ocu_accept(m, in->rd_accept & asking);
    if (take) rf_miss_ocu_take(m, &in->alloc_inst, in->alloc_number, in->alloc_last);
    if (ready && in->dispatch) rf_miss_ocu_dispatch(m);
}

void rf_miss_ocu_clock(rf_miss_ocu *m, const rf_miss_ocu_in *in) { advance(m, in, rf_miss_ocu_asks(m)); }

void rf_miss_ocu_step(rf_miss_ocu *m, const rf_miss_ocu_in *in, rf_miss_ocu_out *out) {
    rf_miss_ocu_comb(m, in, out);
    advance(m, in, out->rd_valid);
}
