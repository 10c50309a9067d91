/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/regress/triage.c and known.c, and of the view bucket_history: failures fall into the right buckets, known
 * issues count only as long as they show, and nothing fails unnoticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/core/config.h"
#include "harness/regress/known.h"
#include "tb/harness/triaged_regression.h"

static void failures_fall_into_buckets(void **state) {
    (void)state;
    static const made_job jobs[] = {
        JOB("a", "rf_rr", "random", "pass", .block = "fixed"),
        JOB("b", "rf_rr", "random", "mismatch", .block = "fixed", .run = MASK_Q("90")),
        JOB("c", "rf_rr", "random", "mismatch", .block = "fresh", .run = MASK_Q("7")),
        JOB("d", "rf_rr", "random", "mismatch", .params = "N=3", .block = "fixed", .run = MASK_Q("7")),
        JOB("e", "rf_rr", "random", "mismatch", .params = "N=5", .block = "fixed", .run = MASK_Q("8")),
        JOB("f", "rf_banked", "random", "mismatch", .run = "{\"mismatch\":{\"field\":\"gen_ocu[3].u_ocu.src_q\",\"cycle\":4}}"),
        JOB("g", "rf_banked", "random", "mismatch", .run = "{\"mismatch\":{\"field\":\"gen_ocu[12].u_ocu.src_q\",\"cycle\":5}}"),
        JOB("h", "rf_banked", "kernel:bfs", "mismatch", .message = "a register is wrong",
            .run = "{\"mismatch\":{\"field\":\"property\",\"cycle\":5}}"),
        JOB("i", "rf_bank", "random", "crash", .message = "killed by signal 11"),
        JOB("j", "rf_bank", "random", "hang", .run = "{\"cycles\":3}"),
        JOB("k", "rf_bank", "random", "crash", .open = true),
        JOB("l", "rf_bank", "faults", "missed", .run = "{\"missed\":[\"row  0 is [never] written\",\"two\"]}"),
        JOB("m", "rf_bank", "faults", "missed", .params = "ROWS=8", .run = "{\"missed\":[\"two\"]}"),
        JOB("n", "rf_bank", "mutants", "survived",
            .run =
                "{\"mutants\":[{\"side\":\"rtl\",\"made\":3,\"killed\":1,\"equivalent\":0,\"survived\":2,\"undecided\":0,"
                "\"survivors\":["
                "{\"mutant\":\"3\",\"what\":\"$add$4 Y\"},{\"mutant\":\"8\",\"what\":\"$add$4 "
                "A\"}]},{\"side\":\"comparer\",\"made\":1,"
                "\"killed\":0,\"equivalent\":0,\"survived\":1,\"undecided\":0,\"survivors\":[{\"mutant\":\"1\",\"what\":\"pair.c:"
                "7 <\"}]}]}"),
        JOB("o", "rf_bank", "random", "build", .message = "no such port"),
        JOB("p", "rf_wbq", "mutants", "survived", .lost = "[{\"attempt\":1,\"host\":\"n2\",\"how\":\"signal 9\"}]"),
        {.name = NULL}};
    const int64_t id = regression(1, "", jobs);
    for (int again = 0; again < 2; again++) {
        assert_rows(db, "SELECT name, jobs, earliest, shortest, other, known FROM bucket ORDER BY name", 0,
                    "rf_bank $add$4 survived|1|13|13|NULL|NULL\n"
                    "rf_bank - build|1|14|14|NULL|NULL\n"
                    "rf_bank - crash|1|8|8|NULL|NULL\n"
                    "rf_bank - hang|1|9|9|NULL|NULL\n"
                    "rf_bank row--0-is--never--written missed|1|11|11|NULL|NULL\n"
                    "rf_bank two missed|2|11|11|12|NULL\n"
                    "rf_banked gen_ocu.u_ocu.src_q mismatch|2|5|5|NULL|NULL\n"
                    "rf_banked property mismatch|1|7|7|NULL|NULL\n"
                    "rf_rr mask_q mismatch|4|1|2|3|NULL\n"
                    "rf_wbq - survived|1|15|15|NULL|NULL");
        assert_rows(db, "SELECT name, verdict, bucket FROM job ORDER BY number", 0,
                    "a|pass|\nb|fail|rf_rr mask_q mismatch\nc|fail|rf_rr mask_q mismatch\nd|fail|rf_rr mask_q mismatch\n"
                    "e|fail|rf_rr mask_q mismatch\nf|fail|rf_banked gen_ocu.u_ocu.src_q mismatch\n"
                    "g|fail|rf_banked gen_ocu.u_ocu.src_q mismatch\nh|fail|rf_banked property mismatch\ni|fail|rf_bank - crash\n"
                    "j|fail|rf_bank - hang\nk|open|\nl|fail|rf_bank row--0-is--never--written missed\nm|fail|rf_bank two missed\n"
                    "n|fail|rf_bank $add$4 survived\no|fail|rf_bank - build\np|fail|rf_wbq - survived");
        assert_rows(db,
                    "SELECT kind, name, text, counts FROM finding WHERE kind <> 'failure' OR name LIKE 'rf_rr%' OR name LIKE "
                    "'%property%' "
                    "ORDER BY kind, name",
                    0,
                    "failure|rf_banked property mismatch|1 job, h: a register is wrong|1\n"
                    "failure|rf_rr mask_q mismatch|4 jobs, first b: differs in cycle 90|1\n"
                    "lost|p|attempt 1 on n2: signal 9|0\n"
                    "survivor|- pair.c:7 survived|comparer mutant 1: pair.c:7 < (no proof: may be equivalent)|0\n"
                    "survivor|rf_bank $add$4 survived|1 job, n: rtl mutant 3: $add$4 Y and 1 more|1\n"
                    "survivor|rf_wbq - survived|1 job, p: survived|1");
        assert_int_equal(ls_triage_sort(db, id, known, error, sizeof error), 0);
    }
    assert_int_equal(ls_triage_verdict(db, id), 2);
    assert_rows(db, "SELECT verdict FROM night", 0, "incomplete");
}

