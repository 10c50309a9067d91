/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_vsb: the slow model is a shelf with one place for every hash mod ENTRIES. Lanes look at the shelf as it stood in
 * the morning; then they walk past it one after the other, and each notes what it takes away [WIR V-A, Fig. 6]. */
#include "cmodel/wir/rf_vsb.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_vsb_unit;

#define LANES RF_ISSUES_MAX

typedef struct slow_place {
    bool valid;
    uint32_t hash; /* what was written last, also when it is no longer valid */
    uint32_t reg;
} slow_place;

typedef struct slow_vsb {
    rf_vsb_cfg cfg;
    slow_place place[RF_VSB_ENTRIES_MAX];
} slow_vsb;

/* What one cycle answers. */
typedef struct slow_answer {
    bool hit[LANES], freed[LANES], rnd_freed;
    uint32_t hit_reg[LANES], freed_reg[LANES], rnd_freed_reg;
} slow_answer;

/* clang-format off */
#define SEEN(X) \
    X(HIT, "hit") \
    X(MISS_EMPTY, "miss in an invalid entry") \
    X(MISS_OTHER, "miss in an entry of another hash") \
    X(STALE, "no hit although the invalid entry still has this hash") \
    X(NO_LOOKUP, "the entry has this hash but nobody looks") \
    X(WRITE_EMPTY, "write into an invalid entry") \
    X(WRITE_OVER, "write over a valid entry of another hash") \
    X(WRITE_AFTER_HIT, "write by a lane that hit") \
    X(WRITE_SAME, "write of what the entry holds already") \
    X(DROP_VALID, "drop of a valid entry") \
    X(DROP_OTHER, "drop of an entry of another hash") \
    X(DROP_EMPTY, "drop of an invalid entry") \
    X(WRITE_AND_DROP, "write and drop of one lane") \
    X(IGNORED_WRITE, "write without a lookup") \
    X(IGNORED_DROP, "drop without a lookup") \
    X(WRITE_WRITE, "two lanes write one entry") \
    X(WRITE_DROP, "a lane drops what a lane before it wrote") \
    X(DROP_WRITE, "a lane writes the entry that a lane before it dropped") \
    X(DROP_DROP, "two lanes drop one entry") \
    X(LOOK_WRITE, "a lane looks up the hash that a lane before it writes, and misses") \
    X(ALL_ONE, "four lanes write one entry") \
    X(RND_VALID, "the drop port removes a valid entry") \
    X(RND_EMPTY, "the drop port meets an invalid entry") \
    X(RND_WRITTEN, "the drop port removes what a lane wrote in the same cycle") \
    X(RND_DROPPED, "the drop port meets what a lane dropped in the same cycle") \
    X(RND_OFF, "the drop port is off above a valid entry") \
    X(RND_OUTSIDE, "rnd_index at or above ENTRIES") \
    X(REG_OUTSIDE, "a register at or above PREGS is kept") \
    X(ALL_VALID, "every entry valid") \
    X(TOP_ENTRY, "hit in the last entry") \
    X(ZERO_HASH, "hash 0 hits") \
    X(RESET, "reset while entries are valid")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_vsb *s) {
    const rf_vsb_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* A whole cycle on `s`: its answers, and the shelf as it stands afterwards. */
static void slow_cycle(slow_vsb *s, const rf_vsb_in *in, slow_answer *a) {
    memset(a, 0, sizeof *a);
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        const slow_place *place = &s->place[in->lk_hash[i] % s->cfg.entries];
        if (!judge_bit(in->lk_valid, i) || !place->valid || place->hash != in->lk_hash[i]) continue;
        a->hit[i] = true;
        a->hit_reg[i] = place->reg;
    }
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        slow_place *place = &s->place[in->lk_hash[i] % s->cfg.entries];
        const bool writes = judge_bit(in->write, i), drops = judge_bit(in->drop, i);
        if (!judge_bit(in->lk_valid, i) || (!writes && !drops)) continue;
        if (place->valid) {
            a->freed[i] = true;
            a->freed_reg[i] = place->reg;
        }
        place->valid = writes;
        if (writes) {
            place->hash = in->lk_hash[i];
            place->reg = in->write_reg[i];
        }
    }
    if (in->rnd_drop) {
        slow_place *place = &s->place[in->rnd_index % s->cfg.entries];
        if (place->valid) {
            a->rnd_freed = true;
            a->rnd_freed_reg = place->reg;
        }
        place->valid = false;
    }
}

