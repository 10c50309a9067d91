/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir_reuse: its slow model (judge_wir_reuse.h) in step with the model, every output and every register in every
 * cycle; and what the header promises, with figures worked out by hand. */
#include "tb/wir/judge/judge_wir_reuse_events.h"

extern const ls_unit rf_wir_reuse_unit;

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct bench {
    judge j;
    judge_list outputs, registers;
    rf_wir_reuse m, expected;
    slow_reuse s;
    slow_turn now;
    rf_wir_reuse_in in;
    rf_wir_reuse_out out;
    uint8_t who[RF_REUSE_ENTRIES_MAX]; /* the warp that reserved the entry last */
} bench;

static void compare_state(bench *b) {
    expect_state(&b->s, &b->expected);
    judge_fields(&b->j, &b->registers, &b->m, &b->expected);
}

/* The units inside are of the sizes that the header tells. */
static void has_its_units(const rf_wir_reuse *m, const slow_reuse *s) {
    assert_memory_equal(&m->guard.cfg, &s->guard.cfg, sizeof m->guard.cfg);
    assert_memory_equal(&m->buffer.cfg, &s->buffer.cfg, sizeof m->buffer.cfg);
    assert_memory_equal(&m->count.cfg, &s->count.cfg, sizeof m->count.cfg);
}

static void start(bench *b, uint64_t seed, const rf_wir_reuse_cfg *cfg) {
    memset(b, 0, sizeof *b);
    judge_begin(&b->j, seed, "rf_wir_reuse warps=%u blocks=%u entries=%u issues=%u slots=%u pregs=%u countw=%u", cfg->warps,
                cfg->blocks, cfg->entries, cfg->issues, cfg->slots, cfg->pregs, cfg->countw);
    memset(&b->m, 0xa5, sizeof b->m);
    assert_int_equal(rf_wir_reuse_init(&b->m, cfg), 0);
    judge_list_of(&b->outputs, &rf_wir_reuse_unit, LS_OUT, &b->m);
    judge_list_of(&b->registers, &rf_wir_reuse_unit, LS_STATE, &b->m);
    assert_memory_equal(&b->m.cfg, cfg, sizeof *cfg);
    slow_start(&b->s, cfg);
    has_its_units(&b->m, &b->s);
    compare_state(b);
}

/* One cycle of both with the inputs b->in, everything compared; comb must leave the model alone, and step be comb and clock. */
static void step(bench *b) {
    static rf_wir_reuse before, stepped;
    rf_wir_reuse_out at_once;
    memcpy(&before, &b->m, sizeof before);
    memcpy(&stepped, &b->m, sizeof stepped);
    memset(&b->out, 0xa5, sizeof b->out);
    memset(&at_once, 0xa5, sizeof at_once);
    rf_wir_reuse_comb(&b->m, &b->in, &b->out);
    judge_same(&before, &b->m, sizeof before);
    rf_wir_reuse_step(&stepped, &b->in, &at_once);
    judge_same(&b->out, &at_once, sizeof at_once);
    slow_comb(&b->s, &b->in, &b->now);
    judge_fields(&b->j, &b->outputs, &b->out, &b->now.out);
    rf_wir_reuse_clock(&b->m, &b->in);
    judge_same(&stepped, &b->m, sizeof stepped);
    slow_clock(&b->s, &b->now);
    compare_state(b);
    for (uint32_t g = 0; g < b->s.cfg.issues; g++)
        if (b->now.buffer.reserved[g]) b->who[b->now.buffer.index[g]] = b->in.lane_warp[g];
    b->j.cycle++;
}

static void reset(bench *b) {
    rf_wir_reuse_reset(&b->m);
    slow_reset(&b->s);
    memset(&b->expected, 0, sizeof b->expected);
    compare_state(b);
    assert_memory_equal(&b->m.cfg, &b->s.cfg, sizeof b->m.cfg);
    has_its_units(&b->m, &b->s);
}

/* --- random instructions -----------------------------------------------------------------------------------------------------
 */

#define SET(w, b, e, i, s, p, c)                                                                                                 \
    { .warps = (w), .blocks = (b), .entries = (e), .issues = (i), .slots = (s), .pregs = (p), .countw = (c) }
