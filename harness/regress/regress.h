/* SPDX-License-Identifier: Apache-2.0 */
/* A regression: the folder in which it lies, the jobs that run in it, and the runner that starts them (docs/regression.md). */
#ifndef LS_REGRESS_H
#define LS_REGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/regress/regress_plan.h"

/* regression.json. */
typedef struct ls_regress {
    char *folder;     /* absolute; not in the file */
    char *plan;       /* as given */
    char *started;    /* UTC, "2030-01-31T02:00:00Z" */
    char *source;     /* commit, "" outside git */
    char *tools;      /* JSON object: name to version */
    char *fresh;      /* base of the fresh seeds, 16 hex digits */
    char *launch;     /* prefix of the jobs, "" for none */
    char *filter;     /* what was left out, in words; "" for nothing */
    char *directory;  /* absolute: what relative paths of the jobs start from */
    char *tool;       /* as it was called: first word of the commands that repeat jobs */
    char *history;    /* as given */
    char *program;    /* hash of the bytes of the tool that runs it */
    char *sources;    /* hash of the files that jobs read in the source tree */
    char *jobs_tsv;   /* hash of that file */
    int dirty;        /* 1: the work tree differs from the commit, 0, -1: not known */
    uint32_t width;   /* jobs at a time */
    uint32_t retries; /* of a job whose launcher or node failed */
    size_t jobs;
    double seconds; /* of the runner, resumed parts added up */
} ls_regress;

/* records/N.json, without the job's number and name. */
typedef struct ls_record {
    uint32_t attempt; /* from 1 */
    bool final;
    char *status, *message, *host, *command;
    double seconds;
    char *lost;   /* elements of a JSON array: earlier attempts that ended without a record; "" for none */
    char *run;    /* JSON object: what the command recorded; NULL: nothing */
    char *ticket; /* of the one start whose job may write here, "" for a job by hand */
} ls_record;

/* Makes or replaces a file at once, and returns when it is on the disk. 0, or -1 and a message that names the file. */
int ls_write_durably(const ls_text *text, const char *path, char *error, size_t size);

/* Texts of the values at `count` paths ("$.status") of a JSON text, to be freed one by one; NULL where there is none. 0; or -1,
 * nothing to free: no valid JSON. */
int ls_json_values(const char *json, const char *const *paths, size_t count, char **values);

int ls_regress_write(const ls_regress *regression, char *error, size_t size);
/* Reads regression.json and jobs.tsv of the folder, which must be as they were written. 0; or -1, nothing to free, and a message
 * that names the file. */
int ls_regress_read(ls_regress *regression, ls_jobs *jobs, const char *folder, char *error, size_t size);
/* What one job's process needs of them. Of jobs.tsv its own line alone is read where `ticket` shows that it is as the runner read
 * it: else a regression's jobs together would read it as often as there are jobs. 0; or -1, nothing to free, and a message. */
int ls_regress_read_job(ls_regress *regression, ls_job *job, const char *folder, size_t number, const char *ticket, char *error,
                        size_t size);
void ls_regress_free(ls_regress *regression);

int ls_record_write(const ls_regress *regression, const ls_job *job, size_t number, const ls_record *record, char *error,
                    size_t size);
/* 0: read; 1: there is none; -1: it cannot be read; -2: it is not what this job of this regression wrote (cut, edited,
 * another's). A message names the file. Only what was read needs ls_record_free. */
int ls_record_read(ls_record *record, const ls_regress *regression, const ls_job *job, size_t number, char *error, size_t size);
void ls_record_free(ls_record *record);

/* Notes what a new regression is of: commit, work tree, tools, program, sources. 0, or -1 and a message: the program cannot be
 * read. */
int ls_regress_note(ls_regress *regression, char *error, size_t size);

/* Whether this program and the sources are those that the regression began with. 0; 1: they are, but since `since` was noted, or
 * NULL, a file was touched, and may have been another one for a while; -1 and a message that names what is not. */
int ls_regress_check_files(const ls_regress *regression, const char *since, char *error, size_t size);

/* The mark of files that are, as the last check noted it, to be freed; NULL: none is noted. What they are now it does not say. */
char *ls_regress_files_noted(const ls_regress *regression);

/* The same with commit, state of the work tree and versions of the tools: a regression is of one source. */
int ls_regress_check(const ls_regress *regression, char *error, size_t size);

/* Prints what a job printed as one line of a terminal: control characters and bytes that are no UTF-8 as U+FFFD. */
void ls_print_plain(FILE *to, const char *text);

/* The absolute path of this program, also when another file has taken its place since it was started. Ends the process when the
 * system does not tell it. */
const char *ls_self(void);

/* Where our kernels' streams are kept: build/streams in the tree, else beside the built DUTs; absolute. */
const char *ls_streams(void);

/* One job, in its own process: makes what it needs, runs its command up to its limit, replaces its record, which
 * must be of the same start: `ticket`, or "" by hand. 0: the record is final, whatever it says; 1: the command was ended from
 * outside; 2: the record could not be written. Messages on stderr; from these two marks the runner knows the last two, as a
 * launcher need not pass on the exit status. */
#define LS_JOB_UNRECORDED "cannot be recorded: "
#define LS_JOB_KILLED "its command "
int ls_regress_job(const char *folder, size_t number, const char *ticket);

/* What became of the jobs. */
typedef struct ls_regress_counts {
    size_t done, passed, lost; /* lost: attempts */
} ls_regress_counts;

/* Runs all jobs whose records are not final, regression->width at a time; prints progress (nothing but failures when `quiet`). 0:
 * all records are final; 2: stopped by a signal, a full disk or the like, after a message that says how to go on. The caller
 * holds the folder's lock. */
int ls_regress_run(ls_regress *regression, const ls_jobs *jobs, bool quiet, ls_regress_counts *counts);

#endif
