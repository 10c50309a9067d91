/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir_issue: its slow model (judge_wir_issue.h) in step with the model, every output and every register in every
 * cycle; and what the header promises, with figures worked out by hand. */
#include "tb/wir/env/rf_wir_carried.h"
#include "tb/wir/judge/judge_wir_issue_events.h"

extern const ls_unit rf_wir_issue_unit;

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct bench {
    judge j;
    judge_list outputs, registers;
    rf_wir_issue m, expected;
    slow_issue s;
    slow_turn now, before;
    rf_wir_issue_in in;
    rf_wir_issue_out out;
} bench;

static void compare_state(bench *b) {
    expect_state(&b->s, &b->expected);
    judge_fields(&b->j, &b->registers, &b->m, &b->expected);
}

/* The units inside are of the sizes that the header tells. */
static void has_its_units(const rf_wir_issue *m, const rf_wir_issue_cfg *cfg) {
    const rf_scoreboard_cfg board = {.warps = cfg->warps,
                                     .regs = cfg->regs,
                                     .slots = cfg->slots,
                                     .readers = cfg->collectors * cfg->slots,
                                     .issues = cfg->issues,
                                     .writers = cfg->exports + cfg->issues};
    const uint32_t group = cfg->warps / cfg->issues;
    assert_memory_equal(&m->scoreboard.cfg, &board, sizeof board);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        if (cfg->sched == 0) assert_int_equal(m->gto[g].cfg.warps, group);
        if (cfg->sched == 1) assert_int_equal(m->lrr[g].cfg.warps, group);
        if (cfg->sched == 2) assert_int_equal(m->groups[g].cfg.warps, group);
        if (cfg->sched == 2) assert_int_equal(m->groups[g].cfg.fetch, cfg->fetch);
    }
}

static void nothing_before(bench *b) {
    memset(&b->before, 0, sizeof b->before);
    for (uint32_t g = 0; g < GROUPS; g++) b->before.stage.chosen[g] = NONE;
}

static void start(bench *b, uint64_t seed, const rf_wir_issue_cfg *cfg) {
    memset(b, 0, sizeof *b);
    judge_begin(
        &b->j, seed,
        "rf_wir_issue %u/%u collectors=%u regs=%u lanes=%u slots=%u exports=%u sched=%u fetch=%u pregs=%u places=%u reuse=%u",
        cfg->warps, cfg->issues, cfg->collectors, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->sched, cfg->fetch,
        cfg->pregs, cfg->places, cfg->reuse);
    memset(&b->m, 0xa5, sizeof b->m);
    assert_int_equal(rf_wir_issue_init(&b->m, cfg), 0);
    judge_list_of(&b->outputs, &rf_wir_issue_unit, LS_OUT, &b->m);
    judge_list_of(&b->registers, &rf_wir_issue_unit, LS_STATE, &b->m);
    assert_memory_equal(&b->m.cfg, cfg, sizeof *cfg);
    has_its_units(&b->m, cfg);
    issue_start(&b->s, cfg);
    nothing_before(b);
    compare_state(b);
}

/* One cycle of both with the inputs b->in, everything compared; comb must leave the model alone, and step be comb and clock. */
static void step(bench *b) {
    static rf_wir_issue before, stepped;
    rf_wir_issue_out at_once;
    memcpy(&before, &b->m, sizeof before);
    memcpy(&stepped, &b->m, sizeof stepped);
    memset(&b->out, 0xa5, sizeof b->out);
    memset(&at_once, 0xa5, sizeof at_once);
    rf_wir_issue_comb(&b->m, &b->in, &b->out);
    judge_same(&before, &b->m, sizeof before);
    rf_wir_issue_step(&stepped, &b->in, &at_once);
    judge_same(&b->out, &at_once, sizeof at_once);
    issue_comb(&b->s, &b->in, &b->now);
    judge_fields(&b->j, &b->outputs, &b->out, &b->now.out);
    rf_wir_issue_clock(&b->m, &b->in);
    judge_same(&stepped, &b->m, sizeof stepped);
    issue_clock(&b->s, &b->in, &b->now);
    compare_state(b);
    b->before = b->now;
    b->j.cycle++;
}

