/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse matrix times vector, matrix in CSR form: one row a thread (spmv_scalar) and one row a warp (spmv_vector). */
#include "gpu.h"

__kernel void spmv_scalar(__global float *restrict y, __global const int *restrict row, __global const int *restrict column,
                          __global const float *restrict value, __global const float *restrict x, int rows) {
    const int r = (int)GLOBAL_X;
    if (r >= rows) return;
    float sum = 0.0f;
    const int end = row[r + 1];
    for (int i = row[r]; i < end; i++) sum = FMA(value[i], x[column[i]], sum);
    y[r] = sum;
}

__kernel void spmv_vector(__global float *restrict y, __global const int *restrict row, __global const int *restrict column,
                          __global const float *restrict value, __global const float *restrict x, int rows) {
    const int r = (int)(GLOBAL_X / WARP), lane = (int)LANE;
    if (r >= rows) return;
    float sum = 0.0f;
    const int end = row[r + 1];
    for (int i = row[r] + lane; i < end; i += (int)WARP) sum = FMA(value[i], x[column[i]], sum);
#pragma unroll
    for (uint mask = WARP / 2; mask > 0; mask /= 2) sum += SHUFFLE_XOR_F32(sum, mask);
    if (lane == 0) y[r] = sum;
}
