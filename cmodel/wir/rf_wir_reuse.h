/* SPDX-License-Identifier: Apache-2.0 */
/* What rf_wir has once for all its groups [WIR V-C, VI-A, VII-E]: reuse buffer (rf_reuse_buffer), load guard (rf_load_guard),
 * reference counts (rf_refcount), and random numbers (rf_lfsr, a step in every cycle).
 *
 * Lookup     allow: the guard lets the lane's instruction look up. hit, wait, result, reserved are the buffer's answers to
 *            lookups, lk_valid, with the guard's block and barrier count in the tag. An instruction that leads reserves its
 *            entry, in low mode drops it; without a lookup neither.
 * info       {index, reserved, lane_back}, lane_back in the low bits: what comes back with the result; index is 0 without a
 *            lookup. done_info is that of a result that retires: if its leader bit (behind lane_back) is set its entry gets
 *            done_reg.
 * Removal    The guard's sweep, a step in each cycle in which the buffer takes it (rm_ready); without one in low mode the entry,
 *            whatever it is, that the low bits of `random` name, in a cycle in which no lane leaves after a lookup (lk_valid and
 *            leaves). What the buffer does not take then is not tried again.
 * References Each group's ports of rf_refcount, in this order. +1: SLOTS of lane_inc, an entry filled (done_reg), two of
 *            results_inc. -1: SLOTS + 1 that the buffer frees, results_dec, lane_dec. back: registers that nobody names any
 *            more. own: own_reg has one reference.
 * Illegal    As the units say. */
#ifndef RF_WIR_REUSE_H
#define RF_WIR_REUSE_H

#include "cmodel/common/rf_lfsr.h"
#include "cmodel/wir/rf_load_guard.h"
#include "cmodel/wir/rf_refcount.h"
#include "cmodel/wir/rf_reuse_buffer.h"
#include "cmodel/wir/rf_wir_records.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_WIR_SEED 0xace1u /* of the random numbers */

typedef struct rf_wir_reuse_cfg {
    uint32_t warps;   /* 1 .. 64 */
    uint32_t blocks;  /* thread blocks, 1 .. 16 */
    uint32_t entries; /* of the reuse buffer, a power of two, 1 .. 512 */
    uint32_t issues;  /* issue groups, 1 .. 4; issues x (slots + 3) at most 24 */
    uint32_t slots;   /* sources, 1 .. 6 */
    uint32_t pregs;   /* physical registers, 2 .. 1024 */
    uint32_t countw;  /* bits of a reference count, 2 .. 16 */
} rf_wir_reuse_cfg;

typedef struct rf_wir_reuse_in {
    /* what happens, as rf_wir's ports of these names */
    uint8_t block[RF_WARPS_MAX]; /* per warp: slot of its thread block, index_bits(blocks) */
    uint64_t launch;             /* warps bits */
    uint16_t start;              /* blocks bits */
    uint8_t flush;
    uint16_t bar;   /* blocks bits */
    uint64_t fence; /* warps bits */
    /* per group: a store moves on */
    uint8_t st_valid;               /* issues bits */
    uint8_t st_warp[RF_ISSUES_MAX]; /* index_bits(warps) */
    uint8_t st_shared;              /* issues bits */
    /* per group: the lane's instruction */
    uint8_t lane_warp[RF_ISSUES_MAX];  /* index_bits(warps) */
    uint8_t lane_space[RF_ISSUES_MAX]; /* 2 bits, rf_space */
    uint8_t lane_opcode[RF_ISSUES_MAX];
    uint16_t lane_operand[RF_ISSUES_MAX * RF_REUSE_SLOTS_MAX]; /* element group * slots + slot, index_bits(pregs) */
    uint16_t lane_back[RF_ISSUES_MAX];                         /* index_bits(pregs) + 2: {old register, valid, pinned} */
    uint8_t lk_valid;                                          /* issues bits: it looks the buffer up */
    uint8_t leads;                                             /* issues bits: it reserves its entry */
    uint8_t leaves;                                            /* issues bits */
    uint8_t lane_inc[RF_ISSUES_MAX];                           /* slots bits */
    uint16_t lane_inc_reg[RF_ISSUES_MAX * RF_REUSE_SLOTS_MAX]; /* element group * slots + slot, index_bits(pregs) */
    uint8_t lane_dec;                                          /* issues bits */
    uint16_t lane_dec_reg[RF_ISSUES_MAX];                      /* index_bits(pregs) */
    /* per group: a result retires */
    uint8_t done;                      /* issues bits */
    uint16_t done_reg[RF_ISSUES_MAX];  /* index_bits(pregs) */
    uint64_t done_info[RF_ISSUES_MAX]; /* 3 + index_bits(pregs) + index_bits(entries) bits */
    /* allocation */
    uint8_t low;                                 /* low register mode */
    uint8_t results_inc[RF_ISSUES_MAX];          /* 2 bits */
    uint16_t results_inc_reg[RF_ISSUES_MAX * 2]; /* element group * 2 + port, index_bits(pregs) */
    uint8_t results_dec;                         /* issues bits */
    uint16_t results_dec_reg[RF_ISSUES_MAX];     /* index_bits(pregs) */
    uint16_t own_reg[RF_ISSUES_MAX];             /* per group, index_bits(pregs): a register whose count is looked at */
} rf_wir_reuse_in;

