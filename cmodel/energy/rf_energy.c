/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/energy/rf_energy.h"

double rf_energy(const rf_energy_counts *counts, const rf_energy_wires *wires, uint32_t lanes) {
    const double accesses = lanes / 4.0;
    const double millimetres = wires->bank_collector * (double)counts->bank_collector +
                               wires->result_bank * (double)counts->result_bank + wires->result_ccu * (double)counts->result_ccu;
    return accesses * (RF_ENERGY_BANK_READ * (double)counts->bank_reads + RF_ENERGY_BANK_WRITE * (double)counts->bank_writes +
                       RF_ENERGY_COLLECTOR_READ * (double)counts->collector_reads +
                       RF_ENERGY_COLLECTOR_WRITE * (double)counts->collector_writes + RF_ENERGY_CROSSBAR * millimetres);
}

double rf_energy_wir_banks(const rf_energy_wir_counts *counts, uint32_t lanes) {
    return lanes / 4.0 *
           (RF_ENERGY_WIR_BANK_READ * (double)counts->bank_reads + RF_ENERGY_WIR_BANK_WRITE * (double)counts->bank_writes);
}

double rf_energy_wir_added(const rf_energy_wir_counts *counts) {
    return RF_ENERGY_WIR_RENAME * (double)counts->rename + RF_ENERGY_WIR_REUSE_BUFFER * (double)counts->reuse_buffer +
           RF_ENERGY_WIR_HASH * (double)counts->hashes + RF_ENERGY_WIR_VSB * (double)counts->vsb +
           RF_ENERGY_WIR_POOL * (double)counts->pool + RF_ENERGY_WIR_REFERENCE * (double)counts->references +
           RF_ENERGY_WIR_VERIFY_CACHE * (double)counts->verify_cache;
}
