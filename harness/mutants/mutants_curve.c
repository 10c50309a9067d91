/* SPDX-License-Identifier: Apache-2.0 */
/* Two kinds of stimulus, judged by the same mutants at the same processor time: constrained-random runs, and the fuzzer's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/fuzz/fuzz.h"
#include "harness/mutants/mutants.h"
#include "harness/netlist/mutants_prove.h"

#define TOOL_MS 600000u
#define SECONDS 4u /* of processor time for each mutant, each seed and each kind */
#define SEEDS 3u
#define KINDS 3u /* of stimulus: random, fuzzed, fuzzed from the kept corpus on */
/* A list is made with less: what random stimulus does not kill in a quarter of a second goes to the prover. */
#define CHOICE_SECONDS 0.25
#define LONGER 4u /* times that, for what the prover does not decide */
#define PROOF_SECONDS 4u

typedef struct listed {
    uint32_t number;
    bool undecided, chosen;
    double work[KINDS][SEEDS]; /* processor seconds to the kill; negative: none */
} listed;

/* A line of the list: mutants of the `made` ones in the netlist of these parameters that `lockstep mutants` makes by this seed. */
typedef struct netlist {
    const ls_unit *unit;
    void *cfg;
    char *params;
    uint32_t made;
    uint64_t seed;
    listed *list;
    size_t count;
} netlist;

typedef struct listing {
    netlist *list;
    size_t count;
} listing;

/* What the mutants of one netlist are judged with. */
typedef struct context {
    ls_request run;
    const listed *list;
    const ls_netlist *netlist;
    uint64_t seed; /* that of the runs follow from it */
    const ls_corpus *kept;
} context;

/* "105,114,119", or "-" for none. False: it is neither. */
static bool read_numbers(char *text, netlist *n) {
    if (strcmp(text, "-") == 0) return true;
    for (const char *word; (word = strsep(&text, ",")) != NULL;) {
        uint64_t number = 0;
        if (!ls_whole_number(word, false, &number) || number == 0 || number > n->made) return false;
        n->list = ls_grow(n->list, n->count, sizeof *n->list);
        n->list[n->count++] = (listed){.number = (uint32_t)number};
    }
    return true;
}

/* A line that is neither empty nor a comment. NULL, or an error to free. */
static char *read_line(char *line, netlist *n) {
    char why[256], *rest = line;
    const char *name = strsep(&rest, " "), *made = strsep(&rest, " "), *seed = strsep(&rest, " ");
    char *numbers = strsep(&rest, " "), *end = NULL;
    uint64_t most = 0;
    n->unit = ls_unit_find(name);
    if (n->unit == NULL) return ls_format("unit \"%s\": there is none", name);
    n->cfg = ls_config_new(n->unit);
    n->seed = seed != NULL ? strtoull(seed, &end, 16) : 0;
    const bool numbered = made != NULL && ls_whole_number(made, false, &most) && most > 0 && most <= LS_NETLIST_MUTANTS_MAX;
    n->made = (uint32_t)most;
    if (!numbered || numbers == NULL || *end != '\0' || !read_numbers(numbers, n))
        return ls_format("expected UNIT, mutants in the netlist (1 .. %u), seed (hexadecimal), numbers of mutants (1,2,… or -), "
                         "parameters",
                         LS_NETLIST_MUTANTS_MAX);
    n->params = ls_copy(rest != NULL ? rest : "");
    return ls_config_set_all(n->unit, n->cfg, n->params, why, sizeof why) == 0 ? NULL : ls_copy(why);
}

static size_t count_of(const listing *l) {
    size_t all = 0;
    for (size_t i = 0; i < l->count; i++) all += l->list[i].count;
    return all;
}

