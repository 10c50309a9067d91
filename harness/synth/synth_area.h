/* SPDX-License-Identifier: Apache-2.0 */
/* What a mapped netlist is made of, from the tables that its folder holds. */
#ifndef LS_SYNTH_AREA_H
#define LS_SYNTH_AREA_H

#include <stdint.h>

#include "harness/base/liberty.h"
#include "harness/synth/synth.h"
#include "harness/synth/synth_sram.h"

/* A memory of the RTL and what became of it. */
typedef struct ls_synth_memory {
    char *name;          /* by instance: "u_banks.gen_bank[3].u_bank.mem_q" */
    uint64_t rows, bits; /* of a row */
    char
        *became; /* "sram_1rw", "sram_1r1w"; "flops" (small, or no macros wanted), "ports" (flip-flops: no macro has its ports) */
} ls_synth_memory;

typedef struct ls_synth_area {
    double um2, nand2;    /* of all cells of the library; of its NAND2 */
    double kge, flop_kge; /* in thousands of NAND2s: all, and of these the flip-flops */
    uint64_t cells, flops, latches;
    ls_sram *srams; /* kinds of macros */
    size_t sram_count;
    uint64_t sram_bits;
    ls_synth_memory *memories;
    size_t memory_count;
} ls_synth_area;

/* Counts. 0; or -1 and a text to free in *error: a file of the folder cannot be read, a cell is not in the library. The macros
 * point into `table`. */
int ls_synth_area_read(const ls_synth *synth, const ls_liberty *library, const ls_sram_table *table, ls_synth_area *area,
                       char **error);
void ls_synth_area_free(ls_synth_area *area);

/* Memories of `bits` bits and more that are flip-flops. */
uint64_t ls_synth_area_large(const ls_synth_area *area, uint64_t bits);

#endif
