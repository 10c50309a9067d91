/* SPDX-License-Identifier: Apache-2.0 */
/* Gaussian elimination without pivoting, one column a pair of launches: the multipliers, then the rest of the matrix and the
 * right-hand side. Fewer threads have work with every column. */
#include "gpu.h"

__kernel void gaussian_factor(__global float *restrict factor, __global const float *restrict a, uint n, uint k) {
    const uint row = k + 1 + GLOBAL_X;
    if (row < n) factor[row] = a[row * n + k] / a[k * n + k];
}

__kernel void gaussian_update(__global float *restrict a, __global float *restrict b, __global const float *restrict factor,
                              uint n, uint k) {
    const uint column = k + BLOCK_X * 16 + TID_X, row = k + 1 + BLOCK_Y * 16 + TID_Y;
    if (column >= n || row >= n) return;
    const float f = -factor[row];
    a[row * n + column] = FMA(f, a[k * n + column], a[row * n + column]);
    if (column == k) b[row] = FMA(f, b[k], b[row]);
}
