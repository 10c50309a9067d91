/* SPDX-License-Identifier: Apache-2.0 */
/* The mapped netlist read and understood: what drives each net, which flip-flop is which bit of which register. */
#include "harness/netlist/gates_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/dut/toolchain.h"

#define RECIPE "gates-1" /* part of every key: to be raised when cells are read in another way */

/* Whether macros.v is there and has a module. */
static bool has_macros(const char *path) {
    ls_text text = {0};
    const bool read = ls_text_read(&text, path) == 0;
    ls_text_put(&text, "", 0);
    const bool found = read && strstr(text.data, "module") != NULL;
    free(ls_text_take(&text));
    return found;
}

/* Whether a file of Yosys's is there with its end: a machine that goes down may cut it off. */
static bool ends_as_written(const char *path) {
    ls_text text = {0};
    const bool read = ls_text_read(&text, path) == 0 && text.size >= 5;
    const bool whole = read && memcmp(text.data + text.size - 5, "\nend\n", 5) == 0;
    free(ls_text_take(&text));
    return whole;
}

/* The cells of the library and the ports of the macros as RTLIL: made by Yosys, once for each library and macros. Its path. */
static char *make_cells(ls_gates_work *w) {
    const ls_gates_request *rq = w->request;
    ls_process_result run;
    if (ls_process_run(&(ls_process){.argv = (const char *const[]){"yosys", "-V", NULL}}, &run) != 0 || !ls_process_ok(&run)) {
        ls_process_free(&run);
        ls_gates_fail(w, ls_format("netlists need Yosys, which cannot be run: apt-get install yosys (make deps-test)"));
        return NULL;
    }
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, RECIPE);
    ls_hash_text(&h, run.output);
    ls_process_free(&run);
    if (!ls_hash_file(&h, rq->liberty)) {
        ls_gates_fail(w, ls_format("%s: the cell library cannot be read: apt-get install qflow-tech-osu018, or name one by --lib",
                                   rq->liberty));
        return NULL;
    }
    if (w->gates->macros != NULL) (void)ls_hash_file(&h, w->gates->macros);
    char *key = ls_hash_end(&h), *folder = ls_format("%s/gates", ls_cache()), *path = ls_format("%s/cells-%s.il", folder, key);
    char *made = ls_format("%s.%ld", path, (long)getpid()), *script_path = ls_format("%s.ys", made);
    if (!ends_as_written(path)) {
        ls_text script = {0};
        ls_text_add(&script, LS_GATES_READ_LIBERTY " \"%s\"\n", rq->liberty);
        if (w->gates->macros != NULL) ls_text_add(&script, "read_verilog -sv -lib \"%s\"\n", w->gates->macros);
        ls_text_add(&script, "write_ilang \"%s\"\n", made);
        int error = ls_make_directories(folder);
        if (error == 0) error = ls_text_write(&script, script_path);
        ls_args args = {0};
        static const char *const words[] = {"yosys", "-q", "-q", "-w", ".*"};
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
        ls_args_add(&args, "%s", script_path);
        bool refused = false;
        char *failed =
            error != 0 ? ls_format("%s: %s", script_path, strerror(-error)) : ls_command(&args, rq->timeout_ms, &refused);
        if (failed == NULL && rename(made, path) != 0) failed = ls_format("%s: cannot be written", path);
        if (failed != NULL) ls_gates_fail(w, failed);
        (void)unlink(script_path);
        (void)unlink(made);
        ls_args_free(&args);
        free(ls_text_take(&script));
    }
    free(key);
    free(folder);
    free(made);
    free(script_path);
    return path;
}

/* Cells of the library ------------------------------------------------------------------------------------------------------- */

static bool is_flop(const char *type) { return strncmp(type, "$_DFF", 5) == 0; }

/* The output pin of one of Yosys's gates. */
static const char *inner_output(const char *type) { return is_flop(type) ? "Q" : "Y"; }

