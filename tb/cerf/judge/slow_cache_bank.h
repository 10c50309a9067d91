/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_cache_bank, by the sentences of its contract: what is decided in a cycle, and the edge. What decided is
 * noted in `did` (cache_bank_events.h). */
#ifndef RF_SLOW_CACHE_BANK_H
#define RF_SLOW_CACHE_BANK_H

#include "tb/cerf/judge/slow_cache_parts.h"

/* --- tagging -----------------------------------------------------------------------------------------------------------------
 */

static inline void change(slow_turn *t, uint32_t at, uint32_t event, bool touches) {
    t->changed = true, t->at = at, t->event = event, t->touches = touches;
}

static inline void start(slow_turn *t, slow_kind kind, uint32_t row) {
    t->starts = true;
    t->access.kind = kind, t->access.row = row;
}

static inline void send(slow_turn *t, uint32_t op, uint32_t line) { t->access.message.op = op, t->access.message.line = line; }

typedef struct slow_request {
    uint32_t op, set, tag, line, way, miss, at; /* way that hits, MSHR that has the line, entry that hits */
    uint32_t mask;
    const uint32_t *data;
} slow_request;

/* Read, or written, and the youngest. */
static inline void accept_read(const rf_cache_bank_in *in, slow_turn *t, const slow_request *r, uint32_t event) {
    start(t, READ, r->at);
    t->access.id = in->req_id;
    change(t, r->at, event, flaw != READ_TOUCHES_NOT);
    t->out.accept = 1;
}

static inline void accept_write(slow_turn *t, const slow_request *r, uint32_t event) {
    start(t, WRITE, r->at);
    t->access.mask = r->mask;
    words_copy(t->access.data, r->data, UINT32_MAX);
    change(t, r->at, event, flaw != WRITE_TOUCHES_NOT);
    t->out.accept = 1;
}

/* The words in mask go to L2. */
static inline void accept_message(slow_turn *t, const slow_request *r, uint32_t op) {
    start(t, MESSAGE, 0);
    send(t, op, r->line);
    t->access.mask = r->mask;
    words_copy(t->access.data, r->data, UINT32_MAX);
    t->out.accept = 1;
}

static inline void take_miss(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t, const slow_request *r, bool reg,
                             bool keep) {
    t->fetches = true;
    t->miss_at = free_miss(s);
    t->miss = (slow_miss){.busy = true, .reg = reg, .keep = keep, .line = r->line, .targets = 1, .id = {in->req_id}};
    t->access.message.entry = t->miss_at;
}

/* "an MSHR has the line: with room in it merged, else refused. Else with room and an MSHR ...: a fetch ...; otherwise refused" */
static inline void merge_or_fetch(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t, const slow_request *r,
                                  bool reg, bool keep) {
    bool *did = t->did;
    if (r->miss != NOWHERE && flaw != NEVER_MERGES) {
        const slow_miss *m = &s->miss[r->miss];
        if (!m->keep && flaw != MERGES_UNKEPT) { /* "what is not kept takes no more targets" */
            did[BEHIND_DEAD] |= m->reg && reg;
            did[BEHIND_ATOMIC] |= !m->reg && !reg;
            return;
        }
        if (m->targets == s->cfg.targets) {
            did[reg ? READ_REG_FULL : LOAD_FULL] = true;
            return;
        }
        did[reg ? READ_REG_MERGED : LOAD_MERGED] = true;
        did[MERGED_DEAD] |= m->keep && !keep;
        did[MERGED_NO_ROOM] |= !t->room;
        t->merges = true, t->miss_at = r->miss;
        t->out.accept = 1;
        return;
    }
    did[reg ? READ_REG_NO_ROOM : LOAD_NO_ROOM] |= !t->room && room_for(s, reg);
    did[reg ? READ_REG_NO_MSHR : LOAD_NO_MSHR] |= t->room && free_miss(s) == NOWHERE;
    did[reg ? READ_REG_RESERVED : LOAD_RESERVED] |= t->room && free_miss(s) != NOWHERE && !room_for(s, reg);
    if (!t->room || !room_for(s, reg)) return;
    did[reg ? READ_REG_FETCH : LOAD_FETCH] |= keep;
    did[READ_REG_FETCH_DEAD] |= !keep;
    start(t, MESSAGE, 0);
    send(t, RF_MISS_FETCH, r->line);
    take_miss(s, in, t, r, reg, keep || flaw == DEAD_IS_KEPT);
    t->out.accept = 1;
}

