/* SPDX-License-Identifier: Apache-2.0 */
/* Words that rf_wir and the units cut from it share: whose group a warp is, which register D-map means, what an info's low bits
 * say. Private to them. */
#ifndef RF_WIR_WORDS_H
#define RF_WIR_WORDS_H

#include "cmodel/banked/rf_map.h"
#include "cmodel/wir/rf_wir_types.h"

/* A function of a part, which takes its unit's configuration as `cfg`. */
#define RF_WIR_PART static inline

/* rf_index_bits without its loop, for n up to 2^31. */
RF_WIR_PART uint32_t rf_wir_bits(uint32_t n) { return n <= 2 ? 1 : 32 - (uint32_t)__builtin_clz(n - 1); }

/* A warp's group and its number there. */
RF_WIR_PART uint32_t rf_wir_group_of(uint32_t warp, uint32_t issues) { return warp % issues; }
RF_WIR_PART uint32_t rf_wir_local(uint32_t warp, uint32_t issues) { return warp / issues; }

/* REUSE 0: the physical register that D-map's bank and row of a logical one are, cut to the width of its number. */
RF_WIR_PART uint16_t rf_wir_fixed_preg(uint32_t banks, uint32_t regs, uint32_t pregs, uint32_t warp, uint32_t reg) {
    const uint32_t row = rf_map_row(warp, reg, banks, rf_map_rows_per_warp(regs, banks));
    return (uint16_t)((row * banks + rf_map_bank(warp, reg, banks)) & rf_mask64(rf_wir_bits(pregs)));
}

/* The low bits of an info: {old register, old mapping valid or its reference ends, pinned}, pinned in bit 0. */
RF_WIR_PART bool rf_wir_pinned(uint64_t info) { return (info & 1) != 0; }
RF_WIR_PART bool rf_wir_old_valid(uint64_t info) { return (info >> 1 & 1) != 0; }
RF_WIR_PART uint16_t rf_wir_old_preg(uint32_t pregs, uint64_t info) {
    return (uint16_t)(info >> 2 & rf_mask64(rf_wir_bits(pregs)));
}

#endif
