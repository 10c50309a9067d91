/* SPDX-License-Identifier: Apache-2.0 */
/* The model runs; the netlist's gates are evaluated beside it, many cycles at once, from the model's registers and inputs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/liberty_function.h"
#include "harness/base/memory.h"
#include "harness/core/map.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/core/source.h"
#include "harness/energy/energy.h"
#include "harness/netlist/gates.h"

#define W LS_ENERGY_WORDS
#define CYCLES (64u * W)
#define COPY 4u /* beside ls_liberty_op */

typedef struct word {
    uint64_t at[W]; /* a bit a cycle */
} word;

/* 8 bytes of one of the model's structs, in each cycle of a block. */
typedef struct lane {
    ls_kind kind;
    size_t offset;
    uint32_t size;
    uint64_t value[CYCLES];
} lane;

typedef struct bound { /* a bit of a lane and a net */
    uint32_t lane, bit, net;
    bool invert; /* the net is its inverse */
} bound;

typedef struct instruction {
    uint32_t op, to, a, b;
} instruction;

/* Values of a flip-flop: places in `values`. LS_MAPPED_NONE: there is none. */
typedef struct flop {
    uint32_t cell, state, next, clear, preset;
    uint32_t q, qn; /* nets */
    bool named;     /* the model knows its state; else it follows from the block before, cycle by cycle */
    bool carry;     /* the next state in the block's last cycle */
} flop;

typedef struct named_wire {
    char *name; /* as the field list has it */
    const ls_il_wire *wire;
} named_wire;

typedef struct run {
    const ls_mapped *d;
    const ls_energy_request *rq;
    ls_energy_counts *counts;
    void *model, *in, *out;
    ls_fields fields;
    named_wire *wires;
    size_t wire_count;
    lane *lanes;
    size_t lane_count;
    bound *sources, *outputs;
    size_t source_count, output_count;
    instruction *code;
    size_t code_count, logic_end; /* behind it: next states, clears and presets */
    flop *flops;
    word *values; /* nets, then flip-flops' states, next states, then results of steps */
    uint32_t value_count;
    uint8_t *last; /* by net: its value in the last cycle of the block before */
    uint32_t reset_net;
    bool unnamed;   /* some flip-flop has no name */
    bool follows;   /* the block continues the one before: toggles count */
    bool carried;   /* the flip-flops' carries are of the cycle before: not in the run's first */
    uint64_t cycle; /* of the run, of the block's first */
    char *error;
    ls_energy_status status;
} run;

static bool fail(run *r, ls_energy_status status, char *text) {
    if (r->error == NULL) {
        r->error = text;
        r->status = status;
    } else {
        free(text);
    }
    return false;
}

/* ---- what the netlist's names are in the model ---- */

static int by_name(const void *a, const void *b) { return strcmp(((const named_wire *)a)->name, ((const named_wire *)b)->name); }

static char *plain_name(const char *name) {
    char *plain = ls_copy(name);
    (void)ls_il_drop_scopes(plain);
    return plain;
}

static void list_wires(run *r) {
    const ls_il_module *top = r->d->top;
    r->wires = ls_alloc(top->wire_count + 1, sizeof *r->wires);
    for (size_t i = 0; i < top->wire_count; i++)
        if (!top->wires[i].made_up) r->wires[r->wire_count++] = (named_wire){plain_name(top->wires[i].name), &top->wires[i]};
    qsort(r->wires, r->wire_count, sizeof *r->wires, by_name);
}

static const ls_il_wire *wire_of(const run *r, char *name) {
    const named_wire key = {.name = name}, *found = bsearch(&key, r->wires, r->wire_count, sizeof key, by_name);
    return found != NULL ? found->wire : NULL;
}

