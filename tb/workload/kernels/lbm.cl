/* SPDX-License-Identifier: Apache-2.0 */
/* Lattice Boltzmann, two dimensions, nine directions (D2Q9), one collision and streaming step on a periodic grid: much arithmetic
 * on many values that live at the same time. */
#include "gpu.h"

__kernel void lbm(__global float *restrict out, __global const float *restrict in, uint width, uint height, float omega) {
    const uint x = GLOBAL_X, y = BLOCK_Y, n = width * height;
    if (x >= width) return;
    const uint w = x > 0 ? x - 1 : width - 1, e = x + 1 < width ? x + 1 : 0;
    const uint s = y > 0 ? y - 1 : height - 1, t = y + 1 < height ? y + 1 : 0;
    /* what flows in, direction by direction: rest, E, N, W, S, NE, NW, SW, SE */
    float f[9];
    f[0] = in[y * width + x];
    f[1] = in[n + y * width + w];
    f[2] = in[2 * n + s * width + x];
    f[3] = in[3 * n + y * width + e];
    f[4] = in[4 * n + t * width + x];
    f[5] = in[5 * n + s * width + w];
    f[6] = in[6 * n + s * width + e];
    f[7] = in[7 * n + t * width + e];
    f[8] = in[8 * n + t * width + w];
    const float north = f[2] + f[5] + f[6], south = f[4] + f[7] + f[8];
    const float east = f[1] + f[5] + f[8], west = f[3] + f[6] + f[7];
    const float density = f[0] + f[1] + f[3] + north + south;
    const float inverse = 1.0f / density;
    const float ux = (east - west) * inverse, uy = (north - south) * inverse;
    const float base = FMA(-1.5f, FMA(ux, ux, uy * uy), 1.0f);
#pragma unroll
    for (uint d = 0; d < 9; d++) {
        const float weight = d == 0 ? 4.0f / 9.0f : d < 5 ? 1.0f / 9.0f : 1.0f / 36.0f;
        const float cx = d == 1 || d == 5 || d == 8 ? 1.0f : d == 3 || d == 6 || d == 7 ? -1.0f : 0.0f;
        const float cy = d == 2 || d == 5 || d == 6 ? 1.0f : d == 4 || d == 7 || d == 8 ? -1.0f : 0.0f;
        const float along = FMA(cx, ux, cy * uy);
        const float equilibrium = weight * density * FMA(along, FMA(4.5f, along, 3.0f), base);
        out[d * n + y * width + x] = FMA(omega, equilibrium - f[d], f[d]);
    }
}
