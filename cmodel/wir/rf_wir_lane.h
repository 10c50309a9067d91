/* SPDX-License-Identifier: Apache-2.0 */
/* Rename and reuse of one issue group of rf_wir [WIR V-B, V-C, V-D, VI-B]: rf_wir_front with the group's rename tables
 * (rf_rename) and its pending queue (rf_pending_queue), what they write when something retires, and which references to physical
 * registers begin and end by that. The warps of a group have one remainder mod ISSUES; warp / ISSUES, cut to its width, is a
 * warp's number in the tables.
 *
 * Way        An instruction that issues goes through rf_wir_front as its page says: rename register, reuse register, lane. map_*
 *            of the front are what the tables say of the rename register; its `q` is the pending queue's head, which takes what
 *            the lane sends there (act QUEUE: push, ROTATE: rotate) and loses what leaves from it (leaves with lane_retry: pop).
 * Lane       `lane` is the front's; 0 when there is no instruction. lk_valid, want_*, leads, leaves are the front's; reused: act
 *            REUSE.
 * Places     `at`: what has yet to be read before the collectors: place 0 is `rn` of the front, 1 `ru`, 2 .. `at` of the queue.
 * Retires    With `reused` the lane's instruction: its warp, destination, `result`, not pinned. Else with `done` a result:
 *            done_*, pinned as done_old says. The mapping is written at the edge, unless the warp does not exist (WARPS or more).
 * Release    `clear` marks warps of the group; walk_valid: a mapping can be released, `walk` takes it, at the edge (rf_rename).
 * References inc, one a slot: with `reserved` the operands that are registers (bit s of the lane's opcode); port 0 with `reused`
 *            is `result` instead, and set. dec: the mapping that is released (`walk` with walk_valid), else with `reused` the
 *            lane's old mapping if it is valid, else with `done` the old register of done_old, if its reference ends.
 * RETRY 0    There is no pending queue, and no places for it; the front's q_* are 0.
 * REUSE 0    Neither tables nor queue: map_src_* is valid, not pinned, the register is the low bits of row x BANKS + bank of
 *            D-map (rf_map.h), map_dst_* is 0; issue_reuse counts as 0; walking, walk_valid, inc and dec are 0. allow .. reserved
 *            and done count for nothing but hit, wait and port through the front, which never looks up.
 * Illegal    As the units say; what is granted and not wanted counts for nothing. */
#ifndef RF_WIR_LANE_H
#define RF_WIR_LANE_H

#include "cmodel/wir/rf_pending_queue.h"
#include "cmodel/wir/rf_rename.h"
#include "cmodel/wir/rf_wir_front.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_WIR_PLACES_MAX (2u + RF_PENDING_DEPTH_MAX) /* instructions of a group before the collectors */

typedef struct rf_wir_lane_cfg {
    uint32_t warps;   /* 1 .. 64, a multiple of issues */
    uint32_t issues;  /* issue groups, 1 .. 4 */
    uint32_t regs;    /* logical registers of a warp, 1 .. 256 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t slots;   /* sources, 1 .. 6 */
    uint32_t exports; /* execution ports, 1 .. 8 */
    uint32_t pregs;   /* physical registers, 2 .. 1024 */
    uint32_t banks;   /* of D-map (reuse 0), a power of two, 1 .. 32 */
    uint32_t queue;   /* entries of the pending queue, 1 .. 16 */
    uint32_t reuse;   /* 1: warp instruction reuse */
    uint32_t loads;   /* 1: loads may reuse */
    uint32_t retry;   /* 1: pending-retry */
} rf_wir_lane_cfg;

typedef struct rf_wir_lane_in {
    /* an instruction issues */
    uint8_t issue_valid;
    rf_wir_issued issue;
    /* mappings are released */
    uint64_t clear; /* warps / issues bits, per warp of the group: its mappings are to be */
    uint8_t walk;   /* a step */
    /* the lane's instruction */
    uint8_t allow;     /* it may look up */
    uint8_t hit;       /* it has been computed: */
    uint8_t wait;      /* it is about to be */
    uint16_t result;   /* index_bits(pregs): its result */
    uint8_t reserved;  /* its entry of the reuse buffer is reserved */
    uint8_t port;      /* it gets the rename port */
    uint8_t collector; /* it gets a collector */
    /* a result of the group retires */
    uint8_t done;
    uint8_t done_warp; /* index_bits(warps) */
    uint8_t done_dst;  /* index_bits(regs) */
    uint16_t done_reg; /* index_bits(pregs) */
    uint16_t done_old; /* index_bits(pregs) + 2: {old register, its reference ends, pinned} */
} rf_wir_lane_in;

typedef struct rf_wir_lane_out {
    uint8_t ready;      /* an instruction that issues is taken */
    uint64_t walking;   /* warps / issues bits: mappings are being released */
    uint8_t walk_valid; /* a step can be taken */
    uint32_t at_valid;  /* places bits */
    rf_wir_reads at[RF_WIR_PLACES_MAX];
    uint8_t st_valid;  /* a store moves on */
    uint8_t st_shared; /* to scratchpad */
    uint8_t rn_warp;   /* of this warp */
    rf_wir_laned lane; /* the lane's instruction */
    uint8_t lk_valid;  /* it looks the reuse buffer up */
    uint8_t want_port; /* the rename port */
    uint8_t want_collector;
    uint8_t leads;                        /* it reserves its entry */
    uint8_t leaves;                       /* reuse register or queue are rid of it */
    uint8_t reused;                       /* it retires with `result` */
    uint8_t inc;                          /* slots bits: a register is named anew */
    uint16_t inc_reg[RF_REUSE_SLOTS_MAX]; /* per slot, 0 when not */
    uint8_t dec;                          /* one is named no more: */
    uint16_t dec_reg;                     /* this, 0 when none */
} rf_wir_lane_out;

typedef struct rf_wir_lane {
    rf_wir_lane_cfg cfg;
    rf_wir_front front; /* u_front */
    /* with reuse: */
    rf_rename rename;       /* gen_reuse.u_rename */
    rf_pending_queue queue; /* gen_retry.u_queue; with retry */
} rf_wir_lane;              /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_lane_check(const rf_wir_lane_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wir_lane_init(rf_wir_lane *m, const rf_wir_lane_cfg *cfg);
void rf_wir_lane_reset(rf_wir_lane *m);
/* Outputs of this cycle. */
void rf_wir_lane_comb(const rf_wir_lane *m, const rf_wir_lane_in *in, rf_wir_lane_out *out);
/* The rising clock edge. */
void rf_wir_lane_clock(rf_wir_lane *m, const rf_wir_lane_in *in);
/* rf_wir_lane_comb, then rf_wir_lane_clock, in one pass. */
void rf_wir_lane_step(rf_wir_lane *m, const rf_wir_lane_in *in, rf_wir_lane_out *out);

/* Instructions of the group before the collectors: places of at_*. */
static inline uint32_t rf_wir_lane_places(const rf_wir_lane_cfg *cfg) {
    return 2 + (cfg->reuse != 0 && cfg->retry != 0 ? cfg->queue : 0);
}

#ifdef __cplusplus
}
#endif
#endif
