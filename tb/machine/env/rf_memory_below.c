/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_memory_below.h"

#include "cmodel/common/rf_types.h"

#define CYCLE UINT64_C(1000) /* thousandths */

void rf_memory_below_init(rf_memory_below *b, const rf_memory_cfg *cfg, uint32_t line_bits, uint32_t sector_bits) {
    *b = (rf_memory_below){.l2_latency = cfg->l2_latency * CYCLE,
                           .dram_latency = cfg->dram_latency * CYCLE,
                           .link_rate = cfg->link_bytes,
                           .dram_rate = cfg->dram_bytes,
                           .line_bits = line_bits,
                           .sector_bits = sector_bits,
                           .has_l2 = cfg->l2.size != 0};
    if (b->has_l2) rf_memory_cache_init(&b->l2, &cfg->l2);
}

void rf_memory_below_free(rf_memory_below *b) {
    if (b->has_l2) rf_memory_cache_free(&b->l2);
}

void rf_memory_below_flush(rf_memory_below *b) {
    if (b->has_l2) rf_memory_cache_clear(&b->l2);
}

static uint64_t bytes_of(uint32_t sectors, uint32_t sector_bits) { return (uint64_t)__builtin_popcount(sectors) << sector_bits; }

static uint64_t cycle_of(uint64_t thousandths) { return (thousandths + CYCLE - 1) / CYCLE; }

/* Moves bytes from `from` on, at the earliest; the end. */
static uint64_t move(uint64_t *available, uint64_t rate, uint64_t bytes, uint64_t from) {
    *available = rf_later(from, *available) + (bytes * CYCLE * CYCLE + rate - 1) / rate;
    return *available;
}

static uint64_t dram_read(rf_memory_below *b, uint64_t bytes, uint64_t from) {
    b->count.dram_read += bytes;
    return move(&b->dram_free, b->dram_rate, bytes, from);
}

static void dram_write(rf_memory_below *b, uint64_t bytes, uint64_t from) {
    b->count.dram_written += bytes;
    (void)move(&b->dram_free, b->dram_rate, bytes, from);
}

/* The same bytes in lines and sectors of L2, whose sizes are multiples of those above. */
static rf_memory_sectors in_l2(const rf_memory_below *b, rf_memory_sectors s) {
    const uint32_t line_bits = b->l2.line_bits - b->line_bits, sector_bits = b->l2.sector_bits - b->sector_bits;
    const uint32_t first = (uint32_t)(s.line & rf_mask64(line_bits)) << (b->line_bits - b->sector_bits);
    rf_memory_sectors l2 = {.line = s.line >> line_bits};
    for (uint32_t left = s.touched; left != 0; left &= left - 1) l2.touched |= 1u << ((first + rf_lowest(left)) >> sector_bits);
    return l2;
}

/* The line, as the youngest; of one that made room for it, the dirty sectors. */
static rf_cache_line *take_line(rf_memory_below *b, uint64_t number, uint32_t *dirty) {
    rf_cache_line *const line = rf_memory_cache_find(&b->l2, number);
    uint64_t now = 0; /* no line is on its way */
    *dirty = 0;
    if (line == NULL) return rf_memory_cache_place(&b->l2, number, &now, dirty);
    rf_memory_cache_use(&b->l2, line);
    return line;
}

/* When L2 has the bytes: `now`, or later when some are missing. */
static uint64_t l2_read(rf_memory_below *b, rf_memory_sectors s, uint64_t now) {
    uint32_t dirty = 0;
    uint64_t ready = now;
    rf_cache_line *const line = take_line(b, s.line, &dirty);
    const uint32_t missing = s.touched & ~line->there;
    line->there |= missing;
    if (missing == 0) b->count.hits++;
    else ready = dram_read(b, bytes_of(missing, b->l2.sector_bits), now + b->dram_latency);
    if (dirty != 0) dram_write(b, bytes_of(dirty, b->l2.sector_bits), now);
    return ready;
}

static void l2_write(rf_memory_below *b, rf_memory_sectors s, uint64_t now) {
    uint32_t dirty = 0;
    rf_cache_line *const line = take_line(b, s.line, &dirty);
    line->there |= s.touched;
    line->dirty |= s.touched;
    if (dirty != 0) dram_write(b, bytes_of(dirty, b->l2.sector_bits), now);
}

uint64_t rf_memory_below_fetch(rf_memory_below *b, rf_memory_sectors s, uint64_t t) {
    const uint64_t bytes = bytes_of(s.touched, b->sector_bits), now = t * CYCLE;
    b->count.fetches++;
    const uint64_t there = b->has_l2 ? l2_read(b, in_l2(b, s), now) : dram_read(b, bytes, now + b->dram_latency);
    b->count.link_down += bytes;
    return cycle_of(move(&b->down_free, b->link_rate, bytes, there + b->l2_latency));
}

/* Moves the sectors up; the cycle in which that ends. */
static uint64_t send_up(rf_memory_below *b, uint64_t bytes, uint64_t t) {
    b->count.link_up += bytes;
    return cycle_of(move(&b->up_free, b->link_rate, bytes, t * CYCLE));
}

uint64_t rf_memory_below_write(rf_memory_below *b, rf_memory_sectors s, uint64_t t) {
    const uint64_t bytes = bytes_of(s.touched, b->sector_bits);
    b->count.writes++;
    if (b->has_l2) l2_write(b, in_l2(b, s), t * CYCLE);
    else dram_write(b, bytes, t * CYCLE);
    return send_up(b, bytes, t);
}

uint64_t rf_memory_below_atomic(rf_memory_below *b, rf_memory_sectors s, uint64_t t) {
    return rf_memory_below_fetch(b, s, send_up(b, bytes_of(s.touched, b->sector_bits), t));
}
