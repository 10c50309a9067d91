/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the reports of a night on made-up histories (example_night.h): that they are whole, true to the history, valid,
 * harmless whatever a job printed, and without times the same for the same jobs. With NIGHT_EXAMPLES=folder they only leave three
 * nights there (tb/report_check.sh looks at them in a browser). */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/night_data.h"
#include "harness/night_format.h"
#include "harness/night_parts.h"
#include "harness/night_report.h"
#include "tb/engine/json.h"
#include "tb/harness/example_night.h"

static char *base; /* of everything that a test writes */

static const char *const names[] = {"results.jsonl", "junit.xml", "summary.md", "mail.txt", "report.html"};
enum { REPORTS = sizeof names / sizeof names[0] };

static sqlite3 *whole; /* a history that is made once: it takes a second */

/* A history as example_history makes it; returns the id of its last night, which lies in `folder`. */
static int64_t history(sqlite3 **db, const char *folder) {
    static const char place[] = "/a-place-to-be-replaced";
    static int64_t night;
    if (whole == NULL) {
        whole = example_open();
        night = example_history(whole, place);
        example_end();
    }
    *db = example_open();
    sqlite3_backup *copy = sqlite3_backup_init(*db, "main", whole, "main");
    assert_int_equal(sqlite3_backup_step(copy, -1), SQLITE_DONE);
    (void)sqlite3_backup_finish(copy);
    example_sql(
        *db, "UPDATE night SET folder = %Q WHERE id = %lld; UPDATE job SET command = replace(command, %Q, %Q) WHERE night = %lld",
        folder, (long long)night, place, folder, (long long)night);
    return night;
}

typedef struct reports {
    ls_text file[REPORTS];
} reports;

static char *folder_of(const char *name) {
    char *folder = ls_format("%s/%s", base, name);
    (void)mkdir(folder, 0777);
    return folder;
}

static void report(sqlite3 *db, int64_t night, const char *folder, bool times, reports *r) {
    char error[512] = "";
    *r = (reports){0};
    if (ls_night_report(db, night, folder, times, error, sizeof error) != 0) fail_msg("%s", error);
    for (size_t i = 0; i < REPORTS; i++) {
        char *path = ls_format("%s/%s", folder, names[i]);
        assert_int_equal(ls_text_read(&r->file[i], path), 0);
        assert_true(r->file[i].size > 0 || i == 0); /* a night without jobs has no results */
        if (r->file[i].size == 0) ls_text_add(&r->file[i], "%s", "");
        free(path);
    }
}

static void release(reports *r) {
    for (size_t i = 0; i < REPORTS; i++) free(r->file[i].data);
}

static size_t count_of(const char *text, const char *what) {
    size_t n = 0;
    for (const char *c = strstr(text, what); c != NULL; c = strstr(c + strlen(what), what)) n++;
    return n;
}

static void has(const char *text, const char *what) {
    if (strstr(text, what) == NULL) fail_msg("not in it: %s", what);
}

static void has_not(const char *text, const char *what) {
    const char *at = strstr(text, what);
    if (at != NULL) fail_msg("in it: %s: %.200s", what, at > text + 60 ? at - 60 : text);
}

