/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of the memory side: random accesses through the model and the slow one, answers computed by hand, hits beside those of an
 * analysis of stack distances, bandwidth seen from outside, and what the check of parameters refuses. */
#include <stdlib.h>

#include "tb/machine/judge/judge_memory_side.h"

#define SEED UINT64_C(0x6d656d6f72790001)
#define REQUESTS 1200u /* of a run, then it ends: the slow model takes the square of their number */
#define ACCESSES 160u  /* of a run, at most */

#define KEY32(key, member, low, high)                                                                                            \
    { key, offsetof(rf_memory_cfg, member), 4, low, high }
#define KEY64(key, member, low, high)                                                                                            \
    { key, offsetof(rf_memory_cfg, member), 8, low, high }

/* Every parameter but those of the caches, and its range. */
static const struct {
    const char *key;
    size_t offset, size;
    uint64_t low, high;
} keys[] = {
    KEY32("lsu.interval", lsu_interval, 1, 1000),
    KEY32("shared.latency", shared_latency, 1, 100000),
    KEY32("shared.banks", shared_banks, 1, 64),
    KEY32("shared.interval", shared_interval, 1, 1000),
    KEY32("constant.latency", constant_latency, 1, 100000),
    KEY32("texture.latency", texture_latency, 0, 100000),
    KEY32("texture.interval", texture_interval, 1, 1000),
    KEY32("l1.latency", l1_latency, 1, 100000),
    KEY32("l1.mshrs", l1_mshrs, 1, 1024),
    KEY32("l1.write", l1_write, 0, 1),
    KEY64("link.bytes", link_bytes, 1, 1000000000),
    KEY32("l2.latency", l2_latency, 1, 100000),
    KEY32("dram.latency", dram_latency, 0, 100000),
    KEY64("dram.bytes", dram_bytes, 1, 1000000000),
};
#define KEYS (sizeof keys / sizeof keys[0])

static rf_memory_cfg with(const rf_memory_cfg *cfg, size_t key, uint64_t value) {
    rf_memory_cfg changed = *cfg;
    if (keys[key].size == 4) *(uint32_t *)((char *)&changed + keys[key].offset) = (uint32_t)value;
    else *(uint64_t *)((char *)&changed + keys[key].offset) = value;
    return changed;
}

/* The memory side of the answers below: 32 bytes a cycle on each link, 16 of DRAM. L1 has 2 sets of 2 lines, L2 has 4. */
static const rf_memory_cfg small = {.lsu_interval = 2,
                                    .shared_latency = 20,
                                    .shared_banks = 32,
                                    .shared_interval = 2,
                                    .constant_latency = 8,
                                    .texture_latency = 10,
                                    .texture_interval = 50,
                                    .l1 = {512, 128, 32, 2},
                                    .l2 = {1024, 128, 64, 2},
                                    .l1_latency = 30,
                                    .l1_mshrs = 2,
                                    .l1_write = 0,
                                    .l2_latency = 100,
                                    .dram_latency = 200,
                                    .link_bytes = 32000,
                                    .dram_bytes = 16000};

/* --- model beside slow model ------------------------------------------------------------------------------------------------ */

typedef struct trial {
    judge j;
    rf_memory_side *model;
    slow_memory *slow;
    uint32_t accesses;
    bool has[COUNTERS];
} trial;

static uint64_t rules[RULES], counts[COUNTERS]; /* of all runs */

static void trial_begin(trial *t, uint64_t seed, const rf_memory_cfg *model, const rf_memory_cfg *slow) {
    const char *const wrong = rf_memory_check(model);
    if (wrong != NULL) fail_msg("refused: %s", wrong);
    memset(t, 0, sizeof *t);
    judge_begin(&t->j, seed, "rf_memory_side");
    t->model = rf_memory_side_new(model);
    t->slow = slow_memory_new(slow);
}

static uint64_t trial_access(trial *t, const rf_memory_access *a, uint64_t now) {
    t->j.cycle = now;
    const uint64_t done = slow_memory_access(t->slow, a, now), from = slow_memory_ready_from(t->slow);
    judge_equal(&t->j, "done", t->accesses, rf_memory_side_access(t->model, a, now), done);
    const uint64_t at[] = {now, done, from, from == 0 ? 0 : from - 1};
    for (uint32_t i = 0; i < 4; i++) judge_equal(&t->j, "ready", i, rf_memory_side_ready(t->model, at[i]), at[i] >= from);
    t->accesses++;
    return done;
}

