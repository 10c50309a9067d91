/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_strand.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_divergence.h"
#include "cmodel/compiler/rf_names.h"
#include "cmodel/compiler/rf_warpflow.h"
#include "cmodel/workload/rf_hint.h"

#define END RF_HINT_STRAND_END
#define WAIT (RF_HINT_STRAND_END | RF_HINT_DESCHEDULE) /* all long-latency results are there behind it */

bool rf_kinst_long_latency(const rf_kinst *inst) {
    if (inst->op != RF_K_LD && inst->op != RF_K_ATOM) return false;
    return inst->space == RF_S_GLOBAL || inst->space == RF_S_LOCAL || inst->space == RF_S_GENERIC;
}

/* The analysis at work. Sets are of word registers: long-latency results that may be on their way. Blocks are visited in the
 * order of their numbers, so that all but backward edges (and some a diverging warp adds) come from a block visited before in the
 * same pass. */
typedef struct analysis {
    rf_strands *s;
    rf_warpflow flow;
    rf_divergence divergence;
    uint32_t *list; /* for rf_divergence_region */
    bool *seen;
    uint32_t set_words;
    uint64_t *out;              /* nblock sets: behind the block's last instruction, before its wait if it has one */
    uint64_t *before, *pending; /* at the place in question, without and with the wait of the instruction before */
    bool changed, decided;      /* in this pass: a set; an end of a strand */
} analysis;

static void mark(analysis *a, uint32_t inst, uint8_t flags) {
    a->decided |= (a->s->flags[inst] & flags) != flags;
    a->s->flags[inst] |= flags;
}

static uint32_t last_of(const analysis *a, uint32_t b) {
    const rf_kblock *const block = &a->s->kernel->block[b];
    return block->first + block->count - 1;
}

static void mark_preds(analysis *a, uint32_t b, uint8_t flags) {
    for (uint32_t e = a->flow.start[b]; e < a->flow.start[b + 1]; e++) mark(a, last_of(a, a->flow.pred[e]), flags);
}

static bool waits(const analysis *a, uint32_t inst) { return (a->s->flags[inst] & RF_HINT_DESCHEDULE) != 0; }

/* [hierarchy Fig. 9(b)]: at a merge, paths that differ in what is on its way make it unknown when the warp must wait; so it waits
 * there. At the head of a loop a strand begins anyway, and what may be on its way is simply assumed to be. */
static void settle_merge(analysis *a, uint32_t b) {
    const rf_kblock *const block = &a->s->kernel->block[b];
    bool differ = false;
    for (uint32_t p = 0; p < block->npred && !block->loop_head && !differ; p++)
        for (uint32_t w = 0; w < a->set_words; w++) {
            const uint64_t first = waits(a, last_of(a, block->pred[0])) ? 0 : a->out[(size_t)block->pred[0] * a->set_words + w];
            const uint64_t other = waits(a, last_of(a, block->pred[p])) ? 0 : a->out[(size_t)block->pred[p] * a->set_words + w];
            differ |= first != other;
        }
    for (uint32_t p = 0; p < block->npred && differ; p++) mark(a, last_of(a, block->pred[p]), WAIT);
}

/* before and pending at a block's start. */
static void enter(analysis *a, uint32_t b) {
    memset(a->before, 0, a->set_words * sizeof *a->before);
    memset(a->pending, 0, a->set_words * sizeof *a->pending);
    for (uint32_t e = a->flow.start[b]; e < a->flow.start[b + 1]; e++) {
        const uint32_t p = a->flow.pred[e];
        const uint64_t *const from = a->out + (size_t)p * a->set_words;
        const bool waited = waits(a, last_of(a, p));
        for (uint32_t w = 0; w < a->set_words; w++) {
            a->before[w] |= from[w];
            a->pending[w] |= waited ? 0 : from[w];
        }
    }
}

/* Whether a strand begins at a block because of how it is reached: at the entry, at the head of a loop, behind a strand's end.
 * Every way to it ends a strand then. */
