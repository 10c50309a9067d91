/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_tag_bank on its own registers, piece by piece: private to rf_tag_bank.c and to the units that hold tag banks.
 *
 * One cycle:
 *  1 rf_tag_bank_look    the entry that hits, or the victim; or rf_tag_bank_at, the entry of a way
 *  2 rf_tag_bank_change  the edge of a cycle with update */
#ifndef RF_TAG_BANK_PARTS_H
#define RF_TAG_BANK_PARTS_H

#include "cmodel/cerf/rf_line_state_parts.h"
#include "cmodel/cerf/rf_line_victim_parts.h"
#include "cmodel/cerf/rf_tag_bank.h"

/* The entry that a cycle is about, as it is before the edge. */
typedef struct rf_tag_bank_entry {
    uint16_t set; /* one that exists, like the way */
    uint8_t way;
    uint8_t state;
    bool hit;    /* output hit: of this way or, with by_way, of any */
    bool victim; /* output victim */
} rf_tag_bank_entry;

/* ---- sets; `set` is one that exists ---- */

/* The set that an input means. */
static inline uint32_t rf_tag_bank_set(const rf_tag_bank *m, uint32_t set) { return set & (m->cfg.sets - 1); }

static inline uint8_t rf_tag_bank_state(const rf_tag_bank *m, uint32_t set, uint32_t way) {
    return (uint8_t)rf_line_state_at(m->state_q[set], way);
}

static inline uint32_t rf_tag_bank_age(const rf_tag_bank *m, uint32_t set, uint32_t way) {
    return rf_line_age_at(m->age_q[set], rf_line_age_bits(m->cfg.ways), way);
}

/* A tag may lie in two words of the row. */
static inline uint32_t rf_tag_bank_tag(const rf_tag_bank *m, uint32_t set, uint32_t way) {
    const uint32_t low = way * m->cfg.tag_w, word = low / 64, shift = low % 64;
    const uint64_t *row = m->tag_q[set].w;
    uint64_t tag = row[word] >> shift;
    if (shift + m->cfg.tag_w > 64) tag |= row[word + 1] << (64 - shift);
    return (uint32_t)(tag & rf_mask64(m->cfg.tag_w));
}

static inline void rf_tag_bank_set_tag(rf_tag_bank *m, uint32_t set, uint32_t way, uint32_t tag) {
    const uint32_t low = way * m->cfg.tag_w, word = low / 64, shift = low % 64;
    const uint64_t mask = rf_mask64(m->cfg.tag_w);
    uint64_t *row = m->tag_q[set].w;
    row[word] = (row[word] & ~(mask << shift)) | (uint64_t)tag << shift;
    if (shift + m->cfg.tag_w > 64) row[word + 1] = (row[word + 1] & ~(mask >> (64 - shift))) | (uint64_t)tag >> (64 - shift);
}

/* ---- lookup ---- */

/* The way that has the tag, or RF_LINE_NO_WAY. */
static inline uint32_t rf_tag_bank_find(const rf_tag_bank *m, uint32_t set, uint32_t tag) {
    for (uint32_t w = 0; w < m->cfg.ways; w++)
        if (rf_tag_bank_state(m, set, w) != RF_LINE_INACTIVE && rf_tag_bank_tag(m, set, w) == tag) return w;
    return RF_LINE_NO_WAY;
}

/* Without by_way. */
static inline rf_tag_bank_entry rf_tag_bank_look(const rf_tag_bank *m, uint32_t set, uint32_t tag, bool cache) {
    const uint32_t s = rf_tag_bank_set(m, set), found = rf_tag_bank_find(m, s, tag);
    rf_tag_bank_entry entry = {(uint16_t)s, 0, 0, found != RF_LINE_NO_WAY, false};
    uint32_t way = found;
    if (!entry.hit) {
        way = rf_line_victim_way(m->cfg.ways, m->cfg.policy, m->state_q[s], m->age_q[s], cache);
        entry.victim = way != RF_LINE_NO_WAY;
    }
    entry.way = (uint8_t)(way != RF_LINE_NO_WAY ? way : 0);
    entry.state = rf_tag_bank_state(m, s, entry.way);
    return entry;
}

/* With by_way. */
static inline rf_tag_bank_entry rf_tag_bank_at(const rf_tag_bank *m, uint32_t set, uint32_t tag, uint32_t way) {
    const uint32_t s = rf_tag_bank_set(m, set), w = way < m->cfg.ways ? way : 0;
    const rf_tag_bank_entry entry = {(uint16_t)s, (uint8_t)w, rf_tag_bank_state(m, s, w),
                                     rf_tag_bank_find(m, s, tag) != RF_LINE_NO_WAY, false};
    return entry;
}

/* ---- the edge ---- */

/* The way becomes the youngest of its set. */
static inline void rf_tag_bank_touch(rf_tag_bank *m, uint32_t set, uint32_t way) {
    const uint32_t bits = rf_line_age_bits(m->cfg.ways), was = rf_tag_bank_age(m, set, way);
    uint32_t ages = 0;
    for (uint32_t w = 0; w < m->cfg.ways; w++) {
        const uint32_t age = rf_tag_bank_age(m, set, w);
        ages |= (w == way ? 0 : age < was ? age + 1 : age) << bits * w;
    }
    m->age_q[set] = ages;
}

static inline void rf_tag_bank_change(rf_tag_bank *m, const rf_tag_bank_entry *entry, uint32_t event, bool allocate, uint32_t tag,
                                      bool touch) {
    const uint32_t next = rf_line_state_next(allocate ? RF_LINE_INACTIVE : entry->state, event), low = 2u * entry->way;
    m->state_q[entry->set] = (uint16_t)((m->state_q[entry->set] & ~(3u << low)) | next << low);
    if (allocate) rf_tag_bank_set_tag(m, entry->set, entry->way, tag);
    if (touch) rf_tag_bank_touch(m, entry->set, entry->way);
}

#endif
