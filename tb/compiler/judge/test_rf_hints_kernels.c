/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler's hints on every warp of every kernel, as executed: what is dead is not read, Rfree registers may be overwritten
 * at any time, no long-latency result is touched before the warp has waited for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "harness/base/xzio.h"
#include "tb/workload/rf_kernels.h"
#include "tb/workload/rf_memory.h"

#define BANKS 16u /* as the streams are made */

typedef struct warp_state {
    uint32_t dead[RF_REGS_MAX];   /* lanes whose content nobody reads again */
    uint32_t spoilt[RF_REGS_MAX]; /* lanes whose content a stolen write destroyed */
    bool pending[RF_REGS_MAX];    /* a long-latency result may be on its way */
    uint8_t rfree[BANKS];
} warp_state;

static uint64_t dead, named, ends, waits, warps;

static void steal(warp_state *w) {
    for (uint32_t b = 0; b < BANKS; b++)
        if (w->rfree[b] != RF_REG_NO_FREE) w->spoilt[w->rfree[b]] = UINT32_MAX;
}

static void check_inst(warp_state *w, const rf_inst *inst, bool waited) {
    const rf_hint *const hint = &inst->hint;
    bool touched = false;
    assert_true(hint->flags & RF_HINT_PRESENT);
    for (uint32_t k = 0; k < hint->nfree; k++) {
        const uint32_t reg = hint->free_reg[k];
        w->rfree[(reg == RF_REG_NO_FREE ? hint->free_was[k] : reg) % BANKS] = (uint8_t)reg;
        named++;
    }
    steal(w);
    for (uint32_t s = 0; s < inst->nsrc; s++) {
        assert_int_equal(w->dead[inst->src[s]] & inst->mask, 0);
        assert_int_equal(w->spoilt[inst->src[s]] & inst->mask, 0);
        touched |= w->pending[inst->src[s]];
    }
    for (uint32_t d = 0; d < inst->ndst; d++) touched |= w->pending[inst->dst[d]];
    if (touched) assert_true(waited && (hint->flags & RF_HINT_LONG_CONSUMER));
    if (waited) memset(w->pending, 0, sizeof w->pending);
    for (uint32_t s = 0; s < inst->nsrc; s++)
        if (hint->src_dead >> s & 1) w->dead[inst->src[s]] = UINT32_MAX, dead++;
    for (uint32_t d = 0; d < inst->ndst; d++) {
        w->dead[inst->dst[d]] &= ~inst->mask;
        w->spoilt[inst->dst[d]] &= ~inst->mask;
        if (hint->dst_dead >> d & 1) w->dead[inst->dst[d]] = UINT32_MAX;
        if (hint->flags & RF_HINT_LONG_LATENCY) w->pending[inst->dst[d]] = true;
    }
    steal(w);
    ends += (hint->flags & RF_HINT_STRAND_END) != 0;
    waits += (hint->flags & RF_HINT_DESCHEDULE) != 0;
}

static void check_warp(const rf_warp *warp) {
    warp_state w = {.rfree = {0}};
    memset(w.rfree, RF_REG_NO_FREE, sizeof w.rfree);
    for (size_t i = 0; i < warp->count; i++)
        check_inst(&w, &warp->inst[i], i > 0 && (warp->inst[i - 1].hint.flags & RF_HINT_DESCHEDULE));
    warps++;
}

static void check_kernel(const rf_kernels_entry *entry, uint32_t registers) {
    rf_memory_bytes bytes = {0};
    const rf_sink sink = rf_memory_sink(&bytes);
    char error[512];
    rf_kernels_result result;
    rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
    assert_non_null(writer);
    const rf_kernels_options options = {.source = &ls_xzio, .writer = writer, .registers = registers};
    if (rf_kernels_build(entry, &options, &result, error, sizeof error) != 0) fail_msg("%s", error);
    if (rf_stream_writer_close(writer, error, sizeof error) != 0) fail_msg("%s", error);

    const rf_memory_file file = {.path = "stream", .text = bytes.bytes, .size = bytes.size, .piece = 1 << 16};
    rf_memory memory = {.file = &file, .count = 1};
    const rf_source source = rf_memory_source(&memory);
    rf_stream *const stream = rf_stream_open(&source, "stream", error, sizeof error);
    rf_warp warp = {0};
    const rf_program *program;
    int got = 0;
    if (!stream) fail_msg("%s", error);
    while ((got = rf_stream_next(stream, &warp, &program)) > 0) check_warp(&warp);
    if (got != 0) fail_msg("%s: %s", entry->name, rf_stream_error(stream));
    rf_stream_close(stream);
    rf_warp_free(&warp);
    free(bytes.bytes);
}

/* Many registers, and so few that there are spills and hardly an inactive register. */
static void test_kernels(void **state) {
    (void)state;
    for (size_t i = 0; i < rf_kernels_count; i++) {
        check_kernel(&rf_kernels_list[i], 63);
        check_kernel(&rf_kernels_list[i], 20);
    }
    print_message("%llu warps: %llu dead bits, %llu updates, %llu ends of strands, %llu waits\n", (unsigned long long)warps,
                  (unsigned long long)dead, (unsigned long long)named, (unsigned long long)ends, (unsigned long long)waits);
    assert_true(warps > 100 && dead > 100000 && named > 100000 && ends > 10000 && waits > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
