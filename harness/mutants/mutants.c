/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep mutants: scores and records. What is a mutant, and what kills it, is in mutants_rtl.c, mutants_model.c and
 * mutants_tool.c. */
#include "harness/mutants/mutants.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/report.h"
#include "harness/synth/synth_gates.h"

#define RTL 1u          /* sides, as bits: */
#define MODEL 2u        /* these two ... */
#define PART 4u         /* ... and from here on the parts of the tool */
#define SAMPLE 100u     /* mutants of a side, when --sample says nothing */
#define WIDE_BITS 4000u /* of registers and ports at most: beyond it, netlists and proofs take minutes */

/* The set at which a system's netlist sees every bin, where synth_scripts/netlist.sets has one: the small ones of the faults are
 * vacuous without a fault. NULL, or an error to free. */
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
    const char *small = NULL;
    for (size_t low = 0, high = sets.count; low < high && *filled < 2;) {
        const char *set = *filled == 0 ? sets.list[low++] : sets.list[--high];
        if (small != NULL && strcmp(set, small) == 0) continue;
        void *cfg = ls_config_new(o->unit);
        char text[512];
        if (ls_config_set_all(o->unit, cfg, set, text, sizeof text) != 0) ls_die("%s", text);
        free(*error);
        *error = NULL;
        status = ls_mutants_rtl(o, cfg, (count + (*filled == 0)) / 2, &scores[*filled], error);
        free(cfg);
        if (status < 0) break;
        if (status > 0 && !o->quiet && !o->json) ls_say(stderr, "lockstep: %s %s: left out: %s\n", o->unit->name, set, *error);
        if (status == 0) small = set, ++*filled;
    }
    ls_args_free(&sets);
    if (*filled > 0 && status > 0) status = 0;
    return status;
}

/* ","key":[{"mutant":…,"what":…},…]" */
static void list_json(const char *key, const ls_args *numbers, const ls_args *what, ls_text *t) {
    ls_json_open(t, key, '[');
    for (size_t i = 0; i < numbers->count; i++) {
        ls_json_open(t, NULL, '{');
        ls_json_text(t, "mutant", numbers->list[i]);
        ls_json_text(t, "what", what->list[i]);
        ls_json_close(t, '{');
    }
    ls_json_close(t, '[');
}

static void score_json(const ls_score *s, ls_text *t) {
    ls_json_open(t, NULL, '{');
    ls_json_text(t, "side", s->side);
    ls_json_text(t, "params", s->params);
    ls_json_bool(t, "ports_only", s->ports_only);
    ls_json_uint(t, "made", s->made);
    ls_json_uint(t, "killed", s->killed);
    ls_json_uint(t, "equivalent", s->equivalent);
    ls_json_uint(t, "survived", s->survived);
    ls_json_uint(t, "undecided", s->undecided);
    ls_json_uint(t, "looped", s->looped);
    ls_json_uint(t, "refused", s->refused);
    ls_json_open(t, "kills", '{');
    for (int k = 0; k < LS_KILLS; k++) ls_json_uint(t, ls_kill_name((ls_kill)k), s->kills[k]);
    ls_json_close(t, '{');
    list_json("survivors", &s->survivors, &s->what, t);
    list_json("open", &s->open, &s->open_what, t);
    list_json("odd_kills", &s->odd, &s->odd_what, t);
    ls_json_close(t, '{');
}