static bool begins(analysis *a, uint32_t b) {
    bool begin = a->s->kernel->block[b].loop_head || a->flow.start[b] == a->flow.start[b + 1];
    for (uint32_t e = a->flow.start[b]; e < a->flow.start[b + 1]; e++)
        begin |= (a->s->flags[last_of(a, a->flow.pred[e])] & END) != 0;
    if (begin) mark_preds(a, b, END);
    return begin;
}

static bool touches(const uint64_t *set, const uint16_t *word, uint32_t count) {
    bool touched = false;
    for (uint32_t i = 0; i < count; i++) touched |= rf_set_has(set, word[i]);
    return touched;
}

static void visit(analysis *a, uint32_t b) {
    rf_strands *const s = a->s;
    const rf_kblock *const block = &s->kernel->block[b];
    settle_merge(a, b);
    enter(a, b);
    bool begin = begins(a, b);
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const rf_kinst *const inst = &s->kernel->inst[i];
        uint16_t word[2 * (RF_KSRC_MAX + RF_KDST_MAX)];
        uint16_t dst[2 * RF_KDST_MAX];
        uint32_t nsrc = 0, ndst = 0;
        rf_kinst_words(inst, word, &nsrc, dst, &ndst);
        memcpy(word + nsrc, dst, ndst * sizeof *dst);
        const bool consumer = touches(a->before, word, nsrc + ndst);
        s->flags[i] = (uint8_t)((s->flags[i] & ~RF_HINT_LONG_CONSUMER) | (consumer ? RF_HINT_LONG_CONSUMER : 0));
        if (touches(a->pending, word, nsrc + ndst)) {
            if (i == block->first) mark_preds(a, b, WAIT);
            else mark(a, i - 1, WAIT);
            begin = true;
            memset(a->pending, 0, a->set_words * sizeof *a->pending);
        }
        s->of[i] = begin ? i : i == block->first ? s->of[last_of(a, a->flow.pred[a->flow.start[b]])] : s->of[i - 1];
        for (uint32_t d = 0; d < ndst && rf_kinst_long_latency(inst); d++) rf_set_add(a->pending, dst[d]);
        memcpy(a->before, a->pending, a->set_words * sizeof *a->before);
        begin = (s->flags[i] & END) != 0;
        if (waits(a, i)) memset(a->pending, 0, a->set_words * sizeof *a->pending);
    }
    uint64_t *const out = a->out + (size_t)b * a->set_words;
    a->changed |= memcmp(out, a->before, a->set_words * sizeof *out) != 0;
    memcpy(out, a->before, a->set_words * sizeof *out);
}

/* Where different strands meet, another begins. */
static void join(analysis *a, uint32_t b) {
    const uint32_t first = a->s->kernel->block[b].first;
    if (a->s->of[first] == first) return;
    for (uint32_t e = a->flow.start[b]; e < a->flow.start[b + 1]; e++)
        if (a->s->of[last_of(a, a->flow.pred[e])] != a->s->of[first]) mark_preds(a, b, END);
}

static bool ends_inside(const analysis *a, uint32_t b) {
    const rf_kblock *const block = &a->s->kernel->block[b];
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        if (a->s->flags[i] & END) return true;
    return false;
}

/* While one way of block b's divergent branch runs, lanes wait at the start of the other or where the ways meet. If a strand ends
 * meanwhile, it ends for them too: so it must have ended at the branch. */
static void part(analysis *a, uint32_t b) {
    const rf_kblock *const block = &a->s->kernel->block[b];
    if (!a->divergence.branch[b] || (a->s->flags[last_of(a, b)] & END)) return;
    for (uint32_t way = 0; way < 2; way++) {
        const uint32_t count = rf_divergence_region(a->s->kernel, block->succ[way], block->ipdom, a->list, a->seen);
        for (uint32_t i = 0; i < count; i++)
            if (ends_inside(a, a->list[i])) {
                mark(a, last_of(a, b), END);
                return;
            }
    }
}

