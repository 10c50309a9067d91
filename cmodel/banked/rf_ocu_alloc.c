/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_ocu_alloc.h"

#include <string.h>

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
    const uint64_t idle = ~(uint64_t)in->busy & rf_mask64(m->cfg.collectors);
    uint64_t left = idle, grant = 0;
    memset(out->sel, 0, sizeof out->sel);
    memset(out->which, 0, sizeof out->which);
    for (uint32_t set = in->req; set != 0 && left != 0; set &= set - 1) {
        const uint32_t i = rf_lowest(set);
        const uint32_t c = rf_lowest(left);
        left &= left - 1;
        grant |= UINT64_C(1) << i;
        out->sel[i] = (uint8_t)c;
        out->which[c] = (uint8_t)i;
    }
    out->grant = (uint8_t)grant;
    out->alloc = (uint16_t)(idle & ~left);
}

void rf_ocu_alloc_clock(rf_ocu_alloc *m, const rf_ocu_alloc_in *in) {
    (void)m;
    (void)in;
}
