/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_tag_bank: the slow model is a table of lines with the time of their last use; who is the oldest follows from the
 * times, ages and states from what is known of a line [CERF III-B to III-D]. */
#include "cmodel/cerf/rf_tag_bank.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_tag_bank_unit;

typedef enum slow_kind { VACANT, REGISTER, CLEAN, WRITTEN } slow_kind;

typedef struct slow_line {
    slow_kind kind;
    uint32_t tag; /* also of a vacant entry: what it was */
    int64_t used; /* when it became the youngest */
} slow_line;

typedef struct slow_bank {
    rf_tag_bank_cfg cfg;
    int64_t now; /* cycles since the reset */
    slow_line line[256][8];
} slow_bank;

typedef struct slow_answer {
    bool hit, victim;
    uint32_t set, way;
    slow_line line; /* the entry, before the edge */
    bool found;     /* a victim, needed or not */
} slow_answer;

/* clang-format off */
#define SEEN(X) \
    X(HIT, "hit") X(MISS_VACANT, "miss, an inactive entry") X(MISS_OLDEST, "miss, the oldest entry") \
    X(MISS_NOT_OLDEST, "miss, a victim that is not the oldest") X(NO_VICTIM_REGISTER, "no victim for a register") \
    X(NO_VICTIM_CACHE, "no victim for cache data") X(CACHE_FALLBACK, "cache first: the oldest of cache data alone") \
    X(NEWCOMER_DECIDES, "register and cache data would get different answers") \
    X(VACANT_TAG, "an inactive entry has the tag: no hit") X(TWO_HIT, "two entries have the tag") \
    X(BY_WAY, "an entry by its way") X(BY_WAY_HIT, "an entry by its way while another hits") \
    X(BY_WAY_SELF, "an entry by its way that hits") X(NO_WAY, "a way that does not exist") X(NO_SET, "set 1 of one set") \
    X(IDLE, "all is asked for but update") X(TOUCH_YOUNGEST, "the youngest is touched") \
    X(TOUCH_OLDEST, "the oldest is touched") X(TOUCH_MIDDLE, "one in the middle is touched") \
    X(UNTOUCHED, "a change without touch") X(TOUCH_ALONE, "touch and no event") \
    X(ALLOCATE_HIT, "allocate of an entry that hits") X(ALLOCATE_VICTIM, "allocate of a victim") \
    X(ALLOCATE_VACANT, "allocate of an inactive entry") X(ALLOCATE_NONE, "allocate although there is no victim") \
    X(ALLOCATE_BY_WAY, "allocate by way") X(ALLOCATE_REGISTER, "allocate: a register in place of cache data") \
    X(ALLOCATE_EMPTIES, "allocate with an event that leaves it inactive") \
    X(ALLOCATE_STORE, "allocate of cache data with a store") X(ALLOCATE_DIE, "allocate of cache data with a dead bit") \
    X(SPILL, "an entry whose content would be lost") X(CLEAN_ENTRY, "an entry whose content would not be lost") \
    X(FULL_TAG, "a tag of all ones hits") X(TOP_SET, "the highest of 256 sets hits") \
    X(TOP_WAY, "the highest of eight ways hits") X(RESET_TAGS, "a tag from before the reset is seen") \
    X(RESET, "reset with entries in use")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_bank *s) {
    s->now = 0;
    for (uint32_t set = 0; set < 256; set++)
        for (uint32_t w = 0; w < 8; w++) {
            s->line[set][w].kind = VACANT;
            s->line[set][w].used = -1 - (int64_t)w;
        }
}

static void slow_init(slow_bank *s, const rf_tag_bank_cfg *cfg) {
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    slow_reset(s);
}

/* The way of the set that was used before all others among those whose kind may go; `ways` when none may. */
static uint32_t oldest_of(const slow_bank *s, uint32_t set, bool registers, bool cache_data) {
    uint32_t oldest = s->cfg.ways;
    for (uint32_t w = 0; w < s->cfg.ways; w++) {
        const slow_line *line = &s->line[set][w];
        const bool may = line->kind == REGISTER ? registers : cache_data;
        if (may && (oldest == s->cfg.ways || line->used < s->line[set][oldest].used)) oldest = w;
    }
    return oldest;
}

