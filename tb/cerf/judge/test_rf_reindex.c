/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_reindex: the slow model counts the registers one by one, and finds the place of a line by dividing as the header
 * tells [CERF III-C]. Beside it stands what the places are for: no two registers share a line, no two lines a place. */
#include "cmodel/cerf/rf_reindex.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_reindex_unit;

typedef struct slow_place {
    uint64_t bank, set, tag;
} slow_place;

typedef struct slow_reindex {
    rf_reindex_cfg cfg;
    uint64_t numbers;         /* 2 to the power of NUMBER_W */
    uint64_t number[64][256]; /* of the register of a warp, whether they exist or not */
} slow_reindex;

/* clang-format off */
#define SEEN(X) \
    X(EXISTS, "a register that exists") X(LAST, "the last register of the last warp") \
    X(NO_WARP, "a warp that does not exist") X(NO_REG, "a register that does not exist") X(CUT, "the number is cut") \
    X(CASCADED, "{warp, register}") X(NO_GAPS, "registers of a warp that are no power of two") \
    X(PREFIX_CUT, "the prefix is cut") X(NO_PREFIX, "prefix 0") X(FULL_PREFIX, "a prefix of all ones") \
    X(ONE_BANK, "one bank") X(ONE_SET, "one set") X(SAME_PLACE, "register and line in one set") \
    X(SAME_LINE, "a memory access to a register's line") X(LOW_LINE, "line 0") X(HIGH_LINE, "the last line")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_init(slow_reindex *s, const rf_reindex_cfg *cfg) {
    uint64_t first = 0; /* register 0 of the warp */
    s->cfg = *cfg;
    s->numbers = 2;
    while (s->numbers < cfg->warps * cfg->regs) s->numbers *= 2;
    for (uint32_t warp = 0; warp < 64; warp++, first += cfg->regs)
        for (uint32_t reg = 0; reg < 256; reg++) s->number[warp][reg] = (first + reg) % s->numbers;
}

static uint64_t lines(const rf_reindex_cfg *cfg) { return UINT64_C(1) << cfg->line_w; }

static uint64_t slow_line(const slow_reindex *s, uint32_t warp, uint32_t reg) {
    const uint64_t prefixes = lines(&s->cfg) / s->numbers;
    return s->cfg.prefix % prefixes * s->numbers + s->number[warp][reg];
}

static slow_place slow_place_of(const rf_reindex_cfg *cfg, uint64_t line) {
    slow_place p;
    p.bank = line % cfg->banks;
    p.set = line / cfg->banks % cfg->sets;
    p.tag = line / (cfg->banks * cfg->sets);
    return p;
}

static void compare_out(judge *j, const slow_reindex *s, const rf_reindex_in *in, const rf_reindex_out *out) {
    const uint64_t line = slow_line(s, in->warp, in->reg);
    const slow_place reg = slow_place_of(&s->cfg, line), mem = slow_place_of(&s->cfg, in->mem_line);
    judge_equal(j, "number", 0, out->number, s->number[in->warp][in->reg]);
    judge_equal(j, "line", 0, out->line, line);
    judge_equal(j, "bank", 0, out->bank, reg.bank);
    judge_equal(j, "set", 0, out->set, reg.set);
    judge_equal(j, "tag", 0, out->tag, reg.tag);
    judge_equal(j, "mem_bank", 0, out->mem_bank, mem.bank);
    judge_equal(j, "mem_set", 0, out->mem_set, mem.set);
    judge_equal(j, "mem_tag", 0, out->mem_tag, mem.tag);
}

static void start(judge *j, uint64_t seed, rf_reindex *m, slow_reindex *s, const rf_reindex_cfg *cfg) {
    judge_begin(j, seed,
                "rf_reindex warps=%" PRIu32 " regs=%" PRIu32 " banks=%" PRIu32 " sets=%" PRIu32 " line_w=%" PRIu32
                " prefix=%" PRIu32,
                cfg->warps, cfg->regs, cfg->banks, cfg->sets, cfg->line_w, cfg->prefix);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_reindex_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    slow_init(s, cfg);
}

/* One cycle, everything compared; neither comb nor the edge may change the model. */
static void step(judge *j, rf_reindex *m, const slow_reindex *s, const rf_reindex_in *in) {
    rf_reindex before;
    rf_reindex_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0x5a, sizeof out);
    rf_reindex_comb(m, in, &out);
    compare_out(j, s, in, &out);
    JUDGE_CLOCK(rf_reindex, m, in);
    assert_memory_equal(&before, m, sizeof before);
    j->cycle++;
}

static bool is_power(uint32_t n) {
    uint32_t power = 1;
    while (power < n) power *= 2;
    return power == n;
}

