/* SPDX-License-Identifier: Apache-2.0 */
/* What a regression means: buckets of failures, known issues, and the triage of each bucket (replay, shrink, waves, picture). */
#ifndef LS_TRIAGE_H
#define LS_TRIAGE_H

#include <sqlite3.h>
#include <stdint.h>

#include <stdbool.h>
#include <stddef.h>

/* Sorts the regression's failures into buckets (table bucket, job.bucket, job.verdict), reads the known issues in `known` (a
 * missing file is an empty one) and stores the findings that follow: failures, survivors, unexpected passes, lost attempts. In
 * one transaction (the caller's, if it has one); doing it again gives the same. 0, or -1 and a message "file:line: …" or
 * SQLite's. */
int ls_triage_sort(sqlite3 *db, int64_t regression, const char *known, char *error, size_t size);

/* Looks into at most `most` (0: none) unknown buckets of the regression, each in `folder`/buckets/UNIT-FIELD-KIND; what came of
 * an earlier triage of the same bucket and job (triage.json there) is taken over and does not count. `self` is the tool to call.
 * What does not fail again is stored as a finding. Problems (no GTKWave, no display) end in the bucket's note and never the
 * regression. */
void ls_triage_look(sqlite3 *db, int64_t regression, const char *folder, const char *self, unsigned most, bool quiet);

/* The regression's verdict from its findings, stored with it: 0 pass, 1 fail, 2 incomplete (a record that is not final). */
int ls_triage_verdict(sqlite3 *db, int64_t regression);

#endif