static void accepts(const char *options, const char *folder, const char *name) {
    char *command = ls_format("xmllint --nonet --noout %s '%s/%s'", options, folder, name);
    const int status = system(command);
    if (status != 0) fail_msg("%s: status %d (xmllint is in Debian's libxml2-utils)", command, status);
    free(command);
}

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
    const int64_t night = history(&db, folder);
    report(db, night, folder, true, &r);
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT name, status, verdict, cycles, seed FROM job WHERE night = ? ORDER BY number",
                                        -1, &s, NULL),
                     0);
    (void)sqlite3_bind_int64(s, 1, night);
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
        if (differs) has(line, "\"command\":\"build/lockstep replay $NIGHT/cases/");
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
    int64_t night = history(&db, folder);
    report(db, night, folder, false, &once);
    example_close(db);

    /* The same jobs on another day, elsewhere, slower, with other nights before it. */
    char *elsewhere = folder_of("elsewhere");
    static const char *const tables[] = {"job",       "lost",     "bucket",   "bin",    "coverage",
                                         "uncovered", "mutation", "survivor", "finding"};
    night = history(&db, elsewhere);
    (void)example_night(db, "tb/plans/nightly.plan", "/tmp/other", "2029-01-01T00:00:00Z", 5, "", "fail");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        example_sql(db, "UPDATE %s SET night = 900 WHERE night = %lld", tables[i], (long long)night);
    example_sql(db, "UPDATE night SET id = 900 WHERE id = %lld", (long long)night);
    night = 900;
    example_sql(db, "UPDATE night SET started = '2031-05-06T07:08:09Z', seconds = seconds * 3, launch = 'srun -Q', width = 64;"
                    "UPDATE job SET seconds = seconds * 7 + 1, build_seconds = 0.5, host = 'other', attempts = 1;"
                    "UPDATE job SET message = 'ended by signal 11 at 0x5555' WHERE status = 'crash';"
                    "UPDATE job SET message = 'over its 601 s' WHERE status = 'hang'; DELETE FROM lost; DELETE FROM finding "
                    "WHERE kind = 'lost'");
    report(db, night, elsewhere, false, &again);
    for (size_t i = 0; i < REPORTS; i++)
        if (strcmp(once.file[i].data, again.file[i].data) != 0) {
            size_t at = 0;
            while (once.file[i].data[at] == again.file[i].data[at]) at++;
            fail_msg("%s differs: %.80s", names[i], again.file[i].data + (at > 40 ? at - 40 : 0));
        }
    /* All of that does show in the others. */
    report(db, night, elsewhere, true, &timed);
    assert_string_equal(timed.file[0].data, once.file[0].data);
    for (size_t i = 1; i < REPORTS; i++) assert_string_not_equal(timed.file[i].data, once.file[i].data);
    has(timed.file[4].data, "started through");
    has(timed.file[4].data, "0x5555");
    has_not(once.file[4].data, "0x7ffe12345678");

    /* What is another result differs. */
    reports other;
    example_sql(db, "UPDATE job SET cycles = cycles + 1 WHERE night = %lld AND number = 7", (long long)night);
    report(db, night, elsewhere, false, &other);
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
    const int64_t night = history(&db, folder);
    for (int times = 0; times < 2; times++) {
        report(db, night, folder, times != 0, &r);
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
    /* A night that did not end is an error for whoever reads this file alone. */
    example_sql(db,
                "UPDATE night SET verdict = 'incomplete'; UPDATE job SET verdict = 'open', status = 'crash' WHERE number = 3");
    report(db, night, folder, true, &r);
    accepts("--schema tb/harness/junit.xsd", folder, "junit.xml");
    assert_int_equal(figure(r.file[1].data, "<testsuites", "errors"), 6);
    has(r.file[1].data, "night is complete");
    has(r.file[2].data, "# INCOMPLETE: nightly");
    has(r.file[2].data, "1 not ended");
    has(r.file[4].data, "<strong>Incomplete.</strong>");
    release(&r);
    free(folder);
    example_close(db);
}

static bool good_utf8(const char *text) {
    for (const char *c = text; *c != '\0';) {
        if ((unsigned char)*c >= 0x80) {
            c = json_utf8(c);
            if (c == NULL) return false;
        } else {
            if ((unsigned char)*c < 0x20 && *c != '\n') return false;
            c++;
        }
    }
    return true;
}

