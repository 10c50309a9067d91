/* SPDX-License-Identifier: Apache-2.0 */
/* Our kernels for `lockstep workload build`. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/design.h"
#include "harness/text.h"
#include "harness/workload.h"
#include "harness/xzio.h"
#include "tb/workload/rf_kernels.h"

static bool entry(size_t i, ls_kernel_info *info) {
    if (i >= rf_kernels_count) return false;
    *info = (ls_kernel_info){.name = rf_kernels_list[i].name, .kind = rf_kernels_list[i].kind, .what = rf_kernels_list[i].what};
    return true;
}

/* The PTX lies in the current folder's tree, else in the program's own: a stream names it by a short path wherever it was built. */
static int make(const ls_kernel_request *request, rf_stream_writer *writer, ls_kernel_result *result, char *error, size_t size) {
    const rf_kernels_entry *const kernel = rf_kernels_find(request->name);
    rf_kernels_options options = {.large = request->large, .registers = request->registers, .source = &ls_xzio, .writer = writer};
    rf_kernels_result made = {0};
    if (kernel == NULL) {
        (void)snprintf(error, size, "%s: no such kernel", request->name);
        return -1;
    }
    char *const own = access(RF_KERNELS_FOLDER, R_OK) == 0 ? NULL : ls_format("%s/%s", ls_root(), RF_KERNELS_FOLDER);
    options.folder = own;
    const int status = rf_kernels_build(kernel, &options, &made, error, size);
    free(own);
    if (status != 0) return -1;
    *result = (ls_kernel_result){.launches = made.launches,
                                 .registers = made.registers,
                                 .spilled = made.spilled,
                                 .outputs = made.outputs,
                                 .warp_instructions = made.counts.warp_instructions,
                                 .lane_instructions = made.counts.lane_instructions,
                                 .seconds = made.seconds};
    return 0;
}

const ls_kernels ls_workload_kernels = {.entry = entry, .make = make};
