/* SPDX-License-Identifier: Apache-2.0 */
/* Coulomb potential with a cutoff on a lattice. A block of 8 x 8 threads has 8 x 8 x 4 points, a column of four a thread; atoms
 * lie in cubic cells whose side is the cutoff, eight points long, and the block looks through its own cell and those around it.
 */
#include "gpu.h"

#define SIDE 8

__kernel void cutcp(__global float *restrict potential, __global const float4 *restrict atom, __global const int *restrict cell,
                    int cells_x, int cells_y, int cells_z, float spacing, float cutoff2) {
    const uint slab = BLOCK_Y / (uint)cells_y;
    const int bx = (int)BLOCK_X, by = (int)(BLOCK_Y % (uint)cells_y), bz = (int)(slab / 2);
    const int x = bx * SIDE + (int)TID_X, y = by * SIDE + (int)TID_Y, z = (int)slab * 4;
    const float px = (float)x * spacing, py = (float)y * spacing, pz = (float)z * spacing, inverse = 1.0f / cutoff2;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int cz = MAX(bz - 1, 0); cz <= MIN(bz + 1, cells_z - 1); cz++)
        for (int cy = MAX(by - 1, 0); cy <= MIN(by + 1, cells_y - 1); cy++) {
            /* cells of a row lie side by side */
            const int row = (cz * cells_y + cy) * cells_x;
            const int end = cell[row + MIN(bx + 1, cells_x - 1) + 1];
            for (int i = cell[row + MAX(bx - 1, 0)]; i < end; i++) {
                const float4 a = atom[i]; /* place and charge */
                const float dx = px - a.x, dy = py - a.y, flat = FMA(dx, dx, dy * dy);
                if (flat >= cutoff2) continue;
                float dz = pz - a.z;
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    const float square = FMA(dz, dz, flat);
                    if (square < cutoff2) {
                        const float fade = FMA(-square, inverse, 1.0f);
                        sum[k] = FMA(a.w * RSQRT(square), fade * fade, sum[k]);
                    }
                    dz += spacing;
                }
            }
        }
    const int plane = cells_x * cells_y * SIDE * SIDE;
#pragma unroll
    for (int k = 0; k < 4; k++) potential[(z + k) * plane + y * cells_x * SIDE + x] = sum[k];
}
