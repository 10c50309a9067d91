/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_reindex: private to rf_reindex.c and to the units that look registers and lines up. */
#ifndef RF_REINDEX_PARTS_H
#define RF_REINDEX_PARTS_H

#include "cmodel/cerf/rf_reindex.h"

/* Number of a register. */
static inline uint16_t rf_reindex_number(const rf_reindex_cfg *cfg, uint32_t warp, uint32_t reg) {
    return (uint16_t)((warp * cfg->regs + reg) & rf_mask64(rf_index_bits(cfg->warps * cfg->regs)));
}

/* Its line number. */
static inline uint32_t rf_reindex_line(const rf_reindex_cfg *cfg, uint32_t number) {
    return (uint32_t)((cfg->prefix << rf_index_bits(cfg->warps * cfg->regs) | number) & rf_mask64(cfg->line_w));
}

/* Place of a line. */
static inline uint8_t rf_reindex_bank(const rf_reindex_cfg *cfg, uint32_t line) { return (uint8_t)(line % cfg->banks); }
static inline uint16_t rf_reindex_set(const rf_reindex_cfg *cfg, uint32_t line) {
    return (uint16_t)(line / cfg->banks % cfg->sets);
}
static inline uint32_t rf_reindex_tag(const rf_reindex_cfg *cfg, uint32_t line) { return line / (cfg->banks * cfg->sets); }

#endif
