/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_mshr. */
#include "cmodel/cerf/rf_mshr_parts.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_mshr_stim {
    ls_rng rng;
    uint32_t noise; /* something that no bank does */
    /* Of the phase. */
    uint32_t left;       /* cycles to come */
    uint32_t ask;        /* a request */
    uint32_t come;       /* L2 answers */
    uint32_t registers;  /* the request is of a register */
    uint32_t meet;       /* the line is one of an entry */
    uint32_t wait;       /* the requester waits for the data */
    uint32_t special;    /* the cycle is one of the special ones */
    uint32_t base, pool; /* lines that take part */
} rf_mshr_stim;

static void stim_init(rf_mshr_stim *s, const rf_mshr *m, uint64_t seed) {
    (void)m;
    *s = (rf_mshr_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->noise = 2 + ls_rng_below(&s->rng, 10);
}

/* Requests come faster than L2 answers, slower, or as fast; of both classes, or nearly all of one. */
static void next_phase(rf_mshr_stim *s, const rf_mshr *m) {
    static const uint32_t often[] = {16, 64, 160, 240}, of_registers[] = {0, 8, 128, 248, 256};
    s->left = 16 + ls_rng_below(&s->rng, 16 * m->cfg.mshrs);
    s->ask = often[ls_rng_below(&s->rng, 4)];
    s->come = often[ls_rng_below(&s->rng, 4)];
    s->registers = of_registers[ls_rng_below(&s->rng, 5)];
    s->meet = ls_rng_below(&s->rng, 160);
    s->wait = ls_rng_chance(&s->rng, 128) ? 256 : 64 + ls_rng_below(&s->rng, 192);
    s->special = ls_rng_below(&s->rng, 48);
    s->base = (uint32_t)ls_rng_value(&s->rng, m->cfg.line_w);
    s->pool = 1 + ls_rng_below(&s->rng, 3 * m->cfg.mshrs);
}

/* A line that takes part, one of an entry, busy or not, or now and then any. */
static uint32_t draw_line(rf_mshr_stim *s, const rf_mshr *m) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint32_t)ls_rng_value(&s->rng, m->cfg.line_w);
    if (ls_rng_chance(&s->rng, s->meet)) return m->line_q[ls_rng_below(&s->rng, m->cfg.mshrs)];
    return (s->base + ls_rng_below(&s->rng, s->pool)) & (uint32_t)rf_mask64(m->cfg.line_w);
}

/* One of `entries`, or any number when there is none. */
static uint8_t draw_entry(rf_mshr_stim *s, const rf_mshr *m, uint32_t entries) {
    uint32_t skip = entries == 0 ? 0 : ls_rng_below(&s->rng, (uint32_t)__builtin_popcount(entries));
    if (entries == 0) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.mshrs));
    while (skip-- > 0) entries &= entries - 1;
    return (uint8_t)rf_lowest(entries);
}

/* Cycles that traffic may never reach by itself: what happens meets, or is of an entry that it cannot be of. */
static void special(rf_mshr_stim *s, const rf_mshr *m, const rf_mshr_out *out, rf_mshr_in *in) {
    const uint32_t match = out->match ? UINT32_C(1) << out->match_entry : 0;
    switch (ls_rng_below(&s->rng, 6)) {
    case 0: /* the entry that matches is done while its line is asked for */
        in->merge = in->done = 1;
        in->allocate = ls_rng_chance(&s->rng, 64);
        in->done_entry = draw_entry(s, m, match);
        break;
    case 1: /* both, whatever matches and is free */
        in->merge = in->allocate = 1;
        break;
    case 2: /* the entry that is free is done while it is allocated */
        in->allocate = in->done = 1;
        in->done_entry = out->free_entry;
        break;
    case 3: /* all three, of a busy entry that does not match */
        in->merge = in->allocate = in->done = 1;
        in->done_entry = draw_entry(s, m, m->busy_q & ~match);
        break;
    case 4: /* any number */
        in->done = 1;
        in->done_entry = draw_entry(s, m, 0);
        break;
    default: /* a second entry for the line */
        in->allocate = 1;
        break;
    }
}