static void read_type(ls_gates_work *w, ls_gates_type *t, const ls_il_module *m) {
    *t = (ls_gates_type){.module = m, .flop = LS_NONE, .black = m->cell_count == 0};
    t->driver = ls_alloc(m->bit_count, sizeof *t->driver);
    t->input = ls_alloc(m->bit_count, sizeof *t->input);
    for (uint32_t i = 0; i < m->bit_count; i++) t->driver[i] = t->input[i] = LS_NONE;
    for (uint32_t i = 0; i < m->wire_count; i++)
        if (m->wires[i].input && m->wires[i].width == 1) t->input[m->same[m->wires[i].first]] = i;
    for (uint32_t i = 0; i < m->wire_count && t->black; i++) /* an output that copies an input, or a constant, is a cell too */
        if (m->wires[i].output && m->wires[i].width == 1 && m->same[m->wires[i].first] != m->wires[i].first) t->black = false;
    for (uint32_t c = 0; c < m->cell_count; c++) {
        static const char *const known[] = {"$_BUF_", "$_NOT_",  "$_AND_",    "$_OR_",    "$_XOR_", "$_NAND_",
                                            "$_NOR_", "$_XNOR_", "$_ANDNOT_", "$_ORNOT_", "$_MUX_"};
        const char *type = m->cells[c].type;
        bool good = is_flop(type) && strncmp(type, "$_DFFE", 6) != 0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) good |= strcmp(type, known[i]) == 0;
        const uint32_t out = good ? ls_gates_inner(t, c, inner_output(type)) : LS_NONE;
        if (out == LS_NONE || (is_flop(type) && t->flop != LS_NONE)) {
            ls_gates_fail(w, ls_format("%s: cell %s cannot be run: %s", w->request->liberty, m->name,
                                       strstr(type, "LATCH") != NULL ? "it is a latch"
                                       : good                        ? "it has two flip-flops"
                                                                     : type));
            return;
        }
        t->driver[out] = c;
        if (is_flop(type)) t->flop = c;
    }
}

static void read_types(ls_gates_work *w) {
    const ls_il_module *m = w->top;
    w->cells = ls_alloc(m->cell_count + 1, sizeof *w->cells);
    w->types = ls_alloc(w->liberty.module_count + 1, sizeof *w->types);
    for (size_t i = 0; i < m->cell_count && w->error == NULL; i++) {
        ls_gates_cell *c = &w->cells[i];
        *c = (ls_gates_cell){.cell = &m->cells[i], .store = LS_NONE};
        for (size_t k = 0; k < w->type_count && c->type == NULL; k++)
            if (strcmp(w->types[k].module->name, c->cell->type) == 0) c->type = &w->types[k];
        if (c->type != NULL) continue;
        const ls_il_module *module = ls_il_find(&w->liberty, c->cell->type);
        if (module == NULL) {
            ls_gates_fail(w,
                          ls_format("%s/gates.il: cell %s is a %s, which %s does not have, or not with a function of each output",
                                    w->request->folder, c->cell->name, c->cell->type, w->request->liberty));
            return;
        }
        read_type(w, &w->types[w->type_count], module);
        c->type = &w->types[w->type_count++];
    }
}

/* Nets ----------------------------------------------------------------------------------------------------------------------- */

/* How often the inner bit's function reads each pin, added to the nets that are there. */
static void count_uses(ls_gates_work *w, const ls_gates_cell *c, uint32_t bit) {
    const ls_gates_type *t = c->type;
    if (bit == LS_NONE || bit < LS_IL_FIRST) return;
    if (t->input[bit] != LS_NONE) {
        const ls_il_pin *pin = ls_il_find_pin(c->cell, t->module->wires[t->input[bit]].name);
        if (pin != NULL) w->nets[w->top->same[pin->bits[0]]].uses++;
        return;
    }
    if (t->driver[bit] == LS_NONE || is_flop(t->module->cells[t->driver[bit]].type)) return;
    static const char *const pins[] = {"A", "B", "S"};
    for (size_t i = 0; i < 3; i++) count_uses(w, c, ls_gates_inner(t, t->driver[bit], pins[i]));
}

static void drive(ls_gates_work *w, uint32_t bit, uint32_t cell, uint32_t pin) {
    ls_gates_net *n = &w->nets[w->top->same[bit]];
    if (w->top->same[bit] < LS_IL_FIRST || n->cell != LS_NONE || n->port != LS_NONE) {
        ls_gates_fail(w, ls_format("%s/gates.il: pin %s of cell %s drives a net that something else drives too",
                                   w->request->folder, w->top->cells[cell].pins[pin].name, w->top->cells[cell].name));
        return;
    }
    n->cell = cell;
    n->pin = pin;
}

