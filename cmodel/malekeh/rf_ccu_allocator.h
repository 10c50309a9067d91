/* SPDX-License-Identifier: Apache-2.0 */
/* CCU allocator [Malekeh 6]: gives each issuing instruction of a cycle its caching collector, and waits up to STHLD + 1
 * cycles before it replaces one that holds near values. Requests are served in order, request 0 first:
 *
 *  own      the warp owns a CCU: that one (of several, which no system has, the lowest). Busy, or taken by an earlier request:
 *           not granted.
 *  else     among CCUs that are not busy, not taken by an earlier request, and not owned by the warp of any request of this
 *           cycle:
 *  free     one that nobody owns, lowest index first;
 *  far      else one that holds no near value, round-robin;
 *  near     else one with a near value, round-robin, but only when count_q > sthld; when it is not: not granted, and the
 *           request waits.
 *
 * count_q, one for all: cleared in a cycle that replaces an owned CCU (clear 0: far or near, clear 1: one with a near value);
 * else one more in a cycle in which a request waits. It never passes 256: above 255 nobody waits. So with count_q = 0 and
 * sthld = n a wait takes n + 1 cycles. A request 0 that stands and owns nothing waits at most 256 cycles: meanwhile nothing is
 * replaced and nothing clears count_q. A later request can lose to an earlier one that replaces. No request waits in a cycle that
 * replaces near values.
 * Round-robin as in rf_rr (rf_rr_pick, rf_rr_next): the lowest candidate inside mask_q, else the lowest. All requests of a cycle
 * see the same mask_q; of several CCUs replaced in one cycle it follows the highest request's.
 * Without owners (CACHE 0) it is rf_ocu_alloc. */
#ifndef RF_CCU_ALLOCATOR_H
#define RF_CCU_ALLOCATOR_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_ccu_allocator_cfg {
    uint32_t collectors; /* CCUs, 1 .. 16 */
    uint32_t issues;     /* instructions issued in a cycle, 1 .. 4 */
    uint32_t warps;      /* 1 .. 64 */
    uint32_t clear;      /* what clears count_q. 0: any replacement, 1: that of a CCU with a near value */
} rf_ccu_allocator_cfg;

typedef struct rf_ccu_allocator_in {
    uint16_t busy;                   /* collectors bits */
    uint16_t owned;                  /* collectors bits: `warp` has it */
    uint16_t near;                   /* collectors bits: a value in it is near */
    uint8_t warp[RF_COLLECTORS_MAX]; /* per CCU, index_bits(warps); counts where owned */
    uint8_t req;                     /* issues bits */
    uint8_t req_warp[RF_ISSUES_MAX]; /* per request, index_bits(warps) */
    uint8_t sthld;                   /* 8 bits: a wait takes one cycle more */
} rf_ccu_allocator_in;

typedef struct rf_ccu_allocator_out {
    uint8_t grant;                    /* issues bits */
    uint8_t sel[RF_ISSUES_MAX];       /* per request: its CCU, index_bits(collectors), 0 when not granted */
    uint16_t alloc;                   /* collectors bits: taken in this cycle */
    uint8_t which[RF_COLLECTORS_MAX]; /* per CCU: the request that takes it, index_bits(issues), 0 when none */
    uint8_t wait;                     /* issues bits: waits because of near values */
    uint16_t replace;                 /* collectors bits: taken from another warp */
} rf_ccu_allocator_out;

typedef struct rf_ccu_allocator {
    rf_ccu_allocator_cfg cfg;
    uint16_t count_q; /* 9 bits; 0 after reset */
    uint16_t mask_q;  /* collectors bits: CCUs above the one replaced last; 0 after reset */
} rf_ccu_allocator;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_ccu_allocator_check(const rf_ccu_allocator_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_ccu_allocator_init(rf_ccu_allocator *m, const rf_ccu_allocator_cfg *cfg);
void rf_ccu_allocator_reset(rf_ccu_allocator *m);
/* Outputs of this cycle. */
void rf_ccu_allocator_comb(const rf_ccu_allocator *m, const rf_ccu_allocator_in *in, rf_ccu_allocator_out *out);
/* The rising clock edge. */
void rf_ccu_allocator_clock(rf_ccu_allocator *m, const rf_ccu_allocator_in *in);
/* The edge of a cycle whose inputs and outputs are known. */
void rf_ccu_allocator_edge(rf_ccu_allocator *m, const rf_ccu_allocator_in *in, const rf_ccu_allocator_out *out);
/* rf_ccu_allocator_comb, then rf_ccu_allocator_clock, in one pass. */
void rf_ccu_allocator_step(rf_ccu_allocator *m, const rf_ccu_allocator_in *in, rf_ccu_allocator_out *out);

#ifdef __cplusplus
}
#endif
#endif
