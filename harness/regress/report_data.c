/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/regress/report_data.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ls_report_kinds[LS_REPORT_KINDS] = {"line", "toggle", "model line", "model branch"};
const char *const ls_report_sides[LS_REPORT_SIDES] = {"rtl", "model"};

/* The file name of a plan, in SQL: what is left when everything up to the last slash is taken away. */
#define BASE(p) "replace(" p ", rtrim(" p ", replace(" p ", '/', '')), '')"

/* Regressions of the same plan and filter before regression ?1: only these can be compared with it. */
#define SAME(column) column " = (SELECT " column " FROM night WHERE id = ?1)"
#define EARLIER "(started, id) < (SELECT started, id FROM night WHERE id = ?1) AND " SAME("filter") " AND " SAME(BASE("plan"))

static const char *keep_text(ls_report *n, const char *text) {
    n->texts = ls_grow(n->texts, n->text_count, sizeof *n->texts);
    n->texts[n->text_count] = ls_copy(text);
    return n->texts[n->text_count++];
}

/* Column `c`, NULL for SQL's NULL. */
static const char *column(ls_report *n, sqlite3_stmt *s, int c) {
    const char *text = (const char *)sqlite3_column_text(s, c);
    return text != NULL ? keep_text(n, text) : NULL;
}

static const char *word(ls_report *n, sqlite3_stmt *s, int c) {
    const char *text = column(n, s, c);
    return text != NULL ? text : "";
}

static int64_t number_or_none(sqlite3_stmt *s, int c) {
    return sqlite3_column_type(s, c) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, c);
}

/* Grows an array of the regression by one element, which is zero. */
#define APPEND(list, count)                                                                                                      \
    ((list) = ls_grow((list), (count), sizeof *(list)), memset(&(list)[(count)], 0, sizeof *(list)), &(list)[(count)++])

static void take_regression(ls_report *n, sqlite3_stmt *s) {
    n->id = sqlite3_column_int64(s, 0);
    n->plan = word(n, s, 1);
    n->folder = word(n, s, 2);
    n->started = word(n, s, 3);
    n->seconds = sqlite3_column_double(s, 4);
    n->source = word(n, s, 5);
    n->dirty = sqlite3_column_int64(s, 6);
    n->fresh = word(n, s, 7);
    n->launch = word(n, s, 8);
    n->width = sqlite3_column_int64(s, 9);
    n->planned = sqlite3_column_int64(s, 10);
    n->filter = word(n, s, 11);
    n->verdict = word(n, s, 12);
    const char *slash = strrchr(n->plan, '/');
    free(n->title);
    n->title = ls_copy(slash != NULL ? slash + 1 : n->plan);
    char *dot = strrchr(n->title, '.');
    if (dot != NULL && dot != n->title) *dot = '\0';
}

static void take_tool(ls_report *n, sqlite3_stmt *s) {
    const char *name = word(n, s, 0), *version = word(n, s, 1);
    n->tools = ls_grow(n->tools, 2 * n->tool_count, sizeof *n->tools);
    n->tools[2 * n->tool_count] = name;
    n->tools = ls_grow(n->tools, 2 * n->tool_count + 1, sizeof *n->tools);
    n->tools[2 * n->tool_count++ + 1] = version;
}

static void take_job(ls_report *n, sqlite3_stmt *s) {
    ls_report_result *j = APPEND(n->jobs, n->job_count);
    const char **const texts[] = {&j->name,   &j->unit,    &j->params, &j->stimulus, &j->block,   &j->seed,
                                  &j->status, &j->verdict, &j->bucket, &j->host,     &j->message, &j->command};
    for (int i = 0; i < 12; i++) *texts[i] = word(n, s, i);
    j->mismatch = column(n, s, 12);
    j->number = sqlite3_column_int64(s, 13);
    j->tier = sqlite3_column_int64(s, 14);
    j->cycles = sqlite3_column_int64(s, 15);
    j->bits = sqlite3_column_int64(s, 16);
    j->attempts = sqlite3_column_int64(s, 17);
    j->seconds = sqlite3_column_double(s, 18);
    j->build_seconds = sqlite3_column_double(s, 19);
}

