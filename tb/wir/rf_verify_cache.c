/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_verify_cache. */
#include "cmodel/wir/rf_verify_cache.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_verify_cache_stim {
    ls_rng rng;
    uint32_t noise; /* something that no pipeline does */
    uint32_t delay; /* a miss brings its value from the banks in up to so many cycles */
    /* Of the phase. */
    uint32_t left;       /* cycles to come */
    uint32_t look;       /* a port looks up */
    uint32_t evict;      /* a register is written */
    uint32_t meet;       /* a register is one of the lines' */
    uint32_t together;   /* two ports name one register */
    uint32_t special;    /* the cycle is one of the special ones */
    uint32_t base, pool; /* registers that take part */
    /* What each port waits for, from the banks. */
    uint32_t wait[RF_ISSUES_MAX]; /* cycles to come, 0: nothing */
    uint16_t reg[RF_ISSUES_MAX];
} rf_verify_cache_stim;

static void stim_init(rf_verify_cache_stim *s, const rf_verify_cache *m, uint64_t seed) {
    (void)m;
    *s = (rf_verify_cache_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->noise = 4 + ls_rng_below(&s->rng, 12);
    s->delay = 1 + ls_rng_below(&s->rng, 6);
}

static void next_phase(rf_verify_cache_stim *s, const rf_verify_cache *m) {
    static const uint32_t often[] = {16, 64, 160, 240};
    const uint32_t entries = m->cfg.entries;
    s->left = 48 + ls_rng_below(&s->rng, 160);
    s->look = often[ls_rng_below(&s->rng, 4)];
    s->evict = ls_rng_chance(&s->rng, 128) ? ls_rng_below(&s->rng, 8) : often[ls_rng_below(&s->rng, 3)];
    s->meet = ls_rng_below(&s->rng, 96);
    s->together = ls_rng_below(&s->rng, 96);
    s->special = ls_rng_below(&s->rng, 32);
    s->base = ls_rng_below(&s->rng, m->cfg.pregs);
    s->pool = ls_rng_chance(&s->rng, 48) ? m->cfg.pregs : 1 + entries / 2 + ls_rng_below(&s->rng, 2 * entries);
}

/* A register that takes part, one of a line, or now and then any value of the ports. */
static uint16_t draw_reg(rf_verify_cache_stim *s, const rf_verify_cache *m) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.pregs));
    if (ls_rng_chance(&s->rng, s->meet)) return m->tag_q[ls_rng_below(&s->rng, m->cfg.entries)];
    return (uint16_t)((s->base + ls_rng_below(&s->rng, s->pool)) % m->cfg.pregs);
}

static bool has_line(const rf_verify_cache *m, uint16_t reg) {
    for (uint32_t e = 0; e < m->cfg.entries; e++)
        if ((m->valid_q >> e & 1) != 0 && m->tag_q[e] == reg) return true;
    return false;
}

/* Port i: looks a register up; if that misses, the banks bring its value some cycles later, and the port fills it. */
static void draw_port(rf_verify_cache_stim *s, const rf_verify_cache *m, rf_verify_cache_in *in, uint32_t i) {
    bool fill = s->wait[i] == 1;
    in->lk_reg[i] = draw_reg(s, m);
    in->fill_reg[i] = fill ? s->reg[i] : draw_reg(s, m);
    in->evict_reg[i] = draw_reg(s, m);
    if (i > 0 && ls_rng_chance(&s->rng, s->together)) in->lk_reg[i] = in->lk_reg[i - 1];
    if (s->wait[i] > 0) s->wait[i]--;
    if (!fill && ls_rng_chance(&s->rng, s->noise)) fill = true;
    if (fill || ls_rng_chance(&s->rng, s->noise)) ls_rng_lanes(&s->rng, in->fill_data[i].lane, m->cfg.lanes);
    in->fill |= (uint8_t)(fill << i);
    in->evict |= (uint8_t)(ls_rng_chance(&s->rng, s->evict) << i);
    if (!ls_rng_chance(&s->rng, s->look)) return;
    in->lk_valid |= (uint8_t)(1u << i);
    if (s->wait[i] != 0 || has_line(m, in->lk_reg[i])) return;
    s->wait[i] = 1 + ls_rng_below(&s->rng, s->delay);
    s->reg[i] = in->lk_reg[i];
}

