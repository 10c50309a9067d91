/* SPDX-License-Identifier: Apache-2.0 */
/* A regression as its reports need it: read from the history once, counted, sorted, with the regressions before it. */
#ifndef LS_REPORT_DATA_H
#define LS_REPORT_DATA_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/text.h"
#include "harness/mutants/mutants.h"

enum { LS_REPORT_TREND = 30, LS_REPORT_KINDS = 4, LS_REPORT_SIDES = 2, LS_REPORT_ABSENT = 20 /* are named, at most */ };

/* Columns as in harness/history/store_schema.h; NULL only where SQL has it. Texts are as they were stored: any bytes but NUL. */
typedef struct ls_report_result {
    const char *name, *unit, *params, *stimulus, *block, *seed, *status, *verdict, *bucket, *host, *message, *command;
    const char *mismatch; /* JSON object of the record, or NULL */
    int64_t number, tier, cycles, bits, attempts;
    double seconds, build_seconds;
} ls_report_result;

typedef struct ls_report_bucket {
    const char *name, *unit, *field, *kind, *known, *owner, *since, *folder, *shrunk, *waves, *view, *picture, *note;
    int64_t jobs, earliest, shortest, other, reproduced, shrunk_cycles; /* the last three: -1 for NULL */
} ls_report_bucket;

typedef struct ls_report_finding {
    const char *kind, *name, *text;
    bool counts;
} ls_report_finding;

typedef struct ls_report_lost {
    const char *name, *host, *how;
    int64_t attempt;
} ls_report_lost;

/* A point that is not covered, or a mutant that survived (`kind` is its side, `place` its name, `name` what it is). */
typedef struct ls_report_point {
    const char *unit, *kind, *place, *name, *waived;
} ls_report_point;

typedef struct ls_report_cover {
    int64_t total, hit, waived; /* total 0: not measured */
} ls_report_cover;

typedef struct ls_report_mutation {
    int64_t made, killed, equivalent, survived, undecided; /* made 0: none */
} ls_report_mutation;

typedef struct ls_report_set {
    const char *params;
    int64_t jobs, failed, known, open, cycles;
} ls_report_set;

typedef struct ls_report_unit {
    const char *name;
    int64_t jobs, failed, known, cycles, bits;
    double seconds, build_seconds, run_seconds; /* run: without building, of jobs that have cycles */
    ls_report_cover cover[LS_REPORT_KINDS];     /* ls_report_kinds */
    ls_report_cover bins;
    ls_report_mutation mutation[LS_REPORT_SIDES]; /* ls_report_sides */
    ls_report_set *sets;
    size_t set_count;
} ls_report_unit;

/* One of the last regressions of the same plan. */
typedef struct ls_report_past {
    int64_t id, jobs, passed, failed, known, lost, cycles;
    const char *started, *verdict;
    double seconds, run_seconds;
} ls_report_past;

/* A bucket over all regressions: view bucket_history. */
typedef struct ls_report_story {
    const char *name, *unit;
    int64_t first, last, regressions, fixed; /* fixed: 0 for not yet */
    bool now, before;                        /* before: in the regression before this one */
    bool seen[LS_REPORT_TREND];
} ls_report_story;

typedef struct ls_report {
    int64_t id, dirty, width, planned;
    const char *plan, *folder, *started, *source, *fresh, *launch, *filter, *verdict;
    char *title; /* the plan's name: "nightly" */
    double seconds;
    bool times;
    const char **tools; /* pairs of name and version */
    size_t tool_count;  /* of pairs */
    ls_report_result *jobs;
    ls_report_bucket *buckets;
    ls_report_finding *findings;
    ls_report_lost *lost;
    ls_report_point *points, *survivors, *idle; /* idle: bins that were never hit, kind "bin" */
    ls_report_point *undecided;                 /* mutants that neither ended nor are proved equivalent */
    ls_report_unit *units;                      /* by name */
    ls_report_past *past;                       /* oldest first, this regression last */
    ls_report_story *stories;
    const char **absent; /* what the last whole regression of this plan had and this one has not: units, and jobs of others */
    size_t job_count, bucket_count, finding_count, lost_count, point_count, survivor_count, undecided_count, idle_count,
        unit_count, past_count, story_count, absent_count;
    ls_report_mutation part[LS_MUTANTS_PARTS];                   /* of the tool */
    int64_t passed, failed, known, open, cycles, bits, counting; /* open: not ended; counting: findings that count */
    int64_t before;                                              /* the last whole regression of this plan, 0 for none */
    char **texts;                                                /* that all these point to */
    size_t text_count;
} ls_report;

/* Kinds of coverage ("line", "toggle", "model line", "model branch") and sides of mutation ("rtl", "model"), in the order of the
 * arrays. */
extern const char *const ls_report_kinds[LS_REPORT_KINDS];
extern const char *const ls_report_sides[LS_REPORT_SIDES];

/* Reads the regression. 0, or -1 and a message; ls_report_free releases it in both cases. */
int ls_report_read(ls_report *report, sqlite3 *db, int64_t id, bool times, char *error, size_t size);
void ls_report_free(ls_report *report);

/* The job of that number, or NULL. */
const ls_report_result *ls_report_find(const ls_report *report, int64_t number);

/* Points hit in percent of those not waived, rounded down to a tenth, so that 100 is all of them; -1: there are none. */
double ls_report_percent(const ls_report_cover *cover);

/* Mutants killed in percent of those not proved equivalent, likewise. */
double ls_report_score(const ls_report_mutation *mutation);

/* A job's message as the reports show it: without `times` those of crashes, hangs and builds are left out (addresses, times), and
 * paths into the regression's folder begin with $REGRESSION. To be freed. */
char *ls_report_message(const ls_report *report, const ls_report_result *job);

/* `text` with paths into the regression's folder, whether absolute or relative, replaced by paths from $REGRESSION. To be freed.
 */
char *ls_report_portable(const ls_report *report, const char *text);

/* The same unless the regression's times are wanted: then a copy. */
char *ls_report_shown(const ls_report *report, const char *text);

#endif
