/* SPDX-License-Identifier: Apache-2.0 */
/* Strands: the pieces of a kernel inside which values may live in the operand register file ([hierarchy 5.1, Fig. 9];
 * docs/compiler.md).
 *
 * No instruction of a strand reads or overwrites a long-latency result that may have been issued in the same strand, and none
 * that was issued earlier and may not have been waited for since; a backward branch ends a strand, and its target begins one. A
 * strand is entered at one instruction only, by every path of a warp, diverging or not; while lanes wait between two of its
 * instructions, no strand ends. */
#ifndef RF_STRAND_H
#define RF_STRAND_H

#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_strands {
    const rf_kernel *kernel;
    uint32_t count;
    uint32_t *first; /* count: the instruction at which a strand is entered, rising */
    uint32_t *of;    /* ninst: the strand of each instruction */
    uint8_t *flags;  /* ninst: RF_HINT_STRAND_END, DESCHEDULE, LONG_LATENCY and LONG_CONSUMER (rf_hint.h) */
} rf_strands;

/* Of an allocated kernel, which must stay. 0, or -1: no memory. */
int rf_strands_compute(rf_strands *strands, const rf_kernel *kernel);
void rf_strands_free(rf_strands *strands);

/* The names live at any end of a strand, so that their values must lie in the main register file there, into `set`:
 * live->set_words words, and as many behind them to work in. `live` is of the same kernel. */
void rf_strands_live_out(const rf_strands *strands, const rf_liveness *live, uint32_t strand, uint64_t *set);

/* Whether an instruction's result comes after a long latency: loads and atomics that may go to DRAM [hierarchy 3, Table I]. */
bool rf_kinst_long_latency(const rf_kinst *inst);

#ifdef __cplusplus
}
#endif
#endif
