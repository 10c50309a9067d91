/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir_reuse, for its judge alone: the slow models of the load guard, the reuse buffer and the reference
 * counts, and between them what the header says, read port by port: who asks whom, and which references begin and end
 * [WIR V-C, V-E, VI-A]. The random number is a row of 16 bits. */
#ifndef RF_JUDGE_WIR_REUSE_H
#define RF_JUDGE_WIR_REUSE_H

#include "cmodel/wir/rf_wir_reuse.h"
#include "tb/common/judge/judge_fields.h"
#include "tb/wir/judge/judge_load_guard.h"
#include "tb/wir/judge/judge_refcount.h"
#include "tb/wir/judge/judge_reuse_buffer.h"

enum { GROUPS = RF_ISSUES_MAX, SLOTS = RF_REUSE_SLOTS_MAX };

typedef struct slow_reuse {
    rf_wir_reuse_cfg cfg;
    slow_guard guard;
    slow_buffer buffer;
    slow_refcount count;
    bool random[16];
} slow_reuse;

/* What {index, reserved, old register, valid, pinned} says. */
typedef struct slow_info {
    uint32_t index, old;
    bool leader;
} slow_info;

/* What happens in one cycle. */
typedef struct slow_turn {
    rf_wir_reuse_out out;
    rf_load_guard_in guard_in;
    slow_guard_out guard;
    rf_reuse_buffer_in buffer_in;
    slow_buffer_out buffer;
    slow_buffer next; /* the buffer after the edge */
    rf_refcount_in count_in;
    slow_count_out count;
    bool looks_and_leaves, at_random; /* at_random: the entry of the random number is to be removed */
} slow_turn;

static inline uint32_t bits_for(uint32_t n) {
    uint32_t bits = 0;
    while (judge_codes(n) >> bits > 1) bits++;
    return bits;
}

static inline slow_info unpack_info(const rf_wir_reuse_cfg *cfg, uint64_t word) {
    const uint32_t p = bits_for(cfg->pregs);
    slow_info i;
    i.old = (uint32_t)(word & ls_mask(p + 2));
    i.leader = judge_bit(word, p + 2);
    i.index = (uint32_t)(word >> (p + 3) & ls_mask(bits_for(cfg->entries)));
    return i;
}

static inline uint64_t pack_info(const rf_wir_reuse_cfg *cfg, const slow_info *i) {
    const uint32_t p = bits_for(cfg->pregs);
    return (uint64_t)i->index << (p + 3) | (uint64_t)i->leader << (p + 2) | i->old;
}

/* The number whose low bits name an entry. */
static inline uint32_t random_number(const slow_reuse *s) { return (uint32_t)judge_pack(s->random, 16); }

static inline void slow_reset(slow_reuse *s) {
    slow_guard_reset(&s->guard);
    slow_buffer_reset(&s->buffer);
    slow_count_reset(&s->count);
    for (uint32_t i = 0; i < 16; i++) s->random[i] = judge_bit(0xace1, i);
}

static inline void slow_start(slow_reuse *s, const rf_wir_reuse_cfg *cfg) {
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    s->guard.cfg =
        (rf_load_guard_cfg){.warps = cfg->warps, .blocks = cfg->blocks, .entries = cfg->entries, .issues = cfg->issues};
    s->buffer.cfg = (rf_reuse_buffer_cfg){
        .entries = cfg->entries, .slots = cfg->slots, .pregs = cfg->pregs, .blocks = cfg->blocks, .issues = cfg->issues};
    s->count.cfg = (rf_refcount_cfg){.pregs = cfg->pregs,
                                     .incs = cfg->issues * (cfg->slots + 3),
                                     .decs = cfg->issues * (cfg->slots + 3),
                                     .frees = 2,
                                     .asks = cfg->issues,
                                     .countw = cfg->countw};
    slow_reset(s);
}

/* x^16 + x^14 + x^13 + x^11 + 1: the bit that leaves comes in at the top and at three places more. */
static inline void shift(slow_reuse *s) {
    const bool leaves = s->random[0];
    for (uint32_t i = 0; i < 15; i++) s->random[i] = s->random[i + 1];
    s->random[15] = leaves;
    s->random[13] ^= leaves, s->random[12] ^= leaves, s->random[10] ^= leaves;
}

