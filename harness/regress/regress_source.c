/* SPDX-License-Identifier: Apache-2.0 */
/* What a regression is of: commit, tools, this program and the sources; and whether they still are the same. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/hash.h"
#include "harness/base/json.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/base/sha256.h"
#include "harness/base/stamp.h"
#include "harness/base/text.h"
#include "harness/core/place.h"
#include "harness/core/report.h"
#include "harness/regress/regress.h"

enum { FOLDERS_DEEP = 8 };

/* What a command prints, its first line or all of it; NULL when it cannot be run or fails. */
static char *printed_by(const char *const *argv, bool all) {
    ls_process_result run;
    char *text = NULL;
    bool again = true;
    for (unsigned i = 0; i < 3 && again; i++) { /* a tool that somebody kills is there all the same */
        if (ls_process_run(&(ls_process){.argv = argv, .timeout_ms = 20000}, &run) == 0 && ls_process_ok(&run)) {
            if (!all) run.output[strcspn(run.output, "\n")] = '\0';
            text = ls_copy(run.output);
        }
        again = run.signal != 0 && !run.timed_out;
        ls_process_free(&run);
    }
    return text;
}

/* The commit of the tree and whether the work tree differs from it. Without optional locks: a status that is killed must not
 * leave the repository locked. */
static void note_source(ls_regress *regression) {
    char *commit = printed_by((const char *const[]){"git", "-C", ls_home(), "rev-parse", "HEAD", NULL}, false);
    char *changes =
        printed_by((const char *const[]){"git", "--no-optional-locks", "-C", ls_home(), "status", "--porcelain", NULL}, true);
    regression->dirty = commit == NULL || changes == NULL ? -1 : changes[0] != '\0';
    regression->source = commit != NULL ? commit : ls_copy("");
    free(changes);
}

static void add_tool(ls_text *t, const char *name, const char *version) {
    if (version == NULL || version[0] == '\0') return;
    ls_json_text(t, name, version);
}

/* A line of several, from 0. To be freed. */
static char *line_of(const char *text, unsigned n) {
    for (; n > 0 && strchr(text, '\n') != NULL; n--) text = strchr(text, '\n') + 1;
    return ls_format("%.*s", (int)strcspn(text, "\n"), text);
}

static void note_tools(ls_regress *regression) {
    const ls_tools *tools = ls_tools_once();
    char *verilator = line_of(tools->identity, 0), *compiler = line_of(tools->identity, 3);
    char *yosys = printed_by((const char *const[]){"yosys", "-V", NULL}, false);
    char *gcc = printed_by((const char *const[]){"gcc", "--version", NULL}, false);
    ls_text t = {0};
    ls_text_add(&t, "{");
    add_tool(&t, "lockstep", LS_VERSION);
    add_tool(&t, "verilator", verilator);
    add_tool(&t, "c++", compiler);
    add_tool(&t, "gcc", gcc);
    add_tool(&t, "yosys", yosys);
    ls_text_add(&t, "}");
    regression->tools = ls_text_take(&t);
    free(verilator);
    free(compiler);
    free(yosys);
    free(gcc);
}

/* Read before the first job and behind the last, so that they may be mended meanwhile; plans are in the regression's folder. */
static bool is_read_late(const char *below) {
    static const char *const late[] = {"tb/known_issues", "tb/coverage.waivers", "tb/plans"};
    bool found = false;
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) found |= strcmp(below, late[i]) == 0;
    return found;
}

/* What changed last, of files or of folders; for a message. */
typedef struct latest {
    struct timespec at;
    char *path;
} latest;

typedef struct walk {
    ls_hash *contents; /* NULL: the files are not read */
    ls_stamp stamp;
    latest file, folder;
} walk;

static void hash_program(ls_hash *h, const char *path) {
    char digest[LS_SHA256_HEX];
    (void)ls_sha256_file(path, digest);
    ls_hash_text(h, digest);
}

static void hash_file(ls_hash *h, const char *root, const char *below) {
    char *path = ls_format("%s/%s", root, below);
    ls_hash_text(h, below);
    hash_program(h, path);
    free(path);
}

