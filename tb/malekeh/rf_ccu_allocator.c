/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_ccu_allocator. */
#include "cmodel/malekeh/rf_ccu_allocator.h"

#include "cmodel/banked/rf_ocu_alloc.h"
#include "harness/core/unit.h"

/* What a stretch of cycles is like. */
enum {
    TRAFFIC, /* a stage: CCUs stay busy and owned, requests stand */
    BARE,    /* the same without owners, as rf_ocu_alloc */
    SIEGE,   /* one request waits for near values as long as can be: STHLD 255 or high, which may fall meanwhile */
    NOISE    /* any input, also what no stage does */
};

typedef struct rf_ccu_allocator_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t arrive;      /* an idle issue group gets a request */
    uint32_t home;        /* it is of a warp that owns a CCU */
    uint32_t go;          /* a request goes without a CCU */
    uint32_t leave;       /* a busy CCU gets free */
    uint32_t keep;        /* a CCU taken holds near values */
    uint32_t fade;        /* near values get far: read for the last time */
    uint32_t revive;      /* an owned CCU gets near values: a result */
    uint32_t turn;        /* STHLD changes, in 65536ths */
    uint32_t phase, left; /* cycles of the phase */
    uint32_t give;        /* so many cycles before its end STHLD falls: SIEGE */
    bool relent;          /* it ends without a replacement, in the cycle that could have one: SIEGE */
    uint16_t busy, owned, near;
    uint8_t warp[RF_COLLECTORS_MAX];
    uint8_t req, req_warp[RF_ISSUES_MAX], sthld;
    rf_ccu_allocator_out out;
} rf_ccu_allocator_stim;

static void draw_sthld(rf_ccu_allocator_stim *s) {
    const uint32_t kind = ls_rng_below(&s->rng, 16);
    if (kind < 6) s->sthld = (uint8_t)(kind > 0 ? kind - 1 : 0);
    else if (kind < 12) s->sthld = (uint8_t)ls_rng_below(&s->rng, 24);
    else s->sthld = (uint8_t)ls_rng_value(&s->rng, 8);
}

/* How long a stretch's instructions stay; in one of three so long that nearly all CCUs are busy. */
static void draw_leave(rf_ccu_allocator_stim *s) {
    s->leave = ls_rng_chance(&s->rng, 86) ? 1 + ls_rng_below(&s->rng, 6) : 16 + ls_rng_below(&s->rng, 112);
}

static void stim_init(rf_ccu_allocator_stim *s, const rf_ccu_allocator *m, uint64_t seed) {
    (void)m;
    *s = (rf_ccu_allocator_stim){.phase = TRAFFIC, .left = 256};
    ls_rng_seed(&s->rng, seed);
    s->arrive = 48 + ls_rng_below(&s->rng, 208);
    s->home = 16 + ls_rng_below(&s->rng, 144);
    s->go = ls_rng_below(&s->rng, 24);
    s->keep = 96 + ls_rng_below(&s->rng, 144);
    s->fade = 2 + ls_rng_below(&s->rng, 24);
    s->revive = ls_rng_below(&s->rng, 16);
    s->turn = 256 + ls_rng_below(&s->rng, 512);
    draw_sthld(s);
    draw_leave(s);
}

/* Mostly a warp of the request's issue group, so that no warp asks twice; one in 32 any, one in 64 any value of the port, one in
 * 64 that of a request that was. A warp alone would never replace: there the port's other value is a second one. */
static uint8_t draw_warp(rf_ccu_allocator_stim *s, const rf_ccu_allocator_cfg *cfg, uint32_t request) {
    const uint32_t kind = ls_rng_below(&s->rng, 64), warp = ls_rng_below(&s->rng, cfg->warps);
    if (kind == 63) return s->req_warp[ls_rng_below(&s->rng, cfg->issues)];
    const uint32_t values = UINT32_C(1) << rf_index_bits(cfg->warps);
    if (kind == 0 || cfg->warps == 1) return (uint8_t)ls_rng_below(&s->rng, values);
    if (kind < 3 || cfg->warps < cfg->issues) return (uint8_t)warp;
    const uint32_t mine = warp - warp % cfg->issues + request;
    return (uint8_t)(mine < cfg->warps ? mine : request);
}

