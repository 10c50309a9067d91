/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/malekeh/rf_ccu_scheduler_parts.h"

const char *rf_ccu_scheduler_check(const rf_ccu_scheduler_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    return NULL;
}

int rf_ccu_scheduler_init(rf_ccu_scheduler *m, const rf_ccu_scheduler_cfg *cfg) {
    if (rf_ccu_scheduler_check(cfg) != NULL) return RF_E_CONFIG;
    *m = (rf_ccu_scheduler){.cfg = *cfg};
    rf_ccu_scheduler_reset(m);
    return 0;
}

void rf_ccu_scheduler_reset(rf_ccu_scheduler *m) { rf_sched_age_reset(m->older_q, m->cfg.warps); }

void rf_ccu_scheduler_comb(const rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in, rf_ccu_scheduler_out *out) {
    out->onehot = rf_ccu_scheduler_pick(m, in->ready, in->held);
    out->valid = in->ready != 0;
    out->warp = out->onehot != 0 ? (uint8_t)rf_lowest(out->onehot) : 0;
}

void rf_ccu_scheduler_clock(rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in) {
    rf_sched_age_launch(m->older_q, m->cfg.warps, in->launch);
}

void rf_ccu_scheduler_step(rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in, rf_ccu_scheduler_out *out) {
    rf_ccu_scheduler_comb(m, in, out);
    rf_ccu_scheduler_clock(m, in);
}
