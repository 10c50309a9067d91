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

/* One cycle: the outputs into `out`, the registers after the edge into `next`; either may be NULL. */
static inline void cycle(const rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out, rf_dispatch *next) {
    /* Byte e of word h: those of collectors 8 h to 8 h + 7 that ask for port e. No branch on anything random. */
    uint64_t ask[RF_COLLECTORS_MAX / 8] = {0};
    for (uint32_t first = 0; first < m->cfg.collectors; first += 8) {
        uint64_t asking = 0;
        for (uint32_t c = 0; c < 8; c++)
            asking |= (uint64_t)(in->ready >> (first + c) & 1) << (c + in->port[first + c] % RF_EXPORTS_MAX * 8);
        ask[first / 8] = asking;
    }
    uint32_t granted = 0, valid = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const uint64_t offer = rf_rr_pick((ask[0] >> e * 8 & 0xff) | (ask[1] >> e * 8 & 0xff) << 8, m->rr[e].mask_q);
        const uint64_t taken = offer & (0 - (uint64_t)(in->ex_ready >> e & 1));
        granted |= (uint32_t)taken;
        valid |= (uint32_t)(offer != 0) << e;
        if (out != NULL) out->ex_sel[e] = (uint8_t)rf_lowest(offer | (uint64_t)(offer == 0));
        if (next != NULL) {
            const uint64_t moves = 0 - (uint64_t)(taken != 0);
            next->rr[e].mask_q ^= (next->rr[e].mask_q ^ rf_rr_next(offer, m->cfg.collectors)) & moves;
        }
    }
    if (out == NULL) return;
    out->grant = (uint16_t)granted;
    out->ex_valid = (uint8_t)valid;
}

void rf_dispatch_comb(const rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out) { cycle(m, in, out, NULL); }

void rf_dispatch_clock(rf_dispatch *m, const rf_dispatch_in *in) { cycle(m, in, NULL, m); }

void rf_dispatch_step(rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out) { cycle(m, in, out, m); }
