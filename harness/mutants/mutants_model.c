/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of a unit's C model: each is compiled with the unit's bench into a shared object of its own and walked against the good
 * RTL. */
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/provenance.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/design.h"
#include "harness/core/place.h"
#include "harness/dut/toolchain.h"
#include "harness/mutants/mutants.h"
#include "harness/mutants/mutants_source.h"

#define SETS 4u           /* parameter sets that each mutant must pass at; what passes them must pass at all others too */
#define STATE_BITS 20000u /* of the widest of them, at most */
#define TOOL_MS 300000u
#define JUDGE_MS 120000u  /* for the unit's judge, which knows no mutants */
#define HANG_SECONDS 10.0 /* without a cycle */

typedef struct model_ctx {
    const ls_options *options;
    const ls_unit *unit;
    ls_args files, texts; /* of the model: "cmodel/common/rf_rr.c" first, then headers of its own; and what they hold */
    char *folder;         /* absolute, in the cache */
    char *bench;          /* the bench's object file */
    ls_change *changes;
    size_t count;
    size_t sets;
    void *cfg[SETS];
    ls_build_result build[SETS];
    bool elsewhere[64]; /* of the unit's sets: not among these */
} model_ctx;

static const char *compiler(void) {
    const char *cc = getenv("CC");
    return cc != NULL && cc[0] != '\0' ? cc : "gcc";
}

/* What the unit's sources are compiled with: where their headers are, and what its project says. */
static void add_flags(const ls_unit *unit, ls_args *args) {
    if (unit->place == NULL) ls_args_add(args, "-I%s", ls_headers());
    if (unit->place == NULL) ls_args_add(args, "-I%s", ls_root()); /* field lists */
    for (const char *const *f = unit->place != NULL ? unit->place->flags : NULL; f != NULL && *f != NULL; f++)
        ls_args_add(args, "%s", *f);
}

/* gcc with the arguments of `words` (NULL ends them) and what follows; NULL or its error, as ls_command. */
static char *compile(const ls_unit *unit, const char *const *words, const char *output, const char *const *inputs,
                     bool *refused) {
    ls_args args = {0};
    ls_args_add(&args, "%s", compiler());
    ls_args_add(&args, "-std=c11");
    ls_args_add(&args, "-D_GNU_SOURCE");
    ls_args_add(&args, "-w");
    for (; *words != NULL; words++) ls_args_add(&args, "%s", *words);
    ls_args_add(&args, "-o");
    ls_args_add(&args, "%s", output);
    for (; *inputs != NULL; inputs++) ls_args_add(&args, "%s", *inputs);
    add_flags(unit, &args); /* behind what a mutant has of its own */
    char *failed = ls_command(&args, TOOL_MS, refused);
    ls_args_free(&args);
    return failed;
}

/* The key of everything that the mutants' objects are made of, but the model itself. */
static char *key_of(const ls_unit *unit, const ls_args *texts) {
    static const char *const patterns[] = {"cmodel/*/*.h", "harness/*/*.h", "tb/*/*.h", "tb/*/*/*.h", "tb/*/*.fields"};
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, "model-mutants-1");
    ls_hash_text(&h, compiler());
    ls_hash_texts(&h, (const char *const *)texts->list, texts->count);
    ls_hash_text(&h, ls_tools_once()->identity);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        char *pattern = ls_format("%s/%s", strstr(patterns[i], ".h") != NULL ? ls_headers() : ls_root(), patterns[i]);
        glob_t found = {0};
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++) (void)ls_hash_file(&h, found.gl_pathv[k]);
        globfree(&found);
        free(pattern);
    }
    if (unit->place != NULL) ls_hash_text(&h, ls_provenance_of_project());
    char *bench = ls_unit_part_path(unit, LS_PART_BENCH);
    (void)ls_hash_file(&h, bench);
    free(bench);
    return ls_hash_end(&h);
}

