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

/* Without a branch on the requests, which nobody can foretell: each takes the lowest idle collector left, or number NONE. */
void rf_ocu_alloc_comb(const rf_ocu_alloc *m, const rf_ocu_alloc_in *in, rf_ocu_alloc_out *out) {
    enum { NONE = RF_COLLECTORS_MAX };
    const uint32_t issues = m->cfg.issues, req = in->req;
    const uint32_t idle = ~(uint32_t)in->busy & ((UINT32_C(1) << m->cfg.collectors) - 1);
    uint32_t left = idle, refused = 0;
    uint8_t none; /* where a request without a collector writes */
    memset(out->sel, 0, sizeof out->sel);
    memset(out->which, 0, sizeof out->which);
    for (uint32_t i = 0; i < issues; i++) {
        const uint32_t taken = left & (~left + 1) & (0 - (req >> i & 1u));
        const uint32_t c = rf_lowest(taken | UINT32_C(1) << NONE);
        left ^= taken;
        refused |= c / NONE << i;
        out->sel[i] = (uint8_t)(c % NONE);
        if (i > 0) *(taken != 0 ? &out->which[c] : &none) = (uint8_t)i;
    }
    out->grant = (uint8_t)(refused ^ ((UINT32_C(1) << issues) - 1));
    out->alloc = (uint16_t)(idle ^ left);
}

void rf_ocu_alloc_clock(rf_ocu_alloc *m, const rf_ocu_alloc_in *in) {
    (void)m;
    (void)in;
}

void rf_ocu_alloc_step(rf_ocu_alloc *m, const rf_ocu_alloc_in *in, rf_ocu_alloc_out *out) { rf_ocu_alloc_comb(m, in, out); }
