/* SPDX-License-Identifier: Apache-2.0 */
/* The regions inside which values may lie above the MRF: their segments, order, dominators, and what is live behind them. */
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_level_webs.h"
#include "cmodel/compiler/rf_names.h"

static bool ends_strand(const rf_level_webs *w, uint32_t inst) { return (w->strands->flags[inst] & RF_HINT_STRAND_END) != 0; }

/* One segment for each strand in each block. */
static void cut(rf_level_webs *w) {
    for (uint32_t b = 0; b < w->kernel->nblock; b++) {
        const rf_kblock *const block = &w->kernel->block[b];
        uint32_t first = block->first;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            w->seg_of[i] = w->nseg;
            if (!ends_strand(w, i) && i + 1 < block->first + block->count) continue;
            w->seg[w->nseg] = (rf_level_seg){.first = first,
                                             .end = i + 1,
                                             .block = b,
                                             .next = {RF_LEVEL_NONE, RF_LEVEL_NONE},
                                             .idom = RF_LEVEL_NONE,
                                             .numbers = 1};
            first = i + 1;
            w->nseg++;
        }
    }
}

/* What is live behind each segment: one walk up each block. `set` is room for a set. */
static void find_live(rf_level_webs *w, uint64_t *set) {
    const size_t words = w->live->set_words;
    for (uint32_t b = 0; b < w->kernel->nblock; b++) {
        const rf_kblock *const block = &w->kernel->block[b];
        memcpy(set, w->live->out + b * words, words * sizeof *set);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            if (i + 1 == w->seg[w->seg_of[i]].end) memcpy(w->live_after + w->seg_of[i] * words, set, words * sizeof *set);
            rf_liveness_step(w->live, &w->kernel->inst[i], set);
        }
    }
}

/* Where control goes on in the region. Behind a segment that does not end its strand all ways stay in it. */
static void link_segments(rf_level_webs *w, bool branches) {
    for (uint32_t s = 0; s < w->nseg && branches; s++) {
        const rf_kblock *const block = &w->kernel->block[w->seg[s].block];
        if (ends_strand(w, w->seg[s].end - 1)) continue;
        for (uint32_t n = 0; n < block->nsucc; n++) w->seg[s].next[n] = w->seg_of[w->kernel->block[block->succ[n]].first];
    }
}

/* Segments by region. A strand's regions: one, or one for each of its segments. */
static void sort(rf_level_webs *w, bool branches) {
    w->nregion = branches ? w->strands->count : w->nseg;
    for (uint32_t s = 0; s < w->nseg; s++) {
        w->seg[s].region = branches ? w->strands->of[w->seg[s].first] : s;
        w->start[w->seg[s].region + 1]++;
    }
    for (uint32_t r = 0; r < w->nregion; r++) w->start[r + 1] += w->start[r];
    for (uint32_t s = 0; s < w->nseg; s++) w->order[w->start[w->seg[s].region]++] = s;
    for (uint32_t r = w->nregion; r > 0; r--) w->start[r] = w->start[r - 1];
    w->start[0] = 0;
}

/* Dominators, in one pass, as all ways lead forward (Cooper, Harvey and Kennedy, as in rf_kernel_flow); then numbers of their
 * tree: a segment dominates those whose number lies in its range. */
static void dominate(rf_level_webs *w, uint32_t *taken) {
    for (uint32_t s = 0; s < w->nseg; s++) {
        if (w->seg[s].idom == RF_LEVEL_NONE) w->seg[s].idom = s;
        for (uint32_t n = 0; n < 2; n++) {
            const uint32_t to = w->seg[s].next[n];
            if (to == RF_LEVEL_NONE) continue;
            uint32_t a = w->seg[to].idom == RF_LEVEL_NONE ? s : w->seg[to].idom, b = s;
            while (a != b) {
                if (a > b) a = w->seg[a].idom;
                else b = w->seg[b].idom;
            }
            w->seg[to].idom = a;
        }
    }
    for (uint32_t s = w->nseg; s-- > 0;)
        if (w->seg[s].idom != s) w->seg[w->seg[s].idom].numbers += w->seg[s].numbers;
    for (uint32_t s = 0; s < w->nseg; s++) {
        const uint32_t above = w->seg[s].idom;
        if (above != s) {
            w->seg[s].number = taken[above];
            taken[above] += w->seg[s].numbers;
        }
        taken[s] = w->seg[s].number + 1;
    }
}

/* Segments of the largest region. */
static uint32_t widest(const rf_level_webs *w) {
    uint32_t most = 1;
    for (uint32_t r = 0; r < w->nregion; r++)
        if (w->start[r + 1] - w->start[r] > most) most = w->start[r + 1] - w->start[r];
    return most;
}

int rf_level_webs_open(rf_level_webs *webs, const rf_strands *strands, const rf_liveness *live, bool branches) {
    const rf_kernel *const kernel = strands->kernel;
    const size_t most = (size_t)kernel->ninst + 1; /* segments */
    size_t events = 1;
    *webs = (rf_level_webs){.kernel = kernel, .strands = strands, .live = live};
    for (uint32_t i = 0; i < kernel->ninst; i++) events += 2u * (kernel->inst[i].nsrc + kernel->inst[i].ndst);
    webs->event_capacity = events;
    webs->seg = malloc(most * sizeof *webs->seg);
    webs->seg_of = malloc(most * sizeof *webs->seg_of);
    webs->order = malloc(most * sizeof *webs->order);
    webs->start = calloc(most + 1, sizeof *webs->start);
    webs->place = malloc(most * sizeof *webs->place);
    webs->instance = malloc(events * sizeof *webs->instance);
    webs->event = malloc(events * sizeof *webs->event);
    webs->found = malloc(events * sizeof *webs->found);
    uint64_t *const set = malloc((live->set_words + 1u) * sizeof *set);
    bool room = webs->seg && webs->seg_of && webs->order && webs->start && webs->place && webs->instance && webs->event &&
                webs->found && set;
    if (room) {
        cut(webs);
        webs->live_after = malloc(((size_t)webs->nseg * live->set_words + 1) * sizeof *webs->live_after);
        room = webs->live_after != NULL;
    }
    if (room) {
        find_live(webs, set);
        link_segments(webs, branches);
        sort(webs, branches);
        dominate(webs, webs->place);
        webs->row = malloc(((size_t)widest(webs) * kernel->nreg + 1) * sizeof *webs->row);
        room = webs->row != NULL;
    }
    free(set);
    if (!room) rf_level_webs_close(webs);
    return room ? 0 : -1;
}

void rf_level_webs_close(rf_level_webs *webs) {
    free(webs->seg);
    free(webs->seg_of);
    free(webs->live_after);
    free(webs->order);
    free(webs->start);
    free(webs->instance);
    free(webs->event);
    free(webs->node);
    free(webs->edge);
    free(webs->found);
    free(webs->row);
    free(webs->place);
    free(webs->bucket);
    free(webs->stack);
    *webs = (rf_level_webs){0};
}
