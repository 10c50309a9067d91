/* SPDX-License-Identifier: Apache-2.0 */
/* A launch: its limits, and the blocks one after the other. */
#include "cmodel/workload/rf_simt.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmodel/workload/rf_simt_machine.h"

#define LIMIT (UINT64_C(1) << 40)

/* The launch against CUDA's limits and the kernel's wishes: NULL, or what is out of range. */
static const char *launch_fault(const rf_simt_grid *g) {
    static const uint32_t grid_max[3] = {INT32_MAX, 65535, 65535}, block_max[3] = {1024, 1024, 64};
    const rf_kernel *const kernel = g->kernel;
    const rf_simt_launch *const launch = g->launch;
    if (!kernel->allocated) return "registers are not allocated";
    if (kernel->ninst == 0 || kernel->nblock == 0) return "no instructions";
    for (uint32_t i = 0; i < 3; i++) {
        if (launch->grid[i] < 1 || launch->grid[i] > grid_max[i]) return "grid (x 1 .. 2147483647, y and z 1 .. 65535)";
        if (launch->block[i] < 1 || launch->block[i] > block_max[i]) return "block (x and y 1 .. 1024, z 1 .. 64)";
        if (kernel->reqntid[i] && kernel->reqntid[i] != launch->block[i]) return "block (the kernel requires another size)";
    }
    if (launch->block[0] * launch->block[1] * launch->block[2] > RF_BLOCK_THREADS) return "block (at most 1024 threads)";
    if (kernel->param_bytes > RF_PARAM_MAX) return "parameters (at most 32764 bytes)";
    if (kernel->param_bytes && !launch->param) return "parameters are missing";
    if (kernel->shared_bytes > RF_SHARED_MAX || launch->dynamic_shared > RF_SHARED_MAX - kernel->shared_bytes)
        return "shared memory (at most 232448 bytes a block)";
    if (kernel->local_bytes > RF_LOCAL_MAX) return "local memory (at most 524288 bytes a thread)";
    if (kernel->nreg > UINT16_MAX || kernel->npred > UINT16_MAX) return "registers (at most 65535)";
    if (g->sink && kernel->nreg > RF_STREAM_REGS) return "registers (at most 255 in a stream)";
    return NULL;
}

static int run_blocks(rf_simt_grid *g) {
    const uint32_t *const n = g->launch->grid;
    for (g->block[2] = 0; g->block[2] < n[2]; g->block[2]++)
        for (g->block[1] = 0; g->block[1] < n[1]; g->block[1]++)
            for (g->block[0] = 0; g->block[0] < n[0]; g->block[0]++) {
                const int status = rf_simt_block(g);
                if (status != 0) return status;
            }
    return 0;
}

int rf_simt_run(rf_simt *simt, const rf_kernel *kernel, const rf_simt_launch *launch, rf_simt_warp_fn *sink, void *ctx,
                rf_simt_counts *counts, char *error, size_t size) {
    rf_simt_grid *const g = calloc(1, sizeof *g);
    if (!g) {
        (void)snprintf(error, size, "kernel %s: no memory", kernel->name);
        return -1;
    }
    g->simt = simt;
    g->kernel = kernel;
    g->launch = launch;
    g->sink = sink;
    g->ctx = ctx;
    g->limit = launch->instruction_limit ? launch->instruction_limit : LIMIT;
    g->error = error;
    g->error_size = size;
    int status = -1;
    const char *const fault = launch_fault(g);
    if (fault) {
        (void)snprintf(error, size, "kernel %s: launch: %s", kernel->name, fault);
    } else {
        g->threads = launch->block[0] * launch->block[1] * launch->block[2];
        g->warps = (g->threads + RF_LANES - 1) / RF_LANES;
        g->shared_bytes = kernel->shared_bytes + launch->dynamic_shared;
        g->local_bytes = kernel->local_bytes;
        simt->launches++;
        fenv_t caller; /* its rounding and its flushing of subnormal numbers are not ours */
        (void)fegetenv(&caller);
        (void)fesetenv(FE_DFL_ENV);
        if (rf_simt_decode(g) == 0 && rf_simt_open(g) == 0) status = run_blocks(g);
        (void)fesetenv(&caller);
    }
    if (counts) *counts = g->counts;
    rf_simt_close(g);
    rf_simt_undecode(g);
    free(g);
    return status;
}
