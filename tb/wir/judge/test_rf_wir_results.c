/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir_results; its slow model is in judge_wir_results.h, what it must have seen in judge_wir_results_events.h. */
#include "tb/common/judge/judge_fields.h"
#include "tb/wir/judge/judge_wir_results_events.h"
#include "tb/wir/env/rf_h3_collide.h"

extern const ls_unit rf_wir_results_unit;

/* --- comparison --------------------------------------------------------------------------------------------------------------
 */

typedef struct bench {
    judge j;
    judge_list outputs, registers;
    rf_wir_results m, expected;
    slow_results s;
    slow_turn now;
    rf_wir_results_in in;
    rf_wir_results_out out;
} bench;

static void compare_state(bench *b) {
    expect_state(&b->s, &b->expected);
    judge_fields(&b->j, &b->registers, &b->m, &b->expected);
}

static void start(bench *b, uint64_t seed, const rf_wir_results_cfg *c) {
    memset(b, 0, sizeof *b);
    judge_begin(&b->j, seed,
                "rf_wir_results %u warps %u regs %u lanes %u/%u banks %u stages %u depth %u pregs %u info %u x%u %u%u %u %u %u",
                c->warps, c->regs, c->lanes, c->exports, c->issues, c->banks, c->stages, c->wbdepth, c->pregs, c->infow,
                c->verifiers, c->reuse, c->vsb, c->ventries, c->vcache, c->capped);
    memset(&b->m, 0xa5, sizeof b->m);
    assert_int_equal(rf_wir_results_init(&b->m, c), 0);
    judge_list_of(&b->outputs, &rf_wir_results_unit, LS_OUT, &b->m);
    judge_list_of(&b->registers, &rf_wir_results_unit, LS_STATE, &b->m);
    assert_memory_equal(&b->m.cfg, c, sizeof *c);
    b->s.cfg = *c;
    slow_reset(&b->s);
    compare_state(b);
}

/* One cycle of both with the inputs b->in, everything compared; comb must leave the model alone, and step, every second cycle, do
 * what comb and clock do. */
static void step(bench *b) {
    static rf_wir_results before, stepped;
    rf_wir_results_out at_once;
    memcpy(&before, &b->m, sizeof before);
    memcpy(&stepped, &b->m, sizeof stepped);
    memset(&b->out, 0xa5, sizeof b->out);
    memset(&at_once, 0xa5, sizeof at_once);
    rf_wir_results_comb(&b->m, &b->in, &b->out);
    judge_same(&before, &b->m, sizeof before);
    if (b->j.cycle % 2 == 0) {
        rf_wir_results_step(&stepped, &b->in, &at_once);
        judge_same(&b->out, &at_once, sizeof at_once);
    }
    slow_comb(&b->s, &b->in, &b->now);
    judge_fields(&b->j, &b->outputs, &b->out, &b->now.out);
    rf_wir_results_clock(&b->m, &b->in);
    if (b->j.cycle % 2 == 0) judge_same(&stepped, &b->m, sizeof stepped);
    slow_clock(&b->s, &b->in, &b->now);
    compare_state(b);
    b->j.cycle++;
}

/* --- random results ----------------------------------------------------------------------------------------------------------
 */

#define SET(w, r, l, e, i, bk, st, d, p, n, v, u, vs, ve, vc, cp)                                                                \
    {                                                                                                                            \
        .warps = (w), .regs = (r), .lanes = (l), .exports = (e), .issues = (i), .banks = (bk), .stages = (st), .wbdepth = (d),   \
        .pregs = (p), .infow = (n), .verifiers = (v), .reuse = (u), .vsb = (vs), .ventries = (ve), .vcache = (vc),               \
        .capped = (cp)                                                                                                           \
    }
