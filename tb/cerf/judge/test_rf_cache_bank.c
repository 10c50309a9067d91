/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_cache_bank: its slow model (slow_cache_bank.h) in step with the model, every output and every register in every
 * cycle, in worlds that behave like a system and worlds that do anything; what was written last is what is read; each rule broken
 * in turn. The rules one by one: test_rf_cache_bank_rules.c. */
#include "tb/cerf/judge/cache_bank_world.h"

static cache_world world;

typedef struct run_sum {
    uint64_t seen[BANK_EVENTS], checked, longest;
} run_sum;

static bool under_way(void) {
    bool misses = false;
    for (uint32_t i = 0; i < slow.cfg.mshrs; i++) misses |= slow.miss[i].busy;
    return misses && slow.queued > 0 && slow.access.kind != IDLE;
}

static void cycle_of(judge *j, run_sum *sum) {
    draw_in(&world, j->cycle);
    slow_bank_comb(&slow, &world.in, &turn);
    for (uint32_t i = 0; i < BANK_EVENTS; i++) sum->seen[i] += turn.did[i];
    world_note(j, &world);
    const rf_cache_bank_in in = world.in;
    step(j, &in);
    world_on(&world);
}

/* Nobody asks any more: all is answered, and nothing stays under way. */
static void drain(judge *j, run_sum *sum) {
    world.p_mem = world.p_fill = 256, world.p_request = 0, world.delay = 0, world.in.req_valid = 0;
    for (uint32_t i = 0; i < 1000; i++) cycle_of(j, sum);
    for (uint32_t i = 0; i < 256; i++) judge_equal(j, "never answered", i, world.read[i].waits, 0);
    for (uint32_t i = 0; i < slow.cfg.mshrs; i++) judge_equal(j, "never free", i, slow.miss[i].busy, 0);
    judge_equal(j, "never taken", 0, slow.queued, 0);
}

/* A run, which ends with the first difference. */
static void run(judge *j, const rf_cache_bank_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, run_sum *sum) {
    begin(j, seed, cfg);
    world_start(&world, seed, lawful, cfg);
    while (j->cycle < cycles && j->differing == 0) {
        if (j->cycle % 128 == 0) draw_mix(&world);
        if (!lawful && j->cycle % 50 == 25) world_poke(&world);
        cycle_of(j, sum);
        if (j->cycle % 1500 != 0) continue;
        sum->seen[BANK_RESET] += under_way();
        reset(j);
        world_forget(&world, cfg);
    }
    if (lawful && j->differing == 0) drain(j, sum);
    sum->checked += world.checked;
    if (lawful && world.longest > sum->longest) sum->longest = world.longest;
}

/*   sets ways lanes tag_w id_w mshrs targets reserve queue policy */
static const struct {
    rf_cache_bank_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{2, 2, 2, 4, 4, 2, 2, 1, 2, 0}, 14000},   {{2, 2, 2, 4, 4, 2, 2, 1, 2, 1}, 14000},
    {{2, 2, 2, 4, 4, 2, 2, 1, 2, 2}, 14000},   {{1, 3, 3, 5, 3, 3, 3, 1, 3, 0}, 8000},
    {{1, 3, 3, 5, 3, 3, 3, 1, 1, 1}, 8000},    {{1, 3, 3, 5, 3, 3, 3, 0, 3, 2}, 8000},
    {{4, 4, 2, 3, 8, 4, 8, 0, 1, 0}, 8000},    {{4, 4, 4, 3, 6, 5, 8, 1, 2, 1}, 8000},
    {{4, 4, 2, 3, 7, 4, 5, 1, 4, 2}, 8000},    {{1, 1, 1, 25, 1, 1, 1, 0, 1, 0}, 4000},
    {{1, 1, 1, 1, 1, 2, 1, 1, 1, 1}, 4000},    {{1, 1, 2, 24, 2, 2, 1, 1, 2, 2}, 4000},
    {{8, 8, 1, 4, 5, 16, 4, 1, 16, 0}, 4000},  {{16, 8, 3, 6, 5, 9, 6, 1, 9, 2}, 3000},
    {{2, 5, 5, 20, 8, 7, 7, 1, 5, 1}, 4000},   {{256, 4, 2, 17, 8, 8, 2, 1, 5, 0}, 1500},
    {{64, 4, 32, 19, 6, 8, 4, 1, 8, 1}, 2000}, {{128, 8, 1, 18, 2, 5, 5, 0, 7, 2}, 1500},
};
#define SETS (sizeof sets / sizeof *sets)

