/* SPDX-License-Identifier: Apache-2.0 */
/* Complete collectors to execution ports: rf_dispatch and the crossbars behind it.
 *
 * Offer: a port is offered one complete collector that waits for it (rf_dispatch); it leaves in the cycle in which ex_ready is
 *        high too.
 * Empty: everything of a port that is offered nothing is 0. */
#ifndef RF_STAGE_EXEC_H
#define RF_STAGE_EXEC_H

#include "cmodel/banked/rf_dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_STAGE_EXEC_META_MAX 128u /* bits of an instruction beside its operands */

typedef struct rf_stage_exec_cfg {
    uint32_t collectors; /* 1 .. 16; collectors x slots at most 64 */
    uint32_t slots;      /* source slots of a collector, 1 .. 8 */
    uint32_t exports;    /* execution ports, 1 .. 8 */
    uint32_t meta_w;     /* bits of an instruction beside its operands, 1 .. 128 */
    uint32_t data_w;     /* bits of an operand, a multiple of 32, 32 .. 1024 */
} rf_stage_exec_cfg;

typedef rf_bits256 rf_stage_exec_meta; /* meta_w bits, bit 0 the lowest of w[0]; the rest 0 */

typedef struct rf_stage_exec_in {
    uint16_t collected;                         /* collectors bits: all operands are there */
    uint8_t port[RF_COLLECTORS_MAX];            /* per collector: its execution port, index_bits(exports) */
    rf_stage_exec_meta meta[RF_COLLECTORS_MAX]; /* per collector */
    rf_vec data[RF_READERS_MAX];                /* element slot * collectors + collector: operand, data_w bits */
    uint8_t ex_ready;                           /* exports bits: it accepts an instruction */
} rf_stage_exec_in;

typedef struct rf_stage_exec_out {
    uint16_t dispatched;                           /* collectors bits: its instruction leaves */
    uint8_t ex_valid;                              /* exports bits: an instruction is offered */
    rf_stage_exec_meta ex_meta[RF_EXPORTS_MAX];    /* per port */
    rf_vec ex_data[RF_EXPORTS_MAX * RF_SLOTS_MAX]; /* element port * slots + slot: operand */
} rf_stage_exec_out;

typedef struct rf_stage_exec {
    rf_stage_exec_cfg cfg;
    rf_dispatch dispatch; /* u_dispatch */
} rf_stage_exec;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_stage_exec_check(const rf_stage_exec_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_stage_exec_init(rf_stage_exec *m, const rf_stage_exec_cfg *cfg);
void rf_stage_exec_reset(rf_stage_exec *m);
/* Outputs of this cycle. */
void rf_stage_exec_comb(const rf_stage_exec *m, const rf_stage_exec_in *in, rf_stage_exec_out *out);
/* The rising clock edge. */
void rf_stage_exec_clock(rf_stage_exec *m, const rf_stage_exec_in *in);
/* rf_stage_exec_comb, then rf_stage_exec_clock, in one pass. */
void rf_stage_exec_step(rf_stage_exec *m, const rf_stage_exec_in *in, rf_stage_exec_out *out);

#ifdef __cplusplus
}
#endif
#endif
