/* SPDX-License-Identifier: Apache-2.0 */
/* Load guard [WIR VI-A]: which loads may reuse the result of an earlier one, and what they put into their tag for it.
 *
 * Store flags: per warp one for scratchpad, one for global memory: set when the warp's store is renamed (st_*), cleared when its
 * block's barrier is over (`bar`), when it has executed a memory fence (`fence`), when a new warp starts in the slot (`launch`:
 * a warp that has ended takes part in no barrier, so what it stored moves no count any more). A set wins over a clear.
 * Barrier counts, 5 bits, up by at most 1 a cycle, 31 is full:
 *   count[block]  at the block's `bar`, at a `fence` of one of its warps; 0 at `start` (which wins); full: it stays.
 *   gcount        D-global: one for all blocks, for global memory. Up at any `fence`, and at the `bar` of a block of which a warp
 *                 has its global store flag set. With a count per block (as [WIR VI-A] has it) a block could reuse what another
 *                 block loaded before its own barrier but with the same count. The edge where it gets full is a request for
 *                 a flush.
 * Answers, per lane, in the same cycle: `allow`, and the tag's block and barrier fields (also where not allowed):
 *   NONE    allowed                                                                    block none, barrier 0
 *   CONST   allowed unless a flush is under way                                        block none, barrier 0
 *   SHARED  ... and no sweep of the block is, the warp's scratchpad flag is not set,
 *           count is not full                                                          the block, its count
 *   GLOBAL  allowed unless a flush is under way, the warp's global flag is set,
 *           gcount is full                                                             block none, gcount
 * "none" is 2^index_bits(BLOCKS): the field's highest bit alone.
 * D-sweep: entries of an earlier kernel or of the block that had the slot before must not match. `flush` (a kernel starts) has
 * all entries removed from the reuse buffer, `start` (a block starts in its slot) the block's. A pass goes over the ENTRIES
 * indices, one each cycle in which `sweep_ready`; sweep_index, sweep_all, sweep_block say what is to be removed while
 * sweep_valid. Between two passes is at least one cycle without sweep_valid, in which the next is chosen from what waits in
 * flush_q and sweep_q: a flush first, else the lowest block. What it is for counts as under way from the edge of the request
 * to the edge of the pass's last step. A request that comes while its own pass is on is served by that pass, unless it comes
 * with the last step: then it gets a pass of its own. The end of a flush sets gcount to 0 (over a count up at that edge, which
 * then makes nothing full) and ends all waits for block sweeps but those that come at that edge. */
#ifndef RF_LOAD_GUARD_H
#define RF_LOAD_GUARD_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_load_guard_cfg {
    uint32_t warps;   /* 1 .. 64 */
    uint32_t blocks;  /* thread blocks, 1 .. 16 */
    uint32_t entries; /* of the reuse buffer, a power of two, 1 .. 512 */
    uint32_t issues;  /* lanes, 1 .. 4 */
} rf_load_guard_cfg;

typedef struct rf_load_guard_in {
    uint8_t block[RF_WARPS_MAX]; /* per warp: its block's slot, index_bits(blocks) */
    uint64_t launch;             /* warps bits */
    uint16_t start;              /* blocks bits */
    uint8_t flush;
    uint16_t bar;                   /* blocks bits */
    uint64_t fence;                 /* warps bits */
    uint8_t st_valid;               /* issues bits: the lane renames a store */
    uint8_t st_warp[RF_ISSUES_MAX]; /* per lane, index_bits(warps) */
    uint8_t st_shared;              /* issues bits: to scratchpad, else to global memory */
    uint8_t q_warp[RF_ISSUES_MAX];  /* per lane, index_bits(warps): who asks */
    uint8_t q_space[RF_ISSUES_MAX]; /* per lane: 2 bits, rf_space */
    uint8_t sweep_ready;
} rf_load_guard_in;

typedef struct rf_load_guard_out {
    uint8_t allow;                      /* issues bits */
    uint8_t tag_block[RF_ISSUES_MAX];   /* per lane, index_bits(blocks) + 1 */
    uint8_t tag_barrier[RF_ISSUES_MAX]; /* per lane, 5 bits */
    uint8_t sweep_valid;
    uint16_t sweep_index; /* index_bits(entries); 0 without sweep_valid, like the next two */
    uint8_t sweep_all;
    uint8_t sweep_block; /* index_bits(blocks): target_q, also with sweep_all */
} rf_load_guard_out;

typedef struct rf_load_guard {
    rf_load_guard_cfg cfg;
    uint64_t shared_q;              /* warps bits: store flag */
    uint64_t global_q;              /* warps bits: store flag */
    uint8_t count_q[RF_BLOCKS_MAX]; /* per block: 5 bits */
    uint8_t gcount_q;               /* 5 bits */
    uint8_t flush_q;                /* under way */
    uint16_t sweep_q;               /* blocks bits: under way */
    uint8_t active_q;               /* a pass is on */
    uint8_t all_q;                  /* it is a flush's */
    uint8_t target_q;               /* the last block's pass is, or was, for it: a flush leaves it alone. all_q, too, stays */
    uint16_t index_q;               /* its next index; 0 without a pass */
} rf_load_guard;                    /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_load_guard_check(const rf_load_guard_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_load_guard_init(rf_load_guard *m, const rf_load_guard_cfg *cfg);
void rf_load_guard_reset(rf_load_guard *m);
/* Outputs of this cycle. Warps out of range: flags read as 0 and are not set, their block as block 0; blocks out of range:
 * count 0, no sweep. */
void rf_load_guard_comb(const rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out);
/* The rising clock edge. */
void rf_load_guard_clock(rf_load_guard *m, const rf_load_guard_in *in);
/* rf_load_guard_comb, then rf_load_guard_clock, in one pass. */
void rf_load_guard_step(rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out);

#ifdef __cplusplus
}
#endif
#endif
