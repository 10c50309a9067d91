/* SPDX-License-Identifier: Apache-2.0 */
/* The units of a project: its C sources become one shared object, build/lockstep/units-KEY/units.so, and each bench's table a
 * unit. A source is compiled when it, a header that it read, the flags or the compiler changed, by content; the object names all
 * that it depends on in a file beside it. */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/base/provenance.h"
#include "harness/base/root.h"
#include "harness/base/sha256.h"
#include "harness/core/config.h"
#include "harness/dut/toolchain.h"
#include "harness/project/project.h"

#define RECIPE "lockstep-project-1"
#define TOOL_MS 600000u
#define OBJECT "units.so"
#define DUMP "ls_project_gcov_dump" /* in a shared object with coverage: writes its counters */

static const char *compiler(bool coverage) {
    const char *cc = getenv(coverage ? "GCOV_CC" : "CC");
    return cc != NULL && cc[0] != '\0' ? cc : "gcc";
}

/* One C source, from the root on, and what becomes of it. */
typedef struct source {
    char *name;
    bool model;
    char *object; /* absolute */
    char *noted;  /* beside it: its key, then the names of all files that it was compiled from */
    char *key;    /* of these, now */
} source;

typedef struct build {
    const ls_project *project;
    bool coverage;
    char *folder; /* of the objects, absolute */
    ls_args flags;
    char *flags_key; /* and of the compiler */
    source *list;
    size_t count;
    ls_args units; /* names; units[i] has bench benches[i] */
    ls_args benches;
} build;

static char *below(const build *b, const char *name) { return ls_format("%s/%s", b->project->root, name); }

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* ---- what there is ---- */

static void add_source(build *b, const char *name, bool model) {
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->list[i].name, name) == 0) return;
    b->list = ls_grow(b->list, b->count, sizeof *b->list);
    b->list[b->count++] = (source){.name = ls_copy(name),
                                   .model = model,
                                   .object = ls_format("%s/%.*s.o", b->folder, (int)strlen(name) - 2, name),
                                   .noted = ls_format("%s/%.*s.of", b->folder, (int)strlen(name) - 2, name)};
}

static bool is_identifier(const char *word) {
    bool good = isalpha((unsigned char)word[0]) || word[0] == '_';
    for (; *word != '\0'; word++) good = good && (isalnum((unsigned char)*word) || *word == '_');
    return good;
}

/* The units of a folder: NAME.fields with NAME.c beside it. NULL, or an error to free. */
static char *find_units(build *b, const char *folder) {
    ls_args names = {0};
    char *path = below(b, folder), *failed = NULL;
    ls_folder_names(path, &names);
    for (size_t i = 0; i < names.count && failed == NULL; i++) {
        if (!ends_with(names.list[i], ".fields")) continue;
        char *unit = ls_format("%.*s", (int)(strlen(names.list[i]) - strlen(".fields")), names.list[i]);
        char *bench = ls_format("%s/%s.c", folder, unit), *full = below(b, bench);
        if (ls_readable(full)) { /* a list without a bench is a part of others' */
            if (!is_identifier(unit)) failed = ls_format("%s: \"%s\" is no name for a unit: letters, digits and _", full, unit);
            for (size_t k = 0; k < b->units.count && failed == NULL; k++)
                if (strcmp(b->units.list[k], unit) == 0)
                    failed = ls_format("%s: there is a unit %s already, in %s", full, unit, b->benches.list[k]);
            if (failed == NULL && ls_unit_find(unit) != NULL)
                failed = ls_format("%s: %s is a unit that lockstep comes with: give yours another name", full, unit);
            ls_args_add(&b->units, "%s", unit);
            ls_args_add(&b->benches, "%s", bench);
            add_source(b, bench, false);
        }
        free(unit);
        free(bench);
        free(full);
    }
    ls_args_free(&names);
    free(path);
    return failed;
}

static void find_models(build *b, const char *folder) {
    ls_args names = {0};
    char *path = below(b, folder);
    ls_folder_names(path, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (!ends_with(names.list[i], ".c")) continue;
        char *name = ls_format("%s/%s", folder, names.list[i]);
        add_source(b, name, true);
        free(name);
    }
    ls_args_free(&names);
    free(path);
}

