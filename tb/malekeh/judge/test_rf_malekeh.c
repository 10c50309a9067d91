/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_malekeh: every output and every register in every cycle, stimulus of every kind; the properties of its header; the
 * counters; beside rf_banked without caches; written programs. */
#include "tb/common/judge/judge_unit.h"
#include "tb/malekeh/judge/judge_malekeh_count.h"
#include "tb/malekeh/judge/judge_malekeh_run.h"

extern const ls_unit rf_malekeh_unit;

static malekeh_counts counts;

static void reset_all(world *around, golden *x) {
    rf_malekeh_reset(&model);
    rf_malekeh_reset(&stepped);
    malekeh_reset(&slow);
    forget(around);
    golden_reset(x);
}

/* Surroundings that have not begun. */
static void begin(world *around, golden *x, rf_malekeh_in *in, uint64_t seed, bool lawful) {
    memset(around, 0, sizeof *around);
    memset(x, 0, sizeof *x);
    memset(in, 0, sizeof *in);
    around->in = &in->stage;
    around->lawful = lawful;
    ls_rng_seed(&around->rng, seed);
}

/* One cycle of random surroundings. */
static void random_cycle(judge *j, world *around, golden *x, rf_malekeh_in *in) {
    static rf_malekeh_out out;
    static slow_turn now;
    uint64_t control = j->cycle % 4 == 0 ? (j->cycle + 1) * UINT64_C(0x9e3779b97f4a7c15) : 0;
    stimulate(around, &slow.stage.cfg);
    add_hints(x, around, in);
    if (slow.cfg.bow == 1) control = in->ib_dst_near;
    malekeh_comb(&slow, in, &now);
    count(x, in, &now);
    const rf_stage_waits waits = draw_waits(in->ib_valid | (j->cycle % 128 < 64 ? 0 : ls_mask(slow.cfg.warps)), j->cycle);
    for (uint32_t w = 0; w < slow.cfg.warps; w++)
        if (judge_bit(in->launch, w)) count_launch(&counts, w);
    count_cycle(&counts, &slow, in, &now, &waits, control);
    step(j, around->lawful ? x : NULL, in, &now, &out);
    rf_malekeh_count_cycle(&counts.model, &slow.cfg, in, &out, &waits, control);
    take_note(around, &slow.stage.cfg, &now.stage, &out.stage);
}

/* BOW: what hits is in the window of docs/units/rf_malekeh.md ("Counters"); and when nothing was lost, everything in it hits. */
static void check_window(judge *j, const rf_malekeh_cfg *cfg) {
    const uint64_t hits = counts.of[C_hits];
    if (cfg->bow == 0) return;
    judge_equal(j, "hits outside of the window", 0, hits > counts.bow, 0);
    if (slow.lost == 0) judge_equal(j, "hits of the window", 0, hits, counts.bow);
    seen[slow.lost == 0 && hits > 0 ? WINDOW_EXACT : WINDOW_LOST]++;
    slow.lost = 0;
}

static void run(const rf_malekeh_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles) {
    static world around;
    static golden x;
    static rf_malekeh_in in;
    judge j;
    start(&j, seed, cfg);
    begin(&around, &x, &in, seed, lawful);
    memset(&counts, 0, sizeof counts);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) draw_mix(&around, &slow.stage.cfg), draw_hints(&x, &around.rng);
        random_cycle(&j, &around, &x, &in);
        if (j.differing != 0 || !ls_rng_chance(&around.rng, 1) || !ls_rng_chance(&around.rng, 64)) continue;
        seen[RESET] += slow.stage.collector[0].busy && holds(&slow, 0, false) > 0;
        if (lawful) check_window(&j, cfg);
        compare_counts(&j, &counts, cfg);
        reset_all(&around, &x);
        compare_malekeh_state(&j, &slow, &model);
        compare_malekeh_state(&j, &slow, &stepped);
        compare_banks(&j, &slow.stage, &model.stage);
    }
    compare_banks(&j, &slow.stage, &model.stage);
    compare_banks(&j, &slow.stage, &stepped.stage);
    if (lawful) compare_registers(&j, &slow.stage, &model.stage);
    if (lawful) check_window(&j, cfg);
    judge_passes(&j);
    compare_counts(&j, &counts, cfg);
}

