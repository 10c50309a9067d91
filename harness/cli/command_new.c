/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep new. */
#include <stdlib.h>

#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/project/new.h"

int ls_command_new(ls_options *o) {
    ls_args written = {0}, todo = {0};
    char *error = NULL;
    if ((o->file == NULL) == (o->group == NULL)) {
        ls_command_complain(NULL, o->file == NULL
                                      ? "new needs a folder: `lockstep new my_project`; or, for a unit of this tree, --group"
                                      : "new: --group is for a unit of this tree and takes no folder");
        return 2;
    }
    const char *to = o->group != NULL ? ls_root() : o->file;
    ls_args from = {0};
    for (size_t i = 0; i < o->rtl.count; i++) ls_args_add(&from, "%s", o->rtl.list[i]);
    for (size_t i = 0; i < o->from.count; i++) ls_args_add(&from, "%s", o->from.list[i]);
    const ls_new what = {.folder = to,
                         .group = o->group,
                         .unit = o->unit_name,
                         .from = &from,
                         .listed = o->rtl.count > 0,
                         .defines = &o->defines,
                         .extra = &o->extra};
    char *unit = NULL;
    const int status = ls_project_new(&what, &unit, &written, &todo, &error);
    if (status != 0) ls_command_complain("new", error);
    for (size_t i = 0; status == 0 && i < written.count; i++) ls_say(stdout, "  %s/%s\n", to, written.list[i]);
    for (size_t i = 0; status == 0 && i < todo.count; i++) ls_say(stdout, "TODO  %s\n", todo.list[i]);
    char *folder = ls_shell_word(to);
    if (status == 0 && o->group == NULL) ls_say(stdout, "now: cd %s && make run\n", folder);
    if (status == 0 && o->group != NULL) ls_say(stdout, "now: make all && build/lockstep run %s\n", unit);
    free(unit);
    free(folder);
    free(error);
    ls_args_free(&from);
    ls_args_free(&written);
    ls_args_free(&todo);
    return status == 0 ? 0 : 2;
}
