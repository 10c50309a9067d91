/* SPDX-License-Identifier: Apache-2.0 */
/* The book of stolen registers [bank stealing IV-C-2, Fig. 9]: per bank a register that holds nothing of use, Rfree, and the
 * register whose new value it keeps for the time being, Rdest. 2 + row + bank and row bits a bank: 19 for 8 banks of 128 rows,
 * 152 in all.
 *
 *   f m   f: Rfree is a free register.  m: Rfree keeps the value of Rdest ("linked").
 *   0 0   the bank has none
 *   1 0   Rfree can take a stolen write
 *   1 1   Rfree keeps a value, which goes to Rdest when bus and bank are idle
 *   0 1   the same, but Rfree becomes live: it must go now (force)
 *
 * Rfree and Rdest are named by bank and row (D-map: a row belongs to one warp, row / ROWS_PER_WARP, and to one of its registers).
 *
 * Drops and names. A drop is the destination of an instruction that issues: a register that an instruction writes becomes live,
 * whatever the hints say, so that a name that was lost can never leave a live register as Rfree. It clears f where Rfree is that
 * register. A name is a hint of an instruction that issues: a register that is inactive from it on; any warp may name (IV-C-2).
 * It replaces Rfree and sets f where m is 0 after this edge's link and clear; else it is lost. A warp that starts takes its
 * registers out: launch clears f where Rfree is a row of that warp. In one edge: clear and link, then launch, then all drops,
 * then the names from the lowest on (the last one in a bank stays).
 *
 * Dependences (IV-C-2: "the arbiter can prioritize the write-back over the dependent instruction"). A reader of a linked Rdest
 * waits (RAW), and so does a writer of one (WAW) and a writer of a linked Rfree (whose instruction made it live, or an old result
 * that arrives late); each forces the write-back. An operand read ahead waits too, without forcing: it may yet not issue. */
#ifndef RF_RFREE_TABLE_H
#define RF_RFREE_TABLE_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_FREES_MAX 4u                             /* names that an instruction carries */
#define RF_NAMES_MAX (RF_ISSUES_MAX * RF_FREES_MAX) /* of a cycle */

typedef struct rf_rfree_table_cfg {
    uint32_t banks;    /* 1 .. 32 */
    uint32_t warps;    /* 1 .. 64 */
    uint32_t per_warp; /* rows of a warp in a bank, 1 .. 256; a bank has warps x per_warp rows, at most 1024 */
    uint32_t readers;  /* collectors x slots, 1 .. 64 */
    uint32_t stealers; /* issues x slots, 1 .. 32 */
    uint32_t writers;  /* 1 .. 8 */
    uint32_t drops;    /* issues, 1 .. 4 */
    uint32_t names;    /* issues x names of an instruction, 1 .. 16 */
} rf_rfree_table_cfg;

typedef struct rf_rfree_table_in {
    uint64_t launch;                  /* warps bits: a new warp starts in the slot */
    uint8_t drop_valid;               /* drops bits: a register that an issuing instruction writes */
    uint8_t drop_bank[RF_ISSUES_MAX]; /* index_bits(banks) */
    uint16_t drop_row[RF_ISSUES_MAX]; /* index_bits(rows) */
    uint16_t name_valid;              /* names bits: a register that is inactive from an issuing instruction on */
    uint8_t name_bank[RF_NAMES_MAX];
    uint16_t name_row[RF_NAMES_MAX];
    uint64_t rd_valid; /* readers bits: an operand that asks for its bank */
    uint8_t rd_bank[RF_READERS_MAX];
    uint16_t rd_row[RF_READERS_MAX];
    uint32_t sr_valid; /* stealers bits: an operand of a candidate */
    uint8_t sr_bank[RF_STEALERS_MAX];
    uint16_t sr_row[RF_STEALERS_MAX];
    uint8_t wr_valid; /* writers bits: a result that asks for its bank */
    uint8_t wr_bank[RF_EXPORTS_MAX];
    uint16_t wr_row[RF_EXPORTS_MAX];
    uint32_t link;                   /* banks bits: a stolen write goes to the bank's Rfree ... */
    uint8_t link_bank[RF_BANKS_MAX]; /* ... instead of this bank ... */
    uint16_t link_row[RF_BANKS_MAX]; /* ... and row */
    uint32_t clear;                  /* banks bits: Rfree is being read for its write-back; link wins over clear */
} rf_rfree_table_in;

typedef struct rf_rfree_table_out {
    uint64_t rd_blocked;              /* readers bits, of valid ones: the operand waits for a write-back */
    uint32_t sr_blocked;              /* stealers bits, of valid ones */
    uint8_t wr_blocked;               /* writers bits, of valid ones */
    uint32_t usable;                  /* banks bits: Rfree can take a stolen write in this cycle: f and not m, its warp does not
                                         start now, and no linked Rdest is this very register (its value is still to come) */
    uint32_t linked;                  /* banks bits: m_q */
    uint32_t force;                   /* banks bits: linked, and somebody waits for it or f is 0 */
    uint16_t rfree_row[RF_BANKS_MAX]; /* per bank: rfree_q */
    uint8_t dest_bank[RF_BANKS_MAX];  /* per bank: dest_bank_q */
    uint16_t dest_row[RF_BANKS_MAX];  /* per bank: dest_row_q */
} rf_rfree_table_out;                 /* none depends on link, clear, drop or name */

typedef struct rf_rfree_table {
    rf_rfree_table_cfg cfg;
    uint32_t f_q;                      /* banks bits */
    uint32_t m_q;                      /* banks bits */
    uint16_t rfree_q[RF_BANKS_MAX];    /* per bank: row, index_bits(rows) */
    uint8_t dest_bank_q[RF_BANKS_MAX]; /* per bank: index_bits(banks) */
    uint16_t dest_row_q[RF_BANKS_MAX]; /* per bank: index_bits(rows) */
} rf_rfree_table;                      /* all 0 after reset */

/* All inputs are defined. A drop or a name in a bank >= BANKS does nothing; link_bank >= BANKS is kept as an Rdest and matches
 * like any other number. A link is taken whatever f and m are, and leaves f alone, as a clear does. Rows match as numbers; a row
 * of no warp (>= warps x per_warp) never starts. */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_rfree_table_check(const rf_rfree_table_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_rfree_table_init(rf_rfree_table *m, const rf_rfree_table_cfg *cfg);
void rf_rfree_table_reset(rf_rfree_table *m);
/* Outputs of this cycle. */
void rf_rfree_table_comb(const rf_rfree_table *m, const rf_rfree_table_in *in, rf_rfree_table_out *out);
/* The rising clock edge. */
void rf_rfree_table_clock(rf_rfree_table *m, const rf_rfree_table_in *in);
/* rf_rfree_table_comb, then rf_rfree_table_clock, in one pass. */
void rf_rfree_table_step(rf_rfree_table *m, const rf_rfree_table_in *in, rf_rfree_table_out *out);

#ifdef __cplusplus
}
#endif
#endif