/* Where file `file` is in a folder that has it changed; else where it is. */
static char *place_of(const model_ctx *c, const char *folder, size_t file) {
    char *path = ls_format("%s/%s", folder, c->files.list[file]);
    if (ls_readable(path)) return path;
    free(path);
    return ls_format("%s/%s", ls_unit_root(c->unit), c->files.list[file]);
}

/* The object of the model with file `file` having this text, made unless it is there: <folder>/<hash>/{cmodel/…,model.so}. NULL
 * and *path, or the error; `*refused`: of the compiler, which ended by itself. */
static char *make_object(const model_ctx *c, size_t file, const char *text, char **path, bool *refused) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, c->files.list[file]);
    ls_hash_text(&h, text);
    char *hash = ls_hash_end(&h), *folder = ls_format("%s/%s", c->folder, hash),
         *source = ls_format("%s/%s", folder, c->files.list[file]);
    char *directory = ls_format("%.*s", (int)(strrchr(source, '/') - source), source);
    char *made = ls_format("%s/model.%d", folder, (int)getpid()), *failed = NULL;
    *path = ls_format("%s/model.so", folder);
    *refused = false;
    if (!ls_readable(*path)) {
        ls_text out = {0};
        ls_text_add(&out, "%s", text);
        int error = ls_make_directories(directory);
        error = error == 0 ? ls_text_write(&out, source) : error;
        free(ls_text_take(&out));
        /* The objects of one so have each other's functions, whatever else is loaded. */
        static const char *const words[] = {"-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic", NULL};
        char *include = ls_format("-I%s", folder), *main = place_of(c, folder, 0);
        const char *const inputs[] = {include, main, c->bench, NULL};
        failed = error != 0 ? ls_format("%s: %s", source, strerror(-error)) : compile(c->unit, words, made, inputs, refused);
        if (failed == NULL && rename(made, *path) != 0) failed = ls_format("%s: %s", *path, strerror(errno));
        free(include);
        free(main);
    }
    free(hash);
    free(folder);
    free(source);
    free(made);
    free(directory);
    return failed;
}

