/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep regress, job, report. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/cli/commands.h"
#include "harness/core/report.h"
#include "harness/coverage/coverage.h"
#include "harness/coverage/coverage_waivers.h"
#include "harness/history/store.h"
#include "harness/regress/triage.h"
#include "harness/regress/known.h"
#include "harness/regress/report_write.h"
#include "harness/regress/regress.h"

#define REGRESSIONS "build/regress"
#define HISTORY "build/regress/history.db"
#define KNOWN_ISSUES "tb/known_issues"
#define WAIVERS "tb/coverage.waivers"
#define BUCKETS_LOOKED_INTO 10u

static int complain(const char *text) {
    ls_say(stderr, "lockstep: %s\n", text);
    return 2;
}

static void on_unwritable(int number) { (void)number; }

/* A pipe that nobody reads, or a file over the limit, is an error of the write that is told with exit code 2, and no death
 * without a word. Caught and not ignored: so programs that are started begin with the default again. */
static void survive_writing(void) {
    const struct sigaction action = {.sa_handler = on_unwritable, .sa_flags = SA_RESTART};
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}

static bool given(const ls_options *o, const char *option) {
    for (int i = 2; i < o->argc; i++)
        if (strcmp(o->argv[i], option) == 0) return true;
    return false;
}

static char *absolute(const char *path) {
    char cwd[PATH_MAX];
    if (path[0] == '/') return ls_copy(path);
    if (getcwd(cwd, sizeof cwd) == NULL) ls_die("the working directory: %s", strerror(errno));
    return ls_format("%s/%s", cwd, path);
}

/* ---- what is noted of a regression ---- */

/* What the regression leaves out: nothing may be concluded of that. */
static char *filter_text(const ls_options *o, const ls_jobs *jobs) {
    ls_text t = {0};
    if (o->only != NULL) {
        char *word = ls_shell_word(o->only);
        ls_text_add(&t, "--only %s", word);
        free(word);
    }
    if (o->tier != 0) ls_text_add(&t, "%s--tier %u", t.size > 0 ? " " : "", o->tier);
    if (jobs->without_traces > 0) ls_text_add(&t, "%s%s", t.size > 0 ? ", " : "", LS_NO_TRACES);
    return ls_text_take(&t);
}

/* ---- the folder ---- */

/* Takes the regression's lock; it goes with the process. A child that a killed runner has just made holds it until it sees that
 * it is alone: so the lock is tried for a second. 0, or -1 and a message. */
