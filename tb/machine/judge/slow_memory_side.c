/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of judge_memory_side.h. */
#include "tb/machine/judge/judge_memory_side.h"

#include <stdlib.h>

#include "harness/base/text.h"

#define SECTORS 32u          /* of a line, at most */
#define BYTES (32u * 16u)    /* of an access, at most */
#define WORDS (32u * 5u)     /* of a shared access, at most */
#define MILLI UINT64_C(1000) /* links and DRAM have thousandths of a cycle */

typedef struct slow_line {
    uint64_t number;
    bool in;                 /* false: it was evicted or removed */
    uint64_t used;           /* when it was used last: the number of the cache's use */
    bool there[SECTORS];     /* L1: valid or on its way */
    bool dirty[SECTORS];     /* L2 */
    uint64_t valid[SECTORS]; /* L1: since when */
} slow_line;

typedef struct slow_cache {
    rf_cache_cfg cfg;
    slow_line *line; /* all that were ever in it */
    size_t lines;
    uint64_t uses;
} slow_cache;

typedef struct slow_interval {
    uint64_t from, until; /* until is not part of it */
} slow_interval;

/* A link, DRAM or the MSHRs: every reservation that was ever made. */
typedef struct slow_booked {
    slow_interval *interval;
    size_t count;
} slow_booked;

typedef struct slow_request {
    uint64_t line;
    bool touched[SECTORS];
} slow_request;

struct slow_memory {
    rf_memory_cfg cfg;
    uint32_t line, sector; /* bytes of a request's line and sector */
    uint64_t lsu_free, texture_free;
    slow_cache l1, l2;
    slow_booked mshrs, up, down, dram;
    uint64_t count[COUNTERS], rule[RULES];
};

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t rounded_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }
static void saw(slow_memory *m, int rule, bool happened) { m->rule[rule] += happened; }

/* --- reservations ----------------------------------------------------------------------------------------------------------- */

static void book(slow_booked *b, uint64_t from, uint64_t until) {
    b->interval = ls_grow(b->interval, b->count, sizeof *b->interval);
    b->interval[b->count++] = (slow_interval){from, until};
}

/* Moves bytes from time x (thousandths) on; returns the end. */
static uint64_t move(slow_memory *m, slow_booked *b, uint64_t x, uint64_t bytes, uint64_t rate, int busy) {
    uint64_t from = x;
    for (size_t i = 0; i < b->count; i++) from = later(from, b->interval[i].until);
    saw(m, busy, from > x);
    book(b, from, from + rounded_up(bytes * 1000000, rate));
    return b->interval[b->count - 1].until;
}

static uint64_t move_read(slow_memory *m, uint64_t x, uint64_t bytes) {
    m->count[C_dram_read_bytes] += bytes;
    return move(m, &m->dram, x, bytes, m->cfg.dram_bytes, R_READ_BUSY);
}

static void move_written(slow_memory *m, uint64_t x, uint64_t bytes) {
    m->count[C_dram_written_bytes] += bytes;
    (void)move(m, &m->dram, x, bytes, m->cfg.dram_bytes, R_DRAM_BUSY);
}

static uint32_t held(const slow_booked *mshrs, uint64_t t) {
    uint32_t n = 0;
    for (size_t i = 0; i < mshrs->count; i++) n += mshrs->interval[i].from <= t && t < mshrs->interval[i].until;
    return n;
}

/* The first end of a reservation that holds at t. */
static uint64_t first_end(const slow_booked *mshrs, uint64_t t) {
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < mshrs->count; i++)
        if (mshrs->interval[i].from <= t && t < mshrs->interval[i].until && mshrs->interval[i].until < first)
            first = mshrs->interval[i].until;
    return first;
}

/* --- caches ----------------------------------------------------------------------------------------------------------------- */

static uint64_t set_of(const slow_cache *c, uint64_t number) { return number % (c->cfg.size / c->cfg.line / c->cfg.ways); }

