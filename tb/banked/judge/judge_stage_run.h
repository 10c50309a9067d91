/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of written programs, and whole runs of operand stages in their surroundings, for the counters that they report. */
#ifndef RF_JUDGE_STAGE_RUN_H
#define RF_JUDGE_STAGE_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/banked/rf_stage.h"
#include "cmodel/workload/rf_opcode.h"
#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/core/unit.h"
#include "tb/workload/rf_memory.h"

#define NAMES_MAX 192u

/* A stream of kernels in memory. */
typedef struct stream {
    rf_memory_bytes bytes;
    rf_memory_file file;
    rf_memory memory;
    rf_source source;
} stream;

/* What was written is to be read. */
static inline void open_stream(stream *s) {
    s->file = (rf_memory_file){.path = "a.rfs", .text = s->bytes.bytes, .size = s->bytes.size, .piece = 4096};
    s->memory = (rf_memory){&s->file, 1};
    s->source = rf_memory_source(&s->memory);
}

/* Warps that all have the same instructions, `of_block` of them a thread block; 0: no blocks. */
static inline void make_blocks(stream *s, const rf_inst *inst, uint32_t count, uint32_t warps, uint32_t kernels,
                               uint32_t of_block) {
    char error[512] = "";
    rf_program program = {
        .kernel = (char[]){"k"}, .origin = (char[]){""}, .block = {of_block * RF_LANES_MAX, of_block != 0, of_block != 0}};
    *s = (stream){0};
    const rf_sink sink = rf_memory_sink(&s->bytes);
    rf_stream_writer *const w = rf_stream_writer_open(&sink, error, sizeof error);
    for (uint32_t n = 0; n < warps * kernels; n++) {
        rf_warp warp = {.warp = n % warps};
        if (of_block != 0) warp.block[0] = warp.warp / of_block, warp.warp %= of_block;
        if (n % warps == 0) assert_int_equal(rf_stream_write_program(w, &program), 0);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(rf_warp_reserve(&warp, RF_LANES_MAX, 0), 0);
            rf_inst *const x = &warp.inst[warp.count++];
            *x = inst[i];
            x->pc = 16 * i;
            if (x->mnemonic == NULL) x->mnemonic = "any";
            x->opcode = rf_fnv1a(x->mnemonic, strlen(x->mnemonic));
            x->mask = UINT32_MAX;
            x->index = RF_INDEX_NONE;
            x->width = x->load || x->store ? 4 : 0;
            for (uint32_t l = 0; x->width != 0 && l < RF_LANES_MAX; l++) warp.address[warp.address_count++] = 4096 + 4 * l;
            if (x->width != 0) x->address = (uint64_t *)1;
        }
        rf_warp_link(&warp);
        assert_int_equal(rf_stream_write_warp(w, &warp), 0);
        rf_warp_free(&warp);
    }
    assert_int_equal(rf_stream_writer_close(w, error, sizeof error), 0);
    open_stream(s);
}

static inline void make_kernels(stream *s, const rf_inst *inst, uint32_t count, uint32_t warps, uint32_t kernels) {
    make_blocks(s, inst, count, warps, kernels, 0);
}

static inline void make_stream(stream *s, const rf_inst *inst, uint32_t count, uint32_t warps) {
    make_kernels(s, inst, count, warps, 1);
}

typedef struct counts {
    uint32_t count;
    char name[NAMES_MAX][64];
    double value[NAMES_MAX];
} counts;

static inline void add_counter(void *ctx, const char *name, double value) {
    counts *const c = ctx;
    assert_true(c->count < NAMES_MAX);
    (void)snprintf(c->name[c->count], sizeof c->name[0], "%s", name);
    c->value[c->count++] = value;
}

static inline double get(const counts *c, const char *name) {
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(c->name[i], name) == 0) return c->value[i];
    fail_msg("no counter %s", name);
    return 0;
}

/* Sees each cycle's ports. */
typedef void watch_fn(void *ctx, const rf_stage_in *in, const rf_stage_out *out);

/* A system of these sizes runs a workload to its end, within `cycles`, or `cycles` of random input. */
static inline void run_watched(const ls_settings *surroundings, const char *name, const char *set, const stream *s, uint64_t seed,
                               uint32_t cycles, watch_fn *watch, void *ctx, counts *c) {
    char error[512] = "";
    const ls_unit *const u = ls_unit_find(name);
    void *const cfg = ls_config_new(u), *const model = ls_zeroed(u->model_size), *const in = ls_zeroed(u->in_size);
    void *const out = ls_zeroed(u->out_size), *const stim = ls_zeroed(u->stim_size);
    if (ls_config_set_all(u, cfg, set, error, sizeof error) != 0) fail_msg("%s", error);
    assert_int_equal(u->init(model, cfg), 0);
    u->stim_init(stim, model, seed);
    if (u->surround(stim, surroundings, error, sizeof error) != 0) fail_msg("%s", error);
    if (s != NULL && u->workload(stim, model, &s->source, "a.rfs", error, sizeof error) != 0) fail_msg("%s", error);
    for (uint32_t cycle = 0; s != NULL ? !u->done(stim) : cycle < cycles; cycle++) {
        assert_true(s == NULL || cycle < cycles);
        u->stim(stim, model, in);
        u->comb(model, in, out);
        if (watch != NULL) watch(ctx, in, out);
        u->observe(stim, in, out);
        u->clock(model, in);
    }
    if (u->property(stim) != NULL) fail_msg("%s", u->property(stim));
    *c = (counts){0};
    u->counters(stim, model, add_counter, c);
    u->stim_free(stim);
    free(cfg), free(model), free(in), free(out), free(stim);
}

static inline void run_in(const ls_settings *surroundings, const char *name, const char *set, const stream *s, uint64_t seed,
                          uint32_t cycles, counts *c) {
    run_watched(surroundings, name, set, s, seed, s != NULL ? 2000 : cycles, NULL, NULL, c);
}

static inline void run(const char *name, const char *set, const stream *s, uint64_t seed, uint32_t cycles, counts *c) {
    run_in(&(ls_settings){0}, name, set, s, seed, cycles, c);
}

#endif
