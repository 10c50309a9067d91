/* SPDX-License-Identifier: Apache-2.0 */
/* Rfree hints for random streams (rf_banked_stream.h), with what they promise: each warp slot has a set of inactive registers
 * that no instruction reads or writes, until one that writes it whole, in all lanes, makes it active again.
 *
 * Every random instruction goes through rf_steal_stream_edit: operands that name inactive registers are turned to active ones; a
 * destination may become an inactive register, which is active from there (free_was), and an active register that the instruction
 * does not touch may become inactive (free_reg). At a launch some registers are inactive, and the first instructions say so. */
#ifndef RF_STEAL_STREAM_H
#define RF_STEAL_STREAM_H

#include "cmodel/workload/rf_inst.h"
#include "harness/base/rng.h"

typedef struct rf_steal_stream {
    ls_rng rng;
    uint32_t warps, banks, regs, lanes; /* of the system */
    uint32_t frees;                     /* updates that an instruction carries, 1 .. RF_HINT_FREE_MAX */
    /* the phase's mix; probabilities in 256ths, drawn for each update or destination */
    uint32_t most;   /* inactive registers of a warp, 0 .. regs - 1 */
    uint32_t name;   /* an active register becomes inactive */
    uint32_t repeat; /* an inactive register is named again: other warps may have named others since */
    uint32_t revive; /* a destination is an inactive register */
    uint32_t reuse;  /* a source is what was revived last */
    /* warps */
    rf_bits256 inactive[RF_WARPS_MAX];
    uint32_t count[RF_WARPS_MAX];   /* of them */
    uint32_t unnamed[RF_WARPS_MAX]; /* updates that the first instructions still carry */
    uint8_t revived[RF_WARPS_MAX];  /* the last one, or RF_REG_NO_FREE */
    uint8_t last[RF_WARPS_MAX];     /* an operand of the instruction before */
} rf_steal_stream;

/* Starts with all registers active; a phase must be drawn before the first launch. */
void rf_steal_stream_init(rf_steal_stream *s, uint32_t warps, uint32_t banks, uint32_t regs, uint32_t lanes, uint32_t frees,
                          uint64_t seed);

/* Draws the mix of the next phase: none, few or many inactive registers, that stay or change all the time. */
void rf_steal_stream_phase(rf_steal_stream *s);

/* A new warp in slot `warp`. */
void rf_steal_stream_launch(rf_steal_stream *s, uint32_t warp);

/* Its next instruction: changes operands and fills the hint. */
void rf_steal_stream_edit(rf_steal_stream *s, uint32_t warp, rf_inst *inst);

#endif
