/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_memory_side.h"

#include <stdlib.h>

#include "cmodel/common/rf_types.h"
#include "harness/base/memory.h"
#include "tb/machine/env/rf_memory_coalesce.h"
#include "tb/machine/env/rf_memory_l1.h"

/* Of requests where there is no L1, and of their lines where there is no L2 either. */
#define BARE_SECTOR 32u
#define BARE_LINE 128u

typedef struct counts {
    uint64_t of_kind[RF_ACCESS_ATOMIC + 1];
    uint64_t requests, shared, passes;
    uint64_t l1_wait;
    uint64_t lsu_wait;
} counts;

struct rf_memory_side {
    rf_memory_cfg cfg;
    uint64_t lsu_free, texture_free;
    bool has_l1;
    rf_memory_l1 l1;
    rf_memory_below below;
    counts count;
};

/* --- parameters ------------------------------------------------------------------------------------------------------------- */

static bool outside(uint64_t value, uint64_t min, uint64_t max) { return value < min || value > max; }

static bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

/* Of a cache that there is: */

static bool bad_line(const rf_cache_cfg *c) { return c->size != 0 && (outside(c->line, 32, 1024) || !power_of_two(c->line)); }

static bool bad_sector(const rf_cache_cfg *c) {
    if (c->size == 0) return false;
    return outside(c->sector, 4, c->line) || !power_of_two(c->sector) || c->line / c->sector > 32;
}

static bool bad_ways(const rf_cache_cfg *c) { return c->size != 0 && outside(c->ways, 1, 65536); }

static bool bad_size(const rf_cache_cfg *c) { return c->size != 0 && c->size % ((uint64_t)c->line * c->ways) != 0; }

typedef struct rule {
    bool broken;
    const char *text;
} rule;

static const char *first_broken(const rule *r, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (r[i].broken) return r[i].text;
    return NULL;
}

/* What parameters must be to each other, when each is in its range. */
static const char *check_together(const rf_memory_cfg *cfg) {
    const rf_cache_cfg *const l1 = &cfg->l1, *const l2 = &cfg->l2;
    const bool both = l1->size != 0 && l2->size != 0, alone = l1->size == 0 && l2->size != 0;
    const rule rules[] = {
        {bad_size(l1), "l1.size must be a multiple of l1.line x l1.ways"},
        {bad_size(l2), "l2.size must be a multiple of l2.line x l2.ways"},
        {both && l2->line % l1->line != 0, "l2.line must be a multiple of l1.line"},
        {both && l2->sector % l1->sector != 0, "l2.sector must be a multiple of l1.sector"},
        {alone && l2->sector % BARE_SECTOR != 0, "l2.sector must be a multiple of 32 without L1"},
    };
    return first_broken(rules, sizeof rules / sizeof rules[0]);
}

const char *rf_memory_check(const rf_memory_cfg *cfg) {
    const rf_cache_cfg *const l1 = &cfg->l1, *const l2 = &cfg->l2;
    const rule rules[] = {
        {outside(cfg->lsu_interval, 1, 1000), "lsu.interval must be 1 to 1000"},
        {outside(cfg->shared_latency, 1, 100000), "shared.latency must be 1 to 100000"},
        {outside(cfg->shared_banks, 1, 64), "shared.banks must be 1 to 64"},
        {outside(cfg->shared_interval, 1, 1000), "shared.interval must be 1 to 1000"},
        {outside(cfg->constant_latency, 1, 100000), "constant.latency must be 1 to 100000"},
        {outside(cfg->texture_latency, 0, 100000), "texture.latency must be 0 to 100000"},
        {outside(cfg->texture_interval, 1, 1000), "texture.interval must be 1 to 1000"},
        {outside(l1->size, 0, UINT64_C(16) << 20), "l1.size must be 0 to 16777216"},
        {bad_line(l1), "l1.line must be a power of two from 32 to 1024"},
        {bad_sector(l1), "l1.sector must be a power of two from 4 to l1.line, at most 32 a line"},
        {bad_ways(l1), "l1.ways must be 1 to 65536"},
        {outside(cfg->l1_latency, 1, 100000), "l1.latency must be 1 to 100000"},
        {l1->size != 0 && outside(cfg->l1_mshrs, 1, 1024), "l1.mshrs must be 1 to 1024"},
        {l1->size != 0 && outside(cfg->l1_write, 0, 1), "l1.write must be 0 to 1"},
        {outside(cfg->link_bytes, 1, 1000000000), "link.bytes must be 1 to 1000000000"},
        {outside(l2->size, 0, UINT64_C(128) << 20), "l2.size must be 0 to 134217728"},
        {bad_line(l2), "l2.line must be a power of two from 32 to 1024"},
        {bad_sector(l2), "l2.sector must be a power of two from 4 to l2.line, at most 32 a line"},
        {bad_ways(l2), "l2.ways must be 1 to 65536"},
        {outside(cfg->l2_latency, 1, 100000), "l2.latency must be 1 to 100000"},
        {outside(cfg->dram_latency, 0, 100000), "dram.latency must be 0 to 100000"},
        {outside(cfg->dram_bytes, 1, 1000000000), "dram.bytes must be 1 to 1000000000"},
    };
    const char *const wrong = first_broken(rules, sizeof rules / sizeof rules[0]);
    return wrong != NULL ? wrong : check_together(cfg);
}

/* --- life ------------------------------------------------------------------------------------------------------------------- */