static uint32_t victim_of(const slow_bank *s, uint32_t set, bool newcomer_is_cache) {
    const uint32_t none = s->cfg.ways;
    for (uint32_t w = 0; w < s->cfg.ways; w++)
        if (s->line[set][w].kind == VACANT) return w;
    if (s->cfg.policy == RF_POLICY_FAIR) return oldest_of(s, set, true, true);
    if (s->cfg.policy == RF_POLICY_REGISTERS) return oldest_of(s, set, false, true);
    const uint32_t reg = oldest_of(s, set, true, false);
    return reg == none && newcomer_is_cache ? oldest_of(s, set, true, true) : reg;
}

static bool has(const slow_bank *s, uint32_t set, uint32_t w, uint32_t tag) {
    return s->line[set][w].kind != VACANT && s->line[set][w].tag == tag;
}

static slow_answer slow_comb(const slow_bank *s, const rf_tag_bank_in *in) {
    const uint32_t ways = s->cfg.ways;
    slow_answer a = {0};
    a.set = s->cfg.sets == 1 ? 0 : in->set;
    const uint32_t victim = victim_of(s, a.set, in->cache != 0);
    uint32_t hit = 0;
    while (hit < ways && !has(s, a.set, hit, in->tag)) hit++;
    a.hit = hit < ways;
    a.found = victim < ways;
    a.victim = !in->by_way && !a.hit && a.found;
    if (in->by_way) a.way = in->way < ways ? in->way : 0;
    else if (a.hit) a.way = hit;
    else a.way = a.found ? victim : 0;
    a.line = s->line[a.set][a.way];
    return a;
}

/* Fig. 6, as what happens to a line of this kind. */
static slow_kind then(slow_kind kind, uint32_t event) {
    switch (event) {
    case RF_LINE_WRITE_REG:
        return REGISTER;
    case RF_LINE_FILL_REG:
        return REGISTER;
    case RF_LINE_FILL_CACHE:
        return CLEAN;
    case RF_LINE_DROP:
        return VACANT;
    case RF_LINE_DIE:
        return kind == REGISTER ? VACANT : kind;
    case RF_LINE_STORE:
        return kind == CLEAN ? WRITTEN : kind;
    default:
        return kind;
    }
}

static void slow_clock(slow_bank *s, const rf_tag_bank_in *in) {
    const slow_answer a = slow_comb(s, in);
    slow_line *line = &s->line[a.set][a.way];
    if (in->update) {
        line->kind = then(in->allocate ? VACANT : line->kind, in->event);
        if (in->allocate) line->tag = in->tag;
        if (in->touch) line->used = s->now;
    }
    s->now++;
}

static uint32_t state_of(slow_kind kind) {
    if (kind == VACANT) return RF_LINE_INACTIVE;
    if (kind == REGISTER) return RF_LINE_REG;
    return kind == CLEAN ? RF_LINE_CACHE : RF_LINE_DIRTY;
}

static void compare_out(judge *j, const slow_answer *a, const rf_tag_bank_out *out) {
    judge_equal(j, "hit", 0, out->hit, a->hit);
    judge_equal(j, "way", 0, out->way, a->way);
    judge_equal(j, "state", 0, out->state, state_of(a->line.kind));
    judge_equal(j, "spill", 0, out->spill, a->line.kind == REGISTER || a->line.kind == WRITTEN);
    judge_equal(j, "old_tag", 0, out->old_tag, a->line.tag);
    judge_equal(j, "victim", 0, out->victim, a->victim);
}

/* How many of the set were used later. */
static uint32_t age_of(const slow_bank *s, uint32_t set, uint32_t way) {
    uint32_t younger = 0;
    for (uint32_t w = 0; w < s->cfg.ways; w++) younger += s->line[set][w].used > s->line[set][way].used;
    return younger;
}

static void compare_set(judge *j, const slow_bank *s, const rf_tag_bank *m, uint32_t set) {
    uint64_t states = 0, ages = 0;
    uint32_t tags[8] = {0}, model[8];
    for (uint32_t w = s->cfg.ways; w-- > 0;) {
        states = states * 4 + state_of(s->line[set][w].kind);
        ages = ages * judge_codes(s->cfg.ways) + age_of(s, set, w);
        for (uint32_t b = 0; b < s->cfg.tag_w; b++) {
            const uint32_t at = w * s->cfg.tag_w + b;
            if (judge_bit(s->line[set][w].tag, b)) tags[at / 32] |= 1u << at % 32;
        }
    }
    for (uint32_t i = 0; i < 8; i++) model[i] = (uint32_t)(m->tag_q[set].w[i / 2] >> 32 * (i % 2));
    judge_equal(j, "state_q", set, m->state_q[set], states);
    judge_equal(j, "age_q", set, m->age_q[set], ages);
    judge_words(j, "tag_q", set, model, tags, 8);
}

