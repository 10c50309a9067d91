/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/dut/build.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/provenance.h"
#include "harness/base/text.h"
#include "harness/dut/toolchain.h"

/* The sources whose code refuses RTL. */
static const char *const checking[] = {"harness/dut/build.c", "harness/core/design.c", "harness/dut/elab", "harness/base/xml.c",
                                       "harness/base/json_read.c"};

enum { ATTEMPTS = 3 }; /* builds of sources that change meanwhile */

static char *sibling(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? ls_copy(name) : ls_format("%.*s/%s", (int)(slash - path), path, name);
}

#define CLOCK "clk_i"
#define RESET "rst_ni"
#define INCDIR "+incdir+"

static const char *clock_of(const ls_rtl *rtl) { return rtl->clock != NULL ? rtl->clock : CLOCK; }
static const char *reset_of(const ls_rtl *rtl) { return rtl->reset != NULL ? rtl->reset : RESET; }

/* The key of all that the request names. */
static char *request_key(const ls_tools *tools, const ls_build_request *r) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, LS_RECIPE);
    ls_hash_text(&h, tools->identity);
    ls_hash_number(&h, r->flags);
    ls_hash_file(&h, r->shim);
    char *abi = sibling(r->shim, "dut.h");
    ls_hash_file(&h, abi);
    free(abi);
    ls_hash_texts(&h, r->cxx_flags, r->cxx_flag_count);
    ls_hash_texts(&h, r->verilator_flags, r->verilator_flag_count);
    if ((r->flags & LS_BUILD_COVERAGE) != 0) {
        ls_hash_texts(&h, r->uncovered, r->uncovered_count);
    }
    ls_hash_text(&h, r->rtl.top);
    ls_hash_number(&h, r->rtl.param_count);
    for (size_t i = 0; i < r->rtl.param_count; i++) {
        ls_hash_text(&h, r->rtl.params[i].name);
        ls_hash_text(&h, r->rtl.params[i].value);
    }
    ls_hash_texts(&h, r->rtl.defines, r->rtl.define_count);
    ls_hash_number(&h, r->rtl.strict);
    if (r->rtl.strict) { /* what an older program let pass is checked again */
        ls_text checks = {0};
        ls_provenance_lines(checking, sizeof checking / sizeof *checking, &checks);
        ls_hash_bytes(&h, checks.data, checks.size);
        free(checks.data);
    }
    if (strcmp(clock_of(&r->rtl), CLOCK) != 0 || strcmp(reset_of(&r->rtl), RESET) != 0) {
        ls_hash_text(&h, clock_of(&r->rtl));
        ls_hash_text(&h, reset_of(&r->rtl));
    }
    ls_hash_number(&h, r->rtl.wire_count);
    for (size_t i = 0; i < r->rtl.wire_count; i++) {
        ls_hash_text(&h, r->rtl.wires[i].module);
        ls_hash_text(&h, r->rtl.wires[i].var);
    }
    if (r->alias_count > 0) {
        ls_hash_number(&h, r->alias_count);
    }
    for (size_t i = 0; i < r->alias_count; i++) {
        ls_hash_text(&h, r->aliases[i].var);
        ls_hash_text(&h, r->aliases[i].name);
    }
    for (size_t i = 0; i < r->rtl.extra_count; i++) {
        const char *word = r->rtl.extra[i],
                   *folder = strncmp(word, INCDIR, sizeof INCDIR - 1) == 0 ? word + sizeof INCDIR - 1 : word;
        ls_hash_text(&h, word);
        if (i > 0 && strcmp(r->rtl.extra[i - 1], "-v") == 0) ls_hash_file(&h, word);
        else if (folder[0] == '/') ls_hash_directory(&h, folder);
    }
    ls_hash_texts(&h, r->rtl.dirs, r->rtl.dir_count); /* names count too: they stand in messages and in coverage */
    for (size_t i = 0; i < r->rtl.dir_count; i++) {
        ls_hash_directory(&h, r->rtl.dirs[i]);
    }
    ls_hash_texts(&h, r->rtl.files, r->rtl.file_count);
    for (size_t i = 0; i < r->rtl.file_count; i++) {
        ls_hash_file(&h, r->rtl.files[i]);
    }
    return ls_hash_end(&h);
}

/* Verilator looks in the current folder first: files there that would now be taken for `name`. */
static void hash_shadows(ls_hash *h, const char *name) {
    struct stat found = {0}, here;
    if (stat(name, &found) != 0) return;
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if (stat(slash + 1, &here) != 0 || !S_ISREG(here.st_mode)) continue;
        if (here.st_dev == found.st_dev && here.st_ino == found.st_ino) continue;
        ls_hash_text(h, slash + 1);
        (void)ls_hash_file(h, slash + 1);
    }
}

