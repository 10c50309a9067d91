/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_ocu on its own registers, piece by piece: private to rf_ocu.c and to the systems that hold collectors, so that
 * a system copies a 128-byte vector only where a register takes it, instead of through a 1.1 KB rf_ocu_in.
 *
 * One cycle. First what depends on registers only, for all units of the system, in any order:
 *     rf_ocu_ready, rf_ocu_unread, rf_ocu_asks; rf_ocu_served, once the grants are known
 * Then the edge of one unit, in this order:
 *  1 rf_ocu_fill      before the banks read again
 *  2 rf_ocu_move      always
 *  3 rf_ocu_take      with input `alloc`, only when !busy_q
 *  4 rf_ocu_dispatch  with input `dispatch`, only when rf_ocu_ready was true before 1 */
#ifndef RF_OCU_PARTS_H
#define RF_OCU_PARTS_H

#include "cmodel/banked/rf_dup.h"
#include "cmodel/banked/rf_ocu.h"

#include <string.h>

/* ---- what registers say ---- */

/* Output ready. */
static inline bool rf_ocu_ready(const rf_ocu *m) { return m->busy_q && (m->src_valid_q & ~(uint32_t)m->ready_q) == 0; }

/* Output unread. */
static inline uint32_t rf_ocu_unread(const rf_ocu *m) { return m->src_valid_q & ~((uint32_t)m->fill_q | m->ready_q); }

/* Output rd_valid (D-dup). */
static inline uint32_t rf_ocu_asks(const rf_ocu *m) {
    const uint32_t first = rf_dup_first(rf_ocu_unread(m), m->src_q, m->cfg.slots);
    return m->cfg.serial != 0 ? first & (0u - first) : first;
}

/* Slots that the grants for `granted`, part of rf_ocu_asks, serve (D-dup). */
static inline uint32_t rf_ocu_served(const rf_ocu *m, uint32_t granted) {
    return rf_dup_served(granted, rf_ocu_unread(m), m->src_q, m->cfg.slots);
}

/* ---- the edge, in the order that the top of this file demands ---- */

/* Data for `slot` of fill_q. */
static inline void rf_ocu_fill(rf_ocu *m, uint32_t slot, const rf_vec *data) { m->data_q[slot] = *data; }

/* What was filled is ready; `served` (rf_ocu_served) is filled in the next cycle. */
static inline void rf_ocu_move(rf_ocu *m, uint32_t served) {
    m->ready_q |= m->fill_q;
    m->fill_q = (uint8_t)served;
}

/* The instruction is stored, with its sources' banks and rows; slots in `ahead` are filled in the next cycle without a grant. */
static inline void rf_ocu_take(rf_ocu *m, const rf_stage_instr *inst, const uint8_t *bank, const uint16_t *row, uint32_t ahead) {
    m->busy_q = 1;
    m->carried_q = inst->carried;
    m->port_q = (uint8_t)inst->port;
    m->src_valid_q = (uint8_t)inst->src_valid;
    m->fill_q = (uint8_t)(ahead & inst->src_valid);
    for (uint32_t s = 0; s < m->cfg.slots; s++) {
        m->src_q[s] = inst->src[s];
        m->bank_q[s] = bank[s];
        m->row_q[s] = row[s];
    }
}

/* The instruction leaves; metadata and data stay. */
static inline void rf_ocu_dispatch(rf_ocu *m) {
    m->busy_q = 0;
    m->src_valid_q = 0;
    m->ready_q = 0;
}

#endif
