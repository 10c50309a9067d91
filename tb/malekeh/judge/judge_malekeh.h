/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of the operand stage with caching collector units [Malekeh] that judges rf_malekeh: judge_banked.h, whose
 * collectors are given memories. An entry remembers when it was used, a replacement asks every entry, STHLD walks along a list of
 * edges. */
#ifndef RF_JUDGE_MALEKEH_H
#define RF_JUDGE_MALEKEH_H

#include "cmodel/malekeh/rf_malekeh.h"

#include "tb/banked/judge/judge_banked.h"
#include "tb/malekeh/judge/judge_malekeh_seen.h"

typedef struct slow_entry {
    bool valid, lock, near;
    bool by_result; /* a result took it: for counting */
    uint32_t tag, data[32];
    uint64_t used; /* when: the more, the more recent */
    uint64_t by;   /* BOW: which instruction of the CCU named it last */
} slow_entry;

/* BOW: the result that an instruction in the window waits for, if any. */
typedef struct slow_owed {
    bool is;
    uint32_t reg;
} slow_owed;

/* What a CCU has beside a collector; its warp is the collector's. */
typedef struct slow_cache {
    bool owned, dst_near;
    slow_entry entry[8];
    uint32_t index[8]; /* by slot: entry */
    uint64_t taken;    /* BOW: instructions, and one */
    slow_owed owed[2]; /* BOW: to the last of them, to the one before */
} slow_cache;

typedef struct slow_malekeh {
    rf_malekeh_cfg cfg;
    slow_stage stage;
    slow_cache cache[16];
    bool near_stored[8][16]; /* by port, as slow_queue.stored */
    uint64_t clock;          /* of entries' use */
    uint32_t waited; /* cycles with a waiting request since the last replacement, or with clear 1 the last of near values */
    uint32_t last_replaced;
    uint32_t state, sthld, cycles, issued, issued_before; /* of rf_sthld */
    bool random[16];                                      /* the LFSR, lowest bit first */
    uint64_t lost;                                        /* BOW: values of the window that were not kept */
    uint64_t *seen;                                       /* events */
} slow_malekeh;

/* What happens in one cycle beside slow_cycle; NONE where nothing does. */
typedef struct slow_turn {
    slow_cycle stage;
    bool own_busy[64], held[64]; /* by warp */
    bool waits[4];               /* by group */
    bool replaced[16];           /* by collector: taken from another warp */
    bool flush[16], emptied[16]; /* its warp starts anew; all that it holds is lost */
    bool hit[16][8];             /* by collector and slot of the instruction that it takes */
    bool counts[16][8];          /* by collector and port: a result for its warp ... */
    bool may[16][8];             /* ... that may have port D */
    uint32_t on_d[16];           /* by collector: port whose result is on port D */
} slow_turn;

/* The sizes of the stage without caches. SCHED 3 keeps only the ages. */
static inline rf_banked_cfg stage_cfg(const rf_malekeh_cfg *cfg) {
    return (rf_banked_cfg){.warps = cfg->warps,
                           .collectors = cfg->collectors,
                           .banks = cfg->banks,
                           .regs = cfg->regs,
                           .lanes = cfg->lanes,
                           .slots = cfg->slots,
                           .exports = cfg->exports,
                           .issues = cfg->issues,
                           .ports = cfg->ports,
                           .sched = cfg->sched,
                           .fetch = cfg->fetch,
                           .wbdepth = cfg->wbdepth,
                           .serial = cfg->serial};
}