static char *find_sources(build *b) {
    const ls_project *p = b->project;
    char *failed = NULL;
    for (size_t i = 0; i < p->models.count; i++) find_models(b, p->models.list[i]);
    for (size_t i = 0; i < p->benches.count && failed == NULL; i++) failed = find_units(b, p->benches.list[i]);
    for (size_t i = 0; i < p->sources.count; i++) add_source(b, p->sources.list[i], false);
    return failed;
}

/* ---- compiling ---- */

static void add_flags(build *b) {
    const ls_project *p = b->project;
    ls_args_add(&b->flags, "-std=c11");
    ls_args_add(&b->flags, "-fPIC");
    ls_args_add(&b->flags, "-I%s", p->root);
    for (size_t i = 0; i < p->includes.count; i++) ls_args_add(&b->flags, "-I%s/%s", p->root, p->includes.list[i]);
    ls_args_add(&b->flags, "-I%s", ls_headers());
    ls_args_add(&b->flags, "-DLS_PROJECT=\"%s\"", p->name);
    for (size_t i = 0; i < p->cflags.count; i++) ls_args_add(&b->flags, "%s", p->cflags.list[i]);
    struct stat is = {0};
    char *path = ls_process_find(compiler(b->coverage));
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, RECIPE);
    ls_hash_text(&h, path != NULL ? path : "");
    if (path != NULL && stat(path, &is) == 0) { /* its contents would take longer than what it compiles */
        ls_hash_number(&h, (size_t)is.st_size);
        ls_hash_number(&h, (size_t)is.st_mtim.tv_sec);
    }
    ls_hash_texts(&h, (const char *const *)b->flags.list, b->flags.count);
    b->flags_key = ls_hash_end(&h);
    free(path);
}

/* The key of files whose names stand in `names`, one a line; NULL when one is gone. */
static char *key_of(const build *b, const source *s, const char *names) {
    ls_hash h = ls_hash_begin();
    bool whole = true;
    ls_hash_text(&h, b->flags_key);
    ls_hash_text(&h, s->name);
    for (const char *line = names; whole && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char *name = ls_format("%.*s", (int)length, line);
        ls_hash_text(&h, name);
        whole = ls_hash_file(&h, name);
        free(name);
        line += length + (line[length] == '\n');
    }
    return whole ? ls_hash_end(&h) : NULL;
}

/* Whether the object is of what stands there now; its key then goes to s->key. */
static bool is_current(const build *b, source *s) {
    ls_text text = {0};
    bool same = false;
    if (ls_readable(s->object) && ls_text_read(&text, s->noted) == 0) {
        ls_text_put(&text, "", 1);
        const size_t length = strcspn(text.data, "\n");
        char *key = text.data[length] == '\n' ? key_of(b, s, text.data + length + 1) : NULL;
        same = key != NULL && strlen(key) == length && strncmp(key, text.data, length) == 0;
        if (same) s->key = key;
        else free(key);
    }
    free(ls_text_take(&text));
    return same;
}

/* The names that the compiler wrote as a rule for make, "OBJECT: NAME NAME \", one a line. */
static char *names_of_rule(const char *rule) {
    ls_text names = {0};
    const char *at = strstr(rule, ": ");
    ls_text_put(&names, "", 0);
    for (at = at != NULL ? at + 2 : ""; *at != '\0';) {
        at += strspn(at, " \n");
        if (at[0] == '\\' && at[1] == '\n') {
            at += 2;
            continue;
        }
        const size_t before = names.size;
        for (; *at != '\0' && *at != ' ' && *at != '\n'; at++) {
            if (*at == '\\' && (at[1] == ' ' || at[1] == '#')) at++;
            else if (*at == '$' && at[1] == '$') at++;
            ls_text_put(&names, at, 1);
        }
        if (names.size > before) ls_text_put(&names, "\n", 1);
    }
    return ls_text_take(&names);
}