/* The key of the request and of the files it found by itself, one name a line in `deps`; NULL when one of them is gone. */
static char *full_key(const char *request, const char *deps) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, request);
    bool whole = true;
    for (const char *line = deps; whole && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        char *name = ls_format("%.*s", (int)length, line);
        ls_hash_text(&h, name);
        whole = ls_hash_file(&h, name);
        hash_shadows(&h, name);
        free(name);
        line += length + (line[length] == '\n');
    }
    return whole ? ls_hash_end(&h) : NULL;
}

/* Gives the variables of the top module that the request names the names that they stand for. */
static void rename_registers(const ls_build_request *r, ls_elab *elab) {
    for (size_t i = 0; i < elab->register_count && r->alias_count > 0; i++) {
        ls_elab_signal *s = &elab->registers[i];
        for (size_t k = 0; k < r->alias_count; k++) {
            if (strcmp(s->name, r->aliases[k].var) == 0) {
                free(s->name);
                s->name = ls_copy(r->aliases[k].name);
                s->renamed = true;
                break;
            }
        }
    }
}

static const ls_elab_signal *port_named(const ls_elab *elab, const char *name) {
    for (size_t i = 0; i < elab->port_count; i++) {
        if (strcmp(elab->ports[i].name, name) == 0) {
            return &elab->ports[i];
        }
    }
    return NULL;
}

/* Writes the Verilator configuration that publishes every register, once for a module and name, and leaves out coverage. */
static int write_configuration(const ls_elab *elab, const ls_build_request *r, const char *path) {
    ls_args lines = {0};
    for (size_t i = 0; i < elab->register_count; i++) {
        const ls_elab_signal *s = &elab->registers[i];
        if (s->bits > 0 && port_named(elab, s->name) == NULL) {
            ls_args_add(&lines, "public_flat_rd -module \"%s\" -var \"%s\"\n", s->module, s->var);
        }
    }
    ls_args_sort(&lines);
    ls_text text = {0};
    ls_text_add(&text, "`verilator_config\n");
    for (size_t i = 0; i < lines.count; i++) {
        if (i == 0 || strcmp(lines.list[i], lines.list[i - 1]) != 0) {
            ls_text_add(&text, "%s", lines.list[i]);
        }
    }
    for (size_t i = 0; i < r->uncovered_count && (r->flags & LS_BUILD_COVERAGE) != 0; i++) {
        ls_text_add(&text, "coverage_off -file \"%s\"\n", r->uncovered[i]);
    }
    int error = ls_text_write(&text, path);
    free(text.data);
    ls_args_free(&lines);
    return error;
}

/* `size` characters as a C string literal. */
static char *quoted(const char *text, size_t size) {
    ls_text out = {0};
    ls_text_put(&out, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"' || text[i] == '\\') {
            ls_text_put(&out, "\\", 1);
        }
        ls_text_put(&out, text + i, 1);
    }
    ls_text_put(&out, "\"", 1);
    return ls_text_take(&out);
}

/* The member of Verilator's class that a port is: its name, behind a prefix when that is a word of C++ ("set"). To be freed. */
static char *member_of(const char *header, const char *var) {
    char *prefixed = ls_format("__SYM__%s", var);
    const size_t n = strlen(prefixed);
    for (const char *at = header; (at = strstr(at, prefixed)) != NULL; at += n)
        if (!isalnum((unsigned char)at[n]) && at[n] != '_') return prefixed;
    free(prefixed);
    return ls_copy(var);
}

static void table_port(ls_text *text, const ls_rtl *rtl, const ls_elab_signal *s, const char *header) {
    const bool pin = s->bits == 1 && s->count == 1 && s->kind == LS_ELAB_IN;
    if (pin && strcmp(s->name, clock_of(rtl)) == 0) {
        ls_text_add(text, "LS_CLOCK(%s)\n", s->var);
    } else if (pin && strcmp(s->name, reset_of(rtl)) == 0) {
        ls_text_add(text, "LS_RESET(%s)\n", s->var);
    } else if (s->bits > 0 && s->kind != LS_ELAB_INOUT) {
        char *name = quoted(s->name, strlen(s->name)), *member = member_of(header, s->var);
        ls_text_add(text, "LS_PORT(%s, %s, %s, %u, %u)\n", s->kind == LS_ELAB_IN ? "IN" : "OUT", name, member, s->bits, s->count);
        free(name);
        free(member);
    }
}

