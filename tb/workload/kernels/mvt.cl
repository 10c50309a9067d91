/* SPDX-License-Identifier: Apache-2.0 */
/* x1 += A y1 and x2 += A^T y2, an element a thread; the sums stay in memory, as they are written down. */
#include "gpu.h"

__kernel void mvt_rows(__global float *x1, __global const float *a, __global const float *y1, uint n) {
    const uint i = GLOBAL_X;
    if (i >= n) return;
    for (uint j = 0; j < n; j++) x1[i] = FMA(a[i * n + j], y1[j], x1[i]);
}

__kernel void mvt_columns(__global float *x2, __global const float *a, __global const float *y2, uint n) {
    const uint i = GLOBAL_X;
    if (i >= n) return;
    for (uint j = 0; j < n; j++) x2[i] = FMA(a[j * n + i], y2[j], x2[i]);
}
