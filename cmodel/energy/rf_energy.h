/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of an operand stage: counts times picojoules that a paper states. The Malekeh paper gives none of its own (it took
 * AccelWattch's), so these are of [hierarchy 6.3, Table V]: 40 nm, 0.9 V, per access of four 32-bit values. A warp register of
 * LANES lanes is LANES / 4 such accesses.
 *
 *   bank       8 pJ a read, 11 pJ a write
 *   collector  0.7 pJ a read, 2 pJ a write: the hierarchy paper's L0, 8 words of flip-flops (one entry a thread, 8 warps), which
 *              is what a CCU of 8 entries holds; a collector of 3 slots is taken at the same price
 *   crossbar   7.6 pJ a mm: 1.9 pJ a mm and 32 bits, times the distance that a register travels (rf_energy_wires)
 *
 * What no paper states is not guessed: arbiters, control, leakage. A look-up of tags has a price of another structure, so it is
 * told apart: 0.75 pJ, a read of a tag bank (64 sets) of CERF's integrated register file [CERF Table III], by CACTI 6.5. The tags
 * of a CCU are fewer.
 *
 * Warp instruction reuse (WIR) is priced apart, in 45 nm: its units by [WIR Table III], an operation each. The WIR paper gives no
 * energy of banks or execution units (it took GPUWattch's). A bank access is that of CACTI 7 (itrs-hp, 350 K, 45 nm) for a macro
 * of 256 x 128 bits with one read and one write port: 5.26 pJ a read, 13.91 pJ a write; a macro has four lanes. */
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
#define RF_ENERGY_CROSSBAR 7.6 /* a mm */
#define RF_ENERGY_TAG 0.75

/* Millimetres from where a warp register is to where it goes. [hierarchy 6.3, Table V] has 1 from its banks to execution units,
 * and 0.2 and 0.05 from the register file caches beside those. It does not divide the way into banks to collectors and collectors
 * to units, and no paper says where a CCU stands: by default the crossbar is 1 mm for all, and collectors are at the units. */
typedef struct rf_energy_wires {
    double bank_collector; /* an operand, from its bank */
    double result_bank;    /* a result, from its execution unit; back from the bank that it was stolen into, too */
    double result_ccu;     /* a result, from its execution unit to port D of a CCU */
} rf_energy_wires;

#define RF_ENERGY_MM 1
#define RF_ENERGY_WIRES_INIT                                                                                                     \
    { RF_ENERGY_MM, RF_ENERGY_MM, RF_ENERGY_MM }

/* What an operand stage did, in whole warp registers. */
typedef struct rf_energy_counts {
    uint64_t bank_reads, bank_writes;
    uint64_t collector_reads;                         /* operands handed to execution units */
    uint64_t collector_writes;                        /* operands and results stored */
    uint64_t bank_collector, result_bank, result_ccu; /* moved, each of these ways */
} rf_energy_counts;

/* Picojoules of all of it, with `lanes` lanes of 32 bits and ways of these lengths. */
double rf_energy(const rf_energy_counts *counts, const rf_energy_wires *wires, uint32_t lanes);

/* [WIR Table III], pJ an operation: a read or a write of a table */
#define RF_ENERGY_WIR_RENAME 3.50
#define RF_ENERGY_WIR_REUSE_BUFFER 4.71
#define RF_ENERGY_WIR_HASH 4.85
#define RF_ENERGY_WIR_VSB 4.96
#define RF_ENERGY_WIR_POOL 1.35
#define RF_ENERGY_WIR_REFERENCE 0.32
#define RF_ENERGY_WIR_VERIFY_CACHE 2.93
/* CACTI, 128 bits */
#define RF_ENERGY_WIR_BANK_READ 5.26
#define RF_ENERGY_WIR_BANK_WRITE 13.91

/* What a stage with warp instruction reuse did. */
typedef struct rf_energy_wir_counts {
    uint64_t bank_reads, bank_writes; /* whole warp registers */
    uint64_t rename, reuse_buffer;    /* table reads and writes */
    uint64_t hashes;                  /* results hashed */
    uint64_t vsb;                     /* reads and writes of the value signature buffer */
    uint64_t pool;                    /* registers taken from and given to the free list */
    uint64_t references;              /* +1 and -1 */
    uint64_t verify_cache;            /* reads and writes of lines */
} rf_energy_wir_counts;

/* Picojoules of the banks, with `lanes` lanes of 32 bits; of the units that reuse adds. */
double rf_energy_wir_banks(const rf_energy_wir_counts *counts, uint32_t lanes);
double rf_energy_wir_added(const rf_energy_wir_counts *counts);

/* [CERF Table III], by CACTI 6.5: pJ an access of a bank, mW of leakage a bank. 128 KB of registers, or of both, are 32 banks of
 * 16 bytes, 8 of which have a register or a line [CERF III-B]; integrated tags are 4 banks, their reads RF_ENERGY_TAG. That the
 * L1D has 32 such banks too, and a slice of L2, 64 KB, 16, and that tags of the L1D and of a slice are one bank, is ours: the
 * sizes that fit the prices. */
#define RF_ENERGY_CERF_RF_READ 4.62
#define RF_ENERGY_CERF_RF_WRITE 5.97
#define RF_ENERGY_CERF_RF_LEAKAGE 1.78
#define RF_ENERGY_CERF_L1_READ 0.72
#define RF_ENERGY_CERF_L1_WRITE 0.61
#define RF_ENERGY_CERF_L1_LEAKAGE 0.19
#define RF_ENERGY_CERF_L1_TAG_READ 0.47
#define RF_ENERGY_CERF_L1_TAG_WRITE 0.64
#define RF_ENERGY_CERF_L1_TAG_LEAKAGE 0.20
#define RF_ENERGY_CERF_TAG_WRITE 0.78
#define RF_ENERGY_CERF_TAG_LEAKAGE 0.32
#define RF_ENERGY_CERF_L2_READ 5.52
#define RF_ENERGY_CERF_L2_WRITE 3.95
#define RF_ENERGY_CERF_L2_LEAKAGE 2.66
#define RF_ENERGY_CERF_L2_TAG_READ 1.05
#define RF_ENERGY_CERF_L2_TAG_WRITE 1.91
#define RF_ENERGY_CERF_L2_TAG_LEAKAGE 0.80

#ifdef __cplusplus
}
#endif
#endif
