/* SPDX-License-Identifier: Apache-2.0 */
/* Results of rf_wir from the execution ports to the heads of their queues [WIR V-A, V-D, V-E, VI-C]: a hash pipe and a result
 * queue a port, and between them the allocation of physical registers, with value signature buffer, verify cache and free
 * registers.
 *
 * Ports      rf_hash_pipe and rf_result_queue, unchanged: a result is accepted while res_ready, and at the end of its pipe
 *            `stages` cycles later at the earliest; `pop` removes a head. info is {carried along, old register, old mapping
 *            valid, pinned}, pinned in bit 0.
 * Turn       Each group tries one result a cycle, in turn (rf_rr over the ports whose pipe has a result of the group at its end,
 *            by warp mod ISSUES, and whose queue has room at the start of the cycle). The pointer moves when it goes.
 * Lookup     A result with all lanes, VSB 1, looks its hash up in the value signature buffer, and a hit's register in the verify
 *            cache. All from the state at the start of the cycle.
 * Decision   all lanes, hit, in the cache with an equal value    SHARE the candidate
 *                       hit, in the cache with another value     WRITE a new register; the buffer's entry stays
 *                       hit, not in the cache                    VERIFY the candidate
 *                       no hit, or VSB 0                         WRITE a new register
 *            not all,   old mapping valid and pinned             WRITE in place, to the old register
 *                       old mapping valid                        MERGE: the old one is the candidate, to a new register
 *                       no old mapping                           WRITE a new register, lanes that it does not have are 0
 * Registers  `count` registers are free, promised_q of them promised. A group with a `need` gives the next free one to its lowest
 *            verifier with one. Of the other groups, in order, each whose result wants a new register or VERIFY goes if, of
 *            bound - (PREGS - count) - promised_q (CAPPED: at least 0), more are left than groups before it took. Else, with
 *            CAPPED, `own` and an old mapping, it goes as WRITE in place, to the old register (old_reg); else it waits. SHARE
 *            and in place always go.
 *            A register is given (`given`) to each `need` and to each result that goes and wants a new one, group 0 first. At the
 *            edge promised_q gains one for each result that goes to VERIFY, and loses one for each group with `need` and one for
 *            each bit of `shared`; all modulo 2^index_bits(pregs + 1), like count - promised_q.
 * Push       What goes is pushed with its warp and destination, operation, preg (where it is or goes; 0 with VERIFY), cand
 *            (VERIFY: candidate, MERGE: old register, else 0), mask (its own in place and with MERGE, else all lanes), values,
 *            and info with two bits changed: old mapping valid becomes "its reference ends": 0 in place; pinned becomes "not all
 *            lanes".
 * Buffer     The entry of a result that looked up without a hit and goes: {its hash, the new register} if it has one; in low mode
 *            it is dropped instead. In low mode, in a cycle in which no group's result that looked up goes and group 0 has no
 *            `need`, entry `random` mod VENTRIES is dropped.
 * Cache      `fill` puts in what a verify-read has fetched; then what is given loses its line (D-stale).
 * Low mode   `low`: fewer than ISSUES registers may be given: of `bound`, which is PREGS, with CAPPED the lesser of that and
 *            `limit`, those in use (PREGS - count) taken off.
 * References inc, two a group. Bit 0: the register that its result names: of all that goes but in place; the candidate with
 *            VERIFY, else preg. Bit 1: the given register, when it is put into the buffer or is a verifier's. dec, one a group:
 *            `cand` of the verifier that gets one, else what the buffer removes for the group's result, else (group 0) at random.
 * Freed      `back` become free at the edge (rf_free_list).
 * REUSE 0    Each port by itself: a result at the end goes when the queue has room: WRITE, cand 0, mask, values as they are,
 *            info 0, preg the low bits of row x BANKS + bank of D-map (rf_map.h). Of the inputs only res_* but res_info, and
 *            pop count; outputs from `give` on and `low` are 0.
 * Illegal    A register is given though none is free: it is register 0, and the list stays. `need` without a promise, `shared`
 *            without one: promised_q counts on. Registers that do not exist are carried. A pop of an empty queue is ignored. */
