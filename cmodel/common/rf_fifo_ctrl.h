/* SPDX-License-Identifier: Apache-2.0 */
/* Control of a first-in first-out queue of DEPTH entries; the storage is the user's. Any depth, powers of two or not.
 * A push into a full queue and a pop from an empty one are ignored; push and pop in one cycle are independent (a push into a full
 * queue is ignored even when an entry leaves in that cycle). */
#ifndef RF_FIFO_CTRL_H
#define RF_FIFO_CTRL_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_fifo_ctrl_cfg {
    uint32_t depth; /* entries, 1 .. 64 */
} rf_fifo_ctrl_cfg;

typedef struct rf_fifo_ctrl_in {
    uint8_t push; /* an entry is offered */
    uint8_t pop;  /* the head is taken */
} rf_fifo_ctrl_in;

typedef struct rf_fifo_ctrl_out {
    uint8_t ready;  /* not full */
    uint8_t valid;  /* not empty */
    uint8_t write;  /* the push is accepted: store at wr_ptr at the coming edge */
    uint8_t wr_ptr; /* index_bits(depth) */
    uint8_t rd_ptr; /* index_bits(depth): entry of the head */
    uint8_t level;  /* index_bits(depth + 1): entries held */
} rf_fifo_ctrl_out;

typedef struct rf_fifo_ctrl {
    rf_fifo_ctrl_cfg cfg;
    uint8_t wr_ptr_q; /* 0 after reset */
    uint8_t rd_ptr_q; /* 0 after reset */
    uint8_t level_q;  /* 0 after reset */
} rf_fifo_ctrl;

/* Outputs ready and valid. */
static inline bool rf_fifo_ctrl_ready(const rf_fifo_ctrl *m) { return m->level_q != m->cfg.depth; }
static inline bool rf_fifo_ctrl_valid(const rf_fifo_ctrl *m) { return m->level_q != 0; }

/* NULL, or the parameter that is out of range and its range. */
const char *rf_fifo_ctrl_check(const rf_fifo_ctrl_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_fifo_ctrl_init(rf_fifo_ctrl *m, const rf_fifo_ctrl_cfg *cfg);
void rf_fifo_ctrl_reset(rf_fifo_ctrl *m);
/* Outputs of this cycle. */
void rf_fifo_ctrl_comb(const rf_fifo_ctrl *m, const rf_fifo_ctrl_in *in, rf_fifo_ctrl_out *out);
/* The rising clock edge. */
void rf_fifo_ctrl_clock(rf_fifo_ctrl *m, const rf_fifo_ctrl_in *in);
/* rf_fifo_ctrl_comb, then rf_fifo_ctrl_clock, in one pass. */
void rf_fifo_ctrl_step(rf_fifo_ctrl *m, const rf_fifo_ctrl_in *in, rf_fifo_ctrl_out *out);

#ifdef __cplusplus
}
#endif
#endif
