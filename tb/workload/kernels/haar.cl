/* SPDX-License-Identifier: Apache-2.0 */
/* Haar wavelets of a signal, seven levels: a block takes 128 samples, halves them level by level in shared memory and stores the
 * details, those of a level side by side behind all coarser ones. */
#include "gpu.h"

#define THREADS 64u
#define HALF_ROOT 0.707106781f

__kernel void haar(__global float *restrict out, __global const float *restrict in, uint n) {
    __local float now[2 * THREADS];
    const uint t = TID_X;
    now[t] = in[BLOCK_X * 2 * THREADS + t];
    now[t + THREADS] = in[BLOCK_X * 2 * THREADS + THREADS + t];
    for (uint live = THREADS, level = n / 2; live > 0; live /= 2, level /= 2) {
        float a = 0.0f, b = 0.0f;
        BARRIER();
        if (t < live) {
            a = now[2 * t];
            b = now[2 * t + 1];
        }
        BARRIER();
        if (t < live) {
            out[level + BLOCK_X * live + t] = HALF_ROOT * (a - b);
            now[t] = HALF_ROOT * (a + b);
        }
    }
    if (t == 0) out[BLOCK_X] = now[0];
}
