/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/regress/triage_look.c: a failure that does not come again is a finding, what is found once is found again
 * without calling anybody, and whatever a tool does, the regression goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/process.h"
#include "tb/harness/triaged_regression.h"

/* A tool that does what the file `plan` in the test's folder says, and notes how it was called. */
static char *made_tool(void) {
    char *path = ls_format("%s/tool", directory);
    made_file(directory, "tool",
              "#!/bin/sh\n"
              "here=${0%/*}\n"
              "echo \"$*\" >>\"$here/calls\"\n"
              "echo 'lockstep: something on stderr' >&2\n"
              "case $(cat \"$here/plan\") in *\"no-$1\"*) echo \"lockstep: $1 does not want to\" >&2; exit 2 ;; esac\n"
              "case $1 in\n"
              "replay) cat \"$here/replayed\"; exit 1 ;;\n"
              "shrink) mv \"$2\" \"$2.shrunk\"; echo '{\"case\":\"x\",\"cycles\":3,\"minimal\":true}'; exit 1 ;;\n"
              "waves) while [ \"$1\" != --output ]; do shift; done; : >\"$2/failure.fst\"; : >\"$2/failure.gtkw\"; exit 1 ;;\n"
              "run) case $(cat \"$here/plan\") in *slow*) for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "
              "sleep 0.05; n=0; while [ $n -lt 20000 ]; do n=$((n + 1)); done; done ;; *hang*) exec sleep 100 ;; *die*) kill "
              "-SEGV $$ ;; esac; cat "
              "\"$here/replayed\"; exit 1 ;;\n"
              "esac\n");
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

static char *calls(void) {
    char *path = ls_format("%s/calls", directory);
    ls_text text = {0};
    (void)ls_text_read(&text, path);
    (void)unlink(path);
    free(path);
    return ls_text_take(&text);
}

static void triage(int64_t id, const char *tool, unsigned most) {
    if (ls_triage_sort(db, id, known, error, sizeof error) != 0) fail_msg("%s", error);
    ls_triage_look(db, id, folder, tool, most, true);
}

static void leave_case(int number) {
    char *path = ls_format("%s/cases/%d", folder, number), *cases = ls_format("%s/cases", folder);
    (void)mkdir(cases, 0777);
    (void)mkdir(path, 0777);
    made_file(path, "failure.case", "lockstep-case 1\n");
    free(path);
    free(cases);
}

#define LOOKED                                                                                                                   \
    "SELECT reproduced, shrunk_cycles, folder, shrunk, waves, view, picture, note FROM bucket WHERE night = ? ORDER BY earliest"
#define AGAIN "SELECT name, counts, text FROM finding WHERE night = ? AND kind = 'not reproducible'"

/* With a tool of our own: each step that fails leaves the others, and what is found is found again without calling anybody. */
static void every_step_may_fail(void **state) {
    (void)state;
    static const made_job jobs[] = {
        JOB("a", "rf_banked", "random", "mismatch", .run = "{\"mismatch\":{\"field\":\"gen_ocu[3].u_ocu.src_q\",\"cycle\":4}}"),
        {.name = NULL}};
    const char *const same = "{\"status\":\"mismatch\",\"mismatch\":{\"field\":\"gen_ocu[0].u_ocu.src_q\"}}\n";
    const char *const dir = "buckets/rf_banked-gen_ocu.u_ocu.src_q-mismatch";
    char *tool = made_tool(), *words, *there;
    const int64_t id = regression(1, "", jobs);
    leave_case(0);
    const struct {
        const char *plan, *replayed, *row, *note;
    } steps[] = {
        {"", same, "1|3|%s|shrunk.case|failure.fst|failure.gtkw||", "no picture: picture.sh: "},
        {"no-shrink", same, "1|NULL|%s||failure.fst|failure.gtkw||",
         "not shrunk: exit status 2: lockstep: shrink does not want to; no picture"},
        {"no-waves", same, "1|3|%s|shrunk.case||||", "no waves: exit status 2: lockstep: waves does not want to"},
        {"no-replay", same, "NULL|NULL|%s|||||", "the replay of its case: exit status 2: lockstep: replay does not want to"},
        {"", "{\"status\":\"pass\"}\n", "0|NULL|%s|||||", "not reproducible: the replay of its case ends with pass"},
        {"", "{\"status\":\"mismatch\",\"mismatch\":{\"field\":\"other_q\"}}\n", "0|NULL|%s|||||",
         "ends with mismatch in other_q"},
        {"", "{\"status\":\"build\",\"message\":\"no verilator\"}\n", "NULL|NULL|%s|||||", "could not run: no verilator"},
        {"", "{\"status\":\n", "NULL|NULL|%s|||||", "the replay of its case: exit status 1: {\"status\":"}};
    size_t renamed = 0;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        char *made = ls_format("%s/buckets", folder), *expected = ls_format(steps[i].row, dir), *got;
        ls_remove_tree(made);
        made_file(directory, "plan", steps[i].plan);
        made_file(directory, "replayed", steps[i].replayed);
        triage(id, tool, 1);
        words = calls();
        assert_memory_equal(words, "replay ", 7);
        free(words);
        got = made_rows(db, LOOKED, id);
        if (strncmp(got, expected, strlen(expected)) != 0 || strstr(got, steps[i].note) == NULL)
            fail_msg("%s and not %s…%s", got, expected, steps[i].note);
        there = made_rows(db, AGAIN, id);
        assert_int_equal(there[0] != '\0', got[0] == '0');
        free(there);
        triage(id, tool, 1); /* again: the same, with nobody called */
        words = calls();
        assert_string_equal(words, "");
        assert_rows(db, LOOKED, id, got);
        free(words);
        /* A folder of the version before, in which the file had another name. */
        char *now = ls_format("%s/%s/triage.json", folder, dir), *before = ls_format("%s/%s/inquiry.json", folder, dir);
        if (rename(now, before) == 0) {
            renamed++;
            triage(id, tool, 1);
            words = calls();
            assert_string_equal(words, "");
            assert_rows(db, LOOKED, id, got);
            free(words);
        }
        free(now);
        free(before);
        free(got);
        free(made);
        free(expected);
    }
    assert_true(renamed > 0);
    free(tool);
}

