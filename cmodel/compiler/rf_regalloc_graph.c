/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_regalloc_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/compiler/rf_names.h"

#define LOOP_WEIGHT 10.0  /* Chaitin's */
#define LOOP_DEPTH_MAX 6u /* deeper ones weigh the same */
#define MATRIX_BYTES_MAX (UINT64_C(1) << 30)

/* --- loops ------------------------------------------------------------------------------------------------------------------ */

static bool dominates(const rf_kernel *kernel, uint32_t over, uint32_t b) {
    while (b != over && b != RF_KNONE) b = kernel->block[b].idom;
    return b == over;
}

/* Blocks of the natural loop with head `head` into list: all that reach one of its back edges without passing the head. */
static uint32_t natural_loop(const rf_kernel *kernel, uint32_t head, uint32_t *list, bool *seen) {
    uint32_t count = 0;
    list[count++] = head;
    seen[head] = true;
    for (uint32_t at = 0; at < count; at++) {
        const rf_kblock *const block = &kernel->block[list[at]];
        for (uint32_t p = 0; p < block->npred; p++) {
            const uint32_t pred = block->pred[p];
            if (seen[pred] || !kernel->block[pred].reachable || (at == 0 && !dominates(kernel, head, pred))) continue;
            seen[pred] = true;
            list[count++] = pred;
        }
    }
    for (uint32_t i = 0; i < count; i++) seen[list[i]] = false;
    return count;
}

bool rf_ra_weights(const rf_kernel *kernel, double *weight) {
    uint32_t *const list = malloc(((size_t)kernel->nblock + 1) * sizeof *list);
    uint32_t *const depth = calloc((size_t)kernel->nblock + 1, sizeof *depth);
    bool *const seen = calloc((size_t)kernel->nblock + 1, sizeof *seen);
    const bool room = list && depth && seen;
    for (uint32_t b = 0; room && b < kernel->nblock; b++) {
        const rf_kblock *const block = &kernel->block[b];
        bool head = false;
        for (uint32_t p = 0; p < block->npred && !head; p++)
            head = kernel->block[block->pred[p]].reachable && dominates(kernel, b, block->pred[p]);
        const uint32_t count = head ? natural_loop(kernel, b, list, seen) : 0;
        for (uint32_t i = 0; i < count; i++) depth[list[i]]++;
    }
    for (uint32_t b = 0; room && b < kernel->nblock; b++)
        weight[b] = pow(LOOP_WEIGHT, depth[b] < LOOP_DEPTH_MAX ? depth[b] : LOOP_DEPTH_MAX);
    free(list);
    free(depth);
    free(seen);
    return room;
}

/* --- edges ------------------------------------------------------------------------------------------------------------------ */

static bool matrix_has(const rf_ra_graph *graph, uint32_t a, uint32_t b) {
    const uint64_t high = a > b ? a : b, low = a > b ? b : a, bit = high * (high - 1) / 2 + low;
    return graph->matrix[bit / 64] >> (bit % 64) & 1;
}

static void matrix_add(rf_ra_graph *graph, uint32_t a, uint32_t b) {
    const uint64_t high = a > b ? a : b, low = a > b ? b : a, bit = high * (high - 1) / 2 + low;
    graph->matrix[bit / 64] |= UINT64_C(1) << (bit % 64);
}

/* `to` gets the neighbour and is squeezed by it. */
static bool add_neighbour(rf_ra_graph *graph, uint32_t to, uint32_t neighbour) {
    rf_ra_node *const node = &graph->node[to];
    if (node->neighbours == node->room) {
        const uint32_t room = node->room ? 2 * node->room : 8;
        uint32_t *const grown = realloc(node->neighbour, room * sizeof *grown);
        if (!grown) return false;
        node->neighbour = grown;
        node->room = room;
    }
    node->neighbour[node->neighbours++] = neighbour;
    node->squeeze += rf_ra_squeeze(node, &graph->node[neighbour]);
    return true;
}

