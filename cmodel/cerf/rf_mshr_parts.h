/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_mshr on its own registers: private to rf_mshr.c and to those who hold MSHRs, so that they look up only what
 * they ask for.
 *
 * The edge of one unit, with what was said before it: rf_mshr_allocate (rf_mshr_free was not 0), rf_mshr_merge (into an entry of
 * rf_mshr_with that has room and is not done now), rf_mshr_done (of a busy entry); in any order, they touch different entries. */
#ifndef RF_MSHR_PARTS_H
#define RF_MSHR_PARTS_H

#include "cmodel/cerf/rf_mshr.h"

/* ---- what registers say ---- */

/* The busy entries with this line: the lowest is meant. */
static inline uint32_t rf_mshr_with(const rf_mshr *m, uint32_t line) {
    uint32_t same = 0;
    for (uint32_t e = 0; e < m->cfg.mshrs; e++) same |= (uint32_t)(m->line_q[e] == line) << e;
    return same & m->busy_q;
}

/* The free entries: the lowest is the next. */
static inline uint32_t rf_mshr_free(const rf_mshr *m) { return (uint32_t)rf_mask64(m->cfg.mshrs) & ~(uint32_t)m->busy_q; }

/* The entry takes one more target. */
static inline bool rf_mshr_room(const rf_mshr *m, uint32_t entry) {
    return (m->keep_q >> entry & 1) != 0 && m->count_q[entry] != m->cfg.targets;
}

/* Outputs room_reg and room_cache: an entry is free for a register, or for cache data. */
static inline bool rf_mshr_room_for(const rf_mshr *m, bool reg) {
    const uint32_t own = m->busy_q & (reg ? (uint32_t)m->reg_q : ~(uint32_t)m->reg_q);
    if (rf_mshr_free(m) == 0) return false;
    return m->cfg.reserve == 0 || (uint32_t)__builtin_popcount(own) < m->cfg.mshrs - 1;
}

/* Output done_busy: the entry exists and is busy. */
static inline bool rf_mshr_busy(const rf_mshr *m, uint32_t entry) { return (m->busy_q >> entry & 1) != 0; }

/* ---- the edge ---- */

/* The free entry becomes busy; `target`: id waits for the line. */
static inline void rf_mshr_allocate(rf_mshr *m, uint32_t entry, uint32_t line, bool reg, bool keep, bool target, uint8_t id) {
    const uint32_t bit = UINT32_C(1) << entry;
    m->busy_q = (uint16_t)(m->busy_q | bit);
    m->reg_q = (uint16_t)(reg ? m->reg_q | bit : m->reg_q & ~bit);
    m->keep_q = (uint16_t)(keep ? m->keep_q | bit : m->keep_q & ~bit);
    m->line_q[entry] = line;
    m->count_q[entry] = target;
    if (target) m->id_q[entry * m->cfg.targets] = id;
}

/* One more target of a busy entry with room, which is kept unless this one says otherwise. */
static inline void rf_mshr_merge(rf_mshr *m, uint32_t entry, bool keep, uint8_t id) {
    if (!keep) m->keep_q = (uint16_t)(m->keep_q & ~(UINT32_C(1) << entry));
    m->id_q[entry * m->cfg.targets + m->count_q[entry]] = id;
    m->count_q[entry]++;
}

/* The entry is free; the rest of it stays. */
static inline void rf_mshr_done(rf_mshr *m, uint32_t entry) { m->busy_q = (uint16_t)(m->busy_q & ~(UINT32_C(1) << entry)); }

#endif