static void compile_args(const build *b, const source *s, ls_args *args) {
    char *path = below(b, s->name);
    ls_args_add(args, "%s", compiler(b->coverage));
    for (size_t i = 0; i < b->flags.count; i++) ls_args_add(args, "%s", b->flags.list[i]);
    if (b->coverage && s->model) { /* -O0: each condition of the source is a branch of its own; nothing is inlined */
        ls_args_add(args, "-O0");
        ls_args_add(args, "-Dalways_inline=");
        ls_args_add(args, "--coverage");
    }
    ls_args_add(args, "-g");
    ls_args_add(args, "-MMD");
    ls_args_add(args, "-MF");
    ls_args_add(args, "%s.d", s->object);
    ls_args_add(args, "-c");
    ls_args_add(args, "%s", path);
    ls_args_add(args, "-o");
    ls_args_add(args, "%s", s->object);
    free(path);
}

/* Notes beside the object what it was compiled from. NULL, or an error to free: a file of it changed meanwhile. */
static char *note(const build *b, source *s, const struct timespec *start) {
    ls_text rule = {0}, text = {0};
    char *path = ls_format("%s.d", s->object), *failed = NULL;
    int error = ls_text_read(&rule, path);
    ls_text_put(&rule, "", 1);
    char *names = names_of_rule(rule.data), *rest = names;
    s->key = key_of(b, s, names);
    ls_text_add(&text, "%s\n%s", s->key != NULL ? s->key : "", names);
    for (char *name; failed == NULL && (name = strtok_r(rest, "\n", &rest)) != NULL;) {
        struct stat is;
        const bool there = stat(name, &is) == 0;
        if (!there || is.st_ctim.tv_sec > start->tv_sec ||
            (is.st_ctim.tv_sec == start->tv_sec && is.st_ctim.tv_nsec > start->tv_nsec))
            failed = ls_format("%s: changed while it was compiled: try again", name);
    }
    if (failed == NULL && error == 0) error = ls_text_write(&text, s->noted);
    if (failed == NULL && error != 0) failed = ls_format("%s: %s", s->noted, strerror(-error));
    (void)unlink(path);
    free(ls_text_take(&rule));
    free(ls_text_take(&text));
    free(names);
    free(path);
    return failed;
}

/* Compiles what is not current. NULL, or an error to free. */
static char *compile(build *b) {
    ls_compile *jobs = ls_alloc(b->count + 1, sizeof *jobs);
    size_t *of = ls_alloc(b->count + 1, sizeof *of), count = 0;
    char *failed = NULL;
    struct timespec start;
    (void)clock_gettime(CLOCK_REALTIME, &start);
    for (size_t i = 0; i < b->count && failed == NULL; i++) {
        source *s = &b->list[i];
        if (is_current(b, s)) continue;
        char *folder = ls_folder_of(s->object);
        const int error = ls_make_directories(folder);
        if (error != 0) failed = ls_format("%s: %s", folder, strerror(-error));
        free(folder);
        (void)unlink(s->noted);
        of[count] = i;
        jobs[count].timeout_ms = TOOL_MS;
        compile_args(b, s, &jobs[count++].args);
    }
    ls_progress_begin("%s: compiling models and benches", b->project->name);
    if (failed == NULL) failed = ls_compile_all(jobs, count);
    ls_progress_end();
    for (size_t i = 0; i < count && failed == NULL; i++) failed = note(b, &b->list[of[i]], &start);
    free(jobs);
    free(of);
    return failed;
}

/* ---- linking ---- */

/* Links the objects in a new folder and moves it to its place. NULL, or an error to free. */
static char *link_in(const build *b, const char *temporary, const char *folder) {
    ls_args args = {0};
    bool refused = false;
    int error = ls_make_directories(temporary);
    ls_args_add(&args, "%s", compiler(b->coverage));
    ls_args_add(&args, "-shared");
    ls_args_add(&args, "-Wl,-Bsymbolic"); /* its functions, whatever else is loaded */
    ls_args_add(&args, "-o");
    ls_args_add(&args, "%s/" OBJECT, temporary);
    for (size_t i = 0; i < b->count; i++) ls_args_add(&args, "%s", b->list[i].object);
    if (b->coverage) {
        ls_text code = {0};
        char *path = ls_format("%s/dump.c", temporary);
        ls_text_add(&code, "void __gcov_dump(void);\nvoid " DUMP "(void);\nvoid " DUMP "(void) { __gcov_dump(); }\n");
        if (error == 0) error = ls_text_write(&code, path);
        ls_args_add(&args, "%s", path);
        ls_args_add(&args, "-fPIC");
        ls_args_add(&args, "--coverage");
        ls_args_add(&args, "-fno-profile-arcs");
        ls_args_add(&args, "-fno-test-coverage");
        free(ls_text_take(&code));
        free(path);
    }
    ls_args_add(&args, "-lm");
    char *failed = error != 0 ? ls_format("%s: %s", temporary, strerror(-error)) : ls_command(&args, TOOL_MS, &refused);
    if (failed == NULL && (error = ls_seal(temporary)) != 0) failed = ls_format("%s: %s", temporary, strerror(-error));
    if (failed == NULL) ls_remove_tree(folder); /* only a damaged one can be there */
    if (failed == NULL && rename(temporary, folder) != 0) failed = ls_format("%s: %s", folder, strerror(errno));
    ls_args_free(&args);
    return failed;
}

