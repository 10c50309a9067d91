/* SPDX-License-Identifier: Apache-2.0 */
/* Collector allocator ([bank stealing II-B]: "it first reserves a free operand collector"; none free: the instruction waits):
 * gives the issuing instructions of a cycle the lowest-numbered free collectors, request 0 the lowest, the next request the next
 * one. Combinational, no clock. A request that finds none is not granted. */
#ifndef RF_OCU_ALLOC_H
#define RF_OCU_ALLOC_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_ocu_alloc_cfg {
    uint32_t collectors; /* 1 .. 16 */
    uint32_t issues;     /* instructions issued in a cycle, 1 .. 4 */
} rf_ocu_alloc_cfg;

typedef struct rf_ocu_alloc_in {
    uint16_t busy; /* collectors bits */
    uint8_t req;   /* issues bits */
} rf_ocu_alloc_in;

typedef struct rf_ocu_alloc_out {
    uint8_t grant;                    /* issues bits */
    uint8_t sel[RF_ISSUES_MAX];       /* per request: its collector, index_bits(collectors), 0 when not granted */
    uint16_t alloc;                   /* collectors bits: taken in this cycle */
    uint8_t which[RF_COLLECTORS_MAX]; /* per collector: the request that takes it, index_bits(issues), 0 when none */
} rf_ocu_alloc_out;

typedef struct rf_ocu_alloc {
    rf_ocu_alloc_cfg cfg; /* no state */
} rf_ocu_alloc;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_ocu_alloc_check(const rf_ocu_alloc_cfg *cfg);
/* Takes `cfg`: 0, or RF_E_CONFIG. */
int rf_ocu_alloc_init(rf_ocu_alloc *m, const rf_ocu_alloc_cfg *cfg);
void rf_ocu_alloc_reset(rf_ocu_alloc *m);
/* Outputs of this cycle. */
void rf_ocu_alloc_comb(const rf_ocu_alloc *m, const rf_ocu_alloc_in *in, rf_ocu_alloc_out *out);
/* Does nothing: there is no state. */
void rf_ocu_alloc_clock(rf_ocu_alloc *m, const rf_ocu_alloc_in *in);
/* rf_ocu_alloc_comb, then rf_ocu_alloc_clock, in one call. */
void rf_ocu_alloc_step(rf_ocu_alloc *m, const rf_ocu_alloc_in *in, rf_ocu_alloc_out *out);

#ifdef __cplusplus
}
#endif
#endif
