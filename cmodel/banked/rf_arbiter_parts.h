/* SPDX-License-Identifier: Apache-2.0 */
/* The edge of rf_arbiter: for rf_arbiter.c and for those who hold one. */
#ifndef RF_ARBITER_PARTS_H
#define RF_ARBITER_PARTS_H

#include "cmodel/banked/rf_arbiter.h"
#include "cmodel/banked/rf_readers.h"

/* The edge of a cycle whose inputs and outputs are known: the pointers move past what was granted. */
static inline void rf_arbiter_move(rf_arbiter *m, const rf_arbiter_in *in, const rf_arbiter_out *out) {
    rf_readers_move(m->rd_rr, out->rd_grant, in->rd_bank, m->cfg.slots);
    rf_writers_move(m->wr_rr, out->wr_grant, in->wr_bank);
}

#endif
