/* SPDX-License-Identifier: Apache-2.0 */
/* The lookup and the edge of rf_verify_cache with its values by pointer, as functions that a caller compiles in: private to the
 * unit and rf_wir. */
#ifndef RF_VERIFY_CACHE_PARTS_H
#define RF_VERIFY_CACHE_PARTS_H

#include "cmodel/wir/rf_verify_cache.h"

/* The lines with this register among `valid`: one at most. All tags are compared, without a branch. */
static inline uint32_t rf_verify_cache_lines(const rf_verify_cache *m, uint32_t valid, uint16_t reg) {
    uint32_t same = 0;
    for (uint32_t e = 0; e < RF_VERIFY_CACHE_MAX; e++) same |= (uint32_t)(m->tag_q[e] == reg) << e;
    return same & valid;
}

/* Which line a register takes that has none: the lowest invalid one, else the one whose turn it is. */
static inline uint32_t rf_verify_cache_take_line(rf_verify_cache *m, uint32_t valid) {
    const uint32_t entries = m->cfg.entries, free = ~valid & (uint32_t)rf_mask64(entries), next = m->next_q;
    if (free != 0) return rf_lowest(free);
    m->next_q = (uint8_t)(next + 1 == entries ? 0 : next + 1);
    return next;
}

/* The rising clock edge; `data`, one for each port that fills, in place of the inputs' fill_data, that nobody need copy it. */
static inline void rf_verify_cache_edge(rf_verify_cache *m, const rf_verify_cache_in *in, const rf_vec *const *data) {
    uint32_t valid = m->valid_q;
    for (uint32_t set = in->fill; set != 0; set &= set - 1) {
        const uint32_t i = rf_lowest(set), found = rf_verify_cache_lines(m, valid, in->fill_reg[i]);
        const uint32_t line = found != 0 ? rf_lowest(found) : rf_verify_cache_take_line(m, valid);
        valid |= UINT32_C(1) << line;
        m->tag_q[line] = in->fill_reg[i];
        m->data_q[line] = *data[i];
    }
    for (uint32_t set = in->evict; set != 0; set &= set - 1)
        valid &= ~rf_verify_cache_lines(m, valid, in->evict_reg[rf_lowest(set)]);
    m->valid_q = (uint16_t)valid;
}

#endif
