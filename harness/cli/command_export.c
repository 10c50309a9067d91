/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep export: the check inside other simulators. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/nearest.h"
#include "harness/base/progress.h"
#include "harness/cli/commands.h"
#include "harness/core/design.h"
#include "harness/export/export.h"

#define DEFAULT_CYCLES 1000u

/* NULL, or what is wrong with the options, to be freed. */
static char *wrong_options(const ls_options *o, const ls_export_target *target) {
    static const char *const names[] = {"sv-bind", "vectors", "vpi", NULL};
    const char *near = o->to != NULL && target == NULL ? ls_nearest_of(o->to, names) : NULL;
    if (near != NULL) return ls_format("--to %s: did you mean %s?", o->to, near);
    if (o->to == NULL || target == NULL)
        return ls_format("export needs --to TARGET: %s%s%s", ls_export_targets, o->to != NULL ? ", not " : "",
                         o->to != NULL ? o->to : "");
    if (o->output == NULL) return ls_copy("export needs -o FOLDER");
    const char *refused = o->unit->check(o->cfg);
    if (refused != NULL) return ls_format("%s: %s", o->unit->name, refused);
    if (!target->stimulus && (o->cycles != 0 || o->workload != NULL))
        return ls_format("--cycles and --workload are of a run: %s has the stimulus of your testbench", target->name);
    const int error = ls_make_directories(o->output);
    return error == 0 ? NULL : ls_format("%s: %s", o->output, strerror(-error));
}

/* What made the files; their folder and the program may be called otherwise elsewhere. */
static char *command_of(const ls_options *o) {
    ls_options named = *o;
    char *self = "lockstep";
    named.argv = &self;
    named.argc = 1;
    char *unit = ls_options_command(&named, "export", o->seed, o->cycles);
    char *command = ls_format("%s --to %s", unit, o->to);
    free(unit);
    return command;
}

int ls_command_export(ls_options *o) {
    const ls_export_target *target = o->to != NULL ? ls_export_find(o->to) : NULL;
    const ls_design_request request = ls_options_design(o);
    ls_elab elab = {0};
    char *error = wrong_options(o, target);
    if (error == NULL && ls_design_elaborate(&request, &elab, &error) == 0) {
        char *command = command_of(o);
        const ls_export e = {.unit = o->unit,
                             .cfg = o->cfg,
                             .elab = &elab,
                             .folder = o->output,
                             .command = command,
                             .ports_only = o->ports_only,
                             .seed = o->seed,
                             .cycles = o->cycles != 0 || o->workload != NULL ? o->cycles : DEFAULT_CYCLES,
                             .workload = o->workload,
                             .surroundings = &o->described.surroundings};
        ls_progress_begin("%s: export", o->unit->name);
        error = target->write(&e);
        ls_progress_end();
        if (error == NULL && !o->quiet) ls_say(stdout, "%s: %s/README.md says how to run it\n", o->unit->name, o->output);
        free(command);
    }
    ls_elab_free(&elab);
    if (error == NULL) return 0;
    ls_command_complain(NULL, error);
    free(error);
    return 2;
}
