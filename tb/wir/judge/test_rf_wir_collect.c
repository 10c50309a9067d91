/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir_collect: its slow model (judge_wir_collect.h) in step with the model, every output and every register in every
 * cycle; and what the header promises, with figures worked out by hand. */
#include "tb/wir/judge/judge_wir_collect_events.h"

extern const ls_unit rf_wir_collect_unit;

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct bench {
    judge j;
    judge_list outputs, registers;
    rf_wir_collect m, expected;
    slow_collect s;
    slow_turn now, before;
    rf_wir_collect_in in;
    rf_wir_collect_out out;
} bench;

static void compare_state(bench *b) {
    expect_state(&b->s, &b->expected);
    judge_fields(&b->j, &b->registers, &b->m, &b->expected);
}

/* The units inside are of the sizes that the header tells. */
static void has_its_units(const rf_wir_collect *m, const rf_wir_collect_cfg *cfg) {
    const rf_ocu_cfg ocu = {.slots = cfg->slots,
                            .lanes = cfg->lanes,
                            .warps = cfg->warps,
                            .regs = cfg->regs,
                            .banks = cfg->banks,
                            .rows = cfg->pregs / cfg->banks,
                            .exports = cfg->exports};
    const rf_ocu_alloc_cfg alloc = {.collectors = cfg->collectors, .issues = cfg->issues};
    const rf_dispatch_cfg dispatch = {.collectors = cfg->collectors, .exports = cfg->exports};
    for (uint32_t c = 0; c < cfg->collectors; c++) assert_memory_equal(&m->ocu[c].cfg, &ocu, sizeof ocu);
    assert_memory_equal(&m->alloc.cfg, &alloc, sizeof alloc);
    assert_memory_equal(&m->dispatch.cfg, &dispatch, sizeof dispatch);
}

static void start(bench *b, uint64_t seed, const rf_wir_collect_cfg *cfg) {
    memset(b, 0, sizeof *b);
    judge_begin(&b->j, seed,
                "rf_wir_collect warps=%u collectors=%u banks=%u regs=%u lanes=%u slots=%u exports=%u issues=%u pregs=%u infow=%u",
                cfg->warps, cfg->collectors, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->issues, cfg->pregs,
                cfg->infow);
    memset(&b->m, 0xa5, sizeof b->m);
    assert_int_equal(rf_wir_collect_init(&b->m, cfg), 0);
    judge_list_of(&b->outputs, &rf_wir_collect_unit, LS_OUT, &b->m);
    judge_list_of(&b->registers, &rf_wir_collect_unit, LS_STATE, &b->m);
    assert_memory_equal(&b->m.cfg, cfg, sizeof *cfg);
    has_its_units(&b->m, cfg);
    b->s.cfg = *cfg;
    slow_reset(&b->s);
    compare_state(b);
}

/* One cycle of both with the inputs b->in, everything compared; comb must leave the model alone, and step be comb and clock. */
static void step(bench *b) {
    static rf_wir_collect before, stepped;
    static rf_wir_collect_out at_once;
    memcpy(&before, &b->m, sizeof before);
    memcpy(&stepped, &b->m, sizeof stepped);
    memset(&b->out, 0xa5, sizeof b->out);
    memset(&at_once, 0xa5, sizeof at_once);
    rf_wir_collect_comb(&b->m, &b->in, &b->out);
    judge_same(&before, &b->m, sizeof before);
    rf_wir_collect_step(&stepped, &b->in, &at_once);
    judge_same(&b->out, &at_once, sizeof at_once);
    slow_comb(&b->s, &b->in, &b->now);
    judge_fields(&b->j, &b->outputs, &b->out, &b->now.out);
    rf_wir_collect_clock(&b->m, &b->in);
    judge_same(&stepped, &b->m, sizeof stepped);
    slow_clock(&b->s, &b->in, &b->now);
    compare_state(b);
    b->before = b->now;
    b->j.cycle++;
}

