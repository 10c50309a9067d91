/* SPDX-License-Identifier: Apache-2.0 */
/* Register values for traces that have none: a fixed function of what is known, in which every operand bit matters.
 *
 * These are no results of real arithmetic. They make a wrong operand visible: a change of any one operand of a lane always
 * changes the lane's result (each step is a bijection), of several all but one time in 2^32. The mixer is the 32-bit finalizer of
 * MurmurHash3 (A. Appleby, 2011, public domain). */
#ifndef RF_VALUE_H
#define RF_VALUE_H

#include "cmodel/workload/rf_inst.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value that an instruction of warp `warp_id` writes to its destination `dst_index` (rf_uop.dst_index), lanes 0 .. lanes-1,
 * the rest 0. `operand[0 .. nsrc-1]` are the values delivered to the whole instruction, in source order: cracked or not, the
 * result is the same. `result` must not overlap `operand`.
 *  - a load with lane addresses: of the lane's address + 4 * dst_index alone, cut to the width below 4 bytes: as from a memory
 *    that nobody writes. The operands do not matter; the trace's addresses do.
 *  - else of opcode, PC (it stands for the constants a trace does not list), immediate, dst_index and the lane's operands;
 *    without operands also of warp and lane, as a thread index would be. */
void rf_value_result(const rf_inst *inst, uint64_t warp_id, uint32_t dst_index, const rf_vec *operand, uint32_t nsrc,
                     uint32_t lanes, rf_vec *result);

/* A value for register `reg` of a warp before its first instruction, all 32 lanes: for tests. A run's registers begin with what
 * the banks hold. */
void rf_value_initial(uint64_t warp_id, uint32_t reg, rf_vec *value);

#ifdef __cplusplus
}
#endif
#endif
