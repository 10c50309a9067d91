/* SPDX-License-Identifier: Apache-2.0 */
/* The history of regressions: an SQLite file (tables: harness/history/store_schema.h), filled from the folders of regressions.
 * Records are JSON and are read by SQLite's own JSON functions. */
#ifndef LS_STORE_H
#define LS_STORE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/base/text.h"

#define LS_NO_TRACES "no traces" /* filter of a regression that leaves out the plan's rows of traces, and nothing else */

/* SQL: what a job's command asks for: cycles, a workload without a number its end, and mutants of a side. */
#define LS_ASKED_OF(job, option, otherwise)                                                                                      \
    "CASE instr(" job ".command, ' " option " ') WHEN 0 THEN " otherwise " ELSE"                                                 \
    " CAST(substr(" job ".command, instr(" job ".command, ' " option " ') + length(' " option " ')) AS INTEGER) END"
#define LS_ASKED_CYCLES(job)                                                                                                     \
    LS_ASKED_OF(job, "--cycles",                                                                                                 \
                "CASE WHEN " job ".stimulus GLOB 'kernel:*' OR " job ".stimulus GLOB 'trace:*'"                                  \
                " THEN 9223372036854775807 ELSE 100000 END")
#define LS_ASKED_MUTANTS(job) LS_ASKED_OF(job, "--sample", "100")

/* SQL: job `j` of a later regression ended well and went at least as far as `old`, which has the same name and showed a bucket of
 * this kind, and so would have shown it: to the failure's cycle, or its workload's end; where no cycle is known (a job that was
 * killed) it was asked for as much. Plans of other numbers have jobs of the same name. */
#define LS_PROVES(j, old, kind)                                                                                                  \
    "CASE WHEN " kind " IN ('missed', 'survived') THEN " j ".status IN ('pass', " kind ")"                                       \
    " AND " LS_ASKED_MUTANTS(j) " >= " LS_ASKED_MUTANTS(old) " AND " LS_ASKED_CYCLES(j) " >= " LS_ASKED_CYCLES(                  \
        old) " WHEN " j ".status <> 'pass' THEN 0"                                                                               \
             " WHEN " kind " IN ('build', 'usage') OR coalesce(json_extract(" j ".record, '$.run.drained'), 0) THEN 1"           \
             " WHEN " old ".cycles > 0 THEN " j ".cycles >= " old ".cycles"                                                      \
             " ELSE " LS_ASKED_MUTANTS(j) " >= " LS_ASKED_MUTANTS(old) " AND " LS_ASKED_CYCLES(j) " >= " LS_ASKED_CYCLES(        \
                 old) " END"

/* Opens a history, made when missing, with the folders above it. NULL and a message that names the file: it is none, is of
 * another version, or cannot be made or written. What another process locks is waited for, 60 s at most. */
sqlite3 *ls_store_open(const char *path, char *error, size_t size);
void ls_store_close(sqlite3 *db);

/* Runs statements without results; 0, or -1 and SQLite's message. */
int ls_store_exec(sqlite3 *db, const char *sql, char *error, size_t size);

/* A prepared statement with its parameters bound: `types` has one letter for each ("i" int64_t, "d" double, "t" const char *,
 * NULL for SQL's NULL). Ends the process with a message when the statement is wrong. sqlite3_finalize it. */
sqlite3_stmt *ls_store_query(sqlite3 *db, const char *sql, const char *types, ...);

/* Runs one statement with its parameters (as above) to its end; 0, or -1 and SQLite's message. */
int ls_store_do(sqlite3 *db, char *error, size_t size, const char *sql, const char *types, ...);

/* Begins a transaction, unless the caller has one that everything then belongs to: *own says which. 0, or -1 and a message. */
int ls_store_begin(sqlite3 *db, bool *own, char *error, size_t size);

/* Ends the transaction that is open: commits it when `status` is 0, else takes everything back. Returns `status`, or -1 and a
 * message when the commit failed (a full disk), with everything taken back. */
int ls_store_end(sqlite3 *db, int status, char *error, size_t size);

/* Puts the regression in `folder` into the history, or puts it there anew (under the same id; a regression is known by its folder
 * and when it was started), in one transaction (the caller's, if it has one): tables regression, job, lost, bin, and what the
 * records of mutants hold (mutation, survivor). The regression is "incomplete" until ls_triage_verdict says more. Returns the
 * regression's id, or -1 and a message that names the file (a record that is no JSON, a record that is missing: nothing changes).
 */
int64_t ls_store_import(sqlite3 *db, const char *folder, char *error, size_t size);

#endif