/* The lane of a bit of an element; *bit becomes its place there. */
static uint32_t add_lane(run *r, const ls_field *f, uint32_t element, uint32_t *bit) {
    size_t offset = f->offset + (size_t)element * f->size + 8u * (*bit / 64);
    uint32_t left = f->size - 8 * (*bit / 64);
    for (uint32_t i = 0; i < f->member_count; i++) {
        const ls_member *m = &f->members[i];
        if (*bit < m->low || *bit >= m->low + m->bits * m->count) continue;
        offset = f->offset + (size_t)element * f->size + m->offset + (*bit - m->low) / m->bits * (size_t)m->size;
        left = m->size;
        *bit = (*bit - m->low) % m->bits;
        break;
    }
    *bit %= 64;
    if (r->lane_count > 0 && r->lanes[r->lane_count - 1].offset == offset && r->lanes[r->lane_count - 1].kind == f->kind)
        return (uint32_t)r->lane_count - 1;
    r->lanes = ls_grow(r->lanes, r->lane_count, sizeof *r->lanes);
    lane *l = &r->lanes[r->lane_count++];
    l->kind = f->kind;
    l->offset = offset;
    l->size = left < 8 ? left : 8;
    return (uint32_t)r->lane_count - 1;
}

/* Whether the model must give this net's value: an input, or what a flip-flop or macro drives. */
static bool is_source(const run *r, uint32_t net) {
    const ls_mapped_net *n = &r->d->nets[net];
    if (net < 2 || n->clock) return false;
    if (n->driver == LS_MAPPED_NONE) return true;
    const ls_mapped_cell *c = &r->d->cells[n->driver];
    return c->type == NULL || c->type->flop;
}

/* `bits` bits, and where they lie: from bit `at` of a field on, through its elements; in an element of a signal of the RTL. */
typedef struct part {
    const char *signal;
    uint32_t width, count; /* of the signal's elements; how many */
    uint32_t element, low, at, bits;
    bool invert;
} part;

static void bind_part(run *r, uint32_t index, const part *p, bool *bound_nets) {
    const ls_field *f = &r->fields.list[index];
    char *name = ls_copy(p->signal), *one = ls_format("%s[%u]", p->signal, p->element);
    const ls_il_wire *wire = wire_of(r, name), *whole = wire != NULL && wire->width == p->width * p->count ? wire : NULL;
    wire = whole != NULL ? whole : wire_of(r, one);
    free(name);
    free(one);
    if (wire == NULL || (whole == NULL && wire->width != p->width)) return;
    for (uint32_t b = 0; b < p->bits; b++) {
        const uint32_t same = r->d->top->same[wire->first + (whole != NULL ? p->element * p->width : 0) + p->low + b];
        const uint32_t net = same < LS_IL_FIRST ? same == LS_IL_1 : r->d->net_of[same];
        if (net == LS_MAPPED_NONE) continue;
        const bool output = f->kind == LS_OUT;
        if (!output && (!is_source(r, net) || bound_nets[net])) continue;
        uint32_t bit = (p->at + b) % f->bits;
        const uint32_t in = add_lane(r, f, (p->at + b) / f->bits, &bit);
        const bound at = {in, bit, net, p->invert};
        bound **list = output ? &r->outputs : &r->sources;
        size_t *count = output ? &r->output_count : &r->source_count;
        *list = ls_grow(*list, *count, sizeof **list);
        (*list)[(*count)++] = at;
        if (!output) bound_nets[net] = true;
    }
}

static void bind_field(run *r, uint32_t index, bool *bound_nets) {
    const ls_field *f = &r->fields.list[index];
    char name[512];
    if (f->absent) return;
    for (size_t i = 0; i < f->piece_count; i++) {
        const ls_piece *p = &f->pieces[i];
        const part at = {p->signal, p->signal_bits, p->signal_count, p->element, p->low, p->at, p->bits, p->invert};
        if (p->signal != NULL) bind_part(r, index, &at, bound_nets);
    }
    (void)ls_rtl_name(f, name, sizeof name);
    for (uint32_t e = 0; f->pieces == NULL && e < f->count; e++) {
        const part at = {name, f->bits, f->count, e, 0, e * f->bits, f->bits, false};
        bind_part(r, index, &at, bound_nets);
    }
}

/* Inputs that a map ties keep their value through the run. */
static void tie_inputs(run *r) {
    const char *port;
    uint64_t value;
    for (size_t i = 0; (port = ls_map_tied(r->rq->unit->map, i, &value)) != NULL; i++) {
        const ls_il_wire *wire = ls_il_find_wire(r->d->top, port);
        for (uint32_t b = 0; wire != NULL && b < wire->width; b++) {
            const uint32_t net = r->d->net_of[r->d->top->same[wire->first + b]];
            if (net != LS_MAPPED_NONE && b < 64 && (value >> b & 1) != 0) memset(&r->values[net], 0xff, sizeof *r->values);
        }
    }
}