/*    W  C  B  R  L  S  E  I  P sched F D entries cache adapt sthld interval large clear bow serial */
static const struct {
    rf_malekeh_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{8, 3, 4, 8, 4, 3, 2, 1, 1, 3, 8, 2, 4, 1, 0, 3, 100, 13, 0, 0, 0}, 10000},
    {{4, 4, 4, 6, 1, 2, 3, 1, 1, 3, 4, 2, 3, 1, 1, 250, 9, 64, 1, 0, 0}, 8000},
    {{8, 4, 8, 12, 4, 3, 3, 2, 2, 3, 8, 4, 8, 1, 1, 0, 50, 13, 1, 0, 0}, 8000},
    {{8, 2, 5, 7, 3, 3, 3, 1, 1, 0, 8, 3, 5, 1, 0, 8, 100, 13, 0, 0, 0}, 8000},
    {{9, 5, 7, 5, 1, 3, 3, 3, 2, 1, 3, 2, 6, 1, 1, 2, 13, 40, 1, 0, 0}, 8000},
    {{12, 6, 8, 9, 1, 2, 4, 3, 1, 2, 2, 2, 4, 1, 0, 0, 2, 255, 0, 0, 0}, 8000},
    {{6, 3, 16, 20, 4, 7, 2, 2, 1, 3, 3, 3, 8, 1, 1, 5, 33, 90, 0, 0, 0}, 6000},
    {{6, 5, 13, 17, 1, 7, 4, 1, 2, 3, 6, 2, 7, 1, 0, 1, 100, 13, 1, 0, 0}, 6000},
    {{8, 3, 4, 8, 4, 3, 2, 1, 1, 3, 8, 2, 4, 0, 0, 3, 100, 13, 0, 0, 0}, 3000},
    {{8, 4, 5, 7, 3, 3, 3, 2, 2, 0, 3, 3, 6, 0, 1, 20, 16, 13, 0, 0, 0}, 3000},
    {{32, 8, 16, 10, 1, 3, 4, 2, 1, 3, 8, 4, 8, 1, 0, 255, 100, 13, 0, 0, 0}, 3000},
    {{3, 2, 4, 5, 32, 2, 2, 1, 1, 3, 3, 1, 3, 1, 1, 255, 2, 1, 0, 0, 0}, 5000},
    {{4, 8, 4, 6, 1, 3, 8, 2, 2, 3, 2, 3, 4, 1, 0, 2, 100, 13, 0, 0, 0}, 6000},
    {{5, 3, 3, 33, 5, 5, 3, 1, 2, 2, 2, 3, 5, 1, 1, 4, 21, 8, 1, 0, 0}, 6000},
    {{2, 1, 2, 3, 1, 1, 2, 2, 1, 1, 1, 1, 2, 1, 0, 1, 100, 13, 0, 0, 0}, 5000},
    {{1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 2, 1, 1, 0, 3, 255, 0, 0, 0}, 3000},
    {{20, 7, 9, 6, 2, 4, 5, 4, 1, 3, 3, 2, 6, 1, 0, 6, 100, 13, 0, 0, 0}, 4000},
    {{6, 3, 4, 5, 1, 2, 3, 2, 1, 3, 2, 2, 2, 1, 0, 10, 100, 13, 1, 0, 0}, 6000},
    {{32, 8, 16, 64, 32, 3, 4, 2, 1, 3, 8, 4, 8, 1, 1, 0, 1000, 13, 0, 0, 0}, 2000}, /* [Malekeh Table 1] */
    {{64, 16, 32, 256, 1, 4, 8, 4, 1, 3, 16, 16, 8, 1, 1, 0, 200, 13, 0, 0, 0}, 2000},
    {{4, 4, 4, 12, 1, 3, 1, 1, 2, 0, 4, 2, 8, 1, 0, 0, 100, 13, 0, 1, 0},
     6000}, /* nothing is lost: a result a cycle, of all lanes */
    {{8, 8, 4, 9, 4, 7, 3, 1, 2, 0, 8, 4, 8, 1, 0, 0, 100, 13, 0, 1, 0}, 6000}, /* as on a sub-core of the RTX 2060 */
    {{8, 3, 4, 8, 4, 3, 2, 2, 1, 3, 8, 2, 4, 1, 1, 3, 30, 13, 0, 1, 0}, 6000},
    {{8, 2, 4, 9, 2, 7, 3, 1, 2, 3, 8, 4, 8, 1, 1, 0, 50, 13, 1, 0, 1}, 6000},
    {{8, 3, 4, 9, 2, 5, 2, 2, 1, 0, 4, 2, 6, 0, 0, 0, 50, 13, 0, 0, 1}, 3000},
};

