/* SPDX-License-Identifier: Apache-2.0 */
/* C = alpha A B + beta C, row-major, an element a thread, everything from global memory. Any size. */
#include "gpu.h"

#define ROWS 8u

__kernel void gemm(__global float *restrict c, __global const float *restrict a, __global const float *restrict b, uint m, uint n,
                   uint k, float alpha, float beta) {
    const uint column = GLOBAL_X, row = BLOCK_Y * ROWS + TID_Y;
    if (row >= m || column >= n) return;
    float sum = beta * c[row * n + column];
    for (uint i = 0; i < k; i++) sum = FMA(alpha * a[row * k + i], b[i * n + column], sum);
    c[row * n + column] = sum;
}
