/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_ccu. */
#include "cmodel/malekeh/rf_ccu_parts.h"

#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_carried.h"

typedef struct rf_ccu_stim {
    ls_rng rng;
    uint32_t left;     /* cycles until the knobs are drawn anew */
    uint32_t alloc;    /* probability for a free unit, in 256ths, as all below */
    uint32_t stay;     /* of an instruction: the same warp again */
    uint32_t grant;    /* of an asking slot */
    uint32_t dispatch; /* of a ready unit */
    uint32_t illegal;  /* of each breach of protocol */
    uint32_t sources;  /* density of valid slots */
    uint32_t again;    /* of a register: one that an entry holds */
    uint32_t near;     /* density of near hints */
    bool awaited;      /* BOW: nothing else but results that are awaited comes */
    uint32_t write;    /* density of results */
    uint32_t own;      /* of a result: this unit's warp */
    uint32_t whole;    /* of a result: all lanes */
    uint32_t flush;
    uint32_t base, pool; /* registers named: `pool` of them, from `base` on */
} rf_ccu_stim;

static void draw_knobs(rf_ccu_stim *s, const rf_ccu_cfg *cfg) {
    ls_rng *r = &s->rng;
    s->left = 60 + ls_rng_below(r, 400);
    s->alloc = 64 + ls_rng_below(r, 193);
    s->stay = 160 + ls_rng_below(r, 94);
    s->grant = 32 + ls_rng_below(r, 200);
    s->dispatch = 48 + ls_rng_below(r, 160);
    s->illegal = 4 + ls_rng_below(r, 40);
    s->sources = 96 + ls_rng_below(r, 144);
    s->again = ls_rng_below(r, 160);
    s->near = ls_rng_chance(r, 64) ? 230 + ls_rng_below(r, 27) : ls_rng_below(r, 220);
    s->write = 8 + ls_rng_below(r, 160);
    s->own = 64 + ls_rng_below(r, 180);
    s->whole = 32 + ls_rng_below(r, 224);
    s->flush = ls_rng_below(r, 8);
    s->pool = ls_rng_chance(r, 160) ? 2 + ls_rng_below(r, 2 * cfg->entries) : cfg->regs;
    if (s->pool > cfg->regs) s->pool = cfg->regs;
    s->base = ls_rng_below(r, cfg->regs);
    s->awaited = cfg->bow != 0 && ls_rng_chance(r, 96);
    if (!s->awaited) return;
    s->sources = s->stay = 250; /* the table fills */
    s->alloc = 64;
    s->whole = 250;
    s->write = 96;
    s->own = 250;
}

static void stim_init(rf_ccu_stim *s, const rf_ccu *m, uint64_t seed) {
    ls_rng_seed(&s->rng, seed);
    draw_knobs(s, &m->cfg);
}

/* An index below `n`; one in 64 is any value of its width: it is carried along
 * or compared. */
static uint32_t draw_index(rf_ccu_stim *s, uint32_t n) {
    if (ls_rng_chance(&s->rng, 16)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(n));
    return ls_rng_below(&s->rng, n);
}

static uint8_t draw_register(rf_ccu_stim *s, const rf_ccu *m) {
    if (ls_rng_chance(&s->rng, s->again)) return m->ct_tag_q[ls_rng_below(&s->rng, m->cfg.entries)];
    if (ls_rng_chance(&s->rng, 4)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.regs));
    return (uint8_t)((s->base + ls_rng_below(&s->rng, s->pool)) % m->cfg.regs);
}

/* An instruction at the input, also while nobody looks: what is not taken must
 * not be stored. */
