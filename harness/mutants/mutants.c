/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep mutants: scores and records. What is a mutant, and what kills it, is in mutants_rtl.c, mutants_model.c and
 * mutants_comparer.c. */
#include "harness/mutants/mutants.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
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
#include "harness/core/report.h"
#include "harness/synth/synth_gates.h"

#define SAMPLE 100u     /* mutants of a side, when --sample says nothing */
#define WIDE_BITS 4000u /* of registers and ports at most: beyond it, netlists and proofs take minutes */

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
    static const char *const names[] = {"mismatch", "vacuous", "crash", "hang", "astray", "test"};
    return names[kill];
}

ls_mutant *ls_mutants_judge(uint32_t count, int jobs, ls_judge_fn *judge, const void *ctx) {
    const size_t size = (count + 1) * sizeof(ls_mutant);
    const uint32_t width = jobs < 1 ? 1 : (uint32_t)jobs;
    ls_mutant *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t *workers = ls_alloc(width, sizeof *workers);
    if (shared == MAP_FAILED) ls_die("no memory for %u mutants", count);
    for (uint32_t i = 0; i < count; i++) shared[i].fate = LS_FATE_BROKEN;
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
        }
        (void)fflush(NULL);
        _exit(0);
    }
    for (uint32_t w = 0; w < width; w++)
        while (waitpid(workers[w], NULL, 0) < 0 && errno == EINTR) {
        }
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
    else if (!r->timed_out && ls_from_outside(r->signal))
        break_off(ls_process_ending(r, ending, sizeof ending), m);
    else if (from_outside(r->output) != NULL) break_off(r->output, m);
}

/* A DUT that was killed from outside says nothing; a netlist has no loop that could fail to settle, so that one that does is no
 * mutant's doing. What does not fit is the mutated model's doing, since it fits without a mutant; a netlist does or does not for all. */
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
        unit->fields(&fields, model);
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

/* The set at which a system's netlist sees every bin, where synth_scripts/netlist.sets has one: the small ones of the faults are vacuous
 * without a fault. NULL, or an error to free. */
static char *add_system_set(const ls_unit *unit, ls_args *to) {
    char error[512] = "", *path = ls_format("%s/synth_scripts/netlist.sets", ls_root());
    ls_synth_sets sets;
    const bool there = unit->workload != NULL && ls_readable(path);
    const bool read = there && ls_synth_sets_read(path, &sets, error, sizeof error) == 0;
    for (size_t i = 0; read && i < sets.count; i++)
        if (sets.list[i].unit == unit && sets.list[i].params[0] != '\0') ls_args_add(to, "%s", sets.list[i].params);
    if (read) ls_synth_sets_free(&sets);
    free(path);
    return there && !read ? ls_copy(error) : NULL;
}

/* The RTL's side: half of the mutants at the smallest parameters that the bench is no vacuous one at, half at the widest. */
static int rtl_side(const ls_options *o, uint32_t count, ls_score *scores, size_t *filled, char **error) {
    ls_args sets = {0};
    *error = add_system_set(o->unit, &sets);
    if (*error != NULL) return -1;
    ls_mutants_sets(o->unit, WIDE_BITS, &sets);
    int status = 1;
    for (size_t i = 0, low = 0, high = sets.count; low < high && *filled < 2; i++) {
        const char *set = *filled == 0 ? sets.list[low++] : sets.list[--high];
        void *cfg = ls_config_new(o->unit);
        char text[512];
        if (ls_config_set_all(o->unit, cfg, set, text, sizeof text) != 0) ls_die("%s", text);
        free(*error);
        *error = NULL;
        status = ls_mutants_rtl(o, cfg, (count + (*filled == 0)) / 2, &scores[*filled], error);
        free(cfg);
        if (status < 0) break;
        if (status > 0 && !o->quiet && !o->json)
            ls_say(stderr, "lockstep: %s %s: left out: %s\n", o->unit->name, set, *error);
        *filled += status == 0;
    }
    ls_args_free(&sets);
    if (*filled > 0 && status > 0) status = 0;
    return status;
}

/* ","key":[{"mutant":…,"what":…},…]" */
static void list_json(const char *key, const ls_args *numbers, const ls_args *what, ls_text *t) {
    ls_text_add(t, ",\"%s\":[", key);
    for (size_t i = 0; i < numbers->count; i++) {
        ls_text_add(t, "%s{\"mutant\":\"%s\",\"what\":", i > 0 ? "," : "", numbers->list[i]);
        ls_json_string(t, what->list[i]);
        ls_text_add(t, "}");
    }
    ls_text_add(t, "]");
}

