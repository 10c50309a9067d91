/* SPDX-License-Identifier: Apache-2.0 */
/* The names that the analyses' bit sets are over: a kernel's variables before allocation; after it its word registers
 * 0 .. nreg-1, then its predicates. */
#ifndef RF_NAMES_H
#define RF_NAMES_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t rf_names_count(const rf_kernel *kernel) {
    return kernel->allocated ? kernel->nreg + kernel->npred : kernel->nvar;
}

static inline uint32_t rf_names_of_predicate(const rf_kernel *kernel, uint32_t predicate) {
    return kernel->allocated ? kernel->nreg + predicate : predicate;
}

/* How many names an operand stands for, 0 .. 2; the first of them into *first, the second is the next. */
static inline uint32_t rf_names_of(const rf_kernel *kernel, const rf_koperand *operand, uint32_t *first) {
    if (operand->kind != RF_O_REG && operand->kind != RF_O_PRED) return 0;
    *first = operand->kind == RF_O_PRED ? rf_names_of_predicate(kernel, operand->reg) : operand->reg;
    return kernel->allocated && operand->kind == RF_O_REG ? operand->words : 1;
}

/* Sets of names: bit n % 64 of word n / 64. */
static inline bool rf_set_has(const uint64_t *set, uint32_t name) { return set[name / 64] >> (name % 64) & 1; }
static inline void rf_set_add(uint64_t *set, uint32_t name) { set[name / 64] |= UINT64_C(1) << (name % 64); }
static inline void rf_set_remove(uint64_t *set, uint32_t name) { set[name / 64] &= ~(UINT64_C(1) << (name % 64)); }

/* Adds `from` to `to`: whether that changed it. */
static inline bool rf_set_join(uint64_t *to, const uint64_t *from, uint32_t words) {
    uint64_t news = 0;
    for (uint32_t w = 0; w < words; w++) {
        news |= from[w] & ~to[w];
        to[w] |= from[w];
    }
    return news != 0;
}

#ifdef __cplusplus
}
#endif
#endif
