/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction of rf_wir is on its way, as records that units hand on whole: the structs of rtl/wir/rf_wir_pkg.sv, listed
 * for the comparison in tb/wir/rf_wir_members.h. What all carry is RF_WIR_COMMON's; one who only carries a record copies it. Low
 * bits of the RTL's struct lie at low addresses, so that neighbours are compared at once. No record has padding: judges look at
 * every byte. */
#ifndef RF_WIR_RECORDS_H
#define RF_WIR_RECORDS_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of each warp's head, beside the ports that rf_banked has. */
#define RF_WIR_DECODED_PORTS                                                                                                     \
    uint64_t ib_reuse; /* warps bits: decides nothing but its operands and the memory of its space: it may be reused */          \
    uint8_t ib_op[RF_WARPS_MAX]; /* per warp: function, 8 - slots bits */                                                        \
    uint16_t                                                                                                                     \
        ib_imm[RF_WARPS_MAX * RF_REUSE_SLOTS_MAX]; /* element warp * slots + slot, index_bits(pregs): operand of the tag    \
                                                           in a slot without source */    \
    uint8_t ib_space[RF_WARPS_MAX];                /* per warp: 2 bits, rf_space: what it loads from */                          \
    uint64_t ib_store;                             /* warps bits: it stores */                                                   \
    uint64_t ib_store_shared;                      /* warps bits: to scratchpad, else to global memory */

/* What an instruction before the collectors has yet to read; 0 when there is none. */
typedef struct rf_wir_reads {
    uint8_t load;                    /* from scratchpad or global memory */
    uint8_t src[RF_REUSE_SLOTS_MAX]; /* per slot, index_bits(regs) */
    uint8_t src_valid;               /* slots bits */
    uint8_t warp;                    /* index_bits(warps) */
} rf_wir_reads;

/* From issue to its collector. */
#define RF_WIR_COMMON                                                                                                            \
    uint8_t dst;                     /* index_bits(regs) */                                                                      \
    uint8_t port;                    /* index_bits(exports) */                                                                   \
    uint16_t tag;                    /* 16 bits, carried along */                                                                \
    uint16_t space;                  /* 2 bits: rf_space */                                                                      \
    uint8_t src[RF_REUSE_SLOTS_MAX]; /* per slot, index_bits(regs) */                                                            \
    uint8_t src_valid;               /* slots bits */                                                                            \
    uint8_t warp;                    /* index_bits(warps) */

typedef struct rf_wir_common {
    RF_WIR_COMMON
} rf_wir_common;

/* What of it is to be read. SHARED and GLOBAL, the loads, are the spaces with the higher bit. */
static inline rf_wir_reads rf_wir_reads_of(const rf_wir_common *of) {
    rf_wir_reads r;
    r.warp = of->warp;
    r.src_valid = of->src_valid;
    for (uint32_t s = 0; s < RF_REUSE_SLOTS_MAX; s++) r.src[s] = of->src[s];
    r.load = (uint8_t)(of->space >> 1);
    return r;
}

/* As it issues. */
typedef struct rf_wir_issued {
    uint8_t store_shared; /* to scratchpad */
    uint8_t store;
    uint16_t imm[RF_REUSE_SLOTS_MAX]; /* per slot without source, index_bits(pregs): operand of the tag */
    uint16_t op;                      /* function: 8 - slots bits; with src_valid below it the opcode of the tag */
    uint32_t mask;                    /* lanes bits */
    uint8_t reuse;                    /* it may be reused */
    uint8_t dst_valid;
    union {
        rf_wir_common common;
        struct {
            RF_WIR_COMMON
        };
    };
} rf_wir_issued;

/* Renamed, as lane and pending queue have it. */
#define RF_WIR_RENAMED                                                                                                           \
    uint8_t old_pin;                      /* its destination was mapped with this pin, */                                        \
    uint8_t old_valid;                    /* if it was, */                                                                       \
    uint16_t old_preg;                    /* to this, index_bits(pregs) */                                                       \
    uint16_t operand[RF_REUSE_SLOTS_MAX]; /* per slot, index_bits(pregs): physical register or immediate */                      \
    uint16_t opcode;                      /* 8 bits, of its tag */                                                               \
    union {                                                                                                                      \
        rf_wir_common common;                                                                                                    \
        struct {                                                                                                                 \
            RF_WIR_COMMON                                                                                                        \
        };                                                                                                                       \
    };

typedef struct rf_wir_renamed {
    RF_WIR_RENAMED
} rf_wir_renamed;

/* What goes with an instruction to its result: {old_preg, old_valid, old_pin}, old_pin in bit 0. So many bits beside old_preg's.
 */
#define RF_WIR_BACK_BITS 2u
static inline uint32_t rf_wir_back_bits(uint32_t pregs) { return rf_index_bits(pregs) + RF_WIR_BACK_BITS; }
static inline uint32_t rf_wir_back_of(const rf_wir_renamed *of, uint32_t pregs) {
    (void)pregs; /* where a further bit stands */
    return (uint32_t)of->old_preg << 2 | (uint32_t)of->old_valid << 1 | of->old_pin;
}

/* In the lane. */
typedef struct rf_wir_laned {
    uint16_t mapped; /* slots bits: sources that have a physical register, their operand */
    uint16_t dst_valid;
    uint32_t mask; /* lanes bits */
    union {
        rf_wir_renamed renamed;
        struct {
            RF_WIR_RENAMED
        };
    };
} rf_wir_laned;

#ifdef __cplusplus
}
static_assert(sizeof(rf_wir_laned) == 40 && sizeof(rf_wir_issued) == 36 && sizeof(rf_wir_reads) == 9, "no padding");
#else
_Static_assert(sizeof(rf_wir_laned) == 40 && sizeof(rf_wir_issued) == 36 && sizeof(rf_wir_reads) == 9, "no padding");
#endif
#endif
