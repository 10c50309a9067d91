/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/coverage*.c: what Verilator and gcov say is read, no prefix of a file passes for the whole, points are merged
 * and weighed against waivers, and a regression gets its tables and findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/core/config.h"
#include "harness/base/memory.h"
#include "harness/base/folder.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/history/store.h"
#include "harness/core/run.h"
#include "harness/coverage/coverage.h"
#include "harness/coverage/coverage_run.h"
#include "harness/coverage/coverage_points.h"
#include "harness/core/design.h"
#include "harness/coverage/coverage_waivers.h"
#include "tb/harness/text_file.h"

static char directory[] = "/tmp/test_coverage.XXXXXX";
static char error[1024];
static const ls_unit *rr, *arbiter;

static int set_up(void **state) {
    (void)state;
    rr = ls_unit_find("rf_rr");
    arbiter = ls_unit_find("rf_arbiter");
    return mkdtemp(directory) == NULL;
}

static int tear_down(void **state) {
    (void)state;
    ls_remove_tree(directory);
    return 0;
}

/* A path in the test's folder, the last four stay valid. */
static const char *in_directory(const char *name) {
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static const char *write_file(const char *name, const char *contents) {
    const char *path = in_directory(name);
    text_file(path, contents);
    return path;
}

#define POINT(file, line, column, page, what, count)                                                                             \
    "C '\1f\2" file "\1l\2" line "\1n\2" column "\1page\2" page "\1o\2" what "\1h\2TOP.x' " count "\n"
#define HEAD "# SystemC::Coverage-3\n"
#define RR_SV "/root/rtl/common/rf_rr.sv"

static const ls_point *find(const ls_points *points, ls_point_kind kind, const char *file, uint32_t line, const char *what,
                            uint32_t index) {
    for (size_t i = 0; i < points->count; i++) {
        const ls_point *p = &points->list[i];
        if (p->kind == kind && strcmp(p->file, file) == 0 && p->line == line && strcmp(p->what, what) == 0 && p->index == index)
            return p;
    }
    return NULL;
}

static void lines_and_toggles_of_verilator_are_read_and_instances_added(void **state) {
    (void)state;
    const char *path = write_file(
        "a.dat",
        HEAD POINT(RR_SV, "40", "3", "v_line/rf_rr", "block", "7") POINT(RR_SV, "41", "5", "v_branch/rf_rr__N4", "if", "0")
            POINT(RR_SV, "41", "6", "v_branch/rf_rr__N4", "else", "3") POINT(RR_SV, "41", "6", "v_branch/rf_rr__N8", "else", "4")
                POINT(RR_SV, "17", "2", "v_toggle/rf_rr", "req_i[12]", "9")
                    POINT(RR_SV, "19", "2", "v_toggle/rf_rr", "q[3].x", "1")
                        POINT("/root/rtl/common/rf_lfsr.sv", "9", "1", "v_line/rf_lfsr", "block", "1")
                            POINT("/root/rtl/common/rf_part.sv", "9", "1", "v_line/rf_part", "block", "1")
                                POINT(RR_SV, "50", "1", "v_user/rf_rr", "cover", "1"));
    ls_points points = {0};
    assert_int_equal(ls_coverage_dat(&points, rr, path, "/root", error, sizeof error), 0);
    ls_points_settle(&points);
    const char *sv = "rtl/common/rf_rr.sv";
    assert_int_equal(points.count, 6); /* not another unit's file, and not "user" */
    assert_int_equal(find(&points, LS_POINT_LINE, sv, 40, "block", LS_POINT_WHOLE)->count, 7);
    assert_int_equal(find(&points, LS_POINT_LINE, sv, 41, "if", LS_POINT_WHOLE)->count, 0);
    assert_int_equal(find(&points, LS_POINT_LINE, sv, 41, "else", LS_POINT_WHOLE)->count, 7);
    assert_int_equal(find(&points, LS_POINT_TOGGLE, sv, 17, "req_i", 12)->count, 9);
    assert_non_null(find(&points, LS_POINT_TOGGLE, sv, 19, "q[3].x", LS_POINT_WHOLE));
    assert_non_null(find(&points, LS_POINT_LINE, "rtl/common/rf_part.sv", 9, "block", LS_POINT_WHOLE));
    ls_points_free(&points);
}

static void what_is_not_verilators_is_refused_with_its_line(void **state) {
    static const struct {
        const char *text, *error;
    } bad[] = {{"", "a.dat:1: no point is in it"},
               {HEAD, "a.dat:1: no point is in it"},
               {"something else\n", "a.dat:1: this is no coverage file"},
               {HEAD POINT(RR_SV, "1", "1", "v_line/x", "block", "1") "C 'x", "a.dat:3: the file is cut off"},
               {HEAD POINT(RR_SV, "1", "1", "v_line/x", "block", ""), "a.dat:2: this is no point"},
               {HEAD POINT(RR_SV, "1", "1", "v_line/x", "block", "-1"), "a.dat:2: this is no point"},
               {HEAD POINT(RR_SV, "one", "1", "v_line/x", "block", "1"), "a.dat:2: a point without"},
               {HEAD "C '\1f\2x\1l\2"
                     "1\1page\2v_line/x' 1\n",
                "a.dat:2: a point without"},
               {HEAD "junk\n", "a.dat:2: this is no point"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ls_points points = {0};
        assert_int_equal(ls_coverage_dat(&points, rr, write_file("a.dat", bad[i].text), "/root", error, sizeof error), -1);
        if (strstr(error, bad[i].error) == NULL) fail_msg("\"%s\" and not \"%s\"", error, bad[i].error);
        ls_points_free(&points);
    }
    ls_points none = {0};
    assert_int_equal(ls_coverage_dat(&none, rr, in_directory("nowhere.dat"), "/root", error, sizeof error), -1);
    assert_non_null(strstr(error, "nowhere.dat: No such file"));
}

static void add(ls_points *points, ls_point_kind kind, const char *file, uint32_t line, const char *what, uint32_t index,
                const char *text, uint64_t count) {
    const ls_point p = {.kind = kind,
                        .file = (char *)(uintptr_t)file,
                        .line = line,
                        .column = line % 7,
                        .what = (char *)(uintptr_t)what,
                        .index = index,
                        .text = (char *)(uintptr_t)text,
                        .count = count};
    ls_points_add(points, &p);
}

/* Points of every kind: an `if` of which the else is missing, two lines of the same text, a signal of which bits 1 and 2 stand
 * still. */
static ls_points example(void) {
    ls_points points = {0};
    const char *sv = "rtl/common/rf_rr.sv", *c = "cmodel/common/rf_rr.c";
    for (uint32_t bit = 0; bit < 4; bit++) add(&points, LS_POINT_TOGGLE, sv, 30, "mask_q", bit, "", bit == 0 || bit == 3);
    add(&points, LS_POINT_TOGGLE, sv, 23, "valid_o", LS_POINT_WHOLE, "", 0);
    add(&points, LS_POINT_LINE, sv, 41, "if", LS_POINT_WHOLE, "if (!rst_ni) mask_q <= '0;", 5);
    add(&points, LS_POINT_LINE, sv, 41, "else", LS_POINT_WHOLE, "if (!rst_ni) mask_q <= '0;", 0);
    add(&points, LS_POINT_MODEL_LINE, c, 5, "", LS_POINT_WHOLE, "return a -- b;", 3);
    add(&points, LS_POINT_MODEL_LINE, c, 9, "", LS_POINT_WHOLE, "return a -- b;", 0);
    add(&points, LS_POINT_MODEL_BRANCH, c, 4, "branch", 0, "if (x * y)", 1);
    add(&points, LS_POINT_MODEL_BRANCH, c, 4, "branch", 1, "if (x * y)", 0);
    ls_points_settle(&points);
    return points;
}

static void write_example(const char *path, const ls_unit *unit, const ls_points *points) {
    if (ls_points_write(points, unit, path, error, sizeof error) != 0) fail_msg("%s", error);
}

static void what_is_written_is_read_again_and_no_prefix_of_it(void **state) {
    ls_points points = example(), again = {0};
    const ls_unit *unit;
    ls_text text = {0};
    (void)state;
    const char *path = in_directory("whole.dat");
    write_example(path, rr, &points);
    assert_int_equal(ls_points_read(&again, &unit, path, error, sizeof error), 0);
    ls_points_settle(&again);
    assert_ptr_equal(unit, rr);
    assert_int_equal(again.count, points.count);
    for (size_t i = 0; i < points.count; i++) {
        const ls_point *a = &points.list[i], *b = &again.list[i];
        assert_int_equal(a->kind, b->kind);
        assert_string_equal(a->file, b->file);
        assert_string_equal(a->what, b->what);
        assert_string_equal(a->text, b->text);
        assert_int_equal(a->line, b->line);
        assert_int_equal(a->column, b->column);
        assert_int_equal(a->index, b->index);
        assert_int_equal(a->count, b->count);
    }
    assert_int_equal(ls_text_read(&text, path), 0);
    for (size_t n = 0; n < text.size; n++) {
        ls_text part = {0};
        ls_points cut = {0};
        ls_text_put(&part, text.data, n);
        assert_int_equal(ls_text_write(&part, in_directory("cut.dat")), 0);
        if (ls_points_read(&cut, &unit, in_directory("cut.dat"), error, sizeof error) == 0)
            fail_msg("%zu of %zu bytes pass", n, text.size);
        assert_non_null(strstr(error, "cut.dat:"));
        ls_points_free(&cut);
        free(ls_text_take(&part));
    }
    free(ls_text_take(&text));
    ls_points_free(&again);
    ls_points_free(&points);
}

static void a_file_that_is_none_is_refused_with_its_line(void **state) {
    static const struct {
        const char *text, *error;
    } bad[] = {{"x\nend\t0\n", "b.dat:1: this is no coverage of a run"},
               {"lockstep-coverage 1\trf_nothing\nend\t0\n", "b.dat:1: there is no such unit"},
               {"lockstep-coverage 1\trf_rr\nlines\tf\t1\t1\tx\t-\t1\ty\nend\t1\n", "b.dat:2: no kind"},
               {"lockstep-coverage 1\trf_rr\nline\tf\t1\t1\tx\t-\t1\nend\t1\n", "b.dat:2: wrong number of columns"},
               {"lockstep-coverage 1\trf_rr\nline\tf\t1x\t1\tx\t-\t1\ty\nend\t1\n", "b.dat:2: the place is no number"},
               {"lockstep-coverage 1\trf_rr\nline\tf\t1\t1\tx\t?\t1\ty\nend\t1\n", "b.dat:2: the index is no number"},
               {"lockstep-coverage 1\trf_rr\nline\tf\t1\t1\tx\t-\t-1\ty\nend\t1\n", "b.dat:2: the count is no number"},
               {"lockstep-coverage 1\trf_rr\ntoggle\tf\t1\t1\tx\t0\t012\nend\t1\n", "b.dat:2: the bits are not"},
               {"lockstep-coverage 1\trf_rr\ntoggle\tf\t1\t1\tx\t0\t01\nend\t2\n", "b.dat:3: the number of lines"},
               {"lockstep-coverage 1\trf_rr\nend\t0\nmore\n", "b.dat:2: the number of lines"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ls_points points = {0};
        const ls_unit *unit;
        assert_int_equal(ls_points_read(&points, &unit, write_file("b.dat", bad[i].text), error, sizeof error), -1);
        if (strstr(error, bad[i].error) == NULL) fail_msg("\"%s\" and not \"%s\"", error, bad[i].error);
        ls_points_free(&points);
    }
}

static void a_wrong_waiver_is_refused_with_its_line(void **state) {
    static const struct {
        const char *text, *error;
    } bad[] = {{"# none\n\nrf_nothing line f x -- y\n", "w:3: no unit \"rf_nothing\""},
               {"rf_rr lines f x -- y\n", "w:1: kind \"lines\": expected line, toggle, model-line or model-branch"},
               {"rf_rr line f x y\n", "w:1: expected UNIT KIND FILE NAME -- REASON"},
               {"rf_rr line f x -- \n", "w:1: expected UNIT"},
               {"rf_rr line f -- y\n", "w:1: expected UNIT"},
               {"rf_rr line\n", "w:1: expected UNIT"},
               {"rf_rr line f x -- y\nrf_rr line f x -- z\n", "w:2: the point is waived in line 1 already"}};
    ls_waivers waivers;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(ls_waivers_read(&waivers, write_file("w", bad[i].text), error, sizeof error), -1);
        if (strstr(error, bad[i].error) == NULL) fail_msg("\"%s\" and not \"%s\"", error, bad[i].error);
    }
    assert_int_equal(ls_waivers_read(&waivers, in_directory("nowhere"), error, sizeof error), 0);
    assert_int_equal(waivers.count, 0);
    assert_int_equal(ls_waivers_read(&waivers, directory, error, sizeof error), -1);
}

static const char all_waived[] = "# all that is missing in the example\n"
                                 "rf_rr line rtl/common/rf_rr.sv else: if (!rst_ni) mask_q <= '0; -- held in reset\n"
                                 "rf_rr model-line cmodel/common/rf_rr.c return a -- b; #2 -- second of two\n"
                                 "rf_rr model-branch cmodel/common/rf_rr.c branch 1: if (x * y) -- never zero\n"
                                 "rf_rr toggle rtl/common/rf_rr.sv mask_q[*] -- too wide\n"
                                 "rf_arbiter line rtl/banked/rf_arbiter.sv block: x -- of a unit that was not run\n";

/* What `lockstep coverage` prints of the folder "one"; free() it. */
static char *print(const char *waivers, int expected) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const int status = ls_coverage_print(in_directory("one"), write_file("waivers", waivers), out, error, sizeof error);
    assert_int_equal(fclose(out), 0);
    if (status != expected) fail_msg("%d and not %d: %s%s", status, expected, status < 0 ? error : "", text);
    return text;
}

static void assert_says(const char *text, const char *words) {
    if (strstr(text, words) == NULL) fail_msg("\"%s\" is not in:\n%s", words, text);
}

static void gaps_are_shown_by_name_and_waivers_weighed(void **state) {
    ls_points points = example();
    (void)state;
    assert_int_equal(ls_make_directories(in_directory("one")), 0);
    assert_int_equal(ls_coverage_print(in_directory("one"), "", stdout, error, sizeof error), -1); /* no file in it */
    write_example(in_directory("one/0.dat"), rr, &points);
    char *text = print("", 1);
    assert_says(text, "1/2  50.0 %           2/5  40.0 %           1/2  50.0 %           1/2  50.0 %");
    assert_says(text, "OPEN    rf_rr  line  rtl/common/rf_rr.sv:41  else: if (!rst_ni) mask_q <= '0;\n");
    assert_says(text, "OPEN    rf_rr  model line  cmodel/common/rf_rr.c:9  return a -- b; #2\n");
    assert_says(text, "OPEN    rf_rr  model branch  cmodel/common/rf_rr.c:4  branch 1: if (x * y)\n");
    assert_says(text, "        rf_rr  toggle  rtl/common/rf_rr.sv:30  mask_q[2:1]\n");
    assert_says(text, "        rf_rr  toggle  rtl/common/rf_rr.sv:23  valid_o\n");
    assert_says(text, "3 lines and branches neither covered nor waived, 0 stale waivers");
    free(text);
    text = print(all_waived, 0);
    assert_says(text, "waived  rf_rr  line  rtl/common/rf_rr.sv:41  else: if (!rst_ni) mask_q <= '0; -- held in reset\n");
    assert_says(text, "waived  rf_rr  toggle  rtl/common/rf_rr.sv:30  mask_q[2:1] -- too wide\n");
    free(text);
    text = print(
        "rf_rr line rtl/common/rf_rr.sv if: if (!rst_ni) mask_q <= '0; -- x\nrf_rr line rtl/common/rf_rr.sv else: gone -- x\n"
        "rf_rr model-branch cmodel/common/rf_rr.c branch 1: if (x*) -- no pattern in code\n"
        "rf_rr toggle rtl/common/rf_rr.sv mask_q[3] -- x\n",
        1);
    assert_says(text, "waivers:1: the point is covered");
    assert_says(text, "waivers:2: there is no such point");
    assert_says(text, "waivers:3: there is no such point");
    assert_says(text, "waivers:4: the point is covered");
    assert_says(text, "3 lines and branches neither covered nor waived, 4 stale waivers");
    free(text);
    for (size_t i = 0; i < points.count; i++)
        points.list[i].count = points.list[i].count == 0; /* another run, which covers the rest */
    write_example(in_directory("one/1.dat"), rr, &points);
    text = print("", 0);
    assert_says(text, "2/2 100.0 %           5/5 100.0 %           2/2 100.0 %           2/2 100.0 %");
    free(text);
    /* A run of sources that were edited: the same places, and other lines there. */
    ls_points other = {0};
    add(&other, LS_POINT_LINE, "rtl/common/rf_rr.sv", 41, "block", LS_POINT_WHOLE, "if (0) mask_q <= '0;", 1);
    write_example(in_directory("one/2.dat"), rr, &other);
    free(print("", -1));
    assert_says(error, "one/2.dat: measured of another source than ");
    assert_true(strstr(error, "one/0.dat: rtl/common/rf_rr.sv:41 reads") != NULL ||
                strstr(error, "one/1.dat: rtl/common") != NULL);
    assert_says(error, "rtl/common/rf_rr.sv:41 reads \"if (0) mask_q <= '0;\" and there \"if (!rst_ni) mask_q <= '0;\"");
    assert_int_equal(unlink(in_directory("one/2.dat")), 0);
    ls_points_free(&other);
    ls_points_free(&points);
}

/* The one value of a query about the regression, as text. */
static const char *query(sqlite3 *db, const char *sql) {
    static char answer[2048];
    sqlite3_stmt *row = ls_store_query(db, sql, "");
    answer[0] = '\0';
    if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL)
        (void)snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(row, 0));
    (void)sqlite3_finalize(row);
    return answer;
}

