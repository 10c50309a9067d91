/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_cache_bank on its own registers: private to rf_cache_bank.c, to its bench and to the system that holds banks,
 * so that a line of 128 bytes is copied where a register takes it, nowhere else.
 *
 * One cycle: rf_cache_bank_answer and the head of the queue, from the registers; rf_cache_bank_decide, once request and fill are
 * known; then the edge, rf_cache_bank_move. */
#ifndef RF_CACHE_BANK_PARTS_H
#define RF_CACHE_BANK_PARTS_H

#include <string.h>

#include "cmodel/banked/rf_bank_parts.h"
#include "cmodel/cerf/rf_cache_bank.h"
#include "cmodel/cerf/rf_miss_queue_parts.h"
#include "cmodel/cerf/rf_mshr_parts.h"
#include "cmodel/cerf/rf_tag_bank_parts.h"

/* A request, as inputs req_* bring it. */
typedef struct rf_cache_bank_request {
    bool valid, dead;
    uint8_t op, way, id;
    uint32_t set, tag, mask;
    const rf_vec *data;
} rf_cache_bank_request;

/* An answer of L2, as inputs fill_* bring it. */
typedef struct rf_cache_bank_fill {
    bool valid;
    uint8_t entry;
    const rf_vec *data;
} rf_cache_bank_fill;

/* What the data stage is to do: the flags as in rf_cache_bank. */
typedef struct rf_cache_bank_access {
    bool valid, fill, read, zero, victim, write, push;
    uint8_t op, entry, id;
    uint32_t line, row, mask;
    const rf_vec *data; /* of a fill, of what is written, of a message that is neither a fetch nor the row */
    uint32_t lanes;     /* ... which lanes of it; the others are 0 */
} rf_cache_bank_access;

/* What becomes of one cycle's request and fill. */
typedef struct rf_cache_bank_cycle {
    bool ready, accept, refuse;
    bool fill_ready, filled;     /* filled: a fill is taken */
    bool hit;                    /* output hit */
    bool victim;                 /* an entry that is not inactive gives way */
    uint8_t victim_state;        /* ... 2 bits: what it was */
    bool update;                 /* the tags change: */
    rf_tag_bank_entry found;     /* ... this entry, */
    uint8_t event;               /* ... as rf_tag_bank has them */
    bool takes, touch;           /* takes: it gets ... */
    uint32_t tag;                /* ... this tag */
    bool allocate, merge, frees; /* the MSHRs change: one is taken, gets a target, is filled: */
    uint32_t entry;              /* ... this one */
    bool reg, keep;              /* ... it is taken for a register; the line is to be kept */
    rf_cache_bank_access access;
} rf_cache_bank_cycle;

/* ---- from the registers; flags are joined by & and |, because few of them can be guessed by a branch ---- */

/* All lanes, as a mask. */
static inline uint32_t rf_cache_bank_lanes(const rf_cache_bank *m) { return (uint32_t)rf_mask64(m->cfg.lanes); }

/* Bits of the set in a line number. */
static inline uint32_t rf_cache_bank_set_bits(const rf_cache_bank_cfg *cfg) { return rf_log2(cfg->sets); }

static inline uint32_t rf_cache_bank_line(const rf_cache_bank_cfg *cfg, uint32_t set, uint32_t tag) {
    return tag << rf_cache_bank_set_bits(cfg) | (set & (cfg->sets - 1));
}

/* The last step of what the data stage does. */
static inline uint32_t rf_cache_bank_last(const rf_cache_bank *m) {
    const uint32_t answers = m->d_count_q > 1 ? m->d_count_q : 1;
    return m->d_fill_q ? answers : m->d_victim_q;
}

/* The step in which it writes its row, and in which it pushes its message: after a victim was read. */
static inline uint32_t rf_cache_bank_write_step(const rf_cache_bank *m) { return m->d_fill_q | m->d_victim_q; }
static inline uint32_t rf_cache_bank_push_step(const rf_cache_bank *m) { return m->d_victim_q; }