/* At most 72 columns of ASCII, at most 30 lines, a subject, an empty line. */
static void mail_is_a_mail(const char *mail) {
    size_t lines = 0;
    assert_memory_equal(mail, "Subject: [rf-lockstep] ", 23);
    has(mail, "\n\n");
    assert_true(strstr(mail, "\n\n") < strchr(mail, '\n') + 1);
    for (const char *line = mail, *end; *line != '\0'; line = end + 1, lines++) {
        end = strchr(line, '\n');
        assert_non_null(end);
        if (end - line > 72) fail_msg("%d columns: %.*s", (int)(end - line), (int)(end - line), line);
        for (const char *c = line; c < end; c++) assert_true(*c >= 0x20 && *c < 0x7f);
    }
    if (lines > 30 || lines < 5) fail_msg("%zu lines:\n%s", lines, mail);
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
            has_not(r.file[4].data, markup[k]);
        }
        assert_int_equal(count_of(r.file[4].data, "<script>"), 1);
        assert_int_equal(count_of(r.file[4].data, "</script>"), 1);
        /* In Markdown it may stand in code only. */
        for (const char *at = strstr(r.file[2].data, "<script>"); at != NULL; at = strstr(at + 1, "<script>")) {
            char *before = ls_format("%.*s", (int)(at - r.file[2].data), r.file[2].data);
            assert_int_equal(count_of(before, "\n```") % 2, 1);
            free(before);
        }
        mail_is_a_mail(r.file[3].data);
        has(r.file[4].data, "The work tree differed from the commit.");
        release(&r);
        example_close(db);
    }
    free(folder);
}

static void a_mail_is_short(void **state) {
    char *folder = folder_of("mail");
    reports r;
    (void)state;
    sqlite3 *db;
    const int64_t night = history(&db, folder);
    report(db, night, folder, true, &r);
    mail_is_a_mail(r.file[3].data);
    has(r.file[3].data, "Subject: [rf-lockstep] FAIL nightly #36: 11 findings, 1 known\n");
    has(r.file[3].data, "- and 5 more\n");
    has(r.file[3].data, "Fixed (2): ");
    release(&r);
    example_sql(db, "UPDATE job SET command = 'build/lockstep run ' || replace(hex(zeroblob(40)), '00', ' --param A=1') || ' x';"
                    "UPDATE night SET filter = hex(zeroblob(300)), source = hex(zeroblob(90)), plan = hex(zeroblob(50))");
    report(db, night, folder, true, &r);
    mail_is_a_mail(r.file[3].data);
    has(r.file[3].data, "too long for a mail");
    release(&r);
    example_close(db);

    db = example_open();
    report(db, example_quiet(db, folder), folder, true, &r);
    mail_is_a_mail(r.file[3].data);
    has(r.file[3].data, "Subject: [rf-lockstep] PASS smoke #1: ");
    has_not(r.file[3].data, "finding");
    release(&r);
    example_close(db);
    free(folder);
}

static void empty_sections_say_so(void **state) {
    char *folder = folder_of("empty");
    reports r;
    (void)state;
    sqlite3 *db = example_open();
    report(db, example_quiet(db, folder), folder, true, &r);
    accepts("", folder, "report.html");
    has(r.file[4].data, "<p>None: nothing that a person must look at.</p>");
    has(r.file[4].data, "<p>None: no job failed.</p>");
    has(r.file[4].data, "<p>Not measured:");
    has(r.file[4].data, "<p>None: no job of this night had the stimulus");
    has(r.file[4].data, "1 night of this plan");
    has(r.file[2].data, "## Findings\n\nNone.\n");
    has(r.file[2].data, "## Lost attempts\n\nNone.\n");
    has_not(r.file[2].data, "nan");
    has_not(r.file[4].data, "nan");
    release(&r);
    /* Not even jobs, tools or a source. */
    const int64_t bare = example_night(db, "x", "/tmp/bare", "", 0, "", "incomplete");
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

static size_t unbase64(const char *from, unsigned char *to) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0, held = 0;
    size_t n = 0;
    for (; *from != '"' && *from != '='; from++) {
        assert_non_null(strchr(digits, *from));
        bits = bits << 6 | (uint32_t)(strchr(digits, *from) - digits);
        held += 6;
        if (held >= 8) to[n++] = (unsigned char)(bits >> (held -= 8));
    }
    return n;
}

static void put(const char *folder, const char *name, const void *data, size_t size) {
    char *path = ls_format("%s/%s", folder, name);
    ls_text text = {0};
    ls_text_put(&text, data, size);
    assert_int_equal(ls_text_write(&text, path), 0);
    free(text.data);
    free(path);
}

