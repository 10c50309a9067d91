/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of rf_wir that no surroundings make: those of rf_stage_illegal.h, and its own. Heads load and store at once, compute few
 * functions in few registers, are of blocks that do not exist; warps start and end while they run; blocks, kernels, barriers and
 * fences come at any time. Most results are of what is being executed, with its ex_info: else no leader would fill its entry, and
 * the registers would run out for good; some are given twice, lost, or come back with any ex_info. */
#ifndef RF_WIR_ILLEGAL_H
#define RF_WIR_ILLEGAL_H

#include "cmodel/wir/rf_wir.h"
#include "tb/banked/env/rf_stage_illegal.h"

#define RF_WIR_ILLEGAL_EXECUTING 128u

/* What happens beside heads and results, each kind as often as was drawn. */
enum {
    RF_WIR_ILLEGAL_LAUNCH,
    RF_WIR_ILLEGAL_EXIT,
    RF_WIR_ILLEGAL_START,
    RF_WIR_ILLEGAL_FLUSH,
    RF_WIR_ILLEGAL_BARRIER,
    RF_WIR_ILLEGAL_FENCE,
    RF_WIR_ILLEGAL_BLOCK, /* a warp is of another block */
    RF_WIR_ILLEGAL_LIMIT,
    RF_WIR_ILLEGAL_EVENTS
};

typedef struct rf_wir_illegal_result {
    uint8_t warp, dst;
    uint32_t mask;
    uint64_t info;
} rf_wir_illegal_result;

typedef struct rf_wir_illegal {
    rf_stage_illegal stage;
    rf_wir_cfg cfg;
    const rf_vec *value; /* values of which many results are */
    uint32_t values;
    /* Probabilities, in 256ths. */
    uint32_t reuse;                        /* a head may be reused */
    uint32_t memory, store;                /* it is a memory instruction; of those, it stores */
    uint32_t space;                        /* the one that half of these load from */
    uint32_t simple;                       /* it has a destination, and one source at most: it is often computed */
    uint32_t functions, constants;         /* in use */
    uint32_t astray;                       /* a result is not of what is being executed */
    uint32_t garbled;                      /* it is, with some other ex_info */
    uint32_t leak;                         /* it has a value of its own and no old mapping: registers run out */
    uint32_t twice, lost;                  /* an execution gives two results, or none */
    uint32_t event[RF_WIR_ILLEGAL_EVENTS]; /* in 4096ths, a cycle */
    rf_wir_illegal_result executing[RF_WIR_ILLEGAL_EXECUTING];
    uint32_t count;
} rf_wir_illegal;

/* As rf_stage_illegal_init; `value` must stay where it is. */
void rf_wir_illegal_init(rf_wir_illegal *l, const rf_stage_cfg *stage, const rf_wir_cfg *cfg, const rf_vec *value,
                         uint32_t values, uint64_t seed);

/* Illegal inputs for the coming cycle; `in` keeps what was written. */
void rf_wir_illegal_inputs(rf_wir_illegal *l, rf_wir_in *in);

/* What the system did, of every cycle: with legal inputs too, for what is being executed when they end. */
void rf_wir_illegal_observe(rf_wir_illegal *l, const rf_wir_in *in, const rf_wir_out *out);

#endif
