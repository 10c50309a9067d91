/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep synth: area and timing of one unit, or of all. */
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/synth/synth_record.h"

#define SETS "synth_scripts/synth.sets" /* below ls_root() */
#define GATES "synth_scripts/gates"
#define HISTORY "build/regress/history.db"
#define RECORDS "build/synth/all.jsonl"
#define TIMEOUT_S 900.0 /* of each tool, when --timeout says nothing */

static int complain(const char *text) {
    ls_say(stderr, "lockstep: %s\n", text);
    return 2;
}

static ls_synth_request request_of(const ls_options *o, const ls_unit *unit, const void *cfg) {
    return (ls_synth_request){.unit = unit,
                              .cfg = cfg,
                              .rtl = (const char *const *)o->rtl.list,
                              .rtl_count = o->rtl.count,
                              .liberty = o->liberty,
                              .macros = !o->no_macros,
                              .timeout_ms = (unsigned)((o->timeout > 0 ? o->timeout : TIMEOUT_S) * 1000)};
}

static int read_gates(ls_synth_gates *gates) {
    char error[1024], *path = ls_format("%s/" GATES, ls_root());
    const int status = ls_synth_gates_read(path, gates, error, sizeof error);
    free(path);
    return status == 0 ? 0 : complain(error);
}

/* Opens the history; NULL after a message. */
static sqlite3 *open_history(const ls_options *o) {
    char error[1024], *path = ls_copy(o->history != NULL ? o->history : HISTORY);
    sqlite3 *db = ls_store_open(path, error, sizeof error);
    if (db == NULL) (void)complain(error);
    free(path);
    return db;
}

/* Appends records to a file: 0, or 2 and a message. */
static int append(const char *path, const ls_text *records) {
    const int error = ls_text_append(records, path);
    if (error != 0) ls_say(stderr, "lockstep: %s: %s\n", path, strerror(-error));
    return error != 0 ? 2 : 0;
}

/* ---- one unit ---- */

static int synth_one(const ls_options *o) {
    const ls_synth_request rq = request_of(o, o->unit, o->cfg);
    ls_synth_result r;
    ls_synth_gates gates;
    char *error = NULL, text[1024];
    const char *refused = o->unit->check(o->cfg);
    if (refused != NULL) {
        (void)snprintf(text, sizeof text, "%s: %s", o->unit->name, refused);
        return complain(text);
    }
    if (read_gates(&gates) != 0) return 2;
    if (ls_synth_result_make(&rq, &r, &error) != 0) {
        (void)complain(error);
        free(error);
        ls_synth_gates_free(&gates);
        return 2;
    }
    int status = 0;
    ls_synth_result_check(&r, &gates);
    if (!r.own) { /* what somebody tries is no history of ours */
        const ls_synth_source source = ls_synth_source_now();
        sqlite3 *db = open_history(o);
        if (db == NULL) status = 2;
        else if (ls_synth_history(db, &source, &r, text, sizeof text) != 0) status = complain(text);
        ls_store_close(db);
    }
    if (!o->brief) ls_synth_result_where(&r);
    ls_text record = {0};
    ls_synth_record(&r, &record);
    ls_text_add(&record, "\n");
    if (o->json) (void)fputs(record.data, stdout);
    else if (o->brief) ls_say(stdout, "%s\n", r.synth.folder);
    else ls_synth_page(&r, stdout);
    if (o->record != NULL && append(o->record, &record) != 0) status = 2;
    if (status == 0 && r.findings > 0) status = 1;
    free(ls_text_take(&record));
    ls_synth_result_free(&r);
    ls_synth_gates_free(&gates);
    return status;
}

/* ---- all units ---- */

/* What workers share: who takes which set, and what became of each. */
typedef struct shared {
    unsigned next, finished;
    struct outcome {
        bool failed;
        char text[2000];
    } outcome[];
} shared;

/* Maps and times one set, so that the cache has it. */
static void work_on(const ls_options *o, const ls_synth_sets *sets, shared *s, unsigned i) {
    const double start = ls_seconds();
    const ls_synth_set *set = &sets->list[i];
    const ls_synth_request rq = request_of(o, set->unit, set->cfg);
    ls_synth_result r;
    char *error = NULL;
    if (ls_synth_result_make(&rq, &r, &error) == 0) {
        s->outcome[i].failed = false;
        ls_synth_result_free(&r);
    } else {
        (void)snprintf(s->outcome[i].text, sizeof s->outcome[i].text, "%s", error);
    }
    const unsigned done = __atomic_add_fetch(&s->finished, 1, __ATOMIC_RELAXED);
    if (!o->quiet)
        ls_say(stderr, "[%u/%zu] %-18s %-40s %6.1f s%s\n", done, sets->count, set->unit->name, set->params, ls_seconds() - start,
               s->outcome[i].failed ? "  FAILED" : "");
    free(error);
}

