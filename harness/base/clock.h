/* SPDX-License-Identifier: Apache-2.0 */
/* Time that only goes forward, and the work done in it. */
#ifndef LS_CLOCK_H
#define LS_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment: differences are wall time, whatever is done to the date. Never fails. */
static inline double ls_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds of processor time that this process has taken. */
static inline double ls_work_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
