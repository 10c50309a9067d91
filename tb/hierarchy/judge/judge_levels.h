/* SPDX-License-Identifier: Apache-2.0 */
/* For the judge of rf_levels: the slow model of slow_levels.h beside two models, one run by comb and clock, the other by step. */
#ifndef JUDGE_LEVELS_H
#define JUDGE_LEVELS_H

#include "tb/common/judge/judge_unit.h"
#include "tb/hierarchy/judge/levels_world.h"

static rf_levels model, stepped, before;
static slow_levels slow;

static inline void compare_models(judge *j) {
    compare_levels_state(j, &slow, &model);
    compare_levels_state(j, &slow, &stepped);
}

static inline void start(judge *j, uint64_t seed, const rf_levels_cfg *cfg) {
    judge_begin(j, seed,
                "rf_levels warps=%" PRIu32 " regs=%" PRIu32 " lanes=%" PRIu32 " slots=%" PRIu32 " exports=%" PRIu32
                " active=%" PRIu32 " managed=%" PRIu32 " entries=%" PRIu32 " l0=%" PRIu32 " policy=%" PRIu32,
                cfg->warps, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->active, cfg->managed, cfg->entries, cfg->l0,
                cfg->policy);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_levels_init(&model, cfg), 0);
    assert_int_equal(rf_levels_init(&stepped, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    memset(&slow, 0, sizeof slow);
    slow.cfg = *cfg;
    levels_reset(&slow);
    compare_models(j);
}

/* One cycle of all three (`now` by levels_comb), everything compared. comb must leave the model alone, and only `done` depends on
 * the grants. */
static inline void step(judge *j, const rf_levels_in *in, const slow_way *now, rf_levels_out *out) {
    static rf_levels_out stepped_out, refused;
    const bool look = j->cycle % 64 == 7;
    memset(out, 0xa5, sizeof *out);
    memset(&stepped_out, 0x5a, sizeof stepped_out);
    if (look) memcpy(&before, &model, sizeof model);
    rf_levels_comb(&model, in, out);
    compare_levels_out(j, &slow, now, out);
    if (look) {
        rf_levels_in other = *in;
        other.grant = (uint8_t)(~in->grant & ls_mask(slow.cfg.exports + 1));
        memset(&refused, 0xa5, sizeof refused);
        rf_levels_comb(&model, &other, &refused);
        refused.done = out->done;
        assert_memory_equal(&refused, out, sizeof refused);
        assert_memory_equal(&before, &model, sizeof model);
    }
    rf_levels_clock(&model, in);
    rf_levels_step(&stepped, in, &stepped_out);
    compare_levels_out(j, &slow, now, &stepped_out);
    levels_clock(&slow, in, now);
    compare_models(j);
    j->cycle++;
}

#endif