/* Every port must be the unit's, and every macro output that something reads must be known: what is not bound is not compared. */
static bool all_bound(run *r, const bool *bound_nets) {
    const ls_mapped *d = r->d;
    const ls_il_wire *reset = ls_il_find_wire(d->top, ls_reset_name(r->rq->unit));
    ls_text problems = {0};
    ls_fields signals;
    ls_signals_of_fields(&r->fields, &signals);
    const size_t wrong = ls_gates_check_ports(&signals, d->top, d->path, &problems);
    ls_fields_free(&signals);
    char *told = ls_text_take(&problems);
    if (wrong > 0) return fail(r, LS_ENERGY_FAILED, told);
    free(told);
    if (reset != NULL && reset->input) r->reset_net = d->net_of[d->top->same[reset->first]];
    for (uint32_t p = 0; p < d->pin_count; p++) {
        const uint32_t net = d->pins[p].net;
        if (!d->pins[p].output || d->pins[p].pin != NULL || net < 2 || bound_nets[net] || d->nets[net].load <= 0) continue;
        char *name = ls_mapped_net_name(d, net);
        char *text = ls_format("%s, an output of macro %s, is in no register of the model", name,
                               d->cells[d->nets[net].driver].cell->name);
        free(name);
        return fail(r, LS_ENERGY_FAILED, text);
    }
    return true;
}

/* ---- gates as instructions ---- */

static uint32_t new_value(run *r) { return r->value_count++; }

static void emit(run *r, uint32_t op, uint32_t to, uint32_t a, uint32_t b) {
    r->code = ls_grow(r->code, r->code_count, sizeof *r->code);
    r->code[r->code_count++] = (instruction){op, to, a, b};
}

/* Appends what computes `function` of a cell into value `to`. */
static bool compile(run *r, const ls_mapped_cell *c, const char *function, uint32_t state, uint32_t to) {
    const ls_mapped *d = r->d;
    const char *names[LS_LIBERTY_NAMES_MAX];
    uint32_t place[LS_LIBERTY_STEP + LS_LIBERTY_STEPS_MAX], count = 0;
    ls_liberty_code code;
    for (uint32_t p = c->first; p < c->first + c->count && count < LS_LIBERTY_NAMES_MAX - 1; p++) {
        if (d->pins[p].output) continue;
        place[count] = d->pins[p].net;
        names[count++] = d->pins[p].pin->name;
    }
    if (state != LS_MAPPED_NONE && c->type->state[0][0] != '\0') {
        place[count] = state;
        names[count++] = c->type->state[0];
    }
    if (function[0] == '\0' || !ls_liberty_compile(function, names, count, &code))
        return fail(r, LS_ENERGY_FAILED,
                    ls_format("cell %s: %s has no function of its inputs: '%s'", c->cell->name, c->type->name, function));
    place[LS_LIBERTY_ZERO] = 0;
    place[LS_LIBERTY_ONE] = 1;
    for (uint32_t i = 0; i < code.count; i++) {
        const ls_liberty_step *s = &code.steps[i];
        const bool last = i + 1 == code.count && code.result == LS_LIBERTY_STEP + i;
        place[LS_LIBERTY_STEP + i] = last ? to : new_value(r);
        emit(r, s->op, place[LS_LIBERTY_STEP + i], place[s->a], place[s->b]);
    }
    if (code.count == 0 || code.result != LS_LIBERTY_STEP + code.count - 1) emit(r, COPY, to, place[code.result], 0);
    return true;
}

static bool compile_flop(run *r, uint32_t cell, flop *f, const bool *bound_nets) {
    const ls_mapped_cell *c = &r->d->cells[cell];
    *f = (flop){.cell = cell,
                .state = new_value(r),
                .next = new_value(r),
                .clear = 0,
                .preset = 0,
                .q = LS_MAPPED_NONE,
                .qn = LS_MAPPED_NONE};
    for (uint32_t p = c->first; p < c->first + c->count; p++) {
        const ls_mapped_pin *pin = &r->d->pins[p];
        if (!pin->output) continue;
        uint64_t table;
        const char *const names[] = {c->type->state[0], c->type->state[1]};
        if (!ls_liberty_truth(pin->pin->function, names, 2, &table) ||
            (table != 0xa && table != 0xc && table != 0x5 && table != 0x3))
            return fail(r, LS_ENERGY_FAILED,
                        ls_format("cell %s: output %s of %s is not its state", c->cell->name, pin->pin->name, c->type->name));
        *(table == 0xa || table == 0x3 ? &f->q : &f->qn) = pin->net;
        f->named |= bound_nets[pin->net];
    }
    if (!f->named) r->unnamed = true;
    if (!compile(r, c, c->type->next_state, f->state, f->next)) return false;
    if (c->type->clear[0] != '\0' && !compile(r, c, c->type->clear, f->state, f->clear = new_value(r))) return false;
    return c->type->preset[0] == '\0' || compile(r, c, c->type->preset, f->state, f->preset = new_value(r));
}