rf_memory_side *rf_memory_side_new(const rf_memory_cfg *cfg) {
    rf_memory_side *const m = ls_zeroed(sizeof *m);
    m->cfg = *cfg;
    m->has_l1 = cfg->l1.size != 0;
    if (m->has_l1) rf_memory_l1_init(&m->l1, cfg);
    const uint32_t line = m->has_l1 ? cfg->l1.line : cfg->l2.size != 0 ? cfg->l2.line : BARE_LINE;
    rf_memory_below_init(&m->below, cfg, rf_lowest(line), rf_lowest(m->has_l1 ? cfg->l1.sector : BARE_SECTOR));
    return m;
}

void rf_memory_side_free(rf_memory_side *m) {
    if (m == NULL) return;
    if (m->has_l1) rf_memory_l1_free(&m->l1);
    rf_memory_below_free(&m->below);
    free(m);
}

void rf_memory_side_flush(rf_memory_side *m) {
    if (m->has_l1) rf_memory_l1_flush(&m->l1);
    rf_memory_below_flush(&m->below);
}

/* --- accesses --------------------------------------------------------------------------------------------------------------- */

bool rf_memory_side_ready(const rf_memory_side *m, uint64_t now) { return m->lsu_free <= now; }

static uint64_t access_shared(rf_memory_side *m, const rf_memory_access *access, uint64_t start) {
    const uint64_t passes = rf_memory_passes(access, m->cfg.shared_banks);
    m->count.shared++;
    m->count.passes += passes;
    m->lsu_free = start + passes * m->cfg.shared_interval;
    return start + (passes - 1) * m->cfg.shared_interval + m->cfg.shared_latency;
}

/* A request that leaves the unit at *t, which moves while a load waits in L1; the end. */
static uint64_t request(rf_memory_side *m, rf_access_kind kind, rf_memory_sectors s, uint64_t *t) {
    if (kind == RF_ACCESS_STORE) {
        if (m->has_l1) rf_memory_l1_store(&m->l1, s.line, *t);
        return rf_memory_below_write(&m->below, s, *t);
    }
    if (kind == RF_ACCESS_ATOMIC) {
        if (m->has_l1) rf_memory_l1_evict(&m->l1, s.line, *t);
        return rf_memory_below_atomic(&m->below, s, *t);
    }
    return m->has_l1 ? rf_memory_l1_load(&m->l1, &m->below, s, t) : rf_memory_below_fetch(&m->below, s, *t);
}

/* The requests of a global, local or texture access, one after the other; the latest end. */
static uint64_t access_lines(rf_memory_side *m, const rf_memory_access *access, uint64_t start) {
    rf_memory_requests requests;
    uint64_t end = 0, leaves = start;
    rf_memory_coalesce(access, m->below.line_bits, m->below.sector_bits, &requests);
    for (uint32_t i = 0; i < requests.count; i++) {
        uint64_t t = leaves;
        end = rf_later(end, request(m, access->kind, requests.of[i], &t));
        m->count.l1_wait += t - leaves;
        leaves = t + m->cfg.lsu_interval;
    }
    m->count.requests += requests.count;
    m->lsu_free = leaves;
    return end;
}

uint64_t rf_memory_side_access(rf_memory_side *m, const rf_memory_access *access, uint64_t now) {
    uint64_t start = rf_later(now, m->lsu_free), done = 0;
    m->count.of_kind[access->kind]++;
    if (access->mask == 0) return now + 1;
    if (access->space == RF_MEMORY_CONSTANT) return now + m->cfg.constant_latency;
    if (access->address == NULL) {
        m->count.requests++;
        m->lsu_free = start + m->cfg.lsu_interval;
        done = start + m->cfg.l1_latency;
    } else if (access->space == RF_MEMORY_SHARED) {
        done = access_shared(m, access, start);
    } else if (access->space == RF_MEMORY_TEXTURE) {
        start = rf_later(start, m->texture_free);
        m->texture_free = start + m->cfg.texture_interval;
        done = access_lines(m, access, start) + m->cfg.texture_latency;
    } else {
        done = access_lines(m, access, start);
    }
    m->count.lsu_wait += start - now;
    return done;
}

void rf_memory_side_counters(const rf_memory_side *m, ls_counter_fn *sink, void *ctx) {
    const counts *const c = &m->count;
    const rf_memory_l1_counts *const l1 = &m->l1.count;
    const rf_memory_below_counts *const b = &m->below.count;
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {
        {"mem_accesses", c->of_kind[RF_ACCESS_LOAD] + c->of_kind[RF_ACCESS_STORE] + c->of_kind[RF_ACCESS_ATOMIC]},
        {"mem_loads", c->of_kind[RF_ACCESS_LOAD]},
        {"mem_stores", c->of_kind[RF_ACCESS_STORE]},
        {"mem_atomics", c->of_kind[RF_ACCESS_ATOMIC]},
        {"mem_requests", c->requests},
        {"shared_accesses", c->shared},
        {"shared_passes", c->passes},
        {"l1_loads", l1->loads},
        {"l1_hits", l1->hits},
        {"l1_merges", l1->merges},
        {"l1_sector_misses", l1->sector_misses},
        {"l1_misses", l1->misses},
        {"l1_wait_cycles", c->l1_wait},
        {"l2_fetches", b->fetches},
        {"l2_hits", b->hits},
        {"l2_writes", b->writes},
        {"dram_read_bytes", b->dram_read},
        {"dram_written_bytes", b->dram_written},
        {"link_down_bytes", b->link_down},
        {"link_up_bytes", b->link_up},
        {"lsu_wait_cycles", c->lsu_wait},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sink(ctx, all[i].name, (double)all[i].value);
}
