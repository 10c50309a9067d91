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

/* What is worked on: the lowest marked warp, and the lowest of its valid entries. */
typedef struct walk {
    bool marked, valid; /* there is such a warp; there is such an entry */
    uint32_t warp, reg; /* 0 when there is none */
} walk;

static walk find_walk(const rf_rename *m) {
    walk k = {0};
    if (m->walking_q == 0) return k;
    k.marked = true;
    k.warp = rf_lowest(m->walking_q);
    for (uint32_t first = 0; first < m->cfg.regs; first += 64) {
        const uint64_t row = m->valid_q[rf_rename_word(m, k.warp, first)];
        if (row == 0) continue;
        k.valid = true;
        k.reg = first + rf_lowest(row);
        break;
    }
    return k;
}

static bool exists(const rf_rename *m, uint32_t warp, uint32_t reg) { return warp < m->cfg.warps && reg < m->cfg.regs; }

/* Where the physical register of an entry stands; one that does not exist has a place in the arrays, too. */
static uint32_t place(const rf_rename *m, uint32_t warp, uint32_t reg) { return warp * m->cfg.regs + reg; }

/* An entry as it is read: register 0 when it is not valid; then it has no pin, as the field list claims. */
typedef struct entry {
    bool valid, pin;
    uint16_t preg;
} entry;

static entry read_entry(const rf_rename *m, uint32_t warp, uint32_t reg) {
    const uint16_t preg = m->preg_q[place(m, warp, reg)];
    const bool there = exists(m, warp, reg);
    const bool valid = there && rf_rename_has(m, m->valid_q, warp, reg), pin = there && rf_rename_has(m, m->pin_q, warp, reg);
    return (entry){.valid = valid, .pin = pin, .preg = valid ? preg : 0};
}

static void drive_outputs(const rf_rename *m, const rf_rename_in *in, const walk *k, rf_rename_out *out) {
    const entry dst = read_entry(m, in->rd_warp, in->rd_dst);
    uint32_t valid = 0, pin = 0;
    for (uint32_t s = 0; s < m->cfg.slots; s++) {
        const entry src = read_entry(m, in->rd_warp, in->rd_src[s]);
        valid |= (uint32_t)src.valid << s;
        pin |= (uint32_t)src.pin << s;
        out->src_preg[s] = src.preg;
    }
    out->src_valid = (uint8_t)valid;
    out->src_pin = (uint8_t)pin;
    out->dst_valid = dst.valid;
    out->dst_preg = dst.preg;
    out->dst_pin = dst.pin;
    out->walking = m->walking_q;
    out->walk_valid = k->valid;
    out->walk_preg = k->valid ? m->preg_q[place(m, k->warp, k->reg)] : 0;
}

static void write_entry(rf_rename *m, const rf_rename_in *in) {
    const uint32_t word = rf_rename_word(m, in->wr_warp, in->wr_reg);
    const uint64_t bit = UINT64_C(1) << in->wr_reg % 64;
    m->preg_q[place(m, in->wr_warp, in->wr_reg)] = in->wr_preg;
    m->valid_q[word] |= bit;
    if (in->wr_pin) m->pin_q[word] |= bit;
    else m->pin_q[word] &= ~bit;
}

static void take_entry(rf_rename *m, uint32_t warp, uint32_t reg) {
    const uint32_t word = rf_rename_word(m, warp, reg);
    const uint64_t bit = UINT64_C(1) << reg % 64;
    m->valid_q[word] &= ~bit;
    m->pin_q[word] &= ~bit;
}

static void edge(rf_rename *m, const rf_rename_in *in, const walk *k) {
    const bool take = in->walk && k->valid, lost = take && in->wr_warp == k->warp && in->wr_reg == k->reg;
    if (in->wr_valid && exists(m, in->wr_warp, in->wr_reg) && !lost) write_entry(m, in);
    if (take) take_entry(m, k->warp, k->reg);
    if (k->marked && !k->valid) m->walking_q &= ~(UINT64_C(1) << k->warp);
    m->walking_q |= in->clear;
}

void rf_rename_comb(const rf_rename *m, const rf_rename_in *in, rf_rename_out *out) {
    const walk k = find_walk(m);
    drive_outputs(m, in, &k, out);
}

void rf_rename_clock(rf_rename *m, const rf_rename_in *in) {
    const walk k = find_walk(m);
    edge(m, in, &k);
}

void rf_rename_step(rf_rename *m, const rf_rename_in *in, rf_rename_out *out) {
    const walk k = find_walk(m);
    drive_outputs(m, in, &k, out);
    edge(m, in, &k);
}
