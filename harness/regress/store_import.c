/* SPDX-License-Identifier: Apache-2.0 */
/* A regression's folder into the history. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/core/report.h"
#include "harness/history/store.h"
#include "harness/regress/regress_folder.h"

/* A member that a file must hold, with the JSON types that it may have; a type "-" means that it may be missing. */
typedef struct member {
    const char *path, *types;
} member;

static const member regression_members[] = {{"$.plan", "text"},
                                            {"$.started", "text"},
                                            {"$.seconds", "integer real"},
                                            {"$.source", "text"},
                                            {"$.dirty", "integer true false"},
                                            {"$.tools", "object"},
                                            {"$.fresh", "text"},
                                            {"$.launch", "text"},
                                            {"$.width", "integer"},
                                            {"$.jobs", "integer"},
                                            {"$.filter", "text"},
                                            {NULL, NULL}};

static const member record_members[] = {{"$.job", "integer"},
                                        {"$.name", "text"},
                                        {"$.attempt", "integer"},
                                        {"$.final", "true false"},
                                        {"$.status", "text"},
                                        {"$.message", "text"},
                                        {"$.host", "text"},
                                        {"$.seconds", "integer real"},
                                        {"$.command", "text"},
                                        {"$.lost", "array -"},
                                        {"$.run", "object null -"},
                                        {"$.run.cycles", "integer -"},
                                        {"$.run.compared_bits", "integer -"},
                                        {"$.run.build_seconds", "integer real -"},
                                        {"$.run.bins", "object -"},
                                        {"$.run.unreachable_bins", "object -"},
                                        {"$.run.mismatch", "object -"},
                                        {"$.run.mismatch.field", "text -"},
                                        {"$.run.mismatch.cycle", "integer -"},
                                        {"$.run.missed", "array -"},
                                        {"$.run.mutants", "array -"},
                                        {NULL, NULL}};

/* Lists inside a record: what each element must be. */
static const struct {
    const char *list, *wrong; /* a condition on the element `e` that makes it wrong */
    const char *expected;
} record_lists[] = {
    {"$.lost",
     "e.type <> 'object' OR coalesce(json_type(e.value, '$.attempt') <> 'integer' OR json_type(e.value, '$.host') <> 'text' OR "
     "json_type(e.value, '$.how') <> 'text', 1)",
     "attempt, host and how"},
    {"$.run.bins", "e.type <> 'integer' OR e.value < 0", "a number of cycles"},
    {"$.run.unreachable_bins", "e.type <> 'text'", "a reason"},
    {"$.run.missed", "e.type <> 'text'", "the name of a fault"},
    {"$.run.mutants",
     "e.type <> 'object' OR coalesce(json_type(e.value, '$.survivors') <> 'array' OR json_extract(e.value, '$.side') NOT IN "
     "('rtl', 'model', 'comparer', 'prover'), 1)",
     "side (rtl, model, comparer, prover), figures and survivors"},
    {"$.run.mutants",
     "coalesce(json_extract(e.value, '$.made') <> json_extract(e.value, '$.killed') + json_extract(e.value, '$.equivalent') + "
     "json_extract(e.value, '$.survived') + json_extract(e.value, '$.undecided'), 1)",
     "as many made as killed, equivalent, survived and undecided together"},
    {"$.run.mutants",
     "json_extract(e.value, '$.survived') <> json_array_length(e.value, '$.survivors') OR EXISTS (SELECT 1 FROM "
     "json_each(e.value, '$.survivors') s WHERE s.type <> 'object' OR coalesce(json_type(s.value, '$.mutant') <> 'text' OR "
     "json_type(s.value, '$.what') <> 'text', 1))",
     "each survivor with its mutant and what"}};

/* The one value, or "" when there is none, to be freed, of a query with the file's text as its parameter. */
static char *query_text(sqlite3 *db, const char *sql, const char *json) {
    sqlite3_stmt *s = ls_store_query(db, sql, "t", json);
    const char *value = sqlite3_step(s) == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    char *copy = ls_copy(value != NULL ? value : "");
    (void)sqlite3_finalize(s);
    return copy;
}