static void reset(bench *b) {
    rf_wir_issue_reset(&b->m);
    issue_reset(&b->s);
    nothing_before(b);
    compare_state(b);
    assert_memory_equal(&b->m.cfg, &b->s.cfg, sizeof b->m.cfg);
    has_its_units(&b->m, &b->s.cfg);
}

/* --- random instructions -----------------------------------------------------------------------------------------------------
 */

#define SET(w, c, r, l, s, e, i, sc, f, p, pl, u)                                                                                \
    {                                                                                                                            \
        .warps = (w), .collectors = (c), .regs = (r), .lanes = (l), .slots = (s), .exports = (e), .issues = (i), .sched = (sc),  \
        .fetch = (f), .pregs = (p), .places = (pl), .reuse = (u)                                                                 \
    }
static const rf_wir_issue_cfg sets[] = {
    SET(1, 1, 1, 1, 1, 1, 1, 0, 1, 2, 2, 1),         SET(6, 2, 3, 2, 2, 2, 2, 0, 1, 12, 3, 1),
    SET(12, 3, 5, 3, 3, 3, 3, 1, 2, 33, 4, 1),       SET(12, 2, 4, 4, 2, 4, 4, 0, 9, 64, 2, 1),
    SET(10, 2, 12, 4, 1, 6, 2, 2, 2, 5, 6, 1),       SET(9, 2, 6, 5, 3, 2, 1, 2, 3, 100, 3, 0),
    SET(8, 3, 4, 4, 2, 4, 4, 1, 64, 40, 2, 0),       SET(7, 2, 5, 1, 4, 7, 1, 0, 1, 16, 5, 0),
    SET(48, 8, 63, 32, 3, 4, 2, 0, 8, 1024, 10, 1),  SET(64, 15, 256, 32, 4, 4, 4, 2, 5, 1024, 18, 1),
    SET(63, 10, 255, 31, 6, 5, 3, 1, 1, 1023, 7, 1), SET(5, 1, 70, 8, 5, 1, 1, 1, 1, 7, 18, 1),
};
static const uint64_t lengths[] = {12000, 40000, 25000, 30000, 25000, 25000, 25000, 15000, 2500, 700, 800, 10000};
enum { FULL_SET = 9 };

/* What 64 cycles have in common, in 256ths. */
typedef struct knobs {
    uint32_t valid, alive, dst, sources, store, load, lane, launch, exit, walk, place, reads, rdp, clear, aim, redraw, wild;
    uint32_t regs, warps;
} knobs;

static uint32_t some(ls_rng *rng) { return ls_rng_chance(rng, 48) ? 0 : ls_rng_chance(rng, 85) ? 256 : ls_rng_below(rng, 257); }

static uint32_t rare(ls_rng *rng, uint32_t most) { return ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, most); }

static void turn(ls_rng *rng, const rf_wir_issue_cfg *cfg, knobs *k) {
    k->valid = some(rng), k->alive = 256 - rare(rng, 96), k->dst = some(rng), k->sources = some(rng), k->store = some(rng);
    k->load = some(rng), k->lane = some(rng), k->launch = rare(rng, 64), k->exit = rare(rng, 64), k->walk = rare(rng, 128);
    k->place = rare(rng, 200), k->reads = some(rng), k->rdp = rare(rng, 80), k->clear = some(rng);
    k->aim = ls_rng_below(rng, 257), k->redraw = rare(rng, 32), k->wild = rare(rng, 48);
    k->regs = ls_rng_chance(rng, 32) ? cfg->regs : 1 + ls_rng_below(rng, 4);
    k->warps = ls_rng_chance(rng, 96) ? cfg->warps : 1 + ls_rng_below(rng, 6);
}

