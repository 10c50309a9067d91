/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy-then-oldest warp scheduler: the warp that issued last while it is ready, else the oldest ready warp. Age is the order of
 * launches: older_q is an age matrix, so that the oldest is found in one bit-parallel step.
 * launch: the slot starts a new warp, which becomes the youngest of all (of several in one cycle the lower index is the older)
 * and is no longer the one that issued last. launch acts at the edge, before take.
 * other: the finalist of the selection tree that is not chosen ([bank stealing Fig. 7, IV-B-2]: "at one stage above the bottom
 * level of the tree, there are two warps"). The tree's halves are the warps below P/2 and those from P/2 on, P the smallest power
 * of two not below WARPS. other is the oldest ready warp of the half that does not hold the chosen one; 0 when that half has no
 * ready warp, and when WARPS = 1.
 * Same port list as rf_sched_lrr and rf_sched_groups. */
#ifndef RF_SCHED_GTO_H
#define RF_SCHED_GTO_H

#include "cmodel/banked/rf_sched_age.h"
#include "cmodel/common/rf_rr.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_sched_gto_cfg {
    uint32_t warps; /* 1 .. 64 */
} rf_sched_gto_cfg;

typedef struct rf_sched_gto_in {
    uint64_t ready;  /* warps bits: has an instruction without hazard */
    uint64_t launch; /* warps bits: a new warp starts in this slot */
    uint8_t take;    /* the chosen warp issues (ignored when none is ready) */
} rf_sched_gto_in;

typedef struct rf_sched_gto_out {
    uint8_t valid;   /* a warp is chosen */
    uint8_t warp;    /* its index, index_bits(warps), 0 when none */
    uint64_t onehot; /* warps bits: the same, one hot */
    uint64_t other;  /* warps bits, at most one: the finalist that is not chosen */
} rf_sched_gto_out;

typedef struct rf_sched_gto {
    rf_sched_gto_cfg cfg;
    uint8_t last_valid_q;           /* last_q holds a warp; 0 after reset */
    uint8_t last_q;                 /* the warp that issued last, index_bits(warps); 0 after reset */
    uint64_t older_q[RF_WARPS_MAX]; /* per warp: warps bits, those older than it; after reset all with a lower index */
} rf_sched_gto;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_sched_gto_check(const rf_sched_gto_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_sched_gto_init(rf_sched_gto *m, const rf_sched_gto_cfg *cfg);
void rf_sched_gto_reset(rf_sched_gto *m);
/* Outputs of this cycle. */
void rf_sched_gto_comb(const rf_sched_gto *m, const rf_sched_gto_in *in, rf_sched_gto_out *out);
/* The rising clock edge. */
void rf_sched_gto_clock(rf_sched_gto *m, const rf_sched_gto_in *in);
/* rf_sched_gto_comb, then rf_sched_gto_clock, in one pass. */
void rf_sched_gto_step(rf_sched_gto *m, const rf_sched_gto_in *in, rf_sched_gto_out *out);

#ifdef __cplusplus
}
#endif
#endif
