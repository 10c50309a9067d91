/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_sched_gto: for rf_sched_gto.c and for those who hold one. */
#ifndef RF_SCHED_GTO_PARTS_H
#define RF_SCHED_GTO_PARTS_H

#include "cmodel/banked/rf_sched_gto.h"
#include "cmodel/banked/rf_sched_tree.h"

/* The warp chosen among `ready`, or 0 when that is 0. */
static inline uint32_t rf_sched_gto_choose(const rf_sched_gto *m, uint64_t ready) {
    const bool greedy = m->last_valid_q && (ready >> m->last_q & 1) != 0;
    return greedy ? m->last_q : rf_sched_age_oldest(m->older_q, ready);
}

/* The finalist that is not chosen, one hot: the oldest in the half of the tree that does not hold `chosen` (one hot). */
static inline uint64_t rf_sched_gto_other(const rf_sched_gto *m, uint64_t ready, uint64_t chosen) {
    const uint64_t rivals = rf_sched_tree_rivals(ready, chosen, m->cfg.warps);
    return (uint64_t)(rivals != 0) << rf_sched_age_oldest(m->older_q, rivals);
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