/* The line in the cache, or NULL. */
static slow_line *find(slow_cache *c, uint64_t number) {
    for (size_t i = 0; i < c->lines; i++)
        if (c->line[i].in && c->line[i].number == number) return &c->line[i];
    return NULL;
}

/* Since when all sectors of the line are valid. */
static uint64_t complete(const slow_line *line) {
    uint64_t since = 0;
    for (uint32_t s = 0; s < SECTORS; s++)
        if (line->there[s]) since = later(since, line->valid[s]);
    return since;
}

static void use(slow_cache *c, slow_line *line) { line->used = ++c->uses; }

/* Whether the set has a way that holds no line. */
static bool has_empty_way(const slow_cache *c, uint64_t set) {
    uint64_t lines = 0;
    for (size_t i = 0; i < c->lines; i++) lines += c->line[i].in && set_of(c, c->line[i].number) == set;
    return lines < c->cfg.ways;
}

/* The least recently used line of the set, of those that are complete at `by`; NULL: there is none. */
static slow_line *oldest(slow_cache *c, uint64_t set, uint64_t by) {
    slow_line *found = NULL;
    for (size_t i = 0; i < c->lines; i++) {
        slow_line *const l = &c->line[i];
        if (!l->in || set_of(c, l->number) != set || complete(l) > by) continue;
        if (found == NULL || l->used < found->used) found = l;
    }
    return found;
}

/* The line comes into the cache, where there is room: the youngest, without a sector. */
static slow_line *enter(slow_cache *c, uint64_t number) {
    size_t i = 0;
    while (i < c->lines && c->line[i].number != number) i++;
    if (i == c->lines) {
        c->line = ls_grow(c->line, c->lines, sizeof *c->line);
        c->lines++;
    }
    c->line[i] = (slow_line){.number = number, .in = true};
    use(c, &c->line[i]);
    return &c->line[i];
}

/* --- L2 --------------------------------------------------------------------------------------------------------------------- */

/* The L2 sectors that hold the L1 sectors. */
static uint64_t l2_sectors(const slow_memory *m, uint64_t l1_line, const bool *want, bool *l2_want) {
    const uint64_t first = l1_line * m->line;
    memset(l2_want, 0, SECTORS * sizeof *l2_want);
    for (uint32_t s = 0; s < SECTORS; s++)
        if (want[s]) l2_want[(first + s * m->sector) % m->cfg.l2.line / m->cfg.l2.sector] = true;
    return first / m->cfg.l2.line;
}

/* The line, brought in when it is not there; `dirty`: bytes of the line that made room and must be written to DRAM. */
static slow_line *l2_line(slow_memory *m, uint64_t number, bool write, uint64_t *dirty) {
    slow_line *const there = find(&m->l2, number);
    const uint64_t set = set_of(&m->l2, number);
    *dirty = 0;
    if (there != NULL) {
        use(&m->l2, there);
        return there;
    }
    if (!has_empty_way(&m->l2, set)) {
        slow_line *const out = oldest(&m->l2, set, UINT64_MAX);
        for (uint32_t s = 0; s < SECTORS; s++)
            if (out->dirty[s]) *dirty += m->cfg.l2.sector;
        saw(m, R_L2_EVICTS, *dirty == 0);
        saw(m, write ? R_WRITE_DIRTY : R_L2_DIRTY, *dirty > 0);
        out->in = false;
    } else saw(m, write ? R_WRITE_EMPTY : R_L2_EMPTY, true);
    return enter(&m->l2, number);
}

