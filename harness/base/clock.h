/* SPDX-License-Identifier: Apache-2.0 */
/* Time that only goes forward. */
#ifndef LS_CLOCK_H
#define LS_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment: differences are wall time, whatever is done to the date. Never fails. */
static inline double ls_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