static int take_lock(const char *folder) {
    char *path = ls_format("%s/lock", folder), error[PATH_MAX + 128];
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int status = 0, taken = -1;
    for (unsigned i = 0; fd >= 0 && i < 50; i++) {
        taken = flock(fd, LOCK_EX | LOCK_NB);
        if (taken == 0 || errno != EWOULDBLOCK) break;
        (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        errno = EWOULDBLOCK;
    }
    if (taken != 0) {
        if (fd >= 0 && errno == EWOULDBLOCK)
            (void)snprintf(error, sizeof error, "%s: another runner works in this folder", folder);
        else (void)snprintf(error, sizeof error, "%s: %s", path, strerror(errno));
        status = -1;
        (void)complain(error);
        if (fd >= 0) (void)close(fd);
    }
    free(path);
    return status;
}

/* Makes --output, or the next free build/regress/<plan>-<number>. NULL after a message. */
static char *make_folder(const ls_options *o) {
    char error[PATH_MAX + 128], real[PATH_MAX], *path = NULL;
    const char *slash = strrchr(o->file, '/'), *name = slash != NULL ? slash + 1 : o->file;
    const char *dot = strrchr(name, '.');
    int status;
    if (o->output != NULL) {
        char *full = absolute(o->output), *above = ls_copy(full);
        while (above[1] != '\0' && above[strlen(above) - 1] == '/') above[strlen(above) - 1] = '\0';
        *strrchr(above, '/') = '\0';
        status = above[0] != '\0' ? ls_make_directories(above) : 0;
        if (status == 0 && mkdir(full, 0777) != 0) status = -errno;
        path = full;
        free(above);
    } else {
        status = ls_make_directories(REGRESSIONS);
        for (unsigned n = 1; status == 0 && path == NULL; n++) {
            path =
                ls_format("%s/%.*s-%u", REGRESSIONS, dot != NULL && dot != name ? (int)(dot - name) : (int)strlen(name), name, n);
            if (mkdir(path, 0777) == 0) break;
            if (errno != EEXIST) {
                status = -errno;
                break;
            }
            free(path);
            path = NULL;
        }
    }
    if (status == 0 && realpath(path, real) == NULL) status = -errno;
    if (status != 0) {
        (void)snprintf(error, sizeof error, "%s: %s%s", path != NULL ? path : REGRESSIONS, strerror(-status),
                       status == -EEXIST ? ": a new regression needs a new folder; --resume goes on with an old one" : "");
        (void)complain(error);
    }
    free(path);
    return status == 0 ? ls_copy(real) : NULL;
}

/* The folders inside; they may be gone from an old regression. 0, or -1 and a message. */
static int make_inside(const char *folder, char *error, size_t size) {
    static const char *const inside[] = {"records", "logs", "cases", "coverage"};
    int status = 0;
    for (size_t i = 0; i < sizeof inside / sizeof *inside && status == 0; i++) {
        char *path = ls_format("%s/%s", folder, inside[i]);
        struct stat is;
        status = ls_make_directories(path);
        if (status == 0 && (lstat(path, &is) != 0 || !S_ISDIR(is.st_mode)))
            status = -ENOTDIR; /* a link leads into another regression */
        if (status != 0) (void)snprintf(error, size, "%s: %s", path, strerror(-status));
        free(path);
    }
    return status == 0 ? 0 : -1;
}

/* The folders inside, jobs.tsv, and regression.json last: with it the regression can be resumed. 0, or -1 after a message. */
static int fill_folder(ls_regress *regression, const ls_jobs *jobs) {
    char error[PATH_MAX + 128];
    int status = make_inside(regression->folder, error, sizeof error);
    if (status == 0) {
        ls_text t = {0};
        char *path = ls_format("%s/jobs.tsv", regression->folder);
        ls_jobs_write(jobs, &t);
        status = ls_write_durably(&t, path, error, sizeof error);
        ls_hash h = ls_hash_begin();
        (void)ls_hash_file(&h, path);
        regression->jobs_tsv = ls_hash_end(&h);
        free(path);
        free(t.data);
    }
    if (status == 0) status = ls_regress_write(regression, error, sizeof error);
    return status == 0 ? 0 : (complain(error), -1);
}

/* Files that were being written when somebody was killed. */
static void remove_temporaries(const char *folder) {
    static const char *const patterns[] = {"*.json.??????",  "records/*.json.??????", "records/*.part",
                                           "records/room.*", "coverage/room.*",       "jobs.tsv.??????"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char *pattern = ls_format("%s/%s", folder, patterns[i]);
        glob_t found = {0};
        if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++) (void)unlink(found.gl_pathv[k]);
        globfree(&found);
        free(pattern);
    }
}

/* Whether nobody else could have written what the regression starts: its launcher, and jobs with files of theirs. */
static bool is_only_ours(const char *folder) {
    static const char *const inside[] = {"", "/regression.json", "/night.json", "/jobs.tsv", "/records", "/cases"};
    bool ours = true;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        char *path = ls_format("%s%s", folder, inside[i]);
        ours = ours && (access(path, F_OK) != 0 || ls_only_ours(path));
        free(path);
    }
    return ours;
}

/* Removes the reports of what the regression was: they are made anew behind the last job, and until then nobody may take them for
 * its verdict. */
static void remove_reports(const char *folder) {
    static const char *const reports[] = {"results.jsonl", "junit.xml", "summary.md", "report.html"};
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        char *path = ls_format("%s/%s", folder, reports[i]);
        ls_discard(path);
        free(path);
    }
}

/* ---- before the first job ---- */

/* Reads what is needed after the last job, before the first one: a slip there may not cost a regression its reports. The history
 * is made when it is missing. 0, or 2 after a message. */
