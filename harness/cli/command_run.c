/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep run, replay. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/core/design.h"
#include "harness/core/map.h"
#include "harness/core/report.h"
#include "harness/core/shrink.h"
#include "harness/core/source.h"
#include "harness/coverage/coverage_run.h"
#include "harness/fuzz/corpus.h"
#include "harness/wave/wave.h"

#define DEFAULT_CYCLES 100000u
#define STIMULUS_VARIES                                                                                                          \
    "the case does not fail when it is played again: its inputs come from the stimulus anew, which is no function of seed and "  \
    "model "                                                                                                                     \
    "(static data, memory that is not initialised, the time), or the RTL is none of its inputs"
#define CASE_IS_CUT                                                                                                              \
    "the case does not fail when it is played again: it has %zu of the run's %" PRIu64                                           \
    " cycles, and what the RTL or its memories kept from "                                                                       \
    "the others over a reset is not in it"
#define GATES_MS 1800000u /* each command on the way to a netlist of gates */

void ls_command_make_folders(const char *path) {
    char *copy = ls_copy(path);
    int error = 0; /* of the first that is not there and cannot be made */
    for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST && error == 0) error = errno;
        *slash = '/';
    }
    if (mkdir(copy, 0777) != 0 && errno != EEXIST) ls_die("%s: %s", path, strerror(error != 0 ? error : errno));
    free(copy);
}

char *ls_command_folder(const ls_options *o) {
    char *folder;
    if (o->output != NULL) {
        folder = ls_copy(o->output);
    } else {
        char *command = ls_options_command(o, "run", o->seed, 0);
        const uint64_t hash = ls_seed_derive(0, strchr(command, ' '));
        const bool recording =
            strcmp(o->command, "waves") == 0 && o->file == NULL; /* which must not replace what a failing run left */
        folder = ls_format("build/runs/%s-%08" PRIx64 "%s", o->unit->name, hash >> 32, recording ? "-waves" : "");
        free(command);
    }
    ls_command_make_folders(folder);
    return folder;
}

void ls_command_clear(const char *folder, const ls_options *o) {
    static const char *const names[] = {"failure.case", "shrunk.case",  "failure.fst",
                                        "failure.gtkw", "failure.sucl", "replayed.case"};
    struct stat read = {0}, there;
    const bool reads = o->file != NULL && stat(o->file, &read) == 0;
    const bool replays = strcmp(o->command, "replay") == 0; /* of a case that a run may have left there, with its waves */
    for (size_t i = replays ? 5 : 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = ls_format("%s/%s", folder, names[i]);
        const bool taken = reads && stat(path, &there) == 0 && there.st_dev == read.st_dev && there.st_ino == read.st_ino;
        if (!taken) (void)unlink(path);
        free(path);
    }
}

ls_request ls_command_request(const ls_options *o, const char *so_path) {
    return (ls_request){.unit = o->unit,
                        .cfg = o->cfg,
                        .so_path = so_path,
                        .seed = o->seed,
                        .cycles = o->cycles != 0 || o->workload != NULL ? o->cycles : DEFAULT_CYCLES,
                        .workload = o->workload,
                        .machine = o->machine,
                        .surroundings = &o->described.surroundings,
                        .ports_only = o->ports_only,
                        .rtl = &o->rtl,
                        .defines = &o->defines,
                        .extra = &o->extra,
                        .progress = !o->quiet && !o->brief,
                        .timeout = o->timeout};
}

/* `problems`: what keeps the run from beginning, or NULL. */
static void report(const ls_options *o, const ls_request *request, const ls_result *result, const ls_build_result *build,
                   const char *const *files, const char *command, const char *problems) {
    const ls_run_notes notes = {.command = command,
                                .problems = problems,
                                .files = files,
                                .build = build->key,
                                .cached = build->cached,
                                .build_seconds = build->seconds,
                                .made = build};
    ls_text record = {0};
    ls_report_record(request, result, &notes, &record);
    if (o->json) (void)printf("%s\n", record.data);
    else if (o->brief && (result->status == LS_PASS || result->status == LS_VACUOUS)) ls_report_brief(request, result, stdout);
    else if (!o->quiet || result->status != LS_PASS) ls_report_text(request, result, &notes, o->color, stdout);
    if (o->record != NULL) {
        ls_text_add(&record, "\n");
        const int failed = ls_text_append(&record, o->record); /* several jobs may append to one file */
        if (failed != 0) {                                     /* a finding stays one */
            const int status = ls_status_exit(result->status);
            ls_say(stderr, "lockstep: %s: %s\n", o->record, strerror(-failed));
            exit(status != 0 ? status : 2);
        }
    }
    free(ls_text_take(&record));
}

