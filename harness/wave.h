/* SPDX-License-Identifier: Apache-2.0 */
/* The second, deterministic run that writes waves around a failure: one FST that holds rtl, model, diff and verdict, and a .gtkw
 * view that opens on it. */
#ifndef LS_WAVE_H
#define LS_WAVE_H

#include <limits.h>

#include "harness/options.h"

#define LS_WAVE_BEFORE 100u /* cycles in the file before the failing one */
#define LS_WAVE_AFTER 10u   /* and after it */

typedef struct ls_wave_files {
    char fst[PATH_MAX], gtkw[PATH_MAX];
    char message[1024]; /* on failure */
} ls_wave_files;

/* Replays the case with a DUT built for waves, into folder/failure.fst and folder/failure.gtkw. 0, or -1 with a message. */
int ls_wave_write(const ls_options *options, const char *case_path, const char *folder, ls_wave_files *files);

#endif
