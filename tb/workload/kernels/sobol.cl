/* SPDX-License-Identifier: Apache-2.0 */
/* Sobol' sequence in Gray-code order, a dimension a row of blocks, whose 32 direction numbers pass through shared memory. A
 * thread makes its first point from all bits of its number, then steps by a power of 2: two direction numbers a step. */
#include "gpu.h"

#define BITS 32u

__kernel void sobol(__global float *restrict out, __global const uint *restrict direction, uint n, uint log_stride) {
    __local uint own[BITS];
    const uint dimension = BLOCK_Y, stride = 1u << log_stride; /* threads of a dimension: at least two blocks of 64 */
    if (TID_X < BITS) own[TID_X] = direction[dimension * BITS + TID_X];
    BARRIER();
    uint i = GLOBAL_X, x = 0;
    for (uint gray = i ^ i >> 1, bit = 0; gray != 0; gray >>= 1, bit++)
        if (gray & 1) x ^= own[bit];
    const uint always = own[log_stride - 1];
    for (; i < n; i += stride) {
        out[dimension * n + i] = (float)x * 0x1p-32f;
        x ^= always ^ own[log_stride + (uint)__builtin_ctz(~(i >> log_stride))];
    }
}
