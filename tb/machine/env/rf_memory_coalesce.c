/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_memory_coalesce.h"

#include <string.h>

#include "cmodel/common/rf_types.h"

#define WORD_BITS 2u  /* log2 of the bytes of a word: of a bank of shared memory, of local memory's interleaving */
#define LANE_WORDS 5u /* most words of a lane: 16 bytes that begin inside a word */

/* Words that `width` bytes from `address` on lie in; the first begins at the address without its low bits. */
static uint32_t words_of(uint64_t address, uint32_t width) { return ((uint32_t)(address & 3) + width + 3) >> WORD_BITS; }

static uint64_t word_at(uint64_t address, uint32_t i) { return ((address & ~UINT64_C(3)) + 4 * (uint64_t)i) >> WORD_BITS; }

/* --- requests --------------------------------------------------------------------------------------------------------------- */

/* Most often the line is that of the lane before. */
static void touch(rf_memory_requests *r, uint64_t line, uint32_t sectors) {
    if (r->count != 0 && r->of[r->count - 1].line == line) {
        r->of[r->count - 1].touched |= sectors;
        return;
    }
    uint32_t i = 0;
    while (i < r->count && r->of[i].line != line) i++;
    if (i == r->count) r->of[r->count++] = (rf_memory_sectors){.line = line};
    r->of[i].touched |= sectors;
}

/* The bytes from `first` to `last`, which may lie in the line behind it, or wrap. */
static void touch_bytes(rf_memory_requests *r, uint64_t first, uint64_t last, uint32_t line_bits, uint32_t sector_bits) {
    const uint64_t inside = rf_mask64(line_bits);
    const uint32_t from = (uint32_t)((first & inside) >> sector_bits), to = (uint32_t)((last & inside) >> sector_bits);
    const uint32_t at_least = ~0u << from, at_most = ~0u >> (31 - to); /* sectors, one bit each */
    if (first >> line_bits == last >> line_bits) {
        touch(r, first >> line_bits, at_least & at_most);
        return;
    }
    touch(r, first >> line_bits, at_least & (uint32_t)rf_mask64(1u << (line_bits - sector_bits)));
    touch(r, last >> line_bits, at_most);
}

/* Where the words of a lane lie in local memory. */
static uint64_t local_word(uint64_t warp, uint32_t lane, uint64_t word) {
    return (UINT64_C(1) << 44) + (warp << 32) + word * 128 + lane * 4;
}

void rf_memory_coalesce(const rf_memory_access *access, uint32_t line_bits, uint32_t sector_bits, rf_memory_requests *out) {
    out->count = 0;
    for (uint32_t left = access->mask; left != 0; left &= left - 1) {
        const uint32_t lane = rf_lowest(left);
        const uint64_t address = access->address[lane];
        if (access->space != RF_SPACE_LOCAL) {
            touch_bytes(out, address, address + access->width - 1, line_bits, sector_bits);
            continue;
        }
        /* a sector has no less than a word */
        for (uint32_t i = 0; i < words_of(address, access->width); i++) {
            const uint64_t at = local_word(access->warp, lane, word_at(address, i));
            touch_bytes(out, at, at, line_bits, sector_bits);
        }
    }
}

/* --- shared memory ---------------------------------------------------------------------------------------------------------- */

#define PHASE_WORDS (RF_LANES_MAX * LANE_WORDS)

/* The distinct words of a phase, a list for each bank. */
typedef struct phase {
    uint8_t first[64]; /* of a bank: 1 + the place of its newest word, or 0 */
    uint8_t passes[64];
    uint8_t next[PHASE_WORDS];
    uint64_t word[PHASE_WORDS];
    uint32_t count;
} phase;

static bool holds(const phase *p, uint32_t bank, uint64_t word) {
    for (uint32_t i = p->first[bank]; i != 0; i = p->next[i - 1])
        if (p->word[i - 1] == word) return true;
    return false;
}

/* The passes of one phase's lanes; `apart`: no lane shares one with another. */
static uint32_t phase_passes(const rf_memory_access *access, uint32_t lanes, uint32_t banks, bool apart) {
    phase p;
    uint32_t most = 0;
    memset(p.first, 0, sizeof p.first);
    memset(p.passes, 0, sizeof p.passes);
    p.count = 0;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint64_t address = access->address[rf_lowest(left)];
        for (uint32_t i = 0; i < words_of(address, access->width); i++) {
            const uint64_t word = word_at(address, i);
            const uint32_t bank = (uint32_t)((banks & (banks - 1)) == 0 ? word & (banks - 1) : word % banks);
            if (!apart && holds(&p, bank, word)) continue;
            p.word[p.count] = word;
            p.next[p.count] = p.first[bank];
            p.first[bank] = (uint8_t)++p.count;
            if (++p.passes[bank] > most) most = p.passes[bank];
        }
    }
    return most;
}

uint32_t rf_memory_passes(const rf_memory_access *access, uint32_t banks) {
    const uint32_t phases = access->width >= 16 ? 4 : access->width >= 8 ? 2 : 1, lanes = RF_LANES_MAX / phases;
    uint32_t passes = 0;
    for (uint32_t i = 0; i < phases; i++) {
        const uint32_t of_phase = (uint32_t)rf_mask64(lanes) << (i * lanes);
        passes += phase_passes(access, access->mask & of_phase, banks, access->kind == RF_ACCESS_ATOMIC);
    }
    return passes;
}
