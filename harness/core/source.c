/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/memory.h"
#include "harness/base/xzio.h"
#include "harness/core/case.h"
#include "harness/core/plan.h"

#define EPOCH_MIN 1000u
#define EPOCH_SPAN 8000u
#define SHORT_MIN                                                                                                                \
    20u /* before cycle SHORT_BEFORE all but every 16th epoch is short: resets in states that a long one soon leaves */
#define SHORT_SPAN 181u
#define SHORT_BEFORE 10000u
/* From this cycle on one epoch in four is long, 2^13 to 2^20 cycles, for what needs long to happen: of those whose inputs are
 * legal to the end, for a long one without would leave a system's properties unchecked. */
#define LONG_AFTER 50000u

/* One epoch in SEARCHED_EVERY is searched for coincidences, among CANDIDATES draws a cycle. A draw takes longer than a plain
 * cycle of a small unit: more such epochs find no more in the same time, and fewer draws miss the rarest bins. */
#define SEARCHED_EVERY 4u
#define CANDIDATES 8u

/* What a search for coincidences needs: room for a candidate, the best so far, and how often it has taken each pair of bins. */
typedef struct ls_search {
    ls_rng rng;
    uint8_t *stim, *best_stim, *in, *best_in, *out;
    uint32_t taken[64][64];
} ls_search;

static ls_search *search_new(const ls_unit *unit, uint64_t seed) {
    ls_search *s = ls_zeroed(sizeof *s);
    ls_rng_seed(&s->rng, ls_seed_derive(seed, "coincidences"));
    s->stim = ls_zeroed(unit->stim_size);
    s->best_stim = ls_zeroed(unit->stim_size);
    s->in = ls_zeroed(unit->in_size);
    s->best_in = ls_zeroed(unit->in_size);
    s->out = ls_zeroed(unit->out_size + unit->out_align);
    return s;
}

static void search_free(ls_search *s) {
    if (s == NULL) return;
    free(s->stim);
    free(s->best_stim);
    free(s->in);
    free(s->best_in);
    free(s->out);
    free(s);
}

/* How often the rarest pair of these bins was taken, a bin with itself too. */
static uint32_t rarest(const ls_search *s, uint64_t bins) {
    uint32_t least = UINT32_MAX;
    for (uint64_t a = bins; a != 0; a &= a - 1) {
        const uint32_t *with = s->taken[__builtin_ctzll(a)];
        for (uint64_t b = a; b != 0; b &= b - 1)
            if (with[__builtin_ctzll(b)] < least) least = with[__builtin_ctzll(b)];
    }
    return least;
}

static void count_pairs(ls_search *s, uint64_t bins) {
    for (uint64_t a = bins; a != 0; a &= a - 1)
        for (uint64_t b = a; b != 0; b &= b - 1) s->taken[__builtin_ctzll(a)][__builtin_ctzll(b)]++;
}

static void swap(uint8_t **a, uint8_t **b) {
    uint8_t *kept = *a;
    *a = *b;
    *b = kept;
}

/* The coming cycle's inputs: of several draws, the first being what the stimulus alone would have drawn, that with the rarest
 * pair. */
static void searched_stim(ls_source *source, const void *model, void *in) {
    const ls_unit *unit = source->unit;
    ls_search *s = source->search;
    uint8_t *out = s->out + (unit->out_align - (uintptr_t)s->out % unit->out_align) % unit->out_align;
    uint64_t best_bins = 0;
    uint32_t best = UINT32_MAX;
    for (uint32_t k = 0; k < CANDIDATES; k++) {
        memcpy(s->stim, source->stim, unit->stim_size);
        memcpy(s->in, in, unit->in_size);
        if (k > 0) ls_rng_seed((ls_rng *)(void *)(s->stim + unit->stim_rng), ls_rng_u64(&s->rng));
        unit->stim(s->stim, model, s->in);
        unit->comb(model, s->in, out);
        const uint64_t bins = unit->bins(model, s->in, out);
        if (k > 0 && bins == best_bins) continue;
        const uint32_t least = rarest(s, bins);
        if (k > 0 && least >= best) continue;
        best = least;
        best_bins = bins;
        swap(&s->stim, &s->best_stim);
        swap(&s->in, &s->best_in);
    }
    count_pairs(s, best_bins);
    memcpy(source->stim, s->best_stim, unit->stim_size);
    memcpy(in, s->best_in, unit->in_size);
}