static const rf_wir_reuse_cfg sets[] = {
    SET(1, 1, 1, 1, 1, 2, 2),     SET(6, 3, 4, 2, 2, 12, 3),      SET(5, 2, 8, 1, 3, 33, 4),
    SET(12, 4, 2, 4, 3, 64, 5),   SET(9, 5, 16, 3, 5, 100, 2),    SET(48, 8, 256, 2, 3, 1024, 10),
    SET(33, 11, 32, 4, 1, 7, 16), SET(64, 16, 512, 2, 6, 999, 3), SET(8, 2, 1, 2, 4, 16, 4),
};
static const uint64_t lengths[] = {20000, 45000, 30000, 40000, 30000, 4000, 20000, 2500, 30000};
enum { FULL_SET = 7, PEOPLE = 24, LEADERS = 32 };

/* An instruction as the lanes bring it; its block and barrier count come from the guard. */
typedef struct person {
    uint32_t opcode, space, operand[SLOTS];
} person;

/* What 128 cycles have in common, in 256ths. */
typedef struct knobs {
    uint32_t look, obey, leave, lead, done, follow, low, begin, flush, bar, fence, launch, store, inc, dec, results, wild, same;
    uint32_t people, warps, regs;
    uint16_t reg[8];
    person person[PEOPLE];
} knobs;

/* Leaders on their way. */
typedef struct leaders {
    uint64_t info[LEADERS];
    uint32_t n;
} leaders;

static uint32_t some(ls_rng *rng) { return ls_rng_chance(rng, 64) ? 0 : ls_rng_chance(rng, 85) ? 256 : ls_rng_below(rng, 257); }

/* 0 half of the time. */
static uint32_t rare(ls_rng *rng, uint32_t most) { return ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, most); }

static uint16_t any_preg(ls_rng *rng, const rf_wir_reuse_cfg *cfg) {
    return (uint16_t)ls_rng_below(rng, judge_codes(cfg->pregs));
}

static void turn(ls_rng *rng, const rf_wir_reuse_cfg *cfg, knobs *k) {
    memset(k, 0, sizeof *k);
    k->look = 256 - rare(rng, 257), k->obey = 256 - rare(rng, 64), k->leave = some(rng), k->lead = 256 - rare(rng, 257);
    k->done = some(rng), k->follow = rare(rng, 64), k->low = ls_rng_chance(rng, 128) ? 0 : some(rng);
    k->begin = rare(rng, 32), k->flush = rare(rng, 16), k->bar = rare(rng, 64), k->fence = rare(rng, 48);
    k->launch = rare(rng, 48), k->store = rare(rng, 96), k->inc = rare(rng, 257), k->dec = rare(rng, 257);
    k->results = rare(rng, 257), k->wild = rare(rng, 64), k->same = rare(rng, 200);
    k->people = 1 + ls_rng_below(rng, PEOPLE), k->regs = 1 + ls_rng_below(rng, COUNT(k->reg));
    k->warps = ls_rng_chance(rng, 64) ? cfg->warps : 1 + ls_rng_below(rng, cfg->warps);
    for (uint32_t i = 0; i < COUNT(k->reg); i++) k->reg[i] = any_preg(rng, cfg);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        person *p = &k->person[i];
        *p = (person){.opcode = ls_rng_below(rng, 256), .space = ls_rng_below(rng, 4)};
        if (ls_rng_chance(rng, 64)) p->opcode |= (uint32_t)ls_mask(cfg->slots);
        for (uint32_t s = 0; s < cfg->slots; s++) p->operand[s] = ls_rng_chance(rng, 64) ? any_preg(rng, cfg) : k->reg[s];
        if (i > 0 && ls_rng_chance(rng, 64)) p->opcode = p[-1].opcode, memcpy(p->operand, p[-1].operand, sizeof p->operand);
    }
}

static uint16_t draw_reg(ls_rng *rng, const rf_wir_reuse_cfg *cfg, const knobs *k) {
    return ls_rng_chance(rng, k->wild) ? any_preg(rng, cfg) : k->reg[ls_rng_below(rng, k->regs)];
}

static uint8_t draw_warp(ls_rng *rng, const rf_wir_reuse_cfg *cfg, const knobs *k) {
    return (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, k->wild) ? judge_codes(cfg->warps) : k->warps);
}

