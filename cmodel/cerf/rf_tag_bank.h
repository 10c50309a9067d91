/* SPDX-License-Identifier: Apache-2.0 */
/* One bank of the tag array [CERF III-B, III-C]: tags, states and ages of SETS sets of WAYS ways; one lookup a cycle, answered in
 * the same cycle; the entry that was looked up is changed at the edge.
 *
 * Lookup. hit: a way of `set` is not inactive and has `tag` (two of them, which only illegal inputs make: the lowest way).
 *   `entry` is the entry that this cycle is about: with by_way way in_way of the set; else the way that hits; else the victim for
 *   the newcomer (rf_line_victim; `cache`: it is cache data), way 0 when there is none. out_way, state, old_tag and spill
 *   (rf_line_state) are those of the entry, as it is before the edge. victim: not by_way, no hit, and there is a victim.
 *   hit does not depend on by_way.
 * Edge, of a cycle with `update`:
 *   state of the entry: what rf_line_state says for `event`; allocate: from INACTIVE and with the event, which only tells FILL_*
 *     and WRITE_REG apart, and the tag becomes `tag`
 *   touch: the entry becomes the youngest: those of its set that were younger grow by one, its age is 0
 * set, way out of range (a number of ways that is no power of two): way 0 for a way that does not exist. SETS is a power of two.
 * Reset: all entries inactive, way w has age w; the tags are a memory and have none. One set is updated in a cycle. */
#ifndef RF_TAG_BANK_H
#define RF_TAG_BANK_H

#include "cmodel/cerf/rf_cerf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_tag_bank_cfg {
    uint32_t sets;   /* a power of two, 1 .. 256 */
    uint32_t ways;   /* 1 .. 8 */
    uint32_t tag_w;  /* bits of a tag, 1 .. 25 */
    uint32_t policy; /* 0: fair, 1: registers first, 2: cache data first */
} rf_tag_bank_cfg;

typedef struct rf_tag_bank_in {
    uint16_t set;     /* index_bits(sets) */
    uint32_t tag;     /* tag_w bits */
    uint8_t cache;    /* the newcomer, if there is no hit, is cache data */
    uint8_t by_way;   /* the entry is that of ... */
    uint8_t way;      /* ... this way, index_bits(ways) */
    uint8_t update;   /* the edge changes something: */
    uint8_t event;    /* 3 bits, RF_LINE_ */
    uint8_t allocate; /* the entry gets the tag */
    uint8_t touch;    /* the entry becomes the youngest */
} rf_tag_bank_in;

typedef struct rf_tag_bank_out {
    uint8_t hit;
    uint8_t way;      /* index_bits(ways): of the entry */
    uint8_t state;    /* 2 bits: its state */
    uint8_t spill;    /* its content is lost if it is replaced */
    uint32_t old_tag; /* tag_w bits: its tag */
    uint8_t victim;   /* no hit, and the entry may be replaced */
} rf_tag_bank_out;

typedef struct rf_tag_bank {
    rf_tag_bank_cfg cfg;
    uint16_t state_q[RF_LINE_SETS_MAX]; /* per set: ways x 2 bits, way w at [2w +: 2] */
    uint32_t age_q[RF_LINE_SETS_MAX];   /* per set: ways x index_bits(ways) bits */
    rf_bits256 tag_q[RF_LINE_SETS_MAX]; /* per set: ways x tag_w bits; a memory: init leaves zeroes, reset leaves it alone */
} rf_tag_bank;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_tag_bank_check(const rf_tag_bank_cfg *cfg);
/* Takes `cfg`, clears the tags and resets: 0, or RF_E_CONFIG. */
int rf_tag_bank_init(rf_tag_bank *m, const rf_tag_bank_cfg *cfg);
void rf_tag_bank_reset(rf_tag_bank *m);
/* Outputs of this cycle. */
void rf_tag_bank_comb(const rf_tag_bank *m, const rf_tag_bank_in *in, rf_tag_bank_out *out);
/* The rising clock edge. */
void rf_tag_bank_clock(rf_tag_bank *m, const rf_tag_bank_in *in);
/* rf_tag_bank_comb, then rf_tag_bank_clock, in one pass. */
void rf_tag_bank_step(rf_tag_bank *m, const rf_tag_bank_in *in, rf_tag_bank_out *out);

#ifdef __cplusplus
}
#endif
#endif
