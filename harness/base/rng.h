/* SPDX-License-Identifier: Apache-2.0 */
/* The project's random numbers: xoshiro256** 1.0 seeded by SplitMix64 (Blackman and Vigna, "Scrambled Linear Pseudorandom
 * Number Generators", ACM TOMS 47(4), 2021). Equal seeds give equal streams on every machine. */
#ifndef LS_RNG_H
#define LS_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ls_rng {
    uint64_t s[4];
} ls_rng;

/* Starts a stream; every seed, 0 included, is valid. */
void ls_rng_seed(ls_rng *rng, uint64_t seed);

/* A stream whose draws are not uniform: one in so many is 0 or all ones, one in so many is that of some draws before. What a
 * bench decides by draws then takes rare ways more often, and the same ways again. */
typedef struct ls_rng_choices {
    ls_rng rng;
    uint32_t extreme, again; /* of 256 */
    uint64_t before[4];
    uint32_t draws;
} ls_rng_choices;

/* NULL; or the stream that every draw comes from, whichever it asks: for who gives a bench its choices (harness/core/script.h).
 */
extern ls_rng_choices *ls_rng_given;
uint64_t ls_rng_draw_given(void);

/* The seed of a named part of a run: a hash (64-bit FNV-1a, then SplitMix64) of `seed` and `name`, so that order and filters
 * change nothing. */
uint64_t ls_seed_derive(uint64_t seed, const char *name);

static inline uint64_t ls_rng_rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/* Leaves out 64 bits of the stream. */
static inline void ls_rng_skip(ls_rng *rng) {
    uint64_t *s = rng->s;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = ls_rng_rotl(s[3], 45);
}

/* The next 64 uniform bits of this stream, whatever is given. */
static inline uint64_t ls_rng_next(ls_rng *rng) {
    const uint64_t result = ls_rng_rotl(rng->s[1] * 5, 7) * 9;
    ls_rng_skip(rng);
    return result;
}

/* 64 uniform bits. */
static inline uint64_t ls_rng_u64(ls_rng *rng) {
    return __builtin_expect(ls_rng_given == NULL, 1) ? ls_rng_next(rng) : ls_rng_draw_given();
}

/* Uniform in 0 .. n-1 up to a bias of n / 2^32; n from 1 to 2^32-1. */
static inline uint32_t ls_rng_below(ls_rng *rng, uint32_t n) { return (uint32_t)(((ls_rng_u64(rng) >> 32) * n) >> 32); }

/* True with probability p / 256; p from 0 (never) to 256 (always). */
static inline bool ls_rng_chance(ls_rng *rng, uint32_t p) { return (uint32_t)(ls_rng_u64(rng) >> 56) < p; }

/* The low `bits` bits set; bits from 0 to 64. */
static inline uint64_t ls_mask(uint32_t bits) { return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1; }

/* A vector of `bits` (0 .. 64) independent bits, each 1 with probability about p / 256 (p 0 .. 256): branch-free. */
uint64_t ls_rng_bits(ls_rng *rng, uint32_t bits, uint32_t p);

/* A value of `bits` (1 .. 64) bits: a boundary value (0, 1, all ones, one hot, one cold, alternating) one time in four, else
 * uniform. */
uint64_t ls_rng_value(ls_rng *rng, uint32_t bits);

/* `lanes` 32-bit values: all equal, all zero, a stride, boundary values or uniform, as GPU registers are. */
void ls_rng_lanes(ls_rng *rng, uint32_t *lane, uint32_t lanes);

#ifdef __cplusplus
}
#endif
#endif
