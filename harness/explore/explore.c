/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/explore/explore.h"

#include <stdlib.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/base/text.h"
#include "harness/core/case.h"
#include "harness/core/plan.h"

#define NONE UINT32_MAX
#define PROGRESS_STATES 4096u /* between looks at the clock */

/* Where a state with that hash is: the upper half of the hash and the state's number + 1, in one word, 0 for nobody. */
typedef struct table {
    uint64_t *slot;
    size_t mask;
} table;

typedef struct walk {
    const ls_explore_request *rq;
    ls_explored *e;
    table table;
    uint8_t *now, *after, *out; /* a model before and after the edge, its outputs */
    uint8_t *packed;
} walk;

static uint64_t hash_of(const uint8_t *bytes, size_t size) {
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, bytes, size);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h * 0xc4ceb9fe1a85ec53u;
}

static const uint8_t *state_at(const ls_explored *e, size_t number) { return e->states + number * e->key.bytes; }

static void table_put(table *t, uint64_t hash, size_t number) {
    size_t i = hash & t->mask;
    while (t->slot[i] != 0) i = (i + 1) & t->mask;
    t->slot[i] = (hash >> 32 << 32) | (uint32_t)(number + 1);
}

/* Room for one more state, in the lists and in the table, which stays at most half full. */
static void make_room(walk *w) {
    ls_explored *e = w->e;
    if (e->count < e->room) return;
    e->room = e->room == 0 ? 16 : e->room * 2;
    e->states = ls_resize(e->states, e->room * e->key.bytes);
    e->parent = ls_resize(e->parent, e->room * sizeof *e->parent);
    e->parent_input = ls_resize(e->parent_input, e->room * sizeof *e->parent_input);
    const bool edges = w->rq->edges && e->count * e->inputs.count < LS_EXPLORE_EDGES;
    if (edges) e->next = ls_resize(e->next, e->room * e->inputs.count * sizeof *e->next);
    if (!edges) {
        free(e->next);
        e->next = NULL;
    }
    free(w->table.slot);
    w->table.mask = e->room * 4 - 1;
    w->table.slot = ls_zeroed(e->room * 4 * sizeof *w->table.slot);
    for (size_t s = 0; s < e->count; s++) table_put(&w->table, hash_of(state_at(e, s), e->key.key_bytes), s);
}

/* The number of the packed state, NONE when it is new. */
static uint32_t look_up(const walk *w, uint64_t hash) {
    const ls_explored *e = w->e;
    for (size_t i = hash & w->table.mask; w->table.slot[i] != 0; i = (i + 1) & w->table.mask) {
        const uint64_t slot = w->table.slot[i];
        const uint32_t number = (uint32_t)slot - 1;
        if (slot >> 32 == hash >> 32 && memcmp(state_at(e, number), w->packed, e->key.key_bytes) == 0) return number;
    }
    return NONE;
}

static uint32_t append(walk *w, uint64_t hash, uint32_t parent, uint32_t input) {
    ls_explored *e = w->e;
    make_room(w);
    const size_t number = e->count++;
    memcpy(e->states + number * e->key.bytes, w->packed, e->key.bytes);
    e->parent[number] = parent;
    e->parent_input[number] = input;
    table_put(&w->table, hash, number);
    return (uint32_t)number;
}

/* Of a state that was reached again: whether what is no register is the same as on the first way. */
static bool follows(walk *w, uint32_t number) {
    ls_explored *e = w->e;
    const uint8_t *first = state_at(e, number);
    if (memcmp(first + e->key.key_bytes, w->packed + e->key.key_bytes, e->key.bytes - e->key.key_bytes) == 0) return true;
    size_t at = e->key.key_bytes;
    while (first[at] == w->packed[at]) at++;
    size_t range = e->key.named, left = at - e->key.key_bytes;
    for (; left >= e->key.list[range].bytes; range++) left -= e->key.list[range].bytes;
    e->hidden = true;
    e->hidden_state = number;
    e->hidden_byte = e->key.list[range].offset + left;
    return false;
}