/* What the guard is told; whether its sweep goes on is known later. */
static inline void tell_guard(const slow_reuse *s, const rf_wir_reuse_in *in, rf_load_guard_in *to) {
    memcpy(to->block, in->block, sizeof to->block);
    to->launch = in->launch, to->start = in->start, to->flush = in->flush, to->bar = in->bar, to->fence = in->fence;
    to->st_valid = in->st_valid, to->st_shared = in->st_shared;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        to->st_warp[g] = in->st_warp[g], to->q_warp[g] = in->lane_warp[g], to->q_space[g] = in->lane_space[g];
}

static inline void tell_buffer(const slow_reuse *s, const rf_wir_reuse_in *in, slow_turn *t) {
    rf_reuse_buffer_in *to = &t->buffer_in;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint8_t me = (uint8_t)(1u << g);
        const slow_info done = unpack_info(&s->cfg, in->done_info[g]);
        if (judge_bit(in->lk_valid, g)) to->lk_valid |= me;
        to->lk_opcode[g] = in->lane_opcode[g];
        for (uint32_t k = 0; k < s->cfg.slots; k++) to->lk_operand[g * s->cfg.slots + k] = in->lane_operand[g * s->cfg.slots + k];
        to->lk_block[g] = (uint8_t)t->guard.tag_block[g], to->lk_barrier[g] = (uint8_t)t->guard.tag_barrier[g];
        if (judge_bit(in->leads, g) && !in->low) to->reserve |= me;
        if (judge_bit(in->leads, g) && in->low) to->drop |= me;
        if (judge_bit(in->done, g) && done.leader) to->fill |= me;
        to->fill_index[g] = (uint16_t)done.index, to->fill_reg[g] = in->done_reg[g];
        if (judge_bit(in->lk_valid, g) && judge_bit(in->leaves, g)) t->looks_and_leaves = true;
    }
    t->at_random = in->low && !t->guard.valid && !t->looks_and_leaves;
    if (t->guard.valid) {
        to->rm = 1, to->rm_index = (uint16_t)t->guard.index;
        to->rm_all = t->guard.all, to->rm_block = (uint8_t)t->guard.block;
    } else if (t->at_random) {
        to->rm = to->rm_all = 1;
        to->rm_index = (uint16_t)(random_number(s) % judge_codes(s->cfg.entries));
    }
}

static inline void up(rf_refcount_in *to, uint32_t port, bool asks, uint32_t reg) {
    to->inc |= (uint32_t)asks << port;
    to->inc_reg[port] = (uint16_t)reg;
}

static inline void down(rf_refcount_in *to, uint32_t port, bool asks, uint32_t reg) {
    to->dec |= (uint32_t)asks << port;
    to->dec_reg[port] = (uint16_t)reg;
}

/* "Each group's ports of rf_refcount, in this order." */
static inline void tell_count(const slow_reuse *s, const rf_wir_reuse_in *in, slow_turn *t) {
    const uint32_t n = s->cfg.slots;
    uint32_t plus = 0, minus = 0;
    memcpy(t->count_in.ask_reg, in->own_reg, sizeof in->own_reg);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        for (uint32_t k = 0; k < n; k++) up(&t->count_in, plus++, judge_bit(in->lane_inc[g], k), in->lane_inc_reg[g * n + k]);
        up(&t->count_in, plus++, t->buffer.filled[g], in->done_reg[g]);
        for (uint32_t i = 0; i < 2; i++)
            up(&t->count_in, plus++, judge_bit(in->results_inc[g], i), in->results_inc_reg[g * 2 + i]);
        for (uint32_t k = 0; k <= n; k++)
            down(&t->count_in, minus++, t->buffer.freed[g * (n + 1) + k], t->buffer.freed_reg[g * (n + 1) + k]);
        down(&t->count_in, minus++, judge_bit(in->results_dec, g), in->results_dec_reg[g]);
        down(&t->count_in, minus++, judge_bit(in->lane_dec, g), in->lane_dec_reg[g]);
    }
}