static void compare_counter(void *ctx, const char *name, double value) {
    static const char *const names[] = {SLOW_COUNTERS(SLOW_COUNTER_TEXT)};
    trial *const t = ctx;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        if (t->has[i]) fail_msg("counter %s twice", name);
        t->has[i] = true;
        judge_equal(&t->j, names[i], 0, (uint64_t)value, slow_memory_counts(t->slow)[i]);
        return;
    }
    fail_msg("counter %s is none of the specification", name);
}

/* Compares the counters and ends the run; returns how many values differed. */
static uint64_t trial_end(trial *t) {
    rf_memory_side_counters(t->model, compare_counter, t);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (!t->has[i]) fail_msg("counter %u of the list is missing", i);
        counts[i] += slow_memory_counts(t->slow)[i];
    }
    for (uint32_t i = 0; i < RULES; i++) rules[i] += slow_memory_rules(t->slow)[i];
    rf_memory_side_free(t->model);
    slow_memory_free(t->slow);
    return t->j.differing;
}

/* --- random accesses -------------------------------------------------------------------------------------------------------- */

/* One of several constants. */
#define PICK(rng, ...)                                                                                                           \
    ((const uint64_t[]){__VA_ARGS__}[ls_rng_below(rng, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))])

/* Traffic of a run: where it goes and how fast it comes. */
typedef struct traffic {
    uint64_t origin, span;   /* of the addresses */
    uint32_t line, conflict; /* bytes between lines of one set of a cache */
    uint32_t loads, global;  /* of 256 */
    bool narrow;             /* one lane, one set */
} traffic;

static void draw_addresses(ls_rng *rng, const traffic *f, uint32_t width, uint64_t *address) {
    const uint64_t word = f->origin + ls_rng_u64(rng) % f->span / 4 * 4, line = word / f->line * f->line;
    const uint64_t stride = PICK(rng, 1, 4, 8, 32, 36, 128, f->line, f->conflict);
    const uint32_t way = f->narrow ? 5 : ls_rng_below(rng, 9), few = 1 + ls_rng_below(rng, 4);
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint64_t r = ls_rng_u64(rng), near = lane % few;
        const uint64_t ways[] = {
            line + lane * width,                                     /* coalesced */
            line + lane * stride,                                    /* strided */
            f->origin + r % f->span,                                 /* scattered */
            word,                                                    /* all equal */
            line + (near + 1) * f->line - 1 - r % width,             /* crossing lines */
            line + near * f->conflict + r % f->line / width * width, /* one set */
            word + 1 + r % 3 + lane * width,                         /* unaligned */
            line + (lane * 7 + few) % 16 * 32,                       /* back and forth */
            UINT64_MAX - r % 200,                                    /* across 2^64 */
        };
        address[lane] = ways[way];
    }
}

static void draw_access(ls_rng *rng, const traffic *f, rf_memory_access *a, uint64_t *address) {
    static const rf_memory_space spaces[] = {RF_MEMORY_LOCAL, RF_MEMORY_SHARED, RF_MEMORY_CONSTANT, RF_MEMORY_TEXTURE};
    a->space = ls_rng_chance(rng, f->global) ? RF_MEMORY_GLOBAL : spaces[PICK(rng, 0, 0, 1, 1, 2, 3)];
    a->kind = ls_rng_chance(rng, f->loads) ? RF_ACCESS_LOAD : ls_rng_chance(rng, 150) ? RF_ACCESS_STORE : RF_ACCESS_ATOMIC;
    a->width = (uint32_t)(ls_rng_chance(rng, 64) ? 1 + ls_rng_below(rng, 16) : PICK(rng, 1, 2, 4, 4, 4, 8, 16));
    a->mask = (uint32_t)ls_rng_bits(rng, 32, (uint32_t)PICK(rng, 8, 30, 200, 256));
    if (f->narrow) a->mask = 1u << ls_rng_below(rng, 4);
    if (ls_rng_chance(rng, 6)) a->mask = 0;
    a->warp = PICK(rng, 0, 1, 5, 2047, UINT64_C(1) << 32);
    draw_addresses(rng, f, a->width, address);
    if (a->space == RF_MEMORY_LOCAL && ls_rng_chance(rng, 200)) /* a variable, at the same place in all lanes */
        for (uint32_t lane = 32; lane-- > 0;) address[lane] = f->origin + address[0] % 64;
    a->address = ls_rng_chance(rng, 6) ? NULL : address;
}

