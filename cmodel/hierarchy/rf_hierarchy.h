/* SPDX-License-Identifier: Apache-2.0 */
/* System rf_hierarchy: rf_banked's operand stage with one read and one write port a bank, a two-level warp scheduler and, above
 * the banks (the main register file, MRF), a register file of each active warp [hierarchy 3, 4]: a cache that hardware manages
 * (rf_rfc) or an operand register file that software manages (rf_orf).
 *
 *   issue -> upper levels  -------------------------------> collectors -> dispatch -> execution ports
 *        \-> collectors -> arbiter -> banks -> crossbar -^          \-> upper levels (kept operands)
 *   results -> write-back queues -> upper levels -> arbiter -> banks
 *
 * Scheduler. SCHED 0, 1: all warps, rf_sched_gto or rf_sched_lrr. SCHED 2, 3: rf_sched_two_level with that inner level; a warp
 * whose instruction issues with ib_leave is descheduled behind it. ACTIVE = WARPS is the single level.
 *
 * Levels. LEVELS 1: banks only. 2: an L1 of ENTRIES for each slot of the scheduler. 3: an L0 above it, of one entry, or (SPLIT,
 * software) of one for each operand slot. More than one level needs SCHED 2 or 3.
 *
 * Read. When a warp issues, its slot's file is read in that cycle (of the RFC that is the tag check in front of the access to the
 * MRF); what it has fills the collector in the next one, all else is read from the banks as in rf_banked. ib_from and ib_to say
 * where sources are and results go, for software; ib_last (with LIVENESS) are last reads, for hardware. A source to be kept is
 * written to its name when the instruction is dispatched; of several that are ready for it one is dispatched in a cycle,
 * round-robin. A head that names what is pending in its slot's file waits, as for a register.
 *
 * Write. Results go the way that rf_levels.h says, with the note that their instruction had (ib_to, and above it ib_shared;
 * through ex_to and res_to). Hardware: RF_NOTE_UPPER, the result may take an entry; name 1, not in the L0.
 *
 * With LEVELS 1 and SCHED 0 or 1 it is rf_banked with PORTS 2, cycle for cycle. */
#ifndef RF_HIERARCHY_H
#define RF_HIERARCHY_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/hierarchy/rf_levels_parts.h"
#include "cmodel/hierarchy/rf_sched_two_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_hierarchy_cfg {
    uint32_t warps;      /* 1 .. 64 */
    uint32_t collectors; /* 1 .. 16; collectors x slots at most 64 */
    uint32_t banks;      /* 1 .. 32 */
    uint32_t regs;       /* registers of a warp, 1 .. 256; warps x ceil(regs / banks) at most 1024 rows */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources of an instruction, 1 .. 8 */
    uint32_t exports;    /* execution ports, each with a write-back queue, 1 .. 7 */
    uint32_t issues;     /* instructions issued in a cycle: 1 */
    uint32_t wbdepth;    /* entries of a write-back queue, 1 .. 16 */
    uint32_t sched;      /* 0, 1: all warps, greedy then oldest or round-robin; 2, 3: two levels of the same */
    uint32_t active;     /* warps that are active at most (sched 2, 3), 1 .. 32, at most warps */
    uint32_t levels;     /* 1 .. 3; more than 1 with sched 2 or 3 */
    uint32_t managed;    /* 0: by hardware (RFC), 1: by software (ORF) */
    uint32_t entries;    /* of the L1, a warp, 1 .. 8 */
    uint32_t split;      /* software, levels 3. 0: one L0 bank, 1: one for each operand slot */
    uint32_t policy;     /* hardware. 0: FIFO, 1: LRU */
    uint32_t liveness;   /* hardware. 1: what is read for the last time is not written back */
} rf_hierarchy_cfg;

