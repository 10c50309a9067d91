/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer harness: any bytes as a stream file. First byte 0: the rest is the file as it is. Else the rest is a list of chunks
 * (kind, two bytes of length, payload), made a file with a head and right checksums, so that what is fuzzed is the decoder behind
 * them.
 *
 * Whatever is read keeps the reader's promises, can be written, and what is written reads and writes as itself. */
#include <stdint.h>

#include "tb/workload/rf_memory.h"
#include "tb/workload/judge/rf_stream_seal.h"

#define CHECK(condition)                                                                                                         \
    do                                                                                                                           \
        if (!(condition)) __builtin_trap();                                                                                      \
    while (0)

static void append(rf_memory_bytes *to, const void *bytes, size_t size) {
    char why[64];
    CHECK(size == 0 || rf_memory_write(to, bytes, size, why, sizeof why) == 0);
}

static void compose(rf_memory_bytes *to, const uint8_t *data, size_t size) {
    static const uint8_t head[RF_STREAM_HEAD] = {'r', 'f', 's', 't', 'r', 'e', 'a', 'm', RF_STREAM_VERSION};
    append(to, head, sizeof head);
    while (size >= 3) {
        size_t length = data[1] | (uint32_t)data[2] << 8;
        if (length > size - 3) length = size - 3;
        const uint8_t word[4] = {(uint8_t)length, (uint8_t)(length >> 8), 0, data[0]};
        append(to, word, 4);
        append(to, data + 3, length);
        append(to, "....", 4);
        data += 3 + length;
        size -= 3 + length;
    }
    rf_stream_seal((uint8_t *)to->bytes, to->size);
}

static void check_instruction(const rf_inst *inst, const rf_program *program) {
    uint64_t stray = 0;
    CHECK(inst->nsrc <= RF_INST_SRC_MAX && inst->ndst <= RF_INST_DST_MAX && inst->mnemonic && inst->mnemonic[0]);
    CHECK(inst->mask || (inst->nsrc == 0 && inst->ndst == 0));
    CHECK(inst->opclass <= RF_OP_CTRL && inst->width <= RF_STREAM_WIDTH_MAX && inst->hint.nfree <= RF_HINT_FREE_MAX);
    CHECK(!inst->address || inst->width);
    CHECK(inst->index == RF_INDEX_NONE || inst->index < program->ninst);
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        if (inst->mask >> l & 1) continue;
        if (inst->address) stray |= inst->address[l];
        for (uint32_t d = 0; inst->value && d < inst->ndst; d++) stray |= inst->value[d * RF_LANES_MAX + l];
    }
    CHECK(stray == 0);
}

/* Reads a file and writes what it says; true when it was read to a proper end. */
static bool copy(const char *bytes, size_t size, size_t piece, rf_memory_bytes *to) {
    const rf_memory_file file = {.path = "f", .text = bytes, .size = size, .piece = piece};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    const rf_sink sink = rf_memory_sink(to);
    const rf_program *program = NULL;
    rf_warp warp = {0};
    uint32_t kernels = 0;
    char error[512] = "";
    int got = 0;
    rf_stream *const stream = rf_stream_open(&source, "f", error, sizeof error);
    if (!stream) {
        CHECK(strstr(error, "f: byte "));
        return false;
    }
    rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
    while ((got = rf_stream_next(stream, &warp, &program)) == 1) {
        for (size_t i = 0; i < warp.count; i++) check_instruction(&warp.inst[i], program);
        if (kernels != rf_stream_kernels(stream)) CHECK(rf_stream_write_program(writer, program) == 0);
        kernels = rf_stream_kernels(stream);
        CHECK(rf_stream_write_warp(writer, &warp) == 0);
    }
    CHECK((got == 0) == (rf_stream_error(stream)[0] == '\0'));
    CHECK(got == 0 || rf_stream_next(stream, &warp, &program) == -1);
    CHECK(rf_stream_writer_close(writer, error, sizeof error) == 0);
    rf_stream_close(stream);
    rf_warp_free(&warp);
    return got == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rf_memory_bytes input = {0}, once = {0}, twice = {0};
    if (size < 2) return 0;
    if (data[0]) compose(&input, data + 1, size - 1);
    else append(&input, data + 1, size - 1);
    if (copy(input.bytes, input.size, data[0] ? data[0] : 4096, &once)) {
        CHECK(copy(once.bytes, once.size, 4096, &twice));
        CHECK(once.size == twice.size && memcmp(once.bytes, twice.bytes, once.size) == 0);
    }
    free(input.bytes);
    free(once.bytes);
    free(twice.bytes);
    return 0;
}