static void compare_out(judge *j, uint32_t issues, const slow_answer *a, const rf_vsb_out *out) {
    judge_equal(j, "hit", 0, out->hit, judge_pack(a->hit, issues));
    judge_equal(j, "freed", 0, out->freed, judge_pack(a->freed, issues));
    for (uint32_t i = 0; i < issues; i++) {
        judge_equal(j, "hit_reg", i, out->hit_reg[i], a->hit_reg[i]);
        judge_equal(j, "freed_reg", i, out->freed_reg[i], a->freed_reg[i]);
    }
    judge_equal(j, "rnd_freed", 0, out->rnd_freed, a->rnd_freed);
    judge_equal(j, "rnd_freed_reg", 0, out->rnd_freed_reg, a->rnd_freed_reg);
}

static void compare_state(judge *j, const slow_vsb *s, const rf_vsb *m) {
    for (uint32_t e = 0; e < s->cfg.entries; e++) {
        judge_equal(j, "valid_q", e, m->valid_q[e], s->place[e].valid);
        judge_equal(j, "hash_q", e, m->hash_q[e], s->place[e].hash);
        judge_equal(j, "reg_q", e, m->reg_q[e], s->place[e].reg);
    }
}

static void start(judge *j, uint64_t seed, rf_vsb *m, slow_vsb *s, const rf_vsb_cfg *cfg) {
    judge_begin(j, seed, "rf_vsb entries=%" PRIu32 " pregs=%" PRIu32 " issues=%" PRIu32, cfg->entries, cfg->pregs, cfg->issues);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_vsb_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_vsb *m, slow_vsb *s, const rf_vsb_in *in) {
    rf_vsb before;
    rf_vsb_out out;
    slow_answer a;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_vsb_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_vsb, m, in);
    slow_cycle(s, in, &a);
    compare_out(j, s->cfg.issues, &a, &out);
    compare_state(j, s, m);
    j->cycle++;
}

/* Counts what happens in this cycle, on the shelf before it. */
static void count(const slow_vsb *s, const rf_vsb_in *in, uint64_t *seen) {
    const uint32_t n = s->cfg.issues, entries = s->cfg.entries;
    uint32_t writers = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t e = in->lk_hash[i] % entries;
        const slow_place *p = &s->place[e];
        const bool looks = judge_bit(in->lk_valid, i), same = p->hash == in->lk_hash[i], hit = looks && p->valid && same;
        const bool writes = looks && judge_bit(in->write, i), both = writes && judge_bit(in->drop, i);
        const bool drops = looks && judge_bit(in->drop, i) && !writes;
        bool written = false, dropped = false, first = true;
        for (uint32_t k = 0; k < i; k++) {
            const bool here = judge_bit(in->lk_valid, k) && in->lk_hash[k] % entries == e;
            const bool wrote = here && judge_bit(in->write, k), drop = here && judge_bit(in->drop, k) && !wrote;
            written = wrote || (written && !drop);
            dropped = drop || (dropped && !wrote);
            first = first && !wrote && !drop;
            seen[LOOK_WRITE] += looks && !hit && wrote && in->lk_hash[k] == in->lk_hash[i];
        }
        seen[HIT] += hit;
        seen[MISS_EMPTY] += looks && !p->valid;
        seen[MISS_OTHER] += looks && p->valid && !same;
        seen[STALE] += looks && !p->valid && same && p->hash != 0;
        seen[NO_LOOKUP] += !looks && p->valid && same;
        seen[WRITE_EMPTY] += writes && first && !p->valid;
        seen[WRITE_OVER] += writes && first && p->valid && !same;
        seen[WRITE_AFTER_HIT] += writes && hit;
        seen[WRITE_SAME] += writes && first && hit && p->reg == in->write_reg[i];
        seen[DROP_VALID] += drops && first && hit;
        seen[DROP_OTHER] += drops && first && p->valid && !same;
        seen[DROP_EMPTY] += drops && first && !p->valid;
        seen[WRITE_AND_DROP] += both;
        seen[IGNORED_WRITE] += !looks && judge_bit(in->write, i);
        seen[IGNORED_DROP] += !looks && judge_bit(in->drop, i) && p->valid;
        seen[WRITE_WRITE] += writes && written;
        seen[WRITE_DROP] += drops && written;
        seen[DROP_WRITE] += writes && dropped && p->valid;
        seen[DROP_DROP] += drops && dropped && p->valid;
        seen[TOP_ENTRY] += hit && entries > 1 && e == entries - 1;
        seen[ZERO_HASH] += hit && in->lk_hash[i] == 0;
        seen[REG_OUTSIDE] += writes && in->write_reg[i] >= s->cfg.pregs;
        writers += writes && e == in->lk_hash[0] % entries;
    }
    seen[ALL_ONE] += writers == 4;
    for (uint32_t e = 0; e < entries; e++) all += s->place[e].valid;
    seen[ALL_VALID] += all == entries && entries > 1;
    const uint32_t e = in->rnd_index % entries;
    bool written = false, dropped = false;
    for (uint32_t i = 0; i < n; i++) {
        if (!judge_bit(in->lk_valid, i) || in->lk_hash[i] % entries != e) continue;
        if (judge_bit(in->write, i)) written = true, dropped = false;
        else if (judge_bit(in->drop, i)) written = false, dropped = true;
    }
    seen[RND_VALID] += in->rnd_drop && s->place[e].valid && !written && !dropped;
    seen[RND_EMPTY] += in->rnd_drop && !s->place[e].valid && !written;
    seen[RND_WRITTEN] += in->rnd_drop && written;
    seen[RND_DROPPED] += in->rnd_drop && dropped && s->place[e].valid;
    seen[RND_OFF] += !in->rnd_drop && s->place[e].valid;
    seen[RND_OUTSIDE] += in->rnd_drop && in->rnd_index >= entries;
}

