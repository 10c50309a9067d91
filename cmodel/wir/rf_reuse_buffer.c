/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_reuse_buffer.h"

#include <string.h>

const char *rf_reuse_buffer_check(const rf_reuse_buffer_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_REUSE_ENTRIES_MAX || (cfg->entries & (cfg->entries - 1)) != 0)
        return "ENTRIES must be a power of two, 1 to 512";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->blocks < 1 || cfg->blocks > RF_BLOCKS_MAX) return "BLOCKS must be 1 to 16";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

/* Where in the index each field of the tag has its lowest bit: behind the field before, modulo the index's width. */
static void place_fields(rf_reuse_buffer *m) {
    const rf_reuse_buffer_cfg *cfg = &m->cfg;
    const uint32_t bits = rf_lowest(cfg->entries);
    uint32_t at = 8;
    memset(m->place, 0, sizeof m->place);
    for (uint32_t k = 0; bits != 0 && k < cfg->slots + 2; k++) {
        m->place[k] = (uint8_t)(at % bits);
        at += k < cfg->slots ? rf_index_bits(cfg->pregs) : rf_index_bits(cfg->blocks) + 1;
    }
}

int rf_reuse_buffer_init(rf_reuse_buffer *m, const rf_reuse_buffer_cfg *cfg) {
    if (rf_reuse_buffer_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    place_fields(m);
    rf_reuse_buffer_reset(m);
    return 0;
}

void rf_reuse_buffer_reset(rf_reuse_buffer *m) {
    memset(m->valid_q, 0, sizeof m->valid_q);
    memset(m->pending_q, 0, sizeof m->pending_q);
    memset(m->opcode_q, 0, sizeof m->opcode_q);
    memset(m->operand_q, 0, sizeof m->operand_q);
    memset(m->block_q, 0, sizeof m->block_q);
    memset(m->barrier_q, 0, sizeof m->barrier_q);
    memset(m->result_q, 0, sizeof m->result_q);
}

/* The entry that an index port names: the only one whatever it says, or the index itself. */
static uint32_t entry_of(const rf_reuse_buffer *m, uint32_t index) { return index & (m->cfg.entries - 1); }

/* The index of lane `l`'s tag: its fields, each where it begins, are added without carry and the sum is folded. A field has 10
 * bits at most. */
static uint32_t index_of(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l) {
    const uint32_t slots = m->cfg.slots, bits = rf_lowest(m->cfg.entries);
    uint32_t sum = in->lk_opcode[l], index = 0;
    if (bits == 0) return 0;
    for (uint32_t s = 0; s < slots; s++) sum ^= (uint32_t)in->lk_operand[l * slots + s] << m->place[s];
    sum ^= (uint32_t)in->lk_block[l] << m->place[slots];
    sum ^= (uint32_t)in->lk_barrier[l] << m->place[slots + 1];
    for (uint32_t at = 0; at < bits + 10; at += bits) index ^= sum >> at;
    return entry_of(m, index);
}

static bool same_tag(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l, uint32_t e) {
    const uint32_t slots = m->cfg.slots;
    bool same = m->opcode_q[e] == in->lk_opcode[l] && m->block_q[e] == in->lk_block[l] && m->barrier_q[e] == in->lk_barrier[l];
    for (uint32_t s = 0; s < slots; s++) same &= m->operand_q[e * slots + s] == in->lk_operand[l * slots + s];
    return same;
}

/* What the lanes find: `at` is each one's entry, whether it asks or not. */
static void look_up(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t *at, rf_reuse_buffer_out *out) {
    out->hit = out->wait = out->held = 0;
    for (uint32_t l = 0; l < m->cfg.issues; l++) {
        const uint32_t e = index_of(m, in, l);
        const bool asks = (in->lk_valid >> l & 1) != 0, pending = m->pending_q[e] != 0;
        const bool same = asks && m->valid_q[e] != 0 && same_tag(m, in, l, e);
        at[l] = e;
        out->hit |= (uint8_t)((same && !pending) << l);
        out->wait |= (uint8_t)((same && pending) << l);
        out->held |= (uint8_t)((asks && pending) << l);
        out->index[l] = (uint16_t)(asks ? e : 0);
        out->result[l] = same && !pending ? m->result_q[e] : 0;
    }
}

/* What lanes ask for, and what the edge does. */
typedef struct plan {
    uint32_t at[RF_ISSUES_MAX];   /* each lane's entry, */
    uint32_t fill[RF_ISSUES_MAX]; /* each port's, whether it asks or not */
    uint32_t wants_reserve, wants_drop;
    uint32_t filled, reserved, drop;
    bool rm;
} plan;

/* Whether one of `which` names entry `e`, by its own in `at`. */
static bool name_it(uint32_t which, const uint32_t *at, uint32_t e) {
    bool named = false;
    for (uint32_t left = which; left != 0; left &= left - 1) named |= at[rf_lowest(left)] == e;
    return named;
}

/* Entry `e` ends its references, in the elements of lane `l`: its operands that are registers, and its result if it has one. */
static void end_references(const rf_reuse_buffer *m, uint32_t e, uint32_t l, rf_reuse_buffer_out *out) {
    const uint32_t slots = m->cfg.slots, first = l * (slots + 1);
    for (uint32_t s = 0; s < slots; s++) {
        if ((m->opcode_q[e] >> s & 1) == 0) continue;
        out->freed |= 1u << (first + s);
        out->freed_reg[first + s] = m->operand_q[e * slots + s];
    }
    if (m->pending_q[e] != 0) return;
    out->freed |= 1u << (first + slots);
    out->freed_reg[first + slots] = m->result_q[e];
}

static void plan_fills(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, plan *p) {
    for (uint32_t i = 0; i < m->cfg.issues; i++) {
        const uint32_t e = entry_of(m, in->fill_index[i]), lower = in->fill & ((1u << i) - 1);
        p->fill[i] = e;
        if ((in->fill >> i & 1) == 0 || m->valid_q[e] == 0 || m->pending_q[e] == 0) continue;
        if (!name_it(lower, p->fill, e)) p->filled |= 1u << i;
    }
}

static void plan_lane(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l, plan *p, rf_reuse_buffer_out *out) {
    const uint32_t e = p->at[l], lower = (1u << l) - 1;
    if (((p->wants_reserve | p->wants_drop) >> l & 1) == 0) return;
    const bool pending = m->pending_q[e] != 0, filled = name_it(in->fill, p->fill, e);
    const bool taken = name_it(p->wants_reserve & lower, p->at, e), given_up = name_it(p->wants_drop & lower, p->at, e);
    if ((p->wants_reserve >> l & 1) != 0) {
        if (pending || taken) return;
        p->reserved |= 1u << l;
    } else {
        if (filled || (taken && !pending)) return;
        p->drop |= 1u << l;
    }
    /* A lower lane that gives it up has freed what it held, unless a fill has kept that one from it. */
    if (m->valid_q[e] != 0 && (!given_up || filled)) end_references(m, e, l, out);
}

static void plan_removal(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, plan *p, rf_reuse_buffer_out *out) {
    const uint32_t e = entry_of(m, in->rm_index), of_lane0 = (uint32_t)rf_mask64(m->cfg.slots + 1);
    out->rm_ready = 1;
    if (in->rm == 0) return;
    if (name_it(in->fill, p->fill, e) || name_it(p->wants_reserve | p->wants_drop, p->at, e) || (out->freed & of_lane0) != 0) {
        out->rm_ready = 0;
        return;
    }
    p->rm = m->valid_q[e] != 0 && (in->rm_all != 0 || m->block_q[e] == in->rm_block);
    if (p->rm) end_references(m, e, 0, out);
}

static plan answer(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    plan p;
    p.wants_reserve = in->lk_valid & in->reserve;
    p.wants_drop = in->lk_valid & in->drop & ~p.wants_reserve;
    p.filled = p.reserved = p.drop = 0;
    p.rm = false;
    out->freed = 0;
    memset(out->freed_reg, 0, sizeof out->freed_reg);
    look_up(m, in, p.at, out);
    plan_fills(m, in, &p);
    for (uint32_t l = 0; l < m->cfg.issues; l++) plan_lane(m, in, l, &p, out);
    plan_removal(m, in, &p, out);
    out->reserved = (uint8_t)p.reserved;
    out->filled = (uint8_t)p.filled;
    return p;
}

static void edge(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const plan *p) {
    const uint32_t slots = m->cfg.slots;
    for (uint32_t i = 0; i < m->cfg.issues; i++) {
        if ((in->fill >> i & 1) != 0) m->pending_q[p->fill[i]] = 0;
        if ((p->filled >> i & 1) != 0) m->result_q[p->fill[i]] = in->fill_reg[i];
    }
    for (uint32_t l = 0; l < m->cfg.issues; l++) {
        const uint32_t e = p->at[l];
        if ((p->drop >> l & 1) != 0) m->valid_q[e] = 0;
        if ((p->reserved >> l & 1) == 0) continue;
        m->valid_q[e] = m->pending_q[e] = 1;
        m->opcode_q[e] = in->lk_opcode[l];
        m->block_q[e] = in->lk_block[l];
        m->barrier_q[e] = in->lk_barrier[l];
        for (uint32_t s = 0; s < slots; s++) m->operand_q[e * slots + s] = in->lk_operand[l * slots + s];
    }
    if (p->rm) m->valid_q[entry_of(m, in->rm_index)] = 0;
}

void rf_reuse_buffer_comb(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    (void)answer(m, in, out);
}

void rf_reuse_buffer_clock(rf_reuse_buffer *m, const rf_reuse_buffer_in *in) {
    rf_reuse_buffer_out out;
    rf_reuse_buffer_step(m, in, &out);
}

void rf_reuse_buffer_step(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    const plan p = answer(m, in, out);
    edge(m, in, &p);
}
