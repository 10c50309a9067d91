/* SPDX-License-Identifier: Apache-2.0 */
/* The surroundings of the operand stage with a workload that has values: recorded results are written as they are, in the active
 * lanes, for whole and for cracked instructions; a wrong operand changes them in its lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/workload/rf_opcode.h"
#include "harness/rng.h"
#include "tb/banked/rf_banked_env.h"
#include "tb/workload/rf_memory.h"

#define WARPS 3
#define INSTS 6

static const rf_banked_cfg cfg = {.warps = 4,
                                  .collectors = 2,
                                  .banks = 4,
                                  .regs = 16,
                                  .lanes = 32,
                                  .slots = 3,
                                  .exports = 3,
                                  .issues = 1,
                                  .ports = 1,
                                  .sched = 0,
                                  .wbdepth = 4};

/* No source; one; a load, whose result follows from its address alone without values; a part of the lanes; more operands than a
 * collector has slots, two destinations; no lane. */
static const rf_inst shape[INSTS] = {
    {.pc = 0, .mask = UINT32_MAX, .ndst = 1, .dst = {1}},
    {.pc = 16, .mask = UINT32_MAX, .nsrc = 1, .src = {1}, .ndst = 1, .dst = {2}},
    {.pc = 32, .mask = UINT32_MAX, .opclass = RF_OP_MEM, .load = true, .width = 4, .nsrc = 1, .src = {2}, .ndst = 1, .dst = {3}},
    {.pc = 48, .mask = 0x00ff00f0, .nsrc = 2, .src = {3, 2}, .ndst = 1, .dst = {2}},
    {.pc = 64, .mask = 0x7fffffff, .nsrc = 5, .src = {1, 2, 3, 2, 1}, .ndst = 2, .dst = {4, 5}},
    {.pc = 80, .mask = 0},
};

typedef struct trial {
    rf_memory_bytes bytes;
    rf_memory_file file;
    rf_memory memory;
    rf_source source;
    rf_warp warp[WARPS];
    rf_banked_env *env;
} trial;

static void make_warp(ls_rng *rng, rf_warp *warp, bool values) {
    for (uint32_t i = 0; i < INSTS; i++) {
        assert_int_equal(rf_warp_reserve(warp, RF_LANES_MAX, 2 * RF_LANES_MAX), 0);
        rf_inst *const inst = &warp->inst[warp->count++];
        *inst = shape[i];
        inst->mnemonic = "any";
        inst->opcode = rf_fnv1a("any", 3);
        inst->index = RF_INDEX_NONE;
        for (uint32_t l = 0; inst->load && l < RF_LANES_MAX; l++) warp->address[warp->address_count++] = 4096 + 4 * l;
        if (inst->load) inst->address = (uint64_t *)1;
        for (uint32_t n = 0; values && n < inst->ndst * RF_LANES_MAX; n++)
            warp->value[warp->value_count++] = inst->mask >> n % RF_LANES_MAX & 1 ? (uint32_t)ls_rng_u64(rng) : 0;
        if (values && inst->ndst) inst->value = (uint32_t *)4;
    }
    rf_warp_link(warp);
}

static void begin(trial *t, bool values) {
    ls_rng rng;
    char error[512] = "";
    rf_program program = {.kernel = (char[]){"k"}, .origin = (char[]){""}};
    *t = (trial){0};
    ls_rng_seed(&rng, 1);
    const rf_sink sink = rf_memory_sink(&t->bytes);
    rf_stream_writer *const w = rf_stream_writer_open(&sink, error, sizeof error);
    assert_int_equal(rf_stream_write_program(w, &program), 0);
    for (uint32_t i = 0; i < WARPS; i++) {
        make_warp(&rng, &t->warp[i], values);
        assert_int_equal(rf_stream_write_warp(w, &t->warp[i]), 0);
    }
    assert_int_equal(rf_stream_writer_close(w, error, sizeof error), 0);
    t->file = (rf_memory_file){.path = "a.rfs", .text = t->bytes.bytes, .size = t->bytes.size, .piece = 4096};
    t->memory = (rf_memory){&t->file, 1};
    t->source = rf_memory_source(&t->memory);
    t->env = rf_banked_env_new(&cfg, 1);
    if (rf_banked_env_workload(t->env, &t->source, "a.rfs", error, sizeof error) != 0) fail_msg("%s", error);
}

static void end(trial *t) {
    rf_banked_env_free(t->env);
    for (uint32_t i = 0; i < WARPS; i++) rf_warp_free(&t->warp[i]);
    free(t->bytes.bytes);
}

