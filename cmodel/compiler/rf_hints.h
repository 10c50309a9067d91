/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' compiler halves: analyses of an allocated kernel, and the hints that they put into it (docs/compiler.md). */
#ifndef RF_HINTS_H
#define RF_HINTS_H

#include "cmodel/compiler/rf_level_alloc.h"
#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_program.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_RTHLD_DEFAULT 10u /* instructions; D-rthld */

typedef struct rf_hint_options {
    uint32_t rthld;     /* reuse distance from here on is far; 0: RF_RTHLD_DEFAULT */
    uint32_t registers; /* logical registers that exist, for Rfree; 0: the kernel's nreg rounded up to a multiple of 8 */
    uint32_t banks;     /* of the register file, for Rfree; 0: 16 */
    bool dead_together; /* dead bits only where all lanes are together, as in [CERF III-D-2]; else wherever they are sound */
    const rf_level_options *levels; /* places above the main register file for operands; NULL: none */
} rf_hint_options;

/* The static side of an allocated kernel's stream: instructions as rf_simt.h hands them out (rf_program_inst), blocks, and every
 * hint; grid and block are the launch's, so 0. Options of NULL: all defaults. 0, or -1 and a message. */
int rf_program_build(rf_program *program, const rf_kernel *kernel, const rf_hint_options *options, char *error, size_t size);

/* Hints of a stream without a graph (a trace): one warp, by looking ahead in it; near/far, dead, strands and
 * NOT_L0 over the executed path, no Rfree, no places. Fills inst[].hint; only `rthld` of the options counts, NULL: its default.
 * 0, or -1: no memory. */
int rf_hints_of_warp(rf_warp *warp, const rf_hint_options *options);

/* Copies a program's hints into a warp's instructions by their `index`. */
void rf_hints_apply(const rf_program *program, rf_warp *warp);

#ifdef __cplusplus
}
#endif
#endif
