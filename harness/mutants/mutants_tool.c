/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of the parts of the tool that give verdicts: one is killed when a test of the part fails, when a good unit does not
 * pass or is not proved, or when a planted fault is missed. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/dut/toolchain.h"
#include "harness/mutants/mutants.h"
#include "harness/mutants/mutants_source.h"

#define TOOL_MS 300000u
#define MEGABYTES 6000u /* for one that takes without end, so that nobody else on the machine is short of it */
#define FILES 14u       /* of a part, at most */

/* What the whole tool must do with exit status 0: its arguments. */
typedef struct run {
    ls_kill kill; /* of a mutant that does not */
    const char *words;
} run;

typedef struct part {
    const char *side;             /* what the command calls it */
    unsigned seconds;             /* of a test or a run, so many that a busy machine makes no mutant hang */
    const char *folder;           /* under harness/ */
    const char *files[FILES + 1]; /* without .c */
    const char *tests[8];         /* in tb/harness, without .c; cheaper than runs, which the tool is linked for */
    run runs[24];
} part;

static const part parts[LS_MUTANTS_PARTS] = {
    {"comparer",
     600,
     "core",
     {"field", "plan", "plan_code", "pair"},
     {"test_plan", "test_plan_records", "test_run"},
     /* Units without and with memories, small and large, and faults in them. */
     {{LS_KILL_LOST, "run rf_rr --quiet --cycles 20000"},
      {LS_KILL_LOST, "run rf_bank --quiet --cycles 20000"},
      {LS_KILL_LOST, "run rf_ocu --quiet --cycles 20000"},
      {LS_KILL_LOST, "run rf_crossbar --quiet --param WIDTH=67 --cycles 20000"},
      {LS_KILL_MISSED, "faults rf_rr"},
      {LS_KILL_MISSED, "faults rf_bank"},
      {LS_KILL_MISSED, "faults rf_ocu --sample 4"}}},
    {"prover",
     120,
     "proof",
     {"cells", "claims", "execute", "lanes", "model_graph", "objects", "proof", "rtl_graph", "simulate", "slices", "solve",
      "sums", "value", "words"},
     {"test_proof", "test_proof_execute", "test_proof_models", "test_proof_words"},
     /* Units that use much of the execution between them, and faults of each kind; those with a clock edge of their own, which
      * Yosys refuses, are in no sample. */
     {{LS_KILL_LOST, "prove rf_rr"},
      {LS_KILL_LOST, "prove rf_fifo_ctrl"},
      {LS_KILL_LOST, "prove rf_reindex"},
      {LS_KILL_LOST, "prove rf_verify --param LANES=2 --param PREGS=16 --param INFOW=8"},
      {LS_KILL_LOST, "prove rf_pending_queue --param DEPTH=3 --param WARPS=4 --param REGS=8 --param SLOTS=2 --param PREGS=16"},
      {LS_KILL_MISSED, "faults rf_rr --prove --sample 5 --turn 2"},
      {LS_KILL_MISSED, "faults rf_fifo_ctrl --prove --sample 5 --turn 3"},
      {LS_KILL_LOST, "prove rf_sthld"},
      {LS_KILL_LOST, "prove rf_mshr"},
      {LS_KILL_LOST, "prove rf_sched_two_level --param WARPS=8 --param ACTIVE=4"},
      {LS_KILL_LOST, "prove rf_rfc --param ENTRIES=3 --param REGS=8 --param LANES=2 --param SLOTS=2"},
      {LS_KILL_MISSED, "faults rf_mshr --prove --sample 3 --turn 2"},
      {LS_KILL_MISSED, "faults rf_sthld --prove --sample 2"},
      {LS_KILL_MISSED, "faults rf_bank --prove --sample 2"},
      {LS_KILL_MISSED, "faults rf_vsb --prove --sample 2"}}},
};

typedef struct tool_ctx {
    const part *part;
    unsigned timeout_ms; /* of a test or a run */
    char *source[FILES];
    ls_change *changes[FILES];
    size_t count[FILES];
    ls_change *drawn; /* borrowed texts */
    size_t *file;     /* of each drawn one */
    size_t drawn_count;
    char *folder;
} tool_ctx;

