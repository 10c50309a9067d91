/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep faults: plants each fault of a unit's list into a copy of the RTL and demands that lockstep finds it, in the named
 * field. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/base/root.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/core/place.h"
#include "harness/core/design.h"
#include "harness/core/report.h"
#include "harness/proof/proof.h"

#define FAULT_CYCLES 200000u
#define PROOF_SECONDS 60u /* of the solver's work, for each fault */

typedef struct job {
    const ls_unit *unit;
    const ls_fault *fault;
    uint32_t number;
    pid_t pid;
    int out;              /* the child's verdict, one JSON line */
    double start, end;    /* ls_seconds() */
    bool caught, refused; /* refused: it could not be planted or built */
} job;

/* How a child says that its fault could not be run. */
#define NOT_RUN 3

/* "FILE:LINE: " of the fault in its unit's bench, or "" where that is not to be read (an installation); free() it. */
static char *listed_at(const ls_unit *unit, const ls_fault *fault) {
    char *path = ls_unit_part_path(unit, LS_PART_BENCH), *what = ls_format("{\"%s\"", fault->what);
    ls_text text = {0};
    const char *found = ls_text_read(&text, path) == 0 ? strstr(text.data, what) : NULL;
    unsigned line = 1;
    for (const char *at = text.data; found != NULL && at < found; at++) line += *at == '\n';
    char *place = found != NULL ? ls_format("%s:%u: ", path, line) : ls_copy("");
    free(ls_text_take(&text));
    free(what);
    free(path);
    return place;
}

/* Reads the RTL file of the fault: its path, and where the text stands in it; NULL and a message when that is not exactly once.
 */
static const char *find_place(const ls_unit *unit, const ls_fault *fault, char **path, ls_text *text, char *error, size_t size) {
    *path = fault->file != NULL ? ls_unit_path(unit, fault->file) : ls_unit_part_path(unit, LS_PART_RTL);
    if (ls_text_read(text, *path) != 0) {
        (void)snprintf(error, size, "cannot read %s", *path);
        return NULL;
    }
    const char *found = strstr(text->data, fault->from);
    if (found != NULL && strstr(found + 1, fault->from) == NULL) return found;
    char *listed = listed_at(unit, fault);
    (void)snprintf(error, size, "%s%s: %s %s \"%s\"", listed, found == NULL ? "place not found" : "place not unique", *path,
                   found == NULL ? "does not contain" : "has more than once", fault->from);
    free(listed);
    return NULL;
}

/* The RTL has the text of the fault. */
static bool has_place(const ls_unit *unit, const ls_fault *fault) {
    char *path, error[1024];
    ls_text text = {0};
    const bool has = find_place(unit, fault, &path, &text, error, sizeof error) != NULL;
    free(ls_text_take(&text));
    free(path);
    return has;
}

/* The RTL file of the fault with the text replaced, as a new file in `folder`; NULL and a message when that cannot be. */
static char *plant(const job *j, const char *folder, char *error, size_t size) {
    ls_text text = {0}, mutant = {0};
    char *from = NULL, *to = NULL;
    const char *found = find_place(j->unit, j->fault, &from, &text, error, size);
    if (found != NULL) {
        to = ls_format("%s/%s", folder, strrchr(from, '/') + 1);
        ls_text_put(&mutant, text.data, (size_t)(found - text.data));
        ls_text_add(&mutant, "%s%s", j->fault->to, found + strlen(j->fault->from));
        const int failed = ls_text_write(&mutant, to);
        if (failed != 0) {
            (void)snprintf(error, size, "cannot write %s: %s", to, strerror(-failed));
            free(to);
            to = NULL;
        }
    }
    free(ls_text_take(&text));
    free(ls_text_take(&mutant));
    free(from);
    return to;
}

/* The unit's files with the planted one in its place. */
static void mutant_files(const job *j, const char *planted, ls_args *files) {
    ls_args ours = {0};
    ls_design_files(j->unit, &ours);
    for (size_t i = 0; i < ours.count; i++) {
        const bool same = strcmp(strrchr(ours.list[i], '/'), strrchr(planted, '/')) == 0;
        ls_args_add(files, "%s", same ? planted : ours.list[i]);
    }
    ls_args_free(&ours);
}

/* The state and the input with which the proof says that model and RTL differ, in place of a run: replayed on the DUT that was
 * built. A proof that there are none is a pass, and the fault is missed. */
