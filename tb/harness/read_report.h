/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the reports of a regression: made-up histories (example_regression.h), their reports as texts, and what is asked
 * of those. Include it behind cmocka.h. */
#ifndef READ_REPORT_H
#define READ_REPORT_H

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/regress/report_write.h"
#include "tb/harness/example_regression.h"

static char *base; /* of everything that a test writes */

static const char *const names[] = {"results.jsonl", "junit.xml", "summary.md", "report.html"};
enum { REPORTS = sizeof names / sizeof names[0] };

static sqlite3 *whole; /* a history that is made once: it takes a second */

/* Of a group of tests. */
static inline int make_base(void **state) {
    static char folder[] = "/tmp/regression-report.XXXXXX";
    (void)state;
    base = mkdtemp(folder);
    return base == NULL;
}

static inline int remove_base(void **state) {
    (void)state;
    if (whole != NULL) (void)sqlite3_close(whole);
    ls_remove_tree(base);
    return 0;
}

/* A history as example_history makes it; returns the id of its last regression, which lies in `folder`. */
static inline int64_t history(sqlite3 **db, const char *folder) {
    static const char place[] = "/a-place-to-be-replaced";
    static int64_t regression;
    if (whole == NULL) {
        whole = example_open();
        regression = example_history(whole, place);
        example_end();
    }
    *db = example_open();
    sqlite3_backup *copy = sqlite3_backup_init(*db, "main", whole, "main");
    assert_int_equal(sqlite3_backup_step(copy, -1), SQLITE_DONE);
    (void)sqlite3_backup_finish(copy);
    example_sql(
        *db, "UPDATE night SET folder = %Q WHERE id = %lld; UPDATE job SET command = replace(command, %Q, %Q) WHERE night = %lld",
        folder, (long long)regression, place, folder, (long long)regression);
    return regression;
}

typedef struct reports {
    ls_text file[REPORTS];
} reports;

static inline char *folder_of(const char *name) {
    char *folder = ls_format("%s/%s", base, name);
    (void)mkdir(folder, 0777);
    return folder;
}

static inline void report(sqlite3 *db, int64_t regression, const char *folder, bool times, reports *r) {
    char error[512] = "";
    *r = (reports){0};
    if (ls_report_write(db, regression, folder, times, error, sizeof error) != 0) fail_msg("%s", error);
    for (size_t i = 0; i < REPORTS; i++) {
        char *path = ls_format("%s/%s", folder, names[i]);
        assert_int_equal(ls_text_read(&r->file[i], path), 0);
        assert_true(r->file[i].size > 0 || i == 0); /* a regression without jobs has no results */
        if (r->file[i].size == 0) ls_text_add(&r->file[i], "%s", "");
        free(path);
    }
}

static inline void release(reports *r) {
    for (size_t i = 0; i < REPORTS; i++) free(r->file[i].data);
}

static inline void write_file(const char *folder, const char *name, const void *data, size_t size) {
    char *path = ls_format("%s/%s", folder, name);
    ls_text text = {0};
    ls_text_put(&text, data, size);
    assert_int_equal(ls_text_write(&text, path), 0);
    free(text.data);
    free(path);
}

static inline size_t count_of(const char *text, const char *what) {
    size_t n = 0;
    for (const char *c = strstr(text, what); c != NULL; c = strstr(c + strlen(what), what)) n++;
    return n;
}

static inline void has(const char *text, const char *what) {
    if (strstr(text, what) == NULL) fail_msg("not in it: %s", what);
}

static inline void has_not(const char *text, const char *what) {
    const char *at = strstr(text, what);
    if (at != NULL) fail_msg("in it: %s: %.200s", what, at > text + 60 ? at - 60 : text);
}

static inline void accepts(const char *options, const char *folder, const char *name) {
    char *command = ls_format("xmllint --nonet --noout %s '%s/%s'", options, folder, name);
    const int status = system(command);
    if (status != 0) fail_msg("%s: status %d (xmllint is in Debian's libxml2-utils)", command, status);
    free(command);
}

#endif