static void verdicts(void **state) {
    (void)state;
    made_job jobs[] = {JOB("a", "rf_rr", "random", "pass"), JOB("b", "rf_rr", "random", "pass"), {.name = NULL}};
    assert_int_equal(ls_triage_verdict(db, regression(1, "", jobs)), 0);
    jobs[1].status = "vacuous";
    assert_int_equal(ls_triage_verdict(db, regression(1, "", jobs)), 1);
    made_file(directory, "known_issues", "rf_rr - vacuous me 2030-01-01 because\n");
    assert_int_equal(ls_triage_verdict(db, regression(1, "", jobs)), 0);
    assert_rows(db, "SELECT verdict FROM night UNION ALL SELECT verdict FROM job", 0, "pass\npass\nknown");
    jobs[0].open = true;
    assert_int_equal(ls_triage_verdict(db, regression(1, "", jobs)), 2);
}

static void known_issues_are_known(void **state) {
    (void)state;
    made_file(directory, "known_issues",
              "# comment\n\n  rf_rr\tmask_q mismatch   me 2028-02-29  a reason of \t words  \r\n"
              "rf_bank value-of-the-next-lane missed you 2030-01-01 one\nrf_bank $add$4 survived you 2030-01-01 equal by "
              "design\n- pair.c:7 "
              "survived x 2030-12-31 y");
    static const made_job jobs[] = {
        JOB("a", "rf_rr", "random", "mismatch", .run = MASK_Q("90")),
        JOB("l", "rf_bank", "faults", "missed", .run = "{\"missed\":[\"value of the next lane\",\"three\"]}"),
        JOB("m", "rf_bank", "faults", "missed", .params = "ROWS=8", .run = "{\"missed\":[\"value of the next lane\"]}"),
        JOB("n", "rf_bank", "mutants", "survived",
            .run =
                "{\"mutants\":[{\"side\":\"rtl\",\"made\":2,\"killed\":0,\"equivalent\":0,\"survived\":2,\"undecided\":0,"
                "\"survivors\":["
                "{\"mutant\":\"3\",\"what\":\"$add$4 Y\"},{\"mutant\":\"8\",\"what\":\"$add$5 "
                "A\"}]},{\"side\":\"comparer\",\"made\":1,"
                "\"killed\":0,\"equivalent\":0,\"survived\":1,\"undecided\":0,\"survivors\":[{\"mutant\":\"1\",\"what\":\"pair.c:"
                "7 <\"}]}]}"),
        {.name = NULL}};
    const int64_t id = regression(1, "", jobs);
    assert_rows(db, "SELECT name, known, owner, since FROM bucket ORDER BY name", 0,
                "rf_bank $add$4 survived|equal by design|you|2030-01-01\n"
                "rf_bank $add$5 survived|NULL|NULL|NULL\nrf_bank three missed|NULL|NULL|NULL\nrf_bank value-of-the-next-lane "
                "missed|one|you|2030-01-01\n"
                "rf_rr mask_q mismatch|a reason of \t words|me|2028-02-29");
    assert_rows(db, "SELECT name, verdict, bucket FROM job ORDER BY number", 0,
                "a|known|rf_rr mask_q mismatch\nl|fail|rf_bank three missed\nm|known|rf_bank value-of-the-next-lane "
                "missed\nn|fail|rf_bank $add$5 survived");
    assert_rows(db, "SELECT side, mutant, waived FROM survivor ORDER BY side, mutant", 0,
                "comparer|1|y\nrtl|3|equal by design\nrtl|8|NULL");
    assert_rows(db, "SELECT name, counts FROM finding ORDER BY name", 0,
                "- pair.c:7 survived|0\nrf_bank $add$4 survived|0\nrf_bank $add$5 survived|1\nrf_bank three missed|1\nrf_bank "
                "value-of-the-next-lane missed|0\n"
                "rf_rr mask_q mismatch|0");
    assert_rows(db, "SELECT text FROM finding WHERE name LIKE 'rf_rr%'", 0,
                "known since 2028-02-29 (me): a reason of \t words; 1 job, a: differs in cycle 90");
    assert_int_equal(ls_triage_verdict(db, id), 1);
}