static void pictures_are_in_the_page(void **state) {
    char *folder = folder_of("pictures"), *buckets = folder_of("pictures/buckets"), *wir = folder_of("pictures/buckets/wir");
    unsigned char png[67] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13,
                             'I',  'H', 'D', 'R', 0,    0,    1,    2,    0, 0, 0, 77},
                  back[80];
    reports r;
    (void)state;
    for (size_t i = 24; i < sizeof png; i++) png[i] = (unsigned char)(i * 37);
    sqlite3 *db;
    const int64_t night = history(&db, folder);
    for (size_t size = sizeof png; size > sizeof png - 3; size--) { /* every kind of padding */
        put(wir, "failure.png", png, size);
        report(db, night, folder, true, &r);
        accepts("", folder, "report.html");
        const char *at = strstr(r.file[4].data, "src=\"data:image/png;base64,");
        assert_non_null(at);
        assert_int_equal(unbase64(strchr(at, ',') + 1, back), size);
        assert_memory_equal(back, png, size);
        has(r.file[4].data, "<img width=\"258\" height=\"77\" alt=\"Waves of rf_wir mem_q mismatch");
        has(r.file[4].data, "<a href=\"buckets/wir/failure.png\">picture</a>");
        has_not(r.file[4].data, "failure.fst\">"); /* which is not there */
        release(&r);
    }
    /* No picture, too large a picture, a picture that lies elsewhere. */
    put(wir, "failure.png", "GIF89a, not what it says, and long enough to be one", 50);
    report(db, night, folder, true, &r);
    has_not(r.file[4].data, "src=");
    release(&r);
    unsigned char *large = ls_alloc(1, 1200000);
    memcpy(large, png, sizeof png);
    put(wir, "failure.png", large, 1200000);
    report(db, night, folder, true, &r);
    has_not(r.file[4].data, "src=");
    has(r.file[4].data, "<a href=\"buckets/wir/failure.png\">picture</a>");
    release(&r);
    free(large);
    put(base, "outside.png", png, sizeof png);
    example_sql(db, "UPDATE bucket SET picture = '../../../outside.png' WHERE picture <> ''");
    report(db, night, folder, true, &r);
    has_not(r.file[4].data, "src=");
    has_not(r.file[4].data, "outside.png");
    release(&r);
    example_close(db);
    free(folder);
    free(buckets);
    free(wir);
}

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void the_page_is_whole(void **state) {
    char *folder = folder_of("page");
    reports r;
    (void)state;
    sqlite3 *db;
    const int64_t night = history(&db, folder);
    const double begin = now();
    report(db, night, folder, true, &r);
    if (now() - begin > 20) fail_msg("%.1f s", now() - begin); /* under sanitizers; a second without */
    const char *page = r.file[4].data;
    accepts("", folder, "report.html");
    assert_true(r.file[4].size < 3000000);
    /* Nothing comes from elsewhere: the only addresses are places in the page and files beside it. */
    has_not(page, "http:");
    has_not(page, "https:");
    has_not(page, "//cdn");
    has_not(page, "@import");
    has_not(page, "url(");
    has_not(page, "<link rel=\"stylesheet\"");
    has(page, "default-src 'none'");
    for (const char *c = strstr(page, "href=\""); c != NULL; c = strstr(c + 1, "href=\"")) {
        char *target = ls_format("%.*s", (int)strcspn(c + 6, "\""), c + 6);
        if (target[0] == '#') {
            char *id = ls_format(" id=\"%s\"", target + 1);
            if (count_of(page, id) != 1) fail_msg("%s: %zu places", target, count_of(page, id));
            free(id);
            c = strncmp(target, "#job-", 5) == 0 || strncmp(target, "#set-", 5) == 0 ? c + 10 : c;
        } else if (strcmp(target, "data:,") != 0) {
            char *path = ls_format("%s/%s", folder, target);
            if (access(path, R_OK) != 0) fail_msg("a link to nothing: %s", target);
            free(path);
        }
        free(target);
    }
    assert_int_equal(count_of(page, "<tr class=\"pass\" id=\"job-"), 1399);
    assert_int_equal(count_of(page, "<tr class=\"fail\" id=\"job-"), 10);
    assert_int_equal(count_of(page, "<tr class=\"known\" id=\"job-"), 1);
    assert_int_equal(count_of(page, "<article class=\"bucket\""), 10);
    assert_int_equal(count_of(page, "<tr id=\"set-"), count_of(page, "<a href=\"#set-"));
    assert_int_equal(count_of(page, "<th>"), 0); /* every head says of what */
    assert_int_equal(count_of(page, "<svg ") - count_of(page, "role=\"img\" aria-label=\""), 0);
    /* A cell of the heat table says all of it. */
    has(page, "title=\"rf_wir ROWS=3 LANES=32: 7 jobs, 1 failed, 0 known, ");
    has(page, "<section id=\"made\">");
    has(page, "build/lockstep regress tb/plans/nightly.plan --fresh 9f3c5a7e01d2b468");
    has(page, "git checkout 6863980d1f7c4be1a90c2f0c5ab1c27d39e8a4f1");
    release(&r);
    example_close(db);
    free(folder);
}

