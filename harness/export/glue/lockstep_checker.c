/* SPDX-License-Identifier: Apache-2.0 */
#include "lockstep_checker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENT_WORDS 32u /* of 32 bits: no element has more than 1,024 bits */
#define LINES 24u         /* that wait to be fetched */
#define LINE_SIZE 1400u

/* A memory beside the model's own. */
typedef struct memory {
    const lockstep_field *field; /* an element is a row */
    uint8_t *before;             /* the model's rows before the edge */
    uint8_t *known;              /* per row: it had no X when it was last put */
    uint32_t *touched;           /* rows to be compared after the edge, */
    uint32_t touched_count;      /* how many */
    uint32_t sweep;              /* the row that is compared whatever is written */
} memory;

struct lockstep {
    const lockstep_unit *unit;
    char *path;
    void *model, *in, *out;
    lockstep_bits *dut[3]; /* words of each kind, as they were put */
    uint32_t *own[3];      /* the model's, to be compared with them */
    uint32_t word_size[3]; /* 32-bit words of a word */
    memory *memories;
    int pass_unknown, contents, was_reset;
    uint64_t edges;       /* from the first one in reset: the last was that of cycle edges - 1, */
    uint64_t time;        /* ... then */
    uint64_t compared;    /* bits */
    uint32_t differing;   /* fields of this cycle */
    uint64_t differences; /* lines of all cycles */
    uint64_t cycles;      /* compared without reset */
    char lines[LINES][LINE_SIZE];
    uint32_t line_count, line_next;
};

static void *zeroed(size_t size) {
    const size_t whole = (size / 64 + 2) * 64; /* aligned as models may want it */
    void *p = aligned_alloc(64, whole);
    if (p != NULL) memset(p, 0, whole);
    return p;
}

static lockstep_bits *dut_word(const lockstep *l, const lockstep_field *f) {
    return l->dut[f->kind] + (size_t)f->word * l->word_size[f->kind];
}

static uint32_t *own_word(const lockstep *l, const lockstep_field *f) {
    return l->own[f->kind] + (size_t)f->word * l->word_size[f->kind];
}

/* ---- bits ---- */

static uint32_t mask(uint32_t bits) { return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1; }

/* `bits` bits from bit `at` of `from` to the low end of `to`. */
static void get_bits(const lockstep_bits *from, uint32_t at, uint32_t bits, lockstep_bits *to) {
    const uint32_t shift = at % 32;
    for (uint32_t done = 0, w = at / 32; done < bits; done += 32, w++, to++) {
        *to = (lockstep_bits){from[w].value >> shift, from[w].unknown >> shift};
        if (shift > 0 && bits - done > 32 - shift) {
            to->value |= from[w + 1].value << (32 - shift);
            to->unknown |= from[w + 1].unknown << (32 - shift);
        }
        to->value &= mask(bits - done);
        to->unknown &= mask(bits - done);
    }
}

/* The other way; these bits of `to` are 0. */
static void put_bits(uint32_t *to, uint32_t at, uint32_t bits, const uint32_t *from) {
    const uint32_t shift = at % 32;
    for (uint32_t done = 0, w = at / 32; done < bits; done += 32, w++, from++) {
        const uint32_t value = *from & mask(bits - done);
        to[w] |= value << shift;
        if (shift > 0 && bits - done > 32 - shift) to[w + 1] |= value >> (32 - shift);
    }
}

/* ---- elements: number `i` of a field, counted through all records ---- */

static uint32_t elements(const lockstep_field *f) { return f->records * f->count; }

/* The lowest bit of one, from where its field begins. */
static uint32_t bit_of(const lockstep_field *f, uint32_t i) {
    return i / f->count * f->record_bits + f->low + i % f->count * f->bits;
}

static uint8_t *place_of(const lockstep_field *f, void *in, uint32_t i) {
    return (uint8_t *)in + f->offset + (size_t)(i / f->count) * f->record_bytes + (size_t)(i % f->count) * f->bytes;
}

static void model_element(const lockstep_field *f, void *in, uint32_t i, uint32_t *words) {
    memset(words, 0, ELEMENT_WORDS * sizeof *words);
    memcpy(words, place_of(f, in, i), f->bytes); /* little-endian */
}

