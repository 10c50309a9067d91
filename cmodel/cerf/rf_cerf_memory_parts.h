/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of rf_cerf_memory on its own registers: private to rf_cerf_memory.c and to the system that holds one, so that a line
 * of 128 bytes is copied where a register takes it, nowhere else.
 *
 * rf_cerf_memory_decide, once all requests are known; rf_cerf_memory_answers, from the registers; then the edge,
 * rf_cerf_memory_move. */
#ifndef RF_CERF_MEMORY_PARTS_H
#define RF_CERF_MEMORY_PARTS_H

#include "cmodel/banked/rf_arbiter_parts.h"
#include "cmodel/cerf/rf_cache_bank_parts.h"
#include "cmodel/cerf/rf_cerf_memory.h"

/* Who asks, and L2: as rf_cerf_memory_in, data where it is. */
typedef struct rf_cerf_memory_asks {
    uint64_t rd_valid, rd_dead;
    const uint16_t *rd_number;
    uint32_t wr_valid;
    const uint16_t *wr_number;
    const uint32_t *wr_mask;
    const rf_vec *wr_data[RF_EXPORTS_MAX];
    const rf_cerf_sides_in *sides;
} rf_cerf_memory_asks;

/* What becomes of them. */
typedef struct rf_cerf_memory_cycle {
    uint64_t rd_accept;
    uint32_t wr_accept;
    bool mem_accept, fill_ready;
    uint64_t rd_refuse;
    uint32_t wr_refuse;
    bool mem_refuse;
    rf_cache_bank_request request[RF_CERF_BANKS_MAX];
    rf_cache_bank_cycle bank[RF_CERF_BANKS_MAX];
} rf_cerf_memory_cycle;

/* What comes back in this cycle: of a reader, or of the load/store unit. */
typedef struct rf_cerf_memory_answer {
    bool valid, of_mem; /* without valid the others say nothing */
    uint8_t id;
    const rf_vec *data;
} rf_cerf_memory_answer;

/* ---- places ---- */

/* Line number of a register. */
static inline uint32_t rf_cerf_memory_line(const rf_cerf_memory_cfg *cfg, uint32_t number) {
    return (cfg->prefix << rf_index_bits(cfg->registers) | number) & (uint32_t)rf_mask64(cfg->line_w);
}

static inline uint32_t rf_cerf_memory_bank(const rf_cerf_memory_cfg *cfg, uint32_t line) { return line & (cfg->banks - 1); }

/* A bank's request for a line. */
static inline void rf_cerf_memory_place(const rf_cerf_memory *m, uint32_t line, rf_cache_bank_request *r) {
    const uint32_t own = line >> rf_log2(m->cfg.banks), sets = m->cfg.sets / m->cfg.banks;
    r->set = own & (sets - 1);
    r->tag = own >> rf_log2(sets);
}

/* ---- requests ---- */

/* The askers of the arbiter, the load/store unit behind the collectors; who waits does not ask, nor for a bank that is not ready.
 */
static inline void rf_cerf_memory_ask(const rf_cerf_memory *m, const rf_cerf_memory_asks *a, rf_arbiter_in *ask) {
    const rf_cerf_memory_cfg *cfg = &m->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots;
    uint32_t ready = 0;
    for (uint32_t b = 0; b < cfg->banks; b++)
        ready |= (uint32_t)(rf_cache_bank_free(&m->bank[b]) & !(a->sides->fill_valid && a->sides->fill_bank == b)) << b;
    ask->rd_valid = 0;
    ask->wr_valid = 0;
    for (uint64_t left = a->rd_valid; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        ask->rd_bank[r] = (uint8_t)rf_cerf_memory_bank(cfg, rf_cerf_memory_line(cfg, a->rd_number[r]));
        ask->rd_valid |= (~m->rd_wait_q >> r & ready >> ask->rd_bank[r] & 1) << r;
    }
    for (uint32_t left = a->wr_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        ask->wr_bank[e] = (uint8_t)rf_cerf_memory_bank(cfg, rf_cerf_memory_line(cfg, a->wr_number[e]));
        ask->wr_valid |= (uint8_t)((~(uint32_t)m->wr_wait_q >> e & ready >> ask->wr_bank[e] & 1) << e);
    }
    const uint32_t bank = rf_cerf_memory_bank(cfg, a->sides->mem_line);
    ask->rd_bank[readers] = (uint8_t)bank;
    ask->rd_valid |= (uint64_t)(a->sides->mem_valid && !m->mem_wait_q && (ready >> bank & 1) != 0) << readers;
}