/* One cycle of input `input` in state `state`, whose model is in `now`. */
static bool cycle(walk *w, uint32_t state, uint32_t input, bool *left) {
    const ls_unit *unit = w->rq->unit;
    ls_explored *e = w->e;
    const void *in = ls_explore_in(&e->inputs, input);
    memcpy(w->after, w->now, unit->model_size);
    if (unit->step != NULL) {
        unit->step(w->after, in, w->out);
    } else {
        unit->comb(w->now, in, w->out);
        unit->clock(w->after, in);
    }
    const uint64_t hit = unit->bins(w->now, in, w->out);
    for (uint64_t fresh = hit & ~e->bins; fresh != 0; fresh &= fresh - 1) {
        uint64_t *first = e->hit_first[__builtin_ctzll(fresh)];
        first[0] = state;
        first[1] = input;
    }
    e->bins |= hit;
    e->transitions++;
    if (!ls_explore_rests(&e->key, w->after)) return false;
    ls_explore_pack(&e->key, w->after, w->packed);
    const uint64_t hash = hash_of(w->packed, e->key.key_bytes);
    uint32_t to = look_up(w, hash);
    if (to != NONE && !follows(w, to)) return true;
    if (to == NONE && e->count < w->rq->states_max) to = append(w, hash, state, input);
    if (to == NONE) e->complete = false;
    else if (e->next != NULL) e->next[state * e->inputs.count + input] = to;
    *left |= to != state;
    return true;
}

static void print_progress(const ls_explored *e, size_t state, double start, const char *name) {
    ls_progress_draw("lockstep: %s: %zu states, %zu done, %.1f M transitions, %.1f M/s", name, e->count, state,
                     (double)e->transitions * 1e-6, (double)e->transitions * 1e-6 / (ls_seconds() - start));
}

/* All that is counted, from the state after reset on. False: the model changed bytes that were taken for constant. */
static bool search(walk *w) {
    ls_explored *e = w->e;
    const double start = ls_seconds();
    double told = start;
    e->count = e->room = e->stuck = 0;
    e->broken = NULL;
    e->transitions = e->bins = 0;
    e->complete = true;
    w->packed = ls_resize(w->packed, e->key.bytes);
    memset(w->packed, 0, e->key.bytes);
    ls_explore_pack(&e->key, e->key.base, w->packed);
    (void)append(w, hash_of(w->packed, e->key.key_bytes), NONE, NONE);
    memcpy(w->now, e->key.base, e->key.model_size);
    for (size_t s = 0; s < e->count && !e->hidden; s++) {
        bool left = false;
        ls_explore_unpack(&e->key, state_at(e, s), w->now);
        if (e->broken == NULL && w->rq->unit->invariant != NULL) {
            e->broken = w->rq->unit->invariant(w->now);
            e->broken_state = s;
        }
        for (uint32_t i = 0; i < e->inputs.count && !e->hidden; i++)
            if (!cycle(w, (uint32_t)s, i, &left)) return false;
        if (!left && e->stuck++ == 0) e->first_stuck = s;
        if (w->rq->progress && s % PROGRESS_STATES == 0 && ls_seconds() - told > 1) {
            print_progress(e, s, start, w->rq->unit->name);
            told = ls_seconds();
        }
    }
    ls_progress_clear();
    e->seconds = ls_seconds() - start;
    return true;
}

/* How many bits of registers there are, and how many of them no state has otherwise. */
static void count_bits(ls_explored *e) {
    uint8_t *changed = ls_zeroed(e->key.bytes), *model = ls_zeroed(e->key.model_size);
    for (size_t s = 1; s < e->count; s++)
        for (size_t i = 0; i < e->key.key_bytes; i++) changed[i] |= state_at(e, s)[i] ^ e->states[i];
    ls_explore_unpack(&e->key, changed, model);
    for (size_t i = 0; i < e->fields.count; i++) {
        const ls_field *f = &e->fields.list[i];
        for (uint32_t p = 0; f->kind == LS_STATE && p < ls_part_count(f); p++) {
            const ls_part part = ls_part_of(f, p);
            for (uint32_t k = 0; k < part.field.count; k++) {
                uint32_t words[LS_ELEMENT_BITS / 32];
                ls_model_element(&part.field, model, k, words);
                e->register_bits += part.field.bits;
                e->constant_bits += part.field.bits;
                for (uint32_t b = 0; b < (part.field.bits + 31) / 32; b++)
                    e->constant_bits -= (uint32_t)__builtin_popcount(words[b]);
            }
        }
    }
    free(changed);
    free(model);
}