#define ALL_FINDINGS                                                                                                             \
    "SELECT group_concat(kind || ' ' || name || ' ' || counts, ';') FROM (SELECT * FROM finding ORDER BY kind, name)"

static void add_job(sqlite3 *db, int64_t number, const char *unit, const char *status) {
    static const char sql[] = "INSERT INTO job VALUES (1, ?1, 'job ' || ?1, ?2, '', 'coverage', 'fixed', 1, '', ?3, 'pass', '', "
                              "1, 1, 1, 1, '', 1, '', '', '{}')";
    assert_int_equal(ls_store_do(db, error, sizeof error, sql, "itt", number, unit, status), 0);
}

static void a_regression_gets_its_tables_and_findings(void **state) {
    (void)state;
    sqlite3 *db = ls_store_open(in_directory("history.db"), error, sizeof error);
    if (db == NULL) fail_msg("%s", error);
    const char *regression =
        "INSERT INTO night VALUES (1, 'p', '/n', '2030-01-01T00:00:00Z', 1, '', 0, '{}', '', '', 1, 2, '', 'pass')";
    assert_int_equal(ls_store_exec(db, regression, error, sizeof error), 0);
    char *folder = ls_copy(in_directory("regression")), *waivers = ls_copy(write_file("waivers", ""));
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), 0); /* no job of it: nothing */
    assert_string_equal(query(db, "SELECT count(*) FROM coverage"), "0");
    ls_points points = example();
    assert_int_equal(ls_make_directories(in_directory("regression/coverage")), 0);
    add_job(db, 3, "rf_rr", "pass");
    /* It passed, and its file is gone, or was cut off: that is told, and no reason to have no report. */
    for (int cut = 0; cut < 2; cut++) {
        if (ls_coverage_collect(db, 1, folder, waivers, error, sizeof error) != 0) fail_msg("%s", error);
        assert_string_equal(query(db, ALL_FINDINGS), "uncovered coverage of job 3 0");
        assert_string_equal(query(db, "SELECT text FROM finding"),
                            cut != 0 ? "coverage/3.dat:1: the file is cut off: what its unit does not cover does not count"
                                     : "coverage/3.dat: No such file or directory: what its unit does not cover does not count");
        (void)write_file("regression/coverage/3.dat", "");
    }
    write_example(in_directory("regression/coverage/3.dat"), arbiter, &points);
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), -1);
    assert_says(error, "coverage/3.dat:1: the coverage of rf_arbiter, but the job is one of rf_rr");
    write_example(in_directory("regression/coverage/3.dat"), rr, &points);
    for (int twice = 0; twice < 2; twice++) {
        if (ls_coverage_collect(db, 1, folder, waivers, error, sizeof error) != 0) fail_msg("%s", error);
        assert_string_equal(query(db,
                                  "SELECT group_concat(kind || ' ' || total || ' ' || hit || ' ' || waived, ';') FROM (SELECT "
                                  "* FROM coverage ORDER BY kind)"),
                            "line 2 1 0;model branch 2 1 0;model line 2 1 0;toggle 5 2 0");
        assert_string_equal(query(db, "SELECT group_concat(place || ' ' || name, ';') FROM (SELECT * FROM uncovered WHERE kind = "
                                      "'toggle' ORDER BY place)"),
                            "rtl/common/rf_rr.sv:23 valid_o;rtl/common/rf_rr.sv:30 mask_q[2:1]");
        assert_string_equal(query(db, ALL_FINDINGS),
                            "uncovered rf_rr line 1;uncovered rf_rr model branch 1;uncovered rf_rr model line 1");
    }
    assert_string_equal(query(db, "SELECT text FROM finding WHERE name = 'rf_rr line'"),
                        "1 of 2 not covered and not waived: rtl/common/rf_rr.sv:41 else: if (!rst_ni) mask_q <= '0;");
    (void)write_file("waivers", all_waived);
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), 0);
    assert_string_equal(query(db, ALL_FINDINGS), "");
    assert_string_equal(query(db, "SELECT waived FROM uncovered WHERE kind = 'line'"), "held in reset");
    (void)write_file("waivers", "rf_rr line rtl/common/rf_rr.sv else: gone -- x\n");
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), 0);
    assert_string_equal(query(db, "SELECT name || ' ' || counts FROM finding WHERE kind = 'stale waiver'"),
                        "rf_rr line rtl/common/rf_rr.sv else: gone 1");
    (void)write_file("waivers", "");
    add_job(db, 4, "rf_rr", "crash"); /* a job that left nothing: what is missing may be its */
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), 0);
    assert_string_equal(query(db, ALL_FINDINGS),
                        "uncovered rf_rr line 0;uncovered rf_rr model branch 0;uncovered rf_rr model line 0");
    /* One that fails, be it by a known issue, stops before it has covered what it would: what it left says nothing of the rest.
     */
    const char *fails = "UPDATE job SET status = 'mismatch', verdict = 'known' WHERE number = 4";
    assert_int_equal(ls_store_exec(db, fails, error, sizeof error), 0);
    write_example(in_directory("regression/coverage/4.dat"), rr, &points);
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), 0);
    assert_string_equal(query(db, ALL_FINDINGS),
                        "uncovered rf_rr line 0;uncovered rf_rr model branch 0;uncovered rf_rr model line 0");
    assert_int_equal(
        ls_store_exec(db, "DELETE FROM job WHERE number = 4; UPDATE night SET filter = '--only x'", error, sizeof error), 0);
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), 0);
    assert_string_equal(query(db, ALL_FINDINGS),
                        "uncovered rf_rr line 0;uncovered rf_rr model branch 0;uncovered rf_rr model line 0");
    assert_int_equal(ls_store_exec(db, "UPDATE night SET filter = 'no traces'", error, sizeof error), 0);
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error),
                     0); /* no trace is covered: it lacks none */
    assert_string_equal(query(db, ALL_FINDINGS),
                        "uncovered rf_rr line 1;uncovered rf_rr model branch 1;uncovered rf_rr model line 1");
    (void)write_file("waivers", "rf_rr\n");
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), -1);
    assert_says(error, "waivers:1: kind");
    assert_string_equal(query(db, "SELECT count(*) FROM coverage"), "4"); /* nothing has changed */
    (void)write_file("waivers", "");
    ls_points rtl = {0}; /* of a machine without the tool for models */
    for (size_t i = 0; i < points.count; i++)
        if (points.list[i].kind == LS_POINT_LINE || points.list[i].kind == LS_POINT_TOGGLE) ls_points_add(&rtl, &points.list[i]);
    write_example(in_directory("regression/coverage/3.dat"), rr, &rtl);
    assert_int_equal(ls_coverage_collect(db, 1, folder, waivers, error, sizeof error), 0);
    assert_string_equal(query(db, ALL_FINDINGS), "uncovered models were not measured 0;uncovered rf_rr line 1");
    ls_points_free(&rtl);
    ls_store_close(db);
    ls_points_free(&points);
    free(folder);
    free(waivers);
}

