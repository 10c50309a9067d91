/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_regalloc_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SET 4u /* words of a set of registers: 256 */

/* Work space: all arrays have one entry a node, `partner` two a move. */
typedef struct work {
    rf_ra_graph *graph;
    bool *removed;
    uint32_t *stack, depth; /* nodes in the order of their removal */
    uint32_t *heap, size;   /* nodes that surely find a place, the latest in the program on top */
    uint32_t *rest, rests;  /* nodes that may not have been removed */
    uint32_t *head;         /* moves that were not coalesced, as a list a node; RF_KNONE ends it */
    struct partner {
        uint32_t node, next;
    } * partner;
    uint32_t partners;
    void *memory;
} work;

/* --- simplify --------------------------------------------------------------------------------------------------------------- */

/* Order of the heap: later beginnings first, so that colours are given in the order of the program: for a graph of lives that
 * each begin at one place that dominates the rest of it that is an order that needs no more colours than live at one time. */
static bool before(const work *w, uint32_t a, uint32_t b) {
    const uint32_t first_a = w->graph->node[a].first, first_b = w->graph->node[b].first;
    return first_a != first_b ? first_a > first_b : a > b;
}

static void heap_push(work *w, uint32_t v) {
    uint32_t at = w->size++;
    for (; at > 0 && before(w, v, w->heap[(at - 1) / 2]); at = (at - 1) / 2) w->heap[at] = w->heap[(at - 1) / 2];
    w->heap[at] = v;
}

static uint32_t heap_pop(work *w) {
    const uint32_t top = w->heap[0], v = w->heap[--w->size];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < w->size && before(w, w->heap[child + 1], w->heap[child])) child++;
        if (child >= w->size || !before(w, w->heap[child], v)) break;
        w->heap[at] = w->heap[child];
        at = child;
    }
    w->heap[at] = v;
    return top;
}

static bool finds_a_place(const work *w, uint32_t v) {
    return w->graph->node[v].squeeze < rf_ra_places(w->graph, &w->graph->node[v]);
}

/* The node that costs least in memory for what its absence gives the others (Chaitin: cost / degree; Bernstein and others: cost /
 * degree^2). Those that must not go there come when there is no other, the latest first: each is one stretch of one block, so
 * that then they find places if not too many of them live at one time. */
static uint32_t cheapest(work *w) {
    double best_metric = 0;
    uint32_t best = RF_KNONE, kept = 0;
    for (uint32_t i = 0; i < w->rests; i++) {
        const uint32_t v = w->rest[i];
        const rf_ra_node *const node = &w->graph->node[v];
        if (w->removed[v]) continue;
        w->rest[kept++] = v;
        const double cost = node->remake == RF_KNONE ? node->cost : node->remake_cost;
        const double metric = node->fixed ? INFINITY : cost / pow(node->squeeze, w->graph->power);
        if (best != RF_KNONE && (metric > best_metric || (metric == best_metric && !before(w, v, best)))) continue;
        best = v;
        best_metric = metric;
    }
    w->rests = kept;
    return best;
}

static void take_out(work *w, uint32_t v) {
    const rf_ra_node *const node = &w->graph->node[v];
    w->removed[v] = true;
    w->stack[w->depth++] = v;
    for (uint32_t i = 0; i < node->neighbours; i++) {
        const uint32_t n = node->neighbour[i];
        if (w->graph->node[n].alias != n || w->removed[n]) continue;
        const bool placed = finds_a_place(w, n);
        w->graph->node[n].squeeze -= rf_ra_squeeze(&w->graph->node[n], node);
        if (!placed && finds_a_place(w, n)) heap_push(w, n);
    }
}

static void simplify(work *w) {
    for (uint32_t v = 0; v < w->graph->nodes; v++) {
        if (w->graph->node[v].alias != v || w->graph->node[v].first == RF_KNONE) continue;
        w->rest[w->rests++] = v;
        if (finds_a_place(w, v)) heap_push(w, v);
    }
    const uint32_t all = w->rests;
    while (w->depth < all) take_out(w, w->size ? heap_pop(w) : cheapest(w));
}

/* --- select ----------------------------------------------------------------------------------------------------------------- */

/* Places of a node that no neighbour has: bit r for register r, of a pair the even one. */
static void free_places(const rf_ra_graph *graph, const rf_ra_node *node, uint64_t place[SET], uint64_t taken[SET]) {
    const uint32_t limit = graph->limit[node->width != 0];
    memset(taken, 0, SET * sizeof *taken);
    for (uint32_t i = 0; i < node->neighbours; i++) {
        const uint32_t n = node->neighbour[i];
        const rf_ra_node *const neighbour = &graph->node[n];
        if (neighbour->alias != n || neighbour->color == RF_KNONE) continue;
        taken[neighbour->color / 64] |= (uint64_t)(neighbour->width == 2 ? 3 : 1) << (neighbour->color % 64);
    }
    for (uint32_t w = 0; w < SET; w++) {
        const uint32_t here = limit > 64 * w ? limit - 64 * w : 0;
        place[w] = ~taken[w] & (here >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << here) - 1);
        if (node->width == 2) place[w] &= place[w] >> 1 & UINT64_C(0x5555555555555555);
    }
}

