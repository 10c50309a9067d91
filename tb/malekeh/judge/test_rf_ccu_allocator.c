/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_ccu_allocator: the slow model asks CCU by CCU whether a request may have it, walks the rest from the one after the
 * CCU replaced last, and counts the cycles that somebody waited since [Malekeh 6]. */
#include "cmodel/malekeh/rf_ccu_allocator.h"

#include "cmodel/banked/rf_ocu_alloc.h"
#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_ccu_allocator_unit;

#define NONE 99u

typedef struct slow_allocator {
    rf_ccu_allocator_cfg cfg;
    uint32_t waited; /* cycles in which somebody waited since the last replacement (clear 1: of near values) */
    uint32_t last;   /* CCU replaced last */
} slow_allocator;

typedef enum slow_fate { SILENT, OWN, OWN_BUSY, OWN_TAKEN, FREE, FAR, NEAR, WAITS, NOTHING_LEFT } slow_fate;

typedef struct slow_out {
    slow_fate fate[4];
    uint32_t ccu[4];      /* per request, NONE when not granted */
    uint32_t request[16]; /* per CCU, NONE when not taken */
    bool replaced[16];
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(SEEN_SILENT, "no request") X(SEEN_OWN, "own CCU") X(SEEN_OWN_BUSY, "own CCU busy") X(SEEN_OWN_TAKEN, "own CCU taken") \
    X(SEEN_FREE, "free CCU") X(SEEN_FAR, "far CCU replaced") X(SEEN_NEAR, "near CCU replaced") X(SEEN_WAITS, "waits") \
    X(SEEN_NOTHING_LEFT, "neither CCU nor wait") X(FREE_BEFORE_FAR, "free although a far one is there") \
    X(FAR_BEFORE_NEAR, "far although a near one is there") X(FAR_WHILE_COUNTED, "far after the wait for a near one") \
    X(AT_THRESHOLD, "waits with count equal to sthld") \
    X(NEAR_AT_ONCE, "near replaced that nobody waited for in the cycle before") \
    X(KEPT, "a CCU is kept for its warp, which asks too") X(OWNER_SILENT, "replaced although the silent request names its warp") \
    X(TWO_REPLACED, "two replaced in one cycle") X(TWO_NEAR, "two near ones replaced in one cycle") \
    X(WAITS_AND_REPLACED, "one waits while an earlier one replaces") X(TWO_WAIT, "two wait") \
    X(SEVERAL_OWNED, "one warp owns two") \
    X(OWN_AND_REPLACED, "one gets its own, another replaces") X(COUNT_STANDS, "count stands while nobody waits") \
    X(INSIDE, "the walk finds one above the last") X(WRAP, "the walk wraps") X(TURN, "the walk passes over a lower one") \
    X(FAR_KEEPS, "CLEAR 1: a far one is replaced, the count stands") \
    X(FAR_COUNTS, "CLEAR 1: a far one is replaced, another waits, the count grows") \
    X(TOP_COUNT, "waited as long as can be") X(FREE_AND_NEAR, "a CCU that nobody owns has its near bit set") X(RESET, "reset")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_allocator *s) {
    s->waited = 0;
    s->last = s->cfg.collectors - 1;
}

static uint32_t own_ccu(const slow_allocator *s, const rf_ccu_allocator_in *in, uint32_t warp) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        if (judge_bit(in->owned, c) && in->warp[c] == warp) return c;
    return NONE;
}

/* True when the CCU belongs to the warp of a request of this cycle, which reuses what is in it. */
static bool is_kept(const slow_allocator *s, const rf_ccu_allocator_in *in, uint32_t c) {
    for (uint32_t i = 0; i < s->cfg.issues; i++)
        if (judge_bit(in->req, i) && judge_bit(in->owned, c) && in->warp[c] == in->req_warp[i]) return true;
    return false;
}

/* The class that a request without a CCU sees a CCU in; NOTHING_LEFT when it is out of its reach. */
static slow_fate class_of(const slow_allocator *s, const rf_ccu_allocator_in *in, const slow_out *out, uint32_t c) {
    if (judge_bit(in->busy, c) || out->request[c] != NONE || is_kept(s, in, c)) return NOTHING_LEFT;
    if (!judge_bit(in->owned, c)) return FREE;
    return judge_bit(in->near, c) ? NEAR : FAR;
}

