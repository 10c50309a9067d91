/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/regress/regress_plan.h"

#include <dirent.h>
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"
#include "harness/core/case.h"
#include "harness/core/config.h"
#include "harness/fuzz/corpus.h"
#include "harness/core/machine.h"
#include "harness/core/workload.h"
#include "harness/mutants/mutants.h"

enum { COLUMNS = 7, REQUIRED = 6, FOLDERS_DEEP = 16, SEEDS_MAX = 100000, LIMIT_MAX = 1000000 };
#define NO_UNIT "-"
#define MACHINE "machine:"
#define SAMPLE_MAX 1000 /* as --sample */
#define CYCLES_MAX UINT64_C(1000000000000000)
#define WORKLOAD_TIMEOUT                                                                                                         \
    "60" /* seconds for one cycle of a workload: reading a warp counts, and it may come from slow storage                        \
          */

typedef enum kind { RANDOM, CORPUS, KERNEL, TRACE, FAULTS, MUTANTS, COVERAGE, NETLIST, PROOF, KINDS } kind;

/* A row of the plan, and the list that it adds to. */
typedef struct row {
    const ls_plan_source *from;
    ls_jobs *jobs;
    size_t line, first; /* its first job in the list */
    char *column[COLUMNS];
    kind kind;
    const char *pattern;         /* of kernels or traces, or a part of the tool: behind the colon */
    uint32_t tier, limit, seeds; /* seeds: 0 for "-" */
    const char *block;
    uint64_t cycles; /* 0 for "-" */
    uint32_t sample; /* of mutants, in the column of cycles; 0 for "-" */
    char *error;
    size_t size;
} row;

/* ---- messages ---- */

static int wrong(const row *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int wrong(const row *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    ls_error_at(r->error, r->size, r->from->path, r->line, format, args);
    va_end(args);
    return -1;
}

/* ---- jobs ---- */

void ls_job_free(ls_job *j) {
    free(j->name);
    free(j->unit);
    free(j->params);
    free(j->stimulus);
    free(j->block);
    free(j->seed);
    ls_args_free(&j->args);
    *j = (ls_job){0};
}

void ls_jobs_free(ls_jobs *jobs) {
    for (size_t i = 0; i < jobs->count; i++) ls_job_free(&jobs->list[i]);
    free(jobs->list);
    *jobs = (ls_jobs){0};
}

/* A name's part of the parameters: "ROWS=8,LANES=1", "default" for none. */
static char *params_part(const char *params) {
    char *part = ls_copy(params[0] != '\0' ? params : "default");
    for (char *blank = part; (blank = strchr(blank, ' ')) != NULL;) *blank = ',';
    return part;
}

static void add_params(ls_args *args, const char *params) {
    char *copy = ls_copy(params), *rest = copy;
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        const bool machine = strncmp(word, MACHINE, strlen(MACHINE)) == 0;
        ls_args_add(args, "%s", machine ? "--machine" : "--param");
        ls_args_add(args, "%s", machine ? word + strlen(MACHINE) : word);
    }
    free(copy);
}

/* A new job at the list's end: everything but seed and arguments. Takes the name. */
static ls_job *add_job(const row *r, char *name, const char *unit, const char *params, const char *stimulus, const char *block) {
    ls_jobs *jobs = r->jobs;
    jobs->list = ls_grow(jobs->list, jobs->count, sizeof *jobs->list);
    ls_job *j = &jobs->list[jobs->count++];
    *j = (ls_job){.tier = r->tier,
                  .limit = r->limit,
                  .name = name,
                  .unit = ls_copy(unit),
                  .params = ls_copy(params),
                  .stimulus = ls_copy(stimulus),
                  .block = ls_copy(block),
                  .seed = ls_copy(""),
                  .line = r->line};
    return j;
}

/* Of the job's name alone, or of its name and the regression's base. */
static void add_seed(const row *r, ls_job *j) {
    free(j->seed);
    j->seed = ls_format("%016" PRIx64, ls_seed_derive(strcmp(r->block, "fresh") == 0 ? r->from->fresh : 0, j->name));
    ls_args_add(&j->args, "--seed");
    ls_args_add(&j->args, "%s", j->seed);
}

/* A run of a unit at these parameters, once for each seed of the row; `path` is its workload, or NULL. */
static int add_runs(const row *r, const ls_unit *unit, const char *params, const char *stimulus, const char *path) {
    char *part = params_part(params);
    const uint32_t count = r->seeds > 0 ? r->seeds : 1;
    for (uint32_t i = 0; i < count && r->jobs->count <= LS_JOBS_MAX; i++) {
        char *name = r->seeds > 0 ? ls_format("%s/%s/%s/%s.%u", unit->name, part, stimulus, r->block, i)
                                  : ls_format("%s/%s/%s", unit->name, part, stimulus);
        ls_job *j = add_job(r, name, unit->name, params, stimulus, r->seeds > 0 ? r->block : "");
        ls_args_add(&j->args, "run");
        ls_args_add(&j->args, "%s", unit->name);
        add_params(&j->args, params);
        if (r->kind == NETLIST) ls_args_add(&j->args, "--netlist");
        if (path != NULL) {
            ls_args_add(&j->args, "--workload");
            ls_args_add(&j->args, "%s", path);
            ls_args_add(&j->args, "--timeout");
            ls_args_add(&j->args, WORKLOAD_TIMEOUT);
        }
        if (r->seeds > 0) add_seed(r, j);
        if (r->cycles > 0) {
            ls_args_add(&j->args, "--cycles");
            ls_args_add(&j->args, "%" PRIu64, r->cycles);
        }
    }
    free(part);
    return r->jobs->count <= LS_JOBS_MAX ? 0 : wrong(r, "more than %u jobs", LS_JOBS_MAX);
}

