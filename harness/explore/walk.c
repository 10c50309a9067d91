/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/explore/walk.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/core/source.h"

#define NEAR 2000u /* states that a search for a way looks at; then reset and the shortest way from there */

/* The states that follow on each. */
static void list_edges(ls_explore_walk *w) {
    const ls_explored *e = w->e;
    uint32_t count = 0, room = 0;
    w->first_edge = ls_zeroed((e->count + 1) * sizeof *w->first_edge);
    for (uint32_t s = 0; s < e->count; s++) {
        w->first_edge[s] = count;
        w->searches++;
        w->stamp[s] = w->searches;
        for (uint32_t i = 0; i < e->inputs.count; i++) {
            const uint32_t to = e->next[s * e->inputs.count + i];
            if (w->stamp[to] == w->searches) continue;
            w->stamp[to] = w->searches;
            if (count == room) {
                room = room == 0 ? 1024 : room * 2;
                w->edge_to = ls_resize(w->edge_to, room * sizeof *w->edge_to);
                w->edge_by = ls_resize(w->edge_by, room * sizeof *w->edge_by);
            }
            w->edge_to[count] = to;
            w->edge_by[count++] = i;
        }
    }
    w->first_edge[e->count] = count;
}

void ls_explore_walk_begin(ls_explore_walk *w, const ls_explored *e, const ls_unit *unit, const void *cfg) {
    const size_t transitions = e->count * e->inputs.count;
    *w = (ls_explore_walk){.e = e, .unit = unit, .cfg = cfg, .to_take = transitions};
    w->taken = ls_zeroed(transitions / 8 + 1);
    w->left = ls_zeroed(e->count * sizeof *w->left);
    for (size_t s = 0; s < e->count; s++) w->left[s] = (uint32_t)e->inputs.count;
    w->queue = ls_zeroed(NEAR * sizeof *w->queue);
    w->from = ls_zeroed(e->count * sizeof *w->from);
    w->from_input = ls_zeroed(e->count * sizeof *w->from_input);
    w->stamp = ls_zeroed(e->count * sizeof *w->stamp);
    list_edges(w);
}

void ls_explore_walk_free(ls_explore_walk *w) {
    free(w->first_edge);
    free(w->edge_to);
    free(w->edge_by);
    free(w->taken);
    free(w->left);
    free(w->queue);
    free(w->from);
    free(w->from_input);
    free(w->stamp);
    *w = (ls_explore_walk){0};
}

static uint32_t take_transition(ls_explore_walk *w, uint32_t state, uint32_t input, ls_case *c) {
    const size_t t = state * w->e->inputs.count + input;
    if ((w->taken[t / 8] >> t % 8 & 1) == 0) {
        w->taken[t / 8] |= (uint8_t)(1u << t % 8);
        w->left[state]--;
        w->to_take--;
    }
    (void)ls_case_add(c, false, 0, ls_explore_in(&w->e->inputs, input));
    return w->e->next[t];
}

static uint32_t untaken(const ls_explore_walk *w, uint32_t state) {
    size_t t = state * w->e->inputs.count;
    uint32_t input = 0;
    for (; (w->taken[t / 8] >> t % 8 & 1) != 0; t++) input++;
    return input;
}

static void start(const ls_explore_walk *w, ls_case *c) {
    for (unsigned i = 0; i < LS_RESET_CYCLES; i++) (void)ls_case_add(c, true, 0, ls_explore_in(&w->e->inputs, 0));
}

/* Along `from` to `to`, which is not where the walk stands. */
static uint32_t follow(ls_explore_walk *w, const uint32_t *from, const uint32_t *from_input, uint32_t here, uint32_t to,
                       ls_case *c) {
    size_t steps = 0;
    for (uint32_t s = to; s != here; s = from[s]) steps++;
    uint32_t *inputs = ls_zeroed(steps * sizeof *inputs);
    size_t n = steps;
    for (uint32_t s = to; s != here; s = from[s]) inputs[--n] = from_input[s];
    for (size_t i = 0; i < steps; i++) here = take_transition(w, here, inputs[i], c);
    free(inputs);
    return here;
}

/* The way to a near state with a transition that was not taken; false: none among the NEAR nearest. */
static bool go_near(ls_explore_walk *w, uint32_t *here, ls_case *c) {
    size_t head = 0, tail = 0;
    const uint32_t stamp = ++w->searches;
    w->queue[tail++] = *here;
    w->stamp[*here] = stamp;
    while (head < tail) {
        const uint32_t s = w->queue[head++];
        for (uint32_t i = w->first_edge[s]; i < w->first_edge[s + 1]; i++) {
            const uint32_t to = w->edge_to[i];
            if (w->stamp[to] == stamp) continue;
            w->stamp[to] = stamp;
            w->from[to] = s;
            w->from_input[to] = w->edge_by[i];
            if (w->left[to] > 0) {
                *here = follow(w, w->from, w->from_input, *here, to, c);
                return true;
            }
            if (tail < NEAR) w->queue[tail++] = to;
        }
    }
    return false;
}

bool ls_explore_walk_next(ls_explore_walk *w, size_t cycles, ls_case *c) {
    const ls_explored *e = w->e;
    if (w->to_take == 0) return false;
    ls_case_init(c, w->unit, w->cfg, 0, "");
    start(w, c);
    uint32_t here = 0;
    while (w->to_take > 0 && c->count < cycles) {
        if (w->left[here] > 0) {
            here = take_transition(w, here, untaken(w, here), c);
        } else if (!go_near(w, &here, c)) {
            while (w->left[w->first] == 0) w->first++;
            start(w, c);
            here = follow(w, e->parent, e->parent_input, 0, (uint32_t)w->first, c);
        }
    }
    return true;
}
