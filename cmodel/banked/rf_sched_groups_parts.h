/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_sched_groups: for rf_sched_groups.c and for those who hold one. */
#ifndef RF_SCHED_GROUPS_PARTS_H
#define RF_SCHED_GROUPS_PARTS_H

#include "cmodel/banked/rf_sched_groups.h"
#include "cmodel/banked/rf_sched_tree.h"
#include "cmodel/common/rf_rr.h"

/* The warp chosen among `ready`, one hot: of the current fetch group the next above the last, else its lowest; else the lowest of
 * the groups above; else the lowest. */
static inline uint64_t rf_sched_groups_pick(const rf_sched_groups *m, uint64_t ready) {
    const uint32_t first = m->group_q * m->cfg.fetch; /* warp of the current group; below 64 */
    const uint64_t from = ready & ~rf_mask64(first), turn = from & rf_mask64(first + m->cfg.fetch) & m->mask_q;
    const uint64_t pool = turn != 0 ? turn : from != 0 ? from : ready;
    return pool & (~pool + 1);
}

/* The warp chosen among `ready`, or 0 when that is 0. */
static inline uint32_t rf_sched_groups_choose(const rf_sched_groups *m, uint64_t ready) {
    return ready != 0 ? rf_lowest(rf_sched_groups_pick(m, ready)) : 0;
}

/* The finalist that is not chosen, one hot: of the half of the tree that does not hold `chosen` (one hot). */
static inline uint64_t rf_sched_groups_other(const rf_sched_groups *m, uint64_t ready, uint64_t chosen) {
    return rf_sched_groups_pick(m, rf_sched_tree_rivals(ready, chosen, m->cfg.warps));
}

/* The edge: the chosen warp `warp` issues. */
static inline void rf_sched_groups_move(rf_sched_groups *m, uint32_t warp) {
    m->group_q = (uint8_t)(warp / m->cfg.fetch);
    m->mask_q = rf_rr_next(UINT64_C(1) << warp, m->cfg.warps);
}

#endif
