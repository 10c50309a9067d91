/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_stage_head.h"

const char *rf_stage_head_check(const rf_stage_head_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->warps * rf_map_rows_per_warp(cfg->regs, cfg->banks) > 1024) return "WARPS x ceil(REGS / BANKS) must be at most 1024";
    return NULL;
}

int rf_stage_head_init(rf_stage_head *m, const rf_stage_head_cfg *cfg) {
    if (rf_stage_head_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_stage_head_reset(rf_stage_head *m) { (void)m; }

void rf_stage_head_comb(const rf_stage_head *m, const rf_stage_head_in *in, rf_stage_head_out *out) {
    const rf_stage_head_cfg *cfg = &m->cfg;
    const uint32_t w = in->warp;
    if (w < cfg->warps) out->inst = rf_stage_head_at(&in->heads, w, cfg->slots);
    else out->inst = (rf_stage_instr){.warp = (uint16_t)w};
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks);
    for (uint32_t s = 0; s < cfg->slots; s++) {
        out->bank[s] = (uint8_t)rf_map_bank(w, out->inst.src[s], cfg->banks);
        out->row[s] = rf_map_row_port(w, out->inst.src[s], cfg->banks, per_warp, cfg->warps);
    }
}

void rf_stage_head_clock(rf_stage_head *m, const rf_stage_head_in *in) {
    (void)m;
    (void)in;
}

void rf_stage_head_step(rf_stage_head *m, const rf_stage_head_in *in, rf_stage_head_out *out) { rf_stage_head_comb(m, in, out); }
