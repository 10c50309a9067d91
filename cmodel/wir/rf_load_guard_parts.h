/* SPDX-License-Identifier: Apache-2.0 */
/* What rf_load_guard answers and what its edge does, as functions that a caller compiles in: private to the unit and rf_wir. */
#ifndef RF_LOAD_GUARD_PARTS_H
#define RF_LOAD_GUARD_PARTS_H

#include "cmodel/wir/rf_load_guard.h"

/* Whether a load of `warp` from `space` may reuse, and its tag's fields. `block`: per warp its block's slot. */
static inline bool rf_load_guard_answer(const rf_load_guard *m, const uint8_t *block, uint32_t warp, uint32_t space,
                                        uint8_t *tag_block, uint8_t *tag_barrier) {
    const bool is_warp = warp < m->cfg.warps;
    *tag_barrier = 0;
    if (space == RF_SPACE_SHARED) {
        const uint32_t b = is_warp ? block[warp] : 0;
        const uint32_t count = b < m->cfg.blocks ? m->count_q[b] : 0; /* a block that does not exist has no sweep either */
        *tag_block = (uint8_t)b;
        *tag_barrier = (uint8_t)count;
        return !m->flush_q && (m->sweep_q >> b & 1) == 0 && !(is_warp && (m->shared_q >> warp & 1) != 0) &&
               count != RF_BARRIERS_END;
    }
    *tag_block = (uint8_t)(m->cfg.blocks <= 2 ? 2 : UINT32_C(1) << (32 - __builtin_clz(m->cfg.blocks - 1))); /* none */
    if (space == RF_SPACE_NONE) return true;
    if (space == RF_SPACE_GLOBAL) {
        *tag_barrier = m->gcount_q;
        return !m->flush_q && !(is_warp && (m->global_q >> warp & 1) != 0) && m->gcount_q != RF_BARRIERS_END;
    }
    return !m->flush_q;
}

/* The pass that is on: the outputs sweep_*. */
static inline void rf_load_guard_show_sweep(const rf_load_guard *m, rf_load_guard_out *out) {
    out->sweep_valid = m->active_q;
    out->sweep_index = m->index_q;
    out->sweep_all = m->active_q & m->all_q;
    out->sweep_block = m->active_q ? m->target_q : 0;
}

/* Store flags. `barred`: the warps whose block's barrier is over. */
static inline void rf_load_guard_flags(rf_load_guard *m, const rf_load_guard_in *in, uint64_t barred) {
    const uint64_t keep = ~(barred | in->fence | in->launch);
    uint64_t shared = m->shared_q & keep, global = m->global_q & keep;
    for (uint32_t set = in->st_valid; set != 0; set &= set - 1) {
        const uint32_t l = rf_lowest(set), warp = in->st_warp[l];
        const uint64_t bit = (uint64_t)(warp < m->cfg.warps) << (warp & 63);
        if ((in->st_shared >> l & 1) != 0) shared |= bit;
        else global |= bit;
    }
    m->shared_q = shared;
    m->global_q = global;
}

/* The pass, and what waits for one. `full`: the count of global memory gets full. */
static inline void rf_load_guard_sweep(rf_load_guard *m, const rf_load_guard_in *in, bool full, bool last) {
    uint32_t flush = m->flush_q, waiting = m->sweep_q;
    if (m->active_q) {
        m->index_q = (uint16_t)(last ? 0 : m->index_q + (in->sweep_ready != 0));
        m->active_q = !last;
        if (last && m->all_q) flush = waiting = 0;
        else if (last) waiting &= ~(UINT32_C(1) << m->target_q);
    } else if ((flush | waiting) != 0) {
        m->active_q = 1;
        m->all_q = (uint8_t)flush;
        if (!flush) m->target_q = (uint8_t)rf_lowest(waiting);
    }
    m->flush_q = (uint8_t)(flush | (in->flush != 0) | full);
    m->sweep_q = (uint16_t)(waiting | in->start);
}

/* The rising clock edge; `block` in place of the inputs' one, that nobody need copy it. */
static inline void rf_load_guard_edge(rf_load_guard *m, const rf_load_guard_in *in, const uint8_t *block) {
    const bool last = m->active_q && in->sweep_ready && m->index_q == m->cfg.entries - 1;
    const bool clear = last && m->all_q;
    uint64_t barred = 0;
    uint32_t up = in->bar;
    bool full = false;
    if (in->bar != 0)
        for (uint32_t w = 0; w < m->cfg.warps; w++) barred |= (uint64_t)(in->bar >> block[w] & 1) << w;
    for (uint64_t set = in->fence; set != 0; set &= set - 1) up |= UINT32_C(1) << block[rf_lowest(set)];
    up = (up | in->start) & (uint32_t)rf_mask64(m->cfg.blocks);
    for (uint32_t set = up; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        if ((in->start >> b & 1) != 0) m->count_q[b] = 0;
        else if (m->count_q[b] != RF_BARRIERS_END) m->count_q[b]++;
    }
    if (clear) {
        m->gcount_q = 0;
    } else if ((in->fence != 0 || (m->global_q & barred) != 0) && m->gcount_q != RF_BARRIERS_END) {
        m->gcount_q++;
        full = m->gcount_q == RF_BARRIERS_END;
    }
    rf_load_guard_sweep(m, in, full, last);
    rf_load_guard_flags(m, in, barred);
}

#endif
