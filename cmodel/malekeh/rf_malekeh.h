/* SPDX-License-Identifier: Apache-2.0 */
/* System rf_malekeh: rf_banked with caching collector units in place of collectors [Malekeh Fig. 2a]. Ports, timing and units are
 * rf_banked's, but
 *
 *   collectors rf_ccu. A source found in its cache table is not read from the banks. A CCU's fills come as rf_ocu's do.
 *   issue      A warp whose own CCU is busy is not ready: it could not issue (D-own). SCHED 3 is rf_ccu_scheduler, which prefers
 *              warps that own a CCU with a valid entry. The chosen warps ask rf_ccu_allocator, which may wait up to STHLD + 1
 *              cycles before it replaces a CCU with near values; STHLD is fixed (ADAPT 0) or follows rf_sthld (ADAPT 1:
 *              parameter STHLD is where it starts).
 *   results    Each result that is written to its bank is shown to all CCUs in the same cycle (port D); its hint comes with it.
 *   hints      Each head has one near/far bit a source and one for its destination [Malekeh 1, 4]; ex_dst_near gives the latter
 *              to the execution unit, which returns it with the result in res_near.
 *   launch     A new warp in a slot empties the cache table of the CCU that the slot owns: the registers are another warp's.
 *   random     One rf_lfsr steps in every cycle; its low bits go to all CCUs.
 *
 * CACHE 0: no CCU caches; with SCHED 0 to 2 it is rf_banked, cycle for cycle, whatever the hints and STHLD are (but for what
 * ex_data carries for slots without a source). With SCHED 3 all warps are in one class, the oldest first.
 * BOW 1: CCUs with the window of rf_ccu; ib_dst_near: the head is a control instruction. With COLLECTORS = WARPS each warp keeps
 * its CCU.
 * Property, in every cycle: no valid entry of a CCU, once filled, differs from its register in the banks. */
#ifndef RF_MALEKEH_H
#define RF_MALEKEH_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/common/rf_lfsr.h"
#include "cmodel/malekeh/rf_ccu.h"
#include "cmodel/malekeh/rf_ccu_allocator.h"
#include "cmodel/malekeh/rf_ccu_scheduler.h"
#include "cmodel/malekeh/rf_sthld.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_MALEKEH_SEED 0xace1u /* of the LFSR */
/* The steps of rf_sthld; the same in rf_malekeh_pkg. */
#define RF_MALEKEH_CLIMB 4u
#define RF_MALEKEH_SPECULATE 8u
#define RF_MALEKEH_BACK 12u
#define RF_MALEKEH_PROBE 4u
#define RF_MALEKEH_UNDO 8u

typedef struct rf_malekeh_cfg {
    uint32_t warps;      /* 1 .. 64, a multiple of issues */
    uint32_t collectors; /* CCUs, 1 .. 16; collectors x slots at most 64 */
    uint32_t banks;      /* 1 .. 32 */
    uint32_t regs;       /* registers of a warp, 1 .. 256; warps x ceil(regs / banks) at most 1024 rows */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources of an instruction, 1 .. 8 */
    uint32_t exports;    /* execution ports, each with a write-back queue, 1 .. 8 */
    uint32_t issues;     /* instructions issued in a cycle, 1 .. 4 */
    uint32_t ports;      /* of a bank: 1 or 2 */
    uint32_t sched;      /* 0: greedy then oldest, 1: loose round-robin, 2: two-level over fetch groups, 3: rf_ccu_scheduler */
    uint32_t fetch;      /* warps of a fetch group of an issue group (sched 2), 1 .. 64 */
    uint32_t wbdepth;    /* entries of a write-back queue, 1 .. 16 */
    uint32_t entries;    /* of a CCU's cache table, 2 .. 8, at least slots */
    uint32_t cache;      /* 0: CCUs are collectors only, 1: they cache */
    uint32_t adapt;      /* 0: STHLD is fixed, 1: it follows rf_sthld */
    uint32_t sthld;      /* the allocator waits one cycle more (adapt 1: at first), 0 .. 255 */
    uint32_t interval;   /* cycles between steps of rf_sthld, 2 .. 65535 ([Malekeh 7]: 10000) */
    uint32_t large;      /* a large change of IPC, in 256ths of the interval before, 1 .. 255 */
    uint32_t clear;      /* what ends the allocator's count of waiting. 0: any replacement, 1: that of near values */
    uint32_t bow;        /* 0: hints say what CCUs keep, 1: the window of BOW does */
    uint32_t serial;     /* of a CCU's sources 0: all ask at once, 1: one at a time */
} rf_malekeh_cfg;

