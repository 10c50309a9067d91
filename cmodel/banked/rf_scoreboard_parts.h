/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of rf_scoreboard that needs no register of it: for rf_scoreboard.c and for those who hold one. */
#ifndef RF_SCOREBOARD_PARTS_H
#define RF_SCOREBOARD_PARTS_H

#include "cmodel/banked/rf_scoreboard.h"

/* D-war: an instruction with destination `dst` must wait for a collector that has yet to read `reg` for the same warp. */
static inline bool rf_scoreboard_overtakes(const rf_scoreboard *m, uint32_t dst, uint32_t reg) {
    return reg == dst && reg < m->cfg.regs;
}

#endif