static void read_nets(ls_gates_work *w) {
    const ls_il_module *m = w->top;
    w->nets = ls_alloc(m->bit_count, sizeof *w->nets);
    for (uint32_t i = 0; i < m->bit_count; i++) w->nets[i] = (ls_gates_net){LS_NONE, LS_NONE, LS_NONE, 0, false};
    for (uint32_t i = 0; i < m->wire_count; i++)
        for (uint32_t k = 0; m->wires[i].input && k < m->wires[i].width; k++) w->nets[m->same[m->wires[i].first + k]].port = i;
    for (uint32_t i = 0; i < m->cell_count && w->error == NULL; i++) {
        const ls_gates_cell *c = &w->cells[i];
        for (uint32_t p = 0; p < c->cell->pin_count && w->error == NULL; p++) {
            const ls_il_pin *pin = &c->cell->pins[p];
            const ls_il_wire *wire = ls_il_find_wire(c->type->module, pin->name);
            if (wire == NULL || wire->port == 0 || (!c->type->black && pin->width != 1)) {
                ls_gates_fail(w, ls_format("%s/gates.il: cell %s: a %s has no pin %s of %u bit%s", w->request->folder,
                                           c->cell->name, c->cell->type, pin->name, pin->width, pin->width == 1 ? "" : "s"));
                break;
            }
            for (uint32_t b = 0; b < pin->width && wire->output; b++) drive(w, pin->bits[b], i, p);
            for (uint32_t b = 0; b < pin->width && c->type->black && !wire->output; b++) w->nets[m->same[pin->bits[b]]].uses += 2;
            if (wire->output && !c->type->black) count_uses(w, c, c->type->module->same[wire->first]);
        }
        if (c->type->flop == LS_NONE || w->error != NULL) continue;
        static const char *const pins[] = {"D", "C", "R", "S"};
        for (size_t k = 0; k < 4; k++) count_uses(w, c, ls_gates_inner(c->type, c->type->flop, pins[k]));
    }
    for (uint32_t i = 0; i < m->wire_count; i++)
        for (uint32_t k = 0; m->wires[i].output && k < m->wires[i].width; k++) w->nets[m->same[m->wires[i].first + k]].uses++;
}

/* Registers by name ---------------------------------------------------------------------------------------------------------- */

/* The RTL's name of a wire, without scopes that Yosys alone makes; NULL when it has none of these. */
static char *plain_name(const char *name) {
    char *plain = ls_copy(name);
    if (ls_il_drop_scopes(plain)) return plain;
    free(plain);
    return NULL;
}

static void list_scoped(ls_gates_work *w) {
    for (uint32_t i = 0; i < w->top->wire_count; i++) {
        char *plain = w->top->wires[i].made_up ? NULL : plain_name(w->top->wires[i].name);
        if (plain == NULL) continue;
        w->scoped = ls_grow(w->scoped, w->scoped_count, sizeof *w->scoped);
        w->scoped_wire = ls_grow(w->scoped_wire, w->scoped_count, sizeof *w->scoped_wire);
        w->scoped[w->scoped_count] = plain;
        w->scoped_wire[w->scoped_count++] = i;
    }
}

/* The macros that Yosys made of a memory: cells "<memory>.0.<column>". */
static void find_columns(ls_gates_work *w, uint32_t number) {
    const ls_field *f = &w->fields.list[number];
    uint32_t *list = NULL, count = 0, width = 0;
    const size_t length = strlen(f->name);
    for (uint32_t column = 0; width < f->bits; column++) {
        uint32_t found = LS_NONE;
        for (uint32_t i = 0; i < w->top->cell_count && found == LS_NONE; i++) {
            if (!w->cells[i].type->black) continue;
            char *plain = plain_name(w->cells[i].cell->name);
            const char *name = plain != NULL ? plain : w->cells[i].cell->name;
            unsigned port = 0, at = 0;
            int end = 0;
            if (strncmp(name, f->name, length) == 0 && sscanf(name + length, ".%u.%u%n", &port, &at, &end) == 2 &&
                name[length + (size_t)end] == '\0' && port == 0 && at == column)
                found = i;
            free(plain);
        }
        if (found == LS_NONE || ls_gates_macro_width(w->cells[found].type) == 0) break;
        width += ls_gates_macro_width(w->cells[found].type);
        list = ls_grow(list, count, sizeof *list);
        list[count++] = found;
    }
    if (width < f->bits) {
        free(list);
        return;
    }
    w->columns[number] = list;
    w->column_count[number] = count;
}