static void score_json(const ls_score *s, ls_text *t) {
    ls_text_add(t, "{\"side\":\"%s\",\"params\":", s->side);
    ls_json_string(t, s->params);
    ls_text_add(t, ",\"ports_only\":%s,\"made\":%u,\"killed\":%u,\"equivalent\":%u,\"survived\":%u,\"undecided\":%u",
                s->ports_only ? "true" : "false", s->made, s->killed, s->equivalent, s->survived, s->undecided);
    ls_text_add(t, ",\"looped\":%u,\"refused\":%u,\"kills\":{", s->looped, s->refused);
    for (int k = 0; k < LS_KILLS; k++) ls_text_add(t, "%s\"%s\":%u", k > 0 ? "," : "", ls_kill_name((ls_kill)k), s->kills[k]);
    ls_text_add(t, "}");
    list_json("survivors", &s->survivors, &s->what, t);
    list_json("open", &s->open, &s->open_what, t);
    list_json("odd_kills", &s->odd, &s->odd_what, t);
    ls_text_add(t, "}");
}

static void score_text(const ls_score *s, const ls_unit *unit) {
    ls_say(stdout, "%-9s %-16s made %3u, killed %3u, equivalent %3u, survived %2u, undecided %2u%s%s%s%s\n", s->side,
                 unit != NULL ? unit->name : "-", s->made, s->killed, s->equivalent, s->survived, s->undecided,
                 s->ports_only ? "  (ports only)" : "", s->params[0] != '\0' ? "  [" : "", s->params,
                 s->params[0] != '\0' ? "]" : "");
    if (s->looped > 0) (void)printf("    left out  %4u  in which a bit would depend on itself\n", s->looped);
    if (s->refused > 0) (void)printf("    left out  %4u  that the compiler refuses\n", s->refused);
    for (size_t i = 0; i < s->odd.count; i++) ls_say(stdout, "    killed    %4s  %s\n", s->odd.list[i], s->odd_what.list[i]);
    for (size_t i = 0; i < s->survivors.count; i++)
        ls_say(stdout, "    survived  %4s  %s\n", s->survivors.list[i], s->what.list[i]);
    for (size_t i = 0; i < s->open.count; i++) ls_say(stdout, "    undecided %4s  %s\n", s->open.list[i], s->open_what.list[i]);
}

static void add_option(ls_text *t, const char *option, const char *value) {
    char *word = ls_shell_word(value);
    ls_text_add(t, " %s %s", option, word);
    free(word);
}

/* The command that does it again. */
static char *command(const ls_options *o) {
    ls_text t = {0};
    char *self = ls_shell_word(o->argv[0]);
    ls_text_add(&t, "%s mutants%s%s", self, o->unit != NULL ? " " : "", o->unit != NULL ? o->unit->name : "");
    free(self);
    if (o->side != NULL) add_option(&t, "--side", o->side);
    if (o->sample != 0) ls_text_add(&t, " --sample %u", o->sample);
    ls_text_add(&t, " --seed %016" PRIx64, o->seed);
    return ls_text_take(&t);
}

/* The record, printed or told, and appended to --record. Returns the exit code. */
static int report(const ls_options *o, const ls_score *scores, size_t count, const char *status, const char *message,
                  double seconds) {
    uint64_t cycles = 0, compares = 0;
    for (size_t i = 0; i < count; i++) {
        cycles += scores[i].cycles;
        compares += scores[i].compares;
    }
    ls_text t = {0};
    ls_text_add(&t, "{\"unit\":");
    ls_json_string(&t, o->unit != NULL ? o->unit->name : "");
    ls_text_add(
        &t, ",\"status\":\"%s\",\"seed\":\"%016" PRIx64 "\",\"cycles\":%" PRIu64 ",\"compared_bits\":%" PRIu64 ",\"mutants\":[",
        status, o->seed, cycles, compares);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) ls_text_add(&t, ",");
        score_json(&scores[i], &t);
    }
    ls_text_add(&t, "],\"message\":");
    ls_json_string(&t, message);
    char *again = command(o);
    ls_text_add(&t, ",\"seconds\":%.3f,\"command\":", seconds);
    ls_json_string(&t, again);
    ls_text_add(&t, "}");
    free(again);
    if (o->json) (void)printf("%s\n", t.data);
    else if (!o->quiet) {
        for (size_t i = 0; i < count; i++) score_text(&scores[i], o->unit);
        ls_say(stdout, "%s  %s  %.1f s%s%s\n", status, o->unit != NULL ? o->unit->name : "comparer", seconds,
                     message[0] != '\0' ? "\n" : "", message);
    }
    ls_text_add(&t, "\n");
    const int failed = o->record != NULL ? ls_text_append(&t, o->record) : 0; /* several jobs may append to one file */
    if (failed != 0) ls_say(stderr, "lockstep: %s: %s\n", o->record, strerror(-failed));
    free(ls_text_take(&t));
    const bool pass = strcmp(status, "pass") == 0, survived = strcmp(status, "survived") == 0;
    return failed != 0 ? 2 : pass ? 0 : survived ? 1 : 2;
}

