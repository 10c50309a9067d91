/* SPDX-License-Identifier: Apache-2.0 */
/* Rfree hints of random streams, by a slow tracker of its own: from the instruction that names a register up to the next one that
 * writes it whole, no instruction of the warp reads or writes it, and what writes it whole then says so. Then with the
 * environment and the baseline, whose lent registers are overwritten: nobody minds, as long as the losses are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "cmodel/banked/rf_banked.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/steal/env/rf_steal_stream.h"

#define NONE RF_REG_NO_FREE
#define WARPS 4u

typedef struct size {
    uint32_t banks, regs, lanes, slots, frees;
} size;

static const size sizes[] = {{16, 32, 32, 3, 4}, {8, 64, 32, 3, 1}, {1, 8, 32, 3, 4},   {5, 33, 3, 2, 2},  {32, 256, 32, 8, 4},
                             {32, 8, 4, 3, 3},   {2, 2, 1, 1, 4},   {16, 255, 8, 7, 4}, {4, 16, 32, 3, 2}, {3, 1, 32, 3, 4}};
#define SIZES (sizeof sizes / sizeof sizes[0])

typedef struct tracker {
    size of;
    bool lent[WARPS][256], touched[WARPS][256]; /* since the launch */
    uint64_t instructions, named, again, revived, followed, ended, several, cracked, no_lane, first, launches, unnamed, broken;
    uint64_t lent_steps, steps;
} tracker;

static bool among(const uint8_t *list, uint32_t count, uint32_t reg) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == reg) return true;
    return false;
}

/* NULL, or what the instruction breaks. */
static const char *track(tracker *t, uint32_t warp, const rf_inst *inst) {
    const rf_hint *const hint = &inst->hint;
    bool *const lent = t->lent[warp];
    bool written[256] = {false}, bank[32] = {false};
    const bool whole = __builtin_popcount(inst->mask & (uint32_t)((UINT64_C(1) << t->of.lanes) - 1)) == (int)t->of.lanes;
    if (!(hint->flags & RF_HINT_PRESENT)) return "no hint";
    if (hint->nfree > t->of.frees) return "too many updates";
    for (uint32_t k = 0; k < hint->nfree; k++) {
        const uint32_t reg = hint->free_reg[k], was = hint->free_was[k];
        if (reg == NONE && was == NONE) return "an empty update";
        if (reg != NONE && was != NONE && reg % t->of.banks != was % t->of.banks) return "two banks in an update";
        const uint32_t b = (reg != NONE ? reg : was) % t->of.banks;
        if (bank[b]) return "two updates of a bank";
        bank[b] = true;
        if (reg != NONE && reg >= t->of.regs) return "a register that does not exist";
        if (reg != NONE && among(inst->src, inst->nsrc, reg)) return "reads what it names";
        if (reg != NONE && among(inst->dst, inst->ndst, reg)) return "writes what it names";
        if (was == NONE) continue;
        if (!among(inst->dst, inst->ndst, was)) return "does not write what becomes active";
        if (!whole) return "writes a part of what becomes active";
        if (!lent[was] && t->touched[warp][was]) return "what becomes active was not inactive";
        t->unnamed += !lent[was];
        written[was] = true;
        t->revived++;
        t->followed += reg != NONE;
        t->ended += reg == NONE;
        t->cracked += inst->ndst > 1;
    }
    for (uint32_t s = 0; s < inst->nsrc; s++) {
        if (inst->src[s] >= t->of.regs) return "a source that does not exist";
        if (lent[inst->src[s]]) return "reads a register that is lent out";
    }
    for (uint32_t d = 0; d < inst->ndst; d++) {
        if (inst->dst[d] >= t->of.regs) return "a destination that does not exist";
        if (lent[inst->dst[d]] && !written[inst->dst[d]]) return "writes a register that is lent out";
    }
    uint32_t count = 0;
    for (uint32_t r = 0; r < t->of.regs; r++) lent[r] = lent[r] && !written[r];
    for (uint32_t s = 0; s < inst->nsrc; s++) t->touched[warp][inst->src[s]] = true;
    for (uint32_t d = 0; d < inst->ndst; d++) t->touched[warp][inst->dst[d]] = true;
    for (uint32_t k = 0; k < hint->nfree; k++) {
        if (hint->free_reg[k] == NONE) continue;
        t->named++;
        t->again += lent[hint->free_reg[k]];
        lent[hint->free_reg[k]] = true;
    }
    for (uint32_t r = 0; r < t->of.regs; r++) count += lent[r];
    if (count >= t->of.regs) return "no register is active";
    t->instructions++;
    t->several += hint->nfree > 1;
    t->no_lane += inst->mask == 0 && hint->nfree > 0;
    t->lent_steps += count;
    t->steps += t->of.regs;
    return NULL;
}

/* The same instruction with a source that is lent out: what the tracker says. "": nothing is, or it has no source. */
static const char *broken(tracker *t, uint32_t warp, const rf_inst *inst, ls_rng *rng) {
    rf_inst bad = *inst;
    tracker copy = *t;
    uint32_t reg = 0;
    while (reg < t->of.regs && !t->lent[warp][reg]) reg++;
    if (reg == t->of.regs || bad.nsrc == 0) return "";
    bad.src[ls_rng_below(rng, bad.nsrc)] = (uint8_t)reg;
    return track(&copy, warp, &bad);
}

