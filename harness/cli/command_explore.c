/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep explore. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/progress.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/core/report.h"
#include "harness/explore/explore.h"
#include "harness/explore/walk.h"

#define DEFAULT_STATES 10000000u
#define WALK_CYCLES 500000u     /* of one case ... */
#define WALK_BYTES (256u << 20) /* ... or fewer, when its inputs are wide */

/* What became of the bins, in words. */
typedef struct bins {
    uint64_t missed;    /* no transition hits them, and the bench does not say so */
    uint64_t surprised; /* hit, although the bench calls them unreachable */
} bins;

static bins judge_bins(const ls_options *o, const ls_explored *e) {
    const uint64_t reachable = ls_unit_bins(o->unit, o->cfg, NULL);
    const bool all = e->complete && o->fixed.count == 0;
    return (bins){.missed = all ? reachable & ~e->bins : 0, .surprised = e->bins & ~reachable};
}

/* The names of the bins, comma-separated. */
static char *names_of(const ls_unit *unit, uint64_t set) {
    ls_text text = {0};
    for (; set != 0; set &= set - 1) ls_text_add(&text, "%s%s", text.size > 0 ? ", " : "", unit->bin_names[__builtin_ctzll(set)]);
    return ls_text_take(&text);
}

static bool whole(const ls_options *o, const ls_explored *e) { return e->complete && o->fixed.count == 0; }

static void print_result(const ls_options *o, const ls_explored *e, const bins *b, bool failed) {
    char *params = ls_config_text(o->unit, o->cfg);
    ls_say(stdout, "%s  %s%s%s\n",
           failed        ? "finding"
           : e->complete ? "explored"
                         : "stopped",
           o->unit->name, params[0] != '\0' ? " " : "", params);
    free(params);
    ls_say(stdout,
           "  %zu states%s, at most %u cycles from reset; %" PRIu64 " transitions, %" PRIu64
           " inputs in each state; %.2f s (%.1f M "
           "transitions/s)\n",
           e->count, e->complete ? "" : ", not all (--limit)", e->depth, e->transitions, (uint64_t)e->inputs.count, e->seconds,
           e->seconds > 0 ? (double)e->transitions * 1e-6 / e->seconds : 0.0);
    ls_say(stdout, "  %u bits of registers, %u of them the same in all states\n", e->register_bits, e->constant_bits);
    for (size_t i = 0; i < o->fixed.count; i++) ls_say(stdout, "  with %s in every cycle\n", o->fixed.list[i]);
    const uint64_t bits = ls_unit_bins(o->unit, o->cfg, NULL);
    ls_say(stdout, "  bins %d of %d\n", __builtin_popcountll(e->bins & bits), __builtin_popcountll(bits));
    for (uint64_t set = b->surprised; set != 0; set &= set - 1) {
        const int bin = __builtin_ctzll(set);
        char *state = ls_explore_text(e, e->hit_first[bin][0]);
        ls_say(stdout, "  hit, and called unreachable: %s (in state %s)\n", o->unit->bin_names[bin], state);
        free(state);
    }
    if (b->missed != 0) {
        char *names = names_of(o->unit, b->missed);
        ls_say(stdout, "  never hit, and not called unreachable: %s\n", names);
        free(names);
    }
    if (e->stuck > 0 && whole(o, e)) {
        char *state = ls_explore_text(e, e->first_stuck);
        ls_say(stdout, "  %zu states that no input leaves; the first, after %zu cycles: %s\n", e->stuck,
               ls_explore_depth(e, e->first_stuck), state);
        free(state);
    }
    if (e->broken != NULL) {
        char *state = ls_explore_text(e, e->broken_state);
        ls_say(stdout, "  the invariant \"%s\" does not hold after %zu cycles, in state %s\n", e->broken,
               ls_explore_depth(e, e->broken_state), state);
        free(state);
    }
    if (e->hidden) {
        char *state = ls_explore_text(e, e->hidden_state);
        ls_say(stdout, "  the model remembers what no field names: byte %zu of struct %s differs between two ways to state %s\n",
               e->hidden_byte, o->unit->name, state);
        free(state);
    }
}

