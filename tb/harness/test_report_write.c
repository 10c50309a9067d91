/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the reports of a regression on made-up histories: that they are whole, true to the history, valid, harmless whatever a
 * job printed, and without times the same for the same jobs. With REPORT_EXAMPLES=folder they only leave three regressions there
 * (tb/tests/report_check.sh looks at them in a browser). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tb/tests/json.h"
#include "tb/harness/read_report.h"

/* The figure of an attribute: of the first element in `text` that has it. */
static int64_t figure(const char *text, const char *element, const char *attribute) {
    const char *at = strstr(text, element), *end = at != NULL ? strchr(at, '>') : NULL;
    assert_non_null(end);
    char *key = ls_format(" %s=\"", attribute);
    const char *value = strstr(at, key);
    if (value == NULL || value > end) fail_msg("%s has no %s", element, attribute);
    const int64_t n = strtoll(value + strlen(key), NULL, 10);
    free(key);
    return n;
}

static void every_job_has_its_line(void **state) {
    sqlite3 *db;
    char *folder = folder_of("lines");
    reports r;
    (void)state;
    const int64_t regression = history(&db, folder);
    report(db, regression, folder, true, &r);
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT name, status, verdict, cycles, seed FROM job WHERE night = ? ORDER BY number",
                                        -1, &s, NULL),
                     0);
    (void)sqlite3_bind_int64(s, 1, regression);
    size_t lines = 0, n = 0;
    for (char *line = r.file[0].data, *end; *line != '\0'; line = end + 1, lines++) {
        end = strchr(line, '\n');
        assert_non_null(end);
        *end = '\0';
        if (!json_valid(line)) fail_msg("no JSON: %s", line);
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        const char *const keys[] = {"name", "status", "verdict", "cycles", "seed"};
        for (int k = 0; k < 5; k++) {
            const char *text = (const char *)sqlite3_column_text(s, k), *value = json_find(line, keys[k], &n);
            char *quoted = ls_format(k == 3 ? "%s" : "\"%s\"", text);
            assert_non_null(value);
            assert_int_equal(n, strlen(quoted));
            assert_memory_equal(value, quoted, n);
            free(quoted);
        }
        static const char *const never[] = {"seconds", "host", "attempts", "number", "record"};
        for (size_t k = 0; k < sizeof never / sizeof never[0]; k++) assert_null(json_find(line, never[k], &n));
        const bool differs = strstr(line, "\"status\":\"mismatch\"") != NULL;
        assert_int_equal(json_find(line, "mismatch.field", &n) != NULL, differs);
        if (differs) has(line, "\"command\":\"build/lockstep replay $REGRESSION/cases/");
        if (strstr(line, "\"status\":\"crash\"") != NULL) has(line, "\"message\":\"\"");
        has_not(line, folder);
    }
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    assert_int_equal(lines, 1410);
    (void)sqlite3_finalize(s);
    release(&r);
    free(folder);
    example_close(db);
}

