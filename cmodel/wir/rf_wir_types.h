/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and words that the units of warp instruction reuse (WIR) share. */
#ifndef RF_WIR_TYPES_H
#define RF_WIR_TYPES_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_PREGS_MAX 1024u        /* physical registers */
#define RF_REUSE_ENTRIES_MAX 512u /* of a reuse buffer */
#define RF_REUSE_SLOTS_MAX 6u     /* operands of an instruction that may be reused: two bits of its opcode at least stay free */
#define RF_VSB_ENTRIES_MAX 512u   /* of a value signature buffer */
#define RF_VERIFY_CACHE_MAX 16u   /* lines of a verify cache */
#define RF_VERIFIERS_MAX 4u       /* verifiers of a group */
#define RF_BLOCKS_MAX 16u         /* thread blocks of a streaming multiprocessor */
#define RF_BARRIERS_END 31u       /* a barrier count of 5 bits that stands here is full [WIR VI-A] */

/* What a reusable instruction reads beside its operands [WIR VI-A]; 2 bits. */
typedef enum rf_space {
    RF_SPACE_NONE,   /* nothing: arithmetic */
    RF_SPACE_CONST,  /* memory that no store of the kernel changes */
    RF_SPACE_SHARED, /* scratchpad of its thread block */
    RF_SPACE_GLOBAL, /* global memory */
} rf_space;

/* Tag of a reuse buffer entry [WIR Fig. 9]. The low `slots` bits of the opcode say which operands are registers; the others are
 * immediate values, 0 when there is none. `block` is the thread block of a load from scratchpad. */
typedef struct rf_reuse_tag {
    uint8_t opcode;                       /* 8 bits */
    uint16_t operand[RF_REUSE_SLOTS_MAX]; /* per slot: index_bits(pregs) bits, physical register or immediate */
    uint8_t block;                        /* index_bits(blocks) + 1 bits; the highest set and the others 0: not of a block */
    uint8_t barrier;                      /* 5 bits */
} rf_reuse_tag;

#ifdef __cplusplus
}
#endif
#endif
