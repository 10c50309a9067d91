/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_sched_gto: for rf_sched_gto.c and for those who hold one. */
#ifndef RF_SCHED_GTO_PARTS_H
#define RF_SCHED_GTO_PARTS_H

#include "cmodel/banked/rf_sched_gto.h"
#include "cmodel/banked/rf_sched_tree.h"

/* The warp chosen among `ready`, one hot; 0 when that is 0. */
static inline uint64_t rf_sched_gto_pick(const rf_sched_gto *m, uint64_t ready) {
    const uint64_t greedy = ready & (uint64_t)m->last_valid_q << m->last_q;
    return greedy != 0 ? greedy : rf_sched_age_oldest(m->older_q, ready);
}

/* Its number, or 0 when there is none. */
static inline uint32_t rf_sched_gto_choose(const rf_sched_gto *m, uint64_t ready) {
    const uint64_t warp = rf_sched_gto_pick(m, ready);
    return warp != 0 ? rf_lowest(warp) : 0;
}

/* The finalist that is not chosen, one hot: the oldest in the half of the tree that does not hold `chosen` (one hot). */
static inline uint64_t rf_sched_gto_other(const rf_sched_gto *m, uint64_t ready, uint64_t chosen) {
    return rf_sched_age_oldest(m->older_q, rf_sched_tree_rivals(ready, chosen, m->cfg.warps));
}

/* The edge: `issues` says that the chosen warp `warp` does. */
static inline void rf_sched_gto_move(rf_sched_gto *m, uint64_t launch, bool issues, uint32_t warp) {
    if (issues) {
        m->last_valid_q = 1;
        m->last_q = (uint8_t)warp;
    } else if ((launch >> m->last_q & 1) != 0) {
        m->last_valid_q = 0;
    }
    rf_sched_age_launch(m->older_q, m->cfg.warps, launch);
}

#endif
