/* SPDX-License-Identifier: Apache-2.0 */
/* The triage of buckets: does the earliest job fail again, with how little, and what does that look like. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/process.h"
#include "harness/base/rng.h"
#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/core/report.h"
#include "harness/history/store.h"
#include "harness/regress/triage.h"
#include "harness/regress/known.h"
#include "harness/regress/regress_folder.h"

#define STEP_SECONDS 900 /* a replay, shrinking, waves: each with what it builds */
#define PICTURE_SECONDS 150
#define TRIES 3u /* of a step that is killed from outside */
#define FOLDER_NAME_MAX 100u

typedef struct look {
    sqlite3 *db;
    int64_t regression;
    const char *folder, *self;
    ls_listed_jobs jobs;
} look;

/* A bucket and what comes of the triage of it. Files are named as in `dir`. */
typedef struct subject {
    char *bucket, *kind, *field, *stimulus;
    int64_t job;
    char *dir;             /* in the regression's folder: "buckets/rf_rr-mask_q-mismatch" */
    bool undone;           /* a step was killed from outside each time: nothing is kept, the next time tries again */
    int reproduced;        /* -1: not tried */
    int64_t shrunk_cycles; /* -1: not shrunk */
    char *shrunk, *waves, *view, *picture; /* NULL: none */
    ls_text note;
    char *no_picture; /* why; NULL: there is one, or nothing to make it of */
} subject;

static void subject_free(subject *s) {
    free(s->bucket);
    free(s->kind);
    free(s->field);
    free(s->stimulus);
    free(s->dir);
    free(s->shrunk);
    free(s->waves);
    free(s->view);
    free(s->picture);
    free(s->note.data);
    free(s->no_picture);
}

