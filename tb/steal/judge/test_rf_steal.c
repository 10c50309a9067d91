/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_steal, random programs: every output and every register in every cycle, stimulus of every kind; the counters;
 * beside rf_banked with both switches off; until everything is at home again. Written and legal programs are in
 * test_rf_steal_programs.c. */
#include "tb/banked/judge/judge_world.h"
#include "tb/common/judge/judge_unit.h"
#include "tb/steal/judge/judge_steal_count.h"
#include "tb/steal/judge/judge_steal_run.h"
#include "tb/steal/judge/judge_steal_seen.h"

extern const ls_unit rf_steal_unit;

static void reset_all(world *x, hints *h) {
    rf_steal_reset(&model);
    rf_steal_reset(&stepped);
    steal_reset(&slow);
    forget(x);
    memset(h->inactive, 0, sizeof h->inactive);
}

static void run(const rf_steal_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, uint64_t *seen) {
    static world x;
    static hints h;
    static rf_steal_in in;
    static rf_steal_out out;
    static slow_theft now;
    static steal_counts counts;
    uint32_t forced_for[32] = {0};
    judge j;
    start(&j, seed, cfg);
    memset(&x, 0, sizeof x);
    memset(&h, 0, sizeof h);
    memset(&in, 0, sizeof in);
    memset(&counts, 0, sizeof counts);
    x.in = &in.stage;
    ls_rng_seed(&x.rng, seed);
    x.lawful = lawful;
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) draw_mix(&x, &slow.stage.cfg), draw_hints(&h, &x.rng, cfg);
        stimulate(&x, &slow.stage.cfg);
        for (uint32_t w = 0; w < cfg->warps; w++) {
            if (!judge_bit(x.fetched, w)) continue;
            if (lawful) hint_lawfully(&h, &x.rng, cfg, &in, w);
            else hint_junk(&h, &x.rng, cfg, &in, w);
        }
        steal_comb(&slow, &in, &now);
        count(&slow, &h, &in, &now, seen);
        note_hints(&slow, &h, cfg, &in, &now);
        for (uint32_t b = 0; b < cfg->banks; b++) {
            forced_for[b] = now.forced_back[b] && now.recalled != b ? forced_for[b] + 1 : 0;
            if (forced_for[b] > 2 * cfg->banks)
                fail_msg("%s cycle %" PRIu64 ": bank %" PRIu32 " waits for ever", j.where, j.cycle, b);
        }
        const rf_stage_waits waits = draw_waits(in.ib_valid | (j.cycle % 128 < 64 ? 0 : ls_mask(cfg->warps)), j.cycle);
        count_cycle(&counts, &slow, &in, &now, &waits);
        step(&j, &in, &now, &out, lawful);
        rf_steal_count_cycle(&counts.model, cfg, &in, &out, &waits);
        take_note(&x, &slow.stage.cfg, &now.stage, &out.stage);
        if (!ls_rng_chance(&x.rng, 1) || !ls_rng_chance(&x.rng, 64)) continue;
        for (uint32_t b = 0; b < cfg->banks; b++) seen[RESET_LENT] += slow.loan[b].lent;
        seen[RESET_RETURN] += slow.coming;
        compare_counts(&j, &counts, cfg);
        reset_all(&x, &h);
        in.ib_valid = 0; /* what the heads promised no longer holds */
        compare_steal_state(&j, &slow, &model);
        compare_steal_state(&j, &slow, &stepped);
        compare_banks(&j, &slow.stage, &model.stage);
    }
    compare_banks(&j, &slow.stage, &model.stage);
    compare_banks(&j, &slow.stage, &stepped.stage);
    if (lawful) compare_kept(&j, &slow, &model);
    judge_passes(&j);
    compare_counts(&j, &counts, cfg);
    judge_passes(&j);
}