/* Runs all sets in `jobs` processes. The result is to be unmapped. */
static shared *work(const ls_options *o, const ls_synth_sets *sets, size_t *size) {
    const int width = o->jobs < 1 ? 1 : o->jobs;
    *size = sizeof(shared) + sets->count * sizeof(struct outcome);
    shared *s = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) ls_die("no memory for %zu units", sets->count);
    for (size_t i = 0; i < sets->count; i++) {
        s->outcome[i].failed = true;
        (void)snprintf(s->outcome[i].text, sizeof s->outcome[i].text, "%s: its process died", sets->list[i].unit->name);
    }
    (void)fflush(NULL);
    const pid_t self = getpid();
    pid_t *workers = ls_alloc((size_t)width, sizeof *workers);
    for (int w = 0; w < width; w++) {
        workers[w] = fork();
        if (workers[w] < 0) ls_die("cannot start a process: %s", strerror(errno));
        if (workers[w] > 0) continue;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* no worker outlives a killed run */
        if (getppid() != self) _exit(1);
        for (unsigned i; (i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED)) < sets->count;) work_on(o, sets, s, i);
        (void)fflush(NULL);
        _exit(0);
    }
    for (int w = 0; w < width; w++)
        while (waitpid(workers[w], NULL, 0) < 0 && errno == EINTR) {
        }
    free(workers);
    return s;
}

typedef struct tally {
    unsigned units, failed, outside, unchecked;
    ls_text records;
    ls_synth_gates gates; /* as they are */
    ls_synth_gates accepted;
} tally;

/* One set's row, record and history, from the cache. */
static int account(const ls_options *o, const ls_synth_set *set, const ls_synth_source *source, sqlite3 *db, tally *t) {
    const ls_synth_request rq = request_of(o, set->unit, set->cfg);
    ls_synth_result r;
    char *error = NULL, text[1024];
    if (ls_synth_result_make(&rq, &r, &error) != 0) {
        (void)complain(error);
        free(error);
        return -1;
    }
    ls_synth_result_check(&r, &t->gates);
    int status = ls_synth_history(db, source, &r, text, sizeof text);
    if (status != 0) (void)complain(text);
    ls_text one = {0};
    ls_synth_record(&r, &one);
    ls_text_add(&one, "\n");
    ls_text_put(&t->records, one.data, one.size);
    if (o->json) (void)fputs(one.data, stdout);
    else ls_synth_table_row(&r, stdout);
    t->units++;
    t->outside += r.findings > 0;
    t->unchecked += r.not_checked != NULL;
    if (o->accept && r.timing.missing != NULL) {
        (void)complain(r.timing.missing);
        status = -1;
    } else if (o->accept) {
        if (t->accepted.tools == NULL) t->accepted.tools = ls_synth_result_tools(&r);
        ls_synth_gates_add(&t->accepted, r.unit->name, r.params, r.area.kge, ls_synth_result_fo4(&r));
    }
    free(ls_text_take(&one));
    ls_synth_result_free(&r);
    return status;
}

/* Leaves only the sets of units whose names match --only. 0, or 2 and a message when that is none. */
static int choose(const ls_options *o, ls_synth_sets *sets) {
    size_t kept = 0;
    for (size_t i = 0; i < sets->count; i++) {
        if (o->only == NULL || fnmatch(o->only, sets->list[i].unit->name, 0) == 0) {
            sets->list[kept++] = sets->list[i];
        } else {
            free(sets->list[i].cfg);
            free(sets->list[i].params);
        }
    }
    sets->count = kept;
    if (kept > 0) return 0;
    char *text = ls_format("--only %s: no unit has such a name", o->only);
    const int status = complain(text);
    free(text);
    return status;
}

/* Gates of sets that were not run stay as they are: 0, or 2 and a message when they were taken with other tools. */
static int keep_gates(const ls_synth_sets *sets, tally *t) {
    if (t->gates.tools != NULL && t->accepted.tools != NULL && strcmp(t->gates.tools, t->accepted.tools) != 0) {
        ls_say(stderr, "lockstep: the gates were taken with %s, this is %s: accept all of them, without --only\n", t->gates.tools,
               t->accepted.tools);
        return 2;
    }
    for (size_t i = 0; i < t->gates.count; i++) {
        const ls_synth_gate *g = &t->gates.list[i];
        bool run = false;
        for (size_t k = 0; k < sets->count; k++) run |= strcmp(g->unit, sets->list[k].unit->name) == 0;
        if (run) continue;
        t->accepted.list = ls_grow(t->accepted.list, t->accepted.count, sizeof *t->accepted.list);
        ls_synth_gate *copy = &t->accepted.list[t->accepted.count++];
        *copy = *g;
        copy->unit = ls_copy(g->unit);
        copy->params = ls_copy(g->params);
    }
    return 0;
}