/* What was written, in order, to one register of warp slot 0. */
typedef struct written {
    uint32_t count, mask[4];
    rf_vec value[4];
} written;

/* Runs to the end. `tamper`: slot 0's load gets its address with bit 5 of lane 9 flipped. */
static void run(trial *t, bool tamper, written log[16]) {
    static rf_banked model;
    static rf_banked_out out;
    static rf_banked_in in;
    memset(&in, 0, sizeof in);
    memset(log, 0, 16 * sizeof *log);
    assert_int_equal(rf_banked_init(&model, &cfg), 0);
    for (uint32_t cycle = 0; !rf_banked_env_done(t->env); cycle++) {
        assert_true(cycle < 2000);
        rf_banked_env_inputs(t->env, &model, &in);
        rf_banked_comb(&model, &in, &out);
        for (uint32_t e = 0; e < cfg.exports; e++) {
            const bool load = ((out.ex_valid & in.ex_ready) >> e & 1) != 0 && out.ex_warp[e] == 0 && out.ex_dst[e] == 3;
            if (load && tamper) out.ex_data[e * cfg.slots].lane[9] ^= 32;
            if (!((in.res_valid & out.res_ready) >> e & 1) || in.res_warp[e] != 0) continue;
            written *const x = &log[in.res_dst[e]];
            if (x->count < 4) x->mask[x->count] = in.res_mask[e], x->value[x->count] = in.res_data[e];
            x->count++;
        }
        rf_banked_env_observe(t->env, &in, &out);
        rf_banked_clock(&model, &in);
    }
    assert_null(rf_banked_env_workload_error(t->env));
}

static void recorded_values_are_written(void **state) {
    (void)state;
    trial t;
    written log[16];
    begin(&t, true);
    run(&t, false, log);
    assert_null(rf_banked_env_property(t.env));
    const rf_inst *const inst = t.warp[0].inst;
    static const struct {
        uint32_t inst, dst_index, nth;
    } writes[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 1}, {4, 0, 0}, {4, 1, 0}};
    for (uint32_t i = 0; i < sizeof writes / sizeof writes[0]; i++) {
        const rf_inst *const x = &inst[writes[i].inst];
        const written *const is = &log[x->dst[writes[i].dst_index]];
        assert_true(is->count > writes[i].nth);
        assert_int_equal(is->mask[writes[i].nth], x->mask);
        assert_memory_equal(is->value[writes[i].nth].lane, x->value + writes[i].dst_index * RF_LANES_MAX, sizeof(rf_vec));
    }
    assert_int_equal(log[1].count, 1);
    assert_int_equal(log[2].count, 2);
    assert_int_equal(log[5].count, 1);
    end(&t);
}

/* Lane 9 of the load's address arrives wrong: the loaded value is wrong in lane 9 and only there, and what is made of it too. */
static void a_wrong_operand_changes_the_recorded_value(void **state) {
    (void)state;
    trial t;
    written log[16];
    begin(&t, true);
    run(&t, true, log);
    assert_non_null(rf_banked_env_property(t.env));
    assert_non_null(strstr(rf_banked_env_property(t.env), "a delivered operand is the golden one: warp 0 (slot 0) R2"));
    const rf_inst *const inst = t.warp[0].inst;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        assert_int_equal(log[2].value[0].lane[l], inst[1].value[l]);
        assert_int_equal(log[3].value[0].lane[l] == inst[2].value[l], l != 9);
        assert_int_equal(log[4].value[0].lane[l] == inst[4].value[l], l != 9);
        assert_int_equal(log[5].value[0].lane[l] == inst[4].value[RF_LANES_MAX + l], l != 9);
    }
    end(&t);
}

/* The same workload without values: the results are functions of the operands, as for a trace. */
static void without_values_nothing_changes(void **state) {
    (void)state;
    trial t;
    written log[16], again[16];
    begin(&t, false);
    run(&t, false, log);
    assert_null(rf_banked_env_property(t.env));
    assert_int_equal(log[3].count, 1);
    end(&t);
    begin(&t, false);
    run(&t, true, again);
    assert_non_null(rf_banked_env_property(t.env));
    assert_memory_equal(&log[3], &again[3], sizeof log[3]); /* a load's value follows from its addresses */
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_values_are_written),
        cmocka_unit_test(a_wrong_operand_changes_the_recorded_value),
        cmocka_unit_test(without_values_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