/* Which sides are asked for: bits 1 rtl, 2 model, 4 comparer; 0 after a message. */
static unsigned sides_of(const ls_options *o) {
    static const char *const names[] = {"rtl", "model", "comparer"};
    unsigned sides = o->side == NULL ? (o->unit != NULL ? 3u : 4u) : 0u;
    for (unsigned i = 0; i < 3 && o->side != NULL; i++)
        if (strcmp(o->side, names[i]) == 0) sides = 1u << i;
    if (sides == 0) ls_say(stderr, "lockstep: --side %s: expected rtl, model or comparer\n", o->side);
    if (sides == 4 || sides == 0 || o->unit != NULL) return sides;
    ls_say(stderr, "lockstep: mutants --side %s needs a unit: `lockstep list` names them\n", o->side);
    return 0;
}

/* Why there is no score: a side made none of its mutants. NULL: there is one, or the side has nothing to change. To be freed. */
static char *none_made(const ls_score *scores, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t made = 0, refused = 0, looped = 0;
        for (size_t k = 0; k < count; k++) {
            if (strcmp(scores[k].side, scores[i].side) != 0) continue;
            made += scores[k].made;
            refused += scores[k].refused;
            looped += scores[k].looped;
        }
        if (made == 0 && refused + looped > 0)
            return ls_format("%s: no mutant could be made: the compiler refuses %u, in %u a bit would depend on itself",
                             scores[i].side, refused, looped);
    }
    return NULL;
}

int ls_command_mutants(ls_options *o) {
    const unsigned sides = sides_of(o);
    if (sides == 0) return 2;
    const double start = ls_seconds();
    const uint32_t count = o->sample != 0 ? o->sample : SAMPLE;
    ls_score scores[4] = {{0}};
    size_t filled = 0;
    char *error = NULL;
    int failed = 0;
    if ((sides & 1) != 0) failed = rtl_side(o, count, scores, &filled, &error);
    if ((sides & 2) != 0 && failed == 0) filled += (failed = ls_mutants_model(o, count, &scores[filled], &error)) == 0;
    if ((sides & 4) != 0 && failed == 0) filled += (failed = ls_mutants_comparer(o, count, &scores[filled], &error)) == 0;
    uint32_t survived = 0, open = 0, made = 0;
    for (size_t i = 0; i < filled; i++) {
        const bool proved = strcmp(scores[i].side, "rtl") == 0; /* of the others, that they can be noticed is not */
        *(proved ? &survived : &open) += scores[i].survived;
        made += scores[i].made;
    }
    char *none = failed == 0 ? none_made(scores, filled) : NULL;
    if (none != NULL) {
        free(error);
        error = none;
    } else if (failed == 0 && made == 0 && error == NULL) error = ls_copy("no mutant could be made");
    const bool scored = failed == 0 && made > 0 && none == NULL;
    const char *status = !scored ? "build" : survived > 0 ? "survived" : "pass";
    if (!scored && o->quiet && error != NULL) ls_say(stderr, "lockstep: %s\n", error);
    char *note =
        open == 0 ? ls_copy("") : ls_format("%u of model or comparer survived: not proved to be noticeable, so no failure", open);
    const int code = report(o, scores, filled, status, scored ? note : error, ls_seconds() - start);
    free(note);
    for (size_t i = 0; i < filled; i++) ls_score_free(&scores[i]);
    free(error);
    return code;
}