/* Gates that belong to no set guard nothing: said, so that nobody counts on them. */
static void tell_idle_gates(const ls_synth_gates *gates, const ls_synth_sets *sets) {
    for (size_t i = 0; i < gates->count; i++) {
        bool used = false;
        for (size_t k = 0; k < sets->count; k++)
            used |= strcmp(gates->list[i].unit, sets->list[k].unit->name) == 0 &&
                    strcmp(gates->list[i].params, sets->list[k].params) == 0;
        if (!used)
            ls_say(stdout, "gates of %s %s guard nothing: " SETS " has no such set\n", gates->list[i].unit,
                   gates->list[i].params[0] != '\0' ? gates->list[i].params : "(defaults)");
    }
}

/* Writes records and, when they are accepted, gates. */
static int finish(const ls_options *o, tally *t) {
    char *records = ls_copy(o->record != NULL ? o->record : RECORDS), *gates = ls_format("%s/" GATES, ls_root());
    int status = 0, error = 0;
    if (o->record != NULL) {
        status = append(records, &t->records);
    } else {
        char *folder = ls_format("%.*s", (int)(strrchr(records, '/') - records), records);
        error = ls_make_directories(folder);
        if (error == 0) error = ls_text_write(&t->records, records);
        free(folder);
    }
    if (error == 0 && status == 0 && !o->json) ls_say(stdout, "records: %s\n", records);
    if (error != 0) ls_say(stderr, "lockstep: %s: %s\n", records, strerror(-error));
    if (error == 0 && o->accept) {
        error = ls_synth_gates_write(gates, &t->accepted);
        if (error != 0) ls_say(stderr, "lockstep: %s: %s\n", gates, strerror(-error));
        else if (!o->json) ls_say(stdout, "gates written: %s\n", gates);
    }
    free(records);
    free(gates);
    return error != 0 ? 2 : status;
}

static int synth_all(const ls_options *o) {
    char error[1024], *path = ls_format("%s/" SETS, ls_root());
    const double start = ls_seconds();
    ls_synth_sets sets;
    tally t = {0};
    int status = ls_synth_sets_read(path, &sets, error, sizeof error) == 0 ? 0 : complain(error);
    free(path);
    if (status != 0) return status;
    if (choose(o, &sets) != 0 || read_gates(&t.gates) != 0) {
        ls_synth_sets_free(&sets);
        return 2;
    }
    sqlite3 *db = open_history(o);
    if (db == NULL) {
        ls_synth_gates_free(&t.gates);
        ls_synth_sets_free(&sets);
        return 2;
    }
    size_t size;
    shared *s = work(o, &sets, &size);
    const ls_synth_source source = ls_synth_source_now();
    if (!o->json) ls_synth_table_header(stdout);
    for (const ls_unit *const *u = ls_own_units; *u != NULL; u++) {
        for (size_t i = 0; i < sets.count; i++) {
            if (sets.list[i].unit != *u) continue;
            const bool failed = s->outcome[i].failed;
            if (failed) {
                (void)fflush(stdout);
                ls_say(stderr, "lockstep: %s %s: %s\n", (*u)->name, sets.list[i].params, s->outcome[i].text);
            }
            t.failed += failed || account(o, &sets.list[i], &source, db, &t) != 0;
        }
    }
    (void)munmap(s, size);
    ls_store_close(db);
    if (!o->json && o->only == NULL) tell_idle_gates(&t.gates, &sets);
    if (o->accept && t.failed > 0) status = complain("the gates stay as they are: not every unit has figures");
    else if (!o->accept || o->only == NULL || keep_gates(&sets, &t) == 0) status = finish(o, &t);
    else status = 2;
    if (!o->json)
        (void)printf("%u units, %u outside their gates, %u without gates looked at, %u failed; %.0f s\n", t.units, t.outside,
                     t.unchecked, t.failed, ls_seconds() - start);
    /* With another library, or without macros, nobody expects them to be looked at. */
    const bool none = t.units > 0 && t.unchecked == t.units && !o->accept && o->liberty == NULL && !o->no_macros;
    if (t.failed > 0) status = 2;
    else if (none)
        status = complain(t.gates.tools == NULL ? "no gates were looked at: there are none (--accept makes them)"
                                                : "no gates were looked at: none is of these sets and tools");
    else if (status == 0 && t.outside > 0 && !o->accept) status = 1;
    free(ls_text_take(&t.records));
    ls_synth_gates_free(&t.gates);
    ls_synth_gates_free(&t.accepted);
    ls_synth_sets_free(&sets);
    return status;
}

int ls_command_synth(ls_options *o) {
    if (o->unit != NULL && (o->all || o->accept)) return complain("synth --all and --accept are of all units, not of one");
    if (o->unit != NULL && o->only != NULL) return complain("--only chooses among all units");
    if (o->unit != NULL) return synth_one(o);
    if (!o->all && !o->accept) return complain("synth needs a unit, or --all: `lockstep list` names units");
    if (o->rtl.count > 0) return complain("synth --all takes no --rtl: whose would it be?");
    if (o->accept && o->no_macros) return complain("gates are those of netlists with SRAM macros: --accept takes no --no-macros");
    if (o->accept && o->liberty != NULL) return complain("gates are those of the default library: --accept takes no --lib");
    return synth_all(o);
}
