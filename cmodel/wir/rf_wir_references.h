/* SPDX-License-Identifier: Apache-2.0 */
/* References of rf_wir: what the rename tables write, and the requests to the reference counts in the order of rf_wir.h. */
#ifndef RF_WIR_REFERENCES_H
#define RF_WIR_REFERENCES_H

#include "cmodel/wir/rf_wir_parts.h"

RF_WIR_PART void rf_wir_add(uint32_t *valid, uint16_t *regs, uint32_t port, bool when, uint16_t reg) {
    *valid |= (uint32_t)when << port;
    regs[port] = reg;
}

/* Group g's new references, its ports from `base` on: the lane's, an entry filled, those of rf_wir_results. */
RF_WIR_PART void rf_wir_take_references(const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t base,
                                        const rf_wir_named *named) {
    const uint32_t slots = cfg->slots;
    const rf_wir_front_out *lane = &x->front[g];
    rf_refcount_in *r = &x->count_in;
    if ((x->reuse.reserved >> g & 1) != 0) {
        r->inc |= (lane->lane_opcode & ((1u << slots) - 1)) << base;
        for (uint32_t s = 0; s < slots; s++) r->inc_reg[base + s] = lane->lane_operand[s];
    } else if (lane->act == RF_WIR_REUSE) {
        rf_wir_add(&r->inc, r->inc_reg, base, true, x->reuse.result[g]);
    }
    rf_wir_add(&r->inc, r->inc_reg, base + slots, (x->reuse.filled >> g & 1) != 0, x->retire_preg[g]);
    rf_wir_add(&r->inc, r->inc_reg, base + slots + 1, named->result, named->result_reg);
    rf_wir_add(&r->inc, r->inc_reg, base + slots + 2, named->table, named->table_reg);
}

/* Group g's references that end, its ports from `base` on: of the reuse buffer, of rf_wir_results, of the rename tables. */
RF_WIR_PART void rf_wir_end_references(const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t base,
                                       const rf_wir_named *named, bool ends, uint16_t reg) {
    const uint32_t slots = cfg->slots, lowest = g * (slots + 1);
    rf_refcount_in *r = &x->count_in;
    const uint32_t freed = x->reuse.freed >> lowest & ((1u << (slots + 1)) - 1);
    if (freed != 0) {
        r->dec |= freed << base;
        for (uint32_t k = 0; k <= slots; k++) r->dec_reg[base + k] = x->reuse.freed_reg[lowest + k];
    }
    rf_wir_add(&r->dec, r->dec_reg, base + slots + 1, named->ends, named->ends_reg);
    rf_wir_add(&r->dec, r->dec_reg, base + slots + 2, ends, reg);
}

/* The rename tables' writes, and the requests to the reference counts. */
RF_WIR_PART void rf_wir_references(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_wires *x) {
    const rf_wir_lane_cfg of = rf_wir_lane_cfg_of(cfg);
    const uint32_t ports = cfg->slots + 3;
    x->count_in.inc = x->count_in.dec = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_lane_wires wires = rf_wir_lane_of(x, g);
        const rf_wir_done done = {.valid = (x->retired >> g & 1) != 0,
                                  .warp = x->retire_warp[g],
                                  .dst = x->retire_dst[g],
                                  .reg = x->retire_preg[g],
                                  .old = (uint16_t)(x->retire_info[g] & rf_mask64(rf_wir_bits(cfg->pregs) + 2)),
                                  .result = x->reuse.result[g]};
        const uint32_t needy = x->give[g] < cfg->verifiers ? x->give[g] : 0;
        const rf_wir_named named = rf_wir_names(&x->results, g, m->retire.verify[g * cfg->verifiers + needy].cand_q);
        uint16_t reg;
        rf_wir_write_table(&of, &wires, &done, rf_wir_of_group(m, cfg, in->launch | in->exit, g));
        const bool ends = rf_wir_ends(&of, &wires, &done, &reg);
        rf_wir_take_references(cfg, x, g, g * ports, &named);
        rf_wir_end_references(cfg, x, g, g * ports, &named, ends, reg);
    }
}

#endif
