/* SPDX-License-Identifier: Apache-2.0 */
/* The two products of the biconjugate gradient method: s = A^T r, a column a thread, and q = A p, a row a thread. */
#include "gpu.h"

__kernel void bicg_columns(__global float *restrict s, __global const float *restrict a, __global const float *restrict r,
                           uint rows, uint columns) {
    const uint j = GLOBAL_X;
    if (j >= columns) return;
    float sum = 0.0f;
    for (uint i = 0; i < rows; i++) sum = FMA(a[i * columns + j], r[i], sum);
    s[j] = sum;
}

__kernel void bicg_rows(__global float *restrict q, __global const float *restrict a, __global const float *restrict p, uint rows,
                        uint columns) {
    const uint i = GLOBAL_X;
    if (i >= rows) return;
    float sum = 0.0f;
    for (uint j = 0; j < columns; j++) sum = FMA(a[i * columns + j], p[j], sum);
    q[i] = sum;
}