static void reset(bench *b) {
    rf_wir_collect_reset(&b->m);
    slow_reset(&b->s);
    compare_state(b);
    assert_memory_equal(&b->m.cfg, &b->s.cfg, sizeof b->m.cfg);
    has_its_units(&b->m, &b->s.cfg);
}

/* --- random instructions -----------------------------------------------------------------------------------------------------
 */

#define SET(w, c, b, r, l, s, e, i, p, n)                                                                                        \
    {                                                                                                                            \
        .warps = (w), .collectors = (c), .banks = (b), .regs = (r), .lanes = (l), .slots = (s), .exports = (e), .issues = (i),   \
        .pregs = (p), .infow = (n)                                                                                               \
    }
static const rf_wir_collect_cfg sets[] = {
    SET(1, 1, 1, 1, 1, 1, 1, 1, 2, 1),        SET(6, 3, 2, 4, 2, 2, 2, 2, 12, 5),
    SET(9, 4, 4, 3, 3, 3, 3, 3, 20, 9),       SET(12, 5, 8, 5, 2, 4, 4, 4, 64, 21),
    SET(48, 8, 8, 63, 32, 3, 4, 2, 1024, 21), SET(64, 15, 32, 256, 32, 4, 8, 4, 1024, 32),
    SET(33, 10, 16, 100, 5, 6, 5, 1, 48, 31), SET(8, 2, 1, 8, 4, 5, 1, 4, 7, 17),
    SET(5, 15, 2, 6, 1, 1, 3, 4, 6, 13),
};
static const uint64_t lengths[] = {15000, 40000, 40000, 40000, 6000, 2000, 12000, 30000, 20000};
enum { FULL_SET = 5, VALUES = 6 };

/* What 64 cycles have in common, in 256ths. */
typedef struct knobs {
    uint32_t req, sources, mapped, odd, grant, ready, same_reg, no_lane, dst, wild;
    uint32_t regs, pregs, first;
    rf_vec value[VALUES];
} knobs;

static uint32_t some(ls_rng *rng) { return ls_rng_chance(rng, 48) ? 0 : ls_rng_chance(rng, 85) ? 256 : ls_rng_below(rng, 257); }

static void turn(ls_rng *rng, const rf_wir_collect_cfg *cfg, knobs *k) {
    memset(k, 0, sizeof *k);
    k->req = some(rng), k->sources = some(rng), k->mapped = 256 - (ls_rng_chance(rng, 96) ? 0 : ls_rng_below(rng, 257));
    k->odd = ls_rng_chance(rng, 192) ? 0 : ls_rng_below(rng, 128), k->grant = some(rng), k->ready = some(rng);
    k->same_reg = ls_rng_below(rng, 200), k->no_lane = ls_rng_below(rng, 32), k->dst = ls_rng_below(rng, 257);
    k->wild = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 48), k->regs = 1 + ls_rng_below(rng, cfg->regs);
    k->pregs = 1 + ls_rng_below(rng, cfg->pregs), k->first = ls_rng_below(rng, cfg->pregs);
    for (uint32_t i = 1; i < VALUES; i++) ls_rng_lanes(rng, k->value[i].lane, cfg->lanes); /* value[0] is 0 */
}

/* One of `few` from `first` on, or anything that the wires carry. */
static uint32_t draw(ls_rng *rng, uint32_t n, uint32_t first, uint32_t few, uint32_t wild) {
    if (ls_rng_chance(rng, wild)) return ls_rng_below(rng, judge_codes(n));
    return ls_rng_chance(rng, 24) ? n - 1 : (first + ls_rng_below(rng, few)) % n;
}

