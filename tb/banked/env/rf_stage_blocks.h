/* SPDX-License-Identifier: Apache-2.0 */
/* Thread blocks of a workload in front of an operand stage: which warp slots belong together, and what a warp waits for.
 *
 * A block starts as a whole: when a block slot is free, a warp slot for each of its warps, and registers for all of them. A warp
 * that has issued a barrier shows no further instruction until every warp of its block stands at one and all that they issued
 * before is retired; behind a memory fence it waits for its own instructions alone.
 *
 * Warps are bits and numbers here, instructions are known by their mnemonics; rf_stage_env.c, which drives this, starts them,
 * ends them and says which have anything under way. */
#ifndef RF_STAGE_BLOCKS_H
#define RF_STAGE_BLOCKS_H

#include "cmodel/common/rf_types.h"
#include "cmodel/workload/rf_inst.h"

#define RF_STAGE_BLOCKS_MAX 64u /* as many as warps */

typedef struct rf_stage_blocks {
    uint32_t slots;                   /* blocks at a time, 1 .. RF_STAGE_BLOCKS_MAX; 0: nobody belongs to a block */
    uint32_t warps;                   /* warp slots of the system */
    uint32_t pool;                    /* registers that all warps together may use; 0: any number */
    uint32_t registers;               /* that the warps now in blocks count for */
    uint64_t of[RF_STAGE_BLOCKS_MAX]; /* warps bits: the block's warps that have not ended */
    uint64_t at_barrier, at_fence;    /* warps bits: show nothing until they may go on */
    uint32_t open;                    /* slot of the block whose warps are being started, or RF_STAGE_BLOCKS_MAX */
    uint32_t open_left;               /* of them, not started */
    uint32_t open_id[3];
    uint8_t block[RF_WARPS_MAX];   /* per warp slot: slot of its block */
    uint32_t counts[RF_WARPS_MAX]; /* and the registers that it counts for */
} rf_stage_blocks;

/* A warp that asks to start. */
typedef struct rf_stage_block_ask {
    const uint32_t *id;    /* its block, x y z */
    const uint32_t *shape; /* threads of a block, x y z, as the kernel's head says; a product of 0: one warp */
    uint32_t lanes;        /* of a warp, 1 .. 32 */
    uint32_t registers;    /* of each warp */
    bool new_kernel;       /* it is the first of its kernel: no block of the same number is its own */
    uint64_t live;         /* warps bits: slots that are taken */
} rf_stage_block_ask;

typedef enum rf_stage_block_answer {
    RF_STAGE_BLOCK_JOINED,  /* it belongs to the block that is being started */
    RF_STAGE_BLOCK_STARTED, /* it is the first of a block, which now starts in slot `open` */
    RF_STAGE_BLOCK_LATER,   /* there is no room now */
    RF_STAGE_BLOCK_NEVER    /* there is not room enough in the whole system */
} rf_stage_block_answer;

/* No blocks; `slots`, `warps` and `pool` as in the struct. */
void rf_stage_blocks_init(rf_stage_blocks *b, uint32_t slots, uint32_t warps, uint32_t pool);

/* Warps of `lanes` lanes of a block of this shape, at least 1. */
uint32_t rf_stage_block_warps(const uint32_t shape[3], uint32_t lanes);

/* The system has room for a block of so many warps of so many registers each, if it is empty. */
bool rf_stage_blocks_fit(const rf_stage_blocks *b, uint32_t warps, uint32_t registers);

/* Where a warp goes that wants to start; nothing is taken yet but the block slot. */
rf_stage_block_answer rf_stage_blocks_ask(rf_stage_blocks *b, const rf_stage_block_ask *ask);

/* The warp starts in warp slot `w`, in the open block (after RF_STAGE_BLOCK_JOINED or _STARTED). */
void rf_stage_blocks_enter(rf_stage_blocks *b, uint32_t w, uint32_t registers);

/* The warp in slot `w` has ended. */
void rf_stage_blocks_leave(rf_stage_blocks *b, uint32_t w);

/* The warp in slot `w` has issued the last uop of this instruction: behind a barrier or a fence it waits. */
void rf_stage_blocks_issued(rf_stage_blocks *b, uint32_t w, const rf_inst *inst);

/* Ends the barrier of the block in slot `block` if it is over: the warps that go on, or 0. `drained`, warps bits: everything that
 * they issued is retired. `more`: warps of this kernel are still to be started, for which an open block waits. */
uint64_t rf_stage_blocks_barrier(rf_stage_blocks *b, uint32_t block, uint64_t drained, bool more);

/* Ends the fences that are over: the warps that go on. */
uint64_t rf_stage_blocks_fences(rf_stage_blocks *b, uint64_t drained);

#endif