static const struct {
    rf_wir_results_cfg cfg;
    uint32_t cycles;
} sets[] = {
    {SET(1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 1, 1, 1, 1, 1, 0), 10000},
    {SET(4, 8, 2, 2, 2, 2, 1, 2, 3, 4, 2, 1, 1, 2, 2, 0), 25000},
    {SET(5, 12, 3, 3, 3, 4, 2, 3, 7, 9, 3, 1, 1, 4, 3, 1), 35000},
    {SET(8, 16, 4, 8, 4, 8, 2, 3, 12, 20, 4, 1, 1, 8, 4, 1), 30000},
    {SET(33, 100, 5, 8, 4, 8, 3, 5, 16, 64, 4, 1, 1, 16, 16, 0), 20000},
    {SET(7, 20, 4, 4, 1, 8, 5, 1, 20, 7, 4, 1, 1, 4, 0, 1), 20000},
    {SET(2, 5, 2, 1, 4, 2, 2, 4, 6, 30, 1, 1, 1, 1, 5, 0), 10000},
    {SET(16, 9, 3, 4, 3, 1, 2, 2, 9, 6, 2, 1, 0, 8, 3, 0), 15000},
    {SET(48, 63, 32, 4, 2, 8, 2, 4, 1024, 21, 2, 1, 1, 256, 8, 0), 5000},
    {SET(48, 63, 32, 4, 2, 8, 2, 4, 40, 21, 2, 1, 1, 256, 8, 1), 10000},
    {SET(64, 256, 32, 8, 4, 32, 5, 16, 1023, 64, 4, 1, 1, 512, 16, 1), 1500},
    {SET(1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 1, 0, 1, 1, 0, 0), 3000},
    {SET(48, 63, 32, 4, 2, 8, 2, 4, 1024, 21, 2, 0, 1, 256, 8, 0), 3000},
    {SET(33, 77, 3, 8, 3, 16, 3, 3, 100, 40, 3, 0, 0, 4, 2, 1), 15000},
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { VALUES = 6 }; /* the later half collide with the first */

typedef struct knobs {
    uint32_t offer, all, pool, mapped, pinned, pop, need, shared, fill, back, illegal;
    rf_vec value[VALUES];
    uint32_t hash[VALUES];
} knobs;

static uint32_t some(ls_rng *rng) { return ls_rng_chance(rng, 48) ? 0 : ls_rng_chance(rng, 85) ? 256 : ls_rng_below(rng, 257); }

static void turn(ls_rng *rng, const rf_wir_results_cfg *cfg, const rf_h3_collider *collider, knobs *k) {
    k->offer = 96 + ls_rng_below(rng, 161), k->all = some(rng), k->pool = 128 + ls_rng_below(rng, 129);
    k->mapped = 64 + ls_rng_below(rng, 193), k->pinned = ls_rng_below(rng, 200), k->pop = some(rng);
    k->need = ls_rng_below(rng, 128), k->shared = ls_rng_below(rng, 128), k->fill = some(rng);
    k->back = some(rng) * (ls_rng_chance(rng, 128) ? 1 : 0) + ls_rng_below(rng, 64);
    if (k->back > 256) k->back = 256;
    k->illegal = ls_rng_chance(rng, 200) ? 0 : 32;
    for (uint32_t i = 0; i < VALUES; i++) {
        if (k->hash[i] != 0 && ls_rng_chance(rng, 128)) continue; /* some values of the turn before are still about */
        memset(&k->value[i], 0, sizeof k->value[i]);
        ls_rng_lanes(rng, k->value[i].lane, cfg->lanes);
        if (i >= VALUES / 2) (void)rf_h3_collide(collider, rng, &k->value[i - VALUES / 2], &k->value[i]);
        k->hash[i] = slow_h3(k->value[i].lane, cfg->lanes);
    }
}

static uint16_t preg(ls_rng *rng, const rf_wir_results_cfg *cfg) {
    return (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
}

static void draw_result(ls_rng *rng, const rf_wir_results_cfg *cfg, const knobs *k, rf_wir_results_in *in, uint32_t e) {
    const uint64_t old = ls_rng_chance(rng, k->mapped), pin = ls_rng_chance(rng, k->pinned);
    in->res_valid = (uint8_t)((in->res_valid & ~(1u << e)) | (uint32_t)ls_rng_chance(rng, k->offer) << e);
    in->res_warp[e] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->warps));
    in->res_dst[e] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->regs));
    in->res_mask[e] = (uint32_t)ls_mask(cfg->lanes);
    if (!ls_rng_chance(rng, k->all))
        in->res_mask[e] ^=
            ls_rng_chance(rng, 128) ? 1u << ls_rng_below(rng, cfg->lanes) : (uint32_t)ls_rng_value(rng, cfg->lanes);
    in->res_info[e] = (ls_rng_value(rng, cfg->infow) & ~UINT64_C(3)) | old << 1 | pin;
    in->res_data[e] = k->value[ls_rng_below(rng, VALUES)];
    if (!ls_rng_chance(rng, k->pool)) ls_rng_lanes(rng, in->res_data[e].lane, cfg->lanes);
}