static void count(const slow_reindex *s, const rf_reindex_in *in, uint64_t *seen) {
    const rf_reindex_cfg *cfg = &s->cfg;
    const uint64_t line = slow_line(s, in->warp, in->reg), prefixes = lines(cfg) / s->numbers;
    const slow_place reg = slow_place_of(cfg, line), mem = slow_place_of(cfg, in->mem_line);
    const bool exists = in->warp < cfg->warps && in->reg < cfg->regs;
    seen[EXISTS] += exists;
    seen[LAST] += cfg->warps > 1 && in->warp == cfg->warps - 1 && in->reg == cfg->regs - 1;
    seen[NO_WARP] += in->warp >= cfg->warps;
    seen[NO_REG] += in->reg >= cfg->regs;
    seen[CUT] += in->warp * cfg->regs + in->reg >= s->numbers;
    seen[CASCADED] += exists && cfg->warps > 1 && cfg->regs > 1 && is_power(cfg->regs);
    seen[NO_GAPS] += exists && in->warp > 0 && !is_power(cfg->regs);
    seen[PREFIX_CUT] += cfg->prefix >= prefixes;
    seen[NO_PREFIX] += cfg->prefix == 0;
    seen[FULL_PREFIX] += cfg->prefix % prefixes == prefixes - 1;
    seen[ONE_BANK] += cfg->banks == 1 && in->mem_line % 2 == 1;
    seen[ONE_SET] += cfg->sets == 1 && in->mem_line / cfg->banks % 2 == 1;
    seen[SAME_PLACE] += cfg->banks > 1 && cfg->sets > 1 && reg.bank == mem.bank && reg.set == mem.set && reg.tag != mem.tag;
    seen[SAME_LINE] += line == in->mem_line;
    seen[LOW_LINE] += in->mem_line == 0;
    seen[HIGH_LINE] += in->mem_line == lines(cfg) - 1;
}

static const rf_reindex_cfg sets[] = {
    {.warps = 32, .regs = 32, .banks = 4, .sets = 64, .line_w = 25, .prefix = 0x1234}, /* the paper's sizes */
    {.warps = 1, .regs = 1, .banks = 1, .sets = 1, .line_w = 2, .prefix = 0},
    {.warps = 1, .regs = 1, .banks = 1, .sets = 1, .line_w = 25, .prefix = 0xffffff},
    {.warps = 64, .regs = 256, .banks = 32, .sets = 256, .line_w = 25, .prefix = 0x7ff},
    {.warps = 48, .regs = 63, .banks = 8, .sets = 32, .line_w = 25, .prefix = 0xabcdef},
    {.warps = 33, .regs = 33, .banks = 2, .sets = 128, .line_w = 12, .prefix = 1},
    {.warps = 3, .regs = 5, .banks = 32, .sets = 1, .line_w = 6, .prefix = 2},
    {.warps = 5, .regs = 3, .banks = 1, .sets = 16, .line_w = 5, .prefix = 3},
    {.warps = 64, .regs = 1, .banks = 16, .sets = 4, .line_w = 7, .prefix = 0},
    {.warps = 1, .regs = 256, .banks = 4, .sets = 256, .line_w = 11, .prefix = 5},
    {.warps = 7, .regs = 255, .banks = 16, .sets = 8, .line_w = 20, .prefix = 0x155},
    {.warps = 2, .regs = 2, .banks = 32, .sets = 256, .line_w = 14, .prefix = 0xfff},
};
#define SETS (sizeof sets / sizeof *sets)

