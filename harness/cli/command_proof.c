/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep prove: of the model against the RTL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/core/report.h"
#include "harness/dut/toolchain.h"
#include "harness/proof/proof.h"

#define SECONDS 180u /* of the solver's work, when --seconds says nothing */
#define TRIALS 4096u

static const char *status_of(const ls_proof_answer *a, const char *error) {
    if (error != NULL || a->unconfirmed) return "build";
    return a->verdict == LS_REFUTED ? "different" : a->verdict == LS_UNDECIDED ? "undecided" : "proved";
}

/* The proof of a unit that is cut, by itself. */
typedef struct alone {
    const char *status; /* NULL: it was not asked for */
    double seconds;
} alone;

static void show_json(const ls_options *o, const ls_proof_answer *a, const alone *units, const char *error, double seconds,
                      ls_text *t) {
    static const char *const kinds[] = {"meaning", "lanes", "units", "rtl", "step", "hidden", "invariant"};
    char *params = ls_config_text(o->unit, o->cfg), *yosys = ls_yosys_version();
    ls_json_open(t, NULL, '{');
    ls_json_text(t, "unit", o->unit->name);
    ls_json_text(t, "params", params);
    ls_json_text(t, "status", status_of(a, error));
    ls_json_text(t, "message", error != NULL ? error : a->message);
    if (error == NULL && a->verdict == LS_REFUTED) ls_json_text(t, "of", kinds[a->kind]);
    ls_json_uint(t, "output_bits", a->outputs);
    ls_json_uint(t, "state_bits", a->states);
    ls_json_uint(t, "places_without_meaning_in_c", a->misuses);
    ls_json_uint(t, "invariants", a->invariants);
    if (o->lanes) {
        ls_json_uint(t, "lanes", a->lanes);
        ls_json_uint(t, "lane_bits", a->lane_bits);
        ls_json_uint(t, "shared_bits", a->shared_bits);
    }
    ls_json_uint(t, "questions", a->questions);
    ls_json_uint(t, "open_after_structure", a->open);
    ls_json_uint(t, "gates", a->gates);
    ls_json_uint(t, "trials", a->trials);
    ls_json_uint(t, "model_sources", a->sources);
    ls_json_text(t, "model_hash", a->model_hash != NULL ? a->model_hash : "");
    ls_json_text(t, "rtl_hash", a->rtl_hash != NULL ? a->rtl_hash : "");
    ls_json_text(t, "yosys", yosys != NULL ? yosys : "");
    ls_json_fixed(t, "seconds_model", a->model_seconds, 3);
    ls_json_fixed(t, "seconds_rtl", a->rtl_seconds, 3);
    ls_json_fixed(t, "seconds_solver", a->solver_seconds, 3);
    ls_json_fixed(t, "seconds", seconds, 3);
    if (o->cut.count > 0) {
        ls_json_open(t, "follows_from", '[');
        for (size_t i = 0; i < a->cuts; i++) {
            ls_json_open(t, NULL, '{');
            ls_json_text(t, "unit", a->cut[i]);
            if (units[i].status != NULL) ls_json_text(t, "status", units[i].status);
            if (units[i].status != NULL) ls_json_fixed(t, "seconds", units[i].seconds, 3);
            ls_json_close(t, '{');
        }
        ls_json_close(t, '[');
    }
    ls_json_close(t, '{');
    free(params);
    free(yosys);
}

static void print_answer(const ls_options *o, const ls_proof_answer *a, const alone *units, double seconds) {
    char *params = ls_config_text(o->unit, o->cfg);
    ls_say(stdout, "%s  %s%s%s", status_of(a, NULL), o->unit->name, params[0] != '\0' ? " " : "", params);
    if (a->verdict == LS_PROVED_UNDER_INVARIANT)
        ls_say(stdout, " under %u invariant%s, proved too", a->invariants, a->invariants > 1 ? "s" : "");
    ls_say(stdout, "  %.1f s\n", seconds);
    if (a->message[0] != '\0') ls_say(stdout, "  %s\n", a->message);
    ls_say(stdout,
           "  from any state and input: %zu bits of outputs, %zu of registers and memories; %zu check%s for undefined "
           "behaviour of C; %zu questions, %zu open after structure, %u gates\n",
           a->outputs, a->states, a->misuses, a->misuses == 1 ? "" : "s", a->questions, a->open, a->gates);
    if (a->lanes > 0 && status_of(a, NULL)[0] == 'p')
        ls_say(stdout,
               "  %u lanes, each the same function of its own bits and the shared ones: %zu bits a lane; %zu shared, which "
               "depend on no lane\n",
               a->lanes, a->lane_bits, a->shared_bits);
    if (a->cuts > 0) ls_say(stdout, "  it follows from proofs of the units alone:\n");
    for (size_t i = 0; i < a->cuts; i++) {
        ls_say(stdout, "    %s", a->cut[i]);
        if (units[i].status != NULL) ls_say(stdout, "  %s, %.1f s", units[i].status, units[i].seconds);
        ls_say(stdout, "\n");
    }
    free(params);
}

/* Leaves the witness as a case; of a difference from the RTL it is replayed on the Verilated RTL and the compiled model, with all
 * that a failure leaves. Returns the exit code. */
