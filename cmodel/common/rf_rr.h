/* SPDX-License-Identifier: Apache-2.0 */
/* Round-robin arbiter: one grant among N requesters, the next one above the last granted, cyclically. Combinational grant; the
 * pointer is a mask of the requesters above the last granted one, so that picking is bit-parallel in C and in the RTL.
 * Fairness: a requester that keeps asking is granted after at most N - 1 taken grants to others. */
#ifndef RF_RR_H
#define RF_RR_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_rr_cfg {
    uint32_t n; /* requesters, 1 .. 64 */
} rf_rr_cfg;

typedef struct rf_rr_in {
    uint64_t req; /* n bits */
    uint8_t take; /* the grant is used: the pointer moves past it (ignored when nobody asks) */
} rf_rr_in;

typedef struct rf_rr_out {
    uint64_t grant; /* n bits, one hot; 0 when req is 0 */
    uint8_t valid;  /* someone is granted */
} rf_rr_out;

typedef struct rf_rr {
    rf_rr_cfg cfg;
    uint64_t mask_q; /* n bits: requesters above the last taken grant; 0 after reset, so that requester 0 is first */
} rf_rr;

/* The grant for `req` with pointer `mask`: the lowest requester inside the mask, else the lowest of all.
 * x & (~x + 1) is the lowest 1 of x; plain, with `from` not 0: UINT64_C(1) << rf_lowest(from). */
static inline uint64_t rf_rr_pick(uint64_t req, uint64_t mask) {
    const uint64_t inside = req & mask;
    const uint64_t from = inside != 0 ? inside : req;
    return from & (~from + 1);
}

/* The pointer after `grant` (one hot, not 0) of `n` requesters is taken: all requesters above it.
 * Plain: every bit i below n with i > rf_lowest(grant). */
static inline uint64_t rf_rr_next(uint64_t grant, uint32_t n) { return (0 - (grant << 1)) & rf_mask64(n); }

/* NULL, or the parameter that is out of range and its range. */
const char *rf_rr_check(const rf_rr_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_rr_init(rf_rr *m, const rf_rr_cfg *cfg);
void rf_rr_reset(rf_rr *m);
/* Outputs of this cycle. */
void rf_rr_comb(const rf_rr *m, const rf_rr_in *in, rf_rr_out *out);
/* The rising clock edge. */
void rf_rr_clock(rf_rr *m, const rf_rr_in *in);
/* rf_rr_comb, then rf_rr_clock, in one pass. */
void rf_rr_step(rf_rr *m, const rf_rr_in *in, rf_rr_out *out);

#ifdef __cplusplus
}
#endif
#endif
