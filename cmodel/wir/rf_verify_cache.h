/* SPDX-License-Identifier: Apache-2.0 */
/* Verify cache [WIR VI-C]: values of physical registers that verify-reads fetched, so that the next verify-read of the
 * register need not go to the banks. Fully associative, ENTRIES lines of {valid, register, value}: 1035 bits with 1024
 * registers and 32 lanes.
 *
 * Lookups are answered in the same cycle from the state at its start. At the edge first the fills, lane 0 first, then the
 * evictions: a register that is filled and written in one cycle is not there afterwards.
 * fill    A register that has a line keeps that line, with the new value. Else the lowest invalid line takes it, else the line
 *         that next_q names, and next_q goes to the following line (mod ENTRIES): first in, first out among what was never
 *         evicted. A fill sees what the fills of the lanes before it did.
 * evict   A register gets another value ([WIR VI-C]: "a register write evicts the associated cache line"; rf_wir asks for it when
 *         the register is given out, before its write): its line becomes invalid; its register and value stay as they are.
 * Registers match as numbers, also those that do not exist. */
#ifndef RF_VERIFY_CACHE_H
#define RF_VERIFY_CACHE_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_verify_cache_cfg {
    uint32_t entries; /* lines, 1 .. 16 */
    uint32_t pregs;   /* physical registers, 2 .. 1024 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t issues;  /* ports of each kind, 1 .. 4 */
} rf_verify_cache_cfg;

typedef struct rf_verify_cache_in {
    uint8_t lk_valid;                  /* issues bits */
    uint16_t lk_reg[RF_ISSUES_MAX];    /* per port, index_bits(pregs) */
    uint8_t fill;                      /* issues bits */
    uint16_t fill_reg[RF_ISSUES_MAX];  /* per port, index_bits(pregs) */
    rf_vec fill_data[RF_ISSUES_MAX];   /* per port: lanes x 32 bits */
    uint8_t evict;                     /* issues bits */
    uint16_t evict_reg[RF_ISSUES_MAX]; /* per port, index_bits(pregs) */
} rf_verify_cache_in;

typedef struct rf_verify_cache_out {
    uint8_t hit;                /* issues bits: looked up and there */
    rf_vec data[RF_ISSUES_MAX]; /* per port: its value, 0 without a hit */
} rf_verify_cache_out;

typedef struct rf_verify_cache {
    rf_verify_cache_cfg cfg;
    uint16_t valid_q;                    /* entries bits */
    uint16_t tag_q[RF_VERIFY_CACHE_MAX]; /* per line: register, index_bits(pregs) */
    rf_vec data_q[RF_VERIFY_CACHE_MAX];  /* per line: lanes x 32 bits */
    uint8_t next_q;                      /* line that is replaced next, index_bits(entries) */
} rf_verify_cache;                       /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_verify_cache_check(const rf_verify_cache_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_verify_cache_init(rf_verify_cache *m, const rf_verify_cache_cfg *cfg);
void rf_verify_cache_reset(rf_verify_cache *m);
/* Outputs of this cycle. */
void rf_verify_cache_comb(const rf_verify_cache *m, const rf_verify_cache_in *in, rf_verify_cache_out *out);
/* The rising clock edge. */
void rf_verify_cache_clock(rf_verify_cache *m, const rf_verify_cache_in *in);
/* rf_verify_cache_comb, then rf_verify_cache_clock, in one pass. */
void rf_verify_cache_step(rf_verify_cache *m, const rf_verify_cache_in *in, rf_verify_cache_out *out);

#ifdef __cplusplus
}
#endif
#endif
