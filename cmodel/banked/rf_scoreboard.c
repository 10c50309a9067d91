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

/* RAW and WAW: per warp one bit, whether a register that its instruction names is pending. One that does not exist never is, so
 * that no range is checked. Inlined with what is usual as constants. */
static inline uint64_t pending_hazards(const rf_scoreboard *m, const rf_scoreboard_in *in, uint32_t words, uint32_t slots) {
    const uint8_t *src = in->chk_src;
    uint64_t hazard = 0;
    for (uint32_t w = 0; w < m->cfg.warps; w++, src += slots) {
        const uint64_t *pending = m->pending_q[w].w;
        const uint32_t dst = in->chk_dst[w], src_valid = in->chk_src_valid[w];
        uint64_t hit = in->chk_dst_valid >> w & pending[words == 1 ? 0 : dst >> 6] >> (dst & 63);
        for (uint32_t s = 0; s < slots; s++) hit |= src_valid >> s & pending[words == 1 ? 0 : src[s] >> 6] >> (src[s] & 63);
        hazard |= (hit & 1) << w;
    }
    return hazard;
}

void rf_scoreboard_comb(const rf_scoreboard *m, const rf_scoreboard_in *in, rf_scoreboard_out *out) {
    const uint32_t words = (m->cfg.regs + 63) / 64, slots = m->cfg.slots;
    uint64_t hazard = words == 1 && slots == 3 ? pending_hazards(m, in, 1, 3) : pending_hazards(m, in, words, slots);
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

/* Where a register's bit lies; for one that does not exist *bit is 0. Ports are random to a branch predictor: no branch asks. */
static uint64_t *place(rf_scoreboard *m, uint32_t w, uint32_t reg, uint64_t *bit) {
    const bool exists = (w < m->cfg.warps) & (reg < m->cfg.regs);
    *bit = (*bit & exists) << (reg & 63);
    return &m->pending_q[exists ? w : 0].w[exists ? reg >> 6 : 0];
}

void rf_scoreboard_clock(rf_scoreboard *m, const rf_scoreboard_in *in) {
    for (uint32_t p = 0; p < m->cfg.writers; p++) {
        uint64_t bit = in->clr >> p & 1;
        uint64_t *const word = place(m, in->clr_warp[p], in->clr_reg[p], &bit);
        *word &= ~bit;
    }
    for (uint32_t p = 0; p < m->cfg.issues; p++) {
        uint64_t bit = in->set >> p & 1;
        uint64_t *const word = place(m, in->set_warp[p], in->set_reg[p], &bit);
        *word |= bit;
    }
}

void rf_scoreboard_step(rf_scoreboard *m, const rf_scoreboard_in *in, rf_scoreboard_out *out) {
    rf_scoreboard_comb(m, in, out);
    rf_scoreboard_clock(m, in);
}