static void draw_happenings(ls_rng *rng, const rf_wir_reuse_cfg *cfg, const knobs *k, rf_wir_reuse_in *in) {
    in->launch = in->fence = 0;
    for (uint32_t i = 0; i < 2; i++) {
        if (ls_rng_chance(rng, k->launch)) in->launch |= UINT64_C(1) << ls_rng_below(rng, cfg->warps);
        if (ls_rng_chance(rng, k->fence)) in->fence |= UINT64_C(1) << ls_rng_below(rng, cfg->warps);
    }
    for (uint32_t w = 0; w < cfg->warps; w++)
        if (ls_rng_chance(rng, judge_bit(in->launch, w) ? 64 : k->wild / 16))
            in->block[w] = (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, k->wild) ? judge_codes(cfg->blocks) : cfg->blocks);
    in->start = (uint16_t)ls_rng_bits(rng, cfg->blocks, k->begin), in->flush = ls_rng_chance(rng, k->flush);
    in->bar = (uint16_t)ls_rng_bits(rng, cfg->blocks, k->bar);
    in->low = ls_rng_chance(rng, k->low);
}

static void draw_references(ls_rng *rng, const rf_wir_reuse_cfg *cfg, const knobs *k, rf_wir_reuse_in *in) {
    for (uint32_t g = 0; g < cfg->issues; g++) {
        in->lane_inc[g] = (uint8_t)ls_rng_bits(rng, cfg->slots, k->inc);
        in->results_inc[g] = (uint8_t)ls_rng_bits(rng, 2, k->results);
        for (uint32_t s = 0; s < cfg->slots; s++) in->lane_inc_reg[g * cfg->slots + s] = draw_reg(rng, cfg, k);
        for (uint32_t i = 0; i < 2; i++) in->results_inc_reg[g * 2 + i] = draw_reg(rng, cfg, k);
        in->lane_dec_reg[g] = draw_reg(rng, cfg, k), in->results_dec_reg[g] = draw_reg(rng, cfg, k);
        in->own_reg[g] = draw_reg(rng, cfg, k);
    }
    in->lane_dec = (uint8_t)ls_rng_bits(rng, cfg->issues, k->dec);
    in->results_dec = (uint8_t)ls_rng_bits(rng, cfg->issues, k->results);
}

/* Results: a leader's that is on its way, one who follows with a leader's index, anything. */
static void draw_done(ls_rng *rng, const rf_wir_reuse_cfg *cfg, const knobs *k, leaders *l, rf_wir_reuse_in *in) {
    const uint32_t p = bits_for(cfg->pregs), width = 3 + p + bits_for(cfg->entries);
    in->done = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        in->done_reg[g] = draw_reg(rng, cfg, k);
        in->done_info[g] = ls_rng_value(rng, width) & ~(UINT64_C(1) << (p + 2));
        if (l->n > 0) {
            const uint32_t i = ls_rng_below(rng, l->n);
            in->done_info[g] = l->info[i];
            if (ls_rng_chance(rng, k->follow)) in->done_info[g] &= ~(UINT64_C(1) << (p + 2));
            else if (ls_rng_chance(rng, k->done)) l->info[i] = l->info[--l->n], in->done |= (uint8_t)(1u << g);
        } else if (ls_rng_chance(rng, k->done / 2)) in->done |= (uint8_t)(1u << g);
        if (ls_rng_chance(rng, k->wild)) in->done_info[g] = ls_rng_value(rng, width), in->done ^= (uint8_t)(1u << g);
    }
}

/* What a lane does with the answers: it looks up where it may, leaves with a hit or to wait or to execute, and leads then. */
static void draw_lanes(ls_rng *rng, bench *b, const knobs *k) {
    const rf_wir_reuse_cfg *cfg = &b->s.cfg;
    rf_wir_reuse_in *in = &b->in;
    const uint32_t first = ls_rng_below(rng, k->people);
    in->leads = in->leaves = 0, in->lk_valid = (uint8_t)ls_rng_bits(rng, cfg->issues, k->look);
    in->st_valid = (uint8_t)ls_rng_bits(rng, cfg->issues, k->store), in->st_shared = (uint8_t)ls_rng_value(rng, cfg->issues);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const person *p = &k->person[ls_rng_chance(rng, k->same) ? first : ls_rng_below(rng, k->people)];
        in->lane_warp[g] = draw_warp(rng, cfg, k);
        in->st_warp[g] = ls_rng_chance(rng, 64) ? in->lane_warp[g] : draw_warp(rng, cfg, k);
        in->lane_space[g] = (uint8_t)p->space, in->lane_opcode[g] = (uint8_t)p->opcode;
        for (uint32_t s = 0; s < cfg->slots; s++) in->lane_operand[g * cfg->slots + s] = (uint16_t)p->operand[s];
        in->lane_back[g] = (uint16_t)ls_rng_value(rng, bits_for(cfg->pregs) + 2);
    }
    slow_comb(&b->s, in, &b->now);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool leave = ls_rng_chance(rng, k->leave), wild = ls_rng_chance(rng, k->wild);
        if (!b->now.guard.allow[g] && ls_rng_chance(rng, k->obey)) in->lk_valid &= (uint8_t) ~(1u << g);
        if (leave) in->leaves |= (uint8_t)(1u << g);
        if (wild ? ls_rng_chance(rng, 128)
                 : leave && judge_bit(in->lk_valid, g) && !b->now.buffer.hit[g] && !b->now.buffer.wait[g] &&
                       ls_rng_chance(rng, k->lead))
            in->leads |= (uint8_t)(1u << g);
    }
}

