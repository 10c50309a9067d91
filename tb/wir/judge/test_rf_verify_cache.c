/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_verify_cache: the slow model keeps for every line the register it stands for, and a hand that points at the line to
 * be given up next [WIR VI-C]. It asks all lines one by one; nothing is found by a mask. */
#include "cmodel/wir/rf_verify_cache.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_verify_cache_unit;

#define PORTS RF_ISSUES_MAX

typedef struct slow_line {
    bool valid;
    uint32_t reg, value[RF_LANES_MAX]; /* also of a line that is no longer valid */
} slow_line;

typedef struct slow_cache {
    rf_verify_cache_cfg cfg;
    slow_line line[RF_VERIFY_CACHE_MAX];
    uint32_t hand;
} slow_cache;

typedef struct slow_answer {
    bool hit[PORTS];
    uint32_t data[PORTS][RF_LANES_MAX];
} slow_answer;

/* clang-format off */
#define SEEN(X) \
    X(HIT, "hit") \
    X(MISS, "miss") \
    X(STALE, "no hit in an evicted line") \
    X(TWO_HIT, "two ports hit one line") \
    X(OTHER_HIT, "two ports hit two lines") \
    X(NO_LOOKUP, "a register that is there but not looked up") \
    X(HIT_LAST, "hit in the last line") \
    X(HIT_ZERO, "register 0 hits") \
    X(MISS_ZERO, "register 0 misses lines whose tag is 0") \
    X(FILL_EMPTY, "fill of an invalid line") \
    X(FILL_BETWEEN, "fill of an invalid line among valid ones above and below") \
    X(FILL_KEEPS, "fill of a register that has a line, while others are invalid") \
    X(FILL_KEEPS_FULL, "fill of a register that has a line, all lines valid") \
    X(FILL_REPLACES, "fill that replaces a line") \
    X(REPLACES_LAST, "the last line is replaced") \
    X(FILL_AGAIN, "two ports fill one register in one cycle") \
    X(FILLS_REPLACE, "two ports replace a line each in one cycle") \
    X(FILL_PUSHED_OUT, "a fill replaces the line that a port before it filled in the same cycle") \
    X(FILL_EVICTED_LINE, "fill of a register whose evicted line is not the lowest invalid one") \
    X(FILL_LOOKUP, "fill of the register that is looked up, which misses") \
    X(KEEP_LOOKUP, "lookup of the old value while the new one is filled") \
    X(EVICT, "evict of a register that has a line") \
    X(EVICT_NONE, "evict of a register that has none") \
    X(EVICT_TWICE, "two ports evict one register") \
    X(EVICT_FILLED, "fill of a new register and evict in one cycle") \
    X(EVICT_KEPT, "fill of a register that has a line and evict in one cycle") \
    X(EVICT_PUSHED_OUT, "evict of a register that a fill of the same cycle replaced") \
    X(EVICT_HIT, "hit of a register in the cycle of its evict") \
    X(EVICT_OFF, "no evict although the port names a register that is there") \
    X(EVICT_OF_HAND, "evict of the line that would be replaced next") \
    X(REG_OUTSIDE, "a register at or above PREGS hits") \
    X(RESET, "reset while lines are valid")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_cache *s) {
    const rf_verify_cache_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* The valid line of a register, or ENTRIES. */
static uint32_t line_of(const slow_cache *s, uint32_t reg) {
    for (uint32_t l = 0; l < s->cfg.entries; l++)
        if (s->line[l].valid && s->line[l].reg == reg) return l;
    return s->cfg.entries;
}

/* The lowest invalid line, or ENTRIES. */
static uint32_t empty_line(const slow_cache *s) {
    for (uint32_t l = 0; l < s->cfg.entries; l++)
        if (!s->line[l].valid) return l;
    return s->cfg.entries;
}

static void slow_comb(const slow_cache *s, const rf_verify_cache_in *in, slow_answer *a) {
    memset(a, 0, sizeof *a);
    for (uint32_t p = 0; p < s->cfg.issues; p++) {
        const uint32_t l = line_of(s, in->lk_reg[p]);
        a->hit[p] = judge_bit(in->lk_valid, p) && l < s->cfg.entries;
        if (a->hit[p]) memcpy(a->data[p], s->line[l].value, sizeof a->data[p]);
    }
}

/* Takes one fill; returns the line. */
static uint32_t slow_fill(slow_cache *s, uint32_t reg, const uint32_t *value) {
    uint32_t l = line_of(s, reg);
    if (l == s->cfg.entries) l = empty_line(s);
    if (l == s->cfg.entries) {
        l = s->hand;
        s->hand = s->hand + 1 == s->cfg.entries ? 0 : s->hand + 1;
    }
    s->line[l].valid = true;
    s->line[l].reg = reg;
    for (uint32_t i = 0; i < s->cfg.lanes; i++) s->line[l].value[i] = value[i];
    return l;
}

static void slow_clock(slow_cache *s, const rf_verify_cache_in *in) {
    for (uint32_t p = 0; p < s->cfg.issues; p++)
        if (judge_bit(in->fill, p)) (void)slow_fill(s, in->fill_reg[p], in->fill_data[p].lane);
    for (uint32_t p = 0; p < s->cfg.issues; p++) {
        const uint32_t l = line_of(s, in->evict_reg[p]);
        if (judge_bit(in->evict, p) && l < s->cfg.entries) s->line[l].valid = false;
    }
}

static void compare_out(judge *j, uint32_t issues, const slow_answer *a, const rf_verify_cache_out *out) {
    judge_equal(j, "hit", 0, out->hit, judge_pack(a->hit, issues));
    for (uint32_t p = 0; p < issues; p++) judge_words(j, "data", p, out->data[p].lane, a->data[p], RF_LANES_MAX);
}

static void compare_state(judge *j, const slow_cache *s, const rf_verify_cache *m) {
    bool valid[RF_VERIFY_CACHE_MAX];
    for (uint32_t l = 0; l < s->cfg.entries; l++) {
        valid[l] = s->line[l].valid;
        judge_equal(j, "tag_q", l, m->tag_q[l], s->line[l].reg);
        judge_words(j, "data_q", l, m->data_q[l].lane, s->line[l].value, RF_LANES_MAX);
    }
    judge_equal(j, "valid_q", 0, m->valid_q, judge_pack(valid, s->cfg.entries));
    judge_equal(j, "next_q", 0, m->next_q, s->hand);
}

static void start(judge *j, uint64_t seed, rf_verify_cache *m, slow_cache *s, const rf_verify_cache_cfg *cfg) {
    judge_begin(j, seed, "rf_verify_cache entries=%" PRIu32 " pregs=%" PRIu32 " lanes=%" PRIu32 " issues=%" PRIu32, cfg->entries,
                cfg->pregs, cfg->lanes, cfg->issues);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_verify_cache_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_verify_cache *m, slow_cache *s, const rf_verify_cache_in *in) {
    rf_verify_cache before;
    rf_verify_cache_out out;
    slow_answer a;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_verify_cache_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    slow_comb(s, in, &a);
    compare_out(j, s->cfg.issues, &a, &out);
    JUDGE_CLOCK(rf_verify_cache, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

/* Counts the lookups of this cycle. */
static void count_lookups(const slow_cache *s, const rf_verify_cache_in *in, uint64_t *seen) {
    const uint32_t none = s->cfg.entries;
    for (uint32_t p = 0; p < s->cfg.issues; p++) {
        const uint32_t l = line_of(s, in->lk_reg[p]);
        const bool looks = judge_bit(in->lk_valid, p), hit = looks && l < none;
        seen[HIT] += hit;
        seen[MISS] += looks && !hit;
        seen[NO_LOOKUP] += !looks && l < none;
        seen[HIT_LAST] += hit && none > 1 && l == none - 1;
        seen[HIT_ZERO] += hit && in->lk_reg[p] == 0;
        seen[REG_OUTSIDE] += hit && in->lk_reg[p] >= s->cfg.pregs;
        for (uint32_t i = 0; i < none; i++) {
            const bool old = looks && !hit && !s->line[i].valid && s->line[i].reg == in->lk_reg[p];
            seen[STALE] += old && in->lk_reg[p] != 0;
            seen[MISS_ZERO] += old && in->lk_reg[p] == 0;
        }
        for (uint32_t k = 0; k < s->cfg.issues; k++) {
            const uint32_t other = line_of(s, in->lk_reg[k]);
            seen[TWO_HIT] += k < p && hit && judge_bit(in->lk_valid, k) && other == l;
            seen[OTHER_HIT] += k < p && hit && judge_bit(in->lk_valid, k) && other < none && other != l;
            seen[FILL_LOOKUP] += looks && !hit && judge_bit(in->fill, k) && in->fill_reg[k] == in->lk_reg[p];
            seen[KEEP_LOOKUP] += hit && judge_bit(in->fill, k) && in->fill_reg[k] == in->lk_reg[p];
            seen[EVICT_HIT] += hit && judge_bit(in->evict, k) && in->evict_reg[k] == in->lk_reg[p];
        }
    }
}

/* Counts the fills and evictions, on a copy that takes them one by one. */
static void count_changes(const slow_cache *before, const rf_verify_cache_in *in, uint64_t *seen) {
    static slow_cache s;
    const uint32_t none = before->cfg.entries;
    uint32_t replaced = 0, filled = 0; /* filled: lines, one bit each */
    s = *before;
    for (uint32_t p = 0; p < s.cfg.issues; p++) {
        const uint32_t own = line_of(&s, in->fill_reg[p]), empty = empty_line(&s), hand = s.hand;
        bool again = false, above = false;
        if (!judge_bit(in->fill, p)) continue;
        for (uint32_t k = 0; k < p; k++) again = again || (judge_bit(in->fill, k) && in->fill_reg[k] == in->fill_reg[p]);
        for (uint32_t i = 0; i < none; i++) {
            above = above || (i > empty && s.line[i].valid);
            seen[FILL_EVICTED_LINE] +=
                own == none && i > empty && !s.line[i].valid && s.line[i].reg == in->fill_reg[p] && in->fill_reg[p] != 0;
        }
        const bool replaces = own == none && empty == none;
        seen[FILL_AGAIN] += again;
        seen[FILL_EMPTY] += own == none && empty < none;
        seen[FILL_BETWEEN] += own == none && empty < none && empty > 0 && above;
        seen[FILL_KEEPS] += own < none && empty < none && !again;
        seen[FILL_KEEPS_FULL] += own < none && empty == none && !again;
        seen[FILL_REPLACES] += replaces;
        seen[REPLACES_LAST] += replaces && none > 1 && hand == none - 1;
        seen[FILL_PUSHED_OUT] += replaces && (filled >> hand & 1) != 0;
        replaced += replaces;
        filled |= 1u << slow_fill(&s, in->fill_reg[p], in->fill_data[p].lane);
    }
    seen[FILLS_REPLACE] += replaced > 1;
    for (uint32_t p = 0; p < s.cfg.issues; p++) {
        const uint32_t reg = in->evict_reg[p], was = line_of(before, reg), l = line_of(&s, reg);
        if (!judge_bit(in->evict, p)) {
            seen[EVICT_OFF] += was < none;
            continue;
        }
        bool fills = false, twice = false;
        for (uint32_t k = 0; k < s.cfg.issues; k++) {
            fills = fills || (judge_bit(in->fill, k) && in->fill_reg[k] == reg);
            twice = twice || (k < p && judge_bit(in->evict, k) && in->evict_reg[k] == reg);
        }
        seen[EVICT] += was < none && l == was && !fills;
        seen[EVICT_NONE] += was == none && l == none;
        seen[EVICT_TWICE] += l < none && twice;
        seen[EVICT_FILLED] += was == none && l < none;
        seen[EVICT_KEPT] += was < none && l == was && fills;
        seen[EVICT_PUSHED_OUT] += was < none && l == none;
        seen[EVICT_OF_HAND] += l < none && none > 1 && l == s.hand;
    }
}

static const rf_verify_cache_cfg sets[] = {
    {.entries = 8, .pregs = 64, .lanes = 2, .issues = 2},     {.entries = 1, .pregs = 2, .lanes = 1, .issues = 1},
    {.entries = 1, .pregs = 5, .lanes = 3, .issues = 4},      {.entries = 3, .pregs = 12, .lanes = 1, .issues = 4},
    {.entries = 5, .pregs = 1000, .lanes = 4, .issues = 3},   {.entries = 8, .pregs = 1024, .lanes = 32, .issues = 2},
    {.entries = 16, .pregs = 1024, .lanes = 31, .issues = 4}, {.entries = 15, .pregs = 33, .lanes = 2, .issues = 1},
};

/* A working set of registers that changes, and how busy the ports are. */
typedef struct traffic {
    ls_rng rng;
    uint16_t pool[40];
    uint32_t used, p_look, p_fill, p_evict;
} traffic;

static void new_phase(traffic *t, const rf_verify_cache_cfg *cfg) {
    ls_rng *rng = &t->rng;
    t->used = 1 + ls_rng_below(rng, cfg->entries * 2 + 4);
    for (uint32_t i = 0; i < t->used; i++)
        t->pool[i] =
            (uint16_t)(ls_rng_chance(rng, 200) ? ls_rng_below(rng, cfg->pregs) : ls_rng_value(rng, rf_index_bits(cfg->pregs)));
    t->p_look = ls_rng_below(rng, 257);
    t->p_fill = ls_rng_below(rng, 257);
    t->p_evict = ls_rng_chance(rng, 128) ? 4 + ls_rng_below(rng, 24) : ls_rng_below(rng, 257);
}

static uint16_t some_reg(traffic *t, const slow_cache *s) {
    ls_rng *rng = &t->rng;
    if (ls_rng_chance(rng, 48)) return (uint16_t)s->line[ls_rng_below(rng, s->cfg.entries)].reg;
    if (ls_rng_chance(rng, 8)) return (uint16_t)ls_rng_value(rng, rf_index_bits(s->cfg.pregs));
    return t->pool[ls_rng_below(rng, t->used)];
}

static void next_inputs(traffic *t, const slow_cache *s, rf_verify_cache_in *in) {
    ls_rng *rng = &t->rng;
    in->lk_valid = in->fill = in->evict = 0;
    for (uint32_t p = 0; p < s->cfg.issues; p++) {
        in->lk_valid |= (uint8_t)((uint32_t)ls_rng_chance(rng, t->p_look) << p);
        in->fill |= (uint8_t)((uint32_t)ls_rng_chance(rng, t->p_fill) << p);
        in->evict |= (uint8_t)((uint32_t)ls_rng_chance(rng, t->p_evict) << p);
        in->lk_reg[p] = some_reg(t, s);
        in->fill_reg[p] = ls_rng_chance(rng, 64) ? in->lk_reg[p] : some_reg(t, s);
        in->evict_reg[p] = ls_rng_chance(rng, 48) ? in->fill_reg[ls_rng_below(rng, p + 1)] : some_reg(t, s);
        ls_rng_lanes(rng, in->fill_data[p].lane, s->cfg.lanes);
    }
}

static void run(const rf_verify_cache_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_verify_cache m;
    static slow_cache s;
    judge j;
    traffic t;
    rf_verify_cache_in in;
    memset(&in, 0, sizeof in);
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&t.rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 128 == 0) new_phase(&t, cfg);
        next_inputs(&t, &s, &in);
        count_lookups(&s, &in, seen);
        count_changes(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&t.rng, 1024) != 0) continue;
        seen[RESET] += empty_line(&s) > 0;
        rf_verify_cache_reset(&m);
        slow_reset(&s);
        compare_state(&j, &s, &m);
    }
    judge_passes(&j);
}

