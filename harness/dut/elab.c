/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/dut/elab_netlist.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/base/text.h"

/* Undoes Verilator's name mangling in place: "__05F" is the character 0x5F. Returns `text`. */
static char *unmangle(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        if (strncmp(from, "__0", 3) == 0 && isxdigit((unsigned char)from[3]) && isxdigit((unsigned char)from[4])) {
            const char hex[] = {from[3], from[4], '\0'};
            *to++ = (char)strtol(hex, NULL, 16);
            from += 5;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return text;
}

static char *file_name(const ls_elab_netlist *d, const char *id) {
    for (const node *n = d->netlist->parent->child; n != NULL; n = n->next) {
        for (const node *f = is(n, "files") ? n->child : NULL; f != NULL; f = f->next) {
            if (strcmp(get(f, "id"), id) == 0) {
                return ls_copy(get(f, "filename"));
            }
        }
    }
    return ls_copy("");
}

static ls_elab_signal signal_of(const ls_elab_netlist *d, const node *module, const node *var, const char *path,
                                ls_elab_kind kind) {
    const ls_elab_origin at = ls_elab_place(var);
    ls_elab_signal s = {.name = ls_format("%s%s", path, get(var, "name")),
                        .var = ls_copy(get(var, "origName")),
                        .module = ls_copy(get(module, "origName")),
                        .file = file_name(d, at.file),
                        .line = at.line,
                        .cleared = (var->mark & MARK_CLEARED) != 0,
                        .kind = kind};
    ls_elab_shape(d, var, &s);
    return s;
}

static bool wanted(const ls_elab_netlist *d, const node *module, const node *var) {
    if (get(var, "param")[0] != '\0' || get(var, "localparam")[0] != '\0') {
        return false;
    }
    char *name = unmangle(ls_copy(get(module, "origName")));
    bool found = false;
    for (size_t i = 0; i < d->wire_count && !found; i++) {
        found = fnmatch(d->wires[i].module, name, 0) == 0 && fnmatch(d->wires[i].var, get(var, "name"), 0) == 0;
    }
    free(name);
    return found;
}

/* Lists the marked and the asked-for variables of one instance, those of its generate blocks included. */
static void list_variables(const ls_elab_netlist *d, const node *module, const node *block, const char *path) {
    for (const node *n = block->child; n != NULL; n = n->next) {
        if (!is(n, "var")) {
            char *inner = get(n, "name")[0] == '\0' ? ls_copy(path) : ls_format("%s%s.", path, get(n, "name"));
            list_variables(d, module, n, inner);
            free(inner);
        } else {
            const unsigned mark = (n->mark & MARK_LOOP) != 0 ? 0 : n->mark;
            const bool top_port = get(n, "dir")[0] != '\0' && get(module, "topModule")[0] != '\0';
            if ((mark & (MARK_REG | MARK_LATCH)) != 0 || (!top_port && ls_elab_is_static(n) && wanted(d, module, n))) {
                ls_elab *e = d->elab;
                e->registers = ls_grow(e->registers, e->register_count, sizeof *e->registers);
                e->registers[e->register_count++] = signal_of(d, module, n, path,
                                                              (mark & MARK_REG) != 0     ? LS_ELAB_REG
                                                              : (mark & MARK_LATCH) != 0 ? LS_ELAB_LATCH
                                                                                         : LS_ELAB_WIRE);
            }
        }
    }
}

static const node *module_named(const ls_elab_netlist *d, const char *mangled) {
    char *name = unmangle(ls_copy(mangled));
    const node *found = NULL;
    for (size_t i = 0; i < d->module_count && found == NULL; i++) {
        found = strcmp(get(d->modules[i], "name"), name) == 0 ? d->modules[i] : NULL;
    }
    free(name);
    return found;
}

static void list_instances(const ls_elab_netlist *d, const node *block, const char *path, unsigned depth);

static void list_instance(const ls_elab_netlist *d, const node *module, const char *path, unsigned depth) {
    list_variables(d, module, module, path);
    if (depth < 256) {
        list_instances(d, module, path, depth + 1);
    }
}

static void list_instances(const ls_elab_netlist *d, const node *block, const char *path, unsigned depth) {
    for (const node *n = block->child; n != NULL; n = n->next) {
        if (is(n, "begin")) {
            char *inner = get(n, "name")[0] == '\0' ? ls_copy(path) : ls_format("%s%s.", path, get(n, "name"));
            list_instances(d, n, inner, depth);
            free(inner);
        } else if (is(n, "instance")) {
            const node *module = module_named(d, get(n, "defName"));
            const node *r = n->child;
            while (r != NULL && !is(r, "range")) {
                r = r->next;
            }
            long first = 0, last = 0;
            if (r != NULL && r->child != NULL && r->child->next != NULL) {
                long a = ls_elab_constant(r->child), b = ls_elab_constant(r->child->next);
                first = a < b ? a : b;
                last = a < b ? b : a;
            }
            for (long i = first; module != NULL && i <= last; i++) {
                char *inner =
                    r == NULL ? ls_format("%s%s.", path, get(n, "name")) : ls_format("%s%s[%ld].", path, get(n, "name"), i);
                list_instance(d, module, inner, depth);
                free(inner);
            }
        }
    }
}

/* Lists what keeps state and has no name in the hierarchy, each line of RTL once. */
static void list_hidden(const ls_elab_netlist *d) {
    ls_elab *e = d->elab;
    const size_t begin = e->register_count;
    for (size_t i = 0; i < d->document.count; i++) {
        const node *n = d->document.nodes[i];
        char *name = ls_elab_hidden_name(n);
        if (name == NULL) {
            continue;
        }
        (void)unmangle(name); /* the package of what is outside of modules is $unit */
        const ls_elab_origin at = ls_elab_place(n);
        char *file = file_name(d, at.file);
        size_t k = begin;
        while (k < e->register_count && (e->registers[k].line != at.line || strcmp(e->registers[k].name, name) != 0 ||
                                         strcmp(e->registers[k].file, file) != 0)) {
            k++;
        }
        if (k < e->register_count) {
            free(name);
            free(file);
            continue;
        }
        e->registers = ls_grow(e->registers, e->register_count, sizeof *e->registers);
        e->registers[e->register_count++] = (ls_elab_signal){.name = name,
                                                             .var = ls_copy(""),
                                                             .module = ls_copy(""),
                                                             .file = file,
                                                             .line = at.line,
                                                             .count = 1,
                                                             .kind = LS_ELAB_HIDDEN};
    }
}

/* Says what runs commands or C code. */
static void list_outside(const ls_elab_netlist *d) {
    ls_text text = {0};
    for (size_t i = 0; i < d->document.count; i++) {
        const node *n = d->document.nodes[i];
        if ((n->mark & MARK_OUTSIDE) == 0) {
            continue;
        }
        const ls_elab_origin at = ls_elab_place(n);
        char *name = ls_elab_outside_name(n), *file = file_name(d, at.file);
        ls_text_add(&text, "%s:%u: %s runs commands or C code: only with --allow-system\n", file, at.line, name);
        free(name);
        free(file);
    }
    d->elab->outside = text.size > 0 ? ls_text_take(&text) : NULL;
}

static void list_ports(const ls_elab_netlist *d, const node *top) {
    for (const node *n = top->child; n != NULL; n = n->next) {
        const char *dir = get(n, "dir");
        if (is(n, "var") && get(n, "param")[0] != '\0' && get(n, "localparam")[0] == '\0') {
            ls_elab *e = d->elab;
            e->params = ls_grow(e->params, e->param_count, sizeof *e->params);
            e->param_values = ls_grow(e->param_values, e->param_count, sizeof *e->param_values);
            e->param_limits = ls_grow(e->param_limits, e->param_count, sizeof *e->param_limits);
            e->param_limits[e->param_count] = ls_elab_limit(d, get(n, "dtype_id"));
            e->params[e->param_count] = ls_copy(get(n, "name"));
            e->param_values[e->param_count] = e->param_limits[e->param_count] > 0 && n->child != NULL && is(n->child, "const")
                                                  ? ls_format("%ld", ls_elab_constant(n->child))
                                                  : NULL;
            e->param_count++;
        }
        if (is(n, "var") && dir[0] != '\0') {
            ls_elab *e = d->elab;
            e->ports = ls_grow(e->ports, e->port_count, sizeof *e->ports);
            e->ports[e->port_count++] = signal_of(d, top, n, "",
                                                  strcmp(dir, "input") == 0    ? LS_ELAB_IN
                                                  : strcmp(dir, "output") == 0 ? LS_ELAB_OUT
                                                                               : LS_ELAB_INOUT);
        }
    }
}

/* Not of the design: <built-in>, <command-line>, and the package that Verilator reads before all else. */
static bool is_own_file(const char *name) {
    static const char *const ends[] = {"/include/verilated_std.sv", "/include/verilated_std_waiver.vlt"};
    bool own = name[0] == '\0' || name[0] == '<';
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        own |= strlen(name) > strlen(ends[i]) && strcmp(name + strlen(name) - strlen(ends[i]), ends[i]) == 0;
    }
    return own;
}

