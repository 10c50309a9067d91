/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_pending_queue.h"

#include "cmodel/wir/rf_pending_queue_parts.h"

#include <string.h>

const char *rf_pending_queue_check(const rf_pending_queue_cfg *cfg) {
    if (cfg->depth < 1 || cfg->depth > RF_PENDING_DEPTH_MAX) return "DEPTH must be 1 to 16";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    return NULL;
}

int rf_pending_queue_init(rf_pending_queue *m, const rf_pending_queue_cfg *cfg) {
    if (rf_pending_queue_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_pending_queue_reset(m);
    return 0;
}

void rf_pending_queue_reset(rf_pending_queue *m) { *m = (rf_pending_queue){.cfg = m->cfg}; }

/* What is pushed, popped and turned is random to a branch predictor: no branch asks for it here and below, and an entry that does
 * not change is stored as it was. `slots` is a constant where it counts: all is inlined for it. */
#define INLINE static inline __attribute__((always_inline))

/* `now` where `when` is 1, `old` where it is 0. */
INLINE uint32_t pick(uint32_t when, uint32_t now, uint32_t old) { return old ^ ((old ^ now) & (0u - when)); }

/* The entry of place p; p from 0 to depth. */
INLINE uint32_t entry_of(const rf_pending_queue *m, uint32_t p) {
    const uint32_t entry = m->rd_ptr_q + p;
    return entry >= m->cfg.depth ? entry - m->cfg.depth : entry;
}

/* Three slots are the rule: they are moved as the first three of four, and an array for 6 slots has a fourth. */
INLINE uint64_t load_operands(const uint16_t *from) {
    uint64_t four;
    memcpy(&four, from, sizeof four);
    return four & (RF_PENDING_LITTLE ? UINT64_MAX >> 16 : UINT64_MAX << 16);
}

INLINE uint32_t load_sources(const uint8_t *from) {
    uint32_t four;
    memcpy(&four, from, sizeof four);
    return four & (RF_PENDING_LITTLE ? UINT32_MAX >> 8 : UINT32_MAX << 8);
}

INLINE void show(const rf_pending_queue *m, uint32_t slots, rf_pending_queue_out *out) {
    const uint32_t head = m->rd_ptr_q, level = m->level_q, valid = level != 0, mask = 0u - valid;
    out->ready = level < m->cfg.depth;
    out->valid = (uint8_t)valid;
    out->warp = (uint8_t)(m->warp_q[head] & mask);
    out->tag = (uint16_t)(m->tag_q[head] & mask);
    out->port = (uint8_t)(m->port_q[head] & mask);
    out->dst = (uint8_t)(m->dst_q[head] & mask);
    out->src_valid = (uint8_t)(m->src_valid_q[head] & mask);
    out->opcode = (uint8_t)(m->opcode_q[head] & mask);
    out->space = (uint8_t)(m->space_q[head] & mask);
    out->old_valid = (uint8_t)(m->old_valid_q[head] & mask);
    out->old_preg = (uint16_t)(m->old_preg_q[head] & mask);
    out->old_pin = (uint8_t)(m->old_pin_q[head] & mask);
    if (slots == 3) {
        const uint64_t operands = load_operands(&m->operand_q[head * 3]) & (UINT64_C(0) - valid);
        const uint32_t sources = load_sources(&m->src_q[head * 3]) & mask;
        memcpy(out->operand, &operands, sizeof operands);
        memcpy(out->src, &sources, sizeof sources);
    } else {
        for (uint32_t s = 0; s < slots; s++) {
            out->src[s] = (uint8_t)(m->src_q[head * slots + s] & mask);
            out->operand[s] = (uint16_t)(m->operand_q[head * slots + s] & mask);
        }
    }
    out->at_valid = (uint16_t)rf_mask64(level);
    out->at_load = (uint16_t)rf_pending_loads(m);
    rf_pending_places(m, slots, out->at_warp, out->at_src_valid, out->at_src);
}

/* The tail's entry becomes what is pushed or, in a rotation, what the head holds; without either the head's is stored over
 * itself, as in the rotation of a full queue, whose tail it is. */
INLINE void edge(rf_pending_queue *m, const rf_pending_queue_in *in, uint32_t slots) {
    const uint32_t head = m->rd_ptr_q, level = m->level_q, there = level != 0, wants = in->push | in->pop;
    const uint32_t push = in->push & (level < m->cfg.depth), pop = in->pop & there, rotate = in->rotate & there & (wants ^ 1);
    const uint32_t to = pick(push | rotate, entry_of(m, level), head);
    m->warp_q[to] = (uint8_t)pick(push, in->push_warp, m->warp_q[head]);
    m->tag_q[to] = (uint16_t)pick(push, in->push_tag, m->tag_q[head]);
    m->port_q[to] = (uint8_t)pick(push, in->push_port, m->port_q[head]);
    m->dst_q[to] = (uint8_t)pick(push, in->push_dst, m->dst_q[head]);
    m->src_valid_q[to] = (uint8_t)pick(push, in->push_src_valid, m->src_valid_q[head]);
    m->opcode_q[to] = (uint8_t)pick(push, in->push_opcode, m->opcode_q[head]);
    m->space_q[to] = (uint8_t)pick(push, in->push_space, m->space_q[head]);
    m->old_valid_q[to] = (uint8_t)pick(push, in->push_old_valid, m->old_valid_q[head]);
    m->old_preg_q[to] = (uint16_t)pick(push, in->push_old_preg, m->old_preg_q[head]);
    m->old_pin_q[to] = (uint8_t)pick(push, in->push_old_pin, m->old_pin_q[head]);
    if (slots == 3) {
        const uint64_t old = load_operands(&m->operand_q[head * 3]), new = load_operands(in->push_operand);
        const uint64_t operands = old ^ ((old ^ new) & (UINT64_C(0) - push));
        const uint32_t sources = pick(push, load_sources(in->push_src), load_sources(&m->src_q[head * 3]));
        memcpy(&m->operand_q[to * 3], &operands, 3 * sizeof m->operand_q[0]);
        memcpy(&m->src_q[to * 3], &sources, 3);
    } else {
        for (uint32_t s = 0; s < slots; s++) {
            m->src_q[to * slots + s] = (uint8_t)pick(push, in->push_src[s], m->src_q[head * slots + s]);
            m->operand_q[to * slots + s] = (uint16_t)pick(push, in->push_operand[s], m->operand_q[head * slots + s]);
        }
    }
    m->rd_ptr_q = (uint8_t)pick(pop | rotate, entry_of(m, 1), head);
    m->level_q = (uint8_t)(level + push - pop);
}

static __attribute__((noinline)) void show_any(const rf_pending_queue *m, rf_pending_queue_out *out) {
    show(m, m->cfg.slots, out);
}

static __attribute__((noinline)) void edge_any(rf_pending_queue *m, const rf_pending_queue_in *in) { edge(m, in, m->cfg.slots); }

void rf_pending_queue_comb(const rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out) {
    (void)in;
    if (m->cfg.slots == 3) show(m, 3, out);
    else show_any(m, out);
}

void rf_pending_queue_clock(rf_pending_queue *m, const rf_pending_queue_in *in) {
    if (m->cfg.slots == 3) edge(m, in, 3);
    else edge_any(m, in);
}

void rf_pending_queue_step(rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out) {
    rf_pending_queue_comb(m, in, out);
    rf_pending_queue_clock(m, in);
}