static int leave(ls_options *o, const ls_proof_answer *a) {
    const bool replays = a->kind == LS_ASKED_RTL;
    ls_build_result build = {0};
    ls_case c;
    char error[512];
    if (replays && ls_command_build(o, 0, &build) != 0) return 2;
    ls_proof_case(a, o->unit, o->cfg, &c);
    ls_case_set_rtl(&c, &o->rtl, &o->defines, NULL, false);
    char *folder = ls_command_folder(o), *path = ls_format("%s/failure.case", folder);
    int status = 2;
    if (ls_case_write(&c, path, error, sizeof error) != 0) {
        ls_command_complain(path, error);
    } else if (!replays) {
        if (!o->json) ls_say(stdout, "  case     %s (the state and the input; the RTL is not asked)\n", path);
        status = 1;
    } else {
        o->command = "replay";
        o->file = path;
        status = ls_command_play(o, &build, &c, NULL);
        if (status == 0)
            ls_say(stderr, "lockstep: the replay does not differ: %s\n",
                   o->cut.count > 0 ? "a unit that was cut is not its model, or Yosys reads this RTL otherwise than Verilator"
                                    : "Yosys reads this RTL otherwise than Verilator");
        status = status == 0 ? 2 : status;
    }
    ls_case_free(&c);
    ls_build_free(&build);
    free(folder);
    if (!replays) free(path);
    return status;
}

static int prove(ls_options *o, bool inner);

/* Proves the units that are cut, each by itself at its parameters. When one is not proved, nothing is known of the system. */
static void prove_units(const ls_options *o, ls_proof_answer *a, alone *units) {
    for (size_t i = 0; i < a->cuts; i++) {
        const double start = ls_seconds();
        char *params = ls_copy(a->cut[i]), *name = strsep(&params, " "), error[512];
        ls_options unit = *o;
        unit.unit = ls_unit_find(name);
        unit.cfg = ls_config_new(unit.unit);
        unit.cut = (ls_args){0};
        unit.lanes = unit.units = false;
        unit.quiet = true;
        unit.record = NULL;
        if (params != NULL && ls_config_set_all(unit.unit, unit.cfg, params, error, sizeof error) != 0) ls_die("%s", error);
        const int status = prove(&unit, true);
        units[i] = (alone){status == 0 ? "proved" : status == 1 ? "different" : "undecided", ls_seconds() - start};
        if (status != 0 && a->message[0] == '\0') {
            a->verdict = LS_UNDECIDED;
            free(a->message);
            a->message = ls_format("%s is not proved to be its model", a->cut[i]);
        }
        free(unit.cfg);
        free(name);
    }
}

static bool is_proved(const ls_proof_answer *a) { return a->verdict == LS_PROVED || a->verdict == LS_PROVED_UNDER_INVARIANT; }

/* `inner`: of a unit that is cut; its answer is in the system's record. */
static int prove(ls_options *o, bool inner) {
    const double start = ls_seconds();
    ls_proof_answer answer = {0};
    char *error = NULL;
    const ls_proof_query query = {.unit = o->unit,
                                  .cfg = o->cfg,
                                  .rtl = (const char *const *)o->rtl.list,
                                  .rtl_count = o->rtl.count,
                                  .seconds = o->seconds != 0 ? o->seconds : SECONDS,
                                  .trials = TRIALS,
                                  .lanes = o->lanes,
                                  .cut = (const char *const *)o->cut.list,
                                  .cut_count = o->cut.count};
    const char *wrong = o->unit->check(o->cfg);
    if (wrong != NULL) error = ls_format("%s: %s", o->unit->name, wrong);
    if (error == NULL) (void)ls_command_rtl_fits(o, &error);
    ls_progress_begin("%s: proof", o->unit->name);
    if (error == NULL) (void)ls_prove_model(&query, &answer, &error);
    ls_progress_end();
    alone *units = ls_alloc(answer.cuts + 1, sizeof *units);
    if (o->units && error == NULL && is_proved(&answer)) prove_units(o, &answer, units);
    const double seconds = ls_seconds() - start;
    ls_text t = {0};
    show_json(o, &answer, units, error, seconds, &t);
    const bool good = error == NULL && is_proved(&answer);
    if (o->json && !inner) (void)printf("%s\n", t.data);
    else if (error != NULL) ls_say(stderr, "lockstep: %s\n", error);
    else if (!o->json && (!o->quiet || !good)) print_answer(o, &answer, units, seconds);
    ls_text_add(&t, "\n");
    const int failed = o->record != NULL ? ls_text_append(&t, o->record) : 0;
    if (failed != 0) ls_say(stderr, "lockstep: %s: %s\n", o->record, strerror(-failed));
    int status = failed != 0 || error != NULL || answer.verdict == LS_UNDECIDED ? 2 : good ? 0 : 1;
    if (status == 1 && answer.unconfirmed) {
        ls_say(stderr, "lockstep: the compiled model does not do that: this is a fault of the proof, not of the unit\n");
        status = 2;
    } else if (status == 1) {
        status = leave(o, &answer);
    }
    free(ls_text_take(&t));
    free(error);
    free(units);
    ls_proof_answer_free(&answer);
    return status;
}

int ls_command_prove(ls_options *o) { return o->netlist ? ls_command_prove_netlist(o) : prove(o, false); }
