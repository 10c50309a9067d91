/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/regress/regress_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/hash.h"
#include "harness/base/text.h"

enum { NUMBER, TIER, NAME, UNIT, PARAMS, STIMULUS, BLOCK, SEED, LIMIT, ARGS, COLUMNS };

char *ls_regression_json(const char *folder) {
    char *path = ls_format("%s/regression.json", folder), *old = ls_format("%s/night.json", folder);
    const bool is_old = access(path, F_OK) != 0 && access(old, F_OK) == 0;
    free(is_old ? path : old);
    return is_old ? old : path;
}

int ls_regress_text(ls_text *text, const char *path, const char *hint, char *error, size_t size) {
    const int status = ls_text_read(text, path);
    if (status == 0 && (text->size == 0 || memchr(text->data, '\0', text->size) == NULL)) {
        ls_text_put(text, "", 0);
        return 0;
    }
    if (status != 0) (void)snprintf(error, size, "%s: %s%s", path, strerror(-status), status == -ENOENT ? hint : "");
    else (void)snprintf(error, size, "%s: holds a NUL byte, so it is no text", path);
    free(ls_text_take(text));
    return -1;
}

/* Decimal digits alone, from 0 to `max`. */
static bool number(const char *word, int64_t max, int64_t *to) {
    char *end;
    errno = 0;
    *to = strtoll(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0 && *to <= max;
}

/* The line's columns into a job. NULL, or what is wrong with it. */
static const char *job_line(char *line, char **words, int64_t expected, ls_listed_job *job) {
    size_t n = 0;
    for (char *rest = line; rest != NULL;) words[n++] = strsep(&rest, "\t");
    words[n] = NULL;
    if (n < COLUMNS) return "expected at least 10 columns, separated by tabs";
    if (!number(words[NUMBER], LS_LISTED_JOBS_MAX - 1, &job->number) || job->number != expected)
        return "column 1: the jobs must be numbered 0, 1, 2 and so on";
    if (!number(words[TIER], 9, &job->tier) || job->tier < 1) return "column 2: expected a tier, 1 to 9";
    if (!number(words[LIMIT], 10000000, &job->limit) || job->limit < 1)
        return "column 9: expected a limit in seconds, 1 to 10000000";
    if (words[NAME][0] == '\0' || words[STIMULUS][0] == '\0' || words[ARGS][0] == '\0')
        return "name, stimulus and the first argument must not be empty";
    job->name = words[NAME];
    job->unit = words[UNIT];
    job->params = words[PARAMS];
    job->stimulus = words[STIMULUS];
    job->block = words[BLOCK];
    job->seed = words[SEED];
    job->args = words + ARGS;
    return NULL;
}

int ls_listed_jobs_read(ls_listed_jobs *jobs, const char *folder, char *error, size_t size) {
    *jobs = (ls_listed_jobs){0};
    char *path = ls_format("%s/jobs.tsv", folder);
    ls_text text = {0};
    const char *wrong = NULL;
    size_t tabs = 0, lines = 0;
    int status = ls_regress_text(&text, path, ": this is no regression's folder", error, size);
    for (size_t i = 0; i < text.size; i++) {
        tabs += text.data[i] == '\t';
        lines += text.data[i] == '\n';
    }
    jobs->text = ls_text_take(&text);
    jobs->words = ls_alloc(tabs + 2 * lines + 3, sizeof *jobs->words);
    jobs->list = ls_alloc(lines + 1, sizeof *jobs->list);
    char **words = jobs->words, *rest = jobs->text;
    for (char *line; status == 0 && (line = strsep(&rest, "\n")) != NULL && (rest != NULL || line[0] != '\0');) {
        if (rest == NULL) wrong = "the file ends within this line";
        else if (jobs->count >= LS_LISTED_JOBS_MAX) wrong = "too many jobs";
        else wrong = job_line(line, words, (int64_t)jobs->count, &jobs->list[jobs->count]);
        if (wrong != NULL) {
            (void)snprintf(error, size, "%s:%zu: %s", path, jobs->count + 1, wrong);
            status = -1;
        }
        while (*words != NULL) words++;
        words++;
        jobs->count++;
    }
    if (status == 0 && jobs->count == 0) {
        (void)snprintf(error, size, "%s: no job in it", path);
        status = -1;
    }
    free(path);
    if (status != 0) ls_listed_jobs_free(jobs);
    return status;
}

void ls_listed_jobs_free(ls_listed_jobs *jobs) {
    free(jobs->list);
    free(jobs->text);
    free(jobs->words);
    *jobs = (ls_listed_jobs){0};
}

/* ---- checksums ---- */

#define SEAL ",\"sum\":\""

ls_hash ls_record_of(const char *started, const char *fresh, const char *name, char *const *args, size_t count) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, started);
    ls_hash_text(&h, fresh);
    ls_hash_text(&h, name);
    ls_hash_texts(&h, (const char *const *)args, count);
    return h;
}

void ls_seal_json(ls_text *json, ls_hash of) {
    while (json->size > 0 && json->data[json->size - 1] != '}') json->size--;
    json->size--; /* the object's own bracket */
    ls_hash_bytes(&of, json->data, json->size);
    char *sum = ls_hash_end(&of);
    ls_text_add(json, SEAL "%s\"}\n", sum);
    free(sum);
}

bool ls_sealed_json(const char *json, ls_hash of) {
    const char *at = NULL;
    for (const char *next = strstr(json, SEAL); next != NULL; next = strstr(next + 1, SEAL)) at = next;
    if (at == NULL) return false;
    ls_hash_bytes(&of, json, (size_t)(at - json));
    char *sum = ls_hash_end(&of), *expected = ls_format(SEAL "%s\"}\n", sum);
    const bool same = strcmp(at, expected) == 0;
    free(expected);
    free(sum);
    return same;
}
