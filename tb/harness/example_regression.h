/* SPDX-License-Identifier: Apache-2.0 */
/* A made-up history of regressions for the tests of the reports: as large and as varied as a real one, always the same, and with
 * texts that try to break out of whatever they are put into. */
#ifndef EXAMPLE_REGRESSION_H
#define EXAMPLE_REGRESSION_H

#include <assert.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/history/store_schema.h"
#include "harness/base/text.h"

enum { EXAMPLE_REGRESSIONS = 34, EXAMPLE_UNITS = 45 };

#define EXAMPLE_HOSTILE                                                                                                          \
    "<script>alert(1)</script> \"double\" 'single' ]]> <!-- & &amp; \x01\x1b[31m \xff\xfe \xed\xa0\x80 | `tick` *star*\nsecond " \
    "line"

static const char *const example_units[EXAMPLE_UNITS] = {"rf_arbiter",
                                                         "rf_arbiter_steal",
                                                         "rf_bank",
                                                         "rf_banked",
                                                         "rf_ccu",
                                                         "rf_ccu_allocator",
                                                         "rf_ccu_scheduler",
                                                         "rf_crossbar",
                                                         "rf_dispatch",
                                                         "rf_fifo_ctrl",
                                                         "rf_free_list",
                                                         "rf_h3",
                                                         "rf_hash_pipe",
                                                         "rf_lfsr",
                                                         "rf_load_guard",
                                                         "rf_malekeh",
                                                         "rf_ocu",
                                                         "rf_ocu_alloc",
                                                         "rf_older",
                                                         "rf_pending_queue",
                                                         "rf_refcount",
                                                         "rf_rename",
                                                         "rf_result_queue",
                                                         "rf_reuse_buffer",
                                                         "rf_rfree_table",
                                                         "rf_rr",
                                                         "rf_sched_groups",
                                                         "rf_sched_gto",
                                                         "rf_sched_lrr",
                                                         "rf_scoreboard",
                                                         "rf_stage_banks",
                                                         "rf_stage_exec",
                                                         "rf_stage_head",
                                                         "rf_stage_results",
                                                         "rf_steal",
                                                         "rf_steal_reads",
                                                         "rf_steal_scheduler",
                                                         "rf_sthld",
                                                         "rf_unwritten",
                                                         "rf_verify",
                                                         "rf_verify_cache",
                                                         "rf_vsb",
                                                         "rf_wbq",
                                                         "rf_wir",
                                                         "rf_wir_front"};

static const char *const example_sets[] = {"",
                                           "ROWS=1 LANES=1",
                                           "ROWS=3 LANES=32",
                                           "ROWS=8 LANES=5",
                                           "ROWS=1024 LANES=2",
                                           "ROWS=128 LANES=32 PORTS=2",
                                           "WARPS=4 COLLECTORS=2 BANKS=2 REGS=8 LANES=2 ISSUES=1 PORTS=1",
                                           "WARPS=64 COLLECTORS=16",
                                           "BANKS=31 PORTS=2"};

/* Formats as sqlite3_mprintf does (%q, %Q); any error ends the test. */
static void example_sql(sqlite3 *db, const char *format, ...) {
    va_list args;
    char *error = NULL;
    va_start(args, format);
    char *sql = sqlite3_vmprintf(format, args);
    va_end(args);
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK) {
        (void)fprintf(stderr, "%s\n%s\n", error, sql);
        abort();
    }
    sqlite3_free(sql);
}

static sqlite3 *example_open(void) {
    sqlite3 *db = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) abort();
    example_sql(db, "%s", ls_store_schema);
    return db;
}

static int64_t example_regression(sqlite3 *db, const char *plan, const char *folder, const char *started, double seconds,
                                  const char *filter, const char *verdict) {
    example_sql(db,
                "INSERT INTO night (plan, folder, started, seconds, source, dirty, tools, fresh, launch, width, jobs, filter, "
                "verdict) VALUES "
                "(%Q, %Q, %Q, %f, '6863980d1f7c4be1a90c2f0c5ab1c27d39e8a4f1', 0, "
                "'{\"gcc\":\"12.2.0\",\"lockstep\":\"0.1.0\",\"verilator\":\"5.006\",\"yosys\":\"0.23\"}', '9f3c5a7e01d2b468', "
                "'', 2, 0, %Q, %Q)",
                plan, folder, started, seconds, filter, verdict);
    return sqlite3_last_insert_rowid(db);
}