static bool later(struct timespec a, struct timespec b) {
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

static void note_change(latest *l, const struct stat *s, const char *path) {
    if (l->path != NULL && !later(s->st_ctim, l->at)) return;
    free(l->path);
    *l = (latest){s->st_ctim, ls_copy(path)};
}

/* What an editor leaves beside a file: x~ and #x#. */
static bool is_an_editors(const char *name) {
    const size_t n = strlen(name);
    return n > 1 && (name[n - 1] == '~' || (name[0] == '#' && name[n - 1] == '#'));
}

/* Names and contents of all files below a folder that are neither hidden nor an editor's, in the order of their names. */
static void hash_folder(walk *w, const char *root, const char *folder, unsigned deep) {
    char *path = ls_format("%s/%s", root, folder);
    ls_args names = {0};
    struct stat s;
    DIR *d = opendir(path);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.' && !is_an_editors(e->d_name)) ls_args_add(&names, "%s", e->d_name);
    if (d != NULL && fstat(dirfd(d), &s) == 0) note_change(&w->folder, &s, folder);
    ls_args_sort(&names);
    for (size_t i = 0; i < names.count; i++) {
        char *below = ls_format("%s/%s", folder, names.list[i]);
        const bool late = is_read_late(below), there = !late && fstatat(dirfd(d), names.list[i], &s, 0) == 0;
        if (there && S_ISDIR(s.st_mode)) {
            if (deep > 0) hash_folder(w, root, below, deep - 1);
        } else if (!late) {
            if (there) note_change(&w->file, &s, below);
            ls_stamp_add(&w->stamp, below, there ? &s : NULL);
            if (w->contents != NULL) hash_file(w->contents, root, below);
        }
        free(below);
    }
    if (d != NULL) (void)closedir(d);
    ls_args_free(&names);
    free(path);
}

/* The program that coverage of models becomes, beside this one. To be freed. */
static char *gcov_program(void) {
    return ls_format("%.*sgcov/lockstep", (int)(strrchr(ls_self(), '/') + 1 - ls_self()), ls_self());
}

/* Of this program's file, which is what jobs and the triage call, and of the one for coverage. NULL: it cannot be read. */
static char *hash_of_program(void) {
    ls_hash h = ls_hash_begin();
    char *gcov = gcov_program();
    const bool readable = access(ls_self(), R_OK) == 0;
    hash_program(&h, ls_self());
    hash_program(&h, gcov);
    free(gcov);
    return readable ? ls_hash_end(&h) : NULL;
}

/* The folders of a project's units: RTL, models, benches. */
static void hash_project(walk *w) {
    static const ls_unit_part parts[] = {LS_PART_RTL, LS_PART_MODEL, LS_PART_BENCH};
    ls_args folders = {0};
    for (const ls_unit *const *u = ls_own_units; *u != NULL && (*u)->place != NULL; u++) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            char *file = ls_unit_part_name(*u, parts[i]), *folder = ls_folder_of(file);
            ls_args_add(&folders, "%s", folder);
            free(folder);
            free(file);
        }
        for (const char *const *m = (*u)->place->modules; *m != NULL; m++)
            ls_args_add(&folders, "%s", *m + strlen(ls_home()) + 1); /* all are below it */
    }
    ls_args_sort(&folders);
    for (size_t i = 0; i < folders.count; i++)
        if (i == 0 || strcmp(folders.list[i], folders.list[i - 1]) != 0) hash_folder(w, ls_home(), folders.list[i], FOLDERS_DEEP);
    ls_args_free(&folders);
}

/* What jobs read in the source tree, and in a project: what DUTs and mutants are made of, cases of the corpus, scripts. */
static void walk_sources(walk *w) {
    static const char *const folders[] = {"rtl", "cmodel", "harness", "tb", "synth_scripts"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) hash_folder(w, ls_root(), folders[i], FOLDERS_DEEP);
    hash_project(w);
}

static void free_walk(walk *w) {
    free(w->file.path);
    free(w->folder.path);
}

/* Of the sources. `*changed`, to be freed: the file that changed last, or the folder, when none did since the regression was
 * started (one that is gone). */
static char *hash_of_sources(const char *started, char **changed) {
    ls_hash contents = ls_hash_begin();
    walk w = {.contents = &contents, .stamp = ls_stamp_begin("")};
    struct tm tm = {0};
    walk_sources(&w);
    if (changed != NULL) {
        const bool known = strptime(started, "%Y-%m-%dT%H:%M:%SZ", &tm) != NULL;
        const bool file = w.file.path != NULL && (!known || w.file.at.tv_sec >= timegm(&tm));
        *changed = ls_copy(file ? w.file.path : w.folder.path != NULL ? w.folder.path : "");
    }
    free_walk(&w);
    return ls_hash_end(&contents);
}

static void stamp_program(ls_stamp *stamp, const char *path) {
    struct stat is;
    ls_stamp_add(stamp, path, stat(path, &is) == 0 ? &is : NULL);
}

