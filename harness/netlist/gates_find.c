/* SPDX-License-Identifier: Apache-2.0 */
/* Where things are in a mapped netlist that was read: nets behind pins, clocks, the bits of registers. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/netlist/gates_parts.h"

void ls_gates_fail(ls_gates_work *w, char *text) {
    if (w->error == NULL) w->error = text;
    else free(text);
}

uint32_t ls_gates_inner(const ls_gates_type *t, uint32_t cell, const char *name) {
    const ls_il_pin *pin = ls_il_find_pin(&t->module->cells[cell], name);
    return pin == NULL || pin->width != 1 ? LS_NONE : t->module->same[pin->bits[0]];
}

bool ls_gates_outer(const ls_gates_work *w, const ls_gates_cell *c, uint32_t bit, uint32_t *net, bool *low) {
    const ls_gates_type *t = c->type;
    while (bit != LS_NONE && bit >= LS_IL_FIRST && t->input[bit] == LS_NONE && t->driver[bit] != LS_NONE &&
           strcmp(t->module->cells[t->driver[bit]].type, "$_NOT_") == 0) {
        bit = ls_gates_inner(t, t->driver[bit], "A");
        *low = !*low;
    }
    if (bit == LS_NONE || (bit >= LS_IL_FIRST && t->input[bit] == LS_NONE)) return false;
    const ls_il_pin *pin = bit < LS_IL_FIRST ? NULL : ls_il_find_pin(c->cell, t->module->wires[t->input[bit]].name);
    *net = bit < LS_IL_FIRST ? bit : pin != NULL ? w->top->same[pin->bits[0]] : LS_IL_X;
    return true;
}

bool ls_gates_clocking(ls_gates_work *w, const ls_gates_cell *c, ls_gates_clock *k) {
    const char *type = c->type->module->cells[c->type->flop].type; /* $_DFF_P_, $_DFF_PN0_, $_DFFSR_PNN_ (clock, set, reset) */
    *k = (ls_gates_clock){LS_NONE, LS_NONE, LS_NONE, false, false, false};
    const bool both = strncmp(type, "$_DFFSR_", 8) == 0, one = !both && strlen(type) == strlen("$_DFF_PN0_");
    const char *letters = type + (both ? 8 : 6);
    bool good =
        ls_gates_outer(w, c, ls_gates_inner(c->type, c->type->flop, "C"), &k->clock, &k->clock_low) && k->clock >= LS_IL_FIRST;
    k->clock_low ^= letters[0] == 'N';
    if (both || (one && letters[2] == '1')) {
        good &= ls_gates_outer(w, c, ls_gates_inner(c->type, c->type->flop, both ? "S" : "R"), &k->set, &k->set_low);
        k->set_low ^= letters[1] == 'N';
    }
    if (both || (one && letters[2] == '0')) {
        good &= ls_gates_outer(w, c, ls_gates_inner(c->type, c->type->flop, "R"), &k->reset, &k->reset_low);
        k->reset_low ^= letters[both ? 2 : 1] == 'N';
    }
    for (int i = 0; i < 2; i++) { /* tied off: never; tied on is no flip-flop */
        uint32_t *net = i == 0 ? &k->reset : &k->set;
        const bool low = i == 0 ? k->reset_low : k->set_low;
        if (*net >= LS_IL_FIRST) continue;
        good &= *net == (low ? LS_IL_1 : LS_IL_0);
        *net = LS_NONE;
    }
    if (!good)
        ls_gates_fail(w, ls_format("%s/gates.il: cell %s (%s) has no clock, or a set or reset that is on for ever",
                                   w->request->folder, c->cell->name, c->cell->type));
    return good;
}

static const ls_il_wire *find_wire(const ls_gates_work *w, const char *name) {
    const ls_il_wire *wire = ls_il_find_wire(w->top, name);
    for (size_t i = 0; i < w->scoped_count && wire == NULL; i++)
        if (strcmp(w->scoped[i], name) == 0) wire = &w->top->wires[w->scoped_wire[i]];
    return wire;
}

uint32_t *ls_gates_bits(const ls_gates_work *w, const ls_field *f) {
    const uint32_t total = f->bits * f->count;
    uint32_t *bits = ls_alloc(total + 1, sizeof *bits);
    for (uint32_t i = 0; i < total; i++) bits[i] = LS_NONE;
    const ls_il_wire *whole = find_wire(w, f->name);
    for (uint32_t i = 0; whole != NULL && i < whole->width && i < total; i++) bits[i] = w->top->same[whole->first + i];
    for (uint32_t e = 0; e < f->count && whole == NULL; e++) {
        char *name = ls_format("%s[%u]", f->name, e);
        const ls_il_wire *element = find_wire(w, name);
        for (uint32_t i = 0; element != NULL && i < element->width && i < f->bits; i++)
            bits[e * f->bits + i] = w->top->same[element->first + i];
        free(name);
    }
    return bits;
}

uint32_t ls_gates_macro_width(const ls_gates_type *t) {
    const ls_il_wire *q = t->black ? ls_il_find_wire(t->module, "Q") : NULL;
    return q != NULL && q->output ? q->width : 0;
}
