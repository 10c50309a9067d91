/* SPDX-License-Identifier: Apache-2.0 */
/* For the judge of rf_cache_bank: the slow model beside two models, one run by comb and clock, the other by step. */
#ifndef RF_JUDGE_CACHE_BANK_H
#define RF_JUDGE_CACHE_BANK_H

#include "tb/cerf/judge/expect_cache_bank.h"
#include "tb/common/judge/judge_fields.h"

extern const ls_unit rf_cache_bank_unit;

static rf_cache_bank model, stepped, before, expected;
static slow_cache_bank slow;
static slow_turn turn;
static rf_cache_bank_out out;
static judge_list outputs, registers;

static inline void compare_models(judge *j) {
    expect_state(&slow, &expected);
    judge_fields(j, &registers, &model, &expected);
    judge_fields(j, &registers, &stepped, &expected);
}

static inline void begin(judge *j, uint64_t seed, const rf_cache_bank_cfg *cfg) {
    judge_begin(
        j, seed, "rf_cache_bank sets=%u ways=%u lanes=%u tag_w=%u id_w=%u mshrs=%u targets=%u reserve=%u queue=%u policy=%u",
        cfg->sets, cfg->ways, cfg->lanes, cfg->tag_w, cfg->id_w, cfg->mshrs, cfg->targets, cfg->reserve, cfg->queue, cfg->policy);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_cache_bank_init(&model, cfg), 0);
    assert_int_equal(rf_cache_bank_init(&stepped, cfg), 0);
    has_its_units(&model, cfg);
    judge_list_of(&outputs, &rf_cache_bank_unit, LS_OUT, &model);
    judge_list_of(&registers, &rf_cache_bank_unit, LS_STATE, &model);
    memset(&expected, 0, sizeof expected);
    slow_bank_start(&slow, cfg);
    compare_models(j);
}

/* One cycle of all three (`turn` by slow_bank_comb), everything compared; comb must leave the model alone. */
static inline void step(judge *j, const rf_cache_bank_in *in) {
    static rf_cache_bank_out at_once;
    const bool look = j->cycle % 64 == 7;
    memset(&out, 0xa5, sizeof out);
    memset(&at_once, 0x5a, sizeof at_once);
    if (look) memcpy(&before, &model, sizeof model);
    rf_cache_bank_comb(&model, in, &out);
    if (look) judge_same(&before, &model, sizeof model);
    judge_fields(j, &outputs, &out, &turn.out);
    rf_cache_bank_clock(&model, in);
    rf_cache_bank_step(&stepped, in, &at_once);
    judge_fields(j, &outputs, &at_once, &turn.out);
    slow_bank_clock(&slow, in, &turn);
    compare_models(j);
    j->cycle++;
}

/* Resets all three: "everything but tags and data, which are memories". */
static inline void reset(judge *j) {
    rf_cache_bank_reset(&model);
    rf_cache_bank_reset(&stepped);
    slow_bank_reset(&slow);
    expect_reset(&expected);
    compare_models(j);
    has_its_units(&model, &slow.cfg);
}

#endif
