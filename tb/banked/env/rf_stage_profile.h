/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic profile of an operand stage: how ready its ports are, how late its results come. In a workload always the same,
 * in random streams drawn anew in every phase. */
#ifndef RF_STAGE_PROFILE_H
#define RF_STAGE_PROFILE_H

#include "tb/banked/env/rf_stage_env.h"

/* Probabilities in 256ths. */
typedef struct rf_stage_profile {
    uint32_t accept[RF_EXPORTS_MAX]; /* a port with room is ready */
    uint32_t jitter;                 /* a latency is up to 4 times as long */
    uint32_t bubble;                 /* no head in the instruction buffer after an issue */
    uint32_t hold;                   /* shift: no results in every second 2^hold cycles; 0: never */
    uint32_t pipe;                   /* room of a port */
    uint32_t active;                 /* warp slots in use */
} rf_stage_profile;

/* Those of a workload: nothing is late and every warp slot in use. */
rf_stage_profile rf_stage_profile_plain(const rf_stage_cfg *cfg);

/* Draws those of a phase of this kind. */
void rf_stage_profile_draw(rf_stage_profile *n, const rf_stage_cfg *cfg, rf_stream_kind kind, ls_rng *rng);

#endif
