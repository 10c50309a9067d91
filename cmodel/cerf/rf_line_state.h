/* SPDX-License-Identifier: Apache-2.0 */
/* State of one entry of the integrated memory [CERF III-D-2, Fig. 6]: combinational. From the state and what happens to the
 * entry, the next state; and whether its content would be lost if it were replaced.
 *
 * event       INACTIVE  REG       CACHE     DIRTY
 * NONE        INACTIVE  REG       CACHE     DIRTY
 * WRITE_REG   REG       REG       REG       REG        "setting up a new register entry"; of CACHE "replaced by a register"
 * DIE         INACTIVE  INACTIVE  CACHE     DIRTY      the dead bit concerns registers
 * FILL_REG    REG       REG       REG       REG        a spilled register comes back
 * FILL_CACHE  CACHE     CACHE     CACHE     CACHE      "happens on a load instruction"
 * STORE       INACTIVE  REG       DIRTY     DIRTY      "updated by a store"; a store that misses allocates nothing (D-store-miss)
 * DROP        INACTIVE  INACTIVE  INACTIVE  INACTIVE
 *
 * spill: REG and DIRTY. "The dirty data should be written back to L2"; of a register L2's copy, if any, is older (D-spill: also
 * when it was not written since it came back: there is no state for it). An entry that is replaced takes WRITE_REG, FILL_REG or
 * FILL_CACHE; who asks does the writing back. */
#ifndef RF_LINE_STATE_H
#define RF_LINE_STATE_H

#include "cmodel/cerf/rf_cerf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_line_state_cfg {
    uint32_t entries; /* looked at in parallel, each on its own, 1 .. 8 */
} rf_line_state_cfg;

typedef struct rf_line_state_in {
    uint16_t state; /* entries x 2 bits: entry e at [2e +: 2] */
    uint32_t event; /* entries x 3 bits: entry e at [3e +: 3] */
} rf_line_state_in;

typedef struct rf_line_state_out {
    uint16_t next; /* entries x 2 bits */
    uint8_t spill; /* entries bits: from the state, whatever the event */
} rf_line_state_out;

typedef struct rf_line_state {
    rf_line_state_cfg cfg;
} rf_line_state;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_line_state_check(const rf_line_state_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_line_state_init(rf_line_state *m, const rf_line_state_cfg *cfg);
void rf_line_state_reset(rf_line_state *m);
/* Outputs of this cycle. */
void rf_line_state_comb(const rf_line_state *m, const rf_line_state_in *in, rf_line_state_out *out);
/* The rising clock edge: nothing. */
void rf_line_state_clock(rf_line_state *m, const rf_line_state_in *in);
/* rf_line_state_comb, then rf_line_state_clock, in one pass. */
void rf_line_state_step(rf_line_state *m, const rf_line_state_in *in, rf_line_state_out *out);

#ifdef __cplusplus
}
#endif
#endif