static void store_element(const lockstep_field *f, void *in, uint32_t i, const lockstep_bits *bits) {
    uint32_t words[ELEMENT_WORDS] = {0};
    for (uint32_t w = 0; w * 32 < f->bits; w++) words[w] = bits[w].value & ~bits[w].unknown;
    memcpy(place_of(f, in, i), words, f->bytes);
}

static void *side(const lockstep *l, int kind) { return kind == LOCKSTEP_IN ? l->in : kind == LOCKSTEP_OUT ? l->out : l->model; }

/* ---- lines ---- */

static void hex(const uint32_t *value, const uint32_t *unknown, uint32_t bits, char *text) {
    uint32_t d = (bits + 3) / 4;
    while (d > 1 && ((value[(d - 1) / 8] | unknown[(d - 1) / 8]) >> (d - 1) % 8 * 4 & 0xf) == 0) d--;
    while (d-- > 0)
        *text++ = (unknown[d / 8] >> d % 8 * 4 & 0xf) != 0 ? 'x' : "0123456789abcdef"[value[d / 8] >> d % 8 * 4 & 0xf];
    *text = '\0';
}

static char *new_line(lockstep *l) { return l->line_count - l->line_next < LINES ? l->lines[l->line_count++ % LINES] : NULL; }

static void report_difference(lockstep *l, const lockstep_field *f, uint32_t i, const lockstep_bits *dut, const uint32_t *own) {
    static const char *const kinds[] = {"input port", "output port", "register", "memory"};
    uint32_t value[ELEMENT_WORDS] = {0}, unknown[ELEMENT_WORDS] = {0}, both[ELEMENT_WORDS] = {0};
    const uint32_t none[ELEMENT_WORDS] = {0};
    char rtl[300], model[300], differ[300], index[16] = "";
    l->differing++;
    l->differences++;
    char *line = new_line(l);
    if (line == NULL) return;
    for (uint32_t w = 0; w * 32 < f->bits; w++) {
        value[w] = dut[w].value;
        unknown[w] = dut[w].unknown;
        both[w] = (dut[w].value ^ own[w]) & mask(f->bits - w * 32);
    }
    hex(value, unknown, f->bits, rtl);
    hex(own, none, f->bits, model);
    hex(both, unknown, f->bits, differ);
    if (elements(f) > 1) (void)snprintf(index, sizeof index, "[%" PRIu32 "]", i);
    (void)snprintf(line, LINE_SIZE, "mismatch  %s %s: cycle %" PRIu64 ", time %" PRIu64 ": %s %s%s: RTL %s, model %s, XOR %s",
                   l->unit->name, l->path, l->edges - 1, l->time, kinds[f->kind], f->name, index, rtl, model, differ);
}

const char *lockstep_line(lockstep *l) { return l->line_next < l->line_count ? l->lines[l->line_next++ % LINES] : ""; }

/* ---- comparing ---- */

static int differs(const lockstep *l, const lockstep_bits *dut, uint32_t own) {
    return l->pass_unknown ? ((dut->value ^ own) & ~dut->unknown) != 0 : dut->value != own || dut->unknown != 0;
}

/* One element, that lies at `at` of `dut`. */
static void compare_element(lockstep *l, const lockstep_field *f, uint32_t i, const lockstep_bits *dut, uint32_t at) {
    lockstep_bits part[ELEMENT_WORDS + 1];
    uint32_t own[ELEMENT_WORDS];
    int differ = 0;
    get_bits(dut, at, f->bits, part);
    model_element(f, side(l, f->kind), i, own);
    for (uint32_t w = 0; w * 32 < f->bits; w++) differ |= differs(l, &part[w], own[w]);
    if (differ) report_difference(l, f, i, part, own);
}

