/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of a run that a slow model counts by the words of the unit's page, beside those that the bench counts in the model's
 * wires. To be included behind COUNTERS(X), the list of those that are whole numbers. */
#ifndef RF_JUDGE_COUNT_H
#define RF_JUDGE_COUNT_H

#include <math.h>

#include "tb/common/judge/judge.h"

#define COUNTER_NAME(name) C_##name,
#define COUNTER_TEXT(name) #name,
enum { COUNTERS(COUNTER_NAME) COUNTS };
static const char *const counter_names[COUNTS] = {COUNTERS(COUNTER_TEXT)};
static uint64_t counted[COUNTS]; /* of all runs */

/* Whether the counter is one of the list: then it must be as the slow model's. */
static inline bool judge_counter(judge *j, const char *name, double value, const uint64_t *of) {
    for (uint32_t i = 0; i < COUNTS; i++)
        if (strcmp(name, counter_names[i]) == 0) {
            judge_equal(j, name, 0, (uint64_t)value, of[i]);
            return true;
        }
    judge_passes(j); /* the others are made of these */
    return false;
}

/* A share, a mean or an energy. */
static inline void judge_figure(judge *j, const char *name, double value, double is) {
    j->compared++;
    if (fabs(value - is) > 1e-9 * (1 + fabs(is))) fail_msg("%s: %s is %.12g, not %.12g", j->where, name, value, is);
}

/* At the end of a run. */
static inline void judge_add_counts(const uint64_t *of) {
    for (uint32_t i = 0; i < COUNTS; i++) counted[i] += of[i];
}

#endif
