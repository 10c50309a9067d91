/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_orf: the slow model has a box for each of the sixteen names [hierarchy 4.2], says of each box whether it exists and
 * whose it is, and goes through lanes and names one by one. */
#include "cmodel/hierarchy/rf_orf.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_orf_unit;

#define NAMES 16u
#define L1_NAMES 8u /* the names below are the L1's, the others the L0's */

typedef struct slow_box {
    bool pending, held[RF_LANES_MAX];
    uint32_t value[RF_LANES_MAX]; /* also of a lane that is not held */
} slow_box;

typedef struct slow_orf {
    rf_orf_cfg cfg;
    slow_box box[NAMES];
} slow_orf;

typedef struct slow_answer {
    uint32_t data[RF_SLOTS_MAX][RF_LANES_MAX];
    bool pend[NAMES];
} slow_answer;

/* clang-format off */
#define SEEN(X) \
    X(READ_L1, "read of an entry of the L1, all lanes held") \
    X(READ_L0, "read of the L0, all lanes held") \
    X(READ_SPLIT, "read of the slot's own bank above bank 0") \
    X(READ_SOME, "read of a value of which some lanes are held") \
    X(READ_OLD, "read of a lane that is no longer held") \
    X(READ_OTHER, "read of another slot's bank") \
    X(READ_SHARED_L1, "read of the L1 by a shared unit") \
    X(READ_SHARED_L0, "read of the L0 by a shared unit") \
    X(READ_SHARED_OTHER, "read of another slot's bank by a shared unit") \
    X(READ_TWICE, "two slots read one entry") \
    X(READ_DIFFERENT, "two slots read two entries") \
    X(READ_PENDING, "read of a pending name") \
    X(READ_NONE, "a slot that reads nothing names a held entry") \
    X(READ_ABOVE_L1, "read of a name behind the L1's entries") \
    X(READ_NO_L0, "read of an L0 that is not there") \
    X(READ_ABOVE_L0, "read of a name behind the L0's banks") \
    X(READ_LAST, "read of the highest of sixteen places") \
    X(READ_WRITTEN, "read of the old value while the new one is written") \
    X(READ_CLEARED, "read of a value in the cycle of the clear") \
    X(WRITE_NEW, "write of a name that holds nothing") \
    X(WRITE_ALL, "write of all lanes of a value that is held") \
    X(WRITE_MERGED, "write of some lanes beside held ones") \
    X(WRITE_NO_LANE, "write of no lane") \
    X(WRITE_ENDS, "write of a pending name") \
    X(WRITE_UNASKED, "write of a name that is not pending") \
    X(WRITE_SHARED_L1, "write of the L1 by a shared unit") \
    X(WRITE_SHARED_L0, "write of a held L0 by a shared unit") \
    X(WRITE_SHARED_ENDS, "write of a pending L0 by a shared unit") \
    X(WRITE_NOWHERE, "write of a name that does not exist") \
    X(WRITE_OFF, "no write although the name is pending") \
    X(SET_RESULT, "set of the result's name") \
    X(SET_KEPT, "set of the kept operand's name") \
    X(SET_BOTH, "set of two names") \
    X(SET_ONE_NAME, "both set the same name") \
    X(SET_AGAIN, "set of a pending name") \
    X(SET_NOWHERE, "set of a name that does not exist") \
    X(SET_WRITTEN, "set and write of one name") \
    X(SET_OFF, "no set although the port names an entry that is not pending") \
    X(CLEAR, "clear of held lanes") \
    X(CLEAR_PENDING, "clear while a name is pending") \
    X(CLEAR_WRITE, "clear and write in one cycle") \
    X(CLEAR_WRITE_SOME, "clear and a write of some lanes of a held entry") \
    X(CLEAR_SHARED_L0, "clear and a shared unit's write of a held L0") \
    X(CLEAR_SET, "clear and set in one cycle") \
    X(ALL_THREE, "clear, write and set of one name") \
    X(ALL_PENDING, "all names are pending") \
    X(RESET, "reset while lanes are held and names pending")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_orf *s) { memset(s->box, 0, sizeof s->box); }

static bool in_l0(uint32_t name) { return name >= L1_NAMES; }

