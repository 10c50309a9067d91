/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/netlist/netlist.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/design.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/dut/toolchain.h"
#include "harness/netlist/netlist_mutants.h"
#include "harness/netlist/netlist_rtlil.h"

#define RECIPE "netlist-12" /* part of every key: to be raised when netlists are made in another way */
#define LIST_MORE 2u        /* times as many mutants are asked for as are wanted: those of clocks and loops are left out */

static void list_files(const ls_netlist_request *rq, ls_args *files) {
    if (rq->rtl_count == 0) ls_design_files(rq->unit, files);
    for (size_t i = 0; i < rq->rtl_count; i++) ls_args_add(files, "%s", rq->rtl[i]);
}

static char *key_of(const ls_netlist_request *rq, const ls_args *files, const char *version) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, RECIPE);
    ls_hash_text(&h, version);
    ls_hash_text(&h, rq->unit->name);
    for (size_t i = 0; i < rq->unit->param_count; i++) ls_hash_number(&h, ls_config_get(&rq->unit->params[i], rq->cfg));
    ls_hash_number(&h, rq->mutants);
    ls_hash_number(&h, rq->seed);
    ls_hash_texts(&h, (const char *const *)files->list, files->count);
    for (size_t i = 0; i < files->count; i++) (void)ls_hash_source(&h, files->list[i]);
    ls_fields fields;
    ls_signals_of(rq->unit, rq->cfg, &fields); /* its registers are kept by name */
    for (size_t i = 0; i < fields.count; i++) ls_hash_text(&h, fields.list[i].name);
    ls_fields_free(&fields);
    return ls_hash_end(&h);
}

/* Marks every register of the field list as to be kept: by what nothing reads Yosys would remove. In a pattern of Yosys's, "[" is
 * special and "?" any character; the elements of an array may be wires of their own. */
static void keep_registers(const ls_netlist_request *rq, ls_text *script) {
    ls_fields fields;
    ls_signals_of(rq->unit, rq->cfg, &fields);
    for (size_t i = 0; i < fields.count; i++) {
        const ls_field *f = &fields.list[i];
        if (!ls_is_state(f)) continue;
        char *pattern = ls_copy(f->name);
        for (char *c = pattern; *c != '\0'; c++)
            if (*c == '[' || *c == ']') *c = '?';
        ls_text_add(script, "setattr -set keep 1 w:%s w:%s?*?\n", pattern, pattern);
        free(pattern);
    }
    ls_fields_free(&fields);
}

/* RTL to RTLIL in folder/flat.il, with Yosys's names. */
static char *flatten(const ls_netlist_request *rq, const ls_args *files, const char *folder) {
    const char *top = ls_unit_top(rq->unit);
    ls_text script = {0};
    ls_text_add(&script, "read_verilog -defer -sv");
    for (size_t i = 0; i < files->count; i++) ls_text_add(&script, " %s", files->list[i]);
    if (rq->unit->param_count > 0) ls_text_add(&script, "\nchparam");
    for (size_t i = 0; i < rq->unit->param_count; i++)
        ls_text_add(&script, " -set %s %u", rq->unit->params[i].name, ls_config_get(&rq->unit->params[i], rq->cfg));
    if (rq->unit->param_count > 0) ls_text_add(&script, " %s", top);
    ls_text_add(&script, "\nhierarchy -check -top %s\nproc\nflatten\nrename -top %s\nwrite_ilang %s/flat.il\n", top, top, folder);
    char *path = ls_format("%s/flat.ys", folder), *failed = ls_yosys_run(&script, path, rq->timeout_ms);
    free(path);
    free(ls_text_take(&script));
    return failed;
}

/* flat.il to plain.il: the RTL's names. */
static char *name_plainly(const char *folder) {
    ls_text flat = {0}, plain = {0};
    char *from = ls_format("%s/flat.il", folder), *to = ls_format("%s/plain.il", folder);
    int error = ls_text_read(&flat, from);
    ls_text_put(&flat, "", 0);
    char *failed = error == 0 ? ls_rtlil_plain(flat.data, &plain) : ls_format("%s: %s", from, strerror(-error));
    error = failed == NULL ? ls_text_write(&plain, to) : 0;
    if (error != 0) failed = ls_format("%s: %s", to, strerror(-error));
    free(from);
    free(to);
    free(ls_text_take(&flat));
    free(ls_text_take(&plain));
    return failed;
}

