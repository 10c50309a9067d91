/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/objects.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

#define CHUNK 64u /* bytes that copies share or have for themselves */

typedef struct cell {
    uint32_t bit[8];
    uint32_t undef;
} cell;

typedef struct chunk {
    uint32_t users;
    cell byte[CHUNK];
} chunk;

typedef struct ls_object {
    uint32_t users;
    bool constant;
    size_t size, chunks;
    chunk *chunk[];
} object;

static void drop_object(object *o) {
    if (o == NULL || --o->users > 0) return;
    for (size_t i = 0; i < o->chunks; i++)
        if (--o->chunk[i]->users == 0) free(o->chunk[i]);
    free(o);
}

void ls_memory_add(ls_memory *m, uint32_t number, size_t size, const uint8_t *bytes, bool constant) {
    if (number >= m->count) {
        m->object = ls_resize(m->object, (number + 1) * sizeof *m->object);
        while (m->count <= number) m->object[m->count++] = NULL;
    }
    const size_t chunks = (size + CHUNK - 1) / CHUNK;
    object *o = ls_alloc(1, sizeof *o + chunks * sizeof *o->chunk);
    *o = (object){.users = 1, .constant = constant, .size = size, .chunks = chunks};
    for (size_t i = 0; i < chunks; i++) {
        o->chunk[i] = ls_alloc(1, sizeof **o->chunk);
        o->chunk[i]->users = 1;
        for (size_t k = 0; k < CHUNK; k++) {
            cell *c = &o->chunk[i]->byte[k];
            const bool given = bytes != NULL && i * CHUNK + k < size;
            c->undef = !given;
            for (uint32_t b = 0; b < 8 && given; b++) c->bit[b] = bytes[i * CHUNK + k] >> b & 1;
        }
    }
    m->object[number] = o;
}

ls_memory ls_memory_copy(const ls_memory *m) {
    ls_memory copy = {.object = ls_alloc(m->count + 1, sizeof *copy.object), .count = m->count};
    for (uint32_t i = 0; i < m->count; i++) {
        copy.object[i] = m->object[i];
        if (copy.object[i] != NULL) copy.object[i]->users++;
    }
    return copy;
}

void ls_memory_drop(ls_memory *m, uint32_t first) {
    while (m->count > first) drop_object(m->object[--m->count]);
}

void ls_memory_free(ls_memory *m) {
    ls_memory_drop(m, 0);
    free(m->object);
    *m = (ls_memory){0};
}

/* The object as one that this memory alone has. */
static object *own(ls_memory *m, uint32_t number) {
    object *o = m->object[number];
    if (o->users == 1) return o;
    object *copy = ls_alloc(1, sizeof *copy + o->chunks * sizeof *copy->chunk);
    memcpy(copy, o, sizeof *copy + o->chunks * sizeof *copy->chunk);
    copy->users = 1;
    for (size_t i = 0; i < o->chunks; i++) o->chunk[i]->users++;
    o->users--;
    return m->object[number] = copy;
}

/* A byte of an object that is its memory's own, to be written. */
static cell *own_byte(object *o, size_t at) {
    chunk **c = &o->chunk[at / CHUNK];
    if ((*c)->users > 1) {
        chunk *copy = ls_alloc(1, sizeof *copy);
        *copy = **c;
        copy->users = 1;
        (*c)->users--;
        *c = copy;
    }
    return &(*c)->byte[at % CHUNK];
}

static const cell *byte_of(const object *o, size_t at) { return &o->chunk[at / CHUNK]->byte[at % CHUNK]; }

static void choose_cell(ls_aig_maker *m, uint32_t c, cell *to, const cell *from) {
    for (uint32_t b = 0; b < 8; b++) {
        const uint32_t x = to->undef == 1 ? from->bit[b] : to->bit[b], y = from->undef == 1 ? to->bit[b] : from->bit[b];
        to->bit[b] = ls_aig_choose(m, c, x, y);
    }
    to->undef = ls_aig_choose(m, c, to->undef, from->undef);
}

