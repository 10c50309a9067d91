/* SPDX-License-Identifier: Apache-2.0 */
/* L2 and DRAM below an integrated memory or an L1D: data and time. Messages (rf_miss_queue.h) take effect in the order in which
 * they are taken; answers come when their latency is over, of equal ones in that order. */
#ifndef RF_CERF_L2_H
#define RF_CERF_L2_H

#include "cmodel/cerf/rf_cerf_types.h"
#include "harness/base/rng.h"
#include "tb/cerf/env/rf_line_store.h"
#include "tb/machine/env/rf_memory_below.h"

#define RF_CERF_ANSWERS_MAX 128u /* MSHRs of all banks */

typedef struct rf_cerf_message {
    uint8_t op, bank, entry;
    uint32_t line, mask;
    rf_vec data;
} rf_cerf_message;

typedef struct rf_cerf_answer {
    uint64_t due; /* cycle from which it is offered */
    uint8_t bank, entry;
    rf_vec data;
} rf_cerf_answer;

typedef struct rf_cerf_l2 {
    rf_line_store store;
    bool timed; /* by the machine's memory side, else by `latency` and `jitter` */
    rf_memory_below below;
    uint32_t latency;                           /* cycles from a message to its answer */
    uint32_t jitter;                            /* with probability jitter / 256 up to 4 times as many */
    uint32_t open;                              /* a message is taken in a cycle with probability open / 256 */
    uint32_t waiting;                           /* answers */
    rf_cerf_answer answer[RF_CERF_ANSWERS_MAX]; /* by due; answer[0] is offered, and stays so */
    uint64_t offered;                           /* since when answer[0] is; UINT64_MAX: it is not */
    ls_rng rng;
} rf_cerf_l2;

/* Lines of `lanes` words, those from `zero` on 0 at first. `memory`: links, L2 and DRAM of a machine, NULL: `latency` cycles. */
void rf_cerf_l2_init(rf_cerf_l2 *l2, uint32_t lanes, uint32_t zero, const rf_memory_cfg *memory, uint64_t seed);
void rf_cerf_l2_free(rf_cerf_l2 *l2);

/* Whether a message is taken in this cycle. */
bool rf_cerf_l2_ready(rf_cerf_l2 *l2);

/* The message taken in cycle `now`; returns the cycle in which its latency is over. */
uint64_t rf_cerf_l2_take(rf_cerf_l2 *l2, const rf_cerf_message *message, uint64_t now);

/* The answer offered in cycle `now`, or NULL. It is offered until rf_cerf_l2_answered. */
const rf_cerf_answer *rf_cerf_l2_offer(rf_cerf_l2 *l2, uint64_t now);
void rf_cerf_l2_answered(rf_cerf_l2 *l2);

#endif