/* An edge between two different nodes of one file. */
static bool add_edge(rf_ra_graph *graph, uint32_t a, uint32_t b) {
    if (matrix_has(graph, a, b)) return true;
    matrix_add(graph, a, b);
    return add_neighbour(graph, a, b) && add_neighbour(graph, b, a);
}

/* Variable `v`, just written, against all that live behind the instruction but `copy`, which then holds the same value. */
static bool add_edges(rf_ra_graph *graph, uint32_t v, const uint64_t *alive, const uint64_t *predicates, uint32_t words,
                      uint32_t copy) {
    const uint64_t invert = graph->node[v].width == 0 ? 0 : ~UINT64_C(0);
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t set = alive[w] & (predicates[w] ^ invert); set; set &= set - 1) {
            const uint32_t other = 64 * w + (uint32_t)__builtin_ctzll(set);
            if (other != v && other != copy && !add_edge(graph, v, other)) return false;
        }
    }
    return true;
}

/* --- building --------------------------------------------------------------------------------------------------------------- */

bool rf_ra_is_move(const rf_kinst *inst, uint32_t *to, uint32_t *from) {
    const rf_koperand *const dst = &inst->dst[0], *const src = &inst->src[0];
    if (inst->op != RF_K_MOV || inst->ndst != 1 || inst->nsrc != 1 || src->negated) return false;
    if (dst->kind != src->kind || dst->words != src->words || (dst->kind != RF_O_REG && dst->kind != RF_O_PRED)) return false;
    *to = dst->reg;
    *from = src->reg;
    return true;
}

/* Cheap to run again anywhere, with the same result. */
static bool remakable(const rf_kinst *inst) {
    const rf_koperand *const src = &inst->src[0];
    if (inst->guard != RF_KNONE || inst->ndst != 1 || inst->nsrc != 1 || inst->dst[0].kind != RF_O_REG) return false;
    if (inst->op == RF_K_LD) return inst->space == RF_S_PARAM && inst->vector == 1 && src->kind == RF_O_IMM;
    if (inst->op != RF_K_MOV) return false;
    return src->kind == RF_O_IMM || (src->kind == RF_O_SPECIAL && src->reg != RF_SR_CLOCK && src->reg != RF_SR_CLOCK_HI &&
                                     src->reg != RF_SR_CLOCK64 && src->reg != RF_SR_GLOBALTIMER);
}

/* What is known of each variable from one pass over the instructions. */
typedef struct usage {
    uint32_t writes, last, maker; /* the last instruction with it; one that wrote it, if it can be repeated */
    uint32_t block;               /* of its first mention */
    double read_weight, write_weight;
    bool local, guarded; /* all mentions in one block; some write has a guard */
} usage;

static void mention(rf_ra_graph *graph, usage *use, uint32_t v, uint32_t b, uint32_t inst) {
    if (graph->node[v].first == RF_KNONE) {
        graph->node[v].first = inst;
        use[v].block = b;
        use[v].local = true;
    }
    use[v].local = use[v].local && use[v].block == b;
    use[v].last = inst;
}

static void add_move(rf_ra_graph *graph, const rf_kinst *inst, double weight) {
    uint32_t to, from;
    if (!rf_ra_is_move(inst, &to, &from) || to == from) return;
    graph->move[graph->moves++] = (rf_ra_move){to, from, weight};
}

static void count_uses(rf_ra_graph *graph, const rf_liveness *live, usage *use) {
    const rf_kernel *const kernel = graph->kernel;
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        const rf_kblock *const block = &kernel->block[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            uint32_t read[16], written[10], nread, nwritten;
            bool partial;
            rf_liveness_names(live, &kernel->inst[i], read, &nread, written, &nwritten, &partial);
            for (uint32_t r = 0; r < nread; r++) {
                mention(graph, use, read[r], b, i);
                use[read[r]].read_weight += graph->weight[b];
            }
            for (uint32_t w = 0; w < nwritten; w++) {
                usage *const u = &use[written[w]];
                mention(graph, use, written[w], b, i);
                u->writes++;
                u->guarded |= partial;
                u->maker = remakable(&kernel->inst[i]) ? i : RF_KNONE;
                u->write_weight += graph->weight[b];
            }
            add_move(graph, &kernel->inst[i], graph->weight[b]);
        }
    }
}

