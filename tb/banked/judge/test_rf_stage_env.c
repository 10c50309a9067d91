/* SPDX-License-Identifier: Apache-2.0 */
/* The surroundings of the operand stage with a workload that has values: recorded results are written as they are, in the active
 * lanes, for whole and for cracked instructions; a wrong operand changes them in its lanes. Hooks: what they are given and when.
 * Lost registers: not compared, but nobody may read them. A stage that stands still is a violation. Barriers and fences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/banked/rf_banked.h"
#include "cmodel/workload/rf_crack.h"
#include "cmodel/workload/rf_opcode.h"
#include "harness/base/rng.h"
#include "tb/banked/env/rf_stage_blocks.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/machine/env/rf_machine.h"
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
                                  .fetch = 8,
                                  .wbdepth = 4};
static const rf_stage_cfg stage_cfg = {
    .warps = 4, .collectors = 2, .banks = 4, .regs = 16, .lanes = 32, .slots = 3, .exports = 3, .issues = 1, .wbdepth = 4};

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
    rf_stage_env *env;
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

static void begin_with(trial *t, bool values, const rf_stage_hooks *hooks) {
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
    t->env = rf_stage_env_new(&stage_cfg, hooks, 1);
    if (rf_stage_env_workload(t->env, &t->source, "a.rfs", error, sizeof error) != 0) fail_msg("%s", error);
}

static void begin(trial *t, bool values) { begin_with(t, values, NULL); }

static void end(trial *t) {
    rf_stage_env_free(t->env);
    for (uint32_t i = 0; i < WARPS; i++) rf_warp_free(&t->warp[i]);
    free(t->bytes.bytes);
}

static const rf_vec *value(const void *model, uint32_t warp, uint32_t reg, rf_vec *room) {
    const rf_banked *const m = model;
    *room = m->bank[rf_map_bank(warp, reg, cfg.banks)]
                .mem_q[rf_map_row(warp, reg, cfg.banks, rf_map_rows_per_warp(cfg.regs, cfg.banks))];
    return room;
}

static rf_stage_view view_of(const rf_banked *m) {
    rf_stage_view view = {.model = m, .value = value};
    for (uint32_t c = 0; c < cfg.collectors; c++) view.collecting += m->ocu[c].busy_q;
    for (uint32_t e = 0; e < cfg.exports; e++) view.level[e] = m->wbq[e].ctrl.level_q;
    return view;
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
    for (uint32_t cycle = 0; !rf_stage_env_done(t->env); cycle++) {
        assert_true(cycle < 2000);
        const rf_stage_view view = view_of(&model);
        rf_stage_env_inputs(t->env, &view, &in.stage);
        rf_banked_comb(&model, &in, &out);
        for (uint32_t e = 0; e < cfg.exports; e++) {
            const bool load = ((out.ex_valid & in.ex_ready) >> e & 1) != 0 && out.ex_warp[e] == 0 && out.ex_dst[e] == 3;
            if (load && tamper) out.ex_data[e * cfg.slots].lane[9] ^= 32;
            if (!((in.res_valid & out.res_ready) >> e & 1) || in.res_warp[e] != 0) continue;
            written *const x = &log[in.res_dst[e]];
            if (x->count < 4) x->mask[x->count] = in.res_mask[e], x->value[x->count] = in.res_data[e];
            x->count++;
        }
        rf_stage_env_observe(t->env, &in.stage, &out.stage, out.wires.arbiter.wr_grant);
        rf_banked_clock(&model, &in);
    }
    assert_null(rf_stage_env_workload_error(t->env));
}

static void recorded_values_are_written(void **state) {
    (void)state;
    trial t;
    written log[16];
    begin(&t, true);
    run(&t, false, log);
    assert_null(rf_stage_env_property(t.env));
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
    assert_non_null(rf_stage_env_property(t.env));
    assert_non_null(strstr(rf_stage_env_property(t.env), "a delivered operand is the golden one: warp 0 (slot 0) R2"));
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
    assert_null(rf_stage_env_property(t.env));
    assert_int_equal(log[3].count, 1);
    end(&t);
    begin(&t, false);
    run(&t, true, again);
    assert_non_null(rf_stage_env_property(t.env));
    assert_memory_equal(&log[3], &again[3], sizeof log[3]); /* a load's value follows from its addresses */
    end(&t);
}

