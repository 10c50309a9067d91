/* SPDX-License-Identifier: Apache-2.0 */
/* Baseline bank arbiter [bank stealing II-B, III-B]: one grant per port and bank and cycle, decided and answered in the same
 * cycle.
 *
 * Readers are COLLECTORS x SLOTS, reader r = collector * SLOTS + slot. Each bank is decided on its own:
 *   reads   round-robin over the collectors that ask for the bank; inside the chosen collector its lowest asking slot.
 *   writes  round-robin over the writers that ask for the bank.
 * PORTS = 1: a bank that any writer asks for serves a write and no read (write beats read). PORTS = 2: one of each.
 * A collector may be granted several slots in a cycle, from different banks. Requests to a bank outside 0 .. BANKS-1 are never
 * granted. The losers ask again: the arbiter remembers only its round-robin pointers, which move when a grant is given. */
#ifndef RF_ARBITER_H
#define RF_ARBITER_H

#include "cmodel/common/rf_rr.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_arbiter_cfg {
    uint32_t banks;      /* 1 .. 32 */
    uint32_t collectors; /* 1 .. 16; collectors x slots at most 64 */
    uint32_t slots;      /* 1 .. 8 */
    uint32_t writers;    /* 1 .. 8 */
    uint32_t rows;       /* rows of a bank, 1 .. 1024: width of row numbers */
    uint32_t ports;      /* 1 or 2 */
} rf_arbiter_cfg;

typedef struct rf_arbiter_in {
    uint64_t rd_valid;               /* collectors x slots bits: reader asks */
    uint8_t rd_bank[RF_READERS_MAX]; /* per reader, index_bits(banks) */
    uint16_t rd_row[RF_READERS_MAX]; /* per reader, index_bits(rows) */
    uint8_t wr_valid;                /* writers bits */
    uint8_t wr_bank[RF_EXPORTS_MAX]; /* per writer, index_bits(banks) */
    uint16_t wr_row[RF_EXPORTS_MAX]; /* per writer, index_bits(rows) */
} rf_arbiter_in;

typedef struct rf_arbiter_out {
    uint64_t rd_grant;                 /* collectors x slots bits */
    uint8_t wr_grant;                  /* writers bits */
    uint32_t bank_re;                  /* banks bits: the bank reads */
    uint16_t bank_raddr[RF_BANKS_MAX]; /* per bank: row read, 0 when it does not */
    uint32_t bank_we;                  /* banks bits: the bank writes */
    uint16_t bank_waddr[RF_BANKS_MAX]; /* per bank: row written, 0 when it does not */
    uint8_t bank_wsel[RF_BANKS_MAX];   /* per bank: the writer, index_bits(writers), 0 when it does not */
} rf_arbiter_out;

typedef struct rf_arbiter {
    rf_arbiter_cfg cfg;
    rf_rr rd_rr[RF_BANKS_MAX]; /* per bank, over collectors: instances gen_bank[b].u_rd_rr */
    rf_rr wr_rr[RF_BANKS_MAX]; /* per bank, over writers: instances gen_bank[b].u_wr_rr */
} rf_arbiter;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_arbiter_check(const rf_arbiter_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_arbiter_init(rf_arbiter *m, const rf_arbiter_cfg *cfg);
void rf_arbiter_reset(rf_arbiter *m);
/* Outputs of this cycle. */
void rf_arbiter_comb(const rf_arbiter *m, const rf_arbiter_in *in, rf_arbiter_out *out);
/* The rising clock edge. */
void rf_arbiter_clock(rf_arbiter *m, const rf_arbiter_in *in);
/* rf_arbiter_comb, then rf_arbiter_clock, in one pass. */
void rf_arbiter_step(rf_arbiter *m, const rf_arbiter_in *in, rf_arbiter_out *out);

#ifdef __cplusplus
}
#endif
#endif
