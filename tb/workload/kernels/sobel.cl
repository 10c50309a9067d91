/* SPDX-License-Identifier: Apache-2.0 */
/* Sobel edge filter on a grey image: min(|gx| + |gy|, 255). A block of 32 x 8 threads takes its 34 x 10 pixels into shared memory
 * first; outside the image the nearest pixel counts. */
#include "gpu.h"

#define W 32
#define H 8

static inline int magnitude(int a, int b) { return (a < 0 ? -a : a) + (b < 0 ? -b : b); }

__kernel void sobel(__global uchar *restrict out, __global const uchar *restrict in, int width, int height) {
    __local uchar tile[H + 2][W + 4];
    const int x0 = (int)BLOCK_X * W - 1, y0 = (int)BLOCK_Y * H - 1;
    for (uint i = TID_Y * W + TID_X; i < (W + 2) * (H + 2); i += W * H) {
        const int tx = (int)(i % (W + 2)), ty = (int)(i / (W + 2));
        const int x = MIN(MAX(x0 + tx, 0), width - 1), y = MIN(MAX(y0 + ty, 0), height - 1);
        tile[ty][tx] = in[y * width + x];
    }
    BARRIER();
    const int tx = (int)TID_X, ty = (int)TID_Y, x = x0 + 1 + tx, y = y0 + 1 + ty;
    if (x >= width || y >= height) return;
    const int nw = tile[ty][tx], n = tile[ty][tx + 1], ne = tile[ty][tx + 2];
    const int w = tile[ty + 1][tx], e = tile[ty + 1][tx + 2];
    const int sw = tile[ty + 2][tx], s = tile[ty + 2][tx + 1], se = tile[ty + 2][tx + 2];
    const int sum = magnitude(ne + 2 * e + se - nw - 2 * w - sw, sw + 2 * s + se - nw - 2 * n - ne);
    out[y * width + x] = (uchar)MIN(sum, 255);
}