/* A fill of what the buffer names or the list gives next, often with a value of the hash that it has there. */
static void draw_fill(ls_rng *rng, const bench *b, const knobs *k, uint32_t g) {
    const rf_wir_results_cfg *cfg = &b->s.cfg;
    rf_wir_results_in *in = (rf_wir_results_in *)&b->in;
    const slow_place *v = &b->s.place[ls_rng_below(rng, cfg->ventries)];
    const uint32_t first = ls_rng_below(rng, VALUES);
    in->fill_reg[g] = preg(rng, cfg);
    in->fill_data[g] = k->value[first];
    for (uint32_t t = 0; t < 8 && !v->valid; t++) v = &b->s.place[k->hash[ls_rng_below(rng, VALUES)] % cfg->ventries];
    if (ls_rng_chance(rng, 32) && b->s.backs > 0) in->fill_reg[g] = b->s.back[0];
    else if (v->valid && ls_rng_chance(rng, 220)) in->fill_reg[g] = (uint16_t)v->reg;
    for (uint32_t i = 0; i < VALUES && ls_rng_chance(rng, 240); i++)
        if (k->hash[(first + i) % VALUES] == v->hash) in->fill_data[g] = k->value[(first + i) % VALUES];
    if (ls_rng_chance(rng, 24)) { /* as no register could hold it: two values that differ in one lane have two hashes */
        const uint32_t lane = ls_rng_chance(rng, 128) ? cfg->lanes - 1 : ls_rng_below(rng, cfg->lanes);
        in->fill_data[g].lane[lane] ^= UINT32_C(1) << ls_rng_below(rng, 32);
    }
}

/* What is offered stands until it is accepted. Needs and shared as far as there are promises, but for times in which anything
 * goes. */
static void draw(ls_rng *rng, bench *b, const knobs *k) {
    const rf_wir_results_cfg *cfg = &b->s.cfg;
    rf_wir_results_in *in = &b->in;
    const uint32_t used = cfg->pregs - free_count(&b->s);
    const bool promised = b->s.promised > 0 && b->s.promised <= cfg->pregs;
    for (uint32_t e = 0; e < cfg->exports; e++)
        if (!judge_bit(in->res_valid, e) || judge_bit(b->now.out.res_ready, e) || ls_rng_chance(rng, 4))
            draw_result(rng, cfg, k, in, e);
    in->pop = (uint8_t)ls_rng_bits(rng, cfg->exports, k->pop);
    in->need = (uint16_t)ls_rng_bits(rng, cfg->issues * cfg->verifiers, promised ? k->need : k->illegal);
    in->shared = (uint8_t)ls_rng_bits(rng, cfg->issues, promised ? k->shared : k->illegal);
    for (uint32_t n = 0; n < cfg->issues * cfg->verifiers; n++) in->cand[n] = preg(rng, cfg);
    in->fill = (uint8_t)ls_rng_bits(rng, cfg->issues, k->fill);
    for (uint32_t g = 0; g < cfg->issues; g++) draw_fill(rng, b, k, g);
    in->back = (uint8_t)ls_rng_bits(rng, RF_WIR_FREES, k->back);
    for (uint32_t i = 0; i < RF_WIR_FREES; i++) in->back_reg[i] = preg(rng, cfg);
    in->limit = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs + 1));
    if (ls_rng_chance(rng, 160)) in->limit = (uint16_t)(ls_rng_below(rng, cfg->pregs + 1));
    if (ls_rng_chance(rng, 64)) in->limit = (uint16_t)(used + ls_rng_below(rng, cfg->issues + 2));
    in->own = (uint8_t)ls_rng_bits(rng, cfg->issues, 128);
    in->random = (uint16_t)ls_rng_value(rng, 16);
}

static void reset(bench *b) {
    rf_wir_results_reset(&b->m);
    slow_reset(&b->s);
    compare_state(b);
    assert_memory_equal(&b->m.cfg, &b->s.cfg, sizeof b->m.cfg);
}

