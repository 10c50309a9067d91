/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_cerf and its comparer: the stage of slow_cerf_stage.h and the memory of slow_memory.h; with INTEGRATED 0
 * the stage of judge_banked.h beside a memory that only the load/store unit uses. */
#ifndef RF_SLOW_CERF_H
#define RF_SLOW_CERF_H

#include "cmodel/cerf/rf_cerf.h"

#include "tb/cerf/judge/slow_cerf_stage.h"
#include "tb/cerf/judge/slow_memory.h"
#include "tb/common/judge/judge_fields.h"

/* What a system may get wrong beside STAGE_LAPSES. */
/* clang-format off */
#define SYSTEM_LAPSES(X) \
    X(UNREAD_WHEN_REFUSED, "an operand counts as read when its request is granted, refused or not") \
    X(L1D_HAS_POLICY, "INTEGRATED 0: POLICY counts") \
    X(L1D_RESERVES, "INTEGRATED 0: an MSHR is reserved for registers") \
    X(NOTHING_RESERVED, "no MSHR is reserved") \
    X(RESULTS_TO_L1D, "INTEGRATED 0: results go to the L1D, too")
#define NO_TEXT(name, text) NULL,
/* clang-format on */
enum { SYSTEM_LAPSES_BEGIN = STAGE_LAPSE_COUNT - 1, SYSTEM_LAPSES(JUDGE_NAME) LAPSE_COUNT };
/* NULL: a lapse that no system shows. */
static const char *const lapse_names[LAPSE_COUNT] = {NULL,
                                                     PORT_LAPSES(NO_TEXT) STAGE_LAPSES(JUDGE_TEXT) SYSTEM_LAPSES(JUDGE_TEXT)};

typedef struct slow_cerf {
    rf_cerf_cfg cfg;
    slow_cerf_stage stage; /* INTEGRATED 0: its units alone */
    slow_memory memory;
} slow_cerf;

typedef struct slow_cerf_turn {
    slow_cerf_stage_turn stage;
    rf_cerf_stage_in stage_in; /* INTEGRATED 1 */
    rf_cerf_memory_in in;
    slow_memory_turn memory;
} slow_cerf_turn;

/* INTEGRATED 0: "ib_last ... count for nothing". */
static inline rf_cerf_stage_cfg stage_cfg(const rf_cerf_cfg *c) {
    return (rf_cerf_stage_cfg){.warps = c->warps,
                               .collectors = c->collectors,
                               .regs = c->regs,
                               .lanes = c->lanes,
                               .slots = c->slots,
                               .exports = c->exports,
                               .issues = c->issues,
                               .sched = c->sched,
                               .fetch = c->fetch,
                               .wbdepth = c->wbdepth,
                               .liveness = c->integrated ? c->liveness : 0};
}

/* INTEGRATED 0: policy "counts for nothing". No MSHR is kept for registers where there are none, or none that misses. */
static inline rf_cerf_memory_cfg memory_cfg(const rf_cerf_cfg *c) {
    return (rf_cerf_memory_cfg){.collectors = c->collectors,
                                .slots = c->slots,
                                .writers = c->exports,
                                .registers = c->warps * c->regs,
                                .banks = c->banks,
                                .sets = c->sets,
                                .ways = c->ways,
                                .lanes = c->lanes,
                                .line_w = RF_CERF_LINE_W,
                                .prefix = c->prefix,
                                .mshrs = c->mshrs,
                                .targets = c->targets,
                                .queue = c->queue,
                                .reserve = lapse == NOTHING_RESERVED ? 0
                                           : lapse == L1D_RESERVES   ? 1
                                                                     : c->integrated && c->policy != RF_POLICY_REGISTERS,
                                .policy = c->integrated || lapse == L1D_HAS_POLICY ? c->policy : RF_POLICY_FAIR};
}

static inline void cerf_reset(slow_cerf *s) {
    cerf_stage_reset(&s->stage);
    slow_memory_reset(&s->memory);
}

static inline void cerf_start(slow_cerf *s, const rf_cerf_cfg *cfg) {
    const rf_cerf_stage_cfg stage = stage_cfg(cfg);
    const rf_cerf_memory_cfg memory = memory_cfg(cfg);
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    cerf_stage_start(&s->stage, &stage);
    s->stage.units.cfg.banks = cfg->banks;
    slow_memory_start(&s->memory, &memory);
    cerf_reset(s);
}

/* --- this cycle --------------------------------------------------------------------------------------------------------------
 */

static inline void ask_memory(const slow_cerf_stage_turn *stage, rf_cerf_memory_in *to) {
    to->rd_valid = stage->rd_valid, to->rd_dead = stage->rd_dead;
    memcpy(to->rd_number, stage->rd_number, sizeof stage->rd_number);
    to->wr_valid = stage->wr_valid;
    memcpy(to->wr_number, stage->wr_number, sizeof stage->wr_number);
    memcpy(to->wr_mask, stage->wr_mask, sizeof stage->wr_mask);
    memcpy(to->wr_data, stage->wr_data, sizeof stage->wr_data);
}