static void bad_known_issues_are_named(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"rf_rr\n", "known_issues:1: FIELD: missing"},
        {"\n#\nrf_none a mismatch me 2030-01-01 x\n", "known_issues:3: UNIT: no unit rf_none"},
        {"rf_rr a[0] mismatch me 2030-01-01 x\n", "known_issues:1: FIELD: a[0]; expected a field without index"},
        {"rf_rr a misfit me 2030-01-01 x\n", "known_issues:1: KIND: \"misfit\"; expected mismatch"},
        {"rf_rr a pass me 2030-01-01 x\n", "KIND: \"pass\""},
        {"rf_rr a\n", "KIND: \"\""},
        {"- a mismatch me 2030-01-01 x\n", "UNIT: - is for kind survived alone"},
        {"rf_rr mask_qq mismatch me 2030-01-01 x\n",
         "known_issues:1: FIELD: mask_qq; for rf_rr of kind mismatch expected a register, memory or output"},
        {"rf_rr req mismatch me 2030-01-01 x\n", "FIELD: req; for rf_rr"}, /* an input */
        {"rf_rr - mismatch me 2030-01-01 x\n", "FIELD: -; for rf_rr"},
        {"rf_rr property mismatch me 2030-01-01 x\n", "FIELD: property; for rf_rr"},
        {"#\nrf_rr mask_q crash me 2030-01-01 x\n", "known_issues:2: FIELD: mask_q; for rf_rr of kind crash expected - ("},
        {"rf_rr mask_q vacuous me 2030-01-01 x\n", "FIELD: mask_q; for rf_rr of kind vacuous expected - ("},
        {"rf_rr two missed me 2030-01-01 x\n", "FIELD: two; for rf_rr of kind missed expected a planted fault"},
        {"rf_rr mask_q mismatch\n", "OWNER: missing"},
        {"rf_rr mask_q mismatch me\n", "DATE: \"\"; expected YYYY-MM-DD"},
        {"rf_rr mask_q mismatch me 2030-02-29 x\n", "DATE: \"2030-02-29\""},
        {"rf_rr mask_q mismatch me 2100-02-29 x\n", "DATE: \"2100-02-29\""},
        {"rf_rr mask_q mismatch me 2030-13-01 x\n", "DATE: \"2030-13-01\""},
        {"rf_rr mask_q mismatch me 2030-1-010 x\n", "DATE: \"2030-1-010\""},
        {"rf_rr mask_q mismatch me 31.01.2030 x\n", "DATE: \"31.01.2030\""},
        {"rf_rr mask_q mismatch me 2030-01-01 \t\r\n", "REASON: missing"},
        {"rf_rr mask_q mismatch me 2030-01-01 x\n\nrf_rr - crash me 2030-01-01 x\nrf_rr\tmask_q mismatch you 2030-01-02 y\n",
         "known_issues:4: the same bucket as line 1"}};
    static const made_job jobs[] = {JOB("a", "rf_rr", "random", "crash"), {.name = NULL}};
    const int64_t id = regression(1, "", jobs);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        made_file(directory, "known_issues", bad[i].text);
        assert_int_equal(ls_triage_sort(db, id, known, error, sizeof error), -1);
        if (strstr(error, bad[i].words) == NULL) fail_msg("\"%s\" and not \"%s\"", error, bad[i].words);
        assert_rows(db, "SELECT name FROM bucket", 0, "rf_rr - crash"); /* as before */
    }
    assert_int_equal(ls_triage_sort(db, id, directory, error, sizeof error), -1);
    assert_non_null(strstr(error, directory));
    ls_known_list ours;
    if (ls_known_read(&ours, "tb/known_issues", error, sizeof error) != 0) fail_msg("%s", error);
    ls_known_free(&ours);
}

/* Whatever a fault of a unit shows, and the fault itself, can be known. */
static void every_bucket_can_be_known(void **state) {
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        ls_text lines = {0};
        for (const ls_fault *f = (*u)->faults; f->what != NULL; f++) {
            char *what = ls_bucket_field(f->what), *field = ls_bucket_field(f->field);
            char *missed = ls_format("%s %s missed me 2030-01-01 x\n", (*u)->name, what),
                 *mismatch = ls_format("%s %s mismatch me 2030-01-01 x\n", (*u)->name, field);
            if (lines.data == NULL || strstr(lines.data, missed) == NULL) ls_text_add(&lines, "%s", missed);
            if (strstr(lines.data, mismatch) == NULL) ls_text_add(&lines, "%s", mismatch);
            free(what);
            free(field);
            free(missed);
            free(mismatch);
        }
        if ((*u)->property != NULL) ls_text_add(&lines, "%s property mismatch me 2030-01-01 x\n", (*u)->name);
        ls_text_add(&lines, "%s - missed me 2030-01-01 x\n%s - hang me 2030-01-01 x\n%s $and$a.sv:7$5 survived me 2030-01-01 x\n",
                    (*u)->name, (*u)->name, (*u)->name);
        made_file(directory, "known_issues", lines.data);
        ls_known_list all;
        if (ls_known_read(&all, known, error, sizeof error) != 0) fail_msg("%s", error);
        ls_known_free(&all);
        free(lines.data);
    }
}

