/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/energy/rf_energy.h"

double rf_energy(const rf_energy_counts *counts, uint32_t lanes) {
    const double accesses = lanes / 4.0;
    return accesses *
           (RF_ENERGY_BANK_READ * (double)counts->bank_reads + RF_ENERGY_BANK_WRITE * (double)counts->bank_writes +
            RF_ENERGY_COLLECTOR_READ * (double)counts->collector_reads +
            RF_ENERGY_COLLECTOR_WRITE * (double)counts->collector_writes + RF_ENERGY_CROSSBAR * (double)counts->crossbar);
}
