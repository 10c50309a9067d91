/* SPDX-License-Identifier: Apache-2.0 */
/* The head instruction of one warp, out of all instruction buffers' heads, with the places of its sources (D-map): what an issue
 * group hands to a collector. Combinational, no clock.
 *
 * Mapping: register r of warp w is in bank (r + w) mod BANKS, row w * ceil(REGS / BANKS) + r / BANKS, cut to their
 *          widths. Sources that are not valid are mapped as well.
 * Range:   for a warp that does not exist (WARPS no power of two) its instruction is 0 but for `warp`, and bank and row are
 *          those of register 0 of that warp. */
#ifndef RF_STAGE_HEAD_H
#define RF_STAGE_HEAD_H

#include "cmodel/banked/rf_map.h"
#include "cmodel/banked/rf_stage_records.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_stage_head_cfg {
    uint32_t warps;   /* 1 .. 64 */
    uint32_t banks;   /* 1 .. 32 */
    uint32_t regs;    /* registers of a warp, 1 .. 256; warps x ceil(regs / banks) at most 1024 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t slots;   /* sources of an instruction, 1 .. 8 */
    uint32_t exports; /* execution ports, 1 .. 8 */
} rf_stage_head_cfg;

typedef struct rf_stage_head_in {
    uint8_t warp; /* index_bits(warps) */
    union {
        rf_stage_heads heads;
        struct {
            RF_STAGE_HEAD_PORTS
        };
    };
} rf_stage_head_in;

typedef struct rf_stage_head_out {
    rf_stage_instr inst;
    uint8_t bank[RF_SLOTS_MAX]; /* per slot, index_bits(banks) */
    uint16_t row[RF_SLOTS_MAX]; /* per slot, index_bits(warps x ceil(regs / banks)) */
} rf_stage_head_out;

typedef struct rf_stage_head {
    rf_stage_head_cfg cfg; /* no state */
} rf_stage_head;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_stage_head_check(const rf_stage_head_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_stage_head_init(rf_stage_head *m, const rf_stage_head_cfg *cfg);
void rf_stage_head_reset(rf_stage_head *m);
/* Outputs of this cycle. */
void rf_stage_head_comb(const rf_stage_head *m, const rf_stage_head_in *in, rf_stage_head_out *out);
/* The rising clock edge; nothing happens: there is no state. */
void rf_stage_head_clock(rf_stage_head *m, const rf_stage_head_in *in);
/* rf_stage_head_comb, then rf_stage_head_clock, in one pass. */
void rf_stage_head_step(rf_stage_head *m, const rf_stage_head_in *in, rf_stage_head_out *out);

#ifdef __cplusplus
}
#endif
#endif
