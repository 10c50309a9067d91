/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_rename.h"

#include <string.h>

const char *rf_rename_check(const rf_rename_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    return NULL;
}

int rf_rename_init(rf_rename *m, const rf_rename_cfg *cfg) {
    if (rf_rename_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_rename_reset(m);
    return 0;
}

void rf_rename_reset(rf_rename *m) {
    memset(m->valid_q, 0, sizeof m->valid_q);
    memset(m->pin_q, 0, sizeof m->pin_q);
    memset(m->preg_q, 0, sizeof m->preg_q);
    m->walking_q = 0;
}

/* What is worked on: the lowest marked warp and the lowest of its valid entries. */
typedef struct walk {
    uint32_t warp, reg;
    bool marked, valid;
} walk;

static inline walk find_walk(const rf_rename *m) {
    walk k = {0, 0, m->walking_q != 0, false};
    if (!k.marked) return k;
    k.warp = rf_lowest(m->walking_q);
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t word = m->valid_q[k.warp].w[i];
        if (word == 0) continue;
        k.reg = 64 * i + rf_lowest(word);
        k.valid = true;
        break;
    }
    return k;
}

/* An entry: 1 when it is valid. One that does not exist never is, so that no range is checked. */
static inline uint32_t entry(const rf_rename *m, uint32_t warp, uint32_t reg, uint16_t *preg, uint32_t *pin) {
    const uint32_t valid = (uint32_t)(m->valid_q[warp].w[reg >> 6] >> (reg & 63)) & 1;
    *preg = (uint16_t)(m->preg_q[warp * m->cfg.regs + reg] & (0u - valid));
    *pin = (uint32_t)(m->pin_q[warp].w[reg >> 6] >> (reg & 63)) & 1;
    return valid;
}

static inline void outputs(const rf_rename *m, const rf_rename_in *in, const walk *k, rf_rename_out *out) {
    uint32_t valid = 0, pins = 0, pin;
    for (uint32_t s = 0; s < m->cfg.slots; s++) {
        valid |= entry(m, in->rd_warp, in->rd_src[s], &out->src_preg[s], &pin) << s;
        pins |= pin << s;
    }
    out->src_valid = (uint8_t)valid;
    out->src_pin = (uint8_t)pins;
    out->dst_valid = (uint8_t)entry(m, in->rd_warp, in->rd_dst, &out->dst_preg, &pin);
    out->dst_pin = (uint8_t)pin;
    out->walking = m->walking_q;
    out->walk_valid = k->valid;
    out->walk_preg = k->valid ? m->preg_q[k->warp * m->cfg.regs + k->reg] : 0;
}

static inline void edge(rf_rename *m, const rf_rename_in *in, const walk *k) {
    const uint32_t w = in->wr_warp, r = in->wr_reg;
    const bool take = in->walk & k->valid, lost = take & (w == k->warp) & (r == k->reg);
    if (in->wr_valid && w < m->cfg.warps && r < m->cfg.regs && !lost) {
        const uint64_t bit = UINT64_C(1) << (r & 63);
        uint64_t *const pins = &m->pin_q[w].w[r >> 6];
        m->valid_q[w].w[r >> 6] |= bit;
        *pins = (*pins & ~bit) | (in->wr_pin ? bit : 0);
        m->preg_q[w * m->cfg.regs + r] = in->wr_preg;
    }
    if (take) {
        const uint64_t bit = UINT64_C(1) << (k->reg & 63);
        m->valid_q[k->warp].w[k->reg >> 6] &= ~bit;
        m->pin_q[k->warp].w[k->reg >> 6] &= ~bit;
    }
    if (k->marked && !k->valid) m->walking_q &= m->walking_q - 1;
    m->walking_q |= in->clear;
}

void rf_rename_comb(const rf_rename *m, const rf_rename_in *in, rf_rename_out *out) {
    const walk k = find_walk(m);
    outputs(m, in, &k, out);
}

void rf_rename_clock(rf_rename *m, const rf_rename_in *in) {
    const walk k = find_walk(m);
    edge(m, in, &k);
}

void rf_rename_step(rf_rename *m, const rf_rename_in *in, rf_rename_out *out) {
    const walk k = find_walk(m);
    outputs(m, in, &k, out);
    edge(m, in, &k);
}
