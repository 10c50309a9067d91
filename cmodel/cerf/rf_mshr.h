/* SPDX-License-Identifier: Apache-2.0 */
/* Miss status holding registers of one bank [CERF III-B]: what is on its way from L2, and who waits for it.
 *
 * An entry is a line that was asked for. It holds whether it is a register, whether it is to be kept when it comes (D-dead-miss:
 * not when one of its targets is the register's last read, nor of an atomic), and up to TARGETS requesters, in the order in which
 * they came.
 *
 * Outputs, from the registers and this cycle's inputs:
 *   match, match_entry  a busy entry has `line` (of several, which only illegal inputs make, the lowest); 0 when none
 *   match_room          match, it is to be kept, and it has room for one more target (D-late: who asks after an atomic would get
 *                       the line before it)
 *   free, free_entry    an entry is free: the lowest; 0 when none
 *   room_reg, room_cache  an entry is free, and one more of this class leaves room for the other: with RESERVE registers take at
 *                       most MSHRS - 1 entries, and so does cache data. So neither can starve the other. Without RESERVE: free.
 *   done_*              entry `done_entry`: busy, its line, register, keep, targets and their number; all 0 when it is not busy
 *                       or does not exist
 * Edge:
 *   allocate (with free): the free entry becomes busy with line, reg and keep, and, with `target`, `id` as its first target
 *   merge (with match_room): id is one more target of the matching entry; without keep the entry is no longer to be kept
 *   done: the entry is free. It acts with allocate and merge in one cycle: allocate does not get the entry that is done in this
 *     cycle; a merge into it is lost.
 * allocate without free, merge without match_room, done of an entry that is not busy or does not exist: ignored. All at once: all
 * act. Reset: all 0. Freed entries keep the rest. */
#ifndef RF_MSHR_H
#define RF_MSHR_H

#include "cmodel/cerf/rf_cerf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_mshr_cfg {
    uint32_t mshrs;   /* entries, 1 .. 16; with reserve 2 .. 16 */
    uint32_t targets; /* of an entry, 1 .. 8 */
    uint32_t line_w;  /* bits of a line number, 1 .. 25 */
    uint32_t id_w;    /* bits of a requester's number, 1 .. 8 */
    uint32_t reserve; /* 1: registers and cache data each leave one entry to the other */
} rf_mshr_cfg;

typedef struct rf_mshr_in {
    uint32_t line; /* line_w bits: looked up, and allocated */
    uint8_t id;    /* id_w bits: requester */
    uint8_t allocate;
    uint8_t reg;    /* it is a register */
    uint8_t keep;   /* it gets a place when it comes */
    uint8_t target; /* the requester waits for the data */
    uint8_t merge;
    uint8_t done;       /* its line has come */
    uint8_t done_entry; /* index_bits(mshrs) */
} rf_mshr_in;

typedef struct rf_mshr_out {
    uint8_t match;
    uint8_t match_entry; /* index_bits(mshrs) */
    uint8_t match_room;
    uint8_t free;
    uint8_t free_entry; /* index_bits(mshrs) */
    uint8_t room_reg;
    uint8_t room_cache;
    uint8_t done_busy;
    uint32_t done_line; /* line_w bits */
    uint8_t done_reg;
    uint8_t done_keep;
    uint8_t done_count;                   /* index_bits(targets + 1): targets */
    uint8_t done_id[RF_MSHR_TARGETS_MAX]; /* per target, id_w bits; those beyond done_count are as stored */
} rf_mshr_out;

typedef struct rf_mshr {
    rf_mshr_cfg cfg;
    uint16_t busy_q;                                  /* mshrs bits */
    uint16_t reg_q;                                   /* mshrs bits */
    uint16_t keep_q;                                  /* mshrs bits */
    uint32_t line_q[RF_MSHRS_MAX];                    /* per entry, line_w bits */
    uint8_t count_q[RF_MSHRS_MAX];                    /* per entry, index_bits(targets + 1) */
    uint8_t id_q[RF_MSHRS_MAX * RF_MSHR_TARGETS_MAX]; /* element entry * targets + target, id_w bits */
} rf_mshr;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_mshr_check(const rf_mshr_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_mshr_init(rf_mshr *m, const rf_mshr_cfg *cfg);
void rf_mshr_reset(rf_mshr *m);
/* Outputs of this cycle. */
void rf_mshr_comb(const rf_mshr *m, const rf_mshr_in *in, rf_mshr_out *out);
/* The rising clock edge. */
void rf_mshr_clock(rf_mshr *m, const rf_mshr_in *in);
/* rf_mshr_comb, then rf_mshr_clock, in one pass. */
void rf_mshr_step(rf_mshr *m, const rf_mshr_in *in, rf_mshr_out *out);

#ifdef __cplusplus
}
#endif
#endif
