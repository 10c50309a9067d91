/* SPDX-License-Identifier: Apache-2.0 */
/* From an elaborated design to a shared object: Verilator, the compiler, the linker. */
#ifndef LS_MAKE_H
#define LS_MAKE_H

#include "harness/dut/build.h"

/* Makes `so` with `directory` as a work place; `runtime` is Verilator's (ls_runtime_find). Returns NULL or the error; `*refused`:
 * by Verilator, of the RTL. */
char *ls_make_dut(const ls_tools *tools, const ls_build_request *request, const ls_elab *elab, const char *runtime,
                  const char *directory, const char *so, bool *refused);

#endif
