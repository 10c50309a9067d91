/* SPDX-License-Identifier: Apache-2.0 */
/* Our kernels for `lockstep workload build`. */
#include <stdio.h>

#include "harness/core/workload.h"
#include "harness/base/xzio.h"
#include "tb/workload/rf_kernels.h"

static bool entry(size_t i, ls_kernel_info *info) {
    if (i >= rf_kernels_count) return false;
    *info = (ls_kernel_info){.name = rf_kernels_list[i].name, .kind = rf_kernels_list[i].kind, .what = rf_kernels_list[i].what};
    return true;
}

static int make(const ls_kernel_request *request, rf_stream_writer *writer, ls_kernel_result *result, char *error, size_t size) {
    const rf_kernels_entry *const kernel = rf_kernels_find(request->name);
    const rf_kernels_options options = {.large = request->large,
                                        .schedule = request->schedule,
                                        .m32 = request->m32,
                                        .papers_inputs = request->papers_inputs,
                                        .dead_together = request->dead_together,
                                        .registers = request->registers,
                                        .rthld = request->rthld,
                                        .banks = request->banks,
                                        .hierarchy = request->hierarchy,
                                        .source = &ls_xzio,
                                        .writer = writer};
    rf_kernels_result made = {0};
    if (kernel == NULL) {
        (void)snprintf(error, size, "%s: no such kernel", request->name);
        return -1;
    }
    if (rf_kernels_build(kernel, &options, &made, error, size) != 0) return -1;
    *result = (ls_kernel_result){.launches = made.launches,
                                 .registers = made.registers,
                                 .spilled = made.spilled,
                                 .outputs = made.outputs,
                                 .operands = made.operands,
                                 .pairs = made.pairs,
                                 .warp_instructions = made.counts.warp_instructions,
                                 .lane_instructions = made.counts.lane_instructions,
                                 .seconds = made.seconds};
    return 0;
}

const ls_kernels ls_workload_kernels = {.entry = entry, .make = make};
