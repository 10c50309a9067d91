/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/plan.h"
#include "harness/export/bind.h"

#include <stdlib.h>
#include <string.h>

#include "harness/core/config.h"
#include "harness/export/model_c.h"

typedef struct checker {
    const ls_export *e;
    const char *name; /* of the unit */
    char *scope;      /* of its module: "my_rr." */
    char *resets;     /* whether the reset is on */
    bool high;        /* the level with which it resets */
    ls_layout layout;
    char *params;
    size_t row_bits; /* of the widest memory */
} checker;

static size_t bits_of(const ls_field *f) { return (size_t)f->bits * f->count; }

static void add_imports(const checker *c, ls_text *t) {
    static const char *const names[3] = {"inputs", "outputs", "registers"};
    const char *const u = c->name;
    const ls_layout *l = &c->layout;
    ls_text_add(t, "import \"DPI-C\" function chandle %s_lockstep_open(input string path, input int pass_unknown);\n", u);
    for (ls_kind k = LS_IN; k <= LS_STATE; k++)
        if (l->words[k] > 0)
            ls_text_add(
                t,
                "import \"DPI-C\" function void %s_lockstep_%s(input chandle l, input int number, input logic [%zu:0] bits);\n",
                u, names[k], l->bits[k] - 1);
    ls_text_add(t,
                "import \"DPI-C\" function int %s_lockstep_edge(input chandle l, input int in_reset, input longint now);\n"
                "import \"DPI-C\" function int %s_lockstep_settled(input chandle l, input int reset_began);\n"
                "import \"DPI-C\" function string %s_lockstep_line(input chandle l);\n"
                "import \"DPI-C\" function int %s_lockstep_end(input chandle l);\n"
                "import \"DPI-C\" function void %s_lockstep_close(input chandle l);\n",
                u, u, u, u, u);
    if (l->memories == 0) return;
    ls_text_add(t,
                "import \"DPI-C\" function int %s_lockstep_wants_memories(input chandle l, input int in_reset);\n"
                "import \"DPI-C\" function void %s_lockstep_put_row(\n"
                "input chandle l, input int memory, input int row, input logic [%zu:0] bits);\n"
                "import \"DPI-C\" function int %s_lockstep_rows(input chandle l, input int memory, input int all);\n"
                "import \"DPI-C\" function int %s_lockstep_row(input chandle l, input int memory, input int i, input int all);\n",
                u, u, c->row_bits - 1, u, u);
}

static void add_ports(const checker *c, ls_text *t) {
    const ls_layout *l = &c->layout;
    ls_text_add(t, "module %s_lockstep %s(\n", c->name, l->params.count > 0 ? "#" : "");
    for (size_t i = 0; i < l->params.count; i++)
        ls_text_add(t, "parameter int unsigned %s = %s%s\n", l->params.list[i], l->values.list[i],
                    i + 1 < l->params.count ? "," : "");
    if (l->params.count > 0) ls_text_add(t, ") (\n");
    const char *comma = "";
    if (l->clocked) {
        ls_text_add(t, "input logic clk_i,\ninput logic rst_ni"); /* the level is the RTL's */
        comma = ",\n";
    }
    for (size_t i = 0; i < l->count; i++) {
        const ls_field *f = l->list[i].field;
        if (f->kind > LS_OUT) continue;
        ls_text_add(t, "%sinput logic [%zu:0] %s_%c", comma, bits_of(f) - 1, f->name, f->kind == LS_IN ? 'i' : 'o');
        comma = ",\n";
    }
    ls_text_add(t, "\n);\n");
}

/* The checker stands for these parameters alone: for others the names in it may not be there. */
static void begin_checker(const checker *c, ls_text *t) {
    const ls_layout *l = &c->layout;
    ls_text_add(t, "if (");
    for (size_t i = 0; i < l->params.count; i++)
        ls_text_add(t, "%s%s == %s", i > 0 ? " && " : "", l->params.list[i], l->values.list[i]);
    ls_text_add(t, "%s) begin : gen_checker\n", l->params.count > 0 ? "" : "1");
}

static void end_checker(const checker *c, ls_text *t) {
    ls_text_add(t,
                "end else begin : gen_other\n"
                "$error(\"%s_lockstep was exported for %s: export it again for the parameters of this instance\");\nend\n",
                c->name, c->params);
}