static void compare_state(judge *j, const slow_bank *s, const rf_tag_bank *m) {
    for (uint32_t set = 0; set < s->cfg.sets; set++) compare_set(j, s, m, set);
}

static void start(judge *j, uint64_t seed, rf_tag_bank *m, slow_bank *s, const rf_tag_bank_cfg *cfg) {
    judge_begin(j, seed, "rf_tag_bank sets=%" PRIu32 " ways=%" PRIu32 " tag_w=%" PRIu32 " policy=%" PRIu32, cfg->sets, cfg->ways,
                cfg->tag_w, cfg->policy);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_tag_bank_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    slow_init(s, cfg);
    compare_state(j, s, m);
}

/* cmocka looks at every byte on its own; a model of ten kilobytes in every cycle is too much for that. */
static void same(const void *a, const void *b, size_t size) {
    if (memcmp(a, b, size) != 0) assert_memory_equal(a, b, size);
}

/* One cycle of both, outputs and registers compared: of all sets but the one looked up, that nothing changed. comb must leave the
 * model alone, and step is comb, then clock. */
static void step(judge *j, rf_tag_bank *m, slow_bank *s, const rf_tag_bank_in *in) {
    static rf_tag_bank before, stepped; /* large */
    const slow_answer a = slow_comb(s, in);
    rf_tag_bank_out out, again;
    memcpy(&before, m, sizeof before);
    memcpy(&stepped, m, sizeof stepped);
    memset(&out, 0x5a, sizeof out);
    memset(&again, 0x5a, sizeof again);
    rf_tag_bank_comb(m, in, &out);
    same(&before, m, sizeof before);
    compare_out(j, &a, &out);
    rf_tag_bank_step(&stepped, in, &again);
    rf_tag_bank_clock(m, in);
    same(&stepped, m, sizeof stepped);
    assert_memory_equal(&out, &again, sizeof out);
    slow_clock(s, in);
    compare_set(j, s, m, a.set);
    if (s->cfg.sets <= 2 || j->cycle % 1024 == 0) compare_state(j, s, m);
    before.state_q[a.set] = m->state_q[a.set];
    before.age_q[a.set] = m->age_q[a.set];
    before.tag_q[a.set] = m->tag_q[a.set];
    same(&before, m, sizeof before);
    j->cycle++;
}

