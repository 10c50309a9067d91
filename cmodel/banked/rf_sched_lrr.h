/* SPDX-License-Identifier: Apache-2.0 */
/* Loose round-robin warp scheduler: the next ready warp above the one that issued last, cyclically; warps that are not ready lose
 * their turn.
 * other: the finalist of the selection tree that is not chosen ([bank stealing Fig. 7, IV-B-2]: "at one stage above the bottom
 * level of the tree, there are two warps"). The tree's halves are the warps below P/2 and those from P/2 on, P the smallest power
 * of two not below WARPS. other is the ready warp that comes first, cyclically above the one that issued last, in the half that
 * does not hold the chosen one; 0 when that half has no ready warp, and when WARPS = 1.
 * Same port list as rf_sched_gto and rf_sched_groups; launch has no effect. */
#ifndef RF_SCHED_LRR_H
#define RF_SCHED_LRR_H

#include "cmodel/common/rf_rr.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_sched_lrr_cfg {
    uint32_t warps; /* 1 .. 64 */
} rf_sched_lrr_cfg;

typedef struct rf_sched_lrr_in {
    uint64_t ready;  /* warps bits: has an instruction without hazard */
    uint64_t launch; /* warps bits: a new warp starts in this slot */
    uint8_t take;    /* the chosen warp issues (ignored when none is ready) */
} rf_sched_lrr_in;

typedef struct rf_sched_lrr_out {
    uint8_t valid;   /* a warp is chosen */
    uint8_t warp;    /* its index, index_bits(warps), 0 when none */
    uint64_t onehot; /* warps bits: the same, one hot */
    uint64_t other;  /* warps bits, at most one: the finalist that is not chosen */
} rf_sched_lrr_out;

typedef struct rf_sched_lrr {
    rf_sched_lrr_cfg cfg;
    rf_rr rr; /* instance u_rr */
} rf_sched_lrr;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_sched_lrr_check(const rf_sched_lrr_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_sched_lrr_init(rf_sched_lrr *m, const rf_sched_lrr_cfg *cfg);
void rf_sched_lrr_reset(rf_sched_lrr *m);
/* Outputs of this cycle. */
void rf_sched_lrr_comb(const rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out);
/* The rising clock edge. */
void rf_sched_lrr_clock(rf_sched_lrr *m, const rf_sched_lrr_in *in);
/* rf_sched_lrr_comb, then rf_sched_lrr_clock, in one pass. */
void rf_sched_lrr_step(rf_sched_lrr *m, const rf_sched_lrr_in *in, rf_sched_lrr_out *out);

#ifdef __cplusplus
}
#endif
#endif
