/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/coverage/coverage.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/progress.h"
#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/coverage/coverage_points.h"
#include "harness/coverage/coverage_waivers.h"
#include "harness/history/store.h"

/* Something that is not covered: one point, or neighbouring bits of a signal. */
typedef struct gap {
    ls_point_kind kind;
    char *place, *name;
    const char *waived; /* the reason, or NULL */
} gap;

/* The coverage of one unit. */
typedef struct tally {
    const ls_unit *unit;
    ls_points points;
    ls_args files; /* that they were read from */
    bool whole;    /* all its jobs ended well and left their coverage */
    size_t total[LS_POINT_KINDS], hit[LS_POINT_KINDS], waived[LS_POINT_KINDS];
    gap *gaps;
    size_t gap_count;
} tally;

typedef struct tallies {
    tally *list;
    size_t count;
    ls_args lost, why; /* jobs that passed and whose file is gone or cut off */
} tallies;

static tally *tally_of(tallies *all, const ls_unit *unit) {
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].unit == unit) return &all->list[i];
    all->list = ls_grow(all->list, all->count, sizeof *all->list);
    all->list[all->count] = (tally){.unit = unit, .whole = true};
    return &all->list[all->count++];
}

static void tallies_free(tallies *all) {
    for (size_t i = 0; i < all->count; i++) {
        tally *t = &all->list[i];
        for (size_t k = 0; k < t->gap_count; k++) {
            free(t->gaps[k].place);
            free(t->gaps[k].name);
        }
        free(t->gaps);
        ls_points_free(&t->points);
        ls_args_free(&t->files);
    }
    free(all->list);
    ls_args_free(&all->lost);
    ls_args_free(&all->why);
    *all = (tallies){0};
}

/* Adds the points of a run's file. With `unit` it must be that unit's. 0, or -1 and a message; `*readable`: it is a whole file.
 */
static int add_file(tallies *all, const ls_unit *unit, const char *path, bool *readable, char *error, size_t size) {
    const ls_unit *of;
    ls_points points = {0};
    int status = ls_points_read(&points, &of, path, error, size);
    *readable = status == 0;
    if (status == 0 && unit != NULL && of != unit) {
        (void)snprintf(error, size, "%s:1: the coverage of %s, but the job is one of %s", path, of->name, unit->name);
        status = -1;
    }
    if (status == 0) {
        tally *t = tally_of(all, of);
        const ls_point *there, *here = ls_points_clash(&t->points, &points, &there);
        ls_args_add(&t->files, "%s", path);
        for (size_t i = 0; i < points.count && here == NULL; i++) {
            points.list[i].from = t->files.list[t->files.count - 1];
            ls_points_add(&t->points, &points.list[i]);
        }
        ls_points_settle(&t->points);
        /* What one of them covered is another line, or has moved: as one source it may look covered, and be in neither. */
        if (here != NULL) {
            (void)snprintf(error, size, "%s: measured of another source than %s: %s:%u reads \"%s\" and there \"%s\"", path,
                           there->from, here->file, here->line, here->text, there->text);
            status = -1;
        }
    }
    ls_points_free(&points);
    return status;
}

/* The name of a point: unique in its file and kind, and without its line, which moves whenever something above it does. `points`
 * are settled. */
static char *point_name(const ls_points *points, const ls_point *p) {
    if (p->kind == LS_POINT_TOGGLE) return p->index == LS_POINT_WHOLE ? ls_copy(p->what) : ls_format("%s[%u]", p->what, p->index);
    ls_text name = {0};
    if (p->kind == LS_POINT_LINE) ls_text_add(&name, "%s: ", p->what);
    if (p->kind == LS_POINT_MODEL_BRANCH) ls_text_add(&name, "branch %u: ", p->index);
    ls_text_add(&name, "%s", p->text);
    size_t same = 1;
    for (const ls_point *q = p; q > points->list && q[-1].kind == p->kind && strcmp(q[-1].file, p->file) == 0; q--)
        same += q[-1].index == p->index && strcmp(q[-1].what, p->what) == 0 && strcmp(q[-1].text, p->text) == 0;
    if (same > 1) ls_text_add(&name, " #%zu", same);
    return ls_text_take(&name);
}

