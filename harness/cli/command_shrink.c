/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep shrink. */
#include "harness/core/shrink.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/core/report.h"

int ls_command_shrink(ls_options *o) {
    ls_case c;
    ls_build_result build;
    ls_gates gates = {0};
    if (ls_command_take_case(o, &c) != 0) return 2;
    if (ls_command_case_netlist(o, &c) != 0) {
        ls_case_free(&c);
        return 2;
    }
    if ((o->netlist ? ls_command_gates(o, &gates, &build) : ls_command_build(o, 0, &build)) != 0) return 2;
    char *to = ls_format("%s.shrunk", o->file);
    ls_shrink_report r;
    const int status = ls_shrink(o->file, to, build.so_path, o->ports_only, &gates.masks, &r);
    if (status != 0) ls_say(stderr, "lockstep: %s\n", r.message);
    else if (o->json) {
        ls_text t = {0};
        ls_json_open(&t, NULL, '{');
        ls_json_text(&t, "case", to);
        ls_json_text(&t, "field", r.field);
        ls_json_uint(&t, "cycles_before", r.cycles_before);
        ls_json_uint(&t, "cycles", r.cycles_after);
        ls_json_uint(&t, "inputs_before", r.inputs_before);
        ls_json_uint(&t, "inputs", r.inputs_after);
        ls_json_uint(&t, "state_before", r.state_before);
        ls_json_uint(&t, "state", r.state_after);
        ls_json_uint(&t, "trials", r.trials);
        ls_json_bool(&t, "minimal", r.minimal);
        ls_json_close(&t, '{');
        (void)printf("%s\n", t.data);
        free(t.data);
    } else {
        char state[80] = "";
        if (r.state_before > 0)
            (void)snprintf(state, sizeof state, "%zu of %zu values of the start state, ", r.state_after, r.state_before);
        ls_say(stdout, "%s: still fails in %s; %zu of %zu cycles, %zu of %zu inputs, %s%zu trials%s\n", to, r.field,
               r.cycles_after, r.cycles_before, r.inputs_after, r.inputs_before, state, r.trials,
               !r.minimal           ? "; stopped by the time budget, not minimal"
               : r.state_before > 0 ? "; minimal: no cycle, no input and nothing of the start state can go"
                                    : "; minimal: no cycle and no input can go");
    }
    free(to);
    ls_gates_free(&gates);
    ls_case_free(&c);
    ls_build_free(&build);
    return status == 0 ? 1 : 2;
}
