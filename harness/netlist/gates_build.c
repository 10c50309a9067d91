/* SPDX-License-Identifier: Apache-2.0 */
/* A netlist of gates as a DUT, and what is told of its registers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/core/design.h"
#include "harness/core/report.h"
#include "harness/core/signals.h"
#include "harness/netlist/gates_parts.h"

#define LINES 24u /* of registers on the screen, each kind */

/* Whether the netlist has something of a register. */
static bool is_there(const ls_gates *g, const char *name) {
    for (size_t i = 0; i < g->register_count; i++) {
        const ls_gates_register *r = &g->registers[i];
        if (strcmp(r->name, name) == 0) return r->fates[LS_GATES_OPEN] + r->fates[LS_GATES_GONE] < r->bits * r->count;
    }
    return false;
}

/* The check of the field list (ls_design_check) without what only a netlist has, registers that carry no name of the list, and
 * without the fields that it lacks. */
static size_t check(const ls_gates_request *rq, const ls_gates *g, const ls_elab *elab, ls_text *problems) {
    ls_fields signals, there;
    ls_signals_of(rq->unit, rq->cfg, &signals);
    there = signals;
    there.list = ls_alloc(signals.count + 1, sizeof *there.list);
    there.count = 0;
    for (size_t i = 0; i < signals.count; i++) {
        const ls_field *f = &signals.list[i];
        if (!ls_is_state(f) || is_there(g, f->name)) there.list[there.count++] = *f;
    }
    ls_elab shown = *elab;
    shown.registers = ls_alloc(elab->register_count + 1, sizeof *shown.registers);
    shown.register_count = 0;
    for (size_t i = 0; i < elab->register_count; i++) {
        bool listed = false;
        for (size_t k = 0; k < there.count && !listed; k++)
            listed = ls_is_state(&there.list[k]) && strcmp(there.list[k].name, elab->registers[i].name) == 0;
        if (!listed) continue;
        shown.registers[shown.register_count] = elab->registers[i];
        shown.registers[shown.register_count++].kind = LS_ELAB_REG;
    }
    const size_t count = ls_design_check(&there, &shown, rq->ports_only, problems);
    free(there.list);
    free(shown.registers);
    ls_fields_free(&signals);
    return count;
}

int ls_gates_build(const ls_gates_request *rq, const ls_gates *g, ls_build_result *result, char **error) {
    const size_t count = g->vars.count;
    ls_build_alias *aliases = ls_alloc(count + 1, sizeof *aliases);
    ls_rtl_wire *wires = ls_alloc(count + 1, sizeof *wires);
    for (size_t i = 0; i < count; i++) aliases[i] = (ls_build_alias){g->vars.list[i], g->names.list[i]};
    for (size_t i = 0; i < count; i++) wires[i] = (ls_rtl_wire){ls_unit_top(rq->unit), g->vars.list[i]};
    char *shim = ls_format("%s/harness/dut/shim.cpp", ls_root());
    const char *const files[] = {g->verilog, g->macros};
    const ls_build_request build = {.rtl = {.top = ls_unit_top(rq->unit),
                                            .clock = ls_unit_clock(rq->unit),
                                            .reset = ls_unit_reset(rq->unit),
                                            .files = files,
                                            .file_count = g->macros != NULL ? 2 : 1,
                                            .wires = wires,
                                            .wire_count = count},
                                    .cache = ls_cache(),
                                    .shim = shim,
                                    .aliases = aliases,
                                    .alias_count = count,
                                    .timeout_ms = rq->timeout_ms};
    *error = NULL;
    ls_text problems = {0};
    if (ls_build_dut(ls_tools_once(), &build, result) != LS_BUILD_OK)
        *error = ls_copy(result->text != NULL ? result->text : "the netlist cannot be built");
    else if (check(rq, g, &result->elab, &problems) > 0) *error = ls_text_take(&problems);
    if (*error != NULL) ls_build_free(result);
    free(ls_text_take(&problems));
    free(shim);
    free(wires);
    free(aliases);
    return *error == NULL ? 0 : -1;
}

static const char *const fate_names[LS_GATES_FATES] = {"flop", "shared", "logic", "constant", "macro", "undefined", "gone"};

/* "name", "name[3]" or "name[7:4]", bits counted through all elements. */
static char *range_text(const ls_gates_register *r, uint32_t low, uint32_t high) {
    if (low == 0 && high + 1 == r->bits * r->count) return ls_copy(r->name);
    if (r->count > 1 && low % r->bits == 0 && (high + 1) % r->bits == 0) {
        const uint32_t first = low / r->bits, last = high / r->bits;
        return first == last ? ls_format("%s, element %u", r->name, first)
                             : ls_format("%s, elements %u to %u", r->name, first, last);
    }
    return low == high ? ls_format("%s[%u]", r->name, low) : ls_format("%s[%u:%u]", r->name, high, low);
}

