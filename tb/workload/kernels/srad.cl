/* SPDX-License-Identifier: Apache-2.0 */
/* Speckle-reducing anisotropic diffusion, one step in two launches: the coefficient of diffusion from the four slopes at each
 * pixel, tile by tile through shared memory, then the pixels from the coefficients. At the border the slope outwards is 0. */
#include "gpu.h"

#define SIDE 16

__kernel void srad_slopes(__global float *restrict c, __global float *restrict north, __global float *restrict south,
                          __global float *restrict west, __global float *restrict east, __global const float *restrict image,
                          int width, int height, float q0) {
    __local float tile[SIDE][SIDE];
    const int tx = (int)TID_X, ty = (int)TID_Y, x = (int)BLOCK_X * SIDE + tx, y = (int)BLOCK_Y * SIDE + ty;
    const bool inside = x < width && y < height;
    const int i = y * width + x;
    float here = 0.0f;
    if (inside) {
        here = image[i];
        tile[ty][tx] = here;
    }
    BARRIER();
    if (!inside) return;
    const float n = (y == 0 ? here : ty > 0 ? tile[ty - 1][tx] : image[i - width]) - here;
    const float s = (y == height - 1 ? here : ty < SIDE - 1 ? tile[ty + 1][tx] : image[i + width]) - here;
    const float w = (x == 0 ? here : tx > 0 ? tile[ty][tx - 1] : image[i - 1]) - here;
    const float e = (x == width - 1 ? here : tx < SIDE - 1 ? tile[ty][tx + 1] : image[i + 1]) - here;
    const float square = FMA(n, n, FMA(s, s, FMA(w, w, e * e))) / (here * here);
    const float bend = (n + s + w + e) / here;
    const float scale = FMA(0.25f, bend, 1.0f);
    const float q = FMA(-0.0625f * bend, bend, 0.5f * square) / (scale * scale);
    const float keep = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    c[i] = keep < 0.0f ? 0.0f : keep > 1.0f ? 1.0f : keep;
    north[i] = n;
    south[i] = s;
    west[i] = w;
    east[i] = e;
}

__kernel void srad_update(__global float *restrict image, __global const float *restrict c, __global const float *restrict north,
                          __global const float *restrict south, __global const float *restrict west,
                          __global const float *restrict east, int width, int height, float rate) {
    const int x = (int)(BLOCK_X * SIDE + TID_X), y = (int)(BLOCK_Y * SIDE + TID_Y), i = y * width + x;
    if (x >= width || y >= height) return;
    const float here = c[i], below = y < height - 1 ? c[i + width] : here, right = x < width - 1 ? c[i + 1] : here;
    const float flow = FMA(here, north[i], FMA(below, south[i], FMA(here, west[i], right * east[i])));
    image[i] = FMA(0.25f * rate, flow, image[i]);
}
