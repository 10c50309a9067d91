/* SPDX-License-Identifier: Apache-2.0 */
/* The netlist as Verilog: a wire for every net, because parts of one vector that depend on each other are a loop to
 * Verilator 5.006, and it settles some of them wrongly; vectors for ports and flip-flops alone, which depend on nothing in the
 * same instant. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/core/signals.h"
#include "harness/netlist/gates_parts.h"

#define DEEP 6u /* gates in one expression, one behind another: a net that is read once needs no wire */
#define PUBLIC " /*verilator public_flat_rd*/"

static void put_net(ls_gates_work *w, uint32_t bit, unsigned depth, ls_text *out);

/* The function of an inner bit of a cell. */
static void put_inner(ls_gates_work *w, const ls_gates_cell *c, uint32_t bit, unsigned depth, ls_text *out) {
    static const struct {
        const char *type, *before, *between, *after;
    } gates[] = {{"$_AND_", "(", " & ", ")"},     {"$_OR_", "(", " | ", ")"},     {"$_XOR_", "(", " ^ ", ")"},
                 {"$_NAND_", "~(", " & ", ")"},   {"$_NOR_", "~(", " | ", ")"},   {"$_XNOR_", "~(", " ^ ", ")"},
                 {"$_ANDNOT_", "(", " & ~", ")"}, {"$_ORNOT_", "(", " | ~", ")"}, {"$_NOT_", "~", NULL, ""},
                 {"$_BUF_", "", NULL, ""}};
    const ls_gates_type *t = c->type;
    if (bit == LS_NONE || bit < LS_IL_FIRST) {
        ls_text_add(out, "1'b%d", bit == LS_IL_1);
        return;
    }
    if (t->input[bit] != LS_NONE) {
        const ls_il_pin *pin = ls_il_find_pin(c->cell, t->module->wires[t->input[bit]].name);
        put_net(w, pin != NULL ? w->top->same[pin->bits[0]] : (uint32_t)LS_IL_X, depth, out);
        return;
    }
    const uint32_t inner = t->driver[bit];
    if (inner == LS_NONE) {
        ls_text_add(out, "1'b0");
        return;
    }
    if (inner == t->flop) {
        ls_text_add(out, LS_STORE_NAME "%u[%u]", c->store, c->place);
        return;
    }
    const char *type = t->module->cells[inner].type;
    const uint32_t a = ls_gates_inner(t, inner, "A"), b = ls_gates_inner(t, inner, "B");
    if (strcmp(type, "$_MUX_") == 0) {
        ls_text_add(out, "(");
        put_inner(w, c, ls_gates_inner(t, inner, "S"), depth, out);
        ls_text_add(out, " ? ");
        put_inner(w, c, b, depth, out);
        ls_text_add(out, " : ");
        put_inner(w, c, a, depth, out);
        ls_text_add(out, ")");
        return;
    }
    size_t i = 0;
    while (strcmp(gates[i].type, type) != 0) i++; /* gates.c has refused all others */
    ls_text_add(out, "%s", gates[i].before);
    put_inner(w, c, a, depth, out);
    if (gates[i].between != NULL) {
        ls_text_add(out, "%s", gates[i].between);
        put_inner(w, c, b, depth, out);
    }
    ls_text_add(out, "%s", gates[i].after);
}

/* What drives the net, as an expression. */
static void put_driver(ls_gates_work *w, uint32_t net, unsigned depth, ls_text *out) {
    const ls_gates_cell *c = &w->cells[w->nets[net].cell];
    const ls_il_wire *pin = ls_il_find_wire(c->type->module, c->cell->pins[w->nets[net].pin].name);
    put_inner(w, c, c->type->module->same[pin->first], depth, out);
}

/* Whether the net needs no wire: a flip-flop's, or one that is read once, of a gate. */
static bool is_flop_net(ls_gates_work *w, uint32_t net) {
    const ls_gates_net *n = &w->nets[net];
    if (n->cell == LS_NONE || w->cells[n->cell].type->flop == LS_NONE) return false;
    const ls_gates_type *t = w->cells[n->cell].type;
    const uint32_t bit = t->module->same[ls_il_find_wire(t->module, w->cells[n->cell].cell->pins[n->pin].name)->first];
    return bit >= LS_IL_FIRST && t->driver[bit] == t->flop;
}

