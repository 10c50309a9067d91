/* SPDX-License-Identifier: Apache-2.0 */
/* Rename tables of one issue group [WIR V-B, V-D]: which physical register holds each logical register of each warp. WARPS tables
 * of REGS entries {register, valid, pin}: 12 bits each with 1024 physical registers; 48 x 63 x 12 bits = 4.42 KB over the groups.
 *
 * read    SLOTS sources and the destination of one warp, answered in the same cycle from the registers (4r with 3 slots). An
 *         entry that is not valid reads as register 0 without pin.
 * write   one entry at the edge, valid from then on (1w).
 * release the mappings of a warp that ends or starts: `clear` marks the warp, at the edge. While any warp is marked (`walking`),
 *         the lowest marked one is worked on: walk_valid offers the lowest of its valid entries, and `walk` takes it: the entry
 *         becomes invalid (its register, walk_preg, loses this reference) and its pin 0. A marked warp without a valid entry
 *         loses its mark at the next edge, one warp a cycle, unless `clear` marks it again. So a walk costs a cycle an entry and
 *         one more.
 * A write and a walk of the same entry in one cycle: the write is lost, its register too. walk without walk_valid does nothing.
 * Warps or registers out of range: a read finds nothing valid, a write does nothing. */
#ifndef RF_RENAME_H
#define RF_RENAME_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_rename_cfg {
    uint32_t warps; /* of the group, 1 .. 64 */
    uint32_t regs;  /* logical registers of a warp, 1 .. 256 */
    uint32_t slots; /* sources of an instruction, 1 .. 8 */
    uint32_t pregs; /* physical registers, 2 .. 1024 */
} rf_rename_cfg;

typedef struct rf_rename_in {
    uint8_t rd_warp;              /* index_bits(warps) */
    uint8_t rd_src[RF_SLOTS_MAX]; /* per slot, index_bits(regs) */
    uint8_t rd_dst;               /* index_bits(regs) */
    uint8_t wr_valid;
    uint8_t wr_warp;  /* index_bits(warps) */
    uint8_t wr_reg;   /* index_bits(regs) */
    uint16_t wr_preg; /* index_bits(pregs) */
    uint8_t wr_pin;
    uint64_t clear; /* warps bits */
    uint8_t walk;
} rf_rename_in;

typedef struct rf_rename_out {
    uint8_t src_valid;               /* slots bits: the source is mapped */
    uint16_t src_preg[RF_SLOTS_MAX]; /* per slot */
    uint8_t src_pin;                 /* slots bits */
    uint8_t dst_valid;
    uint16_t dst_preg;
    uint8_t dst_pin;
    uint64_t walking; /* warps bits: marked */
    uint8_t walk_valid;
    uint16_t walk_preg; /* 0 when not walk_valid */
} rf_rename_out;

typedef struct rf_rename {
    rf_rename_cfg cfg;
    uint64_t valid_q[RF_WARPS_MAX * RF_REGS_MAX / 64]; /* per warp: regs bits, in whole words: rf_rename_word, bit reg % 64 */
    uint64_t pin_q[RF_WARPS_MAX * RF_REGS_MAX / 64];   /* likewise; 0 where not valid */
    uint16_t preg_q[RF_WARPS_MAX * RF_REGS_MAX]; /* element warp * regs + reg, index_bits(pregs); stays when it becomes invalid */
    uint64_t walking_q;                          /* warps bits */
} rf_rename;                                     /* all 0 after reset */

/* The word of valid_q and pin_q that holds an entry. */
static inline uint32_t rf_rename_word(const rf_rename *m, uint32_t warp, uint32_t reg) {
    return warp * ((m->cfg.regs + 63) / 64) + reg / 64;
}

/* An entry's bit of `bits`, valid_q or pin_q. */
static inline bool rf_rename_has(const rf_rename *m, const uint64_t *bits, uint32_t warp, uint32_t reg) {
    return (bits[rf_rename_word(m, warp, reg)] >> reg % 64 & 1) != 0;
}

/* NULL, or the parameter that is out of range and its range. */
const char *rf_rename_check(const rf_rename_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_rename_init(rf_rename *m, const rf_rename_cfg *cfg);
void rf_rename_reset(rf_rename *m);
/* Outputs of this cycle. */
void rf_rename_comb(const rf_rename *m, const rf_rename_in *in, rf_rename_out *out);
/* The rising clock edge. */
void rf_rename_clock(rf_rename *m, const rf_rename_in *in);
/* rf_rename_comb, then rf_rename_clock, in one pass. */
void rf_rename_step(rf_rename *m, const rf_rename_in *in, rf_rename_out *out);

#ifdef __cplusplus
}
#endif
#endif