/* As after reset; the banks keep what they hold. */
static inline void malekeh_reset(slow_malekeh *s) {
    slow_reset(&s->stage);
    memset(s->cache, 0, sizeof s->cache);
    memset(s->near_stored, 0, sizeof s->near_stored);
    s->clock = s->cfg.entries;
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        s->cache[c].taken = 1;
        for (uint32_t i = 0; i < s->cfg.entries; i++) s->cache[c].entry[i].used = s->cfg.entries - i;
    }
    s->waited = 0;
    s->last_replaced = s->cfg.collectors - 1;
    s->state = 1;
    s->sthld = s->cfg.sthld;
    s->cycles = s->issued = s->issued_before = 0;
    for (uint32_t i = 0; i < 16; i++) s->random[i] = judge_bit(0xace1, i); /* docs/units/rf_lfsr.md */
}

/* --- this cycle ------------------------------------------------------------------------------------------------------------- */

/* The CCU that warp w owns. */
static inline uint32_t ccu_of(const slow_malekeh *s, uint32_t w) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        if (s->cache[c].owned && s->stage.collector[c].carried.warp == w) return c;
    return NONE;
}

/* How many entries of a CCU are valid; those that are near only. */
static inline uint32_t holds(const slow_malekeh *s, uint32_t c, bool near_only) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->cfg.entries; i++)
        count += s->cache[c].entry[i].valid && (s->cache[c].entry[i].near || !near_only);
    return count;
}

/* [Malekeh 5]: warps with data in a CCU first, inside each class the oldest. */
static inline uint32_t choose_oldest(const slow_malekeh *s, const slow_turn *now, uint32_t g) {
    uint32_t best = NONE;
    for (uint32_t w = g; w < s->cfg.warps; w += s->cfg.issues) {
        if (!now->stage.ready[w]) continue;
        const bool better = best == NONE || (now->held[w] && !now->held[best]) ||
                            (now->held[w] == now->held[best] && s->stage.launched[w] < s->stage.launched[best]);
        if (better) best = w;
    }
    return best;
}

static inline void choose_warps(const slow_malekeh *s, slow_turn *now) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        const uint32_t own = ccu_of(s, w);
        now->own_busy[w] = own != NONE && s->stage.collector[own].busy;
        now->held[w] = own != NONE && holds(s, own, false) > 0;
        now->stage.ready[w] = now->stage.ready[w] && !now->own_busy[w];
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        now->stage.chosen[g] = s->cfg.sched == 3 ? choose_oldest(s, now, g) : choose(&s->stage, now->stage.ready, g);
}

/* A CCU that may be taken for a warp that owns none. */
static inline bool is_open(const slow_malekeh *s, const slow_turn *now, uint32_t c) {
    if (s->stage.collector[c].busy || now->stage.taken_by[c] != NONE) return false;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        if (s->cache[c].owned && now->stage.chosen[g] == s->stage.collector[c].carried.warp) return false;
    return true;
}

/* [Malekeh 6]: its own, else one of nobody, else one that holds only far values, else one after waiting. */
static inline uint32_t give(const slow_malekeh *s, slow_turn *now, uint32_t g) {
    const uint32_t collectors = s->cfg.collectors, own = ccu_of(s, now->stage.chosen[g]);
    bool far[16] = {false}, near[16] = {false};
    if (own != NONE) return s->stage.collector[own].busy || now->stage.taken_by[own] != NONE ? NONE : own;
    for (uint32_t c = 0; c < collectors; c++)
        if (is_open(s, now, c) && !s->cache[c].owned) return c;
    for (uint32_t c = 0; c < collectors; c++) {
        far[c] = is_open(s, now, c) && holds(s, c, true) == 0;
        near[c] = is_open(s, now, c) && holds(s, c, true) > 0;
    }
    uint32_t c = judge_walk(s->last_replaced, far, collectors);
    if (c == collectors) {
        c = judge_walk(s->last_replaced, near, collectors);
        if (c == collectors) return NONE;
        now->waits[g] = s->waited <= (s->cfg.adapt ? s->sthld : s->cfg.sthld);
        if (now->waits[g]) return NONE;
    }
    now->replaced[c] = true;
    return c;
}

