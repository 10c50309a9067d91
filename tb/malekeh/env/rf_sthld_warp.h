/* SPDX-License-Identifier: Apache-2.0 */
/* Time warps of rf_sthld, alone and in rf_malekeh: in an interval of thousands of cycles only the first and the last ones are
 * walked. A warp goes on within an interval: cycle_q in the upper 32 bits, count_q in the lower. */
#ifndef RF_STHLD_WARP_H
#define RF_STHLD_WARP_H

#include "cmodel/malekeh/rf_sthld.h"
#include "harness/core/unit.h"

#define RF_STHLD_LONG 256u /* cycles from which on an interval is long */

/* Most instructions that the port can say in a cycle. */
static inline uint32_t rf_sthld_any(const rf_sthld_cfg *cfg) { return (UINT32_C(1) << rf_index_bits(cfg->issues + 1)) - 1; }

/* A warp now and then in a long interval, else 0: mostly to its last cycles, so that it can end with `total` instructions when a
 * cycle has at most `most`. */
static inline uint64_t rf_sthld_leap(ls_rng *rng, const rf_sthld *m, uint32_t often, uint32_t total, uint32_t most) {
    const uint32_t interval = m->cfg.interval, at = m->cycle_q;
    if (interval <= RF_STHLD_LONG || at == 0 || at + 1 >= interval || !ls_rng_chance(rng, often)) return 0;
    const uint32_t rest = interval - 1 - at, near_end = rest < 16 ? rest : 16;
    const uint32_t left = ls_rng_below(rng, ls_rng_chance(rng, 16) ? rest : near_end), cycles = rest - left;
    const uint32_t open = ls_rng_below(rng, (left + 1) * most + 1), count = total > open ? total - open : 0;
    const uint32_t least = m->count_q, top = least + cycles * most;
    return (uint64_t)(at + cycles) << 32 | (count < least ? least : count > top ? top : count);
}

static inline bool rf_sthld_warp(rf_sthld *m, uint64_t to) {
    const uint32_t cycle = (uint32_t)(to >> 32), count = (uint32_t)to;
    if (cycle >= m->cfg.interval || count > cycle * rf_sthld_any(&m->cfg)) return false;
    m->cycle_q = (__typeof__(m->cycle_q))cycle;
    m->count_q = count;
    return true;
}

#endif