static inline void read_reg(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t, const slow_request *r) {
    if (r->way != NOWHERE) {
        const bool dead = in->req_dead != 0, reg = s->entry[r->at].state == RF_LINE_REG;
        t->did[READ_REG_HIT] |= !dead && reg;
        t->did[READ_REG_DIES] |= dead && reg;
        t->did[READ_REG_OF_CACHE] |= dead && !reg;
        accept_read(in, t, r, dead && flaw != NOTHING_DIES ? RF_LINE_DIE : RF_LINE_NONE);
    } else if (s->cfg.policy == RF_POLICY_REGISTERS && flaw != REGISTERS_FETCHES) {
        t->did[READ_REG_ZEROS] = true;
        t->did[ZEROS_BESIDE_MSHR] |= r->miss != NOWHERE;
        t->did[ZEROS_NO_ROOM] |= !t->room;
        start(t, ZEROS, 0);
        t->access.id = in->req_id;
        t->out.accept = 1;
    } else merge_or_fetch(s, in, t, r, true, in->req_dead == 0);
}

/* The register takes an entry, whose content goes to L2 if it would be lost. */
static inline void write_reg_allocates(const slow_cache_bank *s, slow_turn *t, const slow_request *r, uint32_t way) {
    const uint32_t at = r->set * s->cfg.ways + way, all = all_lanes(s);
    const slow_entry *e = &s->entry[at];
    const bool spills = is_lost(e->state);
    t->did[WRITE_REG_NO_SPILL_ROOM] |= spills && !t->room;
    if (spills && !t->room && flaw != SPILL_NEEDS_NO_ROOM) return;
    t->did[WRITE_REG_VACANT] |= e->state == RF_LINE_INACTIVE;
    t->did[WRITE_REG_OVER_CLEAN] |= e->state == RF_LINE_CACHE;
    t->did[WRITE_REG_SPILLS_REG] |= e->state == RF_LINE_REG;
    t->did[WRITE_REG_SPILLS_DIRTY] |= e->state == RF_LINE_DIRTY;
    t->did[WRITE_REG_FULL_QUEUE] |= !spills && !t->room;
    t->did[WRITE_REG_ZEROS_REST] |= r->mask != all;
    start(t, spills ? VICTIM_WRITE : WRITE, at);
    if (spills) send(t, RF_MISS_WRITE, line_of(s, r->set, flaw == VICTIM_TAKES_NEW_LINE ? r->tag : e->tag));
    t->access.mask = flaw == REST_IS_LEFT ? r->mask : all;
    words_copy(t->access.data, r->data, flaw == REST_IS_WRITTEN ? all : r->mask);
    change(t, at, RF_LINE_WRITE_REG, true);
    t->allocates = true, t->tag = r->tag;
    t->out.accept = 1;
    t->out.victim = e->state != RF_LINE_INACTIVE;
    t->out.victim_state = (uint8_t)e->state;
}