/* A run of random accesses; returns how many values differed. `model` and `slow` are the same but in tests of this comparison. */
static uint64_t run(uint64_t seed, const rf_memory_cfg *model, const rf_memory_cfg *slow, uint32_t accesses, bool must_agree) {
    ls_rng rng;
    trial t;
    uint64_t address[32], now = 0, pace = 0;
    const rf_memory_cfg *const c = slow;
    ls_rng_seed(&rng, seed);
    trial_begin(&t, seed, model, slow);
    traffic f = {.line = c->l1.size > 0 ? c->l1.line : c->l2.size > 0 ? c->l2.line : 128};
    f.conflict = (uint32_t)(c->l1.size > 0 ? c->l1.size / c->l1.ways : c->l2.size > 0 ? c->l2.size / c->l2.ways : 512);
    if (c->l2.size > 0 && ls_rng_chance(&rng, 128)) f.conflict = (uint32_t)(c->l2.size / c->l2.ways);
    f.span = PICK(&rng, 2 * f.line, 16 * f.line, c->l1.size + f.line, c->l2.size + f.line, UINT64_C(1) << 20, UINT64_C(1) << 40);
    f.origin = PICK(&rng, 0, 0, UINT64_C(1) << 33, ~UINT64_C(0) - f.span);
    f.loads = (uint32_t)PICK(&rng, 80, 200, 240);
    f.global = (uint32_t)PICK(&rng, 100, 180, 250);
    f.narrow = ls_rng_chance(&rng, 60);
    if (f.narrow) f.span = f.line;
    for (uint32_t i = 0; i < (f.narrow ? 3 * accesses : accesses) && slow_memory_counts(t.slow)[C_mem_requests] < REQUESTS; i++) {
        rf_memory_access a;
        if (i % 8 == 0) pace = ls_rng_below(&rng, 6);
        draw_access(&rng, &f, &a, address);
        const uint64_t done = trial_access(&t, &a, now), from = slow_memory_ready_from(t.slow);
        if (pace == 1) now += ls_rng_below(&rng, 4);
        else if (pace == 2) now += ls_rng_below(&rng, 300);
        else if (pace == 3 && from > now) now = from;
        else if (pace == 4 && done > now) now = done;
        else if (pace == 5 && i % 8 == 7) now = (done > now ? done : now) + 3000000;
        if (ls_rng_chance(&rng, 2)) {
            rf_memory_side_flush(t.model);
            slow_memory_flush(t.slow);
        }
    }
    const uint64_t differing = trial_end(&t);
    if (must_agree) judge_passes(&t.j);
    return differing;
}

/* A cache of sectors of at least `sector` and lines of at least `line` bytes. */
static rf_cache_cfg draw_cache(ls_rng *rng, uint32_t sector, uint32_t line) {
    rf_cache_cfg c;
    const uint32_t sets = (uint32_t)PICK(rng, 1, 1, 2, 3, 5, 7, 16);
    do {
        c.line = (uint32_t)PICK(rng, 32, 64, 128, 128, 256, 1024);
        c.sector = (uint32_t)PICK(rng, 4, 16, 32, 32, 64, 128, 1024);
        if (ls_rng_chance(rng, 80)) c.sector = c.line;
    } while (c.line < line || c.sector < sector || c.sector > c.line || c.line / c.sector > 32);
    c.ways = (uint32_t)(sets == 1 ? PICK(rng, 1, 3, 8, 64) : PICK(rng, 1, 2, 3, 4));
    c.size = (uint64_t)sets * c.ways * c.line;
    return c;
}

static rf_memory_cfg draw_cfg(ls_rng *rng) {
    rf_memory_cfg c = small;
    for (size_t k = 0; k < KEYS; k++) {
        const uint64_t ends[] = {keys[k].low, keys[k].high}, pick = ls_rng_below(rng, 5);
        const uint64_t value = pick < 2 ? ends[pick] : 1 + ls_rng_below(rng, (uint32_t)PICK(rng, 8, 40, 400));
        if (ls_rng_chance(rng, 120) && value <= keys[k].high) c = with(&c, k, value);
    }
    c.shared_banks = (uint32_t)PICK(rng, 1, 3, 16, 31, 32, 32, 33, 64);
    c.l1_mshrs = (uint32_t)PICK(rng, 1, 2, 4, 32, 1024);
    c.l1_write = ls_rng_below(rng, 2);
    c.link_bytes = PICK(rng, 1, 500, 16000, 32001, 64000, 1000000000);
    c.dram_bytes = PICK(rng, 1, 700, 8000, 16001, 90000, 1000000000);
    c.l1.size = c.l2.size = 0;
    if (ls_rng_chance(rng, 200)) c.l1 = draw_cache(rng, 4, 32);
    if (ls_rng_chance(rng, 200)) c.l2 = draw_cache(rng, c.l1.size > 0 ? c.l1.sector : 32, c.l1.size > 0 ? c.l1.line : 32);
    return c;
}

