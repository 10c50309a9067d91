/* SPDX-License-Identifier: Apache-2.0 */
/* C = alpha A A^T + beta C, all of C, an element a thread: lanes walk along rows of A, a row apart from each other. */
#include "gpu.h"

#define ROWS 8u

__kernel void syrk(__global float *restrict c, __global const float *restrict a, uint n, uint k, float alpha, float beta) {
    const uint column = GLOBAL_X, row = BLOCK_Y * ROWS + TID_Y;
    if (row >= n || column >= n) return;
    float sum = beta * c[row * n + column];
    for (uint i = 0; i < k; i++) sum = FMA(alpha * a[row * k + i], a[column * k + i], sum);
    c[row * n + column] = sum;
}
