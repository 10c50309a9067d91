/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_bank_parts.h"

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

void rf_bank_clock(rf_bank *m, const rf_bank_in *in) {
    if (in->re && rf_bank_reads(m, in->we)) rf_bank_read(m, in->raddr);
    if (in->we) rf_bank_write(m, in->waddr, in->wmask, &in->wdata);
}

void rf_bank_step(rf_bank *m, const rf_bank_in *in, rf_bank_out *out) {
    rf_bank_comb(m, in, out);
    rf_bank_clock(m, in);
}
