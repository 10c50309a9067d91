/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_pending_queue on its own registers: private to the unit and to those who hold queues. */
#ifndef RF_PENDING_QUEUE_PARTS_H
#define RF_PENDING_QUEUE_PARTS_H

#include "cmodel/wir/rf_pending_queue.h"

/* Outputs ready and valid. */
static inline bool rf_pending_queue_ready(const rf_pending_queue *m) { return m->level_q < m->cfg.depth; }
static inline bool rf_pending_queue_valid(const rf_pending_queue *m) { return m->level_q != 0; }

/* Output at_valid. */
static inline uint32_t rf_pending_queue_places(const rf_pending_queue *m) { return (uint32_t)rf_mask64(m->level_q); }

/* The entry of place p; p from 0, the head, to depth. */
static inline uint32_t rf_pending_queue_entry(const rf_pending_queue *m, uint32_t p) {
    const uint32_t entry = m->rd_ptr_q + p;
    return entry >= m->cfg.depth ? entry - m->cfg.depth : entry;
}

/* The head's instruction; it counts while rf_pending_queue_valid. */
static inline const rf_wir_renamed *rf_pending_queue_head(const rf_pending_queue *m) { return &m->entry_q[m->rd_ptr_q]; }

/* Output `at` of place p, which is valid. */
static inline rf_wir_reads rf_pending_queue_at(const rf_pending_queue *m, uint32_t p) {
    return rf_wir_reads_of(&m->entry_q[rf_pending_queue_entry(m, p)].common);
}

#endif