static void count(const slow_bank *s, const rf_tag_bank_in *in, uint64_t *seen, uint64_t met[2][4][8]) {
    const slow_answer a = slow_comb(s, in);
    const uint32_t ways = s->cfg.ways, policy = s->cfg.policy;
    rf_tag_bank_in other = *in;
    uint32_t with_tag = 0, vacant_tag = 0, oldest = 0;
    bool full = true;
    for (uint32_t w = 0; w < ways; w++) {
        with_tag += has(s, a.set, w, in->tag);
        vacant_tag += s->line[a.set][w].kind == VACANT && s->line[a.set][w].tag == in->tag;
        full = full && s->line[a.set][w].kind != VACANT;
        if (age_of(s, a.set, w) == ways - 1) oldest = w;
    }
    other.cache = !in->cache;
    const slow_answer b = slow_comb(s, &other);
    const uint32_t age = age_of(s, a.set, a.way);
    const bool missed = !in->by_way && !a.hit, allocates = in->update && in->allocate, touches = in->update && in->touch;
    const slow_kind kind = a.line.kind;
    seen[HIT] += !in->by_way && a.hit;
    seen[MISS_VACANT] += a.victim && !full;
    seen[MISS_OLDEST] += a.victim && full && ways > 1 && a.way == oldest;
    seen[MISS_NOT_OLDEST] += a.victim && full && a.way != oldest;
    seen[NO_VICTIM_REGISTER] += missed && !a.found && !in->cache;
    seen[NO_VICTIM_CACHE] += missed && !a.found && in->cache;
    seen[CACHE_FALLBACK] += a.victim && policy == RF_POLICY_CACHE && full && kind != REGISTER;
    seen[NEWCOMER_DECIDES] += missed && a.victim != b.victim;
    seen[VACANT_TAG] += vacant_tag > 0 && with_tag == 0 && in->tag != 0;
    seen[TWO_HIT] += !in->by_way && with_tag > 1;
    seen[BY_WAY] += in->by_way && !a.hit && in->way < ways;
    seen[BY_WAY_HIT] += in->by_way && a.hit && !has(s, a.set, a.way, in->tag);
    seen[BY_WAY_SELF] += in->by_way && has(s, a.set, a.way, in->tag);
    seen[NO_WAY] += in->by_way && in->way >= ways;
    seen[NO_SET] += s->cfg.sets == 1 && in->set == 1 && in->update;
    seen[IDLE] += !in->update && in->allocate && in->touch && in->event == RF_LINE_WRITE_REG && kind != REGISTER;
    seen[TOUCH_YOUNGEST] += touches && ways > 1 && age == 0;
    seen[TOUCH_OLDEST] += touches && ways > 1 && age == ways - 1;
    seen[TOUCH_MIDDLE] += touches && age > 0 && age < ways - 1;
    seen[UNTOUCHED] += in->update && !in->touch && age > 0 && then(kind, in->event) != kind;
    seen[TOUCH_ALONE] += touches && !in->allocate && age > 0 && in->event == RF_LINE_NONE;
    seen[ALLOCATE_HIT] += allocates && !in->by_way && a.hit;
    seen[ALLOCATE_VICTIM] += allocates && a.victim && full;
    seen[ALLOCATE_VACANT] += allocates && a.victim && !full && in->tag != a.line.tag;
    seen[ALLOCATE_NONE] += allocates && missed && !a.found;
    seen[ALLOCATE_BY_WAY] += allocates && in->by_way && in->tag != a.line.tag;
    seen[ALLOCATE_REGISTER] += allocates && a.victim && in->event == RF_LINE_WRITE_REG && (kind == CLEAN || kind == WRITTEN);
    seen[ALLOCATE_EMPTIES] += allocates && kind != VACANT && in->event == RF_LINE_NONE;
    seen[ALLOCATE_STORE] += allocates && kind == CLEAN && in->event == RF_LINE_STORE;
    seen[ALLOCATE_DIE] += allocates && kind == CLEAN && in->event == RF_LINE_DIE;
    seen[SPILL] += a.victim && (kind == REGISTER || kind == WRITTEN);
    seen[CLEAN_ENTRY] += a.victim && kind == CLEAN;
    seen[FULL_TAG] += a.hit && s->cfg.tag_w > 1 && in->tag == ls_mask(s->cfg.tag_w);
    seen[TOP_SET] += a.hit && a.set == 255;
    seen[TOP_WAY] += a.hit && !in->by_way && a.way == 7;
    seen[RESET_TAGS] += s->now < 64 && kind == VACANT && a.line.used < 0 && a.line.tag != 0;
    if (in->update) met[in->allocate][kind][in->event]++;
}

static const rf_tag_bank_cfg sets[] = {
    {.sets = 64, .ways = 4, .tag_w = 17, .policy = RF_POLICY_FAIR}, /* a bank of the paper's */
    {.sets = 1, .ways = 1, .tag_w = 1, .policy = RF_POLICY_FAIR},
    {.sets = 1, .ways = 8, .tag_w = 25, .policy = RF_POLICY_REGISTERS},
    {.sets = 256, .ways = 8, .tag_w = 25, .policy = RF_POLICY_CACHE},
    {.sets = 256, .ways = 4, .tag_w = 3, .policy = RF_POLICY_REGISTERS},
    {.sets = 2, .ways = 3, .tag_w = 5, .policy = RF_POLICY_FAIR},
    {.sets = 4, .ways = 5, .tag_w = 2, .policy = RF_POLICY_CACHE},
    {.sets = 8, .ways = 6, .tag_w = 9, .policy = RF_POLICY_REGISTERS},
    {.sets = 16, .ways = 7, .tag_w = 12, .policy = RF_POLICY_FAIR},
    {.sets = 2, .ways = 2, .tag_w = 25, .policy = RF_POLICY_CACHE},
    {.sets = 1, .ways = 4, .tag_w = 8, .policy = RF_POLICY_CACHE},
    {.sets = 32, .ways = 1, .tag_w = 24, .policy = RF_POLICY_REGISTERS},
};

