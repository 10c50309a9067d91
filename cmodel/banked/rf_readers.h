/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of the banks' arbiters: COLLECTORS x SLOTS, reader = collector * SLOTS + slot, at most 64. */
#ifndef RF_READERS_H
#define RF_READERS_H

#include "cmodel/common/rf_rr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The reader, one hot, among `ask` (not 0) whose turn it is. The pointer holds all collectors from some number on, that is all
 * readers from that number x slots on: the lowest reader inside is the lowest asking slot of the collector whose turn it is. */
static inline uint64_t rf_readers_pick(uint64_t ask, uint64_t collectors, uint32_t slots) {
    const uint32_t first = rf_lowest(collectors | UINT64_C(1) << 63) * slots; /* beyond 63 only when no collector is left */
    const uint64_t readers = (~UINT64_C(0) << (first & 63)) & (0 - (uint64_t)(collectors != 0));
    return rf_rr_pick(ask, readers);
}

/* The collector of a reader: reader / slots, without a division. */
static inline uint32_t rf_readers_collector(uint32_t reader, uint32_t slots) {
    static const uint16_t inverses[RF_SLOTS_MAX + 1] = {0,   513, 257, 171, 129,
                                                        103, 86,  74,  65}; /* x * [s] >> 9 is x / s below 64 */
    return reader * inverses[slots] >> 9;
}

#ifdef __cplusplus
}
#endif
#endif