/* Of the programs and the sources, without a look into them. */
static ls_stamp stamp_of_files(void) {
    walk w = {.stamp = ls_stamp_begin(ls_root())};
    char *gcov = gcov_program();
    walk_sources(&w);
    stamp_program(&w.stamp, ls_self());
    stamp_program(&w.stamp, gcov);
    free(gcov);
    free_walk(&w);
    return w.stamp;
}

int ls_regress_note(ls_regress *regression, char *error, size_t size) {
    note_source(regression);
    note_tools(regression);
    regression->program = hash_of_program();
    regression->sources = hash_of_sources(regression->started, NULL);
    if (regression->program != NULL) return 0;
    regression->program = ls_copy("");
    (void)snprintf(error, size, "%s: cannot be read", ls_self());
    return -1;
}

/* As ls_regress_check_files, by what is in the files. */
static int read_files(const ls_regress *regression, char *error, size_t size) {
    char *changed, *program = hash_of_program(), *sources = hash_of_sources(regression->started, &changed);
    int status = -1;
    if (program == NULL || strcmp(program, regression->program) != 0)
        (void)snprintf(error, size, "%s is not the program that this regression began with: it was built anew, or is another one",
                       ls_self());
    else if (strcmp(sources, regression->sources) != 0)
        (void)snprintf(error, size,
                       "a file in %s (below %s) is not what this regression began with; what changed there last is %s", ls_home(),
                       strcmp(ls_home(), ls_root()) == 0 ? "rtl, cmodel, harness, tb or synth_scripts"
                                                         : "its folders of RTL, models and benches",
                       changed);
    else status = 0;
    free(changed);
    free(program);
    free(sources);
    return status;
}

/* What files.stamp has, when they are. */
static char *finding_of(const ls_regress *regression) {
    return ls_format("program %s, sources %s\n", regression->program, regression->sources);
}

static char *note_of(const ls_regress *regression) { return ls_format("%s/files.stamp", regression->folder); }

char *ls_regress_files_noted(const ls_regress *regression) {
    char *note = note_of(regression), *finding = finding_of(regression), *mark = ls_stamp_marked(note, finding);
    free(finding);
    free(note);
    return mark;
}

int ls_regress_check_files(const ls_regress *regression, const char *since, char *error, size_t size) {
    const ls_stamp stamp = stamp_of_files();
    char *note = note_of(regression), *finding = finding_of(regression), *mark = ls_stamp_mark(&stamp, finding);
    char *noted = ls_stamp_marked(note, finding);
    const bool same = noted != NULL && strcmp(noted, mark) == 0;
    int status = same ? 0 : read_files(regression, error, size);
    if (!same && status == 0) ls_stamp_note(&stamp, note, finding);
    if (status == 0 && since != NULL && strcmp(since, mark) != 0) status = 1;
    free(noted);
    free(mark);
    free(finding);
    free(note);
    return status;
}

/* Says which tool has another version. True: one has. */
static bool other_tools(const ls_regress *regression, const ls_regress *now, char *error, size_t size) {
    static const char *const names[] = {"lockstep", "verilator", "c++", "gcc", "yosys"};
    static const char *const paths[] = {"$.lockstep", "$.verilator", "$.\"c++\"", "$.gcc", "$.yosys"};
    enum { TOOLS = sizeof names / sizeof *names };
    char *then[TOOLS], *today[TOOLS];
    bool other = false;
    (void)ls_json_values(regression->tools, paths, TOOLS, then);
    (void)ls_json_values(now->tools, paths, TOOLS, today);
    for (size_t i = 0; i < TOOLS; i++) {
        const char *a = then[i] != NULL ? then[i] : "not there", *b = today[i] != NULL ? today[i] : "not there";
        if (!other && strcmp(a, b) != 0) {
            (void)snprintf(error, size, "%s: this regression began with \"%s\", now it is \"%s\"", names[i], a, b);
            other = true;
        }
        free(then[i]);
        free(today[i]);
    }
    return other;
}

int ls_regress_check(const ls_regress *regression, char *error, size_t size) {
    ls_regress now = {0};
    int status = -1;
    note_source(&now);
    note_tools(&now);
    /* Of the work tree the files alone decide, which jobs read: others may change, and git may say nothing. */
    if (regression->source[0] != '\0' && now.source[0] != '\0' && strcmp(regression->source, now.source) != 0)
        (void)snprintf(error, size, "this regression began at commit %s, the tree is now at %s", regression->source, now.source);
    else if (!other_tools(regression, &now, error, size)) status = ls_regress_check_files(regression, NULL, error, size);
    ls_regress_free(&now);
    return status;
}
