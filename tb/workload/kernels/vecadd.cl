/* SPDX-License-Identifier: Apache-2.0 */
/* c = a + b. One element a thread; the last block is partly idle. */
#include "gpu.h"

__kernel void vecadd(__global float *restrict c, __global const float *restrict a, __global const float *restrict b, uint n) {
    const uint i = GLOBAL_X;
    if (i < n) c[i] = a[i] + b[i];
}
