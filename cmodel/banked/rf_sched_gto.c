/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_gto.h"

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
    for (uint32_t w = 0; w < m->cfg.warps; w++) m->older_q[w] = rf_mask64(w);
}

/* The warp chosen among `ready`, which is not 0. From any ready warp, each step goes to a ready one older than all before. */
static uint32_t choose(const rf_sched_gto *m, uint64_t ready) {
    if (m->last_valid_q && (ready >> m->last_q & 1) != 0) return m->last_q;
    uint32_t oldest = rf_lowest(ready);
    for (uint64_t older = ready & m->older_q[oldest]; older != 0; older &= m->older_q[oldest]) oldest = rf_lowest(older);
    return oldest;
}

void rf_sched_gto_comb(const rf_sched_gto *m, const rf_sched_gto_in *in, rf_sched_gto_out *out) {
    *out = (rf_sched_gto_out){0};
    if (in->ready == 0) return;
    out->valid = 1;
    out->warp = (uint8_t)choose(m, in->ready);
    out->onehot = UINT64_C(1) << out->warp;
}

void rf_sched_gto_clock(rf_sched_gto *m, const rf_sched_gto_in *in) {
    const uint64_t launch = in->launch;
    if (in->take && in->ready != 0) {
        m->last_q = (uint8_t)choose(m, in->ready);
        m->last_valid_q = 1;
    } else {
        m->last_valid_q &= (uint8_t)(~launch >> m->last_q & 1);
    }
    if (launch == 0) return;
    for (uint32_t w = 0; w < m->cfg.warps; w++) m->older_q[w] &= ~launch;
    for (uint64_t left = launch; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        m->older_q[w] = (~launch & rf_mask64(m->cfg.warps)) | rf_mask64(w);
    }
}