static void without_times_the_same_jobs_are_the_same_reports(void **state) {
    char *folder = folder_of("same");
    reports once, again, timed;
    (void)state;
    sqlite3 *db;
    int64_t regression = history(&db, folder);
    report(db, regression, folder, false, &once);
    example_close(db);

    /* The same jobs on another day, elsewhere, slower, with other regressions before it. */
    char *elsewhere = folder_of("elsewhere");
    static const char *const tables[] = {"job",       "lost",     "bucket",   "bin",    "coverage",
                                         "uncovered", "mutation", "survivor", "finding"};
    regression = history(&db, elsewhere);
    (void)example_regression(db, "tb/plans/nightly.plan", "/tmp/other", "2029-01-01T00:00:00Z", 5, "", "fail");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        example_sql(db, "UPDATE %s SET night = 900 WHERE night = %lld", tables[i], (long long)regression);
    example_sql(db, "UPDATE night SET id = 900 WHERE id = %lld", (long long)regression);
    regression = 900;
    example_sql(db, "UPDATE night SET started = '2031-05-06T07:08:09Z', seconds = seconds * 3, launch = 'srun -Q', width = 64;"
                    "UPDATE job SET seconds = seconds * 7 + 1, build_seconds = 0.5, host = 'other', attempts = 1;"
                    "UPDATE job SET message = 'ended by signal 11 at 0x5555' WHERE status = 'crash';"
                    "UPDATE job SET message = 'over its 601 s' WHERE status = 'hang'; DELETE FROM lost; DELETE FROM finding "
                    "WHERE kind = 'lost'");
    report(db, regression, elsewhere, false, &again);
    for (size_t i = 0; i < REPORTS; i++)
        if (strcmp(once.file[i].data, again.file[i].data) != 0) {
            size_t at = 0;
            while (once.file[i].data[at] == again.file[i].data[at]) at++;
            fail_msg("%s differs: %.80s", names[i], again.file[i].data + (at > 40 ? at - 40 : 0));
        }
    /* All of that does show in the others. */
    report(db, regression, elsewhere, true, &timed);
    assert_string_equal(timed.file[0].data, once.file[0].data);
    for (size_t i = 1; i < REPORTS; i++) assert_string_not_equal(timed.file[i].data, once.file[i].data);
    has(timed.file[3].data, "started through");
    has(timed.file[3].data, "0x5555");
    has_not(once.file[3].data, "0x7ffe12345678");

    /* What is another result differs. */
    reports other;
    example_sql(db, "UPDATE job SET cycles = cycles + 1 WHERE night = %lld AND number = 7", (long long)regression);
    report(db, regression, elsewhere, false, &other);
    assert_string_not_equal(other.file[0].data, once.file[0].data);
    release(&once);
    release(&again);
    release(&timed);
    release(&other);
    free(folder);
    free(elsewhere);
    example_close(db);
}

static void junit_counts_what_is_in_it(void **state) {
    sqlite3 *db;
    char *folder = folder_of("junit");
    reports r;
    (void)state;
    const int64_t regression = history(&db, folder);
    for (int times = 0; times < 2; times++) {
        report(db, regression, folder, times != 0, &r);
        const char *xml = r.file[1].data;
        accepts("--schema tb/harness/junit.xsd", folder, "junit.xml");
        /* 1410 jobs; of the findings two are not failures of jobs. Four jobs never came to a comparison. */
        assert_int_equal(figure(xml, "<testsuites", "tests"), 1412);
        assert_int_equal(figure(xml, "<testsuites", "errors"), 4);
        assert_int_equal(figure(xml, "<testsuites", "failures"), 6 + 2);
        assert_int_equal(count_of(xml, "<testcase"), 1412);
        assert_int_equal(count_of(xml, "<error "), 4);
        assert_int_equal(count_of(xml, "<failure "), 8);
        assert_int_equal(count_of(xml, "<skipped "), 1);
        assert_int_equal(count_of(xml, "<testsuite "), 46);
        assert_int_equal(count_of(xml, "repeat: build/lockstep"), 11);
        has(xml, "<skipped message=\"known issue: ranks of ways that are not valid differ (kay, 2029-11-02)\">");
        has(xml, "name=\"unexpected pass: rf_sched_gto age_q mismatch\"");
        has(xml, "<property name=\"dirty\" value=\"false\"/>");
        has(xml, "<property name=\"tool.verilator\" value=\"5.006\"/>");
        assert_int_equal(count_of(xml, " time=\"") > 0, times);
        const char *suite = strstr(xml, "<testsuite name=\"rf_wir\"");
        assert_non_null(suite);
        assert_int_equal(figure(suite, "<testsuite", "tests"), 37);
        assert_int_equal(figure(suite, "<testsuite", "failures"), 2);
        const char *failure = strstr(suite, "<failure "), *end = strstr(suite, "</failure>");
        assert_non_null(failure);
        char *one = ls_format("%.*s", (int)(end - failure), failure);
        has(one, "type=\"mismatch\"");
        has(one, "repeat: build/lockstep replay ");
        free(one);
        release(&r);
    }
    /* A regression that did not end is an error for whoever reads this file alone. */
    example_sql(db,
                "UPDATE night SET verdict = 'incomplete'; UPDATE job SET verdict = 'open', status = 'crash' WHERE number = 3");
    report(db, regression, folder, true, &r);
    accepts("--schema tb/harness/junit.xsd", folder, "junit.xml");
    assert_int_equal(figure(r.file[1].data, "<testsuites", "errors"), 6);
    has(r.file[1].data, "regression is complete");
    has(r.file[2].data, "# INCOMPLETE: nightly");
    has(r.file[2].data, "1 not ended");
    has(r.file[3].data, "<strong>Incomplete.</strong>");
    release(&r);
    free(folder);
    example_close(db);
}