/* --- lost registers --------------------------------------------------------------------------------------------------------- */

/* Slot 0's register `reg` is lost in the cycle in which the nth write to `on` issues there: before the issue, or right behind it.
 * Where the loss is kept from the environment, only the bank changes; `found`: lanes of which it is told what is there now. */
typedef struct loss {
    uint32_t on, nth, reg;
    bool behind, kept;
    uint32_t found;
} loss;

/* Instruction 3 writes a part of R2's lanes and does not read it; 4 reads a part of R2's lanes, `ctx`, and nothing else. */
static void edit_parts(void *ctx, rf_warp *warp) {
    warp->inst[3].src[0] = warp->inst[3].src[1] = 3;
    warp->inst[4].mask = *(const uint32_t *)ctx;
    warp->inst[4].nsrc = 1;
    warp->inst[4].src[0] = 2;
}

static void run_with_loss(trial *t, const loss *x) {
    static rf_banked model;
    static rf_banked_out out;
    static rf_banked_in in;
    uint32_t seen = 0;
    memset(&in, 0, sizeof in);
    assert_int_equal(rf_banked_init(&model, &cfg), 0);
    for (uint32_t cycle = 0; !rf_stage_env_done(t->env); cycle++) {
        assert_true(cycle < 2000);
        const rf_stage_view view = view_of(&model);
        rf_stage_env_inputs(t->env, &view, &in.stage);
        rf_banked_step(&model, &in, &out);
        const bool write = out.issue_valid && out.issue_warp[0] == 0 && (in.ib_dst_valid & 1) != 0 && in.ib_mask[0] != 0;
        const bool now = write && in.ib_dst[0] == x->on && seen++ == x->nth;
        if (now) {
            rf_vec *const at = &model.bank[rf_map_bank(0, x->reg, cfg.banks)]
                                    .mem_q[rf_map_row(0, x->reg, cfg.banks, rf_map_rows_per_warp(cfg.regs, cfg.banks))];
            for (uint32_t l = 0; l < RF_LANES_MAX; l++) at->lane[l] ^= 0x5a5a5a5a + l;
            if (x->found != 0) rf_stage_env_found(t->env, 0, x->reg, at, x->found);
        }
        if (now && !x->behind && !x->kept) rf_stage_env_lose(t->env, 0, x->reg, UINT32_MAX);
        rf_stage_env_observe(t->env, &in.stage, &out.stage, out.wires.arbiter.wr_grant);
        if (now && x->behind && !x->kept) rf_stage_env_lose(t->env, 0, x->reg, UINT32_MAX);
    }
    assert_true(seen > x->nth);
}

static void expect_loss(const loss *x, uint32_t parts, const char *violation) {
    trial t;
    const rf_stage_hooks hooks = {.ctx = &parts, .loaded = edit_parts};
    begin_with(&t, false, parts != 0 ? &hooks : NULL);
    run_with_loss(&t, x);
    const char *const is = rf_stage_env_property(t.env);
    if (violation == NULL && is != NULL) fail_msg("%s", is);
    if (violation != NULL && (is == NULL || strstr(is, violation) == NULL)) fail_msg("%s, not %s", is, violation);
    end(&t);
}

static void lost_registers_are_not_compared(void **state) {
    (void)state;
    expect_loss(&(loss){.on = 3, .reg = 9}, 0, NULL);
    expect_loss(&(loss){.on = 3, .reg = 9, .kept = true}, 0, "final state equals sequential execution: warp 0 (slot 0) R9");
}

