/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds a bank in a bench, and what must hold of it when its inputs are legal: few lines and registers that share sets,
 * as a flat memory has them (in the order in which requests are accepted) and as L2 has them, and an L2 that works on messages in
 * their order and answers after a while. No pointers: a stimulus that holds it is copied. */
#ifndef RF_CACHE_WORLD_H
#define RF_CACHE_WORLD_H

#include "cmodel/cerf/rf_cache_bank_parts.h"
#include "harness/base/rng.h"

#define RF_WORLD_LINES 24u
#define RF_WORLD_READS 160u  /* that wait for L2: MSHRs x targets, and what the data stage answers */
#define RF_WORLD_HITS 4u     /* that wait for the data array */
#define RF_WORLD_STALL 16u   /* cycles that L2 lets a message wait at most */
#define RF_WORLD_LATENCY 96u /* cycles to an answer of L2 at most */

/* A read whose answer comes from L2. */
typedef struct rf_world_read {
    uint8_t id, line;
    bool old;          /* an atomic: it gets the line as it was before */
    uint32_t version;  /* of the line when it was accepted */
    uint32_t known;    /* lanes that it must get right */
    uint32_t accepted; /* when it was */
} rf_world_read;

/* A read that the data stage answers. */
typedef struct rf_world_hit {
    uint8_t id;
    uint32_t cycle; /* in which it must */
    uint32_t known;
    rf_vec data;
} rf_world_hit;

typedef struct rf_cache_world {
    rf_cache_bank_cfg cfg;
    uint32_t cycle;
    /* lines */
    uint32_t lines;
    uint32_t number[RF_WORLD_LINES];  /* line number */
    uint32_t registers;               /* lines bits: it is a register */
    rf_vec memory[RF_WORLD_LINES];    /* what a flat memory has */
    uint32_t known[RF_WORLD_LINES];   /* lanes of it that count: not those of a register that died */
    uint32_t version[RF_WORLD_LINES]; /* times it was written */
    rf_vec before[RF_WORLD_LINES];    /* ... and had before the last atomic */
    uint32_t touched;                 /* the line that was accepted last */
    /* reads */
    uint32_t reads, hits;
    rf_world_read read[RF_WORLD_READS];
    rf_world_hit hit[RF_WORLD_HITS];
    /* L2 */
    rf_vec l2[RF_WORLD_LINES];
    rf_vec l2_before[RF_WORLD_LINES]; /* what it had before the last atomic */
    uint32_t asked;                   /* lines bits: it is to answer */
    uint32_t atomic;                  /* lines bits: ... an atomic */
    uint32_t jobs;
    struct {
        uint8_t entry, line;
        uint32_t due;
    } job[RF_MSHRS_MAX]; /* answers to come, in the order of their messages */
    bool in_order;       /* answers come in that order */
    uint32_t latency;    /* of the phase, at most */
    uint32_t delay;      /* of a message that L2 takes in this cycle */
    uint32_t stalled;    /* cycles that the head of the queue waits */
    bool fills;          /* a fill is offered: of job number ... */
    uint32_t filling;
    uint32_t waited;  /* cycles that the request waits */
    uint32_t flushed; /* the register that the flush of this cycle would drop, or RF_WORLD_LINES */
    char wrong[160];  /* the property that does not hold; "" */
} rf_cache_world;

/* Lines, registers, L2's contents. */
void rf_cache_world_init(rf_cache_world *w, const rf_cache_bank_cfg *cfg, ls_rng *rng);

/* The line's set and tag. */
uint32_t rf_cache_world_set(const rf_cache_world *w, uint32_t line);
uint32_t rf_cache_world_tag(const rf_cache_world *w, uint32_t line);

/* An id that no read has that waits, or false: all have. */
bool rf_cache_world_id(const rf_cache_world *w, ls_rng *rng, uint8_t *id);

/* L2's inputs of the coming cycle; it takes a message with a probability of `takes` in 256. */
void rf_cache_world_answer(rf_cache_world *w, const rf_cache_bank *m, ls_rng *rng, uint32_t takes, rf_cache_bank_in *in);

/* What holds between cycles: the bank's registers, memories and queue against the flat memory. With the request of the coming
 * cycle, of which a flush may drop a register. */
void rf_cache_world_check(rf_cache_world *w, const rf_cache_bank *m, const rf_cache_bank_in *in);

/* What happened in a cycle. */
void rf_cache_world_observe(rf_cache_world *w, const rf_cache_bank_in *in, const rf_cache_bank_out *out);

#endif
