/* SPDX-License-Identifier: Apache-2.0 */
/* Cheapest path through a grid from top to bottom, stepping down straight or to either side: a launch does `rows` rows, each
 * block its columns with a rim of `rows` on both sides, which shrinks row by row. */
#include "gpu.h"

#define THREADS 128

__kernel void pathfinder(__global int *restrict out, __global const int *restrict in, __global const int *restrict cost,
                         int columns, int rows) {
    __local int now[THREADS], next[THREADS];
    const int t = (int)TID_X, x = (int)BLOCK_X * (THREADS - 2 * rows) - rows + t;
    const bool inside = x >= 0 && x < columns;
    const int west = x > 0 ? t - 1 : t, east = x < columns - 1 ? t + 1 : t;
    if (inside) now[t] = in[x];
    BARRIER();
    for (int r = 0; r < rows; r++) {
        const bool valid = inside && t > r && t < THREADS - 1 - r;
        if (valid) next[t] = cost[r * columns + x] + MIN(MIN(now[west], now[east]), now[t]);
        BARRIER();
        if (valid) now[t] = next[t];
        BARRIER();
    }
    if (inside && t >= rows && t < THREADS - rows) out[x] = now[t];
}
