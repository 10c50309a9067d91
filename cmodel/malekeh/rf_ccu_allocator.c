/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/malekeh/rf_ccu_allocator.h"

#include "cmodel/common/rf_rr.h"

const char *rf_ccu_allocator_check(const rf_ccu_allocator_cfg *cfg) {
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->clear > 1) return "CLEAR must be 0 or 1";
    return NULL;
}

int rf_ccu_allocator_init(rf_ccu_allocator *m, const rf_ccu_allocator_cfg *cfg) {
    if (rf_ccu_allocator_check(cfg) != NULL) return RF_E_CONFIG;
    *m = (rf_ccu_allocator){.cfg = *cfg};
    rf_ccu_allocator_reset(m);
    return 0;
}

void rf_ccu_allocator_reset(rf_ccu_allocator *m) {
    m->count_q = 0;
    m->mask_q = 0;
}

/* The CCUs that `warp` owns. */
static uint32_t owned_by(const rf_ccu_allocator_in *in, uint32_t warp) {
    uint32_t own = 0;
    for (uint32_t left = in->owned; left != 0; left &= left - 1)
        own |= (uint32_t)(in->warp[rf_lowest(left)] == warp) << rf_lowest(left);
    return own;
}

/* The CCU, one hot, of those in `open` for a request whose warp owns none; 0 when there is none. */
static uint32_t choose(const rf_ccu_allocator *m, const rf_ccu_allocator_in *in, uint32_t open) {
    const uint32_t idle = open & ~(uint32_t)in->owned, far = open & in->owned & ~(uint32_t)in->near,
                   near = open & in->owned & in->near;
    if (idle != 0) return idle & (~idle + 1);
    if (far != 0) return (uint32_t)rf_rr_pick(far, m->mask_q);
    return m->count_q > in->sthld ? (uint32_t)rf_rr_pick(near, m->mask_q) : 0;
}

void rf_ccu_allocator_comb(const rf_ccu_allocator *m, const rf_ccu_allocator_in *in, rf_ccu_allocator_out *out) {
    uint32_t own[RF_ISSUES_MAX], kept = 0; /* kept: owned by the warp of any request */
    uint32_t free = ~(uint32_t)in->busy & (uint32_t)rf_mask64(m->cfg.collectors);
    for (uint32_t left = in->req; left != 0; left &= left - 1) {
        const uint32_t i = rf_lowest(left);
        own[i] = owned_by(in, in->req_warp[i]);
        kept |= own[i];
    }
    *out = (rf_ccu_allocator_out){0};
    for (uint32_t left = in->req; left != 0; left &= left - 1) {
        const uint32_t i = rf_lowest(left), open = free & ~kept;
        const uint32_t taken = own[i] != 0 ? own[i] & (~own[i] + 1) & free : choose(m, in, open);
        if (taken == 0) {
            out->wait |= (uint8_t)((own[i] == 0 && (open & in->owned & in->near) != 0) << i);
            continue;
        }
        free &= ~taken;
        out->grant |= (uint8_t)(1u << i);
        out->sel[i] = (uint8_t)rf_lowest(taken);
        out->alloc |= (uint16_t)taken;
        out->which[rf_lowest(taken)] = (uint8_t)i;
        out->replace |= (uint16_t)(taken & in->owned & ~kept);
    }
}

void rf_ccu_allocator_edge(rf_ccu_allocator *m, const rf_ccu_allocator_in *in, const rf_ccu_allocator_out *out) {
    const uint32_t clears = m->cfg.clear == 0 ? out->replace : out->replace & in->near;
    m->count_q = (uint16_t)(clears != 0 ? 0 : m->count_q + (out->wait != 0));
    for (uint32_t left = out->grant; left != 0; left &= left - 1) {
        const uint32_t c = out->sel[rf_lowest(left)];
        if ((out->replace >> c & 1) != 0) m->mask_q = (uint16_t)rf_rr_next(UINT64_C(1) << c, m->cfg.collectors);
    }
}

void rf_ccu_allocator_clock(rf_ccu_allocator *m, const rf_ccu_allocator_in *in) {
    rf_ccu_allocator_out out;
    rf_ccu_allocator_comb(m, in, &out);
    rf_ccu_allocator_edge(m, in, &out);
}

void rf_ccu_allocator_step(rf_ccu_allocator *m, const rf_ccu_allocator_in *in, rf_ccu_allocator_out *out) {
    rf_ccu_allocator_comb(m, in, out);
    rf_ccu_allocator_edge(m, in, out);
}