/* ---- columns ---- */

/* A whole number from `min` to `max`, in `scaled` with k or M behind it; digits alone, no sign. */
static int number(const row *r, const char *what, const char *text, uint64_t min, uint64_t max, bool scaled, uint64_t *to) {
    if (!ls_whole_number(text, scaled, to) || *to > max || *to < min)
        return wrong(r, "%s \"%s\": expected a whole number from %" PRIu64 " to %" PRIu64 "%s", what, text, min, max,
                     scaled ? " (k and M allowed)" : "");
    return 0;
}

/* What kind of stimulus it is. */
static int take_stimulus(row *r) {
    static const char *const names[] = {"random",  "corpus",   "kernel:", "trace:", "faults",
                                        "mutants", "coverage", "netlist", "proof",  "mutants:"};
    const char *text = r->column[3];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        const bool open = names[i][n - 1] == ':';
        if (strncmp(text, names[i], n) != 0 || (open ? text[n] == '\0' : text[n] != '\0')) continue;
        r->kind = i < KINDS ? (kind)i : MUTANTS;
        r->pattern = open ? text + n : NULL;
        return 0;
    }
    return wrong(r,
                 "stimulus \"%s\": expected random, corpus, kernel:PATTERN, trace:PATTERN, faults, mutants, mutants:PART, "
                 "coverage, netlist or proof",
                 text);
}

/* Of what is neither drawn nor counted in cycles. */
static bool is_one_job(kind k) { return k == CORPUS || k == FAULTS || k == PROOF; }

/* Whether the columns behind the stimulus go with it. */
static int take_seeds(row *r) {
    const char *text = r->column[4];
    uint64_t n = 0;
    if (strcmp(text, "-") == 0) {
        if (r->kind == RANDOM || r->kind == COVERAGE || r->kind == NETLIST)
            return wrong(r, "seeds \"-\": %s needs fixed:N or fresh:N", r->column[3]);
        return 0;
    }
    const char *colon = strchr(text, ':');
    const size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    const bool fixed = length == 5 && strncmp(text, "fixed", length) == 0;
    const bool fresh = length == 5 && strncmp(text, "fresh", length) == 0;
    if (!fixed && !fresh) return wrong(r, "seeds \"%s\": expected fixed:N, fresh:N or -", text);
    if (is_one_job(r->kind)) return wrong(r, "seeds \"%s\": %s takes none, expected -", text, r->column[3]);
    if (r->kind == MUTANTS && strcmp(text, "fresh:1") != 0)
        return wrong(r, "seeds \"%s\": mutants takes - (the same in every regression) or fresh:1", text);
    if (number(r, "seeds", colon + 1, 1, SEEDS_MAX, false, &n) != 0) return -1;
    r->seeds = (uint32_t)n;
    r->block = fixed ? "fixed" : "fresh";
    return 0;
}

static int take_columns(row *r) {
    uint64_t n = 0;
    if (number(r, "tier", r->column[0], 1, 9, false, &n) != 0 || take_stimulus(r) != 0 || take_seeds(r) != 0) return -1;
    r->tier = (uint32_t)n;
    if (strcmp(r->column[5], "-") != 0) {
        if (is_one_job(r->kind)) return wrong(r, "cycles \"%s\": %s takes none, expected -", r->column[5], r->column[3]);
        if (r->kind == MUTANTS) {
            if (number(r, "mutants of a side", r->column[5], 1, SAMPLE_MAX, false, &n) != 0) return -1;
            r->sample = (uint32_t)n;
        } else if (number(r, "cycles", r->column[5], 1, CYCLES_MAX, true, &r->cycles) != 0) {
            return -1;
        }
    }
    r->limit = r->kind == MUTANTS ? LS_JOB_LIMIT_MUTANTS : LS_JOB_LIMIT;
    if (r->column[6] != NULL) {
        if (number(r, "limit", r->column[6], 1, LIMIT_MAX, false, &n) != 0) return -1;
        r->limit = (uint32_t)n;
    }
    const bool none = r->kind == FAULTS || r->kind == MUTANTS;
    const char *params = r->column[2];
    if (none && strcmp(params, "-") != 0) return wrong(r, "params \"%s\": %s brings its own, expected -", params, r->column[3]);
    if (r->kind == PROOF && strncmp(params, MACHINE, strlen(MACHINE)) == 0)
        return wrong(r, "params \"%s\": a proof is of a unit, in no machine", params);
    if (r->kind == CORPUS && strcmp(params, "-") != 0 && strcmp(params, "*") != 0)
        return wrong(r, "params \"%s\": a case brings its own, expected -", params);
    if (!none && r->kind != CORPUS && r->kind != PROOF && strcmp(params, "-") == 0)
        return wrong(r, "params \"-\": %s needs *, default, small, A=1,B=2 or machine:NAME", r->column[3]);
    return 0;
}

