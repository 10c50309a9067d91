/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep prove --netlist. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/progress.h"
#include "harness/base/root.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/core/report.h"
#include "harness/netlist/prove.h"

#define SECONDS 60u      /* of work for each question, when --seconds says nothing */
#define TOOL_MS 1800000u /* each command of Yosys */

static const char *const verdicts[] = {"equivalent", "different", "undecided"};

/* The command that does it again; free() it. */
static char *command_of(const ls_options *o) {
    ls_text t = {0};
    char *self = ls_shell_word(o->argv[0]);
    ls_text_add(&t, "%s prove %s --netlist", self, o->unit->name);
    free(self);
    for (size_t i = 0; i < o->unit->param_count; i++) {
        const ls_param *p = &o->unit->params[i];
        if (ls_config_get(p, o->cfg) != p->def) ls_text_add(&t, " --param %s=%u", p->name, ls_config_get(p, o->cfg));
    }
    if (o->rtl.count > 0) ls_text_add(&t, " --rtl");
    for (size_t i = 0; i < o->rtl.count; i++) {
        char *word = ls_shell_word(o->rtl.list[i]);
        ls_text_add(&t, " %s", word);
        free(word);
    }
    if (o->map != NULL) {
        char *word = ls_shell_word(o->map);
        ls_text_add(&t, " --map %s", word);
        free(word);
    }
    if (o->ports_only) ls_text_add(&t, " --ports-only");
    if (o->allow_system) ls_text_add(&t, " --allow-system");
    if (o->liberty != NULL) {
        char *word = ls_shell_word(o->liberty);
        ls_text_add(&t, " --lib %s", word);
        free(word);
    }
    if (o->seconds != 0) ls_text_add(&t, " --seconds %u", o->seconds);
    return ls_text_take(&t);
}

/* Prints and records it. Returns the exit code; `error`: it could not be asked. */
static int report(const ls_options *o, const ls_prove_result *r, const char *folder, const char *error, double seconds) {
    const char *status = error != NULL ? "build" : verdicts[r->proof];
    char *params = ls_config_text(o->unit, o->cfg), *command = command_of(o);
    ls_text t = {0};
    ls_json_open(&t, NULL, '{');
    ls_json_text(&t, "unit", o->unit->name);
    ls_json_text(&t, "params", params);
    ls_json_text(&t, "status", status);
    ls_json_text(&t, "method", error != NULL ? "" : r->method);
    ls_json_uint(&t, "register_bits_bound", r->registers);
    ls_json_uint(&t, "register_bits_free", r->free);
    ls_json_uint(&t, "register_bits_not_in_rtl", r->unfound);
    ls_json_uint(&t, "questions", r->questions);
    ls_json_uint(&t, "open_after_structure", r->open);
    ls_json_text(&t, "message", error != NULL ? error : r->message);
    if (folder != NULL) ls_json_text(&t, "folder", folder);
    ls_json_fixed(&t, "seconds", seconds, 3);
    ls_json_text(&t, "command", command);
    ls_json_close(&t, '{');
    const bool good = error == NULL && r->proof == LS_PROOF_EQUIVALENT;
    if (o->json) {
        (void)printf("%s\n", t.data);
    } else if (error != NULL) {
        ls_say(stderr, "lockstep: %s\n", error);
    } else if (!o->quiet || !good) {
        static const char *const methods[] = {"structure",  "by structure alone",
                                              "registers",  "by combinational equivalence, registers matched by name (&cec)",
                                              "trace",      "by a trace from power-up on (bmc3)",
                                              "sequential", "by sequential equivalence (dprove)"};
        const char *how = "";
        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i += 2)
            if (strcmp(methods[i], r->method) == 0) how = methods[i + 1];
        ls_say(stdout, "%s  %s%s%s  %.1f s\n", status, o->unit->name, params[0] != '\0' ? " " : "", params, seconds);
        if (r->message[0] != '\0') ls_say(stdout, "  %s\n", r->message);
        if (how[0] != '\0')
            ls_say(stdout,
                   "  %s; %zu register bits bound, %zu not in the netlist, %zu no flip-flop of the RTL, %zu outputs and "
                   "next states asked for, %zu open after structure\n",
                   how, r->registers, r->free, r->unfound, r->questions, r->open);
        if (how[0] != '\0')
            ls_say(stdout, "  this speaks of synthesis, not of what Yosys misreads: `run --netlist` does (%s)\n",
                   ls_docs("netlist.md"));
        if (!good) ls_say(stdout, "  again    %s\n", command);
    }
    ls_text_add(&t, "\n");
    const int failed = o->record != NULL ? ls_text_append(&t, o->record) : 0; /* several jobs may append to one file */
    if (failed != 0) ls_say(stderr, "lockstep: %s: %s\n", o->record, strerror(-failed));
    free(ls_text_take(&t));
    free(params);
    free(command);
    return failed != 0 || error != NULL || r->proof == LS_PROOF_UNDECIDED ? 2 : good ? 0 : 1;
}

int ls_command_prove_netlist(ls_options *o) {
    const double start = ls_seconds();
    char *error = NULL;
    ls_synth synth = {0};
    ls_prove_result result = {0};
    const ls_synth_request make = {.unit = o->unit,
                                   .cfg = o->cfg,
                                   .rtl = (const char *const *)o->rtl.list,
                                   .rtl_count = o->rtl.count,
                                   .liberty = o->liberty,
                                   .macros = true,
                                   .timeout_ms = TOOL_MS};
    const char *wrong = o->unit->check(o->cfg);
    if (wrong != NULL) error = ls_format("%s: %s", o->unit->name, wrong);
    if (error == NULL) (void)ls_command_rtl_fits(o, &error);
    if (error == NULL) (void)ls_synth_make(&make, &synth, &error);
    const ls_prove_request request = {.gates = {.unit = o->unit,
                                                .cfg = o->cfg,
                                                .folder = synth.folder,
                                                .liberty = synth.liberty,
                                                .timeout_ms = TOOL_MS,
                                                .ports_only = o->ports_only},
                                      .rtl = make.rtl,
                                      .rtl_count = make.rtl_count,
                                      .seconds = o->seconds != 0 ? o->seconds : SECONDS};
    ls_progress_begin("%s: proof", o->unit->name);
    if (error == NULL) (void)ls_prove_gates(&request, &result, &error);
    ls_progress_end();
    const int code = report(o, &result, synth.folder, error, ls_seconds() - start);
    if (error == NULL) ls_prove_result_free(&result);
    ls_synth_free(&synth);
    free(error);
    return code;
}
