/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_level_alloc.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_level_webs.h"
#include "cmodel/compiler/rf_not_l0.h"

#define NONE RF_LEVEL_NONE
#define ALL (RF_LEVEL_NONE - 1) /* an instance's last read above the MRF, when none of its reads is behind */

/* An instruction has two points at which a place may hold a value: 2 i, between its uops, and 2 i + 1, behind it. */
#define INSIDE(inst) (2 * (inst))
#define BEHIND(inst) (2 * (inst) + 1)

/* Points `from` .. `to` - 1 at which an instance holds a value whose first read ahead is in instruction `next`. */
typedef struct span {
    uint32_t from, to, next;
} span;

/* Instructions of the first and the last read that a value can reach, as far as it is not replaced; NONE, NONE: of none. */
typedef struct reach {
    uint32_t next, last;
} reach;

/* An instance that saves energy in a level, and the instruction slots that it takes. */
typedef struct candidate {
    uint32_t instance, slots;
    double saved;
} candidate;

typedef struct allocation {
    rf_level_webs webs;
    const rf_kernel *kernel;
    rf_level_options options;
    rf_hint *hint;
    bool *shared;                    /* ninst: of a unit that shares a port */
    bool *kept;                      /* ninst: keeps an operand */
    uint64_t *taken[RF_LEVEL_NAMES]; /* sets of points */

    /* Of one region and instance. */
    span *span;
    uint32_t nspan, slots;
    reach *reach;    /* per event: of what is written there, or kept */
    reach *at_start; /* nseg: of the instance's value there */
    bool *placed;    /* per instance */
    candidate *queue;
} allocation;

/* --- where an instance lives ------------------------------------------------------------------------------------------------ */

static void add_span(allocation *a, uint32_t from, uint32_t to, uint32_t next) {
    if (next == NONE || from >= to) return;
    a->span[a->nspan++] = (span){from, to, next};
    a->slots += to / 2 - from / 2; /* instructions behind which it lives */
}

/* The value behind a segment: what those that may follow read first and last. None is behind segment `last`. */
static reach reach_behind(const allocation *a, uint32_t s, uint32_t last) {
    reach r = {NONE, NONE};
    for (uint32_t n = 0; n < 2; n++) {
        const uint32_t to = a->webs.seg[s].next[n];
        if (to == NONE || to > last || a->at_start[to].next == NONE) continue;
        if (r.next == NONE || a->at_start[to].next < r.next) r.next = a->at_start[to].next;
        if (r.last == NONE || a->at_start[to].last > r.last) r.last = a->at_start[to].last;
    }
    return r;
}

/* An operand behind the first `slots`, so that it is read by a later uop. */
static bool late(const allocation *a, const rf_level_event *e) { return e->operands >> a->options.slots != 0; }

/* An operand that is not of the last uop that reads, so that what it is kept in may be written before others are read. */
static bool early(const allocation *a, const rf_level_event *e) {
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc = 0, ndst = 0;
    rf_kinst_words(&a->kernel->inst[e->inst], src, &nsrc, dst, &ndst);
    const uint32_t behind = (nsrc - 1) / a->options.slots * a->options.slots; /* operands in front of the last such uop's */
    return (e->operands & ((1u << behind) - 1)) != 0;
}

/* One event on the way up. `r`: what the value behind it reaches; *to: up to where that has no span yet. */
static void pass_event(allocation *a, const rf_level_event *e, bool keeps, reach *r, uint32_t *to) {
    if (e->write || keeps) {
        a->reach[e - a->webs.event] = *r;
        const uint32_t from = keeps && early(a, e) ? INSIDE(e->inst) : BEHIND(e->inst);
        add_span(a, from, *to, r->next);
        *to = from;
        if (keeps || a->kernel->inst[e->inst].guard == RF_KNONE) *r = (reach){NONE, NONE};
        return;
    }
    add_span(a, BEHIND(e->inst), *to, r->next);
    if (!late(a, e)) add_span(a, INSIDE(e->inst), BEHIND(e->inst), r->next);
    *to = late(a, e) ? BEHIND(e->inst) : INSIDE(e->inst);
    r->next = e->inst;
    if (r->last == NONE) r->last = e->inst;
}

