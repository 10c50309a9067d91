/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_ccu, written from its contract and [Malekeh 3.2, 4]: a list of entries, a list of the same entries in the
 * order of their last use, slots in one of four named states, and for each edge a plan that says in words what will be done. */
#ifndef RF_JUDGE_CCU_H
#define RF_JUDGE_CCU_H

#include "cmodel/malekeh/rf_ccu.h"

#include "tb/banked/judge/judge_carried.h"

#define NO_ENTRY 8u
#define NO_WRITER 8u

typedef enum slot_state {
    EMPTY,    /* no source */
    WAITING,  /* its bank has not been granted */
    ARRIVING, /* granted in the cycle before: the crossbar delivers now */
    HERE      /* data is in its entry */
} slot_state;

typedef struct slow_slot {
    slot_state state;
    uint32_t entry, bank, row;
} slow_slot;

typedef struct slow_entry {
    bool valid, lock, near;
    uint32_t reg, data[32];
    uint64_t named; /* BOW: number of the instruction that named it last */
} slow_entry;

typedef struct slow_ccu {
    rf_ccu_cfg cfg;
    bool busy, owned, dst_near;
    rf_stage_carried carried;
    uint32_t port;
    slow_entry entry[8];
    uint32_t recent[8]; /* the entries, the most recently used first */
    slow_slot slot[8];
    uint64_t number; /* BOW: of the instruction that was taken last */
    bool awaited[2]; /* BOW: the result of that one, of the one before */
    uint32_t before; /* BOW: the latter's destination */
} slow_ccu;

/* Why an entry is the next to be replaced. */
typedef enum slow_class { OF_NONE, OF_INVALID, OF_FAR, OF_NEAR } slow_class;

/* What becomes of a slot of the instruction that is taken. */
typedef enum slow_source { NO_SOURCE, HITS, TAKES, SHARES } slow_source;

/* What becomes of the result on port D. */
typedef enum slow_fate {
    D_NONE,    /* there is none */
    D_DROPPED, /* the unit is flushed or gets another warp */
    D_MERGES,  /* its lanes are written */
    D_SPOILS,  /* its entry is locked: needed as it is, and no longer valid */
    D_ENTERS,  /* takes an entry */
    D_PARTIAL, /* not found, not all lanes */
    D_NO_ROOM  /* not found, all entries are locked */
} slow_fate;

typedef struct slow_plan {
    bool leaves;           /* the instruction */
    bool taken;            /* a new one is */
    bool stranger;         /* taken, of another warp than the unit's or the unit has none */
    bool emptied;          /* nothing in the cache table stays valid */
    slow_source source[8]; /* per slot of the instruction taken */
    uint32_t entry[8];     /* per slot: its entry */
    slow_class of[8];      /* per slot that takes one */
    bool used[8];          /* per entry: by the instruction taken */
    bool counts[8];        /* per writer */
    bool may[8];           /* per writer: have port D */
    uint32_t writer;       /* which has it */
    uint64_t number;       /* BOW: of the instruction whose result that is */
    slow_fate fate;
    uint32_t at;      /* the entry of the result on port D */
    slow_class at_of; /* when it enters */
} slow_plan;

static inline void slow_reset(slow_ccu *s) {
    const rf_ccu_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
    s->number = 1;
    for (uint32_t e = 0; e < cfg.entries; e++) s->recent[e] = e;
}

static inline bool is_ready(const slow_ccu *s) {
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (s->slot[k].state == WAITING || s->slot[k].state == ARRIVING) return false;
    return s->busy;
}

/* The lowest slot that waits for the entry of slot k reads for all that wait for it. */
static inline uint32_t reader_of(const slow_ccu *s, uint32_t k) {
    for (uint32_t low = 0; low < k; low++)
        if (s->slot[low].state == WAITING && s->slot[low].entry == s->slot[k].entry) return low;
    return k;
}

/* The slot has its bank read for it; serial 1: when no lower one waits. */
static inline bool asks(const slow_ccu *s, uint32_t k) {
    for (uint32_t low = 0; low < k && s->cfg.serial == 1; low++)
        if (s->slot[low].state == WAITING) return false;
    return s->slot[k].state == WAITING && reader_of(s, k) == k;
}

/* The valid entry with this register. */
static inline uint32_t find(const slow_ccu *s, uint32_t reg) {
    for (uint32_t e = 0; e < s->cfg.entries; e++)
        if (s->entry[e].valid && s->entry[e].reg == reg) return e;
    return NO_ENTRY;
}

