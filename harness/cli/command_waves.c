/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep waves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/wave/wave.h"

#define DEFAULT_CYCLES 200u

/* Runs the unit's stimulus and leaves a case of it at `case_path`, whatever happens. 0, or -1 when there is no case. */
static int record(const ls_options *o, const char *so_path, const char *case_path, ls_request *request, ls_result *result) {
    *request = ls_command_request(o, so_path);
    if (o->cycles == 0 && o->workload == NULL) request->cycles = DEFAULT_CYCLES;
    request->case_path = case_path;
    request->record = request->cycles != 0 ? request->cycles : UINT64_MAX;
    ls_run(request, NULL, result);
    if ((result->status != LS_CRASH && result->status != LS_HANG) || result->cycles == 0) return result->case_written ? 0 : -1;
    ls_result again; /* up to the cycle that the DUT does not survive, whose inputs are in the case */
    ls_request before = *request;
    before.cycles = result->cycles;
    before.record = result->cycles + 1;
    ls_run(&before, NULL, &again);
    return again.case_written ? 0 : -1;
}

/* Plays the case at `path`, read into `c`, again, without waves. 0, or -1 and a message on stderr. */
static int replay(const ls_options *o, const char *so_path, const char *path, ls_case *c, ls_request *request,
                  ls_result *result) {
    char error[512];
    if (ls_case_read(c, path, error, sizeof error) != 0) {
        ls_command_complain(NULL, error);
        return -1;
    }
    *request = ls_command_request(o, so_path);
    request->replay = c;
    request->cycles = 0;
    ls_run(request, NULL, result);
    ls_command_compare(c, result);
    if (c->netlist != NULL && result->status == LS_PASS)
        (void)snprintf(result->message, sizeof result->message, "the RTL does not differ: the case is of its netlist");
    return 0;
}

/* Waves of the case and the report of the run. Returns the exit code. */
static int write_and_report(ls_options *o, const char *case_path, const char *folder, const ls_build_result *build,
                            const ls_request *request, ls_result *result) {
    static ls_wave_files waves;
    const char *files[] = {"case", case_path, "waves", waves.fst, "view", waves.gtkw, NULL};
    const bool differs =
        result->status == LS_MISMATCH && strcmp(result->mismatch.field, "property") != 0; /* in which the waves must */
    const int status = ls_wave_write(o, case_path, differs, folder, &waves);
    if (status != 0) {
        ls_command_complain("no waves", waves.message);
        files[2] = NULL;
    } else if (waves.note[0] != '\0') {
        ls_command_complain("waves", waves.note);
    }
    ls_wave_date(&waves, result);
    char *command = ls_options_command(o, "waves", o->seed, o->cycles);
    ls_command_report(o, request, result, build, files, command);
    if (status == 0 && result->status == LS_PASS && !o->json && !o->quiet)
        ls_say(stdout, "  waves    %s\n  view     %s\n", waves.fst, waves.gtkw); /* the report names files of failures only */
    free(command);
    return status != 0 ? 2 : ls_status_exit(result->status);
}

int ls_command_waves(ls_options *o) {
    ls_build_result build;
    ls_request request;
    ls_result result = {.status = LS_USAGE};
    ls_case c = {0};
    if (o->unit == NULL && o->file == NULL) {
        ls_say(stderr, "lockstep: waves needs a unit or a case file: `lockstep list` names the units\n");
        return 2;
    }
    if (o->file != NULL && ls_command_take_case(o, &c) != 0) return 2;
    ls_case_free(&c);
    if (ls_command_try_workload(o) != 0 || ls_command_build(o, 0, &build) != 0) return 2;
    char *folder = ls_command_folder(o);
    char *case_path = o->file != NULL ? ls_copy(o->file) : ls_format("%s/failure.case", folder);
    int status = 2;
    if (o->file == NULL) ls_command_clear(folder, o);
    if (o->file == NULL && record(o, build.so_path, case_path, &request, &result) != 0) {
        char *command = ls_options_command(o, "waves", o->seed, o->cycles);
        ls_command_report(o, &request, &result, &build, NULL, command);
        free(command);
        status = ls_status_exit(result.status);
    } else {
        /* A run that found nothing is reported as what its waves are, the replay of a case: as evidence it would be too short. */
        const bool found = o->file == NULL && result.status != LS_PASS && result.status != LS_VACUOUS;
        if (found || replay(o, build.so_path, case_path, &c, &request, &result) == 0)
            status = write_and_report(o, case_path, folder, &build, &request, &result);
    }
    (void)rmdir(folder); /* stays when something is in it */
    free(case_path);
    free(folder);
    ls_case_free(&c);
    ls_build_free(&build);
    return status;
}