/* A bank's request that has no words and says nothing of a way or a last read. */
static inline rf_cache_bank_request rf_cerf_memory_of(const rf_cerf_memory *m, uint32_t line, uint8_t op, uint8_t id) {
    rf_cache_bank_request r = {
        .valid = true, .dead = false, .op = op, .way = 0, .id = id, .set = 0, .tag = 0, .mask = 0, .data = NULL};
    rf_cerf_memory_place(m, line, &r);
    return r;
}

/* The banks' requests: what the arbiter granted. */
static inline void rf_cerf_memory_request(const rf_cerf_memory *m, const rf_cerf_memory_asks *a, const rf_arbiter_in *ask,
                                          const rf_arbiter_out *arbiter, rf_cache_bank_request *request) {
    const rf_cerf_memory_cfg *cfg = &m->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots;
    for (uint32_t b = 0; b < cfg->banks; b++) request[b].valid = false;
    for (uint64_t left = arbiter->rd_grant; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        rf_cache_bank_request *q = &request[ask->rd_bank[r]];
        if (r == readers) {
            *q = rf_cerf_memory_of(m, a->sides->mem_line, a->sides->mem_op, (uint8_t)(a->sides->mem_id | 1u << RF_CERF_ID_W));
            q->way = a->sides->mem_way;
            q->mask = a->sides->mem_mask;
            q->data = &a->sides->mem_data;
        } else {
            *q = rf_cerf_memory_of(m, rf_cerf_memory_line(cfg, a->rd_number[r]), RF_CACHE_READ_REG, (uint8_t)r);
            q->dead = (a->rd_dead >> r & 1) != 0;
        }
    }
    for (uint32_t left = arbiter->wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        rf_cache_bank_request *q = &request[ask->wr_bank[e]];
        *q = rf_cerf_memory_of(m, rf_cerf_memory_line(cfg, a->wr_number[e]), RF_CACHE_WRITE_REG, 0);
        q->mask = a->wr_mask[e];
        q->data = a->wr_data[e];
    }
}

/* The bank whose message L2 is shown, one hot. */
static inline uint32_t rf_cerf_memory_sends(const rf_cerf_memory *m) {
    uint32_t valid = 0;
    for (uint32_t b = 0; b < m->cfg.banks; b++) valid |= (uint32_t)rf_miss_queue_valid(&m->bank[b].queue) << b;
    return (uint32_t)rf_rr_pick(valid, m->l2.mask_q);
}

/* Answers to requests: what the bank said of what it was granted. */
static inline void rf_cerf_memory_told(const rf_cerf_memory *m, const rf_cerf_memory_wires *w, rf_cerf_memory_cycle *c) {
    const uint32_t readers = m->cfg.collectors * m->cfg.slots;
    c->rd_accept = c->rd_refuse = 0;
    c->wr_accept = c->wr_refuse = 0;
    for (uint64_t left = w->arbiter.rd_grant; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), b = w->arbiter_in.rd_bank[r];
        c->rd_accept |= (uint64_t)(w->accept >> b & 1) << r;
        c->rd_refuse |= (uint64_t)(w->refuse >> b & 1) << r;
    }
    for (uint32_t left = w->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), b = w->arbiter_in.wr_bank[e];
        c->wr_accept |= (uint32_t)(w->accept >> b & 1) << e;
        c->wr_refuse |= (uint32_t)(w->refuse >> b & 1) << e;
    }
    c->mem_accept = (c->rd_accept >> readers & 1) != 0;
    c->mem_refuse = (c->rd_refuse >> readers & 1) != 0;
    c->rd_accept &= rf_mask64(readers);
    c->rd_refuse &= rf_mask64(readers);
}