static void stim(rf_mshr_stim *s, const rf_mshr *m, rf_mshr_in *in) {
    rf_mshr_out out;
    if (s->left == 0) next_phase(s, m);
    s->left--;
    in->line = draw_line(s, m);
    in->id = (uint8_t)ls_rng_value(&s->rng, m->cfg.id_w);
    in->reg = ls_rng_chance(&s->rng, s->registers);
    in->keep = ls_rng_chance(&s->rng, 208);
    in->target = ls_rng_chance(&s->rng, s->wait);
    in->done_entry = draw_entry(s, m, ls_rng_chance(&s->rng, s->noise) ? 0 : m->busy_q);
    rf_mshr_comb(m, in, &out);
    /* As a bank does: what is on its way is waited for, anything else is asked for, and L2 answers what was. */
    const bool ask = ls_rng_chance(&s->rng, s->ask), room = in->reg ? out.room_reg : out.room_cache;
    in->merge = ask && out.match_room;
    in->allocate = ask && !out.match && room;
    in->done = out.done_busy && ls_rng_chance(&s->rng, s->come);
    if (ls_rng_chance(&s->rng, s->noise)) in->merge = !in->merge;
    if (ls_rng_chance(&s->rng, s->noise)) in->allocate = !in->allocate;
    if (ls_rng_chance(&s->rng, s->noise)) in->done = !in->done;
    if (ls_rng_chance(&s->rng, s->special)) special(s, m, &out, in);
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nothing happens") X(EMPTY, "no entry is busy") X(FULL, "all entries are busy") \
    X(MATCH, "match") X(MATCH_LAST, "match in the last entry") X(MATCH_SEVERAL, "two entries have the line") \
    X(MATCH_FULL, "match without room") X(STALE, "a free entry alone has the line") \
    X(HOLE, "a free entry below a busy one") X(LAST_FREE, "the last entry alone is free") \
    X(NO_REG, "an entry is free, but not for registers") X(NO_CACHE, "an entry is free, but not for cache data") \
    X(ONE_MIXED, "one entry is free, for both") \
    X(ALLOCATE, "allocate") X(ALLOCATE_REG, "allocate for a register") X(ALLOCATE_CACHE, "allocate for cache data") \
    X(NO_TARGET, "allocate without a target") X(NOT_KEPT, "allocate of what is not kept") \
    X(ALLOCATE_LAST, "allocate takes the last free entry") X(NO_FREE, "allocate without a free entry") \
    X(SECOND, "allocate of a line that is on its way") X(STALE_ALLOCATE, "allocate of a line that its entry held before") \
    X(MERGE, "merge") X(MERGE_FIRST, "merge is the first target") X(MERGE_LAST, "merge takes the last room") \
    X(MERGE_NOT_KEPT, "merge of what is not kept") \
    X(NO_MATCH, "merge without a match") X(NO_ROOM, "merge without room") \
    X(NO_ROOM_SECOND, "merge without room, another entry with the line has room") X(BOTH, "merge and allocate") \
    X(DONE, "done") X(DONE_FREE, "done of a free entry") X(DONE_BEYOND, "done of an entry that does not exist") \
    X(DONE_NONE, "done without targets") X(DONE_ALL, "done with as many targets as there may be") \
    X(DONE_REG, "done of a register that is kept") X(DONE_REG_NOT, "done of a register that is not kept") \
    X(DONE_CACHE, "done of cache data that are kept") X(DONE_CACHE_NOT, "done of cache data that are not kept") \
    X(DONE_ALLOCATE, "done and allocate") X(DONE_FULL, "allocate without a free entry while one is done") \
    X(DONE_OWN, "done of the free entry that is allocated") X(DONE_LOST, "merge into the entry that is done") \
    X(DONE_MERGE, "done and merge into another entry") X(DONE_BOTH, "done, merge and allocate of three entries") \
    X(DONE_MATCH, "the entry that matches is done, nobody merges") X(SHOWN, "a busy entry is shown and not done") \
    X(SHOWN_REST, "a busy entry has a number beyond its targets") X(LAST_DONE, "the last busy entry is done")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) != 0) << B_##name)

static uint64_t done_bins(const rf_mshr *m, const rf_mshr_in *in, const rf_mshr_out *out, bool merge, bool allocate) {
    const bool busy = out->done_busy, same = out->match && out->match_entry == in->done_entry;
    bool rest = false; /* beyond the targets lies another number than 0 */
    for (uint32_t t = out->done_count; t < m->cfg.targets; t++) rest |= out->done_id[t] != 0;
    if (!in->done) return BIN(SHOWN, busy) | BIN(SHOWN_REST, busy && rest);
    if (!busy)
        return BIN(DONE_FREE, in->done_entry < m->cfg.mshrs) | BIN(DONE_BEYOND, in->done_entry >= m->cfg.mshrs) |
               BIN(DONE_OWN, allocate && in->done_entry == out->free_entry);
    return BIN(DONE, 1) | BIN(DONE_NONE, out->done_count == 0) | BIN(DONE_ALL, out->done_count == m->cfg.targets) |
           BIN(DONE_REG, out->done_reg && out->done_keep) | BIN(DONE_REG_NOT, out->done_reg && !out->done_keep) |
           BIN(DONE_CACHE, !out->done_reg && out->done_keep) | BIN(DONE_CACHE_NOT, !out->done_reg && !out->done_keep) |
           BIN(DONE_ALLOCATE, allocate) | BIN(DONE_FULL, in->allocate && !allocate) | BIN(DONE_LOST, merge && same) |
           BIN(DONE_MERGE, merge && !same) | BIN(DONE_BOTH, merge && !same && allocate) | BIN(DONE_MATCH, same && !in->merge) |
           BIN(LAST_DONE, (m->busy_q & (m->busy_q - 1)) == 0) | BIN(SHOWN_REST, rest);
}

static uint64_t bins(const rf_mshr *m, const rf_mshr_in *in, const rf_mshr_out *out) {
    const uint32_t all = (uint32_t)rf_mask64(m->cfg.mshrs), busy = m->busy_q, free = all & ~busy, last = m->cfg.mshrs - 1;
    const bool merge = in->merge && out->match_room, allocate = in->allocate && out->free;
    uint32_t lines = 0, rooms = 0; /* entries with the line, that have room */
    for (uint32_t e = 0; e < m->cfg.mshrs; e++) {
        lines |= (uint32_t)(m->line_q[e] == in->line) << e;
        rooms |= (uint32_t)rf_mshr_room(m, e) << e;
    }
    const uint32_t found = lines & busy;
    const bool single = free != 0 && (free & (free - 1)) == 0;
    return BIN(IDLE, !in->merge && !in->allocate && !in->done) | BIN(EMPTY, busy == 0) | BIN(FULL, free == 0) |
           BIN(MATCH, found) | BIN(MATCH_LAST, out->match && out->match_entry == last) |
           BIN(MATCH_SEVERAL, (found & (found - 1)) != 0) | BIN(MATCH_FULL, out->match && !out->match_room) |
           BIN(STALE, lines != 0 && found == 0) | BIN(HOLE, busy > (free & (~free + 1)) && free != 0) |
           BIN(LAST_FREE, free == UINT32_C(1) << last) | BIN(NO_REG, out->free && !out->room_reg) |
           BIN(NO_CACHE, out->free && !out->room_cache) | BIN(ONE_MIXED, single && out->room_reg && out->room_cache) |
           BIN(ALLOCATE, allocate) | BIN(ALLOCATE_REG, allocate && in->reg) | BIN(ALLOCATE_CACHE, allocate && !in->reg) |
           BIN(NO_TARGET, allocate && !in->target) | BIN(NOT_KEPT, allocate && !in->keep) |
           BIN(ALLOCATE_LAST, allocate && single) | BIN(NO_FREE, in->allocate && !out->free) |
           BIN(SECOND, allocate && out->match) | BIN(STALE_ALLOCATE, allocate && (lines >> out->free_entry & 1) != 0) |
           BIN(MERGE, merge) | BIN(MERGE_FIRST, merge && m->count_q[out->match_entry] == 0) |
           BIN(MERGE_LAST, merge && m->count_q[out->match_entry] + 1u == m->cfg.targets) |
           BIN(MERGE_NOT_KEPT, merge && !in->keep) | BIN(NO_MATCH, in->merge && !out->match) |
           BIN(NO_ROOM, in->merge && out->match && !out->match_room) |
           BIN(NO_ROOM_SECOND, in->merge && out->match && !out->match_room && (found & rooms) != 0) |
           BIN(BOTH, merge && allocate) | done_bins(m, in, out, merge, allocate);
}

static void unreachable(const rf_mshr_cfg *cfg, ls_unreachable *to) {
    static const uint8_t others[] = {B_MATCH_SEVERAL, B_HOLE,          B_SECOND,     B_NO_ROOM_SECOND,
                                     B_BOTH,          B_DONE_ALLOCATE, B_DONE_MERGE, B_DONE_BOTH};
    for (size_t i = 0; i < sizeof others; i++) ls_unreachable_if(to, cfg->mshrs == 1, others[i], "one entry");
    ls_unreachable_if(to, cfg->mshrs == 2, B_DONE_BOTH, "two entries");
    ls_unreachable_if(to, cfg->mshrs == 2 && cfg->reserve == 1, B_ONE_MIXED, "the one busy entry is of one class");
    ls_unreachable_if(to, cfg->reserve == 0, B_NO_REG, "no entry is reserved");
    ls_unreachable_if(to, cfg->reserve == 0, B_NO_CACHE, "no entry is reserved");
    ls_unreachable_if(to, cfg->mshrs == UINT32_C(1) << rf_index_bits(cfg->mshrs), B_DONE_BEYOND, "every number is an entry's");
}

#define SMALL "MSHRS=3 TARGETS=2 LINE_W=4 ID_W=3"

static const ls_fault faults[] = {
    {"a free entry matches", NULL, "busy_q[e] && line_q[e] == line_i", "line_q[e] == line_i", "match", SMALL},
    {"lines match without their top bit", NULL, "line_q[e] == line_i", "line_q[e][LINE_W-2:0] == line_i[LINE_W-2:0]", "match",
     SMALL},
    {"the highest entry matches", NULL, "match = `RF_LOWEST(found)",
     "match = found[MSHRS-1] ? MSHRS'(1) << (MSHRS - 1) : `RF_LOWEST(found)", "match_entry", SMALL},
    {"room for a target too many", NULL, "count_q[e] != COUNT_W'(TARGETS)", "1'b1", "match_room", SMALL},
    {"no room for the last target", NULL, "count_q[e] != COUNT_W'(TARGETS)", "count_q[e] < COUNT_W'(TARGETS - 1)", "match_room",
     SMALL},
    {"what is not kept takes more targets", NULL, "keep_q[e] && count_q[e]", "count_q[e]", "match_room", SMALL},
    {"room in any entry with the line", NULL, "(match & room) != '0", "(found & room) != '0", "match_room", SMALL},
    {"the entry that is done counts as free", NULL, "free  = ~busy_q", "free  = ~(busy_q & ~done)", "free_entry", SMALL},
    {"the last entry of all goes to a register", NULL, "several || (busy_q & ~reg_q) != '0", "1'b1", "room_reg", SMALL},
    {"the classes are exchanged", NULL, "several || (busy_q & reg_q) != '0", "several || (busy_q & ~reg_q) != '0", "room_cache",
     SMALL},
    {"a free entry's old class counts", NULL, "several || (busy_q & reg_q) != '0", "several || reg_q != '0", "room_cache", SMALL},
    {"a reserve although there is none", NULL, "assign room_reg_o   = free_o;",
     "assign room_reg_o   = free_o && ((free & ~next) != '0 || (busy_q & ~reg_q) != '0);", "room_reg",
     "MSHRS=3 TARGETS=2 LINE_W=4 ID_W=3 RESERVE=0"},
    {"a free entry is shown", NULL, "shown[e] = busy_q[e] && done_entry_i", "shown[e] = done_entry_i", "done_busy", SMALL},
    {"all entries' targets are shown", NULL, "id_q[e*TARGETS+t] & {ID_W{shown[e]}}", "id_q[e*TARGETS+t]", "done_id", SMALL},
    {"the first target is shown for all", NULL, "id_q[e*TARGETS+t] & {ID_W{shown[e]}}", "id_q[e*TARGETS] & {ID_W{shown[e]}}",
     "done_id", SMALL},
    {"kept what is not to be", NULL, "(shown & keep_q) != '0", "shown != '0", "done_keep", SMALL},
    {"an entry that is done stays busy", NULL, "busy_d = (busy_q | allocate) & ~done", "busy_d = busy_q | allocate", "busy_q",
     SMALL},
    {"an entry is freed without done", NULL, "done     = shown & {MSHRS{done_i}}", "done     = shown", "busy_q", SMALL},
    {"allocate beside a merge is lost", NULL, "next & {MSHRS{allocate_i}}", "next & {MSHRS{allocate_i && !merge_i}}", "busy_q",
     SMALL},
    {"done of the free entry beats allocate", NULL, "busy_d = (busy_q | allocate) & ~done",
     "busy_d = (busy_q | allocate) & ~done & ~({MSHRS{done_i}} & (MSHRS'(1) << done_entry_i))", "busy_q", SMALL},
    {"a merge into what is done counts", NULL, "match & room & ~done & {MSHRS{merge_i}}", "match & room & {MSHRS{merge_i}}",
     "count_q", SMALL},
    {"a merge is lost when any entry is done", NULL, "match & room & ~done & {MSHRS{merge_i}}",
     "match & room & {MSHRS{merge_i && done == '0}}", "count_q", SMALL},
    {"a merge into all entries with the line", NULL, "match & room & ~done & {MSHRS{merge_i}}",
     "(keep_i ? found : match) & room & ~done & {MSHRS{merge_i}}", "count_q", SMALL},
    {"a merge into a full entry", NULL, "match & room & ~done & {MSHRS{merge_i}}", "match & ~done & {MSHRS{merge_i}}", "count_q",
     SMALL},
    {"the requester of a store waits too", NULL, "count_q[e] <= COUNT_W'(target_i);", "count_q[e] <= COUNT_W'(1);", "count_q",
     SMALL},
    {"a new entry keeps its targets", NULL, "count_q[e] <= COUNT_W'(target_i);", "count_q[e] <= count_q[e];", "count_q", SMALL},
    {"a number is stored though nobody waits", NULL, "if (target_i) id_q[e*TARGETS] <=", "id_q[e*TARGETS] <=", "id_q", SMALL},
    {"a merge overwrites the first target", NULL,
     "if (count_q[e] == COUNT_W'(t)) id_q[e*TARGETS+t] <=", "if (t == 0) id_q[e*TARGETS+t] <=", "id_q", SMALL},
    {"a register becomes cache data when it goes on", NULL, "reg_d  = (reg_q & ~allocate) | ",
     "reg_d  = (reg_q & ~merge & ~allocate) | ", "reg_q", SMALL},
    {"keep is never taken back", NULL, "keep_d = (keep_q & ~allocate & ", "keep_d = (keep_q & ", "keep_q", SMALL},
    {"a merge does not take keep back", NULL, " & ~(merge & {MSHRS{!keep_i}})", "", "keep_q", SMALL},
    {"every merge takes keep back", NULL, "~(merge & {MSHRS{!keep_i}})", "~merge", "keep_q", SMALL},
    {"lines are not reset", NULL, "        line_q[e]  <= '0;\n", "", "line_q", SMALL},
    {"an allocation beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !allocate_i) begin", "busy_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "MSHRS=1 TARGETS=1 LINE_W=1 ID_W=1 RESERVE=0",
                                   "MSHRS=2 TARGETS=2 LINE_W=3 ID_W=2",
                                   "MSHRS=2 TARGETS=1 LINE_W=24 ID_W=8 RESERVE=0",
                                   "MSHRS=3 TARGETS=8 LINE_W=5 ID_W=5",
                                   "MSHRS=5 TARGETS=3 LINE_W=19 ID_W=4 RESERVE=0",
                                   "MSHRS=16 TARGETS=8 LINE_W=25 ID_W=8",
                                   "MSHRS=16 TARGETS=5 LINE_W=2 ID_W=1",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_mshr
#define LS_GROUP "cerf"
#define LS_BRIEF "miss status holding registers of a bank"
#define LS_FIELDS "tb/cerf/rf_mshr.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