/* The flip-flop whose value the net is, straight or inverted; LS_NONE when it is something else. */
static uint32_t flop_of(const ls_gates_work *w, uint32_t net, bool *inverted) {
    *inverted = false;
    if (net == LS_NONE || net < LS_IL_FIRST || w->nets[net].cell == LS_NONE) return LS_NONE;
    const uint32_t cell = w->nets[net].cell;
    const ls_gates_type *t = w->cells[cell].type;
    if (t->flop == LS_NONE) return LS_NONE;
    uint32_t bit = t->module->same[ls_il_find_wire(t->module, w->cells[cell].cell->pins[w->nets[net].pin].name)->first];
    while (bit >= LS_IL_FIRST && t->driver[bit] != LS_NONE && strcmp(t->module->cells[t->driver[bit]].type, "$_NOT_") == 0) {
        bit = ls_gates_inner(t, t->driver[bit], "A");
        *inverted = !*inverted;
    }
    return bit != LS_NONE && bit >= LS_IL_FIRST && t->driver[bit] == t->flop ? cell : LS_NONE;
}

static bool same_clock(const ls_gates_clock *a, const ls_gates_clock *b) {
    const uint32_t ra = a->reset != LS_NONE ? a->reset : a->set, rb = b->reset != LS_NONE ? b->reset : b->set;
    const bool la = a->reset != LS_NONE ? a->reset_low : a->set_low, lb = b->reset != LS_NONE ? b->reset_low : b->set_low;
    const bool both_a = a->reset != LS_NONE && a->set != LS_NONE, both_b = b->reset != LS_NONE && b->set != LS_NONE;
    const bool same = a->clock == b->clock && a->clock_low == b->clock_low && ra == rb && (ra == LS_NONE || la == lb);
    if (!both_a && !both_b) return same;
    return same && both_a && both_b && a->set == b->set && a->set_low == b->set_low;
}

/* What drives a net, through cells that pass one input on or invert it: before flip-flops of the falling edge mapping puts such.
 */
static uint32_t source_of(const ls_gates_work *w, uint32_t net, bool *low) {
    for (uint32_t steps = 0; net >= LS_IL_FIRST && w->nets[net].cell != LS_NONE && steps < w->top->cell_count; steps++) {
        const ls_gates_cell *c = &w->cells[w->nets[net].cell];
        if (c->type->black || c->type->flop != LS_NONE) break;
        const ls_il_wire *out = ls_il_find_wire(c->type->module, c->cell->pins[w->nets[net].pin].name);
        uint32_t next;
        bool inverted = false;
        if (!ls_gates_outer(w, c, c->type->module->same[out->first], &next, &inverted)) break;
        net = next;
        *low ^= inverted;
    }
    return net;
}

static bool is_clocked(const ls_gates_work *w, const ls_gates_clock *clock) {
    const ls_il_wire *pin = ls_il_find_wire(w->top, ls_clock_name(w->request->unit));
    bool low = clock->clock_low;
    return pin != NULL && source_of(w, clock->clock, &low) == w->top->same[pin->first] && !low;
}

/* Puts a flip-flop into a vector: one of those of the field, from number `from` on, or a new one. */
static void put_flop(ls_gates_work *w, uint32_t cell, uint32_t field, size_t from) {
    ls_gates_clock clock;
    if (!ls_gates_clocking(w, &w->cells[cell], &clock)) return;
    if (w->gates->misclocked == NULL && !is_clocked(w, &clock))
        w->gates->misclocked = ls_copy(field != LS_NONE ? w->fields.list[field].name : w->cells[cell].cell->name);
    size_t i = from;
    while (i < w->store_count && !same_clock(&w->stores[i].clock, &clock)) i++;
    if (i == w->store_count) {
        w->stores = ls_grow(w->stores, w->store_count, sizeof *w->stores);
        w->stores[w->store_count++] = (ls_gates_store){.clock = clock, .field = field};
    }
    ls_gates_store *s = &w->stores[i];
    s->cells = ls_grow(s->cells, s->width, sizeof *s->cells);
    w->cells[cell].store = (uint32_t)i;
    w->cells[cell].place = s->width;
    s->cells[s->width++] = cell;
}