/* Adds a gap, or the bit to the signal's gap before it. */
static void add_gap(tally *t, const ls_point *p, const char *name, const char *waived) {
    gap *last = t->gap_count > 0 ? &t->gaps[t->gap_count - 1] : NULL;
    char *place = ls_format("%s:%u", p->file, p->line);
    uint32_t high, low;
    const size_t n = strlen(p->what);
    if (last != NULL && p->kind == LS_POINT_TOGGLE && p->index != LS_POINT_WHOLE && last->kind == p->kind &&
        strcmp(last->place, place) == 0 && last->waived == waived && strncmp(last->name, p->what, n) == 0 &&
        last->name[n] == '[') {
        const int fields = sscanf(last->name + n, "[%" SCNu32 ":%" SCNu32, &high, &low);
        if (fields >= 1 && strchr(last->name + n + 1, '[') == NULL && high + 1 == p->index) {
            free(last->name);
            free(place);
            last->name = ls_format("%s[%u:%u]", p->what, p->index, fields == 2 ? low : high);
            return;
        }
    }
    t->gaps = ls_grow(t->gaps, t->gap_count, sizeof *t->gaps);
    t->gaps[t->gap_count++] = (gap){.kind = p->kind, .place = place, .name = ls_copy(name), .waived = waived};
}

static void weigh(tally *t, ls_waivers *waivers) {
    for (size_t i = 0; i < t->points.count; i++) {
        const ls_point *p = &t->points.list[i];
        char *name = point_name(&t->points, p);
        const ls_waiver *waiver = ls_waivers_find(waivers, t->unit, p, name);
        t->total[p->kind]++;
        if (p->count != 0) {
            t->hit[p->kind]++;
        } else {
            t->waived[p->kind] += waiver != NULL;
            add_gap(t, p, name, waiver != NULL ? waiver->reason : NULL);
        }
        free(name);
    }
}

/* What is wrong with a waiver once all is weighed, or NULL. Of a signal's many bits some may be covered. */
static const char *stale(const ls_waiver *w, const tally *t) {
    if (t->total[w->kind] == 0) return NULL; /* not measured */
    if (w->uncovered + w->covered == 0) return "there is no such point";
    if (w->covered > 0 && (w->uncovered == 0 || w->kind != LS_POINT_TOGGLE)) return "the point is covered";
    return NULL;
}

/* Toggles are shown and no finding: a bit that cannot move (an index wider than what it counts, a constant of the parameters)
 * looks like one that should, there are thousands, and a bit that is wrong differs from the model. */
static bool must_be_covered(ls_point_kind kind) { return kind != LS_POINT_TOGGLE; }

static size_t open_gaps(const tally *t, ls_point_kind kind) { return t->total[kind] - t->hit[kind] - t->waived[kind]; }

/* A place for what is stored, and for what went wrong. */
typedef struct shelf {
    sqlite3 *db;
    int64_t regression;
    bool counts; /* what is found makes the regression fail */
    char *error;
    size_t size;
} shelf;

static int add_finding(const shelf *s, const char *kind, const char *name, const char *text) {
    return ls_store_do(s->db, s->error, s->size, "INSERT INTO finding (night, kind, name, text, counts) VALUES (?, ?, ?, ?, ?)",
                       "ittti", s->regression, kind, name, text, (int64_t)s->counts);
}

static int store_uncovered(const shelf *s, const tally *t, ls_point_kind kind) {
    enum { SHOWN = 5 };
    ls_text text = {0};
    size_t shown = 0;
    ls_text_add(&text, "%zu of %zu not covered and not waived:", open_gaps(t, kind), t->total[kind]);
    for (size_t i = 0; i < t->gap_count; i++) {
        if (t->gaps[i].kind != kind || t->gaps[i].waived != NULL || ++shown > SHOWN) continue;
        ls_text_add(&text, "%s %s %s", shown > 1 ? ";" : "", t->gaps[i].place, t->gaps[i].name);
    }
    if (shown > SHOWN) ls_text_add(&text, "; …");
    char *name = ls_format("%s %s", t->unit->name, ls_point_kind_name(kind));
    const int status = add_finding(s, "uncovered", name, text.data);
    free(name);
    free(ls_text_take(&text));
    return status;
}

static int store_tally(const shelf *s, const tally *t) {
    static const char row[] = "INSERT INTO coverage (night, unit, kind, total, hit, waived) VALUES (?, ?, ?, ?, ?, ?)";
    static const char point[] = "INSERT INTO uncovered (night, unit, kind, place, name, waived) VALUES (?, ?, ?, ?, ?, ?)";
    int status = 0;
    for (ls_point_kind k = 0; k < LS_POINT_KINDS && status == 0; k++) {
        if (t->total[k] == 0) continue;
        status = ls_store_do(s->db, s->error, s->size, row, "ittiii", s->regression, t->unit->name, ls_point_kind_name(k),
                             (int64_t)t->total[k], (int64_t)t->hit[k], (int64_t)t->waived[k]);
        if (status == 0 && must_be_covered(k) && open_gaps(t, k) > 0) status = store_uncovered(s, t, k);
    }
    for (size_t i = 0; i < t->gap_count && status == 0; i++) {
        const gap *g = &t->gaps[i];
        status = ls_store_do(s->db, s->error, s->size, point, "ittttt", s->regression, t->unit->name, ls_point_kind_name(g->kind),
                             g->place, g->name, g->waived);
    }
    return status;
}

