/* SPDX-License-Identifier: Apache-2.0 */
/* One line on a terminal about what is being waited for: "lockstep: rf_x: compiling the DUT, 12 s". It is written again each second,
 * and erased before anything else is printed (ls_say does so). There is none before ls_progress_allow, in processes that are forked
 * later, when stderr is no terminal, or on one that cannot erase (TERM=dumb). */
#ifndef LS_PROGRESS_H
#define LS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether stderr is a terminal on which a line can be erased. */
bool ls_progress_terminal(void);

/* From now on there are lines, if there is such a terminal. Called once, before there are other threads. */
void ls_progress_allow(void);

/* A wait begins, of which the line appears after 2 s; within another one it takes its place until ls_progress_end. Control
 * characters are printed as '?'. */
void ls_progress_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ls_progress_end(void);

/* Whether there is a wait: a command without one is one itself (ls_process_run). */
bool ls_progress_waits(void);

/* The line of the last wait goes on with "N of ALL WHAT" ahead of the seconds; `done` is read until the wait ends, `what` kept. */
void ls_progress_count(const volatile uint32_t *done, uint32_t all, const char *what);

/* A line of the caller's, at once; it stays until the next one, ls_progress_clear or anything printed. */
void ls_progress_draw(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Erases the line if there is one. */
void ls_progress_clear(void);

#endif
