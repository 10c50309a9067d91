/* SPDX-License-Identifier: Apache-2.0 */
/* Dot product in double precision, one partial sum a block. */
#include "gpu.h"

#define THREADS 128u

__kernel void ddot(__global double *restrict out, __global const double *restrict x, __global const double *restrict y, uint n) {
    __local double part[THREADS];
    const uint t = TID_X;
    double sum = 0.0;
    for (uint i = GLOBAL_X; i < n; i += BLOCKS_X * THREADS) sum = FMA64(x[i], y[i], sum);
    part[t] = sum;
    BARRIER();
#pragma unroll
    for (uint span = THREADS / 2; span > 0; span /= 2) {
        if (t < span) part[t] += part[t + span];
        BARRIER();
    }
    if (t == 0) out[BLOCK_X] = part[0];
}
