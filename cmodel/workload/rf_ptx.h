/* SPDX-License-Identifier: Apache-2.0 */
/* PTX front end: text as nvcc (CUDA 11 to 13) and clang emit it, to kernels (docs/ptx.md says what is read and what is refused).
 */
#ifndef RF_PTX_H
#define RF_PTX_H

#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a PTX file whole. 0 and *module with every entry's instructions, blocks and control flow; or -1, *module {0} and a
 * message "FILE:LINE: what: text": a syntax error, an instruction, modifier, directive or type that is not supported (named as
 * written), a call of a function that has no body in the file, an undefined name, a number out of range, a file without an entry.
 * Nothing is skipped silently. */
int rf_ptx_read(const rf_source *source, const char *path, rf_module *module, char *error, size_t size);

/* The entry of that name, or NULL; NULL for `name`: the only one, or NULL when there are several. */
rf_kernel *rf_module_kernel(rf_module *module, const char *name);

#ifdef __cplusplus
}
#endif
#endif