static int check_before(const char *history) {
    char error[2048];
    char *known = ls_format("%s/%s", ls_home(), KNOWN_ISSUES), *waivers = ls_format("%s/%s", ls_home(), WAIVERS);
    ls_known_list issues;
    ls_waivers points;
    int status = ls_known_read(&issues, known, error, sizeof error);
    if (status == 0) {
        ls_known_free(&issues);
        status = ls_waivers_read(&points, waivers, error, sizeof error);
    }
    if (status == 0) {
        ls_waivers_free(&points);
        sqlite3 *db = history != NULL ? ls_store_open(history, error, sizeof error) : NULL;
        if (db != NULL) ls_store_close(db);
        else if (history != NULL) status = -1;
    }
    free(known);
    free(waivers);
    return status == 0 ? 0 : complain(error);
}

/* ---- after the last job ---- */

static void print_findings(sqlite3 *db, int64_t id) {
    sqlite3_stmt *s =
        ls_store_query(db, "SELECT kind, name, text FROM finding WHERE night = ? AND counts = 1 ORDER BY kind, name", "i", id);
    while (sqlite3_step(s) == SQLITE_ROW) {
        char *line = ls_format("finding   %s: %s: %s", (const char *)sqlite3_column_text(s, 0),
                               (const char *)sqlite3_column_text(s, 1), (const char *)sqlite3_column_text(s, 2));
        ls_print_plain(stdout, line);
        (void)printf("\n");
        free(line);
    }
    (void)sqlite3_finalize(s);
}

static void print_summary(sqlite3 *db, int64_t id, const ls_regress *regression, const ls_jobs *jobs) {
    sqlite3_stmt *s =
        ls_store_query(db,
                       "SELECT sum(verdict = 'pass'), sum(verdict = 'known'), sum(verdict = 'fail'), sum(cycles),"
                       " (SELECT count(*) FROM lost WHERE night = ?1), sum(verdict = 'open') FROM job WHERE night = ?1",
                       "i", id);
    if (sqlite3_step(s) == SQLITE_ROW) {
        (void)printf("%zu jobs in %.0f s, %" PRId64 " cycles: %" PRId64 " passed, %" PRId64 " known, %" PRId64 " failed",
                     jobs->count, regression->seconds, (int64_t)sqlite3_column_int64(s, 3), (int64_t)sqlite3_column_int64(s, 0),
                     (int64_t)sqlite3_column_int64(s, 1), (int64_t)sqlite3_column_int64(s, 2));
        const int64_t lost = sqlite3_column_int64(s, 4);
        const int64_t open = sqlite3_column_int64(s, 5);
        if (lost > 0) ls_say(stdout, "; %" PRId64 " lost attempt%s", lost, lost == 1 ? "" : "s");
        if (open > 0) (void)printf("; %" PRId64 " not done", open);
        (void)printf("\n");
    }
    (void)sqlite3_finalize(s);
}

/* Puts the regression into the history, looks into its failures, writes the reports. The regression's exit code. Behind its last
 * job, `ran`, a regression of another program or RTL than it began with stays incomplete; its report alone can be made anew at
 * any time, but nobody can look into its failures with them. */
