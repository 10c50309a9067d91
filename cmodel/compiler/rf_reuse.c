/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_reuse.h"

#include <stdlib.h>
#include <string.h>

typedef struct words {
    uint16_t src[RF_REUSE_SRC], dst[RF_REUSE_DST];
    uint32_t nsrc, ndst;
    bool guarded;
} words;

static void words_of(const rf_kinst *inst, words *w) {
    rf_kinst_words(inst, w->src, &w->nsrc, w->dst, &w->ndst);
    w->guarded = inst->guard != RF_KNONE;
}

/* Distances to the next read, one a register, from behind a block's last instruction. */
static void behind(const rf_kernel *kernel, const rf_kblock *block, const uint32_t *in, uint32_t *next) {
    memset(next, 0xff, kernel->nreg * sizeof *next);
    for (uint32_t s = 0; s < block->nsucc; s++) {
        const uint32_t *const from = in + (size_t)block->succ[s] * kernel->nreg;
        for (uint32_t r = 0; r < kernel->nreg; r++)
            if (from[r] < next[r]) next[r] = from[r];
    }
}

/* Walks up a block. `next` holds places counted from in front of its first instruction, which is place 1; on entry, distances
 * from behind its last one. `reuse`, if there: gets the distances of the block's operands. */
static void walk(const rf_kernel *kernel, const rf_kblock *block, uint32_t *next, rf_reuse *reuse) {
    words w;
    for (uint32_t r = 0; r < kernel->nreg; r++)
        if (next[r] != RF_REUSE_NONE) next[r] += block->count;
    for (uint32_t place = block->count; place > 0; place--) {
        const size_t i = block->first + place - 1;
        words_of(&kernel->inst[i], &w);
        for (uint32_t d = 0; d < w.ndst && reuse; d++)
            if (next[w.dst[d]] != RF_REUSE_NONE) reuse->dst[i * RF_REUSE_DST + d] = next[w.dst[d]] - place;
        for (uint32_t d = 0; d < w.ndst && !w.guarded; d++) next[w.dst[d]] = RF_REUSE_NONE;
        for (uint32_t s = 0; s < w.nsrc && reuse; s++)
            if (next[w.src[s]] != RF_REUSE_NONE) reuse->src[i * RF_REUSE_SRC + s] = next[w.src[s]] - place;
        for (uint32_t s = 0; s < w.nsrc; s++) next[w.src[s]] = place;
    }
}

/* in: nblock x nreg distances from in front of each block, made shorter until none changes (Bellman and Ford, from the last block
 * up, as most edges lead down). */
static void solve(const rf_kernel *kernel, uint32_t *in, uint32_t *next) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = kernel->nblock; b-- > 0;) {
            uint32_t *const own = in + (size_t)b * kernel->nreg;
            behind(kernel, &kernel->block[b], in, next);
            walk(kernel, &kernel->block[b], next, NULL);
            changed |= memcmp(own, next, kernel->nreg * sizeof *own) != 0;
            memcpy(own, next, kernel->nreg * sizeof *own);
        }
    }
}

int rf_reuse_compute(rf_reuse *reuse, const rf_kernel *kernel) {
    const size_t ninst = (size_t)kernel->ninst + 1, cells = (size_t)kernel->nblock * kernel->nreg + 1;
    *reuse = (rf_reuse){.src = malloc(ninst * RF_REUSE_SRC * sizeof *reuse->src),
                        .dst = malloc(ninst * RF_REUSE_DST * sizeof *reuse->dst)};
    uint32_t *const in = malloc(cells * sizeof *in), *const next = malloc((kernel->nreg + 1u) * sizeof *next);
    const bool room = reuse->src && reuse->dst && in && next;
    if (room) {
        memset(reuse->src, 0xff, ninst * RF_REUSE_SRC * sizeof *reuse->src);
        memset(reuse->dst, 0xff, ninst * RF_REUSE_DST * sizeof *reuse->dst);
        memset(in, 0xff, cells * sizeof *in);
        solve(kernel, in, next);
        for (uint32_t b = 0; b < kernel->nblock; b++) {
            behind(kernel, &kernel->block[b], in, next);
            walk(kernel, &kernel->block[b], next, reuse);
        }
    }
    free(in);
    free(next);
    if (!room) rf_reuse_free(reuse);
    return room ? 0 : -1;
}

void rf_reuse_free(rf_reuse *reuse) {
    free(reuse->src);
    free(reuse->dst);
    *reuse = (rf_reuse){0};
}
