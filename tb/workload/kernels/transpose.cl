/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix transpose through a 32 x 32 tile in shared memory, 32 x 8 threads, four rows a thread; the tile's rows are one word
 * longer than they need be, so that its columns lie in 32 banks. Any size. */
#include "gpu.h"

#define TILE 32u
#define ROWS 8u

__kernel void transpose(__global float *restrict out, __global const float *restrict in, uint width, uint height) {
    __local float tile[TILE][TILE + 1];
    const uint tx = TID_X, ty = TID_Y;
    uint x = BLOCK_X * TILE + tx, y = BLOCK_Y * TILE + ty;
#pragma unroll
    for (uint i = 0; i < TILE; i += ROWS)
        if (x < width && y + i < height) tile[ty + i][tx] = in[(y + i) * width + x];
    BARRIER();
    x = BLOCK_Y * TILE + tx;
    y = BLOCK_X * TILE + ty;
#pragma unroll
    for (uint i = 0; i < TILE; i += ROWS)
        if (x < height && y + i < width) out[(y + i) * height + x] = tile[tx][ty + i];
}
