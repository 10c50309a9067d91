/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_result_queue on its own registers: private to the unit and to those who hold queues. */
#ifndef RF_RESULT_QUEUE_PARTS_H
#define RF_RESULT_QUEUE_PARTS_H

#include "cmodel/wir/rf_result_queue.h"

/* Outputs ready and valid. */
static inline bool rf_result_queue_ready(const rf_result_queue *m) { return rf_fifo_ctrl_ready(&m->ctrl); }
static inline bool rf_result_queue_valid(const rf_result_queue *m) { return rf_fifo_ctrl_valid(&m->ctrl); }

/* Where the head lies; it counts while rf_result_queue_valid. */
static inline uint32_t rf_result_queue_head(const rf_result_queue *m) { return m->ctrl.rd_ptr_q; }

/* Entry `tail` takes what is pushed; its value is `data`, whatever push_data is. */
static inline void rf_result_queue_store(rf_result_queue *m, uint32_t tail, const rf_result_queue_in *in, const rf_vec *data) {
    m->op_q[tail] = in->push_op;
    m->warp_q[tail] = in->push_warp;
    m->dst_q[tail] = in->push_dst;
    m->preg_q[tail] = in->push_preg;
    m->cand_q[tail] = in->push_cand;
    m->mask_q[tail] = in->push_mask;
    m->info_q[tail] = in->push_info;
    m->data_q[tail] = *data;
}

#endif
