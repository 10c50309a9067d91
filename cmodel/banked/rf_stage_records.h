/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction of an operand stage is on its way, as records that units hand on whole: the structs of
 * rtl/banked/rf_banked_pkg.sv, listed for the comparison in tb/banked/rf_stage_members.h; the ports of the instruction buffers
 * and of the execution ports; and the ways from the one to the other. Low bits of the RTL's struct lie at low addresses, so that
 * neighbours are compared at once. No record has padding: judges look at every byte. */
#ifndef RF_STAGE_RECORDS_H
#define RF_STAGE_RECORDS_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each warp's head instruction, beside ib_valid. */
#define RF_STAGE_HEAD_PORTS                                                                                                      \
    uint16_t ib_tag[RF_WARPS_MAX];               /* per warp: 16 bits, carried along */                                          \
    uint8_t ib_port[RF_WARPS_MAX];               /* per warp: execution port, index_bits(exports) */                             \
    uint32_t ib_mask[RF_WARPS_MAX];              /* per warp: lanes bits */                                                      \
    uint64_t ib_dst_valid;                       /* warps bits */                                                                \
    uint8_t ib_dst[RF_WARPS_MAX];                /* per warp, index_bits(regs) */                                                \
    uint8_t ib_src_valid[RF_WARPS_MAX];          /* per warp: slots bits */                                                      \
    uint8_t ib_src[RF_WARPS_MAX * RF_SLOTS_MAX]; /* element warp * slots + slot, index_bits(regs) */

/* What each execution port is offered, beside ex_data; what follows ex_valid is 0 when nothing is. */
#define RF_STAGE_OFFER_PORTS                                                                                                     \
    uint8_t ex_valid;                 /* exports bits */                                                                         \
    uint8_t ex_warp[RF_EXPORTS_MAX];  /* per port, index_bits(warps) */                                                          \
    uint16_t ex_tag[RF_EXPORTS_MAX];  /* per port: 16 bits */                                                                    \
    uint32_t ex_mask[RF_EXPORTS_MAX]; /* per port: lanes bits */                                                                 \
    uint8_t ex_dst_valid;             /* exports bits */                                                                         \
    uint8_t ex_dst[RF_EXPORTS_MAX];   /* per port, index_bits(regs) */

typedef struct rf_stage_heads {
    RF_STAGE_HEAD_PORTS
} rf_stage_heads;

typedef struct rf_stage_offers {
    RF_STAGE_OFFER_PORTS
} rf_stage_offers;

/* What goes with an instruction to its execution port, and is offered there. */
#define RF_STAGE_CARRIED                                                                                                         \
    uint16_t dst;       /* index_bits(regs) */                                                                                   \
    uint16_t dst_valid; /* 1 bit */                                                                                              \
    uint32_t mask;      /* lanes bits: active lanes */                                                                           \
    uint16_t tag;       /* 16 bits */                                                                                            \
    uint16_t warp;      /* index_bits(warps) */

typedef struct rf_stage_carried {
    RF_STAGE_CARRIED
} rf_stage_carried;

/* An instruction as a collector takes it, beside the places of its sources. */
typedef struct rf_stage_instr {
    uint8_t src[RF_SLOTS_MAX]; /* per slot: register, index_bits(regs) */
    uint16_t src_valid;        /* slots bits */
    uint16_t port;             /* execution port, index_bits(exports) */
    union {
        rf_stage_carried carried;
        struct {
            RF_STAGE_CARRIED
        };
    };
} rf_stage_instr;

/* The head of warp w, of `slots` sources. */
static inline rf_stage_instr rf_stage_head_at(const rf_stage_heads *in, uint32_t w, uint32_t slots) {
    rf_stage_instr inst;
    for (uint32_t s = 0; s < RF_SLOTS_MAX; s++) inst.src[s] = s < slots ? in->ib_src[w * slots + s] : 0;
    inst.src_valid = in->ib_src_valid[w];
    inst.port = in->ib_port[w];
    inst.dst = in->ib_dst[w];
    inst.dst_valid = in->ib_dst_valid >> w & 1;
    inst.mask = in->ib_mask[w];
    inst.tag = in->ib_tag[w];
    inst.warp = (uint16_t)w;
    return inst;
}

/* Port e shows this if its bit of ex_valid stands, else nothing; ports in their order, from port 0 on. */
static inline void rf_stage_show(rf_stage_offers *out, uint32_t e, const rf_stage_carried *of) {
    const bool valid = (out->ex_valid >> e & 1) != 0;
    const uint32_t dst_valid = valid ? of->dst_valid : 0;
    out->ex_warp[e] = (uint8_t)(valid ? of->warp : 0);
    out->ex_tag[e] = valid ? of->tag : 0;
    out->ex_mask[e] = valid ? of->mask : 0;
    out->ex_dst_valid = (uint8_t)((e > 0 ? out->ex_dst_valid : 0) | dst_valid << e);
    out->ex_dst[e] = (uint8_t)(valid ? of->dst : 0);
}

#ifdef __cplusplus
}
static_assert(sizeof(rf_stage_carried) == 12 && sizeof(rf_stage_instr) == RF_SLOTS_MAX + 16, "no padding");
#else
_Static_assert(sizeof(rf_stage_carried) == 12 && sizeof(rf_stage_instr) == RF_SLOTS_MAX + 16, "no padding");
#endif
#endif
