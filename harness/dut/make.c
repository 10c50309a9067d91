/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/dut/make.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/memory.h"
#include "harness/dut/make_parts.h"
#include "harness/dut/toolchain.h"

/* Adds options of Verilator. 5.044 alone ends in an internal error where --expand-limit leaves a part of a wide value whole. */
static void add_options(ls_args *args, const ls_tools *tools, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (tools->number == 5044 && strcmp(list[i], "--expand-limit") == 0) i++; /* and its value */
        else ls_args_add(args, "%s", list[i]);
    }
}

static char *verilate(const ls_tools *tools, const ls_build_request *r, const char *publication, const char *objects, int stop,
                      bool *refused) {
    /* -fno-const-bit-op-tree: with it Verilator 5.006 makes wrong code of XOR trees written gate by gate, as netlists are. A
     * compiler's time grows faster than a function's length: those of more than 5000 statements are cut. */
    static const char *const always[] = {"--cc",
                                         "-O3",
                                         "-fno-const-bit-op-tree",
                                         "--flatten",
                                         "--expand-limit",
                                         "16",
                                         "--output-split",
                                         "5000",
                                         "--output-split-cfuncs",
                                         "5000",
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
    char *failed = ls_command_until(&args, r->timeout_ms, stop, refused);
    ls_args_free(&args);
    return failed;
}

/* The arguments that compile a unit of the DUT to the object file `source`.o. */
static void compile_args(ls_args *args, const ls_tools *tools, const ls_build_request *r, const char *runtime,
                         const char *objects, const ls_units *units, size_t unit) {
    const bool waves = (r->flags & LS_BUILD_WAVES) != 0;
    const char *source = units->files.list[unit];
    ls_compiler(args, tools);
    if (units->system) ls_compile_sooner(args, tools);
    for (size_t i = 0; i < r->cxx_flag_count; i++) {
        ls_args_add(args, "%s", r->cxx_flags[i]);
    }
    ls_args_add(args, "-include");
    ls_args_add(args, "%s/runtime.h", runtime);
    /* Names of our own: with a macro that Verilator's headers test, such as VM_TRACE, gcc refuses the precompiled header. */
    ls_args_add(args, "-DLS_DUT_COVERAGE=%d", (r->flags & LS_BUILD_COVERAGE) != 0);
    ls_args_add(args, "-DLS_DUT_WAVES=%d", waves);
    ls_args_add(args, "-DLS_DUT_VERILATOR=\"%s\"", tools->version);
    ls_args_add(args, "-isystem"); /* ls_make_units */
    ls_args_add(args, "%s", objects);
    if (units->once && unit + 1 == units->files.count) ls_args_add(args, "-O0");
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
    if (tools->clang) ls_args_add(&args, "-latomic"); /* whether std::atomic needs locks, which gcc knows */
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
    ls_units units = {.once = tools->clang && (r->flags & LS_BUILD_COVERAGE) == 0};
    const size_t most = (tools->clang ? 2 : 1) * ls_compilers(); /* evens out what no count of bytes foresees */
    const int error = ls_make_units(objects, r->shim, (r->flags & LS_BUILD_COVERAGE) != 0, most, &units);
    char *failed = error == 0 ? NULL : ls_format("%s: %s\n", objects, strerror(-error));
    if (failed == NULL) {
        ls_compile *jobs = ls_alloc(units.files.count, sizeof *jobs);
        for (size_t i = 0; i < units.files.count; i++) {
            jobs[i].timeout_ms = r->timeout_ms;
            compile_args(&jobs[i].args, tools, r, runtime, objects, &units, i);
        }
        failed = ls_compile_all(jobs, units.files.count);
        free(jobs);
    }
    if (failed == NULL) failed = link_dut(tools, r, runtime, objects, &units.files, so);
    ls_args_free(&units.files);
    return failed;
}

struct ls_make {
    const ls_tools *tools;
    const ls_build_request *request;
    char *directory, *objects, *publication;
    char *note;      /* file of the cache: what the last build of the design published */
    char *published; /* that, when Verilator was started with it; else NULL */
    pthread_t thread;
    int stop[2];  /* a pipe: when it is closed Verilator ends; 0: none */
    char *failed; /* how Verilator ended */
    bool refused;
};

static void *run_verilator(void *state) {
    ls_make *m = state;
    m->failed = verilate(m->tools, m->request, m->publication, m->objects, m->stop[0], &m->refused);
    return NULL;
}

ls_make *ls_make_begin(const ls_tools *tools, const ls_build_request *r, const char *directory) {
    ls_make *m = ls_alloc(1, sizeof *m);
    ls_text noted = {0};
    ls_hash h = ls_hash_begin();
    ls_hash_texts(&h, r->rtl.files, r->rtl.file_count); /* their names: what is in them may have changed */
    ls_hash_number(&h, r->flags & LS_BUILD_COVERAGE);
    for (size_t i = 0; i < r->rtl.param_count; i++) ls_hash_text(&h, r->rtl.params[i].value);
    char *key = ls_hash_end(&h);
    m->tools = tools;
    m->request = r;
    m->directory = ls_copy(directory);
    m->objects = ls_format("%s/obj", directory);
    m->publication = ls_format("%s/public.vlt", directory);
    m->note = ls_format("%s/%s-%s.public", r->cache, r->rtl.top, key);
    if (ls_text_read(&noted, m->note) == 0 && ls_text_write(&noted, m->publication) == 0 && pipe2(m->stop, O_CLOEXEC) == 0 &&
        pthread_create(&m->thread, NULL, run_verilator, m) == 0) {
        ls_text_put(&noted, "", 0);
        m->published = ls_text_take(&noted);
    }
    free(noted.data);
    free(key);
    return m;
}

static void wait_for_verilator(ls_make *m) {
    if (m->published != NULL) (void)pthread_join(m->thread, NULL);
    free(m->published);
    m->published = NULL;
}

/* Has the design verilated with that configuration, unless it was done ahead. */
static int verilate_once(ls_make *m, const ls_text *configuration) {
    const bool done = m->published != NULL && strcmp(m->published, configuration->data) == 0;
    wait_for_verilator(m);
    if (done) return 0;
    free(m->failed);
    ls_remove_tree(m->objects);
    const int error = ls_text_write(configuration, m->publication);
    m->failed = NULL;
    if (error == 0) (void)run_verilator(m);
    return error;
}

char *ls_make_dut(ls_make *m, const ls_elab *elab, const char *runtime, const char *so, bool *refused) {
    const ls_build_request *r = m->request;
    char *table = ls_format("%s/ls_dut_table.inc", m->objects);
    char *header = ls_format("%s/Vdut.h", m->objects);
    char *exports = ls_format("%s/exports", m->objects);
    ls_text symbols = {0}, configuration = ls_make_configuration(elab, r);
    ls_text_add(&symbols, "{ global: ls_dut_table; local: *; };\n");
    int error = verilate_once(m, &configuration);
    char *failed = m->failed;
    m->failed = NULL;
    *refused = m->refused;
    if (error == 0 && failed == NULL) {
        error = ls_make_publish(m->objects);
        const ls_elab_signal *clock = ls_make_clock(elab, &r->rtl);
        if (error == 0 && clock != NULL) error = ls_make_held(m->objects, clock->var);
        error = error == 0 ? ls_make_table(elab, &r->rtl, header, table) : error;
        error = error == 0 ? ls_text_write(&symbols, exports) : error;
        failed = error == 0 ? compile_dut(m->tools, r, runtime, m->objects, so) : NULL;
        error = error == 0 && failed == NULL ? ls_text_write(&configuration, m->note) : error;
    }
    if (error != 0) {
        failed = ls_format("%s: %s\n", m->directory, strerror(-error));
    }
    free(symbols.data);
    free(configuration.data);
    free(table);
    free(header);
    free(exports);
    return failed;
}

void ls_make_end(ls_make *m) {
    if (m->stop[1] > 0) (void)close(m->stop[1]);
    wait_for_verilator(m);
    if (m->stop[0] > 0) (void)close(m->stop[0]);
    free(m->failed);
    free(m->directory);
    free(m->objects);
    free(m->publication);
    free(m->note);
    free(m);
}