static void draw_instruction(rf_ccu_stim *s, const rf_ccu *m, rf_ccu_in *in) {
    const rf_ccu_cfg *cfg = &m->cfg;
    const uint32_t kind = ls_rng_below(&s->rng, 16);
    const uint64_t every = rf_mask64(cfg->slots);
    in->alloc_inst.warp = ls_rng_chance(&s->rng, s->stay) ? (uint8_t)m->carried_q.warp : (uint8_t)draw_index(s, cfg->warps);
    rf_stage_draw_carried(&s->rng, &in->alloc_inst.carried);
    in->alloc_inst.port = (uint8_t)draw_index(s, cfg->exports);
    in->alloc_inst.mask = (uint32_t)ls_rng_value(&s->rng, cfg->lanes);
    in->alloc_inst.dst_valid = ls_rng_chance(&s->rng, 192);
    in->alloc_inst.dst = draw_register(s, m);
    in->alloc_dst_near = ls_rng_chance(&s->rng, s->near);
    in->alloc_inst.src_valid = (uint8_t)(kind == 0 ? 0 : kind < 6 ? every : ls_rng_bits(&s->rng, cfg->slots, s->sources));
    in->alloc_src_near = (uint8_t)ls_rng_bits(&s->rng, cfg->slots, s->near);
    const uint8_t first = draw_register(s, m);
    const uint32_t warp_row = ls_rng_below(&s->rng, cfg->rows);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        /* Kind 1 names one register in all slots, kind 2 neighbours, the others
         * any. */
        const uint32_t reg = kind == 1 ? first : kind == 2 ? (first + i) % cfg->regs : draw_register(s, m);
        in->alloc_inst.src[i] = (uint8_t)reg;
        in->alloc_bank[i] = (uint8_t)((reg + in->alloc_inst.warp) % cfg->banks);
        in->alloc_row[i] = (uint16_t)((warp_row + reg / cfg->banks) % cfg->rows);
    }
    if (ls_rng_chance(&s->rng, s->illegal)) {
        const uint32_t i = ls_rng_below(&s->rng, cfg->slots);
        in->alloc_bank[i] = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->banks));
        in->alloc_row[i] = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->rows));
    }
}

/* Results: mostly of this warp, of registers that are named soon or at this
 * moment, and two of one register only as a breach. */
static void draw_results(rf_ccu_stim *s, const rf_ccu *m, rf_ccu_in *in) {
    const rf_ccu_cfg *cfg = &m->cfg;
    in->wr_valid = (uint8_t)ls_rng_bits(&s->rng, cfg->exports, s->write);
    in->wr_near = (uint8_t)ls_rng_bits(&s->rng, cfg->exports, s->near);
    for (uint32_t left = in->wr_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        in->wr_warp[e] = ls_rng_chance(&s->rng, s->own) ? (uint8_t)m->carried_q.warp : (uint8_t)draw_index(s, cfg->warps);
        /* a source at the input, a register that is held, awaited (BOW), any */
        const uint32_t of = s->awaited ? 3 + ls_rng_below(&s->rng, 4) : ls_rng_below(&s->rng, 8);
        in->wr_reg[e] = of == 0                    ? in->alloc_inst.src[ls_rng_below(&s->rng, cfg->slots)]
                        : of <= 2                  ? m->ct_tag_q[ls_rng_below(&s->rng, cfg->entries)]
                        : of <= 4 && cfg->bow != 0 ? (uint8_t)m->carried_q.dst
                        : of <= 6 && cfg->bow != 0 ? m->before_q
                                                   : draw_register(s, m);
        in->wr_mask[e] = (uint32_t)(ls_rng_chance(&s->rng, s->whole) ? rf_mask64(cfg->lanes) : ls_rng_value(&s->rng, cfg->lanes));
        if (cfg->bow != 0 && of >= 3 && of <= 6 && ls_rng_chance(&s->rng, 192)) { /* as its instruction returns it */
            in->wr_warp[e] = (uint8_t)m->carried_q.warp;
            in->wr_mask[e] = (uint32_t)rf_mask64(cfg->lanes);
        }
        if (ls_rng_chance(&s->rng, s->illegal)) continue;
        for (uint32_t low = in->wr_valid & ((1u << e) - 1); low != 0; low &= low - 1) {
            const uint32_t other = rf_lowest(low);
            if (in->wr_reg[other] == in->wr_reg[e] && in->wr_warp[other] == in->wr_warp[e]) in->wr_valid &= (uint8_t) ~(1u << e);
        }
    }
}

static void stim(rf_ccu_stim *s, const rf_ccu *m, rf_ccu_in *in) {
    const rf_ccu_cfg *cfg = &m->cfg;
    if (s->left-- == 0) draw_knobs(s, cfg);
    const uint32_t asks = rf_ccu_asks(m);
    const bool ready = rf_ccu_ready(m);
    /* After reset a while without an owner: nothing but an alloc ends it. */
    const bool fresh = cfg->cache == 1 && !m->owned_q;
    in->alloc = ls_rng_chance(&s->rng, m->busy_q ? s->illegal : fresh ? 24 : s->alloc >> 2 * cfg->bow);
    if (!m->busy_q || in->alloc) draw_instruction(s, m, in);
    in->rd_grant = (uint8_t)(ls_rng_bits(&s->rng, cfg->slots, s->grant) & asks);
    if (ls_rng_chance(&s->rng, s->illegal)) in->rd_grant = (uint8_t)ls_rng_value(&s->rng, cfg->slots);
    in->dispatch = ls_rng_chance(&s->rng, ready ? s->dispatch : s->illegal);
    in->flush = ls_rng_chance(&s->rng, s->flush);
    in->rand = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->entries));
    draw_results(s, m, in);
    /* New data where it is due; elsewhere the old stays for a while. */
    for (uint32_t i = 0; i < cfg->slots; i++)
        if ((m->fill_q >> i & 1) != 0 || ls_rng_chance(&s->rng, 32)) ls_rng_lanes(&s->rng, in->fill_data[i].lane, cfg->lanes);
    if ((in->wr_valid & in->wr_near) != 0 || ls_rng_chance(&s->rng, 32)) ls_rng_lanes(&s->rng, in->d_data.lane, cfg->lanes);
}