static inline void give_collectors(const slow_malekeh *s, slow_turn *now) {
    slow_cycle *stage = &now->stage;
    for (uint32_t c = 0; c < s->cfg.collectors; c++) stage->taken_by[c] = NONE;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        stage->given[g] = stage->other[g] = stage->goes[g] = NONE;
        if (stage->chosen[g] == NONE) continue;
        stage->given[g] = give(s, now, g);
        stage->turn[g] = stage->given[g] != NONE;
        if (!stage->turn[g]) continue;
        stage->taken_by[stage->given[g]] = g;
        stage->goes[g] = stage->chosen[g];
    }
}

/* Slot k of warp w's head is a source. */
static inline bool is_source(const rf_malekeh_in *in, uint32_t w, uint32_t k) {
    return in->ib_mask[w] != 0 && judge_bit(in->ib_src_valid[w], k);
}

/* The valid entry with a tag. */
static inline uint32_t entry_of(const slow_malekeh *s, uint32_t c, uint32_t tag) {
    for (uint32_t i = 0; i < s->cfg.entries; i++)
        if (s->cache[c].entry[i].valid && s->cache[c].entry[i].tag == tag) return i;
    return NONE;
}

/* BOW: which instruction of CCU c, 0 when none, a result for `reg` is kept for: one that stays in the window behind the one taken
 * now, and has left. */
static inline uint64_t kept_for(const slow_malekeh *s, const rf_malekeh_in *in, const slow_turn *now, uint32_t c, uint32_t reg) {
    const slow_cache *u = &s->cache[c];
    const uint32_t g = now->stage.taken_by[c];
    if (g != NONE && judge_bit(in->ib_dst_near, now->stage.goes[g])) return 0; /* a control instruction: nothing stays */
    if (!s->stage.collector[c].busy && u->owed[0].is && u->owed[0].reg == reg) return u->taken;
    return g == NONE && u->owed[1].is && u->owed[1].reg == reg ? u->taken - 1 : 0;
}

/* What comes first to every CCU: is it emptied, what hits, which results count. */
static inline void look_up(const slow_malekeh *s, const rf_malekeh_in *in, slow_turn *now, uint32_t c) {
    const uint32_t warp = s->stage.collector[c].carried.warp, g = now->stage.taken_by[c];
    const uint32_t w = g == NONE ? NONE : now->stage.goes[g];
    now->flush[c] = s->cache[c].owned && judge_bit(in->launch, warp);
    now->emptied[c] = now->flush[c] || (w != NONE && (!s->cache[c].owned || w != warp));
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        now->hit[c][k] =
            w != NONE && !now->emptied[c] && is_source(in, w, k) && entry_of(s, c, in->ib_src[w * s->cfg.slots + k]) != NONE;
    now->on_d[c] = NONE;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_queue *q = &s->stage.queue[e];
        now->counts[c][e] = s->cache[c].owned && now->stage.write[e] && q->waiting[0].warp == warp && q->waiting[0].mask != 0;
        if (!now->counts[c][e]) continue;
        const bool near =
            s->cfg.bow == 1 ? kept_for(s, in, now, c, q->waiting[0].reg) != 0 : s->near_stored[e][q->popped % s->cfg.wbdepth];
        now->may[c][e] = near;
        if (near && now->on_d[c] == NONE) now->on_d[c] = e;
    }
}

static inline void malekeh_comb(const slow_malekeh *s, const rf_malekeh_in *in, slow_turn *now) {
    memset(now, 0, sizeof *now);
    find_hazards(&s->stage, &in->stage, &now->stage);
    choose_warps(s, now);
    give_collectors(s, now);
    find_requests(&s->stage, &now->stage);
    arbitrate(&s->stage, &now->stage);
    dispatch(&s->stage, &in->stage, &now->stage);
    for (uint32_t c = 0; c < s->cfg.collectors; c++) look_up(s, in, now, c);
}

/* --- the edge --------------------------------------------------------------------------------------------------------------- */

