/* SPDX-License-Identifier: Apache-2.0 */
/* Where white blood cells may be: for each pixel the gradient along the normals of circles around it, and the best of their
 * scores, mean squared over variance. A pixel a thread; the gradients of a circle's points lie in local memory between the two
 * passes. */
#include "gpu.h"

#define POINTS 12u

__kernel void leukocyte(__global float *restrict score, __global const float *restrict gradient_x,
                        __global const float *restrict gradient_y, __global const float *restrict cosine,
                        __global const float *restrict sine, __global const int *restrict offset, uint width, uint height,
                        uint rim, uint circles) {
    const uint pixel = GLOBAL_X, stride = width + 2 * rim; /* the gradients have a rim around the pixels */
    if (pixel >= width * height) return;
    const uint here = (pixel / width + rim) * stride + pixel % width + rim;
    float along[POINTS], best = 0.0f;
    for (uint circle = 0; circle < circles; circle++) {
        float sum = 0.0f;
#pragma unroll 1
        for (uint p = 0; p < POINTS; p++) {
            const uint i = here + (uint)offset[circle * POINTS + p];
            along[p] = FMA(gradient_x[i], cosine[p], gradient_y[i] * sine[p]);
            sum += along[p];
        }
        const float mean = sum / (float)POINTS;
        float squares = 0.0f;
#pragma unroll 1
        for (uint p = 0; p < POINTS; p++) {
            const float away = along[p] - mean;
            squares = FMA(away, away, squares);
        }
        const float ratio = mean * mean / (squares / (float)(POINTS - 1));
        if (ratio > best) best = ratio;
    }
    score[pixel] = best;
}
