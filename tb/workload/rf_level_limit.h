/* SPDX-License-Identifier: Apache-2.0 */
/* What operand register files of other sizes would take, from the executions of a kernel without timing, and what it would save
 * if each strand got as many entries as it has use for [hierarchy 8.1]: a bound.
 *
 * The compiler allocates every strand for 1 to RF_LEVEL_ENTRIES_MAX entries of the L1, and every executed instruction costs what
 * its places then say, by the counters of rf_hierarchy. For the bound an oracle gives entries to strands so that the least energy
 * is used and, over all instructions of a kernel, a warp has no more than a given number of them on average. A strand of which it
 * has nothing to give may have a number in some of its executions and another in the others, so the bound is that of a linear
 * program: no distribution of entries that keeps the average uses less. */
#ifndef RF_LEVEL_LIMIT_H
#define RF_LEVEL_LIMIT_H

#include "cmodel/compiler/rf_level_alloc.h"
#include "cmodel/workload/rf_inst.h"

typedef struct rf_level_limit rf_level_limit;

/* With everything of the options but `entries`; they have passed rf_level_check. Prices are the options', or, with `active` not
 * 0, the paper's of as many entries as are allocated for so many active warps. `unflushed`: no strand ends because of a long
 * latency, so that results of long-latency operations may have places too [hierarchy 8.3]. NULL: no memory. */
rf_level_limit *rf_level_limit_new(const rf_level_options *options, uint32_t active, bool unflushed);
void rf_level_limit_free(rf_level_limit *limit);

/* A warp that has executed `kernel`, which stays where it is and as it is for all of its warps. 0, or -1: no memory. */
int rf_level_limit_warp(rf_level_limit *limit, const rf_kernel *kernel, const rf_warp *warp);

/* Energy of all warps, in the unit of the prices, with this many entries for every strand, 1 .. RF_LEVEL_ENTRIES_MAX. */
double rf_level_limit_fixed(const rf_level_limit *limit, uint32_t entries);

/* The bound: the least energy with at most `entries` on average, 1 .. RF_LEVEL_ENTRIES_MAX, in each kernel. Negative: no memory.
 */
double rf_level_limit_least(const rf_level_limit *limit, double entries);

#endif