static void what_does_not_exist_cannot_be_lost(void **state) {
    (void)state;
    trial t;
    written log[16];
    begin(&t, false);
    rf_stage_env_lose(t.env, cfg.warps - 1, RF_REGS_MAX - 1, UINT32_MAX);
    rf_stage_env_lose(t.env, RF_WARPS_MAX - 1, 0, UINT32_MAX);
    run(&t, false, log);
    assert_null(rf_stage_env_property(t.env));
    end(&t);
}

static void lost_registers_are_not_read(void **state) {
    (void)state;
    expect_loss(&(loss){.on = 2, .reg = 2}, 0, NULL); /* what issues in this cycle writes it all */
    expect_loss(&(loss){.on = 2, .reg = 2, .behind = true}, 0, "a register lent out is never read: warp 0 (slot 0) R2");
    expect_loss(&(loss){.on = 2, .reg = 1}, 0, "a register lent out is never read: warp 0 (slot 0) R1");
    expect_loss(&(loss){.on = 5, .reg = 3}, 0, NULL); /* cracked: its sources were read at its first uop */
}

static void what_is_found_is_read(void **state) {
    (void)state;
    expect_loss(&(loss){.on = 2, .reg = 1, .kept = true, .found = UINT32_MAX}, 0, NULL);
    expect_loss(&(loss){.on = 2, .reg = 1, .kept = true, .found = ~16u}, 0,
                "a delivered operand is the golden one: warp 0 (slot 0) R1");
    expect_loss(&(loss){.on = 2, .reg = 1, .kept = true, .found = ~16u}, 0, "lane 4");
}

static void lost_lanes_are_not_read(void **state) {
    (void)state;
    const loss partly = {.on = 2, .nth = 1, .reg = 2};
    expect_loss(&partly, 0x00ff0000, NULL);
    expect_loss(&partly, 0x000000f0, NULL);
    expect_loss(&partly, 0x01ff0000, "a register lent out is never read: warp 0 (slot 0) R2 tag");
    expect_loss(&partly, 0x01ff0000, "lane 24");
    expect_loss(&(loss){.on = 2, .nth = 1, .reg = 2, .kept = true}, 0x00ff0000, "a delivered operand is the golden one");
}

/* --- a stage that stands still ---------------------------------------------------------------------------------------------- */

/* Runs to the end, to `cycles`, or to a violation. From cycle `from` on, before cycle `to`, the stage does nothing. */
static uint32_t run_and_stand(rf_stage_env *env, uint32_t from, uint32_t to, uint32_t cycles) {
    static rf_banked model;
    static rf_banked_out out;
    static rf_banked_in in;
    uint32_t cycle = 0;
    memset(&in, 0, sizeof in);
    assert_int_equal(rf_banked_init(&model, &cfg), 0);
    for (; cycle < cycles && !rf_stage_env_done(env) && rf_stage_env_property(env) == NULL; cycle++) {
        const rf_stage_view view = view_of(&model);
        rf_stage_env_inputs(env, &view, &in.stage);
        memset(&out, 0, sizeof out);
        if (cycle < from || cycle >= to) rf_banked_step(&model, &in, &out);
        rf_stage_env_observe(env, &in.stage, &out.stage, out.wires.arbiter.wr_grant);
    }
    return cycle;
}

static void expect_standing(const rf_stage_env *env, const char *text) {
    const char *const is = rf_stage_env_property(env);
    if (is == NULL || strstr(is, text) == NULL) fail_msg("%s, not %s", is, text);
}