static void list_files(const ls_elab_netlist *d) {
    for (const node *n = d->netlist->parent->child; n != NULL; n = n->next) {
        for (const node *f = is(n, "files") ? n->child : NULL; f != NULL; f = f->next) {
            const char *name = get(f, "filename");
            if (!is_own_file(name)) {
                ls_elab *e = d->elab;
                e->files = ls_grow(e->files, e->file_count, sizeof *e->files);
                e->files[e->file_count++] = ls_copy(name);
            }
        }
    }
    for (size_t i = 0; i < d->module_count; i++) {
        ls_elab *e = d->elab;
        const char *name = get(d->modules[i], "origName");
        e->modules = ls_grow(e->modules, e->used_count, sizeof *e->modules);
        e->modules[e->used_count] = ls_copy(name[0] != '\0' ? name : get(d->modules[i], "name"));
        e->used = ls_grow(e->used, e->used_count, sizeof *e->used);
        e->used[e->used_count++] = file_name(d, ls_elab_place(d->modules[i]).file);
    }
}

static bool is_type(const node *n) {
    const size_t length = strlen(n->tag);
    return length > 5 && strcmp(n->tag + length - 5, "dtype") == 0;
}

/* Indexes the types and the modules of the netlist. */
static void index_netlist(ls_elab_netlist *d) {
    for (node *n = d->netlist->child; n != NULL; n = n->next) {
        if (is_module(n)) {
            d->modules = ls_grow(d->modules, d->module_count, sizeof *d->modules);
            d->modules[d->module_count++] = n;
        }
    }
    const size_t limit = 2 * d->document.count + 1024; /* of an id in what is not damaged */
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < d->document.count; i++) {
            node *n = d->document.nodes[i];
            const size_t id = is_type(n) ? ls_elab_id(get(n, "id")) : SIZE_MAX;
            if (pass == 0 && id >= d->type_count && id < limit) {
                d->type_count = id + 1;
            } else if (pass == 1 && id < d->type_count) {
                d->types[id] = n;
            }
        }
        if (pass == 0) {
            d->types = ls_alloc(d->type_count, sizeof(node *));
            d->elab->layouts = ls_alloc(d->type_count, sizeof *d->elab->layouts);
            d->elab->layout_count = d->type_count;
        }
    }
}