static bool prepare(run *r) {
    const ls_mapped *d = r->d;
    bool *bound_nets = ls_alloc(d->net_count, sizeof *bound_nets), good = true;
    list_wires(r);
    for (uint32_t i = 0; i < r->fields.count; i++) bind_field(r, i, bound_nets);
    good = all_bound(r, bound_nets);
    r->value_count = d->net_count;
    for (uint32_t i = 0; i < d->order_count && good; i++) {
        const ls_mapped_cell *c = &d->cells[d->order[i]];
        for (uint32_t p = c->first; p < c->first + c->count && good; p++)
            if (d->pins[p].output) good = compile(r, c, d->pins[p].pin->function, LS_MAPPED_NONE, d->pins[p].net);
    }
    r->logic_end = r->code_count;
    r->flops = ls_alloc(d->flop_count, sizeof *r->flops);
    for (uint32_t c = 0, k = 0; c < d->cell_count && good; c++)
        if (d->cells[c].type != NULL && d->cells[c].type->flop) good = compile_flop(r, c, &r->flops[k++], bound_nets);
    r->values = ls_zeroed((size_t)r->value_count * sizeof *r->values);
    memset(&r->values[1], 0xff, sizeof r->values[1]);
    tie_inputs(r);
    r->last = ls_alloc(d->net_count, 1);
    r->counts->toggles = ls_alloc(d->net_count, sizeof *r->counts->toggles);
    r->counts->reads = ls_alloc(d->cell_count, sizeof *r->counts->reads);
    r->counts->writes = ls_alloc(d->cell_count, sizeof *r->counts->writes);
    free(bound_nets);
    return good;
}

/* ---- a block of cycles ---- */

static void sample(run *r, uint32_t at) {
    for (size_t i = 0; i < r->lane_count; i++) {
        lane *l = &r->lanes[i];
        const uint8_t *from = l->kind == LS_IN ? r->in : l->kind == LS_OUT ? r->out : r->model;
        uint64_t value = 0;
        memcpy(&value, from + l->offset, l->size);
        l->value[at] = value;
    }
}

/* 64 words of 64 bits turned over their diagonal: bit k of word i becomes bit i of word k (Warren, Hacker's Delight, 7-3). */
static void transpose(uint64_t *a) {
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (uint32_t j = 32; j != 0; j >>= 1, mask ^= mask << j)
        for (uint32_t k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            const uint64_t t = ((a[k] >> j) ^ a[k | j]) & mask;
            a[k] ^= t << j;
            a[k | j] ^= t;
        }
}

static void evaluate(run *r, size_t from, size_t to) {
    word *const v = r->values;
    for (const instruction *i = r->code + from; i < r->code + to; i++) {
        const word *a = &v[i->a], *b = &v[i->b];
        word *out = &v[i->to];
        switch (i->op) {
        case LS_LIBERTY_NOT:
            for (uint32_t k = 0; k < W; k++) out->at[k] = ~a->at[k];
            break;
        case LS_LIBERTY_AND:
            for (uint32_t k = 0; k < W; k++) out->at[k] = a->at[k] & b->at[k];
            break;
        case LS_LIBERTY_OR:
            for (uint32_t k = 0; k < W; k++) out->at[k] = a->at[k] | b->at[k];
            break;
        case LS_LIBERTY_XOR:
            for (uint32_t k = 0; k < W; k++) out->at[k] = a->at[k] ^ b->at[k];
            break;
        default:
            *out = *a;
        }
    }
}