void ls_command_report(const ls_options *o, const ls_request *request, const ls_result *result, const ls_build_result *build,
                       const char *const *files, const char *command) {
    report(o, request, result, build, files, command, NULL);
}

/* What keeps a run from beginning: said and recorded. */
static void report_early(const ls_options *o, ls_status status, const ls_build_result *build, const char *error) {
    const bool outside = status == LS_BUILD && ls_process_no_memory(error); /* then it says nothing of the RTL */
    ls_result result = {.status = outside ? LS_USAGE : status};
    char *said = ls_copy(error);
    const size_t n = strlen(said);
    if (n > 0 && said[n - 1] == '\n') said[n - 1] = '\0';
    char *command = ls_options_command(o, o->command, o->seed, o->cycles);
    const ls_request run = ls_command_request(o, NULL);
    report(o, &run, &result, build, NULL, command, said);
    free(said);
    free(command);
}

int ls_command_try_workload(const ls_options *o) {
    char error[1024];
    if (o->workload == NULL || o->unit->check(o->cfg) != NULL) return 0;
    if (ls_source_try(o->unit, o->cfg, o->workload, error, sizeof error) == 0) return 0;
    report_early(o, LS_USAGE, &(ls_build_result){0}, error);
    return -1;
}

int ls_command_case_netlist(ls_options *o, const ls_case *c) {
    o->netlist |= c->netlist != NULL;
    if (c->netlist != NULL && o->liberty == NULL) o->liberty = c->netlist;
    const bool has_x = o->netlist && c->x != LS_X_RANDOM;
    if (!has_x && (o->liberty == NULL || o->netlist)) return 0;
    char *message = has_x ? ls_format("%s: a case with %d for every bit that is X in the RTL: a netlist has no X", o->file, c->x)
                          : ls_format("%s: a case of RTL: %s takes no --lib without --netlist", o->file, o->command);
    ls_command_complain(NULL, message);
    free(message);
    return -1;
}

int ls_command_rtl_fits(const ls_options *o, char **error) {
    const ls_design_request request = ls_options_design(o);
    return o->rtl.count > 0 || o->map != NULL ? ls_design_fits(&request, error) : 0;
}

/* The RTL's files for synthesis, each with its digest, as JSON; free() it. */
static char *digests(const ls_options *o) {
    ls_args files = {0};
    ls_text text = {0};
    if (o->rtl.count > 0) ls_design_user_files(o->unit, (const char *const *)o->rtl.list, o->rtl.count, &files);
    else ls_design_files(o->unit, &files);
    ls_json_open(&text, NULL, '[');
    for (size_t i = 0; i < files.count; i++) {
        char digest[LS_SHA256_HEX];
        (void)ls_sha256_file(files.list[i], digest);
        ls_json_open(&text, NULL, '{');
        ls_json_text(&text, "file", files.list[i]);
        ls_json_text(&text, "sha256", digest);
        ls_json_close(&text, '{');
    }
    ls_json_close(&text, '[');
    ls_args_free(&files);
    return ls_text_take(&text);
}

int ls_command_gates(const ls_options *o, ls_gates *gates, ls_build_result *build) {
    char *error = NULL;
    ls_synth synth = {0};
    *gates = (ls_gates){0};
    *build = (ls_build_result){0};
    if (o->assertions || o->waves || o->coverage != NULL || o->defines.count > 0)
        error = ls_copy("--netlist goes with none of --assert, --waves, --coverage, --define");
    const ls_synth_request make = {.unit = o->unit,
                                   .cfg = o->cfg,
                                   .rtl = (const char *const *)o->rtl.list,
                                   .rtl_count = o->rtl.count,
                                   .liberty = o->liberty,
                                   .macros = true,
                                   .timeout_ms = GATES_MS};
    ls_progress_begin("%s: synthesis, netlist, build", o->unit->name);
    char *rtl = digests(o), *after = NULL;
    if (error == NULL) (void)ls_command_rtl_fits(o, &error);
    if (error == NULL && ls_synth_make(&make, &synth, &error) == 0) after = digests(o);
    if (after != NULL && strcmp(rtl, after) != 0) error = ls_copy("the sources change while they are read");
    free(after);
    const ls_gates_request request = {.unit = o->unit,
                                      .cfg = o->cfg,
                                      .folder = synth.folder,
                                      .liberty = synth.liberty,
                                      .timeout_ms = GATES_MS,
                                      .ports_only = o->ports_only};
    if (error == NULL && ls_gates_make(&request, gates, &error) == 0) (void)ls_gates_build(&request, gates, build, &error);
    ls_progress_end();
    gates->rtl = rtl;
    if (error != NULL) {
        report_early(o, LS_BUILD, build, error);
        ls_gates_free(gates);
    }
    ls_synth_free(&synth);
    const bool failed = error != NULL;
    free(error);
    return failed ? -1 : 0;
}

