/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_mshr: the slow model is a list of what is on its way, in the order in which it was asked for; each errand names the
 * register that keeps it, and beside the list stands what each register kept last [CERF III-B]. */
#include "cmodel/cerf/rf_mshr.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_mshr_unit;

typedef struct errand {
    uint32_t entry;
    uint32_t line;
    bool reg, keep;
    uint32_t waiting; /* requesters */
    uint32_t who[8];  /* the first first; those beyond are of earlier errands of the entry */
} errand;

typedef struct slow_mshr {
    rf_mshr_cfg cfg;
    errand list[16];
    uint32_t length;
    errand kept[16]; /* per entry: its last errand */
} slow_mshr;

typedef struct slow_answer {
    const errand *match; /* NULL: none */
    bool match_room, free, room_reg, room_cache;
    uint32_t free_entry;
    const errand *done; /* NULL: none */
} slow_answer;

/* clang-format off */
#define SEEN(X) \
    X(MATCH, "match") X(MATCH_TWO, "two entries have the line") \
    X(MATCH_LATER, "the older of two errands has the higher entry") X(FREED_LINE, "a free entry has the line: no match") \
    X(NO_ROOM, "match without room") X(ALLOCATE, "allocate") X(ALLOCATE_ALONE, "allocate without a target") \
    X(ALLOCATE_FULL, "allocate without a free entry") X(ALLOCATE_HOLE, "allocate below a busy entry") \
    X(ALLOCATE_TWICE, "allocate of a line that is on its way") X(ALLOCATE_BEYOND, "allocate of a class that has no room") \
    X(LAST_ENTRY, "the last entry is taken") X(MERGE, "merge") X(MERGE_FIRST, "merge into an entry without a target") \
    X(MERGE_LAST, "merge of the last target") \
    X(MERGE_DROPS, "merge of what is not to be kept") X(MERGE_KEEPS, "merge of what is to be kept") \
    X(MERGE_NO_MATCH, "merge without match") \
    X(MERGE_NO_ROOM, "merge without room") X(BOTH, "allocate and merge") \
    X(BOTH_MERGE_ONLY, "allocate without a free entry and merge") X(BOTH_ALLOCATE_ONLY, "allocate, and merge without match") \
    X(DONE, "done") X(DONE_IDLE, "done of an entry that is not busy") \
    X(DONE_NO_ENTRY, "done of an entry that does not exist") X(DONE_ALLOCATE, "done and allocate") \
    X(DONE_ALLOCATE_FULL, "done, and allocate without a free entry") \
    X(DONE_IDLE_ALLOCATE, "done of the entry that is allocated") X(DONE_MERGE_SAME, "done of an entry that is merged into") \
    X(DONE_MERGE_OTHER, "done of one entry, merge into another") X(DONE_ALL, "done, allocate and merge") \
    X(SHOWN, "an entry is looked at without done") X(STORED_TARGET, "a target beyond the count is seen") \
    X(FULL, "all entries are busy") X(EMPTY, "no entry is busy") X(REG_STOPS, "registers leave the last entry") \
    X(CACHE_STOPS, "cache data leaves the last entry") X(BOTH_GO, "one entry is free, for either class") \
    X(MIXED_FULL, "both classes, and no entry is free") X(NO_RESERVE, "one class takes all, without reserve") \
    X(KEEP_REG, "a register to be kept") X(DROP_REG, "a register not to be kept") X(KEEP_CACHE, "cache data to be kept") \
    X(DROP_CACHE, "cache data not to be kept") X(RESET, "reset with entries busy")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_mshr *s) {
    const rf_mshr_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* The errand that an entry is on; NULL: it is free, or does not exist. */
static errand *errand_of(slow_mshr *s, uint32_t entry) {
    for (uint32_t i = 0; i < s->length; i++)
        if (s->list[i].entry == entry) return &s->list[i];
    return NULL;
}

static uint32_t of_class(const slow_mshr *s, bool reg) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->length; i++) n += s->list[i].reg == reg;
    return n;
}