static void random_registers_and_lines(void **state) {
    static slow_reindex s;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++) {
        const uint64_t seed = ls_seed_derive(i, "judge rf_reindex");
        rf_reindex m;
        judge j;
        ls_rng rng;
        start(&j, seed, &m, &s, &sets[i]);
        ls_rng_seed(&rng, seed);
        while (j.cycle < 18000) {
            rf_reindex_in in;
            memset(&in, 0, sizeof in);
            in.warp = (uint8_t)(ls_rng_below(&rng, 2) ? ls_rng_below(&rng, judge_codes(sets[i].warps))
                                                      : ls_rng_below(&rng, sets[i].warps));
            in.reg = (uint8_t)ls_rng_value(&rng, rf_index_bits(sets[i].regs));
            in.mem_line = (uint32_t)ls_rng_value(&rng, sets[i].line_w);
            if (ls_rng_chance(&rng, 32)) in.mem_line = (uint32_t)slow_line(&s, in.warp, in.reg);
            if (ls_rng_chance(&rng, 32)) /* another line of its set */
                in.mem_line =
                    (uint32_t)((slow_line(&s, in.warp, in.reg) + (uint64_t)sets[i].banks * sets[i].sets) % lines(&sets[i]));
            if (ls_rng_chance(&rng, 8)) in.warp = (uint8_t)(sets[i].warps - 1), in.reg = (uint8_t)(sets[i].regs - 1);
            count(&s, &in, seen);
            step(&j, &m, &s, &in);
            cycles++;
        }
        judge_passes(&j);
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Every register that exists, in order: its line is the next one, "sequential registers are distributed to sequential banks", and
 * all of them have the prefix. Then every code of warp and register. */
static void registers_take_lines_one_behind_the_other(void **state) {
    static slow_reindex s;
    (void)state;
    for (size_t i = 0; i < SETS; i++) {
        const rf_reindex_cfg *cfg = &sets[i];
        rf_reindex m;
        rf_reindex_in in;
        rf_reindex_out out, first;
        judge j;
        uint32_t before = 0;
        start(&j, 0, &m, &s, cfg);
        memset(&in, 0, sizeof in);
        rf_reindex_comb(&m, &in, &first);
        assert_int_equal(first.number, 0);
        for (uint32_t warp = 0; warp < cfg->warps; warp++)
            for (uint32_t reg = 0; reg < cfg->regs; reg++, before++) {
                in.warp = (uint8_t)warp;
                in.reg = (uint8_t)reg;
                rf_reindex_comb(&m, &in, &out);
                assert_int_equal(out.number, before);
                assert_int_equal(out.line, first.line + before);
                assert_int_equal(out.bank, (first.bank + before) % cfg->banks);
            }
        assert_int_equal(before, cfg->warps * cfg->regs);
        for (uint32_t warp = 0; warp < judge_codes(cfg->warps); warp++)
            for (uint32_t reg = 0; reg < judge_codes(cfg->regs); reg++) {
                in.warp = (uint8_t)warp;
                in.reg = (uint8_t)reg;
                in.mem_line = (uint32_t)((warp * 256 + reg) % lines(cfg));
                step(&j, &m, &s, &in);
            }
        judge_passes(&j);
    }
}

/* All lines of small spaces: every bank, set and tag is met once. */
static void every_line_has_its_own_place(void **state) {
    static slow_reindex s;
    static bool used[1u << 14];
    uint32_t spaces = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++) {
        const rf_reindex_cfg *cfg = &sets[i];
        rf_reindex m;
        rf_reindex_in in;
        rf_reindex_out out;
        judge j;
        if (cfg->line_w > 14) continue;
        start(&j, 0, &m, &s, cfg);
        memset(&in, 0, sizeof in);
        memset(used, 0, sizeof used);
        for (uint64_t line = 0; line < lines(cfg); line++) {
            in.mem_line = (uint32_t)line;
            rf_reindex_comb(&m, &in, &out);
            assert_true(out.mem_bank < cfg->banks && out.mem_set < cfg->sets);
            const uint64_t place = ((uint64_t)out.mem_tag * cfg->sets + out.mem_set) * cfg->banks + out.mem_bank;
            assert_true(place < lines(cfg) && !used[place]);
            used[place] = true;
            step(&j, &m, &s, &in);
        }
        judge_passes(&j);
        spaces++;
    }
    assert_true(spaces > 4);
}

static void is(const rf_reindex_cfg *cfg, uint32_t warp, uint32_t reg, uint32_t number, uint32_t line, slow_place place) {
    static slow_reindex s;
    rf_reindex m;
    rf_reindex_out out;
    judge j;
    rf_reindex_in in;
    memset(&in, 0, sizeof in);
    in.warp = (uint8_t)warp, in.reg = (uint8_t)reg, in.mem_line = line;
    start(&j, 0, &m, &s, cfg);
    rf_reindex_comb(&m, &in, &out);
    assert_int_equal(out.number, number);
    assert_int_equal(out.line, line);
    assert_int_equal(out.bank, place.bank);
    assert_int_equal(out.set, place.set);
    assert_int_equal(out.tag, place.tag);
    assert_int_equal(out.mem_bank, place.bank); /* the same place as a memory access to that line */
    assert_int_equal(out.mem_set, place.set);
    assert_int_equal(out.mem_tag, place.tag);
}

/* The paper's sizes: a 15-bit prefix above a 10-bit register address; 2 bits of bank, 6 of set, the rest is the tag. */
static void the_paper_by_hand(void **state) {
    (void)state;
    is(&sets[0], 0, 0, 0, 0x48d000, (slow_place){0, 0, 0x48d0});
    is(&sets[0], 5, 7, 0xa7, 0x48d0a7, (slow_place){3, 0x29, 0x48d0});
    is(&sets[0], 8, 0, 0x100, 0x48d100, (slow_place){0, 0, 0x48d1}); /* 256 registers on: the same set, another tag */
    is(&sets[0], 31, 31, 0x3ff, 0x48d3ff, (slow_place){3, 0x3f, 0x48d3});
}

