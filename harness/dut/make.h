/* SPDX-License-Identifier: Apache-2.0 */
/* From an elaborated design to a shared object: Verilator, the compiler, the linker. */
#ifndef LS_MAKE_H
#define LS_MAKE_H

#include "harness/dut/build.h"

typedef struct ls_make ls_make;

/* Begins to make a DUT, with `directory` as a work place. What Verilator is to publish is known when the design is elaborated, and
 * seldom changes: when an earlier build has noted it, Verilator starts here already, and runs beside the elaboration. */
ls_make *ls_make_begin(const ls_tools *tools, const ls_build_request *request, const char *directory);

/* Makes `so`; `runtime` is Verilator's (ls_runtime_find). Returns NULL or the error; `*refused`: by Verilator, of the RTL. */
char *ls_make_dut(ls_make *make, const ls_elab *elab, const char *runtime, const char *so, bool *refused);

/* Ends what was begun, and frees. */
void ls_make_end(ls_make *make);

#endif
