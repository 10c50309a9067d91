/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_lrr_parts.h"

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
    const uint32_t warp = rf_sched_lrr_choose(m, in->ready);
    out->valid = in->ready != 0;
    out->warp = (uint8_t)warp;
    out->onehot = (uint64_t)out->valid << warp;
    out->other = rf_sched_lrr_other(m, in->ready, out->onehot);
}

void rf_sched_lrr_clock(rf_sched_lrr *m, const rf_sched_lrr_in *in) {
    rf_rr_clock(&m->rr, &(rf_rr_in){.req = in->ready, .take = in->take});
}

void rf_sched_lrr_step(rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out) {
    rf_sched_lrr_comb(m, in, out);
    rf_sched_lrr_clock(m, in);
}