static void run(const rf_wir_results_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static bench b;
    rf_h3_collider collider;
    ls_rng rng;
    knobs k;
    start(&b, seed, cfg);
    ls_rng_seed(&rng, seed);
    memset(&k, 0, sizeof k);
    rf_h3_collider_init(&collider, cfg->lanes, &rng);
    while (b.j.cycle < cycles) {
        if (b.j.cycle % 64 == 0) turn(&rng, cfg, &collider, &k);
        draw(&rng, &b, &k);
        slow_comb(&b.s, &b.in, &b.now);
        count(&b.s, &b.now, &b.in, seen);
        step(&b);
        if (ls_rng_below(&rng, 1024) != 0) continue;
        seen[RESET] += b.s.promised > 0 && b.s.queue[0].length > 0 && b.s.place[0].valid && b.s.line[0].valid;
        reset(&b);
    }
    judge_passes(&b.j);
}

static void random_results(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        run(&sets[i].cfg, ls_seed_derive(i, "judge rf_wir_results"), sets[i].cycles, seen);
        cycles += sets[i].cycles;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* --- what the page promises, by hand -----------------------------------------------------------------------------------------
 */

static bench hand;
static rf_vec x[4], v, v_collides;
static const rf_wir_results_cfg small = SET(4, 8, 4, 2, 2, 4, 1, 4, 4, 8, 2, 1, 1, 256, 2, 0),
                                roomy = SET(4, 8, 4, 2, 2, 4, 1, 4, 32, 11, 2, 1, 1, 256, 2, 0);

static uint32_t entry_of(const rf_vec *value) { return slow_h3(value->lane, 4) % 256; }

/* Starts with values of entries of their own in the buffer, but for one that has the hash of v. */
static void begin(const rf_wir_results_cfg *cfg) {
    rf_h3_collider collider;
    ls_rng rng;
    start(&hand, 0, cfg);
    ls_rng_seed(&rng, 1);
    rf_h3_collider_init(&collider, 4, &rng);
    for (uint32_t i = 0; i < 4; i++) {
        v.lane[i] = 7 + i;
        for (uint32_t k = 0; k < 4; k++) x[k].lane[i] = 100 * k + 3 * i + 50;
    }
    assert_true(rf_h3_collide(&collider, &rng, &v, &v_collides));
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = 0; i <= k; i++) assert_int_not_equal(entry_of(&x[k]), entry_of(i < k ? &x[i] : &v));
    hand.in.random = (uint16_t)(entry_of(&v) ^ 1); /* an entry that nobody uses */
}

static void offer(uint32_t e, uint32_t warp, const rf_vec *value, uint32_t mask, uint64_t info) {
    hand.in.res_valid |= (uint8_t)(1u << e);
    hand.in.res_warp[e] = (uint8_t)warp, hand.in.res_dst[e] = (uint8_t)(5 + e), hand.in.res_mask[e] = mask;
    hand.in.res_data[e] = *value, hand.in.res_info[e] = info;
}

/* A cycle, after which nothing is asked for any more. */
static void cycle(void) {
    const uint16_t random = hand.in.random;
    step(&hand);
    judge_passes(&hand.j);
    memset(&hand.in, 0, sizeof hand.in);
    hand.in.random = random;
}

/* The result of port 0 in the cycle after this one. */
static void result(uint32_t warp, const rf_vec *value, uint32_t mask, uint64_t info) {
    hand.in.pop = 3;
    offer(0, warp, value, mask, info);
    cycle();
    assert_int_equal(hand.out.res_ready & 1, 1);
}

/* What port 0's queue has at its head, then popped. */
static void pushed(rf_result_op op, uint32_t preg_, uint32_t cand, uint32_t mask, uint64_t info) {
    hand.in.pop = 3;
    cycle();
    assert_int_equal(hand.out.head_valid & 1, 1);
    assert_int_equal(hand.out.head_op[0], op);
    assert_int_equal(hand.out.head_preg[0], preg_);
    assert_int_equal(hand.out.head_cand[0], cand);
    assert_int_equal(hand.out.head_mask[0], mask);
    assert_int_equal(hand.out.head_info[0], info);
}

static void references(uint32_t inc, uint32_t dec) {
    assert_int_equal(hand.out.inc, inc);
    assert_int_equal(hand.out.dec, dec);
}