void ls_command_complain(const char *what, const char *message) {
    char *plain = ls_printable(message, strlen(message));
    ls_say(stderr, "lockstep: %s%s%s\n", what != NULL ? what : "", what != NULL ? ": " : "", plain);
    free(plain);
}

/* Delays of the user's RTL are left out: nothing that hangs on them is seen. */
static void tell_delays(const ls_options *o, const ls_build_result *build) {
    char place[PATH_MAX] = "", count[64] = "";
    const size_t delays = o->rtl.count > 0 ? ls_elab_delays(build->text, place, sizeof place) : 0;
    if (delays == 0) return;
    if (delays > 1) (void)snprintf(count, sizeof count, " (the first of %zu)", delays);
    char *message = ls_format("this delay%s is left out: every assignment takes effect at once", count);
    ls_command_complain(place, message);
    free(message);
}

/* Memories that only the model has start at 0 there, and whatever the RTL has in their place does not. */
static void tell_uncopied(const ls_design_request *request, const ls_build_result *build) {
    ls_args names = {0};
    ls_design_uncopied(request, &build->elab, &names);
    if (names.count > 0) {
        char *message = ls_format(
            "the RTL has no memory %s of this name and shape%s: the model does not know its power-up contents, so that a row "
            "read before it is written may differ",
            names.list[0], names.count > 1 ? ", nor others" : "");
        ls_command_complain(request->unit->name, message);
        free(message);
    }
    ls_args_free(&names);
}

int ls_command_build(const ls_options *o, unsigned flags, ls_build_result *build) {
    char *error;
    ls_design_request request = ls_options_design(o);
    request.flags = flags | (o->assertions ? LS_BUILD_ASSERT : 0u);
    if (ls_design_build(&request, build, &error) == 0) {
        ls_args unused = {0};
        ls_design_unused(&request, &build->elab, &unused);
        for (size_t i = 0; i < unused.count; i++)
            ls_command_complain(unused.list[i], "no module of this file is part of the unit");
        ls_args_free(&unused);
        tell_delays(o, build);
        tell_uncopied(&request, build);
        return 0;
    }
    report_early(o, LS_BUILD, build, error);
    free(error);
    return -1;
}

/* What a failing run leaves; `list` has pairs of a word and a path, and ends with NULL. */
typedef struct leavings {
    char shrunk[PATH_MAX];
    ls_wave_files waves;
    const char *list[10];
    size_t count;
} leavings;

static void leave(leavings *l, const char *what, const char *path) {
    l->list[l->count++] = what;
    l->list[l->count++] = path;
}

/* Says why the case of a run that differed after so many cycles is not shrunk. */
static void tell_unshrunk(const ls_shrink_report *report, uint64_t cycles) {
    const bool cut = report->passes && report->cycles_before < cycles;
    char *message = cut              ? ls_format(CASE_IS_CUT, report->cycles_before, cycles)
                    : report->passes ? ls_copy(STIMULUS_VARIES)
                                     : ls_copy(report->message);
    ls_command_complain("not shrunk", message);
    free(message);
}

/* What a mismatch after so many cycles gives without asking: the shrunk case, and the waves around the failure. `key`: of the DUT
 * that ran, or NULL. */
