/* SPDX-License-Identifier: Apache-2.0 */
/* Front end of one issue group of rf_wir [WIR V-B, V-C, VI-B]: rename register, reuse register, and what becomes of the
 * instruction in the reuse lane. The tables (rf_rename, rf_reuse_buffer, rf_load_guard, rf_pending_queue) are beside it and are
 * answered here in the same cycle.
 *
 * issue    goes into the rename register when `ready`: it is empty or `moves`. Ignored otherwise. Whoever issues has taken
 *          sources and destination from an instruction with mask 0 (D-mask).
 * rename   rn, rn_dst are the rename register, for the rename table and the hazards; map_* is what the table says of it. It
 *          moves on to the reuse register when that is empty or its instruction leaves: `moves`. st_valid: it does, and is a
 *          store. Into the reuse register go: mapped = src_valid & map_src_valid; operand s = register of a mapped source, 0 of
 *          one that is not mapped, `imm` of a slot without source; opcode = {op, src_valid}; old_* = map_dst_*, all 0 without a
 *          destination; and look: `reuse`, destination, all lanes active, every source mapped and none pinned, space NONE or
 *          LOADS.
 * lane     The instruction in the reuse register (retry 0), or when that is empty the head of the pending queue (retry 1; with
 *          RETRY 0 `q` is not looked at): lane_valid and `lane`, 0 without one. Of the queue: all lanes active, destination
 *          valid, mapped = src_valid, look 1. lk_valid: it looks the reuse buffer up: look and `allow`. hit, wait: the buffer's
 *          answer; they count with lk_valid only; hit beats wait.
 * act      hit                      want_port; when `port`: REUSE, else NOTHING
 *          wait, RETRY, retry 0     q_ready: QUEUE; else as "execute", not as a leader
 *          wait, RETRY, retry 1     ROTATE
 *          else                     execute: want_collector; when `collector`: EXECUTE, else NOTHING. `leads` with EXECUTE: it
 *                                   looked up and there was neither hit nor wait: it reserves its entry.
 *          `leaves` with REUSE, QUEUE, EXECUTE: the reuse register or (retry) the queue is rid of it. `port` and `collector`
 *          count only where wanted.
 * REUSE 0 of the system: `reuse` of what issues is 0, map_* are what D-map says. All outputs of this unit that belong to no
 * instruction are 0. */
#ifndef RF_WIR_FRONT_H
#define RF_WIR_FRONT_H

#include "cmodel/wir/rf_wir_records.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of the instruction in the lane in this cycle. */
typedef enum rf_wir_act {
    RF_WIR_NOTHING, /* there is none, or it waits */
    RF_WIR_REUSE,   /* retires with an earlier result */
    RF_WIR_QUEUE,   /* goes to the pending queue */
    RF_WIR_EXECUTE, /* takes a collector */
    RF_WIR_ROTATE,  /* the queue's head goes to its tail */
} rf_wir_act;

typedef struct rf_wir_front_cfg {
    uint32_t warps;   /* 1 .. 64 */
    uint32_t regs;    /* logical registers of a warp, 1 .. 256 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t slots;   /* sources, 1 .. 6 */
    uint32_t exports; /* execution ports, 1 .. 8 */
    uint32_t pregs;   /* physical registers, 2 .. 1024 */
    uint32_t loads;   /* 1: loads may reuse [WIR VI-A] */
    uint32_t retry;   /* 1: pending-retry [WIR VI-B] */
} rf_wir_front_cfg;

typedef struct rf_wir_front_in {
    /* an instruction issues */
    uint8_t issue_valid;
    rf_wir_issued issue;
    /* the rename table's answer to rn_* */
    uint8_t map_src_valid;                     /* slots bits */
    uint16_t map_src_preg[RF_REUSE_SLOTS_MAX]; /* per slot, index_bits(pregs) */
    uint8_t map_src_pin;                       /* slots bits */
    uint8_t map_dst_valid;
    uint16_t map_dst_preg; /* index_bits(pregs) */
    uint8_t map_dst_pin;
    /* the pending queue's head */
    uint8_t q_ready; /* it has room */
    uint8_t q_valid;
    rf_wir_renamed q;
    /* answers to the lane */
    uint8_t allow;
    uint8_t hit;
    uint8_t wait;
    uint8_t port;
    uint8_t collector;
} rf_wir_front_in;

typedef struct rf_wir_front_out {
    uint8_t ready;
    uint8_t moves;
    uint8_t rn_valid; /* the rename register */
    rf_wir_reads rn;  /* 0 when it is empty, like the next */
    uint8_t rn_dst;
    uint8_t st_valid;
    uint8_t st_shared; /* 0 without st_valid */
    uint8_t ru_valid;  /* the reuse register, likewise */
    rf_wir_reads ru;
    uint8_t lane_valid;
    uint8_t lane_retry;
    rf_wir_laned lane;
    uint8_t lk_valid;
    uint8_t want_port;
    uint8_t want_collector;
    uint8_t act; /* 3 bits: rf_wir_act */
    uint8_t leads;
    uint8_t leaves;
} rf_wir_front_out;

typedef struct rf_wir_front {
    rf_wir_front_cfg cfg;
    /* rename register: the instruction as issued; all but valid keep their value when it is empty, as below */
    uint8_t rn_valid_q;
    rf_wir_issued rn_q;
    /* reuse register: renamed, and whether it may look up */
    uint8_t ru_valid_q;
    rf_wir_laned ru_q;
    uint8_t ru_look_q;
} rf_wir_front; /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_front_check(const rf_wir_front_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wir_front_init(rf_wir_front *m, const rf_wir_front_cfg *cfg);
void rf_wir_front_reset(rf_wir_front *m);
/* Outputs of this cycle. */
void rf_wir_front_comb(const rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out);
/* The rising clock edge. */
void rf_wir_front_clock(rf_wir_front *m, const rf_wir_front_in *in);
/* rf_wir_front_comb, then rf_wir_front_clock, in one pass. */
void rf_wir_front_step(rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out);

#ifdef __cplusplus
}
#endif
#endif
