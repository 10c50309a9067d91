/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_steal_reads_parts.h"

const char *rf_steal_reads_check(const rf_steal_reads_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->when < 1 || cfg->when > 2) return "WHEN must be 1 or 2";
    return NULL;
}

int rf_steal_reads_init(rf_steal_reads *m, const rf_steal_reads_cfg *cfg) {
    if (rf_steal_reads_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_steal_reads_reset(rf_steal_reads *m) { (void)m; }

void rf_steal_reads_comb(const rf_steal_reads *m, const rf_steal_reads_in *in, rf_steal_reads_out *out) {
    out->ask = rf_steal_reads_ask(m, in);
    out->fill = rf_steal_reads_fill(m, in, out->ask);
    out->steal = (uint8_t)rf_steal_reads_steal(m, out->fill);
}

void rf_steal_reads_clock(rf_steal_reads *m, const rf_steal_reads_in *in) {
    (void)m;
    (void)in;
}
