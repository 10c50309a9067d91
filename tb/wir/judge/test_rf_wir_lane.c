/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir_lane: its slow model (judge_wir_lane.h) in step with the model, every output and every register in every cycle;
 * what the page shows and promises; and the books of references that the outputs keep, against the mappings there are. */
#include "tb/common/judge/judge_fields.h"
#include "tb/wir/judge/judge_wir_lane_events.h"

extern const ls_unit rf_wir_lane_unit;

#define COUNT(list) (sizeof(list) / sizeof *(list))

static judge_list outputs, registers; /* at the configuration of the run */

static void compare_out(judge *j, const slow_lane *s, const rf_wir_lane_out *out, const slow_out *now) {
    rf_wir_lane_out expected;
    expect_out(s, now, &expected);
    judge_fields(j, &outputs, out, &expected);
}

static rf_wir_lane model, before, stepped, wanted; /* large: not on the stack */
static slow_lane slow;

static void compare_state(judge *j, const slow_lane *s, const rf_wir_lane *m) {
    expect_state(s, &wanted);
    judge_fields(j, &registers, m, &wanted);
    /* What is not there stays 0 as a whole. */
    const size_t tables = sizeof m->rename - sizeof m->rename.cfg, row = sizeof m->queue - sizeof m->queue.cfg;
    if (s->cfg.reuse == 0) judge_same(&m->rename.cfg + 1, &wanted.rename.cfg + 1, tables);
    if (depth_of(&s->cfg) == 0) judge_same(&m->queue.cfg + 1, &wanted.queue.cfg + 1, row);
}

/* Front, tables and queue are of the sizes that the page says. */
static void has_the_three(const rf_wir_lane *m, const rf_wir_lane_cfg *cfg) {
    const rf_wir_front_cfg front = {.warps = cfg->warps,
                                    .regs = cfg->regs,
                                    .lanes = cfg->lanes,
                                    .slots = cfg->slots,
                                    .exports = cfg->exports,
                                    .pregs = cfg->pregs,
                                    .loads = cfg->loads,
                                    .retry = cfg->retry};
    const rf_rename_cfg rename = {.warps = group_of(cfg), .regs = cfg->regs, .slots = cfg->slots, .pregs = cfg->pregs};
    const rf_pending_queue_cfg queue = {.depth = cfg->queue,
                                        .warps = cfg->warps,
                                        .regs = cfg->regs,
                                        .slots = cfg->slots,
                                        .pregs = cfg->pregs,
                                        .exports = cfg->exports};
    if (cfg->reuse == 0) return;
    assert_memory_equal(&m->front.cfg, &front, sizeof front);
    assert_memory_equal(&m->rename.cfg, &rename, sizeof rename);
    if (cfg->retry == 1) assert_memory_equal(&m->queue.cfg, &queue, sizeof queue);
}

static void start(judge *j, uint64_t seed, rf_wir_lane *m, slow_lane *s, const rf_wir_lane_cfg *cfg) {
    judge_begin(j, seed,
                "rf_wir_lane %u/%u regs=%u lanes=%u slots=%u exports=%u pregs=%u banks=%u queue=%u reuse=%u loads=%u retry=%u",
                cfg->warps, cfg->issues, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->pregs, cfg->banks, cfg->queue,
                cfg->reuse, cfg->loads, cfg->retry);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_wir_lane_init(m, cfg), 0);
    judge_list_of(&outputs, &rf_wir_lane_unit, LS_OUT, m);
    judge_list_of(&registers, &rf_wir_lane_unit, LS_STATE, m);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    assert_int_equal(rf_wir_lane_places(cfg), 2 + depth_of(cfg));
    has_the_three(m, cfg);
    memset(&wanted, 0, sizeof wanted);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone, and step must do what comb and clock do. As
 * JUDGE_CLOCK, which takes its time over so large a model. */