static inline uint32_t random_index(const slow_malekeh *s) {
    uint32_t bits = 0, value = 0;
    while (1u << bits < judge_codes(s->cfg.entries)) bits++;
    for (uint32_t i = 0; i < bits; i++) value |= (uint32_t)s->random[i] << i;
    return value;
}

/* Entry a goes before entry b: not valid (lowest first), far (from a random index upwards), near (least recent first). */
static inline bool goes_before(const slow_malekeh *s, const slow_cache *u, uint32_t a, uint32_t b) {
    const slow_entry *x = &u->entry[a], *y = &u->entry[b];
    const uint32_t codes = judge_codes(s->cfg.entries), from = random_index(s);
    if (x->valid != y->valid) return !x->valid;
    if (!x->valid) return a < b;
    if (x->near != y->near) return !x->near;
    if (!x->near) return (a + codes - from) % codes < (b + codes - from) % codes;
    return x->used < y->used;
}

/* BOW: an instruction that hits `used` comes to the window; what only the one before the last named leaves it. */
static inline void move_window(slow_malekeh *s, slow_cache *u, const bool *used) {
    u->taken++;
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        slow_entry *entry = &u->entry[i];
        if (used[i]) continue;
        s->seen[WINDOW_LEFT] += entry->valid && u->taken - entry->by > 1;
        if (u->taken - entry->by > 1) entry->valid = false;
        entry->near = false;
    }
}

/* BOW: and is in it. */
static inline void enter_window(slow_malekeh *s, slow_cache *u, const rf_malekeh_in *in, uint32_t w, uint32_t c) {
    const rf_stage_carried *before = &s->stage.collector[c].carried;
    const bool control = judge_bit(in->ib_dst_near, w);
    u->owed[1] = (slow_owed){u->owed[0].is && !control, before->dst};
    u->owed[0] = (slow_owed){judge_bit(in->ib_dst_valid, w) && in->ib_mask[w] != 0 && !control, in->ib_dst[w]};
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        slow_entry *entry = &u->entry[i];
        if (entry->lock) entry->by = u->taken, entry->near = true;
        s->seen[WINDOW_EMPTIED] += entry->valid && control;
        if (control) entry->valid = false;
    }
}

/* The entry to be replaced, among those that are not kept. */
static inline uint32_t victim(const slow_malekeh *s, const slow_cache *u, const bool *kept) {
    uint32_t best = NONE;
    for (uint32_t i = 0; i < s->cfg.entries; i++)
        if (!kept[i] && (best == NONE || goes_before(s, u, i, best))) best = i;
    return best;
}

static inline void count_taken(const slow_malekeh *s, const slow_cache *u, const bool *kept, uint32_t which) {
    bool older_near = false, lower_far = false, lower = false, valid = false;
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        const slow_entry *entry = &u->entry[i];
        valid = valid || entry->valid;
        if (kept[i] || i == which) continue;
        older_near = older_near || (entry->valid && entry->near && entry->used < u->entry[which].used);
        lower_far = lower_far || (i < which && entry->valid && !entry->near);
        lower = lower || i < which;
    }
    const bool far = u->entry[which].valid && !u->entry[which].near, near = u->entry[which].valid && u->entry[which].near;
    s->seen[TAKES_EMPTY] += valid && !u->entry[which].valid;
    s->seen[TAKES_FAR] += far && older_near;
    s->seen[TAKES_FAR_AT_RANDOM] += far && lower_far;
    s->seen[TAKES_NEAR] += near;
    s->seen[TAKES_NEAR_ABOVE] += near && lower;
}

