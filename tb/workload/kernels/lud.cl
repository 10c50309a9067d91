/* SPDX-License-Identifier: Apache-2.0 */
/* LU factors of a matrix (unit lower triangle), 16 x 16 blocks: for every block on the diagonal its own factors (16 threads), the
 * blocks right of it and below it (32 threads, half of them each), then the rest (16 x 16 threads). */
#include "gpu.h"

#define B 16u

static inline void load(__local float to[B][B + 1], __global const float *from, uint n, uint column) {
    for (uint r = 0; r < B; r++) to[r][column] = from[r * n + column];
}

__kernel void lud_diagonal(__global float *a, uint n, uint first) {
    __local float d[B][B + 1];
    __global float *const corner = a + first * n + first;
    const uint t = TID_X;
    load(d, corner, n, t);
    BARRIER();
    for (uint k = 0; k + 1 < B; k++) {
        if (t > k) d[t][k] /= d[k][k]; /* row t: its factor, then its rest */
        BARRIER();
        if (t > k)
            for (uint j = k + 1; j < B; j++) d[t][j] = FMA(-d[t][k], d[k][j], d[t][j]);
        BARRIER();
    }
    for (uint r = 0; r < B; r++) corner[r * n + t] = d[r][t];
}

__kernel void lud_perimeter(__global float *a, uint n, uint first) {
    __local float d[B][B + 1], right[B][B + 1], below[B][B + 1];
    const uint t = TID_X % B, away = first + (BLOCK_X + 1) * B;
    __global float *const diagonal = a + first * n + first, *const r0 = a + first * n + away, *const b0 = a + away * n + first;
    if (TID_X < B) {
        load(d, diagonal, n, t);
        load(right, r0, n, t);
    } else {
        load(below, b0, n, t);
    }
    BARRIER();
    if (TID_X < B) { /* column t: forward substitution with L */
        for (uint i = 1; i < B; i++)
            for (uint k = 0; k < i; k++) right[i][t] = FMA(-d[i][k], right[k][t], right[i][t]);
    } else { /* row t: with U */
        for (uint j = 0; j < B; j++) {
            for (uint k = 0; k < j; k++) below[t][j] = FMA(-below[t][k], d[k][j], below[t][j]);
            below[t][j] /= d[j][j];
        }
    }
    BARRIER();
    if (TID_X < B)
        for (uint r = 0; r < B; r++) r0[r * n + t] = right[r][t];
    else
        for (uint r = 0; r < B; r++) b0[r * n + t] = below[r][t];
}

__kernel void lud_internal(__global float *a, uint n, uint first) {
    __local float left[B][B], top[B][B];
    const uint tx = TID_X, ty = TID_Y, row = first + (BLOCK_Y + 1) * B + ty, column = first + (BLOCK_X + 1) * B + tx;
    left[ty][tx] = a[row * n + first + tx];
    top[ty][tx] = a[(first + ty) * n + column];
    BARRIER();
    float sum = a[row * n + column];
#pragma unroll
    for (uint k = 0; k < B; k++) sum = FMA(-left[ty][k], top[k][tx], sum);
    a[row * n + column] = sum;
}