/* The list, that of netlists alone unless `numbered`. NULL, or an error to free. */
static char *read_list(const char *path, bool numbered, listing *l) {
    ls_text text = {0};
    const int failed = ls_text_read(&text, path);
    if (failed != 0) return ls_format("%s: %s", path, strerror(-failed));
    ls_text_put(&text, "", 0);
    char *error = NULL, *rest = text.data;
    size_t n = 1;
    for (char *line; error == NULL && (line = strsep(&rest, "\n")) != NULL; n++) {
        line[strcspn(line, "#\r")] = '\0';
        if (line[strspn(line, " \t")] == '\0') continue;
        l->list = ls_grow(l->list, l->count, sizeof *l->list);
        l->list[l->count] = (netlist){0};
        char *wrong = read_line(line, &l->list[l->count++]);
        if (wrong != NULL) error = ls_format("%s:%zu: %s", path, n, wrong);
        free(wrong);
    }
    if (error == NULL && l->count == 0) error = ls_format("%s: no netlist is in it", path);
    if (error == NULL && numbered && count_of(l) == 0) error = ls_format("%s: no mutant is in it", path);
    free(text.data);
    return error;
}

/* One of them by one kind of stimulus, by the seed of this turn. */
static void run_one(const context *c, uint32_t number, uint32_t kind, const char *purpose, uint32_t turn, ls_mutant *m) {
    char name[32];
    ls_result r;
    ls_script script = {0};
    ls_fuzz *fuzz = NULL;
    ls_request run = c->run;
    (void)snprintf(name, sizeof name, "%s %u", purpose, turn);
    run.seed = ls_seed_derive(c->seed, name);
    run.select = number;
    if (kind > 0) {
        fuzz = ls_fuzz_new(&(ls_fuzz_request){
            .unit = run.unit, .cfg = run.cfg, .seed = run.seed, .start = kind == 2 ? c->kept : NULL, .found = -1});
        run.script = &script;
        run.author = ls_fuzz_author(fuzz);
    }
    ls_run(&run, NULL, &r);
    if (fuzz != NULL) ls_fuzz_free(fuzz);
    const bool found = r.status == LS_MISMATCH || r.status == LS_CRASH || r.status == LS_HANG;
    m->fate = found ? LS_FATE_KILLED : r.status == LS_PASS || r.status == LS_VACUOUS ? LS_FATE_UNDECIDED : LS_FATE_BROKEN;
    m->work = r.work;
    m->cycle = r.cycles;
    (void)snprintf(m->how, sizeof m->how, "%.300s", found ? r.mismatch.field : r.message);
}

/* number - 1 = (index * SEEDS + turn) * KINDS + kind. */
static void judge(const void *ctx, uint32_t number, ls_mutant *m) {
    const context *c = ctx;
    const uint32_t k = number - 1;
    run_one(c, c->list[k / KINDS / SEEDS].number, k % KINDS, "curve", k / KINDS % SEEDS, m);
}

/* How long random stimulus needs for a mutant, the sum of all seeds. One that it does not kill at once goes to the prover first;
 * one that no seed kills, and of which the prover cannot say that it differs, is run for longer: what nobody knows to differ is
 * undecided. */
static void weigh(const void *ctx, uint32_t number, ls_mutant *m) {
    const context *c = ctx;
    context longer = *c;
    longer.run.seconds *= LONGER;
    double work = 0;
    uint32_t kills = 0;
    ls_proof proof = LS_PROOF_UNDECIDED;
    for (uint32_t turn = 0; turn < SEEDS || (turn == SEEDS && kills == 0 && proof == LS_PROOF_UNDECIDED); turn++) {
        const context *by = turn < SEEDS ? c : &longer;
        run_one(by, number, 0, "choice", turn, m);
        if (m->fate == LS_FATE_BROKEN) return;
        work += m->fate == LS_FATE_KILLED ? m->work : by->run.seconds;
        kills += m->fate == LS_FATE_KILLED;
        if (turn > 0 || kills > 0) continue;
        char *why = NULL;
        proof = ls_prove(c->netlist, number, PROOF_SECONDS, &why);
        if (proof == LS_PROOF_EQUIVALENT) m->fate = LS_FATE_EQUIVALENT;
        if (proof == LS_PROOF_BROKEN) {
            m->fate = LS_FATE_BROKEN;
            (void)snprintf(m->how, sizeof m->how, "%.*s", (int)strcspn(why, "\n"), why);
        }
        free(why);
        if (proof == LS_PROOF_EQUIVALENT || proof == LS_PROOF_BROKEN) return;
    }
    const bool differs = kills > 0 || proof == LS_PROOF_DIFFERENT;
    m->fate = kills >= SEEDS ? LS_FATE_KILLED : differs ? LS_FATE_SURVIVED : LS_FATE_UNDECIDED;
    m->work = work;
}