/* Cycle t of the result is cycle t - 1 of `v`; the first is `carry`. */
static word later(const word *v, bool carry) {
    word w;
    for (uint32_t k = 0; k < W; k++) w.at[k] = v->at[k] << 1 | (k > 0 ? v->at[k - 1] >> 63 : carry);
    return w;
}

static word first_cycles(uint32_t n) {
    word w;
    for (uint32_t k = 0; k < W; k++)
        w.at[k] = n >= 64 * (k + 1) ? UINT64_MAX : n <= 64 * k ? 0 : (UINT64_C(1) << (n - 64 * k)) - 1;
    return w;
}

static bool bit_of(const word *w, uint32_t t) { return (w->at[t / 64] >> t % 64 & 1) != 0; }

static uint32_t lowest(const word *w) {
    uint32_t k = 0;
    while (w->at[k] == 0) k++;
    return 64 * k + (uint32_t)__builtin_ctzll(w->at[k]);
}

/* The state that clear and preset, which act at once, leave of `w`. */
static word forced(const run *r, const flop *f, word w) {
    for (uint32_t k = 0; k < W; k++) w.at[k] = (w.at[k] | r->values[f->preset].at[k]) & ~r->values[f->clear].at[k];
    return w;
}

/* The states that follow from the cycles before. */
static word following(const run *r, const flop *f) {
    const word next = forced(r, f, r->values[f->next]);
    return forced(r, f, later(&next, f->carry));
}

static void put_state(run *r, const flop *f, const word *w) {
    r->values[f->state] = *w;
    if (f->q != LS_MAPPED_NONE) r->values[f->q] = *w;
    for (uint32_t k = 0; k < W && f->qn != LS_MAPPED_NONE; k++) r->values[f->qn].at[k] = ~w->at[k];
}

/* The states that the model gives. */
static void take_states(run *r, const bool *given) {
    for (uint32_t i = 0; i < r->d->flop_count; i++) {
        flop *f = &r->flops[i];
        if (!f->named) continue;
        const bool by_q = f->q != LS_MAPPED_NONE && given[f->q];
        word w = r->values[by_q ? f->q : f->qn];
        for (uint32_t k = 0; k < W && !by_q; k++) w.at[k] = ~w.at[k];
        put_state(r, f, &w);
    }
}

/* All values of the block's n cycles. Flip-flops without a name are guessed and corrected until nothing changes: one cycle more
 * is right each time. */
static void settle(run *r) {
    for (uint32_t turn = 0; turn <= CYCLES + 1; turn++) {
        bool changed = false;
        evaluate(r, 0, r->code_count);
        for (uint32_t i = 0; r->unnamed && i < r->d->flop_count; i++) {
            flop *f = &r->flops[i];
            if (f->named) continue;
            const word w = following(r, f);
            changed |= memcmp(&w, &r->values[f->state], sizeof w) != 0;
            put_state(r, f, &w);
        }
        if (!changed) return;
    }
}

static bool differs(run *r, const char *what, uint32_t net, uint32_t at, bool netlist) {
    char *name = ls_mapped_net_name(r->d, net);
    char *text =
        ls_format("%s %s: the netlist has %d, the model %d in cycle %" PRIu64, what, name, netlist, !netlist, r->cycle + at);
    free(name);
    return fail(r, LS_ENERGY_DIFFERS, text);
}

static bool check(run *r, uint32_t n) {
    const word all = first_cycles(n);
    for (size_t i = 0; i < r->output_count; i++) {
        const bound *o = &r->outputs[i];
        for (uint32_t t = 0; t < n && r->carried; t++) {
            const bool model = ((r->lanes[o->lane].value[t] >> o->bit & 1) != 0) != o->invert;
            if (model != bit_of(&r->values[o->net], t)) return differs(r, "output", o->net, t, !model);
        }
        r->counts->checked += r->carried ? n : 0;
    }
    for (uint32_t i = 0; i < r->d->flop_count; i++) {
        flop *f = &r->flops[i];
        const word is = r->values[f->state], should = following(r, f);
        word wrong;
        for (uint32_t k = 0; k < W; k++) wrong.at[k] = (is.at[k] ^ should.at[k]) & all.at[k];
        if (!r->carried) /* where the state in the run's first cycle comes from is not known, unless it is set from outside */
            wrong.at[0] &= ~UINT64_C(1) | r->values[f->clear].at[0] | r->values[f->preset].at[0];
        if (memcmp(&wrong, &(word){{0}}, sizeof wrong) != 0) {
            const uint32_t t = lowest(&wrong);
            return differs(r, "flip-flop", f->q != LS_MAPPED_NONE ? f->q : f->qn, t, bit_of(&should, t));
        }
        r->counts->checked += f->named ? n : 0;
        const word next = forced(r, f, r->values[f->next]);
        f->carry = bit_of(&next, n - 1);
    }
    return true;
}

