/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation of values to the levels of a register file hierarchy managed by software ([hierarchy 5]; docs/compiler.md): which of
 * a kernel's operands lie above the main register file (MRF), and where. */
#ifndef RF_LEVEL_ALLOC_H
#define RF_LEVEL_ALLOC_H

#include "cmodel/compiler/rf_strand.h"
#include "cmodel/hierarchy/rf_hierarchy_names.h"
#include "cmodel/workload/rf_hint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Energies of one warp access and its wires, in any unit (picojoules of [hierarchy Tables IV, V] times 8 for 32 lanes of 32 bits,
 * wires included; tb and tools give them). Shared: operands of the units that share a port to the lanes (SFU, memory, texture).
 */
typedef struct rf_level_energy {
    double read_private, read_shared, write_private, write_shared;
} rf_level_energy;

typedef struct rf_level_options {
    uint32_t entries;   /* of the L1, 1 .. 8 */
    uint32_t l0;        /* banks: 0 none, 1 one for all operand slots, 2 one a slot (split) */
    uint32_t slots;     /* sources of a uop (rf_crack.h): operand i is in slot i mod slots; 1 .. 8 */
    bool partial;       /* partial ranges [hierarchy 5.3] */
    bool keep;          /* read operands [hierarchy 5.4] */
    bool branches;      /* values live across forward branches [hierarchy 5.5]; else ranges end with the basic block */
    bool one_level;     /* a value is written to one level only [hierarchy 7.9] */
    bool no_l1_and_mrf; /* ... or to L0 and MRF, not to L1 and MRF [hierarchy 7.9] */
    rf_level_energy mrf, l1, l0_energy;
} rf_level_options;

/* The paper's energies (Tables IV, V) for `active` warps (4, 6 or 8; D-energy: sizes and counts between its rows are
 * interpolated) and the options' entries, into the options. */
void rf_level_energies(rf_level_options *options, uint32_t active);

/* Fills src_from and dst_to of `hint`, one a kernel instruction, the rest untouched. `live` is of the same allocated kernel, in
 * the view of a lane. NULL options: 3 entries, a split L0, everything on, 8 active warps. 0, or -1: no memory. */
int rf_level_alloc(const rf_strands *strands, const rf_liveness *live, const rf_level_options *options, rf_hint *hint);

#ifdef __cplusplus
}
#endif
#endif