static void follow_up(ls_options *o, const char *folder, const ls_request *run, const char *key, uint64_t cycles, leavings *l) {
    ls_shrink_report report;
    leave(l, "case", run->case_path);
    if (!o->no_shrink) {
        (void)snprintf(l->shrunk, sizeof l->shrunk, "%s/shrunk.case", folder);
        if (ls_shrink(run->case_path, l->shrunk, run->so_path, o->ports_only, run->masks, &report) == 0)
            leave(l, "shrunk", l->shrunk);
        else tell_unshrunk(&report, cycles);
    }
    if (run->netlist != NULL) {
        if (!o->quiet) ls_say(stderr, "lockstep: waves are the RTL's: `lockstep waves %s`\n", run->case_path);
    } else if (!o->no_shrink || o->waves) {
        if (ls_wave_write(o, run->case_path, true, folder, &l->waves) == 0) {
            const bool other = key != NULL && strcmp(key, l->waves.key) != 0;
            if (other) ls_command_complain("waves", "the RTL has changed since the run began: they show the new one");
            if (l->waves.note[0] != '\0') ls_command_complain("waves", l->waves.note);
            leave(l, "waves", l->waves.fst);
            leave(l, "view", l->waves.gtkw);
        } else {
            ls_command_complain("no waves", l->waves.message);
        }
    }
}

/* How many cycles repeat the result: those asked for when nothing was found, else up to the finding. 0: to the workload's end. */
static uint64_t cycles_again(const ls_options *o, const ls_request *request, const ls_result *r) {
    if (r->status == LS_MISMATCH && r->x_walk) return r->mismatch.cycle + 1;
    if (r->status == LS_MISMATCH || r->status == LS_CRASH || r->status == LS_HANG) return r->cycles + 1;
    return request->workload != NULL ? o->cycles : request->cycles;
}

/* Makes the file of --coverage. When it cannot, a run that failed stays what it is; any other could not do what it was to do. */
static void keep_coverage(const ls_options *o, const ls_coverage_run *coverage, ls_result *result) {
    char error[512];
    if (ls_coverage_end(coverage, o, result->coverage_written, error, sizeof error) == 0) return;
    if (result->status != LS_PASS && result->status != LS_VACUOUS) {
        ls_say(stderr, "lockstep: no coverage: %s\n", error);
        return;
    }
    result->status = LS_USAGE;
    (void)snprintf(result->message, sizeof result->message, "no coverage: %s", error);
}

void ls_command_compare(const ls_case *c, ls_result *r) {
    const char *expected = c->field;
    if (expected[0] != '\0' && r->status == LS_PASS)
        (void)snprintf(r->message, sizeof r->message, "the case does not fail any more: it was made when %s differed", expected);
    if (expected[0] == '\0' || r->status != LS_MISMATCH || strcmp(expected, r->mismatch.field) == 0) return;
    char *message = ls_format("%s%snot as the case says: %s differs first, and it was made when %s did", r->message,
                              r->message[0] != '\0' ? "; " : "", r->mismatch.field, expected);
    ls_cut(r->message, sizeof r->message, message);
    free(message);
}

int ls_command_conclude(ls_options *o, const ls_request *request, const ls_build_result *build, const char *folder, bool covered,
                        const char *again, ls_result *result) {
    leavings left = {0};
    if (result->status == LS_MISMATCH && result->case_written) {
        const bool plain = !covered && !o->assertions; /* else the DUT is another one, of the same RTL */
        follow_up(o, folder, request, plain ? build->key : NULL, result->mismatch.cycle + 1, &left);
        ls_wave_date(&left.waves, result);
    }
    char *command = again != NULL ? ls_copy(again) : ls_options_command(o, o->command, o->seed, cycles_again(o, request, result));
    ls_command_report(o, request, result, build, left.list, command);
    free(command);
    return ls_status_exit(result->status);
}

static int finish(ls_options *o, ls_request *request, const ls_build_result *build, const char *folder,
                  const ls_coverage_run *coverage) {
    ls_result result;
    ls_run(request, NULL, &result);
    if (coverage != NULL) keep_coverage(o, coverage, &result);
    if (request->replay != NULL) ls_command_compare(request->replay, &result);
    return ls_command_conclude(o, request, build, folder, coverage != NULL, NULL, &result);
}

/* Notes in the request that its DUT is a netlist. */
static void show_gates(ls_request *request, const ls_options *o, ls_gates *gates) {
    if (!o->netlist) return;
    request->netlist = ls_gates_note(gates);
    request->masks = &gates->masks;
}

/* The unit's parameter set with which a run reaches most of the bins that it cannot reach at the defaults, and
 * of several the one that reaches most of all; NULL: none. */