/* The unit's table in the object, or NULL and a message. */
static const ls_unit *load(const model_ctx *c, const char *path, char *error, size_t size) {
    char *symbol = ls_format("%s_unit", c->unit->name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const ls_unit *unit = handle != NULL ? (const ls_unit *)dlsym(handle, symbol) : NULL;
    if (unit == NULL) (void)snprintf(error, size, "%.150s", dlerror());
    else if (unit->cfg_size != c->unit->cfg_size || unit->model_size != c->unit->model_size ||
             unit->in_size != c->unit->in_size) {
        (void)snprintf(error, size, "the sources are not those that this program was built from: make all");
        unit = NULL;
    }
    free(symbol);
    if (unit == NULL || c->unit->place == NULL) return unit;
    ls_unit *placed = ls_alloc(1, sizeof *placed); /* for as long as the object, which stays */
    *placed = *unit;
    placed->place = c->unit->place;
    return placed;
}

/* One bench at parameters `cfg`; true when it notices something. */
static bool noticed_at(const model_ctx *c, const ls_unit *unit, const void *cfg, const char *so_path, ls_mutant *m) {
    const ls_request bench = {
        .unit = unit, .cfg = cfg, .so_path = so_path, .timeout = c->options->timeout > 0 ? c->options->timeout : HANG_SECONDS};
    return ls_mutants_bench(&bench, c->options->seed, m);
}

/* The bench with the model of an object, at all parameter sets; true when something is noticed or goes wrong. */
static bool noticed(const model_ctx *c, const char *path, ls_mutant *m) {
    const ls_unit *unit = load(c, path, m->how, sizeof m->how);
    if (unit == NULL) return true;
    for (size_t i = 0; i < c->sets; i++) {
        if (noticed_at(c, unit, c->cfg[i], c->build[i].so_path, m)) return true;
    }
    return false;
}

/* The bench at the unit's other parameter sets, for what the first have not shown: fast paths for the usual numbers, sizes that
 * are no power of two. A difference counts when there is none without the mutant; sets at which the bench is vacuous count for
 * nothing. */
static bool noticed_elsewhere(const model_ctx *c, const char *path, ls_mutant *m) {
    const ls_unit *unit = load(c, path, m->how, sizeof m->how);
    bool found = false;
    for (size_t i = 0; unit != NULL && i < sizeof c->elsewhere && c->unit->sets[i] != NULL && !found; i++) {
        if (!c->elsewhere[i]) continue;
        char text[512], *error = NULL;
        void *cfg = ls_config_new(c->unit);
        if (ls_config_set_all(c->unit, cfg, c->unit->sets[i], text, sizeof text) != 0) ls_die("%s", text);
        ls_build_result build;
        ls_mutant one = {0}, none = {0};
        if (ls_design_build(&(ls_design_request){.unit = c->unit, .cfg = cfg}, &build, &error) == 0) {
            found = noticed_at(c, unit, cfg, build.so_path, &one) && one.kill != LS_KILL_VACUOUS;
            const bool without = found && noticed_at(c, c->unit, cfg, build.so_path, &none);
            if (without && none.fate == LS_FATE_BROKEN) {
                one.fate = LS_FATE_BROKEN;
                memcpy(one.how, none.how, sizeof one.how);
            } else found = found && !without;
            ls_build_free(&build);
        } else {
            (void)snprintf(m->how, sizeof m->how, "%s: %.150s", c->unit->sets[i], error);
            found = true;
            one = (ls_mutant){.fate = LS_FATE_BROKEN};
            memcpy(one.how, m->how, sizeof one.how);
        }
        m->cycles += one.cycles + none.cycles;
        m->compares += one.compares + none.compares;
        if (found) {
            m->fate = one.fate;
            m->kill = one.kill;
            m->cycle = one.cycle;
            memcpy(m->how, one.how, sizeof m->how);
        }
        free(error);
        free(cfg);
    }
    return found;
}

/* Adds the code that the compiler makes of the model. `folder` holds the changed file; NULL: none is. NULL, or an error to free.
 */
static char *assembly(const model_ctx *c, const char *folder, ls_text *code) {
    char *to = ls_format("%s/%d.s", c->folder, (int)getpid());
    const char *root = ls_unit_root(c->unit);
    char *include = ls_format("-I%s", folder != NULL ? folder : root), *main = place_of(c, folder != NULL ? folder : root, 0);
    static const char *const words[] = {"-O2", "-S", "-g0", NULL};
    const char *const inputs[] = {include, main, NULL};
    bool refused = false;
    char *failed = compile(c->unit, words, to, inputs, &refused);
    const int error = failed == NULL ? ls_text_read(code, to) : 0;
    if (error != 0) failed = ls_format("%s: %s", to, strerror(-error));
    (void)unlink(to);
    free(to);
    free(include);
    free(main);
    return failed;
}

/* Whether the compiler makes the same code of both: then they do the same. NULL, or an error to free. */
static char *same_code(const model_ctx *c, const char *mutant_so, bool *same) {
    char *folder = ls_format("%.*s", (int)(strrchr(mutant_so, '/') - mutant_so), mutant_so);
    ls_text a = {0}, b = {0};
    char *failed = assembly(c, folder, &a);
    if (failed == NULL) failed = assembly(c, NULL, &b);
    *same = failed == NULL && a.size > 0 && a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
    free(folder);
    free(ls_text_take(&a));
    free(ls_text_take(&b));
    return failed;
}

/* What the unit's judge, the slow model, says of the mutant, as a text for the report: the score is the bench's. */
static const char *ask_judge(const model_ctx *c, const char *mutant_so) {
    char *folder = ls_format("%.*s", (int)(strrchr(mutant_so, '/') - mutant_so), mutant_so), *mutant = place_of(c, folder, 0);
    char *test = ls_unit_part_path(c->unit, LS_PART_JUDGE), *to = ls_format("%s/judge.%d", folder, (int)getpid());
    ls_args args = {0};
    static const char *const words[] = {"-std=c11", "-D_GNU_SOURCE", "-w", "-O1", "-rdynamic"};
    ls_args_add(&args, "%s", compiler());
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
    ls_args_add(&args, "-I%s", folder);
    add_flags(c->unit, &args);
    ls_args_add(&args, "-o");
    ls_args_add(&args, "%s", to);
    ls_args_add(&args, "%s", test);
    ls_args_add(&args, "%s", mutant);
    if (c->unit->place != NULL) ls_args_add(&args, "%s", c->bench);
    static const char *const patterns[] = {"harness/*/*.o", "waves/*.o", "tb/*/rf_*.o", "tb/*/env/rf_*.o", "*.o"};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        char *pattern = ls_format("%s/build/obj/%s", ls_root(), patterns[i]);
        glob_t found = {0};
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                if (strstr(found.gl_pathv[k], "/harness/cli/main.o") == NULL) ls_args_add(&args, "%s", found.gl_pathv[k]);
        globfree(&found);
        free(pattern);
    }
    static const char *const libraries[] = {"-lcmocka", "-llzma", "-lsqlite3", "-ldl", "-lm"};
    char *library = ls_format("%s/build/librfmodel.a", ls_root());
    if (ls_readable(library)) ls_args_add(&args, "%s", library);
    else ls_args_add(&args, "-L%s/../../lib", ls_root()); /* of an installation */
    if (!ls_readable(library)) ls_args_add(&args, "-llockstep");
    if (!ls_readable(library)) ls_args_add(&args, "-lrfmodel");
    free(library);
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) ls_args_add(&args, "%s", libraries[i]);
    bool refused = false;
    char *failed = ls_command(&args, TOOL_MS, &refused);
    const char *says = "; the judge cannot be built";
    if (failed == NULL) {
        ls_process_result r;
        const char *const argv[] = {to, NULL};
        const ls_process judge = {.argv = argv, .dir = ls_unit_root(c->unit), .timeout_ms = JUDGE_MS, .patience = LS_PATIENCE};
        const int error = ls_process_run(&judge, &r);
        says = error != 0 || ls_process_killed(&r, r.output) ? "; the judge cannot be run"
               : ls_process_ok(&r)                           ? "; the judge passes it too"
                                                             : "; the judge notices it";
        ls_process_free(&r);
    }
    (void)unlink(to);
    free(failed);
    ls_args_free(&args);
    free(folder);
    free(mutant);
    free(test);
    free(to);
    return says;
}

