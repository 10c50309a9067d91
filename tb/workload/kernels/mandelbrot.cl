/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations until a point leaves the circle of radius 2: every lane of a warp may stop at its own count. */
#include "gpu.h"

__kernel void mandelbrot(__global int *restrict out, uint width, uint height, float left, float top, float step, int limit) {
    const uint px = GLOBAL_X, py = BLOCK_Y * __nvvm_read_ptx_sreg_ntid_y() + TID_Y;
    if (px >= width || py >= height) return;
    const float cx = FMA((float)px, step, left), cy = FMA((float)py, step, top);
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit) {
        const float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f) break;
        y = FMA(x + x, y, cy);
        x = xx - yy + cx;
        n++;
    }
    out[py * width + px] = n;
}
