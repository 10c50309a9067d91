/* SPDX-License-Identifier: Apache-2.0 */
/* A mapped netlist bound to its library: nets and their loads, the clock, the order of evaluation, and whose register or instance
 * each cell works for. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/synth/mapped.h"

typedef struct work {
    ls_mapped *d;
    uint32_t *load_first, *loads; /* the cells on net n: loads[load_first[n]] .. loads[load_first[n + 1]] */
    const ls_il_wire **wire;      /* by net: the RTL's best name for it, or NULL */
    char *error;
} work;

static bool fail(work *w, char *text) {
    if (w->error == NULL) w->error = text;
    else free(text);
    return false;
}

/* ---- nets and cells ---- */

static uint32_t net_of(work *w, uint32_t bit) {
    ls_mapped *d = w->d;
    const uint32_t is = d->top->same[bit];
    if (is < LS_IL_FIRST) return is == LS_IL_1 ? 1 : 0; /* what is open or may be anything is 0, as in simulation */
    if (d->net_of[is] == LS_MAPPED_NONE) {
        d->nets = ls_grow(d->nets, d->net_count, sizeof *d->nets);
        d->nets[d->net_count] = (ls_mapped_net){.driver = LS_MAPPED_NONE, .bit = is};
        d->net_of[is] = d->net_count++;
    }
    return d->net_of[is];
}

static void add_pin(ls_mapped *d, const ls_liberty_pin *pin, uint32_t net, bool output, uint32_t cell) {
    d->pins = ls_grow(d->pins, d->pin_count, sizeof *d->pins);
    d->pins[d->pin_count++] = (ls_mapped_pin){pin, net, output};
    if (output && net > 1) d->nets[net].driver = cell;
    if (!output && pin != NULL) d->nets[net].load += pin->capacitance;
}

static bool add_macro(work *w, const ls_il_cell *il, ls_mapped_cell *cell) {
    ls_mapped *d = w->d;
    ls_sram sram;
    if (ls_sram_find(&d->macros, il->type, 1, &sram) == 0) {
        cell->macro = sram.figure;
        free(sram.name);
    }
    if (cell->macro == NULL)
        return fail(w,
                    ls_format("cell %s: its type %s is neither in the library nor in the table of macros", il->name, il->type));
    for (uint32_t p = 0; p < il->pin_count; p++) /* its data output is Q */
        for (uint32_t b = 0; b < il->pins[p].width; b++)
            add_pin(d, NULL, net_of(w, il->pins[p].bits[b]), strcmp(il->pins[p].name, "Q") == 0, d->cell_count);
    return true;
}

/* Whether function f of the pins is just one of them, and which. */
static const ls_liberty_pin *only_pin(const ls_liberty_cell *type, const char *f) {
    for (size_t i = 0; i < type->pin_count; i++) {
        uint64_t table;
        const char *name = type->pins[i].name;
        if (type->pins[i].input && ls_liberty_truth(f, &name, 1, &table) && table == 2) return &type->pins[i];
    }
    return NULL;
}

/* Behind a flip-flop's name, which may be Yosys's own, the RTL's of what it holds: ", mask_q[3]"; "" when it has none. To free.
 */
static char *held_by(const work *w, const ls_il_cell *il, const ls_liberty_cell *t) {
    const ls_il_module *top = w->d->top;
    for (size_t p = 0; p < t->pin_count && t->flop; p++) {
        const ls_il_pin *pin = t->pins[p].output ? ls_il_find_pin(il, t->pins[p].name) : NULL;
        for (size_t i = 0; pin != NULL && pin->width == 1 && i < top->wire_count; i++) {
            const ls_il_wire *wire = &top->wires[i];
            for (uint32_t b = 0; b < wire->width && !wire->made_up; b++)
                if (top->same[wire->first + b] == top->same[pin->bits[0]])
                    return wire->width == 1 ? ls_format(", %s", wire->name) : ls_format(", %s[%u]", wire->name, b);
        }
    }
    return ls_copy("");
}

static bool check_type(work *w, const ls_il_cell *il, const ls_liberty_cell *t) {
    const char *what = NULL;
    if (t->latch) what = "is a latch";
    else if (t->vectors) what = "is a macro with buses, which is not in the table of macros";
    else if (t->flop && t->next_state[0] == '\0') what = "has no next_state";
    else if (t->flop && only_pin(t, t->clocked_on) == NULL) what = "is not clocked by the rising edge of a pin";
    if (what == NULL) return true;
    char *held = held_by(w, il, t);
    char *text = ls_format("cell %s%s: its type %s %s", il->name, held, t->name, what);
    free(held);
    return fail(w, text);
}