/* Banks of the L0: none, one for all slots, or one for each. */
static uint32_t banks(const rf_orf_cfg *cfg) {
    if (cfg->l0 == 0) return 0;
    return cfg->l0 == 1 ? 1 : cfg->slots;
}

static bool exists(const rf_orf_cfg *cfg, uint32_t name) {
    if (in_l0(name)) return name - L1_NAMES < banks(cfg);
    return name < cfg->entries;
}

/* Whether a reader in this slot has a way to the name. */
static bool reaches(const slow_orf *s, uint32_t slot, uint32_t name, bool shared) {
    if (!exists(&s->cfg, name)) return false;
    if (!in_l0(name)) return true;
    if (shared) return false;
    return s->cfg.l0 == 1 || name - L1_NAMES == slot;
}

static void slow_comb(const slow_orf *s, const rf_orf_in *in, slow_answer *a) {
    memset(a, 0, sizeof *a);
    for (uint32_t slot = 0; slot < s->cfg.slots; slot++) {
        const uint32_t name = in->rd_name[slot];
        if (!judge_bit(in->rd_valid, slot)) continue;
        for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) {
            const bool there = reaches(s, slot, name, in->shared != 0) && s->box[name].held[lane];
            a->data[slot][lane] = there ? s->box[name].value[lane] : 0xdeadc0deu;
        }
    }
    for (uint32_t name = 0; name < NAMES; name++) a->pend[name] = s->box[name].pending;
}

static void slow_clock(slow_orf *s, const rf_orf_in *in) {
    if (in->clear)
        for (uint32_t name = 0; name < NAMES; name++) memset(s->box[name].held, 0, sizeof s->box[name].held);
    if (in->write && exists(&s->cfg, in->wr_name)) {
        slow_box *box = &s->box[in->wr_name];
        box->pending = false;
        for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) {
            if (!judge_bit(in->wr_mask, lane) || (in->wr_shared && in_l0(in->wr_name))) continue;
            box->held[lane] = true;
            box->value[lane] = in->wr_data.lane[lane];
        }
    }
    for (uint32_t i = 0; i < 2; i++)
        if (judge_bit(in->set, i) && exists(&s->cfg, in->set_name[i])) s->box[in->set_name[i]].pending = true;
}

static void compare_out(judge *j, const slow_orf *s, const slow_answer *a, const rf_orf_out *out) {
    for (uint32_t slot = 0; slot < s->cfg.slots; slot++)
        judge_words(j, "rd_data", slot, out->rd_data[slot].lane, a->data[slot], RF_LANES_MAX);
    judge_equal(j, "pend", 0, out->pend, judge_pack(a->pend, NAMES));
}

/* The registers are by place: the names that exist, in their order. */
static void compare_state(judge *j, const slow_orf *s, const rf_orf *m) {
    bool pending[NAMES] = {false};
    uint32_t place = 0;
    for (uint32_t name = 0; name < NAMES; name++) {
        const slow_box *box = &s->box[name];
        if (!exists(&s->cfg, name)) continue;
        pending[place] = box->pending;
        judge_equal(j, "held_q", place, m->held_q[place], judge_pack(box->held, RF_LANES_MAX));
        judge_words(j, "data_q", place, m->data_q[place].lane, box->value, RF_LANES_MAX);
        place++;
    }
    judge_equal(j, "pend_q", 0, m->pend_q, judge_pack(pending, NAMES));
}

static void start(judge *j, uint64_t seed, rf_orf *m, slow_orf *s, const rf_orf_cfg *cfg) {
    judge_begin(j, seed, "rf_orf entries=%" PRIu32 " l0=%" PRIu32 " lanes=%" PRIu32 " slots=%" PRIu32, cfg->entries, cfg->l0,
                cfg->lanes, cfg->slots);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_orf_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_orf *m, slow_orf *s, const rf_orf_in *in) {
    rf_orf before;
    rf_orf_out out;
    slow_answer a;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_orf_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    slow_comb(s, in, &a);
    compare_out(j, s, &a, &out);
    JUDGE_CLOCK(rf_orf, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

/* Lanes of a name that are held. */
static uint32_t held(const slow_orf *s, uint32_t name) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) lanes += s->box[name].held[lane];
    return lanes;
}