/* The bank's data stage writes its row at the edge. */
static inline bool rf_cerf_memory_writes(const rf_cache_bank *b) {
    return b->d_valid_q & b->d_write_q & (b->d_step_q == rf_cache_bank_write_step(b));
}

/* The bank whose message L2 takes, one hot. */
static inline uint32_t rf_cerf_memory_taken(const rf_cerf_memory_asks *a, const rf_cerf_memory_wires *w) {
    return a->sides->l2_ready ? w->sends : 0;
}

static inline void rf_cerf_memory_decide(const rf_cerf_memory *m, const rf_cerf_memory_asks *a, rf_cerf_memory_wires *w,
                                         rf_cerf_memory_cycle *c) {
    rf_cerf_memory_ask(m, a, &w->arbiter_in);
    rf_arbiter_comb(&m->arbiter, &w->arbiter_in, &w->arbiter);
    rf_cerf_memory_request(m, a, &w->arbiter_in, &w->arbiter, c->request);
    w->asked = w->accept = w->refuse = w->hit = w->wake = w->filled = w->victim = w->by_register = 0;
    w->tag_write = w->row_write = 0;
    w->sends = (uint8_t)rf_cerf_memory_sends(m);
    c->fill_ready = a->sides->fill_bank >= m->cfg.banks;
    const uint32_t taken = rf_cerf_memory_taken(a, w);
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        rf_cache_bank_cycle *k = &c->bank[b];
        const rf_cache_bank_fill fill = {.valid = a->sides->fill_valid && a->sides->fill_bank == b,
                                         .entry = a->sides->fill_entry,
                                         .data = &a->sides->fill_data};
        rf_cache_bank_decide(&m->bank[b], &c->request[b], &fill, k);
        if (a->sides->fill_bank == b) c->fill_ready = k->fill_ready;
        w->asked |= (uint8_t)(c->request[b].valid << b);
        w->accept |= (uint8_t)(k->accept << b);
        w->refuse |= (uint8_t)(k->refuse << b);
        w->hit |= (uint8_t)(k->hit << b);
        w->filled |= (uint8_t)(k->filled << b);
        w->victim |= (uint8_t)(k->victim << b);
        w->by_register |= (uint8_t)((k->victim && k->event != RF_LINE_FILL_CACHE) << b);
        w->wake |= (uint8_t)(rf_cache_bank_wake(&m->bank[b], k, (taken >> b & 1) != 0) << b);
        w->op[b] = c->request[b].valid ? c->request[b].op : 0;
        w->victim_state[b] = k->victim_state;
        w->tag_set[b] = k->found.set;
        w->row[b] = m->bank[b].d_row_q;
        w->tag_write |= (uint8_t)((k->update && k->takes) << b);
        w->row_write |= (uint8_t)(rf_cerf_memory_writes(&m->bank[b]) << b);
    }
    rf_cerf_memory_told(m, w, c);
}

/* What bank b answers in this cycle. */
static inline rf_cerf_memory_answer rf_cerf_memory_answers(const rf_cerf_memory *m, uint32_t b) {
    rf_cerf_memory_answer a;
    uint8_t id;
    a.valid = rf_cache_bank_answer(&m->bank[b], &id, &a.data);
    a.of_mem = (id >> RF_CERF_ID_W & 1) != 0;
    a.id = id & (uint8_t)rf_mask64(RF_CERF_ID_W);
    return a;
}

