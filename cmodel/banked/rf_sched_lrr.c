/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_lrr.h"

#include "cmodel/banked/rf_sched_tree.h"

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

/* The outputs that go with the round-robin's answer. The other half is wholly above or wholly below the chosen warp, and between
 * turn and chosen warp none is ready: all its ready warps are on one side of the turn, and the first of them is the lowest. */
static inline void translate(const rf_sched_lrr *m, uint64_t ready, const rf_rr_out *rr, rf_sched_lrr_out *out) {
    const uint64_t rivals = rf_sched_tree_rivals(ready, rr->grant, m->cfg.warps);
    out->valid = rr->valid;
    out->onehot = rr->grant;
    out->warp = (uint8_t)(rf_lowest(rr->grant | (uint64_t)!rr->valid));
    out->other = rivals & (~rivals + 1);
}

void rf_sched_lrr_comb(const rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out) {
    rf_rr_out rr;
    rf_rr_comb(&m->rr, &(rf_rr_in){.req = in->ready}, &rr);
    translate(m, in->ready, &rr, out);
}

void rf_sched_lrr_clock(rf_sched_lrr *m, const rf_sched_lrr_in *in) {
    rf_rr_clock(&m->rr, &(rf_rr_in){.req = in->ready, .take = in->take});
}

void rf_sched_lrr_step(rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out) {
    rf_rr_out rr;
    rf_rr_step(&m->rr, &(rf_rr_in){.req = in->ready, .take = in->take}, &rr);
    translate(m, in->ready, &rr, out);
}
