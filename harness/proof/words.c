/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/words.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rtlil.h"
#include "harness/base/text.h"
#include "harness/proof/cells.h"

#define OPEN UINT32_MAX       /* a literal that is not known yet */
#define BUSY (UINT32_MAX - 1) /* ... and is being made */
#define NONE UINT32_MAX
#define DEPTH_MOST 20000u /* of signals that depend on one another: each takes some of the stack */

/* What drives a bit. */
typedef struct source {
    enum { NOTHING, INPUT, REGISTER, CELL, PROCESS } kind;
    uint32_t number; /* the input's variable, the register, the cell, the first of the assignments */
    uint32_t place;  /* the bit of the cell's output, how many assignments */
} source;

typedef struct reg {
    uint32_t bit, from; /* what it becomes at an edge of the clock */
    uint32_t edge;      /* that sets it at once; NONE */
    uint32_t set_to;    /* then: 0 or 1 */
} reg;

/* A switch on a signal that is known: the literal that a case is the one that is done. */
typedef struct decision {
    uint32_t *when; /* NULL: not made yet */
    uint32_t other; /* the number of the case without values; NONE */
    bool plain;     /* all values are numbers, each once */
} decision;

/* What is known of signals, in a cycle, or while an edge's signal is on. */
typedef struct world {
    uint32_t *value; /* per bit */
    decision *decision;
    bool at_edge;
} world;

typedef struct work {
    const ls_il_module *m;
    ls_aig_maker maker;
    source *source;       /* per bit that stands for others */
    ls_il_assign *assign; /* by their targets */
    reg *reg;
    uint32_t regs, inputs;
    bool *is_clock;         /* per edge */
    uint32_t *memory_first; /* per memory: the variable of its first bit */
    world *world;
    uint32_t depth;
    char *error;
} work;

static void fail(work *w, char *text) {
    if (w->error == NULL) w->error = text;
    else free(text);
}

static uint32_t root(const work *w, uint32_t bit) { return w->m->same[bit]; }

/* The name of a signal, to be freed: one of the source's, if there is one. */
static char *name_of(const work *w, uint32_t bit) {
    const ls_il_wire *found = NULL;
    uint32_t at = 0;
    for (size_t i = 0; i < w->m->wire_count && (found == NULL || found->made_up); i++) {
        const ls_il_wire *wire = &w->m->wires[i];
        for (uint32_t b = 0; b < wire->width && (found == NULL || !wire->made_up); b++) {
            if (root(w, wire->first + b) != root(w, bit)) continue;
            found = wire;
            at = b;
        }
    }
    return found != NULL ? ls_format("%s[%u]", found->name, at) : ls_copy("a constant");
}

static uint32_t value(work *w, uint32_t bit);

/* Processes ------------------------------------------------------------------------------------------------------------------ */

/* The assignments of a bit before these, in cases around them: what it is when none of these is done. */
typedef struct before {
    const ls_il_assign *list;
    uint32_t count, in; /* those in the case */
    struct before *outer;
    uint32_t is; /* OPEN: not asked for yet; both sides of a choice may ask */
} before;

static uint32_t assigned(work *w, before *b);

/* The switch in the case `in` that an assignment stands in, and the number of its case there. */
static uint32_t switch_within(const work *w, const ls_il_assign *a, uint32_t in, uint32_t *place) {
    uint32_t at = a->in;
    while (w->m->switches[w->m->cases[at].in].in != in) at = w->m->switches[w->m->cases[at].in].in;
    *place = at;
    return w->m->cases[at].in;
}

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* One value of a case as a number; false: it is none. */
static bool number_of(const work *w, uint32_t first, uint32_t width, uint64_t *number) {
    *number = 0;
    for (uint32_t i = 0; i < width; i++) {
        const uint32_t bit = root(w, w->m->pool[first + i]);
        if (bit >= LS_IL_FIRST || bit == LS_IL_ANY) return false;
        *number |= (uint64_t)(bit == LS_IL_1) << i;
    }
    return width <= 64;
}

/* That the signal is a value of the case; from the highest bit on, as indices are compared. */
static uint32_t says(work *w, const ls_il_switch *s, const ls_il_case *c) {
    uint32_t none = 1;
    for (uint32_t k = 0; k < c->count; k++) {
        uint32_t same = 1;
        for (uint32_t i = s->width; i-- > 0 && same != 0;) {
            const uint32_t is = root(w, w->m->pool[c->first + k * s->width + i]);
            if (is == LS_IL_ANY) continue;
            same = ls_aig_and(&w->maker, same, ls_aig_xor(&w->maker, value(w, w->m->pool[s->first + i]), value(w, is)) ^ 1u);
        }
        none = ls_aig_and(&w->maker, none, same ^ 1u);
    }
    return none ^ 1u;
}