/* What a node costs without a register: loads and stores, or selp and setp, or its only maker in front of each read instead of
 * where it was. Nothing would be won where its life is one instruction long already (Chaitin). */
static void set_cost(rf_ra_node *node, const usage *use, uint8_t flags) {
    const bool shortest = use->local && use->writes == 1 && !use->guarded && use->last - node->first <= 1;
    node->fixed = (flags & RF_RA_TEMPORARY) || shortest;
    node->cost = (use->read_weight + use->write_weight) * (node->width == 0 ? 1.0 : RF_RA_MEMORY_COST);
    node->remake_cost = use->read_weight > use->write_weight ? use->read_weight - use->write_weight : 0;
    if (use->writes == 1) node->remake = use->maker;
}

static bool one_file(const rf_ra_graph *graph, uint32_t a, uint32_t b) {
    return (graph->node[a].width == 0) == (graph->node[b].width == 0);
}

/* Edges between a variable that is written and all that live behind that instruction (Chaitin), walking up each block. Variables
 * whose guarded writes need nothing of before, all local to a block, end there; for liveness they seem to live from the start. */
static bool interfere(rf_ra_graph *graph, const rf_liveness *live, const uint64_t *predicates, const uint64_t *whole,
                      uint64_t *alive) {
    const rf_kernel *const kernel = graph->kernel;
    const uint32_t words = live->set_words;
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        const rf_kblock *const block = &kernel->block[b];
        for (uint32_t w = 0; w < words; w++) alive[w] = live->out[(size_t)b * words + w] & ~whole[w];
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            const rf_kinst *const inst = &kernel->inst[i];
            uint32_t read[16], written[10], nread, nwritten, to = 0, copy = RF_KNONE;
            bool partial;
            rf_liveness_names(live, inst, read, &nread, written, &nwritten, &partial);
            if (!rf_ra_is_move(inst, &to, &copy)) copy = RF_KNONE;
            for (uint32_t d = 0; d < nwritten; d++) {
                if (!add_edges(graph, written[d], alive, predicates, words, copy)) return false;
                for (uint32_t e = 0; e < d; e++)
                    if (one_file(graph, written[d], written[e]) && !add_edge(graph, written[d], written[e])) return false;
            }
            for (uint32_t d = 0; d < nwritten; d++)
                if (!partial || rf_set_has(whole, written[d])) rf_set_remove(alive, written[d]);
            for (uint32_t r = 0; r < nread; r++) rf_set_add(alive, read[r]);
        }
    }
    return true;
}

