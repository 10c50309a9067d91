/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of a regression or of a folder of runs: what `lockstep run UNIT --coverage FILE` left, merged per unit and weighed
 * against the waivers (docs/regression.md). */
#ifndef LS_COVERAGE_H
#define LS_COVERAGE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/core/options.h"

/* Merges `folder`/coverage/<job>.dat of the regression's jobs with stimulus "coverage" into the tables coverage and uncovered;
 * stores findings "stale waiver" (a waived point that is covered or does not exist, of a unit and kind that was measured) and
 * "uncovered" (lines and branches that are not waived; toggles never). They count unless the regression is filtered or one of the
 * unit's jobs failed or left no coverage. What was lost of a job that passed, and that models were not measured, is told and
 * does not count. `waivers` is a file of lines UNIT KIND FILE NAME -- REASON; a missing one is empty. What the regression had of
 * these is replaced. Does nothing when the regression has no such jobs. 0, or -1 and a message "file:line: …"; then nothing has
 * changed, or the caller takes its transaction back. */
int ls_coverage_collect(sqlite3 *db, int64_t regression, const char *folder, const char *waivers, char *error, size_t size);

/* Prints the same of all *.dat in a folder: one line a unit, then what is not covered. Returns 0; 1: lines or branches are
 * uncovered and not waived, or a waiver is stale; -1 and a message: a file cannot be read, or there is none. */
int ls_coverage_print(const char *folder, const char *waivers, FILE *out, char *error, size_t size);

/* The command `coverage`; returns the exit code. */
int ls_command_coverage(ls_options *options);

#endif