static void judge(const void *ctx, uint32_t number, ls_mutant *m) {
    const model_ctx *c = ctx;
    const size_t file = c->changes[number - 1].file;
    char *text = ls_change_apply(c->texts.list[file], &c->changes[number - 1]), *path = NULL;
    bool refused = false, same = false;
    char *failed = make_object(c, file, text, &path, &refused);
    if (failed == NULL && !noticed(c, path, m)) {
        failed = same_code(c, path, &same);
        refused = false; /* it has compiled before */
        if (same) m->fate = LS_FATE_EQUIVALENT;
        else if (failed == NULL && !noticed_elsewhere(c, path, m)) {
            m->fate = LS_FATE_SURVIVED;
            (void)snprintf(m->how, sizeof m->how, "%s", ask_judge(c, path));
        }
    }
    if (failed != NULL) ls_mutants_uncompiled(failed, refused, m);
    free(failed);
    free(text);
    free(path);
}

/* Builds the good RTL at the unit's small parameters, at wide ones, and between. */
static int open_designs(model_ctx *c, char **error) {
    ls_args sets = {0};
    ls_mutants_sets(c->unit, STATE_BITS, &sets);
    memset(c->elsewhere, 1, sizeof c->elsewhere);
    for (size_t k = 0; k < SETS && k < sets.count && *error == NULL; k++) {
        char text[512];
        c->cfg[k] = ls_config_new(c->unit);
        const char *set = sets.list[sets.count <= SETS ? k : k * (sets.count - 1) / (SETS - 1)];
        if (ls_config_set_all(c->unit, c->cfg[k], set, text, sizeof text) != 0) ls_die("%s", text);
        for (size_t i = 0; i < sizeof c->elsewhere && c->unit->sets[i] != NULL; i++)
            if (strcmp(c->unit->sets[i], set) == 0) c->elsewhere[i] = false;
        const ls_design_request design = {.unit = c->unit, .cfg = c->cfg[k]};
        if (ls_design_build(&design, &c->build[k], error) == 0) c->sets++;
    }
    ls_args_free(&sets);
    return *error == NULL ? 0 : -1;
}

