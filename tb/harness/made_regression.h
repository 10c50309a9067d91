/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of regressions for the tests, as a runner leaves them (docs/regression.md). Include after cmocka.h. */
#ifndef MADE_REGRESSION_H
#define MADE_REGRESSION_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/regress/regress_folder.h"
#include "harness/base/text.h"
#include "harness/history/store.h"
#include "tb/harness/text_file.h"

typedef struct made_job {
    const char *name, *unit, *params, *stimulus, *block;
    const char *status;
    const char *run;     /* JSON; NULL: null */
    const char *message; /* NULL: "" */
    const char *lost;    /* JSON; NULL: none */
    const char *args;    /* tab-separated; NULL: "run" and the unit */
    const char *asked;   /* options of the command; NULL: "" */
    int limit;           /* 0: 600 */
    bool open;           /* its record is not final */
} made_job;

#define MADE_FRESH "00000000000000ff"

/* A made_job; further members behind, such as .run = "{}". */
#define JOB(name_, unit_, stimulus_, status_, ...)                                                                               \
    { .name = name_, .unit = unit_, .stimulus = stimulus_, .status = status_, __VA_ARGS__ }

static inline void made_file(const char *folder, const char *name, const char *contents) {
    char *path = ls_format("%s/%s", folder, name);
    text_file(path, contents);
    free(path);
}

/* The job's record as JSON; free() it. */
static inline char *made_record(const made_job *j, size_t number) {
    return ls_format(
        "{\"job\":%zu,\"name\":\"%s\",\"attempt\":%d,\"final\":%s,\"status\":\"%s\",\"message\":\"%s\",\"host\":\"n1\","
        "\"seconds\":1.5,\"command\":\"build/lockstep run %s%s%s\",\"lost\":%s,\"run\":%s}\n",
        number, j->name, j->lost != NULL ? 2 : 1, j->open ? "false" : "true", j->status, j->message != NULL ? j->message : "",
        j->unit, j->asked != NULL ? " " : "", j->asked != NULL ? j->asked : "", j->lost != NULL ? j->lost : "[]",
        j->run != NULL ? j->run : "null");
}

/* Puts the record into the folder, with the checksum of this job in a regression that began then. */
static inline void made_sealed(const char *folder, const char *started, const made_job *j, size_t number, const char *record) {
    ls_text text = {0}, args = {0};
    char *words[64], *name = ls_format("records/%zu.json", number);
    size_t count = 0;
    ls_text_add(&text, "%s", record);
    if (j->args != NULL) ls_text_add(&args, "%s", j->args);
    else ls_text_add(&args, "run\t%s", j->unit);
    for (char *rest = args.data; rest != NULL && count < 64;) words[count++] = strsep(&rest, "\t");
    ls_seal_json(&text, ls_record_of(started, MADE_FRESH, j->name, words, count));
    made_file(folder, name, text.data);
    free(name);
    free(ls_text_take(&text));
    free(ls_text_take(&args));
}

/* Makes the folder; the list of jobs ends with a name that is NULL. */
static inline void made_regression(const char *folder, const char *started, const char *filter, const made_job *jobs) {
    ls_text tsv = {0};
    size_t count = 0;
    char *records = ls_format("%s/records", folder), *json;
    (void)mkdir(folder, 0777);
    (void)mkdir(records, 0777);
    for (; jobs[count].name != NULL; count++) {
        const made_job *j = &jobs[count];
        ls_text_add(&tsv, "%zu\t1\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t", count, j->name, j->unit, j->params != NULL ? j->params : "",
                    j->stimulus, j->block != NULL ? j->block : "", "00000000000000a1", j->limit != 0 ? j->limit : 600);
        if (j->args != NULL) ls_text_add(&tsv, "%s\n", j->args);
        else ls_text_add(&tsv, "run\t%s\n", j->unit);
        json = made_record(j, count);
        made_sealed(folder, started, j, count, json);
        free(json);
    }
    made_file(folder, "jobs.tsv", tsv.data != NULL ? tsv.data : "");
    json = ls_format(
        "{\"plan\":\"tb/plans/"
        "made.plan\",\"started\":\"%s\",\"seconds\":12.5,\"source\":\"abc\",\"dirty\":1,\"tools\":{\"verilator\":\"5.006\"},"
        "\"fresh\":\"" MADE_FRESH "\",\"launch\":\"\",\"width\":2,\"filter\":\"%s\",\"jobs\":%zu}\n",
        started, filter, count);
    made_file(folder, "regression.json", json);
    free(json);
    free(records);
    free(tsv.data);
}

/* The rows of a query, columns separated by "|", rows by newlines, NULL as "NULL"; free() it. `regression` is the query's one
 * parameter. */
static inline char *made_rows(sqlite3 *db, const char *sql, int64_t regression) {
    sqlite3_stmt *s = strchr(sql, '?') != NULL ? ls_store_query(db, sql, "i", regression) : ls_store_query(db, sql, "");
    ls_text rows = {0};
    int status;
    while ((status = sqlite3_step(s)) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            const char *value = (const char *)sqlite3_column_text(s, i);
            ls_text_add(&rows, "%s%s", i > 0 ? "|" : rows.size > 0 ? "\n" : "", value != NULL ? value : "NULL");
        }
    if (status != SQLITE_DONE) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    (void)sqlite3_finalize(s);
    return ls_text_take(&rows);
}

#define assert_rows(db, sql, regression, expected)                                                                               \
    do {                                                                                                                         \
        char *made_got = made_rows(db, sql, regression);                                                                         \
        assert_string_equal(made_got, expected);                                                                                 \
        free(made_got);                                                                                                          \
    } while (0)

#endif
