/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/core/source.h"
#include "harness/fuzz/mutate.h"
#include "harness/fuzz/player.h"

#define EPOCH_MIN 5u /* an epoch is 2^5 to 2^13 cycles, each magnitude as often */
#define EPOCH_MAGNITUDES 8u
#define PIECE_MAGNITUDES 8u /* and grows by pieces of 1 to 2^8 cycles; */
#define DULL 8u             /* one that goes on from an entry ends after so many pieces that reached nothing new */
#define LATE 16u            /* every other time an entry is one of the last so many */

/* What epochs are made of, with their shares of the cycles. */
typedef enum arm {
    NATURAL, /* as the bench draws: on the model nobody looks at it, so that it costs what a run costs */
    SKEWED,  /* new knobs, and choices that are not uniform */
    ENTRY,   /* a part of an entry, changed, and on from there */
    ARMS
} arm;
static const uint32_t shares[ARMS] = {3, 2, 3};

struct ls_fuzz {
    const ls_unit *unit;
    ls_rng rng;
    ls_novelty *novelty;
    ls_player player;
    ls_corpus corpus;
    size_t start, given; /* entries to begin with; those that the run has been given */
    bool known;          /* what they reach */
    int found;
    ls_fuzz_counts *counts, own;
    uint64_t played[ARMS]; /* cycles */
    arm arm;               /* of the epoch */
    bool going;            /* it is not over */
    ls_script now;         /* what it was so far */
    uint64_t length, target;
    bool fresh;    /* it reached something new ... */
    uint64_t last; /* ... in this cycle for the last time, counted with the reset's */
    uint32_t dull; /* pieces since */
};

ls_fuzz *ls_fuzz_new(const ls_fuzz_request *rq) {
    ls_fuzz *f = ls_zeroed(sizeof *f);
    f->unit = rq->unit;
    ls_rng_seed(&f->rng, ls_seed_derive(rq->seed, "fuzz"));
    f->novelty = ls_novelty_new(rq->unit, rq->cfg);
    ls_player_open(&f->player, rq->unit, rq->cfg, rq->surroundings, rq->warps);
    if (rq->start != NULL) ls_corpus_join(&f->corpus, rq->start);
    f->start = f->corpus.count;
    f->found = rq->found;
    f->counts = rq->counts != NULL ? rq->counts : &f->own;
    return f;
}

void ls_fuzz_free(ls_fuzz *f) {
    ls_novelty_free(f->novelty);
    ls_player_close(&f->player);
    ls_corpus_free(&f->corpus);
    ls_script_free(&f->now);
    free(f);
}

/* ---- what is played ---- */

static uint32_t some_cycles(ls_fuzz *f) {
    const uint32_t magnitude = 1 + ls_rng_below(&f->rng, PIECE_MAGNITUDES);
    return (1u << magnitude) - ls_rng_below(&f->rng, 1u << (magnitude - 1));
}

static const ls_script *some_entry(ls_fuzz *f) {
    const uint32_t count = (uint32_t)f->corpus.count;
    const bool late = count > LATE && ls_rng_chance(&f->rng, 128);
    return &f->corpus.list[late ? count - 1 - ls_rng_below(&f->rng, LATE) : ls_rng_below(&f->rng, count)];
}

/* Appends up to so many cycles of an entry, some of them with their knobs. */
static void splice(ls_fuzz *f, const ls_script *entry, uint32_t cycles, ls_script *to) {
    const uint64_t end = 1 + ls_rng_below(&f->rng, (uint32_t)ls_script_cycles(entry, 0, entry->count));
    const bool knobs = ls_source_renews(f->unit) && ls_rng_chance(&f->rng, 128);
    ls_mutate_splice(to, entry, end > cycles ? end - cycles : 0, end, knobs);
}

static void add_knobs(ls_fuzz *f, ls_script *to) {
    if (ls_source_renews(f->unit)) ls_script_add(to, (ls_span){.kind = LS_SPAN_KNOBS, .seed = ls_rng_u64(&f->rng)});
}

/* The beginning of an epoch that goes on from an entry. */
static void draw_change(ls_fuzz *f, ls_script *to) {
    const ls_script *e = some_entry(f);
    const uint32_t all = (uint32_t)ls_script_cycles(e, 0, e->count), cycles = some_cycles(f);
    const uint32_t cut = ls_rng_chance(&f->rng, 128) ? all : 1 + ls_rng_below(&f->rng, all);
    const uint32_t kind = ls_rng_below(&f->rng, 6);
    if (kind == 0) {
        const uint32_t at = ls_rng_below(&f->rng, all);
        ls_mutate_redraw(e, at, at + cycles < all ? at + cycles : all, to, &f->rng);
        return;
    }
    ls_mutate_cut(e, cut, to);
    if (kind == 1) to->list[0].seed = ls_rng_u64(&f->rng); /* the same choices under other knobs */
    if (kind == 2) splice(f, e, cycles, to);               /* once more */
    if (kind == 3) splice(f, some_entry(f), cycles, to);
    if (kind == 4) add_knobs(f, to);
    if (kind == 1 || kind >= 4) ls_mutate_extend(to, cycles, true, &f->rng);
}

/* How an epoch goes on. */
static void draw_piece(ls_fuzz *f, ls_script *to) {
    const uint32_t kind = ls_rng_below(&f->rng, 8), cycles = some_cycles(f);
    to->count = 0;
    if (kind == 0) add_knobs(f, to);
    if (kind == 1 && f->corpus.count > 0) splice(f, some_entry(f), cycles, to);
    else ls_mutate_extend(to, cycles, true, &f->rng);
}

/* ---- epochs ---- */

