/* SPDX-License-Identifier: Apache-2.0 */
/* Linear feedback shift register, 16 bits, Galois form, polynomial x^16 + x^14 + x^13 + x^11 + 1 (period 65535): the random
 * numbers of the hardware ([Malekeh 4.1] replaces "randomly"), a register that is compared like any other.
 * Step: value' = value >> 1, XORed with 0xb400 when the bit shifted out is 1. */
#ifndef RF_LFSR_H
#define RF_LFSR_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_lfsr_cfg {
    uint32_t seed; /* value after reset, 1 .. 65535 */
} rf_lfsr_cfg;

typedef struct rf_lfsr_in {
    uint8_t step; /* takes one step */
} rf_lfsr_in;

typedef struct rf_lfsr_out {
    uint16_t value; /* value_q */
} rf_lfsr_out;

typedef struct rf_lfsr {
    rf_lfsr_cfg cfg;
    uint16_t value_q; /* never 0 */
} rf_lfsr;

/* The value after one step. */
static inline uint16_t rf_lfsr_next(uint16_t value) { return (uint16_t)(value >> 1 ^ ((value & 1) != 0 ? 0xb400u : 0u)); }

/* NULL, or the parameter that is out of range and its range. */
const char *rf_lfsr_check(const rf_lfsr_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_lfsr_init(rf_lfsr *m, const rf_lfsr_cfg *cfg);
void rf_lfsr_reset(rf_lfsr *m);
/* Outputs of this cycle. */
void rf_lfsr_comb(const rf_lfsr *m, const rf_lfsr_in *in, rf_lfsr_out *out);
/* The rising clock edge. */
void rf_lfsr_clock(rf_lfsr *m, const rf_lfsr_in *in);
/* rf_lfsr_comb, then rf_lfsr_clock, in one pass. */
void rf_lfsr_step(rf_lfsr *m, const rf_lfsr_in *in, rf_lfsr_out *out);

#ifdef __cplusplus
}
#endif
#endif
