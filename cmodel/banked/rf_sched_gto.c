/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_gto_parts.h"

const char *rf_sched_gto_check(const rf_sched_gto_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    return NULL;
}

int rf_sched_gto_init(rf_sched_gto *m, const rf_sched_gto_cfg *cfg) {
    if (rf_sched_gto_check(cfg) != NULL) return RF_E_CONFIG;
    *m = (rf_sched_gto){.cfg = *cfg};
    rf_sched_gto_reset(m);
    return 0;
}

void rf_sched_gto_reset(rf_sched_gto *m) {
    m->last_valid_q = 0;
    m->last_q = 0;
    rf_sched_age_reset(m->older_q, m->cfg.warps);
}

void rf_sched_gto_comb(const rf_sched_gto *m, const rf_sched_gto_in *in, rf_sched_gto_out *out) {
    out->onehot = rf_sched_gto_pick(m, in->ready);
    out->valid = in->ready != 0;
    out->warp = out->onehot != 0 ? (uint8_t)rf_lowest(out->onehot) : 0;
    out->other = rf_sched_gto_other(m, in->ready, out->onehot);
}

void rf_sched_gto_clock(rf_sched_gto *m, const rf_sched_gto_in *in) {
    rf_sched_gto_move(m, in->launch, in->take && in->ready != 0, rf_sched_gto_choose(m, in->ready));
}

void rf_sched_gto_step(rf_sched_gto *m, const rf_sched_gto_in *in, rf_sched_gto_out *out) {
    rf_sched_gto_comb(m, in, out);
    rf_sched_gto_move(m, in->launch, in->take && out->valid, out->warp);
}
