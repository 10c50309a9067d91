/* SPDX-License-Identifier: Apache-2.0 */
/* System rf_wir: rf_banked with warp instruction reuse (WIR).
 *
 *   issue -> rename -> reuse -> collectors -> arbiter -> banks -> crossbar -> collectors -> dispatch -> execution ports
 *   results -> hash pipes -> allocation -> result queues -> (verify-read) -> arbiter -> banks -> retire
 *
 * Ports, warps, issue groups, schedulers, collectors, dispatch and execution as in rf_banked. Physical register p is row p /
 * BANKS of bank p mod BANKS. The stages added cost DELAY cycles ([WIR VII-D, VII-E]: 4): rename 1, reuse 1, and DELAY - 2
 * registers between a result and its queue.
 *
 * Issue      Group g issues into its rename register when that is empty or moves on. A warp is ready when its head has no
 *            hazard, its old mappings are released, and neither launch nor exit names it in this cycle. Hazards: rf_scoreboard's,
 *            with readers in the collectors; D-war: the head's destination is a source of an instruction of its warp in rename,
 *            reuse or pending queue; D-order: the head is a store, and a load (SHARED, GLOBAL) of its warp is there. Mask 0: no
 *            sources, no destination, no store (D-mask).
 * Rename     The tables of the group give the physical registers of sources and destination; a store sets its warp's flag as it
 *            moves on. The register moves on when the reuse register is empty or leaves.
 * Reuse      Lane g is the instruction in the group's reuse register, or if there is none the head of its pending queue. It looks
 *            the reuse buffer up if ib_reuse, with a destination and all lanes active, all sources mapped and none pinned (D-pin:
 *            a pinned register is overwritten in place), space NONE or LOADS 1, and rf_load_guard allows. Then
 *              hit    it wants the group's rename port (below), and retires with the result in the cycle in which it gets it
 *              wait   with RETRY: into the pending queue; is that full, it executes. A head of the queue goes to its tail
 *              else   it executes: it asks for a collector, and leaves when it is granted one (rf_ocu_alloc, group 0 first).
 *                     If it looked up and did not wait, it reserves the entry as it leaves, and is its leader if that works;
 *                     in low register mode it drops it instead
 *            A source that is not mapped is delivered as 0 (D-zero). What execution hands back with the result is ex_info:
 *            {index, leader, old_preg, old_valid, old_pin}, old_pin in bit 0; index is what the reuse buffer said, 0 without a
 *            lookup.
 * Allocation Each group takes one of its results at the ends of the hash pipes, in turn (rf_rr over the ports whose result's warp
 *            is of the group and whose queue has room), and decides what is to be done with it:
 *              all lanes, VSB: hit, verify cache hit and equal    SHARE the candidate
 *                              hit, verify cache hit, not equal   WRITE a new register (a collision; the buffer's entry stays)
 *                              hit, not in the verify cache       VERIFY the candidate
 *                              miss                               WRITE a new register, put into the buffer (low: drop instead)
 *              all lanes, no VSB                                  WRITE a new register
 *              some lanes, old mapping valid and pinned           WRITE in place
 *              some lanes, old mapping valid                      MERGE with it into a new register, pinned
 *              some lanes, no old mapping                         WRITE a new register, pinned, the other lanes 0
 *            New registers come from rf_free_list, group 0 first. A group of which a verifier needs one gives it to the lowest of
 *            those, and takes no result that needs a new register or VERIFY. D-promise: a VERIFY may end in a collision, so a
 *            register is promised to it: promised_q counts results in VERIFY that have neither retired nor got one. A result that
 *            needs a new register or VERIFY is taken only while more are free than are promised, those counted that groups before
 *            it take and are promised in this cycle. Otherwise it waits, and nothing else of its group is tried in that cycle. A
 *            register that is given out loses its line in the verify cache (D-stale; [WIR VI-C] has its write do that, but the
 *            value signature buffer names it before, and the line may hold an older value with the same hash).
 * Verify     Each group has VERIFIERS rf_verify. One head of a queue with VERIFY or MERGE a group and cycle, in turn, asks for
 *            its bank while a verifier of the group is idle and the register is written (rf_unwritten); granted, it moves to the
 *            lowest idle verifier. It reads as collector COLLECTORS + g of the arbiter, slot 0. A verify-read fills the cache.
 * Retire     The group's rename port does one thing a cycle, in turn (rf_rr): 0 a reuse hit, 1 a step of releasing a warp's
 *            mappings, 2 a result. Its result: the lowest verifier that shares or writes, else in turn one of the heads with
 *            WRITE or SHARE. A write also needs its bank, as writer g; refused, the port's turn is lost (the port's pointer
 *            moves, the results' does not). Done: mapping, scoreboard, reference of the old mapping, the leader's entry in the
 *            reuse buffer.
 * References Each group's ports of rf_refcount, in this order. +1: SLOTS for the sources of an entry reserved (the first also for
 *            the result of a hit), the result of an entry filled, the register that allocation decided on (not in place), one put
 *            into the value signature buffer or given to a verifier. -1: SLOTS + 1 that the reuse buffer frees, one that the
 *            value signature buffer frees or the candidate of a verifier that gets its own, the old mapping or the one released.
 *            A register in flight is referenced from the cycle in which it is taken from a table on. Two registers become free
 *            a cycle (Table III).
 * Low mode   fewer than ISSUES registers may be given out. CAPPED: given out or promised only while fewer than `limit` are in use
 *            or promised; a result that so gets none overwrites the register of its old mapping if that has one reference
 *            (D-cap). A miss evicts, and in a cycle in which no lane leaves after a lookup (reuse buffer) or no group allocates
 *            after one (value signature buffer), the entry that the low bits of rf_lfsr (it steps in every cycle) name is
 *            dropped; a sweep comes first, and a verifier of group 0 that gets a register puts off the latter.
 * Release    `exit` and `launch` have the warp's mappings released; launch empties nothing else.
 *
 * REUSE 0: no rename, no reuse, no allocation, and of their inputs only ib_space and ib_store count, for D-order; ex_info is 0.
 * Register r of warp w is the physical register that D-map's bank and row are, each queue writes on its own: rf_banked with two
 * more registers behind issue (D-war and D-order hold) and DELAY - 2 before its write-back queues.
 * The models of [WIR VII-A]: R = VSB 1, LOADS 0, RETRY 0, VCACHE 0; RL = + LOADS 1; RLP = + RETRY 1; RLPV = + VCACHE 8 (the
 * defaults); RLPVc = + CAPPED 1; NoVSB = R with VSB 0.
 * The surroundings give loads of each space functions of their own, and launch no more warps than registers can be mapped: with N
 * logical registers in use in all warps that have mappings, PREGS must be at least N + 1, and limit at least N (CAPPED);
 * then it always drains, unless a reference count fills (D-sticky). */