/* Spans, slots and reaches of an instance: from its last event up, all ways. */
static void walk(allocation *a, const rf_level_instance *instance) {
    const rf_level_webs *const w = &a->webs;
    const rf_level_event *const event = w->event + instance->event;
    const uint32_t last = w->seg_of[event[instance->count - 1].inst], start = w->start[w->seg[last].region];
    uint32_t e = instance->count;
    a->nspan = a->slots = 0;
    for (uint32_t at = start + w->place[last] + 1; at-- > start && e > 0;) {
        const uint32_t s = w->order[at];
        reach r = reach_behind(a, s, last);
        uint32_t to = INSIDE(w->seg[s].end);
        for (; e > 0 && event[e - 1].inst >= w->seg[s].first; e--)
            pass_event(a, &event[e - 1], instance->group && e == 1, &r, &to);
        add_span(a, INSIDE(w->seg[s].first), to, r.next);
        a->at_start[s] = r;
    }
}

/* --- what it saves ---------------------------------------------------------------------------------------------------------- */

/* A value must be in the MRF, if the reads behind instruction `last` come from there. */
static bool needs_mrf(const allocation *a, const rf_level_event *e, uint32_t last) {
    const reach *const r = &a->reach[e - a->webs.event];
    return a->webs.node[e->node].mrf || (r->last != NONE && r->last > last);
}

/* A result that no read above the MRF gets is not written there. */
static bool writes_upper(const allocation *a, const rf_level_event *e, uint32_t last) {
    return a->reach[e - a->webs.event].next <= last;
}

/* [hierarchy Fig. 10, 13], for the reads up to instruction `last`, after walk. */
static double saves(const allocation *a, const rf_level_instance *instance, const rf_level_energy *level, uint32_t last) {
    const rf_level_energy *const mrf = &a->options.mrf;
    double saved = 0;
    for (uint32_t n = 0; n < instance->count; n++) {
        const rf_level_event *const e = &a->webs.event[instance->event + n];
        const bool shared = a->shared[e->inst];
        if (e->write || (instance->group && n == 0)) {
            if (!writes_upper(a, e, last)) continue;
            saved -= shared ? level->write_shared : level->write_private;
            if (e->write && !needs_mrf(a, e, last)) saved += shared ? mrf->write_shared : mrf->write_private;
        } else if (e->inst <= last) {
            saved += shared ? mrf->read_shared - level->read_shared : mrf->read_private - level->read_private;
        }
    }
    return saved;
}

/* Whether values may be in two levels at once, in the L1 or the L0 and the MRF [hierarchy 7.9]; a kept operand always is. */
static bool permitted(const allocation *a, const rf_level_instance *instance, bool l1, uint32_t last) {
    if (!a->options.one_level && !(a->options.no_l1_and_mrf && l1)) return true;
    bool twice = instance->group;
    for (uint32_t n = 0; n < instance->count && !twice; n++) {
        const rf_level_event *const e = &a->webs.event[instance->event + n];
        twice = e->write && writes_upper(a, e, last) && needs_mrf(a, e, last);
    }
    return !twice;
}

/* The name of the L0's bank that the instance may lie in; NONE: none. Shared units do not reach it [hierarchy 4.4]; a split one's
 * banks are read by a slot each. */
static uint32_t l0_bank(const allocation *a, const rf_level_instance *instance) {
    uint32_t slots = 0;
    bool reachable = a->options.l0 > 0;
    for (uint32_t n = 0; n < instance->count && reachable; n++) {
        const rf_level_event *const e = &a->webs.event[instance->event + n];
        reachable = !a->shared[e->inst];
        if (e->write || (instance->group && n == 0)) continue;
        for (uint32_t bits = e->operands; bits; bits &= bits - 1) slots |= 1u << rf_lowest(bits) % a->options.slots;
    }
    if (!reachable || (a->options.l0 == 2 && (slots & (slots - 1)))) return NONE;
    return RF_LEVEL_L0 + (a->options.l0 == 2 ? rf_lowest(slots) : 0);
}

/* --- places ----------------------------------------------------------------------------------------------------------------- */

