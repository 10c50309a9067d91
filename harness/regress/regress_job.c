/* SPDX-License-Identifier: Apache-2.0 */
/* One job of a regression, on whatever machine a launcher put it: its command in a child process, its record at its end. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/base/sha256.h"
#include "harness/base/text.h"
#include "harness/core/options.h"
#include "harness/regress/regress.h"

enum { FINAL = 0, KILLED = 1, NOT_RECORDED = 2 }; /* what ls_regress_job returns */

#define LOG_BYTES (1u << 20) /* of a job: a DUT may print in every cycle */

typedef struct task {
    ls_regress regression;
    size_t number;
    const char *ticket; /* of this start; "" by hand */
    ls_job job;
    char *part, *log, *cases; /* files of this job */
    char *mark;               /* of the files as noted before the command, which then nobody looked at; NULL: somebody did */
    ls_process_result ending; /* of its command */
    ls_record record;
    char error[1024];
} task;

/* The batch system's name of the node, where it gives it one, else the machine's. */
static char *host_name(void) {
    char name[256] = "";
    const char *node = getenv("SLURMD_NODENAME");
    if (node != NULL && node[0] != '\0') return ls_copy(node);
    if (gethostname(name, sizeof name - 1) != 0) return ls_copy("?");
    return ls_copy(name);
}

/* What the job could not write, and that it is the disk's or file system's word. */
static int not_recorded(const task *t, const char *what) {
    ls_say(stderr, "lockstep: job %zu " LS_JOB_UNRECORDED "%s\n", t->number, what);
    return NOT_RECORDED;
}

static char *command_of(const ls_regress *regression, const ls_job *job, size_t number) {
    ls_text text = {0};
    char *word = ls_shell_word(regression->tool);
    ls_text_add(&text, "%s", word);
    free(word);
    for (size_t i = 0; i < job->args.count; i++) {
        word = ls_shell_word(job->args.list[i]);
        ls_text_add(&text, " %s", word);
        free(word);
    }
    if (strcmp(job->stimulus, "coverage") == 0) {
        char *file = ls_format("%s/coverage/%zu.dat", regression->folder, number);
        word = ls_shell_word(file);
        ls_text_add(&text, " --coverage %s", word);
        free(word);
        free(file);
    }
    return ls_text_take(&text);
}

/* ---- what a job needs ---- */

static bool newer(const char *path, const char *than) {
    struct stat a, b;
    if (stat(path, &a) != 0 || stat(than, &b) != 0) return false;
    return a.st_mtim.tv_sec > b.st_mtim.tv_sec || (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec);
}

/* What a stream is made of and what it is: this program and its bytes. Dates alone say nothing when a clock was set. To be freed.
 */
static char *stream_note(const task *t, const char *path) {
    char digest[LS_SHA256_HEX];
    return ls_sha256_file(path, digest) ? ls_format("%s %s", t->regression.program, digest) : NULL;
}

static char *note_path(const char *stream) { return ls_format("%s.made", stream); }

static bool is_made(const task *t, const char *path) {
    char *note = note_path(path), *now = newer(path, ls_self()) ? stream_note(t, path) : NULL;
    ls_text then = {0};
    const bool made = now != NULL && ls_text_read(&then, note) == 0 && then.data != NULL && strcmp(then.data, now) == 0;
    free(then.data);
    free(now);
    free(note);
    return made;
}

/* Notes a stream that was made now; without its note the next job makes it again. */
static void note_stream(const task *t, const char *path) {
    char *note = note_path(path), *now = stream_note(t, path);
    ls_text text = {0};
    ls_text_add(&text, "%s", now != NULL ? now : "");
    (void)ls_text_write(&text, note);
    free(text.data);
    free(now);
    free(note);
}

/* Makes the stream of a kernel of ours unless it is there as this program made it; others who want it wait. True; or why not
 * is in t->ending, when it was tried, or in t->error. */