/* Runs a DUT built with coverage and reads what it left. */
static ls_points points_of_run(const char *rtl, ls_status expected) {
    void *cfg = ls_config_new(rr);
    char *why = NULL;
    ls_build_result built;
    ls_result result;
    ls_points points = {0};
    const ls_design_request design = {
        .unit = rr, .cfg = cfg, .rtl = &rtl, .rtl_count = rtl != NULL, .flags = LS_BUILD_COVERAGE, .ports_only = rtl != NULL};
    if (ls_design_build(&design, &built, &why) != 0) fail_msg("%s", why);
    char *raw = ls_copy(in_directory("raw"));
    const ls_request request = {.unit = rr,
                                .cfg = cfg,
                                .so_path = built.so_path,
                                .seed = 1,
                                .cycles = 20000,
                                .ports_only = rtl != NULL,
                                .coverage = raw,
                                .timeout = 60};
    ls_run(&request, NULL, &result);
    if (result.status != expected) fail_msg("%s: %s", ls_status_name(result.status), result.message);
    assert_true(result.coverage_written);
    if (ls_coverage_dat(&points, rr, raw, ls_root(), error, sizeof error) != 0) fail_msg("%s", error);
    ls_points_settle(&points);
    ls_points_take_text(&points, ls_root());
    free(raw);
    ls_build_free(&built);
    free(cfg);
    return points;
}

