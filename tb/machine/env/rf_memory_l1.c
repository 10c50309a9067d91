/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_memory_l1.h"

#include <stdlib.h>

#include "cmodel/common/rf_types.h"
#include "harness/base/memory.h"

void rf_memory_l1_init(rf_memory_l1 *l1, const rf_memory_cfg *cfg) {
    *l1 = (rf_memory_l1){.latency = cfg->l1_latency, .mshrs = cfg->l1_mshrs, .updates = cfg->l1_write == 1};
    rf_memory_cache_init(&l1->cache, &cfg->l1);
    l1->valid = ls_zeroed((size_t)(cfg->l1.size / cfg->l1.sector) * sizeof *l1->valid);
    l1->mshr = ls_zeroed(cfg->l1_mshrs * sizeof *l1->mshr);
}

void rf_memory_l1_free(rf_memory_l1 *l1) {
    rf_memory_cache_free(&l1->cache);
    free(l1->valid);
    free(l1->mshr);
}

void rf_memory_l1_flush(rf_memory_l1 *l1) {
    rf_memory_cache_clear(&l1->cache);
    l1->oldest = l1->held = 0;
}

/* --- sectors ---------------------------------------------------------------------------------------------------------------- */

static uint64_t *valid_of(const rf_memory_l1 *l1, const rf_cache_line *line) {
    return &l1->valid[(size_t)(line - l1->cache.line) << (l1->cache.line_bits - l1->cache.sector_bits)];
}

/* The first cycle from `t` on in which these sectors, which are there, are all valid. */
static uint64_t all_valid(const rf_memory_l1 *l1, const rf_cache_line *line, uint32_t sectors, uint64_t t) {
    if (line->until <= t) return t;
    uint64_t latest = t;
    for (uint32_t left = sectors; left != 0; left &= left - 1) latest = rf_later(latest, valid_of(l1, line)[rf_lowest(left)]);
    return latest;
}

static void fill(const rf_memory_l1 *l1, rf_cache_line *line, uint32_t sectors, uint64_t end) {
    for (uint32_t left = sectors; left != 0; left &= left - 1) valid_of(l1, line)[rf_lowest(left)] = end;
    line->there |= sectors;
    line->until = rf_later(line->until, end);
}

/* --- MSHRs ------------------------------------------------------------------------------------------------------------------ */

/* No fetch ends before an older one, for all come down the same link; so the oldest is the first to give its MSHR back. */

/* The first cycle from `t` on in which an MSHR is free. */
static uint64_t mshr_free(rf_memory_l1 *l1, uint64_t t) {
    if (l1->held == l1->mshrs) t = rf_later(t, l1->mshr[l1->oldest]);
    while (l1->held != 0 && l1->mshr[l1->oldest] <= t) {
        l1->oldest = l1->oldest + 1 == l1->mshrs ? 0 : l1->oldest + 1;
        l1->held--;
    }
    return t;
}

static void hold_mshr(rf_memory_l1 *l1, uint64_t end) {
    const uint32_t behind = l1->oldest + l1->held;
    l1->mshr[behind < l1->mshrs ? behind : behind - l1->mshrs] = end;
    l1->held++;
}

/* --- requests --------------------------------------------------------------------------------------------------------------- */

uint64_t rf_memory_l1_load(rf_memory_l1 *l1, rf_memory_below *below, rf_memory_sectors s, uint64_t *t) {
    rf_cache_line *line = rf_memory_cache_find(&l1->cache, s.line);
    uint64_t end = 0;
    l1->count.loads++;
    if (line != NULL) {
        const uint32_t there = s.touched & line->there;
        const uint64_t valid = all_valid(l1, line, there, *t);
        rf_memory_cache_use(&l1->cache, line);
        if (there != 0) end = rf_later(*t + l1->latency, valid);
        if (there == s.touched) {
            (*(valid > *t ? &l1->count.merges : &l1->count.hits))++;
            return end;
        }
        s.touched &= ~there;
        l1->count.sector_misses++;
    } else {
        uint32_t dirty = 0; /* no sector of L1 is */
        line = rf_memory_cache_place(&l1->cache, s.line, t, &dirty);
        l1->count.misses++;
    }
    *t = mshr_free(l1, *t);
    const uint64_t fetched = rf_memory_below_fetch(below, s, *t);
    hold_mshr(l1, fetched);
    fill(l1, line, s.touched, fetched);
    return rf_later(end, fetched);
}

void rf_memory_l1_store(rf_memory_l1 *l1, uint64_t number, uint64_t t) {
    if (!l1->updates) {
        rf_memory_l1_evict(l1, number, t);
        return;
    }
    rf_cache_line *const line = rf_memory_cache_find(&l1->cache, number);
    if (line != NULL) rf_memory_cache_use(&l1->cache, line);
}

void rf_memory_l1_evict(rf_memory_l1 *l1, uint64_t number, uint64_t t) {
    rf_cache_line *const line = rf_memory_cache_find(&l1->cache, number);
    if (line != NULL && line->until <= t) rf_memory_cache_remove(&l1->cache, line);
}