static void random_input_does_not_hide_that_a_stage_stands(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rf_stage_env *const still = rf_stage_env_new(&stage_cfg, NULL, seed);
        const uint32_t seen = run_and_stand(still, 700, UINT32_MAX, 9000);
        expect_standing(still, "the stage goes on: ");
        assert_in_range(seen, 700 + RF_ENV_PATIENCE - 400, 700 + RF_ENV_PATIENCE + 400);
        rf_stage_env_free(still);
        rf_stage_env *const late = rf_stage_env_new(&stage_cfg, NULL, seed);
        assert_int_equal(run_and_stand(late, 700, 700 + RF_ENV_PATIENCE - 400, 9000), 9000);
        assert_null(rf_stage_env_property(late));
        rf_stage_env_free(late);
    }
}

/* Wherever in the workload it stops: what the first warp waits for is said. */
static void a_workload_that_stands_ends(void **state) {
    (void)state;
    uint32_t heads = 0, under_way = 0, from = 0;
    for (;; from++) {
        trial t;
        begin(&t, false);
        run_and_stand(t.env, from, UINT32_MAX, 9000);
        const bool over = rf_stage_env_done(t.env);
        if (!over) expect_standing(t.env, "the stage goes on: ");
        if (from == 0) expect_standing(t.env, "cycle 2048: ");
        if (from == 0) expect_standing(t.env, "warp 0 (slot 0) waits for the issue of its head, 0 of its uops are under way");
        heads += !over && strstr(rf_stage_env_property(t.env), "waits for the issue of its head") != NULL;
        under_way += !over && strstr(rf_stage_env_property(t.env), "waits for what it has under way") != NULL;
        end(&t);
        if (over) break;
    }
    assert_int_equal(heads + under_way, from);
    assert_true(heads > 20 && under_way > 0);
}

static void slow_loads_are_waited_for(void **state) {
    (void)state;
    trial t;
    begin(&t, false);
    rf_machine machine = rf_machine_default();
    machine.load_latency = 3 * RF_ENV_PATIENCE;
    rf_stage_env_machine(t.env, &machine);
    assert_true(run_and_stand(t.env, UINT32_MAX, UINT32_MAX, 99999) > 3 * RF_ENV_PATIENCE);
    assert_true(rf_stage_env_done(t.env));
    assert_null(rf_stage_env_property(t.env));
    end(&t);
}

/* Nor is a port that is closed for its interval, which is the last that the surroundings do here. */
static void time_that_passes_is_no_standing(void **state) {
    (void)state;
    rf_machine machine = rf_machine_default();
    for (uint32_t c = 0; c < RF_OP_CLASSES; c++) machine.interval[c] = 700;
    for (uint32_t from = 10; from < 40; from++) {
        trial t;
        begin(&t, false);
        rf_stage_env_machine(t.env, &machine);
        const uint32_t seen = run_and_stand(t.env, from, UINT32_MAX, 9000);
        expect_standing(t.env, "the stage goes on: ");
        assert_in_range(seen, RF_ENV_PATIENCE + 700, RF_ENV_PATIENCE + 741);
        end(&t);
    }
}

/* What the system says of itself. */
static void a_system_may_stand_for_longer(void **state) {
    (void)state;
    rf_stage_cfg slow = stage_cfg;
    slow.waits = 4000;
    rf_stage_env *const env = rf_stage_env_new(&slow, NULL, 1);
    assert_in_range(run_and_stand(env, 700, UINT32_MAX, 9000), 700 + 4000 + RF_ENV_PATIENCE - 400,
                    700 + 4000 + RF_ENV_PATIENCE + 400);
    expect_standing(env, "the stage goes on: ");
    rf_stage_env_free(env);
}

static void without_a_warp_nothing_stands(void **state) {
    (void)state;
    rf_stage_cfg none = stage_cfg;
    none.pool = 1; /* no warp fits */
    rf_stage_env *const env = rf_stage_env_new(&none, NULL, 1);
    assert_int_equal(run_and_stand(env, 0, UINT32_MAX, 3 * RF_ENV_PATIENCE), 3 * RF_ENV_PATIENCE);
    assert_null(rf_stage_env_property(env));
    rf_stage_env_free(env);
}

