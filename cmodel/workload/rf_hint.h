/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler puts into an instruction for the papers' mechanisms (docs/compiler.md). */
#ifndef RF_HINT_H
#define RF_HINT_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_HINT_FREE_MAX 4u
#define RF_HINT_SRC_MAX 24u /* operands of an instruction */
#define RF_HINT_DST_MAX 16u

/* Flags. */
#define RF_HINT_PRESENT 1u        /* hints were computed */
#define RF_HINT_STRAND_END 2u     /* last instruction of its strand [hierarchy 5.1] */
#define RF_HINT_DESCHEDULE 4u     /* ... and the warp waits, outside the active set, for every long-latency result on its way */
#define RF_HINT_LONG_LATENCY 8u   /* its result comes after a long latency (global and local loads, atomics, texture) */
#define RF_HINT_LONG_CONSUMER 16u /* reads or overwrites a long-latency result for which the warp has to have waited */
#define RF_HINT_NOT_L0                                                                                                           \
    32u /* its result may be read by a shared unit (SFU, memory), or is one's: not into the L0 [hierarchy 7.6] */

/* "Register" is the warp register as a whole, all lanes. Bits are of operands as the compiler sees them: an instruction that no
 * lane takes part in (mask 0) touches no register, but what its flags and updates say holds. */
typedef struct rf_hint {
    uint32_t src_near, dst_near; /* bit i: reuse distance of inst.src[i], dst[i] below RTHLD [Malekeh 1, 4] */
    uint32_t src_dead;           /* bit i: no lane reads what inst.src[i] holds here again ([hierarchy 4.1], [CERF III-D-2]) */
    uint32_t dst_dead;           /* bit i: no lane reads what inst.dst[i] holds behind it */
    uint8_t flags;
    uint8_t nfree;                      /* Rfree updates carried by this instruction [bank stealing IV-C-2], at most one a bank */
    uint8_t free_reg[RF_HINT_FREE_MAX]; /* logical register, inactive from this instruction on, which does not touch it;
                                           RF_REG_NO_FREE: free_was's bank has none, its Rfree becomes invalid */
    uint8_t free_was[RF_HINT_FREE_MAX]; /* what this instruction writes and what was, or on some path may have been, Rfree of
                                           this bank; RF_REG_NO_FREE: the bank had none */
    uint8_t src_from[RF_HINT_SRC_MAX];  /* of inst.src[i]: RF_FROM_..., and a name (rf_hierarchy_names.h); 0: the MRF */
    uint8_t dst_to[RF_HINT_DST_MAX];    /* of inst.dst[i]: RF_TO_..., and a name; 0: the MRF */
} rf_hint;

/* Where the compiler has put a value in a register file hierarchy managed by software [hierarchy 4.2]. */
#define RF_LEVEL_NAME 15u /* the name */
#define RF_FROM_UPPER 16u /* a source is read from the name instead of the MRF */
#define RF_FROM_KEEP 32u  /* it is read from the MRF and written to the name [hierarchy 5.4] */
#define RF_TO_UPPER 16u   /* a result is written to the name ... */
#define RF_TO_NOT_MRF 32u /* ... and not to the MRF */

#define RF_REG_NO_FREE 255u

#ifdef __cplusplus
}
#endif
#endif