static void take_bucket(ls_report *n, sqlite3_stmt *s) {
    ls_report_bucket *b = APPEND(n->buckets, n->bucket_count);
    const char **const texts[] = {&b->name,   &b->unit,  &b->field, &b->kind,    &b->folder,
                                  &b->shrunk, &b->waves, &b->view,  &b->picture, &b->note};
    for (int i = 0; i < 10; i++) *texts[i] = word(n, s, i);
    /* The files lie in the bucket's folder; the reports name them from the regression's. */
    const char **const files[] = {&b->shrunk, &b->waves, &b->view, &b->picture};
    for (int i = 0; i < 4; i++) {
        if ((*files[i])[0] == '\0') continue;
        char *path = ls_format("%s/%s", b->folder, *files[i]);
        *files[i] = keep_text(n, path);
        free(path);
    }
    b->known = column(n, s, 10);
    b->owner = word(n, s, 11);
    b->since = word(n, s, 12);
    int64_t *const numbers[] = {&b->jobs, &b->earliest, &b->shortest, &b->other, &b->reproduced, &b->shrunk_cycles};
    for (int i = 0; i < 6; i++) *numbers[i] = number_or_none(s, 13 + i);
}

static void take_finding(ls_report *n, sqlite3_stmt *s) {
    ls_report_finding *f = APPEND(n->findings, n->finding_count);
    f->kind = word(n, s, 0);
    f->name = word(n, s, 1);
    f->text = word(n, s, 2);
    f->counts = sqlite3_column_int64(s, 3) != 0;
    n->counting += f->counts;
}

static void take_lost(ls_report *n, sqlite3_stmt *s) {
    ls_report_lost *l = APPEND(n->lost, n->lost_count);
    l->name = word(n, s, 0);
    l->attempt = sqlite3_column_int64(s, 1);
    l->host = word(n, s, 2);
    l->how = word(n, s, 3);
}

static void fill_point(ls_report *n, ls_report_point *p, sqlite3_stmt *s) {
    p->unit = word(n, s, 0);
    p->kind = word(n, s, 1);
    p->place = word(n, s, 2);
    p->name = word(n, s, 3);
    p->waived = column(n, s, 4);
}

static void take_point(ls_report *n, sqlite3_stmt *s) { fill_point(n, APPEND(n->points, n->point_count), s); }

static void take_survivor(ls_report *n, sqlite3_stmt *s) { fill_point(n, APPEND(n->survivors, n->survivor_count), s); }

static void take_undecided(ls_report *n, sqlite3_stmt *s) { fill_point(n, APPEND(n->undecided, n->undecided_count), s); }

static ls_report_unit *unit_of(ls_report *n, const char *name) {
    for (size_t i = 0; i < n->unit_count; i++)
        if (strcmp(n->units[i].name, name) == 0) return &n->units[i];
    ls_report_unit *u = APPEND(n->units, n->unit_count);
    u->name = keep_text(n, name);
    return u;
}

static void take_bin(ls_report *n, sqlite3_stmt *s) {
    ls_report_unit *u = unit_of(n, word(n, s, 0));
    u->bins.total++;
    if (sqlite3_column_int64(s, 2) > 0) {
        u->bins.hit++;
        return;
    }
    ls_report_point *p = APPEND(n->idle, n->idle_count);
    *p = (ls_report_point){u->name, "bin", "", word(n, s, 1), NULL};
}

static void take_cover(ls_report *n, sqlite3_stmt *s) {
    ls_report_unit *u = unit_of(n, word(n, s, 0));
    const char *kind = word(n, s, 1);
    for (size_t k = 0; k < LS_REPORT_KINDS; k++)
        if (strcmp(kind, ls_report_kinds[k]) == 0)
            u->cover[k] = (ls_report_cover){sqlite3_column_int64(s, 2), sqlite3_column_int64(s, 3), sqlite3_column_int64(s, 4)};
}

static void take_mutation(ls_report *n, sqlite3_stmt *s) {
    const char *unit = word(n, s, 0), *side = word(n, s, 1);
    const ls_report_mutation m = {sqlite3_column_int64(s, 2), sqlite3_column_int64(s, 3), sqlite3_column_int64(s, 4),
                                  sqlite3_column_int64(s, 5), sqlite3_column_int64(s, 6)};
    for (size_t k = 0; k < LS_MUTANTS_PARTS; k++)
        if (strcmp(side, ls_mutants_part(k)) == 0) n->part[k] = m;
    for (size_t k = 0; k < LS_REPORT_SIDES; k++)
        if (strcmp(side, ls_report_sides[k]) == 0) unit_of(n, unit)->mutation[k] = m;
}