static bool is_old(const slow_orf *s, uint32_t name) {
    for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
        if (!s->box[name].held[lane] && s->box[name].value[lane] != 0) return true;
    return false;
}

static void count_reads(const slow_orf *s, const rf_orf_in *in, uint64_t *seen) {
    const rf_orf_cfg *cfg = &s->cfg;
    for (uint32_t slot = 0; slot < cfg->slots; slot++) {
        const uint32_t name = in->rd_name[slot], lanes = held(s, name);
        const bool reads = judge_bit(in->rd_valid, slot), there = reads && exists(cfg, name);
        const bool shared = in->shared != 0, own = there && reaches(s, slot, name, shared), l0 = in_l0(name);
        const bool other = there && l0 && !reaches(s, slot, name, false);
        seen[READ_L1] += own && !l0 && lanes == cfg->lanes;
        seen[READ_L0] += own && l0 && lanes == cfg->lanes;
        seen[READ_SPLIT] += own && cfg->l0 == 2 && slot > 0 && l0 && lanes > 0;
        seen[READ_SOME] += own && lanes > 0 && lanes < cfg->lanes;
        seen[READ_OLD] += own && is_old(s, name);
        seen[READ_OTHER] += other && !shared && lanes > 0;
        seen[READ_SHARED_L1] += own && !l0 && shared && lanes > 0;
        seen[READ_SHARED_L0] += there && l0 && !other && shared && lanes > 0;
        seen[READ_SHARED_OTHER] += other && shared && lanes > 0;
        seen[READ_PENDING] += own && s->box[name].pending && lanes > 0;
        seen[READ_NONE] += !reads && lanes > 0 && reaches(s, slot, name, shared);
        seen[READ_ABOVE_L1] += reads && !l0 && !there;
        seen[READ_NO_L0] += reads && l0 && cfg->l0 == 0;
        seen[READ_ABOVE_L0] += reads && l0 && !there && cfg->l0 != 0;
        seen[READ_LAST] += own && name == NAMES - 1 && cfg->entries == 8 && lanes > 0;
        seen[READ_WRITTEN] += own && lanes > 0 && in->write && in->wr_name == name && in->wr_mask != 0;
        seen[READ_CLEARED] += own && lanes > 0 && in->clear;
        for (uint32_t k = 0; k < slot; k++) {
            const bool both = own && lanes > 0 && judge_bit(in->rd_valid, k) && reaches(s, k, in->rd_name[k], shared);
            seen[READ_TWICE] += both && in->rd_name[k] == name;
            seen[READ_DIFFERENT] += both && in->rd_name[k] != name && held(s, in->rd_name[k]) > 0;
        }
    }
}

static void count_changes(const slow_orf *s, const rf_orf_in *in, uint64_t *seen) {
    const rf_orf_cfg *cfg = &s->cfg;
    const uint32_t name = in->wr_name, lanes = held(s, name);
    const bool full = in->wr_mask == ls_mask(cfg->lanes), l0 = in_l0(name), shut = l0 && in->wr_shared;
    const bool writes = in->write && exists(cfg, name), lands = writes && !shut && in->wr_mask != 0;
    uint32_t pending = 0, all = 0, any_held = 0;
    for (uint32_t n = 0; n < NAMES; n++) pending += s->box[n].pending, all += exists(cfg, n), any_held += held(s, n);
    seen[WRITE_NEW] += lands && lanes == 0 && !in->clear;
    seen[WRITE_ALL] += lands && full && lanes == cfg->lanes;
    seen[WRITE_MERGED] += lands && !full && lanes > 0 && !in->clear;
    seen[WRITE_NO_LANE] += writes && in->wr_mask == 0 && s->box[name].pending;
    seen[WRITE_ENDS] += lands && s->box[name].pending;
    seen[WRITE_UNASKED] += lands && !s->box[name].pending;
    seen[WRITE_SHARED_L1] += lands && in->wr_shared;
    seen[WRITE_SHARED_L0] += writes && shut && lanes > 0 && in->wr_mask != 0 && !in->clear;
    seen[WRITE_SHARED_ENDS] += writes && shut && s->box[name].pending;
    seen[WRITE_NOWHERE] += in->write && !writes;
    seen[WRITE_OFF] += !in->write && s->box[name].pending;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t n = in->set_name[i];
        const bool sets = judge_bit(in->set, i) && exists(cfg, n);
        seen[i == 0 ? SET_RESULT : SET_KEPT] += sets && in->set == 1u << i && !s->box[n].pending;
        seen[SET_AGAIN] += sets && s->box[n].pending;
        seen[SET_NOWHERE] += judge_bit(in->set, i) && !sets;
        seen[SET_WRITTEN] += sets && writes && n == name;
        seen[SET_OFF] += !judge_bit(in->set, i) && exists(cfg, n) && !s->box[n].pending;
        seen[CLEAR_SET] += sets && in->clear;
        seen[ALL_THREE] += sets && lands && n == name && in->clear && lanes > 0;
    }
    const bool two = in->set == 3 && exists(cfg, in->set_name[0]) && exists(cfg, in->set_name[1]);
    seen[SET_BOTH] += two && in->set_name[0] != in->set_name[1];
    seen[SET_ONE_NAME] += two && in->set_name[0] == in->set_name[1];
    seen[CLEAR] += in->clear && any_held > 0;
    seen[CLEAR_PENDING] += in->clear && pending > 0 && !in->write;
    seen[CLEAR_WRITE] += in->clear && lands;
    seen[CLEAR_WRITE_SOME] += in->clear && lands && !full && lanes == cfg->lanes;
    seen[CLEAR_SHARED_L0] += in->clear && writes && shut && lanes > 0 && in->wr_mask != 0;
    seen[ALL_PENDING] += pending == all;
}