static int conclude(const ls_regress *regression, const ls_jobs *jobs, const char *history, bool ran, bool times, bool quiet) {
    char error[2048] = "";
    char *known = ls_format("%s/%s", ls_home(), KNOWN_ISSUES), *waivers = ls_format("%s/%s", ls_home(), WAIVERS);
    sqlite3 *db = ls_store_open(history, error, sizeof error);
    int64_t id = -1;
    bool same = true, own = false;
    const bool trusted = ran || is_only_ours(regression->folder); /* a case may name anybody's RTL */
    int status = db != NULL ? ls_store_begin(db, &own, error, sizeof error) : -1;
    if (status == 0) {
        id = ls_store_import(db, regression->folder, error, sizeof error);
        status = id < 0 ? -1 : 0;
        same = status != 0 || ls_regress_check_files(regression, NULL, error, sizeof error) == 0;
        if (!same && !ran) ls_say(stderr, "lockstep: no failure is looked into: %s\n", error);
        if (!trusted) ls_say(stderr, "lockstep: no failure is looked into: others could write in %s\n", regression->folder);
        if (status == 0 && (same || !ran)) status = ls_triage_sort(db, id, known, error, sizeof error);
        if (status == 0 && (same || !ran)) status = ls_coverage_collect(db, id, regression->folder, waivers, error, sizeof error);
        /* All of it or nothing: what the history had of the regression stays when a file is wrong that was right before. */
        status = ls_store_end(db, status, error, sizeof error);
        if (!same && ran) status = -1;
    }
    if (status == 0) ls_triage_look(db, id, regression->folder, ls_self(), same && trusted ? BUCKETS_LOOKED_INTO : 0, quiet);
    const int verdict = status == 0 ? ls_triage_verdict(db, id) : 2;
    if (status == 0) status = ls_report_write(db, id, regression->folder, times, error, sizeof error);
    if (status != 0) {
        remove_reports(regression->folder);
        ls_say(stderr, "lockstep: %s%s\n", error, same ? "" : ": the regression is incomplete");
        char *tool = ls_shell_word(regression->tool), *folder = ls_shell_word(regression->folder);
        ls_say(stderr, "          what was found is in %s: %s report %s\n", folder, tool, folder);
        free(tool);
        free(folder);
    } else {
        if (!quiet || verdict != 0) {
            print_summary(db, id, regression, jobs);
            print_findings(db, id);
        }
        static const char *const words[] = {"pass", "FAIL", "incomplete"};
        if (!quiet) ls_say(stdout, "%s  %s/report.html\n", words[verdict], regression->folder);
    }
    if (db != NULL) ls_store_close(db);
    free(known);
    free(waivers);
    return status == 0 ? verdict : 2;
}

/* ---- regress ---- */

/* The options that cannot be right together. 0, or 2 after a message. */
static int check_options(const ls_options *o) {
    static const char *const of_new[] = {"--tier", "--only", "--fresh", "--traces", "--output", "-o"};
    char text[160];
    if (o->resume == NULL && o->file == NULL) return complain("regress needs a plan (tb/plans/…), or --resume FOLDER");
    if (o->resume != NULL && o->file != NULL) return complain("regress: a plan or --resume, not both");
    for (size_t i = 0; o->resume != NULL && i < sizeof of_new / sizeof *of_new; i++) {
        if (!given(o, of_new[i])) continue;
        (void)snprintf(text, sizeof text, "regress --resume takes no %s: the folder says what is left", of_new[i]);
        return complain(text);
    }
    if (o->launch != NULL && o->launch[strspn(o->launch, " \t")] == '\0') return complain("--launch: expected a command");
    if (o->retries != UINT64_MAX && o->retries > 1000) return complain("--retries: expected at most 1000");
    return 0;
}

/* Whether the prefix's command can be found. */
static int check_launcher(const char *launch) {
    char *name = ls_format("%.*s", (int)strcspn(launch + strspn(launch, " \t"), " \t"), launch + strspn(launch, " \t"));
    char *found = ls_process_find(name), *text = ls_format("--launch %s: no such command", name);
    const int status = name[0] == '\0' || found != NULL ? 0 : complain(text);
    free(found);
    free(text);
    free(name);
    return status;
}

/* The plan in tb/plans, of the project or of this tree, that a name which is no file means; NULL: there is none. To be freed. */
static char *plan_meant(const char *name) {
    char *folder = ls_format("%s/tb/plans", ls_home()), *here = absolute(""), *meant = NULL;
    ls_args stems = {0};
    ls_nearest near = {.word = name};
    ls_folder_names(folder, &stems);
    for (size_t i = 0; i < stems.count; i++) {
        char *end = strrchr(stems.list[i], '.');
        if (end == NULL || strcmp(end, ".plan") != 0) continue;
        *end = '\0';
        ls_nearest_try(&near, stems.list[i]);
    }
    const size_t n = strlen(here); /* ends with a slash */
    const bool below = strncmp(folder, here, n) == 0;
    if (near.name != NULL) meant = ls_format("%s/%s.plan", below ? folder + n : folder, near.name);
    ls_args_free(&stems);
    free(folder);
    free(here);
    return meant;
}

