/* SPDX-License-Identifier: Apache-2.0 */
/* The runner: starts the jobs of a regression, so many at a time, and sees to it that each leaves a record. */
#include "harness/regress/regress.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/base/text.h"
#include "harness/core/options.h"
#include "harness/core/report.h"
#include "harness/regress/report_format.h"

#define GRACE 20.0      /* seconds beyond all its patience until a job is given up: it should have ended itself */
#define DYING 5.0       /* seconds between asking a job to end and killing it */
#define SAVE_EVERY 10.0 /* seconds between notes of the time in regression.json */
/* A launcher that starts nothing, as its controller or a node is down, is tried again after 1 s, 2 s, 4 s … */
#define PAUSE_MAX 30.0
#define PATIENCE 300.0      /* seconds in which no job began until the regression stops, to be resumed */
#define PATIENCE_FIRST 20.0 /* the same while none ever has: the launcher is wrong rather than down */

enum { TAIL = 1024, NAMES = 3, SHOWN = 160 };

/* A job that runs. */
typedef struct slot {
    bool used;
    size_t number;
    pid_t pid;
    int out;         /* what it or its launcher prints, or -1 */
    char tail[TAIL]; /* the end of that */
    size_t tail_size;
    ls_record record; /* as written before it began */
    uint32_t before;  /* attempts that count for no retry: of a result that --resume runs again */
    ino_t inode;      /* of that file: the job replaces it when it begins */
    double began;     /* 0: still waits in its launcher's queue */
    double asked;     /* when it was asked to end; 0: it was not */
    bool overdue, killed;
    unsigned refused; /* how often its launcher has not started it */
    double again;     /* while pid is 0: when it is tried again */
} slot;

typedef struct runner {
    ls_regress *regression;
    const ls_jobs *jobs;
    ls_regress_counts *counts;
    bool quiet, terminal;
    bool *done;
    slot *slots;
    size_t width, next, running;
    unsigned starts;      /* of jobs, so far */
    size_t printed;       /* tenths of the jobs that were told */
    double start, before; /* of this runner; seconds of those before it */
    double saved, drawn;
    double refused_since; /* no job has begun since a launcher first failed then; 0: none fails */
    bool begun;           /* a job of this runner has */
    char error[1024];     /* why the regression cannot go on; "" while it can */
} runner;

static volatile sig_atomic_t stop_signal, stop_count;

static void on_stop(int number) {
    stop_signal = number;
    stop_count = stop_count + 1;
}

static void on_child(int number) { (void)number; }

/* ---- what is printed ---- */

static void clear_line(const runner *r) {
    if (r->terminal) ls_say(stderr, "\r\033[K");
}

/* One line that is written again and again. */
static void draw(runner *r) {
    const double now = ls_seconds();
    if (!r->terminal || r->quiet || now - r->drawn < 0.2) return;
    r->drawn = now;
    ls_say(stderr, "\r\033[K%zu of %zu jobs, %zu failed, %.0f s", r->counts->done, r->jobs->count,
           r->counts->done - r->counts->passed, now - r->start + r->before);
    size_t shown = 0;
    for (size_t i = 0; i < r->width && shown < NAMES; i++)
        if (r->slots[i].used) ls_say(stderr, "%s%.40s", shown++ == 0 ? "  " : ", ", r->jobs->list[r->slots[i].number].name);
    if (r->running > shown) ls_say(stderr, ", %zu more", r->running - shown);
    (void)fflush(stderr);
}

void ls_print_plain(FILE *to, const char *text) {
    ls_text plain = {0};
    for (const char *c = text; *c != '\0'; c++) ls_text_put(&plain, strchr("\t\n\r", *c) != NULL ? " " : c, 1);
    char *line = ls_text_take(&plain);
    ls_report_plain(&plain, line);
    (void)fprintf(to, "%s", plain.data != NULL ? plain.data : "");
    free(plain.data);
    free(line);
}

static void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void print_line(const char *format, ...) {
    char line[2 * TAIL];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ls_print_plain(stdout, line);
    (void)printf("\n");
}

/* A message that may be long, on one line of a screen. */
static void print_short(const char *text) {
    size_t n = strlen(text);
    if (n > SHOWN) {
        n = SHOWN;
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--; /* not within a character */
    }
    char *shown = ls_format("%.*s%s", (int)n, text, text[n] != '\0' ? "…" : "");
    ls_print_plain(stdout, shown);
    (void)printf("\n");
    free(shown);
}