static bool make_stream(task *t) {
    const char *path = NULL, *name = strchr(t->job.stimulus, ':') + 1;
    for (size_t i = 0; i + 1 < t->job.args.count; i++)
        if (strcmp(t->job.args.list[i], "--workload") == 0) path = t->job.args.list[i + 1];
    if (path == NULL || is_made(t, path)) return true;
    char *folder = ls_format("%.*s", (int)(strrchr(path, '/') - path), path), *lock_path = ls_format("%s.lock", path);
    int status = ls_make_directories(folder);
    const int lock = status == 0 ? ls_lock(lock_path) : status;
    bool good = false;
    if (lock < 0) {
        (void)snprintf(t->error, sizeof t->error, "%s: %s", lock_path, strerror(-lock));
    } else {
        const char *const argv[] = {ls_self(), "workload", "build", name, "-o", path, "--hierarchy", "default", NULL};
        good = is_made(t, path);
        if (!good) {
            status = ls_process_run(
                &(ls_process){.argv = argv, .output_path = t->log, .output_limit = LOG_BYTES, .timeout_ms = t->job.limit * 1000u},
                &t->ending);
            good = status == 0 && ls_process_ok(&t->ending);
            if (good) note_stream(t, path);
            if (status != 0) (void)snprintf(t->error, sizeof t->error, "cannot run %s: %s", argv[0], strerror(-status));
            else if (!good) (void)snprintf(t->error, sizeof t->error, "the kernel has no stream");
        }
        ls_unlock(lock, lock_path);
    }
    free(lock_path);
    free(folder);
    return good;
}

/* The whole command: what repeats the job, and where its results go. */
static void command_line(const task *t, ls_args *argv) {
    ls_args_add(argv, "%s", ls_self());
    for (size_t i = 0; i < t->job.args.count; i++) ls_args_add(argv, "%s", t->job.args.list[i]);
    const char *verb = t->job.args.list[0];
    ls_args_add(argv, "--record");
    ls_args_add(argv, "%s", t->part);
    if (strcmp(verb, "run") == 0 || strcmp(verb, "replay") == 0 || strcmp(verb, "prove") == 0) {
        ls_args_add(argv, strcmp(verb, "prove") == 0 ? "--quiet" : "--brief");
        ls_args_add(argv, "--output");
        ls_args_add(argv, "%s", t->cases);
    }
    if (strcmp(verb, "run") == 0) ls_args_add(argv, "--no-shrink");
    if (strcmp(t->job.stimulus, "coverage") == 0) {
        ls_args_add(argv, "--coverage");
        ls_args_add(argv, "%s/coverage/%zu.dat", t->regression.folder, t->number);
    }
}

/* ---- what came of it ---- */

/* The last line of the log that says something, or the last one that contains `word`; "" when there is none. To be freed. */
static char *log_line(const char *path, const char *word) {
    ls_text text = {0};
    char *found = NULL;
    (void)ls_text_read(&text, path);
    for (char *line = text.data, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        if (line[strspn(line, " \t\r")] == '\0' || (word != NULL && strstr(line, word) == NULL)) continue;
        found = line;
    }
    char *copy = ls_format("%.900s", found != NULL ? found : "");
    free(text.data);
    return copy;
}

/* Whether a DUT has run and could print what it likes: then the log, and a crash's message, prove nothing. */
static bool dut_could_speak(const task *t) {
    const char *verb = t->job.args.list[0];
    return t->record.run != NULL && strcmp(t->record.status, "build") != 0 &&
           (strcmp(verb, "run") == 0 || strcmp(verb, "replay") == 0);
}

/* What ls_coverage_end says of a run's coverage, whose files are removed by now; no DUT has written these words. */
static bool coverage_found_no_room(task *t) {
    static const char ours[] = "no coverage: ";
    static const int reasons[] = {ENOSPC, EDQUOT};
    const char *said = t->record.message;
    bool found = false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const char *why = strerror(reasons[i]);
        const size_t n = strlen(said), length = strlen(why);
        found |= n > length && strcmp(said + n - length, why) == 0;
    }
    found = found && strcmp(t->record.status, "usage") == 0 && strncmp(said, ours, sizeof ours - 1) == 0;
    if (found) (void)snprintf(t->error, sizeof t->error, "%s", said + sizeof ours - 1);
    return found;
}