/* The data stage is free, or in its last step. */
static inline bool rf_cache_bank_free(const rf_cache_bank *m) {
    return (bool)((m->d_valid_q == 0) | (m->d_step_q == rf_cache_bank_last(m)));
}

/* The queue has room for one more message beside the one that the data stage has yet to push. */
static inline bool rf_cache_bank_room(const rf_cache_bank *m) {
    const uint32_t yet = m->d_valid_q & m->d_push_q & (m->d_step_q <= rf_cache_bank_push_step(m));
    return rf_miss_queue_count(&m->queue) + yet < m->cfg.queue;
}

static const rf_vec rf_cache_bank_zeros = {{0}};

/* What is answered in this cycle: id and data. False: nothing, and they say nothing. */
static inline bool rf_cache_bank_answer(const rf_cache_bank *m, uint8_t *id, const rf_vec **data) {
    const uint32_t target = m->d_step_q - 1u;
    const rf_vec *read = m->r_zero_q ? &rf_cache_bank_zeros : &m->data.rdata_q;
    *id = m->r_valid_q ? m->r_id_q : m->d_target_q[target % RF_MSHR_TARGETS_MAX];
    *data = m->r_valid_q ? read : &m->d_data_q;
    return (m->r_valid_q | (m->d_valid_q & m->d_fill_q & (target < m->d_count_q))) != 0;
}

/* ---- tagging ---- */

/* The entry changes at the edge. */
static inline void rf_cache_bank_change(rf_cache_bank_cycle *c, uint32_t event, bool takes, bool touch) {
    c->update = true;
    c->event = (uint8_t)event;
    c->takes = takes;
    c->touch = touch;
}

/* The data stage reads the row and answers. */
static inline void rf_cache_bank_read(const rf_cache_bank_request *r, uint32_t row, rf_cache_bank_cycle *c) {
    c->accept = c->access.valid = c->access.read = true;
    c->access.row = row;
    c->access.id = r->id;
}

/* It writes lanes of the row; lanes of the data that are not in `lanes` count as 0. */
static inline void rf_cache_bank_write(uint32_t row, uint32_t mask, const rf_vec *data, uint32_t lanes, rf_cache_bank_cycle *c) {
    c->access.valid = c->access.write = true;
    c->access.row = row;
    c->access.mask = mask;
    c->access.data = data;
    c->access.lanes = lanes;
}

/* It pushes a message. */
static inline void rf_cache_bank_push(uint32_t op, uint32_t line, uint32_t entry, rf_cache_bank_cycle *c) {
    c->access.valid = c->access.push = true;
    c->access.op = (uint8_t)op;
    c->access.line = line;
    c->access.entry = (uint8_t)entry;
}

/* It reads the entry's row first, and writes it to L2. */
static inline void rf_cache_bank_write_back(const rf_cache_bank *m, uint32_t row, rf_cache_bank_cycle *c) {
    const uint32_t old_tag = rf_tag_bank_tag(&m->tags, c->found.set, c->found.way);
    rf_cache_bank_push(RF_MISS_WRITE, rf_cache_bank_line(&m->cfg, c->found.set, old_tag), 0, c);
    c->access.victim = true;
    c->access.row = row;
    c->access.mask = rf_cache_bank_lanes(m);
}

/* A newcomer takes the entry. */
static inline void rf_cache_bank_take(uint32_t event, rf_cache_bank_cycle *c) {
    rf_cache_bank_change(c, event, true, true);
    c->victim = !c->found.hit && c->found.state != RF_LINE_INACTIVE;
    c->victim_state = c->victim ? c->found.state : 0;
}

/* Words of the request go to L2, as a write or as an atomic. */
static inline void rf_cache_bank_send(const rf_cache_bank *m, const rf_cache_bank_request *r, uint32_t op, uint32_t line,
                                      rf_cache_bank_cycle *c) {
    c->accept = true;
    rf_cache_bank_push(op, line, op == RF_MISS_WRITE ? 0 : c->entry, c);
    c->access.mask = r->mask;
    c->access.data = r->data;
    c->access.lanes = rf_cache_bank_lanes(m);
}

