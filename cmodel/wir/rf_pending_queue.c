/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_pending_queue.h"

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

/* The entry of place p; p from 0 to depth. */
static inline uint32_t entry_of(const rf_pending_queue *m, uint32_t p) {
    const uint32_t entry = m->rd_ptr_q + p;
    return entry >= m->cfg.depth ? entry - m->cfg.depth : entry;
}

/* What the head shows; the queue is not empty. */
static inline void show_head(const rf_pending_queue *m, rf_pending_queue_out *out) {
    const uint32_t head = m->rd_ptr_q, slots = m->cfg.slots;
    out->warp = m->warp_q[head];
    out->tag = m->tag_q[head];
    out->port = m->port_q[head];
    out->dst = m->dst_q[head];
    out->src_valid = m->src_valid_q[head];
    out->opcode = m->opcode_q[head];
    out->space = m->space_q[head];
    out->old_valid = m->old_valid_q[head];
    out->old_preg = m->old_preg_q[head];
    out->old_pin = m->old_pin_q[head];
    for (uint32_t s = 0; s < slots; s++) {
        out->src[s] = m->src_q[head * slots + s];
        out->operand[s] = m->operand_q[head * slots + s];
    }
}

/* What `n` places from p on show, which are the entries from `entry` on. */
static inline void show_places(const rf_pending_queue *m, uint32_t entry, uint32_t p, uint32_t n, rf_pending_queue_out *out) {
    const uint32_t slots = m->cfg.slots;
    memcpy(out->at_warp + p, m->warp_q + entry, n);
    memcpy(out->at_src_valid + p, m->src_valid_q + entry, n);
    memcpy(out->at_src + p * slots, m->src_q + entry * slots, n * slots);
    for (uint32_t i = 0; i < n; i++) out->at_load |= (uint16_t)((m->space_q[entry + i] >> 1 & 1) << (p + i));
}

void rf_pending_queue_comb(const rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out) {
    const uint32_t level = m->level_q;
    (void)in;
    memset(out, 0, sizeof *out);
    out->ready = level < m->cfg.depth;
    if (level == 0) return;
    out->valid = 1;
    out->at_valid = (uint16_t)rf_mask64(level);
    show_head(m, out);
    /* Places are entries from the head on, then from entry 0 on. */
    const uint32_t head = m->rd_ptr_q, upper = level < m->cfg.depth - head ? level : m->cfg.depth - head;
    show_places(m, head, 0, upper, out);
    show_places(m, 0, upper, level - upper, out);
}

static inline void store(rf_pending_queue *m, uint32_t entry, const rf_pending_queue_in *in) {
    const uint32_t slots = m->cfg.slots;
    m->warp_q[entry] = in->push_warp;
    m->tag_q[entry] = in->push_tag;
    m->port_q[entry] = in->push_port;
    m->dst_q[entry] = in->push_dst;
    m->src_valid_q[entry] = in->push_src_valid;
    m->opcode_q[entry] = in->push_opcode;
    m->space_q[entry] = in->push_space;
    m->old_valid_q[entry] = in->push_old_valid;
    m->old_preg_q[entry] = in->push_old_preg;
    m->old_pin_q[entry] = in->push_old_pin;
    for (uint32_t s = 0; s < slots; s++) {
        m->src_q[entry * slots + s] = in->push_src[s];
        m->operand_q[entry * slots + s] = in->push_operand[s];
    }
}

static inline void copy(rf_pending_queue *m, uint32_t to, uint32_t from) {
    const uint32_t slots = m->cfg.slots;
    m->warp_q[to] = m->warp_q[from];
    m->tag_q[to] = m->tag_q[from];
    m->port_q[to] = m->port_q[from];
    m->dst_q[to] = m->dst_q[from];
    m->src_valid_q[to] = m->src_valid_q[from];
    m->opcode_q[to] = m->opcode_q[from];
    m->space_q[to] = m->space_q[from];
    m->old_valid_q[to] = m->old_valid_q[from];
    m->old_preg_q[to] = m->old_preg_q[from];
    m->old_pin_q[to] = m->old_pin_q[from];
    for (uint32_t s = 0; s < slots; s++) {
        m->src_q[to * slots + s] = m->src_q[from * slots + s];
        m->operand_q[to * slots + s] = m->operand_q[from * slots + s];
    }
}

void rf_pending_queue_clock(rf_pending_queue *m, const rf_pending_queue_in *in) {
    const uint32_t level = m->level_q, tail = entry_of(m, level);
    const bool push = in->push && level < m->cfg.depth, pop = in->pop && level != 0;
    const bool rotate = in->rotate && !in->push && !in->pop && level != 0;
    if (push) store(m, tail, in);
    /* In a full queue the head's entry is the tail's: it stays where it is. */
    if (rotate && tail != m->rd_ptr_q) copy(m, tail, m->rd_ptr_q);
    if (pop || rotate) m->rd_ptr_q = (uint8_t)entry_of(m, 1);
    m->level_q = (uint8_t)(level + push - pop);
}

void rf_pending_queue_step(rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out) {
    rf_pending_queue_comb(m, in, out);
    rf_pending_queue_clock(m, in);
}
