/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_wbq_parts.h"

const char *rf_wbq_check(const rf_wbq_cfg *cfg) {
    if (cfg->depth < 1 || cfg->depth > RF_WBQ_DEPTH_MAX) return "DEPTH must be 1 to 16";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->rows < 1 || cfg->rows > 1024) return "ROWS must be 1 to 1024";
    if (cfg->note < 1 || cfg->note > 8) return "NOTE must be 1 to 8";
    return NULL;
}

int rf_wbq_init(rf_wbq *m, const rf_wbq_cfg *cfg) {
    if (rf_wbq_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    m->ctrl.cfg.depth = cfg->depth;
    rf_wbq_reset(m);
    return 0;
}

void rf_wbq_reset(rf_wbq *m) {
    *m = (rf_wbq){.cfg = m->cfg, .ctrl.cfg = m->ctrl.cfg};
    rf_fifo_ctrl_reset(&m->ctrl);
}

void rf_wbq_comb(const rf_wbq *m, const rf_wbq_in *in, rf_wbq_out *out) {
    (void)in;
    if (!rf_wbq_asks(m)) {
        *out = (rf_wbq_out){.ready = rf_wbq_ready(m)};
        return;
    }
    const uint32_t head = rf_wbq_head(m);
    out->ready = rf_wbq_ready(m);
    out->wr_valid = 1;
    out->wr_warp = m->warp_q[head];
    out->wr_reg = m->reg_q[head];
    out->wr_note = m->note_q[head];
    out->wr_bank = m->bank_q[head];
    out->wr_row = m->row_q[head];
    out->wr_mask = m->mask_q[head];
    out->wr_data = m->data_q[head];
}

void rf_wbq_clock(rf_wbq *m, const rf_wbq_in *in) {
    const rf_wbq_result push = {.data = &in->push_data,
                                .mask = in->push_mask,
                                .row = in->push_row,
                                .warp = in->push_warp,
                                .reg = in->push_reg,
                                .note = in->push_note,
                                .bank = in->push_bank};
    rf_wbq_move(m, in->push ? &push : NULL, in->grant);
}

void rf_wbq_step(rf_wbq *m, const rf_wbq_in *in, rf_wbq_out *out) {
    rf_wbq_comb(m, in, out);
    rf_wbq_clock(m, in);
}