static slow_answer slow_comb(slow_mshr *s, const rf_mshr_in *in) {
    slow_answer a = {0};
    for (uint32_t i = 0; i < s->length; i++)
        if (s->list[i].line == in->line && (a.match == NULL || s->list[i].entry < a.match->entry)) a.match = &s->list[i];
    a.match_room = a.match != NULL && a.match->keep && a.match->waiting < s->cfg.targets;
    a.free = s->length < s->cfg.mshrs;
    while (a.free && errand_of(s, a.free_entry) != NULL) a.free_entry++;
    a.room_reg = a.free && !(s->cfg.reserve && of_class(s, true) + 1 == s->cfg.mshrs);
    a.room_cache = a.free && !(s->cfg.reserve && of_class(s, false) + 1 == s->cfg.mshrs);
    a.done = errand_of(s, in->done_entry);
    return a;
}

static void slow_clock(slow_mshr *s, const rf_mshr_in *in) {
    const slow_answer a = slow_comb(s, in);
    const bool allocates = in->allocate && a.free, merges = in->merge && a.match_room;
    if (merges && !(in->done && a.match == a.done)) { /* into an errand that ends now: lost, nothing is noted */
        errand *to = errand_of(s, a.match->entry);
        to->who[to->waiting++] = in->id;
        to->keep = to->keep && in->keep; /* "all who wait for it say so" */
        s->kept[to->entry] = *to;
    }
    if (allocates) {
        errand *new = &s->list[s->length++];
        *new = s->kept[a.free_entry]; /* targets as stored */
        new->entry = a.free_entry;
        new->line = in->line;
        new->reg = in->reg;
        new->keep = in->keep;
        new->waiting = 0;
        if (in->target) new->who[new->waiting++] = in->id;
        s->kept[new->entry] = *new;
    }
    if (in->done && a.done != NULL) {
        uint32_t i = (uint32_t)(a.done - s->list);
        for (s->length--; i < s->length; i++) s->list[i] = s->list[i + 1];
    }
}

static void compare_out(judge *j, const slow_mshr *s, const slow_answer *a, const rf_mshr_out *out) {
    static const errand nothing;
    const errand *done = a->done != NULL ? a->done : &nothing;
    judge_equal(j, "match", 0, out->match, a->match != NULL);
    judge_equal(j, "match_entry", 0, out->match_entry, a->match != NULL ? a->match->entry : 0);
    judge_equal(j, "match_room", 0, out->match_room, a->match_room);
    judge_equal(j, "free", 0, out->free, a->free);
    judge_equal(j, "free_entry", 0, out->free_entry, a->free_entry);
    judge_equal(j, "room_reg", 0, out->room_reg, a->room_reg);
    judge_equal(j, "room_cache", 0, out->room_cache, a->room_cache);
    judge_equal(j, "done_busy", 0, out->done_busy, a->done != NULL);
    judge_equal(j, "done_line", 0, out->done_line, done->line);
    judge_equal(j, "done_reg", 0, out->done_reg, done->reg);
    judge_equal(j, "done_keep", 0, out->done_keep, done->keep);
    judge_equal(j, "done_count", 0, out->done_count, done->waiting);
    for (uint32_t t = 0; t < s->cfg.targets; t++) judge_equal(j, "done_id", t, out->done_id[t], done->who[t]);
}

static void compare_state(judge *j, slow_mshr *s, const rf_mshr *m) {
    bool busy[16] = {false}, reg[16] = {false}, keep[16] = {false};
    for (uint32_t e = 0; e < s->cfg.mshrs; e++) {
        busy[e] = errand_of(s, e) != NULL;
        reg[e] = s->kept[e].reg;
        keep[e] = s->kept[e].keep;
        judge_equal(j, "line_q", e, m->line_q[e], s->kept[e].line);
        judge_equal(j, "count_q", e, m->count_q[e], s->kept[e].waiting);
        for (uint32_t t = 0; t < s->cfg.targets; t++)
            judge_equal(j, "id_q", e * s->cfg.targets + t, m->id_q[e * s->cfg.targets + t], s->kept[e].who[t]);
    }
    judge_equal(j, "busy_q", 0, m->busy_q, judge_pack(busy, s->cfg.mshrs));
    judge_equal(j, "reg_q", 0, m->reg_q, judge_pack(reg, s->cfg.mshrs));
    judge_equal(j, "keep_q", 0, m->keep_q, judge_pack(keep, s->cfg.mshrs));
}

