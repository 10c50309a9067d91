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

/* The outputs that go with the round-robin's answer. */
static inline void translate(const rf_rr_out *rr, rf_sched_lrr_out *out) {
    out->valid = rr->valid;
    out->onehot = rr->grant;
    out->warp = (uint8_t)(rf_lowest(rr->grant | (uint64_t)!rr->valid));
}

void rf_sched_lrr_comb(const rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out) {
    rf_rr_out rr;
    rf_rr_comb(&m->rr, &(rf_rr_in){.req = in->ready}, &rr);
    translate(&rr, out);
}

void rf_sched_lrr_clock(rf_sched_lrr *m, const rf_sched_lrr_in *in) {
    rf_rr_clock(&m->rr, &(rf_rr_in){.req = in->ready, .take = in->take});
}

void rf_sched_lrr_step(rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out) {
    rf_rr_out rr;
    rf_rr_step(&m->rr, &(rf_rr_in){.req = in->ready, .take = in->take}, &rr);
    translate(&rr, out);
}