static void show_json(const ls_options *o, const ls_explored *e, const bins *b, bool failed, uint64_t walked) {
    ls_text t = {0};
    char *params = ls_config_text(o->unit, o->cfg), *missed = names_of(o->unit, b->missed),
         *surprised = names_of(o->unit, b->surprised);
    ls_json_open(&t, NULL, '{');
    ls_json_text(&t, "unit", o->unit->name);
    ls_json_text(&t, "params", params);
    ls_json_text(&t, "status", failed ? "finding" : e->complete ? "explored" : "stopped");
    ls_json_uint(&t, "states", e->count);
    ls_json_uint(&t, "transitions", e->transitions);
    ls_json_uint(&t, "inputs", e->inputs.count);
    ls_json_uint(&t, "depth", e->depth);
    ls_json_bool(&t, "complete", e->complete);
    ls_json_uint(&t, "register_bits", e->register_bits);
    ls_json_uint(&t, "constant_bits", e->constant_bits);
    ls_json_uint(&t, "stuck_states", e->stuck);
    ls_json_bool(&t, "hidden_state", e->hidden);
    ls_json_text(&t, "broken_invariant", e->broken != NULL ? e->broken : "");
    ls_json_text(&t, "bins_missed", missed);
    ls_json_text(&t, "bins_called_unreachable", surprised);
    ls_json_uint(&t, "rtl_cycles", walked);
    ls_json_fixed(&t, "seconds", e->seconds, 6);
    ls_json_close(&t, '{');
    (void)printf("%s\n", t.data);
    free(ls_text_take(&t));
    free(params);
    free(missed);
    free(surprised);
}

/* The case that the RTL fails in, again, with all that a failure leaves. */
static int fail(ls_options *o, const ls_build_result *build, const ls_case *c) {
    char error[512], *folder = ls_command_folder(o), *path = ls_format("%s/failure.case", folder);
    if (ls_case_write(c, path, error, sizeof error) != 0) ls_command_complain(path, error);
    o->command = "replay";
    o->file = path;
    const int status = ls_command_play(o, build, c, NULL);
    free(folder);
    free(path);
    return status;
}

/* Takes every transition on the RTL. The exit code; *cycles: how many it took. */
static int walk(ls_options *o, const ls_explored *e, uint64_t *cycles) {
    ls_build_result build;
    ls_explore_walk w;
    ls_case c;
    const size_t fit = WALK_BYTES / o->unit->in_size, length = fit < WALK_CYCLES ? fit : WALK_CYCLES;
    int status = 0;
    if (ls_command_build(o, 0, &build) != 0) return 2;
    ls_explore_walk_begin(&w, e, o->unit, o->cfg);
    while (status == 0 && ls_explore_walk_next(&w, length, &c)) {
        ls_result result;
        ls_request request = ls_command_request(o, build.so_path);
        ls_case_set_rtl(&c, &o->rtl, &o->defines, &o->extra, o->ports_only);
        request.replay = &c;
        request.cycles = 0;
        request.progress = false;
        if (!o->quiet)
            ls_progress_draw("lockstep: %s: %" PRIu64 " of %" PRIu64 " transitions on the RTL", o->unit->name,
                             e->transitions - w.to_take, e->transitions);
        ls_run(&request, NULL, &result);
        *cycles += result.cycles;
        if (result.status != LS_PASS) status = fail(o, &build, &c);
        ls_case_free(&c);
    }
    ls_explore_walk_free(&w);
    ls_build_free(&build);
    return status;
}

int ls_command_explore(ls_options *o) {
    ls_explored e;
    char *error = NULL;
    uint64_t cycles = 0;
    const bool model_only = o->side != NULL;
    if (model_only && strcmp(o->side, "model") != 0) {
        ls_command_complain(NULL, "explore --side: expected model");
        return 2;
    }
    const ls_explore_request request = {.unit = o->unit,
                                        .cfg = o->cfg,
                                        .fixed = &o->fixed,
                                        .states_max = o->limit != 0 ? o->limit : DEFAULT_STATES,
                                        .edges = !model_only,
                                        .progress = !o->quiet};
    if (ls_explore(&request, &e, &error) != 0) {
        ls_command_complain(NULL, error);
        free(error);
        return 2;
    }
    const bins b = judge_bins(o, &e);
    const bool failed = b.missed != 0 || b.surprised != 0 || e.hidden || e.broken != NULL || (e.stuck > 0 && whole(o, &e));
    if (!o->json && (!o->quiet || failed)) print_result(o, &e, &b, failed);
    int status = failed ? 1 : 0;
    const char *why = !e.complete      ? "not all states are known (--limit)"
                      : e.next == NULL ? "the transitions are too many for a walk (--fix, smaller parameters)"
                      : e.hidden       ? "the model's states are not known"
                                       : NULL;
    if (!model_only && why != NULL) {
        char *message = ls_format("the RTL was not walked: %s; --side model leaves it out", why);
        ls_command_complain(o->unit->name, message);
        free(message);
        if (status == 0) status = 2;
    } else if (!model_only) {
        const int walked = walk(o, &e, &cycles);
        if (walked != 0) status = walked;
        else if (!o->json && !o->quiet) ls_say(stdout, "  RTL: all transitions agree (%" PRIu64 " cycles in lockstep)\n", cycles);
    }
    if (o->json) show_json(o, &e, &b, status == 1, cycles);
    ls_explore_free(&e);
    return status;
}
