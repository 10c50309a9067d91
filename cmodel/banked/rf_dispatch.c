/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_dispatch.h"

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

/* The collector, one hot, that each port is offered: 0 when none. */
static inline void offers(const rf_dispatch *m, const rf_dispatch_in *in, uint64_t offer[RF_EXPORTS_MAX]) {
    uint64_t ask[RF_EXPORTS_MAX] = {0};
    for (uint64_t set = in->ready; set != 0; set &= set - 1) {
        const uint32_t e = in->port[rf_lowest(set)];
        if (e < m->cfg.exports) ask[e] |= set & (~set + 1);
    }
    for (uint32_t e = 0; e < m->cfg.exports; e++) offer[e] = rf_rr_pick(ask[e], m->rr[e].mask_q);
}

void rf_dispatch_comb(const rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out) {
    uint64_t offer[RF_EXPORTS_MAX];
    uint64_t grant = 0, valid = 0;
    offers(m, in, offer);
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        valid |= (uint64_t)(offer[e] != 0) << e;
        grant |= offer[e] & (0 - (uint64_t)(in->ex_ready >> e & 1));
        out->ex_sel[e] = (uint8_t)rf_lowest(offer[e] | (offer[e] == 0));
    }
    out->grant = (uint16_t)grant;
    out->ex_valid = (uint8_t)valid;
}

void rf_dispatch_clock(rf_dispatch *m, const rf_dispatch_in *in) {
    if (in->ready == 0 || in->ex_ready == 0) return;
    uint64_t offer[RF_EXPORTS_MAX];
    offers(m, in, offer);
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const bool take = offer[e] != 0 && (in->ex_ready >> e & 1) != 0;
        const uint64_t next = rf_rr_next(offer[e], m->cfg.collectors);
        m->rr[e].mask_q = take ? next : m->rr[e].mask_q;
    }
}
