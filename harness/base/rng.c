/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/rng.h"

ls_rng_choices *ls_rng_given;

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void ls_rng_seed(ls_rng *rng, uint64_t seed) {
    for (int i = 0; i < 4; i++) rng->s[i] = splitmix64(&seed);
}

uint64_t ls_rng_draw_given(void) {
    ls_rng_choices *c = ls_rng_given;
    uint64_t value = ls_rng_next(&c->rng);
    if (c->extreme + c->again == 0) return value;
    const uint64_t how = ls_rng_next(&c->rng);
    if ((how & 255) < c->extreme) value = (how & 256) != 0 ? UINT64_MAX : 0;
    else if ((how >> 16 & 255) < c->again) value = c->before[how >> 9 & 3];
    c->before[c->draws++ & 3] = value;
    return value;
}

uint64_t ls_seed_derive(uint64_t seed, const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = name; *c != '\0'; c++) hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
    seed ^= hash;
    return splitmix64(&seed);
}

/* The next step of a vector of bits that are 1 with probability p: a binary fraction, from its lowest bit. OR halves towards 1,
 * AND halves towards 0. */
static inline uint64_t halve(uint64_t x, uint32_t p, uint32_t step, uint64_t r) {
    const uint64_t one = UINT64_C(0) - ((p >> step) & 1);
    return (x & r) | (one & (x | r));
}

uint64_t ls_rng_bits(ls_rng *rng, uint32_t bits, uint32_t p) {
    if (p >= 256) return ls_mask(bits);
    ls_rng stream = *rng; /* in registers */
    uint64_t x = 0;
    uint32_t i = 0;
    if (ls_rng_given != NULL) { /* asked once: stimulus draws most of its bits here */
        for (; i < 8; i++) x = halve(x, p, i, ls_rng_draw_given());
        return x & ls_mask(bits);
    }
    for (; i < 8 && (p >> i & 1) == 0; i++) ls_rng_skip(&stream); /* 0 stays 0 */
    for (; i < 8; i++) x = halve(x, p, i, ls_rng_next(&stream));
    *rng = stream;
    return x & ls_mask(bits);
}

/* random % bits without the division, of which a run's stimulus would have one a value: the quotient by a rounded-down reciprocal
 * is the right one or one less. */
static uint32_t remainder_of(uint64_t random, uint32_t bits) {
#define R1(n) UINT64_MAX / (n)
#define R8(n) R1(n), R1((n) + 1), R1((n) + 2), R1((n) + 3), R1((n) + 4), R1((n) + 5), R1((n) + 6), R1((n) + 7)
    static const uint64_t reciprocal[64] = {R8(1), R8(9), R8(17), R8(25), R8(33), R8(41), R8(49), R8(57)};
    __extension__ typedef unsigned __int128 product;
    const uint64_t quotient = (uint64_t)(((product)random * reciprocal[bits - 1]) >> 64), rest = random - quotient * bits;
    return (uint32_t)(rest >= bits ? rest - bits : rest);
#undef R8
#undef R1
}

uint64_t ls_rng_value(ls_rng *rng, uint32_t bits) {
    static const struct {
        uint64_t hot, flip, add;
    } boundary[8] = {{0, 0, 0}, /* 0 */
                     {0, 1, 0},
                     {0, UINT64_MAX, 0},          /* all ones */
                     {UINT64_MAX, 0, 0},          /* one hot */
                     {UINT64_MAX, UINT64_MAX, 0}, /* one cold */
                     {0, UINT64_C(0x5555555555555555), 0},
                     {UINT64_MAX, 0, UINT64_MAX}, /* ones below a hot one */
                     {0, UINT64_MAX - 1, 0}};
    const uint64_t r = ls_rng_u64(rng);
    const uint64_t random = ls_rng_u64(rng);
    const uint64_t hot = UINT64_C(1) << remainder_of(random, bits);
    const uint32_t kind = (uint32_t)(r >> 8) & 7;
    const uint64_t value = ((hot & boundary[kind].hot) ^ boundary[kind].flip) + boundary[kind].add;
    return ((r & 3) == 0 ? value : random) & ls_mask(bits);
}

void ls_rng_lanes(ls_rng *rng, uint32_t *lane, uint32_t lanes) {
    const uint64_t r = ls_rng_u64(rng);
    const uint32_t base = (uint32_t)ls_rng_value(rng, 32);
    switch (r & 7) {
    case 0: /* uniform over the warp, zero one time in four */
        for (uint32_t i = 0; i < lanes; i++) lane[i] = (r & 0x300) == 0 ? 0 : base;
        break;
    case 1: /* addresses and indexes: a stride */
        for (uint32_t i = 0; i < lanes; i++) lane[i] = base + i * (uint32_t)(r >> 32 & 15);
        break;
    case 2:
        for (uint32_t i = 0; i < lanes; i++) lane[i] = (uint32_t)ls_rng_value(rng, 32);
        break;
    default:
        for (uint32_t i = 0; i < lanes; i += 2) {
            const uint64_t v = ls_rng_u64(rng);
            lane[i] = (uint32_t)v;
            if (i + 1 < lanes) lane[i + 1] = (uint32_t)(v >> 32);
        }
    }
}
