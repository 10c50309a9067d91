/* SPDX-License-Identifier: Apache-2.0 */
/* A workload, whatever file it comes from, as one sequence of warps: an Accel-Sim trace, a kernelslist.g and the traces it names,
 * a stream file, or a Ventus log (docs/workloads.md). */
#ifndef RF_WORKLOAD_H
#define RF_WORKLOAD_H

#include "cmodel/workload/rf_program.h"
#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_WORKLOAD_ERROR_MAX 512u /* longest message, with its NUL */

typedef enum rf_workload_kind { RF_WORKLOAD_TRACE, RF_WORKLOAD_LIST, RF_WORKLOAD_STREAM, RF_WORKLOAD_VENTUS } rf_workload_kind;

/* What the file says about a kernel; 0 where it says nothing. */
typedef struct rf_workload_head {
    const char *kernel;         /* its name; "" when there is none */
    uint32_t grid[3], block[3]; /* blocks; threads of one */
    uint32_t lanes;             /* of a warp: 32, or fewer in Ventus logs */
    uint32_t nreg;              /* registers a thread */
    uint32_t shared_bytes;      /* a block */
    const rf_program *program;  /* a stream's; NULL for the others */
} rf_workload_head;

/* Where a warp stands in its workload. */
typedef struct rf_workload_at {
    bool new_kernel;              /* first warp of a kernel: it starts only after every warp before it has drained */
    uint32_t kernel;              /* number of its kernel, from 0; kernels without warps are counted */
    uint64_t warp;                /* number of the warp in the whole workload, from 0: the warp_id of rf_value.h */
    const rf_workload_head *head; /* of its kernel; valid until the next rf_workload_next */
} rf_workload_at;

typedef struct rf_workload rf_workload;

/* Opens a file, its kind told by how it begins. `source` stays the caller's and must outlive the workload. NULL and a message on
 * failure. */
rf_workload *rf_workload_open(const rf_source *source, const char *path, char *error, size_t size);

rf_workload_kind rf_workload_is(const rf_workload *workload);

/* The next warp of the workload into `out` (reused, {0} at first) and its place into `at` (may be NULL): 1, 0 at the end, -1 on
 * an error, and then for ever. A trace that a list names is looked for under its name, then with .xz added or taken away. */
int rf_workload_next(rf_workload *workload, rf_warp *out, rf_workload_at *at);

/* The message of the -1 above, "" before it. */
const char *rf_workload_error(const rf_workload *workload);

/* As rf_traceg_unknown, over all kernels so far; 0 for other files. */
uint64_t rf_workload_unknown(const rf_workload *workload, const char **first);

/* As rf_traceg_missing, over all kernels read to their end; 0 for other files. */
uint64_t rf_workload_missing(const rf_workload *workload, uint64_t *blocks);

/* Ends it; the mnemonics of its instructions end too. */
void rf_workload_close(rf_workload *workload);

#ifdef __cplusplus
}
#endif
#endif