/* A field into the vector of its kind. */
static void add_value(const checker *c, const ls_spot *p, const char *vector, ls_text *t) {
    const ls_field *f = p->field;
    const bool state = f->kind == LS_STATE;
    char *name = state ? ls_export_name(f, NULL) : ls_format("%s_%c", f->name, f->kind == LS_IN ? 'i' : 'o');
    for (uint32_t k = 0; state && p->apart && k < f->count; k++) {
        char *one = ls_export_element(c->e, f, k, c->scope, NULL);
        ls_text_add(t, "%s[%zu +: %u] = %s;\n", vector, p->at + (size_t)k * f->bits, f->bits, one);
        free(one);
    }
    if (p->array)
        ls_text_add(t, "for (int i = 0; i < %u; i++) %s[%zu + i*%u +: %u] = %s%s[i];\n", f->count, vector, p->at, f->bits,
                    f->bits, c->scope, name);
    else if (!state || !p->apart)
        ls_text_add(t, "%s[%zu +: %zu] = %s%s;\n", vector, p->at, bits_of(f), state ? c->scope : "", name);
    free(name);
}

/* Puts all words of a kind. */
static void add_words(const checker *c, ls_kind kind, ls_text *t) {
    static const char *const names[3] = {"inputs", "outputs", "registers"};
    for (uint32_t w = 0; w < c->layout.words[kind]; w++) {
        ls_text_add(t, "%s = '0;\n", names[kind]);
        if (kind == LS_IN && w == 0 && c->layout.clocked) ls_text_add(t, "inputs[0] = %srst_ni;\n", c->high ? "!" : "");
        for (size_t i = 0; i < c->layout.count; i++) {
            const ls_spot *p = &c->layout.list[i];
            if (p->field->kind == kind && p->word == w) add_value(c, p, names[kind], t);
        }
        ls_text_add(t, "%s_lockstep_%s(l, %u, %s);\n", c->name, names[kind], w, names[kind]);
    }
}

/* A port of a memory's write port: an input of the checker, or what lies beside the memory in the RTL; NULL: there is none. To be
 * freed. */
static char *write_port(const checker *c, const ls_field *f, bool enable) {
    const char *port = enable ? f->write_enable : f->write_row;
    for (size_t i = 0; i < c->layout.count && strchr(f->name, '.') == NULL; i++) {
        const ls_field *in = c->layout.list[i].field;
        if (in->kind == LS_IN && strcmp(in->name, port) == 0) return ls_format("%s_i", port);
    }
    char *name = ls_write_port(f, enable, true);
    char *whole = ls_elab_find(c->e->elab, name) != NULL ? ls_format("%s%s", c->scope, name) : NULL;
    free(name);
    return whole;
}

/* Before the edge: first contents of memories, and what the RTL's write ports name. */
static void add_memories_before(const checker *c, ls_text *t) {
    if (c->layout.memories == 0) return;
    ls_text_add(t, "if (%s_lockstep_wants_memories(l, int'(%s)) != 0) begin\n", c->name, c->resets);
    for (size_t i = 0; i < c->layout.count; i++) {
        const ls_spot *p = &c->layout.list[i];
        if (p->field->kind == LS_MEMORY)
            ls_text_add(t, "for (int i = 0; i < %u; i++) put_row_%u(i);\n", p->field->count, p->word);
    }
    ls_text_add(t, "end\n");
    for (size_t i = 0; i < c->layout.count; i++) {
        const ls_spot *p = &c->layout.list[i];
        if (p->field->kind != LS_MEMORY || !p->compared || !c->layout.swept) continue;
        char *enable = write_port(c, p->field, true), *row = write_port(c, p->field, false);
        if (enable != NULL && row != NULL) ls_text_add(t, "written[%u] = |%s ? int'(%s) : -1;\n", p->word, enable, row);
        else ls_text_add(t, "written[%u] = -1;\n", p->word);
        free(enable);
        free(row);
    }
}

