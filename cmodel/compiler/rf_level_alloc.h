/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation of values to the levels of a register file hierarchy managed by software ([hierarchy 5]; docs/compiler.md): which of
 * a kernel's operands lie above the main register file (MRF), and where. */
#ifndef RF_LEVEL_ALLOC_H
#define RF_LEVEL_ALLOC_H

#include <stddef.h>

#include "cmodel/compiler/rf_strand.h"
#include "cmodel/hierarchy/rf_hierarchy_names.h"
#include "cmodel/workload/rf_hint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Energies of one warp access with its wires, in any unit. Shared: by units that share a port to the lanes, which are all but the
 * classes RF_OP_ALU and RF_OP_CTRL; of the L0 never asked for. */
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
    bool one_level;     /* a value is in one level only [hierarchy 7.9]: nothing is written to two, nothing kept */
    bool no_l1_and_mrf; /* ... or in L0 and MRF, not in L1 and MRF [hierarchy 7.9] */
    bool leave_back; /* warps are descheduled at backward branches too, so that hardware flushes its cache there [hierarchy 8.2]:
                        a hint of the strands, nothing to the allocation */
    rf_level_energy mrf, l1, l0_energy;
} rf_level_options;

/* 3 entries, a split L0 of 3 slots, everything on, no restriction, 8 active warps: [hierarchy 7.8]'s most efficient design. */
rf_level_options rf_level_defaults(void);

/* The paper's energies (Tables IV, V) in picojoules for `active` warps, at least 1, and the options' entries, into the options
 * (D-level-energy, docs/compiler.md). */
void rf_level_energies(rf_level_options *options, uint32_t active);

/* Options as a person writes them, "entries=4,l0=unified,active=6", changed in *options, then the paper's energies for `active`
 * (1 .. 32, 8 unless said) into it: 0, or -1 and a message that names the option and its range. Names: entries, slots; l0 (none,
 * unified, split); partial, keep, branches, one_level, no_l1_and_mrf, leave_back (0, 1); `default` changes nothing. */
int rf_level_parse(rf_level_options *options, const char *text, char *error, size_t size);

/* NULL, or the option that is out of range and its range. */
const char *rf_level_check(const rf_level_options *options);

/* Fills src_from and dst_to of `hint`, one a kernel instruction, the rest untouched. `live` is of the same allocated kernel, in
 * the view of a lane. Options of NULL: rf_level_defaults; others have passed rf_level_check. 0, or -1: no memory. */
int rf_level_alloc(const rf_strands *strands, const rf_liveness *live, const rf_level_options *options, rf_hint *hint);

#ifdef __cplusplus
}
#endif
#endif