static void random_programs(void **state) {
    uint64_t cycles = 0;
    (void)state;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            run(&sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_malekeh"), lawful, sets[i].cycles);
            cycles += sets[i].cycles;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
    judge_saw_all(counter_names, counted, COUNTS);
}

/* Ports of the two systems; what a port is shown for a slot without a source means nothing and differs. */
static void compare_ports(judge *j, const slow_cycle *now, const rf_stage_out *out, const rf_stage_out *plain) {
    static rf_stage_out without, plain_without;
    without = *out, plain_without = *plain;
    memset(without.ex_data, 0, sizeof without.ex_data);
    memset(plain_without.ex_data, 0, sizeof plain_without.ex_data);
    assert_memory_equal(&without, &plain_without, sizeof without);
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            const uint32_t c = now->offered[e], at = e * slow.cfg.slots + k;
            if (c == NONE || slow.stage.collector[c].slot[k].state == HERE)
                judge_words(j, "operand of rf_banked", at, out->ex_data[at].lane, plain->ex_data[at].lane, 32);
        }
}

/* No CCU caches and a scheduler that rf_banked has: rf_banked, cycle for cycle, whatever the hints and STHLD are. */
static void without_caches_it_is_rf_banked(void **state) {
    static rf_banked plain;
    static rf_banked_out plain_out;
    static rf_banked_in plain_in;
    static rf_malekeh_in in;
    static rf_malekeh_out out;
    static slow_turn now;
    static world around;
    static golden x;
    uint64_t issued = 0, hints = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t sched = 0; sched <= 2; sched++) {
            rf_malekeh_cfg cfg = sets[i].cfg;
            judge j;
            cfg.cache = 0, cfg.sched = sched;
            start(&j, ls_seed_derive(4 * i + sched, "judge rf_malekeh off"), &cfg);
            memset(&plain, 0x3c, sizeof plain);
            assert_int_equal(rf_banked_init(&plain, &slow.stage.cfg), 0);
            begin(&around, &x, &in, j.seed, false);
            for (j.cycle = 0; j.cycle < 400; j.cycle++) {
                if (j.cycle % 128 == 0) draw_mix(&around, &slow.stage.cfg), draw_hints(&x, &around.rng);
                stimulate(&around, &slow.stage.cfg);
                add_hints(&x, &around, &in);
                plain_in.stage = in.stage;
                malekeh_comb(&slow, &in, &now);
                memset(&out, 0, sizeof out);
                memset(&plain_out, 0, sizeof plain_out);
                rf_malekeh_step(&model, &in, &out);
                rf_banked_step(&plain, &plain_in, &plain_out);
                compare_ports(&j, &now.stage, &out.stage, &plain_out.stage);
                malekeh_clock(&slow, &in, &now);
                take_note(&around, &slow.stage.cfg, &now.stage, &plain_out.stage);
                issued += plain_out.issue_valid != 0;
                hints += out.ex_dst_near != 0;
            }
            compare_malekeh_state(&j, &slow, &model);
            compare_schedulers(&j, &slow.stage, plain.gto, plain.lrr, plain.groups);
            compare_queues(&j, &slow.stage, &plain);
            compare_scoreboard(&j, &slow.stage, &plain.scoreboard);
            compare_banks(&j, &slow.stage, &plain);
            compare_banks(&j, &slow.stage, &model.stage);
            judge_passes(&j);
        }
    assert_true(issued > 1000 && hints > 1000);
}

/* No more instructions come: those at the heads issue, all are delivered and all results are written, in the time that their
 * number, STHLD and the sizes give: what waits for a CCU waits STHLD + 1 cycles, what waits for a result waits for one that is
 * under way. */
