/* SPDX-License-Identifier: Apache-2.0 */
/* A night as its reports need it: read from the history once, counted, sorted, with the nights before it. */
#ifndef LS_NIGHT_DATA_H
#define LS_NIGHT_DATA_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/text.h"

enum { LS_NIGHT_TREND = 30, LS_NIGHT_KINDS = 4, LS_NIGHT_SIDES = 2, LS_NIGHT_ABSENT = 20 /* are named, at most */ };

/* Columns as in harness/history/store_schema.h; NULL only where SQL has it. Texts are as they were stored: any bytes but NUL. */
typedef struct ls_night_result {
    const char *name, *unit, *params, *stimulus, *block, *seed, *status, *verdict, *bucket, *host, *message, *command;
    const char *mismatch; /* JSON object of the record, or NULL */
    int64_t number, tier, cycles, bits, attempts;
    double seconds, build_seconds;
} ls_night_result;

typedef struct ls_night_bucket {
    const char *name, *unit, *field, *kind, *known, *owner, *since, *folder, *shrunk, *waves, *view, *picture, *note;
    int64_t jobs, earliest, shortest, other, reproduced, shrunk_cycles; /* the last three: -1 for NULL */
} ls_night_bucket;

typedef struct ls_night_finding {
    const char *kind, *name, *text;
    bool counts;
} ls_night_finding;

typedef struct ls_night_lost {
    const char *name, *host, *how;
    int64_t attempt;
} ls_night_lost;

/* A point that is not covered, or a mutant that survived (`kind` is its side, `place` its name, `name` what it is). */
typedef struct ls_night_point {
    const char *unit, *kind, *place, *name, *waived;
} ls_night_point;

typedef struct ls_night_cover {
    int64_t total, hit, waived; /* total 0: not measured */
} ls_night_cover;

typedef struct ls_night_mutation {
    int64_t made, killed, equivalent, survived, undecided; /* made 0: none */
} ls_night_mutation;

typedef struct ls_night_set {
    const char *params;
    int64_t jobs, failed, known, open, cycles;
} ls_night_set;

typedef struct ls_night_unit {
    const char *name;
    int64_t jobs, failed, known, cycles, bits;
    double seconds, build_seconds, run_seconds; /* run: without building, of jobs that have cycles */
    ls_night_cover cover[LS_NIGHT_KINDS];       /* ls_night_kinds */
    ls_night_cover bins;
    ls_night_mutation mutation[LS_NIGHT_SIDES]; /* ls_night_sides */
    ls_night_set *sets;
    size_t set_count;
} ls_night_unit;

/* One of the last nights of the same plan. */
typedef struct ls_night_past {
    int64_t id, jobs, passed, failed, known, lost, cycles;
    const char *started, *verdict;
    double seconds, run_seconds;
} ls_night_past;

/* A bucket over all nights: view bucket_history. */
typedef struct ls_night_story {
    const char *name, *unit;
    int64_t first, last, nights, fixed; /* fixed: 0 for not yet */
    bool tonight, before;               /* before: in the night before this one */
    bool seen[LS_NIGHT_TREND];
} ls_night_story;

typedef struct ls_night {
    int64_t id, dirty, width, planned;
    const char *plan, *folder, *started, *source, *fresh, *launch, *filter, *verdict;
    char *title; /* the plan's name: "nightly" */
    double seconds;
    bool times;
    const char **tools; /* pairs of name and version */
    size_t tool_count;  /* of pairs */
    ls_night_result *jobs;
    ls_night_bucket *buckets;
    ls_night_finding *findings;
    ls_night_lost *lost;
    ls_night_point *points, *survivors, *idle; /* idle: bins that were never hit, kind "bin" */
    ls_night_point *undecided;                 /* mutants that neither ended nor are proved equivalent */
    ls_night_unit *units;                      /* by name */
    ls_night_past *past;                       /* oldest first, this night last */
    ls_night_story *stories;
    const char **absent; /* what the last whole night of this plan had and tonight has not: units, and jobs of others */
    size_t job_count, bucket_count, finding_count, lost_count, point_count, survivor_count, undecided_count, idle_count, unit_count,
        past_count, story_count, absent_count;
    ls_night_mutation comparer;
    int64_t passed, failed, known, open, cycles, bits, counting; /* open: not ended; counting: findings that count */
    int64_t before;                                        /* the last whole night of this plan, 0 for none */
    char **texts;                                          /* that all these point to */
    size_t text_count;
} ls_night;

/* Kinds of coverage ("line", "toggle", "model line", "model branch") and sides of mutation ("rtl", "model"), in the order of the
 * arrays. */
extern const char *const ls_night_kinds[LS_NIGHT_KINDS];
extern const char *const ls_night_sides[LS_NIGHT_SIDES];

/* Reads the night. 0, or -1 and a message; ls_night_free releases it in both cases. */
int ls_night_read(ls_night *night, sqlite3 *db, int64_t id, bool times, char *error, size_t size);
void ls_night_free(ls_night *night);

/* The job of that number, or NULL. */
const ls_night_result *ls_night_find(const ls_night *night, int64_t number);

/* Points hit in percent of those not waived, rounded down to a tenth, so that 100 is all of them; -1: there are none. */
double ls_night_percent(const ls_night_cover *cover);

/* Mutants killed in percent of those not proved equivalent, likewise. */
double ls_night_score(const ls_night_mutation *mutation);

/* A job's message as the reports show it: without `times` those of crashes, hangs and builds are left out (addresses, times), and
 * paths into the night's folder begin with $NIGHT. To be freed. */
char *ls_night_message(const ls_night *night, const ls_night_result *job);

/* `text` with paths into the night's folder, whether absolute or relative, replaced by paths from $NIGHT. To be freed. */
char *ls_night_portable(const ls_night *night, const char *text);

/* The same unless the night's times are wanted: then a copy. */
char *ls_night_shown(const ls_night *night, const char *text);

#endif
