/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_steal_scheduler.h"

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

/* The number of the set bit, 0 when there is none, the OR of the numbers when there are several: what an encoder gives. */
static inline uint32_t encode(uint64_t x) {
    return (uint32_t)((x & UINT64_C(0xaaaaaaaaaaaaaaaa)) != 0) | (uint32_t)((x & UINT64_C(0xcccccccccccccccc)) != 0) << 1 |
           (uint32_t)((x & UINT64_C(0xf0f0f0f0f0f0f0f0)) != 0) << 2 | (uint32_t)((x & UINT64_C(0xff00ff00ff00ff00)) != 0) << 3 |
           (uint32_t)((x & UINT64_C(0xffff0000ffff0000)) != 0) << 4 | (uint32_t)((x >> 32) != 0) << 5;
}

/* One cycle: the outputs, unless `out` is NULL; returns the candidate after the edge. */
static inline uint64_t cycle(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in, rf_steal_scheduler_out *out) {
    const uint64_t current = in->current;
    const uint64_t candidate = m->candidate_q & in->ready;
    const bool steals = (in->steal != 0) & (candidate != 0);
    const bool same = (candidate & current) != 0;
    if (out != NULL) {
        out->candidate_valid = candidate != 0;
        out->candidate = (uint8_t)encode(candidate);
        out->warp = (uint8_t)encode(steals ? candidate : current); /* m1 */
        out->host_take = (uint8_t)((in->take != 0) & (steals ? same : current != 0));
    }
    return (steals & !same) ? current : in->other; /* m2 */
}

void rf_steal_scheduler_comb(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in, rf_steal_scheduler_out *out) {
    (void)cycle(m, in, out);
}

void rf_steal_scheduler_clock(rf_steal_scheduler *m, const rf_steal_scheduler_in *in) { m->candidate_q = cycle(m, in, NULL); }

void rf_steal_scheduler_step(rf_steal_scheduler *m, const rf_steal_scheduler_in *in, rf_steal_scheduler_out *out) {
    m->candidate_q = cycle(m, in, out);
}