static void everything_ends(void **state) {
    static const uint32_t threshold[] = {0, 1, 7, 255};
    static world around;
    static golden x;
    static rf_malekeh_in in;
    uint64_t slowest = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t trial = 0; trial < 8; trial++) {
            rf_malekeh_cfg cfg = sets[i].cfg;
            uint32_t heads = 0, pending = 0, queued = 0, busy = 0;
            judge j;
            cfg.sthld = threshold[trial % 4];
            cfg.adapt = trial / 4;
            start(&j, ls_seed_derive(8 * i + trial, "judge rf_malekeh ends"), &cfg);
            begin(&around, &x, &in, j.seed, true);
            draw_mix(&around, &slow.stage.cfg);
            draw_hints(&x, &around.rng);
            while (j.cycle < 150) random_cycle(&j, &around, &x, &in);
            around.p_fetch = around.p_change = around.p_launch = 0;
            around.p_ready = around.p_result = 256;
            for (uint32_t w = 0; w < cfg.warps; w++) heads += judge_bit(in.ib_valid, w);
            const uint32_t each = 16 + 4 * cfg.slots + 2 * cfg.exports * cfg.wbdepth;
            const uint64_t stop = j.cycle, bound = heads * (256 + each) + (around.owes + cfg.collectors + 1) * each;
            while (j.cycle < stop + bound &&
                   (in.ib_valid != 0 || x.issued != x.delivered || around.owes != 0 || in.res_valid != 0))
                random_cycle(&j, &around, &x, &in);
            for (uint32_t t = 0; t < 2 * cfg.exports * cfg.wbdepth + 2; t++) random_cycle(&j, &around, &x, &in);
            judge_passes(&j);
            for (uint32_t w = 0; w < cfg.warps; w++)
                for (uint32_t r = 0; r < cfg.regs; r++)
                    pending += judge_bit(model.stage.scoreboard.pending_q[w].w[r / 64], r % 64);
            for (uint32_t e = 0; e < cfg.exports; e++) queued += model.stage.wbq[e].ctrl.level_q;
            for (uint32_t c = 0; c < cfg.collectors; c++) busy += model.ccu[c].busy_q;
            if (in.ib_valid != 0 || x.issued != x.delivered || pending != 0 || queued != 0 || busy != 0)
                fail_msg("%s: heads %#" PRIx64 ", %" PRIu64 " of %" PRIu64 " delivered, %" PRIu32 " pending after %" PRIu64
                         " cycles",
                         j.where, in.ib_valid, x.delivered, x.issued, pending, bound);
            for (uint32_t w = 0; w < cfg.warps; w++) /* and every register is what sequential execution leaves */
                for (uint32_t r = 0; r < cfg.regs; r++)
                    assert_memory_equal(
                        model.stage.bank[bank_of(&slow.stage.cfg, w, r)].mem_q[row_of(&slow.stage.cfg, w, r)].lane, x.reg[w][r],
                        sizeof x.reg[w][r]);
            if (j.cycle - stop > slowest) slowest = j.cycle - stop;
        }
    assert_true(slowest > 256); /* STHLD 255 was felt */
}

/* --- written programs ------------------------------------------------------------------------------------------------------- */

static golden written;

static void cycle(judge *j, const rf_malekeh_in *in, rf_malekeh_out *out) {
    static slow_turn now;
    malekeh_comb(&slow, in, &now);
    step(j, NULL, in, &now, out);
}

static void show_inst(rf_malekeh_in *in, uint32_t w, uint32_t dst, uint32_t src, bool dst_near, bool src_near) {
    put_head(&slow.stage.cfg, &in->stage, w, 0, dst, src);
    in->ib_dst_near &= ~(UINT64_C(1) << w);
    in->ib_dst_near |= (uint64_t)dst_near << w;
    in->ib_src_near[w] = src_near;
}

/* A warp reads R2, then R2 again: the second time nothing is asked of the banks and the instruction leaves in the cycle after its
 * issue. Issue 0, read 1, data 2, dispatch 3: the CCU is busy until then, its warp's next instruction issues in 4 and leaves
 * in 5. */
