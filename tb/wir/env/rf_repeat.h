/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated warp computations [WIR III-A], of instructions in the order in which they issue: a computation is opcode, immediate,
 * active lanes, what they read and what comes out. Control flow, stores and what has no active lane never count as repeated, but
 * fill windows.
 *
 * Computations are told apart by a 64-bit hash, an exact window around it: two different ones share it once in 2^64. */
#ifndef RF_REPEAT_H
#define RF_REPEAT_H

#include "cmodel/workload/rf_inst.h"

#define RF_REPEAT_WINDOW 1024u /* instructions: "1K" */
#define RF_REPEAT_OFTEN 10u
#define RF_REPEAT_BUCKETS (2 * RF_REPEAT_WINDOW)

typedef struct rf_repeat {
    /* in windows one behind the other, whole ones and the last as far as it came */
    uint64_t instructions;
    uint64_t repeated; /* an earlier instruction of the window has the same computation */
    uint64_t often;    /* computation that the window has more than RF_REPEAT_OFTEN times: all of its instructions */
    /* against the RF_REPEAT_WINDOW instructions before, wherever windows begin */
    uint64_t near;
    /* the last instructions, and chains through them by hash: number + 1 of an instruction, 0: none */
    uint64_t key[RF_REPEAT_WINDOW];
    uint64_t before[RF_REPEAT_WINDOW];
    uint64_t last[RF_REPEAT_BUCKETS];
    uint32_t times[RF_REPEAT_WINDOW]; /* how often the window has had the computation, this instruction included */
} rf_repeat;

/* The computation of an instruction as a number, 0 for what never counts. `operand`: nsrc registers as it reads them. What it
 * writes is its recorded values; without them program counter and addresses stand for it, as in rf_value.h. */
uint64_t rf_repeat_key(const rf_inst *inst, const rf_vec *const *operand);

/* The next instruction, `r` all 0 at first: is it one of the RF_REPEAT_WINDOW before it again? */
bool rf_repeat_add(rf_repeat *r, uint64_t key);

#endif
