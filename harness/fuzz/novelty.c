/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/novelty.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/core/plan.h"

#define SMALL_BITS 8u    /* of an element that is told by its value */
#define CONTROLS_MAX 40u /* elements whose pairs are told, ... */
#define PORTS_MAX 12u    /* ... of inputs at most so many, and of outputs */
#define PAIR_BITS 16u    /* of the table of pairs */
#define TIDY_FIRST 1024u /* cycles, then twice as many each time: what was reached wholly is not looked at any more */
#define RUN_BUCKETS 12u  /* a bin for 2, 4, ... 4096 cycles */

/* Bits of 8 bytes of a struct: those of one element, or of a part of a wide one. */
typedef struct part {
    uint32_t word;    /* which 8 bytes */
    uint8_t low;      /* lowest bit there */
    uint8_t bits;     /* 1 .. 64 */
    bool valued;      /* told by its value; else bit by bit */
    int16_t control;  /* which of the control elements; -1: none */
    uint32_t feature; /* its first one */
} part;

/* One of the three structs. */
typedef struct side {
    uint8_t *before; /* as it was in the cycle before */
    size_t words;    /* of 8 bytes: the last one is cut */
    size_t bytes;
    uint32_t *first; /* per word: its first part; one more at the end */
    uint32_t *busy;  /* words that have parts of which something is left to see */
    size_t busy_count;
    part *parts;
    size_t count;
} side;

struct ls_novelty {
    const ls_unit *unit;
    side sides[3];                                 /* by ls_kind: in, out, state */
    uint32_t features, pairs, bin_pairs, bin_runs; /* all; the first of each sort */
    uint8_t *reached;                              /* per feature: not, by this piece, by what was kept */
    uint32_t *touched;                             /* features that this piece is the first to reach */
    size_t touched_count;
    uint64_t reached_count;         /* by what was kept */
    uint64_t control[CONTROLS_MAX]; /* each one's value now, as a hash */
    uint32_t controls;
    uint64_t cycles, tidied; /* all; ... at which it was looked for such parts */
    uint64_t moved;          /* those of the state that changed at the last edge */
    uint64_t last_bins;
    uint32_t run[64]; /* how long each bin has been hit */
};

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * UINT64_C(0x7fb5d329728ea185);
    x = (x ^ (x >> 27)) * UINT64_C(0x81dadef4bc2dd44d);
    return x ^ (x >> 33);
}

enum { NOT, BY_PIECE, KEPT };

static void reach(ls_novelty *n, uint32_t feature) {
    if (n->reached[feature] != NOT) return;
    n->reached[feature] = BY_PIECE;
    n->touched[n->touched_count++] = feature;
}

/* ---- which parts there are ---- */

static void add_part(side *s, size_t at, uint32_t bits, bool valued) {
    s->parts = ls_grow(s->parts, s->count, sizeof *s->parts);
    s->parts[s->count++] =
        (part){.word = (uint32_t)(at / 8), .low = (uint8_t)(at % 8 * 8), .bits = (uint8_t)bits, .valued = valued, .control = -1};
}

/* The elements of a field, or of a member of a record. */
static void add_elements(ls_novelty *n, const ls_field *f) {
    side *s = &n->sides[f->kind];
    for (uint32_t i = 0; i < f->count; i++) {
        const size_t at = f->offset + (size_t)i * f->size;
        const bool valued = f->bits <= SMALL_BITS;
        for (uint32_t bit = 0; bit < f->bits;) { /* at most up to the next 8 bytes */
            const uint32_t room = 64 - (uint32_t)((at + bit / 8) % 8 * 8), left = f->bits - bit, bits = left < room ? left : room;
            add_part(s, at + bit / 8, bits, valued);
            bit += bits;
        }
    }
}

static int by_place(const void *a, const void *b) {
    const part *x = a, *y = b;
    return x->word != y->word ? (x->word > y->word) - (x->word < y->word) : (x->low > y->low) - (x->low < y->low);
}

static void index_words(side *s, size_t bytes) {
    s->bytes = bytes;
    s->words = (bytes + 7) / 8;
    s->before = ls_zeroed(s->words * 8 + 8);
    s->first = ls_alloc(s->words + 1, sizeof *s->first);
    s->busy = ls_alloc(s->words + 1, sizeof *s->busy);
    if (s->count > 0) qsort(s->parts, s->count, sizeof *s->parts, by_place);
    size_t k = 0;
    for (size_t w = 0; w < s->words; w++) {
        s->first[w] = (uint32_t)k;
        while (k < s->count && s->parts[k].word == w) k++;
    }
    s->first[s->words] = (uint32_t)k;
}