static bool is_inline(ls_gates_work *w, uint32_t net) {
    const ls_gates_net *n = &w->nets[net];
    return n->cell != LS_NONE && n->uses == 1 && !w->cells[n->cell].type->black && n->port == LS_NONE;
}

/* A bit where it is read. */
static void put_net(ls_gates_work *w, uint32_t bit, unsigned depth, ls_text *out) {
    const ls_gates_net *n = bit == LS_NONE || bit < LS_IL_FIRST ? NULL : &w->nets[bit];
    if (n == NULL || (n->cell == LS_NONE && n->port == LS_NONE)) {
        ls_text_add(out, "1'b%d", bit == LS_IL_1);
    } else if (n->port != LS_NONE) {
        const ls_il_wire *port = &w->top->wires[n->port];
        uint32_t at = 0; /* two bits of ports that are connected are one net, with one number */
        while (w->top->same[port->first + at] != bit) at++;
        if (port->width == 1) ls_text_add(out, "%s", port->name);
        else ls_text_add(out, "%s[%u]", port->name, at);
    } else if (is_flop_net(w, bit)) {
        put_driver(w, bit, 0, out);
    } else if (depth > 0 && is_inline(w, bit)) {
        put_driver(w, bit, depth - 1, out);
    } else {
        ls_text_add(out, "ls_w%u", bit);
        if (w->nets[bit].named) return;
        w->nets[bit].named = true;
        w->queue = ls_grow(w->queue, w->queue_count, sizeof *w->queue);
        w->queue[w->queue_count++] = bit;
    }
}

/* "{a, b, …}" of the bits, highest first, a few a line. */
static void put_bits(ls_gates_work *w, const uint32_t *bits, uint32_t count, unsigned depth, ls_text *out) {
    ls_text_add(out, "{");
    for (uint32_t i = count; i-- > 0;) {
        put_net(w, bits[i], depth, out);
        ls_text_add(out, "%s", i == 0 ? "}" : i % 8 == 0 ? ",\n    " : ", ");
    }
}

static void put_ports(ls_gates_work *w, ls_text *out) {
    uint32_t most = 0;
    const ls_il_module *m = w->top;
    for (size_t i = 0; i < m->wire_count; i++) most = m->wires[i].port > most ? m->wires[i].port : most;
    ls_text_add(out, "module %s (", m->name);
    const char *comma = "";
    for (uint32_t number = 1; number <= most; number++)
        for (size_t i = 0; i < m->wire_count; i++) {
            const ls_il_wire *p = &m->wires[i];
            if (p->port != number) continue;
            ls_text_add(out, "%s\n  %s", comma, p->input ? "input" : "output");
            if (p->width > 1) ls_text_add(out, " [%u:0]", p->width - 1);
            ls_text_add(out, " %s", p->name);
            comma = ",";
        }
    ls_text_add(out, "\n);\n");
}

/* Whether the edges of that clock are those of the RTL turned round (synth.tcl). */
static bool is_turned(const ls_gates_work *w, uint32_t clock) {
    const ls_unit *u = w->request->unit;
    const ls_il_wire *pin = u->names.falling ? ls_il_find_wire(w->top, ls_clock_name(u)) : NULL;
    return pin != NULL && w->top->same[pin->first] == clock;
}