/* Writes the list of signals that shim.cpp includes; `header` declares Verilator's class. */
static int write_table(const ls_elab *elab, const ls_rtl *rtl, const char *header, const char *path) {
    const char *top = rtl->top;
    ls_text text = {0}, class = {0};
    (void)ls_text_read(&class, header);
    ls_text_put(&class, "", 1);
    ls_text_add(&text, "LS_TOP(\"%s\")\n", top);
    for (size_t i = 0; i < elab->port_count; i++) {
        table_port(&text, rtl, &elab->ports[i], class.data);
    }
    for (size_t i = 0; i < elab->register_count; i++) {
        const ls_elab_signal *s = &elab->registers[i];
        if (s->bits == 0 || port_named(elab, s->name) != NULL) {
            continue;
        }
        const char *dot = s->renamed ? NULL : strrchr(s->name, '.');
        const char *var = s->renamed ? s->var : dot == NULL ? s->name : dot + 1;
        char *inner = ls_format("%s%s%.*s", top, dot == NULL ? "" : ".", dot == NULL ? 0 : (int)(dot - s->name), s->name);
        char *scope = quoted(inner, strlen(inner)), *quoted_var = quoted(var, strlen(var)),
             *name = quoted(s->name, strlen(s->name));
        ls_text_add(&text, "LS_REG(%s, %s, %s, %u, %u)\n", scope, quoted_var, name, s->bits, s->count);
        free(inner);
        free(scope);
        free(quoted_var);
        free(name);
    }
    free(ls_text_take(&class));
    int error = ls_text_write(&text, path);
    free(text.data);
    return error;
}

static bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* Verilator 5.006 comments out the entries of its variable map that have more than two dimensions ("//UNSUP scope.varInsert(...,
 * flags, dims, ranges...);"). The shim needs the address alone, so that the entry may stand as one without dimensions. */
static int publish_in(const char *path) {
    static const char mark[] = "//UNSUP ";
    ls_text in = {0}, out = {0};
    int error = ls_text_read(&in, path);
    ls_text_put(&in, "", 0);
    for (const char *line = in.data; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        const char *start = line + strspn(line, " \t");
        const char *flags = strncmp(start, mark, sizeof mark - 1) == 0 ? strstr(start, ",VLVD_") : NULL;
        const char *comma = flags != NULL && flags < line + length ? strchr(flags + 1, ',') : NULL;
        if (comma != NULL && comma < line + length) {
            ls_text_add(&out, "%.*s,0);\n", (int)(comma - start - (long)sizeof mark + 1), start + sizeof mark - 1);
        } else {
            ls_text_put(&out, line, length);
        }
        line += length;
    }
    error = error == 0 ? ls_text_write(&out, path) : error;
    free(in.data);
    free(out.data);
    return error;
}

static int publish_unsupported(const char *objects) {
    DIR *directory = opendir(objects);
    int error = directory == NULL ? -errno : 0;
    for (struct dirent *entry; error == 0 && (entry = readdir(directory)) != NULL;) {
        if (strncmp(entry->d_name, "Vdut__Syms", 10) == 0 && ends_with(entry->d_name, ".cpp")) { /* one, or several parts */
            char *path = ls_format("%s/%s", objects, entry->d_name);
            error = publish_in(path);
            free(path);
        }
    }
    if (directory != NULL) closedir(directory);
    return error;
}

/* Generated sources of more bytes than this are divided among the units that are compiled side by side. */
enum { LARGE = 200000, SHIM = 150000 /* what the shim's compilation takes, in such bytes */ };

static bool is_slow(const char *name) { return ends_with(name, "__Slow.cpp"); }

/* Around what is not optimized: what runs once, at the start, and with the counters of coverage, with which -O1 takes 20 times as
 * long, everything. With -O0 gcc would not take the precompiled header of -O1 and read all headers again, which takes a second.
 * What runs once bears Verilator's mark VL_ATTR_COLD, and only that may be meant: gcc compiles a function without optimization
 * when any declaration of it stands below such a pragma, and the start calls, and declares, what runs in every cycle as well. */
static const char unoptimized[] = "#pragma GCC push_options\n#pragma GCC optimize 0\n#pragma clang optimize off\n",
                  optimized[] = "#pragma GCC pop_options\n#pragma clang optimize on\n",
                  cold_unoptimized[] = "#undef VL_ATTR_COLD\n#ifdef __clang__\n"
                                       "#define VL_ATTR_COLD __attribute__((cold, noinline, optnone))\n#else\n"
                                       "#define VL_ATTR_COLD __attribute__((cold, optimize(0)))\n#endif\n",
                  cold_as_before[] = "#undef VL_ATTR_COLD\n#define VL_ATTR_COLD __attribute__((cold))\n";