/* 4.1: the next entry to replace, of those that are neither locked nor `used`. */
static inline uint32_t next_victim(const slow_ccu *s, bool empty, const bool *used, uint32_t rand, slow_class *of) {
    const uint32_t n = s->cfg.entries, codes = judge_codes(n);
    for (uint32_t e = 0; e < n; e++)
        if (!used[e] && !s->entry[e].lock && (empty || !s->entry[e].valid)) return *of = OF_INVALID, e;
    for (uint32_t far = 0; far < codes; far++) {
        const uint32_t e = (rand + far) % codes;
        if (e < n && !used[e] && !s->entry[e].lock && !s->entry[e].near) return *of = OF_FAR, e;
    }
    for (uint32_t place = n; place > 0; place--) {
        const uint32_t e = s->recent[place - 1];
        if (!used[e] && !s->entry[e].lock) return *of = OF_NEAR, e;
    }
    return *of = OF_NONE, NO_ENTRY;
}

/* BOW: the next instruction is taken, and hits what is `used`. Near is what it names, far what the one before does. */
static inline void pass_on(slow_ccu *s, const bool *used) {
    s->number++;
    for (uint32_t e = 0; e < s->cfg.entries; e++) {
        slow_entry *entry = &s->entry[e];
        if (!used[e] && entry->named + 1 < s->number) entry->valid = false;
        entry->near = false;
    }
}

/* Steps 1, 3 and 4 for the instruction that is taken. */
static inline void plan_sources(const slow_ccu *s, const rf_ccu_in *in, slow_plan *p) {
    slow_ccu table = *s; /* what is replaced */
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        if (!judge_bit(in->alloc_inst.src_valid, k) || p->emptied) continue;
        const uint32_t e = find(s, in->alloc_inst.src[k]);
        if (e == NO_ENTRY) continue;
        p->source[k] = HITS;
        p->entry[k] = e;
    }
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (p->source[k] == HITS) p->used[p->entry[k]] = true;
    if (s->cfg.bow != 0) pass_on(&table, p->used);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        if (!judge_bit(in->alloc_inst.src_valid, k) || p->source[k] == HITS) continue;
        for (uint32_t low = 0; low < k && p->source[k] == NO_SOURCE; low++) {
            if (p->source[low] != TAKES || in->alloc_inst.src[low] != in->alloc_inst.src[k]) continue;
            p->source[k] = SHARES;
            p->entry[k] = p->entry[low];
        }
        if (p->source[k] == SHARES) continue;
        p->source[k] = TAKES;
        p->entry[k] = next_victim(&table, p->emptied, p->used, in->rand, &p->of[k]);
        assert_true(p->entry[k] != NO_ENTRY);
        p->used[p->entry[k]] = true;
    }
}

/* This entry becomes the most recent. */
static inline void touch(slow_ccu *s, uint32_t e) {
    uint32_t place = 0;
    while (s->recent[place] != e) place++;
    for (; place > 0; place--) s->recent[place] = s->recent[place - 1];
    s->recent[0] = e;
}

/* The instruction is in the unit: steps 2 and 5 to 10. */
static inline void take_instruction(slow_ccu *s, const rf_ccu_in *in, const slow_plan *p) {
    const bool bow = s->cfg.bow != 0, control = bow && in->alloc_dst_near;
    if (bow) {
        pass_on(s, p->used);
        s->before = s->carried.dst;
        s->awaited[1] = s->awaited[0] && !control;
        s->awaited[0] = in->alloc_inst.dst_valid && !control;
    }
    s->busy = true;
    s->owned = s->cfg.cache != 0;
    s->carried = in->alloc_inst.carried;
    s->port = in->alloc_inst.port;
    s->dst_near = in->alloc_dst_near;
    for (uint32_t e = 0; e < s->cfg.entries; e++) {
        s->entry[e].lock = p->used[e];
        if (p->used[e]) s->entry[e].near = false;
    }
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        slow_slot *slot = &s->slot[k];
        slot->state = p->source[k] == NO_SOURCE ? EMPTY : p->source[k] == HITS ? HERE : WAITING;
        slot->entry = p->source[k] == NO_SOURCE ? 0 : p->entry[k];
        slot->bank = in->alloc_bank[k];
        slot->row = in->alloc_row[k];
        if (p->source[k] == NO_SOURCE) continue;
        slow_entry *entry = &s->entry[p->entry[k]];
        if (bow || judge_bit(in->alloc_src_near, k)) entry->near = true;
        entry->named = s->number;
        if (p->source[k] == TAKES) {
            entry->reg = in->alloc_inst.src[k];
            entry->valid = s->cfg.cache != 0;
        }
        touch(s, p->entry[k]);
    }
    for (uint32_t e = 0; e < s->cfg.entries && control; e++) s->entry[e].valid = false;
}

