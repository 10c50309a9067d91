/* SPDX-License-Identifier: Apache-2.0 */
/* One step of an all-pairs gravity simulation, softened. A body a thread; all bodies pass through shared memory in tiles of a
 * block. */
#include "gpu.h"

#define THREADS 64u

__kernel void nbody(__global float4 *restrict position_out, __global float4 *restrict velocity,
                    __global const float4 *restrict position, uint n, float dt, float softening) {
    __local float4 tile[THREADS];
    const uint i = GLOBAL_X;
    const float4 own = position[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (uint first = 0; first < n; first += THREADS) {
        tile[TID_X] = position[first + TID_X];
        BARRIER();
#pragma unroll 8
        for (uint j = 0; j < THREADS; j++) {
            const float4 other = tile[j];
            const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            const float inverse = RSQRT(FMA(dx, dx, FMA(dy, dy, FMA(dz, dz, softening))));
            const float s = other.w * inverse * inverse * inverse;
            ax = FMA(dx, s, ax);
            ay = FMA(dy, s, ay);
            az = FMA(dz, s, az);
        }
        BARRIER();
    }
    float4 v = velocity[i], p = own;
    v.x = FMA(ax, dt, v.x);
    v.y = FMA(ay, dt, v.y);
    v.z = FMA(az, dt, v.z);
    p.x = FMA(v.x, dt, p.x);
    p.y = FMA(v.y, dt, p.y);
    p.z = FMA(v.z, dt, p.z);
    velocity[i] = v;
    position_out[i] = p;
}