static void take_past(ls_report *n, sqlite3_stmt *s) {
    ls_report_past *p = APPEND(n->past, n->past_count);
    p->id = sqlite3_column_int64(s, 0);
    p->started = word(n, s, 1);
    p->verdict = word(n, s, 2);
    p->seconds = sqlite3_column_double(s, 3);
    int64_t *const numbers[] = {&p->lost, &p->jobs, &p->passed, &p->failed, &p->known, &p->cycles};
    for (int i = 0; i < 6; i++) *numbers[i] = sqlite3_column_int64(s, 4 + i);
    p->run_seconds = sqlite3_column_double(s, 10);
}

static void take_before(ls_report *n, sqlite3_stmt *s) { n->before = sqlite3_column_int64(s, 0); }

static void take_absent(ls_report *n, sqlite3_stmt *s) {
    const char *name = word(n, s, 0);
    n->absent = ls_grow(n->absent, n->absent_count, sizeof *n->absent);
    n->absent[n->absent_count++] = name;
}

/* Rows (bucket, unit, regression in which it was seen, first, last, regressions, fixed in), by bucket. */
static void take_story(ls_report *n, sqlite3_stmt *s) {
    const char *name = word(n, s, 0);
    const int64_t regression = sqlite3_column_int64(s, 2);
    ls_report_story *t = n->story_count > 0 ? &n->stories[n->story_count - 1] : NULL;
    if (t == NULL || strcmp(t->name, name) != 0) {
        t = APPEND(n->stories, n->story_count);
        t->name = name;
        t->unit = word(n, s, 1);
        t->first = sqlite3_column_int64(s, 3);
        t->last = sqlite3_column_int64(s, 4);
        t->regressions = sqlite3_column_int64(s, 5);
        t->fixed = sqlite3_column_int64(s, 6);
    }
    t->now = t->now || regression == n->id;
    t->before = t->before || regression == n->before;
    for (size_t i = 0; i < n->past_count; i++)
        if (n->past[i].id == regression) t->seen[i] = true;
}

/* Every statement's ?1 is the regression. */
static const struct {
    const char *sql;
    void (*take)(ls_report *, sqlite3_stmt *);
    bool history; /* of other regressions, so only wanted with `times` */
} readings[] = {
    {"SELECT id, plan, folder, started, seconds, source, dirty, fresh, launch, width, jobs, filter, verdict FROM night WHERE id "
     "= ?1",
     take_regression, false},
    {"SELECT t.key, t.value FROM night n, json_each(CASE WHEN json_valid(n.tools) THEN n.tools ELSE '{}' END) t WHERE n.id = ?1 "
     "ORDER BY t.key",
     take_tool, false},
    {"SELECT name, unit, params, stimulus, block, seed, status, verdict, bucket, host, message, command,"
     "  CASE WHEN NOT json_valid(record) THEN NULL WHEN json_type(record, '$.run.mismatch') = 'object'"
     "    THEN json_extract(record, '$.run.mismatch') END,"
     "  number, tier, cycles, compared_bits, attempts, seconds, build_seconds FROM job WHERE night = ?1 ORDER BY number",
     take_job, false},
    /* Unknown ones first, in the order of their earliest job. */
    {"SELECT name, unit, field, kind, folder, shrunk, waves, view, picture, note, known, owner, since, jobs, earliest, shortest, "
     "other,"
     "  reproduced, shrunk_cycles FROM bucket WHERE night = ?1 ORDER BY known IS NOT NULL, earliest, name",
     take_bucket, false},
    {"SELECT kind, name, text, counts FROM finding WHERE night = ?1 ORDER BY counts DESC,"
     "  CASE kind WHEN 'failure' THEN 0 WHEN 'not reproducible' THEN 1 WHEN 'unexpected pass' THEN 2 ELSE 3 END, kind,"
     "  (SELECT b.earliest FROM bucket b WHERE b.night = finding.night AND b.name = finding.name), name",
     take_finding, false},
    {"SELECT coalesce(j.name, 'job ' || l.number), l.attempt, l.host, l.how FROM lost l LEFT JOIN job j ON j.night = l.night"
     "  AND j.number = l.number WHERE l.night = ?1 ORDER BY l.number, l.attempt",
     take_lost, true},
    {"SELECT unit, kind, place, name, waived FROM uncovered WHERE night = ?1 ORDER BY unit, kind, place, name", take_point,
     false},
    {"SELECT unit, side, mutant, what, waived FROM survivor WHERE night = ?1 ORDER BY unit, side DESC, mutant", take_survivor,
     false},
    {"SELECT j.unit, json_extract(m.value, '$.side'), json_extract(u.value, '$.mutant'), json_extract(u.value, '$.what'), NULL"
     "  FROM job j, json_each(j.record, '$.run.mutants') m, json_each(m.value, '$.open') u WHERE j.night = ?1 ORDER BY j.number, "
     "2, 3",
     take_undecided, false},
    {"SELECT unit, name, cycles FROM bin WHERE night = ?1 ORDER BY unit, name", take_bin, false},
    {"SELECT unit, kind, total, hit, waived FROM coverage WHERE night = ?1 ORDER BY unit", take_cover, false},
    {"SELECT unit, side, made, killed, equivalent, survived, undecided FROM mutation WHERE night = ?1 ORDER BY unit",
     take_mutation, false},
    {"WITH recent AS (SELECT id, started, verdict, seconds FROM night WHERE id = ?1 OR (" EARLIER
     ") ORDER BY started DESC, id DESC LIMIT 30)"
     "  SELECT n.id, n.started, n.verdict, n.seconds, (SELECT count(*) FROM lost l WHERE l.night = n.id), count(j.number),"
     "  total(j.verdict = 'pass'), total(j.verdict = 'fail'), total(j.verdict = 'known'), total(j.cycles),"
     "  total(CASE WHEN j.cycles > 0 THEN j.seconds - j.build_seconds END)"
     "  FROM recent n LEFT JOIN job j ON j.night = n.id GROUP BY n.id ORDER BY n.started, n.id",
     take_past, true},
    {"SELECT id FROM night WHERE " EARLIER " AND verdict <> 'incomplete' ORDER BY started DESC, id DESC LIMIT 1", take_before,
     true},
    {"SELECT DISTINCT CASE WHEN unit <> '-' AND unit NOT IN (SELECT unit FROM job WHERE night = ?1) THEN unit ELSE name END"
     "  FROM job WHERE night = (SELECT id FROM night WHERE " EARLIER " AND verdict <> 'incomplete'"
     "    ORDER BY started DESC, id DESC LIMIT 1) AND name NOT IN (SELECT name FROM job WHERE night = ?1) ORDER BY 1",
     take_absent, true},
    {"WITH whole AS MATERIALIZED (SELECT * FROM bucket_history)"
     "  SELECT h.name, b.unit, b.night, h.first_seen, h.last_seen, h.nights, h.fixed_in FROM whole h JOIN bucket b ON b.name = "
     "h.name"
     "  JOIN night l ON l.id = h.last_seen ORDER BY l.started DESC, l.id DESC, h.name",
     take_story, true},
};