/* The first CCU of a class from the one after `last` on; NONE when there is none. */
static uint32_t first_of(const slow_allocator *s, const rf_ccu_allocator_in *in, const slow_out *out, slow_fate class,
                         uint32_t last) {
    bool fits[16] = {false};
    for (uint32_t c = 0; c < s->cfg.collectors; c++) fits[c] = class_of(s, in, out, c) == class;
    const uint32_t c = judge_walk(last, fits, s->cfg.collectors);
    return c == s->cfg.collectors ? NONE : c;
}

static void serve(const slow_allocator *s, const rf_ccu_allocator_in *in, slow_out *out, uint32_t i) {
    const uint32_t own = own_ccu(s, in, in->req_warp[i]), top = s->cfg.collectors - 1;
    if (own != NONE) {
        out->fate[i] = judge_bit(in->busy, own) ? OWN_BUSY : out->request[own] != NONE ? OWN_TAKEN : OWN;
        if (out->fate[i] == OWN) out->ccu[i] = own;
    } else if ((out->ccu[i] = first_of(s, in, out, FREE, top)) != NONE) {
        out->fate[i] = FREE;
    } else if ((out->ccu[i] = first_of(s, in, out, FAR, s->last)) != NONE) {
        out->fate[i] = FAR;
    } else if (first_of(s, in, out, NEAR, s->last) == NONE) {
        out->fate[i] = NOTHING_LEFT;
    } else if (s->waited > in->sthld) {
        out->ccu[i] = first_of(s, in, out, NEAR, s->last);
        out->fate[i] = NEAR;
    } else {
        out->fate[i] = WAITS;
    }
    if (out->ccu[i] == NONE) return;
    out->request[out->ccu[i]] = i;
    out->replaced[out->ccu[i]] = out->fate[i] == FAR || out->fate[i] == NEAR;
}

static slow_out slow_comb(const slow_allocator *s, const rf_ccu_allocator_in *in) {
    slow_out out;
    memset(&out, 0, sizeof out);
    for (uint32_t c = 0; c < 16; c++) out.request[c] = NONE;
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        out.ccu[i] = NONE;
        if (judge_bit(in->req, i)) serve(s, in, &out, i);
    }
    return out;
}

static void slow_clock(slow_allocator *s, const slow_out *out) {
    bool waits = false, ends = false;
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        waits = waits || out->fate[i] == WAITS;
        if (out->ccu[i] == NONE || !out->replaced[out->ccu[i]]) continue;
        ends = ends || out->fate[i] == NEAR || s->cfg.clear == 0;
        s->last = out->ccu[i];
    }
    if (ends) s->waited = 0;
    else if (waits) s->waited++;
}

static void compare_out(judge *j, const rf_ccu_allocator_cfg *cfg, const rf_ccu_allocator_out *out, const slow_out *expected) {
    bool grant[4] = {false}, wait[4] = {false}, alloc[16] = {false};
    for (uint32_t i = 0; i < cfg->issues; i++) {
        grant[i] = expected->ccu[i] != NONE;
        wait[i] = expected->fate[i] == WAITS;
        judge_equal(j, "sel", i, out->sel[i], grant[i] ? expected->ccu[i] : 0);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        alloc[c] = expected->request[c] != NONE;
        judge_equal(j, "which", c, out->which[c], alloc[c] ? expected->request[c] : 0);
    }
    judge_equal(j, "grant", 0, out->grant, judge_pack(grant, cfg->issues));
    judge_equal(j, "alloc", 0, out->alloc, judge_pack(alloc, cfg->collectors));
    judge_equal(j, "wait", 0, out->wait, judge_pack(wait, cfg->issues));
    judge_equal(j, "replace", 0, out->replace, judge_pack(expected->replaced, cfg->collectors));
}

static void compare_state(judge *j, const slow_allocator *s, const rf_ccu_allocator *m) {
    judge_equal(j, "count_q", 0, m->count_q, s->waited);
    judge_equal(j, "mask_q", 0, m->mask_q, judge_above(s->last, s->cfg.collectors));
}