/* ---- what the columns select ---- */

/* The parameters of the unit in that machine, one of those that are shipped: they are what a regression's sources are. */
static int take_machine(const row *r, const ls_unit *unit, const char *name, void *cfg) {
    char error[1024] = "";
    ls_machine m;
    if (strpbrk(name, "/.") != NULL || name[0] == '\0')
        return wrong(r, "params \"%s\": expected a shipped machine, which `lockstep list --machines` names", r->column[2]);
    if (ls_machine_read(&m, name, error, sizeof error) != 0) return wrong(r, "%s", error);
    int status = 0;
    if (unit->surround == NULL) status = wrong(r, "%s is no system: it has no machine", unit->name);
    else if (ls_machine_configure(&m, unit, cfg, error, sizeof error) != 0 ||
             unit->surround(NULL, &m.surroundings, error, sizeof error) != 0)
        status = wrong(r, "%s in %s: %s", unit->name, name, error);
    ls_machine_free(&m);
    return status;
}

/* Adds the set unless it is there; one that the unit refuses is an error. `text`: "A=1 B=2"; of a machine, or NULL. */
static int add_set(const row *r, const ls_unit *unit, const char *machine, const char *text, ls_args *sets) {
    char error[512];
    void *cfg = ls_config_new(unit), *from = ls_config_new(unit);
    int status = machine != NULL ? take_machine(r, unit, machine, from) : 0;
    memcpy(cfg, from, unit->cfg_size);
    if (status == 0 && ls_config_set_all(unit, cfg, text, error, sizeof error) != 0) status = wrong(r, "%s", error);
    const char *why = status == 0 ? unit->check(cfg) : NULL;
    if (why != NULL) status = wrong(r, "%s at %s: %s", unit->name, r->column[2], why);
    char *difference = ls_config_difference(unit, cfg, from),
         *set = machine == NULL ? ls_copy(difference)
                                : ls_format(MACHINE "%s%s%s", machine, difference[0] != '\0' ? " " : "", difference);
    bool known = false;
    for (size_t i = 0; i < sets->count; i++) known |= strcmp(sets->list[i], set) == 0;
    if (status == 0 && !known) ls_args_add(sets, "%s", set);
    free(difference);
    free(set);
    free(cfg);
    free(from);
    return status;
}

/* No parameter of "A=1,B=2", an end of the column, is there twice: the last would win, unseen. */
static int check_once(const row *r, const char *text) {
    for (const char *a = text; a != NULL; a = strchr(a, ',') != NULL ? strchr(a, ',') + 1 : NULL) {
        const size_t n = strcspn(a, "=,");
        if (n == 0) return wrong(r, "params \"%s\": expected A=1,B=2", r->column[2]);
        for (const char *b = text; b < a; b = strchr(b, ',') + 1)
            if (strncmp(a, b, n) == 0 && b[n] == '=')
                return wrong(r, "params \"%s\": %.*s is there twice", r->column[2], (int)n, a);
    }
    return 0;
}

/* The parameter sets of the row for this unit. */
static int take_sets(const row *r, const ls_unit *unit, ls_args *sets) {
    const char *text = r->column[2];
    int status = 0;
    if (strcmp(text, "default") == 0) return add_set(r, unit, NULL, "", sets);
    if (strcmp(text, "small") == 0)
        return add_set(r, unit, NULL, unit->faults[0].params != NULL ? unit->faults[0].params : "", sets);
    if (strcmp(text, "*") == 0) {
        for (size_t i = 0; status == 0 && unit->sets[i] != NULL; i++) status = add_set(r, unit, NULL, unit->sets[i], sets);
        return status;
    }
    char *machine = NULL;
    if (strncmp(text, MACHINE, strlen(MACHINE)) == 0) {
        text += strlen(MACHINE);
        machine = ls_format("%.*s", (int)strcspn(text, ","), text);
        text += strlen(machine);
        text += *text == ',' && text[1] != '\0'; /* a comma at the end stays, and is none of A=1,B=2 */
    }
    char *set = ls_copy(text);
    for (char *comma = set; (comma = strchr(comma, ',')) != NULL;) *comma = ' ';
    if (machine == NULL || *text != '\0') status = check_once(r, text);
    if (status == 0) status = add_set(r, unit, machine, set, sets);
    free(set);
    free(machine);
    return status;
}

/* ---- folders ---- */

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* What is in a folder, by name, but for hidden files. Nothing else may be overlooked: what is not run is not missed. 0, or -1 and
 * a message; `missing` when there may be no such folder. */
