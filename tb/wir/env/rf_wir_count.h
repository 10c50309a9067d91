/* SPDX-License-Identifier: Apache-2.0 */
/* What rf_wir does, counted: the quantities of [WIR VII]. Operations of its tables are those of Table III. */
#ifndef RF_WIR_COUNT_H
#define RF_WIR_COUNT_H

#include "cmodel/wir/rf_wir.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_slots.h"
#include "tb/wir/env/rf_repeat.h"
#include "tb/wir/env/rf_wir_decode.h"

#define RF_WIR_PARTIAL RF_WIR_WHYS /* beside the decoder's reasons: some lanes only */
#define RF_WIR_KINDS (RF_WIR_WHYS + 1)

typedef struct rf_wir_count {
    uint64_t cycles, issued;
    /* reuse stage */
    uint64_t lookups;         /* instructions that leave the lane after a lookup, first or retried */
    uint64_t reused, retried; /* retire with an earlier result; of them from the pending queue */
    uint64_t reused_loads;
    uint64_t all_reused, all_retried, all_reused_loads; /* instructions, all of whose uops reuse; the last of them as above */
    uint64_t queued, queue_full; /* found their computation on its way: into the queue, or executed because it was full */
    uint64_t retries;            /* lookups of the queue's head */
    uint64_t leaders;            /* entries reserved */
    uint64_t held;               /* misses at an entry that is on its way for another computation */
    uint64_t guarded;            /* cycles of a lane in which the guard alone keeps a load from the lookup */
    uint64_t saturated;          /* loads that execute so, with a barrier count that is full */
    uint64_t executed;           /* take a collector */
    uint64_t partial;            /* of the issued: some lanes only */
    uint64_t loads, stores;      /* issued */
    /* allocation */
    uint64_t results, hashed; /* allocated; of them looked up in the value signature buffer */
    uint64_t vsb_hits, shared_cached, shared_read;
    uint64_t cached_collisions, gave_collisions; /* told by the verify cache, by a verify-read */
    uint64_t fresh;                              /* registers given out */
    uint64_t overwritten;                        /* at the limit */
    uint64_t in_place, moves;                    /* dummy MOVs: first partial write of a mapped register */
    uint64_t no_register;                        /* cycles in which a group's result waits for one */
    uint64_t low;                                /* cycles in low register mode */
    uint64_t random_reuse, random_vsb;           /* entries dropped at random in it */
    /* banks */
    uint64_t operand_reads, verify_reads, merge_reads, writes; /* merge: of the lanes that a dummy MOV keeps */
    uint64_t read_read, read_write, write_write, verify_lost;
    uint64_t bank_busy;
    /* registers */
    uint64_t in_use_sum;
    uint32_t in_use_peak;
    uint64_t limit_sum;                  /* logical registers of the warps that run */
    uint64_t over_limit, over_limit_sum; /* cycles with more than the limit in use; by how many */
    /* operations of the tables */
    uint64_t rename_reads, rename_writes, reuse_reads, reuse_writes, vsb_reads, vsb_writes, cache_reads, cache_writes, pool_ops,
        count_ops;
    /* why groups did not issue */
    rf_stage_slots slots;
    /* instructions of a workload by what the decoder says, and those of them that repeat a computation */
    uint64_t kind[RF_WIR_KINDS], kind_repeated[RF_WIR_KINDS];
    rf_repeat repeat;
    /* of those that may be looked up, with all lanes: why the lane does not, or that it does */
    uint64_t unmapped, pinned, loads_off, kept_by_guard, looked_up, looked_up_repeated, reused_repeated;
    uint8_t issuing[RF_ISSUES_MAX], renaming[RF_ISSUES_MAX], looking[RF_ISSUES_MAX]; /* where they are: bits of rf_wir_count.c */
    uint64_t sweeps; /* cycles in which the reuse buffer is swept */
    uint64_t walks;  /* mappings released */
} rf_wir_count;

/* One cycle. `waits`: of the environment. */
void rf_wir_count_cycle(rf_wir_count *n, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_out *out,
                        const rf_stage_waits *waits);

/* The workload's instruction whose first uop group g issues in the coming rf_wir_count_cycle; `key` of rf_repeat_key. */
void rf_wir_count_instruction(rf_wir_count *n, const rf_wir_cfg *cfg, uint32_t g, const rf_inst *inst, rf_wir_why why,
                              uint64_t key);

/* Group g issues a later uop of a workload's instruction: the first one is counted for all. */
void rf_wir_count_later(rf_wir_count *n, uint32_t g);

/* With what retires out of this lane all uops of its instruction have reused. */
void rf_wir_count_reused(rf_wir_count *n, const rf_wir_front_out *front);

/* All of it, shares, and energy. */
void rf_wir_count_report(const rf_wir_count *n, const rf_wir_cfg *cfg, ls_counter_fn *sink, void *ctx);

#endif
