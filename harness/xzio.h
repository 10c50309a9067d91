/* SPDX-License-Identifier: Apache-2.0 */
/* Workload files over stdio and liblzma: plain or .xz, told apart by their first bytes. */
#ifndef LS_XZIO_H
#define LS_XZIO_H

#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Streaming, one or more concatenated .xz streams, checks verified; a file whose decoder wants more than 256 MiB is refused. */
extern const rf_source ls_xzio;

#ifdef __cplusplus
}
#endif
#endif
