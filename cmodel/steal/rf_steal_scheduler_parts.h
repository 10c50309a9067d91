/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_steal_scheduler: for rf_steal_scheduler.c and for those who hold one. */
#ifndef RF_STEAL_SCHEDULER_PARTS_H
#define RF_STEAL_SCHEDULER_PARTS_H

#include "cmodel/steal/rf_steal_scheduler.h"

/* The candidate that counts, one hot. */
static inline uint64_t rf_steal_scheduler_candidate(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in) {
    return m->candidate_q & in->ready;
}

/* The candidate issues. */
static inline bool rf_steal_scheduler_steals(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in) {
    return in->steal && rf_steal_scheduler_candidate(m, in) != 0;
}

/* Multiplexer m1: the warp that issues, one hot. */
static inline uint64_t rf_steal_scheduler_warp(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in) {
    return rf_steal_scheduler_steals(m, in) ? rf_steal_scheduler_candidate(m, in) : in->current;
}

/* Output host_take. */
static inline bool rf_steal_scheduler_host_take(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in) {
    return in->take && (rf_steal_scheduler_warp(m, in) & in->current) != 0;
}

/* Multiplexer m2: the next candidate, one hot. */
static inline uint64_t rf_steal_scheduler_next(const rf_steal_scheduler *m, const rf_steal_scheduler_in *in) {
    const bool same = (rf_steal_scheduler_candidate(m, in) & in->current) != 0;
    return rf_steal_scheduler_steals(m, in) && !same ? in->current : in->other;
}

/* The number of the set bit, 0 when there is none, the OR of the numbers when there are several: what an encoder gives. */
static inline uint32_t rf_steal_scheduler_number(uint64_t onehot) {
    uint32_t number = 0;
    for (uint64_t left = onehot; left != 0; left &= left - 1) number |= rf_lowest(left);
    return number;
}

#endif
