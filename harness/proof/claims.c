/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/claims.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

#define MOST_LEAVES 256u /* of a claim or question that is looked at: what depends on more is near to nearly all */
#define MOST_GATES 4096u

/* Whether `literal` says that two leaf literals are equal: of a leaf, it and 1. */
static bool says_equal(const ls_aig_maker *m, uint32_t literal, uint32_t pair[2]) {
    const uint32_t leaves = m->inputs + m->latches;
    if (literal >> 1 <= leaves) {
        pair[0] = literal;
        pair[1] = 1;
        return true;
    }
    if (!ls_aig_is_xor(m, literal >> 1, pair)) return false;
    pair[1] ^= ~literal & 1u; /* the gate says that they differ */
    return pair[0] >> 1 <= leaves && pair[1] >> 1 <= leaves;
}

/* The members of the "and" that `holds` is, those that say that leaves are equal whole; a list to be freed. */
static uint32_t *members_of(const ls_aig_maker *m, uint32_t holds, size_t *count) {
    const uint32_t leaves = m->inputs + m->latches;
    uint32_t *list = ls_alloc(m->gates + 2, sizeof *list), *stack = ls_alloc(m->gates + 2, sizeof *stack);
    bool *seen = ls_alloc(2 * ((size_t)leaves + m->gates + 1), sizeof *seen);
    size_t depth = 0;
    *count = 0;
    stack[depth++] = holds;
    while (depth > 0) {
        const uint32_t literal = stack[--depth];
        uint32_t pair[2];
        if (seen[literal]) continue;
        seen[literal] = true;
        if ((literal & 1u) != 0 || says_equal(m, literal, pair)) {
            list[(*count)++] = literal;
            continue;
        }
        const uint32_t *in = m->gate[(literal >> 1) - leaves - 1];
        stack[depth++] = in[0];
        stack[depth++] = in[1];
    }
    free(stack);
    free(seen);
    return list;
}

static uint32_t root_of(const uint32_t *leaf, uint32_t literal) {
    while (ls_aig_became(leaf, literal) != literal) literal = ls_aig_became(leaf, literal);
    return literal;
}

uint32_t *ls_claims_leaves(const ls_aig_maker *maker, uint32_t holds) {
    const uint32_t leaves = maker->inputs + maker->latches;
    uint32_t *leaf = ls_alloc(leaves + 1, sizeof *leaf);
    for (uint32_t i = 0; i <= leaves; i++) leaf[i] = 2 * i;
    for (bool more = holds > 1; more;) { /* what is known of some makes others known */
        ls_aig_maker graph;
        ls_aig_begin(&graph, maker->inputs, maker->latches);
        const ls_aig whole = {.inputs = maker->inputs, .latches = maker->latches, .gates = maker->gates, .gate = maker->gate};
        uint32_t *map = ls_aig_put(&graph, &whole, leaf);
        size_t count;
        uint32_t *member = members_of(&graph, ls_aig_became(map, holds), &count), pair[2];
        more = false;
        for (size_t i = 0; i < count; i++) {
            if (!says_equal(&graph, member[i], pair)) continue;
            const uint32_t a = root_of(leaf, pair[0]), b = root_of(leaf, pair[1]), late = a > b ? a : b, early = a + b - late;
            if (late >> 1 == early >> 1) continue;
            leaf[late >> 1] = early ^ (late & 1u);
            more = true;
        }
        for (uint32_t i = 0; i <= leaves; i++) leaf[i] = root_of(leaf, leaf[i]);
        free(member);
        free(map);
        ls_aig_drop(&graph);
    }
    return leaf;
}

/* The leaves that `literal` depends on, MOST_LEAVES at most. false: they are more, or the way to them is long. */
static bool find_leaves(ls_claims *c, const ls_aig_maker *m, uint32_t literal, uint32_t *leaf, uint32_t *count) {
    const uint32_t leaves = m->inputs + m->latches;
    uint32_t stack[MOST_GATES + 2], depth = 0, gates = 0;
    for (; c->marked <= leaves + m->gates; c->marked++) {
        c->mark = ls_grow(c->mark, c->marked, sizeof *c->mark);
        c->mark[c->marked] = 0;
    }
    *count = 0;
    c->marks++;
    stack[depth++] = literal >> 1;
    while (depth > 0) {
        const uint32_t variable = stack[--depth];
        if (variable == 0 || c->mark[variable] == c->marks) continue;
        c->mark[variable] = c->marks;
        if (*count == MOST_LEAVES || gates == MOST_GATES) return false;
        if (variable <= leaves) {
            leaf[(*count)++] = variable;
            continue;
        }
        gates++;
        for (int i = 0; i < 2; i++) stack[depth++] = m->gate[variable - leaves - 1][i] >> 1;
    }
    return true;
}

static int by_first_leaf(const void *a, const void *b) {
    const ls_claim *x = a, *y = b;
    return (x->leaf[0] > y->leaf[0]) - (x->leaf[0] < y->leaf[0]);
}

void ls_claims_find(ls_claims *c, const ls_aig_maker *maker, uint32_t holds) {
    size_t count;
    uint32_t *member = members_of(maker, holds, &count), leaf[MOST_LEAVES], leaves;
    *c = (ls_claims){0};
    for (size_t i = 0; i < count; i++) {
        if (!find_leaves(c, maker, member[i], leaf, &leaves) || leaves == 0) continue;
        for (uint32_t k = 1; k < leaves; k++) {
            if (leaf[k] < leaf[0]) continue;
            const uint32_t larger = leaf[k];
            leaf[k] = leaf[0];
            leaf[0] = larger;
        }
        c->list = ls_grow(c->list, c->count, sizeof *c->list);
        c->list[c->count++] = (ls_claim){member[i], leaves, ls_alloc(leaves, sizeof *leaf)};
        memcpy(c->list[c->count - 1].leaf, leaf, leaves * sizeof *leaf);
    }
    if (c->count > 0) qsort(c->list, c->count, sizeof *c->list, by_first_leaf);
    free(member);
}

void ls_claims_free(ls_claims *c) {
    for (size_t i = 0; i < c->count; i++) free(c->list[i].leaf);
    free(c->list);
    free(c->mark);
}

/* The number of the first claim that does not begin with a leaf below `leaf`. */
static size_t first_of(const ls_claims *c, uint32_t leaf) {
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->list[middle].leaf[0] < leaf) low = middle + 1;
        else high = middle;
    }
    return low;
}

uint32_t ls_claims_near(ls_claims *c, ls_aig_maker *maker, uint32_t literal) {
    uint32_t leaf[MOST_LEAVES], leaves, holds = 1;
    if (!find_leaves(c, maker, literal, leaf, &leaves)) return 1;
    for (uint32_t i = 0; i < leaves; i++) {
        for (size_t k = first_of(c, leaf[i]); k < c->count && c->list[k].leaf[0] == leaf[i]; k++) {
            bool near = true;
            for (uint32_t n = 1; n < c->list[k].leaves; n++) near &= c->mark[c->list[k].leaf[n]] == c->marks;
            if (near) holds = ls_aig_and(maker, holds, c->list[k].literal);
        }
    }
    return holds;
}
