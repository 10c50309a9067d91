/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_orf on its own registers: private to rf_orf.c and to the systems that hold operand register files, so that a
 * 128-byte vector is copied where it is read or stored, nowhere else.
 *
 * One cycle: rf_orf_pending and rf_orf_read, in any order; then the edge: rf_orf_clear, rf_orf_write, rf_orf_set, in this order.
 */
#ifndef RF_ORF_PARTS_H
#define RF_ORF_PARTS_H

#include "cmodel/hierarchy/rf_orf.h"

#include <string.h>

/* Output pend. */
static inline uint16_t rf_orf_pending(const rf_orf *m) {
    const uint32_t l1 = m->pend_q & (uint32_t)rf_mask64(m->cfg.entries), l0 = (uint32_t)m->pend_q >> m->cfg.entries;
    return (uint16_t)(l1 | l0 << RF_LEVEL_L0);
}

/* The place that `slot` reads under this name, or RF_LEVEL_NAMES: none. */
static inline uint32_t rf_orf_source(const rf_orf *m, uint32_t slot, uint32_t name, bool shared) {
    if (name >= RF_LEVEL_L0 && shared) return RF_LEVEL_NAMES;
    if (name >= RF_LEVEL_L0 && m->cfg.l0 == 2 && name != RF_LEVEL_L0 + slot) return RF_LEVEL_NAMES;
    return rf_orf_place(&m->cfg, name);
}

/* Output rd_data of a slot with its bit of rd_valid: the lanes below LANES of `to`. */
static inline void rf_orf_read(const rf_orf *m, uint32_t slot, uint32_t name, bool shared, rf_vec *to) {
    const uint32_t place = rf_orf_source(m, slot, name, shared), lanes = m->cfg.lanes;
    const uint32_t held = place != RF_LEVEL_NAMES ? m->held_q[place] : 0;
    if (held == rf_all_lanes(lanes)) {
        *to = m->data_q[place];
        return;
    }
    for (uint32_t l = 0; l < lanes; l++) to->lane[l] = (held >> l & 1) != 0 ? m->data_q[place].lane[l] : RF_ORF_POISON;
}

/* A strand ends. */
static inline void rf_orf_clear(rf_orf *m) { memset(m->held_q, 0, sizeof m->held_q); }

/* A value arrives. */
static inline void rf_orf_write(rf_orf *m, uint32_t name, uint32_t mask, const rf_vec *data, bool shared) {
    const uint32_t place = rf_orf_place(&m->cfg, name);
    if (place == RF_LEVEL_NAMES) return;
    m->pend_q &= (uint16_t) ~(1u << place);
    if (shared && name >= RF_LEVEL_L0) return;
    m->held_q[place] |= mask;
    if (mask == rf_all_lanes(m->cfg.lanes)) m->data_q[place] = *data;
    else rf_vec_merge(&m->data_q[place], data, mask);
}

/* An instruction issues that will write this name. */
static inline void rf_orf_set(rf_orf *m, uint32_t name) {
    const uint32_t place = rf_orf_place(&m->cfg, name);
    if (place != RF_LEVEL_NAMES) m->pend_q |= (uint16_t)(1u << place);
}

#endif