static inline void write_reg(const slow_cache_bank *s, slow_turn *t, const slow_request *r) {
    const bool whole = r->mask == all_lanes(s) || flaw == PARTIAL_ALLOCATES;
    bool chosen[BANK_EVENTS] = {false};
    const uint32_t yields = way_that_yields(s, r->set, false, chosen);
    if (r->way != NOWHERE) {
        t->did[WRITE_REG_HIT] |= s->entry[r->at].state == RF_LINE_REG;
        t->did[WRITE_REG_OF_CACHE] |= holds_cache(s->entry[r->at].state);
        t->did[WRITE_REG_PART] |= r->mask != all_lanes(s);
        accept_write(t, r, RF_LINE_WRITE_REG);
    } else if (r->miss != NOWHERE && flaw != WRITE_PASSES_MSHR) {
        t->did[WRITE_REG_MSHR] = true;
        t->did[WRITE_REG_MSHR_ROOM] |= t->room;
    } else if ((whole || s->cfg.policy == RF_POLICY_REGISTERS) && yields != NOWHERE) {
        for (uint32_t i = 0; i < BANK_EVENTS; i++) t->did[i] |= chosen[i];
        write_reg_allocates(s, t, r, yields);
    } else {
        t->did[WRITE_REG_PARTIAL] |= t->room && !whole && yields != NOWHERE;
        t->did[WRITE_REG_AROUND] |= t->room && whole;
        t->did[WRITE_REG_REGISTERS] |= t->room && s->cfg.policy == RF_POLICY_REGISTERS && !whole;
        t->did[WRITE_REG_NO_ROOM] |= !t->room;
        if (t->room) accept_message(t, r, RF_MISS_WRITE);
    }
}

static inline void load(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t, const slow_request *r) {
    if (r->way == NOWHERE) {
        merge_or_fetch(s, in, t, r, false, true);
        return;
    }
    t->did[LOAD_HIT_CLEAN] |= s->entry[r->at].state == RF_LINE_CACHE;
    t->did[LOAD_HIT_DIRTY] |= s->entry[r->at].state == RF_LINE_DIRTY;
    t->did[LOAD_HIT_REG] |= s->entry[r->at].state == RF_LINE_REG;
    t->did[LOAD_DEAD] |= in->req_dead && s->entry[r->at].state == RF_LINE_REG;
    accept_read(in, t, r, RF_LINE_NONE);
}

static inline void store(const slow_cache_bank *s, slow_turn *t, const slow_request *r) {
    if (r->way != NOWHERE) {
        t->did[STORE_HIT_CLEAN] |= s->entry[r->at].state == RF_LINE_CACHE;
        t->did[STORE_HIT_DIRTY] |= s->entry[r->at].state == RF_LINE_DIRTY;
        t->did[STORE_HIT_REG] |= s->entry[r->at].state == RF_LINE_REG;
        t->did[STORE_HIT_NO_ROOM] |= !t->room;
        accept_write(t, r, RF_LINE_STORE);
        return;
    }
    const bool waits = r->miss != NOWHERE && flaw != WRITE_PASSES_MSHR;
    t->did[STORE_MSHR] |= waits && t->room;
    t->did[STORE_MISS] |= !waits && t->room;
    t->did[STORE_NO_ROOM] |= !waits && !t->room;
    if (!waits && t->room) accept_message(t, r, RF_MISS_WRITE);
}

/* The entry is written to L2 and dropped. */
static inline void write_back(const slow_cache_bank *s, slow_turn *t, uint32_t set, uint32_t at) {
    start(t, VICTIM, at);
    t->access.mask = all_lanes(s);
    send(t, RF_MISS_WRITE, line_of(s, set, s->entry[at].tag));
    change(t, at, RF_LINE_DROP, false);
}

