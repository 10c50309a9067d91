/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_miss_queue on its own registers: private to rf_miss_queue.c and to those who hold queues, so that a line is
 * copied where a register takes it, nowhere else. */
#ifndef RF_MISS_QUEUE_PARTS_H
#define RF_MISS_QUEUE_PARTS_H

#include "cmodel/cerf/rf_miss_queue.h"

/* A message as inputs push_* bring it; of a fetch `data` and `mask` are not looked at. */
typedef struct rf_miss_queue_message {
    const rf_vec *data;
    uint32_t line;
    uint32_t mask;
    uint8_t op;
    uint8_t entry;
} rf_miss_queue_message;

/* It takes one more message in this cycle. */
static inline bool rf_miss_queue_ready(const rf_miss_queue *m) { return rf_fifo_ctrl_ready(&m->ctrl); }

/* Output valid. */
static inline bool rf_miss_queue_valid(const rf_miss_queue *m) { return rf_fifo_ctrl_valid(&m->ctrl); }

/* Output count. */
static inline uint32_t rf_miss_queue_count(const rf_miss_queue *m) { return m->ctrl.level_q; }

/* Where the head lies; it counts while rf_miss_queue_valid. */
static inline uint32_t rf_miss_queue_head(const rf_miss_queue *m) { return m->ctrl.rd_ptr_q; }

/* A message of this operation has words: its mask and data are stored, and shown. */
static inline bool rf_miss_queue_has_words(uint32_t op) { return op != RF_MISS_FETCH; }

/* The edge: `push`, or NULL, goes behind the others, unless the queue is full; `pop` removes the head. */
static inline void rf_miss_queue_move(rf_miss_queue *m, const rf_miss_queue_message *push, bool pop) {
    const rf_fifo_ctrl_in edge = {.push = push != NULL, .pop = pop};
    if (push != NULL && rf_miss_queue_ready(m)) {
        const uint32_t tail = m->ctrl.wr_ptr_q;
        m->op_q[tail] = push->op;
        m->line_q[tail] = push->line;
        m->entry_q[tail] = push->entry;
        if (rf_miss_queue_has_words(push->op)) {
            m->mask_q[tail] = push->mask;
            m->data_q[tail] = *push->data;
        }
    }
    rf_fifo_ctrl_clock(&m->ctrl, &edge);
}

#endif