static void agrees_at_random(void **state) {
    static const char *const rule_names[] = {SLOW_RULES(JUDGE_TEXT)};
    static const char *const names[] = {SLOW_COUNTERS(SLOW_COUNTER_TEXT)};
    (void)state;
    memset(rules, 0, sizeof rules);
    memset(counts, 0, sizeof counts);
    for (uint64_t i = 0; i < 300; i++) {
        ls_rng rng;
        ls_rng_seed(&rng, SEED + i);
        const rf_memory_cfg cfg = draw_cfg(&rng);
        (void)run(SEED + i, &cfg, &cfg, ACCESSES, true);
    }
    if (getenv("JUDGE_SHOW") != NULL)
        for (uint32_t i = 0; i < RULES; i++) printf("%8" PRIu64 " %s\n", rules[i], rule_names[i]);
    judge_saw_all(rule_names, rules, RULES);
    judge_saw_all(names, counts, COUNTERS);
}

/* Each parameter at both ends of its range, the others small; and caches as large and as small as there are. */
static void agrees_at_the_ends(void **state) {
    static const rf_cache_cfg l1[] = {{32, 32, 4, 1}, {16u << 20, 1024, 32, 16384}, {16u << 20, 256, 32, 1}, {96, 32, 32, 3}};
    static const rf_cache_cfg l2[] = {{1024, 1024, 32, 1}, {128u << 20, 1024, 1024, 65536}, {128u << 20, 1024, 64, 1}, {0}};
    (void)state;
    for (size_t k = 0; k < KEYS; k++)
        for (uint32_t high = 0; high < 2; high++) {
            const rf_memory_cfg cfg = with(&small, k, high ? keys[k].high : keys[k].low);
            (void)run(SEED + 1000 + 2 * k + high, &cfg, &cfg, 100, true);
        }
    for (uint32_t i = 0; i < 4; i++) {
        rf_memory_cfg cfg = small;
        cfg.l1 = l1[i];
        cfg.l2 = l2[i];
        (void)run(SEED + 2000 + i, &cfg, &cfg, 40, true);
    }
}

/* The comparison sees each parameter: a slow model with another value must differ. */
static void every_parameter_counts(void **state) {
    static const rf_cache_cfg l1[] = {{256, 128, 32, 2}, {512, 64, 32, 2}, {512, 128, 64, 2}, {512, 128, 32, 1}};
    static const rf_cache_cfg l2[] = {{512, 128, 64, 2}, {1024, 256, 64, 2}, {1024, 128, 128, 2}, {1024, 128, 64, 1}};
    (void)state;
    for (size_t k = 0; k < KEYS + 8; k++) {
        rf_memory_cfg other = small;
        if (k < KEYS) other = with(&small, k, 1); /* which none of `small` is */
        else if (k < KEYS + 4) other.l1 = l1[k - KEYS];
        else other.l2 = l2[k - KEYS - 4];
        uint64_t differing = 0;
        for (uint64_t seed = 0; seed < 8 && differing == 0; seed++)
            differing = run(SEED + 3000 + seed, &small, &other, 100, false);
        if (differing == 0) fail_msg("another value of parameter %zu was not seen", k);
    }
}

/* --- answers computed by hand ----------------------------------------------------------------------------------------------- */

typedef struct step {
    uint64_t now;
    rf_memory_space space;
    rf_access_kind kind;
    uint32_t mask, width;
    uint64_t base, stride; /* of the lanes' addresses; stride UINT64_MAX: no addresses */
    uint64_t done;
} step;

#define G RF_MEMORY_GLOBAL
#define S RF_MEMORY_SHARED
#define LD RF_ACCESS_LOAD
#define ST RF_ACCESS_STORE
#define AT RF_ACCESS_ATOMIC
#define ALL UINT32_MAX