static void try_proof(const ls_proof_query *query, const char *so_path, ls_result *r, char *text, size_t size) {
    ls_proof_answer answer;
    char *error = NULL;
    *r = (ls_result){.status = LS_PASS};
    if (ls_prove_model(query, &answer, &error) != 0) {
        r->status = LS_BUILD;
        (void)snprintf(text, size, "%s", error);
        free(error);
        return;
    }
    (void)snprintf(text, size, "%s", answer.message);
    if (answer.verdict == LS_REFUTED) {
        ls_case c;
        ls_proof_case(&answer, query->unit, query->cfg, &c);
        const ls_request run = {.unit = query->unit, .cfg = query->cfg, .so_path = so_path, .replay = &c};
        ls_run(&run, NULL, r);
        ls_case_free(&c);
    }
    ls_proof_answer_free(&answer);
}

/* The set that the unit is proved at, `cut` or whole: the last such line in tb/proof.sets, or "". free() it. */
static char *proof_set(const ls_unit *unit, bool cut) {
    char *path = ls_format("%s/tb/proof.sets", ls_root());
    ls_args sets = {0}, options = {0};
    (void)ls_config_sets(path, unit, &sets, &options); /* a project may have none */
    size_t last = sets.count;
    while (last > 0 && (strstr(options.list[last - 1], "--cut") != NULL) != cut) last--;
    char *set = ls_copy(last > 0 ? sets.list[last - 1] : "");
    ls_args_free(&sets);
    ls_args_free(&options);
    free(path);
    return set;
}

/* The parameters at which a fault is tried: its own, and of a proof those of the command line, or else of the set that the unit is
 * proved at, when they go together with its own. -1 and a message: they cannot be. */
static int choose_params(const job *j, const ls_options *o, void **cfg, char *error, size_t size) {
    const char *own = j->fault->params != NULL ? j->fault->params : "";
    if (o->prove) {
        char *set = o->params ? ls_config_text(j->unit, o->cfg) : proof_set(j->unit, o->cut.count > 0);
        const int status =
            ls_config_set_all(j->unit, *cfg, set, error, size) == 0 ? ls_config_set_all(j->unit, *cfg, own, error, size) : -1;
        free(set);
        const char *wrong = status == 0 ? j->unit->check(*cfg) : NULL;
        if (o->params && wrong != NULL) (void)snprintf(error, size, "%s: %s", j->unit->name, wrong);
        if (status != 0 || o->params || wrong == NULL) return status != 0 || wrong != NULL ? -1 : 0;
        free(*cfg);
        *cfg = ls_config_new(j->unit);
    }
    return ls_config_set_all(j->unit, *cfg, own, error, size);
}

/* Plants, builds and runs one fault; `r` and `text` say what came of it. */
static void try_fault(const job *j, const ls_options *o, const char *folder, ls_result *r, char *text, size_t size) {
    void *cfg = ls_config_new(j->unit);
    char *planted = NULL, *error = NULL;
    ls_build_result build = {0};
    ls_args files = {0};
    *r = (ls_result){.status = LS_USAGE};
    if (choose_params(j, o, &cfg, text, size) == 0) planted = plant(j, folder, text, size);
    if (planted != NULL) {
        mutant_files(j, planted, &files);
        const ls_design_request design = {
            .unit = j->unit, .cfg = cfg, .rtl = (const char *const *)files.list, .rtl_count = files.count};
        if (ls_design_build(&design, &build, &error) != 0) {
            r->status = LS_BUILD;
            (void)snprintf(text, size, "%s", error);
        } else if (o->prove) {
            const ls_proof_query query = {.unit = j->unit,
                                          .cfg = cfg,
                                          .rtl = design.rtl,
                                          .rtl_count = design.rtl_count,
                                          .seconds = PROOF_SECONDS,
                                          .cut = (const char *const *)o->cut.list,
                                          .cut_count = o->cut.count};
            try_proof(&query, build.so_path, r, text, size);
        } else {
            const ls_request run = {.unit = j->unit,
                                    .cfg = cfg,
                                    .so_path = build.so_path,
                                    .seed = ls_seed_derive(o->seed, j->fault->what),
                                    .cycles = FAULT_CYCLES};
            ls_run(&run, NULL, r);
            (void)snprintf(text, size, "%s", r->message);
        }
        (void)unlink(planted);
    }
    free(error);
    free(planted);
    free(cfg);
    ls_args_free(&files);
    ls_build_free(&build);
}

/* The fault was not tried: it could not be planted, or its RTL not be built. */
static bool refused(const ls_result *r) { return r->status == LS_USAGE || r->status == LS_BUILD; }

/* A proof begins in any state: what differs first need not be what does from reset on. */
static bool caught(const ls_options *o, const ls_fault *f, const ls_result *r) {
    return r->status == LS_MISMATCH && (o->prove || strcmp(r->mismatch.field, f->field) == 0);
}

