/* SPDX-License-Identifier: Apache-2.0 */
/* Below L1: the links, this SM's share of L2, DRAM (docs/memory-side.md, "Links, L2, DRAM"). */
#ifndef RF_MEMORY_BELOW_H
#define RF_MEMORY_BELOW_H

#include "tb/machine/env/rf_memory_cache.h"

/* Some sectors of one line, as L1 names them, or as its requests do where there is no L1. */
typedef struct rf_memory_sectors {
    uint64_t line;    /* address / bytes of a line */
    uint32_t touched; /* one bit a sector */
} rf_memory_sectors;

typedef struct rf_memory_below_counts {
    uint64_t fetches, hits, writes;
    uint64_t dram_read, dram_written, link_down, link_up; /* bytes */
} rf_memory_below_counts;

typedef struct rf_memory_below {
    uint64_t l2_latency, dram_latency; /* thousandths of a cycle */
    uint64_t link_rate, dram_rate;     /* bytes per 1,000 cycles */
    uint32_t line_bits, sector_bits;   /* log2 of the bytes of what is fetched and written */
    bool has_l2;
    rf_memory_cache l2;
    uint64_t up_free, down_free, dram_free; /* thousandths of a cycle */
    rf_memory_below_counts count;
} rf_memory_below;

/* Idle links and DRAM, an empty L2, for lines and sectors of those sizes. Ends the process when memory runs out. */
void rf_memory_below_init(rf_memory_below *b, const rf_memory_cfg *cfg, uint32_t line_bits, uint32_t sector_bits);
void rf_memory_below_free(rf_memory_below *b);

/* L2 becomes empty, links and DRAM free from 0 on; counters stay. */
void rf_memory_below_flush(rf_memory_below *b);

/* A fetch, a write and an atomic of those sectors (at least one) in cycle `t`; the cycle in which each ends. */
uint64_t rf_memory_below_fetch(rf_memory_below *b, rf_memory_sectors s, uint64_t t);
uint64_t rf_memory_below_write(rf_memory_below *b, rf_memory_sectors s, uint64_t t);
uint64_t rf_memory_below_atomic(rf_memory_below *b, rf_memory_sectors s, uint64_t t);

#endif