/* The cases of a switch in their order, to be freed: those inside of them stand between. */
static uint32_t *cases_of(const work *w, uint32_t number) {
    const ls_il_switch *s = &w->m->switches[number];
    uint32_t *list = ls_alloc(s->cases + 1, sizeof *list), found = 0;
    for (uint32_t i = s->in + 1; i < w->m->case_count && found < s->cases; i++)
        if (w->m->cases[i].in == number) list[found++] = i;
    return list;
}

static const decision *decide(work *w, uint32_t number) {
    const ls_il_switch *s = &w->m->switches[number];
    decision *d = &w->world->decision[number];
    if (d->when != NULL) return d;
    uint32_t *when = ls_alloc(s->cases + 1, sizeof *when), *list = cases_of(w, number), values = 0, none = 1;
    d->other = NONE;
    for (uint32_t i = 0; i < s->cases; i++) {
        const ls_il_case *c = &w->m->cases[list[i]];
        if (c->count == 0 && d->other == NONE) d->other = i;
        values += c->count;
    }
    uint64_t *numbers = ls_alloc(values + 1, sizeof *numbers);
    values = 0;
    d->plain = true;
    for (uint32_t i = 0; i < s->cases && i < d->other; i++)
        for (uint32_t k = 0; k < w->m->cases[list[i]].count; k++)
            d->plain &= number_of(w, w->m->cases[list[i]].first + k * s->width, s->width, &numbers[values++]);
    if (d->plain && values > 1) qsort(numbers, values, sizeof *numbers, by_number);
    for (uint32_t i = 1; i < values; i++) d->plain &= numbers[i] != numbers[i - 1];
    for (uint32_t i = 0; i < s->cases && w->error == NULL; i++) {
        const uint32_t says_so = i == d->other ? 1 : i < d->other ? says(w, s, &w->m->cases[list[i]]) : 0;
        when[i] = d->plain && i != d->other ? says_so : ls_aig_and(&w->maker, says_so, none);
        none = ls_aig_and(&w->maker, none, says_so ^ 1u);
    }
    free(numbers);
    free(list);
    free(d->when);
    d->when = when; /* not before: the values may depend on other switches */
    return d;
}

/* A case in which the bit is assigned to, and what it is then; one entry for each value when the signal chooses among numbers. */
typedef struct choice {
    uint64_t number;
    uint32_t first, count; /* assignments */
    uint32_t place, literal;
} choice;

