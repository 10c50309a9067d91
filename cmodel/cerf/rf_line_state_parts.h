/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_line_state for one entry: private to rf_line_state.c and to the units that hold states of entries. */
#ifndef RF_LINE_STATE_PARTS_H
#define RF_LINE_STATE_PARTS_H

#include "cmodel/cerf/rf_line_state.h"

/* The state that an entry in `state` has after `event`. */
static inline uint8_t rf_line_state_next(uint32_t state, uint32_t event) {
    switch (event) {
    case RF_LINE_WRITE_REG:
    case RF_LINE_FILL_REG:
        return RF_LINE_REG;
    case RF_LINE_DIE:
        return state == RF_LINE_REG ? RF_LINE_INACTIVE : (uint8_t)state;
    case RF_LINE_FILL_CACHE:
        return RF_LINE_CACHE;
    case RF_LINE_STORE:
        return state == RF_LINE_CACHE ? RF_LINE_DIRTY : (uint8_t)state;
    case RF_LINE_DROP:
        return RF_LINE_INACTIVE;
    default:
        return (uint8_t)state;
    }
}

/* Its content would be lost if it were replaced. */
static inline bool rf_line_state_spill(uint32_t state) { return state == RF_LINE_REG || state == RF_LINE_DIRTY; }

#endif
