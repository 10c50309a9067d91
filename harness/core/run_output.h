/* SPDX-License-Identifier: Apache-2.0 */
/* What a DUT's process prints, by whatever way, reaches our stderr and nothing else, without control characters: stdout is the
 * record's, and the RTL must not command a terminal. */
#ifndef LS_RUN_OUTPUT_H
#define LS_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ls_run_output {
    int from, into;
    char held[4]; /* the beginning of a character whose rest has not come yet */
    size_t held_size;
} ls_run_output;

/* Before the fork. 0, or -1. */
int ls_run_output_open(ls_run_output *output);
/* In the child: its stdout and stderr are the output from now on. */
void ls_run_output_child(ls_run_output *output);
/* In the parent, after the fork. */
void ls_run_output_parent(ls_run_output *output);
/* In the parent: passes on what is there now, without waiting. False at the end of all output. */
bool ls_run_output_pass(ls_run_output *output);
/* In the parent, when the child has ended: passes on what it left. Its own children may still print; that is lost. */
void ls_run_output_close(ls_run_output *output);

#endif