/* All mutants of the netlist that are not equivalent, with what random stimulus needs for them. */
static char *weigh_all(const ls_options *o, const ls_netlist_request *rq, context *c, netlist *n) {
    char *error = ls_prove_prepare(rq, c->netlist);
    const uint32_t count = (uint32_t)c->netlist->mutants.count;
    if (error != NULL) return error;
    ls_mutant *m = ls_mutants_judge(count, o->jobs, weigh, c);
    uint32_t fates[LS_FATE_BROKEN + 1] = {0};
    n->count = 0;
    for (uint32_t i = 0; i < count && error == NULL; i++) {
        if (m[i].fate == LS_FATE_BROKEN) error = ls_format("%s %s: %s", n->unit->name, n->params, m[i].how);
        fates[m[i].fate]++;
        if (m[i].fate == LS_FATE_EQUIVALENT) continue;
        n->list = ls_grow(n->list, n->count, sizeof *n->list);
        n->list[n->count++] = (listed){.number = i + 1, .undecided = m[i].fate == LS_FATE_UNDECIDED, .work[0][0] = m[i].work};
    }
    if (error == NULL && !o->quiet)
        ls_say(stderr,
               "lockstep: of %u mutants %u are equivalent, %u differ and were not killed by each seed, %u are undecided\n", count,
               fates[LS_FATE_EQUIVALENT], fates[LS_FATE_SURVIVED], fates[LS_FATE_UNDECIDED]);
    free(m);
    return error;
}

/* Those that are listed, by each kind of stimulus. */
static char *judge_all(const ls_options *o, const context *c, netlist *n) {
    const size_t count = n->count * SEEDS * KINDS;
    char *error = NULL;
    ls_mutant *m = ls_mutants_judge((uint32_t)count, o->jobs, judge, c);
    for (size_t i = 0; i < count && error == NULL; i++) {
        if (m[i].fate == LS_FATE_BROKEN) error = ls_format("%s %s: %s", n->unit->name, n->params, m[i].how);
        n->list[i / KINDS / SEEDS].work[i % KINDS][i / KINDS % SEEDS] = m[i].fate == LS_FATE_KILLED ? m[i].work : -1;
    }
    free(m);
    return error;
}

/* Those of one netlist. NULL, or an error to free. */
static char *judge_netlist(const ls_options *o, netlist *n, double seconds) {
    char *error = NULL, why[512];
    const ls_netlist_request rq = {.unit = n->unit,
                                   .cfg = n->cfg,
                                   .mutants = n->made,
                                   .seed = ls_seed_derive(n->seed, "rtl mutants"),
                                   .timeout_ms = TOOL_MS};
    ls_corpus kept = {0};
    char *folder = ls_format("%s/tb/corpus/%s", ls_root(), n->unit->name);
    if (ls_corpus_folder(&kept, folder, n->unit, n->cfg, why, sizeof why) != 0) error = ls_copy(why);
    free(folder);
    ls_netlist made;
    ls_build_result build;
    bool ports_only = false;
    if (error != NULL || ls_netlist_make(&rq, &made, &error) != 0) {
        ls_corpus_free(&kept);
        return error;
    }
    for (size_t i = 0; i < n->count && error == NULL && o->sample == 0; i++)
        if (n->list[i].number > made.mutants.count)
            error = ls_format("%s %s: there is no mutant %u: %zu could be made", n->unit->name, n->params, n->list[i].number,
                              made.mutants.count);
    if (error == NULL && ls_netlist_build(&rq, &made, &build, &ports_only, &error) == 0) {
        context c = {.run = {.unit = n->unit,
                             .cfg = n->cfg,
                             .so_path = build.so_path,
                             .select_port = LS_NETLIST_SELECT,
                             .ports_only = ports_only,
                             .seconds = seconds,
                             .timeout = o->timeout},
                     .list = n->list,
                     .netlist = &made,
                     .seed = o->seed,
                     .kept = &kept};
        error = o->sample != 0 ? weigh_all(o, &rq, &c, n) : judge_all(o, &c, n);
        ls_build_free(&build);
    }
    ls_netlist_free(&made);
    ls_corpus_free(&kept);
    return error;
}

