/* SPDX-License-Identifier: Apache-2.0 */
/* C = alpha A B + beta C, row-major, sizes multiples of the tile. A block of 16 x 16 threads makes 64 x 64 of C, 4 x 4 a thread;
 * both panels go through shared memory 16 columns at a time, A transposed there, so that a thread's four values lie side by
 * side. */
#include "gpu.h"

#define TILE 64u
#define DEPTH 16u

__kernel void sgemm(__global float *restrict c, __global const float *restrict a, __global const float *restrict b, uint n,
                    uint k, float alpha, float beta) {
    __local float4 sa[DEPTH][TILE / 4 + 1], sb[DEPTH][TILE / 4]; /* +1: stores of a transposed panel meet fewer banks twice */
    const uint tx = TID_X, ty = TID_Y, t = ty * 16 + tx;
    const uint row0 = BLOCK_Y * TILE, col0 = BLOCK_X * TILE;
    const uint a_row = t / 4, a_col = t % 4 * 4, b_row = t / 16, b_col = t % 16;
    __global const float *pa = a + (row0 + a_row) * k + a_col;
    __global const float *pb = b + b_row * n + col0 + b_col * 4;
    float sum[4][4] = {{0}};

    for (uint step = 0; step < k; step += DEPTH) {
        const float4 va = *(__global const float4 *)pa;
        const float4 vb = *(__global const float4 *)pb;
        __local float *const column = (__local float *)&sa[a_col][0] + a_row;
        column[0] = va.x;
        column[(TILE + 4) * 1] = va.y;
        column[(TILE + 4) * 2] = va.z;
        column[(TILE + 4) * 3] = va.w;
        sb[b_row][b_col] = vb;
        BARRIER();
#pragma unroll
        for (uint i = 0; i < DEPTH; i++) {
            const float4 u = sa[i][ty], v = sb[i][tx];
            const float ua[4] = {u.x, u.y, u.z, u.w}, vb4[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (uint r = 0; r < 4; r++)
#pragma unroll
                for (uint s = 0; s < 4; s++) sum[r][s] = FMA(ua[r], vb4[s], sum[r][s]);
        }
        BARRIER();
        pa += DEPTH;
        pb += DEPTH * n;
    }
#pragma unroll
    for (uint r = 0; r < 4; r++) {
        __global float4 *const out = (__global float4 *)(c + (row0 + ty * 4 + r) * n + col0 + tx * 4);
        float4 old = *out;
        old.x = FMA(alpha, sum[r][0], beta * old.x);
        old.y = FMA(alpha, sum[r][1], beta * old.y);
        old.z = FMA(alpha, sum[r][2], beta * old.z);
        old.w = FMA(alpha, sum[r][3], beta * old.w);
        *out = old;
    }
}