#ifndef RF_WIR_H
#define RF_WIR_H

#include "cmodel/banked/rf_arbiter.h"
#include "cmodel/banked/rf_bank.h"
#include "cmodel/banked/rf_map.h"
#include "cmodel/wir/rf_wir_collect.h"
#include "cmodel/wir/rf_wir_issue.h"
#include "cmodel/wir/rf_wir_lane.h"
#include "cmodel/wir/rf_wir_results.h"
#include "cmodel/wir/rf_wir_retire.h"
#include "cmodel/wir/rf_wir_reuse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_wir_cfg {
    uint32_t warps;      /* 1 .. 64, a multiple of issues */
    uint32_t collectors; /* 1 .. 16 - issues; (collectors + issues) x slots at most 64 */
    uint32_t banks;      /* a power of two, 1 .. 32 */
    uint32_t regs;       /* logical registers of a warp, 1 .. 256 */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources of an instruction, 1 .. 6 */
    uint32_t exports;    /* execution ports, issues .. 8; exports + issues at most 8 */
    uint32_t issues;     /* issue groups, 1 .. 4; issues x (slots + 3) at most 24 */
    uint32_t ports;      /* of a bank: 1 or 2 */
    uint32_t sched;      /* 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups */
    uint32_t fetch;      /* warps of a fetch group of an issue group (sched 2), 1 .. 64 */
    uint32_t wbdepth;    /* entries of a result queue, 1 .. 16 */
    uint32_t delay;      /* cycles that the added stages cost, 3 .. 7 */
    uint32_t pregs; /* physical registers, 2 .. 1024, a multiple of banks; reuse 0: at least warps x ceil(regs / banks) x banks */
    uint32_t reuse; /* 0: none of it, 1: warp instruction reuse */
    uint32_t vsb;   /* 0: a new register for every result with all lanes, 1: value signature buffer */
    uint32_t loads; /* 1: loads may reuse */
    uint32_t retry; /* 1: pending-retry */
    uint32_t vcache;    /* lines of the verify cache, 0 .. 16; 0: none */
    uint32_t capped;    /* 1: no register is given out beyond `limit` */
    uint32_t entries;   /* of the reuse buffer, a power of two, 1 .. 512 */
    uint32_t ventries;  /* of the value signature buffer, a power of two, 1 .. 512 */
    uint32_t queue;     /* entries of a group's pending queue, 1 .. 16 ([WIR VI-B]: 16 in all) */
    uint32_t blocks;    /* thread blocks, 1 .. 16 */
    uint32_t verifiers; /* of a group, 1 .. 4 */
    uint32_t countw;    /* bits of a reference count, 2 .. 16 */
} rf_wir_cfg;

