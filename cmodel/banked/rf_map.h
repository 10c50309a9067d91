/* SPDX-License-Identifier: Apache-2.0 */
/* D-map: where a warp register lives. GPGPU-Sim and Ventus use the same bank formula. The RTL's twin is rf_banked_pkg. */
#ifndef RF_MAP_H
#define RF_MAP_H

#include "cmodel/common/rf_types.h"

/* Rows that one warp's `regs` registers take in each of `banks` banks. */
static inline uint32_t rf_map_rows_per_warp(uint32_t regs, uint32_t banks) { return (regs + banks - 1) / banks; }

/* Bank of register `reg` of `warp`. */
static inline uint32_t rf_map_bank(uint32_t warp, uint32_t reg, uint32_t banks) { return (reg + warp) % banks; }

/* Row of register `reg` of `warp` inside its bank. */
static inline uint32_t rf_map_row(uint32_t warp, uint32_t reg, uint32_t banks, uint32_t rows_per_warp) {
    return warp * rows_per_warp + reg / banks;
}

/* The same, cut to the width that the RTL has for the rows of `warps` warps: only a warp or register that does not exist is
 * affected. */
static inline uint16_t rf_map_row_port(uint32_t warp, uint32_t reg, uint32_t banks, uint32_t rows_per_warp, uint32_t warps) {
    const uint32_t row = rf_map_row(warp, reg, banks, rows_per_warp), rows = warps * rows_per_warp;
    return (uint16_t)(row < rows ? row : row & (uint32_t)rf_mask64(rf_index_bits(rows)));
}

#endif
