/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_hierarchy: the slow system of slow_hierarchy.h beside two models, one run by comb and clock, the other by step. */
#include "tb/common/judge/judge_unit.h"
#include "tb/hierarchy/judge/hierarchy_world.h"

extern const ls_unit rf_hierarchy_unit;

static rf_hierarchy model, stepped, before;
static slow_hierarchy slow;

static void start(judge *j, uint64_t seed, const rf_hierarchy_cfg *cfg) {
    judge_begin(j, seed,
                "rf_hierarchy W=%" PRIu32 " C=%" PRIu32 " B=%" PRIu32 " R=%" PRIu32 " L=%" PRIu32 " S=%" PRIu32 " E=%" PRIu32
                " D=%" PRIu32 " sched=%" PRIu32 " active=%" PRIu32 " levels=%" PRIu32 " managed=%" PRIu32 " entries=%" PRIu32
                " split=%" PRIu32 " policy=%" PRIu32 " liveness=%" PRIu32,
                cfg->warps, cfg->collectors, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->wbdepth, cfg->sched,
                cfg->active, cfg->levels, cfg->managed, cfg->entries, cfg->split, cfg->policy, cfg->liveness);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_hierarchy_init(&model, cfg), 0);
    assert_int_equal(rf_hierarchy_init(&stepped, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    start_hierarchy(&slow, cfg);
    compare_hierarchy_state(j, &slow, &model);
    compare_hierarchy_state(j, &slow, &stepped);
    compare_banks(j, &slow.stage, &model.stage);
    compare_banks(j, &slow.stage, &stepped.stage);
}

/* What the whole system is for: in the lanes of the instruction its operands are the registers as the program's order has them,
 * wherever they were kept. */
static void compare_with_program(judge *j, const slow_round *now, const rf_hierarchy_out *out) {
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        const uint32_t c = now->stage.offered[e];
        if (c == NONE) continue;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            const slow_slot *slot = &slow.stage.collector[c].slot[k];
            const uint32_t *data = out->ex_data[e * slow.cfg.slots + k].lane;
            for (uint32_t l = 0; slot->state == HERE && l < slow.cfg.lanes; l++)
                if (judge_bit(slow.stage.collector[c].carried.mask, l))
                    judge_equal(j, "operand of the program", k, data[l], slot->promised[l]);
        }
    }
}

/* One cycle of all three (`now` by hierarchy_comb), everything compared but those rows of the banks that nobody writes. */
static void step(judge *j, const rf_hierarchy_in *in, slow_round *now, rf_hierarchy_out *out, bool lawful) {
    static rf_hierarchy_out stepped_out;
    const bool look = j->cycle % 512 == 7;
    memset(out, 0xa5, sizeof *out);
    memset(&stepped_out, 0x5a, sizeof stepped_out);
    if (look) memcpy(&before, &model, sizeof model);
    rf_hierarchy_comb(&model, in, out);
    if (look) assert_memory_equal(&before, &model, sizeof model);
    rf_hierarchy_clock(&model, in);
    rf_hierarchy_step(&stepped, in, &stepped_out);
    compare_hierarchy_out(j, &slow, now, out);
    compare_hierarchy_out(j, &slow, now, &stepped_out);
    if (lawful) compare_with_program(j, now, out);
    hierarchy_clock(&slow, in, now);
    compare_hierarchy_state(j, &slow, &model);
    compare_hierarchy_state(j, &slow, &stepped);
    for (uint32_t e = 0; e < writers_of(&slow); e++) {
        if (!now->granted[e]) continue;
        compare_row(j, &slow.stage, &model.stage, now->bank[e], now->row[e]);
        compare_row(j, &slow.stage, &stepped.stage, now->bank[e], now->row[e]);
    }
    j->cycle++;
}

/* A run, which ends with the first difference. */
static void run(judge *j, const rf_hierarchy_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles) {
    static world x;
    static hints h;
    static rf_hierarchy_in in;
    static rf_hierarchy_out out;
    static slow_round now;
    start(j, seed, cfg);
    memset(&x, 0, sizeof x);
    memset(&in, 0, sizeof in);
    memset(&h, 0, sizeof h);
    forget_hints(&h);
    x.in = &in.stage;
    x.lawful = lawful;
    ls_rng_seed(&x.rng, seed);
    while (j->cycle < cycles && j->differing == 0) {
        if (j->cycle % 256 == 0) draw_mix(&x, &slow.stage.cfg), draw_hints(&h, &x.rng);
        stimulate(&x, &slow.stage.cfg);
        add_hints(&slow, &h, &x, &in);
        hierarchy_comb(&slow, &in, &now);
        note_hints(&slow, &h, &in, &now);
        step(j, &in, &now, &out, lawful);
        take_note(&x, &slow.stage.cfg, &now.stage, &out.stage);
        if (!ls_rng_chance(&x.rng, 1) || !ls_rng_chance(&x.rng, 64)) continue;
        rf_hierarchy_reset(&model);
        rf_hierarchy_reset(&stepped);
        hierarchy_reset(&slow);
        forget(&x);
        forget_hints(&h);
        in.ib_valid = 0; /* what the heads promised no longer holds */
        compare_hierarchy_state(j, &slow, &model);
        compare_hierarchy_state(j, &slow, &stepped);
        compare_banks(j, &slow.stage, &model.stage);
    }
    compare_banks(j, &slow.stage, &model.stage);
    compare_banks(j, &slow.stage, &stepped.stage);
}

/*    W  C  B  R  L  S  E  I  D sched active levels managed entries split policy liveness */
static const struct {
    rf_hierarchy_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{8, 3, 4, 8, 4, 3, 2, 1, 2, 2, 3, 3, 0, 2, 0, 0, 1}, 6000}, {{8, 3, 4, 8, 4, 3, 2, 1, 2, 3, 3, 3, 1, 2, 1, 0, 0}, 6000},
    {{6, 2, 3, 5, 2, 2, 3, 1, 3, 3, 2, 2, 0, 3, 0, 1, 0}, 5000}, {{6, 4, 3, 5, 2, 3, 3, 1, 3, 2, 2, 3, 1, 1, 0, 0, 0}, 5000},
};
#define SETS (sizeof sets / sizeof *sets)

static void random_programs(void **state) {
    (void)state;
    for (size_t i = 0; i < SETS; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            judge j;
            run(&j, &sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_hierarchy"), lawful, sets[i].cycles);
            judge_passes(&j);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests_name("judge of rf_hierarchy", tests, NULL, NULL);
}
