/* SPDX-License-Identifier: Apache-2.0 */
/* Every issue slot of an operand stage by cause: in each cycle each issue group issues a uop or, for exactly one cause, does not.
 * docs/units/rf_banked.md ("Issue slots") has the causes in the order in which the first that holds counts; a system's bench says
 * what its wires did, the environment what warps wait for. Beside them the dispatches that are refused, by cause. */
#ifndef RF_STAGE_SLOTS_H
#define RF_STAGE_SLOTS_H

#include "cmodel/banked/rf_stage.h"
#include "harness/core/unit.h"

typedef enum rf_stage_slot {
    RF_SLOT_ISSUED,
    RF_SLOT_COLLECTOR, /* the scheduler chose a warp, which found no collector */
    RF_SLOT_CHOSEN,    /* the scheduler chose a warp, which a rule of the system held back */
    RF_SLOT_READY,     /* heads without hazard that a rule of the system kept from the scheduler */
    RF_SLOT_MEMORY,    /* all heads have a hazard, one of them for the result of a memory instruction */
    RF_SLOT_HAZARD,    /* all heads have another hazard */
    RF_SLOT_EMPTY,     /* no head, of a warp that has more to do */
    RF_SLOT_BARRIER,   /* no head: all warps with more to do stand at a barrier or a fence */
    RF_SLOT_DRAIN,     /* no head: the warps wait for their last results */
    RF_SLOT_NO_WARP,
    RF_SLOTS
} rf_stage_slot;

/* What warps wait for in a cycle, by the environment. */
typedef struct rf_stage_waits {
    uint64_t live;   /* warps bits: slots with a warp */
    uint64_t ending; /* warps bits: without a further instruction */
    uint64_t parked; /* warps bits: at a barrier or a memory fence */
    uint8_t memory;  /* issues bits: a head with a hazard names a register whose result a memory instruction has yet to write */
} rf_stage_waits;

/* What a stage did in a cycle, by its wires. */
typedef struct rf_stage_did {
    uint32_t issues;        /* groups */
    uint8_t issued, chosen; /* issues bits */
    uint8_t held;           /* issues bits: chosen, and held back by a rule of the system (RF_SLOT_CHOSEN) */
    uint64_t kept;          /* warps bits: without hazard, and kept from the scheduler (RF_SLOT_READY) */
    uint64_t hazard;        /* warps bits: the head is there and has one */
} rf_stage_did;

typedef struct rf_stage_slots {
    uint64_t of[RF_SLOTS];
    uint64_t port, lost;              /* refused dispatches */
    uint8_t ports[RF_COLLECTORS_MAX]; /* per collector: execution port of the instruction that it took */
} rf_stage_slots;

/* Adds one cycle. */
void rf_stage_slots_cycle(rf_stage_slots *s, const rf_stage_did *did, const rf_stage_waits *waits);

/* Adds one cycle's dispatches: of the collectors that have all operands, those that do not leave. Before rf_stage_slots_took. */
void rf_stage_slots_dispatch(rf_stage_slots *s, uint32_t complete, uint32_t leave, uint32_t ex_ready);

/* The instructions that issue are in collectors from the next cycle on: that of group g in sel[g]. */
void rf_stage_slots_took(rf_stage_slots *s, const rf_stage_in *in, const rf_stage_out *out, const uint8_t *sel);

/* All of it; `chosen` and `ready` name the two causes that are the system's own, NULL: it has none. */
void rf_stage_slots_report(const rf_stage_slots *s, const char *chosen, const char *ready, ls_counter_fn *sink, void *ctx);

/* Slots without an issue for want of a head's operands; of groups with warps for want of a head. */
static inline uint64_t rf_stage_slots_hazard(const rf_stage_slots *s) { return s->of[RF_SLOT_MEMORY] + s->of[RF_SLOT_HAZARD]; }
static inline uint64_t rf_stage_slots_headless(const rf_stage_slots *s) {
    return s->of[RF_SLOT_EMPTY] + s->of[RF_SLOT_BARRIER] + s->of[RF_SLOT_DRAIN];
}

/* The stalls that rf_banked, rf_steal and rf_malekeh have in common: sums of these. */
void rf_stage_slots_stalls(const rf_stage_slots *s, ls_counter_fn *sink, void *ctx);

/* Registers whose results memory instructions have yet to write. */
typedef struct rf_stage_awaited {
    uint64_t warps; /* those with one at least */
    uint64_t reg[RF_WARPS_MAX][RF_REGS_MAX / 64];
} rf_stage_awaited;

void rf_stage_awaited_begin(rf_stage_awaited *a, uint32_t warp, uint32_t reg);
void rf_stage_awaited_end(rf_stage_awaited *a, uint32_t warp, uint32_t reg);

/* Groups, issues bits, but for those in `chosen`, of which one of the heads in `hazard`, warps bits, names such a register. */
uint8_t rf_stage_awaited_by(const rf_stage_awaited *a, const rf_stage_in *in, uint32_t chosen, uint64_t hazard, uint32_t issues,
                            uint32_t slots);

#endif
