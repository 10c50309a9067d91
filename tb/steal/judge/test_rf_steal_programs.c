/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_steal, programs that mean something: legal streams and a workload beside the golden machine of the stage's
 * environment, and the paper's examples cycle by cycle. */
#include <stdlib.h>

#include "cmodel/compiler/rf_rfree.h"
#include "cmodel/workload/rf_opcode.h"
#include "tb/banked/judge/judge_world.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/steal/judge/judge_steal_run.h"
#include "tb/steal/env/rf_steal_stream.h"
#include "tb/workload/rf_memory.h"

/* --- legal streams, beside the golden machine ------------------------------------------------------------------------------- */

static const rf_vec *env_value(const void *m, uint32_t warp, uint32_t reg, rf_vec *room) {
    (void)room;
    return kept_value(m, warp, reg);
}

/* The hint of an instruction goes with its first uop. */
static void env_show(void *ctx, rf_stage_in *stage, uint32_t warp, const rf_inst *inst, const rf_uop *uop) {
    rf_steal_in *in = (rf_steal_in *)stage;
    (void)ctx;
    in->ib_name_valid[warp] = 0;
    for (uint32_t u = 0; uop->first && u < inst->hint.nfree; u++) {
        in->ib_name[warp * RF_FREES_MAX + u] = (uint8_t)(inst->hint.free_reg[u] % judge_codes(slow.cfg.regs));
        if (inst->hint.free_reg[u] != RF_REG_NO_FREE) in->ib_name_valid[warp] |= (uint8_t)(1u << u);
    }
}

static void env_launch(void *ctx, uint32_t warp) { rf_steal_stream_launch(ctx, warp); }

static void env_phase(void *ctx, rf_stream_kind kind) {
    (void)kind;
    rf_steal_stream_phase(ctx);
}

static void env_random(void *ctx, uint32_t warp, rf_inst *inst) { rf_steal_stream_edit(ctx, warp, inst); }

static void env_loaded(void *ctx, rf_warp *warp) {
    (void)ctx;
    assert_int_equal(rf_rfree_of_warp(warp, slow.cfg.regs, slow.cfg.banks), 0);
}

typedef struct legal {
    uint64_t stolen, ahead, launched;
} legal;

/* One cycle with the environment: the judge as always, the environment told what was lent. */
static void env_cycle(judge *j, rf_stage_env *env, rf_steal_in *in, legal *seen) {
    static rf_steal_out out;
    static slow_theft now;
    uint32_t lent_warp[32], lent_reg[32], lent = 0;
    rf_stage_view view = {.model = &model, .value = env_value};
    for (uint32_t c = 0; c < slow.cfg.collectors; c++) view.collecting += model.stage.ocu[c].busy_q;
    for (uint32_t e = 0; e < slow.cfg.exports; e++) view.level[e] = model.stage.wbq[e].ctrl.level_q;
    rf_stage_env_inputs(env, &view, &in->stage);
    steal_comb(&slow, in, &now);
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        if (!now.stolen[e]) continue;
        const uint32_t b = now.place[e];
        assert_true(owner_of(&slow, b, slow.loan[b].row, &lent_warp[lent], &lent_reg[lent]));
        lent++;
    }
    for (uint32_t g = 0; g < slow.cfg.issues; g++) seen->ahead += now.steals[g];
    seen->stolen += lent;
    seen->launched += in->launch != 0;
    step(j, in, &now, &out, false);
    for (uint32_t i = 0; i < lent; i++) rf_stage_env_lose(env, lent_warp[i], lent_reg[i], UINT32_MAX);
    rf_stage_env_observe(env, &in->stage, &out.stage, out.wires.arbiter.wr_grant);
    if (rf_stage_env_property(env) != NULL) fail_msg("%s: %s", j->where, rf_stage_env_property(env));
}

static rf_stage_cfg env_cfg(const rf_steal_cfg *cfg) {
    return (rf_stage_cfg){.warps = cfg->warps,
                          .collectors = cfg->collectors,
                          .banks = cfg->banks,
                          .regs = cfg->regs,
                          .lanes = cfg->lanes,
                          .slots = cfg->slots,
                          .exports = cfg->exports,
                          .issues = cfg->issues,
                          .wbdepth = cfg->wbdepth};
}

/* Warps end and others start in their slots: each ends with the registers of sequential execution, and nothing that was accepted
 * is lost. */