enum {
    ALLOC,
    SAME_WARP,
    OTHER_WARP,
    FLUSH,
    FLUSH_ALLOC,
    FLUSH_BUSY,
    NO_SOURCE,
    EVERY_SLOT,
    BUSY,
    IN_DISPATCH,
    ALL_HIT,
    ALL_MISS,
    MIXED,
    TWO_HIT,
    TWO_MISS,
    EMPTY,
    FAR,
    FAR_WRAP,
    LRU,
    CLASSES,
    RANK,
    LEAVES = RANK + 8,
    GRANT,
    SOME_GRANTED,
    GRANT_SHARED,
    GRANT_WRONG,
    FILL,
    FILL_WRITE,
    WAITS,
    DISPATCH,
    DISPATCH_EARLY,
    D_HIT,
    D_MERGE,
    D_LOCKED,
    D_DISPATCH,
    D_EMPTY,
    D_FAR,
    D_LRU,
    D_BYPASS,
    D_ALL_LOCKED,
    FAR_HIT,
    DISCARDED,
    FAR_MISS,
    FOREIGN,
    NO_LANE,
    WR_ALLOC,
    WR_HIT_SOURCE,
    WR_MISS_SOURCE,
    WR_OTHER_WARP,
    WR_FLUSH,
    WR_AFTER,
    WR_REPLACED,
    TWICE,
    LOST_LOCKED,
    HELD_FAR,
    SEL,
    D_BEFORE,
    BINS
};

static const char *const bin_names[] = {"alloc",
                                        "alloc for the same warp",
                                        "alloc for another warp empties the table",
                                        "flush",
                                        "flush with an alloc of the same warp",
                                        "flush while busy",
                                        "alloc without sources",
                                        "alloc with every slot",
                                        "alloc while busy",
                                        "alloc in the cycle of the dispatch",
                                        "all sources hit",
                                        "all sources miss",
                                        "some hit, some miss",
                                        "two sources name one register that hits",
                                        "two sources name one register that misses",
                                        "a source takes an entry that is not valid",
                                        "a source takes a far entry, not from entry 0 on",
                                        "the search for a far entry wraps around",
                                        "a source takes the least recently used near entry",
                                        "two sources take entries of different classes",
                                        "hit at rank 0",
                                        "hit at rank 1",
                                        "hit at rank 2",
                                        "hit at rank 3",
                                        "hit at rank 4",
                                        "hit at rank 5",
                                        "hit at rank 6",
                                        "hit at rank 7",
                                        "an unread slot that leaves the asking to a lower one",
                                        "grant",
                                        "some granted, some not",
                                        "grant for several slots",
                                        "grant to a slot that does not ask",
                                        "fill",
                                        "fill and a stored result in one cycle",
                                        "ready but not dispatched",
                                        "dispatch",
                                        "dispatch while not ready",
                                        "port D writes all lanes of a held register",
                                        "port D writes some lanes of a held register",
                                        "port D finds a locked entry",
                                        "port D finds a locked entry in the cycle of its dispatch",
                                        "port D takes an entry that is not valid",
                                        "port D takes a far entry",
                                        "port D takes the least recently used near entry",
                                        "port D has some lanes of a register that is not held",
                                        "port D while all entries are locked",
                                        "a far result makes an entry invalid",
                                        "a discarded near result makes an entry invalid",
                                        "a far result of a register that is not held",
                                        "a result of another warp",
                                        "a result without a lane",
                                        "a result stored in the cycle of an alloc",
                                        "a result of a source that hits, in its alloc",
                                        "a result of a source that misses, in its alloc",
                                        "a result in the cycle of an alloc for another warp",
                                        "a result in the cycle of a flush",
                                        "port D takes an entry behind those that sources take",
                                        "port D's register is replaced in the same cycle",
                                        "two results of one register",
                                        "a far result for a locked entry",
                                        "held values, none near",
                                        "port D for a writer above 0",
                                        "BOW: port D takes a result of the instruction before",
                                        NULL};

