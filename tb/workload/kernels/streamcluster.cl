/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming clustering: what would change if the candidate became a centre. A point a thread, stored dimension by dimension, the
 * candidate in shared memory. A point that would be nearer to it switches and saves there; any other loses what its own centre
 * would save by closing. */
#include "gpu.h"

#define DIMENSIONS_MAX 64

__kernel void streamcluster(__global float *restrict saved, __global int *restrict switches, __global const float *restrict point,
                            __global const float *restrict weight, __global const float *restrict cost,
                            __global const int *restrict centre, uint n, uint dimensions, uint centres, uint candidate) {
    __local float place[DIMENSIONS_MAX];
    for (uint d = TID_X; d < dimensions; d += THREADS_X) place[d] = point[d * n + candidate];
    BARRIER();
    const uint i = GLOBAL_X;
    if (i >= n) return;
    float distance = 0.0f;
    for (uint d = 0; d < dimensions; d++) {
        const float along = point[d * n + i] - place[d];
        distance = FMA(along, along, distance);
    }
    const float change = FMA(distance, weight[i], -cost[i]);
    __global float *const row = saved + i * (centres + 1); /* for each centre, and last the candidate */
    if (change < 0.0f) {
        switches[i] = 1;
        row[centres] = change;
    } else row[centre[i]] = -change;
}
