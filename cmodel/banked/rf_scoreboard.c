/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_scoreboard.h"

#include <string.h>

const char *rf_scoreboard_check(const rf_scoreboard_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->readers < 1 || cfg->readers > RF_READERS_MAX) return "READERS must be 1 to 64";
    if (cfg->issues < 1 || cfg->issues > 4) return "ISSUES must be 1 to 4";
    if (cfg->writers < 1 || cfg->writers > RF_EXPORTS_MAX) return "WRITERS must be 1 to 8";
    return NULL;
}

int rf_scoreboard_init(rf_scoreboard *m, const rf_scoreboard_cfg *cfg) {
    if (rf_scoreboard_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_scoreboard_reset(m);
    return 0;
}

void rf_scoreboard_reset(rf_scoreboard *m) { memset(m->pending_q, 0, sizeof m->pending_q); }

/* Bit `i` of `bits`. */
static uint64_t bit(const rf_bits256 *bits, uint32_t i) { return bits->w[i >> 6] >> (i & 63) & 1; }

void rf_scoreboard_comb(const rf_scoreboard *m, const rf_scoreboard_in *in, rf_scoreboard_out *out) {
    /* A register that does not exist is never pending: RAW and WAW need no range check. */
    const uint32_t slots = m->cfg.slots;
    const uint8_t *src = in->chk_src;
    uint64_t hazard = 0;
    for (uint32_t w = 0; w < m->cfg.warps; w++, src += slots) {
        const rf_bits256 *pending = &m->pending_q[w];
        uint64_t hit = in->chk_dst_valid >> w & bit(pending, in->chk_dst[w]);
        for (uint32_t s = 0; s < slots; s++) hit |= in->chk_src_valid[w] >> s & bit(pending, src[s]);
        hazard |= hit << w;
    }
    /* WAR (D-war). A warp that does not exist has no bit in chk_dst_valid. */
    for (uint64_t left = in->rdp; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        const uint32_t w = in->rdp_warp[r];
        const uint32_t reg = in->rdp_reg[r];
        const uint64_t hit = (uint64_t)(reg < m->cfg.regs) & (uint64_t)(reg == in->chk_dst[w]);
        hazard |= (in->chk_dst_valid >> w & hit) << w;
    }
    out->hazard = hazard;
}

void rf_scoreboard_clock(rf_scoreboard *m, const rf_scoreboard_in *in) {
    const uint32_t warps = m->cfg.warps;
    const uint32_t regs = m->cfg.regs;
    for (uint32_t left = in->clr; left != 0; left &= left - 1) {
        const uint32_t p = rf_lowest(left);
        const uint32_t w = in->clr_warp[p];
        const uint32_t reg = in->clr_reg[p];
        if (w < warps && reg < regs) m->pending_q[w].w[reg >> 6] &= ~(UINT64_C(1) << (reg & 63));
    }
    for (uint32_t left = in->set; left != 0; left &= left - 1) {
        const uint32_t p = rf_lowest(left);
        const uint32_t w = in->set_warp[p];
        const uint32_t reg = in->set_reg[p];
        if (w < warps && reg < regs) m->pending_q[w].w[reg >> 6] |= UINT64_C(1) << (reg & 63);
    }
}
