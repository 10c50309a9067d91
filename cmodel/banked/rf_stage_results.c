/* SPDX-License-Identifier: Apache-2.0 */
/* The queues' registers are worked here by the rules of rf_wbq: a result is copied where a register takes it, nowhere else. */
#include "cmodel/banked/rf_stage_results.h"

#include <string.h>

static uint32_t all_rows(const rf_stage_results_cfg *cfg) { return cfg->warps * rf_map_rows_per_warp(cfg->regs, cfg->banks); }

const char *rf_stage_results_check(const rf_stage_results_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->wbdepth < 1 || cfg->wbdepth > RF_WBQ_DEPTH_MAX) return "WBDEPTH must be 1 to 16";
    if (all_rows(cfg) > 1024) return "WARPS x ceil(REGS / BANKS) must be at most 1024";
    return NULL;
}

int rf_stage_results_init(rf_stage_results *m, const rf_stage_results_cfg *cfg) {
    if (rf_stage_results_check(cfg) != NULL) return RF_E_CONFIG;
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++)
        bad |= rf_wbq_init(&m->wbq[e], &(rf_wbq_cfg){.depth = cfg->wbdepth,
                                                     .lanes = cfg->lanes,
                                                     .warps = cfg->warps,
                                                     .regs = cfg->regs,
                                                     .banks = cfg->banks,
                                                     .rows = all_rows(cfg)});
    return bad;
}

void rf_stage_results_reset(rf_stage_results *m) {
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) rf_wbq_reset(&m->wbq[e]);
}

void rf_stage_results_comb(const rf_stage_results *m, const rf_stage_results_in *in, rf_stage_results_out *out) {
    uint32_t ready = 0, valid = 0, near = 0;
    (void)in;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->wbq[e];
        const uint32_t head = q->ctrl.rd_ptr_q;
        ready |= (uint32_t)(q->ctrl.level_q < m->cfg.wbdepth) << e;
        if (q->ctrl.level_q == 0) {
            out->wr_warp[e] = out->wr_reg[e] = out->wr_bank[e] = 0;
            out->wr_row[e] = 0;
            out->wr_mask[e] = 0;
            memset(&out->wr_data[e], 0, sizeof out->wr_data[e]);
            continue;
        }
        valid |= 1u << e;
        near |= (uint32_t)q->near_q[head] << e;
        out->wr_warp[e] = q->warp_q[head];
        out->wr_reg[e] = q->reg_q[head];
        out->wr_bank[e] = q->bank_q[head];
        out->wr_row[e] = q->row_q[head];
        out->wr_mask[e] = q->mask_q[head];
        out->wr_data[e] = q->data_q[head];
    }
    out->res_ready = (uint8_t)ready;
    out->wr_valid = (uint8_t)valid;
    out->wr_near = (uint8_t)near;
}

/* A result goes behind the others of its port. */
static inline void store(const rf_stage_results_cfg *cfg, rf_wbq *q, const rf_stage_results_in *in, uint32_t e) {
    const uint32_t at = q->ctrl.wr_ptr_q, warp = in->res_warp[e], reg = in->res_dst[e];
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks);
    const uint32_t row_mask = (uint32_t)rf_mask64(rf_index_bits(cfg->warps * per_warp));
    q->warp_q[at] = (uint8_t)warp;
    q->reg_q[at] = (uint8_t)reg;
    q->near_q[at] = in->res_near >> e & 1;
    q->bank_q[at] = (uint8_t)rf_map_bank(warp, reg, cfg->banks);
    q->row_q[at] = (uint16_t)(rf_map_row(warp, reg, cfg->banks, per_warp) & row_mask);
    q->mask_q[at] = in->res_mask[e];
    q->data_q[at] = in->res_data[e];
}

void rf_stage_results_clock(rf_stage_results *m, const rf_stage_results_in *in) {
    for (uint32_t left = in->res_valid | in->wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        rf_wbq *q = &m->wbq[e];
        const rf_fifo_ctrl_in edge = {in->res_valid >> e & 1, in->wr_grant >> e & 1};
        if (edge.push && q->ctrl.level_q < m->cfg.wbdepth) store(&m->cfg, q, in, e);
        rf_fifo_ctrl_clock(&q->ctrl, &edge);
    }
}

void rf_stage_results_step(rf_stage_results *m, const rf_stage_results_in *in, rf_stage_results_out *out) {
    rf_stage_results_comb(m, in, out);
    rf_stage_results_clock(m, in);
}