static inline void atomic(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t, const slow_request *r) {
    const bool hit = r->way != NOWHERE, dirty = hit && s->entry[r->at].state == RF_LINE_DIRTY;
    const bool may = t->room && room_for(s, false);
    if (dirty && flaw != ATOMIC_DROPS_DIRTY) {
        t->did[ATOMIC_DIRTY] |= t->room;
        t->did[ATOMIC_DIRTY_NO_MSHR] |= t->room && !room_for(s, false);
        t->did[ATOMIC_DIRTY_NO_ROOM] |= !t->room;
        if (t->room) write_back(s, t, r->set, r->at);
        t->asks_again = t->room;
        if (flaw == ATOMIC_DIRTY_ACCEPTED && t->room) t->out.accept = 1;
        return;
    }
    if (r->miss != NOWHERE) {
        t->did[ATOMIC_MSHR] |= may;
        return;
    }
    t->did[ATOMIC_NO_ROOM] |= !t->room && room_for(s, false);
    t->did[ATOMIC_NO_MSHR] |= t->room && free_miss(s) == NOWHERE;
    t->did[ATOMIC_RESERVED] |= t->room && free_miss(s) != NOWHERE && !room_for(s, false);
    t->did[ATOMIC_STAYS] |= hit && !may;
    if (!may && flaw == ATOMIC_DROPS_REFUSED && hit) change(t, r->at, RF_LINE_DROP, false);
    if (!may) return;
    t->did[ATOMIC_HIT] |= hit;
    t->did[ATOMIC_MISS] |= !hit;
    if (hit && flaw != ATOMIC_LEAVES_CLEAN) change(t, r->at, RF_LINE_DROP, false);
    accept_message(t, r, RF_MISS_ATOMIC);
    take_miss(s, in, t, r, false, flaw == ATOMIC_IS_KEPT);
}

static inline void flush(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t, const slow_request *r) {
    const uint32_t way = in->req_way < s->cfg.ways ? in->req_way : 0, at = r->set * s->cfg.ways + way;
    const slow_entry *e = &s->entry[at];
    const bool dirty = e->state == RF_LINE_DIRTY;
    t->did[FLUSH_DIRTY] |= dirty && t->room;
    t->did[FLUSH_NO_ROOM] |= dirty && !t->room;
    t->did[FLUSH_REG] |= e->state == RF_LINE_REG;
    t->did[FLUSH_CLEAN] |= e->state == RF_LINE_CACHE;
    t->did[FLUSH_VACANT] |= e->state == RF_LINE_INACTIVE;
    t->did[FLUSH_NO_SUCH_WAY] |= in->req_way >= s->cfg.ways && e->state != RF_LINE_INACTIVE;
    t->did[FLUSH_OTHER_TAG] |= e->state != RF_LINE_INACTIVE && e->tag != r->tag;
    t->did[FLUSH_OTHER_HITS] |= r->way != NOWHERE && r->way != way;
    if (flaw == FLUSH_BY_TAG && r->way == NOWHERE) {
        t->out.accept = 1;
        return;
    }
    if (dirty && !t->room) return;
    if (dirty && flaw != FLUSH_LOSES) write_back(s, t, r->set, at);
    else change(t, at, flaw == FLUSH_SPARES_REGISTERS && e->state == RF_LINE_REG ? RF_LINE_NONE : RF_LINE_DROP, false);
    t->out.accept = 1;
}

static inline slow_request request_of(const slow_cache_bank *s, const rf_cache_bank_in *in) {
    slow_request r = {.op = in->req_op, .set = in->req_set % s->cfg.sets, .tag = in->req_tag};
    r.line = line_of(s, r.set, r.tag);
    r.way = way_that_hits(s, r.set, r.tag);
    r.miss = miss_of(s, r.line);
    r.at = r.way == NOWHERE ? NOWHERE : r.set * s->cfg.ways + r.way;
    r.mask = in->req_mask, r.data = in->req_data.lane;
    return r;
}

