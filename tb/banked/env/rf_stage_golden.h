/* SPDX-License-Identifier: Apache-2.0 */
/* The golden machine beside an operand stage: each warp executes alone, in program order, at issue, from the registers that the
 * system held at its launch. What the system delivers and what it holds in the end must equal it.
 *
 * It keeps the first violation of any property of the surroundings as a text, also those that others find. */
#ifndef RF_STAGE_GOLDEN_H
#define RF_STAGE_GOLDEN_H

#include "cmodel/workload/rf_crack.h"
#include "tb/banked/env/rf_stage_env.h"

typedef struct rf_stage_golden {
    bool active_lanes;                  /* of an operand that is delivered, inactive lanes may hold anything */
    uint32_t warps, regs, lanes, slots; /* of the system */
    rf_vec *value;                      /* element warp * regs + register */
    uint32_t *lost;                     /* same elements: lanes whose content is lost; NULL until something is */
    uint64_t cycle;                     /* for messages: cycles observed */
    char violation[256];
} rf_stage_golden;

/* An instruction under way, as the golden machine saw it. */
typedef struct rf_stage_inst {
    const rf_inst *inst;
    uint64_t warp_id; /* among all warps */
    uint32_t warp;    /* its slot */
    uint32_t mask;    /* active lanes that the system has */
    bool wrong;       /* an operand delivered was not the golden one: from then on `operand` is filled too */
    rf_vec golden[RF_INST_SRC_MAX];
    rf_vec operand[RF_INST_SRC_MAX]; /* as delivered; golden what is not yet */
    uint32_t lost[RF_INST_SRC_MAX];  /* lanes whose content was lost at issue; 0 until something is lost at all */
} rf_stage_inst;

/* One of its uops. */
typedef struct rf_stage_uop {
    rf_uop uop;
    uint16_t tag;  /* as the hardware carries it */
    uint8_t shift; /* source s sits in slot (s + shift) mod SLOTS */
    bool writes;
    rf_vec result;
} rf_stage_uop;

/* Registers of a system of this size, all 0. Ends the process when memory runs out. */
void rf_stage_golden_init(rf_stage_golden *g, uint32_t warps, uint32_t regs, uint32_t lanes, uint32_t slots);
void rf_stage_golden_free(rf_stage_golden *g);

/* What a register holds when everything that has issued is done. */
const rf_vec *rf_stage_golden_value(const rf_stage_golden *g, uint32_t w, uint32_t reg);

/* Keeps the message, with the cycle before it, if it is the first. */
void rf_stage_violated(rf_stage_golden *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A warp starts in slot `w`: its registers are what the system holds. */
void rf_stage_golden_launch(rf_stage_golden *g, const rf_stage_view *view, uint32_t w);

/* The warp in slot `w` has ended: every register of the system must be the golden one, but for lost lanes. */
void rf_stage_golden_end(rf_stage_golden *g, const rf_stage_view *view, uint32_t w, uint64_t warp_id);

/* The register, which nothing under way writes, must be the golden one now, but for lost lanes. */
void rf_stage_golden_holds(rf_stage_golden *g, const rf_stage_view *view, uint32_t w, uint32_t reg, uint64_t warp_id);

/* What the register holds is lost, in these lanes, until they are written again. */
void rf_stage_golden_lose(rf_stage_golden *g, uint32_t w, uint32_t reg, uint32_t lanes);

/* In these lanes the register holds what the system has, `is`. */
void rf_stage_golden_found(rf_stage_golden *g, uint32_t w, uint32_t reg, const rf_vec *is, uint32_t lanes);

/* The uop issues: reads its operands, computes its result, writes it. Lanes that are lost may not be read. */
void rf_stage_golden_execute(rf_stage_golden *g, rf_stage_inst *i, rf_stage_uop *u);

/* `data`, one a slot, was delivered to the uop: its operands must be those that it read. */
void rf_stage_golden_delivered(rf_stage_golden *g, rf_stage_inst *i, const rf_stage_uop *u, const rf_vec *data);

/* The result becomes what follows from the operands that were delivered (after all uops with sources; `wrong`). A recorded value
 * is changed in every lane with a wrong operand, so that the fault spreads. */
void rf_stage_golden_wrong_result(const rf_stage_golden *g, const rf_stage_inst *i, rf_stage_uop *u);

#endif
