/* SPDX-License-Identifier: Apache-2.0 */
/* SIMT machine: runs an allocated kernel over a grid, warps of 32 lanes, functionally exact; hands out every warp's instructions
 * with the values of all lanes (docs/simt.md).
 *
 * Divergence: a stack of (pc, mask, reconvergence block) a warp; both ways of a branch meet at the branch block's immediate
 * post-dominator. Blocks run one after the other in the order x, y, z; the warps of a block run in order, each to its next
 * barrier or end, so that every result is the same in every run. Atomics of a warp happen in lane order.
 *
 * Arithmetic: IEEE 754 for +, -, *, fma, sqrt and div in the stated rounding; what PTX calls approximate is computed in double
 * and rounded once (within PTX's stated error). Integer division by 0: all bits 1, as NVIDIA's machines do; remainder: the
 * dividend. */
#ifndef RF_SIMT_H
#define RF_SIMT_H

#include "cmodel/workload/rf_inst.h"
#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_simt rf_simt;

typedef struct rf_simt_launch {
    uint32_t grid[3], block[3]; /* each >= 1; at most 1,024 threads a block */
    const void *param;          /* kernel->param_bytes bytes */
    uint32_t dynamic_shared;    /* bytes */
    uint64_t instruction_limit; /* warp instructions of the launch, against endless loops; 0: 2^40 */
} rf_simt_launch;

/* One finished warp: its instructions in program order, with registers, mask, addresses and results (rf_inst.h: value, index).
 * The callee may keep what it swaps out. False: stop the launch. */
typedef bool rf_simt_warp_fn(void *ctx, rf_warp *warp);

typedef struct rf_simt_counts {
    uint64_t warp_instructions, lane_instructions; /* the second: active lanes after the guard */
    uint64_t warps, blocks, barriers, divergent_branches;
} rf_simt_counts;

/* A machine with the module's global and constant variables in place. NULL: no memory. The module must stay. */
rf_simt *rf_simt_new(const rf_module *module);
void rf_simt_free(rf_simt *simt);

/* Device memory: `bytes` of zeros, 256-byte aligned, never at address 0. 0: no memory. */
uint64_t rf_simt_alloc(rf_simt *simt, uint64_t bytes);
/* Copies between host and device memory (also of module variables). 0, or -1: outside every allocation. */
int rf_simt_write(rf_simt *simt, uint64_t address, const void *from, uint64_t bytes);
int rf_simt_read(rf_simt *simt, uint64_t address, void *to, uint64_t bytes);

/* Runs a launch to its end. `kernel` is allocated and of the machine's module (or a copy). `sink` may be NULL: then no stream is
 * made. 0; 1: the sink stopped it; -1 and a message: an access outside memory or not aligned to its size (kernel, PTX line,
 * opcode, block, thread, address, space), a barrier that can never complete, the instruction limit, a trap, a launch that is out
 * of range, an instruction that is not supported. */
int rf_simt_run(rf_simt *simt, const rf_kernel *kernel, const rf_simt_launch *launch, rf_simt_warp_fn *sink, void *ctx,
                rf_simt_counts *counts, char *error, size_t size);

#ifdef __cplusplus
}
#endif
#endif
