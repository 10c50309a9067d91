/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_reindex_parts.h"

#define PREFIX_MAX ((1u << 24) - 1)

const char *rf_reindex_check(const rf_reindex_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->banks > RF_BANKS_MAX || !rf_power_of_two(cfg->banks)) return "BANKS must be a power of two, 1 to 32";
    if (cfg->sets > RF_LINE_SETS_MAX || !rf_power_of_two(cfg->sets)) return "SETS must be a power of two, 1 to 256";
    if (cfg->line_w < 2 || cfg->line_w > RF_LINE_NUMBER_MAX) return "LINE_W must be 2 to 25";
    if (cfg->line_w <= rf_log2(cfg->banks * cfg->sets)) return "LINE_W must be more than log2(BANKS x SETS)";
    if (cfg->line_w <= rf_index_bits(cfg->warps * cfg->regs)) return "LINE_W must be more than log2(WARPS x REGS), and than 1";
    if (cfg->prefix > PREFIX_MAX) return "PREFIX must be 0 to 16777215";
    return NULL;
}

int rf_reindex_init(rf_reindex *m, const rf_reindex_cfg *cfg) {
    if (rf_reindex_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_reindex_reset(rf_reindex *m) { (void)m; }

void rf_reindex_comb(const rf_reindex *m, const rf_reindex_in *in, rf_reindex_out *out) {
    const rf_reindex_cfg *cfg = &m->cfg;
    out->number = rf_reindex_number(cfg, in->warp, in->reg);
    out->line = rf_reindex_line(cfg, out->number);
    out->bank = rf_reindex_bank(cfg, out->line);
    out->set = rf_reindex_set(cfg, out->line);
    out->tag = rf_reindex_tag(cfg, out->line);
    out->mem_bank = rf_reindex_bank(cfg, in->mem_line);
    out->mem_set = rf_reindex_set(cfg, in->mem_line);
    out->mem_tag = rf_reindex_tag(cfg, in->mem_line);
}

void rf_reindex_clock(rf_reindex *m, const rf_reindex_in *in) {
    (void)m;
    (void)in;
}

void rf_reindex_step(rf_reindex *m, const rf_reindex_in *in, rf_reindex_out *out) { rf_reindex_comb(m, in, out); }
