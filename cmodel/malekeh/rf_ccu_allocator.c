/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/malekeh/rf_ccu_allocator.h"

#include <string.h>

#include "cmodel/common/rf_rr.h"

const char *rf_ccu_allocator_check(const rf_ccu_allocator_cfg *cfg) {
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
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

/* Eight warps, the first in the low byte. */
static inline uint64_t eight(const uint8_t *warp) {
    return warp[0] | (uint64_t)warp[1] << 8 | (uint64_t)warp[2] << 16 | (uint64_t)warp[3] << 24 | (uint64_t)warp[4] << 32 |
           (uint64_t)warp[5] << 40 | (uint64_t)warp[6] << 48 | (uint64_t)warp[7] << 56;
}

/* Bit c: byte c is `warp`. Bytes are below 64; one that is not (beyond COLLECTORS) spoils itself and those above it only. */
static inline uint32_t equal(uint64_t bytes, uint32_t warp) {
    const uint64_t differ = bytes ^ warp * UINT64_C(0x0101010101010101);
    const uint64_t same = (UINT64_C(0x8080808080808080) - differ) >> 7 & UINT64_C(0x0101010101010101);
    return (uint32_t)(same * UINT64_C(0x0102040810204080) >> 56);
}

/* One request after the other, each without a branch: its candidates in their order are bits of one word, the lowest is taken. */
void rf_ccu_allocator_comb(const rf_ccu_allocator *m, const rf_ccu_allocator_in *in, rf_ccu_allocator_out *out) {
    enum { INSIDE = RF_COLLECTORS_MAX, ANY = 2 * RF_COLLECTORS_MAX, NONE = 3 * RF_COLLECTORS_MAX };
    const uint32_t issues = m->cfg.issues, req = in->req, mask = m->mask_q;
    const uint32_t idle = ~(uint32_t)in->busy & ((UINT32_C(1) << m->cfg.collectors) - 1);
    const uint32_t owned = in->owned, far = owned & ~(uint32_t)in->near, close = owned & in->near;
    const uint32_t late = 0 - (uint32_t)(m->count_q > in->sthld);
    const uint64_t low = eight(in->warp), high = m->cfg.collectors > 8 ? eight(in->warp + 8) : 0;
    uint32_t own[RF_ISSUES_MAX], kept = 0, left = idle, granted = 0, waits = 0;
    uint8_t none; /* where a request without a CCU writes */
    for (uint32_t i = 0; i < issues; i++) {
        const uint32_t asks = 0 - (req >> i & 1u);
        own[i] = (equal(low, in->req_warp[i]) | equal(high, in->req_warp[i]) << 8) & owned & asks;
        kept |= own[i];
    }
    memset(out->sel, 0, sizeof out->sel);
    memset(out->which, 0, sizeof out->which);
    for (uint32_t i = 0; i < issues; i++) {
        const uint32_t homeless = (0 - (req >> i & 1u)) & (0 - (uint32_t)(own[i] == 0)), open = left & ~kept & homeless;
        const uint32_t replaced = (open & far) != 0 ? open & far : open & close & late;
        const uint32_t first = (open & ~owned) | (own[i] & (~own[i] + 1) & left);
        const uint64_t order = first | (uint64_t)(replaced & mask) << INSIDE | (uint64_t)replaced << ANY | UINT64_C(1) << NONE;
        const uint32_t at = rf_lowest(order), c = at % RF_COLLECTORS_MAX, taken = (uint32_t)(at != NONE) << c;
        left ^= taken;
        granted |= (uint32_t)(at != NONE) << i;
        waits |= (uint32_t)((at == NONE) & ((open & close) != 0)) << i;
        out->sel[i] = (uint8_t)c;
        if (i > 0) *(taken != 0 ? &out->which[c] : &none) = (uint8_t)i;
    }
    out->grant = (uint8_t)granted;
    out->alloc = (uint16_t)(idle ^ left);
    out->wait = (uint8_t)waits;
    out->replace = (uint16_t)((idle ^ left) & owned & ~kept);
}

void rf_ccu_allocator_edge(rf_ccu_allocator *m, const rf_ccu_allocator_out *out) {
    if (out->replace == 0) {
        m->count_q = (uint16_t)(m->count_q + (out->wait != 0));
        return;
    }
    uint32_t last = 0;
    for (uint32_t i = 0; i < m->cfg.issues; i++)
        last = (out->grant >> i & out->replace >> out->sel[i] & 1) != 0 ? UINT32_C(1) << out->sel[i] : last;
    m->count_q = 0;
    m->mask_q = (uint16_t)rf_rr_next(last, m->cfg.collectors);
}

void rf_ccu_allocator_clock(rf_ccu_allocator *m, const rf_ccu_allocator_in *in) {
    rf_ccu_allocator_out out;
    rf_ccu_allocator_comb(m, in, &out);
    rf_ccu_allocator_edge(m, &out);
}

void rf_ccu_allocator_step(rf_ccu_allocator *m, const rf_ccu_allocator_in *in, rf_ccu_allocator_out *out) {
    rf_ccu_allocator_comb(m, in, out);
    rf_ccu_allocator_edge(m, out);
}