static inline void slow_comb(const slow_reuse *s, const rf_wir_reuse_in *in, slow_turn *t) {
    const uint32_t n = s->cfg.issues;
    rf_wir_reuse_out *out = &t->out;
    memset(t, 0, offsetof(slow_turn, next));
    memset(&t->count_in, 0, sizeof t->count_in);
    t->looks_and_leaves = t->at_random = false;
    tell_guard(s, in, &t->guard_in);
    slow_guard_comb(&s->guard, &t->guard_in, &t->guard);
    tell_buffer(s, in, t);
    t->next.cfg = s->buffer.cfg;
    memcpy(t->next.entry, s->buffer.entry, s->cfg.entries * sizeof *s->buffer.entry);
    slow_buffer_cycle(&t->next, &t->buffer_in, &t->buffer);
    t->guard_in.sweep_ready = t->buffer.rm_ready;
    tell_count(s, in, t);
    slow_count_comb(&s->count, &t->count_in, &t->count);
    out->allow = (uint8_t)judge_pack(t->guard.allow, n), out->hit = (uint8_t)judge_pack(t->buffer.hit, n);
    out->wait = (uint8_t)judge_pack(t->buffer.wait, n), out->reserved = (uint8_t)judge_pack(t->buffer.reserved, n);
    out->random = (uint16_t)random_number(s), out->back = (uint8_t)judge_pack(t->count.free, 2);
    out->own = (uint8_t)judge_pack(t->count.one, n);
    for (uint32_t i = 0; i < 2; i++) out->back_reg[i] = (uint16_t)t->count.reg[i];
    for (uint32_t g = 0; g < n; g++) {
        const slow_info info = {.index = t->buffer.index[g], .leader = t->buffer.reserved[g], .old = in->lane_back[g]};
        out->result[g] = (uint16_t)t->buffer.result[g];
        out->info[g] = pack_info(&s->cfg, &info);
    }
}

/* The edge, after slow_comb with the same inputs. */
static inline void slow_clock(slow_reuse *s, const slow_turn *t) {
    slow_guard_clock(&s->guard, &t->guard_in);
    memcpy(s->buffer.entry, t->next.entry, s->cfg.entries * sizeof *s->buffer.entry);
    slow_count_clock(&s->count, &t->count_in);
    shift(s);
}

/* What the registers hold; `e` is zero but for what an earlier cycle of this run put there. */
static inline void expect_state(const slow_reuse *s, rf_wir_reuse *e) {
    const slow_guard *u = &s->guard;
    const uint32_t n = s->cfg.slots;
    e->guard.shared_q = judge_pack(u->shared, s->cfg.warps), e->guard.global_q = judge_pack(u->global, s->cfg.warps);
    for (uint32_t b = 0; b < s->cfg.blocks; b++) e->guard.count_q[b] = (uint8_t)u->count[b];
    e->guard.gcount_q = (uint8_t)u->gcount, e->guard.flush_q = u->flush;
    e->guard.sweep_q = (uint16_t)judge_pack(u->sweep, s->cfg.blocks);
    e->guard.active_q = u->active, e->guard.all_q = u->all;
    e->guard.target_q = (uint8_t)u->target, e->guard.index_q = (uint16_t)u->index;
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        const slow_entry *entry = &s->buffer.entry[i];
        e->buffer.valid_q[i] = entry->valid, e->buffer.pending_q[i] = entry->pending;
        e->buffer.opcode_q[i] = (uint8_t)entry->tag.opcode, e->buffer.block_q[i] = (uint8_t)entry->tag.block;
        e->buffer.barrier_q[i] = (uint8_t)entry->tag.barrier, e->buffer.result_q[i] = (uint16_t)entry->result;
        for (uint32_t k = 0; k < n; k++) e->buffer.operand_q[i * n + k] = (uint16_t)entry->tag.operand[k];
    }
    e->count.place_q = 0;
    for (uint32_t p = 0; p < s->count.cfg.incs + s->count.cfg.decs; p++) {
        const slow_place *place = &s->count.place[p];
        if (place->used) e->count.place_q |= UINT64_C(1) << p;
        e->count.reg_q[p] = (uint16_t)place->reg, e->count.delta_q[p] = (uint8_t)(place->delta & 63);
    }
    memset(e->count.dead_q, 0, sizeof e->count.dead_q);
    for (uint32_t r = 0; r < s->cfg.pregs; r++) {
        e->count.count_q[r] = (uint16_t)s->count.count[r];
        if (s->count.dead[r]) e->count.dead_q[r / 64] |= UINT64_C(1) << r % 64;
    }
    e->lfsr.value_q = (uint16_t)random_number(s);
}

#endif