/* The bits of word `w` that lie in a span. */
static uint64_t bits_of(const span *s, uint32_t w) {
    uint64_t bits = UINT64_MAX;
    if (w == s->from / 64) bits &= UINT64_MAX << s->from % 64;
    if (w == (s->to - 1) / 64) bits &= UINT64_MAX >> (63 - (s->to - 1) % 64);
    return bits;
}

/* The first reads ahead at points where the instance would meet another in the place: the least of them; NONE: it meets none. */
static uint32_t limit_at(const allocation *a, uint32_t name) {
    uint32_t limit = NONE;
    for (const span *s = a->span; s < a->span + a->nspan; s++)
        for (uint32_t w = s->from / 64; w <= (s->to - 1) / 64 && s->next < limit; w++)
            if (a->taken[name][w] & bits_of(s, w)) limit = s->next;
    return limit;
}

/* Puts the reads up to instruction `last` and what they need into the place. */
static void place_reads(allocation *a, const rf_level_instance *instance, uint32_t name, uint32_t last) {
    for (const span *s = a->span; s < a->span + a->nspan; s++)
        for (uint32_t w = s->from / 64; w <= (s->to - 1) / 64 && s->next <= last; w++) a->taken[name][w] |= bits_of(s, w);
    for (uint32_t n = 0; n < instance->count; n++) {
        const rf_level_event *const e = &a->webs.event[instance->event + n];
        const bool keeps = instance->group && n == 0;
        rf_hint *const hint = &a->hint[e->inst];
        if (keeps) a->kept[e->inst] = true;
        if (e->write ? !writes_upper(a, e, last) : e->inst > last) continue;
        const uint32_t read = name | (keeps ? RF_FROM_KEEP : RF_FROM_UPPER);
        const uint32_t written = name | RF_TO_UPPER | (needs_mrf(a, e, last) ? 0 : RF_TO_NOT_MRF);
        for (uint32_t bits = e->operands; bits; bits &= bits - 1) {
            if (e->write) hint->dst_to[rf_lowest(bits)] = (uint8_t)written;
            else hint->src_from[rf_lowest(bits)] = (uint8_t)read;
        }
    }
}

/* The name at which most of the instance's reads may lie, the lowest of equal ones; its limit into *limit. */
static uint32_t best_place(const allocation *a, uint32_t first, uint32_t names, uint32_t *limit) {
    uint32_t best = first;
    *limit = 0;
    for (uint32_t name = first; name < first + names && *limit != NONE; name++) {
        const uint32_t here = limit_at(a, name);
        if (here <= *limit) continue;
        *limit = here;
        best = name;
    }
    return best;
}

/* [hierarchy Fig. 11] for one instance: a place for all of its range. */
static bool place_whole(allocation *a, const rf_level_instance *instance, uint32_t first, uint32_t names) {
    uint32_t limit = 0;
    if (instance->group && a->kept[a->webs.event[instance->event].inst]) return false;
    walk(a, instance);
    const uint32_t name = best_place(a, first, names, &limit);
    if (limit == NONE) place_reads(a, instance, name, ALL);
    return limit == NONE;
}

/* [hierarchy 5.3]: a place in the L1 for the longest part of the range that fits, if that saves energy. */
static void place_part(allocation *a, const rf_level_instance *instance) {
    uint32_t limit = 0, last = NONE;
    if (instance->group && a->kept[a->webs.event[instance->event].inst]) return;
    walk(a, instance);
    const uint32_t name = best_place(a, 0, a->options.entries, &limit);
    for (uint32_t n = instance->group; n < instance->count; n++) {
        const rf_level_event *const e = &a->webs.event[instance->event + n];
        if (!e->write && e->inst < limit) last = e->inst;
    }
    if (last != NONE && permitted(a, instance, true, last) && saves(a, instance, &a->options.l1, last) > 0)
        place_reads(a, instance, name, last);
}

/* --- regions ---------------------------------------------------------------------------------------------------------------- */

/* Most energy per slot first, then the order of the program. */
static int by_worth(const void *left, const void *right) {
    const candidate *const x = left, *const y = right;
    const double a = x->saved / x->slots, b = y->saved / y->slots;
    if (a != b) return a > b ? -1 : 1;
    return x->instance < y->instance ? -1 : x->instance > y->instance;
}