static void what_is_gone_is_made_again(void **state) {
    (void)state;
    static const made_job jobs[] = {JOB("a", "rf_rr", "random", "mismatch", .run = MASK_Q("4")),
                                    JOB("b", "rf_wbq", "random", "mismatch", .run = MASK_Q("4")),
                                    {.name = NULL}};
    char *tool = made_tool(), *words, *path = ls_format("%s/buckets/rf_rr-mask_q-mismatch/shrunk.case", folder);
    const int64_t id = regression(1, "", jobs);
    made_file(directory, "plan", "");
    made_file(directory, "replayed", "{\"status\":\"mismatch\",\"mismatch\":{\"field\":\"mask_q\"}}\n");
    leave_case(0);
    leave_case(1);
    triage(id, tool, 0);
    words = calls();
    assert_string_equal(words, "");
    free(words);
    assert_rows(db, "SELECT folder, note FROM bucket", 0, "|not looked into\n|not looked into");
    triage(id, tool, 1);
    assert_rows(db, "SELECT name, reproduced, shrunk_cycles FROM bucket ORDER BY name", 0,
                "rf_rr mask_q mismatch|1|3\nrf_wbq mask_q mismatch|NULL|NULL");
    triage(id, tool, 1); /* goes on where it was */
    assert_rows(db, "SELECT name, reproduced, shrunk_cycles FROM bucket ORDER BY name", 0,
                "rf_rr mask_q mismatch|1|3\nrf_wbq mask_q mismatch|1|3");
    free(calls());
    assert_int_equal(unlink(path), 0);
    triage(id, tool, 2);
    words = calls();
    assert_non_null(strstr(words, "rf_rr-mask_q-mismatch"));
    assert_null(strstr(words, "rf_wbq-mask_q-mismatch"));
    assert_int_equal(access(path, R_OK), 0);
    assert_rows(db, "SELECT count(*) FROM bucket WHERE reproduced AND shrunk_cycles = 3", 0, "2");
    free(words);
    /* Known buckets are left alone, and another job of a bucket is another triage. */
    made_file(directory, "known_issues", "rf_wbq mask_q mismatch me 2030-01-01 x\n");
    char *made = ls_format("%s/buckets", folder);
    ls_remove_tree(made);
    triage(id, tool, 2);
    words = calls();
    assert_null(strstr(words, "rf_wbq-mask_q-mismatch"));
    free(words);
    static const made_job swapped[] = {
        JOB("b", "rf_wbq", "random", "pass"), JOB("a", "rf_rr", "random", "mismatch", .run = MASK_Q("4")), {.name = NULL}};
    assert_int_equal(regression(1, "", swapped), id);
    triage(id, tool, 2);
    words = calls();
    assert_non_null(strstr(words, "/cases/1/failure.case"));
    free(words);
    free(made);
    free(path);
    free(tool);
}