typedef struct rf_wir_in {
    union {
        rf_stage_in stage;
        struct {
            RF_STAGE_IN_PORTS
        };
    };
    RF_WIR_DECODED_PORTS
    uint8_t block[RF_WARPS_MAX]; /* per warp: slot of its thread block, index_bits(blocks) */
    /* what happens */
    uint64_t exit;                     /* warps bits: the warp has ended */
    uint16_t start;                    /* blocks bits: a thread block starts in the slot */
    uint8_t flush;                     /* a kernel starts */
    uint16_t bar;                      /* blocks bits: all warps have passed a barrier, their stores are performed */
    uint64_t fence;                    /* warps bits: the warp's memory fence is over */
    uint16_t limit;                    /* index_bits(pregs + 1): registers that may be in use (CAPPED) */
    uint64_t res_info[RF_EXPORTS_MAX]; /* per port: ex_info of the instruction whose result it is */
} rf_wir_in;

/* Wires between the units, as rf_wir_comb left them: for counters and properties; not ports. A unit that has nothing to say in a
 * cycle is not asked: its wires keep what they had, but for those that say so. */
typedef struct rf_wir_wires {
    uint64_t hazard, ready;    /* warps bits */
    uint64_t waits, overtakes; /* warps bits: hazards of the scoreboard and collectors; of rename, reuse and queue */
    uint8_t chosen;            /* issues bits */
    rf_wir_front_in front_in[RF_ISSUES_MAX];
    rf_wir_front_out front[RF_ISSUES_MAX];
    union {
        rf_wir_reuse_wires lookups;
        struct {
            RF_WIR_REUSE_WIRES
        };
    };
    rf_rename_in rename_in[RF_ISSUES_MAX];
    rf_rename_out rename[RF_ISSUES_MAX];
    rf_ocu_alloc_out alloc;
    union {
        rf_wir_results_wires results;
        struct {
            RF_WIR_RESULTS_WIRES
        };
    };
    union {
        rf_wir_retire_wires retire;
        struct {
            RF_WIR_RETIRE_WIRES
        };
    };
    uint16_t busy, collected; /* collectors bits */
    rf_arbiter_in arbiter_in;
    rf_arbiter_out arbiter;
    rf_dispatch_out dispatch;
} rf_wir_wires;

typedef struct rf_wir_out {
    union {
        rf_stage_out stage;
        struct {
            RF_STAGE_OUT_PORTS
        };
    };
    uint64_t ex_info[RF_EXPORTS_MAX];   /* per port, 0 when not valid */
    uint8_t reused;                     /* issues bits: an instruction retires by reuse */
    uint8_t reused_warp[RF_ISSUES_MAX]; /* per group, 0 when none, like the next */
    uint16_t reused_tag[RF_ISSUES_MAX];
    rf_wir_wires wires;
} rf_wir_out;

typedef struct rf_wir {
    rf_wir_cfg cfg;
    rf_wir_issue issue;              /* u_issue */
    rf_wir_lane lane[RF_ISSUES_MAX]; /* gen_lane[g].u_lane */
    rf_wir_collect collect;          /* u_collect */
    rf_arbiter arbiter;              /* u_arbiter */
    rf_bank bank[RF_BANKS_MAX];      /* u_banks.gen_bank[b].u_bank */
    rf_wir_results results;          /* u_results */
    rf_wir_retire retire;            /* u_retire */
    rf_wir_reuse reuse;              /* gen_reuse.u_reuse; with reuse */
} rf_wir;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_check(const rf_wir_cfg *cfg);
/* Takes `cfg`, clears the banks and resets: 0, or RF_E_CONFIG. */
int rf_wir_init(rf_wir *m, const rf_wir_cfg *cfg);
void rf_wir_reset(rf_wir *m);
/* Outputs of this cycle. */
void rf_wir_comb(const rf_wir *m, const rf_wir_in *in, rf_wir_out *out);
/* The rising clock edge. */
void rf_wir_clock(rf_wir *m, const rf_wir_in *in);
/* rf_wir_comb, then rf_wir_clock, in one pass: what simulators call. */
void rf_wir_step(rf_wir *m, const rf_wir_in *in, rf_wir_out *out);

/* Bits of ex_info and res_info. */
static inline uint32_t rf_wir_info_bits(const rf_wir_cfg *cfg) {
    return rf_wir_back_bits(cfg->pregs) + 1 + rf_index_bits(cfg->entries);
}

#ifdef __cplusplus
}
#endif
#endif
