/* SPDX-License-Identifier: Apache-2.0 */
/* Words that the parts of rf_wir share. Private to rf_wir, like all parts of its cycle.
 * Its units' rules are in their rf_wir_<unit>_parts.h. rf_wir.c calls in this order, deciding the lanes once allocation is done:
 *   rf_wir_lanes.h       what the lanes hold (rf_wir_lane), get to know (rf_wir_reuse), what becomes of it (rf_wir_collect)
 *   rf_wir_banks.h       who asks the banks (rf_wir_collect), and which results retire (rf_wir_retire)
 *   rf_wir_results_parts.h    the results at the ends of the hash pipes
 *   rf_wir_ready.h       hazards, and what issues (rf_wir_issue)
 *   rf_wir_references.h  the rename tables' writes, the requests to the reference counts (rf_wir_reuse)
 *   rf_wir_edge.h        the clock edge
 * Values of 1024 bits are copied only where a register takes them. */
#ifndef RF_WIR_PARTS_H
#define RF_WIR_PARTS_H

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/wir/rf_wir.h"
#include "cmodel/wir/rf_wir_collect_parts.h"
#include "cmodel/wir/rf_wir_issue_parts.h"
#include "cmodel/wir/rf_wir_lane_parts.h"
#include "cmodel/wir/rf_wir_results_parts.h"
#include "cmodel/wir/rf_wir_retire_parts.h"
#include "cmodel/wir/rf_wir_reuse_parts.h"
#include "cmodel/wir/rf_wir_words.h"

RF_WIR_PART rf_wir_lane_wires rf_wir_lane_of(rf_wir_wires *x, uint32_t g) {
    return (rf_wir_lane_wires){&x->front_in[g], &x->front[g], &x->rename_in[g], &x->rename[g]};
}

/* What the result queues show. */
RF_WIR_PART void rf_wir_show_heads(const rf_wir *m, rf_wir_heads *heads) {
    const rf_wir_cfg *cfg = &m->cfg;
    heads->valid = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->results.queue[e];
        const uint32_t at = rf_result_queue_head(q);
        if (!rf_result_queue_valid(q)) continue;
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
RF_WIR_PART void rf_wir_show_read(const rf_wir *m, const rf_wir_wires *x, const rf_vec **rdata) {
    const rf_wir_cfg *cfg = &m->cfg;
    for (uint32_t g = 0; g < cfg->issues; g++) rdata[g] = &m->bank[rf_wir_preg_bank(cfg->banks, x->check_reg[g])].rdata_q;
}

#endif
