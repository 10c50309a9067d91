/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on inside rf_cerf's memory, and in its stage when registers are in it, counted from the wires between its units. */
#ifndef RF_CERF_COUNT_H
#define RF_CERF_COUNT_H

#include "cmodel/cerf/rf_cerf.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_slots.h"

#define RF_CERF_SCAN 256u

typedef struct rf_cerf_count {
    uint64_t cycles, delivered, collectors_busy;
    uint64_t asked[6], accepted[6], hits[6], refused[6]; /* by operation, RF_CACHE_ */
    uint64_t lost_reads, lost_writes, lost_accesses;     /* before the arbiter, once a cycle each */
    uint64_t last_reads, deaths;                         /* asked for; of which the entry dies */
    uint64_t victims[2][4];                              /* of a line, of a register; by state */
    uint64_t fills, rows_written, tags_written, messages[3];
    uint64_t scans, entries[4]; /* entries by state, in one cycle of RF_CERF_SCAN */
    rf_stage_slots slots;
} rf_cerf_count;

/* Adds one cycle; `m` is the model as it is after it. `waits`: of the environment, NULL when the stage is not counted here. */
void rf_cerf_count_cycle(rf_cerf_count *n, const rf_cerf *m, const rf_cerf_in *in, const rf_cerf_out *out,
                         const rf_stage_waits *waits);

/* Totals and shares since the start. */
void rf_cerf_count_report(const rf_cerf_count *n, const rf_cerf_cfg *cfg, ls_counter_fn *sink, void *ctx);

#endif
