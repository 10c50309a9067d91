/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of sub-cores: copies of rf_banked that share a workload and a memory side (harness/core/source.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_stream.h"
#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/core/machine.h"
#include "harness/core/plan.h"
#include "harness/core/source.h"
#include "tb/workload/rf_memory.h"

#define INSTRUCTIONS 20u

/* A file of warps that each add 20 times, every value from the one before, but for one result into the highest register that the
 * first warp, or each other one, uses (a first one that uses more adds 100 times); or load once from a line of their own. */
static void write_stream(char *path, uint32_t warps, bool loads, uint8_t highest, uint8_t of_others) {
    char error[512] = "";
    rf_memory_bytes bytes = {0};
    const rf_sink sink = rf_memory_sink(&bytes);
    rf_program program = {.kernel = (char[]){"k"}, .origin = (char[]){""}};
    rf_stream_writer *const w = rf_stream_writer_open(&sink, error, sizeof error);
    assert_int_equal(rf_stream_write_program(w, &program), 0);
    for (uint32_t n = 0; n < warps; n++) {
        rf_warp warp = {.warp = n};
        const uint32_t count = loads ? 1 : n == 0 && highest > of_others ? 5 * INSTRUCTIONS : INSTRUCTIONS;
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(rf_warp_reserve(&warp, RF_LANES_MAX, 0), 0);
            const char *const text = loads ? "ld.global.u32" : "add.u32";
            warp.inst[warp.count++] = (rf_inst){.pc = 16 * i,
                                                .mnemonic = text,
                                                .opcode = rf_fnv1a(text, strlen(text)),
                                                .mask = UINT32_MAX,
                                                .opclass = loads ? RF_OP_MEM : RF_OP_ALU,
                                                .load = loads,
                                                .nsrc = 1,
                                                .ndst = 1,
                                                .src = {(uint8_t)(i % 2)},
                                                .dst = {i != 1   ? (uint8_t)((i + 1) % 2)
                                                        : n == 0 ? highest
                                                                 : of_others},
                                                .width = loads ? 4 : 0,
                                                .address = loads ? (uint64_t *)1 : NULL,
                                                .index = RF_INDEX_NONE};
            for (uint32_t l = 0; loads && l < RF_LANES_MAX; l++) warp.address[warp.address_count++] = 4096 + 128 * n + 4 * l;
        }
        rf_warp_link(&warp);
        assert_int_equal(rf_stream_write_warp(w, &warp), 0);
        rf_warp_free(&warp);
    }
    assert_int_equal(rf_stream_writer_close(w, error, sizeof error), 0);
    const int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes.bytes, bytes.size), bytes.size);
    (void)close(fd);
    free(bytes.bytes);
}

typedef struct sm {
    const ls_unit *unit;
    void *cfg, *model, *in, *out;
    ls_machine machine; /* its surroundings alone */
    ls_source source;
    uint64_t cycles;
} sm;

/* `settings`: KEY=VALUE words. */
static void open_sm(sm *s, const char *params, const char *settings, const char *path) {
    char error[1024] = "", words[1024];
    *s = (sm){.unit = ls_unit_find("rf_banked")};
    s->cfg = ls_config_new(s->unit);
    assert_int_equal(ls_config_set_all(s->unit, s->cfg, params, error, sizeof error), 0);
    s->model = ls_zeroed(s->unit->model_size);
    s->in = ls_zeroed(s->unit->in_size);
    s->out = ls_zeroed(s->unit->out_size);
    assert_int_equal(s->unit->init(s->model, s->cfg), 0);
    (void)snprintf(words, sizeof words, "%s", settings);
    for (char *rest = words, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        char *const value = strchr(word, '=');
        *value = '\0';
        ls_settings_put(&s->machine.surroundings, word, value + 1, "test");
    }
    if (ls_source_open(&s->source, s->unit, s->model, 1, path, error, sizeof error) != 0) fail_msg("%s", error);
    ls_source_surround(&s->source, &s->machine.surroundings, s->cfg);
}

static bool step_sm(sm *s) {
    const ls_source_next next = ls_source_step(&s->source, s->model, s->in);
    if (next == LS_NEXT_END) return false;
    s->cycles++;
    if (next == LS_NEXT_RESET) {
        s->unit->reset(s->model);
        return true;
    }
    s->unit->step(s->model, s->in, s->out);
    ls_source_observe(&s->source, s->in, s->out);
    return true;
}