static const char *second_set(const ls_unit *unit, const void *defaults) {
    ls_unreachable never;
    const char *best = NULL;
    int most = 0;
    (void)ls_unit_bins(unit, defaults, &never);
    for (const char *const *set = unit->sets; never.bins != 0 && *set != NULL; set++) {
        char error[256];
        void *cfg = ls_config_new(unit);
        if (ls_config_set_all(unit, cfg, *set, error, sizeof error) != 0) ls_die("%s: %s", unit->name, error);
        const uint64_t bins = ls_unit_bins(unit, cfg, NULL);
        const int others = __builtin_popcountll(bins & never.bins),
                  more = others > 0 ? others * 64 + __builtin_popcountll(bins) : 0;
        if (more > most) best = *set;
        most = more > most ? more : most;
        free(cfg);
    }
    return best;
}

static int run_once(ls_options *o) {
    ls_build_result build;
    ls_gates gates = {0};
    ls_coverage_run coverage = {0};
    char error[512];
    if (ls_command_try_workload(o) != 0) return 2;
    if (o->coverage != NULL && ls_coverage_begin(&coverage, o, error, sizeof error) != 0) {
        ls_say(stderr, "lockstep: %s\n", error);
        ls_coverage_free(&coverage);
        return 2;
    }
    const unsigned flags = o->coverage != NULL ? LS_BUILD_COVERAGE : 0;
    if ((o->netlist ? ls_command_gates(o, &gates, &build) : ls_command_build(o, flags, &build)) != 0) {
        ls_coverage_free(&coverage);
        return 2;
    }
    char *folder = ls_command_folder(o);
    char *case_path = ls_format("%s/failure.case", folder);
    ls_command_clear(folder, o);
    ls_request request = ls_command_request(o, build.so_path);
    request.case_path = case_path;
    request.coverage = coverage.raw;
    show_gates(&request, o, &gates);
    const int status = finish(o, &request, &build, folder, o->coverage != NULL ? &coverage : NULL);
    ls_coverage_free(&coverage);
    (void)rmdir(folder); /* stays when something is in it */
    free(case_path);
    free(folder);
    ls_gates_free(&gates);
    ls_build_free(&build);
    return status;
}

/* Goes on with the second set, when the run was one at the defaults that a person reads. What cannot be built there (RTL of one
 * size) is said and no failure. */
static int run_second(ls_options *o) {
    const bool plain = !o->params && o->machine == NULL && o->workload == NULL && !o->json && o->record == NULL && !o->brief &&
                       o->coverage == NULL && !o->netlist;
    const char *set = plain ? second_set(o->unit, o->cfg) : NULL;
    char error[256], *wrong = NULL;
    if (set == NULL) return 0;
    (void)ls_config_set_all(o->unit, o->cfg, set, error, sizeof error);
    if (ls_command_rtl_fits(o, &wrong) != 0) {
        char *message = ls_format(
            "the bins that the defaults cannot reach were not tried, because the RTL is not there at %s: %s", set, wrong);
        ls_command_complain(o->unit->name, message);
        free(message);
        free(wrong);
        return 0;
    }
    if (!o->quiet) ls_say(stdout, "The defaults cannot reach all bins; with %s:\n", set);
    return run_once(o);
}

static size_t count_sets(const ls_unit *unit) {
    size_t sets = 0;
    while (unit->sets[sets] != NULL) sets++;
    return sets;
}

/* A pass of somebody's own RTL is of the parameters that ran: says how many sets there are. */
static void name_other_sets(const ls_options *o) {
    const size_t sets = count_sets(o->unit);
    if (o->rtl.count == 0 || o->workload != NULL || o->json || o->brief || o->quiet || sets < 2) return;
    ls_say(stdout, "  a pass is of these parameters alone; --all-sets runs all %zu sets of %s\n", sets, o->unit->name);
}

/* Every set of the unit, whatever becomes of the others. A finding at one is the result, else that one could not run. */
static int run_all_sets(ls_options *o) {
    const size_t sets = count_sets(o->unit);
    size_t good = 0;
    int result = 0;
    char error[256];
    for (size_t i = 0; i < sets; i++) {
        free(o->cfg);
        o->cfg = ls_config_new(o->unit);
        if (ls_config_set_all(o->unit, o->cfg, o->unit->sets[i], error, sizeof error) != 0)
            ls_die("%s: %s", o->unit->name, error);
        const int status = run_once(o);
        good += status == 0;
        if (status != 0 && result != 1) result = status;
    }
    if (!o->json && (!o->quiet || good < sets)) ls_say(stdout, "%s: %zu of %zu parameter sets pass\n", o->unit->name, good, sets);
    return result;
}

