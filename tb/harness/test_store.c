/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/history/store.c and store_import.c: a regression's folder becomes rows, the same ones each time; what is
 * broken is named, and then nothing has changed; files that are no history are refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/history/store_schema.h"
#include "tb/harness/made_regression.h"

static char directory[] = "/tmp/test_store.XXXXXX";
static char *folder, *history;
static sqlite3 *db;
static char error[1024];

static int set_up(void **state) {
    (void)state;
    memcpy(directory + sizeof directory - 7, "XXXXXX", 6);
    if (mkdtemp(directory) == NULL) return 1;
    folder = ls_format("%s/regression", directory);
    history = ls_format("%s/deep/er/history.db", directory);
    error[0] = '\0';
    db = ls_store_open(history, error, sizeof error);
    return db == NULL;
}

static int tear_down(void **state) {
    (void)state;
    ls_store_close(db);
    ls_remove_tree(directory);
    free(folder);
    free(history);
    return 0;
}

#define MUTANTS                                                                                                                  \
    "{\"mutants\":[{\"side\":\"rtl\",\"made\":9,\"killed\":5,\"equivalent\":1,\"survived\":2,\"undecided\":1,\"survivors\":["    \
    "{\"mutant\":\"3\",\"what\":\"$add$4 port Y inverted\"},{\"mutant\":\"8\",\"what\":\"$mux$1 constant\"}]},"                  \
    "{\"side\":\"rtl\",\"params\":\"N=3\",\"made\":3,\"killed\":2,\"equivalent\":0,\"survived\":1,\"undecided\":0,"              \
    "\"survivors\":["                                                                                                            \
    "{\"mutant\":\"3\",\"what\":\"$add$4 port Y inverted\"}]},"                                                                  \
    "{\"side\":\"comparer\",\"made\":2,\"killed\":2,\"equivalent\":0,\"survived\":0,\"undecided\":0,\"survivors\":[]}]}"

static const made_job regression[] = {
    JOB("rf_rr/default/random/fixed.0", "rf_rr", "random", "pass", .block = "fixed",
        .run = "{\"cycles\":100,\"compared_bits\":1700,\"build_seconds\":0.25,\"bins\":{\"idle\":10,\"all \\\"ask\\\"\":3}}"),
    JOB("rf_rr/N=3/random/fixed.0", "rf_rr", "random", "mismatch", .params = "N=3", .block = "fixed",
        .run = "{\"cycles\":50,\"bins\":{\"idle\":5},\"mismatch\":{\"field\":\"mask_q\",\"cycle\":49}}",
        .message = "it is \\u00e4 \\\"word\\\""),
    JOB("rf_bank/default/random/fixed.0", "rf_bank", "random", "crash", .block = "fixed", .open = true),
    JOB("rf_rr/mutants", "rf_rr", "mutants", "survived", .run = MUTANTS,
        .lost = "[{\"attempt\":1,\"host\":\"n2\",\"how\":\"signal 9\"}]"),
    JOB("rf_bank/mutants", "rf_bank", "mutants", "pass",
        .run =
            "{\"bins\":{\"idle\":7},\"mutants\":[{\"side\":\"comparer\",\"made\":3,\"killed\":1,\"equivalent\":2,\"survived\":0,"
            "\"undecided\":0,\"survivors\":[]},{\"side\":\"prover\",\"made\":1,\"killed\":1,\"equivalent\":0,\"survived\":0,"
            "\"undecided\":0,\"survivors\":[]}]}"),
    {.name = NULL}};

static const char everything[] =
    "SELECT 'night', id, plan, started, seconds, source, dirty, tools, fresh, width, jobs, filter, verdict FROM night UNION ALL "
    "SELECT * FROM (SELECT 'job', number, name, unit, params, stimulus, block, status, verdict, cycles, attempts, message, seed "
    "FROM job "
    "ORDER BY night, number)";

