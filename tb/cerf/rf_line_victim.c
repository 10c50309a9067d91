/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_line_victim. */
#include "cmodel/cerf/rf_line_victim_parts.h"

#include "harness/core/unit.h"

typedef struct rf_line_victim_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t vacant;  /* an entry is inactive */
    uint32_t data;    /* one that is not is cache data */
    uint32_t cache;   /* the newcomer is cache data */
    uint32_t illegal; /* ages are any numbers, no permutation */
    uint32_t keep;    /* states or ages stay */
    uint32_t left;    /* cycles until they are drawn anew */
} rf_line_victim_stim;

static void draw_knobs(rf_line_victim_stim *s) {
    static const uint32_t vacant[] = {0, 0, 16, 96}, data[] = {8, 64, 128, 192, 250};
    s->left = 40 + ls_rng_below(&s->rng, 200);
    s->vacant = vacant[ls_rng_below(&s->rng, 4)];
    s->data = data[ls_rng_below(&s->rng, 5)];
    s->cache = 32 + ls_rng_below(&s->rng, 192);
    s->illegal = ls_rng_below(&s->rng, 64);
    s->keep = ls_rng_below(&s->rng, 128);
}

static void stim_init(rf_line_victim_stim *s, const rf_line_victim *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    draw_knobs(s);
}

static uint32_t draw_states(rf_line_victim_stim *s, uint32_t ways) {
    uint32_t states = 0;
    for (uint32_t w = 0; w < ways; w++) {
        const uint32_t data = ls_rng_chance(&s->rng, 128) ? RF_LINE_DIRTY : RF_LINE_CACHE;
        const uint32_t held = ls_rng_chance(&s->rng, s->data) ? data : RF_LINE_REG;
        states |= (ls_rng_chance(&s->rng, s->vacant) ? RF_LINE_INACTIVE : held) << 2 * w;
    }
    return states;
}

/* A permutation, as a set has; or any numbers, few of them different. */
static uint32_t draw_ages(rf_line_victim_stim *s, uint32_t ways) {
    const uint32_t bits = rf_line_age_bits(ways);
    uint32_t ages = 0, order[RF_LINE_WAYS_MAX];
    for (uint32_t w = 0; w < ways; w++) {
        const uint32_t at = ls_rng_below(&s->rng, w + 1);
        order[w] = order[at];
        order[at] = w;
    }
    const bool illegal = ls_rng_chance(&s->rng, s->illegal);
    for (uint32_t w = 0; w < ways; w++) ages |= (illegal ? (uint32_t)ls_rng_value(&s->rng, bits) : order[w]) << bits * w;
    return ages;
}

static void stim(rf_line_victim_stim *s, const rf_line_victim *m, rf_line_victim_in *in) {
    if (s->left-- == 0) draw_knobs(s);
    if (!ls_rng_chance(&s->rng, s->keep)) in->state = (uint16_t)draw_states(s, m->cfg.ways);
    if (!ls_rng_chance(&s->rng, s->keep)) in->age = draw_ages(s, m->cfg.ways);
    in->cache = ls_rng_chance(&s->rng, s->cache);
}

/* clang-format off */
#define BINS(X) \
    X(VACANT_0, "the inactive way 0") X(VACANT_1, "the inactive way 1") X(VACANT_2, "the inactive way 2") \
    X(VACANT_3, "the inactive way 3") X(VACANT_4, "the inactive way 4") X(VACANT_5, "the inactive way 5") \
    X(VACANT_6, "the inactive way 6") X(VACANT_7, "the inactive way 7") \
    X(HELD_0, "way 0 gives its content") X(HELD_1, "way 1 gives its content") X(HELD_2, "way 2 gives its content") \
    X(HELD_3, "way 3 gives its content") X(HELD_4, "way 4 gives its content") X(HELD_5, "way 5 gives its content") \
    X(HELD_6, "way 6 gives its content") X(HELD_7, "way 7 gives its content") \
    X(SEVERAL, "several ways are inactive") X(ALL, "every way is inactive") X(YOUNG, "an inactive way is the youngest") \
    X(REG_REG, "a register takes a register's entry") X(REG_CACHE, "a register takes clean data's entry") \
    X(REG_DIRTY, "a register takes dirty data's entry") X(CACHE_REG, "cache data takes a register's entry") \
    X(CACHE_CACHE, "cache data takes clean data's entry") X(CACHE_DIRTY, "cache data takes dirty data's entry") \
    X(REG_NONE, "no way for a register") X(CACHE_NONE, "no way for cache data") \
    X(SPARED, "the oldest way is not allowed") X(YOUNGEST, "the youngest way alone is allowed") \
    X(OLDEST_OF, "the oldest of several, not of all") X(FALLBACK, "no registers: cache data takes the oldest") \
    X(TIE, "two allowed ways are the oldest") X(TIE_SPARED, "one that is not allowed is as old") \
    X(OUTSIDE, "an age that no set has")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) ? 1 : 0) << B_##name)

static bool several(uint32_t x) { return (x & (x - 1)) != 0; }