void ls_memory_merge(ls_values *v, ls_memory *to, ls_memory *from, uint32_t c) {
    if (to->count < from->count) {
        to->object = ls_resize(to->object, from->count * sizeof *to->object);
        while (to->count < from->count) to->object[to->count++] = NULL;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        if (from->object[i] == NULL || from->object[i] == to->object[i]) continue;
        if (to->object[i] == NULL) {
            to->object[i] = from->object[i];
            to->object[i]->users++;
            continue;
        }
        object *o = own(to, i);
        const object *other = from->object[i];
        for (size_t k = 0; k < o->chunks; k++) {
            if (o->chunk[k] == other->chunk[k]) continue;
            for (size_t at = k * CHUNK; at < o->size && at < (k + 1) * CHUNK; at++) {
                if (memcmp(byte_of(o, at), byte_of(other, at), sizeof(cell)) == 0) continue;
                choose_cell(v->maker, c, own_byte(o, at), byte_of(other, at));
            }
        }
    }
    ls_memory_free(from);
}

const uint32_t *ls_memory_byte(const ls_memory *m, uint32_t number, size_t at, uint32_t *undef) {
    const cell *c = byte_of(m->object[number], at);
    *undef = c->undef;
    return c->bit;
}

void ls_memory_set_bit(ls_memory *m, uint32_t number, size_t at, uint32_t bit, uint32_t literal) {
    cell *c = own_byte(own(m, number), at);
    c->bit[bit] = literal;
    c->undef = 0;
}

void ls_memory_lose(ls_memory *m, uint32_t number, size_t at) { own_byte(own(m, number), at)->undef = 1; }

/* Where an address may lead: a constant place, plus a weight for each literal that holds ------------------------------------- */

typedef struct way {
    uint32_t object;
    int64_t base;
    uint32_t count;
    uint32_t literal[64];
    int64_t weight[64], least[65], most[65]; /* of all weights from that one on */
} way;

static void add_weight(way *w, uint32_t literal, int64_t weight) {
    if (literal < 2) {
        w->base += literal == 1 ? weight : 0;
        return;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->literal[i] >> 1 != literal >> 1) continue;
        if (w->literal[i] == literal) {
            w->weight[i] += weight;
        } else { /* the inverse: weight - weight * that */
            w->base += weight;
            w->weight[i] -= weight;
        }
        return;
    }
    if (w->count == 64) ls_die("an address of more than 64 unknown bits");
    w->literal[w->count] = literal;
    w->weight[w->count++] = weight;
}

static int64_t size_of(int64_t x) { return x < 0 ? -x : x; }

/* An index as literals with weights: equal literals at its top are a sign. */
static void add_index(ls_values *v, way *w, const ls_value *index, int64_t scale) {
    const uint32_t *bit = ls_bits(v, index);
    uint32_t top = index->bits - 1;
    while (top > 0 && bit[top - 1] == bit[top]) top--;
    for (uint32_t i = 0; i < top; i++) add_weight(w, bit[i], (int64_t)((uint64_t)scale << i));
    add_weight(w, bit[top], -(int64_t)((uint64_t)scale << top));
}

static void finish_way(way *w) {
    for (uint32_t i = 1; i < w->count; i++) /* heaviest first */
        for (uint32_t k = i; k > 0 && size_of(w->weight[k]) > size_of(w->weight[k - 1]); k--) {
            const uint32_t literal = w->literal[k];
            const int64_t weight = w->weight[k];
            w->literal[k] = w->literal[k - 1];
            w->weight[k] = w->weight[k - 1];
            w->literal[k - 1] = literal;
            w->weight[k - 1] = weight;
        }
    w->least[w->count] = w->most[w->count] = 0;
    for (uint32_t i = w->count; i-- > 0;) {
        w->least[i] = w->least[i + 1] + (w->weight[i] < 0 ? w->weight[i] : 0);
        w->most[i] = w->most[i + 1] + (w->weight[i] > 0 ? w->weight[i] : 0);
    }
}

