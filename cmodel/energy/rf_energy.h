/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of an operand stage: counts times picojoules that a paper states. 000 gives none of its own (it took AccelWattch's), so
 * these are of 002 6.3, Table V: 40 nm, 0.9 V, per access of four 32-bit values. A warp register of LANES lanes is LANES / 4 such
 * accesses.
 *
 *   bank       8 pJ a read, 11 pJ a write
 *   collector  0.7 pJ a read, 2 pJ a write: 002's L0, 8 words of flip-flops (one entry a thread, 8 warps), which is what a CCU
 *              of 8 entries holds; a collector of 3 slots is taken at the same price
 *   crossbar   7.6 pJ: 1 mm between banks and execution units, 1.9 pJ a mm and 32 bits
 *
 * What no paper states is not guessed: arbiters, tags, control, leakage. */
#ifndef RF_ENERGY_H
#define RF_ENERGY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RF_ENERGY_BANK_READ 8.0
#define RF_ENERGY_BANK_WRITE 11.0
#define RF_ENERGY_COLLECTOR_READ 0.7
#define RF_ENERGY_COLLECTOR_WRITE 2.0
#define RF_ENERGY_CROSSBAR 7.6

/* What an operand stage did, in whole warp registers. */
typedef struct rf_energy_counts {
    uint64_t bank_reads, bank_writes;
    uint64_t collector_reads;  /* operands handed to execution units */
    uint64_t collector_writes; /* operands and results stored */
    uint64_t crossbar;         /* warp registers moved between banks, collectors and result buses */
} rf_energy_counts;

/* Picojoules of all of it, with `lanes` lanes of 32 bits. */
double rf_energy(const rf_energy_counts *counts, uint32_t lanes);

#ifdef __cplusplus
}
#endif
#endif
