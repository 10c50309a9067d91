/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of what an instruction carries and no unit of rf_wir looks at before its port: any value. */
#ifndef RF_WIR_CARRIED_H
#define RF_WIR_CARRIED_H

#include "cmodel/wir/rf_wir_records.h"
#include "harness/base/rng.h"

static inline void rf_wir_draw_carried(ls_rng *rng, rf_wir_common *of) { of->tag = (uint16_t)ls_rng_value(rng, 16); }

/* The same of the head of warp w; `in`: an rf_wir_in or rf_wir_issue_in. */
#define RF_WIR_DRAW_CARRIED_HEAD(rng, in, w) ((in)->ib_tag[w] = (uint16_t)ls_rng_value((rng), 16))

#endif