/* After it: the rows that the model asks for; all of them when `all` is 1. */
static void add_memories_after(const checker *c, int all, ls_text *t) {
    for (size_t i = 0; i < c->layout.count; i++) {
        const ls_spot *p = &c->layout.list[i];
        if (p->field->kind != LS_MEMORY || !p->compared) continue;
        ls_text_add(t, "for (int i = 0; i < %s_lockstep_rows(l, %u, %d); i++) put_row_%u(%s_lockstep_row(l, %u, i, %d));\n",
                    c->name, p->word, all, p->word, c->name, p->word, all);
        if (c->layout.swept && all == 0)
            ls_text_add(t, "if (written[%u] >= 0 && !reset_then) put_row_%u(written[%u]);\n", p->word, p->word, p->word);
    }
}

static void add_variables(const checker *c, ls_text *t) {
    const ls_layout *l = &c->layout;
    ls_text_add(t, "chandle l;\nbit opened, edge_seen, settles, reset_then, passed;\n");
    if (l->words[LS_IN] > 0) ls_text_add(t, "logic [%zu:0] inputs;\n", l->bits[LS_IN] - 1);
    if (l->words[LS_OUT] > 0) ls_text_add(t, "logic [%zu:0] outputs;\n", l->bits[LS_OUT] - 1);
    if (l->words[LS_STATE] > 0) ls_text_add(t, "logic [%zu:0] registers;\n", l->bits[LS_STATE] - 1);
    if (l->memories > 0) ls_text_add(t, "logic [%zu:0] row_bits;\n", c->row_bits - 1);
    if (l->swept) ls_text_add(t, "int written [0:%u];\n", l->memories - 1);
}

/* Row `row` of a memory into row_bits: of one that is apart by one expression, if it is the same of all. */
static void add_row(const checker *c, const ls_spot *p, ls_text *t) {
    const ls_field *f = p->field;
    char *name = ls_export_name(f, NULL), *first = p->apart ? ls_export_element(c->e, f, 0, c->scope, "row") : NULL;
    bool same = true;
    for (uint32_t k = 1; p->apart && same && k < f->count; k++) {
        char *one = ls_export_element(c->e, f, k, c->scope, "row");
        same = strcmp(one, first) == 0;
        free(one);
    }
    if (!p->apart) ls_text_add(t, "row_bits[%u:0] = %s%s[row];\n", f->bits - 1, c->scope, name);
    else if (same) ls_text_add(t, "row_bits[%u:0] = %s;\n", f->bits - 1, first);
    else ls_text_add(t, "case (row)\n");
    for (uint32_t k = 0; p->apart && !same && k < f->count; k++) {
        char *one = ls_export_element(c->e, f, k, c->scope, NULL);
        ls_text_add(t, "%u: row_bits[%u:0] = %s;\n", k, f->bits - 1, one);
        free(one);
    }
    if (!same) ls_text_add(t, "default: ;\nendcase\n");
    free(first);
    free(name);
}

static void add_functions(const checker *c, ls_text *t) {
    for (size_t i = 0; i < c->layout.count; i++) {
        const ls_spot *p = &c->layout.list[i];
        if (p->field->kind != LS_MEMORY) continue;
        ls_text_add(t, "\nfunction void put_row_%u(input int row);\nif (row >= %u) return;\nrow_bits = '0;\n", p->word,
                    p->field->count);
        add_row(c, p, t);
        ls_text_add(t, "%s_lockstep_put_row(l, %u, row, row_bits);\nendfunction\n", c->name, p->word);
    }
    ls_text_add(t,
                "\nfunction void report_all(input int differing);\nstring line;\nline = %s_lockstep_line(l);\n"
                "while (line != \"\") begin\n$display(\"%%s\", line);\nline = %s_lockstep_line(l);\nend\n"
                "if (differing > 0 && $test$plusargs(\"lockstep_go_on\") == 0) begin\n"
                "$fatal(1, \"%s_lockstep: RTL and model differ (+lockstep_go_on to go on)\");\nend\nendfunction\n\n"
                "function void open;\nif (opened) return;\n"
                "l = %s_lockstep_open($sformatf(\"%%m\"), $test$plusargs(\"lockstep_pass_x\"));\nopened = 1;\nendfunction\n",
                c->name, c->name, c->name, c->name);
}

