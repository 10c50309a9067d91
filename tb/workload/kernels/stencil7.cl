/* SPDX-License-Identifier: Apache-2.0 */
/* Jacobi step with the seven-point stencil in three dimensions: a thread walks along z and keeps the values below, here and
 * above in registers. The borders stay as they are. */
#include "gpu.h"

#define ROWS 4u

__kernel void stencil7(__global float *restrict out, __global const float *restrict in, uint width, uint height, uint depth,
                       float centre, float side) {
    const uint x = 1 + GLOBAL_X, y = 1 + BLOCK_Y * ROWS + TID_Y, plane = width * height;
    if (x + 1 >= width || y + 1 >= height) return;
    uint i = y * width + x;
    float below = in[i], here = in[i + plane];
    for (uint z = 1; z + 1 < depth; z++) {
        i += plane;
        const float above = in[i + plane];
        const float around = in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + below + above;
        out[i] = FMA(side, around, -centre * here);
        below = here;
        here = above;
    }
}
