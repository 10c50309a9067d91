/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction stream is like, in the figures of the papers (docs/kernels.md defines each with its source). */
#ifndef RF_STATS_H
#define RF_STATS_H

#include "cmodel/workload/rf_inst.h"

#define RF_STATS_RESIDENT 48u /* warps that share an SM [WIR VI-A], one instruction each in turn: a choice */
#define RF_STATS_WINDOW 1024u /* instructions of the SM within which a computation counts as repeated [WIR III-A] */
#define RF_STATS_LIFETIME 3u  /* instructions [hierarchy 2.2] */

typedef struct rf_stats {
    uint64_t launches, warps, instructions;
    uint64_t full_mask;       /* instructions with all 32 lanes active */
    uint64_t lanes;           /* active lanes, summed up */
    uint64_t reads, writes;   /* warp registers read and written by instructions with an active lane */
    uint64_t values, read[4]; /* values that threads write to registers; those read 0, 1, 2, 3 or more times */
    uint64_t once_soon;       /* of read[1]: at most RF_STATS_LIFETIME instructions of the thread behind its producer */
    uint64_t hinted, near;    /* operands, read and written, of instructions with hints; those marked near */
    uint64_t strands;         /* executed: ends of strands, and ends of warps that are none */
    uint64_t outside;         /* of reads: the first in its strand of a register that was last written before it */
    uint64_t crossing;        /* of writes: those that a later strand reads */
    uint64_t repeated;        /* computations identical to one of the SM's last RF_STATS_WINDOW instructions */
    bool values_known;        /* repeated means something: every instruction that writes carries its results */
} rf_stats;

typedef struct rf_stats_maker rf_stats_maker;

/* NULL: no memory. */
rf_stats_maker *rf_stats_new(void);
/* The next warp of the stream; new_launch: it starts another kernel or grid, whose warps never share the SM with earlier ones. 0,
 * or -1: no memory. */
int rf_stats_warp(rf_stats_maker *maker, const rf_warp *warp, bool new_launch);
/* The figures of all warps; frees the maker. */
void rf_stats_end(rf_stats_maker *maker, rf_stats *stats);

#endif
