/* SPDX-License-Identifier: Apache-2.0 */
/* The unit as its RTL has it, for all that works on the RTL and not on the model: ports and registers by their names there. */
#ifndef LS_SIGNALS_H
#define LS_SIGNALS_H

#include "harness/core/unit.h"

/* What the clock and reset are called where a unit has none: no port has these names then. */
#define LS_USUAL_CLOCK "clk_i"
#define LS_USUAL_RESET "rst_ni"

static inline const char *ls_clock_name(const ls_unit *unit) {
    const char *name = ls_unit_clock(unit);
    return name != NULL ? name : LS_USUAL_CLOCK;
}
static inline const char *ls_reset_name(const ls_unit *unit) {
    const char *name = ls_unit_reset(unit);
    return name != NULL ? name : LS_USUAL_RESET;
}

/* A line for each signal of the RTL that is compared or driven, of both `name` and `rtl` its name. Where a map takes a signal
 * apart the line has its own width and elements, and one of its pieces in `pieces`; such a signal is a memory when some of it is
 * in one of the model. Of a map ls_map_resolve must have found out what it means. Ends the process when the configuration is
 * refused. To be freed with ls_fields_free. */
void ls_signals_of(const ls_unit *unit, const void *cfg, ls_fields *signals);

/* The same of fields, as ls_unit_fields lists them. */
void ls_signals_of_fields(const ls_fields *fields, ls_fields *signals);

#endif
