/* SPDX-License-Identifier: Apache-2.0 */
/* The judge of the way from PTX to annotated streams: random kernels through the slow model and through front end, register
 * allocation, SIMT machine and hints; memory, every thread's steps with all their values, and what the hints promise are
 * compared. */
#ifndef SLOW_JUDGE_H
#define SLOW_JUDGE_H

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/compiler/rf_strand.h"
#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_simt.h"
#include "tb/workload/judge/slow_ptx.h"

typedef struct judge_counts {
    uint64_t kernels, runs, streams, warps,
        instructions;                                  /* streams: runs whose instructions were judged; instructions: of warps */
    uint64_t steps, values, accesses;                  /* of lanes: compared steps, register words, addresses */
    uint64_t spills;                                   /* instructions that the allocation added */
    uint64_t dead, near, frees, strands, long_latency; /* hints seen: dead bits, near bits, Rfree updates, ends, results */
    uint64_t features;                                 /* bit f: a kernel with feature f was judged (random_ptx.h) */
} judge_counts;

/* A way to give registers: 0 for as many as there are variables. scheduled: the kernel is reordered before (rf_schedule.h) for
 * that many words; its steps then have another order than the slow model's and are not compared, memory and hints are. */
typedef struct judge_way {
    uint32_t registers, predicates, scheduled;
} judge_way;

/* Judges the random kernel of a seed in several ways. True, or a message that starts with what failed; then the kernel's text is
 * in the file `path`. */
bool judge_seed(uint64_t seed, const judge_way *ways, uint32_t count, judge_counts *counts, const char *path, char *error,
                size_t size);

/* Changes something in a warp's stream, before it is judged; hinted: its hints, in a second call. */
typedef void judge_plant(rf_warp *warp, bool hinted);

/* As judge_seed, one way, with a fault that the judge must find. */
bool judge_planted(uint64_t seed, judge_plant *plant, char *error, size_t size);

/* Every branch's immediate post-dominator, against its definition: all ways to the end go through it. */
bool judge_flow(const rf_kernel *kernel, char *error, size_t size);

/* One warp's instructions against what its threads did in the slow model: log[lane]. */
bool judge_warp(const slow_ptx *slow, const slow_log *log, uint32_t lanes, const rf_kernel *kernel, const rf_warp *warp,
                uint64_t unordered, uint64_t unordered_bytes, judge_counts *counts, char *error, size_t size);

/* What the hints of one warp's executed path promise. kernel: NULL when they were made without a graph; then there is no Rfree.
 */
bool judge_hints(const rf_warp *warp, const rf_kernel *kernel, const rf_hint_options *options, judge_counts *counts, char *error,
                 size_t size);

/* Strands: entered at their first instruction, left at an end, and what is read in a later one was said to be live there.
 * live_out: `words` words a strand. */
bool judge_strands(const rf_warp *warp, const rf_strands *strands, const uint64_t *live_out, uint32_t words, char *error,
                   size_t size);

#endif
