/* SPDX-License-Identifier: Apache-2.0 */
/* A regression's plan, a text table of a person, as a list of jobs; and that list as the file jobs.tsv (docs/regression.md). */
#ifndef LS_REGRESS_PLAN_H
#define LS_REGRESS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/text.h"

#define LS_JOBS_MAX 1000000u
#define LS_JOB_LIMIT 600u /* seconds until a job is a hang, when its row does not say */
#define LS_JOB_LIMIT_MUTANTS 3600u

typedef struct ls_job {
    uint32_t tier;  /* 1 to 9 */
    uint32_t limit; /* seconds */
    char *name;     /* unique in the list, the same in every regression: "rf_bank/ROWS=8/random/fixed.0" */
    char *unit;     /* "-" for mutants of the tool */
    char *params;   /* "ROWS=8 LANES=1", "" for the defaults */
    char *stimulus; /* "random", "corpus", "kernel:bfs", "trace:…", "faults", "mutants", "coverage", "netlist", "proof" */
    char *block;    /* "corpus", "fixed", "fresh"; "" where nothing is seeded */
    char *seed;     /* 16 hex digits; "" where nothing is seeded */
    ls_args args;   /* of lockstep: what repeats the job */
    size_t line;    /* of the plan; 0: read from jobs.tsv */
} ls_job;

typedef struct ls_jobs {
    ls_job *list;
    size_t count;
    size_t without_traces; /* rows left out because there is no folder of traces */
} ls_jobs;

/* Where the rows of a plan find what they name. */
typedef struct ls_plan_source {
    const char *path;    /* the plan */
    const char *corpus;  /* folder with <unit>/<name>.case */
    const char *proofs;  /* file of units and parameters at which they are proved */
    const char *traces;  /* folder of real traces; NULL: rows that name some are left out and counted */
    const char *streams; /* folder in which kernels' streams are or will be */
    uint64_t fresh;      /* base of the fresh seeds */
} ls_plan_source;

/* Reads a plan into jobs, in the order in which they are to run: lower tiers first, in each its corpus first. 0; or -1, nothing
 * to free, and a message "file:line: what": a row that is malformed or selects nothing, something unknown or out of range, a job
 * that two rows name. */
int ls_jobs_plan(ls_jobs *jobs, const ls_plan_source *from, char *error, size_t size);

/* Keeps the jobs of tiers up to `tier` (0: all) whose names match `only` (`*` any text, `?` any character; NULL: all). */
void ls_jobs_filter(ls_jobs *jobs, const char *only, uint32_t tier);

/* The jobs as jobs.tsv, one a line, numbered from 0. */
void ls_jobs_write(const ls_jobs *jobs, ls_text *to);

/* Reads what ls_jobs_write wrote. 0; or -1, nothing to free, and a message "file:line: what". */
int ls_jobs_read(ls_jobs *jobs, const char *path, char *error, size_t size);

/* The same of one job, by a search for its line. Whether there is such a line, and `job` needs ls_job_free. */
bool ls_jobs_read_one(ls_job *job, const char *path, size_t number);

/* A hash of all that jobs.tsv says of a job; to be freed. */
char *ls_job_mark(const ls_job *job);

void ls_job_free(ls_job *job);
void ls_jobs_free(ls_jobs *jobs);

#endif
