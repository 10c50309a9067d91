/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_groups_parts.h"

const char *rf_sched_groups_check(const rf_sched_groups_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->fetch < 1 || cfg->fetch > RF_WARPS_MAX) return "FETCH must be 1 to 64";
    return NULL;
}

int rf_sched_groups_init(rf_sched_groups *m, const rf_sched_groups_cfg *cfg) {
    if (rf_sched_groups_check(cfg) != NULL) return RF_E_CONFIG;
    *m = (rf_sched_groups){.cfg = *cfg};
    rf_sched_groups_reset(m);
    return 0;
}

void rf_sched_groups_reset(rf_sched_groups *m) {
    m->group_q = 0;
    m->mask_q = 0;
}

void rf_sched_groups_comb(const rf_sched_groups *m, const rf_sched_groups_in *in, rf_sched_groups_out *out) {
    const uint32_t warp = rf_sched_groups_choose(m, in->ready);
    out->valid = in->ready != 0;
    out->warp = (uint8_t)warp;
    out->onehot = (uint64_t)out->valid << warp;
    out->other = rf_sched_groups_other(m, in->ready, out->onehot);
}

void rf_sched_groups_clock(rf_sched_groups *m, const rf_sched_groups_in *in) {
    if (in->take && in->ready != 0) rf_sched_groups_move(m, rf_sched_groups_choose(m, in->ready));
}

void rf_sched_groups_step(rf_sched_groups *m, const rf_sched_groups_in *in, rf_sched_groups_out *out) {
    rf_sched_groups_comb(m, in, out);
    if (in->take && out->valid) rf_sched_groups_move(m, out->warp);
}