/* BOW: the number of the instruction that a result for `reg` is awaited from, as the edge leaves the window; 0: of none. */
static inline uint64_t awaited_from(const slow_ccu *s, const rf_ccu_in *in, const slow_plan *p, uint32_t reg) {
    if (s->awaited[0] && !s->busy && s->carried.dst == reg && !(p->taken && in->alloc_dst_near)) return s->number;
    return s->awaited[1] && s->before == reg && !p->taken ? s->number - 1 : 0;
}

/* Which results count, and which of them has port D (4.2: "the first write slot containing a near register"). */
static inline void plan_port(const slow_ccu *s, const rf_ccu_in *in, slow_plan *p) {
    p->writer = NO_WRITER;
    for (uint32_t w = s->cfg.exports; w > 0; w--) {
        p->counts[w - 1] =
            judge_bit(in->wr_valid, w - 1) && s->owned && in->wr_warp[w - 1] == s->carried.warp && in->wr_mask[w - 1] != 0;
        p->may[w - 1] = s->cfg.bow != 0 ? awaited_from(s, in, p, in->wr_reg[w - 1]) != 0 : judge_bit(in->wr_near, w - 1);
        if (p->counts[w - 1] && p->may[w - 1]) p->writer = w - 1;
    }
    if (p->writer != NO_WRITER) p->number = awaited_from(s, in, p, in->wr_reg[p->writer]);
}

/* What the result on port D does in the table as the allocation of this edge leaves it. */
static inline void plan_result(const slow_ccu *table, const rf_ccu_in *in, slow_plan *p) {
    static const bool none_used[8];
    p->at = NO_ENTRY;
    if (p->writer == NO_WRITER) return;
    p->fate = D_DROPPED;
    if (p->emptied) return;
    p->at = find(table, in->wr_reg[p->writer]);
    if (p->at != NO_ENTRY) {
        p->fate = table->entry[p->at].lock ? D_SPOILS : D_MERGES;
        return;
    }
    p->fate = D_PARTIAL;
    if (in->wr_mask[p->writer] != ls_mask(table->cfg.lanes)) return;
    p->at = next_victim(table, false, none_used, in->rand, &p->at_of);
    p->fate = p->at == NO_ENTRY ? D_NO_ROOM : D_ENTERS;
}

/* The allocation's part of the edge, without the flow of data: what results meet. */
static inline void allocate(slow_ccu *s, const rf_ccu_in *in, const slow_plan *p) {
    for (uint32_t e = 0; e < s->cfg.entries && p->emptied; e++) s->entry[e].valid = false;
    if (p->emptied) s->awaited[0] = s->awaited[1] = false;
    if (p->taken) take_instruction(s, in, p);
}

static inline slow_plan slow_decide(const slow_ccu *s, const rf_ccu_in *in) {
    slow_ccu table = *s;
    slow_plan p;
    memset(&p, 0, sizeof p);
    p.leaves = is_ready(s) && in->dispatch;
    p.taken = !s->busy && in->alloc;
    p.stranger = p.taken && (!s->owned || in->alloc_inst.warp != s->carried.warp);
    p.emptied = in->flush || p.stranger;
    if (p.taken) plan_sources(s, in, &p);
    plan_port(s, in, &p);
    allocate(&table, in, &p);
    plan_result(&table, in, &p);
    return p;
}

static inline void write_results(slow_ccu *s, const rf_ccu_in *in, const slow_plan *p) {
    if (p->fate == D_SPOILS) s->entry[p->at].valid = false;
    if (p->fate == D_MERGES || p->fate == D_ENTERS) {
        slow_entry *entry = &s->entry[p->at];
        for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
            if (judge_bit(in->wr_mask[p->writer], lane)) entry->data[lane] = in->d_data.lane[lane];
        entry->reg = in->wr_reg[p->writer];
        entry->valid = true;
        if (p->fate == D_ENTERS || entry->named < p->number) entry->named = p->number;
        entry->near = s->cfg.bow == 0 || entry->named == s->number;
        touch(s, p->at);
    }
    for (uint32_t w = 0; w < s->cfg.exports; w++) {
        if (!p->counts[w] || w == p->writer || p->emptied) continue;
        for (uint32_t e = 0; e < s->cfg.entries; e++)
            if (s->entry[e].reg == in->wr_reg[w]) s->entry[e].valid = false;
    }
}

static inline void slow_clock(slow_ccu *s, const rf_ccu_in *in) {
    const slow_plan p = slow_decide(s, in);
    bool granted[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (s->slot[k].state == WAITING) granted[k] = asks(s, reader_of(s, k)) && judge_bit(in->rd_grant, reader_of(s, k));
    for (uint32_t k = s->cfg.slots; k-- > 0;) { /* downwards: the lowest slot's data is what stays */
        slow_slot *slot = &s->slot[k];
        if (slot->state == ARRIVING) {
            slot->state = HERE;
            for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) s->entry[slot->entry].data[lane] = in->fill_data[k].lane[lane];
        } else if (granted[k]) {
            slot->state = ARRIVING;
        }
    }
    allocate(s, in, &p);
    write_results(s, in, &p);
    if (!p.leaves) return;
    s->busy = false;
    for (uint32_t k = 0; k < s->cfg.slots; k++) s->slot[k].state = EMPTY;
    for (uint32_t e = 0; e < s->cfg.entries; e++) s->entry[e].lock = false;
}