static int read_rows(ls_report *n, sqlite3 *db, int64_t id, size_t which, char *error, size_t size) {
    sqlite3_stmt *s = NULL;
    int status = sqlite3_prepare_v2(db, readings[which].sql, -1, &s, NULL);
    if (status == SQLITE_OK) {
        (void)sqlite3_bind_int64(s, 1, id);
        for (status = sqlite3_step(s); status == SQLITE_ROW; status = sqlite3_step(s)) readings[which].take(n, s);
    }
    if (status != SQLITE_DONE) (void)snprintf(error, size, "the history, regression %" PRId64 ": %s", id, sqlite3_errmsg(db));
    (void)sqlite3_finalize(s);
    return status == SQLITE_DONE ? 0 : -1;
}

static ls_report_set *set_of(ls_report_unit *u, const char *params) {
    for (size_t i = 0; i < u->set_count; i++)
        if (strcmp(u->sets[i].params, params) == 0) return &u->sets[i];
    ls_report_set *set = APPEND(u->sets, u->set_count);
    set->params = params;
    if (params[0] != '\0' || u->set_count == 1) return set;
    /* The defaults come first. */
    const ls_report_set defaults = *set;
    memmove(u->sets + 1, u->sets, (u->set_count - 1) * sizeof *u->sets);
    u->sets[0] = defaults;
    return u->sets;
}

static void count_jobs(ls_report *n) {
    for (size_t i = 0; i < n->job_count; i++) {
        const ls_report_result *j = &n->jobs[i];
        const bool known = strcmp(j->verdict, "known") == 0, open = strcmp(j->verdict, "open") == 0;
        const bool failed = !known && !open && strcmp(j->verdict, "pass") != 0;
        ls_report_unit *u = unit_of(n, j->unit);
        ls_report_set *set = set_of(u, j->params);
        n->failed += failed;
        n->known += known;
        n->open += open;
        n->passed += !failed && !known && !open;
        n->cycles += j->cycles;
        n->bits += j->bits;
        u->jobs++;
        u->failed += failed;
        u->known += known;
        u->cycles += j->cycles;
        u->bits += j->bits;
        u->seconds += j->seconds;
        u->build_seconds += j->build_seconds;
        if (j->cycles > 0) u->run_seconds += j->seconds - j->build_seconds;
        set->jobs++;
        set->failed += failed;
        set->known += known;
        set->open += open;
        set->cycles += j->cycles;
    }
}