static inline void tag_request(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t) {
    const slow_request r = request_of(s, in);
    t->out.hit = r.way != NOWHERE;
    switch (r.op) {
    case RF_CACHE_READ_REG:
        read_reg(s, in, t, &r);
        break;
    case RF_CACHE_WRITE_REG:
        write_reg(s, t, &r);
        break;
    case RF_CACHE_LOAD:
        load(s, in, t, &r);
        break;
    case RF_CACHE_STORE:
        store(s, t, &r);
        break;
    case RF_CACHE_ATOMIC:
        atomic(s, in, t, &r);
        break;
    case RF_CACHE_FLUSH:
        flush(s, in, t, &r);
        break;
    default:
        t->did[NO_OPERATION] = true, t->did[NO_OPERATION_HITS] |= r.way != NOWHERE, t->out.accept = 1;
    }
    t->out.refuse = !t->out.accept && !t->asks_again;
    t->did[HIT_REFUSED] |= t->out.hit && t->out.refuse;
    t->did[SET_OF_ONE] |= in->req_set >= s->cfg.sets && t->out.accept;
    const bool sends = push_step(&t->access) != NOWHERE;
    t->did[ROOM_COMING] |= t->out.refuse && !t->room && s->queued < s->cfg.queue && r.miss == NOWHERE;
    t->did[ROOM_FILL_PUSHED] |=
        t->out.accept && sends && s->queued + 1 == s->cfg.queue && s->access.kind == FILL && s->access.spills;
    t->did[ROOM_LAST] |= t->out.accept && sends && s->queued + 1 == s->cfg.queue && s->access.kind == IDLE;
    t->did[ACCEPT_LAST_STEP] |= s->access.kind != IDLE && t->out.accept && t->starts;
    t->did[ACCEPT_AFTER_FILL] |= s->access.kind == FILL && t->out.accept && t->starts;
}

/* --- fill --------------------------------------------------------------------------------------------------------------------
 */

/* Where the line of a fill goes; what it needs is in t->access. */
static inline void place_fill(const slow_cache_bank *s, slow_turn *t, const slow_miss *m) {
    const uint32_t set = m->line % s->cfg.sets, tag = m->line / s->cfg.sets, hits = way_that_hits(s, set, tag);
    bool chosen[BANK_EVENTS] = {false};
    const uint32_t yields = way_that_yields(s, set, !m->reg, chosen), way = hits != NOWHERE ? hits : yields;
    t->access.placed = (m->keep || flaw == DEAD_IS_KEPT) && way != NOWHERE;
    t->did[FILL_NOT_KEPT] |= !m->keep;
    t->did[FILL_AROUND_REG] |= m->keep && m->reg && way == NOWHERE;
    t->did[FILL_AROUND_CACHE] |= m->keep && !m->reg && way == NOWHERE;
    if (!t->access.placed) return;
    const slow_entry *e = entry_at(s, set, way);
    t->access.row = set * s->cfg.ways + way;
    t->tag = tag;
    t->did[FILL_HITS] |= hits != NOWHERE;
    if (hits != NOWHERE) return;
    for (uint32_t i = 0; i < BANK_EVENTS; i++) t->did[i] |= chosen[i];
    t->access.spills = is_lost(e->state);
    t->out.victim = e->state != RF_LINE_INACTIVE;
    t->out.victim_state = (uint8_t)e->state;
    if (t->access.spills) send(t, RF_MISS_WRITE, line_of(s, set, flaw == VICTIM_TAKES_NEW_LINE ? tag : e->tag));
}

static inline void note_fill(const slow_cache_bank *s, slow_turn *t, const slow_miss *m) {
    t->did[FILL_VACANT] |= t->access.placed && !t->out.victim;
    t->did[FILL_OVER_CLEAN] |= t->out.victim && t->out.victim_state == RF_LINE_CACHE;
    t->did[FILL_SPILLS_REG] |= t->out.victim && t->out.victim_state == RF_LINE_REG;
    t->did[FILL_SPILLS_DIRTY] |= t->out.victim && t->out.victim_state == RF_LINE_DIRTY;
    t->did[FILL_REG] |= t->access.placed && m->reg;
    t->did[FILL_CACHE] |= t->access.placed && !m->reg;
    t->did[FILL_NO_TARGET] |= m->targets == 0;
    t->did[FILL_ONE] |= m->targets == 1;
    t->did[FILL_TWO] |= m->targets == 2;
    t->did[FILL_MANY] |= m->targets > 2;
    t->did[FILL_FULL_QUEUE] |= !t->room;
    t->did[FILL_LAST_STEP] |= s->access.kind != IDLE;
}

