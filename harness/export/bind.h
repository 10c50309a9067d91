/* SPDX-License-Identifier: Apache-2.0 */
/* `--to sv-bind`: a checker in SystemVerilog that binds to the unit, and the model for it through DPI. */
#ifndef LS_BIND_H
#define LS_BIND_H

#include "harness/export/layout.h"

/* NULL, or an error to be freed. */
char *ls_export_bind(const ls_export *e);

#endif
