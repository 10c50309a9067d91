/* SPDX-License-Identifier: Apache-2.0 */
/* What kills a mutant, scores, and the processes that judge them. */
#include "harness/mutants/mutants.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/core/config.h"
#include "harness/core/report.h"

void ls_score_free(ls_score *score) {
    free(score->params);
    ls_args_free(&score->survivors);
    ls_args_free(&score->what);
    ls_args_free(&score->open);
    ls_args_free(&score->open_what);
    ls_args_free(&score->odd);
    ls_args_free(&score->odd_what);
    *score = (ls_score){0};
}

const char *ls_kill_name(ls_kill kill) {
    static const char *const names[] = {"mismatch", "vacuous", "crash", "hang", "astray", "test", "lost", "missed"};
    return names[kill];
}

ls_mutant *ls_mutants_judge(uint32_t count, int jobs, ls_judge_fn *judge, const void *ctx) {
    const size_t size = (count + 1) * sizeof(ls_mutant); /* and how many are judged */
    const uint32_t width = jobs < 1 ? 1 : (uint32_t)jobs;
    ls_mutant *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t *workers = ls_alloc(width, sizeof *workers);
    if (shared == MAP_FAILED) ls_die("no memory for %u mutants", count);
    for (uint32_t i = 0; i < count; i++) shared[i].fate = LS_FATE_BROKEN;
    uint32_t *judged = (uint32_t *)(void *)&shared[count];
    (void)fflush(NULL);
    const pid_t self = getpid();
    for (uint32_t w = 0; w < width; w++) {
        workers[w] = fork();
        if (workers[w] < 0) ls_die("cannot start a process");
        if (workers[w] > 0) continue;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* no worker outlives a killed run */
        if (getppid() != self) _exit(1);
        for (uint32_t i = w; i < count; i += width) {
            ls_mutant m = {.fate = LS_FATE_BROKEN};
            judge(ctx, i + 1, &m);
            shared[i] = m;
            (void)__atomic_add_fetch(judged, 1, __ATOMIC_RELAXED);
        }
        (void)fflush(NULL);
        _exit(0);
    }
    ls_progress_begin("mutants");
    ls_progress_count(judged, count, "judged");
    for (uint32_t w = 0; w < width; w++)
        while (waitpid(workers[w], NULL, 0) < 0 && errno == EINTR) {
        }
    ls_progress_end();
    ls_mutant *list = ls_alloc(count + 1, sizeof *list);
    memcpy(list, shared, count * sizeof *list);
    (void)munmap(shared, size);
    free(workers);
    return list;
}

char *ls_score_add(ls_score *score, uint32_t number, const ls_mutant *m, const char *what) {
    score->cycles += m->cycles;
    score->compares += m->compares;
    score->refused += m->fate == LS_FATE_NONE;
    if (m->fate == LS_FATE_NONE) return NULL;
    if (m->fate == LS_FATE_BROKEN)
        return ls_format("mutant %u, %s: %s", number, what, m->how[0] != '\0' ? m->how : "its process died");
    score->made++;
    /* Numbers are of one netlist: together with its parameters they name a mutant. */
    const bool named = strcmp(score->side, "rtl") == 0 && score->params[0] != '\0';
    char *name = named ? ls_format("%s/%u", score->params, number) : ls_format("%u", number);
    if (m->fate == LS_FATE_KILLED) {
        score->killed++;
        score->kills[m->kill]++;
        if (m->kill != LS_KILL_MISMATCH && m->kill != LS_KILL_TEST) {
            ls_args_add(&score->odd, "%s", name);
            ls_args_add(&score->odd_what, "%s: %s", what, m->how);
        }
    }
    if (m->fate == LS_FATE_EQUIVALENT) score->equivalent++;
    if (m->fate == LS_FATE_SURVIVED) {
        score->survived++;
        ls_args_add(&score->survivors, "%s", name);
        ls_args_add(&score->what, "%s", what);
    }
    if (m->fate == LS_FATE_UNDECIDED) {
        score->undecided++;
        ls_args_add(&score->open, "%s", name);
        ls_args_add(&score->open_what, "%s%s%s", what, m->how[0] != '\0' ? ": " : "", m->how);
    }
    free(name);
    return NULL;
}

/* The first line of what was said that tells of a full disk, or of a process that signal 9 or 15 ended: none does that to itself.
 * NULL: nothing came from outside. */
static const char *from_outside(const char *said) {
    static const char *const words[] = {"No space left on device",
                                        "Disk quota exceeded",
                                        "killed by signal 9 (",
                                        "killed by signal 15 (",
                                        "Killed signal terminated program", /* gcc's words */
                                        "Terminated signal terminated program"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(said, words[i]);
        if (at != NULL && (first == NULL || at < first)) first = at;
    }
    while (first != NULL && first > said && first[-1] != '\n') first--;
    return first;
}

