/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets, known issues, findings. */
#include "harness/regress/triage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/history/store.h"
#include "harness/regress/triage_sql.h"
#include "harness/regress/known.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* The same in SQL. */
static void bucket_field(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sqlite3_result_text(context, ls_bucket_field((const char *)sqlite3_value_text(values[0])), -1, free);
}

/* SQL's bucket_cell(text): what is mutated, as a field: of "cell NAME, port …" (ls_netlist_what) the name, which a user's RTL may
 * give blanks, else the first word. */
static void bucket_cell(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *from = (const char *)sqlite3_value_text(values[0]);
    if (from == NULL) from = "";
    from += strspn(from, " \t\n");
    const char *const end = strncmp(from, "cell ", 5) == 0 ? strstr(from, ", port ") : NULL;
    if (end != NULL) from += 5;
    char *word = ls_format("%.*s", end != NULL ? (int)(end - from) : (int)strcspn(from, " \t\n"), from);
    for (char *c = word; *c != '\0'; c++)
        if (*c == '[' || *c == ']' || isspace((unsigned char)*c)) *c = '-'; /* a known issue names it, and has none of these */
    sqlite3_result_text(context, word[0] != '\0' ? word : "-", -1, SQLITE_TRANSIENT);
    free(word);
}

/* Runs a statement whose only parameter is the regression. */
static int for_regression(sqlite3 *db, int64_t regression, const char *sql, char *error, size_t size) {
    return ls_store_do(db, error, size, sql, "i", regression);
}

static int sort(sqlite3 *db, int64_t regression, const ls_known_list *known, char *error, size_t size) {
    int status = ls_store_exec(db, ls_triage_tables, error, size);
    for (size_t i = 0; status == 0 && i < COUNT(ls_triage_forget); i++)
        status = for_regression(db, regression, ls_triage_forget[i], error, size);
    for (size_t i = 0; status == 0 && i < known->count; i++) {
        const ls_known *k = &known->list[i];
        status = ls_store_do(db, error, size, "INSERT INTO known_issue VALUES (?, ?, ?, ?, ?, ?)", "tttttt", k->unit, k->field,
                             k->kind, k->owner, k->date, k->reason);
    }
    for (size_t i = 0; status == 0 && i < COUNT(ls_triage_occurrences); i++)
        status = for_regression(db, regression, ls_triage_occurrences[i], error, size);
    if (status == 0) status = ls_store_exec(db, ls_triage_names, error, size);
    for (size_t i = 0; status == 0 && i < COUNT(ls_triage_sorting); i++)
        status = for_regression(db, regression, ls_triage_sorting[i], error, size);
    return status;
}

int ls_triage_sort(sqlite3 *db, int64_t regression, const char *known_path, char *error, size_t size) {
    ls_known_list known;
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    if (sqlite3_create_function(db, "bucket_field", 1, flags, NULL, bucket_field, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "bucket_cell", 1, flags, NULL, bucket_cell, NULL, NULL) != SQLITE_OK)
        ls_die("SQLite: %s", sqlite3_errmsg(db));
    if (ls_known_read(&known, known_path, error, size) != 0) return -1;
    bool own;
    int status = ls_store_begin(db, &own, error, size);
    if (status == 0) {
        status = sort(db, regression, &known, error, size);
        if (own) status = ls_store_end(db, status, error, size);
    }
    ls_known_free(&known);
    return status;
}

int ls_triage_verdict(sqlite3 *db, int64_t regression) {
    static const char *const words[] = {"pass", "fail", "incomplete"};
    sqlite3_stmt *s =
        ls_store_query(db,
                       "SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM job WHERE night = ?1) THEN 2"
                       " WHEN EXISTS (SELECT 1 FROM job WHERE night = ?1 AND NOT json_extract(record, '$.final')) THEN 2"
                       " ELSE EXISTS (SELECT 1 FROM finding WHERE night = ?1 AND counts)"
                       " OR EXISTS (SELECT 1 FROM job WHERE night = ?1 AND verdict NOT IN ('pass', 'known')) END",
                       "i", regression);
    if (sqlite3_step(s) != SQLITE_ROW) ls_die("SQLite: %s", sqlite3_errmsg(db));
    const int verdict = sqlite3_column_int(s, 0);
    (void)sqlite3_finalize(s);
    char error[512];
    if (ls_store_do(db, error, sizeof error, "UPDATE night SET verdict = ? WHERE id = ?", "ti", words[verdict], regression) != 0)
        ls_die("%s", error);
    return verdict;
}
