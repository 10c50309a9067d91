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

/* What is asked for is random to a branch predictor: no branch asks for it here and below, and an entry that does not change is
 * stored as it was. `slots` and `words`, those of a warp's valid bits, are constants where it counts: all is inlined for them. */
#define INLINE static inline __attribute__((always_inline))

/* `now` where `when` is 1, `old` where it is 0. */
INLINE uint32_t pick(uint32_t when, uint32_t now, uint32_t old) { return old ^ ((old ^ now) & (0u - when)); }

INLINE uint32_t words_of(const rf_rename *m) { return (m->cfg.regs + 63) / 64; }

/* What is worked on: the lowest marked warp, 0 without one, and the lowest of its valid entries, 0 without one. */
typedef struct walk {
    uint32_t warp, reg, word; /* word: the entry's, of valid_q and pin_q */
    uint32_t marked, valid;   /* 0 or 1 */
} walk;

INLINE walk find_walk(const rf_rename *m, uint32_t words) {
    walk k = {.marked = m->walking_q != 0};
    k.warp = rf_lowest(m->walking_q | (k.marked ^ 1));
    k.word = k.warp * words;
    uint64_t row = m->valid_q[k.word];
    for (uint32_t i = 1; row == 0 && i < words; i++) {
        k.word++;
        k.reg += 64;
        row = m->valid_q[k.word];
    }
    k.valid = k.marked & (row != 0);
    k.reg = (k.reg + rf_lowest(row | (row == 0))) & (0u - k.valid);
    return k;
}

/* An entry: 1 when it is valid. One of a warp that does not exist never is; the word of a register that does not exist may be
 * another warp's, when there are several. */
INLINE uint32_t entry(const rf_rename *m, uint32_t warp, uint32_t reg, uint32_t words, uint16_t *preg, uint32_t *pin) {
    const uint32_t word = warp * words + (words == 1 ? 0 : reg / 64);
    const uint32_t valid = (uint32_t)(m->valid_q[word] >> (reg & 63)) & (words == 1 ? 1 : reg < m->cfg.regs);
    *preg = (uint16_t)(m->preg_q[warp * m->cfg.regs + reg] & (0u - valid));
    *pin = (uint32_t)(m->pin_q[word] >> (reg & 63)) & valid;
    return valid;
}

INLINE void outputs(const rf_rename *m, const rf_rename_in *in, const walk *k, uint32_t slots, uint32_t words,
                    rf_rename_out *out) {
    uint32_t valid = 0, pins = 0, pin;
    for (uint32_t s = 0; s < slots; s++) {
        valid |= entry(m, in->rd_warp, in->rd_src[s], words, &out->src_preg[s], &pin) << s;
        pins |= pin << s;
    }
    out->src_valid = (uint8_t)valid;
    out->src_pin = (uint8_t)pins;
    out->dst_valid = (uint8_t)entry(m, in->rd_warp, in->rd_dst, words, &out->dst_preg, &pin);
    out->dst_pin = (uint8_t)pin;
    out->walking = m->walking_q;
    out->walk_valid = (uint8_t)k->valid;
    out->walk_preg = (uint16_t)(m->preg_q[k->warp * m->cfg.regs + k->reg] & (0u - k->valid));
}

INLINE void edge(rf_rename *m, const rf_rename_in *in, const walk *k, uint32_t words) {
    const uint32_t w = in->wr_warp, r = in->wr_reg, at = w * m->cfg.regs + r, word = w * words + (words == 1 ? 0 : r / 64);
    const uint32_t take = in->walk & k->valid, lost = take & (w == k->warp) & (r == k->reg);
    const uint32_t write = in->wr_valid & (w < m->cfg.warps) & (r < m->cfg.regs) & (lost ^ 1);
    const uint64_t bit = (uint64_t)write << (r & 63), taken = (uint64_t)take << (k->reg & 63);
    m->preg_q[at] = (uint16_t)pick(write, in->wr_preg, m->preg_q[at]);
    m->valid_q[word] |= bit;
    m->pin_q[word] = (m->pin_q[word] & ~bit) | (bit & (0u - (uint64_t)in->wr_pin));
    m->valid_q[k->word] &= ~taken;
    m->pin_q[k->word] &= ~taken;
    m->walking_q = (m->walking_q & (m->walking_q - (k->marked & (k->valid ^ 1)))) | in->clear;
}

/* The paper's size. */
static bool is_usual(const rf_rename *m) { return m->cfg.slots == 3 && m->cfg.regs <= 64; }

static __attribute__((noinline)) void step_any(rf_rename *m, const rf_rename_in *in, rf_rename_out *out) {
    const walk k = find_walk(m, words_of(m));
    outputs(m, in, &k, m->cfg.slots, words_of(m), out);
    edge(m, in, &k, words_of(m));
}

void rf_rename_comb(const rf_rename *m, const rf_rename_in *in, rf_rename_out *out) {
    if (is_usual(m)) {
        const walk k = find_walk(m, 1);
        outputs(m, in, &k, 3, 1, out);
    } else {
        const walk k = find_walk(m, words_of(m));
        outputs(m, in, &k, m->cfg.slots, words_of(m), out);
    }
}

void rf_rename_clock(rf_rename *m, const rf_rename_in *in) {
    const walk k = find_walk(m, words_of(m));
    edge(m, in, &k, words_of(m));
}

void rf_rename_step(rf_rename *m, const rf_rename_in *in, rf_rename_out *out) {
    if (!is_usual(m)) {
        step_any(m, in, out);
        return;
    }
    const walk k = find_walk(m, 1);
    outputs(m, in, &k, 3, 1, out);
    edge(m, in, &k, 1);
}