static void a_folder_becomes_rows(void **state) {
    (void)state;
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    const int64_t id = ls_store_import(db, folder, error, sizeof error);
    assert_string_equal(error, "");
    assert_int_equal(id, 1);
    assert_rows(
        db, everything, 0,
        "night|1|tb/plans/made.plan|2030-01-31T02:00:00Z|12.5|abc|1|{\"verilator\":\"5.006\"}|00000000000000ff|2|5||incomplete\n"
        "job|0|rf_rr/default/random/fixed.0|rf_rr||random|fixed|pass|pass|100|1||00000000000000a1\n"
        "job|1|rf_rr/N=3/random/fixed.0|rf_rr|N=3|random|fixed|mismatch|fail|50|1|it is \xc3\xa4 \"word\"|00000000000000a1\n"
        "job|2|rf_bank/default/random/fixed.0|rf_bank||random|fixed|crash|open|0|1||00000000000000a1\n"
        "job|3|rf_rr/mutants|rf_rr||mutants||survived|fail|0|2||00000000000000a1\n"
        "job|4|rf_bank/mutants|rf_bank||mutants||pass|pass|0|1||00000000000000a1");
    assert_rows(db, "SELECT compared_bits, build_seconds, seconds, host, command FROM job WHERE number = 0", 0,
                "1700|0.25|1.5|n1|build/lockstep run rf_rr");
    assert_rows(db, "SELECT unit, name, cycles FROM bin ORDER BY 1, 2", 0, "rf_bank|idle|7\nrf_rr|all \"ask\"|3\nrf_rr|idle|15");
    assert_rows(db, "SELECT number, attempt, host, how FROM lost", 0, "3|1|n2|signal 9");
    assert_rows(db, "SELECT unit, side, made, killed, equivalent, survived, undecided FROM mutation ORDER BY 1, 2", 0,
                "|comparer|5|3|2|0|0\n|prover|1|1|0|0|0\nrf_rr|rtl|12|7|1|3|1");
    assert_rows(db, "SELECT unit, side, mutant, what, waived FROM survivor ORDER BY mutant", 0,
                "rf_rr|rtl|3|$add$4 port Y inverted|NULL\nrf_rr|rtl|3 of N=3|$add$4 port Y inverted|NULL\nrf_rr|rtl|8|$mux$1 "
                "constant|NULL");
}

/* The regression keeps its number, and nothing is there twice; what hangs on it goes. */
static void again_is_the_same(void **state) {
    (void)state;
    char *other = ls_format("%s/other", directory);
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    made_regression(other, "2030-02-01T02:00:00Z", "--tier 1", regression);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    assert_int_equal(ls_store_import(db, other, error, sizeof error), 2);
    assert_int_equal(ls_store_exec(db, "INSERT INTO finding VALUES (1, 'failure', 'x', 'y', 1)", error, sizeof error), 0);
    const char *const counts = "SELECT (SELECT count(*) FROM night), (SELECT count(*) FROM job), (SELECT count(*) FROM bin), "
                               "(SELECT count(*) FROM lost), (SELECT count(*) FROM survivor), (SELECT count(*) FROM mutation), "
                               "(SELECT count(*) FROM finding)";
    assert_rows(db, counts, 0, "2|10|6|2|6|6|1");
    made_job better[sizeof regression / sizeof regression[0]];
    memcpy(better, regression, sizeof regression);
    better[2].open = false;
    better[2].status = "pass";
    made_regression(folder, "2030-01-31T02:00:00Z", "", better);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    assert_rows(db, counts, 0, "2|10|6|2|6|6|0");
    assert_rows(db, "SELECT status, verdict FROM job WHERE night = ? AND number = 2", 1, "pass|pass");
    /* by another way to the same folder */
    char *around = ls_format("%s/../regression", other);
    assert_int_equal(ls_store_import(db, around, error, sizeof error), 1);
    /* a folder that was removed and made anew is another regression: the history keeps the first */
    made_regression(folder, "2030-02-02T02:00:00Z", "", regression);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 3);
    assert_rows(db, "SELECT started FROM night WHERE id <> 2 ORDER BY id", 0, "2030-01-31T02:00:00Z\n2030-02-02T02:00:00Z");
    free(around);
    free(other);
}

/* Import fails with these words and leaves all tables as they were. */
static void assert_refused(const char *words) {
    char *before = made_rows(db, everything, 0);
    error[0] = '\0';
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), -1);
    if (strstr(error, words) == NULL) fail_msg("\"%s\" and not \"%s\"", error, words);
    assert_rows(db, everything, 0, before);
    assert_int_equal(sqlite3_get_autocommit(db), 1);
    free(before);
}

#define STARTED "2030-01-31T02:00:00Z"