static int check_fields(const ls_explored *e, const ls_unit *unit, char **error) {
    size_t registers = 0;
    for (size_t i = 0; i < e->fields.count; i++) {
        const ls_field *f = &e->fields.list[i];
        registers += f->kind == LS_STATE;
        if (f->kind != LS_MEMORY) continue;
        *error = ls_format("%s has a memory, %s, which no reset sets: its states cannot be counted", unit->name, f->name);
        return -1;
    }
    if (registers > 0) return 0;
    *error = ls_format("%s has no registers: it has one state, and `lockstep run` compares what it computes", unit->name);
    return -1;
}

static int explore(walk *w, char **error) {
    const ls_explore_request *rq = w->rq;
    ls_explored *e = w->e;
    const ls_unit *unit = rq->unit;
    if (unit->init(w->now, rq->cfg) != 0) {
        const char *why = unit->check(rq->cfg);
        *error = ls_format("%s: %s", unit->name, why != NULL ? why : "init failed after its own check");
        return -1;
    }
    unit->reset(w->now);
    ls_unit_fields(unit, &e->fields, w->now);
    if (check_fields(e, unit, error) != 0 || ls_explore_inputs_make(&e->inputs, unit, &e->fields, rq->fixed, error) != 0)
        return -1;
    ls_explore_key_make(&e->key, unit, &e->fields, w->now);
    while (!search(w)) ls_explore_key_extend(&e->key, w->after);
    if (e->count == 1) e->stuck = 0;
    for (size_t s = e->count - 1; s != 0; s = e->parent[s]) e->depth++;
    count_bits(e);
    return 0;
}

int ls_explore(const ls_explore_request *request, ls_explored *to, char **error) {
    const ls_unit *unit = request->unit;
    *to = (ls_explored){0};
    walk w = {.rq = request,
              .e = to,
              .now = ls_zeroed(unit->model_size),
              .after = ls_zeroed(unit->model_size),
              .out = ls_zeroed(unit->out_size)};
    const int status = explore(&w, error);
    free(w.now);
    free(w.after);
    free(w.out);
    free(w.packed);
    free(w.table.slot);
    if (status != 0) ls_explore_free(to);
    return status;
}

void ls_explore_free(ls_explored *e) {
    ls_fields_free(&e->fields);
    ls_explore_inputs_free(&e->inputs);
    ls_explore_key_free(&e->key);
    free(e->states);
    free(e->parent);
    free(e->parent_input);
    free(e->next);
    *e = (ls_explored){0};
}

size_t ls_explore_depth(const ls_explored *e, size_t state) {
    size_t depth = 0;
    for (; state != 0; state = e->parent[state]) depth++;
    return depth;
}

char *ls_explore_text(const ls_explored *e, size_t state) {
    ls_text text = {0};
    uint8_t *model = ls_zeroed(e->key.model_size);
    memcpy(model, e->key.base, e->key.model_size);
    ls_explore_unpack(&e->key, state_at(e, state), model);
    for (size_t i = 0; i < e->fields.count; i++) {
        const ls_field *f = &e->fields.list[i];
        for (uint32_t p = 0; f->kind == LS_STATE && p < ls_part_count(f); p++) {
            const ls_part part = ls_part_of(f, p);
            for (uint32_t k = 0; k < part.field.count; k++) {
                uint32_t words[LS_ELEMENT_BITS / 32], any = 0;
                char name[256], hex[LS_ELEMENT_BITS / 4 + 1];
                ls_model_element(&part.field, model, k, words);
                for (uint32_t b = 0; b < (part.field.bits + 31) / 32; b++) any |= words[b];
                if (any == 0) continue;
                ls_text_add(&text, "%s%s=%s", text.size > 0 ? " " : "", ls_part_element(&part, k, name, sizeof name),
                            ls_hex(words, part.field.bits, hex));
            }
        }
    }
    free(model);
    return text.size > 0 ? ls_text_take(&text) : ls_copy("all registers 0");
}