int ls_command_run(ls_options *o) {
    if (o->all_sets) return run_all_sets(o);
    int status = run_once(o);
    if (status == 0) status = run_second(o);
    if (status == 0) name_other_sets(o);
    return status;
}

int ls_command_take_case(ls_options *o, ls_case *c) {
    char error[512];
    *c = (ls_case){0};
    if (o->file == NULL) {
        ls_say(stderr, "lockstep: %s needs a case file\n", o->command);
        return -1;
    }
    if (ls_case_read(c, o->file, error, sizeof error) != 0) {
        ls_command_complain(NULL, error);
        return -1;
    }
    free(o->cfg);
    if (o->map != NULL && (c->unit = ls_map_unit(c->unit, o->map, error, sizeof error)) == NULL) {
        ls_command_complain(NULL, error);
        return -1;
    }
    if (c->unit->map != NULL) o->map = c->unit->map->path;
    o->unit = c->unit;
    o->cfg = ls_config_new(c->unit);
    memcpy(o->cfg, c->cfg, c->unit->cfg_size);
    for (size_t i = 0; i < c->rtl.count && o->rtl.count == 0; i++) ls_args_add(&o->rtl, "%s", c->rtl.list[i]);
    for (size_t i = 0; i < c->extra.count && o->lists.count + o->relative.count == 0; i++)
        ls_args_add(&o->extra, "%s", c->extra.list[i]);
    for (size_t i = 0; i < c->defines.count && o->defines.count == 0; i++) ls_args_add(&o->defines, "%s", c->defines.list[i]);
    o->ports_only |= c->ports_only;
    return 0;
}

int ls_command_play(ls_options *o, const ls_build_result *build, const ls_case *c, ls_gates *gates) {
    ls_request request = ls_command_request(o, build->so_path);
    request.replay = c;
    request.cycles = 0;
    show_gates(&request, o, gates);
    char *folder = ls_command_folder(o);
    char *case_path = ls_format("%s/replayed.case", folder);
    ls_command_clear(folder, o);
    request.case_path = case_path;
    const int status = finish(o, &request, build, folder, NULL);
    (void)rmdir(folder);
    free(case_path);
    free(folder);
    return status;
}

/* A corpus that is played. */
static int replay_corpus(ls_options *o) {
    ls_corpus corpus = {0};
    ls_script script = {0};
    ls_build_result build;
    char error[512];
    free(o->cfg);
    o->cfg = NULL;
    if (o->netlist || o->liberty != NULL || o->map != NULL) {
        ls_command_complain(o->file, "a corpus is played on RTL under our names: without --netlist, --lib and --map");
        return 2;
    }
    if (ls_corpus_read(&corpus, &o->unit, &o->cfg, o->file, error, sizeof error) != 0) {
        ls_command_complain(NULL, error);
        return 2;
    }
    ls_corpus_script(&corpus, &script);
    int status = 2;
    if (ls_command_build(o, 0, &build) == 0) {
        char *folder = ls_command_folder(o), *case_path = ls_format("%s/replayed.case", folder);
        ls_command_clear(folder, o);
        ls_request request = ls_command_request(o, build.so_path);
        request.cycles = 0;
        request.script = &script;
        request.fill = corpus.fill;
        request.case_path = case_path;
        status = finish(o, &request, &build, folder, NULL);
        (void)rmdir(folder);
        free(case_path);
        free(folder);
        ls_build_free(&build);
    }
    ls_script_free(&script);
    ls_corpus_free(&corpus);
    return status;
}

int ls_command_replay(ls_options *o) {
    ls_case c;
    if (o->file != NULL && ls_corpus_is(o->file)) return replay_corpus(o);
    if (ls_command_take_case(o, &c) != 0) return 2;
    ls_build_result build;
    ls_gates gates = {0};
    if (ls_command_case_netlist(o, &c) != 0) {
        ls_case_free(&c);
        return 2;
    }
    if ((o->netlist ? ls_command_gates(o, &gates, &build) : ls_command_build(o, 0, &build)) != 0) return 2;
    o->no_shrink = true;
    const int status = ls_command_play(o, &build, &c, &gates);
    ls_gates_free(&gates);
    ls_build_free(&build);
    ls_case_free(&c);
    return status;
}
