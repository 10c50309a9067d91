/* SPDX-License-Identifier: Apache-2.0 */
/* The two halves of a warp scheduler's selection tree [bank stealing Fig. 7], the same in every scheduler. */
#ifndef RF_SCHED_TREE_H
#define RF_SCHED_TREE_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lower half: the warps below P/2, P the smallest power of two not below `warps` (1 .. 64); none of one warp. */
static inline uint64_t rf_sched_tree_low(uint32_t warps) { return warps > 1 ? rf_mask64(1u << (rf_index_bits(warps) - 1)) : 0; }

/* The warps of `ready` in the half that does not hold `chosen` (one hot, of `ready`; 0 when that is 0). */
static inline uint64_t rf_sched_tree_rivals(uint64_t ready, uint64_t chosen, uint32_t warps) {
    const uint64_t low = rf_sched_tree_low(warps);
    return (chosen & low) != 0 ? ready & ~low : ready & low;
}

#ifdef __cplusplus
}
#endif
#endif
