/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_wbq on its own registers: private to rf_wbq.c and to those who hold queues, so that a result is copied where a
 * register takes it, nowhere else. */
#ifndef RF_WBQ_PARTS_H
#define RF_WBQ_PARTS_H

#include "cmodel/banked/rf_wbq.h"

/* A result as inputs push_* bring it. */
typedef struct rf_wbq_result {
    const rf_vec *data;
    uint32_t mask;
    uint16_t row;
    uint8_t warp;
    uint8_t reg;
    uint8_t note;
    uint8_t bank;
} rf_wbq_result;

/* Output ready. */
static inline bool rf_wbq_ready(const rf_wbq *m) { return rf_fifo_ctrl_ready(&m->ctrl); }

/* Output wr_valid. */
static inline bool rf_wbq_asks(const rf_wbq *m) { return rf_fifo_ctrl_valid(&m->ctrl); }

/* Where the head lies; it counts while rf_wbq_asks. */
static inline uint32_t rf_wbq_head(const rf_wbq *m) { return m->ctrl.rd_ptr_q; }

/* The edge: `push`, or NULL, goes behind the others, unless the queue is full; `grant` removes the head. */
static inline void rf_wbq_move(rf_wbq *m, const rf_wbq_result *push, bool grant) {
    const rf_fifo_ctrl_in edge = {.push = push != NULL, .pop = grant};
    if (push != NULL && rf_wbq_ready(m)) {
        const uint32_t tail = m->ctrl.wr_ptr_q;
        m->warp_q[tail] = push->warp;
        m->reg_q[tail] = push->reg;
        m->note_q[tail] = push->note;
        m->bank_q[tail] = push->bank;
        m->row_q[tail] = push->row;
        m->mask_q[tail] = push->mask;
        m->data_q[tail] = *push->data;
    }
    rf_fifo_ctrl_clock(&m->ctrl, &edge);
}

#endif