/* What became of the bits, in words. */
static char *run_text(const ls_gates *g, const ls_gates_register *r, const ls_gates_run *run) {
    char *range = range_text(r, run->low, run->high);
    char *text = NULL;
    const uint32_t width = run->high - run->low + 1;
    if (run->fate == LS_GATES_CONSTANT) text = ls_format("%s: constant %s%u", range, width > 1 ? "all " : "", run->value);
    else if (run->fate == LS_GATES_SHARED && width == 1)
        text = ls_format("%s: equal to %s[%u]", range, run->other, run->other_low);
    else if (run->fate == LS_GATES_SHARED)
        text = ls_format("%s: equal to %s[%u:%u]", range, run->other, run->other_low + width - 1, run->other_low);
    else if (run->fate == LS_GATES_LOGIC) text = ls_format("%s: gates behind other flip-flops", range);
    else if (run->fate == LS_GATES_OPEN) text = ls_format("%s: left undefined (x) by synthesis, not compared", range);
    else if (run->fate == LS_GATES_GONE)
        text = ls_format(g->nameless == 0 ? "%s: removed, because no output depends on it; not compared"
                                          : "%s: no net of that name (some flip-flops have no register's: below); not compared",
                         range);
    free(range);
    return text;
}

static void put_run(const ls_gates_register *r, const ls_gates_run *run, ls_text *to) {
    ls_json_open(to, NULL, '{');
    ls_json_text(to, "register", r->name);
    char range[32];
    (void)snprintf(range, sizeof range, "%u:%u", run->high, run->low);
    ls_json_text(to, "bits", range);
    ls_json_text(to, "became", fate_names[run->fate]);
    if (run->fate == LS_GATES_CONSTANT) ls_json_uint(to, "value", run->value);
    if (run->other != NULL) {
        ls_json_text(to, "of", run->other);
        ls_json_uint(to, "of_bit", run->other_low);
    }
    ls_json_close(to, '{');
}

static void put_json(const ls_gates *g, ls_text *to) {
    ls_json_open(to, NULL, '{');
    ls_json_text(to, "folder", g->folder);
    ls_json_text(to, "library", g->liberty);
    ls_json_uint(to, "cells", g->cells);
    ls_json_uint(to, "flops", g->flops);
    ls_json_uint(to, "flops_without_register", g->nameless);
    ls_json_uint(to, "undriven_nets", g->floating);
    ls_json_open(to, "register_bits", '{');
    for (size_t i = 0; i < LS_GATES_FATES; i++) ls_json_uint(to, fate_names[i], g->fates[i]);
    ls_json_close(to, '{');
    ls_json_open(to, "changed", '[');
    for (size_t i = 0; i < g->register_count; i++)
        for (size_t k = 0; k < g->registers[i].run_count; k++) {
            const ls_gates_run *run = &g->registers[i].runs[k];
            if (run->fate == LS_GATES_FLOP || run->fate == LS_GATES_MACRO) continue;
            put_run(&g->registers[i], run, to);
        }
    ls_json_close(to, '[');
    if (g->rtl != NULL) ls_json_raw(to, "rtl", g->rtl);
    ls_json_close(to, '{');
}

/* Runs that are compared, or those that are not; at most LINES of them, and how many more. */
static void list_runs(const ls_gates *g, bool compared, ls_text *to) {
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < g->register_count; i++)
        for (size_t k = 0; k < g->registers[i].run_count; k++) {
            const ls_gates_run *run = &g->registers[i].runs[k];
            if (run->fate == LS_GATES_FLOP || run->fate == LS_GATES_MACRO || (run->fate < LS_GATES_OPEN) != compared) continue;
            if (shown == LINES) {
                more++;
                continue;
            }
            char *text = run_text(g, &g->registers[i], run);
            ls_text_add(to, "    %s\n", text);
            free(text);
            shown++;
        }
    if (more > 0) ls_text_add(to, "    and %zu more, in the record\n", more);
}

void ls_gates_text(const ls_gates *g, ls_text *to) {
    const uint64_t *n = g->fates;
    uint64_t all = 0;
    for (size_t i = 0; i < LS_GATES_FATES; i++) all += n[i];
    if (g->ports_only) {
        ls_text_add(to, "  netlist: %zu cells, %zu flip-flops; registers are not looked at\n", g->cells, g->flops);
        return;
    }
    ls_text_add(to,
                "  netlist: %zu cells, %zu flip-flops; of %" PRIu64 " register bits %" PRIu64 " compared (%" PRIu64
                " flip-flops, %" PRIu64 " in macros, %" PRIu64 " equal to another, %" PRIu64 " constant, %" PRIu64
                " gates), %" PRIu64 " not\n",
                g->cells, g->flops, all, all - n[LS_GATES_OPEN] - n[LS_GATES_GONE], n[LS_GATES_FLOP], n[LS_GATES_MACRO],
                n[LS_GATES_SHARED], n[LS_GATES_CONSTANT], n[LS_GATES_LOGIC], n[LS_GATES_OPEN] + n[LS_GATES_GONE]);
    list_runs(g, false, to);
    list_runs(g, true, to);
    if (g->nameless > 0) ls_text_add(to, "    %zu flip-flops hold no bit of a register that is compared\n", g->nameless);
    if (g->floating > 0) ls_text_add(to, "    %zu nets are read and driven by nothing: 0 here\n", g->floating);
}

const ls_netlist_note *ls_gates_note(ls_gates *g) {
    ls_text json = {0}, text = {0};
    if (g->note.liberty == NULL) {
        put_json(g, &json);
        ls_gates_text(g, &text);
        g->note = (ls_netlist_note){.liberty = g->liberty, .json = ls_text_take(&json), .text = ls_text_take(&text)};
    }
    return &g->note;
}
