/* SPDX-License-Identifier: Apache-2.0 */
/* rf_banked beside a system that has switched off what it has more, and so must put out the same in every cycle. */
#ifndef RF_BANKED_BESIDE_H
#define RF_BANKED_BESIDE_H

#include "cmodel/banked/rf_banked.h"

typedef struct rf_banked_beside {
    bool running;
    rf_banked model;
    rf_banked_in in;
    rf_banked_out out;
} rf_banked_beside;

/* Starts it, all 0 until then, with the configuration and the banks' contents of `stage`, the system's own; further calls do
 * nothing. Before the first cycle's inputs. */
void rf_banked_beside_start(rf_banked_beside *b, const rf_banked *stage);

/* One cycle with the inputs `in`: whether the system, which put out `out`, did the same. `sources_only`: of what leaves for
 * execution, only operands of slots that have a source count. */
bool rf_banked_beside_step(rf_banked_beside *b, const rf_stage_in *in, const rf_stage_out *out, bool sources_only);

#endif
