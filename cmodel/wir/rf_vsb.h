/* SPDX-License-Identifier: Apache-2.0 */
/* Value signature buffer [WIR V-A]: which physical register holds the value with this hash. Direct-mapped: the entry of a hash is
 * hash mod ENTRIES. An entry is {valid, hash 32 bits, register}: 43 bits with 1024 registers.
 *
 * Each of ISSUES lanes looks its hash up, all in the state at the start of the cycle, answered in the same cycle. In that cycle
 * it may also write its entry (a miss: `write` with the new register) or drop it (`drop`; both: write wins). At the edge the
 * lanes act in order, lane 0 first, then the drop port (rnd_*): the last one stands. A lane's `freed` says that its write or drop
 * removes a valid entry, as the lanes before it leave it, and freed_reg whose reference ends; rnd_freed likewise after all lanes.
 * A drop clears valid alone: hash and register stay. No check that a lane that writes has missed: it may. Registers are carried
 * as they are; rnd_index counts mod ENTRIES. */
#ifndef RF_VSB_H
#define RF_VSB_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_vsb_cfg {
    uint32_t entries; /* a power of two, 1 .. 512 */
    uint32_t pregs;   /* physical registers, 2 .. 1024 */
    uint32_t issues;  /* lanes, 1 .. 4 */
} rf_vsb_cfg;

typedef struct rf_vsb_in {
    uint8_t lk_valid;                  /* issues bits: the lane looks its hash up */
    uint32_t lk_hash[RF_ISSUES_MAX];   /* per lane: 32 bits */
    uint8_t write;                     /* issues bits: its entry becomes {lk_hash, write_reg}; counts where lk_valid */
    uint16_t write_reg[RF_ISSUES_MAX]; /* per lane, index_bits(pregs) */
    uint8_t drop;                      /* issues bits: its entry becomes invalid, whatever hash it has; counts where lk_valid */
    uint8_t rnd_drop;                  /* entry rnd_index becomes invalid */
    uint16_t rnd_index;                /* index_bits(entries) */
} rf_vsb_in;

typedef struct rf_vsb_out {
    uint8_t hit;                       /* issues bits: looked up, and its entry is valid and has this hash */
    uint16_t hit_reg[RF_ISSUES_MAX];   /* per lane: its register, 0 without a hit */
    uint8_t freed;                     /* issues bits: the lane removes a valid entry in this cycle */
    uint16_t freed_reg[RF_ISSUES_MAX]; /* per lane: its register, 0 when none */
    uint8_t rnd_freed;                 /* the drop port removes a valid entry */
    uint16_t rnd_freed_reg;            /* its register, 0 when none */
} rf_vsb_out;

typedef struct rf_vsb {
    rf_vsb_cfg cfg;
    uint8_t valid_q[RF_VSB_ENTRIES_MAX]; /* per entry */
    uint32_t hash_q[RF_VSB_ENTRIES_MAX];
    uint16_t reg_q[RF_VSB_ENTRIES_MAX];
} rf_vsb; /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_vsb_check(const rf_vsb_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_vsb_init(rf_vsb *m, const rf_vsb_cfg *cfg);
void rf_vsb_reset(rf_vsb *m);
/* Outputs of this cycle. */
void rf_vsb_comb(const rf_vsb *m, const rf_vsb_in *in, rf_vsb_out *out);
/* The rising clock edge. */
void rf_vsb_clock(rf_vsb *m, const rf_vsb_in *in);
/* rf_vsb_comb, then rf_vsb_clock, in one pass. */
void rf_vsb_step(rf_vsb *m, const rf_vsb_in *in, rf_vsb_out *out);

#ifdef __cplusplus
}
#endif
#endif