static inline void take_fill(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t) {
    const bool exists = in->fill_entry < s->cfg.mshrs;
    const slow_miss *m = &s->miss[exists ? in->fill_entry : 0];
    const bool busy = exists && m->busy;
    if (busy) place_fill(s, t, m);
    t->out.fill_ready = t->free && (!t->access.spills || t->room || flaw == SPILL_NEEDS_NO_ROOM);
    t->did[FILL_WAITS_STAGE] |= !t->free;
    t->did[FILL_WAITS_ROOM] |= t->free && !t->out.fill_ready;
    if (!t->out.fill_ready || !busy) {
        t->did[FILL_NOT_BUSY] |= t->out.fill_ready && exists;
        t->did[FILL_NO_SUCH] |= t->out.fill_ready && !exists;
        t->out.victim = t->out.victim_state = 0;
        return;
    }
    t->taken = true;
    note_fill(s, t, m);
    start(t, FILL, t->access.row);
    words_copy(t->access.data, in->fill_data.lane, UINT32_MAX);
    t->access.mask = all_lanes(s);
    t->access.targets = flaw == LAST_TARGET_LOST && m->targets > 1 ? m->targets - 1 : m->targets;
    memcpy(t->access.target, m->id, sizeof m->id);
    if (flaw == TARGETS_BACKWARDS)
        for (uint32_t i = 0; i < m->targets; i++) t->access.target[i] = m->id[m->targets - 1 - i];
    if (!t->access.placed) return;
    change(t, t->access.row, m->reg ? RF_LINE_FILL_REG : RF_LINE_FILL_CACHE, flaw != FILL_TOUCHES_NOT);
    t->allocates = true;
}

/* --- a cycle -----------------------------------------------------------------------------------------------------------------
 */

static inline void answer(const slow_cache_bank *s, slow_turn *t) {
    const slow_access *a = &s->access;
    const bool fill = a->kind == FILL && a->step >= 1 && a->step <= a->targets;
    if (s->answers) {
        t->out.rsp_valid = 1, t->out.rsp_id = (uint8_t)s->answer_id;
        if (!s->answers_zero) words_copy(t->out.rsp_data.lane, s->was_read, UINT32_MAX);
        t->did[ANSWER_WHILE_READING] |= a->kind == READ;
        t->did[ANSWER_ZEROS] |= s->answers_zero && s->was_read[0] != 0;
        t->did[ANSWER_FILL_BEGINS] |= a->kind == FILL;
    } else if (fill) {
        t->out.rsp_valid = 1, t->out.rsp_id = (uint8_t)a->target[a->step - 1];
        words_copy(t->out.rsp_data.lane, a->data, UINT32_MAX);
    }
}

static inline void offer_message(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t) {
    const slow_message *head = &s->queue[flaw == NEWEST_FIRST && s->queued > 0 ? s->queued - 1 : 0];
    if (s->queued == 0) {
        t->did[MEM_READY_EMPTY] |= in->mem_ready != 0;
        return;
    }
    t->out.mem_valid = 1, t->out.mem_op = (uint8_t)head->op;
    t->out.mem_line = head->line, t->out.mem_entry = (uint8_t)head->entry;
    t->did[MEM_WAITS] |= !in->mem_ready;
    t->did[MEM_PUSH_AND_POP] |= in->mem_ready && s->access.kind != IDLE && push_step(&s->access) == s->access.step;
    if (head->op == RF_MISS_FETCH) return;
    t->out.mem_mask = head->mask;
    words_copy(t->out.mem_data.lane, head->data, UINT32_MAX);
}

