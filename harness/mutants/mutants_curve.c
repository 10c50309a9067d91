/* SPDX-License-Identifier: Apache-2.0 */
/* Two kinds of stimulus, judged by the same mutants at the same processor time: constrained-random runs, and the fuzzer's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/fuzz/fuzz.h"
#include "harness/mutants/mutants.h"

#define TOOL_MS 600000u
#define SECONDS 4u /* of processor time for each mutant, each seed and each kind */
#define SEEDS 3u
#define KINDS 3u /* of stimulus: random, fuzzed, fuzzed from the kept corpus on */

/* A line of the list: mutant `number` of `made` in the netlist of these parameters that `lockstep mutants` makes by this seed. */
typedef struct listed {
    const ls_unit *unit;
    char *params;
    uint32_t made, number;
    uint64_t seed;
    double work[KINDS][SEEDS]; /* processor seconds to the kill; negative: none */
} listed;

typedef struct listing {
    listed *list;
    size_t count;
} listing;

/* What the mutants of one netlist are judged with. */
typedef struct context {
    ls_request run;
    const listed *list;
    uint64_t seed; /* that of the runs follow from it */
    double seconds;
    const ls_corpus *kept;
} context;

static char *read_list(const char *path, listing *l) {
    ls_text text = {0};
    const int failed = ls_text_read(&text, path);
    if (failed != 0) return ls_format("%s: %s", path, strerror(-failed));
    ls_text_put(&text, "", 0);
    char *error = NULL, *rest = text.data;
    size_t n = 1;
    for (char *line; error == NULL && (line = strsep(&rest, "\n")) != NULL; n++) {
        char name[64], why[256];
        unsigned made = 0, number = 0;
        uint64_t seed = 0;
        int at = 0;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r")] == '\0') continue;
        const int got = sscanf(line, "%63s %u %" SCNx64 " %u %n", name, &made, &seed, &number, &at);
        const ls_unit *unit = got >= 1 ? ls_unit_find(name) : NULL;
        void *cfg = unit != NULL ? ls_config_new(unit) : NULL;
        line[strcspn(line, "\r")] = '\0';
        if (got < 1 || unit == NULL) error = ls_format("%s:%zu: unit \"%s\": there is none", path, n, got >= 1 ? name : "");
        else if (got < 4 || number == 0 || made > LS_NETLIST_MUTANTS_MAX || number > made)
            error =
                ls_format("%s:%zu: expected UNIT, mutants in the netlist (1 .. %u), seed (hexadecimal), number of the mutant, "
                          "parameters",
                          path, n, LS_NETLIST_MUTANTS_MAX);
        else if (ls_config_set_all(unit, cfg, line + at, why, sizeof why) != 0) error = ls_format("%s:%zu: %s", path, n, why);
        free(cfg);
        if (error != NULL) break;
        l->list = ls_grow(l->list, l->count, sizeof *l->list);
        l->list[l->count++] = (listed){.unit = unit, .params = ls_copy(line + at), .made = made, .number = number, .seed = seed};
    }
    if (error == NULL && l->count == 0) error = ls_format("%s: no mutant is in it", path);
    free(text.data);
    return error;
}

static bool same_netlist(const listed *a, const listed *b) {
    return a->unit == b->unit && a->made == b->made && a->seed == b->seed && strcmp(a->params, b->params) == 0;
}

/* One of them by one kind of stimulus with one seed: number - 1 = (index * SEEDS + seed) * KINDS + kind. */
static void judge(const void *ctx, uint32_t number, ls_mutant *m) {
    const context *c = ctx;
    const uint32_t k = number - 1, kind = k % KINDS, turn = k / KINDS % SEEDS;
    const listed *one = &c->list[k / KINDS / SEEDS];
    char name[32];
    ls_result r;
    ls_script script = {0};
    ls_fuzz *fuzz = NULL;
    ls_author author;
    ls_request run = c->run;
    (void)snprintf(name, sizeof name, "curve %u", turn);
    run.seed = ls_seed_derive(c->seed, name);
    run.select = one->number;
    run.seconds = c->seconds;
    if (kind > 0) {
        fuzz = ls_fuzz_new(&(ls_fuzz_request){
            .unit = run.unit, .cfg = run.cfg, .seed = run.seed, .start = kind == 2 ? c->kept : NULL, .found = -1});
        author = ls_fuzz_author(fuzz);
        run.script = &script;
        run.author = &author;
    }
    ls_run(&run, NULL, &r);
    if (fuzz != NULL) ls_fuzz_free(fuzz);
    const bool found = r.status == LS_MISMATCH || r.status == LS_CRASH || r.status == LS_HANG;
    m->fate = found ? LS_FATE_KILLED : r.status == LS_PASS || r.status == LS_VACUOUS ? LS_FATE_UNDECIDED : LS_FATE_BROKEN;
    m->work = r.work;
    m->cycle = r.cycles;
    (void)snprintf(m->how, sizeof m->how, "%.300s", found ? r.mismatch.field : r.message);
}