/* The bench with the model as it is must find nothing. A parameter set at which it is vacuous is left out. */
static int check_none(model_ctx *c, ls_score *score, char **error) {
    char *path = NULL;
    bool refused = false;
    *error = make_object(c, 0, c->texts.list[0], &path, &refused);
    char text[256] = "";
    const ls_unit *unit = *error == NULL ? load(c, path, text, sizeof text) : NULL;
    if (*error == NULL && unit == NULL) *error = ls_format("%s: %s", c->unit->name, text);
    size_t kept = 0;
    for (size_t i = 0; i < c->sets && *error == NULL; i++) {
        const ls_request bench = {.unit = unit, .cfg = c->cfg[i], .so_path = c->build[i].so_path, .timeout = c->options->timeout};
        ls_mutant m = {0};
        char *params = ls_config_text(c->unit, c->cfg[i]);
        const bool found = ls_mutants_bench(&bench, c->options->seed, &m), vacuous = found && m.kill == LS_KILL_VACUOUS;
        score->cycles += m.cycles;
        score->compares += m.compares;
        if (found && !vacuous) *error = ls_format("%s %s: the bench fails without a mutant: %s", c->unit->name, params, m.how);
        if (!found) {
            char *all =
                ls_format("%s%s%s", kept > 0 ? score->params : "", kept > 0 ? "; " : "", params[0] != '\0' ? params : "defaults");
            free(score->params);
            score->params = all;
            void *cfg = c->cfg[kept]; /* kept ones first; the others are freed with them */
            const ls_build_result build = c->build[kept];
            c->cfg[kept] = c->cfg[i];
            c->build[kept++] = c->build[i];
            if (kept - 1 != i) {
                c->cfg[i] = cfg;
                c->build[i] = build;
            }
        }
        free(params);
    }
    c->sets = *error == NULL ? kept : 0;
    if (*error == NULL && kept == 0)
        *error = ls_format("%s: the bench is vacuous at all parameters that were tried", c->unit->name);
    free(path);
    return *error == NULL ? 0 : -1;
}

/* Reads a file of the model. */
static bool add_file(model_ctx *c, const char *name) {
    char *path = ls_format("%s/%s", ls_unit_root(c->unit), name);
    ls_text text = {0};
    const bool read = ls_text_read(&text, path) == 0;
    ls_text_put(&text, "", 1);
    if (read) {
        ls_args_add(&c->files, "%s", name);
        ls_args_add(&c->texts, "%s", text.data);
    }
    free(text.data);
    free(path);
    return read;
}

/* The headers that are the model's own: those of its files include which carry its name and belong to no other unit. */
static void add_headers(model_ctx *c) {
    const size_t length = strlen(c->unit->name);
    for (size_t f = 0; f < c->files.count; f++) { /* the list grows meanwhile */
        for (const char *at = c->texts.list[f]; (at = strstr(at, "#include \"")) != NULL;) {
            at += strlen("#include \"");
            char *name = ls_format("%.*s", (int)strcspn(at, "\"\n"), at);
            const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
            char *owner = ls_format("%.*s", (int)strcspn(base, "."), base);
            bool own = strncmp(base, c->unit->name, length) == 0 && (base[length] == '.' || base[length] == '_');
            own = own && (base[length] == '.' || ls_unit_find(owner) == NULL);
            for (size_t i = 0; i < c->files.count; i++) own = own && strcmp(c->files.list[i], name) != 0;
            if (own) (void)add_file(c, name);
            free(owner);
            free(name);
        }
    }
}

