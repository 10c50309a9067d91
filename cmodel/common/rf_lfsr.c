/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/common/rf_lfsr.h"

const char *rf_lfsr_check(const rf_lfsr_cfg *cfg) {
    if (cfg->seed < 1 || cfg->seed > 65535) return "SEED must be 1 to 65535";
    return NULL;
}

int rf_lfsr_init(rf_lfsr *m, const rf_lfsr_cfg *cfg) {
    if (rf_lfsr_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_lfsr_reset(m);
    return 0;
}

void rf_lfsr_reset(rf_lfsr *m) { m->value_q = (uint16_t)m->cfg.seed; }

void rf_lfsr_comb(const rf_lfsr *m, const rf_lfsr_in *in, rf_lfsr_out *out) {
    (void)in;
    out->value = m->value_q;
}

void rf_lfsr_clock(rf_lfsr *m, const rf_lfsr_in *in) { m->value_q = in->step ? rf_lfsr_next(m->value_q) : m->value_q; }

void rf_lfsr_step(rf_lfsr *m, const rf_lfsr_in *in, rf_lfsr_out *out) {
    rf_lfsr_comb(m, in, out);
    rf_lfsr_clock(m, in);
}
