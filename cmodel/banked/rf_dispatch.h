/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch: ready collectors to execution ports, one per port and cycle, round-robin over the collectors [bank stealing II-B].
 * Valid/ready handshake: ex_valid does not depend on ex_ready; a collector is released (grant) in the cycle in which both are
 * high, and only then the port's round-robin pointer moves. A collector whose port is outside 0 .. EXPORTS-1 is never chosen. */
#ifndef RF_DISPATCH_H
#define RF_DISPATCH_H

#include "cmodel/common/rf_rr.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_dispatch_cfg {
    uint32_t collectors; /* 1 .. 16 */
    uint32_t exports;    /* execution ports, 1 .. 8 */
} rf_dispatch_cfg;

typedef struct rf_dispatch_in {
    uint16_t ready;                  /* collectors bits: all operands are there */
    uint8_t port[RF_COLLECTORS_MAX]; /* per collector: the port it needs, index_bits(exports) */
    uint8_t ex_ready;                /* exports bits: the port accepts */
} rf_dispatch_in;

typedef struct rf_dispatch_out {
    uint16_t grant;                 /* collectors bits: dispatched in this cycle */
    uint8_t ex_valid;               /* exports bits: the port is offered an instruction */
    uint8_t ex_sel[RF_EXPORTS_MAX]; /* per port: the collector offered, index_bits(collectors), 0 when none */
} rf_dispatch_out;

typedef struct rf_dispatch {
    rf_dispatch_cfg cfg;
    rf_rr rr[RF_EXPORTS_MAX]; /* per port, over collectors: instances gen_port[e].u_rr */
} rf_dispatch;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_dispatch_check(const rf_dispatch_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_dispatch_init(rf_dispatch *m, const rf_dispatch_cfg *cfg);
void rf_dispatch_reset(rf_dispatch *m);
/* Outputs of this cycle. */
void rf_dispatch_comb(const rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out);
/* The rising clock edge. */
void rf_dispatch_clock(rf_dispatch *m, const rf_dispatch_in *in);
/* rf_dispatch_comb, then rf_dispatch_clock, in one pass. */
void rf_dispatch_step(rf_dispatch *m, const rf_dispatch_in *in, rf_dispatch_out *out);

#ifdef __cplusplus
}
#endif
#endif