/* Those of one netlist. NULL, or an error to free. */
static char *judge_netlist(const ls_options *o, listed *list, size_t count, double seconds) {
    char *error = NULL, why[512];
    const ls_unit *unit = list->unit;
    void *cfg = ls_config_new(unit);
    if (ls_config_set_all(unit, cfg, list->params, why, sizeof why) != 0) ls_die("%s", why);
    const ls_netlist_request rq = {.unit = unit,
                                   .cfg = cfg,
                                   .mutants = list->made,
                                   .seed = ls_seed_derive(list->seed, "rtl mutants"),
                                   .timeout_ms = TOOL_MS};
    ls_corpus kept = {0};
    char *folder = ls_format("%s/tb/corpus/%s", ls_root(), unit->name);
    if (ls_corpus_folder(&kept, folder, unit, cfg, why, sizeof why) != 0) error = ls_copy(why);
    free(folder);
    ls_netlist n;
    ls_build_result build;
    bool ports_only = false;
    if (error != NULL || ls_netlist_make(&rq, &n, &error) != 0) {
        ls_corpus_free(&kept);
        free(cfg);
        return error;
    }
    if (ls_netlist_build(&rq, &n, &build, &ports_only, &error) == 0) {
        const context c = {.run = {.unit = unit,
                                   .cfg = cfg,
                                   .so_path = build.so_path,
                                   .select_port = LS_NETLIST_SELECT,
                                   .ports_only = ports_only,
                                   .timeout = o->timeout},
                           .list = list,
                           .seconds = seconds,
                           .seed = o->seed,
                           .kept = &kept};
        ls_mutant *m = ls_mutants_judge((uint32_t)count * SEEDS * KINDS, o->jobs, judge, &c);
        for (size_t i = 0; i < count * SEEDS * KINDS && error == NULL; i++) {
            if (m[i].fate == LS_FATE_BROKEN) error = ls_format("%s %s: %s", unit->name, list->params, m[i].how);
            list[i / KINDS / SEEDS].work[i % KINDS][i / KINDS % SEEDS] = m[i].fate == LS_FATE_KILLED ? m[i].work : -1;
        }
        free(m);
        ls_build_free(&build);
    }
    ls_netlist_free(&n);
    ls_corpus_free(&kept);
    free(cfg);
    return error;
}

/* Kills within so much processor time, of all mutants and seeds. */
static uint32_t kills(const listing *l, int kind, double seconds) {
    uint32_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < SEEDS; k++) n += l->list[i].work[kind][k] >= 0 && l->list[i].work[kind][k] <= seconds;
    return n;
}

static void show(const listing *l, double most) {
    ls_say(stdout, "mutants killed of %zu, mean of %u seeds, by processor time for each\n", l->count, SEEDS);
    ls_say(stdout, "   seconds    random    fuzzed  from kept corpus\n");
    for (double s = 0.001; s < most * 1.5; s *= 2) {
        const double at = s < most ? s : most;
        ls_say(stdout, "  %8.3f  %8.1f  %8.1f  %8.1f\n", at, kills(l, 0, at) / (double)SEEDS, kills(l, 1, at) / (double)SEEDS,
               kills(l, 2, at) / (double)SEEDS);
    }
}

int ls_mutants_curve(const ls_options *o) {
    listing l = {0};
    char *error = read_list(o->hard, &l);
    const double seconds = o->seconds != 0 ? o->seconds : SECONDS;
    for (size_t i = 0, next; i < l.count && error == NULL; i = next) {
        for (next = i + 1; next < l.count && same_netlist(&l.list[i], &l.list[next]); next++) {
        }
        if (!o->quiet) ls_say(stderr, "lockstep: %s %s: %zu mutants\n", l.list[i].unit->name, l.list[i].params, next - i);
        error = judge_netlist(o, &l.list[i], next - i, seconds);
        for (size_t k = i; k < next && error == NULL && !o->quiet; k++) {
            const listed *m = &l.list[k];
            ls_say(stdout, "%-20s %4u", m->unit->name, m->number);
            for (uint32_t s = 0; s < SEEDS * KINDS; s++) ls_say(stdout, " %9.4f", m->work[s / SEEDS][s % SEEDS]);
            ls_say(stdout, "\n");
        }
    }
    if (error == NULL) show(&l, seconds);
    else ls_say(stderr, "lockstep: %s\n", error);
    for (size_t i = 0; i < l.count; i++) free(l.list[i].params);
    free(l.list);
    const bool failed = error != NULL;
    free(error);
    return failed ? 2 : 0;
}