static int by_choice(const void *a, const void *b) {
    const choice *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

typedef struct choosing {
    work *w;
    const ls_il_switch *s;
    uint32_t number;
    before *outer; /* of the case that has the switch: what was before it */
    const ls_il_assign *list;
    choice *choices;
    uint32_t count, otherwise; /* what it is in no listed case */
    const choice *other;       /* the case without values, when the bit is assigned to in it */
} choosing;

static uint32_t in_case(const choosing *c, const choice *one) {
    before within = {c->list + one->first, one->count, one->place, c->outer, OPEN};
    return assigned(c->w, &within);
}

static uint32_t otherwise(choosing *c) {
    if (c->otherwise == OPEN) c->otherwise = c->other != NULL ? in_case(c, c->other) : assigned(c->w, c->outer);
    return c->otherwise;
}

/* Among the choices from `first` on, whose numbers have the same bits from `bit` up. */
static uint32_t by_halves(choosing *c, uint32_t bit, uint32_t first, uint32_t count) {
    if (count == 0) return otherwise(c);
    if (bit == 0)
        return c->choices[first].literal != OPEN ? c->choices[first].literal
                                                 : (c->choices[first].literal = in_case(c, &c->choices[first]));
    uint32_t low = 0;
    while (low < count && (c->choices[first + low].number >> (bit - 1) & 1) == 0) low++;
    const uint32_t select = value(c->w, c->w->m->pool[c->s->first + bit - 1]);
    if (select == 1) return by_halves(c, bit - 1, first + low, count - low);
    if (select == 0) return by_halves(c, bit - 1, first, low);
    const uint32_t high = by_halves(c, bit - 1, first + low, count - low);
    return ls_aig_choose(&c->w->maker, select, high, by_halves(c, bit - 1, first, low));
}

/* Of the assignments of a bit that stand in cases of one switch. */
static uint32_t switched(work *w, uint32_t number, const ls_il_assign *list, uint32_t count, before *outer) {
    const ls_il_switch *s = &w->m->switches[number];
    const decision *d = decide(w, number);
    choosing c = {w, s, number, outer, list, NULL, 0, OPEN, NULL};
    if (w->error != NULL) return 0;
    choice *groups = NULL, other, *done = NULL;
    uint32_t group_count = 0, values = 0;
    for (uint32_t i = 0, n; i < count; i += n) {
        uint32_t place, next;
        (void)switch_within(w, &list[i], s->in, &place);
        for (n = 1; i + n < count && switch_within(w, &list[i + n], s->in, &next) == number && next == place; n++) continue;
        const choice one = {0, i, n, place, OPEN};
        if (w->m->cases[place].place == d->other) {
            other = one;
            c.other = &other;
        } else if (w->m->cases[place].place < d->other) {
            groups = ls_grow(groups, group_count, sizeof *groups);
            groups[group_count++] = one;
            values += w->m->cases[place].count;
        }
    }
    for (uint32_t i = 0; i < group_count && done == NULL; i++)
        if (d->when[w->m->cases[groups[i].place].place] == 1) done = &groups[i];
    /* Whether it is assigned to in each case that has values: no other leaves it as it was. */
    const bool all = group_count == (d->other != NONE ? d->other : s->cases);
    uint32_t result;
    if (done != NULL) result = in_case(&c, done);
    else if (d->plain && 2 * group_count >= s->cases && (all || c.other == NULL)) {
        c.choices = ls_alloc(values + 1, sizeof *c.choices);
        for (uint32_t i = 0; i < group_count; i++)
            for (uint32_t k = 0; k < w->m->cases[groups[i].place].count; k++) {
                c.choices[c.count] = groups[i];
                (void)number_of(w, w->m->cases[groups[i].place].first + k * s->width, s->width, &c.choices[c.count++].number);
            }
        if (c.count > 1) qsort(c.choices, c.count, sizeof *c.choices, by_choice);
        result = by_halves(&c, s->width, 0, c.count);
    } else {
        result = all || c.other == NULL ? otherwise(&c)
                                        : ls_aig_choose(&w->maker, d->when[d->other], in_case(&c, c.other), assigned(w, outer));
        for (uint32_t i = 0; i < group_count; i++) {
            const uint32_t when = d->when[w->m->cases[groups[i].place].place];
            if (when != 0) result = ls_aig_choose(&w->maker, when, in_case(&c, &groups[i]), result);
        }
    }
    free(groups);
    free(c.choices);
    return result;
}

/* What the bit is behind the last of its assignments. */
static uint32_t assigned(work *w, before *b) {
    if (w->error != NULL || b == NULL) return 0; /* nothing assigns to it: X */
    if (b->is != OPEN) return b->is;
    const ls_il_assign *last = b->count > 0 ? &b->list[b->count - 1] : NULL;
    if (last == NULL) b->is = assigned(w, b->outer);
    else if (last->in == b->in) b->is = value(w, last->from);
    else {
        uint32_t place, first = b->count - 1;
        const uint32_t number = switch_within(w, last, b->in, &place);
        while (first > 0 && b->list[first - 1].in != b->in && switch_within(w, &b->list[first - 1], b->in, &place) == number)
            first--;
        before earlier = {b->list, first, b->in, b->outer, OPEN};
        b->is = switched(w, number, b->list + first, b->count - first, &earlier);
    }
    return b->is;
}

/* Cells and memories --------------------------------------------------------------------------------------------------------- */

static bool is_read_port(const ls_il_cell *c) { return strcmp(c->type, "$memrd") == 0 || strcmp(c->type, "$memrd_v2") == 0; }

static const ls_il_pin *output_of(const ls_il_cell *c) { return ls_il_find_pin(c, is_read_port(c) ? "DATA" : "Y"); }

/* Cells that say something about a design, and drive nothing; what a memory begins with, where a proof begins anywhere. */
static bool is_silent(const ls_il_cell *c) {
    static const char *const types[] = {"$assert", "$assume", "$cover",   "$live",      "$fair",
                                        "$check",  "$print",  "$meminit", "$meminit_v2"};
    bool found = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) found |= strcmp(c->type, types[i]) == 0;
    return found;
}