typedef struct rf_hierarchy_in {
    union {
        rf_stage_in stage;
        struct {
            RF_STAGE_IN_PORTS
        };
    };
    uint64_t ib_leave;                            /* warps bits: the warp is descheduled behind this instruction */
    uint64_t ib_ends;                             /* warps bits: its strand ends behind it */
    uint64_t ib_shared;                           /* warps bits: it is a shared unit's */
    uint8_t ib_last[RF_WARPS_MAX];                /* per warp: slots bits, no lane reads the register's value again */
    uint8_t ib_from[RF_WARPS_MAX * RF_SLOTS_MAX]; /* element warp * slots + slot: where the source is, RF_PLACE_W bits */
    uint8_t ib_to[RF_WARPS_MAX];                  /* per warp: where the result goes, RF_PLACE_W bits */
    uint8_t res_to[RF_EXPORTS_MAX];               /* per port: ex_to of the instruction whose result it is, RF_NOTE_W bits */
} rf_hierarchy_in;

/* Wires between the units, as rf_hierarchy_comb left them: for counters and properties; not ports. */
typedef struct rf_hierarchy_wires {
    uint64_t hazard;    /* warps bits: scoreboard */
    uint64_t pend;      /* warps bits: the head waits for a name */
    uint64_t ready;     /* warps bits: valid, without either */
    uint8_t chosen;     /* 1 bit: the scheduler chose a warp */
    uint8_t warp, slot; /* which, and its slot (sched 2, 3); count where chosen */
    uint32_t free;      /* active bits, at most one: the slot that a warp may take ... */
    uint64_t enters;    /* warps bits, at most one: ... and the one that takes it */
    uint16_t busy;      /* collectors bits */
    uint16_t collected; /* collectors bits: all operands are there */
    uint16_t keeps;     /* collectors bits, at most one: it keeps an operand if it is dispatched */
    uint8_t written;    /* exports bits: the head leaves its queue */
    rf_levels_cycle levels;
    rf_ocu_alloc_out alloc;
    rf_arbiter_in arbiter_in; /* writer EXPORTS: the flush */
    rf_arbiter_out arbiter;
    rf_dispatch_out dispatch;
} rf_hierarchy_wires;

typedef struct rf_hierarchy_out {
    union {
        rf_stage_out stage;
        struct {
            RF_STAGE_OUT_PORTS
        };
    };
    uint8_t ex_to[RF_EXPORTS_MAX]; /* per port: note for the result, RF_NOTE_W bits, 0 when not valid */
    rf_hierarchy_wires wires;
} rf_hierarchy_out;

typedef struct rf_hierarchy {
    rf_hierarchy_cfg cfg;
    rf_banked stage;                        /* the units that rf_banked has too; SCHED 0, 1: gen_gto.u_sched, gen_lrr.u_sched */
    rf_sched_two_level sched;               /* SCHED 2, 3: gen_two_level.u_sched */
    rf_levels levels;                       /* LEVELS 2, 3: gen_levels.u_levels */
    rf_rr keep;                             /* over collectors: gen_levels.gen_keep.u_keep */
    uint16_t fill_q;                        /* collectors bits, at most one: it is filled from the registers below */
    uint8_t fill_slots_q;                   /* slots bits: these operands of it */
    rf_vec fill_data_q[RF_SLOTS_MAX];       /* per slot: what the upper levels had */
    uint8_t to_q[RF_COLLECTORS_MAX];        /* per collector: note for its result, RF_NOTE_W bits */
    uint8_t keep_q[RF_COLLECTORS_MAX];      /* software: per collector: slots bits, at most one: the operand that it keeps ... */
    uint8_t keep_name_q[RF_COLLECTORS_MAX]; /* ... under this name, 4 bits */
} rf_hierarchy;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_hierarchy_check(const rf_hierarchy_cfg *cfg);
/* Takes `cfg`, clears the banks and resets: 0, or RF_E_CONFIG. */
int rf_hierarchy_init(rf_hierarchy *m, const rf_hierarchy_cfg *cfg);
void rf_hierarchy_reset(rf_hierarchy *m);
/* Outputs of this cycle. */
void rf_hierarchy_comb(const rf_hierarchy *m, const rf_hierarchy_in *in, rf_hierarchy_out *out);
/* The rising clock edge. */
void rf_hierarchy_clock(rf_hierarchy *m, const rf_hierarchy_in *in);
/* rf_hierarchy_comb, then rf_hierarchy_clock, in one pass: what simulators call. */
void rf_hierarchy_step(rf_hierarchy *m, const rf_hierarchy_in *in, rf_hierarchy_out *out);

#ifdef __cplusplus
}
#endif
#endif
