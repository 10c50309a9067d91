/* SPDX-License-Identifier: Apache-2.0 */
/* Which access to memory an instruction makes: space and kind from its mnemonic, be it PTX, NVIDIA's SASS or RISC-V of Ventus
 * (docs/memory-side.md, "Which access an instruction makes"). */
#ifndef RF_MEMORY_ACCESS_H
#define RF_MEMORY_ACCESS_H

#include "cmodel/workload/rf_inst.h"
#include "tb/machine/env/rf_memory_side.h"

/* The access of an instruction of the warp of that number, or false: it accesses no memory that takes time. access->address is
 * inst->address, or `lane`, room for 32 addresses, when those of the instruction lie in a window; so both must live as long. */
bool rf_memory_access_of(const rf_inst *inst, uint64_t warp, uint64_t lane[RF_LANES_MAX], rf_memory_access *access);

#endif