/* --- hooks ------------------------------------------------------------------------------------------------------------------ */

typedef struct calls {
    uint32_t loaded, launched, phases, shown, first, random;
    uint32_t uops[WARPS][INSTS]; /* shown of an instruction of a warp slot */
    uint64_t live;
} calls;

static void note_loaded(void *ctx, rf_warp *warp) {
    calls *const x = ctx;
    x->loaded++;
    assert_int_equal(warp->count, INSTS);
    for (uint32_t i = 0; i < INSTS; i++) {
        assert_int_equal(warp->inst[i].hint.nfree, 0);
        warp->inst[i].hint.nfree = (uint8_t)(1 + i);
    }
}

static void note_launch(void *ctx, uint32_t warp) {
    calls *const x = ctx;
    x->launched++;
    x->live |= UINT64_C(1) << warp;
}

static void note_phase(void *ctx, rf_stream_kind kind) {
    assert_in_range(kind, 0, RF_STREAM_KINDS - 1);
    ((calls *)ctx)->phases++;
}

static void note_show(void *ctx, rf_stage_in *in, uint32_t warp, const rf_inst *inst, const rf_uop *uop) {
    calls *const x = ctx;
    const uint32_t i = (uint32_t)(inst->pc / 16);
    assert_true(x->live >> warp & 1);
    assert_true(in->ib_valid >> warp & 1);
    assert_int_equal(in->ib_mask[warp], inst->mask);
    x->shown++;
    x->first += uop->first;
    if (x->loaded == 0) return;
    assert_int_equal(inst->hint.nfree, 1 + i);
    assert_int_equal(uop->first, x->uops[warp][i] == 0);
    x->uops[warp][i]++;
}

static void take_operands(void *ctx, uint32_t warp, rf_inst *inst) {
    calls *const x = ctx;
    assert_true(x->live >> warp & 1);
    x->random++;
    inst->nsrc = inst->ndst = 0;
}

static void hooks_of_a_workload(void **state) {
    (void)state;
    calls x = {0};
    trial t;
    written log[16];
    const rf_stage_hooks hooks = {
        .ctx = &x, .show = note_show, .launch = note_launch, .phase = note_phase, .random = take_operands, .loaded = note_loaded};
    begin_with(&t, false, &hooks);
    run(&t, false, log);
    assert_null(rf_stage_env_property(t.env));
    assert_int_equal(x.loaded, WARPS);
    assert_int_equal(x.launched, WARPS);
    assert_int_equal(x.phases, 0);
    assert_int_equal(x.random, 0);
    assert_int_equal(x.first, WARPS * INSTS);
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < INSTS; i++) assert_int_equal(x.uops[w][i], rf_crack_count(&shape[i], cfg.slots));
    end(&t);
}

/* --- word by word ----------------------------------------------------------------------------------------------------------- */

static void make_words(void *ctx, rf_warp *warp) {
    (void)ctx;
    warp->inst[INSTS - 2].nsrc = 3;
}

static bool has_words(void *ctx, const rf_inst *inst) {
    (void)ctx;
    return inst->ndst > 1;
}

static void show_words(void *ctx, rf_stage_in *in, uint32_t warp, const rf_inst *inst, const rf_uop *uop) {
    if (inst->ndst < 2) return;
    assert_int_equal(uop->nsrc, 3);
    assert_int_equal(in->ib_src_valid[warp], 7);
    assert_memory_equal(&in->ib_src[warp * cfg.slots], inst->src, 3);
    assert_int_equal(in->ib_dst[warp], inst->dst[uop->dst_index]);
    ++*(uint32_t *)ctx;
}