/* Broken, and the line that says why. */
static void break_off(const char *said, ls_mutant *m) {
    const char *line = from_outside(said);
    if (line == NULL) line = said + strspn(said, "\n");
    m->fate = LS_FATE_BROKEN;
    (void)snprintf(m->how, sizeof m->how, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Whether a line says "file:12: error: ...", or with a column: "cc1: error: ..." and "fatal error" are of no source's doing. */
static bool names_error(const char *said) {
    for (const char *at = said; (at = strstr(at, ": error: ")) != NULL; at++) {
        const char *digits = at;
        while (digits > said && isdigit((unsigned char)digits[-1])) digits--;
        if (digits < at && digits > said && digits[-1] == ':') return true;
    }
    return false;
}

void ls_mutants_uncompiled(const char *said, bool refused, ls_mutant *m) {
    if (refused && names_error(said)) m->fate = LS_FATE_NONE;
    else break_off(said, m);
}

void ls_mutants_ended(int error, const ls_process_result *r, ls_mutant *m) {
    char ending[80];
    m->kill = error == 0 && r->timed_out ? LS_KILL_HANG : LS_KILL_TEST;
    m->fate = LS_FATE_KILLED;
    if (error != 0) break_off(strerror(-error), m);
    else if (!r->timed_out && ls_from_outside(r->signal)) break_off(ls_process_ending(r, ending, sizeof ending), m);
    else if (from_outside(r->output) != NULL) break_off(r->output, m);
}

/* A DUT that was killed from outside says nothing; a netlist has no loop that could fail to settle, so that one that does is no
 * mutant's doing. What does not fit is the mutated model's doing, since it fits without a mutant; a netlist does or does not for
 * all. */
static bool is_broken(const ls_request *request, const ls_result *r) {
    if (r->status == LS_CRASH && from_outside(r->message) != NULL) return true;
    if (r->status == LS_CRASH && request->select_port != NULL && strstr(r->message, "converge") != NULL) return true;
    const bool unfit = r->input_unfit || (r->model_unfit && request->select_port == NULL);
    return r->status == LS_BUILD || (r->status == LS_USAGE && !unfit);
}

static ls_kill kill_of(const ls_result *r) {
    return r->status == LS_VACUOUS ? LS_KILL_VACUOUS
           : r->status == LS_CRASH ? LS_KILL_CRASH
           : r->status == LS_HANG  ? LS_KILL_HANG
           : r->status == LS_USAGE ? LS_KILL_ASTRAY
                                   : LS_KILL_MISMATCH;
}

void ls_mutants_sort(const ls_request *request, const ls_result *r, ls_mutant *m) {
    m->fate = is_broken(request, r) ? LS_FATE_BROKEN : LS_FATE_KILLED;
    m->kill = kill_of(r);
    m->cycle = r->cycles;
    if (r->status == LS_MISMATCH) (void)snprintf(m->how, sizeof m->how, "mismatch in %s", r->mismatch.field);
    else
        (void)snprintf(m->how, sizeof m->how, "%s%s%.*s", ls_status_name(r->status), r->message[0] != '\0' ? ": " : "",
                       (int)strcspn(r->message, "\n"), r->message);
}

bool ls_mutants_bench(const ls_request *request, uint64_t seed, ls_mutant *m) {
    for (uint32_t i = 0; i < LS_MUTANTS_SEEDS; i++) {
        char name[32];
        ls_result r;
        ls_request run = *request;
        (void)snprintf(name, sizeof name, "mutants %u", i);
        run.seed = ls_seed_derive(seed, name);
        if (run.cycles == 0) run.cycles = LS_MUTANTS_CYCLES;
        ls_run(&run, NULL, &r);
        m->cycles += r.cycles;
        m->compares += r.compares;
        if (r.status == LS_PASS) continue; /* vacuous is a finding too: without a mutant the bench is not */
        ls_mutants_sort(request, &r, m);
        return true;
    }
    return false;
}

/* Bits of all registers and memories at these parameters; UINT64_MAX when they are refused. */
static uint64_t state_bits(const ls_unit *unit, const char *set) {
    char error[512];
    void *cfg = ls_config_new(unit), *model = ls_zeroed(unit->model_size);
    uint64_t bits = 0;
    if (ls_config_set_all(unit, cfg, set, error, sizeof error) != 0 || unit->check(cfg) != NULL || unit->init(model, cfg) != 0)
        bits = UINT64_MAX;
    else {
        ls_fields fields = {0};
        ls_unit_fields(unit, &fields, model);
        for (size_t i = 0; i < fields.count; i++) bits += (uint64_t)fields.list[i].bits * fields.list[i].count;
        ls_fields_free(&fields);
    }
    free(model);
    free(cfg);
    return bits;
}

void ls_mutants_sets(const ls_unit *unit, uint64_t most, ls_args *sets) {
    const char *small = unit->faults[0].params != NULL ? unit->faults[0].params : "";
    ls_args_add(sets, "%s", small);
    uint64_t last = 0;
    for (;;) { /* the next larger one; of those with equally much the first */
        size_t best = 0;
        uint64_t least = UINT64_MAX;
        for (size_t i = 0; unit->sets[i] != NULL; i++) {
            const uint64_t bits = state_bits(unit, unit->sets[i]);
            if (bits > last && bits < least && bits <= most && strcmp(unit->sets[i], small) != 0) {
                least = bits;
                best = i;
            }
        }
        if (least == UINT64_MAX) return;
        ls_args_add(sets, "%s", unit->sets[best]);
        last = least;
    }
}
