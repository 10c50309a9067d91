/* SPDX-License-Identifier: Apache-2.0 */
/* The operand stage in front of an integrated memory [CERF III-B]: issue, collectors whose operands may miss, dispatch,
 * write-back queues. Its registers are elsewhere (rf_cerf_memory): it names them by number (rf_reindex).
 *
 *   issue -> collectors -> rd_valid, rd_number, rd_dead ... rd_accept ... rd_fill, rd_data -> collectors -> dispatch
 *   results -> write-back queues -> wr_valid, wr_number, wr_mask, wr_data ... wr_accept
 *
 * The ports of rf_banked (rf_stage.h) mean the same. Reads: a slot asks until rd_accept takes its request, in the same cycle; its
 * operand comes with rd_fill, cycles later (rf_miss_ocu). It counts as read (D-war) when it is accepted. rd_dead: it asks for the
 * register's last read (ib_last, with LIVENESS), and no collector but its own has yet to read that number (D-unread: collectors
 * ask out of order). Writes: the head of a queue asks until wr_accept takes it, in the same cycle; the scoreboard is cleared
 * then. rd_number is what the slot's register has, also without rd_valid; wr_* is 0 without wr_valid. rd_accept without rd_valid,
 * rd_fill of a slot that waits for nothing and wr_accept without wr_valid are ignored. Reset: as the units say. */
#ifndef RF_CERF_STAGE_H
#define RF_CERF_STAGE_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/cerf/rf_miss_ocu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_cerf_stage_cfg {
    uint32_t warps;      /* 1 .. 64, a multiple of issues */
    uint32_t collectors; /* 1 .. 16; collectors x slots at most 64 */
    uint32_t regs;       /* registers of a warp, 1 .. 256 */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources of an instruction, 1 .. 8 */
    uint32_t exports;    /* execution ports, each with a write-back queue, 1 .. 8 */
    uint32_t issues;     /* instructions issued in a cycle, 1 .. 4 */
    uint32_t sched;      /* 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups */
    uint32_t fetch;      /* warps of a fetch group of an issue group (sched 2), 1 .. 64 */
    uint32_t wbdepth;    /* entries of a write-back queue, 1 .. 16 */
    uint32_t liveness;   /* 1: rd_dead follows ib_last, 0: it is 0 */
} rf_cerf_stage_cfg;

typedef struct rf_cerf_stage_in {
    union {
        rf_stage_in stage;
        struct {
            RF_STAGE_IN_PORTS
        };
    };
    uint8_t ib_last[RF_WARPS_MAX];  /* per warp: slots bits, no lane reads the register's value again */
    uint64_t rd_accept;             /* collectors x slots bits: the request is taken */
    uint64_t rd_fill;               /* collectors x slots bits: the operand comes */
    rf_vec rd_data[RF_READERS_MAX]; /* per reader: lanes x 32 bits */
    uint8_t wr_accept;              /* exports bits: the head of the queue is taken */
} rf_cerf_stage_in;

/* Wires between the units, for counters and properties; not ports. */
#define RF_CERF_STAGE_WIRES                                                                                                      \
    uint64_t ready;  /* warps bits: valid and without hazard */                                                                  \
    uint64_t hazard; /* warps bits */                                                                                            \
    uint8_t chosen;  /* issues bits: the group's scheduler chose a warp */                                                       \
    rf_ocu_alloc_out alloc;                                                                                                      \
    uint16_t busy;                   /* collectors bits */                                                                       \
    uint16_t collected;              /* collectors bits: ready for dispatch */                                                   \
    uint64_t rd_last;                /* collectors x slots bits: a last read asks ... */                                         \
    uint64_t rd_dead;                /* collectors x slots bits: ... of those whose entry dies */                                \
    uint16_t number[RF_READERS_MAX]; /* per reader: number of its register */                                                    \
    rf_dispatch_out dispatch;

typedef struct rf_cerf_stage_wires {
    RF_CERF_STAGE_WIRES
} rf_cerf_stage_wires;

typedef struct rf_cerf_stage_out {
    union {
        rf_stage_out stage;
        struct {
            RF_STAGE_OUT_PORTS
        };
    };
    uint64_t rd_valid;                  /* collectors x slots bits: it asks for a register */
    uint16_t rd_number[RF_READERS_MAX]; /* per reader: index_bits(warps x regs) */
    uint64_t rd_dead;                   /* collectors x slots bits: for its last read */
    uint8_t wr_valid;                   /* exports bits: the head of the queue asks to be written */
    uint16_t wr_number[RF_EXPORTS_MAX]; /* per queue: index_bits(warps x regs) */
    uint32_t wr_mask[RF_EXPORTS_MAX];   /* per queue: lanes bits */
    rf_vec wr_data[RF_EXPORTS_MAX];     /* per queue: lanes x 32 bits */
    rf_cerf_stage_wires wires;
} rf_cerf_stage_out;

typedef struct rf_cerf_stage {
    rf_cerf_stage_cfg cfg;
    rf_banked units;                    /* of it the schedulers (gen_issue[g].gen_gto.u_sched ...), u_scoreboard, the allocator,
                                           u_exec.u_dispatch and the queues (gen_wbq[e].u_wbq) */
    rf_miss_ocu ocu[RF_COLLECTORS_MAX]; /* gen_ocu[c].u_ocu */
} rf_cerf_stage;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_cerf_stage_check(const rf_cerf_stage_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_cerf_stage_init(rf_cerf_stage *m, const rf_cerf_stage_cfg *cfg);
void rf_cerf_stage_reset(rf_cerf_stage *m);
/* Outputs of this cycle. */
void rf_cerf_stage_comb(const rf_cerf_stage *m, const rf_cerf_stage_in *in, rf_cerf_stage_out *out);
/* The rising clock edge. */
void rf_cerf_stage_clock(rf_cerf_stage *m, const rf_cerf_stage_in *in);
/* rf_cerf_stage_comb, then rf_cerf_stage_clock, in one pass. */
void rf_cerf_stage_step(rf_cerf_stage *m, const rf_cerf_stage_in *in, rf_cerf_stage_out *out);

#ifdef __cplusplus
}
#endif
#endif