static const ls_night_story *story(const ls_night *n, const char *name) {
    for (size_t i = 0; i < n->story_count; i++)
        if (strcmp(n->stories[i].name, name) == 0) return &n->stories[i];
    return NULL;
}

static void nights_before_are_those_of_the_plan(void **state) {
    char error[256];
    ls_night n;
    (void)state;
    sqlite3 *db;
    const int64_t night = history(&db, "/tmp/none");
    assert_int_equal(ls_night_read(&n, db, night, true, error, sizeof error), 0);
    assert_int_equal(n.past_count, LS_NIGHT_TREND);
    assert_int_equal(n.past[LS_NIGHT_TREND - 1].id, night);
    assert_int_equal(n.past[0].id, 5);
    assert_int_equal(n.before, night - 1);
    for (size_t i = 0; i < n.past_count; i++) {
        assert_true(n.past[i].id != 13 && n.past[i].id != 15); /* smoke, and the filtered one */
        assert_int_equal(n.past[i].jobs, n.past[i].passed + n.past[i].failed + n.past[i].known);
        assert_true(n.past[i].jobs > 400);
    }
    assert_int_equal(n.past[LS_NIGHT_TREND - 1].failed, 10);
    assert_int_equal(n.past[LS_NIGHT_TREND - 1].lost, 2);
    const ls_night_story *s = story(&n, "rf_wir mem_q mismatch");
    assert_non_null(s);
    assert_true(s->tonight && s->first == night && s->last == night && s->nights == 1 && s->fixed == 0);
    s = story(&n, "rf_older - crash");
    assert_non_null(s);
    assert_true(!s->tonight && s->before && s->fixed == night);
    s = story(&n, "rf_ccu_allocator rank_q mismatch");
    assert_true(s != NULL && s->tonight && s->before && s->nights == 5 && s->seen[LS_NIGHT_TREND - 2] &&
                !s->seen[LS_NIGHT_TREND - 6]);
    s = story(&n, "rf_wbq - crash");
    assert_true(s != NULL && s->tonight && !s->before && s->first == 12);
    assert_null(story(&n, "no such bucket"));
    static const char *const absent[] = {"rf_ccu_allocator/default/random/fresh.91", "rf_h3", "rf_rr/default/random/fixed.0"};
    assert_int_equal(n.absent_count, 1);
    assert_string_equal(n.absent[0], absent[0]);
    ls_night_free(&n);
    /* A unit and a job that the last night had and this one has not; the filtered night has no others like it. */
    example_sql(db, "DELETE FROM job WHERE night = %lld AND (unit = 'rf_h3' OR name = '%s')", (long long)night, absent[2]);
    assert_int_equal(ls_night_read(&n, db, night, true, error, sizeof error), 0);
    assert_int_equal(n.absent_count, 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(n.absent[i], absent[i]);
    ls_night_free(&n);
    assert_int_equal(ls_night_read(&n, db, 15, true, error, sizeof error), 0);
    assert_int_equal(n.past_count, 1);
    assert_int_equal(n.before, 0);
    ls_night_free(&n);
    /* Many are counted. */
    example_sql(db, "DELETE FROM job WHERE night = %lld AND unit GLOB 'rf_[a-r]*'", (long long)night);
    char *folder = folder_of("absent");
    reports r;
    report(db, night, folder, true, &r);
    has(r.file[2].data, "\nIn night 35, but not in this one: rf_arbiter, rf_arbiter_steal, rf_bank, ");
    has(r.file[2].data, ", rf_pending_queue and 6 more\n");
    has(r.file[4].data, "in night 35: <code class=\"long\">rf_arbiter</code>, <code");
    has(r.file[4].data, "</code> and 6 more</p>\n");
    accepts("", folder, "report.html");
    release(&r);
    free(folder);
    example_close(db);
}

static void figures_are_true(void **state) {
    char error[256];
    ls_night n;
    (void)state;
    sqlite3 *db;
    const int64_t night = history(&db, "/tmp/none");
    assert_int_equal(ls_night_read(&n, db, night, true, error, sizeof error), 0);
    assert_int_equal(n.unit_count, EXAMPLE_UNITS);
    int64_t jobs = 0, cycles = 0, set_jobs = 0;
    for (size_t i = 0; i < n.unit_count; i++) {
        const ls_night_unit *u = &n.units[i];
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
    assert_true(n.passed == 1399 && n.failed == 10 && n.known == 1 && n.counting == 11 && n.comparer.killed == 24);
    ls_night_free(&n);
    example_close(db);
    const ls_night_cover almost = {10000, 9989, 10}, all = {10, 8, 2}, waived = {4, 0, 4};
    assert_string_equal(ls_night_percentage(ls_night_percent(&almost)).text, "99.9 %");
    assert_string_equal(ls_night_percentage(ls_night_percent(&all)).text, "100 %");
    assert_string_equal(ls_night_percentage(ls_night_percent(&waived)).text, "-");
    const ls_night_mutation m = {200, 189, 10, 1, 0};
    assert_string_equal(ls_night_percentage(ls_night_score(&m)).text, "99.4 %");
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
        assert_string_equal(ls_night_count((int64_t)rows[i].n).text, rows[i].count);
        assert_string_equal(ls_night_short(rows[i].n).text, rows[i].brief);
        assert_string_equal(ls_night_duration(rows[i].n).text, rows[i].duration);
    }
    assert_string_equal(ls_night_count(-1234).text, "-1,234");
    assert_string_equal(ls_night_count(INT64_MAX).text, "9,223,372,036,854,775,807");
    assert_string_equal(ls_night_date("2030-01-31T02:00:00Z").text, "2030-01-31 02:00 UTC");
    ls_night_url(&t, "a b/\"#?%\xff.png");
    assert_string_equal(t.data, "a%20b/%22%23%3F%25%FF.png");
    t.size = 0;
    ls_night_xml(&t,
                 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc0\x80 \xe0\x80\x80 \xf4\x90\x80\x80 \xef\xbf\xbf \xc2\x80 \x7f\r\n<\"");
#define NONE "\xef\xbf\xbd"
    assert_string_equal(t.data, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 " NONE NONE " " NONE NONE NONE " " NONE NONE NONE NONE
                                " " NONE NONE NONE " " NONE NONE " " NONE " \n&lt;&quot;");
    t.size = 0;
    ls_night_markdown(&t, "a_b _c_ [x](y) |\n<i>");
    assert_string_equal(t.data, "a_b \\_c\\_ \\[x\\](y) \\| &lt;i&gt;");
    t.size = 0;
    ls_night_wrap(&t, "one two three \xc3\xa9 aaaaaaaaaaaaaaaaaaaa", 10, "  ");
    assert_string_equal(t.data, "one two\n  three ?\n  aaaaaaa~");
    t.size = 0;
    assert_int_equal(ls_night_command(&t, "build/lockstep run rf_x --param 'A B' --seed 12", 31), 0);
    assert_string_equal(t.data, "    build/lockstep run rf_x \\\n      --param 'A B' --seed 12");
    assert_int_equal(ls_night_command(&t, "build/a-word-that-is-too-long-for-it", 30), -1);
    t.size = 0;
    ls_night_fence(&t, " ", "sh", "a ``` b\nc");
    assert_string_equal(t.data, " ````sh\n a ``` b\n c\n ````\n");
    free(t.data);
}

static void paths_into_the_night_are_portable(void **state) {
    static const char *const rows[][2] = {
        {"replay /data/build/regress/nightly-12/cases/3/failure.case", "replay $NIGHT/cases/3/failure.case"},
        {"replay build/regress/nightly-12/cases/3/x", "replay $NIGHT/cases/3/x"},
        {"--record=nightly-12/records/1.json 'nightly-12/logs/1'", "--record=$NIGHT/records/1.json '$NIGHT/logs/1'"},
        {"ls /data/build/regress/nightly-12", "ls $NIGHT"},
        {"/data/build/regress/nightly-123/cases/1", "/data/build/regress/nightly-123/cases/1"},
        {"xnightly-12/cases/1 nightly-12/other", "xnightly-12/cases/1 nightly-12/other"},
        {"", ""}};
    const ls_night n = {.folder = "/data/build/regress/nightly-12"};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *made = ls_night_portable(&n, rows[i][0]);
        assert_string_equal(made, rows[i][1]);
        free(made);
    }
}