static void tell_end(runner *r, size_t number, const ls_record *record) {
    const bool pass = strcmp(record->status, "pass") == 0;
    if (!pass) {
        clear_line(r);
        char *line = ls_format("%-9s %s%s", record->status, r->jobs->list[number].name, record->message[0] != '\0' ? ": " : "");
        ls_print_plain(stdout, line);
        print_short(record->message);
        free(line);
    }
    const size_t tenths = r->counts->done * 10 / r->jobs->count;
    if (!r->terminal && !r->quiet && tenths > r->printed)
        (void)printf("%3zu %%  %zu of %zu jobs, %zu failed, %.0f s\n", tenths * 10, r->counts->done, r->jobs->count,
                     r->counts->done - r->counts->passed, ls_seconds() - r->start + r->before);
    r->printed = tenths;
    (void)fflush(stdout);
}

/* ---- a job's beginning ---- */

/* In the child; only async-signal-safe calls. */
static void child(char *const *argv, pid_t parent, int out) {
    static const char failed[] = "cannot be executed\n";
    sigset_t none;
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a runner that dies takes its jobs with it */
    if (getppid() != parent) _exit(127);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0) (void)execvp(argv[0], argv);
    (void)!write(2, failed, sizeof failed - 1);
    _exit(127);
}

static void command_line(const runner *r, const slot *s, ls_args *argv) {
    char *launch = ls_copy(r->regression->launch), *rest = launch;
    for (char *word; (word = strtok_r(rest, " \t", &rest)) != NULL;) ls_args_add(argv, "%s", word);
    free(launch);
    ls_args_add(argv, "%s", ls_self());
    ls_args_add(argv, "job");
    ls_args_add(argv, "%s", r->regression->folder);
    ls_args_add(argv, "--number");
    ls_args_add(argv, "%zu", s->number);
    ls_args_add(argv, "--ticket");
    ls_args_add(argv, "%s", s->record.ticket);
}

static void set(char **text, char *value) {
    free(*text);
    *text = value;
}

static void launch(runner *r, slot *s) {
    int ends[2] = {-1, -1};
    ls_args argv = {0};
    const pid_t self = getpid();
    command_line(r, s, &argv);
    (void)fflush(NULL);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        (void)snprintf(r->error, sizeof r->error, "no pipe: %s", strerror(errno));
    } else {
        (void)fcntl(ends[1], F_SETFL, 0); /* the job's own end blocks as usual */
        s->pid = fork();
        if (s->pid == 0) child(argv.list, self, ends[1]);
        if (s->pid < 0) (void)snprintf(r->error, sizeof r->error, "cannot start a process: %s", strerror(errno));
        (void)close(ends[1]);
    }
    ls_args_free(&argv);
    if (r->error[0] != '\0') {
        if (ends[0] >= 0) (void)close(ends[0]);
        ls_record_free(&s->record);
        *s = (slot){0};
        return;
    }
    (void)setpgid(s->pid, s->pid); /* here too, so that it holds before anybody asks it to end */
    s->out = ends[0];
    s->used = true;
    s->began = r->regression->launch[0] == '\0' ? ls_seconds() : 0;
    r->running++;
}

static ino_t inode_of(const runner *r, size_t number) {
    struct stat st;
    char *path = ls_format("%s/records/%zu.json", r->regression->folder, number);
    const ino_t inode = stat(path, &st) == 0 ? st.st_ino : 0;
    free(path);
    return inode;
}

/* Writes the record that holds if the job leaves none, and starts it. */
static void start(runner *r, slot *s) {
    set(&s->record.status, ls_copy("crash"));
    set(&s->record.message, ls_copy(""));
    set(&s->record.host, ls_copy(""));
    set(&s->record.command, ls_copy(""));
    set(&s->record.run, NULL);
    /* No two starts have the same: not of this runner, nor of one before it or on another machine. */
    char *mark = ls_job_mark(&r->jobs->list[s->number]);
    set(&s->record.ticket, ls_format("%lx.%" PRIx64 ".%u.%s", (long)getpid(), (uint64_t)(ls_seconds() * 1e9), r->starts++, mark));
    free(mark);
    s->record.final = false;
    s->record.seconds = 0;
    s->tail_size = 0;
    s->asked = 0;
    s->overdue = s->killed = false;
    if (ls_record_write(r->regression, &r->jobs->list[s->number], s->number, &s->record, r->error, sizeof r->error) != 0) {
        ls_record_free(&s->record);
        *s = (slot){0};
        return;
    }
    s->inode = inode_of(r, s->number);
    launch(r, s);
}