/* The edge of the last cycle, in the stage around. */
static void follow(rf_ccu_allocator_stim *s) {
    s->busy |= s->out.alloc;
    for (uint32_t set = s->out.alloc; set != 0; set &= set - 1) {
        const uint32_t c = rf_lowest(set), bit = UINT32_C(1) << c;
        const uint8_t warp = s->req_warp[s->out.which[c]];
        if (s->phase == BARE) continue;
        if ((s->owned & bit) == 0 || s->warp[c] != warp) { /* its cache table is flushed and takes the sources */
            s->near = (uint16_t)(s->near & ~bit);
            if (ls_rng_chance(&s->rng, s->keep)) s->near = (uint16_t)(s->near | bit);
        }
        s->owned = (uint16_t)(s->owned | bit);
        s->warp[c] = warp;
    }
    s->req = (uint8_t)(s->req & ~s->out.grant);
}

/* All CCUs are busy but one, whose warp asks with the last request. */
static void squeeze(rf_ccu_allocator_stim *s, const rf_ccu_allocator_cfg *cfg) {
    const uint32_t c = ls_rng_below(&s->rng, cfg->collectors);
    s->busy = (uint16_t)(rf_mask64(cfg->collectors) & ~(UINT64_C(1) << c));
    s->req = (uint8_t)rf_mask64(cfg->issues);
    s->req_warp[cfg->issues - 1] = s->warp[c];
}

static void traffic(rf_ccu_allocator_stim *s, const rf_ccu_allocator *m) {
    const rf_ccu_allocator_cfg *cfg = &m->cfg;
    const uint32_t n = cfg->collectors;
    s->req = (uint8_t)(s->req & ~ls_rng_bits(&s->rng, cfg->issues, s->go));
    s->busy = (uint16_t)(s->busy & ~ls_rng_bits(&s->rng, n, s->leave));
    s->near = (uint16_t)((s->near & ~ls_rng_bits(&s->rng, n, s->fade)) | ls_rng_bits(&s->rng, n, s->revive));
    if (ls_rng_chance(&s->rng, 4)) /* its warp ended */
        s->owned = (uint16_t)(s->owned & ~(UINT32_C(1) << ls_rng_below(&s->rng, n)));
    if (ls_rng_below(&s->rng, 65536) < s->turn) draw_sthld(s);
    if (s->out.wait != 0 && m->count_q != 0 && ls_rng_chance(&s->rng, 8)) s->sthld = (uint8_t)ls_rng_below(&s->rng, m->count_q);
    const uint64_t asking = ls_rng_bits(&s->rng, cfg->issues, s->arrive) & ~(uint64_t)s->req;
    for (uint64_t set = asking; set != 0; set &= set - 1) {
        const uint32_t i = rf_lowest(set), c = ls_rng_below(&s->rng, n);
        const bool home = (s->owned >> c & 1) != 0 && ls_rng_chance(&s->rng, s->home);
        s->req_warp[i] = home ? s->warp[c] : draw_warp(s, cfg, i);
    }
    s->req = (uint8_t)(s->req | asking);
    if (ls_rng_chance(&s->rng, 2)) squeeze(s, cfg);
}

static void begin(rf_ccu_allocator_stim *s, const rf_ccu_allocator_cfg *cfg) {
    static const uint8_t phases[] = {NOISE, NOISE, NOISE, BARE, BARE, SIEGE, SIEGE, SIEGE};
    draw_leave(s);
    if (s->phase != TRAFFIC) { /* back to traffic */
        s->phase = TRAFFIC;
        s->left = 64 + ls_rng_below(&s->rng, 256);
        if (s->sthld == 255) draw_sthld(s);
        return;
    }
    s->phase = phases[ls_rng_below(&s->rng, 8)];
    s->left = s->phase == NOISE ? 1 + ls_rng_below(&s->rng, 16) : 32 + ls_rng_below(&s->rng, 96);
    if (s->phase == BARE) {
        s->owned = 0;
        if (ls_rng_chance(&s->rng, 128)) { /* nearly full, and stays so */
            s->busy = (uint16_t)(s->busy | ls_rng_bits(&s->rng, cfg->collectors, 224));
            s->leave = 1 + ls_rng_below(&s->rng, 6);
        }
    }
    if (s->phase != SIEGE) return;
    /* Every CCU is idle and another warp's; with one warp alone it is a number that is none. */
    const uint32_t stranger = cfg->warps > 1 ? cfg->warps - 1 : 1;
    s->left = 260;
    const uint32_t kind = ls_rng_below(&s->rng, 8);
    s->give = kind < 2 ? ls_rng_below(&s->rng, 260) : 512;
    s->relent = kind >= 4 && kind < 7;
    s->sthld = 255;
    if (kind >= 6)
        s->sthld = (uint8_t)(ls_rng_chance(&s->rng, 128) ? 255 - (1 << ls_rng_below(&s->rng, 7))
                                                         : 128 + (int)ls_rng_below(&s->rng, 127));
    s->busy = 0;
    s->owned = s->near = (uint16_t)rf_mask64(cfg->collectors);
    for (uint32_t c = 0; c < cfg->collectors; c++) s->warp[c] = (uint8_t)(c % stranger);
    s->req = (uint8_t)(UINT32_C(1) << ls_rng_below(&s->rng, cfg->issues));
    for (uint32_t i = 0; i < cfg->issues; i++) s->req_warp[i] = (uint8_t)stranger;
}

