/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar products of many pairs of vectors, a pair a block and again one a grid further on: twice as many partial sums in shared
 * memory as there are threads, then a tree. */
#include "gpu.h"

#define THREADS 128u
#define SUMS (2 * THREADS)

__kernel void scalarprod(__global float *restrict out, __global const float *restrict a, __global const float *restrict b,
                         uint pairs, uint length) {
    __local float part[SUMS];
    for (uint pair = BLOCK_X; pair < pairs; pair += BLOCKS_X) {
        for (uint s = TID_X; s < SUMS; s += THREADS) {
            float sum = 0.0f;
            for (uint i = pair * length + s; i < (pair + 1) * length; i += SUMS) sum = FMA(a[i], b[i], sum);
            part[s] = sum;
        }
        for (uint span = SUMS / 2; span > 0; span /= 2) {
            BARRIER();
            for (uint s = TID_X; s < span; s += THREADS) part[s] += part[s + span];
        }
        BARRIER();
        if (TID_X == 0) out[pair] = part[0];
    }
}
