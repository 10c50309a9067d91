/* SPDX-License-Identifier: Apache-2.0 */
/* System rf_cerf: an operand stage whose registers and L1D are one memory [CERF III], or, INTEGRATED 0, the baseline: rf_banked
 * (ports 1) and beside it an L1D.
 *
 *   issue -> collectors -> integrated memory -> collectors -> dispatch -> execution ports
 *   results -> write-back queues -> integrated memory <- load/store unit
 *                                        |^
 *                                        L2
 *
 * INTEGRATED 1. A source is asked for by its number (rf_reindex); the memory looks it up in the tagging stage (rf_cerf_memory,
 * rf_cache_bank) and answers cycles later: two after the request is accepted when it hits, one more than rf_banked. Results are
 * written when the memory accepts them; the scoreboard is cleared in that cycle, since a bank serves what it accepts in order. An
 * operand counts as read (D-war) when its request is accepted: of a register that is on its way from L2 a write waits.
 * LIVENESS 1: ib_last says of a source that no lane reads the register's value again [CERF III-D-2]. The bit goes along with the
 * read, and the entry dies with it. D-unread: collectors ask out of order; if another collector still has to read the register,
 * the entry does not die (it is vacant when it is written anew, or replaced). POLICY 1 needs room for all registers: WARPS x REGS
 * at most SETS x WAYS ("all the registers are re-indexed for a full mapping"); no register misses then. With the others registers
 * and lines each leave one MSHR of a bank to the other (RESERVE of rf_cerf_memory).
 *
 * INTEGRATED 0. rf_banked, cycle for cycle, and an L1D: SETS and WAYS are its own; only the load/store unit uses it. ib_last and
 * POLICY count for nothing.
 *
 * The load/store unit and L2 are outside: they see requests of lines, their answers, and messages (rf_cerf_memory.h). */
#ifndef RF_CERF_H
#define RF_CERF_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/cerf/rf_cerf_memory.h"
#include "cmodel/cerf/rf_cerf_stage.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_cerf_cfg {
    uint32_t warps;      /* 1 .. 64, a multiple of issues */
    uint32_t collectors; /* 1 .. 15; (collectors + 1) x slots at most 64 */
    uint32_t banks;      /* of registers and of lines, a power of two, 1 .. 8 */
    uint32_t regs;       /* registers of a warp, 1 .. 256; warps x ceil(regs / banks) at most 1024 */
    uint32_t lanes;      /* words of a register and of a line, 1 .. 32 */
    uint32_t slots;      /* sources of an instruction, 1 .. 8 */
    uint32_t exports;    /* execution ports, each with a write-back queue, 1 .. 8 */
    uint32_t issues;     /* instructions issued in a cycle, 1 .. 4 */
    uint32_t sched;      /* 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups */
    uint32_t fetch;      /* warps of a fetch group of an issue group (sched 2), 1 .. 64 */
    uint32_t wbdepth;    /* entries of a write-back queue, 1 .. 16 */
    uint32_t integrated; /* 0: registers and L1D apart, 1: in one memory */
    uint32_t policy;     /* 0: fair, 1: registers first, 2: cache data first */
    uint32_t sets;       /* of the integrated memory, or of the L1D: a power of two, banks .. 256 x banks */
    uint32_t ways;       /* 1 .. 8; sets x ways at most 1024 x banks */
    uint32_t mshrs;      /* of a bank, 2 .. 16 */
    uint32_t targets;    /* of an MSHR, 1 .. 8 */
    uint32_t queue;      /* messages to L2 that a bank holds, 1 .. 16 */
    uint32_t prefix;     /* of the SM's registers in the address space, 0 .. 16777215 */
    uint32_t liveness;   /* 1: last reads free entries */
} rf_cerf_cfg;

#define RF_CERF_LINE_W RF_LINE_NUMBER_MAX

typedef struct rf_cerf_in {
    union {
        rf_stage_in stage;
        struct {
            RF_STAGE_IN_PORTS
        };
    };
    uint8_t ib_last[RF_WARPS_MAX]; /* per warp: slots bits, no lane reads the register's value again */
    union {
        rf_cerf_sides_in sides;
        struct {
            RF_CERF_SIDES_IN_PORTS
        };
    };
} rf_cerf_in;

/* Wires between the units, as rf_cerf_comb left them: for counters and properties; not ports. INTEGRATED 0: memory alone. */
typedef struct rf_cerf_wires {
    union {
        rf_cerf_stage_wires stage;
        struct {
            RF_CERF_STAGE_WIRES
        };
    };
    uint64_t rd_accept; /* collectors x slots bits */
    uint8_t wr_accept;  /* exports bits */
    rf_cerf_memory_wires memory;
} rf_cerf_wires;

typedef struct rf_cerf_out {
    union {
        rf_stage_out stage;
        rf_banked_out separate; /* INTEGRATED 0: its wires, too */
        struct {
            RF_STAGE_OUT_PORTS
        };
    };
    union {
        rf_cerf_sides_out sides;
        struct {
            RF_CERF_SIDES_OUT_PORTS
        };
    };
    rf_cerf_wires wires;
} rf_cerf_out;

typedef struct rf_cerf {
    rf_cerf_cfg cfg;
    rf_cerf_stage stage; /* INTEGRATED 1: gen_integrated.u_stage; 0: of it the units alone, as rf_banked, gen_separate.u_stage */
    rf_cerf_memory memory; /* u_memory */
} rf_cerf;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_cerf_check(const rf_cerf_cfg *cfg);
/* Takes `cfg`, clears the memories and resets: 0, or RF_E_CONFIG. */
int rf_cerf_init(rf_cerf *m, const rf_cerf_cfg *cfg);
void rf_cerf_reset(rf_cerf *m);
/* Outputs of this cycle. */
void rf_cerf_comb(const rf_cerf *m, const rf_cerf_in *in, rf_cerf_out *out);
/* The rising clock edge. */
void rf_cerf_clock(rf_cerf *m, const rf_cerf_in *in);
/* rf_cerf_comb, then rf_cerf_clock, in one pass: what simulators call. */
void rf_cerf_step(rf_cerf *m, const rf_cerf_in *in, rf_cerf_out *out);

#ifdef __cplusplus
}
#endif
#endif