static const rf_vsb_cfg sets[] = {
    {.entries = 16, .pregs = 64, .issues = 2},    {.entries = 1, .pregs = 2, .issues = 1},
    {.entries = 1, .pregs = 3, .issues = 4},      {.entries = 2, .pregs = 1000, .issues = 3},
    {.entries = 8, .pregs = 33, .issues = 4},     {.entries = 64, .pregs = 1024, .issues = 2},
    {.entries = 256, .pregs = 1024, .issues = 2}, {.entries = 512, .pregs = 513, .issues = 4},
};

/* Values of a program: few hashes that come again and again, in few entries, and now and then any. */
typedef struct traffic {
    ls_rng rng;
    uint32_t pool[48], used;
    uint32_t p_look, p_write, p_drop, p_rnd;
} traffic;

static void new_phase(traffic *t, const rf_vsb_cfg *cfg) {
    ls_rng *rng = &t->rng;
    const uint32_t few = 1 + ls_rng_below(rng, cfg->entries);
    t->used = 1 + ls_rng_below(rng, 48);
    for (uint32_t i = 0; i < t->used; i++) {
        t->pool[i] = (uint32_t)ls_rng_value(rng, 32);
        if (ls_rng_chance(rng, 160)) t->pool[i] = t->pool[i] / cfg->entries * cfg->entries + ls_rng_below(rng, few);
        if (i > 0 && ls_rng_chance(rng, 96)) t->pool[i] = t->pool[i - 1] ^ UINT32_C(1) << ls_rng_below(rng, 32);
    }
    t->pool[0] = ls_rng_chance(rng, 128) ? 0 : t->pool[0];
    t->p_look = 32 + ls_rng_below(rng, 225);
    t->p_write = ls_rng_below(rng, 257);
    t->p_drop = ls_rng_chance(rng, 128) ? 8 : ls_rng_below(rng, 200);
    t->p_rnd = ls_rng_chance(rng, 128) ? 8 : ls_rng_below(rng, 257);
}