/* RTL to RTLIL in folder/base.il; with mutants a list of them, some more than are wanted, in folder/list. */
static char *elaborate(const ls_netlist_request *rq, const ls_args *files, const char *folder) {
    char *failed = flatten(rq, files, folder);
    if (failed == NULL) failed = name_plainly(folder);
    if (failed != NULL) return failed;
    ls_text script = {0};
    ls_text_add(&script, "read_ilang %s/plain.il\n", folder);
    keep_registers(rq, &script);
    /* Bits that no result needs, such as the upper ones of a sum that is cut off, are no circuit and not worth a mutant. */
    ls_text_add(&script, "opt_expr\nwreduce t:$add t:$sub\nopt_clean\nwrite_ilang %s/base.il\n", folder);
    if (rq->mutants > 0)
        ls_text_add(&script, "mutate -list %u -seed %u -ctrl %s %u 1 -o %s/list\n", rq->mutants * LIST_MORE + 16,
                    (uint32_t)(rq->seed ^ rq->seed >> 32) & 0x7fffffffu, LS_NETLIST_SELECT, LS_NETLIST_SELECT_BITS, folder);
    char *path = ls_format("%s/base.ys", folder);
    failed = ls_yosys_run(&script, path, rq->timeout_ms);
    free(path);
    free(ls_text_take(&script));
    return failed;
}

/* Where in the list the name stands; count when it does not. */
static size_t place(const ls_args *list, const char *name, size_t length) {
    size_t i = 0;
    while (i < list->count && (strncmp(list->list[i], name, length) != 0 || list->list[i][length] != '\0')) i++;
    return i;
}

/* Copies one number; an unknown digit becomes 0, for Yosys's prover as for Verilator. Returns its end. */
static const char *copy_number(const char *at, ls_text *out) {
    const size_t size = strspn(at, "0123456789");
    ls_text_put(out, at, size);
    at += size;
    if (*at != '\'') return at;
    for (ls_text_put(out, at++, 1); isalnum((unsigned char)*at) || *at == '?' || *at == '_'; at++)
        ls_text_put(out, *at == 'x' || *at == 'X' ? "0" : at, 1);
    return at;
}

/* Copies the Verilog of Yosys with plain names in place of the escaped ones, "\u_rr.mask_q " -> "ls_n3", which are listed. The
 * last "endmodule" is left out. */
static void rename_all(const char *from, ls_netlist *n, ls_text *out) {
    while (*from != '\0' && strncmp(from, "endmodule", 9) != 0) {
        if (*from == '\\') {
            const size_t length = strcspn(from + 1, " \t\n");
            char *name = ls_format("%.*s", (int)length, from + 1);
            size_t i = place(&n->names, name, strlen(name));
            if (i == n->names.count) {
                ls_args_add(&n->names, "%s", name);
                ls_args_add(&n->vars, "ls_n%zu", i);
            }
            free(name);
            ls_text_add(out, "%s ", n->vars.list[i]);
            from += length + 1 + (from[length + 1] == ' ');
        } else if (isdigit((unsigned char)*from)) {
            from = copy_number(from, out);
        } else if (isalpha((unsigned char)*from) || *from == '_' || *from == '$') {
            const size_t length = strspn(from, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
            ls_text_put(out, from, length);
            from += length;
        } else {
            ls_text_put(out, from++, 1);
        }
    }
}

/* The variable of that name of the RTL is declared: by its alias, or itself. */
static const char *find_var(const ls_netlist *n, const char *text, const char *name) {
    const size_t i = place(&n->names, name, strlen(name));
    if (i < n->names.count) return n->vars.list[i];
    if (strpbrk(name, ".[") != NULL) return NULL;
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        const bool whole = (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) && at[length] == ';';
        if (whole || (at > text && at[-1] == ' ' && strncmp(at + length, " [", 2) == 0))
            return name; /* "reg [3:0] name;", "reg … name [7:0];" */
    }
    return NULL;
}

/* Verilator drops a wire that only copies another unless it is told that somebody looks at it. */
#define PUBLIC "/*verilator public_flat_rd*/"

