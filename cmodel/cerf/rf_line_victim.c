/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_line_victim_parts.h"

const char *rf_line_victim_check(const rf_line_victim_cfg *cfg) {
    if (cfg->ways < 1 || cfg->ways > RF_LINE_WAYS_MAX) return "WAYS must be 1 to 8";
    if (cfg->policy > RF_POLICY_CACHE) return "POLICY must be 0 to 2";
    return NULL;
}

int rf_line_victim_init(rf_line_victim *m, const rf_line_victim_cfg *cfg) {
    if (rf_line_victim_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_line_victim_reset(rf_line_victim *m) { (void)m; }

void rf_line_victim_comb(const rf_line_victim *m, const rf_line_victim_in *in, rf_line_victim_out *out) {
    const uint32_t way = rf_line_victim_way(m->cfg.ways, m->cfg.policy, in->state, in->age, in->cache != 0);
    out->valid = way != RF_LINE_NO_WAY;
    out->way = (uint8_t)(way != RF_LINE_NO_WAY ? way : 0);
}

void rf_line_victim_clock(rf_line_victim *m, const rf_line_victim_in *in) {
    (void)m;
    (void)in;
}

void rf_line_victim_step(rf_line_victim *m, const rf_line_victim_in *in, rf_line_victim_out *out) {
    rf_line_victim_comb(m, in, out);
}