static void a_register_is_read_once(void **state) {
    static rf_malekeh_out out;
    static rf_malekeh_in in;
    judge j;
    (void)state;
    start(&j, 0, &small);
    memset(&in, 0, sizeof in);
    in.ex_ready = 1;
    show_inst(&in, 3, 300, 2, false, false);
    for (uint32_t t = 0; t <= 6; t++) {
        in.ib_valid &= t <= 4 ? 8 : 0;
        cycle(&j, &in, &out);
        assert_int_equal(out.issue_valid, t == 0 || t == 4);
        assert_int_equal(out.wires.own_busy, t >= 1 && t != 4 && t <= 5 ? 8 : 0);
        assert_int_equal(out.wires.arbiter.bank_re, t == 1 ? 2 : 0);
        assert_int_equal(out.wires.hit[0], t == 4);
        assert_int_equal(out.ex_valid, t == 3 || t == 5);
    }
    judge_passes(&j);
}

/* 4.2: a near result stays in its warp's CCU, a far one does not; both go to the banks. */
static void a_near_result_is_kept(void **state) {
    static rf_malekeh_out out;
    static rf_malekeh_in in;
    judge j;
    (void)state;
    for (uint32_t near = 0; near <= 1; near++) {
        start(&j, near, &small);
        memset(&in, 0, sizeof in);
        in.ex_ready = 1;
        for (uint32_t t = 0; t <= 8; t++) {
            in.ib_valid = in.res_valid = 0;
            if (t == 0) show_inst(&in, 3, 5, 300, near, false);
            if (t == 2) give_result(&slow.stage.cfg, &in.stage, 0, 3, 5, 0xcafe00), in.res_near = (uint8_t)near;
            if (t == 4) show_inst(&in, 3, 300, 5, false, false);
            cycle(&j, &in, &out);
            if (t == 1) assert_int_equal(out.ex_dst_near, near);
            assert_int_equal(out.wires.arbiter.bank_we, t == 3 ? 1 : 0); /* R5 of warp 3: bank 0 */
            assert_int_equal(out.wires.d_valid, t == 3 && near);
            assert_int_equal(out.wires.held, t >= 4 && (near || t >= 5) ? 8 : 0);
            assert_int_equal(out.wires.arbiter.bank_re, t == 5 && !near ? 1 : 0);
            assert_int_equal(out.ex_valid, t == 1 || t == (near ? 5 : 7));
            if (t == (near ? 5 : 7)) assert_int_equal(out.ex_data[0].lane[3], 0xcafe03);
        }
        judge_passes(&j);
    }
}

/* Section 6: CCUs 0, 1 and 2 are those of warps 0, 1 and 2; what warps 0 and 2 read is near, what warp 1 read is far. Warp 3 gets
 * warp 1's at once; warp 4 then waits: STHLD + 1 cycles, and gets the next after it. Its values are lost. */
static void near_values_are_waited_for(void **state) {
    static rf_malekeh_out out;
    static rf_malekeh_in in;
    (void)state;
    for (uint32_t sthld = 0; sthld <= 255; sthld += sthld < 4 ? 1 : 251) {
        rf_malekeh_cfg cfg = small;
        judge j;
        cfg.sthld = sthld;
        start(&j, 0, &cfg);
        memset(&in, 0, sizeof in);
        in.ex_ready = 1;
        for (uint32_t t = 0; t <= 12 + sthld; t++) {
            if (t < 3) show_inst(&in, t, 300, 2, false, t != 1);
            if (t == 6) show_inst(&in, 3, 300, 2, false, true);
            if (t == 10) show_inst(&in, 4, 300, 2, false, true);
            cycle(&j, &in, &out);
            if (t < 3) assert_int_equal(out.wires.alloc.alloc, 1u << t);
            assert_int_equal(out.wires.alloc.replace, t == 6 ? 2 : t == 11 + sthld ? 4 : 0);
            assert_int_equal(out.wires.alloc.wait, t >= 10 && t <= 10 + sthld);
            in.ib_valid &= ~(uint64_t)(out.issue_valid != 0 ? 1u << out.issue_warp[0] : 0);
        }
        judge_passes(&j);
    }
}

