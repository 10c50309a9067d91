/* SPDX-License-Identifier: Apache-2.0 */
/* Two-level round-robin warp scheduler ([bank stealing VI-B-1] names it; Narasiman et al., MICRO 2011): warps in fetch groups,
 * round-robin inside a group, and on to the next group only when no warp of the current one is ready: so the groups reach long
 * waits one after another.
 * Fetch group of warp w: w / FETCH; the last group may be smaller. The chosen warp is in the first fetch group with a ready warp,
 * cyclically from group_q on (group_q itself first); in that group it is the lowest ready warp of mask_q, else the lowest ready
 * warp.
 * take, with a ready warp: group_q takes the chosen warp's fetch group, mask_q all warps above it. launch has no effect.
 * other: the finalist of the selection tree that is not chosen ([bank stealing Fig. 7, IV-B-2]: "at one stage above the bottom
 * level of the tree, there are two warps"). The tree's halves are the warps below P/2 and those from P/2 on, P the smallest power
 * of two not below WARPS, whatever FETCH is. other is what the choice above gives among the ready warps of the half that does not
 * hold the chosen one; 0 when that half has no ready warp, and when WARPS = 1.
 * Same port list as rf_sched_gto and rf_sched_lrr. */
#ifndef RF_SCHED_GROUPS_H
#define RF_SCHED_GROUPS_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_sched_groups_cfg {
    uint32_t warps; /* 1 .. 64 */
    uint32_t fetch; /* warps of a fetch group, 1 .. 64; from WARPS on there is one group */
} rf_sched_groups_cfg;

typedef struct rf_sched_groups_in {
    uint64_t ready;  /* warps bits: has an instruction without hazard */
    uint64_t launch; /* warps bits: a new warp starts in this slot */
    uint8_t take;    /* the chosen warp issues (ignored when none is ready) */
} rf_sched_groups_in;

typedef struct rf_sched_groups_out {
    uint8_t valid;   /* a warp is chosen */
    uint8_t warp;    /* its index, index_bits(warps), 0 when none */
    uint64_t onehot; /* warps bits: the same, one hot */
    uint64_t other;  /* warps bits, at most one: the finalist that is not chosen */
} rf_sched_groups_out;

typedef struct rf_sched_groups {
    rf_sched_groups_cfg cfg;
    uint8_t group_q; /* the current fetch group, index_bits(ceil(warps / fetch)); 0 after reset */
    uint64_t mask_q; /* warps bits: the warps above the one that issued last; 0 after reset */
} rf_sched_groups;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_sched_groups_check(const rf_sched_groups_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_sched_groups_init(rf_sched_groups *m, const rf_sched_groups_cfg *cfg);
void rf_sched_groups_reset(rf_sched_groups *m);
/* Outputs of this cycle. */
void rf_sched_groups_comb(const rf_sched_groups *m, const rf_sched_groups_in *in, rf_sched_groups_out *out);
/* The rising clock edge. */
void rf_sched_groups_clock(rf_sched_groups *m, const rf_sched_groups_in *in);
/* rf_sched_groups_comb, then rf_sched_groups_clock, in one pass. */
void rf_sched_groups_step(rf_sched_groups *m, const rf_sched_groups_in *in, rf_sched_groups_out *out);

#ifdef __cplusplus
}
#endif
#endif