/* Each of the uops has all sources, and what they write is the same. */
static void words_write_the_same(void **state) {
    (void)state;
    written log[2][16];
    uint32_t shown = 0;
    for (int words = 0; words < 2; words++) {
        const rf_stage_hooks hooks = {
            .ctx = &shown, .loaded = make_words, .words = words ? has_words : NULL, .show = words ? show_words : NULL};
        trial t;
        begin_with(&t, false, &hooks);
        run(&t, false, log[words]);
        assert_null(rf_stage_env_property(t.env));
        end(&t);
    }
    assert_int_equal(shown, 2 * WARPS);
    for (uint32_t reg = 4; reg < 6; reg++) {
        assert_int_equal(log[0][reg].count, 1);
        assert_memory_equal(&log[0][reg], &log[1][reg], sizeof log[0][reg]);
    }
}

/* A stage that holds one uop of the first warp, or one result. */
typedef struct stage_of_one {
    trial t;
    rf_stage_in in;
    rf_stage_out out;
    rf_stage_view view;
} stage_of_one;

static void inputs_of_one(stage_of_one *s) {
    s->out = (rf_stage_out){0};
    rf_stage_env_inputs(s->t.env, &s->view, &s->in);
}

static void observe_one(stage_of_one *s, uint32_t written) { rf_stage_env_observe(s->t.env, &s->in, &s->out, written); }

/* The uop with this tag, issued, is delivered to port e with the registers of the last instruction with operands; its result is
 * taken and written. */
static void execute_one(stage_of_one *s, uint32_t e, uint16_t tag, uint8_t dst) {
    const rf_inst *const inst = &shape[INSTS - 2];
    inputs_of_one(s);
    s->out.ex_valid = s->out.ex_dst_valid = (uint8_t)(1u << e);
    s->out.ex_tag[e] = tag;
    s->out.ex_mask[e] = inst->mask;
    s->out.ex_dst[e] = dst;
    for (uint32_t i = 0; i < 3; i++) s->out.ex_data[e * cfg.slots + i] = *rf_stage_env_golden(s->t.env, 0, inst->src[i]);
    observe_one(s, 0);
    s->view.collecting = 0;
    for (inputs_of_one(s); s->in.res_valid == 0; inputs_of_one(s)) observe_one(s, 0);
    s->out.res_ready = s->in.res_valid;
    observe_one(s, 0);
    s->view.level[e] = 1;
    inputs_of_one(s);
    observe_one(s, 1u << e);
    s->view.level[e] = 0;
}

/* The first warp's uops with a result one by one: uop `executed` executes, the others reuse. Which of these end an instruction
 * that has executed nothing, a bit a uop. */
static uint32_t reuse_all_but(uint32_t executed) {
    const rf_stage_hooks hooks = {.loaded = make_words, .words = has_words};
    static rf_banked empty;
    stage_of_one s = {.view = {.model = &empty, .value = value}};
    uint32_t ended = 0;
    assert_int_equal(rf_banked_init(&empty, &cfg), 0);
    begin_with(&s.t, false, &hooks);
    for (uint32_t uop = 0; uop < 6; uop++) {
        inputs_of_one(&s);
        assert_true(s.in.ib_valid & 1);
        const uint16_t tag = s.in.ib_tag[0];
        const uint8_t dst = s.in.ib_dst[0], port = s.in.ib_port[0];
        s.out.issue_valid = 1;
        observe_one(&s, 0);
        s.view.collecting = 1;
        if (uop == executed) {
            execute_one(&s, port, tag, dst);
            continue;
        }
        inputs_of_one(&s);
        if (rf_stage_env_reused(s.t.env, tag)) ended |= 1u << uop;
        observe_one(&s, 0);
        s.view.collecting = 0;
    }
    if (rf_stage_env_property(s.t.env) != NULL) fail_msg("%s", rf_stage_env_property(s.t.env));
    end(&s.t);
    return ended;
}

/* Four instructions of one uop, then one of two. */
static void an_instruction_reuses_with_all_its_words(void **state) {
    (void)state;
    assert_int_equal(reuse_all_but(UINT32_MAX), 0x2f);
    assert_int_equal(reuse_all_but(4), 0x0f);
    assert_int_equal(reuse_all_but(5), 0x0f);
}