int ls_source_open(ls_source *source, const ls_unit *unit, const void *model, uint64_t seed, const char *workload, char *error,
                   size_t size) {
    *source = (ls_source){.unit = unit, .seed = seed, .workload = workload != NULL};
    ls_rng_seed(&source->rng, ls_seed_derive(seed, "epochs"));
    ls_unit_fields(unit, &source->fields, model);
    if (workload == NULL && unit->stim_rng != SIZE_MAX) source->search = search_new(unit, seed);
    if (workload == NULL) return 0;
    if (unit->workload == NULL) {
        (void)snprintf(error, size, "%s takes no workload: only systems do", unit->name);
        return -1;
    }
    source->stim = ls_zeroed(unit->stim_size);
    unit->stim_init(source->stim, model, ls_seed_derive(seed, "stimulus 0"));
    source->epoch_end = source->legal_left = UINT64_MAX;
    return unit->workload(source->stim, model, &ls_xzio, workload, error, size);
}

/* The settings were checked before. */
static void surround(const ls_source *source) {
    char error[1024];
    const ls_settings *settings = source->surroundings;
    if (settings == NULL || settings->count == 0 || source->stim == NULL) return;
    if (source->unit->surround(source->stim, settings, error, sizeof error) != 0) ls_die("%s", error);
}

/* The copies of the system beside the one that is run. */
static void make_copies(ls_source *source, const void *cfg) {
    const ls_unit *u = source->unit;
    const uint32_t all = source->workload && u->copies != NULL ? u->copies(source->stim) : 1;
    if (all == 1) return;
    source->copies = ls_zeroed((all - 1) * sizeof *source->copies);
    source->copy_count = all - 1;
    for (uint32_t i = 0; i < source->copy_count; i++) {
        ls_source_copy *c = &source->copies[i];
        *c = (ls_source_copy){ls_zeroed(u->model_size), ls_zeroed(u->stim_size), ls_zeroed(u->in_size), ls_zeroed(u->out_size)};
        if (u->init(c->model, cfg) != 0) ls_die("%s: init failed after its own check", u->name);
        u->stim_init(c->stim, c->model, ls_seed_derive(source->seed, "stimulus 0"));
        u->join(c->stim, source->stim, i + 1);
    }
}

static void free_copies(ls_source *source) {
    for (uint32_t i = 0; i < source->copy_count; i++) {
        ls_source_copy *c = &source->copies[i];
        source->unit->stim_free(c->stim);
        free(c->model);
        free(c->stim);
        free(c->in);
        free(c->out);
    }
    free(source->copies);
}

void ls_source_run_copies(ls_source *source) {
    const ls_unit *u = source->unit;
    for (uint32_t i = 0; i < source->copy_count; i++) {
        const ls_source_copy *c = &source->copies[i];
        u->stim(c->stim, c->model, c->in);
        if (u->step != NULL) u->step(c->model, c->in, c->out);
        else u->comb(c->model, c->in, c->out);
        u->observe(c->stim, c->in, c->out);
        if (u->step == NULL) u->clock(c->model, c->in);
    }
}

const char *ls_source_property(ls_source *source) {
    const ls_unit *u = source->unit;
    if (u->property == NULL || source->stim == NULL) return NULL;
    const char *wrong = u->property(source->stim);
    for (uint32_t i = 0; wrong == NULL && i < source->copy_count; i++) {
        const char *of_copy = u->property(source->copies[i].stim);
        if (of_copy == NULL) continue;
        (void)snprintf(source->wrong, sizeof source->wrong, "sub-core %u: %s", i + 1, of_copy);
        wrong = source->wrong;
    }
    return wrong;
}

void ls_source_surround(ls_source *source, const ls_settings *settings, const void *cfg) {
    source->surroundings = settings;
    surround(source);
    make_copies(source, cfg);
}

void ls_source_replay(ls_source *source, const ls_unit *unit, const ls_case *replay) {
    *source = (ls_source){.unit = unit, .replay = replay};
}

void ls_source_script(ls_source *source, const ls_unit *unit, const void *model, ls_script *script, const ls_author *author) {
    *source = (ls_source){.unit = unit, .script = script, .author = author};
    ls_unit_fields(unit, &source->fields, model);
}

static void free_stim(ls_source *source) {
    if (source->stim != NULL && source->unit->stim_free != NULL) source->unit->stim_free(source->stim);
    free(source->stim);
    source->stim = NULL;
}

void ls_source_warps(ls_source *source) { source->warps = source->unit->leap != NULL && !source->workload; }

void ls_source_plain(ls_source *source) {
    search_free(source->search);
    source->search = NULL;
}