static const ls_point *of_text(const ls_points *points, const char *what, const char *text) {
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(points->list[i].what, what) == 0 && strcmp(points->list[i].text, text) == 0) return &points->list[i];
    fail_msg("no point \"%s: %s\"", what, text);
    return NULL;
}

static void a_run_covers_what_it_reaches(void **state) {
    (void)state;
    ls_points points = points_of_run(NULL, LS_PASS);
    const ls_point *reset = of_text(&points, "if", "if (!rst_ni) mask_q <= '0;"),
                   *clocked = of_text(&points, "else", "if (!rst_ni) mask_q <= '0;");
    assert_string_equal(reset->file, "rtl/common/rf_rr.sv");
    assert_true(reset->count > 0 && clocked->count > 10000 && clocked->count <= 20000);
    ls_points_free(&points);
}

static void a_run_that_fails_leaves_its_coverage_too(void **state) {
    (void)state;
    ls_text source = {0}, changed = {0};
    char *path = ls_format("%s/rtl/common/rf_rr.sv", ls_root());
    assert_int_equal(ls_text_read(&source, path), 0);
    const char *end = "endmodule";
    ls_text_put(&source, "", 1);
    const char *at = strstr(source.data, end);
    ls_text_put(&changed, source.data, (size_t)(at - source.data));
    ls_text_add(&changed, "logic [15:0] age;\nalways_ff @(posedge clk_i) begin\nage <= rst_ni ? age + 1 : 0;\n"
                          "if (age == 100) $finish;\nif (age == 200) age <= 0;\nend\nendmodule\n");
    const char *rtl = in_directory("rf_rr.sv");
    assert_int_equal(ls_text_write(&changed, rtl), 0);
    ls_points points = points_of_run(rtl, LS_CRASH);
    /* in newer Verilators a branch counts at its end, which this one does not reach */
    assert_in_range(of_text(&points, "if", "if (age == 100) $finish;")->count, 0, 1);
    assert_true(of_text(&points, "else", "if (age == 100) $finish;")->count > 100);
    assert_int_equal(of_text(&points, "if", "if (age == 200) age <= 0;")->count, 0);
    ls_points_free(&points);
    free(ls_text_take(&source));
    free(ls_text_take(&changed));
    free(path);
}