/* A generated source. */
typedef struct piece {
    char *path;
    off_t work; /* bytes; what is not optimized takes half as long */
    bool slow;
    size_t unit; /* the translation unit that includes it */
} piece;

static int by_work(const void *a, const void *b) {
    const piece *x = a, *y = b;
    return x->work != y->work ? (x->work < y->work) - (x->work > y->work) : strcmp(x->path, y->path);
}

static int by_path(const void *a, const void *b) { return strcmp(((const piece *)a)->path, ((const piece *)b)->path); }

static void find_pieces(const char *objects, piece **list, size_t *count) {
    ls_args names = {0};
    ls_folder_names(objects, &names);
    *list = ls_alloc(names.count + 1, sizeof **list);
    *count = 0;
    for (size_t i = 0; i < names.count; i++) {
        if (!ends_with(names.list[i], ".cpp")) continue;
        piece *p = &(*list)[(*count)++];
        struct stat status = {0};
        p->path = ls_format("%s/%s", objects, names.list[i]);
        p->slow = is_slow(p->path);
        (void)stat(p->path, &status);
        p->work = p->slow ? status.st_size / 2 : status.st_size;
    }
    ls_args_free(&names);
}

/* Spreads the large pieces, the largest first, over as many units as can be compiled at a time: each unit more costs half a
 * second of a processor for the header alone. The small ones are of unit 0. Returns the number of units. */
static size_t spread(piece *list, size_t count) {
    size_t large = 0;
    off_t load[64] = {SHIM};
    qsort(list, count, sizeof *list, by_work);
    while (large < count && list[large].work > LARGE) large++;
    for (size_t i = large; i < count; i++) load[0] += list[i].work;
    const size_t most = ls_compilers() < sizeof load / sizeof *load ? ls_compilers() : sizeof load / sizeof *load;
    const size_t units = large < most ? large + (large == 0 || load[0] > LARGE + SHIM) : most;
    for (size_t i = 0; i < large; i++) {
        size_t least = 0;
        for (size_t k = 1; k < units; k++) least = load[k] < load[least] ? k : least;
        list[i].unit = least;
        load[least] += list[i].work;
    }
    qsort(list, count, sizeof *list, by_path);
    return units;
}

/* The text of one unit: its pieces, those that run once, at the start, last. */
static void write_unit(const piece *list, size_t count, size_t unit, bool coverage, ls_text *text) {
    for (int slow = 0; slow < 2; slow++) {
        ls_text_add(text, "%s", coverage ? unoptimized : slow != 0 ? cold_unoptimized : "");
        for (size_t i = 0; i < count; i++)
            if (list[i].unit == unit && list[i].slow == (slow != 0)) ls_text_add(text, "#include \"%s\"\n", list[i].path);
        ls_text_add(text, "%s", coverage ? optimized : slow != 0 ? cold_as_before : "");
    }
}

/* Divides the generated sources and the shim into translation units, whose files are listed in `units`. Returns 0 or a negative
 * errno. */
static int divide(const char *objects, const char *shim, bool coverage, ls_args *units) {
    piece *list;
    size_t count;
    char *real = realpath(shim, NULL);
    int error = real == NULL ? -errno : 0;
    find_pieces(objects, &list, &count);
    const size_t parts = spread(list, count);
    for (size_t k = 0; k < parts && error == 0; k++) {
        ls_text text = {0};
        write_unit(list, count, k, coverage, &text);
        if (k == 0) ls_text_add(&text, "#include \"%s\"\n", real);
        ls_args_add(units, "%s/unit%zu.cc", objects, k);
        error = ls_text_write(&text, units->list[k]);
        free(text.data);
    }
    for (size_t i = 0; i < count; i++) free(list[i].path);
    free(list);
    free(real);
    return error;
}

/* Adds options of Verilator. 5.044 alone ends in an internal error where --expand-limit leaves a part of a wide value whole. */
static void add_options(ls_args *args, const ls_tools *tools, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (tools->number == 5044 && strcmp(list[i], "--expand-limit") == 0) i++; /* and its value */
        else ls_args_add(args, "%s", list[i]);
    }
}