static void next_inputs(traffic *t, const slow_vsb *s, rf_vsb_in *in) {
    const rf_vsb_cfg *cfg = &s->cfg;
    ls_rng *rng = &t->rng;
    memset(in, 0, sizeof *in);
    for (uint32_t i = 0; i < cfg->issues; i++) {
        in->lk_hash[i] = ls_rng_chance(rng, 16) ? (uint32_t)ls_rng_value(rng, 32) : t->pool[ls_rng_below(rng, t->used)];
        if (i > 0 && ls_rng_chance(rng, 48)) in->lk_hash[i] = in->lk_hash[ls_rng_below(rng, i)];
        const slow_place *p = &s->place[in->lk_hash[i] % cfg->entries];
        const bool there = p->valid && p->hash == in->lk_hash[i];
        in->lk_valid |= (uint8_t)((uint32_t)ls_rng_chance(rng, t->p_look) << i);
        in->write |= (uint8_t)((uint32_t)ls_rng_chance(rng, there ? t->p_write / 8 : t->p_write) << i);
        in->drop |= (uint8_t)((uint32_t)ls_rng_chance(rng, t->p_drop) << i);
        in->write_reg[i] = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
        if (ls_rng_chance(rng, 32)) in->write_reg[i] = (uint16_t)p->reg;
    }
    in->rnd_drop = ls_rng_chance(rng, t->p_rnd);
    in->rnd_index = (uint16_t)(ls_rng_chance(rng, 128) ? ls_rng_value(rng, rf_index_bits(cfg->entries))
                                                       : in->lk_hash[ls_rng_below(rng, cfg->issues)] % cfg->entries);
}

static void run(const rf_vsb_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_vsb m;
    static slow_vsb s;
    judge j;
    traffic t;
    rf_vsb_in in;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&t.rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) new_phase(&t, cfg);
        next_inputs(&t, &s, &in);
        count(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&t.rng, 1024) != 0) continue;
        for (uint32_t e = 0; e < cfg->entries; e++) seen[RESET] += s.place[e].valid;
        rf_vsb_reset(&m);
        slow_reset(&s);
        compare_state(&j, &s, &m);
    }
    judge_passes(&j);
}

static void random_lookups(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const uint64_t each = sets[i].entries > 64 ? 8000 : 32000;
        run(&sets[i], ls_seed_derive(i, "judge rf_vsb"), each, seen);
        cycles += each;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* One lane looks `hash` up; with `write` its entry becomes {hash, reg}. */
static rf_vsb_in look_up(uint32_t lane, uint32_t hash, bool write, uint16_t reg) {
    rf_vsb_in in;
    memset(&in, 0, sizeof in);
    in.lk_valid = (uint8_t)(1u << lane);
    in.lk_hash[lane] = hash;
    in.write = (uint8_t)((uint32_t)write << lane);
    in.write_reg[lane] = reg;
    return in;
}

static void add(rf_vsb_in *in, const rf_vsb_in *more, uint32_t lane) {
    in->lk_valid |= more->lk_valid;
    in->write |= more->write;
    in->lk_hash[lane] = more->lk_hash[lane];
    in->write_reg[lane] = more->write_reg[lane];
}

static void a_value_is_found_again_until_another_takes_its_entry(void **state) {
    rf_vsb m;
    slow_vsb s;
    judge j;
    rf_vsb_out out;
    rf_vsb_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]); /* 16 entries, 2 lanes */
    in = look_up(0, 0x12345673, true, 40);
    rf_vsb_comb(&m, &in, &out);
    assert_int_equal(out.hit, 0);
    assert_int_equal(out.freed, 0);
    step(&j, &m, &s, &in);
    assert_int_equal(m.valid_q[3], 1);
    assert_int_equal(m.hash_q[3], 0x12345673);
    assert_int_equal(m.reg_q[3], 40);
    in = look_up(1, 0x12345673, false, 0);
    rf_vsb_comb(&m, &in, &out);
    assert_int_equal(out.hit, 2);
    assert_int_equal(out.hit_reg[0], 0);
    assert_int_equal(out.hit_reg[1], 40);
    in = look_up(1, 0x12345663, false, 0); /* the same entry, one bit beside */
    rf_vsb_comb(&m, &in, &out);
    assert_int_equal(out.hit, 0);
    assert_int_equal(out.hit_reg[1], 0);
    in = look_up(0, 0x99999993, true, 41);
    rf_vsb_comb(&m, &in, &out);
    assert_int_equal(out.freed, 1);
    assert_int_equal(out.freed_reg[0], 40);
    step(&j, &m, &s, &in);
    in = look_up(0, 0x12345673, false, 0);
    rf_vsb_comb(&m, &in, &out);
    assert_int_equal(out.hit, 0);
    in.drop = 1; /* whatever hash it has */
    rf_vsb_comb(&m, &in, &out);
    assert_int_equal(out.freed, 1);
    assert_int_equal(out.freed_reg[0], 41);
    step(&j, &m, &s, &in);
    assert_int_equal(m.valid_q[3], 0);
    judge_passes(&j);
}