static void follow(const bench *b, leaders *l) {
    for (uint32_t g = 0; g < b->s.cfg.issues; g++)
        if (b->now.buffer.reserved[g] && l->n < LEADERS) l->info[l->n++] = b->out.info[g];
}

static bool anything(const slow_reuse *s) {
    bool result = false, place = false;
    for (uint32_t e = 0; e < s->cfg.entries; e++) result |= has_result(&s->buffer.entry[e]);
    for (uint32_t p = 0; p < s->count.cfg.incs; p++) place |= s->count.place[p].used;
    return result && place && s->guard.active;
}

static void run(const rf_wir_reuse_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static bench b;
    static leaders l;
    static knobs k;
    ls_rng rng;
    start(&b, seed, cfg);
    l.n = 0;
    ls_rng_seed(&rng, seed);
    for (uint32_t w = 0; w < cfg->warps; w++) b.in.block[w] = (uint8_t)(w % cfg->blocks);
    while (b.j.cycle < cycles) {
        if (b.j.cycle % 128 == 0) turn(&rng, cfg, &k);
        draw_happenings(&rng, cfg, &k, &b.in);
        draw_references(&rng, cfg, &k, &b.in);
        draw_done(&rng, cfg, &k, &l, &b.in);
        draw_lanes(&rng, &b, &k);
        slow_comb(&b.s, &b.in, &b.now);
        count(&b.s, &b.in, &b.now, b.who, seen);
        step(&b);
        follow(&b, &l);
        if (ls_rng_below(&rng, 1024) != 0) continue;
        seen[RESET] += anything(&b.s);
        reset(&b);
        l.n = ls_rng_chance(&rng, 64) ? l.n : 0;
    }
    judge_passes(&b.j);
}