/* One of the first few, at times the last, anything that the wires carry. */
static uint8_t draw(ls_rng *rng, uint32_t n, uint32_t few, uint32_t wild) {
    if (ls_rng_chance(rng, wild)) return (uint8_t)ls_rng_below(rng, judge_codes(n));
    return (uint8_t)(ls_rng_chance(rng, 16) ? n - 1 : ls_rng_below(rng, few < n ? few : n));
}

static void set_bit(uint64_t *bits, uint32_t i, bool value) { *bits = (*bits & ~(UINT64_C(1) << i)) | (uint64_t)value << i; }

static void draw_head(ls_rng *rng, const rf_wir_issue_cfg *cfg, const knobs *k, rf_wir_issue_in *in, uint32_t w) {
    set_bit(&in->ib_valid, w, ls_rng_chance(rng, k->valid)), set_bit(&in->ib_dst_valid, w, ls_rng_chance(rng, k->dst));
    set_bit(&in->ib_reuse, w, ls_rng_chance(rng, 128)), set_bit(&in->ib_store, w, ls_rng_chance(rng, k->store));
    set_bit(&in->ib_store_shared, w, ls_rng_chance(rng, 128));
    RF_WIR_DRAW_CARRIED_HEAD(rng, in, w);
    in->ib_port[w] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->exports));
    in->ib_mask[w] = ls_rng_chance(rng, k->alive) ? (uint32_t)ls_rng_value(rng, cfg->lanes) : 0;
    in->ib_dst[w] = draw(rng, cfg->regs, k->regs, k->wild),
    in->ib_src_valid[w] = (uint8_t)ls_rng_bits(rng, cfg->slots, k->sources);
    in->ib_op[w] = (uint8_t)ls_rng_value(rng, 8 - cfg->slots), in->ib_space[w] = (uint8_t)ls_rng_below(rng, 4);
    for (uint32_t s = 0; s < cfg->slots; s++) {
        in->ib_src[w * cfg->slots + s] = draw(rng, cfg->regs, k->regs, k->wild);
        in->ib_imm[w * cfg->slots + s] = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
    }
}

/* An instruction at a place, or what it left there: mostly of a warp of its group. */
static void draw_place(ls_rng *rng, const rf_wir_issue_cfg *cfg, const knobs *k, rf_wir_issue_in *in, uint32_t at) {
    const uint32_t g = at / cfg->places, few = (k->warps + cfg->issues - 1) / cfg->issues;
    const bool there = ls_rng_chance(rng, k->place), load = ls_rng_chance(rng, k->load);
    in->at_valid[g] = (in->at_valid[g] & ~(1u << at % cfg->places)) | (uint32_t)there << at % cfg->places;
    in->at[at].load = load;
    in->at[at].warp = draw(rng, cfg->warps, k->warps, 128);
    if (!ls_rng_chance(rng, k->wild)) in->at[at].warp = (uint8_t)(draw(rng, cfg->warps / cfg->issues, few, 0) * cfg->issues + g);
    in->at[at].src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, k->reads);
    for (uint32_t s = 0; s < cfg->slots; s++) in->at[at].src[s] = draw(rng, cfg->regs, k->regs, k->wild);
}

/* What retires: often something that is pending. */
static void draw_clear(ls_rng *rng, const slow_issue *s, const knobs *k, rf_wir_issue_in *in) {
    const rf_wir_issue_cfg *cfg = &s->cfg;
    in->clr = (uint8_t)ls_rng_bits(rng, cfg->exports + cfg->issues, k->clear / 4);
    for (uint32_t i = 0; i < cfg->exports + cfg->issues; i++) {
        in->clr_warp[i] = draw(rng, cfg->warps, k->warps, k->wild), in->clr_reg[i] = draw(rng, cfg->regs, k->regs, k->wild);
        if (!ls_rng_chance(rng, k->aim)) continue;
        const uint32_t from = ls_rng_below(rng, cfg->regs);
        for (uint32_t r = 0; r < cfg->regs; r++)
            if (is_pending(&s->stage, in->clr_warp[i], (from + r) % cfg->regs))
                in->clr_reg[i] = (uint8_t)((from + r) % cfg->regs);
    }
    if (cfg->exports < 8 && ls_rng_chance(rng, 16)) /* what issues may write it anew */
        in->clr |= (uint8_t)(1u << cfg->exports), in->clr_warp[cfg->exports] = (uint8_t)ls_rng_below(rng, cfg->warps),
                                                  in->clr_reg[cfg->exports] = in->ib_dst[in->clr_warp[cfg->exports]];
}

