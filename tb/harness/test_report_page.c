/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report.html on made-up histories: it is whole, well-formed, needs nothing from elsewhere, and its pictures are in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/harness/read_report.h"

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

static void pictures_are_in_the_page(void **state) {
    char *folder = folder_of("pictures"), *buckets = folder_of("pictures/buckets"), *wir = folder_of("pictures/buckets/wir");
    unsigned char png[67] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13,
                             'I',  'H', 'D', 'R', 0,    0,    1,    2,    0, 0, 0, 77},
                  back[80];
    reports r;
    (void)state;
    for (size_t i = 24; i < sizeof png; i++) png[i] = (unsigned char)(i * 37);
    sqlite3 *db;
    const int64_t regression = history(&db, folder);
    for (size_t size = sizeof png; size > sizeof png - 3; size--) { /* every kind of padding */
        write_file(wir, "failure.png", png, size);
        report(db, regression, folder, true, &r);
        accepts("", folder, "report.html");
        const char *at = strstr(r.file[3].data, "src=\"data:image/png;base64,");
        assert_non_null(at);
        assert_int_equal(unbase64(strchr(at, ',') + 1, back), size);
        assert_memory_equal(back, png, size);
        has(r.file[3].data, "<img width=\"258\" height=\"77\" alt=\"Waves of rf_wir mem_q mismatch");
        has(r.file[3].data, "<a href=\"buckets/wir/failure.png\">picture</a>");
        has_not(r.file[3].data, "failure.fst\">"); /* which is not there */
        release(&r);
    }
    /* No picture, too large a picture, a picture that lies elsewhere. */
    write_file(wir, "failure.png", "GIF89a, not what it says, and long enough to be one", 50);
    report(db, regression, folder, true, &r);
    has_not(r.file[3].data, "src=");
    release(&r);
    unsigned char *large = ls_alloc(1, 1200000);
    memcpy(large, png, sizeof png);
    write_file(wir, "failure.png", large, 1200000);
    report(db, regression, folder, true, &r);
    has_not(r.file[3].data, "src=");
    has(r.file[3].data, "<a href=\"buckets/wir/failure.png\">picture</a>");
    release(&r);
    free(large);
    write_file(base, "outside.png", png, sizeof png);
    example_sql(db, "UPDATE bucket SET picture = '../../../outside.png' WHERE picture <> ''");
    report(db, regression, folder, true, &r);
    has_not(r.file[3].data, "src=");
    has_not(r.file[3].data, "outside.png");
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
    const int64_t regression = history(&db, folder);
    const double begin = now();
    report(db, regression, folder, true, &r);
    if (now() - begin > 20) fail_msg("%.1f s", now() - begin); /* under sanitizers; a second without */
    const char *page = r.file[3].data;
    accepts("", folder, "report.html");
    assert_true(r.file[3].size < 3000000);
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

/* A mutant that nothing noticed and nothing proved is named, as the survivors are. */
static void undecided_mutants_are_named(void **state) {
    char *folder = folder_of("undecided");
    reports r;
    (void)state;
    sqlite3 *db = example_open();
    const int64_t regression = example_quiet(db, folder);
    example_sql(db, "INSERT INTO mutation SELECT night, unit, 'rtl', 2, 1, 0, 0, 1 FROM job WHERE night = %lld AND number = 0",
                (long long)regression);
    report(db, regression, folder, true, &r);
    assert_null(strstr(r.file[3].data, "<h3>Undecided</h3>"));
    release(&r);
    example_sql(db,
                "UPDATE job SET record = json_set(record, '$.run.mutants', json('[{\"side\":\"rtl\",\"open\":["
                "{\"mutant\":\"N=64/17\",\"what\":\"$add$4 <port> Y, bit 3: no proof in time\"}]}]')) "
                "WHERE night = %lld AND number = 0",
                (long long)regression);
    report(db, regression, folder, true, &r);
    has(r.file[3].data, "<h3>Undecided</h3>");
    has(r.file[3].data, "N=64/17");
    has(r.file[3].data, "$add$4 &lt;port&gt; Y, bit 3: no proof in time");
    release(&r);
    example_close(db);
    free(folder);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_in_the_page),
        cmocka_unit_test(the_page_is_whole),
        cmocka_unit_test(undecided_mutants_are_named),
    };
    return cmocka_run_group_tests_name("report_page", tests, make_base, remove_base);
}