static bool good_utf8(const char *text) {
    for (const char *c = text; *c != '\0';) {
        if ((unsigned char)*c >= 0x80) {
            c = ls_json_scan_utf8(c);
            if (c == NULL) return false;
        } else {
            if ((unsigned char)*c < 0x20 && *c != '\n') return false;
            c++;
        }
    }
    return true;
}

static void hostile_texts_stay_texts(void **state) {
    char *folder = folder_of("hostile");
    reports r;
    (void)state;
    for (int times = 0; times < 2; times++) {
        sqlite3 *db = example_open();
        report(db, example_hostile(db, folder), folder, times != 0, &r);
        for (size_t i = 0; i < REPORTS; i++)
            if (!good_utf8(r.file[i].data)) fail_msg("%s: a control character, or no UTF-8", names[i]);
        for (char *line = r.file[0].data, *end; *line != '\0'; line = end + 1) {
            end = strchr(line, '\n');
            *end = '\0';
            if (!json_valid(line)) fail_msg("no JSON: %s", line);
        }
        accepts("--schema tb/harness/junit.xsd", folder, "junit.xml");
        accepts("", folder, "report.html");
        static const char *const markup[] = {"<script>alert", "<b>", "<!-- &", "]]> <", "'single'"};
        for (size_t k = 0; k < sizeof markup / sizeof markup[0]; k++) {
            has_not(r.file[1].data, markup[k]);
            has_not(r.file[3].data, markup[k]);
        }
        assert_int_equal(count_of(r.file[3].data, "<script>"), 1);
        assert_int_equal(count_of(r.file[3].data, "</script>"), 1);
        /* In Markdown it may stand in code only. */
        for (const char *at = strstr(r.file[2].data, "<script>"); at != NULL; at = strstr(at + 1, "<script>")) {
            char *before = ls_format("%.*s", (int)(at - r.file[2].data), r.file[2].data);
            assert_int_equal(count_of(before, "\n```") % 2, 1);
            free(before);
        }
        has(r.file[3].data, "The work tree differed from the commit.");
        release(&r);
        example_close(db);
    }
    free(folder);
}

static void empty_sections_say_so(void **state) {
    char *folder = folder_of("empty");
    reports r;
    (void)state;
    sqlite3 *db = example_open();
    report(db, example_quiet(db, folder), folder, true, &r);
    accepts("", folder, "report.html");
    has(r.file[3].data, "<p>None: nothing that a person must look at.</p>");
    has(r.file[3].data, "<p>None: no job failed.</p>");
    has(r.file[3].data, "<p>Not measured:");
    has(r.file[3].data, "<p>None: no job of this regression had the stimulus");
    has(r.file[3].data, "1 regression of this plan");
    has(r.file[2].data, "## Findings\n\nNone.\n");
    has(r.file[2].data, "## Lost attempts\n\nNone.\n");
    has_not(r.file[2].data, "nan");
    has_not(r.file[3].data, "nan");
    release(&r);
    /* Not even jobs, tools or a source. */
    const int64_t bare = example_regression(db, "x", "/tmp/bare", "", 0, "", "incomplete");
    example_sql(db, "UPDATE night SET tools = 'no JSON', source = '', fresh = '' WHERE id = %lld", (long long)bare);
    report(db, bare, folder, true, &r);
    accepts("", folder, "report.html");
    accepts("--schema tb/harness/junit.xsd", folder, "junit.xml");
    assert_int_equal(r.file[0].size, 0);
    has(r.file[2].data, "outside git");
    release(&r);
    example_close(db);
    free(folder);
}

