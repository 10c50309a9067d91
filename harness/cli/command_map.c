/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep map. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/core/map_propose.h"

#define CYCLES 2000u

int ls_command_map(ls_options *o) {
    if (o->rtl.count == 0) {
        ls_say(stderr, "lockstep: map needs the RTL whose names are to be found: --rtl FILE... or -f FILE\n");
        return 2;
    }
    ls_design_request request = ls_options_design(o);
    request.strict = true;
    ls_text text = {0};
    char *error = NULL;
    const int open = ls_map_propose(&request, o->seed, o->cycles != 0 ? o->cycles : CYCLES, &text, &error);
    if (open < 0) {
        ls_command_complain("map", error);
        free(error);
        return 2;
    }
    (void)fputs(text.data != NULL ? text.data : "# nothing has another name\n", stdout);
    free(text.data);
    return open > 0 ? 1 : 0;
}