static int store_stale(const shelf *s, const tally *t, const ls_waivers *waivers, const char *path) {
    int status = 0;
    for (size_t k = 0; k < waivers->count && status == 0; k++) {
        const ls_waiver *w = &waivers->list[k];
        const char *wrong = w->unit == t->unit ? stale(w, t) : NULL;
        if (wrong == NULL) continue;
        char *name = ls_format("%s %s %s %s", w->unit->name, ls_point_kind_name(w->kind), w->file, w->name);
        char *text = ls_format("%s:%zu: %s", path, w->line, wrong);
        status = add_finding(s, "stale waiver", name, text);
        free(name);
        free(text);
    }
    return status;
}

/* A machine that measured the RTL alone is told: uncovered points of models could not be found. */
static int store_unmeasured(const shelf *s, const tallies *all) {
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += all->list[i].total[LS_POINT_LINE] > 0 && all->list[i].total[LS_POINT_MODEL_LINE] == 0;
    if (count == 0) return 0;
    char *text = ls_format("of %zu of %zu units the RTL alone was measured: `make gcov-tool` makes the tool for models", count,
                           all->count);
    const int status = add_finding(s, "uncovered", "models were not measured", text);
    free(text);
    return status;
}

/* So are jobs whose coverage was lost. */
static int store_lost(const shelf *s, const tallies *all) {
    int status = 0;
    for (size_t i = 0; i < all->lost.count && status == 0; i++) {
        char *name = ls_format("coverage of %s", all->lost.list[i]);
        char *text = ls_format("%s: what its unit does not cover does not count", all->why.list[i]);
        status = add_finding(s, "uncovered", name, text);
        free(name);
        free(text);
    }
    return status;
}

/* Reads the coverage of the regression's jobs; 0, or -1 and a message. */
static int read_regression(sqlite3 *db, int64_t regression, const char *folder, tallies *all, char *error, size_t size) {
    sqlite3_stmt *jobs =
        ls_store_query(db, "SELECT unit, number, status, name FROM job WHERE night = ? AND stimulus = 'coverage' ORDER BY number",
                       "i", regression);
    int status = 0;
    while (status == 0 && sqlite3_step(jobs) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(jobs, 0);
        const ls_unit *unit = ls_unit_find(name);
        if (unit == NULL) continue; /* of an older regression: the unit is gone, and its coverage says nothing any more */
        char *path = ls_format("%s/coverage/%" PRId64 ".dat", folder, (int64_t)sqlite3_column_int64(jobs, 1));
        /* A run that fails stops at once: what it would have covered is not known. */
        const bool passed = strcmp((const char *)sqlite3_column_text(jobs, 2), "pass") == 0;
        if (!passed) tally_of(all, unit)->whole = false;
        bool readable = true;
        if (passed || access(path, R_OK) == 0) status = add_file(all, unit, path, &readable, error, size);
        if (!readable) { /* nobody can make it again: that costs the regression this unit's findings, and not its report */
            status = 0;
            tally_of(all, unit)->whole = false;
            ls_args_add(&all->lost, "%s", (const char *)sqlite3_column_text(jobs, 3));
            ls_args_add(&all->why, "%s", strncmp(error, folder, strlen(folder)) == 0 ? error + strlen(folder) + 1 : error);
        }
        free(path);
    }
    (void)sqlite3_finalize(jobs);
    return status;
}

/* Whether jobs with coverage may have been left out: no trace is one. */
static bool is_filtered(sqlite3 *db, int64_t regression) {
    sqlite3_stmt *row =
        ls_store_query(db, "SELECT filter NOT IN ('', '" LS_NO_TRACES "') FROM night WHERE id = ?", "i", regression);
    const bool filtered = sqlite3_step(row) == SQLITE_ROW && sqlite3_column_int(row, 0) != 0;
    (void)sqlite3_finalize(row);
    return filtered;
}

int ls_coverage_collect(sqlite3 *db, int64_t regression, const char *folder, const char *waivers_path, char *error, size_t size) {
    static const char *const old[] = {"DELETE FROM coverage WHERE night = ?", "DELETE FROM uncovered WHERE night = ?",
                                      "DELETE FROM finding WHERE night = ? AND kind IN ('uncovered', 'stale waiver')"};
    tallies all = {0};
    ls_waivers waivers = {0};
    int status = read_regression(db, regression, folder, &all, error, size);
    if (status == 0 && all.count > 0) status = ls_waivers_read(&waivers, waivers_path, error, size);
    const bool filtered = is_filtered(db, regression);
    bool own;
    if (status == 0) status = ls_store_begin(db, &own, error, size);
    if (status == 0) {
        for (size_t i = 0; i < sizeof old / sizeof old[0] && status == 0; i++)
            status = ls_store_do(db, error, size, old[i], "i", regression);
        for (size_t i = 0; i < all.count && status == 0; i++) {
            tally *t = &all.list[i];
            const shelf s = {.db = db, .regression = regression, .counts = t->whole && !filtered, .error = error, .size = size};
            weigh(t, &waivers);
            status = store_tally(&s, t);
            if (status == 0) status = store_stale(&s, t, &waivers, waivers_path);
        }
        const shelf told = {.db = db, .regression = regression, .counts = false, .error = error, .size = size};
        if (status == 0) status = store_unmeasured(&told, &all);
        if (status == 0) status = store_lost(&told, &all);
        if (own) status = ls_store_end(db, status, error, size);
    }
    ls_waivers_free(&waivers);
    tallies_free(&all);
    return status;
}

