/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler of random streams for rf_hierarchy: as instructions are drawn, in program order, it gives them what a right
 * compiler might: last reads after which nobody reads (hardware), places that surely hold the operand (software), and sources
 * that can be read. Strands end at random. */
#ifndef RF_HIERARCHY_RANDOM_H
#define RF_HIERARCHY_RANDOM_H

#include "cmodel/hierarchy/rf_hierarchy.h"
#include "cmodel/workload/rf_inst.h"
#include "harness/base/rng.h"

#define RF_RANDOM_RECENT 4u

/* Lanes of a warp's registers that may be read. */
typedef struct rf_random_warp {
    uint32_t main[RF_REGS_MAX];       /* hardware: alive; software: the MRF has the value */
    uint8_t recent[RF_RANDOM_RECENT]; /* the last destinations, the youngest first */
    uint8_t owner[RF_LEVEL_NAMES];    /* software: per name, the register ... */
    uint32_t has[RF_LEVEL_NAMES];     /* ... of which it has these lanes */
} rf_random_warp;

typedef struct rf_hierarchy_random {
    rf_hierarchy_cfg cfg;
    ls_rng rng;
    /* Probabilities of the phase, in 256ths. */
    uint32_t close;         /* a source is one of the last results */
    uint32_t last;          /* a source is read for the last time */
    uint32_t around, low;   /* a result takes no entry; not in the L0 */
    uint32_t upper, hidden; /* a result goes to a name; and not to the MRF */
    uint32_t above, keep;   /* a source is read above the MRF if it can be; an operand is kept */
    uint32_t ends, leave;   /* a strand ends; the warp is descheduled there */
    rf_random_warp warp[RF_WARPS_MAX];
} rf_hierarchy_random;

/* Operand slot `slot` of an instruction (RF_SLOTS_MAX: its result, or what it keeps), a shared unit's or not, has a way to the
 * name. */
bool rf_hierarchy_reaches(const rf_hierarchy_cfg *cfg, uint32_t name, bool is_shared, uint32_t slot);

void rf_hierarchy_random_init(rf_hierarchy_random *r, const rf_hierarchy_cfg *cfg, uint64_t seed);

/* A new phase: other probabilities. */
void rf_hierarchy_random_phase(rf_hierarchy_random *r);

/* A new warp starts in slot `w`. */
void rf_hierarchy_random_launch(rf_hierarchy_random *r, uint32_t w);

/* Compiles an instruction of warp slot `w`: its operands may change. */
void rf_hierarchy_random_compile(rf_hierarchy_random *r, uint32_t w, rf_inst *inst);

#endif
