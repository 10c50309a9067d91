/* SPDX-License-Identifier: Apache-2.0 */
/* Dead bits: which operands are read for the last time ([hierarchy 4.1], [CERF III-D-2]; docs/compiler.md). */
#ifndef RF_DEADBITS_H
#define RF_DEADBITS_H

#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/workload/rf_hint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills src_dead and dst_dead of `hint`, one a kernel instruction, the rest untouched. `live` is of an allocated kernel in the
 * view of a warp: behind a source marked dead, no lane of the warp reads what the register held, wherever its lanes are. The
 * instruction's own result in the same register is another value. 0, or -1: no memory. */
int rf_deadbits_compute(const rf_liveness *live, rf_hint *hint);

#ifdef __cplusplus
}
#endif
#endif
