/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a netlist has the ports of the field list: what is missing is compared by nobody. */
#include <string.h>

#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/netlist/gates.h"

/* As ls_design_check says it of RTL. Returns whether the field's port is there. */
static bool check_field(const ls_field *f, const ls_il_module *top, const char *file, ls_text *problems) {
    const char *what = f->kind == LS_IN ? "input port" : "output port";
    char name[256];
    const ls_il_wire *wire = ls_il_find_wire(top, ls_rtl_name(f, name, sizeof name));
    if (wire == NULL || wire->port == 0)
        ls_text_add(problems, "%s: missing %s: the netlist has no %s (%u x %u bit%s: %s)\n", file, what, name, f->count, f->bits,
                    ls_plural(f->bits), f->text);
    else if (wire->input != (f->kind == LS_IN) || wire->output != (f->kind == LS_OUT))
        ls_text_add(problems, "%s: %s is not an %s in the netlist\n", file, name, what);
    else if (wire->width != (uint64_t)f->bits * f->count)
        ls_text_add(problems, "%s: wrong width: %s %s has %u bit%s, the field list says %u x %u\n", file, what, name, wire->width,
                    ls_plural(wire->width), f->count, f->bits);
    else return true;
    return false;
}

static bool is_listed(const ls_fields *fields, const char *port) {
    char name[256];
    if (strcmp(port, fields->clock != NULL ? fields->clock : LS_USUAL_CLOCK) == 0) return true;
    if (strcmp(port, fields->reset != NULL ? fields->reset : LS_USUAL_RESET) == 0) return true;
    for (size_t i = 0; fields->spared != NULL && i < fields->spared->count; i++)
        if (strcmp(fields->spared->list[i], port) == 0) return true;
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if ((f->kind == LS_IN || f->kind == LS_OUT) && strcmp(ls_rtl_name(f, name, sizeof name), port) == 0) return true;
    }
    return false;
}

size_t ls_gates_check_ports(const ls_fields *fields, const ls_il_module *top, const char *file, ls_text *problems) {
    size_t count = 0;
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if (f->kind == LS_IN || f->kind == LS_OUT) count += !check_field(f, top, file, problems);
    }
    for (size_t i = 0; i < top->wire_count; i++) {
        if (top->wires[i].port == 0 || is_listed(fields, top->wires[i].name)) continue;
        ls_text_add(problems, "%s: port %s is not in the field list\n", file, top->wires[i].name);
        count++;
    }
    return count;
}
