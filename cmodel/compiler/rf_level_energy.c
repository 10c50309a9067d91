/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's options and energies. */
#include "cmodel/compiler/rf_level_alloc.h"
#include "cmodel/energy/rf_energy.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define GROUPS 8.0 /* of four lanes: the tables' accesses have 128 bits, and so have the prices of rf_energy.h */
#define MRF_MM 1.0 /* Table V, to the private and to the shared units */
#define L1_PRIVATE_MM 0.2
#define L1_SHARED_MM 0.4
#define L0_MM 0.05

/* Table IV by what it depends on, the registers of 32 bits that a lane has for all active warps: entries x active warps. Its rows
 * and columns are symmetrical. */
static const struct {
    double registers, read, write;
} table[] = {{16, 1.2, 3.8}, {24, 1.2, 4.4}, {32, 1.9, 6.1}, {36, 1.7, 5.4}, {48, 2.2, 6.7}, {64, 3.4, 10.9}};

static double along(double x, double x0, double y0, double x1, double y1) { return y0 + (y1 - y0) * (x - x0) / (x1 - x0); }

static rf_level_energy with_wires(double read, double write, double private_mm, double shared_mm) {
    return (rf_level_energy){.read_private = GROUPS * (read + RF_ENERGY_CROSSBAR * private_mm),
                             .read_shared = GROUPS * (read + RF_ENERGY_CROSSBAR * shared_mm),
                             .write_private = GROUPS * (write + RF_ENERGY_CROSSBAR * private_mm),
                             .write_shared = GROUPS * (write + RF_ENERGY_CROSSBAR * shared_mm)};
}

void rf_level_energies(rf_level_options *options, uint32_t active) {
    const double registers = (double)options->entries * active;
    size_t row = 0;
    while (row + 2 < COUNT(table) && registers > table[row + 1].registers) row++;
    const double from = table[row].registers, to = table[row + 1].registers;
    options->mrf = with_wires(RF_ENERGY_BANK_READ, RF_ENERGY_BANK_WRITE, MRF_MM, MRF_MM);
    options->l1 = with_wires(along(registers, from, table[row].read, to, table[row + 1].read),
                             along(registers, from, table[row].write, to, table[row + 1].write), L1_PRIVATE_MM, L1_SHARED_MM);
    options->l0_energy = with_wires(RF_ENERGY_COLLECTOR_READ, RF_ENERGY_COLLECTOR_WRITE, L0_MM, L0_MM);
}

rf_level_options rf_level_defaults(void) {
    rf_level_options options = {.entries = 3, .l0 = 2, .slots = 3, .partial = true, .keep = true, .branches = true};
    rf_level_energies(&options, 8);
    return options;
}

const char *rf_level_check(const rf_level_options *options) {
    if (options->entries < 1 || options->entries > RF_LEVEL_ENTRIES_MAX) return "entries must be 1 to 8";
    if (options->l0 > 2) return "l0 must be 0 to 2";
    if (options->slots < 1 || options->slots > RF_SLOTS_MAX) return "slots must be 1 to 8";
    return NULL;
}