/* A read that misses: it waits with those that wait for the line, or fetches it, if there is room for that. */
static inline void rf_cache_bank_miss(const rf_cache_bank *m, const rf_cache_bank_request *r, uint32_t line,
                                      rf_cache_bank_cycle *c) {
    const uint32_t with = rf_mshr_with(&m->mshr, line);
    const bool reg = r->op == RF_CACHE_READ_REG;
    c->keep = !(reg && r->dead);
    if (with != 0) {
        c->entry = rf_lowest(with);
        c->accept = c->merge = rf_mshr_room(&m->mshr, c->entry);
    } else if (rf_cache_bank_room(m) && rf_mshr_room_for(&m->mshr, reg)) {
        c->accept = c->allocate = true;
        c->reg = reg;
        c->entry = rf_lowest(rf_mshr_free(&m->mshr));
        rf_cache_bank_push(RF_MISS_FETCH, line, c->entry, c);
    }
}

static inline void rf_cache_bank_write_reg(const rf_cache_bank *m, const rf_cache_bank_request *r, uint32_t line, uint32_t row,
                                           rf_cache_bank_cycle *c) {
    const uint32_t all = rf_cache_bank_lanes(m);
    const bool spill = rf_line_state_spill(c->found.state);
    if (c->found.hit) {
        c->accept = true;
        rf_cache_bank_change(c, RF_LINE_WRITE_REG, false, true);
        rf_cache_bank_write(row, r->mask, r->data, all, c);
        return;
    }
    if (rf_mshr_with(&m->mshr, line) != 0) return;
    if ((r->mask == all || m->cfg.policy == RF_POLICY_REGISTERS) && c->found.victim) {
        if (spill && !rf_cache_bank_room(m)) return;
        c->accept = true;
        if (spill) rf_cache_bank_write_back(m, row, c);
        rf_cache_bank_take(RF_LINE_WRITE_REG, c);
        rf_cache_bank_write(row, all, r->data, r->mask, c);
    } else if (rf_cache_bank_room(m)) rf_cache_bank_send(m, r, RF_MISS_WRITE, line, c);
}

static inline void rf_cache_bank_store(const rf_cache_bank *m, const rf_cache_bank_request *r, uint32_t line, uint32_t row,
                                       rf_cache_bank_cycle *c) {
    if (c->found.hit) {
        c->accept = true;
        rf_cache_bank_change(c, RF_LINE_STORE, false, true);
        rf_cache_bank_write(row, r->mask, r->data, rf_cache_bank_lanes(m), c);
    } else if (rf_mshr_with(&m->mshr, line) == 0 && rf_cache_bank_room(m)) rf_cache_bank_send(m, r, RF_MISS_WRITE, line, c);
}

/* The entry is removed; if it was written, with room only, and true is returned when there is none. */
static inline bool rf_cache_bank_drop(const rf_cache_bank *m, uint32_t row, rf_cache_bank_cycle *c) {
    const bool dirty = c->found.state == RF_LINE_DIRTY;
    if (dirty && !rf_cache_bank_room(m)) return true;
    rf_cache_bank_change(c, RF_LINE_DROP, false, false);
    if (dirty) rf_cache_bank_write_back(m, row, c);
    return false;
}

static inline void rf_cache_bank_atomic(const rf_cache_bank *m, const rf_cache_bank_request *r, uint32_t line, uint32_t row,
                                        rf_cache_bank_cycle *c) {
    if (c->found.hit && c->found.state == RF_LINE_DIRTY) {
        c->refuse = rf_cache_bank_drop(m, row, c);
        return;
    }
    c->refuse = rf_mshr_with(&m->mshr, line) != 0 || !rf_cache_bank_room(m) || !rf_mshr_room_for(&m->mshr, false);
    if (c->refuse) return;
    if (c->found.hit) rf_cache_bank_change(c, RF_LINE_DROP, false, false);
    c->allocate = true;
    c->entry = rf_lowest(rf_mshr_free(&m->mshr));
    rf_cache_bank_send(m, r, RF_MISS_ATOMIC, line, c);
}

