/* SPDX-License-Identifier: Apache-2.0 */
/* What the caching collectors of rf_malekeh do, counted: the quantities of [Malekeh 9]. Beside the system, on the same issued
 * instructions, two caches with all the room they want:
 *
 *   ideal  infinite entries, never flushed but at a warp's launch, all near results kept [Malekeh 4.2]: bounds the hits of any
 *          such CCU
 *   BOW    the sliding window that the Malekeh paper compares with (its reference 3): per warp the operands of the last
 *          RF_BOW_WINDOW uops, this one included, forward their values to its sources; a control instruction, taken or not,
 *          empties the window */
#ifndef RF_MALEKEH_COUNT_H
#define RF_MALEKEH_COUNT_H

#include "cmodel/energy/rf_energy.h"
#include "cmodel/malekeh/rf_malekeh.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_slots.h"

#define RF_BOW_WINDOW 3u
#define RF_BOW_OPERANDS (RF_SLOTS_MAX + 1u) /* of an instruction: sources, destination */

/* Registers in a warp's window, oldest instruction first. */
typedef struct rf_bow {
    uint8_t reg[RF_BOW_WINDOW - 1][RF_BOW_OPERANDS];
    uint8_t count[RF_BOW_WINDOW - 1];
} rf_bow;

typedef struct rf_malekeh_count {
    uint64_t cycles, issued;
    uint64_t operands;      /* sources of issued instructions, each register of an instruction once */
    uint64_t delivered;     /* sources of issued instructions */
    uint64_t asked;         /* requests before the arbiter */
    uint64_t hits;          /* of them, found in the CCU: not read from the banks */
    uint64_t ideal, bow;    /* of them, what the two other caches have */
    uint64_t outside;       /* of the hits, those that BOW's window does not have */
    uint64_t reads, writes; /* of banks */
    uint64_t near_writes;   /* results with a near destination */
    uint64_t d_writes;      /* results with port D of a CCU: stored, but for those that find it locked, partial or emptied */
    uint64_t flushes;       /* CCUs with values in them that another warp takes */
    uint64_t flushes_near;  /* of them, with near values */
    uint64_t read_read, read_write, write_write, bank_busy, collectors_busy;
    rf_stage_slots slots;
    uint64_t sthld_sum;                            /* STHLD over cycles */
    uint64_t seen[RF_WARPS_MAX][RF_REGS_MAX / 64]; /* ideal: registers of the warp in the slot that it has */
    rf_bow window[RF_WARPS_MAX];
} rf_malekeh_count;

/* One cycle. `waits`: of the environment; `control`, warps bits: the instruction shown is a branch. */
void rf_malekeh_count_cycle(rf_malekeh_count *n, const rf_malekeh_cfg *cfg, const rf_malekeh_in *in, const rf_malekeh_out *out,
                            const rf_stage_waits *waits, uint64_t control);

/* A new warp in slot `warp`. */
void rf_malekeh_count_launch(rf_malekeh_count *n, uint32_t warp);

/* All of it, and shares. */
void rf_malekeh_count_report(const rf_malekeh_count *n, const rf_malekeh_cfg *cfg, const rf_energy_wires *wires,
                             ls_counter_fn *sink, void *ctx);

#endif
