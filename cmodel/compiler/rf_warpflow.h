/* SPDX-License-Identifier: Apache-2.0 */
/* Which block a warp may have executed just before another: the predecessors of the control-flow graph, and those that only a
 * diverging warp has. At a divergent branch its lanes take both ways, one after the other: from the end of one way, at the
 * branch's immediate post-dominator or at an exit, the warp goes back to the start of the other. */
#ifndef RF_WARPFLOW_H
#define RF_WARPFLOW_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_warpflow {
    uint32_t *start; /* nblock + 1: the predecessors of block b are pred[start[b]] .. pred[start[b + 1] - 1], rising */
    uint32_t *pred;
} rf_warpflow;

/* Either order of a branch's ways is possible. 0, or -1: no memory. */
int rf_warpflow_compute(rf_warpflow *flow, const rf_kernel *kernel);
void rf_warpflow_free(rf_warpflow *flow);

#ifdef __cplusplus
}
#endif
#endif