/* How many features a part has, from its first one on. */
static uint32_t features_of(const part *p) { return p->valued ? 1u << p->bits : 2u * p->bits; }

/* Whether a cycle can still reach something by it: all of a pair's elements can. */
static bool is_open(const ls_novelty *n, int kind, const part *p) {
    bool open = p->control >= 0;
    for (uint32_t i = 0; !open && kind != LS_IN && i < features_of(p); i++) open = n->reached[p->feature + i] != KEPT;
    return open;
}

static void tidy(ls_novelty *n) {
    for (int k = 0; k < 3; k++) {
        side *s = &n->sides[k];
        s->busy_count = 0;
        for (size_t w = 0; w < s->words; w++) {
            const part *p = s->parts + s->first[w], *end = s->parts + s->first[w + 1];
            while (p < end && !is_open(n, k, p)) p++;
            if (p < end) s->busy[s->busy_count++] = (uint32_t)w;
        }
    }
    n->tidied = n->cycles;
}

/* The narrowest parts become control elements, registers before ports. */
static void choose_controls(ls_novelty *n) {
    static const ls_kind order[] = {LS_STATE, LS_IN, LS_OUT};
    uint32_t limit = CONTROLS_MAX - 2 * PORTS_MAX;
    for (size_t k = 0; k < 3; k++) {
        side *s = &n->sides[order[k]];
        for (uint32_t bits = 1; bits <= SMALL_BITS; bits++)
            for (size_t i = 0; i < s->count && n->controls < limit; i++)
                if (s->parts[i].valued && s->parts[i].bits == bits) s->parts[i].control = (int16_t)n->controls++;
        limit = CONTROLS_MAX - (k == 0 ? PORTS_MAX : 0);
    }
}

/* Numbers the features. Inputs are what is chosen, not reached: they count in pairs alone. */
static void number(ls_novelty *n) {
    uint32_t next = 0;
    for (int k = LS_OUT; k <= LS_STATE; k++) {
        side *s = &n->sides[k];
        for (size_t i = 0; i < s->count; i++) {
            part *p = &s->parts[i];
            if (k == LS_OUT) p->valued &= p->control >= 0;
            p->feature = next;
            next += features_of(p);
        }
    }
    n->pairs = next;
    n->bin_pairs = n->pairs + (1u << PAIR_BITS);
    n->bin_runs = n->bin_pairs + 64 * 64;
    n->features = n->bin_runs + 64 * RUN_BUCKETS;
    n->reached = ls_zeroed(n->features);
    n->touched = ls_zeroed(n->features * sizeof *n->touched);
}

ls_novelty *ls_novelty_new(const ls_unit *unit, const void *cfg) {
    ls_novelty *n = ls_zeroed(sizeof *n);
    const size_t bytes[3] = {unit->in_size, unit->out_size, unit->model_size};
    void *model = ls_zeroed(unit->model_size);
    ls_fields fields = {0};
    n->unit = unit;
    if (unit->init(model, cfg) != 0) ls_die("%s: init failed after its own check", unit->name);
    ls_unit_fields(unit, &fields, model);
    for (size_t i = 0; i < fields.count; i++)
        for (uint32_t k = 0; fields.list[i].kind != LS_MEMORY && k < ls_part_count(&fields.list[i]); k++) {
            const ls_part p = ls_part_of(&fields.list[i], k);
            add_elements(n, &p.field);
        }
    for (int k = 0; k < 3; k++) index_words(&n->sides[k], bytes[k]);
    choose_controls(n);
    number(n);
    tidy(n);
    ls_fields_free(&fields);
    free(model);
    return n;
}

void ls_novelty_free(ls_novelty *n) {
    for (int k = 0; k < 3; k++) {
        free(n->sides[k].before);
        free(n->sides[k].first);
        free(n->sides[k].busy);
        free(n->sides[k].parts);
    }
    free(n->reached);
    free(n->touched);
    free(n);
}

/* ---- a cycle ---- */

static uint64_t word_at(const side *s, const uint8_t *now, size_t word) {
    uint64_t x = 0;
    const size_t at = word * 8;
    memcpy(&x, now + at, s->bytes - at < 8 ? s->bytes - at : 8);
    return x;
}

static uint64_t hash_of(const part *p, uint64_t value) { return mix((uint64_t)(p->control + 1) << 32 | value); }