/* What the mutants of the RTL are called: a known cell hides its own survivors, and no others of its unit. */
static void a_known_cell_hides_no_other(void **state) {
    (void)state;
    made_file(directory, "known_issues",
              "rf_rr $procdff$29 survived me 2030-01-01 x\nrf_rr $and$rtl/a-b.sv:7$5-0- survived me 2030-01-01 y\n");
#define CELL(number, name)                                                                                                       \
    "{\"mutant\":\"" number "\",\"what\":\"cell " name ", port Q, bit 3, inv (mask_q bit 3) at rtl/a.sv:7.1-8.2\"}"
    static const made_job jobs[] = {
        JOB("a", "rf_rr", "mutants", "survived",
            .run = "{\"mutants\":[{\"side\":\"rtl\",\"made\":4,\"killed\":0,\"equivalent\":0,\"survived\":4,\"undecided\":0,"
                   "\"survivors\":[" CELL("1", "$procdff$29") "," CELL("2", "$procdff$290") "," CELL(
                       "3", "$and$rtl/a b.sv:7$5[0]") "," CELL("4", "$procdff$29") "]}]}"),
        {.name = NULL}};
    const int64_t id = regression(1, "", jobs);
    assert_rows(db, "SELECT name, known FROM bucket ORDER BY name", 0,
                "rf_rr $and$rtl/a-b.sv:7$5-0- survived|y\nrf_rr $procdff$29 survived|x\nrf_rr $procdff$290 survived|NULL");
    assert_rows(db, "SELECT mutant, waived FROM survivor ORDER BY mutant", 0, "1|x\n2|NULL\n3|y\n4|x");
    assert_rows(db, "SELECT name FROM finding WHERE kind = 'unexpected pass' OR counts", 0, "rf_rr $procdff$290 survived");
    assert_int_equal(ls_triage_verdict(db, id), 1);
#undef CELL
}

#define TOLD "SELECT name FROM finding WHERE kind = 'unexpected pass' AND NOT counts AND night = ? ORDER BY name"
#define UNEXPECTED "SELECT name FROM finding WHERE kind = 'unexpected pass' AND counts AND night = ? ORDER BY name"

static void what_passes_unexpectedly(void **state) {
    (void)state;
    made_file(
        directory, "known_issues",
        "rf_rr mask_q mismatch me 2030-01-01 x\nrf_rr no-wrap-around missed me 2030-01-01 x\nrf_rr $a survived me 2030-01-01 x\n"
        "- c survived me 2030-01-01 x\nrf_wbq - crash me 2030-01-01 x\n");
    made_job jobs[] = {JOB("a", "rf_rr", "random", "mismatch", .block = "fixed", .run = MASK_Q("1")),
                       JOB("b", "rf_rr", "random", "pass", .block = "fixed"),
                       JOB("c", "rf_rr", "random", "pass", .params = "N=3", .block = "fresh"),
                       JOB("d", "rf_bank", "faults", "pass"),
                       JOB("e", "rf_bank", "mutants", "pass"),
                       {.name = NULL}};
    assert_rows(db, UNEXPECTED, regression(1, "", jobs), ""); /* it shows; nothing could have shown the others */
    jobs[0].status = "pass";
    const int64_t id = regression(2, "", jobs);
    assert_rows(db, UNEXPECTED, id, "rf_rr mask_q mismatch");
    assert_rows(db, "SELECT text FROM finding WHERE kind = 'unexpected pass'", 0,
                "known since 2030-01-01 (me): x; 1 job that can show it did not, first a: take it out of the known issues");
    assert_int_equal(ls_triage_verdict(db, id), 1);
    assert_rows(db, UNEXPECTED, regression(3, "--only a", jobs), "");
    jobs[3].open = true;
    assert_rows(db, UNEXPECTED, regression(4, "", jobs), "");
    jobs[3].open = false;
    jobs[0].status = "build"; /* job a, which shows it, says nothing this time */
    assert_rows(db, UNEXPECTED, regression(5, "", jobs), "");
    jobs[0].status = "pass";
    jobs[0].unit = jobs[1].unit = "rf_bank";
    assert_rows(db, UNEXPECTED, regression(6, "", jobs), ""); /* a fresh seed is no evidence */
    jobs[3].unit = jobs[4].unit = "rf_rr";
    assert_rows(db, UNEXPECTED, regression(7, "", jobs), "rf_rr $a survived\nrf_rr no-wrap-around missed");
    jobs[3].status = "missed";
    jobs[3].run = "{\"missed\":[\"three\"]}";
    jobs[4].run = "{\"mutants\":[{\"side\":\"comparer\",\"made\":0,\"killed\":0,\"equivalent\":0,\"survived\":0,\"undecided\":0,"
                  "\"survivors\":[]}]}";
    assert_rows(db, UNEXPECTED, regression(8, "", jobs), "- c survived\nrf_rr $a survived\nrf_rr no-wrap-around missed");
    jobs[3].run = "{\"missed\":[\"no wrap-around\"]}";
    assert_rows(db, UNEXPECTED, regression(9, "", jobs), "- c survived\nrf_rr $a survived");
    /* Without a regression that showed it, it is told of every job of the unit, but for fresh seeds, and does not count: nobody
     * knows which of them shows it. Regressions that came later do not say, also when a report is made again. */
    jobs[1].unit = "rf_wbq";
    jobs[1].block = "fresh";
    assert_rows(db, UNEXPECTED, regression(10, "", jobs), "- c survived\nrf_rr $a survived");
    jobs[1].block = "fixed";
    const int64_t untold = regression(11, "", jobs);
    jobs[1].name = "z";
    jobs[1].status = "crash";
    (void)regression(12, "", jobs);
    jobs[1].name = "b";
    jobs[1].status = "pass";
    for (int again = 0; again < 2; again++) {
        assert_rows(db, UNEXPECTED, untold, "- c survived\nrf_rr $a survived");
        assert_rows(db, TOLD, untold, "rf_wbq - crash");
        assert_rows(
            db,
            "SELECT count(*) FROM finding WHERE name = 'rf_wbq - crash' AND text LIKE '%but no regression says which jobs show "
            "it' AND night = ?",
            untold, "1");
        assert_int_equal(regression(11, "", jobs), untold);
    }
    assert_rows(db, UNEXPECTED, regression(13, "", jobs), "- c survived\nrf_rr $a survived"); /* job z is not in it */
}