/* [Malekeh 3.2], steps 2 to 9: the sources of warp w's head get their entries. True when one is replaced. */
static inline bool take_instruction(slow_malekeh *s, const rf_malekeh_in *in, const slow_turn *now, uint32_t c, uint32_t w) {
    slow_cache *u = &s->cache[c];
    const uint8_t *src = &in->ib_src[w * s->cfg.slots];
    bool near[8] = {false}, missed[8] = {false}, used[8] = {false}, took = false;
    u->owned = s->cfg.cache == 1;
    u->dst_near = judge_bit(in->ib_dst_near, w);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        u->index[k] = now->hit[c][k] ? entry_of(s, c, src[k]) : 0;
        if (now->hit[c][k]) used[u->index[k]] = true;
    }
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        s->seen[WINDOW_RENEWED] += s->cfg.bow == 1 && now->hit[c][k] && !u->entry[u->index[k]].near;
    if (s->cfg.bow == 1) move_window(s, u, used);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        if (!is_source(in, w, k) || now->hit[c][k]) continue;
        missed[k] = true;
        uint32_t same = NONE;
        for (uint32_t low = 0; low < k; low++)
            if (missed[low] && src[low] == src[k]) same = low;
        if (same != NONE) {
            u->index[k] = u->index[same];
            continue;
        }
        u->index[k] = victim(s, u, used);
        s->lost += u->entry[u->index[k]].valid;
        count_taken(s, u, used, u->index[k]);
        used[u->index[k]] = took = true;
    }
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        if (!is_source(in, w, k)) continue;
        slow_entry *entry = &u->entry[u->index[k]];
        s->seen[HIT_WRITTEN] += now->hit[c][k] && entry->by_result;
        if (missed[k]) entry->tag = src[k], entry->valid = s->cfg.cache == 1, entry->by_result = false;
        near[u->index[k]] = near[u->index[k]] || judge_bit(in->ib_src_near[w], k);
        entry->used = ++s->clock;
    }
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        u->entry[i].lock = used[i];
        if (used[i]) u->entry[i].near = near[i];
    }
    if (s->cfg.bow == 1) enter_window(s, u, in, w, c);
    return took;
}

/* The result on port D; of BOW, of instruction `by`. */
static inline void write_result(slow_malekeh *s, slow_cache *u, const slow_result *r, uint32_t found, uint64_t by) {
    const bool whole = r->mask == ls_mask(s->cfg.lanes);
    bool locked[8] = {false}, any_locked = false;
    if (found != NONE) {
        slow_entry *entry = &u->entry[found];
        if (entry->lock) {
            s->lost += entry->valid;
            entry->valid = false;
            return;
        }
        s->seen[D_HIT]++;
        s->seen[D_HIT_PART] += !whole;
        s->seen[D_HIT_FAR] += !entry->near;
        for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
            if (judge_bit(r->mask, lane)) entry->data[lane] = r->data[lane];
        if (by > entry->by) entry->by = by;
        entry->near = s->cfg.bow == 0 || entry->by == u->taken;
        entry->used = ++s->clock;
        return;
    }
    s->seen[D_PART_MISSES] += !whole;
    s->lost += !whole;
    if (!whole) return;
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        locked[i] = u->entry[i].lock;
        any_locked = any_locked || locked[i];
    }
    const uint32_t i = victim(s, u, locked);
    s->seen[D_NO_ROOM] += i == NONE;
    s->lost += i == NONE || u->entry[i].valid;
    if (i == NONE) return;
    slow_entry *entry = &u->entry[i];
    s->seen[D_ALLOC_BESIDE_LOCKED] += any_locked;
    s->seen[D_ALLOC_EMPTY] += !entry->valid;
    s->seen[D_ALLOC_FAR] += entry->valid && !entry->near;
    s->seen[D_ALLOC_NEAR] += entry->valid && entry->near;
    entry->valid = entry->by_result = true;
    entry->by = by;
    entry->near = s->cfg.bow == 0 || by == u->taken;
    s->seen[WINDOW_ENTERS_OLD] += s->cfg.bow == 1 && !entry->near;
    entry->tag = r->reg;
    entry->used = ++s->clock;
    memcpy(entry->data, r->data, sizeof entry->data);
}