/* What a user of the bank does: what hits is used; what misses takes the victim's entry, if there is one. */
static void draw_use(ls_rng *rng, const slow_bank *s, uint32_t p_cache, rf_tag_bank_in *in) {
    static const uint8_t on_hit[] = {RF_LINE_NONE, RF_LINE_NONE, RF_LINE_STORE, RF_LINE_WRITE_REG, RF_LINE_DIE, RF_LINE_DROP};
    const slow_answer a = slow_comb(s, in);
    const uint8_t newcomer = ls_rng_chance(rng, 128) ? RF_LINE_WRITE_REG : RF_LINE_FILL_REG;
    in->update = in->touch = 1;
    if (a.hit) {
        in->event = on_hit[ls_rng_below(rng, sizeof on_hit)];
        if (in->event == RF_LINE_WRITE_REG && a.line.kind != REGISTER) in->event = RF_LINE_NONE;
        return;
    }
    in->cache = ls_rng_chance(rng, p_cache);
    in->allocate = slow_comb(s, in).victim;
    in->update = in->allocate;
    in->event = in->cache ? RF_LINE_FILL_CACHE : newcomer;
}

/* Random cycles: phases of use and of anything, on few sets and tags or on all. */
static void run(const rf_tag_bank_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen, uint64_t met[2][4][8]) {
    static rf_tag_bank m;
    static slow_bank s;
    judge j;
    ls_rng rng;
    uint32_t hot = 1, tags = 1, p_any = 0, p_cache = 0, p_event = 0;
    uint32_t tag[16] = {0};
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        rf_tag_bank_in in;
        if (j.cycle % 512 == 0) {
            hot = ls_rng_chance(&rng, 128) ? 1 + ls_rng_below(&rng, 2) : judge_codes(cfg->sets);
            tags = 1 + ls_rng_below(&rng, 16);
            p_any = ls_rng_chance(&rng, 128) ? ls_rng_below(&rng, 40) : ls_rng_below(&rng, 257);
            p_cache = ls_rng_chance(&rng, 64) ? 256 * ls_rng_below(&rng, 2) : ls_rng_below(&rng, 257);
            p_event = ls_rng_below(&rng, 257);
            for (uint32_t i = 0; i < 16; i++) tag[i] = (uint32_t)ls_rng_value(&rng, cfg->tag_w);
        }
        memset(&in, 0, sizeof in);
        in.set = (uint16_t)(judge_codes(cfg->sets) - 1 - ls_rng_below(&rng, hot) % judge_codes(cfg->sets));
        in.tag = ls_rng_chance(&rng, 250) ? tag[ls_rng_below(&rng, tags)] : (uint32_t)ls_rng_value(&rng, cfg->tag_w);
        in.cache = ls_rng_chance(&rng, p_cache);
        if (ls_rng_chance(&rng, p_any)) {
            in.by_way = ls_rng_chance(&rng, 100);
            in.way = (uint8_t)ls_rng_below(&rng, judge_codes(cfg->ways));
            in.update = ls_rng_chance(&rng, 200);
            in.event = (uint8_t)(ls_rng_chance(&rng, p_event) ? ls_rng_below(&rng, 8) : RF_LINE_FILL_REG + ls_rng_below(&rng, 3));
            in.allocate = ls_rng_chance(&rng, 90);
            in.touch = ls_rng_chance(&rng, 128);
        } else draw_use(&rng, &s, p_cache, &in);
        count(&s, &in, seen, met);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&rng, 2048) == 0) {
            for (uint32_t w = 0; w < cfg->ways; w++) seen[RESET] += s.line[0][w].kind != VACANT;
            rf_tag_bank_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    compare_state(&j, &s, &m);
    judge_passes(&j);
}

static void random_lookups_and_changes(void **state) {
    uint64_t seen[EVENTS] = {0}, met[2][4][8] = {{{0}}}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_tag_bank"), 17000, seen, met);
        cycles += 17000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
    for (uint32_t n = 0; n < 64; n++)
        if (met[n / 32][n / 8 % 4][n % 8] == 0)
            fail_msg("event %" PRIu32 " of state %" PRIu32 " never occurred, allocate %" PRIu32, n % 8, n / 8 % 4, n / 32);
}

/* A trial: both models, and what the last cycle answered. */
typedef struct trial {
    judge j;
    rf_tag_bank m;
    slow_bank s;
    rf_tag_bank_out out;
} trial;