static void legal_streams_end_with_the_sequential_state(void **state) {
    static const rf_steal_cfg legal_sets[] = {
        {8, 4, 8, 16, 4, 3, 3, 2, 0, 8, 4, 1, 1, 0}, {8, 3, 5, 9, 3, 3, 3, 1, 1, 8, 2, 2, 1, 1},
        {12, 6, 4, 8, 1, 3, 3, 3, 2, 2, 2, 2, 1, 0}, {6, 4, 3, 12, 32, 3, 4, 2, 0, 8, 1, 1, 1, 1},
        {4, 2, 2, 6, 1, 2, 2, 1, 2, 1, 3, 0, 1, 0},  {8, 4, 8, 16, 4, 3, 3, 2, 1, 8, 4, 2, 0, 0},
    };
    static rf_steal_in in;
    static rf_steal_stream stream;
    uint64_t stolen = 0, ahead = 0;
    (void)state;
    for (size_t i = 0; i < sizeof legal_sets / sizeof *legal_sets; i++) {
        const rf_steal_cfg *cfg = &legal_sets[i];
        const rf_stage_cfg size = env_cfg(cfg);
        const rf_stage_hooks hooks = {
            .ctx = &stream, .show = env_show, .launch = env_launch, .phase = env_phase, .random = env_random};
        legal seen = {0};
        judge j;
        start(&j, ls_seed_derive(i, "judge rf_steal legal"), cfg);
        memset(&in, 0, sizeof in);
        rf_steal_stream_init(&stream, cfg->warps, cfg->banks, cfg->regs, cfg->lanes, RF_FREES_MAX, j.seed);
        rf_stage_env *env = rf_stage_env_new(&size, &hooks, j.seed);
        while (j.cycle < 16 * RF_ENV_PHASE) env_cycle(&j, env, &in, &seen);
        compare_kept(&j, &slow, &model);
        compare_banks(&j, &slow.stage, &model.stage);
        judge_passes(&j);
        assert_true(seen.launched > 5);
        assert_true((seen.ahead > 0) == (cfg->reads != 0));
        assert_true((seen.stolen > 0) == (cfg->writes != 0));
        ahead += seen.ahead;
        stolen += seen.stolen;
        rf_stage_env_free(env);
    }
    assert_true(stolen > 500 && ahead > 500);
}

/* A workload without a graph, with the hints that the compiler gives it, to its end. */
static void a_workload_ends_with_the_sequential_state(void **state) {
    const rf_steal_cfg cfg = {8, 4, 4, 16, 32, 3, 3, 2, 0, 8, 2, 2, 1, 0};
    const rf_stage_cfg size = env_cfg(&cfg);
    const rf_stage_hooks hooks = {.show = env_show, .loaded = env_loaded};
    static rf_steal_in in;
    static rf_memory_bytes bytes;
    rf_program program = {.kernel = (char[]){"k"}, .origin = (char[]){""}};
    char error[512] = "";
    legal seen = {0};
    ls_rng rng;
    judge j;
    (void)state;
    ls_rng_seed(&rng, 0x3e4d);
    const rf_sink sink = rf_memory_sink(&bytes);
    rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
    assert_int_equal(rf_stream_write_program(writer, &program), 0);
    for (uint32_t w = 0; w < 20; w++) {
        rf_warp warp = {0};
        for (uint32_t i = 0; i < 120; i++) {
            assert_int_equal(rf_warp_reserve(&warp, RF_LANES_MAX, 2 * RF_LANES_MAX), 0);
            rf_inst *const inst = &warp.inst[warp.count++];
            *inst = (rf_inst){.pc = 16 * i, .mnemonic = "any", .opcode = rf_fnv1a("any", 3), .index = RF_INDEX_NONE};
            inst->mask = ls_rng_chance(&rng, 224) ? UINT32_MAX : (uint32_t)ls_rng_value(&rng, 32) | 1;
            inst->nsrc = (uint8_t)ls_rng_below(&rng, 5);
            inst->ndst = (uint8_t)(ls_rng_chance(&rng, 240) ? 1 : 0);
            for (uint32_t k = 0; k < inst->nsrc; k++) inst->src[k] = (uint8_t)ls_rng_below(&rng, 12);
            if (inst->ndst) inst->dst[0] = (uint8_t)ls_rng_below(&rng, 12);
        }
        rf_warp_link(&warp);
        assert_int_equal(rf_stream_write_warp(writer, &warp), 0);
        rf_warp_free(&warp);
    }
    assert_int_equal(rf_stream_writer_close(writer, error, sizeof error), 0);
    rf_memory_file file = {.path = "a.rfs", .text = bytes.bytes, .size = bytes.size, .piece = 4096};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    start(&j, 1, &cfg);
    memset(&in, 0, sizeof in);
    rf_stage_env *env = rf_stage_env_new(&size, &hooks, 1);
    if (rf_stage_env_workload(env, &source, "a.rfs", error, sizeof error) != 0) fail_msg("%s", error);
    while (!rf_stage_env_done(env)) {
        env_cycle(&j, env, &in, &seen);
        assert_true(j.cycle < 20000);
    }
    assert_null(rf_stage_env_workload_error(env));
    for (uint32_t idle = 0; idle < 2 * cfg.banks + 1; idle++) env_cycle(&j, env, &in, &seen);
    assert_int_equal(model.table.m_q, 0); /* every value is at home */
    assert_int_equal(model.arbiter.ret_valid_q, 0);
    compare_kept(&j, &slow, &model);
    compare_banks(&j, &slow.stage, &model.stage);
    judge_passes(&j);
    assert_true(seen.launched > 5 && seen.stolen > 50 && seen.ahead > 50);
    rf_stage_env_free(env);
    free(bytes.bytes);
}

