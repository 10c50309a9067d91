/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_ccu on its own registers, piece by piece: private to rf_ccu.c and to the systems that hold caching collectors,
 * so that a system copies a 128-byte vector only where a register takes it, instead of through a 1.4 KB rf_ccu_in.
 *
 * One cycle. First what depends on registers only, for all units of the system, in any order:
 *     rf_ccu_ready, rf_ccu_unread, rf_ccu_asks, rf_ccu_src, rf_ccu_held, rf_ccu_near, rf_ccu_lookup, rf_ccu_results,
 * rf_ccu_port_d rf_ccu_served, once the grants are known Then the edge of one unit, in this order, each piece only when it has
 * something to do: 1  rf_ccu_fill      for every slot of fill_q, from rdata_q of bank_q[slot], before that bank reads again 2
 * rf_ccu_move      always, unless fill_q and the slots served are both 0: what was filled is ready, what was served is next 3
 * rf_ccu_flush     with input `flush` 4  rf_ccu_take      with input `alloc`, only when !busy_q; it flushes by itself when the
 * warp is another 5  rf_ccu_write     only when rf_ccu_results is not 0, no `flush`, and 4 did not take the unit for another warp
 * (rf_ccu_results is what it was before 4: take changes warp_q) 6  rf_ccu_dispatch  with input `dispatch`, only when rf_ccu_ready
 * was true before 1 `slots` is m->cfg.slots, or a constant that equals it. */
#ifndef RF_CCU_PARTS_H
#define RF_CCU_PARTS_H

#include "cmodel/malekeh/rf_ccu.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An instruction as inputs alloc_* bring it; `src`, `bank` and `row` have one element per slot. */
typedef struct rf_ccu_inst {
    const uint8_t *src;
    const uint8_t *bank;
    const uint16_t *row;
    uint32_t mask;
    uint16_t tag;
    uint8_t warp;
    uint8_t port;
    uint8_t dst_valid;
    uint8_t dst;
    uint8_t dst_near;
    uint8_t src_valid;
    uint8_t src_near;
} rf_ccu_inst;

/* ---- eight bytes at a time: element i of a table is byte i of the word ---- */

#define RF_CCU_ONES UINT64_C(0x0101010101010101)