static void step(judge *j, rf_wir_lane *m, slow_lane *s, const rf_wir_lane_in *in, slow_out *now) {
    rf_wir_lane_out out, once;
    memcpy(&before, m, sizeof before);
    memcpy(&stepped, m, sizeof stepped);
    memset(&out, 0xa5, sizeof out);
    memset(&once, 0xa5, sizeof once);
    rf_wir_lane_comb(m, in, &out);
    if (memcmp(&before, m, sizeof before) != 0) fail_msg("%s cycle %" PRIu64 ": comb changes the model", j->where, j->cycle);
    slow_comb(s, in, now);
    compare_out(j, s, &out, now);
    rf_wir_lane_step(&stepped, in, &once);
    rf_wir_lane_clock(m, in);
    assert_memory_equal(&once, &out, sizeof once);
    if (memcmp(&stepped, m, sizeof stepped) != 0) fail_msg("%s cycle %" PRIu64 ": step is not clock", j->where, j->cycle);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

#define SET(w, i, r, l, s, e, p, b, q, ru, ld, rt)                                                                               \
    {                                                                                                                            \
        .warps = (w), .issues = (i), .regs = (r), .lanes = (l), .slots = (s), .exports = (e), .pregs = (p), .banks = (b),        \
        .queue = (q), .reuse = (ru), .loads = (ld), .retry = (rt)                                                                \
    }
static const rf_wir_lane_cfg sets[] = {
    SET(48, 2, 63, 32, 3, 4, 1024, 8, 8, 1, 1, 1),    SET(1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1),
    SET(6, 3, 3, 2, 2, 2, 5, 2, 2, 1, 1, 1),          SET(12, 3, 5, 3, 3, 3, 33, 4, 3, 1, 0, 1),
    SET(10, 2, 12, 4, 4, 4, 64, 8, 5, 1, 1, 0),       SET(8, 4, 2, 3, 1, 1, 3, 1, 4, 1, 1, 1),
    SET(64, 1, 256, 32, 6, 8, 1024, 32, 16, 1, 1, 1), SET(63, 3, 255, 31, 6, 7, 1023, 16, 15, 1, 0, 1),
    SET(5, 1, 70, 7, 5, 5, 700, 32, 7, 1, 0, 0),      SET(1, 1, 1, 1, 1, 1, 2, 1, 1, 0, 1, 1),
    SET(48, 2, 63, 32, 3, 4, 1024, 8, 8, 0, 1, 1),    SET(9, 3, 11, 5, 2, 2, 100, 4, 3, 0, 0, 0),
    SET(64, 4, 256, 32, 6, 8, 1024, 32, 16, 0, 1, 0), SET(20, 4, 8, 8, 3, 2, 40, 2, 6, 1, 1, 1),
};
static const uint64_t lengths[] = {8000, 20000, 30000, 30000, 30000, 20000, 600, 600, 5000, 5000, 8000, 8000, 5000, 35000};
enum { FULL = 6 }; /* the set in which every element of every port is there */

typedef struct knobs {
    uint32_t issue, convergent, reuse, sources, load, store, allow, hit, wait, port, collector, reserved, done, pinned, ends,
        walk, clear;
    uint32_t warps, regs, wild, aim;
} knobs;

static uint32_t some(ls_rng *rng) { return ls_rng_chance(rng, 64) ? 0 : ls_rng_chance(rng, 85) ? 256 : ls_rng_below(rng, 257); }

static void turn(ls_rng *rng, knobs *k) {
    k->issue = 64 + ls_rng_below(rng, 193), k->convergent = 256 - ls_rng_below(rng, 96), k->reuse = 256 - ls_rng_below(rng, 96);
    k->sources = ls_rng_below(rng, 257), k->load = ls_rng_below(rng, 192), k->store = ls_rng_below(rng, 128);
    k->allow = 256 - ls_rng_below(rng, 96), k->hit = some(rng), k->wait = some(rng), k->port = some(rng),
    k->collector = some(rng);
    k->reserved = some(rng), k->done = some(rng), k->pinned = ls_rng_chance(rng, 128) ? 16 : ls_rng_below(rng, 160);
    k->ends = 64 + ls_rng_below(rng, 192), k->walk = some(rng), k->clear = ls_rng_chance(rng, 96) ? 0 : ls_rng_below(rng, 48);
    k->warps = ls_rng_chance(rng, 64) ? 64 : 1 + ls_rng_below(rng, 6),
    k->regs = ls_rng_chance(rng, 64) ? 256 : 1 + ls_rng_below(rng, 4);
    k->wild = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 64), k->aim = ls_rng_below(rng, 128);
}

