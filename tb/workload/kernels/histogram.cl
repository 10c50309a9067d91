/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram of bytes in 256 bins: atomics on a block's own bins in shared memory, then one global atomic a bin that is not
 * empty. */
#include "gpu.h"

#define BINS 256u

__kernel void histogram(__global int *bins, __global const uint *restrict data, uint words) {
    __local int own[BINS];
    const uint t = TID_X;
    for (uint i = t; i < BINS; i += THREADS_X) own[i] = 0;
    BARRIER();
    for (uint i = GLOBAL_X; i < words; i += BLOCKS_X * THREADS_X) {
        const uint four = data[i];
        ATOMIC_ADD(&own[four & 255], 1);
        ATOMIC_ADD(&own[four >> 8 & 255], 1);
        ATOMIC_ADD(&own[four >> 16 & 255], 1);
        ATOMIC_ADD(&own[four >> 24], 1);
    }
    BARRIER();
    for (uint i = t; i < BINS; i += THREADS_X) {
        const int count = own[i];
        if (count != 0) ATOMIC_ADD(&bins[i], count);
    }
}
