/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says: one screen for a person, one JSON object for a program. */
#ifndef LS_REPORT_H
#define LS_REPORT_H

#include <stdio.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/core/run.h"
#include "harness/dut/build.h"

/* Everything about a run that is not in its request or result. */
typedef struct ls_run_notes {
    const char *command;      /* that repeats it */
    const char *const *files; /* made by it: pairs of a word and a path ("case", "…"), ends with NULL */
    const char *build;        /* 32 hex digits of the DUT's content */
    bool cached;
    double build_seconds;
    const ls_build_result *made; /* for the files of the RTL; NULL: there is none */
    const char *problems;        /* what keeps a run from beginning, whole; NULL: what the result's message says */
} ls_run_notes;

/* The member "params" of a record: each parameter with its value. */
void ls_report_params(const ls_unit *unit, const void *cfg, ls_text *to);

/* The machine description that was asked for, if any, and what is said of the surroundings. */
void ls_report_surroundings(const char *machine, const ls_settings *settings, ls_text *to);

/* Of counters that follow: of which sub-core they are, when there are several. */
void ls_report_sub_cores(uint32_t count, FILE *to);

/* The run's record: one JSON object without a line's end. */
void ls_report_record(const ls_request *request, const ls_result *result, const ls_run_notes *notes, ls_text *to);

/* The run in words. `colour` only for a terminal. */
void ls_report_text(const ls_request *request, const ls_result *result, const ls_run_notes *notes, bool colour, FILE *to);

/* A line about instructions of a workload whose opcode no rule speaks for; none for 0. */
void ls_report_unknown(uint64_t count, const char *first, FILE *to);

/* One line for a run that passed, or is vacuous: then with what it lacks. */
void ls_report_brief(const ls_request *request, const ls_result *result, FILE *to);

#endif