/* Results meet the table as the instruction taken at this edge leaves it (`took`: entries for its sources): the one on port D,
 * then every other, since an entry that holds its register would be older than the banks. `before`: where the one on port D found
 * its register before. */
static inline void write_results(slow_malekeh *s, const slow_turn *now, uint32_t c, uint32_t before, bool took, uint64_t by) {
    slow_cache *u = &s->cache[c];
    const uint32_t d = now->on_d[c];
    if (d != NONE) {
        const slow_result *r = &s->stage.queue[d].waiting[0];
        const uint32_t found = entry_of(s, c, r->reg);
        const bool taken = now->stage.taken_by[c] != NONE, lock = found != NONE && u->entry[found].lock;
        s->seen[D_HIT_LOCKED] += lock && !taken;
        s->seen[D_HIT_USED] += lock && taken && before == found;
        s->seen[D_SOURCE] += lock && taken && before != found;
        s->seen[D_HIT_REPLACED] += before != NONE && before != found && u->entry[before].tag != r->reg;
        const uint64_t since = s->clock;
        write_result(s, u, r, found, by);
        s->seen[D_AFTER_TAKING] += taken && took && found == NONE && s->clock > since;
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &s->stage.queue[e].waiting[0];
        const bool near = now->may[c][e];
        if (!now->counts[c][e] || e == d) continue;
        s->lost += near;
        const uint32_t i = entry_of(s, c, r->reg);
        s->seen[NEAR_DISCARDED] += near;
        s->seen[NEAR_DISCARDED_HIT] += near && i != NONE;
        s->seen[FAR_INVALIDATES] += !near && i != NONE;
        s->seen[FAR_MISSES] += !near && i == NONE;
        s->seen[FAR_LOCKED] += !near && i != NONE && u->entry[i].lock;
        if (i != NONE) u->entry[i].valid = false;
    }
}

/* The entries of CCU c, before the collectors' edge. */
static inline void clock_cache(slow_malekeh *s, const rf_malekeh_in *in, const slow_turn *now, uint32_t c) {
    slow_cache *u = &s->cache[c];
    const slow_collector *was = &s->stage.collector[c];
    bool took = false;
    const uint64_t by = now->on_d[c] == NONE ? 0 : kept_for(s, in, now, c, s->stage.queue[now->on_d[c]].waiting[0].reg);
    const uint32_t found = now->on_d[c] == NONE ? NONE : entry_of(s, c, s->stage.queue[now->on_d[c]].waiting[0].reg);
    for (uint32_t k = s->cfg.slots; k-- > 0;)
        if (was->slot[k].state == ARRIVING) memcpy(u->entry[u->index[k]].data, was->slot[k].coming, sizeof was->slot[k].coming);
    for (uint32_t i = 0; i < s->cfg.entries && now->emptied[c]; i++) u->entry[i].valid = false;
    if (now->emptied[c] || judge_bit(in->launch, was->carried.warp)) u->owed[0].is = u->owed[1].is = false; /* owned or not */
    s->lost += now->replaced[c];
    if (now->stage.taken_by[c] != NONE) took = take_instruction(s, in, now, c, now->stage.goes[now->stage.taken_by[c]]);
    if (!now->emptied[c]) write_results(s, now, c, found, took, by);
    for (uint32_t i = 0; i < s->cfg.entries && now->stage.leaves[c]; i++) u->entry[i].lock = false;
}

/* One step of rf_sthld's walk, with the default steps of docs/units/rf_sthld.md: CLIMB 4, SPECULATE 8, BACK 12, PROBE 4, UNDO 8.
 * `large`: the change of IPC. */