static void without_a_case_the_command_runs_again(void **state) {
    (void)state;
    static const struct {
        const char *status, *plan, *replayed;
        int reproduced;
    } runs[] = {{"hang", "hang", "", 1},
                {"hang", "", "{\"status\":\"pass\"}\n", 0},
                {"crash", "die", "", 1},
                {"crash", "", "{\"status\":\"crash\"}\n", 1},
                {"crash", "hang", "", 0},
                {"vacuous", "", "{\"status\":\"vacuous\"}\n", 1},
                {"mismatch", "", "{\"status\":\"mismatch\",\"mismatch\":{\"field\":\"property\"}}\n", 1},
                {"mismatch", "", "{\"status\":\"mismatch\",\"mismatch\":{\"field\":\"mask_q\"}}\n", 0},
                {"crash", "", "", -1},
                /* One that wants a processor and has none has a job's patience: it takes longer than its limit and is no hang. */
                {"hang", "slow", "{\"status\":\"pass\"}\n", 0}};
    char *tool = made_tool();
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const made_job jobs[] = {
            JOB("a", "rf_rr", "random", runs[i].status, .limit = strlen(runs[i].plan) == 4 ? 1 : 300,
                .args = "run\trf_rr\t--param\tN=3",
                .run = strcmp(runs[i].status, "mismatch") == 0 ? "{\"mismatch\":{\"field\":\"property\"}}" : NULL),
            JOB("b", "rf_rr", "mutants", "crash"),
            JOB("c", "rf_rr", "random", "build"),
            {.name = NULL}};
        char *made = ls_format("%s/buckets", folder),
             *expected = runs[i].reproduced < 0 ? ls_copy("NULL") : ls_format("%d", runs[i].reproduced);
        ls_remove_tree(made);
        made_file(directory, "plan", runs[i].plan);
        made_file(directory, "replayed", runs[i].replayed);
        const int64_t id = regression(1, "", jobs);
        triage(id, tool, 5);
        char *words = calls();
        assert_memory_equal(words, "run rf_rr --param N=3 --no-shrink --json --output ", 50);
        assert_null(strchr(strchr(words, '\n') + 1, '\n')); /* once, and the others not at all */
        assert_rows(db, "SELECT reproduced FROM bucket WHERE earliest = 0 AND night = ?", id, expected);
        assert_rows(db, "SELECT count(*) FROM bucket WHERE earliest > 0 AND reproduced IS NOT NULL", 0, "0");
        assert_rows(db, "SELECT counts FROM finding WHERE kind = 'not reproducible' AND night = ?", id,
                    runs[i].reproduced == 0 ? "1" : "");
        free(words);
        free(made);
        free(expected);
    }
    free(tool);
}

/* It may be what coverage takes that failed. */
static void a_job_of_coverage_runs_again_with_coverage(void **state) {
    (void)state;
    static const made_job jobs[] = {JOB("a", "rf_rr", "coverage", "vacuous"), {.name = NULL}};
    char *tool = made_tool(),
         *expected = ls_format("run rf_rr --no-shrink --coverage %s/buckets/rf_rr---vacuous/again/coverage.dat --json"
                               " --output %s/buckets/rf_rr---vacuous/again\n",
                               folder, folder);
    made_file(directory, "plan", "");
    made_file(directory, "replayed", "{\"status\":\"vacuous\"}\n");
    triage(regression(1, "", jobs), tool, 1);
    char *words = calls();
    assert_string_equal(words, expected);
    free(words);
    free(expected);
    free(tool);
}