/* A siege ends: a CCU is nobody's any more, or the request is of an owner, or gone, or all CCUs are busy. What was waited stays.
 */
static void relent(rf_ccu_allocator_stim *s, const rf_ccu_allocator_cfg *cfg) {
    const uint32_t kind = ls_rng_below(&s->rng, 4), c = ls_rng_below(&s->rng, cfg->collectors);
    if (kind == 0) s->owned = (uint16_t)(s->owned & ~(UINT32_C(1) << c));
    if (kind == 1)
        for (uint32_t i = 0; i < cfg->issues; i++) s->req_warp[i] = s->warp[c];
    if (kind == 2) s->req = 0;
    if (kind == 3) s->busy = (uint16_t)rf_mask64(cfg->collectors);
    s->left = 0;
}

static void noise(rf_ccu_allocator_stim *s, const rf_ccu_allocator_cfg *cfg, rf_ccu_allocator_in *in) {
    const uint32_t n = cfg->collectors, bits = rf_index_bits(cfg->warps);
    in->busy = (uint16_t)(ls_rng_chance(&s->rng, 64) ? 0 : ls_rng_value(&s->rng, n));
    in->owned = (uint16_t)(ls_rng_chance(&s->rng, 64) ? rf_mask64(n) : ls_rng_value(&s->rng, n));
    in->near = (uint16_t)ls_rng_value(&s->rng, n);
    in->req = (uint8_t)ls_rng_value(&s->rng, cfg->issues);
    if (ls_rng_chance(&s->rng, 64)) in->sthld = (uint8_t)ls_rng_value(&s->rng, 8);
    for (uint32_t c = 0; c < n; c++)
        in->warp[c] = c > 0 && ls_rng_chance(&s->rng, 48) ? in->warp[c - 1] : (uint8_t)ls_rng_value(&s->rng, bits);
    for (uint32_t i = 0; i < cfg->issues; i++)
        in->req_warp[i] = ls_rng_chance(&s->rng, 128) ? in->warp[ls_rng_below(&s->rng, n)] : (uint8_t)ls_rng_value(&s->rng, bits);
}

static void stim(rf_ccu_allocator_stim *s, const rf_ccu_allocator *m, rf_ccu_allocator_in *in) {
    const rf_ccu_allocator_cfg *cfg = &m->cfg;
    if (s->phase != NOISE) follow(s);
    if (s->left-- == 0 || (s->phase == SIEGE && s->req == 0)) begin(s, cfg);
    if (s->phase == TRAFFIC || s->phase == BARE) traffic(s, m);
    if (s->phase == SIEGE && s->left == s->give) s->sthld = (uint8_t)(m->count_q / 2);
    if (s->phase == SIEGE && s->relent && m->count_q > s->sthld) relent(s, cfg);
    in->busy = s->busy;
    in->owned = s->owned;
    in->near = s->near;
    in->req = s->req;
    in->sthld = s->sthld;
    for (uint32_t c = 0; c < cfg->collectors; c++) in->warp[c] = s->warp[c];
    for (uint32_t i = 0; i < cfg->issues; i++) in->req_warp[i] = s->req_warp[i];
    if (s->phase == NOISE) noise(s, cfg, in);
}

static void observe(rf_ccu_allocator_stim *s, const rf_ccu_allocator_in *in, const rf_ccu_allocator_out *out) {
    (void)in;
    s->out = *out;
}

