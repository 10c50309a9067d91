/* SPDX-License-Identifier: Apache-2.0 */
/* Temperature of a chip from its power: STEPS explicit steps a launch. A block of 16 x 16 threads holds its square with a rim in
 * shared memory and gives up one ring of it each step (a pyramid), so that fewer and fewer lanes work. Outside the chip the
 * nearest cell counts. */
#include "gpu.h"

#define SIDE 16
#define STEPS 2
#define CORE (SIDE - 2 * STEPS)

__kernel void hotspot(__global float *restrict out, __global const float *restrict in, __global const float *restrict power,
                      int width, int height, float cx, float cy, float cz, float cp, float ambient) {
    __local float now[SIDE][SIDE], next[SIDE][SIDE];
    const int tx = (int)TID_X, ty = (int)TID_Y;
    const int x = (int)BLOCK_X * CORE - STEPS + tx, y = (int)BLOCK_Y * CORE - STEPS + ty;
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    const int i = y * width + x;
    /* neighbours in the tile, at the chip's border the cell itself */
    const int west = x > 0 ? tx - 1 : tx, east = x < width - 1 ? tx + 1 : tx;
    const int north = y > 0 ? ty - 1 : ty, south = y < height - 1 ? ty + 1 : ty;
    float heat = 0.0f;
    if (inside) {
        now[ty][tx] = in[i];
        heat = power[i];
    }
    BARRIER();
    for (int step = 1; step <= STEPS; step++) {
        const bool valid = inside && tx >= step && tx < SIDE - step && ty >= step && ty < SIDE - step;
        float t = 0.0f;
        if (valid) {
            const float here = now[ty][tx], twice = here + here;
            t = cp * heat;
            t = FMA(cx, now[ty][west] + now[ty][east] - twice, t);
            t = FMA(cy, now[north][tx] + now[south][tx] - twice, t);
            t = FMA(cz, ambient - here, t);
            next[ty][tx] = here + t;
        }
        BARRIER();
        if (valid) now[ty][tx] = next[ty][tx];
        BARRIER();
    }
    if (inside && tx >= STEPS && tx < SIDE - STEPS && ty >= STEPS && ty < SIDE - STEPS) out[i] = now[ty][tx];
}
