/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/base/text.h"

enum { OUTPUT_LIMIT = 4 << 20 };

/* ---- an end by a signal takes the commands along ---- */

/* A command has a process group of its own, which Ctrl-C does not reach; when we die the kernel kills the command, but not what
 * that has started: a compiler proper would go on to its end. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
static _Atomic pid_t running[256]; /* one for each command, 0: free; what finds no place is not taken along */

enum { ENDS = sizeof ends / sizeof ends[0], RUNNING = sizeof running / sizeof running[0] };

/* Ends them as they like to be ended (g++ removes its files), waits a little, and ends by the same signal. */
static void on_end(int number) {
    for (size_t i = 0; i < RUNNING; i++) {
        if (running[i] != 0) {
            (void)kill(-running[i], SIGTERM);
        }
    }
    for (size_t i = 0, waits = 0; i < RUNNING; i++) {
        while (running[i] != 0 && waits++ < 20 && waitpid(running[i], NULL, WNOHANG) == 0) {
            (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
    }
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void catch_ends(void) {
    for (size_t i = 0; i < ENDS; i++) {
        struct sigaction now;
        const struct sigaction action = {.sa_handler = on_end, .sa_flags = (int)(SA_NODEFER | SA_RESTART)};
        if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) { /* what is ignored, or somebody else's, stays */
            (void)sigaction(ends[i], &action, NULL);
        }
    }
}

/* The place of the command, or NULL. */
static _Atomic pid_t *note_running(pid_t pid) {
    for (size_t i = 0; i < RUNNING; i++) {
        pid_t none = 0;
        if (atomic_compare_exchange_strong(&running[i], &none, pid)) {
            return &running[i];
        }
    }
    return NULL;
}

/* Before it is waited for: after that its number may be another one's. */
static void forget(_Atomic pid_t *place) {
    if (place != NULL) {
        *place = 0;
    }
}

/* fork(), in the parent with the child noted in *place; no signal comes between the two. */
static pid_t fork_noted(_Atomic pid_t **place) {
    sigset_t blocked, before;
    (void)sigemptyset(&blocked);
    for (size_t i = 0; i < ENDS; i++) {
        (void)sigaddset(&blocked, ends[i]);
    }
    catch_ends();
    (void)pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const pid_t pid = fork();
    if (pid == 0) {
        for (size_t i = 0; i < ENDS; i++) {
            struct sigaction now;
            if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == on_end) {
                (void)signal(ends[i], SIG_DFL); /* the others are not this one's */
            }
        }
    } else if (pid > 0) {
        *place = note_running(pid);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

/* The child's side; only async-signal-safe calls. Reports an errno on `report`, which a successful exec closes. */
static void child(const ls_process *process, pid_t parent, int sink, int life, int report) {
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127);
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    struct rlimit stack;
    if (process->deep_stack && getrlimit(RLIMIT_STACK, &stack) == 0) {
        stack.rlim_cur = stack.rlim_max;
        (void)setrlimit(RLIMIT_STACK, &stack);
    }
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    /* The copy of `life` stays open in all descendants: its end of file says that the last of them is gone. */
    if (in >= 0 && dup2(in, 0) >= 0 && dup2(sink, 1) >= 0 && dup2(sink, 2) >= 0 && fcntl(life, F_DUPFD, 10) >= 0 &&
        (process->dir == NULL || chdir(process->dir) == 0)) {
        (void)execvp(process->argv[0], (char *const *)(uintptr_t)process->argv);
    }
    int error = errno;
    while (write(report, &error, sizeof error) < 0 && errno == EINTR) {
    }
    _exit(127);
}

/* ---- time that a command had a processor ----
 * Its processes' times are read from /proc: RLIMIT_CPU counts for each process alone, and a cgroup needs rights that a user may
 * not have. */

typedef struct usage_of {
    pid_t pid, parent;
    uint64_t ticks; /* its own and those of children that it waited for */
    bool runnable;  /* has a processor or waits for one, or for a disk */
    bool wanted;
} usage_of;

/* A process as /proc/PID/stat has it: false when it is gone. */
static bool read_usage(pid_t pid, usage_of *r) {
    char path[40], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    text[got > 0 ? got : 0] = '\0';
    const char *rest = strrchr(text, ')'); /* the name before it may hold anything */
    char state = '?';
    long parent = 0;
    unsigned long used[4] = {0};
    if (rest == NULL || sscanf(rest + 1, " %c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &state, &parent, &used[0],
                               &used[1], &used[2], &used[3]) != 6) {
        return false;
    }
    *r = (usage_of){.pid = pid,
                    .parent = (pid_t)parent,
                    .ticks = (uint64_t)used[0] + used[1] + used[2] + used[3],
                    .runnable = state == 'R' || state == 'D'};
    return true;
}

/* Seconds of processor time of `pid` and of all that descend from it, those that ended and were waited for among them, and
 * whether one of them could run now; below 0 where /proc does not tell. */
static double processor_seconds(pid_t pid, bool *runnable) {
    DIR *folder = opendir("/proc");
    usage_of *list = NULL;
    size_t count = 0, room = 0;
    *runnable = false;
    if (folder == NULL) {
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char *end = NULL;
        const long number = strtol(entry->d_name, &end, 10);
        if (number <= 0 || *end != '\0') {
            continue;
        }
        if (count == room) {
            room = room == 0 ? 256 : 2 * room;
            list = ls_resize(list, room * sizeof *list);
        }
        count += read_usage((pid_t)number, &list[count]);
    }
    closedir(folder);
    uint64_t ticks = 0;
    bool found = false;
    for (bool more = true; more;) { /* a generation a round */
        more = false;
        for (size_t i = 0; i < count; i++) {
            bool descends = list[i].pid == pid;
            for (size_t k = 0; k < count && !descends; k++) {
                descends = list[k].wanted && list[k].pid == list[i].parent;
            }
            if (!descends || list[i].wanted) {
                continue;
            }
            list[i].wanted = more = found = true;
            ticks += list[i].ticks;
            *runnable |= list[i].runnable;
        }
    }
    free(list);
    return found ? (double)ticks / (double)sysconf(_SC_CLK_TCK) : -1;
}

/* What decides whether a command that is over its time is given more. */
typedef struct allowance {
    double limit, most;   /* seconds: of a processor, and in all */
    double start, before; /* times: of the start, and when it had `used` seconds of a processor */
    double used;
} allowance;

/* When to look at it next: three quarters of its time show whether it works in the last quarter. */
static double first_look(const allowance *a) { return a->start + (a->most > a->limit ? a->limit * 0.75 : a->limit); }

/* Whether its time is over at `now`; else *next is when to ask again. A command that had no processor although it wanted one gets
 * more; one that sleeps does not: it neither worked since it was looked at last nor would it now. (Not the first alone: the
 * kernel counts in hundredths of a second, and one that has a fortieth of a processor gets none for longer than that.) */
static bool is_over(allowance *a, pid_t pid, double now, double *next) {
    bool runnable = false;
    const double used = a->most > a->limit ? processor_seconds(pid, &runnable) : -1, gone = now - a->start;
    const bool sleeps = !runnable && used - a->used < (now - a->before) / 200;
    if (gone >= a->limit && (used < 0 || used >= a->limit || sleeps || gone >= a->most)) {
        return true;
    }
    a->used = used;
    a->before = now;
    *next = fmin(now + a->limit * 0.25, a->start + a->most);
    return false;
}

/* What a command prints: the first 4 MB as a text, or the head and the tail of it in a file. */
typedef struct collector {
    ls_text text;
    int file;     /* or -1 */
    size_t half;  /* of the file's limit */
    uint64_t got; /* bytes so far */
    char *tail;   /* a ring of `half` bytes: what came behind the head last */
} collector;

/* A log that finds no room is cut off there: what the command does is not changed by it. */
static void write_log(collector *c, const char *data, size_t size) {
    while (size > 0 && c->file >= 0) {
        const ssize_t n = write(c->file, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            close(c->file);
            c->file = -1;
        } else {
            data += n;
            size -= (size_t)n;
        }
    }
}

static void collect(collector *c, const char *data, size_t size) {
    if (c->half == 0) {
        if (c->text.size < OUTPUT_LIMIT) ls_text_put(&c->text, data, size);
        return;
    }
    const size_t head = c->got >= c->half ? 0 : size < c->half - c->got ? size : (size_t)(c->half - c->got);
    write_log(c, data, head);
    c->got += head;
    for (size_t i = head; i < size;) {
        const size_t at = (size_t)((c->got - c->half) % c->half), room = c->half - at, n = size - i < room ? size - i : room;
        memcpy(c->tail + at, data + i, n);
        c->got += n;
        i += n;
    }
}

/* The tail, behind a line about what lies between. */
static void collect_end(collector *c) {
    const uint64_t behind = c->got > c->half ? c->got - c->half : 0;
    const size_t at = c->half > 0 ? (size_t)(behind % c->half) : 0;
    if (behind > c->half) {
        char *line =
            ls_format("\n[lockstep: %" PRIu64 " of %" PRIu64 " bytes are left out here: a log keeps its first and last %zu]\n",
                      behind - c->half, c->got, c->half);
        write_log(c, line, strlen(line));
        free(line);
    }
    if (c->half > 0 && behind >= c->half) write_log(c, c->tail + at, c->half - at);
    write_log(c, c->tail, at);
    if (c->file >= 0) close(c->file);
    free(c->tail);
}

/* Reads from `life` until its end, or until the time is over, when the process group is killed. Returns whether it was. */
static bool drain(pid_t pid, int life, const ls_process *process, collector *output) {
    const double limit = process->timeout_ms * 1e-3;
    allowance given = {.limit = limit, .most = process->patience > 1 ? limit * process->patience : limit};
    given.start = given.before = ls_seconds();
    double end = first_look(&given);
    int stop = process->stop > 0 ? process->stop : -1; /* poll passes over what is below 0 */
    bool killed = false;
    for (;;) {
        double left = (end - ls_seconds()) * 1e3;
        int wait = process->timeout_ms == 0 ? -1 : left <= 0 ? 0 : (int)left + 1;
        struct pollfd wanted[] = {{.fd = life, .events = POLLIN}, {.fd = stop}};
        (void)poll(wanted, 2, wait);
        if (process->timeout_ms != 0 && left <= 0) {
            if (killed) {
                return true; /* a descendant left the group and lives on */
            }
            if (is_over(&given, pid, ls_seconds(), &end)) {
                (void)kill(-pid, SIGKILL);
                killed = true;
                end = ls_seconds() + 1.0;
            }
        }
        if (wanted[1].revents != 0) {
            (void)kill(-pid, SIGKILL);
            stop = -1;
        }
        if (wanted[0].revents != 0) {
            char buffer[16384];
            ssize_t got = read(life, buffer, sizeof buffer);
            if (got == 0 || (got < 0 && errno != EINTR)) {
                return killed;
            }
            if (got > 0) {
                collect(output, buffer, (size_t)got);
            }
        }
    }
}

/* Its status and, in *megabytes, the most that it or one of its children held at a time. */
static int reap(pid_t pid, double *megabytes) {
    int status = 0;
    struct rusage usage = {0};
    while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    *megabytes = (double)usage.ru_maxrss / 1024;
    return status;
}

static int run(const ls_process *process, ls_process_result *result) {
    *result = (ls_process_result){0};
    const double start = ls_seconds();
    int life[2] = {-1, -1}, report[2] = {-1, -1}, file = -1, error = 0;
    pid_t pid = -1;
    _Atomic pid_t *place = NULL;
    if (process->output_path != NULL) {
        file = open(process->output_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    }
    if ((process->output_path != NULL && file < 0) || pipe2(life, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0) {
        error = -errno;
    } else {
        const pid_t self = getpid();
        pid = fork_noted(&place);
        if (pid == 0) {
            child(process, self, file >= 0 && process->output_limit == 0 ? file : life[1], life[1], report[1]);
        }
        error = pid < 0 ? -errno : 0;
    }
    const size_t half = file >= 0 ? process->output_limit / 2 : 0;
    collector output = {.file = half > 0 ? file : -1, .half = half, .tail = half > 0 ? ls_alloc(half, 1) : NULL};
    if (file >= 0 && half == 0) {
        close(file);
    }
    if (life[1] >= 0) {
        close(life[1]);
    }
    if (report[1] >= 0) {
        close(report[1]);
    }
    if (pid > 0) {
        (void)setpgid(pid, pid); /* here too, so that it holds before the time-out can strike */
        int why = 0;
        ssize_t got = 0;
        do {
            got = read(report[0], &why, sizeof why);
        } while (got < 0 && errno == EINTR);
        if (got == (ssize_t)sizeof why) {
            forget(place);
            (void)reap(pid, &result->megabytes);
            result->megabytes = 0;
            error = -why;
        } else {
            result->timed_out = drain(pid, life[0], process, &output);
            forget(place);
            int status = reap(pid, &result->megabytes);
            result->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            result->output_size = output.text.size;
            result->output = ls_text_take(&output.text);
            result->seconds = ls_seconds() - start;
        }
    }
    collect_end(&output);
    if (life[0] >= 0) {
        close(life[0]);
    }
    if (report[0] >= 0) {
        close(report[0]);
    }
    return error;
}

int ls_process_run(const ls_process *process, ls_process_result *result) {
    const char *slash = strrchr(process->argv[0], '/');
    const bool wait = !ls_progress_waits();
    if (wait) ls_progress_begin("%s", slash != NULL ? slash + 1 : process->argv[0]);
    const int error = run(process, result);
    if (wait) ls_progress_end();
    return error;
}

const char *ls_process_ending(const ls_process_result *result, char *text, size_t size) {
    if (result->timed_out) {
        (void)snprintf(text, size, "timed out after %.1f s", result->seconds);
    } else if (result->signal != 0) {
        (void)snprintf(text, size, "killed by signal %d (%s)", result->signal, strsignal(result->signal));
    } else {
        (void)snprintf(text, size, "exit status %d", result->status);
    }
    return text;
}

bool ls_from_outside(int signal) { return signal == SIGKILL || signal == SIGTERM || signal == SIGXCPU; }

bool ls_process_killed(const ls_process_result *result, const char *said) {
    static const char *const words[] = {"killed by signal 9 (", "killed by signal 15 (", "killed by signal 24 (",
                                        "Killed signal terminated program",
                                        "terminated with signal 9 ["}; /* ours; gcc's; collect2's */
    bool found = ls_from_outside(result->signal) && !result->timed_out;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) found |= strstr(said, words[i]) != NULL;
    return found;
}

bool ls_process_no_memory(const char *said) {
    static const char *const words[] = {"annot allocate memory",
                                        "out of memory",
                                        "Out of memory",
                                        "no memory or no thread left", /* libc; ours, ld; Yosys; ours */
                                        "memory exhausted",
                                        "PCH allocation failure",
                                        "bad_alloc", /* gcc and ld; gcc; C++ */
                                        "failed to map segment from shared object",
                                        "signal terminated program"}; /* the loader; gcc of its own parts */
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) found |= strstr(said, words[i]) != NULL;
    return found;
}

void ls_process_free(ls_process_result *result) {
    free(result->output);
    *result = (ls_process_result){0};
}

static bool is_executable(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

char *ls_process_find(const char *name) {
    if (name[0] == '\0' || strchr(name, '/') != NULL) {
        return is_executable(name) ? ls_copy(name) : NULL;
    }
    const char *path = getenv("PATH");
    char *list = ls_copy(path != NULL ? path : "/usr/bin:/bin"), *rest = list, *found = NULL;
    for (char *folder; found == NULL && (folder = strsep(&rest, ":")) != NULL;) {
        found = ls_format("%s/%s", folder[0] != '\0' ? folder : ".", name);
        if (!is_executable(found)) {
            free(found);
            found = NULL;
        }
    }
    free(list);
    return found;
}