/* What a register became ----------------------------------------------------------------------------------------------------- */

typedef struct owner {
    uint32_t field, bit;
} owner;

static ls_gates_run fate_of(const ls_gates_work *w, uint32_t net, uint32_t field, uint32_t bit, const owner *owners) {
    ls_gates_run run = {.low = bit, .high = bit, .fate = LS_GATES_GONE};
    bool inverted;
    if (net == LS_NONE) return run;
    if (net < LS_IL_FIRST) {
        run.fate = net < LS_IL_X ? LS_GATES_CONSTANT : LS_GATES_OPEN;
        run.value = net;
        return run;
    }
    const uint32_t cell = flop_of(w, net, &inverted);
    if (w->nets[net].cell == LS_NONE && w->nets[net].port == LS_NONE) return run;
    if (cell == LS_NONE || inverted) {
        const bool own = cell != LS_NONE && owners[cell].field == field && owners[cell].bit == bit;
        run.fate = own                                                                       ? LS_GATES_FLOP
                   : w->nets[net].cell != LS_NONE && w->cells[w->nets[net].cell].type->black ? LS_GATES_MACRO
                                                                                             : LS_GATES_LOGIC;
        return run;
    }
    run.fate = owners[cell].field == field && owners[cell].bit == bit ? LS_GATES_FLOP : LS_GATES_SHARED;
    if (run.fate == LS_GATES_FLOP) return run;
    run.other = w->fields.list[owners[cell].field].name;
    run.other_low = owners[cell].bit;
    return run;
}

static void add_fate(ls_gates_register *r, const ls_gates_run *one) {
    ls_gates_run *last = r->run_count > 0 ? &r->runs[r->run_count - 1] : NULL;
    r->fates[one->fate]++;
    const bool goes_on = last != NULL && last->fate == one->fate && last->value == one->value &&
                         (one->other == NULL || (last->other != NULL && strcmp(last->other, one->other) == 0 &&
                                                 last->other_low + (one->low - last->low) == one->other_low));
    if (goes_on) {
        last->high = one->high;
        return;
    }
    r->runs = ls_grow(r->runs, r->run_count, sizeof *r->runs);
    r->runs[r->run_count] = *one;
    r->runs[r->run_count++].other = one->other != NULL ? ls_copy(one->other) : NULL;
}

/* The register of that name, which is one of them. */
static const ls_gates_register *register_of(const ls_gates *g, const char *name) {
    const ls_gates_register *r = g->registers;
    while (strcmp(r->name, name) != 0) r++;
    return r;
}

/* Whether the netlist has the bit, counted through the register's elements. */
static bool has_bit(const ls_gates_register *r, uint32_t bit) {
    size_t i = 0;
    while (r->runs[i].high < bit) i++;
    return r->runs[i].fate < LS_GATES_OPEN;
}

/* Whether it has a bit of a field that a map has in pieces; a constant is there. */
static bool has_piece(const ls_gates *g, const ls_field *f, uint32_t bit) {
    const ls_piece *p = f->pieces;
    while (bit < p->at || bit >= p->at + p->bits) p++;
    return p->signal == NULL || has_bit(register_of(g, p->signal), p->element * p->signal_bits + p->low + bit - p->at);
}

/* The bits of the model's register that are compared; no mask when all are. */
static void add_mask(ls_gates *g, const ls_field *f) {
    const uint32_t bytes = (f->bits + 7) / 8, total = f->bits * f->count;
    uint8_t *seen = ls_alloc((size_t)f->count * bytes + 1, 1);
    uint32_t count = 0;
    char name[256];
    const ls_gates_register *whole = f->pieces == NULL ? register_of(g, ls_rtl_name(f, name, sizeof name)) : NULL;
    for (uint32_t b = 0; b < total; b++) {
        if (whole != NULL ? !has_bit(whole, b) : !has_piece(g, f, b)) continue;
        seen[b / f->bits * bytes + b % f->bits / 8] |= (uint8_t)(1u << b % f->bits % 8);
        count++;
    }
    if (count < total) {
        g->masks.list = ls_grow(g->masks.list, g->masks.count, sizeof *g->masks.list);
        g->masks.list[g->masks.count++] = (ls_seen_bits){.field = ls_copy(f->name), .seen = count > 0 ? seen : NULL};
    }
    if (count == 0 || count == total) free(seen);
}