const char *ls_mutants_part(size_t number) { return number < LS_MUTANTS_PARTS ? parts[number].side : NULL; }

static void add_objects(ls_args *args, const char *pattern, const char *without) {
    char *full = ls_format("%s/build/obj/%s", ls_root(), pattern);
    glob_t found = {0};
    if (glob(full, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (strstr(found.gl_pathv[i], without) == NULL && strstr(found.gl_pathv[i], "/tb/workload/workload_stats.o") == NULL)
                ls_args_add(args, "%s", found.gl_pathv[i]);
    globfree(&found);
    free(full);
}

static char *run_gcc(ls_args *args, bool *refused) {
    char *failed = ls_command(args, TOOL_MS, refused);
    ls_args_free(args);
    return failed;
}

static void start_gcc(ls_args *args) {
    static const char *const words[] = {"gcc", "-std=c11",      "-D_GNU_SOURCE",           "-w",
                                        "-O1", "-march=native", "-DLS_VERSION=\"mutant\"", "-rdynamic"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(args, "%s", words[i]);
    ls_args_add(args, "-I%s", ls_root());
}

/* Links the mutant with everything else: its object to the tool (`test` NULL), or its source, sanitized as in our own tests, to a
 * test, which then sees leaks and reads beyond an end too. NULL or the linker's words. */
static char *link_with(const part *p, const char *mutant, size_t file, const char *test, const char *to) {
    ls_args args = {0};
    start_gcc(&args);
    if (test != NULL) ls_args_add(&args, "-fsanitize=address,undefined");
    if (test != NULL) ls_args_add(&args, "-fno-sanitize-recover=all");
    ls_args_add(&args, "-o");
    ls_args_add(&args, "%s", to);
    ls_args_add(&args, "%s", mutant);
    char *without = ls_format("/harness/%s/%s.o", p->folder, p->files[file]);
    if (test != NULL) ls_args_add(&args, "%s/tb/harness/%s.c", ls_root(), test);
    ls_args objects = {0};
    add_objects(&objects, "harness/*/*.o", without);
    for (size_t i = 0; i < objects.count; i++)
        if (test == NULL || strstr(objects.list[i], "/harness/cli/main.o") == NULL) ls_args_add(&args, "%s", objects.list[i]);
    ls_args_free(&objects);
    add_objects(&args, "waves/*.o", without);
    add_objects(&args, "tb/*/rf_*.o", without);
    add_objects(&args, "tb/*/env/rf_*.o", without);
    add_objects(&args, "*.o", without);
    ls_args_add(&args, "%s/build/librfmodel.a", ls_root());
    static const char *const libraries[] = {"-lcmocka", "-llzma", "-lsqlite3", "-ldl", "-lm"};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) ls_args_add(&args, "%s", libraries[i]);
    free(without);
    bool refused = false;
    return run_gcc(&args, &refused);
}

/* Runs it in our folder, `words` behind it; true when it does not end well, and then *m says what that means (ls_mutants_ended).
 */
static bool fails(const tool_ctx *c, const char *program, const char *words, ls_mutant *m) {
    ls_args args = {0};
    char *copy = ls_copy(words), *rest = NULL, *word = strtok_r(copy, " ", &rest);
    ls_args_add(&args, "%s", program);
    for (; word != NULL; word = strtok_r(NULL, " ", &rest)) ls_args_add(&args, "%s", word);
    ls_process_result r;
    const ls_process test = {
        .argv = (const char *const *)args.list, .dir = ls_root(), .timeout_ms = c->timeout_ms, .patience = LS_PATIENCE};
    const int error = ls_process_run(&test, &r);
    const bool bad = error != 0 || !ls_process_ok(&r);
    if (bad) ls_mutants_ended(error, &r, m);
    ls_process_free(&r);
    ls_args_free(&args);
    free(copy);
    return bad;
}

/* What was run stands before what *m says of it. */
static void name_it(ls_mutant *m, const char *name) {
    char *said = ls_copy(m->how);
    (void)snprintf(m->how, sizeof m->how, "%s%s%s", name, said[0] != '\0' ? ": " : "", said);
    free(said);
}

/* What this process starts may take so much of the address space. */
static void limit_memory(rlim_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max != RLIM_INFINITY && bytes > limit.rlim_max ? limit.rlim_max : bytes;
    (void)setrlimit(RLIMIT_AS, &limit);
}

/* All tests and runs with one object of the part in place of ours; true when one fails or cannot be made, and *m says which. */
static bool noticed(const tool_ctx *c, const char *object, size_t file, const char *folder, ls_mutant *m) {
    const part *p = c->part;
    char *program = ls_format("%s/program", folder), *source = ls_format("%s/%s.c", folder, p->files[file]);
    char *sanitizer = ls_format("hard_rss_limit_mb=%u", MEGABYTES);
    bool found = false;
    (void)setenv("ASAN_OPTIONS", sanitizer, 1); /* address space it takes plenty of */
    for (size_t i = 0; p->tests[i] != NULL && !found; i++) {
        char *failed = link_with(p, source, file, p->tests[i], program), *name = ls_format("tb/harness/%s.c", p->tests[i]);
        if (failed != NULL) ls_mutants_uncompiled(failed, false, m); /* the object was made of the same source */
        found = failed != NULL || fails(c, program, "", m);
        if (found) name_it(m, name);
        free(failed);
        free(name);
    }
    char *failed = found ? NULL : link_with(p, object, file, NULL, program);
    if (failed != NULL) ls_mutants_uncompiled(failed, false, m);
    for (size_t i = 0; p->runs[i].words != NULL && !found && failed == NULL; i++) {
        const run *r = &p->runs[i];
        limit_memory((rlim_t)MEGABYTES << 20);
        found = fails(c, program, r->words, m);
        limit_memory(RLIM_INFINITY);
        if (found && m->kill == LS_KILL_TEST) m->kill = r->kill;
        if (found) name_it(m, r->words);
    }
    found |= failed != NULL;
    free(failed);
    (void)unlink(program);
    free(program);
    free(source);
    free(sanitizer);
    return found;
}

/* Compiles a text of the file to folder/object.o; NULL, or the error as ls_command. */
static char *make_object(const part *p, size_t file, const char *text, const char *folder, char **object, bool *refused) {
    char *source = ls_format("%s/%s.c", folder, p->files[file]);
    *refused = false;
    *object = ls_format("%s/object.o", folder);
    ls_text out = {0};
    ls_text_add(&out, "%s", text);
    int error = ls_make_directories(folder);
    error = error == 0 ? ls_text_write(&out, source) : error;
    free(ls_text_take(&out));
    ls_args args = {0};
    start_gcc(&args);
    ls_args_add(&args, "-c");
    ls_args_add(&args, "-o");
    ls_args_add(&args, "%s", *object);
    ls_args_add(&args, "%s", source);
    free(source);
    if (error == 0) return run_gcc(&args, refused);
    ls_args_free(&args);
    return ls_format("%s: %s", folder, strerror(-error));
}

static bool same_bytes(const char *a, const char *b) {
    ls_text x = {0}, y = {0};
    const bool same =
        ls_text_read(&x, a) == 0 && ls_text_read(&y, b) == 0 && x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    free(ls_text_take(&x));
    free(ls_text_take(&y));
    return same;
}

static void judge(const void *ctx, uint32_t number, ls_mutant *m) {
    const tool_ctx *c = ctx;
    const size_t file = c->file[number - 1];
    char *text = ls_change_apply(c->source[file], &c->drawn[number - 1]), *folder = ls_format("%s/%u", c->folder, number),
         *object = NULL;
    bool refused = false;
    char *failed = make_object(c->part, file, text, folder, &object, &refused),
         *good = ls_format("%s/good-%s/object.o", c->folder, c->part->files[file]);
    if (failed != NULL) ls_mutants_uncompiled(failed, refused, m);
    else if (same_bytes(object, good)) m->fate = LS_FATE_EQUIVALENT; /* the compiler makes the same of both */
    else if (!noticed(c, object, file, folder, m)) m->fate = LS_FATE_SURVIVED;
    ls_remove_tree(folder);
    free(failed);
    free(text);
    free(folder);
    free(object);
    free(good);
}

/* The part as it is must pass all of it. */
static char *check_none(const tool_ctx *c) {
    char *error = NULL;
    for (size_t f = 0; c->part->files[f] != NULL && error == NULL; f++) {
        char *folder = ls_format("%s/good-%s", c->folder, c->part->files[f]), *object = NULL;
        ls_mutant m = {0};
        bool refused = false;
        error = make_object(c->part, f, c->source[f], folder, &object, &refused);
        if (error == NULL && c->part->files[f + 1] == NULL && noticed(c, object, f, folder, &m))
            error = ls_format("the %s fails without a mutant: %s", c->part->side, m.how);
        free(folder);
        free(object);
    }
    return error;
}

static int open_sources(tool_ctx *c, uint32_t count, uint64_t seed, char **error) {
    size_t all = 0;
    for (size_t f = 0; c->part->files[f] != NULL; f++) {
        char *path = ls_format("%s/harness/%s/%s.c", ls_root(), c->part->folder, c->part->files[f]),
             *object = ls_format("%s/build/obj/harness/%s/%s.o", ls_root(), c->part->folder, c->part->files[f]);
        ls_text text = {0};
        if (*error == NULL && (ls_text_read(&text, path) != 0 || !ls_readable(object)))
            *error = ls_format("%s, %s: cannot be read: mutants of the %s need a built source tree, not an installation", path,
                               object, c->part->side);
        c->source[f] = ls_text_take(&text);
        c->count[f] = ls_changes_find(c->source[f], &c->changes[f]);
        all += c->count[f];
        free(path);
        free(object);
    }
    c->drawn = ls_alloc(all + 1, sizeof *c->drawn);
    c->file = ls_alloc(all + 1, sizeof *c->file);
    for (size_t f = 0; c->part->files[f] != NULL; f++) { /* of each file as many as it has of all */
        const size_t keep = all == 0 ? 0 : (c->count[f] * count + all / 2) / all;
        char *name = ls_format("%s mutants %s", c->part->side, c->part->files[f]);
        c->count[f] = ls_changes_draw(c->changes[f], c->count[f], keep, ls_seed_derive(seed, name));
        free(name);
        for (size_t i = 0; i < c->count[f]; i++) {
            c->file[c->drawn_count] = f;
            c->drawn[c->drawn_count++] = c->changes[f][i];
        }
    }
    return *error == NULL ? 0 : -1;
}

int ls_mutants_tool(const ls_options *o, size_t number, uint32_t count, ls_score *score, char **error) {
    const part *p = &parts[number];
    tool_ctx c = {.part = p,
                  .timeout_ms = o->timeout > 0 ? (unsigned)(o->timeout * 1000) : 1000 * p->seconds,
                  .folder = ls_format("%s/mutants/%s.%d", ls_cache(), p->side, (int)getpid())};
    *score = (ls_score){.side = p->side, .params = ls_copy("")};
    free(*error);
    *error = NULL;
    (void)setenv("LOCKSTEP_ROOT", ls_root(), 1); /* of the tools made here, which lie elsewhere */
    (void)setenv("LOCKSTEP_CACHE", ls_cache(), 1);
    int status = open_sources(&c, count, o->seed, error);
    if (status == 0) *error = check_none(&c);
    if (*error != NULL) status = -1;
    ls_mutant *list = status == 0 ? ls_mutants_judge((uint32_t)c.drawn_count, o->jobs, judge, &c) : NULL;
    for (size_t i = 0; i < c.drawn_count && status == 0; i++) {
        char *what = ls_format("harness/%s/%s.c:%u:%u: %s", p->folder, p->files[c.file[i]], c.drawn[i].line, c.drawn[i].column,
                               c.drawn[i].what);
        *error = ls_score_add(score, (uint32_t)i + 1, &list[i], what);
        status = *error != NULL ? -1 : 0;
        free(what);
    }
    ls_remove_tree(c.folder);
    for (size_t f = 0; p->files[f] != NULL; f++) {
        ls_changes_free(c.changes[f], c.count[f]);
        free(c.source[f]);
    }
    free(list);
    free(c.drawn);
    free(c.file);
    free(c.folder);
    if (status != 0) ls_score_free(score);
    return status;
}
