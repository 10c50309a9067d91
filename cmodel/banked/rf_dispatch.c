/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_dispatch_parts.h"

const char *rf_dispatch_check(const rf_dispatch_cfg *cfg) {
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    return NULL;
}

int rf_dispatch_init(rf_dispatch *m, const rf_dispatch_cfg *cfg) {
    if (rf_dispatch_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) m->rr[e].cfg.n = cfg->collectors;
    rf_dispatch_reset(m);
    return 0;
}

void rf_dispatch_reset(rf_dispatch *m) {
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) rf_rr_reset(&m->rr[e]);
}

void rf_dispatch_comb(const rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out) {
    uint32_t asks[RF_EXPORTS_MAX] = {0}; /* per port: collectors */
    uint32_t granted = 0, valid = 0;
    for (uint32_t left = in->ready; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left);
        if (in->port[c] < m->cfg.exports) asks[in->port[c]] |= 1u << c;
    }
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const uint32_t offer = (uint32_t)rf_rr_pick(asks[e], m->rr[e].mask_q);
        valid |= (uint32_t)(offer != 0) << e;
        granted |= (in->ex_ready >> e & 1) != 0 ? offer : 0;
        out->ex_sel[e] = (uint8_t)(offer != 0 ? rf_lowest(offer) : 0);
    }
    out->grant = (uint16_t)granted;
    out->ex_valid = (uint8_t)valid;
}

void rf_dispatch_clock(rf_dispatch *m, const rf_dispatch_in *in) {
    rf_dispatch_out out;
    rf_dispatch_step(m, in, &out);
}

void rf_dispatch_step(rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out) {
    rf_dispatch_comb(m, in, out);
    rf_dispatch_move(m, out, in->ex_ready);
}