/* A verdict that was written by hand, a record without a checksum, and one of another job or regression are none. */
static void a_record_is_its_jobs_alone(void **state) {
    (void)state;
    static const char wrong[] = "records/3.json: its checksum is not that of this job's record";
    made_regression(folder, STARTED, "", regression);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    char *path = ls_format("%s/records/3.json", folder), *good = made_record(&regression[3], 3);
    ls_text sealed = {0};
    assert_int_equal(ls_text_read(&sealed, path), 0);
    char *status = strstr(sealed.data, "\"survived\"");
    assert_non_null(status);
    ls_text edited = {0};
    ls_text_add(&edited, "%.*s\"pass\"%s", (int)(status - sealed.data), sealed.data, status + strlen("\"survived\""));
    made_file(folder, "records/3.json", edited.data);
    assert_refused(wrong);
    made_file(folder, "records/3.json", good);
    assert_refused(wrong);
    made_sealed(folder, "2030-02-01T02:00:00Z", &regression[3], 3, good);
    assert_refused(wrong);
    made_job other = regression[3];
    other.args = "run\trf_rr\t--cycles\t1";
    made_sealed(folder, STARTED, &other, 3, good);
    assert_refused(wrong);
    char *elsewhere = ls_format("%s/elsewhere", directory);
    made_file(directory, "elsewhere", sealed.data);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(elsewhere, path), 0);
    assert_refused("records/3.json: it is no file");
    assert_int_equal(unlink(path), 0);
    made_file(folder, "records/3.json", sealed.data);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    free(elsewhere);
    free(path);
    free(good);
    free(sealed.data);
    free(edited.data);
}

static void what_is_broken_is_named(void **state) {
    (void)state;
    made_regression(folder, STARTED, "", regression);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    char *good = made_record(&regression[3], 3), *bad;
    for (size_t n = 0; n + 1 < strlen(good); n++) { /* cut off anywhere */
        bad = ls_format("%.*s", (int)n, good);
        made_file(folder, "records/3.json", bad);
        assert_refused("records/3.json: this is no JSON");
        free(bad);
    }
    static const struct {
        const char *from, *to, *words;
    } spoilt[] = {{"\"final\":true", "\"final\":1", "final is integer, expected true false"},
                  {"\"final\":true,", "", "final is missing"},
                  {"\"status\":\"survived\"", "\"status\":\"fine\"", "no status \"fine\""},
                  {"\"job\":3", "\"job\":2", "the record of job 2, rf_rr/mutants; jobs.tsv has 3, rf_rr/mutants"},
                  {"rf_rr/mutants", "rf_rr/faults", "the record of job 3, rf_rr/faults"},
                  {"\"how\":\"signal 9\"", "\"how\":9", "lost, \"0\": expected attempt, host and how"},
                  {"\"killed\":5", "\"killed\":6", "run.mutants, \"0\": expected as many made as"},
                  {"\"survived\":2,\"undecided\":1", "\"survived\":1,\"undecided\":2", "each survivor with its mutant and what"},
                  {"\"mutant\":\"8\"", "\"mutant\":\"3\"", "that was there already"},
                  {"\"side\":\"rtl\"", "\"side\":\"left\"", "side (rtl, model, comparer, prover)"},
                  {"\"run\":{", "\"run\":{\"bins\":{\"idle\":-1},", "run.bins, \"idle\": expected a number of cycles"},
                  {"\"run\":{", "\"run\":{\"cycles\":\"many\",", "run.cycles is text"},
                  {"\"seconds\":1.5", "\"seconds\":null", "seconds is null"}};
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; i++) {
        const char *at = strstr(good, spoilt[i].from);
        assert_non_null(at);
        bad = ls_format("%.*s%s%s", (int)(at - good), good, spoilt[i].to, at + strlen(spoilt[i].from));
        made_sealed(folder, STARTED, &regression[3], 3, bad);
        assert_refused("records/3.json: ");
        assert_refused(spoilt[i].words);
        free(bad);
    }
    char *path = ls_format("%s/records/3.json", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1); /* one that has not begun is open */
    assert_rows(db, "SELECT status, verdict, message FROM job WHERE number = 3", 0, "crash|open|it has not begun");
    made_sealed(folder, STARTED, &regression[3], 3, good);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    free(path);
    free(good);
}