static bool add_cell(work *w, const ls_il_cell *il) {
    ls_mapped *d = w->d;
    ls_mapped_cell cell = {
        .cell = il, .type = ls_liberty_find(&d->liberty, il->type), .first = d->pin_count, .owner = LS_MAPPED_NONE};
    if (cell.type == NULL && !add_macro(w, il, &cell)) return false;
    if (cell.type != NULL && !check_type(w, il, cell.type)) return false;
    for (size_t p = 0; cell.type != NULL && p < cell.type->pin_count; p++) {
        const ls_liberty_pin *pin = &cell.type->pins[p];
        const ls_il_pin *at = ls_il_find_pin(il, pin->name);
        if (at == NULL && pin->output && !pin->input) continue; /* not used */
        if ((at == NULL && pin->input) || (at != NULL && at->width != 1))
            return fail(w, ls_format("cell %s: pin %s of %s is not connected to one net", il->name, pin->name, il->type));
        if (at != NULL && (pin->input || pin->output)) add_pin(d, pin, net_of(w, at->bits[0]), pin->output, d->cell_count);
    }
    for (uint32_t p = 0; cell.type != NULL && p < il->pin_count; p++)
        if (ls_liberty_pin_of(cell.type, il->pins[p].name) == NULL)
            return fail(w, ls_format("cell %s: %s has no pin %s", il->name, il->type, il->pins[p].name));
    cell.count = d->pin_count - cell.first;
    d->flop_count += cell.type != NULL && cell.type->flop;
    d->cells = ls_grow(d->cells, d->cell_count, sizeof *d->cells);
    d->cells[d->cell_count++] = cell;
    return true;
}

static bool add_cells(work *w) {
    ls_mapped *d = w->d;
    const ls_il_module *top = d->top;
    d->net_of = ls_alloc(top->bit_count, sizeof *d->net_of);
    for (uint32_t i = 0; i < top->bit_count; i++) d->net_of[i] = LS_MAPPED_NONE;
    for (uint32_t i = 0; i < 2; i++) {
        d->nets = ls_grow(d->nets, d->net_count, sizeof *d->nets);
        d->nets[d->net_count++] = (ls_mapped_net){.driver = LS_MAPPED_NONE, .bit = i == 1 ? LS_IL_1 : LS_IL_0};
    }
    for (size_t i = 0; i < top->wire_count; i++)
        for (uint32_t b = 0; top->wires[i].port != 0 && b < top->wires[i].width; b++) (void)net_of(w, top->wires[i].first + b);
    for (size_t i = 0; i < top->cell_count; i++)
        if (!add_cell(w, &top->cells[i])) return false;
    w->load_first = ls_alloc(d->net_count + 1, sizeof *w->load_first);
    w->loads = ls_alloc(d->pin_count + 1, sizeof *w->loads);
    for (uint32_t p = 0; p < d->pin_count; p++) w->load_first[d->pins[p].net + 1] += !d->pins[p].output;
    for (uint32_t n = 0; n < d->net_count; n++) w->load_first[n + 1] += w->load_first[n];
    uint32_t *filled = ls_alloc(d->net_count, sizeof *filled);
    for (uint32_t c = 0; c < d->cell_count; c++)
        for (uint32_t p = d->cells[c].first; p < d->cells[c].first + d->cells[c].count; p++) {
            const uint32_t net = d->pins[p].net;
            if (!d->pins[p].output) w->loads[w->load_first[net] + filled[net]++] = c;
        }
    free(filled);
    return true;
}

/* ---- the clock ---- */

static bool is_clock_pin(const ls_mapped *d, const ls_mapped_cell *c, const ls_mapped_pin *p) {
    if (p->output) return false;
    if (c->type != NULL) return c->type->flop && p->pin->clock;
    for (uint32_t k = 0, at = c->first; k < c->cell->pin_count; at += c->cell->pins[k++].width) { /* of a macro */
        const char *name = c->cell->pins[k].name;
        const size_t n = strlen(name);
        const uint32_t i = (uint32_t)(p - d->pins);
        if (i >= at && i < at + c->cell->pins[k].width) return n >= 3 && strcmp(name + n - 3, "CLK") == 0;
    }
    return false;
}

