/* SPDX-License-Identifier: Apache-2.0 */
/* System rf_banked: the baseline operand stage of a GPU's streaming multiprocessor ([bank stealing II-B], [hierarchy 2.1],
 * [WIR II]):
 *
 *   issue -> operand collectors -> arbiter -> banks -> crossbar -> collectors -> dispatch -> execution ports
 *   results -> write-back queues -> arbiter -> banks
 *
 * Issue: warp w belongs to issue group w mod ISSUES; each group has a scheduler over its WARPS / ISSUES warps (SCHED 0: greedy
 * then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups). A warp is ready when its head instruction is
 * valid and has no hazard. The chosen instructions ask the allocator for collectors, group 0 first; an instruction issues when it
 * is granted one. In that cycle issue_valid / issue_warp say so, the collector is loaded and the scoreboard marks the
 * destination; the environment shows the warp's next instruction from the next cycle.
 * Execution: port e offers ex_valid with the operands of a ready collector; the environment takes it with ex_ready. Results
 * return on res (one queue per port), wait for their bank and clear the scoreboard in the cycle of their write. Register r of
 * warp w: bank (r + w) mod BANKS, row w * ceil(REGS / BANKS) + r / BANKS (D-map). An instruction with mask 0 has no sources and
 * no destination (D-mask). */
#ifndef RF_BANKED_H
#define RF_BANKED_H

#include "cmodel/banked/rf_arbiter.h"
#include "cmodel/banked/rf_bank.h"
#include "cmodel/banked/rf_crossbar.h"
#include "cmodel/banked/rf_dispatch.h"
#include "cmodel/banked/rf_map.h"
#include "cmodel/banked/rf_ocu.h"
#include "cmodel/banked/rf_ocu_alloc.h"
#include "cmodel/banked/rf_sched_groups.h"
#include "cmodel/banked/rf_sched_gto.h"
#include "cmodel/banked/rf_sched_lrr.h"
#include "cmodel/banked/rf_scoreboard.h"
#include "cmodel/banked/rf_stage.h"
#include "cmodel/banked/rf_wbq.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_banked_cfg {
    uint32_t warps;      /* 1 .. 64, a multiple of issues */
    uint32_t collectors; /* 1 .. 16; collectors x slots at most 64 */
    uint32_t banks;      /* 1 .. 32 */
    uint32_t regs;       /* registers of a warp, 1 .. 256; warps x ceil(regs / banks) at most 1024 rows */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources of an instruction, 1 .. 8 */
    uint32_t exports;    /* execution ports, each with a write-back queue, 1 .. 8 */
    uint32_t issues;     /* instructions issued in a cycle, 1 .. 4 */
    uint32_t ports;      /* of a bank: 1 or 2 */
    uint32_t sched;      /* 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups */
    uint32_t fetch;      /* warps of a fetch group of an issue group (sched 2), 1 .. 64 */
    uint32_t wbdepth;    /* entries of a write-back queue, 1 .. 16 */
    uint32_t serial;     /* of a collector's sources 0: all ask at once, 1: one at a time */
} rf_banked_cfg;

/* Initializers of the sizes that stages made of these units have, too, from such a stage's configuration: all but banks and
 * ports. */
#define RF_BANKED_SIZES_OF(stage)                                                                                                \
    .warps = (stage)->warps, .collectors = (stage)->collectors, .regs = (stage)->regs, .lanes = (stage)->lanes,                  \
    .slots = (stage)->slots, .exports = (stage)->exports, .issues = (stage)->issues, .sched = (stage)->sched,                    \
    .fetch = (stage)->fetch, .wbdepth = (stage)->wbdepth

typedef struct rf_banked_in {
    union {
        rf_stage_in stage;
        struct {
            RF_STAGE_IN_PORTS
        };
    };
} rf_banked_in;

/* Wires between the units, as rf_banked_comb left them: for counters and properties; not ports. */
typedef struct rf_banked_wires {
    uint64_t ready;  /* warps bits: valid and without hazard */
    uint64_t hazard; /* warps bits */
    uint8_t chosen;  /* issues bits: the group's scheduler chose a warp */
    rf_ocu_alloc_out alloc;
    uint16_t busy;      /* collectors bits */
    uint16_t collected; /* collectors bits: ready for dispatch */
    rf_arbiter_in arbiter_in;
    rf_arbiter_out arbiter;
    rf_dispatch_out dispatch;
} rf_banked_wires;

typedef struct rf_banked_out {
    union {
        rf_stage_out stage;
        struct {
            RF_STAGE_OUT_PORTS
        };
    };
    rf_banked_wires wires;
} rf_banked_out;

typedef struct rf_banked {
    rf_banked_cfg cfg;
    rf_sched_gto gto[RF_ISSUES_MAX];       /* SCHED 0: instances gen_issue[g].gen_gto.u_sched */
    rf_sched_lrr lrr[RF_ISSUES_MAX];       /* SCHED 1: instances gen_issue[g].gen_lrr.u_sched */
    rf_sched_groups groups[RF_ISSUES_MAX]; /* SCHED 2: instances gen_issue[g].gen_groups.u_sched */
    rf_scoreboard scoreboard;              /* u_scoreboard */
    rf_ocu_alloc alloc;                    /* u_alloc */
    rf_ocu ocu[RF_COLLECTORS_MAX];         /* gen_ocu[c].u_ocu */
    rf_arbiter arbiter;                    /* u_arbiter */
    rf_bank bank[RF_BANKS_MAX];            /* u_banks.gen_bank[b].u_bank */
    rf_dispatch dispatch;                  /* u_exec.u_dispatch */
    rf_wbq wbq[RF_EXPORTS_MAX];            /* u_results.gen_wbq[e].u_wbq */
} rf_banked;                               /* the crossbars have no state */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_banked_check(const rf_banked_cfg *cfg);
/* Takes `cfg`, clears the banks and resets: 0, or RF_E_CONFIG. */
int rf_banked_init(rf_banked *m, const rf_banked_cfg *cfg);
void rf_banked_reset(rf_banked *m);
/* Outputs of this cycle. */
void rf_banked_comb(const rf_banked *m, const rf_banked_in *in, rf_banked_out *out);
/* The rising clock edge. */
void rf_banked_clock(rf_banked *m, const rf_banked_in *in);
/* rf_banked_comb, then rf_banked_clock, in one pass: what simulators call. */
void rf_banked_step(rf_banked *m, const rf_banked_in *in, rf_banked_out *out);

#ifdef __cplusplus
}
#endif
#endif