/* When the data is at L2's door, in thousandths. */
static uint64_t door(slow_memory *m, uint64_t l1_line, const bool *want, uint64_t bytes, uint64_t t) {
    uint64_t ready = t * MILLI, missing = 0, dirty = 0;
    bool l2_want[SECTORS];
    if (m->cfg.l2.size == 0) {
        saw(m, R_NO_L2_FETCH, true);
        return move_read(m, (t + m->cfg.dram_latency) * MILLI, bytes) + m->cfg.l2_latency * MILLI;
    }
    const uint64_t number = l2_sectors(m, l1_line, want, l2_want);
    const bool was_there = find(&m->l2, number) != NULL;
    slow_line *const line = l2_line(m, number, false, &dirty);
    for (uint32_t s = 0; s < SECTORS; s++) {
        if (!l2_want[s]) continue;
        if (!line->there[s]) missing += m->cfg.l2.sector;
        line->there[s] = true;
        saw(m, R_L2_DIRTY_HIT, line->dirty[s]);
    }
    saw(m, R_L2_HIT, missing == 0);
    saw(m, R_L2_SECTOR, missing > 0 && was_there);
    saw(m, R_L2_WHOLE, missing > bytes);
    m->count[C_l2_hits] += missing == 0;
    if (missing > 0) ready = move_read(m, (t + m->cfg.dram_latency) * MILLI, missing);
    if (dirty > 0) move_written(m, t * MILLI, dirty);
    return ready + m->cfg.l2_latency * MILLI;
}

static uint64_t bytes_of(const slow_memory *m, const bool *want) {
    uint64_t n = 0;
    for (uint32_t s = 0; s < SECTORS; s++) n += want[s];
    return n * m->sector;
}

/* Fetches sectors of a line of L1 at t: the cycle in which they are there. */
static uint64_t fetch(slow_memory *m, uint64_t l1_line, const bool *want, uint64_t t) {
    const uint64_t bytes = bytes_of(m, want);
    m->count[C_l2_fetches]++;
    m->count[C_link_down_bytes] += bytes;
    const uint64_t end = move(m, &m->down, door(m, l1_line, want, bytes, t), bytes, m->cfg.link_bytes, R_DOWN_BUSY);
    saw(m, R_ROUNDED, end % MILLI != 0);
    return rounded_up(end, MILLI);
}

/* The up link sends bytes at t: the cycle in which that ends. */
static uint64_t send(slow_memory *m, uint64_t bytes, uint64_t t) {
    m->count[C_link_up_bytes] += bytes;
    return rounded_up(move(m, &m->up, t * MILLI, bytes, m->cfg.link_bytes, R_UP_BUSY), MILLI);
}

/* Writes sectors of a line of L1 at t: the cycle in which they have left. */
static uint64_t write_out(slow_memory *m, uint64_t l1_line, const bool *want, uint64_t t) {
    const uint64_t bytes = bytes_of(m, want);
    uint64_t dirty = 0;
    bool l2_want[SECTORS];
    m->count[C_l2_writes]++;
    if (m->cfg.l2.size == 0) {
        saw(m, R_NO_L2_WRITE, true);
        move_written(m, t * MILLI, bytes);
        return send(m, bytes, t);
    }
    const uint64_t number = l2_sectors(m, l1_line, want, l2_want);
    const bool was_there = find(&m->l2, number) != NULL;
    slow_line *const line = l2_line(m, number, true, &dirty);
    for (uint32_t s = 0; s < SECTORS; s++) {
        if (!l2_want[s]) continue;
        saw(m, R_WRITE_HIT, line->there[s]);
        saw(m, R_WRITE_SECTOR, !line->there[s] && was_there);
        line->there[s] = line->dirty[s] = true;
    }
    if (dirty > 0) move_written(m, t * MILLI, dirty);
    return send(m, bytes, t);
}

/* --- L1 --------------------------------------------------------------------------------------------------------------------- */

/* A line of the set makes room for another; *t becomes the cycle in which it can. */
static void l1_room(slow_memory *m, uint64_t set, uint64_t *t) {
    if (has_empty_way(&m->l1, set)) {
        saw(m, R_MISS_EMPTY, true);
        return;
    }
    if (oldest(&m->l1, set, *t) == NULL) {
        uint64_t first = UINT64_MAX;
        for (size_t i = 0; i < m->l1.lines; i++)
            if (m->l1.line[i].in && set_of(&m->l1, m->l1.line[i].number) == set && complete(&m->l1.line[i]) < first)
                first = complete(&m->l1.line[i]);
        *t = first;
        saw(m, R_ALL_ON_WAY, true);
    }
    slow_line *const out = oldest(&m->l1, set, *t);
    saw(m, R_MISS_EVICTS, out == oldest(&m->l1, set, UINT64_MAX));
    saw(m, R_MISS_SKIPS, out != oldest(&m->l1, set, UINT64_MAX));
    out->in = false;
}

