/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz.h"

#include <stdio.h>
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
#define WORK_EVERY 256u     /* the processor's clock is looked at once in so many cycles of the model alone */
#define LATE 16u            /* every other time an entry is one of the last so many */

/* What epochs are made of, with their shares of the cycles. Nobody looks at the first two, so that they cost what a run costs. */
typedef enum arm {
    NATURAL, /* as a run has it */
    SKEWED,  /* new knobs, and choices that are not uniform */
    WATCHED, /* the same, looked at */
    ENTRY,   /* a part of an entry, changed, and on from there, looked at */
    ARMS
} arm;
static const uint32_t shares[ARMS] = {4, 10, 1, 1};

struct ls_fuzz {
    ls_fuzz_request request;
    ls_rng rng;
    ls_author author;
    ls_novelty *novelty;
    ls_corpus corpus;
    size_t start, given;   /* entries to begin with; those that have been given */
    uint64_t played[ARMS]; /* cycles */
    uint32_t epochs;       /* of NATURAL */
    arm arm;               /* of the epoch */
    bool going;            /* it is not over */
    ls_script now;         /* what it was so far */
    uint64_t length, target;
    uint64_t seen; /* cycles of it */
    uint64_t last; /* the last one of them that reached something new; 0: none */
    bool fresh;    /* the piece reached something new */
    uint32_t dull; /* pieces since the last one that did */
    char property[1024];
};

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
    const bool knobs = ls_source_renews(f->request.unit) && ls_rng_chance(&f->rng, 128);
    ls_mutate_splice(to, entry, end > cycles ? end - cycles : 0, end, knobs);
}

