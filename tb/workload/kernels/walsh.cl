/* SPDX-License-Identifier: Apache-2.0 */
/* Walsh-Hadamard transform in radix 4: walsh_pass combines points `span` apart in global memory, walsh_blocks does all passes
 * within 256 points in shared memory, walsh_product multiplies two transforms, so that the transform of the product is a dyadic
 * convolution. */
#include "gpu.h"

#define POINTS 256u
#define THREADS (POINTS / 4)

static inline void butterfly(float v[4]) {
    const float a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
    v[0] = a + c;
    v[1] = a - c;
    v[2] = b + d;
    v[3] = b - d;
}

__kernel void walsh_pass(__global float *data, uint span) {
    const uint i = GLOBAL_X, place = i & (span - 1), first = 4 * i - 3 * place;
    float v[4];
#pragma unroll
    for (uint k = 0; k < 4; k++) v[k] = data[first + k * span];
    butterfly(v);
#pragma unroll
    for (uint k = 0; k < 4; k++) data[first + k * span] = v[k];
}

__kernel void walsh_blocks(__global float *data) {
    __local float point[POINTS];
    const uint t = TID_X;
    float v[4];
    data += BLOCK_X * POINTS;
#pragma unroll
    for (uint k = 0; k < 4; k++) v[k] = data[t + k * THREADS];
    for (uint span = THREADS;; span /= 4) {
        butterfly(v);
        const uint place = t & (span - 1), first = 4 * t - 3 * place;
#pragma unroll
        for (uint k = 0; k < 4; k++) point[first + k * span] = v[k];
        BARRIER();
        if (span == 1) break;
        const uint next = span / 4, next_place = t & (next - 1), from = 4 * t - 3 * next_place;
#pragma unroll
        for (uint k = 0; k < 4; k++) v[k] = point[from + k * next];
        BARRIER();
    }
#pragma unroll
    for (uint k = 0; k < 4; k++) data[t + k * THREADS] = point[t + k * THREADS];
}

__kernel void walsh_product(__global float *restrict a, __global const float *restrict b, uint n, float scale) {
    for (uint i = GLOBAL_X; i < n; i += BLOCKS_X * THREADS_X) a[i] = scale * a[i] * b[i];
}