/* A load at *t, which moves as it waits; returns its end. */
static uint64_t load(slow_memory *m, const slow_request *r, uint64_t *t) {
    const uint64_t came = *t;
    uint64_t end = 0;
    bool missing[SECTORS], part = false, on_way = false;
    if (m->cfg.l1.size == 0) {
        saw(m, R_NO_L1_LOAD, true);
        return fetch(m, r->line, r->touched, *t);
    }
    m->count[C_l1_loads]++;
    memcpy(missing, r->touched, sizeof missing);
    slow_line *line = find(&m->l1, r->line);
    if (line != NULL) {
        use(&m->l1, line);
        for (uint32_t s = 0; s < SECTORS; s++) {
            if (!r->touched[s] || !line->there[s]) continue;
            missing[s] = false;
            part = true;
            on_way |= line->valid[s] > *t;
            end = later(end, later(*t + m->cfg.l1_latency, line->valid[s]));
        }
        if (bytes_of(m, missing) == 0) {
            m->count[on_way ? C_l1_merges : C_l1_hits]++;
            saw(m, on_way ? R_MERGE : R_HIT, true);
            saw(m, end > *t + m->cfg.l1_latency ? R_MERGE_LATE : R_MERGE_SOON, on_way);
            return end;
        }
        m->count[C_l1_sector_misses]++;
        saw(m, R_SECTOR_MISS, true);
        saw(m, R_SECTOR_PART, part);
        saw(m, R_MSHR_SAME_LINE, complete(line) > *t);
    } else {
        m->count[C_l1_misses]++;
        l1_room(m, set_of(&m->l1, r->line), t);
        line = enter(&m->l1, r->line);
    }
    const uint64_t roomed = *t;
    while (held(&m->mshrs, *t) >= m->cfg.l1_mshrs) *t = first_end(&m->mshrs, *t);
    saw(m, R_MSHR_WAIT, *t > roomed);
    m->count[C_l1_wait_cycles] += *t - came;
    const uint64_t fetched = fetch(m, r->line, missing, *t);
    book(&m->mshrs, *t, fetched);
    for (uint32_t s = 0; s < SECTORS; s++)
        if (missing[s]) {
            line->there[s] = true;
            line->valid[s] = fetched;
        }
    saw(m, R_PART_LATER, end > fetched);
    return later(end, fetched);
}

/* A store with l1.write 0 or an atomic takes the line out of L1, when it is there and not on its way. */
static void l1_remove(slow_memory *m, uint64_t number, uint64_t t, int removed, int on_way) {
    slow_line *const line = find(&m->l1, number);
    saw(m, R_STORE_NOT_THERE, line == NULL);
    if (line == NULL) return;
    saw(m, complete(line) > t ? on_way : removed, true);
    if (complete(line) <= t) line->in = false;
}

static uint64_t store(slow_memory *m, const slow_request *r, uint64_t t) {
    saw(m, R_NO_L1_STORE, m->cfg.l1.size == 0);
    if (m->cfg.l1.size > 0 && m->cfg.l1_write == 0) l1_remove(m, r->line, t, R_STORE_EVICTS, R_STORE_ON_WAY);
    slow_line *const line = m->cfg.l1.size > 0 ? find(&m->l1, r->line) : NULL;
    if (m->cfg.l1_write == 1 && line != NULL) {
        bool part = false;
        for (uint32_t s = 0; s < SECTORS; s++) part |= r->touched[s] && line->there[s];
        saw(m, part ? R_STORE_UPDATES : R_STORE_YOUNGEST, true);
        use(&m->l1, line);
    }
    return write_out(m, r->line, r->touched, t);
}