static void the_same_jobs_again(void **state) {
    ls_night_result jobs[] = {
        {.stimulus = "kernel:a", .command = "build/lockstep run rf_wir --workload streams/a.rfs --timeout 60"},
        {.stimulus = "trace:a/b c.log", .command = ""}};
    const struct {
        ls_night night;
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
        ls_night n = rows[i].night;
        n.fresh = "12";
        n.jobs = jobs;
        jobs[1].command = rows[i].command;
        char *again = ls_night_again(&n), *expected = ls_format("build/lockstep regress %s", rows[i].again);
        assert_string_equal(again, expected);
        free(again);
        free(expected);
    }
}

/* What does not count is told all the same: "None." would be wrong. */
static void what_does_not_count_is_told(void **state) {
    char *folder = folder_of("told");
    reports r;
    (void)state;
    sqlite3 *db = example_open();
    const int64_t night = example_quiet(db, folder);
    example_sql(
        db,
        "INSERT INTO finding VALUES (%lld, 'unexpected pass', 'rf_rr - crash', 'no night says', 0);"
        "INSERT INTO finding VALUES (%lld, 'lost', 'a', 'on n2', 0); INSERT INTO finding VALUES (%lld, 'clock', 'b', 'c', 0)",
        (long long)night, (long long)night, (long long)night);
    for (int times = 0; times < 2; times++) {
        report(db, night, folder, times != 0, &r);
        const char *const told = times != 0 ? "\nFor information: 3\n\n- **" : "\nFor information: 1\n\n- **";
        has(r.file[2].data, "## Findings\n\nNone that makes the night fail.\n");
        has(r.file[2].data, told);
        has(r.file[2].data, "\n- **unexpected pass** rf_rr - crash: no night says\n");
        has(r.file[4].data, times != 0 ? "For information: 3<" : "For information: 1<");
        has(r.file[3].data,
            times != 0 ? "\n3 for information: summary.md has them.\n" : "\n1 for information: summary.md has it.\n");
        mail_is_a_mail(r.file[3].data);
        release(&r);
    }
    for (int i = 0; i < 30; i++)
        example_sql(db, "INSERT INTO finding VALUES (%lld, 'survivor', 'x%d', 'y', 0)", (long long)night, i);
    report(db, night, folder, true, &r);
    has(r.file[2].data, "- and 13 more: report.html has them all\n");
    release(&r);
    example_close(db);
    free(folder);
}

