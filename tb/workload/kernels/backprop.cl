/* SPDX-License-Identifier: Apache-2.0 */
/* One layer of a neural network and its training step. Forward: a block of 16 x 16 threads multiplies 16 inputs with the weights
 * to 16 outputs and adds them up in a tree; one more launch adds the blocks' parts and applies the logistic function. Adjust: the
 * weights move along the gradient, with momentum. */
#include "gpu.h"

#define SIDE 16u

__kernel void backprop_forward(__global float *restrict part, __global const float *restrict input,
                               __global const float *restrict weight, uint outputs) {
    __local float node[SIDE];
    __local float product[SIDE][SIDE];
    const uint tx = TID_X, ty = TID_Y, in = BLOCK_Y * SIDE + ty, out = BLOCK_X * SIDE + tx;
    if (tx == 0) node[ty] = input[in];
    BARRIER();
    product[ty][tx] = weight[in * outputs + out] * node[ty];
    BARRIER();
    for (uint span = SIDE / 2; span > 0; span /= 2) {
        if (ty < span) product[ty][tx] += product[ty + span][tx];
        BARRIER();
    }
    if (ty == 0) part[BLOCK_Y * outputs + out] = product[0][tx];
}

__kernel void backprop_activate(__global float *restrict output, __global const float *restrict part, uint outputs, uint parts) {
    const uint i = GLOBAL_X;
    if (i >= outputs) return;
    float sum = 0.0f;
    for (uint p = 0; p < parts; p++) sum += part[p * outputs + i];
    output[i] = DIVIDE(1.0f, 1.0f + EXP(-sum));
}

__kernel void backprop_adjust(__global float *restrict weight, __global float *restrict momentum,
                              __global const float *restrict input, __global const float *restrict delta, uint outputs,
                              float rate, float keep) {
    const uint in = BLOCK_Y * SIDE + TID_Y, out = BLOCK_X * SIDE + TID_X, i = in * outputs + out;
    const float step = FMA(rate * delta[out], input[in], keep * momentum[i]);
    weight[i] += step;
    momentum[i] = step;
}