/* A result that is no pass may be the full disk's doing, be it this folder's or that of the built DUTs: the job has then not been
 * run. True with the file named in t->error. */
static bool disk_is_full(task *t) {
    static const int reasons[] = {ENOSPC, EDQUOT};
    char *records = ls_format("%s/records", t->regression.folder);
    int error = ls_room(records);
    if (error != 0) (void)snprintf(t->error, sizeof t->error, "%s: %s", t->regression.folder, strerror(-error));
    free(records);
    if (dut_could_speak(t)) return error != 0 || coverage_found_no_room(t);
    if (error == 0) { /* others may build there and this one only read: no room is the only word that counts */
        error = ls_room(ls_cache());
        if (error != -ENOSPC && error != -EDQUOT) error = 0;
        else (void)snprintf(t->error, sizeof t->error, "%s: %s", ls_cache(), strerror(-error));
    }
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons && error == 0; i++) {
        char *line = log_line(t->log, strerror(reasons[i]));
        const bool found = line[0] != '\0';
        const bool recorded = strstr(t->record.message, strerror(reasons[i])) != NULL;
        if (found || recorded) (void)snprintf(t->error, sizeof t->error, "%s", found ? line : t->record.message);
        free(line);
        if (found || recorded) return true;
    }
    return error != 0;
}

/* The command's own record: the last whole line of the part file. NULL: there is none. */
static char *take_part(const char *path) {
    ls_text text = {0};
    char *found = NULL;
    if (ls_text_read(&text, path) == 0 && text.size > 0 && text.data[text.size - 1] == '\n') {
        text.data[text.size - 1] = '\0';
        const char *line = strrchr(text.data, '\n');
        found = ls_copy(line != NULL ? line + 1 : text.data);
        if (ls_json_values(found, NULL, 0, NULL) != 0) {
            free(found);
            found = NULL;
        }
    }
    free(text.data);
    return found;
}

static void set(char **text, char *value) {
    free(*text);
    *text = value;
}

/* A job's word for the status of a record: those of `prove` have their own. */
static char *status_of(const char *status) {
    static const char *const words[][2] = {{"proved", "pass"}, {"different", "mismatch"}, {"undecided", "vacuous"}};
    for (size_t i = 0; status != NULL && i < sizeof words / sizeof *words; i++)
        if (strcmp(status, words[i][0]) == 0) return ls_copy(words[i][1]);
    return status != NULL ? ls_copy(status) : NULL;
}

/* Status and message of a command that left a record. */
static void judge_part(task *t) {
    static const char *const paths[] = {"$.status", "$.message", "$.mismatch.field", "$.mismatch.cycle"};
    char *v[4];
    (void)ls_json_values(t->record.run, paths, 4, v);
    char *status = status_of(v[0]);
    free(v[0]);
    v[0] = status;
    const bool pass = v[0] != NULL && strcmp(v[0], "pass") == 0;
    if (v[0] == NULL || pass != ls_process_ok(&t->ending)) {
        set(&t->record.status, ls_copy("crash"));
        set(&t->record.message,
            ls_format("exit status %d although the record's status is %s", t->ending.status, v[0] != NULL ? v[0] : "missing"));
    } else {
        set(&t->record.status, ls_copy(v[0]));
        if (!pass && v[1] != NULL) set(&t->record.message, ls_copy(v[1]));
        else if (!pass && v[2] != NULL)
            set(&t->record.message, ls_format("%s differs in cycle %s", v[2], v[3] != NULL ? v[3] : "?"));
    }
    for (size_t i = 0; i < 4; i++) free(v[i]);
}