enum {
    IDLE,
    OWN,
    OWN_ALTHOUGH_FREE,
    OWN_OF_SEVERAL,
    OWN_BUSY,
    OWN_TAKEN,
    FREE,
    FREE_BEFORE_FAR,
    FAR,
    FAR_BEFORE_NEAR,
    FAR_ROUND,
    FAR_WRAP,
    NEAR_ON_TIME,
    NEAR_LATE,
    NEAR_ROUND,
    NEAR_WRAP,
    WAIT,
    WAIT_LAST,
    WAIT_END_FREE,
    NONE_IDLE,
    NONE_BUT_KEPT,
    SAME_WARP,
    ALL_GRANTED,
    WAIT_TWO,
    WAIT_AND_REPLACE,
    REPLACE_TWO,
    REPLACE_DOWN,
    STHLD_0,
    STHLD_255,
    BARE_SOME,
    BARE_FULL,
    WAIT_HIGH,
    LONG_FOR_NONE,
    FAR_KEEPS
};

static const char *const bin_names[] = {[IDLE] = "nobody asks",
                                        [OWN] = "a warp gets the CCU that it owns",
                                        [OWN_ALTHOUGH_FREE] = "it gets its own although a lower one is free",
                                        [OWN_OF_SEVERAL] = "a warp owns several",
                                        [OWN_BUSY] = "its own is busy",
                                        [OWN_TAKEN] = "its own is taken by an earlier request",
                                        [FREE] = "a free CCU is taken",
                                        [FREE_BEFORE_FAR] = "a free CCU comes before a lower far one",
                                        [FAR] = "a far CCU is replaced",
                                        [FAR_BEFORE_NEAR] = "a far CCU comes before a near one although that is due",
                                        [FAR_ROUND] = "a far CCU in its turn, not the lowest",
                                        [FAR_WRAP] = "far: wrapped around",
                                        [NEAR_ON_TIME] = "a near CCU is replaced as soon as may be",
                                        [NEAR_LATE] = "a near CCU is replaced after more waiting than that",
                                        [NEAR_ROUND] = "a near CCU in its turn, not the lowest",
                                        [NEAR_WRAP] = "near: wrapped around",
                                        [WAIT] = "a request waits",
                                        [WAIT_LAST] = "it waits for the last cycle",
                                        [WAIT_END_FREE] = "some waited, but now a far or free CCU is there",
                                        [NONE_IDLE] = "no CCU is idle: no waiting",
                                        [NONE_BUT_KEPT] = "all idle CCUs are kept for other warps that ask",
                                        [SAME_WARP] = "a warp without a CCU asks twice and gets two",
                                        [ALL_GRANTED] = "every request is granted",
                                        [WAIT_TWO] = "two requests wait",
                                        [WAIT_AND_REPLACE] = "one waits while another replaces",
                                        [REPLACE_TWO] = "two CCUs are replaced",
                                        [REPLACE_DOWN] = "the highest request replaces a CCU below another",
                                        [STHLD_0] = "a near CCU is replaced with STHLD 0",
                                        [STHLD_255] = "a near CCU is replaced with STHLD 255",
                                        [BARE_SOME] = "no owners: as rf_ocu_alloc, all granted",
                                        [BARE_FULL] = "no owners: as rf_ocu_alloc, one refused",
                                        [WAIT_HIGH] = "it waits for the last cycle with STHLD 128 to 254",
                                        [LONG_FOR_NONE] = "256 cycles of waiting, and a CCU is taken that is not replaced",
                                        [FAR_KEEPS] = "a far CCU is replaced, and what was waited stays",
                                        NULL};

#define BIN(name, when) ((uint64_t)((when) != 0) << (name))

/* Whether rf_ocu_alloc gives the same. */
static bool as_ocu_alloc(const rf_ccu_allocator_cfg *cfg, const rf_ccu_allocator_in *in, const rf_ccu_allocator_out *out) {
    const rf_ocu_alloc m = {.cfg = {.collectors = cfg->collectors, .issues = cfg->issues}};
    rf_ocu_alloc_out other;
    rf_ocu_alloc_comb(&m, &(rf_ocu_alloc_in){.busy = in->busy, .req = in->req}, &other);
    bool same = out->grant == other.grant && out->alloc == other.alloc && out->wait == 0 && out->replace == 0;
    for (uint32_t i = 0; i < cfg->issues; i++) same &= out->sel[i] == other.sel[i];
    for (uint32_t c = 0; c < cfg->collectors; c++) same &= out->which[c] == other.which[c];
    return same;
}