/* The slots for which the state is one of two, as a port. */
static inline uint64_t in_state(const slow_ccu *s, slot_state a, slot_state b) {
    bool bit[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) bit[k] = s->slot[k].state == a || s->slot[k].state == b;
    return judge_pack(bit, s->cfg.slots);
}

static inline uint64_t asking(const slow_ccu *s) {
    bool bit[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) bit[k] = asks(s, k);
    return judge_pack(bit, s->cfg.slots);
}

static inline void compare_out(judge *j, const slow_ccu *s, const slow_plan *p, const rf_ccu_out *out) {
    bool held = false, near = false, hit[8];
    for (uint32_t e = 0; e < s->cfg.entries; e++) {
        held |= s->entry[e].valid;
        near |= s->entry[e].valid && s->entry[e].near;
    }
    for (uint32_t k = 0; k < s->cfg.slots; k++) hit[k] = p->source[k] == HITS;
    judge_equal(j, "busy", 0, out->busy, s->busy);
    judge_equal(j, "ready", 0, out->ready, is_ready(s));
    judge_equal(j, "rd_valid", 0, out->rd_valid, asking(s));
    judge_equal(j, "unread", 0, out->unread, in_state(s, WAITING, WAITING));
    judge_equal(j, "fill_valid", 0, out->fill_valid, in_state(s, ARRIVING, ARRIVING));
    judge_equal(j, "warp", 0, out->warp, s->carried.warp);
    judge_equal(j, "port", 0, out->port, s->port);
    judge_carried(j, 0, &out->carried, &s->carried);
    judge_equal(j, "dst_near", 0, out->dst_near, s->dst_near);
    judge_equal(j, "owned", 0, out->owned, s->owned);
    judge_equal(j, "held", 0, out->held, held);
    judge_equal(j, "near", 0, out->near, near);
    judge_equal(j, "hit", 0, out->hit, judge_pack(hit, s->cfg.slots));
    judge_equal(j, "d_valid", 0, out->d_valid, p->writer != NO_WRITER);
    judge_equal(j, "d_sel", 0, out->d_sel, p->writer != NO_WRITER ? p->writer : 0);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        judge_equal(j, "rd_bank", k, out->rd_bank[k], s->slot[k].bank);
        judge_equal(j, "rd_row", k, out->rd_row[k], s->slot[k].row);
        judge_equal(j, "src", k, out->src[k], s->entry[s->slot[k].entry].reg);
        judge_words(j, "data", k, out->data[k].lane, s->entry[s->slot[k].entry].data, 32);
    }
}

static inline void compare_state(judge *j, const slow_ccu *s, const rf_ccu *m) {
    bool valid[8], lock[8], near[8];
    for (uint32_t e = 0; e < s->cfg.entries; e++) {
        const slow_entry *entry = &s->entry[e];
        valid[e] = entry->valid, lock[e] = entry->lock, near[e] = entry->near;
        judge_equal(j, "ct_tag_q", e, m->ct_tag_q[e], entry->reg);
        judge_equal(j, "ct_lru_q", s->recent[e], m->ct_lru_q[s->recent[e]], e);
        judge_words(j, "ct_data_q", e, m->ct_data_q[e].lane, entry->data, 32);
    }
    judge_equal(j, "ct_valid_q", 0, m->ct_valid_q, judge_pack(valid, s->cfg.entries));
    judge_equal(j, "ct_lock_q", 0, m->ct_lock_q, judge_pack(lock, s->cfg.entries));
    judge_equal(j, "ct_near_q", 0, m->ct_near_q, judge_pack(near, s->cfg.entries));
    judge_equal(j, "oct_valid_q", 0, m->oct_valid_q, in_state(s, WAITING, HERE) | in_state(s, ARRIVING, ARRIVING));
    judge_equal(j, "oct_ready_q", 0, m->oct_ready_q, in_state(s, HERE, HERE));
    judge_equal(j, "fill_q", 0, m->fill_q, in_state(s, ARRIVING, ARRIVING));
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        judge_equal(j, "oct_index_q", k, m->oct_index_q[k], s->slot[k].entry);
        judge_equal(j, "bank_q", k, m->bank_q[k], s->slot[k].bank);
        judge_equal(j, "row_q", k, m->row_q[k], s->slot[k].row);
    }
    judge_equal(j, "busy_q", 0, m->busy_q, s->busy);
    judge_equal(j, "owned_q", 0, m->owned_q, s->owned);
    judge_equal(j, "port_q", 0, m->port_q, s->port);
    judge_carried(j, 0, &m->carried_q, &s->carried);
    judge_equal(j, "dst_near_q", 0, m->dst_near_q, s->dst_near);
    judge_equal(j, "window_q", 0, m->window_q, judge_pack(s->awaited, 2));
    judge_equal(j, "before_q", 0, m->before_q, s->before);
}