static void random_worlds_of_every_size(void **state) {
    run_sum sum = {{0}, 0, 0};
    uint64_t cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            judge j;
            run(&j, &sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_cache_bank"), lawful, sets[i].cycles, &sum);
            judge_passes(&j);
            cycles += j.cycle;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(bank_event_names, sum.seen, BANK_EVENTS);
    assert_true(sum.checked > 20000);
    assert_true(sum.longest < 1000); /* nobody asks in vain for ever */
}

/* A slow model that breaks one rule differs from the model in some run. */
static void a_model_that_breaks_a_rule_is_seen(void **state) {
    run_sum sum = {{0}, 0, 0};
    uint32_t missed = 0;
    (void)state;
    for (uint32_t f = RIGHT + 1; f < FLAW_COUNT; f++) {
        bool differs = false;
        for (size_t n = 0; n < 2 * 9 && !differs; n++) {
            judge j;
            flaw = f;
            run(&j, &sets[n / 2].cfg, ls_seed_derive(n, "judge rf_cache_bank"), n % 2 == 1, sets[n / 2].cycles / 2, &sum);
            flaw = RIGHT;
            differs = j.differing != 0;
        }
        if (!differs) print_error("nobody sees that %s\n", flaw_names[f]);
        missed += !differs;
    }
    assert_int_equal(missed, 0);
}

static void reset_clears_every_register(void **state) {
    run_sum sum = {{0}, 0, 0};
    (void)state;
    for (uint32_t i = 0; i < SETS; i += 4) {
        judge j;
        run(&j, &sets[i].cfg, 7, false, 300, &sum);
        reset(&j);
        judge_passes(&j);
    }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const struct {
        rf_cache_bank_cfg cfg;
        const char *name, *high;
    } bad[] = {{{256, 5, 2, 4, 4, 2, 2, 1, 2, 0}, "ways", "1024"},
               {{3, 2, 2, 4, 4, 2, 2, 1, 2, 0}, "sets", "256"},
               {{2, 2, 2, 25, 4, 2, 2, 1, 2, 0}, "tag_w", "25"},
               {{256, 2, 2, 18, 4, 2, 2, 1, 2, 0}, "tag_w", "25"},
               {{2, 2, 2, 4, 4, 1, 2, 1, 2, 0}, "mshrs", "16"}};
    rf_cache_bank_cfg good[SETS];
    (void)state;
    for (size_t i = 0; i < SETS; i++) good[i] = sets[i].cfg;
    JUDGE_RANGES(rf_cache_bank, good);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        judge_refused(&rf_cache_bank_unit, &bad[i].cfg, bad[i].name, bad[i].high);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_cache_bank_out other;
    static const uint32_t which[] = {0, 4, 7};
    run_sum sum = {{0}, 0, 0};
    (void)state;
    for (uint32_t i = 0; i < sizeof which / sizeof *which; i++) {
        judge j;
        run(&j, &sets[which[i]].cfg, 5, false, 400, &sum);
        judge_passes(&j);
        const rf_cache_bank_in in = world.in;
        memset(&out, 0xa5, sizeof out);
        memset(&other, 0x5a, sizeof other);
        slow_bank_comb(&slow, &in, &turn);
        rf_cache_bank_comb(&model, &in, &out);
        rf_cache_bank_comb(&model, &in, &other);
        JUDGE_LANE_FLIPS(&j, rf_cache_bank, LS_OUT, &model, &out, judge_fields(&j, &outputs, &out, &turn.out));
        judge_fields(&j, &outputs, &out, &other);
        assert_int_equal(outputs.n, 17); /* the members of rf_cache_bank_out */
        judge_passes(&j);
        JUDGE_LANE_FLIPS(&j, rf_cache_bank, LS_STATE, &model, &model, compare_models(&j));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_of_every_size),     cmocka_unit_test(a_model_that_breaks_a_rule_is_seen),
        cmocka_unit_test(reset_clears_every_register),     cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_cache_bank", tests, NULL, NULL);
}