/* All fields of a kind: at once, and one by one when something differs. */
static void compare_kind(lockstep *l, int kind) {
    const lockstep_unit *u = l->unit;
    const size_t size = (size_t)u->words[kind] * l->word_size[kind];
    int differ = 0;
    memset(l->own[kind], 0, size * sizeof *l->own[kind]);
    for (const lockstep_field *f = u->fields; f < u->fields + u->field_count; f++) {
        for (uint32_t i = 0; f->kind == kind && i < elements(f); i++) {
            uint32_t words[ELEMENT_WORDS];
            model_element(f, side(l, kind), i, words);
            put_bits(own_word(l, f), f->at + bit_of(f, i), f->bits, words);
        }
    }
    for (size_t w = 0; w < size; w++) differ |= differs(l, &l->dut[kind][w], l->own[kind][w]);
    l->compared += (uint64_t)u->words[kind] * u->bits[kind];
    for (const lockstep_field *f = u->fields; differ && f < u->fields + u->field_count; f++)
        for (uint32_t i = 0; f->kind == kind && i < elements(f); i++)
            compare_element(l, f, i, dut_word(l, f), f->at + bit_of(f, i));
}

/* ---- memories ---- */

static uint8_t *row_of(const lockstep *l, const memory *m, uint32_t row) { return place_of(m->field, l->model, row); }

/* Which rows the model wrote. */
static void find_touched(lockstep *l) {
    for (uint32_t k = 0; k < l->unit->memories; k++) {
        memory *m = &l->memories[k];
        m->touched_count = 0;
        for (uint32_t row = 0; row < m->field->count; row++) {
            uint8_t *before = m->before + (size_t)row * m->field->bytes, *now = row_of(l, m, row);
            if (memcmp(before, now, m->field->bytes) == 0) continue;
            memcpy(before, now, m->field->bytes);
            m->touched[m->touched_count++] = row;
        }
        m->sweep = (m->sweep + 1) % m->field->count;
    }
}

static void keep_memories(lockstep *l) {
    for (uint32_t k = 0; k < l->unit->memories; k++)
        memcpy(l->memories[k].before, row_of(l, &l->memories[k], 0),
               (size_t)l->memories[k].field->count * l->memories[k].field->bytes);
}

int lockstep_wants_memories(const lockstep *l, int in_reset) {
    return l->unit->memories > 0 && l->edges > 0 && !l->contents && !in_reset;
}

uint32_t lockstep_rows(const lockstep *l, uint32_t number, int all) {
    const memory *m = &l->memories[number];
    return !l->contents || l->unit->ports_only ? 0 : all || !l->unit->swept ? m->field->count : m->touched_count + 1;
}

uint32_t lockstep_row(const lockstep *l, uint32_t number, uint32_t i, int all) {
    const memory *m = &l->memories[number];
    return all || !l->unit->swept ? i : i < m->touched_count ? m->touched[i] : m->sweep;
}

void lockstep_put_row(lockstep *l, uint32_t number, uint32_t row, const lockstep_bits *bits) {
    memory *m = &l->memories[number];
    const lockstep_field *f = m->field;
    lockstep_bits part[ELEMENT_WORDS + 1];
    uint32_t unknown = 0;
    if (row >= f->count) return;
    get_bits(bits, 0, f->bits, part);
    for (uint32_t w = 0; w * 32 < f->bits; w++) unknown |= part[w].unknown;
    m->known[row] |= unknown == 0;
    if (!l->contents) {
        store_element(f, l->model, row, part);
    } else if (m->known[row]) {
        compare_element(l, f, row, bits, 0);
        l->compared += f->bits;
    }
}

/* ---- a cycle ---- */