static void answers(const rf_memory_cfg *cfg, const step *step, uint32_t steps, const char *expected) {
    trial t;
    trial_begin(&t, 0, cfg, cfg);
    for (uint32_t i = 0; i < steps; i++) {
        uint64_t address[32];
        for (uint32_t lane = 0; lane < 32; lane++) address[lane] = step[i].base + lane * step[i].stride;
        const rf_memory_access a = {
            step[i].space, step[i].kind, step[i].mask, step[i].width, step[i].stride == UINT64_MAX ? NULL : address, 0};
        const uint64_t done = trial_access(&t, &a, step[i].now);
        if (done != step[i].done) fail_msg("step %u: slow model %" PRIu64 ", by hand %" PRIu64, i, done, step[i].done);
    }
    char text[256] = "";
    const uint64_t *const n = slow_memory_counts(t.slow);
    static const uint32_t shown[] = {C_mem_requests,  C_l1_hits,         C_l1_merges,          C_l1_sector_misses,
                                     C_l1_misses,     C_l1_wait_cycles,  C_l2_fetches,         C_l2_hits,
                                     C_l2_writes,     C_dram_read_bytes, C_dram_written_bytes, C_link_down_bytes,
                                     C_link_up_bytes, C_lsu_wait_cycles, C_shared_passes};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %" PRIu64, n[shown[i]]);
    assert_string_equal(text, expected);
    (void)trial_end(&t);
    judge_passes(&t.j);
}
#define ANSWERS(cfg, steps, expected) answers(cfg, steps, sizeof(steps) / sizeof((steps)[0]), expected)

static void answers_of_loads(void **state) {
    static const step steps[] = {
        /* line 0, 128 bytes: DRAM 210 .. 218, door 318, link 4 cycles */
        {10, G, LD, ALL, 4, 0, 4, 322},
        {20, G, LD, 1, 4, 64, 0, 322},  /* merge: later than 20 + 30 */
        {330, G, LD, 1, 4, 64, 0, 360}, /* hit */
        /* line 2, sector 0: DRAM moves an L2 sector, 600 .. 604, door 704, link 1 cycle */
        {400, G, LD, 1, 4, 256, 0, 705},
        /* sector 1 of line 2, in the same L2 sector: door 510, link busy until 705 */
        {410, G, LD, 1, 4, 288, 0, 706},
        /* line 1: both MSHRs are held, the first until 705. DRAM 905 .. 909, door 1009; lsu_free 707 */
        {412, G, LD, 1, 4, 128, 0, 1010},
        {420, G, LD, 1, 4, 0, 0, 737}, /* start 707, hit */
    };
    (void)state;
    /* read 128 + 64 + 64, down 128 + 3 x 32, L1 waits 705 - 412, the unit 707 - 420 */
    ANSWERS(&small, steps, " 7 2 1 1 3 293 4 1 0 256 0 224 0 287 0");
}

static void answers_of_ways(void **state) {
    static const step steps[] = {
        /* lines 0, 2, 4, all of set 0. t 0: DRAM 200 .. 204, end 305. t 2: DRAM 204 .. 208, end 309. t 4: both ways on their way
         * until 305; line 0 makes room; DRAM 505 .. 509, door 609 */
        {0, G, LD, 7, 4, 0, 256, 610},
        {700, G, LD, 1, 4, 0, 0, 801},    /* line 2 makes room; L2 has line 0: door 800 */
        {900, G, LD, 1, 4, 256, 0, 1001}, /* line 4 makes room */
        {1100, G, LD, 1, 4, 0, 0, 1130},  /* line 0 is still there */
    };
    rf_memory_cfg cfg = small;
    (void)state;
    cfg.l1_mshrs = 32;
    ANSWERS(&cfg, steps, " 6 1 0 0 5 301 5 2 0 192 0 160 0 0 0");
}

static void answers_of_stores(void **state) {
    static const step steps[] = {
        {0, G, LD, 1, 4, 0, 0, 305},
        {400, G, ST, 1, 4, 0, 0, 401}, /* takes line 0 out of L1; dirty in L2 */
        {500, G, LD, 1, 4, 0, 0, 601}, /* miss, L2 hit */
        /* line 0 is on its way until 601 and stays; up link until 601, door 701 */
        {600, G, AT, 1, 4, 0, 0, 702},
        {800, G, LD, 1, 4, 0, 0, 830},   /* hit */
        {900, G, AT, 1, 4, 0, 0, 1002},  /* takes it out */
        {1100, G, LD, 1, 4, 0, 0, 1201}, /* miss, L2 hit */
        /* lines 4, 8: with line 0 those of L2's set 0. At 2002 line 0 makes room: its dirty 64 bytes go 2002 .. 2006 */
        {2000, G, ST, 3, 4, 512, 512, 2003},
        /* line 12 from 2004: DRAM 2204 .. 2208, then line 4's dirty bytes .. 2212; door 2308 */
        {2003, G, LD, 1, 4, 1536, 0, 2309},
        /* line 16 from 2006: DRAM busy until 2212 .. 2216, then line 8's .. 2220; door 2316 */
        {2004, G, LD, 1, 4, 2048, 0, 2317},
    };
    (void)state;
    ANSWERS(&small, steps, " 11 1 0 0 5 0 7 4 3 192 192 224 160 3 0");
}

