/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_stage_head: the slow model opens the buffer of one warp and, to find a register, walks from the first of that warp
 * from bank to bank (D-map). */
#include "cmodel/banked/rf_stage_head.h"

#include "tb/banked/env/rf_stage_carried.h"
#include "tb/banked/judge/judge_carried.h"
#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_stage_head_unit;

typedef struct slow_head {
    rf_stage_carried carried;
    uint32_t port;
    bool src_valid[RF_SLOTS_MAX];
    uint32_t src[RF_SLOTS_MAX], bank[RF_SLOTS_MAX], row[RF_SLOTS_MAX];
} slow_head;

/* clang-format off */
#define SEEN(X) \
    X(FIRST_WARP, "the first of several warps") X(LAST_WARP, "the last of several warps") \
    X(NO_WARP, "a warp that does not exist") X(NO_WARP_CUT, "a warp that does not exist, with a row too large for its wires") \
    X(DESTINATION, "with a destination") X(NO_DESTINATION, "without a destination") \
    X(NO_SOURCE, "no valid source") X(ALL_SOURCES, "every slot has a source") X(LAST_SOURCE, "only the last of several slots") \
    X(IDLE_SOURCE, "a source that is not valid is mapped") \
    X(NO_LANE, "no active lane, sources all the same") \
    X(SAME_SOURCE, "one register in two slots") X(SAME_BANK, "two registers in one bank") \
    X(ALL_BANKS, "no two sources in one bank") \
    X(TOP_BANK, "the last of several banks") X(BANK_WRAPS, "a bank found after the last one, at the first again") \
    X(FIRST_ROW, "the first row") X(TOP_ROW, "the last of several rows") \
    X(NO_REGISTER, "a register that does not exist") X(NO_REGISTER_CUT, "such a register with a row too large for its wires") \
    X(LAST_PORT, "the last of several ports") X(NO_PORT, "a port that does not exist") X(FULL_TAG, "a tag of ones")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* Rows that a warp has in each bank: registers are dealt to the banks one by one. */
static uint32_t slow_rows_per_warp(const rf_stage_head_cfg *cfg) {
    uint32_t rows = 0;
    for (uint32_t dealt = 0; dealt < cfg->regs; dealt += cfg->banks) rows++;
    return rows;
}

/* Where a register is, before its row is cut to the wires; true when the bank was found by wrapping around. */
static bool slow_place(const rf_stage_head_cfg *cfg, uint32_t warp, uint32_t reg, uint32_t *bank, uint32_t *row) {
    const uint32_t per_warp = slow_rows_per_warp(cfg);
    uint32_t in_row = 0, wraps = 0;
    *bank = 0;
    *row = 0;
    for (uint32_t w = 0; w < warp; w++) { /* each warp starts one bank later, and below the rows of the one before */
        *bank = *bank + 1 == cfg->banks ? 0 : *bank + 1;
        *row += per_warp;
    }
    for (uint32_t r = 0; r < reg; r++) {
        wraps += *bank + 1 == cfg->banks;
        *bank = *bank + 1 == cfg->banks ? 0 : *bank + 1;
        if (++in_row < cfg->banks) continue;
        in_row = 0; /* every bank has one: the next row */
        ++*row;
    }
    return cfg->banks > 1 && wraps > 0;
}

static uint32_t slow_rows(const rf_stage_head_cfg *cfg) { return cfg->warps * slow_rows_per_warp(cfg); }

static void slow_comb(const rf_stage_head_cfg *cfg, const rf_stage_head_in *in, slow_head *out) {
    const uint32_t w = in->warp;
    memset(out, 0, sizeof *out);
    out->carried.warp = (uint16_t)w;
    if (w < cfg->warps) {
        out->carried = judge_carried_of(&in->heads, w);
        out->port = in->ib_port[w];
        for (uint32_t s = 0; s < cfg->slots; s++) {
            out->src_valid[s] = judge_bit(in->ib_src_valid[w], s);
            out->src[s] = in->ib_src[w * cfg->slots + s];
        }
    }
    for (uint32_t s = 0; s < cfg->slots; s++) {
        (void)slow_place(cfg, w, out->src[s], &out->bank[s], &out->row[s]);
        out->row[s] %= judge_codes(slow_rows(cfg));
    }
}