static void start(judge *j, uint64_t seed, rf_ccu_allocator *m, slow_allocator *s, rf_ccu_allocator_cfg cfg) {
    judge_begin(j, seed, "rf_ccu_allocator collectors=%" PRIu32 " issues=%" PRIu32 " warps=%" PRIu32 " clear=%" PRIu32,
                cfg.collectors, cfg.issues, cfg.warps, cfg.clear);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_ccu_allocator_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    s->cfg = cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb leaves the model alone, and the edge from known outputs is the clock. */
static slow_out step(judge *j, rf_ccu_allocator *m, slow_allocator *s, const rf_ccu_allocator_in *in) {
    const slow_out expected = slow_comb(s, in);
    rf_ccu_allocator before, edge;
    rf_ccu_allocator_out out;
    memcpy(&before, m, sizeof before);
    memcpy(&edge, m, sizeof edge);
    memset(&out, 0xa5, sizeof out);
    rf_ccu_allocator_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, &s->cfg, &out, &expected);
    rf_ccu_allocator_edge(&edge, in, &out);
    JUDGE_CLOCK(rf_ccu_allocator, m, in);
    assert_memory_equal(&edge, m, sizeof edge);
    slow_clock(s, &expected);
    compare_state(j, s, m);
    j->cycle++;
    return expected;
}

/* The events of a walk that found `found` of class `class`, as it stood before the CCU was taken. */
static void count_walk(const slow_allocator *s, const rf_ccu_allocator_in *in, slow_out out, slow_fate class, uint32_t found,
                       uint64_t *seen) {
    out.request[found] = NONE;
    if (s->last == s->cfg.collectors - 1) return;
    seen[INSIDE] += found > s->last;
    seen[WRAP] += found <= s->last;
    for (uint32_t c = 0; c < found; c++) seen[TURN] += found > s->last && c <= s->last && class_of(s, in, &out, c) == class;
}

/* Counts the events of a cycle; `s` is the state before it, `last` the answer of the cycle before. */
static void count(const slow_allocator *s, const rf_ccu_allocator_in *in, const slow_out *out, const slow_out *last,
                  uint64_t *seen) {
    uint32_t of[NOTHING_LEFT + 1] = {0}, silent = 0;
    bool waited = false;
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        const slow_fate fate = out->fate[i];
        of[fate]++;
        waited = waited || last->fate[i] == WAITS;
        silent += fate == SILENT;
        if (fate != SILENT) seen[SEEN_SILENT + fate]++;
        seen[FREE_BEFORE_FAR] += fate == FREE && first_of(s, in, out, FAR, 0) != NONE;
        seen[FAR_BEFORE_NEAR] += fate == FAR && first_of(s, in, out, NEAR, 0) != NONE;
        seen[FAR_WHILE_COUNTED] += fate == FAR && s->waited > 0;
        seen[AT_THRESHOLD] += fate == WAITS && s->waited == in->sthld;
        if (fate == FAR || fate == NEAR) count_walk(s, in, *out, fate, out->ccu[i], seen);
        if (fate == SILENT) {
            const uint32_t c = own_ccu(s, in, in->req_warp[i]);
            seen[OWNER_SILENT] += c != NONE && out->replaced[c];
        } else {
            uint32_t owned = 0;
            for (uint32_t c = 0; c < s->cfg.collectors; c++) owned += judge_bit(in->owned, c) && in->warp[c] == in->req_warp[i];
            seen[SEVERAL_OWNED] += owned > 1;
        }
        for (uint32_t c = 0; c < s->cfg.collectors; c++)
            seen[KEPT] += (fate == WAITS || fate == NOTHING_LEFT) && !judge_bit(in->busy, c) && is_kept(s, in, c);
    }
    seen[SEEN_SILENT] += silent == s->cfg.issues;
    seen[NEAR_AT_ONCE] += of[NEAR] > 0 && !waited;
    seen[TWO_REPLACED] += of[FAR] + of[NEAR] > 1;
    seen[TWO_NEAR] += of[NEAR] > 1;
    seen[WAITS_AND_REPLACED] += of[WAITS] > 0 && of[FAR] > 0;
    seen[TWO_WAIT] += of[WAITS] > 1;
    seen[OWN_AND_REPLACED] += of[OWN] > 0 && of[FAR] + of[NEAR] > 0;
    seen[COUNT_STANDS] += s->waited > 0 && of[WAITS] + of[FAR] + of[NEAR] == 0;
    seen[FAR_KEEPS] += s->cfg.clear == 1 && s->waited > 0 && of[FAR] > 0 && of[NEAR] + of[WAITS] == 0;
    seen[FAR_COUNTS] += s->cfg.clear == 1 && of[FAR] > 0 && of[WAITS] > 0;
    seen[TOP_COUNT] += of[NEAR] > 0 && s->waited == 256;
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        seen[FREE_AND_NEAR] += out->request[c] != NONE && !judge_bit(in->owned, c) && judge_bit(in->near, c);
}