static int read_folder(const row *r, const char *folder, bool missing, ls_args *names) {
    DIR *d = opendir(folder);
    int error = d == NULL ? errno : 0;
    if (missing && error == ENOENT) return 0;
    while (error == 0) {
        errno = 0;
        const struct dirent *e = readdir(d);
        error = e == NULL ? errno : 0;
        if (e == NULL) break;
        if (e->d_name[0] != '.') ls_args_add(names, "%s", e->d_name);
    }
    if (d != NULL) (void)closedir(d);
    ls_args_sort(names);
    return error == 0 ? 0 : wrong(r, "%s: %s", folder, strerror(error));
}

/* A name with one of these would tear jobs.tsv. */
static bool tears(const char *name) { return strpbrk(name, "\t\r\n") != NULL; }

/* What an editor leaves in the corpus. */
static bool is_left(const char *name) { return name[0] == '#' || ends_with(name, "~"); }

/* ".case" or ".corpus", with which the name ends; or NULL. */
static const char *ending_of(const char *name) {
    return ends_with(name, ".case") ? ".case" : ends_with(name, ".corpus") ? ".corpus" : NULL;
}

/* What a file of the corpus is of: its unit, and a copy of its configuration. 0, or -1 and a message. */
static int look_at(const row *r, const char *path, const ls_unit **unit, void **cfg) {
    char error[512];
    ls_case c;
    ls_corpus entries = {0};
    if (ends_with(path, ".corpus")) {
        if (ls_corpus_read(&entries, unit, cfg, path, error, sizeof error) != 0) return wrong(r, "%s", error);
        ls_corpus_free(&entries);
        return 0;
    }
    if (ls_case_read(&c, path, error, sizeof error) != 0) return wrong(r, "%s", error);
    const bool own = c.rtl.count > 0;
    *unit = c.unit;
    *cfg = ls_config_new(c.unit);
    memcpy(*cfg, c.cfg, c.unit->cfg_size);
    ls_case_free(&c);
    if (!own) return 0;
    free(*cfg);
    *cfg = NULL;
    return wrong(r, "%s: it names RTL of its own; a case of the corpus is one of ours", path);
}

/* Whatever lies in the corpus is of a unit: one in a folder that is misspelt would never run, and nobody would see it. */
static int check_corpus(const row *r) {
    ls_args folders = {0}, names = {0};
    int status = read_folder(r, r->from->corpus, true, &folders);
    for (size_t i = 0; status == 0 && i < folders.count; i++) {
        if (is_left(folders.list[i])) continue;
        char *folder = ls_format("%s/%s", r->from->corpus, folders.list[i]);
        if (ls_unit_find(folders.list[i]) == NULL)
            status = wrong(r, "%s: no unit of this name; expected UNIT/NAME.case below %s", folder, r->from->corpus);
        else status = read_folder(r, folder, false, &names);
        for (size_t k = 0; status == 0 && k < names.count; k++)
            if (!is_left(names.list[k]) && (ending_of(names.list[k]) == NULL || tears(names.list[k])))
                status = wrong(r, "%s/%s: not a case; expected NAME.case or NAME.corpus", folder, names.list[k]);
        ls_args_free(&names);
        free(folder);
    }
    ls_args_free(&folders);
    return status;
}

/* The unit's cases and kept stimulus in the corpus, by name. */
static int add_corpus(const row *r, const ls_unit *unit) {
    char *folder = ls_format("%s/%s", r->from->corpus, unit->name);
    ls_args names = {0};
    int status = read_folder(r, folder, true, &names);
    for (size_t i = 0; status == 0 && i < names.count; i++) {
        if (is_left(names.list[i])) continue;
        char *path = ls_format("%s/%s", folder, names.list[i]);
        const ls_unit *of = NULL;
        void *cfg = NULL;
        status = look_at(r, path, &of, &cfg);
        if (status == 0 && of != unit) status = wrong(r, "%s: a case of %s, not of %s", path, of->name, unit->name);
        if (status == 0) {
            const char *ending = ending_of(names.list[i]);
            char *params = ls_config_text(unit, cfg), *part = params_part(params);
            const int length = (int)(strlen(names.list[i]) - strlen(ending));
            /* The name of a corpus is that of its parameters. */
            char *name = strcmp(ending, ".case") == 0 ? ls_format("%s/%s/corpus/%.*s", unit->name, part, length, names.list[i])
                                                      : ls_format("%s/%s/corpus", unit->name, part);
            ls_job *j = add_job(r, name, unit->name, params, "corpus", "corpus");
            ls_args_add(&j->args, "replay");
            ls_args_add(&j->args, "%s", path);
            free(part);
            free(params);
        }
        free(cfg);
        free(path);
    }
    ls_args_free(&names);
    free(folder);
    return status;
}

/* Whether a file of this name is a workload by itself. A trace of one kernel is one where no list names it. */
static bool is_workload(const char *name, bool listed) {
    static const char *const ends[] = {".log", ".log.xz", ".rfs", ".rfs.xz"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(name, ends[i])) return true;
    return strcmp(name, "kernelslist.g") == 0 || (!listed && (ends_with(name, ".traceg") || ends_with(name, ".traceg.xz")));
}

/* Appends the workloads below the folder of traces, as paths behind `below` ("" or "accel-sim/ffma"). 0; or -1 and a message:
 * something cannot be read, such as a link into a file system that is not there. */
