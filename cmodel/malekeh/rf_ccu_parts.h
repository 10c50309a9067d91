/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_ccu on its own registers, piece by piece: private to rf_ccu.c and to the systems that hold caching collectors,
 * so that a system copies a 128-byte vector only where a register takes it, instead of through a 1.4 KB rf_ccu_in.
 *
 * One cycle. First what depends on registers only, for all units of the system, in any order:
 *     rf_ccu_ready, rf_ccu_unread, rf_ccu_asks, rf_ccu_src, rf_ccu_held, rf_ccu_near, rf_ccu_lookup, rf_ccu_results,
 *     rf_ccu_port_d; rf_ccu_served, once the grants are known
 * Then the edge of one unit, in this order:
 *  1  rf_ccu_fill      for every slot of fill_q, from rdata_q of bank_q[slot], before that bank reads again
 *  2  rf_ccu_move      always: what was filled is ready, what was served is next
 *  3  rf_ccu_flush     with input `flush`
 *  4  rf_ccu_take      with input `alloc`, only when !busy_q; it flushes by itself when the warp is another
 *  5  rf_ccu_write     only when rf_ccu_results is not 0, no `flush`, and 4 did not take the unit for another warp
 *                      (rf_ccu_results and rf_ccu_port_d are what they were before 4: take changes warp and window)
 *  6  rf_ccu_dispatch  with input `dispatch`, only when rf_ccu_ready was true before 1 */
#ifndef RF_CCU_PARTS_H
#define RF_CCU_PARTS_H

#include "cmodel/banked/rf_dup.h"
#include "cmodel/malekeh/rf_ccu.h"

#include <string.h>

/* An instruction as inputs alloc_* bring it; `bank` and `row` have one element per slot. */
typedef struct rf_ccu_inst {
    const rf_stage_instr *of;
    const uint8_t *bank;
    const uint16_t *row;
    uint8_t dst_near;
    uint8_t src_near;
} rf_ccu_inst;

/* ---- the cache table ---- */

/* Entries whose tag is `reg`, valid or not. */
static inline uint32_t rf_ccu_tagged(const rf_ccu *m, uint32_t reg) {
    uint32_t found = 0;
    for (uint32_t e = 0; e < m->cfg.entries; e++) found |= (uint32_t)(m->ct_tag_q[e] == reg) << e;
    return found;
}

/* `entry` becomes the most recent: those that were more recent grow by one. */
static inline void rf_ccu_touch(rf_ccu *m, uint32_t entry) {
    const uint32_t rank = m->ct_lru_q[entry];
    for (uint32_t e = 0; e < m->cfg.entries; e++)
        if (m->ct_lru_q[e] < rank) m->ct_lru_q[e]++;
    m->ct_lru_q[entry] = 0;
}

/* The first of `among`, not 0, in the order of replacement. */
static inline uint32_t rf_ccu_replace(const rf_ccu *m, uint32_t among, uint32_t valid, uint32_t rand) {
    const uint32_t empty = among & ~valid, far = among & ~(uint32_t)m->ct_near_q;
    if (empty != 0) return rf_lowest(empty);
    if (far != 0) {
        const uint32_t wrap = (uint32_t)rf_mask64(rf_index_bits(m->cfg.entries)), from = rand & wrap;
        return (from + rf_lowest((far | far << (wrap + 1)) >> from)) & wrap;
    }
    uint32_t least = 0, rank = 0; /* recently used */
    for (uint32_t left = among; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        if (m->ct_lru_q[e] < rank) continue;
        least = e;
        rank = m->ct_lru_q[e];
    }
    return least;
}

/* ---- what registers say ---- */

/* Output ready. */
static inline bool rf_ccu_ready(const rf_ccu *m) { return m->busy_q && (m->oct_valid_q & ~(uint32_t)m->oct_ready_q) == 0; }

/* Output unread. */
static inline uint32_t rf_ccu_unread(const rf_ccu *m) { return m->oct_valid_q & ~((uint32_t)m->oct_ready_q | m->fill_q); }

/* Output rd_valid: of the unread slots that use one entry, the lowest (D-dup). */
static inline uint32_t rf_ccu_asks(const rf_ccu *m) {
    const uint32_t first = rf_dup_first(rf_ccu_unread(m), m->oct_index_q, m->cfg.slots);
    return m->cfg.serial != 0 ? first & (0u - first) : first;
}

/* Slots that the grants for `granted`, part of rf_ccu_asks, serve: these, and the unread ones that use their entries (D-dup). */
static inline uint32_t rf_ccu_served(const rf_ccu *m, uint32_t granted) {
    return rf_dup_served(granted, rf_ccu_unread(m), m->oct_index_q, m->cfg.slots);
}

/* Output src of one slot. */
static inline uint8_t rf_ccu_src(const rf_ccu *m, uint32_t slot) { return m->ct_tag_q[m->oct_index_q[slot]]; }