/* The CCUs and warps around the allocator, as in a system: a warp that is granted a CCU owns it and keeps it busy for some
 * cycles, a request stands until it is granted or its warp is no longer chosen. */
typedef struct world {
    uint32_t hold[16]; /* cycles still busy */
    uint32_t p_req, p_drop, p_near, p_change, busy_for, noise;
} world;

static void draw_world(world *w, rf_ccu_allocator_in *in, ls_rng *rng) {
    static const uint8_t levels[] = {0, 1, 2, 3, 7, 31, 254, 255};
    w->p_req = 32 + ls_rng_below(rng, 225);
    w->p_drop = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 64);
    w->p_near = ls_rng_chance(rng, 64) ? 256 : ls_rng_below(rng, 257);
    w->p_change = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 32); /* of near bits, by writes and reads */
    w->busy_for = ls_rng_below(rng, 6);
    w->noise = ls_rng_chance(rng, 64) ? 256 : ls_rng_below(rng, 16);
    in->sthld = levels[ls_rng_below(rng, sizeof levels)];
}

static void before_cycle(world *w, const rf_ccu_allocator_cfg *cfg, rf_ccu_allocator_in *in, ls_rng *rng) {
    const uint32_t warp_bits = rf_index_bits(cfg->warps);
    for (uint32_t i = 0; i < cfg->issues; i++) {
        if (judge_bit(in->req, i) && !ls_rng_chance(rng, w->p_drop)) continue;
        in->req_warp[i] = (uint8_t)ls_rng_value(rng, warp_bits);
        in->req = (uint8_t)((in->req & ~(1u << i)) | ((uint32_t)ls_rng_chance(rng, w->p_req) << i));
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        if (ls_rng_chance(rng, w->p_change)) in->near = (uint16_t)(in->near ^ (1u << c));
        if (w->hold[c] > 0) w->hold[c]--;
        in->busy = (uint16_t)((in->busy & ~(1u << c)) | ((uint32_t)(w->hold[c] > 0) << c));
    }
    if (!ls_rng_chance(rng, w->noise)) return;
    if (ls_rng_chance(rng, 128)) in->busy = (uint16_t)ls_rng_bits(rng, cfg->collectors, ls_rng_below(rng, 257));
    if (ls_rng_chance(rng, 128)) in->owned = (uint16_t)ls_rng_value(rng, cfg->collectors);
    if (ls_rng_chance(rng, 128)) in->near = (uint16_t)ls_rng_value(rng, cfg->collectors);
    if (ls_rng_chance(rng, 128)) in->sthld = (uint8_t)ls_rng_value(rng, 8);
    for (uint32_t c = 0; c < cfg->collectors; c++)
        if (ls_rng_chance(rng, 32)) in->warp[c] = (uint8_t)ls_rng_value(rng, warp_bits);
}

static void after_cycle(world *w, const rf_ccu_allocator_cfg *cfg, rf_ccu_allocator_in *in, const slow_out *out, ls_rng *rng) {
    for (uint32_t i = 0; i < cfg->issues; i++) {
        const uint32_t c = out->ccu[i];
        if (c == NONE) continue;
        in->req = (uint8_t)(in->req & ~(1u << i));
        in->owned = (uint16_t)(in->owned | (1u << c));
        in->warp[c] = in->req_warp[i];
        in->near = (uint16_t)((in->near & ~(1u << c)) | ((uint32_t)ls_rng_chance(rng, w->p_near) << c));
        w->hold[c] = 1 + ls_rng_below(rng, w->busy_for + 1);
    }
}