typedef struct wanted {
    const char *name;
    double value;
} wanted;

static void find_counter(void *ctx, const char *name, double value) {
    wanted *w = ctx;
    if (strcmp(name, w->name) == 0) w->value = value;
}

/* Of sub-core `c`; -1: it has no such counter. */
static double counter(const sm *s, uint32_t c, const char *name) {
    wanted w = {name, -1};
    if (c == 0) s->unit->counters(s->source.stim, s->model, find_counter, &w);
    else s->unit->counters(s->source.copies[c - 1].stim, s->source.copies[c - 1].model, find_counter, &w);
    return w.value;
}

static void close_sm(sm *s) {
    ls_source_close(&s->source);
    ls_machine_free(&s->machine);
    free(s->cfg);
    free(s->model);
    free(s->in);
    free(s->out);
}

static uint64_t run_sm(sm *s) {
    while (step_sm(s)) assert_null(ls_source_property(&s->source));
    assert_true(ls_source_drained(&s->source));
    return s->cycles;
}

#define SIZE "WARPS=4 ISSUES=1 COLLECTORS=2 BANKS=4 REGS=8 LANES=1 EXPORTS=3"

/* One warp each: as long as one warp alone. More: each sub-core has its share, and the whole is done. */
static void warps_are_shared_out(void **state) {
    (void)state;
    char one[] = "/tmp/sub_cores.XXXXXX.rfs", four[] = "/tmp/sub_cores.XXXXXX.rfs", many[] = "/tmp/sub_cores.XXXXXX.rfs";
    sm a, b, c;
    write_stream(one, 1, false, 0, 0);
    write_stream(four, 4, false, 0, 0);
    write_stream(many, 32, false, 0, 0);
    open_sm(&a, SIZE, "sub_cores=1", one);
    open_sm(&b, SIZE, "sub_cores=4", four);
    open_sm(&c, SIZE, "sub_cores=4", many);
    assert_int_equal(a.source.copy_count, 0);
    assert_int_equal(b.source.copy_count, 3);
    assert_int_equal(run_sm(&a), run_sm(&b));
    (void)run_sm(&c);
    for (uint32_t k = 0; k < 4; k++) {
        assert_int_equal(counter(&b, k, "warps"), 1);
        assert_int_equal(counter(&c, k, "warps"), 8);
        assert_int_equal(counter(&c, k, "warp_instructions"), 8 * INSTRUCTIONS);
    }
    assert_int_equal(counter(&c, 0, "sm_warp_instructions"), 32 * INSTRUCTIONS);
    assert_int_equal(counter(&c, 1, "sm_warp_instructions"), -1);
    close_sm(&a);
    close_sm(&b);
    close_sm(&c);
    (void)unlink(one);
    (void)unlink(four);
    (void)unlink(many);
}

#define MEMORY                                                                                                                   \
    " lsu.interval=50 shared.latency=5 shared.banks=32 shared.interval=1 constant.latency=5 texture.latency=0 "                  \
    "texture.interval=1 l1.size=0 l1.line=128 l1.sector=32 l1.ways=1 l1.latency=5 l1.mshrs=8 l1.write=0 "                        \
    "link.bytes=1000000 l2.size=0 l2.line=128 l2.sector=32 l2.ways=1 l2.latency=100 dram.latency=100 dram.bytes=1000000"

/* The loads of four sub-cores, in the same cycle, go through one load/store unit: the last waits for three intervals. */
static void the_memory_side_is_shared(void **state) {
    (void)state;
    char one[] = "/tmp/sub_cores.XXXXXX.rfs", four[] = "/tmp/sub_cores.XXXXXX.rfs";
    sm a, b;
    write_stream(one, 1, true, 0, 0);
    write_stream(four, 4, true, 0, 0);
    open_sm(&a, SIZE, "sub_cores=1" MEMORY, one);
    open_sm(&b, SIZE, "sub_cores=4" MEMORY, four);
    const uint64_t alone = run_sm(&a), together = run_sm(&b);
    assert_int_equal(together, alone + 3 * 50);
    assert_int_equal(counter(&b, 0, "mem_loads"), 4);
    assert_int_equal(counter(&b, 0, "lsu_wait_cycles"), 50 + 100 + 150);
    assert_int_equal(counter(&b, 1, "mem_loads"), -1);
    close_sm(&a);
    close_sm(&b);
    (void)unlink(one);
    (void)unlink(four);
}

