/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/netlist/prove.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/core/design.h"
#include "harness/core/map.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/dut/toolchain.h"
#include "harness/netlist/aig.h"
#include "harness/netlist/prover.h"

#define STATE_BITS 200000u /* registers and memories of more bits are not tried */
#define NONE UINT32_MAX

/* A question: two literals of the maker that must be equal. */
typedef struct question {
    char *name;
    uint32_t rtl, gates;
} question;

typedef struct place {
    uint32_t field, element, bit;
} place;

typedef struct work {
    const ls_prove_request *request;
    ls_prove_result *result;
    ls_gates netlist;
    ls_fields fields; /* as the RTL has them (signals.h) */
    ls_aig rtl, gates;
    char *folder;
    uint32_t reset; /* the variable of the reset in either; 0: there is none */
    uint32_t gates_reset;
    bool reset_high; /* the level with which it resets */
    uint32_t *bound; /* per latch of the RTL: the literal of the netlist that it is, or NONE */
    place *places;   /* per latch of the RTL that is bound: which bit it is */
    uint32_t *start; /* per latch of the RTL: the latch of the netlist whose first value it shares, or NONE */
    bool *pure;      /* per variable of the netlist: it depends on latches alone */
    question *list;
    size_t count, room;
    ls_aig_maker maker;
    char *error;
} work;

static void fail(work *w, char *text) {
    if (w->error == NULL) w->error = text;
    else free(text);
}

/* Graphs --------------------------------------------------------------------------------------------------------------------- */

/* The way that both go, from one flat module to an AIGER file. */
static void put_tail(const work *w, const char *name, ls_text *script) {
    const ls_unit *unit = w->request->gates.unit;
    ls_text_add(script, "flatten\nrename -top %s\nopt_clean\nmemory_collect\nmemory_map\nopt_clean\n", ls_unit_top(unit));
    ls_text_add(script, "dffunmap\nsimplemap\ntechmap\ndfflegalize -cell $_DFF_P_ x -cell $_DFF_PN?_ x -cell $_DFFSR_PNN_ x\n");
    ls_text_add(script, "techmap -max_iter 1 -map %s/flip_flops.v\nsetundef -zero\nopt_expr\nopt_clean\n", w->folder);
    ls_text_add(script, "select -assert-none t:$_DFF_P_ w:%s %%co1:+[C] %%d\nselect -assert-none t:$_DFF* t:$_DFF_P_ %%d\n",
                ls_clock_name(unit));
    ls_text_add(script, "aigmap\nopt_clean\nwrite_aiger -symbols -vmap %s/%s.map %s/%s.aig\n", w->folder, name, w->folder, name);
}

