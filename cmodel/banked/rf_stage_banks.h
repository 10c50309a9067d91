/* SPDX-License-Identifier: Apache-2.0 */
/* The banked register file: banks, the crossbar from the result buses to them, and the crossbar from them to whoever reads
 * [bank stealing II-B].
 *
 * Write: a bank with `we` writes row waddr with lanes and values of bus wsel, at the edge. A bus that does not exist gives mask
 * 0. Read:  a bank with `re` reads row raddr; rdata holds it from the next cycle until its next read. PORTS and rows out of range
 *        as in rf_bank.
 * Fill:  fill_data of a reader with fill_valid is rdata of bank fill_bank in the same cycle; 0 for other readers and for a bank
 *        that does not exist. */
#ifndef RF_STAGE_BANKS_H
#define RF_STAGE_BANKS_H

#include "cmodel/banked/rf_bank.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_stage_banks_cfg {
    uint32_t banks;   /* 1 .. 32 */
    uint32_t rows;    /* rows of a bank, 1 .. 1024 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t ports;   /* of a bank: 1 or 2 */
    uint32_t buses;   /* result buses, 1 .. 8 */
    uint32_t readers; /* 1 .. 64 */
} rf_stage_banks_cfg;

typedef struct rf_stage_banks_in {
    uint32_t re;                       /* banks bits */
    uint16_t raddr[RF_BANKS_MAX];      /* per bank, index_bits(rows) */
    uint32_t we;                       /* banks bits */
    uint16_t waddr[RF_BANKS_MAX];      /* per bank, index_bits(rows) */
    uint8_t wsel[RF_BANKS_MAX];        /* per bank: its bus, index_bits(buses) */
    uint32_t mask[RF_EXPORTS_MAX];     /* per bus: lanes bits */
    rf_vec data[RF_EXPORTS_MAX];       /* per bus: lanes x 32 bits */
    uint64_t fill_valid;               /* readers bits */
    uint8_t fill_bank[RF_READERS_MAX]; /* per reader, index_bits(banks) */
} rf_stage_banks_in;

typedef struct rf_stage_banks_out {
    rf_vec fill_data[RF_READERS_MAX]; /* per reader: lanes x 32 bits */
    rf_vec rdata[RF_BANKS_MAX];       /* per bank: what it has read */
} rf_stage_banks_out;

typedef struct rf_stage_banks {
    rf_stage_banks_cfg cfg;
    rf_bank bank[RF_BANKS_MAX]; /* gen_bank[b].u_bank */
} rf_stage_banks;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_stage_banks_check(const rf_stage_banks_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_stage_banks_init(rf_stage_banks *m, const rf_stage_banks_cfg *cfg);
void rf_stage_banks_reset(rf_stage_banks *m);
/* Outputs of this cycle. */
void rf_stage_banks_comb(const rf_stage_banks *m, const rf_stage_banks_in *in, rf_stage_banks_out *out);
/* The rising clock edge. */
void rf_stage_banks_clock(rf_stage_banks *m, const rf_stage_banks_in *in);
/* rf_stage_banks_comb, then rf_stage_banks_clock, in one pass. */
void rf_stage_banks_step(rf_stage_banks *m, const rf_stage_banks_in *in, rf_stage_banks_out *out);

#ifdef __cplusplus
}
#endif
#endif