/* The text with the declarations of the wires and registers that stand for fields made public. */
static void publish(const char *from, const ls_netlist *n, const ls_fields *fields, ls_text *out) {
    ls_args vars = {0};
    for (size_t i = 0; i < fields->count; i++) {
        const char *var = ls_is_state(&fields->list[i]) ? find_var(n, from, fields->list[i].name) : NULL;
        if (var != NULL) ls_args_add(&vars, "%s", var);
    }
    while (*from != '\0') {
        const size_t length = strcspn(from, "\n");
        const char *end = from + length;
        const bool declares = (strncmp(from, "  wire ", 7) == 0 || strncmp(from, "  reg ", 6) == 0) && end[-1] == ';' &&
                              memchr(from, '=', length) == NULL;
        const char *name = declares ? end - 1 : from, *stop = name;
        while (declares && stop[-1] == ' ') stop--;
        for (name = stop; declares && name[-1] != ' ';) name--;
        const bool shown = declares && place(&vars, name, (size_t)(stop - name)) < vars.count;
        ls_text_put(out, from, shown ? length - 1 : length);
        ls_text_add(out, "%s%s", shown ? " " PUBLIC ";" : "", *end != '\0' ? "\n" : "");
        from = end + (*end != '\0');
    }
    ls_args_free(&vars);
}

/* An array that Yosys has as a register an element gets an array of wires over them, under its own name. */
static bool gather_array(const ls_field *f, ls_netlist *n, ls_text *out, const char *text) {
    ls_text wires = {0};
    bool whole = true;
    const size_t number = n->names.count;
    for (uint32_t i = 0; i < f->count && whole; i++) {
        char *element = ls_format("%s[%u]", f->name, i);
        const char *var = find_var(n, text, element);
        whole = var != NULL;
        if (whole) ls_text_add(&wires, "  assign ls_n%zu[%u] = %s;\n", number, i, var);
        free(element);
    }
    if (whole) {
        ls_text_add(out, "  wire [%u:0] ls_n%zu [0:%u] " PUBLIC ";\n%s", f->bits - 1, number, f->count - 1, wires.data);
        ls_args_add(&n->names, "%s", f->name);
        ls_args_add(&n->vars, "ls_n%zu", number);
    }
    free(ls_text_take(&wires));
    return whole;
}

/* The netlist before the arrays are gathered, as folder/plain.v. */
static int write_plain(const ls_text *text, const char *folder) {
    ls_text whole = {0};
    ls_text_add(&whole, "%sendmodule\n", text->data);
    char *path = ls_format("%s/plain.v", folder);
    const int error = ls_text_write(&whole, path);
    free(path);
    free(ls_text_take(&whole));
    return error;
}

/* Makes folder/netlist.v of folder/raw.v and fills names and unbound registers. */
static char *finish(const ls_netlist_request *rq, const char *folder, ls_netlist *n) {
    char *raw_path = ls_format("%s/raw.v", folder), *path = ls_format("%s/netlist.v", folder);
    ls_text raw = {0}, plain = {0}, out = {0};
    int error = ls_text_read(&raw, raw_path);
    ls_text_put(&raw, "", 0);
    if (error == 0) {
        ls_fields fields = {0};
        ls_signals_of(rq->unit, rq->cfg, &fields);
        rename_all(raw.data, n, &plain);
        error = write_plain(&plain, folder);
        publish(plain.data, n, &fields, &out);
        for (size_t i = 0; i < fields.count; i++) {
            const ls_field *f = &fields.list[i];
            if (!ls_is_state(f) || find_var(n, plain.data, f->name) != NULL || gather_array(f, n, &out, plain.data)) continue;
            ls_args_add(&n->unbound, "%s", f->name);
        }
        ls_fields_free(&fields);
        ls_text_add(&out, "endmodule\n");
        error = error == 0 ? ls_text_write(&out, path) : error;
    }
    char *failed = error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
    free(raw_path);
    free(path);
    free(ls_text_take(&raw));
    free(ls_text_take(&plain));
    free(ls_text_take(&out));
    return failed;
}

/* Lists as a file of lines, and back. */
static int write_list(const char *folder, const char *name, const ls_args *list) {
    ls_text text = {0};
    ls_text_put(&text, "", 0);
    for (size_t i = 0; i < list->count; i++) ls_text_add(&text, "%s\n", list->list[i]);
    char *path = ls_format("%s/%s", folder, name);
    const int error = ls_text_write(&text, path);
    free(path);
    free(ls_text_take(&text));
    return error;
}

