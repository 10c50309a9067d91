/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __SHA__ /* four megabytes of sources in every start: 2 ms, and 12 without */
#include <immintrin.h>
#endif

enum { BLOCK = 64 };

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static uint32_t big_endian(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void ls_sha256_blocks_plain(uint32_t state[8], const uint8_t *data, size_t blocks) {
    for (; blocks > 0; blocks--, data += BLOCK) {
        uint32_t w[64], s[8];
        for (size_t i = 0; i < 16; i++) w[i] = big_endian(data + 4 * i);
        for (size_t i = 16; i < 64; i++) {
            const uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
        }
        memcpy(s, state, sizeof s);
        for (size_t i = 0; i < 64; i += 8) /* in each round the eight words are one further on */
            for (size_t r = 0; r < 8; r++) {
                const uint32_t a = s[(8 - r) % 8], b = s[(9 - r) % 8], c = s[(10 - r) % 8], e = s[(12 - r) % 8],
                               f = s[(13 - r) % 8], g = s[(14 - r) % 8];
                const uint32_t first = s[(15 - r) % 8] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) +
                                       constants[i + r] + w[i + r];
                s[(11 - r) % 8] += first;
                s[(15 - r) % 8] = first + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            }
        for (size_t i = 0; i < 8; i++) state[i] += s[i];
    }
}

#ifdef __SHA__
static __m128i load(const void *at) { return _mm_loadu_si128((const __m128i *)at); }

/* The instructions keep the state as two vectors of four words, A B E F and C D G H. */
void ls_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i cdab = _mm_shuffle_epi32(load(state), 0xb1), efgh = _mm_shuffle_epi32(load(state + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    for (; blocks > 0; blocks--, data += BLOCK) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (size_t i = 0; i < 16; i++) { /* four rounds each */
            if (i < 4) {
                w[i] = _mm_shuffle_epi8(load(data + 16 * i), swap);
            } else {
                const __m128i a = w[i % 4], b = w[(i + 1) % 4], c = w[(i + 2) % 4], d = w[(i + 3) % 4];
                w[i % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4)), d);
            }
            const __m128i with_constants = _mm_add_epi32(w[i % 4], load(constants + 4 * i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, with_constants);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(with_constants, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#else
void ls_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks) { ls_sha256_blocks_plain(state, data, blocks); }
#endif

static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* Adds what follows the whole blocks of `total` bytes, and writes the digits. */
static void end(uint32_t state[8], const uint8_t *rest, uint64_t total, char hex[LS_SHA256_HEX]) {
    uint8_t last[2 * BLOCK] = {0};
    const size_t size = (size_t)(total % BLOCK), room = size + 9 <= BLOCK ? BLOCK : sizeof last;
    if (size > 0) memcpy(last, rest, size);
    last[size] = 0x80;
    for (size_t i = 0; i < 8; i++) last[room - 1 - i] = (uint8_t)(total * 8 >> (8 * i));
    ls_sha256_blocks(state, last, room / BLOCK);
    for (size_t i = 0; i < 8; i++) (void)snprintf(hex + 8 * i, 9, "%08x", state[i]);
}

void ls_sha256(const void *data, size_t size, char hex[LS_SHA256_HEX]) {
    uint32_t state[8];
    const size_t whole = size / BLOCK;
    memcpy(state, initial, sizeof state);
    if (whole > 0) ls_sha256_blocks(state, data, whole);
    end(state, size % BLOCK > 0 ? (const uint8_t *)data + whole * BLOCK : NULL, size, hex);
}

bool ls_sha256_file(const char *path, char hex[LS_SHA256_HEX]) {
    uint8_t buffer[256 * BLOCK];
    uint32_t state[8];
    uint64_t total = 0;
    size_t held = 0;
    ssize_t got = -1;
    memcpy(state, initial, sizeof state);
    hex[0] = '\0';
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0) {
        got = read(fd, buffer + held, sizeof buffer - held);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        held += (size_t)got;
        total += (size_t)got;
        if (held < sizeof buffer) continue;
        ls_sha256_blocks(state, buffer, held / BLOCK);
        held = 0;
    }
    if (fd >= 0) (void)close(fd);
    if (got != 0) return false;
    ls_sha256_blocks(state, buffer, held / BLOCK);
    end(state, buffer + held / BLOCK * BLOCK, total, hex);
    return true;
}