#define CLOCK "SELECT name, text, counts FROM finding WHERE kind = 'clock' AND night = ?"

/* Regressions are told apart by when they came into the history: a clock that is set back hides nothing, and is told. */
static void a_clock_that_is_set_back(void **state) {
    (void)state;
    made_file(directory, "known_issues", "rf_rr mask_q mismatch me 2030-01-01 x\n");
    made_job jobs[] = {JOB("a", "rf_rr", "random", "mismatch", .block = "fixed", .run = MASK_Q("1")), {.name = NULL}};
    const int64_t shows = regression(20, "", jobs);
    assert_rows(db, CLOCK, shows, "");
    jobs[0].status = "pass";
    const int64_t back = regression(3, "", jobs);
    assert_rows(db, UNEXPECTED, back, "rf_rr mask_q mismatch");
    assert_rows(db, CLOCK, back,
                "2030-01-03T02:00:00Z|it came into the history after regression 1, which began later (2030-01-20T02:00:00Z): a "
                "clock that "
                "was set back, an old folder, or a regression that took longer; new, back and fixed go by these dates|0");
    assert_int_equal(ls_triage_verdict(db, back), 1);
    jobs[0].status = "mismatch"; /* the last regression that came says which jobs show it */
    jobs[0].name = "b";
    (void)regression(4, "", jobs);
    jobs[0].status = "pass";
    assert_rows(db, UNEXPECTED, regression(5, "", jobs), "rf_rr mask_q mismatch");
    const int64_t right = regression(21, "", jobs);
    assert_rows(db, UNEXPECTED, right, "rf_rr mask_q mismatch");
    assert_rows(db, CLOCK, right, "");
    jobs[0].name = "a";
    jobs[0].status = "mismatch";
    assert_int_equal(regression(20, "", jobs), shows);
    assert_rows(db, CLOCK, shows, "");
}

/* A workload that was cut off passes, and what that left unchecked is told. */
static void what_is_not_checked_is_told(void **state) {
    (void)state;
#define CUT "{\"cycles\":500,\"message\":\"final registers were not checked\"}"
    static const made_job jobs[] = {JOB("a", "rf_wir", "trace:a", "pass", .run = "{\"cycles\":70}"),
                                    JOB("b", "rf_wir", "trace:b", "pass", .run = CUT),
                                    JOB("c", "rf_wir", "kernel:c", "pass", .run = CUT),
                                    JOB("d", "rf_banked", "kernel:d", "pass", .run = CUT),
                                    JOB("e", "rf_rr", "corpus", "pass", .run = CUT), /* what a case that is mended says */
                                    JOB("f", "rf_wir", "trace:f", "vacuous", .run = CUT),
                                    JOB("g", "rf_wir", "trace:g", "pass", .run = CUT, .open = true),
                                    JOB("h", "rf_wir", "trace:h", "pass", .run = "{\"message\":\"x\"}"),
                                    {.name = NULL}};
    for (int again = 0; again < 2; again++)
        assert_rows(db, "SELECT name, text, counts FROM finding WHERE kind = 'not checked' AND night = ? ORDER BY name",
                    regression(1, "", jobs),
                    "final registers were not checked|3 jobs of rf_wir, rf_banked, first b|0\nx|1 job of rf_wir, h|0");
}

/* The job of the comparer's mutants is of no unit. */
static void the_comparer_is_of_no_unit(void **state) {
    (void)state;
    made_file(directory, "known_issues", "- a.c:7: survived me 2030-01-01 x\n");
    made_job jobs[] = {JOB("comparer/mutants", "-", "mutants", "pass",
                           .run = "{\"mutants\":[{\"side\":\"comparer\",\"made\":3,\"killed\":2,\"equivalent\":0,\"survived\":1,"
                                  "\"undecided\":0,\"survivors\":[{\"mutant\":\"1\",\"what\":\"a.c:7: + becomes -\"}]}]}"),
                       {.name = NULL}};
    int64_t id = regression(1, "", jobs);
    assert_int_equal(ls_triage_verdict(db, id), 0);
    assert_rows(db, "SELECT count(*) FROM bucket WHERE night = ?", id, "0"); /* nothing proves that it can be noticed */
    assert_rows(db, "SELECT name, text, counts FROM finding WHERE night = ?", id,
                "- a.c:7: survived|known: x; comparer mutant 1: a.c:7: + becomes - (no proof: may be equivalent)|0");
    assert_rows(db, "SELECT unit, side, made FROM mutation WHERE night = ?", id, "|comparer|3");
    assert_rows(db, "SELECT unit, waived FROM survivor WHERE night = ?", id, "|x");
    assert_rows(db, "SELECT unit, verdict FROM job WHERE night = ?", id, "-|pass");
    jobs[0].run = "{\"mutants\":[{\"side\":\"comparer\",\"made\":3,\"killed\":3,\"equivalent\":0,\"survived\":0,\"undecided\":0,"
                  "\"survivors\":[]}]}";
    id = regression(2, "", jobs);
    assert_rows(db, UNEXPECTED, id, "- a.c:7: survived");
    jobs[0].status = "hang";
    jobs[0].run = NULL;
    id = regression(3, "", jobs);
    assert_int_equal(ls_triage_verdict(db, id), 1);
    assert_rows(db, "SELECT name, unit FROM bucket WHERE night = ?", id, "- - hang|");
}