static bool read_list(const char *folder, const char *name, ls_args *list) {
    ls_text text = {0};
    char *path = ls_format("%s/%s", folder, name);
    const bool there = ls_text_read(&text, path) == 0;
    ls_text_put(&text, "", 0);
    for (const char *line = text.data; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        ls_args_add(list, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(path);
    free(ls_text_take(&text));
    return there;
}

/* What ls_cached_folder is given. */
typedef struct making {
    const ls_netlist_request *request;
    const ls_args *files;
    ls_netlist *netlist;
} making;

/* Takes what a finished folder holds; false when it is none. `unbound` is written last. */
static bool read_folder(void *ctx) {
    ls_netlist *n = ((const making *)ctx)->netlist;
    return read_list(n->folder, "mutants", &n->mutants) && read_list(n->folder, "looped", &n->looped) &&
           read_list(n->folder, "vars", &n->vars) && read_list(n->folder, "names", &n->names) &&
           read_list(n->folder, "unbound", &n->unbound);
}

static char *make_in(void *ctx, const char *folder) {
    const ls_netlist_request *rq = ((const making *)ctx)->request;
    ls_netlist made = {0};
    char *failed = elaborate(rq, ((const making *)ctx)->files, folder);
    if (failed == NULL) failed = ls_netlist_mutate(folder, rq->mutants, rq->timeout_ms, &made.mutants, &made.looped);
    if (failed == NULL) failed = finish(rq, folder, &made);
    if (failed == NULL && (write_list(folder, "mutants", &made.mutants) != 0 || write_list(folder, "looped", &made.looped) != 0 ||
                           write_list(folder, "vars", &made.vars) != 0 || write_list(folder, "names", &made.names) != 0 ||
                           write_list(folder, "unbound", &made.unbound) != 0))
        failed = ls_format("%s: cannot be written", folder);
    ls_netlist_free(&made);
    return failed;
}

int ls_netlist_make(const ls_netlist_request *rq, ls_netlist *n, char **error) {
    *n = (ls_netlist){0};
    *error = NULL;
    char *version = ls_yosys_version();
    if (version == NULL) {
        *error = ls_format("netlists need Yosys, which cannot be run: apt-get install yosys (make deps-test)");
        return -1;
    }
    ls_args files = {0};
    list_files(rq, &files);
    char *key = key_of(rq, &files, version);
    n->folder = ls_format("%s/netlist/%s-%s", ls_cache(), rq->unit->name, key);
    making m = {rq, &files, n};
    *error = ls_cached_folder(&(ls_cached){n->folder, read_folder, make_in, &m}, &n->cached);
    n->verilog = ls_format("%s/netlist.v", n->folder);
    n->plain = ls_format("%s/plain.v", n->folder);
    free(version);
    free(key);
    ls_args_free(&files);
    if (*error == NULL) return 0;
    ls_netlist_free(n);
    return -1;
}

void ls_netlist_free(ls_netlist *n) {
    free(n->folder);
    free(n->verilog);
    free(n->plain);
    ls_args_free(&n->mutants);
    ls_args_free(&n->looped);
    ls_args_free(&n->vars);
    ls_args_free(&n->names);
    ls_args_free(&n->unbound);
    *n = (ls_netlist){0};
}

/* Variables of the netlist that the DUT must show besides its registers: one that a mutant stands behind, or that is the same as
 * a port, is a wire here. And the write ports of memories, for their sweep. */
static void list_wires(const ls_netlist *n, const ls_fields *fields, ls_args *vars) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if (!ls_is_state(f)) continue;
        char *wanted[] = {ls_copy(f->name), NULL, NULL};
        for (int k = 1; k < 3 && f->kind == LS_MEMORY && strchr(f->name, '.') != NULL; k++)
            wanted[k] = ls_write_port(f, k == 1, true);
        for (int k = 0; k < 3; k++) {
            const size_t at = wanted[k] == NULL ? n->names.count : place(&n->names, wanted[k], strlen(wanted[k]));
            if (at < n->names.count) ls_args_add(vars, "%s", n->vars.list[at]);
            else if (wanted[k] != NULL && strpbrk(wanted[k], ".[") == NULL) ls_args_add(vars, "%s", wanted[k]);
            free(wanted[k]);
        }
    }
}

/* The check of the field list, without what only a netlist has: the select input, and registers that carry no name of the list.
 */
static size_t check(const ls_fields *fields, const ls_elab *elab, bool ports_only, ls_text *problems) {
    ls_elab shown = *elab;
    shown.ports = ls_alloc(elab->port_count + 1, sizeof *shown.ports);
    shown.registers = ls_alloc(elab->register_count + 1, sizeof *shown.registers);
    shown.port_count = shown.register_count = 0;
    for (size_t i = 0; i < elab->port_count; i++)
        if (strcmp(elab->ports[i].name, LS_NETLIST_SELECT) != 0) shown.ports[shown.port_count++] = elab->ports[i];
    for (size_t i = 0; i < elab->register_count; i++) {
        bool listed = false;
        for (size_t k = 0; k < fields->count; k++)
            listed |= ls_is_state(&fields->list[k]) && strcmp(fields->list[k].name, elab->registers[i].name) == 0;
        if (!listed) continue;
        shown.registers[shown.register_count] = elab->registers[i];
        shown.registers[shown.register_count++].kind = LS_ELAB_REG;
    }
    const size_t count = ls_design_check(fields, &shown, ports_only, problems);
    free(shown.ports);
    free(shown.registers);
    return count;
}

