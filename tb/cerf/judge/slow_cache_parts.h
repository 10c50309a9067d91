/* SPDX-License-Identifier: Apache-2.0 */
/* What the slow model of rf_cache_bank has: entries that remember when they were used, lists of messages and targets, an access
 * that knows its kind; and what is looked up in them, by the sentences of the contracts of the units inside. `flaw` breaks one
 * rule at a time, so that a test can prove that its runs depend on the rule and its comparer sees it. */
#ifndef RF_SLOW_CACHE_PARTS_H
#define RF_SLOW_CACHE_PARTS_H

#include "tb/cerf/judge/cache_bank_events.h"

#define NOWHERE UINT32_MAX /* no way, no MSHR */

typedef struct slow_entry {
    uint32_t state, tag;
    int64_t used; /* when it became the youngest */
    uint32_t row[RF_LANES_MAX];
} slow_entry;

typedef struct slow_miss {
    bool busy, reg, keep;
    uint32_t line, targets, id[RF_MSHR_TARGETS_MAX];
} slow_miss;

typedef struct slow_message {
    uint32_t op, line, entry, mask, data[RF_LANES_MAX];
} slow_message;

typedef enum slow_kind { IDLE, READ, ZEROS, WRITE, VICTIM_WRITE, VICTIM, MESSAGE, FILL } slow_kind;

/* What the data stage does. */
typedef struct slow_access {
    slow_kind kind;
    uint32_t step;
    uint32_t row, id;
    uint32_t mask, data[RF_LANES_MAX]; /* written into the row, or to L2 */
    slow_message message;              /* of a victim without its data */
    bool spills, placed;               /* a fill: a victim goes to L2, it has a row */
    uint32_t targets, target[RF_MSHR_TARGETS_MAX];
} slow_access;

typedef struct slow_cache_bank {
    rf_cache_bank_cfg cfg;
    slow_entry entry[RF_BANK_ROWS_MAX]; /* set * WAYS + way */
    int64_t now;
    slow_miss miss[RF_MSHRS_MAX];
    slow_message queue[RF_MISS_QUEUE_MAX]; /* the oldest first ... */
    uint32_t queued;
    slow_message lies[RF_MISS_QUEUE_MAX]; /* ... and what lies in each place of the memory behind it */
    uint32_t pushes, pops;
    slow_access access;
    uint32_t was_read[RF_LANES_MAX];
    bool answers, answers_zero; /* what was read in the cycle before */
    uint32_t answer_id;
} slow_cache_bank;

/* What happens in one cycle. */
typedef struct slow_turn {
    rf_cache_bank_out out;
    bool free, room;     /* of the data stage, of the queue */
    bool taken, changed; /* the fill; an entry: ... */
    uint32_t at, event, tag;
    bool allocates, touches;
    bool asks_again; /* neither accepted nor refused */
    bool starts;     /* an access: */
    slow_access access;
    bool fetches, merges; /* an MSHR is taken, or gets a target */
    slow_miss miss;       /* it is to be */
    uint32_t miss_at;
    bool did[BANK_EVENTS];
} slow_turn;

static inline uint32_t all_lanes(const slow_cache_bank *s) { return (uint32_t)ls_mask(s->cfg.lanes); }

static inline void words_copy(uint32_t *to, const uint32_t *from, uint32_t mask) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++)
        if (judge_bit(mask, l)) to[l] = from[l];
}

static inline void slow_bank_reset(slow_cache_bank *s) {
    for (uint32_t i = 0; i < s->cfg.sets * s->cfg.ways; i++) {
        s->entry[i].state = RF_LINE_INACTIVE;
        s->entry[i].used = -(int64_t)(i % s->cfg.ways);
    }
    s->now = 0;
    memset(s->miss, 0, sizeof s->miss);
    memset(s->lies, 0, sizeof s->lies);
    s->queued = s->pushes = s->pops = 0;
    memset(&s->access, 0, sizeof s->access);
    memset(s->was_read, 0, sizeof s->was_read);
    s->answers = s->answers_zero = false;
    s->answer_id = 0;
}

static inline void slow_bank_start(slow_cache_bank *s, const rf_cache_bank_cfg *cfg) {
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    slow_bank_reset(s);
}

/* --- tags --------------------------------------------------------------------------------------------------------------------
 */

static inline slow_entry *entry_at(const slow_cache_bank *s, uint32_t set, uint32_t way) {
    return (slow_entry *)&s->entry[set * s->cfg.ways + way];
}

static inline uint32_t line_of(const slow_cache_bank *s, uint32_t set, uint32_t tag) { return tag * s->cfg.sets + set; }

/* "hit: a way of `set` is not inactive and has `tag` (two of them ...: the lowest way)". */
static inline uint32_t way_that_hits(const slow_cache_bank *s, uint32_t set, uint32_t tag) {
    for (uint32_t w = 0; w < s->cfg.ways; w++) {
        const slow_entry *e = entry_at(s, set, w);
        if ((e->state != RF_LINE_INACTIVE || flaw == HITS_THE_DEAD) && e->tag == tag) return w;
    }
    return NOWHERE;
}

static inline bool holds_cache(uint32_t state) { return state == RF_LINE_CACHE || state == RF_LINE_DIRTY; }

static inline bool is_lost(uint32_t state) {
    if (flaw == REGISTERS_ARE_NOT_SPILLED && state == RF_LINE_REG) return false;
    return state == RF_LINE_REG || state == RF_LINE_DIRTY || (flaw == CLEAN_IS_SPILLED && state == RF_LINE_CACHE);
}

static inline bool may_be_replaced(const slow_cache_bank *s, const slow_entry *e) {
    if (flaw == EVERY_POLICY_IS_FAIR || s->cfg.policy == RF_POLICY_FAIR) return true;
    return s->cfg.policy == RF_POLICY_REGISTERS ? holds_cache(e->state) : e->state == RF_LINE_REG;
}

