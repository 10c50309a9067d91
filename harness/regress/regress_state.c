/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a regression's folder: regression.json and records/N.json. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/hash.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/core/report.h"
#include "harness/regress/regress_folder.h"
#include "harness/regress/regress.h"

static int put_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        const ssize_t n = write(fd, data, size);
        if (n < 0 && errno != EINTR) return -errno;
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

/* A new name is on the disk only when its folder is. */
static int sync_folder(const char *path) {
    char *folder = ls_copy(path), *slash = strrchr(folder, '/');
    if (slash != NULL) slash[slash == folder] = '\0';
    const int fd = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = fd < 0 ? -errno : 0;
    if (error == 0 && fsync(fd) != 0 && errno != EINVAL) error = -errno; /* some file systems sync no folder */
    if (fd >= 0) (void)close(fd);
    free(folder);
    return error;
}

int ls_write_durably(const ls_text *text, const char *path, char *error, size_t size) {
    char *target, *temporary;
    const int fd = ls_open_beside(path, &target, &temporary);
    int status = fd < 0 ? fd : 0;
    if (fd >= 0) {
        status = put_all(fd, text->data, text->size);
        if (status == 0 && (fchmod(fd, 0644) != 0 || fsync(fd) != 0)) status = -errno;
        if (close(fd) != 0 && status == 0) status = -errno;
        if (status == 0 && rename(temporary, target) != 0) status = -errno;
        if (status != 0) (void)unlink(temporary);
        else status = sync_folder(target);
        free(target);
        free(temporary);
    }
    if (status == 0) return 0;
    (void)snprintf(error, size, "%s: %s", path, strerror(-status));
    return -1;
}

int ls_json_values(const char *json, const char *const *paths, size_t count, char **values) {
    sqlite3 *db = NULL;
    sqlite3_stmt *valid = NULL, *get = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT json_valid(?1)", -1, &valid, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT json_extract(?1, ?2)", -1, &get, NULL) != SQLITE_OK)
        ls_die("SQLite reads no JSON: %s", sqlite3_errmsg(db));
    (void)sqlite3_bind_text(valid, 1, json, -1, SQLITE_STATIC);
    const bool good = sqlite3_step(valid) == SQLITE_ROW && sqlite3_column_int(valid, 0) == 1;
    for (size_t i = 0; i < count; i++) {
        values[i] = NULL;
        if (!good) continue;
        (void)sqlite3_reset(get);
        (void)sqlite3_bind_text(get, 1, json, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(get, 2, paths[i], -1, SQLITE_STATIC);
        const bool found = sqlite3_step(get) == SQLITE_ROW && sqlite3_column_type(get, 0) != SQLITE_NULL;
        values[i] = found ? ls_copy((const char *)sqlite3_column_text(get, 0)) : NULL;
    }
    (void)sqlite3_finalize(valid);
    (void)sqlite3_finalize(get);
    (void)sqlite3_close(db);
    return good ? 0 : -1;
}

/* ---- regression.json ---- */

/* Texts of regression.json, by name. */
static const struct {
    const char *key, *path;
    size_t offset;
} json_texts[] = {{"plan", "$.plan", offsetof(ls_regress, plan)},
                  {"started", "$.started", offsetof(ls_regress, started)},
                  {"source", "$.source", offsetof(ls_regress, source)},
                  {"fresh", "$.fresh", offsetof(ls_regress, fresh)},
                  {"launch", "$.launch", offsetof(ls_regress, launch)},
                  {"filter", "$.filter", offsetof(ls_regress, filter)},
                  {"directory", "$.directory", offsetof(ls_regress, directory)},
                  {"tool", "$.tool", offsetof(ls_regress, tool)},
                  {"history", "$.history", offsetof(ls_regress, history)},
                  {"program", "$.program", offsetof(ls_regress, program)},
                  {"sources", "$.sources", offsetof(ls_regress, sources)},
                  {"jobs_tsv", "$.jobs_tsv", offsetof(ls_regress, jobs_tsv)},
                  {"tools", "$.tools", offsetof(ls_regress, tools)}}; /* the last one: JSON itself */

