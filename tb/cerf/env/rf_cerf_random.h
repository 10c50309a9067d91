/* SPDX-License-Identifier: Apache-2.0 */
/* What random streams of rf_cerf have beside the stage's: last reads after which nobody reads, and accesses to memory: to few
 * lines or many, in few sets or all, loads, stores, atomics. */
#ifndef RF_CERF_RANDOM_H
#define RF_CERF_RANDOM_H

#include "cmodel/cerf/rf_cerf.h"
#include "cmodel/workload/rf_inst.h"
#include "harness/base/rng.h"
#include "tb/cerf/env/rf_cerf_lsu.h"

typedef struct rf_cerf_random {
    rf_cerf_cfg cfg;
    ls_rng rng;
    /* Probabilities of the phase, in 256ths. */
    uint32_t last;                             /* a source is read for the last time */
    uint32_t store, atomic;                    /* an access is a store, an atomic */
    uint32_t ghost;                            /* an access of the load/store unit's own, in 1024ths a cycle */
    uint32_t lines;                            /* working set */
    uint32_t stride;                           /* its lines are so far apart: the number of sets makes all meet in one */
    uint32_t most;                             /* requests of an access */
    uint32_t alive[RF_WARPS_MAX][RF_REGS_MAX]; /* lanes that may be read */
} rf_cerf_random;

void rf_cerf_random_init(rf_cerf_random *r, const rf_cerf_cfg *cfg, uint64_t seed);
/* A new mix. */
void rf_cerf_random_phase(rf_cerf_random *r);
/* Loads and stores in every cycle, to as many lines as the memory holds, until the next mix. */
void rf_cerf_random_storm(rf_cerf_random *r);
/* A new warp: all registers may be read. */
void rf_cerf_random_launch(rf_cerf_random *r, uint32_t w);
/* The next instruction of slot `w`, in program order: sources are made such that may be read, some are read for the last time. */
void rf_cerf_random_compile(rf_cerf_random *r, uint32_t w, rf_inst *inst);
/* An access of the phase, with data `data`. */
void rf_cerf_random_access(rf_cerf_random *r, const rf_vec *data, rf_cerf_access *access);

#endif
