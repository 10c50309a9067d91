/* SPDX-License-Identifier: Apache-2.0 */
/* Round-robin of the banks' arbiters, rf_arbiter's and rf_arbiter_steal's. Readers are COLLECTORS x SLOTS, at most 64, reader =
 * collector * SLOTS + slot. */
#ifndef RF_READERS_H
#define RF_READERS_H

#include "cmodel/common/rf_rr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The collector of a reader: reader / slots, without a division. */
static inline uint32_t rf_readers_collector(uint32_t reader, uint32_t slots) {
    static const uint16_t inverses[RF_SLOTS_MAX + 1] = {0,   513, 257, 171, 129,
                                                        103, 86,  74,  65}; /* x * [s] >> 9 is x / s below 64 */
    return reader * inverses[slots] >> 9;
}

/* The reader among `ask` (not 0) whose turn it is: of the collectors that ask round-robin, by pointer `mask`, its lowest slot. */
static inline uint32_t rf_readers_pick(uint64_t ask, uint64_t mask, uint32_t slots) {
    uint64_t collectors = 0;
    for (uint64_t left = ask; left != 0; left &= left - 1)
        collectors |= UINT64_C(1) << rf_readers_collector(rf_lowest(left), slots);
    const uint32_t first = rf_lowest(rf_rr_pick(collectors, mask)) * slots;
    return first + rf_lowest(ask >> first);
}

/* The edge: the banks' pointers over collectors move past the readers granted, each at the bank that it asked for. */
static inline void rf_readers_move(rf_rr *rr, uint64_t granted, const uint8_t *bank, uint32_t slots) {
    for (uint64_t left = granted; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        rf_rr *const moves = &rr[bank[r]];
        moves->mask_q = rf_rr_next(UINT64_C(1) << rf_readers_collector(r, slots), moves->cfg.n);
    }
}

/* The edge: the banks' pointers over writers move past the writers granted, each at the bank that it asked for. */
static inline void rf_writers_move(rf_rr *rr, uint32_t granted, const uint8_t *bank) {
    for (uint32_t left = granted; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        rf_rr *const moves = &rr[bank[w]];
        moves->mask_q = rf_rr_next(UINT64_C(1) << w, moves->cfg.n);
    }
}

#ifdef __cplusplus
}
#endif
#endif
