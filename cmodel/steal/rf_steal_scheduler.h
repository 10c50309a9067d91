/* SPDX-License-Identifier: Apache-2.0 */
/* Read stealing's addition to a warp scheduler [bank stealing IV-B-2, IV-B-3, Fig. 7]: the candidate warp, and the three
 * multiplexers that let it issue ahead of its turn.
 *
 * The host scheduler's selection tree has two finalists, the best ready warp of each half: `current`, which it selects, and
 * `other`.
 *   candidate   in the cycle after, the operands of the candidate are those that may be read ahead of the issue
 *   m1          the warp that issues: the candidate of the cycle before when its operands are being read ahead (steal), else
 *               current
 *   m2          the next candidate: current when the candidate issues now, else other; other as well when current *is* the
 *               candidate that issues now, which the paper does not mention: a warp's next instruction is not known yet
 *   m3          current and other out of the two finalists, by the tree's last selection: the host scheduler's job
 * The host is told of an issue only when its own choice issues (host_take): a warp that goes ahead leaves its turn as it was, so
 * that greedy Wa, Wa, Wb, Wb becomes Wa, Wb, Wa, Wb (IV-B-3).
 *
 * The candidate counts while its warp is ready (candidate_q & ready, used throughout). `steal` is heeded only when there is a
 * candidate that counts; then it turns m1 and m2 whether take is set or not. No output but `warp` and `host_take` depends on
 * `steal`, which comes late, from the arbiter. host_take is set when take is and the warp that issues is current, be it because
 * the candidate does not issue or because it is current. It is 0 when there is no current warp. */
#ifndef RF_STEAL_SCHEDULER_H
#define RF_STEAL_SCHEDULER_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_steal_scheduler_cfg {
    uint32_t warps; /* 1 .. 64 */
} rf_steal_scheduler_cfg;

typedef struct rf_steal_scheduler_in {
    uint64_t ready;   /* warps bits: an instruction without hazard */
    uint64_t current; /* warps bits, at most one: the warp that the host selects */
    uint64_t other;   /* warps bits, at most one: the finalist that it does not select */
    uint8_t take;     /* the group's instruction issues: it has a collector */
    uint8_t steal;    /* an operand of the candidate is being read ahead */
} rf_steal_scheduler_in;

typedef struct rf_steal_scheduler_out {
    uint8_t candidate_valid; /* there is a candidate, and its warp is ready */
    uint8_t candidate;       /* its warp, index_bits(warps); 0 when there is none */
    uint8_t warp;            /* the warp that issues when take says so, index_bits(warps); 0 when there is none */
    uint8_t host_take;       /* the host's own choice issues */
} rf_steal_scheduler_out;

typedef struct rf_steal_scheduler {
    rf_steal_scheduler_cfg cfg;
    uint64_t candidate_q; /* warps bits, at most one; 0 after reset. Takes m2's choice in every cycle, issue or not */
} rf_steal_scheduler;

/* All inputs are defined. With more than one bit in current, other or the candidate that counts, an index is the OR of the
 * indices, as encoders of one-hot vectors give it, and current *is* the candidate when they share a bit. ready = 0 lets no
 * candidate count, whatever steal says. */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_steal_scheduler_check(const rf_steal_scheduler_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_steal_scheduler_init(rf_steal_scheduler *m, const rf_steal_scheduler_cfg *cfg);
void rf_steal_scheduler_reset(rf_steal_scheduler *m);
/* Outputs of this cycle. */
void rf_steal_scheduler_comb(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in, rf_steal_scheduler_out *out);
/* The rising clock edge. */
void rf_steal_scheduler_clock(rf_steal_scheduler *m, const rf_steal_scheduler_in *in);
/* rf_steal_scheduler_comb, then rf_steal_scheduler_clock, in one pass. */
void rf_steal_scheduler_step(rf_steal_scheduler *m, const rf_steal_scheduler_in *in, rf_steal_scheduler_out *out);

#ifdef __cplusplus
}
#endif
#endif