static int by_unit(const void *a, const void *b) {
    return strcmp(((const tally *)a)->unit->name, ((const tally *)b)->unit->name);
}

static int print_tallies(tallies *all, ls_waivers *waivers, const char *waivers_path, FILE *out) {
    size_t open = 0, wrong = 0;
    if (all->count > 0) qsort(all->list, all->count, sizeof *all->list, by_unit);
    ls_say(out, "%-20s", "covered");
    for (int k = 0; k < LS_POINT_KINDS; k++) ls_say(out, " %21s", ls_point_kind_name((ls_point_kind)k));
    ls_say(out, "\n");
    for (size_t i = 0; i < all->count; i++) {
        tally *t = &all->list[i];
        weigh(t, waivers);
        ls_say(out, "%-20s", t->unit->name);
        for (int k = 0; k < LS_POINT_KINDS; k++) {
            char ratio[64] = "-";
            if (t->total[k] > 0)
                (void)snprintf(ratio, sizeof ratio, "%zu/%zu %5.1f %%", t->hit[k], t->total[k],
                               100.0 * (double)t->hit[k] / (double)t->total[k]);
            ls_say(out, " %21s", ratio);
            if (must_be_covered((ls_point_kind)k)) open += open_gaps(t, (ls_point_kind)k);
        }
        ls_say(out, "\n");
    }
    for (size_t i = 0; i < all->count; i++) {
        const tally *t = &all->list[i];
        for (size_t g = 0; g < t->gap_count; g++)
            ls_say(out, "%s  %s  %s  %s  %s%s%s\n",
                   t->gaps[g].waived != NULL          ? "waived"
                   : must_be_covered(t->gaps[g].kind) ? "OPEN  "
                                                      : "      ",
                   t->unit->name, ls_point_kind_name(t->gaps[g].kind), t->gaps[g].place, t->gaps[g].name,
                   t->gaps[g].waived != NULL ? " -- " : "", t->gaps[g].waived != NULL ? t->gaps[g].waived : "");
        for (size_t k = 0; k < waivers->count; k++) {
            const ls_waiver *w = &waivers->list[k];
            const char *why = w->unit == t->unit ? stale(w, t) : NULL;
            if (why == NULL) continue;
            wrong++;
            ls_say(out, "STALE   %s:%zu: %s\n", waivers_path, w->line, why);
        }
    }
    ls_say(out, "%zu lines and branches neither covered nor waived, %zu stale waivers\n", open, wrong);
    return open + wrong == 0 ? 0 : 1;
}

int ls_coverage_print(const char *folder, const char *waivers_path, FILE *out, char *error, size_t size) {
    char *pattern = ls_format("%s/*.dat", folder);
    glob_t found = {0};
    tallies all = {0};
    ls_waivers waivers = {0};
    int status = glob(pattern, 0, NULL, &found) == 0 ? 0 : -1;
    if (status != 0)
        (void)snprintf(error, size, "%s: no such files: `lockstep run UNIT --coverage FILE.dat` makes them", pattern);
    bool readable;
    ls_progress_begin("reading coverage");
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++)
        status = add_file(&all, NULL, found.gl_pathv[i], &readable, error, size);
    ls_progress_end();
    if (status == 0) status = ls_waivers_read(&waivers, waivers_path, error, size);
    if (status == 0) status = print_tallies(&all, &waivers, waivers_path, out);
    ls_waivers_free(&waivers);
    tallies_free(&all);
    globfree(&found);
    free(pattern);
    return status;
}

int ls_command_coverage(ls_options *o) {
    char error[1024];
    if (o->file == NULL) {
        ls_say(stderr, "lockstep: coverage needs a folder of files of `lockstep run UNIT --coverage FILE`\n");
        return 2;
    }
    char *waivers = ls_format("%s/tb/coverage.waivers", ls_home());
    const int status = ls_coverage_print(o->file, waivers, stdout, error, sizeof error);
    if (status < 0) ls_say(stderr, "lockstep: %s\n", error);
    free(waivers);
    return status < 0 ? 2 : status;
}
