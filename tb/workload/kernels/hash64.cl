/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit integer work: a counter through the finalizer of SplitMix64 (Steele, Lea and Flood 2014), folded with a 128-bit product,
 * then its remainder by a number of buckets that is no power of two. */
#include "gpu.h"

#define WIDE unsigned long long /* 128 bits, as OpenCL has it */

static inline ulong mix(ulong z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ul;
    z = (z ^ z >> 27) * 0x94d049bb133111ebul;
    return z ^ z >> 31;
}

__kernel void hash64(__global ulong *restrict hash, __global uint *restrict bucket, __global const ulong *restrict key,
                     ulong seed, uint rounds, uint buckets, uint n) {
    const uint i = GLOBAL_X;
    if (i >= n) return;
    ulong h = key[i] ^ seed;
    for (uint r = 0; r < rounds; r++) {
        h = mix(h + 0x9e3779b97f4a7c15ul);
        const WIDE product = (WIDE)(h | 1) * 0xd6e8feb86659fd93ul;
        h = (ulong)(product >> 64) ^ (ulong)product;
        h = h << 23 | h >> 41;
    }
    hash[i] = h;
    bucket[i] = (uint)(h >> 32) % buckets;
}