static uint32_t *values_of(work *w, const ls_il_pin *pin, uint32_t *bits) {
    *bits = pin != NULL ? pin->width : 0;
    uint32_t *list = pin != NULL ? ls_alloc(*bits + 1, sizeof *list) : NULL;
    for (uint32_t i = 0; i < *bits; i++) list[i] = value(w, pin->bits[i]);
    return list;
}

static bool is_signed(const ls_il_cell *c, const char *param) {
    const char *text = ls_il_find_param(c, param);
    return text != NULL && text[0] != '\0' && text[strlen(text) - 1] == '1';
}

/* The number of the memory that "\\name" in quotes is, or name; memory_count: there is none. */
static size_t find_memory(const work *w, const char *name) {
    const size_t length = strlen(name);
    const bool quoted = length > 3 && name[0] == '"';
    const char *from = quoted ? name + 1 + 2 * (name[1] == '\\') : name;
    const size_t plain = quoted ? (size_t)(name + length - 1 - from) : length;
    size_t i = 0;
    while (i < w->m->memory_count && (strncmp(w->m->memories[i].name, from, plain) != 0 || w->m->memories[i].name[plain] != '\0'))
        i++;
    return i;
}

static uint32_t memory_literal(const work *w, size_t memory, uint64_t word, uint32_t bit) {
    return 2 * (w->memory_first[memory] + (uint32_t)word * w->m->memories[memory].width + bit);
}

/* The words from `low` on that the address's lower `bits` bits choose among; what is beyond the memory is X. */
static void read_words(work *w, size_t memory, uint64_t low, const uint32_t *address, uint32_t bits, uint32_t *out) {
    const ls_il_memory *m = &w->m->memories[memory];
    const uint64_t count = bits < 32 ? UINT64_C(1) << bits : UINT64_C(1) << 32;
    memset(out, 0, m->width * sizeof *out);
    if (low + count <= m->offset || low >= (uint64_t)m->offset + m->size) return;
    if (bits == 0) {
        for (uint32_t i = 0; i < m->width; i++) out[i] = memory_literal(w, memory, low - m->offset, i);
        return;
    }
    uint32_t *high = ls_alloc(m->width + 1, sizeof *high);
    if (address[bits - 1] != 0 && bits <= 32) read_words(w, memory, low + count / 2, address, bits - 1, high);
    if (address[bits - 1] != 1) read_words(w, memory, low, address, bits - 1, out);
    for (uint32_t i = 0; i < m->width; i++) out[i] = ls_aig_choose(&w->maker, address[bits - 1], high[i], out[i]);
    free(high);
}

static void make_cell(work *w, const ls_il_cell *cell) {
    const ls_il_pin *out = output_of(cell);
    ls_cell c = {.type = cell->type, .bits = out->width};
    uint32_t s_bits, *y = ls_alloc(out->width + 1, sizeof *y);
    if (is_read_port(cell)) {
        const char *name = ls_il_find_param(cell, "MEMID");
        const size_t memory = name != NULL ? find_memory(w, name) : w->m->memory_count;
        uint32_t *address = values_of(w, ls_il_find_pin(cell, "ADDR"), &c.a_bits);
        if (is_signed(cell, "CLK_ENABLE")) fail(w, ls_format("a read port of a memory has a clock: %s", cell->name));
        if (memory == w->m->memory_count || w->m->memories[memory].width != out->width)
            fail(w, ls_format("a read port of no memory: %s", cell->name));
        else if (w->error == NULL) read_words(w, memory, 0, address, c.a_bits, y);
        free(address);
    } else {
        uint32_t *a = values_of(w, ls_il_find_pin(cell, "A"), &c.a_bits), *b = values_of(w, ls_il_find_pin(cell, "B"), &c.b_bits),
                 *s = values_of(w, ls_il_find_pin(cell, "S"), &s_bits);
        c.a = a;
        c.b = b;
        c.s = s;
        c.a_signed = is_signed(cell, "A_SIGNED");
        c.b_signed = is_signed(cell, "B_SIGNED");
        if (w->error == NULL) ls_cell_make(&w->maker, &c, y);
        free(a);
        free(b);
        free(s);
    }
    for (uint32_t i = 0; i < out->width; i++) w->world->value[root(w, out->bits[i])] = y[i];
    free(y);
}

