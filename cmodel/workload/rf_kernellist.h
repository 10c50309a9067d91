/* SPDX-License-Identifier: Apache-2.0 */
/* A kernelslist.g: the copies and kernel launches of an application that was traced (docs/workloads.md). */
#ifndef RF_KERNELLIST_H
#define RF_KERNELLIST_H

#include "cmodel/workload/rf_inst.h"
#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rf_launch_kind { RF_LAUNCH_KERNEL, RF_LAUNCH_MEMCPY_HTOD } rf_launch_kind;

typedef struct rf_launch {
    rf_launch_kind kind;
    uint32_t line;           /* in the list, from 1 */
    char *path;              /* kernel: the trace, below the list's own directory; else NULL */
    uint64_t address, bytes; /* copy */
} rf_launch;

typedef struct rf_kernellist {
    rf_launch *launch;
    size_t count, capacity;
} rf_kernellist;

/* Reads a list whole (it names files, it holds no instructions). 0, or -1 and a message with file and line for a line that is
 * neither `kernel...` nor `MemcpyHtoD,0xADDRESS,BYTES`, and for a list without a kernel; then *list is empty. */
int rf_kernellist_read(const rf_source *source, const char *path, rf_kernellist *list, char *error, size_t size);
void rf_kernellist_free(rf_kernellist *list);

#ifdef __cplusplus
}
#endif
#endif