/* Section 5: warp 5 has data, so it goes before warp 1, which is older; without data it would not. */
static void who_has_data_goes_first(void **state) {
    static rf_malekeh_out out;
    static rf_malekeh_in in;
    (void)state;
    for (uint32_t launched = 0; launched <= 1; launched++) {
        judge j;
        start(&j, 0, &small);
        memset(&in, 0, sizeof in);
        in.ex_ready = 1;
        for (uint32_t t = 0; t <= 8; t++) {
            in.ib_valid = 0;
            if (t == 0) show_inst(&in, 5, 300, 2, false, true);
            if (t == 8) show_inst(&in, 1, 300, 2, false, true), show_inst(&in, 5, 300, 2, false, true);
            in.launch = t == 6 && launched ? 32 : 0; /* its values are another warp's */
            cycle(&j, &in, &out);
            if (t == 8) assert_int_equal(out.issue_warp[0], launched ? 1 : 5);
            if (t == 8) assert_int_equal(out.wires.held, launched ? 0 : 32);
        }
        judge_passes(&j);
    }
}

/* Two of a warp's results are written in one cycle: the first near one has port D, the other is in the banks alone. */
static void one_result_a_cycle_is_kept(void **state) {
    static rf_malekeh_out out;
    static rf_malekeh_in in;
    judge j;
    (void)state;
    for (uint32_t near = 0; near < 4; near++) {
        start(&j, near, &small);
        memset(&in, 0, sizeof in);
        in.ex_ready = 1;
        for (uint32_t t = 0; t <= 5; t++) {
            in.ib_valid = in.res_valid = 0;
            if (t == 0) show_inst(&in, 3, 300, 300, false, false);
            if (t == 2) give_result(&slow.stage.cfg, &in.stage, 0, 3, 5, 0x100);
            if (t == 2) give_result(&slow.stage.cfg, &in.stage, 1, 3, 6, 0x200), in.res_near = (uint8_t)near;
            if (t == 4) show_inst(&in, 3, 300, 5, false, false), in.ib_src_valid[3] = 3, in.ib_src[3 * small.slots + 1] = 6;
            cycle(&j, &in, &out);
            if (t == 3) assert_int_equal(out.wires.d_valid, near != 0);
            if (t == 3) assert_int_equal(out.wires.d_sel[0], near == 2);
            if (t == 4) assert_int_equal(out.wires.hit[0], near == 3 ? 1 : near);
        }
        judge_passes(&j);
    }
}