static bool several(uint32_t x) { return (x & (x - 1)) != 0; }

/* How an entry stood in the order of replacement: 0 not valid, 1 far, 2 near.
 */
static uint32_t class_of(uint32_t live, uint32_t near, uint32_t e) {
    return (live >> e & 1) == 0 ? 0u : (near >> e & 1) == 0 ? 1u : 2u;
}

/* Entries that the sources at the input hit; `after`: what the edge makes of the model. */
static uint32_t entries_hit(const rf_ccu *after, uint32_t hit) {
    uint32_t entries = 0;
    for (uint32_t left = hit; left != 0; left &= left - 1) entries |= 1u << after->oct_index_q[rf_lowest(left)];
    return entries;
}

static uint64_t bins(const rf_ccu *m, const rf_ccu_in *in, const rf_ccu_out *out) {
    const rf_ccu_cfg *cfg = &m->cfg;
    uint64_t bits = 0;
#define HIT(when, bin) bits |= (uint64_t)((when) ? 1 : 0) << (bin)
    rf_ccu after = *m; /* what the edge makes of it */
    rf_ccu_clock(&after, in);
    const uint32_t every = (uint32_t)rf_mask64(cfg->slots), src_valid = in->alloc_inst.src_valid;
    const bool alloc = in->alloc && !m->busy_q, other = alloc && !(m->owned_q && in->alloc_inst.warp == m->carried_q.warp);
    const bool passes = cfg->bow != 0 && alloc; /* what the table holds, out of BOW's window */
    const uint32_t near = passes ? 0u : m->ct_near_q;
    const uint32_t stays = passes ? m->ct_near_q | entries_hit(&after, out->hit) : UINT32_MAX;
    const uint32_t live = other || in->flush ? 0u : m->ct_valid_q & stays;

    HIT(alloc, ALLOC);
    HIT(alloc && !other && m->ct_valid_q != 0, SAME_WARP);
    HIT(alloc && other && m->ct_valid_q != 0, OTHER_WARP);
    HIT(in->flush && !alloc && m->ct_valid_q != 0, FLUSH);
    HIT(in->flush && alloc && !other && m->ct_valid_q != 0, FLUSH_ALLOC);
    HIT(in->flush && m->busy_q && m->ct_valid_q != 0, FLUSH_BUSY);
    HIT(alloc && src_valid == 0, NO_SOURCE);
    HIT(alloc && src_valid == every, EVERY_SLOT);
    HIT(in->alloc && m->busy_q, BUSY);
    HIT(in->alloc && out->ready && in->dispatch, IN_DISPATCH);
    uint32_t taken = 0, classes = 0; /* by sources */
    if (alloc) {
        HIT(src_valid != 0 && out->hit == src_valid, ALL_HIT);
        HIT(src_valid != 0 && out->hit == 0, ALL_MISS);
        HIT(out->hit != 0 && out->hit != src_valid, MIXED);
        for (uint32_t left = src_valid; left != 0; left &= left - 1) {
            const uint32_t s = rf_lowest(left), e = after.oct_index_q[s];
            bool twin = false;
            for (uint32_t low = src_valid & ((1u << s) - 1); low != 0; low &= low - 1)
                twin |= in->alloc_inst.src[rf_lowest(low)] == in->alloc_inst.src[s];
            if ((out->hit >> s & 1) != 0) {
                HIT(twin, TWO_HIT);
                HIT(true, RANK + m->ct_lru_q[e]);
                continue;
            }
            HIT(twin, TWO_MISS);
            if (twin) continue;
            const uint32_t kind = class_of(live, near, e);
            taken |= 1u << e;
            classes |= 1u << kind;
            HIT(kind == 0, EMPTY);
            HIT(kind == 1 && in->rand != 0, FAR);
            HIT(kind == 1 && e < in->rand, FAR_WRAP);
            HIT(kind == 2, LRU);
        }
        HIT(several(classes), CLASSES);
    }

    const uint32_t granted = in->rd_grant & out->rd_valid, waits = out->unread & ~(uint32_t)out->rd_valid;
    HIT(waits != 0, LEAVES);
    HIT(granted != 0, GRANT);
    HIT(granted != 0 && granted != out->rd_valid, SOME_GRANTED);
    HIT((after.fill_q & waits) != 0, GRANT_SHARED);
    HIT((in->rd_grant & ~(uint32_t)out->rd_valid) != 0, GRANT_WRONG);
    HIT(m->fill_q != 0, FILL);
    HIT(out->ready && !in->dispatch, WAITS);
    HIT(out->ready && in->dispatch, DISPATCH);
    HIT(m->busy_q && !out->ready && in->dispatch, DISPATCH_EARLY);

    const uint32_t counts = rf_ccu_results(m, in->wr_valid, in->wr_warp, in->wr_mask);
    const bool heard = counts != 0 && !in->flush && !other;
    HIT(counts != 0 && in->flush && !other, WR_FLUSH);
    HIT(counts != 0 && other && !in->flush, WR_OTHER_WARP);
    HIT(m->owned_q && (in->wr_valid & ~counts) != 0, FOREIGN);
    for (uint32_t left = in->wr_valid & ~counts; left != 0; left &= left - 1)
        HIT(m->owned_q && in->wr_warp[rf_lowest(left)] == m->carried_q.warp, NO_LANE);
    if (heard) {
        const uint32_t lock = alloc ? after.ct_lock_q : m->ct_lock_q;
        for (uint32_t left = counts; left != 0; left &= left - 1) {
            const uint32_t x = rf_lowest(left), was = rf_ccu_tagged(m, in->wr_reg[x]) & live;
            const bool near_result =
                cfg->bow != 0 ? rf_ccu_awaits(m, in->wr_reg[x], alloc, in->alloc_dst_near) : (in->wr_near >> x & 1) != 0;
            const bool d = out->d_valid && x == out->d_sel, whole = in->wr_mask[x] == rf_mask64(cfg->lanes);
            bool source = false, twice = false;
            for (uint32_t s = 0; alloc && s < cfg->slots; s++) {
                const bool names = (src_valid >> s & 1) != 0 && in->alloc_inst.src[s] == in->wr_reg[x];
                source |= names;
                HIT(names && (out->hit >> s & 1) != 0, WR_HIT_SOURCE);
                HIT(names && (out->hit >> s & 1) == 0, WR_MISS_SOURCE);
            }
            for (uint32_t low = counts & ((1u << x) - 1); low != 0; low &= low - 1)
                twice |= in->wr_reg[rf_lowest(low)] == in->wr_reg[x];
            HIT(twice, TWICE);
            if (!d) {
                HIT(was != 0 && !near_result, FAR_HIT);
                HIT(was != 0 && near_result, DISCARDED);
                HIT(was == 0 && !near_result, FAR_MISS);
                HIT((was & m->ct_lock_q) != 0, LOST_LOCKED);
                continue;
            }
            const uint32_t found = was & ~taken, now = rf_ccu_tagged(&after, in->wr_reg[x]) & after.ct_valid_q & ~lock;
            HIT(x != 0, SEL);
            HIT(cfg->bow != 0 && now != 0 && !alloc && !rf_ccu_newest(m, in->wr_reg[x]), D_BEFORE);
            HIT((was & taken) != 0, WR_REPLACED);
            HIT(found != 0 && (found & lock) == 0 && whole, D_HIT);
            HIT(found != 0 && (found & lock) == 0 && !whole, D_MERGE);
            HIT((found & m->ct_lock_q) != 0, D_LOCKED);
            HIT((found & m->ct_lock_q) != 0 && out->ready && in->dispatch, D_DISPATCH);
            HIT(found == 0 && !source && !whole, D_BYPASS);
            HIT(found == 0 && !source && whole && lock == rf_mask64(cfg->entries), D_ALL_LOCKED);
            HIT(alloc && now != 0, WR_ALLOC);
            HIT(m->fill_q != 0 && now != 0, FILL_WRITE);
            if (found != 0 || now == 0) continue;
            const uint32_t e = rf_lowest(now), kind = class_of(live, near, e);
            HIT(kind == 0, D_EMPTY);
            HIT(kind == 1, D_FAR);
            HIT(kind == 2, D_LRU);
            HIT(taken != 0, WR_AFTER);
        }
    }
    HIT(out->held && !out->near, HELD_FAR);
#undef HIT
    return bits;
}