static void lanes_act_in_order_and_the_drop_port_last(void **state) {
    rf_vsb m;
    slow_vsb s;
    judge j;
    rf_vsb_out out;
    rf_vsb_in in, more;
    (void)state;
    start(&j, 0, &m, &s, &sets[4]); /* 8 entries, 33 registers, 4 lanes */
    in = look_up(0, 0x15, true, 10);
    step(&j, &m, &s, &in);
    for (uint32_t lane = 1; lane < 4; lane++) {
        more = look_up(lane, 0x25 + 0x10 * lane, true, (uint16_t)(10 + lane));
        add(&in, &more, lane);
    }
    in.lk_valid &= 0xe, in.write &= 0xe; /* lanes 1 to 3 write entry 5, and lane 2 drops too: write wins */
    in.drop = 4;
    in.rnd_drop = 1;
    in.rnd_index = 5;
    rf_vsb_comb(&m, &in, &out);
    assert_int_equal(out.hit, 0);
    assert_int_equal(out.freed, 0xe);
    assert_int_equal(out.freed_reg[1], 10);
    assert_int_equal(out.freed_reg[2], 11);
    assert_int_equal(out.freed_reg[3], 12);
    assert_int_equal(out.rnd_freed, 1);
    assert_int_equal(out.rnd_freed_reg, 13);
    step(&j, &m, &s, &in);
    assert_int_equal(m.valid_q[5], 0);
    assert_int_equal(m.reg_q[5], 13);
    judge_passes(&j);
}

/* Every entry valid, with a hash and a register of its own. */
static void fill(judge *j, rf_vsb *m, slow_vsb *s) {
    start(j, 0, m, s, &sets[4]);
    for (uint32_t e = 0; e < 8; e++) {
        const rf_vsb_in in = look_up(e % 4, UINT32_C(0x01010101) * e * 8 + e, true, (uint16_t)(e + 21));
        step(j, m, s, &in);
    }
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_vsb m;
    slow_vsb s;
    judge j;
    (void)state;
    fill(&j, &m, &s);
    rf_vsb_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[4], sizeof m.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const uint32_t no_powers[] = {3, 5, 6, 7, 12, 100, 255, 257, 384, 511};
    (void)state;
    JUDGE_RANGES(rf_vsb, sets);
    for (size_t i = 0; i < sizeof no_powers / sizeof *no_powers; i++) {
        rf_vsb_cfg cfg = sets[0];
        cfg.entries = no_powers[i];
        judge_refused(&rf_vsb_unit, &cfg, "entries", "512");
    }
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_vsb m;
    slow_vsb s, after;
    judge j;
    rf_vsb_out out;
    slow_answer a;
    (void)state;
    fill(&j, &m, &s);
    rf_vsb_in in;
    memset(&in, 0, sizeof in);
    in.lk_valid = 0xf, in.write = 5, in.drop = 2, in.rnd_drop = 1, in.rnd_index = 6;
    for (uint32_t i = 0; i < 4; i++) in.lk_hash[i] = m.hash_q[i + 1];
    rf_vsb_comb(&m, &in, &out);
    after = s;
    slow_cycle(&after, &in, &a);
    JUDGE_FLIPS(&j, rf_vsb, LS_OUT, &m, &out, compare_out(&j, 4, &a, &out));
    JUDGE_FLIPS(&j, rf_vsb, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lookups),
        cmocka_unit_test(a_value_is_found_again_until_another_takes_its_entry),
        cmocka_unit_test(lanes_act_in_order_and_the_drop_port_last),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_vsb", tests, NULL, NULL);
}