/* What a compiler says may be long: reports have its beginning, whole characters, and where the rest is. */
static void long_messages_are_cut(void **state) {
    static const struct {
        int length;
        const char *is;
    } cases[] = {{1100, "1100|1"}, {1101, "1031|0"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        ls_text message = {0};
        for (int k = 0; k < cases[i].length; k++) ls_text_add(&message, "ä");
        made_job jobs[] = {JOB("rf_rr/default/random/fixed.0", "rf_rr", "random", "build", .message = message.data),
                           {.name = NULL}};
        char error[512];
        made_regression(folder, "2030-01-01T00:00:00Z", "", jobs);
        const int64_t id = ls_store_import(db, folder, error, sizeof error);
        if (id < 0) fail_msg("%s", error);
        assert_rows(db, "SELECT length(message), message NOT LIKE '%ä… (records/0.json has the rest)' FROM job", 0, cases[i].is);
        free(message.data);
    }
}

static void the_plan_is_checked(void **state) {
    (void)state;
    static const struct {
        const char *tsv, *words;
    } bad[] = {
        {"", "jobs.tsv: no job"},
        {"0\t1\tn\trf_rr\t\trandom\tfixed\t0\t600\trun", "jobs.tsv:1: the file ends within this line"},
        {"0\t1\tn\trf_rr\t\trandom\tfixed\t0\t600\n", "jobs.tsv:1: expected at least 10 columns"},
        {"0\t1\tn\trf_rr\t\trandom\tfixed\t0\t600\trun\n2\t1\tm\trf_rr\t\trandom\tfixed\t0\t600\trun\n", "jobs.tsv:2: column 1"},
        {"0\t0\tn\trf_rr\t\trandom\tfixed\t0\t600\trun\n", "jobs.tsv:1: column 2"},
        {"0\t1\tn\trf_rr\t\trandom\tfixed\t0\t6e2\trun\n", "jobs.tsv:1: column 9"},
        {"0\t1\t\trf_rr\t\trandom\tfixed\t0\t600\trun\n", "jobs.tsv:1: name, stimulus"},
        {"0\t1\tn\trf_rr\t\trandom\tfixed\t0\t600\trun\n", "regression.json: 5 jobs, but jobs.tsv has 1"}};
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        made_file(folder, "jobs.tsv", bad[i].tsv);
        assert_refused(bad[i].words);
    }
    made_file(folder, "regression.json", "{\"plan\":7}");
    assert_refused("regression.json: plan is integer, expected text");
    made_file(folder, "regression.json", "[");
    assert_refused("regression.json: this is no JSON");
    free(folder);
    folder = ls_format("%s/nowhere", directory);
    assert_refused("nowhere: No such file or directory");
}

static void a_folder_of_the_version_before_is_taken(void **state) {
    (void)state;
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    char *now = ls_format("%s/regression.json", folder), *before = ls_format("%s/night.json", folder);
    assert_int_equal(rename(now, before), 0);
    if (ls_store_import(db, folder, error, sizeof error) < 0) fail_msg("%s", error);
    assert_rows(db, "SELECT plan, jobs FROM night", 0, "tb/plans/made.plan|5");
    made_file(folder, "night.json", "[");
    assert_refused("night.json: this is no JSON");
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression); /* of both, the new one */
    if (ls_store_import(db, folder, error, sizeof error) < 0) fail_msg("%s", error);
    free(now);
    free(before);
}

static void refused(const char *path, const char *words) {
    error[0] = '\0';
    assert_null(ls_store_open(path, error, sizeof error));
    if (strstr(error, path) == NULL || strstr(error, words) == NULL) fail_msg("\"%s\" and not \"%s\"", error, words);
}

static void what_is_no_history_is_refused(void **state) {
    (void)state;
    char *path = ls_format("%s/file", directory), *below = ls_format("%s/file/history.db", directory);
    made_file(directory, "file",
              "a text that is long enough to be taken for a page: 0123456789012345678901234567890123456789012345678901234567\n");
    refused(path, "no history of regressions (not an SQLite file)");
    error[0] = '\0';
    assert_null(ls_store_open(below, error, sizeof error));
    assert_non_null(strstr(error, path));
    refused(directory, "cannot be opened or made");
    assert_int_equal(unlink(path), 0);
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "CREATE TABLE t (a)", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(other);
    refused(path, "this SQLite file is no history of regressions");
    assert_int_equal(ls_store_exec(db, "PRAGMA user_version = 99", error, sizeof error), 0);
    refused(history, "version 99 of the history, this lockstep reads and writes version 1");
    free(path);
    free(below);
}

/* A history holds the text of its views: one of an older lockstep gets ours, and keeps its regressions. */
static void older_views_are_made_anew(void **state) {
    (void)state;
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    const char *const sql = "SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY name";
    char *ours = made_rows(db, sql, 0);
    assert_non_null(strstr(ours, "bucket_history"));
    assert_non_null(strstr(ours, "regression"));
    assert_int_equal(
        ls_store_exec(db, "DROP VIEW bucket_history; CREATE VIEW bucket_history AS SELECT 1 AS name; DROP VIEW regression", error,
                      sizeof error),
        0);
    for (int again = 0; again < 2; again++) {
        ls_store_close(db);
        db = ls_store_open(history, error, sizeof error);
        if (db == NULL) fail_msg("%s", error);
        assert_rows(db, sql, 0, ours);
        assert_rows(db, "SELECT count(*) FROM night", 0, "1");
        assert_rows(db, "SELECT id, started FROM regression", 0, "1|2030-01-31T02:00:00Z");
    }
    free(ours);
}

