/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a runner leaves in a night's folder, as text (docs/regression.md): for what reads them again. */
#ifndef LS_NIGHT_FOLDER_H
#define LS_NIGHT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/hash.h"
#include "harness/base/text.h"

#define LS_NIGHT_JOBS_MAX 1000000

/* A line of jobs.tsv. The texts point into ls_night_jobs.text. */
typedef struct ls_night_job {
    int64_t number, tier, limit; /* limit in seconds */
    const char *name, *unit, *params, *stimulus, *block, *seed;
    char **args; /* of lockstep: "run", "rf_rr", …; ends with NULL */
} ls_night_job;

typedef struct ls_night_jobs {
    ls_night_job *list; /* list[n] has number n */
    size_t count;
    char *text, **words;
} ls_night_jobs;

/* Reads folder/jobs.tsv. 0, or -1 and a message "file:line: …" with nothing to free. */
int ls_night_jobs_read(ls_night_jobs *jobs, const char *folder, char *error, size_t size);
void ls_night_jobs_free(ls_night_jobs *jobs);

/* The hash that the checksum of a job's record begins with: its night, by beginning and base of the seeds, and the job's name and arguments.
 * So a record of another night or of another job is none, however it came into the folder. */
ls_hash ls_record_of(const char *started, const char *fresh, const char *name, char *const *args, size_t count);

/* Puts the checksum of a JSON object, "{…}", behind its last member: `of`, then the text before it. */
void ls_seal_json(ls_text *json, ls_hash of);

/* Whether a file's text is what ls_seal_json made. */
bool ls_sealed_json(const char *json, ls_hash of);

/* Reads a file that is text, without NUL; `hint` is added to the message when it is missing. 0, or -1 and a message that names
 * it. */
int ls_night_text(ls_text *text, const char *path, const char *hint, char *error, size_t size);

#endif
