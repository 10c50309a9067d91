/* SPDX-License-Identifier: Apache-2.0 */
/* European call options on a binomial tree, an option a block. A thread has four neighbouring nodes in registers and goes four
 * steps back at a time: it takes the next thread's four from shared memory, then works without exchange. Threads behind the end
 * of the shrinking level wait. Steps: a multiple of 4, at most 508. */
#include "gpu.h"

#define THREADS 128u
#define EACH 4u

__kernel void binomial(__global float *restrict value, __global const float4 *restrict option,
                       __global const float *restrict fall, uint steps) {
    __local float4 level[THREADS];
    const float4 own = option[BLOCK_X]; /* price, strike, logarithm of a step, discounted chance of a rise */
    const float up = own.w, down = fall[BLOCK_X];
    const uint first = TID_X * EACH;
    float v[2 * EACH];
#pragma unroll
    for (uint k = 0; k < EACH; k++) {
        const float gain = FMA(own.x, EXP(own.z * (float)(2 * (int)(first + k) - (int)steps)), -own.y);
        v[k] = gain > 0.0f ? gain : 0.0f;
    }
    for (uint last = steps; last > 0; last -= EACH) {
        BARRIER();
        level[TID_X] = (float4)(v[0], v[1], v[2], v[3]);
        BARRIER();
        if (first + EACH <= last) {
            const float4 next = level[TID_X + 1];
            v[4] = next.x, v[5] = next.y, v[6] = next.z, v[7] = next.w;
#pragma unroll
            for (uint end = 2 * EACH - 1; end >= EACH; end--)
#pragma unroll
                for (uint k = 0; k < end; k++) v[k] = FMA(up, v[k + 1], down * v[k]);
        }
    }
    if (TID_X == 0) value[BLOCK_X] = v[0];
}
