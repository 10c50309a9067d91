/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_steal_reads: for rf_steal_reads.c and for those who hold one. */
#ifndef RF_STEAL_READS_PARTS_H
#define RF_STEAL_READS_PARTS_H

#include "cmodel/banked/rf_dup.h"
#include "cmodel/steal/rf_steal_reads.h"

/* Sources of group g's candidate, slots bits; none without `valid`. */
static inline uint32_t rf_steal_reads_sources(const rf_steal_reads *m, const rf_steal_reads_in *in, uint32_t g) {
    if ((in->valid >> g & 1) == 0) return 0;
    return in->src_valid >> (g * m->cfg.slots) & (uint32_t)rf_mask64(m->cfg.slots);
}

/* Output ask. */
static inline uint32_t rf_steal_reads_ask(const rf_steal_reads *m, const rf_steal_reads_in *in) {
    const uint32_t slots = m->cfg.slots;
    uint32_t operands = 0, once = 0, twice = 0, ask = 0; /* once, twice: banks of one operand at least, of two at least */
    for (uint32_t g = 0; g < m->cfg.issues; g++)
        operands |= rf_dup_first(rf_steal_reads_sources(m, in, g), &in->src[g * slots], slots) << (g * slots);
    for (uint32_t left = operands; left != 0; left &= left - 1) {
        const uint32_t bank = 1u << in->bank[rf_lowest(left)];
        twice |= once & bank;
        once |= bank;
    }
    for (uint32_t left = operands & ~in->blocked; left != 0; left &= left - 1) {
        const uint32_t k = rf_lowest(left);
        if (m->cfg.when == 2 || (twice >> in->bank[k] & 1) != 0) ask |= 1u << k;
    }
    return ask;
}

/* Output fill; `ask` is rf_steal_reads_ask. */
static inline uint32_t rf_steal_reads_fill(const rf_steal_reads *m, const rf_steal_reads_in *in, uint32_t ask) {
    const uint32_t slots = m->cfg.slots, read = ask & in->grant;
    uint32_t fill = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const uint32_t granted = read >> (g * slots) & (uint32_t)rf_mask64(slots);
        fill |= rf_dup_served(granted, rf_steal_reads_sources(m, in, g), &in->src[g * slots], slots) << (g * slots);
    }
    return fill;
}

/* Output steal; `fill` is rf_steal_reads_fill. */
static inline uint32_t rf_steal_reads_steal(const rf_steal_reads *m, uint32_t fill) {
    uint32_t steal = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++)
        steal |= (uint32_t)((fill >> (g * m->cfg.slots) & (uint32_t)rf_mask64(m->cfg.slots)) != 0) << g;
    return steal;
}

#endif