static const rf_orf_cfg sets[] = {
    {.entries = 3, .l0 = 2, .lanes = 4, .slots = 3},  {.entries = 1, .l0 = 0, .lanes = 1, .slots = 1},
    {.entries = 1, .l0 = 1, .lanes = 2, .slots = 2},  {.entries = 6, .l0 = 0, .lanes = 32, .slots = 3},
    {.entries = 5, .l0 = 1, .lanes = 31, .slots = 3}, {.entries = 8, .l0 = 2, .lanes = 3, .slots = 8},
    {.entries = 8, .l0 = 1, .lanes = 2, .slots = 7},  {.entries = 2, .l0 = 2, .lanes = 1, .slots = 1},
    {.entries = 4, .l0 = 2, .lanes = 32, .slots = 5}, {.entries = 7, .l0 = 0, .lanes = 3, .slots = 8},
};

/* How busy the ports are, and how often their names exist. */
typedef struct traffic {
    ls_rng rng;
    uint32_t p_read, p_shared, p_set, p_write, p_wr_shared, p_full, p_clear, p_exists;
} traffic;

static void new_phase(traffic *t) {
    ls_rng *rng = &t->rng;
    t->p_read = ls_rng_below(rng, 257);
    t->p_shared = ls_rng_below(rng, 128);
    t->p_set = ls_rng_below(rng, 257);
    t->p_write = ls_rng_below(rng, 257);
    t->p_wr_shared = ls_rng_below(rng, 192);
    t->p_full = ls_rng_below(rng, 257);
    t->p_clear = ls_rng_chance(rng, 160) ? 4 + ls_rng_below(rng, 24) : ls_rng_below(rng, 257);
    t->p_exists = 160 + ls_rng_below(rng, 97);
}

static uint8_t some_name(traffic *t, const rf_orf_cfg *cfg) {
    ls_rng *rng = &t->rng;
    const uint32_t name = ls_rng_below(rng, cfg->entries + banks(cfg));
    if (!ls_rng_chance(rng, t->p_exists)) return (uint8_t)ls_rng_below(rng, NAMES);
    return (uint8_t)(name < cfg->entries ? name : L1_NAMES + name - cfg->entries);
}

