/* SPDX-License-Identifier: Apache-2.0 */
/* Stable merge sort of keys with values. mergesort_tiles sorts tiles of 128 in shared memory, mergesort_merge merges pairs of
 * sorted runs of any length: an element's place is its own in its run and, by binary search, that in the other. */
#include "gpu.h"

#define THREADS 64u
#define TILE (2 * THREADS)

/* How many of the n sorted keys come before k: with `ties` also those that equal it. */
static inline uint rank(const uint *key, uint n, uint k, bool ties) {
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = (low + high) / 2, other = key[middle];
        if (other < k || (ties && other == k)) low = middle + 1;
        else high = middle;
    }
    return low;
}

__kernel void mergesort_tiles(__global uint *restrict key_out, __global uint *restrict value_out,
                              __global const uint *restrict key_in, __global const uint *restrict value_in) {
    __local uint key[TILE], value[TILE];
    const uint t = TID_X, first = BLOCK_X * TILE;
    key[t] = key_in[first + t];
    value[t] = value_in[first + t];
    key[t + THREADS] = key_in[first + t + THREADS];
    value[t + THREADS] = value_in[first + t + THREADS];
    for (uint run = 1; run < TILE; run *= 2) {
        const uint place = t & (run - 1), left = 2 * t - place, right = left + run; /* an element of each run of a pair */
        BARRIER();
        const uint key_l = key[left], value_l = value[left], key_r = key[right], value_r = value[right];
        const uint to_l = left + rank(key + (right - place), run, key_l, false);
        const uint to_r = left + rank(key + (left - place), run, key_r, true);
        BARRIER();
        key[to_l] = key_l;
        value[to_l] = value_l;
        key[to_r] = key_r;
        value[to_r] = value_r;
    }
    BARRIER();
    key_out[first + t] = key[t];
    value_out[first + t] = value[t];
    key_out[first + t + THREADS] = key[t + THREADS];
    value_out[first + t + THREADS] = value[t + THREADS];
}

__kernel void mergesort_merge(__global uint *restrict key_out, __global uint *restrict value_out,
                              __global const uint *restrict key_in, __global const uint *restrict value_in, uint n, uint run) {
    const uint i = GLOBAL_X;
    if (i >= n) return;
    const uint place = i & (run - 1), pair = i & ~(2 * run - 1);
    const bool right = (i & run) != 0;
    const uint other = right ? pair : MIN(pair + run, n), length = right ? run : MIN(run, n - other);
    const uint key = key_in[i], to = pair + place + rank(key_in + other, length, key, right);
    key_out[to] = key;
    value_out[to] = value_in[i];
}
