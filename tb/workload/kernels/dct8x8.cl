/* SPDX-License-Identifier: Apache-2.0 */
/* Forward 8 x 8 DCT-II of an image, orthonormal, even/odd decomposition (22 multiplications a vector). A block of 8 x 8 threads
 * takes eight 8 x 8 squares: thread (x, y) transforms row x of square y, then, after an exchange through shared memory, column
 * x. */
#include "gpu.h"

#define SQUARES 8u
#define STRIDE 9u /* words a row in shared memory: columns then lie in eight banks */

static inline void dct8(float v[8]) {
    const float c1 = 0.490392640f, c2 = 0.461939766f, c3 = 0.415734806f, c4 = 0.353553391f; /* cos(i pi / 16) / 2 */
    const float c5 = 0.277785117f, c6 = 0.191341716f, c7 = 0.097545161f;
    const float s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
    const float d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
    const float e0 = s0 + s3, e1 = s1 + s2, e2 = s0 - s3, e3 = s1 - s2;
    v[0] = c4 * (e0 + e1);
    v[4] = c4 * (e0 - e1);
    v[2] = FMA(c2, e2, c6 * e3);
    v[6] = FMA(c6, e2, -c2 * e3);
    v[1] = FMA(c1, d0, FMA(c3, d1, FMA(c5, d2, c7 * d3)));
    v[3] = FMA(c3, d0, FMA(-c7, d1, FMA(-c1, d2, -c5 * d3)));
    v[5] = FMA(c5, d0, FMA(-c1, d1, FMA(c7, d2, c3 * d3)));
    v[7] = FMA(c7, d0, FMA(-c5, d1, FMA(c3, d2, -c1 * d3)));
}

__kernel void dct8x8(__global float *restrict out, __global const float *restrict in, uint width) {
    __local float square[SQUARES][8 * STRIDE];
    const uint x = TID_X, y = TID_Y;
    const uint first = BLOCK_Y * 8 * width + (BLOCK_X * SQUARES + y) * 8; /* the square's first pixel */
    float v[8];
    __global const float4 *const row = (__global const float4 *)(in + first + x * width);
    const float4 left = row[0], right = row[1];
    v[0] = left.x, v[1] = left.y, v[2] = left.z, v[3] = left.w;
    v[4] = right.x, v[5] = right.y, v[6] = right.z, v[7] = right.w;
    dct8(v);
#pragma unroll
    for (uint i = 0; i < 8; i++) square[y][x * STRIDE + i] = v[i];
    BARRIER();
#pragma unroll
    for (uint i = 0; i < 8; i++) v[i] = square[y][i * STRIDE + x];
    dct8(v);
#pragma unroll
    for (uint i = 0; i < 8; i++) out[first + i * width + x] = v[i];
}
