/* SPDX-License-Identifier: Apache-2.0 */
/* Write-back queue of one execution port: results wait here for their bank, in order ([bank stealing II-B]; D-write-stall: a
 * write that loses its bank waits, and so does everything behind it). The head asks the arbiter in the cycle after its push at
 * the earliest; grant removes it. push while not ready is ignored, grant while empty is ignored. Outputs of the head are 0 when
 * the queue is empty. */
#ifndef RF_WBQ_H
#define RF_WBQ_H

#include "cmodel/common/rf_fifo_ctrl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_WBQ_DEPTH_MAX 16u

typedef struct rf_wbq_cfg {
    uint32_t depth; /* entries, 1 .. 16 */
    uint32_t lanes; /* 1 .. 32 */
    uint32_t warps; /* 1 .. 64 */
    uint32_t regs;  /* registers of a warp, 1 .. 256 */
    uint32_t banks; /* 1 .. 32 */
    uint32_t rows;  /* rows of a bank, 1 .. 1024 */
    uint32_t note;  /* bits that a result carries along, 1 .. 8 */
} rf_wbq_cfg;

typedef struct rf_wbq_in {
    uint8_t push;       /* a result is offered */
    uint8_t push_warp;  /* index_bits(warps) */
    uint8_t push_reg;   /* index_bits(regs) */
    uint8_t push_note;  /* note bits, carried along: a hint ([Malekeh 4.2]: it is read again soon), or where it goes */
    uint8_t push_bank;  /* index_bits(banks) */
    uint16_t push_row;  /* index_bits(rows) */
    uint32_t push_mask; /* lanes bits: lanes to write */
    rf_vec push_data;   /* lanes x 32 bits */
    uint8_t grant;      /* the head is written in this cycle */
} rf_wbq_in;

typedef struct rf_wbq_out {
    uint8_t ready;    /* not full */
    uint8_t wr_valid; /* the head asks for its bank */
    uint8_t wr_warp;
    uint8_t wr_reg;
    uint8_t wr_note;
    uint8_t wr_bank;
    uint16_t wr_row;
    uint32_t wr_mask;
    rf_vec wr_data;
} rf_wbq_out;

typedef struct rf_wbq {
    rf_wbq_cfg cfg;
    rf_fifo_ctrl ctrl; /* instance u_ctrl */
    uint8_t warp_q[RF_WBQ_DEPTH_MAX];
    uint8_t reg_q[RF_WBQ_DEPTH_MAX];
    uint8_t note_q[RF_WBQ_DEPTH_MAX];
    uint8_t bank_q[RF_WBQ_DEPTH_MAX];
    uint16_t row_q[RF_WBQ_DEPTH_MAX];
    uint32_t mask_q[RF_WBQ_DEPTH_MAX];
    rf_vec data_q[RF_WBQ_DEPTH_MAX];
} rf_wbq; /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wbq_check(const rf_wbq_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wbq_init(rf_wbq *m, const rf_wbq_cfg *cfg);
void rf_wbq_reset(rf_wbq *m);
/* Outputs of this cycle; only wires of the registers. */
void rf_wbq_comb(const rf_wbq *m, const rf_wbq_in *in, rf_wbq_out *out);
/* The rising clock edge. */
void rf_wbq_clock(rf_wbq *m, const rf_wbq_in *in);
/* rf_wbq_comb, then rf_wbq_clock, in one pass. */
void rf_wbq_step(rf_wbq *m, const rf_wbq_in *in, rf_wbq_out *out);

#ifdef __cplusplus
}
#endif
#endif