/* 48 x 63 registers are 3,024: 12 bits; 13 of the prefix's 24 count: 0xabcdef mod 8192 = 0xdef. */
static void sizes_that_are_no_power_of_two_by_hand(void **state) {
    (void)state;
    is(&sets[4], 1, 0, 63, 0xdef03f, (slow_place){7, 7, 0xdef0});
    is(&sets[4], 47, 62, 3023, 0xdefbcf, (slow_place){7, 0x19, 0xdefb});
    is(&sets[4], 47, 63, 3024, 0xdefbd0, (slow_place){0, 0x1a, 0xdefb}); /* no such register: the number goes on */
    is(&sets[4], 63, 63, 4032, 0xdeffc0, (slow_place){0, 0x18, 0xdeff}); /* no such warp */
    is(&sets[5], 32, 32, 1088, 0xc40, (slow_place){0, 0x20, 0xc});       /* 33 x 33 are 1,089: 11 bits */
    is(&sets[5], 63, 63, 94, 0x85e, (slow_place){0, 0x2f, 0x8});         /* 2,142, cut to 11 bits */
    is(&sets[1], 1, 0, 1, 1, (slow_place){0, 0, 1});                     /* one register: one bit all the same */
    is(&sets[1], 1, 1, 0, 0, (slow_place){0, 0, 0});                     /* 2, cut */
}

static void refuses(const rf_reindex_cfg *cfg, const char *parameter, const char *limit) {
    judge_refused(&rf_reindex_unit, cfg, parameter, limit);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const uint32_t no_powers[] = {3, 5, 6, 7, 9, 12, 24, 31};
    (void)state;
    JUDGE_RANGES(rf_reindex, sets);
    for (size_t i = 0; i < sizeof no_powers / sizeof *no_powers; i++) {
        rf_reindex_cfg cfg = sets[0];
        cfg.banks = no_powers[i];
        refuses(&cfg, "banks", "32");
        cfg = sets[0];
        cfg.sets = no_powers[i];
        refuses(&cfg, "sets", "256");
        cfg.sets = 256 - no_powers[i];
        refuses(&cfg, "sets", "256");
    }
}

/* A tag and a prefix of one bit at least. */
static void a_line_number_too_short_is_refused(void **state) {
    static const rf_reindex_cfg enough[] = {
        {.warps = 32, .regs = 32, .banks = 4, .sets = 64, .line_w = 11, .prefix = 0},    /* 10 of the number, 8 of the place */
        {.warps = 33, .regs = 31, .banks = 1, .sets = 1, .line_w = 11, .prefix = 0},     /* 1,023 registers: 10 */
        {.warps = 33, .regs = 32, .banks = 1, .sets = 1, .line_w = 12, .prefix = 0},     /* 1,056: 11 */
        {.warps = 2, .regs = 2, .banks = 32, .sets = 256, .line_w = 14, .prefix = 0},    /* 2 and 13 */
        {.warps = 1, .regs = 1, .banks = 2, .sets = 2, .line_w = 3, .prefix = 0},        /* 1 and 2 */
        {.warps = 64, .regs = 256, .banks = 32, .sets = 256, .line_w = 15, .prefix = 0}, /* 14 and 13 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof enough / sizeof *enough; i++) {
        rf_reindex_cfg cfg = enough[i];
        rf_reindex m;
        assert_null(rf_reindex_check(&cfg));
        assert_int_equal(rf_reindex_init(&m, &cfg), 0);
        for (uint32_t less = 1; less <= 2 && enough[i].line_w - less >= 2; less++) {
            cfg.line_w = enough[i].line_w - less;
            const char *message = rf_reindex_check(&cfg);
            if (message == NULL) fail_msg("%zu: LINE_W = %" PRIu32 " is accepted", i, cfg.line_w);
            assert_true(judge_has_word(message, "line_w"));
            memset(&m, 0xa5, sizeof m);
            assert_int_equal(rf_reindex_init(&m, &cfg), RF_E_CONFIG);
            judge_untouched(&m, 0xa5, sizeof m);
        }
    }
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static slow_reindex s;
    rf_reindex m;
    rf_reindex_out out;
    judge j;
    rf_reindex_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[4]);
    memset(&in, 0, sizeof in);
    in.warp = 44, in.reg = 61, in.mem_line = 0x1a5a5a5;
    rf_reindex_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_reindex, LS_OUT, &m, &out, compare_out(&j, &s, &in, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_registers_and_lines),
        cmocka_unit_test(registers_take_lines_one_behind_the_other),
        cmocka_unit_test(every_line_has_its_own_place),
        cmocka_unit_test(the_paper_by_hand),
        cmocka_unit_test(sizes_that_are_no_power_of_two_by_hand),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(a_line_number_too_short_is_refused),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_reindex", tests, NULL, NULL);
}
