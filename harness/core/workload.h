/* SPDX-License-Identifier: Apache-2.0 */
/* What the command `workload` gets from outside: kernels that can be executed. The engine knows none. */
#ifndef LS_WORKLOAD_H
#define LS_WORKLOAD_H

#include "cmodel/workload/rf_stream.h"

typedef struct ls_kernel_info {
    const char *name, *kind, *what;
} ls_kernel_info;

typedef struct ls_kernel_request {
    const char *name;
    uint32_t registers;    /* of a thread; 0: the default */
    uint32_t rthld;        /* reuse distance, in instructions, from which on a hint says far [Malekeh 1]; 0: the default */
    uint32_t banks;        /* for which the hints name free registers [bank stealing IV-C-2]; 0: the default */
    const char *hierarchy; /* NAME=VALUE,... of the register file hierarchy that operands are placed in; NULL: none */
    bool large;            /* the large input */
    bool schedule;         /* reorder its instructions (cmodel/compiler/rf_schedule.h) */
    bool m32;              /* its PTX with 32-bit addresses */
    bool papers_inputs;    /* its input like that of the papers' program */
    bool dead_together;    /* dead bits only where all lanes are together (cmodel/compiler/rf_hints.h) */
} ls_kernel_request;

/* What an execution tells beside its stream. */
typedef struct ls_kernel_result {
    uint32_t launches, registers, spilled;
    uint64_t outputs;                              /* elements of its results compared with a reference */
    uint64_t operands, pairs;                      /* in its stream: registers that instructions name; those of 64 bits */
    uint64_t warp_instructions, lane_instructions; /* the second: active lanes, summed over the first */
    double seconds;                                /* executing alone, without reading PTX, data and references */
} ls_kernel_result;

typedef struct ls_kernels {
    /* The kernel number i, from 0; false behind the last one. */
    bool (*entry)(size_t i, ls_kernel_info *info);
    /* Executes one, checks its results and, unless `writer` is NULL, writes its stream, which stays the caller's to close or
     * abandon. 0, or -1 and a message. */
    int (*make)(const ls_kernel_request *request, rf_stream_writer *writer, ls_kernel_result *result, char *error, size_t size);
} ls_kernels;

/* Defined by the benches (tb/workload). */
extern const ls_kernels ls_workload_kernels;

#endif