/* Whether function f is the inverse of one pin of the cell. */
static bool inverts(const ls_liberty_cell *type, const char *f) {
    bool found = false;
    uint64_t table;
    for (size_t i = 0; i < type->pin_count && !found; i++) {
        const char *name = type->pins[i].name;
        found = type->pins[i].input && ls_liberty_truth(f, &name, 1, &table) && table == 1;
    }
    return found;
}

/* Complains of cell `by`, whose output drives the clock of cell `of`. */
static bool refuse_clock(work *w, const ls_mapped_cell *of, const ls_mapped_cell *by, const ls_liberty_pin *out) {
    char *held = of->type != NULL ? held_by(w, of->cell, of->type) : ls_copy("");
    const bool falling = out != NULL && inverts(by->type, out->function);
    char *text = ls_format("cell %s%s: cell %s (%s) makes its clock%s, and only a buffer may pass one on here", of->cell->name,
                           held, by->cell->name, by->cell->type, falling ? ", so that it takes the falling edge" : "");
    free(held);
    return fail(w, text);
}

/* Marks the net, the clock of cell `of`, and, through cells that only pass it on, where it comes from. */
static bool mark_clock(work *w, const ls_mapped_cell *of, uint32_t net) {
    ls_mapped *d = w->d;
    while (net > 1 && !d->nets[net].clock) {
        d->nets[net].clock = true;
        if (d->nets[net].driver == LS_MAPPED_NONE) return true;
        ls_mapped_cell *c = &d->cells[d->nets[net].driver];
        const ls_liberty_pin *from = NULL, *out = NULL;
        for (uint32_t p = c->first; p < c->first + c->count && c->type != NULL && !c->type->flop; p++)
            if (d->pins[p].output && d->pins[p].net == net) {
                out = d->pins[p].pin;
                from = only_pin(c->type, out->function);
            }
        if (from == NULL) return refuse_clock(w, of, c, out);
        c->clock = true;
        for (uint32_t p = c->first; p < c->first + c->count; p++)
            if (d->pins[p].pin == from) net = d->pins[p].net;
    }
    return true;
}

static bool find_clocks(work *w) {
    ls_mapped *d = w->d;
    for (uint32_t c = 0; c < d->cell_count; c++)
        for (uint32_t p = d->cells[c].first; p < d->cells[c].first + d->cells[c].count; p++)
            if (is_clock_pin(d, &d->cells[c], &d->pins[p]) && !mark_clock(w, &d->cells[c], d->pins[p].net)) return false;
    for (uint32_t c = 0; c < d->cell_count; c++)
        for (uint32_t p = d->cells[c].first; p < d->cells[c].first + d->cells[c].count; p++)
            if (!d->pins[p].output && d->nets[d->pins[p].net].clock && !d->cells[c].clock &&
                !is_clock_pin(d, &d->cells[c], &d->pins[p]))
                return fail(w, ls_format("cell %s: the clock is no clock there", d->cells[c].cell->name));
    return true;
}

/* ---- order ---- */

static bool is_logic(const ls_mapped_cell *c) { return c->type != NULL && !c->type->flop && !c->clock; }

static bool find_order(work *w) {
    ls_mapped *d = w->d;
    uint32_t *missing = ls_alloc(d->cell_count, sizeof *missing), logic = 0, done = 0;
    d->order = ls_alloc(d->cell_count, sizeof *d->order);
    for (uint32_t c = 0; c < d->cell_count; c++) {
        if (!is_logic(&d->cells[c])) continue;
        logic++;
        for (uint32_t p = d->cells[c].first; p < d->cells[c].first + d->cells[c].count; p++) {
            const uint32_t driver = d->nets[d->pins[p].net].driver;
            missing[c] += !d->pins[p].output && driver != LS_MAPPED_NONE && is_logic(&d->cells[driver]);
        }
        if (missing[c] == 0) d->order[d->order_count++] = c;
    }
    for (; done < d->order_count; done++) {
        const ls_mapped_cell *c = &d->cells[d->order[done]];
        for (uint32_t p = c->first; p < c->first + c->count; p++)
            for (uint32_t l = w->load_first[d->pins[p].net]; d->pins[p].output && l < w->load_first[d->pins[p].net + 1]; l++) {
                const uint32_t load = w->loads[l];
                if (is_logic(&d->cells[load]) && --missing[load] == 0) d->order[d->order_count++] = load;
            }
    }
    uint32_t stuck = 0;
    while (d->order_count < logic && (!is_logic(&d->cells[stuck]) || missing[stuck] == 0)) stuck++;
    free(missing);
    return d->order_count == logic || fail(w, ls_format("cell %s: it is in a loop of gates", d->cells[stuck].cell->name));
}

