/* SPDX-License-Identifier: Apache-2.0 */
/* The slow models of the register file of one active warp [hierarchy 4], for the judges of what is made of such files: a cache in
 * which every value remembers when it was used, and a table of sixteen names. `flaw` breaks one rule at a time, so that a test
 * can prove that its runs depend on the rule and its comparer sees it. */
#ifndef RF_SLOW_FILES_H
#define RF_SLOW_FILES_H

#include "cmodel/hierarchy/rf_levels.h"

#include "tb/common/judge/judge.h"

#define ABSENT 255u /* no slot, queue, place */
#define TOP 8u      /* place of the L0's value in a cache; below it the entries of the L1 */

/* clang-format off */
#define FLAWS(X) \
    X(RIGHT, "no flaw") \
    X(LAST_FREES, "a last read frees the entry") \
    X(DEAD_IS_SENT, "a dead entry that gives way is sent") \
    X(DEAD_STAYS_DEAD, "a merge leaves an entry dead") \
    X(READ_TOUCHES_ALWAYS, "FIFO counts reads") \
    X(MERGE_TOUCHES_NOT, "LRU does not count merges") \
    X(TOUCHES_BACKWARDS, "the sources touch their entries from the highest slot down") \
    X(AROUND_KEEPS, "a result that goes around leaves the old entry") \
    X(PARTIAL_ALLOCATES, "a result of some lanes takes an entry") \
    X(L0_DROPS, "the L0's value is lost when it gives way") \
    X(FLUSH_L1_FIRST, "a flush begins with the L1") \
    X(FLUSH_KEEPS_DEAD, "a flush leaves dead entries") \
    X(WRITE_BEFORE_READ, "a result meets the file as it is before the reads of its cycle") \
    X(SHARED_READS_L0, "a shared unit reads the L0") \
    X(SHARED_WRITES_L0, "a shared unit writes the L0") \
    X(ANY_BANK, "a slot reads every bank of a split L0") \
    X(NO_POISON, "a lane that is not held reads as 0") \
    X(CLEAR_ENDS_PENDING, "the end of a strand forgets what is under way") \
    X(CLEAR_LAST, "the end of a strand clears what is written in its cycle") \
    X(SET_FIRST, "a name that is set and written is not pending") \
    X(ENTRY_NEEDS_NO_PORT, "an entry is sent without a read port") \
    X(RESULT_NEEDS_PORT, "a result that goes to the MRF waits for a read port") \
    X(FLUSH_NEEDS_NO_PORT, "a flush needs no read port") \
    X(FLUSH_SHARES_PORT, "the entry of the result and that of the flush share a read port") \
    X(UNREAD_TAKES_PORT, "sources that hit take read ports without an issue") \
    X(ENTRY_TAKES_QUEUE_REG, "an entry is sent under the result's register") \
    X(LEAVING_ALLOCATES, "a result of a leaving warp takes an entry") \
    X(FLUSH_LOWEST_ONLY, "no slot is flushed while the lowest that could be has a result") \
    X(FLUSH_HIGHEST, "the highest leaving slot is flushed first") \
    X(FLUSH_EMPTY_SLOT, "the lowest leaving slot is flushed, whatever it holds") \
    X(KEEP_BESIDE_RESULT, "an operand is kept beside a result") \
    X(TURN_AT_OFFER, "the turn moves on when a result is offered") \
    X(LOWEST_FIRST, "the lowest queue is offered first") \
    X(OTHERS_ASK, "results that are not offered ask for themselves") \
    X(NAME_BEFORE_GRANT, "a name is written before the MRF is") \
    X(NAMED_ONLY, "a result for a name is not written to the MRF") \
    X(KEPT_NOT_PENDING, "the name of a kept operand is not pending") \
    X(KEEP_HIGHEST, "the highest of several operands is kept") \
    X(HOLD_NEVER, "a slot is free at once") \
    X(ENTER_CLEARS_NOT, "a warp that enters finds the last one's values") \
    X(SLOTLESS_WAITS, "a result without a slot waits")
/* clang-format on */
enum { FLAWS(JUDGE_NAME) FLAW_COUNT };
static const char *const flaw_names[FLAW_COUNT] = {FLAWS(JUDGE_TEXT)};
static uint32_t flaw;

/* What goes to the MRF. */
typedef struct slow_sent {
    bool any, entry; /* an entry, not the result itself */
    uint32_t warp, reg, mask, lane[RF_LANES_MAX];
} slow_sent;