/* l1.write 1, a line of L1 without a touched sector; and a write to an L2 sector that DRAM still moves. */
static void answers_of_updates(void **state) {
    static const step steps[] = {
        {0, G, LD, 1, 4, 0, 0, 305},       /* line 0, sector 0 */
        {400, G, LD, 1, 4, 256, 0, 705},   /* line 2, the younger */
        {800, G, ST, 1, 4, 32, 0, 801},    /* sector 1 of line 0, not there: line 0 is the younger */
        {900, G, LD, 1, 4, 512, 0, 1205},  /* line 4: line 2 makes room */
        {1300, G, LD, 1, 4, 0, 0, 1330},   /* hit */
        {1400, G, LD, 1, 4, 128, 0, 1705}, /* line 1: DRAM 1600 .. 1604 */
        {1402, G, ST, 1, 4, 160, 0, 1403}, /* its second half; L1 does not get it */
        {1404, G, LD, 1, 4, 160, 0, 1706}, /* sector miss; L2 has it: door 1504, link busy until 1705 */
    };
    rf_memory_cfg cfg = small;
    (void)state;
    cfg.l1_write = 1;
    ANSWERS(&cfg, steps, " 8 1 0 1 4 0 5 1 2 256 0 160 64 0 0");
}

static void answers_of_spaces(void **state) {
    static const step steps[] = {
        {0, S, LD, ALL, 4, 0, 4, 20},      /* 1 pass; lsu_free 2 */
        {0, S, LD, ALL, 4, 0, 8, 24},      /* start 2; 2 words in every second bank: 2 passes */
        {10, S, LD, ALL, 4, 0, 0, 30},     /* one word: 1 pass */
        {20, S, AT, ALL, 4, 0, 0, 102},    /* 32 passes, the last begins at 82 */
        {100, S, LD, ALL, 8, 0, 8, 122},   /* 2 phases of 32 words: 2 passes */
        {110, S, ST, ALL, 16, 0, 16, 136}, /* 4 phases */
        {120, S, LD, 255, 16, 0, 16, 140}, /* 1 of the 4 has lanes */
        {130, S, LD, ALL, 4, 2, 4, 152},   /* words 0 .. 32: 2 of bank 0 */
        {140, RF_MEMORY_CONSTANT, LD, ALL, 4, 0, 4, 148},
        {200, RF_MEMORY_TEXTURE, LD, 1, 4, 0, 0, 515}, /* 305 later, 10 of the texture unit */
        {210, RF_MEMORY_TEXTURE, LD, 1, 4, 0, 0, 515}, /* start 250; merge */
        {300, G, LD, 0, 4, 0, 0, 301},
        {300, G, LD, 1, 4, 0, UINT64_MAX, 330},
        {300, S, ST, 1, 4, 0, UINT64_MAX, 332}, /* start 302 */
        /* words 0 and 1 of all lanes, a line each: t 600, DRAM 800 .. 808, door 908, end 912; t 602, DRAM 808 .. 816, door 916 */
        {600, RF_MEMORY_LOCAL, LD, ALL, 8, 0, 0, 920},
    };
    (void)state;
    ANSWERS(&small, steps, " 6 0 1 0 3 0 3 0 0 320 0 288 0 44 45");
}

/* --- laws ------------------------------------------------------------------------------------------------------------------- */

typedef struct figures {
    double hits, misses, down, up, dram;
} figures;

static void read_figure(void *ctx, const char *name, double value) {
    figures *const f = ctx;
    if (strcmp(name, "l1_hits") == 0) f->hits = value;
    if (strcmp(name, "l1_misses") == 0) f->misses = value;
    if (strcmp(name, "link_down_bytes") == 0) f->down = value;
    if (strcmp(name, "link_up_bytes") == 0) f->up = value;
    if (strcmp(name, "dram_read_bytes") == 0 || strcmp(name, "dram_written_bytes") == 0) f->dram += value;
}

/* Distinct lines touched since each access's line was touched last: how many accesses have fewer than `capacity`. */
static uint32_t near_accesses(const uint32_t *line, uint32_t n, uint32_t capacity) {
    uint32_t near = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t distinct = 0, j = i;
        while (j > 0 && line[j - 1] != line[i]) {
            uint32_t k = j--; /* counted at its last touch before i */
            while (k < i && line[k] != line[j]) k++;
            distinct += k == i;
        }
        near += j > 0 && distinct < capacity;
    }
    return near;
}