/* "An inactive entry first, the lowest way of them. Else the oldest of those that the policy allows". */
static inline uint32_t way_that_yields(const slow_cache_bank *s, uint32_t set, bool cache, bool *did) {
    uint32_t best = NOWHERE, oldest = 0, allowed = 0, vacant = 0, chosen = NOWHERE;
    for (uint32_t w = s->cfg.ways; w-- > 0;) {
        const slow_entry *e = entry_at(s, set, w);
        if (e->used < entry_at(s, set, oldest)->used) oldest = w;
        if (e->state == RF_LINE_INACTIVE) vacant++, chosen = flaw == HIGHEST_VACANT && vacant > 1 ? chosen : w;
        if (!may_be_replaced(s, e)) continue;
        allowed++;
        if (best == NOWHERE ||
            (flaw == YOUNGEST_YIELDS ? e->used > entry_at(s, set, best)->used : e->used < entry_at(s, set, best)->used))
            best = w;
    }
    did[VACANT_LOWEST] |= vacant > 1;
    did[VACANT_YOUNGER] |= vacant > 0 && chosen != oldest;
    if (chosen != NOWHERE) return chosen;
    did[OLDEST_OF_SEVERAL] |= allowed > 1;
    did[POLICY_SPARES] |= best != NOWHERE && best != oldest && flaw == RIGHT;
    if (best != NOWHERE || s->cfg.policy != RF_POLICY_CACHE || !cache) return best;
    did[CACHE_FINDS_NONE] = true;
    return flaw == CACHE_FINDS_NO_PLACE ? NOWHERE : oldest;
}

/* [CERF Fig. 6] as the table of rf_line_state has it. */
static inline uint32_t state_after(uint32_t state, uint32_t event) {
    const bool cache = holds_cache(state);
    switch (event) {
    case RF_LINE_WRITE_REG:
        return flaw == WRITE_KEEPS_STATE && cache ? state : RF_LINE_REG;
    case RF_LINE_FILL_REG:
        return flaw == FILL_IS_CACHE ? RF_LINE_CACHE : RF_LINE_REG;
    case RF_LINE_FILL_CACHE:
        return flaw == FILL_IS_DIRTY ? RF_LINE_DIRTY : RF_LINE_CACHE;
    case RF_LINE_DIE:
        return cache && flaw != ANYTHING_DIES ? state : RF_LINE_INACTIVE;
    case RF_LINE_STORE:
        return cache || flaw == STORE_DIRTIES_ALL ? RF_LINE_DIRTY : state;
    case RF_LINE_DROP:
        return RF_LINE_INACTIVE;
    default:
        return state;
    }
}

/* --- MSHRs and queue ---------------------------------------------------------------------------------------------------------
 */

static inline uint32_t miss_of(const slow_cache_bank *s, uint32_t line) {
    for (uint32_t i = 0; i < s->cfg.mshrs; i++)
        if (s->miss[i].busy && s->miss[i].line == line) return i;
    return NOWHERE;
}

static inline uint32_t free_miss(const slow_cache_bank *s) {
    uint32_t i = 0;
    while (i < s->cfg.mshrs && s->miss[i].busy) i++;
    return i < s->cfg.mshrs ? i : NOWHERE;
}

/* "with RESERVE registers take at most MSHRS - 1 entries, and so does cache data". */
static inline bool room_for(const slow_cache_bank *s, bool reg) {
    uint32_t same = 0;
    for (uint32_t i = 0; i < s->cfg.mshrs; i++) same += s->miss[i].busy && s->miss[i].reg == reg;
    if (free_miss(s) == NOWHERE) return false;
    return s->cfg.reserve == 0 || same + 1 < s->cfg.mshrs || flaw == NO_RESERVE;
}

static inline uint32_t steps_of(const slow_access *a) {
    if (a->kind == VICTIM || a->kind == VICTIM_WRITE) return 2;
    if (a->kind != FILL) return 1;
    return a->targets < 1 ? 2 : a->targets + 1;
}

/* The step in which it pushes; NOWHERE if it does not. */
static inline uint32_t push_step(const slow_access *a) {
    if (a->kind == MESSAGE) return 0;
    return a->kind == VICTIM || a->kind == VICTIM_WRITE || (a->kind == FILL && a->spills) ? 1 : NOWHERE;
}

static inline bool reads_row(const slow_access *a) {
    return a->step == 0 && (a->kind == READ || a->kind == VICTIM || a->kind == VICTIM_WRITE || (a->kind == FILL && a->spills));
}

static inline bool writes_row(const slow_access *a) {
    return (a->kind == WRITE && a->step == 0) || (a->kind == VICTIM_WRITE && a->step == 1) ||
           (a->kind == FILL && a->placed && a->step == 1);
}

/* "the data stage is free or in its last step" */
static inline bool stage_is_free(const slow_cache_bank *s) {
    return s->access.kind == IDLE || s->access.step + 1 == steps_of(&s->access);
}

static inline bool has_yet_to_push(const slow_cache_bank *s) {
    const uint32_t step = push_step(&s->access);
    return s->access.kind != IDLE && step != NOWHERE && s->access.step <= step;
}

/* "the queue has room for one more message beside the one that the data stage has yet to push" */
static inline bool queue_has_room(const slow_cache_bank *s) {
    uint32_t coming = has_yet_to_push(s);
    if (flaw == ROOM_FORGETS_COMING) coming = 0;
    if (flaw == ROOM_COUNTS_PUSHED) coming = s->access.kind != IDLE && push_step(&s->access) != NOWHERE;
    return s->queued + coming < s->cfg.queue;
}

#endif