/* The jobs that the options select. 0, or 2 after a message. */
static int select_jobs(const ls_options *o, uint64_t fresh, ls_jobs *jobs) {
    char error[2048];
    const char *traces = o->traces != NULL ? o->traces : getenv("TRACES");
    char *corpus = ls_format("%s/tb/corpus", ls_home()), *here = absolute("");
    char *proofs = ls_format("%s/tb/proof.sets", ls_home());
    const size_t n = strlen(here); /* ends with a slash */
    const char *streams = ls_streams(), *path = corpus;
    if (strncmp(streams, here, n) == 0) streams += n;
    if (strncmp(path, here, n) == 0) path += n;
    const ls_plan_source from = {.path = o->file,
                                 .corpus = path,
                                 .proofs = proofs,
                                 .traces = traces != NULL && traces[0] != '\0' ? traces : NULL,
                                 .streams = streams,
                                 .fresh = fresh};
    int status = ls_jobs_plan(jobs, &from, error, sizeof error);
    char *meant = status != 0 && access(o->file, F_OK) != 0 ? plan_meant(o->file) : NULL;
    if (meant != NULL) (void)snprintf(error, sizeof error, "no plan %s: did you mean %s?", o->file, meant);
    free(meant);
    if (status == 0) {
        const size_t all = jobs->count;
        ls_jobs_filter(jobs, o->only, o->tier);
        if (jobs->without_traces > 0 && !o->quiet)
            ls_say(stderr, "%s: %zu row%s left out: no folder of traces (--traces FOLDER, or TRACES in the environment)\n",
                   o->file, jobs->without_traces, jobs->without_traces == 1 ? "" : "s");
        if (jobs->count == 0) {
            (void)snprintf(error, sizeof error, "%s: nothing is selected: none of %zu jobs is left", o->file, all);
            status = -1;
        }
    }
    free(corpus);
    free(proofs);
    free(here);
    return status == 0 ? 0 : complain(error);
}

static char *utc_now(void) {
    char text[32];
    const time_t now = time(NULL);
    struct tm tm;
    if (gmtime_r(&now, &tm) == NULL || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0) return ls_copy("");
    return ls_copy(text);
}

static int new_regression(const ls_options *o) {
    uint64_t fresh = o->fresh;
    ls_jobs jobs;
    char error[1024];
    if (!o->fresh_given && getrandom(&fresh, sizeof fresh, 0) != (ssize_t)sizeof fresh) {
        (void)snprintf(error, sizeof error, "no random number for the fresh seeds: %s", strerror(errno));
        return complain(error);
    }
    if (o->launch != NULL && check_launcher(o->launch) != 0) return 2;
    if (check_before(NULL) != 0 || select_jobs(o, fresh, &jobs) != 0) return 2;
    ls_regress regression = {.plan = ls_copy(o->file),
                             .started = utc_now(),
                             .fresh = ls_format("%016" PRIx64, fresh),
                             .launch = ls_copy(o->launch != NULL ? o->launch : ""),
                             .filter = filter_text(o, &jobs),
                             .directory = absolute("."),
                             .tool = ls_copy(o->argv[0]),
                             .history = ls_copy(o->history != NULL ? o->history : HISTORY),
                             .width = (uint32_t)o->jobs,
                             .retries = o->retries != UINT64_MAX ? (uint32_t)o->retries : o->launch != NULL,
                             .jobs = jobs.count};
    regression.directory[strlen(regression.directory) - 2] = '\0'; /* "/." */
    int status = ls_regress_note(&regression, error, sizeof error) == 0 ? 0 : complain(error);
    regression.folder = status == 0 ? make_folder(o) : NULL;
    if (regression.folder == NULL) status = 2;
    if (status == 0 && check_before(regression.history) != 0) { /* now that the folder is there: the history may lie in it */
        (void)rmdir(regression.folder);
        status = 2;
    }
    if (status == 0 && (take_lock(regression.folder) != 0 || fill_folder(&regression, &jobs) != 0)) status = 2;
    if (status == 0) {
        if (!o->quiet)
            ls_say(stdout, "%s: %zu jobs, %u at a time, fresh seeds from %s, in %s\n", regression.plan, jobs.count,
                   regression.width, regression.fresh, regression.folder);
        (void)fflush(stdout);
        ls_regress_counts counts;
        status = ls_regress_run(&regression, &jobs, o->quiet, &counts);
        if (status == 0) {
            remove_temporaries(regression.folder);
            status = conclude(&regression, &jobs, regression.history, true, true, o->quiet);
        }
    }
    ls_jobs_free(&jobs);
    ls_regress_free(&regression);
    return status;
}