/* A mutant that nothing noticed and nothing proved is named, as the survivors are. */
static void undecided_mutants_are_named(void **state) {
    char *folder = folder_of("undecided");
    reports r;
    (void)state;
    sqlite3 *db = example_open();
    const int64_t night = example_quiet(db, folder);
    example_sql(db, "INSERT INTO mutation SELECT night, unit, 'rtl', 2, 1, 0, 0, 1 FROM job WHERE night = %lld AND number = 0",
                (long long)night);
    report(db, night, folder, true, &r);
    assert_null(strstr(r.file[4].data, "<h3>Undecided</h3>"));
    release(&r);
    example_sql(db,
                "UPDATE job SET record = json_set(record, '$.run.mutants', json('[{\"side\":\"rtl\",\"open\":["
                "{\"mutant\":\"N=64/17\",\"what\":\"$add$4 <port> Y, bit 3: no proof in time\"}]}]')) "
                "WHERE night = %lld AND number = 0",
                (long long)night);
    report(db, night, folder, true, &r);
    has(r.file[4].data, "<h3>Undecided</h3>");
    has(r.file[4].data, "N=64/17");
    has(r.file[4].data, "$add$4 &lt;port&gt; Y, bit 3: no proof in time");
    release(&r);
    example_close(db);
    free(folder);
}