static int by_falling_weight(const void *left, const void *right) {
    const rf_ra_move *const a = left, *const b = right;
    if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

bool rf_ra_build(rf_ra_graph *graph, const uint8_t *flags) {
    const rf_kernel *const kernel = graph->kernel;
    const uint32_t n = kernel->nvar;
    const uint64_t bits = (uint64_t)n * (n ? n - 1 : 0) / 2;
    rf_liveness live;
    if (bits / 8 > MATRIX_BYTES_MAX || rf_liveness_compute(&live, kernel, RF_LIVE_LANE) != 0) return false;
    graph->nodes = n;
    graph->node = calloc((size_t)n + 1, sizeof *graph->node);
    graph->matrix = calloc(bits / 64 + 1, sizeof *graph->matrix);
    graph->move = malloc(((size_t)kernel->ninst + 1) * sizeof *graph->move);
    usage *const use = calloc((size_t)n + 1, sizeof *use);
    uint64_t *const sets = calloc(3 * (size_t)live.set_words + 1, sizeof *sets);
    bool good = graph->node && graph->matrix && graph->move && use && sets;
    if (good) {
        uint64_t *const predicates = sets, *const whole = sets + live.set_words, *const alive = whole + live.set_words;
        for (uint32_t v = 0; v < n; v++) {
            const uint32_t width = rf_ktype_bits((rf_ktype)kernel->var[v].type);
            graph->node[v] = (rf_ra_node){.width = (uint8_t)(width == 1    ? 0
                                                             : width <= 32 ? 1
                                                                           : 2),
                                          .alias = v,
                                          .first = RF_KNONE,
                                          .remake = RF_KNONE,
                                          .color = RF_KNONE};
            if (width == 1) rf_set_add(predicates, v);
            if (flags[v] & RF_RA_WHOLE) rf_set_add(whole, v);
        }
        count_uses(graph, &live, use);
        for (uint32_t v = 0; v < n; v++) set_cost(&graph->node[v], &use[v], flags[v]);
        qsort(graph->move, graph->moves, sizeof *graph->move, by_falling_weight);
        good = interfere(graph, &live, predicates, whole, alive);
    }
    free(use);
    free(sets);
    rf_liveness_free(&live);
    return good;
}

void rf_ra_free(rf_ra_graph *graph) {
    for (uint32_t v = 0; v < graph->nodes && graph->node; v++) free(graph->node[v].neighbour);
    free(graph->node);
    free(graph->matrix);
    free(graph->move);
    graph->node = NULL;
    graph->matrix = NULL;
    graph->move = NULL;
    graph->nodes = graph->moves = 0;
}

/* --- coalescing ------------------------------------------------------------------------------------------------------------- */

static bool gone(const rf_ra_graph *graph, uint32_t v) { return graph->node[v].alias != v; }

/* Briggs: the merged node has, beside neighbours that can be simplified away first, so few others that it can be too. */
static bool briggs_safe(const rf_ra_graph *graph, uint32_t a, uint32_t b) {
    const rf_ra_node *const node = &graph->node[a];
    const uint32_t places = rf_ra_places(graph, node);
    uint32_t squeeze = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const rf_ra_node *const from = &graph->node[side ? b : a];
        for (uint32_t i = 0; i < from->neighbours && squeeze < places; i++) {
            const uint32_t v = from->neighbour[i];
            const rf_ra_node *const neighbour = &graph->node[v];
            if (gone(graph, v)) continue;
            const bool both = matrix_has(graph, v, side ? a : b);
            if (both && side) continue; /* counted with the first */
            const uint32_t after = neighbour->squeeze - (both ? rf_ra_squeeze(neighbour, node) : 0);
            if (after >= rf_ra_places(graph, neighbour)) squeeze += rf_ra_squeeze(node, neighbour);
        }
    }
    return squeeze < places;
}

/* George: each neighbour of `a` is one of `b` already, or can be simplified away first. */
static bool george_safe(const rf_ra_graph *graph, uint32_t a, uint32_t b) {
    const rf_ra_node *const node = &graph->node[a];
    for (uint32_t i = 0; i < node->neighbours; i++) {
        const uint32_t v = node->neighbour[i];
        if (gone(graph, v) || matrix_has(graph, v, b)) continue;
        if (graph->node[v].squeeze >= rf_ra_places(graph, &graph->node[v])) return false;
    }
    return true;
}

/* `b` becomes part of `a`, which a move writes: its value is none that could be made anew. */
static bool merge(rf_ra_graph *graph, uint32_t a, uint32_t b) {
    rf_ra_node *const into = &graph->node[a], *const from = &graph->node[b];
    from->alias = a;
    if (from->first < into->first) into->first = from->first;
    into->fixed = into->fixed && from->fixed;
    into->cost += from->cost;
    for (uint32_t i = 0; i < from->neighbours; i++) {
        const uint32_t v = from->neighbour[i];
        if (gone(graph, v)) continue;
        graph->node[v].squeeze -= rf_ra_squeeze(&graph->node[v], from);
        if (!add_edge(graph, a, v)) return false;
    }
    return true;
}

bool rf_ra_coalesce(rf_ra_graph *graph) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = 0; m < graph->moves; m++) {
            const uint32_t a = rf_ra_find(graph, graph->move[m].to), b = rf_ra_find(graph, graph->move[m].from);
            if (a == b || matrix_has(graph, a, b)) continue;
            if (!briggs_safe(graph, a, b) && !george_safe(graph, a, b) && !george_safe(graph, b, a)) continue;
            if (!merge(graph, a, b)) return false;
            changed = true;
        }
    }
    return true;
}