static void cycle(trial *t, rf_tag_bank_in in) {
    rf_tag_bank_comb(&t->m, &in, &t->out);
    step(&t->j, &t->m, &t->s, &in);
    judge_passes(&t->j);
}

static void trial_start(trial *t, uint32_t n_sets, uint32_t ways, uint32_t policy) {
    const rf_tag_bank_cfg cfg = {.sets = n_sets, .ways = ways, .tag_w = 6, .policy = policy};
    start(&t->j, 0, &t->m, &t->s, &cfg);
}

static rf_tag_bank_in look_up(uint32_t set, uint32_t tag, bool cache) {
    rf_tag_bank_in in;
    memset(&in, 0, sizeof in);
    in.set = (uint16_t)set, in.tag = tag, in.cache = cache;
    return in;
}

static rf_tag_bank_in use(uint32_t set, uint32_t tag, uint32_t event) {
    rf_tag_bank_in in = look_up(set, tag, event == RF_LINE_FILL_CACHE);
    in.update = in.touch = 1;
    in.event = (uint8_t)event;
    return in;
}

static rf_tag_bank_in allocate(uint32_t set, uint32_t tag, uint32_t event) {
    rf_tag_bank_in in = use(set, tag, event);
    in.allocate = 1;
    return in;
}

/* What the last cycle said: hit or victim or neither, the entry's way, state and tag. */
static void said(const trial *t, char what, uint32_t way, uint32_t state, uint32_t tag) {
    assert_int_equal(t->out.hit, what == 'h');
    assert_int_equal(t->out.victim, what == 'v');
    assert_int_equal(t->out.way, way);
    assert_int_equal(t->out.state, state);
    assert_int_equal(t->out.old_tag, tag);
    assert_int_equal(t->out.spill, state == RF_LINE_REG || state == RF_LINE_DIRTY);
}

/* Two ways: both are filled from the lowest on, then the one that was used longest ago goes. */
static void the_least_recently_used_goes(void **state) {
    static trial t;
    (void)state;
    trial_start(&t, 2, 2, RF_POLICY_FAIR);
    assert_int_equal(t.m.age_q[1], 2); /* way 0 has age 0, way 1 has age 1 */
    cycle(&t, allocate(1, 9, RF_LINE_WRITE_REG));
    said(&t, 'v', 0, RF_LINE_INACTIVE, 0);
    cycle(&t, allocate(1, 10, RF_LINE_FILL_CACHE));
    said(&t, 'v', 1, RF_LINE_INACTIVE, 0);
    assert_int_equal(t.m.age_q[1], 1); /* 1, 0 */
    cycle(&t, use(1, 9, RF_LINE_NONE));
    said(&t, 'h', 0, RF_LINE_REG, 9);
    assert_int_equal(t.m.age_q[1], 2);
    cycle(&t, look_up(1, 11, false));
    said(&t, 'v', 1, RF_LINE_CACHE, 10);
    cycle(&t, allocate(1, 11, RF_LINE_FILL_REG));
    said(&t, 'v', 1, RF_LINE_CACHE, 10);
    cycle(&t, look_up(1, 10, true)); /* gone; the oldest is now 9 */
    said(&t, 'v', 0, RF_LINE_REG, 9);
    cycle(&t, look_up(0, 9, true)); /* the other set */
    said(&t, 'v', 0, RF_LINE_INACTIVE, 0);
    assert_int_equal(t.m.tag_q[1].w[0], 9 | 11 << 6);
    assert_int_equal(t.m.state_q[1], RF_LINE_REG | RF_LINE_REG << 2);
    assert_int_equal(t.m.state_q[0], 0);
}

/* Ages of five ways, way 0 first. Those that were younger grow, the others do not. */
static void ages_by_hand(void **state) {
    static const struct {
        uint32_t way;
        const char *ages;
    } touched[] = {{3, "12304"}, {3, "12304"}, {4, "23410"}, {0, "03421"}, {2, "14032"}, {1, "20143"}, {4, "31240"}};
    static trial t;
    (void)state;
    trial_start(&t, 4, 5, RF_POLICY_REGISTERS);
    for (size_t i = 0; i < sizeof touched / sizeof *touched; i++) {
        rf_tag_bank_in in = look_up(2, 0, false);
        uint32_t ages = 0;
        in.by_way = in.update = in.touch = 1;
        in.way = (uint8_t)touched[i].way;
        cycle(&t, in);
        for (uint32_t w = 0; w < 5; w++) ages |= (uint32_t)(touched[i].ages[w] - '0') << 3 * w;
        assert_int_equal(t.m.age_q[2], ages);
        in.update = 0; /* no change without */
        in.way = 1;
        cycle(&t, in);
        assert_int_equal(t.m.age_q[2], ages);
    }
}

