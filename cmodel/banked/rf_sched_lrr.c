/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_lrr.h"

const char *rf_sched_lrr_check(const rf_sched_lrr_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    return NULL;
}

int rf_sched_lrr_init(rf_sched_lrr *m, const rf_sched_lrr_cfg *cfg) {
    if (rf_sched_lrr_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return rf_rr_init(&m->rr, &(rf_rr_cfg){.n = cfg->warps});
}

void rf_sched_lrr_reset(rf_sched_lrr *m) { rf_rr_reset(&m->rr); }

void rf_sched_lrr_comb(const rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out) {
    *out = (rf_sched_lrr_out){0};
    if (in->ready == 0) return;
    out->valid = 1;
    out->onehot = rf_rr_pick(in->ready, m->rr.mask_q);
    out->warp = (uint8_t)rf_lowest(out->onehot);
}

void rf_sched_lrr_clock(rf_sched_lrr *m, const rf_sched_lrr_in *in) {
    rf_rr_clock(&m->rr, &(rf_rr_in){.req = in->ready, .take = in->take});
}