static void hooks_of_random_streams(void **state) {
    (void)state;
    static rf_banked model;
    static rf_banked_out out;
    static rf_banked_in in;
    calls x = {0};
    const rf_stage_hooks hooks = {
        .ctx = &x, .show = note_show, .launch = note_launch, .phase = note_phase, .random = take_operands};
    rf_stage_env *const env = rf_stage_env_new(&stage_cfg, &hooks, 7);
    memset(&in, 0, sizeof in);
    assert_int_equal(rf_banked_init(&model, &cfg), 0);
    for (uint32_t cycle = 0; cycle < 5 * RF_ENV_PHASE; cycle++) {
        const rf_stage_view view = view_of(&model);
        rf_stage_env_inputs(env, &view, &in.stage);
        rf_banked_step(&model, &in, &out);
        rf_stage_env_observe(env, &in.stage, &out.stage, out.wires.arbiter.wr_grant);
        assert_int_equal(out.wires.arbiter.rd_grant, 0);
        assert_int_equal(in.res_valid, 0);
        assert_int_equal(rf_stage_env_cycles(env), cycle + 1);
    }
    assert_null(rf_stage_env_property(env));
    assert_int_equal(x.phases, 5);
    assert_true(x.random > 500 && x.launched > 20);
    assert_int_equal(x.shown, x.random); /* no operands: one uop each */
    assert_int_equal(x.first, x.random);
    rf_stage_env_free(env);
}

/* What the hardware does to any bit of a tag shows: within a few epochs each is 0 in one uop and 1 in another. */
static void every_bit_of_a_tag_moves(void **state) {
    (void)state;
    static rf_banked model;
    static rf_banked_out out;
    static rf_banked_in in;
    uint32_t ones = 0, zeros = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rf_stage_env *const env = rf_stage_env_new(&stage_cfg, NULL, seed);
        memset(&in, 0, sizeof in);
        assert_int_equal(rf_banked_init(&model, &cfg), 0);
        for (uint32_t cycle = 0; cycle < 2 * RF_ENV_PHASE; cycle++) {
            const rf_stage_view view = view_of(&model);
            rf_stage_env_inputs(env, &view, &in.stage);
            rf_banked_step(&model, &in, &out);
            rf_stage_env_observe(env, &in.stage, &out.stage, out.wires.arbiter.wr_grant);
            for (uint32_t w = 0; w < cfg.warps; w++) {
                if ((in.ib_valid >> w & 1) == 0) continue;
                ones |= in.ib_tag[w];
                zeros |= ~(uint32_t)in.ib_tag[w];
            }
        }
        assert_null(rf_stage_env_property(env));
        rf_stage_env_free(env);
    }
    assert_int_equal(ones & 0xffff, 0xffff);
    assert_int_equal(zeros & 0xffff, 0xffff);
}

/* What a warp of a block of two waits at: barriers for the other one, fences for itself; not what holds the lanes of a warp
 * together, nor what arrives only. */