static void start(judge *j, uint64_t seed, rf_mshr *m, slow_mshr *s, const rf_mshr_cfg *cfg) {
    judge_begin(j, seed, "rf_mshr mshrs=%" PRIu32 " targets=%" PRIu32 " line_w=%" PRIu32 " id_w=%" PRIu32 " reserve=%" PRIu32,
                cfg->mshrs, cfg->targets, cfg->line_w, cfg->id_w, cfg->reserve);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_mshr_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_mshr *m, slow_mshr *s, const rf_mshr_in *in) {
    const slow_answer a = slow_comb(s, in);
    rf_mshr before;
    rf_mshr_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0x5a, sizeof out);
    rf_mshr_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &a, &out);
    JUDGE_CLOCK(rf_mshr, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(slow_mshr *s, const rf_mshr_in *in, uint64_t *seen) {
    const slow_answer a = slow_comb(s, in);
    const uint32_t mshrs = s->cfg.mshrs, regs = of_class(s, true), caches = of_class(s, false);
    const bool allocates = in->allocate && a.free, merges = in->merge && a.match_room, full = s->length == mshrs;
    const bool dones = in->done && a.done != NULL;
    uint32_t with_line = 0, freed = 0, highest = 0;
    const errand *first = NULL; /* with the line: the oldest */
    for (uint32_t i = 0; i < s->length; i++) {
        with_line += s->list[i].line == in->line;
        if (first == NULL && s->list[i].line == in->line) first = &s->list[i];
        if (s->list[i].entry > highest) highest = s->list[i].entry;
    }
    for (uint32_t e = 0; e < mshrs; e++) freed += errand_of(s, e) == NULL && s->kept[e].line == in->line && in->line != 0;
    seen[MATCH] += a.match != NULL;
    seen[MATCH_TWO] += with_line > 1;
    seen[MATCH_LATER] += a.match != NULL && first != a.match;
    seen[FREED_LINE] += a.match == NULL && freed > 0;
    seen[NO_ROOM] += a.match != NULL && !a.match_room;
    seen[ALLOCATE] += allocates;
    seen[ALLOCATE_ALONE] += allocates && !in->target;
    seen[ALLOCATE_FULL] += in->allocate && !a.free;
    seen[ALLOCATE_HOLE] += allocates && s->length > 0 && a.free_entry < highest;
    seen[ALLOCATE_TWICE] += allocates && a.match != NULL;
    seen[ALLOCATE_BEYOND] += allocates && !(in->reg ? a.room_reg : a.room_cache);
    seen[LAST_ENTRY] += allocates && s->length + 1 == mshrs;
    seen[MERGE] += merges;
    seen[MERGE_FIRST] += merges && a.match->waiting == 0;
    seen[MERGE_LAST] += merges && s->cfg.targets > 1 && a.match->waiting + 1 == s->cfg.targets;
    seen[MERGE_DROPS] += merges && !in->keep;
    seen[MERGE_KEEPS] += merges && in->keep;
    seen[MERGE_NO_MATCH] += in->merge && a.match == NULL;
    seen[MERGE_NO_ROOM] += in->merge && a.match != NULL && !a.match_room;
    seen[BOTH] += allocates && merges;
    seen[BOTH_MERGE_ONLY] += in->allocate && !a.free && merges;
    seen[BOTH_ALLOCATE_ONLY] += allocates && in->merge && a.match == NULL;
    seen[DONE] += dones;
    seen[DONE_IDLE] += in->done && a.done == NULL && in->done_entry < mshrs;
    seen[DONE_NO_ENTRY] += in->done && in->done_entry >= mshrs;
    seen[DONE_ALLOCATE] += dones && allocates;
    seen[DONE_ALLOCATE_FULL] += dones && in->allocate && full;
    seen[DONE_IDLE_ALLOCATE] += in->done && allocates && in->done_entry == a.free_entry;
    seen[DONE_MERGE_SAME] += dones && merges && a.match == a.done;
    seen[DONE_MERGE_OTHER] += dones && merges && a.match != a.done;
    seen[DONE_ALL] += dones && merges && allocates;
    seen[SHOWN] += !in->done && a.done != NULL;
    seen[FULL] += full;
    seen[EMPTY] += s->length == 0;
    seen[REG_STOPS] += a.free && !a.room_reg && a.room_cache;
    seen[CACHE_STOPS] += a.free && a.room_reg && !a.room_cache;
    seen[BOTH_GO] += s->cfg.reserve && s->length + 1 == mshrs && a.room_reg && a.room_cache;
    seen[MIXED_FULL] += s->cfg.reserve && full && regs > 0 && caches > 0;
    seen[NO_RESERVE] += !s->cfg.reserve && mshrs > 1 && full && (regs == 0 || caches == 0);
    if (a.done == NULL) return;
    for (uint32_t t = a.done->waiting; t < s->cfg.targets; t++) seen[STORED_TARGET] += a.done->who[t] != 0;
    seen[KEEP_REG] += a.done->reg && a.done->keep;
    seen[DROP_REG] += a.done->reg && !a.done->keep;
    seen[KEEP_CACHE] += !a.done->reg && a.done->keep;
    seen[DROP_CACHE] += !a.done->reg && !a.done->keep;
}

static const rf_mshr_cfg sets[] = {
    {.mshrs = 8, .targets = 4, .line_w = 25, .id_w = 6, .reserve = 1},
    {.mshrs = 1, .targets = 1, .line_w = 1, .id_w = 1, .reserve = 0},
    {.mshrs = 2, .targets = 1, .line_w = 3, .id_w = 8, .reserve = 1},
    {.mshrs = 16, .targets = 8, .line_w = 25, .id_w = 8, .reserve = 1},
    {.mshrs = 16, .targets = 2, .line_w = 20, .id_w = 5, .reserve = 0},
    {.mshrs = 3, .targets = 3, .line_w = 7, .id_w = 3, .reserve = 1},
    {.mshrs = 5, .targets = 8, .line_w = 12, .id_w = 4, .reserve = 0},
    {.mshrs = 13, .targets = 5, .line_w = 2, .id_w = 7, .reserve = 1},
};

/* Random cycles. A new mix is drawn every 512 cycles: few lines make matches, few dones a full file, one class alone its reserve;
 * at times the class that has no room is held back, as a bank would. */
static void run(const rf_mshr_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_mshr m;
    slow_mshr s;
    judge j;
    ls_rng rng;
    uint32_t p_allocate = 0, p_merge = 0, p_done = 0, p_reg = 0, p_target = 0, lines = 1, line[8] = {0};
    bool polite = false, legal = false;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        rf_mshr_in in;
        if (j.cycle % 512 == 0) {
            p_allocate = ls_rng_below(&rng, 257);
            p_merge = ls_rng_below(&rng, 257);
            p_done = ls_rng_chance(&rng, 128) ? ls_rng_below(&rng, 60) : ls_rng_below(&rng, 257);
            p_reg = ls_rng_chance(&rng, 100) ? 256 * ls_rng_below(&rng, 2) : ls_rng_below(&rng, 257);
            p_target = ls_rng_below(&rng, 257);
            lines = 1 + ls_rng_below(&rng, 8);
            polite = ls_rng_chance(&rng, 128);
            legal = ls_rng_chance(&rng, 128);
            for (uint32_t i = 0; i < 8; i++) line[i] = (uint32_t)ls_rng_value(&rng, cfg->line_w);
        }
        memset(&in, 0, sizeof in);
        in.line = ls_rng_chance(&rng, 150) ? line[ls_rng_below(&rng, lines)] : (uint32_t)ls_rng_value(&rng, cfg->line_w);
        in.id = (uint8_t)ls_rng_value(&rng, cfg->id_w);
        in.reg = ls_rng_chance(&rng, p_reg);
        in.keep = ls_rng_chance(&rng, 128);
        in.target = ls_rng_chance(&rng, p_target);
        in.allocate = ls_rng_chance(&rng, p_allocate);
        in.merge = ls_rng_chance(&rng, p_merge);
        in.done = ls_rng_chance(&rng, p_done);
        in.done_entry = (uint8_t)ls_rng_below(&rng, judge_codes(cfg->mshrs));
        const slow_answer a = slow_comb(&s, &in);
        if (polite && !(in.reg ? a.room_reg : a.room_cache)) in.allocate = 0;
        if (legal && a.match != NULL) in.allocate = 0;
        if (ls_rng_chance(&rng, 40) && a.match != NULL) in.done_entry = (uint8_t)a.match->entry;
        count(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&rng, 2048) == 0) {
            seen[RESET] += s.length > 0;
            rf_mshr_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_errands(void **state) {
    const size_t n = sizeof sets / sizeof *sets;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_mshr"), 26000, seen);
        cycles += 26000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* A trial: both models, and what the last cycle answered. */
typedef struct trial {
    judge j;
    rf_mshr m;
    slow_mshr s;
    rf_mshr_out out;
} trial;

static void cycle(trial *t, rf_mshr_in in) {
    rf_mshr_comb(&t->m, &in, &t->out);
    step(&t->j, &t->m, &t->s, &in);
    judge_passes(&t->j);
}

static void trial_start(trial *t, uint32_t mshrs, uint32_t targets, uint32_t reserve) {
    const rf_mshr_cfg cfg = {.mshrs = mshrs, .targets = targets, .line_w = 10, .id_w = 5, .reserve = reserve};
    start(&t->j, 0, &t->m, &t->s, &cfg);
}

static rf_mshr_in look_up(uint32_t line, uint32_t id) {
    rf_mshr_in in;
    memset(&in, 0, sizeof in);
    in.line = line, in.id = (uint8_t)id;
    return in;
}

static rf_mshr_in request(uint32_t line, uint32_t id, bool reg) {
    rf_mshr_in in = look_up(line, id);
    in.allocate = in.keep = in.target = 1;
    in.reg = reg;
    return in;
}

static rf_mshr_in join(uint32_t line, uint32_t id) {
    rf_mshr_in in = look_up(line, id);
    in.merge = in.keep = 1;
    return in;
}

static rf_mshr_in comes(uint32_t entry) {
    rf_mshr_in in = look_up(0, 0);
    in.done = 1, in.done_entry = (uint8_t)entry;
    return in;
}

/* A last read joins: the line gets no place, and nobody joins behind it. One that comes too late changes nothing. */
static void last_read_takes_the_place_back(void **state) {
    trial t;
    (void)state;
    trial_start(&t, 3, 4, 0);
    cycle(&t, request(77, 9, true));
    rf_mshr_in in = join(77, 8);
    in.keep = 0;
    in.done = 1; /* its line is here: the merge is lost, and with it that nothing is to be kept */
    cycle(&t, in);
    assert_int_equal(t.out.done_keep, 1);
    assert_int_equal(t.m.keep_q, 1);
    cycle(&t, request(77, 9, true));
    cycle(&t, join(77, 7));
    in.done = 0;
    cycle(&t, in);
    assert_int_equal(t.out.match_room, 1);
    cycle(&t, look_up(77, 6));
    assert_int_equal(t.out.match, 1);
    assert_int_equal(t.out.match_room, 0);
    assert_int_equal(t.out.done_keep, 0);
    assert_int_equal(t.out.done_count, 3);
    assert_int_equal(t.out.done_id[2], 8);
}

/* Two requesters wait for one line, the third finds no room; then it comes. */
static void requesters_wait_in_their_order(void **state) {
    trial t;
    (void)state;
    trial_start(&t, 3, 2, 0);
    cycle(&t, request(77, 9, false));
    assert_int_equal(t.out.match, 0);
    assert_int_equal(t.out.free_entry, 0);
    cycle(&t, request(78, 8, true));
    assert_int_equal(t.out.free_entry, 1);
    cycle(&t, join(78, 7));
    assert_int_equal(t.out.match, 1);
    assert_int_equal(t.out.match_entry, 1);
    assert_int_equal(t.out.match_room, 1);
    cycle(&t, join(78, 6));
    assert_int_equal(t.out.match, 1);
    assert_int_equal(t.out.match_room, 0);
    cycle(&t, comes(1));
    assert_int_equal(t.out.done_busy, 1);
    assert_int_equal(t.out.done_line, 78);
    assert_int_equal(t.out.done_reg, 1);
    assert_int_equal(t.out.done_keep, 1);
    assert_int_equal(t.out.done_count, 2);
    assert_int_equal(t.out.done_id[0], 8);
    assert_int_equal(t.out.done_id[1], 7);
    cycle(&t, comes(1)); /* not busy any more: all 0 */
    assert_int_equal(t.out.done_busy, 0);
    assert_int_equal(t.out.done_line, 0);
    assert_int_equal(t.out.done_reg, 0);
    assert_int_equal(t.out.done_count, 0);
    assert_int_equal(t.out.done_id[0], 0);
    assert_int_equal(t.m.line_q[1], 78); /* the rest is kept */
    assert_int_equal(t.m.count_q[1], 2);
    assert_int_equal(t.m.id_q[1 * 2 + 1], 7);
    cycle(&t, comes(3)); /* does not exist */
    assert_int_equal(t.out.done_busy, 0);
    assert_int_equal(t.m.busy_q, 1);
    cycle(&t, look_up(78, 0));
    assert_int_equal(t.out.match, 0);
    assert_int_equal(t.out.match_entry, 0);
    rf_mshr_in in = request(79, 5, false);
    in.target = in.keep = 0;
    cycle(&t, in);
    assert_int_equal(t.out.free_entry, 1);
    in = look_up(79, 4);
    in.done_entry = 1;
    cycle(&t, in);
    assert_int_equal(t.out.done_busy, 1);
    assert_int_equal(t.out.done_keep, 0);
    assert_int_equal(t.out.done_count, 0);
    assert_int_equal(t.out.done_id[0], 8); /* beyond the count: as stored */
    assert_int_equal(t.out.done_id[1], 7);
    assert_int_equal(t.out.match_room, 0); /* what is not kept takes no more targets */
    in.merge = 1;
    cycle(&t, in);
    in.merge = 0;
    cycle(&t, in);
    assert_int_equal(t.out.done_count, 0);
    cycle(&t, comes(1));
    in = request(79, 5, false);
    in.target = 0;
    cycle(&t, in);
    in = look_up(79, 4);
    in.done_entry = 1;
    in.merge = 1; /* the first target of an entry that was allocated without one */
    cycle(&t, in);
    in.merge = 0;
    cycle(&t, in);
    assert_int_equal(t.out.done_count, 1);
    assert_int_equal(t.out.done_id[0], 4);
    assert_int_equal(t.out.done_id[1], 7);
}

/* "allocate does not get the entry that is done in this cycle; a merge into it is lost." */
static void what_is_done_in_the_same_cycle(void **state) {
    trial t;
    rf_mshr_in in;
    (void)state;
    trial_start(&t, 2, 3, 0);
    cycle(&t, request(1, 11, false));
    cycle(&t, request(2, 12, false));
    in = request(3, 13, false);
    in.done = 1, in.done_entry = 0;
    cycle(&t, in); /* full: ignored although an entry is done */
    assert_int_equal(t.out.free, 0);
    assert_int_equal(t.out.free_entry, 0);
    assert_int_equal(t.m.busy_q, 2);
    in.done_entry = 1;
    cycle(&t, in); /* 0 is free, 1 is done */
    assert_int_equal(t.out.free_entry, 0);
    assert_int_equal(t.m.busy_q, 1);
    assert_int_equal(t.m.line_q[0], 3);
    in = join(3, 14);
    in.done = 1;
    cycle(&t, in);
    assert_int_equal(t.out.match_room, 1);
    assert_int_equal(t.out.done_count, 1); /* without the merge */
    assert_int_equal(t.m.busy_q, 0);
    assert_int_equal(t.m.count_q[0], 1); /* the merge left nothing */
    assert_int_equal(t.m.id_q[1], 0);
    in = request(4, 15, true);
    in.done = 1; /* of the free entry that is taken: it was not busy, nothing is done */
    cycle(&t, in);
    assert_int_equal(t.m.busy_q, 1);
    cycle(&t, look_up(4, 0));
    assert_int_equal(t.out.done_count, 1);
    assert_int_equal(t.out.done_id[0], 15);
}

/* The same line twice, as no bank asks: merge goes to the lowest, allocate to the free one, both at once. */
static void both_at_once(void **state) {
    trial t;
    rf_mshr_in in;
    (void)state;
    trial_start(&t, 4, 2, 0);
    cycle(&t, request(5, 1, false));
    cycle(&t, request(6, 2, false));
    cycle(&t, comes(0));
    in = request(6, 3, true);
    in.merge = 1;
    cycle(&t, in);
    assert_int_equal(t.out.match_entry, 1);
    assert_int_equal(t.out.free_entry, 0);
    assert_int_equal(t.m.count_q[0], 1);
    assert_int_equal(t.m.count_q[1], 2);
    assert_int_equal(t.m.id_q[0], 3);
    assert_int_equal(t.m.id_q[3], 3);
    assert_int_equal(t.m.reg_q, 1);
    cycle(&t, join(6, 4)); /* entry 0 now: it has room, entry 1 has none */
    assert_int_equal(t.out.match_entry, 0);
    assert_int_equal(t.out.match_room, 1);
    cycle(&t, join(6, 5)); /* the lowest is full: no room, although there is none to ask in the other either */
    assert_int_equal(t.out.match_room, 0);
    assert_int_equal(t.m.count_q[0], 2);
    cycle(&t, comes(1));
    cycle(&t, request(6, 6, false)); /* entry 1: room, but the lowest counts */
    cycle(&t, join(6, 7));
    assert_int_equal(t.out.match_entry, 0);
    assert_int_equal(t.out.match_room, 0);
    assert_int_equal(t.m.count_q[1], 1);
}

/* Three entries: each class takes two at most, so that the other finds one. */
static void neither_class_starves_the_other(void **state) {
    trial t;
    (void)state;
    for (uint32_t reg = 0; reg < 2; reg++)
        for (uint32_t reserve = 0; reserve < 2; reserve++) {
            trial_start(&t, 3, 1, reserve);
            for (uint32_t n = 0; n < 2; n++) {
                cycle(&t, request(20 + n, n, reg));
                assert_int_equal(t.out.room_reg, 1);
                assert_int_equal(t.out.room_cache, 1);
            }
            cycle(&t, look_up(30, 0));
            assert_int_equal(t.out.free, 1);
            assert_int_equal(t.out.room_reg, !(reserve && reg));
            assert_int_equal(t.out.room_cache, !(reserve && !reg));
            cycle(&t, request(31, 3, !reg)); /* of the other class */
            cycle(&t, comes(0));
            assert_int_equal(t.out.room_reg, 0);
            assert_int_equal(t.out.room_cache, 0);
            cycle(&t, look_up(32, 0)); /* one of each */
            assert_int_equal(t.out.room_reg, 1);
            assert_int_equal(t.out.room_cache, 1);
            cycle(&t, request(33, 4, reg));
            cycle(&t, comes(2));
            cycle(&t, request(34, 5, reg)); /* room is advice: allocate looks at free alone */
            assert_int_equal(t.out.room_reg, !(reserve && reg));
            assert_int_equal(t.m.busy_q, 7);
        }
}

/* Four entries with three targets, with something in every register, two of them busy. */
static void fill(trial *t) {
    trial_start(t, 4, 3, 1);
    for (uint32_t n = 0; n < 4; n++) {
        rf_mshr_in in = request(0x155 + n, 21 + n, n % 2);
        in.keep = n != 2;
        cycle(t, in);
        cycle(t, join(0x155 + n, 11 + n));
        if (n % 2) cycle(t, join(0x155 + n, 1 + n));
    }
    cycle(t, comes(0));
    cycle(t, comes(3));
}

static void reset_clears_every_register(void **state) {
    trial t;
    rf_mshr fresh;
    (void)state;
    fill(&t);
    const rf_mshr_cfg cfg = t.m.cfg;
    rf_mshr_reset(&t.m);
    slow_reset(&t.s);
    compare_state(&t.j, &t.s, &t.m);
    judge_passes(&t.j);
    assert_memory_equal(&t.m.cfg, &cfg, sizeof cfg);
    memset(&fresh, 0, sizeof fresh);
    assert_memory_equal(t.m.id_q, fresh.id_q, 12);
    assert_int_equal(t.m.busy_q | t.m.reg_q | t.m.keep_q, 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_mshr, sets);
    judge_refused(&rf_mshr_unit, &(rf_mshr_cfg){.mshrs = 1, .targets = 1, .line_w = 1, .id_w = 1, .reserve = 1}, "mshrs", "16");
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    trial t;
    rf_mshr_in in;
    rf_mshr_out out;
    (void)state;
    fill(&t);
    in = look_up(0x157, 3);
    in.done_entry = 1;
    rf_mshr_comb(&t.m, &in, &out);
    assert_int_equal(out.match, 1);
    assert_int_equal(out.done_busy, 1);
    const slow_answer a = slow_comb(&t.s, &in);
    JUDGE_FLIPS(&t.j, rf_mshr, LS_OUT, &t.m, &out, compare_out(&t.j, &t.s, &a, &out));
    JUDGE_FLIPS(&t.j, rf_mshr, LS_STATE, &t.m, &t.m, compare_state(&t.j, &t.s, &t.m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_errands),
        cmocka_unit_test(requesters_wait_in_their_order),
        cmocka_unit_test(last_read_takes_the_place_back),
        cmocka_unit_test(what_is_done_in_the_same_cycle),
        cmocka_unit_test(both_at_once),
        cmocka_unit_test(neither_class_starves_the_other),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_mshr", tests, NULL, NULL);
}