typedef struct rf_malekeh_in {
    union {
        rf_stage_in stage;
        struct {
            RF_STAGE_IN_PORTS
        };
    };
    uint64_t ib_dst_near;              /* warps bits: the destination is read again within RTHLD */
    uint8_t ib_src_near[RF_WARPS_MAX]; /* per warp: slots bits, the source is read again within RTHLD */
    uint8_t res_near;                  /* exports bits: ex_dst_near of the instruction whose result it is */
} rf_malekeh_in;

/* Wires between the units, as rf_malekeh_comb left them: for counters and properties; not ports. */
typedef struct rf_malekeh_wires {
    uint64_t hazard;             /* warps bits: scoreboard */
    uint64_t own_busy;           /* warps bits: the CCU that the warp owns is busy */
    uint64_t held;               /* warps bits: the warp has data in a CCU */
    uint64_t ready;              /* warps bits: valid, without hazard, own CCU not busy */
    uint8_t chosen;              /* issues bits: the group's scheduler chose a warp */
    uint8_t warp[RF_ISSUES_MAX]; /* per group: its warp; counts where chosen */
    rf_ccu_allocator_in alloc_in;
    rf_ccu_allocator_out alloc;
    uint16_t busy;                    /* collectors bits */
    uint16_t full;                    /* collectors bits: an entry is valid */
    uint16_t collected;               /* collectors bits: ready for dispatch */
    uint8_t hit[RF_COLLECTORS_MAX];   /* per CCU: slots bits, sources of the instruction that it takes which hit */
    uint16_t d_valid;                 /* collectors bits: a result is on its port D */
    uint8_t d_sel[RF_COLLECTORS_MAX]; /* per CCU: which, 0 when none */
    uint8_t wr_warp[RF_EXPORTS_MAX];  /* per write-back queue that asks for its bank: its head's warp, register ... */
    uint8_t wr_reg[RF_EXPORTS_MAX];
    uint32_t wr_mask[RF_EXPORTS_MAX]; /* ... lanes ... */
    uint8_t wr_near;                  /* exports bits: ... and hint */
    rf_arbiter_in arbiter_in;
    rf_arbiter_out arbiter;
    rf_dispatch_out dispatch;
} rf_malekeh_wires;

typedef struct rf_malekeh_out {
    union {
        rf_stage_out stage;
        struct {
            RF_STAGE_OUT_PORTS
        };
    };
    uint8_t ex_dst_near; /* exports bits, 0 when not valid */
    rf_malekeh_wires wires;
} rf_malekeh_out;

typedef struct rf_malekeh {
    rf_malekeh_cfg cfg;
    rf_banked stage;                        /* the units that rf_banked has too; collectors and their allocator unused */
    rf_ccu ccu[RF_COLLECTORS_MAX];          /* gen_ccu[c].u_ccu */
    rf_ccu_allocator alloc;                 /* u_alloc */
    rf_ccu_scheduler oldest[RF_ISSUES_MAX]; /* SCHED 3: gen_issue[g].gen_ccu.u_sched */
    rf_sthld sthld;                         /* ADAPT 1: gen_adapt.u_sthld */
    rf_lfsr lfsr;                           /* u_lfsr */
} rf_malekeh;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_malekeh_check(const rf_malekeh_cfg *cfg);
/* Takes `cfg`, clears the banks and resets: 0, or RF_E_CONFIG. */
int rf_malekeh_init(rf_malekeh *m, const rf_malekeh_cfg *cfg);
void rf_malekeh_reset(rf_malekeh *m);
/* Outputs of this cycle. */
void rf_malekeh_comb(const rf_malekeh *m, const rf_malekeh_in *in, rf_malekeh_out *out);
/* The rising clock edge. */
void rf_malekeh_clock(rf_malekeh *m, const rf_malekeh_in *in);
/* rf_malekeh_comb, then rf_malekeh_clock, in one pass: what simulators call. */
void rf_malekeh_step(rf_malekeh *m, const rf_malekeh_in *in, rf_malekeh_out *out);

#ifdef __cplusplus
}
#endif
#endif
