/* SPDX-License-Identifier: Apache-2.0 */
/* Result queue of one execution port [WIR V-A]: results whose register is known, or will be after a read, in order. Like
 * rf_wbq, with a physical register in place of a bank and row, and with what is to be done:
 *   WRITE   write `data`, lanes `mask`, to `preg`
 *   VERIFY  read `cand`: if it holds `data` already, share it, else find a register
 *   MERGE   dummy MOV: read `cand`, put the lanes outside `mask` from it into `data`, write that to `preg`
 *   SHARE   `preg` holds `data`: nothing to do but to retire
 * push while not ready is ignored, pop while empty is ignored; push and pop in one cycle both happen unless it is full (then
 * the push is ignored). The head's outputs are 0 when the queue is empty. */
#ifndef RF_RESULT_QUEUE_H
#define RF_RESULT_QUEUE_H

#include "cmodel/common/rf_fifo_ctrl.h"
#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_RESULT_DEPTH_MAX 16u

typedef enum rf_result_op { RF_RESULT_WRITE, RF_RESULT_VERIFY, RF_RESULT_MERGE, RF_RESULT_SHARE } rf_result_op;

typedef struct rf_result_queue_cfg {
    uint32_t depth; /* entries, 1 .. 16 */
    uint32_t lanes; /* 1 .. 32 */
    uint32_t warps; /* 1 .. 64 */
    uint32_t regs;  /* logical registers of a warp, 1 .. 256 */
    uint32_t pregs; /* physical registers, 2 .. 1024 */
    uint32_t infow; /* bits of info, 1 .. 64 */
} rf_result_queue_cfg;

typedef struct rf_result_queue_in {
    uint8_t push;
    uint8_t push_op;    /* 2 bits: rf_result_op */
    uint8_t push_warp;  /* index_bits(warps) */
    uint8_t push_dst;   /* index_bits(regs) */
    uint16_t push_preg; /* index_bits(pregs) */
    uint16_t push_cand; /* index_bits(pregs) */
    uint32_t push_mask; /* lanes bits */
    rf_vec push_data;   /* lanes x 32 bits */
    uint64_t push_info; /* infow bits, carried along */
    uint8_t pop;
} rf_result_queue_in;

typedef struct rf_result_queue_out {
    rf_vec data;
    uint8_t ready; /* not full */
    uint8_t valid; /* not empty */
    uint8_t op;
    uint8_t warp;
    uint8_t dst;
    uint16_t preg;
    uint16_t cand;
    uint32_t mask;
    uint64_t info;
} rf_result_queue_out;

typedef struct rf_result_queue {
    rf_result_queue_cfg cfg;
    rf_fifo_ctrl ctrl; /* instance u_ctrl */
    uint8_t op_q[RF_RESULT_DEPTH_MAX];
    uint8_t warp_q[RF_RESULT_DEPTH_MAX];
    uint8_t dst_q[RF_RESULT_DEPTH_MAX];
    uint16_t preg_q[RF_RESULT_DEPTH_MAX];
    uint16_t cand_q[RF_RESULT_DEPTH_MAX];
    uint32_t mask_q[RF_RESULT_DEPTH_MAX];
    rf_vec data_q[RF_RESULT_DEPTH_MAX];
    uint64_t info_q[RF_RESULT_DEPTH_MAX];
} rf_result_queue; /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_result_queue_check(const rf_result_queue_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_result_queue_init(rf_result_queue *m, const rf_result_queue_cfg *cfg);
void rf_result_queue_reset(rf_result_queue *m);
/* Outputs of this cycle; only wires of the registers. */
void rf_result_queue_comb(const rf_result_queue *m, const rf_result_queue_in *in, rf_result_queue_out *out);
/* The rising clock edge. */
void rf_result_queue_clock(rf_result_queue *m, const rf_result_queue_in *in);
/* rf_result_queue_comb, then rf_result_queue_clock, in one pass. */
void rf_result_queue_step(rf_result_queue *m, const rf_result_queue_in *in, rf_result_queue_out *out);

#ifdef __cplusplus
}
#endif
#endif