static void add_masks(const ls_gates_work *w) {
    const ls_unit *u = w->request->unit;
    void *model = ls_zeroed(u->model_size);
    ls_fields fields = {0};
    if (u->init(model, w->request->cfg) != 0) ls_die("%s: the configuration is refused", u->name);
    ls_unit_fields(u, &fields, model);
    for (size_t i = 0; i < fields.count; i++)
        if (ls_is_state(&fields.list[i]) && !fields.list[i].absent) add_mask(w->gates, &fields.list[i]);
    ls_fields_free(&fields);
    free(model);
}

static void find_registers(ls_gates_work *w) {
    ls_gates *g = w->gates;
    owner *owners = ls_alloc(w->top->cell_count + 1, sizeof *owners);
    for (size_t i = 0; i < w->top->cell_count; i++) owners[i].field = LS_NONE;
    w->columns = ls_alloc(w->fields.count + 1, sizeof *w->columns);
    w->column_count = ls_alloc(w->fields.count + 1, sizeof *w->column_count);
    for (uint32_t i = 0; i < w->fields.count; i++) {
        const ls_field *f = &w->fields.list[i];
        if (!ls_is_state(f)) continue;
        if (ls_gates_array(f)) find_columns(w, i);
        uint32_t *bits = ls_gates_bits(w, f);
        size_t from = w->store_count;
        for (uint32_t b = 0; b < f->bits * f->count; b++) {
            bool inverted;
            const uint32_t cell = flop_of(w, bits[b], &inverted);
            if (ls_gates_array(f) && b % f->bits == 0) from = w->store_count; /* a vector a row */
            if (cell == LS_NONE || owners[cell].field != LS_NONE) continue;
            owners[cell] = (owner){i, b};
            put_flop(w, cell, i, from);
        }
        free(bits);
    }
    const size_t from = w->store_count;
    for (uint32_t i = 0; i < w->top->cell_count; i++) {
        if (w->cells[i].type->flop == LS_NONE) continue;
        g->flops++;
        if (owners[i].field != LS_NONE) continue;
        g->nameless++;
        put_flop(w, i, LS_NONE, from);
    }
    for (uint32_t i = 0; i < w->fields.count; i++) {
        const ls_field *f = &w->fields.list[i];
        if (!ls_is_state(f)) continue;
        uint32_t *bits = ls_gates_bits(w, f);
        g->registers = ls_grow(g->registers, g->register_count, sizeof *g->registers);
        ls_gates_register *r = &g->registers[g->register_count++];
        *r = (ls_gates_register){.name = ls_copy(f->name), .bits = f->bits, .count = f->count};
        for (uint32_t b = 0; b < f->bits * f->count; b++) {
            ls_gates_run run = fate_of(w, bits[b], i, b, owners);
            if (w->columns[i] != NULL) run.fate = LS_GATES_MACRO;
            if (run.fate < LS_GATES_OPEN && bits[b] != LS_NONE && bits[b] >= LS_IL_FIRST)
                w->nets[bits[b]].uses += 2; /* it keeps its wire */
            add_fate(r, &run);
        }
        for (size_t k = 0; k < LS_GATES_FATES; k++) g->fates[k] += r->fates[k];
        free(bits);
    }
    free(owners);
    add_masks(w);
}

/* Every port must be there, and of registers something: else nothing, or less than is said, would be compared. */
static void check_ports(ls_gates_work *w, const char *netlist) {
    ls_text problems = {0};
    if (ls_gates_check_ports(&w->fields, w->top, netlist, &problems) > 0) ls_gates_fail(w, ls_text_take(&problems));
    free(ls_text_take(&problems));
}

static void check_registers(ls_gates_work *w, const char *netlist) {
    const ls_gates *g = w->gates;
    uint64_t all = 0;
    for (size_t i = 0; i < LS_GATES_FATES; i++) all += g->fates[i];
    if (w->request->ports_only || all == 0 || g->fates[LS_GATES_OPEN] + g->fates[LS_GATES_GONE] < all) return;
    ls_gates_fail(
        w, ls_format("%s: none of the %llu register bits of %s is there by its name: none would be compared (--ports-only: "
                     "ports alone are)",
                     netlist, (unsigned long long)all, w->request->unit->name));
}