/* From the strand's first instruction to its number. */
static int number(rf_strands *s) {
    const uint32_t ninst = s->kernel->ninst;
    uint32_t *const number_at = malloc((ninst + 1u) * sizeof *number_at);
    s->first = malloc((ninst + 1u) * sizeof *s->first);
    for (uint32_t i = 0; i < ninst && number_at && s->first; i++) {
        if (s->of[i] == i) {
            number_at[i] = s->count;
            s->first[s->count++] = i;
        }
        s->of[i] = number_at[s->of[i]];
    }
    free(number_at);
    return number_at && s->first ? 0 : -1;
}

static int analyse(analysis *a) {
    rf_strands *const s = a->s;
    const rf_kernel *const kernel = s->kernel;
    for (uint32_t i = 0; i < kernel->ninst; i++) s->flags[i] = rf_kinst_long_latency(&kernel->inst[i]) ? RF_HINT_LONG_LATENCY : 0;
    for (uint32_t b = 0; b < kernel->nblock; b++)
        if (kernel->block[b].nsucc == 0) s->flags[last_of(a, b)] |= END;
    /* Ends of strands are only ever added; after each addition the sets grow again from none to their least solution. */
    do {
        a->changed = a->decided = false;
        for (uint32_t b = 0; b < kernel->nblock; b++) visit(a, b);
        for (uint32_t b = 0; b < kernel->nblock && !a->changed && !a->decided; b++) join(a, b);
        const bool stable = !a->changed && !a->decided;
        for (uint32_t b = 0; b < kernel->nblock && stable; b++) part(a, b);
        if (a->decided) memset(a->out, 0, (size_t)kernel->nblock * a->set_words * sizeof *a->out);
    } while (a->changed || a->decided);
    return number(s);
}

int rf_strands_compute(rf_strands *strands, const rf_kernel *kernel) {
    const size_t set_words = kernel->nreg / 64 + 1, sets = (size_t)kernel->nblock + 1;
    *strands = (rf_strands){.kernel = kernel,
                            .of = calloc((size_t)kernel->ninst + 1, sizeof *strands->of),
                            .flags = calloc((size_t)kernel->ninst + 1, sizeof *strands->flags)};
    uint64_t *const sets_memory = calloc((sets + 2) * set_words, sizeof *sets_memory);
    analysis a = {.s = strands,
                  .list = malloc(sets * sizeof *a.list),
                  .seen = calloc(sets, sizeof *a.seen),
                  .set_words = (uint32_t)set_words,
                  .out = sets_memory};
    int result = -1;
    if (strands->of && strands->flags && sets_memory && a.list && a.seen && rf_warpflow_compute(&a.flow, kernel) == 0 &&
        rf_divergence_compute(&a.divergence, kernel) == 0) {
        a.before = a.out + sets * set_words;
        a.pending = a.before + set_words;
        result = analyse(&a);
    }
    rf_warpflow_free(&a.flow);
    rf_divergence_free(&a.divergence);
    free(a.list);
    free(a.seen);
    free(sets_memory);
    if (result) rf_strands_free(strands);
    return result;
}

void rf_strands_free(rf_strands *strands) {
    free(strands->first);
    free(strands->of);
    free(strands->flags);
    *strands = (rf_strands){0};
}

void rf_strands_live_out(const rf_strands *strands, const rf_liveness *live, uint32_t strand, uint64_t *set) {
    uint64_t *const one = set + live->set_words;
    memset(set, 0, live->set_words * sizeof *set);
    for (uint32_t i = strands->first[strand]; i < strands->kernel->ninst; i++) {
        if (strands->of[i] != strand || !(strands->flags[i] & END)) continue;
        rf_liveness_after(live, i, one);
        (void)rf_set_join(set, one, live->set_words);
    }
}
