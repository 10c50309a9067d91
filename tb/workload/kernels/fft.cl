/* SPDX-License-Identifier: Apache-2.0 */
/* Fourier transforms of 256 complex points, one a block of 64 threads: radix 4, four passes, points in natural order before and
 * after (Stockham). Points pass through shared memory between the passes; factors come from a table. */
#include "gpu.h"

#define POINTS 256u
#define THREADS (POINTS / 4)

static inline float2 times(float2 a, float2 b) { return (float2)(FMA(a.x, b.x, -(a.y * b.y)), FMA(a.x, b.y, a.y * b.x)); }

__kernel void fft(__global float2 *restrict out, __global const float2 *restrict in, __global const float2 *restrict turn) {
    __local float re[POINTS], im[POINTS];
    const uint t = TID_X, first = BLOCK_X * POINTS + t;
    float2 v[4];
#pragma unroll
    for (uint k = 0; k < 4; k++) v[k] = in[first + k * THREADS];
    for (uint span = 1;; span *= 4) { /* transforms of `span` points become ones of four times as many */
        const uint place = t & (span - 1), angle = place * (THREADS / span), to = 4 * t - 3 * place;
#pragma unroll
        for (uint k = 1; k < 4; k++) v[k] = times(v[k], turn[k * angle]);
        const float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        v[0] = a + c;
        v[1] = (float2)(b.x + d.y, b.y - d.x);
        v[2] = a - c;
        v[3] = (float2)(b.x - d.y, b.y + d.x);
        if (span == THREADS) break;
        BARRIER();
#pragma unroll
        for (uint k = 0; k < 4; k++) {
            re[to + k * span] = v[k].x;
            im[to + k * span] = v[k].y;
        }
        BARRIER();
#pragma unroll
        for (uint k = 0; k < 4; k++) v[k] = (float2)(re[t + k * THREADS], im[t + k * THREADS]);
    }
#pragma unroll
    for (uint k = 0; k < 4; k++) out[first + k * THREADS] = v[k];
}
