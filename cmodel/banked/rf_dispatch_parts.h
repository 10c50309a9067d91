/* SPDX-License-Identifier: Apache-2.0 */
/* The edge of rf_dispatch: for rf_dispatch.c and for those who hold one. */
#ifndef RF_DISPATCH_PARTS_H
#define RF_DISPATCH_PARTS_H

#include "cmodel/banked/rf_dispatch.h"

/* The edge of a cycle whose outputs are `out`: the pointers of the ports that took what they were offered. */
static inline void rf_dispatch_move(rf_dispatch *m, const rf_dispatch_out *out, uint32_t ex_ready) {
    for (uint32_t left = out->ex_valid & ex_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        m->rr[e].mask_q = rf_rr_next(UINT64_C(1) << out->ex_sel[e], m->cfg.collectors);
    }
}

#endif