static inline void walk_sthld(slow_malekeh *s, bool large) {
    static const struct {
        uint32_t to, seen;
        int delta;
    } edge[7][2] = {
        [1] = {{2, ADAPT_START, 4}, {2, ADAPT_START, 4}},
        [2] = {{2, ADAPT_CLIMB_S, 4}, {3, ADAPT_CLIMB_L, 8}},
        [3] = {{2, ADAPT_SPECULATE_S, 4}, {4, ADAPT_SPECULATE_L, -12}},
        [4] = {{5, ADAPT_BACK, 4}, {5, ADAPT_BACK, 4}},
        [5] = {{6, ADAPT_PROBE_S, 0}, {4, ADAPT_PROBE_L, -8}},
        [6] = {{6, ADAPT_REST_S, 0}, {3, ADAPT_REST_L, 8}},
    };
    const int sthld = (int)s->sthld + edge[s->state][large].delta;
    if (s->state == 4 && s->sthld == 0) { /* nothing further down */
        s->seen[ADAPT_REST_AT_0]++;
        s->state = 6;
        return;
    }
    s->seen[edge[s->state][large].seen]++;
    s->seen[ADAPT_TOP] += sthld > 255;
    s->seen[ADAPT_BOTTOM] += sthld < 0;
    s->state = edge[s->state][large].to;
    s->sthld = sthld < 0 ? 0 : sthld > 255 ? 255 : (uint32_t)sthld;
}

static inline void clock_sthld(slow_malekeh *s, const slow_turn *now) {
    if (s->cfg.adapt == 0) return;
    for (uint32_t g = 0; g < s->cfg.issues; g++) s->issued += now->stage.goes[g] != NONE;
    if (++s->cycles < s->cfg.interval) return;
    const uint64_t change = s->issued > s->issued_before ? s->issued - s->issued_before : s->issued_before - s->issued;
    walk_sthld(s, s->issued_before == 0 ? s->issued != 0 : change * 256 > (uint64_t)s->cfg.large * s->issued_before);
    s->issued_before = s->issued;
    s->issued = s->cycles = 0;
}

static inline void clock_allocator(slow_malekeh *s, const slow_turn *now) {
    bool ends = false, waits = false;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t c = now->stage.given[g];
        waits = waits || now->waits[g];
        if (c == NONE || !now->replaced[c]) continue;
        s->seen[FAR_KEEPS_COUNT] += s->cfg.clear == 1 && s->waited > 0 && holds(s, c, true) == 0;
        ends = ends || s->cfg.clear == 0 || holds(s, c, true) > 0;
        s->last_replaced = c;
    }
    if (ends) s->waited = 0;
    else if (waits) s->waited++; /* at most to 256: then nobody waits */
}

/* x^16 + x^14 + x^13 + x^11 + 1: what is shifted out comes in again at these places. */
static inline void clock_random(slow_malekeh *s) {
    const bool out = s->random[0];
    for (uint32_t i = 0; i < 15; i++) s->random[i] = s->random[i + 1];
    s->random[15] = out;
    s->random[13] ^= out;
    s->random[12] ^= out;
    s->random[10] ^= out;
}

static inline void malekeh_clock(slow_malekeh *s, const rf_malekeh_in *in, const slow_turn *now) {
    static rf_banked_in plain;
    clock_allocator(s, now); /* first: it looks at what the caches hold now */
    for (uint32_t c = 0; c < s->cfg.collectors; c++) clock_cache(s, in, now, c);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_queue *q = &s->stage.queue[e];
        if (judge_bit(in->res_valid, e) && q->length < s->cfg.wbdepth)
            s->near_stored[e][q->pushed % s->cfg.wbdepth] = judge_bit(in->res_near, e);
    }
    plain.stage = in->stage;
    slow_clock(&s->stage, &plain, &now->stage);
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            slow_slot *slot = &s->stage.collector[c].slot[k];
            if (now->hit[c][k]) slot->state = HERE;
            memcpy(slot->data, s->cache[c].entry[s->cache[c].index[k]].data, sizeof slot->data); /* what a port would be shown */
        }
    clock_sthld(s, now);
    clock_random(s);
}

#endif