/* Kills within so much processor time, of all mutants and seeds. */
static uint32_t kills(const listing *l, int kind, double seconds) {
    uint32_t sum = 0;
    for (const netlist *n = l->list; n < l->list + l->count; n++)
        for (size_t i = 0; i < n->count; i++)
            for (uint32_t k = 0; k < SEEDS; k++) sum += n->list[i].work[kind][k] >= 0 && n->list[i].work[kind][k] <= seconds;
    return sum;
}

static void print_curve(const listing *l, double most) {
    ls_say(stdout, "mutants killed of %zu, mean of %u seeds, by processor time for each\n", count_of(l), SEEDS);
    ls_say(stdout, "   seconds    random    fuzzed  from kept corpus\n");
    for (double s = 0.008; s < most * 1.5; s *= 2) {
        const double at = s < most ? s : most;
        ls_say(stdout, "  %8.3f  %8.1f  %8.1f  %8.1f\n", at, kills(l, 0, at) / (double)SEEDS, kills(l, 1, at) / (double)SEEDS,
               kills(l, 2, at) / (double)SEEDS);
    }
}

static void print_work(const netlist *n) {
    for (const listed *m = n->list; m < n->list + n->count; m++) {
        ls_say(stdout, "%-20s %4u", n->unit->name, m->number);
        for (uint32_t s = 0; s < SEEDS * KINDS; s++) ls_say(stdout, " %9.4f", m->work[s / SEEDS][s % SEEDS]);
        ls_say(stdout, "\n");
    }
}

/* Whether random stimulus needed longer for it; before all that are undecided. */
static bool is_harder(const listed *m, const listed *than) {
    return m->undecided != than->undecided ? than->undecided : m->work[0][0] > than->work[0][0];
}

/* Chooses the `count` hardest mutants; prints the list with them. */
static void print_hardest(const listing *l, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        listed *hardest = NULL;
        for (const netlist *n = l->list; n < l->list + l->count; n++)
            for (listed *m = n->list; m < n->list + n->count; m++)
                if (!m->chosen && (hardest == NULL || is_harder(m, hardest))) hardest = m;
        if (hardest != NULL) hardest->chosen = true;
    }
    for (const netlist *n = l->list; n < l->list + l->count; n++) {
        ls_say(stdout, "%s %u %" PRIx64, n->unit->name, n->made, n->seed);
        const char *before = " ";
        for (const listed *m = n->list; m < n->list + n->count; m++) {
            if (m->chosen) ls_say(stdout, "%s%u", before, m->number);
            if (m->chosen) before = ",";
        }
        ls_say(stdout, "%s %s\n", *before == ' ' ? " -" : "", n->params);
    }
}

int ls_mutants_curve(const ls_options *o) {
    listing l = {0};
    char *error = o->unit != NULL || o->side != NULL ? ls_copy("mutants --hard: the list names the units, and all are of the RTL")
                                                     : read_list(o->hard, o->sample == 0, &l);
    const double seconds = o->sample != 0 ? CHOICE_SECONDS : o->seconds != 0 ? o->seconds : SECONDS;
    for (size_t i = 0; i < l.count && error == NULL; i++) {
        netlist *n = &l.list[i];
        if (!o->quiet) ls_say(stderr, "lockstep: %s %s\n", n->unit->name, n->params);
        error = judge_netlist(o, n, seconds);
        if (error == NULL && !o->quiet && o->sample == 0) print_work(n);
    }
    if (error != NULL) ls_say(stderr, "lockstep: %s\n", error);
    else if (o->sample != 0) print_hardest(&l, o->sample);
    else print_curve(&l, seconds);
    for (size_t i = 0; i < l.count; i++) {
        free(l.list[i].params);
        free(l.list[i].cfg);
        free(l.list[i].list);
    }
    free(l.list);
    const bool failed = error != NULL;
    free(error);
    return failed ? 2 : 0;
}