static int find_workloads(const row *r, const char *below, unsigned deep, ls_args *found) {
    const char *slash = below[0] != '\0' ? "/" : "";
    char *path = ls_format("%s%s%s", r->from->traces, slash, below), *list = ls_format("%s/kernelslist.g", path);
    const bool listed = ls_readable(list);
    ls_args names = {0};
    int status =
        deep > 0 ? read_folder(r, path, false, &names) : wrong(r, "%s: folders in folders, more than %d", path, FOLDERS_DEEP);
    for (size_t i = 0; status == 0 && i < names.count; i++) {
        struct stat s;
        char *name = ls_format("%s%s%s", below, slash, names.list[i]), *full = ls_format("%s/%s", path, names.list[i]);
        const bool workload = is_workload(names.list[i], listed);
        if (stat(full, &s) != 0) status = wrong(r, "%s: %s", full, strerror(errno));
        else if (S_ISDIR(s.st_mode)) status = find_workloads(r, name, deep - 1, found);
        else if (workload && (!S_ISREG(s.st_mode) || tears(full)))
            status = wrong(r, "%s: not a file, or a name with a tab or a line's end", full);
        else if (workload) ls_args_add(found, "%s", name);
        free(name);
        free(full);
    }
    ls_args_free(&names);
    free(list);
    free(path);
    return status;
}

static bool matches(const char *pattern, const char *text) { return fnmatch(pattern, text, FNM_NOESCAPE) == 0; }

/* A system at one parameter set with every workload of the row's pattern; `workloads`: names of kernels, or paths of traces. */
static int add_workloads(const row *r, const ls_unit *unit, const char *params, const ls_args *workloads) {
    int status = 0;
    for (size_t i = 0; status == 0 && i < workloads->count; i++) {
        const char *name = workloads->list[i];
        char *stimulus = ls_format("%s:%s", r->kind == KERNEL ? "kernel" : "trace", name);
        char *path =
            r->kind == KERNEL ? ls_format("%s/%s.rfs", r->from->streams, name) : ls_format("%s/%s", r->from->traces, name);
        status = add_runs(r, unit, params, stimulus, path);
        free(path);
        free(stimulus);
    }
    return status;
}

/* Paths of traces are relative and go down. */
static bool never_matches(const char *pattern) {
    return pattern[0] == '/' || strstr(pattern, "//") != NULL || pattern[strlen(pattern) - 1] == '/' ||
           strncmp(pattern, "./", 2) == 0 || strncmp(pattern, "../", 3) == 0 || strstr(pattern, "/../") != NULL ||
           strstr(pattern, "/./") != NULL;
}

/* The kernels or traces that the row's pattern names. 1: there is no folder of traces and none was named. */
static int take_workloads(const row *r, ls_args *workloads) {
    ls_args all = {0};
    int status = 0;
    if (r->kind == TRACE && never_matches(r->pattern))
        return wrong(r, "trace \"%s\": no trace has such a path; expected one below the folder of traces", r->pattern);
    if (r->kind == KERNEL) {
        ls_kernel_info k;
        for (size_t i = 0; ls_workload_kernels.entry(i, &k); i++) ls_args_add(&all, "%s", k.name);
    } else if (r->from->traces == NULL) {
        return 1;
    } else {
        status = find_workloads(r, "", FOLDERS_DEEP, &all);
        ls_args_sort(&all);
    }
    for (size_t i = 0; status == 0 && i < all.count; i++)
        if (matches(r->pattern, all.list[i])) ls_args_add(workloads, "%s", all.list[i]);
    ls_args_free(&all);
    if (status == 0 && workloads->count == 0)
        return r->kind == KERNEL ? wrong(r, "no kernel matches \"%s\": `lockstep workload list` names them", r->pattern)
                                 : wrong(r, "no trace below %s matches \"%s\"", r->from->traces, r->pattern);
    return status;
}

/* Whether the unit takes the row's parameters. */
static int check_sets(const row *r, const ls_unit *unit) {
    ls_args sets = {0};
    const int status = take_sets(r, unit, &sets);
    ls_args_free(&sets);
    return status;
}

/* The mutants of a unit, or of a part of the tool. A unit has one such job a regression, whatever draws them: its mutants are
 * told apart by numbers that hold for one drawing. Takes the name. */
static void add_mutants(const row *r, char *name, const char *unit) {
    ls_job *j = add_job(r, name, unit, "", "mutants", r->seeds > 0 ? r->block : "");
    ls_args_add(&j->args, "mutants");
    if (strcmp(unit, NO_UNIT) != 0) ls_args_add(&j->args, "%s", unit);
    if (r->pattern != NULL) {
        ls_args_add(&j->args, "--side");
        ls_args_add(&j->args, "%s", r->pattern);
    }
    if (r->seeds > 0) add_seed(r, j);
    if (r->sample == 0) return;
    ls_args_add(&j->args, "--sample");
    ls_args_add(&j->args, "%" PRIu32, r->sample);
}

