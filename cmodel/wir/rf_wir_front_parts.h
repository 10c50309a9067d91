/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of the instruction in the reuse lane, in two steps: answers to the first one's outputs are inputs of the second.
 * Functions that a caller compiles in; rf_wir_front.h has the rules. */
#ifndef RF_WIR_FRONT_PARTS_H
#define RF_WIR_FRONT_PARTS_H

#include "cmodel/wir/rf_wir_front.h"

/* What it wants, once `allow`, `hit` and `wait` are known. `out` has lane_valid and lane_retry, and in lk_valid whether it looks
 * the reuse buffer up if `allow`. */
static inline void rf_wir_front_want(uint32_t retry, const rf_wir_front_in *in, rf_wir_front_out *out) {
    const uint32_t lk = out->lk_valid & in->allow, hit = lk & in->hit, wait = lk & in->wait & ~hit & retry;
    const uint32_t stays = wait & (uint32_t)(in->q_ready | out->lane_retry); /* goes to the queue, or to its tail */
    out->lk_valid = (uint8_t)lk;
    out->want_port = (uint8_t)hit;
    out->want_collector = (uint8_t)(out->lane_valid & ~(hit | stays) & 1);
}

/* What becomes of it, once `port` and `collector` are known, and of what is in the rename register. */
static inline void rf_wir_front_act(const rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out) {
    const uint32_t reused = out->want_port & in->port, executed = out->want_collector & in->collector;
    const uint32_t stays = out->lane_valid & ~(uint32_t)(out->want_port | out->want_collector), retry = out->lane_retry;
    const uint32_t queues = stays & ~retry, leaves = reused | queues | executed;
    const uint32_t moves = m->rn_valid_q & ((m->ru_valid_q ^ 1u) | leaves);
    out->act = RF_WIR_NOTHING;
    if (reused) out->act = RF_WIR_REUSE;
    else if (executed) out->act = RF_WIR_EXECUTE;
    else if (stays) out->act = retry ? RF_WIR_ROTATE : RF_WIR_QUEUE;
    out->leads = (uint8_t)(executed & out->lk_valid & ~(uint32_t)in->wait);
    out->leaves = (uint8_t)leaves;
    out->moves = (uint8_t)moves;
    out->ready = (uint8_t)((m->rn_valid_q ^ 1u) | moves);
    out->st_valid = (uint8_t)(moves & m->rn_q.store);
    out->st_shared = (uint8_t)(out->st_valid & m->rn_q.store_shared);
}

#endif
