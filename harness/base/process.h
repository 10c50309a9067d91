/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one command to its end: no shell, no inherited input, everything it prints kept. */
#ifndef LS_PROCESS_H
#define LS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LS_PATIENCE 4u /* for tools and jobs: see ls_process.patience */

typedef struct ls_process {
    const char *const *argv; /* ends with NULL; argv[0] is looked up in PATH */
    const char *dir;         /* working directory; NULL: the caller's */
    const char *output_path; /* file, replaced, that receives stdout and stderr; NULL: ls_process_result.output */
    size_t output_limit; /* the file keeps so many bytes at most (and a line that says how many were left out): half of them the
                            first, half the last, which it gets at the end. The command never waits for it. 0: all, written by the
                            command itself */
    unsigned timeout_ms; /* then the command and its children are killed; 0: none */
    int stop; /* the reading end of a pipe: when the other end is closed the command and its children are killed; 0: none */
    unsigned patience; /* on a busy machine the time-out is of processor time, up to so many times its length; 0, 1: never */
    bool deep_stack;   /* its stack may grow up to the hard limit: a compiler recurses as deep as its input nests */
} ls_process;

typedef struct ls_process_result {
    int status;     /* exit status 0 .. 255, or -1 when a signal ended it */
    int signal;     /* that signal, or 0 */
    bool timed_out; /* the time-out ended it (signal is SIGKILL) */
    char *output;   /* stdout and stderr as printed, the first 4 MB, ends with NUL; "" with output_path; never NULL on success */
    size_t output_size;
    double seconds;   /* wall time */
    double megabytes; /* the most that the command, or one of its children that it waited for, held at a time */
} ls_process_result;

/* Runs the command and waits for it and for all children that hold its output; stdin is /dev/null. Returns 0 when it ran, however
 * it ended, else a negative errno (-ENOENT: no such command or directory) with `result` zeroed. */
int ls_process_run(const ls_process *process, ls_process_result *result);

/* True when it ended by itself with status 0. */
static inline bool ls_process_ok(const ls_process_result *result) { return result->status == 0; }

/* How it ended, in words: "exit status 1", "killed by signal 11 (Segmentation fault)", "timed out after 60.0 s". Returns `text`.
 */
const char *ls_process_ending(const ls_process_result *result, char *text, size_t size);

/* Whether a signal is one that no program ends itself by: 9, 15 or 24. It came from outside (a person, a batch system and its
 * limits, the kernel or a daemon when memory ran out), and says nothing of what was run. */
bool ls_from_outside(int signal);

/* Whether such a signal ended the command or, as `said` tells, the DUT or a tool that it called. */
bool ls_process_killed(const ls_process_result *result, const char *said);

/* Whether a tool, a loader or a DUT's process says that there was no memory for it. That too comes from outside. */
bool ls_process_no_memory(const char *said);

/* The file that a command's name stands for: the name itself when there is a slash in it, else the first file of PATH that may be
 * executed; to be freed. NULL when there is none. */
char *ls_process_find(const char *name);

/* Frees what ls_process_run allocated; a zeroed result is allowed. */
void ls_process_free(ls_process_result *result);

#ifdef __cplusplus
}
#endif
#endif
