/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_reuse_buffer, for its judge and for that of rf_wir_reuse, which has one: entries are structs, the tag is
 * an array of bits, an edge goes step by step in the header's order. */
#ifndef RF_JUDGE_REUSE_BUFFER_H
#define RF_JUDGE_REUSE_BUFFER_H

#include "cmodel/wir/rf_reuse_buffer.h"
#include "tb/common/judge/judge.h"

#define TAG_BITS_MAX 96u

typedef struct slow_tag {
    uint32_t opcode, operand[RF_REUSE_SLOTS_MAX], block, barrier;
} slow_tag;

typedef struct slow_entry {
    bool valid, pending;
    slow_tag tag;
    uint32_t result;
} slow_entry;

typedef struct slow_buffer {
    rf_reuse_buffer_cfg cfg;
    slow_entry entry[RF_REUSE_ENTRIES_MAX];
} slow_buffer;

typedef struct slow_buffer_out {
    bool hit[RF_ISSUES_MAX], wait[RF_ISSUES_MAX], held[RF_ISSUES_MAX], reserved[RF_ISSUES_MAX], filled[RF_ISSUES_MAX];
    uint32_t result[RF_ISSUES_MAX], index[RF_ISSUES_MAX];
    bool rm_ready;
    bool freed[RF_REUSE_FREED_MAX];
    uint32_t freed_reg[RF_REUSE_FREED_MAX];
} slow_buffer_out;

/* Which entry an index port names; with one entry the port's only bit names nothing else. */
static inline uint32_t named(const slow_buffer *s, uint32_t index) { return s->cfg.entries == 1 ? 0 : index; }

static inline slow_tag tag_of(const slow_buffer *s, const rf_reuse_buffer_in *in, uint32_t lane) {
    slow_tag tag = {.opcode = in->lk_opcode[lane], .block = in->lk_block[lane], .barrier = in->lk_barrier[lane]};
    for (uint32_t k = 0; k < s->cfg.slots; k++) tag.operand[k] = in->lk_operand[lane * s->cfg.slots + k];
    return tag;
}

static inline bool same_tag(const slow_buffer *s, const slow_tag *a, const slow_tag *b) {
    if (a->opcode != b->opcode || a->block != b->block || a->barrier != b->barrier) return false;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (a->operand[k] != b->operand[k]) return false;
    return true;
}

static inline uint32_t append(bool *bit, uint32_t at, uint32_t value, uint32_t width) {
    for (uint32_t i = 0; i < width; i++) bit[at + i] = judge_bit(value, i);
    return at + width;
}

/* The tag as one number, folded over the index. */
static inline uint32_t index_of(const slow_buffer *s, const slow_tag *tag) {
    bool bit[TAG_BITS_MAX] = {false};
    uint32_t width = 0, log2_entries = 0, index = 0, block_bits = 1;
    uint32_t preg_bits = 1;
    while ((1u << preg_bits) < s->cfg.pregs) preg_bits++;
    while ((1u << block_bits) < s->cfg.blocks) block_bits++;
    while ((1u << log2_entries) < s->cfg.entries) log2_entries++;
    width = append(bit, width, tag->opcode, 8);
    for (uint32_t k = 0; k < s->cfg.slots; k++) width = append(bit, width, tag->operand[k], preg_bits);
    width = append(bit, width, tag->block, block_bits + 1);
    width = append(bit, width, tag->barrier, 5);
    assert_true(width <= TAG_BITS_MAX);
    if (log2_entries == 0) return 0;
    for (uint32_t k = 0; k < width; k++)
        if (bit[k]) index ^= 1u << k % log2_entries;
    return index;
}

static inline void slow_buffer_reset(slow_buffer *s) { memset(s->entry, 0, sizeof s->entry); }

/* Ends the references of a valid entry. */
static inline void end_references(const slow_buffer *s, const slow_entry *e, uint32_t lane, slow_buffer_out *out) {
    const uint32_t at = lane * (s->cfg.slots + 1);
    if (!e->valid) return;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        if (!judge_bit(e->tag.opcode, k)) continue;
        out->freed[at + k] = true;
        out->freed_reg[at + k] = e->tag.operand[k];
    }
    if (e->pending) return;
    out->freed[at + s->cfg.slots] = true;
    out->freed_reg[at + s->cfg.slots] = e->result;
}

static inline bool fill_names(const slow_buffer *s, const rf_reuse_buffer_in *in, uint32_t entry) {
    for (uint32_t p = 0; p < s->cfg.issues; p++)
        if (judge_bit(in->fill, p) && named(s, in->fill_index[p]) == entry) return true;
    return false;
}

/* Lookups, and the whole edge; `s` becomes the state after it. */
static inline void slow_buffer_cycle(slow_buffer *s, const rf_reuse_buffer_in *in, slow_buffer_out *out) {
    static bool pending_before[RF_REUSE_ENTRIES_MAX], reserved_now[RF_REUSE_ENTRIES_MAX];
    const uint32_t issues = s->cfg.issues;
    const uint32_t rm_entry = named(s, in->rm_index);
    bool touched = fill_names(s, in, rm_entry);
    memset(out, 0, sizeof *out);
    memset(reserved_now, 0, sizeof reserved_now);
    for (uint32_t e = 0; e < s->cfg.entries; e++) pending_before[e] = s->entry[e].pending;
    for (uint32_t l = 0; l < issues; l++) {
        const slow_tag tag = tag_of(s, in, l);
        const uint32_t index = index_of(s, &tag);
        const slow_entry *e = &s->entry[index];
        if (!judge_bit(in->lk_valid, l)) continue;
        out->index[l] = index;
        out->held[l] = e->pending;
        if (!e->valid || !same_tag(s, &e->tag, &tag)) continue;
        if (e->pending) out->wait[l] = true;
        else out->hit[l] = true, out->result[l] = e->result;
    }
    for (uint32_t p = 0; p < issues; p++) {
        slow_entry *e = &s->entry[named(s, in->fill_index[p])];
        if (!judge_bit(in->fill, p) || !e->pending) continue;
        e->pending = false;
        if (!e->valid) continue;
        e->result = in->fill_reg[p];
        out->filled[p] = true;
    }
    for (uint32_t l = 0; l < issues; l++) {
        const bool reserve = judge_bit(in->reserve, l), drop = judge_bit(in->drop, l);
        const uint32_t index = out->index[l];
        slow_entry *e = &s->entry[index];
        if (!judge_bit(in->lk_valid, l) || (!reserve && !drop)) continue;
        if (index == rm_entry) touched = true;
        if (reserved_now[index]) continue;
        if (reserve) {
            if (pending_before[index]) continue;
            end_references(s, e, l, out);
            e->valid = e->pending = true;
            e->tag = tag_of(s, in, l);
            out->reserved[l] = reserved_now[index] = true;
        } else if (!fill_names(s, in, index)) {
            end_references(s, e, l, out);
            e->valid = false;
        }
    }
    for (uint32_t k = 0; k <= s->cfg.slots; k++) touched = touched || out->freed[k];
    out->rm_ready = !in->rm || !touched;
    if (in->rm && out->rm_ready && (in->rm_all || s->entry[rm_entry].tag.block == in->rm_block)) {
        end_references(s, &s->entry[rm_entry], 0, out);
        s->entry[rm_entry].valid = false;
    }
}

#endif
