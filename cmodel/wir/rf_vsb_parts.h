/* SPDX-License-Identifier: Apache-2.0 */
/* The lookups and the edge of rf_vsb, as functions that a caller compiles in: private to the unit and rf_wir. */
#ifndef RF_VSB_PARTS_H
#define RF_VSB_PARTS_H

#include "cmodel/wir/rf_vsb.h"

/* The lookups, outputs hit and hit_reg: without branches, because whether a hash is there cannot be foreseen.
 * Plain: hit_reg[i] = hit ? m->reg_q[at] : 0. */
static inline void rf_vsb_lookups(const rf_vsb *m, const rf_vsb_in *in, rf_vsb_out *out) {
    const uint32_t mask = m->cfg.entries - 1;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < m->cfg.issues; i++) {
        const uint32_t at = in->lk_hash[i] & mask;
        const uint32_t hit = (in->lk_valid >> i & 1u) & m->valid_q[at] & (m->hash_q[at] == in->lk_hash[i]);
        hits |= hit << i;
        out->hit_reg[i] = (uint16_t)(m->reg_q[at] & (0 - hit));
    }
    out->hit = (uint8_t)hits;
}

/* What the drop port or a lane finds in entry `at` once these lanes have acted, in order; its register is 0 when there is none.
 */
static inline bool rf_vsb_left_by(const rf_vsb *m, const rf_vsb_in *in, uint32_t lanes, uint32_t at, uint16_t *reg) {
    const uint32_t mask = m->cfg.entries - 1;
    bool valid = m->valid_q[at] != 0;
    *reg = m->reg_q[at];
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t j = rf_lowest(lanes);
        if ((in->lk_hash[j] & mask) != at) continue;
        valid = (in->write >> j & 1) != 0;
        *reg = in->write_reg[j];
    }
    if (!valid) *reg = 0;
    return valid;
}

/* What the cycle removes: the other outputs. */
static inline void rf_vsb_removals(const rf_vsb *m, const rf_vsb_in *in, rf_vsb_out *out) {
    const uint32_t mask = m->cfg.entries - 1, acts = (uint32_t)in->lk_valid & (in->write | in->drop);
    out->freed = out->rnd_freed = 0;
    out->rnd_freed_reg = 0;
    for (uint32_t i = 0; i < RF_ISSUES_MAX; i++) out->freed_reg[i] = 0;
    for (uint32_t set = acts; set != 0; set &= set - 1) {
        const uint32_t i = rf_lowest(set), before = acts & ((UINT32_C(1) << i) - 1);
        out->freed |= (uint8_t)(rf_vsb_left_by(m, in, before, in->lk_hash[i] & mask, &out->freed_reg[i]) << i);
    }
    if (in->rnd_drop) out->rnd_freed = rf_vsb_left_by(m, in, acts, in->rnd_index & mask, &out->rnd_freed_reg);
}

#endif
