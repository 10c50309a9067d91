/* SPDX-License-Identifier: Apache-2.0 */
/* How a program uses registers and lines, whatever holds them [CERF II-B, II-D, III-D-1]: the registers that are live, and how
 * soon a value or a line is used again. Counted at issue and at the load/store unit, so that a stage with its registers and its
 * L1D apart is counted alike. */
#ifndef RF_CERF_USE_H
#define RF_CERF_USE_H

#include "cmodel/cerf/rf_cerf.h"
#include "harness/core/unit.h"
#include "tb/cerf/env/rf_line_table.h"

/* Uses of what was used before; of them those within 100 and within 1,000 cycles. */
typedef struct rf_cerf_reuse {
    uint64_t all, near, far;
} rf_cerf_reuse;

typedef struct rf_cerf_line_use {
    uint64_t uses, last; /* last: cycle */
} rf_cerf_line_use;

typedef struct rf_cerf_use {
    uint32_t slots;
    uint64_t cycles, warps, live;                 /* sums over cycles: warps; registers that will be read again */
    uint32_t alive[RF_WARPS_MAX];                 /* per warp: how many are */
    uint64_t set[RF_WARPS_MAX][RF_REGS_MAX / 64]; /* ... which */
    uint64_t last[RF_WARPS_MAX][RF_REGS_MAX];     /* per register: cycle of its last use + 1; 0: none since the warp began */
    rf_cerf_reuse registers, lines;
    rf_line_table table;    /* lines that were used */
    rf_cerf_line_use *line; /* per line of the table */
} rf_cerf_use;

/* Ends the process when memory runs out, as the next does. */
void rf_cerf_use_init(rf_cerf_use *u, uint32_t slots);
void rf_cerf_use_free(rf_cerf_use *u);

/* Adds one cycle; `warps`: bits of the slots that have a warp. One that issues is among them, one that comes into it was
 * launched. */
void rf_cerf_use_cycle(rf_cerf_use *u, const rf_cerf_in *in, const rf_cerf_out *out, uint64_t warps);

void rf_cerf_use_report(const rf_cerf_use *u, ls_counter_fn *sink, void *ctx);

#endif
