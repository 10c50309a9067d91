/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/sums.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

#define FEWEST 4u /* literals of a sum that is put in shape: an adder's stay as they are */

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add(ls_sums *s, uint32_t number) {
    s->list = ls_grow(s->list, s->room, sizeof *s->list);
    s->list[s->room++] = number;
}

/* Sums that something else than a sum uses. */
static void find_roots(const ls_aig_maker *m, const bool *used, bool *root) {
    const uint32_t leaves = m->inputs + m->latches;
    uint32_t *uses = ls_alloc(leaves + m->gates + 1, sizeof *uses), pair[2]; /* of a gate, by others than sums of it */
    for (uint32_t i = leaves + 1; i <= leaves + m->gates; i++) {
        const uint32_t *in = m->gate[i - leaves - 1];
        if (ls_aig_is_xor(m, i, pair)) continue;
        uses[in[0] >> 1]++;
        uses[in[1] >> 1]++;
    }
    for (uint32_t i = leaves + m->gates; i > leaves; i--) {
        const uint32_t *in = m->gate[i - leaves - 1];
        root[i] = used[i] || uses[i] > 0;
        if (root[i] || ls_aig_is_xor(m, i, pair)) continue;
        uses[in[0] >> 1]--; /* it is nothing but half of a sum */
        uses[in[1] >> 1]--;
    }
    for (uint32_t i = leaves + 1; i <= leaves + m->gates; i++) root[i] &= ls_aig_is_xor(m, i, pair);
    free(uses);
}

/* Appends the literals that `variable` is the sum of. `odd`, of each variable: it is met an odd number of times; all false, before
 * and behind. */
static void add_literals(ls_sums *s, const ls_aig_maker *m, uint32_t variable, bool *odd, bool *seen) {
    uint32_t *met = ls_alloc(1, sizeof *met), pair[2], invert = 0, parts = 0;
    size_t count = 1;
    met[0] = variable;
    for (size_t done = 0; done < count; done++) {
        for (int i = 0; i < 2 && ls_aig_is_xor(m, met[done], pair); i++) {
            if (seen[pair[i] >> 1]) continue;
            seen[pair[i] >> 1] = true;
            met = ls_grow(met, count, sizeof *met);
            met[count++] = pair[i] >> 1;
        }
    }
    qsort(met, count, sizeof *met, by_number);
    odd[variable] = true;
    const uint32_t at = s->room;
    add(s, 0);
    for (size_t i = count; i-- > 0;) { /* from the sum on downwards */
        const bool is = odd[met[i]];
        odd[met[i]] = seen[met[i]] = false;
        if (!is) continue;
        if (!ls_aig_is_xor(m, met[i], pair)) {
            add(s, 2 * met[i]);
            parts++;
            continue;
        }
        for (int k = 0; k < 2; k++) {
            odd[pair[k] >> 1] ^= true;
            invert ^= pair[k] & 1u;
        }
    }
    if (parts >= FEWEST) {
        s->list[at] = parts;
        s->list[at + 1] ^= invert;
        s->first[variable] = at;
    } else s->room = at;
    free(met);
}

void ls_sums_find(ls_sums *s, const ls_aig_maker *maker, const bool *used) {
    const size_t variables = (size_t)maker->inputs + maker->latches + maker->gates + 1;
    bool *root = ls_alloc(variables, sizeof *root), *odd = ls_alloc(variables, sizeof *odd),
         *seen = ls_alloc(variables, sizeof *seen);
    *s = (ls_sums){.first = ls_alloc(variables, sizeof *s->first)};
    add(s, 0); /* no sum begins there */
    find_roots(maker, used, root);
    for (uint32_t i = 0; i < variables; i++)
        if (root[i]) add_literals(s, maker, i, odd, seen);
    free(root);
    free(odd);
    free(seen);
}

void ls_sums_free(ls_sums *s) {
    free(s->first);
    free(s->list);
    *s = (ls_sums){0};
}

uint32_t ls_sums_put(const ls_sums *s, uint32_t variable, const uint32_t *map, ls_aig_maker *graph) {
    const uint32_t *from = s->list + s->first[variable], count = *from++;
    uint32_t *literal = ls_alloc(count, sizeof *literal), sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        literal[i] = ls_aig_became(map, from[i]);
        sum ^= literal[i] & 1u;
        literal[i] &= ~1u;
    }
    qsort(literal, count, sizeof *literal, by_number); /* one that is there twice is not there */
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && literal[i] == literal[i + 1]) i++;
        else sum = ls_aig_xor(graph, sum, literal[i]);
    }
    free(literal);
    return sum;
}