static inline uint64_t rf_ccu_load(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void rf_ccu_store(uint8_t *bytes, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(bytes, &word, sizeof word);
}

/* One bit per byte of `word` that equals `value`. */
static inline uint32_t rf_ccu_equal(uint64_t word, uint32_t value) {
    const uint64_t low = RF_CCU_ONES * 0x7f, differ = word ^ RF_CCU_ONES * value;
    const uint64_t zero = ~(((differ & low) + low) | differ) & RF_CCU_ONES * 0x80;
    return (uint32_t)((zero >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/* Entries whose tag is `reg`, valid or not; bits above `entries` mean nothing. */
static inline uint32_t rf_ccu_tagged(const rf_ccu *m, uint32_t reg) { return rf_ccu_equal(rf_ccu_load(m->ct_tag_q), reg); }

/* The ranks when `entry` becomes the most recent: those that were more recent grow by one. Bytes above ENTRIES hold their own
 * index, which is no less than any rank, and so never grow. */
static inline uint64_t rf_ccu_touch(uint64_t lru, uint32_t entry) {
    const uint32_t rank = (uint32_t)(lru >> (8 * entry)) & 0xff;
    const uint64_t newer = ((RF_CCU_ONES * (0x7f + rank) - lru) >> 7) & RF_CCU_ONES;
    return (lru + newer) & ~(UINT64_C(0xff) << (8 * entry));
}

/* The first of `among`, not 0, in the order of replacement. */
static inline uint32_t rf_ccu_replace(const rf_ccu *m, uint32_t among, uint32_t valid, uint32_t rand) {
    const uint32_t empty = among & ~valid;
    if (empty != 0) return rf_lowest(empty);
    const uint32_t far = among & ~(uint32_t)m->ct_near_q;
    if (far != 0) {
        const uint32_t size = m->cfg.entries <= 2 ? 2 : m->cfg.entries <= 4 ? 4 : 8;
        return (rf_lowest((far | far << size) >> (rand & (size - 1))) + rand) & (size - 1);
    }
    const uint64_t lru = rf_ccu_load(m->ct_lru_q);
    uint32_t ranks = 0; /* taken by `among` */
    for (uint32_t e = 0; e < RF_CCU_ENTRIES_MAX; e++) ranks |= (among >> e & 1) << (lru >> (8 * e) & 7);
    return rf_lowest(rf_ccu_equal(lru, 31u - (uint32_t)__builtin_clz(ranks)));
}

/* ---- what registers say ---- */

/* Output ready. */
static inline bool rf_ccu_ready(const rf_ccu *m) { return m->busy_q && (m->oct_valid_q & ~(uint32_t)m->oct_ready_q) == 0; }

/* Output unread. */
static inline uint32_t rf_ccu_unread(const rf_ccu *m) { return m->oct_valid_q & ~((uint32_t)m->oct_ready_q | m->fill_q); }

/* Output rd_valid: of the unread slots that use one entry, the lowest. */
static inline uint32_t rf_ccu_asks(const rf_ccu *m, uint32_t slots) {
    const uint32_t open = rf_ccu_unread(m);
    uint32_t asking = open;
    for (uint32_t s = 1; s < slots; s++) {
        uint32_t again = 0;
        for (uint32_t i = 0; i < s; i++) again |= open >> i & (uint32_t)(m->oct_index_q[i] == m->oct_index_q[s]);
        asking &= ~(again << s);
    }
    return asking;
}

/* Slots that the grants for `granted`, part of rf_ccu_asks, serve: these, and the unread ones above that use their entries. */
static inline uint32_t rf_ccu_served(const rf_ccu *m, uint32_t granted, uint32_t slots) {
    uint32_t fill = granted;
    for (uint32_t s = 1; s < slots; s++)
        for (uint32_t i = 0; i < s; i++) fill |= (granted >> i & (uint32_t)(m->oct_index_q[i] == m->oct_index_q[s])) << s;
    return fill & rf_ccu_unread(m);
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
    return m->owned_q && m->warp_q == warp && !flush ? m->ct_valid_q : 0;
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
        counts |= (uint32_t)(wr_warp[e] == m->warp_q && wr_mask[e] != 0) << e;
    }
    return counts;
}

/* The writer, as one bit, that has port D, of those whose results count; 0: none (d_valid). rf_lowest of it is d_sel. */
static inline uint32_t rf_ccu_port_d(uint32_t counts, uint32_t wr_near) {
    const uint32_t near = counts & wr_near;
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

/* Nothing is valid; locks stay. */
static inline void rf_ccu_flush(rf_ccu *m) { m->ct_valid_q = 0; }

/* The ten steps for a unit that is not busy; returns the slots that hit (output hit; after rf_ccu_flush there are none). */
static inline uint32_t rf_ccu_take(rf_ccu *m, const rf_ccu_inst *inst, uint32_t rand, uint32_t slots) {
    uint8_t index[RF_SLOTS_MAX] = {0};
    if (!m->owned_q || m->warp_q != inst->warp) rf_ccu_flush(m);
    m->busy_q = 1;
    m->owned_q = (uint8_t)m->cfg.cache;
    m->warp_q = inst->warp;
    m->tag_q = inst->tag;
    m->port_q = inst->port;
    m->mask_q = inst->mask;
    m->dst_valid_q = inst->dst_valid;
    m->dst_q = inst->dst;
    m->dst_near_q = inst->dst_near;
    for (uint32_t s = 0; s < slots; s++) {
        m->bank_q[s] = inst->bank[s];
        m->row_q[s] = inst->row[s];
    }

    uint32_t used = 0, hit = 0, taken = 0;
    const uint32_t valid = m->ct_valid_q;
    if (valid != 0)
        for (uint32_t s = 0; s < slots; s++) {
            const uint32_t found = (0u - (inst->src_valid >> s & 1u)) & rf_ccu_tagged(m, inst->src[s]) & valid;
            hit |= (uint32_t)(found != 0) << s;
            used |= found;
            index[s] = (uint8_t)rf_lowest(found | (uint32_t)(found == 0));
        }
    uint32_t among = (uint32_t)rf_mask64(m->cfg.entries) & ~used;
    for (uint32_t left = inst->src_valid & ~hit; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), again = rf_ccu_tagged(m, inst->src[s]) & taken;
        const uint32_t e = again != 0 ? rf_lowest(again) : rf_ccu_replace(m, among, valid, rand);
        m->ct_tag_q[e] = inst->src[s];
        index[s] = (uint8_t)e;
        taken |= 1u << e;
        among &= ~(1u << e);
    }
    used |= taken;

    uint32_t near = 0;
    uint64_t lru = rf_ccu_load(m->ct_lru_q);
    for (uint32_t left = inst->src_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), e = index[s];
        near |= (inst->src_near >> s & 1u) << e;
        lru = rf_ccu_touch(lru, e);
    }
    rf_ccu_store(m->ct_lru_q, lru);
    m->ct_lock_q = (uint8_t)used;
    m->ct_near_q = (uint8_t)((m->ct_near_q & ~used) | near);
    m->ct_valid_q = (uint8_t)(valid | taken * m->cfg.cache);
    m->oct_valid_q = inst->src_valid;
    m->oct_ready_q = (uint8_t)hit;
    for (uint32_t s = 0; s < slots; s++) m->oct_index_q[s] = index[s];
    return hit;
}

/* The lanes of `to` that `mask` has are those of `from`. */
static inline void rf_ccu_merge(rf_vec *to, const rf_vec *from, uint32_t mask) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        const uint32_t keep = (mask >> l & 1) - 1;
        to->lane[l] = (from->lane[l] & ~keep) | (to->lane[l] & keep);
    }
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
            else rf_ccu_merge(&m->ct_data_q[entry], data, wr_mask[d]);
            m->ct_valid_q |= (uint8_t)(1u << entry);
            m->ct_near_q |= (uint8_t)(1u << entry);
            m->ct_tag_q[entry] = wr_reg[d];
            rf_ccu_store(m->ct_lru_q, rf_ccu_touch(rf_ccu_load(m->ct_lru_q), entry));
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

#ifdef __cplusplus
}
#endif
#endif