/* Whole, or the reader leaves it out. */
static void tell_found(const ls_fuzz *f, const ls_script *entry) {
    if (f->found < 0) return;
    const struct iovec parts[] = {{(void *)(uintptr_t)&entry->count, sizeof entry->count},
                                  {entry->list, entry->count * sizeof *entry->list}};
    (void)!writev(f->found, parts, 2);
}

void ls_fuzz_found(int file, ls_corpus *corpus) {
    size_t count;
    for (off_t at = 0; pread(file, &count, sizeof count, at) == (ssize_t)sizeof count; at += (off_t)sizeof count) {
        const size_t bytes = count * sizeof(ls_span);
        ls_script entry = {.list = ls_resize(NULL, bytes), .count = count, .room = count};
        const bool whole = pread(file, entry.list, bytes, at + (off_t)sizeof count) == (ssize_t)bytes;
        if (whole) ls_corpus_add(corpus, &entry);
        ls_script_free(&entry);
        if (!whole) return;
        at += (off_t)bytes;
    }
}

/* The epoch is over: what it was up to its last fresh cycle becomes an entry. */
static void end_epoch(ls_fuzz *f) {
    if (f->going && f->fresh) {
        ls_script entry = {0};
        ls_mutate_cut(&f->now, f->last - LS_RESET_CYCLES, &entry);
        ls_corpus_add(&f->corpus, &entry);
        tell_found(f, &entry);
        ls_script_free(&entry);
    }
    f->going = false;
}

/* Plays a piece behind what was played, and gives it to the run. */
static void play(ls_fuzz *f, const ls_script *piece, ls_script *script) {
    const uint64_t cycles = ls_script_cycles(piece, 0, piece->count);
    ls_script_append(&f->player.script, piece, 0, piece->count);
    ls_script_append(&f->now, piece, 0, piece->count);
    ls_script_append(script, piece, 0, piece->count);
    const bool fresh = ls_player_play(&f->player, f->novelty, &f->last);
    ls_novelty_keep(f->novelty);
    f->fresh |= fresh;
    f->dull = fresh ? 0 : f->dull + 1;
    f->length += cycles;
    f->played[f->arm] += cycles;
    f->counts->cycles = f->player.cycles;
    f->counts->reached = ls_novelty_reached(f->novelty);
}

/* The arm that has had least of its share. */
static arm next_arm(const ls_fuzz *f, bool natural) {
    arm best = SKEWED;
    for (arm i = NATURAL; i < ARMS; i++) {
        if ((i == ENTRY && f->corpus.count == 0) || (i == NATURAL && !natural)) continue;
        if (f->played[i] * shares[best] < f->played[best] * shares[i]) best = i;
    }
    return best;
}

static void begin_epoch(ls_fuzz *f, bool natural, ls_script *script) {
    ls_script one = {0};
    const uint32_t magnitude = EPOCH_MIN + ls_rng_below(&f->rng, EPOCH_MAGNITUDES);
    f->target = (1u << magnitude) + ls_rng_below(&f->rng, 1u << magnitude);
    f->arm = next_arm(f, natural);
    f->counts->epochs++;
    if (f->arm == ENTRY) {
        draw_change(f, &one);
    } else {
        ls_mutate_new(&one, &f->rng);
        ls_mutate_extend(&one, f->arm == NATURAL ? (uint32_t)f->target : some_cycles(f), f->arm == SKEWED, &f->rng);
    }
    if (f->arm == NATURAL) {
        ls_script_append(script, &one, 0, one.count);
        f->played[NATURAL] += f->target;
    } else {
        f->going = true;
        f->fresh = false;
        f->length = 0;
        f->dull = 0;
        f->now.count = 0;
        ls_player_begin(&f->player);
        play(f, &one, script);
    }
    ls_script_free(&one);
}

/* What the start reaches: asked when the run has had it, which need not wait for that. */
static void know_start(ls_fuzz *f) {
    for (size_t i = 0; i < f->start; i++) {
        const ls_script *e = &f->corpus.list[i];
        ls_player_begin(&f->player);
        ls_script_append(&f->player.script, e, 0, e->count);
        (void)ls_player_play(&f->player, f->novelty, NULL);
        ls_novelty_keep(f->novelty);
    }
    f->known = true;
}

static void go_on(ls_fuzz *f, bool natural, ls_script *script) {
    if (!f->known) know_start(f);
    if (f->going && f->length < f->target && (f->arm == SKEWED || f->dull < DULL)) {
        ls_script piece = {0};
        draw_piece(f, &piece);
        play(f, &piece, script);
        ls_script_free(&piece);
        return;
    }
    end_epoch(f);
    begin_epoch(f, natural, script);
}

static bool more(void *ctx, ls_script *script) {
    ls_fuzz *f = ctx;
    if (f->given < f->start) {
        const ls_script *e = &f->corpus.list[f->given++];
        ls_script_append(script, e, 0, e->count);
        f->counts->epochs++;
        return true;
    }
    go_on(f, true, script);
    return true;
}

ls_author ls_fuzz_author(ls_fuzz *fuzz) { return (ls_author){fuzz, more}; }

bool ls_fuzz_alone(ls_fuzz *f, uint64_t cycles, double seconds, const char **property) {
    ls_script script = {0};
    const double start = ls_work_seconds();
    *property = NULL;
    while (*property == NULL && (cycles == 0 || f->player.cycles < cycles) &&
           (seconds <= 0 || ls_work_seconds() - start < seconds)) {
        script.count = 0;
        go_on(f, false, &script);
        *property = ls_source_property(&f->player.source);
    }
    end_epoch(f);
    ls_script_free(&script);
    return *property == NULL;
}