static const char *extract(ls_elab_netlist *d) {
    for (node *n = d->document.root.child; n != NULL; n = n->child) {
        while (n->next != NULL && !is(n, "netlist")) {
            n = n->next;
        }
        if (is(n, "netlist")) {
            d->netlist = n;
            break;
        }
    }
    if (d->netlist == NULL) {
        return "holds no netlist";
    }
    index_netlist(d);
    for (size_t i = 0; i < d->module_count; i++) {
        ls_elab_scan(d, d->modules[i]);
    }
    for (node *n = d->netlist->child; n != NULL; n = n->next) {
        ls_elab_scan_hidden(d, n, false);
    }
    ls_elab_settle_loops(d);
    d->elab->conflicts = ls_elab_two_drivers(d);
    for (size_t i = 0; i < d->module_count; i++) {
        if (get(d->modules[i], "topModule")[0] != '\0') {
            ls_elab_find_edges(d, d->modules[i]);
            list_ports(d, d->modules[i]);
            list_instance(d, d->modules[i], "", 0);
            list_hidden(d);
            list_outside(d);
            list_files(d);
            return NULL;
        }
    }
    return "holds no top module";
}

ls_elab_status ls_elab_read(const char *path, const ls_rtl_wire *wires, size_t wire_count, ls_elab *elab, char **text) {
    *elab = (ls_elab){0};
    ls_elab_netlist d = {.wires = wires, .wire_count = wire_count, .elab = elab};
    *text = ls_elab_document(&d, path);
    const char *wrong = *text == NULL ? extract(&d) : NULL;
    if (wrong != NULL) {
        *text = ls_format("%s: %s\n", path, wrong);
    }
    const ls_elab_status status = *text == NULL ? LS_ELAB_OK : LS_ELAB_TOOL;
    if (status != LS_ELAB_OK) {
        ls_elab_free(elab);
    } else {
        *text = ls_copy("");
    }
    free(d.types);
    free(d.modules);
    ls_tree_free(&d.document);
    free(d.text.data);
    free(d.meta.data);
    return status;
}

