/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the triage: a history, a folder of regressions, and a file of known issues, made anew for each test; regressions
 * that are put into the history and sorted. Include it behind cmocka.h. */
#ifndef TRIAGED_REGRESSION_H
#define TRIAGED_REGRESSION_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/regress/triage.h"
#include "tb/harness/made_regression.h"

static char directory[] = "/tmp/test_triage.XXXXXX";
static char *known, *folder; /* the file of known issues; the folder of regression 1 */
static sqlite3 *db;
static char error[1024];

static inline int set_up(void **state) {
    (void)state;
    memcpy(directory + sizeof directory - 7, "XXXXXX", 6);
    if (mkdtemp(directory) == NULL) return 1;
    known = ls_format("%s/known_issues", directory);
    folder = ls_format("%s/1", directory);
    db = ls_store_open(":memory:", error, sizeof error);
    error[0] = '\0';
    return db == NULL;
}

static inline int tear_down(void **state) {
    (void)state;
    ls_store_close(db);
    ls_remove_tree(directory);
    free(known);
    free(folder);
    return 0;
}

/* Puts a regression with these jobs into the history and sorts it; its number. */
static inline int64_t regression(int number, const char *filter, const made_job *jobs) {
    char *path = ls_format("%s/%d", directory, number), *started = ls_format("2030-01-%02dT02:00:00Z", number);
    made_regression(path, started, filter, jobs);
    error[0] = '\0';
    const int64_t id = ls_store_import(db, path, error, sizeof error);
    if (id < 0) fail_msg("%s", error);
    if (ls_triage_sort(db, id, known, error, sizeof error) != 0) fail_msg("%s", error);
    free(path);
    free(started);
    return id;
}

#define MASK_Q(cycle) "{\"cycles\":" cycle ",\"mismatch\":{\"field\":\"mask_q\",\"cycle\":" cycle "}}"

#endif