static char *verilate(const ls_tools *tools, const ls_build_request *r, const char *publication, const char *objects,
                      bool *refused) {
    /* -fno-const-bit-op-tree: with it Verilator 5.006 makes wrong code of XOR trees written gate by gate, as netlists are. */
    static const char *const always[] = {"--cc",
                                         "-O3",
                                         "-fno-const-bit-op-tree",
                                         "--flatten",
                                         "--expand-limit",
                                         "16",
                                         "--x-initial",
                                         "unique",
                                         "--x-assign",
                                         "fast",
                                         "-Wno-fatal",
                                         "--no-timing",
                                         "--prefix",
                                         "Vdut"};
    static const char *const waves[] = {"--trace-fst", "--trace-structs",   "--trace-max-array",
                                        "1048576",     "--trace-max-width", "1048576"};
    ls_args args = {0};
    ls_args_add(&args, "%s", tools->program);
    add_options(&args, tools, always, sizeof always / sizeof *always);
    for (size_t i = 0; (r->flags & LS_BUILD_WAVES) != 0 && i < sizeof waves / sizeof *waves; i++) {
        ls_args_add(&args, "%s", waves[i]);
    }
    if ((r->flags & LS_BUILD_COVERAGE) != 0) {
        ls_args_add(&args, "--coverage");
    }
    /* Versions differ in which of both they do unasked. */
    ls_args_add(&args, (r->flags & LS_BUILD_ASSERT) != 0 ? "--assert" : "--no-assert");
    add_options(&args, tools, r->verilator_flags, r->verilator_flag_count);
    ls_args_add(&args, "--Mdir");
    ls_args_add(&args, "%s", objects);
    ls_args_add(&args, "%s", publication);
    ls_rtl_args(&r->rtl, &args);
    char *failed = ls_command(&args, r->timeout_ms, refused);
    ls_args_free(&args);
    return failed;
}

/* The arguments that compile one source of the DUT to the object file `source`.o. */
static void compile_args(ls_args *args, const ls_tools *tools, const ls_build_request *r, const char *runtime,
                         const char *objects, const char *source) {
    const bool waves = (r->flags & LS_BUILD_WAVES) != 0;
    ls_compiler(args, tools);
    for (size_t i = 0; i < r->cxx_flag_count; i++) {
        ls_args_add(args, "%s", r->cxx_flags[i]);
    }
    ls_args_add(args, "-include");
    ls_args_add(args, "%s/runtime.h", runtime);
    /* Names of our own: with a macro that Verilator's headers test, such as VM_TRACE, gcc refuses the precompiled header. */
    ls_args_add(args, "-DLS_DUT_COVERAGE=%d", (r->flags & LS_BUILD_COVERAGE) != 0);
    ls_args_add(args, "-DLS_DUT_WAVES=%d", waves);
    ls_args_add(args, "-DLS_DUT_VERILATOR=\"%s\"", tools->version);
    ls_args_add(args, "-I%s", objects);
    ls_args_add(args, "-c");
    ls_args_add(args, "%s", source);
    ls_args_add(args, "-o");
    ls_args_add(args, "%s.o", source);
}

static char *link_dut(const ls_tools *tools, const ls_build_request *r, const char *runtime, const char *objects,
                      const ls_args *units, const char *so) {
    ls_args args = {0};
    ls_compiler(&args, tools);
    for (size_t i = 0; i < r->cxx_flag_count; i++) {
        ls_args_add(&args, "%s", r->cxx_flags[i]);
    }
    ls_args_add(&args, "-shared");
    if (tools->gold) ls_args_add(&args, "-fuse-ld=gold");
    ls_args_add(&args, "-Wl,-z,defs");                          /* nothing is left to be missing at dlopen */
    ls_args_add(&args, "-Xlinker");                             /* -Wl would end the name at a comma */
    ls_args_add(&args, "--version-script=%s/exports", objects); /* nothing of one DUT can bind to another's */
    ls_args_add(&args, "-o");
    ls_args_add(&args, "%s", so);
    /* in this order: of an inline function in several, the first one's code is taken */
    for (size_t i = 0; i < units->count; i++) ls_args_add(&args, "%s.o", units->list[i]);
    ls_args_add(&args, "%s/libverilated.a", runtime);
    if ((r->flags & LS_BUILD_WAVES) != 0) {
        ls_args_add(&args, "-lz");
        if (tools->lz4) ls_args_add(&args, "-llz4");
    }
    bool refused = false;
    char *failed = ls_command(&args, r->timeout_ms, &refused);
    ls_args_free(&args);
    return failed;
}

static char *compile_dut(const ls_tools *tools, const ls_build_request *r, const char *runtime, const char *objects,
                         const char *so) {
    ls_args units = {0};
    const int error = divide(objects, r->shim, (r->flags & LS_BUILD_COVERAGE) != 0, &units);
    char *failed = error == 0 ? NULL : ls_format("%s: %s\n", objects, strerror(-error));
    if (failed == NULL) {
        ls_compile *jobs = ls_alloc(units.count, sizeof *jobs);
        for (size_t i = 0; i < units.count; i++) {
            jobs[i].timeout_ms = r->timeout_ms;
            compile_args(&jobs[i].args, tools, r, runtime, objects, units.list[i]);
        }
        failed = ls_compile_all(jobs, units.count);
        free(jobs);
    }
    if (failed == NULL) failed = link_dut(tools, r, runtime, objects, &units, so);
    ls_args_free(&units);
    return failed;
}

