/* SPDX-License-Identifier: Apache-2.0 */
/* Our own GPU workloads: kernels in kernels/, each with its data, its launches and a reference in plain C (docs/kernels.md).
 *
 * Data come from xoshiro256** seeded with a hash of the workload's name (harness/base/rng.h): the same in every run, on every
 * machine. */
#ifndef RF_KERNELS_H
#define RF_KERNELS_H

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/workload/rf_simt.h"
#include "cmodel/workload/rf_stream.h"
#include "cmodel/workload/rf_source.h"

#define RF_KERNELS_FOLDER "tb/workload/kernels" /* in the project's folder, or in an installed one */
#define RF_KERNELS_REGISTERS 63u                /* of a thread, unless said otherwise */
/* Words live at one time that scheduling may use: registers a thread at which 32 warps fill rf_banked's 128 KB. */
#define RF_KERNELS_SCHEDULED 32u

typedef struct rf_kernels_run rf_kernels_run; /* rf_kernels_run.h */

typedef struct rf_kernels_entry {
    const char *name;
    const char *file; /* PTX, in the kernels' folder, without ".ptx" */
    const char *kind; /* of benchmark: "dense", "streaming", "synchronising", "irregular", "divergent", ... */
    const char *what;
    /* Fills device memory, launches, and compares every output with the reference. The first failure leaves through the run. */
    void (*run)(rf_kernels_run *run, bool large);
} rf_kernels_entry;

extern const rf_kernels_entry rf_kernels_list[];
extern const size_t rf_kernels_count;

/* The workload of that name, or NULL. */
const rf_kernels_entry *rf_kernels_find(const char *name);

typedef struct rf_kernels_options {
    bool large;
    bool schedule;         /* list scheduling before the allocation, of kernels that it does not make spill more */
    bool m32;              /* the PTX with 32-bit addresses */
    bool papers_inputs;    /* pictures, fields, graphs and matrices as the papers' programs read them, in place of random ones */
    bool dead_together;    /* of the hints, as in rf_hint_options */
    bool identity;         /* every PTX register a register of its own; no stream can be written then */
    uint32_t registers;    /* 0: RF_KERNELS_REGISTERS */
    uint32_t rthld, banks; /* of the hints, as in rf_hint_options */
    const char *hierarchy; /* of the hints: as rf_level_parse takes it; NULL: no places */
    const rf_source *source;  /* where the PTX comes from: FOLDER/FILE.ptx, FOLDER/m32/FILE.ptx */
    const char *folder;       /* NULL: RF_KERNELS_FOLDER of ls_root (harness/core/design.h) */
    rf_stream_writer *writer; /* NULL: no stream */
    /* NULL, or called for every warp that has executed a kernel, allocated, which stays until the end; false: no memory. */
    bool (*watch)(void *ctx, const rf_kernel *kernel, const rf_warp *warp);
    void *ctx; /* of watch */
} rf_kernels_options;

typedef struct rf_kernels_result {
    rf_simt_counts counts; /* of all launches */
    uint32_t launches;
    uint32_t registers, spilled; /* most that one of the kernels uses; variables of all of them that live in memory */
    uint64_t outputs;            /* elements compared with the reference: never 0 after a pass */
    uint64_t operands, pairs;    /* in the stream: registers that instructions with an active lane name; those of 64 bits */
    double seconds;              /* in rf_simt_run, with the stream's writing if there is one */
} rf_kernels_result;

/* Reads the PTX, allocates registers, runs all launches with their hints into the writer and checks the result: 0, or -1 and a
 * message "NAME: ...". The writer stays the caller's, to close or, after a failure, to abandon. */
int rf_kernels_build(const rf_kernels_entry *entry, const rf_kernels_options *options, rf_kernels_result *result, char *error,
                     size_t size);

#endif