static int shell(const char *command) {
    const char *const argv[] = {"sh", "-c", command, NULL};
    const ls_process process = {.argv = argv, .dir = directory, .timeout_ms = 60000};
    ls_process_result result;
    assert_int_equal(ls_process_run(&process, &result), 0);
    const int status = result.status;
    if (status != 0) print_error("%s\n", result.output);
    ls_process_free(&result);
    return status;
}

static void lines_and_branches_of_models_are_read_from_gcov(void **state) {
    (void)state;
    ls_points points = {0};
    /* rf_rr.c is the unit's; of helpers.h a function is called and one is not; rf_lfsr.c is another unit's. */
    (void)write_file(
        "make.sh",
        "mkdir -p cmodel/common objects/cmodel/common counters && cd cmodel/common &&\n"
        "echo 'static inline int used(int x) { return x > 3 ? 1 : 0; } static inline int unused(int x) { return -x; }' | tr '}' "
        "'\\n' |"
        " sed '/return/s/$/}/' >helpers.h &&\n"
        "printf '#include \"helpers.h\"\\nint own(int x);\\nint own(int x) {\\nif (x == 7 && x > 2)\\nreturn 1;\\nreturn "
        "used(x);\\n}\\n'"
        " >rf_rr.c &&\n"
        "printf 'int other(void);\\nint other(void) { return 0; }\\n' >rf_lfsr.c &&\n"
        "printf 'int own(int); int other(void); int main(void) { return own(1) + own(2) + other(); }\\n' >main.c && cd ../.. &&\n"
        "for f in rf_rr rf_lfsr; do gcc -O0 --coverage -c cmodel/common/$f.c -o objects/cmodel/common/$f.o || exit 1; done\n"
        "gcc --coverage -o tool cmodel/common/main.c objects/cmodel/common/*.o && GCOV_PREFIX=$PWD/counters ./tool\n");
    assert_int_equal(shell("sh make.sh"), 0);
    char *counters = ls_copy(in_directory("counters")), *objects = ls_copy(in_directory("objects"));
    if (ls_coverage_gcov(&points, rr, counters, objects, error, sizeof error) != 0) fail_msg("%s", error);
    ls_points_settle(&points);
    const char *c = "cmodel/common/rf_rr.c";
    for (size_t i = 0; i < points.count; i++) assert_null(strstr(points.list[i].file, "rf_lfsr"));
    assert_int_equal(find(&points, LS_POINT_MODEL_LINE, c, 4, "", LS_POINT_WHOLE)->count, 2);
    assert_int_equal(find(&points, LS_POINT_MODEL_LINE, c, 5, "", LS_POINT_WHOLE)->count, 0);
    assert_int_equal(find(&points, LS_POINT_MODEL_LINE, c, 6, "", LS_POINT_WHOLE)->count, 2);
    size_t ways = 0, taken = 0, helper_lines = 0;
    for (size_t i = 0; i < points.count; i++) {
        const ls_point *p = &points.list[i];
        if (p->kind == LS_POINT_MODEL_BRANCH && p->line == 4 && strcmp(p->file, c) == 0) {
            ways++;
            taken += p->count != 0;
        }
        if (p->kind == LS_POINT_MODEL_LINE && strcmp(p->file, "cmodel/common/helpers.h") == 0) helper_lines++;
    }
    assert_int_equal(ways, 4);  /* two conditions */
    assert_int_equal(taken, 1); /* x == 7 fails, and the second is never asked */
    assert_int_equal(helper_lines, 1);
    ls_points_free(&points);
    assert_int_equal(ls_coverage_gcov(&points, rr, in_directory("nowhere"), objects, error, sizeof error), -1);
    assert_says(error, "no counters of objects");
    assert_int_equal(setenv("GCOV", "/nowhere/gcov", 1), 0);
    assert_int_equal(ls_coverage_gcov(&points, rr, counters, objects, error, sizeof error), -1);
    assert_says(error, "/nowhere/gcov: No such file");
    assert_int_equal(unsetenv("GCOV"), 0);
    ls_points_free(&points);
    free(counters);
    free(objects);
}

