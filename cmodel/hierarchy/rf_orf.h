/* SPDX-License-Identifier: Apache-2.0 */
/* Operand register file of one active warp, managed by software [hierarchy 4.2 to 4.6]: an L1 of ENTRIES entries and an L0 of no
 * bank (L0 = 0), one bank for all operand slots (1), or one bank for each operand slot (2, the split L0). Each is a name
 * (rf_hierarchy_names.h) and holds one value, all lanes. No tags, no write-back: the compiler names the place of every operand.
 *
 * Reads, from the registers as they are: per slot with its bit of rd_valid the named entry's lanes; 0 without it. A lane that the
 * entry does not hold gives RF_ORF_POISON, so that a wrong allocation shows; so do all lanes of a name that does not exist, of a
 * bank of a split L0 that is not the slot's own, and of any L0 bank with `shared` (the shared units have no way to the L0
 * [hierarchy 4.4, 4.5]).
 * set: an instruction issues that will write a name, or two: its result's, and that of an operand which it keeps
 * ([hierarchy 5.4], read operand allocation): the name's bit of pend is set at the edge. Who names a pending entry waits (outside
 * of this unit). write: lanes of wr_mask are written and held from now on, the others stay; pend is cleared. With wr_shared a
 * write to the L0 clears pend only. clear: a strand ends; no entry holds a lane any longer. pend stays: what is under way still
 * arrives. At the edge in this order: clear, write, set. A name that does not exist is neither set nor written. Reset: all 0.
 * Data that is no longer held keeps its bits. All inputs are legal. */
#ifndef RF_ORF_H
#define RF_ORF_H

#include "cmodel/hierarchy/rf_hierarchy_names.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_ORF_POISON UINT32_C(0xDEADC0DE)

typedef struct rf_orf_cfg {
    uint32_t entries; /* of the L1, 1 .. 8 */
    uint32_t l0;      /* 0: none, 1: one bank, 2: one bank a slot */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t slots;   /* sources of an instruction, 1 .. 8 */
} rf_orf_cfg;

typedef struct rf_orf_in {
    uint8_t rd_valid;              /* slots bits: the source is in this file */
    uint8_t rd_name[RF_SLOTS_MAX]; /* per slot, 4 bits */
    uint8_t shared;                /* the reader is a shared unit */
    uint8_t set;                   /* 2 bits: 0 the result's name, 1 that of a kept operand */
    uint8_t set_name[2];           /* 4 bits each */
    uint8_t write;                 /* a value arrives */
    uint8_t wr_name;               /* 4 bits */
    uint32_t wr_mask;              /* lanes bits */
    rf_vec wr_data;                /* lanes x 32 bits */
    uint8_t wr_shared;             /* ... from a shared unit */
    uint8_t clear;                 /* a strand ends */
} rf_orf_in;

typedef struct rf_orf_out {
    rf_vec rd_data[RF_SLOTS_MAX]; /* per slot: lanes x 32 bits */
    uint16_t pend;                /* 16 bits, by name: a write is under way; 0 of names that do not exist */
} rf_orf_out;

typedef struct rf_orf {
    rf_orf_cfg cfg;
    uint16_t pend_q;                 /* places bits: a write is under way */
    uint32_t held_q[RF_LEVEL_NAMES]; /* per place: lanes bits */
    rf_vec data_q[RF_LEVEL_NAMES];   /* per place: lanes x 32 bits */
} rf_orf;

/* Places of the file: the entries of the L1, then the banks of the L0. */
static inline uint32_t rf_orf_places(const rf_orf_cfg *cfg) { return cfg->entries + (cfg->l0 == 2 ? cfg->slots : cfg->l0); }

/* The place of a name, or RF_LEVEL_NAMES: it does not exist. */
static inline uint32_t rf_orf_place(const rf_orf_cfg *cfg, uint32_t name) {
    if (name < RF_LEVEL_L0) return name < cfg->entries ? name : RF_LEVEL_NAMES;
    const uint32_t place = cfg->entries + name - RF_LEVEL_L0;
    return place < rf_orf_places(cfg) ? place : RF_LEVEL_NAMES;
}

/* NULL, or the parameter that is out of range and its range. */
const char *rf_orf_check(const rf_orf_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_orf_init(rf_orf *m, const rf_orf_cfg *cfg);
void rf_orf_reset(rf_orf *m);
/* Outputs of this cycle. */
void rf_orf_comb(const rf_orf *m, const rf_orf_in *in, rf_orf_out *out);
/* The rising clock edge. */
void rf_orf_clock(rf_orf *m, const rf_orf_in *in);
/* rf_orf_comb, then rf_orf_clock, in one pass. */
void rf_orf_step(rf_orf *m, const rf_orf_in *in, rf_orf_out *out);

#ifdef __cplusplus
}
#endif
#endif
