/* SPDX-License-Identifier: Apache-2.0 */
/* The edge of rf_hash_pipe with its value by pointer, as functions that a caller compiles in: private to the unit and rf_wir. */
#ifndef RF_HASH_PIPE_PARTS_H
#define RF_HASH_PIPE_PARTS_H

#include "cmodel/wir/rf_h3.h"
#include "cmodel/wir/rf_hash_pipe.h"

/* The stages that take what comes, one bit each: all of them when the end is taken, else those at and below the last empty one.
 */
static inline uint32_t rf_hash_pipe_takers(const rf_hash_pipe *m, uint32_t take) {
    const uint32_t all = (UINT32_C(1) << m->cfg.stages) - 1;
    uint32_t below = all & ~(uint32_t)m->valid_q;
    below |= below >> 1;
    below |= below >> 2;
    below |= below >> 4;
    return take != 0 ? all : below;
}

/* The rising clock edge; `takes` is what rf_hash_pipe_takers gives, `data` stands in place of the inputs' one. */
static inline void rf_hash_pipe_edge(rf_hash_pipe *m, uint32_t takes, const rf_hash_pipe_in *in, const rf_vec *data) {
    const uint32_t end = m->cfg.stages - 1;
    const uint32_t coming = (uint32_t)m->valid_q << 1 | in->valid;
    const uint32_t moves = takes & coming;
    m->valid_q = (uint8_t)(moves | (m->valid_q & ~takes));
    if ((moves >> end & 1) != 0) m->hash_q = rf_h3_hash(end == 0 ? data : &m->data_q[end - 1]);
    for (uint32_t s = end; s > 0; s--) {
        if ((moves >> s & 1) == 0) continue;
        m->warp_q[s] = m->warp_q[s - 1];
        m->dst_q[s] = m->dst_q[s - 1];
        m->mask_q[s] = m->mask_q[s - 1];
        m->data_q[s] = m->data_q[s - 1];
        m->info_q[s] = m->info_q[s - 1];
    }
    if ((moves & 1) == 0) return;
    m->warp_q[0] = in->warp;
    m->dst_q[0] = in->dst;
    m->mask_q[0] = in->mask;
    m->data_q[0] = *data;
    m->info_q[0] = in->info;
}

#endif