/* Two steps of nonblocking assignments after the edge all registers have their new values, in the same time. */
static void add_processes(const checker *c, ls_text *t) {
    const char *const u = c->name;
    if (c->layout.clocked) {
        ls_text_add(t, "\nalways @(%sedge clk_i) begin\nopen;\n", c->e->unit->names.falling ? "neg" : "pos");
        add_words(c, LS_IN, t);
        add_words(c, LS_OUT, t);
        add_memories_before(c, t);
        ls_text_add(
            t,
            "reset_then = %s;\nreport_all(%s_lockstep_edge(l, int'(reset_then), longint'($time)));\n"
            "edge_seen <= !edge_seen;\nend\n\nalways @(edge_seen) settles <= !settles;\n\nalways @(settles) if (opened) begin\n",
            c->resets, u);
        add_words(c, LS_STATE, t);
        add_memories_after(c, 0, t);
        ls_text_add(t, "report_all(%s_lockstep_settled(l, int'(%s && !reset_then)));\nend\n", u, c->resets);
    } else {
        ls_text_add(t, "\nalways @(");
        const char *comma = "";
        for (size_t i = 0; i < c->layout.count; i++) {
            if (c->layout.list[i].field->kind != LS_IN) continue;
            ls_text_add(t, "%s%s_i", comma, c->layout.list[i].field->name);
            comma = ", ";
        }
        ls_text_add(t, ") edge_seen <= !edge_seen;\n\nalways @(edge_seen) begin\nopen;\n");
        add_words(c, LS_IN, t);
        add_words(c, LS_OUT, t);
        ls_text_add(t, "report_all(%s_lockstep_edge(l, 0, longint'($time)));\nend\n", u);
    }
    ls_text_add(t, "\nfinal begin\nopen;\n");
    add_memories_after(c, 1, t);
    ls_text_add(t,
                "passed = %s_lockstep_end(l) == 0;\nreport_all(0);\n%s_lockstep_close(l);\n"
                "if (!passed) begin\n$error(\"%s_lockstep: RTL and model differ, or nothing was compared\");\nend\nend\n",
                u, u, u);
}

/* What a port of the checker is connected to, in the module that it is bound to. */
static char *port_value(const checker *c, const ls_spot *p) {
    if (!p->apart) return ls_export_name(p->field, NULL);
    ls_text t = {0};
    for (uint32_t k = p->field->count; k-- > 0;) {
        char *one = ls_export_element(c->e, p->field, k, "", NULL);
        ls_text_add(&t, "%s%s", t.size > 0 ? ", " : "{", one);
        free(one);
    }
    ls_text_add(&t, "}");
    return ls_text_take(&t);
}

static void add_bind(const checker *c, ls_text *t) {
    const ls_layout *l = &c->layout;
    ls_text_add(t, "\nbind %s %s_lockstep", ls_unit_top(c->e->unit), c->name);
    if (l->params.count > 0) ls_text_add(t, " #(");
    for (size_t i = 0; i < l->params.count; i++)
        ls_text_add(t, "%s.%s(%s)", i > 0 ? ", " : "", l->params.list[i], l->params.list[i]);
    ls_text_add(t, "%s u_lockstep (\n", l->params.count > 0 ? ")" : "");
    const char *comma = "";
    if (l->clocked) {
        ls_text_add(t, ".clk_i(%s),\n.rst_ni(%s)", l->clock, l->reset);
        comma = ",\n";
    }
    for (size_t i = 0; i < l->count; i++) {
        const ls_field *f = l->list[i].field;
        if (f->kind > LS_OUT) continue;
        char *value = port_value(c, &l->list[i]);
        ls_text_add(t, "%s.%s_%c(%s)", comma, f->name, f->kind == LS_IN ? 'i' : 'o', value);
        free(value);
        comma = ",\n";
    }
    ls_text_add(t, "\n);\n");
}

static char *write_checker(const checker *c) {
    ls_text t = {0};
    ls_text_add(
        &t,
        "// %s %s: its C model beside every instance of it, in any testbench. Inputs and outputs are those just\n"
        "// before the clock's edge, registers and memories those after it. README.md says how to run it.\n// Made by: %s\n"
        "/* verilator lint_off WIDTH */\n",
        c->name, c->params, c->e->command);
    add_ports(c, &t);
    ls_text_add(&t, "\n");
    add_imports(c, &t);
    ls_text_add(&t, "\n");
    begin_checker(c, &t);
    add_variables(c, &t);
    add_functions(c, &t);
    add_processes(c, &t);
    end_checker(c, &t);
    ls_text_add(&t, "endmodule\n");
    add_bind(c, &t);
    ls_text_add(&t, "/* verilator lint_on WIDTH */\n");
    ls_export_indent(&t);
    char *file = ls_format("%s_lockstep.sv", c->name);
    char *error = ls_export_file(c->e, file, &t);
    free(file);
    return error;
}

