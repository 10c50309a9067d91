/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers hold a value that is read later: backward data flow over a kernel's blocks.
 *
 * Sets are bit sets over *names*: for a kernel before allocation its variables (predicates among them), after it its word
 * registers 0 .. nreg-1, then its predicates nreg .. nreg+npred-1. A guarded write, and a write in a block where not all lanes of
 * a warp may be active, does not end the old value's life for the other lanes. */
#ifndef RF_LIVENESS_H
#define RF_LIVENESS_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lanes on their own, or the warp's register as a whole: there, a register is dead only where no lane of the warp, on whatever
 * path, will read it: between a divergent branch and its immediate post-dominator it lives as long as either side needs it
 * [CERF III-D-2]. That holds for a stack that reconverges at immediate post-dominators, whichever side runs first
 * (docs/compiler.md). */
typedef enum rf_live_view { RF_LIVE_LANE, RF_LIVE_WARP } rf_live_view;

typedef struct rf_liveness {
    const rf_kernel *kernel;
    uint32_t names, set_words; /* size of a set in bits and in uint64_t */
    uint64_t *in, *out;        /* nblock sets: live at the block's start, behind its end */
    uint64_t *pending;         /* nblock sets, part of in and out: what lanes that wait elsewhere while the block runs may read;
                                  NULL in the view of a lane */
} rf_liveness;

/* 0, or -1: no memory. The kernel must stay. */
int rf_liveness_compute(rf_liveness *live, const rf_kernel *kernel, rf_live_view view);
void rf_liveness_free(rf_liveness *live);

/* The set live just behind instruction `inst` into `set` (set_words words). */
void rf_liveness_after(const rf_liveness *live, uint32_t inst, uint64_t *set);

/* The names that an instruction reads (guard among them) and writes, each at most once: into lists that hold 16 and 10.
 * *partial: a lane that does not take part keeps its old value (guarded). */
void rf_liveness_names(const rf_liveness *live, const rf_kinst *inst, uint32_t *read, uint32_t *nread, uint32_t *written,
                       uint32_t *nwritten, bool *partial);

/* `set`, live behind an instruction in the view of a lane, becomes what is live in front of it: for walks up a block from its
 * end. In the view of a warp, `pending` must be joined to it after. */
void rf_liveness_step(const rf_liveness *live, const rf_kinst *inst, uint64_t *set);

#ifdef __cplusplus
}
#endif
#endif