void ls_rtl_args(const ls_rtl *rtl, ls_args *args) {
    ls_args_add(args, "--relative-includes"); /* an include file may lie beside the file that names it */
    ls_args_add(args, "--top-module");
    ls_args_add(args, "%s", rtl->top);
    for (size_t i = 0; i < rtl->param_count; i++) {
        ls_args_add(args, "-G%s=%s", rtl->params[i].name, rtl->params[i].value);
    }
    for (size_t i = 0; i < rtl->define_count; i++) {
        ls_args_add(args, "-D%s", rtl->defines[i]);
    }
    for (size_t i = 0; i < rtl->extra_count; i++) {
        ls_args_add(args, "%s", rtl->extra[i]);
    }
    for (size_t i = 0; i < rtl->dir_count; i++) {
        ls_args_add(args, "-y");
        ls_args_add(args, "%s", rtl->dirs[i]);
    }
    for (size_t i = 0; i < rtl->file_count; i++) {
        ls_args_add(args, "%s", rtl->files[i]);
    }
}

size_t ls_elab_delays(const char *output, char *place, size_t size) {
    static const char *const warnings[] = {"%Warning-ASSIGNDLY: ", "%Warning-STMTDLY: "};
    size_t count = 0;
    for (const char *line = output; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
            const size_t n = strlen(warnings[i]);
            if (strncmp(line, warnings[i], n) != 0) {
                continue;
            }
            const char *end = strstr(line + n, ": ");
            if (count++ == 0) {
                (void)snprintf(place, size, "%.*s", end == NULL ? 0 : (int)(end - line - (long)n), line + n);
            }
        }
    }
    return count;
}

/* What Verilator says, without the lines on itself with which newer ones end ("- Verilator: Built from ...") and without the
 * places where it looked for a file: with folders of ours, one temporary. To be freed. */
static char *without_report(const char *said) {
    ls_text text = {0};
    ls_text_put(&text, "", 0);
    size_t list = SIZE_MAX; /* the blanks before "... Looked in:" in the lines of that list */
    for (const char *line = said; *line != '\0';) {
        const size_t size = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'), blanks = strspn(line, " ");
        const bool report = strncmp(line, "- V e r i l a t i o n", 21) == 0 || strncmp(line, "- Verilator: ", 13) == 0;
        if (strncmp(line + blanks, "... Looked in:", 14) == 0) list = blanks;
        else if (blanks <= list) list = SIZE_MAX;
        const bool place = list != SIZE_MAX || strncmp(line + blanks, "... With current working directory", 34) == 0;
        if (!report && !place) ls_text_put(&text, line, size);
        line += size;
    }
    return ls_text_take(&text);
}

/* The number of this Verilator, or 0 with why it cannot be used in `*text`. */
static unsigned usable(const char *program, char **text) {
    ls_process_result version;
    int error = ls_process_run(&(ls_process){.argv = (const char *const[]){program, "--version", NULL}}, &version);
    unsigned number = 0;
    if (error != 0) {
        *text = ls_format("cannot run %s: %s\n", program, strerror(-error));
    } else if (ls_verilator_check(version.output, text)) {
        free(*text); /* ls_tools_find has said it */
        number = ls_verilator_number(version.output);
    }
    ls_process_free(&version);
    return number;
}

