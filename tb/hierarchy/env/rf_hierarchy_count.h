/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on inside rf_hierarchy, counted from the wires between its units. */
#ifndef RF_HIERARCHY_COUNT_H
#define RF_HIERARCHY_COUNT_H

#include "cmodel/energy/rf_energy.h"
#include "cmodel/hierarchy/rf_hierarchy.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_slots.h"

/* Of the L1 or the L0, in whole warp registers. */
typedef struct rf_level_count {
    uint64_t reads, shared_reads;   /* operands; by shared units */
    uint64_t writes, shared_writes; /* results and kept operands, and what comes from the L0; a shared unit's */
    uint64_t sent;                  /* entries read to be sent to the MRF */
} rf_level_count;

typedef struct rf_hierarchy_count {
    uint64_t cycles, operands, delivered_shared;
    uint64_t reads, writes, evictions, flushes, moves, kept, last_reads, asked;
    uint64_t read_read, write_write, bank_busy, collectors_busy;
    uint64_t suspended, entered, active, leaving;
    rf_level_count l1, l0;
    rf_stage_slots slots;
} rf_hierarchy_count;

/* Adds one cycle; `waits`: of the environment. */
void rf_hierarchy_count_cycle(rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_hierarchy_in *in,
                              const rf_hierarchy_out *out, const rf_stage_waits *waits);

/* Totals and shares since the start. */
void rf_hierarchy_count_report(const rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_energy_wires *wires,
                               ls_counter_fn *sink, void *ctx);

#endif