#define SMALL "ENTRIES=4 LANES=4 REGS=16 BANKS=4 ROWS=16"

static void unreachable(const rf_ccu_cfg *cfg, ls_unreachable *to) {
    for (uint32_t b = 0; b < BINS; b++) {
        const bool collector = b == ALLOC || (b >= NO_SOURCE && b <= IN_DISPATCH) || b == ALL_MISS || b == TWO_MISS ||
                               b == EMPTY || (b >= LEAVES && b <= DISPATCH_EARLY && b != FILL_WRITE);
        ls_unreachable_if(to, cfg->cache == 0 && !collector, b, "no caching");
    }
    for (uint32_t r = cfg->entries; r < 8; r++) ls_unreachable_if(to, true, RANK + r, "fewer entries");
    static const uint8_t of_slots[] = {MIXED, TWO_HIT, TWO_MISS, CLASSES, LEAVES, SOME_GRANTED, GRANT_SHARED};
    for (size_t i = 0; i < sizeof of_slots; i++) ls_unreachable_if(to, cfg->slots == 1, of_slots[i], "one slot");
    ls_unreachable_if(to, cfg->serial == 1, SOME_GRANTED, "one slot asks");
    ls_unreachable_if(to, cfg->bow == 0, D_BEFORE, "no window");
    ls_unreachable_if(to, cfg->bow != 0, LRU, "what is near becomes far first");
    static const uint8_t of_far[] = {FAR, FAR_WRAP, CLASSES, WR_REPLACED};
    for (size_t i = 0; i < sizeof of_far; i++)
        ls_unreachable_if(to, cfg->bow != 0 && cfg->entries > 2 * cfg->slots, of_far[i], "room for all that the window names");
    ls_unreachable_if(to, cfg->bow != 0 && cfg->entries > 2 * cfg->slots + 1, D_FAR, "room for all that the window names");
    ls_unreachable_if(to, cfg->bow != 0 && cfg->entries > cfg->slots + 1, D_LRU, "room for all that an instruction names");
    ls_unreachable_if(to, cfg->lanes == 1, D_MERGE, "one lane");
    ls_unreachable_if(to, cfg->lanes == 1, D_BYPASS, "one lane");
    ls_unreachable_if(to, cfg->slots != cfg->entries, D_ALL_LOCKED, "more entries than an instruction locks");
    ls_unreachable_if(to, cfg->exports == 1, DISCARDED, "one writer");
    ls_unreachable_if(to, cfg->exports == 1, TWICE, "one writer");
    ls_unreachable_if(to, cfg->exports == 1, SEL, "one writer");
}

