/* SPDX-License-Identifier: Apache-2.0 */
/* Pending queue of one issue group [WIR VI-B]: instructions that found their computation reserved by another one in the reuse
 * buffer wait here until its result is there. The head looks the buffer up again when the group has nothing else to look up; then
 * it leaves (`pop`), or goes to the tail (`rotate`).
 *
 * push     at the edge behind the last one; ignored when `ready` is 0 (DEPTH instructions at the start of the cycle, whatever
 *          leaves).
 * pop      the head leaves; ignored when empty. Together with push both happen.
 * rotate   the head becomes the last one; ignored when empty, and in a cycle with push or pop, accepted or not.
 * `head` is 0 when it is empty. Place p of the queue, counted from the head: at_valid, and what an issuing instruction must not
 * overtake (D-war, D-order: rf_wir); `at` of places that are not valid is 0. Nothing else of an instruction is looked at.
 * Every instruction here has a destination and all lanes active. */
#ifndef RF_PENDING_QUEUE_H
#define RF_PENDING_QUEUE_H

#include "cmodel/wir/rf_wir_records.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_PENDING_DEPTH_MAX 16u

typedef struct rf_pending_queue_cfg {
    uint32_t depth;   /* 1 .. 16 */
    uint32_t warps;   /* 1 .. 64 */
    uint32_t regs;    /* logical registers of a warp, 1 .. 256 */
    uint32_t slots;   /* sources, 1 .. 6 */
    uint32_t pregs;   /* physical registers, 2 .. 1024 */
    uint32_t exports; /* execution ports, 1 .. 8 */
} rf_pending_queue_cfg;

typedef struct rf_pending_queue_in {
    uint8_t push;
    rf_wir_renamed entry;
    uint8_t pop;
    uint8_t rotate;
} rf_pending_queue_in;

typedef struct rf_pending_queue_out {
    uint8_t ready; /* fewer than DEPTH */
    uint8_t valid; /* it has a head */
    rf_wir_renamed head;
    uint16_t at_valid;                     /* depth bits */
    rf_wir_reads at[RF_PENDING_DEPTH_MAX]; /* per place */
} rf_pending_queue_out;

typedef struct rf_pending_queue {
    rf_pending_queue_cfg cfg;
    uint8_t rd_ptr_q; /* the head's entry, 0 .. depth-1, index_bits(depth); place p is entry (rd_ptr + p) mod depth */
    uint8_t level_q;  /* 0 .. depth, index_bits(depth + 1) */
    rf_wir_renamed entry_q[RF_PENDING_DEPTH_MAX]; /* entries keep what they held */
} rf_pending_queue;                               /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_pending_queue_check(const rf_pending_queue_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_pending_queue_init(rf_pending_queue *m, const rf_pending_queue_cfg *cfg);
void rf_pending_queue_reset(rf_pending_queue *m);
/* Outputs of this cycle; none depends on an input of the same cycle. */
void rf_pending_queue_comb(const rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out);
/* The rising clock edge. */
void rf_pending_queue_clock(rf_pending_queue *m, const rf_pending_queue_in *in);
/* rf_pending_queue_comb, then rf_pending_queue_clock, in one pass. */
void rf_pending_queue_step(rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out);

#ifdef __cplusplus
}
#endif
#endif