/* The operand of one slot: output data. */
static inline const rf_vec *rf_ccu_operand(const rf_ccu *m, uint32_t slot) { return &m->ct_data_q[m->oct_index_q[slot]]; }

/* Outputs held and near. */
static inline bool rf_ccu_held(const rf_ccu *m) { return m->ct_valid_q != 0; }
static inline bool rf_ccu_near(const rf_ccu *m) { return (m->ct_valid_q & m->ct_near_q) != 0; }

/* Valid entries that an instruction of `warp` would see (step 1). */
static inline uint32_t rf_ccu_visible(const rf_ccu *m, uint32_t warp, bool flush) {
    return m->owned_q && m->carried_q.warp == warp && !flush ? m->ct_valid_q : 0;
}

/* Steps 1 and 3 for the slots in `src_valid`: those that hit, and in `entry` the entry of each of these (no others). */
static inline uint32_t rf_ccu_lookup(const rf_ccu *m, uint32_t warp, bool flush, uint32_t src_valid, const uint8_t *src,
                                     uint8_t *entry) {
    const uint32_t visible = rf_ccu_visible(m, warp, flush);
    uint32_t hit = 0;
    if (visible == 0) return 0;
    for (uint32_t left = src_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), found = rf_ccu_tagged(m, src[s]) & visible;
        if (found == 0) continue;
        hit |= 1u << s;
        entry[s] = (uint8_t)rf_lowest(found);
    }
    return hit;
}

/* Writers whose results count; the arrays have `exports` elements. */
static inline uint32_t rf_ccu_results(const rf_ccu *m, uint32_t wr_valid, const uint8_t *wr_warp, const uint32_t *wr_mask) {
    uint32_t counts = 0;
    if (!m->owned_q) return 0;
    for (uint32_t left = wr_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        counts |= (uint32_t)(wr_warp[e] == m->carried_q.warp && wr_mask[e] != 0) << e;
    }
    return counts;
}

/* BOW 1: `reg` is the destination of the instruction taken last, which has left. */
static inline bool rf_ccu_newest(const rf_ccu *m, uint32_t reg) {
    return (m->window_q & 1) != 0 && !m->busy_q && m->carried_q.dst == reg;
}

/* BOW 1: a result for `reg` is awaited, at an edge at which the unit takes an instruction, a control instruction, or neither. */
static inline bool rf_ccu_awaits(const rf_ccu *m, uint32_t reg, bool take, bool control) {
    if (take) return rf_ccu_newest(m, reg) && !control;
    return rf_ccu_newest(m, reg) || ((m->window_q & 2) != 0 && m->before_q == reg);
}

/* The writer, as one bit, that has port D, of those whose results count; 0: none (d_valid). rf_lowest of it is d_sel. `take` and
 * `control`: an instruction comes at this edge; its alloc_dst_near.
 * Plain: near == 0 ? 0 : 1u << rf_lowest(near). */
static inline uint32_t rf_ccu_port_d(const rf_ccu *m, uint32_t counts, uint32_t wr_near, const uint8_t *wr_reg, bool take,
                                     bool control) {
    uint32_t near = wr_near;
    for (uint32_t e = 0; m->cfg.bow != 0 && e < m->cfg.exports; e++)
        near = (near & ~(1u << e)) | (uint32_t)rf_ccu_awaits(m, wr_reg[e], take, control) << e;
    near &= counts;
    return near & (0u - near);
}

/* ---- the edge, in the order that the top of this file demands ---- */

/* Data for `slot` of fill_q. A slot above another that uses the same entry changes nothing: the lower one's data stays. */
static inline void rf_ccu_fill(rf_ccu *m, uint32_t slot, const rf_vec *data) {
    for (uint32_t low = m->fill_q & ((1u << slot) - 1); low != 0; low &= low - 1)
        if (m->oct_index_q[rf_lowest(low)] == m->oct_index_q[slot]) return;
    m->ct_data_q[m->oct_index_q[slot]] = *data;
}

/* What was filled is ready; `served` (rf_ccu_served) is filled in the next cycle. */
static inline void rf_ccu_move(rf_ccu *m, uint32_t served) {
    m->oct_ready_q |= m->fill_q;
    m->fill_q = (uint8_t)served;
}

/* Nothing is valid or awaited; locks stay. */
static inline void rf_ccu_flush(rf_ccu *m) { m->ct_valid_q = m->window_q = 0; }

/* BOW 1: the window moves on by an instruction that hits entries `hit`, before that is stored. */
static inline void rf_ccu_pass(rf_ccu *m, const rf_stage_instr *of, uint32_t hit) {
    m->window_q = (uint8_t)((m->window_q & 1) << 1 | of->dst_valid);
    m->before_q = (uint8_t)m->carried_q.dst;
    m->ct_valid_q &= (uint8_t)(m->ct_near_q | hit);
    m->ct_near_q = 0;
}

