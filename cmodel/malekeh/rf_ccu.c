/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/malekeh/rf_ccu_parts.h"

const char *rf_ccu_check(const rf_ccu_cfg *cfg) {
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->entries < 2 || cfg->entries > RF_CCU_ENTRIES_MAX || cfg->entries < cfg->slots)
        return "ENTRIES must be 2 to 8 and at least SLOTS";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->rows < 1 || cfg->rows > 1024) return "ROWS must be 1 to 1024";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->cache > 1) return "CACHE must be 0 or 1";
    if (cfg->bow > 1) return "BOW must be 0 or 1";
    if (cfg->serial > 1) return "SERIAL must be 0 or 1";
    return NULL;
}

int rf_ccu_init(rf_ccu *m, const rf_ccu_cfg *cfg) {
    if (rf_ccu_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_ccu_reset(m);
    return 0;
}

void rf_ccu_reset(rf_ccu *m) { *m = (rf_ccu){.cfg = m->cfg, .ct_lru_q = {0, 1, 2, 3, 4, 5, 6, 7}}; }

static uint32_t port_d_of(const rf_ccu *m, const rf_ccu_in *in, uint32_t counts, bool take) {
    return rf_ccu_port_d(m, counts, in->wr_near, in->wr_reg, take, in->alloc_dst_near);
}

void rf_ccu_comb(const rf_ccu *m, const rf_ccu_in *in, rf_ccu_out *out) {
    uint8_t entry[RF_SLOTS_MAX];
    const bool take = in->alloc && !m->busy_q;
    const uint32_t port_d = port_d_of(m, in, rf_ccu_results(m, in->wr_valid, in->wr_warp, in->wr_mask), take);
    const rf_stage_instr *new = &in->alloc_inst;
    out->busy = m->busy_q;
    out->ready = rf_ccu_ready(m);
    out->rd_valid = (uint8_t)rf_ccu_asks(m);
    memcpy(out->rd_bank, m->bank_q, sizeof out->rd_bank);
    memcpy(out->rd_row, m->row_q, sizeof out->rd_row);
    out->unread = (uint8_t)rf_ccu_unread(m);
    out->fill_valid = m->fill_q;
    out->warp = (uint8_t)m->carried_q.warp;
    out->port = m->port_q;
    out->carried = m->carried_q;
    out->dst_near = m->dst_near_q;
    out->owned = m->owned_q;
    out->held = rf_ccu_held(m);
    out->near = rf_ccu_near(m);
    out->hit = (uint8_t)(take ? rf_ccu_lookup(m, new->warp, in->flush, new->src_valid, new->src, entry) : 0);
    out->d_valid = port_d != 0;
    out->d_sel = (uint8_t)(port_d != 0 ? rf_lowest(port_d) : 0);
    for (uint32_t s = 0; s < m->cfg.slots; s++) {
        out->src[s] = rf_ccu_src(m, s);
        out->data[s] = *rf_ccu_operand(m, s);
    }
}

void rf_ccu_clock(rf_ccu *m, const rf_ccu_in *in) {
    const bool ready = rf_ccu_ready(m), take = in->alloc && !m->busy_q;
    const uint32_t counts = rf_ccu_results(m, in->wr_valid, in->wr_warp, in->wr_mask);
    const uint32_t served = rf_ccu_served(m, in->rd_grant & rf_ccu_asks(m));
    const uint32_t port_d = port_d_of(m, in, counts, take);
    const bool write = counts != 0 && !in->flush && !(take && in->alloc_inst.warp != m->carried_q.warp);
    for (uint32_t left = m->fill_q; left != 0; left &= left - 1) rf_ccu_fill(m, rf_lowest(left), &in->fill_data[rf_lowest(left)]);
    rf_ccu_move(m, served);
    if (in->flush) rf_ccu_flush(m);
    if (take) {
        const rf_ccu_inst inst = {.of = &in->alloc_inst,
                                  .bank = in->alloc_bank,
                                  .row = in->alloc_row,
                                  .dst_near = in->alloc_dst_near,
                                  .src_near = in->alloc_src_near};
        rf_ccu_take(m, &inst, in->rand);
    }
    if (write) rf_ccu_write(m, counts, port_d, in->wr_reg, in->wr_mask, &in->d_data, in->rand);
    if (ready && in->dispatch) rf_ccu_dispatch(m);
}

void rf_ccu_step(rf_ccu *m, const rf_ccu_in *in, rf_ccu_out *out) {
    rf_ccu_comb(m, in, out);
    rf_ccu_clock(m, in);
}