/* Cycles that traffic may never reach by itself: the ports meet. */
static void special(rf_verify_cache_stim *s, const rf_verify_cache *m, rf_verify_cache_in *in) {
    const uint32_t issues = m->cfg.issues, all = (uint32_t)rf_mask64(issues), kind = ls_rng_below(&s->rng, 8);
    const uint16_t reg = draw_reg(s, m), turn = m->tag_q[m->next_q];
    if (kind <= 4) { /* fills: of one register, of a register and then of the one whose turn it is, of any */
        in->fill = (uint8_t)all;
        for (uint32_t i = 0; i < issues; i++) {
            in->fill_reg[i] = kind == 0 ? reg : kind == 1 && i > 0 ? turn : draw_reg(s, m);
            ls_rng_lanes(&s->rng, in->fill_data[i].lane, m->cfg.lanes);
        }
    }
    /* what is filled or given up is written or looked up */
    const uint16_t other = ls_rng_chance(&s->rng, 128) ? turn : in->fill_reg[ls_rng_below(&s->rng, issues)];
    if (kind == 2 || kind == 5) {
        in->evict |= (uint8_t)all;
        for (uint32_t i = 0; i < issues; i++) in->evict_reg[i] = ls_rng_chance(&s->rng, 128) ? other : in->fill_reg[i];
    }
    if (kind == 3 || kind == 6) {
        in->lk_valid |= (uint8_t)all;
        for (uint32_t i = 0; i < issues; i++) in->lk_reg[i] = ls_rng_chance(&s->rng, 128) ? other : in->evict_reg[i];
    }
    if (kind == 7) in->lk_valid = in->fill = in->evict = 0;
}