/* The message that L2 is shown, of bank `sends` (one hot, not 0); a fetch has no words: mask 0, data NULL. */
static inline rf_miss_queue_message rf_cerf_memory_message(const rf_cerf_memory *m, uint32_t sends) {
    const uint32_t b = rf_lowest(sends);
    const rf_miss_queue *q = &m->bank[b].queue;
    const uint32_t head = rf_miss_queue_head(q);
    const bool words = rf_miss_queue_has_words(q->op_q[head]);
    return (rf_miss_queue_message){.data = words ? &q->data_q[head] : NULL,
                                   .line = q->line_q[head] << rf_log2(m->cfg.banks) | b,
                                   .mask = words ? q->mask_q[head] : 0,
                                   .op = q->op_q[head],
                                   .entry = q->entry_q[head]};
}

/* The ports of the load/store unit and of L2. */
static inline void rf_cerf_memory_show(const rf_cerf_memory *m, uint32_t sends, const rf_cerf_memory_cycle *c,
                                       rf_cerf_sides_out *out) {
    out->mem_accept = c->mem_accept;
    out->fill_ready = c->fill_ready;
    out->ld_valid = 0;
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        const rf_cerf_memory_answer a = rf_cerf_memory_answers(m, b);
        const bool loads = a.valid & a.of_mem;
        out->ld_valid |= (uint8_t)(loads << b);
        out->ld_id[b] = loads ? a.id : 0;
        out->ld_data[b] = *(loads ? a.data : &rf_cache_bank_zeros);
    }
    rf_miss_queue_message head = {.data = NULL, .line = 0, .mask = 0, .op = 0, .entry = 0};
    if (sends != 0) head = rf_cerf_memory_message(m, sends);
    out->l2_valid = sends != 0;
    out->l2_bank = (uint8_t)(sends != 0 ? rf_lowest(sends) : 0);
    out->l2_op = head.op;
    out->l2_line = head.line;
    out->l2_entry = head.entry;
    out->l2_mask = head.mask;
    out->l2_data = *(head.data != NULL ? head.data : &rf_cache_bank_zeros);
}

/* ---- the edge ---- */

/* Who is refused waits until its bank wakes it; a wake of the same cycle counts. */
static inline void rf_cerf_memory_wait(rf_cerf_memory *m, const rf_cerf_memory_asks *a, const rf_cerf_memory_wires *w,
                                       const rf_cerf_memory_cycle *c) {
    const rf_cerf_memory_cfg *cfg = &m->cfg;
    m->rd_wait_q |= c->rd_refuse;
    m->wr_wait_q |= (uint8_t)c->wr_refuse;
    m->mem_wait_q |= (uint8_t)c->mem_refuse;
    if (w->wake == 0) return;
    for (uint64_t left = m->rd_wait_q; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), b = rf_cerf_memory_bank(cfg, rf_cerf_memory_line(cfg, a->rd_number[r]));
        m->rd_wait_q &= ~((uint64_t)(w->wake >> b & 1) << r);
    }
    for (uint32_t left = m->wr_wait_q; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), b = rf_cerf_memory_bank(cfg, rf_cerf_memory_line(cfg, a->wr_number[e]));
        m->wr_wait_q &= (uint8_t) ~((uint32_t)(w->wake >> b & 1) << e);
    }
    m->mem_wait_q &= (uint8_t) ~(w->wake >> rf_cerf_memory_bank(cfg, a->sides->mem_line) & 1);
}

static inline void rf_cerf_memory_move(rf_cerf_memory *m, const rf_cerf_memory_asks *a, const rf_cerf_memory_wires *w,
                                       const rf_cerf_memory_cycle *c) {
    rf_arbiter_move(&m->arbiter, &w->arbiter_in, &w->arbiter);
    rf_cerf_memory_wait(m, a, w, c);
    const uint32_t taken = rf_cerf_memory_taken(a, w);
    for (uint32_t b = 0; b < m->cfg.banks; b++)
        rf_cache_bank_move(&m->bank[b], &c->bank[b], &c->request[b], (taken >> b & 1) != 0);
    if (taken != 0) m->l2.mask_q = rf_rr_next(taken, m->cfg.banks);
}

#endif