static void what_cannot_be_written_is_said(void **state) {
    char error[512] = "", *folder = folder_of("errors"), *file = ls_format("%s/file", base);
    (void)state;
    sqlite3 *db = example_open();
    const int64_t night = example_quiet(db, folder);
    assert_int_equal(ls_night_report(db, night + 1, folder, true, error, sizeof error), -1);
    assert_string_equal(error, "the history has no night 2");
    put(base, "file", "x", 1);
    assert_int_equal(ls_night_report(db, night, file, true, error, sizeof error), -1);
    has(error, "/file/results.jsonl: Not a directory");
    char *page = ls_format("%s/report.html", folder);
    assert_int_equal(mkdir(page, 0777), 0);
    assert_int_equal(ls_night_report(db, night, folder, true, error, sizeof error), -1);
    has(error, "report.html");
    example_sql(db, "DROP TABLE bucket");
    assert_int_equal(ls_night_report(db, night, folder, true, error, sizeof error), -1);
    has(error, "no such table: ");
    example_close(db);
    free(page);
    free(file);
    free(folder);
}

/* Three nights for tb/report_check.sh. */
static int leave_examples(const char *to) {
    static int64_t (*const make[])(sqlite3 *, const char *) = {example_history, example_quiet, example_hostile};
    static const char *const of[] = {"fail", "pass", "hostile"};
    char error[512];
    int status = 0;
    for (size_t i = 0; i < 3 && status == 0; i++) {
        char *folder = ls_format("%s/%s", to, of[i]);
        sqlite3 *db = example_open();
        status = ls_night_report(db, make[i](db, folder), folder, true, error, sizeof error);
        if (status != 0) (void)fprintf(stderr, "%s\n", error);
        example_close(db);
        free(folder);
    }
    return status == 0 ? 0 : 2;
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(every_job_has_its_line),
                                              cmocka_unit_test(without_times_the_same_jobs_are_the_same_reports),
                                              cmocka_unit_test(junit_counts_what_is_in_it),
                                              cmocka_unit_test(hostile_texts_stay_texts),
                                              cmocka_unit_test(a_mail_is_short),
                                              cmocka_unit_test(empty_sections_say_so),
                                              cmocka_unit_test(pictures_are_in_the_page),
                                              cmocka_unit_test(the_page_is_whole),
                                              cmocka_unit_test(nights_before_are_those_of_the_plan),
                                              cmocka_unit_test(figures_are_true),
                                              cmocka_unit_test(numbers_and_texts),
                                              cmocka_unit_test(the_same_jobs_again),
                                              cmocka_unit_test(what_does_not_count_is_told),
                                              cmocka_unit_test(paths_into_the_night_are_portable),
                                              cmocka_unit_test(undecided_mutants_are_named),
        cmocka_unit_test(what_cannot_be_written_is_said)};
    const char *examples = getenv("NIGHT_EXAMPLES");
    if (examples != NULL) return leave_examples(examples);
    char folder[] = "/tmp/night-report.XXXXXX";
    base = mkdtemp(folder);
    if (base == NULL) return 2;
    const int failed = cmocka_run_group_tests_name("night_report", tests, NULL, NULL);
    if (whole != NULL) (void)sqlite3_close(whole);
    ls_remove_tree(base);
    return failed;
}