/* false: the object itself is not known. */
static bool find_way(ls_values *v, const ls_value *address, way *w) {
    uint64_t number = address->form == LS_LITERALS ? 0 : address->number;
    *w = (way){0};
    const ls_term whole = {address, 1}, *term = address->form == LS_LITERALS ? &whole : address->term;
    const uint32_t terms = address->form == LS_LITERALS ? 1 : address->form == LS_ADDRESS ? address->terms : 0;
    for (uint32_t t = 0; t < terms; t++) {
        const uint32_t *bit = ls_bits(v, term[t].index);
        uint32_t low[64];
        bool pointer = false;
        for (uint32_t i = 32; i < 64; i++) pointer |= bit[i] > 1 && bit[i] != bit[31];
        if (pointer) return false;
        if (bit[63] > 1 || term[t].scale != 1 || address->form != LS_LITERALS) {
            add_index(v, w, term[t].index, term[t].scale);
            continue;
        }
        for (uint32_t i = 0; i < 64; i++) { /* a whole address */
            low[i] = i < 32 ? bit[i] : 0;
            if (i >= 32) number |= (uint64_t)bit[i] << i;
        }
        add_index(v, w, ls_literals(v, 64, low, NULL), 1);
    }
    number += (uint64_t)w->base;
    w->object = (uint32_t)(number >> 32);
    w->base = (int64_t)(number & UINT32_MAX) - (int64_t)LS_OBJECT_BASE;
    finish_way(w);
    return true;
}

static void misuse(const ls_access *a, uint32_t when, const char *what) {
    const uint32_t now = ls_aig_and(a->values->maker, a->pc, when);
    if (now != 0) a->misuse(a->ctx, now, what);
}

/* The object, after asking whether the access can miss it; NULL: it always does. */
static object *check(const ls_access *a, const ls_value *address, const way *w, size_t size, uint32_t align, bool writes) {
    misuse(a, ls_undef(a->values, address), "an address without a value");
    object *o = w->object < a->memory->count ? a->memory->object[w->object] : NULL;
    const int64_t room = o != NULL ? (int64_t)o->size - (int64_t)size : -1;
    if (o == NULL || room < 0 || (writes && o->constant) || w->base + w->least[0] > room || w->base + w->most[0] < 0) {
        misuse(a, 1,
               o == NULL               ? "an access to no object"
               : writes && o->constant ? "a write to a constant"
                                       : "an access out of bounds");
        return NULL;
    }
    ls_aig_maker *const m = a->values->maker;
    const uint32_t *bit = w->count > 0 ? ls_bits(a->values, address) : NULL;
    if (w->base + w->least[0] < 0 || w->base + w->most[0] > room) {
        const ls_value *last = ls_constant(a->values, 64, ls_object_address(w->object) + (uint64_t)room),
                       *first = ls_constant(a->values, 64, ls_object_address(w->object));
        const uint32_t above = ls_below(m, ls_bits(a->values, last), bit, 64),
                       below = ls_below(m, bit, ls_bits(a->values, first), 64);
        misuse(a, ls_aig_and(m, above ^ 1u, below ^ 1u) ^ 1u, "an access out of bounds");
    }
    uint32_t odd = 0;
    for (uint32_t i = 0; 1u << i < align; i++) {
        const uint32_t low = bit != NULL ? bit[i] : (uint32_t)(w->base >> i & 1);
        odd = ls_aig_and(m, odd ^ 1u, low ^ 1u) ^ 1u;
    }
    misuse(a, odd, "an address that is not aligned");
    return o;
}

/* Reads `size` cells from all places that the way may lead to; false: from none. */
static bool read_ways(ls_aig_maker *m, const object *o, const way *w, uint32_t at, int64_t base, size_t size, cell *to) {
    const int64_t room = (int64_t)(o->size - size);
    if (base + w->most[at] < 0 || base + w->least[at] > room) return false;
    if (at == w->count) {
        for (size_t i = 0; i < size; i++) to[i] = *byte_of(o, (size_t)base + i);
        return true;
    }
    cell other[LS_IR_BITS_MAX / 8];
    const bool with = read_ways(m, o, w, at + 1, base + w->weight[at], size, to);
    const bool without = read_ways(m, o, w, at + 1, base, size, with ? other : to);
    for (size_t i = 0; with && without && i < size; i++) choose_cell(m, w->literal[at], &to[i], &other[i]);
    return with || without;
}