/* Registers first: cache data gets no place among registers; of its own kind it does. */
static void registers_stay_where_they_come_first(void **state) {
    static trial t;
    (void)state;
    trial_start(&t, 1, 3, RF_POLICY_REGISTERS);
    cycle(&t, allocate(0, 1, RF_LINE_WRITE_REG));
    cycle(&t, allocate(0, 2, RF_LINE_FILL_CACHE));
    cycle(&t, allocate(0, 3, RF_LINE_WRITE_REG));
    cycle(&t, use(0, 2, RF_LINE_STORE));
    said(&t, 'h', 1, RF_LINE_CACHE, 2);
    cycle(&t, look_up(0, 4, true)); /* not 1, which is the oldest */
    said(&t, 'v', 1, RF_LINE_DIRTY, 2);
    cycle(&t, allocate(0, 4, RF_LINE_WRITE_REG));
    cycle(&t, look_up(0, 5, false));
    said(&t, '-', 0, RF_LINE_REG, 1);
    cycle(&t, look_up(0, 5, true));
    said(&t, '-', 0, RF_LINE_REG, 1);
    cycle(&t, use(0, 3, RF_LINE_DIE)); /* read for the last time */
    cycle(&t, look_up(0, 3, true));
    said(&t, 'v', 2, RF_LINE_INACTIVE, 3);
}

static void cache_data_stays_where_it_comes_first(void **state) {
    static trial t;
    (void)state;
    trial_start(&t, 1, 2, RF_POLICY_CACHE);
    cycle(&t, allocate(0, 1, RF_LINE_FILL_CACHE));
    cycle(&t, allocate(0, 2, RF_LINE_WRITE_REG));
    cycle(&t, look_up(0, 3, false));
    said(&t, 'v', 1, RF_LINE_REG, 2);
    cycle(&t, allocate(0, 3, RF_LINE_FILL_CACHE));
    cycle(&t, look_up(0, 4, false)); /* cache data alone: no place for a register ... */
    said(&t, '-', 0, RF_LINE_CACHE, 1);
    cycle(&t, look_up(0, 4, true)); /* ... but for cache data */
    said(&t, 'v', 0, RF_LINE_CACHE, 1);
}

/* hit does not depend on by_way, the entry does; victim is only told of a lookup by tag. */
static void an_entry_by_its_way(void **state) {
    static trial t;
    rf_tag_bank_in in;
    (void)state;
    trial_start(&t, 2, 3, RF_POLICY_FAIR);
    for (uint32_t tag = 20; tag < 23; tag++) cycle(&t, allocate(0, tag, RF_LINE_FILL_CACHE));
    in = look_up(0, 20, true);
    in.by_way = 1, in.way = 2;
    cycle(&t, in);
    said(&t, 'h', 2, RF_LINE_CACHE, 22);
    in.way = 3; /* no such way: 0 */
    cycle(&t, in);
    said(&t, 'h', 0, RF_LINE_CACHE, 20);
    in.tag = 33, in.way = 1;
    cycle(&t, in);
    said(&t, '-', 1, RF_LINE_CACHE, 21);
    in.update = 1, in.event = RF_LINE_DROP;
    cycle(&t, in);
    cycle(&t, look_up(0, 21, true)); /* dropped; its tag is still seen */
    said(&t, 'v', 1, RF_LINE_INACTIVE, 21);
    in = allocate(0, 20, RF_LINE_FILL_CACHE); /* the tag of way 0 a second time: the lower one hits */
    in.by_way = 1, in.way = 1;
    cycle(&t, in);
    cycle(&t, use(0, 20, RF_LINE_STORE));
    said(&t, 'h', 0, RF_LINE_CACHE, 20);
    assert_int_equal(t.m.state_q[0], RF_LINE_DIRTY | RF_LINE_CACHE << 2 | RF_LINE_CACHE << 4);
}