/* What does not count is told all the same: "None." would be wrong. */
static void what_does_not_count_is_told(void **state) {
    char *folder = folder_of("told");
    reports r;
    (void)state;
    sqlite3 *db = example_open();
    const int64_t regression = example_quiet(db, folder);
    example_sql(
        db,
        "INSERT INTO finding VALUES (%lld, 'unexpected pass', 'rf_rr - crash', 'no regression says', 0);"
        "INSERT INTO finding VALUES (%lld, 'lost', 'a', 'on n2', 0); INSERT INTO finding VALUES (%lld, 'clock', 'b', 'c', 0)",
        (long long)regression, (long long)regression, (long long)regression);
    for (int times = 0; times < 2; times++) {
        report(db, regression, folder, times != 0, &r);
        const char *const told = times != 0 ? "\nFor information: 3\n\n- **" : "\nFor information: 1\n\n- **";
        has(r.file[2].data, "## Findings\n\nNone that makes the regression fail.\n");
        has(r.file[2].data, told);
        has(r.file[2].data, "\n- **unexpected pass** rf_rr - crash: no regression says\n");
        has(r.file[3].data, times != 0 ? "For information: 3<" : "For information: 1<");
        release(&r);
    }
    for (int i = 0; i < 30; i++)
        example_sql(db, "INSERT INTO finding VALUES (%lld, 'survivor', 'x%d', 'y', 0)", (long long)regression, i);
    report(db, regression, folder, true, &r);
    has(r.file[2].data, "- and 13 more: report.html has them all\n");
    release(&r);
    example_close(db);
    free(folder);
}

static void what_cannot_be_written_is_said(void **state) {
    char error[512] = "", *folder = folder_of("errors"), *file = ls_format("%s/file", base);
    (void)state;
    sqlite3 *db = example_open();
    const int64_t regression = example_quiet(db, folder);
    assert_int_equal(ls_report_write(db, regression + 1, folder, true, error, sizeof error), -1);
    assert_string_equal(error, "the history has no regression 2");
    write_file(base, "file", "x", 1);
    assert_int_equal(ls_report_write(db, regression, file, true, error, sizeof error), -1);
    has(error, "/file/results.jsonl: Not a directory");
    char *page = ls_format("%s/report.html", folder);
    assert_int_equal(mkdir(page, 0777), 0);
    assert_int_equal(ls_report_write(db, regression, folder, true, error, sizeof error), -1);
    has(error, "report.html");
    example_sql(db, "DROP TABLE bucket");
    assert_int_equal(ls_report_write(db, regression, folder, true, error, sizeof error), -1);
    has(error, "no such table: ");
    example_close(db);
    free(page);
    free(file);
    free(folder);
}

/* Three regressions for tb/tests/report_check.sh. */
static int leave_examples(const char *to) {
    static int64_t (*const make[])(sqlite3 *, const char *) = {example_history, example_quiet, example_hostile};
    static const char *const of[] = {"fail", "pass", "hostile"};
    char error[512];
    int status = 0;
    for (size_t i = 0; i < 3 && status == 0; i++) {
        char *folder = ls_format("%s/%s", to, of[i]);
        sqlite3 *db = example_open();
        status = ls_report_write(db, make[i](db, folder), folder, true, error, sizeof error);
        if (status != 0) (void)fprintf(stderr, "%s\n", error);
        example_close(db);
        free(folder);
    }
    return status == 0 ? 0 : 2;
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_has_its_line),         cmocka_unit_test(without_times_the_same_jobs_are_the_same_reports),
        cmocka_unit_test(junit_counts_what_is_in_it),     cmocka_unit_test(hostile_texts_stay_texts),
        cmocka_unit_test(empty_sections_say_so),          cmocka_unit_test(what_does_not_count_is_told),
        cmocka_unit_test(what_cannot_be_written_is_said),
    };
    const char *examples = getenv("REPORT_EXAMPLES");
    if (examples != NULL) return leave_examples(examples);
    return cmocka_run_group_tests_name("report_write", tests, make_base, remove_base);
}
