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

/* What an RFC of one level would hold, if source operands that it lacks took entries, too [hierarchy 4.1]: clean ones, which are
 * not written back when they give way. */
typedef struct rf_filled {
    uint8_t reg[RF_LEVEL_ENTRIES_MAX];
    uint8_t valid, dirty; /* entries bits */
    uint8_t oldest;       /* first in, first out */
} rf_filled;

typedef struct rf_hierarchy_count {
    uint64_t cycles, operands, delivered_shared;
    uint64_t reads, writes, evictions, flushes, moves, kept, last_reads, asked;
    uint64_t read_read, write_write, bank_busy, collectors_busy;
    uint64_t suspended, entered, active, leaving;
    rf_level_count l1, l0;
    rf_filled filled[RF_ACTIVE_MAX];
    uint64_t filled_reads, filled_writes; /* of the MRF below them */
    rf_stage_slots slots;
} rf_hierarchy_count;

/* `filled` is of an RFC of one level, first in first out, without liveness and never flushed, as [hierarchy 4.1] describes it. */
static inline bool rf_hierarchy_fills(const rf_hierarchy_cfg *cfg) {
    return cfg->levels == 2 && cfg->managed == 0 && cfg->policy == 0 && cfg->liveness == 0 && cfg->active == cfg->warps;
}

/* Adds one cycle; `waits`: of the environment. */
void rf_hierarchy_count_cycle(rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_hierarchy_in *in,
                              const rf_hierarchy_out *out, const rf_stage_waits *waits);

/* Totals and shares since the start. */
void rf_hierarchy_count_report(const rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_energy_wires *wires,
                               ls_counter_fn *sink, void *ctx);

#endif
