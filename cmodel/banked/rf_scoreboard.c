/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_scoreboard_parts.h"

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

static uint64_t pending_hazards(const rf_scoreboard *m, uint64_t dst_valid, const uint8_t *dst, const uint8_t *src_valid,
                                const uint8_t *src) {
    const uint32_t slots = m->cfg.slots;
    uint64_t hazard = 0;
    for (uint32_t w = 0; w < m->cfg.warps; w++, src += slots)
        hazard |= (uint64_t)rf_scoreboard_waits(m, w, dst_valid >> w & 1, dst[w], src_valid[w], src, slots) << w;
    return hazard;
}

/* The same for 3 slots and at most 64 registers, the usual case, in loops that compilers make vectors of. They walk whole groups
 * of warps; what stands in the arrays beyond the last warp is dropped at the end. */
static uint64_t usual_hazards(const rf_scoreboard *m, uint64_t dst_valid, const uint8_t *dst, const uint8_t *src_valid,
                              const uint8_t *src) {
    enum { GROUP = RF_WARPS_MAX / 2 };
    uint64_t hazard = 0;
    for (uint32_t first = 0; first < m->cfg.warps; first += GROUP) {
        uint64_t pending[GROUP], hits = 0;
        uint8_t slot[3][GROUP];
        for (uint32_t i = 0; i < GROUP; i++) pending[i] = m->pending_q[first + i].w[0];
        for (uint32_t i = 0; i < GROUP; i++) {
            slot[0][i] = src[3 * i] & 63;
            slot[1][i] = src[3 * i + 1] & 63;
            slot[2][i] = src[3 * i + 2] & 63;
        }
        for (uint64_t i = 0; i < GROUP; i++) {
            const uint64_t p = pending[i], d = dst[i] & 63, s0 = slot[0][i], s1 = slot[1][i], s2 = slot[2][i];
            const uint64_t valid = src_valid[i];
            const uint64_t hit = (dst_valid >> i & p >> d) | (valid & p >> s0) | (valid >> 1 & p >> s1) | (valid >> 2 & p >> s2);
            hits |= (hit & 1) << i;
        }
        hazard |= hits << first;
        dst_valid >>= GROUP;
        dst += GROUP;
        src_valid += GROUP;
        src += 3 * GROUP;
    }
    return hazard & rf_mask64(m->cfg.warps);
}

uint64_t rf_scoreboard_pending(const rf_scoreboard *m, uint64_t dst_valid, const uint8_t *dst, const uint8_t *src_valid,
                               const uint8_t *src) {
    if (m->cfg.slots == 3 && m->cfg.regs <= 64) return usual_hazards(m, dst_valid, dst, src_valid, src);
    return pending_hazards(m, dst_valid, dst, src_valid, src);
}

void rf_scoreboard_comb(const rf_scoreboard *m, const rf_scoreboard_in *in, rf_scoreboard_out *out) {
    const uint64_t pending = rf_scoreboard_pending(m, in->chk_dst_valid, in->chk_dst, in->chk_src_valid, in->chk_src);
    /* WAR (D-war). A warp that does not exist has no bit in chk_dst_valid. */
    uint64_t reads = 0;
    for (uint64_t left = in->rdp; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), w = in->rdp_warp[r];
        reads |= (uint64_t)rf_scoreboard_overtakes(m, in->chk_dst[w], in->rdp_reg[r]) << w;
    }
    out->hazard = pending | (reads & in->chk_dst_valid);
}

static bool exists(const rf_scoreboard *m, uint32_t warp, uint32_t reg) { return warp < m->cfg.warps && reg < m->cfg.regs; }

void rf_scoreboard_clock(rf_scoreboard *m, const rf_scoreboard_in *in) {
    for (uint32_t left = in->clr; left != 0; left &= left - 1) {
        const uint32_t p = rf_lowest(left), w = in->clr_warp[p], reg = in->clr_reg[p];
        if (exists(m, w, reg)) m->pending_q[w].w[reg >> 6] &= ~(UINT64_C(1) << (reg & 63));
    }
    for (uint32_t left = in->set; left != 0; left &= left - 1) {
        const uint32_t p = rf_lowest(left), w = in->set_warp[p], reg = in->set_reg[p];
        if (exists(m, w, reg)) m->pending_q[w].w[reg >> 6] |= UINT64_C(1) << (reg & 63);
    }
}

void rf_scoreboard_step(rf_scoreboard *m, const rf_scoreboard_in *in, rf_scoreboard_out *out) {
    rf_scoreboard_comb(m, in, out);
    rf_scoreboard_clock(m, in);
}