/* The request's cycle: the data stage takes an access, and no fill is offered. */
static inline void rf_cache_bank_tag(const rf_cache_bank *m, const rf_cache_bank_request *r, rf_cache_bank_cycle *c) {
    const uint32_t line = rf_cache_bank_line(&m->cfg, r->set, r->tag);
    c->found = r->op == RF_CACHE_FLUSH ? rf_tag_bank_at(&m->tags, r->set, r->tag, r->way)
                                       : rf_tag_bank_look(&m->tags, r->set, r->tag, false);
    c->hit = c->found.hit;
    c->tag = r->tag;
    const uint32_t row = c->found.set * m->cfg.ways + c->found.way;
    switch (r->op) {
    case RF_CACHE_READ_REG:
        if (c->hit) {
            rf_cache_bank_change(c, r->dead ? RF_LINE_DIE : RF_LINE_NONE, false, true);
            rf_cache_bank_read(r, row, c);
        } else if (m->cfg.policy == RF_POLICY_REGISTERS) {
            c->accept = c->access.valid = c->access.zero = true;
            c->access.id = r->id;
        } else rf_cache_bank_miss(m, r, line, c);
        break;
    case RF_CACHE_WRITE_REG:
        rf_cache_bank_write_reg(m, r, line, row, c);
        break;
    case RF_CACHE_LOAD:
        if (c->hit) {
            rf_cache_bank_change(c, RF_LINE_NONE, false, true);
            rf_cache_bank_read(r, row, c);
        } else rf_cache_bank_miss(m, r, line, c);
        break;
    case RF_CACHE_STORE:
        rf_cache_bank_store(m, r, line, row, c);
        break;
    case RF_CACHE_ATOMIC:
        rf_cache_bank_atomic(m, r, line, row, c);
        return;
    case RF_CACHE_FLUSH:
        c->accept = !rf_cache_bank_drop(m, row, c);
        break;
    default:
        c->accept = true;
        break;
    }
    c->refuse = !c->accept;
}

/* The cycle of a fill that the data stage takes. */
static inline void rf_cache_bank_fill_in(const rf_cache_bank *m, const rf_cache_bank_fill *f, rf_cache_bank_cycle *c) {
    if (!rf_mshr_busy(&m->mshr, f->entry)) {
        c->filled = true;
        return;
    }
    const uint32_t line = m->mshr.line_q[f->entry], all = rf_cache_bank_lanes(m);
    const bool reg = (m->mshr.reg_q >> f->entry & 1) != 0, keep = (m->mshr.keep_q >> f->entry & 1) != 0;
    if (keep) {
        c->tag = line >> rf_cache_bank_set_bits(&m->cfg);
        c->found = rf_tag_bank_look(&m->tags, line, c->tag, !reg);
        const uint32_t row = c->found.set * m->cfg.ways + c->found.way;
        const bool spill = c->found.victim && rf_line_state_spill(c->found.state);
        c->fill_ready = !spill || rf_cache_bank_room(m);
        if (!c->fill_ready) return;
        if (spill) rf_cache_bank_write_back(m, row, c);
        if (c->found.hit || c->found.victim) {
            rf_cache_bank_take(reg ? RF_LINE_FILL_REG : RF_LINE_FILL_CACHE, c);
            rf_cache_bank_write(row, all, f->data, all, c);
        }
    }
    c->filled = c->frees = true;
    c->entry = f->entry;
    c->access.valid = c->access.fill = true;
    c->access.data = f->data;
    c->access.lanes = all;
}

static inline void rf_cache_bank_decide(const rf_cache_bank *m, const rf_cache_bank_request *r, const rf_cache_bank_fill *f,
                                        rf_cache_bank_cycle *c) {
    memset(c, 0, sizeof *c);
    c->fill_ready = rf_cache_bank_free(m);
    c->ready = c->fill_ready && !f->valid;
    if (!c->fill_ready) return;
    if (f->valid) rf_cache_bank_fill_in(m, f, c);
    else if (r->valid) rf_cache_bank_tag(m, r, c);
}

