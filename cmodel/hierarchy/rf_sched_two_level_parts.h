/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_sched_two_level: for rf_sched_two_level.c and for those who hold one. */
#ifndef RF_SCHED_TWO_LEVEL_PARTS_H
#define RF_SCHED_TWO_LEVEL_PARTS_H

#include "cmodel/banked/rf_sched_gto_parts.h"
#include "cmodel/banked/rf_sched_lrr_parts.h"
#include "cmodel/hierarchy/rf_sched_two_level.h"

/* Whether warps enter and leave: else warp w has slot w for ever. */
static inline bool rf_sched_two_level_outer(const rf_sched_two_level *m) { return m->cfg.active < m->cfg.warps; }

/* The warps that have a slot, active or leaving. */
static inline uint64_t rf_sched_two_level_in_slots(const rf_sched_two_level *m) {
    uint64_t warps = 0;
    for (uint32_t left = m->held_q; left != 0; left &= left - 1) warps |= UINT64_C(1) << m->warp_q[rf_lowest(left)];
    return warps;
}

/* The active slots whose warp is among `ready`. */
static inline uint32_t rf_sched_two_level_ready(const rf_sched_two_level *m, uint64_t ready) {
    uint32_t slots = 0;
    for (uint32_t left = m->held_q & ~m->leaving_q; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left);
        slots |= (uint32_t)(ready >> m->warp_q[s] & 1) << s;
    }
    return slots;
}

/* The slot that the inner level chooses among `slots`, or 0 when that is 0. */
static inline uint32_t rf_sched_two_level_choose(const rf_sched_two_level *m, uint32_t slots) {
    return m->cfg.policy == 0 ? rf_sched_gto_choose(&m->gto, slots) : rf_sched_lrr_choose(&m->lrr, slots);
}

/* The slot that a warp may take, one hot: the lowest free one; 0 when none is free. */
static inline uint32_t rf_sched_two_level_free(const rf_sched_two_level *m) {
    const uint32_t used = m->held_q | ~(uint32_t)rf_mask64(m->cfg.active);
    return ~used & (used + 1);
}

/* The warp that takes the slot `free` (rf_sched_two_level_free), one hot: 0 when there is no such slot or no ready warp pends. */
static inline uint64_t rf_sched_two_level_enter(const rf_sched_two_level *m, uint64_t ready, uint32_t free) {
    return free != 0 ? rf_rr_pick(ready & ~rf_sched_two_level_in_slots(m), m->enter.mask_q) : 0;
}

/* The inner level's edge: the warp in the slot `slot` issues, if `issues`; new warps start in the slots `launch`. */
static inline void rf_sched_two_level_move_inner(rf_sched_two_level *m, uint64_t launch, bool issues, uint32_t slot) {
    if (m->cfg.policy == 0) rf_sched_gto_move(&m->gto, launch, issues, slot);
    else if (issues) m->lrr.rr.mask_q = rf_rr_next(UINT64_C(1) << slot, m->cfg.active);
}

/* The edge of the slots: the slots `leaves` are descheduled, leaving ones without `hold` become free, and the warp `enters` (one
 * hot, or 0) takes the slot `free` (one hot). */
static inline void rf_sched_two_level_move_slots(rf_sched_two_level *m, uint32_t leaves, uint32_t hold, uint64_t enters,
                                                 uint32_t free) {
    m->held_q &= ~(m->leaving_q & ~hold);
    m->leaving_q = (m->leaving_q & hold) | leaves;
    if (enters == 0) return;
    m->held_q |= free;
    m->warp_q[rf_lowest(free)] = (uint8_t)rf_lowest(enters);
    m->enter.mask_q = rf_rr_next(enters, m->cfg.warps);
}

/* The edge of both levels: the warp in the slot `slot` issues, if `issues`, and then leaves, if `leave`; `enters` and `free` as
 * above. */
static inline void rf_sched_two_level_move(rf_sched_two_level *m, const rf_sched_two_level_in *in, bool issues, uint32_t slot,
                                           uint64_t enters, uint32_t free) {
    if (!rf_sched_two_level_outer(m)) {
        rf_sched_two_level_move_inner(m, in->launch & rf_mask64(m->cfg.active), issues, slot);
        return;
    }
    rf_sched_two_level_move_inner(m, enters != 0 ? free : 0, issues, slot);
    rf_sched_two_level_move_slots(m, (uint32_t)(issues && in->leave) << slot, in->hold, enters, free);
}

#endif
