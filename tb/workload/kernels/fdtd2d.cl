/* SPDX-License-Identifier: Apache-2.0 */
/* Finite differences in the time domain, two dimensions: three launches a step. The magnetic field hz lies in the cells, the
 * electric fields ex and ey on the edges left of and above them; a source drives the first row of ey. */
#include "gpu.h"

#define ROWS 8u

__kernel void fdtd2d_ey(__global float *restrict ey, __global const float *restrict hz, uint width, uint height, float source) {
    const uint x = GLOBAL_X, y = BLOCK_Y * ROWS + TID_Y, i = y * width + x;
    if (x >= width || y >= height) return;
    ey[i] = y == 0 ? source : FMA(-0.5f, hz[i] - hz[i - width], ey[i]);
}

__kernel void fdtd2d_ex(__global float *restrict ex, __global const float *restrict hz, uint width, uint height) {
    const uint x = GLOBAL_X, y = BLOCK_Y * ROWS + TID_Y, i = y * width + x;
    if (x == 0 || x >= width || y >= height) return;
    ex[i] = FMA(-0.5f, hz[i] - hz[i - 1], ex[i]);
}

__kernel void fdtd2d_hz(__global float *restrict hz, __global const float *restrict ex, __global const float *restrict ey,
                        uint width, uint height) {
    const uint x = GLOBAL_X, y = BLOCK_Y * ROWS + TID_Y, i = y * width + x;
    if (x + 1 >= width || y + 1 >= height) return;
    hz[i] = FMA(-0.7f, ex[i + 1] - ex[i] + ey[i + width] - ey[i], hz[i]);
}
