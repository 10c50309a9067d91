/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cmodel/hierarchy/rf_sched_two_level_parts.h"

const char *rf_sched_two_level_check(const rf_sched_two_level_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->active < 1 || cfg->active > RF_ACTIVE_MAX || cfg->active > cfg->warps)
        return "ACTIVE must be 1 to 32, and at most WARPS";
    if (cfg->policy > 1) return "POLICY must be 0 or 1";
    return NULL;
}

int rf_sched_two_level_init(rf_sched_two_level *m, const rf_sched_two_level_cfg *cfg) {
    int bad = 0;
    if (rf_sched_two_level_check(cfg) != NULL) return RF_E_CONFIG;
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    bad |= rf_sched_gto_init(&m->gto, &(rf_sched_gto_cfg){.warps = cfg->active});
    bad |= rf_sched_lrr_init(&m->lrr, &(rf_sched_lrr_cfg){.warps = cfg->active});
    bad |= rf_rr_init(&m->enter, &(rf_rr_cfg){.n = cfg->warps});
    rf_sched_two_level_reset(m);
    return bad;
}

void rf_sched_two_level_reset(rf_sched_two_level *m) {
    const bool outer = rf_sched_two_level_outer(m);
    rf_sched_gto_reset(&m->gto);
    rf_sched_lrr_reset(&m->lrr);
    rf_rr_reset(&m->enter);
    m->held_q = outer ? 0 : (uint32_t)rf_mask64(m->cfg.active);
    m->leaving_q = 0;
    for (uint32_t s = 0; s < m->cfg.active; s++) m->warp_q[s] = (uint8_t)(outer ? 0 : s);
}

/* The outputs; what the edge needs and they do not tell: the slot that a warp may take and the warp that does, both one hot. */
static inline uint64_t answer(const rf_sched_two_level *m, const rf_sched_two_level_in *in, rf_sched_two_level_out *out,
                              uint32_t *free) {
    const uint32_t ready = rf_sched_two_level_ready(m, in->ready);
    *free = rf_sched_two_level_free(m);
    const uint64_t enters = rf_sched_two_level_enter(m, in->ready, *free);
    out->valid = ready != 0;
    out->slot = (uint8_t)rf_sched_two_level_choose(m, ready);
    out->warp = out->valid ? m->warp_q[out->slot] : 0;
    out->held = m->held_q;
    out->leaving = m->leaving_q;
    memcpy(out->slot_warp, m->warp_q, sizeof out->slot_warp);
    out->enter_valid = enters != 0;
    out->enter_slot = (uint8_t)(enters != 0 ? rf_lowest(*free) : 0);
    out->enter_warp = (uint8_t)(enters != 0 ? rf_lowest(enters) : 0);
    return enters;
}

void rf_sched_two_level_comb(const rf_sched_two_level *m, const rf_sched_two_level_in *in, rf_sched_two_level_out *out) {
    uint32_t free;
    (void)answer(m, in, out, &free);
}

void rf_sched_two_level_clock(rf_sched_two_level *m, const rf_sched_two_level_in *in) {
    const uint32_t ready = rf_sched_two_level_ready(m, in->ready), free = rf_sched_two_level_free(m);
    rf_sched_two_level_move(m, in, in->take && ready != 0, rf_sched_two_level_choose(m, ready),
                            rf_sched_two_level_enter(m, in->ready, free), free);
}

void rf_sched_two_level_step(rf_sched_two_level *m, const rf_sched_two_level_in *in, rf_sched_two_level_out *out) {
    uint32_t free;
    const uint64_t enters = answer(m, in, out, &free);
    rf_sched_two_level_move(m, in, in->take && out->valid, out->slot, enters, free);
}
