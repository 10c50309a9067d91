/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the commit logs that the Spike of the Ventus GPGPU writes: warp instructions with the values of all lanes
 * (docs/workloads.md). */
#ifndef RF_VENTUS_H
#define RF_VENTUS_H

#include "cmodel/workload/rf_inst.h"
#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_VENTUS_ERROR_MAX 512u  /* longest message, with its NUL */
#define RF_VENTUS_CORES_MAX 1024u /* most "cores": one is a warp */

typedef struct rf_ventus rf_ventus;

/* Opens a log. `table` keeps the opcodes' texts and may be shared by many readers; NULL: the reader has its own. NULL and a
 * message ("FILE:LINE: field: what (range)") when the file cannot be read. */
rf_ventus *rf_ventus_open(const rf_source *source, const char *path, rf_optable *table, char *error, size_t size);

/* The next warp ("core" of the log), workgroup by workgroup, into `out`, whose memory is reused ({0} at first; the caller's to
 * free): 1, 0 behind the last one, -1 when the log is damaged, and then for ever. The first call reads the whole log, since its
 * warps' lines are mixed: memory is proportional to the log. `block` is the workgroup's number, `warp` the warp's in it, as the
 * control registers say that the warps read. */
int rf_ventus_next(rf_ventus *reader, rf_warp *out);

/* The message of the -1 above, "" before it. */
const char *rf_ventus_error(const rf_ventus *reader);

/* Lanes of a warp, from the log's l16 or l32 (0 in a log without a vector instruction), its number of warps, and of workgroups;
 * all 0 before the first rf_ventus_next. */
uint32_t rf_ventus_lanes(const rf_ventus *reader);
uint32_t rf_ventus_warps(const rf_ventus *reader);
uint32_t rf_ventus_blocks(const rf_ventus *reader);

void rf_ventus_close(rf_ventus *reader);

#ifdef __cplusplus
}
#endif
#endif