/* The ways with this age. */
static uint32_t aged(const rf_line_victim_cfg *cfg, uint32_t ages, uint32_t age) {
    uint32_t ways = 0;
    for (uint32_t w = 0; w < cfg->ways; w++) ways |= (uint32_t)(rf_line_age_at(ages, rf_line_age_bits(cfg->ways), w) == age) << w;
    return ways;
}

static uint64_t vacant_bins(const rf_line_victim_cfg *cfg, const rf_line_victim_in *in, uint32_t inactive, uint32_t way) {
    return UINT64_C(1) << (B_VACANT_0 + way) | BIN(SEVERAL, several(inactive)) | BIN(ALL, inactive == rf_mask64(cfg->ways)) |
           BIN(YOUNG, (aged(cfg, in->age, 0) >> way & 1) != 0);
}

/* A set without an inactive entry. */
static uint64_t held_bins(const rf_line_victim_cfg *cfg, const rf_line_victim_in *in, const rf_line_victim_out *out) {
    const uint32_t all = (uint32_t)rf_mask64(cfg->ways), bits = rf_line_age_bits(cfg->ways);
    const uint32_t allowed = rf_line_victim_allowed(cfg->ways, cfg->policy, in->state, in->cache != 0);
    if (!out->valid) return BIN(REG_NONE, !in->cache) | BIN(CACHE_NONE, in->cache);
    const uint32_t state = rf_line_state_at(in->state, out->way),
                   as_old = aged(cfg, in->age, rf_line_age_at(in->age, bits, out->way));
    const uint32_t first = in->cache ? B_CACHE_REG : B_REG_REG;
    const bool spared = rf_line_victim_oldest(bits, in->age, all) != out->way;
    return UINT64_C(1) << (B_HELD_0 + out->way) | UINT64_C(1) << (first + state - RF_LINE_REG) | BIN(SPARED, spared) |
           BIN(YOUNGEST, !several(allowed) && rf_line_age_at(in->age, bits, out->way) == 0) |
           BIN(OLDEST_OF, several(allowed) && spared) | BIN(FALLBACK, cfg->policy == RF_POLICY_CACHE && state != RF_LINE_REG) |
           BIN(TIE, several(as_old & allowed)) | BIN(TIE_SPARED, (as_old & ~allowed) != 0);
}

static uint64_t bins(const rf_line_victim *m, const rf_line_victim_in *in, const rf_line_victim_out *out) {
    const uint32_t inactive = rf_line_ways_in(m->cfg.ways, in->state, RF_LINE_INACTIVE), bits = rf_line_age_bits(m->cfg.ways);
    bool outside = false;
    for (uint32_t w = 0; w < m->cfg.ways; w++) outside = outside || rf_line_age_at(in->age, bits, w) >= m->cfg.ways;
    const uint64_t hits = inactive != 0 ? vacant_bins(&m->cfg, in, inactive, out->way) : held_bins(&m->cfg, in, out);
    return hits | BIN(OUTSIDE, outside);
}

static void unreachable(const rf_line_victim_cfg *cfg, ls_unreachable *to) {
    static const uint8_t one[] = {B_SEVERAL, B_SPARED, B_OLDEST_OF, B_TIE, B_TIE_SPARED};
    static const uint8_t spared[] = {B_REG_NONE, B_CACHE_NONE, B_SPARED, B_OLDEST_OF, B_TIE_SPARED};
    const bool fair = cfg->policy == RF_POLICY_FAIR, registers = cfg->policy == RF_POLICY_REGISTERS,
               cache = cfg->policy == RF_POLICY_CACHE;
    for (uint32_t w = cfg->ways; w < RF_LINE_WAYS_MAX; w++) {
        ls_unreachable_if(to, true, B_VACANT_0 + w, "there is no such way");
        ls_unreachable_if(to, true, B_HELD_0 + w, "there is no such way");
    }
    for (size_t i = 0; i < sizeof one; i++) ls_unreachable_if(to, cfg->ways == 1, one[i], "one way");
    for (size_t i = 0; i < sizeof spared; i++) ls_unreachable_if(to, fair, spared[i], "every way is allowed");
    ls_unreachable_if(to, fair && cfg->ways > 1, B_YOUNGEST, "every way is allowed");
    ls_unreachable_if(to, cfg->ways == 2, B_OLDEST_OF, "two ways");
    ls_unreachable_if(to, !cache, B_FALLBACK, "of another policy");
    ls_unreachable_if(to, registers, B_REG_REG, "a register is not replaced");
    ls_unreachable_if(to, registers, B_CACHE_REG, "a register is not replaced");
    ls_unreachable_if(to, cache, B_REG_CACHE, "a register does not replace cache data");
    ls_unreachable_if(to, cache, B_REG_DIRTY, "a register does not replace cache data");
    ls_unreachable_if(to, cache, B_CACHE_NONE, "all hold cache data: the oldest");
    ls_unreachable_if(to, cfg->ways == UINT32_C(1) << rf_line_age_bits(cfg->ways), B_OUTSIDE, "every number is that of an age");
}

