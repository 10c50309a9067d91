/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_ocu_alloc.h"

const char *rf_ocu_alloc_check(const rf_ocu_alloc_cfg *cfg) {
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_ocu_alloc_init(rf_ocu_alloc *m, const rf_ocu_alloc_cfg *cfg) {
    if (rf_ocu_alloc_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_ocu_alloc_reset(rf_ocu_alloc *m) { (void)m; }

void rf_ocu_alloc_comb(const rf_ocu_alloc *m, const rf_ocu_alloc_in *in, rf_ocu_alloc_out *out) {
    uint32_t idle = ~(uint32_t)in->busy & (uint32_t)rf_mask64(m->cfg.collectors);
    *out = (rf_ocu_alloc_out){0};
    for (uint32_t left = in->req; left != 0 && idle != 0; left &= left - 1, idle &= idle - 1) {
        const uint32_t i = rf_lowest(left), c = rf_lowest(idle);
        out->grant |= (uint8_t)(1u << i);
        out->sel[i] = (uint8_t)c;
        out->alloc |= (uint16_t)(1u << c);
        out->which[c] = (uint8_t)i;
    }
}

void rf_ocu_alloc_clock(rf_ocu_alloc *m, const rf_ocu_alloc_in *in) {
    (void)m;
    (void)in;
}

void rf_ocu_alloc_step(rf_ocu_alloc *m, const rf_ocu_alloc_in *in, rf_ocu_alloc_out *out) { rf_ocu_alloc_comb(m, in, out); }
