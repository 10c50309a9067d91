/* SPDX-License-Identifier: Apache-2.0 */
/* Queue of one bank to L2: fetches, write-backs, writes that miss and atomics, in order [CERF III-B]. One queue for all of them,
 * so that a fetch cannot overtake the write-back of the same line.
 *
 * push in a cycle is at the head in the next one at the earliest. pop removes the head. push while full is ignored, also with a
 * pop in the same cycle; pop while empty is ignored. Outputs of the head are 0 when the queue is empty. A fetch carries no data:
 * its mask and data, as seen at the head, are 0 (what lies in its entry is what was there before).
 * `count` follows the register, so that who pushes later can keep room. Reset: empty; all registers 0. */
#ifndef RF_MISS_QUEUE_H
#define RF_MISS_QUEUE_H

#include "cmodel/cerf/rf_cerf_types.h"
#include "cmodel/common/rf_fifo_ctrl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_miss_queue_cfg {
    uint32_t depth;   /* entries, 1 .. 16 */
    uint32_t lanes;   /* words of a line, 1 .. 32 */
    uint32_t line_w;  /* bits of a line number, 1 .. 25 */
    uint32_t entry_w; /* bits of the number of an MSHR, 1 .. 4 */
} rf_miss_queue_cfg;

typedef struct rf_miss_queue_in {
    uint8_t push;
    uint8_t push_op;    /* 2 bits, RF_MISS_ */
    uint32_t push_line; /* line_w bits */
    uint8_t push_entry; /* entry_w bits: MSHR that waits for the answer */
    uint32_t push_mask; /* lanes bits */
    rf_vec push_data;   /* lanes x 32 bits */
    uint8_t pop;
} rf_miss_queue_in;

typedef struct rf_miss_queue_out {
    uint8_t valid; /* not empty */
    uint8_t op;
    uint32_t line;
    uint8_t entry;
    uint32_t mask;
    rf_vec data;
    uint8_t count; /* index_bits(depth + 1) */
} rf_miss_queue_out;

typedef struct rf_miss_queue {
    rf_miss_queue_cfg cfg;
    rf_fifo_ctrl ctrl;                  /* u_ctrl */
    uint8_t op_q[RF_MISS_QUEUE_MAX];    /* per entry, 2 bits */
    uint32_t line_q[RF_MISS_QUEUE_MAX]; /* per entry, line_w bits */
    uint8_t entry_q[RF_MISS_QUEUE_MAX]; /* per entry, entry_w bits */
    uint32_t mask_q[RF_MISS_QUEUE_MAX]; /* per entry, lanes bits; not written by a fetch */
    rf_vec data_q[RF_MISS_QUEUE_MAX];   /* per entry, lanes x 32 bits; not written by a fetch */
} rf_miss_queue;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_miss_queue_check(const rf_miss_queue_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_miss_queue_init(rf_miss_queue *m, const rf_miss_queue_cfg *cfg);
void rf_miss_queue_reset(rf_miss_queue *m);
/* Outputs of this cycle. */
void rf_miss_queue_comb(const rf_miss_queue *m, const rf_miss_queue_in *in, rf_miss_queue_out *out);
/* The rising clock edge. */
void rf_miss_queue_clock(rf_miss_queue *m, const rf_miss_queue_in *in);
/* rf_miss_queue_comb, then rf_miss_queue_clock, in one pass. */
void rf_miss_queue_step(rf_miss_queue *m, const rf_miss_queue_in *in, rf_miss_queue_out *out);

#ifdef __cplusplus
}
#endif
#endif
