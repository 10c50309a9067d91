/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that were given out and not written yet, one bit each (D-unwritten, not in the WIR paper): the value signature buffer
 * names a register from its allocation on, before its value is in the banks; a verify-read must wait until it is.
 * Answers come from the state at the start of the cycle. At the edge clears act first, then sets. Out of range: nothing, answer
 * 0. */
#ifndef RF_UNWRITTEN_H
#define RF_UNWRITTEN_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_unwritten_cfg {
    uint32_t pregs;  /* physical registers, 2 .. 1024 */
    uint32_t issues; /* ports of each kind, 1 .. 4 */
} rf_unwritten_cfg;

typedef struct rf_unwritten_in {
    uint8_t set;                     /* issues bits: given out, its write comes later */
    uint16_t set_reg[RF_ISSUES_MAX]; /* per port, index_bits(pregs) */
    uint8_t clr;                     /* issues bits: written */
    uint16_t clr_reg[RF_ISSUES_MAX];
    uint16_t lk_reg[RF_EXPORTS_MAX]; /* per port, 8 of them: who asks */
} rf_unwritten_in;

typedef struct rf_unwritten_out {
    uint8_t waits; /* 8 bits: the register is not written yet */
} rf_unwritten_out;

typedef struct rf_unwritten {
    rf_unwritten_cfg cfg;
    uint8_t bit_q[RF_PREGS_MAX]; /* per register */
} rf_unwritten;                  /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_unwritten_check(const rf_unwritten_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_unwritten_init(rf_unwritten *m, const rf_unwritten_cfg *cfg);
void rf_unwritten_reset(rf_unwritten *m);
/* Outputs of this cycle. */
void rf_unwritten_comb(const rf_unwritten *m, const rf_unwritten_in *in, rf_unwritten_out *out);
/* The rising clock edge. */
void rf_unwritten_clock(rf_unwritten *m, const rf_unwritten_in *in);
/* rf_unwritten_comb, then rf_unwritten_clock, in one pass. */
void rf_unwritten_step(rf_unwritten *m, const rf_unwritten_in *in, rf_unwritten_out *out);

#ifdef __cplusplus
}
#endif
#endif
