/* SPDX-License-Identifier: Apache-2.0 */
/* Forces between particles in cubic boxes, each with those of its own box and the boxes around: a box a block, a particle a
 * thread, the other box's particles in shared memory. A particle has its place and half the square of its distance from the
 * origin. */
#include "gpu.h"

#define PARTICLES 40u

__kernel void lavamd(__global float4 *restrict force, __global const float4 *restrict particle,
                     __global const float *restrict charge, __global const int *restrict first,
                     __global const int *restrict neighbour, float twice_alpha2) {
    __local float4 other[PARTICLES];
    __local float other_charge[PARTICLES];
    const uint t = TID_X, box = BLOCK_X;
    const bool here = t < PARTICLES;
    float4 own = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    float x = 0.0f, y = 0.0f, z = 0.0f, energy = 0.0f;
    if (here) own = particle[box * PARTICLES + t];
    const int end = first[box + 1];
    for (int i = first[box]; i < end; i++) {
        const uint from = (uint)neighbour[i] * PARTICLES + t;
        if (here) {
            other[t] = particle[from];
            other_charge[t] = charge[from];
        }
        BARRIER();
        if (here)
            for (uint j = 0; j < PARTICLES; j++) {
                const float4 o = other[j];
                const float half_square = own.w + o.w - FMA(own.x, o.x, FMA(own.y, o.y, own.z * o.z));
                const float weight = other_charge[j] * EXP(-twice_alpha2 * half_square), pull = 2.0f * weight;
                energy += weight;
                x = FMA(pull, own.x - o.x, x);
                y = FMA(pull, own.y - o.y, y);
                z = FMA(pull, own.z - o.z, z);
            }
        BARRIER();
    }
    if (here) force[box * PARTICLES + t] = (float4)(x, y, z, energy);
}
