/* SPDX-License-Identifier: Apache-2.0 */
/* What goes with an instruction to its execution port, as the judges of all units that it passes have it: one place where every
 * member is named (cmodel/banked/rf_stage_records.h is what they judge). */
#ifndef RF_JUDGE_CARRIED_H
#define RF_JUDGE_CARRIED_H

#include "cmodel/banked/rf_stage_records.h"

#include "tb/common/judge/judge.h"

/* The head of warp w, as the instruction buffers show it. */
static inline rf_stage_carried judge_carried_of(const rf_stage_heads *in, uint32_t w) {
    rf_stage_carried of;
    of.warp = (uint16_t)w;
    of.tag = in->ib_tag[w];
    of.mask = in->ib_mask[w];
    of.dst_valid = judge_bit(in->ib_dst_valid, w);
    of.dst = in->ib_dst[w];
    return of;
}

/* A record of element i: a register, or a port. */
static inline void judge_carried(judge *j, uint32_t i, const rf_stage_carried *model, const rf_stage_carried *expected) {
    judge_equal(j, "carried.warp", i, model->warp, expected->warp);
    judge_equal(j, "carried.tag", i, model->tag, expected->tag);
    judge_equal(j, "carried.mask", i, model->mask, expected->mask);
    judge_equal(j, "carried.dst_valid", i, model->dst_valid, expected->dst_valid);
    judge_equal(j, "carried.dst", i, model->dst, expected->dst);
}

/* What each of the ports is offered; NULL: nothing. */
static inline void judge_offers(judge *j, const rf_stage_offers *out, uint32_t exports, const rf_stage_carried *const *of) {
    static const rf_stage_carried nothing;
    bool valid[RF_EXPORTS_MAX] = {false}, dst_valid[RF_EXPORTS_MAX] = {false};
    for (uint32_t e = 0; e < exports; e++) {
        const rf_stage_carried *c = of[e] != NULL ? of[e] : &nothing;
        valid[e] = of[e] != NULL;
        dst_valid[e] = c->dst_valid;
        judge_equal(j, "ex_warp", e, out->ex_warp[e], c->warp);
        judge_equal(j, "ex_tag", e, out->ex_tag[e], c->tag);
        judge_equal(j, "ex_mask", e, out->ex_mask[e], c->mask);
        judge_equal(j, "ex_dst", e, out->ex_dst[e], c->dst);
    }
    judge_equal(j, "ex_valid", 0, out->ex_valid, judge_pack(valid, exports));
    judge_equal(j, "ex_dst_valid", 0, out->ex_dst_valid, judge_pack(dst_valid, exports));
}

#endif
