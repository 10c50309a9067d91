/* SPDX-License-Identifier: Apache-2.0 */
/* Endless random instruction streams for systems with the baseline's issue stage: swarm, every phase draws its own mix. */
#ifndef RF_BANKED_STREAM_H
#define RF_BANKED_STREAM_H

#include "cmodel/workload/rf_inst.h"
#include "harness/base/rng.h"

#define RF_STREAM_RECENT 8u

typedef struct rf_banked_stream {
    ls_rng rng;
    uint32_t warps, banks, regs, lanes, slots, exports; /* of the system */
    /* the phase's mix; probabilities in 256ths */
    uint32_t sources;       /* most sources of an instruction */
    uint32_t range;         /* registers used, 1 .. regs */
    uint32_t depend;        /* a source is a recent destination */
    uint32_t repeat;        /* a source names the register of another */
    uint32_t write;         /* has a destination */
    uint32_t skew, hot;     /* a register lies in bank `hot` */
    uint32_t partial, zero; /* masks */
    uint32_t crack;         /* more operands than one uop takes */
    uint32_t any_port;      /* an execution port whatever the class */
    uint32_t classes;       /* bit set of the classes used */
    uint32_t length;        /* most instructions of a warp */
    /* warps */
    uint32_t left[RF_WARPS_MAX];                    /* instructions until the warp ends */
    uint8_t recent[RF_WARPS_MAX][RF_STREAM_RECENT]; /* last destinations */
    uint64_t pc;
} rf_banked_stream;

/* Every fourth phase is a storm of independent writes to one bank, every fourth one of chains of dependent instructions, so that
 * every seed meets full write queues and waiting warps; the mix of the others is free. */
typedef enum rf_stream_kind {
    RF_STREAM_FREE,
    RF_STREAM_STORM,
    RF_STREAM_FREE_TOO,
    RF_STREAM_CHAINS,
    RF_STREAM_KINDS
} rf_stream_kind;

/* Starts the streams of a system of this size; a phase must be drawn before the first launch. */
void rf_banked_stream_init(rf_banked_stream *s, uint32_t warps, uint32_t banks, uint32_t regs, uint32_t lanes, uint32_t slots,
                           uint32_t exports, uint64_t seed);

/* Draws the mix of the next phase. */
void rf_banked_stream_phase(rf_banked_stream *s, rf_stream_kind kind);

/* A new warp in slot `warp`. */
void rf_banked_stream_launch(rf_banked_stream *s, uint32_t warp);

/* The next instruction of slot `warp` and the execution port it asks for (`exports`: that of its class); false: the warp ends. */
bool rf_banked_stream_next(rf_banked_stream *s, uint32_t warp, rf_inst *inst, uint32_t *port);

#endif
