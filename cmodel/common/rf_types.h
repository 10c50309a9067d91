/* SPDX-License-Identifier: Apache-2.0 */
/* Types and small helpers that every model uses. */
#ifndef RF_TYPES_H
#define RF_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RF_LANES_MAX 32u
#define RF_WARPS_MAX 64u
#define RF_BANKS_MAX 32u
#define RF_COLLECTORS_MAX 16u
#define RF_SLOTS_MAX 8u
#define RF_READERS_MAX 64u                             /* collectors x slots: one bit each of a uint64_t */
#define RF_REGS_MAX 256u                               /* logical registers of a warp */
#define RF_EXPORTS_MAX 8u                              /* execution ports */
#define RF_ISSUES_MAX 4u                               /* issue groups: instructions issued in a cycle */
#define RF_STEALERS_MAX (RF_ISSUES_MAX * RF_SLOTS_MAX) /* operands that may be read ahead: issue x SLOTS + slot */

#define RF_E_CONFIG (-1) /* init: a parameter is out of range; rf_x_check says which */

/* One warp register: 32 lanes x 32 bit = 1024 bit, lane 0 in the low bits. Lanes at and above LANES are 0. */
typedef struct rf_vec {
    uint32_t lane[RF_LANES_MAX];
} rf_vec;

/* The lanes in `mask` of `to` become those of `from`. */
static inline void rf_vec_merge(rf_vec *to, const rf_vec *from, uint32_t mask) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) to->lane[l] = (mask >> l & 1) != 0 ? from->lane[l] : to->lane[l];
}

/* A vector of up to 256 bits, bit 0 the lowest of w[0]. */
typedef struct rf_bits256 {
    uint64_t w[4];
} rf_bits256;

/* Bits of an index 0 .. n-1: ceil(log2 n), but 1 for n = 1 (the RTL has no zero-width vectors). */
static inline uint32_t rf_index_bits(uint32_t n) { return n <= 2 ? 1 : 32 - (uint32_t)__builtin_clz(n - 1); }

/* The low `n` bits set; n from 0 to 64. */
static inline uint64_t rf_mask64(uint32_t n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

/* Index of the lowest set bit; x must not be 0. */
static inline uint32_t rf_lowest(uint64_t x) { return (uint32_t)__builtin_ctzll(x); }

#ifdef __cplusplus
}
#endif
#endif
