/* SPDX-License-Identifier: Apache-2.0 */
/* Issue of rf_wir [WIR II, V-B]: which warps' heads must wait, whom each group's scheduler chooses, and what that head is. The
 * units that rf_banked has for it (rf_scoreboard, the schedulers), with the hazards of the instructions between issue and
 * collectors.
 *
 * Group      Warp w belongs to issue group w mod ISSUES, and has number w / ISSUES there.
 * Head       A head with mask 0 has no sources, no destination and is no store (D-mask): src_valid, dst_valid and store
 *            of `head` say so; everything else is shown as the buffer has it.
 * Hazard     rf_scoreboard's (a pending result; a source that a collector has yet to read, rdp). D-war: the head writes a
 *            source of an instruction of its warp at one of the places (`at`). D-order: the head stores, and an instruction of
 *            its warp at a place loads. Places of all groups count.
 * Ready      valid, no hazard, and with REUSE 1 neither `clear` nor `walking` has its warp: old mappings are released first.
 * Issue      A group's scheduler chooses among its ready warps; the chosen one issues in a cycle in which lane_ready has the
 *            group. Its destination is pending from then on, until clr names it.
 * Shown      head: that of the warp that the scheduler chooses; none chosen: of the group's first warp (its number 0).
 * Illegal    As the units say; places of warps that do not exist (WARPS or more) count for nothing. D-war compares registers as
 *            numbers, also those that do not exist (REGS or more). */
#ifndef RF_WIR_ISSUE_H
#define RF_WIR_ISSUE_H

#include "cmodel/banked/rf_sched_groups.h"
#include "cmodel/banked/rf_sched_gto.h"
#include "cmodel/banked/rf_sched_lrr.h"
#include "cmodel/banked/rf_scoreboard.h"
#include "cmodel/banked/rf_stage.h"
#include "cmodel/wir/rf_wir_lane.h" /* RF_WIR_PLACES_MAX */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_wir_issue_cfg {
    uint32_t warps;      /* 1 .. 64, a multiple of issues */
    uint32_t collectors; /* 1 .. 15; collectors x slots at most 64 */
    uint32_t regs;       /* logical registers of a warp, 1 .. 256 */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources, 1 .. 6 */
    uint32_t exports;    /* execution ports, 1 .. 8; exports + issues at most 8 */
    uint32_t issues;     /* issue groups, 1 .. 4 */
    uint32_t sched;      /* 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups */
    uint32_t fetch;      /* warps of a fetch group of an issue group (sched 2), 1 .. 64 */
    uint32_t pregs;      /* physical registers, 2 .. 1024: width of ib_imm */
    uint32_t places;     /* instructions of a group before the collectors, 2 .. 18 */
    uint32_t reuse;      /* 1: warp instruction reuse */
} rf_wir_issue_cfg;

typedef struct rf_wir_issue_in {
    uint64_t launch; /* warps bits: a new warp starts in the slot */
    uint64_t exit;   /* warps bits: the warp has ended */
    /* each warp's head, as rf_wir's ports of these names */
    uint64_t ib_valid;
    uint16_t ib_tag[RF_WARPS_MAX];
    uint8_t ib_port[RF_WARPS_MAX];  /* index_bits(exports) */
    uint32_t ib_mask[RF_WARPS_MAX]; /* lanes bits */
    uint64_t ib_dst_valid;
    uint8_t ib_dst[RF_WARPS_MAX];                      /* index_bits(regs) */
    uint8_t ib_src_valid[RF_WARPS_MAX];                /* slots bits */
    uint8_t ib_src[RF_WARPS_MAX * RF_REUSE_SLOTS_MAX]; /* element warp * slots + slot, index_bits(regs) */
    RF_WIR_DECODED_PORTS
    /* per group */
    uint8_t lane_ready;              /* issues bits: an instruction that issues is taken */
    uint64_t walking[RF_ISSUES_MAX]; /* per group, warps / issues bits, by number in the group: mappings are being released */
    /* instructions before the collectors */
    uint32_t at_valid[RF_ISSUES_MAX];                   /* per group: places bits */
    rf_wir_reads at[RF_ISSUES_MAX * RF_WIR_PLACES_MAX]; /* element group * places + place */
    /* sources that collectors have yet to read, element collector * slots + slot */
    uint64_t rdp;                     /* collectors x slots bits */
    uint8_t rdp_warp[RF_READERS_MAX]; /* index_bits(warps) */
    uint8_t rdp_reg[RF_READERS_MAX];  /* index_bits(regs) */
    /* results that retire: writers 0 .. exports - 1, then per group what retires by reuse */
    uint8_t clr;                      /* exports + issues bits */
    uint8_t clr_warp[RF_EXPORTS_MAX]; /* index_bits(warps) */
    uint8_t clr_reg[RF_EXPORTS_MAX];  /* index_bits(regs) */
} rf_wir_issue_in;

typedef struct rf_wir_issue_out {
    uint8_t issue_valid;               /* issues bits */
    uint8_t issue_warp[RF_ISSUES_MAX]; /* per group, 0 when none issues */
    uint64_t clear[RF_ISSUES_MAX];     /* per group, warps / issues bits, by number in the group: launch or exit */
    rf_wir_issued head[RF_ISSUES_MAX]; /* per group: the head of the warp chosen */
} rf_wir_issue_out;

typedef struct rf_wir_issue {
    rf_wir_issue_cfg cfg;
    rf_sched_gto gto[RF_ISSUES_MAX];       /* SCHED 0: gen_issue[g].gen_gto.u_sched */
    rf_sched_lrr lrr[RF_ISSUES_MAX];       /* SCHED 1: gen_issue[g].gen_lrr.u_sched */
    rf_sched_groups groups[RF_ISSUES_MAX]; /* SCHED 2: gen_issue[g].gen_groups.u_sched */
    rf_scoreboard scoreboard;              /* u_scoreboard */
} rf_wir_issue;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_issue_check(const rf_wir_issue_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wir_issue_init(rf_wir_issue *m, const rf_wir_issue_cfg *cfg);
void rf_wir_issue_reset(rf_wir_issue *m);
/* Outputs of this cycle. */
void rf_wir_issue_comb(const rf_wir_issue *m, const rf_wir_issue_in *in, rf_wir_issue_out *out);
/* The rising clock edge. */
void rf_wir_issue_clock(rf_wir_issue *m, const rf_wir_issue_in *in);
/* rf_wir_issue_comb, then rf_wir_issue_clock, in one pass. */
void rf_wir_issue_step(rf_wir_issue *m, const rf_wir_issue_in *in, rf_wir_issue_out *out);

#ifdef __cplusplus
}
#endif
#endif
