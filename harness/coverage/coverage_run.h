/* SPDX-License-Identifier: Apache-2.0 */
/* `lockstep run --coverage FILE`: the coverage of one run, RTL and model, in one file (docs/regression.md). */
#ifndef LS_COVERAGE_RUN_H
#define LS_COVERAGE_RUN_H

#include <stddef.h>

#include "harness/core/options.h"

typedef struct ls_coverage_run {
    char *raw;      /* Verilator's file, for ls_request.coverage */
    char *counters; /* folder for gcov's; NULL: these models are not built for gcov */
} ls_coverage_run;

/* Before anything of the run's models is called. Becomes gcov/lockstep beside this tool when that exists and the models here are
 * not built for gcov: then it does not return. Otherwise makes the file's folder, points gcov there and checks the unit's
 * parameter ranges (ls_coverage_ranges). 0, or -1 and a message. ls_coverage_free in either case. */
int ls_coverage_begin(ls_coverage_run *run, const ls_options *options, char *error, size_t size);

/* After ls_run: makes the file. 0, or -1 and a message. */
int ls_coverage_end(const ls_coverage_run *run, const ls_options *options, bool written, char *error, size_t size);
/* Removes also what the file was made from. */
void ls_coverage_free(ls_coverage_run *run);

/* The model's check of its configuration against the field list's ranges: values just outside must be refused, by init too;
 * corners, one and two parameters at a time, must be judged alike by both. No run meets these lines, because none starts. 0, or
 * -1 and a message. */
int ls_coverage_ranges(const ls_unit *unit, char *error, size_t size);

#endif