/* What request `i` of a warp that owns the CCUs in `mine` meets. */
static uint64_t own_bins(const rf_ccu_allocator_in *in, uint32_t mine, uint32_t left, uint32_t taken) {
    const uint32_t lowest = mine & (~mine + 1);
    return BIN(OWN, taken) | BIN(OWN_ALTHOUGH_FREE, taken != 0 && (left & ~(uint32_t)in->owned & (taken - 1)) != 0) |
           BIN(OWN_OF_SEVERAL, taken != 0 && mine != lowest) | BIN(OWN_BUSY, in->busy & lowest) |
           BIN(OWN_TAKEN, taken == 0 && (in->busy & lowest) == 0);
}

/* What a request of a warp without one meets: `open` may be taken, `left` is idle still. */
static uint64_t other_bins(const rf_ccu_allocator *m, const rf_ccu_allocator_in *in, uint32_t open, uint32_t left, uint32_t taken,
                           bool waits) {
    const uint32_t far = open & in->owned & ~(uint32_t)in->near, near = open & in->owned & in->near;
    const uint32_t free = open & ~(uint32_t)in->owned, mask = m->mask_q, due = in->sthld + 1u;
    const bool is_far = (taken & far) != 0, is_near = (taken & near) != 0;
    return BIN(FREE, taken & free) | BIN(FREE_BEFORE_FAR, (taken & free) != 0 && (far & (taken - 1)) != 0) | BIN(FAR, is_far) |
           BIN(FAR_BEFORE_NEAR, is_far && near != 0 && m->count_q >= due) | BIN(FAR_ROUND, is_far && (far & (taken - 1)) != 0) |
           BIN(FAR_WRAP, is_far && mask != 0 && (far & mask) == 0) | BIN(NEAR_ON_TIME, is_near && m->count_q == due) |
           BIN(NEAR_LATE, is_near && m->count_q > due) | BIN(NEAR_ROUND, is_near && (near & (taken - 1)) != 0) |
           BIN(NEAR_WRAP, is_near && mask != 0 && (near & mask) == 0) | BIN(WAIT, waits) |
           BIN(WAIT_LAST, waits && m->count_q == in->sthld) |
           BIN(WAIT_HIGH, waits && m->count_q == in->sthld && in->sthld >= 128 && in->sthld < 255) |
           BIN(FAR_KEEPS, is_far && m->cfg.clear == 1 && m->count_q != 0) |
           BIN(WAIT_END_FREE, taken != 0 && !is_near && m->count_q != 0 && m->count_q < due) | BIN(NONE_IDLE, left == 0) |
           BIN(NONE_BUT_KEPT, left != 0 && open == 0) | BIN(STHLD_0, is_near && in->sthld == 0) |
           BIN(STHLD_255, is_near && in->sthld == 255);
}

static uint64_t bins(const rf_ccu_allocator *m, const rf_ccu_allocator_in *in, const rf_ccu_allocator_out *out) {
    const uint32_t issues = m->cfg.issues, all = (uint32_t)rf_mask64(m->cfg.collectors);
    uint32_t own[RF_ISSUES_MAX] = {0}, kept = 0, left = all & ~(uint32_t)in->busy, replaced = 0;
    uint64_t hit = BIN(IDLE, in->req == 0) | BIN(ALL_GRANTED, in->req == rf_mask64(issues) && out->grant == in->req) |
                   BIN(WAIT_TWO, out->wait & (out->wait - 1)) | BIN(WAIT_AND_REPLACE, out->wait != 0 && out->replace != 0) |
                   BIN(REPLACE_TWO, out->replace & (out->replace - 1)) |
                   BIN(LONG_FOR_NONE, m->count_q == 256 && out->alloc != 0 && out->replace == 0);
    for (uint32_t i = 0; i < issues; i++) {
        for (uint32_t c = 0; c < m->cfg.collectors; c++)
            own[i] |= (uint32_t)((in->req >> i & in->owned >> c & 1) != 0 && in->warp[c] == in->req_warp[i]) << c;
        kept |= own[i];
    }
    for (uint32_t i = 0; i < issues; i++) {
        if ((in->req >> i & 1) == 0) continue;
        const uint32_t taken = (uint32_t)(out->grant >> i & 1) << out->sel[i];
        hit |= own[i] != 0 ? own_bins(in, own[i], left, taken)
                           : other_bins(m, in, left & ~kept, left, taken, (out->wait >> i & 1) != 0);
        for (uint32_t e = 0; e < i; e++)
            hit |= BIN(SAME_WARP, own[i] == 0 && taken != 0 && (out->grant >> e & 1) != 0 && in->req_warp[e] == in->req_warp[i]);
        if ((taken & out->replace) != 0) {
            hit |= BIN(REPLACE_DOWN, taken < replaced);
            replaced = taken;
        }
        left &= ~taken;
    }
    if (in->owned == 0 && in->req != 0 && as_ocu_alloc(&m->cfg, in, out))
        hit |= BIN(BARE_SOME, in->req == rf_mask64(issues) && out->grant == in->req) | BIN(BARE_FULL, out->grant != in->req);
    return hit;
}