/* --- written programs ------------------------------------------------------------------------------------------------------- */

/* [bank stealing Fig. 8 and 9]: a result for bank 0 meets a read there; bank 2 is idle and its Rfree is warp 5's R1, row 10. The
 * dependent instruction issues in the next cycle, and reads when the value is home: warp 3's R5 is bank 0, row 7. */
static void a_result_is_put_aside_for_a_read(void **state) {
    static rf_steal_out out;
    static rf_steal_in in;
    rf_steal_cfg cfg = small;
    judge j;
    (void)state;
    cfg.reads = 0;
    start(&j, 0, &cfg);
    memset(&in, 0, sizeof in);
    in.ex_ready = 3;
    for (uint32_t t = 0; t <= 9; t++) {
        in.ib_valid &= t == 4 || t == 5 ? 8 : 0;
        in.res_valid = 0;
        in.ib_name_valid[5] = t == 0;
        in.ib_name[5 * RF_FREES_MAX] = 1;
        if (t == 0) put_head(&slow.stage.cfg, &in.stage, 5, 0, 300, 300);
        if (t == 1) put_head(&slow.stage.cfg, &in.stage, 3, 1, 5, 300);
        if (t == 3) put_head(&slow.stage.cfg, &in.stage, 0, 0, 300, 0);
        if (t == 3) give_result(&slow.stage.cfg, &in.stage, 0, 3, 5, 0xbeef00);
        if (t == 4) put_head(&slow.stage.cfg, &in.stage, 3, 1, 300, 5);
        cycle(&j, &in, &out);
        assert_int_equal(out.issue_valid, t == 0 || t == 1 || t == 3 || t == 5);
        assert_int_equal(out.wires.arbiter.wr_stolen, t == 4);
        assert_int_equal(out.wires.arbiter.link, t == 4 ? 4 : 0);
        assert_int_equal(out.wires.arbiter.recall, t == 5 ? 4 : 0);
        assert_int_equal(out.wires.arbiter.ret_valid, t == 6);
        assert_int_equal(out.wires.arbiter.bank_we, t == 4 ? 4 : t == 6 ? 1 : 0);
        assert_int_equal(out.wires.arbiter.bank_re, t == 4 ? 1 : t == 5 ? 4 : t == 7 ? 1 : 0);
        if (t == 4) assert_int_equal(out.wires.arbiter.bank_waddr[2], 10);
        if (t == 6) assert_int_equal(out.wires.arbiter.bank_waddr[0], 7);
        assert_int_equal(model.table.m_q, t == 4 ? 4 : 0);
        if (t == 9) assert_int_equal(out.ex_data[1 * cfg.slots].lane[3], 0xbeef03);
        assert_int_equal(out.ex_valid, t == 1 ? 1 : t == 2 ? 2 : t == 6 ? 1 : t == 9 ? 2 : 0);
    }
    judge_passes(&j);
}