/* Output wake. */
static inline bool rf_cache_bank_wake(const rf_cache_bank *m, const rf_cache_bank_cycle *c, bool mem_ready) {
    return c->filled | (mem_ready & rf_miss_queue_valid(&m->queue));
}

/* ---- the edge ---- */

/* The step that this cycle is: the port of the data array, the message, and whether the next cycle answers. */
static inline void rf_cache_bank_work(rf_cache_bank *m, bool mem_ready) {
    const uint32_t step = m->d_step_q;
    const bool works = m->d_valid_q, answers = works & (m->d_read_q | m->d_zero_q);
    const bool pushes = works & m->d_push_q & (step == rf_cache_bank_push_step(m));
    if (pushes || mem_ready) {
        const rf_miss_queue_message message = {.data = m->d_victim_q ? &m->data.rdata_q : &m->d_data_q,
                                               .line = m->d_line_q,
                                               .mask = m->d_mask_q,
                                               .op = m->d_op_q,
                                               .entry = m->d_entry_q};
        rf_miss_queue_move(&m->queue, pushes ? &message : NULL, mem_ready);
    }
    m->r_valid_q = answers;
    m->r_zero_q = answers ? m->d_zero_q : m->r_zero_q;
    m->r_id_q = answers ? m->d_id_q : m->r_id_q;
    if (!works) return;
    if (step == 0 && (m->d_read_q || m->d_victim_q)) rf_bank_read(&m->data, m->d_row_q);
    else if (m->d_write_q && step == rf_cache_bank_write_step(m)) rf_bank_write(&m->data, m->d_row_q, m->d_mask_q, &m->d_data_q);
}

/* The data stage gets its next access; `count` and `target` are of the MSHR that is filled. */
static inline void rf_cache_bank_load(rf_cache_bank *m, const rf_cache_bank_access *a, uint32_t count, const uint8_t *target) {
    m->d_step_q = 0;
    m->d_valid_q = a->valid;
    if (!a->valid) return;
    m->d_fill_q = a->fill;
    m->d_read_q = a->read;
    m->d_zero_q = a->zero;
    m->d_victim_q = a->victim;
    m->d_write_q = a->write;
    m->d_push_q = a->push;
    if (a->push) {
        m->d_op_q = a->op;
        m->d_line_q = a->line;
        m->d_entry_q = a->entry;
    }
    if (a->read || a->victim || a->write) m->d_row_q = (uint16_t)a->row;
    if (a->read || a->zero) m->d_id_q = a->id;
    if (a->write || (a->push && a->op != RF_MISS_FETCH)) m->d_mask_q = a->mask;
    if (a->data != NULL) {
        m->d_data_q = *a->data;
        for (uint32_t left = rf_cache_bank_lanes(m) & ~a->lanes; left != 0; left &= left - 1)
            m->d_data_q.lane[rf_lowest(left)] = 0;
    }
    if (a->fill) {
        m->d_count_q = (uint8_t)count;
        for (uint32_t t = 0; t < m->cfg.targets; t++) m->d_target_q[t] = target[t];
    }
}

static inline void rf_cache_bank_move(rf_cache_bank *m, const rf_cache_bank_cycle *c, const rf_cache_bank_request *r,
                                      bool mem_ready) {
    const bool free = rf_cache_bank_free(m);
    rf_cache_bank_work(m, mem_ready);
    if (free) rf_cache_bank_load(m, &c->access, m->mshr.count_q[c->entry], &m->mshr.id_q[c->entry * m->cfg.targets]);
    else m->d_step_q++;
    if (c->update) rf_tag_bank_change(&m->tags, &c->found, c->event, c->takes, c->tag, c->touch);
    if (c->allocate)
        rf_mshr_allocate(&m->mshr, c->entry, rf_cache_bank_line(&m->cfg, r->set, r->tag), c->reg, c->keep, true, r->id);
    if (c->merge) rf_mshr_merge(&m->mshr, c->entry, c->keep, r->id);
    if (c->frees) rf_mshr_done(&m->mshr, c->entry);
}

#endif