/* ---- owners ---- */

/* Whether the name is of a register: "u_arbiter.rr_q", "mem_q[3]". */
static bool is_register(const char *name) {
    size_t n = strlen(name);
    while (n > 0 && name[n - 1] == ']')
        while (n > 0 && name[--n] != '[') continue;
    return n >= 2 && name[n - 2] == '_' && name[n - 1] == 'q';
}

/* How good a name is for a net: a register's, then any but a port's. */
static int rank(const ls_il_wire *wire) { return is_register(wire->name) ? 2 : wire->port == 0; }

/* The best name of each net; of equally good ones the shortest. */
static void find_names(work *w) {
    const ls_mapped *d = w->d;
    w->wire = ls_alloc(d->net_count, sizeof *w->wire);
    for (size_t i = 0; i < d->top->wire_count; i++) {
        const ls_il_wire *wire = &d->top->wires[i];
        if (wire->made_up) continue;
        for (uint32_t b = 0; b < wire->width; b++) {
            const uint32_t net = d->net_of[d->top->same[wire->first + b]];
            if (net == LS_MAPPED_NONE) continue;
            const ls_il_wire *old = w->wire[net];
            if (old == NULL || rank(wire) > rank(old) || (rank(wire) == rank(old) && strlen(wire->name) < strlen(old->name)))
                w->wire[net] = wire;
        }
    }
}

static uint32_t owner(ls_mapped *d, char *name) {
    uint32_t i = (uint32_t)d->owners.count;
    while (i > 0 && strcmp(d->owners.list[i - 1], name) != 0) i--;
    if (i == 0) {
        ls_args_add(&d->owners, "%s", name);
        i = (uint32_t)d->owners.count;
    }
    free(name);
    return i - 1;
}

/* The instance a register is in, or the register itself at the top; "[*]" for all of an array. */
static char *owner_name(const char *name) {
    ls_text text = {0};
    char *plain = ls_copy(name);
    (void)ls_il_drop_scopes(plain);
    const char *dot = strrchr(plain, '.'), *end = dot != NULL ? dot : plain + strlen(plain);
    for (const char *at = plain; at < end; at++) {
        if (*at == '[') {
            ls_text_add(&text, "[*]");
            while (at + 1 < end && *at != ']') at++;
        } else {
            ls_text_put(&text, at, 1);
        }
    }
    free(plain);
    return ls_text_take(&text);
}

/* The memory that a macro is a piece of: "u_bank.mem_q" of "u_bank.mem_q.0.3". */
static char *memory_name(const char *macro) {
    size_t n = strlen(macro), digits;
    do {
        for (digits = 0; digits < n && macro[n - 1 - digits] >= '0' && macro[n - 1 - digits] <= '9';) digits++;
        if (digits > 0 && digits < n && macro[n - 1 - digits] == '.') n -= digits + 1;
        else digits = 0;
    } while (digits > 0);
    return ls_format("%.*s", (int)n, macro);
}

