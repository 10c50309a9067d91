/* SPDX-License-Identifier: Apache-2.0 */
/* One SRAM bank of the register file: ROWS entries of LANES x 32 bit, write enables per lane, registered read: the data of a read
 * accepted in cycle t is on rdata in cycle t + 1 and stays until the next accepted read. The memory has no reset, and is not
 * written while reset is active; rdata is 0 after it.
 *
 * PORTS = 1 (one shared port; [bank stealing II-B]): a write in the same cycle wins, the read is not performed and rdata keeps
 * its value.
 * PORTS = 2 (one read, one write port; [hierarchy 2.1], [WIR II]): both are performed; a read of the row being written returns
 * the old row.
 * A row outside 0 .. ROWS-1 (possible when ROWS is no power of two): a write changes nothing, a read returns 0. */
#ifndef RF_BANK_H
#define RF_BANK_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_BANK_ROWS_MAX 1024u

typedef struct rf_bank_cfg {
    uint32_t rows;  /* 1 .. 1024 */
    uint32_t lanes; /* 1 .. 32 */
    uint32_t ports; /* 1: one shared port, 2: one read and one write port */
} rf_bank_cfg;

typedef struct rf_bank_in {
    uint8_t we;     /* write */
    uint16_t waddr; /* row written, index_bits(rows) */
    uint32_t wmask; /* lanes bits: lanes written */
    rf_vec wdata;   /* lanes x 32 bits */
    uint8_t re;     /* read */
    uint16_t raddr; /* row read, index_bits(rows) */
} rf_bank_in;

typedef struct rf_bank_out {
    rf_vec rdata; /* lanes x 32 bits: the row of the last accepted read */
} rf_bank_out;

typedef struct rf_bank {
    rf_bank_cfg cfg;
    rf_vec rdata_q;
    rf_vec mem_q[RF_BANK_ROWS_MAX]; /* rows entries; not reset: init leaves zeroes, reset leaves it alone */
} rf_bank;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_bank_check(const rf_bank_cfg *cfg);
/* Takes `cfg`, clears the memory and resets: 0, or RF_E_CONFIG. */
int rf_bank_init(rf_bank *m, const rf_bank_cfg *cfg);
void rf_bank_reset(rf_bank *m);
/* Outputs of this cycle. */
void rf_bank_comb(const rf_bank *m, const rf_bank_in *in, rf_bank_out *out);
/* The rising clock edge. */
void rf_bank_clock(rf_bank *m, const rf_bank_in *in);
/* rf_bank_comb, then rf_bank_clock, in one pass. */
void rf_bank_step(rf_bank *m, const rf_bank_in *in, rf_bank_out *out);

#ifdef __cplusplus
}
#endif
#endif