/* What a judge must have seen. */
/* clang-format off */
#define SEEN(X) \
    X(SOURCE_INVALID, "a source takes an entry that is not valid") \
    X(SOURCE_FAR, "a source takes a far entry") \
    X(SOURCE_FAR_UPPER, "of several far entries not the lowest") \
    X(SOURCE_FAR_WRAP, "the search for a far entry goes round the end") \
    X(RAND_BEYOND, "the search begins beyond the last entry") \
    X(SOURCE_NEAR, "a source takes the least recently used near entry") \
    X(SOURCE_NEAR_NOT_0, "which is not entry 0") \
    X(EACH_CLASS, "one instruction takes entries of all three classes") \
    X(WRITE_INVALID, "a result takes an entry that is not valid") \
    X(WRITE_FAR, "a result takes a far entry") \
    X(WRITE_NEAR, "a result takes the least recently used near entry") \
    X(DUP_MISS, "two sources name one register, which is not there") \
    X(DUP_THREE, "three sources do") \
    X(DUP_HIT, "two sources name one register, which is there") \
    X(DUP_HINTS, "two sources name one register and only one has the hint near") \
    X(DUP_GRANT, "a grant for two sources with one register") \
    X(ALL_HIT, "several sources, all hit") \
    X(HIT_AND_MISS, "one source hits, one misses") \
    X(HIT_LOCKS_OUT, "a source hits the entry that another would have taken") \
    X(NEAR_TO_FAR, "a source without hint makes a near entry far") \
    X(FAR_TO_NEAR, "a source with hint makes a far entry near") \
    X(NO_SOURCES, "an instruction without sources") \
    X(FLUSH_WARP, "flush by an instruction of another warp") \
    X(FLUSH_IDLE, "flush of a free unit that holds entries") \
    X(FLUSH_BUSY, "flush while an instruction waits") \
    X(FLUSH_FILL, "flush in the cycle of a fill") \
    X(FLUSH_ALLOC, "flush and alloc, a source would have hit") \
    X(FLUSH_WRITE, "flush and a result on port D") \
    X(STRANGER_WRITE, "a result on port D in the cycle in which another warp gets the unit") \
    X(UNOWNED, "a result while nobody owns the unit") \
    X(OTHER_WARP, "a result of another warp") \
    X(MASK_0, "a result without lanes for a register that is here") \
    X(PASSES_FAR, "port D goes to a near result behind a far one") \
    X(TWO_NEAR, "two near results") \
    X(MERGE_ALL, "a result with all lanes finds its entry") \
    X(MERGE_PARTIAL, "a result with some lanes finds its entry") \
    X(PARTIAL_BYPASS, "a result with some lanes finds none") \
    X(LOCKED_WRITE, "a near result for a locked entry") \
    X(LOCKED_WAITING, "a near result for an entry that waits for its grant") \
    X(LOCKED_FILLING, "a near result for the entry that is filled in this cycle") \
    X(LOCKED_LEAVING, "a near result for a locked entry at dispatch") \
    X(FILL_AND_WRITE, "one entry is filled, a result written to another, in one cycle") \
    X(ALL_LOCKED, "a near result finds all entries locked") \
    X(ALL_LOCKED_LEAVING, "and its instruction leaves in this cycle") \
    X(ALLOC_LOCKS_ALL, "and the instruction that locks them is taken in this cycle") \
    X(ALLOC_AND_MERGE, "alloc, and a result finds its entry") \
    X(ALLOC_AND_ENTER, "alloc, and a result takes the entry after those of the sources") \
    X(ALLOC_ENTER_NEAR, "alloc, and a result takes a near entry") \
    X(ALLOC_AND_HIT, "alloc, and a near result for a source that hits") \
    X(ALLOC_AND_MISS, "alloc, and a near result for a source that misses") \
    X(ALLOC_REPLACED, "alloc, and a near result for the register whose entry is taken") \
    X(FAR_INVALIDATES, "a far result for an entry") \
    X(FAR_LOCKED, "a far result for a locked entry") \
    X(FAR_ALLOC_HIT, "alloc, and a far result for a source that hits") \
    X(FAR_ALLOC_MISS, "alloc, and a far result for a source that misses") \
    X(FAR_ALLOC_REPLACED, "alloc, and a far result for the register whose entry is taken") \
    X(NEAR_DISCARDED, "a near result without port D for an entry") \
    X(BOTH_ONE_REG, "two results of one cycle for one register") \
    X(LEAVES_INVALID, "an instruction leaves with data of an entry that is no longer valid") \
    X(SEVERAL_GRANTED, "several slots granted in one cycle") \
    X(ONE_REFUSED, "a slot is refused while another is granted") \
    X(GRANT_UNASKED, "a grant for a slot that does not ask") \
    X(ARRIVE_AND_GRANT, "data arrives while another slot is granted") \
    X(ALLOC_BUSY, "alloc while busy") \
    X(ALLOC_AT_DISPATCH, "alloc in the cycle of the dispatch") \
    X(EARLY_DISPATCH, "dispatch before all operands are there") \
    X(IDLE_DISPATCH, "dispatch of a free unit") \
    X(NO_CACHE, "without a cache a source names a register that has just been there") \
    X(OPERAND_HIT, "an operand is delivered from the cache as it was taken") \
    X(OPERAND_READ, "an operand is delivered from its bank as it was taken") \
    X(OVERTAKEN, "an operand is delivered as it was taken after a younger result has changed its bank") \
    X(GROWS_OLD, "BOW: alloc, and a near entry becomes far") \
    X(PASSES_OUT, "BOW: alloc, and a far entry leaves the window") \
    X(STAYS, "BOW: a source hits a far entry, which stays") \
    X(CONTROL, "BOW: a control instruction empties a table") \
    X(CONTROL_RESULT, "BOW: a control instruction, and a result that would be awaited") \
    X(NEW_ENTERS, "BOW: a result of the instruction taken last takes an entry") \
    X(OLD_ENTERS, "BOW: a result of the instruction before takes an entry") \
    X(NEW_RENEWS, "BOW: a result of the instruction taken last makes a far entry near") \
    X(OLD_MERGES, "BOW: a result of the instruction before is written to its entry") \
    X(ENTERS_OLD, "BOW: alloc, and a result of the instruction taken before takes an entry") \
    X(TOO_OLD, "BOW: alloc, and a result of the one before that") \
    X(OF_HELD, "BOW: a result for the destination of the instruction that is held") \
    X(FORGOTTEN, "BOW: flush while a result is awaited") \
    X(RESET, "reset while busy and holding entries")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static inline uint32_t ones(uint64_t word) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < 64; i++) n += judge_bit(word, i);
    return n;
}

