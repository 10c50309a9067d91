/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a runner leaves in a regression's folder, as text (docs/regression.md): for what reads them again. */
#ifndef LS_REGRESS_FOLDER_H
#define LS_REGRESS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/hash.h"
#include "harness/base/text.h"

#define LS_LISTED_JOBS_MAX 1000000

/* A line of jobs.tsv. The texts point into ls_listed_jobs.text. */
typedef struct ls_listed_job {
    int64_t number, tier, limit; /* limit in seconds */
    const char *name, *unit, *params, *stimulus, *block, *seed;
    char **args; /* of lockstep: "run", "rf_rr", …; ends with NULL */
} ls_listed_job;

typedef struct ls_listed_jobs {
    ls_listed_job *list; /* list[n] has number n */
    size_t count;
    char *text, **words;
} ls_listed_jobs;

/* Reads folder/jobs.tsv. 0, or -1 and a message "file:line: …" with nothing to free. */
int ls_listed_jobs_read(ls_listed_jobs *jobs, const char *folder, char *error, size_t size);
void ls_listed_jobs_free(ls_listed_jobs *jobs);

/* The hash that the checksum of a job's record begins with: its regression, by beginning and base of the seeds, and the job's
 * name and arguments. So a record of another regression or of another job is none, however it came into the folder. */
ls_hash ls_record_of(const char *started, const char *fresh, const char *name, char *const *args, size_t count);

/* Puts the checksum of a JSON object, "{…}", behind its last member: `of`, then the text before it. */
void ls_seal_json(ls_text *json, ls_hash of);

/* Whether a file's text is what ls_seal_json made. */
bool ls_sealed_json(const char *json, ls_hash of);

/* The path of the file that says what the regression in `folder` is: regression.json, or night.json where an older version left
 * only that. To be freed. */
char *ls_regression_json(const char *folder);

/* Reads a file that is text, without NUL; `hint` is added to the message when it is missing. 0, or -1 and a message that names
 * it. */
int ls_regress_text(ls_text *text, const char *path, const char *hint, char *error, size_t size);

#endif
