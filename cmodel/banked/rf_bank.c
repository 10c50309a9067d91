/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_bank.h"

#include <string.h>

const char *rf_bank_check(const rf_bank_cfg *cfg) {
    if (cfg->rows < 1 || cfg->rows > RF_BANK_ROWS_MAX) return "ROWS must be 1 to 1024";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->ports < 1 || cfg->ports > 2) return "PORTS must be 1 or 2";
    return NULL;
}

int rf_bank_init(rf_bank *m, const rf_bank_cfg *cfg) {
    if (rf_bank_check(cfg) != NULL) return RF_E_CONFIG;
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    return 0;
}

void rf_bank_reset(rf_bank *m) { m->rdata_q = (rf_vec){{0}}; }

void rf_bank_comb(const rf_bank *m, const rf_bank_in *in, rf_bank_out *out) {
    (void)in;
    out->rdata = m->rdata_q;
}

/* Replaces the lanes of `mask`: all 32 without a branch, a handful of vector instructions where the machine has them. */
static void merge(rf_vec *row, const rf_vec *data, uint32_t mask) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) row->lane[l] ^= (row->lane[l] ^ data->lane[l]) & (0u - (mask >> l & 1u));
}

/* Reads and writes are random to a branch predictor: both are done in every cycle, where nothing is asked onto themselves. */
void rf_bank_clock(rf_bank *m, const rf_bank_in *in) {
    static const rf_vec zero;
    /* The read first: it returns the row as it was before this cycle's write. */
    const rf_vec *const row = in->raddr < m->cfg.rows ? &m->mem_q[in->raddr] : &zero;
    const bool reads = in->re & ((m->cfg.ports == 2) | !in->we), writes = in->we & (in->waddr < m->cfg.rows);
    m->rdata_q = *(reads ? row : &m->rdata_q);
    merge(&m->mem_q[writes ? in->waddr : 0], &in->wdata, writes ? in->wmask : 0);
}

void rf_bank_step(rf_bank *m, const rf_bank_in *in, rf_bank_out *out) {
    rf_bank_comb(m, in, out);
    rf_bank_clock(m, in);
}
