/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what the reports of a regression are made of: its figures, the regressions before it, numbers, texts and paths as they
 * are shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/regress/report_data.h"
#include "harness/regress/report_format.h"
#include "tb/harness/read_report.h"
#include "harness/regress/report_parts.h"

static const ls_report_story *story(const ls_report *n, const char *name) {
    for (size_t i = 0; i < n->story_count; i++)
        if (strcmp(n->stories[i].name, name) == 0) return &n->stories[i];
    return NULL;
}

static void regressions_before_are_those_of_the_plan(void **state) {
    char error[256];
    ls_report n;
    (void)state;
    sqlite3 *db;
    const int64_t regression = history(&db, "/tmp/none");
    assert_int_equal(ls_report_read(&n, db, regression, true, error, sizeof error), 0);
    assert_int_equal(n.past_count, LS_REPORT_TREND);
    assert_int_equal(n.past[LS_REPORT_TREND - 1].id, regression);
    assert_int_equal(n.past[0].id, 5);
    assert_int_equal(n.before, regression - 1);
    for (size_t i = 0; i < n.past_count; i++) {
        assert_true(n.past[i].id != 13 && n.past[i].id != 15); /* smoke, and the filtered one */
        assert_int_equal(n.past[i].jobs, n.past[i].passed + n.past[i].failed + n.past[i].known);
        assert_true(n.past[i].jobs > 400);
    }
    assert_int_equal(n.past[LS_REPORT_TREND - 1].failed, 10);
    assert_int_equal(n.past[LS_REPORT_TREND - 1].lost, 2);
    const ls_report_story *s = story(&n, "rf_wir mem_q mismatch");
    assert_non_null(s);
    assert_true(s->now && s->first == regression && s->last == regression && s->regressions == 1 && s->fixed == 0);
    s = story(&n, "rf_older - crash");
    assert_non_null(s);
    assert_true(!s->now && s->before && s->fixed == regression);
    s = story(&n, "rf_ccu_allocator rank_q mismatch");
    assert_true(s != NULL && s->now && s->before && s->regressions == 5 && s->seen[LS_REPORT_TREND - 2] &&
                !s->seen[LS_REPORT_TREND - 6]);
    s = story(&n, "rf_wbq - crash");
    assert_true(s != NULL && s->now && !s->before && s->first == 12);
    assert_null(story(&n, "no such bucket"));
    static const char *const absent[] = {"rf_ccu_allocator/default/random/fresh.91", "rf_h3", "rf_rr/default/random/fixed.0"};
    assert_int_equal(n.absent_count, 1);
    assert_string_equal(n.absent[0], absent[0]);
    ls_report_free(&n);
    /* A unit and a job that the last regression had and this one has not; the filtered regression has no others like it. */
    example_sql(db, "DELETE FROM job WHERE night = %lld AND (unit = 'rf_h3' OR name = '%s')", (long long)regression, absent[2]);
    assert_int_equal(ls_report_read(&n, db, regression, true, error, sizeof error), 0);
    assert_int_equal(n.absent_count, 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(n.absent[i], absent[i]);
    ls_report_free(&n);
    assert_int_equal(ls_report_read(&n, db, 15, true, error, sizeof error), 0);
    assert_int_equal(n.past_count, 1);
    assert_int_equal(n.before, 0);
    ls_report_free(&n);
    /* Many are counted. */
    example_sql(db, "DELETE FROM job WHERE night = %lld AND unit GLOB 'rf_[a-r]*'", (long long)regression);
    char *folder = folder_of("absent");
    reports r;
    report(db, regression, folder, true, &r);
    has(r.file[2].data, "\nIn regression 35, but not in this one: rf_arbiter, rf_arbiter_steal, rf_bank, ");
    has(r.file[2].data, ", rf_pending_queue and 6 more\n");
    has(r.file[3].data, "in regression 35: <code class=\"long\">rf_arbiter</code>, <code");
    has(r.file[3].data, "</code> and 6 more</p>\n");
    accepts("", folder, "report.html");
    release(&r);
    free(folder);
    example_close(db);
}

static void figures_are_true(void **state) {
    char error[256];
    ls_report n;
    (void)state;
    sqlite3 *db;
    const int64_t regression = history(&db, "/tmp/none");
    assert_int_equal(ls_report_read(&n, db, regression, true, error, sizeof error), 0);
    assert_int_equal(n.unit_count, EXAMPLE_UNITS);
    int64_t jobs = 0, cycles = 0, set_jobs = 0;
    for (size_t i = 0; i < n.unit_count; i++) {
        const ls_report_unit *u = &n.units[i];
        jobs += u->jobs;
        cycles += u->cycles;
        if (i > 0) assert_true(strcmp(n.units[i - 1].name, u->name) < 0);
        assert_string_equal(u->sets[0].params, "");
        for (size_t k = 0; k < u->set_count; k++) set_jobs += u->sets[k].jobs;
        assert_true(u->bins.total == 5 && u->cover[1].total >= 900 && u->mutation[0].made == 200);
    }
    assert_int_equal(jobs, n.job_count);
    assert_int_equal(set_jobs, jobs);
    assert_int_equal(cycles, n.cycles);
    assert_true(n.passed == 1399 && n.failed == 10 && n.known == 1 && n.counting == 11 && n.part[0].killed == 24 &&
                n.part[1].killed == 8);
    ls_report_free(&n);
    example_close(db);
    const ls_report_cover almost = {10000, 9989, 10}, all = {10, 8, 2}, waived = {4, 0, 4};
    assert_string_equal(ls_report_percentage(ls_report_percent(&almost)).text, "99.9 %");
    assert_string_equal(ls_report_percentage(ls_report_percent(&all)).text, "100 %");
    assert_string_equal(ls_report_percentage(ls_report_percent(&waived)).text, "-");
    const ls_report_mutation m = {200, 189, 10, 1, 0};
    assert_string_equal(ls_report_percentage(ls_report_score(&m)).text, "99.4 %");
}

static void numbers_and_texts(void **state) {
    static const struct {
        double n;
        const char *count, *brief, *duration;
    } rows[] = {{0, "0", "0", "0.0 s"},
                {999, "999", "999", "16 min 39 s"},
                {1000, "1,000", "1,000", "16 min 40 s"},
                {9999, "9,999", "9,999", "2 h 46 min"},
                {10000, "10,000", "10.0 k", "2 h 46 min"},
                {999600, "999,600", "1.00 M", "277 h 40 min"},
                {1234567, "1,234,567", "1.23 M", "342 h 56 min"},
                {59, "59", "59", "59 s"},
                {9, "9", "9", "9.0 s"}};
    ls_text t = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(ls_report_count((int64_t)rows[i].n).text, rows[i].count);
        assert_string_equal(ls_report_short(rows[i].n).text, rows[i].brief);
        assert_string_equal(ls_report_duration(rows[i].n).text, rows[i].duration);
    }
    assert_string_equal(ls_report_count(-1234).text, "-1,234");
    assert_string_equal(ls_report_count(INT64_MAX).text, "9,223,372,036,854,775,807");
    assert_string_equal(ls_report_date("2030-01-31T02:00:00Z").text, "2030-01-31 02:00 UTC");
    ls_report_url(&t, "a b/\"#?%\xff.png");
    assert_string_equal(t.data, "a%20b/%22%23%3F%25%FF.png");
    t.size = 0;
    ls_report_xml(
        &t, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc0\x80 \xe0\x80\x80 \xf4\x90\x80\x80 \xef\xbf\xbf \xc2\x80 \x7f\r\n<\"");
#define NONE "\xef\xbf\xbd"
    assert_string_equal(t.data, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 " NONE NONE " " NONE NONE NONE " " NONE NONE NONE NONE
                                " " NONE NONE NONE " " NONE NONE " " NONE " \n&lt;&quot;");
    t.size = 0;
    ls_report_markdown(&t, "a_b _c_ [x](y) |\n<i>");
    assert_string_equal(t.data, "a_b \\_c\\_ \\[x\\](y) \\| &lt;i&gt;");
    t.size = 0;
    ls_report_wrap(&t, "one two three \xc3\xa9 aaaaaaaaaaaaaaaaaaaa", 10, "  ");
    assert_string_equal(t.data, "one two\n  three ?\n  aaaaaaa~");
    t.size = 0;
    assert_int_equal(ls_report_command(&t, "build/lockstep run rf_x --param 'A B' --seed 12", 31), 0);
    assert_string_equal(t.data, "    build/lockstep run rf_x \\\n      --param 'A B' --seed 12");
    assert_int_equal(ls_report_command(&t, "build/a-word-that-is-too-long-for-it", 30), -1);
    t.size = 0;
    ls_report_fence(&t, " ", "sh", "a ``` b\nc");
    assert_string_equal(t.data, " ````sh\n a ``` b\n c\n ````\n");
    free(t.data);
}