static ls_elab_status elaborate(const ls_rtl *rtl, const char *program, unsigned number, const char *directory, const char *path,
                                char **text) {
    const bool json = rtl->form == LS_ELAB_FORM_ANY ? number > LS_LAST_WITH_XML : rtl->form == LS_ELAB_FORM_JSON;
    ls_args args = {0};
    ls_args_add(&args, "%s", program);
    ls_args_add(&args, "-Wno-DEPRECATED"); /* before --xml-only, of which it would be said */
    ls_args_add(&args, json ? "--json-only" : "--xml-only");
    ls_args_add(&args, "-Wno-fatal");
    ls_args_add(&args, "--no-timing");
    if (rtl->strict) {
        ls_args_add(&args, "-fno-dfg"); /* of two drivers of a net it keeps the first */
        ls_args_add(&args, "-Werror-MODDUP");
        ls_args_add(&args, "-Wwarn-UNDRIVEN");
        ls_args_add(&args, "-Werror-UNDRIVEN");
        ls_args_add(&args, "-Wwarn-ASSIGNDLY");
        ls_args_add(&args, "-Wwarn-STMTDLY");
    }
    ls_args_add(&args, "--Mdir");
    ls_args_add(&args, "%s", directory);
    ls_args_add(&args, json ? "--json-only-output" : "--xml-output");
    ls_args_add(&args, "%s", path);
    if (json) {
        ls_args_add(&args, "--json-only-meta-output");
        ls_args_add(&args, "%s" LS_ELAB_META, path);
        ls_args_add(&args, "--no-json-edit-nums");
    }
    ls_rtl_args(rtl, &args);
    ls_process_result run;
    const ls_process process = {
        .argv = (const char *const *)args.list, .timeout_ms = rtl->timeout_ms, .patience = LS_PATIENCE, .deep_stack = true};
    ls_progress_begin("%s: elaborating the RTL", rtl->top != NULL ? rtl->top : "Verilator");
    int error = ls_process_run(&process, &run);
    ls_progress_end();
    ls_elab_status status = error == 0 && ls_process_ok(&run) ? LS_ELAB_OK : LS_ELAB_TOOL;
    if (error != 0) {
        *text = ls_format("cannot run %s: %s\n", program, strerror(-error));
    } else if (run.signal != 0) {
        char ending[80];
        *text = ls_format("%sVerilator %s\n", run.output, ls_process_ending(&run, ending, sizeof ending));
    } else {
        status = run.status == 0 ? LS_ELAB_OK : LS_ELAB_RTL;
        *text = without_report(run.output);
    }
    ls_process_free(&run);
    ls_args_free(&args);
    return status;
}

ls_elab_status ls_elab_run(const ls_rtl *rtl, const char *verilator, const char *path, ls_elab *elab, char **text) {
    *elab = (ls_elab){0};
    char *program = ls_verilator_program(verilator == NULL ? "verilator" : verilator);
    const unsigned number = usable(program, text);
    if (number == 0) {
        free(program);
        return LS_ELAB_TOOL;
    }
    char *directory, *failed = ls_temporary_folder("ls_elab", &directory);
    if (failed != NULL) {
        *text = ls_format("%s\n", failed);
        free(failed);
        free(program);
        return LS_ELAB_TOOL;
    }
    char *own_path = ls_format("%s/elab", directory);
    path = path == NULL ? own_path : path;
    ls_elab_status status = elaborate(rtl, program, number, directory, path, text);
    if (status == LS_ELAB_OK) {
        char *warnings = *text;
        status = ls_elab_read(path, rtl->wires, rtl->wire_count, elab, text);
        if (status == LS_ELAB_OK) {
            free(*text);
            *text = warnings;
            if (rtl->strict && elab->conflicts != NULL) {
                free(*text);
                *text = ls_copy(elab->conflicts);
                ls_elab_free(elab);
                status = LS_ELAB_RTL;
            }
        } else {
            free(warnings);
        }
    }
    ls_remove_tree(directory);
    free(own_path);
    free(directory);
    free(program);
    return status;
}