static const ls_fault faults[] = {
    {"alloc while busy", NULL, "take     = alloc_i && !busy_q", "take     = alloc_i", "ct_valid_q", SMALL},
    {"dispatch forgets the locks", NULL, "take ? used : dispatch ? '0 : ct_lock_q", "take ? used : ct_lock_q", "ct_lock_q",
     SMALL},
    {"a slot that shares its entry is not served", NULL, "granted[s] || (unread_o[s] && (granted & same) != '0)", "granted[s]",
     "fill_q", SMALL},
    {"the table is not emptied for another warp", NULL, "flush_i || (take && !(owned_q && warp == old_warp))", "flush_i",
     "ct_valid_q", SMALL},
    {"flush is not heard", NULL, "assign flush = flush_i || (take", "assign flush = (take", "ct_valid_q", SMALL},
    {"a source hits an entry that is not valid", NULL, "holds(tags, src) & seen & {", "holds(tags, src) & {", "hit", SMALL},
    {"an entry that a source hits is replaced", NULL, "free = free & ~(found[s*ENTRIES +: ENTRIES] & {ENTRIES{take}});",
     "free = free;", "ct_lock_q", SMALL},
    {"a locked entry is replaced", NULL, "free = ~ct_lock_q;", "free = '1;", "ct_valid_q", SMALL},
    {"entries that are not valid have no precedence", NULL, "!live[e] ? {2'b00, SELF} : ", "", "ct_valid_q", SMALL},
    {"far entries from entry 0 on", NULL, "SELF - rand_i", "SELF", "ct_lock_q", SMALL},
    {"the most recent near entry is replaced", NULL, "{2'b10, ~ct_lru_q[e]}", "{2'b10, ct_lru_q[e]}", "ct_lock_q", SMALL},
    {"near entries before far ones", NULL, "{2'b01, SELF - rand_i}", "{2'b11, SELF - rand_i}", "ct_lock_q", SMALL},
    {"all sources that miss pick one entry", NULL, "place[e] == nth;", "place[e] == '0;", "ct_valid_q", SMALL},
    {"each source that names a register picks an entry", NULL, "src_valid[s] && !hit[s] && same == '0", "src_valid[s] && !hit[s]",
     "ct_valid_q", SMALL},
    {"a second source of a register does not find its entry", NULL, "finds | pick | given", "finds | pick", "oct_index_q", SMALL},
    {"a source without valid bit makes another one's register its own", NULL,
     "same[l] = l < s && src_valid[l] && src_valid[s] &&", "same[l] = l < s && src_valid[s] &&", "ct_lock_q", SMALL},
    {"near is that of the last slot only", NULL,
     "near  = near | (uses[s*ENTRIES +: ENTRIES] & "
     "{ENTRIES{alloc_src_near_i[s]}})",
     "near  = (near & ~uses[s*ENTRIES +: ENTRIES]) | (uses[s*ENTRIES +: "
     "ENTRIES] & {ENTRIES{alloc_src_near_i[s]}})",
     "ct_near_q", SMALL},
    {"a source that hits is not ready", NULL, "take ? hit : dispatch", "take ? '0 : dispatch", "oct_ready_q", SMALL},
    {"a hit does not make its entry recent", NULL, "recent[e][INDEX_W+s] = take & uses[s*ENTRIES+e]",
     "recent[e][INDEX_W+s] = take & picks[s*ENTRIES+e]", "ct_lru_q", SMALL},
    {"the lowest slot's entry is the most recent", NULL, "recent[e][INDEX_W+s] = take & uses[s*ENTRIES+e]",
     "recent[e][INDEX_W+s] = take & uses[(SLOTS-1-s)*ENTRIES+e]", "ct_lru_q", SMALL},
    {"a result does not make its entry recent", NULL, "recent[e] = {d_write[e] | d_take[e],", "recent[e] = {d_take[e],",
     "ct_lru_q", SMALL},
    {"a result of another warp counts", NULL, "wr_warp_i[x*WARP_W +: WARP_W] == old_warp && ", "", "d_valid", SMALL},
    {"a result without a lane counts", NULL, " && wr_mask_i[x*LANES +: LANES] != '0", "", "d_valid", SMALL},
    {"a far result has port D", NULL, "contend    = counts & wr_near_i", "contend    = counts", "d_valid", SMALL},
    {"the highest writer's register on port D", NULL, "d_reg   = wr_reg_i[d_sel_o*REG_W +: REG_W]",
     "d_reg   = wr_reg_i[(EXPORTS-1)*REG_W +: REG_W]", "ct_valid_q", SMALL},
    {"a partial result of a register that is not held is stored", NULL, " && d_mask == '1", "", "ct_valid_q", SMALL},
    {"a partial result writes all lanes", NULL, "{32{d_mask[l]}}", "{32{1'b1}}", "ct_data_q", SMALL},
    {"a result changes a locked entry", NULL, "d_found & ~ct_lock_q & ~used", "d_found & ~used", "ct_lru_q", SMALL},
    {"a result changes an entry that is locked at this edge", NULL, "d_found & ~ct_lock_q & ~used", "d_found & ~ct_lock_q",
     "ct_data_q", SMALL},
    {"a locked entry stays valid under a result", NULL, "(others | (d_found & ct_lock_q))", "others", "ct_valid_q", SMALL},
    {"a result takes the entry of a source", NULL, "place[e] == misses;", "place[e] == '0;", "ct_valid_q", SMALL},
    {"a result of a source that misses takes an entry", NULL, " && !d_source", "", "ct_tag_q", SMALL},
    {"a far result leaves the old value valid", NULL, "(~used & ~d_take & (others | ", "(~used & ~d_take & (", "ct_valid_q",
     SMALL},
    {"a result of a source leaves it valid", NULL, "(used & stale) | ", "", "ct_valid_q", SMALL},
    {"a result is stored in a flush", NULL, "d_free  = d_valid_o && !flush && ", "d_free  = d_valid_o && ", "ct_valid_q", SMALL},
    {"of two slots the higher fills", NULL, "for (int s = SLOTS - 1; s >= 0; s--)", "for (int s = 0; s < SLOTS; s++)",
     "ct_data_q", SMALL},
    {"near although not valid", NULL, "(ct_valid_q & ct_near_q) != '0", "ct_near_q != '0", "near", SMALL},
    {"ranks are 0 after reset", NULL, "ct_lru_q[e]  <= INDEX_W'(e);", "ct_lru_q[e]  <= '0;", "ct_lru_q", SMALL},
    {"data is not reset", NULL, "ct_data_q[e] <= '0;", "ct_data_q[e] <= ct_data_q[e];", "ct_data_q", SMALL},
    {"values stay in the window", NULL, "(ct_near_q | hits | {ENTRIES{!take}})", "{ENTRIES{1'b1}}", "ct_valid_q", SMALL " BOW=1"},
    {"a source that hits does not stay in the window", NULL, "(ct_near_q | hits | ", "(ct_near_q | ", "ct_valid_q",
     SMALL " BOW=1"},
    {"values do not grow old", NULL, "was_near   = ct_near_q & {ENTRIES{!take}}", "was_near   = ct_near_q", "ct_near_q",
     SMALL " BOW=1"},
    {"hints say how new a source is", NULL, "~d_take) | used |", "~d_take) | (used & near) |", "ct_near_q", SMALL " BOW=1"},
    {"a control instruction leaves values", NULL, "CACHE != 0 && !empties", "CACHE != 0", "ct_valid_q", SMALL " BOW=1"},
    {"a control instruction leaves results awaited", NULL, "inst.carried.dst_valid} & {2{!empties}}", "inst.carried.dst_valid}",
     "window_q", SMALL " BOW=1"},
    {"a result comes in with a control instruction", NULL, "((newest & {EXPORTS{!empties}}) |", "(newest |", "d_valid",
     SMALL " BOW=1"},
    {"a result is awaited beyond the window", NULL, "(older & {EXPORTS{!take}})", "older", "d_sel", SMALL " BOW=1"},
    {"the result of an instruction that is still held", NULL, "window_q[0] && !busy_q && wr_reg_i", "window_q[0] && wr_reg_i",
     "d_valid", SMALL " BOW=1"},
    {"a result of the instruction before is new", NULL, "d_near     = !take && newest[d_sel_o]", "d_near     = !take",
     "ct_near_q", SMALL " BOW=1"},
    {"a result is new beside an instruction", NULL, "d_near     = !take && newest", "d_near     = newest", "ct_near_q",
     SMALL " BOW=1"},
    {"a result that grows old stays near", NULL, "(was_near & ~d_take)", "was_near", "ct_near_q", SMALL " BOW=1"},
    {"results are awaited behind another warp", NULL, "{window_q[0] && !flush, inst", "{window_q[0], inst", "window_q",
     SMALL " BOW=1"},
    {"results are awaited behind a flush", NULL, "end else if (flush) begin", "end else if (1'b0) begin", "window_q",
     SMALL " BOW=1"},
    {"all slots ask at once", NULL, "rd_valid_o = `RF_LOWEST(wanted)", "rd_valid_o = wanted", "rd_valid", SMALL " SERIAL=1"},
    {"values without a cache", NULL, " & {ENTRIES{CACHE != 0}}", "", "ct_valid_q", SMALL " CACHE=0"},
    {0},
};