/* allocate starts from an inactive entry: what was there does not count. */
static void allocate_forgets_what_was_there(void **state) {
    static const uint32_t becomes[8] = {RF_LINE_INACTIVE, RF_LINE_REG,      RF_LINE_INACTIVE, RF_LINE_REG,
                                        RF_LINE_CACHE,    RF_LINE_INACTIVE, RF_LINE_INACTIVE, RF_LINE_INACTIVE};
    static trial t;
    (void)state;
    for (uint32_t event = 0; event < 8; event++)
        for (uint32_t dirty = 0; dirty < 2; dirty++) {
            trial_start(&t, 1, 1, RF_POLICY_FAIR);
            cycle(&t, allocate(0, 7, RF_LINE_FILL_CACHE));
            if (dirty) cycle(&t, use(0, 7, RF_LINE_STORE));
            rf_tag_bank_in in = allocate(1, 8, event); /* one set: 1 is 0 */
            in.touch = 0;
            cycle(&t, in);
            said(&t, 'v', 0, dirty ? RF_LINE_DIRTY : RF_LINE_CACHE, 7);
            assert_int_equal(t.m.state_q[0], becomes[event]);
            assert_int_equal(t.m.tag_q[0].w[0], 8);
        }
}

/* Four sets of three ways with something in every register. */
static void fill(trial *t) {
    trial_start(t, 4, 3, RF_POLICY_FAIR);
    for (uint32_t n = 0; n < 24; n++) {
        cycle(t, allocate(n % 4, 40 + n, n % 5 == 0 ? RF_LINE_WRITE_REG : RF_LINE_FILL_CACHE));
        if (n % 3 == 0) cycle(t, use(n % 4, 40 + n, RF_LINE_STORE));
    }
}

/* "Entries inactive, way w has age w; the tags are a memory and have none." */
static void reset_leaves_the_tags_alone(void **state) {
    static trial t;
    rf_bits256 tags[4];
    (void)state;
    fill(&t);
    memcpy(tags, t.m.tag_q, sizeof tags);
    rf_tag_bank_reset(&t.m);
    slow_reset(&t.s);
    compare_state(&t.j, &t.s, &t.m);
    judge_passes(&t.j);
    for (uint32_t set = 0; set < 4; set++) {
        assert_int_equal(t.m.state_q[set], 0);
        assert_int_equal(t.m.age_q[set], 0 | 1 << 2 | 2 << 4);
    }
    assert_memory_equal(tags, t.m.tag_q, sizeof tags);
    assert_int_not_equal(tags[3].w[0], 0);
    assert_int_equal(t.m.cfg.tag_w, 6);
    cycle(&t, look_up(3, (uint32_t)(tags[3].w[0] & 63), true));
    said(&t, 'v', 0, RF_LINE_INACTIVE, (uint32_t)(tags[3].w[0] & 63));
    trial_start(&t, 4, 3, RF_POLICY_FAIR); /* init clears them */
    assert_int_equal(t.m.tag_q[3].w[0], 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const uint32_t no_powers[] = {3, 5, 6, 7, 12, 100, 255};
    (void)state;
    JUDGE_RANGES(rf_tag_bank, sets);
    for (size_t i = 0; i < sizeof no_powers / sizeof *no_powers; i++) {
        rf_tag_bank_cfg cfg = sets[0];
        cfg.sets = no_powers[i];
        judge_refused(&rf_tag_bank_unit, &cfg, "sets", "256");
    }
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static trial t;
    rf_tag_bank_in in;
    rf_tag_bank_out out;
    (void)state;
    fill(&t);
    in = look_up(2, 1, false);
    rf_tag_bank_comb(&t.m, &in, &out);
    assert_int_equal(out.victim, 1);
    const slow_answer a = slow_comb(&t.s, &in);
    JUDGE_FLIPS(&t.j, rf_tag_bank, LS_OUT, &t.m, &out, compare_out(&t.j, &a, &out));
    JUDGE_FLIPS(&t.j, rf_tag_bank, LS_STATE, &t.m, &t.m, compare_state(&t.j, &t.s, &t.m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lookups_and_changes),
        cmocka_unit_test(the_least_recently_used_goes),
        cmocka_unit_test(ages_by_hand),
        cmocka_unit_test(registers_stay_where_they_come_first),
        cmocka_unit_test(cache_data_stays_where_it_comes_first),
        cmocka_unit_test(an_entry_by_its_way),
        cmocka_unit_test(allocate_forgets_what_was_there),
        cmocka_unit_test(reset_leaves_the_tags_alone),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_tag_bank", tests, NULL, NULL);
}