/* What ended the command from outside, by its ending, its record and, where no DUT has spoken, its log; NULL: nothing did. */
static const char *ended_from_outside(const task *t) {
    static const char ours[] = "the DUT's process was killed by signal ";
    static const char killed[] = "was killed from outside", memory[] = "found no memory";
    const char *said = t->record.message;
    if (t->ending.status == 127) return "could not be started"; /* by the loader: the tool has no such exit status */
    if (dut_could_speak(t)) {
        const bool unjudged = strcmp(t->record.status, "usage") == 0; /* then the message is no word of the DUT's */
        if (ls_process_killed(&t->ending, "") || (unjudged && strncmp(said, ours, sizeof ours - 1) == 0)) return killed;
        return unjudged && ls_process_no_memory(said) ? memory : NULL;
    }
    ls_text log = {0};
    (void)ls_text_read(&log, t->log);
    const char *printed = log.data != NULL ? log.data : "";
    const char *how = ls_process_killed(&t->ending, said) || ls_process_killed(&t->ending, printed) ? killed
                      : ls_process_no_memory(said) || ls_process_no_memory(printed)                 ? memory
                                                                                                    : NULL;
    free(log.data);
    return how;
}

/* Fills the record from how the command ended. */
static void judge(task *t) {
    ls_record *r = &t->record;
    char ending[80];
    r->final = true;
    r->seconds = t->ending.seconds;
    set(&r->message, ls_copy(""));
    if (t->ending.timed_out) {
        set(&r->status, ls_copy("hang"));
        set(&r->message, ls_format("over its limit of %u s", t->job.limit));
        return;
    }
    r->run = take_part(t->part);
    if (r->run != NULL) {
        judge_part(t);
        return;
    }
    char *line = log_line(t->log, NULL);
    const bool refused = t->ending.signal == 0 && t->ending.status == 2;
    set(&r->status, ls_copy(refused ? "usage" : "crash"));
    if (refused && line[0] != '\0') set(&r->message, ls_copy(line));
    else set(&r->message, ls_format("no record: %s", ls_process_ending(&t->ending, ending, sizeof ending)));
    free(line);
}

/* A start that waited in a queue, or outlives its runner, may come when the job is done or another has been started in its place.
 * True: the record may be written by this one. `at_end`: it began here. */
static bool is_ours(task *t, const ls_record *r, bool at_end) {
    const char *why = r->final ? "it is done: its record is final"
                      : (at_end || t->ticket[0] != '\0') && strcmp(r->ticket, t->ticket) != 0
                          ? "it was started again in the meantime"
                          : NULL;
    if (why != NULL) (void)snprintf(t->error, sizeof t->error, "%s", why);
    return why == NULL;
}

/* The same as the record is now. */
static bool is_still_ours(task *t) {
    ls_record now;
    const int found = ls_record_read(&now, &t->regression, &t->job, t->number, t->error, sizeof t->error);
    if (found == 1) (void)snprintf(t->error, sizeof t->error, "its record was removed");
    const bool ours = found == 0 && is_ours(t, &now, true);
    if (found == 0) ls_record_free(&now);
    return ours;
}

static int run_and_record(task *t);

/* A file was touched since the mark was noted: what the command read is not known, but by now all files have been looked at. */
static int run_again(task *t) {
    set(&t->mark, NULL);
    if (truncate(t->part, 0) == 0) return run_and_record(t);
    (void)snprintf(t->error, sizeof t->error, "%s: %s", t->part, strerror(errno));
    return not_recorded(t, t->error);
}

/* Runs the command and replaces the record. */
static int run_and_record(task *t) {
    ls_args argv = {0};
    int status = 0;
    bool good = true;
    ls_process_free(&t->ending);
    set(&t->record.run, NULL);
    (void)unlink(t->log); /* an orphan of an attempt before may still write to its own */
    ls_remove_tree(t->cases);
    if (strncmp(t->job.stimulus, "kernel:", 7) == 0) good = make_stream(t);
    if (good) {
        command_line(t, &argv);
        ls_process_free(&t->ending);
        const ls_process command = {.argv = (const char *const *)argv.list,
                                    .output_path = t->log,
                                    .output_limit = LOG_BYTES,
                                    .timeout_ms = t->job.limit * 1000u,
                                    .patience = LS_PATIENCE};
        status = ls_process_run(&command, &t->ending);
        if (status != 0)
            (void)snprintf(t->error, sizeof t->error, "cannot run %s, output to %s: %s", argv.list[0], t->log, strerror(-status));
        ls_args_free(&argv);
    } else if (t->ending.output == NULL) {
        status = -1; /* nothing was run: t->error says why */
    }
    if (status != 0) return not_recorded(t, t->error);
    if (access(t->part, F_OK) != 0) return not_recorded(t, "its part file was removed: the regression was resumed without it");
    judge(t);
    const bool pass = strcmp(t->record.status, "pass") == 0;
    const char *outside = pass || t->ending.timed_out ? NULL : ended_from_outside(t);
    if (outside != NULL) {
        ls_say(stderr, LS_JOB_KILLED "%s\n", outside);
        return KILLED;
    }
    if (!good && strcmp(t->record.status, "usage") == 0)
        set(&t->record.message, ls_format("%s: %s", t->error, t->record.message));
    if (!pass && disk_is_full(t)) return not_recorded(t, t->error);
    const int files = ls_regress_check_files(&t->regression, t->mark, t->error, sizeof t->error);
    if (files < 0) return not_recorded(t, t->error);
    if (files > 0) return run_again(t);
    if (!is_still_ours(t) || ls_record_write(&t->regression, &t->job, t->number, &t->record, t->error, sizeof t->error) != 0)
        return not_recorded(t, t->error);
    return FINAL;
}