static void run_yosys(work *w, const char *name, const ls_text *script) {
    char *path = ls_format("%s/%s.ys", w->folder, name);
    const int error = ls_text_write(script, path);
    if (error != 0) fail(w, ls_format("%s: %s", path, strerror(-error)));
    ls_args args = {0};
    static const char *const words[] = {"yosys", "-q", "-q", "-w", ".*"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
    ls_args_add(&args, "%s", path);
    bool refused = false;
    char *failed = w->error == NULL ? ls_command(&args, w->request->gates.timeout_ms, &refused) : NULL;
    if (failed != NULL) fail(w, ls_format("%s: %s", name, failed));
    free(failed);
    free(path);
    ls_args_free(&args);
}

/* ` -libdir DIR` for each folder, by a link in ours: that command takes no quotes, and so no path with a blank. */
static void put_dirs(work *w, const ls_args *dirs, ls_text *script) {
    ls_args names = {0};
    char *failed = ls_link_dirs(dirs, w->folder, &names);
    if (failed != NULL) fail(w, failed);
    for (size_t i = 0; i < names.count; i++) ls_text_add(script, " -libdir %s/%s", w->folder, names.list[i]);
    ls_args_free(&names);
}

/* The parameters of the top module; what a map has fixed at another value ls_synth_make has refused. */
static void put_params(work *w, ls_text *script) {
    const ls_gates_request *g = &w->request->gates;
    ls_args names = {0}, values = {0};
    char *failed = NULL;
    if (ls_map_params(g->unit, g->cfg, &names, &values, &failed) != 0) fail(w, failed);
    if (values.count > 0) ls_text_add(script, "\nchparam");
    for (size_t i = 0; i < values.count; i++) ls_text_add(script, " -set %s %s", names.list[i], values.list[i]);
    if (values.count > 0) ls_text_add(script, " %s", ls_unit_top(g->unit));
    ls_args_free(&names);
    ls_args_free(&values);
}

static void make_rtl(work *w) {
    const ls_gates_request *g = &w->request->gates;
    ls_text script = {0};
    ls_args files = {0}, dirs = {0};
    if (w->request->rtl_count == 0) ls_design_files(g->unit, &files);
    else ls_design_user_files(g->unit, w->request->rtl, w->request->rtl_count, &files);
    ls_design_dirs(g->unit, w->request->rtl_count, &dirs);
    ls_text_add(&script, "read_verilog -defer -sv");
    for (size_t i = 0; i < files.count; i++) ls_text_add(&script, " \"%s\"", files.list[i]);
    put_params(w, &script);
    ls_text_add(&script, "\nhierarchy -check");
    put_dirs(w, &dirs, &script);
    ls_text_add(&script, " -top %s\nproc\n", ls_unit_top(g->unit));
    if (g->unit->names.falling) ls_text_add(&script, LS_GATES_TURN_EDGES);
    put_tail(w, "rtl", &script);
    run_yosys(w, "rtl", &script);
    ls_args_free(&files);
    ls_args_free(&dirs);
    free(ls_text_take(&script));
}

static void make_gates(work *w) {
    const ls_gates_request *g = &w->request->gates;
    ls_text script = {0};
    ls_text_add(&script, "read_ilang \"%s/gates.il\"\n" LS_GATES_READ_LIBERTY " \"%s\"\n", g->folder, g->liberty);
    if (w->netlist.macros != NULL) ls_text_add(&script, "read_verilog -sv \"%s\"\n", w->netlist.macros);
    ls_text_add(&script, "hierarchy -check -top %s\nproc\n", ls_unit_top(g->unit));
    put_tail(w, "gates", &script);
    run_yosys(w, "gates", &script);
    free(ls_text_take(&script));
}

/* Where a bit of a register is in a graph; false when it has no such name. */
static bool find_bit(const ls_aig *a, const ls_field *f, uint32_t element, uint32_t bit, uint32_t *literal) {
    if (ls_aig_has(a, f->name)) return ls_aig_find(a, f->name, element * f->bits + bit, literal);
    char *name = ls_format("%s[%u]", f->name, element);
    bool found = ls_aig_find(a, name, bit, literal);
    free(name);
    for (uint32_t column = 0, width = 0; !found; column++, bit -= width) { /* macros beside each other */
        name = ls_format("%s.0.%u.mem[%u]", f->name, column, element);
        uint32_t any;
        for (width = 0; ls_aig_find(a, name, width, &any); width++) {
            if (width != bit) continue;
            *literal = any;
            found = true;
        }
        free(name);
        if (width == 0 || bit < width) break;
    }
    return found;
}

/* Where a bit is in the netlist, which is known to have it; `run` moves on through what became of the register. */
static bool find_in_gates(const work *w, const ls_field *f, const ls_gates_register *r, size_t *run, uint32_t element,
                          uint32_t bit, uint32_t *literal) {
    const uint32_t at = element * f->bits + bit;
    while (*run + 1 < r->run_count && r->runs[*run].high < at) (*run)++;
    const ls_gates_run *now = &r->runs[*run];
    if (now->fate == LS_GATES_OPEN || now->fate == LS_GATES_GONE) return false;
    *literal = now->value;
    return now->fate == LS_GATES_CONSTANT || find_bit(&w->gates, f, element, bit, literal);
}

/* Registers of both by name -------------------------------------------------------------------------------------------------- */

static void find_pure(work *w) {
    const ls_aig *a = &w->gates;
    const uint32_t leaves = a->inputs + a->latches;
    w->pure = ls_alloc(leaves + a->gates + 1, sizeof *w->pure);
    w->pure[0] = true;
    for (uint32_t i = a->inputs + 1; i <= leaves; i++) w->pure[i] = true;
    for (uint32_t i = 0; i < a->gates; i++) w->pure[leaves + 1 + i] = w->pure[a->gate[i][0] >> 1] && w->pure[a->gate[i][1] >> 1];
}

/* Binds the latches of the RTL to the netlist's bits of the same name. */
static void bind_registers(work *w) {
    const uint32_t first = w->rtl.inputs + 1, first_gate = w->gates.inputs + 1;
    bool *taken = ls_alloc(w->gates.latches + 1, sizeof *taken);
    w->bound = ls_alloc(w->rtl.latches + 1, sizeof *w->bound);
    w->start = ls_alloc(w->rtl.latches + 1, sizeof *w->start);
    w->places = ls_alloc(w->rtl.latches + 1, sizeof *w->places);
    for (uint32_t i = 0; i < w->rtl.latches; i++) w->bound[i] = w->start[i] = NONE;
    find_pure(w);
    const ls_gates_register *r = w->netlist.registers; /* one for each field that is a register, in their order */
    for (size_t i = 0; i < w->fields.count; i++) {
        const ls_field *f = &w->fields.list[i];
        size_t run = 0;
        for (uint32_t e = 0; ls_is_state(f) && e < f->count; e++)
            for (uint32_t b = 0; b < f->bits; b++) {
                uint32_t ours = 0, theirs;
                const bool found = find_bit(&w->rtl, f, e, b, &ours);
                ours = ls_aig_strip(&w->rtl, ours, w->reset, w->reset_high);
                const uint32_t latch = (ours >> 1) - first;
                if (!found || ours >> 1 < first || latch >= w->rtl.latches) {
                    w->result->unfound++;
                    continue;
                }
                if (!find_in_gates(w, f, r, &run, e, b, &theirs)) {
                    w->result->free++;
                    continue;
                }
                theirs = ls_aig_strip(&w->gates, theirs, w->gates_reset, w->reset_high);
                if (!w->pure[theirs >> 1]) {
                    w->result->free++;
                    continue;
                }
                w->result->registers++;
                if (w->bound[latch] == NONE) {
                    w->bound[latch] = theirs ^ (ours & 1u);
                    w->places[latch] = (place){(uint32_t)i, e, b};
                }
                const uint32_t other = (theirs >> 1) - first_gate;
                if (theirs >> 1 < first_gate || other >= w->gates.latches || taken[other]) continue;
                taken[other] = true;
                w->start[latch] = 2 * other + ((theirs ^ ours) & 1u);
            }
        r += ls_is_state(f);
    }
    free(taken);
}

/* Questions ------------------------------------------------------------------------------------------------------------------ */

static void add_question(work *w, char *name, uint32_t rtl, uint32_t gates) {
    if (w->count == w->room) {
        w->room = w->room == 0 ? 64 : w->room * 2;
        w->list = ls_resize(w->list, w->room * sizeof *w->list);
    }
    w->list[w->count++] = (question){name, rtl, gates};
}

static void forget(work *w) {
    for (size_t i = 0; i < w->count; i++) free(w->list[i].name);
    w->count = 0;
    ls_aig_drop(&w->maker);
}

/* The inputs of the netlist as those of the RTL with the same name, from input 1 of the maker on; nets that nothing drives get
 * inputs of their own, from *more on. */
static void put_inputs(const work *w, uint32_t *rtl, uint32_t *gates, uint32_t *more) {
    for (uint32_t i = 0; i < w->rtl.inputs; i++) rtl[i + 1] = 2 * (i + 1);
    for (uint32_t i = 0; i < w->gates.inputs; i++) {
        const uint32_t same = ls_aig_input(&w->rtl, w->gates.input_names[i]);
        gates[i + 1] = 2 * (same != 0 ? same : (*more)++);
    }
}

static bool has_output(const ls_aig *a, const char *name) {
    for (uint32_t i = 0; i < a->outputs; i++)
        if (strcmp(a->output_names[i], name) == 0) return true;
    return false;
}

/* The netlist's ports are those of the unit (gates.c), so the RTL's must be the netlist's; and there must be something to ask. */
static void check_ports(work *w) {
    for (size_t i = 0; i < w->fields.count; i++) {
        const ls_field *f = &w->fields.list[i];
        char name[256];
        if (f->kind != LS_IN && f->kind != LS_OUT) continue;
        (void)ls_rtl_name(f, name, sizeof name);
        for (uint32_t b = 0; b < f->bits * f->count; b++) {
            char *bit = ls_format("%s[%u]", name, b);
            const bool found = f->kind == LS_IN ? ls_aig_input(&w->rtl, bit) != 0 : has_output(&w->rtl, bit);
            if (!found) fail(w, ls_format("the RTL has no %s %s", f->kind == LS_IN ? "input" : "output", bit));
            free(bit);
            if (!found) return;
        }
    }
    if (w->rtl.outputs == 0) fail(w, ls_format("%s has no output: there is nothing to prove", w->request->gates.unit->name));
}

/* Every output must be equal. */
static void ask_outputs(work *w, const uint32_t *rtl, const uint32_t *gates) {
    for (uint32_t i = 0; i < w->rtl.outputs; i++) {
        uint32_t k = 0;
        while (k < w->gates.outputs && strcmp(w->rtl.output_names[i], w->gates.output_names[k]) != 0) k++;
        if (k == w->gates.outputs) fail(w, ls_format("the netlist has no output %s", w->rtl.output_names[i]));
        else
            add_question(w, ls_format("output %s", w->rtl.output_names[i]), ls_aig_became(rtl, w->rtl.output[i]),
                         ls_aig_became(gates, w->gates.output[k]));
    }
}

/* The name of a latch of the RTL: the register's. */
static char *latch_name(const work *w, uint32_t latch) {
    const place *p = &w->places[latch];
    const ls_field *f = &w->fields.list[p->field];
    return f->count > 1 ? ls_format("%s[%u] bit %u", f->name, p->element, p->bit) : ls_format("%s[%u]", f->name, p->bit);
}

/* One cycle: with `first`, the one of reset, from any state; else from states in which all that is bound agrees. What is bound
 * must agree in the next state; in cycles after the first the outputs must too. */
static void make_step(work *w, bool first) {
    const ls_aig *r = &w->rtl, *g = &w->gates;
    uint32_t *rtl = ls_alloc(r->inputs + r->latches + 1, sizeof *rtl),
             *gates = ls_alloc(g->inputs + g->latches + 1, sizeof *gates);
    uint32_t more = r->inputs + 1;
    put_inputs(w, rtl, gates, &more);
    if (first && w->reset != 0) {
        rtl[w->reset] = w->reset_high;
        if (w->gates_reset != 0) gates[w->gates_reset] = w->reset_high;
    }
    for (uint32_t i = 0; i < g->latches; i++) gates[g->inputs + 1 + i] = 2 * more++;
    const uint32_t own = more; /* the RTL's latches that are free */
    ls_aig_begin(&w->maker, own + r->latches, 0);
    uint32_t *gate_map = ls_aig_put(&w->maker, g, gates);
    for (uint32_t i = 0; i < r->latches; i++) {
        uint32_t *leaf = &rtl[r->inputs + 1 + i];
        *leaf = 2 * (own + i);
        if (first && w->start[i] != NONE) *leaf = gates[g->inputs + 1 + (w->start[i] >> 1)] ^ (w->start[i] & 1u);
        if (!first && w->bound[i] != NONE) *leaf = ls_aig_became(gate_map, w->bound[i]);
    }
    uint32_t *rtl_map = ls_aig_put(&w->maker, r, rtl);
    for (uint32_t i = 0; i < g->latches; i++) gates[g->inputs + 1 + i] = ls_aig_became(gate_map, g->next[i]);
    uint32_t *next_map = ls_aig_put(&w->maker, g, gates);
    if (!first) ask_outputs(w, rtl_map, gate_map);
    for (uint32_t i = 0; i < r->latches; i++)
        if (w->bound[i] != NONE) add_question(w, NULL, ls_aig_became(rtl_map, r->next[i]), ls_aig_became(next_map, w->bound[i]));
    for (size_t i = 0, latch = 0; i < w->count; i++) { /* names of those that are open */
        if (w->list[i].name != NULL) continue;
        while (w->bound[latch] == NONE) latch++;
        if (w->list[i].rtl != w->list[i].gates) w->list[i].name = latch_name(w, (uint32_t)latch);
        latch++;
    }
    free(rtl);
    free(gates);
    free(rtl_map);
    free(gate_map);
    free(next_map);
}

/* The reset that is on in the first cycle and what `pin` says in those after it. */
static uint32_t resetting(work *w, uint32_t pin, uint32_t later) {
    return ls_aig_and(&w->maker, pin ^ w->reset_high, later) ^ w->reset_high;
}

/* The whole machine from power-up on: an output a question, which is 1 when both differ in a cycle after the first. */
static void make_machine(work *w) {
    const ls_aig *r = &w->rtl, *g = &w->gates;
    uint32_t *rtl = ls_alloc(r->inputs + r->latches + 1, sizeof *rtl),
             *gates = ls_alloc(g->inputs + g->latches + 1, sizeof *gates);
    uint32_t more = r->inputs + 1;
    put_inputs(w, rtl, gates, &more);
    const uint32_t gate_start = more, rtl_start = gate_start + g->latches, inputs = rtl_start + r->latches - 1;
    ls_aig_begin(&w->maker, inputs, 1 + g->latches + r->latches);
    ls_aig_maker *m = &w->maker;
    const uint32_t later = 2 * (inputs + 1), gate_hold = inputs + 2,
                   rtl_hold = gate_hold + g->latches; /* `later`: 0 in the first cycle */
    m->next[0] = 1;
    if (w->reset != 0) rtl[w->reset] = resetting(w, rtl[w->reset], later);
    if (w->gates_reset != 0) gates[w->gates_reset] = w->reset != 0 ? rtl[w->reset] : resetting(w, gates[w->gates_reset], later);
    for (uint32_t i = 0; i < g->latches; i++)
        gates[g->inputs + 1 + i] = ls_aig_choose(m, later, 2 * (gate_hold + i), 2 * (gate_start + i));
    for (uint32_t i = 0; i < r->latches; i++) {
        const uint32_t start =
            w->start[i] != NONE ? 2 * (gate_start + (w->start[i] >> 1)) ^ (w->start[i] & 1u) : 2 * (rtl_start + i);
        rtl[r->inputs + 1 + i] = ls_aig_choose(m, later, 2 * (rtl_hold + i), start);
    }
    uint32_t *gate_map = ls_aig_put(m, g, gates), *rtl_map = ls_aig_put(m, r, rtl);
    for (uint32_t i = 0; i < g->latches; i++) m->next[1 + i] = ls_aig_became(gate_map, g->next[i]);
    for (uint32_t i = 0; i < r->latches; i++) m->next[1 + g->latches + i] = ls_aig_became(rtl_map, r->next[i]);
    ask_outputs(w, rtl_map, gate_map);
    for (uint32_t i = 0; i < r->latches; i++)
        if (w->bound[i] != NONE) add_question(w, latch_name(w, i), rtl[r->inputs + 1 + i], ls_aig_became(gate_map, w->bound[i]));
    for (size_t i = 0; i < w->count; i++)
        ls_aig_put_output(m, ls_aig_and(m, later, ls_aig_xor(m, w->list[i].rtl, w->list[i].gates)));
    free(rtl);
    free(gates);
    free(rtl_map);
    free(gate_map);
}

/* Answers -------------------------------------------------------------------------------------------------------------------- */

static char *run_abc(work *w, const char *commands) {
    char *error = NULL, *said = ls_prover_run(commands, w->request->seconds, &error);
    if (error != NULL) fail(w, error);
    return said != NULL ? said : ls_copy("");
}

/* Whether all questions of one cycle have the answer "equal". Names of some that have not go to *which, to free. */
static ls_proof answer_step(work *w, char **which) {
    size_t open = 0;
    ls_text names = {0};
    w->result->questions += w->count;
    for (int side = 0; side < 2 && w->error == NULL; side++) {
        w->maker.outputs = 0;
        open = 0;
        for (size_t i = 0; i < w->count; i++) {
            if (w->list[i].rtl == w->list[i].gates) continue;
            ls_aig_put_output(&w->maker, side == 0 ? w->list[i].rtl : w->list[i].gates);
            open++;
        }
        char *path = ls_format("%s/%s.aig", w->folder, side == 0 ? "left" : "right"), *failed = ls_aig_write(&w->maker, path);
        if (failed != NULL) fail(w, failed);
        free(path);
    }
    w->result->open += open;
    if (open == 0 || w->error != NULL) return w->error == NULL ? LS_PROOF_EQUIVALENT : LS_PROOF_UNDECIDED;
    char *commands = ls_format("&r %s/left.aig; &cec -C 1000000 -T %u %s/right.aig; write_cex %s/case.txt", w->folder,
                               w->request->seconds, w->folder, w->folder);
    char *said = run_abc(w, commands);
    const bool equal = strstr(said, "Networks are equivalent") != NULL, different = strstr(said, "NOT EQUIVALENT") != NULL;
    size_t told = 0;
    for (size_t i = 0; i < w->count && !equal; i++) {
        if (w->list[i].rtl == w->list[i].gates) continue;
        if (told++ < 4) ls_text_add(&names, "%s%s", told > 1 ? ", " : "", w->list[i].name);
    }
    if (told > 4) ls_text_add(&names, " and %zu more", told - 4);
    *which = ls_text_take(&names);
    free(commands);
    free(said);
    return equal ? LS_PROOF_EQUIVALENT : different ? LS_PROOF_DIFFERENT : LS_PROOF_UNDECIDED;
}

/* The machine from power-up on: a trace to a difference, or a proof that there is none. */
static void answer_machine(work *w, const char *step) {
    char *path = ls_format("%s/machine.aig", w->folder), *failed = ls_aig_write(&w->maker, path);
    if (failed != NULL) fail(w, failed);
    char *commands = ls_format("read %s; bmc3 -T %u", path, w->request->seconds / 4 + 1), *said = run_abc(w, commands);
    unsigned output = 0, frame = 0;
    const char *at = strstr(said, "Output ");
    if (at != NULL && strstr(at, "was asserted in frame") != NULL && sscanf(at, "Output %u of", &output) == 1 &&
        output < w->count && sscanf(strstr(at, "in frame"), "in frame %u", &frame) == 1) {
        w->result->proof = LS_PROOF_DIFFERENT;
        w->result->method = "trace";
        w->result->message = ls_format("%s differs in cycle %u (cycle 0 is the one of reset)", w->list[output].name, frame);
    } else if (w->error == NULL) {
        free(commands);
        free(said);
        commands = ls_format("read %s; orpos; dprove -T %u", path, w->request->seconds);
        said = run_abc(w, commands);
        const bool equal = strstr(said, "Networks are equivalent") != NULL || strstr(said, "\nUNSATISFIABLE") != NULL;
        const bool different = strstr(said, "Networks are not equivalent") != NULL || strstr(said, "\nSATISFIABLE") != NULL;
        w->result->proof = equal ? LS_PROOF_EQUIVALENT : different ? LS_PROOF_DIFFERENT : LS_PROOF_UNDECIDED;
        w->result->method = equal || different ? "sequential" : "";
        if (different) w->result->message = ls_copy("an output or a register differs");
        else if (!equal)
            w->result->message =
                ls_format("no proof and no difference within %u s of work each; not shown equal from every state: %s",
                          w->request->seconds, step);
    }
    free(path);
    free(commands);
    free(said);
}

static void decide(work *w) {
    char *which = NULL;
    make_step(w, false);
    ls_proof proof = w->error == NULL ? answer_step(w, &which) : LS_PROOF_UNDECIDED;
    forget(w);
    if (proof == LS_PROOF_EQUIVALENT && w->error == NULL && w->rtl.latches > 0) {
        free(which);
        which = NULL;
        make_step(w, true);
        proof = answer_step(w, &which);
        forget(w);
    }
    if (proof == LS_PROOF_EQUIVALENT) {
        w->result->proof = proof;
        w->result->method = w->result->open == 0 ? "structure" : "registers";
    } else if (w->error == NULL) {
        make_machine(w);
        if (w->error == NULL) answer_machine(w, which);
        forget(w);
    }
    free(which);
}

static void prepare(work *w) {
    char *path = ls_format("%s/flip_flops.v", w->folder);
    ls_text text = {0};
    ls_text_add(&text, "%s", ls_prover_flip_flops);
    const int error = ls_text_write(&text, path);
    if (error != 0) fail(w, ls_format("%s: %s", path, strerror(-error)));
    free(ls_text_take(&text));
    free(path);
    if (w->error == NULL) make_rtl(w);
    if (w->error == NULL) make_gates(w);
    for (int side = 0; side < 2 && w->error == NULL; side++) {
        ls_aig *a = side == 0 ? &w->rtl : &w->gates;
        char *prefix = ls_format("%s/%s", w->folder, side == 0 ? "rtl" : "gates"), *failed = ls_aig_read(prefix, a);
        if (failed != NULL) fail(w, failed);
        else ls_aig_drop_scopes(a);
        free(prefix);
    }
    if (w->error != NULL) return;
    char *reset = ls_format("%s[0]", ls_reset_name(w->request->gates.unit));
    w->reset = ls_aig_input(&w->rtl, reset);
    w->gates_reset = ls_aig_input(&w->gates, reset);
    w->reset_high = w->request->gates.unit->names.reset_high;
    free(reset);
}

int ls_prove_gates(const ls_prove_request *rq, ls_prove_result *result, char **error) {
    const ls_gates_request *g = &rq->gates;
    work w = {.request = rq, .result = result};
    *result = (ls_prove_result){.proof = LS_PROOF_UNDECIDED, .method = ""};
    w.error = ls_temporary_folder("ls_prove", &w.folder);
    if (w.error == NULL) free(run_abc(&w, "quit")); /* whether it is there */
    if (w.error == NULL) (void)ls_gates_make(g, &w.netlist, &w.error);
    uint64_t bits = 0;
    if (w.error == NULL) {
        ls_signals_of(g->unit, g->cfg, &w.fields);
        for (size_t i = 0; i < w.fields.count; i++)
            if (ls_is_state(&w.fields.list[i])) bits += (uint64_t)w.fields.list[i].bits * w.fields.list[i].count;
    }
    if (w.error == NULL && w.netlist.misclocked != NULL) {
        result->proof = LS_PROOF_DIFFERENT;
        result->method = "structure";
        result->message = ls_format("flip-flops of %s are not clocked by the %s edge of %s", w.netlist.misclocked,
                                    g->unit->names.falling ? "falling" : "rising", ls_clock_name(g->unit));
    } else if (w.error == NULL && bits > STATE_BITS) {
        result->message = ls_format("%llu bits of registers and memories: more than the %u that are tried",
                                    (unsigned long long)bits, STATE_BITS);
    } else if (w.error == NULL) {
        prepare(&w);
        if (w.error == NULL) check_ports(&w);
        if (w.error == NULL) bind_registers(&w);
        if (w.error == NULL) decide(&w);
    }
    if (result->message == NULL) result->message = ls_copy("");
    if (w.folder != NULL) ls_remove_tree(w.folder);
    free(w.folder);
    free(w.bound);
    free(w.start);
    free(w.places);
    free(w.pure);
    free(w.list);
    ls_aig_free(&w.rtl);
    ls_aig_free(&w.gates);
    ls_fields_free(&w.fields);
    ls_gates_free(&w.netlist);
    *error = w.error;
    if (w.error == NULL) return 0;
    ls_prove_result_free(result);
    return -1;
}

void ls_prove_result_free(ls_prove_result *result) {
    free(result->message);
    *result = (ls_prove_result){0};
}
