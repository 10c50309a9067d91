/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_load_guard.h"

#include <string.h>

const char *rf_load_guard_check(const rf_load_guard_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->blocks < 1 || cfg->blocks > RF_BLOCKS_MAX) return "BLOCKS must be 1 to 16";
    if (cfg->entries < 1 || cfg->entries > RF_REUSE_ENTRIES_MAX || (cfg->entries & (cfg->entries - 1)) != 0)
        return "ENTRIES must be a power of two, 1 to 512";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_load_guard_init(rf_load_guard *m, const rf_load_guard_cfg *cfg) {
    if (rf_load_guard_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_load_guard_reset(m);
    return 0;
}

void rf_load_guard_reset(rf_load_guard *m) {
    const rf_load_guard_cfg cfg = m->cfg;
    memset(m, 0, sizeof *m);
    m->cfg = cfg;
}

/* The answer to one lane: whether its load may reuse, and its tag's fields. */
static inline bool answer(const rf_load_guard *m, const rf_load_guard_in *in, uint32_t lane, uint32_t none, uint8_t *block,
                          uint8_t *barrier) {
    const uint32_t warp = in->q_warp[lane], space = in->q_space[lane];
    const bool is_warp = warp < m->cfg.warps;
    *block = (uint8_t)none;
    *barrier = 0;
    if (space == RF_SPACE_NONE) return true;
    if (space == RF_SPACE_SHARED) {
        const uint32_t b = is_warp ? in->block[warp] : 0;
        const uint32_t count = b < m->cfg.blocks ? m->count_q[b] : 0; /* a block that does not exist has no sweep either */
        *block = (uint8_t)b;
        *barrier = (uint8_t)count;
        return !m->flush_q && (m->sweep_q >> b & 1) == 0 && !(is_warp && (m->shared_q >> warp & 1) != 0) &&
               count != RF_BARRIERS_END;
    }
    if (space == RF_SPACE_GLOBAL) {
        *barrier = m->gcount_q;
        return !m->flush_q && !(is_warp && (m->global_q >> warp & 1) != 0) && m->gcount_q != RF_BARRIERS_END;
    }
    return !m->flush_q;
}

static inline void outputs(const rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out) {
    const uint32_t none = UINT32_C(1) << rf_index_bits(m->cfg.blocks);
    uint32_t allow = 0;
    for (uint32_t l = 0; l < m->cfg.issues; l++)
        allow |= (uint32_t)answer(m, in, l, none, &out->tag_block[l], &out->tag_barrier[l]) << l;
    out->allow = (uint8_t)allow;
    out->sweep_valid = m->active_q;
    out->sweep_index = m->index_q;
    out->sweep_all = m->active_q & m->all_q;
    out->sweep_block = m->active_q ? m->target_q : 0;
}

/* Store flags. `barred`: the warps whose block's barrier is over. */
static inline void flags(rf_load_guard *m, const rf_load_guard_in *in, uint64_t barred) {
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
static inline void sweep(rf_load_guard *m, const rf_load_guard_in *in, bool full, bool last) {
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

static inline void edge(rf_load_guard *m, const rf_load_guard_in *in) {
    const bool last = m->active_q && in->sweep_ready && m->index_q == m->cfg.entries - 1;
    const bool clear = last && m->all_q;
    uint64_t barred = 0;
    uint32_t up = in->bar;
    bool full = false;
    if (in->bar != 0)
        for (uint32_t w = 0; w < m->cfg.warps; w++) barred |= (uint64_t)(in->bar >> in->block[w] & 1) << w;
    for (uint64_t set = in->fence; set != 0; set &= set - 1) up |= UINT32_C(1) << in->block[rf_lowest(set)];
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
    sweep(m, in, full, last);
    flags(m, in, barred);
}

void rf_load_guard_comb(const rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out) { outputs(m, in, out); }

void rf_load_guard_clock(rf_load_guard *m, const rf_load_guard_in *in) { edge(m, in); }

void rf_load_guard_step(rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out) {
    outputs(m, in, out);
    edge(m, in);
}