/* One bit of a cell whose bits do not depend on one another. */
static uint32_t make_bit(work *w, const ls_il_cell *cell, uint32_t at) {
    const ls_il_pin *a = ls_il_find_pin(cell, "A"), *b = ls_il_find_pin(cell, "B"), *s = ls_il_find_pin(cell, "S");
    const bool both = is_signed(cell, "A_SIGNED") && (b == NULL || is_signed(cell, "B_SIGNED"));
    const uint32_t select = s != NULL ? value(w, s->bits[0]) : 0;
    uint32_t in[2] = {0, 0}, y = 0;
    for (int i = 0; i < 2; i++) {
        const ls_il_pin *pin = i == 0 ? a : b;
        if (pin == NULL || pin->width == 0 || (s != NULL && select == (i == 0)))
            continue; /* a side that is not chosen may loop */
        if (at < pin->width || both) in[i] = value(w, pin->bits[at < pin->width ? at : pin->width - 1]);
    }
    const ls_cell c = {cell->type, &in[0], b != NULL ? &in[1] : NULL, &select, 1, 1, 1, false, false};
    if (w->error == NULL) ls_cell_make(&w->maker, &c, &y);
    return y;
}

/* ---------------------------------------------------------------------------------------------------------------------------- */

/* What a register shows: what sets it at once, or what it holds. */
static uint32_t shown(work *w, uint32_t number) {
    const reg *r = &w->reg[number];
    const uint32_t holds = 2 * (w->inputs + 1 + number);
    if (r->edge == NONE || w->world->at_edge) return holds;
    const ls_il_edge *e = &w->m->edges[r->edge];
    const uint32_t off = value(w, e->signal) ^ (uint32_t)e->rising;
    return r->set_to == 0 ? ls_aig_and(&w->maker, holds, off) : ls_aig_and(&w->maker, holds ^ 1u, off) ^ 1u;
}

static uint32_t value(work *w, uint32_t bit) {
    const uint32_t at = root(w, bit);
    if (at < LS_IL_FIRST) return at == LS_IL_1;
    uint32_t *known = &w->world->value[at];
    if (w->error != NULL) return 0;
    if (*known == BUSY || w->depth == DEPTH_MOST) {
        char *name = name_of(w, at);
        fail(w, ls_format(*known == BUSY ? "the RTL depends on itself in one cycle, or has a latch: %s"
                                         : "the RTL has more signals behind one another than can be followed: %s",
                          name));
        free(name);
        return 0;
    }
    if (*known != OPEN) return *known;
    const source *s = &w->source[at];
    *known = BUSY;
    w->depth++;
    uint32_t literal = 0;
    bool bitwise = true;
    switch (s->kind) {
    case NOTHING:
        break; /* nobody reads it */
    case INPUT:
        literal = 2 * s->number;
        break;
    case REGISTER:
        literal = shown(w, s->number);
        break;
    case CELL:
        (void)ls_cell_known(w->m->cells[s->number].type, &bitwise);
        if (bitwise && !is_read_port(&w->m->cells[s->number])) literal = make_bit(w, &w->m->cells[s->number], s->place);
        else {
            make_cell(w, &w->m->cells[s->number]);
            literal = *known;
        }
        break;
    case PROCESS: {
        uint32_t in = w->assign[s->number].in;
        while (w->m->cases[in].in != NONE) in = w->m->switches[w->m->cases[in].in].in;
        before all = {w->assign + s->number, s->place, in, NULL, OPEN};
        literal = assigned(w, &all);
        break;
    }
    }
    w->depth--;
    w->world->value[at] = literal;
    return literal;
}

/* What drives what ----------------------------------------------------------------------------------------------------------- */

static void drive(work *w, uint32_t bit, source s) {
    const uint32_t at = root(w, bit);
    if (at >= LS_IL_FIRST && w->source[at].kind == NOTHING) {
        w->source[at] = s;
        return;
    }
    char *name = name_of(w, bit);
    fail(w, ls_format("the RTL drives this twice: %s", name));
    free(name);
}

static int by_target(const void *a, const void *b) {
    const ls_il_assign *x = a, *y = b;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->in > y->in) - (x->in < y->in);
}

