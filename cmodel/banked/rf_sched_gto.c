/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_gto.h"

#include "cmodel/banked/rf_sched_tree.h"

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

/* The finalist that is not chosen: the oldest in the half of the tree that does not hold `chosen`, one hot. */
static inline uint64_t rival(const rf_sched_gto *m, uint64_t ready, uint64_t chosen) {
    const uint64_t rivals = rf_sched_tree_rivals(ready, chosen, m->cfg.warps);
    return (uint64_t)(rivals != 0) << rf_sched_gto_oldest(m, rivals);
}

static inline void answer(const rf_sched_gto *m, uint64_t ready, uint32_t warp, rf_sched_gto_out *out) {
    const uint64_t onehot = (uint64_t)(ready != 0) << warp;
    out->valid = ready != 0;
    out->warp = (uint8_t)warp;
    out->onehot = onehot;
    out->other = rival(m, ready, onehot);
}

static inline void advance(rf_sched_gto *m, const rf_sched_gto_in *in, uint32_t warp) {
    const uint64_t launch = in->launch;
    const bool issues = (in->take != 0) & (in->ready != 0);
    const uint32_t kept = m->last_valid_q & (uint32_t)(~launch >> m->last_q & 1);
    m->last_valid_q = (uint8_t)(issues | kept);
    m->last_q = (uint8_t)(issues ? warp : m->last_q);
    if (launch == 0) return;
    for (uint32_t w = 0; w < m->cfg.warps; w++) m->older_q[w] &= ~launch;
    for (uint64_t left = launch; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        m->older_q[w] = (~launch & rf_mask64(m->cfg.warps)) | rf_mask64(w);
    }
}

void rf_sched_gto_comb(const rf_sched_gto *m, const rf_sched_gto_in *in, rf_sched_gto_out *out) {
    answer(m, in->ready, rf_sched_gto_choose(m, in->ready), out);
}

void rf_sched_gto_clock(rf_sched_gto *m, const rf_sched_gto_in *in) { advance(m, in, rf_sched_gto_choose(m, in->ready)); }

void rf_sched_gto_step(rf_sched_gto *m, const rf_sched_gto_in *in, rf_sched_gto_out *out) {
    const uint32_t warp = rf_sched_gto_choose(m, in->ready);
    answer(m, in->ready, warp, out);
    advance(m, in, warp);
}
