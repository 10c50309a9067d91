/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of the C models through gcov, whose JSON SQLite reads. */
#include <errno.h>
#include <glob.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/core/place.h"
#include "harness/coverage/coverage_points.h"

/* The folder of the unit's model, from its root on; to be freed. */
static char *folder_of(const ls_unit *unit) {
    char *model = ls_unit_part_name(unit, LS_PART_MODEL), *folder = ls_folder_of(model);
    free(model);
    return folder;
}

/* Whether the file lies in the folder of the unit's model, with others of its group. */
static bool is_of_group(const ls_unit *unit, const char *file) {
    char *folder = folder_of(unit);
    const size_t n = strlen(folder);
    const bool inside = strncmp(file, folder, n) == 0 && file[n] == '/';
    free(folder);
    return inside;
}

/* Whether a file of the models can belong to `unit`: in a folder of units, and not another's. */
static bool may_belong(const ls_unit *unit, const char *file) {
    const ls_unit *owner = ls_unit_of_file(file);
    if (owner != NULL) return owner == unit;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++)
        if (((*u)->place == NULL) == (unit->place == NULL) && is_of_group(*u, file)) return true;
    return false;
}

/* Whether a file is the unit's alone: named after it, or a source of its group whose name goes on after the unit's
 * ("rf_wir_init.c"). */
static bool is_own(const ls_unit *unit, const char *file) {
    const ls_unit *owner = ls_unit_of_file(file);
    if (owner != NULL) return owner == unit;
    const char *name = strrchr(file, '/');
    const size_t n = strlen(unit->name), size = strlen(file);
    return name != NULL && strncmp(name + 1, unit->name, n) == 0 && name[1 + n] == '_' && strcmp(file + size - 2, ".c") == 0;
}

/* Adds the points of one document. Functions that were not called count in the unit's own files alone: a file of many serves
 * others too. 0, or -1 and SQLite's message. */
static int take_document(ls_points *points, const ls_unit *unit, sqlite3 *db, const char *json, char *error, size_t size) {
    static const char sql[] =
        "SELECT json_extract(f.value, '$.file'), json_extract(l.value, '$.line_number'), json_extract(l.value, '$.count'),"
        " b.key, json_extract(b.value, '$.count'), (SELECT max(json_extract(n.value, '$.execution_count')) FROM "
        "json_each(f.value, '$.functions') AS n"
        "  WHERE json_extract(n.value, '$.name') = json_extract(l.value, '$.function_name'))"
        " FROM json_each(?1, '$.files') AS f, json_each(f.value, '$.lines') AS l"
        " LEFT JOIN json_each(l.value, '$.branches') AS b";
    sqlite3_stmt *rows = NULL;
    int status = sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    if (status == SQLITE_OK) status = sqlite3_bind_text(rows, 1, json, -1, SQLITE_STATIC);
    while (status == SQLITE_OK || status == SQLITE_ROW) {
        status = sqlite3_step(rows);
        if (status != SQLITE_ROW) break;
        const char *name = (const char *)sqlite3_column_text(rows, 0), *root = ls_unit_root(unit);
        const size_t n = strlen(root);
        char *file = ls_copy(strncmp(name, root, n) == 0 && name[n] == '/' ? name + n + 1 : name);
        ls_point p = {.kind = LS_POINT_MODEL_LINE,
                      .file = file,
                      .line = (uint32_t)sqlite3_column_int64(rows, 1),
                      .index = LS_POINT_WHOLE,
                      .what = (char *)(uintptr_t) "",
                      .text = (char *)(uintptr_t) "",
                      .count = (uint64_t)sqlite3_column_int64(rows, 2)};
        const bool branch = sqlite3_column_type(rows, 3) != SQLITE_NULL, first = !branch || sqlite3_column_int(rows, 3) == 0;
        if (may_belong(unit, file) && (is_own(unit, file) || sqlite3_column_int64(rows, 5) != 0)) {
            if (first) ls_points_add(points, &p);
            p.kind = LS_POINT_MODEL_BRANCH;
            p.what = (char *)(uintptr_t) "branch";
            p.index = (uint32_t)sqlite3_column_int64(rows, 3);
            p.count = (uint64_t)sqlite3_column_int64(rows, 4);
            if (branch && is_of_group(unit, file)) ls_points_add(points, &p);
        }
        free(file);
    }
    if (status != SQLITE_DONE) (void)snprintf(error, size, "gcov's output: %s", sqlite3_errmsg(db));
    (void)sqlite3_finalize(rows);
    return status == SQLITE_DONE ? 0 : -1;
}

/* Runs gcov on the counters of one object; its .gcno is linked beside them, where gcov looks for it. */
static int take_object(ls_points *points, const ls_unit *unit, sqlite3 *db, const char *counters, const char *notes, char *error,
                       size_t size) {
    const char *gcov = getenv("GCOV") != NULL ? getenv("GCOV") : "gcov";
    char *beside = ls_format("%.*s.gcno", (int)(strlen(counters) - 5), counters);
    const char *const argv[] = {gcov, "--json-format", "--branch-probabilities", "--stdout", counters, NULL};
    const ls_process process = {.argv = argv, .timeout_ms = 60000};
    ls_process_result result = {0};
    char ending[128];
    int status = symlink(notes, beside) != 0 && errno != EEXIST ? -errno : ls_process_run(&process, &result);
    if (status != 0) (void)snprintf(error, size, "%s: %s", gcov, strerror(-status));
    else if (!ls_process_ok(&result))
        (void)snprintf(error, size, "%s %s: %s: %.300s", gcov, counters, ls_process_ending(&result, ending, sizeof ending),
                       result.output);
    else status = take_document(points, unit, db, result.output, error, size);
    if (status == 0 && !ls_process_ok(&result)) status = -1;
    ls_process_free(&result);
    free(beside);
    return status == 0 ? 0 : -1;
}

int ls_coverage_gcov(ls_points *points, const ls_unit *unit, const char *prefix, const char *objects, char *error, size_t size) {
    char *models = unit->place != NULL ? folder_of(unit) : ls_copy("cmodel/*");
    char *pattern = ls_format("%s/%s/*.gcno", objects, models);
    glob_t found = {0};
    sqlite3 *db = NULL;
    int status = sqlite3_open(":memory:", &db) == SQLITE_OK ? 0 : -1;
    size_t read = 0;
    if (status != 0) (void)snprintf(error, size, "SQLite: %s", sqlite3_errmsg(db));
    const bool some = glob(pattern, 0, NULL, &found) == 0;
    for (size_t i = 0; status == 0 && some && i < found.gl_pathc; i++) {
        const char *notes = found.gl_pathv[i];
        char *source = ls_format("%.*s.c", (int)(strlen(notes + strlen(objects) + 1) - 5), notes + strlen(objects) + 1);
        char *counters = ls_format("%s%.*s.gcda", prefix, (int)(strlen(notes) - 5), notes);
        if (may_belong(unit, source) && access(counters, R_OK) == 0) {
            status = take_object(points, unit, db, counters, notes, error, size);
            read++;
        }
        free(source);
        free(counters);
    }
    if (status == 0 && read == 0) {
        (void)snprintf(error, size, "%s: no counters of objects in %s: was the folder moved since `make gcov-tool`?", prefix,
                       objects);
        status = -1;
    }
    globfree(&found);
    (void)sqlite3_close(db);
    free(pattern);
    free(models);
    return status;
}