static void drive_processes(work *w) {
    const ls_il_module *m = w->m;
    const size_t count = m->assign_count;
    /* Assignments of a case stand before its switches, and of those to the same bit the last one wins. */
    w->assign = ls_alloc(count + 1, sizeof *w->assign);
    size_t *last = ls_alloc(m->bit_count, sizeof *last);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const ls_il_assign a = {root(w, m->assigns[i].to), m->assigns[i].from, m->assigns[i].in};
        if (last[a.to] > 0 && w->assign[last[a.to] - 1].in == a.in) w->assign[last[a.to] - 1] = a;
        else {
            w->assign[kept++] = a;
            last[a.to] = kept;
        }
    }
    free(last);
    if (kept > 1) qsort(w->assign, kept, sizeof *w->assign, by_target);
    for (uint32_t i = 0, n; i < kept; i += n) {
        for (n = 1; i + n < kept && w->assign[i + n].to == w->assign[i].to; n++) continue;
        drive(w, w->assign[i].to, (source){PROCESS, i, n});
    }
}

static void drive_cells(work *w) {
    for (size_t i = 0; i < w->m->cell_count && w->error == NULL; i++) {
        const ls_il_cell *c = &w->m->cells[i];
        bool bitwise;
        if (is_silent(c)) continue;
        const ls_il_pin *out = output_of(c);
        if (out == NULL || (!ls_cell_known(c->type, &bitwise) && !is_read_port(c))) {
            fail(w, ls_format("the RTL has a cell that cannot be followed: %s", c->type));
            return;
        }
        for (uint32_t b = 0; b < out->width; b++) drive(w, out->bits[b], (source){CELL, (uint32_t)i, b});
    }
}

/* Each process has an edge of the clock, and one that resets, or none. */
static void drive_registers(work *w, const char *name) {
    const ls_il_module *m = w->m;
    const ls_il_wire *clock = ls_il_find_wire(m, name);
    bool wrong = false;
    uint32_t processes = 0;
    for (size_t i = 0; i < m->edge_count; i++) processes = m->edges[i].process >= processes ? m->edges[i].process + 1 : processes;
    uint32_t *reset = ls_alloc(processes + 1, sizeof *reset), *clocks = ls_alloc(processes + 1, sizeof *clocks);
    for (uint32_t i = 0; i < processes; i++) reset[i] = NONE;
    for (uint32_t i = 0; i < m->edge_count; i++) {
        const ls_il_edge *e = &m->edges[i];
        w->is_clock[i] = e->rising && clock != NULL && root(w, e->signal) == root(w, clock->first);
        if (w->is_clock[i]) clocks[e->process]++;
        else if (reset[e->process] == NONE) reset[e->process] = i;
        else wrong = true;
    }
    for (uint32_t i = 0; i < m->edge_count; i++) wrong |= clocks[m->edges[i].process] != 1;
    if (wrong) fail(w, ls_format("flip-flops of the RTL are not clocked by the rising edge of %s", name));
    w->reg = ls_alloc(m->update_count + 1, sizeof *w->reg);
    for (size_t i = 0; i < m->update_count && w->error == NULL; i++) {
        const ls_il_update *u = &m->updates[i];
        if (!w->is_clock[u->edge]) continue;
        drive(w, u->to, (source){REGISTER, w->regs, 0});
        w->reg[w->regs++] = (reg){root(w, u->to), u->from, reset[m->edges[u->edge].process], 0};
    }
    free(reset);
    free(clocks);
}

static void mark(const work *w, bool *read, const uint32_t *bits, size_t count) {
    for (size_t i = 0; i < count; i++) read[root(w, bits[i])] = true;
}

/* Ports, and nets that are read and that nothing drives. */
static void drive_inputs(work *w, ls_aig *aig) {
    const ls_il_module *m = w->m;
    bool *read = ls_alloc(m->bit_count, sizeof *read);
    for (size_t i = 0; i < m->cell_count; i++)
        for (uint32_t p = 0; p < m->cells[i].pin_count && !is_silent(&m->cells[i]); p++)
            mark(w, read, m->cells[i].pins[p].bits, m->cells[i].pins[p].width);
    mark(w, read, m->pool, m->pool_count);
    for (size_t i = 0; i < m->assign_count; i++) mark(w, read, &m->assigns[i].from, 1);
    for (size_t i = 0; i < m->update_count; i++) mark(w, read, &m->updates[i].from, 1);
    for (size_t i = 0; i < m->edge_count; i++) mark(w, read, &m->edges[i].signal, 1);
    for (size_t i = 0; i < m->wire_count; i++)
        for (uint32_t b = 0; b < m->wires[i].width && m->wires[i].output; b++) read[root(w, m->wires[i].first + b)] = true;
    for (size_t i = 0; i < 2 * m->wire_count; i++) {
        const ls_il_wire *wire = &m->wires[i % m->wire_count];
        const bool ports = i < m->wire_count; /* first: a wire that is connected to one has its name */
        for (uint32_t b = 0; b < wire->width && wire->input >= ports; b++) {
            const uint32_t at = root(w, wire->first + b);
            if (!ports && (at < LS_IL_FIRST || !read[at] || w->source[at].kind != NOTHING)) continue;
            drive(w, at, (source){INPUT, aig->inputs + 1, 0});
            aig->input_names = ls_grow(aig->input_names, aig->inputs, sizeof *aig->input_names);
            aig->input_names[aig->inputs++] = ls_format("%s[%u]", wire->name, b);
        }
    }
    free(read);
}