static const char *const sets[] = {"",
                                   "ENTRIES=3 SLOTS=3 LANES=4 WARPS=8 REGS=8 BANKS=4 ROWS=16 EXPORTS=2",
                                   "ENTRIES=2 SLOTS=1 LANES=1 WARPS=1 REGS=5 BANKS=1 ROWS=1 EXPORTS=1",
                                   "ENTRIES=2 SLOTS=2 LANES=3 WARPS=3 REGS=3 BANKS=3 ROWS=3 EXPORTS=5",
                                   "ENTRIES=8 SLOTS=7 LANES=2 WARPS=48 REGS=256 BANKS=16 ROWS=768 EXPORTS=4",
                                   "ENTRIES=5 SLOTS=3 LANES=5 WARPS=33 REGS=33 BANKS=5 ROWS=231 EXPORTS=8",
                                   "ENTRIES=5 SLOTS=3 LANES=2 REGS=17 CACHE=0",
                                   "ENTRIES=3 SLOTS=2 LANES=3 WARPS=8 REGS=33 BANKS=4 ROWS=72 BOW=1",
                                   "ENTRIES=4 SLOTS=3 LANES=4 WARPS=2 REGS=16 BANKS=4 ROWS=16 BOW=1",
                                   "ENTRIES=8 SLOTS=7 LANES=2 WARPS=8 REGS=64 BANKS=4 ROWS=128 EXPORTS=3 SERIAL=1",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/banked/rf_banked_pkg.sv", NULL};

#define LS_UNIT rf_ccu
#define LS_GROUP "malekeh"
#define LS_BRIEF "caching collector unit"
#define LS_FIELDS "tb/malekeh/rf_ccu.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