static const char *accept_all(const void *cfg) {
    (void)cfg;
    return NULL;
}

static int accept_any(void *model, const void *cfg) {
    (void)model;
    (void)cfg;
    return 0;
}

static void models_refuse_what_their_parameter_ranges_exclude(void **state) {
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++)
        if (ls_coverage_ranges(*u, error, sizeof error) != 0) fail_msg("%s", error);
    ls_unit lax = *rr;
    lax.check = accept_all;
    assert_int_equal(ls_coverage_ranges(&lax, error, sizeof error), -1); /* init refuses */
    assert_says(error, "rf_rr: N=0 is not refused");
    lax.init = accept_any;
    assert_int_equal(ls_coverage_ranges(&lax, error, sizeof error), -1);
    assert_says(error, "the field list says 1 to 64");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_and_toggles_of_verilator_are_read_and_instances_added),
                                       cmocka_unit_test(what_is_not_verilators_is_refused_with_its_line),
                                       cmocka_unit_test(what_is_written_is_read_again_and_no_prefix_of_it),
                                       cmocka_unit_test(a_file_that_is_none_is_refused_with_its_line),
                                       cmocka_unit_test(a_wrong_waiver_is_refused_with_its_line),
                                       cmocka_unit_test(gaps_are_shown_by_name_and_waivers_weighed),
                                       cmocka_unit_test(a_regression_gets_its_tables_and_findings),
                                       cmocka_unit_test(a_run_covers_what_it_reaches),
                                       cmocka_unit_test(a_run_that_fails_leaves_its_coverage_too),
                                       cmocka_unit_test(lines_and_branches_of_models_are_read_from_gcov),
                                       cmocka_unit_test(models_refuse_what_their_parameter_ranges_exclude)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