/* Reads the model, finds and draws its changes, compiles the bench. */
static int open_sources(model_ctx *c, uint32_t count, char **error) {
    char *file = ls_unit_part_name(c->unit, LS_PART_MODEL), *bench = ls_unit_part_path(c->unit, LS_PART_BENCH);
    if (!add_file(c, file))
        *error = ls_format("%s/%s: cannot be read: mutants of a model are changes of it", ls_unit_root(c->unit), file);
    else if (!ls_readable(bench)) *error = ls_format("%s: cannot be read: mutants of a model are run with it", bench);
    if (*error == NULL) add_headers(c);
    char *key = key_of(c->unit, &c->texts);
    c->folder = ls_format("%s/mutants/%s-%s", ls_cache(), c->unit->name, key);
    c->bench = ls_format("%s/bench.o", c->folder);
    const int made = ls_make_directories(c->folder);
    if (*error == NULL && made != 0) *error = ls_format("%s: %s", c->folder, strerror(-made));
    if (*error == NULL && !ls_readable(c->bench)) {
        static const char *const words[] = {"-O2", "-fPIC", "-c", NULL};
        char *temporary = ls_format("%s.%d", c->bench, (int)getpid());
        const char *const inputs[] = {bench, NULL};
        bool refused = false;
        *error = compile(c->unit, words, temporary, inputs, &refused);
        if (*error == NULL && rename(temporary, c->bench) != 0) *error = ls_format("%s: %s", c->bench, strerror(errno));
        free(temporary);
    }
    for (size_t f = 0; f < c->files.count && *error == NULL; f++) {
        ls_change *more = NULL;
        const size_t found = ls_changes_find(c->texts.list[f], &more);
        c->changes = ls_resize(c->changes, (c->count + found + 1) * sizeof *c->changes);
        for (size_t i = 0; i < found; i++) {
            c->changes[c->count] = more[i];
            c->changes[c->count++].file = f;
        }
        free(more);
    }
    if (*error == NULL)
        c->count = ls_changes_draw(c->changes, c->count, count, ls_seed_derive(c->options->seed, "model mutants"));
    free(file);
    free(bench);
    free(key);
    return *error == NULL ? 0 : -1;
}

int ls_mutants_model(const ls_options *o, uint32_t count, ls_score *score, char **error) {
    model_ctx c = {.options = o, .unit = o->unit};
    *score = (ls_score){.side = "model", .params = ls_copy("")};
    free(*error);
    *error = NULL;
    int status = open_sources(&c, count, error);
    if (status == 0) status = open_designs(&c, error);
    const size_t designs = c.sets;
    if (status == 0) status = check_none(&c, score, error);
    ls_mutant *list = status == 0 ? ls_mutants_judge((uint32_t)c.count, o->jobs, judge, &c) : NULL;
    for (size_t i = 0; i < c.count && status == 0; i++) {
        char *what = ls_format("%s:%u:%u: %s%s", c.files.list[c.changes[i].file], c.changes[i].line, c.changes[i].column,
                               c.changes[i].what, list[i].fate == LS_FATE_SURVIVED ? list[i].how : "");
        *error = ls_score_add(score, (uint32_t)i + 1, &list[i], what);
        status = *error != NULL ? -1 : 0;
        free(what);
    }
    for (size_t i = 0; i < SETS; i++) free(c.cfg[i]);
    for (size_t i = 0; i < designs; i++) ls_build_free(&c.build[i]);
    ls_changes_free(c.changes, c.count);
    free(list);
    ls_args_free(&c.files);
    ls_args_free(&c.texts);
    free(c.folder);
    free(c.bench);
    if (status != 0) ls_score_free(score);
    return status;
}
