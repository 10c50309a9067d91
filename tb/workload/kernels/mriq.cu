/* SPDX-License-Identifier: Apache-2.0 */
/* Q matrix of magnetic-resonance image reconstruction: sums of sines and cosines over the samples, which lie in constant
 * memory. */
#include "gpu.h"

#define SAMPLES_MAX 1024

__constant__ float4 sample[SAMPLES_MAX];

extern "C" __global__ void mriq(float *__restrict__ real, float *__restrict__ imaginary, const float *__restrict__ x,
                                const float *__restrict__ y, const float *__restrict__ z, uint samples) {
    const uint i = GLOBAL_X;
    const float px = x[i], py = y[i], pz = z[i];
    float re = 0.0f, im = 0.0f;
    for (uint s = 0; s < samples; s++) {
        const float4 k = sample[s];
        const float angle = 6.28318531f * FMA(k.x, px, FMA(k.y, py, k.z * pz));
        re = FMA(k.w, COS(angle), re);
        im = FMA(k.w, SIN(angle), im);
    }
    real[i] = re;
    imaginary[i] = im;
}