/* Regressions of another plan, and of a machine that has no traces, are evidence as far as they go. */
static void a_shorter_or_smaller_regression_proves_less(void **state) {
    (void)state;
    made_file(directory, "known_issues", "rf_rr mask_q mismatch me 2030-01-01 x\nrf_rr no-wrap-around missed me 2030-01-01 x\n");
    made_job jobs[] = {JOB("a", "rf_rr", "random", "mismatch", .block = "fixed", .run = MASK_Q("900")),
                       JOB("t", "rf_rr", "trace:x", "mismatch", .run = MASK_Q("50")),
                       JOB("f", "rf_rr", "faults", "pass"),
                       {.name = NULL}};
    const char *const story = "SELECT fixed_in FROM bucket_history WHERE name = 'rf_rr mask_q mismatch'";
#define REGRESSION(number, filter, expected)                                                                                     \
    do {                                                                                                                         \
        const int64_t made = regression(number, filter, jobs);                                                                   \
        (void)ls_triage_verdict(db, made);                                                                                       \
        assert_rows(db, UNEXPECTED, made, expected);                                                                             \
    } while (0)
    jobs[0].status = "pass";
    jobs[1] = jobs[2];
    jobs[2].name = NULL;
    REGRESSION(1, LS_NO_TRACES, "rf_rr no-wrap-around missed"); /* nobody knows what shows the other */
    REGRESSION(2, "", "rf_rr no-wrap-around missed");           /* nor here, but then it is told */
    assert_rows(db, TOLD, 2, "rf_rr mask_q mismatch");
    jobs[0].status = "mismatch";
    jobs[1] = (made_job)JOB("t", "rf_rr", "trace:x", "mismatch", .run = MASK_Q("50"));
    REGRESSION(3, "", "");
    jobs[0].status = jobs[1].status = "pass";
    jobs[0].run = "{\"cycles\":899}";
    jobs[1].name = "another";
    REGRESSION(4, "", ""); /* too short, and without t */
    assert_rows(db, story, 0, "NULL");
    jobs[0].run = "{\"cycles\":900}";
    REGRESSION(5, LS_NO_TRACES, ""); /* without t */
    assert_rows(db, story, 0, "5");
    jobs[1].name = "t";
    jobs[1].run = "{\"cycles\":20,\"drained\":false}"; /* it was cut off before */
    REGRESSION(6, LS_NO_TRACES, "");
    jobs[1].run = "{\"cycles\":20,\"drained\":true}"; /* to the trace's end, which comes sooner */
    REGRESSION(6, LS_NO_TRACES, "rf_rr mask_q mismatch");
    REGRESSION(7, "--only a, " LS_NO_TRACES, "");
    jobs[0].status = "mismatch"; /* alone */
    jobs[0].run = MASK_Q("900");
    REGRESSION(8, "", "");
    jobs[0].status = "pass";
    jobs[0].run = "{\"cycles\":899}";
    REGRESSION(9, "", "");
    jobs[0].run = "{\"cycles\":900}";
    REGRESSION(10, "", "rf_rr mask_q mismatch");
#undef REGRESSION
}

/* A regression is evidence of what ran in it, and as far as it ran: a workload to its end, a job that was killed as many cycles
 * as it was asked for, mutants as many as were made. */