static int by_name(const void *a, const void *b) {
    const ls_report_unit *x = a, *y = b;
    return strcmp(x->name, y->name);
}

int ls_report_read(ls_report *n, sqlite3 *db, int64_t id, bool times, char *error, size_t size) {
    *n = (ls_report){.times = times};
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        if (readings[i].history && !times) continue;
        if (read_rows(n, db, id, i, error, size) != 0) return -1;
        if (n->plan != NULL) continue;
        (void)snprintf(error, size, "the history has no regression %" PRId64, id);
        return -1;
    }
    /* Buckets of other plans, or of long ago. */
    size_t kept = 0;
    for (size_t i = 0; i < n->story_count; i++) {
        const ls_report_story *t = &n->stories[i];
        if (memchr(t->seen, 1, sizeof t->seen) != NULL || t->fixed == id) n->stories[kept++] = *t;
    }
    n->story_count = kept;
    count_jobs(n);
    if (n->unit_count > 0) qsort(n->units, n->unit_count, sizeof *n->units, by_name);
    return 0;
}

void ls_report_free(ls_report *n) {
    for (size_t i = 0; i < n->unit_count; i++) free(n->units[i].sets);
    for (size_t i = 0; i < n->text_count; i++) free(n->texts[i]);
    void *const lists[] = {n->tools, n->jobs,  n->buckets, n->findings, n->lost,   n->points, n->survivors, n->undecided,
                           n->idle,  n->units, n->past,    n->stories,  n->absent, n->texts,  n->title};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) free(lists[i]);
    *n = (ls_report){0};
}

const ls_report_result *ls_report_find(const ls_report *n, int64_t number) {
    for (size_t i = 0; i < n->job_count; i++)
        if (n->jobs[i].number == number) return &n->jobs[i];
    return NULL;
}

static double percent(int64_t part, int64_t of) { return of > 0 ? floor((double)part * 1000 / (double)of) / 10 : -1; }

double ls_report_percent(const ls_report_cover *c) { return percent(c->hit, c->total - c->waived); }

double ls_report_score(const ls_report_mutation *m) { return percent(m->killed, m->made - m->equivalent); }

/* The bytes at `text` that name the regression's folder with one of its own subfolders behind it, 0 for none: the folder's
 * absolute path, or the end of it from any component on. */
static size_t folder_at(const ls_report *n, const char *text) {
    static const char *const inside[] = {"cases/", "buckets/", "logs/", "records/", "coverage/"};
    const char *folder = n->folder;
    while (folder != NULL && folder[0] != '\0') {
        const size_t length = strlen(folder);
        if (strncmp(text, folder, length) == 0) {
            if (folder == n->folder && (text[length] == '/' || text[length] == '\0' || isspace((unsigned char)text[length])))
                return length;
            for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
                if (text[length] == '/' && strncmp(text + length + 1, inside[i], strlen(inside[i])) == 0) return length;
        }
        folder = strchr(folder, '/');
        if (folder != NULL) folder++;
    }
    return 0;
}

char *ls_report_portable(const ls_report *n, const char *text) {
    ls_text out = {0};
    bool begins = true; /* a path may begin here */
    for (const char *c = text; *c != '\0';) {
        const size_t length = begins ? folder_at(n, c) : 0;
        if (length > 0) {
            ls_text_add(&out, "$REGRESSION");
            c += length;
            begins = false;
        } else {
            begins = strchr(" \t\n'\"=:,(", *c) != NULL;
            ls_text_put(&out, c++, 1);
        }
    }
    return ls_text_take(&out);
}

char *ls_report_shown(const ls_report *n, const char *text) { return n->times ? ls_copy(text) : ls_report_portable(n, text); }

char *ls_report_message(const ls_report *n, const ls_report_result *j) {
    static const char *const varies[] = {"crash", "hang", "build"};
    for (size_t i = 0; i < sizeof varies / sizeof varies[0]; i++)
        if (!n->times && strcmp(j->status, varies[i]) == 0) return ls_copy("");
    return ls_report_shown(n, j->message);
}