/*    W  C  B  R  L  S  E  I sched F D reads writes yield */
static const struct {
    rf_steal_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{8, 3, 4, 8, 4, 3, 2, 1, 0, 8, 2, 2, 1, 0}, 8000},    {{1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 2, 1, 1}, 3000},
    {{8, 4, 5, 7, 3, 3, 3, 2, 1, 3, 3, 1, 1, 0}, 10000},   {{12, 5, 8, 8, 1, 3, 3, 2, 0, 2, 2, 1, 1, 1}, 8000},
    {{9, 4, 4, 6, 3, 3, 2, 3, 2, 2, 2, 2, 1, 0}, 8000},    {{6, 3, 4, 5, 1, 2, 2, 1, 1, 4, 1, 1, 1, 1}, 8000},
    {{6, 2, 1, 4, 1, 2, 2, 2, 0, 3, 1, 2, 1, 0}, 4000},    {{12, 6, 5, 5, 1, 3, 4, 3, 1, 4, 2, 2, 1, 1}, 6000},
    {{8, 4, 8, 16, 3, 2, 3, 2, 2, 1, 4, 1, 1, 1}, 8000},   {{8, 3, 5, 6, 1, 4, 3, 1, 2, 3, 1, 2, 0, 1}, 5000},
    {{8, 3, 4, 6, 3, 3, 2, 2, 0, 8, 2, 1, 0, 0}, 5000},    {{10, 4, 8, 4, 1, 3, 4, 2, 1, 2, 2, 0, 1, 0}, 8000},
    {{6, 4, 4, 8, 3, 3, 2, 3, 0, 1, 2, 0, 0, 0}, 4000},    {{8, 4, 5, 9, 1, 2, 3, 2, 2, 4, 3, 0, 0, 0}, 4000},
    {{33, 8, 16, 10, 1, 3, 5, 3, 1, 5, 3, 1, 1, 1}, 2500}, {{32, 8, 32, 33, 32, 4, 8, 4, 0, 2, 16, 2, 1, 1}, 500},
    {{64, 12, 8, 4, 1, 3, 4, 4, 2, 4, 2, 2, 1, 0}, 1500},  {{5, 3, 3, 33, 5, 5, 3, 1, 0, 5, 3, 1, 1, 1}, 4000},
    {{2, 1, 2, 3, 1, 2, 2, 2, 1, 1, 1, 2, 1, 1}, 4000},    {{3, 2, 5, 5, 3, 3, 1, 1, 2, 64, 1, 1, 1, 0}, 5000},
};

static void random_programs(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            run(&sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_steal"), lawful, sets[i].cycles, seen);
            cycles += sets[i].cycles;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
    judge_saw_all(counter_names, counted, COUNTS);
}

/* Neither reads nor writes are stolen: rf_banked with one port, cycle for cycle, whatever the hints say. */
static void with_both_switches_off_it_is_rf_banked(void **state) {
    static rf_banked plain;
    static rf_banked_out plain_out;
    static rf_banked_in plain_in;
    static rf_steal_in in;
    static rf_steal_out out;
    static slow_theft now;
    static world x;
    static hints h;
    uint64_t issued = 0, named = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        rf_steal_cfg cfg = sets[i].cfg;
        judge j;
        cfg.reads = cfg.writes = 0;
        start(&j, ls_seed_derive(i, "judge rf_steal off"), &cfg);
        memset(&plain, 0xa5, sizeof plain); /* as start does: what a parameter set does not use is the same too */
        assert_int_equal(rf_banked_init(&plain, &slow.stage.cfg), 0);
        memset(&x, 0, sizeof x);
        memset(&h, 0, sizeof h);
        memset(&in, 0, sizeof in);
        x.in = &in.stage;
        ls_rng_seed(&x.rng, j.seed);
        for (j.cycle = 0; j.cycle < 500; j.cycle++) {
            if (j.cycle % 128 == 0) draw_mix(&x, &slow.stage.cfg), draw_hints(&h, &x.rng, &cfg);
            stimulate(&x, &slow.stage.cfg);
            for (uint32_t w = 0; w < cfg.warps; w++)
                if (judge_bit(x.fetched, w)) hint_junk(&h, &x.rng, &cfg, &in, w);
            plain_in.stage = in.stage;
            steal_comb(&slow, &in, &now);
            memset(&out, 0, sizeof out);
            memset(&plain_out, 0, sizeof plain_out);
            rf_steal_step(&model, &in, &out);
            rf_banked_step(&plain, &plain_in, &plain_out);
            steal_clock(&slow, &in, &now);
            take_note(&x, &slow.stage.cfg, &now.stage, &plain_out.stage);
            assert_memory_equal(&out.stage, &plain_out.stage, sizeof out.stage);
            assert_memory_equal(model.stage.gto, plain.gto, sizeof plain.gto);
            assert_memory_equal(model.stage.lrr, plain.lrr, sizeof plain.lrr);
            assert_memory_equal(model.stage.groups, plain.groups, sizeof plain.groups);
            assert_memory_equal(&model.stage.scoreboard, &plain.scoreboard, sizeof plain.scoreboard);
            for (uint32_t b = 0; b < cfg.banks; b++) {
                assert_int_equal(model.arbiter.rd_rr[b].mask_q, plain.arbiter.rd_rr[b].mask_q);
                assert_int_equal(model.arbiter.wr_rr[b].mask_q, plain.arbiter.wr_rr[b].mask_q);
            }
            assert_int_equal(model.table.m_q, 0);
            issued += plain_out.issue_valid != 0;
            named += model.table.f_q != 0;
        }
        compare_stage(&j, &slow.stage, &plain);
        compare_banks(&j, &slow.stage, &plain);
        compare_banks(&j, &slow.stage, &model.stage);
        judge_passes(&j);
    }
    assert_true(issued > 1000 && named > 1000);
}