static void what_ran_less_proves_nothing(void **state) {
    (void)state;
    static const struct {
        made_job shows, less, enough;
        const char *known;
    } of[] = {
        {JOB("a", "rf_rr", "kernel:saxpy", "mismatch", .run = MASK_Q("9000")),
         JOB("a", "rf_rr", "kernel:saxpy", "pass", .run = "{\"cycles\":3000,\"drained\":false}", .asked = "--cycles 3000"),
         JOB("a", "rf_rr", "kernel:saxpy", "pass", .run = "{\"cycles\":8000,\"drained\":true}"), "rf_rr mask_q mismatch"},
        {JOB("a", "rf_rr", "kernel:saxpy", "mismatch", .run = MASK_Q("9000")),
         JOB("a", "rf_rr", "kernel:saxpy", "pass", .run = "{\"cycles\":8999}"),
         JOB("a", "rf_rr", "kernel:saxpy", "pass", .run = "{\"cycles\":9000,\"drained\":false}"), "rf_rr mask_q mismatch"},
        {JOB("a", "rf_rr", "trace:x", "hang", .block = "fixed"),
         JOB("a", "rf_rr", "trace:x", "pass", .run = "{\"cycles\":900000,\"drained\":false}", .asked = "--cycles 900000"),
         JOB("a", "rf_rr", "trace:x", "pass", .run = "{\"cycles\":70,\"drained\":true}"), "rf_rr - hang"},
        {JOB("a", "rf_rr", "random", "hang", .block = "fixed", .asked = "--seed 7 --cycles 40000000"),
         JOB("a", "rf_rr", "random", "pass", .block = "fixed", .run = "{\"cycles\":20000}", .asked = "--cycles 20000 --seed 7"),
         JOB("a", "rf_rr", "random", "pass", .block = "fixed", .run = "{\"cycles\":40000000}", .asked = "--cycles 40000000"),
         "rf_rr - hang"},
        {JOB("a", "rf_rr", "random", "crash", .block = "fixed"),
         JOB("a", "rf_rr", "random", "pass", .block = "fixed", .run = "{\"cycles\":99999}", .asked = "--cycles 99999"),
         JOB("a", "rf_rr", "random", "pass", .block = "fixed", .run = "{\"cycles\":100000}"), "rf_rr - crash"},
        {JOB("a", "rf_rr", "random", "build", .block = "fixed", .asked = "--cycles 500"),
         JOB("a", "rf_rr", "random", "crash", .block = "fixed", .asked = "--cycles 500"),
         JOB("a", "rf_rr", "random", "pass", .block = "fixed", .run = "{\"cycles\":5}", .asked = "--cycles 5"), "rf_rr - build"},
        {JOB("a", "rf_rr", "mutants", "survived", .asked = "--sample 12"),
         JOB("a", "rf_rr", "mutants", "pass", .asked = "--sample 2"),
         JOB("a", "rf_rr", "mutants", "pass", .asked = "--sample 12"), "rf_rr - survived"},
        {JOB("a", "rf_rr", "mutants", "survived"), JOB("a", "rf_rr", "mutants", "pass", .asked = "--sample 99"),
         JOB("a", "rf_rr", "mutants", "pass"), "rf_rr - survived"}};
    const char *const fixed = "SELECT fixed_in - last_seen FROM bucket_history WHERE last_seen = ?";
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const int number = 1 + 3 * (int)i;
        char *issue = ls_format("%s me 2030-01-01 x\n", of[i].known);
        made_file(directory, "known_issues", issue);
        const int64_t shown = regression(number, "", (made_job[]){of[i].shows, {.name = NULL}});
        (void)ls_triage_verdict(db, shown);
        const int64_t less = regression(number + 1, "", (made_job[]){of[i].less, {.name = NULL}});
        (void)ls_triage_verdict(db, less);
        assert_rows(db, UNEXPECTED, less, "");
        assert_rows(db, fixed, shown, "NULL");
        const int64_t enough = regression(number + 2, "", (made_job[]){of[i].enough, {.name = NULL}});
        (void)ls_triage_verdict(db, enough);
        assert_rows(db, UNEXPECTED, enough, of[i].known);
        assert_rows(db, fixed, shown, "2");
        free(issue);
        assert_int_equal(ls_store_exec(db, "DELETE FROM night", error, sizeof error), 0);
    }
}

/* A survivor of model or comparer is in no bucket: as many mutants must be made as when one was listed. */
static void fewer_mutants_prove_nothing(void **state) {
    (void)state;
    static const struct {
        const char *name, *unit, *side, *known;
    } of[] = {{"rf_rr/mutants", "rf_rr", "model", "rf_rr"}, {"comparer/mutants", "-", "comparer", "-"}};
    static const char *const survivors[] = {"{\"mutant\":\"1\",\"what\":\"a.c:7: + becomes -\"}", ""};
    int number = 1;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        char *issue = ls_format("%s a.c:7: survived me 2030-01-01 x\n", of[i].known), *run[2];
        made_file(directory, "known_issues", issue);
        for (int k = 0; k < 2; k++)
            run[k] = ls_format("{\"mutants\":[{\"side\":\"%s\",\"made\":3,\"killed\":%d,\"equivalent\":0,\"survived\":%d,"
                               "\"undecided\":0,\"survivors\":[%s]}]}",
                               of[i].side, 2 + k, 1 - k, survivors[k]);
        made_job jobs[] = {{.name = of[i].name, .unit = of[i].unit, .stimulus = "mutants", .status = "pass", .run = run[0]},
                           {.name = NULL}};
        (void)regression(number++, "", jobs);
        jobs[0].run = run[1];
        jobs[0].asked = "--sample 12";
        assert_rows(db, UNEXPECTED, regression(number++, "", jobs), "");
        jobs[0].asked = "--sample 100";
        char *name = ls_format("%s a.c:7: survived", of[i].known);
        assert_rows(db, UNEXPECTED, regression(number++, "", jobs), name);
        jobs[0].run = run[0]; /* of drawn mutants it says nothing of the next ones */
        jobs[0].block = "fresh";
        jobs[0].name = "drawn";
        (void)regression(number++, "", jobs);
        jobs[0].run = run[1];
        jobs[0].block = "";
        jobs[0].name = of[i].name;
        assert_rows(db, UNEXPECTED, regression(number++, "", jobs), "");
        free(name);
        free(run[0]);
        free(run[1]);
        free(issue);
        assert_int_equal(ls_store_exec(db, "DELETE FROM night", error, sizeof error), 0);
    }
}

