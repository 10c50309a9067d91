/* SPDX-License-Identifier: Apache-2.0 */
/* L1 with its MSHRs (docs/memory-side.md, "L1"). */
#ifndef RF_MEMORY_L1_H
#define RF_MEMORY_L1_H

#include "tb/machine/env/rf_memory_below.h"

/* Requests of loads, and each in one of the others. */
typedef struct rf_memory_l1_counts {
    uint64_t loads, hits, merges, sector_misses, misses;
} rf_memory_l1_counts;

typedef struct rf_memory_l1 {
    rf_memory_cache cache;
    uint64_t *valid; /* cycle since when: line's place x sectors of a line + sector */
    uint64_t *mshr;  /* ends of the fetches that hold one, from the oldest on, in a ring */
    uint32_t oldest, held;
    uint32_t latency, mshrs;
    bool updates; /* by stores, which evict otherwise */
    rf_memory_l1_counts count;
} rf_memory_l1;

/* An empty L1 of checked parameters, which have one. Ends the process when memory runs out. */
void rf_memory_l1_init(rf_memory_l1 *l1, const rf_memory_cfg *cfg);
void rf_memory_l1_free(rf_memory_l1 *l1);

/* It becomes empty, no MSHR is held; counters stay. */
void rf_memory_l1_flush(rf_memory_l1 *l1);

/* A load's request (at least one sector) in cycle *t, which moves while it waits for a place or an MSHR; the cycle of its end. */
uint64_t rf_memory_l1_load(rf_memory_l1 *l1, rf_memory_below *below, rf_memory_sectors s, uint64_t *t);

/* What a store does to its line in cycle `t`, and an atomic: it leaves unless it is on its way. */
void rf_memory_l1_store(rf_memory_l1 *l1, uint64_t number, uint64_t t);
void rf_memory_l1_evict(rf_memory_l1 *l1, uint64_t number, uint64_t t);

#endif