static inline bool is_source(const rf_ccu_in *in, uint32_t slots, uint32_t reg) {
    for (uint32_t k = 0; k < slots; k++)
        if (judge_bit(in->alloc_inst.src_valid, k) && in->alloc_inst.src[k] == reg) return true;
    return false;
}

static inline void count_sources(const slow_ccu *s, const rf_ccu_in *in, const slow_plan *p, uint64_t *seen) {
    static const bool none_used[8];
    uint32_t hits = 0, misses = 0, classes = 0;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const uint32_t e = p->entry[k];
        const slow_entry *entry = &s->entry[e];
        uint32_t sharing = 0;
        slow_class of = OF_NONE;
        bool lower_far = false, hints = false;
        if (p->source[k] == NO_SOURCE) continue;
        hits += p->source[k] == HITS;
        misses += p->source[k] != HITS;
        for (uint32_t other = 0; other < s->cfg.slots; other++) {
            if (p->source[other] == NO_SOURCE || p->entry[other] != e) continue;
            sharing++;
            hints |= judge_bit(in->alloc_src_near, other) != judge_bit(in->alloc_src_near, k);
        }
        for (uint32_t lower = 0; lower < e; lower++) lower_far |= !s->entry[lower].near && !p->used[lower];
        seen[DUP_MISS] += p->source[k] == TAKES && sharing == 2;
        seen[DUP_THREE] += p->source[k] == TAKES && sharing > 2;
        seen[DUP_HIT] += p->source[k] == HITS && sharing > 1;
        seen[DUP_HINTS] += hints;
        seen[NEAR_TO_FAR] += p->source[k] == HITS && entry->near && !judge_bit(in->alloc_src_near, k) && !hints;
        seen[FAR_TO_NEAR] += p->source[k] == HITS && !entry->near && judge_bit(in->alloc_src_near, k);
        seen[HIT_LOCKS_OUT] += p->source[k] == HITS && misses + hits > 1 && next_victim(s, false, none_used, in->rand, &of) == e;
        if (p->source[k] != TAKES) continue;
        classes |= 1u << p->of[k];
        seen[SOURCE_INVALID] += p->of[k] == OF_INVALID;
        seen[SOURCE_FAR] += p->of[k] == OF_FAR;
        seen[SOURCE_FAR_UPPER] += p->of[k] == OF_FAR && lower_far;
        seen[SOURCE_FAR_WRAP] += p->of[k] == OF_FAR && e < in->rand && in->rand < s->cfg.entries;
        seen[RAND_BEYOND] += p->of[k] == OF_FAR && in->rand >= s->cfg.entries;
        seen[SOURCE_NEAR] += p->of[k] == OF_NEAR;
        seen[SOURCE_NEAR_NOT_0] += p->of[k] == OF_NEAR && e != 0;
    }
    seen[EACH_CLASS] += classes == (1u << OF_INVALID | 1u << OF_FAR | 1u << OF_NEAR);
    seen[ALL_HIT] += hits > 1 && misses == 0;
    seen[HIT_AND_MISS] += hits > 0 && misses > 0;
    seen[NO_SOURCES] += hits + misses == 0;
}

