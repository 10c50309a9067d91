/* SPDX-License-Identifier: Apache-2.0 */
/* Sum of an array, one partial sum a block of 256 threads: first each thread over a grid stride, then a tree in shared memory
 * (reduce_tree) or shuffles within the warps and one exchange between them (reduce_shuffle). */
#include "gpu.h"

#define THREADS 256u

static inline float strided_sum(__global const float *in, uint n) {
    float sum = 0.0f;
    for (uint i = GLOBAL_X; i < n; i += BLOCKS_X * THREADS) sum += in[i];
    return sum;
}

__kernel void reduce_tree(__global float *restrict out, __global const float *restrict in, uint n) {
    __local float part[THREADS];
    const uint t = TID_X;
    part[t] = strided_sum(in, n);
    BARRIER();
    for (uint span = THREADS / 2; span > 0; span /= 2) {
        if (t < span) part[t] += part[t + span];
        BARRIER();
    }
    if (t == 0) out[BLOCK_X] = part[0];
}

__kernel void reduce_shuffle(__global float *restrict out, __global const float *restrict in, uint n) {
    __local float part[THREADS / WARP];
    const uint t = TID_X;
    float sum = strided_sum(in, n);
#pragma unroll
    for (uint delta = WARP / 2; delta > 0; delta /= 2) sum += SHUFFLE_DOWN_F32(sum, delta);
    if (LANE == 0) part[t / WARP] = sum;
    BARRIER();
    if (t >= WARP) return;
    sum = t < THREADS / WARP ? part[t] : 0.0f;
#pragma unroll
    for (uint delta = THREADS / WARP / 2; delta > 0; delta /= 2) sum += SHUFFLE_DOWN_F32(sum, delta);
    if (t == 0) out[BLOCK_X] = sum;
}