/* Graphs --------------------------------------------------------------------------------------------------------------------- */

static world world_make(const work *w, bool at_edge) {
    world all = {ls_alloc(w->m->bit_count, sizeof *all.value), ls_alloc(w->m->switch_count + 1, sizeof *all.decision), at_edge};
    for (uint32_t i = 0; i < w->m->bit_count; i++) all.value[i] = OPEN;
    return all;
}

static void world_free(const work *w, world *all) {
    for (size_t i = 0; i < w->m->switch_count; i++) free(all->decision[i].when);
    free(all->decision);
    free(all->value);
}

/* What the edge number `edge`, and others like it, set registers to: constants. Nothing is written then. */
static void find_set(work *w, uint32_t edge, bool *done) {
    const ls_il_module *m = w->m;
    const ls_il_edge *e = &m->edges[edge];
    world all = world_make(w, true);
    bool *alike = ls_alloc(m->edge_count + 1, sizeof *alike);
    uint32_t *to = ls_alloc(m->bit_count, sizeof *to);
    w->world = &all;
    all.value[root(w, e->signal)] = e->rising;
    for (uint32_t i = edge; i < m->edge_count; i++)
        alike[i] = m->edges[i].rising == e->rising && root(w, m->edges[i].signal) == root(w, e->signal);
    for (size_t i = 0; i < m->update_count; i++) {
        if (!alike[m->updates[i].edge]) continue;
        to[root(w, m->updates[i].to)] = value(w, m->updates[i].from);
    }
    for (uint32_t i = 0; i < w->regs; i++) {
        reg *r = &w->reg[i];
        if (r->edge == NONE || !alike[r->edge]) continue;
        r->set_to = to[r->bit];
        if (r->set_to == 2 * (w->inputs + 1 + i)) r->edge = NONE; /* it keeps what it holds */
        if (r->set_to < 2 || r->edge == NONE) continue;
        char *name = name_of(w, r->bit);
        fail(w, ls_format("an asynchronous reset sets this to no constant: %s", name));
        free(name);
    }
    for (size_t i = 0; i < m->write_count; i++)
        for (uint32_t b = 0; b < m->writes[i].width && alike[m->writes[i].edge]; b++)
            if (value(w, m->pool[m->writes[i].enable + b]) != 0)
                fail(w, ls_format("an asynchronous reset writes to a memory: %s", m->writes[i].memory));
    for (uint32_t i = edge; i < m->edge_count; i++) done[i] |= alike[i];
    world_free(w, &all);
    free(alike);
    free(to);
}

/* The next state of a memory's words: later writes win. */
static void next_words(work *w, size_t memory, uint32_t *next) {
    const ls_il_memory *m = &w->m->memories[memory];
    const uint32_t first = w->memory_first[memory];
    for (uint32_t i = 0; i < m->size * m->width; i++) next[i] = 2 * (first + i);
    for (size_t k = 0; k < w->m->write_count && w->error == NULL; k++) {
        const ls_il_write *write = &w->m->writes[k];
        if (!w->is_clock[write->edge] || find_memory(w, write->memory) != memory) continue;
        if (write->width != m->width) fail(w, ls_format("a write of another width than its memory: %s", m->name));
        for (uint32_t word = 0; word < m->size && w->error == NULL; word++) {
            const uint64_t number = (uint64_t)word + m->offset;
            uint32_t here = write->address_width < 64 && number >> write->address_width != 0 ? 0 : 1;
            for (uint32_t i = write->address_width; i-- > 0 && here != 0;)
                here = ls_aig_and(&w->maker, here,
                                  value(w, w->m->pool[write->address + i]) ^ (i < 64 && (number >> i & 1) == 1 ? 0 : 1));
            for (uint32_t b = 0; b < m->width && here != 0; b++) {
                uint32_t *bit = &next[word * m->width + b];
                const uint32_t when = ls_aig_and(&w->maker, here, value(w, w->m->pool[write->enable + b]));
                *bit = ls_aig_choose(&w->maker, when, value(w, w->m->pool[write->data + b]), *bit);
            }
        }
    }
}