typedef struct example_job {
    const char *unit, *params, *stimulus, *block, *status, *verdict, *bucket, *message, *mismatch;
    int tier, index;
    int64_t cycles;
    double seconds, build_seconds;
} example_job;

static sqlite3_stmt *example_insert; /* of example_add, until example_close */

/* Adds a job and returns its number. */
static int64_t example_add(sqlite3 *db, int64_t regression, const char *folder, const example_job *j) {
    sqlite3_stmt *s = example_insert;
    if (s == NULL) {
        if (sqlite3_prepare_v2(db, "INSERT INTO job VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", -1, &s, NULL) !=
            SQLITE_OK)
            abort();
        example_insert = s;
    }
    sqlite3_stmt *count = NULL;
    if (sqlite3_prepare_v2(db, "SELECT coalesce(max(number), -1) + 1 FROM job WHERE night = ?", -1, &count, NULL) != SQLITE_OK)
        abort();
    (void)sqlite3_bind_int64(count, 1, regression);
    if (sqlite3_step(count) != SQLITE_ROW) abort();
    const int64_t number = sqlite3_column_int64(count, 0);
    (void)sqlite3_finalize(count);

    char *params = ls_copy(j->params);
    for (char *c = params; *c != '\0'; c++)
        if (*c == ' ') *c = ',';
    char *name = ls_format("%s/%s/%s%s%s.%d", j->unit, params[0] != '\0' ? params : "default", j->stimulus,
                           j->block[0] != '\0' ? "/" : "", j->block, j->index);
    /* Instead of the one that passed. */
    example_sql(db, "DELETE FROM job WHERE night = %lld AND name = %Q", (long long)regression, name);
    char *seed = ls_format("%016" PRIx64, (uint64_t)(number + 1) * UINT64_C(0x9e3779b97f4a7c15));
    ls_text command = {0};
    const bool replay = strcmp(j->status, "mismatch") == 0;
    if (replay) ls_text_add(&command, "build/lockstep replay %s/cases/%" PRId64 "/failure.case", folder, number);
    else ls_text_add(&command, "build/lockstep run %s", j->unit);
    for (char *rest = NULL, *p = strtok_r(params, ",", &rest); !replay && p != NULL; p = strtok_r(NULL, ",", &rest))
        ls_text_add(&command, " --param %s", p);
    if (!replay) ls_text_add(&command, " --seed %s --cycles %" PRId64, seed, j->cycles);
    char *record = ls_format("{\"job\":%" PRId64 ",\"final\":true,\"run\":{\"mismatch\":%s}}", number,
                             j->mismatch != NULL ? j->mismatch : "null");
    const char *const texts[] = {name, j->unit, j->params, j->stimulus, j->block};
    (void)sqlite3_bind_int64(s, 1, regression);
    (void)sqlite3_bind_int64(s, 2, number);
    for (int i = 0; i < 5; i++) (void)sqlite3_bind_text(s, 3 + i, texts[i], -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_int(s, 8, j->tier);
    const char *const more[] = {seed, j->status, j->verdict, j->bucket};
    for (int i = 0; i < 4; i++) (void)sqlite3_bind_text(s, 9 + i, more[i], -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_int64(s, 13, j->cycles);
    (void)sqlite3_bind_int64(s, 14, j->cycles * 4096);
    (void)sqlite3_bind_double(s, 15, j->seconds);
    (void)sqlite3_bind_double(s, 16, j->build_seconds);
    (void)sqlite3_bind_text(s, 17, number % 3 == 0 ? "node2" : "node1", -1, SQLITE_STATIC);
    (void)sqlite3_bind_int(s, 18, number % 97 == 5 ? 2 : 1);
    (void)sqlite3_bind_text(s, 19, j->message, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_text(s, 20, command.data, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_text(s, 21, record, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(s) != SQLITE_DONE) {
        (void)fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        abort();
    }
    (void)sqlite3_reset(s);
    free(record);
    free(command.data);
    free(seed);
    free(name);
    free(params);
    return number;
}

/* No more jobs for this history. */
static void example_end(void) {
    (void)sqlite3_finalize(example_insert);
    example_insert = NULL;
}

static void example_close(sqlite3 *db) {
    example_end();
    if (sqlite3_close(db) != SQLITE_OK) abort(); /* a report has forgotten a statement */
}

/* All jobs of a regression that pass: `fresh` fresh seeds of every parameter set. */
static void example_jobs(sqlite3 *db, int64_t regression, const char *folder, int fresh) {
    for (int u = 0; u < EXAMPLE_UNITS; u++) {
        const size_t sets = 1 + (size_t)(u * 7 % 9);
        const bool slow = strstr(example_units[u], "wir") != NULL || strcmp(example_units[u], "rf_malekeh") == 0;
        for (size_t p = 0; p < sets; p++) {
            example_job j = {.unit = example_units[u],
                             .params = example_sets[p],
                             .stimulus = "random",
                             .block = "fixed",
                             .status = "pass",
                             .verdict = "pass",
                             .bucket = "",
                             .message = "",
                             .tier = 1,
                             .cycles = 100000 + 1000 * u,
                             .seconds = 1.2 + (slow ? 5.1 : 0.02 * u),
                             .build_seconds = 1.1};
            (void)example_add(db, regression, folder, &j);
            j.block = "fresh";
            j.tier = 3;
            j.cycles *= p == 0 ? 10 : 3;
            j.seconds = 0.3 + (slow ? 20 : 0.5 + 0.01 * u + 0.03 * (double)regression);
            j.build_seconds = 0.1;
            for (j.index = 0; j.index < fresh; j.index++) (void)example_add(db, regression, folder, &j);
        }
        const example_job faults = {.unit = example_units[u],
                                    .params = "",
                                    .stimulus = "faults",
                                    .block = "",
                                    .status = "pass",
                                    .verdict = "pass",
                                    .bucket = "",
                                    .message = "",
                                    .tier = 2,
                                    .seconds = 8.5 + u};
        (void)example_add(db, regression, folder, &faults);
    }
    static const char *const kernels[] = {"kernel:bfs", "kernel:sgemm", "kernel:hotspot", "trace:rodinia/bfs"};
    for (size_t k = 0; k < 4; k++) {
        const example_job j = {.unit = "rf_wir",
                               .params = "REUSE=0 REGS=64",
                               .stimulus = kernels[k],
                               .block = "",
                               .status = "pass",
                               .verdict = "pass",
                               .bucket = "",
                               .message = "",
                               .tier = 2,
                               .cycles = 2400000 + (int64_t)k * 700000,
                               .seconds = 41.5 + 13 * (double)k,
                               .build_seconds = 2.2};
        (void)example_add(db, regression, folder, &j);
    }
}

static void example_bucket(sqlite3 *db, int64_t regression, const char *unit, const char *field, const char *kind,
                           int64_t earliest) {
    example_sql(db,
                "INSERT INTO bucket SELECT night, bucket, %Q, %Q, %Q, count(*), min(number), max(number),"
                "  (SELECT min(o.number) FROM job o WHERE o.night = j.night AND o.bucket = j.bucket AND o.params <>"
                "    (SELECT params FROM job WHERE night = j.night AND number = %lld)),"
                "  NULL, NULL, NULL, NULL, NULL, '', '', '', '', '', '' FROM job j"
                " WHERE night = %lld AND bucket = '%q %q %q'",
                unit, field, kind, (long long)earliest, (long long)regression, unit, field, kind);
}

/* Failures of every status in the last regression. */
static void example_failures(sqlite3 *db, int64_t regression, const char *folder) {
    static const char mismatch[] =
        "{\"cycle\":4711,\"field\":\"mem_q\",\"rtl_name\":\"u_bank.mem_q\",\"index\":3,\"bits\":32,"
        "\"at\":\"register\",\"rtl\":\"deadbeef\",\"model\":\"deadbeee\",\"xor\":\"00000001\",\"lanes\":1,\"fields\":2}";
    static const struct {
        example_job job;
        const char *field;
    } failures[] = {
        {{.unit = "rf_wir",
          .params = "ROWS=3 LANES=32",
          .status = "mismatch",
          .verdict = "fail",
          .bucket = "rf_wir mem_q mismatch",
          .message = "cycle 4711: mem_q[3] differs, RTL 32'hdeadbeef, model 32'hdeadbeee",
          .mismatch = mismatch,
          .cycles = 4712},
         "mem_q"},
        {{.unit = "rf_wir",
          .params = "ROWS=8 LANES=5",
          .status = "mismatch",
          .verdict = "fail",
          .bucket = "rf_wir mem_q mismatch",
          .message = "cycle 913: mem_q[0] differs, RTL 32'h00000001, model 32'h00000000",
          .mismatch = mismatch,
          .cycles = 914},
         "mem_q"},
        {{.unit = "rf_steal",
          .params = "",
          .status = "mismatch",
          .verdict = "fail",
          .bucket = "rf_steal grant_o mismatch",
          .message = "cycle 88123: grant_o differs, RTL 8'h40, model 8'h00",
          .mismatch = mismatch,
          .cycles = 88124},
         "grant_o"},
        {{.unit = "rf_ccu_allocator",
          .params = "WARPS=64 COLLECTORS=16",
          .status = "mismatch",
          .verdict = "known",
          .bucket = "rf_ccu_allocator rank_q mismatch",
          .message = "cycle 12: rank_q[7] differs",
          .mismatch = mismatch,
          .cycles = 13},
         "rank_q"},
        {{.unit = "rf_verify_cache",
          .params = "ROWS=1024 LANES=2",
          .status = "hang",
          .verdict = "fail",
          .bucket = "rf_verify_cache - hang",
          .message = "over its 600 s",
          .seconds = 600.2},
         "-"},
        {{.unit = "rf_wbq",
          .params = "ROWS=1 LANES=1",
          .status = "crash",
          .verdict = "fail",
          .bucket = "rf_wbq - crash",
          .message = "ended by signal 11 at 0x7ffe12345678",
          .seconds = 0.4},
         "-"},
        {{.unit = "rf_sched_groups",
          .params = "BANKS=31 PORTS=2",
          .status = "build",
          .verdict = "fail",
          .bucket = "rf_sched_groups - build",
          .message = "verilator: rtl/banked/rf_sched_groups.sv:40: WIDTHTRUNC",
          .seconds = 0.8},
         "-"},
        {{.unit = "rf_crossbar",
          .params = "",
          .status = "vacuous",
          .verdict = "fail",
          .bucket = "rf_crossbar - vacuous",
          .message = "no field changed in 100000 cycles",
          .cycles = 100000},
         "-"},
        {{.unit = "rf_lfsr",
          .params = "",
          .status = "missed",
          .verdict = "fail",
          .bucket = "rf_lfsr - missed",
          .message = "planted fault 3 was not caught",
          .cycles = 50000},
         "-"},
        {{.unit = "rf_ocu",
          .params = "",
          .status = "survived",
          .verdict = "fail",
          .bucket = "rf_ocu - survived",
          .message = "2 mutants survived that are not equivalent",
          .cycles = 1000},
         "-"},
        {{.unit = "rf_rr",
          .params = "",
          .status = "usage",
          .verdict = "fail",
          .bucket = "rf_rr - usage",
          .message = "--param N=99: 1 to 64"},
         "-"},
    };
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        if (i == 1) continue; /* of the same bucket as the one before */
        example_job j = failures[i].job;
        j.stimulus = strcmp(j.status, "missed") == 0 ? "faults" : strcmp(j.status, "survived") == 0 ? "mutants" : "random";
        j.block = "fresh";
        j.index = 20 + (int)i;
        j.tier = 3;
        const int64_t number = example_add(db, regression, folder, &j);
        if (i == 0) {
            j = failures[1].job;
            j.stimulus = "random";
            j.block = "fresh";
            j.index = 21;
            j.tier = 3;
            (void)example_add(db, regression, folder, &j);
        }
        example_bucket(db, regression, j.unit, failures[i].field, j.status, number);
        example_sql(
            db,
            "INSERT INTO finding SELECT night, 'failure', name, jobs || CASE WHEN jobs = 1 THEN ' job' ELSE ' jobs' END, %d"
            " FROM bucket WHERE night = %lld AND earliest = %lld",
            strcmp(j.verdict, "fail") == 0, (long long)regression, (long long)number);
    }
    example_sql(db,
                "UPDATE bucket SET shortest = earliest + 1, reproduced = 1, shrunk_cycles = 6, folder = 'buckets/wir', shrunk = "
                "'shrunk.case',"
                " waves = 'failure.fst', view = 'failure.gtkw', picture = 'failure.png' "
                "WHERE night = %lld AND field = 'mem_q'",
                (long long)regression);
    example_sql(db,
                "UPDATE bucket SET reproduced = 0, folder = 'buckets/2', note = 'It passed when it was run again.'"
                " WHERE night = %lld AND field = 'grant_o'",
                (long long)regression);
    example_sql(db,
                "UPDATE bucket SET known = 'ranks of ways that are not valid differ', owner = 'kay', since = '2029-11-02'"
                " WHERE night = %lld AND field = 'rank_q'",
                (long long)regression);
    example_sql(
        db,
        "INSERT INTO finding VALUES (%lld, 'not reproducible', 'rf_steal grant_o mismatch', 'it passed when it was run again', "
        "1),"
        " (%lld, 'unexpected pass', 'rf_sched_gto age_q mismatch', 'known since 2029-12-24 (kay), but it did not appear', 1),"
        " (%lld, 'lost', 'rf_bank/default/random/fresh.1', 'attempt 1 on node2: signal 9', 0)",
        (long long)regression, (long long)regression, (long long)regression);
}

static void example_measures(sqlite3 *db, int64_t regression) {
    static const char *const bins[] = {"write_conflict", "read_conflict", "all_banks_busy", "queue_full", "back_to_back"};
    for (int u = 0; u < EXAMPLE_UNITS; u++) {
        const char *unit = example_units[u];
        const int missed = u % 6 == 4 ? 2 : 0, waived = u % 5 == 2 ? 3 : 0;
        for (int b = 0; b < 5; b++)
            example_sql(db, "INSERT INTO bin VALUES (%lld, %Q, %Q, %d)", (long long)regression, unit, bins[b],
                        b == 3 && u % 9 == 4 ? 0 : 1000 * b + u + 1);
        const int total[] = {40 + u, 900 + 31 * u, 60 + 2 * u, 30 + u};
        const char *const kinds[] = {"line", "toggle", "model line", "model branch"};
        for (int k = 0; k < 4; k++) {
            const int open = missed * (k + 1) + (k == 1 ? u * 5 % 23 : 0);
            example_sql(db, "INSERT INTO coverage VALUES (%lld, %Q, %Q, %d, %d, %d)", (long long)regression, unit, kinds[k],
                        total[k], total[k] - open - waived, waived);
            for (int i = 0; i < open + waived; i++)
                example_sql(db, "INSERT INTO uncovered VALUES (%lld, %Q, %Q, '%q/%q.%s:%d', '%s', %s)", (long long)regression,
                            unit, kinds[k], k < 2 ? "rtl/banked" : "cmodel/banked", unit, k < 2 ? "sv" : "c", 40 + i,
                            k == 1 ? "grant_q[3] 1->0" : "else branch",
                            i >= open ? "'unreachable with these parameters: SLOTS is a constant'" : "NULL");
        }
        const int survived = u % 11 == 6 ? 1 : 0, undecided = u % 13 == 8 ? 1 : 0, equal = u * 3 % 7;
        example_sql(db, "INSERT INTO mutation VALUES (%lld, %Q, 'rtl', 200, %d, %d, %d, %d)", (long long)regression, unit,
                    200 - equal - survived - undecided, equal, survived, undecided);
        if (u % 2 == 0)
            example_sql(db, "INSERT INTO mutation VALUES (%lld, %Q, 'model', 60, 60, 0, 0, 0)", (long long)regression, unit);
        if (survived + undecided > 0)
            example_sql(db, "INSERT INTO survivor VALUES (%lld, %Q, 'rtl', 'm%03d', '$and$%d, port B, bit 0 inverted', %s)",
                        (long long)regression, unit, 17 + u, 400 + u,
                        undecided > 0 ? "NULL"
                        : u % 2 == 0  ? "'only reached with ECC, which is not built'"
                                      : "NULL");
    }
    example_sql(db, "INSERT INTO mutation VALUES (%lld, '', 'comparer', 24, 24, 0, 0, 0)", (long long)regression);
    example_sql(db, "INSERT INTO mutation VALUES (%lld, '', 'prover', 9, 8, 1, 0, 0)", (long long)regression);
    example_sql(
        db, "INSERT INTO lost VALUES (%lld, 5, 1, 'node2', 'signal 9'), (%lld, 102, 1, 'node2', 'no record: the node was lost')",
        (long long)regression, (long long)regression);
}

/* A failure of an earlier regression in a default parameter set, as a bucket of its own with `jobs` jobs. */
static void example_earlier(sqlite3 *db, int64_t regression, const char *folder, const char *unit, const char *field,
                            const char *kind, const char *verdict, int jobs) {
    char *bucket = ls_format("%s %s %s", unit, field, kind);
    int64_t earliest = 0;
    for (int i = 0; i < jobs; i++) {
        const example_job j = {.unit = unit,
                               .params = "",
                               .stimulus = "random",
                               .block = i == 0 ? "fixed" : "fresh",
                               .status = kind,
                               .verdict = verdict,
                               .bucket = bucket,
                               .message = "cycle 9",
                               .tier = 3,
                               .index = i == 0 ? 0 : 90 + i,
                               .cycles = 10};
        const int64_t number = example_add(db, regression, folder, &j);
        if (i == 0) earliest = number;
    }
    example_bucket(db, regression, unit, field, kind, earliest);
    free(bucket);
}

/* A whole history: 34 regressions of one plan with failures that come and go, regressions of another plan among them, and as the
 * last one the regression to be reported, which is in `folder`. Returns its id. */
static int64_t example_history(sqlite3 *db, const char *folder) {
    int64_t regression = 0;
    example_sql(db, "BEGIN");
    for (int i = 0; i < EXAMPLE_REGRESSIONS; i++) {
        const bool last = i == EXAMPLE_REGRESSIONS - 1;
        char *at = ls_format("/tmp/regression-%d", i),
             *started = ls_format("2030-%02d-%02dT02:00:07Z", i < 31 ? 1 : 2, i % 31 + 1);
        const char *where = last ? folder : at;
        regression = example_regression(db, "tb/plans/nightly.plan", where, started, 5400 + 60 * i + (i * 7919 % 600), "",
                                        i == 20 ? "incomplete" : "pass");
        example_jobs(db, regression, where, last ? 5 : 1 + i / 9);
        if (!last && (i % 8 == 3 || (i > 20 && i < 27)))
            example_earlier(db, regression, where, "rf_ccu", "tag_q", "mismatch", "fail", 1 + i % 5);
        if (!last && i > 18) example_earlier(db, regression, where, "rf_sched_gto", "age_q", "mismatch", "known", 1);
        if (!last && i > 28) example_earlier(db, regression, where, "rf_ccu_allocator", "rank_q", "mismatch", "known", 2);
        if (i == EXAMPLE_REGRESSIONS - 2) example_earlier(db, regression, where, "rf_older", "-", "crash", "fail", 1);
        if (i == 11 || i == 12) example_earlier(db, regression, where, "rf_wbq", "-", "crash", "fail", 1);
        example_sql(db,
                    "UPDATE night SET verdict = 'fail' WHERE id = %lld AND verdict = 'pass' AND EXISTS"
                    " (SELECT 1 FROM job WHERE night = id AND verdict = 'fail')",
                    (long long)regression);
        if (i == 11) (void)example_regression(db, "tb/plans/smoke.plan", "/tmp/smoke", "2030-01-12T12:00:00Z", 60, "", "fail");
        if (i == 12)
            (void)example_regression(db, "tb/plans/nightly.plan", "/tmp/part", "2030-01-13T12:00:00Z", 60, "--only rf_ccu*",
                                     "pass");
        free(at);
        free(started);
    }
    example_failures(db, regression, folder);
    example_measures(db, regression);
    example_sql(db, "UPDATE night SET verdict = 'fail' WHERE id = %lld", (long long)regression);
    example_sql(db, "UPDATE night SET jobs = (SELECT count(*) FROM job WHERE night = id); COMMIT");
    return regression;
}

/* A regression that passed and measured nothing, alone in its history. */
static int64_t example_quiet(sqlite3 *db, const char *folder) {
    example_sql(db, "BEGIN");
    const int64_t regression = example_regression(db, "tb/plans/smoke.plan", folder, "2030-01-31T02:00:00Z", 61.5, "", "pass");
    example_jobs(db, regression, folder, 0);
    example_sql(db, "UPDATE night SET jobs = (SELECT count(*) FROM job WHERE night = id); COMMIT");
    return regression;
}

/* A regression in which every text is hostile. */
static int64_t example_hostile(sqlite3 *db, const char *folder) {
    const int64_t regression =
        example_regression(db, "tb/plans/smoke.plan", folder, EXAMPLE_HOSTILE, 61.5, EXAMPLE_HOSTILE, "fail");
    const example_job j = {.unit = EXAMPLE_HOSTILE,
                           .params = EXAMPLE_HOSTILE,
                           .stimulus = EXAMPLE_HOSTILE,
                           .block = EXAMPLE_HOSTILE,
                           .status = "mismatch",
                           .verdict = "fail",
                           .bucket = EXAMPLE_HOSTILE " - mismatch",
                           .message = EXAMPLE_HOSTILE,
                           .mismatch = "{\"field\":\"a\\\"\\\\\\n\xff</script>\"}",
                           .cycles = 12,
                           .seconds = 1};
    const int64_t number = example_add(db, regression, folder, &j);
    example_bucket(db, regression, EXAMPLE_HOSTILE, "-", "mismatch", number);
    example_sql(db,
                "UPDATE bucket SET known = %Q, owner = %Q, since = %Q, folder = %Q, shrunk = %Q, waves = %Q, view = %Q, picture "
                "= %Q, note = %Q",
                EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE,
                EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE);
    example_sql(db,
                "UPDATE bucket SET known = NULL; UPDATE job SET host = %Q, command = %Q, seed = %Q; UPDATE night SET source = "
                "%Q, launch = %Q,"
                " fresh = %Q, dirty = 1, tools = json_object('a<b>\"', '</script><b>')",
                EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE);
    example_sql(db, "INSERT INTO finding VALUES (%lld, 'failure', %Q, %Q, 1), (%lld, %Q, %Q, %Q, 1)", (long long)regression,
                EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, (long long)regression, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE);
    example_sql(db, "INSERT INTO lost VALUES (%lld, 0, 1, %Q, %Q)", (long long)regression, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE);
    example_sql(db, "INSERT INTO bin VALUES (%lld, %Q, %Q, 0)", (long long)regression, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE);
    example_sql(db, "INSERT INTO coverage VALUES (%lld, %Q, 'line', 10, 8, 1)", (long long)regression, EXAMPLE_HOSTILE);
    example_sql(db, "INSERT INTO uncovered VALUES (%lld, %Q, 'line', %Q, 'a', NULL), (%lld, %Q, 'line', %Q, 'b', %Q)",
                (long long)regression, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, (long long)regression, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE,
                EXAMPLE_HOSTILE);
    example_sql(db, "INSERT INTO mutation VALUES (%lld, %Q, 'rtl', 10, 8, 1, 1, 0)", (long long)regression, EXAMPLE_HOSTILE);
    example_sql(db, "INSERT INTO survivor VALUES (%lld, %Q, 'rtl', %Q, %Q, %Q)", (long long)regression, EXAMPLE_HOSTILE,
                EXAMPLE_HOSTILE, EXAMPLE_HOSTILE, EXAMPLE_HOSTILE);
    return regression;
}

#endif
