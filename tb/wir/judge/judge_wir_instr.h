/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction on its way from issue to its collector, as the judges of rf_wir_front and rf_wir_lane hold it: one record that
 * is first issued [WIR V-B], then renamed (V-C). What it becomes is theirs; here is only how the units' records spell it. */
#ifndef RF_JUDGE_WIR_INSTR_H
#define RF_JUDGE_WIR_INSTR_H

#include "cmodel/wir/rf_wir_front.h"
#include "tb/common/judge/judge.h"

#define SLOTS RF_REUSE_SLOTS_MAX

/* `carried` is what was handed over; of it, what the page speaks of is kept, and shown, apart. */
typedef struct judge_instr {
    rf_wir_common carried;
    bool there, dst_valid, src_valid[SLOTS], reuse, store, shared; /* as issued */
    uint32_t warp, tag, port, mask, dst, src[SLOTS], op, imm[SLOTS], space;
    bool mapped[SLOTS], look, old_valid, old_pin; /* as renamed */
    uint32_t opcode, operand[SLOTS], old_preg;
} judge_instr;

static inline judge_instr instr_issued(const rf_wir_issued *from, uint32_t slots) {
    judge_instr i;
    memset(&i, 0, sizeof i);
    i.there = true;
    i.carried = from->common;
    i.warp = from->warp, i.tag = from->tag, i.port = from->port, i.mask = from->mask;
    i.dst_valid = from->dst_valid != 0, i.dst = from->dst, i.op = from->op;
    i.reuse = from->reuse != 0, i.space = from->space;
    i.store = from->store != 0, i.shared = from->store_shared != 0;
    for (uint32_t k = 0; k < slots; k++) {
        i.src_valid[k] = judge_bit(from->src_valid, k);
        i.src[k] = from->src[k], i.imm[k] = from->imm[k];
    }
    return i;
}

static inline bool instr_meets_stores(const judge_instr *i) { return i->space == RF_SPACE_SHARED || i->space == RF_SPACE_GLOBAL; }

/* What it has yet to read, while it stands before the collectors. */
static inline void instr_reads(const judge_instr *i, uint32_t slots, rf_wir_reads *to) {
    to->warp = (uint8_t)i->warp, to->src_valid = (uint8_t)judge_pack(i->src_valid, slots);
    to->load = instr_meets_stores(i);
    for (uint32_t k = 0; k < slots; k++) to->src[k] = (uint8_t)i->src[k];
}

static inline void instr_renamed(const judge_instr *i, uint32_t slots, rf_wir_renamed *to) {
    to->common = i->carried;
    to->warp = (uint8_t)i->warp, to->tag = (uint16_t)i->tag, to->port = (uint8_t)i->port, to->dst = (uint8_t)i->dst;
    to->src_valid = (uint8_t)judge_pack(i->src_valid, slots), to->opcode = (uint8_t)i->opcode, to->space = (uint8_t)i->space;
    to->old_valid = i->old_valid, to->old_preg = (uint16_t)i->old_preg, to->old_pin = i->old_pin;
    for (uint32_t k = 0; k < slots; k++) to->src[k] = (uint8_t)i->src[k], to->operand[k] = (uint16_t)i->operand[k];
}

static inline void instr_laned(const judge_instr *i, uint32_t slots, rf_wir_laned *to) {
    instr_renamed(i, slots, &to->renamed);
    to->mask = i->mask, to->dst_valid = i->dst_valid, to->mapped = (uint8_t)judge_pack(i->mapped, slots);
}

/* The rename and the reuse register. */
static inline void instr_registers(const judge_instr *rn, const judge_instr *ru, uint32_t slots, rf_wir_front *e) {
    e->rn_q.common = rn->carried;
    e->rn_valid_q = rn->there, e->rn_q.warp = (uint8_t)rn->warp, e->rn_q.tag = (uint16_t)rn->tag;
    e->rn_q.port = (uint8_t)rn->port, e->rn_q.mask = rn->mask, e->rn_q.dst_valid = rn->dst_valid, e->rn_q.dst = (uint8_t)rn->dst;
    e->rn_q.src_valid = (uint8_t)judge_pack(rn->src_valid, slots), e->rn_q.reuse = rn->reuse, e->rn_q.op = (uint8_t)rn->op;
    e->rn_q.space = (uint8_t)rn->space, e->rn_q.store = rn->store, e->rn_q.store_shared = rn->shared;
    for (uint32_t k = 0; k < slots; k++) e->rn_q.src[k] = (uint8_t)rn->src[k], e->rn_q.imm[k] = (uint16_t)rn->imm[k];
    e->ru_valid_q = ru->there, e->ru_look_q = ru->look;
    instr_laned(ru, slots, &e->ru_q);
}

#endif
