/* SPDX-License-Identifier: Apache-2.0 */
/* Operand collectors of rf_wir [WIR II, V-B]: from the reuse lanes to the execution ports. The units that rf_banked has for it
 * (rf_ocu_alloc, rf_ocu, rf_stage_exec), with physical registers in place of warp and register.
 *
 * Allocation A lane's instruction that asks (req) gets the lowest free collector, group 0 first (rf_ocu_alloc): grant.
 * Sources    Slots in lane_mapped are read: physical register p = lane_operand is row p / BANKS of bank p mod BANKS. Slots in
 *            lane_src_valid that are not mapped are delivered as 0 (D-zero). D-dup (rf_ocu) goes by the logical register,
 *            lane_src, of the slots that are read. A slot in neither shows what its collector holds from before.
 * Reads      rd_*, rd_grant, fill_* and unread are rf_ocu's, element collector * slots + slot.
 * Offer      rf_stage_exec's: everything of a port that is offered nothing is 0. ex_info is the instruction's lane_info. */
#ifndef RF_WIR_COLLECT_H
#define RF_WIR_COLLECT_H

#include "cmodel/banked/rf_dispatch.h"
#include "cmodel/banked/rf_ocu.h"
#include "cmodel/banked/rf_ocu_alloc.h"
#include "cmodel/wir/rf_wir_records.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_wir_collect_cfg {
    uint32_t warps;      /* 1 .. 64 */
    uint32_t collectors; /* 1 .. 15; collectors x slots at most 64 */
    uint32_t banks;      /* a power of two, 1 .. 32 */
    uint32_t regs;       /* logical registers of a warp, 1 .. 256 */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources, 1 .. 6 */
    uint32_t exports;    /* execution ports, 1 .. 8 */
    uint32_t issues;     /* issue groups, 1 .. 4 */
    uint32_t pregs;      /* physical registers, 2 .. 1024, a multiple of banks */
    uint32_t infow;      /* bits of lane_info, 1 .. 32 */
} rf_wir_collect_cfg;

typedef struct rf_wir_collect_in {
    rf_vec fill_data[RF_READERS_MAX]; /* per reader: lanes x 32 bits */
    uint64_t rd_grant;                /* readers bits */
    uint8_t ex_ready;                 /* exports bits: the port accepts an instruction */
    /* per group: the lane's instruction */
    uint8_t req; /* issues bits: it asks for a collector */
    rf_wir_laned lane[RF_ISSUES_MAX];
    uint64_t lane_info[RF_ISSUES_MAX]; /* infow bits: comes back with the result */
} rf_wir_collect_in;

typedef struct rf_wir_collect_out {
    rf_vec ex_data[RF_EXPORTS_MAX * RF_REUSE_SLOTS_MAX]; /* element port * slots + slot */
    uint8_t grant;                                       /* issues bits: it gets a collector */
    /* element collector * slots + slot, index_bits as rf_ocu's */
    uint64_t unread; /* readers bits: sources that have yet to be granted */
    uint8_t reader_warp[RF_READERS_MAX];
    uint8_t reader_reg[RF_READERS_MAX];
    uint64_t rd_valid; /* readers bits: the slot asks for its bank */
    uint8_t rd_bank[RF_READERS_MAX];
    uint16_t rd_row[RF_READERS_MAX];
    uint64_t fill_valid; /* readers bits: its data arrives in this cycle, from bank rd_bank */
    union {
        rf_stage_offers offers;
        struct {
            RF_STAGE_OFFER_PORTS
        };
    };
    uint64_t ex_info[RF_EXPORTS_MAX]; /* per port */
} rf_wir_collect_out;

typedef struct rf_wir_collect {
    rf_ocu ocu[RF_COLLECTORS_MAX]; /* gen_ocu[c].u_ocu; first, to start on a cache line */
    rf_wir_collect_cfg cfg;
    rf_ocu_alloc alloc;   /* u_alloc */
    rf_dispatch dispatch; /* u_exec.u_dispatch */
    /* beside each collector, kept like its metadata; 0 after reset */
    uint8_t zero_q[RF_COLLECTORS_MAX];  /* slots bits: source not mapped: 0 is delivered */
    uint64_t info_q[RF_COLLECTORS_MAX]; /* lane_info */
} rf_wir_collect;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_collect_check(const rf_wir_collect_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wir_collect_init(rf_wir_collect *m, const rf_wir_collect_cfg *cfg);
void rf_wir_collect_reset(rf_wir_collect *m);
/* Outputs of this cycle. */
void rf_wir_collect_comb(const rf_wir_collect *m, const rf_wir_collect_in *in, rf_wir_collect_out *out);
/* The rising clock edge. */
void rf_wir_collect_clock(rf_wir_collect *m, const rf_wir_collect_in *in);
/* rf_wir_collect_comb, then rf_wir_collect_clock, in one pass. */
void rf_wir_collect_step(rf_wir_collect *m, const rf_wir_collect_in *in, rf_wir_collect_out *out);

#ifdef __cplusplus
}
#endif
#endif