static bool listed(const char *words, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

/* Reads a JSON file whose members are as they should be; NULL and a message when it is not. free() it. */
static char *read_json(sqlite3 *db, const char *path, const char *hint, const member *members, char *error, size_t size) {
    ls_text text = {0}, sql = {0};
    if (ls_regress_text(&text, path, hint, error, size) != 0) return NULL;
    char *json = ls_text_take(&text), *valid = query_text(db, "SELECT json_valid(?)", json);
    bool good = strcmp(valid, "1") == 0;
    free(valid);
    if (!good)
        (void)snprintf(error, size, "%s: this is no JSON (a file that was cut off?)%s", path,
                       hint[0] == '\0' ? "; `regress --resume` runs the job again" : "");
    ls_text_add(&sql, "SELECT ?1");
    for (const member *m = members; m->path != NULL; m++) ls_text_add(&sql, ", json_type(?1, '%s')", m->path);
    sqlite3_stmt *s = good ? ls_store_query(db, sql.data, "t", json) : NULL;
    good = good && sqlite3_step(s) == SQLITE_ROW;
    for (int i = 0; good && members[i].path != NULL; i++) {
        const char *type = (const char *)sqlite3_column_text(s, i + 1);
        if (listed(members[i].types, type != NULL ? type : "-")) continue;
        if (type == NULL) (void)snprintf(error, size, "%s: %s is missing", path, members[i].path + 2);
        else (void)snprintf(error, size, "%s: %s is %s, expected %s", path, members[i].path + 2, type, members[i].types);
        good = false;
    }
    (void)sqlite3_finalize(s);
    free(sql.data);
    if (good) return json;
    free(json);
    return NULL;
}

/* What the members' types do not say. 0, or -1 and a message. */
static int check_record(sqlite3 *db, const char *path, const char *json, const ls_listed_job *job, char *error, size_t size) {
    char *number = query_text(db, "SELECT json_extract(?, '$.job')", json),
         *name = query_text(db, "SELECT json_extract(?, '$.name')", json);
    char *status = query_text(db, "SELECT json_extract(?, '$.status')", json);
    int bad = -1;
    if (strcmp(name, job->name) != 0 || strtoll(number, NULL, 10) != job->number)
        (void)snprintf(error, size, "%s: the record of job %s, %s; jobs.tsv has %" PRId64 ", %s", path, number, name, job->number,
                       job->name);
    else if (!listed("pass mismatch vacuous crash hang usage build missed survived", status))
        (void)snprintf(error, size, "%s: no status \"%s\"", path, status);
    else bad = 0;
    for (size_t i = 0; bad == 0 && i < sizeof record_lists / sizeof record_lists[0]; i++) {
        char *sql = ls_format("SELECT e.key FROM json_each(?, '%s') e WHERE %s", record_lists[i].list, record_lists[i].wrong);
        char *key = query_text(db, sql, json);
        if (key[0] != '\0') {
            (void)snprintf(error, size, "%s: %s, \"%s\": expected %s", path, record_lists[i].list + 2, key,
                           record_lists[i].expected);
            bad = -1;
        }
        free(sql);
        free(key);
    }
    free(number);
    free(name);
    free(status);
    return bad;
}

/* The record of a job that the regression has not come to. */
static char *not_begun(const ls_listed_job *job) {
    ls_text t = {0};
    ls_json_open(&t, NULL, '{');
    ls_json_int(&t, "job", job->number);
    ls_json_text(&t, "name", job->name);
    ls_json_uint(&t, "attempt", 0);
    ls_json_bool(&t, "final", false);
    ls_json_text(&t, "status", "crash");
    ls_json_text(&t, "message", "it has not begun");
    ls_json_text(&t, "host", "");
    ls_json_uint(&t, "seconds", 0);
    ls_json_text(&t, "command", "");
    ls_json_raw(&t, "lost", "[]");
    ls_json_raw(&t, "run", "null");
    ls_json_close(&t, '{');
    return ls_text_take(&t);
}

/* Whether the record is what this job of this regression wrote. 0, or -1 and a message. */
static int check_seal(const char *path, const char *json, const char *began, const char *fresh, const ls_listed_job *job,
                      char *error, size_t size) {
    size_t count = 0;
    while (job->args[count] != NULL) count++;
    if (ls_sealed_json(json, ls_record_of(began, fresh, job->name, job->args, count))) return 0;
    (void)snprintf(
        error, size,
        "%s: its checksum is not that of this job's record: it was edited, or is another one's; `regress --resume` runs the "
        "job again",
        path);
    return -1;
}

/* `began`, `fresh`: of the regression. */
static int import_job(sqlite3 *db, int64_t regression, const char *folder, const char *began, const char *fresh,
                      const ls_listed_job *job, char *error, size_t size) {
    char *path = ls_format("%s/records/%" PRId64 ".json", folder, job->number);
    struct stat is;
    const bool there = lstat(path, &is) == 0 || errno != ENOENT, odd = there && errno != ENOENT && !S_ISREG(is.st_mode);
    char *json = odd ? NULL : there ? read_json(db, path, "", record_members, error, size) : not_begun(job);
    if (odd) (void)snprintf(error, size, "%s: it is no file; `regress --resume` runs the job again", path);
    int status = json != NULL ? check_record(db, path, json, job, error, size) : -1;
    if (status == 0 && there) status = check_seal(path, json, began, fresh, job, error, size);
    if (status == 0)
        status = ls_store_do(
            db, error, size,
            "INSERT INTO job SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, json_extract(?10, '$.status'), "
            "CASE WHEN NOT json_extract(?10, '$.final') THEN 'open' WHEN json_extract(?10, '$.status') = 'pass' THEN 'pass' "
            "ELSE 'fail' END, '', coalesce(json_extract(?10, '$.run.cycles'), 0), "
            "coalesce(json_extract(?10, '$.run.compared_bits'), 0), json_extract(?10, '$.seconds'), "
            "coalesce(json_extract(?10, '$.run.build_seconds'), 0), json_extract(?10, '$.host'), "
            "json_extract(?10, '$.attempt'), "
            /* A compiler's words may be many, and a page of one job hides all others. */
            "CASE WHEN length(json_extract(?10, '$.message')) <= 1100 THEN json_extract(?10, '$.message') "
            "ELSE substr(json_extract(?10, '$.message'), 1, 1000) || '… (records/' || ?2 || '.json has the rest)' END, "
            "json_extract(?10, '$.command'), ?10",
            "iitttttitt", regression, job->number, job->name, job->unit, job->params, job->stimulus, job->block, job->tier,
            job->seed, json);
    if (status == 0)
        status = ls_store_do(db, error, size,
                             "INSERT INTO lost SELECT ?, ?, json_extract(e.value, '$.attempt'), json_extract(e.value, '$.host'), "
                             "json_extract(e.value, '$.how') FROM json_each(?, '$.lost') e",
                             "iit", regression, job->number, json);
    if (status == 0)
        status = ls_store_do(
            db, error, size,
            "INSERT INTO survivor SELECT ?1, CASE WHEN json_extract(m.value, '$.side') IN ('rtl', 'model') THEN ?2 ELSE '' END, "
            "json_extract(m.value, '$.side'), json_extract(s.value, '$.mutant') || "
            "CASE coalesce(json_extract(m.value, '$.params'), '') WHEN '' THEN '' "
            "ELSE ' of ' || json_extract(m.value, '$.params') END, "
            "json_extract(s.value, '$.what'), NULL "
            "FROM json_each(?3, '$.run.mutants') m, json_each(m.value, '$.survivors') s",
            "itt", regression, job->unit, json);
    /* A constraint that does not hold is the record's fault and not the history's. */
    if (status != 0 && (sqlite3_errcode(db) & 0xff) == SQLITE_CONSTRAINT)
        (void)snprintf(error, size, "%s: a job, a lost attempt or a mutant that was there already: %s", path, sqlite3_errmsg(db));
    free(json);
    free(path);
    return status;
}

/* What is summed over the regression's records. */
static int sum_up(sqlite3 *db, int64_t regression, char *error, size_t size) {
    if (ls_store_do(db, error, size,
                    "INSERT INTO bin SELECT j.night, j.unit, e.key, sum(e.value) FROM job j, json_each(j.record, '$.run.bins') e "
                    "WHERE j.night = ? GROUP BY j.unit, e.key",
                    "i", regression) != 0)
        return -1;
    return ls_store_do(
        db, error, size,
        "INSERT INTO mutation SELECT j.night, CASE WHEN json_extract(m.value, '$.side') IN ('rtl', 'model') THEN j.unit ELSE '' "
        "END, "
        "json_extract(m.value, '$.side'), sum(json_extract(m.value, '$.made')), sum(json_extract(m.value, '$.killed')), "
        "sum(json_extract(m.value, '$.equivalent')), sum(json_extract(m.value, '$.survived')), "
        "sum(json_extract(m.value, '$.undecided')) FROM job j, json_each(j.record, '$.run.mutants') m WHERE j.night = ? "
        "GROUP BY 2, 3",
        "i", regression);
}

/* Takes the regression out of the history, if it is there, and puts it in again without its jobs. Its id, or -1 and a message. A
 * folder of the same name that began at another time was another regression: build/ may be removed while the history stays. */
static int64_t import_regression(sqlite3 *db, const char *folder, const char *json, char *error, size_t size) {
    sqlite3_stmt *known = ls_store_query(db, "SELECT id FROM night WHERE folder = ? AND started = json_extract(?, '$.started')",
                                         "tt", folder, json);
    const int64_t id = sqlite3_step(known) == SQLITE_ROW ? sqlite3_column_int64(known, 0) : 0;
    (void)sqlite3_finalize(known);
    if (ls_store_do(db, error, size, "DELETE FROM night WHERE id = ?", "i", id) != 0) return -1;
    const int status = ls_store_do(
        db, error, size,
        "INSERT INTO night SELECT nullif(?1, 0), json_extract(?3, '$.plan'), ?2, json_extract(?3, '$.started'), "
        "json_extract(?3, '$.seconds'), "
        "json_extract(?3, '$.source'), json_extract(?3, '$.dirty'), json_extract(?3, '$.tools'), json_extract(?3, '$.fresh'), "
        "json_extract(?3, '$.launch'), json_extract(?3, '$.width'), json_extract(?3, '$.jobs'), json_extract(?3, '$.filter'), "
        "'incomplete'",
        "itt", id, folder, json);
    return status == 0 ? sqlite3_last_insert_rowid(db) : -1;
}

int64_t ls_store_import(sqlite3 *db, const char *folder, char *error, size_t size) {
    ls_listed_jobs jobs = {0};
    char *absolute = realpath(folder, NULL);
    if (absolute == NULL) {
        (void)snprintf(error, size, "%s: %s", folder, strerror(errno));
        return -1;
    }
    char *path = ls_regression_json(folder);
    int64_t id = -1;
    bool own;
    int status = ls_store_begin(db, &own, error, size);
    const bool begun = status == 0;
    char *json = begun ? read_json(db, path, ": this is no regression's folder", regression_members, error, size) : NULL;
    if (json == NULL) status = -1;
    if (status == 0) status = ls_listed_jobs_read(&jobs, folder, error, size);
    if (status == 0) {
        char *count = query_text(db, "SELECT json_extract(?, '$.jobs')", json);
        if (strtoull(count, NULL, 10) != jobs.count) {
            (void)snprintf(error, size, "%s: %s jobs, but jobs.tsv has %zu", path, count, jobs.count);
            status = -1;
        }
        free(count);
    }
    if (status == 0) {
        id = import_regression(db, absolute, json, error, size);
        status = id >= 0 ? 0 : -1;
    }
    char *began = json != NULL ? query_text(db, "SELECT json_extract(?, '$.started')", json) : NULL;
    char *fresh = json != NULL ? query_text(db, "SELECT json_extract(?, '$.fresh')", json) : NULL;
    for (size_t i = 0; status == 0 && i < jobs.count; i++)
        status = import_job(db, id, folder, began, fresh, &jobs.list[i], error, size);
    free(began);
    free(fresh);
    if (status == 0) status = sum_up(db, id, error, size);
    if (begun && own) status = ls_store_end(db, status, error, size);
    ls_listed_jobs_free(&jobs);
    free(json);
    free(path);
    free(absolute);
    return status == 0 ? id : -1;
}