static uint32_t lowest(const uint64_t set[SET]) {
    for (uint32_t w = 0; w < SET; w++)
        if (set[w]) return 64 * w + (uint32_t)__builtin_ctzll(set[w]);
    return RF_KNONE;
}

/* The place of a node at the other end of a move; else, for a word, the free half of a pair, so that whole pairs stay; else the
 * lowest. RF_KNONE: there is none. */
static uint32_t choose(const work *w, uint32_t v) {
    const rf_ra_graph *const graph = w->graph;
    const rf_ra_node *const node = &graph->node[v];
    uint64_t place[SET], taken[SET], half[SET];
    free_places(graph, node, place, taken);
    for (uint32_t p = w->head[v]; p != RF_KNONE; p = w->partner[p].next) {
        const uint32_t color = graph->node[w->partner[p].node].color;
        if (color != RF_KNONE && (place[color / 64] >> (color % 64) & 1)) return color;
    }
    for (uint32_t i = 0; i < SET; i++)
        half[i] = place[i] & ((taken[i] >> 1 & UINT64_C(0x5555555555555555)) | (taken[i] << 1 & UINT64_C(0xaaaaaaaaaaaaaaaa)));
    const uint32_t color = node->width == 1 ? lowest(half) : RF_KNONE;
    return color != RF_KNONE ? color : lowest(place);
}

/* Takes the register from the neighbour that costs least in memory; false when none can go there. */
static bool evict(const rf_ra_graph *graph, const rf_ra_node *node) {
    rf_ra_node *best = NULL;
    for (uint32_t i = 0; i < node->neighbours; i++) {
        const uint32_t n = node->neighbour[i];
        rf_ra_node *const neighbour = &graph->node[n];
        if (neighbour->alias != n || neighbour->color == RF_KNONE || neighbour->fixed) continue;
        if (!best || neighbour->cost < best->cost) best = neighbour;
    }
    if (best) best->color = RF_KNONE;
    return best != NULL;
}

static void select_colors(work *w) {
    rf_ra_graph *const graph = w->graph;
    while (w->depth && graph->short_of == RF_KNONE) {
        const uint32_t v = w->stack[--w->depth];
        rf_ra_node *const node = &graph->node[v];
        node->color = choose(w, v);
        while (node->color == RF_KNONE && node->fixed) {
            if (!evict(graph, node)) {
                graph->short_of = node->width != 0;
                break;
            }
            node->color = choose(w, v);
        }
    }
}

/* --- all -------------------------------------------------------------------------------------------------------------------- */

static bool work_make(work *w, rf_ra_graph *graph) {
    const size_t n = (size_t)graph->nodes + 1;
    *w = (work){.graph = graph,
                .removed = calloc(n, sizeof *w->removed),
                .memory = malloc(4 * n * sizeof(uint32_t)),
                .partner = malloc((2 * (size_t)graph->moves + 1) * sizeof *w->partner)};
    if (!w->removed || !w->memory || !w->partner) return false;
    w->stack = w->memory;
    w->heap = w->stack + n;
    w->rest = w->heap + n;
    w->head = w->rest + n;
    for (uint32_t v = 0; v < graph->nodes; v++) w->head[v] = RF_KNONE;
    for (uint32_t m = graph->moves; m-- > 0;) { /* the heaviest, as it comes last, is first in its list */
        const uint32_t a = rf_ra_find(graph, graph->move[m].to), b = rf_ra_find(graph, graph->move[m].from);
        if (a == b) continue;
        w->partner[w->partners] = (struct partner){b, w->head[a]};
        w->head[a] = w->partners++;
        w->partner[w->partners] = (struct partner){a, w->head[b]};
        w->head[b] = w->partners++;
    }
    return true;
}

bool rf_ra_color(rf_ra_graph *graph, uint32_t *spilled) {
    work w;
    const bool room = work_make(&w, graph);
    graph->short_of = RF_KNONE;
    *spilled = 0;
    if (room) {
        simplify(&w);
        select_colors(&w);
        for (uint32_t i = 0; i < graph->nodes; i++) {
            const rf_ra_node *const node = &graph->node[i];
            *spilled += node->alias == i && node->first != RF_KNONE && node->color == RF_KNONE;
        }
    }
    free(w.removed);
    free(w.memory);
    free(w.partner);
    return room;
}