void ls_novelty_begin(ls_novelty *n, const void *model, const void *in, const void *out) {
    const void *now[3] = {in, out, model};
    for (size_t i = 0; i < n->touched_count; i++) n->reached[n->touched[i]] = NOT;
    for (int k = 0; k < 3; k++) {
        side *s = &n->sides[k];
        for (size_t i = 0; i < s->busy_count; i++) {
            const uint64_t value = word_at(s, now[k], s->busy[i]);
            memcpy(s->before + s->busy[i] * 8u, &value, 8);
        }
        for (size_t i = 0; i < s->count; i++) {
            const part *p = &s->parts[i];
            if (p->control < 0) continue;
            n->control[p->control] = hash_of(p, ls_load64(s->before + p->word * 8u) >> p->low & ls_mask(p->bits));
        }
    }
    n->touched_count = 0;
    n->moved = 0;
    n->last_bins = 0;
}

/* A part whose bits have changed. */
static void change(ls_novelty *n, ls_kind kind, const part *p, uint64_t value, uint64_t changed) {
    if (kind != LS_IN && p->valued) reach(n, p->feature + (uint32_t)value);
    for (uint64_t left = p->valued || kind == LS_IN ? 0 : changed; left != 0; left &= left - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(left);
        reach(n, p->feature + 2 * bit + (uint32_t)(value >> bit & 1));
    }
    if (p->control >= 0) n->control[p->control] = hash_of(p, value);
}

/* The pairs of the control elements that changed with all others. */
static void pair(ls_novelty *n, uint64_t changed) {
    for (; changed != 0; changed &= changed - 1) {
        const uint64_t mine = n->control[__builtin_ctzll(changed)];
        for (uint32_t i = 0; i < n->controls; i++) reach(n, n->pairs + (uint32_t)((mine + n->control[i]) >> (64 - PAIR_BITS)));
    }
}

static void meet(ls_novelty *n, uint64_t bins) {
    for (uint64_t a = bins; a != 0; a &= a - 1) {
        const uint32_t one = (uint32_t)__builtin_ctzll(a);
        n->run[one] = (n->last_bins >> one & 1) != 0 ? n->run[one] + 1 : 1;
        if (n->run[one] > 1 && (n->run[one] & (n->run[one] - 1)) == 0) {
            const uint32_t bucket = (uint32_t)__builtin_ctz(n->run[one]) - 1;
            if (bucket < RUN_BUCKETS) reach(n, n->bin_runs + one * RUN_BUCKETS + bucket);
        }
        for (uint64_t b = a; bins != n->last_bins && b != 0; b &= b - 1)
            reach(n, n->bin_pairs + 64 * one + (uint32_t)__builtin_ctzll(b));
    }
    n->last_bins = bins;
}

/* What has changed of one struct; returns which control elements did. */
static uint64_t follow(ls_novelty *n, ls_kind kind, const void *now) {
    side *s = &n->sides[kind];
    uint64_t controls = 0;
    for (size_t i = 0; i < s->busy_count; i++) {
        const uint32_t w = s->busy[i];
        const uint64_t value = word_at(s, now, w), diff = value ^ ls_load64(s->before + w * 8u);
        if (diff == 0) continue;
        memcpy(s->before + w * 8u, &value, 8);
        for (const part *p = s->parts + s->first[w]; p < s->parts + s->first[w + 1]; p++) {
            const uint64_t changed = diff >> p->low & ls_mask(p->bits);
            if (changed == 0) continue;
            change(n, kind, p, value >> p->low & ls_mask(p->bits), changed);
            if (p->control >= 0) controls |= UINT64_C(1) << p->control;
        }
    }
    return controls;
}

bool ls_novelty_cycle(ls_novelty *n, const void *model, const void *in, const void *out, uint64_t bins) {
    const size_t before = n->touched_count;
    n->cycles++;
    const uint64_t ports = follow(n, LS_IN, in) | follow(n, LS_OUT, out);
    pair(n, ports | n->moved); /* with the state before the edge */
    meet(n, n->unit->stim_rng == SIZE_MAX ? n->unit->bins(model, in, out) : bins);
    n->moved = follow(n, LS_STATE, model);
    return n->touched_count > before;
}

size_t ls_novelty_touched(const ls_novelty *n, const uint32_t **list) {
    *list = n->touched;
    return n->touched_count;
}

uint32_t ls_novelty_features(const ls_novelty *n) { return n->features; }

void ls_novelty_keep(ls_novelty *n) {
    for (size_t i = 0; i < n->touched_count; i++) n->reached[n->touched[i]] = KEPT;
    n->reached_count += n->touched_count;
    n->touched_count = 0;
    if (n->cycles >= 2 * n->tidied + TIDY_FIRST) tidy(n);
}

uint64_t ls_novelty_reached(const ls_novelty *n) { return n->reached_count; }