/* The attempt counts among those that were lost, and the next one has its number. */
static void lose_attempt(ls_record *record, const char *how) {
    ls_text lost = {0};
    ls_text_add(&lost, "%s", record->lost);
    ls_json_open(&lost, NULL, '{');
    ls_json_uint(&lost, "attempt", record->attempt++);
    ls_json_text(&lost, "host", record->host);
    ls_json_text(&lost, "how", how);
    ls_json_close(&lost, '{');
    set(&record->lost, ls_text_take(&lost));
}

/* The next job that is not done, into a free slot. */
static void start_next(runner *r, slot *s) {
    *s = (slot){.number = r->next++, .out = -1};
    char why[sizeof r->error];
    const int found = ls_record_read(&s->record, r->regression, &r->jobs->list[s->number], s->number, why, sizeof why);
    if (found == -1) (void)snprintf(r->error, sizeof r->error, "%s", why);
    if (found == -1) return;
    if (found != 0) s->record = (ls_record){.attempt = 1, .lost = ls_copy("")};
    if (found == -2) {
        char *path = ls_format("%s/records/%zu.json", r->regression->folder, s->number);
        s->record.host = ls_copy("");
        s->before = s->record.attempt;
        clear_line(r);
        print_line("again     %s: %s", r->jobs->list[s->number].name, why);
        lose_attempt(&s->record, why + strlen(path) + 2);
        r->counts->lost++;
        ls_discard(path); /* a link must not lead the new one elsewhere */
        free(path);
    } else if (s->record.final) { /* it could not be judged */
        s->before = s->record.attempt;
        lose_attempt(&s->record, s->record.message);
    }
    start(r, s);
}

/* ---- a job's end ---- */

