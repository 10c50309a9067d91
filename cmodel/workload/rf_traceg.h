/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of Accel-Sim SASS traces (.traceg, tracer versions 3 to 5), one warp at a time (docs/workloads.md). */
#ifndef RF_TRACEG_H
#define RF_TRACEG_H

#include "cmodel/workload/rf_inst.h"
#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_TRACEG_ERROR_MAX 512u                /* longest message, with its NUL */
#define RF_TRACEG_INSTS_MAX (UINT32_C(1) << 28) /* most instructions of one warp */

/* A trace's head says where its windows of shared and of local memory lie among generic addresses; they may lie anywhere, below
 * and above global memory. Addresses of generic instructions in them are moved to these windows, so that all traces' are alike:
 * no GPU has an address of 2^62. A window has 16 MB, as the hardware's. */
#define RF_TRACEG_SHARED_WINDOW (UINT64_C(1) << 62)
#define RF_TRACEG_LOCAL_WINDOW (UINT64_C(1) << 63)
#define RF_TRACEG_WINDOW_BYTES (UINT64_C(1) << 24)

typedef struct rf_traceg_header {
    const char *kernel; /* mangled name; lives as long as the reader */
    uint32_t kernel_id;
    uint32_t grid[3], block[3];
    uint32_t nregs; /* registers a thread */
    uint32_t shmem; /* bytes a block */
    uint32_t version, binary_version;
    uint32_t lineinfo;                /* 1: every instruction starts with a source line number */
    uint64_t shared_base, local_base; /* of its windows; 0: the tracer did not know them, there are none */
} rf_traceg_header;

typedef struct rf_traceg rf_traceg;

/* Opens a trace and reads its header. `table` keeps the opcodes' texts and may be shared by many readers; NULL: the reader has
 * its own. NULL and a message ("FILE:LINE: field: what (range)") when the file cannot be read or is no trace. */
rf_traceg *rf_traceg_open(const rf_source *source, const char *path, rf_optable *table, char *error, size_t size);

/* The next warp with all its instructions, in the file's order, into `out`, whose memory is reused ({0} at first; the caller's to
 * free): 1, 0 at the end of the file, -1 when the file is damaged, and then for ever. Blocks without warps are passed over; a
 * warp may have 0 instructions. Memory is proportional to the warp. */
int rf_traceg_next(rf_traceg *reader, rf_warp *out);

/* The message of the -1 above, "" before it. */
const char *rf_traceg_error(const rf_traceg *reader);

/* What the file says ahead of its first block. Valid until close. */
const rf_traceg_header *rf_traceg_head(const rf_traceg *reader);

/* Warp instructions so far whose opcode no rule speaks for, treated as one-register ALU operations; `first` (may be NULL)
 * receives the first one's text or NULL. */
uint64_t rf_traceg_unknown(const rf_traceg *reader, const char **first);

/* Behind the last warp: how many thread blocks of the grid the file does not have, and how many warps of those that it has. The
 * tracer leaves out blocks without instructions; a warp that is missing it has never written. */
uint64_t rf_traceg_missing(const rf_traceg *reader, uint64_t *blocks);

void rf_traceg_close(rf_traceg *reader);

#ifdef __cplusplus
}
#endif
#endif
