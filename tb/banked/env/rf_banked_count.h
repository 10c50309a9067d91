/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on inside rf_banked, counted from the wires between its units. */
#ifndef RF_BANKED_COUNT_H
#define RF_BANKED_COUNT_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/energy/rf_energy.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_slots.h"

typedef struct rf_banked_count {
    uint64_t cycles, reads, writes, read_read, read_write, write_write, bank_busy, collectors_busy;
    uint64_t delivered; /* operands handed to execution units */
    uint64_t asked;     /* requests before the arbiter */
    rf_stage_slots slots;
} rf_banked_count;

/* Adds one cycle; `waits`: of the environment. */
void rf_banked_count_cycle(rf_banked_count *c, const rf_banked_cfg *cfg, const rf_banked_in *in, const rf_banked_out *out,
                           const rf_stage_waits *waits);

/* Totals and shares since the start. */
void rf_banked_count_report(const rf_banked_count *c, const rf_banked_cfg *cfg, const rf_energy_wires *wires, ls_counter_fn *sink,
                            void *ctx);

#endif