/* The regression of a folder, locked, with the working directory that it began in; `history` is the option's, or the
 * regression's. 0, or 2 after a message and nothing to free. */
static int open_regression(const ls_options *o, const char *folder, ls_regress *regression, ls_jobs *jobs, char **history) {
    char error[PATH_MAX + 1024];
    *history = NULL;
    if (ls_regress_read(regression, jobs, folder, error, sizeof error) != 0) return complain(error);
    *history = o->history != NULL ? absolute(o->history) : ls_copy(regression->history);
    int status = take_lock(regression->folder);
    if (status == 0 && chdir(regression->directory) == 0) return 0;
    if (status == 0) ls_say(stderr, "lockstep: %s: %s\n", regression->directory, strerror(errno));
    free(*history);
    ls_jobs_free(jobs);
    ls_regress_free(regression);
    return 2;
}

/* Runs what is left of a regression. */
static int go_on(const ls_options *o, ls_regress *regression, const ls_jobs *jobs, const char *history) {
    ls_regress_counts counts;
    remove_temporaries(regression->folder);
    remove_reports(regression->folder);
    if (given(o, "--jobs")) regression->width = (uint32_t)o->jobs;
    if (o->launch != NULL) {
        if (regression->launch[0] == '\0') regression->retries = 1; /* as for a new one */
        free(regression->launch);
        regression->launch = ls_copy(o->launch);
    }
    if (o->retries != UINT64_MAX) regression->retries = (uint32_t)o->retries;
    if (!o->quiet) ls_say(stdout, "%s: %zu jobs, resumed in %s\n", regression->plan, jobs->count, regression->folder);
    (void)fflush(stdout);
    char error[PATH_MAX + 128];
    if (make_inside(regression->folder, error, sizeof error) != 0) return complain(error);
    int status = ls_regress_run(regression, jobs, o->quiet, &counts);
    if (status == 0) {
        remove_temporaries(regression->folder);
        status = conclude(regression, jobs, history, true, true, o->quiet);
    }
    return status;
}

static int resume_regression(const ls_options *o) {
    ls_regress regression;
    ls_jobs jobs;
    char error[2048], *history;
    if (o->launch != NULL && check_launcher(o->launch) != 0) return 2;
    if (open_regression(o, o->resume, &regression, &jobs, &history) != 0) return 2;
    const bool asks = o->launch == NULL && !is_only_ours(regression.folder);
    int status = ls_regress_check(&regression, error, sizeof error);
    if (asks) {
        (void)snprintf(
            error, sizeof error,
            "%s: others could write there, and what it starts may be theirs: look at its regression.json and jobs.tsv, then say "
            "--launch again ('env' for none), or chmod go-w",
            regression.folder);
        status = complain(error);
    } else if (status != 0) {
        ls_say(stderr, "lockstep: %s: %s; its jobs would be of two sources: begin a new regression\n", regression.folder, error);
        status = 2;
    } else {
        status = check_before(history);
    }
    if (status == 0) status = go_on(o, &regression, &jobs, history);
    free(history);
    ls_jobs_free(&jobs);
    ls_regress_free(&regression);
    return status;
}

int ls_command_regress(ls_options *o) {
    survive_writing();
    const int status = check_options(o);
    if (status != 0) return status;
    (void)ls_cache(); /* one that is refused costs no regression */
    return o->resume != NULL ? resume_regression(o) : new_regression(o);
}

/* ---- job, report ---- */

int ls_command_job(ls_options *o) {
    survive_writing();
    if (o->file == NULL || o->number == UINT64_MAX)
        return complain("job needs the folder of a regression and --number N: `regress` calls it");
    return ls_regress_job(o->file, (size_t)o->number, o->ticket != NULL ? o->ticket : "");
}

int ls_command_report_regression(ls_options *o) {
    ls_regress regression;
    ls_jobs jobs;
    char *history;
    survive_writing();
    if (o->file == NULL) return complain("report needs the folder of a regression");
    if (open_regression(o, o->file, &regression, &jobs, &history) != 0) return 2;
    const int status = conclude(&regression, &jobs, history, false, !o->no_times, o->quiet);
    free(history);
    ls_jobs_free(&jobs);
    ls_regress_free(&regression);
    return status;
}