static inline void count_results(const slow_ccu *s, const rf_ccu_in *in, const slow_plan *p, uint64_t *seen) {
    const bool filling = in_state(s, ARRIVING, ARRIVING) != 0;
    uint32_t near = 0;
    for (uint32_t w = 0; w < s->cfg.exports; w++) {
        const uint32_t reg = in->wr_reg[w], e = find(s, reg);
        const bool source = p->taken && !p->emptied && is_source(in, s->cfg.slots, reg);
        const bool lost = p->taken && !p->emptied && e != NO_ENTRY && p->used[e] && !source;
        if (!judge_bit(in->wr_valid, w)) continue;
        seen[UNOWNED] += s->cfg.cache != 0 && !s->owned && in->wr_mask[w] != 0;
        seen[OTHER_WARP] += s->owned && in->wr_warp[w] != s->carried.warp && e != NO_ENTRY;
        seen[MASK_0] += s->owned && in->wr_warp[w] == s->carried.warp && in->wr_mask[w] == 0 && e != NO_ENTRY;
        if (!p->counts[w]) continue;
        near += p->may[w];
        for (uint32_t other = 0; other < w; other++) seen[BOTH_ONE_REG] += p->counts[other] && in->wr_reg[other] == reg;
        seen[PASSES_FAR] += p->writer != NO_WRITER && w < p->writer;
        if (p->emptied) continue;
        if (w != p->writer) {
            seen[FAR_INVALIDATES] += !p->may[w] && e != NO_ENTRY && !s->entry[e].lock && !lost && !source;
            seen[FAR_LOCKED] += !p->may[w] && e != NO_ENTRY && s->entry[e].lock;
            seen[FAR_ALLOC_HIT] += source && e != NO_ENTRY;
            seen[FAR_ALLOC_MISS] += source && e == NO_ENTRY;
            seen[FAR_ALLOC_REPLACED] += lost;
            seen[NEAR_DISCARDED] += p->may[w] && e != NO_ENTRY && !s->entry[e].lock && !lost && !source;
            continue;
        }
        seen[ALLOC_AND_HIT] += source && e != NO_ENTRY;
        seen[ALLOC_AND_MISS] += source && e == NO_ENTRY;
        seen[ALLOC_REPLACED] += lost;
        if (p->fate != D_SPOILS || p->taken) continue;
        seen[LOCKED_WRITE]++;
        seen[LOCKED_LEAVING] += p->leaves;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            seen[LOCKED_WAITING] += s->slot[k].entry == e && s->slot[k].state == WAITING;
            seen[LOCKED_FILLING] += s->slot[k].entry == e && s->slot[k].state == ARRIVING;
        }
    }
    const bool full = p->writer != NO_WRITER && in->wr_mask[p->writer] == ls_mask(s->cfg.lanes);
    seen[TWO_NEAR] += near > 1;
    seen[FLUSH_WRITE] += in->flush && !p->taken && p->fate == D_DROPPED;
    seen[STRANGER_WRITE] += p->stranger && p->fate == D_DROPPED;
    seen[WRITE_INVALID] += p->fate == D_ENTERS && p->at_of == OF_INVALID;
    seen[WRITE_FAR] += p->fate == D_ENTERS && p->at_of == OF_FAR;
    seen[WRITE_NEAR] += p->fate == D_ENTERS && p->at_of == OF_NEAR;
    seen[MERGE_ALL] += p->fate == D_MERGES && full;
    seen[MERGE_PARTIAL] += p->fate == D_MERGES && !full;
    seen[PARTIAL_BYPASS] += p->fate == D_PARTIAL;
    seen[FILL_AND_WRITE] += filling && (p->fate == D_MERGES || p->fate == D_ENTERS);
    seen[ALL_LOCKED] += p->fate == D_NO_ROOM && !p->taken;
    seen[ALL_LOCKED_LEAVING] += p->fate == D_NO_ROOM && p->leaves;
    seen[ALLOC_LOCKS_ALL] += p->fate == D_NO_ROOM && p->taken;
    seen[ALLOC_AND_MERGE] += p->fate == D_MERGES && p->taken;
    seen[ALLOC_AND_ENTER] += p->fate == D_ENTERS && p->taken;
    seen[ALLOC_ENTER_NEAR] += p->fate == D_ENTERS && p->taken && p->at_of == OF_NEAR;
}