#ifndef RF_WIR_RESULTS_H
#define RF_WIR_RESULTS_H

#include "cmodel/common/rf_rr.h"
#include "cmodel/wir/rf_free_list.h"
#include "cmodel/wir/rf_hash_pipe.h"
#include "cmodel/wir/rf_result_queue.h"
#include "cmodel/wir/rf_verify_cache.h"
#include "cmodel/wir/rf_vsb.h"
#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_WIR_FREES 2u /* registers that become free in a cycle ([WIR Table III]: two outputs) */

typedef struct rf_wir_results_cfg {
    uint32_t warps;     /* 1 .. 64 */
    uint32_t regs;      /* logical registers of a warp, 1 .. 256 */
    uint32_t lanes;     /* 1 .. 32 */
    uint32_t exports;   /* execution ports, 1 .. 8 */
    uint32_t issues;    /* issue groups, 1 .. 4 */
    uint32_t banks;     /* of D-map (reuse 0), a power of two, 1 .. 32 */
    uint32_t stages;    /* of a hash pipe, 1 .. 5 */
    uint32_t wbdepth;   /* entries of a result queue, 1 .. 16 */
    uint32_t pregs;     /* physical registers, 2 .. 1024 */
    uint32_t infow;     /* bits of info, index_bits(pregs) + 2 .. 64 */
    uint32_t verifiers; /* of a group, 1 .. 4 */
    uint32_t reuse;     /* 1: warp instruction reuse */
    uint32_t vsb;       /* 1: value signature buffer */
    uint32_t ventries;  /* its entries, a power of two, 1 .. 512 */
    uint32_t vcache;    /* lines of the verify cache, 0 .. 16; 0: none */
    uint32_t capped;    /* 1: no register is given out beyond `limit` */
} rf_wir_results_cfg;

typedef struct rf_wir_results_in {
    uint8_t res_valid;                               /* exports bits: a result is offered */
    uint8_t res_warp[RF_EXPORTS_MAX];                /* per port, index_bits(warps) */
    uint8_t res_dst[RF_EXPORTS_MAX];                 /* per port, index_bits(regs) */
    uint32_t res_mask[RF_EXPORTS_MAX];               /* per port: lanes bits */
    rf_vec res_data[RF_EXPORTS_MAX];                 /* per port: lanes x 32 bits */
    uint64_t res_info[RF_EXPORTS_MAX];               /* per port: infow bits */
    uint8_t pop;                                     /* exports bits: the head leaves */
    uint16_t need;                                   /* bit group * verifiers + verifier: it needs a register */
    uint16_t cand[RF_ISSUES_MAX * RF_VERIFIERS_MAX]; /* per verifier, index_bits(pregs): loses a reference when it gets one */
    uint8_t shared;                                  /* issues bits: a result in VERIFY retires without one */
    uint8_t fill;                                    /* issues bits: a verify-read has fetched ... */
    uint16_t fill_reg[RF_ISSUES_MAX];                /* ... of this register, index_bits(pregs), */
    rf_vec fill_data[RF_ISSUES_MAX];                 /* this value */
    uint8_t back;                                    /* 2 bits: a register becomes free */
    uint16_t back_reg[RF_WIR_FREES];                 /* per port, index_bits(pregs) */
    uint16_t limit;                                  /* index_bits(pregs + 1): registers that may be in use (capped) */
    uint8_t own;                                     /* issues bits: nobody but a mapping names old_reg (capped) */
    uint16_t random;                                 /* 16 bits */
} rf_wir_results_in;

