/* SPDX-License-Identifier: Apache-2.0 */
/* QR factors of a matrix by the modified Gram-Schmidt process. Three launches a column k: its length by one thread, the column of
 * Q an element a thread, and the columns behind it made orthogonal to it, a column a thread. */
#include "gpu.h"

__kernel void gramschmidt_length(__global float *restrict r, __global const float *restrict a, uint rows, uint columns, uint k) {
    if (TID_X != 0) return;
    float sum = 0.0f;
    for (uint i = 0; i < rows; i++) sum = FMA(a[i * columns + k], a[i * columns + k], sum);
    r[k * columns + k] = SQRT(sum);
}

__kernel void gramschmidt_scale(__global float *restrict q, __global const float *restrict a, __global const float *restrict r,
                                uint rows, uint columns, uint k) {
    const uint i = GLOBAL_X;
    if (i < rows) q[i * columns + k] = a[i * columns + k] / r[k * columns + k];
}

__kernel void gramschmidt_subtract(__global float *restrict a, __global float *restrict r, __global const float *restrict q,
                                   uint rows, uint columns, uint k) {
    const uint j = k + 1 + GLOBAL_X;
    if (j >= columns) return;
    float along = 0.0f;
    for (uint i = 0; i < rows; i++) along = FMA(q[i * columns + k], a[i * columns + j], along);
    r[k * columns + j] = along;
    for (uint i = 0; i < rows; i++) a[i * columns + j] = FMA(-q[i * columns + k], along, a[i * columns + j]);
}
