/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts of the physical registers ([WIR V-E, VII-E]: 12 x +1 and 12 x -1 a cycle, merged, two stages, 2 registers
 * out).
 *
 * Stage 1, the scheduler: at the edge of a cycle its requests are stored, those of one register merged into one. Port order: the
 * INCS first, then the DECS. Request p is stored in place p with the sum of all requests of its register in this cycle (-DECS ..
 * +INCS) if no lower request names the register; else place p is empty. Empty places hold register 0 and delta 0.
 * Stage 2, one cycle later: each place's delta is added to its register's count. A register whose new count is 0 is marked
 * dead (also when delta was 0).
 * Then: `free` offers up to FREES dead registers, the lowest ones, one a port, port 0 the lowest; they lose the mark at the edge
 * of that cycle (a mark set at the same edge stays): whoever takes them has no way to refuse. So a register is offered two cycles
 * after its last -1 at the earliest.
 * D-sticky: counts have COUNTW bits. A count that reaches or would exceed 2^COUNTW - 1 becomes 2^COUNTW - 1 and stays there:
 * never counted down, never free again until reset. A sum below 0 becomes 0 (nobody who counts right meets it). Requests for
 * registers out of range are ignored: they have no place.
 * `one`: the count of ask_reg is 1 (stage 2's; what is still in stage 1 does not count). A register out of range has no count. */
#ifndef RF_REFCOUNT_H
#define RF_REFCOUNT_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_REFCOUNT_PORTS_MAX 24u /* 6 for each of up to 4 issue groups */
#define RF_REFCOUNT_FREES_MAX 4u
#define RF_REFCOUNT_ASKS_MAX 4u

typedef struct rf_refcount_cfg {
    uint32_t pregs;  /* physical registers, 2 .. 1024 */
    uint32_t incs;   /* +1 ports, 1 .. 24 */
    uint32_t decs;   /* -1 ports, 1 .. 24 */
    uint32_t frees;  /* registers that become free in a cycle, 1 .. 4 */
    uint32_t asks;   /* counts that are looked at in a cycle, 1 .. 4 */
    uint32_t countw; /* bits of a count, 2 .. 16 (the WIR paper: 10) */
} rf_refcount_cfg;

typedef struct rf_refcount_in {
    uint32_t inc;                            /* incs bits */
    uint16_t inc_reg[RF_REFCOUNT_PORTS_MAX]; /* per port, index_bits(pregs) */
    uint32_t dec;                            /* decs bits */
    uint16_t dec_reg[RF_REFCOUNT_PORTS_MAX]; /* per port, index_bits(pregs) */
    uint16_t ask_reg[RF_REFCOUNT_ASKS_MAX];  /* per port, index_bits(pregs) */
} rf_refcount_in;

typedef struct rf_refcount_out {
    uint8_t free;                             /* frees bits */
    uint16_t free_reg[RF_REFCOUNT_FREES_MAX]; /* per port, 0 when none */
    uint8_t one;                              /* asks bits */
} rf_refcount_out;

typedef struct rf_refcount {
    rf_refcount_cfg cfg;
    uint64_t place_q;                           /* incs + decs bits: stage 1, the place holds a request */
    uint16_t reg_q[2 * RF_REFCOUNT_PORTS_MAX];  /* per place, index_bits(pregs) */
    uint8_t delta_q[2 * RF_REFCOUNT_PORTS_MAX]; /* per place: 6 bits, two's complement */
    uint16_t count_q[RF_PREGS_MAX];             /* per register, countw bits */
    uint64_t dead_q[RF_PREGS_MAX / 64];         /* register r: bit r mod 64 of word r / 64; min(pregs, 64) bits a word */
} rf_refcount;                                  /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_refcount_check(const rf_refcount_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_refcount_init(rf_refcount *m, const rf_refcount_cfg *cfg);
void rf_refcount_reset(rf_refcount *m);
/* Outputs of this cycle; only `one` depends on an input of the same cycle, on ask_reg. */
void rf_refcount_comb(const rf_refcount *m, const rf_refcount_in *in, rf_refcount_out *out);
/* The rising clock edge. */
void rf_refcount_clock(rf_refcount *m, const rf_refcount_in *in);
/* rf_refcount_comb, then rf_refcount_clock, in one pass. */
void rf_refcount_step(rf_refcount *m, const rf_refcount_in *in, rf_refcount_out *out);

#ifdef __cplusplus
}
#endif
#endif