enum { JSON_TEXTS = sizeof json_texts / sizeof *json_texts, JSON_NUMBERS = 5 };

static char **text_at(ls_regress *regression, size_t i) { return (char **)(void *)((char *)regression + json_texts[i].offset); }

int ls_regress_write(const ls_regress *regression, char *error, size_t size) {
    ls_text t = {0};
    ls_json_open(&t, NULL, '{');
    ls_json_int(&t, "dirty", regression->dirty);
    ls_json_uint(&t, "width", regression->width);
    ls_json_uint(&t, "retries", regression->retries);
    ls_json_uint(&t, "jobs", regression->jobs);
    ls_json_fixed(&t, "seconds", regression->seconds, 3);
    for (size_t i = 0; i + 1 < JSON_TEXTS; i++)
        ls_json_text(&t, json_texts[i].key, *(char *const *)(const void *)((const char *)regression + json_texts[i].offset));
    ls_json_raw(&t, "tools", regression->tools);
    ls_json_close(&t, '{');
    ls_seal_json(&t, ls_hash_begin());
    char *path = ls_format("%s/regression.json", regression->folder), *old = ls_format("%s/night.json", regression->folder);
    const int status = ls_write_durably(&t, path, error, size);
    if (status == 0) (void)unlink(old); /* as an older version called it: one file says what the regression is */
    free(old);
    free(path);
    free(t.data);
    return status;
}

/* The jobs of a regression, which are those that it began with. 0, or -1 and a message. */
static int read_jobs(const ls_regress *regression, ls_jobs *jobs, char *error, size_t size) {
    char *path = ls_format("%s/jobs.tsv", regression->folder);
    int status = ls_jobs_read(jobs, path, error, size);
    ls_hash h = ls_hash_begin();
    (void)ls_hash_file(&h, path);
    char *now = ls_hash_end(&h);
    if (status == 0 && (jobs->count != regression->jobs || strcmp(now, regression->jobs_tsv) != 0)) {
        if (jobs->count != regression->jobs)
            (void)snprintf(error, size, "%s: %zu jobs, but regression.json says %zu", path, jobs->count, regression->jobs);
        else
            (void)snprintf(error, size,
                           "%s: it was edited: these are not the jobs that the regression began with; begin a new regression",
                           path);
        ls_jobs_free(jobs);
        status = -1;
    }
    free(now);
    free(path);
    return status;
}

/* regression.json. 0; or -1, nothing to free, and a message. */
static int read_regression(ls_regress *regression, const char *folder, char *error, size_t size) {
    const char *paths[JSON_TEXTS + JSON_NUMBERS] = {"$.dirty", "$.width", "$.retries", "$.jobs", "$.seconds"};
    char *values[JSON_TEXTS + JSON_NUMBERS], absolute[PATH_MAX];
    char *path = ls_regression_json(folder);
    ls_text text = {0};
    *regression = (ls_regress){0};
    for (size_t i = 0; i < JSON_TEXTS; i++) paths[JSON_NUMBERS + i] = json_texts[i].path;
    int status = ls_text_read(&text, path);
    if (status == 0 && realpath(folder, absolute) == NULL) status = -errno;
    if (status != 0) {
        (void)snprintf(error, size, "%s: %s: this is no regression's folder", path, strerror(-status));
    } else if (ls_json_values(text.data != NULL ? text.data : "", paths, JSON_TEXTS + JSON_NUMBERS, values) != 0) {
        (void)snprintf(error, size, "%s: no valid JSON", path);
        status = -1;
    } else {
        for (size_t i = 0; i < JSON_TEXTS + JSON_NUMBERS; i++) {
            if (values[i] == NULL && status == 0) {
                (void)snprintf(error, size, "%s: there is no \"%s\"", path, paths[i] + 2);
                status = -1;
            }
            if (i >= JSON_NUMBERS) *text_at(regression, i - JSON_NUMBERS) = values[i];
        }
        if (status == 0) {
            regression->dirty = (int)strtol(values[0], NULL, 10);
            regression->width = (uint32_t)strtoul(values[1], NULL, 10);
            regression->retries = (uint32_t)strtoul(values[2], NULL, 10);
            regression->jobs = (size_t)strtoull(values[3], NULL, 10);
            regression->seconds = strtod(values[4], NULL);
        }
        for (size_t i = 0; i < JSON_NUMBERS; i++) free(values[i]);
        regression->folder = ls_copy(absolute);
        if (status == 0 && !ls_sealed_json(text.data, ls_hash_begin())) {
            (void)snprintf(error, size, "%s: it was cut or edited: its checksum is another one's; begin a new regression", path);
            status = -1;
        }
    }
    free(text.data);
    free(path);
    if (status != 0) ls_regress_free(regression);
    return status != 0 ? -1 : 0;
}