static void run(tracker *t, const size *of, uint64_t seed) {
    rf_banked_stream base;
    rf_steal_stream stream;
    ls_rng rng;
    bool started[WARPS] = {false};
    uint32_t since[WARPS] = {0}, port;
    ls_rng_seed(&rng, seed);
    t->of = *of;
    rf_banked_stream_init(&base, WARPS, of->banks, of->regs, of->lanes, of->slots, 3, ls_rng_u64(&rng));
    rf_steal_stream_init(&stream, WARPS, of->banks, of->regs, of->lanes, of->frees, ls_rng_u64(&rng));
    for (uint32_t step = 0; step < 3000; step++) {
        if (step % 300 == 0) {
            rf_banked_stream_phase(&base, (rf_stream_kind)(step / 300 % RF_STREAM_KINDS));
            rf_steal_stream_phase(&stream);
        }
        const uint32_t warp = ls_rng_below(&rng, WARPS);
        rf_inst inst;
        while (!started[warp] || !rf_banked_stream_next(&base, warp, &inst, &port)) {
            rf_banked_stream_launch(&base, warp);
            rf_steal_stream_launch(&stream, warp);
            memset(t->lent[warp], 0, sizeof t->lent[warp]);
            memset(t->touched[warp], 0, sizeof t->touched[warp]);
            started[warp] = true;
            t->launches++;
            since[warp] = 0;
        }
        const rf_inst before = inst;
        rf_steal_stream_edit(&stream, warp, &inst);
        assert_int_equal(inst.nsrc, before.nsrc);
        assert_int_equal(inst.ndst, before.ndst);
        assert_int_equal(inst.mask, before.mask);
        t->first += since[warp]++ == 0 && inst.hint.nfree > 0;
        if (step % 8 == 0) {
            const char *const found = broken(t, warp, &inst, &rng);
            assert_non_null(found);
            t->broken += found[0] != 0;
        }
        const char *const wrong = track(t, warp, &inst);
        if (wrong) fail_msg("BANKS=%u REGS=%u seed %u step %u: %s", of->banks, of->regs, (unsigned)seed, step, wrong);
    }
}

static void holes_are_holes(void **state) {
    (void)state;
    for (uint32_t n = 0; n < SIZES; n++) {
        tracker t = {0};
        for (uint64_t seed = 1; seed <= 40; seed++) run(&t, &sizes[n], seed);
        print_message("BANKS=%u REGS=%u FREES=%u: %u of 1000 registers lent; of 1000 instructions %u name, %u revive\n",
                      sizes[n].banks, sizes[n].regs, sizes[n].frees, (unsigned)(t.lent_steps * 1000 / t.steps),
                      (unsigned)(t.named * 1000 / t.instructions), (unsigned)(t.revived * 1000 / t.instructions));
        assert_int_equal(t.instructions, 40 * 3000);
        if (sizes[n].regs == 1) {
            assert_int_equal(t.named + t.revived, 0);
            continue;
        }
        assert_true(t.named > 5000 && t.again > 500 && t.revived > 500 && t.ended > 100 && t.first > 300 && t.no_lane > 30);
        assert_true(t.cracked > 10 && t.broken > 1000);
        assert_true(t.first * 10 > t.launches * (sizes[n].regs > 2 ? 6 : 4)); /* the first instruction names some */
        assert_true(sizes[n].frees == 1 || sizes[n].banks == 1 || t.several > 500);
        assert_true(sizes[n].banks >= sizes[n].regs || t.followed > 100);
    }
}

/* Equal seeds, equal streams. */
static void same_seed_same_stream(void **state) {
    (void)state;
    tracker a = {0}, b = {0}, c = {0};
    run(&a, &sizes[0], 5);
    run(&b, &sizes[0], 5);
    run(&c, &sizes[0], 6);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_not_equal(&a, &c, sizeof a);
}

/* --- in the environment: lent registers are overwritten in rf_banked's banks ------------------------------------------------ */

static const rf_banked_cfg cfg = {.warps = WARPS,
                                  .collectors = 3,
                                  .banks = 4,
                                  .regs = 12,
                                  .lanes = 4,
                                  .slots = 3,
                                  .exports = 2,
                                  .issues = 1,
                                  .ports = 1,
                                  .sched = 0,
                                  .fetch = 8,
                                  .wbdepth = 2};
static const rf_stage_cfg stage_cfg = {
    .warps = WARPS, .collectors = 3, .banks = 4, .regs = 12, .lanes = 4, .slots = 3, .exports = 2, .issues = 1, .wbdepth = 2};

typedef struct bench {
    rf_steal_stream stream;
    rf_hint head[WARPS]; /* of the uop shown */
    bool lent[WARPS][256];
    ls_rng rng;
    uint64_t lost;
} bench;

