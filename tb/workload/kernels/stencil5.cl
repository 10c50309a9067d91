/* SPDX-License-Identifier: Apache-2.0 */
/* One Jacobi step of the 5-point stencil on a grid with fixed borders. A thread walks down ROWS rows of its column and keeps the
 * three values above, at and below in registers; a point is loaded once as centre, its neighbours come from the cache. */
#include "gpu.h"

#define ROWS 8u

__kernel void stencil5(__global float *restrict out, __global const float *restrict in, uint width, uint height, float centre,
                       float side) {
    const uint x = GLOBAL_X + 1, first = BLOCK_Y * ROWS + 1;
    if (x >= width - 1 || first >= height - 1) return;
    const uint last = MIN(first + ROWS, height - 1);
    __global const float *p = in + first * width + x;
    __global float *q = out + first * width + x;
    float above = p[-(int)width], here = p[0];
    for (uint y = first; y < last; y++) {
        const float below = p[width];
        const float sum = (above + below) + (p[-1] + p[1]);
        *q = FMA(side, sum, centre * here);
        above = here;
        here = below;
        p += width;
        q += width;
    }
}