static void stimulate(ls_rng *rng, bench *b, const knobs *k) {
    const rf_wir_issue_cfg *cfg = &b->s.cfg;
    rf_wir_issue_in *in = &b->in;
    const uint32_t readers = cfg->collectors * cfg->slots;
    for (uint32_t w = 0; w < cfg->warps; w++) {
        const uint32_t g = w % cfg->issues;
        const bool gone = b->before.stage.turn[g] && b->before.stage.chosen[g] == w;
        if (gone || ls_rng_chance(rng, judge_bit(in->ib_valid, w) ? k->redraw : 64)) draw_head(rng, cfg, k, in, w);
    }
    for (uint32_t at = 0; at < cfg->places * cfg->issues; at++)
        if (ls_rng_chance(rng, 64)) draw_place(rng, cfg, k, in, at);
    in->launch = ls_rng_bits(rng, cfg->warps, k->launch / 4), in->exit = ls_rng_bits(rng, cfg->warps, k->exit / 4);
    in->lane_ready = (uint8_t)ls_rng_bits(rng, cfg->issues, k->lane);
    for (uint32_t g = 0; g < cfg->issues; g++) in->walking[g] = ls_rng_bits(rng, cfg->warps / cfg->issues, k->walk);
    in->rdp = ls_rng_bits(rng, readers, k->rdp);
    for (uint32_t i = 0; i < readers; i++)
        in->rdp_warp[i] = draw(rng, cfg->warps, k->warps, k->wild), in->rdp_reg[i] = draw(rng, cfg->regs, k->regs, k->wild);
    /* Now and then what a head writes. */
    const uint32_t w = ls_rng_below(rng, cfg->warps), r = ls_rng_below(rng, readers),
                   at = ls_rng_below(rng, cfg->places * cfg->issues);
    if (ls_rng_chance(rng, 12)) in->ib_dst[w] = (uint8_t)(judge_codes(cfg->regs) - 1); /* of those that do not exist, too */
    if (ls_rng_chance(rng, 48))
        in->rdp_warp[r] = (uint8_t)w, in->rdp_reg[r] = in->ib_dst[w], set_bit(&in->rdp, r, ls_rng_chance(rng, 128));
    if (ls_rng_chance(rng, 48)) in->at[at].warp = (uint8_t)w, in->at[at].src[0] = in->ib_dst[w];
    draw_clear(rng, &b->s, k, in);
}

static bool something_pending(const slow_issue *s) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++)
            if (s->stage.pending[w][r]) return true;
    return false;
}

static bench b; /* large */

static void run(const rf_wir_issue_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    ls_rng rng;
    knobs k;
    start(&b, seed, cfg);
    ls_rng_seed(&rng, seed);
    while (b.j.cycle < cycles) {
        if (b.j.cycle % 64 == 0) turn(&rng, cfg, &k);
        stimulate(&rng, &b, &k);
        issue_comb(&b.s, &b.in, &b.now);
        count(&b.s, &b.in, &b.now, &b.before, seen);
        step(&b);
        if (ls_rng_below(&rng, 1024) != 0) continue;
        seen[RESET] += something_pending(&b.s);
        reset(&b);
    }
    judge_passes(&b.j);
}

