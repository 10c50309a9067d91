/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_memory_cache.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/common/rf_types.h"
#include "harness/base/memory.h"

#define NONE RF_CACHE_NONE

static uint32_t index_of(const rf_memory_cache *c, const rf_cache_line *line) { return (uint32_t)(line - c->line); }

static uint32_t *bucket_of(const rf_memory_cache *c, uint64_t number) {
    return &c->bucket[(number * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - c->bucket_bits)];
}

void rf_memory_cache_init(rf_memory_cache *c, const rf_cache_cfg *cfg) {
    *c = (rf_memory_cache){.sets = cfg->size / cfg->line / cfg->ways,
                           .ways = cfg->ways,
                           .line_bits = rf_lowest(cfg->line),
                           .sector_bits = rf_lowest(cfg->sector)};
    const size_t lines = (size_t)(cfg->size / cfg->line);
    c->bucket_bits = rf_index_bits((uint32_t)lines) + 1; /* at most half of them are filled */
    c->set = ls_zeroed((size_t)c->sets * sizeof *c->set);
    c->line = ls_zeroed(lines * sizeof *c->line);
    c->bucket = ls_zeroed((sizeof *c->bucket) << c->bucket_bits);
    rf_memory_cache_clear(c);
}

void rf_memory_cache_free(rf_memory_cache *c) {
    free(c->set);
    free(c->line);
    free(c->bucket);
}

void rf_memory_cache_clear(rf_memory_cache *c) {
    for (uint64_t s = 0; s < c->sets; s++) c->set[s] = (rf_cache_set){.oldest = NONE, .youngest = NONE, .removed = NONE};
    memset(c->bucket, 0xff, (sizeof *c->bucket) << c->bucket_bits);
}

rf_cache_line *rf_memory_cache_find(rf_memory_cache *c, uint64_t number) {
    for (uint32_t i = *bucket_of(c, number); i != NONE; i = c->line[i].next)
        if (c->line[i].number == number) return &c->line[i];
    return NULL;
}

/* --- order of use, buckets -------------------------------------------------------------------------------------------------- */

static void make_youngest(rf_memory_cache *c, rf_cache_line *line) {
    rf_cache_set *const set = &c->set[line->set];
    const uint32_t i = index_of(c, line);
    line->older = set->youngest;
    line->younger = NONE;
    if (set->youngest == NONE) set->oldest = i;
    else c->line[set->youngest].younger = i;
    set->youngest = i;
}

static void leave_order(rf_memory_cache *c, const rf_cache_line *line) {
    rf_cache_set *const set = &c->set[line->set];
    if (line->older == NONE) set->oldest = line->younger;
    else c->line[line->older].younger = line->younger;
    if (line->younger == NONE) set->youngest = line->older;
    else c->line[line->younger].older = line->older;
}

static void leave_bucket(rf_memory_cache *c, const rf_cache_line *line) {
    uint32_t *at = bucket_of(c, line->number);
    while (*at != index_of(c, line)) at = &c->line[*at].next;
    *at = line->next;
}

void rf_memory_cache_use(rf_memory_cache *c, rf_cache_line *line) {
    if (line->younger == NONE) return;
    leave_order(c, line);
    make_youngest(c, line);
}

void rf_memory_cache_remove(rf_memory_cache *c, rf_cache_line *line) {
    rf_cache_set *const set = &c->set[line->set];
    leave_order(c, line);
    leave_bucket(c, line);
    line->next = set->removed;
    set->removed = index_of(c, line);
}

/* --- room for a line -------------------------------------------------------------------------------------------------------- */

/* The first cycle in which not all lines of a full set are on their way, if they are at `t`; else `t`. */
static uint64_t first_arrival(const rf_memory_cache *c, const rf_cache_set *set, uint64_t t) {
    uint64_t first = UINT64_MAX;
    for (uint32_t i = set->oldest; i != NONE; i = c->line[i].younger) {
        if (c->line[i].until <= t) return t;
        if (c->line[i].until < first) first = c->line[i].until;
    }
    return first;
}

static uint32_t empty_place(rf_memory_cache *c, uint32_t s) {
    rf_cache_set *const set = &c->set[s];
    const uint32_t i = set->removed;
    if (i == NONE) return s * c->ways + set->used++;
    set->removed = c->line[i].next;
    return i;
}

/* The place of the least recently used line that is not on its way at *t, which moves when all are. */
static uint32_t used_place(rf_memory_cache *c, const rf_cache_set *set, uint64_t *t, uint32_t *dirty) {
    *t = first_arrival(c, set, *t);
    uint32_t i = set->oldest;
    while (c->line[i].until > *t) i = c->line[i].younger;
    *dirty = c->line[i].dirty;
    leave_order(c, &c->line[i]);
    leave_bucket(c, &c->line[i]);
    return i;
}

rf_cache_line *rf_memory_cache_place(rf_memory_cache *c, uint64_t number, uint64_t *t, uint32_t *dirty) {
    const uint32_t s = (uint32_t)(number % c->sets);
    const rf_cache_set *const set = &c->set[s];
    const bool empty = set->removed != NONE || set->used < c->ways;
    *dirty = 0;
    const uint32_t i = empty ? empty_place(c, s) : used_place(c, set, t, dirty);
    uint32_t *const bucket = bucket_of(c, number);
    rf_cache_line *const line = &c->line[i];
    *line = (rf_cache_line){.number = number, .set = s, .next = *bucket};
    *bucket = i;
    make_youngest(c, line);
    return line;
}