static void draw_lane(ls_rng *rng, const rf_wir_collect_cfg *cfg, const knobs *k, rf_wir_collect_in *in, uint32_t g) {
    const uint32_t n = cfg->slots, valid = (uint32_t)ls_rng_bits(rng, n, k->sources);
    in->lane[g].warp = (uint8_t)draw(rng, cfg->warps, 0, cfg->warps, k->wild);
    in->lane[g].tag = (uint16_t)ls_rng_value(rng, 16);
    in->lane[g].port = (uint8_t)draw(rng, cfg->exports, 0, cfg->exports, k->wild / 4);
    in->lane[g].mask = ls_rng_chance(rng, k->no_lane) ? 0 : (uint32_t)ls_rng_value(rng, cfg->lanes);
    in->lane[g].dst_valid = ls_rng_chance(rng, k->dst);
    in->lane[g].dst = (uint8_t)draw(rng, cfg->regs, 0, cfg->regs, k->wild);
    in->lane_info[g] = ls_rng_value(rng, cfg->infow);
    in->lane[g].src_valid = (uint8_t)valid;
    in->lane[g].mapped = (uint8_t)(valid & ls_rng_bits(rng, n, k->mapped));
    if (ls_rng_chance(rng, k->odd)) in->lane[g].mapped = (uint8_t)ls_rng_value(rng, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t like = i > 0 && ls_rng_chance(rng, k->same_reg) ? ls_rng_below(rng, i) : i;
        in->lane[g].src[i] = like < i ? in->lane[g].src[like] : (uint8_t)draw(rng, cfg->regs, 0, k->regs, k->wild);
        if (ls_rng_chance(rng, k->odd)) like = i; /* another physical register for the logical one */
        in->lane[g].operand[i] =
            like < i ? in->lane[g].operand[like] : (uint16_t)draw(rng, cfg->pregs, k->first, k->pregs, k->wild);
    }
}

/* A lane asks until it is granted a collector, but for now and then one. */
static void stimulate(ls_rng *rng, bench *b, const knobs *k) {
    const rf_wir_collect_cfg *cfg = &b->s.cfg;
    rf_wir_collect_in *in = &b->in;
    const uint32_t readers = cfg->collectors * cfg->slots;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint8_t me = (uint8_t)(1u << g);
        if ((in->req & me) != 0 && (b->before.out.grant & me) == 0 && !ls_rng_chance(rng, 16)) continue;
        in->req = (uint8_t)((in->req & ~me) | (ls_rng_chance(rng, k->req) ? me : 0));
        draw_lane(rng, cfg, k, in, g);
    }
    in->rd_grant = ls_rng_bits(rng, readers, k->grant), in->ex_ready = (uint8_t)ls_rng_bits(rng, cfg->exports, k->ready);
    for (uint32_t r = 0; r < readers; r++) in->fill_data[r] = k->value[ls_rng_below(rng, VALUES)];
}

static bool anything(const slow_collect *s) {
    bool wanted = false, coming = false, brought = false, zero = false;
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            wanted |= s->seat[c].source[k].state == WANTED, coming |= s->seat[c].source[k].state == COMING;
            brought |= s->seat[c].source[k].state == BROUGHT, zero |= s->seat[c].source[k].zero;
        }
    return wanted && coming && brought && zero && s->last[0] != s->cfg.collectors - 1;
}

static void run(const rf_wir_collect_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static bench b;
    static knobs k;
    ls_rng rng;
    start(&b, seed, cfg);
    ls_rng_seed(&rng, seed);
    while (b.j.cycle < cycles) {
        if (b.j.cycle % 64 == 0) turn(&rng, cfg, &k);
        stimulate(&rng, &b, &k);
        slow_comb(&b.s, &b.in, &b.now);
        count(&b.s, &b.in, &b.now, &b.before, seen);
        step(&b);
        if (ls_rng_below(&rng, 256) != 0) continue; /* those who wait for a port that does not exist block their collector */
        seen[RESET] += anything(&b.s);
        reset(&b);
    }
    judge_passes(&b.j);
}

