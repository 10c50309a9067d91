/* SPDX-License-Identifier: Apache-2.0 */
/* D-dup: a register that several slots of one instruction name is read once and delivered to all of them. `key` has one element
 * per slot: slots with the same one share a register. */
#ifndef RF_DUP_H
#define RF_DUP_H

#include "cmodel/common/rf_types.h"

/* Slots that ask: of those in `open` that share a register, the lowest. */
static inline uint32_t rf_dup_first(uint32_t open, const uint8_t *key, uint32_t slots) {
    if ((open & (open - 1)) == 0) return open; /* one slot shares with nobody */
    uint32_t first = open;
    for (uint32_t s = 1; s < slots; s++)
        for (uint32_t i = 0; i < s; i++) first &= ~((open >> i & (uint32_t)(key[i] == key[s])) << s);
    return first;
}

/* Slots that the reads for `granted`, part of rf_dup_first, serve: these, and the others in `open` that share their registers. */
static inline uint32_t rf_dup_served(uint32_t granted, uint32_t open, const uint8_t *key, uint32_t slots) {
    if (granted == 0) return 0;
    uint32_t served = granted;
    for (uint32_t s = 1; s < slots; s++)
        for (uint32_t i = 0; i < s; i++) served |= open & (granted >> i & (uint32_t)(key[i] == key[s])) << s;
    return served;
}

#endif