static uint64_t atomic(slow_memory *m, const slow_request *r, uint64_t t) {
    saw(m, R_NO_L1_ATOMIC, m->cfg.l1.size == 0);
    if (m->cfg.l1.size > 0) l1_remove(m, r->line, t, R_ATOMIC_EVICTS, R_ATOMIC_ON_WAY);
    return fetch(m, r->line, r->touched, send(m, bytes_of(m, r->touched), t));
}

/* --- accesses --------------------------------------------------------------------------------------------------------------- */

/* The most words of one bank, of the lanes of a phase. */
static uint32_t passes_of(slow_memory *m, const rf_memory_access *a, uint32_t first, uint32_t last) {
    uint64_t word[WORDS];
    uint32_t words = 0, most = 0;
    for (uint32_t lane = first; lane <= last; lane++) {
        const uint32_t own = words; /* an atomic's lane sees its own words alone */
        for (uint32_t b = 0; b < a->width && (a->mask >> lane & 1) != 0; b++) {
            const uint64_t w = (a->address[lane] + b) / 4;
            uint32_t i = a->kind == RF_ACCESS_ATOMIC ? own : 0;
            if (b == 0)
                for (uint32_t k = 0; k < own; k++)
                    if (word[k] == w) saw(m, a->kind == RF_ACCESS_ATOMIC ? R_SHARED_ATOMIC : R_SHARED_SAME, true);
            while (i < words && word[i] != w) i++;
            if (i == words) word[words++] = w;
        }
        saw(m, R_SHARED_TWO_WORDS, a->width <= 4 && words > own + 1);
    }
    for (uint32_t i = 0; i < words; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < words; k++) same += word[k] % m->cfg.shared_banks == word[i] % m->cfg.shared_banks;
        if (same > most) most = same;
    }
    saw(m, R_SHARED_IDLE, most == 0);
    return most;
}

static uint64_t shared(slow_memory *m, const rf_memory_access *a, uint64_t start) {
    const uint32_t phases = a->width >= 16 ? 4 : a->width >= 8 ? 2 : 1;
    uint64_t passes = 0;
    for (uint32_t i = 0; i < phases; i++) {
        const uint32_t these = passes_of(m, a, 32 * i / phases, 32 * (i + 1) / phases - 1);
        saw(m, phases == 1 ? R_SHARED_CONFLICT_1 : phases == 2 ? R_SHARED_CONFLICT_2 : R_SHARED_CONFLICT_4, these > 1);
        passes += these;
    }
    if (passes == 0) passes = 1;
    saw(m, R_SHARED_FREE, passes == 1);
    m->count[C_shared_accesses]++;
    m->count[C_shared_passes] += passes;
    m->lsu_free = start + passes * m->cfg.shared_interval;
    return start + (passes - 1) * m->cfg.shared_interval + m->cfg.shared_latency;
}

/* Where the byte of a lane lies. */
static uint64_t physical(const rf_memory_access *a, uint32_t lane, uint64_t byte) {
    if (a->space != RF_MEMORY_LOCAL) return byte;
    return (UINT64_C(1) << 44) + (a->warp << 32) + byte / 4 * 128 + lane * 4 + byte % 4;
}

/* The requests of the access, in the order of their first touch; returns how many. */
static uint32_t coalesce(slow_memory *m, const rf_memory_access *a, slow_request *request) {
    uint32_t requests = 0;
    memset(request, 0, BYTES * sizeof *request);
    for (uint32_t lane = 0; lane < 32; lane++) {
        if ((a->mask >> lane & 1) == 0) continue;
        for (uint32_t b = 0; b < a->width; b++) {
            const uint64_t at = physical(a, lane, a->address[lane] + b);
            const uint32_t sector = (uint32_t)(at % m->line / m->sector);
            uint32_t i = 0;
            while (i < requests && request[i].line != at / m->line) i++;
            if (i == requests) request[requests++].line = at / m->line;
            else saw(m, R_RETURN_TO_LINE, i + 1 < requests && !request[i].touched[sector]);
            request[i].touched[sector] = true;
            saw(m, R_LANE_CROSSES, b > 0 && at / m->line != physical(a, lane, a->address[lane] + b - 1) / m->line);
            saw(m, R_LOCAL_SPLIT, a->space == RF_MEMORY_LOCAL && b == 1 && a->address[lane] % 4 + a->width > 4);
        }
        saw(m, R_LANE_WRAPS, a->address[lane] + a->width - 1 < a->address[lane]);
    }
    saw(m, requests == 1 ? R_ONE_REQUEST : R_REQUESTS, true);
    return requests;
}

