/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/history/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/history/store_schema.h"

#define BUSY_MS 60000 /* until another process that writes is given up on */

static int64_t number_of(sqlite3 *db, const char *sql, int *status) {
    sqlite3_stmt *s = NULL;
    int64_t n = 0;
    *status = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (*status == SQLITE_OK) *status = sqlite3_step(s);
    if (*status == SQLITE_ROW) {
        n = sqlite3_column_int64(s, 0);
        *status = SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    return n;
}

/* What SQLite says, with what to do about it where that is known. */
static void explain(sqlite3 *db, const char *path, char *error, size_t size) {
    const int code = sqlite3_errcode(db) & 0xff;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        (void)snprintf(error, size, "%s: locked by another process that writes to it; try again when that has ended", path);
    else if (code == SQLITE_FULL) (void)snprintf(error, size, "%s: no space left on the disk; nothing was changed", path);
    else if (code == SQLITE_NOTADB)
        (void)snprintf(error, size, "%s: this is no history of regressions (not an SQLite file)", path);
    else if (code == SQLITE_READONLY) (void)snprintf(error, size, "%s: may not be written", path);
    else if (code == SQLITE_CANTOPEN)
        (void)snprintf(error, size, "%s: cannot be opened or made: %s", path, strerror(sqlite3_system_errno(db)));
    else (void)snprintf(error, size, "%s: %s", path, sqlite3_errmsg(db));
}

static const char *path_of(sqlite3 *db) {
    const char *name = sqlite3_db_filename(db, "main");
    return name != NULL && name[0] != '\0' ? name : "history";
}

/* A view is text: an older history answers as it was told when it was made, and has no newer view. 0, or -1 and a message. */
static int renew_views(sqlite3 *db, char *error, size_t size) {
    int status = 0;
    for (size_t i = 0; i < sizeof ls_store_views / sizeof *ls_store_views && status == 0; i++) {
        const char *name = ls_store_views[i].name, *sql = ls_store_views[i].sql;
        sqlite3_stmt *s = ls_store_query(db, "SELECT 1 FROM sqlite_master WHERE name = ? AND sql = ?", "tt", name, sql);
        const bool same = sqlite3_step(s) == SQLITE_ROW;
        (void)sqlite3_finalize(s);
        if (same) continue;
        if (ls_store_exec(db, "BEGIN IMMEDIATE", error, size) != 0) return -1;
        char *renew = ls_format("DROP VIEW IF EXISTS %s; %s", name, sql);
        status = ls_store_end(db, ls_store_exec(db, renew, error, size), error, size);
        free(renew);
    }
    return status;
}

/* Makes the tables in an empty file; two processes may try at the same time. 0, or -1 and a message. */
static int make_tables(sqlite3 *db, char *error, size_t size) {
    int status = SQLITE_OK;
    if (ls_store_exec(db, "BEGIN IMMEDIATE", error, size) != 0) return -1;
    const bool empty = number_of(db, "SELECT count(*) FROM sqlite_master", &status) == 0;
    char *version = ls_format("PRAGMA user_version = %d", LS_STORE_VERSION);
    const int made = !empty                                                 ? 0
                     : ls_store_exec(db, ls_store_schema, error, size) != 0 ? -1
                                                                            : ls_store_exec(db, version, error, size);
    free(version);
    return ls_store_end(db, made, error, size);
}

/* An open file is a history that can be written; it is made one when it is empty. 0, or -1 and a message. */
static int check(sqlite3 *db, const char *path, char *error, size_t size) {
    int status = SQLITE_OK;
    const int64_t tables = number_of(db, "SELECT count(*) FROM sqlite_master", &status);
    if (status == SQLITE_OK && sqlite3_db_readonly(db, "main") != 0) {
        (void)snprintf(error, size, "%s: may not be written", path);
        return -1;
    }
    if (status == SQLITE_OK && tables == 0 && make_tables(db, error, size) != 0) return -1;
    const int64_t regressions =
        status != SQLITE_OK ? 0 : number_of(db, "SELECT count(*) FROM sqlite_master WHERE name = 'bucket_history'", &status);
    const int64_t version = status != SQLITE_OK ? 0 : number_of(db, "PRAGMA user_version", &status);
    if (status != SQLITE_OK) {
        explain(db, path, error, size);
        return -1;
    }
    if (regressions == 1 && version == LS_STORE_VERSION) return renew_views(db, error, size);
    if (regressions == 0) (void)snprintf(error, size, "%s: this SQLite file is no history of regressions", path);
    else
        (void)snprintf(error, size, "%s: version %" PRId64 " of the history, this lockstep reads and writes version %d", path,
                       version, LS_STORE_VERSION);
    return -1;
}

sqlite3 *ls_store_open(const char *path, char *error, size_t size) {
    sqlite3 *db = NULL;
    char *folder = ls_copy(path), *slash = strrchr(folder, '/');
    int made = 0;
    if (slash != NULL && slash != folder) {
        *slash = '\0';
        made = ls_make_directories(folder);
    }
    if (made != 0) (void)snprintf(error, size, "%s: %s", folder, strerror(-made));
    free(folder);
    if (made != 0) return NULL;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
        if (db == NULL) ls_die("out of memory");
        explain(db, path, error, size);
        (void)sqlite3_close(db);
        return NULL;
    }
    (void)sqlite3_busy_timeout(db, BUSY_MS);
    if (check(db, path, error, size) != 0 || ls_store_exec(db, "PRAGMA foreign_keys = ON", error, size) != 0) {
        (void)sqlite3_close(db);
        return NULL;
    }
    return db;
}

