/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer harness: any bytes as a trace or a kernel list. The first byte is the size of the pieces they come in; behind a NUL
 * lies the trace that a list may name. What comes out must keep the reader's promises; it is then cracked and evaluated. */
#include <stdint.h>

#include "cmodel/workload/rf_crack.h"
#include "cmodel/workload/rf_value.h"
#include "cmodel/workload/rf_workload.h"
#include "tb/workload/rf_memory.h"

#define CHECK(condition)                                                                                                         \
    do                                                                                                                           \
        if (!(condition)) __builtin_trap();                                                                                      \
    while (0)

static void check_instruction(const rf_inst *inst, uint64_t warp) {
    static rf_vec operand[RF_INST_SRC_MAX];
    rf_vec result;
    CHECK(inst->nsrc <= RF_INST_SRC_MAX && inst->ndst <= RF_INST_DST_MAX && inst->mnemonic && inst->mnemonic[0]);
    CHECK(inst->mask || (inst->nsrc == 0 && inst->ndst == 0));
    CHECK(!inst->address == !inst->width);
    for (uint32_t s = 0; s < inst->nsrc; s++) {
        CHECK(inst->src[s] < 255);
        rf_value_initial(warp, inst->src[s], &operand[s]);
    }
    for (uint32_t d = 0; d < inst->ndst; d++) CHECK(inst->dst[d] < 255);
    for (uint32_t l = 0; inst->address && l < RF_LANES_MAX; l++) CHECK((inst->mask >> l & 1) || inst->address[l] == 0);
    for (uint32_t slots = 1; slots <= RF_SLOTS_MAX; slots++) {
        const uint32_t count = rf_crack_count(inst, slots);
        uint32_t reads = 0, writes = 0;
        CHECK(count >= 1 && count <= RF_UOPS_MAX);
        for (uint32_t i = 0; i < count; i++) {
            rf_uop uop;
            rf_crack(inst, slots, i, &uop);
            CHECK(uop.nsrc <= slots && uop.index == i && uop.count == count && uop.first == (i == 0) &&
                  uop.last == (i + 1 == count));
            CHECK(uop.nsrc == 0 || writes == 0);
            for (uint32_t s = 0; s < uop.nsrc; s++) CHECK(uop.src[s] == inst->src[reads++]);
            if (uop.has_dst) {
                CHECK(uop.dst == inst->dst[writes] && uop.dst_index == writes);
                rf_value_result(inst, warp, writes++, operand, inst->nsrc, 1 + slots * 3, &result);
            }
        }
        CHECK(reads == inst->nsrc && writes == inst->ndst);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char error[RF_WORKLOAD_ERROR_MAX] = "";
    const size_t piece = size ? 1 + data[0] : 1;
    const char *const text = (const char *)data + (size > 0);
    const size_t length = size - (size > 0);
    const char *const nul = length ? memchr(text, '\0', length) : NULL;
    const char *const second = nul ? nul + 1 : text;
    const rf_memory_file files[] = {
        {.path = "d/input", .text = text, .size = nul ? (size_t)(nul - text) : length, .piece = piece},
        {.path = "d/kernel.xz", .text = second, .size = length - (size_t)(second - text), .piece = 4096},
    };
    rf_memory memory = {files, 2};
    const rf_source source = rf_memory_source(&memory);
    rf_warp warp = {0};
    rf_workload_at at;
    uint64_t warps = 0;
    int got = 0;
    rf_workload *const workload = rf_workload_open(&source, "d/input", error, sizeof error);
    if (!workload) {
        CHECK(strstr(error, "d/input"));
        return 0;
    }
    while ((got = rf_workload_next(workload, &warp, &at)) == 1) {
        CHECK(at.warp == warps++);
        for (size_t i = 0; i < warp.count; i++) check_instruction(&warp.inst[i], at.warp);
    }
    CHECK((got == 0) == (rf_workload_error(workload)[0] == '\0'));
    (void)rf_workload_unknown(workload, NULL);
    rf_workload_close(workload);
    rf_warp_free(&warp);
    return 0;
}