typedef struct slow_result_of {
    uint32_t reg, mask;
    const uint32_t *lane;
    bool around, low;
} slow_result_of;

static inline void lanes_copy(uint32_t *to, const uint32_t *from, uint32_t mask) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++)
        if (judge_bit(mask, l)) to[l] = from[l];
}

static inline uint32_t lanes_all(uint32_t lanes) {
    uint32_t mask = 0;
    for (uint32_t l = 0; l < lanes; l++) mask |= UINT32_C(1) << l;
    return mask;
}

/* --- the cache -------------------------------------------------------------------------------------------------------------- */

typedef struct slow_value {
    bool there, dead;
    uint32_t reg, lane[RF_LANES_MAX]; /* also of what is not there any more */
    uint64_t used;                    /* when: the more, the newer; of the L1 */
} slow_value;

typedef struct slow_cache {
    slow_value at[TOP + 1];
    uint64_t uses;
} slow_cache;

static inline void cache_reset(const rf_levels_cfg *cfg, slow_cache *c) {
    memset(c, 0, sizeof *c);
    for (uint32_t e = 0; e < cfg->entries; e++) c->at[e].used = ++c->uses;
}

static inline uint32_t cache_find(const slow_cache *c, uint32_t reg) {
    for (uint32_t i = 0; i <= TOP; i++)
        if (c->at[i].there && c->at[i].reg == reg) return i;
    return ABSENT;
}

static inline bool cache_holds(const slow_cache *c) {
    bool any = false;
    for (uint32_t i = 0; i <= TOP; i++) any = any || c->at[i].there;
    return any;
}

static inline void cache_use(const rf_levels_cfg *cfg, slow_cache *c, uint32_t i) {
    if (cfg->policy == 1) c->at[i].used = ++c->uses;
}

/* The sources of an instruction that issues. */
static inline void cache_read(const rf_levels_cfg *cfg, slow_cache *c, const rf_levels_in *in) {
    bool frees[TOP + 1] = {false};
    for (uint32_t n = 0; n < cfg->slots; n++) {
        const uint32_t k = flaw == TOUCHES_BACKWARDS ? cfg->slots - 1 - n : n;
        const uint32_t i = judge_bit(in->rd_valid, k) ? cache_find(c, in->rd_reg[k]) : ABSENT;
        if (i == ABSENT) continue;
        cache_use(cfg, c, i);
        if (flaw == READ_TOUCHES_ALWAYS) c->at[i].used = ++c->uses;
        if (judge_bit(in->last, k)) c->at[i].dead = frees[i] = true;
    }
    for (uint32_t i = 0; i <= TOP; i++)
        if (frees[i] && flaw == LAST_FREES) c->at[i].there = c->at[i].dead = false;
}

static inline slow_sent send_value(const rf_levels_cfg *cfg, const slow_value *v) {
    slow_sent s = {.any = true, .entry = true, .reg = v->reg, .mask = lanes_all(cfg->lanes)};
    lanes_copy(s.lane, v->lane, UINT32_MAX);
    return s;
}

static inline void write_value(slow_value *v, uint32_t reg, const uint32_t *lane) {
    v->there = true;
    v->dead = false;
    v->reg = reg;
    lanes_copy(v->lane, lane, UINT32_MAX);
}

/* The L1's value that was used longest ago gives way. */
static inline slow_sent cache_replace(const rf_levels_cfg *cfg, slow_cache *c, uint32_t reg, const uint32_t *lane) {
    slow_value *oldest = &c->at[0];
    slow_sent sent = {0};
    for (uint32_t e = 1; e < cfg->entries; e++)
        if (c->at[e].used < oldest->used) oldest = &c->at[e];
    if (oldest->there && (!oldest->dead || flaw == DEAD_IS_SENT)) sent = send_value(cfg, oldest);
    write_value(oldest, reg, lane);
    oldest->used = ++c->uses;
    return sent;
}