void ls_store_close(sqlite3 *db) { (void)sqlite3_close_v2(db); }

int ls_store_exec(sqlite3 *db, const char *sql, char *error, size_t size) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK) return 0;
    explain(db, path_of(db), error, size);
    return -1;
}

static void bind(sqlite3_stmt *s, const char *types, va_list args) {
    if (sqlite3_bind_parameter_count(s) != (int)strlen(types))
        ls_die("statement with %d parameters and \"%s\": %s", sqlite3_bind_parameter_count(s), types, sqlite3_sql(s));
    for (int i = 0; types[i] != '\0'; i++) {
        int status = SQLITE_MISUSE;
        if (types[i] == 'i') status = sqlite3_bind_int64(s, i + 1, va_arg(args, int64_t));
        else if (types[i] == 'd') status = sqlite3_bind_double(s, i + 1, va_arg(args, double));
        else if (types[i] == 't') status = sqlite3_bind_text(s, i + 1, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
        if (status != SQLITE_OK) ls_die("parameter %d of %s: %s", i + 1, sqlite3_sql(s), sqlite3_errstr(status));
    }
}

sqlite3_stmt *ls_store_query(sqlite3 *db, const char *sql, const char *types, ...) {
    sqlite3_stmt *s = NULL;
    va_list args;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || s == NULL)
        ls_die("%s: %s: %s", path_of(db), sqlite3_errmsg(db), sql);
    va_start(args, types);
    bind(s, types, args);
    va_end(args);
    return s;
}

int ls_store_do(sqlite3 *db, char *error, size_t size, const char *sql, const char *types, ...) {
    sqlite3_stmt *s = NULL;
    int status = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (status == SQLITE_OK) {
        va_list args;
        va_start(args, types);
        bind(s, types, args);
        va_end(args);
        while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        }
    }
    if (status != SQLITE_DONE) explain(db, path_of(db), error, size);
    (void)sqlite3_finalize(s);
    return status == SQLITE_DONE ? 0 : -1;
}

int ls_store_begin(sqlite3 *db, bool *own, char *error, size_t size) {
    *own = sqlite3_get_autocommit(db) != 0;
    return *own ? ls_store_exec(db, "BEGIN IMMEDIATE", error, size) : 0;
}

int ls_store_end(sqlite3 *db, int status, char *error, size_t size) {
    if (status == 0) status = ls_store_exec(db, "COMMIT", error, size);
    /* SQLite may have ended the transaction by itself when the disk was full. */
    if (status != 0 && sqlite3_get_autocommit(db) == 0) (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