static void what_a_warp_waits_at(void **state) {
    (void)state;
    static const char *const barriers[] = {"bar.sync", "bar.cta.sync", "barrier.sync.aligned", "BAR.SYNC.DEFER_BLOCKING",
                                           "BAR.RED.POPC"};
    static const char *const fences[] = {"membar.gl", "fence.acq_rel.gpu", "MEMBAR.SC.GPU"};
    static const char *const others[] = {"bar.warp.sync", "BAR.ARV", "BARX", "bark.sync", "mov.u32", "DEPBAR", "WARPSYNC"};
    static const uint32_t id[3] = {0, 0, 0}, threads[3] = {64, 1, 1};
    for (uint32_t i = 0; i < 15; i++) {
        const bool barrier = i < 5, fence = !barrier && i < 8;
        const rf_inst inst = {.mnemonic = barrier ? barriers[i] : fence ? fences[i - 5] : others[i - 8], .mask = UINT32_MAX};
        rf_stage_blocks b;
        rf_stage_blocks_init(&b, 1, 2, 0);
        for (uint32_t w = 0; w < 2; w++) {
            const rf_stage_block_ask ask = {.id = id, .shape = threads, .lanes = 32, .live = w};
            assert_int_equal(rf_stage_blocks_ask(&b, &ask), w == 0 ? RF_STAGE_BLOCK_STARTED : RF_STAGE_BLOCK_JOINED);
            rf_stage_blocks_enter(&b, w, 0);
        }
        rf_stage_blocks_issued(&b, 1, &inst);
        if (b.at_barrier != (barrier ? 2 : 0) || b.at_fence != (fence ? 2 : 0)) fail_msg("%s", inst.mnemonic);
        assert_int_equal(rf_stage_blocks_barrier(&b, 0, 3, false), 0);
        assert_int_equal(rf_stage_blocks_fences(&b, 3), fence ? 2 : 0);
        rf_stage_blocks_issued(&b, 0, &inst);
        assert_int_equal(rf_stage_blocks_barrier(&b, 0, 3, false), barrier ? 3 : 0);
    }
}

/* A block of warps of few lanes has as many warp slots as warps, and one that never fits is refused before anything runs. */
static void a_block_that_never_fits_is_refused_at_once(void **state) {
    (void)state;
    static const uint32_t threads[3] = {64, 1, 1};
    char text[2048] = "", error[512] = "";
    for (uint32_t w = 0; w < 4; w++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "core   %u: 0x80000090 (0x0000400b) endprg  x0, x0, x0\ncore   %u: 3 0x80000090 (0x0000400b) e32 m1 l16\n",
                       w, w);
    const rf_memory_file file = {.path = "a.log", .text = text, .size = strlen(text), .piece = 4096};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    assert_int_equal(rf_stage_block_warps(threads, 16), 4);
    assert_int_equal(rf_stage_block_warps(threads, 32), 2);
    for (uint32_t warps = 2; warps <= 4; warps += 2) {
        rf_stage_cfg with_blocks = stage_cfg;
        with_blocks.warps = warps;
        with_blocks.blocks = 2;
        rf_stage_env *const env = rf_stage_env_new(&with_blocks, NULL, 1);
        assert_int_equal(rf_stage_env_workload(env, &source, "a.log", error, sizeof error), warps == 4 ? 0 : -1);
        rf_stage_env_free(env);
    }
    assert_string_equal(error, "a.log: a thread block of 4 warps never fits: there are 2 warp slots (WARPS)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_values_are_written),
        cmocka_unit_test(a_wrong_operand_changes_the_recorded_value),
        cmocka_unit_test(without_values_nothing_changes),
        cmocka_unit_test(lost_registers_are_not_compared),
        cmocka_unit_test(what_does_not_exist_cannot_be_lost),
        cmocka_unit_test(lost_registers_are_not_read),
        cmocka_unit_test(lost_lanes_are_not_read),
        cmocka_unit_test(what_is_found_is_read),
        cmocka_unit_test(random_input_does_not_hide_that_a_stage_stands),
        cmocka_unit_test(a_workload_that_stands_ends),
        cmocka_unit_test(slow_loads_are_waited_for),
        cmocka_unit_test(time_that_passes_is_no_standing),
        cmocka_unit_test(a_system_may_stand_for_longer),
        cmocka_unit_test(without_a_warp_nothing_stands),
        cmocka_unit_test(hooks_of_a_workload),
        cmocka_unit_test(hooks_of_random_streams),
        cmocka_unit_test(words_write_the_same),
        cmocka_unit_test(an_instruction_reuses_with_all_its_words),
        cmocka_unit_test(every_bit_of_a_tag_moves),
        cmocka_unit_test(what_a_warp_waits_at),
        cmocka_unit_test(a_block_that_never_fits_is_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
