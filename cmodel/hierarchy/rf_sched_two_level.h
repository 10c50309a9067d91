/* SPDX-License-Identifier: Apache-2.0 */
/* Two-level warp scheduler [hierarchy 3]: WARPS warps, of which ACTIVE at most are active at a time. An active warp has a slot;
 * the others are pending. The inner level chooses among the ready active warps: POLICY 0 is rf_sched_gto over the slots (greedy,
 * then the one that has been active for longest), POLICY 1 is rf_sched_lrr over the slots. The outer level gives a free slot to a
 * ready pending warp, round-robin over the warps (rf_rr).
 *
 * A slot is free, active or leaving. In one cycle, from the registers:
 *   choice   the inner level's, among active slots whose warp is ready: valid, slot, warp. With `take` it issues.
 *   leave    with take: the chosen warp's instruction deschedules it ([hierarchy 7.9]: "an active warp should be descheduled
 *            after the current instruction"): at the edge its slot becomes leaving.
 *   hold     a leaving slot without its bit of `hold` becomes free at the edge; with it, it stays (its registers' entries are
 *            being written back). Of slots that are not leaving the bit means nothing.
 *   enter    when a slot is free and a pending warp is ready, enter_valid: the lowest free slot takes the warp that the
 *            round-robin chooses, at the edge; its pointer moves on behind that warp. It may be chosen from the next cycle on,
 * and is the youngest of the inner level (its input `launch`). One warp enters in a cycle. A warp in a leaving slot is not
 * pending. A slot that becomes free at an edge is taken in the next cycle at the earliest.
 *
 * ACTIVE = WARPS is the single-level scheduler of the same policy: warp w has slot w for ever, `leave` does nothing, no warp
 * enters, and the inner level's input `launch` is this unit's. Elsewhere `launch` means nothing here.
 * Reset: no warp is active (ACTIVE = WARPS: all are), the round-robin is at warp 0. All inputs are legal. */
#ifndef RF_SCHED_TWO_LEVEL_H
#define RF_SCHED_TWO_LEVEL_H

#include "cmodel/banked/rf_sched_gto.h"
#include "cmodel/banked/rf_sched_lrr.h"
#include "cmodel/hierarchy/rf_hierarchy_names.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_sched_two_level_cfg {
    uint32_t warps;  /* 1 .. 64 */
    uint32_t active; /* slots, 1 .. 32, at most warps */
    uint32_t policy; /* 0: greedy then oldest, 1: loose round-robin */
} rf_sched_two_level_cfg;

typedef struct rf_sched_two_level_in {
    uint64_t ready;  /* warps bits: has an instruction without hazard */
    uint64_t launch; /* warps bits: a new warp starts in this place; counts with ACTIVE = WARPS */
    uint8_t take;    /* the chosen warp issues (ignored when none is) */
    uint8_t leave;   /* with take: and is descheduled */
    uint32_t hold;   /* active bits: a leaving slot is not free yet */
} rf_sched_two_level_in;

typedef struct rf_sched_two_level_out {
    uint8_t valid;                    /* a warp is chosen */
    uint8_t slot;                     /* its slot, index_bits(active), 0 when none */
    uint8_t warp;                     /* its number, index_bits(warps), 0 when none */
    uint32_t held;                    /* active bits: the slot has a warp, active or leaving */
    uint32_t leaving;                 /* active bits */
    uint8_t slot_warp[RF_ACTIVE_MAX]; /* per slot: its warp, index_bits(warps); of a free slot the last one */
    uint8_t enter_valid;              /* a pending warp takes a slot at the edge */
    uint8_t enter_slot;               /* index_bits(active), 0 when none */
    uint8_t enter_warp;               /* index_bits(warps), 0 when none */
} rf_sched_two_level_out;

typedef struct rf_sched_two_level {
    rf_sched_two_level_cfg cfg;
    rf_sched_gto gto;              /* POLICY 0: instance gen_gto.u_inner */
    rf_sched_lrr lrr;              /* POLICY 1: instance gen_lrr.u_inner */
    rf_rr enter;                   /* ACTIVE < WARPS: instance gen_outer.u_enter */
    uint32_t held_q;               /* active bits: out.held */
    uint32_t leaving_q;            /* active bits, part of held_q */
    uint8_t warp_q[RF_ACTIVE_MAX]; /* per slot, index_bits(warps); 0 after reset (ACTIVE = WARPS: its own number) */
} rf_sched_two_level;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_sched_two_level_check(const rf_sched_two_level_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_sched_two_level_init(rf_sched_two_level *m, const rf_sched_two_level_cfg *cfg);
void rf_sched_two_level_reset(rf_sched_two_level *m);
/* Outputs of this cycle; they depend on the registers and on `ready`. */
void rf_sched_two_level_comb(const rf_sched_two_level *m, const rf_sched_two_level_in *in, rf_sched_two_level_out *out);
/* The rising clock edge. */
void rf_sched_two_level_clock(rf_sched_two_level *m, const rf_sched_two_level_in *in);
/* rf_sched_two_level_comb, then rf_sched_two_level_clock, in one pass. */
void rf_sched_two_level_step(rf_sched_two_level *m, const rf_sched_two_level_in *in, rf_sched_two_level_out *out);

#ifdef __cplusplus
}
#endif
#endif