int ls_netlist_build(const ls_netlist_request *rq, const ls_netlist *n, ls_build_result *result, bool *ports_only, char **error) {
    ls_fields fields;
    ls_signals_of(rq->unit, rq->cfg, &fields);
    ls_args vars = {0};
    list_wires(n, &fields, &vars);
    ls_build_alias *aliases = ls_alloc(n->vars.count + 1, sizeof *aliases);
    ls_rtl_wire *wires = ls_alloc(vars.count + 1, sizeof *wires);
    for (size_t i = 0; i < n->vars.count; i++) aliases[i] = (ls_build_alias){n->vars.list[i], n->names.list[i]};
    for (size_t i = 0; i < vars.count; i++) wires[i] = (ls_rtl_wire){"*", vars.list[i]};
    char *shim = ls_format("%s/harness/dut/shim.cpp", ls_root());
    const char *const files[] = {n->verilog};
    /* Verilator 5.006 may settle a loop wrongly. There is none; if there is, the netlist is worth nothing. */
    static const char *const no_loops[] = {"-Werror-UNOPTFLAT"};
    const ls_build_request build = {.rtl = {.top = ls_unit_top(rq->unit),
                                            .clock = ls_unit_clock(rq->unit),
                                            .reset = ls_unit_reset(rq->unit),
                                            .files = files,
                                            .file_count = 1,
                                            .wires = wires,
                                            .wire_count = vars.count},
                                    .verilator_flags = no_loops,
                                    .verilator_flag_count = sizeof no_loops / sizeof no_loops[0],
                                    .cache = ls_cache(),
                                    .shim = shim,
                                    .aliases = aliases,
                                    .alias_count = n->vars.count,
                                    .timeout_ms = rq->timeout_ms};
    *ports_only = n->unbound.count > 0;
    *error = NULL;
    ls_text problems = {0};
    if (ls_build_dut(ls_tools_once(), &build, result) != LS_BUILD_OK) {
        const char *said = result->text != NULL ? result->text : "the netlist cannot be built", *why = strstr(said, "%Error");
        *error = ls_copy(why != NULL ? why : said); /* warnings about what Yosys writes say nothing */
    }
    if (*error == NULL && check(&fields, &result->elab, *ports_only, &problems) > 0) *error = ls_text_take(&problems);
    if (*error != NULL) ls_build_free(result);
    free(ls_text_take(&problems));
    free(shim);
    free(wires);
    free(aliases);
    ls_args_free(&vars);
    ls_fields_free(&fields);
    return *error == NULL ? 0 : -1;
}

char *ls_netlist_what(const char *text) {
    static const char *const names[] = {"cell", "port", "portbit", "mode", "wire", "wirebit", "ctrlbit", "src"};
    char *padded = ls_format(" %s", text), *v[8];
    for (size_t i = 0; i < 8; i++) v[i] = ls_mutant_option(padded, names[i]);
    ls_text out = {0};
    const char *root = ls_home(), *cell = v[0]; /* paths in names are the RTL's below the root */
    const size_t length = strlen(root);
    for (const char *c = cell; *c != '\0';) {
        if (strncmp(c, root, length) == 0 && c[length] == '/') c += length + 1;
        else ls_text_put(&out, c++, 1);
    }
    const char *src = strncmp(v[7], root, length) == 0 && v[7][length] == '/' ? v[7] + length + 1 : v[7];
    char *name = ls_text_take(&out);
    ls_text_add(&out, "cell %s, port %s, bit %s, %s", name, v[1], v[2], v[3]);
    if (v[6][0] != '\0') ls_text_add(&out, " by bit %s", v[6]);
    if (v[4][0] != '\0') ls_text_add(&out, " (%s bit %s)", v[4], v[5]);
    if (src[0] != '\0') ls_text_add(&out, " at %s", src);
    free(name);
    for (size_t i = 0; i < 8; i++) free(v[i]);
    free(padded);
    return ls_text_take(&out);
}