static inline void show_memory(const rf_cerf_in *in, rf_cerf_memory_in *to) {
    to->mem_valid = in->mem_valid, to->mem_op = in->mem_op, to->mem_line = in->mem_line, to->mem_way = in->mem_way;
    to->mem_id = in->mem_id, to->mem_mask = in->mem_mask, to->mem_data = in->mem_data;
    to->l2_ready = in->l2_ready, to->fill_valid = in->fill_valid, to->fill_bank = in->fill_bank;
    to->fill_entry = in->fill_entry, to->fill_data = in->fill_data;
}

/* What the memory answers is the stage's input. */
static inline void answer_stage(const slow_cerf *s, const rf_cerf_in *in, slow_cerf_turn *now) {
    const rf_cerf_memory_out *m = &now->memory.out;
    rf_cerf_stage_in *to = &now->stage_in;
    to->stage = in->stage;
    memcpy(to->ib_last, in->ib_last, sizeof in->ib_last);
    to->rd_accept = m->rd_accept, to->rd_fill = m->rd_fill, to->wr_accept = m->wr_accept;
    memcpy(to->rd_data, m->rd_data, sizeof m->rd_data);
    for (uint32_t r = 0; r < s->cfg.collectors * s->cfg.slots && lapse == UNREAD_WHEN_REFUSED; r++)
        if (now->memory.granted[asked_bank(&s->memory, &now->in, r)] == r) to->rd_accept |= UINT64_C(1) << r;
    take_accepted(&s->stage, to, &now->stage);
}

static inline void cerf_comb(const slow_cerf *s, const rf_cerf_in *in, slow_cerf_turn *now) {
    memset(now, 0, sizeof *now);
    show_memory(in, &now->in);
    if (!s->cfg.integrated) {
        slow_comb(&s->stage.units, (const rf_banked_in *)&in->stage, &now->stage.units);
        if (lapse == RESULTS_TO_L1D) show_results(&s->stage, &now->stage), ask_memory(&now->stage, &now->in);
        slow_memory_comb(&s->memory, &now->in, &now->memory);
        return;
    }
    cerf_stage_comb(&s->stage, &in->stage, &now->stage);
    ask_memory(&now->stage, &now->in);
    slow_memory_comb(&s->memory, &now->in, &now->memory);
    answer_stage(s, in, now);
}

/* --- the edge ----------------------------------------------------------------------------------------------------------------
 */

static inline void cerf_clock(slow_cerf *s, const rf_cerf_in *in, slow_cerf_turn *now) {
    if (s->cfg.integrated) cerf_stage_clock(&s->stage, &now->stage_in, &now->stage);
    else {
        slow_clock(&s->stage.units, (const rf_banked_in *)&in->stage, &now->stage.units);
        promise_operands(&s->stage, in->ib_last, &now->stage.units);
        s->stage.now++;
    }
    slow_memory_clock(&s->memory, &now->in, &now->memory);
}

/* --- the comparer ------------------------------------------------------------------------------------------------------------
 */

static inline void compare_cerf_out(judge *j, const slow_cerf *s, const slow_cerf_turn *now, const rf_cerf_out *out) {
    const rf_cerf_memory_out *m = &now->memory.out;
    compare_out(j, &s->stage.units, &now->stage.units, &out->stage);
    judge_equal(j, "mem_accept", 0, out->mem_accept, m->mem_accept);
    judge_equal(j, "ld_valid", 0, out->ld_valid, m->ld_valid);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        judge_equal(j, "ld_id", b, out->ld_id[b], m->ld_id[b]);
        judge_words(j, "ld_data", b, out->ld_data[b].lane, m->ld_data[b].lane, 32);
    }
    judge_equal(j, "l2_valid", 0, out->l2_valid, m->l2_valid);
    judge_equal(j, "l2_op", 0, out->l2_op, m->l2_op);
    judge_equal(j, "l2_line", 0, out->l2_line, m->l2_line);
    judge_equal(j, "l2_bank", 0, out->l2_bank, m->l2_bank);
    judge_equal(j, "l2_entry", 0, out->l2_entry, m->l2_entry);
    judge_equal(j, "l2_mask", 0, out->l2_mask, m->l2_mask);
    judge_words(j, "l2_data", 0, out->l2_data.lane, m->l2_data.lane, 32);
    judge_equal(j, "fill_ready", 0, out->fill_ready, m->fill_ready);
}

static inline void compare_cerf_wires(judge *j, const slow_cerf *s, const slow_cerf_turn *now, const rf_cerf_out *out) {
    const rf_cerf_wires *w = &out->wires;
    compare_memory_wires(j, &s->memory, &now->memory, &now->in, &w->memory);
    if (!s->cfg.integrated) {
        compare_wires(j, &s->stage.units, &now->stage.units, &out->separate.wires);
        return;
    }
    compare_cerf_stage_wires(j, &s->stage, &now->stage, &w->stage);
    judge_equal(j, "rd_accept", 0, w->rd_accept, now->memory.out.rd_accept);
    judge_equal(j, "wr_accept", 0, w->wr_accept, now->memory.out.wr_accept);
}

/* Every register of the stage, but the contents of the banks. */
static inline void compare_stage_of_cerf(judge *j, const slow_cerf *s, const rf_cerf *m) {
    if (s->cfg.integrated) compare_cerf_stage_state(j, &s->stage, &m->stage);
    else compare_state(j, &s->stage.units, &m->stage.units);
}

#endif
