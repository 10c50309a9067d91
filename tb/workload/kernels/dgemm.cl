/* SPDX-License-Identifier: Apache-2.0 */
/* C = alpha A B + beta C in double precision, row-major, sizes multiples of the tile. A block of 16 x 16 threads makes 32 x 32 of
 * C, 2 x 2 a thread; both panels go through shared memory 16 columns at a time, A transposed there, so that a thread's two values
 * lie side by side. */
#include "gpu.h"

#define TILE 32u
#define DEPTH 16u

__kernel void dgemm(__global double *restrict c, __global const double *restrict a, __global const double *restrict b, uint n,
                    uint k, double alpha, double beta) {
    __local double2 sa[DEPTH][TILE / 2 + 1], sb[DEPTH][TILE / 2]; /* +1: stores of a transposed panel meet fewer banks twice */
    const uint tx = TID_X, ty = TID_Y, t = ty * 16 + tx;
    const uint row0 = BLOCK_Y * TILE, col0 = BLOCK_X * TILE;
    const uint a_row = t / 8, a_col = t % 8 * 2;
    __global const double *pa = a + (row0 + a_row) * k + a_col;
    __global const double *pb = b + ty * n + col0 + tx * 2;
    double sum[2][2] = {{0}};

    for (uint step = 0; step < k; step += DEPTH) {
        const double2 va = *(__global const double2 *)pa;
        __local double *const column = (__local double *)&sa[a_col][0] + a_row;
        column[0] = va.x;
        column[TILE + 2] = va.y;
        sb[ty][tx] = *(__global const double2 *)pb;
        BARRIER();
#pragma unroll
        for (uint i = 0; i < DEPTH; i++) {
            const double2 u = sa[i][ty], v = sb[i][tx];
            sum[0][0] = FMA64(u.x, v.x, sum[0][0]);
            sum[0][1] = FMA64(u.x, v.y, sum[0][1]);
            sum[1][0] = FMA64(u.y, v.x, sum[1][0]);
            sum[1][1] = FMA64(u.y, v.y, sum[1][1]);
        }
        BARRIER();
        pa += DEPTH;
        pb += DEPTH * n;
    }
#pragma unroll
    for (uint r = 0; r < 2; r++) {
        __global double2 *const out = (__global double2 *)(c + (row0 + ty * 2 + r) * n + col0 + tx * 2);
        double2 old = *out;
        old.x = FMA64(alpha, sum[r][0], beta * old.x);
        old.y = FMA64(alpha, sum[r][1], beta * old.y);
        *out = old;
    }
}