static void score_text(const ls_score *s, const ls_unit *unit) {
    ls_say(stdout, "%-9s %-16s made %3u, killed %3u, equivalent %3u, survived %2u, undecided %2u%s%s%s%s\n", s->side,
           unit != NULL ? unit->name : "-", s->made, s->killed, s->equivalent, s->survived, s->undecided,
           s->ports_only ? "  (ports only)" : "", s->params[0] != '\0' ? "  [" : "", s->params, s->params[0] != '\0' ? "]" : "");
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
    ls_json_open(&t, NULL, '{');
    ls_json_text(&t, "unit", o->unit != NULL ? o->unit->name : "");
    ls_json_text(&t, "status", status);
    ls_json_seed(&t, "seed", o->seed);
    ls_json_uint(&t, "cycles", cycles);
    ls_json_uint(&t, "compared_bits", compares);
    ls_json_open(&t, "mutants", '[');
    for (size_t i = 0; i < count; i++) score_json(&scores[i], &t);
    ls_json_close(&t, '[');
    ls_json_text(&t, "message", message);
    char *again = command(o);
    ls_json_fixed(&t, "seconds", seconds, 3);
    ls_json_text(&t, "command", again);
    ls_json_close(&t, '{');
    free(again);
    if (o->json) (void)printf("%s\n", t.data);
    else if (!o->quiet) {
        for (size_t i = 0; i < count; i++) score_text(&scores[i], o->unit);
        ls_say(stdout, "%s  %s  %.1f s%s%s\n", status,
               o->unit != NULL   ? o->unit->name
               : o->side != NULL ? o->side
                                 : ls_mutants_part(0),
               seconds, message[0] != '\0' ? "\n" : "", message);
    }
    ls_text_add(&t, "\n");
    const int failed = o->record != NULL ? ls_text_append(&t, o->record) : 0; /* several jobs may append to one file */
    if (failed != 0) ls_say(stderr, "lockstep: %s: %s\n", o->record, strerror(-failed));
    free(ls_text_take(&t));
    const bool pass = strcmp(status, "pass") == 0, survived = strcmp(status, "survived") == 0;
    return failed != 0 ? 2 : pass ? 0 : survived ? 1 : 2;
}

/* Which sides are asked for: bits 1 rtl, 2 model, 4 and above parts of the tool; 0 after a message. */
static unsigned sides_of(const ls_options *o) {
    if (o->side == NULL) return o->unit != NULL ? RTL | MODEL : PART; /* the comparer */
    ls_nearest near = {.word = o->side};
    ls_nearest_try(&near, "rtl");
    ls_nearest_try(&near, "model");
    unsigned side = strcmp(o->side, "rtl") == 0 ? RTL : strcmp(o->side, "model") == 0 ? MODEL : 0;
    ls_text names = {0};
    for (size_t i = 0; i < LS_MUTANTS_PARTS; i++) {
        if (strcmp(o->side, ls_mutants_part(i)) == 0) side = PART << i;
        ls_nearest_try(&near, ls_mutants_part(i));
        ls_text_add(&names, "%s%s", i + 1 < LS_MUTANTS_PARTS ? ", " : " or ", ls_mutants_part(i));
    }
    if (side == 0 && near.name != NULL) ls_say(stderr, "lockstep: --side %s: did you mean %s?\n", o->side, near.name);
    else if (side == 0) ls_say(stderr, "lockstep: --side %s: expected rtl, model%s\n", o->side, names.data);
    free(ls_text_take(&names));
    if (side == 0 || side >= PART || o->unit != NULL) return side;
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
    if (o->hard != NULL) return ls_mutants_curve(o);
    const unsigned sides = sides_of(o);
    if (sides == 0) return 2;
    const double start = ls_seconds();
    const uint32_t count = o->sample != 0 ? o->sample : SAMPLE;
    ls_score scores[4] = {{0}};
    size_t filled = 0;
    char *error = NULL;
    int failed = 0;
    if ((sides & RTL) != 0) failed = rtl_side(o, count, scores, &filled, &error);
    if ((sides & MODEL) != 0 && failed == 0) filled += (failed = ls_mutants_model(o, count, &scores[filled], &error)) == 0;
    for (size_t i = 0; i < LS_MUTANTS_PARTS && failed == 0; i++)
        if ((sides & PART << i) != 0) filled += (failed = ls_mutants_tool(o, i, count, &scores[filled], &error)) == 0;
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
        open == 0 ? ls_copy("") : ls_format("%u of model or tool survived: not proved to be noticeable, so no failure", open);
    const int code = report(o, scores, filled, status, scored ? note : error, ls_seconds() - start);
    free(note);
    for (size_t i = 0; i < filled; i++) ls_score_free(&scores[i]);
    free(error);
    return code;
}