static void a_tool_that_is_not_there(void **state) {
    (void)state;
    static const made_job jobs[] = {JOB("a", "rf_rr", "random", "crash"), {.name = NULL}};
    const int64_t id = regression(1, "", jobs);
    triage(id, "/nowhere/lockstep", 5);
    assert_rows(db, "SELECT reproduced, note FROM bucket", 0,
                "NULL|second run: cannot run /nowhere/lockstep: No such file or directory");
    assert_int_equal(ls_triage_verdict(db, id), 1);
}

static void assert_begins(const char *file, const char *bytes, size_t count) {
    char *path = ls_format("%s/buckets/rf_rr-mask_q-mismatch/%s", folder, file);
    ls_text text = {0};
    if (ls_text_read(&text, path) != 0 || text.size < count) fail_msg("%s: not there, or too short", path);
    assert_memory_equal(text.data, bytes, count);
    free(text.data);
    free(path);
}

/* The tool itself and a wrong RTL: a case, its shrunk form, waves and a picture; then the RTL is mended, and nothing fails again.
 */
static void a_real_failure(void **state) {
    (void)state;
    const char *const tool = getenv("LOCKSTEP") != NULL ? getenv("LOCKSTEP") : "build/lockstep";
    const char *const from = "(take_i && valid_o) ?", *const to = "(valid_o) ?";
    char *rtl = ls_format("%s/rf_rr.sv", directory), *cases = ls_format("%s/cases", folder), *left = ls_format("%s/0", cases);
    if (access(tool, X_OK) != 0) fail_msg("%s is not built: make all", tool);
    ls_text ours = {0};
    assert_int_equal(ls_text_read(&ours, "rtl/common/rf_rr.sv"), 0);
    const char *at = strstr(ours.data, from);
    assert_non_null(at);
    char *wrong = ls_format("%.*s%s%s", (int)(at - ours.data), ours.data, to, at + strlen(from));
    made_file(directory, "rf_rr.sv", wrong);
    const char *const argv[] = {tool, "run", "rf_rr", "--rtl", rtl, "--no-shrink", "--json", "--output", left, NULL};
    ls_process_result run;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(mkdir(cases, 0777), 0);
    assert_int_equal(ls_process_run(&(ls_process){.argv = argv}, &run), 0);
    assert_int_equal(run.status, 1);
    const made_job jobs[] = {JOB("a", "rf_rr", "random", "mismatch", .run = run.output), {.name = NULL}};
    const int64_t id = regression(1, "", jobs);
    triage(id, tool, 1);
    assert_rows(db, "SELECT name, reproduced, folder, shrunk, waves, view, picture, note FROM bucket", 0,
                "rf_rr mask_q mismatch|1|buckets/rf_rr-mask_q-mismatch|shrunk.case|failure.fst|failure.gtkw|failure.png|");
    assert_rows(db, "SELECT shrunk_cycles BETWEEN 1 AND json_extract(j.record, '$.run.cycles') FROM bucket, job j", 0, "1");
    assert_begins("shrunk.case", "lockstep-case 1\n", 16);
    assert_begins("failure.png", "\x89PNG\r\n", 6);
    assert_begins("failure.fst", "\0", 1);
    assert_begins("failure.gtkw", "[dumpfile]", 10);
    assert_rows(db, AGAIN, id, "");

    char *picture = ls_format("%s/buckets/rf_rr-mask_q-mismatch/failure.png", folder), *buckets = ls_format("%s/buckets", folder);
    assert_int_equal(unlink(picture), 0);
    triage(id, "/nowhere/lockstep", 0); /* only the picture is made anew */
    assert_begins("failure.png", "\x89PNG\r\n", 6);

    ls_remove_tree(buckets);
    made_file(directory, "rf_rr.sv", ours.data);
    triage(id, tool, 1);
    assert_rows(db, "SELECT reproduced, shrunk_cycles, waves, picture FROM bucket", 0, "0|NULL||");
    assert_rows(db, AGAIN, id, "rf_rr mask_q mismatch|1|not reproducible: the replay of its case ends with pass (exit status 0)");
    ls_process_free(&run);
    free(ours.data);
    free(wrong);
    free(rtl);
    free(cases);
    free(left);
    free(picture);
    free(buckets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_step_may_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_gone_is_made_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_case_the_command_runs_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_of_coverage_runs_again_with_coverage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_tool_that_is_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_real_failure, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
