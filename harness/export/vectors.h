/* SPDX-License-Identifier: Apache-2.0 */
/* `--to vectors`: stimulus and expected values of a run as text, and a testbench in SystemVerilog that reads them. */
#ifndef LS_VECTORS_H
#define LS_VECTORS_H

#include "harness/export/layout.h"

/* NULL, or an error to be freed. */
char *ls_export_vectors(const ls_export *e);

#endif
