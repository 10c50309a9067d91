/* SPDX-License-Identifier: Apache-2.0 */
/* System rf_steal: rf_banked with bank stealing [bank stealing IV]. Ports, timing and units are rf_banked's with single-ported
 * banks, but
 *
 *   issue      Each group has a candidate beside the warp that issues (rf_steal_scheduler). In the cycle in which an operand of
 *              the candidate is read ahead (rf_steal_reads, rf_arbiter_steal), the candidate issues: its collector is loaded with
 *              the operands that are being read marked as granted; the others ask from the next cycle on.
 *   banks      rf_arbiter_steal in place of rf_arbiter, with rf_rfree_table beside it. A result that is stolen is written to the
 *              Rfree of another bank and clears the scoreboard then; whoever needs it before it is back waits at the arbiter.
 *   hints      Each head names up to RF_FREES_MAX registers that are inactive from it on: candidates for Rfree, taken when the
 *              instruction issues, whatever its mask. A register that an issuing instruction writes is Rfree no more.
 *
 * READS 0: no operand is read ahead; the candidates follow all the same. WRITES 0: no result is stolen; the table follows the
 * hints all the same. With both 0 it is rf_banked with PORTS = 1, cycle for cycle.
 *
 * What the hints must hold (docs/compiler.md, Rfree): from the issue that names a register until its warp writes it, no lane of
 * its warp reads it. An older instruction that has yet to read it asks for its bank, and nobody steals into a bank that somebody
 * asks for, so that it is read before it is lent. A result of all lanes may be stolen, one of some lanes never is: Rfree holds no
 * mask. A candidate's operand asks the arbiter only when rf_steal_reads asks for it: one that is away keeps no bank from being a
 * place. */
#ifndef RF_STEAL_H
#define RF_STEAL_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/steal/rf_arbiter_steal.h"
#include "cmodel/steal/rf_rfree_table.h"
#include "cmodel/steal/rf_steal_reads.h"
#include "cmodel/steal/rf_steal_scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_steal_cfg {
    uint32_t warps;      /* 1 .. 64, a multiple of issues */
    uint32_t collectors; /* 1 .. 16; collectors x slots at most 64 */
    uint32_t banks;      /* 1 .. 32 */
    uint32_t regs;       /* registers of a warp, 1 .. 256; warps x ceil(regs / banks) at most 1024 rows */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources of an instruction, 1 .. 8 */
    uint32_t exports;    /* execution ports, each with a write-back queue and a result bus, 1 .. 8 */
    uint32_t issues;     /* instructions issued in a cycle, 1 .. 4 */
    uint32_t sched;      /* 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups */
    uint32_t fetch;      /* warps of a fetch group of an issue group, 1 .. 64 */
    uint32_t wbdepth;    /* entries of a write-back queue, 1 .. 16 */
    uint32_t reads;      /* read stealing: 0 off, 1 to remove a conflict of the next cycle, 2 whenever the bank is idle */
    uint32_t writes;     /* write stealing: 0 off, 1 on */
    uint32_t yield;      /* operands that are read ahead against writes: 0 before normal writes, 1 behind all */
} rf_steal_cfg;

typedef struct rf_steal_in {
    union {
        rf_stage_in stage;
        struct {
            RF_STAGE_IN_PORTS
        };
    };
    uint8_t ib_name_valid[RF_WARPS_MAX];          /* per warp: RF_FREES_MAX bits */
    uint8_t ib_name[RF_WARPS_MAX * RF_FREES_MAX]; /* element warp * RF_FREES_MAX + name, index_bits(regs) */
} rf_steal_in;

/* Wires between the units, as rf_steal_comb left them: for counters and properties; not ports. */
typedef struct rf_steal_wires {
    uint64_t ready;                   /* warps bits: valid and without hazard */
    uint64_t hazard;                  /* warps bits */
    uint8_t chosen;                   /* issues bits: a warp of the group is ready */
    uint8_t candidate_valid;          /* issues bits: there is a candidate and a collector for it; 0 when READS is 0 */
    uint8_t candidate[RF_ISSUES_MAX]; /* per group: its warp; counts where candidate_valid */
    uint8_t current[RF_ISSUES_MAX];   /* per group: the warp that the host scheduler selects; counts where chosen */
    uint8_t steal;                    /* issues bits: the candidate issues, ahead of its turn */
    uint32_t fill;                    /* issues x slots bits: source that is read ahead */
    rf_ocu_alloc_out alloc;
    uint16_t busy;      /* collectors bits */
    uint16_t collected; /* collectors bits: ready for dispatch */
    rf_arbiter_steal_in arbiter_in;
    rf_arbiter_steal_out arbiter;
    uint32_t usable, force; /* banks bits, from the table; 0 when WRITES is 0 */
    rf_dispatch_out dispatch;
} rf_steal_wires;

typedef struct rf_steal_out {
    union {
        rf_stage_out stage;
        struct {
            RF_STAGE_OUT_PORTS
        };
    };
    rf_steal_wires wires;
} rf_steal_out;

typedef struct rf_steal {
    rf_steal_cfg cfg;
    rf_banked stage;                        /* the units that rf_banked has too, but for its arbiter, which is not used */
    rf_steal_scheduler pick[RF_ISSUES_MAX]; /* gen_issue[g].u_steal */
    rf_steal_reads ahead;                   /* u_reads */
    rf_rfree_table table;                   /* u_table */
    rf_arbiter_steal arbiter;               /* u_arbiter */
} rf_steal;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_steal_check(const rf_steal_cfg *cfg);
/* Takes `cfg`, clears the banks and resets: 0, or RF_E_CONFIG. */
int rf_steal_init(rf_steal *m, const rf_steal_cfg *cfg);
void rf_steal_reset(rf_steal *m);
/* Outputs of this cycle. */
void rf_steal_comb(const rf_steal *m, const rf_steal_in *in, rf_steal_out *out);
/* The rising clock edge. */
void rf_steal_clock(rf_steal *m, const rf_steal_in *in);
/* rf_steal_comb, then rf_steal_clock, in one pass: what simulators call. */
void rf_steal_step(rf_steal *m, const rf_steal_in *in, rf_steal_out *out);

#ifdef __cplusplus
}
#endif
#endif
