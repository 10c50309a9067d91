/* SPDX-License-Identifier: Apache-2.0 */
/* The model for a checker: UNIT_lockstep.c with the unit's fields as a table, the models' sources, and the files of glue/. */
#ifndef LS_MODEL_C_H
#define LS_MODEL_C_H

#include "harness/export/layout.h"

/* Writes them. `vpi`: for a VPI module, else for DPI; `sources`: all C sources, in the folder; to be freed with ls_args_free.
 * NULL, or an error to be freed. */
char *ls_export_model(const ls_export *e, const ls_layout *layout, bool vpi, ls_args *sources);

#endif
