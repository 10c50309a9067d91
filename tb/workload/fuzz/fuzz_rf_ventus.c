/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer harness: any text as a Ventus log. The first byte is the size of the pieces it comes in. What comes out must keep the
 * reader's promises. */
#include <stdint.h>

#include "cmodel/workload/rf_ventus.h"
#include "tb/workload/rf_memory.h"

#define CHECK(condition)                                                                                                         \
    do                                                                                                                           \
        if (!(condition)) __builtin_trap();                                                                                      \
    while (0)

static void check_instruction(const rf_inst *inst) {
    CHECK(inst->nsrc <= 5 && inst->ndst <= 1 && inst->mnemonic && inst->mnemonic[0] && inst->index == RF_INDEX_NONE);
    CHECK(inst->mask || (inst->nsrc == 0 && inst->ndst == 0));
    CHECK(!inst->value == !inst->ndst && !inst->address == !inst->width);
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        if (inst->mask >> l & 1) continue;
        CHECK(!inst->value || inst->value[l] == 0);
        CHECK(!inst->address || inst->address[l] == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char error[RF_VENTUS_ERROR_MAX] = "";
    rf_warp warp = {0};
    int64_t last = -1;
    int got = 0;
    if (size == 0) return 0;
    const rf_memory_file file = {.path = "log", .text = (const char *)data + 1, .size = size - 1, .piece = 1u + data[0]};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    rf_ventus *const reader = rf_ventus_open(&source, "log", NULL, error, sizeof error);
    CHECK(reader);
    while ((got = rf_ventus_next(reader, &warp)) == 1) {
        CHECK(warp.warp > last && warp.warp < RF_VENTUS_CORES_MAX);
        last = warp.warp;
        for (size_t i = 0; i < warp.count; i++) check_instruction(&warp.inst[i]);
    }
    CHECK((got == 0) == (rf_ventus_error(reader)[0] == '\0'));
    CHECK(got == 0 || strstr(rf_ventus_error(reader), "log:"));
    rf_ventus_close(reader);
    rf_warp_free(&warp);
    return 0;
}