/* Makes `so` with `directory` as a work place. Returns NULL or the error; `*refused`: by Verilator, of the RTL. */
static char *make_dut(const ls_tools *tools, const ls_build_request *r, const ls_elab *elab, const char *runtime,
                      const char *directory, const char *so, bool *refused) {
    char *objects = ls_format("%s/obj", directory);
    char *publication = ls_format("%s/public.vlt", directory);
    char *table = ls_format("%s/ls_dut_table.inc", objects);
    char *header = ls_format("%s/Vdut.h", objects);
    char *exports = ls_format("%s/exports", objects);
    ls_text symbols = {0};
    ls_text_add(&symbols, "{ global: ls_dut_table; local: *; };\n");
    int error = write_configuration(elab, r, publication);
    char *failed = error == 0 ? verilate(tools, r, publication, objects, refused) : NULL;
    if (error == 0 && failed == NULL) {
        error = publish_unsupported(objects);
        error = error == 0 ? write_table(elab, &r->rtl, header, table) : error;
        error = error == 0 ? ls_text_write(&symbols, exports) : error;
        failed = error == 0 ? compile_dut(tools, r, runtime, objects, so) : NULL;
    }
    if (error != 0) {
        failed = ls_format("%s: %s\n", directory, strerror(-error));
    }
    free(symbols.data);
    free(objects);
    free(publication);
    free(table);
    free(header);
    free(exports);
    return failed;
}

/* One call of ls_build_dut: the paths that follow from the request's key. */
typedef struct job {
    const ls_tools *tools;
    const ls_build_request *request;
    ls_build_result *result;
    char *key;  /* of the request */
    char *base; /* <cache>/<top>-<key of the request> */
} job;

static void succeed(job *j, const char *entry, char *key, bool cached) {
    j->result->status = LS_BUILD_OK;
    j->result->so_path = ls_format("%s/dut.so", entry);
    j->result->key = key;
    j->result->cached = cached;
}

static void fail(job *j, ls_build_status status, char *text) {
    free(j->result->text);
    j->result->text = text;
    j->result->status = status;
    ls_elab_free(&j->result->elab);
}

static char *entry_of(const job *j, const char *key) {
    return ls_format("%s/%s-%s", j->request->cache, j->request->rtl.top, key);
}

/* Looks the DUT up by the files that its last build read. Returns whether it is there, with the result filled. */
static bool look_up(job *j) {
    char *deps_path = ls_format("%s.deps", j->base);
    ls_text deps = {0};
    bool found = false;
    if (ls_text_read(&deps, deps_path) == 0) {
        char *key = full_key(j->key, deps.data == NULL ? "" : deps.data);
        char *entry = key == NULL ? NULL : entry_of(j, key);
        char *so = entry == NULL ? NULL : ls_format("%s/dut.so", entry);
        char *elab = entry == NULL ? NULL : ls_format("%s/elab", entry);
        if (so != NULL && ls_readable(so) && ls_sealed(entry)) {
            char *text = NULL;
            const ls_rtl *rtl = &j->request->rtl;
            found = ls_elab_read(elab, rtl->wires, rtl->wire_count, &j->result->elab, &text) == LS_ELAB_OK;
            free(text);
            rename_registers(j->request, &j->result->elab);
        }
        if (found) {
            char *warnings = ls_format("%s/warnings", entry);
            ls_text kept = {0};
            (void)ls_text_read(&kept, warnings);
            ls_text_put(&kept, "", 0);
            free(warnings);
            free(j->result->text);
            j->result->text = ls_text_take(&kept);
            succeed(j, entry, key, true);
        } else {
            free(key);
        }
        free(entry);
        free(so);
        free(elab);
    }
    free(deps_path);
    free(deps.data);
    return found;
}

/* Names, one a line, of the files that Verilator read and the request does not list. */
static ls_text found_files(const job *j) {
    const ls_rtl *rtl = &j->request->rtl;
    ls_text text = {0};
    ls_text_put(&text, "", 0);
    for (size_t i = 0; i < j->result->elab.file_count; i++) {
        const char *name = j->result->elab.files[i];
        bool listed = false;
        for (size_t f = 0; f < rtl->file_count && !listed; f++) {
            listed = strcmp(rtl->files[f], name) == 0;
        }
        if (!listed) {
            ls_text_add(&text, "%s\n", name);
        }
    }
    return text;
}