static uint8_t byte_of(ls_rng *rng, uint32_t n) { return (uint8_t)ls_rng_value(rng, rf_index_bits(n)); }
static uint16_t preg_of(ls_rng *rng, const rf_wir_lane_cfg *cfg) {
    return (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
}

/* One of `n`: often one of the first few, at times one that does not exist. */
static uint8_t few_of(ls_rng *rng, uint32_t n, uint32_t few, uint32_t wild) {
    if (ls_rng_chance(rng, wild)) return ls_rng_chance(rng, 128) ? (uint8_t)(judge_codes(n) - 1) : byte_of(rng, n);
    return (uint8_t)ls_rng_below(rng, few < n ? few : n);
}

static void draw_issue(ls_rng *rng, const rf_wir_lane_cfg *cfg, const knobs *k, rf_wir_lane_in *in) {
    in->issue_valid = ls_rng_chance(rng, k->issue);
    in->issue.warp = few_of(rng, cfg->warps, k->warps, k->wild), in->issue.port = byte_of(rng, cfg->exports);
    in->issue.tag = (uint16_t)ls_rng_value(rng, 16), in->issue.mask = (uint32_t)ls_mask(cfg->lanes);
    if (!ls_rng_chance(rng, k->convergent)) in->issue.mask ^= 1u << ls_rng_below(rng, cfg->lanes);
    in->issue.dst_valid = ls_rng_chance(rng, 224), in->issue.dst = few_of(rng, cfg->regs, k->regs, k->wild);
    in->issue.src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, k->sources);
    in->issue.reuse = ls_rng_chance(rng, k->reuse), in->issue.op = (uint8_t)ls_rng_value(rng, 8 - cfg->slots);
    in->issue.space = ls_rng_chance(rng, k->load) ? (uint8_t)(1 + ls_rng_below(rng, 3)) : 0;
    in->issue.store = ls_rng_chance(rng, k->store), in->issue.store_shared = ls_rng_chance(rng, 128);
    for (uint32_t i = 0; i < cfg->slots; i++)
        in->issue.src[i] = few_of(rng, cfg->regs, k->regs, k->wild), in->issue.imm[i] = preg_of(rng, cfg);
}

/* What retires and is released: often of the instruction in the rename register, or where the release stands. */
static void draw_tables(ls_rng *rng, const slow_lane *s, const knobs *k, rf_wir_lane_in *in) {
    const rf_wir_lane_cfg *cfg = &s->cfg;
    slow_out now;
    slow_comb(s, in, &now);
    in->done = ls_rng_chance(rng, k->done), in->done_reg = preg_of(rng, cfg);
    in->done_warp = few_of(rng, cfg->warps, k->warps, k->wild), in->done_dst = few_of(rng, cfg->regs, k->regs, k->wild);
    if (s->rn.there && ls_rng_chance(rng, k->aim)) in->done_warp = (uint8_t)s->rn.warp, in->done_dst = (uint8_t)s->rn.src[0];
    if (now.offered && ls_rng_chance(rng, k->aim)) {
        in->done_warp = (uint8_t)(now.walk_warp * cfg->issues + ls_rng_below(rng, cfg->issues));
        in->done_dst = (uint8_t)now.walk_reg;
    }
    in->done_old = (uint16_t)(preg_of(rng, cfg) * 4u + (ls_rng_chance(rng, k->ends) ? 2u : 0u) + ls_rng_chance(rng, k->pinned));
    in->walk = ls_rng_chance(rng, k->walk);
    in->clear = ls_rng_chance(rng, k->clear) ? ls_rng_bits(rng, group_of(cfg), ls_rng_chance(rng, 128) ? 200 : 32) : 0;
}

