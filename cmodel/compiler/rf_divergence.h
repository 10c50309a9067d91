/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lanes of a warp may part: branches whose condition can differ between lanes, and the blocks between such a branch and
 * its immediate post-dominator, where the lanes meet again. */
#ifndef RF_DIVERGENCE_H
#define RF_DIVERGENCE_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_divergence {
    bool *branch; /* per block: it ends in a branch at which lanes may part */
    bool *block;  /* per block: it may run while other lanes of the warp, not yet ended, wait elsewhere */
} rf_divergence;

/* Sound, not exact: a branch is taken as one that cannot diverge when it is .uni, when both of its ways are one, or when its
 * condition follows from parameters, constants and registers that are the same for all lanes, all on paths where the lanes are
 * together (docs/compiler.md). 0, or -1: no memory. */
int rf_divergence_compute(rf_divergence *divergence, const rf_kernel *kernel);
void rf_divergence_free(rf_divergence *divergence);

/* Blocks that a lane may run from block `from` until it reaches block `stop` (RF_KNONE: its end), without it: into list[nblock],
 * returns how many. seen[nblock]: false before and after. */
uint32_t rf_divergence_region(const rf_kernel *kernel, uint32_t from, uint32_t stop, uint32_t *list, bool *seen);

#ifdef __cplusplus
}
#endif
#endif
