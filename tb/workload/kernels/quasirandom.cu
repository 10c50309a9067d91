/* SPDX-License-Identifier: Apache-2.0 */
/* Niederreiter's sequence in base 2, a dimension a row of blocks: the number of a point selects columns of the dimension's matrix
 * over GF(2), which lies in constant memory. Then normally distributed numbers from it, by the rational functions of Wichura's
 * algorithm AS 241 (PPND7): one in the middle, one in both tails. */
#include "gpu.h"

#define DIMENSIONS 3
#define BITS 31

__constant__ uint column[DIMENSIONS * BITS];

extern "C" __global__ void quasirandom_points(float *__restrict__ out, uint n, uint skip) {
    const uint *const own = column + BLOCK_Y * BITS;
    for (uint i = GLOBAL_X; i < n; i += BLOCKS_X * THREADS_X) {
        uint x = 0, number = skip + i;
        for (uint bit = 0; bit < BITS; bit++, number >>= 1)
            if (number & 1) x ^= own[bit];
        out[BLOCK_Y * n + i] = (float)(x >> 8 << 1 | 1) * 0x1p-24f; /* never 0, never 1, exact */
    }
}

extern "C" __global__ void quasirandom_normal(float *__restrict__ out, const float *__restrict__ in, uint n) {
    for (uint i = GLOBAL_X; i < n; i += BLOCKS_X * THREADS_X) {
        const float u = in[i], q = u - 0.5f;
        float r = FMA(-q, q, 0.425f * 0.425f);
        if (r >= 0.0f) {
            const float above = FMA(r, FMA(r, FMA(r, 59.109374720f, 159.29113202f), 50.434271938f), 3.3871327179f);
            const float below = FMA(r, FMA(r, FMA(r, 67.187563600f, 78.757757664f), 17.895169469f), 1.0f);
            out[i] = q * DIVIDE(above, below);
        } else {
            r = SQRT(-LOG(MIN(u, 1.0f - u))) - 1.6f;
            const float above = FMA(r, FMA(r, FMA(r, 0.17023821103f, 1.3067284816f), 2.7568153900f), 1.4234372777f);
            const float x = DIVIDE(above, FMA(r, FMA(r, 0.12021132975f, 0.73700164250f), 1.0f));
            out[i] = q < 0.0f ? -x : x;
        }
    }
}