static void stim(rf_verify_cache_stim *s, const rf_verify_cache *m, rf_verify_cache_in *in) {
    if (s->left == 0) next_phase(s, m);
    s->left--;
    in->lk_valid = in->fill = in->evict = 0;
    for (uint32_t i = 0; i < m->cfg.issues; i++) draw_port(s, m, in, i);
    if (ls_rng_chance(&s->rng, s->special)) special(s, m, in);
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nothing happens") X(HIT, "hit") X(MISS, "miss") X(STALE, "miss: the line with this register is invalid") \
    X(MUTE, "a line has the register of a port that does not look up") X(HIT_BOTH, "two ports hit one line") \
    X(HIT_ALL, "all ports hit") X(HIT_LAST, "hit in the last line") X(FULL, "all lines valid") X(EMPTY, "no line valid") \
    X(MISS_FILLED, "lookup misses a register that is filled now") X(HIT_EVICTED, "lookup hits a register that is written now") \
    X(HIT_UPDATED, "lookup hits a line that is filled again now") X(HIT_REPLACED, "lookup hits a line that is given up now") \
    X(NEW, "fill takes an invalid line") X(HOLE, "fill takes an invalid line below a valid one") \
    X(REPLACE, "fill takes the line whose turn it is") X(WRAP, "the turn goes back to line 0") \
    X(AGAIN, "fill of a register that has a line") X(AGAIN_ROOM, "fill of a register that has a line above an invalid one") \
    X(TWICE, "two fills of a register that has no line") X(TWICE_AGAIN, "two fills of a register that has one") \
    X(NEXT_FREE, "two fills take two invalid lines") X(LAST_FREE, "fill takes the last invalid line, the next replaces") \
    X(REPLACE_TWO, "two fills replace") X(ROBBED, "fill of a register whose line the fill before it took") \
    X(FILL_MUTE, "register of a fill port that does not fill is not there") X(FILL_ALL, "all ports fill") \
    X(EVICT, "a register with a line is written") X(EVICT_NONE, "a register without a line is written") \
    X(EVICT_STALE, "a register with an invalid line is written") X(EVICT_TWICE, "a register is written twice") \
    X(EVICT_MUTE, "a line has the register of a port that does not write") \
    X(EVICT_NEW, "a register is filled for the first time and written") X(EVICT_AGAIN, "a register is filled again and written") \
    X(EVICT_ROBBED, "a register is written whose line a fill takes") X(BEYOND, "register that does not exist") \
    X(WRAP_BETWEEN, "the turn goes back to line 0 between two fills")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) != 0) << B_##name)

/* The book of an edge: who has which line, fill by fill. */
typedef struct book {
    uint32_t valid, next;
    uint16_t tag[RF_VERIFY_CACHE_MAX];
    uint32_t news, replaces; /* ports whose fill took an invalid line, replaced one */
    uint32_t given, updated; /* lines that were given up, that were filled again */
} book;

static uint32_t lines_of(const book *b, uint32_t entries, uint16_t reg) {
    uint32_t lines = 0;
    for (uint32_t e = 0; e < entries; e++) lines |= (uint32_t)(b->tag[e] == reg) << e;
    return lines;
}

static uint64_t fill_bins(const rf_verify_cache *m, const rf_verify_cache_in *in, book *b) {
    const uint32_t entries = m->cfg.entries, all = (uint32_t)rf_mask64(entries);
    uint64_t hits = 0;
    for (uint32_t i = 0; i < m->cfg.issues; i++) {
        const uint16_t reg = in->fill_reg[i];
        const uint32_t found = lines_of(b, entries, reg) & b->valid, free = all & ~b->valid;
        uint32_t before = 0; /* ports that fill the same register before this one */
        uint32_t line = found;
        if ((in->fill >> i & 1) == 0) {
            hits |= BIN(FILL_MUTE, found == 0);
            continue;
        }
        for (uint32_t j = 0; j < i; j++) before |= (uint32_t)(in->fill_reg[j] == reg) << j;
        before &= in->fill;
        hits |= BIN(BEYOND, reg >= m->cfg.pregs);
        if (found != 0) {
            hits |= BIN(AGAIN, before == 0) | BIN(AGAIN_ROOM, (free & (found - 1)) != 0) |
                    BIN(TWICE, before & (b->news | b->replaces)) |
                    BIN(TWICE_AGAIN, before != 0 && (before & (b->news | b->replaces)) == 0);
            b->updated |= found;
        } else if (free != 0) {
            line = free & (~free + 1);
            hits |= BIN(NEW, 1) | BIN(HOLE, b->valid > line) | BIN(NEXT_FREE, b->news != 0);
            b->news |= 1u << i;
        } else {
            line = 1u << b->next;
            hits |= BIN(REPLACE, 1) | BIN(WRAP, b->next + 1 == entries) | BIN(LAST_FREE, b->news != 0) |
                    BIN(REPLACE_TWO, b->replaces != 0) | BIN(WRAP_BETWEEN, b->replaces != 0 && b->next == 0);
            for (uint32_t e = 0; e < entries; e++) hits |= BIN(ROBBED, (b->given >> e & 1) != 0 && m->tag_q[e] == reg);
            b->next = b->next + 1 == entries ? 0 : b->next + 1;
            b->replaces |= 1u << i;
            b->given |= line;
        }
        b->valid |= line;
        b->tag[rf_lowest(line)] = reg;
    }
    return hits | BIN(FILL_ALL, in->fill == rf_mask64(m->cfg.issues));
}

/* `b`: after the fills. */
static uint64_t evict_bins(const rf_verify_cache *m, const rf_verify_cache_in *in, const book *b) {
    const uint32_t entries = m->cfg.entries;
    uint64_t hits = 0;
    for (uint32_t k = 0; k < m->cfg.issues; k++) {
        const uint16_t reg = in->evict_reg[k];
        const uint32_t tags = lines_of(b, entries, reg), there = tags & b->valid;
        bool had = false, robbed = false, filled = false;
        for (uint32_t e = 0; e < entries; e++) {
            const bool its = (m->valid_q >> e & 1) != 0 && m->tag_q[e] == reg;
            had |= its;
            robbed |= its && (b->given >> e & 1) != 0 && there == 0;
        }
        for (uint32_t i = 0; i < m->cfg.issues; i++) filled |= (in->fill >> i & 1) != 0 && in->fill_reg[i] == reg;
        if ((in->evict >> k & 1) == 0) {
            hits |= BIN(EVICT_MUTE, there);
            continue;
        }
        hits |= BIN(EVICT, there != 0 && !filled) | BIN(EVICT_NONE, tags == 0) | BIN(EVICT_STALE, tags != 0 && there == 0) |
                BIN(EVICT_NEW, there != 0 && !had) | BIN(EVICT_AGAIN, had && filled && there != 0) | BIN(EVICT_ROBBED, robbed);
        for (uint32_t l = 0; l < k; l++)
            hits |= BIN(EVICT_TWICE, (in->evict >> l & 1) != 0 && in->evict_reg[l] == reg && there != 0);
    }
    return hits;
}

static uint64_t lookup_bins(const rf_verify_cache *m, const rf_verify_cache_in *in, const rf_verify_cache_out *out,
                            const book *b) {
    const uint32_t entries = m->cfg.entries;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < m->cfg.issues; i++) {
        const uint16_t reg = in->lk_reg[i];
        const bool look = (in->lk_valid >> i & 1) != 0, hit = (out->hit >> i & 1) != 0;
        uint32_t tags = 0;
        for (uint32_t e = 0; e < entries; e++) tags |= (uint32_t)(m->tag_q[e] == reg) << e;
        const uint32_t line = tags & m->valid_q;
        hits |= BIN(HIT, hit) | BIN(MISS, look && !hit) | BIN(STALE, look && !hit && tags != 0) | BIN(MUTE, !look && line != 0) |
                BIN(HIT_LAST, hit && line >> (entries - 1) != 0) | BIN(HIT_UPDATED, hit && (line & b->updated) != 0) |
                BIN(HIT_REPLACED, hit && (line & b->given) != 0);
        for (uint32_t j = 0; j < m->cfg.issues; j++)
            hits |= BIN(HIT_BOTH, j < i && hit && (out->hit >> j & 1) != 0 && in->lk_reg[j] == reg) |
                    BIN(MISS_FILLED, look && !hit && (in->fill >> j & 1) != 0 && in->fill_reg[j] == reg) |
                    BIN(HIT_EVICTED, hit && (in->evict >> j & 1) != 0 && in->evict_reg[j] == reg);
    }
    return hits;
}