int ls_regress_read(ls_regress *regression, ls_jobs *jobs, const char *folder, char *error, size_t size) {
    *jobs = (ls_jobs){0};
    int status = read_regression(regression, folder, error, size);
    if (status != 0) return status;
    status = read_jobs(regression, jobs, error, size);
    if (status != 0) ls_regress_free(regression);
    return status;
}

/* The job's own line of jobs.tsv. Whether it is as the runner that drew the ticket read it. */
static bool read_own(const char *path, size_t number, const char *ticket, ls_job *job) {
    const char *dot = strrchr(ticket, '.');
    if (dot == NULL || !ls_jobs_read_one(job, path, number)) return false;
    char *mark = ls_job_mark(job);
    const bool same = strcmp(dot + 1, mark) == 0;
    if (!same) ls_job_free(job);
    free(mark);
    return same;
}

int ls_regress_read_job(ls_regress *regression, ls_job *job, const char *folder, size_t number, const char *ticket, char *error,
                        size_t size) {
    ls_jobs jobs = {0};
    *job = (ls_job){0};
    int status = read_regression(regression, folder, error, size);
    if (status != 0) return status;
    char *path = ls_format("%s/jobs.tsv", regression->folder);
    if (!read_own(path, number, ticket, job)) {
        status = read_jobs(regression, &jobs, error, size);
        if (status == 0 && number >= jobs.count) {
            (void)snprintf(error, size, "%s: there is no job %zu, only %zu jobs", path, number, jobs.count);
            status = -1;
        }
        if (status == 0) {
            *job = jobs.list[number];
            jobs.list[number] = (ls_job){0};
        }
        ls_jobs_free(&jobs);
        if (status != 0) ls_regress_free(regression);
    }
    free(path);
    return status;
}

void ls_regress_free(ls_regress *regression) {
    for (size_t i = 0; i < JSON_TEXTS; i++) free(*text_at(regression, i));
    free(regression->folder);
    *regression = (ls_regress){0};
}

/* ---- records ---- */

static ls_hash record_of(const ls_regress *regression, const ls_job *job) {
    return ls_record_of(regression->started, regression->fresh, job->name, job->args.list, job->args.count);
}

int ls_record_write(const ls_regress *regression, const ls_job *job, size_t number, const ls_record *r, char *error,
                    size_t size) {
    ls_text t = {0};
    ls_json_open(&t, NULL, '{');
    ls_json_uint(&t, "job", number);
    ls_json_text(&t, "name", job->name);
    ls_json_uint(&t, "attempt", r->attempt);
    ls_json_bool(&t, "final", r->final);
    ls_json_text(&t, "status", r->status);
    ls_json_text(&t, "message", r->message);
    ls_json_text(&t, "host", r->host);
    ls_json_fixed(&t, "seconds", r->seconds, 3);
    ls_json_text(&t, "command", r->command);
    ls_json_text(&t, "ticket", r->ticket != NULL ? r->ticket : "");
    ls_json_open(&t, "lost", '[');
    if (r->lost[0] != '\0') ls_json_raw(&t, NULL, r->lost);
    ls_json_close(&t, '[');
    ls_json_raw(&t, "run", r->run != NULL ? r->run : "null");
    ls_json_close(&t, '{');
    ls_seal_json(&t, record_of(regression, job));
    char *path = ls_format("%s/records/%zu.json", regression->folder, number);
    const int status = ls_write_durably(&t, path, error, size);
    free(path);
    free(t.data);
    return status;
}

