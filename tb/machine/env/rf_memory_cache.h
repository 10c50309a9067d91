/* SPDX-License-Identifier: Apache-2.0 */
/* Lines, sectors and ages of a set-associative cache, of L1 and L2 alike (docs/memory-side.md). It holds no data. When lines come
 * is L1's to say: in L2 none is ever on its way.
 *
 * A line is found through a hash of its number, not by a look at all ways of its set, so that a set may have thousands. */
#ifndef RF_MEMORY_CACHE_H
#define RF_MEMORY_CACHE_H

#include "tb/machine/env/rf_memory_side.h"

#define RF_CACHE_NONE UINT32_MAX

typedef struct rf_cache_line {
    uint64_t number; /* address / bytes of a line */
    uint64_t until;  /* it is on its way before this cycle */
    uint32_t there;  /* sectors, one bit each */
    uint32_t dirty;  /* of these, those to be written */
    uint32_t set;
    uint32_t older, younger; /* in its set's order of use, or RF_CACHE_NONE */
    uint32_t next;           /* behind it in its bucket, or behind it among the set's removed ones */
} rf_cache_line;

typedef struct rf_cache_set {
    uint32_t oldest, youngest;
    uint32_t used;    /* places that ever held a line */
    uint32_t removed; /* places whose line was removed, a list */
} rf_cache_set;

typedef struct rf_memory_cache {
    uint64_t sets;
    uint32_t ways;
    uint32_t line_bits, sector_bits; /* log2 of their bytes */
    uint32_t bucket_bits;
    rf_cache_set *set;
    rf_cache_line *line; /* set x ways + way */
    uint32_t *bucket;    /* first line of each hash */
} rf_memory_cache;

/* Of two times. */
static inline uint64_t rf_later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* An empty cache of checked parameters, size not 0. Ends the process when memory runs out. */
void rf_memory_cache_init(rf_memory_cache *c, const rf_cache_cfg *cfg);
void rf_memory_cache_free(rf_memory_cache *c);
void rf_memory_cache_clear(rf_memory_cache *c);

/* The line of that number, or NULL. */
rf_cache_line *rf_memory_cache_find(rf_memory_cache *c, uint64_t number);

/* The line becomes the youngest of its set. */
void rf_memory_cache_use(rf_memory_cache *c, rf_cache_line *line);

/* The line's place becomes empty. */
void rf_memory_cache_remove(rf_memory_cache *c, rf_cache_line *line);

/* A place for a line that is not there, as the youngest of its set, with none of its sectors. An empty one, else that of the
 * least recently used line that is not on its way at *t. When all are, *t becomes the first cycle in which one is not. *dirty:
 * the dirty sectors of the line that made room. */
rf_cache_line *rf_memory_cache_place(rf_memory_cache *c, uint64_t number, uint64_t *t, uint32_t *dirty);

#endif