static uint64_t ones(const word *w) {
    uint64_t n = 0;
    for (uint32_t k = 0; k < W; k++) n += (uint64_t)__builtin_popcountll(w->at[k]);
    return n;
}

static void count_macros(run *r, const word *counted) {
    const ls_mapped *d = r->d;
    for (uint32_t c = 0; c < d->cell_count; c++) {
        if (d->cells[c].type != NULL) continue;
        word read = {{0}}, write = {{0}};
        const ls_il_cell *il = d->cells[c].cell;
        for (uint32_t p = 0, at = d->cells[c].first; p < il->pin_count; at += il->pins[p++].width) {
            word *to = strcmp(il->pins[p].name, "RE") == 0 ? &read : strcmp(il->pins[p].name, "WE") == 0 ? &write : NULL;
            for (uint32_t b = 0; to != NULL && b < il->pins[p].width; b++)
                for (uint32_t k = 0; k < W; k++) to->at[k] |= r->values[d->pins[at + b].net].at[k];
        }
        const bool one_port = ls_il_find_pin(il, "A") != NULL; /* then a write keeps it from reading */
        for (uint32_t k = 0; k < W; k++) {
            write.at[k] &= counted->at[k];
            read.at[k] &= counted->at[k] & (one_port ? ~write.at[k] : UINT64_MAX);
        }
        r->counts->reads[c] += ones(&read);
        r->counts->writes[c] += ones(&write);
    }
}

/* Adds the block's toggles. In its first cycle a net toggled when it differs from the last of the block before. */
static void count(run *r, uint32_t n) {
    word counted = first_cycles(n);
    if (!r->follows) counted.at[0] &= ~UINT64_C(1);
    for (uint32_t net = 2; net < r->d->net_count; net++) {
        const word *v = &r->values[net];
        word change = later(v, r->last[net] != 0);
        for (uint32_t k = 0; k < W; k++) change.at[k] = (change.at[k] ^ v->at[k]) & counted.at[k];
        r->counts->toggles[net] += ones(&change);
        r->last[net] = bit_of(v, n - 1);
    }
    count_macros(r, &counted);
    r->counts->cycles += ones(&counted);
}

/* Evaluates the block of n cycles that were sampled. */
static bool block(run *r, uint32_t n, bool reset, const bool *given) {
    if (n == 0) return true;
    for (size_t i = 0, next = 0; i < r->source_count; i = next) {
        uint64_t turned[CYCLES];
        memcpy(turned, r->lanes[r->sources[i].lane].value, sizeof turned);
        for (uint32_t k = 0; 64 * k < n; k++) transpose(turned + 64 * k);
        for (next = i; next < r->source_count && r->sources[next].lane == r->sources[i].lane; next++)
            for (uint32_t k = 0; k < W; k++)
                r->values[r->sources[next].net].at[k] =
                    turned[64 * k + r->sources[next].bit] ^ (r->sources[next].invert ? UINT64_MAX : 0);
    }
    if (r->reset_net != LS_MAPPED_NONE)
        memset(&r->values[r->reset_net], reset != r->rq->unit->names.reset_high ? 0 : 0xff, sizeof *r->values);
    take_states(r, given);
    settle(r);
    if (!check(r, n)) return false;
    if (!reset) {
        count(r, n);
        r->counts->steps += n;
    }
    r->carried = true;
    r->follows = !reset;
    r->cycle += n;
    return true;
}

/* The coming cycle's inputs; with `idle` nothing but the reset. */
static ls_source_next next_inputs(run *r, ls_source *source, uint64_t cycle) {
    if (!r->rq->idle || cycle < LS_RESET_CYCLES) return ls_source_step(source, r->model, r->in);
    memset(r->in, 0, r->rq->unit->in_size);
    return LS_NEXT_CYCLE;
}