/* The ten steps for a unit that is not busy. */
static inline void rf_ccu_take(rf_ccu *m, const rf_ccu_inst *inst, uint32_t rand) {
    const uint32_t slots = m->cfg.slots;
    uint8_t index[RF_SLOTS_MAX] = {0};
    const rf_stage_instr *of = inst->of;
    const uint32_t hit = rf_ccu_lookup(m, of->warp, false, of->src_valid, of->src, index);
    uint32_t used = 0, taken = 0;
    for (uint32_t left = hit; left != 0; left &= left - 1) used |= 1u << index[rf_lowest(left)];
    if (!m->owned_q || m->carried_q.warp != of->warp) rf_ccu_flush(m);
    if (m->cfg.bow != 0) rf_ccu_pass(m, of, used);
    m->busy_q = 1;
    m->owned_q = (uint8_t)m->cfg.cache;
    m->carried_q = of->carried;
    m->port_q = (uint8_t)of->port;
    m->dst_near_q = inst->dst_near;
    for (uint32_t s = 0; s < slots; s++) {
        m->bank_q[s] = inst->bank[s];
        m->row_q[s] = inst->row[s];
    }

    const uint32_t valid = m->ct_valid_q;
    uint32_t among = (uint32_t)rf_mask64(m->cfg.entries) & ~used;
    for (uint32_t left = of->src_valid & ~hit; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), again = rf_ccu_tagged(m, of->src[s]) & taken;
        const uint32_t e = again != 0 ? rf_lowest(again) : rf_ccu_replace(m, among, valid, rand);
        m->ct_tag_q[e] = of->src[s];
        index[s] = (uint8_t)e;
        taken |= 1u << e;
        among &= ~(1u << e);
    }
    used |= taken;

    uint32_t near = m->cfg.bow != 0 ? used : 0;
    for (uint32_t left = of->src_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), e = index[s];
        near |= (inst->src_near >> s & 1u) << e;
        rf_ccu_touch(m, e);
    }
    m->ct_lock_q = (uint8_t)used;
    m->ct_near_q = (uint8_t)((m->ct_near_q & ~used) | near);
    m->ct_valid_q = (uint8_t)(m->cfg.cache != 0 ? valid | taken : valid);
    m->oct_valid_q = (uint8_t)of->src_valid;
    m->oct_ready_q = (uint8_t)hit;
    for (uint32_t s = 0; s < slots; s++) m->oct_index_q[s] = index[s];
    if (m->cfg.bow != 0 && inst->dst_near) rf_ccu_flush(m); /* a control instruction */
}

/* The results in `counts` (rf_ccu_results, not 0): `port_d` (rf_ccu_port_d) has port D with `data`, which is not looked at
 * without it. wr_reg and wr_mask are per writer. */
static inline void rf_ccu_write(rf_ccu *m, uint32_t counts, uint32_t port_d, const uint8_t *wr_reg, const uint32_t *wr_mask,
                                const rf_vec *data, uint32_t rand) {
    if (port_d != 0) {
        const uint32_t d = rf_lowest(port_d), all = (uint32_t)rf_mask64(m->cfg.lanes), lock = m->ct_lock_q;
        const uint32_t found = rf_ccu_tagged(m, wr_reg[d]) & m->ct_valid_q;
        const uint32_t among = (uint32_t)rf_mask64(m->cfg.entries) & ~lock;
        uint32_t entry = RF_CCU_ENTRIES_MAX; /* that takes the result */
        if ((found & lock) != 0) m->ct_valid_q &= (uint8_t)~found;
        else if (found != 0) entry = rf_lowest(found);
        else if (among != 0 && wr_mask[d] == all) entry = rf_ccu_replace(m, among, m->ct_valid_q, rand);
        if (entry < RF_CCU_ENTRIES_MAX) {
            if (wr_mask[d] == all) m->ct_data_q[entry] = *data;
            else rf_vec_merge(&m->ct_data_q[entry], data, wr_mask[d]);
            m->ct_valid_q |= (uint8_t)(1u << entry);
            if (m->cfg.bow == 0 || rf_ccu_newest(m, wr_reg[d])) m->ct_near_q |= (uint8_t)(1u << entry);
            else if (found == 0) m->ct_near_q &= (uint8_t) ~(1u << entry);
            m->ct_tag_q[entry] = wr_reg[d];
            rf_ccu_touch(m, entry);
        }
    }
    for (uint32_t left = counts & ~port_d; left != 0; left &= left - 1)
        m->ct_valid_q &= (uint8_t)~rf_ccu_tagged(m, wr_reg[rf_lowest(left)]);
}

/* The instruction leaves; contents, warp and owner stay. */
static inline void rf_ccu_dispatch(rf_ccu *m) {
    m->busy_q = 0;
    m->oct_valid_q = 0;
    m->oct_ready_q = 0;
    m->ct_lock_q = 0;
}

#endif
