/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distance of every register operand over the control-flow graph ([Malekeh 1, 3.2, 4]; docs/compiler.md).
 *
 * The distance of an operand is the number of instructions from its own to the next one of the same lane that reads the
 * register's value: 1 for the very next instruction. Over several paths it is the least; RF_REUSE_NONE where on no path the value
 * is read again before an unguarded write replaces it. */
#ifndef RF_REUSE_H
#define RF_REUSE_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_REUSE_NONE UINT32_MAX
#define RF_REUSE_SRC (2u * RF_KSRC_MAX) /* an instruction's entries in src; its words come in the order of rf_kinst_words */
#define RF_REUSE_DST (2u * RF_KDST_MAX)

typedef struct rf_reuse {
    uint32_t *src; /* ninst x RF_REUSE_SRC; RF_REUSE_NONE behind the last word */
    uint32_t *dst; /* ninst x RF_REUSE_DST */
} rf_reuse;

/* Of an allocated kernel. 0, or -1: no memory. */
int rf_reuse_compute(rf_reuse *reuse, const rf_kernel *kernel);
void rf_reuse_free(rf_reuse *reuse);

#ifdef __cplusplus
}
#endif
#endif