/* The sets of the unit in tb/proof.sets, and the options of each. */
static int take_proof_sets(const row *r, const ls_unit *unit, ls_args *sets, ls_args *options) {
    ls_args lines = {0}, of_lines = {0};
    int status = ls_config_sets(r->from->proofs, unit, &lines, &of_lines);
    if (status != 0) return wrong(r, "%s: %s", r->from->proofs, strerror(-status));
    for (size_t i = 0; status == 0 && i < lines.count; i++) {
        const size_t before = sets->count;
        status = add_set(r, unit, NULL, lines.list[i], sets);
        if (sets->count > before) ls_args_add(options, "%s", of_lines.list[i]);
    }
    ls_args_free(&lines);
    ls_args_free(&of_lines);
    return status;
}

static void add_proof(const row *r, const ls_unit *unit, const char *set, const char *options) {
    const bool cut = strstr(options, "--cut") != NULL;
    char *part = params_part(set), *copy = ls_copy(options), *rest = copy;
    ls_job *j = add_job(r, ls_format("%s/%s/proof%s", unit->name, part, cut ? "/cut" : ""), unit->name, set, "proof", "");
    ls_args_add(&j->args, "prove");
    ls_args_add(&j->args, "%s", unit->name);
    add_params(&j->args, set);
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) ls_args_add(&j->args, "%s", word);
    free(copy);
    free(part);
}

static int add_proofs(const row *r, const ls_unit *unit) {
    ls_args sets = {0}, options = {0};
    const int status = strcmp(r->column[2], "-") == 0 ? take_proof_sets(r, unit, &sets, &options) : take_sets(r, unit, &sets);
    for (size_t i = 0; status == 0 && i < sets.count; i++)
        add_proof(r, unit, sets.list[i], i < options.count ? options.list[i] : "");
    ls_args_free(&sets);
    ls_args_free(&options);
    return status;
}

static int add_unit(const row *r, const ls_unit *unit, const ls_args *workloads) {
    if (r->kind == PROOF) return add_proofs(r, unit);
    if (r->kind == CORPUS) return add_corpus(r, unit);
    if (r->kind == MUTANTS) {
        add_mutants(r, ls_format("%s/mutants", unit->name), unit->name);
        return 0;
    }
    if (r->kind == FAULTS) {
        ls_job *j = add_job(r, ls_format("%s/faults", unit->name), unit->name, "", "faults", "");
        ls_args_add(&j->args, "faults");
        ls_args_add(&j->args, "%s", unit->name);
        return 0;
    }
    ls_args sets = {0};
    int status = take_sets(r, unit, &sets);
    for (size_t i = 0; status == 0 && i < sets.count; i++)
        status = workloads->count > 0 ? add_workloads(r, unit, sets.list[i], workloads)
                                      : add_runs(r, unit, sets.list[i], r->column[3], NULL);
    ls_args_free(&sets);
    return status;
}

/* The mutants of a part of the tool are of no unit; of the first one when none is named. */
static int add_part(const row *r) {
    if (r->kind != MUTANTS) return wrong(r, "unit \"-\": only mutants can be of none (the tool's)");
    const char *part = ls_mutants_part(0);
    for (size_t i = 0; r->pattern != NULL && (part = ls_mutants_part(i)) != NULL && strcmp(part, r->pattern) != 0;) i++;
    if (part == NULL) return wrong(r, "stimulus \"%s\": `lockstep mutants --side` names the parts", r->column[3]);
    add_mutants(r, ls_format("%s/mutants", part), NO_UNIT);
    return 0;
}

/* Whether the row's second column selects the unit. */
static bool selects(const char *units, const ls_unit *unit) {
    if (strcmp(units, "@units") == 0) return unit->workload == NULL;
    if (strcmp(units, "@systems") == 0) return unit->workload != NULL;
    return matches(units, unit->name);
}

/* Everything that the row selects; `left_out`: it wants traces and there are none. */
static int take_row(row *r, bool *left_out) {
    const bool pattern = strpbrk(r->column[1], "*?@") != NULL;
    ls_args workloads = {0};
    size_t units = 0;
    int status = take_columns(r);
    if (strcmp(r->column[1], NO_UNIT) == 0) return status == 0 ? add_part(r) : status;
    if (status == 0 && r->kind == MUTANTS && r->pattern != NULL)
        status = wrong(r, "stimulus \"%s\": the mutants of a part of the tool are of no unit, expected -", r->column[3]);
    const bool of_systems = status == 0 && (r->kind == KERNEL || r->kind == TRACE);
    if (!pattern && ls_unit_find(r->column[1]) == NULL && status == 0)
        status = wrong(r, "no unit %s: `lockstep list` names them", r->column[1]);
    if (status == 0 && of_systems && !pattern && ls_unit_find(r->column[1])->workload == NULL)
        status = wrong(r, "%s is no system: it takes no %s", r->column[1], r->column[3]);
    if (status == 0 && of_systems) status = take_workloads(r, &workloads);
    if (status == 0 && r->kind == CORPUS) status = check_corpus(r);
    *left_out = status == 1;
    if (*left_out) status = 0; /* what it says is checked all the same */
    for (const ls_unit *const *u = pattern ? ls_own_units : ls_units; status == 0 && *u != NULL; u++) {
        if (!selects(r->column[1], *u) || (of_systems && (*u)->workload == NULL)) continue;
        units++;
        status = *left_out ? check_sets(r, *u) : add_unit(r, *u, &workloads);
    }
    if (status == 0 && units == 0) status = wrong(r, "no %s matches \"%s\"", of_systems ? "system" : "unit", r->column[1]);
    else if (status == 0 && r->jobs->count == r->first && !*left_out)
        status = wrong(r, "nothing is selected: there is no %s of %s in %s", r->kind == PROOF ? "line" : "case", r->column[1],
                       r->kind == PROOF ? r->from->proofs : r->from->corpus);
    ls_args_free(&workloads);
    return status;
}

