/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep model: the C model alone with its stimulus or a workload, its properties and its counters; no RTL, no compiler. */
#include <inttypes.h>
#include <math.h>
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
#include "harness/core/source.h"

#define DEFAULT_CYCLES 1000000u

typedef struct model_run {
    const ls_unit *unit;
    void *model, *in, *out;
    ls_source source;
    uint64_t cycles;
    double seconds;
    bool drained;       /* ls_source_drained */
    uint64_t unknown;   /* instructions of the workload whose opcode no rule speaks for, */
    const char *first;  /* and the first one's text */
    const char *status; /* "pass", "ran" (no property), "violation" or "usage" */
    char message[1024];
} model_run;

static void walk(model_run *r, uint64_t cycles) {
    const ls_unit *u = r->unit;
    const double start = ls_seconds();
    while (cycles == 0 || r->cycles < cycles) {
        const ls_source_next next = ls_source_step(&r->source, r->model, r->in);
        if (next == LS_NEXT_END) break;
        r->cycles++;
        if (next == LS_NEXT_RESET) {
            u->reset(r->model);
            continue;
        }
        if (u->step != NULL) {
            u->step(r->model, r->in, r->out);
            ls_source_observe(&r->source, r->in, r->out);
        } else {
            u->comb(r->model, r->in, r->out);
            ls_source_observe(&r->source, r->in, r->out);
            u->clock(r->model, r->in);
        }
        if (u->property != NULL && (ls_source_property(&r->source) != NULL || u->workload_error(r->source.stim) != NULL)) break;
    }
    r->seconds = ls_seconds() - start;
    r->drained = ls_source_drained(&r->source);
    if (r->source.workload) r->unknown = u->workload_unknown(r->source.stim, &r->first);
}

/* How it ended, in a word and a sentence. Without a property nothing was checked, and that is no pass. */
static void judge(model_run *r, bool workload) {
    const ls_unit *u = r->unit;
    const bool began = r->source.stim != NULL;
    const char *unread = began && u->property != NULL ? u->workload_error(r->source.stim) : NULL;
    const char *violated = ls_source_property(&r->source);
    r->status = u->property != NULL ? "pass" : "ran";
    if (u->property == NULL) (void)snprintf(r->message, sizeof r->message, "%s has no property: nothing was checked", u->name);
    if (!began || r->cycles <= LS_RESET_CYCLES) {
        r->status = "usage";
        (void)snprintf(r->message, sizeof r->message, "%s: only the %u cycles of the reset were run",
                       workload && began && u->done(r->source.stim) ? "the workload has no instruction" : "--cycles is too small",
                       LS_RESET_CYCLES);
    } else if (unread != NULL || violated != NULL) {
        r->status = unread != NULL ? "usage" : "violation";
        (void)snprintf(r->message, sizeof r->message, "%s", unread != NULL ? unread : violated);
    } else if (u->property != NULL && r->source.legal == 0) {
        r->status = "ran";
        (void)snprintf(r->message, sizeof r->message, "no cycle had legal inputs: no property was checked");
    } else if (workload && !r->drained) {
        (void)snprintf(r->message, sizeof r->message, "stopped by --cycles before the workload's end");
    }
}

typedef struct counter_sink {
    ls_text *json; /* NULL: to stdout as text */
} counter_sink;

static void print_counter(void *ctx, const char *name, double value) {
    counter_sink *s = ctx;
    if (s->json == NULL) {
        if (isfinite(value)) ls_say(stdout, "  %-22s %.10g\n", name, value);
        else ls_say(stdout, "  %-22s -\n", name);
        return;
    }
    ls_json_real(s->json, name, value, 10);
}

/* It could not be run to its end: what was counted until then is of no workload. */
static bool failed(const model_run *r) { return strcmp(r->status, "usage") == 0; }

