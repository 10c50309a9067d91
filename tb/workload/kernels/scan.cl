/* SPDX-License-Identifier: Apache-2.0 */
/* Exclusive prefix sum of 32-bit integers in three launches: scan_blocks makes each block's scan and total, scan_blocks over the
 * totals (one block), scan_add brings the totals to the elements. Two elements a thread; Kogge and Stone's scan by shuffles in a
 * warp, one warp for the warps' totals. */
#include "gpu.h"

#define THREADS 256u

static inline uint warp_scan(uint value) { /* inclusive */
#pragma unroll
    for (uint delta = 1; delta < WARP; delta *= 2) {
        const uint other = (uint)SHUFFLE_UP_S32((int)value, delta);
        if (LANE >= delta) value += other;
    }
    return value;
}

__kernel void scan_blocks(__global uint *restrict out, __global uint *restrict total, __global const uint *restrict in, uint n) {
    __local uint warp_total[THREADS / WARP];
    const uint t = TID_X, i = (BLOCK_X * THREADS + t) * 2;
    const uint low = i < n ? in[i] : 0, high = i + 1 < n ? in[i + 1] : 0;
    const uint through = warp_scan(low + high);
    if (LANE == WARP - 1) warp_total[t / WARP] = through;
    BARRIER();
    if (t < WARP) {
        const uint sum = warp_scan(t < THREADS / WARP ? warp_total[t] : 0);
        if (t < THREADS / WARP) warp_total[t] = sum;
        if (t == THREADS / WARP - 1) total[BLOCK_X] = sum;
    }
    BARRIER();
    const uint before = (t < WARP ? 0 : warp_total[t / WARP - 1]) + through - low - high;
    if (i < n) out[i] = before;
    if (i + 1 < n) out[i + 1] = before + low;
}

__kernel void scan_add(__global uint *restrict out, __global const uint *restrict before, uint n) {
    const uint add = before[BLOCK_X], i = (BLOCK_X * THREADS + TID_X) * 2;
    if (i < n) out[i] += add;
    if (i + 1 < n) out[i + 1] += add;
}