/* The page's drawing: PREGS 4, one of which v has already. */
static void the_drawing_of_the_page(void **state) {
    (void)state;
    begin(&small);
    result(1, &v, 15, 0);
    cycle();
    assert_int_equal(hand.out.given, 2);
    offer(0, 0, &x[0], 15, 0), offer(1, 1, &v, 15, 0), hand.in.pop = 3;
    cycle();
    offer(0, 0, &x[1], 15, 0), offer(1, 1, &x[2], 15, 0);
    cycle(); /* 0 */
    assert_int_equal(hand.now.count, 3);
    assert_int_equal(hand.out.given, 1);
    assert_int_equal(hand.out.given_reg[0], 1);
    references(7, 0);
    assert_int_equal(hand.out.inc_reg[0], 1);
    assert_int_equal(hand.out.inc_reg[1], 1);
    assert_int_equal(hand.out.inc_reg[2], 0);
    assert_int_equal(hand.m.promised_q, 1);
    offer(0, 1, &v, 15, 0), offer(1, 0, &x[3], 15, 0);
    cycle(); /* 1 */
    assert_int_equal(hand.now.count, 2);
    assert_int_equal(hand.out.res_ready, 1);
    assert_int_equal(hand.out.given, 1);
    assert_int_equal(hand.out.given_reg[0], 2);
    assert_int_equal(hand.m.promised_q, 1);
    for (uint32_t t = 2; t < 4; t++) {
        hand.in.shared = t == 3 ? 2 : 0; /* v is shared: from the next cycle on its register is for others */
        cycle();
        assert_int_equal(hand.now.count, 1);
        assert_int_equal(hand.out.low, 1);
        assert_int_equal(hand.out.res_ready | hand.out.given, 0);
        references(0, 0);
    }
    cycle(); /* of group 1 port 1 was last: now port 0's v, which is promised the last register */
    assert_int_equal(hand.out.res_ready, 1);
    assert_int_equal(hand.out.given, 0);
    references(4, 0);
    assert_int_equal(hand.m.promised_q, 1);
}

/* V-A, VI-C: a hit is verified, or compared with the cache at once; a collision there leaves the entry to the old value. */
static void hits_verify_share_or_collide(void **state) {
    (void)state;
    begin(&roomy);
    result(0, &v, 15, 0x55 << 2);
    cycle();
    references(3, 0);
    pushed(RF_RESULT_WRITE, 0, 0, 15, 0x55 << 2);
    result(0, &v_collides, 15, 3); /* nobody knows yet that it is another value */
    cycle();
    references(1, 0);
    pushed(RF_RESULT_VERIFY, 0, 0, 15, 2);
    hand.in.fill = 2, hand.in.fill_reg[1] = 0, hand.in.fill_data[1] = v;
    result(0, &v, 15, 2);
    cycle();
    assert_int_equal(hand.out.given, 0);
    pushed(RF_RESULT_SHARE, 0, 0, 15, 2);
    result(0, &v_collides, 15, 1);
    cycle();
    assert_int_equal(hand.out.given_reg[0], 1);
    references(1, 0); /* the buffer does not name it */
    pushed(RF_RESULT_WRITE, 1, 0, 15, 0);
    result(1, &v, 15, 0);
    cycle();
    references(4, 0);
    pushed(RF_RESULT_SHARE, 0, 0, 15, 0);
}

/* V-D. */
static void divergent_results(void **state) {
    (void)state;
    begin(&roomy);
    result(0, &v, 15, 0);
    cycle();
    result(0, &v, 13, 21 << 2 | 3); /* in place: the mapping keeps its reference, and stays pinned */
    cycle();
    references(0, 0);
    pushed(RF_RESULT_WRITE, 21, 0, 13, 21 << 2 | 1);
    result(0, &v, 7, 21 << 2 | 2);
    cycle();
    references(1, 0);
    assert_int_equal(hand.out.inc_reg[0], 1);
    pushed(RF_RESULT_MERGE, 1, 21, 7, 21 << 2 | 3);
    for (uint64_t pin = 0; pin < 2; pin++) {
        result(0, &v, 5, 21 << 2 | pin);
        cycle();
        references(1, 0);
        pushed(RF_RESULT_WRITE, 2 + (uint32_t)pin, 0, 15, 21 << 2 | 1);
        assert_int_equal(hand.out.head_data[0].lane[0], 7);
        assert_int_equal(hand.out.head_data[0].lane[1], 0);
        assert_int_equal(hand.out.head_data[0].lane[2], 9);
        assert_int_equal(hand.out.head_data[0].lane[3], 0);
    }
}