static void paths_into_the_regression_are_portable(void **state) {
    static const char *const rows[][2] = {
        {"replay /data/build/regress/nightly-12/cases/3/failure.case", "replay $REGRESSION/cases/3/failure.case"},
        {"replay build/regress/nightly-12/cases/3/x", "replay $REGRESSION/cases/3/x"},
        {"--record=nightly-12/records/1.json 'nightly-12/logs/1'", "--record=$REGRESSION/records/1.json '$REGRESSION/logs/1'"},
        {"ls /data/build/regress/nightly-12", "ls $REGRESSION"},
        {"/data/build/regress/nightly-123/cases/1", "/data/build/regress/nightly-123/cases/1"},
        {"xnightly-12/cases/1 nightly-12/other", "xnightly-12/cases/1 nightly-12/other"},
        {"", ""}};
    const ls_report n = {.folder = "/data/build/regress/nightly-12"};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *made = ls_report_portable(&n, rows[i][0]);
        assert_string_equal(made, rows[i][1]);
        free(made);
    }
}

/* An installed program is named as its jobs name it, whatever else stands in a folder's name. */
static void the_same_program_again(void **state) {
    static const char *const rows[][2] = {{"lockstep run rf_rr", "lockstep"},
                                          {"/usr/local/bin/lockstep run 'a b'", "/usr/local/bin/lockstep"},
                                          {"'/a b/it'\\''s/lockstep' run rf_rr", "'/a b/it'\\''s/lockstep'"},
                                          {"", "build/lockstep"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ls_report_result jobs[] = {{.stimulus = "random", .command = ""}, {.stimulus = "random", .command = rows[i][0]}};
        const ls_report n = {.plan = "p", .filter = "", .fresh = "12", .jobs = jobs, .job_count = 2};
        char *again = ls_report_again(&n), *expected = ls_format("%s regress p --fresh 12", rows[i][1]);
        assert_string_equal(again, expected);
        free(again);
        free(expected);
    }
}

static void the_same_jobs_again(void **state) {
    ls_report_result jobs[] = {
        {.stimulus = "kernel:a", .command = "build/lockstep run rf_wir --workload streams/a.rfs --timeout 60"},
        {.stimulus = "trace:a/b c.log", .command = ""}};
    const struct {
        ls_report report;
        const char *command, *again; /* of the job with a trace */
    } rows[] = {
        {{.plan = "p", .filter = "--only 'a*', no traces", .job_count = 1}, "", "p --fresh 12 --only 'a*'"},
        {{.plan = "p", .filter = "no traces", .job_count = 1}, "", "p --fresh 12"},
        {{.plan = "x $(y).plan", .filter = ""}, "", "'x $(y).plan' --fresh 12"},
        {{.plan = "p", .filter = "", .job_count = 2}, "lockstep run rf_wir --workload 't/a/b c.log'", "p --fresh 12 --traces t"},
        {{.plan = "p", .filter = "--tier 2", .job_count = 2},
         "lockstep run rf_wir --workload '/it'\\''s/a/b c.log' --timeout 60",
         "p --fresh 12 --traces '/it'\\''s' --tier 2"},
        {{.plan = "p", .filter = "", .job_count = 2}, "lockstep replay x", "p --fresh 12"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ls_report n = rows[i].report;
        n.fresh = "12";
        n.jobs = jobs;
        jobs[1].command = rows[i].command;
        char *again = ls_report_again(&n), *expected = ls_format("build/lockstep regress %s", rows[i].again);
        assert_string_equal(again, expected);
        free(again);
        free(expected);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(regressions_before_are_those_of_the_plan),
        cmocka_unit_test(figures_are_true),
        cmocka_unit_test(numbers_and_texts),
        cmocka_unit_test(the_same_jobs_again),
        cmocka_unit_test(the_same_program_again),
        cmocka_unit_test(paths_into_the_regression_are_portable),
    };
    return cmocka_run_group_tests_name("report_data", tests, make_base, remove_base);
}