/* A reader of a value that was put aside forces it home though no bus is idle: the result that has bus 0 waits for a cycle. */
static void a_reader_forces_the_value_home(void **state) {
    static rf_steal_out out;
    static rf_steal_in in;
    rf_steal_cfg cfg = small;
    judge j;
    (void)state;
    cfg.reads = 0, cfg.exports = 1, cfg.wbdepth = 4;
    start(&j, 0, &cfg);
    memset(&in, 0, sizeof in);
    in.ex_ready = 1;
    for (uint32_t t = 0; t <= 8; t++) {
        in.ib_valid = in.res_valid = 0;
        in.ib_name_valid[5] = t == 0;
        in.ib_name[5 * RF_FREES_MAX] = 1;
        if (t == 0) put_head(&slow.stage.cfg, &in.stage, 5, 0, 300, 300);
        if (t == 1) put_head(&slow.stage.cfg, &in.stage, 0, 0, 300, 0); /* reads bank 0 in 2 */
        if (t == 1) give_result(&slow.stage.cfg, &in.stage, 0, 3, 5, 0xace0);
        if (t == 2) put_head(&slow.stage.cfg, &in.stage, 3, 0, 300, 5); /* issues in 2: nothing is pending; asks in 3 */
        if (t >= 2 && t <= 4) give_result(&slow.stage.cfg, &in.stage, 0, 6, 1, t); /* bank 3 */
        cycle(&j, &in, &out);
        assert_int_equal(out.wires.arbiter.wr_stolen, t == 2);
        assert_int_equal(out.wires.force, t == 3 ? 4 : 0);
        assert_int_equal(out.wires.arbiter.recall, t == 3 ? 4 : 0);
        assert_int_equal(out.wires.arbiter.bank_we, t == 2 ? 4 : t == 3 ? 8 : t == 4 ? 1 : t == 5 || t == 6 ? 8 : 0);
        assert_int_equal(out.wires.arbiter.wr_grant, t == 2 || t == 3 || t == 5 || t == 6);
        assert_int_equal(out.wires.arbiter.rd_grant != 0, t == 2 || t == 5);
        if (t == 7) assert_int_equal(out.ex_data[0].lane[2], 0xace2);
    }
    judge_passes(&j);
}

/* [bank stealing Fig. 6]: warp 4 issues one cycle after warp 0. Its operand alone in bank 1 is read ahead with READS 2; two
 * operands there, with READS 1 too. */
static void an_operand_is_read_ahead(void **state) {
    static rf_steal_out out;
    static rf_steal_in in;
    (void)state;
    for (uint32_t two = 0; two <= 1; two++)
        for (uint32_t reads = 0; reads <= 2; reads++) {
            const bool steals = reads == 2 || (reads == 1 && two);
            rf_steal_cfg cfg = small;
            judge j;
            cfg.sched = 1, cfg.reads = reads;
            start(&j, 0, &cfg);
            memset(&in, 0, sizeof in);
            in.ex_ready = 3;
            for (uint32_t t = 0; t <= 6; t++) {
                in.ib_valid &= t == 1 ? 16 : 0;
                if (t == 0) put_head(&slow.stage.cfg, &in.stage, 0, 0, 300, 0);
                if (t == 0) put_head(&slow.stage.cfg, &in.stage, 4, 1, 300, 1);
                if (t == 0 && two) in.ib_src_valid[4] = 3, in.ib_src[4 * cfg.slots + 1] = 5;
                cycle(&j, &in, &out);
                assert_int_equal(out.issue_valid, t <= 1);
                assert_int_equal(out.issue_warp[0], t == 1 ? 4 : 0);
                assert_int_equal(out.wires.steal, t == 1 && steals);
                assert_int_equal(out.wires.fill, t == 1 && steals);
                const uint32_t first = steals ? 1 : 2, last = first + two;
                assert_int_equal(out.wires.arbiter.bank_re, (t == 1 ? 1 : 0) | (t >= first && t <= last ? 2 : 0));
                assert_int_equal(out.ex_valid, (t == 3 ? 1 : 0) | (t == last + 2 ? 2 : 0));
            }
            judge_passes(&j);
        }
}

/* [bank stealing IV-B-3]: "the original scheduling sequence of Wa, Wa, Wb, Wb may be changed to Wa, Wb, Wa, Wb". */
static void greedy_warps_take_turns(void **state) {
    static rf_steal_out out;
    static rf_steal_in in;
    (void)state;
    for (uint32_t reads = 0; reads <= 2; reads += 2) {
        rf_steal_cfg cfg = small;
        judge j;
        cfg.collectors = 8, cfg.reads = reads;
        start(&j, 0, &cfg);
        memset(&in, 0, sizeof in);
        in.ex_ready = 3;
        put_head(&slow.stage.cfg, &in.stage, 0, 0, 300, 0);
        put_head(&slow.stage.cfg, &in.stage, 4, 1, 300, 1);
        for (uint32_t t = 0; t < 20; t++) {
            cycle(&j, &in, &out);
            assert_int_equal(out.issue_valid, 1);
            assert_int_equal(out.issue_warp[0], reads == 2 && t % 2 == 1 ? 4 : 0);
        }
        judge_passes(&j);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_streams_end_with_the_sequential_state),
        cmocka_unit_test(a_workload_ends_with_the_sequential_state),
        cmocka_unit_test(a_result_is_put_aside_for_a_read),
        cmocka_unit_test(a_reader_forces_the_value_home),
        cmocka_unit_test(an_operand_is_read_ahead),
        cmocka_unit_test(greedy_warps_take_turns),
    };
    return cmocka_run_group_tests_name("judge of rf_steal: programs", tests, NULL, NULL);
}
