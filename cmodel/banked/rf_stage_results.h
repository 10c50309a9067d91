/* SPDX-License-Identifier: Apache-2.0 */
/* Results of the execution ports to their write-back queues: one rf_wbq a port, and the mapping of registers before it (D-map).
 *
 * Handshake: a result is accepted while res_ready; the head of each queue asks for its bank from the cycle after on, until
 *            wr_grant.
 * Mapping:   register r of warp w is in bank (r + w) mod BANKS, row w * ceil(REGS / BANKS) + r / BANKS, cut to their widths. */
#ifndef RF_STAGE_RESULTS_H
#define RF_STAGE_RESULTS_H

#include "cmodel/banked/rf_map.h"
#include "cmodel/banked/rf_wbq.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_stage_results_cfg {
    uint32_t warps;   /* 1 .. 64 */
    uint32_t banks;   /* 1 .. 32 */
    uint32_t regs;    /* registers of a warp, 1 .. 256; warps x ceil(regs / banks) at most 1024 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t exports; /* execution ports, 1 .. 8 */
    uint32_t wbdepth; /* entries of a queue, 1 .. 16 */
    uint32_t note;    /* bits that a result carries along, 1 .. 8 */
} rf_stage_results_cfg;

typedef struct rf_stage_results_in {
    uint8_t res_valid;                 /* exports bits: a result is offered */
    uint8_t res_warp[RF_EXPORTS_MAX];  /* per port, index_bits(warps) */
    uint8_t res_dst[RF_EXPORTS_MAX];   /* per port, index_bits(regs) */
    uint8_t res_note[RF_EXPORTS_MAX];  /* per port: note bits, carried along [Malekeh 4.2] */
    uint32_t res_mask[RF_EXPORTS_MAX]; /* per port: lanes bits */
    rf_vec res_data[RF_EXPORTS_MAX];   /* per port: lanes x 32 bits */
    uint8_t wr_grant;                  /* exports bits: the head of its queue is written */
} rf_stage_results_in;

typedef struct rf_stage_results_out {
    uint8_t res_ready; /* exports bits: its queue accepts a result */
    uint8_t wr_valid;  /* exports bits: the head asks for its bank; all below is 0 when not */
    uint8_t wr_warp[RF_EXPORTS_MAX];
    uint8_t wr_reg[RF_EXPORTS_MAX];
    uint8_t wr_note[RF_EXPORTS_MAX];
    uint8_t wr_bank[RF_EXPORTS_MAX]; /* per port, index_bits(banks) */
    uint16_t wr_row[RF_EXPORTS_MAX]; /* per port, index_bits(warps x ceil(regs / banks)) */
    uint32_t wr_mask[RF_EXPORTS_MAX];
    rf_vec wr_data[RF_EXPORTS_MAX];
} rf_stage_results_out;

typedef struct rf_stage_results {
    rf_stage_results_cfg cfg;
    rf_wbq wbq[RF_EXPORTS_MAX]; /* gen_wbq[e].u_wbq */
} rf_stage_results;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_stage_results_check(const rf_stage_results_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_stage_results_init(rf_stage_results *m, const rf_stage_results_cfg *cfg);
void rf_stage_results_reset(rf_stage_results *m);
/* Outputs of this cycle. */
void rf_stage_results_comb(const rf_stage_results *m, const rf_stage_results_in *in, rf_stage_results_out *out);
/* The rising clock edge. */
void rf_stage_results_clock(rf_stage_results *m, const rf_stage_results_in *in);
/* rf_stage_results_comb, then rf_stage_results_clock, in one pass. */
void rf_stage_results_step(rf_stage_results *m, const rf_stage_results_in *in, rf_stage_results_out *out);

#ifdef __cplusplus
}
#endif
#endif