/* Removes the shared objects of what the sources were before. */
static void remove_others(const build *b, const char *folder) {
    ls_args names = {0};
    ls_folder_names(b->folder, &names);
    for (size_t i = 0; i < names.count; i++) {
        char *path = ls_format("%s/%s", b->folder, names.list[i]);
        if (strncmp(names.list[i], "units-", strlen("units-")) == 0 && strcmp(path, folder) != 0) ls_remove_tree(path);
        free(path);
    }
    ls_args_free(&names);
}

/* The shared object, made unless it is there, under the project's lock. NULL and *path, or an error to free. */
static char *make_object(build *b, char **path) {
    char *lock = ls_format("%s.lock", b->folder), *temporary = ls_format("%s/units.tmp", b->folder), *folder = NULL;
    const int error = ls_make_directories(b->folder), fd = error == 0 ? ls_lock(lock) : error;
    char *failed = fd < 0 ? ls_format("%s: %s", lock, strerror(-fd)) : compile(b);
    *path = NULL;
    if (failed == NULL) {
        ls_hash h = ls_hash_begin();
        for (size_t i = 0; i < b->count; i++) ls_hash_text(&h, b->list[i].key);
        char *key = ls_hash_end(&h);
        folder = ls_format("%s/units-%s", b->folder, key);
        free(key);
        *path = ls_format("%s/" OBJECT, folder);
    }
    if (failed == NULL && !(ls_readable(*path) && ls_sealed(folder))) {
        ls_remove_tree(temporary); /* of a killed build */
        failed = link_in(b, temporary, folder);
        if (failed == NULL) remove_others(b, folder);
        else ls_remove_tree(temporary);
    }
    if (fd >= 0) ls_unlock(fd, lock);
    free(lock);
    free(temporary);
    free(folder);
    return failed;
}

/* ---- loading ---- */

/* The unit's file NAME.END in one of the folders, or else in the first: where it is missed. */
static char *place_of(const build *b, const ls_args *folders, const char *unit, const char *const *ends) {
    for (size_t i = 0; i < folders->count; i++)
        for (const char *const *end = ends; *end != NULL; end++) {
            char *name = ls_format("%s/%s%s", folders->list[i], unit, *end), *path = below(b, name);
            const bool there = ls_readable(path);
            free(path);
            if (there) return name;
            free(name);
        }
    return ls_format("%s/%s%s", folders->count > 0 ? folders->list[0] : ".", unit, ends[0]);
}

/* The unit of bench `i`, which is never freed, from the shared object. NULL and an error to free in *failed. */
static const ls_unit *take_unit(const build *b, size_t i, void *object, const char *const *modules, const char *const *flags,
                                char **failed) {
    static const char *const rtl_ends[] = {".sv", ".v", NULL}, *const model_ends[] = {".c", NULL};
    const char *name = b->units.list[i], *bench = b->benches.list[i];
    char *symbol = ls_format("%s_unit", name);
    const ls_unit *table = dlsym(object, symbol);
    free(symbol);
    if (table == NULL || strcmp(table->name, name) != 0) {
        *failed = ls_format("%s/%s: LS_UNIT is not %s, as the file's name is", b->project->root, bench, name);
        return NULL;
    }
    ls_place *place = ls_alloc(1, sizeof *place);
    *place = (ls_place){.root = b->project->root,
                        .rtl = place_of(b, &b->project->rtl, name, rtl_ends),
                        .model = place_of(b, &b->project->models, name, model_ends),
                        .bench = bench,
                        .modules = modules,
                        .flags = flags};
    ls_unit *unit = ls_alloc(1, sizeof *unit);
    *unit = *table;
    unit->place = place;
    return unit;
}

