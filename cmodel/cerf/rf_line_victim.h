/* SPDX-License-Identifier: Apache-2.0 */
/* Replacement in one set of the integrated memory [CERF III-D-1]: combinational. Which way gives its entry to a newcomer, a
 * register or cache data, by states and ages (0 the youngest).
 *
 * An inactive entry first, the lowest way of them. Else the oldest of those that the policy allows:
 *   FAIR       all ways, "regardless of what kind of data".
 *   REGISTERS  those that hold cache data (CACHE, DIRTY), for a register and for cache data: "the newly arrived register can
 *              replace cache data if no other inactive entries are found", and no cache data replaces a register.
 *   CACHE      those that hold registers; cache data that finds none takes the oldest way (a register that finds none gets no
 *              place).
 * Of equal ages (which no set of an rf_tag_bank has) the lowest way. None is allowed: valid is 0 and way 0; the newcomer goes
 * around the memory (D-bypass). */
#ifndef RF_LINE_VICTIM_H
#define RF_LINE_VICTIM_H

#include "cmodel/cerf/rf_cerf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_line_victim_cfg {
    uint32_t ways;   /* 1 .. 8 */
    uint32_t policy; /* 0: fair, 1: registers first, 2: cache data first */
} rf_line_victim_cfg;

typedef struct rf_line_victim_in {
    uint16_t state; /* ways x 2 bits: way w at [2w +: 2] */
    uint32_t age;   /* ways x index_bits(ways) bits: way w at [w x index_bits(ways) +: index_bits(ways)] */
    uint8_t cache;  /* the newcomer is cache data, not a register */
} rf_line_victim_in;

typedef struct rf_line_victim_out {
    uint8_t valid; /* there is a way for it */
    uint8_t way;   /* index_bits(ways) */
} rf_line_victim_out;

typedef struct rf_line_victim {
    rf_line_victim_cfg cfg;
} rf_line_victim;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_line_victim_check(const rf_line_victim_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_line_victim_init(rf_line_victim *m, const rf_line_victim_cfg *cfg);
void rf_line_victim_reset(rf_line_victim *m);
/* Outputs of this cycle. */
void rf_line_victim_comb(const rf_line_victim *m, const rf_line_victim_in *in, rf_line_victim_out *out);
/* The rising clock edge: nothing. */
void rf_line_victim_clock(rf_line_victim *m, const rf_line_victim_in *in);
/* rf_line_victim_comb, then rf_line_victim_clock, in one pass. */
void rf_line_victim_step(rf_line_victim *m, const rf_line_victim_in *in, rf_line_victim_out *out);

#ifdef __cplusplus
}
#endif
#endif