/* Writes the Verilog into the cache, under the name of its contents. */
static void write_verilog(ls_gates_work *w) {
    ls_text text = {0};
    ls_gates_verilog(w, &text);
    ls_hash h = ls_hash_begin();
    ls_hash_bytes(&h, text.data, text.size);
    char *key = ls_hash_end(&h);
    w->gates->verilog = ls_format("%s/gates/%s-%s.v", ls_cache(), w->request->unit->name, key);
    ls_text there = {0};
    const bool same = ls_text_read(&there, w->gates->verilog) == 0 && there.size == text.size &&
                      memcmp(there.data, text.data, text.size) == 0; /* a machine that goes down may leave another */
    const int error = same ? 0 : ls_text_write(&text, w->gates->verilog);
    free(ls_text_take(&there));
    if (error != 0) ls_gates_fail(w, ls_format("%s: %s", w->gates->verilog, strerror(-error)));
    free(key);
    free(ls_text_take(&text));
}

static void free_work(ls_gates_work *w) {
    for (size_t i = 0; i < w->type_count; i++) {
        free(w->types[i].driver);
        free(w->types[i].input);
    }
    for (size_t i = 0; i < w->store_count; i++) free(w->stores[i].cells);
    for (size_t i = 0; i < w->scoped_count; i++) free(w->scoped[i]);
    for (size_t i = 0; i < w->fields.count && w->columns != NULL; i++) free(w->columns[i]);
    free(w->columns);
    free(w->column_count);
    free(w->scoped);
    free(w->scoped_wire);
    free(w->types);
    free(w->stores);
    free(w->queue);
    free(w->cells);
    free(w->nets);
    ls_fields_free(&w->fields);
    ls_il_free(&w->netlist);
    ls_il_free(&w->liberty);
}

int ls_gates_make(const ls_gates_request *rq, ls_gates *g, char **error) {
    ls_gates_work w = {.request = rq, .gates = g};
    *g = (ls_gates){
        .folder = ls_copy(rq->folder), .liberty = ls_copy(rq->liberty), .masks.gates = true, .ports_only = rq->ports_only};
    char *macros = ls_format("%s/macros.v", rq->folder), *netlist = ls_format("%s/gates.il", rq->folder);
    if (has_macros(macros)) g->macros = ls_copy(macros);
    char *cells = make_cells(&w);
    if (w.error == NULL) (void)ls_il_read(cells, false, &w.liberty, &w.error);
    if (w.error == NULL) (void)ls_il_read(netlist, false, &w.netlist, &w.error);
    if (w.error == NULL) w.top = ls_il_find(&w.netlist, ls_unit_top(rq->unit));
    if (w.error == NULL && w.top == NULL) ls_gates_fail(&w, ls_format("%s: no module %s", netlist, ls_unit_top(rq->unit)));
    if (w.error == NULL) read_types(&w);
    if (w.error == NULL) read_nets(&w);
    if (w.error == NULL) {
        ls_signals_of(rq->unit, rq->cfg, &w.fields);
        check_ports(&w, netlist);
    }
    if (w.error == NULL) {
        list_scoped(&w);
        find_registers(&w);
        check_registers(&w, netlist);
    }
    if (w.error == NULL) {
        g->cells = w.top->cell_count;
        for (uint32_t i = LS_IL_FIRST; i < w.top->bit_count; i++)
            g->floating += w.top->same[i] == i && w.nets[i].uses > 0 && w.nets[i].cell == LS_NONE && w.nets[i].port == LS_NONE;
        write_verilog(&w);
    }
    free(cells);
    free(macros);
    free(netlist);
    free_work(&w);
    *error = w.error;
    if (w.error == NULL) return 0;
    ls_gates_free(g);
    return -1;
}

void ls_gates_free(ls_gates *g) {
    for (size_t i = 0; i < g->register_count; i++) {
        for (size_t k = 0; k < g->registers[i].run_count; k++) free(g->registers[i].runs[k].other);
        free(g->registers[i].runs);
        free(g->registers[i].name);
    }
    free(g->registers);
    ls_masks_free(&g->masks);
    free(g->folder);
    free(g->rtl);
    free(g->liberty);
    free(g->misclocked);
    free(g->note.json);
    free(g->note.text);
    free(g->verilog);
    free(g->macros);
    ls_args_free(&g->vars);
    ls_args_free(&g->names);
    *g = (ls_gates){0};
}