static void add_record(const ls_options *o, const model_run *r, ls_text *to) {
    const ls_unit *u = r->unit;
    ls_json_open(to, NULL, '{');
    ls_json_text(to, "model", u->name);
    ls_report_params(u, o->cfg, to);
    ls_report_surroundings(o->machine, &o->described.surroundings, to);
    ls_json_seed(to, "seed", o->seed);
    if (o->workload != NULL) {
        ls_json_text(to, "workload", o->workload);
        ls_json_bool(to, "drained", r->drained);
        ls_json_uint(to, "unknown_opcodes", r->unknown);
    }
    if (o->load_latency != 0) ls_json_uint(to, "load_latency", o->load_latency);
    if (r->source.copy_count > 0) ls_json_uint(to, "sub_cores", r->source.copy_count + 1);
    ls_json_uint(to, "cycles", r->cycles);
    if (u->property != NULL) ls_json_uint(to, "legal_cycles", r->source.legal);
    ls_json_fixed(to, "seconds", r->seconds, 6);
    ls_json_text(to, "status", r->status);
    if (u->counters != NULL && r->source.stim != NULL && !failed(r)) {
        counter_sink sink = {.json = to};
        ls_json_open(to, "counters", '{');
        u->counters(r->source.stim, r->model, print_counter, &sink);
        ls_json_close(to, '{');
        if (r->source.copy_count > 0) ls_json_open(to, "other_sub_cores", '[');
        for (uint32_t i = 0; i < r->source.copy_count; i++) {
            ls_json_open(to, NULL, '{');
            u->counters(r->source.copies[i].stim, r->source.copies[i].model, print_counter, &sink);
            ls_json_close(to, '{');
        }
        if (r->source.copy_count > 0) ls_json_close(to, '[');
    }
    if (r->message[0] != '\0') {
        ls_json_text(to, "message", r->message);
    }
    char *command = ls_options_command(o, o->command, o->seed, o->cycles);
    ls_json_text(to, "command", command);
    ls_json_close(to, '{');
    free(command);
}

static void report(const ls_options *o, const model_run *r) {
    ls_text record = {0};
    add_record(o, r, &record);
    if (o->json) {
        (void)printf("%s\n", record.data);
    } else if (failed(r)) {
        ls_say(stderr, "lockstep: %s: %s\n", r->unit->name, r->message);
    } else if (!o->quiet || (strcmp(r->status, "pass") != 0 && strcmp(r->status, "ran") != 0)) {
        ls_say(stdout, "%s: %s, %" PRIu64 " cycles of the model alone in %.2f s\n", r->unit->name, r->status, r->cycles,
               r->seconds);
        if (r->message[0] != '\0') ls_say(stdout, "  %s\n", r->message);
        if (strcmp(r->status, "violation") == 0)
            (void)printf("  in cycle %" PRIu64 " of the run; the message counts from the last reset\n", r->cycles - 1);
        counter_sink sink = {.json = NULL};
        if (r->unit->counters != NULL && r->source.epoch_start != 0) (void)printf("  since the last reset:\n");
        ls_report_sub_cores(r->source.copy_count + 1, stdout);
        if (r->unit->counters != NULL && r->source.stim != NULL)
            r->unit->counters(r->source.stim, r->model, print_counter, &sink);
        ls_report_unknown(r->unknown, r->first, stdout);
    }
    if (o->record != NULL) {
        ls_text_add(&record, "\n");
        const int error = ls_text_append(&record, o->record); /* several jobs may append to one file */
        if (error != 0) ls_die("%s: %s", o->record, strerror(-error));
    }
    free(ls_text_take(&record));
}

int ls_command_model(ls_options *o) {
    model_run r = {.unit = o->unit};
    char error[1024];
    const char *wrong = o->unit->check(o->cfg);
    if (wrong != NULL) {
        ls_say(stderr, "lockstep: %s: %s\n", o->unit->name, wrong);
        return 2;
    }
    r.model = ls_zeroed(o->unit->model_size);
    r.in = ls_zeroed(o->unit->in_size);
    r.out = ls_zeroed(o->unit->out_size);
    if (o->load_latency != 0 && o->workload == NULL) {
        ls_say(stderr, "lockstep: --load-latency is of a workload's loads: --workload FILE\n");
        return 2;
    }
    if (o->unit->init(r.model, o->cfg) != 0) ls_die("%s: init failed after its own check", o->unit->name);
    if (ls_source_open(&r.source, o->unit, r.model, o->seed, o->workload, error, sizeof error) != 0) {
        ls_say(stderr, "lockstep: %s\n", error);
        free(r.model);
        free(r.in);
        free(r.out);
        return 2;
    }
    ls_source_surround(&r.source, &o->described.surroundings, o->cfg);
    ls_progress_begin("%s: the model alone", o->unit->name);
    walk(&r, o->cycles != 0 || o->workload != NULL ? o->cycles : DEFAULT_CYCLES);
    ls_progress_end();
    judge(&r, o->workload != NULL);
    report(o, &r);
    ls_source_close(&r.source);
    free(r.model);
    free(r.in);
    free(r.out);
    return failed(&r) ? 2 : strcmp(r.status, "violation") == 0;
}