/* Moves the finished DUT to its place. Returns NULL or the error. */
static char *publish(const char *made, const char *entry) {
    ls_remove_tree(entry); /* only a damaged one can be there */
    return rename(made, entry) == 0 ? NULL : ls_format("%s: %s\n", entry, strerror(errno));
}

/* Elaborates and builds in `directory`, under the request's lock. Returns false when the sources changed meanwhile. */
static bool build_in(job *j, const char *directory) {
    ls_build_result *result = j->result;
    char *made = ls_format("%s/entry", directory);
    char *elab = ls_format("%s/elab", made);
    char *so = ls_format("%s/dut.so", made);
    char *warnings = ls_format("%s/warnings", made);
    char *deps_path = ls_format("%s.deps", j->base);
    char *runtime = NULL, *key = NULL, *failed = NULL;
    bool stable = true, refused = false;
    ls_text deps = {0};
    int error = ls_make_directories(made);
    if (error != 0) {
        fail(j, LS_BUILD_TOOL, ls_format("%s: %s\n", made, strerror(-error)));
        goto out;
    }
    ls_rtl rtl = j->request->rtl;
    rtl.timeout_ms = j->request->timeout_ms;
    free(result->text);
    ls_elab_status status = ls_elab_run(&rtl, j->tools->verilator, elab, &result->elab, &result->text);
    if (status != LS_ELAB_OK) {
        result->status = status == LS_ELAB_RTL ? LS_BUILD_RTL : LS_BUILD_TOOL;
        goto out;
    }
    const ls_text said = {.data = result->text, .size = strlen(result->text)};
    error = said.size > 0 ? ls_text_write(&said, warnings) : 0;
    if (error != 0) {
        fail(j, LS_BUILD_TOOL, ls_format("%s: %s\n", warnings, strerror(-error)));
        goto out;
    }
    rename_registers(j->request, &result->elab);
    deps = found_files(j);
    key = full_key(j->key, deps.data);
    const double start = ls_seconds();
    failed = ls_runtime_find(j->tools, j->request->cache, j->request->timeout_ms, &runtime);
    result->runtime_seconds += ls_seconds() - start;
    if (failed == NULL) {
        failed = make_dut(j->tools, j->request, &result->elab, runtime, directory, so, &refused);
    }
    if (failed != NULL) {
        fail(j, refused ? LS_BUILD_RTL : LS_BUILD_TOOL, failed);
        goto out;
    }
    char *key_after = request_key(j->tools, j->request), *full_after = full_key(j->key, deps.data);
    stable = key != NULL && full_after != NULL && strcmp(key_after, j->key) == 0 && strcmp(full_after, key) == 0;
    free(key_after);
    free(full_after);
    if (!stable) {
        fail(j, LS_BUILD_TOOL, ls_copy("the sources change while they are read\n"));
        goto out;
    }
    char *entry = entry_of(j, key);
    error = ls_seal(made);
    failed = error == 0 ? publish(made, entry) : ls_format("%s: %s\n", made, strerror(-error));
    if (failed == NULL) {
        error = ls_text_write(&deps, deps_path);
        failed = error == 0 ? NULL : ls_format("%s: %s\n", deps_path, strerror(-error));
    }
    if (failed == NULL) {
        succeed(j, entry, key, false);
        key = NULL;
    } else {
        fail(j, LS_BUILD_TOOL, failed);
    }
    free(entry);
out:
    free(deps.data);
    free(key);
    free(runtime);
    free(deps_path);
    free(warnings);
    free(so);
    free(elab);
    free(made);
    return stable;
}

/* A tool that finds no room says so in words of its own, or leaves a file that is cut off: it is told while that still lies
 * there. */
static void tell_room(job *j, const char *directory) {
    const int error = j->result->status != LS_BUILD_OK ? ls_room(directory) : 0;
    if (error != -ENOSPC && error != -EDQUOT) return;
    char *text = ls_format("%s%s: %s\n", j->result->text, directory, strerror(-error));
    fail(j, LS_BUILD_TOOL, text);
}

