/* SPDX-License-Identifier: Apache-2.0 */
/* The second, deterministic run that writes waves around a failure: one FST that holds rtl, model, diff and verdict, and a .gtkw
 * view that opens on it. */
#ifndef LS_WAVE_H
#define LS_WAVE_H

#include <limits.h>

#include "harness/core/options.h"
#include "harness/core/run.h"

#define LS_WAVE_BEFORE 100u /* cycles in the file before the failing one */
#define LS_WAVE_AFTER 10u   /* and after it */

typedef struct ls_wave_files {
    char fst[PATH_MAX], gtkw[PATH_MAX], sucl[PATH_MAX];
    char message[1024]; /* on failure */
    char note[256];     /* "", or in words why the waves do not show the mismatch as the run had it */
    char key[64];       /* of the RTL that they show */
    bool shown;         /* the registers differ in them, first in this cycle of the case's so many: */
    uint64_t cycle, cycles;
    char began[LS_NAME_MAX]; /* and this one first */
} ls_wave_files;

/* Replays the case, which is of a `mismatch` or not, with a DUT built for waves, into folder/failure.fst, failure.gtkw and
 * failure.sucl. 0, or -1 with a message. */
int ls_wave_write(const ls_options *options, const char *case_path, bool mismatch, const char *folder, ls_wave_files *files);
/* Notes in the result, when its mismatch is of a unit whose memories are swept, in which cycle and where the waves show it first.
 */
void ls_wave_date(const ls_wave_files *files, ls_result *result);

#endif