static void hits_are_those_of_stack_distances(void **state) {
    static uint32_t line[600];
    ls_rng rng;
    double misses = 600;
    (void)state;
    ls_rng_seed(&rng, SEED);
    for (uint32_t i = 0; i < 600; i++) line[i] = ls_rng_below(&rng, ls_rng_chance(&rng, 128) ? 8 : 60);
    for (uint32_t capacity = 1; capacity <= 64; capacity += capacity < 8 ? 1 : 7) {
        rf_memory_cfg cfg = small;
        figures f = {0};
        cfg.l1 = (rf_cache_cfg){32u * capacity, 32, 32, capacity};
        rf_memory_side *const m = rf_memory_side_new(&cfg);
        for (uint64_t i = 0, now = 0; i < 600; i++) {
            uint64_t address[32] = {line[i] * 32u};
            const rf_memory_access a = {G, LD, 1, 4, address, 0};
            now = rf_memory_side_access(m, &a, now);
        }
        rf_memory_side_counters(m, read_figure, &f);
        rf_memory_side_free(m);
        assert_int_equal((uint32_t)f.hits, near_accesses(line, 600, capacity));
        assert_int_equal((uint32_t)(f.hits + f.misses), 600);
        assert_true(f.misses <= misses);
        misses = f.misses;
    }
}

/* Dense accesses without L1, each to lines of its own. Moves are in order: of two loads (stores) the bytes that were counted
 * behind the first, up to the second, went down (up) between their ends. Where the links are fast, the same holds of DRAM. */
static void bandwidth_is_kept(void **state) {
    enum { N = 200 };
    static figures after[N];
    static uint64_t done[N];
    static rf_access_kind kind[N];
    (void)state;
    for (uint32_t round = 0; round < 24; round++) {
        const bool links = round % 2 == 0;
        ls_rng rng;
        ls_rng_seed(&rng, SEED + 4000 + round);
        rf_memory_cfg cfg = small;
        cfg.l1.size = 0;
        cfg.lsu_interval = 1;
        cfg.link_bytes = links ? 1000 + ls_rng_below(&rng, 15000) : 1000000000;
        cfg.dram_bytes = links ? 1000000000 : 1000 + ls_rng_below(&rng, 15000);
        cfg.l2.size = round % 4 < 2 ? 0 : 4096;
        rf_memory_side *const m = rf_memory_side_new(&cfg);
        for (uint64_t i = 0, now = 0; i < N; i++) {
            uint64_t address[32];
            for (uint32_t lane = 0; lane < 32; lane++) address[lane] = i * 65536 + ls_rng_below(&rng, 65536 - 16);
            kind[i] = (rf_access_kind)PICK(&rng, LD, LD, ST, AT);
            const rf_memory_access a = {G, kind[i], (uint32_t)ls_rng_bits(&rng, 32, 128) | 1, 4, address, 0};
            done[i] = rf_memory_side_access(m, &a, now);
            now += ls_rng_below(&rng, 4);
            after[i] = (figures){0};
            rf_memory_side_counters(m, read_figure, &after[i]);
        }
        rf_memory_side_free(m);
        const double link = (double)cfg.link_bytes / 1000, dram = (double)cfg.dram_bytes / 1000;
        const double slack = 128 + 64; /* a line that made room in L2, a sector */
        uint32_t first = N, last = 0;  /* load */
        for (uint32_t i = 0; i < N; i++) {
            for (uint32_t j = i + 1; j < N; j++) {
                const double time = (double)done[j] - (double)done[i] + 1;
                if ((kind[i] == ST) != (kind[j] == ST)) continue;
                if (kind[i] == ST) assert_true(after[j].up - after[i].up <= time * link + slack);
                else assert_true(after[j].down - after[i].down <= time * link + slack);
                if (!links && kind[i] == LD && kind[j] == LD) assert_true(after[j].dram - after[i].dram <= time * dram + slack);
            }
            if (kind[i] == LD && first == N) first = i;
            if (kind[i] == LD) last = i;
        }
        const double moved = links ? after[last].down - after[first].down : after[last].dram - after[first].dram;
        assert_true(moved > 0.9 * (double)(done[last] - done[first]) * (links ? link : dram)); /* it was dense */
    }
}

/* --- parameters ------------------------------------------------------------------------------------------------------------- */

static const char *refused(const rf_memory_cfg *cfg, const char *key) {
    const char *const message = rf_memory_check(cfg);
    if (message == NULL) fail_msg("%s outside of what it may be was accepted", key);
    if (!judge_has_word(message, key)) fail_msg("\"%s\" does not name %s", message, key);
    return message;
}

