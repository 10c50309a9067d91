/* SPDX-License-Identifier: Apache-2.0 */
/* `--to vpi`: the checker as a VPI module, for simulators without DPI. */
#ifndef LS_VPI_H
#define LS_VPI_H

#include "harness/export/layout.h"

/* NULL, or an error to be freed. */
char *ls_export_vpi(const ls_export *e);

#endif
