/* SPDX-License-Identifier: Apache-2.0 */
/* The model of lru_tags: what its RTL does, cycle by cycle and bit by bit. */
#ifndef LRU_TAGS_H
#define LRU_TAGS_H

#include <stdint.h>

/* $clog2 */
static inline uint32_t lru_tags_log2(uint32_t n) {
    uint32_t bits = 0;
    while ((UINT64_C(1) << bits) < n) bits++;
    return bits;
}

/* The RTL's parameters. */
typedef struct lru_tags_cfg {
    uint32_t sets; /* 2 to 16 */
    uint32_t tagw; /* 1 to 24 */
} lru_tags_cfg;

/* The ports. */
typedef struct lru_tags_in {
    uint8_t lookup; /* lookup: 1 bit */
    uint8_t set;    /* set: lru_tags_log2(cfg->sets) bits */
    uint32_t tag;   /* tag: cfg->tagw bits */
} lru_tags_in;

typedef struct lru_tags_out {
    uint8_t hit; /* hit: 1 bit */
    uint8_t way; /* way: 2 bits */
} lru_tags_out;

/* The registers. */
typedef struct lru_tags {
    lru_tags_cfg cfg;
    uint8_t hit;       /* hit: 1 bit */
    uint8_t way;       /* way: 2 bits */
    uint32_t tags[64]; /* tags: 4 * cfg->sets of cfg->tagw bits */
    uint8_t valid[64]; /* valid: 4 * cfg->sets of 1 bit */
    uint8_t age[64];   /* age: 4 * cfg->sets of 2 bits */
} lru_tags;

/* NULL, or the parameter that is out of range and its range. */
const char *lru_tags_check(const lru_tags_cfg *cfg);
/* Takes `cfg` and resets: 0, or -1 for what check refuses. */
int lru_tags_init(lru_tags *m, const lru_tags_cfg *cfg);
void lru_tags_reset(lru_tags *m);
/* The outputs of this cycle. */
void lru_tags_comb(const lru_tags *m, const lru_tags_in *in, lru_tags_out *out);
/* The rising edge of the clock. */
void lru_tags_clock(lru_tags *m, const lru_tags_in *in);

#endif