/* A fault's verdict on `out`: a row of the table, or a JSON line. */
static void report(const job *j, const ls_options *o, const ls_result *r, const char *text, FILE *out) {
    const bool ok = caught(o, j->fault, r);
    if (o->json) {
        ls_text t = {0};
        ls_json_open(&t, NULL, '{');
        ls_json_text(&t, "unit", j->unit->name);
        ls_json_text(&t, "fault", j->fault->what);
        ls_json_text(&t, "expected", j->fault->field);
        ls_json_text(&t, "status", ls_status_name(r->status));
        ls_json_text(&t, "field", r->mismatch.field);
        ls_json_uint(&t, "cycle", r->mismatch.cycle);
        ls_json_bool(&t, "caught", ok);
        ls_json_text(&t, "message", text);
        (void)fprintf(out, "%s}\n", t.data);
        free(ls_text_take(&t));
    } else {
        ls_say(out, "%-7s %-14s %-52s ", ok ? "caught" : refused(r) ? "NOT RUN" : "MISSED", j->unit->name, j->fault->what);
        if (refused(r)) {
            ls_say(out, "%s\n        %s\n", r->status == LS_USAGE ? "not planted" : "not built", text);
        } else {
            const char *first = ok && !o->prove            ? j->fault->field
                                : r->status == LS_MISMATCH ? r->mismatch.field
                                                           : ls_status_name(r->status);
            ls_say(out, "%-26s %8" PRIu64 "\n", first, r->mismatch.cycle);
            if (!ok) ls_say(out, "        expected %s%s%s\n", j->fault->field, text[0] != '\0' ? "; " : "", text);
        }
    }
    (void)fflush(out);
}

/* In the child: one fault, its verdict on `out`. The planted file has the same name every time, so that its DUT is found in the
 * cache; the lock keeps others, who plant the same fault at the same time, out of the folder. */
static void child(const job *j, const ls_options *o, FILE *out) {
    char text[1024] = "";
    ls_result r;
    char *folder = ls_format("%s/faults/%s-%u", ls_cache(), j->unit->name, j->number), *lock_path = ls_format("%s.lock", folder);
    char *parent = ls_format("%s/faults", ls_cache());
    int error = ls_make_directories(parent);
    const int lock = error == 0 ? ls_lock(lock_path) : error;
    error = lock < 0 ? lock : ls_make_directories(folder);
    if (error != 0) ls_die("%s: %s", folder, strerror(-error));
    try_fault(j, o, folder, &r, text, sizeof text);
    (void)rmdir(folder);
    ls_unlock(lock, lock_path);
    report(j, o, &r, text, out);
    _exit(caught(o, j->fault, &r) ? 0 : refused(&r) ? NOT_RUN : 1);
}

static void start(job *j, const ls_options *o) {
    int ends[2];
    if (pipe(ends) != 0) ls_die("no pipe");
    (void)fflush(NULL);
    const pid_t self = getpid();
    j->start = ls_seconds();
    j->pid = fork();
    if (j->pid < 0) ls_die("cannot start a process");
    if (j->pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* no job outlives a killed run */
        if (getppid() != self) _exit(1);
        (void)close(ends[0]);
        child(j, o, fdopen(ends[1], "w"));
    }
    (void)close(ends[1]);
    j->out = ends[0];
}