static void next_inputs(traffic *t, const slow_orf *s, rf_orf_in *in) {
    const rf_orf_cfg *cfg = &s->cfg;
    ls_rng *rng = &t->rng;
    in->wr_name = some_name(t, cfg);
    in->rd_valid = 0;
    for (uint32_t slot = 0; slot < cfg->slots; slot++) {
        in->rd_valid |= (uint8_t)((uint32_t)ls_rng_chance(rng, t->p_read) << slot);
        in->rd_name[slot] = ls_rng_chance(rng, 48) ? in->wr_name : some_name(t, cfg);
        if (cfg->l0 == 2 && ls_rng_chance(rng, 64)) in->rd_name[slot] = (uint8_t)(L1_NAMES + slot);
    }
    in->shared = ls_rng_chance(rng, t->p_shared);
    in->set = 0;
    for (uint32_t i = 0; i < 2; i++) {
        in->set |= (uint8_t)((uint32_t)ls_rng_chance(rng, t->p_set) << i);
        in->set_name[i] = ls_rng_chance(rng, 32) ? in->wr_name : some_name(t, cfg);
    }
    in->write = ls_rng_chance(rng, t->p_write);
    in->wr_shared = ls_rng_chance(rng, t->p_wr_shared);
    in->wr_mask = (uint32_t)(ls_rng_chance(rng, t->p_full) ? ls_mask(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    ls_rng_lanes(rng, in->wr_data.lane, cfg->lanes);
    in->clear = ls_rng_chance(rng, t->p_clear);
}

static void run(const rf_orf_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_orf m;
    static slow_orf s;
    judge j;
    traffic t;
    rf_orf_in in;
    memset(&in, 0, sizeof in);
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&t.rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 128 == 0) new_phase(&t);
        next_inputs(&t, &s, &in);
        count_reads(&s, &in, seen);
        count_changes(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&t.rng, 512) != 0) continue;
        seen[RESET] += m.pend_q != 0 && held(&s, 0) > 0;
        rf_orf_reset(&m);
        slow_reset(&s);
        compare_state(&j, &s, &m);
    }
    judge_passes(&j);
}

static void random_strands(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_orf"), 20000, seen);
        cycles += 20000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* A write of one value in all lanes. */
static rf_orf_in write_one(uint32_t lanes, uint8_t name, uint32_t mask, uint32_t value) {
    rf_orf_in in;
    memset(&in, 0, sizeof in);
    in.write = 1;
    in.wr_name = name;
    in.wr_mask = mask;
    for (uint32_t lane = 0; lane < lanes; lane++) in.wr_data.lane[lane] = value;
    return in;
}

/* What slot `slot` reads in lane `lane` of name `name`. */
static uint32_t read_one(const rf_orf *m, uint32_t slot, uint8_t name, bool shared, uint32_t lane) {
    rf_orf_in in;
    rf_orf_out out;
    memset(&in, 0, sizeof in);
    in.rd_valid = (uint8_t)(1u << slot);
    in.rd_name[slot] = name;
    in.shared = shared;
    rf_orf_comb(m, &in, &out);
    return out.rd_data[slot].lane[lane];
}

/* Every name of every size: what exists is set, written and read, what does not exist is none of them. */
static void names_of_every_size(void **state) {
    static rf_orf m;
    static slow_orf s;
    (void)state;
    for (uint32_t code = 0; code < 8 * 3 * 8; code++) {
        const rf_orf_cfg cfg = {.entries = 1 + code / 24, .l0 = code % 3, .lanes = 1, .slots = 1 + code / 3 % 8};
        uint16_t there = 0;
        judge j;
        start(&j, 0, &m, &s, &cfg);
        for (uint8_t name = 0; name < NAMES; name++) {
            rf_orf_in in = write_one(1, name, 1, 0x100u + name);
            step(&j, &m, &s, &in);
            memset(&in, 0, sizeof in);
            in.set = 2;
            in.set_name[1] = name;
            step(&j, &m, &s, &in);
            if (name < 8 ? name < cfg.entries : name - 8u < (cfg.l0 == 2 ? cfg.slots : cfg.l0)) there |= (uint16_t)(1u << name);
        }
        for (uint32_t slot = 0; slot < cfg.slots; slot++)
            for (uint8_t name = 0; name < NAMES; name++) {
                const bool own = name < 8 || cfg.l0 == 1 || name - 8u == slot, seen = (there >> name & 1) != 0 && own;
                assert_int_equal(read_one(&m, slot, name, false, 0), seen ? 0x100u + name : RF_ORF_POISON);
                assert_int_equal(read_one(&m, slot, name, true, 0), seen && name < 8 ? 0x100u + name : RF_ORF_POISON);
            }
        rf_orf_out out;
        rf_orf_comb(&m, &(rf_orf_in){0}, &out);
        assert_int_equal(out.pend, there);
        judge_passes(&j);
    }
}

/* "A lane that the entry does not hold gives RF_ORF_POISON"; a slot without rd_valid gives 0, and so do lanes that there are not.
 */
static void lanes_that_are_not_held_are_poison(void **state) {
    rf_orf m;
    slow_orf s;
    judge j;
    rf_orf_out out;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]); /* 3 entries, 4 lanes */
    rf_orf_in in = write_one(4, 1, 0x5, 77);
    in.wr_data.lane[2] = 79;
    step(&j, &m, &s, &in);
    memset(&in, 0, sizeof in);
    in.rd_valid = 2;
    in.rd_name[0] = in.rd_name[1] = in.rd_name[2] = 1;
    rf_orf_comb(&m, &in, &out);
    assert_int_equal(out.rd_data[1].lane[0], 77);
    assert_int_equal(out.rd_data[1].lane[1], 0xdeadc0de);
    assert_int_equal(out.rd_data[1].lane[2], 79);
    assert_int_equal(out.rd_data[1].lane[3], 0xdeadc0de);
    for (uint32_t lane = 0; lane < RF_LANES_MAX; lane++) {
        assert_int_equal(out.rd_data[0].lane[lane], 0);
        assert_int_equal(out.rd_data[2].lane[lane], 0);
        if (lane >= 4) assert_int_equal(out.rd_data[1].lane[lane], 0);
    }
    step(&j, &m, &s, &in);
    in = write_one(4, 1, 0x6, 5); /* the others stay */
    step(&j, &m, &s, &in);
    assert_int_equal(m.held_q[1], 0x7);
    assert_int_equal(read_one(&m, 0, 1, false, 0), 77);
    assert_int_equal(read_one(&m, 0, 1, false, 1), 5);
    assert_int_equal(read_one(&m, 0, 1, false, 2), 5);
    judge_passes(&j);
}