/* Reads what there is; false at the end of it. */
static bool drain(slot *s) {
    char buffer[4096];
    for (;;) {
        const ssize_t n = read(s->out, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 && errno == EAGAIN;
        const size_t got = (size_t)n, keep = got >= TAIL - 1 ? 0 : s->tail_size + got >= TAIL ? TAIL - 1 - got : s->tail_size;
        const size_t take = got < TAIL - 1 ? got : TAIL - 1;
        memmove(s->tail, s->tail + s->tail_size - keep, keep);
        memcpy(s->tail + keep, buffer + got - take, take);
        s->tail_size = keep + take;
        s->tail[s->tail_size] = '\0';
    }
}

/* The last line that was printed, or "". */
static const char *last_line(slot *s) {
    s->tail[s->tail_size] = '\0';
    while (s->tail_size > 0 && strchr(" \t\r\n", s->tail[s->tail_size - 1]) != NULL) s->tail[--s->tail_size] = '\0';
    const char *line = strrchr(s->tail, '\n');
    return line != NULL ? line + 1 : s->tail;
}

/* How the job's process ended, in words. To be freed. */
static char *how_it_ended(slot *s, int status, uint32_t limit) {
    const char *line = last_line(s);
    if (s->overdue) return ls_format("no end %.0f s after %u times its limit of %u s", GRACE, LS_PATIENCE + 1, limit);
    if (WIFSIGNALED(status)) return ls_format("killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == 1 && strncmp(line, LS_JOB_KILLED, strlen(LS_JOB_KILLED)) == 0) return ls_copy(line);
    if (line[0] != '\0') return ls_format("exit status %d: %s", WEXITSTATUS(status), line);
    return ls_format("exit status %d", WEXITSTATUS(status));
}

/* A job has begun: whatever was wrong with the launcher is over. */
static void has_begun(runner *r) {
    r->begun = true;
    r->refused_since = 0;
}

/* The launcher ended without having started the job. That is no attempt; it is tried again after a pause, for a while. */
static void not_started(runner *r, slot *s, const ls_record *record, const char *how) {
    const double now = ls_seconds(), pause = s->refused < 5 ? (double)(1u << s->refused) : PAUSE_MAX;
    if (r->refused_since == 0) {
        r->refused_since = now;
        clear_line(r);
        print_line("waiting   %s: not started: %s", r->jobs->list[s->number].name, how);
        (void)fflush(stdout);
    }
    if (now + pause - r->refused_since > (r->begun ? PATIENCE : PATIENCE_FIRST)) {
        (void)snprintf(r->error, sizeof r->error, "no job could be started for %.0f s: %s", now - r->refused_since, how);
        return;
    }
    s->record = (ls_record){.attempt = record->attempt, .lost = ls_copy(record->lost)};
    s->pid = 0;
    s->out = -1;
    s->refused++;
    s->again = now + pause;
    s->used = true;
    r->running++;
}

static void try_again(runner *r, slot *s, bool stopping) {
    if (!stopping && ls_seconds() < s->again) return;
    s->used = false;
    r->running--;
    if (stopping) ls_record_free(&s->record);
    else start(r, s);
}

/* The attempt left no record: it is tried again as often as the regression allows, else it is final. No DUT runs in the job's own
 * process, so that its end says nothing of one: the job could not be judged. */
static void without_record(runner *r, slot *s, ls_record *record, int status) {
    const ls_job *job = &r->jobs->list[s->number];
    char *how = how_it_ended(s, status, job->limit);
    const char *unrecorded = strstr(s->tail, LS_JOB_UNRECORDED);
    if (unrecorded != NULL) {
        (void)snprintf(r->error, sizeof r->error, "%s", unrecorded + strlen(LS_JOB_UNRECORDED));
        r->error[strcspn(r->error, "\n")] = '\0';
    } else if (r->regression->launch[0] != '\0' && record->host[0] == '\0' && !s->overdue) {
        not_started(r, s, record, how);
    } else if (record->attempt - s->before <= r->regression->retries) {
        clear_line(r);
        print_line("lost      %s: attempt %u%s%s: %s", job->name, record->attempt, record->host[0] != '\0' ? " on " : "",
                   record->host, how);
        (void)fflush(stdout);
        lose_attempt(record, how);
        s->record = (ls_record){.attempt = record->attempt, .lost = ls_copy(record->lost)};
        s->refused = 0;
        r->counts->lost++;
        start(r, s);
    } else {
        record->final = true;
        set(&record->status, ls_copy(s->overdue ? "hang" : "usage"));
        set(&record->message, ls_copy(how));
        if (ls_record_write(r->regression, &r->jobs->list[s->number], s->number, record, r->error, sizeof r->error) == 0) {
            r->done[s->number] = true;
            r->counts->done++;
            tell_end(r, s->number, record);
        }
    }
    free(how);
}

static void finish(runner *r, slot *s, int status, bool stopping) {
    ls_record record;
    (void)kill(-s->pid, SIGKILL); /* whatever it left */
    (void)drain(s);
    (void)close(s->out);
    ls_record_free(&s->record);
    s->used = false;
    r->running--;
    const int found = ls_record_read(&record, r->regression, &r->jobs->list[s->number], s->number, r->error, sizeof r->error);
    if (found < 0) return;
    if (found == 1) {
        (void)snprintf(r->error, sizeof r->error, "%s/records/%zu.json: it is gone", r->regression->folder, s->number);
        return;
    }
    if (record.host[0] != '\0') has_begun(r);
    if (record.final) {
        r->done[s->number] = true;
        r->counts->done++;
        r->counts->passed += strcmp(record.status, "pass") == 0;
        tell_end(r, s->number, &record);
    } else if (!stopping) {
        without_record(r, s, &record, status);
    }
    ls_record_free(&record);
}

static void ask_to_end(slot *s) {
    if (s->asked == 0) {
        (void)kill(-s->pid, SIGTERM);
        s->asked = ls_seconds();
    } else if (!s->killed && ls_seconds() - s->asked > DYING) {
        (void)kill(-s->pid, SIGKILL);
        s->killed = true;
    }
}

/* A job enforces its limit itself (its stream's, then its command's with patience); one that does not, because its machine or
 * launcher hangs, is ended from here. */
static void enforce_limit(runner *r, slot *s) {
    const double now = ls_seconds();
    if (s->began == 0 && inode_of(r, s->number) != s->inode) {
        s->began = now;
        has_begun(r);
    }
    if (s->began != 0 && now - s->began > (LS_PATIENCE + 1.0) * r->jobs->list[s->number].limit + GRACE) {
        s->overdue = true;
        ask_to_end(s);
    }
}

/* ---- the regression ---- */

static void note_time(runner *r, bool now) {
    const double at = ls_seconds();
    char ignored[256];
    if (!now && at - r->saved < SAVE_EVERY) return;
    r->saved = at;
    r->regression->seconds = r->before + at - r->start;
    const bool first = r->error[0] == '\0'; /* an error told before stays */
    (void)ls_regress_write(r->regression, first ? r->error : ignored, first ? sizeof r->error : sizeof ignored);
}

/* Waits until a job ends or prints, a signal comes, or a second has gone. */
static void wait_for_something(runner *r, const sigset_t *mask) {
    struct pollfd *list = ls_alloc(r->width, sizeof *list);
    nfds_t n = 0;
    for (size_t i = 0; i < r->width; i++)
        if (r->slots[i].used && r->slots[i].out >= 0) list[n++] = (struct pollfd){.fd = r->slots[i].out, .events = POLLIN};
    (void)ppoll(list, n, &(struct timespec){.tv_sec = r->terminal ? 0 : 1, .tv_nsec = r->terminal ? 200000000 : 0}, mask);
    free(list);
}

static void look_at(runner *r, slot *s, bool stopping) {
    int status = 0;
    if (s->pid == 0) {
        try_again(r, s, stopping);
        return;
    }
    if (s->out >= 0 && !drain(s)) { /* it closed its end; it may still run */
        (void)close(s->out);
        s->out = -1;
    }
    const pid_t ended = waitpid(s->pid, &status, WNOHANG);
    if (ended == s->pid) finish(r, s, status, stopping);
    else if (stopping) ask_to_end(s);
    else enforce_limit(r, s);
}

static void run(runner *r, const sigset_t *mask) {
    for (;;) {
        const bool stopping = stop_count > 0 || r->error[0] != '\0';
        for (size_t i = 0; i < r->width && !stopping && r->error[0] == '\0'; i++) {
            while (r->next < r->jobs->count && r->done[r->next]) r->next++;
            if (!r->slots[i].used && r->next < r->jobs->count) start_next(r, &r->slots[i]);
        }
        if (r->running == 0) break;
        draw(r);
        wait_for_something(r, mask);
        for (size_t i = 0; i < r->width; i++) {
            if (!r->slots[i].used) continue;
            if (stop_count > 1 && r->slots[i].pid > 0) (void)kill(-r->slots[i].pid, SIGKILL);
            look_at(r, &r->slots[i], stop_count > 0 || r->error[0] != '\0');
        }
        note_time(r, false);
    }
    clear_line(r);
}

/* What is done already; 0, or -1 with r->error. */
static int take_stock(runner *r) {
    for (size_t i = 0; i < r->jobs->count; i++) {
        ls_record record;
        char why[sizeof r->error];
        const int found = ls_record_read(&record, r->regression, &r->jobs->list[i], i, why, sizeof why);
        if (found == -1) (void)snprintf(r->error, sizeof r->error, "%s", why);
        if (found == -1) return -1;
        if (found != 0) continue;
        r->done[i] = record.final && strcmp(record.status, "usage") != 0; /* what could not be judged is run again */
        r->counts->done += r->done[i];
        r->counts->passed += r->done[i] && strcmp(record.status, "pass") == 0;
        ls_record_free(&record);
    }
    r->printed = r->jobs->count > 0 ? r->counts->done * 10 / r->jobs->count : 0;
    return 0;
}

int ls_regress_run(ls_regress *regression, const ls_jobs *jobs, bool quiet, ls_regress_counts *counts) {
    runner r = {.regression = regression,
                .jobs = jobs,
                .counts = counts,
                .quiet = quiet,
                .terminal = ls_progress_terminal(),
                .width = regression->width > 0 ? regression->width : 1,
                .start = ls_seconds(),
                .before = regression->seconds};
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    struct sigaction old[sizeof numbers / sizeof *numbers];
    sigset_t blocked, mask;
    *counts = (ls_regress_counts){0};
    r.done = ls_alloc(jobs->count, sizeof *r.done);
    r.slots = ls_alloc(r.width, sizeof *r.slots);
    r.saved = r.start;
    stop_signal = stop_count = 0;
    (void)sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const struct sigaction action = {.sa_handler = numbers[i] == SIGCHLD ? on_child : on_stop};
        (void)sigaction(numbers[i], NULL, &old[i]);
        if (numbers[i] != SIGCHLD && old[i].sa_handler == SIG_IGN) continue; /* nohup, or a shell's background */
        (void)sigaction(numbers[i], &action, NULL);
        (void)sigaddset(&blocked, numbers[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &blocked, &mask);
    if (take_stock(&r) == 0) run(&r, &mask);
    note_time(&r, true);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) (void)sigaction(numbers[i], &old[i], NULL);
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    free(r.done);
    free(r.slots);
    if (r.error[0] == '\0' && stop_count == 0) return 0;
    if (r.error[0] != '\0') {
        char *line = ls_format("lockstep: %s", r.error);
        ls_print_plain(stderr, line);
        ls_say(stderr, "\n");
        free(line);
    } else ls_say(stderr, "lockstep: stopped by signal %d (%s)\n", (int)stop_signal, strsignal((int)stop_signal));
    char *tool = ls_shell_word(regression->tool), *folder = ls_shell_word(regression->folder);
    ls_say(stderr,
           "          %zu of %zu jobs are done; the rest: %s regress --resume %s\n"
           "          what was found so far: %s report %s\n",
           counts->done, jobs->count, tool, folder, tool, folder);
    free(tool);
    free(folder);
    return 2;
}