static void put_store(ls_gates_work *w, uint32_t number, ls_text *out) {
    const ls_gates_store *s = &w->stores[number];
    const ls_gates_clock *k = &s->clock;
    const bool both = k->reset != LS_NONE && k->set != LS_NONE, any = k->reset != LS_NONE || k->set != LS_NONE;
    const uint32_t async = k->reset != LS_NONE ? k->reset : k->set;
    const bool low = k->reset != LS_NONE ? k->reset_low : k->set_low;
    const bool falls = k->clock_low != is_turned(w, k->clock);
    ls_text_add(out, "  always @(%sedge ", falls ? "neg" : "pos");
    put_net(w, k->clock, 0, out);
    if (any) {
        ls_text_add(out, " or %sedge ", low ? "neg" : "pos");
        put_net(w, async, 0, out);
    }
    if (both) {
        ls_text_add(out, " or %sedge ", k->set_low ? "neg" : "pos");
        put_net(w, k->set, 0, out);
    }
    ls_text_add(out, ")\n");
    if (any) {
        ls_text_add(out, "    if (%s", low ? "!" : "");
        put_net(w, async, 0, out);
        ls_text_add(out, ") " LS_STORE_NAME "%u <= {", number);
        for (uint32_t i = s->width; i-- > 0;) {
            ls_gates_clock one = *k; /* to 1 where this flip-flop's own pin is its set */
            (void)ls_gates_clocking(w, &w->cells[s->cells[i]], &one);
            ls_text_add(out, "1'b%d%s", one.reset == LS_NONE, i == 0 ? "};\n" : i % 16 == 0 ? ",\n    " : ", ");
        }
        ls_text_add(out, "    else");
    }
    if (both) {
        ls_text_add(out, " if (%s", k->set_low ? "!" : "");
        put_net(w, k->set, 0, out);
        ls_text_add(out, ") " LS_STORE_NAME "%u <= {%u{1'b1}};\n    else", number, s->width);
    }
    ls_text_add(out, "    " LS_STORE_NAME "%u <= {", number);
    for (uint32_t i = s->width; i-- > 0;) {
        const ls_gates_cell *c = &w->cells[s->cells[i]];
        put_inner(w, c, ls_gates_inner(c->type, c->type->flop, "D"), DEEP, out);
        ls_text_add(out, "%s", i == 0 ? "};\n" : ",\n    ");
    }
}

/* A macro: its inputs from concatenations, its outputs into vectors. */
static void put_macro(ls_gates_work *w, uint32_t number, ls_text *out) {
    const ls_gates_cell *c = &w->cells[number];
    for (uint32_t p = 0; p < c->cell->pin_count; p++) {
        const ls_il_pin *pin = &c->cell->pins[p];
        if (!ls_il_find_wire(c->type->module, pin->name)->output) continue;
        ls_text_add(out, "  wire [%u:0] ls_m%u_%s;\n", pin->width - 1, number, pin->name);
    }
    ls_text_add(out, "  %s " LS_MACRO_NAME "%u (", c->cell->type, number);
    for (uint32_t p = 0; p < c->cell->pin_count; p++) {
        const ls_il_pin *pin = &c->cell->pins[p];
        ls_text_add(out, "%s.%s(", p > 0 ? ",\n    " : "", pin->name);
        if (ls_il_find_wire(c->type->module, pin->name)->output) ls_text_add(out, "ls_m%u_%s", number, pin->name);
        else {
            uint32_t *bits = ls_alloc(pin->width + 1, sizeof *bits);
            for (uint32_t b = 0; b < pin->width; b++) bits[b] = w->top->same[pin->bits[b]];
            if (pin->width == 1 && is_turned(w, bits[0])) ls_text_add(out, "~");
            put_bits(w, bits, pin->width, 0, out);
            free(bits);
        }
        ls_text_add(out, ")");
    }
    ls_text_add(out, ");\n");
}

static void name_var(ls_gates_work *w, const char *var, uint32_t number, char *name) {
    ls_args_add(&w->gates->vars, "%s%u", var, number);
    ls_args_add(&w->gates->names, "%s", name);
}