static uint64_t bins(const rf_verify_cache *m, const rf_verify_cache_in *in, const rf_verify_cache_out *out) {
    book b = {.valid = m->valid_q, .next = m->next_q};
    uint64_t hits = 0;
    for (uint32_t e = 0; e < RF_VERIFY_CACHE_MAX; e++) b.tag[e] = m->tag_q[e];
    hits |= fill_bins(m, in, &b);
    hits |= evict_bins(m, in, &b) | lookup_bins(m, in, out, &b);
    return hits | BIN(IDLE, (in->lk_valid | in->fill | in->evict) == 0) | BIN(HIT_ALL, out->hit == rf_mask64(m->cfg.issues)) |
           BIN(FULL, m->valid_q == rf_mask64(m->cfg.entries)) | BIN(EMPTY, m->valid_q == 0);
}

static void unreachable(const rf_verify_cache_cfg *cfg, ls_unreachable *to) {
    static const uint8_t pairs[] = {B_HIT_BOTH,    B_TWICE,  B_TWICE_AGAIN, B_NEXT_FREE,   B_LAST_FREE,
                                    B_REPLACE_TWO, B_ROBBED, B_EVICT_TWICE, B_WRAP_BETWEEN};
    static const uint8_t replaces[] = {B_REPLACE,     B_WRAP,   B_HIT_REPLACED, B_LAST_FREE,
                                       B_REPLACE_TWO, B_ROBBED, B_EVICT_ROBBED, B_WRAP_BETWEEN};
    const uint32_t numbers = UINT32_C(1) << rf_index_bits(cfg->pregs);
    for (size_t i = 0; i < sizeof pairs; i++) ls_unreachable_if(to, cfg->issues == 1, pairs[i], "one port");
    for (size_t i = 0; i < sizeof replaces; i++)
        ls_unreachable_if(to, cfg->entries >= numbers, replaces[i], "every register has a line before one is replaced");
    ls_unreachable_if(to, cfg->entries > numbers, B_FULL, "there are more lines than registers");
    ls_unreachable_if(to, cfg->entries > numbers, B_HIT_LAST, "there are more lines than registers");
    ls_unreachable_if(to, cfg->entries == 1, B_NEXT_FREE, "one line");
    ls_unreachable_if(to, cfg->entries == 1, B_HOLE, "one line");
    ls_unreachable_if(to, cfg->entries == 1, B_AGAIN_ROOM, "one line");
    ls_unreachable_if(to, cfg->pregs == numbers, B_BEYOND, "every number is a register's");
}

#define SMALL "ENTRIES=3 PREGS=16 LANES=1"
#define SINGLE "ENTRIES=3 PREGS=16 LANES=1 ISSUES=1"