static void note(subject *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(subject *s, const char *format, ...) {
    char words[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(words, sizeof words, format, args);
    va_end(args);
    ls_text_add(&s->note, "%s%s", s->note.size > 0 ? "; " : "", words);
}

/* The bucket's name as a folder's: the same in every regression. */
static char *folder_name(const char *bucket) {
    char *name = ls_copy(bucket);
    bool same = true; /* but for blanks */
    for (char *c = name; *c != '\0'; c++) {
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-", *c) != NULL) continue;
        same &= *c == ' ';
        *c = '-';
    }
    char *folder = same && strlen(name) <= FOLDER_NAME_MAX
                       ? ls_format("buckets/%s", name)
                       : ls_format("buckets/%.*s-%08" PRIx64, (int)FOLDER_NAME_MAX, name, ls_seed_derive(0, bucket) >> 32);
    free(name);
    return folder;
}

/* A value of a JSON text as text, to be freed; NULL when there is none. */
static char *json_value(sqlite3 *db, const char *json, const char *path) {
    sqlite3_stmt *s = ls_store_query(db, "SELECT CASE WHEN json_valid(?1) THEN json_extract(?1, ?2) END", "tt", json, path);
    const char *value = sqlite3_step(s) == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    char *copy = value != NULL ? ls_copy(value) : NULL;
    (void)sqlite3_finalize(s);
    return copy;
}

/* The last line of a command's output that begins as an object does, or the last that is not empty; to be freed. */
static char *last_line(const char *output, bool object) {
    char *all = ls_copy(output), *rest = all, *last = NULL;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        if (object ? line[0] == '{' : line[strspn(line, " \t")] != '\0') last = line;
    char *copy = ls_copy(last != NULL ? last : "");
    free(all);
    return copy;
}

/* Runs a command, with a job's patience, again when it is killed from outside; 0 with its result, or -1 with the reason in the
 * note. */
static int run(subject *s, const char *what, const ls_args *args, unsigned seconds, ls_process_result *result) {
    const ls_process process = {.argv = (const char *const *)args->list, .timeout_ms = seconds * 1000u, .patience = LS_PATIENCE};
    for (unsigned left = TRIES;; ls_process_free(result)) {
        const int status = ls_process_run(&process, result);
        if (status != 0) {
            note(s, "%s: cannot run %s: %s", what, args->list[0], strerror(-status));
            return status;
        }
        if (!ls_process_killed(result, result->output)) return 0;
        if (--left == 0) break;
    }
    note(s, "%s: killed from outside, %u times", what, (unsigned)TRIES);
    s->undone = true;
    ls_process_free(result);
    return -1;
}

/* That a command did not do its work, and what it said last. */
static void note_failure(subject *s, const char *what, const ls_process_result *result) {
    char how[128];
    char *line = last_line(result->output, false);
    note(s, "%s: %s%s%.300s", what, ls_process_ending(result, how, sizeof how), line[0] != '\0' ? ": " : "", line);
    free(line);
}

/* Compares how it ended with the bucket: reproduced, or how it ended instead. */
static void compare(look *l, subject *s, const char *what, const char *record, const ls_process_result *result,
                    bool limit_is_hang) {
    char how[128];
    char *status = json_value(l->db, record, "$.status"), *field = json_value(l->db, record, "$.mismatch.field");
    char *message = json_value(l->db, record, "$.message");
    if (result->timed_out && limit_is_hang) {
        free(status);
        status = ls_copy("hang");
    } else if (result->signal != 0 && !result->timed_out) {
        free(status);
        status = ls_copy("crash");
    }
    char *bare = ls_bucket_field(field);
    const bool no_answer =
        status == NULL || (result->timed_out && !limit_is_hang) || strcmp(status, "usage") == 0 || strcmp(status, "build") == 0;
    if (no_answer) {
        if (message != NULL) note(s, "%s could not run: %.300s", what, message);
        else note_failure(s, what, result);
    } else {
        s->reproduced = strcmp(status, s->kind) == 0 && (strcmp(s->kind, "mismatch") != 0 || strcmp(bare, s->field) == 0);
        if (s->reproduced == 0)
            note(s, "not reproducible: %s ends with %s%s%s (%s)", what, status, strcmp(status, "mismatch") == 0 ? " in " : "",
                 strcmp(status, "mismatch") == 0 ? bare : "", ls_process_ending(result, how, sizeof how));
    }
    free(status);
    free(field);
    free(bare);
    free(message);
}

/* The case that the job left, to be freed; NULL: none. */
static char *find_case(const look *l, const subject *s) {
    static const char *const names[] = {"failure.case", "replayed.case"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = ls_format("%s/cases/%" PRId64 "/%s", l->folder, s->job, names[i]), *absolute = realpath(path, NULL);
        free(path);
        if (absolute != NULL) return absolute;
    }
    return NULL;
}

static void replay(look *l, subject *s, const char *path, unsigned limit) {
    ls_args args = {0};
    ls_process_result result;
    ls_args_add(&args, "%s", l->self);
    ls_args_add(&args, "replay");
    ls_args_add(&args, "%s", path);
    ls_args_add(&args, "--json");
    ls_args_add(&args, "--output");
    ls_args_add(&args, "%s/%s/again", l->folder, s->dir);
    if (run(s, "replay", &args, STEP_SECONDS + limit, &result) == 0) {
        char *record = last_line(result.output, true);
        compare(l, s, "the replay of its case", record, &result, false);
        free(record);
        ls_process_free(&result);
    }
    ls_remove_tree(args.list[args.count - 1]);
    ls_args_free(&args);
}

/* The job's own command once more, with the same limit: of coverage, with coverage, which may be what failed. */
static void rerun(look *l, subject *s, const ls_listed_job *job) {
    ls_args args = {0};
    ls_process_result result;
    ls_args_add(&args, "%s", l->self);
    for (char *const *a = job->args; *a != NULL; a++) ls_args_add(&args, "%s", *a);
    if (strcmp(job->args[0], "run") == 0) ls_args_add(&args, "--no-shrink");
    if (strcmp(job->stimulus, "coverage") == 0) {
        ls_args_add(&args, "--coverage");
        ls_args_add(&args, "%s/%s/again/coverage.dat", l->folder, s->dir);
    }
    ls_args_add(&args, "--json");
    ls_args_add(&args, "--output");
    ls_args_add(&args, "%s/%s/again", l->folder, s->dir);
    if (run(s, "second run", &args, (unsigned)job->limit, &result) == 0) {
        char *record = last_line(result.output, true);
        compare(l, s, "a second run of its command", record, &result, true);
        free(record);
        ls_process_free(&result);
    }
    ls_remove_tree(args.list[args.count - 1]);
    ls_args_free(&args);
}

/* The shrunk case beside a link to the case itself, which goes again. */
static void shrink(look *l, subject *s, const char *path) {
    ls_args args = {0};
    ls_process_result result;
    char *link = ls_format("%s/%s/failure.case", l->folder, s->dir), *made = ls_format("%s.shrunk", link);
    char *to = ls_format("%s/%s/shrunk.case", l->folder, s->dir);
    ls_args_add(&args, "%s", l->self);
    ls_args_add(&args, "shrink");
    ls_args_add(&args, "%s", link);
    ls_args_add(&args, "--json");
    if (symlink(path, link) != 0) {
        note(s, "not shrunk: %s: %s", link, strerror(errno));
    } else if (run(s, "not shrunk", &args, STEP_SECONDS, &result) == 0) {
        char *record = last_line(result.output, true), *cycles = json_value(l->db, record, "$.cycles");
        char *minimal = json_value(l->db, record, "$.minimal");
        if (result.status >= 0 && result.status <= 1 && cycles != NULL && rename(made, to) == 0) {
            s->shrunk_cycles = strtoll(cycles, NULL, 10);
            s->shrunk = ls_copy("shrunk.case");
            if (minimal == NULL || strcmp(minimal, "1") != 0) note(s, "shrunk as far as the time went, not to the minimum");
        } else {
            note_failure(s, "not shrunk", &result);
        }
        free(record);
        free(cycles);
        free(minimal);
        ls_process_free(&result);
    }
    (void)unlink(link);
    (void)unlink(made);
    free(link);
    free(made);
    free(to);
    ls_args_free(&args);
}

static bool there(const look *l, const subject *s, const char *name) {
    char *path = ls_format("%s/%s/%s", l->folder, s->dir, name);
    const bool found = ls_readable(path);
    free(path);
    return found;
}

static void waves(look *l, subject *s, const char *path) {
    ls_args args = {0};
    ls_process_result result;
    ls_args_add(&args, "%s", l->self);
    ls_args_add(&args, "waves");
    ls_args_add(&args, "%s", path);
    ls_args_add(&args, "--output");
    ls_args_add(&args, "%s/%s", l->folder, s->dir);
    ls_args_add(&args, "--quiet");
    if (run(s, "no waves", &args, STEP_SECONDS, &result) == 0) {
        if (result.status >= 0 && result.status <= 1 && there(l, s, "failure.fst") && there(l, s, "failure.gtkw")) {
            s->waves = ls_copy("failure.fst");
            s->view = ls_copy("failure.gtkw");
        } else {
            note_failure(s, "no waves", &result);
        }
        ls_process_free(&result);
    }
    ls_args_free(&args);
}

/* A picture of the view; tried again each time while there is none, because what it takes may have been installed. */
static void picture(look *l, subject *s) {
    ls_args args = {0};
    ls_process_result result;
    char how[128];
    ls_args_add(&args, "sh");
    ls_args_add(&args, "%s/waves/picture.sh", ls_root());
    ls_args_add(&args, "%s/%s/%s", l->folder, s->dir, s->view);
    ls_args_add(&args, "%s/%s/failure.png", l->folder, s->dir);
    const ls_process process = {.argv = (const char *const *)args.list, .timeout_ms = PICTURE_SECONDS * 1000u};
    const int status = ls_process_run(&process, &result);
    free(s->no_picture);
    s->no_picture = NULL;
    if (status == 0 && ls_process_ok(&result) && there(l, s, "failure.png")) {
        s->picture = ls_copy("failure.png");
    } else if (status == 0) {
        char *line = last_line(result.output, false);
        s->no_picture = ls_format("no picture: %.400s", line[0] != '\0' ? line : ls_process_ending(&result, how, sizeof how));
        free(line);
    } else {
        s->no_picture = ls_format("no picture: %s", strerror(-status));
    }
    ls_process_free(&result);
    ls_args_free(&args);
}

/* All steps, into an empty folder. */
static void triage_bucket(look *l, subject *s) {
    char *dir = ls_format("%s/%s", l->folder, s->dir);
    ls_remove_tree(dir);
    const int made = ls_make_directories(dir);
    const ls_listed_job *job = (size_t)s->job < l->jobs.count ? &l->jobs.list[s->job] : NULL;
    char *path = find_case(l, s);
    if (made != 0) {
        note(s, "not looked into: %s: %s", dir, strerror(-made));
    } else if (path != NULL && strcmp(s->kind, "mismatch") == 0) {
        replay(l, s, path, job != NULL ? (unsigned)job->limit : 0);
        if (s->reproduced == 1) {
            shrink(l, s, path);
            char *shrunk = s->shrunk != NULL ? ls_format("%s/%s/%s", l->folder, s->dir, s->shrunk) : NULL;
            waves(l, s, shrunk != NULL ? shrunk : path);
            free(shrunk);
        }
        if (s->view != NULL) picture(l, s);
    } else if (job != NULL) {
        rerun(l, s, job);
    } else {
        note(s, "not looked into: job %" PRId64 " is not in jobs.tsv", s->job);
    }
    free(path);
    free(dir);
}

static void add_text(ls_text *to, const char *key, const char *value) { ls_json_text(to, key, value != NULL ? value : ""); }

static void add_number(ls_text *to, const char *key, int64_t value) {
    if (value >= 0) ls_json_int(to, key, value);
    else ls_json_raw(to, key, "null");
}

/* triage.json, for the next time. */
static void write_findings(const look *l, subject *s) {
    ls_text t = {0};
    ls_json_open(&t, NULL, '{');
    ls_json_int(&t, "job", s->job);
    add_text(&t, "bucket", s->bucket);
    add_number(&t, "reproduced", s->reproduced);
    add_number(&t, "shrunk_cycles", s->shrunk_cycles);
    add_text(&t, "shrunk", s->shrunk);
    add_text(&t, "waves", s->waves);
    add_text(&t, "view", s->view);
    add_text(&t, "picture", s->picture);
    add_text(&t, "note", s->note.data);
    add_text(&t, "no_picture", s->no_picture);
    ls_json_close(&t, '{');
    ls_text_put(&t, "\n", 1);
    char *path = ls_format("%s/%s/triage.json", l->folder, s->dir);
    const int status = ls_text_write(&t, path);
    if (status != 0) note(s, "%s: %s", path, strerror(-status));
    free(path);
    free(t.data);
}

/* A file that an earlier triage made and that is there still. False: it made one that is gone. */
static bool recall_file(const look *l, const subject *s, const char *json, const char *path, char **to) {
    *to = json_value(l->db, json, path);
    if (*to != NULL && (*to)[0] != '\0') return there(l, s, *to);
    free(*to);
    *to = NULL;
    return true;
}

/* What an earlier triage of the same bucket and job found; false: there was none, or what it made is gone. */
static bool recall(look *l, subject *s) {
    char *path = ls_format("%s/%s/triage.json", l->folder, s->dir);
    char *old = ls_format("%s/%s/inquiry.json", l->folder, s->dir); /* as the version before called it */
    ls_text text = {0};
    const int status = ls_text_read(&text, ls_readable(path) || !ls_readable(old) ? path : old);
    char *json = ls_text_take(&text);
    char *bucket = status == 0 ? json_value(l->db, json, "$.bucket") : NULL,
         *job = bucket != NULL ? json_value(l->db, json, "$.job") : NULL;
    bool good = bucket != NULL && job != NULL && strcmp(bucket, s->bucket) == 0 && strtoll(job, NULL, 10) == s->job;
    if (good) {
        char *reproduced = json_value(l->db, json, "$.reproduced"), *cycles = json_value(l->db, json, "$.shrunk_cycles");
        char *words = json_value(l->db, json, "$.note");
        s->reproduced = reproduced != NULL ? strcmp(reproduced, "0") != 0 : -1;
        s->shrunk_cycles = cycles != NULL ? strtoll(cycles, NULL, 10) : -1;
        if (words != NULL) ls_text_add(&s->note, "%s", words);
        free(reproduced);
        free(cycles);
        free(words);
        good = recall_file(l, s, json, "$.shrunk", &s->shrunk) && recall_file(l, s, json, "$.waves", &s->waves) &&
               recall_file(l, s, json, "$.view", &s->view);
        if (good && !recall_file(l, s, json, "$.picture", &s->picture)) {
            free(s->picture);
            s->picture = NULL;
        }
    }
    if (good && s->view != NULL && s->picture == NULL) {
        picture(l, s);
        write_findings(l, s);
    }
    free(path);
    free(old);
    free(json);
    free(bucket);
    free(job);
    return good;
}

/* Into the tables; a problem there is told and ends nothing. */
static void store_findings(look *l, subject *s) {
    char error[512];
    if (s->no_picture != NULL) note(s, "%s", s->no_picture);
    char *reproduced = s->reproduced >= 0 ? ls_format("%d", s->reproduced) : NULL;
    char *cycles = s->shrunk_cycles >= 0 ? ls_format("%" PRId64, s->shrunk_cycles) : NULL;
    const char *words = s->note.data != NULL ? s->note.data : "";
    int status = ls_store_do(
        l->db, error, sizeof error,
        "UPDATE bucket SET reproduced = CAST(? AS INTEGER), shrunk_cycles = CAST(? AS INTEGER), folder = ?, shrunk = ?, "
        "waves = ?, view = ?, picture = ?, note = ? WHERE night = ? AND name = ?",
        "ttttttttit", reproduced, cycles, s->dir, s->shrunk != NULL ? s->shrunk : "", s->waves != NULL ? s->waves : "",
        s->view != NULL ? s->view : "", s->picture != NULL ? s->picture : "", words, l->regression, s->bucket);
    if (status == 0 && s->reproduced == 0)
        status = ls_store_do(l->db, error, sizeof error, "INSERT OR REPLACE INTO finding VALUES (?, 'not reproducible', ?, ?, 1)",
                             "itt", l->regression, s->bucket, words);
    if (status != 0) ls_say(stderr, "lockstep: triage of %s: %s\n", s->bucket, error);
    free(reproduced);
    free(cycles);
}

/* The regression's unknown buckets that can be looked into, earliest first. */
static size_t list_subjects(look *l, subject **list) {
    size_t count = 0;
    sqlite3_stmt *s =
        ls_store_query(l->db,
                       "SELECT b.name, b.kind, b.field, j.stimulus, b.earliest FROM bucket b JOIN job j ON j.night = b.night AND "
                       "j.number = b.earliest WHERE b.night = ? AND b.known IS NULL AND b.kind NOT IN ('missed', 'survived', "
                       "'usage', 'build') AND j.stimulus NOT IN ('faults', 'mutants', 'proof') ORDER BY b.earliest, b.name",
                       "i", l->regression);
    *list = NULL;
    while (sqlite3_step(s) == SQLITE_ROW) {
        *list = ls_grow(*list, count, sizeof **list);
        subject *to = &(*list)[count++];
        *to = (subject){.bucket = ls_copy((const char *)sqlite3_column_text(s, 0)),
                        .kind = ls_copy((const char *)sqlite3_column_text(s, 1)),
                        .field = ls_copy((const char *)sqlite3_column_text(s, 2)),
                        .stimulus = ls_copy((const char *)sqlite3_column_text(s, 3)),
                        .job = sqlite3_column_int64(s, 4),
                        .reproduced = -1,
                        .shrunk_cycles = -1};
        to->dir = folder_name(to->bucket);
    }
    (void)sqlite3_finalize(s);
    return count;
}

/* Forgets what a triage found whose files are gone. */
static void start_anew(subject *s) {
    subject fresh = {.bucket = s->bucket,
                     .kind = s->kind,
                     .field = s->field,
                     .stimulus = s->stimulus,
                     .job = s->job,
                     .dir = s->dir,
                     .reproduced = -1,
                     .shrunk_cycles = -1};
    s->bucket = s->kind = s->field = s->stimulus = s->dir = NULL;
    subject_free(s);
    *s = fresh;
}

static void print_bucket(const subject *s) {
    const char *words[] = {"not tried", "not reproducible", "fails again"};
    ls_say(stdout, "triage   %s: %s", s->bucket, words[s->reproduced + 1]);
    if (s->shrunk_cycles >= 0) (void)printf(", shrunk to %" PRId64 " cycles", s->shrunk_cycles);
    ls_say(stdout, "%s%s%s%s\n", s->waves != NULL ? ", waves" : "", s->picture != NULL ? ", picture" : "",
           s->note.size > 0 ? "; " : "", s->note.size > 0 ? s->note.data : "");
    (void)fflush(stdout);
}

void ls_triage_look(sqlite3 *db, int64_t regression, const char *folder, const char *self, unsigned most, bool quiet) {
    look l = {.db = db, .regression = regression, .folder = folder, .self = self};
    char error[512];
    unsigned looked = 0;
    if (ls_listed_jobs_read(&l.jobs, folder, error, sizeof error) != 0) {
        ls_say(stderr, "lockstep: no triage: %s\n", error);
        return;
    }
    subject *list;
    const size_t count = list_subjects(&l, &list);
    for (size_t i = 0; i < count; i++) {
        subject *s = &list[i];
        if (!recall(&l, s)) {
            start_anew(s);
            if (looked < most) {
                looked++;
                triage_bucket(&l, s);
                if (!s->undone) write_findings(&l, s);
            } else {
                if (most == 0) note(s, "not looked into");
                else note(s, "not looked into: only %u buckets are in one go", most);
                free(s->dir);
                s->dir = ls_copy("");
            }
            if (!quiet) print_bucket(s);
        }
        store_findings(&l, s);
        subject_free(s);
    }
    free(list);
    ls_listed_jobs_free(&l.jobs);
}