#define SMALL "COLLECTORS=3 ISSUES=2 WARPS=5"
#define ONE "COLLECTORS=1 ISSUES=1 WARPS=2"

static void unreachable(const rf_ccu_allocator_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->issues > cfg->collectors, ALL_GRANTED, "fewer CCUs than issue groups");
    ls_unreachable_if(to, cfg->issues > cfg->collectors, BARE_SOME, "fewer CCUs than issue groups");
    static const uint8_t of_ccus[] = {OWN_ALTHOUGH_FREE, OWN_OF_SEVERAL, FREE_BEFORE_FAR, FAR_BEFORE_NEAR,
                                      FAR_ROUND,         FAR_WRAP,       NEAR_ROUND,      NEAR_WRAP};
    for (size_t i = 0; i < sizeof of_ccus; i++) ls_unreachable_if(to, cfg->collectors == 1, of_ccus[i], "one CCU");
    ls_unreachable_if(to, cfg->issues == 1, OWN_TAKEN, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, NONE_BUT_KEPT, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, WAIT_TWO, "one issue group");
    ls_unreachable_if(to, cfg->clear == 0, FAR_KEEPS, "any replacement clears");
    static const uint8_t of_two[] = {SAME_WARP, WAIT_AND_REPLACE, REPLACE_TWO, REPLACE_DOWN};
    for (size_t i = 0; i < sizeof of_two; i++) {
        ls_unreachable_if(to, cfg->collectors == 1, of_two[i], "one CCU");
        ls_unreachable_if(to, cfg->issues == 1, of_two[i], "one issue group");
    }
}

