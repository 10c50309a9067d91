/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of rf_wir's random streams, and what happens to it at once: kernels, blocks, fences, barriers.
 *
 * It holds versions in place of values: of each block's scratchpad, of global memory, of constants, and how many stores of its
 * own a warp sees beside them. A load is a function of its address operands and of the version that its warp must see, so that a
 * load that reuses too old a result is a wrong value at its retirement. An event waits until no memory instruction is between a
 * head and the reuse buffer; meanwhile none may be drawn (rf_wir_memory_quiet).
 *
 * In a counting phase there are barriers and fences alone, in runs of up to 40 cycles: the load guard's counts reach their end,
 * and one that wrapped would come back to where it was with entries of then still in the reuse buffer. */
#ifndef RF_WIR_MEMORY_H
#define RF_WIR_MEMORY_H

#include "cmodel/wir/rf_wir.h"
#include "harness/base/rng.h"

typedef enum rf_wir_event {
    RF_WIR_EVENT_NONE,
    RF_WIR_EVENT_KERNEL,
    RF_WIR_EVENT_BLOCK,
    RF_WIR_EVENT_FENCE,
    RF_WIR_EVENT_BARRIER,
    RF_WIR_EVENT_BARRIERS /* of all blocks at once */
} rf_wir_event;

/* All 0 at first but for the sizes. Warp w is of block w mod `blocks`. */
typedef struct rf_wir_memory {
    uint32_t warps, blocks;
    uint32_t shared[RF_BLOCKS_MAX], global, constant;
    uint32_t own_shared[RF_WARPS_MAX], own_global[RF_WARPS_MAX];
    uint64_t between;   /* warps bits: a load has shown one of its uops, and has another: the bench says so */
    rf_wir_event event; /* waits, or is in a run */
    uint32_t of;        /* its block or warp */
    uint32_t more;      /* cycles of its run after this one */
} rf_wir_memory;

/* A new warp starts in slot `w`: it has stored nothing. */
void rf_wir_memory_launch(rf_wir_memory *m, uint32_t w);

/* A store of warp `w` was drawn. */
void rf_wir_memory_store(rf_wir_memory *m, uint32_t w, bool global);

/* What warp `w` must see in a space, as one number. */
uint64_t rf_wir_memory_version(const rf_wir_memory *m, uint32_t w, rf_space space);

/* No memory instruction may be drawn now. */
bool rf_wir_memory_quiet(const rf_wir_memory *m);

/* Once a cycle, after the heads in `in` are known: an event comes with a probability of `rate` in 4096, and what is due is put
 * into `in`. `counting`: the phase is a counting one. */
void rf_wir_memory_events(rf_wir_memory *m, ls_rng *rng, uint32_t rate, bool counting, const rf_wir *model, rf_wir_in *in);

#endif