typedef struct rf_wir_reuse_out {
    uint8_t allow;                  /* issues bits */
    uint8_t hit;                    /* issues bits */
    uint8_t wait;                   /* issues bits */
    uint16_t result[RF_ISSUES_MAX]; /* index_bits(pregs), 0 without a hit */
    uint8_t reserved;               /* issues bits */
    uint64_t info[RF_ISSUES_MAX];   /* 3 + index_bits(pregs) + index_bits(entries) bits */
    uint16_t random;
    uint8_t back;         /* 2 bits: a register becomes free */
    uint16_t back_reg[2]; /* index_bits(pregs) */
    uint8_t own;          /* issues bits: own_reg has one reference */
} rf_wir_reuse_out;

/* What a cycle of the unit decides, as rf_wir's counters and properties see it too. A unit that has nothing to say in a cycle is
 * not asked: its wires keep what they had, but for those that say so. */
#define RF_WIR_REUSE_WIRES                                                                                                       \
    rf_reuse_buffer_in reuse_in;                                                                                                 \
    rf_reuse_buffer_out reuse;                                                                                                   \
    rf_load_guard_in guard_in;                                                                                                   \
    rf_load_guard_out guard;                                                                                                     \
    rf_refcount_in count_in;                                                                                                     \
    rf_refcount_out count;
typedef struct rf_wir_reuse_wires {
    RF_WIR_REUSE_WIRES
} rf_wir_reuse_wires;

typedef struct rf_wir_reuse {
    rf_wir_reuse_cfg cfg;
    rf_load_guard guard;    /* u_guard */
    rf_reuse_buffer buffer; /* u_buffer */
    rf_refcount count;      /* u_count */
    rf_lfsr lfsr;           /* u_lfsr */
} rf_wir_reuse;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_reuse_check(const rf_wir_reuse_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wir_reuse_init(rf_wir_reuse *m, const rf_wir_reuse_cfg *cfg);
void rf_wir_reuse_reset(rf_wir_reuse *m);
/* Outputs of this cycle. */
void rf_wir_reuse_comb(const rf_wir_reuse *m, const rf_wir_reuse_in *in, rf_wir_reuse_out *out);
/* The rising clock edge. */
void rf_wir_reuse_clock(rf_wir_reuse *m, const rf_wir_reuse_in *in);
/* rf_wir_reuse_comb, then rf_wir_reuse_clock, in one pass. */
void rf_wir_reuse_step(rf_wir_reuse *m, const rf_wir_reuse_in *in, rf_wir_reuse_out *out);

/* Bits of info and done_info. */
static inline uint32_t rf_wir_reuse_info_bits(const rf_wir_reuse_cfg *cfg) {
    return rf_wir_back_bits(cfg->pregs) + 1 + rf_index_bits(cfg->entries);
}

#ifdef __cplusplus
}
#endif
#endif
