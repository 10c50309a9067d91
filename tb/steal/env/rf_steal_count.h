/* SPDX-License-Identifier: Apache-2.0 */
/* What happens at the banks of rf_steal, counted: the quantities of [bank stealing VI-B]. With both kinds of stealing off it
 * counts the straight register file in the same terms. */
#ifndef RF_STEAL_COUNT_H
#define RF_STEAL_COUNT_H

#include "cmodel/energy/rf_energy.h"
#include "cmodel/steal/rf_steal.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_slots.h"

typedef struct rf_steal_count {
    uint64_t cycles, bank_busy, collectors_busy;
    uint64_t bank_reads, bank_writes; /* accesses of banks, whatever for */
    uint64_t recalls, returns; /* of them: reads of stolen results on their way back, and their writes in their own place */
    uint64_t asked;            /* requests before the arbiter: operands in their turn, ahead, results */
    uint64_t delivered;        /* operands handed to execution units */
    uint64_t reads;            /* operands read in their turn */
    uint64_t reads_ahead;      /* operands read ahead */
    uint64_t issues_ahead;     /* instructions issued ahead of their turn */
    /* Cycles that operands wait at the arbiter, by what their bank does instead. */
    uint64_t wait_read;   /* it reads for another collector: the inter-read penalty */
    uint64_t wait_own;    /* it reads for the same collector */
    uint64_t wait_write;  /* it writes a result, or one that comes back: the inter-write penalty */
    uint64_t wait_recall; /* it reads a stolen register on its way back */
    uint64_t wait_stolen; /* whatever it does, the operand itself is still on its way back (RAW) */
    /* Results by what becomes of them at the arbiter. */
    uint64_t writes_normal; /* written to their register, nothing else in the bank */
    uint64_t writes_stolen; /* written to the Rfree of another bank */
    uint64_t writes_forced; /* written to their register although somebody else wanted the bank */
    uint64_t writes_wait; /* cycles that results wait behind another write, a recall, a return or their own register's way back */
    /* Stolen results by how they come back. */
    uint64_t back_idle;            /* bank and bus were idle */
    uint64_t back_forced;          /* somebody waited for the register, or Rfree became live */
    uint64_t back_in_1, back_in_3; /* recalled 1, and at most 3, cycles after they were stolen */
    uint64_t back_stall;           /* an operand waited for the bank in the cycle in which they were written */
    uint64_t names, names_lost;    /* of inactive registers; lost: the bank's Rfree was in use */
    uint64_t linked;               /* stolen results that are away, summed over cycles */
    /* Groups without an issue in a cycle, by cause. */
    rf_stage_slots slots;
    uint64_t since[RF_BANKS_MAX]; /* per bank: cycle in which its Rfree took a value */
} rf_steal_count;

/* One cycle; `waits`: of the environment. */
void rf_steal_count_cycle(rf_steal_count *n, const rf_steal_cfg *cfg, const rf_steal_in *in, const rf_steal_out *out,
                          const rf_stage_waits *waits);

/* All of it, and shares. */
void rf_steal_count_report(const rf_steal_count *n, const rf_steal_cfg *cfg, const rf_energy_wires *wires, ls_counter_fn *sink,
                           void *ctx);

#endif