static void reset_keeps_the_banks(void **state) {
    static rf_malekeh_in in;
    static world around;
    uint64_t nonzero = 0;
    judge j;
    (void)state;
    run(&small, 0x5eed, true, 300);
    around.in = &in.stage;
    reset_all(&around, &written);
    judge_begin(&j, 0, "rf_malekeh after reset");
    compare_malekeh_state(&j, &slow, &model);
    compare_banks(&j, &slow.stage, &model.stage);
    judge_passes(&j);
    assert_memory_equal(&model.cfg, &small, sizeof small);
    for (uint32_t w = 0; w < small.warps; w++) nonzero += slow.stage.reg[w][0][0] != 0;
    assert_true(nonzero > 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    judge_ranges(&rf_malekeh_unit, &sets->cfg, sizeof sets / sizeof *sets, sizeof *sets, "");
    rf_malekeh_cfg cfg = small;
    cfg.issues = 3;
    judge_refused(&rf_malekeh_unit, &cfg, "warps", "issues");
    cfg = small, cfg.collectors = 13, cfg.slots = 5, cfg.entries = 5;
    judge_refused(&rf_malekeh_unit, &cfg, "collectors", "64");
    cfg.collectors = 12;
    assert_null(rf_malekeh_check(&cfg));
    cfg = small, cfg.warps = 64, cfg.regs = 256, cfg.banks = 15;
    judge_refused(&rf_malekeh_unit, &cfg, "warps", "1024");
    cfg.banks = 16;
    assert_null(rf_malekeh_check(&cfg));
    cfg = small, cfg.entries = 2;
    judge_refused(&rf_malekeh_unit, &cfg, "entries", "slots");
    cfg.entries = 3;
    assert_null(rf_malekeh_check(&cfg));
}

static void compare_all(judge *j) {
    compare_malekeh_state(j, &slow, &model);
    compare_banks(j, &slow.stage, &model.stage);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_malekeh_out out;
    static rf_malekeh_in in;
    static slow_turn now;
    judge j;
    (void)state;
#define WIRE(member, name, index)                                                                                                \
    JUDGE_FLIP(&j, out.wires.member, 1, name, index, 0, compare_malekeh_wires(&j, &slow, &now, &out.wires))
    for (uint32_t sched = 0; sched <= 3; sched++) {
        rf_malekeh_cfg cfg = sets[2].cfg;
        cfg.sched = sched;
        cfg.interval = 100;
        run(&cfg, 0xfa11 + sched, true, 350);
        JUDGE_LANE_FLIPS(&j, rf_malekeh, LS_STATE, &model, &model, compare_all(&j));
    }
    /* The property that a cached value is the banks' one, and who owns what. */
    for (uint32_t t = 0; t < 40; t++) in.ex_ready = 7, in.ib_valid = 0, cycle(&j, &in, &out);
    uint32_t tampered = 0;
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t i = 0; i < 8; i++) {
            if (!judge_bit(model.ccu[c].ct_valid_q, i)) continue;
            JUDGE_FLIP(&j, model.ccu[c].ct_data_q[i].lane[3], 8, "cached register", c * 8 + i, 3,
                       compare_cached(&j, &slow, &model));
            tampered++;
        }
    assert_true(tampered > 0);
    const uint16_t warp = model.ccu[1].carried_q.warp;
    assert_true(model.ccu[0].owned_q && model.ccu[1].owned_q);
    JUDGE_FLIP(&j, model.ccu[1].carried_q.warp, warp ^ model.ccu[0].carried_q.warp, "owners of a warp", 1, 0,
               compare_owners(&j, &slow, &model));
    malekeh_comb(&slow, &in, &now);
    rf_malekeh_comb(&model, &in, &out);
    JUDGE_FLIPS(&j, rf_malekeh, LS_OUT, &model, &out, compare_malekeh_out(&j, &slow, &now, &out));
#define SCALAR(member) WIRE(member, #member, 0)
#define ELEMENT(member, i) WIRE(member[i], #member, i)
    SCALAR(ready);
    SCALAR(own_busy);
    SCALAR(held);
    SCALAR(chosen);
    SCALAR(busy);
    SCALAR(collected);
    SCALAR(d_valid);
    SCALAR(alloc_in.busy);
    SCALAR(alloc_in.owned);
    SCALAR(alloc_in.near);
    SCALAR(alloc_in.req);
    SCALAR(alloc_in.sthld);
    SCALAR(alloc.grant);
    SCALAR(alloc.alloc);
    SCALAR(alloc.wait);
    SCALAR(alloc.replace);
    SCALAR(arbiter_in.rd_valid);
    SCALAR(arbiter_in.wr_valid);
    SCALAR(arbiter.rd_grant);
    SCALAR(arbiter.wr_grant);
    SCALAR(arbiter.bank_re);
    SCALAR(arbiter.bank_we);
    SCALAR(dispatch.grant);
    SCALAR(dispatch.ex_valid);
    for (uint32_t c = 0; c < 4; c++) {
        ELEMENT(hit, c);
        ELEMENT(d_sel, c);
        ELEMENT(alloc.which, c);
    }
    for (uint32_t b = 0; b < 8; b++) {
        ELEMENT(arbiter.bank_raddr, b);
        ELEMENT(arbiter.bank_waddr, b);
        ELEMENT(arbiter.bank_wsel, b);
    }
#undef ELEMENT
#undef SCALAR
#undef WIRE
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(without_caches_it_is_rf_banked),
        cmocka_unit_test(everything_ends),
        cmocka_unit_test(a_register_is_read_once),
        cmocka_unit_test(a_near_result_is_kept),
        cmocka_unit_test(near_values_are_waited_for),
        cmocka_unit_test(who_has_data_goes_first),
        cmocka_unit_test(one_result_a_cycle_is_kept),
        cmocka_unit_test(reset_keeps_the_banks),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_malekeh", tests, NULL, NULL);
}