static bool walk(run *r, ls_source *source) {
    const ls_unit *u = r->rq->unit;
    bool *given = ls_alloc(r->d->net_count, sizeof *given), good = true, reset = false;
    for (size_t i = 0; i < r->source_count; i++) given[r->sources[i].net] = true;
    uint32_t n = 0;
    for (uint64_t cycle = 0; good && (r->rq->cycles == 0 || cycle < r->rq->cycles); cycle++) {
        const ls_source_next next = next_inputs(r, source, cycle);
        if (next == LS_NEXT_END) break;
        if (n == CYCLES || (n > 0 && (next == LS_NEXT_RESET || reset))) {
            good = block(r, n, reset, given);
            n = 0;
        }
        if (next == LS_NEXT_RESET && !reset) r->follows = false; /* toggles; a register that it leaves alone goes on */
        reset = next == LS_NEXT_RESET;
        if (reset) u->reset(r->model);
        u->comb(r->model, r->in, r->out);
        sample(r, n++);
        if (reset) continue;
        u->clock(r->model, r->in);
        if (source->stim != NULL) ls_source_observe(source, r->in, r->out); /* behind the edge, as in a run */
        if (u->property == NULL || source->stim == NULL) continue;
        const char *wrong = u->workload_error(source->stim);
        if (wrong == NULL) wrong = ls_source_property(source);
        if (wrong != NULL) good = fail(r, LS_ENERGY_FAILED, ls_copy(wrong));
    }
    good = good && block(r, n, reset, given);
    free(given);
    if (good && r->counts->cycles == 0)
        good = fail(
            r, LS_ENERGY_FAILED,
            ls_format("no cycle was counted: the reset takes %u, and there is no step from one to the next", LS_RESET_CYCLES));
    if (good && r->counts->checked == 0)
        good = fail(r, LS_ENERGY_FAILED, ls_format("%s: nothing of it was compared with the model", r->d->path));
    return good;
}

ls_energy_status ls_energy_count(const ls_mapped *d, const ls_energy_request *rq, ls_energy_counts *counts, char **error) {
    run r = {.d = d, .rq = rq, .counts = counts, .reset_net = LS_MAPPED_NONE};
    const ls_unit *u = rq->unit;
    char text[1024];
    ls_source source;
    *counts = (ls_energy_counts){0};
    *error = NULL;
    r.model = ls_zeroed(u->model_size);
    r.in = ls_zeroed(u->in_size);
    r.out = ls_zeroed(u->out_size);
    const char *wrong = u->check(rq->cfg);
    if (wrong != NULL) (void)fail(&r, LS_ENERGY_FAILED, ls_format("%s: %s", u->name, wrong));
    if (r.error == NULL && u->init(r.model, rq->cfg) != 0) ls_die("%s: init failed after its own check", u->name);
    if (r.error == NULL) {
        ls_unit_fields(u, &r.fields, r.model);
        if (ls_source_open(&source, u, r.model, rq->seed, rq->workload, text, sizeof text) != 0)
            (void)fail(&r, LS_ENERGY_FAILED, ls_copy(text));
        ls_source_surround(&source, rq->surroundings, rq->cfg);
        ls_source_plain(&source); /* what a unit takes, not what is rare */
        if (r.error == NULL && prepare(&r) && walk(&r, &source) && rq->sink != NULL && u->counters != NULL && source.stim != NULL)
            u->counters(source.stim, r.model, rq->sink, rq->ctx);
        ls_source_close(&source);
    }
    for (uint32_t n = 2; r.error == NULL && n < d->net_count; n++)
        if (d->nets[n].clock) counts->toggles[n] = 2 * counts->cycles;
    for (size_t i = 0; i < r.wire_count; i++) free(r.wires[i].name);
    free(r.wires);
    free(r.lanes);
    free(r.sources);
    free(r.outputs);
    free(r.code);
    free(r.flops);
    free(r.values);
    free(r.last);
    free(r.model);
    free(r.in);
    free(r.out);
    ls_fields_free(&r.fields);
    *error = r.error;
    if (r.error == NULL) return LS_ENERGY_OK;
    ls_energy_counts_free(counts);
    return r.status;
}

void ls_energy_counts_free(ls_energy_counts *counts) {
    free(counts->toggles);
    free(counts->reads);
    free(counts->writes);
    *counts = (ls_energy_counts){0};
}
