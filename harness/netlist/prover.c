/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/netlist/prover.h"

#include <stdlib.h>

#include "harness/base/process.h"
#include "harness/base/text.h"

const char ls_prover_flip_flops[] =
    "module \\$_DFF_PN0_ (input D, input C, input R, output Q);\n"
    "  wire hold;\n  \\$_DFF_P_ ff (.D(D & R), .C(C), .Q(hold));\n  assign Q = hold & R;\nendmodule\n"
    "module \\$_DFF_PN1_ (input D, input C, input R, output Q);\n"
    "  wire hold;\n  \\$_DFF_P_ ff (.D(D | ~R), .C(C), .Q(hold));\n  assign Q = hold | ~R;\nendmodule\n"
    "module \\$_DFFSR_PNN_ (input D, input C, input S, input R, output Q);\n"
    "  wire hold;\n  \\$_DFF_P_ ff (.D((D | ~S) & R), .C(C), .Q(hold));\n  assign Q = (hold | ~S) & R;\nendmodule\n";

char *ls_prover_run(const char *commands, unsigned seconds, char **error) {
    ls_process_result r;
    char *limit = ls_format("--cpu=%u", seconds + 5), *said = NULL;
    const char *const argv[] = {"prlimit", limit, "berkeley-abc", "-c", commands, NULL};
    const int wrong = ls_process_run(&(ls_process){.argv = argv, .timeout_ms = seconds * 20000 + 60000}, &r);
    /* prlimit ends so when there is nothing to run. */
    if (wrong != 0 || r.status == 126 || r.status == 127)
        *error =
            ls_copy("proofs need prlimit (util-linux) and berkeley-abc, which cannot be run: apt-get install berkeley-abc (make "
                    "deps-test)");
    else said = ls_copy(r.output);
    ls_process_free(&r);
    free(limit);
    return said;
}
