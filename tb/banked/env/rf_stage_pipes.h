/* SPDX-License-Identifier: Apache-2.0 */
/* Execution pipelines and accepted results behind an operand stage: where every uop is between its delivery and its end.
 *
 * A delivered uop spends its latency in a pipeline of its port, one pipeline a class of instructions; in a pipeline none
 * overtakes another, but for accesses to a memory side, whose ends are told: those leave in the order of their ends. Its result
 * is then offered to the system, and once accepted stands in a queue until it is written. Uops are numbers here; what they
 * compute is known to rf_stage_env.c, which drives this. */
#ifndef RF_STAGE_PIPES_H
#define RF_STAGE_PIPES_H

#include "cmodel/common/rf_types.h"
#include "cmodel/workload/rf_inst.h"
#include "harness/base/rng.h"
#include "tb/machine/env/rf_machine.h"

#define RF_STAGE_PIPES                                                                                                           \
    (RF_OP_CLASSES + 1u) /* one a class, and one for loads where they take longer than other memory instructions */
#define RF_STAGE_NO_UOP UINT16_MAX
#define RF_STAGE_OPEN UINT64_MAX /* the end of a latency that is not known yet */

/* A uop on its way through a port. */
typedef struct rf_stage_way {
    uint64_t due;      /* cycle in which its latency is over */
    uint16_t next;     /* behind it in the same list */
    uint8_t warp, dst; /* register that it writes, */
    bool writes;       /* if it writes any */
} rf_stage_way;

typedef struct rf_stage_fifo {
    uint16_t head, tail;
} rf_stage_fifo;

/* Per port. */
typedef struct rf_stage_port {
    uint32_t held;   /* uops in its pipelines */
    uint32_t filled; /* its pipelines that are not empty, one bit each */
    rf_stage_fifo pipe[RF_STAGE_PIPES];
    uint64_t last_due[RF_STAGE_PIPES];
    uint16_t offered;     /* its result stands on the port, or RF_STAGE_NO_UOP */
    rf_stage_fifo queued; /* accepted results, as in the system's write-back queue */
    uint32_t level;       /* how many */
    uint64_t opens;       /* the first cycle in which it may accept again */
} rf_stage_port;

typedef struct rf_stage_pipes {
    rf_machine machine;
    rf_stage_port port[RF_EXPORTS_MAX];
    rf_stage_way *way;   /* per uop */
    uint64_t busy_until; /* the first cycle in which nothing here only passes time: every latency is over, every port open */
} rf_stage_pipes;

/* Empty pipelines of the default machine for uops of the numbers 0 .. uops-1. Ends the process when memory runs out. */
void rf_stage_pipes_init(rf_stage_pipes *p, uint32_t uops);
void rf_stage_pipes_free(rf_stage_pipes *p);

/* Port `e` accepted a uop of this class in cycle `now`. */
void rf_stage_pipes_taken(rf_stage_pipes *p, uint32_t e, rf_opclass class, uint64_t now);

/* Uop `uop` of `inst`, which writes register `dst` of warp slot `warp` if it writes any, begins in port `e` in cycle `now`. With
 * probability `jitter` / 256 its latency is drawn, up to 4 times as long. */
void rf_stage_pipes_enter(rf_stage_pipes *p, uint32_t e, uint16_t uop, const rf_inst *inst, uint8_t warp, uint8_t dst,
                          uint64_t now, uint32_t jitter, ls_rng *rng);

/* Uop `uop`, of a memory instruction, begins in port `e` and is over at way->due, or when an earlier one of the same register is.
 */
void rf_stage_pipes_access(rf_stage_pipes *p, uint32_t e, uint16_t uop, const rf_stage_way *way);

/* Uop `uop` in port `e`, whose end was RF_STAGE_OPEN, is over in cycle `now`, or when an earlier one of the same register is. */
void rf_stage_pipes_over(rf_stage_pipes *p, uint32_t e, uint16_t uop, uint64_t now);

/* Something else only passes time until this cycle. */
void rf_stage_pipes_passes(rf_stage_pipes *p, uint64_t until);

/* Port `e` cannot accept in cycle `now`. */
void rf_stage_pipes_closed(rf_stage_pipes *p, uint32_t e, uint64_t now);

/* Takes the uop out of port `e` that was due first, if its latency is over in cycle `now`; else RF_STAGE_NO_UOP. */
uint16_t rf_stage_pipes_leave(rf_stage_pipes *p, uint32_t e, uint64_t now);

/* The offered result of port `e` has been accepted. */
void rf_stage_pipes_accepted(rf_stage_pipes *p, uint32_t e);

/* Takes the oldest accepted result of port `e`, which was written; RF_STAGE_NO_UOP when there is none. */
uint16_t rf_stage_pipes_written(rf_stage_pipes *p, uint32_t e);

/* Takes the oldest accepted result for register `dst` of warp slot `warp` out of the first port that has one, wherever it stands
 * in its queue; RF_STAGE_NO_UOP when there is none. */
uint16_t rf_stage_pipes_retired(rf_stage_pipes *p, uint32_t warp, uint32_t dst);

#endif