static void compare_out(judge *j, const rf_stage_head_cfg *cfg, const rf_stage_head_out *out, const slow_head *expected) {
    judge_carried(j, 0, &out->inst.carried, &expected->carried);
    judge_equal(j, "inst.port", 0, out->inst.port, expected->port);
    judge_equal(j, "inst.src_valid", 0, out->inst.src_valid, judge_pack(expected->src_valid, cfg->slots));
    for (uint32_t s = 0; s < cfg->slots; s++) {
        judge_equal(j, "inst.src", s, out->inst.src[s], expected->src[s]);
        judge_equal(j, "bank", s, out->bank[s], expected->bank[s]);
        judge_equal(j, "row", s, out->row[s], expected->row[s]);
    }
}

static void start(rf_stage_head *m, const rf_stage_head_cfg *cfg) {
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_stage_head_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
}

/* One cycle, everything compared; the two calls of comb start from different garbage, and nothing changes the unit. */
static void step(judge *j, rf_stage_head *m, const rf_stage_head_in *in, slow_head *expected) {
    rf_stage_head before;
    rf_stage_head_out out;
    slow_comb(&m->cfg, in, expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_stage_head_comb(m, in, &out);
    compare_out(j, &m->cfg, &out, expected);
    memset(&out, 0x5a, sizeof out);
    rf_stage_head_comb(m, in, &out);
    compare_out(j, &m->cfg, &out, expected);
    JUDGE_CLOCK(rf_stage_head, m, in);
    assert_memory_equal(&before, m, sizeof before);
    j->cycle++;
}

static void count(const rf_stage_head_cfg *cfg, const rf_stage_head_in *in, const slow_head *out, uint64_t *seen) {
    const uint32_t w = in->warp, codes = judge_codes(slow_rows(cfg));
    uint32_t valid = 0, in_bank[RF_BANKS_MAX] = {0};
    bool crowded = false;
    if (w >= cfg->warps) {
        seen[NO_WARP]++;
        seen[NO_WARP_CUT] += w * slow_rows_per_warp(cfg) >= codes;
        return;
    }
    seen[FIRST_WARP] += cfg->warps > 1 && w == 0;
    seen[LAST_WARP] += cfg->warps > 1 && w == cfg->warps - 1;
    seen[DESTINATION] += out->carried.dst_valid;
    seen[NO_DESTINATION] += !out->carried.dst_valid;
    seen[LAST_PORT] += cfg->exports > 1 && out->port == cfg->exports - 1;
    seen[NO_PORT] += out->port >= cfg->exports;
    seen[FULL_TAG] += out->carried.tag == 0xffff;
    for (uint32_t s = 0; s < cfg->slots; s++) {
        const uint32_t r = out->src[s];
        uint32_t bank, row;
        seen[BANK_WRAPS] += slow_place(cfg, w, r, &bank, &row);
        seen[NO_REGISTER] += r >= cfg->regs;
        seen[NO_REGISTER_CUT] += r >= cfg->regs && row >= codes;
        seen[TOP_BANK] += cfg->banks > 1 && bank == cfg->banks - 1;
        seen[FIRST_ROW] += row == 0;
        seen[TOP_ROW] += r < cfg->regs && row > 0 && row == slow_rows(cfg) - 1;
        seen[IDLE_SOURCE] += !out->src_valid[s] && r != 0;
        valid += out->src_valid[s];
        for (uint32_t t = 0; t < s; t++) {
            seen[SAME_SOURCE] += out->src[t] == r;
            seen[SAME_BANK] += out->src[t] != r && out->bank[t] == bank;
        }
        crowded = crowded || in_bank[bank]++ > 0;
    }
    seen[NO_SOURCE] += valid == 0;
    seen[ALL_SOURCES] += valid == cfg->slots;
    seen[LAST_SOURCE] += cfg->slots > 1 && valid == 1 && out->src_valid[cfg->slots - 1];
    seen[NO_LANE] += out->carried.mask == 0 && valid > 0;
    seen[ALL_BANKS] += cfg->slots > 1 && !crowded;
}

static const rf_stage_head_cfg sets[] = {
    {.warps = 32, .banks = 16, .regs = 32, .lanes = 32, .slots = 3, .exports = 3},
    {.warps = 1, .banks = 1, .regs = 1, .lanes = 1, .slots = 1, .exports = 1},
    {.warps = 3, .banks = 3, .regs = 5, .lanes = 3, .slots = 2, .exports = 5},
    {.warps = 48, .banks = 5, .regs = 33, .lanes = 31, .slots = 7, .exports = 8},
    {.warps = 64, .banks = 16, .regs = 256, .lanes = 32, .slots = 8, .exports = 4},
    {.warps = 64, .banks = 32, .regs = 256, .lanes = 1, .slots = 4, .exports = 2},
    {.warps = 33, .banks = 32, .regs = 7, .lanes = 4, .slots = 3, .exports = 6},
    {.warps = 4, .banks = 1, .regs = 255, .lanes = 8, .slots = 3, .exports = 7},
    {.warps = 5, .banks = 7, .regs = 200, .lanes = 2, .slots = 8, .exports = 1},
    {.warps = 17, .banks = 2, .regs = 100, .lanes = 16, .slots = 5, .exports = 3},
    {.warps = 4, .banks = 3, .regs = 5, .lanes = 3, .slots = 4, .exports = 4},
};
#define SETS (sizeof sets / sizeof *sets)

/* An instruction into the buffer of warp w; registers from a few, so that they meet, or anything that the wires carry. */
static void draw(ls_rng *rng, const rf_stage_head_cfg *cfg, uint32_t w, uint32_t few, rf_stage_head_in *in) {
    const uint32_t registers = judge_codes(cfg->regs);
    rf_stage_drive_carried(&in->heads, w, (uint16_t)ls_rng_value(rng, 16));
    in->ib_port[w] = (uint8_t)ls_rng_below(rng, judge_codes(cfg->exports));
    in->ib_mask[w] = (uint32_t)ls_rng_value(rng, cfg->lanes);
    in->ib_dst_valid = (in->ib_dst_valid & ~(UINT64_C(1) << w)) | (uint64_t)ls_rng_chance(rng, 160) << w;
    in->ib_dst[w] = (uint8_t)ls_rng_below(rng, registers);
    in->ib_src_valid[w] = (uint8_t)ls_rng_value(rng, cfg->slots);
    for (uint32_t s = 0; s < cfg->slots; s++) {
        uint32_t reg = ls_rng_below(rng, few < registers ? few : registers);
        if (ls_rng_chance(rng, 64)) reg = ls_rng_below(rng, registers);
        if (ls_rng_chance(rng, 32)) reg = cfg->regs - 1;
        if (ls_rng_chance(rng, 16)) reg = registers - 1;
        in->ib_src[w * cfg->slots + s] = (uint8_t)reg;
    }
}

static void run(const rf_stage_head_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_stage_head_in in;
    rf_stage_head m;
    slow_head expected;
    judge j;
    ls_rng rng;
    start(&m, cfg);
    judge_begin(&j, seed,
                "rf_stage_head warps=%" PRIu32 " banks=%" PRIu32 " regs=%" PRIu32 " lanes=%" PRIu32 " slots=%" PRIu32
                " exports=%" PRIu32,
                cfg->warps, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    const uint32_t few = 2 + ls_rng_below(&rng, 40);
    for (uint32_t w = 0; w < cfg->warps; w++) draw(&rng, cfg, w, few, &in);
    while (j.cycle < cycles) {
        const uint32_t edge = ls_rng_below(&rng, 8);
        if (edge == 0) in.warp = 0;
        else if (edge == 1) in.warp = (uint8_t)(cfg->warps - 1);
        else in.warp = (uint8_t)ls_rng_below(&rng, judge_codes(cfg->warps));
        if (in.warp < cfg->warps && ls_rng_chance(&rng, 192)) draw(&rng, cfg, in.warp, few, &in);
        draw(&rng, cfg, ls_rng_below(&rng, cfg->warps), few, &in); /* the others move as well */
        step(&j, &m, &in, &expected);
        count(cfg, &in, &expected, seen);
        if (ls_rng_below(&rng, 512) == 0) rf_stage_head_reset(&m);
    }
    judge_passes(&j);
}

static void random_heads_of_every_shape(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++)
        for (uint64_t k = 0; k < 3; k++) {
            run(&sets[i], ls_seed_derive(k * 100 + i, "judge rf_stage_head"), 7500, seen);
            cycles += 7500;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* D-map: no two registers share a place, and a warp's registers fill its rows from the first on. */
static void every_register_has_a_place_of_its_own(void **state) {
    static bool taken[RF_BANKS_MAX][1024];
    static rf_stage_head_in in;
    (void)state;
    for (size_t i = 0; i < SETS; i++) {
        const rf_stage_head_cfg *cfg = &sets[i];
        const uint32_t per_warp = slow_rows_per_warp(cfg);
        rf_stage_head m;
        start(&m, cfg);
        memset(taken, 0, sizeof taken);
        memset(&in, 0, sizeof in);
        for (uint32_t w = 0; w < cfg->warps; w++)
            for (uint32_t r = 0; r < cfg->regs; r++) {
                rf_stage_head_out out;
                in.warp = (uint8_t)w;
                in.ib_src[w * cfg->slots + cfg->slots - 1] = (uint8_t)r;
                rf_stage_head_comb(&m, &in, &out);
                const uint32_t bank = out.bank[cfg->slots - 1], row = out.row[cfg->slots - 1];
                assert_in_range(bank, 0, cfg->banks - 1);
                assert_in_range(row, w * per_warp, (w + 1) * per_warp - 1);
                assert_false(taken[bank][row]);
                taken[bank][row] = true;
            }
    }
}

/* 16 banks: neighbouring registers of a warp, and one register of neighbouring warps, are in neighbouring banks. */
static void neighbours_are_in_neighbouring_banks(void **state) {
    static rf_stage_head_in in;
    rf_stage_head m;
    rf_stage_head_out out;
    (void)state;
    start(&m, &sets[0]);
    memset(&in, 0, sizeof in);
    in.warp = 5;
    in.ib_src[15] = 10, in.ib_src[16] = 11, in.ib_src[17] = 27;
    rf_stage_head_comb(&m, &in, &out);
    assert_int_equal(out.bank[0], 15);
    assert_int_equal(out.bank[1], 0); /* around */
    assert_int_equal(out.bank[2], 0); /* 16 registers further: the same bank, the next row */
    assert_int_equal(out.row[0], 10);
    assert_int_equal(out.row[1], 10);
    assert_int_equal(out.row[2], 11);
    in.warp = 6;
    in.ib_src[18] = 10;
    rf_stage_head_comb(&m, &in, &out);
    assert_int_equal(out.bank[0], 0);
    assert_int_equal(out.row[0], 12);
}

/* "For a warp that does not exist its instruction is 0 but for `warp`, and bank and row are those of register 0 of that warp".
 */
static void a_warp_that_does_not_exist_has_no_instruction(void **state) {
    const rf_stage_head_cfg cfg = {.warps = 5, .banks = 4, .regs = 9, .lanes = 32, .slots = 2, .exports = 8};
    rf_stage_head_in in;
    rf_stage_head m;
    rf_stage_head_out out;
    (void)state;
    start(&m, &cfg);
    memset(&in, 0xff, sizeof in); /* also where no instruction is */
    for (uint32_t i = 0; i < RF_WARPS_MAX; i++) in.ib_port[i] = 7, in.ib_dst[i] = 15, in.ib_src_valid[i] = 3;
    memset(in.ib_src, 15, sizeof in.ib_src);
    in.ib_dst_valid = 0x1f;
    in.warp = 6;
    rf_stage_head_comb(&m, &in, &out);
    assert_int_equal(out.inst.warp, 6);
    assert_int_equal(out.inst.tag | out.inst.port | out.inst.mask | out.inst.dst_valid | out.inst.dst, 0);
    assert_int_equal(out.inst.src_valid | out.inst.src[0] | out.inst.src[1], 0);
    for (uint32_t s = 0; s < 2; s++) {
        assert_int_equal(out.bank[s], 2); /* 6 mod 4 */
        assert_int_equal(out.row[s], 2);  /* 6 x 3 in the four bits that rows 0 to 14 have */
    }
    in.warp = 4;
    rf_stage_head_comb(&m, &in, &out);
    assert_int_equal(out.inst.tag, 0xffff);
    assert_int_equal(out.inst.mask, UINT32_MAX);
    assert_int_equal(out.inst.port, 7);
    assert_int_equal(out.inst.dst, 15);
    assert_int_equal(out.inst.dst_valid, 1);
    assert_int_equal(out.inst.src_valid, 3);
    assert_int_equal(out.inst.src[1], 15);
    assert_int_equal(out.bank[1], 3); /* 15 + 4 mod 4 */
    assert_int_equal(out.row[1], 15); /* 4 x 3 + 15 / 4: a register that does not exist is mapped by the same formula */
}

/* The unit passes an instruction without active lanes as it is: what it may not touch is decided before it. */
static void no_active_lane_hides_nothing(void **state) {
    static rf_stage_head_in in;
    rf_stage_head m;
    rf_stage_head_out out;
    (void)state;
    start(&m, &sets[0]);
    memset(&in, 0, sizeof in);
    in.warp = 31;
    in.ib_src_valid[31] = 5;
    in.ib_dst_valid = UINT64_C(1) << 31;
    rf_stage_head_comb(&m, &in, &out);
    assert_int_equal(out.inst.mask, 0);
    assert_int_equal(out.inst.src_valid, 5);
    assert_int_equal(out.inst.dst_valid, 1);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_stage_head_cfg rows[] = {
        {.warps = 64, .banks = 15, .regs = 256, .lanes = 1, .slots = 1, .exports = 1}, /* 64 x 18 */
        {.warps = 5, .banks = 1, .regs = 205, .lanes = 1, .slots = 1, .exports = 1},   /* 1025 */
        {.warps = 64, .banks = 1, .regs = 17, .lanes = 1, .slots = 1, .exports = 1},
    };
    (void)state;
    JUDGE_RANGES(rf_stage_head, sets);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rf_stage_head_cfg cfg = rows[i];
        judge_refused(&rf_stage_head_unit, &cfg, "warps", "1024");
        cfg.regs = 1; /* only the product was too large */
        assert_null(rf_stage_head_check(&cfg));
    }
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    static rf_stage_head_in in;
    const rf_stage_head_cfg *cfg = &sets[4];
    rf_stage_head m;
    rf_stage_head_out out;
    slow_head expected;
    judge j;
    ls_rng rng;
    (void)state;
    start(&m, cfg);
    memset(&in, 0, sizeof in);
    ls_rng_seed(&rng, 9);
    in.warp = 41;
    draw(&rng, cfg, 41, 256, &in);
    rf_stage_head_comb(&m, &in, &out);
    slow_comb(cfg, &in, &expected);
    JUDGE_FLIPS(&j, rf_stage_head, LS_OUT, &m, &out, compare_out(&j, cfg, &out, &expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_heads_of_every_shape),          cmocka_unit_test(every_register_has_a_place_of_its_own),
        cmocka_unit_test(neighbours_are_in_neighbouring_banks), cmocka_unit_test(a_warp_that_does_not_exist_has_no_instruction),
        cmocka_unit_test(no_active_lane_hides_nothing),         cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_stage_head", tests, NULL, NULL);
}