static void add_name(ls_aig *aig, char *name, uint32_t index, uint32_t literal) {
    aig->names = ls_grow(aig->names, aig->name_count, sizeof *aig->names);
    aig->names[aig->name_count++] = (ls_aig_name){name, index, literal};
}

/* What is asked for: outputs and what has a name of the source's. */
static void make_graph(work *w, ls_aig *aig) {
    const ls_il_module *m = w->m;
    world all = world_make(w, false);
    w->world = &all;
    aig->next = ls_alloc(aig->latches + 1, sizeof *aig->next);
    for (uint32_t i = 0; i < aig->latches; i++) aig->next[i] = 2 * (aig->inputs + 1 + i);
    for (size_t i = 0; i < m->wire_count && w->error == NULL; i++) {
        const ls_il_wire *wire = &m->wires[i];
        for (uint32_t b = 0; b < wire->width && !wire->made_up; b++) {
            const uint32_t at = root(w, wire->first + b);
            const source *s = &w->source[at];
            if (wire->output) {
                aig->output = ls_grow(aig->output, aig->outputs, sizeof *aig->output);
                aig->output_names = ls_grow(aig->output_names, aig->outputs, sizeof *aig->output_names);
                aig->output[aig->outputs] = value(w, at);
                aig->output_names[aig->outputs++] = ls_format("%s[%u]", wire->name, b);
            }
            if (at < LS_IL_FIRST || (s->kind != REGISTER && s->kind != INPUT)) continue;
            add_name(aig, ls_copy(wire->name), b, value(w, at));
            if (s->kind == REGISTER) aig->next[s->number] = value(w, w->reg[s->number].from);
        }
    }
    for (size_t i = 0; i < m->memory_count; i++) {
        next_words(w, i, &aig->next[w->memory_first[i] - aig->inputs - 1]);
        for (uint32_t word = 0; word < m->memories[i].size; word++)
            for (uint32_t b = 0; b < m->memories[i].width; b++)
                add_name(aig, ls_format("%s[%u]", m->memories[i].name, word + m->memories[i].offset), b,
                         memory_literal(w, i, word, b));
    }
    world_free(w, &all);
    aig->gates = w->maker.gates;
    aig->gate = w->maker.gate;
    w->maker.gate = NULL;
    ls_aig_sort(aig);
}

char *ls_words_read(const char *path, const char *module, const char *clock, ls_aig *aig) {
    work w = {0};
    ls_il il = {0};
    *aig = (ls_aig){0};
    if (ls_il_read(path, true, &il, &w.error) == 0) {
        w.m = ls_il_find(&il, module);
        if (w.m == NULL) fail(&w, ls_format("%s: no module %s", path, module));
    }
    if (w.error == NULL) {
        const ls_il_module *m = w.m;
        bool *done = ls_alloc(m->edge_count + 1, sizeof *done);
        w.source = ls_alloc(m->bit_count, sizeof *w.source);
        w.is_clock = ls_alloc(m->edge_count + 1, sizeof *w.is_clock);
        w.memory_first = ls_alloc(m->memory_count + 1, sizeof *w.memory_first);
        drive_cells(&w);
        drive_processes(&w);
        drive_registers(&w, clock);
        drive_inputs(&w, aig);
        w.inputs = aig->inputs;
        aig->latches = w.regs;
        for (size_t i = 0; i < m->memory_count; i++) {
            w.memory_first[i] = aig->inputs + aig->latches + 1;
            aig->latches += m->memories[i].size * m->memories[i].width;
        }
        ls_aig_begin(&w.maker, aig->inputs, aig->latches);
        for (uint32_t i = 0; i < m->edge_count && w.error == NULL; i++)
            if (!w.is_clock[i] && !done[i]) find_set(&w, i, done);
        if (w.error == NULL) make_graph(&w, aig);
        free(done);
    }
    ls_il_free(&il);
    ls_aig_drop(&w.maker);
    free(w.source);
    free(w.assign);
    free(w.reg);
    free(w.is_clock);
    free(w.memory_first);
    if (w.error != NULL) ls_aig_free(aig);
    return w.error;
}
