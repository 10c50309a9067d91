/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/mutate.h"

#define SKEWED 96u /* of 256 spans of each sort */
#define RETURNING 48u
#define PERIODS 4u

static ls_span drawn(ls_span_kind kind, uint32_t cycles, bool skewed, ls_rng *rng) {
    static const uint8_t levels[] = {16, 64, 128, 208};
    ls_span s = {.kind = kind, .cycles = cycles, .seed = ls_rng_u64(rng)};
    if (!skewed) return s;
    if (ls_rng_chance(rng, SKEWED)) s.extreme = levels[ls_rng_below(rng, 4)];
    if (ls_rng_chance(rng, SKEWED)) s.again = levels[ls_rng_below(rng, 4)];
    if (kind == LS_SPAN_DRAW && ls_rng_chance(rng, RETURNING)) s.period = 1 + ls_rng_below(rng, PERIODS);
    return s;
}

void ls_mutate_new(ls_script *to, bool skewed, ls_rng *rng) {
    to->count = 0;
    ls_script_add(to, drawn(LS_SPAN_RESET, 0, skewed, rng));
}

void ls_mutate_knobs(ls_script *to, ls_rng *rng) { ls_script_add(to, drawn(LS_SPAN_KNOBS, 0, true, rng)); }

/* Appends cycles [a, b), and the knobs that are drawn between them; those of before with `knobs`, as knobs. */
static void copy_cycles(ls_script *to, const ls_script *from, uint64_t a, uint64_t b, bool knobs) {
    uint64_t at = 0;
    ls_span before = {.kind = LS_SPAN_DRAW};
    for (size_t i = 0; i < from->count && at < b; i++) {
        ls_span s = from->list[i];
        if (s.kind != LS_SPAN_DRAW) {
            before = s;
            before.kind = LS_SPAN_KNOBS;
            if (s.kind == LS_SPAN_KNOBS && (knobs ? at > a : at >= a)) ls_script_add(to, s);
            continue;
        }
        const uint64_t begin = at > a ? at : a, end = at + s.cycles < b ? at + s.cycles : b;
        if (begin < end) {
            if (knobs && begin == a && before.kind == LS_SPAN_KNOBS) ls_script_add(to, before);
            s.first += (uint32_t)(begin - at);
            at += s.cycles;
            s.cycles = (uint32_t)(end - begin);
            ls_script_add(to, s);
        } else {
            at += s.cycles;
        }
    }
}

void ls_mutate_cut(const ls_script *from, uint64_t at, ls_script *to) {
    to->count = 0;
    uint64_t done = 0;
    for (size_t i = 0; i < from->count && (i == 0 || done < at); i++) {
        ls_span s = from->list[i];
        if (s.kind == LS_SPAN_DRAW && s.cycles > at - done) s.cycles = (uint32_t)(at - done);
        done += s.kind == LS_SPAN_DRAW ? s.cycles : 0;
        ls_script_add(to, s);
    }
}

void ls_mutate_extend(ls_script *to, uint32_t cycles, bool skewed, ls_rng *rng) {
    ls_script_add(to, drawn(LS_SPAN_DRAW, cycles, skewed, rng));
}

void ls_mutate_splice(ls_script *to, const ls_script *from, uint64_t a, uint64_t b, bool knobs) {
    copy_cycles(to, from, a, b, knobs);
}

void ls_mutate_redraw(const ls_script *from, uint64_t a, uint64_t b, ls_script *to, ls_rng *rng) {
    const uint64_t all = ls_script_cycles(from, 0, from->count);
    ls_mutate_cut(from, a, to);
    ls_mutate_extend(to, (uint32_t)(b - a), true, rng);
    /* Knobs of the part that is drawn anew hold behind it. */
    for (uint64_t at = 0, i = 0; i < from->count && at < b; i++) {
        const ls_span *s = &from->list[i];
        if (s->kind == LS_SPAN_KNOBS && at >= a && at < b) ls_script_add(to, *s);
        at += s->kind == LS_SPAN_DRAW ? s->cycles : 0;
    }
    copy_cycles(to, from, b, all, false);
}
