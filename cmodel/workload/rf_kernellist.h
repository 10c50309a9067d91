/* SPDX-License-Identifier: Apache-2.0 */
/* A workload: one Accel-Sim trace, or a kernelslist.g and the traces it names, as one sequence of warps (docs/workloads.md). */
#ifndef RF_KERNELLIST_H
#define RF_KERNELLIST_H

#include "cmodel/workload/rf_traceg.h"

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

/* Where a warp stands in its workload. */
typedef struct rf_workload_at {
    bool new_kernel;   /* first warp of a kernel: it starts only after every warp before it has drained */
    uint32_t kernel;   /* number of its kernel, from 0; kernels without warps are counted */
    uint64_t warp;     /* number of the warp in the whole workload, from 0: the warp_id of rf_value.h */
    const rf_traceg_header *head; /* of its kernel; valid until the next rf_workload_next */
} rf_workload_at;

typedef struct rf_workload rf_workload;

/* Opens a trace or a kernel list, told apart by their first line. `source` stays the caller's and must outlive the workload. NULL
 * and a message on failure. */
rf_workload *rf_workload_open(const rf_source *source, const char *path, char *error, size_t size);

/* The next warp of the workload into `out` (reused, {0} at first) and its place into `at` (may be NULL): 1, 0 at the end, -1 on
 * an error, and then for ever. A trace that the list names is looked for under its name, then with .xz added or taken away. */
int rf_workload_next(rf_workload *workload, rf_warp *out, rf_workload_at *at);

/* The message of the -1 above, "" before it. */
const char *rf_workload_error(const rf_workload *workload);

/* As rf_traceg_unknown, over all kernels so far. */
uint64_t rf_workload_unknown(const rf_workload *workload, const char **first);

/* Ends it; the mnemonics of its instructions end too. */
void rf_workload_close(rf_workload *workload);

#ifdef __cplusplus
}
#endif
#endif
