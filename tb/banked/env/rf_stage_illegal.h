/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of an operand stage that no surroundings make. Model and RTL are equal for all inputs; rf_stage_env.h drives legal ones
 * alone, so from some cycle on many epochs have these instead: heads that change before they issue, of ports and registers that
 * do not exist, results of nothing that issued, of no lane, given up or offered twice, warps that start while they run. Nothing
 * is checked beside the comparison: the golden machine's rules do not hold here. */
#ifndef RF_STAGE_ILLEGAL_H
#define RF_STAGE_ILLEGAL_H

#include "cmodel/banked/rf_scoreboard.h"
#include "tb/banked/env/rf_stage_env.h"

#define RF_STAGE_ILLEGAL_RECENT 16u /* instructions of which results come */

typedef struct rf_stage_illegal {
    bool on; /* since cycle `from` of the epoch, to its end */
    uint64_t cycle, from;
    ls_rng rng;
    rf_stage_cfg cfg;
    /* Probabilities, in 256ths. */
    uint32_t show;    /* an empty buffer gets a head */
    uint32_t change;  /* a head that has not issued is replaced, or gone */
    uint32_t partial; /* not all lanes */
    uint32_t outside; /* an index is any value of its port, in 1024ths */
    uint32_t astray;  /* an instruction is for a port that does not exist: it keeps its collector */
    uint32_t accept;  /* a port is ready */
    uint32_t offer;   /* a port has a result */
    uint32_t launch;  /* warps start */
    uint32_t range;   /* registers in use: few of them meet more often */
    bool apart;       /* no source is outside these: the others may be said to be inactive */
    uint64_t fresh;   /* warps bits: heads that are new in the coming cycle */
    uint64_t issued;  /* warps bits: in the cycle before */
    uint8_t given;    /* exports bits: results taken in the cycle before */
    uint8_t drawn;    /* exports bits: results that are new in the coming cycle */
    /* What issued last: most results are of it. */
    uint8_t warp[RF_STAGE_ILLEGAL_RECENT], dst[RF_STAGE_ILLEGAL_RECENT];
    uint32_t recent;
} rf_stage_illegal;

/* Draws from which cycle on the epoch of this seed has illegal inputs (the first, one of 16 to 8,192, or never), and how they
 * are. */
void rf_stage_illegal_init(rf_stage_illegal *l, const rf_stage_cfg *cfg, uint64_t seed);

/* Whether the coming cycle has illegal inputs. Once a cycle. */
bool rf_stage_illegal_now(rf_stage_illegal *l);

/* Illegal inputs for the coming cycle; `in` keeps what was written. */
void rf_stage_illegal_inputs(rf_stage_illegal *l, rf_stage_in *in);

/* What the stage did with them. */
void rf_stage_illegal_observe(rf_stage_illegal *l, const rf_stage_in *in, const rf_stage_out *out);

/* Of the `n` rows in `list` those that exist, `rows` in each memory; how many. Others are written nowhere. */
uint32_t rf_stage_illegal_touched(ls_touch *list, uint32_t n, uint32_t rows);

/* Bins of every stage that illegal inputs alone reach, in the order of their bits in rf_stage_illegal_bins. */
/* clang-format off */
#define RF_STAGE_ILLEGAL_BINS(X)                                                                                                 \
    X(NOT_WAITED_FOR, "a result that no instruction waits for")                                                                  \
    X(NO_LANE, "a result of no lane")                                                                                            \
    X(LAUNCH_PENDING, "launch of a warp whose result is missing")                                                                \
    X(NO_PORT, "an instruction for a port that does not exist")
/* clang-format on */

/* Those that this cycle hits; `board` is as before its edge. */
uint64_t rf_stage_illegal_bins(const rf_scoreboard *board, uint32_t exports, const rf_stage_in *in, const rf_stage_out *out);

#endif
