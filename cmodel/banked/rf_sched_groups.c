/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_sched_groups.h"

#include "cmodel/banked/rf_sched_tree.h"

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

/* The outputs; returns the chosen warp, one hot. */
static inline uint64_t answer(const rf_sched_groups *m, uint64_t ready, rf_sched_groups_out *out) {
    const uint64_t from = rf_sched_groups_from(m);
    const uint64_t onehot = rf_sched_groups_pick(m, ready, from);
    const uint64_t rivals = rf_sched_tree_rivals(ready, onehot, m->cfg.warps);
    out->valid = ready != 0;
    out->warp = (uint8_t)rf_lowest(onehot | (uint64_t)(ready == 0));
    out->onehot = onehot;
    out->other = rf_sched_groups_pick(m, rivals, from);
    return onehot;
}

/* By masks, because a branch on take would be mispredicted as often as not. */
static inline void advance(rf_sched_groups *m, uint64_t onehot, uint32_t take) {
    const uint64_t moves = 0 - (uint64_t)((take != 0) & (onehot != 0));
    const uint32_t group = rf_lowest(onehot | (uint64_t)(onehot == 0)) / m->cfg.fetch;
    const uint64_t above = (0 - (onehot << 1)) & rf_mask64(m->cfg.warps);
    m->group_q = (uint8_t)(m->group_q ^ ((m->group_q ^ group) & moves));
    m->mask_q ^= (m->mask_q ^ above) & moves;
}

void rf_sched_groups_comb(const rf_sched_groups *m, const rf_sched_groups_in *in, rf_sched_groups_out *out) {
    (void)answer(m, in->ready, out);
}

void rf_sched_groups_clock(rf_sched_groups *m, const rf_sched_groups_in *in) {
    advance(m, rf_sched_groups_pick(m, in->ready, rf_sched_groups_from(m)), in->take);
}

void rf_sched_groups_step(rf_sched_groups *m, const rf_sched_groups_in *in, rf_sched_groups_out *out) {
    advance(m, answer(m, in->ready, out), in->take);
}
