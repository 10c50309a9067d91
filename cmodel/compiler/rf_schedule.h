/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling before register allocation, as production compilers do it: within each basic block the instruction on the
 * longest path to the block's end goes first, so that loads rise and results are used later (docs/compiler.md). */
#ifndef RF_SCHEDULE_H
#define RF_SCHEDULE_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cycles from an instruction's issue to that of one which needs its result: [hierarchy Table I]. */
#define RF_SCHEDULE_ALU 8u
#define RF_SCHEDULE_SFU 20u
#define RF_SCHEDULE_SHARED 20u  /* a load from shared memory, from parameters or constants */
#define RF_SCHEDULE_MEMORY 400u /* a load from DRAM, an atomic operation with a result */

/* Reorders the instructions of each basic block of a kernel whose registers are not allocated. Every instruction comes behind
 * those that it depends on; a branch, exit or trap stays last. In no block are more words, or predicates, live at one time than
 * `words` or `predicates`, or than were before where that is more. Blocks and flow stay. 0, or -1 and a message that names the
 * kernel; the kernel is then untouched. */
int rf_schedule(rf_kernel *kernel, uint32_t words, uint32_t predicates, char *error, size_t size);

#ifdef __cplusplus
}
#endif
#endif
