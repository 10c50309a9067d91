/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of the WIR paper for judges: the table from the generator that docs/units/rf_h3.md describes, run from first to last,
 * and each bit of the hash as the parity of the value bits that its column of the table names. */
#ifndef JUDGE_H3_H
#define JUDGE_H3_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): the next number. */
static inline uint64_t slow_h3_next(uint64_t *state) {
    uint64_t z;
    *state += UINT64_C(0x9e3779b97f4a7c15);
    z = *state;
    z ^= z >> 30;
    z *= UINT64_C(0xbf58476d1ce4e5b9);
    z ^= z >> 27;
    z *= UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The 1024 rows, row i for bit i of the value: seed 1; each number of 64 bits is two rows, its low half the first. */
static inline const uint32_t *slow_h3_table(void) {
    static uint32_t row[1024];
    if (row[0] == 0) {
        uint64_t state = 1;
        for (uint32_t i = 0; i < 1024; i += 2) {
            const uint64_t number = slow_h3_next(&state);
            row[i] = (uint32_t)(number & UINT32_MAX);
            row[i + 1] = (uint32_t)(number >> 32);
        }
    }
    return row;
}

/* The hash of `lanes` 32-bit words; the lanes above count as 0. */
static inline uint32_t slow_h3(const uint32_t *data, uint32_t lanes) {
    static uint32_t column[32][32]; /* per hash bit, per lane: the bits of that lane whose parity it has */
    static int made;
    uint32_t hash = 0;
    for (uint32_t i = 0; made == 0 && i < 1024; i++)
        for (uint32_t bit = 0; bit < 32; bit++)
            if ((slow_h3_table()[i] >> bit & 1) != 0) column[bit][i / 32] |= UINT32_C(1) << i % 32;
    made = 1;
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t ones = 0;
        for (uint32_t lane = 0; lane < lanes; lane++) ones += (uint32_t)__builtin_popcount(data[lane] & column[bit][lane]);
        if (ones % 2 != 0) hash |= UINT32_C(1) << bit;
    }
    return hash;
}

#endif
