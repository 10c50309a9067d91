/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts 512 unsigned keys and their values a block of 256 threads, bitonic network in shared memory; every second block
 * downwards, as a merge across blocks would want it. */
#include "gpu.h"

#define THREADS 256u

__kernel void bitonic(__global uint *restrict key, __global uint *restrict value) {
    __local uint k[THREADS * 2], v[THREADS * 2];
    const uint t = TID_X, base = BLOCK_X * THREADS * 2;
    k[t] = key[base + t];
    v[t] = value[base + t];
    k[t + THREADS] = key[base + t + THREADS];
    v[t + THREADS] = value[base + t + THREADS];
    for (uint size = 2; size <= THREADS * 2; size *= 2) {
        const bool up = ((t & size / 2) == 0) != (size == THREADS * 2 && (BLOCK_X & 1) != 0);
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            BARRIER();
            const uint a = 2 * t - (t & (stride - 1)), b = a + stride;
            const uint ka = k[a], kb = k[b];
            if ((ka > kb) == up) {
                const uint va = v[a];
                k[a] = kb;
                k[b] = ka;
                v[a] = v[b];
                v[b] = va;
            }
        }
    }
    BARRIER();
    key[base + t] = k[t];
    value[base + t] = v[t];
    key[base + t + THREADS] = k[t + THREADS];
    value[base + t + THREADS] = v[t + THREADS];
}
