/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cerf_view.h"

#include "cmodel/cerf/rf_cerf_memory_parts.h"

/* A line's bank; its set there and the way that has it, or RF_LINE_NO_WAY. */
static const rf_cache_bank *find(const rf_cerf_memory *m, uint32_t line, uint32_t *set, uint32_t *way) {
    const rf_cache_bank *bank = &m->bank[rf_cerf_memory_bank(&m->cfg, line)];
    rf_cache_bank_request r;
    rf_cerf_memory_place(m, line, &r);
    *set = r.set;
    *way = rf_tag_bank_find(&bank->tags, r.set, r.tag);
    return bank;
}

/* What the data stage has yet to write into a row. */
static void pending_row(const rf_cache_bank *b, uint32_t row, rf_vec *value) {
    const bool yet = b->d_valid_q && b->d_write_q && b->d_row_q == row && b->d_step_q <= rf_cache_bank_write_step(b);
    if (yet) rf_vec_merge(value, &b->d_data_q, b->d_mask_q);
}

/* What a message of the line will leave in L2. */
static void deliver(uint32_t op, uint32_t mask, const rf_vec *data, rf_vec *value) {
    rf_vec sum = *value;
    if (op == RF_MISS_ATOMIC)
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) sum.lane[l] += data->lane[l];
    if (op != RF_MISS_FETCH) rf_vec_merge(value, op == RF_MISS_ATOMIC ? &sum : data, mask);
}

/* What goes to L2 and has not left: the queue, oldest first, then the data stage. */
static void pending_messages(const rf_cache_bank *b, uint32_t line, rf_vec *value) {
    const rf_miss_queue *q = &b->queue;
    for (uint32_t i = 0; i < q->ctrl.level_q; i++) {
        const uint32_t at = (q->ctrl.rd_ptr_q + i) % q->cfg.depth;
        if (q->line_q[at] == line) deliver(q->op_q[at], q->mask_q[at], &q->data_q[at], value);
    }
    const bool yet = b->d_valid_q && b->d_push_q && b->d_step_q <= rf_cache_bank_push_step(b);
    if (!yet || b->d_line_q != line) return;
    const rf_vec *victim = b->d_step_q == 0 ? &b->data.mem_q[b->d_row_q] : &b->data.rdata_q;
    deliver(b->d_op_q, b->d_victim_q ? rf_cache_bank_lanes(b) : b->d_mask_q, b->d_victim_q ? victim : &b->d_data_q, value);
}

rf_vec rf_cerf_view_line(const rf_cerf_memory *m, const rf_line_store *l2, uint32_t line) {
    uint32_t set, way;
    const rf_cache_bank *b = find(m, line, &set, &way);
    rf_vec value;
    if (way != RF_LINE_NO_WAY) {
        const uint32_t row = set * m->cfg.ways + way;
        value = b->data.mem_q[row];
        pending_row(b, row, &value);
    } else {
        value = rf_line_store_read(l2, line);
        pending_messages(b, line >> rf_log2(m->cfg.banks), &value);
    }
    return value;
}

rf_vec rf_cerf_view_register(const rf_cerf_memory *m, const rf_line_store *l2, uint32_t number) {
    const uint32_t line = rf_cerf_memory_line(&m->cfg, number);
    uint32_t way;
    if (m->cfg.policy == RF_POLICY_REGISTERS && rf_cerf_view_state(m, line, &way) == RF_LINE_INACTIVE) return (rf_vec){{0}};
    return rf_cerf_view_line(m, l2, line);
}

bool rf_cerf_view_idle(const rf_cerf_memory *m) {
    bool idle = true;
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        const rf_cache_bank *k = &m->bank[b];
        idle &= k->mshr.busy_q == 0 && k->queue.ctrl.level_q == 0 && !k->d_valid_q && !k->r_valid_q;
    }
    return idle;
}

const char *rf_cerf_view_check(const rf_cerf_memory *m, uint32_t bank, uint32_t set) {
    const rf_tag_bank *t = &m->bank[bank].tags;
    for (uint32_t w = 1; w < m->cfg.ways; w++) {
        if (rf_tag_bank_state(t, set, w) == RF_LINE_INACTIVE) continue;
        for (uint32_t o = 0; o < w; o++)
            if (rf_tag_bank_state(t, set, o) != RF_LINE_INACTIVE && rf_tag_bank_tag(t, set, o) == rf_tag_bank_tag(t, set, w))
                return "two entries of one line";
    }
    return NULL;
}

const char *rf_cerf_view_waits(const rf_cerf_memory *m, const rf_cerf_memory_wires *x) {
    const uint32_t readers = m->cfg.collectors * m->cfg.slots;
    uint32_t still = 0; /* banks that will wake nobody */
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        const rf_cache_bank *k = &m->bank[b];
        still |= (uint32_t)(k->mshr.busy_q == 0 && k->queue.ctrl.level_q == 0 && !(k->d_valid_q && k->d_push_q)) << b;
    }
    for (uint64_t left = m->rd_wait_q; left != 0; left &= left - 1)
        if ((still >> x->arbiter_in.rd_bank[rf_lowest(left)] & 1) != 0) return "a reader waits for nothing";
    for (uint32_t left = m->wr_wait_q; left != 0; left &= left - 1)
        if ((still >> x->arbiter_in.wr_bank[rf_lowest(left)] & 1) != 0) return "a writer waits for nothing";
    return m->mem_wait_q && (still >> x->arbiter_in.rd_bank[readers] & 1) != 0 ? "the load/store unit waits for nothing" : NULL;
}

uint32_t rf_cerf_view_state(const rf_cerf_memory *m, uint32_t line, uint32_t *way) {
    uint32_t set;
    const rf_cache_bank *b = find(m, line, &set, way);
    return *way != RF_LINE_NO_WAY ? rf_tag_bank_state(&b->tags, set, *way) : RF_LINE_INACTIVE;
}

bool rf_cerf_view_holds(const rf_cerf_memory *m, uint32_t set, uint32_t way) {
    const rf_tag_bank *t = &m->bank[rf_cerf_memory_bank(&m->cfg, set)].tags;
    return rf_tag_bank_state(t, set >> rf_log2(m->cfg.banks), way) != RF_LINE_INACTIVE;
}
