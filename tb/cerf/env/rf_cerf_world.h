/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds an integrated memory in a bench, and what must hold of it when its inputs are legal: few registers and lines, as
 * a flat memory has them (in the order in which requests are accepted) and as L2 has them; who reads, writes and loads; and an L2
 * that works on messages in their order and answers after a while. No pointers: a stimulus that holds it is copied.
 *
 * Readers are as collectors: a slot asks, waits for its operand, and asks again once all slots of its collector have theirs. A
 * register that is read for the last time is read by nobody before it is written again. Requests stand until they are accepted.
 */
#ifndef RF_CERF_WORLD_H
#define RF_CERF_WORLD_H

#include "cmodel/cerf/rf_cerf_memory.h"
#include "harness/base/rng.h"

#define RF_CERF_WORLD_KIND 24u                       /* registers, and lines */
#define RF_CERF_WORLD_ITEMS (2 * RF_CERF_WORLD_KIND) /* registers first; the lines from RF_CERF_WORLD_KIND on */
#define RF_CERF_WORLD_IDS (1u << RF_CERF_ID_W)
#define RF_CERF_WORLD_JOBS (RF_CERF_BANKS_MAX * RF_MSHRS_MAX)
#define RF_CERF_WORLD_STALL 16u   /* cycles that L2 lets a message wait at most */
#define RF_CERF_WORLD_LATENCY 96u /* cycles to an answer of L2 at most */

/* What a read must be answered. */
typedef struct rf_cerf_world_read {
    bool open;
    uint8_t item;
    uint32_t known;    /* lanes that count */
    uint32_t accepted; /* in this cycle */
    rf_vec data;
} rf_cerf_world_read;

typedef struct rf_cerf_world {
    rf_cerf_memory_cfg cfg;
    uint32_t cycle;
    /* registers and lines */
    uint32_t registers, lines;           /* how many */
    uint16_t number[RF_CERF_WORLD_KIND]; /* of a register */
    uint32_t line[RF_CERF_WORLD_ITEMS];  /* line number */
    rf_vec memory[RF_CERF_WORLD_ITEMS];  /* what a flat memory has */
    uint32_t known[RF_CERF_WORLD_ITEMS]; /* lanes of it that count: not those of a register that was lost */
    uint32_t dying, gone;                /* registers: a last read of it stands; it was accepted */
    uint32_t flushed;                    /* the register that the flush of this cycle would drop, or NONE */
    /* requests that stand, and what was accepted */
    uint64_t asks, dead;                               /* readers */
    uint64_t served;                                   /* readers whose request was accepted, of their collectors' instructions */
    uint8_t reads[RF_READERS_MAX];                     /* per reader: its register */
    uint8_t writes[RF_EXPORTS_MAX];                    /* per writer: its register */
    uint32_t writers;                                  /* writers that ask */
    bool mem_asks;                                     /* the load/store unit asks ... */
    uint8_t mem_item;                                  /* ... for this */
    uint32_t age[RF_READERS_MAX + RF_EXPORTS_MAX + 1]; /* cycles that each waits: readers, writers, the load/store unit */
    rf_cerf_world_read operand[RF_READERS_MAX];
    rf_cerf_world_read load[RF_CERF_WORLD_IDS];
    /* L2 */
    rf_vec l2[RF_CERF_WORLD_ITEMS];
    rf_vec l2_before[RF_CERF_WORLD_KIND]; /* per line: what it had before the last atomic */
    uint64_t asked, atomic;               /* items: it is to answer; an atomic */
    uint32_t jobs;
    struct {
        uint8_t bank, entry, item;
        uint32_t due;
    } job[RF_CERF_WORLD_JOBS]; /* answers to come, in the order of their messages */
    bool in_order;             /* answers come in that order */
    uint32_t latency;          /* of the phase, at most */
    uint32_t delay;            /* of a message that L2 takes in this cycle */
    uint32_t stalled;          /* cycles that a message waits */
    bool fills;                /* a fill is offered: of job number ... */
    uint32_t filling;
    char wrong[160]; /* the property that does not hold; "" */
} rf_cerf_world;

/* Registers, lines, L2's contents. */
void rf_cerf_world_init(rf_cerf_world *w, const rf_cerf_memory_cfg *cfg, ls_rng *rng);

/* New requests. False: that one may not be made now. */
bool rf_cerf_world_read_register(rf_cerf_world *w, uint32_t reader, uint32_t reg, bool dead, rf_cerf_memory_in *in);
void rf_cerf_world_write_register(rf_cerf_world *w, uint32_t writer, uint32_t reg, rf_cerf_memory_in *in);
/* The load/store unit; an operation on registers (READ_REG, WRITE_REG) is of a register. */
bool rf_cerf_world_access(rf_cerf_world *w, ls_rng *rng, uint32_t op, uint32_t item, rf_cerf_memory_in *in);

/* L2's inputs of the coming cycle; it takes a message with a probability of `takes` in 256. */
void rf_cerf_world_answer(rf_cerf_world *w, ls_rng *rng, uint32_t takes, rf_cerf_memory_in *in);

/* What holds between cycles; with the inputs of the coming cycle, in which a flush may drop a register. */
void rf_cerf_world_check(rf_cerf_world *w, const rf_cerf_memory *m, const rf_cerf_memory_in *in);

/* What happened in a cycle; `m` is the model as it is after it. */
void rf_cerf_world_observe(rf_cerf_world *w, const rf_cerf_memory *m, const rf_cerf_memory_in *in, const rf_cerf_memory_out *out);

#endif
