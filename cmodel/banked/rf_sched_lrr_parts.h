/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_sched_lrr: for rf_sched_lrr.c and for those who hold one. */
#ifndef RF_SCHED_LRR_PARTS_H
#define RF_SCHED_LRR_PARTS_H

#include "cmodel/banked/rf_sched_lrr.h"
#include "cmodel/banked/rf_sched_tree.h"

/* The warp chosen among `ready`, or 0 when that is 0. */
static inline uint32_t rf_sched_lrr_choose(const rf_sched_lrr *m, uint64_t ready) {
    return ready != 0 ? rf_lowest(rf_rr_pick(ready, m->rr.mask_q)) : 0;
}

/* The finalist that is not chosen, one hot: the first in the half of the tree that does not hold `chosen` (one hot). That half is
 * wholly above or wholly below the chosen warp, and between turn and chosen warp none is ready: all its ready warps are on one
 * side of the turn, and the first of them is the lowest. */
static inline uint64_t rf_sched_lrr_other(const rf_sched_lrr *m, uint64_t ready, uint64_t chosen) {
    const uint64_t rivals = rf_sched_tree_rivals(ready, chosen, m->cfg.warps);
    return rivals & (~rivals + 1);
}

#endif
