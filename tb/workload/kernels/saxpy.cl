/* SPDX-License-Identifier: Apache-2.0 */
/* y = a x + y, four elements at a time (128-bit accesses) in a grid-stride loop; what is left over, one by one. */
#include "gpu.h"

__kernel void saxpy(__global float *restrict y, __global const float *restrict x, float a, uint n) {
    const uint stride = BLOCKS_X * THREADS_X, quads = n / 4;
    __global const float4 *const x4 = (__global const float4 *)x;
    __global float4 *const y4 = (__global float4 *)y;
    for (uint i = GLOBAL_X; i < quads; i += stride) {
        const float4 u = x4[i];
        float4 v = y4[i];
        v.x = FMA(a, u.x, v.x);
        v.y = FMA(a, u.y, v.y);
        v.z = FMA(a, u.z, v.z);
        v.w = FMA(a, u.w, v.w);
        y4[i] = v;
    }
    const uint i = quads * 4 + GLOBAL_X;
    if (i < n) y[i] = FMA(a, x[i], y[i]);
}
