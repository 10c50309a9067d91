/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_miss_ocu on its own registers, piece by piece: private to rf_miss_ocu.c and to the systems that hold
 * collectors, so that a system copies a 128-byte vector only where a register takes it, instead of through a 1.1 KB
 * rf_miss_ocu_in.
 *
 * One cycle. First what depends on registers only, for all units of the system, in any order:
 *     rf_miss_ocu_ready, rf_miss_ocu_unread, rf_miss_ocu_asks, rf_miss_ocu_last, rf_miss_ocu_awaited
 * Then the edge of one unit, in this order:
 *  1 rf_miss_ocu_fill      for slots that were rf_miss_ocu_awaited before the edge
 *  2 rf_miss_ocu_accept    for slots that were rf_miss_ocu_asks before the edge
 *  3 rf_miss_ocu_take      with input `alloc`, only when !busy_q
 *  4 rf_miss_ocu_dispatch  with input `dispatch`, only when rf_miss_ocu_ready was true before 1 */
#ifndef RF_MISS_OCU_PARTS_H
#define RF_MISS_OCU_PARTS_H

#include "cmodel/banked/rf_dup.h"
#include "cmodel/cerf/rf_miss_ocu.h"

#include <string.h>

/* ---- what registers say ---- */

/* Output ready. */
static inline bool rf_miss_ocu_ready(const rf_miss_ocu *m) { return m->busy_q & ((m->src_valid_q & ~(uint32_t)m->ready_q) == 0); }

/* Output unread. */
static inline uint32_t rf_miss_ocu_unread(const rf_miss_ocu *m) { return m->src_valid_q & ~((uint32_t)m->wait_q | m->ready_q); }

/* Output rd_valid (D-dup). */
static inline uint32_t rf_miss_ocu_asks(const rf_miss_ocu *m) {
    return rf_dup_first(rf_miss_ocu_unread(m), m->src_q, m->cfg.slots);
}

/* Output rd_last; `asking` is rf_miss_ocu_asks. */
static inline uint32_t rf_miss_ocu_last(const rf_miss_ocu *m, uint32_t asking) {
    uint32_t last = 0;
    if (m->last_q == 0) return 0;
    for (uint32_t left = asking; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), sharing = rf_dup_served(UINT32_C(1) << s, m->last_q, m->src_q, m->cfg.slots);
        if ((sharing & m->last_q) != 0) last |= UINT32_C(1) << s;
    }
    return last;
}

/* Slots for which the memory still has to bring data: of those that wait and share a register, the one that asked. */
static inline uint32_t rf_miss_ocu_awaited(const rf_miss_ocu *m) { return rf_dup_first(m->wait_q, m->src_q, m->cfg.slots); }

/* ---- the edge, in the order that the top of this file demands ---- */

/* Data for `slot`, one of rf_miss_ocu_awaited, and for those that share its register. */
static inline void rf_miss_ocu_fill(rf_miss_ocu *m, uint32_t slot, const rf_vec *data) {
    const uint32_t filled = rf_dup_served(UINT32_C(1) << slot, m->wait_q, m->src_q, m->cfg.slots);
    for (uint32_t left = filled; left != 0; left &= left - 1) m->data_q[rf_lowest(left)] = *data;
    m->wait_q = (uint8_t)(m->wait_q & ~filled);
    m->ready_q = (uint8_t)(m->ready_q | filled);
}

/* The memory has taken the requests of `accepted`, part of rf_miss_ocu_asks: these wait, and those that share their registers. */
static inline void rf_miss_ocu_accept(rf_miss_ocu *m, uint32_t accepted) {
    if (accepted == 0) return;
    m->wait_q = (uint8_t)(m->wait_q | rf_dup_served(accepted, rf_miss_ocu_unread(m), m->src_q, m->cfg.slots));
}

/* The instruction is stored, with the numbers of its registers and which of them are read for the last time. */
static inline void rf_miss_ocu_take(rf_miss_ocu *m, const rf_stage_instr *inst, const uint16_t *number, uint32_t last) {
    m->busy_q = 1;
    m->carried_q = inst->carried;
    m->port_q = (uint8_t)inst->port;
    m->src_valid_q = (uint8_t)inst->src_valid;
    m->last_q = (uint8_t)(last & inst->src_valid);
    for (uint32_t s = 0; s < m->cfg.slots; s++) {
        m->src_q[s] = inst->src[s];
        m->number_q[s] = number[s];
    }
}

/* The instruction leaves; metadata and data stay. */
static inline void rf_miss_ocu_dispatch(rf_miss_ocu *m) {
    m->busy_q = 0;
    m->src_valid_q = 0;
    m->ready_q = 0;
}

#endif
