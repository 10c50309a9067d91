/* SPDX-License-Identifier: Apache-2.0 */
/* References of rf_wir: what the rename tables write, and the requests to the reference counts in the order of rf_wir.h. */
#ifndef RF_WIR_REFERENCES_H
#define RF_WIR_REFERENCES_H

#include "cmodel/wir/rf_wir_parts.h"

RF_WIR_PART void rf_wir_add(uint32_t *valid, uint16_t *regs, uint32_t port, bool when, uint16_t reg) {
    *valid |= (uint32_t)when << port;
    regs[port] = reg;
}

/* Group g writes its rename table: a reuse hit, or a result that retires. */
RF_WIR_PART void rf_wir_write_table(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_wires *x, uint32_t g,
                                    bool pin) {
    const rf_wir_front_out *lane = &x->front[g];
    const bool reuse = lane->act == RF_WIR_REUSE, retired = (x->retired >> g & 1) != 0;
    rf_rename_in *table = &x->rename_in[g];
    table->wr_valid = reuse || retired;
    table->clear = rf_wir_of_group(m, cfg, in->launch | in->exit, g);
    if (!table->wr_valid) return;
    table->wr_warp = (uint8_t)rf_wir_local(reuse ? lane->lane_warp : x->retire_warp[g], cfg->issues);
    table->wr_reg = reuse ? lane->lane_dst : x->retire_dst[g];
    table->wr_preg = reuse ? x->reuse.result[g] : x->retire_preg[g];
    table->wr_pin = !reuse && pin;
}

/* Group g's new references, its ports from `base` on. */
RF_WIR_PART void rf_wir_take_references(const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t base) {
    const uint32_t slots = cfg->slots;
    const rf_wir_front_out *lane = &x->front[g];
    const rf_result_queue_in *push = &x->push[g];
    rf_refcount_in *r = &x->count_in;
    const bool took = (x->took >> g & 1) != 0, gave = (x->gave >> g & 1) != 0, put = (x->vsb_in.write >> g & 1) != 0;
    if ((x->reuse.reserved >> g & 1) != 0) {
        r->inc |= (lane->lane_opcode & ((1u << slots) - 1)) << base;
        for (uint32_t s = 0; s < slots; s++) r->inc_reg[base + s] = lane->lane_operand[s];
    } else if (lane->act == RF_WIR_REUSE) {
        rf_wir_add(&r->inc, r->inc_reg, base, true, x->reuse.result[g]);
    }
    rf_wir_add(&r->inc, r->inc_reg, base + slots, (x->reuse.filled >> g & 1) != 0, x->retire_preg[g]);
    if (took) {
        const bool shares = push->push_op == RF_RESULT_SHARE || push->push_op == RF_RESULT_VERIFY;
        const bool fresh = (x->free_in.pop >> g & 1) != 0 && !gave;
        rf_wir_add(&r->inc, r->inc_reg, base + slots + 1, fresh || shares,
                   push->push_op == RF_RESULT_VERIFY ? push->push_cand : push->push_preg);
    }
    rf_wir_add(&r->inc, r->inc_reg, base + slots + 2, put || gave, x->free.reg[g]);
}

/* Group g's references that end, its ports from `base` on. `old`: ex_info of its result that retires. */
RF_WIR_PART void rf_wir_end_references(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t base,
                                       const rf_wir_info *old) {
    const uint32_t slots = cfg->slots, lowest = g * (slots + 1);
    const rf_wir_front_out *lane = &x->front[g];
    rf_refcount_in *r = &x->count_in;
    const uint32_t ends = x->reuse.freed >> lowest & ((1u << (slots + 1)) - 1);
    if (ends != 0) {
        r->dec |= ends << base;
        for (uint32_t k = 0; k <= slots; k++) r->dec_reg[base + k] = x->reuse.freed_reg[lowest + k];
    }
    const bool gave = (x->gave >> g & 1) != 0, freed = (x->vsb.freed >> g & 1) != 0;
    if (gave) rf_wir_add(&r->dec, r->dec_reg, base + slots + 1, true, m->verify[g * cfg->verifiers + x->give[g]].cand_q);
    else if (freed) rf_wir_add(&r->dec, r->dec_reg, base + slots + 1, true, x->vsb.freed_reg[g]);
    else if (g == 0 && x->vsb.rnd_freed != 0) rf_wir_add(&r->dec, r->dec_reg, slots + 1, true, x->vsb.rnd_freed_reg);
    const bool reuse = lane->act == RF_WIR_REUSE, walk = x->rename_in[g].walk != 0;
    rf_wir_add(&r->dec, r->dec_reg, base + slots + 2, (reuse && lane->lane_old_valid) || old->old_valid || walk,
               walk    ? x->rename[g].walk_preg
               : reuse ? lane->lane_old_preg
                       : old->old_preg);
}

/* The rename ports, and the requests to the reference counts. */
RF_WIR_PART void rf_wir_references(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_wires *x) {
    const uint32_t ports = cfg->slots + 3;
    x->count_in.inc = x->count_in.dec = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_info old = rf_wir_unpack(cfg, (x->retired >> g & 1) != 0 ? x->retire_info[g] : 0);
        rf_wir_write_table(m, cfg, in, x, g, old.pin);
        rf_wir_take_references(cfg, x, g, g * ports);
        rf_wir_end_references(m, cfg, x, g, g * ports, &old);
    }
}

#endif