static void find_owners(work *w) {
    ls_mapped *d = w->d;
    uint32_t *depth = ls_alloc(d->cell_count, sizeof *depth), *port = ls_alloc(d->net_count, sizeof *port);
    find_names(w);
    for (size_t i = 0; i < d->top->wire_count; i++) {
        const ls_il_wire *wire = &d->top->wires[i];
        if (!wire->output) continue;
        const uint32_t o = owner(d, ls_format("port %s", wire->name));
        for (uint32_t b = 0; b < wire->width; b++)
            port[d->net_of[d->top->same[wire->first + b]] != LS_MAPPED_NONE ? d->net_of[d->top->same[wire->first + b]] : 0] =
                o + 1;
    }
    for (uint32_t c = 0; c < d->cell_count; c++) { /* where paths end */
        ls_mapped_cell *cell = &d->cells[c];
        if (is_logic(cell)) continue;
        const ls_il_wire *wire = NULL;
        for (uint32_t p = cell->first; p < cell->first + cell->count && cell->type != NULL && wire == NULL; p++)
            if (d->pins[p].output) wire = w->wire[d->pins[p].net];
        const char *name = cell->clock ? "clock" : cell->type == NULL ? cell->cell->name : wire != NULL ? wire->name : "unnamed";
        char *plain = cell->type == NULL ? memory_name(name) : ls_copy(name);
        cell->owner = owner(d, owner_name(plain));
        free(plain);
    }
    for (uint32_t i = d->order_count; i-- > 0;) {
        ls_mapped_cell *cell = &d->cells[d->order[i]];
        uint32_t *best = &depth[d->order[i]];
        for (uint32_t p = cell->first; p < cell->first + cell->count; p++) {
            const uint32_t net = d->pins[p].net;
            if (!d->pins[p].output) continue;
            for (uint32_t l = w->load_first[net]; l < w->load_first[net + 1]; l++) {
                const uint32_t far = depth[w->loads[l]] + 1;
                if (*best != 0 && far >= *best) continue;
                *best = far;
                cell->owner = d->cells[w->loads[l]].owner;
            }
            if (port[net] != 0 && *best != 1) {
                *best = 1;
                cell->owner = port[net] - 1;
            }
        }
        if (*best == 0) cell->owner = owner(d, ls_copy("unused"));
    }
    free(depth);
    free(port);
}

/* What net `net` is called by bit `at` of a wire. */
static char *bit_name(const ls_il_wire *wire, uint32_t at) {
    return wire->width == 1 ? ls_copy(wire->name) : ls_format("%s[%u]", wire->name, at);
}

char **ls_mapped_net_names(const ls_mapped *d) {
    char **names = ls_alloc(d->net_count, sizeof *names);
    names[0] = ls_copy("1'0");
    names[1] = ls_copy("1'1");
    for (int made_up = 0; made_up < 2; made_up++) /* the RTL's first */
        for (size_t i = 0; i < d->top->wire_count; i++) {
            const ls_il_wire *wire = &d->top->wires[i];
            for (uint32_t b = 0; b < wire->width && wire->made_up == (made_up != 0); b++) {
                const uint32_t net = d->net_of[d->top->same[wire->first + b]];
                if (net != LS_MAPPED_NONE && names[net] == NULL) names[net] = bit_name(wire, b);
            }
        }
    for (uint32_t n = 0; n < d->net_count; n++)
        if (names[n] == NULL) names[n] = ls_copy("");
    return names;
}

char *ls_mapped_net_name(const ls_mapped *d, uint32_t net) {
    char **names = ls_mapped_net_names(d), *name = names[net];
    for (uint32_t n = 0; n < d->net_count; n++)
        if (n != net) free(names[n]);
    free(names);
    return name;
}

int ls_mapped_open(ls_mapped *d, const char *gates, const char *top, const char *library, const char *macros, char **error) {
    char text[1024];
    work w = {.d = d};
    *d = (ls_mapped){.path = ls_copy(gates)};
    *error = NULL;
    bool good = ls_il_read(gates, false, &d->netlist, &w.error) == 0;
    if (good && ls_liberty_read(library, &d->liberty, text, sizeof text) != 0) good = fail(&w, ls_copy(text));
    d->top = good ? ls_il_find(&d->netlist, top) : NULL;
    if (good && d->top == NULL) good = fail(&w, ls_format("%s: no module %s", gates, top));
    if (good && d->liberty.voltage <= 0) good = fail(&w, ls_format("%s: no nom_voltage, which energies need", library));
    if (good && macros != NULL && ls_sram_table_read(macros, &d->macros, text, sizeof text) != 0) good = fail(&w, ls_copy(text));
    good = good && add_cells(&w) && find_clocks(&w) && find_order(&w);
    if (good) find_owners(&w);
    if (good) ls_args_add(&d->owners, LS_MAPPED_INPUTS);
    free(w.load_first);
    free(w.loads);
    free(w.wire);
    if (good) return 0;
    ls_mapped_close(d);
    *error = w.error;
    return -1;
}

void ls_mapped_close(ls_mapped *d) {
    ls_il_free(&d->netlist);
    ls_liberty_free(&d->liberty);
    ls_sram_table_free(&d->macros);
    free(d->cells);
    free(d->pins);
    free(d->nets);
    free(d->net_of);
    free(d->order);
    free(d->path);
    ls_args_free(&d->owners);
    *d = (ls_mapped){0};
}
