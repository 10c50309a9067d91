/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction carries and no unit of an operand stage looks at before its port: stimulus, and whether it arrives. In
 * whole stages it follows from the tag, so that whoever knows that knows the rest. */
#ifndef RF_STAGE_CARRIED_H
#define RF_STAGE_CARRIED_H

#include "cmodel/banked/rf_stage_records.h"
#include "harness/base/rng.h"

/* Any value. */
static inline void rf_stage_draw_carried(ls_rng *rng, rf_stage_carried *of) { of->tag = (uint16_t)ls_rng_value(rng, 16); }

/* The head of warp w has this tag. */
static inline void rf_stage_drive_carried(rf_stage_heads *in, uint32_t w, uint16_t tag) { in->ib_tag[w] = tag; }

/* What port e offers is what was driven with its tag. */
static inline bool rf_stage_carried_right(const rf_stage_offers *out, uint32_t e) {
    (void)out, (void)e; /* the tag itself says whose it is */
    return true;
}

/* Port e offers the same. */
static inline bool rf_stage_same_offer(const rf_stage_offers *x, const rf_stage_offers *y, uint32_t e) {
    return ((x->ex_valid ^ y->ex_valid) >> e & 1) == 0 && ((x->ex_dst_valid ^ y->ex_dst_valid) >> e & 1) == 0 &&
           x->ex_warp[e] == y->ex_warp[e] && x->ex_tag[e] == y->ex_tag[e] && x->ex_mask[e] == y->ex_mask[e] &&
           x->ex_dst[e] == y->ex_dst[e];
}

#endif