typedef struct rf_wir_results_out {
    uint8_t res_ready;               /* exports bits */
    uint8_t low;                     /* low register mode */
    uint8_t head_valid;              /* exports bits: the queue has a head; all below is 0 when not */
    uint8_t head_op[RF_EXPORTS_MAX]; /* per port: 2 bits, rf_result_op */
    uint8_t head_warp[RF_EXPORTS_MAX];
    uint8_t head_dst[RF_EXPORTS_MAX];
    uint16_t head_preg[RF_EXPORTS_MAX];
    uint16_t head_cand[RF_EXPORTS_MAX];
    uint32_t head_mask[RF_EXPORTS_MAX];
    rf_vec head_data[RF_EXPORTS_MAX];
    uint64_t head_info[RF_EXPORTS_MAX];
    uint16_t give;                     /* bit group * verifiers + verifier: it gets the group's given_reg */
    uint8_t given;                     /* issues bits: a register is given out */
    uint16_t given_reg[RF_ISSUES_MAX]; /* per group, 0 when none; so are all registers below */
    uint8_t inc;                       /* bits group * 2 + 0 and 1: a register is named anew */
    uint16_t inc_reg[RF_ISSUES_MAX * 2];
    uint8_t dec; /* issues bits: a register is named no more */
    uint16_t dec_reg[RF_ISSUES_MAX];
    uint16_t old_reg[RF_ISSUES_MAX]; /* old register of the result that is tried */
} rf_wir_results_out;

/* What a cycle of the unit decides, as rf_wir's counters and properties see it too: its results' turns, and what its tables are
 * asked and say. Per group (reuse 0: per port) in `push`, but for the value. */
#define RF_WIR_RESULTS_WIRES                                                                                                     \
    uint8_t took;                            /* issues bits: a result is taken */                                                \
    uint8_t left;                            /* exports bits: a result leaves the port's pipe */                                 \
    uint8_t take[RF_ISSUES_MAX];             /* per group: the port of its result */                                             \
    rf_result_queue_in push[RF_EXPORTS_MAX]; /* what goes into the queue */                                                      \
    rf_vsb_in vsb_in;                                                                                                            \
    rf_vsb_out vsb;                                                                                                              \
    rf_verify_cache_in vcache_in;                                                                                                \
    uint8_t vcache_hit, vcache_equal; /* issues bits */                                                                          \
    uint8_t starved;                  /* issues bits: its result waits for a register */                                         \
    uint8_t over;                     /* issues bits: its result overwrites its old register */                                  \
    uint8_t gave;                     /* issues bits: a verifier gets a register */                                              \
    uint8_t give[RF_ISSUES_MAX];      /* per group: which; verifiers when none */                                                \
    uint8_t low;                      /* low register mode */                                                                    \
    uint16_t bound;                   /* registers that may be in use */                                                         \
    rf_free_list_in free_in;                                                                                                     \
    rf_free_list_out free;
typedef struct rf_wir_results_wires {
    RF_WIR_RESULTS_WIRES
} rf_wir_results_wires;

typedef struct rf_wir_results {
    rf_wir_results_cfg cfg;
    rf_hash_pipe pipe[RF_EXPORTS_MAX];     /* gen_port[e].u_pipe */
    rf_result_queue queue[RF_EXPORTS_MAX]; /* gen_port[e].u_queue */
    /* with reuse: */
    rf_vsb vsb;                   /* u_vsb */
    rf_verify_cache vcache;       /* u_vcache */
    rf_free_list free;            /* u_free */
    rf_rr take_rr[RF_ISSUES_MAX]; /* gen_group[g].u_take_rr: whose turn it is, over ports */
    uint16_t promised_q;          /* registers that results in VERIFY may still need; index_bits(pregs + 1) */
} rf_wir_results;                 /* all empty and 0 after reset, all registers free */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_results_check(const rf_wir_results_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wir_results_init(rf_wir_results *m, const rf_wir_results_cfg *cfg);
void rf_wir_results_reset(rf_wir_results *m);
/* Outputs of this cycle. */
void rf_wir_results_comb(const rf_wir_results *m, const rf_wir_results_in *in, rf_wir_results_out *out);
/* The rising clock edge. */
void rf_wir_results_clock(rf_wir_results *m, const rf_wir_results_in *in);
/* rf_wir_results_comb, then rf_wir_results_clock, in one pass. */
void rf_wir_results_step(rf_wir_results *m, const rf_wir_results_in *in, rf_wir_results_out *out);

#ifdef __cplusplus
}
#endif
#endif
