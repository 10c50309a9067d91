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

/* Most often the line is that of the lane before: `run` has what was touched since it changed. */
static void add(rf_memory_requests *r, rf_memory_sectors run) {
    uint32_t i = 0;
    if (run.touched == 0) return; /* nothing yet */
    while (i < r->count && r->of[i].line != run.line) i++;
    if (i == r->count) r->of[r->count++] = (rf_memory_sectors){.line = run.line};
    r->of[i].touched |= run.touched;
}

static inline void touch(rf_memory_requests *r, rf_memory_sectors *run, uint64_t line, uint32_t sectors) {
    if (line != run->line) {
        add(r, *run);
        *run = (rf_memory_sectors){.line = line};
    }
    run->touched |= sectors;
}

/* Sizes of the requests' lines and sectors. */
typedef struct grain {
    uint32_t line_bits, sector_bits; /* log2 */
    uint32_t inside;                 /* bits of an address inside a line */
} grain;

/* Sectors of the bytes from `from` to `to` of a line, one bit each. */
static inline uint32_t sectors_of(grain g, uint32_t from, uint32_t to) {
    return (2u << (to >> g.sector_bits)) - (1u << (from >> g.sector_bits));
}

/* `width` bytes from `address` on, which may reach into the line behind. */
static inline void touch_bytes(rf_memory_requests *r, rf_memory_sectors *run, grain g, uint64_t address, uint32_t width) {
    const uint32_t from = (uint32_t)address & g.inside, to = from + width - 1;
    const uint64_t line = address >> g.line_bits;
    if (to <= g.inside) {
        touch(r, run, line, sectors_of(g, from, to));
        return;
    }
    touch(r, run, line, sectors_of(g, from, g.inside));
    touch(r, run, (address + width - 1) >> g.line_bits, sectors_of(g, 0, to & g.inside));
}

/* Where the words of a lane lie in local memory. */
static uint64_t local_word(uint64_t warp, uint32_t lane, uint64_t word) {
    return (UINT64_C(1) << 44) + (warp << 32) + word * 128 + lane * 4;
}

void rf_memory_coalesce(const rf_memory_access *access, uint32_t line_bits, uint32_t sector_bits, rf_memory_requests *out) {
    const grain g = {.line_bits = line_bits, .sector_bits = sector_bits, .inside = (1u << line_bits) - 1};
    const uint64_t *const address = access->address;
    const uint32_t width = access->width;
    rf_memory_sectors run = {0};
    out->count = 0;
    if (access->space == RF_MEMORY_LOCAL) {
        for (uint32_t left = access->mask; left != 0; left &= left - 1) {
            const uint32_t lane = rf_lowest(left);
            for (uint32_t i = 0; i < words_of(address[lane], width); i++) /* a sector has no less than a word */
                touch_bytes(out, &run, g, local_word(access->warp, lane, word_at(address[lane], i)), 1);
        }
    } else {
        for (uint32_t left = access->mask; left != 0; left &= left - 1)
            touch_bytes(out, &run, g, address[rf_lowest(left)], width);
    }
    add(out, run);
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