/* All jobs that showed it must have ended well, or the one that did not may show it still. */
static void one_that_did_not_end_well_may_show_it(void **state) {
    (void)state;
    made_file(directory, "known_issues", "rf_rr mask_q mismatch me 2030-01-01 x\nrf_rr no-wrap-around missed me 2030-01-01 x\n");
    made_job jobs[] = {JOB("a", "rf_rr", "random", "mismatch", .block = "fixed", .run = MASK_Q("5")),
                       JOB("b", "rf_rr", "random", "mismatch", .block = "fixed", .run = MASK_Q("7")),
                       JOB("c", "rf_rr", "faults", "missed", .run = "{\"missed\":[\"no wrap-around\"]}"),
                       JOB("d", "rf_rr", "faults", "missed", .params = "N=3", .run = "{\"missed\":[\"no wrap-around\"]}"),
                       {.name = NULL}};
    assert_rows(db, UNEXPECTED, regression(1, "", jobs), "");
    jobs[0].status = jobs[2].status = "pass";
    jobs[2].run = NULL;
    jobs[1].status = jobs[3].status = "crash";
    assert_rows(db, UNEXPECTED, regression(2, "", jobs), "");
    jobs[1].status = jobs[3].status = "pass";
    jobs[3].run = NULL;
    assert_rows(db, UNEXPECTED, regression(3, "", jobs), "rf_rr mask_q mismatch\nrf_rr no-wrap-around missed");
}

/* A job that is neither passed nor in a bucket fails the regression all the same. */
static void nothing_fails_unnoticed(void **state) {
    (void)state;
    static const made_job jobs[] = {JOB("a", "rf_rr", "random", "pass", .block = "fixed"), {.name = NULL}};
    const int64_t id = regression(1, "", jobs);
    assert_int_equal(ls_triage_verdict(db, id), 0);
    assert_int_equal(ls_store_exec(db, "UPDATE job SET verdict = 'fail'", error, sizeof error), 0);
    assert_int_equal(ls_triage_verdict(db, id), 1);
}

#define HISTORY(name) "SELECT first_seen, last_seen, nights, fixed_in FROM bucket_history WHERE name = '" name "'"

static void buckets_have_a_history(void **state) {
    (void)state;
    made_job jobs[] = {JOB("a", "rf_rr", "random", "pass", .block = "fixed"),
                       JOB("b", "rf_rr", "random", "pass", .block = "fresh"),
                       JOB("c", "rf_rr", "faults", "pass"),
                       {.name = NULL}};
    const char *const mask_q = HISTORY("rf_rr mask_q mismatch"), *const two = HISTORY("rf_rr two missed");
#define REGRESSION(number, filter) (void)ls_triage_verdict(db, regression(number, filter, jobs))
    REGRESSION(1, "");
    jobs[0].status = jobs[1].status = "mismatch";
    jobs[0].run = jobs[1].run = MASK_Q("5");
    REGRESSION(2, "");
    assert_rows(db, mask_q, 0, "2|2|1|NULL");
    REGRESSION(3, "");
    assert_rows(db, mask_q, 0, "2|3|2|NULL");
    jobs[0].status = "build";
    jobs[1].status = "pass";
    REGRESSION(4, ""); /* what could not run has mended nothing, and a fresh seed proves nothing */
    assert_rows(db, mask_q, 0, "2|3|2|NULL");
    jobs[0].status = "pass";
    REGRESSION(5, "--tier 1");
    assert_rows(db, mask_q, 0, "2|3|2|NULL");
    jobs[2].open = true;
    REGRESSION(6, "");
    assert_rows(db, mask_q, 0, "2|3|2|NULL");
    jobs[2].open = false;
    REGRESSION(7, "");
    REGRESSION(8, "");
    assert_rows(db, mask_q, 0, "2|3|2|7");
    jobs[0].status = "mismatch";
    jobs[2].status = "missed";
    jobs[2].run = "{\"missed\":[\"one\",\"two\"]}";
    REGRESSION(9, "");
    assert_rows(db, mask_q, 0, "2|9|3|NULL"); /* it is back */
    jobs[0].status = "pass";
    jobs[2].run = "{\"missed\":[\"one\"]}"; /* its job still fails, but for another reason */
    REGRESSION(10, "");
    assert_rows(db, mask_q, 0, "2|9|3|10");
    assert_rows(db, two, 0, "9|9|1|10");
    assert_rows(db, HISTORY("rf_rr one missed"), 0, "9|10|2|NULL");
    /* In the order of their dates, whatever the order of import. */
    assert_int_equal(ls_store_exec(db, "DELETE FROM night", error, sizeof error), 0);
    jobs[2].status = jobs[0].status = "pass";
    REGRESSION(12, "");
    jobs[0].status = "mismatch";
    REGRESSION(11, "");
    assert_rows(db, mask_q, 0, "2|2|1|1");
#undef REGRESSION
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(failures_fall_into_buckets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(verdicts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(known_issues_are_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_known_issues_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_bucket_can_be_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_known_cell_hides_no_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_passes_unexpectedly, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_checked_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_clock_that_is_set_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_shorter_or_smaller_regression_proves_less, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_ran_less_proves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fewer_mutants_prove_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_did_not_end_well_may_show_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_comparer_is_of_no_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_fails_unnoticed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(buckets_have_a_history, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