static void random_instructions(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_wir_issue"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* --- what the header promises, by hand ---------------------------------------------------------------------------------------
 */

/* Two groups of three warps, 8 registers, 4 lanes, 2 sources, two ports: writers 0 and 1, and 2 and 3 for what is reused. Two
 * collectors; three places a group. */
static const rf_wir_issue_cfg two = SET(6, 2, 8, 4, 2, 2, 2, 0, 1, 64, 3, 1);
static const rf_wir_issue_cfg plain = SET(6, 2, 8, 4, 2, 2, 2, 0, 1, 64, 3, 0);
static const rf_wir_issue_cfg turns = SET(8, 2, 8, 4, 2, 2, 2, 1, 1, 64, 3, 1);
static const rf_wir_issue_cfg fetched = SET(8, 2, 8, 4, 2, 2, 2, 2, 2, 64, 3, 1);

/* Every warp shows itself. */
static void begin(const rf_wir_issue_cfg *cfg) {
    start(&b, 0, cfg);
    for (uint32_t w = 0; w < cfg->warps; w++) b.in.ib_tag[w] = (uint16_t)(100 + w), b.in.ib_mask[w] = 15;
}

/* Warp w's head: r`dst` = f(r`src`). */
static void head(uint32_t w, uint32_t dst, uint32_t src) {
    set_bit(&b.in.ib_valid, w, true), set_bit(&b.in.ib_dst_valid, w, true);
    b.in.ib_dst[w] = (uint8_t)dst, b.in.ib_src_valid[w] = 2, b.in.ib_src[w * 2] = 7, b.in.ib_src[w * 2 + 1] = (uint8_t)src;
}

static void store(uint32_t w, uint32_t src) {
    head(w, 6, src);
    set_bit(&b.in.ib_dst_valid, w, false), set_bit(&b.in.ib_store, w, true);
}

/* An instruction of warp w at a place: a load of what r`src` says, or not. */
static void place(uint32_t g, uint32_t at, uint32_t w, uint32_t src, bool load) {
    b.in.at_valid[g] |= 1u << at, b.in.at[g * 3 + at].load = load;
    b.in.at[g * 3 + at].warp = (uint8_t)w, b.in.at[g * 3 + at].src_valid = 1, b.in.at[g * 3 + at].src[0] = (uint8_t)src;
}

static void retire(uint32_t writer, uint32_t w, uint32_t reg) {
    b.in.clr |= (uint8_t)(1u << writer), b.in.clr_warp[writer] = (uint8_t)w, b.in.clr_reg[writer] = (uint8_t)reg;
}

/* A cycle; who issues is taken from its buffer, and the rest is over. */
static void cycle(void) {
    step(&b);
    judge_passes(&b.j);
    for (uint32_t g = 0; g < b.s.cfg.issues; g++)
        if (judge_bit(b.out.issue_valid, g))
            set_bit(&b.in.ib_valid, b.out.issue_warp[g], false), set_bit(&b.in.ib_store, b.out.issue_warp[g], false);
    b.in.launch = b.in.exit = b.in.lane_ready = b.in.clr = 0;
    b.in.rdp = b.in.walking[0] = b.in.walking[1] = 0;
    b.in.at_valid[0] = b.in.at_valid[1] = 0;
    memset(b.in.at, 0, sizeof b.in.at);
}

/* Of both groups: the warp that issued, or -1. */
static void issued(int first, int second) {
    assert_int_equal(b.out.issue_valid, (first >= 0) + 2 * (second >= 0));
    assert_int_equal(b.out.issue_warp[0], first >= 0 ? first : 0);
    assert_int_equal(b.out.issue_warp[1], second >= 0 ? second : 0);
}

/* [WIR II]: "the destination registers of an issued instruction are registered to the scoreboard", "retired instructions remove
 * their destination registers"; what retires by reuse does so as well. */
static void a_result_to_come_makes_its_readers_and_writers_wait(void **state) {
    (void)state;
    begin(&two);
    head(3, 5, 1);
    b.in.lane_ready = 3;
    cycle();
    issued(-1, 3);
    head(3, 4, 5); /* reads it */
    head(5, 5, 1); /* another warp's */
    b.in.lane_ready = 3;
    cycle();
    issued(-1, 5);
    b.in.lane_ready = 3;
    retire(3, 3, 5);
    cycle(); /* from the next cycle on */
    issued(-1, -1);
    b.in.lane_ready = 3;
    cycle();
    issued(-1, 3);
    head(5, 5, 1); /* writes it again */
    b.in.lane_ready = 3, retire(0, 5, 4);
    cycle();
    issued(-1, -1);
    retire(1, 5, 5);
    cycle();
    b.in.lane_ready = 3;
    retire(1, 5, 5); /* set wins */
    cycle();
    issued(-1, 5);
    head(5, 5, 1);
    b.in.lane_ready = 3;
    cycle();
    issued(-1, -1);
}

/* D-war: not what has yet to be read, in a collector, or at one of the places before them; D-order: no store past a load. */
static void what_was_issued_before_is_not_overtaken(void **state) {
    (void)state;
    begin(&two);
    head(2, 3, 1);
    b.in.lane_ready = 3, b.in.rdp = 1u << 3, b.in.rdp_warp[3] = 2, b.in.rdp_reg[3] = 3; /* collector 1, slot 1 */
    cycle();
    issued(-1, -1);
    b.in.lane_ready = 3, place(0, 2, 2, 3, false);
    cycle();
    issued(-1, -1);
    b.in.lane_ready = 3, place(0, 0, 4, 3, true), place(0, 1, 2, 1, true); /* another's, and what it reads itself */
    cycle();
    issued(2, -1);
    store(2, 1);
    b.in.lane_ready = 3, place(0, 0, 2, 2, true);
    cycle();
    issued(-1, -1);
    b.in.lane_ready = 3, place(0, 0, 2, 2, false), place(1, 0, 3, 2, true); /* no load, and another's */
    cycle();
    issued(2, -1);
    assert_int_equal(b.out.head[0].store, 1);
}

/* D-mask: "no sources, no destination, no store". */
static void no_lane_no_hazard(void **state) {
    (void)state;
    begin(&two);
    head(0, 2, 1);
    b.in.lane_ready = 1;
    cycle();
    issued(0, -1);
    head(0, 2, 2); /* RAW, WAW, D-war, and D-order */
    set_bit(&b.in.ib_store, 0, true), set_bit(&b.in.ib_store_shared, 0, true);
    b.in.lane_ready = 1, place(0, 0, 0, 2, true);
    b.in.rdp = 1, b.in.rdp_warp[0] = 0, b.in.rdp_reg[0] = 2;
    cycle();
    issued(-1, -1);
    b.in.ib_mask[0] = 0;
    b.in.lane_ready = 1, place(0, 0, 0, 2, true);
    b.in.rdp = 1, b.in.rdp_warp[0] = 0, b.in.rdp_reg[0] = 2;
    retire(0, 0, 2);
    cycle();
    issued(0, -1);
    assert_int_equal(b.out.head[0].src_valid, 0);
    assert_int_equal(b.out.head[0].dst_valid | b.out.head[0].store, 0);
    assert_int_equal(b.out.head[0].dst, 2);
    assert_int_equal(b.out.head[0].src[1], 2);
    assert_int_equal(b.m.scoreboard.pending_q[0].w[0], 0); /* and nothing becomes pending */
}

/* "Old mappings are released first": [WIR V-B], "all entries are invalid at warp initialization". */
static void a_warp_waits_until_its_mappings_are_released(void **state) {
    (void)state;
    begin(&two);
    head(1, 2, 1), head(2, 2, 1);
    b.in.lane_ready = 3, b.in.launch = 1u << 1, b.in.exit = 1u << 2 | 1u << 5;
    cycle();
    issued(-1, -1);
    assert_int_equal(b.out.clear[0], 2); /* warp 2 is number 1 of group 0 */
    assert_int_equal(b.out.clear[1], 1 | 4);
    b.in.lane_ready = 3, b.in.walking[0] = 2, b.in.walking[1] = 1;
    cycle();
    issued(-1, -1);
    assert_int_equal(b.out.clear[0] | b.out.clear[1], 0);
    b.in.lane_ready = 3, b.in.walking[0] = 1 | 4, b.in.walking[1] = 2;
    cycle();
    issued(2, 1);
    begin(&plain); /* nobody has mappings */
    head(1, 2, 1), head(2, 2, 1);
    b.in.lane_ready = 3, b.in.launch = 1u << 1, b.in.exit = 1u << 2, b.in.walking[0] = 2;
    cycle();
    issued(2, 1);
    assert_int_equal(b.out.clear[0], 2);
    assert_int_equal(b.out.clear[1], 1);
}

/* Greedy, then oldest: a launch makes the youngest, and breaks the greed. Who is shown is not always who issues. */
static void the_head_shown_is_the_one_chosen(void **state) {
    (void)state;
    begin(&two);
    cycle();
    assert_int_equal(b.out.head[0].warp, 0); /* nobody: the first of each group */
    assert_int_equal(b.out.head[1].warp, 1);
    assert_int_equal(b.out.head[1].tag, 101);
    head(2, 1, 0), head(4, 1, 0);
    b.in.launch = 1u << 2;
    cycle(); /* 2 is launched: 4 */
    issued(-1, -1);
    assert_int_equal(b.out.head[0].warp, 4);
    assert_int_equal(b.out.head[0].tag, 104);
    b.in.lane_ready = 2; /* the other group's lane */
    cycle();
    issued(-1, -1);
    assert_int_equal(b.out.head[0].warp, 4); /* older than 2 by now */
    b.in.lane_ready = 1;
    cycle();
    issued(4, -1);
    head(4, 2, 0), head(0, 1, 0); /* 0 is older than both */
    b.in.lane_ready = 1;
    cycle();
    issued(4, -1);
    head(4, 3, 0);
    b.in.launch = 1u << 4, b.in.lane_ready = 1;
    cycle();
    issued(0, -1);
    head(0, 2, 0), set_bit(&b.in.ib_valid, 0, false);
    b.in.lane_ready = 1;
    cycle();
    issued(2, -1);
    b.in.lane_ready = 1;
    cycle();
    issued(4, -1);
}

static void heads_go_in_turn_or_by_fetch_groups(void **state) {
    static const int round[] = {1, 3, 5, 7, 1, 3}, by_two[] = {1, 3, 1, 3, 1, 3};
    (void)state;
    begin(&turns);
    for (uint32_t i = 0; i < COUNT(round); i++) {
        for (uint32_t w = 1; w < 8; w += 2) head(w, i, 7);
        b.in.lane_ready = 3;
        cycle();
        issued(-1, round[i]);
    }
    begin(&fetched);
    for (uint32_t i = 0; i < COUNT(by_two); i++) {
        for (uint32_t w = 1; w < 8; w += 2) head(w, i, 7);
        b.in.lane_ready = 3;
        cycle();
        issued(-1, by_two[i]);
    }
    set_bit(&b.in.ib_valid, 1, false), set_bit(&b.in.ib_valid, 3, false);
    b.in.lane_ready = 2;
    cycle();
    issued(-1, 5);
    head(1, 6, 7), head(5, 6, 7);
    b.in.lane_ready = 2;
    cycle(); /* still the second fetch group, and on in it */
    issued(-1, 7);
}

/* Everything there, for the tests below. */
static void fill(void) {
    static knobs k;
    ls_rng rng;
    start(&b, 0, &sets[FULL_SET]);
    ls_rng_seed(&rng, 11);
    turn(&rng, &sets[FULL_SET], &k);
    k.valid = k.alive = 256, k.dst = k.lane = 200, k.sources = 128, k.clear = 8, k.place = 64, k.rdp = 16, k.launch = 4;
    k.exit = 0, k.walk = 16, k.regs = 256, k.warps = 64, k.wild = 0;
    for (uint32_t i = 0; i < 200; i++) {
        stimulate(&rng, &b, &k);
        step(&b);
    }
    judge_passes(&b.j);
    assert_true(something_pending(&b.s));
}

static void reset_clears_every_register(void **state) {
    (void)state;
    fill();
    reset(&b);
    judge_passes(&b.j);
    for (uint32_t sched = 0; sched < 2; sched++) {
        rf_wir_issue_cfg cfg = sets[FULL_SET];
        cfg.sched = sched;
        start(&b, 0, &cfg);
        for (uint32_t w = 0; w < 64; w++) head(w, w, 70), b.in.ib_mask[w] = 15;
        for (uint32_t i = 0; i < 5; i++) b.in.lane_ready = 15, b.in.launch = UINT64_C(0xf0f0) << i, step(&b);
        judge_passes(&b.j);
        reset(&b);
        judge_passes(&b.j);
    }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const struct {
        rf_wir_issue_cfg cfg;
        const char *name, *high;
    } bad[] = {{SET(6, 2, 8, 4, 2, 2, 2, 0, 1, 64, 1, 1), "places", "18"},
               {SET(7, 2, 8, 4, 2, 2, 2, 0, 1, 64, 3, 1), "warps", "issues"},
               {SET(1, 2, 8, 4, 2, 2, 2, 0, 1, 64, 3, 1), "warps", "issues"},
               {SET(6, 2, 8, 4, 2, 7, 2, 0, 1, 64, 3, 1), "exports", "8"},
               {SET(8, 2, 8, 4, 2, 5, 4, 0, 1, 64, 3, 1), "exports", "8"},
               {SET(6, 13, 8, 4, 5, 2, 2, 0, 1, 64, 3, 1), "collectors", "64"},
               {SET(6, 11, 8, 4, 6, 2, 2, 0, 1, 64, 3, 1), "collectors", "64"}};
    (void)state;
    JUDGE_RANGES_BUT(rf_wir_issue, sets, "exports");
    for (size_t i = 0; i < COUNT(bad); i++) judge_refused(&rf_wir_issue_unit, &bad[i].cfg, bad[i].name, bad[i].high);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_wir_issue_out out, other, expected;
    (void)state;
    for (uint32_t sched = 0; sched < 3; sched++) {
        rf_wir_issue_cfg cfg = sets[FULL_SET];
        fill();
        if (sched != 2) {
            cfg.sched = sched;
            start(&b, 0, &cfg);
        }
        memset(&out, 0xa5, sizeof out);
        memset(&other, 0x5a, sizeof other);
        rf_wir_issue_comb(&b.m, &b.in, &out);
        rf_wir_issue_comb(&b.m, &b.in, &other);
        issue_comb(&b.s, &b.in, &b.now);
        expected = b.now.out;
        JUDGE_LANE_FLIPS(&b.j, rf_wir_issue, LS_OUT, &b.m, &out, judge_fields(&b.j, &b.outputs, &out, &expected));
        judge_lists_all(&b.outputs, &out, &other, sizeof out);
        JUDGE_LANE_FLIPS(&b.j, rf_wir_issue, LS_STATE, &b.m, &b.m, compare_state(&b));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(a_result_to_come_makes_its_readers_and_writers_wait),
        cmocka_unit_test(what_was_issued_before_is_not_overtaken),
        cmocka_unit_test(no_lane_no_hazard),
        cmocka_unit_test(a_warp_waits_until_its_mappings_are_released),
        cmocka_unit_test(the_head_shown_is_the_one_chosen),
        cmocka_unit_test(heads_go_in_turn_or_by_fetch_groups),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir_issue", tests, NULL, NULL);
}
