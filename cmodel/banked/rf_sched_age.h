/* SPDX-License-Identifier: Apache-2.0 */
/* The ages of warps, a matrix: bit v of older[w] says that warp v is older than warp w. rf_sched_gto and rf_ccu_scheduler keep
 * one. */
#ifndef RF_SCHED_AGE_H
#define RF_SCHED_AGE_H

#include "cmodel/common/rf_types.h"

/* After reset a lower number is older. */
static inline void rf_sched_age_reset(uint64_t *older, uint32_t warps) {
    for (uint32_t w = 0; w < warps; w++) older[w] = rf_mask64(w);
}

/* The oldest among `warps`, one hot; 0 when there is none. From any warp each step goes to older ones. */
static inline uint64_t rf_sched_age_oldest(const uint64_t *older, uint64_t warps) {
    uint64_t left = warps;
    while (left != 0 && (older[rf_lowest(left)] & warps) != 0) left &= older[rf_lowest(left)];
    return left & -left;
}

/* Whether warps w and v stand in an order: none is older than itself, of two one is older, and who is older than the older one is
 * older than both. */
static inline bool rf_sched_age_ordered(const uint64_t *older, uint32_t w, uint32_t v) {
    const bool v_older = (older[w] >> v & 1) != 0, w_older = (older[v] >> w & 1) != 0;
    if (w == v) return !v_older;
    return v_older != w_older && (!v_older || (older[v] & ~older[w]) == 0);
}

/* The edge: the warps in `launch` become the youngest; of them, a lower number is older. */
static inline void rf_sched_age_launch(uint64_t *older, uint32_t warps, uint64_t launch) {
    if (launch == 0) return;
    for (uint32_t w = 0; w < warps; w++) {
        if ((launch >> w & 1) != 0) older[w] = (~launch & rf_mask64(warps)) | (launch & rf_mask64(w));
        else older[w] &= ~launch;
    }
}

#endif