#define REGISTERS "POLICY=1"
#define CACHE "POLICY=2"
#define LOWER "allowed[v] && age_i[v*AGE_W +: AGE_W] >= age_i[w*AGE_W +: AGE_W]"
#define HIGHER "allowed[v] && age_i[v*AGE_W +: AGE_W] > age_i[w*AGE_W +: AGE_W]"
#define BETWEEN ";\n      end else begin : gen_higher\n        assign beats[v] = "

static const ls_fault faults[] = {
    {"an inactive way is not seen", NULL, "(inactive != '0) ? `RF_LOWEST(inactive) : oldest", "oldest", "way", NULL},
    {"the highest way is never inactive", NULL,
     "`RF_LOWEST(inactive) :", "(`RF_LOWEST(inactive) & {1'b0, {WAYS-1{1'b1}}}) :", "valid", NULL},
    {"all inactive ways at once", NULL, "`RF_LOWEST(inactive) :", "inactive :", "way", NULL},
    {"the oldest inactive way", NULL,
     "`RF_LOWEST(inactive) :", "((inactive & oldest) != '0) ? oldest : `RF_LOWEST(inactive) :", "way", NULL},
    {"an inactive way only for cache data", NULL, "(inactive != '0) ?", "(inactive != '0 && cache_i) ?", "way", NULL},
    {"registers count as inactive", NULL, "== rf_cerf_pkg::LINE_INACTIVE", "<= rf_cerf_pkg::LINE_REG", "way", NULL},
    {"the youngest", NULL, LOWER BETWEEN HIGHER,
     "allowed[v] && age_i[v*AGE_W +: AGE_W] <= age_i[w*AGE_W +: AGE_W]" BETWEEN
     "allowed[v] && age_i[v*AGE_W +: AGE_W] < age_i[w*AGE_W +: AGE_W]",
     "way", NULL},
    {"of equal ages both", NULL, LOWER, HIGHER, "way", NULL},
    {"of equal ages the highest", NULL, LOWER BETWEEN HIGHER,
     HIGHER BETWEEN "v != w && allowed[v] && age_i[v*AGE_W +: AGE_W] >= age_i[w*AGE_W +: AGE_W]", "way", NULL},
    {"fair: way 0 is never replaced", NULL, "allowed = {WAYS{1'b1}}", "allowed = {{WAYS-1{1'b1}}, 1'b0}", "way", NULL},
    {"fair: cache data replaces no register", NULL, "allowed = {WAYS{1'b1}}",
     "allowed = {WAYS{1'b1}} & ~(registers & {WAYS{cache_i}})", "way", NULL},
    {"registers first: cache data replaces registers", NULL, "allowed = ~registers", "allowed = ~registers | {WAYS{cache_i}}",
     "valid", REGISTERS},
    {"registers first: a register replaces registers", NULL, "allowed = ~registers", "allowed = ~registers | {WAYS{!cache_i}}",
     "way", REGISTERS},
    {"registers first: one that is protected is compared", NULL, LOWER, "age_i[v*AGE_W +: AGE_W] >= age_i[w*AGE_W +: AGE_W]",
     "valid", REGISTERS},
    {"registers first: dirty data is protected", NULL, "state_i[w*2 +: 2] == rf_cerf_pkg::LINE_REG", "state_i[w*2]", "way",
     REGISTERS},
    {"registers first: clean data is protected, not registers", NULL, "state_i[w*2 +: 2] == rf_cerf_pkg::LINE_REG",
     "state_i[w*2 +: 2] == rf_cerf_pkg::LINE_CACHE", "valid", REGISTERS},
    {"cache first: cache data finds no way among its own", NULL, "registers | {WAYS{cache_i && registers == '0}}", "registers",
     "valid", CACHE},
    {"cache first: a register replaces cache data when it must", NULL, "{WAYS{cache_i && registers == '0}}",
     "{WAYS{registers == '0}}", "valid", CACHE},
    {"cache first: cache data spares no cache data", NULL, "{WAYS{cache_i && registers == '0}}", "{WAYS{cache_i}}", "way", CACHE},
    {"the number of the highest way lacks a bit", NULL, "|(choice & rf_pkg::NUMBERS",
     "(k + 1 < AGE_W || !choice[WAYS-1]) && |(choice & rf_pkg::NUMBERS", "way", "WAYS=5"},
    {0},
};

static const char *const sets[] = {"",
                                   REGISTERS,
                                   CACHE,
                                   "WAYS=1",
                                   "WAYS=1 POLICY=1",
                                   "WAYS=1 POLICY=2",
                                   "WAYS=2 POLICY=2",
                                   "WAYS=3",
                                   "WAYS=5 POLICY=1",
                                   "WAYS=6 POLICY=2",
                                   "WAYS=8",
                                   "WAYS=8 POLICY=1",
                                   "WAYS=8 POLICY=2",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/cerf/rf_cerf_pkg.sv", NULL};

#define LS_UNIT rf_line_victim
#define LS_GROUP "cerf"
#define LS_BRIEF "replacement in a set of registers and cache data"
#define LS_FIELDS "tb/cerf/rf_line_victim.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
