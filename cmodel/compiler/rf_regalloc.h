/* SPDX-License-Identifier: Apache-2.0 */
/* Register allocation: PTX variables to warp registers (docs/compiler.md names the algorithm). */
#ifndef RF_REGALLOC_H
#define RF_REGALLOC_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_REGALLOC_MIN 16u
#define RF_REGALLOC_MAX 255u /* the highest register number is 254; 255 is no register (RZ) */
#define RF_PREDICATES 7u     /* of NVIDIA's machines since Fermi; the bound of `predicates` below is 64 */

/* Rewrites `kernel` so that it uses at most `registers` word registers (RF_REGALLOC_MIN .. RF_REGALLOC_MAX) and `predicates`
 * predicates (2 .. 64). 64-bit values lie in an even register and the next; what does not fit lives in local memory, with loads
 * and stores put around its uses (line 0). Copies whose ends share a register are gone. Control flow is recomputed. A machine
 * must read all sources of an instruction before it writes. 0, or -1 and a message that names the kernel and the limit; the
 * kernel is then untouched. */
int rf_regalloc(rf_kernel *kernel, uint32_t registers, uint32_t predicates, char *error, size_t size);

/* Every variable to words of its own, without any limit but 65,534: for tests, and to run PTX as it is. */
int rf_regalloc_identity(rf_kernel *kernel, char *error, size_t size);

#ifdef __cplusplus
}
#endif
#endif
