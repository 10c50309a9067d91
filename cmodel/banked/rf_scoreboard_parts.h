/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_scoreboard for one instruction: for rf_scoreboard.c and for those who hold one. */
#ifndef RF_SCOREBOARD_PARTS_H
#define RF_SCOREBOARD_PARTS_H

#include "cmodel/banked/rf_scoreboard.h"

/* RAW and WAW: an instruction of `warp` must wait for a result. One that does not exist never is pending, so that no range is
 * checked. */
static inline bool rf_scoreboard_waits(const rf_scoreboard *m, uint32_t warp, bool dst_valid, uint32_t dst, uint32_t src_valid,
                                       const uint8_t *src, uint32_t slots) {
    const uint64_t *pending = m->pending_q[warp].w;
    uint64_t hit = dst_valid & pending[dst >> 6] >> (dst & 63);
    for (uint32_t s = 0; s < slots; s++) hit |= src_valid >> s & pending[src[s] >> 6] >> (src[s] & 63);
    return (hit & 1) != 0;
}

/* D-war: an instruction with destination `dst` must wait for a collector that has yet to read `reg` for the same warp. */
static inline bool rf_scoreboard_overtakes(const rf_scoreboard *m, uint32_t dst, uint32_t reg) {
    return reg == dst && reg < m->cfg.regs;
}

#endif