/* Waits for a job and prints what it said, or how it died without a word. */
static void finish(job *j, const ls_options *o) {
    char buffer[8192], text[128];
    bool silent = true;
    int status = 0;
    ls_progress_begin("%s: planted faults", j->unit->name);
    for (ssize_t n; (n = read(j->out, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);) {
        ls_progress_clear();
        if (n > 0) silent &= fwrite(buffer, 1, (size_t)n, stdout) == 0;
    }
    ls_progress_end();
    (void)close(j->out);
    while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (silent) {
        if (WIFSIGNALED(status))
            (void)snprintf(text, sizeof text, "its process was killed by signal %d (%s)", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
        else (void)snprintf(text, sizeof text, "its process ended with exit status %d", WEXITSTATUS(status));
        report(j, o, &(ls_result){.status = LS_CRASH}, text, stdout);
    }
    (void)fflush(stdout);
    j->end = ls_seconds();
    j->caught = !silent && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    j->refused = !silent && WIFEXITED(status) && WEXITSTATUS(status) == NOT_RUN;
}

/* Appends what came of one unit's faults, jobs[0] to jobs[count - 1], as a JSON object. */
static void record(const ls_options *o, const job *jobs, size_t count) {
    ls_text t = {0}, missed = {0};
    size_t good = 0, refused = 0;
    double start = jobs[0].start, end = jobs[0].end;
    for (size_t i = 0; i < count; i++) {
        good += jobs[i].caught;
        refused += jobs[i].refused;
        start = jobs[i].start < start ? jobs[i].start : start;
        end = jobs[i].end > end ? jobs[i].end : end;
        if (jobs[i].caught) continue;
        ls_json_text(&missed, NULL, jobs[i].fault->what);
    }
    const char *status = good == count ? "pass" : good + refused == count ? ls_status_name(LS_BUILD) : "missed";
    ls_json_open(&t, NULL, '{');
    ls_json_text(&t, "unit", jobs[0].unit->name);
    ls_json_text(&t, "status", status);
    ls_json_uint(&t, "planted", count);
    ls_json_uint(&t, "caught", good);
    ls_json_open(&t, "missed", '[');
    if (missed.size > 0) ls_json_raw(&t, NULL, missed.data);
    ls_json_close(&t, '[');
    char *message = ls_format("%zu of %zu planted faults not caught in the right field", count - good, count);
    if (good < count) ls_json_text(&t, "message", message);
    free(message);
    ls_json_fixed(&t, "seconds", end - start, 3);
    ls_json_close(&t, '{');
    ls_text_put(&t, "\n", 1);
    const int failed = ls_text_append(&t, o->record); /* several jobs may append to one file */
    if (failed != 0) ls_die("%s: %s", o->record, strerror(-failed));
    free(t.data);
    free(missed.data);
}

/* Of a unit without planted faults, of which nothing is known then: says so, and in the record too. */
static int tell_none(const ls_options *o) {
    char *bench = ls_unit_part_name(o->unit, LS_PART_BENCH);
    char *message = ls_format("no fault is planted: %s lists them", bench);
    ls_command_complain(o->unit->name, message);
    if (o->record != NULL) {
        ls_text t = {0};
        ls_json_open(&t, NULL, '{');
        ls_json_text(&t, "unit", o->unit->name);
        ls_json_text(&t, "status", "missed");
        ls_json_uint(&t, "planted", 0);
        ls_json_uint(&t, "caught", 0);
        ls_json_text(&t, "message", message);
        ls_json_close(&t, '{');
        ls_text_put(&t, "\n", 1);
        const int failed = ls_text_append(&t, o->record);
        if (failed != 0) ls_die("%s: %s", o->record, strerror(-failed));
        free(t.data);
    }
    free(bench);
    free(message);
    return 1;
}

int ls_command_faults(ls_options *o) {
    job *jobs = NULL;
    size_t count = 0, good = 0, all = 0;
    for (const ls_unit *const *u = o->unit != NULL ? ls_units : ls_own_units; *u != NULL; u++) {
        if (o->unit != NULL && o->unit != *u) continue;
        size_t listed = 0;
        while ((*u)->faults[listed].what != NULL) listed++;
        all += listed;
        for (const ls_fault *f = (*u)->faults; f->what != NULL; f++) {
            /* One that cannot be planted any more is in every sample: it says so without a build. */
            const size_t number = (size_t)(f - (*u)->faults);
            if (!ls_sampled(number, listed, o->sample, o->turn) && has_place(*u, f)) continue;
            jobs = ls_resize(jobs, (count + 1) * sizeof *jobs);
            jobs[count] = (job){.unit = *u, .fault = f, .number = (uint32_t)number};
            count++;
        }
    }
    if (all == 0 && o->unit != NULL) return tell_none(o);
    (void)ls_tools_once();
    if (!o->json) ls_say(stdout, "%-7s %-14s %-52s %-26s %8s\n", "", "unit", "planted fault", "first field", "cycle");
    const size_t width = o->jobs > 0 ? (size_t)o->jobs : 1;
    for (size_t i = 0; i < count + width; i++) { /* verdicts in the list's order, `width` jobs ahead */
        if (i >= width && i - width < count) {
            finish(&jobs[i - width], o);
            good += jobs[i - width].caught;
        }
        if (i < count) start(&jobs[i], o);
    }
    if (!o->json && count < all) (void)printf("planted were %zu of %zu, turn %u\n", count, all, o->turn > 0 ? o->turn : 1);
    if (!o->json) (void)printf("%zu of %zu planted faults caught in the right field\n", good, count);
    for (size_t i = 0, n; o->record != NULL && i < count; i += n) {
        for (n = 1; i + n < count && jobs[i + n].unit == jobs[i].unit; n++) {
        }
        record(o, &jobs[i], n);
    }
    free(jobs);
    return count > 0 && good == count ? 0 : 1;
}
