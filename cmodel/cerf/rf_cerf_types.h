/* SPDX-License-Identifier: Apache-2.0 */
/* What the units of group cerf have in common: states, operations and policies of a memory that holds registers and lines of the
 * L1D [CERF III]. The RTL's twin is rf_cerf_pkg.
 *
 * A line has LANES words of 32 bits, as a warp's register has. It is named by its line number: an address without the block
 * offset. Register r of warp w is line {PREFIX, w * REGS + r} of an isolated space [CERF III-C]. */
#ifndef RF_CERF_TYPES_H
#define RF_CERF_TYPES_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_LINE_WAYS_MAX 8u
#define RF_LINE_SETS_MAX 256u  /* of a bank */
#define RF_LINE_NUMBER_MAX 25u /* bits of a line number: 32-bit addresses, blocks of 128 bytes [CERF III-E] */
#define RF_MSHRS_MAX 16u
#define RF_MSHR_TARGETS_MAX 8u
#define RF_MISS_QUEUE_MAX 16u

/* State of an entry, 2 bits [CERF III-D-2, Fig. 6]. */
#define RF_LINE_INACTIVE 0u /* vacant */
#define RF_LINE_REG 1u      /* a register */
#define RF_LINE_CACHE 2u    /* data of a cache line, as L2 has it */
#define RF_LINE_DIRTY 3u    /* data of a cache line that was written */

/* What happens to an entry, 3 bits; 7 is as NONE. */
#define RF_LINE_NONE 0u
#define RF_LINE_WRITE_REG 1u  /* a register is written */
#define RF_LINE_DIE 2u        /* a register is read for the last time: a dead bit */
#define RF_LINE_FILL_REG 3u   /* a register comes back from L2 */
#define RF_LINE_FILL_CACHE 4u /* a line comes from L2 */
#define RF_LINE_STORE 5u      /* a store hits */
#define RF_LINE_DROP 6u       /* a flush or an atomic removes it */

/* Operation of a request, 3 bits; 6 and 7 do nothing. */
#define RF_CACHE_READ_REG 0u
#define RF_CACHE_WRITE_REG 1u
#define RF_CACHE_LOAD 2u
#define RF_CACHE_STORE 3u
#define RF_CACHE_ATOMIC 4u
#define RF_CACHE_FLUSH 5u

/* Message to L2, 2 bits; 3 is not used. */
#define RF_MISS_FETCH 0u  /* read the line, answer with a fill */
#define RF_MISS_WRITE 1u  /* write the words in mask; no answer */
#define RF_MISS_ATOMIC 2u /* an atomic on the words in mask, answer with a fill */

/* Replacement [CERF III-D-1]. */
#define RF_POLICY_FAIR 0u      /* LRU-fair */
#define RF_POLICY_REGISTERS 1u /* LRU-prioritized: cache data never replaces a register */
#define RF_POLICY_CACHE 2u     /* the other extreme: a register never replaces cache data */

/* Bits of `ways` ages, or way numbers: an age is 0 .. ways-1. */
static inline uint32_t rf_line_age_bits(uint32_t ways) { return rf_index_bits(ways); }

static inline bool rf_power_of_two(uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

/* log2 of a power of two: unlike rf_index_bits 0 for 1. */
static inline uint32_t rf_log2(uint32_t n) { return n <= 1 ? 0 : rf_index_bits(n); }

#ifdef __cplusplus
}
#endif
#endif