static const char *const *absolute_folders(const build *b) {
    const char **list = ls_alloc(b->project->rtl.count + 1, sizeof *list);
    for (size_t i = 0; i < b->project->rtl.count; i++) list[i] = below(b, b->project->rtl.list[i]);
    return list;
}

/* What the loader says, without the object's long name: a function that no source defines, most often. */
static char *loader_said(const char *path) {
    const char *said = dlerror(), *undefined = said != NULL ? strstr(said, "undefined symbol: ") : NULL;
    if (undefined == NULL) return ls_format("%s: %s", path, said != NULL ? said : "cannot be loaded");
    undefined += strlen("undefined symbol: ");
    return ls_format("%.*s is called, and no C file of the project defines it (" LS_PROJECT_FILE ": models, sources)",
                     (int)strcspn(undefined, " ("), undefined);
}

/* The digests of the project's own files that the object is made of, as in ls_provenance_sources. */
static char *provenance(const build *b) {
    ls_args lines = {0};
    ls_text text = {0};
    const size_t n = strlen(b->project->root);
    for (size_t i = 0; i < b->count; i++) {
        ls_text noted = {0};
        (void)ls_text_read(&noted, b->list[i].noted);
        char *all = ls_text_take(&noted), *rest = all;
        (void)strsep(&rest, "\n");
        for (char *name; rest != NULL && (name = strtok_r(rest, "\n", &rest)) != NULL;) {
            char digest[LS_SHA256_HEX];
            if (strncmp(name, b->project->root, n) != 0 || name[n] != '/' || !ls_sha256_file(name, digest)) continue;
            ls_args_add(&lines, "%s\t%s", name + n + 1, digest); /* sorted by name */
        }
        free(all);
    }
    ls_args_sort(&lines);
    for (size_t i = 0; i < lines.count; i++) {
        if (i > 0 && strcmp(lines.list[i], lines.list[i - 1]) == 0) continue;
        const char *tab = strchr(lines.list[i], '\t');
        ls_text_add(&text, "%s  %.*s\n", tab + 1, (int)(tab - lines.list[i]), lines.list[i]);
    }
    ls_args_free(&lines);
    return ls_text_take(&text);
}

static char *load(build *b) {
    char *path = NULL, *failed = make_object(b, &path);
    void *object = failed == NULL ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL; /* what its mutants call of other units */
    if (failed == NULL && object == NULL) failed = loader_said(path);
    free(path);
    if (failed != NULL) return failed;
    const ls_unit **units = ls_alloc(b->units.count + 1, sizeof *units);
    const char *const *modules = absolute_folders(b), *const *flags = (const char *const *)b->flags.list;
    for (size_t i = 0; i < b->units.count && failed == NULL; i++) units[i] = take_unit(b, i, object, modules, flags, &failed);
    if (failed != NULL) return failed;
    void (*dump)(void) = NULL;
    *(void **)&dump = b->coverage ? dlsym(object, DUMP) : NULL;
    ls_units_put(units);
    ls_home_set(b->project->root);
    ls_provenance_project(provenance(b), b->folder, dump);
    return NULL;
}

/* What is loaded refers to the project's texts and to the flags until the end. */
int ls_project_load(ls_project *project, bool coverage, char **error) {
    build b = {.project = project, .coverage = coverage};
    b.folder = ls_format("%s/" LS_PROJECT_BUILD "/%s", project->root, coverage ? "gcov" : "plain");
    add_flags(&b);
    *error = find_sources(&b);
    if (*error == NULL && b.units.count > 0) *error = load(&b);
    for (size_t i = 0; i < b.count; i++) {
        free(b.list[i].name);
        free(b.list[i].object);
        free(b.list[i].noted);
        free(b.list[i].key);
    }
    free(b.list);
    free(b.flags_key);
    return *error == NULL ? 0 : -1;
}
