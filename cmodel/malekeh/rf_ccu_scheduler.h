/* SPDX-License-Identifier: Apache-2.0 */
/* Issue scheduler of Malekeh [Malekeh 5]: ready warps with data in a caching collector before the others, inside each class
 * the oldest first. Age is the order of launches, in an age matrix as in rf_sched_gto: a launched warp becomes the youngest of
 * all (of several in one cycle the lower index is the older). Nothing is greedy: the oldest warp goes on
 * while it is ready. */
#ifndef RF_CCU_SCHEDULER_H
#define RF_CCU_SCHEDULER_H

#include "cmodel/banked/rf_sched_age.h"
#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_ccu_scheduler_cfg {
    uint32_t warps; /* 1 .. 64 */
} rf_ccu_scheduler_cfg;

typedef struct rf_ccu_scheduler_in {
    uint64_t ready;  /* warps bits: has an instruction without hazard */
    uint64_t held;   /* warps bits: has data in a CCU */
    uint64_t launch; /* warps bits: a new warp starts in this slot */
} rf_ccu_scheduler_in;

typedef struct rf_ccu_scheduler_out {
    uint8_t valid;   /* a warp is chosen */
    uint8_t warp;    /* its index, index_bits(warps), 0 when none */
    uint64_t onehot; /* warps bits: the same, one hot */
} rf_ccu_scheduler_out;

typedef struct rf_ccu_scheduler {
    rf_ccu_scheduler_cfg cfg;
    uint64_t older_q[RF_WARPS_MAX]; /* per warp: warps bits, those older than it; after reset all with a lower index */
} rf_ccu_scheduler;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_ccu_scheduler_check(const rf_ccu_scheduler_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_ccu_scheduler_init(rf_ccu_scheduler *m, const rf_ccu_scheduler_cfg *cfg);
void rf_ccu_scheduler_reset(rf_ccu_scheduler *m);
/* Outputs of this cycle. */
void rf_ccu_scheduler_comb(const rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in, rf_ccu_scheduler_out *out);
/* The rising clock edge. */
void rf_ccu_scheduler_clock(rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in);
/* rf_ccu_scheduler_comb, then rf_ccu_scheduler_clock, in one pass. */
void rf_ccu_scheduler_step(rf_ccu_scheduler *m, const rf_ccu_scheduler_in *in, rf_ccu_scheduler_out *out);

#ifdef __cplusplus
}
#endif
#endif