void ls_source_close(ls_source *source) {
    free_copies(source);
    free_stim(source);
    ls_source_plain(source);
    ls_fields_free(&source->fields);
}

int ls_source_try(const ls_unit *unit, const void *cfg, const char *workload, char *error, size_t size) {
    struct stat file;
    if (stat(workload, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode)) return 0;
    void *model = ls_zeroed(unit->model_size);
    ls_source source;
    if (unit->init(model, cfg) != 0) ls_die("%s: init failed after its own check", unit->name);
    const int status = ls_source_open(&source, unit, model, 0, workload, error, size);
    ls_source_close(&source);
    free(model);
    return status;
}

static ls_source_next replay_step(ls_source *source, void *in) {
    const ls_case *c = source->replay;
    if (source->cycle >= c->count) return LS_NEXT_END;
    if (!source->started && ls_case_starts(c, source->cycle)) {
        source->started = true;
        return LS_NEXT_START;
    }
    source->warp = c->warp[source->cycle];
    source->warped = source->warp != 0 && !source->warped;
    if (source->warped) return LS_NEXT_WARP;
    memcpy(in, ls_case_in(c, source->cycle), c->unit->in_size);
    return c->reset[source->cycle++] != 0 ? LS_NEXT_RESET : LS_NEXT_CYCLE;
}

/* A new stimulus, in place of the last one. */
static void new_stim(ls_source *source, const void *model, uint64_t seed) {
    free_stim(source);
    source->stim = ls_zeroed(source->unit->stim_size);
    source->unit->stim_init(source->stim, model, seed);
    surround(source);
    source->legal_left = source->unit->legal != NULL ? source->unit->legal(source->stim) : UINT64_MAX;
}

static void start_epoch(ls_source *source, const void *model) {
    char name[32];
    const uint32_t number = source->epoch++;
    (void)snprintf(name, sizeof name, "stimulus %u", number);
    new_stim(source, model, ls_seed_derive(source->seed, name));
    source->epoch_end = source->cycle + ls_source_epoch(&source->rng, number, source->cycle, source->legal_left == UINT64_MAX);
}

uint32_t ls_source_epoch(ls_rng *rng, uint32_t number, uint64_t cycle, bool endless) {
    const bool is_short = number % 16 != 0 && cycle < SHORT_BEFORE;
    const uint32_t usual = (is_short ? SHORT_MIN : EPOCH_MIN) + ls_rng_below(rng, is_short ? SHORT_SPAN : EPOCH_SPAN);
    const uint32_t long_one = 1u << (13 + ls_rng_below(rng, 8));
    const bool is_long = ls_rng_chance(rng, 64) && cycle >= LONG_AFTER && endless;
    return is_long ? long_one : usual;
}

bool ls_source_searched(const ls_unit *unit, uint32_t number) {
    return unit->stim_rng != SIZE_MAX && (number + 1) % SEARCHED_EVERY == 0;
}

/* Any inputs at all: reset must win against every one of them. */
static void random_inputs(ls_source *source, void *in) {
    for (size_t i = 0; i < source->fields.count; i++) {
        const ls_field *f = &source->fields.list[i];
        for (uint32_t e = 0; f->kind == LS_IN && e < f->count; e++) {
            uint32_t words[32] = {0};
            for (uint32_t bit = 0; bit < f->bits; bit += 32)
                words[bit / 32] = (uint32_t)ls_rng_value(&source->rng, f->bits - bit < 32 ? f->bits - bit : 32);
            ls_model_store(f, in, e, words);
        }
    }
}

static ls_source_next reset_step(ls_source *source, void *in) {
    random_inputs(source, in);
    for (uint32_t i = 0; i < source->copy_count; i++) source->unit->reset(source->copies[i].model);
    source->cycle++;
    return LS_NEXT_RESET;
}

#define CHOICES UINT64_C(0xd1342543de82ef95) /* between the seeds of two cycles: odd, and not the step within a seed (rng.c) */

static void choose(ls_source *source, const ls_span *span, uint64_t seed) {
    ls_rng_choices *c = &source->choices;
    c->extreme = span->extreme;
    c->again = span->again;
    c->draws = 0;
    ls_rng_seed(&c->rng, seed);
    for (uint32_t i = 0; i < 4 && c->again != 0; i++) c->before[i] = span->seed * (2 * i + 1); /* the same in all of the span */
}

/* A cycle of a script: each draw that the bench makes in it comes from the cycle's own stream, that of a time warp before it from
 * another. */
