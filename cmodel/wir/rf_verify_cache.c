/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_verify_cache_parts.h"

const char *rf_verify_cache_check(const rf_verify_cache_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_VERIFY_CACHE_MAX) return "ENTRIES must be 1 to 16";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_verify_cache_init(rf_verify_cache *m, const rf_verify_cache_cfg *cfg) {
    if (rf_verify_cache_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_verify_cache_reset(m);
    return 0;
}

void rf_verify_cache_reset(rf_verify_cache *m) { *m = (rf_verify_cache){.cfg = m->cfg}; }

void rf_verify_cache_comb(const rf_verify_cache *m, const rf_verify_cache_in *in, rf_verify_cache_out *out) {
    out->hit = 0;
    for (uint32_t i = 0; i < RF_ISSUES_MAX; i++) {
        const uint32_t line = (in->lk_valid >> i & 1) != 0 ? rf_verify_cache_lines(m, m->valid_q, in->lk_reg[i]) : 0;
        out->hit |= (uint8_t)((line != 0) << i);
        if (line != 0) out->data[i] = m->data_q[rf_lowest(line)];
        else out->data[i] = (rf_vec){0};
    }
}

void rf_verify_cache_clock(rf_verify_cache *m, const rf_verify_cache_in *in) {
    const rf_vec *data[RF_ISSUES_MAX];
    for (uint32_t i = 0; i < RF_ISSUES_MAX; i++) data[i] = &in->fill_data[i];
    rf_verify_cache_edge(m, in, data);
}

void rf_verify_cache_step(rf_verify_cache *m, const rf_verify_cache_in *in, rf_verify_cache_out *out) {
    rf_verify_cache_comb(m, in, out);
    rf_verify_cache_clock(m, in);
}
