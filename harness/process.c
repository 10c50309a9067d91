/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/text.h"

enum { OUTPUT_LIMIT = 4 << 20 };

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

/* Reads from `life` until its end, or until the time-out, when the process group is killed. Returns whether it was. */
static bool drain(pid_t pid, int life, unsigned timeout_ms, ls_text *output) {
    double end = ls_seconds() + timeout_ms * 1e-3;
    bool killed = false;
    for (;;) {
        double left = (end - ls_seconds()) * 1e3;
        int wait = timeout_ms == 0 ? -1 : left <= 0 ? 0 : (int)left + 1;
        struct pollfd wanted = {.fd = life, .events = POLLIN};
        int ready = poll(&wanted, 1, wait);
        if (timeout_ms != 0 && left <= 0) {
            if (killed) {
                return true; /* a descendant left the group and lives on */
            }
            (void)kill(-pid, SIGKILL);
            killed = true;
            end = ls_seconds() + 1.0;
        }
        if (ready > 0) {
            char buffer[16384];
            ssize_t got = read(life, buffer, sizeof buffer);
            if (got == 0 || (got < 0 && errno != EINTR)) {
                return killed;
            }
            if (got > 0 && output->size < OUTPUT_LIMIT) {
                ls_text_put(output, buffer, (size_t)got);
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

int ls_process_run(const ls_process *process, ls_process_result *result) {
    *result = (ls_process_result){0};
    const double start = ls_seconds();
    int life[2] = {-1, -1}, report[2] = {-1, -1}, file = -1, error = 0;
    pid_t pid = -1;
    if (process->output_path != NULL) {
        file = open(process->output_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    }
    if ((process->output_path != NULL && file < 0) || pipe2(life, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0) {
        error = -errno;
    } else {
        const pid_t self = getpid();
        pid = fork();
        if (pid == 0) {
            child(process, self, file >= 0 ? file : life[1], life[1], report[1]);
        }
        error = pid < 0 ? -errno : 0;
    }
    if (file >= 0) {
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
        ls_text output = {0};
        if (got == (ssize_t)sizeof why) {
            (void)reap(pid, &result->megabytes);
            result->megabytes = 0;
            error = -why;
        } else {
            result->timed_out = drain(pid, life[0], process->timeout_ms, &output);
            int status = reap(pid, &result->megabytes);
            result->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            result->output_size = output.size;
            result->output = ls_text_take(&output);
            result->seconds = ls_seconds() - start;
        }
    }
    if (life[0] >= 0) {
        close(life[0]);
    }
    if (report[0] >= 0) {
        close(report[0]);
    }
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

bool ls_process_killed(const ls_process_result *result, const char *said) {
    static const char *const words[] = {"killed by signal 9 (", "Killed signal terminated program"}; /* ours; gcc's */
    bool found = result->signal == SIGKILL && !result->timed_out;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) found |= strstr(said, words[i]) != NULL;
    return found;
}

void ls_process_free(ls_process_result *result) {
    free(result->output);
    *result = (ls_process_result){0};
}