static void check_refuses(void **state) {
    static const struct {
        rf_cache_cfg cache;
        const char *key; /* behind "l1." and "l2."; NULL: accepted */
    } caches[] = {{{32, 32, 32, 1}, NULL},
                  {{96, 32, 32, 3}, NULL},
                  {{0, 7, 9, 0}, NULL},
                  {{1024, 1024, 32, 1}, NULL},
                  {{65536u * 32, 32, 32, 65536}, NULL},
                  {{16, 16, 16, 1}, "line"},
                  {{2048, 2048, 128, 1}, "line"},
                  {{96, 96, 32, 1}, "line"},
                  {{128, 128, 2, 1}, "sector"},
                  {{128, 128, 256, 1}, "sector"},
                  {{128, 128, 96, 1}, "sector"},
                  {{1024, 1024, 16, 1}, "sector"},
                  {{128, 128, 32, 0}, "ways"},
                  {{65537u * 32, 32, 32, 65537}, "ways"},
                  {{128, 128, 32, 2}, "size"},
                  {{400, 128, 32, 1}, "size"},
                  {{(128u << 20) + 128, 128, 32, 1}, "size"}};
    (void)state;
    assert_null(rf_memory_check(&small));
    for (size_t k = 0; k < KEYS; k++) {
        rf_memory_cfg cfg = with(&small, k, keys[k].low);
        assert_null(rf_memory_check(&cfg));
        cfg = with(&small, k, keys[k].high);
        assert_null(rf_memory_check(&cfg));
        char range[64];
        snprintf(range, sizeof range, "%s must be %" PRIu64 " to %" PRIu64, keys[k].key, keys[k].low, keys[k].high);
        const uint64_t wrong[] = {keys[k].high + 1, UINT32_MAX, keys[k].low - 1}; /* below 0 is the largest number */
        for (uint32_t i = 0; i < 3; i++) {
            cfg = with(&small, k, wrong[i]);
            assert_string_equal(refused(&cfg, keys[k].key), range);
        }
    }
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++)
        for (uint32_t level = 1; level <= 2; level++) {
            char key[16];
            rf_memory_cfg cfg = small;
            cfg.l1 = (rf_cache_cfg){0};
            cfg.l2 = (rf_cache_cfg){0};
            *(level == 1 ? &cfg.l1 : &cfg.l2) = caches[i].cache;
            if (caches[i].key == NULL && rf_memory_check(&cfg) != NULL) fail_msg("cache %zu: %s", i, rf_memory_check(&cfg));
            if (caches[i].key == NULL) continue;
            snprintf(key, sizeof key, "l%u.%s", level, caches[i].key);
            const char *const message = refused(&cfg, key);
            if (strcmp(caches[i].key, "ways") == 0) assert_non_null(strstr(message, " 1 to 65536"));
        }
    rf_memory_cfg cfg = small;
    cfg.l1 = (rf_cache_cfg){16u << 20, 128, 32, 1};
    assert_null(rf_memory_check(&cfg));
    cfg.l1.size += 128;
    (void)refused(&cfg, "l1.size");
    cfg = small;
    cfg.l2 = (rf_cache_cfg){128u << 20, 128, 32, 1};
    assert_null(rf_memory_check(&cfg));
    cfg.l2 = (rf_cache_cfg){1024, 64, 32, 1}; /* no multiple of L1's line */
    (void)refused(&cfg, "l2.line");
    cfg.l2 = (rf_cache_cfg){1024, 128, 16, 1}; /* no multiple of L1's sector */
    (void)refused(&cfg, "l2.sector");
    cfg.l1 = (rf_cache_cfg){0}; /* nor of 32 */
    (void)refused(&cfg, "l2.sector");
    cfg.l2 = small.l2;
    cfg.l1_mshrs = cfg.l1_write = 7777; /* nothing of an L1 that is not there */
    assert_null(rf_memory_check(&cfg));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_loads),
        cmocka_unit_test(answers_of_ways),
        cmocka_unit_test(answers_of_stores),
        cmocka_unit_test(answers_of_updates),
        cmocka_unit_test(answers_of_spaces),
        cmocka_unit_test(agrees_at_random),
        cmocka_unit_test(agrees_at_the_ends),
        cmocka_unit_test(every_parameter_counts),
        cmocka_unit_test(hits_are_those_of_stack_distances),
        cmocka_unit_test(bandwidth_is_kept),
        cmocka_unit_test(check_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
