/* SPDX-License-Identifier: Apache-2.0 */
/* Adaptive STHLD [Malekeh 7]: every INTERVAL cycles the instructions issued are compared with those of the interval before,
 * and a state machine walks STHLD along the curve of IPC over STHLD towards its knee.
 *
 * The drawing of the state machine (Fig. 4) is lost: states, edges and deltas here are OUR RECONSTRUCTION from the text, which
 * fixes: six states, start in 1, rest in 6 until a large change, S and L are small and large relative changes, * either, every
 * edge adds a delta; on L from rest a speculative increase and state 3; when it was harmful a decrease, then some more steps to
 * the knee.
 *
 *   state            on   to  delta        why
 *   1 start          *    2   + CLIMB      nothing to compare with yet
 *   2 climb          S    2   + CLIMB      flat: go on
 *                    L    3   + SPECULATE  the knee, or a new phase: bet on a new phase with a wider flat region (Fig. 5d)
 *   3 speculate      S    2   + CLIMB      the bet was right: climb on
 *                    L    4   - BACK       it was harmful: undo the bet and the step before it
 *   4 back           *    5   + PROBE      the change measured here is that of the way back, it says nothing: one small step up
 *       at STHLD 0   *    6   0            nothing further down: a knee below PROBE would be probed for ever
 *   5 probe          S    6   0            still flat: this is the knee, to PROBE
 *                    L    4   - UNDO       still steep (Fig. 5c): further down
 *   6 rest           S    6   0
 *                    L    3   + SPECULATE
 *
 * Deltas that converge: SPECULATE >= CLIMB, BACK = SPECULATE + CLIMB, PROBE = CLIMB, UNDO = 2 * CLIMB; the defaults, here and in
 * rf_malekeh, are CLIMB 4, SPECULATE 8, BACK 12, PROBE 4, UNDO 8. They rest within CLIMB of the knee (in 0 when it is below UNDO)
 * on every curve on which a step of CLIMB beyond the knee is L. With PROBE < CLIMB a step of PROBE must be L there too, else
 * state 5 takes any point of the slope for the knee; with UNDO <= PROBE the states 4 and 5 alternate for ever.
 * Not found: a knee within CLIMB + SPECULATE of 255, and the way back from where IPC falls no further (S and L have no sign: it
 * looks like a flat region, and STHLD climbs to 255).
 *
 * STHLD stays within 0 and 255. L: |now - before| * 256 > LARGE * before; with before = 0: L when now is not 0.
 * An interval ends with the cycle in which cycle_q is INTERVAL - 1: the instructions of that cycle belong to it. At that edge
 * state, STHLD and prev_q (its instructions) change, cycle_q and count_q start from 0. */
#ifndef RF_STHLD_H
#define RF_STHLD_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_sthld_cfg {
    uint32_t issues;   /* instructions issued in a cycle, at most: 1 .. 4 */
    uint32_t interval; /* cycles, 2 .. 65535 ([Malekeh 7]: 10000) */
    uint32_t large;    /* a change above large / 256 of the interval before is L, 1 .. 255 */
    uint32_t first;    /* STHLD after reset, 0 .. 255 */
    uint32_t climb;    /* deltas, 0 .. 255 */
    uint32_t speculate;
    uint32_t back;
    uint32_t probe;
    uint32_t undo;
} rf_sthld_cfg;

typedef struct rf_sthld_in {
    uint8_t issued; /* index_bits(issues + 1): instructions issued in this cycle; above `issues` counts as it is */
} rf_sthld_in;

typedef struct rf_sthld_out {
    uint8_t sthld; /* sthld_q */
} rf_sthld_out;

typedef struct rf_sthld {
    rf_sthld_cfg cfg;
    uint8_t state_q;  /* 3 bits, 1 .. 6; 1 after reset */
    uint8_t sthld_q;  /* 8 bits; first after reset */
    uint16_t cycle_q; /* index_bits(interval): cycles of this interval; 0 after reset */
    uint32_t count_q; /* index_bits(interval * 7 + 1): instructions of this interval; 0 after reset */
    uint32_t prev_q;  /* as count_q: instructions of the interval before; 0 after reset */
} rf_sthld;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_sthld_check(const rf_sthld_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_sthld_init(rf_sthld *m, const rf_sthld_cfg *cfg);
void rf_sthld_reset(rf_sthld *m);
/* Outputs of this cycle. */
void rf_sthld_comb(const rf_sthld *m, const rf_sthld_in *in, rf_sthld_out *out);
/* The rising clock edge. */
void rf_sthld_clock(rf_sthld *m, const rf_sthld_in *in);
/* rf_sthld_comb, then rf_sthld_clock, in one pass. */
void rf_sthld_step(rf_sthld *m, const rf_sthld_in *in, rf_sthld_out *out);

#ifdef __cplusplus
}
#endif
#endif
