/* SPDX-License-Identifier: Apache-2.0 */
/* What an integrated memory and the L2 below it hold, wherever it is: in the data array, in the data stage, in a queue to L2. */
#ifndef RF_CERF_VIEW_H
#define RF_CERF_VIEW_H

#include "cmodel/cerf/rf_cerf_memory.h"
#include "tb/cerf/env/rf_line_store.h"

/* The newest content of line `line`; `l2` is what L2 holds. With POLICY 1 a register that has no entry is 0. */
rf_vec rf_cerf_view_line(const rf_cerf_memory *m, const rf_line_store *l2, uint32_t line);
/* The same of a register. */
rf_vec rf_cerf_view_register(const rf_cerf_memory *m, const rf_line_store *l2, uint32_t number);

/* Nothing is on its way: no MSHR is busy, no message waits, the data stage is free. */
bool rf_cerf_view_idle(const rf_cerf_memory *m);

/* NULL, or what is wrong in the set of a bank: "two entries of one line". */
const char *rf_cerf_view_check(const rf_cerf_memory *m, uint32_t bank, uint32_t set);

/* NULL, or "... waits for nothing": who was refused by a bank that will never wake it, because no answer of L2 and no message to
 * it is under way there. `x`: of the cycle that has just ended. */
const char *rf_cerf_view_waits(const rf_cerf_memory *m, const rf_cerf_memory_wires *x);

/* The entry, way `way` of set `set` of all banks, is not vacant. */
bool rf_cerf_view_holds(const rf_cerf_memory *m, uint32_t set, uint32_t way);

/* State of the entry that has the line, RF_LINE_INACTIVE when none has; its way in *way. */
uint32_t rf_cerf_view_state(const rf_cerf_memory *m, uint32_t line, uint32_t *way);

#endif