static void random_instructions(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_wir_reuse"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* --- what the header promises, by hand ---------------------------------------------------------------------------------------
 */

static bench hand;
/* Two groups, two sources. Info: {index 3, leader 1, old register 4, valid 1, pinned 1}. References: five ports a group. */
static const rf_wir_reuse_cfg two = SET(8, 4, 8, 2, 2, 16, 4);

static void begin(const rf_wir_reuse_cfg *cfg) {
    start(&hand, 0, cfg);
    for (uint32_t w = 0; w < cfg->warps; w++) hand.in.block[w] = (uint8_t)(w % cfg->blocks);
}

/* A cycle, and its requests are gone. */
static void cycle(void) {
    rf_wir_reuse_in *in = &hand.in;
    step(&hand);
    judge_passes(&hand.j);
    in->launch = in->fence = in->start = in->bar = in->flush = in->st_valid = 0;
    in->lk_valid = in->leads = in->leaves = in->lane_dec = in->done = in->low = in->results_dec = 0;
    memset(in->lane_inc, 0, sizeof in->lane_inc), memset(in->results_inc, 0, sizeof in->results_inc);
}

/* f(p`a`, p`b`) of a warp of group g; opcode 7 is 1 and two registers. */
static void look_up(uint32_t g, uint32_t warp, rf_space space, uint32_t a, uint32_t b) {
    hand.in.lk_valid |= (uint8_t)(1u << g);
    hand.in.lane_warp[g] = (uint8_t)warp, hand.in.lane_space[g] = (uint8_t)space, hand.in.lane_opcode[g] = 7;
    hand.in.lane_operand[g * 2] = (uint16_t)a, hand.in.lane_operand[g * 2 + 1] = (uint16_t)b;
    hand.in.lane_back[g] = 0;
}

/* It executes, and leads if it can. */
static void lead(uint32_t g) { hand.in.leads |= (uint8_t)(1u << g), hand.in.leaves |= (uint8_t)(1u << g); }

static void finish(uint32_t g, uint64_t info, uint32_t reg) {
    hand.in.done |= (uint8_t)(1u << g), hand.in.done_info[g] = info, hand.in.done_reg[g] = (uint16_t)reg;
}

/* The tag: opcode in bits 0 .. 7, operands from 8 and 12 on, the block from 16 on (3 bits; none is 4: bit 18), the barrier from
 * 19 on; three bits of index. f(p3, p5) without a block: bits 0, 9, 12, 18 make 0, bit 1 makes 2, bits 2, 8, 14 make 4: index 6.
 */
static void the_first_computes_and_the_others_reuse(void **state) {
    (void)state;
    begin(&two);
    look_up(1, 1, RF_SPACE_NONE, 3, 5);
    lead(1);
    hand.in.lane_back[1] = 9 << 2 | 3;
    cycle();
    assert_int_equal(hand.out.allow, 3);
    assert_int_equal(hand.out.hit | hand.out.wait, 0);
    assert_int_equal(hand.out.reserved, 2);
    assert_int_equal(hand.out.info[1], 6 << 7 | 1 << 6 | 9 << 2 | 3);
    assert_int_equal(hand.out.info[0], 0);
    look_up(0, 6, RF_SPACE_NONE, 3, 5);
    hand.in.lane_back[0] = 4 << 2 | 2;
    lead(0);
    cycle();
    assert_int_equal(hand.out.wait, 1);
    assert_int_equal(hand.out.reserved, 0);
    assert_int_equal(hand.out.info[0], 6 << 7 | 4 << 2 | 2); /* the index, not the lead */
    finish(0, 6 << 7 | 9 << 2 | 3, 10);                      /* somebody else's: no leader */
    cycle();
    finish(0, 6 << 7 | 1 << 6 | 9 << 2 | 3, 11); /* through the other group's port */
    look_up(1, 3, RF_SPACE_NONE, 3, 5);
    cycle();
    assert_int_equal(hand.out.wait, 2);
    look_up(0, 2, RF_SPACE_NONE, 3, 5);
    look_up(1, 3, RF_SPACE_NONE, 5, 3);
    cycle();
    assert_int_equal(hand.out.hit, 1);
    assert_int_equal(hand.out.result[0], 11);
    assert_int_equal(hand.out.result[1] | hand.out.wait, 0);
    assert_int_equal(hand.out.info[0], 6 << 7);
    hand.in.lane_back[0] = 63; /* who does not look has no index, but an old mapping */
    cycle();
    assert_int_equal(hand.out.hit, 0);
    assert_int_equal(hand.out.info[0], 63);
}

/* All that is counted in one cycle, and where: group 0's +1 from place 0 on, group 1's from 5, the -1 from 10 and 15. */
static void every_reference_has_its_port(void **state) {
    static const struct {
        uint32_t place, reg, delta;
    } places[] = {{0, 2, 1},  {1, 3, 1},    {2, 4, 1},    {3, 6, 1},   {4, 7, 1},   {5, 8, 1},    {6, 9, 1},  {8, 12, 1},
                  {9, 13, 1}, {13, 14, 63}, {14, 15, 63}, {15, 1, 63}, {16, 5, 63}, {17, 11, 63}, {19, 0, 63}};
    uint64_t used = 0;
    (void)state;
    begin(&two);
    look_up(0, 0, RF_SPACE_NONE, 1, 5); /* without bit 9: index 7 */
    lead(0);
    cycle();
    assert_int_equal(hand.out.info[0], 7 << 7 | 1 << 6);
    finish(1, hand.out.info[0], 11);
    look_up(0, 0, RF_SPACE_NONE, 3, 5);
    lead(0);
    cycle();
    finish(0, hand.out.info[0], 4);
    look_up(1, 1, RF_SPACE_NONE, 1, 5);
    hand.in.lane_opcode[1] = 7 ^ 0x48; /* bits 3 and 6 make 0: index 7 as well */
    lead(1);
    hand.in.lane_inc[0] = hand.in.lane_inc[1] = hand.in.results_inc[0] = hand.in.results_inc[1] = 3;
    for (uint32_t i = 0; i < 2; i++) {
        hand.in.lane_inc_reg[i] = (uint16_t)(2 + i), hand.in.lane_inc_reg[2 + i] = (uint16_t)(8 + i);
        hand.in.results_inc_reg[i] = (uint16_t)(6 + i), hand.in.results_inc_reg[2 + i] = (uint16_t)(12 + i);
    }
    hand.in.results_dec = 1, hand.in.lane_dec = 3;
    hand.in.results_dec_reg[0] = 14, hand.in.results_dec_reg[1] = 10;
    hand.in.lane_dec_reg[0] = 15, hand.in.lane_dec_reg[1] = 0;
    cycle();
    assert_int_equal(hand.out.reserved, 2);
    for (uint32_t i = 0; i < COUNT(places); i++) {
        used |= UINT64_C(1) << places[i].place;
        assert_int_equal(hand.m.count.reg_q[places[i].place], places[i].reg);
        assert_int_equal(hand.m.count.delta_q[places[i].place], places[i].delta);
    }
    assert_int_equal(hand.m.count.place_q, used);
    hand.in.own_reg[0] = 4, hand.in.own_reg[1] = 1;
    cycle();
    assert_int_equal(hand.out.own, 0);
    cycle();
    assert_int_equal(hand.out.own, 1);
    assert_int_equal(hand.m.count.count_q[4], 1);
    assert_int_equal(hand.m.count.count_q[13], 1);
}

/* V-E: "a warp register is returned to the free pool when no reference to the register is left", two a cycle. */
static void who_is_named_no_more_comes_back(void **state) {
    (void)state;
    begin(&two);
    hand.in.results_inc[0] = 3, hand.in.results_inc[1] = 1;
    hand.in.results_inc_reg[0] = 3, hand.in.results_inc_reg[1] = 9, hand.in.results_inc_reg[2] = 12;
    cycle();
    hand.in.lane_dec = 3, hand.in.results_dec = 1;
    hand.in.lane_dec_reg[0] = 3, hand.in.lane_dec_reg[1] = 12, hand.in.results_dec_reg[0] = 9;
    cycle();
    cycle();
    assert_int_equal(hand.out.back, 0);
    cycle();
    assert_int_equal(hand.out.back, 3);
    assert_int_equal(hand.out.back_reg[0], 3);
    assert_int_equal(hand.out.back_reg[1], 9);
    cycle();
    assert_int_equal(hand.out.back, 1);
    assert_int_equal(hand.out.back_reg[0], 12);
    assert_int_equal(hand.out.back_reg[1], 0);
}

/* V-E: "a miss in the reuse buffer ... evicts the entry". */
static void in_low_mode_a_miss_evicts(void **state) {
    (void)state;
    begin(&two);
    look_up(0, 0, RF_SPACE_NONE, 1, 5);
    lead(0);
    cycle();
    finish(0, hand.out.info[0], 11);
    cycle();
    look_up(0, 0, RF_SPACE_NONE, 1, 5);
    hand.in.lane_opcode[0] = 7 ^ 0x48;
    lead(0);
    hand.in.low = 1;
    cycle();
    assert_int_equal(hand.out.reserved | hand.out.hit, 0);
    assert_int_equal(hand.out.info[0], 7 << 7);
    assert_int_equal(hand.m.buffer.valid_q[7] | hand.m.buffer.pending_q[7], 0);
    assert_int_equal(hand.m.count.place_q, 7 << 10); /* p1, p5 and the result */
    assert_int_equal(hand.m.count.reg_q[12], 11);
}

/* Puts a result into entry 1: f(p0, p1) has bits 0, 1, 2, 12, 18: 7 ^ 1 ^ 1 = 7; opcode 1 and bit 18: 1 ^ 1 = 0; opcode 2: 3. */
static void put_result(uint32_t opcode, uint32_t index, uint32_t reg) {
    look_up(0, 0, RF_SPACE_NONE, 0, 0);
    hand.in.lane_opcode[0] = (uint8_t)opcode;
    lead(0);
    cycle();
    assert_int_equal(hand.out.info[0], index << 7 | 1 << 6);
    finish(0, hand.out.info[0], reg);
    cycle();
    assert_int_equal(hand.m.buffer.valid_q[index], 1);
}

/* ... "or an entry is randomly evicted if there was no access in a cycle": the number of x^16 + x^14 + x^13 + x^11 + 1 from
 * 0xace1 on is 0xe270, 0x7138, 0x389c, 0x1c4e, 0x0e27, 0xb313, 0xed89, 0xc2c4 after 1, 2, ... 8 steps. */
static void in_low_mode_an_entry_is_drawn(void **state) {
    static const uint16_t numbers[] = {0xace1, 0xe270, 0x7138, 0x389c, 0x1c4e, 0x0e27, 0xb313, 0xed89, 0xc2c4};
    (void)state;
    begin(&two);
    for (uint32_t i = 0; i < COUNT(numbers); i++) {
        cycle();
        assert_int_equal(hand.out.random, numbers[i]);
    }
    begin(&two);
    put_result(0x40 | 6, 6, 9);  /* 0x46, block none: 2, 1, 0, 0 -> index 6; 0xe270 and 0x7138 go by, 0x389c: entry 4 */
    put_result(0x40 | 7, 7, 10); /* to 0x0e27 */
    assert_int_equal(hand.m.lfsr.value_q, 0x1c4e);
    look_up(1, 1, RF_SPACE_NONE, 2, 2), hand.in.leaves = 2, hand.in.low = 1;
    cycle(); /* 0x1c4e names 6: not, for somebody leaves after a look */
    assert_int_equal(hand.m.buffer.valid_q[6], 1);
    hand.in.leaves = 2, hand.in.low = 1, look_up(0, 1, RF_SPACE_NONE, 2, 2);
    cycle(); /* 0x0e27 names 7: one looks and stays, the other leaves without a look */
    assert_int_equal(hand.m.buffer.valid_q[7], 0);
    assert_int_equal(hand.m.count.place_q, 5u << 10); /* opcode 0x47: two registers, p0 both, and the result */
    cycle();
    assert_int_equal(hand.m.buffer.valid_q[6], 1);
}

/* D-sweep: a block that starts has its entries removed, one index a cycle, and nothing is drawn meanwhile. */
static void a_sweep_goes_before_a_draw(void **state) {
    (void)state;
    begin(&two);
    look_up(0, 1, RF_SPACE_SHARED, 0, 0); /* opcode 7, block 1: bit 16: 7 ^ 2 = 5 */
    lead(0);
    cycle();
    assert_int_equal(hand.out.info[0], 5 << 7 | 1 << 6);
    finish(0, hand.out.info[0], 9);
    cycle();
    put_result(6, 7, 10); /* bits 1, 2, 18: of no block */
    hand.in.start = 2;
    cycle();
    for (uint32_t i = 0; i <= 8; i++) {
        hand.in.low = 1;
        if (i == 6) look_up(0, 0, RF_SPACE_NONE, 4, 4), hand.in.leaves = 1; /* leaves after a look: the sweep goes on */
        look_up(1, 5, RF_SPACE_SHARED, 0, 0);
        cycle();
        assert_int_equal(hand.out.allow & 2, 0);
        assert_int_equal(hand.m.guard.active_q, i < 8);
        if (i > 0) assert_int_equal(hand.m.buffer.valid_q[5], i < 6);
        if (i == 0) assert_int_equal(hand.m.lfsr.value_q, 0xb313); /* the cycle of the choice drew 0x0e27: entry 7 */
        assert_int_equal(hand.m.buffer.valid_q[7], 0);
    }
    look_up(1, 5, RF_SPACE_SHARED, 0, 0);
    cycle();
    assert_int_equal(hand.out.allow, 3);
    assert_int_equal(hand.out.hit, 0);
}

/* A sweep's step waits while a result comes into its entry, and does not pass the entry by. */
static void a_sweep_waits_for_a_result(void **state) {
    (void)state;
    begin(&two);
    look_up(0, 1, RF_SPACE_SHARED, 0, 0);
    lead(0);
    cycle();
    hand.in.flush = 1;
    cycle();
    for (uint32_t i = 0; i < 6; i++) cycle(); /* the choice, entries 0 to 4 */
    assert_int_equal(hand.m.guard.index_q, 5);
    finish(1, 5 << 7 | 1 << 6, 9);
    cycle();
    assert_int_equal(hand.m.guard.index_q, 5);
    assert_int_equal(hand.m.buffer.valid_q[5], 1);
    assert_int_equal(hand.m.buffer.result_q[5], 9);
    cycle();
    assert_int_equal(hand.m.guard.index_q, 6);
    assert_int_equal(hand.m.buffer.valid_q[5], 0);
    assert_int_equal(hand.m.count.place_q, 5 << 10); /* p0 twice, and p9 */
}

/* VI-A, Fig. 10: a scratchpad load reuses one of its block, with the same count of barriers, before its warp has stored. */
static void loads_reuse_as_figure_10_has_it(void **state) {
    (void)state;
    begin(&two);
    look_up(0, 1, RF_SPACE_SHARED, 0, 0);
    lead(0);
    cycle();
    finish(0, hand.out.info[0], 9);
    hand.in.st_valid = 2, hand.in.st_warp[1] = 5, hand.in.st_shared = 2; /* warp 5 of the block stores */
    look_up(1, 5, RF_SPACE_SHARED, 0, 0);
    cycle();
    assert_int_equal(hand.out.allow & 2, 2); /* what it stores counts from the next cycle on */
    assert_int_equal(hand.out.wait, 2);
    look_up(0, 1, RF_SPACE_SHARED, 0, 0), look_up(1, 2, RF_SPACE_SHARED, 0, 0);
    cycle();
    assert_int_equal(hand.out.allow, 3);
    assert_int_equal(hand.out.hit, 1);
    assert_int_equal(hand.out.result[0], 9);
    look_up(0, 5, RF_SPACE_SHARED, 0, 0), hand.in.lk_valid = 0;
    hand.in.bar = 2;
    cycle();
    assert_int_equal(hand.out.allow, 2);
    look_up(0, 5, RF_SPACE_SHARED, 0, 0); /* barrier count 1: bit 19 as well: 5 ^ 2 = 7 */
    lead(0);
    cycle();
    assert_int_equal(hand.out.allow & 1, 1);
    assert_int_equal(hand.out.hit, 0);
    assert_int_equal(hand.out.info[0], 7 << 7 | 1 << 6);
}

/* Everything there, for the tests below. */
static void fill(void) {
    ls_rng rng;
    static leaders l;
    static knobs k;
    start(&hand, 0, &sets[FULL_SET]);
    ls_rng_seed(&rng, 3);
    l.n = 0;
    turn(&rng, &sets[FULL_SET], &k);
    k.look = k.obey = k.leave = k.lead = 256, k.people = PEOPLE, k.done = 100, k.regs = 8, k.inc = k.results = 250;
    k.dec = 16, k.same = k.low = 0, k.flush = 0, k.begin = 4, k.bar = 64, k.fence = 16, k.store = 64, k.wild = 8;
    for (uint32_t i = 0; i < 600; i++) {
        for (uint32_t p = 0; p < PEOPLE; p++) k.person[p].opcode = ls_rng_below(&rng, 256);
        draw_happenings(&rng, &sets[FULL_SET], &k, &hand.in);
        draw_references(&rng, &sets[FULL_SET], &k, &hand.in);
        draw_done(&rng, &sets[FULL_SET], &k, &l, &hand.in);
        draw_lanes(&rng, &hand, &k);
        step(&hand);
        follow(&hand, &l);
    }
    judge_passes(&hand.j);
    assert_true(anything(&hand.s));
}

static void reset_clears_every_register(void **state) {
    (void)state;
    fill();
    reset(&hand);
    judge_passes(&hand.j);
    assert_int_equal(hand.m.lfsr.value_q, 0xace1);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const struct {
        rf_wir_reuse_cfg cfg;
        const char *name, *high;
    } bad[] = {{SET(8, 4, 24, 2, 2, 16, 4), "entries", "512"},
               {SET(8, 4, 8, 4, 4, 16, 4), "issues", "24"},
               {SET(8, 4, 8, 3, 6, 16, 4), "issues", "24"}};
    (void)state;
    JUDGE_RANGES(rf_wir_reuse, sets);
    for (size_t i = 0; i < COUNT(bad); i++) judge_refused(&rf_wir_reuse_unit, &bad[i].cfg, bad[i].name, bad[i].high);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_wir_reuse_out out, other, expected;
    (void)state;
    fill();
    memset(&out, 0xa5, sizeof out);
    memset(&other, 0x5a, sizeof other);
    rf_wir_reuse_comb(&hand.m, &hand.in, &out);
    rf_wir_reuse_comb(&hand.m, &hand.in, &other);
    slow_comb(&hand.s, &hand.in, &hand.now);
    expected = hand.now.out;
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_reuse, LS_OUT, &hand.m, &out, judge_fields(&hand.j, &hand.outputs, &out, &expected));
    judge_lists_all(&hand.outputs, &out, &other, sizeof out);
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_reuse, LS_STATE, &hand.m, &hand.m, compare_state(&hand));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(the_first_computes_and_the_others_reuse),
        cmocka_unit_test(every_reference_has_its_port),
        cmocka_unit_test(who_is_named_no_more_comes_back),
        cmocka_unit_test(in_low_mode_a_miss_evicts),
        cmocka_unit_test(in_low_mode_an_entry_is_drawn),
        cmocka_unit_test(a_sweep_goes_before_a_draw),
        cmocka_unit_test(a_sweep_waits_for_a_result),
        cmocka_unit_test(loads_reuse_as_figure_10_has_it),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir_reuse", tests, NULL, NULL);
}