/* Stimulus stops, if possible when values are lent, no bus is idle and a queue is full; ports accept or do not. Then results are
 * written and lent values are back after a number of cycles that the sizes give: each cycle writes a result, reads an operand, or
 * brings a value one step home. */
static void what_is_inside_drains_when_stimulus_stops(void **state) {
    static world x;
    static hints h;
    static rf_steal_in in;
    static rf_steal_out out;
    static slow_theft now;
    uint64_t stalled = 0, lent_at_stop = 0, forced_by_stop = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t trial = 0; trial < 12; trial++) {
            rf_steal_cfg cfg = sets[i].cfg;
            if (cfg.warps * cfg.collectors > 200) continue;
            judge j;
            cfg.reads = trial % 3;
            cfg.writes = trial != 0;
            start(&j, ls_seed_derive(16 * i + trial, "judge rf_steal drains"), &cfg);
            memset(&x, 0, sizeof x);
            memset(&h, 0, sizeof h);
            memset(&in, 0, sizeof in);
            x.in = &in.stage;
            ls_rng_seed(&x.rng, j.seed);
            draw_mix(&x, &slow.stage.cfg);
            draw_hints(&h, &x.rng, &cfg);
            x.p_result = trial % 2 ? 256 : 128;
            bool stop = false;
            while (!stop && j.cycle < 300) {
                uint32_t waiting = 0, full = 0;
                stimulate(&x, &slow.stage.cfg);
                for (uint32_t w = 0; w < cfg.warps; w++)
                    if (judge_bit(x.fetched, w)) hint_junk(&h, &x.rng, &cfg, &in, w);
                steal_comb(&slow, &in, &now);
                step(&j, &in, &now, &out, false);
                take_note(&x, &slow.stage.cfg, &now.stage, &out.stage);
                for (uint32_t e = 0; e < cfg.exports; e++) {
                    waiting += slow.stage.queue[e].length > 0;
                    full += slow.stage.queue[e].length == cfg.wbdepth;
                }
                stop = j.cycle > 30 && waiting == cfg.exports && full > 0 && model.table.m_q != 0;
            }
            stalled += stop;
            lent_at_stop += model.table.m_q != 0;
            uint32_t inside = 0;
            in.ib_valid = in.launch = in.res_valid = 0;
            in.ex_ready = trial % 4 < 2 ? 0 : (uint8_t)ls_mask(cfg.exports);
            const uint32_t bound =
                2 * cfg.exports * cfg.wbdepth + 2 * cfg.banks + (in.ex_ready ? 2 : 1) * cfg.collectors * (cfg.slots + 2) + 4;
            for (uint32_t t = 0; t < bound; t++) {
                steal_comb(&slow, &in, &now);
                forced_by_stop += now.recall_forced;
                step(&j, &in, &now, &out, false);
            }
            for (uint32_t e = 0; e < cfg.exports; e++) inside += model.stage.wbq[e].ctrl.level_q;
            for (uint32_t c = 0; c < cfg.collectors; c++)
                for (uint32_t k = 0; k < cfg.slots; k++)
                    inside += judge_bit(model.stage.ocu[c].src_valid_q & ~model.stage.ocu[c].ready_q, k);
            for (uint32_t c = 0; in.ex_ready != 0 && c < cfg.collectors; c++) inside += model.stage.ocu[c].busy_q;
            judge_passes(&j);
            if (inside != 0 || model.table.m_q != 0 || model.arbiter.ret_valid_q != 0)
                fail_msg("%s: %" PRIu32 " inside, m_q %#" PRIx32 " after %" PRIu32 " cycles", j.where, inside, model.table.m_q,
                         bound);
        }
    assert_true(stalled > 5 && lent_at_stop > 20 && forced_by_stop > 5);
}

static void reset_keeps_the_banks(void **state) {
    static rf_steal_in in;
    static world x;
    static hints h;
    uint64_t seen[EVENTS] = {0}, written = 0;
    judge j;
    (void)state;
    run(&small, 0x5eed, true, 300, seen);
    x.in = &in.stage;
    reset_all(&x, &h);
    judge_begin(&j, 0, "rf_steal after reset");
    compare_steal_state(&j, &slow, &model);
    compare_banks(&j, &slow.stage, &model.stage);
    judge_passes(&j);
    assert_memory_equal(&model.cfg, &small, sizeof small);
    for (uint32_t w = 0; w < small.warps; w++) written += slow.stage.reg[w][0][0] != 0;
    assert_true(written > 0);
}