static void run(rf_ccu_allocator_cfg cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_ccu_allocator m;
    slow_allocator s, before;
    rf_ccu_allocator_in in;
    slow_out out, last;
    world w;
    judge j;
    ls_rng rng;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    memset(&w, 0, sizeof w);
    memset(&out, 0, sizeof out);
    while (j.cycle < cycles) {
        if (j.cycle % 1024 == 0) draw_world(&w, &in, &rng);
        before_cycle(&w, &cfg, &in, &rng);
        last = out;
        before = s;
        out = step(&j, &m, &s, &in);
        count(&before, &in, &out, &last, seen);
        after_cycle(&w, &cfg, &in, &out, &rng);
        if (ls_rng_below(&rng, 4096) == 0) {
            rf_ccu_allocator_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

static void traffic_of_every_shape(void **state) {
    static const rf_ccu_allocator_cfg sets[] = {{8, 2, 32, 0}, {1, 1, 1, 0},   {2, 4, 3, 1}, {3, 2, 5, 0},  {3, 2, 5, 1},
                                                {5, 3, 6, 1},  {16, 4, 64, 0}, {4, 1, 8, 1}, {8, 4, 48, 1}, {7, 2, 33, 0},
                                                {16, 1, 2, 0}, {15, 3, 17, 1}, {1, 1, 2, 1}};
    const size_t n = sizeof sets / sizeof *sets;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        run(sets[i], ls_seed_derive(i, "judge rf_ccu_allocator"), 24 * 1024, seen);
        cycles += 24 * 1024;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Two CCUs, two requests, two warps: every input with sthld 0 and 1 from every pointer and the counts 0 to 2, with both rules of
 * what clears the count. */
static void every_input_of_a_small_one(void **state) {
    rf_ccu_allocator m;
    slow_allocator s;
    judge j;
    (void)state;
    for (uint32_t n = 0; n < 1u << 13; n++)
        for (uint32_t from = 0; from < 12; from++) {
            rf_ccu_allocator_in in;
            memset(&in, 0, sizeof in);
            start(&j, 0, &m, &s, (rf_ccu_allocator_cfg){2, 2, 2, from / 6});
            s.last = from % 2;
            s.waited = from / 2 % 3;
            m.mask_q = (uint16_t)judge_above(s.last, 2);
            m.count_q = (uint16_t)s.waited;
            in.busy = n & 3;
            in.owned = n >> 2 & 3;
            in.near = n >> 4 & 3;
            in.req = n >> 6 & 3;
            in.sthld = n >> 12 & 1;
            for (uint32_t k = 0; k < 2; k++) {
                in.warp[k] = n >> (8 + k) & 1;
                in.req_warp[k] = n >> (10 + k) & 1;
            }
            step(&j, &m, &s, &in);
            judge_passes(&j);
        }
}

/* "Without owners (CACHE 0) it is rf_ocu_alloc": its model gives the same answer, whatever the near bits and the warps say. */
static void without_owners_it_is_the_allocator_of_the_baseline(void **state) {
    uint64_t granted = 0, refused = 0;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, ls_seed_derive(1, "judge rf_ccu_allocator"));
    for (uint32_t collectors = 1; collectors <= 16; collectors++)
        for (uint32_t issues = 1; issues <= 4; issues++) {
            rf_ccu_allocator m, fresh;
            rf_ocu_alloc base;
            assert_int_equal(rf_ccu_allocator_init(&m, &(rf_ccu_allocator_cfg){collectors, issues, 8, collectors % 2}), 0);
            assert_int_equal(rf_ocu_alloc_init(&base, &(rf_ocu_alloc_cfg){collectors, issues}), 0);
            memcpy(&fresh, &m, sizeof m);
            for (uint32_t t = 0; t < 500; t++) {
                rf_ccu_allocator_out out;
                rf_ocu_alloc_out expected;
                rf_ccu_allocator_in in;
                memset(&in, 0, sizeof in);
                in.busy = (uint16_t)ls_rng_bits(&rng, collectors, ls_rng_below(&rng, 257));
                in.near = (uint16_t)ls_rng_bits(&rng, collectors, 128);
                in.req = (uint8_t)ls_rng_below(&rng, 1u << issues);
                in.sthld = (uint8_t)ls_rng_value(&rng, 8);
                for (uint32_t c = 0; c < collectors; c++) in.warp[c] = (uint8_t)ls_rng_below(&rng, 8);
                for (uint32_t i = 0; i < issues; i++) in.req_warp[i] = (uint8_t)ls_rng_below(&rng, 8);
                rf_ocu_alloc_comb(&base, &(rf_ocu_alloc_in){in.busy, in.req}, &expected);
                rf_ccu_allocator_comb(&m, &in, &out);
                assert_int_equal(out.grant, expected.grant);
                assert_int_equal(out.alloc, expected.alloc);
                for (uint32_t i = 0; i < issues; i++) assert_int_equal(out.sel[i], expected.sel[i]);
                for (uint32_t c = 0; c < collectors; c++) assert_int_equal(out.which[c], expected.which[c]);
                assert_int_equal(out.wait, 0);
                assert_int_equal(out.replace, 0);
                rf_ccu_allocator_clock(&m, &in);
                assert_memory_equal(&m, &fresh, sizeof m);
                granted += out.grant != 0;
                refused += out.grant != in.req;
            }
        }
    assert_true(granted > 1000 && refused > 1000);
}

static rf_ccu_allocator m1; /* the unit of the directed tests */
static rf_ccu_allocator_in in1;
static rf_ccu_allocator_out answer;

static void begin(rf_ccu_allocator_cfg cfg) {
    assert_int_equal(rf_ccu_allocator_init(&m1, &cfg), 0);
    memset(&in1, 0, sizeof in1);
}

static void cycle(void) {
    rf_ccu_allocator_comb(&m1, &in1, &answer);
    rf_ccu_allocator_clock(&m1, &in1);
}

/* [Malekeh 6]: "if there is currently a CCU allocated to the same warp, it chooses this CCU", even when there is a free one. */
static void a_warp_gets_its_own_ccu(void **state) {
    (void)state;
    begin((rf_ccu_allocator_cfg){4, 2, 8});
    in1.owned = 0x4, in1.near = 0x4, in1.warp[2] = 5, in1.req = 1, in1.req_warp[0] = 5;
    cycle();
    assert_int_equal(answer.grant, 1);
    assert_int_equal(answer.sel[0], 2);
    assert_int_equal(answer.alloc, 4);
    assert_int_equal(answer.replace, 0);
    in1.busy = 0x4;
    cycle();
    assert_int_equal(answer.grant, 0);
    assert_int_equal(answer.wait, 0);
    in1.busy = 0, in1.req = 3, in1.req_warp[1] = 5; /* twice the same warp */
    cycle();
    assert_int_equal(answer.grant, 1);
}

/* "first replacing the CCU containing only far values": in turn, and no wait. */
static void far_ones_go_first_and_in_turn(void **state) {
    static const uint32_t expected[] = {0, 2, 3, 0, 2};
    (void)state;
    begin((rf_ccu_allocator_cfg){4, 1, 8});
    in1.owned = 0xf, in1.near = 0x2, in1.sthld = 200, in1.req = 1, in1.req_warp[0] = 7;
    for (uint8_t c = 0; c < 4; c++) in1.warp[c] = c;
    for (size_t t = 0; t < sizeof expected / sizeof *expected; t++) {
        cycle();
        assert_int_equal(answer.grant, 1);
        assert_int_equal(answer.sel[0], expected[t]);
        assert_int_equal(answer.replace, 1u << expected[t]);
        assert_int_equal(m1.count_q, 0);
    }
}

/* "Only when the counter is higher than STHLD will the CCU be replaced. Otherwise, the CCU allocator is stalled and the counter
 * is incremented": sthld + 1 cycles of waiting, for every sthld, and after the replacement the same again. */
static void a_wait_takes_sthld_plus_one_cycles(void **state) {
    (void)state;
    for (uint32_t sthld = 0; sthld <= 255; sthld++) {
        begin((rf_ccu_allocator_cfg){3, 1, 8});
        in1.owned = in1.near = 7, in1.sthld = (uint8_t)sthld, in1.req = 1, in1.req_warp[0] = 7;
        for (uint8_t c = 0; c < 3; c++) in1.warp[c] = c;
        for (uint32_t round = 0; round < 4; round++) {
            for (uint32_t t = 0; t <= sthld; t++) {
                cycle();
                assert_int_equal(answer.grant, 0);
                assert_int_equal(answer.wait, 1);
                assert_int_equal(m1.count_q, t + 1);
            }
            cycle();
            assert_int_equal(answer.grant, 1);
            assert_int_equal(answer.wait, 0);
            assert_int_equal(answer.replace, 1u << (round % 3));
            assert_int_equal(m1.count_q, 0);
        }
    }
}

/* The paper's text has an increment and no clear. CLEAR 0: a far CCU that is replaced ends the wait, and the next one takes sthld
 * + 1 cycles. CLEAR 1: the next one takes what the first left. */
static void a_far_replacement_ends_the_wait_or_not(void **state) {
    (void)state;
    for (uint32_t clear = 0; clear <= 1; clear++) {
        begin((rf_ccu_allocator_cfg){2, 1, 8, clear});
        in1.owned = 3, in1.warp[1] = 1, in1.near = 3, in1.sthld = 4, in1.req = 1, in1.req_warp[0] = 7;
        for (uint32_t t = 0; t < 3; t++) cycle();
        assert_int_equal(m1.count_q, 3);
        in1.near = 1;
        cycle();
        assert_int_equal(answer.replace, 2);
        assert_int_equal(m1.count_q, clear == 0 ? 0 : 3);
        in1.near = 3;
        uint32_t waits = 0;
        for (cycle(); answer.wait != 0; cycle()) waits++;
        assert_int_equal(waits, clear == 0 ? 5 : 2);
        assert_int_equal(answer.replace, 1);
        assert_int_equal(m1.count_q, 0);
    }
}

/* A request 0 that stands and owns nothing waits at most 256 cycles, whatever the others and the world do meanwhile; and no 257
 * cycles go by in which somebody waits and nobody replaces. */
static void nobody_waits_for_ever(void **state) {
    uint32_t longest = 0;
    ls_rng rng;
    (void)state;
    for (uint64_t k = 0; k < 24; k++) {
        const rf_ccu_allocator_cfg cfg = {(uint32_t)(1 + k % 6), (uint32_t)(1 + k % 4), 8, (uint32_t)(k / 4 % 2)};
        uint32_t waited = 0, row = 0;
        ls_rng_seed(&rng, ls_seed_derive(k, "judge rf_ccu_allocator waits"));
        begin(cfg);
        in1.req_warp[0] = 7; /* owns nothing: the CCUs belong to warps 0 .. 6 */
        in1.sthld = 255;
        for (uint32_t t = 0; t < 6000; t++) {
            in1.busy = (uint16_t)ls_rng_bits(&rng, cfg.collectors, 96);
            in1.owned = (uint16_t)ls_mask(cfg.collectors);
            in1.near = k % 2 == 0 ? in1.owned : (uint16_t)ls_rng_bits(&rng, cfg.collectors, 250);
            in1.req = (uint8_t)(1u | ls_rng_bits(&rng, cfg.issues, 128));
            if (k % 5 == 0) in1.sthld = (uint8_t)ls_rng_value(&rng, 8);
            for (uint32_t i = 1; i < cfg.issues; i++) in1.req_warp[i] = (uint8_t)ls_rng_below(&rng, 8);
            for (uint32_t c = 0; c < cfg.collectors; c++) in1.warp[c] = (uint8_t)ls_rng_below(&rng, 7);
            cycle();
            waited = judge_bit(answer.grant, 0) ? 0 : waited + judge_bit(answer.wait, 0);
            row = (answer.replace & (cfg.clear == 0 ? UINT32_MAX : in1.near)) != 0 ? 0 : row + (answer.wait != 0);
            if (waited > longest) longest = waited;
            assert_in_range(waited, 0, 256);
            assert_in_range(row, 0, 256);
        }
    }
    assert_int_equal(longest, 256);
}

/* A CCU whose warp issues in this cycle is not taken from it, whichever request comes first; a silent request keeps nothing. */
static void no_request_takes_the_ccu_of_another(void **state) {
    (void)state;
    begin((rf_ccu_allocator_cfg){2, 2, 8});
    in1.owned = 3, in1.warp[0] = 1, in1.warp[1] = 2, in1.busy = 2, in1.req = 3, in1.req_warp[0] = 4, in1.req_warp[1] = 1;
    cycle();
    assert_int_equal(answer.grant, 2);
    assert_int_equal(answer.sel[1], 0);
    assert_int_equal(answer.wait, 0); /* request 0 has nothing to wait for */
    in1.req = 1;
    cycle();
    assert_int_equal(answer.grant, 1);
    assert_int_equal(answer.replace, 1);
}

static void two_replaced_at_once_leave_the_pointer_at_the_later_request(void **state) {
    (void)state;
    begin((rf_ccu_allocator_cfg){4, 2, 8});
    in1.owned = 0xf, in1.req = 3, in1.req_warp[0] = 6, in1.req_warp[1] = 7;
    m1.mask_q = 0x8; /* CCU 2 was replaced last: 3, then 0 */
    cycle();
    assert_int_equal(answer.sel[0], 3);
    assert_int_equal(answer.sel[1], 0);
    assert_int_equal(answer.replace, 9);
    assert_int_equal(m1.mask_q, 0xe);
}

static void reset_forgets_count_and_pointer(void **state) {
    (void)state;
    begin((rf_ccu_allocator_cfg){5, 3, 9});
    m1.count_q = 200;
    m1.mask_q = 0x1c;
    rf_ccu_allocator_reset(&m1);
    assert_int_equal(m1.count_q, 0);
    assert_int_equal(m1.mask_q, 0);
    assert_int_equal(m1.cfg.collectors, 5);
    assert_int_equal(m1.cfg.issues, 3);
    assert_int_equal(m1.cfg.warps, 9);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_ccu_allocator_cfg good[] = {{8, 2, 32, 0}, {1, 1, 1, 1}, {16, 4, 64, 1}};
    (void)state;
    JUDGE_RANGES(rf_ccu_allocator, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    rf_ccu_allocator m;
    slow_allocator s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, (rf_ccu_allocator_cfg){5, 3, 8});
    begin((rf_ccu_allocator_cfg){5, 3, 8});
    in1.owned = 0x1e, in1.near = 0x18, in1.req = 7, in1.req_warp[0] = 6, in1.req_warp[1] = 5, in1.req_warp[2] = 4;
    const slow_out expected = slow_comb(&s, &in1);
    rf_ccu_allocator_comb(&m, &in1, &answer);
    compare_out(&j, &s.cfg, &answer, &expected);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    JUDGE_FLIPS(&j, rf_ccu_allocator, LS_OUT, &m, &answer, compare_out(&j, &s.cfg, &answer, &expected));
    JUDGE_FLIPS(&j, rf_ccu_allocator, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traffic_of_every_shape),
        cmocka_unit_test(every_input_of_a_small_one),
        cmocka_unit_test(without_owners_it_is_the_allocator_of_the_baseline),
        cmocka_unit_test(a_warp_gets_its_own_ccu),
        cmocka_unit_test(far_ones_go_first_and_in_turn),
        cmocka_unit_test(a_wait_takes_sthld_plus_one_cycles),
        cmocka_unit_test(a_far_replacement_ends_the_wait_or_not),
        cmocka_unit_test(nobody_waits_for_ever),
        cmocka_unit_test(no_request_takes_the_ccu_of_another),
        cmocka_unit_test(two_replaced_at_once_leave_the_pointer_at_the_later_request),
        cmocka_unit_test(reset_forgets_count_and_pointer),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_ccu_allocator", tests, NULL, NULL);
}