static inline void slow_bank_comb(const slow_cache_bank *s, const rf_cache_bank_in *in, slow_turn *t) {
    memset(t, 0, sizeof *t);
    answer(s, t);
    offer_message(s, in, t);
    t->free = stage_is_free(s) || (flaw == READY_EARLY && s->access.kind == FILL && s->access.step > 0);
    t->room = queue_has_room(s);
    t->out.ready = t->free && (!in->fill_valid || flaw == READY_BESIDE_FILL);
    t->out.fill_ready = t->free;
    t->did[READY_FILL_FIRST] |= in->req_valid && in->fill_valid && t->free;
    t->did[READY_BUSY] |= in->req_valid && !in->fill_valid && !t->free;
    if (in->fill_valid) take_fill(s, in, t);
    else if (in->req_valid && t->out.ready) tag_request(s, in, t);
    const bool fills = in->fill_valid && t->out.fill_ready, pops = t->out.mem_valid && in->mem_ready;
    t->out.wake = fills || pops;
    t->did[WAKE_FILL] |= fills && !pops;
    t->did[WAKE_POP] |= pops && !fills;
    t->did[WAKE_BOTH] |= fills && pops;
}

/* "push while full is ignored, also with a pop in the same cycle": only a flaw makes it so. */
static inline void push(slow_cache_bank *s, const slow_message *m) {
    if (s->queued == s->cfg.queue) return;
    slow_message *lies = &s->lies[s->pushes % s->cfg.queue];
    lies->op = m->op, lies->line = m->line, lies->entry = m->entry;
    if (m->op != RF_MISS_FETCH) {
        lies->mask = m->mask;
        words_copy(lies->data, m->data, UINT32_MAX);
    }
    s->pushes++;
    s->queue[s->queued++] = *m;
}

/* The step that this cycle is. */
static inline void do_step(slow_cache_bank *s) {
    slow_access *a = &s->access;
    slow_entry *e = &s->entry[a->row];
    s->answers = a->kind == READ || a->kind == ZEROS;
    if (a->kind == IDLE) return;
    if (s->answers) s->answers_zero = a->kind == ZEROS, s->answer_id = a->id;
    if (push_step(a) == a->step) {
        slow_message m = a->message;
        const bool victim = a->kind != MESSAGE;
        m.mask = victim ? all_lanes(s) : a->mask;
        words_copy(m.data, victim ? s->was_read : a->data, UINT32_MAX);
        if (flaw == VICTIM_IS_NEW_DATA && a->kind == VICTIM_WRITE) words_copy(m.data, a->data, UINT32_MAX);
        push(s, &m);
    }
    if (writes_row(a)) words_copy(e->row, a->data, flaw == WRITE_ALL_WORDS ? UINT32_MAX : a->mask);
    if (reads_row(a)) words_copy(s->was_read, e->row, UINT32_MAX);
    a->step++;
    if (a->step == steps_of(a)) a->kind = IDLE;
}

/* The rising edge, after slow_bank_comb with the same inputs. */
static inline void slow_bank_clock(slow_cache_bank *s, const rf_cache_bank_in *in, const slow_turn *t) {
    const bool pops = t->out.mem_valid && in->mem_ready;
    s->now++;
    do_step(s);
    if (pops) {
        const uint32_t gone = flaw == NEWEST_FIRST ? s->queued - 1 : 0;
        s->queued--, s->pops++;
        memmove(&s->queue[gone], &s->queue[gone + 1], (s->queued - gone) * sizeof *s->queue);
    }
    if (t->changed) {
        slow_entry *e = &s->entry[t->at];
        e->state = state_after(e->state, t->event);
        if (t->allocates) e->tag = t->tag;
        if (t->touches) e->used = s->now;
    }
    if (t->taken) s->miss[in->fill_entry].busy = false;
    if (t->fetches) {
        slow_miss *m = &s->miss[t->miss_at];
        m->busy = true, m->reg = t->miss.reg, m->keep = t->miss.keep, m->line = t->miss.line;
        m->targets = 1, m->id[0] = t->miss.id[0];
    }
    if (t->merges) {
        slow_miss *m = &s->miss[t->miss_at];
        m->id[m->targets++] = in->req_id;
        /* "a fetched register's last read gets no place", whoever fetched it */
        if (in->req_op == RF_CACHE_READ_REG && in->req_dead && flaw != DEAD_IS_KEPT) m->keep = false;
    }
    if (t->starts) s->access = t->access;
}

#endif
