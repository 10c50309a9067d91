/* SPDX-License-Identifier: Apache-2.0 */
/* The static side of a stream: every instruction once, with its hints, and the control-flow graph. */
#ifndef RF_PROGRAM_H
#define RF_PROGRAM_H

#include "cmodel/workload/rf_inst.h"
#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_program_block {
    uint32_t first, count;
    uint32_t succ[2]; /* RF_INDEX_NONE: none */
    uint32_t ipdom;   /* RF_INDEX_NONE: the end */
} rf_program_block;

/* A kernel as its stream's reader sees it. pc of instruction i is 16 * i (choice: NVIDIA's instructions take 16 bytes). */
typedef struct rf_program {
    char *kernel; /* its name */
    char *origin; /* where it came from, and how: "saxpy.ptx, 63 registers"; for people */
    uint32_t grid[3], block[3], shared_bytes, nreg;
    uint32_t ninst;
    rf_inst *inst; /* mask all ones, address, value NULL; mnemonic points into `text` */
    rf_program_block *code;
    uint32_t nblock;
    char *text; /* all mnemonics, each with its NUL */
    size_t text_bytes;
} rf_program;

/* Instruction `index` of an allocated kernel of at most 255 registers, as every warp's stream starts from it: registers by
 * rf_kinst_words, pc, opcode, class, width and index; mask all ones, no addresses, no values, no hint. `mnemonic` points into the
 * kernel's texts. `immediate` tells its constants from those of others of the same text (docs/compiler.md). */
void rf_program_inst(const rf_kernel *kernel, uint32_t index, rf_inst *inst);

void rf_program_free(rf_program *program);

#ifdef __cplusplus
}
#endif
#endif