static void on_show(void *ctx, rf_stage_in *in, uint32_t warp, const rf_inst *inst, const rf_uop *uop) {
    (void)in;
    ((bench *)ctx)->head[warp] = uop->first ? inst->hint : (rf_hint){0};
}

static void on_launch(void *ctx, uint32_t warp) {
    bench *const b = ctx;
    rf_steal_stream_launch(&b->stream, warp);
    memset(b->lent[warp], 0, sizeof b->lent[warp]);
}

static void on_phase(void *ctx, rf_stream_kind kind) {
    (void)kind;
    rf_steal_stream_phase(&((bench *)ctx)->stream);
}

static void on_random(void *ctx, uint32_t warp, rf_inst *inst) { rf_steal_stream_edit(&((bench *)ctx)->stream, warp, inst); }

static rf_vec *place(rf_banked *m, uint32_t warp, uint32_t reg) {
    return &m->bank[rf_map_bank(warp, reg, cfg.banks)]
                .mem_q[rf_map_row(warp, reg, cfg.banks, rf_map_rows_per_warp(cfg.regs, cfg.banks))];
}

static const rf_vec *value(const void *model, uint32_t warp, uint32_t reg, rf_vec *room) {
    *room = *place((rf_banked *)(uintptr_t)model, warp, reg);
    return room;
}

/* Nothing issued earlier still reads or writes the register. */
static bool settled(const rf_banked *m, uint32_t warp, uint32_t reg) {
    bool busy = (m->scoreboard.pending_q[warp].w[reg / 64] >> reg % 64 & 1) != 0;
    for (uint32_t c = 0; c < cfg.collectors; c++)
        for (uint32_t s = 0; s < cfg.slots && m->ocu[c].carried_q.warp == warp; s++) {
            const uint32_t unread = (uint32_t)(m->ocu[c].src_valid_q & ~(m->ocu[c].fill_q | m->ocu[c].ready_q));
            busy |= (unread >> s & 1) != 0 && m->ocu[c].src_q[s] == reg;
        }
    return !busy;
}

typedef enum loss { HONEST, SILENT, WRONG } loss; /* SILENT: losses are not told. WRONG: any register is lost */

static const char *overwrite(uint64_t seed, loss how, uint64_t *lost) {
    static rf_banked model;
    static rf_banked_in in;
    static rf_banked_out out;
    static char text[256];
    bench b = {.lost = 0};
    const rf_stage_hooks hooks = {.ctx = &b, .show = on_show, .launch = on_launch, .phase = on_phase, .random = on_random};
    rf_stage_env *const env = rf_stage_env_new(&stage_cfg, &hooks, seed);
    rf_steal_stream_init(&b.stream, cfg.warps, cfg.banks, cfg.regs, cfg.lanes, 4, seed);
    ls_rng_seed(&b.rng, seed);
    memset(&in, 0, sizeof in);
    assert_int_equal(rf_banked_init(&model, &cfg), 0);
    for (uint32_t cycle = 0; cycle < 6000; cycle++) {
        rf_stage_view view = {.model = &model, .value = value};
        for (uint32_t c = 0; c < cfg.collectors; c++) view.collecting += model.ocu[c].busy_q;
        for (uint32_t e = 0; e < cfg.exports; e++) view.level[e] = model.wbq[e].ctrl.level_q;
        rf_stage_env_inputs(env, &view, &in.stage);
        rf_banked_step(&model, &in, &out);
        const uint32_t w = ls_rng_below(&b.rng, cfg.warps), r = ls_rng_below(&b.rng, cfg.regs);
        if ((b.lent[w][r] || how == WRONG) && settled(&model, w, r)) {
            for (uint32_t l = 0; l < cfg.lanes; l++) place(&model, w, r)->lane[l] = (uint32_t)ls_rng_u64(&b.rng);
            if (how != SILENT) rf_stage_env_lose(env, w, r, UINT32_MAX);
            b.lost++;
        }
        rf_stage_env_observe(env, &in.stage, &out.stage, out.wires.arbiter.wr_grant);
        if (out.issue_valid == 0) continue;
        const uint32_t issued = out.issue_warp[0];
        const rf_hint *const hint = &b.head[issued];
        for (uint32_t k = 0; k < hint->nfree; k++) {
            if (hint->free_was[k] != NONE) b.lent[issued][hint->free_was[k]] = false;
            if (hint->free_reg[k] != NONE) b.lent[issued][hint->free_reg[k]] = true;
        }
    }
    *lost += b.lost;
    const char *const violation = rf_stage_env_property(env);
    (void)snprintf(text, sizeof text, "%s", violation != NULL ? violation : "");
    rf_stage_env_free(env);
    return text;
}

static void what_is_lent_may_be_overwritten(void **state) {
    (void)state;
    uint64_t lost = 0, ignored = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        assert_string_equal(overwrite(seed, HONEST, &lost), "");
        assert_string_not_equal(overwrite(seed, SILENT, &ignored), "");
        assert_non_null(strstr(overwrite(seed, WRONG, &ignored), "a register lent out is never read"));
    }
    assert_true(lost > 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(holes_are_holes), cmocka_unit_test(same_seed_same_stream),
                                       cmocka_unit_test(what_is_lent_may_be_overwritten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