/* The register under its name: a vector of its own bits or of those that it is equal to. */
static void put_register(ls_gates_work *w, uint32_t number, ls_text *out) {
    const ls_field *f = &w->fields.list[number];
    const uint32_t total = f->bits * f->count;
    uint32_t *bits = ls_gates_bits(w, f);
    if (w->columns[number] != NULL) { /* the macros' rows, one beside the other */
        ls_text_add(out, "  reg [%u:0] ls_f%u [0:%u]" PUBLIC ";\n  integer ls_i%u;\n", f->bits - 1, number, f->count - 1, number);
        ls_text_add(out, "  always @* for (ls_i%u = 0; ls_i%u < %u; ls_i%u = ls_i%u + 1) ls_f%u[ls_i%u] = {", number, number,
                    f->count, number, number, number, number);
        for (uint32_t c = w->column_count[number]; c-- > 0;) {
            const uint32_t macro = w->columns[number][c], width = ls_gates_macro_width(w->cells[macro].type);
            const uint32_t left = f->bits - c * width;
            ls_text_add(out, LS_MACRO_NAME "%u.mem[ls_i%u]", macro, number);
            if (left < width) ls_text_add(out, "[%u:0]", left - 1);
            ls_text_add(out, "%s", c == 0 ? "};\n" : ", ");
        }
        name_var(w, "ls_f", number, f->name);
    } else if (ls_gates_array(f)) {
        ls_text_add(out, "  wire [%u:0] ls_f%u [0:%u]" PUBLIC ";\n", f->bits - 1, number, f->count - 1);
        for (uint32_t e = 0; e < f->count; e++) {
            ls_text_add(out, "  assign ls_f%u[%u] = ", number, e);
            put_bits(w, bits + (size_t)e * f->bits, f->bits, 0, out);
            ls_text_add(out, ";\n");
        }
        name_var(w, "ls_f", number, f->name);
    } else {
        ls_text_add(out, "  wire [%u:0] ls_f%u" PUBLIC ";\n  assign ls_f%u = ", total - 1, number, number);
        put_bits(w, bits, total, 0, out);
        ls_text_add(out, ";\n");
        name_var(w, "ls_f", number, f->name);
    }
    free(bits);
}

/* The rows of a memory are known by its name: what is turned around in a second instance leaves them out (run.c). */
static void name_rows(ls_gates_work *w) {
    for (uint32_t i = 0; i < w->store_count; i++) {
        const ls_field *f = w->stores[i].field == LS_NONE ? NULL : &w->fields.list[w->stores[i].field];
        if (f == NULL || f->kind != LS_MEMORY) continue;
        char *name = ls_format("%s[store %u]", f->name, i);
        name_var(w, LS_STORE_NAME, i, name);
        free(name);
    }
}

/* What drives a net that is named somewhere. */
static void put_wire(ls_gates_work *w, uint32_t net, ls_text *out) {
    const ls_gates_net *n = &w->nets[net];
    ls_text_add(out, "  assign ls_w%u = ", net);
    if (w->cells[n->cell].type->black) {
        const ls_il_pin *pin = &w->cells[n->cell].cell->pins[n->pin];
        uint32_t at = 0;
        while (w->top->same[pin->bits[at]] != net) at++;
        ls_text_add(out, "ls_m%u_%s[%u]", n->cell, pin->name, at);
    } else {
        put_driver(w, net, DEEP, out);
    }
    ls_text_add(out, ";\n");
}

void ls_gates_verilog(ls_gates_work *w, ls_text *out) {
    const ls_il_module *m = w->top;
    ls_text body = {0};
    for (uint32_t i = 0; i < w->store_count; i++) put_store(w, i, &body);
    for (uint32_t i = 0; i < m->cell_count; i++)
        if (w->cells[i].type->black) put_macro(w, i, &body);
    for (size_t i = 0; i < m->wire_count; i++) {
        const ls_il_wire *p = &m->wires[i];
        if (!p->output) continue;
        uint32_t *bits = ls_alloc(p->width + 1, sizeof *bits);
        for (uint32_t b = 0; b < p->width; b++) bits[b] = m->same[p->first + b];
        ls_text_add(&body, "  assign %s = ", p->name);
        put_bits(w, bits, p->width, DEEP, &body);
        ls_text_add(&body, ";\n");
        free(bits);
    }
    for (uint32_t i = 0; i < w->fields.count; i++)
        if (ls_is_state(&w->fields.list[i])) put_register(w, i, &body);
    name_rows(w);
    for (size_t i = 0; i < w->queue_count; i++) put_wire(w, w->queue[i], &body); /* the queue grows meanwhile */
    put_ports(w, out);
    for (uint32_t i = 0; i < w->store_count; i++)
        ls_text_add(out, "  reg [%u:0] " LS_STORE_NAME "%u" PUBLIC ";\n", w->stores[i].width - 1, i);
    for (size_t i = 0; i < w->queue_count; i++) ls_text_add(out, "  wire ls_w%u;\n", w->queue[i]);
    ls_text_put(out, body.data, body.size);
    ls_text_add(out, "endmodule\n");
    free(ls_text_take(&body));
}
