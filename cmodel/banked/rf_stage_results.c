/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_stage_results.h"

#include "cmodel/banked/rf_wbq_parts.h"

#include <string.h>

static uint32_t all_rows(const rf_stage_results_cfg *cfg) { return cfg->warps * rf_map_rows_per_warp(cfg->regs, cfg->banks); }

const char *rf_stage_results_check(const rf_stage_results_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->wbdepth < 1 || cfg->wbdepth > RF_WBQ_DEPTH_MAX) return "WBDEPTH must be 1 to 16";
    if (cfg->note < 1 || cfg->note > 8) return "NOTE must be 1 to 8";
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
                                                     .rows = all_rows(cfg),
                                                     .note = cfg->note});
    return bad;
}

void rf_stage_results_reset(rf_stage_results *m) {
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) rf_wbq_reset(&m->wbq[e]);
}

void rf_stage_results_comb(const rf_stage_results *m, const rf_stage_results_in *in, rf_stage_results_out *out) {
    uint32_t ready = 0, valid = 0;
    (void)in;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->wbq[e];
        const uint32_t head = rf_wbq_head(q);
        ready |= (uint32_t)rf_wbq_ready(q) << e;
        if (!rf_wbq_asks(q)) {
            out->wr_warp[e] = out->wr_reg[e] = out->wr_note[e] = out->wr_bank[e] = 0;
            out->wr_row[e] = 0;
            out->wr_mask[e] = 0;
            memset(&out->wr_data[e], 0, sizeof out->wr_data[e]);
            continue;
        }
        valid |= 1u << e;
        out->wr_warp[e] = q->warp_q[head];
        out->wr_reg[e] = q->reg_q[head];
        out->wr_note[e] = q->note_q[head];
        out->wr_bank[e] = q->bank_q[head];
        out->wr_row[e] = q->row_q[head];
        out->wr_mask[e] = q->mask_q[head];
        out->wr_data[e] = q->data_q[head];
    }
    out->res_ready = (uint8_t)ready;
    out->wr_valid = (uint8_t)valid;
}

void rf_stage_results_clock(rf_stage_results *m, const rf_stage_results_in *in) {
    const rf_stage_results_cfg *cfg = &m->cfg;
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks);
    for (uint32_t left = in->res_valid | in->wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), warp = in->res_warp[e], reg = in->res_dst[e];
        const rf_wbq_result result = {.data = &in->res_data[e],
                                      .mask = in->res_mask[e],
                                      .row = rf_map_row_port(warp, reg, cfg->banks, per_warp, cfg->warps),
                                      .warp = (uint8_t)warp,
                                      .reg = (uint8_t)reg,
                                      .note = in->res_note[e],
                                      .bank = (uint8_t)rf_map_bank(warp, reg, cfg->banks)};
        rf_wbq_move(&m->wbq[e], (in->res_valid >> e & 1) != 0 ? &result : NULL, (in->wr_grant >> e & 1) != 0);
    }
}

void rf_stage_results_step(rf_stage_results *m, const rf_stage_results_in *in, rf_stage_results_out *out) {
    rf_stage_results_comb(m, in, out);
    rf_stage_results_clock(m, in);
}