/* The file for the command's own record, of this process alone: an orphan that ends after the regression was resumed has to find
 * its own or, as --resume removes it, none. 0, or -1 with t->error. */
static int make_part(task *t) {
    char *host = host_name();
    for (char *slash = host; (slash = strchr(slash, '/')) != NULL;) *slash = '-';
    t->part = ls_format("%s/records/%zu.%s.%ld.part", t->regression.folder, t->number, host, (long)getpid());
    free(host);
    const int fd = open(t->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd >= 0 && close(fd) == 0) return 0;
    (void)snprintf(t->error, sizeof t->error, "%s: %s", t->part, strerror(errno));
    return -1;
}

/* Says in the record where the job runs: so a node that dies has a name, and the runner sees that it began. */
static int begin(task *t) {
    int status = ls_record_read(&t->record, &t->regression, &t->job, t->number, t->error, sizeof t->error);
    if (status == 1) /* by hand, without a runner */
        t->record = (ls_record){.attempt = 1, .status = ls_copy("crash"), .message = ls_copy(""), .lost = ls_copy("")};
    if (status < 0 || (status == 0 && !is_ours(t, &t->record, false))) return -1;
    set(&t->record.ticket, ls_copy(t->ticket));
    set(&t->record.host, host_name());
    set(&t->record.command, command_of(&t->regression, &t->job, t->number));
    set(&t->record.run, NULL);
    t->record.final = false;
    return ls_record_write(&t->regression, &t->job, t->number, &t->record, t->error, sizeof t->error);
}

int ls_regress_job(const char *folder, size_t number, const char *ticket) {
    task t = {.number = number, .ticket = ticket};
    int status = NOT_RECORDED;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* no job outlives its runner or launcher */
    if (ls_regress_read_job(&t.regression, &t.job, folder, number, ticket, t.error, sizeof t.error) != 0) {
        ls_say(stderr, "lockstep: %s\n", t.error);
    } else if (chdir(t.regression.directory) != 0) {
        ls_say(stderr, "lockstep: %s: %s\n", t.regression.directory, strerror(errno));
    } else {
        t.log = ls_format("%s/logs/%zu.log", t.regression.folder, number);
        t.cases = ls_format("%s/cases/%zu", t.regression.folder, number);
        /* A look at all files takes as long as a short command; the one behind it also tells whether the mark still holds. */
        t.mark = ls_regress_files_noted(&t.regression);
        const bool begun = (t.mark != NULL || ls_regress_check_files(&t.regression, NULL, t.error, sizeof t.error) == 0) &&
                           begin(&t) == 0 && make_part(&t) == 0;
        status = begun ? run_and_record(&t) : not_recorded(&t, t.error);
        if (t.part != NULL) (void)unlink(t.part);
        ls_record_free(&t.record);
        ls_process_free(&t.ending);
        free(t.mark);
        free(t.part);
        free(t.log);
        free(t.cases);
    }
    ls_job_free(&t.job);
    ls_regress_free(&t.regression);
    return status;
}
