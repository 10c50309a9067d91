/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of rf_steal under judgement: the slow stage of judge_steal.h beside two models, one run by comb and clock, the other
 * by step. */
#ifndef RF_JUDGE_STEAL_RUN_H
#define RF_JUDGE_STEAL_RUN_H

#include "tb/steal/judge/judge_steal.h"

/*                                 W  C  B  R  L  S  E  I sched F D reads writes */
static const rf_steal_cfg small = {8, 3, 4, 8, 4, 3, 2, 1, 0, 8, 2, 2, 1, 0};

/* The two models, the slow stage, and a copy to see that comb changes nothing. */
static rf_steal model, stepped, before;
static slow_steal slow;

static inline void start(judge *j, uint64_t seed, const rf_steal_cfg *cfg) {
    judge_begin(j, seed,
                "rf_steal warps=%" PRIu32 " collectors=%" PRIu32 " banks=%" PRIu32 " regs=%" PRIu32 " lanes=%" PRIu32
                " slots=%" PRIu32 " exports=%" PRIu32 " issues=%" PRIu32 " sched=%" PRIu32 " fetch=%" PRIu32 " wbdepth=%" PRIu32
                " reads=%" PRIu32 " writes=%" PRIu32 " yield=%" PRIu32,
                cfg->warps, cfg->collectors, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->issues, cfg->sched,
                cfg->fetch, cfg->wbdepth, cfg->reads, cfg->writes, cfg->yield);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_steal_init(&model, cfg), 0);
    assert_int_equal(rf_steal_init(&stepped, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    memset(&slow, 0, sizeof slow);
    slow.cfg = *cfg;
    slow.stage.cfg = stage_cfg(cfg);
    steal_reset(&slow);
    compare_steal_state(j, &slow, &model);
    compare_steal_state(j, &slow, &stepped);
    compare_banks(j, &slow.stage, &model.stage);
    compare_banks(j, &slow.stage, &stepped.stage);
}

/* What the whole stage is for: operands are the registers as the program's order has them, wherever they were kept since. */
static inline void compare_with_program(judge *j, const slow_theft *now, const rf_steal_out *out) {
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        if (now->stage.offered[e] == NONE) continue;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            const slow_slot *slot = &slow.stage.collector[now->stage.offered[e]].slot[k];
            if (slot->state == HERE)
                judge_words(j, "operand of the program", k, out->ex_data[e * slow.cfg.slots + k].lane, slot->promised, 32);
        }
    }
}

/* One cycle of all three (`now` by steal_comb), everything compared but those rows of the banks that nobody writes. `lawful`: no
 * result came but those of instructions that are under way, and the hints hold. */
static inline void step(judge *j, const rf_steal_in *in, const slow_theft *now, rf_steal_out *out, bool lawful) {
    static rf_steal_out stepped_out;
    const bool look = j->cycle % 2048 == 7;
    uint32_t row[32];
    memset(out, 0xa5, sizeof *out);
    memset(&stepped_out, 0x5a, sizeof stepped_out);
    if (look) memcpy(&before, &model, sizeof model);
    rf_steal_comb(&model, in, out);
    if (look) assert_memory_equal(&before, &model, sizeof model);
    rf_steal_clock(&model, in);
    rf_steal_step(&stepped, in, &stepped_out);
    compare_out(j, &slow.stage, &now->stage, &out->stage);
    compare_out(j, &slow.stage, &now->stage, &stepped_out.stage);
    compare_steal_wires(j, &slow, in, now, &out->wires);
    compare_steal_wires(j, &slow, in, now, &stepped_out.wires);
    if (lawful) compare_with_program(j, now, out);
    for (uint32_t b = 0; b < slow.cfg.banks; b++) row[b] = out->wires.arbiter.bank_waddr[b];
    steal_clock(&slow, in, now);
    compare_steal_state(j, &slow, &model);
    compare_steal_state(j, &slow, &stepped);
    for (uint32_t b = 0; b < slow.cfg.banks; b++) {
        if (now->stage.writer[b] == NONE) continue;
        compare_row(j, &slow.stage, &model.stage, b, row[b]);
        compare_row(j, &slow.stage, &stepped.stage, b, row[b]);
    }
    j->cycle++;
}

/* One cycle of a written program. */
static inline void cycle(judge *j, const rf_steal_in *in, rf_steal_out *out) {
    static slow_theft now;
    steal_comb(&slow, in, &now);
    step(j, in, &now, out, false);
}

#endif
