/* SPDX-License-Identifier: Apache-2.0 */
/* The memory side of an SM in time: load/store unit, coalescer, shared memory, L1, L2, DRAM. docs/memory-side.md is its
 * specification, with every parameter and rule. Deterministic; holds no data. */
#ifndef RF_MEMORY_SIDE_H
#define RF_MEMORY_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/core/unit.h"

typedef enum rf_memory_space {
    RF_MEMORY_GLOBAL,
    RF_MEMORY_LOCAL,
    RF_MEMORY_SHARED,
    RF_MEMORY_CONSTANT,
    RF_MEMORY_TEXTURE
} rf_memory_space;
typedef enum rf_access_kind { RF_ACCESS_LOAD, RF_ACCESS_STORE, RF_ACCESS_ATOMIC } rf_access_kind;

typedef struct rf_cache_cfg {
    uint64_t size; /* bytes; 0: there is none */
    uint32_t line, sector, ways;
} rf_cache_cfg;

typedef struct rf_memory_cfg {
    uint32_t lsu_interval;
    uint32_t shared_latency, shared_banks, shared_interval;
    uint32_t constant_latency;
    uint32_t texture_latency, texture_interval;
    rf_cache_cfg l1, l2;
    uint32_t l1_latency, l1_mshrs, l1_write;
    uint32_t l2_latency, dram_latency;
    uint64_t link_bytes, dram_bytes; /* per 1,000 cycles */
} rf_memory_cfg;

typedef struct rf_memory_access {
    rf_memory_space space;
    rf_access_kind kind;
    uint32_t mask;           /* active lanes */
    uint32_t width;          /* bytes a lane moves, 1 .. 16 */
    const uint64_t *address; /* 32 lane addresses, or NULL: not known */
    uint64_t warp;           /* number of the warp, for local memory */
} rf_memory_access;

typedef struct rf_memory_side rf_memory_side;

/* NULL, or what is wrong with the parameters: key and range. */
const char *rf_memory_check(const rf_memory_cfg *cfg);

/* An idle memory side with empty caches, of checked parameters. Ends the process when memory runs out. */
rf_memory_side *rf_memory_side_new(const rf_memory_cfg *cfg);
void rf_memory_side_free(rf_memory_side *m);

/* The load/store unit can take an access in cycle `now`. */
bool rf_memory_side_ready(const rf_memory_side *m, uint64_t now);

/* An access in cycle `now`, which is not before that of the access before; returns the cycle `done`. May be called when the unit
 * is not ready: the access then waits. */
uint64_t rf_memory_side_access(rf_memory_side *m, const rf_memory_access *access, uint64_t now);

/* Caches become empty, as between kernels, and MSHRs free; dirty sectors are dropped. Reservations and counters stay. */
void rf_memory_side_flush(rf_memory_side *m);

/* Every counter of docs/memory-side.md. */
void rf_memory_side_counters(const rf_memory_side *m, ls_counter_fn *sink, void *ctx);

#endif
