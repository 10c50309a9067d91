/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/common/rf_rr.h"

const char *rf_rr_check(const rf_rr_cfg *cfg) {
    if (cfg->n < 1 || cfg->n > 64) return "N must be 1 to 64";
    return NULL;
}

int rf_rr_init(rf_rr *m, const rf_rr_cfg *cfg) {
    if (rf_rr_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_rr_reset(m);
    return 0;
}

void rf_rr_reset(rf_rr *m) { m->mask_q = 0; }

void rf_rr_comb(const rf_rr *m, const rf_rr_in *in, rf_rr_out *out) {
    out->grant = rf_rr_pick(in->req, m->mask_q);
    out->valid = in->req != 0;
}

void rf_rr_clock(rf_rr *m, const rf_rr_in *in) {
    if (in->take && in->req != 0) m->mask_q = rf_rr_next(rf_rr_pick(in->req, m->mask_q), m->cfg.n);
}