/* A need goes before the group's own result, and takes a register before those of the next groups. */
static void a_need_goes_first(void **state) {
    (void)state;
    begin(&roomy);
    offer(0, 0, &x[0], 15, 0), offer(1, 1, &x[1], 15, 0);
    cycle();
    hand.in.need = 3, hand.in.cand[0] = 30, hand.in.cand[1] = 29;
    cycle();
    assert_int_equal(hand.out.give, 1);
    assert_int_equal(hand.out.given, 3);
    assert_int_equal(hand.out.given_reg[0], 0);
    assert_int_equal(hand.out.given_reg[1], 1);
    references(2 | 4 | 8, 1);
    assert_int_equal(hand.out.inc_reg[1], 0);
    assert_int_equal(hand.out.dec_reg[0], 30);
    assert_int_equal(hand.m.promised_q, 63); /* nobody had been promised one */
    hand.in.need = 2, hand.in.cand[1] = 29;
    cycle();
    assert_int_equal(hand.out.give, 2);
    assert_int_equal(hand.out.res_ready, 2);
    assert_int_equal(hand.out.dec_reg[0], 29);
    cycle();
    assert_int_equal(hand.out.give, 0);
    assert_int_equal(hand.out.given_reg[0], 3);
    references(3, 0);
}

/* V-E: "a miss in [...] the value signature buffer evicts the entry, or an entry is randomly evicted if there was no access". */
static void low_register_mode_empties_the_buffer(void **state) {
    (void)state;
    begin(&small);
    result(0, &v, 15, 0);
    result(0, &x[0], 15, 0);
    result(0, &x[1], 15, 0);
    cycle(); /* two were free: not low yet */
    assert_int_equal(hand.out.low, 0);
    references(3, 0);
    hand.in.random = (uint16_t)(256 * 255 + entry_of(&v));
    hand.in.need = 1 << 2, hand.in.cand[2] = 3; /* group 1's takes the last one and keeps nobody from dropping */
    cycle();
    assert_int_equal(hand.out.low, 1);
    references(8, 3);
    assert_int_equal(hand.out.dec_reg[0], 0); /* v's register, by number 0 */
    assert_int_equal(hand.out.dec_reg[1], 3);
    hand.in.random = (uint16_t)entry_of(&x[0]);
    hand.in.need = 1; /* and there is none: register 0 */
    cycle();
    assert_int_equal(hand.out.given, 1);
    assert_int_equal(hand.out.given_reg[0], 0);
    references(2, 1);
    assert_int_equal(hand.m.free.fresh_q, 4);
    hand.in.back = 3, hand.in.back_reg[0] = 2, hand.in.back_reg[1] = 1, hand.in.random = (uint16_t)(entry_of(&v) ^ 1);
    offer(0, 0, &x[0], 15, 0); /* which is still there: a hit, in low register mode, is looked at as ever */
    cycle();
    hand.in.random = (uint16_t)entry_of(&x[1]), hand.in.shared = 2;
    cycle();
    references(1, 0);
    assert_int_equal(hand.out.inc_reg[0], 1);
}

/* In low register mode what has missed does not come into the buffer, but the other value of its entry leaves. */
static void a_miss_in_low_register_mode_drops(void **state) {
    static const rf_wir_results_cfg one = SET(4, 8, 4, 2, 2, 4, 1, 4, 4, 8, 2, 1, 1, 1, 2, 1);
    (void)state;
    begin(&one);
    hand.in.limit = 2;
    result(0, &v, 15, 0);
    hand.in.limit = 2;
    cycle();
    assert_int_equal(hand.out.low, 0);
    references(3, 0);
    hand.in.limit = 2, hand.in.need = 1;
    result(2, &x[0], 15, 0);
    assert_int_equal(hand.out.low, 1);
    hand.in.limit = 2;
    cycle();
    assert_int_equal(hand.out.low, 1);
    assert_int_equal(hand.out.given_reg[0], 2);
    references(1, 1);
    assert_int_equal(hand.out.dec_reg[0], 0);
    assert_int_equal(hand.m.vsb.valid_q[0], 0);
}

/* Capped: with the limit in use a result overwrites the register of its old mapping, if nobody else names that, whatever it would
 * have become; else it waits. */