lockstep *lockstep_open(const lockstep_unit *unit, const char *path) {
    lockstep *l = zeroed(sizeof *l);
    if (l == NULL) return NULL;
    l->unit = unit;
    l->path = zeroed(strlen(path) + 1);
    l->model = zeroed(unit->model_size);
    l->in = zeroed(unit->in_size);
    l->out = zeroed(unit->out_size);
    l->memories = zeroed((unit->memories + 1) * sizeof *l->memories);
    if (l->path == NULL || l->model == NULL || l->in == NULL || l->out == NULL || l->memories == NULL) return NULL;
    memcpy(l->path, path, strlen(path) + 1);
    char *checker = strstr(l->path, "." LOCKSTEP_INSTANCE);
    if (checker != NULL) *checker = '\0';
    for (int kind = LOCKSTEP_IN; kind <= LOCKSTEP_REGISTER; kind++) {
        l->word_size[kind] = unit->bits[kind] / 32 + 2;
        l->dut[kind] = zeroed((size_t)unit->words[kind] * l->word_size[kind] * sizeof *l->dut[kind]);
        l->own[kind] = zeroed((size_t)unit->words[kind] * l->word_size[kind] * sizeof *l->own[kind]);
        if (l->dut[kind] == NULL || l->own[kind] == NULL) return NULL;
    }
    for (const lockstep_field *f = unit->fields; f < unit->fields + unit->field_count; f++) {
        if (f->kind != LOCKSTEP_MEMORY) continue;
        memory *m = &l->memories[f->word];
        m->field = f;
        m->before = zeroed((size_t)m->field->count * m->field->bytes);
        m->known = zeroed(m->field->count);
        m->touched = zeroed(m->field->count * sizeof *m->touched);
        if (m->before == NULL || m->known == NULL || m->touched == NULL) return NULL;
    }
    if (unit->init(l->model, unit->cfg) != 0) return NULL;
    return l;
}

void lockstep_pass_unknown(lockstep *l, int pass) { l->pass_unknown = pass; }

void lockstep_put(lockstep *l, int kind, uint32_t word, const lockstep_bits *bits) {
    memcpy(l->dut[kind] + (size_t)word * l->word_size[kind], bits, (l->unit->bits[kind] + 31) / 32 * sizeof *bits);
}

static void take_inputs(lockstep *l) {
    for (const lockstep_field *f = l->unit->fields; f < l->unit->fields + l->unit->field_count; f++) {
        for (uint32_t i = 0; f->kind == LOCKSTEP_IN && i < elements(f); i++) {
            lockstep_bits part[ELEMENT_WORDS + 1];
            get_bits(dut_word(l, f), f->at + bit_of(f, i), f->bits, part);
            store_element(f, l->in, i, part);
        }
    }
}

uint32_t lockstep_edge(lockstep *l, int in_reset, uint64_t time) {
    const lockstep_unit *u = l->unit;
    l->differing = 0;
    if (u->clocked && l->edges == 0 && !in_reset) return 0;
    l->edges++;
    l->time = time;
    if (in_reset) u->reset(l->model);
    else if (u->memories > 0 && !l->contents) {
        l->contents = 1;
        keep_memories(l);
    }
    take_inputs(l);
    u->comb(l->model, l->in, l->out);
    if (!in_reset || l->was_reset) compare_kind(l, LOCKSTEP_OUT); /* in its first cycle a reset may not have come through */
    l->was_reset = in_reset;
    if (in_reset) return l->differing;
    u->clock(l->model, l->in);
    find_touched(l);
    l->cycles++;
    return l->differing;
}

uint32_t lockstep_settled(lockstep *l, int reset_began) {
    if (l->edges == 0) return 0;
    if (!reset_began || l->was_reset) compare_kind(l, LOCKSTEP_REGISTER);
    const uint32_t differing = l->differing;
    l->differing = 0;
    return differing;
}

int lockstep_end(lockstep *l) {
    char *line = new_line(l);
    if (line != NULL && l->cycles == 0 && l->differences == 0)
        (void)snprintf(line, LINE_SIZE, "lockstep  %s %s: nothing was compared: no rising edge without reset after one in reset",
                       l->unit->name, l->path);
    else if (line != NULL)
        (void)snprintf(line, LINE_SIZE,
                       "lockstep  %s %s: %" PRIu64 " cycles compared, %" PRIu64 " bits, %" PRIu64 " difference%s", l->unit->name,
                       l->path, l->cycles, l->compared, l->differences, l->differences == 1 ? "" : "s");
    return l->cycles > 0 && l->differences == 0 ? 0 : 1;
}

void lockstep_close(lockstep *l) {
    for (uint32_t i = 0; i < l->unit->memories; i++) {
        free(l->memories[i].before);
        free(l->memories[i].known);
        free(l->memories[i].touched);
    }
    for (int kind = LOCKSTEP_IN; kind <= LOCKSTEP_REGISTER; kind++) {
        free(l->dut[kind]);
        free(l->own[kind]);
    }
    free(l->memories);
    free(l->path);
    free(l->model);
    free(l->in);
    free(l->out);
    free(l);
}
