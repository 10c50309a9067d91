/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_bank, for rf_bank.c and for those who hold banks. At the edge: first the reads, then the writes. */
#ifndef RF_BANK_PARTS_H
#define RF_BANK_PARTS_H

#include "cmodel/banked/rf_bank.h"

/* A read is performed: with one port a write takes it. */
static inline bool rf_bank_reads(const rf_bank *m, bool we) { return !(we && m->cfg.ports == 1); }

/* The bank reads; a row that does not exist reads 0. */
static inline void rf_bank_read(rf_bank *m, uint32_t row) {
    if (row < m->cfg.rows) m->rdata_q = m->mem_q[row];
    else m->rdata_q = (rf_vec){{0}};
}

/* The bank writes the lanes in `mask`; a row that does not exist is not written. */
static inline void rf_bank_write(rf_bank *m, uint32_t row, uint32_t mask, const rf_vec *data) {
    if (row < m->cfg.rows) rf_vec_merge(&m->mem_q[row], data, mask);
}

#endif