static char *write_readme(const checker *c, const ls_args *sources) {
    const char *const u = c->name;
    ls_text t = {0};
    ls_text_add(&t,
                "# %s %s: its model beside the RTL, in your simulator\n\n"
                "`%s_lockstep.sv` binds a checker to every instance of `%s`. In each cycle it compares all outputs, after each\n"
                "edge all registers and memories, with the C model, which gets the same inputs. Once, in this folder:\n\n"
                "    cc -O2 -shared -fPIC -I. -o %s_lockstep.so",
                u, c->params, u, ls_unit_top(c->e->unit), u);
    for (size_t i = 0; i < sources->count; i++) ls_text_add(&t, "%s%s", i % 4 == 3 ? " \\\n        " : " ", sources->list[i]);
    ls_text_add(&t,
                "\n\nThen with your files, where `TB` is your top module and `HERE` this folder, absolute:\n\n"
                "    verilator --binary --timing --top-module TB FILES HERE/%s_lockstep.sv HERE/%s_lockstep.so && obj_dir/VTB\n"
                "    vcs -full64 -sverilog -top TB FILES HERE/%s_lockstep.sv HERE/%s_lockstep.so && ./simv\n"
                "    vlog -sv FILES HERE/%s_lockstep.sv && vsim -c -sv_lib HERE/%s_lockstep TB -do 'run -all; quit'\n"
                "    xrun -sv -top TB -sv_lib HERE/%s_lockstep.so FILES HERE/%s_lockstep.sv\n\n"
                "The first line is tried with Verilator; those of VCS, Questa and Xcelium were not.\n\n",
                u, u, u, u, u, u, u, u);
    ls_text_add(&t,
                "A difference is a line, and then `$fatal`:\n\n"
                "    mismatch  %s tb.dut: cycle 4, time 45: register NAME: RTL f0, model fc, XOR c\n\n"
                "Cycles count from the first edge in reset. The end is a line on what was compared, and an error when\n"
                "nothing was: without a reset nothing is.\n\n"
                "| plusarg | does |\n|---|---|\n"
                "| `+lockstep_go_on` | goes on after a difference; the end is an error |\n"
                "| `+lockstep_pass_x` | bits that are X in the RTL are not compared; else they differ |\n\n"
                "- It stands for these parameters; an instance with others is an error of elaboration.\n"
                "- The reset must be on at an edge of the clock. Registers are not compared when it begins with that edge.\n"
                "- Memories: the model takes their contents before the first edge without reset. A row with X is compared from\n"
                "  when it has none. %s\n"
                "- Several units: export them into one folder, and give each source once.\n\nMade by `%s`.\n",
                u,
                c->layout.swept ? "In each cycle the rows written and one more are compared, all at the end."
                                : "All rows are compared in each cycle.",
                c->e->command);
    return ls_export_file(c->e, "README.md", &t);
}

char *ls_export_bind(const ls_export *e) {
    checker c = {.e = e, .name = e->unit->name, .high = e->unit->names.reset_high};
    ls_args sources = {0};
    char *error = ls_layout_make(e, &c.layout);
    if (error != NULL) return error;
    c.scope = ls_format("%s.", ls_unit_top(e->unit));
    c.resets = ls_format("rst_ni === 1'b%d", c.high);
    c.params = ls_export_params(e);
    for (size_t i = 0; i < c.layout.count; i++) {
        const ls_field *f = c.layout.list[i].field;
        if (f->kind == LS_MEMORY && f->bits > c.row_bits) c.row_bits = f->bits;
    }
    error = ls_export_model(e, &c.layout, false, &sources);
    if (error == NULL) error = write_checker(&c);
    if (error == NULL) error = write_readme(&c, &sources);
    ls_args_free(&sources);
    free(c.scope);
    free(c.resets);
    free(c.params);
    ls_layout_free(&c.layout);
    return error;
}
