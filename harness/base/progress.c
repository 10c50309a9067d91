/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/progress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/base/clock.h"

#define DEPTH 8     /* waits within waits; deeper ones have no line of their own */
#define PATIENCE 2  /* seconds without a line */
#define COLUMNS 120 /* of a line, where the terminal does not say how many it has */

/* A wait. */
typedef struct wait {
    char text[160];
    double start;
    const volatile uint32_t *done;
    uint32_t all;
    const char *what;
} wait;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static struct {
    pid_t owner; /* 0: there are no lines */
    wait waits[DEPTH];
    unsigned depth;
    bool shown, ticking;
} now;

bool ls_progress_terminal(void) {
    const char *name = getenv("TERM");
    return isatty(STDERR_FILENO) == 1 && (name == NULL || strcmp(name, "dumb") != 0);
}

/* Whether lines are this process's: it does not take the lock otherwise, which another thread may have held when it was forked. */
static bool is_ours(void) { return now.owner != 0 && now.owner == getpid(); }

/* stderr as it is, not through stdio, of which another thread may hold the lock. */
static void put(const char *text, size_t size) {
    while (size > 0) {
        const ssize_t n = write(STDERR_FILENO, text, size);
        if (n <= 0 && errno != EINTR) return;
        if (n > 0) text += n;
        if (n > 0) size -= (size_t)n;
    }
}

static void erase(void) {
    if (now.shown) put("\r\033[K", 4);
    now.shown = false;
}

/* The text in the place of the line, cut so that it does not wrap. */
static void draw(const char *text) {
    char line[512];
    struct winsize window = {0};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    const int columns = known ? window.ws_col - 1 : COLUMNS;
    const int size = snprintf(line, sizeof line, "\r\033[K%.*s", columns, text);
    for (char *c = line + 4; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    now.shown = true;
    put(line, size < (int)sizeof line ? (size_t)size : sizeof line - 1);
}

/* The line of the innermost wait, if it is time for it. */
static void tick(void) {
    const wait *w = now.depth > 0 ? &now.waits[(now.depth < DEPTH ? now.depth : DEPTH) - 1] : NULL;
    const double seconds = w != NULL ? ls_seconds() - w->start : 0;
    char line[256], count[64] = "";
    if (w == NULL || seconds < PATIENCE) return;
    if (w->done != NULL) (void)snprintf(count, sizeof count, ", %u of %u %s", *w->done, w->all, w->what);
    (void)snprintf(line, sizeof line, "lockstep: %s%s, %.0f s", w->text, count, seconds);
    draw(line);
}

static void *write_lines(void *none) {
    (void)pthread_mutex_lock(&lock);
    for (;;) {
        while (now.depth == 0) (void)pthread_cond_wait(&changed, &lock);
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        while (now.depth > 0 && pthread_cond_timedwait(&changed, &lock, &until) != ETIMEDOUT) continue;
        tick();
    }
    return none;
}

void ls_progress_allow(void) {
    if (!ls_progress_terminal()) return;
    pthread_condattr_t forward;
    if (pthread_condattr_init(&forward) != 0) return;
    (void)pthread_condattr_setclock(&forward, CLOCK_MONOTONIC);
    if (pthread_cond_init(&changed, &forward) == 0) now.owner = getpid();
    (void)pthread_condattr_destroy(&forward);
}

/* The thread that writes, started when it is needed first. Signals are the others'. */
static void start(void) {
    pthread_t thread;
    sigset_t all, before;
    if (now.ticking) return;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    now.ticking = pthread_create(&thread, NULL, write_lines, NULL) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (now.ticking) (void)pthread_detach(thread);
}

void ls_progress_begin(const char *format, ...) {
    if (!is_ours()) return;
    (void)pthread_mutex_lock(&lock);
    if (now.depth < DEPTH) {
        wait *w = &now.waits[now.depth];
        va_list args;
        *w = (wait){.start = ls_seconds()};
        va_start(args, format);
        (void)vsnprintf(w->text, sizeof w->text, format, args);
        va_end(args);
    }
    now.depth++;
    start();
    (void)pthread_cond_signal(&changed);
    (void)pthread_mutex_unlock(&lock);
}

bool ls_progress_waits(void) {
    if (!is_ours()) return false;
    (void)pthread_mutex_lock(&lock);
    const bool waits = now.depth > 0;
    (void)pthread_mutex_unlock(&lock);
    return waits;
}

void ls_progress_count(const volatile uint32_t *done, uint32_t all, const char *what) {
    if (!is_ours()) return;
    (void)pthread_mutex_lock(&lock);
    if (now.depth > 0 && now.depth <= DEPTH) {
        wait *w = &now.waits[now.depth - 1];
        w->done = done;
        w->all = all;
        w->what = what;
    }
    (void)pthread_mutex_unlock(&lock);
}

void ls_progress_end(void) {
    if (!is_ours()) return;
    (void)pthread_mutex_lock(&lock);
    if (now.depth > 0) now.depth--;
    erase();
    (void)pthread_mutex_unlock(&lock);
}

void ls_progress_draw(const char *format, ...) {
    char line[512];
    va_list args;
    if (!is_ours()) return;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    (void)pthread_mutex_lock(&lock);
    draw(line);
    (void)pthread_mutex_unlock(&lock);
}

void ls_progress_clear(void) {
    if (!is_ours()) return;
    (void)pthread_mutex_lock(&lock);
    erase();
    (void)pthread_mutex_unlock(&lock);
}