static ls_source_next drawn_step(ls_source *source, const ls_span *span, const void *model, void *in) {
    const uint32_t turn = span->first + source->in_span;
    const uint64_t seed = span->seed + (span->period != 0 ? turn % span->period : turn) * CHOICES;
    if (source->warps && !source->warped) {
        choose(source, span, ~seed);
        ls_rng_given = &source->choices;
        source->warp = source->unit->leap(source->stim, model);
        ls_rng_given = NULL;
        source->warped = source->warp != 0;
        if (source->warped) return LS_NEXT_WARP;
    }
    source->warped = false;
    choose(source, span, seed);
    ls_rng_given = &source->choices;
    source->unit->stim(source->stim, model, in);
    ls_rng_given = NULL;
    source->in_span++;
    source->cycle++;
    if (source->legal_left != 0) {
        source->legal++;
        source->legal_left--;
    }
    return LS_NEXT_CYCLE;
}

/* A cycle as the stimulus draws it. */
static ls_source_next free_step(ls_source *source, bool searched, const void *model, void *in) {
    source->warp = source->warps && !source->warped ? source->unit->leap(source->stim, model) : 0;
    source->warped = source->warp != 0;
    if (source->warped) return LS_NEXT_WARP;
    source->cycle++;
    if (source->legal_left != 0) {
        source->legal++;
        source->legal_left--;
    }
    if (searched) searched_stim(source, model, in);
    else source->unit->stim(source->stim, model, in);
    return LS_NEXT_CYCLE;
}

static ls_source_next script_step(ls_source *source, const void *model, void *in) {
    for (;; source->span++, source->in_span = 0) {
        while (source->span == source->script->count)
            if (source->author == NULL || !source->author->more(source->author->ctx, source->script)) return LS_NEXT_END;
        const ls_span *s = &source->script->list[source->span];
        if (s->kind == LS_SPAN_DRAW) {
            if (source->in_span < s->cycles) return drawn_step(source, s, model, in);
            continue;
        }
        const bool reset = s->kind == LS_SPAN_RESET || s->kind == LS_SPAN_EPOCH;
        if (reset && source->in_span < LS_RESET_CYCLES) {
            if (source->in_span++ == 0) {
                source->epoch_start = source->cycle;
                ls_rng_seed(&source->rng, ls_seed_derive(s->seed, "reset"));
            }
            return reset_step(source, in);
        }
        if (source->in_span <= LS_RESET_CYCLES && !source->warped) {
            if (reset) memset(in, 0, source->unit->in_size);
            choose(source, s, s->seed);
            if (s->extreme + s->again != 0) ls_rng_given = &source->choices;
            new_stim(source, model, s->seed);
            ls_rng_given = NULL;
            if (s->first != 0 && source->search == NULL) source->search = search_new(source->unit, s->seed);
        }
        if (s->kind != LS_SPAN_EPOCH || source->in_span == LS_RESET_CYCLES + s->cycles) continue;
        const ls_source_next next = free_step(source, s->first != 0, model, in);
        source->in_span += next == LS_NEXT_CYCLE;
        return next;
    }
}

ls_source_next ls_source_step(ls_source *source, const void *model, void *in) {
    if (source->replay != NULL) return replay_step(source, in);
    if (source->script != NULL) return script_step(source, model, in);
    const uint64_t in_epoch = source->cycle - source->epoch_start;
    if (in_epoch < LS_RESET_CYCLES) return reset_step(source, in);
    if (in_epoch == LS_RESET_CYCLES && !source->warped) {
        memset(in, 0, source->unit->in_size);
        if (!source->workload) start_epoch(source, model);
    }
    if (source->workload && source->unit->done(source->stim)) return LS_NEXT_END;
    const bool searched = source->search != NULL && ls_source_searched(source->unit, source->epoch - 1);
    const ls_source_next next = free_step(source, searched, model, in);
    if (next == LS_NEXT_CYCLE && source->cycle == source->epoch_end) source->epoch_start = source->cycle;
    return next;
}

bool ls_source_drained(const ls_source *s) {
    const bool ran = s->workload && s->stim != NULL && s->cycle > LS_RESET_CYCLES; /* without a warp the reset alone is run */
    return ran && s->unit->done(s->stim) && s->unit->workload_error(s->stim) == NULL;
}

void ls_source_skip(ls_source *source) {
    if (source->script == NULL) {
        source->cycle = source->epoch_start = source->epoch_end;
        return;
    }
    source->in_span = 0;
    while (++source->span < source->script->count && source->script->list[source->span].kind != LS_SPAN_RESET &&
           source->script->list[source->span].kind != LS_SPAN_EPOCH) {
    }
}