uint64_t slow_memory_access(slow_memory *m, const rf_memory_access *a, uint64_t now) {
    static slow_request request[BYTES];
    m->count[C_mem_accesses]++;
    m->count[a->kind == RF_ACCESS_LOAD ? C_mem_loads : a->kind == RF_ACCESS_STORE ? C_mem_stores : C_mem_atomics]++;
    saw(m, R_NO_LANE, a->mask == 0);
    if (a->mask == 0) return now + 1;
    saw(m, R_CONSTANT, a->space == RF_MEMORY_CONSTANT);
    if (a->space == RF_MEMORY_CONSTANT) return now + m->cfg.constant_latency;
    uint64_t start = later(now, m->lsu_free);
    saw(m, R_LSU_WAIT, start > now);
    if (a->address == NULL) {
        saw(m, R_NO_ADDRESS, true);
        m->count[C_mem_requests]++;
        m->count[C_lsu_wait_cycles] += start - now;
        m->lsu_free = start + m->cfg.lsu_interval;
        return start + m->cfg.l1_latency;
    }
    if (a->space == RF_MEMORY_TEXTURE) {
        saw(m, R_TEXTURE_WAIT, m->texture_free > start);
        start = later(start, m->texture_free);
        m->texture_free = start + m->cfg.texture_interval;
    }
    m->count[C_lsu_wait_cycles] += start - now;
    if (a->space == RF_MEMORY_SHARED) return shared(m, a, start);
    uint64_t t = start, done = 0;
    const uint32_t requests = coalesce(m, a, request);
    for (uint32_t i = 0; i < requests; i++) {
        m->count[C_mem_requests]++;
        if (a->kind == RF_ACCESS_LOAD) done = later(done, load(m, &request[i], &t));
        else if (a->kind == RF_ACCESS_STORE) done = later(done, store(m, &request[i], t));
        else done = later(done, atomic(m, &request[i], t));
        t += m->cfg.lsu_interval;
    }
    m->lsu_free = t;
    saw(m, R_TEXTURE, a->space == RF_MEMORY_TEXTURE && m->cfg.texture_latency > 0);
    return a->space == RF_MEMORY_TEXTURE ? done + m->cfg.texture_latency : done;
}

/* --- the whole -------------------------------------------------------------------------------------------------------------- */

slow_memory *slow_memory_new(const rf_memory_cfg *cfg) {
    slow_memory *const m = ls_alloc(1, sizeof *m);
    m->cfg = *cfg;
    m->l1.cfg = cfg->l1;
    m->l2.cfg = cfg->l2;
    m->line = cfg->l1.size > 0 ? cfg->l1.line : cfg->l2.size > 0 ? cfg->l2.line : 128;
    m->sector = cfg->l1.size > 0 ? cfg->l1.sector : 32;
    return m;
}

void slow_memory_flush(slow_memory *m) {
    m->l1.lines = m->l2.lines = m->l1.uses = m->l2.uses = 0;
    m->mshrs.count = 0;
    saw(m, R_FLUSH, true);
}

void slow_memory_free(slow_memory *m) {
    free(m->l1.line);
    free(m->l2.line);
    free(m->mshrs.interval);
    free(m->up.interval);
    free(m->down.interval);
    free(m->dram.interval);
    free(m);
}

uint64_t slow_memory_ready_from(const slow_memory *m) { return m->lsu_free; }
const uint64_t *slow_memory_counts(const slow_memory *m) { return m->count; }
const uint64_t *slow_memory_rules(const slow_memory *m) { return m->rule; }