/* A result comes; what goes to the MRF for it. */
static inline slow_sent cache_write(const rf_levels_cfg *cfg, slow_cache *c, const slow_result_of *r) {
    const bool whole = r->mask == lanes_all(cfg->lanes) || flaw == PARTIAL_ALLOCATES;
    const bool upwards = cfg->l0 != 0 && !r->low;
    const uint32_t own = cache_find(c, r->reg);
    slow_sent sent = {0};
    if (own != ABSENT && r->mask != lanes_all(cfg->lanes)) {
        lanes_copy(c->at[own].lane, r->lane, r->mask);
        if (flaw != DEAD_STAYS_DEAD) c->at[own].dead = false;
        if (flaw != MERGE_TOUCHES_NOT) cache_use(cfg, c, own);
        return sent;
    }
    if (!whole || r->around) {
        sent = (slow_sent){.any = true, .reg = r->reg, .mask = r->mask};
        lanes_copy(sent.lane, r->lane, UINT32_MAX);
        if (own != ABSENT && flaw != AROUND_KEEPS) c->at[own].there = c->at[own].dead = false;
        return sent;
    }
    if (own != ABSENT && (own == TOP) == upwards) {
        write_value(&c->at[own], r->reg, r->lane);
        cache_use(cfg, c, own);
        return sent;
    }
    if (own != ABSENT) c->at[own].there = c->at[own].dead = false;
    if (!upwards) return cache_replace(cfg, c, r->reg, r->lane);
    if (c->at[TOP].there && !c->at[TOP].dead && flaw != L0_DROPS) sent = cache_replace(cfg, c, c->at[TOP].reg, c->at[TOP].lane);
    write_value(&c->at[TOP], r->reg, r->lane);
    return sent;
}

/* One step of a flush: the L0, then the lowest; what is dead is gone too. */
static inline slow_sent cache_flush(const rf_levels_cfg *cfg, slow_cache *c) {
    uint32_t next = ABSENT;
    for (uint32_t i = 0; i <= TOP; i++)
        if (c->at[i].there && !c->at[i].dead && (next == ABSENT || (i == TOP && flaw != FLUSH_L1_FIRST))) next = i;
    for (uint32_t i = 0; i <= TOP; i++)
        if (i == next || (c->at[i].dead && flaw != FLUSH_KEEPS_DEAD)) c->at[i].there = c->at[i].dead = false;
    return next != ABSENT ? send_value(cfg, &c->at[next]) : (slow_sent){0};
}

/* --- the names -------------------------------------------------------------------------------------------------------------- */

typedef struct slow_name {
    bool pending;
    uint32_t held, lane[RF_LANES_MAX]; /* also of a lane that is not held any more */
} slow_name;

typedef struct slow_names {
    slow_name of[RF_LEVEL_NAMES];
} slow_names;

static inline bool name_is_l0(uint32_t name) { return judge_bit(name, 3); }

static inline bool name_exists(const rf_levels_cfg *cfg, uint32_t name) {
    const uint32_t banks = cfg->l0 == 2 ? cfg->slots : cfg->l0;
    return name_is_l0(name) ? name % 8 < banks : name < cfg->entries;
}

/* A lane of what source k reads. */
static inline uint32_t name_read(const rf_levels_cfg *cfg, const slow_names *n, uint32_t k, uint32_t name, bool shared,
                                 uint32_t lane) {
    bool way = name_exists(cfg, name);
    if (name_is_l0(name) && shared && flaw != SHARED_READS_L0) way = false;
    if (name_is_l0(name) && cfg->l0 == 2 && name % 8 != k && flaw != ANY_BANK) way = false;
    if (way && judge_bit(n->of[name].held, lane)) return n->of[name].lane[lane];
    return flaw == NO_POISON ? 0 : 0xdeadc0deu;
}

static inline void name_write(const rf_levels_cfg *cfg, slow_names *n, uint32_t name, uint32_t mask, const uint32_t *lane,
                              bool shared) {
    if (!name_exists(cfg, name)) return;
    n->of[name].pending = false;
    if (shared && name_is_l0(name) && flaw != SHARED_WRITES_L0) return;
    lanes_copy(n->of[name].lane, lane, mask);
    n->of[name].held |= mask;
}

static inline void name_set(const rf_levels_cfg *cfg, slow_names *n, uint32_t name) {
    if (name_exists(cfg, name)) n->of[name].pending = true;
}

static inline void names_clear(slow_names *n) {
    for (uint32_t name = 0; name < RF_LEVEL_NAMES; name++) {
        n->of[name].held = 0;
        if (flaw == CLEAR_ENDS_PENDING) n->of[name].pending = false;
    }
}

static inline bool names_pend(const slow_names *n) {
    bool any = false;
    for (uint32_t name = 0; name < RF_LEVEL_NAMES; name++) any = any || n->of[name].pending;
    return any;
}

#endif
