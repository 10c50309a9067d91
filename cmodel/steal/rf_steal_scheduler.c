/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_steal_scheduler_parts.h"

const char *rf_steal_scheduler_check(const rf_steal_scheduler_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    return NULL;
}

int rf_steal_scheduler_init(rf_steal_scheduler *m, const rf_steal_scheduler_cfg *cfg) {
    if (rf_steal_scheduler_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_steal_scheduler_reset(m);
    return 0;
}

void rf_steal_scheduler_reset(rf_steal_scheduler *m) { m->candidate_q = 0; }

void rf_steal_scheduler_comb(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in, rf_steal_scheduler_out *out) {
    const uint64_t candidate = rf_steal_scheduler_candidate(m, in);
    out->candidate_valid = candidate != 0;
    out->candidate = (uint8_t)rf_steal_scheduler_number(candidate);
    out->warp = (uint8_t)rf_steal_scheduler_number(rf_steal_scheduler_warp(m, in));
    out->host_take = rf_steal_scheduler_host_take(m, in);
}

void rf_steal_scheduler_clock(rf_steal_scheduler *m, const rf_steal_scheduler_in *in) {
    m->candidate_q = rf_steal_scheduler_next(m, in);
}

void rf_steal_scheduler_step(rf_steal_scheduler *m, const rf_steal_scheduler_in *in, rf_steal_scheduler_out *out) {
    rf_steal_scheduler_comb(m, in, out);
    rf_steal_scheduler_clock(m, in);
}
