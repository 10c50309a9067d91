/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of rf_line_victim: private to rf_line_victim.c and to the units that replace entries. */
#ifndef RF_LINE_VICTIM_PARTS_H
#define RF_LINE_VICTIM_PARTS_H

#include "cmodel/cerf/rf_line_victim.h"

#define RF_LINE_NO_WAY RF_LINE_WAYS_MAX /* in place of a way: none */

/* States and ages of a set, as the inputs have them. */
static inline uint32_t rf_line_state_at(uint32_t state, uint32_t way) { return state >> 2 * way & 3; }
static inline uint32_t rf_line_age_at(uint32_t age, uint32_t age_bits, uint32_t way) {
    return age >> age_bits * way & ((1u << age_bits) - 1);
}

/* The ways in `state`; bit w is way w. */
static inline uint32_t rf_line_ways_in(uint32_t ways, uint32_t set, uint32_t state) {
    uint32_t in = 0;
    for (uint32_t w = 0; w < ways; w++) in |= (uint32_t)(rf_line_state_at(set, w) == state) << w;
    return in;
}

/* The ways of a set without an inactive entry that may give theirs. */
static inline uint32_t rf_line_victim_allowed(uint32_t ways, uint32_t policy, uint32_t set, bool cache) {
    const uint32_t all = (uint32_t)rf_mask64(ways);
    if (policy == RF_POLICY_FAIR) return all;
    const uint32_t registers = rf_line_ways_in(ways, set, RF_LINE_REG);
    if (policy == RF_POLICY_REGISTERS) return all & ~registers;
    return registers == 0 && cache ? all : registers;
}

/* The oldest of the ways in `of`, of equal ages the lowest; RF_LINE_NO_WAY of none. */
static inline uint32_t rf_line_victim_oldest(uint32_t age_bits, uint32_t age, uint32_t of) {
    uint32_t oldest = RF_LINE_NO_WAY;
    for (uint32_t left = of; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        if (oldest == RF_LINE_NO_WAY || rf_line_age_at(age, age_bits, w) > rf_line_age_at(age, age_bits, oldest)) oldest = w;
    }
    return oldest;
}

/* The way that gives its entry to a newcomer, or RF_LINE_NO_WAY. */
static inline uint32_t rf_line_victim_way(uint32_t ways, uint32_t policy, uint32_t state, uint32_t age, bool cache) {
    const uint32_t inactive = rf_line_ways_in(ways, state, RF_LINE_INACTIVE);
    if (inactive != 0) return rf_lowest(inactive);
    return rf_line_victim_oldest(rf_line_age_bits(ways), age, rf_line_victim_allowed(ways, policy, state, cache));
}

#endif