static const ls_fault faults[] = {
    {"an invalid line hits", NULL, "holds(tags, lk_reg_i[i*PREG_W +: PREG_W]) & valid_q",
     "holds(tags, lk_reg_i[i*PREG_W +: PREG_W])", "hit", SMALL},
    {"a port hits that does not look up", NULL, "lk_valid_i[i] && found", "found", "hit", SMALL},
    {"a lookup sees the fill of its cycle", NULL, "lk_valid_i[i] && found != '0",
     "lk_valid_i[i] && (found != '0 || (fill_i[0] && fill_reg_i[0 +: PREG_W] == lk_reg_i[i*PREG_W +: PREG_W]))", "hit", SMALL},
    {"a lookup sees the eviction of its cycle", NULL, "lk_valid_i[i] && found != '0",
     "lk_valid_i[i] && found != '0 && !(evict_i[0] && evict_reg_i[0 +: PREG_W] == lk_reg_i[i*PREG_W +: PREG_W])", "hit", SMALL},
    {"value shown without a hit", NULL, "hit_o[i] ? data_q[line] : '0", "data_q[line]", "data", SMALL},
    {"value of another line", NULL, "LINE_W'(e) & {LINE_W{found[e]}}", "LINE_W'(e / 2) & {LINE_W{found[e]}}", "data", SMALL},
    {"the highest line first", NULL, "take = `RF_LOWEST(free);",
     "take = free[ENTRIES-1] ? ENTRIES'(1) << LAST : `RF_LOWEST(free);", "valid_q", SMALL},
    {"the turn does not go on", NULL, "next_d = (next_d == LAST) ? '0 : next_d + 1'b1;", "next_d = next_q;", "next_q", SINGLE},
    {"the turn goes beyond the last line", NULL, "(next_d == LAST) ? '0 :", "", "next_q", SINGLE},
    {"an invalid line moves the turn on too", NULL, "else if (free != '0) take = `RF_LOWEST(free);",
     "else if (free != '0) begin take = `RF_LOWEST(free); next_d = (next_d == LAST) ? '0 : next_d + 1'b1; end", "next_q", SINGLE},
    {"an invalid line with its register is taken first", NULL, "holds(tags, fill_reg_i[i*PREG_W +: PREG_W]) & valid_q",
     "holds(tags, fill_reg_i[i*PREG_W +: PREG_W])", "valid_q", "ENTRIES=8 PREGS=16 LANES=1 ISSUES=1"},
    {"a register gets a second line when there is no room", NULL, "if (found != '0) take", "if (found != '0 && free != '0) take",
     "tag_q", "ENTRIES=8 PREGS=16 LANES=1 ISSUES=1"},
    {"a fill does not see the register of the fill before", NULL,
     "if (fill_reg_i[j*PREG_W +: PREG_W] == fill_reg_i[i*PREG_W +: PREG_W]) found", "if (i < 0) found", "valid_q",
     "ENTRIES=4 PREGS=2 LANES=1"},
    {"a fill does not see that the one before took its line", NULL,
     "j < i; j++) begin\n        found = found & ~takes[j*ENTRIES +: ENTRIES];", "j < i; j++) begin", "tag_q",
     "ENTRIES=2 PREGS=16 LANES=1"},
    {"two fills take one invalid line", NULL, "free = ~valid_d;", "free = ~valid_q;", "valid_q", "ENTRIES=16 PREGS=32 LANES=1"},
    {"a fill survives the write of its cycle", NULL,
     "if (fill_reg_i[j*PREG_W +: PREG_W] == evict_reg_i[k*PREG_W +: PREG_W]) found", "if (k < 0) found", "valid_q", SMALL},
    {"a write takes the line of the register that replaced its own", NULL,
     "j < ISSUES; j++) begin\n        found = found & ~takes[j*ENTRIES +: ENTRIES];", "j < ISSUES; j++) begin", "valid_q", SMALL},
    {"a port evicts that does not write", NULL, "if (evict_i[k]) valid_d", "valid_d", "valid_q", SMALL},
    {"the top bit of the tag is lost", NULL, "<= fill_reg_i[i*PREG_W +: PREG_W];", "<= {1'b0, fill_reg_i[i*PREG_W +: PREG_W-1]};",
     "tag_q", SMALL},
    {"value stored is port 0's", NULL, "<= fill_data_i[i*DATA_W +: DATA_W];", "<= fill_data_i[0 +: DATA_W];", "data_q", SMALL},
    {"a line that is filled again keeps its value", NULL, "            data_q[e] <=",
     "            if (!valid_q[e] || tag_q[e] != fill_reg_i[i*PREG_W +: PREG_W]) data_q[e] <=", "data_q", SMALL},
    {"of two fills of one line the lower one stays", NULL, "for (int i = 0; i < ISSUES; i++)\n        for (int e",
     "for (int i = ISSUES - 1; i >= 0; i--)\n        for (int e", "data_q", SMALL},
    {"tags are not reset", NULL, "tag_q[e]  <= '0;", "", "tag_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "ENTRIES=1 PREGS=2 LANES=1 ISSUES=1",
                                   "ENTRIES=3 PREGS=7 LANES=3 ISSUES=4",
                                   "ENTRIES=5 PREGS=1024 LANES=1 ISSUES=1",
                                   "ENTRIES=4 PREGS=48 LANES=2 ISSUES=3",
                                   "ENTRIES=16 PREGS=1000 LANES=4 ISSUES=4",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_verify_cache
#define LS_GROUP "wir"
#define LS_BRIEF "verify cache: values of registers that verify-reads fetched"
#define LS_FIELDS "tb/wir/rf_verify_cache.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
