/* SPDX-License-Identifier: Apache-2.0 */
/* The surroundings of an operand stage in an SM, as settings say them (docs/machines.md): latency and interval of each class of
 * instructions, its memory side, and the wires that its energy is of. */
#ifndef RF_MACHINE_H
#define RF_MACHINE_H

#include "cmodel/energy/rf_energy.h"
#include "cmodel/workload/rf_inst.h"
#include "harness/core/unit.h"
#include "tb/machine/env/rf_memory_side.h"

#define RF_MACHINE_MEMORY_LATENCY 20u /* of memory instructions where no setting says otherwise */
#define RF_SUB_CORES_MAX 8u
#define RF_OP_CLASSES (RF_OP_CTRL + 1u)

typedef struct rf_machine {
    uint32_t latency[RF_OP_CLASSES];  /* cycles from the delivery of a uop to its result */
    uint32_t interval[RF_OP_CLASSES]; /* cycles from a uop to the next that its port accepts, of whatever class */
    uint32_t load_latency;            /* of global and local loads; 0: that of all memory instructions */
    uint32_t registers;               /* of a sub-core, for its warps; 0: as many as the system has */
    uint32_t sub_cores;
    uint32_t lookup_words; /* results of more words are not looked up (rf_wir) */
    bool has_memory;       /* accesses to memory take as long as `memory` says, */
    rf_memory_cfg memory;
    rf_energy_wires wires;
} rf_machine;

/* That of no settings. */
rf_machine rf_machine_default(void);

/* The default with these settings. 0; or -1 and a message with the setting's place and key, and `m` as it was. */
int rf_machine_read(rf_machine *m, const ls_settings *settings, char *error, size_t size);

/* Checks them for a system whose warps share more than a memory side: several sub-cores are an error too. */
int rf_machine_one_core(const ls_settings *settings, char *error, size_t size);

#endif