static const ls_fault faults[] = {
    {"a warp's own CCU counts for nothing", NULL, "req_i[i] && owned_i[c] && warp_i", "1'b0 && owned_i[c] && warp_i", "sel",
     SMALL},
    {"a CCU that nobody owns is its last warp's", NULL, "req_i[i] && owned_i[c] && warp_i", "req_i[i] && warp_i", "sel", SMALL},
    {"CCUs of warps that do not ask are kept", NULL, "req_i[i] && owned_i[c] && warp_i", "owned_i[c] && warp_i", "sel", SMALL},
    {"a CCU is taken from a warp that asks", NULL, "open    = left & ~kept", "open    = left", "grant", SMALL},
    {"of several of its own any that is idle", NULL, "pool = `RF_LOWEST(mine) & left", "pool = mine & left", "grant", SMALL},
    {"a busy one of its own is taken", NULL, "`RF_LOWEST(mine) & left", "`RF_LOWEST(mine)", "grant", ONE},
    {"a far CCU comes before a free one", NULL, "(unowned != '0) pool = unowned", "(unowned != '0 && far == '0) pool = unowned",
     "sel", SMALL},
    {"a far CCU is as good as a near one", NULL, "else if (far != '0)     pool = far;\n", "", "grant", ONE},
    {"a near CCU that is due is as good as a far one", NULL, "pool = far;", "pool = far | (close & {COLLECTORS{late}});", "sel",
     SMALL},
    {"near values are not spared", NULL, "close & {COLLECTORS{late}}", "close", "grant", ONE},
    {"near values are spared for ever", NULL, "close & {COLLECTORS{late}}", "'0", "grant", ONE},
    {"one cycle of waiting too few", NULL, "count_q > {1'b0, sthld_i}", "count_q >= {1'b0, sthld_i}", "grant", ONE},
    {"the highest bit of STHLD is lost", NULL, "count_q > {1'b0, sthld_i}", "count_q > {2'b0, sthld_i[6:0]}", "grant", ONE},
    {"the lowest owned CCU instead of round-robin", NULL, "if (above != '0) pool = above;", "", "sel", SMALL},
    {"one CCU for several requests", NULL, "open    = left & ~kept", "open    = ~busy_i & ~kept", "grant",
     "COLLECTORS=1 ISSUES=2 WARPS=2"},
    {"waits also when no CCU is idle", NULL, "&& close != '0;", "&& (owned_i & near_i) != '0;", "wait", ONE},
    {"waits also for its own", NULL, "req_i[i] && mine == '0 && taken", "req_i[i] && taken", "wait", SMALL},
    {"replaces its own", NULL, "alloc_o & owned_i & ~kept", "alloc_o & owned_i", "replace", ONE},
    {"replaces free ones", NULL, "alloc_o & owned_i & ~kept", "alloc_o & ~kept", "replace", ONE},
    {"request number inverted", NULL, "{COLLECTORS{i[k]}}", "{COLLECTORS{!i[k]}}", "which", SMALL},
    {"the count goes on after a replacement", NULL, "(clears != '0) ? '0 : count_q", "count_q", "count_q", ONE},
    {"the count starts anew when nobody waits", NULL, "count_q + {8'b0, wait_o != '0}", "(wait_o != '0) ? count_q + 9'd1 : '0",
     "count_q", ONE},
    {"a far replacement clears the count", NULL, ": replace_o & near_i", ": replace_o", "count_q", SMALL " CLEAR=1"},
    {"a near CCU that is not replaced clears the count", NULL, ": replace_o & near_i", ": near_i", "count_q", SMALL " CLEAR=1"},
    {"only near values that are replaced clear the count", NULL, "(CLEAR == 0) ? replace_o", "(CLEAR == 0) ? replace_o & near_i",
     "count_q", SMALL},
    {"the count adds every request", NULL, "{8'b0, wait_o != '0}", "9'($countones(wait_o))", "count_q", SMALL},
    {"the count has 8 bits", NULL, "count_q + {8'b0, wait_o != '0}", "{1'b0, count_q[7:0] + {7'b0, wait_o != '0}}", "count_q",
     ONE},
    {"the pointer includes the one replaced", NULL, "~(last | (last - 1'b1))", "~(last - 1'b1)", "mask_q", SMALL},
    {"the pointer follows the lowest request", NULL, "& owned_i) != '0) last", "& owned_i) != '0 && last == '0) last", "mask_q",
     SMALL},
    {"the pointer follows what is not replaced", NULL, "if ((taken & open & owned_i) != '0) last", "if (taken != '0) last",
     "mask_q", SMALL},
    {"a grant without a replacement ends a wait of 256 cycles", NULL, "(clears != '0) ? '0 : count_q",
     "(clears != '0 || (alloc_o != '0 && count_q[8])) ? '0 : count_q", "count_q", NULL},
    {"a free CCU comes last after 256 cycles", NULL, "(unowned != '0) pool = unowned",
     "(unowned != '0 && !count_q[8]) pool = unowned", "grant", ONE},
    {"the last cycle of a long wait is left out", NULL, "count_q > {1'b0, sthld_i}",
     "(count_q > {1'b0, sthld_i} || (count_q == {1'b0, sthld_i} && sthld_i[7] && sthld_i != '1))", "grant", NULL},
    {"reset leaves the count", NULL, "count_q <= '0;\n", "", "count_q", ONE},
    {0},
};

static const char *const sets[] = {"",
                                   "COLLECTORS=1 ISSUES=1 WARPS=2",
                                   "COLLECTORS=1 ISSUES=4 WARPS=1",
                                   "COLLECTORS=3 ISSUES=2 WARPS=5",
                                   "COLLECTORS=8 ISSUES=2 WARPS=32",
                                   "COLLECTORS=16 ISSUES=4 WARPS=64 CLEAR=1",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_ccu_allocator
#define LS_GROUP "malekeh"
#define LS_BRIEF "CCU allocator: own, free, far, near after waiting"
#define LS_FIELDS "tb/malekeh/rf_ccu_allocator.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