/* Permissions do not hold for root: it is somebody else who tries. */
static void a_file_that_may_not_be_written(void **state) {
    (void)state;
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    ls_store_close(db);
    db = NULL;
    assert_int_equal(chmod(directory, 0755), 0);
    assert_int_equal(chmod(history, 0444), 0);
    (void)fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(9);
        sqlite3 *readonly = ls_store_open(history, error, sizeof error);
        _exit(readonly != NULL ? 8 : strstr(error, "may not be written") != NULL ? 0 : 7);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_locked_history_is_waited_for(void **state) {
    (void)state;
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    sqlite3 *writer = ls_store_open(history, error, sizeof error);
    assert_non_null(writer);
    assert_int_equal(ls_store_exec(writer, "BEGIN EXCLUSIVE", error, sizeof error), 0);
    (void)sqlite3_busy_timeout(db, 20);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), -1);
    assert_non_null(strstr(error, "history.db: locked by another process"));
    /* and for longer than the other one takes */
    (void)sqlite3_busy_timeout(db, 60000);
    assert_int_equal(ls_store_exec(writer, "COMMIT", error, sizeof error), 0);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    ls_store_close(writer);
}

/* Ten processes open a history that is not there yet, and put a regression each into it. */
static void many_at_once(void **state) {
    (void)state;
    enum { WRITERS = 10 };
    pid_t pid[WRITERS];
    char *fresh = ls_format("%s/fresh.db", directory);
    for (int i = 0; i < WRITERS; i++) {
        char *mine = ls_format("%s/regression%d", directory, i);
        made_regression(mine, "2030-01-31T02:00:00Z", "", regression);
        (void)fflush(NULL);
        pid[i] = fork();
        assert_true(pid[i] >= 0);
        if (pid[i] == 0) {
            sqlite3 *own = ls_store_open(fresh, error, sizeof error);
            const bool good = own != NULL && ls_store_import(own, mine, error, sizeof error) > 0;
            if (!good) (void)fprintf(stderr, "%s\n", error);
            _exit(good ? 0 : 1);
        }
        free(mine);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = 0;
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_int_equal(status, 0);
    }
    sqlite3 *all = ls_store_open(fresh, error, sizeof error);
    assert_non_null(all);
    assert_rows(all, "SELECT count(*), max(id), (SELECT count(*) FROM job) FROM night", 0, "10|10|50");
    ls_store_close(all);
    free(fresh);
}

/* The disk is full at any point: an error that says so, and the history is as it was. */
static void a_full_disk(void **state) {
    (void)state;
    made_regression(folder, "2030-01-31T02:00:00Z", "", regression);
    assert_int_equal(ls_store_import(db, folder, error, sizeof error), 1);
    ls_text words = {0};
    for (int i = 0; i < 4000; i++) ls_text_add(&words, "many words ");
    made_job larger[sizeof regression / sizeof regression[0]];
    memcpy(larger, regression, sizeof regression);
    larger[1].message = words.data;
    made_regression(folder, "2030-01-31T02:00:00Z", "", larger);
    char *pages = made_rows(db, "PRAGMA page_count", 0);
    const int now = atoi(pages);
    int refusals = 0;
    for (int more = 0; error[0] != '\0' || refusals == 0; more++) {
        char *limit = ls_format("PRAGMA max_page_count = %d", now + more);
        assert_int_equal(ls_store_exec(db, limit, error, sizeof error), 0);
        free(limit);
        error[0] = '\0';
        if (ls_store_import(db, folder, error, sizeof error) == 1) break;
        refusals++;
        assert_non_null(strstr(error, "no space left on the disk; nothing was changed"));
        assert_int_equal(sqlite3_get_autocommit(db), 1);
        assert_rows(db, "SELECT message FROM job WHERE number = 1", 0, "it is \xc3\xa4 \"word\"");
    }
    assert_true(refusals > 5);
    assert_rows(db, "SELECT length(json_extract(record, '$.message')) FROM job WHERE number = 1", 0, "44000");
    free(pages);
    free(words.data);
}

static void foreign_keys_hold(void **state) {
    (void)state;
    assert_int_equal(ls_store_exec(db, "INSERT INTO finding VALUES (7, 'failure', 'x', 'y', 1)", error, sizeof error), -1);
    assert_non_null(strstr(error, "FOREIGN KEY"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_folder_becomes_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(again_is_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_record_is_its_jobs_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_broken_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_messages_are_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_plan_is_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_of_the_version_before_is_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_history_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(older_views_are_made_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_may_not_be_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_locked_history_is_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(foreign_keys_hold, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