/* "clear: a strand ends; no entry holds a lane any longer. pend stays"; "at the edge in this order: clear, write, set". */
static void a_strand_ends(void **state) {
    rf_orf m;
    slow_orf s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, &sets[2]); /* 1 entry, 1 bank, 2 lanes */
    rf_orf_in in = write_one(2, 8, 0x3, 7);
    in.set = 1;
    in.set_name[0] = 0;
    step(&j, &m, &s, &in);
    assert_int_equal(m.pend_q, 1);
    memset(&in, 0, sizeof in);
    in.clear = 1;
    in.rd_valid = 1;
    in.rd_name[0] = 8; /* read as it was in the last cycle of the strand */
    assert_int_equal(read_one(&m, 0, 8, false, 1), 7);
    step(&j, &m, &s, &in);
    assert_int_equal(m.held_q[1], 0);
    assert_int_equal(m.data_q[1].lane[1], 7);
    assert_int_equal(read_one(&m, 0, 8, false, 1), 0xdeadc0de);
    assert_int_equal(m.pend_q, 1);
    in = write_one(2, 8, 0x3, 9);
    step(&j, &m, &s, &in);
    in.clear = 1;
    in.wr_mask = 0x2;
    in.wr_data.lane[0] = in.wr_data.lane[1] = 11;
    in.set = 2;
    in.set_name[1] = 8;
    step(&j, &m, &s, &in);
    assert_int_equal(m.held_q[1], 0x2); /* what was written is of the next strand, lane 0 is not */
    assert_int_equal(m.data_q[1].lane[0], 9);
    assert_int_equal(m.data_q[1].lane[1], 11);
    assert_int_equal(m.pend_q, 3); /* the write's end of pend comes before the set */
    judge_passes(&j);
}