/* ---- the plan ---- */

/* Splits a line at its blanks; how many columns there are, one more than COLUMNS when there are too many. */
static size_t split(char *line, char **column) {
    size_t n = 0;
    line[strcspn(line, "#")] = '\0';
    for (char *rest = line, *word; n <= COLUMNS && (word = strtok_r(rest, " \t\r", &rest)) != NULL; n++)
        if (n < COLUMNS) column[n] = word;
    return n;
}

static int take_line(const ls_plan_source *from, ls_jobs *jobs, char *line, size_t n, char *error, size_t size) {
    row r = {.from = from, .jobs = jobs, .line = n, .first = jobs->count, .error = error, .size = size};
    const size_t columns = split(line, r.column);
    bool left_out = false;
    if (columns == 0) return 0;
    if (columns < REQUIRED || columns > COLUMNS)
        return wrong(&r, "%s%zu columns: expected tier, unit, params, stimulus, seeds, cycles and perhaps a limit",
                     columns > COLUMNS ? "more than " : "", columns > COLUMNS ? (size_t)COLUMNS : columns);
    if (take_row(&r, &left_out) != 0) return -1;
    jobs->without_traces += left_out;
    return 0;
}

static int by_name(const void *a, const void *b) {
    const ls_job *const *x = a, *const *y = b;
    const int order = strcmp((*x)->name, (*y)->name);
    return order != 0 ? order : ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

/* Two rows may not name one job: it would have one name and two meanings. */
static int check_names(const ls_jobs *jobs, const char *path, char *error, size_t size) {
    const ls_job **sorted = ls_alloc(jobs->count, sizeof *sorted);
    int status = 0;
    for (size_t i = 0; i < jobs->count; i++) sorted[i] = &jobs->list[i];
    qsort(sorted, jobs->count, sizeof *sorted, by_name);
    for (size_t i = 1; status == 0 && i < jobs->count; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0) continue;
        (void)snprintf(error, size, "%s:%zu: job %s is named by line %zu already", path, sorted[i]->line, sorted[i]->name,
                       sorted[i - 1]->line);
        status = -1;
    }
    free(sorted);
    return status;
}

/* Stable: tier by tier, in each the corpus first. */
static void order(ls_jobs *jobs) {
    ls_job *sorted = ls_alloc(jobs->count, sizeof *sorted);
    size_t n = 0;
    for (uint32_t tier = 1; tier <= 9; tier++)
        for (int corpus = 1; corpus >= 0; corpus--)
            for (size_t i = 0; i < jobs->count; i++) {
                const ls_job *j = &jobs->list[i];
                if (j->tier == tier && (strcmp(j->block, "corpus") == 0) == (corpus != 0)) sorted[n++] = *j;
            }
    if (n > 0) memcpy(jobs->list, sorted, n * sizeof *sorted);
    free(sorted);
}

int ls_jobs_plan(ls_jobs *jobs, const ls_plan_source *from, char *error, size_t size) {
    ls_text text = {0};
    *jobs = (ls_jobs){0};
    int status = ls_text_read(&text, from->path);
    if (status != 0) (void)snprintf(error, size, "%s: %s", from->path, strerror(-status));
    else if (text.size > 0 && strlen(text.data) != text.size) {
        (void)snprintf(error, size, "%s: not a text file", from->path);
        status = -1;
    }
    size_t n = 1;
    for (char *line = text.data, *next; status == 0 && line != NULL; line = next, n++) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        status = take_line(from, jobs, line, n, error, size);
    }
    free(text.data);
    if (status == 0 && jobs->count == 0 && jobs->without_traces == 0) {
        (void)snprintf(error, size, "%s:%zu: the plan has no row", from->path, n > 1 ? n - 1 : 1);
        status = -1;
    }
    if (status == 0) status = check_names(jobs, from->path, error, size);
    if (status == 0) order(jobs);
    else ls_jobs_free(jobs);
    return status != 0 ? -1 : 0;
}

void ls_jobs_filter(ls_jobs *jobs, const char *only, uint32_t tier) {
    size_t kept = 0;
    for (size_t i = 0; i < jobs->count; i++) {
        ls_job *j = &jobs->list[i];
        if ((tier == 0 || j->tier <= tier) && (only == NULL || matches(only, j->name))) jobs->list[kept++] = *j;
        else ls_job_free(j);
    }
    jobs->count = kept;
}

