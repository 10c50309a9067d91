/* SPDX-License-Identifier: Apache-2.0 */
/* Words that the parts of rf_wir share: what ex_info holds, where a physical register lies, whose group a warp is. Private to
 * rf_wir, like all parts of its cycle. rf_wir.c calls them in this order, and decides the lanes once allocation is done:
 *   rf_wir_lanes.h       reuse buffer, load guard, and with rf_wir_lane_parts.h what the lanes hold, what becomes of it
 *   rf_wir_banks.h       who asks the banks, and with rf_wir_retire_parts.h which results retire
 *   rf_wir_results_parts.h    the results at the ends of the hash pipes
 *   rf_wir_issue.h       hazards, and what issues
 *   rf_wir_references.h  the rename tables' writes, the requests to the reference counts
 *   rf_wir_edge.h        the clock edge
 * Values of 1024 bits are copied only where a register takes them. */
#ifndef RF_WIR_PARTS_H
#define RF_WIR_PARTS_H

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/wir/rf_wir.h"
#include "cmodel/wir/rf_wir_lane_parts.h"
#include "cmodel/wir/rf_wir_results_parts.h"
#include "cmodel/wir/rf_wir_retire_parts.h"
#include "cmodel/wir/rf_wir_words.h"

/* ---- info: {index, leader, old_preg, old_valid, pin}, pin in bit 0 ---- */

typedef struct rf_wir_info {
    bool pin, old_valid, leader;
    uint16_t old_preg, index;
} rf_wir_info;

RF_WIR_PART uint64_t rf_wir_pack(const rf_wir_cfg *cfg, const rf_wir_info *i) {
    const uint32_t pregs = rf_wir_bits(cfg->pregs);
    return (uint64_t)i->pin | (uint64_t)i->old_valid << 1 | (uint64_t)i->old_preg << 2 | (uint64_t)i->leader << (2 + pregs) |
           (uint64_t)i->index << (3 + pregs);
}

RF_WIR_PART rf_wir_info rf_wir_unpack(const rf_wir_cfg *cfg, uint64_t bits) {
    const uint32_t pregs = rf_wir_bits(cfg->pregs);
    rf_wir_info i;
    i.pin = (bits & 1) != 0;
    i.old_valid = (bits >> 1 & 1) != 0;
    i.old_preg = (uint16_t)(bits >> 2 & ((1u << pregs) - 1));
    i.leader = (bits >> (2 + pregs) & 1) != 0;
    i.index = (uint16_t)(bits >> (3 + pregs) & ((1u << rf_wir_bits(cfg->entries)) - 1));
    return i;
}

/* ---- registers and warps ---- */

RF_WIR_PART uint32_t rf_wir_preg_bank(const rf_wir_cfg *cfg, uint32_t preg) { return preg & (cfg->banks - 1); }
RF_WIR_PART uint32_t rf_wir_preg_row(const rf_wir_cfg *cfg, uint32_t preg) { return preg >> __builtin_ctz(cfg->banks); }

/* The even bits, packed. */
RF_WIR_PART uint64_t rf_wir_even_bits(uint64_t x) {
    x &= UINT64_C(0x5555555555555555);
    x = (x | x >> 1) & UINT64_C(0x3333333333333333);
    x = (x | x >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (x | x >> 16) & UINT64_C(0x00000000ffffffff);
}

/* The bits of `warps`, of which only the stage's may be set, that belong to issue group g, packed. */
RF_WIR_PART uint64_t rf_wir_of_group(const rf_wir *m, const rf_wir_cfg *cfg, uint64_t warps, uint32_t g) {
    const uint32_t issues = cfg->issues;
    if (warps == 0 || issues == 1) return warps;
    if (issues == 2) return rf_wir_even_bits(warps >> g);
    if (issues == 4) return rf_wir_even_bits(rf_wir_even_bits(warps >> g));
    return rf_stage_group(&m->stage.cfg, warps, g);
}

/* ---- the units' configurations, as their parts take them ---- */

RF_WIR_PART uint32_t rf_wir_info_width(const rf_wir_cfg *cfg) { return 3 + rf_wir_bits(cfg->pregs) + rf_wir_bits(cfg->entries); }

RF_WIR_PART rf_wir_lane_cfg rf_wir_lane_cfg_of(const rf_wir_cfg *cfg) {
    return (rf_wir_lane_cfg){.warps = cfg->warps,
                             .issues = cfg->issues,
                             .regs = cfg->regs,
                             .lanes = cfg->lanes,
                             .slots = cfg->slots,
                             .exports = cfg->exports,
                             .pregs = cfg->pregs,
                             .banks = cfg->banks,
                             .queue = cfg->queue,
                             .reuse = cfg->reuse,
                             .loads = cfg->loads,
                             .retry = cfg->retry};
}

RF_WIR_PART rf_wir_results_cfg rf_wir_results_cfg_of(const rf_wir_cfg *cfg) {
    return (rf_wir_results_cfg){.warps = cfg->warps,
                                .regs = cfg->regs,
                                .lanes = cfg->lanes,
                                .exports = cfg->exports,
                                .issues = cfg->issues,
                                .banks = cfg->banks,
                                .stages = cfg->delay - 2,
                                .wbdepth = cfg->wbdepth,
                                .pregs = cfg->pregs,
                                .infow = rf_wir_info_width(cfg),
                                .verifiers = cfg->verifiers,
                                .reuse = cfg->reuse,
                                .vsb = cfg->vsb,
                                .ventries = cfg->ventries,
                                .vcache = cfg->vcache,
                                .capped = cfg->capped};
}

RF_WIR_PART rf_wir_retire_cfg rf_wir_retire_cfg_of(const rf_wir_cfg *cfg) {
    return (rf_wir_retire_cfg){.warps = cfg->warps,
                               .regs = cfg->regs,
                               .lanes = cfg->lanes,
                               .exports = cfg->exports,
                               .issues = cfg->issues,
                               .pregs = cfg->pregs,
                               .infow = rf_wir_info_width(cfg),
                               .verifiers = cfg->verifiers,
                               .reuse = cfg->reuse};
}

/* ---- wires ---- */

RF_WIR_PART rf_wir_lane_wires rf_wir_lane_of(rf_wir_wires *x, uint32_t g) {
    return (rf_wir_lane_wires){&x->front_in[g], &x->front[g], &x->rename_in[g], &x->rename[g]};
}

/* What the result queues show. */
RF_WIR_PART void rf_wir_show_heads(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_heads *heads) {
    heads->valid = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->results.queue[e];
        const uint32_t at = q->ctrl.rd_ptr_q;
        if (q->ctrl.level_q == 0) continue;
        heads->valid |= 1u << e;
        heads->op[e] = q->op_q[at];
        heads->warp[e] = q->warp_q[at];
        heads->dst[e] = q->dst_q[at];
        heads->preg[e] = q->preg_q[at];
        heads->cand[e] = q->cand_q[at];
        heads->mask[e] = q->mask_q[at];
        heads->info[e] = q->info_q[at];
        heads->data[e] = &q->data_q[at];
    }
}

/* What each group's verifier looks at, if one does: what its bank has read. */
RF_WIR_PART void rf_wir_show_read(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_wires *x, const rf_vec **rdata) {
    for (uint32_t g = 0; g < cfg->issues; g++) rdata[g] = &m->stage.bank[rf_wir_preg_bank(cfg, x->check_reg[g])].rdata_q;
}

#endif
