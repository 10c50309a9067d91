/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_warpflow.h"

#include <stdlib.h>

#include "cmodel/compiler/rf_divergence.h"

typedef struct edge {
    uint32_t to, from;
} edge;

typedef struct collector {
    const rf_kernel *kernel;
    edge *edge;
    size_t count, capacity;
    uint32_t *list; /* for rf_divergence_region */
    bool *seen;
} collector;

static bool add(collector *c, uint32_t to, uint32_t from) {
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 64;
        edge *const grown = capacity <= SIZE_MAX / sizeof *grown ? realloc(c->edge, capacity * sizeof *grown) : NULL;
        if (!grown) return false;
        c->edge = grown;
        c->capacity = capacity;
    }
    c->edge[c->count++] = (edge){to, from};
    return true;
}

/* One way of a divergent branch, from block `side` up to `meet`: from where it ends, the warp may go back to the `other` way.
 * Where its lanes end altogether, the warp may also go on at `meet`. */
static bool add_way(collector *c, uint32_t side, uint32_t other, uint32_t meet) {
    const uint32_t count = rf_divergence_region(c->kernel, side, meet, c->list, c->seen);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t b = c->list[i];
        const rf_kblock *const block = &c->kernel->block[b];
        const bool exits = block->nsucc == 0 || c->kernel->inst[block->first + block->count - 1].op == RF_K_EXIT;
        bool ends = exits;
        for (uint32_t s = 0; s < block->nsucc; s++) ends |= block->succ[s] == meet;
        if (ends && other != meet && !add(c, other, b)) return false;
        if (exits && meet != RF_KNONE && !add(c, meet, b)) return false;
    }
    return true;
}

static bool collect(collector *c, const rf_divergence *divergence) {
    for (uint32_t b = 0; b < c->kernel->nblock; b++) {
        const rf_kblock *const block = &c->kernel->block[b];
        for (uint32_t s = 0; s < block->nsucc; s++)
            if (!add(c, block->succ[s], b)) return false;
        for (uint32_t s = 0; s < 2 && divergence->branch[b]; s++)
            if (!add_way(c, block->succ[s], block->succ[1 - s], block->ipdom)) return false;
    }
    return true;
}

static int by_target(const void *a, const void *b) {
    const edge *const x = a, *const y = b;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* The sorted edges, each once, as lists. */
static bool pack(rf_warpflow *flow, const collector *c) {
    const uint32_t nblock = c->kernel->nblock;
    if (c->count > UINT32_MAX) return false;
    flow->start = calloc((size_t)nblock + 1, sizeof *flow->start);
    flow->pred = malloc((c->count + 1) * sizeof *flow->pred);
    if (!flow->start || !flow->pred) return false;
    uint32_t n = 0;
    for (size_t e = 0; e < c->count; e++) {
        if (e > 0 && by_target(&c->edge[e - 1], &c->edge[e]) == 0) continue;
        flow->pred[n++] = c->edge[e].from;
        flow->start[c->edge[e].to + 1] = n;
    }
    for (uint32_t b = 0; b < nblock; b++)
        if (flow->start[b + 1] < flow->start[b]) flow->start[b + 1] = flow->start[b];
    return true;
}

int rf_warpflow_compute(rf_warpflow *flow, const rf_kernel *kernel) {
    const size_t nblock = kernel->nblock;
    collector c = {.kernel = kernel, .list = malloc((nblock + 1) * sizeof *c.list), .seen = calloc(nblock + 1, sizeof *c.seen)};
    rf_divergence divergence = {0};
    *flow = (rf_warpflow){0};
    bool good = c.list && c.seen && rf_divergence_compute(&divergence, kernel) == 0 && collect(&c, &divergence);
    if (good) {
        if (c.count) qsort(c.edge, c.count, sizeof *c.edge, by_target);
        good = pack(flow, &c);
    }
    rf_divergence_free(&divergence);
    free(c.edge);
    free(c.list);
    free(c.seen);
    if (good) return 0;
    rf_warpflow_free(flow);
    return -1;
}

void rf_warpflow_free(rf_warpflow *flow) {
    free(flow->start);
    free(flow->pred);
    *flow = (rf_warpflow){0};
}