/* Builds under the request's lock, unless another process just did. Returns false when the sources changed meanwhile. */
static bool build_locked(job *j) {
    char *lock_path = ls_format("%s.lock", j->base);
    char *directory = ls_format("%s.tmp", j->base);
    bool stable = true;
    int fd = ls_lock(lock_path);
    if (fd < 0) {
        fail(j, LS_BUILD_TOOL, ls_format("%s: %s\n", lock_path, strerror(-fd)));
    } else {
        if (!look_up(j)) {
            ls_remove_tree(directory); /* of a killed build */
            stable = build_in(j, directory);
            tell_room(j, directory);
            ls_remove_tree(directory);
        }
        ls_unlock(fd, lock_path);
    }
    free(lock_path);
    free(directory);
    return stable;
}

/* Notes the digest of each file that the DUT was made of. False, and the result is no DUT: they changed since it was found or
 * made. */
static bool digest(job *j) {
    ls_build_result *r = j->result;
    char *deps_path = ls_format("%s.deps", j->base);
    ls_text deps = {0};
    r->digests = ls_alloc(r->elab.file_count, sizeof *r->digests);
    for (size_t i = 0; i < r->elab.file_count; i++) (void)ls_sha256_file(r->elab.files[i], r->digests[i]);
    (void)ls_text_read(&deps, deps_path);
    char *request = request_key(j->tools, j->request), *key = full_key(request, deps.data == NULL ? "" : deps.data);
    const bool same = key != NULL && strcmp(key, r->key) == 0;
    if (!same) {
        ls_build_free(r);
        *r = (ls_build_result){.status = LS_BUILD_TOOL, .text = ls_copy("the sources change while they are read\n")};
    }
    free(request);
    free(key);
    free(deps.data);
    free(deps_path);
    return same;
}

/* A path with one of the characters, or NULL. */

static const char *path_with(const ls_build_request *r, char character) {
    for (size_t i = 0; i < r->rtl.file_count; i++) {
        if (strchr(r->rtl.files[i], character) != NULL) return r->rtl.files[i];
    }
    for (size_t i = 0; i < r->rtl.dir_count; i++) {
        if (strchr(r->rtl.dirs[i], character) != NULL) return r->rtl.dirs[i];
    }
    const bool cut = character == ' ' || character == '\t'; /* in what is read alone */
    return !cut && strchr(r->cache, character) != NULL ? r->cache : NULL;
}

/* What is no file that can be read, Verilator would look for in all folders of modules, and list them. Verilator cuts the names
 * of sources at a blank, and then nobody knows what was read; it puts the environment in for $NAME. Quotes and ends of lines
 * cannot be written for the preprocessor. NULL or the error. */
static char *refuse_paths(const ls_build_request *r) {
    for (size_t i = 0; i < r->rtl.file_count; i++) {
        const char *file = r->rtl.files[i];
        struct stat status = {0};
        const int error = access(file, R_OK) != 0 || stat(file, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
        if (error != 0) return ls_format("%s: %s\n", file, strerror(error));
    }
    static const struct {
        char character;
        const char *name;
    } refused[] = {{' ', "blank"}, {'\t', "tab"}, {'$', "$"}, {'"', "quote"}, {'\n', "line's end"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *path = path_with(r, refused[i].character);
        if (path != NULL) return ls_format("%s: Verilator can take no path with a %s in it\n", path, refused[i].name);
    }
    return NULL;
}

ls_build_status ls_build_dut(const ls_tools *tools, const ls_build_request *request, ls_build_result *result) {
    const double start = ls_seconds();
    *result = (ls_build_result){.status = LS_BUILD_TOOL, .text = ls_copy("")};
    int error = ls_make_directories(request->cache);
    char *cache = error == 0 ? realpath(request->cache, NULL) : NULL, *refused = NULL;
    ls_build_request absolute = *request;
    absolute.cache = cache;
    if (cache != NULL) {
        refused = refuse_paths(&absolute);
    }
    if (refused != NULL) {
        free(result->text);
        result->text = refused;
    } else if (cache == NULL) {
        free(result->text);
        result->text = ls_format("%s: %s\n", request->cache, strerror(error == 0 ? errno : -error));
    } else {
        bool stable = false;
        for (int attempt = 0; attempt < ATTEMPTS && !stable; attempt++) {
            job j = {.tools = tools, .request = &absolute, .result = result, .key = request_key(tools, &absolute)};
            j.base = ls_format("%s/%s-%s", cache, absolute.rtl.top, j.key);
            stable = look_up(&j) || build_locked(&j);
            if (stable && result->status == LS_BUILD_OK) stable = digest(&j);
            free(j.key);
            free(j.base);
        }
    }
    free(cache);
    result->seconds = ls_seconds() - start;
    return result->status;
}

void ls_build_free(ls_build_result *result) {
    free(result->so_path);
    free(result->key);
    free(result->digests);
    free(result->text);
    ls_elab_free(&result->elab);
    *result = (ls_build_result){0};
}