static void compare_all(judge *j) {
    compare_steal_state(j, &slow, &model);
    compare_banks(j, &slow.stage, &model.stage);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    judge_ranges(&rf_steal_unit, &sets->cfg, sizeof sets / sizeof *sets, sizeof *sets, "");
    rf_steal_cfg cfg = small;
    cfg.issues = 3;
    judge_refused(&rf_steal_unit, &cfg, "warps", "issues");
    cfg = small, cfg.collectors = 13, cfg.slots = 5;
    judge_refused(&rf_steal_unit, &cfg, "collectors", "64");
    cfg.collectors = 12;
    assert_null(rf_steal_check(&cfg));
    cfg = small, cfg.warps = 64, cfg.regs = 256, cfg.banks = 15;
    judge_refused(&rf_steal_unit, &cfg, "warps", "1024");
    cfg.banks = 16;
    assert_null(rf_steal_check(&cfg));
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_steal_out out;
    static rf_steal_in in;
    static slow_theft now;
    uint64_t seen[EVENTS] = {0};
    judge j;
    (void)state;
#define WIRE(member, name, index)                                                                                                \
    JUDGE_FLIP(&j, out.wires.member, 1, name, index, 0, compare_steal_wires(&j, &slow, &in, &now, &out.wires))
    for (uint32_t sched = 0; sched <= 2; sched++) {
        rf_steal_cfg cfg = sets[2].cfg;
        cfg.sched = sched;
        cfg.lanes = 3;
        run(&cfg, 0xfa11 + sched, true, 300, seen);
        JUDGE_LANE_FLIPS(&j, rf_steal, LS_STATE, &model, &model, compare_all(&j));
    }
    /* A register's value in its own row: nothing is under way after some idle cycles. */
    for (uint32_t t = 0; t < 40; t++) cycle(&j, &in, &out);
    judge_begin(&j, 0, "before tampering");
    compare_kept(&j, &slow, &model);
    judge_passes(&j);
    for (uint32_t w = 0; w < 8; w++)
        for (uint32_t r = 0; r < 7; r++) {
            const uint32_t b = bank_of(&slow.stage.cfg, w, r), row = row_of(&slow.stage.cfg, w, r);
            if (slow.lost[w][r] == 0)
                JUDGE_FLIP(&j, model.stage.bank[b].mem_q[row].lane[2], 4, "register", w * 256 + r, 2,
                           compare_kept(&j, &slow, &model));
        }
    steal_comb(&slow, &in, &now);
    rf_steal_comb(&model, &in, &out);
    JUDGE_FLIPS(&j, rf_steal, LS_OUT, &model, &out, compare_out(&j, &slow.stage, &now.stage, &out.stage));
#define SCALAR(member) WIRE(member, #member, 0)
#define ELEMENT(member, i) WIRE(member[i], #member, i)
    SCALAR(ready);
    SCALAR(chosen);
    SCALAR(candidate_valid);
    SCALAR(steal);
    SCALAR(fill);
    SCALAR(busy);
    SCALAR(collected);
    SCALAR(usable);
    SCALAR(force);
    SCALAR(alloc.grant);
    SCALAR(arbiter_in.rd_valid);
    SCALAR(arbiter_in.sr_valid);
    SCALAR(arbiter_in.wr_valid);
    SCALAR(arbiter_in.usable);
    SCALAR(arbiter_in.force);
    SCALAR(arbiter.rd_grant);
    SCALAR(arbiter.sr_grant);
    SCALAR(arbiter.wr_grant);
    SCALAR(arbiter.wr_stolen);
    SCALAR(arbiter.wr_forced);
    SCALAR(arbiter.bank_re);
    SCALAR(arbiter.bank_we);
    SCALAR(arbiter.link);
    SCALAR(arbiter.recall);
    SCALAR(arbiter.ret_valid);
    SCALAR(arbiter.ret_from);
    SCALAR(arbiter.ret_bus);
    SCALAR(dispatch.grant);
    SCALAR(dispatch.ex_valid);
    for (uint32_t b = 0; b < 5; b++) {
        ELEMENT(arbiter.bank_raddr, b);
        ELEMENT(arbiter.bank_waddr, b);
        ELEMENT(arbiter.bank_wsel, b);
        JUDGE_FLIP(&j, out.wires.arbiter_in.linked, 1u << b, "arbiter_in.linked", b, 0,
                   compare_steal_wires(&j, &slow, &in, &now, &out.wires));
    }
#undef ELEMENT
#undef SCALAR
#undef WIRE
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(with_both_switches_off_it_is_rf_banked),
        cmocka_unit_test(what_is_inside_drains_when_stimulus_stops),
        cmocka_unit_test(reset_keeps_the_banks),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_steal", tests, NULL, NULL);
}
