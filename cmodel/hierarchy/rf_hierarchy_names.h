/* SPDX-License-Identifier: Apache-2.0 */
/* Names above the main register file (MRF) [hierarchy 4.2]: "the register file namespace is partitioned, with each segment of
 * architectural register names representing a different level of the hierarchy". A name has four bits: 0 to 7 are the entries of
 * the L1, 8 to 15 the banks of the L0: bank 0 of a unified one, bank s of a split one for operand slot s. */
#ifndef RF_HIERARCHY_NAMES_H
#define RF_HIERARCHY_NAMES_H

#include "cmodel/common/rf_types.h"

#define RF_ACTIVE_MAX 32u       /* warps that may be active at a time */
#define RF_LEVEL_ENTRIES_MAX 8u /* entries of an L1, a warp */
#define RF_LEVEL_NAME_W 4u      /* bits of a name */
#define RF_LEVEL_NAMES (1u << RF_LEVEL_NAME_W)
#define RF_LEVEL_L0 8u /* name of bank 0 of the L0 */

/* The upper levels' bits of the whole warp: all lanes. */
static inline uint32_t rf_all_lanes(uint32_t lanes) { return (uint32_t)rf_mask64(lanes); }

#endif