static void write_ways(ls_aig_maker *m, object *o, const way *w, uint32_t at, int64_t base, uint32_t guard, size_t size,
                       const cell *from) {
    const int64_t room = (int64_t)(o->size - size);
    if (guard == 0 || base + w->most[at] < 0 || base + w->least[at] > room) return;
    if (at == w->count) {
        for (size_t i = 0; i < size; i++) {
            cell *to = own_byte(o, (size_t)base + i), now = from[i];
            choose_cell(m, guard, &now, to);
            *to = guard == 1 ? from[i] : now;
        }
        return;
    }
    write_ways(m, o, w, at + 1, base + w->weight[at], ls_aig_and(m, guard, w->literal[at]), size, from);
    write_ways(m, o, w, at + 1, base, ls_aig_and(m, guard, w->literal[at] ^ 1u), size, from);
}

/* Splits an address of which the object is not known into those that there are. Returns the literal: it is object `number`. */
static uint32_t is_object(ls_values *v, const ls_value *address, uint32_t number, const ls_value **within) {
    const uint32_t *bit = ls_bits(v, address);
    uint32_t low[64], same = 1;
    for (uint32_t i = 0; i < 64; i++) {
        low[i] = i < 32 ? bit[i] : number >> (i - 32) & 1;
        if (i >= 32) same = ls_aig_and(v->maker, same, bit[i] ^ low[i] ^ 1u);
    }
    *within = ls_literals(v, 64, low, NULL);
    return same;
}

static bool read_cells(const ls_access *a, const ls_value *address, size_t size, uint32_t align, cell *to);

/* Both sides of an address that is one of two, each asked for where it is the one. */
static bool read_either(const ls_access *a, uint32_t c, const ls_value *then, const ls_value *otherwise, size_t size,
                        uint32_t align, cell *to) {
    ls_access there = *a;
    cell *other = ls_alloc(size, sizeof *other);
    there.pc = ls_aig_and(a->values->maker, a->pc, c);
    const bool one = there.pc != 0 && read_cells(&there, then, size, align, to);
    there.pc = ls_aig_and(a->values->maker, a->pc, c ^ 1u);
    const bool two = there.pc != 0 && read_cells(&there, otherwise, size, align, one ? other : to);
    for (size_t i = 0; one && two && i < size; i++) choose_cell(a->values->maker, c, &to[i], &other[i]);
    free(other);
    return one || two;
}

static bool read_cells(const ls_access *a, const ls_value *address, size_t size, uint32_t align, cell *to) {
    way w;
    if (address->form == LS_CHOICE)
        return read_either(a, (uint32_t)address->number, address->then, address->otherwise, size, align, to);
    if (find_way(a->values, address, &w)) {
        const object *o = check(a, address, &w, size, align, false);
        return o != NULL && read_ways(a->values->maker, o, &w, 0, w.base, size, to);
    }
    bool some = false;
    uint32_t none = 1;
    cell *other = ls_alloc(size, sizeof *other);
    for (uint32_t i = 1; i < a->memory->count; i++) {
        const ls_value *within;
        const uint32_t here = a->memory->object[i] != NULL ? is_object(a->values, address, i, &within) : 0;
        ls_access there = *a;
        there.pc = ls_aig_and(a->values->maker, a->pc, here);
        none = ls_aig_and(a->values->maker, none, here ^ 1u);
        if (there.pc == 0 || !read_cells(&there, within, size, align, some ? other : to)) continue;
        for (size_t k = 0; some && k < size; k++) {
            choose_cell(a->values->maker, here, &other[k], &to[k]);
            to[k] = other[k];
        }
        some = true;
    }
    free(other);
    misuse(a, none, "an access to no object");
    return some;
}