static void run(const rf_wir_lane_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    judge j;
    ls_rng rng;
    slow_out now;
    knobs k;
    rf_wir_lane_in in;
    start(&j, seed, &model, &slow, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    memset(&now, 0, sizeof now);
    turn(&rng, &k);
    while (j.cycle < cycles) {
        if (j.cycle % 64 == 0) turn(&rng, &k);
        if (!in.issue_valid || now.ready || ls_rng_chance(&rng, 32)) draw_issue(&rng, cfg, &k, &in);
        in.allow = ls_rng_chance(&rng, k.allow), in.hit = ls_rng_chance(&rng, k.hit), in.wait = ls_rng_chance(&rng, k.wait);
        in.port = ls_rng_chance(&rng, k.port), in.collector = ls_rng_chance(&rng, k.collector);
        in.result = preg_of(&rng, cfg), in.reserved = ls_rng_chance(&rng, k.reserved);
        draw_tables(&rng, &slow, &k, &in);
        slow_comb(&slow, &in, &now);
        count(&slow, &in, &now, seen);
        step(&j, &model, &slow, &in, &now);
        if (ls_rng_below(&rng, 512) == 0) {
            seen[RESET] += slow.rn.there && slow.ru.there && slow.length > 1 && slow.marked[0] && now.offered;
            rf_wir_lane_reset(&model);
            slow_reset(&slow);
            memset(&wanted, 0, sizeof wanted);
            compare_state(&j, &slow, &model);
        }
    }
    judge_passes(&j);
}

static void random_instructions(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_wir_lane"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

static rf_wir_lane_in ask;
static rf_wir_lane_out answer;

static void begin(const rf_wir_lane_cfg *cfg) {
    assert_int_equal(rf_wir_lane_init(&model, cfg), 0);
    memset(&ask, 0, sizeof ask);
}

static void cycle(void) {
    memset(&answer, 0xa5, sizeof answer);
    rf_wir_lane_step(&model, &ask, &answer);
    memset(&ask, 0, sizeof ask);
}

/* Two groups of four warps, 8 registers, 4 lanes, 2 sources. */
static const rf_wir_lane_cfg two = SET(8, 2, 8, 4, 2, 2, 64, 4, 2, 1, 1, 1);

/* r`dst` = f(r`src`, immediate value 33) on all lanes. */
static void issue(uint32_t warp, uint32_t dst, uint32_t src) {
    ask.issue_valid = ask.issue.dst_valid = ask.issue.reuse = 1, ask.issue.warp = (uint8_t)warp, ask.issue.dst = (uint8_t)dst;
    ask.issue.tag = (uint16_t)(100 + warp), ask.issue.mask = 15, ask.issue.op = 9, ask.issue.imm[1] = 33;
    ask.issue.src_valid = 1, ask.issue.src[0] = (uint8_t)src, ask.issue.src[1] = 7;
}

static void retire(uint32_t warp, uint32_t dst, uint32_t reg, uint32_t old, uint32_t ends, uint32_t pin) {
    ask.done = 1, ask.done_warp = (uint8_t)warp, ask.done_dst = (uint8_t)dst, ask.done_reg = (uint16_t)reg;
    ask.done_old = (uint16_t)(old * 4 + ends * 2 + pin);
}

/* What the references did in this cycle: the registers named anew in slots 0 and 1, the one named no more; -1: none. */
static void counted(int inc0, int inc1, int dec) {
    assert_int_equal(answer.inc, (inc0 >= 0) + 2 * (inc1 >= 0));
    assert_int_equal(answer.inc_reg[0], inc0 >= 0 ? inc0 : 0);
    assert_int_equal(answer.inc_reg[1], inc1 >= 0 ? inc1 : 0);
    assert_int_equal(answer.dec, dec >= 0);
    assert_int_equal(answer.dec_reg, dec >= 0 ? dec : 0);
}

/* The lane's instruction wants to know what it replaces. */
static void old_is(uint32_t reg, uint32_t valid, uint32_t pin) {
    assert_int_equal(answer.lane.old_preg, reg);
    assert_int_equal(answer.lane.old_valid, valid);
    assert_int_equal(answer.lane.old_pin, pin);
}

/* The page's drawing: a hit, while a result of the group retires in the cycle before. */
static void a_hit_retires_as_the_page_draws_it(void **state) {
    (void)state;
    begin(&two);
    retire(2, 5, 9, 0, 0, 0);
    cycle();
    counted(-1, -1, -1);
    retire(2, 1, 20, 0, 0, 0);
    issue(2, 5, 1);
    cycle();
    cycle(); /* 0: in the rename register */
    assert_int_equal(answer.rn_warp, 2);
    ask.allow = ask.hit = 1, ask.result = 4;
    cycle(); /* 1 */
    assert_int_equal(answer.lane.tag, 102);
    assert_int_equal(answer.want_port, 1);
    old_is(9, 1, 0);
    counted(-1, -1, -1);
    ask.allow = ask.hit = ask.collector = 1, ask.result = 4;
    retire(4, 0, 21, 3, 1, 0);
    cycle(); /* 2: the result has the port */
    old_is(9, 1, 0);
    counted(-1, -1, 3);
    assert_int_equal(answer.reused, 0);
    issue(2, 5, 5);
    ask.allow = ask.hit = ask.port = 1, ask.result = 4;
    cycle(); /* 3 */
    assert_int_equal(answer.reused, 1);
    assert_int_equal(answer.leaves, 1);
    counted(4, -1, 9);
    cycle();
    counted(-1, -1, -1);
    cycle();
    assert_int_equal(answer.lane.operand[0], 4);
    assert_int_equal(answer.lane.mapped, 1);
    assert_int_equal(answer.lane.opcode, 9 << 2 | 1);
    old_is(4, 1, 0);
}

/* "Only the reuse counts, in the table and for the references", and the release goes before both. */
static void one_thing_retires_and_one_reference_ends(void **state) {
    (void)state;
    begin(&two);
    retire(6, 2, 30, 0, 0, 0);
    cycle();
    retire(0, 2, 40, 0, 0, 0);
    issue(6, 3, 2);
    cycle();
    cycle();
    ask.allow = ask.hit = ask.port = 1, ask.result = 31, ask.clear = 1; /* nothing was mapped: the result's does not count */
    retire(4, 2, 50, 51, 1, 1);
    cycle();
    counted(31, -1, -1);
    issue(4, 3, 2);
    ask.walk = 1;
    retire(0, 1, 41, 52, 1, 0);
    cycle();
    assert_int_equal(answer.walking, 1);
    assert_int_equal(answer.walk_valid, 1);
    counted(-1, -1, 40);
    ask.walk = 1; /* and what was mapped in the meantime */
    cycle();
    counted(-1, -1, 41);
    ask.walk = ask.reserved = 1; /* nothing to be released: the result's ends. A reservation names register 0 of who has none */
    retire(0, 7, 42, 53, 1, 0);
    cycle();
    assert_int_equal(answer.walk_valid, 0);
    assert_int_equal(answer.lane.mapped, 0);
    counted(0, -1, 53);
}

/* V-D: "divergent instructions simply bypass reuse buffer access", and so does who reads what they wrote (D-pin), or what nobody
 * did (D-zero). "The pin bit is cleared by the first convergent instruction that redefines the logical register." */
static void a_pinned_register_is_not_looked_up(void **state) {
    (void)state;
    begin(&two);
    retire(3, 2, 30, 12, 0, 1); /* in place, say: 12 stays */
    cycle();
    counted(-1, -1, -1);
    issue(3, 2, 2);
    cycle();
    issue(3, 4, 6);
    cycle();
    ask.allow = ask.hit = ask.wait = ask.port = ask.collector = 1;
    cycle();
    assert_int_equal(answer.lk_valid, 0);
    assert_int_equal(answer.want_port, 0);
    assert_int_equal(answer.lane.operand[0], 30);
    assert_int_equal(answer.leaves, 1);
    assert_int_equal(answer.leads, 0);
    old_is(30, 1, 1);
    retire(3, 2, 35, 30, 1, 0);
    issue(3, 2, 2);
    ask.allow = ask.collector = 1;
    cycle();
    counted(-1, -1, 30);
    assert_int_equal(answer.lk_valid, 0);
    assert_int_equal(answer.lane.mapped, 0);
    assert_int_equal(answer.leads, 0);
    cycle();
    ask.allow = ask.collector = ask.reserved = 1;
    cycle();
    assert_int_equal(answer.lk_valid, 1);
    assert_int_equal(answer.leads, 1);
    old_is(35, 1, 0);
    counted(35, -1, -1); /* D-reserve: the operand's register is named by the buffer; the immediate value is none */
}

/* VI-B: "queued instructions can check the pending bit ... when there is no new instruction ..., and they are re-queued". */
static void two_wait_for_the_first_and_reuse_its_result(void **state) {
    (void)state;
    begin(&two);
    for (uint32_t w = 0; w < 4; w++) {
        retire(2 * w, 0, 20, 0, 0, 0);
        cycle();
    }
    for (uint32_t w = 0; w < 4; w++) { /* the first leads, two wait, for the last there is no room */
        issue(2 * w, 1, 0);
        if (w == 1) ask.issue.space = RF_SPACE_SHARED;
        ask.allow = ask.collector = ask.reserved = 1, ask.wait = w > 2;
        cycle();
        assert_int_equal(answer.leads, w == 2);
        if (w == 2) counted(20, -1, -1);
    }
    ask.allow = ask.collector = ask.wait = 1;
    cycle();
    assert_int_equal(answer.lane.warp, 4);
    assert_int_equal(answer.leaves, 1);
    assert_int_equal(answer.want_collector, 0);
    assert_int_equal(answer.at_valid, 7);
    assert_int_equal(answer.at[2].load, 1);
    ask.allow = ask.collector = ask.wait = 1;
    cycle();
    assert_int_equal(answer.lane.warp, 6);
    assert_int_equal(answer.want_collector, 1);
    assert_int_equal(answer.leads, 0);
    assert_int_equal(answer.at_valid, 14);
    for (uint32_t i = 0; i < 3; i++) { /* the two in turn */
        ask.allow = ask.wait = ask.collector = 1;
        cycle();
        assert_int_equal(answer.lane.warp, i == 1 ? 4 : 2);
        assert_int_equal(answer.leaves, 0);
        assert_int_equal(answer.at_valid, 12);
        assert_int_equal(answer.at[2].load, i != 1);
        assert_int_equal(answer.at[3].load, i == 1);
        assert_int_equal(answer.at[3].warp, i == 1 ? 2 : 4);
        assert_int_equal(answer.at[2].src_valid, 1);
        assert_int_equal(answer.at[3].src[1], 7);
    }
    ask.allow = ask.hit = ask.port = 1, ask.result = 44;
    cycle();
    assert_int_equal(answer.reused, 1);
    assert_int_equal(answer.lane.warp, 4);
    assert_int_equal(answer.lane.mask, 15);
    counted(44, -1, -1);
    issue(4, 1, 1);
    cycle();
    assert_int_equal(answer.lane.warp, 2);
    assert_int_equal(answer.at_valid, 4);
    cycle();
    cycle();
    assert_int_equal(answer.lane.operand[0], 44);
    old_is(44, 1, 0);
    assert_int_equal(answer.at_valid, 6);
}

/* Without pending-retry, who would wait executes; without reuse, sources are where D-map says and nothing is counted. */
static void a_lane_without_queue_and_one_without_reuse(void **state) {
    rf_wir_lane_cfg cfg = two;
    (void)state;
    cfg.retry = 0;
    begin(&cfg);
    assert_int_equal(rf_wir_lane_places(&cfg), 2);
    retire(1, 0, 20, 0, 0, 0);
    issue(1, 1, 0);
    cycle();
    cycle();
    ask.allow = ask.wait = 1;
    cycle();
    assert_int_equal(answer.want_collector, 1);
    assert_int_equal(answer.leaves, 0);
    ask.allow = ask.wait = ask.collector = 1;
    cycle();
    assert_int_equal(answer.leaves, 1);
    assert_int_equal(answer.leads, 0);
    cfg.retry = 1, cfg.reuse = 0, cfg.pregs = 16;
    begin(&cfg);
    assert_int_equal(rf_wir_lane_places(&cfg), 2);
    for (uint32_t i = 0; i < 3; i++) {
        if (i == 0) issue(7, 1, 6);
        retire(7, 6, 5, 4, 1, 1);
        ask.allow = ask.hit = ask.wait = ask.port = ask.reserved = ask.walk = 1, ask.clear = 15;
        cycle();
        counted(-1, -1, -1);
        assert_int_equal(answer.walking + answer.walk_valid + answer.reused + answer.lk_valid + answer.leads, 0);
    }
    assert_int_equal(answer.lane.mapped, 1);
    assert_int_equal(answer.lane.operand[0], ((7 * 2 + 1) * 4 + (7 + 6) % 4) % 16);
    assert_int_equal(answer.lane.operand[1], 33);
    assert_int_equal(answer.want_collector, 1);
    old_is(0, 0, 0);
}

/* An executed instruction on its way to its result. */
typedef struct flight {
    uint32_t warp, dst, mask, old;
} flight;

/* A mapping begins when a hit or a result retires, and each one that begins is one reference (V-E). Who keeps a book of what the
 * outputs say, and behaves as rf_wir does (no hazard is overlooked; one thing a cycle at the rename port; partial writes of a
 * pinned register stay in place), has in it after every cycle just the mappings that there are. */
static void the_books_are_the_mappings(void **state) {
    static const rf_wir_lane_cfg cfg = SET(12, 3, 6, 2, 2, 2, 32, 4, 3, 1, 1, 1);
    uint32_t book[32] = {0}, flights = 0, reused = 0, released = 0, in_place = 0, queued = 0, wrote = 0;
    bool busy[4][6] = {{false}};
    flight on[24];
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 4);
    begin(&cfg);
    for (uint32_t c = 0; c < 20000; c++) {
        const uint32_t w = ls_rng_below(&rng, 4);
        bool lies_before[4][6] = {{false}}, there[4] = {false}, free_of = true;
        memset(&ask, 0, sizeof ask);
        issue(3 * w + 1, ls_rng_below(&rng, 6), ls_rng_below(&rng, 6));
        ask.issue.mask = ls_rng_chance(&rng, 64) ? 1 : 3, ask.issue.reuse = ls_rng_chance(&rng, 240);
        ask.allow = ls_rng_chance(&rng, 240), ask.hit = ls_rng_chance(&rng, 96), ask.wait = ls_rng_chance(&rng, 96);
        ask.port = ls_rng_chance(&rng, 128), ask.collector = ls_rng_chance(&rng, 160),
        ask.result = (uint16_t)ls_rng_below(&rng, 32);
        rf_wir_lane_comb(&model, &ask, &answer);
        for (uint32_t p = 0; p < rf_wir_lane_places(&cfg); p++) {
            if (!judge_bit(answer.at_valid, p)) continue;
            there[answer.at[p].warp / 3] = true;
            for (uint32_t k = 0; k < 2; k++)
                if (judge_bit(answer.at[p].src_valid, k)) lies_before[answer.at[p].warp / 3][answer.at[p].src[k]] = true;
        }
        for (uint32_t r = 0; r < 6; r++) free_of = free_of && !busy[w][r];
        if (free_of && !there[w] && ls_rng_chance(&rng, 32)) ask.clear = 1u << w;
        ask.issue_valid = answer.ready && !ask.clear && !judge_bit(answer.walking, w) && !busy[w][ask.issue.dst] &&
                          !busy[w][ask.issue.src[0]] && !lies_before[w][ask.issue.dst];
        if (ask.issue_valid) busy[w][ask.issue.dst] = true;
        ask.walk = answer.walk_valid && !answer.reused && ls_rng_chance(&rng, 128);
        if (flights > 0 && !ask.walk && !answer.reused && ls_rng_chance(&rng, 160)) {
            const uint32_t i = ls_rng_below(&rng, flights);
            const flight f = on[i];
            const bool partial = f.mask != 3, pinned = judge_bit(f.old, 0), place = partial && pinned;
            on[i] = on[--flights];
            retire(f.warp, f.dst, place ? f.old / 4 : ls_rng_below(&rng, 32), f.old / 4, !place && judge_bit(f.old, 1), partial);
            busy[f.warp / 3][f.dst] = false;
            if (!place) book[ask.done_reg]++;
            in_place += place, wrote++;
        }
        rf_wir_lane_step(&model, &ask, &answer);
        if (answer.reused) book[answer.inc_reg[0]]++, busy[answer.lane.warp / 3][answer.lane.dst] = false;
        else if (answer.leaves && answer.want_collector)
            on[flights++] = (flight){answer.lane.warp, answer.lane.dst, answer.lane.mask,
                                     answer.lane.old_preg * 4u + answer.lane.old_valid * 2u + answer.lane.old_pin};
        if (answer.dec) assert_true(book[answer.dec_reg]-- > 0);
        reused += answer.reused, released += ask.walk, queued += answer.leaves && !answer.reused && !answer.want_collector;
        uint32_t mapped[32] = {0};
        for (uint32_t t = 0; t < 4; t++)
            for (uint32_t r = 0; r < 6; r++)
                if (rf_rename_has(&model.rename, model.rename.valid_q, t, r)) mapped[model.rename.preg_q[t * 6 + r]]++;
        assert_memory_equal(mapped, book, sizeof book);
    }
    assert_true(reused > 500 && released > 500 && in_place > 50 && queued > 500 && wrote > 500);
}

/* Everything full: both registers, the queue, the tables, marks, and bits set in every field. */
static void fill(judge *j, rf_wir_lane_in *in) {
    slow_out now;
    start(j, 0, &model, &slow, &sets[FULL]);
    memset(in, 0xff, sizeof *in);
    in->issue.warp = 63, in->issue.port = 7, in->issue.op = 3, in->issue.src_valid = 0x15, in->issue.space = 3;
    in->issue_valid = in->issue.dst_valid = in->issue.reuse = in->issue.store = in->issue.store_shared = in->allow = 1;
    in->hit = in->port = in->collector = in->walk = in->reserved = 0, in->wait = in->done = 1, in->result = 1000;
    in->done_warp = 63, in->done_reg = 900, in->done_old = 4 * 901 + 2, in->clear = UINT64_C(1) << 63;
    for (uint32_t i = 0; i < SLOTS; i++) in->issue.imm[i] = (uint16_t)(1023 - i);
    for (uint32_t i = 0; i < 24; i++) step(j, &model, &slow, in, &now);
    judge_passes(j);
    assert_true(slow.rn.there && slow.ru.there && slow.length == 16 && now.offered);
    in->hit = in->port = in->reserved = 1;
}

static void reset_clears_every_register(void **state) {
    judge j;
    rf_wir_lane_in in;
    (void)state;
    fill(&j, &in);
    rf_wir_lane_reset(&model);
    slow_reset(&slow);
    memset(&wanted, 0, sizeof wanted);
    compare_state(&j, &slow, &model);
    judge_passes(&j);
    assert_memory_equal(&model.cfg, &sets[FULL], sizeof model.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    rf_wir_lane_cfg bad[3] = {sets[0], sets[0], sets[0]};
    (void)state;
    JUDGE_RANGES(rf_wir_lane, sets);
    bad[0].warps = 47, bad[1].warps = 1;
    for (size_t i = 0; i < 2; i++) judge_refused(&rf_wir_lane_unit, &bad[i], "warps", "issues");
    bad[2].reuse = 0, bad[2].banks = 24;
    judge_refused(&rf_wir_lane_unit, &bad[2], "banks", "32");
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    judge j;
    slow_out now;
    rf_wir_lane_in in;
    rf_wir_lane_out out, other, expected;
    (void)state;
    fill(&j, &in);
    memset(&out, 0xa5, sizeof out);
    memset(&other, 0x5a, sizeof other);
    rf_wir_lane_comb(&model, &in, &out);
    rf_wir_lane_comb(&model, &in, &other);
    slow_comb(&slow, &in, &now);
    compare_out(&j, &slow, &out, &now);
    judge_passes(&j);
    expect_out(&slow, &now, &expected);
    JUDGE_FLIPS(&j, rf_wir_lane, LS_OUT, &model, &out, judge_fields(&j, &outputs, &out, &expected));
    judge_lists_all(&outputs, &out, &other, sizeof out);
    JUDGE_LANE_FLIPS(&j, rf_wir_lane, LS_STATE, &model, &model, judge_fields(&j, &registers, &model, &wanted));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(a_hit_retires_as_the_page_draws_it),
        cmocka_unit_test(one_thing_retires_and_one_reference_ends),
        cmocka_unit_test(a_pinned_register_is_not_looked_up),
        cmocka_unit_test(two_wait_for_the_first_and_reuse_its_result),
        cmocka_unit_test(a_lane_without_queue_and_one_without_reuse),
        cmocka_unit_test(the_books_are_the_mappings),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir_lane", tests, NULL, NULL);
}
