/* SPDX-License-Identifier: Apache-2.0 */
/* Register re-indexing and the place of a line [CERF III-C]: combinational.
 *
 * RGen: register reg of warp w is number w * REGS + reg, which is {w, reg} where REGS is a power of two ("cascades the register
 * ID and the corresponding warp ID"); else numbers have no gaps, so that WARPS x REGS registers take as many lines. The line
 * number is {PREFIX, number}: the number in its low NUMBER_W = index_bits(WARPS x REGS) bits, above it PREFIX, cut to LINE_W -
 * NUMBER_W bits (paper: 15 above 10). A block offset of log2(block) bits, below it, is no part of a line number.
 *
 * Place of a line number n: bank n mod BANKS ("the lowest 2 bits next to the block offset select which tag bank"), set
 * (n / BANKS) mod SETS ("the next 6 bits"), tag n / (BANKS x SETS) ("all the remaining bits").
 * BANKS = 1: bank_o and mem_bank_o are 0 (they are one bit wide); SETS = 1 the same of the sets.
 * A warp or register that does not exist (sizes that are no power of two): the number is cut to NUMBER_W bits. */
#ifndef RF_REINDEX_H
#define RF_REINDEX_H

#include "cmodel/cerf/rf_cerf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_reindex_cfg {
    uint32_t warps;  /* 1 .. 64 */
    uint32_t regs;   /* registers of a warp, 1 .. 256 */
    uint32_t banks;  /* tag banks, a power of two, 1 .. 32 */
    uint32_t sets;   /* of a bank, a power of two, 1 .. 256 */
    uint32_t line_w; /* bits of a line number, 2 .. 25; more than log2(banks x sets) and more than index_bits(warps x regs) */
    uint32_t prefix; /* of this SM, 0 .. 16777215; its low line_w - index_bits(warps x regs) bits count */
} rf_reindex_cfg;

typedef struct rf_reindex_in {
    uint8_t warp;      /* index_bits(warps) */
    uint8_t reg;       /* index_bits(regs) */
    uint32_t mem_line; /* line number of a memory access, line_w bits */
} rf_reindex_in;

typedef struct rf_reindex_out {
    uint16_t number;  /* index_bits(warps x regs): of the register */
    uint32_t line;    /* line_w bits: its line number */
    uint8_t bank;     /* index_bits(banks) */
    uint16_t set;     /* index_bits(sets) */
    uint32_t tag;     /* line_w - log2(banks x sets) bits */
    uint8_t mem_bank; /* index_bits(banks): of mem_line */
    uint16_t mem_set; /* index_bits(sets) */
    uint32_t mem_tag; /* line_w - log2(banks x sets) bits */
} rf_reindex_out;

typedef struct rf_reindex {
    rf_reindex_cfg cfg;
} rf_reindex;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_reindex_check(const rf_reindex_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_reindex_init(rf_reindex *m, const rf_reindex_cfg *cfg);
void rf_reindex_reset(rf_reindex *m);
/* Outputs of this cycle. */
void rf_reindex_comb(const rf_reindex *m, const rf_reindex_in *in, rf_reindex_out *out);
/* The rising clock edge: nothing. */
void rf_reindex_clock(rf_reindex *m, const rf_reindex_in *in);
/* rf_reindex_comb, then rf_reindex_clock, in one pass. */
void rf_reindex_step(rf_reindex *m, const rf_reindex_in *in, rf_reindex_out *out);

#ifdef __cplusplus
}
#endif
#endif