static void random_instructions(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_wir_collect"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* --- what the header promises, by hand ---------------------------------------------------------------------------------------
 */

static bench hand;
/* Two groups, three collectors of two sources: reader 2 x collector + slot. Eight banks of eight rows. */
static const rf_wir_collect_cfg two = SET(8, 3, 8, 16, 4, 2, 2, 2, 64, 10);

static void begin(void) { start(&hand, 0, &two); }

/* A cycle, and its requests are gone. */
static void cycle(void) {
    step(&hand);
    judge_passes(&hand.j);
    hand.in.req = hand.in.ex_ready = 0;
    hand.in.rd_grant = 0;
    memset(hand.in.fill_data, 0, sizeof hand.in.fill_data);
}

/* A lane's instruction: r`dst` = f(r1, r2), of which those of `mapped` are in physical registers 21 and 34. */
static void request(uint32_t g, uint32_t warp, uint32_t port, uint32_t valid, uint32_t mapped) {
    rf_wir_collect_in *in = &hand.in;
    in->req |= (uint8_t)(1u << g);
    in->lane[g].warp = (uint8_t)warp, in->lane[g].tag = (uint16_t)(100 + warp), in->lane[g].port = (uint8_t)port;
    in->lane[g].mask = 15, in->lane[g].dst_valid = 1, in->lane[g].dst = (uint8_t)(warp + 8);
    in->lane[g].src_valid = (uint8_t)valid, in->lane[g].mapped = (uint8_t)mapped, in->lane_info[g] = 512 + warp;
    in->lane[g].src[0] = 1, in->lane[g].src[1] = 2;
    in->lane[g].operand[0] = 21, in->lane[g].operand[1] = 34;
}

static void bring(uint32_t reader, uint32_t value) {
    for (uint32_t i = 0; i < 4; i++) hand.in.fill_data[reader].lane[i] = value + i;
}

/* What a port offers: whose instruction, and its operands' first lanes. */
static void offers(uint32_t port, uint32_t warp, uint32_t first, uint32_t second) {
    assert_true(judge_bit(hand.out.ex_valid, port));
    assert_int_equal(hand.out.ex_warp[port], warp);
    assert_int_equal(hand.out.ex_tag[port], 100 + warp);
    assert_int_equal(hand.out.ex_mask[port], 15);
    assert_int_equal(hand.out.ex_dst[port], warp + 8);
    assert_int_equal(hand.out.ex_info[port], 512 + warp);
    assert_true(judge_bit(hand.out.ex_dst_valid, port));
    assert_int_equal(hand.out.ex_data[port * 2].lane[0], first);
    assert_int_equal(hand.out.ex_data[port * 2 + 1].lane[0], second);
}

/* p21 is row 2 of bank 5, p34 row 4 of bank 2. It comes in cycle 0, asks in 1, is granted there and in 2, is complete in 4. */
static void an_instruction_is_collected_and_leaves(void **state) {
    (void)state;
    begin();
    request(1, 5, 1, 3, 3);
    cycle();
    assert_int_equal(hand.out.grant, 2);
    assert_int_equal(hand.out.unread | hand.out.rd_valid, 0);
    hand.in.rd_grant = 1;
    cycle();
    assert_int_equal(hand.out.unread, 3);
    assert_int_equal(hand.out.rd_valid, 3);
    assert_int_equal(hand.out.rd_bank[0], 5);
    assert_int_equal(hand.out.rd_row[0], 2);
    assert_int_equal(hand.out.rd_bank[1], 2);
    assert_int_equal(hand.out.rd_row[1], 4);
    assert_int_equal(hand.out.reader_warp[1], 5);
    assert_int_equal(hand.out.reader_reg[0], 1);
    assert_int_equal(hand.out.reader_reg[1], 2);
    assert_int_equal(hand.out.fill_valid, 0);
    hand.in.rd_grant = 2;
    bring(0, 70);
    bring(1, 999); /* too early */
    cycle();
    assert_int_equal(hand.out.unread, 2);
    assert_int_equal(hand.out.fill_valid, 1);
    bring(1, 80);
    bring(0, 999); /* too late */
    cycle();
    assert_int_equal(hand.out.unread, 0);
    assert_int_equal(hand.out.fill_valid, 2);
    assert_int_equal(hand.out.ex_valid, 0);
    cycle();
    offers(1, 5, 70, 80);
    assert_int_equal(hand.out.ex_data[3].lane[3], 83);
    hand.in.ex_ready = 2;
    cycle();
    offers(1, 5, 70, 80);
    cycle();
    assert_int_equal(hand.out.ex_valid, 0);
    assert_int_equal(hand.out.ex_info[1] | hand.out.ex_tag[1] | hand.out.ex_data[2].lane[0], 0);
}

/* D-zero: "a source that is not mapped is delivered as 0", whatever the collector holds. */
static void what_nobody_wrote_is_zero(void **state) {
    (void)state;
    begin();
    request(0, 1, 0, 3, 3);
    cycle();
    hand.in.rd_grant = 3;
    cycle();
    bring(0, 70), bring(1, 80);
    cycle();
    hand.in.ex_ready = 1;
    cycle();
    offers(0, 1, 70, 80);
    request(0, 2, 0, 3, 2);
    cycle();
    hand.in.rd_grant = 3;
    cycle();
    assert_int_equal(hand.out.unread, 2);
    bring(0, 999), bring(1, 81);
    cycle();
    hand.in.ex_ready = 1;
    cycle();
    offers(0, 2, 0, 81);
    request(0, 3, 0, 2, 0); /* slot 0 is no source; slot 1 is not mapped: complete at once */
    cycle();
    hand.in.ex_ready = 1;
    cycle();
    assert_int_equal(hand.out.unread, 0);
    offers(0, 3, 70, 0);
    request(0, 4, 0, 1, 1);
    cycle();
    hand.in.rd_grant = 1;
    cycle();
    bring(0, 72);
    cycle();
    cycle();
    offers(0, 4, 72, 81);
}

/* D-dup "goes by the logical register": one read, by the lowest of those to be read. */
static void one_read_for_a_register_named_twice(void **state) {
    (void)state;
    begin();
    request(0, 1, 0, 3, 3);
    hand.in.lane[0].src[1] = 1, hand.in.lane[0].operand[1] = 21;
    cycle();
    request(0, 2, 1, 3, 3);
    hand.in.lane[0].operand[1] = 21; /* two logical registers share it: both ask */
    hand.in.rd_grant = 2;            /* not for who does not ask */
    cycle();
    assert_int_equal(hand.out.unread, 3);
    assert_int_equal(hand.out.rd_valid, 1);
    request(0, 3, 1, 3, 2);
    hand.in.lane[0].src[1] = 1; /* slot 0 is not mapped and does not read for slot 1 */
    hand.in.rd_grant = 1;
    cycle();
    assert_int_equal(hand.out.rd_valid, 1 | 3 << 2);
    bring(0, 70), bring(1, 71);
    cycle();
    assert_int_equal(hand.out.fill_valid, 3);
    assert_int_equal(hand.out.rd_valid, 3 << 2 | 2 << 4);
    cycle();
    offers(0, 1, 70, 71);
}

/* [bank stealing II-B]: none free, the instruction waits; group 0 goes first, and to the lowest that is free. */
static void groups_get_the_lowest_free_collectors(void **state) {
    (void)state;
    begin();
    request(1, 1, 0, 0, 0);
    cycle();
    assert_int_equal(hand.m.ocu[0].carried_q.warp, 1);
    request(0, 2, 1, 0, 0), request(1, 3, 1, 0, 0);
    cycle();
    assert_int_equal(hand.out.grant, 3);
    assert_int_equal(hand.m.ocu[1].carried_q.warp, 2);
    assert_int_equal(hand.m.ocu[2].carried_q.warp, 3);
    request(0, 4, 0, 0, 0), request(1, 5, 0, 0, 0);
    hand.in.ex_ready = 2; /* collector 1 gets free, for the next cycle */
    cycle();
    offers(1, 2, 0, 0);
    assert_int_equal(hand.out.grant, 0);
    request(0, 4, 0, 0, 0), request(1, 5, 0, 0, 0);
    cycle();
    assert_int_equal(hand.out.grant, 1);
    assert_int_equal(hand.m.ocu[1].carried_q.warp, 4);
    request(1, 5, 0, 0, 0);
    cycle();
    assert_int_equal(hand.out.grant, 0);
}

/* A port's turn goes round over the collectors, and moves only when an instruction leaves. */
static void a_port_is_offered_collectors_in_turn(void **state) {
    (void)state;
    begin();
    request(0, 0, 1, 0, 0), request(1, 1, 1, 0, 0);
    cycle();
    request(0, 2, 1, 0, 0);
    hand.in.ex_ready = 1;
    cycle();
    offers(1, 0, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        if (i == 1) request(0, 3, 1, 0, 0); /* into collector 0 again: behind 1 and 2 */
        hand.in.ex_ready = 2;
        cycle();
        offers(1, i, 0, 0);
    }
    cycle();
    assert_int_equal(hand.out.ex_valid, 0);
}

/* Everything there, for the tests below. */
static void fill(void) {
    static knobs k;
    ls_rng rng;
    start(&hand, 0, &sets[FULL_SET]);
    ls_rng_seed(&rng, 5);
    turn(&rng, &sets[FULL_SET], &k);
    k.req = 200, k.sources = 200, k.mapped = 200, k.odd = 0, k.grant = 60, k.ready = 200, k.same_reg = 16, k.no_lane = 0;
    k.dst = 200, k.wild = 4, k.regs = 256, k.pregs = 1024;
    for (uint32_t i = 0; i < 400 || (hand.now.out.ex_valid & 15) != 15 || !anything(&hand.s); i++) {
        assert_true(i < 4000);
        stimulate(&rng, &hand, &k);
        step(&hand);
        slow_comb(&hand.s, &hand.in, &hand.now);
    }
    judge_passes(&hand.j);
}

static void reset_clears_every_register(void **state) {
    (void)state;
    fill();
    reset(&hand);
    judge_passes(&hand.j);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const struct {
        rf_wir_collect_cfg cfg;
        const char *name, *high;
    } bad[] = {
        {SET(8, 13, 8, 16, 4, 5, 2, 2, 64, 10), "collectors", "64"}, {SET(8, 11, 8, 16, 4, 6, 2, 2, 64, 10), "collectors", "64"},
        {SET(8, 3, 1, 16, 4, 2, 2, 2, 1, 10), "pregs", "1024"},      {SET(8, 3, 8, 16, 4, 2, 2, 2, 60, 10), "pregs", "1024"},
        {SET(8, 3, 8, 16, 4, 2, 2, 2, 4, 10), "pregs", "1024"},      {SET(8, 3, 12, 16, 4, 2, 2, 2, 48, 10), "banks", "32"}};
    (void)state;
    JUDGE_RANGES(rf_wir_collect, sets);
    for (size_t i = 0; i < COUNT(bad); i++) judge_refused(&rf_wir_collect_unit, &bad[i].cfg, bad[i].name, bad[i].high);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_wir_collect_out out, other, expected;
    (void)state;
    fill();
    memset(&out, 0xa5, sizeof out);
    memset(&other, 0x5a, sizeof other);
    rf_wir_collect_comb(&hand.m, &hand.in, &out);
    rf_wir_collect_comb(&hand.m, &hand.in, &other);
    slow_comb(&hand.s, &hand.in, &hand.now);
    expected = hand.now.out;
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_collect, LS_OUT, &hand.m, &out, judge_fields(&hand.j, &hand.outputs, &out, &expected));
    judge_lists_all(&hand.outputs, &out, &other, sizeof out);
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_collect, LS_STATE, &hand.m, &hand.m, compare_state(&hand));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(an_instruction_is_collected_and_leaves),
        cmocka_unit_test(what_nobody_wrote_is_zero),
        cmocka_unit_test(one_read_for_a_register_named_twice),
        cmocka_unit_test(groups_get_the_lowest_free_collectors),
        cmocka_unit_test(a_port_is_offered_collectors_in_turn),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir_collect", tests, NULL, NULL);
}
