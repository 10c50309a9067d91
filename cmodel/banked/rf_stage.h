/* SPDX-License-Identifier: Apache-2.0 */
/* The ports that every operand stage has: instruction buffers, execution ports and results (rf_banked.h says what they mean).
 *
 * A system with these ports and more names its members directly and still hands them on as one struct:
 *
 *   typedef struct rf_x_in {
 *       union {
 *           rf_stage_in stage;
 *           struct { RF_STAGE_IN_PORTS };
 *       };
 *       uint64_t more[RF_WARPS_MAX];
 *   } rf_x_in;
 *
 * `stage` is the first thing in it, so that whoever gets &in->stage may cast it back. */
#ifndef RF_STAGE_H
#define RF_STAGE_H

#include "cmodel/banked/rf_stage_records.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs: what surrounds the stage drives them. */
#define RF_STAGE_IN_PORTS                                                                                                        \
    uint64_t launch;   /* warps bits: a new warp starts in the slot (its age) */                                                 \
    uint64_t ib_valid; /* warps bits: the head of the warp's instruction buffer is there */                                      \
    union {                                                                                                                      \
        rf_stage_heads heads;                                                                                                    \
        struct {                                                                                                                 \
            RF_STAGE_HEAD_PORTS                                                                                                  \
        };                                                                                                                       \
    };                                                                                                                           \
    uint8_t ex_ready; /* exports bits */                                                                                         \
    /* results */                                                                                                                \
    uint8_t res_valid;                 /* exports bits */                                                                        \
    uint8_t res_warp[RF_EXPORTS_MAX];  /* per port, index_bits(warps) */                                                         \
    uint8_t res_dst[RF_EXPORTS_MAX];   /* per port, index_bits(regs) */                                                          \
    uint32_t res_mask[RF_EXPORTS_MAX]; /* per port: lanes bits */                                                                \
    rf_vec res_data[RF_EXPORTS_MAX];   /* per port: lanes x 32 bits */

/* Outputs. */
#define RF_STAGE_OUT_PORTS                                                                                                       \
    uint8_t issue_valid;               /* issues bits */                                                                         \
    uint8_t issue_warp[RF_ISSUES_MAX]; /* per group, index_bits(warps), 0 when none */                                           \
    union {                                                                                                                      \
        rf_stage_offers offers;                                                                                                  \
        struct {                                                                                                                 \
            RF_STAGE_OFFER_PORTS                                                                                                 \
        };                                                                                                                       \
    };                                                                                                                           \
    rf_vec ex_data[RF_EXPORTS_MAX * RF_SLOTS_MAX]; /* element port * slots + slot: lanes x 32, all slots of the collector */     \
    uint8_t res_ready;                             /* exports bits */

typedef struct rf_stage_in {
    RF_STAGE_IN_PORTS
} rf_stage_in;

typedef struct rf_stage_out {
    RF_STAGE_OUT_PORTS
} rf_stage_out;

#ifdef __cplusplus
}
#endif
#endif
