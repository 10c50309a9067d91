/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of absolute differences between 8 x 8 squares of a frame and the squares around the same place in the frame before, as a
 * video encoder looks for motion: a square a block, a displacement a thread. First the four 4 x 4 quarters, then the wholes from
 * them. The square lies in shared memory. */
#include "gpu.h"

#define SIDE 8u
#define REACH 3u
#define ACROSS (2 * REACH + 1)
#define PLACES (ACROSS * ACROSS)

__kernel void sad(__global ushort *restrict quarter, __global ushort *restrict whole, __global const uchar *restrict frame,
                  __global const uchar *restrict before, uint width) {
    __local uchar square[SIDE * SIDE];
    const uint t = TID_X, x0 = BLOCK_X * SIDE, y0 = BLOCK_Y * SIDE,
               stride = width + 2 * REACH; /* a rim around the frame before */
    square[t] = frame[(y0 + t / SIDE) * width + x0 + t % SIDE];
    BARRIER();
    if (t >= PLACES) return;
    __global const uchar *const from = before + (y0 + t / ACROSS) * stride + x0 + t % ACROSS;
    const uint number = BLOCK_Y * BLOCKS_X + BLOCK_X;
    __global ushort *to = quarter + number * 4 * PLACES + t;
    int all = 0;
#pragma unroll 1
    for (uint qy = 0; qy < SIDE; qy += 4)
#pragma unroll 1
        for (uint qx = 0; qx < SIDE; qx += 4) {
            int sum = 0;
#pragma unroll
            for (uint y = qy; y < qy + 4; y++)
#pragma unroll
                for (uint x = qx; x < qx + 4; x++) {
                    const int d = (int)square[y * SIDE + x] - (int)from[y * stride + x];
                    sum += d < 0 ? -d : d;
                }
            *to = (ushort)sum;
            to += PLACES;
            all += sum;
        }
    whole[number * PLACES + t] = (ushort)all;
}