/* ---- jobs.tsv ---- */

enum { TSV_ARGS = 9 }; /* columns before the arguments */

void ls_jobs_write(const ls_jobs *jobs, ls_text *to) {
    for (size_t i = 0; i < jobs->count; i++) {
        const ls_job *j = &jobs->list[i];
        ls_text_add(to, "%zu\t%u\t%s\t%s\t%s\t%s\t%s\t%s\t%u", i, j->tier, j->name, j->unit, j->params, j->stimulus, j->block,
                    j->seed, j->limit);
        for (size_t k = 0; k < j->args.count; k++) ls_text_add(to, "\t%s", j->args.list[k]);
        ls_text_add(to, "\n");
    }
}

/* One line; false, and `to` is empty, when it is none that ls_jobs_write wrote as this number. Its unit may be gone: the
 * regression is reported all the same. */
static bool read_line(ls_job *to, char *line, size_t number) {
    const char *column[TSV_ARGS];
    ls_job j = {0};
    char *rest = line, *word = NULL;
    size_t n = 0;
    while (n < TSV_ARGS && (word = strsep(&rest, "\t")) != NULL) column[n++] = word;
    if (n < TSV_ARGS || rest == NULL || strtoull(column[0], NULL, 10) != number) return false;
    j = (ls_job){.tier = (uint32_t)strtoul(column[1], NULL, 10),
                 .limit = (uint32_t)strtoul(column[8], NULL, 10),
                 .name = ls_copy(column[2]),
                 .unit = ls_copy(column[3]),
                 .params = ls_copy(column[4]),
                 .stimulus = ls_copy(column[5]),
                 .block = ls_copy(column[6]),
                 .seed = ls_copy(column[7])};
    while ((word = strsep(&rest, "\t")) != NULL) ls_args_add(&j.args, "%s", word);
    const bool tool = strcmp(j.unit, NO_UNIT) == 0 && strcmp(j.stimulus, "mutants") == 0;
    const bool good =
        j.tier >= 1 && j.tier <= 9 && j.limit >= 1 && (tool || isalpha((unsigned char)j.unit[0]) || j.unit[0] == '_');
    if (good) *to = j;
    else ls_job_free(&j);
    return good;
}

int ls_jobs_read(ls_jobs *jobs, const char *path, char *error, size_t size) {
    ls_text text = {0};
    *jobs = (ls_jobs){0};
    int status = ls_text_read(&text, path);
    if (status != 0) (void)snprintf(error, size, "%s: %s", path, strerror(-status));
    char *line = text.data;
    size_t n = 1;
    for (; status == 0 && line != NULL && *line != '\0'; n++) {
        char *end = strchr(line, '\n'); /* a line that was cut off has none */
        if (end != NULL) *end = '\0';
        jobs->list = ls_grow(jobs->list, jobs->count, sizeof *jobs->list);
        if (end != NULL && read_line(&jobs->list[jobs->count], line, jobs->count)) {
            jobs->count++;
        } else {
            (void)snprintf(error, size, "%s:%zu: not a job of this version", path, n);
            status = -1;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    free(text.data);
    if (status != 0) ls_jobs_free(jobs);
    return status != 0 ? -1 : 0;
}

/* The line of that number, without its end; to be freed. Lines are in the order of their numbers: half of those that are left go
 * at a time. NULL: there is none. */
static char *find_line(FILE *file, size_t number) {
    char *line = NULL;
    size_t room = 0;
    ssize_t n = 0;
    off_t low = 0, high = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : 0; /* a line begins at low, or it is the end */
    while (low < high) {
        const off_t middle = low + (high - low) / 2;
        off_t begin = fseeko(file, middle, SEEK_SET) == 0 ? middle : -1;
        if (begin > low && (n = getline(&line, &room, file)) > 0) begin = middle + n;
        if (begin < 0 || begin >= high) begin = fseeko(file, low, SEEK_SET) == 0 ? low : -1;
        n = begin >= 0 ? getline(&line, &room, file) : -1;
        if (n <= 0 || line[n - 1] != '\n') break;
        line[n - 1] = '\0';
        const size_t here = strtoull(line, NULL, 10);
        if (here == number) return line;
        if (here < number) low = begin + n;
        else high = begin;
    }
    free(line);
    return NULL;
}

bool ls_jobs_read_one(ls_job *job, const char *path, size_t number) {
    FILE *file = fopen(path, "re");
    char *line = file != NULL ? find_line(file, number) : NULL;
    const bool found = line != NULL && read_line(job, line, number);
    free(line);
    if (file != NULL) (void)fclose(file);
    return found;
}

char *ls_job_mark(const ls_job *j) {
    const char *const texts[] = {j->name, j->unit, j->params, j->stimulus, j->block, j->seed};
    ls_hash h = ls_hash_begin();
    ls_hash_number(&h, j->tier);
    ls_hash_number(&h, j->limit);
    ls_hash_texts(&h, texts, sizeof texts / sizeof *texts);
    ls_hash_texts(&h, (const char *const *)j->args.list, j->args.count);
    return ls_hash_end(&h);
}