static void write_cells(const ls_access *a, const ls_value *address, uint32_t guard, size_t size, uint32_t align,
                        const cell *from) {
    way w;
    ls_aig_maker *const m = a->values->maker;
    ls_access there = *a;
    if (ls_aig_and(m, a->pc, guard) == 0) return;
    if (address->form == LS_CHOICE) {
        const uint32_t c = (uint32_t)address->number;
        there.pc = ls_aig_and(m, a->pc, c);
        write_cells(&there, address->then, ls_aig_and(m, guard, c), size, align, from);
        there.pc = ls_aig_and(m, a->pc, c ^ 1u);
        write_cells(&there, address->otherwise, ls_aig_and(m, guard, c ^ 1u), size, align, from);
        return;
    }
    if (find_way(a->values, address, &w)) {
        if (check(a, address, &w, size, align, true) != NULL)
            write_ways(m, own(a->memory, w.object), &w, 0, w.base, guard, size, from);
        return;
    }
    uint32_t none = 1;
    for (uint32_t i = 1; i < a->memory->count; i++) {
        const ls_value *within;
        const uint32_t here = a->memory->object[i] != NULL ? is_object(a->values, address, i, &within) : 0;
        there.pc = ls_aig_and(m, a->pc, here);
        none = ls_aig_and(m, none, here ^ 1u);
        if (there.pc != 0) write_cells(&there, within, ls_aig_and(m, guard, here), size, align, from);
    }
    misuse(a, none, "an access to no object");
}

const ls_value *ls_load(const ls_access *a, const ls_value *address, uint32_t bits, uint32_t align) {
    const uint32_t size = (bits + 7) / 8;
    cell cells[LS_IR_BITS_MAX / 8];
    uint32_t bit[LS_IR_BITS_MAX], undef[LS_IR_BITS_MAX];
    if (!read_cells(a, address, size, align, cells)) return ls_constant(a->values, bits, 0);
    for (uint32_t i = 0; i < bits; i++) {
        bit[i] = cells[i / 8].bit[i % 8];
        undef[i] = cells[i / 8].undef;
    }
    return ls_literals(a->values, bits, bit, undef);
}

void ls_store(const ls_access *a, const ls_value *address, const ls_value *value, uint32_t align) {
    const uint32_t size = (value->bits + 7) / 8, *bit = ls_bits(a->values, value);
    cell cells[LS_IR_BITS_MAX / 8];
    memset(cells, 0, sizeof cells);
    for (uint32_t i = 0; i < value->bits; i++) {
        cell *c = &cells[i / 8];
        c->bit[i % 8] = bit[i];
        if (value->undef != NULL) c->undef = ls_aig_and(a->values->maker, c->undef ^ 1u, value->undef[i] ^ 1u) ^ 1u;
    }
    write_cells(a, address, 1, size, align, cells);
}

void ls_copy_bytes(const ls_access *a, const ls_value *to, const ls_value *from, size_t size) {
    if (size == 0) return;
    cell *cells = ls_alloc(size, sizeof *cells);
    bool all = true;
    for (size_t at = 0; at < size; at += CHUNK) {
        const size_t part = size - at < CHUNK ? size - at : CHUNK;
        all = read_cells(a, ls_address(a->values, from, (int64_t)at, NULL, 0), part, 1, cells + at) && all;
    }
    for (size_t at = 0; at < size && all; at += CHUNK) {
        const size_t part = size - at < CHUNK ? size - at : CHUNK;
        write_cells(a, ls_address(a->values, to, (int64_t)at, NULL, 0), 1, part, 1, cells + at);
    }
    free(cells);
}

void ls_fill_bytes(const ls_access *a, const ls_value *to, const ls_value *byte, size_t size) {
    cell cells[CHUNK];
    for (size_t i = 0; i < CHUNK; i++) {
        for (uint32_t b = 0; b < 8; b++) cells[i].bit[b] = ls_bits(a->values, byte)[b];
        cells[i].undef = ls_undef(a->values, byte);
    }
    for (size_t at = 0; at < size; at += CHUNK)
        write_cells(a, ls_address(a->values, to, (int64_t)at, NULL, 0), 1, size - at < CHUNK ? size - at : CHUNK, 1, cells);
}