/* "The shared units have no way to the L0": their write ends what is pending there and no more. */
static void shared_units_do_not_write_the_l0(void **state) {
    rf_orf m;
    slow_orf s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, &sets[7]); /* 2 entries, 1 bank, 1 lane */
    rf_orf_in in = write_one(1, 8, 1, 21);
    in.set = 3;
    in.set_name[0] = 8;
    in.set_name[1] = 1;
    step(&j, &m, &s, &in);
    assert_int_equal(m.pend_q, 0x6);
    in.set = 0;
    in.wr_shared = 1;
    in.wr_data.lane[0] = 22;
    step(&j, &m, &s, &in);
    assert_int_equal(m.pend_q, 0x2);
    assert_int_equal(m.data_q[2].lane[0], 21);
    assert_int_equal(read_one(&m, 0, 8, false, 0), 21);
    assert_int_equal(read_one(&m, 0, 8, true, 0), 0xdeadc0de);
    in.wr_name = 1;
    step(&j, &m, &s, &in);
    assert_int_equal(m.pend_q, 0);
    assert_int_equal(read_one(&m, 0, 1, true, 0), 22);
    judge_passes(&j);
}

/* One entry and one bank of one lane: every state of pend and held, every clear, write and set of names 0, 8 and 9. */
static void every_edge_of_two_places(void **state) {
    static const uint8_t names[] = {0, 8, 9};
    const rf_orf_cfg cfg = {.entries = 1, .l0 = 1, .lanes = 1, .slots = 1};
    judge j;
    rf_orf m;
    slow_orf s;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    for (uint32_t code = 0; code < 16u * 2 * 8 * 3 * 4 * 9; code++) {
        uint32_t rest = code;
        rf_orf_in in;
        memset(&in, 0, sizeof in);
        for (uint32_t name = 0; name < 2; name++, rest /= 4) {
            slow_box *box = &s.box[name * L1_NAMES];
            box->pending = (rest & 1) != 0;
            box->held[0] = (rest & 2) != 0;
            box->value[0] = m.data_q[name].lane[0] = 40 + name;
            m.held_q[name] = box->held[0];
        }
        m.pend_q = (uint16_t)(s.box[0].pending | s.box[L1_NAMES].pending << 1);
        in.clear = rest % 2, rest /= 2;
        in.write = rest % 2, rest /= 2;
        in.wr_mask = rest % 2, rest /= 2;
        in.wr_shared = rest % 2, rest /= 2;
        in.wr_name = names[rest % 3], rest /= 3;
        in.wr_data.lane[0] = 99;
        in.set = rest % 4, rest /= 4;
        in.set_name[0] = names[rest % 3], rest /= 3;
        in.set_name[1] = names[rest];
        step(&j, &m, &s, &in);
    }
    judge_passes(&j);
}

/* Both levels held in part and pending. */
static void fill(judge *j, rf_orf *m, slow_orf *s) {
    start(j, 0, m, s, &sets[0]);
    for (uint8_t name = 0; name < NAMES; name++) {
        rf_orf_in in = write_one(4, name, name % 2 != 0 ? 0xf : 0x6, 0);
        for (uint32_t lane = 0; lane < 4; lane++) in.wr_data.lane[lane] = 0x1111u * name + lane;
        in.set = 1;
        in.set_name[0] = (uint8_t)(name & 0xa);
        step(j, m, s, &in);
    }
    judge_passes(j);
    assert_int_not_equal(m->pend_q, 0);
}

static void reset_clears_every_register(void **state) {
    rf_orf m;
    slow_orf s;
    judge j;
    (void)state;
    fill(&j, &m, &s);
    rf_orf_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[0], sizeof m.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_orf, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_orf m;
    slow_orf s;
    judge j;
    rf_orf_out out;
    slow_answer a;
    rf_orf_in in;
    (void)state;
    fill(&j, &m, &s);
    memset(&in, 0, sizeof in);
    in.rd_valid = 5;
    in.rd_name[0] = 1;
    in.rd_name[2] = 10;
    rf_orf_comb(&m, &in, &out);
    slow_comb(&s, &in, &a);
    JUDGE_FLIPS(&j, rf_orf, LS_OUT, &m, &out, compare_out(&j, &s, &a, &out));
    JUDGE_FLIPS(&j, rf_orf, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_strands),
        cmocka_unit_test(names_of_every_size),
        cmocka_unit_test(lanes_that_are_not_held_are_poison),
        cmocka_unit_test(a_strand_ends),
        cmocka_unit_test(shared_units_do_not_write_the_l0),
        cmocka_unit_test(every_edge_of_two_places),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_orf", tests, NULL, NULL);
}
