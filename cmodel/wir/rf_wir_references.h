/* SPDX-License-Identifier: Apache-2.0 */
/* References of rf_wir: what the rename tables write, and the requests to the reference counts. */
#ifndef RF_WIR_REFERENCES_H
#define RF_WIR_REFERENCES_H

#include "cmodel/wir/rf_wir_parts.h"

/* The rename tables' writes, and the requests to the reference counts. */
RF_WIR_PART void rf_wir_references(const rf_wir *m, const rf_wir_in *in, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_lane_cfg *of = &m->lane[0].cfg;
    const uint32_t operands = (1u << cfg->slots) - 1;
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
        const rf_wir_front_out *lane = &x->front[g];
        const bool reserved = (x->reuse.reserved >> g & 1) != 0;
        const uint32_t inc = reserved ? lane->lane.opcode & operands : lane->act == RF_WIR_REUSE;
        rf_wir_write_table(of, &wires, &done, rf_stage_every(in->launch | in->exit, cfg->warps, cfg->issues, g));
        const bool ends = rf_wir_ends(of, &wires, &done, &reg);
        rf_wir_count(cfg->slots, g, inc, reserved ? lane->lane.operand : &x->reuse.result[g], ends, reg, x->retire_preg[g],
                     &named, &x->lookups);
    }
}

#endif