/* BOW's events. */
static inline void count_window(const slow_ccu *s, const rf_ccu_in *in, const slow_plan *p, uint64_t *seen) {
    const bool control = p->taken && in->alloc_dst_near, stays = p->taken && !p->emptied;
    const bool newest = p->number == s->number;
    for (uint32_t e = 0; e < s->cfg.entries; e++) {
        const slow_entry *entry = &s->entry[e];
        seen[GROWS_OLD] += stays && entry->valid && entry->near && !p->used[e];
        seen[PASSES_OUT] += stays && entry->valid && !entry->near && !p->used[e];
        seen[CONTROL] += stays && control && entry->valid;
    }
    for (uint32_t k = 0; k < s->cfg.slots; k++) seen[STAYS] += p->source[k] == HITS && !s->entry[p->entry[k]].near;
    for (uint32_t w = 0; w < s->cfg.exports; w++) {
        const bool last = s->awaited[0] && s->carried.dst == in->wr_reg[w], before = s->awaited[1] && s->before == in->wr_reg[w];
        seen[CONTROL_RESULT] += p->counts[w] && control && last;
        seen[TOO_OLD] += p->counts[w] && stays && before && !last;
        seen[OF_HELD] += p->counts[w] && s->busy && last && !before;
    }
    seen[NEW_ENTERS] += p->fate == D_ENTERS && newest && !p->taken;
    seen[OLD_ENTERS] += p->fate == D_ENTERS && !newest;
    seen[NEW_RENEWS] += p->fate == D_MERGES && newest && !p->taken && !s->entry[p->at].near;
    seen[OLD_MERGES] += p->fate == D_MERGES && !newest;
    seen[ENTERS_OLD] += p->fate == D_ENTERS && p->taken;
    seen[FORGOTTEN] += in->flush && !p->taken && (s->awaited[0] || s->awaited[1]);
}

static inline void count(const slow_ccu *s, const rf_ccu_in *in, uint64_t *seen) {
    const slow_plan p = slow_decide(s, in);
    const uint64_t ask = asking(s), granted = ask & in->rd_grant;
    const bool ready = is_ready(s);
    bool held = false;
    for (uint32_t e = 0; e < s->cfg.entries; e++) held |= s->entry[e].valid;
    if (p.taken) count_sources(s, in, &p, seen);
    count_results(s, in, &p, seen);
    if (s->cfg.bow != 0) count_window(s, in, &p, seen);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const bool valid = judge_bit(in->alloc_inst.src_valid, k);
        seen[DUP_GRANT] += s->slot[k].state == WAITING && reader_of(s, k) != k && judge_bit(granted, reader_of(s, k));
        seen[FLUSH_ALLOC] += in->flush && p.taken && !p.stranger && valid && find(s, in->alloc_inst.src[k]) != NO_ENTRY;
        seen[LEAVES_INVALID] += p.leaves && s->owned && s->slot[k].state == HERE && !s->entry[s->slot[k].entry].valid;
        seen[NO_CACHE] += s->cfg.cache == 0 && p.taken && in->alloc_inst.warp == s->carried.warp && valid &&
                          in->alloc_inst.src[k] == s->entry[0].reg;
    }
    seen[FLUSH_WARP] += p.stranger && held;
    seen[FLUSH_IDLE] += in->flush && !s->busy && !p.taken && held;
    seen[FLUSH_BUSY] += in->flush && s->busy && ask != 0 && held;
    seen[FLUSH_FILL] += in->flush && in_state(s, ARRIVING, ARRIVING) != 0 && held;
    seen[SEVERAL_GRANTED] += ones(granted) > 1;
    seen[ONE_REFUSED] += granted != 0 && granted != ask;
    seen[GRANT_UNASKED] += (in->rd_grant & ~ask) != 0;
    seen[ARRIVE_AND_GRANT] += granted != 0 && in_state(s, ARRIVING, ARRIVING) != 0;
    seen[ALLOC_BUSY] += s->busy && in->alloc;
    seen[ALLOC_AT_DISPATCH] += p.leaves && in->alloc;
    seen[EARLY_DISPATCH] += s->busy && !ready && in->dispatch;
    seen[IDLE_DISPATCH] += !s->busy && in->dispatch;
}

#endif