/* A wrong register of a copy is a violation of the run. */
static void a_copy_is_checked_too(void **state) {
    (void)state;
    char path[] = "/tmp/sub_cores.XXXXXX.rfs";
    sm s;
    const char *wrong = NULL;
    write_stream(path, 4, false, 0, 0);
    open_sm(&s, SIZE, "sub_cores=4", path);
    ls_fields fields = {0};
    bool changed = false;
    while (step_sm(&s) && (wrong = ls_source_property(&s.source)) == NULL) {
        if (s.cycles != 60) continue;
        void *const model = s.source.copies[2].model;
        s.unit->fields(&fields, model);
        for (size_t i = 0; i < fields.count; i++) {
            const ls_field *f = &fields.list[i];
            if (strstr(f->name, "mem_q") == NULL) continue;
            const uint32_t words[32] = {0x12345678};
            for (uint32_t e = 0; e < f->count; e++) ls_model_store(f, model, e, words);
            changed = true;
        }
    }
    assert_true(changed);
    assert_non_null(wrong);
    assert_true(strncmp(wrong, "sub-core 3: ", 12) == 0);
    assert_null(s.unit->property(s.source.stim));
    ls_fields_free(&fields);
    close_sm(&s);
    (void)unlink(path);
}

/* Registers for one warp: the warps run one after the other, as with one slot. None fits: that is told. */
static void registers_bound_the_warps(void **state) {
    (void)state;
    char path[] = "/tmp/sub_cores.XXXXXX.rfs";
    sm a, b, c;
    write_stream(path, 6, false, 5, 5);
    open_sm(&a, "WARPS=1 ISSUES=1 COLLECTORS=2 BANKS=4 REGS=8 LANES=1 EXPORTS=3", "sub_cores=1", path);
    open_sm(&b, SIZE, "registers=11", path);
    open_sm(&c, SIZE, "registers=12", path);
    const uint64_t one = run_sm(&a), alone = run_sm(&b), pairs = run_sm(&c);
    assert_int_equal(alone, one);
    assert_true(pairs < alone);
    close_sm(&a);
    close_sm(&b);
    close_sm(&c);
    open_sm(&a, SIZE, "registers=5", path);
    while (step_sm(&a)) {
    }
    assert_string_equal(a.unit->workload_error(a.source.stim), "a warp with 6 registers never fits: there are 5 (registers)");
    close_sm(&a);
    (void)unlink(path);
}

/* Each warp counts for what it uses: beside a large one, which runs longest, there is room for one small one, as with two slots.
 */
static void each_warp_counts(void **state) {
    (void)state;
    char path[] = "/tmp/sub_cores.XXXXXX.rfs";
    sm a, b;
    write_stream(path, 4, false, 5, 1);
    open_sm(&a, "WARPS=2 ISSUES=1 COLLECTORS=2 BANKS=4 REGS=8 LANES=1 EXPORTS=3", "sub_cores=1", path);
    open_sm(&b, SIZE, "registers=8", path);
    assert_int_equal(run_sm(&a), run_sm(&b));
    close_sm(&a);
    close_sm(&b);
    (void)unlink(path);
}

/* Random streams are one sub-core's. */
static void random_streams_have_one(void **state) {
    (void)state;
    sm s;
    open_sm(&s, SIZE, "sub_cores=4", NULL);
    for (uint32_t i = 0; i < 2000; i++) assert_true(step_sm(&s));
    assert_null(ls_source_property(&s.source));
    assert_int_equal(s.source.copy_count, 0);
    assert_int_equal(counter(&s, 0, "sm_ipc"), -1);
    close_sm(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(warps_are_shared_out),  cmocka_unit_test(the_memory_side_is_shared),
                                       cmocka_unit_test(a_copy_is_checked_too), cmocka_unit_test(registers_bound_the_warps),
                                       cmocka_unit_test(each_warp_counts),      cmocka_unit_test(random_streams_have_one)};
    return cmocka_run_group_tests_name("sub-cores", tests, NULL, NULL);
}
