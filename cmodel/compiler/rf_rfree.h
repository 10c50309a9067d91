/* SPDX-License-Identifier: Apache-2.0 */
/* Inactive registers for stolen writes: the updates of the banks' Rfree that a kernel's instructions carry
 * ([bank stealing IV-C-2]; docs/compiler.md). Register r of any warp lies in the bank that r mod banks stands for; "bank" means r
 * mod banks here. */
#ifndef RF_RFREE_H
#define RF_RFREE_H

#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/workload/rf_inst.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills nfree, free_reg and free_was of `hint`, one a kernel instruction, the rest untouched. `live` is of the allocated kernel
 * of at most `registers` registers, in the view of a warp. registers: 1 .. 255 logical registers that a warp has; banks: 1 .. 32.
 * From the instruction that names a register up to the one that replaces it, whatever path the warp takes, diverging or not, no
 * lane needs what the register holds. 0, or -1: no memory. */
int rf_rfree_compute(const rf_liveness *live, uint32_t registers, uint32_t banks, rf_hint *hint);

/* The same of a stream without a graph (a trace): fills nfree, free_reg and free_was of one warp's inst[].hint by looking ahead
 * in it, lane by lane. The register that stays inactive longest is named, best one that the warp never touches; an instruction
 * that no lane takes part in carries nothing. Time and memory grow with the number of instructions. 0, or -1: no memory. */
int rf_rfree_of_warp(rf_warp *warp, uint32_t registers, uint32_t banks);

#ifdef __cplusplus
}
#endif
#endif
