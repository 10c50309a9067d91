/* SPDX-License-Identifier: Apache-2.0 */
/* Row pass of a separable filter of 17 taps: pixels through shared memory with eight more on either side (0 outside the image),
 * taps in constant memory; four pixels a thread. */
#include "gpu.h"

#define THREADS 64
#define EACH 4
#define RADIUS 8

__constant float taps[2 * RADIUS + 1] = {0.0044318f, 0.0101f, 0.0205f, 0.0370f, 0.0592f, 0.0840f, 0.1059f, 0.1186f,   0.1209364f,
                                         0.1186f,    0.1059f, 0.0840f, 0.0592f, 0.0370f, 0.0205f, 0.0101f, 0.0044318f};

__kernel void convolve(__global float *restrict out, __global const float *restrict in, int width) {
    __local float row[THREADS * EACH + 2 * RADIUS];
    const int t = (int)TID_X, first = (int)BLOCK_X * THREADS * EACH;
    __global const float *const line = in + (int)BLOCK_Y * width;
    for (int i = t; i < THREADS * EACH + 2 * RADIUS; i += THREADS) {
        const int x = first - RADIUS + i;
        row[i] = x >= 0 && x < width ? line[x] : 0.0f;
    }
    BARRIER();
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int x = first + e * THREADS + t;
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k <= 2 * RADIUS; k++) sum = FMA(taps[k], row[e * THREADS + t + k], sum);
        if (x < width) out[(int)BLOCK_Y * width + x] = sum;
    }
}