const ls_elab_signal *ls_elab_find(const ls_elab *elab, const char *name) {
    for (size_t i = 0; i < elab->register_count; i++) {
        if (strcmp(elab->registers[i].name, name) == 0) {
            return &elab->registers[i];
        }
    }
    return ls_elab_port(elab, name);
}

const ls_elab_signal *ls_elab_port(const ls_elab *elab, const char *name) {
    for (size_t i = 0; i < elab->port_count; i++) {
        if (strcmp(elab->ports[i].name, name) == 0) {
            return &elab->ports[i];
        }
    }
    return NULL;
}

static void free_signals(ls_elab_signal *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(list[i].name);
        free(list[i].var);
        free(list[i].module);
        free(list[i].file);
    }
    free(list);
}

void ls_elab_free(ls_elab *elab) {
    free_signals(elab->ports, elab->port_count);
    free_signals(elab->registers, elab->register_count);
    for (size_t i = 0; i < elab->edge_count; i++) {
        free(elab->edges[i].port);
    }
    free(elab->edges);
    for (size_t i = 0; i < elab->file_count; i++) {
        free(elab->files[i]);
    }
    for (size_t i = 0; i < elab->used_count; i++) {
        free(elab->used[i]);
        free(elab->modules[i]);
    }
    for (size_t i = 0; i < elab->layout_count; i++) {
        for (uint32_t k = 0; elab->layouts[i] != NULL && k < elab->layouts[i]->member_count; k++)
            free(elab->layouts[i]->members[k].name);
        if (elab->layouts[i] != NULL) free(elab->layouts[i]->members);
        free(elab->layouts[i]);
    }
    free(elab->layouts);
    for (size_t i = 0; i < elab->param_count; i++) {
        free(elab->params[i]);
        free(elab->param_values[i]);
    }
    free(elab->params);
    free(elab->param_values);
    free(elab->param_limits);
    free(elab->files);
    free(elab->used);
    free(elab->modules);
    free(elab->conflicts);
    free(elab->outside);
    *elab = (ls_elab){0};
}

char *ls_verilator_program(const char *command) {
    static const char *const decide[] = {"VERILATOR_ROOT", "VERILATOR_BIN", "VERILATOR_TEST_FLAGS"};
    for (size_t i = 0; i < sizeof decide / sizeof *decide; i++) {
        if (getenv(decide[i]) != NULL) return ls_copy(command);
    }
    char *found = ls_process_find(command), *real = found != NULL ? realpath(found, NULL) : NULL, *program = NULL;
    FILE *script = real != NULL ? fopen(real, "re") : NULL;
    char line[64] = "";
    if (script != NULL && fgets(line, sizeof line, script) != NULL && strncmp(line, "#!", 2) == 0 &&
        strstr(line, "perl") != NULL) {
        const int folder = (int)(strrchr(real, '/') - real);
        char *beside = ls_format("%.*s/verilator_bin", folder, real), *in_place = ls_format("%.*s/../configure", folder, real);
        program = access(in_place, F_OK) != 0 ? ls_process_find(beside) : NULL;
        free(beside);
        free(in_place);
    }
    if (script != NULL) (void)fclose(script);
    free(real);
    free(found);
    return program != NULL ? program : ls_copy(command);
}

unsigned ls_verilator_number(const char *text) {
    const char *p = strstr(text, "Verilator ");
    unsigned major = 0, minor = 0;
    return p != NULL && sscanf(p, "Verilator %u.%u", &major, &minor) == 2 ? 1000 * major + minor : 0;
}

bool ls_verilator_check(const char *version, char **text) {
    const unsigned number = ls_verilator_number(version);
    *text = NULL;
    if (number < LS_VERILATOR_MIN) {
        *text = ls_format("%.*s is not supported: use Verilator %u.%03u or newer\n", (int)strcspn(version, "\n"), version,
                          LS_VERILATOR_MIN / 1000, LS_VERILATOR_MIN % 1000);
    } else if (number > LS_VERILATOR_MAX) {
        *text = ls_format("Verilator %u.%03u is newer than %u.%03u, the newest that was tested\n", number / 1000, number % 1000,
                          LS_VERILATOR_MAX / 1000, LS_VERILATOR_MAX % 1000);
    }
    return number >= LS_VERILATOR_MIN;
}