static void at_the_limit_an_own_register_is_overwritten(void **state) {
    static const rf_wir_results_cfg capped = SET(4, 8, 4, 2, 2, 4, 1, 4, 32, 11, 2, 1, 1, 256, 2, 1);
    static const struct {
        const rf_vec *value;
        uint32_t mask, pin;
    } cases[] = {{&x[0], 15, 0}, {&x[0], 15, 1}, {&v, 15, 0}, {&v_collides, 15, 0}, {&x[0], 5, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        begin(&capped);
        hand.in.limit = 32;
        result(0, &v, 15, 0); /* P0 has v, and the buffer knows it */
        hand.in.limit = 32, hand.in.pop = 3;
        cycle();
        hand.in.limit = 1;
        result(0, cases[i].value, cases[i].mask, 9 << 2 | 2 | cases[i].pin);
        hand.in.limit = 1, hand.in.pop = 3;
        cycle(); /* others name P9 */
        assert_int_equal(hand.out.old_reg[0], 9);
        assert_int_equal(hand.out.low, 1);
        assert_int_equal(hand.out.given, 0);
        references(0, 0);
        hand.in.limit = 1, hand.in.own = 3, hand.in.need = 1, hand.in.cand[0] = 3, hand.in.pop = 3;
        cycle(); /* its verifier gets one that it was promised, beyond the limit, which has fallen */
        assert_int_equal(hand.out.given_reg[0], 1);
        references(2, 1);
        hand.in.limit = 1, hand.in.own = 1, hand.in.pop = 3;
        cycle();
        assert_int_equal(hand.out.given, 0);
        assert_int_equal(hand.out.inc, 0);
        pushed(RF_RESULT_WRITE, 9, 0, cases[i].mask, 9 << 2 | (cases[i].mask != 15));
    }
}

/* D-stale: what is given out leaves the cache, also when it is filled in the same cycle. */
static void what_is_given_loses_its_line(void **state) {
    (void)state;
    begin(&roomy);
    hand.in.fill = 3, hand.in.fill_reg[0] = 0, hand.in.fill_reg[1] = 1, hand.in.fill_data[0] = hand.in.fill_data[1] = x[0];
    result(0, &v, 15, 0);
    hand.in.fill = 2, hand.in.fill_reg[1] = 0, hand.in.fill_data[1] = v;
    cycle();
    assert_int_equal(hand.out.given_reg[0], 0);
    assert_int_equal(hand.m.vcache.valid_q, 2);
    result(0, &v, 15, 0);
    cycle();
    pushed(RF_RESULT_VERIFY, 0, 0, 15, 0);
}

/* Results that came back are given out in the order in which they came, before fresh ones; a group's ports take turns. */
static void the_next_registers_of_the_free_list(void **state) {
    (void)state;
    begin(&roomy);
    hand.in.need = 5; /* nobody was promised any: promised_q is 62 then, and 34 are left */
    cycle();
    hand.in.back = 3, hand.in.back_reg[0] = 1, hand.in.back_reg[1] = 0;
    offer(0, 0, &x[0], 15, 0), offer(1, 2, &x[1], 15, 0);
    cycle();
    offer(0, 1, &x[2], 15, 0);
    cycle();
    assert_int_equal(hand.out.res_ready, 1);
    assert_int_equal(hand.out.given_reg[0], 1);
    cycle();
    assert_int_equal(hand.out.given, 3);
    assert_int_equal(hand.out.given_reg[0], 0);
    assert_int_equal(hand.out.given_reg[1], 2);
}

/* "at the end of its pipe STAGES cycles later at the earliest, and the head [...] one cycle after it is allocated". */
static void a_result_takes_a_cycle_a_stage(void **state) {
    (void)state;
    for (uint32_t stages = 1; stages <= 5; stages++)
        for (uint32_t reuse = 0; reuse < 2; reuse++) {
            rf_wir_results_cfg cfg = roomy;
            cfg.stages = stages, cfg.reuse = reuse;
            begin(&cfg);
            offer(1, 1, &v, 15, 0);
            for (uint32_t t = 0; t <= stages + 1; t++) {
                cycle();
                assert_int_equal(hand.out.head_valid, t == stages + 1 ? 2 : 0);
                assert_int_equal(hand.out.given, reuse && t == stages ? 2 : 0);
            }
        }
}

/* REUSE 0: D-map, whatever the groups, masks and tables. */
static void without_reuse_a_result_has_its_place(void **state) {
    rf_wir_results_cfg cfg = roomy;
    (void)state;
    cfg.reuse = 0;
    for (uint32_t pregs = 16; pregs <= 32; pregs += 16) {
        cfg.pregs = pregs;
        begin(&cfg);
        offer(0, 3, &v, 9, 0x7fc), offer(1, 1, &x[0], 15, 0x7fc);
        cycle();
        hand.in.need = 15, hand.in.fill = 3, hand.in.back = 3, hand.in.shared = 3;
        cycle();
        cycle();
        assert_int_equal(hand.out.head_valid, 3);
        assert_int_equal(hand.out.head_preg[0], 28 % pregs); /* row 3 x 2 + 1, bank (5 + 3) mod 4 */
        assert_int_equal(hand.out.head_preg[1], 15);         /* row 1 x 2 + 1, bank (6 + 1) mod 4 */
        assert_int_equal(hand.out.head_mask[0], 9);
        assert_memory_equal(&hand.out.head_data[0], &v, sizeof v);
        assert_int_equal(hand.out.head_info[0] | hand.out.head_op[0] | hand.out.head_cand[0] | hand.out.low | hand.m.promised_q,
                         0);
    }
}

/* Pipes, queues and tables with something in every register. */
static void fill(bench *b) {
    static const rf_wir_results_cfg cfg = SET(64, 256, 5, 8, 4, 8, 2, 2, 40, 64, 4, 1, 1, 4, 3, 1);
    static uint64_t seen[EVENTS];
    rf_h3_collider collider;
    ls_rng rng;
    knobs k;
    start(b, 0, &cfg);
    ls_rng_seed(&rng, 7);
    memset(&k, 0, sizeof k);
    rf_h3_collider_init(&collider, cfg.lanes, &rng);
    for (uint32_t t = 0; t < 600; t++) {
        if (t % 50 == 0) turn(&rng, &cfg, &collider, &k);
        draw(&rng, b, &k);
        b->in.pop &= t < 500 ? 255 : 0;
        slow_comb(&b->s, &b->in, &b->now);
        count(&b->s, &b->now, &b->in, seen);
        step(b);
    }
    judge_passes(&b->j);
}

static void reset_clears_every_register(void **state) {
    (void)state;
    fill(&hand);
    reset(&hand);
    judge_passes(&hand.j);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
#define BAD(member, value, high)                                                                                                 \
    { offsetof(rf_wir_results_cfg, member), value, #member, high }
    static const struct {
        size_t offset;
        uint32_t value;
        const char *name, *high;
    } bad[] = {BAD(infow, 6, "64"), BAD(banks, 6, "32"), BAD(ventries, 96, "512")};
    rf_wir_results_cfg cfg = roomy; /* P is 5: 7 bits of info are the least */
    (void)state;
    judge_ranges(&rf_wir_results_unit, &sets->cfg, COUNT(sets), sizeof *sets, "infow");
    cfg.infow = 7;
    assert_null(rf_wir_results_check(&cfg));
    for (size_t i = 0; i < COUNT(bad); i++) {
        rf_wir_results_cfg wrong = cfg;
        memcpy((char *)&wrong + bad[i].offset, &bad[i].value, sizeof bad[i].value);
        judge_refused(&rf_wir_results_unit, &wrong, bad[i].name, bad[i].high);
    }
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_wir_results_out out, other;
    (void)state;
    fill(&hand);
    memset(&out, 0xa5, sizeof out);
    memset(&other, 0x5a, sizeof other);
    rf_wir_results_comb(&hand.m, &hand.in, &out);
    rf_wir_results_comb(&hand.m, &hand.in, &other);
    slow_comb(&hand.s, &hand.in, &hand.now);
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_results, LS_OUT, &hand.m, &out, judge_fields(&hand.j, &hand.outputs, &out, &hand.now.out));
    judge_lists_all(&hand.outputs, &out, &other, sizeof out);
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_results, LS_STATE, &hand.m, &hand.m, compare_state(&hand));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results),
        cmocka_unit_test(the_drawing_of_the_page),
        cmocka_unit_test(hits_verify_share_or_collide),
        cmocka_unit_test(divergent_results),
        cmocka_unit_test(a_need_goes_first),
        cmocka_unit_test(low_register_mode_empties_the_buffer),
        cmocka_unit_test(a_miss_in_low_register_mode_drops),
        cmocka_unit_test(at_the_limit_an_own_register_is_overwritten),
        cmocka_unit_test(what_is_given_loses_its_line),
        cmocka_unit_test(the_next_registers_of_the_free_list),
        cmocka_unit_test(a_result_takes_a_cycle_a_stage),
        cmocka_unit_test(without_reuse_a_result_has_its_place),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir_results", tests, NULL, NULL);
}