static void random_verify_reads(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_verify_cache"), 26000, seen);
        cycles += 26000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

static rf_verify_cache_in fill_one(uint16_t reg, uint32_t value) {
    rf_verify_cache_in in;
    memset(&in, 0, sizeof in);
    in.fill = 1;
    in.fill_reg[0] = reg;
    in.fill_data[0].lane[0] = value;
    return in;
}

/* First in, first out among what was never evicted; an invalid line is taken before the hand moves. */
static void lines_are_given_up_in_turn(void **state) {
    rf_verify_cache m;
    slow_cache s;
    judge j;
    rf_verify_cache_in in;
    rf_verify_cache_out out;
    (void)state;
    start(&j, 0, &m, &s, &sets[3]); /* 3 lines */
    for (uint16_t reg = 1; reg <= 4; reg++) {
        in = fill_one(reg, 100u + reg);
        step(&j, &m, &s, &in);
    }
    assert_int_equal(m.tag_q[0], 4); /* 1 went */
    assert_int_equal(m.next_q, 1);
    in = fill_one(2, 202); /* has a line */
    step(&j, &m, &s, &in);
    assert_int_equal(m.next_q, 1);
    assert_int_equal(m.data_q[1].lane[0], 202);
    memset(&in, 0, sizeof in);
    in.evict = 8;
    in.evict_reg[3] = 3;
    in.lk_valid = 2;
    in.lk_reg[1] = 3; /* still there in this cycle */
    rf_verify_cache_comb(&m, &in, &out);
    assert_int_equal(out.hit, 2);
    assert_int_equal(out.data[1].lane[0], 103);
    assert_int_equal(out.data[0].lane[0], 0);
    step(&j, &m, &s, &in);
    assert_int_equal(m.valid_q, 3);
    assert_int_equal(m.tag_q[2], 3); /* stays as it was */
    assert_int_equal(m.data_q[2].lane[0], 103);
    rf_verify_cache_comb(&m, &in, &out);
    assert_int_equal(out.hit, 0);
    assert_int_equal(out.data[1].lane[0], 0);
    in = fill_one(7, 107);
    step(&j, &m, &s, &in);
    assert_int_equal(m.tag_q[2], 7);
    assert_int_equal(m.next_q, 1);
    in.fill_reg[0] = 8;
    step(&j, &m, &s, &in);
    assert_int_equal(m.tag_q[1], 8);
    assert_int_equal(m.next_q, 2);
    in.fill_reg[0] = 9;
    step(&j, &m, &s, &in);
    assert_int_equal(m.tag_q[2], 9);
    assert_int_equal(m.next_q, 0);
    judge_passes(&j);
}

/* "A register that is filled and written in one cycle is not there afterwards." */
static void an_evict_beats_a_fill_of_its_cycle(void **state) {
    rf_verify_cache m;
    slow_cache s;
    judge j;
    rf_verify_cache_in in = fill_one(5, 55);
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    in.fill = 3;
    in.fill_reg[1] = 6;
    in.evict = 1;
    in.evict_reg[0] = 6;
    step(&j, &m, &s, &in);
    assert_int_equal(m.valid_q, 1);
    assert_int_equal(m.tag_q[0], 5);
    assert_int_equal(m.tag_q[1], 6);
    judge_passes(&j);
}

/* Five lines, all filled, line 1 evicted, the hand at 2. */
static void fill(judge *j, rf_verify_cache *m, slow_cache *s) {
    rf_verify_cache_in in;
    start(j, 0, m, s, &sets[4]);
    for (uint16_t reg = 1; reg <= 7; reg++) {
        in = fill_one((uint16_t)(reg * 100), 0x1111u * reg);
        for (uint32_t l = 1; l < 4; l++) in.fill_data[0].lane[l] = 0x2222u * reg + l;
        step(j, m, s, &in);
    }
    memset(&in, 0, sizeof in);
    in.evict = 4;
    in.evict_reg[2] = 700;
    step(j, m, s, &in);
    assert_int_equal(m->valid_q, 0x1d);
    assert_int_equal(m->next_q, 2);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_verify_cache m;
    slow_cache s;
    judge j;
    (void)state;
    fill(&j, &m, &s);
    rf_verify_cache_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[4], sizeof m.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_verify_cache, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_verify_cache m;
    slow_cache s;
    judge j;
    rf_verify_cache_out out;
    slow_answer a;
    rf_verify_cache_in in;
    (void)state;
    fill(&j, &m, &s);
    memset(&in, 0, sizeof in);
    in.lk_valid = 5;
    in.lk_reg[0] = 600;
    in.lk_reg[1] = 300;
    in.lk_reg[2] = 400;
    rf_verify_cache_comb(&m, &in, &out);
    slow_comb(&s, &in, &a);
    assert_int_equal(out.hit, 5);
    JUDGE_FLIPS(&j, rf_verify_cache, LS_OUT, &m, &out, compare_out(&j, 3, &a, &out));
    JUDGE_FLIPS(&j, rf_verify_cache, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_verify_reads),
        cmocka_unit_test(lines_are_given_up_in_turn),
        cmocka_unit_test(an_evict_beats_a_fill_of_its_cycle),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_verify_cache", tests, NULL, NULL);
}
