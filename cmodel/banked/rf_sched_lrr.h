/* SPDX-License-Identifier: Apache-2.0 */
/* Loose round-robin warp scheduler: the next ready warp above the one that issued last, cyclically; warps that are not ready lose
 * their turn. Same port list as rf_sched_gto; launch has no effect. */
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
