/* SPDX-License-Identifier: Apache-2.0 */
/* For the judge of rf_cerf_memory: the slow model beside two models, one run by comb and clock, the other by step. */
#ifndef RF_JUDGE_MEMORY_H
#define RF_JUDGE_MEMORY_H

#include "tb/cerf/judge/slow_memory.h"
#include "tb/common/judge/judge_fields.h"

extern const ls_unit rf_cerf_memory_unit;

static rf_cerf_memory model, stepped, before, expected;
static slow_memory slow;
static slow_memory_turn turn;
static rf_cerf_memory_out out;
static judge_list outputs, registers;

static inline void compare_models(judge *j) {
    expect_registers(&slow, &expected);
    judge_fields(j, &registers, &model, &expected);
    judge_fields(j, &registers, &stepped, &expected);
}

static inline void begin(judge *j, uint64_t seed, const rf_cerf_memory_cfg *c) {
    judge_begin(j, seed, "rf_cerf_memory %u %u %u registers=%u banks=%u sets=%u ways=%u %u %u %u %u %u %u %u policy=%u",
                c->collectors, c->slots, c->writers, c->registers, c->banks, c->sets, c->ways, c->lanes, c->line_w, c->prefix,
                c->mshrs, c->targets, c->queue, c->reserve, c->policy);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_cerf_memory_init(&model, c), 0);
    assert_int_equal(rf_cerf_memory_init(&stepped, c), 0);
    has_its_banks(&model, c);
    judge_list_of(&outputs, &rf_cerf_memory_unit, LS_OUT, &model);
    judge_list_of(&registers, &rf_cerf_memory_unit, LS_STATE, &model);
    memset(&expected, 0, sizeof expected);
    slow_memory_start(&slow, c);
    compare_models(j);
}

/* One cycle of all three (`turn` by slow_memory_comb), everything compared; comb must leave the model alone. */
static inline void step(judge *j, const rf_cerf_memory_in *in) {
    static rf_cerf_memory_out at_once;
    const bool look = j->cycle % 256 == 7;
    memset(&out, 0xa5, sizeof out);
    memset(&at_once, 0x5a, sizeof at_once);
    if (look) memcpy(&before, &model, sizeof model);
    rf_cerf_memory_comb(&model, in, &out);
    if (look) judge_same(&before, &model, sizeof model);
    judge_fields(j, &outputs, &out, &turn.out);
    compare_memory_wires(j, &slow, &turn, in, &out.wires);
    rf_cerf_memory_clock(&model, in);
    rf_cerf_memory_step(&stepped, in, &at_once);
    judge_fields(j, &outputs, &at_once, &turn.out);
    compare_memory_wires(j, &slow, &turn, in, &at_once.wires);
    slow_memory_clock(&slow, in, &turn);
    compare_models(j);
    j->cycle++;
}

static inline void reset(judge *j) {
    rf_cerf_memory_reset(&model);
    rf_cerf_memory_reset(&stepped);
    slow_memory_reset(&slow);
    expect_memory_reset(&slow, &expected);
    compare_models(j);
    has_its_banks(&model, &slow.cfg);
}

#endif
