/* SPDX-License-Identifier: Apache-2.0 */
/* "rf_banked with the same latency" beside an rf_wir with everything off ([WIR VII-A] Base): an rf_banked model with two
 * registers behind issue and DELAY - 2 before each write-back queue. It is shown, group by group, what left those two registers,
 * and nothing else, so its own scheduler and scoreboard have nothing to decide: who issues into the registers is found before
 * them (rf_wir_late_issue.h). The system must issue, deliver and accept the same in every cycle. */
#ifndef RF_WIR_LATE_H
#define RF_WIR_LATE_H

#include "cmodel/wir/rf_wir.h"

typedef struct rf_wir_late rf_wir_late;

/* For this system, its banks as they are now. Ends the process when memory runs out. */
rf_wir_late *rf_wir_late_new(const rf_wir *m);
void rf_wir_late_free(rf_wir_late *late);

/* One cycle of both: NULL, or what the system does otherwise. */
const char *rf_wir_late_step(rf_wir_late *late, const rf_wir_in *in, const rf_wir_out *out);

#endif
