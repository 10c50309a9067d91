/* SPDX-License-Identifier: Apache-2.0 */
/* Which results should not lie in the L0 of a register file cache ([hierarchy 4.7, 7.6]; docs/compiler.md): those of shared
 * units, and those that one may read. */
#ifndef RF_NOT_L0_H
#define RF_NOT_L0_H

#include "cmodel/workload/rf_hint.h"
#include "cmodel/workload/rf_inst.h"
#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Units that share a port to the lanes: special functions, memory, tensor. The others have every lane to themselves. */
static inline bool rf_opclass_shared(rf_opclass opclass) { return opclass != RF_OP_ALU && opclass != RF_OP_CTRL; }

/* Adds RF_HINT_NOT_L0 to the flags of an allocated kernel's instructions, one hint each. 0, or -1: no memory. */
int rf_not_l0_compute(const rf_kernel *kernel, rf_hint *hint);

#ifdef __cplusplus
}
#endif
#endif