/* A record that is a link, a pipe or the like is nobody's record: nothing is read from it. */
static int read_file(ls_text *text, const char *path) {
    struct stat is;
    if (lstat(path, &is) != 0) return -errno;
    return S_ISREG(is.st_mode) ? ls_text_read(text, path) : -ENOTSUP;
}

int ls_record_read(ls_record *record, const ls_regress *regression, const ls_job *job, size_t number, char *error, size_t size) {
    static const char *const paths[] = {"$.attempt", "$.final",   "$.seconds", "$.status", "$.message",
                                        "$.host",    "$.command", "$.lost",    "$.ticket", "$.run"};
    char *values[sizeof paths / sizeof *paths];
    char *path = ls_format("%s/records/%zu.json", regression->folder, number);
    ls_text text = {0};
    int status = read_file(&text, path);
    *record = (ls_record){0};
    if (status == -ENOENT) {
        status = 1;
    } else if (status == -ENOTSUP) {
        (void)snprintf(error, size, "%s: it is no file", path);
        status = -2;
    } else if (status != 0) {
        (void)snprintf(error, size, "%s: %s", path, strerror(-status));
        status = -1;
    } else if (ls_json_values(text.data != NULL ? text.data : "", paths, sizeof paths / sizeof *paths, values) != 0) {
        (void)snprintf(error, size, "%s: no valid JSON (cut off?)", path);
        status = -2;
    } else {
        if (!ls_sealed_json(text.data, record_of(regression, job))) {
            (void)snprintf(error, size, "%s: its checksum is not that of this job's record: it was edited, or is another one's",
                           path);
            status = -2;
        }
        for (size_t i = 0; i + 1 < sizeof paths / sizeof *paths; i++) {
            if (values[i] != NULL || status != 0) continue;
            (void)snprintf(error, size, "%s: there is no \"%s\"", path, paths[i] + 2);
            status = -2;
        }
        if (status == 0) {
            *record = (ls_record){.attempt = (uint32_t)strtoul(values[0], NULL, 10),
                                  .final = values[1][0] == '1',
                                  .seconds = strtod(values[2], NULL)};
            const size_t n = strlen(values[7]); /* the brackets are ls_record_write's */
            record->lost = n >= 2 ? ls_format("%.*s", (int)n - 2, values[7] + 1) : ls_copy("");
        }
        for (size_t i = 0; i < 3; i++) free(values[i]);
        free(values[7]);
        record->status = values[3];
        record->message = values[4];
        record->host = values[5];
        record->command = values[6];
        record->ticket = values[8];
        record->run = values[9];
        if (status != 0) ls_record_free(record);
    }
    free(text.data);
    free(path);
    return status;
}

void ls_record_free(ls_record *r) {
    free(r->status);
    free(r->message);
    free(r->host);
    free(r->command);
    free(r->lost);
    free(r->run);
    free(r->ticket);
    *r = (ls_record){0};
}

/* ---- places ---- */

const char *ls_self(void) {
    static char self[PATH_MAX];
    if (self[0] != '\0') return self;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) ls_die("/proc/self/exe: %s", strerror(errno));
    self[n] = '\0';
    static const char gone[] = " (deleted)"; /* the system's word for a file that is no longer there */
    const size_t length = strlen(self), tail = sizeof gone - 1;
    if (length > tail && strcmp(self + length - tail, gone) == 0 && access(self, F_OK) != 0) self[length - tail] = '\0';
    return self;
}

const char *ls_streams(void) {
    static char streams[PATH_MAX + 32];
    if (streams[0] != '\0') return streams;
    if (access(ls_root(), W_OK) == 0) (void)snprintf(streams, sizeof streams, "%s/build/streams", ls_root());
    else (void)snprintf(streams, sizeof streams, "%s/streams", ls_cache());
    return streams;
}