/* The instances without a place that would save energy in a level: into the queue, in order; how many. */
static uint32_t fill_queue(allocation *a, bool l1) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < a->webs.ninstance; n++) {
        const rf_level_instance *const instance = &a->webs.instance[n];
        if (a->placed[n] || (!l1 && l0_bank(a, instance) == NONE)) continue;
        walk(a, instance);
        const double saved = saves(a, instance, l1 ? &a->options.l1 : &a->options.l0_energy, ALL);
        if (saved > 0 && a->slots && permitted(a, instance, l1, ALL)) a->queue[count++] = (candidate){n, a->slots, saved};
    }
    qsort(a->queue, count, sizeof *a->queue, by_worth);
    return count;
}

/* [hierarchy 5.6]: the L0, then the L1, then parts of ranges in the L1. */
static void allocate(allocation *a) {
    memset(a->placed, 0, a->webs.ninstance * sizeof *a->placed);
    for (uint32_t l1 = a->options.l0 == 0; l1 < 2; l1++) {
        const uint32_t count = fill_queue(a, l1);
        for (uint32_t n = 0; n < count; n++) {
            const rf_level_instance *const instance = &a->webs.instance[a->queue[n].instance];
            const uint32_t first = l1 ? 0 : l0_bank(a, instance), names = l1 ? a->options.entries : 1;
            a->placed[a->queue[n].instance] = place_whole(a, instance, first, names);
        }
        for (uint32_t n = 0; n < count && l1 && a->options.partial; n++)
            if (!a->placed[a->queue[n].instance]) place_part(a, &a->webs.instance[a->queue[n].instance]);
    }
}

/* Without read operands only webs are left. */
static void drop_groups(rf_level_webs *w) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < w->ninstance; n++)
        if (!w->instance[n].group) w->instance[count++] = w->instance[n];
    w->ninstance = count;
}

static bool prepare(allocation *a) {
    const size_t ninst = (size_t)a->kernel->ninst + 1, points = 2 * ninst / 64 + 1, events = a->webs.event_capacity;
    a->shared = malloc(ninst * sizeof *a->shared);
    a->kept = calloc(ninst, sizeof *a->kept);
    a->taken[0] = calloc(points * RF_LEVEL_NAMES, sizeof **a->taken);
    a->span = malloc((2 * events + ninst) * sizeof *a->span);
    a->reach = malloc(events * sizeof *a->reach);
    a->at_start = malloc(ninst * sizeof *a->at_start);
    a->placed = malloc(events * sizeof *a->placed);
    a->queue = malloc(events * sizeof *a->queue);
    if (!a->shared || !a->kept || !a->taken[0] || !a->span || !a->reach || !a->at_start || !a->placed || !a->queue) return false;
    for (uint32_t n = 1; n < RF_LEVEL_NAMES; n++) a->taken[n] = a->taken[0] + n * points;
    for (uint32_t i = 0; i < a->kernel->ninst; i++) {
        a->shared[i] = rf_opclass_shared(rf_kinst_class(&a->kernel->inst[i]));
        memset(a->hint[i].src_from, 0, sizeof a->hint[i].src_from);
        memset(a->hint[i].dst_to, 0, sizeof a->hint[i].dst_to);
    }
    return true;
}

int rf_level_alloc(const rf_strands *strands, const rf_liveness *live, const rf_level_options *options, rf_hint *hint) {
    allocation a = {.kernel = strands->kernel, .options = options ? *options : rf_level_defaults(), .hint = hint};
    bool good = rf_level_webs_open(&a.webs, strands, live, a.options.branches) == 0 && prepare(&a);
    for (uint32_t r = 0; good && r < a.webs.nregion; r++) {
        good = rf_level_webs_find(&a.webs, r) == 0;
        if (good && !a.options.keep) drop_groups(&a.webs);
        if (good) allocate(&a);
    }
    rf_level_webs_close(&a.webs);
    free(a.shared);
    free(a.kept);
    free(a.taken[0]);
    free(a.span);
    free(a.reach);
    free(a.at_start);
    free(a.placed);
    free(a.queue);
    return good ? 0 : -1;
}
