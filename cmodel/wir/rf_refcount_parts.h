/* SPDX-License-Identifier: Apache-2.0 */
/* The two stages of rf_refcount, as functions that a caller compiles in: private to the unit and rf_wir. */
#ifndef RF_REFCOUNT_PARTS_H
#define RF_REFCOUNT_PARTS_H

#include "cmodel/wir/rf_refcount.h"

#include <string.h>

/* The lowest dead registers, for as many ports as there are; returns how many were found. */
static inline uint32_t rf_refcount_offer(const rf_refcount *m, uint16_t *reg) {
    const uint32_t words = (m->cfg.pregs + 63) / 64, frees = m->cfg.frees;
    uint64_t any = 0;
    uint32_t found = 0;
    for (uint32_t w = 0; w < RF_PREGS_MAX / 64; w++) any |= m->dead_q[w]; /* mostly there is none: no branch for each word */
    if (any == 0) return 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t dead = m->dead_q[w]; dead != 0; dead &= dead - 1) {
            reg[found++] = (uint16_t)(w * 64 + rf_lowest(dead));
            if (found == frees) return found;
        }
    }
    return found;
}

static inline void rf_refcount_show(uint32_t found, const uint16_t *reg, rf_refcount_out *out) {
    out->free = (uint8_t)rf_mask64(found);
    for (uint32_t f = 0; f < RF_REFCOUNT_FREES_MAX; f++) out->free_reg[f] = f < found ? reg[f] : 0;
}

/* Whether the register has one reference. */
static inline bool rf_refcount_one(const rf_refcount *m, uint32_t reg) { return reg < m->cfg.pregs && m->count_q[reg] == 1; }

/* Stage 2: what stage 1 holds is added; a mark beats its end. */
static inline void rf_refcount_count(rf_refcount *m, uint32_t found, const uint16_t *offered) {
    const int32_t full = (int32_t)(rf_mask64(m->cfg.countw));
    for (uint32_t f = 0; f < found; f++) m->dead_q[offered[f] / 64] &= ~(UINT64_C(1) << offered[f] % 64);
    for (uint64_t set = m->place_q; set != 0; set &= set - 1) {
        const uint32_t p = rf_lowest(set), reg = m->reg_q[p];
        const int32_t old = m->count_q[reg], delta = (int32_t)(m->delta_q[p] ^ 32u) - 32;
        int32_t sum = old + delta;
        if (sum < 0) sum = 0;
        if (sum > full || old == full) sum = full;
        m->count_q[reg] = (uint16_t)sum;
        m->dead_q[reg / 64] |= (uint64_t)(sum == 0) << reg % 64;
    }
}

/* Who has asked for a register in this cycle. */
typedef struct rf_refcount_asked {
    uint64_t named[RF_PREGS_MAX / 64]; /* per register: somebody */
    uint8_t place[RF_PREGS_MAX];       /* of those: the lowest request */
} rf_refcount_asked;

/* Adds to the place of `reg`, which is a new one at port `p` when nobody has asked for it. */
static inline void rf_refcount_request(rf_refcount *m, rf_refcount_asked *a, uint32_t reg, uint32_t p, uint32_t delta) {
    const uint64_t bit = UINT64_C(1) << reg % 64;
    if (reg >= m->cfg.pregs) return;
    if ((a->named[reg / 64] & bit) != 0) {
        p = a->place[reg];
    } else {
        a->named[reg / 64] |= bit;
        a->place[reg] = (uint8_t)p;
        m->place_q |= UINT64_C(1) << p;
        m->reg_q[p] = (uint16_t)reg;
    }
    m->delta_q[p] = (m->delta_q[p] + delta) & 63;
}

/* Stage 1: requests of one register merge. */
static inline void rf_refcount_schedule(rf_refcount *m, const rf_refcount_in *in) {
    rf_refcount_asked a;
    m->place_q = 0;
    memset(m->reg_q, 0, sizeof m->reg_q);
    memset(m->delta_q, 0, sizeof m->delta_q);
    if ((in->inc | in->dec) == 0) return;
    memset(a.named, 0, sizeof a.named);
    for (uint32_t set = in->inc; set != 0; set &= set - 1)
        rf_refcount_request(m, &a, in->inc_reg[rf_lowest(set)], rf_lowest(set), 1);
    for (uint32_t set = in->dec; set != 0; set &= set - 1)
        rf_refcount_request(m, &a, in->dec_reg[rf_lowest(set)], m->cfg.incs + rf_lowest(set), 63);
}

#endif