static void add_knobs(ls_fuzz *f, ls_script *to) {
    if (ls_source_renews(f->request.unit)) ls_mutate_knobs(to, &f->rng);
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

/* Whole, or the reader leaves it out. */
static void tell_found(const ls_fuzz *f, const ls_script *entry) {
    if (f->request.found < 0) return;
    const struct iovec parts[] = {{(void *)(uintptr_t)&entry->count, sizeof entry->count},
                                  {entry->list, entry->count * sizeof *entry->list}};
    (void)!writev(f->request.found, parts, 2);
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

/* ---- epochs ---- */

/* The epoch is over: what it was up to its last fresh cycle becomes an entry. */
static void end_epoch(ls_fuzz *f) {
    if (f->going && f->last > 0) {
        ls_script entry = {0};
        ls_mutate_cut(&f->now, f->last, &entry);
        ls_corpus_add(&f->corpus, &entry);
        tell_found(f, &entry);
        ls_script_free(&entry);
    }
    f->going = false;
}

/* The arm that has had least of its share. */
static arm next_arm(const ls_fuzz *f) {
    arm best = f->request.guided ? WATCHED : SKEWED;
    for (arm i = NATURAL; i < ARMS; i++) {
        if ((i == ENTRY && f->corpus.count == 0) || (i < WATCHED && f->request.guided)) continue;
        if (f->played[i] * shares[best] < f->played[best] * shares[i]) best = i;
    }
    return best;
}

static void begin_epoch(ls_fuzz *f, ls_script *piece) {
    const uint32_t magnitude = EPOCH_MIN + ls_rng_below(&f->rng, EPOCH_MAGNITUDES);
    f->target = (1u << magnitude) + ls_rng_below(&f->rng, 1u << magnitude);
    f->arm = next_arm(f);
    f->going = f->arm != NATURAL;
    f->author.looks = f->arm >= WATCHED;
    f->length = f->seen = f->last = 0;
    f->dull = 0;
    f->now.count = 0;
    if (f->arm == ENTRY) {
        draw_change(f, piece);
        return;
    }
    if (f->arm == NATURAL) {
        const ls_unit *u = f->request.unit;
        const uint32_t number = f->epochs++, cycles = ls_source_epoch(&f->rng, number, f->played[NATURAL], u->legal == NULL);
        ls_script_add(piece, (ls_span){.kind = LS_SPAN_EPOCH,
                                       .seed = ls_rng_u64(&f->rng),
                                       .first = ls_source_searched(u, number),
                                       .cycles = cycles});
        return;
    }
    ls_mutate_new(piece, true, &f->rng);
    ls_mutate_extend(piece, some_cycles(f), true, &f->rng);
}

/* What the last piece has reached is known. */
static void end_piece(ls_fuzz *f) {
    ls_novelty_keep(f->novelty);
    f->dull = f->fresh ? 0 : f->dull + 1;
    f->fresh = false;
}

static bool more(void *ctx, ls_script *script) {
    ls_fuzz *f = ctx;
    ls_script piece = {0};
    end_piece(f);
    if (f->given < f->start) {
        const ls_script *e = &f->corpus.list[f->given++];
        f->author.looks = true;
        f->seen = 0;
        ls_script_append(script, e, 0, e->count);
        return true;
    }
    if (f->going && f->length < f->target && (f->arm != ENTRY || f->dull < DULL)) {
        draw_piece(f, &piece);
    } else {
        end_epoch(f);
        begin_epoch(f, &piece);
    }
    const uint64_t cycles = ls_script_cycles(&piece, 0, piece.count);
    if (f->going) ls_script_append(&f->now, &piece, 0, piece.count);
    ls_script_append(script, &piece, 0, piece.count);
    f->length += cycles;
    f->played[f->arm] += cycles;
    ls_script_free(&piece);
    return true;
}

static void saw(void *ctx, const void *model, const void *in, const void *out, uint64_t bins) {
    ls_fuzz *f = ctx;
    if (f->seen++ == 0) ls_novelty_begin(f->novelty, model, in, out);
    else if (ls_novelty_cycle(f->novelty, model, in, out, bins)) {
        f->fresh = true;
        f->last = f->seen;
    }
}

ls_fuzz *ls_fuzz_new(const ls_fuzz_request *rq) {
    ls_fuzz *f = ls_zeroed(sizeof *f);
    f->request = *rq;
    f->author = (ls_author){.ctx = f, .more = more, .saw = saw};
    ls_rng_seed(&f->rng, ls_seed_derive(rq->seed, "fuzz"));
    f->novelty = ls_novelty_new(rq->unit, rq->cfg);
    if (rq->start != NULL) ls_corpus_join(&f->corpus, rq->start);
    f->start = f->corpus.count;
    return f;
}

void ls_fuzz_free(ls_fuzz *f) {
    ls_novelty_free(f->novelty);
    ls_corpus_free(&f->corpus);
    ls_script_free(&f->now);
    free(f);
}

const ls_author *ls_fuzz_author(const ls_fuzz *fuzz) { return &fuzz->author; }

bool ls_fuzz_alone(ls_fuzz *f, uint64_t cycles, double seconds, ls_script *played, const char **property) {
    const ls_fuzz_request *rq = &f->request;
    const double start = ls_work_seconds();
    ls_player player;
    ls_player_open(&player, rq->unit, rq->cfg, rq->surroundings, rq->warps);
    player.source.author = &f->author;
    *property = NULL;
    while (*property == NULL && (cycles == 0 || player.cycles < cycles)) {
        bool reset;
        uint64_t bins;
        if (seconds > 0 && player.cycles % WORK_EVERY == 0 && ls_work_seconds() - start >= seconds) break;
        if (!ls_player_cycle(&player, &reset, &bins)) break;
        if (!reset && f->author.looks) saw(f, player.model, player.in, player.out, bins);
        *property = ls_source_property(&player.source);
    }
    end_epoch(f);
    if (played != NULL) ls_script_append(played, &player.script, 0, player.script.count);
    if (*property != NULL) (void)snprintf(f->property, sizeof f->property, "%s", *property);
    if (*property != NULL) *property = f->property;
    ls_player_close(&player);
    return *property == NULL;
}
