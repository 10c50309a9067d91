/* SPDX-License-Identifier: Apache-2.0 */
/* The edge of rf_arbiter_steal: for rf_arbiter_steal.c and for those who hold one. */
#ifndef RF_ARBITER_STEAL_PARTS_H
#define RF_ARBITER_STEAL_PARTS_H

#include "cmodel/banked/rf_readers.h"
#include "cmodel/steal/rf_arbiter_steal.h"

/* The edge of a cycle whose inputs and outputs are known: the pointers move past what was granted, and a recall comes back. */
static inline void rf_arbiter_steal_move(rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const rf_arbiter_steal_out *out) {
    rf_readers_move(m->rd_rr, out->rd_grant, in->rd_bank, m->cfg.slots);
    rf_writers_move(m->wr_rr, out->wr_grant, in->wr_bank);
    uint32_t last = 0; /* of the writers that steal, the highest */
    for (uint32_t left = out->link; left != 0; left &= left - 1) {
        const uint32_t place = rf_lowest(left);
        if (out->bank_wsel[place] < last) continue;
        last = out->bank_wsel[place];
        m->place_q = (uint32_t)rf_rr_next(UINT64_C(1) << place, m->cfg.banks);
    }
    m->ret_valid_q = out->recall != 0;
    if (out->recall == 0) return;
    const uint32_t b = rf_lowest(out->recall), idle = ~(uint32_t)in->wr_valid & (uint32_t)rf_mask64(m->cfg.writers);
    m->ret_rr.mask_q = rf_rr_next(out->recall, m->cfg.banks);
    m->ret_from_q = (uint8_t)b;
    m->ret_bus_q = (uint8_t)(idle != 0 ? rf_lowest(idle) : 0);
    m->ret_bank_q = in->dest_bank[b];
    m->ret_row_q = in->dest_row[b];
}

#endif
