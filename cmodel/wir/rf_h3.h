/* SPDX-License-Identifier: Apache-2.0 */
/* Hash generation [WIR V-A, VII-E]: 32 bits from a warp register, by a function of the H3 family: the XOR of the table rows that
 * the set bits of the value select. Row i belongs to bit i of the value, bit 0 the lowest of lane 0.
 * Combinational, no clock, no state. LANES below 32 use the first 32 x LANES rows.
 * D-h3: rows 2n and 2n + 1 are the low and the high 32 bits of output n of SplitMix64 (Steele, Lea, Flood, "Fast Splittable
 * Pseudorandom Number Generators", OOPSLA 2014) with seed 1, the lowest seed that makes the 32 rows of lane 0 independent. The
 * table is written down nowhere: the compiler computes it here, elaboration in the RTL, and lockstep holds the two against each
 * other on every row. The hash is linear: h(a ^ b) = h(a) ^ h(b), h(0) = 0. */
#ifndef RF_H3_H
#define RF_H3_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_H3_ROWS 1024u

typedef struct rf_h3_cfg {
    uint32_t lanes; /* 1 .. 32 */
} rf_h3_cfg;

typedef struct rf_h3_in {
    rf_vec data; /* lanes x 32 bits */
} rf_h3_in;

typedef struct rf_h3_out {
    uint32_t hash; /* 32 bits */
} rf_h3_out;

typedef struct rf_h3 {
    rf_h3_cfg cfg; /* no state */
} rf_h3;

/* The hash of a value whose lanes at and above LANES are 0: the same for every LANES. What other models call. */
uint32_t rf_h3_hash(const rf_vec *data);

/* NULL, or the parameter that is out of range and its range. */
const char *rf_h3_check(const rf_h3_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_h3_init(rf_h3 *m, const rf_h3_cfg *cfg);
void rf_h3_reset(rf_h3 *m);
/* Outputs of this cycle. */
void rf_h3_comb(const rf_h3 *m, const rf_h3_in *in, rf_h3_out *out);
/* The rising clock edge. */
void rf_h3_clock(rf_h3 *m, const rf_h3_in *in);
/* rf_h3_comb, then rf_h3_clock, in one pass. */
void rf_h3_step(rf_h3 *m, const rf_h3_in *in, rf_h3_out *out);

#ifdef __cplusplus
}
#endif
#endif
